"""The parts of an office file (DOCX, ODT, PPTX, XLSX, EPUB): a ZIP archive of XML, read within bounds.

What a stranger may put into one, and what becomes of it:
- archives in archives, parts that unpack to gigabytes, parts that share their bytes: at most ``_MOST_BYTES`` are
  unpacked in all, ``_MOST_ELEMENTS`` looked at, and a part is parsed while it is unpacked, never held whole;
- endless tags: refused past ``_LONGEST_TAG``;
- entities, internal or external: a document type with declarations of its own is refused, and none is ever fetched;
- nesting: refused past ``_DEEPEST``, so that what walks the elements may call itself;
- two files in one: an archive has to begin with the first byte and to name each part once.

The standard library's zipfile and expat, and not a library a format: those read more than text, hold all of it in
memory at once, and leave no place for these bounds.
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Collection, Iterator
from io import BytesIO
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from unicode_text import Unreadable

from formats.office.compatibility import Compatibility

_MOST_BYTES = 400_000_000
_MOST_PARTS = 20_000
_MOST_ELEMENTS = 2_000_000
_DEEPEST = 200
_CHUNK = 1 << 20
_LONGEST_TAG = 8 << 20
"""In bytes; expat looks at a tag that has not ended once more with each chunk."""

PASSED_OVER = "text that programs pass over"

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = 0x1


class Archive:
    """An office file's parts by name."""

    def __init__(self, data: bytes) -> None:
        if data.startswith(_OLE):
            seen = "it is an Office file that is locked with a password, or one from before 2007"
            raise Unreadable("source_locked", seen)
        if not data.startswith(b"PK\x03\x04"):
            raise Unreadable("source_damaged", f"an office file begins with 'PK', this one with {data[:8]!r}")
        if data.count(b"PK\x01\x02") > _MOST_PARTS:
            raise Unreadable("source_too_large", f"more than {_MOST_PARTS} parts in one file")
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError) as error:
            raise Unreadable("source_damaged", f"its archive cannot be opened: {error}") from error
        self.names = frozenset(self._zip.namelist())
        if len(self.names) < len(self._zip.namelist()):
            raise Unreadable("source_damaged", "two parts of its archive have the same name")
        self._bytes_left = _MOST_BYTES
        self._elements_left = _MOST_ELEMENTS
        self._related: dict[str, dict[str, tuple[str, str]]] = {}
        self._shared: dict[str, Element] = {}
        self.passed_over = ""
        """The words in elements that a file tells programs to pass over where they do not know them, and nobody does."""

    def chunks(self, name: str) -> Iterator[bytes]:
        """The bytes of a part, piece by piece."""
        try:
            info = self._zip.getinfo(name)
            if info.flag_bits & _ENCRYPTED:
                raise Unreadable("source_locked", f"its part {name!r} is encrypted")
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise Unreadable("source_damaged", f"its part {name!r} is packed in a way that office files never are")
            with self._zip.open(info) as part:
                while chunk := part.read(_CHUNK):
                    self._bytes_left -= len(chunk)
                    if self._bytes_left < 0:
                        raise Unreadable("source_too_large", f"it unpacks to more than {_MOST_BYTES} bytes")
                    yield chunk
        except KeyError as error:
            raise Unreadable("source_damaged", f"its part {name!r} is missing") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError) as error:
            raise Unreadable("source_damaged", f"its part {name!r} is damaged: {error}") from error

    def read(self, name: str) -> bytes:
        return b"".join(self.chunks(name))

    def tree(self, name: str) -> Element:
        """A part's XML, whole; an element without children where there is no such part."""
        if name not in self.names:
            return Element("missing")
        return next(self.each(name, ()), Element("empty"))

    def shared_tree(self, name: str) -> Element:
        """The same, parsed once, of a part that many others refer to, as the slides do to their layout."""
        if name not in self._shared:
            self._shared[name] = self.tree(name)
        return self._shared[name]

    def each(self, name: str, tags: Collection[str]) -> Iterator[Element]:
        """The outermost elements of a part that are called one of ``tags`` (all there is: none), one at a time.

        Names are without their namespace: what a reader looks for is called so in every version of a format.
        Attributes that name a relationship keep an ``r:``, since an ``id`` of another kind may stand beside ``r:id``.
        """
        cutter = _Cutter(tags, self._elements_left)
        try:
            fed = 0
            for chunk in self.chunks(name):
                cutter.parser.Parse(chunk)
                fed += len(chunk)
                if fed - cutter.parser.CurrentByteIndex > _LONGEST_TAG:
                    raise Unreadable("source_damaged", f"its part {name!r} has a tag that does not end")
                yield from cutter.found()
            cutter.parser.Parse(b"", True)
            yield from cutter.found()
        except (expat.ExpatError, LookupError, ValueError, OSError) as error:
            raise Unreadable("source_damaged", f"the XML of its part {name!r} is broken: {error}") from error
        finally:
            self._elements_left -= cutter.seen
            self.passed_over += "".join(cutter.compatibility.words)

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """What ``part`` refers to: the last word of the kind and the part's name, by the id of the relationship."""
        if part not in self._related:
            self._related[part] = dict(self._relationships(part))
        return dict(self._related[part])

    def _relationships(self, part: str) -> Iterator[tuple[str, tuple[str, str]]]:
        folder, _, name = part.rpartition("/")
        for link in self.tree(f"{folder}/_rels/{name}.rels".lstrip("/")).iter("Relationship"):
            if link.get("TargetMode") != "External":
                path = posixpath.normpath(posixpath.join("/", folder, link.get("Target", ""))).lstrip("/")
                yield link.get("Id", ""), (link.get("Type", "").rpartition("/")[2], path)

    def main_part(self, usual: str, what: str) -> str:
        """The name of the part that an Office Open XML file is about; refused when that is not ``what`` is wanted."""
        main = self.related_as("", "officeDocument") or usual
        folder = main.partition("/")[0]
        is_another = folder in ("word", "xl", "ppt") and folder != usual.partition("/")[0]
        if main not in self.names or is_another or not main.endswith(".xml"):
            raise Unreadable("source_damaged", f"no {what} is in it, its main part would be {main!r}")
        return main

    def related_as(self, part: str, kind: str) -> str:
        """The name of the first part of that kind that ``part`` refers to; empty when there is none."""
        return next((path for word, path in self.related(part).values() if word == kind), "")


class _Cutter:
    """Builds a tree of each outermost element of certain names while the XML streams by."""

    def __init__(self, tags: Collection[str], most: int) -> None:
        self.parser = expat.ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.seen = 0
        self._tags = tags
        self._most = most
        self._depth = 0
        self._outermost = 0
        """The depth of the element whose tree is being built; 0 when there is none."""
        self._builder = TreeBuilder()
        self._found: list[Element] = []
        self.compatibility = Compatibility(self.parser)

    def found(self) -> list[Element]:
        found, self._found = self._found, []
        return found

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.seen += 1
        self._depth += 1
        if self.seen > self._most:
            raise Unreadable("source_too_large", f"more than {_MOST_ELEMENTS} elements of XML")
        if self._depth > _DEEPEST:
            raise Unreadable("source_damaged", f"elements of XML nested more than {_DEEPEST} deep")
        namespace, _, tag = name.rpartition("}")
        if self.compatibility.passes_over(namespace, tag, attributes, self._depth):
            self.parser.CharacterDataHandler = self.compatibility.words.append
            return
        if not self._outermost and (not self._tags or tag in self._tags):
            self._outermost = self._depth
            self._builder = TreeBuilder()
            self.parser.CharacterDataHandler = self._builder.data
        if self._outermost:
            self._builder.start(tag, {_without_namespace(key): value for key, value in attributes.items()})

    def _end(self, name: str) -> None:
        if self.compatibility.is_passing(self._depth):
            self._depth -= 1
            if not self.compatibility.is_passing(self._depth):
                self.parser.CharacterDataHandler = self._builder.data if self._outermost else None
            return
        if self._outermost:
            self._builder.end(name.rpartition("}")[2])
            if self._depth == self._outermost:
                self._found.append(self._builder.close())
                self._outermost = 0
                self.parser.CharacterDataHandler = None
        self._depth -= 1

    def _doctype(self, name: str, system: str | None, public: str | None, has_declarations: bool) -> None:
        if has_declarations:
            raise Unreadable("source_damaged", "its XML declares entities of its own, as no honest office file does")


def _without_namespace(name: str) -> str:
    namespace, _, local = name.rpartition("}")
    return f"r:{local}" if namespace.endswith("/relationships") else local


def core_properties(archive: Archive) -> dict[str, str | list[str]]:
    """Title, authors, date and language from the core properties of an Office Open XML file."""
    part = archive.related_as("", "core-properties") or "docProps/core.xml"
    return head_of(archive.tree(part))


def head_of(properties: Element) -> dict[str, str | list[str]]:
    """The head fields in a tree of Dublin Core elements, as OOXML, ODF and EPUB have them."""
    said: dict[str, list[str]] = {}
    for element in properties.iter():
        if words := " ".join((element.text or "").split()):
            said.setdefault(element.tag, []).append(words)
    head: dict[str, str | list[str]] = {}
    if (title := said.get("title", [""])[0]) and title.lower() not in _NO_TITLES:
        head["title"] = title
    # In ODF the creator is who saved it last.
    creators = said.get("initial-creator") or said.get("creator", [])
    if authors := [name.strip() for creator in creators for name in creator.split(";") if name.strip()]:
        head["authors"] = authors
    dates = [*said.get("modified", []), *said.get("date", []), *said.get("created", []), *said.get("creation-date", [])]
    if day := next((day for day in map(_day, dates) if day), ""):
        head["date"] = day
    if language := said.get("language", [""])[0]:
        head["language"] = language
    return head


_NO_TITLES = frozenset({"powerpoint presentation", "word document", "untitled", "presentation", "document", "title"})
"""What programs write when nobody gave a title."""


def _day(written: str) -> str:
    """``2026-11-22T10:00:00Z`` as ``2026-11-22``; what is less than a day stays; empty when it is no date."""
    day = written[:10].rstrip("Tt ")
    return day if len(day) in (4, 7, 10) and day[:4].isdigit() and not day.strip("0123456789-") else ""
