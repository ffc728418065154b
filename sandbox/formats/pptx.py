"""Presentations (PPTX): each slide is a page; its title, texts, tables and diagrams, then the speaker's notes, so called.

Left out and said: hidden slides and shapes, text off the slide, tiny or in the colour of what is behind it, comments,
numbers and footers of slides, images, charts. Slides are counted as PowerPoint does, the hidden ones too.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from extracted import Extracted

from formats.office.archive import PASSED_OVER, Archive, core_properties
from formats.office.gathered import MOST_ROWS, Gathered
from formats.office.pptx_grounds import Grounds, colour_of
from formats.seen import why_unseen

_NOTES = "Speaker's notes:"
_TITLES = ("title", "ctrTitle")
_BESIDES = ("sldNum", "ftr", "dt", "hdr")
_LISTS = ("body", "obj", "")
"""Kinds of placeholders whose paragraphs have bullets unless they say otherwise."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The slides of the presentation ``data``."""
    archive = Archive(data)
    main = archive.main_part("ppt/presentation.xml", "PowerPoint presentation")
    return _Reader(archive, max_chars).extracted(main)


class _Reader:
    def __init__(self, archive: Archive, max_chars: int) -> None:
        self._archive = archive
        self._gathered = Gathered(max_chars, by_page=True)

    def extracted(self, main: str) -> Extracted:
        presentation, parts = self._archive.tree(main), self._archive.related(main)
        size = presentation.find("sldSz")
        for slide in presentation.findall("sldIdLst/sldId"):
            self._gathered.next_page()
            # A slide that is named a second time is looked for in vain.
            part = parts.pop(slide.get("r:id", ""), ("", ""))[1]
            if part in self._archive.names:
                self._slide(part, {} if size is None else size.attrib)
        self._gathered.hide(PASSED_OVER, self._archive.passed_over)
        return self._gathered.extracted("page", core_properties(self._archive))

    def _slide(self, part: str, size: dict[str, str]) -> None:
        tree = self._archive.tree(part)
        parts = self._archive.related(part)
        if tree.get("show") in ("0", "false"):
            self._gathered.hide("hidden slides", _plain(tree))
            return
        grounds = Grounds(self._archive, part, tree, size)
        shapes = list(_shapes(tree.find("cSld/spTree")))
        for shape in sorted(shapes, key=lambda shape: _kind(shape) not in _TITLES):
            self._shape(shape, grounds, parts)
        for kind, beside in parts.values():
            if kind == "notesSlide":
                self._notes(beside)
            elif kind == "comments":
                self._gathered.leave_out("comments", len(_plain(self._archive.tree(beside)).strip()))

    def _notes(self, part: str) -> None:
        for shape in _shapes(self._archive.tree(part).find("cSld/spTree")):
            if _kind(shape) == "body" and (text := " ".join(_plain(shape, "\n").split())):
                self._gathered.paragraph(f"{_NOTES} {text}")

    def _shape(self, shape: Element, grounds: Grounds, parts: dict[str, tuple[str, str]]) -> None:
        named = shape.find("./*/cNvPr")
        if named is not None and named.get("hidden") in ("1", "true"):
            self._gathered.hide("hidden shapes", _plain(shape))
        elif shape.tag == "grpSp" and grounds.is_off_slide(shape):
            self._gathered.hide("text off the slide", _plain(shape))
        elif shape.tag == "grpSp":
            for inner in _shapes(shape):
                self._shape(inner, grounds, parts)
        elif shape.tag == "pic":
            self._gathered.leave_out("images", 1)
        elif shape.tag == "graphicFrame":
            self._frame(shape, grounds, parts)
        elif _kind(shape) in _BESIDES:
            self._gathered.leave_out("numbers, dates and footers of slides", len(_plain(shape).strip()))
        elif grounds.is_off_slide(shape):
            self._gathered.hide("text off the slide", _plain(shape))
        elif grounds.is_covered(shape):
            self._gathered.hide("text behind other shapes", _plain(shape))
        else:
            self._texts(shape, grounds.behind(shape), grounds)

    def _texts(self, shape: Element, ground: str, grounds: Grounds) -> None:
        kind = _kind(shape)
        for paragraph in shape.findall("txBody/p"):
            usual = shape.find(f"txBody/lstStyle/lvl{_level(paragraph) + 1}pPr/defRPr")
            text = self._words(paragraph, ground, grounds, usual)
            if text.strip():
                self._gathered.paragraph(text, _mark(paragraph, kind))

    def _words(self, paragraph: Element, ground: str, grounds: Grounds, usual: Element | None = None) -> str:
        """``usual`` says of all runs of the paragraph what one does not say itself."""
        pieces = []
        for run in paragraph:
            if run.tag == "br":
                pieces.append("\n")
                continue
            text = _plain(run)
            said = [each for each in (run.find("rPr"), usual) if each is not None]
            if why := self._why_unseen(said, ground, grounds):
                self._gathered.hide(why, text)
            else:
                pieces.append(text.replace("\n", " "))
        return "".join(pieces)

    def _why_unseen(self, said: list[Element], ground: str, grounds: Grounds) -> str:
        fills = (each.find(tag) for each in said for tag in ("noFill", "solidFill"))
        fill = next((each for each in fills if each is not None), None)
        if (fill is not None and fill.tag == "noFill") or (
            fill is not None and fill.find("*/alpha[@val='0']") is not None
        ):
            return "transparent text"
        size = next((each.get("sz", "") for each in said if "sz" in each.attrib), "")
        return why_unseen(grounds.colour(fill), ground, int(size) / 100 if size.isdecimal() else 0)

    def _frame(self, frame: Element, grounds: Grounds, parts: dict[str, tuple[str, str]]) -> None:
        """A table, or a diagram or a chart, which stand in parts of their own."""
        rows = frame.findall(".//tbl/tr")
        self._gathered.leave_out(f"rows of tables beyond the first {MOST_ROWS}", len(rows[MOST_ROWS:]))
        for row in rows[:MOST_ROWS]:
            cells = []
            for cell in row.findall("tc"):
                if {cell.get("hMerge"), cell.get("vMerge")} & {"1", "true"}:
                    self._gathered.hide("text behind merged cells", _plain(cell))
                    cells.append("")
                    continue
                # What a cell is filled with is often a matter of the table's style.
                ground = colour_of(cell.find("tcPr/solidFill"))
                cells.append(" ".join(self._words(each, ground, grounds) for each in cell.findall("txBody/p")))
            self._gathered.row(cells)
        for link in frame.iter("relIds"):
            diagram = self._archive.tree(parts.get(link.get("r:dm", ""), ("", ""))[1])
            for point in diagram.iter("pt"):
                for paragraph in point.iter("p"):
                    self._gathered.paragraph(_plain(paragraph))
        self._gathered.leave_out("charts", sum(1 for _ in frame.iter("chart")))


def _shapes(tree: Element | None) -> Iterator[Element]:
    """The shapes of a slide or a group, in their order; of alternatives the first."""
    for shape in () if tree is None else tree:
        if shape.tag in ("sp", "grpSp", "graphicFrame", "pic"):
            yield shape
        elif shape.tag == "AlternateContent" and len(shape):
            yield from _shapes(shape[0])


def _kind(shape: Element) -> str:
    """The kind of placeholder that a shape is; ``none`` when it is none, empty for one of any content."""
    placeholder = shape.find("nvSpPr/nvPr/ph")
    return "none" if placeholder is None else placeholder.get("type", "")


def _mark(paragraph: Element, kind: str) -> str:
    if kind in _TITLES:
        return "# "
    properties = paragraph.find("pPr")
    said = set() if properties is None else {inner.tag for inner in properties}
    has_bullet = bool(said & {"buChar", "buAutoNum"}) or (kind in _LISTS and "buNone" not in said)
    return f"{'  ' * _level(paragraph)}- " if has_bullet else ""


def _level(paragraph: Element) -> int:
    properties = paragraph.find("pPr")
    level = "0" if properties is None else properties.get("lvl", "0")
    return int(level) if level in tuple("012345678") else 0


def _plain(element: Element, between: str = "") -> str:
    """All words beneath an element, seen or not; ``between`` stands behind each paragraph."""
    pieces = []
    for inner in element.iter():
        if inner.tag in ("t", "text"):
            pieces.append(inner.text or "")
        elif inner.tag in ("p", "br"):
            pieces.append(between)
    return "".join(pieces)
