"""Text documents of LibreOffice and its kin (ODT): what `docx` does for Word's, in their terms.

Left out and said: what nobody sees, tracked deletions, comments, page headers and footers, indexes, images.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from xml.etree.ElementTree import Element

from extracted import Extracted
from unicode_text import Unreadable

from formats.office.archive import Archive, head_of
from formats.office.gathered import MOST_COLUMNS, MOST_ROWS, Gathered
from formats.office.odt_styles import Look, Marks, Styles, is_off_page
from formats.seen import why_unseen

_INDEXES = frozenset(
    "table-of-content alphabetical-index illustration-index table-index object-index user-index".split()
)
_BLOCKS = (
    "p",
    "h",
    "list",
    "table",
    "section",
    "tracked-changes",
    "numbered-paragraph",
    "bibliography",
    "frame",
    *_INDEXES,
)
_WITHOUT_WORDS = frozenset(
    """
    bookmark bookmark-start bookmark-end soft-page-break change change-start change-end ruby-text title desc
    note-citation event-listeners tracked-changes object-ole glue-point variable-decls sequence-decls forms
    script
    """.split()
)
"""Elements in a paragraph or a frame that hold nothing a person reads there."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The text of the ODF text document ``data``."""
    archive = Archive(data)
    if "content.xml" not in archive.names:
        raise Unreadable("source_damaged", "no OpenDocument text is in it: its part 'content.xml' is missing")
    if archive.tree("META-INF/manifest.xml").find(".//encryption-data") is not None:
        raise Unreadable("source_locked", "it is locked with a password")
    return _Reader(archive, max_chars).extracted()


class _Reader:
    def __init__(self, archive: Archive, max_chars: int) -> None:
        self._archive = archive
        self.gathered = Gathered(max_chars)
        self.styles = Styles(archive.tree("styles.xml"))
        self._marks = Marks(self.styles)
        self._notes_named = 0
        self._title = ""

    def extracted(self) -> Extracted:
        for block in self._archive.each("content.xml", ("automatic-styles", *_BLOCKS)):
            if block.tag == "automatic-styles":
                self.styles.add(block)
            else:
                self._block(block, self.styles.page)
        for part in self.styles.page_headers:
            self.gathered.leave_out("page headers and footers", len(_plain(part).strip()))
        head = head_of(self._archive.tree("meta.xml"))
        if self._title:
            head.setdefault("title", self._title)
        if self.styles.language:
            head.setdefault("language", self.styles.language)
        return self.gathered.extracted("paragraph", head)

    def _block(self, block: Element, ground: str, mark: str = "") -> None:
        """Gather a block that stands on ``ground``; ``mark`` is what stands before an item of a list."""
        if block.tag in ("p", "h"):
            self._paragraph(block, ground, mark)
        elif block.tag == "list":
            self._list(block, ground)
        elif block.tag == "table":
            self._table(block, ground)
        elif block.tag == "section" and block.get("display", "true") != "true":
            self.gathered.hide("hidden sections", _plain(block))
        elif block.tag == "tracked-changes":
            for deletion in block.iter("deletion"):
                self.gathered.leave_out("tracked deletions", len(_plain(deletion).strip()))
        elif block.tag in _INDEXES:
            self.gathered.leave_out("table of contents", len(_plain(block).strip()))
        elif block.tag in ("section", "bibliography", "index-body", "index-title", "numbered-paragraph", "text-box"):
            for inner in block:
                self._block(inner, ground)
        elif block.tag == "frame":
            self._boxes([block], ground)

    def _paragraph(self, block: Element, ground: str, mark: str) -> None:
        if any(inner.get("is-hidden", "true") == "true" for inner in block.iter("hidden-paragraph")):
            self.gathered.hide("hidden paragraphs", _plain(block))
            return
        words = _Words(self, block, ground)
        if block.tag == "h":
            mark = f"{'#' * _level(block)} {mark.lstrip()}"
        elif words.is_title:
            self._title, mark = self._title or " ".join(words.text.split()), "# "
        if words.text.strip():
            self.gathered.paragraph(words.text, mark)
        self._what_follows(words)

    def _what_follows(self, words: _Words) -> None:
        """Notes and text boxes come behind the paragraph that they hang on."""
        for note in words.notes:
            self._notes_named += 1
            texts = (_Words(self, inner, words.ground).text for inner in note.iter() if inner.tag in ("p", "h"))
            self.gathered.beside(f"Note {self._notes_named}: {' '.join(' '.join(texts).split())}")
        self._boxes(words.frames, words.ground)

    def _boxes(self, frames: list[Element], ground: str) -> None:
        for frame in frames:
            box = frame.find("text-box")
            if box is not None and is_off_page(frame):
                self.gathered.hide("hidden text boxes", _plain(box))
            elif box is not None:
                fill = self.styles.look("graphic", frame.get("style-name", "")).get("ground", ground)
                self._block(box, fill)
            elif frame.find("object") is not None:
                self.gathered.leave_out("formulas, charts and other objects", 1)
            else:
                self.gathered.leave_out("images", 1)

    def _list(self, block: Element, ground: str) -> None:
        with self._marks.inside(block):
            for item in block:
                mark = self._marks.next(item) if item.tag == "list-item" else ""
                for inner in item:
                    self._block(inner, ground, mark)
                    mark = ""

    def _table(self, table: Element, ground: str) -> None:
        rows = list(_rows(table))
        self.gathered.leave_out(f"rows of tables beyond the first {MOST_ROWS}", len(rows[MOST_ROWS:]))
        is_layout = all(sum(1 for cell in row if cell.tag == "table-cell") < 2 for row in rows)
        hidden = _hidden_columns(table)
        for row in rows[:MOST_ROWS]:
            if row.get("visibility", "visible") != "visible":
                self.gathered.hide("hidden rows of tables", _plain(row))
            elif is_layout:
                for cell in row:
                    for inner in cell if not self._is_covered(cell) else ():
                        self._block(inner, self._ground_of(cell, ground))
            else:
                self._row(row, ground, hidden)

    def _row(self, row: Element, ground: str, hidden: Collection[int]) -> None:
        cells: list[str] = []
        found = []
        for cell in row:
            if len(cells) in hidden:
                self.gathered.hide("hidden columns of tables", _plain(cell))
                cells += [""] * _repeated(cell)
                continue
            if self._is_covered(cell):
                cells += [""] * _repeated(cell)
                continue
            behind = self._ground_of(cell, ground)
            words = [_Words(self, inner, behind) for inner in _paragraphs_of(cell)]
            found += words
            cells += [" ".join(each.text for each in words)] * _repeated(cell)
        self.gathered.row(cells[:MOST_COLUMNS])
        for each in found:
            self._what_follows(each)

    def _is_covered(self, cell: Element) -> bool:
        """True for a cell that one before it spans, whose text alone is shown."""
        if cell.tag == "covered-table-cell":
            self.gathered.hide("text behind merged cells", _plain(cell))
        return cell.tag == "covered-table-cell"

    def _ground_of(self, cell: Element, ground: str) -> str:
        return self.styles.look("table-cell", cell.get("style-name", "")).get("ground", ground)


class _Words:
    """The words of one paragraph that are seen, and what hangs on it."""

    def __init__(self, reader: _Reader, paragraph: Element, ground: str) -> None:
        self._styles = reader.styles
        self._gathered = reader.gathered
        look = self._styles.look("paragraph", paragraph.get("style-name", ""))
        self.ground = look.get("ground", ground)
        self.is_title = look.get("name") == "Title"
        self.notes: list[Element] = []
        self.frames: list[Element] = []
        self._pieces: list[str] = []
        self._walk(paragraph, look)
        self.text = "".join(self._pieces)

    def _walk(self, element: Element, look: Look) -> None:
        self._add(element.text, look)
        for inner in element:
            self._inner(inner, look)
            self._add(inner.tail, look)

    def _inner(self, inner: Element, look: Look) -> None:
        if inner.tag == "span":
            self._walk(inner, {**look, **self._styles.look("text", inner.get("style-name", ""))})
        elif inner.tag in ("line-break", "tab", "s"):
            self._pieces.append("\n" if inner.tag == "line-break" else " ")
        elif inner.tag == "note":
            self.notes += inner.findall("note-body")
        elif inner.tag in ("annotation", "annotation-end"):
            self._gathered.leave_out("comments", len(_plain(inner).strip()))
        elif inner.tag in ("hidden-text", "hidden-paragraph") or inner.get("display") == "none":
            self._gathered.hide("text formatted as hidden", inner.get("string-value", "") + _plain(inner))
        elif inner.tag == "frame":
            self.frames.append(inner)
        elif inner.tag not in _WITHOUT_WORDS:
            self._walk(inner, look)

    def _add(self, text: str | None, look: Look) -> None:
        if not text:
            return
        if why := _why_unseen(look, self.ground):
            self._gathered.hide(why, text)
        else:
            self._pieces.append(text.replace("\n", " "))


def _why_unseen(look: Look, ground: str) -> str:
    if look.get("display") in ("none", "condition"):
        return "text formatted as hidden"
    if "flat" in look:
        return "text too small to read"
    return why_unseen(look.get("color", ""), look.get("behind", ground), float(look.get("points", "0")))


def _level(heading: Element) -> int:
    level = heading.get("outline-level", "1")
    return min(max(int(level), 1), 6) if level.isdecimal() else 1


def _rows(table: Element) -> Iterator[Element]:
    for inner in table:
        if inner.tag == "table-row":
            yield inner
        elif inner.tag in ("table-header-rows", "table-rows", "table-row-group"):
            yield from _rows(inner)


def _repeated(cell: Element) -> int:
    """For how many columns a cell, or a column, stands."""
    said = cell.get("number-columns-repeated", "1")
    return min(int(said), MOST_COLUMNS) if said.isdecimal() else 1


def _hidden_columns(table: Element) -> frozenset[int]:
    columns = [column for column in table.iter("table-column") for _ in range(_repeated(column))][:MOST_COLUMNS]
    return frozenset(at for at, column in enumerate(columns) if column.get("visibility", "visible") != "visible")


def _paragraphs_of(cell: Element) -> Iterator[Element]:
    """The paragraphs of a cell, those of lists and tables in it included."""
    for inner in cell:
        if inner.tag in ("p", "h"):
            yield inner
        elif inner.tag not in ("annotation", "frame"):
            yield from _paragraphs_of(inner)


def _plain(element: Element) -> str:
    """All words beneath an element, seen or not, for counting them."""
    return "".join(element.itertext())
