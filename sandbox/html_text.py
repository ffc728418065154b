"""The text of an HTML file as a browser shows it, line by line, each with the place where it stands.

What a reader of the page would not see must not reach the model: scripts, comments, and what tags, attributes or style
rules hide (``css``, ``look``). A style sheet that is elsewhere is not known.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from itertools import islice
from typing import Any
from urllib.parse import unquote

from css import MOST_BESIDE, Element, StyleRules
from html_head import PageHead
from html_place import NOTE_MARKS, Place, is_note_mark
from look import Look


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _names("area base br col embed hr img input link meta param source track wbr")
UNSEEN = _names(
    """
    head script style title template noscript iframe object applet canvas audio video datalist select textarea
    noembed noframes mphantom rp progress meter desc metadata defs symbol clippath mask annotation annotation-xml
    """
)
BLOCKS = _names(
    """
    address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav ol p pre search section
    summary table tbody tfoot thead title tr ul
    """
)
IMPLIED_ENDS = {
    "li": ({"li"}, {"ul", "ol", "menu"}),
    "dt": ({"dt", "dd"}, {"dl"}),
    "dd": ({"dt", "dd"}, {"dl"}),
    "tr": ({"tr"}, {"table"}),
    "td": ({"td", "th"}, {"tr", "table"}),
    "th": ({"td", "th"}, {"tr", "table"}),
    "tbody": ({"thead", "tbody", "tfoot"}, {"table"}),
    "tfoot": ({"thead", "tbody", "tfoot"}, {"table"}),
}
"""Tags whose start ends an open one of the first set, sought up to one of the second: ``<li>a<li>b`` is two items."""
CLOSES_PARAGRAPH = BLOCKS - {"br", "body", "head", "html", "title", "caption", "tbody", "tfoot", "thead", "tr"}

_SRCDOC = re.compile(r"\bsrcdoc\s{0,20}=\s{0,20}(?:\"[^\"]{0,20000}\"|'[^']{0,20000}')", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"data:text/css(;base64)?(?:;[\w=-]{1,40})?,([^\"'>]{1,20000})", re.IGNORECASE)
_MOST_IN_ADDRESSES = 20
_SHEET = re.compile(r"<style\b[^<>]*>", re.IGNORECASE)
_OPENERS = (
    (re.compile(r"<(?=!--)"), "-->"),
    (re.compile(r"<(?=!\[(?:temp|cdata|ignore|include|rcdata))", re.IGNORECASE), "]]>"),
    (re.compile(r"<(?=!\[)"), "]>"),
    (re.compile(r"<"), ">"),
)
"""What begins a piece of markup, and what has to follow somewhere for it to end."""
_SHOWN: dict[str, Any] = {"why": "", "opacity": 1.0, "is_unseen": False}
"""Of a page as a whole: one that a script shows would be empty else."""
FOLDED = "folded away"
_MOST_FOLDED = 0.3
"""Of a page's text; where there is more in closed ``<details>``, that is how the page shows what it says."""
_LONGEST_CELL = 300
"""Characters of a table's cell, where it is a table of data."""
_NEAREST = 40
"""Elements around one that a selector is looked for in."""
_LEGACY = {"color": "color", "bgcolor": "background-color", "text": "color"}
"""Attributes of old that are styles: ``<body bgcolor text>``, ``<font color>``."""


@dataclass(frozen=True)
class PageLine:
    """A line of visible text: a paragraph, an item, the row of a table, a line of code."""

    words: str
    place: Place | None
    linked: int
    """How many of its characters are links."""


def read_page(text: str) -> Page:
    """The page in ``text``, an HTML file with LF line ends."""
    styles, plain = StyleRules("\n".join(sheets(text))), _with_plain_openers(text)
    page = _read(plain, styles, folds=True)
    seen = sum(len(line.words) for line in page.lines)
    if page.unseen[FOLDED] > _MOST_FOLDED * (seen + page.unseen[FOLDED]):
        page = _read(plain, styles, folds=False)
    return page


def _read(text: str, styles: StyleRules, *, folds: bool) -> Page:
    page = Page(styles, folds)
    page.feed(text)
    page.close()
    page.end_line()
    return page


def _with_plain_openers(text: str) -> str:
    """``text`` with the openers that nothing closes as words, as which the parser takes them too.

    But to find that out it would look through all that follows, at each of them.
    """
    for opener, closer in _OPENERS:
        at = text.rfind(closer) + 1
        text = text[:at] + opener.sub("&lt;", text[at:])
    return text


def sheets(text: str) -> Iterator[str]:
    """The style sheets in the page, those that an address holds too, without those of pages within it."""
    for match in islice(_IN_ADDRESS.finditer(text), _MOST_IN_ADDRESSES):
        said = unquote(match[2])
        with suppress(ValueError):
            yield b64decode(said).decode("utf-8", "replace") if match[1] else said
    text = _SRCDOC.sub(lambda match: " " * len(match[0]), text)
    lowered, at = text.lower(), 0
    while opens := _SHEET.search(text, at):
        at = lowered.find("</style", opens.end())
        at = len(text) if at < 0 else at
        yield text[opens.end() : at]


class Page(HTMLParser):
    """Keeps the open elements, and gathers one line of text until a block element ends it."""

    def __init__(self, styles: StyleRules, folds: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[PageLine] = []
        self.head = PageHead()
        self.dropped: Counter[str] = Counter()
        """Characters in the middle of a line that are none of its words, by what they are."""
        self._styles = styles
        root, body = Element("html"), Element("body")
        self._plain = replace(Look().inside(styles.of([root])).inside(styles.of([root, body])), **_SHOWN)
        self._folds = folds
        self.unseen: Counter[str] = Counter()
        """Characters that are not seen, by what hides them."""
        self._open: list[tuple[Element, Look, bool]] = []
        """The open elements from the outside in, how each looks, and whether it is none that is ever seen."""
        self._beside: list[list[Element]] = [[]]
        """For what is open, from the outside in, the newest elements right in it."""
        self._named: Counter[str] = Counter()
        """How many of them have which name."""
        self._hidden = 0
        self._preformatted = 0
        self._cells: list[list[str]] = [[]]
        """The parts of the line so far, by table cell; text outside a table is one cell."""
        self._row_begun = False
        self._place: Place | None = None
        """Of the innermost open element."""
        self._line_place: Place | None = None
        """Of the line so far; None until it has words."""
        self._linked = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: (value or "").strip() for name, value in attrs}
        self.head.element(tag, attributes)
        if self._row_begun and self._is_layout(tag):
            self.end_line()
        if tag in BLOCKS and not self._in_cell(tag):
            self.end_line()
        elif tag in ("td", "th"):
            self._begin_cell()
        elif tag in BLOCKS:
            self._cells[-1].append(" ")
        if tag not in VOID:
            self._end_implied(tag)
        element = self._placed(Element(tag, attributes))
        if tag not in VOID:
            self._push(element)

    def _placed(self, element: Element) -> Element:
        """``element`` with those beside it, where a rule asks for them."""
        if not self._styles.knows_siblings:
            return element
        before = self._beside[-1]
        earlier = tuple(before[-MOST_BESIDE:])
        before[:] = [*earlier, element]
        return replace(element, earlier=earlier)

    def handle_endtag(self, tag: str) -> None:
        if self._named[tag]:
            while self._pop() != tag:
                pass
        if tag in BLOCKS and not self._in_cell(tag):
            self.end_line()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # To a browser <div/> is <div>: the slash means nothing in HTML.
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self._hidden:
            self._take_unseen(data)
            return
        if (why := self._look.hidden) and data.strip():
            self.unseen[why] += len(data.strip())
        if why:
            return
        if dropped := self._is_dropped(data):
            self.dropped[dropped] += len(data.strip())
            return
        for number, part in enumerate(data.split("\n") if self._preformatted else [data]):
            if number:
                self.end_line()
            if self._line_place is None and (part.strip() or self._preformatted):
                self._line_place = self._place
            if self._named["a"]:
                self._linked += len(part.strip())
            self._cells[-1].append(part)

    def _is_dropped(self, data: str) -> str:
        """What it is that stands in a line and is none of its words: marks of footnotes, buttons."""
        if is_note_mark(self._place, data):
            return NOTE_MARKS
        outer = self._place.left_out if self._place is not None else None
        return outer.why if outer is not None and outer.element.tag not in BLOCKS else ""

    def _take_unseen(self, data: str) -> None:
        """What says something of the page without being seen: its title, and data in a script."""
        names = [element.tag for element, _, _ in self._open[-2:]]
        if names == ["head", "title"] and self._hidden == len(names):
            self.head.title += data
        elif names[-1:] == ["script"] and "ld+json" in self._open[-1][0].attributes.get("type", ""):
            self.head.script(data)

    def end_line(self) -> None:
        """Put the line down, if it has text."""
        joined = ["".join(parts) for parts in self._cells]
        texts = [part.rstrip() if self._preformatted else " ".join(part.split()) for part in joined]
        if any(part.strip() for part in texts):
            words = " | ".join(texts).rstrip()
            self.lines.append(PageLine(words, self._line_place, self._linked))
            if not self.head.heading and self._line_place is not None and _is_heading(self._line_place):
                self.head.heading = words
        self._cells, self._line_place, self._linked, self._row_begun = [[]], None, 0, False

    def _begin_cell(self) -> None:
        if self._row_begun:
            self._cells.append([])
        self._row_begun = True

    def _in_cell(self, tag: str) -> bool:
        """True where a block inside a table cell must not break the row."""
        return self._row_begun and tag not in ("table", "caption", "thead", "tbody", "tfoot", "tr")

    def _is_layout(self, tag: str) -> bool:
        """True for what stands in no cell of data: tables were what pages were laid out with once."""
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6", "pre", "article", "main"):
            return True
        return tag in BLOCKS and sum(map(len, self._cells[-1])) > _LONGEST_CELL

    @property
    def _look(self) -> Look:
        return self._open[-1][1] if self._open else self._plain

    def _end_implied(self, tag: str) -> None:
        if tag in CLOSES_PARAGRAPH:
            self._end_up_to({"p"}, {"td", "th", "li", "div", "section", "article", "button", "table"})
        if tag in IMPLIED_ENDS:
            self._end_up_to(*IMPLIED_ENDS[tag])
        if tag == "body":
            self._end_up_to({"head"}, set())

    def _end_up_to(self, ended: set[str], boundary: set[str]) -> None:
        if not any(self._named[name] for name in ended):
            return
        for index in range(len(self._open) - 1, -1, -1):
            name = self._open[index][0].tag
            if name in ended:
                while len(self._open) > index:
                    self._pop()
                return
            if name in boundary:
                return

    def _push(self, element: Element) -> None:
        tag, is_unseen = element.tag, element.tag in UNSEEN
        self._place = Place.inside(self._place, element)
        if tag == "h1":
            self._place.keep_for_title()
        self._named[tag] += 1
        self._hidden += is_unseen
        self._preformatted += tag == "pre"
        outside = self._look
        if tag == "summary" and self._open and self._open[-1][0].tag == "details":
            outside = self._open[-2][1] if len(self._open) > 1 else self._plain  # the line that stays of what is folded
        self._open.append((element, outside, is_unseen))
        self._beside.append([])
        if not is_unseen and not self._hidden:
            self._open[-1] = (element, self._looking(element, outside), False)

    def _looking(self, element: Element, outside: Look) -> Look:
        path = [each for each, _, _ in self._open[-_NEAREST:]]
        declared = {**legacy_styles(element), **self._styles.of(path)}
        look = outside.inside(declared)
        if element.tag in ("html", "body"):
            return replace(look, **_SHOWN)
        return replace(look, why=look.why or hidden_by_attribute(element, self._folds))

    def _pop(self) -> str:
        element, _, is_unseen = self._open.pop()
        self._beside.pop()
        self._place = self._place.outside if self._place is not None else None
        self._named[element.tag] -= 1
        self._hidden -= is_unseen
        if element.tag == "pre":
            self.end_line()
            self._preformatted -= 1
        return element.tag


def legacy_styles(element: Element) -> dict[str, str]:
    """Attributes that are styles, in lower case."""
    if element.tag in ("text", "tspan") and "fill" in element.attributes:
        fill = element.attributes["fill"].lower()
        return {"color": "transparent" if fill == "none" else fill}
    seen = {_LEGACY[name]: value.lower() for name, value in element.attributes.items() if name in _LEGACY}
    return seen if element.tag in ("body", "font", "table", "tr", "td", "th", "basefont", "marquee") else {}


def hidden_by_attribute(element: Element, folds: bool) -> str:
    """What its attributes say of an element that is not seen; empty for one that is. ``folds``: closed details hide."""
    attributes = element.attributes
    if "hidden" in attributes or "popover" in attributes or (element.tag == "dialog" and "open" not in attributes):
        return "not displayed"
    if folds and element.tag == "details" and "open" not in attributes:
        return FOLDED
    return "for no reader" if attributes.get("aria-hidden", "").lower() == "true" else ""


def _is_heading(place: Place) -> bool:
    """True in a heading of the first rank."""
    inner = next((each for each in place.upwards() if each.element.tag in BLOCKS), None)
    return inner is not None and inner.element.tag == "h1"
