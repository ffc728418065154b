"""The built-in extractive curator: pages out of a source's own sentences, with no language model and no network."""

from __future__ import annotations

from curator.errors import SourceError
from curator.models.extractive.answer import answer
from curator.models.extractive.curate import curate
from curator.models.port import Reply, Request
from curator.models.question import Question
from curator.system.bounded import forked
from curator.system.filenames import printable

NAME = "built-in extractive curator (no language model)"


_SHORT = 64_000
"""Characters that take no time to speak of, whatever they are, and no memory: of thirteen texts that were made to cost
much, all headings, terms, table rows, marks or the like, the worst took 1.5 s and 19 MB. A fork would cost more."""
_SECONDS, _MEGABYTES = 120, 2_000


def _too_much(request: Request, what: str) -> SourceError:
    said = f"{printable(request.source.path)}: the built-in curator takes {what} for it"
    return SourceError("source_too_costly", said, "split it, or ask a language model: curate ingest --model NAME")


class ExtractiveCurator:
    """A ``Model`` that only quotes. The same request always gets the same answer."""

    @property
    def name(self) -> str:
        return NAME

    def propose(self, request: Request) -> Reply:
        """The proposal for ``request``; a repair round gets the same answer, for nothing in it was invented."""
        if len(request.source.document.text) <= _SHORT:
            return Reply(text=curate(request).dumps(), model=self.name)
        try:
            text = forked(lambda: curate(request).dumps(), _SECONDS, _MEGABYTES)
        except TimeoutError:
            raise _too_much(request, f"more than {_SECONDS} s of processor time") from None
        except MemoryError:
            raise _too_much(request, f"more than {_MEGABYTES:,} MB of memory") from None
        return Reply(text=text, model=self.name)

    def answer(self, question: Question) -> Reply:
        """The passages that fit ``question`` best, word for word."""
        return Reply(text=answer(question).dumps(), model=self.name)
