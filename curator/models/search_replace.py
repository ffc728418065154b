"""The plain-text form of a proposal, for models whose provider enforces no schema: SEARCH/REPLACE and its kin.

    <<<<<<< SEARCH wheel
    text copied exactly from the page
    =======
    The new text.
    ^ "verbatim words of the source"
    >>>>>>> REPLACE

It says the same as the JSON form and ends in the same strict parser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

from pydantic import ValidationError

from curator.errors import ProposalError
from curator.models.proposal import Claim
from curator.wiki.pages import inline
from curator.wiki.pages.page import KINDS

_WORDS = "CREATE|ADD|SEARCH|REPLACE|DISPUTE|MARK|RENAME|MERGE|MOVE"
_OPEN = re.compile(rf"<{{5,9}} *({_WORDS})\b[ \t]*(.*)", re.IGNORECASE)
_MENDS = re.compile(rf"<{{5,9}} *(?:(\d+\.\d+)|(\d+) ({_WORDS}|DROP)\b[ \t]*(.*))", re.IGNORECASE)
_CLOSE = re.compile(r">{5,9}(?: \w+)?[ \t]*")
_MIDDLE = re.compile(r"={5,9}[ \t]*")
_QUOTE = re.compile(r'\^(?:[ \t]++|(?=["“]))(.+)')
_HEADING = re.compile(r"#{1,6} ")
_STARTS = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]|#{1,6} ")
_FENCE = re.compile(r"```\w*[ \t]*")
_CODE = re.compile(r"[ \t]*(`{3,}|~{3,})[^`]*$")
_COURTESY = re.compile(r"\w[^<>=^|#]*")
_MOST_COURTESIES = 3
"""Lines of plain words before the first block or behind the last: "Here is the reply:"."""


def to_json(reply: str) -> str:
    """The JSON form of ``reply``. Raises ProposalError when it has no blocks, an open one, or text between them."""
    found = [_operation(opened[1].upper(), opened[2].strip(), lines, at) for opened, lines, at in _blocks(reply, _OPEN)]
    return json.dumps({"operations": found}, ensure_ascii=False)


def repair_to_json(reply: str) -> str:
    """The same of a reply to faults, whose blocks begin with the number of what they mend."""
    claims, operations = [], []
    for opened, lines, at in _blocks(reply, _MENDS):
        claim, number, name, argument = opened.groups()
        name = name and name.upper()
        if claim is not None:
            claims.append({"number": claim, "body": _body(lines)})
        else:
            mended = None if name == "DROP" else _operation(name, argument.strip(), lines, at)
            operations.append({"number": number, "operation": mended})
    return json.dumps({"claims": claims, "operations": operations}, ensure_ascii=False)


def whole_blocks(reply: str) -> str:
    """``reply`` up to the end of its last block that is closed; empty where none is."""
    lines = reply.replace("\r\n", "\n").split("\n")
    closed = [at for at, line in enumerate(lines) if _CLOSE.fullmatch(line.strip())]
    return "\n".join(lines[: closed[-1] + 1]) if closed else ""


def _blocks(reply: str, opening: re.Pattern[str]) -> Iterator[tuple[re.Match[str], list[str], int]]:
    """The blocks of a reply: how each opens, its lines, and the number of its first line."""
    lines = _without_thought(reply.replace("\r\n", "\n")).split("\n")
    at, found, stray = 0, 0, list[int]()
    while at < len(lines):
        opened = opening.fullmatch(lines[at].strip())
        if opened is None:
            if lines[at].strip() and not _FENCE.fullmatch(lines[at].strip()):
                stray.append(at)
            at += 1
            continue
        if found and stray:
            break
        _check_courteous(lines, stray)
        stray.clear()
        end = next((i for i in range(at + 1, len(lines)) if _CLOSE.fullmatch(lines[i].strip())), None)
        if end is None:
            raise ProposalError("reply_cut_off", f"the block opened in line {at + 1} is never closed")
        yield opened, lines[at + 1 : end], at + 1
        found += 1
        at = end + 1
    if stray and (at < len(lines) or not found):
        raise _no_block(lines, stray[0])
    _check_courteous(lines, stray)
    if not found:
        raise ProposalError("reply_not_blocks", "the reply has no block")


def _without_thought(reply: str) -> str:
    """``reply`` without what a model thought aloud in ``<think>``."""
    before, begins, rest = reply.partition("<think>")
    _, ends, behind = rest.partition("</think>")
    return before.rstrip() + behind if begins and ends else reply


def _check_courteous(lines: list[str], stray: list[int]) -> None:
    """Raise ProposalError for lines around the blocks that may be more than a greeting."""
    odd = [at for at in stray if not _COURTESY.fullmatch(lines[at].strip())]
    if odd or len(stray) > _MOST_COURTESIES:
        raise _no_block(lines, (odd or stray)[0])


def _no_block(lines: list[str], at: int) -> ProposalError:
    return ProposalError("reply_not_blocks", f"line {at + 1} stands in no block: {lines[at].strip()[:60]!r}")


def claims(lines: list[str]) -> list[Claim]:
    """Markdown blocks, each with the quotes that follow it; one that is longer than a claim may be is passed over."""
    found = []
    for text, quotes in _cited(lines):
        with suppress(ValidationError):
            found.append(Claim(text=text, quotes=tuple(quotes)))
    return found


def _cited(lines: list[str]) -> list[tuple[str, list[str]]]:
    found: list[tuple[list[str], list[str]]] = []
    text: list[str] = []
    fenced = _in_fences(lines)
    for at, line in enumerate([*lines, ""]):
        is_code = at in fenced
        quote = None if is_code else _QUOTE.fullmatch(line.strip())
        alone = bool(text) and _HEADING.match(text[-1]) is not None and at - 1 not in fenced
        begins = at - 1 not in fenced if is_code else not line.strip() or bool(_STARTS.match(line)) or at - 1 in fenced
        if (quote or begins or (alone and not is_code)) and text:
            found.append((text, []))
            text = []
        if quote:
            if found:
                found[-1][1].append(_unquoted(quote[1]))
        elif line.strip() or is_code:
            text.append(line.rstrip())
    return [("\n".join(block).strip("\n"), quotes) for block, quotes in found]


def _in_fences(lines: list[str]) -> frozenset[int]:
    """The numbers of the lines of code, fences included: nothing begins there, and no blank line ends it."""
    found: set[int] = set()
    at = 0
    while at < len(lines):
        opened = _CODE.match(lines[at])
        end = next((i for i in range(at + 1, len(lines)) if opened and lines[i].strip() == opened[1]), at)
        if opened and end > at:
            found.update(range(at, end + 1))
        at = end + 1
    return frozenset(found)


def _operation(name: str, argument: str, lines: list[str], number: int) -> dict[str, Any]:
    parts = _parted(argument)
    if name == "CREATE":
        parts = [*parts[:1], _rejoined(parts[1:-1]), parts[-1]] if len(parts) > 3 else parts
        kind, title = parts[0].lower(), parts[1] if len(parts) > 1 else ""
        kind = kind if kind in KINDS else parts[0]
        aliases = [alias.strip() for alias in (parts[2] if len(parts) > 2 else "").split(";") if alias.strip()]
        return {"op": "create", "kind": kind, "title": title, "aliases": aliases, "body": _body(lines)}
    if name == "ADD":
        return {"op": "add", "page": parts[0], "section": _rejoined(parts[1:]), "body": _body(lines)}
    if name == "MARK":
        return {"op": "mark", "page": parts[0], **_relations(lines, number)}
    if name in ("RENAME", "MERGE", "MOVE"):
        return _regrouping(name, [*parts, ""], lines, number)
    middle = next((i for i, line in enumerate(lines) if _MIDDLE.fullmatch(line.strip())), None)
    if middle is None:
        raise ProposalError("reply_cut_off", f"the block opened in line {number} has no line of =======")
    passage, body = "\n".join(lines[:middle]).strip("\n"), _body(lines[middle + 1 :])
    if name == "DISPUTE":
        if len(body) != 1:
            raise ProposalError("reply_schema", f"the DISPUTE block in line {number} has {len(body)} claims, not one")
        return {"op": "dispute", "page": parts[0], "passage": passage, "claim": body[0]}
    return {"op": "replace", "page": parts[0], "passage": passage, "body": body}


def _regrouping(name: str, parts: list[str], lines: list[str], number: int) -> dict[str, Any]:
    text = "\n".join(lines).strip("\n")
    if name == "MOVE":
        return {"op": "move", "page": parts[0], "passage": text, "to": parts[1]}
    if text.strip():
        raise ProposalError("reply_schema", f"the {name} block in line {number} has {text.strip()[:60]!r}")
    if name == "MERGE":
        return {"op": "merge", "page": parts[0], "other": parts[1]}
    return {"op": "rename", "page": parts[0], "title": _rejoined(parts[1:])}


def _parted(argument: str) -> list[str]:
    """What stands between the bars of a block's first line; a bar in code, or after a backslash, parts nothing."""
    code = [range(*span) for span in inline.code_spans(argument)]
    bars = [m.start() for m in re.finditer(r"(?<!\\)\|", argument) if not any(m.start() in span for span in code)]
    ends = [-1, *bars, len(argument)]
    return [argument[start + 1 : end].replace("\\|", "|").strip() for start, end in pairwise(ends)]


def _rejoined(parts: list[str]) -> str:
    return " | ".join(filter(None, parts))


def _relations(lines: list[str], number: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for line in filter(str.strip, lines):
        if quote := _QUOTE.fullmatch(line.strip()):
            found.setdefault("quotes", []).append(_unquoted(quote[1]))
            continue
        key, colon, value = line.strip().partition(":")
        if not colon or key not in ("contradicts", "supersedes", "aliases", "confidence"):
            raise ProposalError("reply_schema", f"the MARK block in line {number} has {line.strip()[:60]!r}")
        if key == "confidence":
            found[key] = _confidence(value.strip())
        else:
            found[key] = [item.strip() for item in re.split(r"[;,]", value) if item.strip()]
    return found


def _confidence(value: str) -> float | None:
    if not value:
        return None
    try:
        return float(value)
    except ValueError:
        raise ProposalError("reply_schema", f"confidence is no number: {value[:20]!r}") from None


def _body(lines: list[str]) -> list[dict[str, Any]]:
    return [{"text": text, "quotes": quotes} for text, quotes in _cited(lines)]


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] in '"“' and text[-1] in '"”' else text
