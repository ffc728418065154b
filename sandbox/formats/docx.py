"""Word documents (DOCX): paragraphs, headings, lists, tables, notes, text boxes, in the order in which they are read.

Left out and said: what nobody sees (hidden, white on white, tiny, transparent), tracked deletions, comments, page
headers and footers, tables of contents, images. A paragraph's number counts paragraphs and rows of tables.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from extracted import Extracted

from formats.office.archive import PASSED_OVER, Archive, core_properties
from formats.office.docx_elements import (
    hidden_of,
    inside,
    is_away,
    is_box_away,
    is_drawn,
    is_merged,
    is_small,
    outermost,
    paragraphs_of,
    plain,
    whole,
)
from formats.office.docx_styles import (
    Look,
    Numbering,
    Style,
    Styles,
    child,
    fill_of,
    is_on,
    look_of,
    numbering_of,
    value,
)
from formats.office.gathered import MOST_ROWS, Gathered
from formats.seen import SMALLEST_POINTS, TWIPS_A_POINT, why_unseen

_BLOCKS = ("p", "tbl", "sdt", "background", "altChunk")
_WRAPPERS = frozenset(
    """
    ins moveTo hyperlink smartTag sdt sdtContent fldSimple customXml bdo dir ruby rubyBase oMath oMathPara
    r e num den sup sub deg f rad sSup sSub sSubSup nary func fName d m mr limLow limUpp lim bar acc box borderBox
    groupChr eqArr sPre phant
    """.split()
)
"""Elements around words of a paragraph; those of the second and third line are parts of formulas."""
_WORDS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_BOX = "box "
"""Before the colour of a shape whose letters are black where they do not say."""
_FARTHEST_HALF_POINTS = 200
_NARROWEST = -100
"""Twips between letters; print that is set tight has -10 to -30."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The text of the Word document ``data``."""
    archive = Archive(data)
    main = archive.main_part("word/document.xml", "Word document")
    return _Reader(archive, main, max_chars).extracted()


class _Reader:
    def __init__(self, archive: Archive, main: str, max_chars: int) -> None:
        self._archive = archive
        self._main = main
        self._parts = dict(archive.related(main).values())
        self._styles = Styles(self._part("styles"))
        self._numbering = Numbering(self._part("numbering"))
        self._notes = {
            (kind, note.get("id", "")): note
            for kind in ("footnote", "endnote")
            for note in self._part(f"{kind}s").iter(kind)
            if note.get("type", "normal") == "normal"
        }
        self._notes_named = 0
        self._around: Look = {}
        """What the style of the table says that is being read."""
        self._fields: list[bool] = []
        """Of each open field whether its instructions are being read, which nobody sees."""
        self._page = "FFFFFF"
        self._title = ""
        self._gathered = Gathered(max_chars)

    def extracted(self) -> Extracted:
        shows_ground = value(self._part("settings"), "displayBackgroundShape")
        for block in self._archive.each(self._main, _BLOCKS):
            if block.tag == "background":
                self._page = block.get("color", "auto") if is_on(shows_ground) else self._page
            elif block.tag == "altChunk":
                self._gathered.leave_out("documents of another format in it", 1)
            else:
                self._block(block, self._page)
        self._leave_out_the_rest()
        head = core_properties(self._archive)
        self._gathered.hide(PASSED_OVER, self._archive.passed_over)
        if self._title:
            head.setdefault("title", self._title)
        if self._styles.language:
            head.setdefault("language", self._styles.language)
        return self._gathered.extracted("paragraph", head)

    def _part(self, kind: str) -> Element:
        return self._archive.tree(self._parts.get(kind, ""))

    def _leave_out_the_rest(self) -> None:
        for kind, part in sorted(set(self._archive.related(self._main).values())):
            if kind in ("header", "footer"):
                self._gathered.leave_out("page headers and footers", len(plain(self._archive.tree(part)).strip()))
            elif kind == "comments":
                self._gathered.leave_out("comments", len(plain(self._archive.tree(part)).strip()))

    def _block(self, block: Element, ground: str) -> None:
        """Gather a paragraph, a table or what stands in a content control, on ``ground``."""
        if block.tag == "p":
            self._paragraph(block, ground)
        elif block.tag == "tbl":
            self._table(block, ground)
        elif block.tag == "sdt" and value(block, "sdtPr", "docPartObj", "docPartGallery") == "Table of Contents":
            self._gathered.leave_out("table of contents", len(plain(block).strip()))
        elif block.tag in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            for inner in block:
                self._block(inner, ground)
        elif block.tag in ("del", "moveFrom"):
            self._gathered.leave_out("tracked deletions", len(plain(block).strip()))

    def _paragraph(self, paragraph: Element, ground: str) -> None:
        words = _Words(self, paragraph, ground)
        if words.style.name.startswith("toc ") and words.style.name[4:].isdecimal():
            self._gathered.leave_out("table of contents", len(words.text.strip()))
            return
        if words.text.strip():
            if words.style.name == "title":
                self._title = self._title or " ".join(words.text.split())
            self._gathered.paragraph(words.text, self._mark(words))
        self._what_follows(words)

    def _what_follows(self, words: _Words) -> None:
        """Notes and text boxes come behind the paragraph that they hang on."""
        for key in words.notes:
            if note := self._note(key, words.ground):
                self._gathered.beside(note)
        for box, ground in words.boxes:
            for block in box:
                self._block(block, ground)

    def _note(self, key: tuple[str, str], ground: str) -> str:
        # A note stands where it is first referred to, and only there.
        if (note := self._notes.pop(key, None)) is None:
            return ""
        self._notes_named += 1
        texts = (_Words(self, paragraph, ground).text for paragraph in note.iter("p"))
        return f"Note {self._notes_named}: {' '.join(' '.join(texts).split())}"

    def _mark(self, words: _Words) -> str:
        """What stands before a heading or an item of a list."""
        said, inherited = numbering_of(words.properties), words.style.numbering
        depth = said[1] or inherited[1]
        number = self._numbering.mark(said[0] or inherited[0], depth)
        level = value(words.properties, "outlineLvl")
        height = int(level) + 1 if level in tuple("012345678") else words.style.level * (level == "")
        if heading := "#" * min(height or (words.style.name == "title"), 6):
            return "".join(f"{mark} " for mark in (heading, number) if mark)
        return f"{'  ' * int(depth if depth in tuple('012345678') else 0)}{number} " if number else ""

    def _table(self, table: Element, ground: str) -> None:
        style = self._styles[value(table, "tblPr", "tblStyle")]
        ground = fill_of(table.find("tblPr")) or ("" if style.is_shaded else ground)
        rows = [row for row in inside(table, "tr") if not self._is_gone(row)]
        self._gathered.leave_out(f"rows of tables beyond the first {MOST_ROWS}", len(rows[MOST_ROWS:]))
        if is_away(table.find("tblPr")):
            for row in rows:
                self._gathered.hide("text off the page", plain(row))
            return
        before, self._around = self._around, {**self._around, **({} if style.is_shaded else style.look)}
        self._rows(rows, ground)
        self._around = before

    def _rows(self, rows: list[Element], ground: str) -> None:
        is_layout = all(sum(1 for _ in inside(row, "tc")) < 2 for row in rows)
        for row in rows[:MOST_ROWS]:
            if not is_layout:
                self._row(row, ground, row is rows[0])
                continue
            for cell in inside(row, "tc"):
                for block in cell if row is rows[0] or not self._is_merged(cell) else ():
                    self._block(block, fill_of(cell.find("tcPr")) or ground)

    def _row(self, row: Element, ground: str, is_first: bool) -> None:
        cells, found = [], []
        for cell in inside(row, "tc"):
            properties = cell.find("tcPr")
            shown = paragraphs_of(cell) if is_first or not self._is_merged(cell) else ()
            words = [_Words(self, paragraph, fill_of(properties) or ground) for paragraph in shown]
            found += words
            span = value(properties, "gridSpan")
            cells += [
                " ".join(each.text for each in words),
                *[""] * (min(int(span), 100) - 1 if span.isdecimal() else 0),
            ]
        self._gathered.row(cells)
        for each in found:
            self._what_follows(each)

    def _is_merged(self, cell: Element) -> bool:
        if found := is_merged(cell):
            self._gathered.hide("text behind merged cells", plain(cell))
        return found

    def _is_gone(self, row: Element) -> bool:
        """True for a row that nobody sees, or that was deleted."""
        properties, text = row.find("trPr"), plain(row)
        if child(properties, "del") is not None:
            self._gathered.leave_out("tracked deletions", len(text.strip()))
            return True
        height = child(properties, "trHeight")
        is_flat = height is not None and height.get("hRule") == "exact"
        if is_on(value(properties, "hidden")) or (is_flat and is_small(value(properties, "trHeight"))):
            self._gathered.hide("hidden rows of tables", text)
            return True
        return False


class _Words:
    """The words of one paragraph that are seen, and what hangs on it."""

    def __init__(self, reader: _Reader, paragraph: Element, ground: str) -> None:
        self.properties = paragraph.find("pPr")
        self._styles = reader._styles
        self._gathered = reader._gathered
        self.style: Style = self._styles[value(self.properties, "pStyle") or self._styles.paragraph]
        self.ground = fill_of(self.properties) or self.style.fill or ground.removeprefix(_BOX)
        self._in_black = ground == f"{_BOX}000000"
        self.notes: list[tuple[str, str]] = []
        self.boxes: list[tuple[Element, str]] = []
        """Text boxes, and the colour that each is filled with."""
        spacing = child(self.properties, "spacing")
        self._is_off_page = is_away(self.properties)
        self._is_flat = spacing is not None and spacing.get("lineRule") == "exact" and is_small(spacing.get("line", ""))
        self._pieces: list[str] = []
        self._fields = reader._fields
        self._walk(paragraph, {**self._styles.default, **reader._around, **self.style.look})
        self.text = "".join(self._pieces)

    def _walk(self, element: Element, look: Look) -> None:
        for inner in element:
            if inner.tag == "r":
                self._walk(inner, self._look_of_run(inner, look))
            elif inner.tag in ("t", *_WORDS):
                self._word(inner, look)
            elif inner.tag == "phant" and value(inner, "phantPr", "show") in ("0", "off", "false"):
                self._gathered.hide("text formatted as hidden", plain(inner))
            elif inner.tag in _WRAPPERS:
                self._walk(inner, look)
            elif inner.tag in ("del", "moveFrom"):
                self._gathered.leave_out("tracked deletions", len(plain(inner)))
            elif inner.tag == "fldChar":
                self._field(inner.get("fldCharType", ""))
            elif inner.tag in ("footnoteReference", "endnoteReference") and not self._why_unseen(look):
                self.notes.append((inner.tag.removesuffix("Reference"), inner.get("id", "")))
            elif inner.tag == "AlternateContent" and not is_drawn(inner):
                for alternative in inner[:1]:
                    self._walk(alternative, look)
            elif inner.tag in ("drawing", "pict", "object", "AlternateContent"):
                self._drawing(inner)

    def _field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(True)
        elif self._fields and kind == "separate":
            self._fields[-1] = False
        elif self._fields and kind == "end":
            self._fields.pop()

    def _look_of_run(self, run: Element, look: Look) -> Look:
        properties = run.find("rPr")
        if properties is None:
            return look
        return {**look, **self._styles[value(properties, "rStyle")].look, **look_of(properties)}

    def _word(self, element: Element, look: Look) -> None:
        text = _WORDS.get(element.tag) or (element.text or "").replace("\n", " ")
        if element.tag == "br" and element.get("type") == "page":
            text = " "
        if why := self._why_unseen(look):
            self._gathered.hide(why, text)
        else:
            self._pieces.append(text)

    def _why_unseen(self, look: Look) -> str:
        if any(self._fields):
            return "instructions of fields"
        if is_on(look.get("vanish", "")):
            return "text formatted as hidden"
        if self._is_off_page or abs(whole(look.get("position", ""))) > _FARTHEST_HALF_POINTS:
            return "text off the page"
        is_fitted = 0 < whole(look.get("fitText", "")) < TWIPS_A_POINT * SMALLEST_POINTS
        is_narrow = (
            is_fitted
            or look.get("w", "100").rstrip("%") in tuple("12345")
            or whole(look.get("spacing", "")) < _NARROWEST
        )
        if self._is_flat or is_narrow:
            return "text too small to read"
        size = look.get("sz", "")
        points = int(size) / 2 if size.isdecimal() else 0
        # Text without a colour of its own is black, or white where that is what can be read: a blackened passage
        # has words that somebody took away.
        ground = look.get("fill") or self.ground
        colour = look.get("color", "auto")
        is_black = look.get("fill") == "000000" or self._in_black
        return why_unseen("000000" if colour == "auto" and is_black else colour, ground, points)

    def _drawing(self, drawing: Element) -> None:
        """Text boxes of a drawing, and whether it is an image. Of alternatives only the first one counts."""
        if drawing.tag == "AlternateContent":
            for choice in drawing:
                if is_drawn(choice):
                    self._drawing(choice)
                    return
            return
        boxes = list(outermost(drawing, "txbxContent"))
        if is_on(hidden_of(drawing)) or is_box_away(drawing):
            for box in boxes:
                self._gathered.hide("hidden text boxes", plain(box))
            return
        ground = self._ground_of(drawing)
        self.boxes += [(box, ground) for box in boxes]
        images = sum(1 for inner in drawing.iter() if inner.tag in ("blip", "imagedata"))
        self._gathered.leave_out("images", images)

    def _ground_of(self, drawing: Element) -> str:
        """What a text box is filled with, as far as it says so."""
        fill = drawing.find(".//spPr/solidFill/srgbClr")
        if fill is not None:
            # The style of a shape says what colour its letters have that say none.
            return ("" if drawing.find(".//fontRef") is not None else _BOX) + fill.get("val", "")
        return self.ground if drawing.find(".//spPr/noFill") is not None else ""
