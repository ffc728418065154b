"""Selectors of style sheets, as far as they are read: what an element has to be, and what has to be around and before it.

Tags, classes, ids, attributes, and pseudo-classes that may hold while a reader does nothing. Those that depend on what
follows are taken for a match, since what errs there is said and asked about; those that nobody knows make a rule void, as
in a browser.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from css.style_sheets import unescaped

MOST_BESIDE = 16
"""Elements before one beside it that a selector is looked for in."""
BEFORE, AFTER = "::before", "::after"
"""What a rule paints before and behind an element's text is an element right in it, of that name."""
_NAME = r"(?:[\w-]|[^\x00-\x7f]|\\[0-9a-fA-F]{1,6}\s?|\\[^0-9a-fA-F\n])++"
_PART = re.compile(
    rf"(?P<tag>\*|{_NAME})|#(?P<id>{_NAME})|\.(?P<class>{_NAME})"
    r"|\[\s*+(?P<name>[\w-]++)\s*+(?:(?P<how>[~|^$*]?=)\s*+[\"']?(?P<value>[^\"'\]]*+)[\"']?\s*+(?P<case>[isIS]?)\s*+)?\]"
    r"|(?P<pseudo>::?[\w-]+)(?P<of>\((?:[^()]++|\([^()]*+\))*+\))?"
)
_OF_HEAD = frozenset("style script link meta title base template".split())
_NTH = re.compile(r"(?:(?P<step>[+-]?\d{0,4})(?P<n>n))?(?P<first>[+-]?\d{1,6})?")
_NAMESPACE = re.compile(r"(?:\*|\b\w{1,40})?\|(?=[\w*])")
_PAINTED = re.compile(r"::?(before|after)$", re.IGNORECASE)
_FOLDED = re.compile(r"::details-content$", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*([>+~])\s*|\s+")
_RESTING = frozenset(
    "link any-link -webkit-any-link root scope first-child last-child only-child nth-child nth-last-child nth-of-type"
    " nth-last-of-type first-of-type last-of-type only-of-type enabled optional read-write read-only valid invalid in-range"
    " out-of-range defined default indeterminate placeholder-shown empty has is where not matches -webkit-any -moz-any"
    " first-line first-letter lang dir".split()
)
"""What may hold while a reader does nothing: all others do not, or are unknown to browsers."""
_STATES = dict.fromkeys(("checked", "disabled", "open", "required", "readonly"))
_WEIGHTLESS = re.compile(r":where\((?:[^()]++|\([^()]*+\)){0,200}+\)|[\"'][^\"']*+[\"']")
_CHOSEN = re.compile(r":(?:is|not|has|matches|-webkit-any|-moz-any)\(((?:[^()]++|\([^()]*+\)){0,200}+)\)")


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
class Compound:
    """What one element has to be: ``p.note[lang]``."""

    tag: str = ""
    id: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str], ...] = ()
    without: tuple[Compound, ...] = ()
    is_first: bool = False
    nth: str = ""  # of ``:nth-child``
    inherited: tuple[tuple[str, str], ...] = ()
    """The language and the direction that it or what is around it has."""
    combinator: str = ""
    """How the element before it stands to it: a blank for above, ``>`` for right above."""

    def fits(self, element: Element) -> bool:
        return (
            self.tag in ("", element.tag)
            and self.id in ("", element.attributes.get("id", ""))
            and self.classes <= element.classes
            and all(_has(element.attributes.get(name), how, value) for name, how, value in self.attributes)
            and not (self.is_first and element.earlier)
            and (not self.nth or _is_nth(self.nth, element.earlier))
            and not any(each.fits(element) for each in self.without)
        )

    def fits_at(self, path: Sequence[Element], at: int) -> bool:
        """The same for the element at this place of ``path``, which leads to it from the outside."""
        return self.fits(path[at]) and all(_is_inherited(path[: at + 1], *each) for each in self.inherited)


def compounds(selector: str) -> tuple[Compound, ...]:
    """The compounds of a selector from the outside in; none for what never fits as the page stands."""
    selector = _NAMESPACE.sub("", selector)
    if selector == ":root":
        return (Compound("html"),)
    selector = _FOLDED.sub(" > :not(summary)", selector)
    if painted := _PAINTED.search(selector):
        around = compounds(selector[: painted.start()] or "*")
        return (*around, Compound(f"::{painted[1].lower()}", combinator=">")) if around else ()
    found: list[Compound] = []
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


def _compound(selector: str, at: int, combinator: str) -> tuple[Compound | None, int]:
    tag, named, classes, attributes = "", "", set[str](), list[tuple[str, str, str]]()
    without, is_first, nth, inherited = list[Compound](), False, "", list[tuple[str, str]]()
    while part := _PART.match(selector, at):
        at = part.end()
        if part["pseudo"]:
            name = part["pseudo"].lstrip(":").lower()
            of = (part["of"] or "")[1:-1].strip().lower()
            if (name not in _RESTING and name not in _STATES) or (name == "empty" and at == len(selector)):
                return None, at
            if name in _STATES:
                attributes.append((name, "", ""))
            elif name == "not":
                without += [inner for each in part["of"][1:-1].split(",")[:8] if (inner := _alone(each.strip()))]
            elif name in ("lang", "dir"):
                inherited.append((name, of))
            elif name == "nth-child":
                nth, _, among = part["of"][1:-1].partition(" of ") if part["of"] else ("", "", "")
                if among:  # the how-manieth of those is not known
                    nth, inner = "", _alone(among.strip()) or Compound("?")
                    tag, named, classes = inner.tag or tag, inner.id or named, classes | inner.classes
            is_first = is_first or name in ("first-child", "only-child")
        elif part["name"]:
            how = f"{part['how'] or ''}{(part['case'] or '').lower().removeprefix('s')}"
            attributes.append((part["name"].lower(), how, part["value"] or ""))
        elif part["tag"]:
            tag = "" if part["tag"] == "*" else unescaped(part["tag"]).lower()
        else:
            named = unescaped(part["id"] or "") or named
            classes |= {unescaped(part["class"])} if part["class"] else set()
    asked = frozenset(classes), tuple(attributes), tuple(without), is_first, nth, tuple(inherited)
    return Compound(tag, named, *asked, combinator), at


def _is_nth(which: str, earlier: Sequence[Element] | None) -> bool:
    """Whether the element behind ``earlier`` is ``which`` of its siblings; true where that is not known."""
    which = which.replace(" ", "").lower()
    found = _NTH.fullmatch({"odd": "2n+1", "even": "2n"}.get(which, which))
    if found is None or earlier is None:
        return found is not None
    step = int(f"{found['step'] or '+'}1" if found["step"] in ("", "+", "-") else found["step"]) if found["n"] else 0
    first = int(found["first"] or 0)
    if len(earlier) >= MOST_BESIDE:
        return step != 0 or first > MOST_BESIDE
    # What belongs into the head stands there, wherever it was written.
    places = {len(earlier) + 1, sum(each.tag not in _OF_HEAD for each in earlier) + 1}
    behind = [place - first for place in places]
    return 0 in behind if step == 0 else any(each % abs(step) == 0 and each * step >= 0 for each in behind)


def _is_inherited(path: Sequence[Element], name: str, wanted: str) -> bool:
    """True where the innermost element of ``path`` that says its language or direction says one of ``wanted``."""
    keys = (name, "xml:lang") if name == "lang" else (name,)
    said = (element.attributes[key].lower() for element in reversed(path) for key in keys if key in element.attributes)
    own = next(said, "ltr" if name == "dir" else "")
    choices = [each.strip(" \"'") for each in wanted.split(",")]
    return any(own == each or (own and each == "*") or own.startswith(f"{each}-") for each in choices if each)


def _alone(selector: str) -> Compound | None:
    """The one compound that ``selector`` is, without pseudo-classes that nothing is known of; None for any other."""
    if re.search(r":(?!checked|disabled|open|first-child)", selector):
        return None
    compound, end = _compound(selector, 0, "")
    return compound if end == len(selector) > 0 else None


def weight(selector: str) -> tuple[int, int, int]:
    """How many ids, classes and tags it names; of what ``:is`` and ``:not`` offer, what weighs most."""
    selector = _WEIGHTLESS.sub("", selector)
    offered = [max(map(weight, choice.split(","))) for choice in _CHOSEN.findall(selector)]
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
