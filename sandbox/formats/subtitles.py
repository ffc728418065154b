"""Subtitles and transcripts (WebVTT, SubRip): what is said, by the second it is said in."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from extracted import Extracted, LeftOut, Line
from front_matter import Value, standard
from unicode_text import Unreadable, source_text

_TIME = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,](\d{1,3})"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}")
_SPEAKER = re.compile(r"<v(?:\.[^\s>]*)?\s+([^<>]{1,80})>")
_MARKUP = re.compile(r"</?[a-zA-Z][^<>]{0,200}>|<\d[\d:.]{3,20}>|\{\\[^{}]{0,100}\}")
_FIELD = re.compile(r"([A-Za-z]{2,20}):\s*(.+)$")
_ENDED = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_APART = 4
"""Seconds of silence after which somebody begins anew."""
_LONGEST = 600


def read(data: bytes, max_chars: int) -> Extracted:
    """What is said in the subtitles in ``data``, each sentence or turn with its first and last second."""
    text = source_text(data)
    blocks = [block.split("\n") for block in re.split(r"\n[ \t]*\n", text)]
    cues, notes = [], 0
    for block in blocks:
        at = next((at for at, line in enumerate(block[:3]) if "-->" in line and _TIMES.match(line)), None)
        if at is not None:
            cues.append(_cue(block, at))
        elif block[0].startswith(("NOTE", "STYLE", "REGION")):
            notes += sum(map(len, block))
    if not cues:
        raise Unreadable("source_not_text", "it has no times such as 00:01:02.000 --> 00:01:05.000")
    cues.sort(key=lambda cue: cue[0])
    left_out = [LeftOut("notes and styles", notes, is_hidden=True)] if notes else []
    return Extracted(list(_turns(cues)), "second", _head(blocks[0]), left_out)


def preload() -> None:
    read(b"00:01.000 --> 00:02.000\n<v A>b&amp;", 100)


Cue = tuple[int, int, str, str]
"""First and last second, who speaks, and what is said."""


def _cue(block: list[str], at: int) -> Cue:
    times = _TIMES.match(block[at])
    assert times is not None  # noqa: S101 (it was chosen for having them)
    start, end = _seconds(times.groups()[:4]), _seconds(times.groups()[4:])
    written = " ".join(block[at + 1 :])
    speaker = _SPEAKER.search(written)
    words = " ".join(html.unescape(_MARKUP.sub("", written)).split())
    return start, max(start, end), " ".join(speaker[1].split()) if speaker else "", words


def _seconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds = (int(part or 0) for part in parts[:3])
    return 3600 * hours + 60 * minutes + seconds


def _turns(cues: list[Cue]) -> Iterator[Line]:
    """The cues, joined up to the end of a sentence, a pause, or another speaker; rolling ones are said once."""
    start, end, speaker, said, last = 0, 0, "", "", ""
    for first, until, who, words in cues:
        fresh = words[len(last) :].strip() if last and words.startswith(last) else words
        last = words
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


def _head(block: list[str]) -> dict[str, Value]:
    """What WebVTT's first block says: a title behind its name, fields below."""
    if not block[0].startswith("WEBVTT"):
        return {}
    fields: dict[str, Value] = {m[1]: m[2].strip() for line in block[1:20] if (m := _FIELD.match(line))}
    title = block[0].removeprefix("WEBVTT").strip(" \t-–:")
    return standard({**fields, **({"title": title} if title else {})})
