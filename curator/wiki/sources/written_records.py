"""The records of a registry as they are written: one is read where it stands, and a change edits the text.

A wiki may have more sources than it is worth to take apart for one of them. What is proven of a text first is that it is
written as ``dumps`` writes it; then records begin and end at known lines, in order of their paths, and can be looked up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from curator.system.edited_text import EditedText
from curator.wiki.pages.slug import is_slug
from curator.wiki.sources.record import Record

_STRING = rb'"(?:[^"\\\x00-\x1f]++|\\(?:["\\bfnrt]|u00[01][0-9a-f]))*+"'
_LIST = rb"\[\n        %b(?:,\n        %b)*+\n      \]" % (_STRING, _STRING)
_HEAD = re.compile(rb'\{\n  "version": 1,\n  "hashAlgo": "(\w[\w-]*)",\n  "sources": \{\n')
_USUAL = re.compile(
    rb'    (%b): \{\n      "contentHash": %b,\n      "slugs": (?:\[\]|%b)' % (_STRING, _STRING, _LIST)
    + rb"(?:,\n      %b: (?:%b|%b))*+\n    \}" % (_STRING, _STRING, _LIST)
)
_ANY = re.compile(rb'    ("(?:[^"\\\n]|\\.)*+"): \{\n(?:      .*\n)++    \}')
# Each begins with the end of the line before: what begins with letters of its own is found three times as fast as by ``^``.
_KEY = re.compile(rb'\n    ("(?:[^"\\\n]|\\.)*+"): \{(?=\n)')
_HASHED = re.compile(rb'\n    ("(?:[^"\\\n]|\\.)*+"): \{\n      "contentHash": "([^"\\\n]*)"')
_ID = re.compile(rb'\n      "id": "([^"\\\n]*)"')
_NAMED = re.compile(rb'\n      "contentHash": "(\w+):')
_HALF = re.compile(r"[\ud800-\udfff]")
"""Half a character, which JSON may spell and UTF-8 has no bytes for."""
_BEGINS, _ENDS = b'\n    "', b"\n    }"
_RESERVED = frozenset({"version", "hashAlgo", "sources"})
_OFTEN = 200
"""So many records are looked up one by one; who asks for more is given all."""


class Proven(NamedTuple):
    """What was proven of a text that is written as ``dumps`` writes it: for whoever meets it again."""

    size: int
    """Of the whole, in bytes."""
    end: int
    """Of the records."""
    records: int
    """How many."""
    own_ids: bool | None
    """Each record has an id, and no two the same; None where that has to be found out."""


class WrittenRecords(Mapping[str, Record]):
    """The records of a text by path, and what has changed of them since."""

    def __init__(
        self, text: bytes, start: int, end: int, algorithm: str, count: int, own_ids: bool | None = None
    ) -> None:
        """``text[start:end]`` are the records; ``of`` finds them. ``own_ids`` is None where it is not known."""
        self.algorithm = algorithm
        """That of the records that name none."""
        self._text, self._start, self._end, self._count, self._own_ids = text, start, end, count, own_ids
        self._changed: Mapping[str, Record | None] = {}
        self._asked = self._sought = 0

    @classmethod
    def of(cls, text: bytes, proven: Proven | None = None) -> WrittenRecords | None:
        """The records of a registry's text, UTF-8; None where it is not written as ``dumps`` writes it, or has none.

        ``proven``: what the text before it, edited, was told to have become.
        """
        head = _HEAD.match(text)
        if head is None:
            return None
        algorithm = head[1].decode()
        if proven is not None and proven.size == len(text) and text.startswith(b"\n  }", proven.end):
            known = cls(text, head.end(), proven.end, algorithm, proven.records, proven.own_ids)
            return known if known.others is not None else None
        at, count, last = head.end(), 0, ""
        while True:
            found = _USUAL.match(text, at) or _canonical(text, at, algorithm)
            if found is None:
                return None
            path = _read(found[1])
            if count and path <= last:
                return None
            at, count, last = found.end(), count + 1, path
            if not text.startswith(b",\n", at):
                break
            at += 2
        records = cls(text, head.end(), at, algorithm, count)
        return records if text.startswith(b"\n  }", at) and records.others is not None else None

    @cached_property
    def others(self) -> Mapping[str, Any] | None:
        """What else the file says; None where it says that otherwise than it should."""
        rest = self._text[self._end + len(b"\n  }") :].decode("utf-8")
        try:
            value: dict[str, Any] = json.loads("{" + rest.removeprefix(","))
        except (ValueError, RecursionError):
            return None
        is_written = rest == _tail(value) and not _RESERVED & value.keys()
        return value if is_written else None

    # -- as a mapping ----------------------------------------------------------------------------------------------

    def __getitem__(self, path: str) -> Record:
        if path in self._changed:
            if (record := self._changed[path]) is None:
                raise KeyError(path)
            return record
        self._asked += 1
        if self._asked > _OFTEN:
            return self._all[path]
        at = self._place_of(path)
        if self._path_at(at) != path:
            raise KeyError(path)
        return self._parsed(at, self._text.index(_ENDS, at) + len(_ENDS))[path]

    def __contains__(self, path: object) -> bool:
        """Without reading a record."""
        if path in self._changed:
            return self._changed[str(path)] is not None
        self._sought += 1
        if self._sought > _OFTEN:
            return path in self._paths
        return self._path_at(self._place_of(str(path))) == path

    def __iter__(self) -> Iterator[str]:
        for found in _KEY.finditer(self._text, self._start - 1, self._end):
            if (path := _read(found[1])) not in self._changed:
                yield path
        yield from self._there

    def __len__(self) -> int:
        if not self._changed:
            return self._count
        written = sum(self._path_at(self._place_of(path)) == path for path in self._changed)
        return self._count - written + sum(record is not None for record in self._changed.values())

    @property
    def _there(self) -> Iterator[str]:
        """The paths of what has changed and is there."""
        return (path for path, record in self._changed.items() if record is not None)

    # -- asked of the text -----------------------------------------------------------------------------------------

    def with_line(self, *beginnings: str) -> Iterator[str]:
        """The paths of records that may have a line that begins so: those of the text that do, and all changed ones."""
        yield from self._there
        for beginning in beginnings:
            at, wanted = self._start, f"\n{beginning}".encode()
            while (at := self._text.find(wanted, at, self._end)) >= 0:
                path = self._path_at(self._text.rfind(_BEGINS, self._start - 1, at) + 1)
                if path is not None and path not in self._changed:
                    yield path
                at += 1

    @property
    def own_ids(self) -> bool:
        """True where each record has an id, and no two the same; of changed ones it has to be worked out."""
        return not self._changed and self._written_ids

    @property
    def _written_ids(self) -> bool:
        """The same of what is written, whatever has changed since."""
        if self._own_ids is None:
            found = {*filter(is_slug, map(bytes.decode, _ID.findall(self._text, self._start - 1, self._end)))}
            self._own_ids = len(found) == self._count
        return self._own_ids

    def has_id(self, name: str) -> bool:
        """True where a record that is written has this id."""
        return self._text.find(f'\n      "id": "{name}"'.encode(), self._start, self._end) >= 0

    @property
    def algorithms(self) -> frozenset[str] | None:
        """Those of the hashes; None where they have to be worked out."""
        if self._changed:
            return None
        named = list(map(bytes.decode, _NAMED.findall(self._text, self._start - 1, self._end)))
        return frozenset(named if len(named) == self._count else [*named, self.algorithm])

    @property
    def hashes(self) -> dict[str, str] | None:
        """The hash of each, as it is written; None where they have to be worked out."""
        if self._changed:
            return None
        found = _HASHED.findall(self._text, self._start - 1, self._end)
        return {_read(path): written.decode() for path, written in found} if len(found) == self._count else None

    # -- changed ---------------------------------------------------------------------------------------------------

    def replaced(self, changes: Mapping[str, Record | None]) -> WrittenRecords:
        """The records with these; None takes one away."""
        after = self._before
        after._changed = {**self._changed, **changes}
        return after

    def edited(self, algorithm: str, others: Mapping[str, Any]) -> EditedText | None:
        """The whole file with the records as they are now; None where it has to be made anew: there are none, or it is to
        say something else beside them.
        """
        if not self or (algorithm, others) != (self.algorithm, self.others):
            return None
        whole = memoryview(self._text)
        pieces: list[bytes | memoryview] = []
        at = self._start
        for path, record in sorted(self._changed.items()):
            place = self._place_of(path)
            pieces += self._upto(whole, at, place)
            at = self._next(place) if self._path_at(place) == path else place
            if record is not None:
                pieces.append(f"{written(path, record)},\n".encode())
        if at < self._end:
            return EditedText([whole[: self._start], *pieces, whole[at:]])
        last = pieces.pop()  # with a comma behind it, as all have that are followed by another
        return EditedText([whole[: self._start], *pieces, last[: -len(b",\n")], whole[self._end :]])

    def proven_of(self, edited: EditedText) -> Proven:
        """What is proven of ``edited``, which this has become."""
        size = len(edited)
        end = size - len(self._text) + self._end
        return Proven(size, end, len(self), (self._written_ids and self._new_ids) or None)

    @property
    def _new_ids(self) -> bool:
        """True where what has changed has ids that nothing else has."""
        new = [(path, record.id) for path, record in self._changed.items() if record is not None]
        before = {path: record.id for path, _ in new if (record := self._before.get(path)) is not None}
        names = {name for _, name in new}
        return len(names) == len(new) and all(
            is_slug(name) and (name == before.get(path) or not self.has_id(name)) for path, name in new
        )

    @property
    def _before(self) -> WrittenRecords:
        """The records as they are written."""
        return WrittenRecords(self._text, self._start, self._end, self.algorithm, self._count, self._own_ids)

    # -- where things stand ----------------------------------------------------------------------------------------

    def _upto(self, whole: memoryview, start: int, end: int) -> list[bytes | memoryview]:
        """Whole records, each with the comma behind it, the last one too."""
        if start == end:
            return []
        return [whole[start:end], b",\n"] if end == self._end else [whole[start:end]]

    def _place_of(self, path: str) -> int:
        """Where the record of ``path`` begins, or would."""
        start, end = self._start, self._end
        while start < end:
            begins = self._text.rfind(_BEGINS, start - 1, (start + end) // 2 + len(_BEGINS)) + 1 or start
            if (self._path_at(begins) or "") < path:
                start = self._next(begins)
            else:
                end = begins
        return start

    def _path_at(self, at: int) -> str | None:
        """The path of the record that begins there; None behind the last."""
        found = _KEY.match(self._text, at - 1) if at < self._end else None
        return _read(found[1]) if found is not None else None

    def _next(self, at: int) -> int:
        return self._text.find(_BEGINS, at, self._end) + 1 or self._end

    def _parsed(self, start: int, end: int) -> dict[str, Record]:
        found = json.loads(b"{%b}" % self._text[start:end])
        return {path: Record.parse(value, self.algorithm) for path, value in found.items()}

    @cached_property
    def _paths(self) -> frozenset[str]:
        """Those that are written."""
        return frozenset(_read(found[1]) for found in _KEY.finditer(self._text, self._start - 1, self._end))

    @cached_property
    def _all(self) -> dict[str, Record]:
        return self._parsed(self._start, self._end)


def written(path: str, record: Record) -> str:
    """The lines of one record."""
    text = json.dumps({"": {path: record.as_json()}}, indent=2, ensure_ascii=False)
    return escaped(text[len('{\n  "": {\n') : -len("\n  }\n}")])


def escaped(text: str) -> str:
    """JSON that UTF-8 has bytes for."""
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def quoted(text: str) -> str:
    """``text`` as a string of JSON."""
    return escaped(json.dumps(text, ensure_ascii=False))


def _tail(others: Mapping[str, Any]) -> str:
    """What stands behind the records."""
    text = escaped(json.dumps(others, indent=2, ensure_ascii=False))
    return f",{text[1:]}\n" if others else "\n}\n"


def _canonical(text: bytes, at: int, algorithm: str) -> re.Match[bytes] | None:
    """A record of another shape than the usual, where it is written as it is read."""
    found = _ANY.match(text, at)
    if found is None:
        return None
    try:
        ((path, value),) = json.loads(b"{%b}" % found[0]).items()
        is_written = written(path, Record.parse(value, algorithm)).encode() == found[0]
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return None
    return found if is_written else None


def _read(key: bytes) -> str:
    """A string of JSON."""
    return str(json.loads(key)) if b"\\" in key else key[1:-1].decode()
