"""Markup compatibility of office files: what a program passes over that does not know it (ECMA-376, part 3).

A file names in ``mc:Ignorable`` the namespaces whose elements go, content and all, where a program does not know them,
and puts alternatives into ``mc:AlternateContent``: each ``mc:Choice`` for a program that knows what it requires. None
knows namespaces that are neither the standard's nor Microsoft's; what stands in theirs is seen by nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from xml.parsers import expat

_KNOWN = (
    "http://schemas.openxmlformats.org/",
    "http://purl.oclc.org/ooxml/",
    "http://schemas.microsoft.com/office/",
    "urn:schemas-microsoft-com:",
)
_OWN = "/markup-compatibility/2006"


class Compatibility:
    """What one part of a file says of it, while the part is read."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        parser.StartNamespaceDeclHandler = self._declared
        self.words: list[str] = []
        self._names: dict[str, str] = {}
        self._unknown: set[str] = set()
        self._depth = 0
        """Of the element that is passed over; 0 when none is."""

    def passes_over(self, namespace: str, tag: str, attributes: Mapping[str, str], depth: int) -> bool:
        """True for an element that begins at this depth and is passed over, or stands in one that is."""
        for name, value in attributes.items():
            if name.endswith(f"{_OWN}}}Ignorable"):
                named = (self._names.get(each, "") for each in value.split())
                self._unknown |= {each for each in named if each and not each.startswith(_KNOWN)}
        is_choice = tag == "Choice" and namespace.endswith(_OWN)
        if not self._depth and (
            namespace in self._unknown
            or (is_choice and not all(map(self._is_known, attributes.get("Requires", "").split())))
        ):
            self._depth = depth
        return self._depth > 0

    def is_passing(self, depth: int) -> bool:
        """True where what ends at this depth was passed over."""
        if self._depth > depth:
            self._depth = 0
        return self._depth > 0

    def _declared(self, prefix: str | None, uri: str) -> None:
        self._names[prefix or ""] = uri

    def _is_known(self, prefix: str) -> bool:
        return self._names.get(prefix, "").startswith(_KNOWN)
