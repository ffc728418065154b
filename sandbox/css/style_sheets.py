"""A style sheet taken apart: the rules that hold on a screen of today, each with its declarations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from css.lengths import EM, length

_DEEPEST = 8
"""Blocks within blocks, as ``@media`` and ``@supports`` make them."""
_MOST_INNER, _MOST_OUTER = 40, 8
_LEAST_SIZE_OF_FONT = 0.35
_ASIDE = re.compile(
    r"/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.){0,20000}+\"|'(?:[^'\\\n]|\\.){0,20000}+'|<!--|-->|<!\[CDATA\[|\]\]>",
    re.DOTALL,
)
"""Comments, what sheets of old are wrapped in, and quoted words, whose signs part nothing."""
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_CHOICE = re.compile(r":(?:is|where|matches|-webkit-any|-moz-any)\(([^()]{1,500})\)")
_OWN_PART = re.compile(r"(.*[\s>+~,(]|)([^\s>+~,(]*)", re.DOTALL)
_COMMA = re.compile(r",(?![^()]{0,500}\))")
_IN_BRACKETS = re.compile(r"(not\s*)?\(([^()]{1,200})\)")
_BOXES = frozenset("block inline flow table flex grid ruby math list contents none run webkit".split())
_ORDER = re.compile(r"(<=|>=|<|>|=)")
_SCREEN = {"width": 1280.0, "height": 800.0, "aspect-ratio": 1.6, "color": 8.0, "monochrome": 0.0, "grid": 0.0}
_SAID = {
    "orientation": "landscape",
    "prefers-color-scheme": "light",
    "scripting": "enabled",
    "display-mode": "browser",
    "update": "fast",
    **dict.fromkeys(("hover", "any-hover"), "hover"),
    **dict.fromkeys(("pointer", "any-pointer"), "fine"),
    **dict.fromkeys(("prefers-reduced-motion", "prefers-contrast", "prefers-reduced-data"), "no-preference"),
    **dict.fromkeys(("forced-colors", "inverted-colors"), "none"),
}
"""What a reader's screen answers, who sits at a desk and has set nothing."""

Rule = tuple[str, str, str | None]
"""Selectors, body, and the layer it is in."""


def plain(sheet: str) -> str:
    """``sheet`` without comments, and with no brace or semicolon in quoted words."""
    return _ASIDE.sub(lambda found: " " if found[0][0] not in "\"'" else re.sub(r"[{};]|/\*", "_", found[0]), sheet)


def declarations(body: str) -> dict[str, str]:
    """``name: value`` by name, in lower case, ``!important`` right behind the value."""
    found = {}
    for each in plain(body).split(";"):
        name, colon, value = each.partition(":")
        if colon:
            value = " ".join(unescaped(value).lower().split())
            value = re.sub(r" ?! ?important$", "!important", value)
            found[unescaped(name).strip().lower()] = value[:500]
    return found


def rules(text: str, depth: int = 0, around: str = "", layer: str | None = None) -> Iterator[Rule]:
    """Each rule of a ``plain`` sheet; those in ``@media`` and the like too, and those in the rule for ``around``."""
    for head, body in _blocks(text):
        name, _, of = head.lower().partition(" ")
        if name == "@property":
            yield ":root", f"{of}:{declarations(body).get('initial-value', '')}", layer
        elif not head.startswith("@"):
            inner = _within(head, around) if around else head
            yield inner, _without_rules(body), layer
            if "{" in body and depth < _DEEPEST:
                yield from rules(body, depth + 1, inner, layer)
        elif name == "@scope" and depth < _DEEPEST:
            scope = re.match(r"@scope\s{0,9}\(([^{}]{1,200}?)\)(?:\s{0,9}to\s|$)", head)
            yield from rules(body, depth + 1, scope[1] if scope else around, layer)
        elif depth < _DEEPEST and _holds(name, of):
            if around:
                yield around, _without_rules(body), layer
            yield from rules(body, depth + 1, around, of.strip() if name == "@layer" else layer)


def keyframes(text: str) -> dict[str, tuple[Mapping[str, str], Mapping[str, str]]]:
    """What holds at the start and at the end of each animation of a ``plain`` sheet."""
    found: dict[str, tuple[Mapping[str, str], Mapping[str, str]]] = {}
    for head, body in _blocks(text) if "keyframes" in text else ():
        if re.match(r"@(?:-\w{1,9}-)?keyframes\s", head):
            frames = {
                at.strip().lower(): declarations(inner) for when, inner in _blocks(body) for at in when.split(",")
            }
            found[head.split()[-1].strip("\"'").lower()] = (
                frames.get("from", frames.get("0%", {})),
                frames.get("to", frames.get("100%", {})),
            )
        elif head.startswith(("@media", "@supports", "@layer")):
            found |= keyframes(body)
    return found


def tiny_fonts(text: str) -> list[str]:
    """The names of fonts that a ``plain`` sheet makes so small that nobody reads them."""
    found = []
    for body in (
        re.findall(r"@font-face\s{0,9}\{([^{}]{0,100000})\}", text, re.IGNORECASE) if "size-adjust" in text else ()
    ):
        declared = declarations(body)
        size = length(declared.get("size-adjust", ""), EM, percent=1)
        if size is not None and size < _LEAST_SIZE_OF_FONT:
            found.append(declared.get("font-family", "?").strip("\"' "))
    return found


def alternatives(selectors: str) -> list[str]:
    """``selectors`` one by one, with each that ``:is`` and ``:where`` offer; commas in brackets part nothing else."""
    found: list[str] = []
    waiting = [selectors]
    while waiting and len(found) < _MOST_INNER:
        selector = waiting.pop()
        if choice := _CHOICE.search(selector):
            around, own = _OWN_PART.fullmatch(selector[: choice.start()]).groups()  # type: ignore[union-attr]
            for each in (each.strip() for each in choice[1].split(",")[:8]):
                # A tag goes before the classes that it is asked of.
                named = f"{each}{own}" if each[:1].isalpha() and not own[:1].isalpha() else f"{own}{each}"
                waiting.append(f"{around}{named}{selector[choice.end() :]}")
        else:
            found += [each.strip() for each in _COMMA.split(selector)]
    return found


def unescaped(text: str) -> str:
    """``text`` with ``\\64 isplay`` read as ``display``."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else match[2], text)


def holds_on_screens(media: str) -> bool:
    """True for a list of media, as ``screen and (min-width: 40em)``, that fits a reader's screen."""
    return any(_fits(each, _feature) for each in media.lower().split(","))


def _holds(name: str, of: str) -> bool:
    if name == "@media":
        return holds_on_screens(of)
    if name == "@supports":
        return _fits(of, _is_known)
    if name == "@container":
        return _fits(of.partition("(")[1] + of.partition("(")[2], _feature)
    return name in ("@layer", "@document")


def _is_known(said: str) -> bool:
    """True for a declaration that browsers of today know, as far as its name and its kind of box tell."""
    name, _, value = (part.strip() for part in said.partition(":"))
    kind = re.split(r"[ -]", value.lstrip("-"), maxsplit=1)[0]
    return not name.startswith(("-moz-", "-ms-", "-o-")) and (name != "display" or kind in _BOXES)


def _fits(query: str, is_so: Callable[[str], bool]) -> bool:
    """Whether what stands in a query's brackets is so, all of it or, where it says ``or``, some."""
    words = _IN_BRACKETS.sub(" ", query)
    verdicts = [bool(negated) is not is_so(said) for negated, said in _IN_BRACKETS.findall(query)]
    found = any(verdicts) if re.search(r"\bor\b", words) else all(verdicts)
    if re.search(r"\b(?:print|speech|tty|tv|projection|handheld|braille|aural|embossed)\b", words):
        found = False
    return found is not (words.split()[:1] == ["not"])


def _feature(said: str) -> bool:
    name, colon, value = (part.strip() for part in said.partition(":"))
    if colon:
        bound, _, bare = name.partition("-")
        if bound not in ("min", "max"):
            return name not in _SAID or _SAID[name] == value
        own, number = _SCREEN.get(bare.removeprefix("device-")), _number(value)
        return own is None or number is None or (own >= number if bound == "min" else own <= number)
    parts = [part.strip() for part in _ORDER.split(said)]
    if len(parts) < 3:
        return _SAID.get(name, "") not in ("none", "no-preference") and _SCREEN.get(name, 1.0) > 0
    numbers = [_SCREEN.get(part.removeprefix("device-"), _number(part)) for part in parts[::2]]
    return all(
        one is None or other is None or _compared(one, sign, other)
        for one, sign, other in zip(numbers, parts[1::2], numbers[1:], strict=False)
    )


def _number(said: str) -> float | None:
    over, slash, under = said.partition("/")
    share = [length(part, EM, percent=0) for part in (over, under)]
    return share[0] / share[1] if slash and share[0] and share[1] else share[0]


def _compared(one: float, sign: str, other: float) -> bool:
    return (one < other and "<" in sign) or (one > other and ">" in sign) or (one == other and "=" in sign)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """What stands before each pair of braces, and in it."""
    at = 0
    while (opens := text.find("{", at)) >= 0:
        head = text[at:opens].rpartition(";")[2].strip()
        closes = _end_of_block(text, opens)
        yield head, text[opens + 1 : closes]
        at = closes + 1


def _within(selectors: str, around: str) -> str:
    """The selectors of a rule that stands in the one for ``around``; few, for each goes with each."""
    pairs = ((inner, outer) for inner in alternatives(selectors) for outer in alternatives(around)[:_MOST_OUTER])
    return ",".join(
        re.sub(r"&|:scope\b", lambda _, outer=outer: outer, inner)  # type: ignore[misc]
        if "&" in inner or ":scope" in inner
        else f"{outer} {inner}"
        for inner, outer in islice(pairs, _MOST_INNER)
    )


def _without_rules(body: str) -> str:
    """The declarations of a rule, without the rules in it."""
    found, at = [], 0
    while (opens := body.find("{", at)) >= 0:
        found.append(body[at:opens].rpartition(";")[0])
        at = _end_of_block(body, opens) + 1
    return ";".join((*found, body[at:]))


def _end_of_block(text: str, opens: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opens):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(text)
