"""Names of source files: which are temporary, which can be no source's, and how any of them is shown or made safe."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePath

from curator.errors import SourceError, meant_path

TEMPORARY = re.compile(
    r"^\.|^~|~$|^#.*#$|^~\$|^\.?syncthing\.|\.(tmp|part|partial|crdownload|download|swp|swx|icloud|!sync)$"
    r"|^(thumbs\.db|desktop\.ini)$",
    re.IGNORECASE,
)
_GITS_OWN = re.compile(r"git~\d+", re.IGNORECASE)
"""What .git may be called on Windows: git refuses to check it out."""

RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\..*)?\Z", re.IGNORECASE)
"""What Windows takes for a device, in any folder and whatever the suffix."""


_LONGEST = 180
"""Bytes of a path below ``sources/``: with that, and a number that tells it from another, ``check_name`` lets it in."""


def printable(path: str | Path) -> str:
    """A file's name as it may be printed: no control characters, no bytes that are no text."""
    name = str(path)
    return name if name.isprintable() else "".join(c if c.isprintable() else _escaped(ord(c)) for c in name)


def _escaped(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def alike(path: Path, *folders: Path) -> str:
    """The file that was meant by a ``path`` where none is: of the same name in ``folders``, or one beside it; or empty."""
    try:
        beside = [each for each in path.parent.iterdir() if not TEMPORARY.search(each.name)]
        same = [folder / path.name for folder in folders if (folder / path.name).exists()]
        if same:
            return f"did you mean {_from_here(same[0])!r}?"
        return meant_path(path.name, map(_from_here, beside)).removeprefix("; ")
    except OSError:
        return ""


def _from_here(path: Path) -> str:
    return printable(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def check_name(path: str) -> None:
    """Raises SourceError for a path that git, markdown or another file system would stumble over."""
    problem = ""
    if not path.isprintable() or any(0xD800 <= ord(c) <= 0xDFFF for c in path):
        problem = "has characters that cannot be printed"
    elif len(path.encode()) > 200:
        problem = "is longer than 200 bytes"
    elif any(c in path for c in '\\"<>|?*'):
        problem = 'has one of \\ " < > | ? *'
    elif any(map(TEMPORARY.search, path.split("/"))):
        problem = "is a hidden or temporary one"
    elif any(RESERVED.match(part) or part.endswith((".", " ")) for part in path.split("/")):
        problem = "is one that Windows cannot have"
    elif any(map(_GITS_OWN.fullmatch, path.split("/"))):
        problem = "is one that git keeps for itself"
    if problem:
        raise SourceError("source_name", f"its name {problem}", "rename it")


def safe_name(name: str) -> str:
    """``name`` without what file systems, git or markdown stumble over; the suffix stays."""
    path = PurePath(name)
    return _usable(f"{_safe(path.stem) or 'source'}{path.suffix.lower()}")


def safe_path(path: PurePath) -> str:
    """``path``, a relative one, with each of its names made safe; too long a one is cut to the file's name."""
    folders = [_usable(_safe(folder) or "folder") for folder in path.parts[:-1]]
    safe = "/".join((*folders, safe_name(path.name)))
    return safe if len(safe.encode()) <= _LONGEST else safe_name(path.name)


def _safe(name: str) -> str:
    plain = "".join(c if c.isprintable() and not 0xD800 <= ord(c) <= 0xDFFF else "-" for c in name)
    plain = re.sub(r'[\\/:*?"<>|#%]+', "-", unicodedata.normalize("NFC", plain)).strip(" .-~")
    return plain.encode()[:120].decode("utf-8", "ignore").strip(" .-~")


def _usable(safe: str) -> str:
    return f"source-{safe}" if TEMPORARY.search(safe) or RESERVED.match(safe) else safe
