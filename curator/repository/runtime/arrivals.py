"""Where files in ``sources/`` were fetched from, remembered until they are ingested, also across a restart."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curator.repository.runtime.json_files import KeyedJsonFiles


@dataclass(frozen=True)
class Arrival:
    """A file that was fetched."""

    source: str
    """Its path from the wiki root."""
    digest: str
    """Of the bytes that were fetched: other bytes at the path have not come from there."""
    address: str
    date: str = ""
    """The day that the feed gives it, which told of it."""


@dataclass(frozen=True)
class Arrivals:
    """The files of which that is remembered; each until it is in, or gone."""

    folder: Path

    def note(self, arrival: Arrival) -> None:
        self._files.put(asdict(arrival))

    def of(self, source: str, digest: str) -> Arrival | None:
        """Where the file at ``source`` came from, if it has those bytes still."""
        found = (_arrival(value) for value in self._files.all() if value["source"] == source)
        return next((each for each in found if each.digest == digest), None)

    def all(self) -> list[Arrival]:
        return [_arrival(value) for value in self._files.all()]

    def forget(self, source: str) -> None:
        self._files.drop(source)

    def prune(self, root: Path) -> None:
        """Forget the files that are gone."""
        for each in self.all():
            if not (root / each.source).is_file():
                self.forget(each.source)

    @property
    def _files(self) -> KeyedJsonFiles:
        return KeyedJsonFiles(self.folder, frozenset({"digest", "address"}))


def _arrival(value: dict[str, Any]) -> Arrival:
    return Arrival(value["source"], str(value["digest"]), str(value["address"]), str(value.get("date", "")))
