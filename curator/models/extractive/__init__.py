"""The built-in extractive curator: pages out of a source's own sentences, with no language model and no network."""

from __future__ import annotations

from curator.errors import ModelError, SourceError
from curator.models.extractive.languages.language import LANGUAGES, language_of
from curator.models.port import Reply, Request
from curator.models.question import Question
from curator.models.sandbox.locked_fork import ForkDied, ForkLimits, in_jail
from curator.models.statement_stream import HearStatement
from curator.models.word_vectors import word_vectors
from curator.system.filenames import printable

NAME = "built-in extractive curator (no language model)"

LIMITS = ForkLimits(seconds=120, megabytes=2_000)


class ExtractiveCurator:
    """A ``Model`` that only quotes. The same request always gets the same answer."""

    @property
    def name(self) -> str:
        return NAME

    def propose(self, request: Request) -> Reply:
        """The proposal for ``request``, worked out in a jail; a repair round gets the same, for nothing was invented."""
        from curator.models.extractive.curate import curate  # before the jail, which reads no files; with its like only

        if (other := LANGUAGES.get(language_of(request.source.document.text))) is not None:
            _ = other.stop  # in a jail no file can be read
        try:
            said = in_jail(lambda: curate(request).dumps(), LIMITS)
        except TimeoutError:
            raise _too_much(request, f"more than {LIMITS.seconds} s of processor time") from None
        except MemoryError:
            raise _too_much(request, f"more than {LIMITS.megabytes:,} MB of memory") from None
        except ForkDied as error:
            seen = f"{printable(request.source.path)}: the built-in curator {error}"
            hint = "try again; if it goes on, please report it"
            raise SourceError("source_curator_died", seen, hint) from None
        return Reply(text=said["text"], model=self.name, sandbox=said["sandbox"], is_by_code=True)

    def answer(self, question: Question, hear: HearStatement | None = None) -> Reply:
        """The passages that fit ``question`` best, word for word. Some are of sources: they are compared in a jail, too."""
        from curator.models.extractive.answer import answer, language_asked

        if (other := language_asked(question)) is not None:
            _ = other.stop  # as above
        word_vectors()  # as well
        try:
            said = in_jail(lambda: answer(question).dumps(), LIMITS)
        except (TimeoutError, MemoryError, ForkDied) as error:
            how = (
                str(error)
                or f"takes more than {LIMITS.seconds} s of processor time or {LIMITS.megabytes:,} MB of memory"
            )
            hint = "ask in other words, or a language model: --model NAME"
            raise ModelError("model_worker_died", f"the built-in answer {how}", hint, retryable=False) from None
        return Reply(text=said["text"], model=self.name, sandbox=said["sandbox"])


def _too_much(request: Request, what: str) -> SourceError:
    said = f"{printable(request.source.path)}: the built-in curator takes {what} for it"
    return SourceError("source_too_costly", said, "split it, or ask a language model: curate ingest --model NAME")
