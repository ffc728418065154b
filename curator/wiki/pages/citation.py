"""A citation: the footnote that ties a claim to the words of a source.

Wheels are installed without running a build. [^pep-0427-1]

[^pep-0427-1]: sources/pep-0427.rst#L38 "a wheel is a ZIP-format archive"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from urllib.parse import quote, unquote

from curator.wiki.pages.inline import code_in, is_in

Unit = Literal["line", "page", "paragraph", "second"]
"""What the numbers of an anchor count: lines of a text file; pages, slides, sheets or chapters; paragraphs of a document
that has neither; or seconds of a recording."""
ANCHOR = r"(?:L\d{1,9}(?:-L\d{1,9})?|p\d{1,9}(?:-p\d{1,9})?|par\d{1,9}(?:-par\d{1,9})?|t=\d{1,9}(?:,\d{1,9})?)"
"""Matches ``L12``, ``L12-L15``, ``p3``, ``p3-p4``, ``par12``, ``par12-par13``, ``t=62``, ``t=62,75``."""
_NOTE = re.compile(rf"(?P<path>sources/\S*?)#(?P<anchor>{ANCHOR})\s+\"(?P<quote>.*)\"\s*\Z", re.DOTALL)
_PREFIXES: dict[Unit, str] = {"line": "L", "paragraph": "par", "page": "p", "second": "t="}
MARK = re.compile(r"\[\^([^\[\]\s]+)\]")
"""The mark of a footnote, with its label."""
NOTE = r"\[\^(?!a-z|A-Z|0-9)\w[\w:-]{0,80}\](?![+*?{\\|$])"
"""Matches the mark of a footnote in any source; ``[^a-z]+`` of a regular expression is words of its source."""
_SPACED = re.compile(rf"[ \t]{{0,8}}{MARK.pattern}")
_DANGEROUS = re.compile(r"\\|(?<=\[)\[|\[(?=\^)|\](?=[(\[\]])|!(?=\[)|<(?=[A-Za-z/!?])")
"""What would link, embed, cite or be HTML if the quoted words were read as markdown."""
_UNSAFE_IN_PATH = frozenset('"#%()<>[]!\\`*|')


@dataclass(frozen=True)
class Anchor:
    """A place in a source: its first and last line, page, paragraph or second."""

    unit: Unit
    first: int
    last: int

    @classmethod
    def parse(cls, written: str) -> Anchor | None:
        """Read ``L38``, ``L12-L15``, ``p3``, ``par12`` or ``t=62``; None for anything else."""
        if not re.fullmatch(ANCHOR, written):
            return None
        numbers = [int(number) for number in re.findall(r"\d+", written)]
        unit = next(unit for unit, prefix in _PREFIXES.items() if written.startswith(prefix))
        return cls(unit, numbers[0], numbers[-1])

    @property
    def written(self) -> str:
        """As a citation writes it: a span of time as media fragments do, ``t=62,75``."""
        prefix = _PREFIXES[self.unit]
        between = "," if self.unit == "second" else f"-{prefix}"
        return f"{prefix}{self.first}" if self.first == self.last else f"{prefix}{self.first}{between}{self.last}"


@dataclass(frozen=True)
class Citation:
    """Where a claim's words stand: a source, an anchor in it (``L12-L15``, ``p3``, ...) and the words themselves."""

    path: str
    anchor: str
    quote: str

    def definition(self, label: str) -> str:
        """The footnote's own line."""
        return f'[^{label}]: {quote_path(self.path)}#{self.anchor} "{_DANGEROUS.sub(_escaped, self.quote)}"'

    @classmethod
    def parse(cls, note: str) -> Citation | None:
        """Read what stands behind ``[^label]:``; None when the footnote is no citation.

        Of one whose first line is a citation that line counts: what is typed right below it is no word of the source.
        """
        first = note.partition("\n")[0]
        match = _NOTE.match(" ".join(first.split())) or _NOTE.match(" ".join(note.split()))
        if match is None:
            return None
        quote = re.sub(r"\\([\\\[\]<!])", r"\1", match["quote"])
        return cls(unquote(match["path"]), match["anchor"], quote)

    @property
    def place(self) -> Anchor | None:
        return Anchor.parse(self.anchor)


def marks_in(text: str) -> list[str]:
    """The labels cited in ``text``, in order: ``[^a-1]`` gives ``a-1``. What looks like a mark in code is none."""
    return [found[1] for found in _marks(text, MARK)]


def mark(label: str) -> str:
    return f"[^{label}]"


def without_marks(text: str, labels: Collection[str] | None = None) -> str:
    """``text`` with its citation marks taken out, those of ``labels`` (None: all), and the space before them."""
    return replace_marks(text, lambda label: "" if labels is None or label in labels else None, spaced=True)


def replace_marks(text: str, by: Callable[[str], str | None], *, spaced: bool = False) -> str:
    """``text`` with what ``by`` gives for the label of each mark in its place; None: the mark stays.

    ``spaced``: in the place of the space before it, too.
    """
    parts, last = [], 0
    for found in _marks(text, _SPACED if spaced else MARK):
        if (told := by(found[1])) is not None:
            parts += [text[last : found.start()], told]
            last = found.end()
    return "".join((*parts, text[last:]))


def _marks(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    if "[^" in text:
        inside = code_in(text) if "`" in text or "~~~" in text else []
        yield from (found for found in pattern.finditer(text) if not is_in(inside, found.end() - 1))


@lru_cache(maxsize=1024)
def quote_path(path: str) -> str:
    """A source path as a footnote and a link write it: no spaces, nothing markdown minds, otherwise as it is."""
    return "".join(quote(c, safe="") if c in _UNSAFE_IN_PATH or c.isspace() else c for c in path)


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match[0]
