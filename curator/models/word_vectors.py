"""How near texts are to a question by what their words mean, by a table of word vectors that is on the disk.

A text is the mean of its words' vectors. No model is asked and nothing is sent: the table is one of a package,
wordllama, that the extra ``meaning`` brings.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float16, float32
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_EVERYWHERE = 0.05
"""What a word counts that stands in all texts."""


@dataclass(frozen=True)
class WordVectors:
    """A table of vectors, a row a word or a part of one."""

    table: NDArray[float16]
    tokenizer: Tokenizer

    def likeness(self, question: str, texts: Sequence[str]) -> list[float]:
        """How like the question each of ``texts`` is, from -1 to 1; what few of them have counts more."""
        words = [self._rows(text) for text in texts]
        often = Counter(row for rows in words for row in set(rows))
        weights = {row: max(_EVERYWHERE, math.log((len(texts) + 1) / (count + 0.5))) for row, count in often.items()}
        asked = self._mean(self._rows(question), weights, math.log(2 * (len(texts) + 1)))
        return [float((self._mean(rows, weights) * asked).sum()) for rows in words]

    def nearness(self, question: str, texts: Iterable[str]) -> list[float]:
        """The same with all words alike, so that what comes of one question can be held against what comes of another."""
        asked = self._mean(self._rows(question), {})
        return [float((self._mean(self._rows(text), {}) * asked).sum()) for text in texts]

    def _mean(self, rows: Sequence[int], weights: Mapping[int, float], unknown: float = 1.0) -> NDArray[float32]:
        """Of length 1, or 0 for no words."""
        import numpy

        counts = numpy.array([weights.get(row, unknown) for row in rows], dtype=numpy.float32)
        total = (self.table[list(rows)] * counts[:, None]).sum(axis=0)
        length = numpy.sqrt((total * total).sum())
        return numpy.asarray(total / length if length else total, dtype=numpy.float32)

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
