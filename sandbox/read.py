"""Reads a source from standard input and writes it, as text with anchors, to standard output."""

from __future__ import annotations

import codecs
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

import jail
from extracted import HEAD, Extracted, LeftOut, Line
from formats.remarks import remarks_in
from front_matter import read_head
from jail import rights
from unicode_text import ENCODINGS, Unreadable, cleaned, source_text

PLAIN = ("text", "rst", "asciidoc", "org", "data", "code")
"""Plain text formats: every line of the file is a line of the text; those that are remarks are empty."""

_LONGEST_FIELD = 500
"""Characters of a field of the head."""
_MOST_NAMES = 50
_MOST_LEFT_OUT = 50
_ITEM = re.compile(r" *(?:-|\d{1,4}\.) ")
_ROW = re.compile(r" *\||.* \| ")


@dataclass(frozen=True)
class Format:
    """What the files of a format need, beside the module in ``formats/`` that is called as it is."""

    is_binary: bool = False
    """True where a library takes bytes apart that no text is: refused where the jail is weak."""
    bytes_a_character: int = 4
    """How much longer a file may be than its text; four bytes are UTF-32's."""
    megabytes: int = rights.READER_LIMITS["RLIMIT_AS"] >> 20
    """Of memory, libraries included."""
    seconds: int = rights.READER_LIMITS["RLIMIT_CPU"]
    """Of processor time."""

    @property
    def limits(self) -> dict[str, int]:
        """What is limited otherwise than for other formats, as the jail has it."""
        return {"RLIMIT_AS": self.megabytes << 20, "RLIMIT_CPU": self.seconds}


FORMATS = {
    **dict.fromkeys(PLAIN, Format()),
    "markdown": Format(),
    "html": Format(bytes_a_character=16),
    # Pictures and fonts lie in the file as well.
    **dict.fromkeys(("pdf", "docx", "odt", "pptx", "xlsx", "epub"), Format(is_binary=True, bytes_a_character=100)),
    # A PDF with pages that are pictures: to recognise the words on one takes two seconds.
    "scan": Format(is_binary=True, bytes_a_character=100, seconds=330),
    "rtf": Format(bytes_a_character=100),
    "csv": Format(),
    "email": Format(bytes_a_character=100),
    "subtitles": Format(bytes_a_character=16),
    "notebook": Format(bytes_a_character=100),
    "tex": Format(bytes_a_character=8),
}


_OFTEN = ("text", "markdown", "html")
"""The formats whose readers a process that forks readers has loaded."""


def preload() -> None:
    """Import what most sources need."""
    for format in _OFTEN:
        _preload(format)


def main(format: str, name: str, max_chars: int, packages: list[str], allow_weak: bool = False) -> int:
    """Lock the process, read the source called ``name``, write one JSON object. The exit code is 0 for any answer."""
    needs = FORMATS.get(format, Format())
    level = jail.lock_reader(packages, lambda: _preload(format), needs.limits)
    try:
        if needs.is_binary and level == "weak" and not allow_weak:
            raise Unreadable("sandbox_weak", f"{format} is read by a library, and the sandbox is weak here")
        answer = {"ok": True, "sandbox": level, **_read(format, needs, max_chars)}
    except Unreadable as error:
        answer = {"ok": False, "sandbox": level, "code": error.code, "message": f"{name}: {error}"}
    except (MemoryError, RecursionError) as error:
        seen = f"{name}: reading it takes more memory than the sandbox grants ({type(error).__name__})"
        answer = {"ok": False, "sandbox": level, "code": "source_too_large", "message": seen}
    _write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    return 0


def _read(format: str, needs: Format, max_chars: int) -> dict[str, object]:
    data = _bytes_of_source(max_chars * needs.bytes_a_character + 4)
    found = _plain(data, format) if format in PLAIN else _reader(format).read(data, max_chars)
    # A format may spell characters otherwise, as HTML does, so lines are cleaned after they were read, not before.
    seen = found.lines if found.unit == "line" else list(_spaced(found.lines))
    lines = [(number, cleaned(line.replace("\r", "").replace("\n", " "))) for number, line, _ in seen]
    removed = sum(len(line) for _, line, _ in seen) - sum(len(line) for _, line in lines)
    length = sum(len(line) + 1 for _, line in lines)
    if length > max_chars + 1:
        raise Unreadable("source_too_large", f"{length} characters of text, the limit is {max_chars}")
    if not any(line.strip() for _, line in lines):
        gone = "; ".join(f"{each.what}: {each.count}" for each in found.left_out[:5])
        raise Unreadable("source_empty", f"no text in {len(data)} bytes{f' ({gone})' if gone else ''}")
    hidden = [LeftOut("invisible characters", removed, is_hidden=True)] if removed else []
    answer = {
        "lines": lines,
        "unit": found.unit,
        "head": _head(found),
        "left_out": [[_on_one_line(e.what), e.count, e.is_hidden] for e in [*hidden, *found.left_out][:_MOST_LEFT_OUT]],
    }
    if found.recognised:
        answer["recognised"] = list(found.recognised)
    if any(end != number for number, _, end in seen):
        answer["ends"] = [end for _, _, end in seen]
    return answer


def _plain(data: bytes, format: str) -> Extracted:
    lines = source_text(data).removesuffix("\n").split("\n")
    remarks = remarks_in(lines, format)
    seen = [(at + 1, "" if at in remarks else line, at + 1) for at, line in enumerate(lines)]
    gone = [LeftOut("comments", sum(len(lines[at].strip()) for at in remarks))] if remarks else []
    return Extracted(seen, head=read_head(lines), left_out=gone)


def _spaced(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines with an empty one between two paragraphs, as Markdown has it; none within a list, a table or code."""
    before, code, last = "", False, 0
    for line in lines:
        _, words, _ = line
        goes_on = (_ITEM.match(words) and _ITEM.match(before)) or (_ROW.match(words) and _ROW.match(before))
        if words.strip() and before.strip() and not (code or goes_on):
            yield last, "", last
        code ^= words.startswith("```")
        yield line
        before, last = words, line[2]


def _head(found: Extracted) -> dict[str, str | list[str]]:
    """What the head says, each field on one line and of a sane length."""
    head: dict[str, str | list[str]] = {}
    for key in HEAD:
        seen = found.head.get(key)
        said = [_on_one_line(each) for each in (seen if isinstance(seen, list) else [seen or ""])]
        said = [each for each in said if each][:_MOST_NAMES]
        if said:
            head[key] = said if key in ("authors", "tags") else said[0]
    return head


def _on_one_line(text: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in cleaned(text))
    return " ".join(shown.split())[:_LONGEST_FIELD].rstrip()


def _reader(format: str):  # type: ignore[no-untyped-def]  # a module is no type
    """The module that reads ``format``, with all that it needs. Raises Unreadable."""
    try:
        if format not in FORMATS:
            raise ModuleNotFoundError(name=f"formats.{format}")
        return import_module(f"formats.{format}")
    except ModuleNotFoundError as error:
        if str(error.name).startswith("formats"):
            raise Unreadable("source_format_unknown", f"no reader for the format {format!r}") from error
        raise Unreadable("package_missing", f"to read {format} takes {error.name}, which is not installed") from error


def _preload(format: str) -> None:
    """Import what reading a source may need, because the closed jail lets no file be opened."""
    import charset_normalizer

    for encoding in ENCODINGS:
        codecs.lookup(encoding)
    charset_normalizer.from_bytes("Füße, Tür, déjà vu".encode("latin-1"))
    if format not in PLAIN:
        try:
            getattr(_reader(format), "preload", lambda: None)()
        except (Unreadable, ModuleNotFoundError):
            # To read the source fails for the same reason, which is said then.
            return


def _bytes_of_source(limit: int) -> bytes:
    """All of standard input; one byte over ``limit`` is enough to know that it is too much."""
    with os.fdopen(0, "rb", closefd=False) as source:
        data = source.read(limit + 1)
    if len(data) > limit:
        raise Unreadable("source_too_large", f"more than {limit} bytes")
    return data


def _write(data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(1, view) :]
