"""The head of a text file, between two ``---`` (YAML) or two ``+++`` (TOML): title, authors, date, language, DOI, address.

Of YAML only what heads are written in is read: fields, lists and one level of names below a field. So no library of the
reader's has to take apart what a stranger wrote.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_MOST_LINES = 200
_MOST_TAGS = 50
_FIELD = re.compile(r"(?P<indent> *)(?P<dash>- +)?(?P<name>[A-Za-z][\w.-]{0,60}) *:(?: ++(?P<value>.*))?$")
_ITEM = re.compile(r" *- ++(?P<value>.*)$")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'")
_COMMENT = re.compile(r"\s#.*$")
_DAY = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?(?![\d-])")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_LANGUAGE = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2}))?\b")
_OF_CLIPPERS = frozenset(("source", "clipped", "dateclipped", "saved", "datesaved"))
"""Names that web clippers use, and others for whatever they like: these are no words of the document."""
_STATE = ("status", "supersededby", "replacedby", "obsoletedby", "supersedes", "replaces", "obsoletes")
"""Whether a document holds: what it says is read in its text, not taken for the record."""
_SERIES = tuple("adr bep bip cip cve dep din eip erc ecma ietf iso jep jsr kep nep pep rfc sep tc39 wcag xep".split())
"""What a document is called by its number of: ``eip: 4844``. What it says is read in its text."""
_LINKED = re.compile(r"^\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]$")
"""A name as note programs link it."""
_SOURCE = "knowledge.source/v1"

_NAMES = {
    "title": ("title", "headline"),
    "authors": ("authors", "author", "creators", "creator", "by", "byline"),
    "date": (
        *("date", "published", "publisheddate", "datepublished", "pubdate", "publishdate", "issued"),
        *("created", "clipped", "dateclipped", "saved", "datesaved"),
    ),
    "language": ("language", "lang", "locale"),
    "doi": ("doi",),
    "tags": ("tags", "tag"),
    "url": ("url", "sourceurl", "canonicalurl", "canonical", "link", "permalink", "source"),
}
"""What each field of a head may be called, in lower case, without hyphens and underscores."""

Value = str | list[str]


def read_head(lines: Sequence[str]) -> dict[str, Value]:
    """What the head of a text file says, by the names of ``extracted.HEAD``; nothing where it has none."""
    end = head_end(lines)
    if not end:
        return {}
    return standard(_yaml(lines[1:end]) if lines[0].strip() == "---" else _toml(lines[1:end]))


def head_end(lines: Sequence[str]) -> int:
    """The place of the line that ends the head; 0 where there is none."""
    mark = lines[0].strip() if lines else ""
    if mark not in ("---", "+++"):
        return 0
    closing = ("---", "...") if mark == "---" else ("+++",)
    return next((at for at, line in enumerate(lines[1:_MOST_LINES], 1) if line.strip() in closing), 0)


def is_known(name: str) -> bool:
    """True for the name of a field that says something of the document, whoever wrote the head."""
    plain = re.sub(r"[-_. ]", "", name).lower()
    is_named = plain not in _OF_CLIPPERS and any(plain in written for written in _NAMES.values())
    return is_named or plain in ("schema", "capturedby", *_STATE, *_SERIES)


def standard(fields: Mapping[str, Value]) -> dict[str, Value]:
    """``fields``, as somebody called them, by the names of ``extracted.HEAD``."""
    given = {re.sub(r"[-_. ]", "", name).lower(): value for name, value in fields.items() if value}
    found: dict[str, Value] = {}
    for name, written in _NAMES.items():
        fitting = (said for each in written if each in given and (said := _fitting(name, given[each])))
        if (first := next(fitting, None)) is not None:
            found[name] = first
    if given.get("schema") == _SOURCE:
        # Its authority is for the wiki to say, never for the source itself.
        found["captured_by"] = _one(given.get("capturedby", ""))
    return {name: value for name, value in found.items() if value}


def _fitting(name: str, value: Value) -> Value:
    """``value`` in the form that the field has; empty where it has none."""
    if name == "authors":
        return [_LINKED.sub(r"\1", author) for author in _listed(value)]
    if name == "tags":
        names = value if isinstance(value, list) else re.split(r"[,;\s]+", value)
        return [tag for each in names if (tag := each.strip().removeprefix("#"))][:_MOST_TAGS]
    text = _one(value)
    if name == "date":
        return day[0] if (day := _DAY.match(text)) else ""
    if name == "doi":
        return doi[0].rstrip(".,;") if (doi := _DOI.search(text)) else ""
    if name == "url":
        return text if text.startswith(("http://", "https://")) and " " not in text else ""
    if name == "language":
        code = _LANGUAGE.match(text)
        return code[1].lower() + (f"-{code[2].upper()}" if code[2] else "") if code else ""
    return text


def _one(value: Value) -> str:
    return value if isinstance(value, str) else next(iter(value), "")


def _listed(value: Value) -> list[str]:
    if isinstance(value, list):
        return value
    return [part.strip() for part in re.split(r";|,? and ", value) if part.strip()]


def _yaml(lines: Sequence[str]) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    name = ""
    for line in lines:
        field = _FIELD.match(line)
        if field and not field["indent"] and not field["dash"]:
            name, value = field["name"], (field["value"] or "").strip()
            fields[name] = (
                _flow(value) if value.startswith("[") else "" if value in ("|", ">", "|-", ">-") else _scalar(value)
            )
        elif field and name and field["name"] in ("name", "title", "family", "literal"):
            _add(fields, name, _scalar(field["value"] or ""))
        elif name and (item := _ITEM.match(line)) and not field:
            _add(fields, name, _scalar(item["value"]))
        elif name and line[:1] == " " and isinstance(fields[name], str) and not field:
            fields[name] = f"{fields[name]} {line.strip()}".strip()
    return fields


def _add(fields: dict[str, Value], name: str, value: str) -> None:
    before = fields[name]
    fields[name] = [*(before if isinstance(before, list) else filter(None, [before])), value]


def _flow(value: str) -> list[str]:
    """``[a, "b, c"]`` as its parts."""
    inside = value.strip("[] ")
    return [_scalar(part) for part in re.findall(r"\s*((?:\"[^\"]*\"|'[^']*'|[^,\"']+))\s*(?:,|$)", inside)]


def _scalar(value: str) -> str:
    value = value.strip()
    if quoted := _QUOTED.match(value):
        return re.sub(r"\\(.)", r"\1", quoted[1]) if quoted[1] is not None else quoted[2].replace("''", "'")
    return _COMMENT.sub("", value)


def _toml(lines: Sequence[str]) -> dict[str, Value]:
    import tomllib

    try:
        found = tomllib.loads("\n".join(lines))
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}
    return {
        name: [str(each) for each in value] if isinstance(value, list) else str(value)
        for name, value in found.items()
        if not isinstance(value, dict)
    }
