"""Users' data that was kept aside: files with unknown bytes, and pages that kept their user's own text."""

from __future__ import annotations

import itertools
import json
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RescueLog:
    """What is kept so, and why, in ``folder``: the files in ``rescue/``, a line of each in ``rescue.log``."""

    folder: Path

    @property
    def files(self) -> Path:
        """The folder of the files."""
        return self.folder / "rescue"

    def move(self, file: Path, why: str) -> None:
        """Move a file with bytes we do not know out of the way, and remember why."""
        folder, name = self.files, file.name.strip(".~")
        folder.mkdir(parents=True, exist_ok=True)
        target = next(path for n in itertools.count() if not (path := folder / (f"{name}-{n}" if n else name)).exists())
        shutil.move(file, target)  # across file systems too: the git directory may be on another one
        self._note("rescued", str(target), why)

    def note_kept(self, path: str) -> None:
        """Remember that a page kept its user's own text although a commit changed it."""
        self._note("kept", path, "you saved this page while it was being changed: 'git diff' shows your text")

    def notes(self) -> list[dict[str, str]]:
        """All of that, oldest first: ``what``, ``path``, ``why``."""
        try:
            lines = (self.folder / "rescue.log").read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []
        return [note for line in lines if (note := _note_of(line)) is not None]

    @property
    def told(self) -> int:
        """How many of them, from the oldest, log entries speak of."""
        try:
            return int((self.folder / "rescue.told").read_text())
        except (FileNotFoundError, ValueError):
            return 0

    def note_told(self, count: int) -> None:
        """Remember that the log speaks of the first ``count``: others may have come since it was written."""
        (self.folder / "rescue.told").write_text(str(max(count, self.told)))

    def _note(self, what: str, path: str, why: str) -> None:
        with (self.folder / "rescue.log").open("a", encoding="utf-8") as file:
            file.write(json.dumps({"what": what, "path": path, "why": why}, ensure_ascii=False) + "\n")


def _note_of(line: str) -> dict[str, str] | None:
    """A note of rescue.log; None for a line that a crash has torn."""
    try:
        note = json.loads(line)
    except ValueError:
        return None
    return note if isinstance(note, dict) and note.keys() >= {"what", "path", "why"} else None
