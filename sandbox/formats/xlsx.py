"""Workbooks (XLSX): each sheet that is shown is a page, each row a line, values as they are stored.

Left out and said: hidden sheets, rows and columns, cells that nobody sees, rows and columns beyond a bound, comments,
charts, formulas that were never worked out. Columns without any value are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cached_property
from xml.etree.ElementTree import Element

from extracted import Extracted

from formats.office.archive import PASSED_OVER, Archive, core_properties
from formats.office.gathered import MOST_COLUMNS, MOST_ROWS, Gathered
from formats.office.xlsx_forms import Form, form_of_number, form_of_text, is_day
from formats.office.xlsx_looks import IS_NUMBER, CellLook, Looks, colour_of
from formats.seen import why_unseen

_LONGEST_CELL = 32_767
"""As in Excel; a text that a million cells share is then no flood."""
_MOST_COLUMNS_THERE_ARE = 16_384
_SHEET_PARTS = ("sheetFormatPr", "col", "row")
_BEHIND = (b"<conditionalFormatting", b"<mergeCell")
"""What stands behind the rows in a sheet, and decides what is seen of them."""
_ROW_BEGINS = re.compile(rb"<(?:\w+:)?row[\s/>]")

Row = dict[int, str]
"""The texts of a row's cells by column, from 1 on."""


def read(data: bytes, max_chars: int) -> Extracted:
    """The sheets of the workbook ``data``."""
    archive = Archive(data)
    main = archive.main_part("xl/workbook.xml", "Excel workbook")
    return _Workbook(archive, main, max_chars).extracted()


class _Workbook:
    def __init__(self, archive: Archive, main: str, max_chars: int) -> None:
        self._archive = archive
        self._main = main
        self._tree = archive.tree(main)
        self._looks = Looks(archive.tree(archive.related_as(main, "styles")))
        properties = self._tree.find("workbookPr")
        is_1904 = properties is not None and properties.get("date1904") in ("1", "true")
        self._first_day = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)
        self._max_chars = max_chars
        self._gathered = Gathered(max_chars, by_page=True)

    def extracted(self) -> Extracted:
        parts = self._archive.related(self._main)
        for sheet in self._tree.iter("sheet"):
            # A sheet that is named a second time is looked for in vain.
            kind, part = parts.pop(sheet.get("r:id", ""), ("", ""))
            is_hidden = sheet.get("state", "visible") != "visible"
            if not is_hidden:
                self._gathered.next_page()
            if kind != "worksheet" or part not in self._archive.names:
                self._gathered.leave_out("charts and drawings", 1)
                continue
            rows = self._rows_of(part)
            if is_hidden:
                self._gathered.hide("hidden sheets", "".join("".join(row.values()) for row in rows))
            else:
                self._gathered.paragraph(f"# {sheet.get('name', '')}")
                self._show(rows)
        self._gathered.hide(PASSED_OVER, self._archive.passed_over)
        return self._gathered.extracted("page", core_properties(self._archive))

    def _show(self, rows: list[Row]) -> None:
        columns = sorted({column for row in rows for column in row})
        left_out = set(columns[MOST_COLUMNS:])
        self._gathered.leave_out(f"columns of sheets beyond the first {MOST_COLUMNS}", len(left_out))
        for row in rows:
            self._gathered.row([row.get(column, "") for column in columns[:MOST_COLUMNS]])

    def _rows_of(self, part: str) -> list[Row]:
        """The rows of a sheet that have values which are seen, as many as are taken."""
        self._note_beside(part)
        has_tables = bool(self._archive.related_as(part, "table"))
        hidden_columns = bytearray(_MOST_COLUMNS_THERE_ARE + 1)
        self._unseen = self._areas_unseen(part)
        widths: dict[int, float] = {}
        are_rows_hidden = False
        rows: list[Row] = []
        seen = chars = at = last = 0
        for element in self._archive.each(part, _SHEET_PARTS):
            if element.tag == "col":
                _hide_columns(element, hidden_columns)
                _note_width(element, widths)
                continue
            if element.tag == "sheetFormatPr":
                are_rows_hidden = element.get("zeroHeight") in ("1", "true")
                continue
            if seen == MOST_ROWS or chars > self._max_chars // 2:
                total = sum(len(_ROW_BEGINS.findall(chunk)) for chunk in self._archive.chunks(part))
                self._gathered.leave_out(f"rows of sheets beyond the first {seen}", max(total - seen, 1))
                break
            seen += 1
            number = element.get("r", "")
            at = int(number) if number.isdecimal() and len(number) < 8 else at + 1
            row = dict(self._cells_of(element, has_tables))
            is_gone = are_rows_hidden and element.get("hidden", "1") != "0" and "ht" not in element.attrib
            if is_gone or element.get("hidden") in ("1", "true") or _size(element.get("ht", "")) < _LEAST_HIGH:
                self._gathered.hide("hidden rows of sheets", "".join(row.values()))
                continue
            for column in [column for column in row if hidden_columns[min(column, _MOST_COLUMNS_THERE_ARE)]]:
                self._gathered.hide("hidden columns of sheets", row.pop(column))
            self._cut(row, element, widths)
            if rows and at - last > _FAR_BELOW:
                self._gathered.hide(_FAR, "".join(row.values()))
                continue
            if row:
                last = at
                rows.append(row)
                chars += sum(map(len, row.values()))
        return rows

    def _cut(self, row: Row, element: Element, widths: dict[int, float]) -> None:
        """Take away what a reader of the sheet does not see of the row's texts."""
        high = element.get("ht", "") if element.get("customHeight") in ("1", "true") else ""
        if _IS_SIZE.fullmatch(high):
            shown = max(1, round(float(high) / _LINE_HIGH))
            for column, text in row.items():
                lines = text.split("\n")
                if len(lines) > shown + _SPARE_LINES:
                    self._gathered.hide("text below the edge of its cell", "".join(lines[shown:]))
                    row[column] = "\n".join(lines[:shown])
        for column in [column for column, text in row.items() if len(text) > _LONG_TEXT * (widths.get(column, 99) + 1)]:
            if column + 1 in row and widths.get(column, 99) < _NARROW:
                self._gathered.hide("text cut off by the next cell", row.pop(column))
        far = sorted(row)
        for before, column in zip([0, *far], far, strict=False):
            if column - before > _FAR_BESIDE:
                for each in far[far.index(column) :]:
                    self._gathered.hide(_FAR, row.pop(each))
                break

    def _areas_unseen(self, part: str) -> list[tuple[Area, str]]:
        """The areas of a sheet whose text a rule hides, or the cell that they are merged with."""
        if not any(mark in chunk for chunk in self._archive.chunks(part) for mark in _BEHIND):
            return []
        found: list[tuple[Area, str]] = []
        for element in self._archive.each(part, ("conditionalFormatting", "mergeCell")):
            if len(found) > _MOST_AREAS:
                break
            if element.tag == "mergeCell" and (area := _area(element.get("ref", ""))):
                left, top, right, bottom = area
                found += [((left + 1, top, right, bottom), _MERGED), ((left, top + 1, left, bottom), _MERGED)]
            elif any(self._looks.rule_hides(rule.get("dxfId", "")) for rule in element.iter("cfRule")):
                areas = (_area(each) for each in element.get("sqref", "").split()[:50])
                found += [(area, "text that a rule hides") for area in areas if area]
        return found

    def _note_beside(self, part: str) -> None:
        for kind, beside in self._archive.related(part).values():
            if kind == "drawing":
                self._gathered.leave_out("charts and drawings", 1)
            elif kind in ("comments", "threadedComment"):
                text = "".join(
                    inner.text or "" for inner in self._archive.tree(beside).iter() if inner.tag in ("t", "text")
                )
                self._gathered.leave_out("comments", len(text.strip()))

    def _cells_of(self, row: Element, has_tables: bool) -> Iterator[tuple[int, str]]:
        column = 0
        for cell in row:
            column = _column(cell.get("r", "")) or column + 1
            look = self._looks[cell.get("s", "0")]
            text = self._text_of(cell, look.code)[:_LONGEST_CELL].strip()
            if _PALE in text:
                for pale in _PALE_TEXT.findall(text) if not (look.has_ground or has_tables) else ():
                    self._gathered.hide("text in the colour of its background", pale)
                text = _PALE_TEXT.sub("" if not (look.has_ground or has_tables) else r"\1", text).strip()
            if not text:
                self._gathered.leave_out("formulas without a stored value", int(cell.find("f") is not None))
            elif why := self._why_unseen(cell, look, has_tables):
                self._gathered.hide(why, text)
            else:
                yield column, text

    def _why_unseen(self, cell: Element, look: CellLook, has_tables: bool) -> str:
        at = _area(cell.get("r", "")) if self._unseen else None
        if at and (why := next((why for area, why in self._unseen if _is_within(area, at)), "")):
            return why
        # A style of tables may lay colours behind cells that say nothing of them.
        return look.why_unseen("" if has_tables and not look.has_ground else look.ground, _is_text(cell))

    def _text_of(self, cell: Element, code: str) -> str:
        kind, value = cell.get("t", "n"), cell.findtext("v", "")
        if kind == "s":
            value = self._shared[int(value)] if value.isdecimal() and int(value) < len(self._shared) else ""
        elif kind == "inlineStr":
            value = _text(cell)
        elif kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, value)
        if not value or kind == "e":
            return value
        return self._number(value, code) if kind == "n" else self._formed(form_of_text(code), value)

    def _formed(self, form: Form, value: str) -> str:
        """``value`` with the words that its format has around it, or these alone where it is not shown."""
        if form.is_empty or (form.has_words and not form.has_place):
            self._gathered.hide("text formatted as hidden", value)
        return "" if form.is_empty else form.around(value)

    @cached_property
    def _shared(self) -> list[str]:
        part = self._archive.related_as(self._main, "sharedStrings")
        return (
            [_text(item)[:_LONGEST_CELL] for item in self._archive.each(part, ("si",))]
            if part in self._archive.names
            else []
        )

    def _number(self, value: str, code: str) -> str:
        """A number as a sheet shows it: a day, a time, a share, or fifteen digits of it."""
        try:
            form, number = form_of_number(code, float(value))
            if is_day(form.code):
                return self._formed(form, _moment(self._first_day + timedelta(days=number), number))
        except (ValueError, OverflowError):
            return value
        shown = f"{number / 1000**form.thousands * 100 ** min(form.percent, 1):.15g}"
        return self._formed(form, f"{float(shown):.13g}%" if form.percent else shown)


def _moment(moment: datetime, number: float) -> str:
    moment = (moment + timedelta(milliseconds=500)).replace(microsecond=0)
    if number < 1:
        return moment.strftime("%H:%M:%S").removesuffix(":00")
    return moment.strftime("%Y-%m-%d %H:%M:%S").removesuffix(" 00:00:00").removesuffix(":00")


Area = tuple[int, int, int, int]
"""Left, top, right and bottom, from 1 on."""
_MOST_AREAS = 200
_MERGED = "text behind merged cells"
_AREA = re.compile(r"([A-Z]{1,3})(\d{1,7})(?::([A-Z]{1,3})(\d{1,7}))?")


def _area(reference: str) -> Area | None:
    found = _AREA.fullmatch(reference.replace("$", ""))
    if not found:
        return None
    left, top = _column(found[1]), int(found[2])
    return left, top, _column(found[3]) if found[3] else left, int(found[4]) if found[4] else top


def _is_within(area: Area, cell: Area) -> bool:
    return area[0] <= cell[0] <= area[2] and area[1] <= cell[1] <= area[3]


_FAR = "text far from the rest of its sheet"
_FAR_BELOW, _FAR_BESIDE = 3_000, 120
"""Rows, columns that are empty before it."""
_LINE_HIGH, _SPARE_LINES = 12.0, 8
_NARROW, _LONG_TEXT = 4.0, 6
"""Digits side by side; a column that narrow beside one with text shows as many letters, not a sentence."""
_IS_SIZE = re.compile(r"\d{1,6}(\.\d{1,20})?")
_LEAST_HIGH, _LEAST_WIDE = 2.0, 0.4
"""Points, and digits side by side."""


def _is_text(cell: Element) -> bool:
    return cell.get("t", "n") in ("s", "str", "inlineStr")


def _size(said: str) -> float:
    """Of a row or a column; where none is said, it is as large as others."""
    return float(said) if _IS_SIZE.fullmatch(said) else _LEAST_HIGH


def _hide_columns(columns: Element, hidden: bytearray) -> None:
    """Mark the columns that a ``col`` is about, where it hides them."""
    if columns.get("hidden") in ("1", "true") or _size(columns.get("width", "")) < _LEAST_WIDE:
        said = [columns.get(end, "") for end in ("min", "max")]
        if all(end.isdecimal() and len(end) < 6 for end in said):
            first, last = (min(int(end), _MOST_COLUMNS_THERE_ARE) for end in said)
            hidden[first : last + 1] = b"\1" * (last + 1 - first)


def _note_width(columns: Element, widths: dict[int, float]) -> None:
    first, last, wide = (columns.get(name, "") for name in ("min", "max", "width"))
    if first.isdecimal() and last.isdecimal() and _IS_SIZE.fullmatch(wide) and len(last) < 6:
        widths.update(dict.fromkeys(range(int(first), min(int(last), int(first) + 200) + 1), float(wide)))


def _column(reference: str) -> int:
    """The number of the column in a reference as ``C5``; 0 when there is none."""
    number = 0
    for letter in reference.rstrip("0123456789")[:3]:
        number = number * 26 + ord(letter) - 64 if "A" <= letter <= "Z" else 0
    return number


_PALE = "\ue000"
"""Around words of a cell that have a colour, or a size, of their own that is not seen on white."""
_PALE_TEXT = re.compile(f"{_PALE}([^{_PALE}]*){_PALE}")


def _text(item: Element) -> str:
    """The words of a shared string or of a cell, without the reading aids of Chinese and Japanese."""
    aids = {id(text) for aid in item.iter("rPh") for text in aid.iter("t")}
    pale = {id(text) for run in item.iter("r") if _is_pale(run.find("rPr")) for text in run.iter("t")}
    words = [(text, (text.text or "").replace(_PALE, "")) for text in item.iter("t") if id(text) not in aids]
    return "".join(f"{_PALE}{said}{_PALE}" if id(text) in pale else said for text, said in words)


def _is_pale(properties: Element | None) -> bool:
    if properties is None:
        return False
    size = properties.find("sz")
    points = "0" if size is None else size.get("val", "0")
    number = float(points) if IS_NUMBER.fullmatch(points) else 0
    return bool(why_unseen(colour_of(properties.find("color")), "FFFFFF", number))
