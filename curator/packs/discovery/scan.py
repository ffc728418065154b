"""Where packs are looked for, and which of those found are used: heads are read, bodies never.

A folder with a KNOWLEDGE.md is a pack; what lies below it is not looked at. Passed over are hidden folders (``.git``,
caches), ``node_modules``, build output and ``indexes/``. A folder is looked at once, however many links lead to it. Every
place that was looked at, every limit that was met, and every pack that another one hides is in the diagnostics.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from curator.errors import ConfigError
from curator.finding import Finding, Severity
from curator.packs.discovery.properties import issue, properties_of
from curator.packs.pack import PLACES, TRUST_OF_PLACE, KnowledgePack, Place
from curator.wiki.pages import frontmatter
from curator.wiki.workspace.refs import FILE

SKIPPED = frozenset({"node_modules", "build", "dist", "target", "out", "indexes", "__pycache__", "venv", "vendor"})
"""Folders beside the hidden ones in which no packs are looked for."""
_TRUSTED_LEAST = {"unreviewed": 0, "external": 0, "user-confirmed": 1, "official": 2}


@dataclass(frozen=True)
class PackRoot:
    """A folder that packs are looked for in, or a pack itself."""

    path: str
    place: Place


@dataclass(frozen=True)
class ScanLimits:
    """How much of the disk is looked at, for one root."""

    depth: int = 4
    folders: int = 5_000
    head_bytes: int = frontmatter.MAX_BYTES + 16


_LIMITS = ScanLimits()


@dataclass(frozen=True)
class Discovered:
    """What was found: the packs that are used, those hidden by one of their name, and what else is to be said."""

    packs: tuple[KnowledgePack, ...] = ()
    """By name."""
    shadowed: tuple[KnowledgePack, ...] = ()
    left_out: tuple[Finding, ...] = ()
    """The files that are no packs, and why."""
    diagnostics: tuple[Finding, ...] = ()
    """Roots and what was found there, limits, collisions."""

    def named(self, name: str) -> KnowledgePack:
        """The pack of this name, or at this path. Raises ConfigError."""
        place = os.path.realpath(name)
        for pack in (*self.packs, *self.shadowed):
            if place in (pack.root, pack.location):
                return pack
        for pack in self.packs:
            if pack.name == name:
                return pack
        folders = {finding.path: Path(finding.path).parent for finding in self.left_out}
        reasons = [each for each in self.left_out if place in (str(folders[each.path]), each.path)]
        reasons = reasons or [each for each in self.left_out if folders[each.path].name == name]
        if reasons:
            said = f"{folders[reasons[0].path]} is left out: {reasons[0].message}"
            raise ConfigError("pack_left_out", f"{name!r}: {said}", reasons[0].hint)
        hint = "'curate packs list' shows all, and where they were looked for"
        raise ConfigError("pack_unknown", f"{name!r}: there is no such pack", hint)


def find(
    roots: Iterable[PackRoot],
    limits: ScanLimits = _LIMITS,
    types: Collection[str] = (),
    disabled: Collection[str] = (),
) -> Discovered:
    """The packs below ``roots``; ``types`` are those allowed beside the standard's.

    Packs in the folders ``disabled`` hide no others.
    """
    found: list[KnowledgePack] = []
    left_out: list[Finding] = []
    diagnostics: list[Finding] = []
    seen: set[str] = set()
    for root in sorted(roots, key=lambda root: PLACES.index(root.place)):
        scan = _RootScan(limits)
        before = len(found)
        others = 0
        for folder in scan.folders(root.path):
            if folder in seen:
                continue
            seen.add(folder)
            pack, findings = read_head(folder, root.place, limits, types)
            if pack is None:
                left_out += findings
                others += 1
            else:
                found.append(pack)
        diagnostics.append(_looked(root, len(found) - before, others))
        diagnostics += scan.findings
    used, shadowed, collisions = _by_precedence(found, disabled)
    return Discovered(used, shadowed, tuple(left_out), (*diagnostics, *collisions))


def read_head(
    folder: str, place: Place, limits: ScanLimits = _LIMITS, types: Collection[str] = ()
) -> tuple[KnowledgePack | None, tuple[Finding, ...]]:
    """The pack in ``folder`` by its head alone, and what is wrong with it; None where it is left out."""
    path = f"{folder}/{FILE}"
    try:
        head = _head(path, limits.head_bytes)
    except (OSError, UnicodeDecodeError) as error:
        said = "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
        return None, (issue("pack_unreadable", path, said),)
    said_of, findings = properties_of(head, path, Path(folder).name, types)
    if said_of is None:
        return None, findings
    extra = tuple(_document_findings(folder, path, said_of.profile, said_of.primary_document))
    return KnowledgePack(said_of, folder, place, diagnostics=(*findings, *extra)), findings


def _document_findings(folder: str, path: str, profile: str, primary: str) -> Iterator[Finding]:
    """ "document-first without documents/ or a primary document"."""
    if profile != "document-first" or Path(folder, "documents").is_dir():
        return
    if not primary or not Path(folder, primary).is_file():
        yield issue("pack_document_missing", path, "document-first, without documents/ and without a primary document")


def _head(path: str, most: int) -> str:
    """The file up to the line that closes its head, and never more than ``most`` bytes. The file is not opened to wait."""
    lines: list[bytes] = []
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        size = 0
        for number, line in enumerate(iter(lambda: file.readline(most), b"")):
            lines.append(line)
            size += len(line)
            fence = line.rstrip() == b"---" or (number == 0 and line.rstrip() == b"\xef\xbb\xbf---")
            if size > most or (fence and number) or (not fence and number == 0):
                break
    return b"".join(lines).decode("utf-8")


@dataclass
class _RootScan:
    """Looks through one root."""

    limits: ScanLimits
    findings: list[Finding] = field(default_factory=list)
    _seen: set[tuple[int, int]] = field(default_factory=set)
    _looked: int = 0

    def folders(self, root: str) -> Iterator[str]:
        """The real paths of the folders with a KNOWLEDGE.md, in the order of their names."""
        place = Path(os.path.realpath(root))
        if place.is_file() and place.name == FILE:
            place = place.parent
        if place.is_dir():
            yield from self._below(str(place), 0)

    def _below(self, folder: str, depth: int) -> Iterator[str]:
        if not self._is_new(folder):
            return
        if self._looked > self.limits.folders:
            if self._looked == self.limits.folders + 1:
                self._tell(folder, f"{self.limits.folders:,} folders were looked at, and no more")
            return
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            self._tell(folder, f"cannot be looked at: {error.strerror}")
            return
        if any(entry.name == FILE for entry in entries):
            yield folder
            return
        seen = [entry for entry in entries if not entry.name.startswith(".") and entry.name not in SKIPPED]
        below = [entry for entry in seen if entry.is_dir()]
        if below and depth == self.limits.depth:
            self._tell(folder, f"{depth} levels deep: what lies below is not looked at")
            return
        for entry in below:
            yield from self._below(os.path.realpath(entry.path), depth + 1)

    def _is_new(self, folder: str) -> bool:
        try:
            found = Path(folder).stat()
        except OSError:
            return False
        key = (found.st_dev, found.st_ino)
        is_new = key not in self._seen
        self._seen.add(key)
        self._looked += is_new
        return is_new

    def _tell(self, folder: str, message: str) -> None:
        self.findings.append(Finding("scan_limit", folder, message, severity="warn"))


def _looked(root: PackRoot, packs: int, others: int) -> Finding:
    if not Path(root.path).exists():
        severity: Severity = "warn" if root.place == "explicit" else "info"  # somebody named it
        return Finding("scanned", root.path, f"{root.place}: not there", severity=severity)
    also = f", {others} left out" if others else ""
    return Finding("scanned", root.path, f"{root.place}: {packs} found{also}", severity="info")


def _by_precedence(
    found: Sequence[KnowledgePack], disabled: Collection[str]
) -> tuple[tuple[KnowledgePack, ...], tuple[KnowledgePack, ...], list[Finding]]:
    """The first of each name by place, then by path; the others are hidden, and that is told."""
    used: dict[str, KnowledgePack] = {}
    shadowed: list[KnowledgePack] = []
    told: list[Finding] = []
    for pack in sorted(found, key=lambda pack: (pack.root in disabled, PLACES.index(pack.place), pack.root)):
        winner = used.setdefault(pack.name, pack)
        if winner is not pack:
            shadowed.append(pack)
            told.append(_collision(winner, pack))
    return tuple(used[name] for name in sorted(used)), tuple(shadowed), told


def _collision(winner: KnowledgePack, hidden: KnowledgePack) -> Finding:
    lower = _TRUSTED_LEAST[TRUST_OF_PLACE[winner.place]] < _TRUSTED_LEAST[TRUST_OF_PLACE[hidden.place]]
    said = f"the {winner.place} pack {winner.name!r} hides the {hidden.place} pack of that name at {hidden.root}"
    if lower:
        said += f": {TRUST_OF_PLACE[winner.place]} in the place of {TRUST_OF_PLACE[hidden.place]}"
    hint = "rename one of them, name the other by its path, or disable the one that is not wanted"
    return Finding(
        "pack_shadows_trusted" if lower else "pack_shadowed", winner.location, said, severity="warn", hint=hint
    )
