"""The code that a source shows right below its words: an example, a form, a layout, a grammar."""

from __future__ import annotations

import re
import textwrap

_FENCE = re.compile(
    r"\s*\n(?P<indent>[ \t]*)(?P<mark>`{3,}|~{3,})(?P<info>[^\n`~]*)\n(?P<code>.*?)\n[ \t]*+(?P=mark)[ \t]*+(?:\n|\Z)",
    re.DOTALL,
)
_DELIMITED = re.compile(r"(?P<mark>-{4,}|\.{4,})[ \t]*+\n(?P<code>.*?)\n(?P=mark)[ \t]*+(?=\n|\Z)", re.DOTALL)
_HIDDEN = re.compile(r"\s*(?:#(?: |$)|$)")
_ATTRIBUTE = re.compile(r"\[.*\]$|\.[A-Z]|\+?$")
_DIRECTIVE = re.compile(
    r"\s*\n(?P<indent>[ \t]*)\.\. (?:code|code-block|sourcecode|parsed-literal)::[^\n]*(?:\n[ \t]+:[^\n]*)*\n"
)
_MOST_LINES, _LONGEST, _WIDEST = 40, 1_800, 160
"""Lines of an example that a page shows, its characters, and those of a line."""
_MOST_BLOCKS = 3
BREAK = "\n\f\n"
"""Between blocks of code that follow one another: what was and what is to be, one way and another."""


def code_below(gap: str, words: str, column: int, format: str) -> str:
    """The code in ``gap``, which stands between ``words`` and the next ones; empty where there is none, or too much.

    ``column``: where the line of the words begins.
    """
    found = []
    gap = gap.expandtabs()
    if format == "rst":
        directive = _DIRECTIVE.match(gap)
        if directive is None and not words.endswith("::"):
            return ""
        base = len(directive["indent"]) if directive else column
        found = [_indented(gap[directive.end() :] if directive else gap, base)]
    elif gap.strip("\n+ "):
        while fence := _DELIMITED.match(_bare(gap)) if format == "asciidoc" else _FENCE.match(gap):
            code = textwrap.dedent(fence["code"])
            found.append(_shown(code) if format == "markdown" and fence["info"].strip().startswith("rust") else code)
            gap = "\n" + fence.string[fence.end() :]
        if not found and (code := _indented(gap, column)):
            found = [code]
    return BREAK.join(found) if len(found) <= _MOST_BLOCKS and all(map(_is_fit, found)) else ""


def _shown(code: str) -> str:
    """``code`` without the lines around it that rustdoc hides: ``# fn main() {``."""
    lines = code.split("\n")
    shown = [at for at, line in enumerate(lines) if not _HIDDEN.match(line)]
    return textwrap.dedent("\n".join(lines[shown[0] : shown[-1] + 1])) if shown else ""


def _bare(gap: str) -> str:
    """``gap`` from its first line on that says more than what AsciiDoc is to do with the block below."""
    lines = gap.split("\n")
    first = next((at for at, line in enumerate(lines) if not _ATTRIBUTE.match(line.strip())), len(lines))
    return "\n".join(lines[first:])


def _is_fit(code: str) -> bool:
    lines = code.split("\n")
    is_small = len(lines) <= _MOST_LINES and len(code) <= _LONGEST and max(map(len, lines)) <= _WIDEST
    return is_small and bool(code.strip()) and not re.search(r"```|\{\{|<%|%%", code)


def _indented(text: str, base: int) -> str:
    """The lines at the beginning of ``text`` that stand further in than ``base``."""
    lines: list[str] = []
    for line in text.split("\n"):
        if line.strip() and len(line) - len(line.lstrip(" ")) <= base:
            break
        lines.append(line)
    return textwrap.dedent("\n".join(lines)).strip("\n").rstrip()
