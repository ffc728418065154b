"""E-mail: a message (``.eml``) by paragraph, a box of them (``.mbox``) by message, without what is quoted and attached."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from email.utils import getaddresses, parsedate_to_datetime

from extracted import Extracted, LeftOut, Line
from front_matter import Value, standard
from unicode_text import Unreadable
from wrapped import paragraphs

from formats.email_forms import QUOTED, TRIPPED, forms_of, said_in

_MOST_MESSAGES = 5_000
_MOST_NAMED = 20
"""Attachments that are named."""
_BEGIN = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]*\r?\n")
"""The line that begins a message in a box."""
_HEADER = re.compile(rb"[!-9;-~]{1,60}:[ \t\r\n]|From ")
_ATTRIBUTION = re.compile(
    r"(?:On\b|Am\b|Le\b|El\b|Il\b|Op\b).{4,200}(?:wrote|schrieb|écrit|escribió|ha scritto|schreef)\s?:\s*$"
    r"|-{2,}\s?(?:Original|Forwarded) [Mm]essage\s?-{2,}|-{5,}\s*Ursprüngliche Nachricht|_{20,}\s*$"
)
_SIGNATURE = "signatures"


def read(data: bytes, max_chars: int) -> Extracted:
    """The message or messages in ``data``."""
    if not _HEADER.match(data.lstrip()[:200]):
        raise Unreadable("source_not_text", "it does not begin as a message does, with a header such as From:")
    starts = list(_BEGIN.finditer(data))
    gone = Counter[tuple[str, bool]]()
    if not starts or starts[0].start() > 0:
        message = _parsed(data)
        texts = enumerate(_texts(message, gone), start=1)
        return Extracted([(n, text, n) for n, text in texts], "paragraph", _head(message), _left_out(gone))
    ends = [*(each.start() for each in starts[1:]), len(data)]
    lines: list[Line] = []
    for number, (start, end) in enumerate(zip(starts[:_MOST_MESSAGES], ends, strict=False), start=1):
        message = _parsed(data[start.end() : end])
        lines += [(number, text, number) for text in _texts(message, gone)]
    gone["messages behind the first 5,000", False] += max(0, len(starts) - _MOST_MESSAGES)
    return Extracted(lines, "page", {}, _left_out(gone))


def preload() -> None:
    head = b"From: A <a@b.c>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: =?utf-8?b?YQ==?=\n"
    parts = b"--x\nContent-Type: text/html\n\n<p>a\n--x\nContent-Type: a/b\n\n--x--"
    read(head + b"Content-Type: multipart/mixed; boundary=x\n\n" + parts, 100)


def _parsed(data: bytes) -> EmailMessage:
    message = BytesParser(policy=default).parsebytes(data)
    assert isinstance(message, EmailMessage)  # noqa: S101 (the policy makes them)
    return message


def _texts(message: EmailMessage, gone: Counter[tuple[str, bool]]) -> Iterator[str]:
    """What the message says, with who says it to whom above it."""
    if subject := _field(message, "Subject"):
        yield f"# {subject}"
    for name in ("From", "To", "Cc", "Date"):
        if value := _field(message, name):
            yield f"{name}: {value}"
    forms = forms_of(message)
    for part in message.walk():
        if not part.is_multipart() and not any(part is each for each in forms.parts):
            name = " ".join(str(part.get_filename() or part.get_content_subtype()).split())
            number = sum(what.startswith("attachment ") for what, _ in gone)
            what = (
                f"attachment {name[:100]} ({part.get_content_type()})" if number < _MOST_NAMED else "more attachments"
            )
            gone[what, False] += 1
    gone.update({(each.what, each.is_hidden): each.count for each in forms.unseen})
    if forms.plain is not None and forms.is_plain:
        yield from _said(forms.plain, gone)
    elif forms.shown is not None:
        found = said_in(forms.shown)
        gone.update({(each.what, each.is_hidden): each.count for each in found.left_out})
        yield from (line for _, line, _ in found.lines)


def _said(text: str, gone: Counter[tuple[str, bool]]) -> Iterator[str]:
    lines = text.split("\n")
    if "-- " in lines:
        at = len(lines) - 1 - lines[::-1].index("-- ")
        gone[_SIGNATURE, False] += sum(map(len, lines[at:]))
        lines = lines[:at]
    kept: list[str] = []
    for number, line in enumerate(lines):
        leads = _ATTRIBUTION.match(line) or (
            _ATTRIBUTION.match(f"{line} {''.join(lines[number + 1 : number + 2])}")
            if line.startswith(("On ", "Am "))
            else None
        )
        if line.startswith(">") or leads or (kept and not kept[-1] and _is_rest(lines, number)):
            gone[QUOTED, False] += len(line)
            kept.append("")
        else:
            kept.append(line)
    yield from paragraphs(kept)


def _is_rest(lines: list[str], number: int) -> bool:
    """True for the second line of ``On Monday ... <nl> Ann wrote:``."""
    return number > 0 and bool(_ATTRIBUTION.match(f"{lines[number - 1]} {lines[number]}"))


def _field(message: EmailMessage, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except TRIPPED:
        return ""  # a header that the parser of the standard library trips over


def _head(message: EmailMessage) -> dict[str, Value]:
    names = [name or address for name, address in getaddresses([_field(message, "From")])]
    day = ""
    with suppress(*TRIPPED):
        day = parsedate_to_datetime(_field(message, "Date")).date().isoformat()
    url = _field(message, "Archived-At").strip("<>")
    fields: dict[str, Value] = {"title": _field(message, "Subject"), "date": day, "url": url}
    return {**standard(fields), **({"authors": [name for name in names if name]} if any(names) else {})}


def _left_out(gone: Counter[tuple[str, bool]]) -> list[LeftOut]:
    return [LeftOut(what, count, is_hidden) for (what, is_hidden), count in gone.items() if count]
