"""Style rules of a page, read as far as it takes to see what they hide: no browser's cascade, and bounded.

Selectors are tags, classes, ids, attributes, what is around and what is before an element; most pseudo-classes are taken
for a match, since what errs here is said and asked about, not lost. Rules for paper and small screens are passed over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lengths import EM, length
from style_sheets import alternatives, declarations, keyframes, plain, rules, unescaped

MOST_RULES = 20_000
MOST_TEXT = 1_000_000
MOST_BESIDE = 6
"""Elements before one beside it that a selector is looked for in."""
BEFORE, AFTER = "::before", "::after"
"""What a rule paints before and behind an element's text is an element right in it, of that name."""
_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\[^0-9a-fA-F\n])++"
_PART = re.compile(
    rf"(?P<tag>\*|{_NAME})|#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    r"|\[\s*+(?P<name>[\w-]++)\s*+(?:(?P<how>[~|^$*]?=)\s*+[\"']?(?P<value>[^\"'\]]*+)[\"']?\s*+(?P<case>[isIS]?)\s*+)?\]"
    r"|(?P<pseudo>::?[\w-]+)(?P<of>\((?:[^()]++|\([^()]*+\))*+\))?"
)
_NAMESPACE = re.compile(r"(?:\*|\b\w{1,40})?\|(?=[\w*])")
_PAINTED = re.compile(r"::?(before|after)$", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*([>+~])\s*|\s+")
_BESIDE = frozenset(
    "hover focus focus-within focus-visible active visited target selection marker placeholder backdrop fullscreen modal"
    " popover-open file-selector-button highlight target-text cue grammar-error spelling-error host slotted part".split()
)
"""Of what is only so when a reader does something, or is no text of the page."""
_STATES = dict.fromkeys(("checked", "disabled", "open", "required", "readonly"))
_WEIGHTLESS = re.compile(r":where\((?:[^()]++|\([^()]*+\)){0,200}+\)|[\"'][^\"']*+[\"']")
_CHOSEN = re.compile(r":(?:is|not|has|matches|-webkit-any|-moz-any)\(((?:[^()]++|\([^()]*+\)){0,200}+)\)")
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_MOST_VARIABLES = 5
_LAYERS = re.compile(r"@layer\s{1,20}([\w.,\s-]{1,500}?)\s{0,20}[;{]")
_LONG = 60.0
"""Seconds after which a reader has seen what a page begins with."""
_MOST_KNOWN = 2000
"""Places on the page whose styles are kept at a time; most pages repeat few of them."""


@dataclass(frozen=True)
class Element:
    """An open element: its name and attributes, in lower case."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    earlier: tuple[Element, ...] | None = None
    """The nearest ones before it beside it, ``MOST_BESIDE`` at most, the nearest last; None where they are not known."""

    @cached_property
    def classes(self) -> frozenset[str]:
        return frozenset(self.attributes.get("class", "").split())

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The same for elements that look the same."""
        return self.tag, frozenset(self.attributes.items()), tuple(each.key for each in self.earlier or ())


@dataclass(frozen=True)
class _Compound:
    """What one element has to be: ``p.note[lang]``."""

    tag: str = ""
    id: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str], ...] = ()
    without: tuple[_Compound, ...] = ()
    is_first: bool = False
    combinator: str = ""
    """How the element before it stands to it: a blank for above, ``>`` for right above."""

    def fits(self, element: Element) -> bool:
        return (
            self.tag in ("", element.tag)
            and self.id in ("", element.attributes.get("id", ""))
            and self.classes <= element.classes
            and all(_has(element.attributes.get(name), how, value) for name, how, value in self.attributes)
            and not (self.is_first and element.earlier)
            and not any(each.fits(element) for each in self.without)
        )


@dataclass(frozen=True)
class _Rule:
    parts: tuple[_Compound, ...]
    declarations: Mapping[str, str]
    weight: tuple[int, int, int, int]
    """The rank of its layer, those of none last, and what its selector names: ids, classes, tags."""

    def fits(self, path: Sequence[Element]) -> bool:
        """True for the last element of ``path``, which leads to it from the outside."""
        if not self.parts[-1].fits(path[-1]):
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
            while how != ">" and at >= 0 and not part.fits(path[at]):
                at -= 1
            if at < 0 or not part.fits(path[at]):
                return False
            earlier = path[at].earlier
            at -= 1
        return True


def _beside(part: _Compound, earlier: Sequence[Element] | None, how: str) -> int | None:
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
        self.knows_siblings = ":first-" in sheets
        self.paints_beside: set[str] = set()
        """Which of ``BEFORE`` and ``AFTER`` a rule is about."""
        for selectors, body, layer in rules(sheets):
            declared = declarations(body)
            for selector in alternatives(selectors) if declared else ():
                parts = _parts(selector)
                if parts and self._count < MOST_RULES:
                    rank = len(self._layers) if layer is None else self._layers.get(layer, 0)
                    self._add(parts, declared, (rank, *_weight(selectors if ":is(" in selectors else selector)))

    def _add(
        self, parts: tuple[_Compound, ...], declared: Mapping[str, str], weight: tuple[int, int, int, int]
    ) -> None:
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


def _parts(selector: str) -> tuple[_Compound, ...]:
    """The compounds of a selector from the outside in; none for what never fits as the page stands."""
    selector = _NAMESPACE.sub("", selector)
    if selector == ":root":
        return (_Compound("html"),)
    if painted := _PAINTED.search(selector):
        around = _parts(selector[: painted.start()] or "*")
        return (*around, _Compound(f"::{painted[1].lower()}", combinator=">")) if around else ()
    found: list[_Compound] = []
    at, combinator = 0, ""
    while at < len(selector):
        compound, end = _compound(selector, at, combinator)
        if compound is None or end == at:
            return ()
        found.append(compound)
        between = _BETWEEN.match(selector, end)
        if between is None:
            return tuple(found) if end == len(selector) else ()
        at, combinator = between.end(), between[1] or " "
    return tuple(found)


def _compound(selector: str, at: int, combinator: str) -> tuple[_Compound | None, int]:
    tag, named, classes, attributes = "", "", set[str](), list[tuple[str, str, str]]()
    without, is_first = list[_Compound](), False
    while part := _PART.match(selector, at):
        at = part.end()
        if part["pseudo"]:
            name = part["pseudo"].lstrip(":").lower()
            if name in _BESIDE or (name == "empty" and at == len(selector)):
                return None, at
            if name in _STATES:
                attributes.append((name, "", ""))
            elif name == "not":
                without += [inner for each in part["of"][1:-1].split(",")[:8] if (inner := _alone(each.strip()))]
            is_first = is_first or name in ("first-child", "only-child")
        elif part["name"]:
            how = f"{part['how'] or ''}{(part['case'] or '').lower().removeprefix('s')}"
            attributes.append((part["name"].lower(), how, part["value"] or ""))
        elif part["tag"]:
            tag = "" if part["tag"] == "*" else unescaped(part["tag"]).lower()
        else:
            named = unescaped(part["id"] or "") or named
            classes |= {unescaped(part["class"])} if part["class"] else set()
    return _Compound(tag, named, frozenset(classes), tuple(attributes), tuple(without), is_first, combinator), at


def _alone(selector: str) -> _Compound | None:
    """The one compound that ``selector`` is, without pseudo-classes that nothing is known of; None for any other."""
    if re.search(r":(?!checked|disabled|open|first-child)", selector):
        return None
    compound, end = _compound(selector, 0, "")
    return compound if end == len(selector) > 0 else None


def _weight(selector: str) -> tuple[int, int, int]:
    """How many ids, classes and tags it names; of what ``:is`` and ``:not`` offer, what weighs most."""
    selector = _WEIGHTLESS.sub("", selector)
    offered = [max(map(_weight, choice.split(","))) for choice in _CHOSEN.findall(selector)]
    bare = _CHOSEN.sub("", selector)
    own = (
        bare.count("#"),
        len(re.findall(r"\.(?!\d)|\[|(?<!:):(?!:)", bare)),
        len(re.findall(r"(?:^|[\s>+~])[a-zA-Z]|::", bare)),
    )
    return tuple(map(sum, zip(own, *offered, strict=True)))  # type: ignore[return-value]


def _has(seen: str | None, how: str, value: str) -> bool:
    if seen is None:
        return False
    if how.endswith("i"):
        return _has(seen.casefold(), how[:-1], value.casefold())
    tests = {
        "": True,
        "=": seen == value,
        "~=": value in seen.split(),
        "|=": seen == value or seen.startswith(f"{value}-"),
        "^=": seen.startswith(value),
        "$=": seen.endswith(value),
        "*=": value in seen,
    }
    return tests[how]
