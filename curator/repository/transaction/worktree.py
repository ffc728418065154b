"""Writes the files of a commit into the work tree, one by one, each swapped whole, so that no save of the user's is lost.

A file is exchanged for the new one in one step (``RENAME_EXCHANGE``), and what comes back is looked at: if it is not the
text the commit was made from, the user saved in that very moment, and the save goes back into the page; so does one that
was made over it meanwhile. No file that ever had the page's name is deleted here: somebody may have it open. Every step
works on an open folder that was walked to without following a link.
"""

from __future__ import annotations

import ctypes
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, Literal, TypeVar, overload

from curator.errors import Conflict
from curator.repository.transaction import contents
from curator.repository.transaction.contents import Content, of_bytes, of_stream
from curator.repository.transaction.preconditions import FileContent, is_a_folder, is_a_link
from curator.system import atomic

TEMPORARY = ".curator-"
"""Begins the name of every temporary file beside a page: a dot name, so that editors and watchers pass it over."""

Placed = Literal["written", "there", "kept"]
"""written: the new text is in place; there: it was already; kept: the user's own text is, and stays."""

_RENAME_EXCHANGE = 2
_Read = TypeVar("_Read")


@dataclass(frozen=True)
class WorkTree:
    """The work tree below ``top``, and the folder that displaced files wait in for their grace time."""

    top: Path
    displaced: Path
    _later: Callable[[int], None] | None = None
    """Syncs open folders when all is done; None where each is synced at once."""

    @contextmanager
    def synced_at_once(self) -> Iterator[WorkTree]:
        """The same, to put and remove many files: their folders are synced when the block ends."""
        with atomic.late_syncs() as later:
            yield replace(self, _later=later)

    def put(self, path: str, content: Content, expected: Content | None) -> Placed:
        """Make ``content`` the text of the file at ``path`` if it now is ``expected`` (None: if there is no file)."""
        wanted, before = _comparable(content), _comparable(expected)
        with self._folder(path) as folder:
            name = path.rsplit("/", 1)[-1]
            now = _read(name, folder)
            if now == wanted:
                return "there"
            if now != before:
                return "kept"
            temporary = self._write_beside(name, content, folder)
            if before is None:
                return self._link(temporary, name, wanted, folder)
            return self._exchange(temporary, name, wanted, before, folder)

    def remove(self, path: str, expected: Content | None) -> Placed:
        """Take the file at ``path`` away if it now is ``expected``; it waits with the displaced ones for its grace time."""
        try:
            with self._folder(path, make=False) as folder:
                return self._remove(path.rsplit("/", 1)[-1], _comparable(expected), folder)
        except FileNotFoundError:
            return "there"

    def temporaries(self, path: str) -> Iterator[Path]:
        """Temporary files of ours beside the file at ``path``, left behind by a crash."""
        parent = (self.top / path).parent
        if parent.is_dir() and not parent.is_symlink():
            yield from (
                file for file in parent.iterdir() if file.name.startswith(TEMPORARY) and file.name.endswith("~")
            )

    def look(self, path: str) -> FileContent | None:
        """What the file at ``path`` holds; None when there is none.

        Raises Conflict when a folder on the way is a link, no folder or another repository, and when the file is no file:
        we would write elsewhere, or over something else.
        """
        name = path.rpartition("/")[2]
        try:
            with self._folder(path, make=False) as folder:
                is_executable = bool(_plain_mode(name, folder, path) & stat.S_IXUSR)
                content = _read(name, folder)
                found = None if content is None else FileContent(content, is_executable)
        except FileNotFoundError:
            found = None
        for above in list((self.top / path).relative_to(self.top).parents)[:-1]:
            if os.path.lexists(self.top / above / ".git"):
                said = f"{str(above)!r} on the way to {path} is a git repository of its own"
                raise Conflict("folder_is_a_repository", said, "take it out of the wiki")
        return found

    def text(self, path: str) -> bytes | None:
        """The bytes of the file at ``path``, which was looked at before; None when there is none."""
        with suppress(FileNotFoundError), self._folder(path, make=False) as folder:
            return _bytes(path.rpartition("/")[2], folder)
        return None

    def displace(self, path: str, temporary: str, text: bytes) -> None:
        """Let a temporary file beside the one at ``path``, which was seen to have ``text``, wait among the displaced."""
        with self._folder(path, make=False) as folder:
            self._displace(temporary, of_bytes(text), folder)

    # -- steps ---------------------------------------------------------------------------------------------------

    def _write_beside(self, name: str, content: Content, folder: int) -> str:
        """A synced temporary file in the same folder, with the mode of the file it will take the place of."""
        temporary = _new_name()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(temporary, flags, 0o666, dir_fd=folder)
        try:
            with os.fdopen(descriptor, "wb") as file:
                contents.write(content, file)
                file.flush()
                with suppress(FileNotFoundError):
                    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
                    os.fchmod(file.fileno(), stat.S_IMODE(mode))
                os.fsync(file.fileno())
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=folder)
            raise
        return temporary

    def _link(self, temporary: str, name: str, content: Content | None, folder: int) -> Placed:
        """A new file appears under its name only if no other has meanwhile."""
        try:
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            return "there" if _read(name, folder) == content else "kept"
        finally:
            os.unlink(temporary, dir_fd=folder)
        (self._later or os.fsync)(folder)
        return "written"

    def _exchange(self, temporary: str, name: str, content: Content, expected: Content, folder: int) -> Placed:
        """Swap, and look at what came back: it is the old text, or a save we did not know of, which goes back."""
        try:
            self._swap(temporary, name, content, folder)
        except OSError as error:
            os.unlink(temporary, dir_fd=folder)
            if isinstance(error, FileNotFoundError):  # deleted in this moment: the user's wish
                return "kept"
            raise
        is_written = _read(temporary, folder) == expected
        if not is_written:
            self._give_back(temporary, name, content, folder)
        self._displace(temporary, expected if is_written else content, folder)
        (self._later or os.fsync)(folder)  # last, or a power cut could bring the temporary name back
        return "written" if is_written else "kept"

    def _give_back(self, temporary: str, name: str, content: Content, folder: int) -> None:
        """Swap until what comes back is what we put there before: then nobody saved in between, and the newest save is in.

        An older one, or one whose page was deleted since, is left in ``temporary``, and found by its wrong hash.
        """
        inside: Content | None = content
        outside = _read(temporary, folder)
        while True:
            try:
                self._swap(temporary, name, content, folder)
            except FileNotFoundError:
                return
            came = _read(temporary, folder)
            if came == inside:
                return
            inside, outside = outside, came

    def _swap(self, temporary: str, name: str, content: Content, folder: int) -> None:
        if left := exchange(temporary, name, folder):
            self._displace(left, content, folder)

    def _remove(self, name: str, expected: Content | None, folder: int) -> Placed:
        """Put it aside in one step, look at it, and link it back if it was a save we did not know of."""
        now = _read(name, folder)
        if now is None:
            return "there"
        if now != expected:
            return "kept"
        temporary = _new_name()
        os.rename(name, temporary, src_dir_fd=folder, dst_dir_fd=folder)
        is_expected = _read(temporary, folder) == expected
        if not is_expected:
            with suppress(FileExistsError):  # saved twice: the newer one stays, this one is found by its wrong hash
                os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
                os.unlink(temporary, dir_fd=folder)
                (self._later or os.fsync)(folder)
                return "kept"
        self._displace(temporary, expected, folder)
        (self._later or os.fsync)(folder)
        return "written" if is_expected else "kept"

    def _displace(self, temporary: str, text: Content, folder: int) -> None:
        """Keep a file for a while, under the hash of the text it is to have: an editor may still write into it."""
        self.displaced.mkdir(parents=True, exist_ok=True)
        waiting = self.displaced / f"{contents.sha256(text)}-{temporary.strip('.~')}"
        try:
            os.rename(temporary, waiting, src_dir_fd=folder)
        except OSError:  # another file system, where the file itself cannot wait: another text than that is kept
            if _read(temporary, folder) != text and (now := _bytes(temporary, folder)) is not None:
                atomic.write(waiting, now)
            os.unlink(temporary, dir_fd=folder)

    @contextmanager
    def _folder(self, path: str, *, make: bool = True) -> Iterator[int]:
        """The open folder of the file at ``path``, reached through real folders only."""
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        current = os.open(self.top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for part in path.split("/")[:-1]:
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(part, dir_fd=current)
                        os.fsync(current)
                try:
                    below = os.open(part, flags, dir_fd=current)
                except FileNotFoundError:
                    raise
                except OSError as error:
                    raise _no_folder(part, current, path, error) from error
                above, current = current, below  # first: an interruption in between must not close one twice
                os.close(above)
            yield current
        finally:
            os.close(current)


def exchange(one: str, other: str, folder: int) -> str | None:
    """Swap two names of ``folder`` in one step. Raises FileNotFoundError when there is no ``other``.

    Where the file system has no exchange, ``other`` is missing for a moment, so that nothing can be lost: what is there is
    taken away, then ``one`` is linked there. When a save comes between, it stays, and what was ``one`` is given back under
    a third name.
    """
    if _renameat2 is not None:
        if _renameat2(folder, os.fsencode(one), folder, os.fsencode(other), _RENAME_EXCHANGE) == 0:
            return None
        number = ctypes.get_errno()
        if number not in (22, 38, 95):  # EINVAL, ENOSYS, EOPNOTSUPP
            raise OSError(number, os.strerror(number), other)
    left, aside = _new_name(), _new_name()
    os.link(one, left, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    try:
        os.rename(other, aside, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        os.unlink(left, dir_fd=folder)
        raise
    try:
        os.link(left, other, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        is_in = True
    except FileExistsError:
        is_in = False
    os.replace(aside, one, src_dir_fd=folder, dst_dir_fd=folder)
    if is_in:
        os.unlink(left, dir_fd=folder)
    return None if is_in else left


def _new_name() -> str:
    return f"{TEMPORARY}{secrets.token_hex(6)}~"


def _plain_mode(name: str, folder: int, path: str) -> int:
    """The mode of a plain file. Raises Conflict when it is something else, and FileNotFoundError."""
    mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    if stat.S_ISLNK(mode):
        raise is_a_link(path)
    if stat.S_ISDIR(mode):
        raise is_a_folder(path)
    if not stat.S_ISREG(mode):
        raise Conflict("page_is_no_file", f"{path} is no plain file", "move it away")
    return mode


def _no_folder(part: str, above: int, path: str, error: OSError) -> Conflict:
    """Why ``part`` cannot be entered on the way to ``path``."""
    mode = os.stat(part, dir_fd=above, follow_symlinks=False).st_mode
    said = f"{part!r} on the way to {path}"
    if stat.S_ISLNK(mode):
        return Conflict("folder_is_a_link", f"{said} is a symbolic link", "replace it by the folder itself")
    if not stat.S_ISDIR(mode):
        return Conflict("folder_is_a_file", f"{said} is a file", "rename it: a folder of this name is needed")
    return Conflict("not_writable", f"{said} cannot be entered: {error.strerror}", "fix its permissions")


_NOT_PLAIN = (errno.ELOOP, errno.ENXIO, errno.EACCES, errno.EPERM)
"""What opening a link, a socket or somebody else's file gives; other errors say nothing of what the file is."""


@overload
def _comparable(content: Content) -> Content: ...
@overload
def _comparable(content: Content | None) -> Content | None: ...
def _comparable(content: Content | None) -> Content | None:
    return of_bytes(content) if isinstance(content, bytes) else content


def _read(name: str, folder: int) -> Content | None:
    """What a plain file holds; None when there is none. A link or a folder in its place reads as no text of ours."""
    return _opened(name, folder, of_stream)


def _bytes(name: str, folder: int) -> bytes | None:
    """The same, all of it."""
    return _opened(name, folder, lambda file: file.read())


def _opened(name: str, folder: int, read: Callable[[IO[bytes]], _Read]) -> _Read | bytes | None:
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in _NOT_PLAIN:
            raise
        return b"\0not a plain file"
    with os.fdopen(descriptor, "rb") as file:
        return read(file) if stat.S_ISREG(os.fstat(descriptor).st_mode) else b"\0not a plain file"


def _load_renameat2() -> Callable[..., int] | None:
    function: Any = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is not None:
        function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return function  # type: ignore[no-any-return]


_renameat2 = _load_renameat2()
