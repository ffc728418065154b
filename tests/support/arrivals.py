"""The ways in which files come into ``sources/``: written, copied slowly, renamed, moved in with their folder, added to."""

from __future__ import annotations

import itertools
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from scripts.soak import text


class Arrivals:
    """Drops sources in every way, each with facts of its own. ``files`` are those that must be in at the end."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root, self.chance = root, chance
        self.files: list[Path] = []
        self._numbers = itertools.count()
        self._copies: list[threading.Thread] = []
        self._outside = root.parent / f"{root.name}-outside"
        self._ways: Sequence[Callable[[], None]] = (
            self.plain,
            self.slow,
            self.renamed,
            self.synced,
            self.folder,
            self.below,
            self.more,
        )

    def some(self) -> str:
        """One way, by chance; its name."""
        way = self.chance.choice(self._ways)
        way()
        return way.__name__

    def plain(self) -> None:
        self._file(self.root / "sources").write_text(self._text(), "utf-8")

    def below(self) -> None:
        folder = self.root / "sources" / f"year-{self.chance.randrange(5)}" / f"month-{self.chance.randrange(12)}"
        folder.mkdir(parents=True, exist_ok=True)
        self._file(folder).write_text(self._text(), "utf-8")

    def slow(self) -> None:
        """Ten pieces, a moment apart."""
        file, content = self._file(self.root / "sources"), self._text().encode()
        size = len(content) // 10 + 1
        pieces = (content[start : start + size] for start in range(0, len(content), size))
        self._copies.append(threading.Thread(target=copy, args=(file, pieces, 0.3)))
        self._copies[-1].start()

    def renamed(self) -> None:
        """As an editor or a download does it."""
        file = self._file(self.root / "sources")
        part = file.with_name(f"{file.name}.part")
        part.write_text(self._text(), "utf-8")
        part.replace(file)

    def synced(self) -> None:
        """As Syncthing does it: a hidden name, the time of the original, then the rename."""
        file = self._file(self.root / "sources")
        hidden = file.with_name(f".syncthing.{file.name}.tmp")
        hidden.write_text(self._text(), "utf-8")
        hidden.touch()
        hidden.replace(file)

    def folder(self) -> None:
        """A full folder, made elsewhere and moved in at once."""
        name = f"box-{next(self._numbers)}"
        outside, inside = self._outside / name, self.root / "sources" / name
        outside.mkdir(parents=True)
        for _ in range(self.chance.randint(2, 5)):
            file = self._file(inside)
            (outside / file.name).write_text(self._text(), "utf-8")
        outside.replace(inside)

    def more(self) -> None:
        """A file that is there gets more to say, as notes do."""
        if self.files:
            self.add_to(self.chance.choice(self.files))

    def add_to(self, file: Path) -> None:
        with suppress(FileNotFoundError), file.open("a", encoding="utf-8") as stream:
            stream.write("\n" + self._text().partition("\n\n")[2])

    def wait(self) -> None:
        """Until every slow copy has ended."""
        for copying in self._copies:
            copying.join()
        self._copies.clear()

    def _file(self, folder: Path) -> Path:
        self.files.append(folder / f"notes-{next(self._numbers)}.md")
        return self.files[-1]

    def _text(self) -> str:
        return text(next(self._numbers))


def copy(file: Path, pieces: Iterator[bytes], pause: float) -> None:
    """Write piece after piece, with a pause between them."""
    with file.open("wb") as stream:
        for piece in pieces:
            stream.write(piece)
            stream.flush()
            time.sleep(pause)
