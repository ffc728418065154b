"""What the head of a rich text file says: encodings of fonts, colours, headings among the styles, title, author, dates."""

from __future__ import annotations

import locale
import re

CODE_PAGES = {
    **{charset: f"cp{page}" for charset, page in ((0, 1252), (128, 932), (129, 949), (134, 936), (136, 950))},
    **{charset: f"cp{page}" for charset, page in ((161, 1253), (162, 1254), (163, 1258), (177, 1255), (178, 1256))},
    **{charset: f"cp{page}" for charset, page in ((186, 1257), (204, 1251), (222, 874), (238, 1250))},
}
"""The encoding of a font's text by the number of its character set."""
CHARACTERS = {
    "emdash": "—",
    "endash": "–",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "bullet": "•",
    "tab": "\t",
    "line": "\n",
    "emspace": " ",
    "enspace": " ",
    "~": "\xa0",
    "_": "-",
    "\n": "\n",
    "\\": "\\",
    "{": "{",
    "}": "}",
}
"""What control words and signs stand for."""
_KNOWN_PAGES = frozenset(CODE_PAGES.values()) | {"cp437", "cp850", "cp852", "cp866"}
_MOST_COLOURS = 1_000
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)


class Head:
    """Gathers what the head's groups say while they are read."""

    def __init__(self) -> None:
        self._encoding = "cp1252"
        self._language = 0
        self._text: list[str] = []
        self._said: dict[str, str] = {}
        self._day: dict[str, int] = {}
        self._colours: list[str] = []
        self._channels: dict[str, int] = {}
        self._font = -1
        self._encodings: dict[int, str] = {}
        self._style = -1
        self._levels: dict[int, int] = {}
        self._in = ""

    def begin(self, word: str) -> None:
        """A group that ``word`` begins."""
        self._in = word
        self._text.clear()
        self._day.clear()

    def end_entry(self) -> None:
        """A group within it has ended: one style or one font."""
        name = "".join(self._text)
        if self._in == "stylesheet" and (heading := _HEADING.search(name)):
            self._levels[self._style] = int(heading[1])
        self._text.clear()
        self._style = -1

    def end(self, word: str) -> None:
        """The group that ``word`` began has ended."""
        if word in ("creatim", "revtim") and {"yr", "mo", "dy"} <= self._day.keys():
            self._said[word] = "{yr:04}-{mo:02}-{dy:02}".format(**self._day)
        elif word in ("title", "author"):
            self._said[word] = " ".join("".join(self._text).split())
        self._in = ""

    def control(self, word: str, value: int | None) -> None:
        number = value or 0
        if word == "ansicpg":
            self._encoding = f"cp{number}" if f"cp{number}" in _KNOWN_PAGES else "cp1252"
        elif word == "deflang":
            self._language = number
        elif self._in == "colortbl":
            self._channels[word] = number
        elif word == "f":
            self._font = number
        elif word == "fcharset":
            self._encodings[self._font] = CODE_PAGES.get(number, "") if number else ""
        elif word == "s":
            self._style = number
        elif word in ("yr", "mo", "dy"):
            self._day[word] = number

    def text(self, text: str) -> None:
        if self._in == "colortbl":
            for _ in range(min(text.count(";"), _MOST_COLOURS - len(self._colours))):
                channels = [self._channels.get(name, -1) for name in ("red", "green", "blue")]
                # The first colour is empty: that of the reader's own choice.
                is_whole = all(0 <= channel < 256 for channel in channels)
                self._colours.append("{:02X}{:02X}{:02X}".format(*channels) if is_whole else "")
                self._channels.clear()
        else:
            self._text.append(text)

    def encoding(self, font: int) -> str:
        return self._encodings.get(font) or self._encoding

    def colour(self, number: int) -> str:
        """``RRGGBB``; empty for none of the table."""
        return self._colours[number] if 0 <= number < len(self._colours) else ""

    def level(self, style: int) -> int:
        """Of the heading that paragraphs of this style are; 0 for others."""
        return self._levels.get(style, 0)

    def fields(self) -> dict[str, str | list[str]]:
        """The head fields of the document."""
        found: dict[str, str | list[str]] = {}
        if title := self._said.get("title"):
            found["title"] = title
        if authors := [name.strip() for name in self._said.get("author", "").split(";") if name.strip()]:
            found["authors"] = authors
        if day := self._said.get("revtim") or self._said.get("creatim"):
            found["date"] = day
        if language := locale.windows_locale.get(self._language):
            found["language"] = language.replace("_", "-")
        return found
