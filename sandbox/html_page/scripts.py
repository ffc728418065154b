"""What a page's own scripts take away as soon as it is loaded, as rules of a style sheet: read, never run, and bounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

_MOST_BLOCKS = 3000
_MOST, _MOST_CHOSEN = 60_000, 100
"""Characters of a script that are looked at; what is longer is a library."""
_CHOSEN = re.compile(
    r"(?:(\w{1,40})\s{0,5}=\s{0,5})?(?:document\.)?(getElementById|querySelectorAll|querySelector|getElementsByClassName|"
    r"getElementsByTagName|\$|jQuery)\(\s{0,5}([\"'`])([^\"'`{}<>;]{1,100})\3\s{0,5}\)"
)
_SHEET = re.compile(r"[\"'`](?:<style[^<>\"'`]{0,50}>)?((?:[^{}\"'`<>]{1,100}\{[^{}\"'`]{1,300}\}\s{0,9}){1,20})")
_CLASSED = re.compile(
    r"(getElementById|querySelector|\$|jQuery)\(\s{0,5}([\"'`])([^\"'`{}<>;]{1,100})\2\s{0,5}\)"
    r"\.(?:classList\.add\(|addClass\(|className\s{0,3}\+?=)\s{0,3}[\"'`]\s{0,3}([\w-]{1,60})"
)
_DONE = (
    r"\.(?:style\.(?:display\s{0,3}=\s{0,3}[\"'`]none|visibility\s{0,3}=\s{0,3}[\"'`](?:hidden|collapse)"
    r"|(?:opacity|fontSize|height|zoom)\s{0,3}=\s{0,3}[\"'`]?0(?![.\d]{0,9}[1-9]))|remove\(|hidden\s{0,3}=\s{0,3}(?:true|!0)"
    r"|(?:innerHTML|innerText|textContent|outerHTML)\s{0,3}=(?!=)|replaceWith\(|replaceChildren\(|hide\(|empty\("
    r"|setAttribute\(\s{0,3}[\"'`](?:hidden|style[\"'`],\s{0,3}[\"'`][^\"'`]{0,99}(?:none|hidden|opacity:\s?0|size:\s?0))"
    r"|(?:style(?:\.cssText)?|css)\s{0,3}[=(]\s{0,3}[\"'`][^\"'`]{0,99}(?:none|hidden|opacity:\s?0|size:\s?0))"
)
_SHOWS = re.compile(
    r"\.(?:style\.(?:display\s{0,3}=\s{0,3}[\"'`](?!none)|visibility\s{0,3}=\s{0,3}[\"'`]visible|opacity\s{0,3}=\s{0,3}[\"'`]?[.\d]{0,3}[1-9])"
    r"|hidden\s{0,3}=\s{0,3}(?:false|!1)|removeAttribute\(|(?:show|fadeIn|toggle|slideToggle)\()"
)
_ENDS = re.compile(_DONE)
_BRACE = re.compile(r"[{}]")
_AT_ONCE = re.compile(
    r"(?:(?:^|[;\n!}])\s{0,20}\(\s{0,5}(?:async\s{1,5})?(?:function[^(){}]{0,40}\([^()]{0,80}\)|\([^()]{0,80}\)\s{0,5}=>)"
    r"|(?:DOMContentLoaded|[\"'](?:load|pageshow)[\"']|onload|requestAnimationFrame|setTimeout|queueMicrotask|forEach|ready"
    r"|\$\(\s{0,5}function)[^{};]{0,80}|\b(?:for|if)\s{0,5}\([^{}]{0,200}\)|\b(?:try|else))\s{0,5}$"
)
_LATER = re.compile(r"=>|\bfunction\b|\bon\w{1,20}\s{0,3}=|\breturn\b")
_SOON = re.compile(r"DOMContentLoaded|[\"']load[\"']|onload|setTimeout|requestAnimationFrame|forEach")


def rules_of(script: str) -> str:
    """Rules that hide what ``script`` takes away without anybody doing anything."""
    if len(script) > _MOST:
        return ""
    later = _later(script)
    taken = dict.fromkeys(_taken_away(script, later)) if _ENDS.search(script) else ()
    rules = [f"{chosen}{{display:none}}" for chosen in taken]
    if any(word in script for word in ("insertRule", "replaceSync", "<style", "'style'", '"style"')):
        rules += [found[1] for found in islice(_SHEET.finditer(script), 20) if _runs(script, found.start(), later)]
    for match in islice(_CLASSED.finditer(script), _MOST_CHOSEN):
        if _runs(script, match.start(), later):
            rules.append(f"\n{_selector(match[1], match[3])}{{--as:{match[4]}}}")
    return "".join(rules)


def _selector(how: str, said: str) -> str:
    return {"getElementById": "#", "getElementsByClassName": "."}.get(how, "") + said.strip()


def _taken_away(script: str, later: list[tuple[int, int]]) -> Iterator[str]:
    for match in islice(_CHOSEN.finditer(script), _MOST_CHOSEN):
        name, how, _, said = match.groups()
        chosen = _selector(how, said)
        if _runs(script, match.start(), later) and _is_taken(script, match.end(), name, later):
            shows = re.compile(re.escape(match[3] + said + match[3]) + r"\s{0,5}\)" + _SHOWS.pattern)
            if not shows.search(script) and not (name and re.search(rf"\b{name}{_SHOWS.pattern}", script)):
                yield chosen


def _is_taken(script: str, end: int, name: str | None, later: list[tuple[int, int]]) -> bool:
    statement = script[end : end + 200].partition(";")[0]
    if _ENDS.match(statement.removeprefix("[0]")) or (
        ("forEach" in statement or script[end : end + 1] == ")") and _ENDS.search(statement)
    ):
        return True
    found = re.compile(rf"\b{re.escape(name)}(?:\[0\])?{_DONE}").search(script, end) if name else None
    return found is not None and _runs(script, found.start(), later)


def _runs(script: str, at: int, later: list[tuple[int, int]]) -> bool:
    """True for what runs as the page is loaded; not for what waits for a click."""
    if any(start < at < end for start, end in later):
        return False
    statement = re.split(r"[;{}\n]", script[max(0, at - 200) : at])[-1]
    return not _LATER.search(statement) or bool(_SOON.search(statement))


def _later(script: str) -> list[tuple[int, int]]:
    """From where to where code waits to be called."""
    found, opened = [], list[tuple[int, bool]]()
    if script.count("{") > _MOST_BLOCKS:
        return [(-1, len(script))]
    for brace in _BRACE.finditer(script):
        if brace[0] == "{":
            opened.append((brace.start(), not _AT_ONCE.search(script[max(0, brace.start() - 200) : brace.start()])))
        elif opened:
            start, waits = opened.pop()
            found += [(start, brace.end())] if waits else []
    return found[:2000]
