"""How the cells of a workbook look: their styles, and the rules that change them."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from formats.office.xlsx_forms import changes
from formats.seen import brightness, grey, why_unseen


class CellLook:
    """How the cells of one style look."""

    def __init__(self, code: str, colour: str, ground: str, points: float) -> None:
        self.code = code
        self.ground = ground or "FFFFFF"
        self.has_ground = bool(ground)
        self._colour = colour
        self._points = points

    def why_unseen(self, ground: str, is_text: bool) -> str:
        sections = self.code.split(";")
        section = sections[-1] if is_text and len(sections) == 4 else sections[0]
        colour = "FFFFFF" if "[white]" in section.lower() else self._colour
        return why_unseen(colour, ground, self._points)


class Looks:
    """The styles of cells by their numbers."""

    def __init__(self, part: Element) -> None:
        self._codes = {form.get("numFmtId", ""): form.get("formatCode", "") for form in part.iter("numFmt")}
        self._rules = part.findall("dxfs/dxf")
        self._fonts = part.findall("fonts/font")
        self._fills = part.findall("fills/fill")
        self._looks = [self._look(form) for form in part.findall("cellXfs/xf")]

    def rule_hides(self, number: str) -> bool:
        """True for a rule that gives text the colour of what is behind it, or formats it away or to something else."""
        form = _at(self._rules, number)
        fill, code = form.find("fill/patternFill/bgColor"), form.find("numFmt")
        said = "" if code is None else code.get("formatCode", "")
        look = CellLook(said, colour_of(form.find("font/color")), colour_of(fill), 0)
        return (bool(said) and changes(said)) or bool(look.why_unseen(look.ground, is_text=True))

    def __getitem__(self, number: str) -> CellLook:
        known = number.isdecimal() and int(number) < len(self._looks)
        return self._looks[int(number)] if known else CellLook("", "", "", 0)

    def _look(self, form: Element) -> CellLook:
        font, fill = _at(self._fonts, form.get("fontId", "")), _at(self._fills, form.get("fillId", ""))
        pattern, size = fill.find("patternFill"), font.find("sz")
        kind = "none" if pattern is None else pattern.get("patternType", "none")
        ground = "" if fill.tag == "none" or (kind == "none" and fill.find("gradientFill") is None) else "other"
        if kind == "solid" and pattern is not None:
            ground = colour_of(pattern.find("fgColor")) or "other"
        number = form.get("numFmtId", "0")
        code = self._codes.get(number) or _BUILT_IN.get(number, "")
        points = "0" if size is None else size.get("val", "0")
        return CellLook(
            code, colour_of(font.find("color")), ground, float(points) if IS_NUMBER.fullmatch(points) else 0
        )


_BUILT_IN = {
    **dict.fromkeys(map(str, (9, 10)), "0%"),
    **dict.fromkeys(map(str, (*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59))), "d"),
}
IS_NUMBER = re.compile(r"\d{1,4}(\.\d{1,4})?")


def colour_of(colour: Element | None) -> str:
    """``RRGGBB``, or the name of one of the theme's that is neither its white nor its black."""
    if colour is None:
        return ""
    if "rgb" in colour.attrib:
        return colour.get("rgb", "")[-6:]
    name, tint = colour.get("theme", ""), colour.get("tint", "0")
    known = _THEME.get(name, "") or _INDEXED.get(colour.get("indexed", ""), "")
    light = brightness(known)
    if light is not None and re.fullmatch(r"-?[01](\.\d{1,20})?", tint):
        share = float(tint)
        return grey(light + (1 - light) * share if share > 0 else light * (1 + share))
    return f"theme {name} {tint}" if name and not known else ""


_THEME = {"0": "FFFFFF", "1": "000000"}
_INDEXED = {"0": "000000", "1": "FFFFFF", "8": "000000", "9": "FFFFFF", "64": "000000", "65": "FFFFFF"}


def _at(elements: list[Element], number: str) -> Element:
    known = number.isdecimal() and int(number) < len(elements)
    return elements[int(number)] if known else Element("none")
