"""The model port: a Request in, a Reply out. Values only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from curator.finding import Finding
from curator.models.question import Question
from curator.models.verification import ReaderVerdict, Verification
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Source
from curator.wiki.wiki import PageEntry
from curator.wiki.workspace.workspace import CurationPolicy

if TYPE_CHECKING:
    from curator.models.statement_stream import HearStatement  # reads replies by a heavy library

MODEL, TOKENS, COST, VERIFIER = "Curator-Model", "Curator-Tokens", "Curator-Cost", "Curator-Verifier"
"""What the trailers are called by which a commit says who answered, and what that took."""
_COUNT = re.compile(r"\d{1,15}")
_DOLLARS = re.compile(r"\d{1,15}(\.\d{1,9})?")


@dataclass(frozen=True)
class Request:
    """All that a model is given for one source: its text, the pages it may change, and the policy of the wiki."""

    source: Source
    policy: CurationPolicy = CurationPolicy()
    conventions: str = ""
    """The text of AGENTS.md."""
    pages: tuple[Page, ...] = ()
    """The affected pages that fit the budget."""
    entries: tuple[PageEntry, ...] = ()
    """The next pages, by their names only. Every page whose exact title stands in the source is in one of the two."""
    summary_slug: str = ""
    """The slug that the source's summary page has, or will have unless another page takes it."""
    withdrawn: tuple[str, ...] = ()
    """What ``pages`` say by an earlier version of the source, and this one does not say: ``slug: statement``."""
    rejected: tuple[str, ...] = ()
    """Why a person has rejected earlier proposals for the source, the newest last."""
    faults: tuple[Finding, ...] = ()
    """What was wrong with ``previous``; set in the one repair round."""
    previous: str = ""
    shown: Mapping[str, str] = field(default_factory=dict)
    """By slug, what of a page is shown: the passages that the source touches; a page that is not in it is shown whole."""
    more: int = 0
    """How many more pages the wiki has."""
    coming: tuple[str, ...] = ()
    """The names of pages that are being made of other sources at this moment, a line a source."""
    evidence: Evidence = field(default=None, compare=False, repr=False)  # type: ignore[assignment]
    """The source, indexed for the search of quotes; made here when not given."""

    def __post_init__(self) -> None:
        if self.evidence is None:
            object.__setattr__(self, "evidence", Evidence(self.source.path, self.source.document))

    def told(self, page: Page) -> str:
        """What is shown of ``page``, without its footnotes."""
        return self.shown.get(page.slug, page.prose)

    def again(self, previous: str, faults: tuple[Finding, ...]) -> Request:
        """The request for the repair round: the same, with the reply and what was wrong with it."""
        return replace(self, previous=previous, faults=faults)


@dataclass(frozen=True)
class Usage:
    """What an answer cost. None means unknown, which is never shown as 0."""

    prompt: int | None = None
    completion: int | None = None
    cost: float | None = None
    """US dollars."""

    @classmethod
    def parsed(cls, tokens: str, cost: str) -> Usage:
        """Read what ``printable_tokens`` and ``printable_cost`` wrote; anything else counts as unknown."""
        prompt, _, completion = tokens.partition("/")
        dollars = cost.removesuffix(" USD")
        return cls(
            int(prompt) if _COUNT.fullmatch(prompt) else None,
            int(completion) if _COUNT.fullmatch(completion) else None,
            float(dollars) if _DOLLARS.fullmatch(dollars) else None,
        )

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            _sum(self.prompt, other.prompt), _sum(self.completion, other.completion), _sum(self.cost, other.cost)
        )

    @property
    def printable_tokens(self) -> str:
        """``5210/830``: in and out."""
        return "/".join("unknown" if count is None else str(count) for count in (self.prompt, self.completion))

    @property
    def in_words(self) -> str:
        """``8,000 tokens in, 600 out, price unknown``."""
        sent, received = ("?" if count is None else f"{count:,}" for count in (self.prompt, self.completion))
        price = "price unknown" if self.cost is None else f"{self.cost:.4f} USD"
        return f"{sent} tokens in, {received} out, {price}"

    @property
    def printable_cost(self) -> str:
        return "unknown" if self.cost is None else "0" if self.cost == 0 else f"{self.cost:.6f} USD"


FREE = Usage(0, 0, 0.0)


@dataclass(frozen=True)
class Reply:
    """A model's reply: the text of a proposal, not yet parsed or checked."""

    text: str
    model: str
    usage: Usage = FREE
    sandbox: str = ""
    """How strong the sandbox was that the model was asked from; empty when no process was needed."""
    form: Literal["json", "blocks"] = "json"
    """The form of the text: JSON, or the blocks of ``curator.models.search_replace``."""
    verifier: str = ""
    """The second reader that was asked about its claims; empty: none was."""
    verdicts: Mapping[str, ReaderVerdict] = field(default_factory=dict)
    """What the second reader said, by the keys of the claims."""
    is_cut: bool = False
    """True: the model had more to say than it may, and the text is what it had finished."""
    is_by_code: bool = False
    """True: by the built-in curator, which quotes and does not plot. What is wrong with a statement is the source's."""

    def verified(self, verifier: str, verdicts: Mapping[str, ReaderVerdict], usage: Usage) -> Reply:
        """The same with more verdicts, and what they cost."""
        return replace(self, verifier=verifier, verdicts={**self.verdicts, **verdicts}, usage=self.usage + usage)

    def following(self, earlier: Reply) -> Reply:
        """The same as the answer to a request for repair of ``earlier``: with its cost and its verdicts."""
        return self.verified(earlier.verifier, earlier.verdicts, earlier.usage)

    @property
    def trailers(self) -> tuple[str, ...]:
        """The trailers of a commit about the model, its tokens and its cost."""
        usage = self.usage
        return (
            f"{MODEL}: {self.model}",
            f"{TOKENS}: {usage.printable_tokens}",
            f"{COST}: {usage.printable_cost}",
            *([f"{VERIFIER}: {self.verifier}"] if self.verifier else []),
        )


class Model(Protocol):
    """Proposes changes to the wiki for a source."""

    @property
    def name(self) -> str: ...

    def propose(self, request: Request) -> Reply:
        """Answer ``request``. Raises ModelError when there is no answer, ProposalError when it is not a proposal."""


class Respondent(Protocol):
    """Answers questions from the pages."""

    @property
    def name(self) -> str: ...

    def answer(self, question: Question, hear: HearStatement | None = None) -> Reply:
        """Answer in the form of ``curator.models.statements``. Raises ModelError, or ProposalError as ``propose`` does.

        ``hear`` is called with each statement as it comes, by a model that answers piece by piece; the reply has them all.
        """


@dataclass(frozen=True)
class Verdicts:
    """A second reader's answer: one verdict a claim, in the order of the claims."""

    verdicts: tuple[ReaderVerdict, ...]
    usage: Usage = FREE
    sandbox: str = ""


class Verifier(Protocol):
    """A second reader: says of each claim whether the source states it. It can only take claims away."""

    @property
    def name(self) -> str: ...

    def verify(self, verification: Verification) -> Verdicts:
        """Judge the claims. Raises ModelError when there is no answer; one that cannot be read is a verdict of None."""


class Curator(Model, Respondent, Protocol):
    """Does both: a language model, or the built-in curator."""


def _sum(one: float | None, other: float | None) -> Any:
    return None if one is None or other is None else one + other


@dataclass(frozen=True)
class Budget:
    """Tokens for what a prompt shows of the wiki; the same at 10 pages and at 100,000."""

    pages: int = 1600
    lines: int = 700
    whole: bool = False
    """True: pages are shown whole, or by their names; False: the passages that the source touches."""


def estimate_tokens(text: str) -> int:
    """How many tokens ``text`` has, about: 4 letters of a Latin script to a token, 1.5 of any other.

    Only to keep prompts within their budget; what an answer really cost is what the provider says.
    """
    if text.isascii():
        return len(text) // 4 + 1
    plain = sum(1 for c in text if c < "\u0250" or "\u2010" <= c <= "\u2044")
    return int(plain / 4 + (len(text) - plain) / 1.5) + 1
