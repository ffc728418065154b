"""How near passages are to a question by what their words mean, by a table of word vectors that is on the disk.

A text is the mean of its words' vectors, and a word of few texts counts more. No model is asked and nothing is sent: the
table is one of a package, wordllama, that the extra ``meaning`` brings; else passages are ranked by their words alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from curator.wiki.passages.selection import Candidate, by_meaning

if TYPE_CHECKING:
    from numpy import float16, float32
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

LOOKED_AT = 400
"""Passages, the best by words: of half as many fewer facts are found (measured)."""
_FEWEST = 30
"""Of fewer passages it cannot be told which words are of few of them, and all have their place by words."""
_LONGEST = 2_000
"""Characters of a text that are looked at: models of embeddings read some 500 tokens."""
_COUNTS = 0.35
"""What the nearest passage gains, compared to what the best by words have; a model of embeddings, which reads whole
sentences, may say more."""
_EVERYWHERE = 0.05
"""What a word counts that stands in all texts."""


@dataclass(frozen=True)
class WordVectors:
    """A table of vectors, a row a word or a part of one."""

    table: NDArray[float16]
    tokenizer: Tokenizer

    def likeness(self, question: str, texts: Sequence[str]) -> list[float]:
        """How like the question each of ``texts`` is, from -1 to 1."""
        import numpy

        words = [self._rows(text) for text in texts]
        often = Counter(row for rows in words for row in set(rows))

        def vector(rows: Sequence[int]) -> NDArray[float32]:
            weights = [max(_EVERYWHERE, math.log((len(texts) + 1) / (often[row] + 0.5))) for row in rows]
            total = (self.table[list(rows)] * numpy.array(weights, dtype=numpy.float32)[:, None]).sum(axis=0)
            length = numpy.sqrt((total * total).sum())
            return numpy.asarray(total / length if length else total, dtype=numpy.float32)

        asked = vector(self._rows(question))
        return [float((vector(rows) * asked).sum()) for rows in words]

    def _rows(self, text: str) -> list[int]:
        # One by one: in batches it starts threads of its own, which do not outlive the fork of a worker.
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)


@cache
def word_vectors() -> WordVectors | None:
    """The table, read once a process; None where the extra ``meaning`` is not installed."""
    found = find_spec("wordllama")
    if found is None or not found.submodule_search_locations:
        return None
    package = Path(found.submodule_search_locations[0])
    # Its own loader looks for the second file on a hub, though the package has it.
    vectors = package / "weights" / "l2_supercat_256.safetensors"
    tokens = package / "tokenizers" / "l2_supercat_tokenizer_config.json"
    if not (vectors.is_file() and tokens.is_file()):
        return None
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    (table,) = load_file(vectors).values()
    tokenizer = Tokenizer.from_file(str(tokens))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return WordVectors(table, tokenizer)


def ranked(question: str, found: Sequence[Candidate]) -> list[Candidate]:
    """``found``, best first by words, in an order that goes by the vectors of words as well, where there are any."""
    looked_at = [each for each in found[:LOOKED_AT] if each.score]
    vectors = word_vectors() if len(looked_at) >= _FEWEST else None
    if vectors is None:
        return list(found)
    likeness = vectors.likeness(question, [text_of(each) for each in looked_at])
    return by_meaning(found, dict(zip(looked_at, likeness, strict=True)), _COUNTS)


def text_of(each: Candidate) -> str:
    """A passage as it is compared: what it begins with, under its title and its headings."""
    passage = each.passage
    return "\n".join(filter(None, (each.reading.title, passage.heading, passage.text)))[:_LONGEST]
