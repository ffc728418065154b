"""How the formats that are read line by line write what is no prose: Markdown, text, Org, AsciiDoc, the text of HTML."""

from __future__ import annotations

import re
from dataclasses import dataclass

from curator.models.extractive.parsing.line import BULLET


@dataclass(frozen=True)
class Grammar:
    """How a format writes what is no prose."""

    heading: re.Pattern[str] | None = None
    """Group 1: the marks whose number is the level, group 2: the title."""
    closing: re.Pattern[str] | None = None
    """What a title ends with and is no part of it."""
    fence: re.Pattern[str] | None = None
    """Opens a block that is no prose, up to a line that begins with group 1 (or with ``#+END``)."""
    skipped: re.Pattern[str] | None = None
    underlined: bool = False
    indented_code: bool = False
    bullet: re.Pattern[str] = BULLET
    quote: re.Pattern[str] | None = None
    """A prefix of prose lines."""


GRAMMARS = {
    "markdown": Grammar(
        heading=re.compile(r" {0,3}(#{1,6})[ \t]++(.*)$"),
        closing=re.compile(r"(?<!#)#+$"),
        fence=re.compile(r"\s*(`{3,}|~{3,}|<!--(?!.*-->)|<(?:pre|script|style|table)\b)"),
        skipped=re.compile(r"\s*(?:\||\[[^\]]+\]:\s|<!--.*-->\s*$|!\[[^\]]*\]\([^)]*\)\s*$|</?\w++[^>]*>\s*$)"),
        underlined=True,
        indented_code=True,
        quote=re.compile(r"\s*(?:>\s?)+"),
    ),
    "text": Grammar(underlined=True, skipped=re.compile(r"\s*\|.*\|\s*$|\s*\+-")),
    "org": Grammar(
        heading=re.compile(r"(\*+) +(?:TODO |DONE )?(.*)$"),
        closing=re.compile(r"(?<!\s)\s+:[\w@:]++(?<=[\w@]:)$"),
        fence=re.compile(r"\s*(#\+BEGIN_(?:SRC|EXAMPLE|COMMENT|EXPORT)|:[A-Z]+:\s*$)", re.IGNORECASE),
        skipped=re.compile(r"\s*(?:\||#\+|#\s|:\w+:|\[fn:)"),
    ),
    "asciidoc": Grammar(
        heading=re.compile(r"(={1,6}) +(.*?)(?: =+)?$"),
        fence=re.compile(r"(-{4,}|\.{4,}|\|={3,}|/{4,}|\+{4,})\s*$"),
        underlined=True,
        skipped=re.compile(
            r"(?::[\w!-]+:|\[.*\]\s*$|//|\.[A-Z]\S|image::|include::|\+\s*$|={4,}\s*$|\*{4,}\s*$|_{4,}\s*$)"
        ),
        bullet=re.compile(r"\s*(?:[*.]{1,5}|-|\d+\.)[ \t]+(?:\[[ xX*]\][ \t]+)?(?=\S)"),
        quote=re.compile(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION): "),
    ),
    "html": Grammar(heading=re.compile(r"(#{1,6}) (.+)$"), fence=re.compile(r"(```)"), skipped=re.compile(r".* \| ")),
}
IN_BLOCKS = frozenset("html pdf docx odt rtf pptx xlsx csv epub email subtitles notebook tex".split())
"""Formats whose readers make a line of each heading, paragraph and row."""
