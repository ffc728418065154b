"""Style rules of a page, read as far as it takes to see what they hide: no browser's cascade, and bounded.

Selectors are tags, classes, ids, attributes, what is around and what is before an element; most pseudo-classes are taken
for a match, since what errs here is said and asked about, not lost. Rules for paper and small screens are passed over.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

MOST_RULES = 4000
MOST_TEXT = 1_000_000
MOST_BESIDE = 6
"""Elements before one beside it that a selector is looked for in."""
_DEEPEST = 8
"""Blocks within blocks, as ``@media`` and ``@supports`` make them."""
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_MARKUP = re.compile(r"<!--|-->|<!\[CDATA\[|\]\]>")
"""What sheets of old are wrapped in."""
_ESCAPE = re.compile(r"\\([0-9a-fA-F]{1,6})\s?|\\(.)", re.DOTALL)
_PART = re.compile(
    r"(?P<tag>\*|[a-zA-Z][\w-]*)|#(?P<id>[\w-]+)|\.(?P<class>[\w-]+)"
    r"|\[\s*+(?P<name>[\w-]++)\s*+(?:(?P<how>[~|^$*]?=)\s*+[\"']?(?P<value>[^\"'\]]*+)[\"']?\s*+(?P<case>[isIS]?)\s*+)?\]"
    r"|(?P<pseudo>::?[\w-]+)(?P<of>\([^)]*\))?"
)
_BETWEEN = re.compile(r"\s*([>+~])\s*|\s+")
_BESIDE = frozenset(
    "hover focus focus-within focus-visible active visited target checked open before after selection"
    " marker placeholder backdrop file-selector-button highlight target-text cue grammar-error spelling-error".split()
)
"""Of what is only so when a reader does something, or is no text of the page."""
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")
_MOST_VARIABLES = 5
_CHOICE = re.compile(r":(?:is|where|matches|-webkit-any|-moz-any)\(([^()]{1,500})\)")
_LAYERS = re.compile(r"@layer\s{1,20}([\w.,\s-]{1,500}?)\s{0,20}[;{]")
_COMMA = re.compile(r",(?![^()]{0,500}\))")
_MOST_INNER, _MOST_OUTER = 40, 8
_NARROW = re.compile(r"max-(?:device-)?width:\s*(\d{1,5})px")
_SMALL_SCREEN = 480
"""Pixels; who reads on a larger one sees the page otherwise."""
_UNSUPPORTED = re.compile(r"not\s*\(\s*(?:display:\s*(?:grid|flex)|position:\s*sticky|--[\w-]+:[^()]*)\)")
"""What every browser of today has."""
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
    combinator: str = ""
    """How the element before it stands to it: a blank for above, ``>`` for right above."""

    def fits(self, element: Element) -> bool:
        return (
            self.tag in ("", element.tag)
            and self.id in ("", element.attributes.get("id", ""))
            and self.classes <= element.classes
            and all(_has(element.attributes.get(name), how, value) for name, how, value in self.attributes)
        )

    @property
    def weight(self) -> tuple[int, int, int]:
        return bool(self.id), len(self.classes) + len(self.attributes), bool(self.tag)


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
        names = (name.strip() for match in _LAYERS.finditer(sheets) for name in match[1].split(","))
        self._layers = {name: rank for rank, name in enumerate(dict.fromkeys(names))}
        self._by_key: dict[str, list[tuple[int, _Rule]]] = defaultdict(list)
        self._variables: dict[str, str] = {}
        self._known: dict[object, dict[str, str]] = {}
        self._count = 0
        self._has_variables = "--" in sheets
        self.knows_siblings = False
        for selectors, body, layer in _blocks(_COMMENT.sub(" ", _MARKUP.sub(" ", sheets[:MOST_TEXT]))):
            declared = declarations(body)
            for selector in _alternatives(selectors) if declared else ():
                parts = _parts(selector)
                if parts and self._count < MOST_RULES:
                    self._add(parts, declared, len(self._layers) if layer is None else self._layers.get(layer, 0))

    def _add(self, parts: tuple[_Compound, ...], declared: Mapping[str, str], rank: int) -> None:
        last, self._count = parts[-1], self._count + 1
        self.knows_siblings = self.knows_siblings or any(part.combinator in ("+", "~") for part in parts)
        if len(parts) == 1 and (last.tag in ("html", "body") or last == _ROOT):
            self._variables.update({name: value for name, value in declared.items() if name.startswith("--")})
        weight = tuple(map(sum, zip(*(part.weight for part in parts), strict=True)))
        rule = _Rule(parts, declared, (rank, weight[0], weight[1], weight[2]))
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
        found, important = dict[str, str](), dict[str, str]()
        bodies = [rule.declarations for _, _, rule in sorted(fitting, key=lambda each: each[:2])]
        own = element.attributes.get("style", "")
        for declared in (*bodies, declarations(own) if own else {}):
            for name, value in declared.items():
                plain = value.removesuffix("!important")
                (found if plain == value else important)[name] = plain.strip()
        found |= important
        known = self._variables
        if self._has_variables or "--" in own:
            around = self.of(path[:-1]) if len(path) > 1 else {}
            found = {**{name: value for name, value in around.items() if name.startswith("--")}, **found}
            known = {**known, **{name: value for name, value in found.items() if name.startswith("--")}}
        return {name: _filled(value, known) for name, value in found.items()}


def _filled(value: str, variables: Mapping[str, str]) -> str:
    """``value`` with the variables in it that hold there."""
    for _ in range(_MOST_VARIABLES):
        if "var(" not in value:
            break
        value = _VARIABLE.sub(lambda match: variables.get(match[1], match[2] or ""), value, count=20)[:500]
    return value.strip()


def declarations(body: str) -> dict[str, str]:
    """``name: value`` by name, in lower case, ``!important`` right behind the value."""
    found = {}
    for each in _COMMENT.sub(" ", body).split(";"):
        name, colon, value = each.partition(":")
        if colon:
            value = " ".join(_unescaped(value).lower().split())
            value = re.sub(r" ?! ?important$", "!important", value)
            found[_unescaped(name).strip().lower()] = value[:500]
    return found


def _blocks(
    text: str, depth: int = 0, around: str = "", layer: str | None = None
) -> Iterator[tuple[str, str, str | None]]:
    """Each rule's selectors, body and layer; those in ``@media`` and the like too, and those in the rule for ``around``."""
    at = 0
    while (opens := text.find("{", at)) >= 0:
        head = text[at:opens].rpartition(";")[2].strip()
        closes = _end_of_block(text, opens)
        body, at = text[opens + 1 : closes], closes + 1
        if head.startswith("@property"):
            name, first = head.split()[-1], declarations(body).get("initial-value", "")
            yield ":root", f"{name}:{first}", layer
        elif not head.startswith("@"):
            inner = _within(head, around) if around else head
            yield inner, _without_rules(body), layer
            if "{" in body and depth < _DEEPEST:
                yield from _blocks(body, depth + 1, inner, layer)
        elif depth < _DEEPEST and _is_for_screens(head):
            if around:
                yield around, _without_rules(body), layer
            yield from _blocks(body, depth + 1, around, head[6:].strip() if head.startswith("@layer") else layer)


def _within(selectors: str, around: str) -> str:
    """The selectors of a rule that stands in the one for ``around``; few, for each goes with each."""
    pairs = ((inner, outer) for inner in _alternatives(selectors) for outer in _alternatives(around)[:_MOST_OUTER])
    return ",".join(
        inner.replace("&", outer) if "&" in inner else f"{outer} {inner}" for inner, outer in islice(pairs, _MOST_INNER)
    )


def _without_rules(body: str) -> str:
    """The declarations of a rule, without the rules in it."""
    found, at = [], 0
    while (opens := body.find("{", at)) >= 0:
        found.append(body[at:opens].rpartition(";")[0])
        at = _end_of_block(body, opens) + 1
    return ";".join((*found, body[at:]))


def _alternatives(selectors: str) -> list[str]:
    """``selectors`` one by one, with each that ``:is`` and ``:where`` offer; commas in brackets part nothing else."""
    found: list[str] = []
    waiting = [selectors]
    while waiting and len(found) < _MOST_INNER:
        selector = waiting.pop()
        if choice := _CHOICE.search(selector):
            waiting += [
                f"{selector[: choice.start()]}{each.strip()}{selector[choice.end() :]}"
                for each in choice[1].split(",")[:8]
            ]
        else:
            found += [each.strip() for each in _COMMA.split(selector)]
    return found


def _end_of_block(text: str, opens: int) -> int:
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opens):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(text)


def _is_for_screens(head: str) -> bool:
    name, _, of = head.lower().partition(" ")
    if name == "@media":
        narrow = _NARROW.search(of)
        is_small = narrow is not None and int(narrow[1]) < _SMALL_SCREEN
        return not is_small and ("print" not in of or "screen" in of or "not print" in of)
    if name == "@supports" and _UNSUPPORTED.fullmatch(of):
        return False
    return name in ("@supports", "@layer", "@container", "@scope", "@document")


_ROOT = _Compound(attributes=(("", ":root", ""),))


def _parts(selector: str) -> tuple[_Compound, ...]:
    """The compounds of a selector from the outside in; none for what never fits as the page stands."""
    selector = _unescaped(selector)
    if selector == ":root":
        return (_ROOT,)
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
    while part := _PART.match(selector, at):
        at = part.end()
        if part["pseudo"]:
            if part["pseudo"].lstrip(":") in _BESIDE:
                return None, at
        elif part["name"]:
            how = f"{part['how'] or ''}{(part['case'] or '').lower().removeprefix('s')}"
            attributes.append((part["name"].lower(), how, part["value"] or ""))
        elif part["tag"]:
            tag = "" if part["tag"] == "*" else part["tag"].lower()
        else:
            named = part["id"] or named
            classes |= {part["class"]} - {None}
    return _Compound(tag, named, frozenset(classes), tuple(attributes), combinator), at


def _has(seen: str | None, how: str, value: str) -> bool:
    if how == ":root" or seen is None:
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


def _unescaped(text: str) -> str:
    """``text`` with ``\\64 isplay`` read as ``display``."""
    if "\\" not in text:
        return text
    return _ESCAPE.sub(lambda match: chr(min(int(match[1], 16), 0x10FFFF)) if match[1] else match[2], text)
