"""The text of an HTML file as a browser shows it, each line with the numbers of the lines it begins and ends on.

What a reader of the page would not see must not reach the model: scripts, comments, hidden elements. Styles from
style sheets are not computed; an element that only a style sheet hides counts as seen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = _names("area base br col embed hr img input link meta param source track wbr")
UNSEEN = _names("head script style template noscript iframe object canvas audio video datalist select textarea")
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

_HIDING_STYLE = re.compile(r"(?:^|;)(?:display:none|visibility:(?:hidden|collapse))(?:!important)?(?:;|$)")
_OPENERS = (
    (re.compile(r"<(?=!--)"), "-->"),
    (re.compile(r"<(?=!\[(?:temp|cdata|ignore|include|rcdata))", re.IGNORECASE), "]]>"),
    (re.compile(r"<(?=!\[)"), "]>"),
    (re.compile(r"<"), ">"),
)
"""What begins a piece of markup, and what has to follow somewhere for it to end."""
_CSS_NOISE = re.compile(r"/\*.*?\*/|\s+", re.DOTALL)


def visible(text: str) -> Iterator[tuple[int, str, int]]:
    """The lines of visible text in ``text``, an HTML file with LF line ends: first line, words, last line."""
    page = _Page()
    page.feed(_with_plain_openers(text))
    page.close()
    page.end_line()
    yield from page.lines


def _with_plain_openers(text: str) -> str:
    """``text`` with the openers that nothing closes as words, as which the parser takes them too.

    But to find that out it would look through all that follows, at each of them.
    """
    for opener, closer in _OPENERS:
        at = text.rfind(closer) + 1
        text = text[:at] + opener.sub("&lt;", text[at:])
    return text


class _Page(HTMLParser):
    """Keeps the open elements, and gathers one line of text until a block element ends it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[tuple[int, str, int]] = []
        self._open: list[tuple[str, bool]] = []
        """The open elements from the outside in, and whether each hides what is in it."""
        self._named: Counter[str] = Counter()
        """How many of them have which name."""
        self._hidden = 0
        self._preformatted = 0
        self._cells: list[list[str]] = [[]]
        """The parts of the line so far, by table cell; text outside a table is one cell."""
        self._row_begun = False
        self._start = 0
        self._end = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in BLOCKS and not self._in_cell(tag):
            self.end_line()
        elif tag in ("td", "th"):
            self._begin_cell()
        elif tag in BLOCKS:
            self._cells[-1].append(" ")
        if tag not in VOID:
            self._end_implied(tag)
            self._push(tag, _hides(tag, dict(attrs)))

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
        if self._hidden and not self._is_title():
            return
        number = self.getpos()[0]
        for offset, part in enumerate(data.split("\n") if self._preformatted else [data]):
            if offset:
                self.end_line()
            if not self._start and part.strip():
                self._start = number + offset + _newlines_before_text(part)
            if part.strip():
                self._end = number + offset + part.rstrip().count("\n")
            self._cells[-1].append(part)

    def end_line(self) -> None:
        """Put the line down, if it has text."""
        joined = ["".join(parts) for parts in self._cells]
        texts = [part.rstrip() if self._preformatted else " ".join(part.split()) for part in joined]
        if any(part.strip() for part in texts):
            self.lines.append((self._start, " | ".join(texts).rstrip(), max(self._start, self._end)))
        self._cells, self._start, self._row_begun = [[]], 0, False

    def _begin_cell(self) -> None:
        if self._row_begun:
            self._cells.append([])
        self._row_begun = True

    def _in_cell(self, tag: str) -> bool:
        """True where a block inside a table cell must not break the row."""
        return self._row_begun and tag not in ("table", "caption", "thead", "tbody", "tfoot", "tr")

    def _is_title(self) -> bool:
        names = [name for name, _ in self._open]
        return names[-2:] == ["head", "title"] and self._hidden == 1

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
            name = self._open[index][0]
            if name in ended:
                while len(self._open) > index:
                    self._pop()
                return
            if name in boundary:
                return

    def _push(self, tag: str, hides: bool) -> None:
        self._open.append((tag, hides))
        self._named[tag] += 1
        self._hidden += hides
        self._preformatted += tag == "pre"

    def _pop(self) -> str:
        tag, hides = self._open.pop()
        self._named[tag] -= 1
        self._hidden -= hides
        if tag == "pre":
            self.end_line()
            self._preformatted -= 1
        return tag


def _hides(tag: str, attributes: dict[str, str | None]) -> bool:
    style = _CSS_NOISE.sub("", attributes.get("style") or "").lower()
    return (
        tag in UNSEEN
        or "hidden" in attributes
        or (attributes.get("aria-hidden") or "").strip().lower() == "true"
        or (tag == "dialog" and "open" not in attributes)
        or _HIDING_STYLE.search(style) is not None
    )


def _newlines_before_text(part: str) -> int:
    return part[: len(part) - len(part.lstrip())].count("\n")
