"""Declarations that by themselves take an element, with everything in it, off the page."""

from __future__ import annotations

import re
from collections.abc import Mapping

from css.colours import colours_in
from css.lengths import EM, length

LEAST_OPACITY = 0.11
_FAR = 900.0
"""Pixels off the page."""
_BESIDE = 300.0
"""Pixels that a paragraph is beside the page, which begins there or is as wide."""
_WIDEST = 1270.0
_NARROW = 2.0
_BLURRED = 4.0
"""Pixels; letters are clouds."""
_SQUEEZED = -0.3
"""Of the size of the letters, between two of them: they lie on each other."""
_TORN = 60.0
"""Pixels between two letters or words."""
FUNCTION = re.compile(r"(?<![a-z0-9-])([a-z0-9-]+)\(((?:[^()]|\([^()]{0,100}\)){0,200})\)")
_DEGREES = {"deg": 1.0, "grad": 0.9, "rad": 57.3, "turn": 360.0}


def hidden_by_itself(declared: Mapping[str, str], size: float) -> str:
    """Why an element, with everything in it, is not on the page; empty where nothing takes it off."""
    if declared.get("display") in ("none", "table-column", "table-column-group"):
        return "not displayed"
    if declared.get("content-visibility") == "hidden":
        return "not displayed"
    if re.match(r"url\(|(?:-webkit-)?image-set\(|[\w-]{1,40}gradient\(|element\(", declared.get("content", "")):
        return "replaced by a picture"
    if _is_off_the_page(declared, size):
        return "off the page"
    if _is_squeezed(declared, size):
        return "squeezed"
    if _is_faded(declared):
        return "blurred or masked"
    if _is_clipped(declared) or _is_cut_off(declared, size):
        return "cut off"
    return "transformed away" if _is_transformed_away(declared, size) else ""


def clips(declared: Mapping[str, str]) -> bool:
    """True for a box that shows nothing of what does not fit into it."""
    overflow = " ".join(declared.get(name, "") for name in ("overflow", "overflow-x", "overflow-y", "overflow-block"))
    return bool(re.search(r"hidden|clip", overflow) or re.search(r"paint|strict|content", declared.get("contain", "")))


def _is_squeezed(declared: Mapping[str, str], size: float) -> bool:
    for name in ("letter-spacing", "word-spacing"):
        between = length(declared.get(name, ""), size, percent=size)
        if between is not None and not _SQUEEZED * size <= between <= _TORN:
            return True
    return declared.get("font-size-adjust", "") in ("0", "0.0") or declared.get("text-combine-upright") == "all"


def _is_faded(declared: Mapping[str, str]) -> bool:
    """Blurred until nobody reads it, drawn as dots or in blank letters, or under a mask that lets nothing through."""
    for name, inside in FUNCTION.findall(declared.get("filter", "")):
        if name == "url" or (name == "blur" and (length(inside, EM, percent=0) or 0.0) > _BLURRED):
            return True
    if declared.get("-webkit-text-security", "none") != "none" or "blank" in declared.get("font-family", ""):
        return True
    masks = " ".join(value for name, value in declared.items() if name.removeprefix("-webkit-").startswith("mask"))
    if not masks:
        return False
    sizes = declared.get("mask-size", declared.get("-webkit-mask-size", ""))
    if "url(" in masks or re.search(r"exclude|subtract|xor|source-out", masks) or re.match(r"0(?![.\d])", sizes):
        return True
    stops = colours_in(masks, None) if "gradient(" in masks else []
    return bool(stops) and all(alpha < LEAST_OPACITY for _, alpha in stops)


def _is_off_the_page(declared: Mapping[str, str], size: float) -> bool:
    indent = length(declared.get("text-indent", ""), size, percent=1000)
    if indent is not None and abs(indent) > _BESIDE:
        return True
    position = declared.get("position", "static")
    along = _lengths(declared, ("margin-left", "margin-inline-start", "padding-left", "padding-inline-start"), size)
    across = _lengths(declared, ("margin-top", "margin", "margin-block-start"), size)
    far = _BESIDE if position in ("absolute", "fixed") else _FAR
    if position != "static":
        along += _lengths(declared, ("left", "right", "inset-inline-start", "inset-inline-end", "inset-inline"), size)
        across += _lengths(
            declared, ("top", "bottom", "inset", "inset-block-start", "inset-block-end", "inset-block"), size
        )
    if any(each < -far or each > _WIDEST for each in along) or any(each < -far or each > 4 * _FAR for each in across):
        return True
    if position != "static" and re.match(r"calc\(100% ?\+ ?\d{3,6}px\)", declared.get("bottom", "")):
        return True
    if position == "fixed" and any(
        re.match(r"(?:1\d\d|[2-9]\d\d|\d{4,6})(?:[sld]?v[hw]|%)$", declared.get(name, ""))
        for name in ("left", "top", "right", "bottom")
    ):
        return True
    path = f"{declared.get('offset-path', '')} {declared.get('offset', '')} {declared.get('offset-distance', '')}"
    numbers = (float(number) for number in re.findall(r"-?\d{1,9}(?:\.\d{1,9})?", path)[:200])
    return any(abs(number) > _BESIDE for number in numbers)


def _lengths(declared: Mapping[str, str], names: tuple[str, ...], size: float) -> list[float]:
    values = [declared[name] for name in names if name in declared]
    parts = [part for value in values for part in ([value] if "(" in value else value.split()[:4])]
    return [found for part in parts if (found := length(part, size, percent=1000)) is not None]


def _is_cut_off(declared: Mapping[str, str], size: float) -> bool:
    contained = declared.get("contain", "") + declared.get("container-type", "")
    is_cut = clips(declared) or "scroll" in str(declared) or "auto" in declared.get("overflow", "")
    if clips(declared) and re.match(r"0 [01] 0(?:px|%)?$", declared.get("flex", "")):
        return True
    if declared.get("line-height") in ("0", "0px") and is_cut:
        return True
    if is_cut and _is_pushed_down(declared, size):
        return True
    has_height = any(name in declared for name in ("height", "min-height", "block-size"))
    if is_cut and ("size" in contained.replace("inline-size", "") or "strict" in contained) and not has_height:
        return True
    if not is_cut:
        return False
    names = [
        "width",
        "height",
        "max-width",
        "max-height",
        "inline-size",
        "block-size",
        "max-block-size",
        "max-inline-size",
    ]
    return any(each <= _NARROW for name in names for each in _lengths(declared, (name,), size))


def _is_pushed_down(declared: Mapping[str, str], size: float) -> bool:
    """True where lines are so high that the letters in their middle are below the edge of the box."""
    said = declared.get("line-height", "")
    line = length(said, size, percent=size)
    high = min(_lengths(declared, ("height", "max-height"), size), default=None)
    if line is None or high is None:
        return False
    return (line * (size if re.fullmatch(r"[\d.]+", said) else 1.0) - size) / 2 > high


def _is_clipped(declared: Mapping[str, str]) -> bool:
    """``clip: rect(0 0 0 0)``, ``clip-path: inset(50%)`` and the like leave nothing of it."""
    path = declared.get("clip-path", declared.get("-webkit-clip-path", ""))
    if path.startswith(("url(", "path(", "shape(")):
        return True
    for name, inside in FUNCTION.findall(f"{declared.get('clip', '')} {path}"):
        parts = re.split(r"[\s,]+", inside.partition(" round ")[0])[:20]
        numbers = [number for part in parts if (number := length(part, EM, percent=100)) is not None]
        if name == "rect" and len(numbers) == 4:
            if abs(numbers[1] - numbers[3]) <= _NARROW or abs(numbers[2] - numbers[0]) <= _NARROW:
                return True
        elif name == "inset" and numbers:
            top, right, bottom, left = (numbers * 4)[:4] if len(numbers) != 3 else (*numbers, numbers[1])
            if max(numbers) >= _BESIDE or ("%" in inside and (top + bottom >= 99 or right + left >= 99)):
                return True
        elif (
            (name == "xywh" and len(numbers) > 3 and min(numbers[2:4]) <= _NARROW)
            or (name in ("circle", "ellipse") and numbers and (min(numbers[: 1 + (name == "ellipse")]) <= _NARROW))
            or (name == "polygon" and numbers and _is_flat(numbers))
        ):
            return True
    return False


def _is_flat(numbers: list[float]) -> bool:
    """True for a polygon without an area, or off the page."""
    across, along = numbers[0::2], numbers[1::2]
    if not along:
        return True
    pairs = list(zip(across, along, strict=False))
    area = sum(x * v - u * y for (x, y), (u, v) in zip(pairs, pairs[1:] + pairs[:1], strict=True))
    return abs(area) < 8 or max(across) < 0 or max(along) < 0


def _is_transformed_away(declared: Mapping[str, str], size: float) -> bool:
    transforms = FUNCTION.findall(declared.get("transform", ""))
    rotate = declared.get("rotate", "").split()
    if rotate[:1] in (["x"], ["y"]):
        transforms.append((f"rotate{rotate[0]}", rotate[-1]))
    elif len(rotate) == 4:
        transforms.append(("rotate3d", ",".join(rotate)))
    moved = [length(part, size, percent=1000) for part in declared.get("translate", "").split()[:2]]
    by_name = {name: length(inside, size, percent=0) or 0.0 for name, inside in transforms}
    if 0.0 < by_name.get("perspective", 0.0) <= by_name.get("translatez", 0.0):  # behind who looks at it
        return True
    for name, inside in transforms:
        parts = [part.strip() for part in inside.split(",")]
        numbers = [length(part, size, percent=1000) for part in parts]
        flips = name in ("rotatex", "rotatey") or (name == "rotate3d" and (numbers[0] or numbers[1:2] > [0.0]))
        turn = _degrees(parts[-1]) % 360 if flips else 0.0
        if flips and min(abs(turn - 90), abs(turn - 270)) < 4:
            return True
        if flips and declared.get("backface-visibility") == "hidden" and 90 < turn < 270:
            return True
        if name.startswith("skew") and any(86 < abs(_degrees(part)) % 180 < 94 for part in parts):
            return True
        if name == "matrix" and len(numbers) == 6 and not any(numbers[:4]):
            return True
        if name == "matrix3d" and len(numbers) == 16 and not (numbers[0] and numbers[5]):
            return True
        moved += numbers if name.startswith("translate") and name != "translatez" else []
        moved += numbers[4:] if name == "matrix" else numbers[12:14] if name == "matrix3d" else []
    return any(number is not None and abs(number) > _FAR for number in moved)


def _degrees(said: str) -> float:
    found = re.match(r"(-?[\d.]{1,12})(deg|grad|rad|turn)?", said)
    try:
        return float(found[1]) * _DEGREES[found[2] or "deg"] if found else 0.0
    except ValueError:
        return 0.0


def scaled(declared: Mapping[str, str]) -> float:
    """How much smaller or larger all in it is drawn."""
    found = length(declared.get("zoom", ""), 1.0, percent=1.0)
    scales = [1.0 if found is None else abs(found)]
    said = [("scale", declared.get("scale", "").replace(" ", ","))]
    for name, inside in [*said, *FUNCTION.findall(declared.get("transform", ""))]:
        numbers = [length(part, 1, percent=1) for part in inside.split(",")] if inside else []
        if name.startswith("scale") and name != "scalez":
            scales += (
                [min(abs(number) for number in numbers[:2] if number is not None)]
                if any(number is not None for number in numbers[:2])
                else []
            )
        elif name == "matrix" and len(numbers) == 6:
            scales.append(min(max(abs(numbers[at] or 0.0), abs(numbers[at + 1] or 0.0)) for at in (0, 2)))
    return min(scales) if min(scales) < 1 else max(scales)
