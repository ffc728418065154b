"""An editor that saves pages in all the ways editors do, and knows exactly which of its saves it has itself destroyed.

Every save holds a token of its own. The ledger is exact, so that no loss hides in it and none is made up:

- A save over a file is an exchange of names, not a plain rename, which would not tell what it destroyed. To everybody else
  the two look the same: the name has the old file, then it has the new one.
- A save in place reads, through the descriptor that it writes by, what it is going to truncate.
- A page is deleted by giving it a name of the editor's own first, and reading it there.

curator never writes into a file that has a name somebody knows, so nobody but the editor changes what was just read.
"""

from __future__ import annotations

import ctypes
import os
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

TOKEN = re.compile(rb"save:[0-9a-f]{16};")
HELD_SECONDS = 1.0
"""The longest an editor keeps a file open before it writes; curator promises to wait for twice as long."""
_TOO_LATE = 1.9
_RENAME_EXCHANGE = 2
_LIBC = ctypes.CDLL(None, use_errno=True)


@dataclass
class Ledger:
    """What became of the tokens, as far as the editor knows."""

    saved: set[bytes] = field(default_factory=set)
    gone: set[bytes] = field(default_factory=set)
    """Those it has destroyed itself, knowingly."""
    late: set[bytes] = field(default_factory=set)
    """Those of saves into a file that was open for longer than curator promises to wait."""
    how: dict[bytes, str] = field(default_factory=dict)
    """In what way each was saved, for the one who has to find out how it was lost."""

    def take(self, other: Ledger) -> None:
        self.saved |= other.saved
        self.gone |= other.gone
        self.late |= other.late
        self.how.update(other.how)

    @property
    def owed(self) -> set[bytes]:
        """The tokens that have to be somewhere."""
        return self.saved - self.gone - self.late


@dataclass
class Held:
    """A file that is kept open, and written into later."""

    page: Path
    descriptor: int
    opened: float
    due: float
    is_deleted: bool = False
    """True when the editor itself took the file's last name away: what it then writes is for nobody."""


class Editor:
    """Saves pages in a random way, one save an act."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.ledger = Ledger()
        self.held: list[Held] = []
        self.touched: set[str] = set()
        """The pages it has written to or deleted."""
        self.newest: bytes | None = None
        """The token that the page's name has to lead to: that of the newest save under it, if it was not deleted since."""
        self.ways: tuple[Callable[[Path], None], ...] = (
            self.rename,
            self.in_place,
            self.append,
            self.recreate,
            self.hold,
            self.delete,
        )

    def act(self, page: Path) -> None:
        self.touched.add(str(page))
        self.chance.choices(self.ways, (5, 5, 3, 2, 3, 1))[0](page)

    def report(self) -> Ledger:
        """What came to the ledger since the last report."""
        report, self.ledger = self.ledger, Ledger()
        return report

    # -- ways of saving --------------------------------------------------------------------------------------------

    def rename(self, page: Path) -> None:
        """A whole new file takes the place of the page."""
        token = self._token()
        content = self._edited(_read(page) or b"", token)
        beside = page.with_name(f".editor-{token[5:13].decode()}")
        _create(beside, content)
        while True:
            with suppress(FileNotFoundError):
                swap(beside, page)
                self._destroy(beside, tokens(content))
                break
            with suppress(FileExistsError):
                os.link(beside, page)
                beside.unlink()
                break
        self._saved(token, f"renamed to {page}")

    def in_place(self, page: Path) -> None:
        """The page is opened, emptied, and written."""
        try:
            descriptor = os.open(page, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            self.rename(page)
            return
        self._overwrite(descriptor, token := self._token())
        self._saved(token, f"written into {page}")

    def append(self, page: Path) -> None:
        """A line is added at the end; a page that is not there begins with it."""
        token = self._token()
        descriptor = os.open(page, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        os.write(descriptor, token + b"\n")
        os.close(descriptor)
        self._saved(token, f"appended to {page}")

    def recreate(self, page: Path) -> None:
        """The page is deleted, then made anew."""
        self.delete(page)
        self._pause()
        token = self._token()
        try:
            _create(page, self._edited(b"", token))
        except FileExistsError:
            self.in_place(page)
        else:
            self._saved(token, f"created as {page}")

    def delete(self, page: Path) -> None:
        aside = page.with_name(f".editor-{self._token()[5:13].decode()}")
        with suppress(FileNotFoundError):
            page.rename(aside)
            self.newest = None
            self._destroy(aside, set())

    def hold(self, page: Path) -> None:
        """The page is opened and kept open; ``write_held`` writes into it, whatever its name is then."""
        with suppress(FileNotFoundError):
            opened = time.monotonic()
            descriptor = os.open(page, os.O_RDWR | os.O_CLOEXEC)
            self.held.append(Held(page, descriptor, opened, opened + self.chance.random() * HELD_SECONDS))

    def write_held(self, *, all_of_them: bool = False) -> None:
        """Write into the files whose time has come."""
        now = time.monotonic()
        due = [held for held in self.held if all_of_them or held.due <= now]
        self.held = [held for held in self.held if held not in due]
        for held in due:
            token = self._token()
            self.touched.add(str(held.page))
            self._overwrite(held.descriptor, token)
            open_for = time.monotonic() - held.opened
            self.ledger.how[token] = f"written into {held.page}, {open_for:.2f} s after it was opened"
            if held.is_deleted:
                self.ledger.gone.add(token)
            if open_for > _TOO_LATE:
                self.ledger.late.add(token)

    # -- steps -------------------------------------------------------------------------------------------------------

    def _overwrite(self, descriptor: int, token: bytes) -> None:
        """Read, empty, write, close: the moments between are there for others to look into."""
        before = os.pread(descriptor, 1 << 20, 0)
        content = self._edited(before, token)
        os.ftruncate(descriptor, 0)
        self._pause()
        os.pwrite(descriptor, content, 0)
        if self.chance.random() < 0.5:
            os.fsync(descriptor)
        os.close(descriptor)
        self.ledger.gone |= tokens(before) - tokens(content)
        self.ledger.saved.add(token)

    def _destroy(self, file: Path, kept: set[bytes]) -> None:
        """Take a file away, with the tokens in it that are not ``kept``, and with what will be written into it."""
        self.ledger.gone |= tokens(file.read_bytes()) - kept
        for held in self.held:
            held.is_deleted |= os.path.samestat(os.fstat(held.descriptor), file.stat())
        file.unlink()

    def _saved(self, token: bytes, how: str) -> None:
        self.ledger.saved.add(token)
        self.ledger.how[token] = how
        self.newest = token

    def _edited(self, before: bytes, token: bytes) -> bytes:
        """A text with the token: what was read and a line more, or, as by an editor that knew another text, without it."""
        return (
            before + token + b"\n" if len(before) < 2000 and self.chance.random() < 0.5 else b"edited " + token + b"\n"
        )

    def _pause(self) -> None:
        spin(self.chance.random() * 0.0003)

    def _token(self) -> bytes:
        return b"save:%016x;" % self.chance.getrandbits(64)


def tokens(content: bytes) -> set[bytes]:
    return set(TOKEN.findall(content))


def tokens_below(*folders: Path) -> set[bytes]:
    """The tokens in every file of the folders."""
    return {token for folder in folders for file in _files(folder) for token in tokens(file.read_bytes())}


def swap(one: Path, other: Path) -> None:
    """Exchange two names in one folder. Raises FileNotFoundError when ``other`` is not there."""
    here = -100  # AT_FDCWD: the names are whole paths
    if _LIBC.renameat2(here, os.fsencode(one), here, os.fsencode(other), _RENAME_EXCHANGE) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(other))


def spin(seconds: float) -> None:
    """Wait without sleeping: a sleep would end too late by more than the moments we aim at."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        os.sched_yield()


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []


def _read(page: Path) -> bytes | None:
    try:
        return page.read_bytes()
    except FileNotFoundError:
        return None


def _create(file: Path, content: bytes) -> None:
    with file.open("xb") as new:
        new.write(content)
        new.flush()
        os.fsync(new.fileno())
