"""Findings kept in a file beside the caches: sorted and counted once, then read back one by one.

One file holds one list, under the key of all that it follows from: with another key it says nothing. The file is put in
place whole, so nobody waits for anybody; one that is torn or cannot be written is gone without. A list as long as a wiki is
big stays packed, and whoever wants the first few of each code, or those of one severity, makes no others.
"""

from __future__ import annotations

import gzip
import heapq
import json
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, overload

from curator.finding import SEVERITIES, Finding
from curator.system.atomic import writer
from curator.wiki.validation import Failure

SHOWN = 20
"""So many findings of one code are shown to a person; programs get them all."""
_FORM = 1
_OF_A_LINE = 500
_QUICK = 1
"""How hard gzip tries: three bytes of four go with the least of its time."""
_RANKS: dict[str, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}

Kind = tuple[str, str]
"""Code and severity."""


def in_order(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """By place, each once."""
    return tuple(sorted(dict.fromkeys(found), key=_place))


def together(some: tuple[Finding, ...], others: Sequence[Finding]) -> tuple[Finding, ...]:
    """Two lists that are in order, as one."""
    return tuple(sorted([*some, *others], key=_place)) if others else some


def counted(findings: Sequence[Finding]) -> Counter[Kind]:
    """How many there are of each kind."""
    if isinstance(findings, KeptFindings):
        return findings.kinds
    return Counter((finding.code, finding.severity) for finding in findings)


def of_severities(findings: Sequence[Finding], severities: Collection[str]) -> Iterator[Finding]:
    if isinstance(findings, KeptFindings):
        return findings.of_severities(severities)
    return (finding for finding in findings if finding.severity in severities)


def first_of_each(findings: Sequence[Finding]) -> Iterator[Finding]:
    """In order, of each code the first that are shown."""
    if isinstance(findings, KeptFindings):
        return findings.first_of_each()
    return _first_of_each(findings)


def _first_of_each(findings: Iterable[Finding]) -> Iterator[Finding]:
    seen: Counter[str] = Counter()
    for finding in findings:
        seen[finding.code] += 1
        if seen[finding.code] <= SHOWN:
            yield finding


@dataclass(frozen=True)
class _Part:
    """One list, packed: the first of each code, and all of them."""

    kinds: Counter[Kind]
    first: bytes
    all: bytes


class KeptFindings(Sequence[Finding]):
    """Findings in order, from one file or several of which no two have a code in common."""

    def __init__(self, *parts: _Part) -> None:
        self._parts = parts

    def __add__(self, other: KeptFindings) -> KeptFindings:
        return KeptFindings(*self._parts, *other._parts)

    @cached_property
    def kinds(self) -> Counter[Kind]:
        return sum((part.kinds for part in self._parts), Counter())

    def __len__(self) -> int:
        return self.kinds.total()

    def __iter__(self) -> Iterator[Finding]:
        return _merged(_unpacked(part.all) for part in self._parts)

    def of_severities(self, severities: Collection[str]) -> Iterator[Finding]:
        return _merged(_unpacked(part.all, severities) for part in self._parts)

    def first_of_each(self) -> Iterator[Finding]:
        return _merged(_unpacked(part.first) for part in self._parts)

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Finding]: ...
    def __getitem__(self, index: int | slice) -> Finding | Sequence[Finding]:
        return tuple(self)[index]

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


# -- the file ------------------------------------------------------------------------------------------------------


def find(file: Path, key: str) -> tuple[KeptFindings, Any] | None:
    """What was kept under ``key``, and what was said beside it; None where there is no such thing."""
    with suppress(OSError, ValueError, KeyError, TypeError), file.open("rb") as stream:
        head = json.loads(stream.readline())
        if head["form"] != _FORM or head["key"] != key:
            return None
        first, rest = stream.read(head["first"]), stream.read()
        if zlib.crc32(rest, zlib.crc32(first)) == head["crc"]:
            kinds = Counter({(code, severity): number for code, severity, number in head["kinds"]})
            return KeptFindings(_Part(kinds, first, rest)), head["beside"]
    return None


def keep(file: Path, key: str, findings: Sequence[Finding], beside: Any = None) -> None:
    """Put them in the place of what is there; where that cannot be, they are found anew next time."""
    first, rest = _packed(first_of_each(findings)), _packed(findings)
    head = {
        "form": _FORM,
        "key": key,
        "first": len(first),
        "crc": zlib.crc32(rest, zlib.crc32(first)),
        "kinds": [[*kind, number] for kind, number in counted(findings).items()],
        "beside": beside,
    }
    temporary = file.with_name(f"tmp-{file.name}-{writer()}")
    try:
        # Not synced: what a crash leaves half written has another sum.
        temporary.write_bytes(json.dumps(head).encode() + b"\n" + first + rest)
        temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _packed(findings: Iterable[Finding]) -> bytes:
    """Some hundreds a line, as ASCII: a file's name may have bytes that are no UTF-8."""
    packed, left = BytesIO(), iter(findings)
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=_QUICK, mtime=0) as stream:
        while some := [_told(finding) for finding in islice(left, _OF_A_LINE)]:
            stream.write(json.dumps(some).encode() + b"\n")
    return packed.getvalue()


def _told(each: Finding) -> tuple[Any, ...]:
    told = each.code, each.path, each.message, each.line, each.severity, each.hint, each.places, each.other
    return (*told, each.field, each.step) if isinstance(each, Failure) else told


def _unpacked(packed: bytes, severities: Collection[str] = SEVERITIES) -> Iterator[Finding]:
    with gzip.GzipFile(fileobj=BytesIO(packed)) as stream:
        for line in stream:
            for code, path, message, at, severity, hint, places, *others in json.loads(line):
                if severity in severities:
                    kind = Failure if len(others) > 1 else Finding
                    yield kind(code, path, message, at, severity, hint, tuple(places), *others)


def _merged(lists: Iterable[Iterator[Finding]]) -> Iterator[Finding]:
    some = list(lists)
    return heapq.merge(*some, key=_place) if len(some) > 1 else iter(some[0] if some else ())


def _place(each: Finding) -> tuple[str, int, int, str, str]:
    return each.path, each.line or 0, _RANKS[each.severity], each.code, each.message
