"""Which documents of the wiki a source replaces as a whole, as its head says."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from curator.wiki.pages.names import keys_in, name_key
from curator.wiki.sources.source import Source
from curator.wiki.wiki import Wiki

_HEAD = 60
"""Lines at the start of a source among which its head is."""
_FIELD = re.compile(
    r"^[| \t*:-]*(?:Replaces|Supersedes|Obsoletes)[ \t*]*[:|][ \t*]*([^|\n]+)", re.IGNORECASE | re.MULTILINE
)
_SERIES = re.compile(r"[^\W\d_]+")


def replaced_by(source: Source, wiki: Wiki) -> frozenset[str]:
    """The paths of the sources that ``source`` replaces, of those whose summary the wiki has.

    A number alone, as in ``Replaces: 665``, is one of the same series: PEP 665 in ``pep-0751.rst``.
    """
    head = "\n".join(text for _, text in source.document.lines[:_HEAD])
    told = "; ".join(_FIELD.findall(head))
    series = _SERIES.match(PurePosixPath(source.path).stem)
    numbers = [name_key(f"{series[0]} {int(each)}") for each in re.findall(r"\d{1,9}", told)] if series else []
    called = wiki.called({*keys_in(told), *numbers}) if told else {}
    found = {path for some in called.values() for entry in some if entry.kind == "summary" for path in entry.sources}
    return frozenset(found - {source.path})
