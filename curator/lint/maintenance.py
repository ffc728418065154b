"""One maintenance pass: the pages that changed are looked at, then the whole is asked; nothing is written but caches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from curator.catalogue import FILE as CATALOGUE
from curator.doctor.diagnosis import Mend
from curator.errors import Conflict, WikiError
from curator.finding import Finding
from curator.lint import custom, declared, drift, files, graph, local, missing, proofs, similar
from curator.lint.charter import PATH, SEVERITIES, Charter
from curator.lint.leaf import Leaf
from curator.lint.ledger import Ledger, Moved, Stale
from curator.lint.stock import Stock
from curator.lint.texts import Limits, Texts
from curator.lint.whole import Whole
from curator.manifest import Manifest
from curator.repository import Repository, Snapshot
from curator.workspace import Workspace

_AT_ONCE = 500
_MOVES = 5

RULES: tuple[Callable[[Whole], Iterator[Finding]], ...] = (
    graph.link_broken,
    graph.entry_orphan,
    graph.contradiction,
    graph.relation,
    graph.superseded,
    declared.claim_stale,
    declared.source_required,
    declared.confidence_low,
    declared.laundered,
    similar.slug_taken,
    similar.name_taken,
    similar.name_alike,
    similar.page_duplicate,
    missing.page_missing,
    files.source_changed,
    files.source_unregistered,
    files.source_unresolved,
)
"""The rules of the whole; the first four and ``claim_stale`` are what a maintenance pass MUST detect."""


@dataclass(frozen=True)
class Result:
    """What a pass found in one commit."""

    commit: str
    findings: tuple[Finding, ...]
    mends: tuple[Mend, ...] = ()
    """What mends the generated files."""
    pages: int = 0
    looked_at: int = 0
    """How many of the pages were not known from an earlier pass."""
    stale_after_days: float | None = None

    def count(self, severity: str) -> int:
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def kinds(self) -> list[tuple[str, str, int]]:
        """Code, severity and number of what was found, the worst first."""
        counted = Counter((finding.code, finding.severity) for finding in self.findings)
        ordered = sorted(counted, key=lambda kind: (_rank(kind[1]), kind[0]))
        return [(code, severity, counted[code, severity]) for code, severity in ordered]


def examine(repository: Repository, now: datetime, limits: Limits) -> Result:
    """Look at the newest commit; once more when the branch moves meanwhile. Raises CuratorError."""
    for _ in range(_MOVES):
        try:
            return _examined(repository, now, limits)
        except Moved:
            continue
    raise Conflict("branch_busy", f"the branch moved {_MOVES} times meanwhile", "try again")


def _examined(repository: Repository, now: datetime, limits: Limits) -> Result:
    snapshot = repository.view()
    ledger = Ledger.open(repository.runtime.folder, CATALOGUE, snapshot.base)
    try:
        manifest = _manifest(snapshot)
        stock = Stock(repository.root, manifest, ledger)
        workspace, charter, text, refused = _charter(snapshot)
        sources = Texts(repository.root, repository.runtime, limits)
        whole = Whole(snapshot, ledger, stock, sources, charter, now)
        stale = _look(whole)
        made = list(files.made(whole, workspace.grouping if workspace is not None else "kind"))
        found = [*refused, *charter.refused, *(finding for finding, _ in made)]
        found += (known for finding in ledger.faults() if (known := local.weighed(finding, charter)) is not None)
        for rule in RULES:
            found += rule(whole)
        if workspace is not None:
            found += drift.drift(snapshot.read(drift.PATH), workspace, charter)
            found += custom.findings(snapshot.wiki, charter, text, now, repository.git.top)
        mends = tuple(mend for _, mend in made if mend is not None)
        return Result(
            snapshot.base, _sorted(found), mends, snapshot.catalogue.count(), stale, declared.threshold(charter)
        )
    finally:
        ledger.close()


def _look(whole: Whole) -> int:
    """Look at the pages that are not known, and at citations of sources whose bytes are others by now."""
    ledger, stock = whole.ledger, whole.stock
    ledger.forget_the_gone()
    stale = sorted(ledger.stale(), key=lambda page: (page.entry.sources[:1], page.path))  # source by source
    for start in range(0, len(stale), _AT_ONCE):
        chunk = {page.path: page for page in stale[start : start + _AT_ONCE]}
        texts = whole.texts((page.path, page.blob) for page in chunk.values())
        leaves: list[tuple[Stale, Leaf]] = [(chunk[path], Leaf(path, text, chunk[path].entry)) for path, text in texts]
        ledger.keep(leaves)
        for _, leaf in leaves:
            for source in leaf.cited_sources if leaf.is_readable else ():
                _prove(leaf, source, whole)
    for source, digest in list(ledger.rows("SELECT DISTINCT source, digest FROM proof")):
        if (now := stock.digest(source)) is not None and now != digest:
            query = "SELECT path FROM proof WHERE source=? AND digest=?"
            for (path,) in list(ledger.rows(query, source, digest)):
                if (known := whole.leaf(path)) is not None:
                    _prove(known, source, whole)
    return len(stale)


def _prove(leaf: Leaf, source: str, whole: Whole) -> None:
    digest = whole.stock.digest(source)
    if digest is not None:
        whole.ledger.proven(leaf.path, source, digest, proofs.check(leaf, source, whole.sources.evidence))


def _manifest(snapshot: Snapshot) -> Manifest:
    try:
        return snapshot.manifest()
    except WikiError:
        return Manifest()  # the rules of the generated files say what is wrong with it


def _charter(snapshot: Snapshot) -> tuple[Workspace | None, Charter, str, list[Finding]]:
    """What KNOWLEDGE.md asks for; a manifest that cannot be read is a finding, and the MUST rules run all the same."""
    text = snapshot.read(PATH) or ""
    try:
        workspace = snapshot.workspace()
    except WikiError as error:
        message = " ".join(error.message.split())
        return None, Charter(), text, [Finding(error.code, PATH, message, 1, "error", error.hint)]
    return workspace, Charter.of(workspace, text), text, []


def _sorted(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """By place, each once."""
    unique = dict.fromkeys(found)
    return tuple(sorted(unique, key=lambda f: (f.path, f.line or 0, _rank(f.severity), f.code, f.message)))


def _rank(severity: str) -> int:
    return [*SEVERITIES].index(severity)  # type: ignore[arg-type]
