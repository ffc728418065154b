"""What cuts off text that a box has no room for, and what lies over text that comes before it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from css.hiding import clips
from css.lengths import EM, length
from css.look import Look, is_opaque

CUT, COVERED = "cut off", "covered by others"
_WIDEST = 1280.0
_NARROW_LETTER = 0.4
"""Of the size of letters, how wide they are at least."""
_LINE = 1.2
_MOST_HIGH = 400.0
"""Pixels of a box that is taken for one that cuts off; more is what a page shows at a time."""
_GRID = re.compile(r"(?:0(?:fr|px|%)?|minmax\(0(?:px)?, ?0(?:fr|px)?\))(?: (?:0(?:fr|px)?))*$")
_HIGHS = ("height", "min-height", "margin-top", "margin-bottom", "padding-top", "padding-bottom")


@dataclass(slots=True, eq=False)
class Box:
    """An element that shows nothing of what does not fit into it."""

    height: float | None
    width: float
    rows: float | None
    """How many lines of text are shown, where it is said."""
    is_one_line: bool
    outside: Box | None = None
    used: float = 0.0
    """Pixels of its height that have text."""
    lines: float = 0.0

    def pass_by(self, declared: Mapping[str, str]) -> None:
        """Count the room that an element without words takes in it."""
        if declared.get("position", "static") in ("static", "relative"):
            said = (
                _size(declared, name, EM) if name == "height" else length(declared.get(name, ""), EM, percent=0)
                for name in _HIGHS
            )
            self.used += sum(max(0.0, each or 0.0) for each in said)

    def takes(self, words: str, size: float) -> int:
        """How many characters of a line of ``words`` are seen in it."""
        wide = max(self.width / (_NARROW_LETTER * size), 1.0)
        rows = 1.0 if self.is_one_line else -(-len(words) // wide)
        free = rows
        if self.height is not None:
            free = min(free, (self.height - self.used) / (_LINE * size) + 0.5)
        if self.rows is not None:
            free = min(free, self.rows - self.lines)
        self.used += _LINE * size * rows
        self.lines += rows
        return (
            0
            if free < 0.9
            else len(words)
            if free >= rows and not self.is_one_line
            else int(max(1.0, free // 1) * wide)
        )


def box_of(declared: Mapping[str, str], look: Look, outside: Box | None) -> Box | None:
    """The box that an element is, or the one around it."""
    clamp = length(declared.get("-webkit-line-clamp", declared.get("line-clamp", "")), EM, percent=0)
    if not clips(declared) and not (clamp and "-webkit-box" in declared.get("display", "")):
        return outside
    height, width = _size(declared, "height", look.size), _size(declared, "width", look.size)
    if height is not None and "border-box" in declared.get("box-sizing", ""):
        height -= (
            length(declared.get("padding-top", declared.get("padding", "")).split(" ")[0], look.size, percent=0) or 0.0
        )
    known = height if height is not None and height <= _MOST_HIGH else None
    is_one_line = look.is_one_line and "auto" not in declared.get("overflow-x", "")
    return Box(known, min(width or _WIDEST, outside.width if outside else _WIDEST), clamp, is_one_line, outside)


def fitting(box: Box | None, words: str, size: float) -> int:
    """How many characters of a line of ``words`` the boxes around it have room for."""
    most = len(words)
    while box is not None:
        most = min(most, box.takes(words, size))
        box = box.outside
    return most


def is_collapsed(declared: Mapping[str, str]) -> bool:
    """True for a grid whose rows or columns have no room of their own."""
    return any(
        _GRID.match(declared.get(f"grid-{name}", ""))
        for name in ("template-rows", "template-columns", "auto-rows", "auto-columns")
    )


def is_out_of(box: Box, declared: Mapping[str, str], size: float, earlier: int) -> bool:
    """True for an element that stands beside ``box``, which is around it; ``earlier`` ones stand in the same one."""
    if earlier and (
        declared.get("flex", "").endswith("0 100%")
        or "100%" in (declared.get("flex-basis"), declared.get("min-width"), declared.get("min-height"))
        or (box.is_one_line and declared.get("display") == "inline-block" and declared.get("width") == "100%")
    ):
        return True
    if declared.get("position", "static") != "static" or "transform" in declared or "translate" in declared:
        moved = " ".join(
            declared.get(name, "") for name in ("left", "right", "top", "bottom", "transform", "translate")
        )
        if any(abs(int(share)) >= 100 for share in re.findall(r"(-?\d{2,5})(?:\.\d{1,9})?%", moved)):
            return True
    for name, room in (
        ("top", box.height),
        ("left", box.width),
        ("margin-top", box.height),
        ("padding-top", box.height),
    ):
        moved_by = length(declared.get(name, ""), size, percent=0)
        if room is not None and moved_by is not None and abs(moved_by) >= max(room, EM / 2):
            return name.startswith(("margin", "padding")) or declared.get("position", "static") != "static"
    return False


def covers(declared: Mapping[str, str], look: Look, is_picture: bool, lies: bool = False) -> str:
    """What an element lies over, as it is painted: ``around``, ``page``, ``before`` or nothing at all.

    With ``lies``, whether anything is hidden by it wherever it lies.
    """
    declared = _with_borders(declared)
    if look.why or look.is_unseen or look.opacity < 0.9 or look.z < -0.5:
        return ""
    if not is_picture and not is_opaque(declared):
        shadow = declared.get("box-shadow", "") + " " + declared.get("outline", "")
        spread = max((length(part, EM, percent=0) or 0.0 for part in shadow.split()), default=0.0)
        opaque = is_opaque({"background": shadow})
        return "before" if "inset" not in shadow and spread >= EM and opaque else ""
    position = declared.get("position", "static")
    if lies:
        return "before"
    if position in ("absolute", "fixed") and _spans(declared, look.size):
        return "page" if position == "fixed" else "around"
    if re.match(r"1 ?/ ?1\b", declared.get("grid-area", "")) or (
        declared.get("grid-row", "").startswith("1") and declared.get("grid-column", "").startswith("1")
    ):
        return "before"
    return "before" if pulled_over(declared, look.size) >= EM and look.z > -0.5 else ""


def reaches_ahead(declared: Mapping[str, str], holder: Mapping[str, str] | None, size: float, lines: float) -> float:
    """How many pixels an element reaches over what comes behind ``holder``, with so many of ``lines`` in it.

    Without a holder: over what comes behind the element itself, where it takes no room.
    """
    declared = _with_borders(declared)
    position, high = declared.get("position", "static"), _size(declared, "height", size) or 0.0
    top = length(declared.get("top", "auto"), size, percent=lines)
    if holder is not None:
        own = _size(holder, "height", size)
        return (top or 0.0) + high - (lines if own is None else own) if position == "absolute" else 0.0
    if position == "absolute":
        return high if top is None and not declared.keys() & {"bottom", "inset", "inset-block"} else 0.0
    if position == "static" and "transform" not in declared and "translate" not in declared:
        return 0.0
    moved = re.findall(
        r"translatey\(([^()]{1,20})\)|translate\([^(),]{1,20},([^()]{1,20})\)", declared.get("transform", "")
    )
    said = [declared.get("top", ""), *("".join(each) for each in moved[:1])]
    below = length(declared.get("margin-bottom", ""), size, percent=0) or 0.0
    return min(high, max(-below, *(length(each, size, percent=high) or 0.0 for each in said)))


def _with_borders(declared: Mapping[str, str]) -> Mapping[str, str]:
    """``declared``, borders that are as wide as letters are high taken for what they frame."""
    found = dict(declared)
    for name, size in (("top", "height"), ("bottom", "height"), ("left", "width"), ("right", "width")):
        said = declared.get(f"border-{name}", declared.get("border", ""))
        wide = max((length(part, EM, percent=0) or 0.0 for part in said.split()), default=0.0) if said else 0.0
        if wide >= EM and is_opaque({"background": said}):
            found[size] = f"{wide + (length(found.get(size, ''), EM, percent=1000) or 0.0)}px"
            found["background"] = said
    return found


def pulled_over(declared: Mapping[str, str], size: float) -> float:
    """How many pixels an element is painted above the place that it has in the page."""
    margin = declared.get("margin-top", declared.get("margin", "").split(" ")[0])
    shadow = max(
        (
            length(part, EM, percent=0) or 0.0
            for name in ("box-shadow", "outline")
            for part in declared.get(name, "").split()
        ),
        default=0.0,
    )
    said = [margin, declared.get("margin-block-start", "")]
    if declared.get("position", "static") != "static":
        said.append(declared.get("top", ""))
    said += re.findall(
        r"translatey\(([^()]{1,20})\)|translate\([^(),]{1,20},([^()]{1,20})\)", declared.get("transform", "")
    )[:1]
    found = [length("".join(each), size, percent=60) or 0.0 for each in said]
    if re.match(r"1 ?/ ?1\b", declared.get("grid-area", "")) or declared.get("grid-row", "").startswith("1"):
        return 10 * _MOST_HIGH
    return max(shadow, -min(found))


def _spans(declared: Mapping[str, str], size: float) -> bool:
    """True for what is as high and wide as a line of text at least."""
    inset = declared.get("inset", "").split()
    sides = {name: (inset * 4)[at] for at, name in enumerate(("top", "right", "bottom", "left")) if inset}
    sides |= {
        name: declared[name] for name in ("top", "right", "bottom", "left") if declared.get(name, "auto") != "auto"
    }
    if declared.get("inset-block"):
        sides |= dict.fromkeys(("top", "bottom"), declared["inset-block"])
    if declared.get("inset-inline"):
        sides |= dict.fromkeys(("left", "right"), declared["inset-inline"])
    near = {name for name, said in sides.items() if (length(said, size, percent=300) or 0.0) <= 2 * EM}
    high, wide = (_size(declared, name, size, percent=1000) for name in ("height", "width"))
    is_high = near >= {"top", "bottom"} or (high is not None and high >= _LINE * EM and bool(near & {"top", "bottom"}))
    is_wide = near >= {"left", "right"} or (wide is not None and wide >= 10 * EM)
    return is_high and is_wide


def _size(declared: Mapping[str, str], name: str, size: float, percent: float = 0) -> float | None:
    """The least of what is said of a height or width; a share of what is around counts only where ``percent`` says so."""
    logical = {"height": "block-size", "width": "inline-size"}[name]
    said = [declared.get(each, "") for each in (name, f"max-{name}", logical, f"max-{logical}")]
    found = [
        pixels
        for each in said
        if (percent or not re.search(r"%|v[hwbi]|cq", each))
        and (pixels := length(each, size, percent=percent)) is not None
    ]
    return min(found, default=None)
