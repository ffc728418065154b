"""The clones of a machine: what belongs to each while it is worked in, and which of them may go."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from curator.errors import CuratorError
from curator.fleet.checkout import Checkout, is_pushed
from curator.fleet.landing import asking_notes
from curator.fleet.source_worker import SourceWorker
from curator.models.llm.ledger import SpendingLedger
from curator.repository.runtime.runtime import Runtime
from curator.service.model_lender import ModelLender

REMOVED = ".gone"
"""How the name of a clone ends that is being removed."""
_A_DAY = 86_400.0


@dataclass
class LocalWiki:
    """A clone with its ledger, and the children that have no source right now."""

    checkout: Checkout
    runtime: Runtime
    ledger: SpendingLedger
    idle: list[tuple[float, SourceWorker]] = field(default_factory=list)
    lender: ModelLender | None = None
    """Has litellm loaded for the wiki's children, where there are several."""

    @classmethod
    def of(cls, checkout: Checkout) -> LocalWiki:
        runtime = runtime_of(checkout.folder)
        return cls(checkout, runtime, SpendingLedger(runtime.folder / "spend"))


@dataclass(frozen=True)
class Keep:
    """Which clones are kept."""

    days: float = 7.0
    """Those in which somebody has worked in so many days."""
    most: int = 1000
    """And of these so many, those that were worked in last."""

    def surplus(self, folder: Path) -> Iterator[tuple[Path, str]]:
        """The clones in ``folder`` that may go, the longest unused first, each with the reason."""
        days = {clone: unused for clone in folder.glob("*") if (unused := _unused_days(clone)) is not None}
        for at, clone in enumerate(sorted(days, key=lambda clone: (-days[clone], clone.name))):
            if days[clone] > self.days:
                yield clone, f"nobody has worked in it for {self.days:g} days"
            elif at < len(days) - self.most:
                yield clone, f"{self.most} others have been worked in since"


@contextmanager
def unneeded(clone: Path) -> Iterator[bool]:
    """Whether a clone holds nothing that is nowhere else, and nobody writes into it; nobody does while this is open.

    What there may be: an answer that a killed worker's child got, or is waiting for; commits and proposals that the git
    server does not have.
    """
    runtime = runtime_of(clone)
    with ExitStack() as held:
        try:
            held.enter_context(runtime.lock(seconds=0.0))
            is_unneeded = not asking_notes(runtime).all() and is_pushed(clone)
        except CuratorError:
            is_unneeded = False
        yield is_unneeded


def runtime_of(clone: Path) -> Runtime:
    return Runtime.of(clone / ".git" / "curator", "")


def folder_name(wiki: str) -> str:
    """A folder's name for a wiki's, which may have any characters."""
    return "".join(letter if letter.isalnum() or letter in "-_" else f"%{ord(letter):x}" for letter in wiki)


def _unused_days(folder: Path) -> float | None:
    """For how long nobody has brought a clone up to date; None for what is none."""
    try:
        return (time.time() - (folder / ".git" / "FETCH_HEAD").stat().st_mtime) / _A_DAY
    except OSError:
        return None
