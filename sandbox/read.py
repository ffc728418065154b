"""Reads a source from standard input and writes it, as text with line anchors, to standard output."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Iterator

import jail
from unicode_text import ENCODINGS, Unreadable, cleaned, decoded, refuse_binary, with_plain_line_ends

Line = tuple[int, str, int]

PLAIN = ("markdown", "text", "rst", "asciidoc", "org")
"""Plain text formats: every line of the file is a line of the text."""

_BYTES_A_CHARACTER = {"html": 16}
"""Markup is longer than the text in it; other formats take at most the four bytes of UTF-32."""


def main(format: str, name: str, max_chars: int, packages: list[str]) -> int:
    """Lock the process, read the source called ``name``, write one JSON object. The exit code is 0 for any answer."""
    level = jail.lock_reader(packages, _preload)
    try:
        answer = {"ok": True, "sandbox": level, **_read(format, max_chars)}
    except Unreadable as error:
        answer = {"ok": False, "sandbox": level, "code": error.code, "message": f"{name}: {error}"}
    except (MemoryError, RecursionError) as error:
        seen = f"{name}: reading it takes more memory than the sandbox grants ({type(error).__name__})"
        answer = {"ok": False, "sandbox": level, "code": "source_too_large", "message": seen}
    _write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))
    return 0


def _read(format: str, max_chars: int) -> dict[str, object]:
    data = _bytes_of_source(max_chars * _BYTES_A_CHARACTER.get(format, 4) + 4)
    text, encoding = decoded(data)
    refuse_binary(text, encoding)
    # HTML spells characters as entities, so lines are cleaned after they were read, not before.
    found = list(_lines(format, with_plain_line_ends(text)))
    lines = [(number, cleaned(line)) for number, line, _ in found]
    removed = sum(len(line) for _, line, _ in found) - sum(len(line) for _, line in lines)
    length = sum(len(line) + 1 for _, line in lines)
    if length > max_chars + 1:
        raise Unreadable("source_too_large", f"{length} characters of text, the limit is {max_chars}")
    if not any(line.strip() for _, line in lines):
        raise Unreadable("source_empty", f"no text in {len(data)} bytes")
    answer = {"encoding": encoding, "removed": removed, "lines": lines}
    if any(end != number for number, _, end in found):
        answer["ends"] = [end for _, _, end in found]
    return answer


def _lines(format: str, text: str) -> Iterator[Line]:
    if format in PLAIN:
        for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
            yield number, line, number
    elif format == "html":
        import html_text

        yield from html_text.visible(text)
    else:
        raise Unreadable("source_format_unknown", f"no reader for the format {format!r}")


def _preload() -> None:
    """Import what reading a source may need, because the closed jail lets no file be opened."""
    import charset_normalizer
    import html_text

    for encoding in ENCODINGS:
        codecs.lookup(encoding)
    charset_normalizer.from_bytes("Füße, Tür, déjà vu".encode("latin-1"))
    list(html_text.visible("<p>&amp;"))


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
