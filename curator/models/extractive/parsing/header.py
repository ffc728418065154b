"""What a document says about itself before its text begins: the fields of its head."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from curator.wiki.sources.source import Document

_FIELD = re.compile(r"(?:#\+|:)?([A-Za-z][A-Za-z_-]*(?: [A-Za-z_-]+){0,2}):(?:\s++(.*))?$")
_KNOWN = frozenset(
    "title date author authors created updated published publisher status type topic version number pep rfc adr supersedes "
    "replaces obsoletes superseded-by replaced-by id subject from to keywords abstract language lang revision".split()
)
_LOOKED_AT = 14
"""How many lines with words may stand before the fields end."""


@dataclass(frozen=True)
class Header:
    """Field names in lower case; ``lines`` are the indexes of the lines that are no text."""

    fields: dict[str, str] = field(default_factory=dict)
    lines: frozenset[int] = frozenset()

    def get(self, *names: str) -> str:
        return next((self.fields[name] for name in names if self.fields.get(name)), "")


def read_header(document: Document) -> Header:
    """The head of ``document``: YAML or TOML between its marks, or the first ``Key: value`` lines near its beginning."""
    texts = [text for _, text in document.lines[:200]]
    if texts and (mark := texts[0].strip()) in ("---", "+++"):
        end = next((i for i, text in enumerate(texts[1:], start=1) if text.strip() in (mark, "...")), 0)
        if end:
            inside = texts[1:end] if mark == "---" else [text.replace(" = ", ": ", 1) for text in texts[1:end]]
            return Header(_fields(inside), frozenset(range(end + 1)))
    seen = 0
    for at, text in enumerate(texts):
        if not text.strip():
            continue
        seen += 1
        if seen > _LOOKED_AT:
            break
        match = _FIELD.match(text)
        if match is None or not _is_header(texts, at):
            continue
        end = _end(texts, at)
        return Header(_fields(texts[at:end]), frozenset(range(at, end)))
    return Header()


def _is_header(texts: list[str], at: int) -> bool:
    """True where a paragraph of fields begins, one of them of a known name."""
    names = [match[1].casefold() for text in texts[at : _end(texts, at)] if (match := _FIELD.match(text))]
    return any(name in _KNOWN for name in names) and (len(names) > 1 or names[0] in ("title", "date", "author"))


def _end(texts: list[str], at: int) -> int:
    while at < len(texts) and (_FIELD.match(texts[at]) or (texts[at][:1] in " \t" and texts[at].strip())):
        at += 1
    return at


def _fields(texts: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = ""
    for text in texts:
        match = _FIELD.match(text) if text[:1] not in " \t" else None
        if match:
            name = match[1].casefold()
            fields[name] = (match[2] or "").strip().strip("\"'")
        elif name and text.strip():
            fields[name] = f"{fields[name]} {text.strip()}".strip()
    return fields
