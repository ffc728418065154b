"""The text of an HTML file as a browser shows it, line by line, each with the place where it stands.

What a reader of the page would not see must not reach the model: scripts, comments, and what tags, attributes or style
rules hide (``css/``). A style sheet that is elsewhere is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any

from css.look import Look, usual_look
from css.rules import StyleRules
from css.selectors import MOST_BESIDE, Element

from html_page import attributes as hidden
from html_page.boxes import COVERED, CUT, box_of, covers
from html_page.drawings import SHAPES, Drawing
from html_page.head import PageHead
from html_page.lines import CoveredLines, OpenElement, OpenLine, PageLine, TableColumns, is_layout
from html_page.page_sheets import Linked, sheets
from html_page.place import NOTE_MARKS, Place, is_note_mark
from html_page.tags import BLOCKS, CLOSES_PARAGRAPH, IMPLIED_ENDS, UNSEEN, VOID, raised, with_plain_openers

_SHOWN: dict[str, Any] = {"why": "", "opacity": 1.0, "is_unseen": False}
"""Of a page as a whole: one that a script shows would be empty else."""
_PICTURES = ("img", "video", "canvas", "iframe", "object", "embed", "picture")
_NEAREST = 120
"""Elements around one that a selector is looked for in."""


def read_page(text: str, linked: Linked | None = None) -> Page:
    """The page in ``text``, an HTML file with LF line ends; ``linked`` gives the style sheets that are beside it."""
    styles, plain = _rules_of(sheets(text, linked)), with_plain_openers(text)
    page = _read(plain, styles, folds=True)
    seen = sum(len(line.words) for line in page.lines)
    if hidden.folds_are_contents(page.closed, page.unseen[hidden.FOLDED], seen + page.unseen[hidden.FOLDED]):
        page = _read(plain, styles, folds=False)
    return page


@lru_cache(maxsize=2)
def _rules_of(sheets: str) -> StyleRules:
    """A book's chapters have the same ones."""
    return StyleRules(sheets)


def _read(text: str, styles: StyleRules, *, folds: bool) -> Page:
    page = Page(styles, folds)
    page.feed(text)
    page.close()
    return page


class Page(HTMLParser):
    """Keeps the open elements, and gathers one line of text until a block element ends it."""

    def __init__(self, styles: StyleRules, folds: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[PageLine] = []
        self.head = PageHead()
        self.dropped: Counter[str] = Counter()
        """Characters in the middle of a line that are none of its words, by what they are."""
        self._styles = styles
        self._root = root, body = Element("html"), Element("body")
        """What a page that does not write them has around all else."""
        base = usual_look(styles.of([root])).inside(styles.of([root]))
        self._plain = replace(base.inside(styles.of([root, body])), **_SHOWN)
        self._folds = folds
        self.closed = 0
        """How many ``<details>`` are."""
        self.unseen: Counter[str] = Counter()
        """Characters that are not seen, by what hides them."""
        self._open: list[OpenElement] = []
        """The open elements from the outside in."""
        self._columns: list[TableColumns] = []
        """Of each open table."""
        self._covered = CoveredLines(self.lines)
        self._beside: list[list[Element]] = [[]]
        """For what is open, from the outside in, the newest elements right in it."""
        self._named: Counter[str] = Counter()
        """How many of the open elements have which name."""
        self._drawings: list[Element] = []
        self._hidden = 0
        self._hosts: list[OpenElement] = []
        """Elements whose shadow is being read."""
        self._preformatted = 0
        self._drawing = Drawing()
        self._line = OpenLine(self._plain)
        self._place: Place | None = None
        """Of the innermost open element."""

    def handle_comment(self, data: str) -> None:
        self.head.comment(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: (value or "").strip() for name, value in attrs}
        self.head.element(tag, attributes)
        if tag == "svg":
            self._drawing = Drawing()
        self._covered.may_go |= tag == "script"
        if self._line.is_row and is_layout(tag, sum(map(len, self._line.cell))):
            self.end_line()
        if tag in BLOCKS and not self._in_cell(tag):
            self.end_line()
        elif tag in ("td", "th"):
            self._line.begin_cell()
        elif tag in BLOCKS:
            self._line.cell.append(" ")
        if tag not in VOID:
            self._end_implied(tag)
        element = self._placed(Element(tag, attributes))
        if tag not in VOID:
            self._push(element)
        elif tag == "col" and self._columns:
            look, _ = self._looking(element, self._look)
            self._columns[-1].add(element, look.hidden)
        elif tag in ("img", "embed", "hr") and not self._hidden and element.attributes:
            look, declared = self._looking(element, self._look)
            self._cover(element, look, declared)

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
        if (why := self._why_unseen()) and data.strip():
            self.unseen[why] += len(data.strip())
        if why:
            return
        if dropped := self._is_dropped(data):
            self.dropped[dropped] += len(data.strip())
            return
        for number, part in enumerate(data.split("\n") if self._preformatted else [data]):
            if number:
                self.end_line()
            if self._line.place is None and (part.strip() or self._preformatted):
                self._line.begin(self._place, self._open[-1].box if self._open else None, self._look)
            if self._named["a"]:
                self._line.linked += len(part.strip())
            is_raised = self._named["sup"] > 0
            self._line.cell.append(raised(self._line.cell, part) if is_raised else part)
            if self._named["svg"]:
                self._drawing.add(self._line.cell, [each.element for each in self._open[-8:]])

    def _is_dropped(self, data: str) -> str:
        """What it is that stands in a line and is none of its words: marks of footnotes, buttons."""
        if is_note_mark(self._place, data):
            return NOTE_MARKS
        outer = self._place.left_out if self._place is not None else None
        return outer.why if outer is not None and outer.element.tag not in BLOCKS else ""

    def _why_unseen(self) -> str:
        inner = self._open[-1] if self._open else None
        if inner is None or inner.look.hidden:
            return self._look.hidden
        return COVERED if inner.look.z < inner.lid else "" if inner.shows("") else "not displayed"

    def _take_unseen(self, data: str) -> None:
        """What says something of the page without being seen: its title, and data in a script."""
        names = [each.element.tag for each in self._open[-2:]]
        if names == ["head", "title"] and self._hidden == len(names):
            self.head.title += data
        elif names[-1:] == ["script"] and "ld+json" in self._open[-1].element.attributes.get("type", ""):
            self.head.script(data)

    def end_line(self) -> None:
        """Put the line down, if it has text."""
        line, cut = self._line.end(self._preformatted > 0)
        self.unseen[CUT] += cut
        if line is None:
            return
        self.lines.append(line)
        self._covered.go_on()

    def _in_cell(self, tag: str) -> bool:
        """True where a block inside a table cell must not break the row."""
        return self._line.is_row and tag not in ("table", "caption", "thead", "tbody", "tfoot", "tr")

    @property
    def _look(self) -> Look:
        return self._open[-1].look if self._open else self._plain

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
            name = self._open[index].element.tag
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
        self.closed += tag == "details" and "open" not in element.attributes
        self._hidden += is_unseen
        self._preformatted += tag == "pre"
        outside, around = self._look, self._open[-1] if self._open else None
        if tag == "summary" and around and around.element.tag == "details":
            outside = self._open[-2].look if len(self._open) > 1 else self._plain  # what stays of what is folded
        if tag == "slot" and self._hosts:
            host = self._hosts[-1]
            host.slots = (host.slots or frozenset()) | {element.attributes.get("name", "")}
        if tag == "template" and around and "shadowrootmode" in element.attributes:
            self._hosts.append(around)
            around.slots = frozenset()
        opened = OpenElement(element, outside, is_unseen, len(self.lines), {}, around.box if around else None)
        self._open.append(opened)
        self._drawings += [element] if tag == "svg" else []
        self._beside.append([])
        if not is_unseen and not self._hidden:
            self._see(opened, outside, around)
        if tag == "table":
            self._columns.append(TableColumns())
        if around:
            around.children += 1
            opened.lid = max(opened.lid, around.lid)

    def _see(self, opened: OpenElement, outside: Look, around: OpenElement | None) -> None:
        """Find out how the element looks that was opened just now, and what it lies over."""
        element = opened.element
        look, declared = self._looking(element, outside)
        if around and not look.why and element.tag not in ("html", "body"):
            look = replace(look, why=around.hides(element, declared, look.size))
        if element.tag in ("td", "th") and self._columns:
            look = replace(look, why=look.why or self._columns[-1].next_cell(element))
        elif element.tag == "tr" and self._columns:
            self._columns[-1].cells = 0
        opened.look, opened.declared = look, declared
        if element.tag in SHAPES and self._named["svg"]:
            self.unseen[COVERED] += self._drawing.cover([each.element for each in self._open[-8:]], declared)
        if element.tag not in ("html", "body"):
            opened.box = box_of(declared, look, opened.box)
            if opened.box is not None and around and opened.box is not around.box:
                self.end_line()
        self._cover(element, look, declared)

    def _looking(self, element: Element, outside: Look) -> tuple[Look, Mapping[str, str]]:
        path = [each.element for each in self._open[-_NEAREST:]]
        path += [] if path and path[-1] is element else [element]
        if path[0].tag not in ("html", "head", "body"):
            path = [*self._root, *path]
        declared = hidden.as_text(element, {**hidden.own_styles(element), **self._styles.of(path)})
        if self._named["svg"] and (ground := self._drawing.ground(path[-8:])):
            outside = replace(outside, background=ground[0])
        look = outside.inside(declared)
        if element.tag in ("html", "body"):
            return replace(look, **_SHOWN), declared
        why = look.why or hidden.hidden_by_attribute(element, self._folds)
        if not why and element.tag in ("text", "tspan", "textpath"):
            why = CUT if self._drawings and hidden.is_out_of_drawing(element, self._drawings[-1].attributes) else ""
        return replace(look, why=why), declared

    def _cover(self, element: Element, look: Look, declared: Mapping[str, str]) -> None:
        """Note the lines that the element lies over, of those that were read so far."""
        if declared and (over := covers(declared, look, element.tag in _PICTURES)):
            self.end_line()
            self._covered.lay(over, look, declared, [each for each in self._open if each.element is not element])

    def close(self) -> None:
        super().close()
        while self._open:
            self._pop()
        self.end_line()
        self.lines, self.unseen[COVERED] = self._covered.left()
        self.unseen = +self.unseen

    def _pop(self) -> str:
        opened = self._open.pop()
        if len(self.lines) == opened.first and not any(part.strip() for part in self._line.cell):
            self._covered.lie_ahead(opened.look, opened.declared)
            if self._open and self._open[-1].box:
                self._open[-1].box.pass_by(opened.declared)
        self._beside.pop()
        self._place = self._place.outside if self._place is not None else None
        tag = opened.element.tag
        self._named[tag] -= 1
        if tag == "svg":
            self._drawings.pop()
        self._hidden -= opened.is_unseen
        if tag == "pre":
            self.end_line()
            self._preformatted -= 1
        elif tag == "template" and self._hosts and self._open and self._hosts[-1] is self._open[-1]:
            self._hosts.pop()
        elif tag == "table" and self._columns:
            self._columns.pop()
        elif opened.box is not None and (not self._open or opened.box is not self._open[-1].box):
            self.end_line()
        for name in self._styles.paints_beside if not self._hidden else ():
            self._open.append(opened)
            painted = Element(name)
            look, declared = self._looking(painted, opened.look)
            self._cover(painted, look, declared if "content" in declared else {})
            self._open.pop()
        return tag
