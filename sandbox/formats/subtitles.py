"""Subtitles and transcripts (WebVTT, SubRip): what is said, by the second it is said in."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterator

from extracted import Extracted, LeftOut, Line
from front_matter import Value, standard
from unicode_text import Unreadable, source_text

_TIME = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_SPEAKER = re.compile(r"<v(?:\.[^\s<>]*+)?\s++([^<>]{1,80})>")
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]{0,200}>|<\d[\d:.]{3,20}>|\{\\[^{}]{0,100}\}")
_FIELD = re.compile(r"([A-Za-z]{2,20}):\s*(.+)$")
_ENDED = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_APART = 4
"""Seconds of silence after which somebody begins anew."""
_LONGEST = 600


def read(data: bytes, max_chars: int) -> Extracted:
    """What is said in the subtitles in ``data``, each sentence or turn with its first and last second."""
    unseen: list[list[str]] = []
    cues, notes, head = _cues(source_text(data).split("\n"), unseen)
    if not cues:
        raise Unreadable("source_not_text", "it has no times such as 00:01:02.000 --> 00:01:05.000")
    cues.sort(key=lambda cue: cue[0])
    left_out = [LeftOut("notes and styles", notes, is_hidden=True)] if notes else []
    if never := sum(map(len, itertools.chain(*unseen))):
        left_out.append(LeftOut("words that are shown for no time", never, is_hidden=True))
    return Extracted(list(_turns(cues)), "second", _head(head), left_out)


def preload() -> None:
    read(b"00:01.000 --> 00:02.000\n<v A>b&amp;", 100)


Cue = tuple[int, int, list[str]]
"""First and last second, and the lines that are shown."""


def _cues(lines: list[str], unseen: list[list[str]]) -> tuple[list[Cue], int, list[str]]:
    """The cues; how many characters are notes and styles; and the lines of the head.

    The lines of cues that end before they begin grow ``unseen``.
    """
    cues: list[Cue] = []
    notes, head, is_note = 0, list[str](), False
    inside: list[str] | None = head
    for at, line in enumerate(lines):
        if "-->" in line and (times := _TIMES.match(line)):
            start, end = _seconds(times.groups()[:4]), _seconds(times.groups()[4:])
            if inside and lines[at - 1].strip().isdecimal():
                inside.pop()  # the number of this cue, where no empty line is before it
            inside = []
            if _thousandths(times.groups()[4:]) > _thousandths(times.groups()[:4]):
                cues.append((start, end, inside))
            else:
                unseen.append(inside)
        elif not line:
            inside, is_note = None, False
        elif inside is not None:
            inside.append(line)
        elif is_note or line.startswith(("NOTE", "STYLE", "REGION")):
            is_note = True
            notes += len(line)
    return cues, notes, head


def _seconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in parts[:3])
    return 3600 * hours + 60 * minutes + seconds


def _thousandths(parts: tuple[str | None, ...]) -> int:
    return 1000 * _seconds(parts) + int((parts[3] or "0").ljust(3, "0"))


def _turns(cues: list[Cue]) -> Iterator[Line]:
    """The cues, joined up to the end of a sentence, a pause, or another speaker; rolling ones are said once."""
    start, end, speaker, said = 0, 0, "", ""
    shown: list[str] = []
    for first, until, written in cues:
        found = _SPEAKER.search(" ".join(written))
        who = " ".join(found[1].split()) if found else ""
        lines = [words for line in written if (words := " ".join(html.unescape(_MARKUP.sub("", line)).split()))]
        fresh = " ".join(_fresh(lines, shown))
        shown = lines or shown
        if not fresh:
            end = max(end, until)
            continue
        if said and (_ENDED.search(said) or first - end > _APART or (who and who != speaker) or len(said) > _LONGEST):
            yield start, said, end
            said = ""
        if not said:
            start, said = first, f"{who}: {fresh}" if who and who != speaker else fresh
        else:
            said = f"{said} {fresh}"
        speaker, end = who or speaker, max(start, until)
    if said:
        yield start, said, end


def _fresh(lines: list[str], shown: list[str]) -> list[str]:
    """What is new of ``lines`` where captions roll: the first of them were shown before, or go on."""
    for count in range(len(lines), 0, -1):
        if lines[:count] == shown[-count:]:
            return lines[count:]
    if lines and shown and lines[0].startswith(f"{shown[-1]} "):
        return [lines[0][len(shown[-1]) :].strip(), *lines[1:]]
    return lines


def _head(block: list[str]) -> dict[str, Value]:
    """What WebVTT's first block says: a title behind its name, fields below."""
    if not block or not block[0].startswith("WEBVTT"):
        return {}
    fields: dict[str, Value] = {m[1]: m[2].strip() for line in block[1:20] if (m := _FIELD.match(line))}
    title = block[0].removeprefix("WEBVTT").strip(" \t-–:")
    return standard({**fields, **({"title": title} if title else {})})
