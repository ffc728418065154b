"""A citation: the footnote that ties a claim to the words of a source.

Wheels are installed without running a build. [^pep-0427-1]

[^pep-0427-1]: sources/pep-0427.rst#L38 "a wheel is a ZIP-format archive"
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import quote, unquote

_NOTE = re.compile(r"(?P<path>sources/\S*?)#(?P<anchor>L\d+(?:-L\d+)?|p\d+)\s+\"(?P<quote>.*)\"\s*\Z", re.DOTALL)
MARK = re.compile(r"\[\^([^\[\]\s]+)\]")
"""The mark of a footnote, with its label."""
_DANGEROUS = re.compile(r"\\|\[(?=[\[^])|\](?=[(\[\]])|!(?=\[)|<(?=[A-Za-z/!?])")
"""What would link, embed, cite or be HTML if the quoted words were read as markdown."""
_UNSAFE_IN_PATH = frozenset('"#%()<>[]!\\`*|')


@dataclass(frozen=True)
class Citation:
    """Where a claim's words stand: a source, an anchor in it (``L38``, ``L12-L15``, ``p3``) and the words themselves."""

    path: str
    anchor: str
    quote: str

    def definition(self, label: str) -> str:
        """The footnote's own line."""
        return f'[^{label}]: {quote_path(self.path)}#{self.anchor} "{_DANGEROUS.sub(_escaped, self.quote)}"'

    @classmethod
    def parse(cls, note: str) -> Citation | None:
        """Read what stands behind ``[^label]:``; None when the footnote is no citation."""
        match = _NOTE.match(" ".join(note.split()))
        if match is None:
            return None
        quote = re.sub(r"\\([\\\[\]<!])", r"\1", match["quote"])
        return cls(unquote(match["path"]), match["anchor"], quote)

    @property
    def lines(self) -> tuple[int, int] | None:
        """First and last line of a line anchor."""
        numbers = [int(n) for n in re.findall(r"\d+", self.anchor)]
        return (numbers[0], numbers[-1]) if self.anchor.startswith("L") else None


def marks_in(text: str) -> list[str]:
    """The labels cited in ``text``, in order: ``[^a-1]`` gives ``a-1``."""
    return MARK.findall(text)


def mark(label: str) -> str:
    return f"[^{label}]"


def without_marks(text: str, labels: Collection[str] | None = None) -> str:
    """``text`` with its citation marks taken out, those of ``labels`` (None: all), and the space before them."""

    def taken_out(found: re.Match[str]) -> str:
        return "" if labels is None or found[1] in labels else found[0]

    return re.sub(r"[ \t]{0,8}\[\^([^\[\]\s]+)\]", taken_out, text)


def quote_path(path: str) -> str:
    """A source path as a footnote and a link write it: no spaces, nothing markdown minds, otherwise as it is."""
    return "".join(quote(c, safe="") if c in _UNSAFE_IN_PATH or c.isspace() else c for c in path)


def _escaped(match: re.Match[str]) -> str:
    return "\\" + match[0]
