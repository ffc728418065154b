"""Bytes to clean text: finds the encoding, refuses what is not text, takes out characters that only hide things.

The text is otherwise left as the source has it. In particular it is not normalised: a quote must be found again in the
file, byte for byte. Taken out and counted are characters a reader cannot see and an attacker can use; they stand in
hidden_characters.txt, which curator reads too.
"""

from __future__ import annotations

import codecs
import os
import re
from contextlib import suppress

_BOMS = (
    # UTF-32 first: its little-endian mark begins with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_WITHOUT_CONTROLS: dict[int, None] = dict.fromkeys((*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0)))

_CONTROL_BYTES = bytes((*range(0x09), 0x0B, *range(0x0E, 0x20), 0x7F))

_ONE_BYTE = ("cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "iso8859_2")
_OLD_ENCODINGS = (*_ONE_BYTE, "cp932", "euc_jp", "gb18030", "big5", "cp949")
"""The usual encodings before UTF-8; of all that Python knows, charset-normalizer would pick exotic ones."""

ENCODINGS = (*(encoding for _, encoding in _BOMS), *_OLD_ENCODINGS)
"""All encodings a source is ever decoded from."""

_MOST_CONTROLS = 0.01
_SURE, _TELLING = 3, re.compile("[À-ſ\u2010-\u203f]")
"""What no line of an older encoding is by chance, read as UTF-8: so many letters; one of Latin, or a quotation mark."""
_SAMPLE = 200_000
"""Bytes from which an old encoding is guessed; more do not make the guess better, only slower."""


class Unreadable(Exception):
    """The source cannot be read; ``code`` is stable, the message says what was seen."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def _fates() -> tuple[dict[int, str | None], list[str]]:
    """What becomes of each hidden character, and patterns for those that are hidden only where nothing needs them.

    Page breaks and exotic line ends part words, but no lines of the file.
    """
    table: dict[int, str | None] = {}
    stray = []
    file = os.path.dirname(__file__) + "/hidden_characters.txt"  # noqa: PTH120 (pathlib would cost time at every start)
    with open(file, encoding="ascii") as lines:  # noqa: PTH123
        for span, fate, *_ in (line.split() for line in lines if not line.startswith("#")):
            if fate.startswith("stray:"):
                behind, _, before = fate.removeprefix("stray:").partition("/")
                ahead = f"(?![{_spans(before)}])" if before else ""
                stray.append(f"(?<![{_spans(behind)}])[{_spans(span)}]{ahead}")
                continue
            first, last = span.split("-")
            table |= dict.fromkeys(range(int(first, 16), int(last, 16) + 1), " " if fate == "space" else None)
    return table, stray


def _spans(written: str) -> str:
    """``200C-200D,FE0F-FE0F`` as a character class of a pattern, without its brackets."""
    ends = (span.split("-") for span in written.split(","))
    return "".join(f"{chr(int(first, 16))}-{chr(int(last, 16))}" for first, last in ends)


_CLEAN, _stray = _fates()
_STRAY = re.compile("|".join(_stray))


def decoded(data: bytes) -> tuple[str, str]:
    """The text in ``data`` and its encoding: byte order mark, then strict UTF-8, then a careful guess."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _strictly(data[len(mark) :], encoding), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        seen = f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8"
        return _guessed(data, seen)


def refuse_binary(text: str, encoding: str) -> None:
    """Raise ``Unreadable`` when ``text`` has a NUL or many control characters: text files have neither."""
    controls = len(text) - len(text.translate(_WITHOUT_CONTROLS))
    nul = text.find("\0")
    if nul >= 0:
        raise Unreadable("source_not_text", f"a NUL character at offset {nul}, read as {encoding}")
    if controls > _MOST_CONTROLS * len(text):
        share = f"{100 * controls / len(text):.0f}% control characters"
        raise Unreadable("source_not_text", f"{share}, read as {encoding}")


def source_text(data: bytes) -> str:
    """The text of a file that is one, with ``\\n`` at the end of every line. Raises Unreadable."""
    text, encoding = decoded(data)
    refuse_binary(text, encoding)
    return with_plain_line_ends(text)


def with_plain_line_ends(text: str) -> str:
    """``text`` with ``\\n`` at the end of every line, whatever system wrote it. Nothing else ends a line."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def cleaned(line: str) -> str:
    """``line`` without the characters that only hide things."""
    return line.translate(_CLEAN) if line.isascii() else _STRAY.sub("", line.translate(_CLEAN))


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        seen = f"the byte order mark says {encoding}, but at offset {error.start}: {error.reason}"
        raise Unreadable("source_not_text", seen) from error


def _guessed(data: bytes, seen: str) -> tuple[str, str]:
    """Text in an encoding from before UTF-8, if the bytes look like text at all and charset-normalizer is sure."""
    sample = data[:_SAMPLE].rpartition(b"\n")[0] or data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    if b"\0" in data or controls > _MOST_CONTROLS * len(sample):
        raise Unreadable("source_not_text", f"{seen}; {100 * controls / len(sample):.0f}% control characters")
    if damaged := _damaged_utf8(data):
        raise Unreadable("source_not_text", f"{seen}; else it is UTF-8, with {damaged} damaged place(s)")
    encoding = _old_encoding(sample)
    if encoding in ("", *_ONE_BYTE) and (line := _line_of_utf8(data)):
        raise Unreadable("source_not_text", f"{seen}, and line {line} is: it has two encodings")
    try:
        return data.decode(encoding), encoding
    except (UnicodeDecodeError, LookupError) as error:
        raise Unreadable("source_not_text", f"{seen}; no older encoding fits for sure") from error


def _damaged_utf8(data: bytes) -> int:
    """How many places of a UTF-8 file are broken; 0 when the file is no UTF-8 to begin with."""
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    whole = sum(character > "\x7f" for character in text) - damaged
    return damaged if whole > damaged else 0


def _line_of_utf8(data: bytes) -> int:
    """The first line that says something in UTF-8 that makes no words in an older encoding, as ``Ã–``; 0 without one."""
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.isascii():
            with suppress(UnicodeDecodeError):
                strange = "".join(character for character in line.decode("utf-8") if character > "\x7f")
                if len(strange) >= _SURE or _TELLING.search(strange):
                    return number
    return 0


def _old_encoding(sample: bytes) -> str:
    """The one encoding that makes words of ``sample``, or an empty string. Windows-1252 goes first among equals."""
    import charset_normalizer

    matches = charset_normalizer.from_bytes(sample, cp_isolation=list(_OLD_ENCODINGS))
    best = matches.best()
    if best is None or best.chaos > 0.05 or best.coherence < 0.1:
        return ""
    equals = (match for match in matches if match.chaos <= best.chaos and match.coherence >= best.coherence)
    names = {name for match in equals for name in match.could_be_from_charset}
    return "cp1252" if "cp1252" in names else str(best.encoding)
