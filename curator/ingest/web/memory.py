"""What is remembered of each address of a reading list, so that nothing comes twice: bounded, and no more than a cache.

Of a feed the names of its entries count as seen as long as it tells of them, and of older ones the latest; what is in the
wiki already is known by the registry. Whoever deletes the folder has feeds read anew, and nothing taken in twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from curator.ingest.web.fetching import NOT_ASKED, Remembered
from curator.repository.runtime.json_files import KeyedJsonFiles, name_of

MOST_TRIES = 3
"""How often an entry is asked for whose page cannot be had."""
_MOST_SEEN = 4_000
_UNLISTED = timedelta(days=90)
"""How long an address is remembered that is on no list."""


@dataclass(frozen=True)
class Known:
    """One address, as it was when it was asked last."""

    source: str
    """The address."""
    at: str = ""
    """When it was asked last, ISO 8601 with Z."""
    kind: Literal["", "feed", "page"] = ""
    title: str = ""
    remembered: Remembered = NOT_ASKED
    seen: tuple[str, ...] = ()
    """What entries were seen, by ``name_of`` their names; the latest last."""
    tries: Mapping[str, int] = field(default_factory=dict)
    """How often the page of an entry could not be had."""
    fault: str = ""
    """Why the address itself could not be read the last time."""
    code: str = ""

    def has_seen(self, name: str) -> bool:
        return name_of(name) in self._seen

    @cached_property
    def _seen(self) -> frozenset[str]:
        return frozenset(self.seen)

    def after(self, names: Iterable[str], seen: Collection[str], failed: Collection[str]) -> Known:
        """Once a feed of ``names`` was read, of which ``seen`` are done with too, and ``failed`` could not be had."""
        now = [name_of(name) for name in names]
        tries = {name_of(name): self.tries.get(name_of(name), 0) + 1 for name in failed}
        given_up = {name for name, count in tries.items() if count >= MOST_TRIES}
        done = self._seen | {name_of(name) for name in seen} | given_up
        there = [name for name in dict.fromkeys(now) if name in done]
        older = [name for name in self.seen if name not in set(there)]
        kept = (older + there)[-max(_MOST_SEEN, len(there)) :]
        return replace(self, seen=tuple(kept), tries={k: n for k, n in tries.items() if k not in given_up})


@dataclass(frozen=True)
class FetchMemory:
    """What is remembered, a file an address."""

    folder: Path

    def of(self, address: str) -> Known:
        return next((each for each in self.all() if each.source == address), Known(address))

    def by_address(self) -> dict[str, Known]:
        return {each.source: each for each in self.all()}

    def all(self) -> list[Known]:
        found = (_parsed(value) for value in self._files.all())
        return [each for each in found if each is not None]

    def keep(self, known: Known) -> None:
        self._files.put(asdict(known))

    def prune(self, listed: Collection[str], now: datetime) -> None:
        """Forget the addresses that are on no list, and were not asked for long."""
        oldest = (now.astimezone(UTC) - _UNLISTED).strftime("%Y-%m-%dT%H:%M:%SZ")
        for known in self.all():
            if known.source not in listed and known.at < oldest:
                self._files.drop(known.source)

    @property
    def _files(self) -> KeyedJsonFiles:
        return KeyedJsonFiles(self.folder, frozenset({"at", "kind"}))


def _parsed(value: dict[str, Any]) -> Known | None:
    """None for what another version wrote, or somebody else."""
    try:
        remembered = Remembered(**value.pop("remembered"))
        tries = {str(name): int(count) for name, count in value.pop("tries").items()}
        return Known(**{**value, "remembered": remembered, "tries": tries, "seen": tuple(map(str, value["seen"]))})
    except (TypeError, ValueError, KeyError, AttributeError):
        return None
