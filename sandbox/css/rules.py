"""Style rules of a page, read as far as it takes to see what they hide: no browser's cascade, and bounded.

Rules for paper and small screens are passed over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from css.lengths import EM, length
from css.selectors import AFTER, BEFORE, MOST_BESIDE, Compound, Element, compounds, weight
from css.style_sheets import alternatives, declarations, keyframes, plain, rules, tiny_fonts

MOST_RULES = 20_000
MOST_TEXT = 1_000_000
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_MOST_VARIABLES = 5
_LAYERS = re.compile(r"@layer\s{1,20}([\w.,\s-]{1,500}?)\s{0,20}[;{]")
_LONG = 60.0
"""Seconds after which a reader has seen what a page begins with."""
_MOST_KNOWN = 2000
"""Places on the page whose styles are kept at a time; most pages repeat few of them."""


@dataclass(frozen=True)
class _Rule:
    parts: tuple[Compound, ...]
    declarations: Mapping[str, str]
    weight: tuple[int, int, int, int]
    """The rank of its layer, those of none last, and what its selector names: ids, classes, tags."""

    def fits(self, path: Sequence[Element]) -> bool:
        """True for the last element of ``path``, which leads to it from the outside."""
        if not self.parts[-1].fits_at(path, len(path) - 1):
            return False
        at, rest, earlier = len(path) - 2, list(self.parts), path[-1].earlier
        while len(rest) > 1:
            part, how = rest[-2], rest[-1].combinator
            rest.pop()
            if how in "+~":
                if (found := _beside(part, earlier, how)) is None:
                    return False
                earlier = earlier and earlier[:found]
                continue
            while how != ">" and at >= 0 and not part.fits_at(path, at):
                at -= 1
            if at < 0 or not part.fits_at(path, at):
                return False
            earlier = path[at].earlier
            at -= 1
        return True


def _beside(part: Compound, earlier: Sequence[Element] | None, how: str) -> int | None:
    """The place of the one that ``part`` fits; None for none. What is not known is taken for it."""
    if earlier is None:
        return 0
    first = max(len(earlier) - 1, 0) if how == "+" else 0
    fitting = [place for place in range(first, len(earlier)) if part.fits(earlier[place])]
    return fitting[-1] if fitting else 0 if how == "~" and len(earlier) == MOST_BESIDE else None


class StyleRules:
    """All rules of a page's style sheets."""

    def __init__(self, sheets: str) -> None:
        sheets = plain(sheets[:MOST_TEXT])
        names = (name.strip() for match in _LAYERS.finditer(sheets) for name in match[1].split(","))
        self._layers = {name: rank for rank, name in enumerate(dict.fromkeys(names))}
        self._by_key: dict[str, list[tuple[int, _Rule]]] = defaultdict(list)
        self._variables: dict[str, str] = {}
        self._known: dict[object, dict[str, str]] = {}
        self._count = 0
        self._has_variables = "--" in sheets
        self._keyframes = keyframes(sheets)
        self._tiny_fonts = tiny_fonts(sheets)
        self.knows_siblings = ":first-" in sheets or ":nth-child" in sheets
        self.paints_beside: set[str] = set()
        """Which of ``BEFORE`` and ``AFTER`` a rule is about."""
        for selectors, body, layer in rules(sheets):
            declared = declarations(body)
            for selector in alternatives(selectors) if declared else ():
                parts = compounds(selector)
                if parts and self._count < MOST_RULES:
                    rank = len(self._layers) if layer is None else self._layers.get(layer, 0)
                    self._add(parts, declared, (rank, *weight(selectors if ":is(" in selectors else selector)))

    def _add(self, parts: tuple[Compound, ...], declared: Mapping[str, str], weight: tuple[int, int, int, int]) -> None:
        last, self._count = parts[-1], self._count + 1
        self.knows_siblings = self.knows_siblings or any(part.combinator in ("+", "~") for part in parts)
        self.paints_beside |= {last.tag} & {BEFORE, AFTER}
        if len(parts) == 1 and last.tag in ("html", "body"):
            self._variables.update({name: value for name, value in declared.items() if name.startswith("--")})
        rule = _Rule(parts, declared, weight)
        key = f"#{last.id}" if last.id else f".{min(last.classes)}" if last.classes else last.tag or "*"
        self._by_key[key].append((self._count, rule))

    def of(self, path: Sequence[Element]) -> Mapping[str, str]:
        """What holds for the last element of ``path``: the rules that fit, then its own ``style``."""
        key = tuple(element.key for element in path)
        if key not in self._known:
            if len(self._known) > _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._of(path)
        return self._known[key]

    def _of(self, path: Sequence[Element]) -> dict[str, str]:
        element = path[-1]
        keys = (f"#{element.attributes.get('id', '')}", *(f".{name}" for name in element.classes), element.tag, "*")
        fitting = [(rule.weight, at, rule) for key in keys for at, rule in self._by_key.get(key, ()) if rule.fits(path)]
        fitting.sort(key=lambda each: each[:2])
        # What is important is so the more, the earlier its layer.
        urgent = sorted(fitting, key=lambda each: (-each[0][0], each[0][1:], each[1]))
        own = element.attributes.get("style", "")
        own_declared = declarations(own) if own else {}
        found = dict[str, str]()
        for is_important, order in ((False, fitting), (True, urgent)):
            for declared in (*(rule.declarations for _, _, rule in order), own_declared):
                for name, value in declared.items():
                    if value.endswith("!important") is is_important:
                        found[name] = value.removesuffix("!important").strip()
        known = self._variables
        if self._has_variables or "--" in own:
            around = self.of(path[:-1]) if len(path) > 1 else {}
            found = {**{name: value for name, value in around.items() if name.startswith("--")}, **found}
            known = {**known, **{name: value for name, value in found.items() if name.startswith("--")}}
        found = {name: _filled(value, known) for name, value in found.items()}
        if self._tiny_fonts:
            family = found.get("font-family", found.get("font", "")).partition(",")[0]
            if any(family.strip("\"' ").endswith(name) for name in self._tiny_fonts):
                found["font-size-adjust"] = "0"
        return self._animated(found) if self._keyframes and any(name in found for name in _ANIMATED) else found

    def _animated(self, found: dict[str, str]) -> dict[str, str]:
        """``found`` with what an animation in it begins with, ends with, or never changes."""
        words = " ".join(value for name, value in found.items() if "animation" in name).replace(",", " ").split()
        first, last = next((self._keyframes[word] for word in words if word in self._keyframes), ({}, {}))
        if "reverse" in words:
            first, last = last, first
        times = [length(word.rstrip("ms"), EM, percent=0) or 0.0 for word in words if re.fullmatch(r"[\d.]+s", word)]
        if "paused" in words or sum(times) > _LONG:
            return {**found, **first}
        if "forwards" in words or "both" in words:
            return {**found, **last}
        return {**found, **{name: value for name, value in first.items() if last.get(name) == value}}


_ANIMATED = ("animation", "animation-name", "-webkit-animation", "-webkit-animation-name")


def _filled(value: str, variables: Mapping[str, str]) -> str:
    """``value`` with the variables in it that hold there."""
    for _ in range(_MOST_VARIABLES):
        if "var(" not in value:
            break
        value = _VARIABLE.sub(lambda match: variables.get(match[1], match[2] or ""), value, count=20)[:500]
    return value.strip()
