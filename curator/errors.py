"""Everything that can go wrong, sorted by who has to act.

    CuratorError
    ├── ConfigError            the operator: a setting, a flag, the place curator was started in (exit 2)
    │   └── NotTrusted             a repository brings settings that can run programs, and its user has not allowed it
    ├── WikiError              the wiki's owner: a file of the wiki is not as it must be (exit 2)
    │   ├── FrontmatterError       the head of a page or a manifest cannot be read
    │   ├── JournalUnreadable      the transaction journal is not whole: it is not acted upon
    │   └── KnowledgeError         what was to be defined is not as the standard wants it (wiki/validation.py)
    ├── GitError               the operator: git said no; the message quotes it (exit 2)
    │   └── PushError              nothing was pushed (service/hooks/upstream.py)
    ├── SourceError            the source's owner: this file cannot be taken in
    ├── Conflict               the wiki's user: unsaved work or a busy repository is in the way; waiting helps
    │   ├── Busy                   another process of curator's is writing to the wiki
    │   ├── SourceBusy             another process of curator's is ingesting the source
    │   ├── UncommittedEdits       a page that is to be written has edits that the user has not committed
    │   ├── NotApproved            the rules the wiki is kept by were changed, and nobody has approved it
    │   ├── WikiArchived           KNOWLEDGE.md says that the wiki is archived: nothing is taken in
    │   ├── CannotUndo             lines that were changed since are in the way (edits/undo.py)
    │   ├── AlreadyIngested        another process was faster; nothing to do (ingest/flow.py)
    │   └── BudgetSpent            the budget of the day or the month is used up (models/llm/ledger.py)
    ├── ModelError             nobody or the operator: the model did not answer (``retryable`` says which)
    ├── ProposalError          the model: its reply is not a proposal
    ├── Rejected               the model: its proposal breaks rules of the wall; carries the findings
    └── ReviewNeeded           the wiki's owner: a proposal waits for a person (``review``)

Every error has a stable ``code``, says what was seen, and in ``hint`` what to do about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from curator.finding import Finding


def meant(seen: str, known: Iterable[str]) -> str:
    """``; did you mean 'scopeTo'?`` where one of ``known`` is like what was ``seen``; else nothing."""
    import difflib  # only here: an error is seldom, and --help waits for all that is imported above

    spelt = {name.lower(): name for name in known}
    alike = difflib.get_close_matches(seen.lower(), list(spelt), n=1)
    return f"; did you mean {spelt[alike[0]]!r}?" if alike else ""


def meant_path(seen: str, known: Iterable[str]) -> str:
    """The same for paths, by their names without suffix: those in one folder, or of one kind, are alike for that alone."""
    import difflib

    def stem(path: str) -> str:
        name = path.rpartition("/")[2].lower()
        return name.rpartition(".")[0] or name

    last = {stem(path): path for path in known}
    alike = difflib.get_close_matches(stem(seen), list(last), n=1)
    return f"; did you mean {last[alike[0]]!r}?" if alike else ""


class CuratorError(Exception):
    """A failure curator expects; it is shown to the person who must act, never as a traceback."""

    exit_status = 1

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


class ConfigError(CuratorError):
    """The operator must change a setting, a flag or the environment."""

    exit_status = 2


def of_the_system(error: OSError, then: str = "run the command again") -> ConfigError:
    """What the system says, of a full disk or missing rights, as an error of ours; ``then``: what follows on it."""
    file = f": {str(error.filename)!r}" if error.filename else ""
    return ConfigError("system", f"the system says: {error.strerror or error}{file}", f"see to that, then {then}")


class NotTrusted(ConfigError):
    """The repository with the git ``directory`` brings settings that count only once its user has said so."""

    def __init__(self, message: str, hint: str, directory: Path) -> None:
        super().__init__("not_trusted", message, hint)
        self.directory = directory


class WikiError(CuratorError):
    """A file of the wiki that curator depends on is not as the standard wants it."""

    exit_status = 2


class FrontmatterError(WikiError):
    """The head cannot be read; ``line`` counts from the first line of the file."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__("frontmatter_unreadable", message)
        self.line = line


class JournalUnreadable(WikiError):
    """The journal of a transaction is not whole, so nobody knows what was under way."""


class GitError(CuratorError):
    """git said no; the message quotes it."""

    exit_status = 2


class SourceError(CuratorError):
    """The source itself cannot be taken in, now or later, as it is."""


class Conflict(CuratorError):
    """Somebody's work in progress is in the way; nothing was changed."""


class Busy(Conflict):
    """Another process of curator's is writing to the wiki."""


class SourceBusy(Conflict):
    """Another process of curator's is ingesting the source."""


class UncommittedEdits(Conflict):
    """The user has edited a page that is to be written, and not committed it."""


class NotApproved(Conflict):
    """The rules the wiki is kept by are not those that were approved."""


class WikiArchived(Conflict):
    """The wiki is archived, by the status of its KNOWLEDGE.md: nothing is taken in."""


class ModelError(CuratorError):
    """The model gave no answer.

    ``retryable`` tells a passing fault (rate limit, outage, timeout) from a lasting one (key, request, policy);
    ``retry_after`` is the provider's own wish in seconds, where it told one.
    """

    _OF_ONE_SOURCE = frozenset(
        {"model_context_exceeded", "model_content_refused", "model_request_refused", "budget_too_small"}
    )
    _AFTER_THE_WORK = frozenset({"model_timeout", "model_worker_died"})

    def __init__(
        self, code: str, message: str, hint: str = "", *, retryable: bool, retry_after: float | None = None
    ) -> None:
        super().__init__(code, message, hint)
        self.retryable = retryable
        self.retry_after = retry_after

    @property
    def is_general(self) -> bool:
        """True when any other source would have fared the same: it is the model that fails, or its settings."""
        return self.code not in self._OF_ONE_SOURCE

    @property
    def may_have_cost(self) -> bool:
        """True when the provider may have worked before the answer got lost, and charge for it."""
        return self.code in self._AFTER_THE_WORK


class ProposalError(CuratorError):
    """The reply cannot be read as a proposal."""


class Rejected(CuratorError):
    """The proposal breaks rules of the wall; ``findings`` lists all of them."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        codes = ", ".join(sorted({finding.code for finding in findings}))
        super().__init__("proposal_rejected", f"the proposal breaks {len(findings)} rule(s): {codes}")
        self.findings = tuple(findings)


class ReviewNeeded(CuratorError):
    """A proposal is sound as far as code can tell, and waits for a person; ``findings`` say why."""

    CODE = "review_needed"
    """By which a program tells a source whose proposal waits from one that is held by what passes."""

    def __init__(self, name: str, findings: Sequence[Finding]) -> None:
        message = f"the proposal {name} waits for a person: {self.why(findings)}"
        super().__init__(self.CODE, message, f"curate review show {name}")
        self.findings = tuple(findings)

    @staticmethod
    def why(findings: Sequence[Finding]) -> str:
        """In a few words."""
        return ", ".join(sorted({finding.code for finding in findings})) or "review is always wanted"
