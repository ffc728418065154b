"""How near passages are to a question by what they mean: by a model of embeddings where one is set, else by word vectors.

Only the best passages by words are looked at, so what it costs does not grow with the wiki. What is new to the cache the
model is asked for, some at a time and no longer than a person waits; what is left then is ranked by words, and comes with
a later question. Where the model cannot be asked, that is said once, and all is as where none is set. Word vectors are
those of the extra ``meaning``; without it passages are ranked by their words alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from curator.errors import Conflict, ModelError
from curator.finding import Finding
from curator.models.embedding import Embedder, cosine
from curator.models.word_vectors import WordVectors, word_vectors
from curator.repository.vectors import FILE, VectorCache
from curator.wiki.passages.selection import Candidate, by_meaning

_LOOKED_AT = 400
"""Passages, the best by words: of half as many fewer facts are found (measured)."""
_LONGEST = 2_000
"""Characters of a text that are looked at: models of embeddings read some 500 tokens."""
_FEWEST = 30
"""Of fewer passages it cannot be told which words are of few of them, and all have their place by words."""
_COUNTS = 0.35
"""What the passage nearest by word vectors gains, compared to what the best by words have; a model of embeddings, which
reads whole sentences, may say more."""
_PATIENCE = 20.0
"""As long as a person waits for an answer."""


@dataclass
class Meaning:
    """Ranks passages by meaning, too."""

    model: Embedder
    cache: Callable[[], VectorCache]
    clock: Callable[[], float] = time.monotonic
    patience: float = _PATIENCE
    """Seconds after which no more texts are sent for one question."""
    at_once: int = 32
    """How many texts go in one request."""
    faults: list[Finding] = field(default_factory=list)
    """Why the model was not asked, or not to the end; then it is asked no more."""
    _told: int = 0

    def ranked(self, question: str, found: Sequence[Candidate]) -> list[Candidate]:
        """``found``, best first by words, in an order that goes by meaning as well."""
        looked_at = {each: _text_of(each) for each in found[:_LOOKED_AT] if each.score}
        if not looked_at:
            return list(found)
        at_fault = len(self.faults)
        known = self._known(question, looked_at.values())
        if known:
            told, how = "passages without a vector are", "by words alone"
            ranked = by_meaning(found, {each: known[text] for each, text in looked_at.items() if text in known})
        else:
            has_table = _table_for(len(looked_at)) is not None
            told, how = "passages are", "by words and the table of word vectors" if has_table else "by words alone"
            ranked = ranked_by_word_vectors(question, found)
        self.faults[at_fault:] = (
            replace(each, message=f"{told} ranked {how}, for {each.message}") for each in self.faults[at_fault:]
        )
        return ranked

    def _known(self, question: str, texts: Iterable[str]) -> dict[str, float]:
        """How like the question those of ``texts`` are that have a vector."""
        asked = self._vectors([question], f"{self.model.name} ?").get(question, b"")
        known = self._vectors(list(dict.fromkeys(texts)), self.model.name) if asked else {}
        if any(len(vector) != len(asked) for vector in known.values()):
            hint = f"see that embedding_model gives vectors of one size, then delete {FILE} in .git/curator"
            self._is_at_fault("the vectors of the question and of passages differ in size", hint)
        return {text: cosine(asked, vector) for text, vector in known.items() if len(vector) == len(asked)}

    @property
    def news(self) -> tuple[Finding, ...]:
        """What is to be told, and was not yet."""
        new, self._told = self.faults[self._told :], len(self.faults)
        return tuple(new)

    def _vectors(self, texts: Sequence[str], name: str) -> dict[str, bytes]:
        """Those of ``texts`` that are known, or that the model gives in time; ``name``: what they are kept under."""
        cache = self.cache()
        found = cache.get(name, texts)
        until = self.clock() + self.patience
        for some in _parts([each for each in texts if each not in found], self.at_once):
            if self.faults or self.clock() > until:
                break
            try:
                vectors = self.model.embed(some, "question" if name.endswith(" ?") else "passage")
            except (ModelError, Conflict) as error:
                self._is_at_fault(error.message, error.hint)
                break
            if any(vectors):  # one that is none is kept, too, and not asked for again; of all of them it may be mended
                new = dict(zip(some, vectors, strict=True))
                cache.keep(name, new)
                found |= new
            if not all(vectors):
                said = f"{vectors.count(b'')} of {len(some)} vectors that came are all zero, infinite or no numbers"
                self._is_at_fault(said, "see that embedding_model names a model of embeddings")
        return {text: vector for text, vector in found.items() if vector}

    def _is_at_fault(self, why: str, hint: str) -> None:
        self.faults.append(Finding("meaning_unavailable", "embedding_model", why, hint=hint))


def _table_for(passages: int) -> WordVectors | None:
    """The table that ranks so many passages; None where their words alone do."""
    return word_vectors() if passages >= _FEWEST else None


def ranked_by_word_vectors(question: str, found: Sequence[Candidate]) -> list[Candidate]:
    """``found``, best first by words, in an order that goes by the vectors of words as well, where there are any."""
    looked_at = [each for each in found[:_LOOKED_AT] if each.score]
    vectors = _table_for(len(looked_at))
    if vectors is None:
        return list(found)
    likeness = vectors.likeness(question, [_text_of(each) for each in looked_at])
    return by_meaning(found, dict(zip(looked_at, likeness, strict=True)), _COUNTS)


def _text_of(each: Candidate) -> str:
    """A passage as it is compared: what it begins with, under its title and its headings."""
    passage = each.passage
    return "\n".join(filter(None, (each.reading.title, passage.heading, passage.text)))[:_LONGEST]


def _parts(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (texts[start : start + size] for start in range(0, len(texts), size))
