"""The handshake "is this wiki conforming?": ordered checks over values (AIP-10 with its implementer's guide).

    manifest     KNOWLEDGE.md keeps its shape; the generated files are there
    sources      what is registered is there, byte for byte
    entries      every page's frontmatter keeps its shape, and no two pages have one slug
    references   every source that a page names, and every link, resolves
    views        every view's chain resolves, and nothing in it is refused
    lints        the maintenance pass finds no error of the lints that are declared or demanded

A step is not begun before those above it have told all they found: who wants the first failure pays for no more. What is
wrong in one step keeps none of the others from being taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import PurePosixPath

from curator import define, frontmatter, index, log, manifest
from curator.define import Failure
from curator.errors import WikiError
from curator.finding import Finding, Severity
from curator.knowledge import chain, constraints, effective, overlay, refs
from curator.knowledge import manifest as workspace
from curator.knowledge.chain import Notice, Read
from curator.knowledge.effective import Effective, Host, Refusal
from curator.knowledge.overlay import Layer
from curator.manifest import Manifest
from curator.names import name_key
from curator.page import ENTRY_DIALECT, Page, is_page_path, source_reference

REFUSED = frozenset(
    {
        chain.CYCLE,
        chain.TOO_DEEP,
        chain.MISSING,
        constraints.CONSTRAINT_CONFLICT,
        constraints.SOFTENING_REFUSED,
        constraints.REBINDING_REFUSED,
        constraints.WEAKENING_REFUSED,
        overlay.TOMBSTONE_BLOCKED,
    }
)
"""Loading goes on past these, with a warning; a manifest that has them does not say what holds, and does not conform."""
LINTS = frozenset(
    {
        *("entry_orphan", "claim_stale", "contradiction_unresolved", "source_required", "confidence_low"),
        *("wiki_schema_drift", "lint_invalid", "lint_unknown", "lint_failed"),
    }
)
"""What the standard and KNOWLEDGE.md ask of the maintenance pass, and what keeps it from being done. Whether these fail a
wiki is for their severities to say; what curator asks for beyond them is a warning: another runtime need not know of it."""
_SEEN_BEFORE = frozenset(
    {
        *(define.LINK_BROKEN, define.LINK_TO_SOURCE, define.SOURCE_UNRESOLVED, "relation_broken"),
        *(define.SOURCE_NOT_FOUND, define.SOURCE_MISMATCH, "manifest_invalid"),
        *(workspace.INVALID, workspace.MISSING, "frontmatter_unreadable", "index_missing", "log_missing"),
    }
)
"""What lints find and the steps before them have found already."""


@dataclass(frozen=True)
class Package:
    """One wiki, or one view, as it is to be judged."""

    root: str
    """The absolute path of its folder."""
    files: frozenset[str]
    """From there, without hidden ones."""
    read: Callable[[str], str | None]
    """The text of one of them; None when it is no UTF-8."""
    digest: Callable[[str, str], str | None]
    """The hex digest of a source's bytes by an algorithm; None when there is no such file."""
    read_at: Read
    """The text at an absolute path, for parents and policies."""
    host: Host
    views: tuple[str, ...] = ()
    """The absolute paths of other manifests that may be views of this one."""
    pages_of: Callable[[str], frozenset[str]] = lambda folder: frozenset()
    """The pages and whiteouts below an absolute folder."""
    lints: Callable[[], Iterable[Finding]] = tuple
    """What the maintenance pass finds."""
    algorithms: frozenset[str] = frozenset({"sha256", "sha512"})
    pinned: Manifest = field(default_factory=Manifest)
    """What was registered before the change that is to be judged."""

    @property
    def at(self) -> str:
        return f"{self.root}/{refs.FILE}"


@dataclass(frozen=True)
class Verdict:
    """What the handshake says. ``findings`` are the failures, and below them what is only worth knowing."""

    root: str
    name: str
    findings: tuple[Failure, ...] = ()

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def first(self) -> Failure | None:
        """The first failure, which names its file and its field."""
        return next(iter(self.failures), None)

    @property
    def envelope(self) -> dict[str, object]:
        return define.envelope("validate", self.name, self.findings)


def shake(package: Package, *, everything: bool) -> Verdict:
    """The first failure, or everything that is found."""
    found: list[Failure] = []
    for failure in _steps(package):
        found.append(failure)
        if failure.severity == "error" and not everything:
            break
    return Verdict(package.root, _name(package), tuple(found))


def _steps(package: Package) -> Iterator[Failure]:
    for step, check in STEPS.items():
        for failure in check(package):
            yield replace(failure, step=step)


def _name(package: Package) -> str:
    name = _fields(package).get("name")
    return name if isinstance(name, str) else PurePosixPath(package.root).name


def _fields(package: Package) -> Mapping[str, object]:
    """The manifest's fields, checked or not; none where they cannot be read."""
    try:
        return frontmatter.read(package.read(refs.FILE) or "")
    except frontmatter.FrontmatterError:
        return {}


def _is_view(package: Package) -> bool:
    return _fields(package).get("extends") is not None


# -- manifest ------------------------------------------------------------------------------------------------------


def manifest_valid(package: Package) -> Iterator[Failure]:
    """KNOWLEDGE.md, and the files that a wiki's root has beside it."""
    written = package.read(refs.FILE)
    if written is None:
        is_there = refs.FILE in package.files
        wrong = "it is not UTF-8" if is_there else f"there is no {refs.FILE}"
        yield Failure(workspace.INVALID if is_there else workspace.MISSING, refs.FILE, wrong)
        if is_there:
            return
    else:
        parsed = workspace.parse(written, refs.FILE)
        yield from () if isinstance(parsed, workspace.Manifest) else map(define.of_manifest, parsed)
    if _is_view(package):
        return
    for path, code in ((index.PATH, "index_missing"), (log.PATH, "log_missing")):
        if path not in package.files:
            yield Failure(code, path, "there is none, and a wiki's root has one")
    if "AGENTS.md" not in package.files:
        yield Failure("agents_missing", "AGENTS.md", "a wiki should have one, for people", severity="info")


# -- sources -------------------------------------------------------------------------------------------------------


def sources_pinned(package: Package) -> Iterator[Failure]:
    """The sources against the registry, ``_manifest.json``."""
    try:
        registry = _registry(package)
    except WikiError as error:
        yield Failure("manifest_invalid", manifest.PATH, error.message, hint=error.hint)
        return
    algorithm = registry.hash_algorithm
    if algorithm not in package.algorithms:
        message = f"hashAlgo: {algorithm!r} cannot be computed here, so no source was checked"
        yield Failure("source_hash_unchecked", manifest.PATH, message, severity="warn", field="hashAlgo")
        return
    for path, record in sorted(registry.sources.items()):
        where = f"sources[{path}].contentHash"
        seen = package.digest(path, algorithm)
        before = package.pinned.sources.get(path)
        if seen is None:
            hint = "put it back; what came from a source goes with: curate remove"
            yield Failure(define.SOURCE_NOT_FOUND, path, "it was taken in, and is not there", hint=hint, field=where)
        elif before is not None and algorithm == package.pinned.hash_algorithm and seen != before.content_hash:
            message = f"its bytes are pinned as {before.content_hash[:12]}…, this would make them {seen[:12]}…"
            hint = "a correction is a new source; or have curate ingest take it in anew, in a commit of its own"
            yield Failure(define.SOURCE_MUTATED, path, message, hint=hint, field=where)
        elif seen != record.content_hash:
            message = f"its bytes give {seen[:12]}…, it was taken in as {record.content_hash[:12]}…"
            hint = "put its bytes back, or take it in anew: curate ingest"
            yield Failure(define.SOURCE_MISMATCH, path, message, hint=hint, field=where)


def _registry(package: Package) -> Manifest:
    if manifest.PATH not in package.files:
        return Manifest()
    written = package.read(manifest.PATH)
    if written is None:
        raise WikiError("manifest_invalid", f"{manifest.PATH} is not UTF-8")
    return Manifest.parse(written)


# -- entries -------------------------------------------------------------------------------------------------------


def _pages(package: Package) -> Iterator[Page]:
    """Every page that is text, each read anew: nobody keeps a hundred thousand of them."""
    for path, written in _texts(package):
        if written is not None:
            yield Page(path, written)


def _texts(package: Package) -> Iterator[tuple[str, str | None]]:
    """The pages; a KNOWLEDGE.md in a folder is a view's, and none."""
    for path in sorted(filter(is_page_path, package.files)):
        if not path.endswith(f"/{refs.FILE}"):
            yield path, package.read(path)


def entries_valid(package: Package) -> Iterator[Failure]:
    """The frontmatter of every page."""
    types = [str(kind.get("name")) for kind in _mappings(_fields(package).get("entityTypes"))]
    slugs: dict[str, str] = {}
    for path, written in _texts(package):
        if written is None:
            yield Failure(define.ENTRY_INVALID, path, "it is not UTF-8")
            continue
        page = Page(path, written)
        yield from define.of_entry(page, types)
        slug = page.slug if page.is_readable else ""
        first = slugs.setdefault(slug, page.path)
        if slug and first != page.path:
            yield Failure(define.ENTRY_INVALID, page.path, f"slug: {slug!r}, which {first} has, too", field="slug")


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


# -- references ----------------------------------------------------------------------------------------------------


def references_resolve(package: Package) -> Iterator[Failure]:
    """The sources that pages name, and their links, of both forms."""
    names = _Names.of(package)
    known = {path for path in package.files if path.startswith("sources/")}
    with suppress(WikiError):  # told before
        known |= {*_registry(package).sources}
    ids = {source_reference(ENTRY_DIALECT, path) for path in known}

    def is_source(named: str) -> bool:
        # A source that git does not keep lies in the folder all the same.
        return (
            named in known or named in ids or (named.startswith("sources/") and bool(package.digest(named, "sha256")))
        )

    for page in _pages(package):
        if page.is_readable:
            yield from define.unresolved_sources(page, is_source)
            yield from define.broken_links(page, names.has)
            yield from define.links_to_sources(page)


@dataclass(frozen=True)
class _Names:
    """All that a link may name: pages by path, slug, title or alias, and files that are no pages."""

    paths: frozenset[str]
    others: frozenset[str]
    slugs: frozenset[str]
    keys: frozenset[str]

    @classmethod
    def of(cls, package: Package) -> _Names:
        slugs: set[str] = set()
        keys: set[str] = set()
        for page in _pages(package):
            slug = page.slug if page.is_readable else PurePosixPath(page.path).stem
            # What a head says needs no look at the body, which takes longer than all else here.
            names = (str(page.fields.get("title") or page.title), *page.aliases) if page.is_readable else ()
            slugs.add(slug)
            keys |= {name_key(name) for name in (*names, slug.replace("-", " "))}
        others = {PurePosixPath(path).name for path in package.files if not is_page_path(path)}
        return cls(package.files, frozenset(others), frozenset(slugs), frozenset(keys - {""}))

    def has(self, target: str) -> bool:
        name = PurePosixPath(target).name
        if target in self.slugs or target in self.paths or not self.others.isdisjoint((name, f"{name}.md")):
            return True
        return not target.endswith(".md") and (name_key(target) in self.keys or f"{target}.md" in self.paths)


# -- views ---------------------------------------------------------------------------------------------------------


def views_resolve(package: Package) -> Iterator[Failure]:
    """The manifest itself when it is a view, and every view of it."""
    mine = [package.at] if package.read(refs.FILE) is not None else []
    for at in [*mine, *sorted({*package.views} - {package.at})]:
        if at == package.at or _is_ours(at, package):
            yield from _of_view(at, package)


def _is_ours(at: str, package: Package) -> bool:
    """True for a view whose parents lead here, or nowhere; what extends nothing is no view."""
    visited = [at]
    while (written := _extends(package.read_at(visited[-1]))) is not None:
        above = refs.beside(visited[-1], written)
        if above == package.at or above in visited or package.read_at(above) is None:
            return True
        visited.append(above)
    return False


def _extends(written: str | None) -> str | None:
    try:
        value = frontmatter.read(written or "").get("extends")
    except frontmatter.FrontmatterError:
        return None
    return value if isinstance(value, str) else None


def _of_view(at: str, package: Package) -> Iterator[Failure]:
    shown = at.removeprefix(f"{package.root}/")
    found = effective.compose(package.read_at(at) or "", at, package.read_at, package.host)
    if isinstance(found, Refusal):
        if at != package.at or found.findings[0].code == effective.UNRESOLVABLE:  # its own shape was looked at before
            yield from (replace(define.of_manifest(finding), path=shown) for finding in found.findings)
        return
    for notice in (*found.notices, *_of_pages(found, package)):
        if notice.at in (at, "") or len(found.manifests) == 1:
            yield _told(notice, found, shown)


def _of_pages(found: Effective, package: Package) -> tuple[Notice, ...]:
    if not any(each.is_constraint for each in found.manifests[:-1]):
        return ()
    folders = ((each, each.path.rpartition("/")[0]) for each in found.manifests)
    return overlay.lay(
        Layer(each.path, package.pages_of(folder), each.is_constraint) for each, folder in folders
    ).notices


def _told(notice: Notice, found: Effective, shown: str) -> Failure:
    is_alone = len(found.manifests) == 1 and found.manifests[0].extends is not None
    is_refused = notice.code in REFUSED or (notice.code == workspace.INVALID and is_alone)
    severity: Severity = "error" if is_refused else "warn"
    return Failure(notice.code, shown, notice.message, severity=severity, field=_field_of(notice))


def _field_of(notice: Notice) -> str:
    where = re.match(r"([a-zA-Z][\w.-]*): ", notice.message)
    return where[1] if where else "extends" if notice.code.startswith("knowledge_extends") else ""


# -- lints ---------------------------------------------------------------------------------------------------------


def lints_run(package: Package) -> Iterator[Failure]:
    """What the maintenance pass finds, and nothing before it did."""
    if _is_view(package):
        return
    declared = {str(lint.get("id")) for lint in _mappings(_fields(package).get("lints"))}
    for finding in package.lints():
        failure = Failure(**{item.name: getattr(finding, item.name) for item in fields(Finding)})
        is_ours = failure.code not in LINTS and failure.code not in declared
        is_view = failure.path.endswith(f"/{refs.FILE}")  # to the lints any markdown below the root is a page
        if failure.code not in _SEEN_BEFORE and not is_view:
            yield replace(failure, severity="warn") if is_ours and failure.severity == "error" else failure


STEPS: Mapping[str, Callable[[Package], Iterator[Failure]]] = {
    "manifest": manifest_valid,
    "sources": sources_pinned,
    "entries": entries_valid,
    "references": references_resolve,
    "views": views_resolve,
    "lints": lints_run,
}
