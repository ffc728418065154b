"""The built-in extractive curator: pages out of a source's own sentences, with no language model and no network."""

from __future__ import annotations

from curator.models.extractive.answer import answer
from curator.models.extractive.curate import curate
from curator.models.port import Reply, Request
from curator.models.question import Question

NAME = "built-in extractive curator (no language model)"


class ExtractiveCurator:
    """A ``Model`` that only quotes. The same request always gets the same answer."""

    @property
    def name(self) -> str:
        return NAME

    def propose(self, request: Request) -> Reply:
        """The proposal for ``request``; a repair round gets the same answer, for nothing in it was invented."""
        return Reply(text=curate(request).dumps(), model=self.name)

    def answer(self, question: Question) -> Reply:
        """The passages that fit ``question`` best, word for word."""
        return Reply(text=answer(question).dumps(), model=self.name)
