"""What later drafts added to AIP-10: the registry, source records, host functions, error codes, forks."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_conformance_refs import CONSTRAINT, layers

import curator
from curator.api import KnowledgeError
from support import standard
from support.lints import commit, page, plant, with_lints
from support.manifests import lint
from support.standard import BREWING, curate, edited, effective, events, head, ingest, manifest, pages, state, warned
from support.wikis import OOLONG, TEA, drop, git

root, kept, both = standard.root, standard.kept, standard.both

ENTRY = {
    "schema": "knowledge/v1",
    "slug": "oolong",
    "kind": "concept",
    "title": "Oolong",
    "updated_at": "2026-05-01T12:00:00Z",
}
RECORD = {
    "schema": "knowledge.source/v1",
    "id": "tea",
    "path": "sources/tea.txt",
    "title": "Tea",
    "captured_at": "2026-05-01T12:00:00Z",
}
FILES = {"sources/tea.txt": b"Oolong is partly oxidised.\n"}


def registry(root: Path) -> dict[str, Any]:
    found = json.loads((root / "_manifest.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


# -- _manifest.json ------------------------------------------------------------------------------------------------


def test_the_registry_has_its_form(both: Path) -> None:
    """_manifest.json: “{"version": 1, "hashAlgo": "sha256", "sources": {"sources/a.pdf": {"contentHash": "...",
    "slugs": ["x", "y"]}}}”
    """
    found = registry(both)

    assert (found["version"], found["hashAlgo"]) == (1, "sha256")
    for path, record in found["sources"].items():
        assert record["contentHash"] == hashlib.sha256((both / path).read_bytes()).hexdigest()
        assert isinstance(record["slugs"], list)


def test_a_key_is_a_path_from_the_root_and_slugs_are_all_pages_touched(both: Path) -> None:
    """_manifest.json: “Key: the source's path from the wiki root. slugs: every page the ingest created or touched.”"""
    found = {path: record["slugs"] for path, record in registry(both)["sources"].items()}

    assert found == {
        "sources/oolong-notes.txt": ["oolong", "oolong-notes"],
        "sources/deep/more.txt": ["more", "oolong"],
    }


def test_an_unchanged_source_is_skipped(both: Path) -> None:
    """_manifest.json: “A source whose bytes are unchanged is skipped: no page, index, log or manifest change, no
    log line.”
    """
    before = state(both)
    os.utime(both / "sources/oolong-notes.txt")

    said = curate(both, "ingest", both / "sources")

    assert [result["status"] for result in said["results"]] == ["skipped", "skipped"]
    assert state(both) == before


def test_changed_bytes_are_processed_again(both: Path) -> None:
    """_manifest.json: “Changed bytes are processed again.”"""
    old = registry(both)["sources"]["sources/oolong-notes.txt"]["contentHash"]

    result = ingest(both, "oolong-notes.txt", TEA + "Oolong is sold in tins.\n")

    assert result["status"] == "ingested"
    assert registry(both)["sources"]["sources/oolong-notes.txt"]["contentHash"] != old
    assert [event.subject for event in events(both)].count("sources/oolong-notes.txt") == 2


def test_another_schema_triggers_no_source(both: Path) -> None:
    """_manifest.json: “Editing KNOWLEDGE.md or AGENTS.md never re-triggers a source.”"""
    edited(both, "KNOWLEDGE.md", ("depth: medium", "depth: deep"))
    edited(both, "AGENTS.md", ("The tone is plain", "The tone is dry"))
    curate(both, "approve")
    before = state(both)

    said = curate(both, "ingest", both / "sources")

    assert [result["status"] for result in said["results"]] == ["skipped", "skipped"]
    assert state(both) == before


def test_the_registry_is_updated_in_the_same_transaction(kept: Path) -> None:
    """_manifest.json: “It is updated in the same transaction as the index and the log.”"""
    assert {"_index.md", "_log.md", "_manifest.json"} <= set(
        git(kept, "show", "--format=", "--name-only", "HEAD").split("\n")
    )


def test_the_registry_shows_change_and_is_no_root_of_trust(both: Path) -> None:
    """_manifest.json: “It shows change, it is no root of trust.”"""
    drop(both, "oolong-notes.txt", TEA.replace("oxidised", "poisoned"))
    assert "source_hash_mismatch" in curate(both, "lint", "--no-log").codes

    found = registry(both)
    digest = hashlib.sha256((both / "sources/oolong-notes.txt").read_bytes()).hexdigest()
    found["sources"]["sources/oolong-notes.txt"]["contentHash"] = digest
    (both / "_manifest.json").write_text(json.dumps(found))
    commit(both)
    assert "evidence_missing" in curate(both, "lint", "--no-log").codes  # quotes are held against the bytes themselves


# -- source records ------------------------------------------------------------------------------------------------


def test_a_source_has_its_record(both: Path) -> None:
    """Source records: “(knowledge.source/v1): id, path, title, captured_at, content_hash (sha256:<hex>), authority
    (primary, secondary, rumour), language, superseded_by, tags.”
    """
    said = ("--authority", "primary", "--language", "en", "--superseded-by", "more", "--tag", "tea", "--title", "Notes")
    assert curate(both, "sources", "set", "oolong-notes", *said).status == 0

    (record,) = (each for each in curate(both, "sources")["records"] if each["id"] == "oolong-notes")

    digest = hashlib.sha256((both / "sources/oolong-notes.txt").read_bytes()).hexdigest()
    assert {key: value for key, value in record.items() if key != "metadata"} == {
        "schema": "knowledge.source/v1",
        "id": "oolong-notes",
        "path": "sources/oolong-notes.txt",
        "title": "Notes",
        "captured_at": "2026-05-01T12:00:00Z",
        "content_hash": f"sha256:{digest}",
        "authority": "primary",
        "language": "en",
        "superseded_by": "more",
        "tags": ["tea"],
    }


def test_a_registered_source_is_pinned(both: Path) -> None:
    """Source records: “A registered source's bytes are pinned: a correction is a new source that supersedes the old
    one.”
    """
    record = curator.define_source(RECORD, files=FILES)
    with pytest.raises(KnowledgeError) as caught:
        curator.define_source(RECORD, files={"sources/tea.txt": b"Other words.\n"}, registered=[record])
    assert caught.value.code == "source_mutation_refused"

    ingest(both, "corrected.txt", TEA + "Corrected.\n", options=("--supersedes", "oolong-notes"))
    found = {each["id"]: each.get("superseded_by") for each in curate(both, "sources")["records"]}
    assert found["oolong-notes"] == "corrected"


def test_a_page_names_its_source_by_the_id_of_the_registry(root: Path) -> None:
    """Two page dialects: “lists source ids (the file's stem, kebab-case)”"""
    (root / "concepts" / "home.md").write_text(
        page("home", "Words. [^tea-1]", schema="knowledge.entry/v1", sources="[tea]")[1]
    )
    drop(root, "tea.txt", "Oolong is partly oxidised.\n")
    commit(root)
    ingest(root, "a/notes.txt", TEA)
    ingest(root, "b/notes.txt", TEA + BREWING)

    records = {each["id"]: each["metadata"]["curator"]["pages"] for each in curate(root, "sources")["records"]}

    heads = {fields["slug"]: fields["sources"] for fields in map(head, pages(root).values())}
    for name, slugs in records.items():
        assert all(name in heads[slug] for slug in slugs), (name, slugs)


# -- the host's functions ------------------------------------------------------------------------------------------


def test_the_host_functions_have_their_names() -> None:
    """Host functions: “define_knowledge_workspace, define_entry, define_source are the canonical Python names”"""
    manifest = {
        "schema": "knowledge.workspace/v1",
        "name": "tea",
        "title": "Tea",
        "description": "Tea.",
        "version": "1.0.0",
    }

    assert curator.define_entry(ENTRY).slug == "oolong"
    assert curator.define_source(RECORD, files=FILES).id == "tea"
    assert curator.define_knowledge_workspace(manifest).fields["name"] == "tea"


def _no_manifest(root: Path) -> None:
    edited(root, "KNOWLEDGE.md", ("version: 1.0.0", "version: one"))


def _other_bytes(root: Path) -> None:
    drop(root, "oolong-notes.txt", "Other words.\n")
    commit(root)


def _no_entry(root: Path) -> None:
    edited(root, "concepts/oolong.md", ("kind: concept", "kind: essay"))


def _no_source(root: Path) -> None:
    edited(root, "concepts/oolong.md", ("- sources/oolong-notes.txt", "- sources/gone.txt"))


def _no_page(root: Path) -> None:
    edited(root, "concepts/oolong.md", ("# Oolong\n", "# Oolong\n\nSee [[gone]].\n"))


def _no_chain(root: Path) -> None:
    manifest(root / ".." / "wiki" / "lens", extends="../gone/KNOWLEDGE.md")
    commit(root)


def _a_lint(root: Path) -> None:
    edited(
        root, "concepts/oolong.md", ("sources:\n- sources/oolong-notes.txt\n- sources/deep/more.txt\n", "sources: []\n")
    )


@pytest.mark.parametrize(
    "fault, step, path",
    [
        (_no_manifest, "manifest", "KNOWLEDGE.md"),
        (_other_bytes, "sources", "sources/oolong-notes.txt"),
        (_no_entry, "entries", "concepts/oolong.md"),
        (_no_source, "references", "concepts/oolong.md"),
        (_no_page, "references", "concepts/oolong.md"),
        (_no_chain, "views", "lens/KNOWLEDGE.md"),
        (_a_lint, "lints", "concepts/oolong.md"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_the_handshake_takes_its_steps(both: Path, fault: Callable[[Path], None], step: str, path: str) -> None:
    """Host functions: “validate(wiki_root) is the "is this wiki conforming?" handshake: manifest valid, sources'
    hashes match the registry, every page's frontmatter valid, every source and link resolves, every view's chain
    resolves, lints run, first failure named with file and field.”
    """
    fault(both)

    said = curate(both, "validate")

    assert [(each["step"], each["path"]) for each in said["findings"]] == [(step, path)]
    assert said.status == 1


def test_a_wiki_without_a_fault_is_conforming(both: Path) -> None:
    """Host functions: “validate(wiki_root) is the "is this wiki conforming?" handshake”"""
    verdict = curator.validate(both)

    assert verdict.ok and verdict.first is None
    _no_page(both)
    verdict = curator.validate(both)
    assert not verdict.ok and verdict.first is not None and verdict.first.code == "link_broken"


def test_the_first_failure_is_named_with_file_and_field(both: Path) -> None:
    """Host functions: “first failure named with file and field”"""
    edited(both, "concepts/oolong.md", ("kind: concept", "kind: essay"), ("confidence: 0.75", "confidence: 7"))

    (found,) = curate(both, "validate")["findings"]

    assert (found["path"], found["field"], found["line"]) == ("concepts/oolong.md", "confidence", 9)


# -- error codes, each provoked once --------------------------------------------------------------------------------


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(KnowledgeError) as caught:
        act()
    return caught.value.code


def test_schema_missing(tmp_path: Path) -> None:
    """Error codes: “schema_missing”"""
    assert curate(None, "validate", tmp_path).codes == ["schema_missing"]
    assert refusal(lambda: curator.define_entry({**ENTRY, "schema": None})) == "schema_missing"


def test_knowledge_workspace_invalid(tmp_path: Path) -> None:
    """Error codes: “knowledge_workspace_invalid”"""
    assert effective(manifest(tmp_path / "wiki", version="one")).codes == ["knowledge_workspace_invalid"]


def test_knowledge_extends_missing(tmp_path: Path) -> None:
    """Error codes: “knowledge_extends_missing”"""
    assert warned(effective(manifest(tmp_path / "lab", extends="../x/KNOWLEDGE.md"))) == ["knowledge_extends_missing"]


def test_knowledge_extends_cycle(tmp_path: Path) -> None:
    """Error codes: “knowledge_extends_cycle”"""
    assert warned(effective(manifest(tmp_path / "lab", extends="../lab/KNOWLEDGE.md"))) == ["knowledge_extends_cycle"]


def test_knowledge_extends_depth_exceeded(tmp_path: Path) -> None:
    """Error codes: “knowledge_extends_depth_exceeded”"""
    manifest(tmp_path / "m0")
    for at in range(1, 9):
        leaf = manifest(tmp_path / f"m{at}", extends=f"../m{at - 1}/KNOWLEDGE.md")

    assert warned(effective(leaf)) == ["knowledge_extends_depth_exceeded"]


def test_knowledge_appliesto_unresolvable(tmp_path: Path) -> None:
    """Error codes: “knowledge_appliesto_unresolvable (a hard refusal)”"""
    manifest(tmp_path / "wiki")
    said = effective(manifest(tmp_path / "lab", extends="../wiki/KNOWLEDGE.md", appliesTo=["ws://skills/x"]))

    assert (said.status, said.codes, said["effective"]) == (1, ["knowledge_appliesto_unresolvable"], None)


def test_source_not_found(both: Path) -> None:
    """Error codes: “source_not_found”"""
    (both / "sources/oolong-notes.txt").unlink()
    commit(both)

    assert curate(both, "validate").codes == ["source_not_found"]
    assert refusal(lambda: curator.define_source(RECORD, files={})) == "source_not_found"


def test_source_hash_mismatch(both: Path) -> None:
    """Error codes: “source_hash_mismatch”"""
    drop(both, "oolong-notes.txt", "Other words.\n")
    commit(both)

    assert curate(both, "validate").codes == ["source_hash_mismatch"]


def test_source_mutation_refused(both: Path) -> None:
    """Error codes: “source_mutation_refused”"""
    record = curator.define_source(RECORD, files=FILES)
    other = {"sources/tea.txt": b"Other words.\n"}
    assert refusal(lambda: curator.define_source(RECORD, files=other, registered=[record])) == "source_mutation_refused"

    drop(both, "oolong-notes.txt", "Other words.\n")
    found = registry(both)
    digest = hashlib.sha256(b"Other words.\n").hexdigest()
    found["sources"]["sources/oolong-notes.txt"]["contentHash"] = digest
    (both / "_manifest.json").write_text(json.dumps(found))
    git(both, "add", "-A")
    assert curate(both, "validate", "--staged").codes == ["source_mutation_refused"]


def test_source_unresolved(both: Path) -> None:
    """Error codes: “source_unresolved”"""
    _no_source(both)

    assert curate(both, "validate").codes == ["source_unresolved"]


def test_link_broken(both: Path) -> None:
    """Error codes: “link_broken”"""
    _no_page(both)

    assert curate(both, "validate").codes == ["link_broken"]


def test_link_inline_to_source(both: Path) -> None:
    """Error codes: “link_inline_to_source”"""
    edited(both, "concepts/oolong.md", ("# Oolong\n", "# Oolong\n\nSee [it](../sources/oolong-notes.txt).\n"))

    assert curate(both, "validate").codes == ["link_inline_to_source"]


def test_entry_invalid(both: Path) -> None:
    """Error codes: “entry_invalid”"""
    _no_entry(both)

    assert curate(both, "validate").codes == ["entry_invalid"]


def test_entry_orphan(root: Path) -> None:
    """Error codes: “entry_orphan”"""
    plant(root, page("home", "Words. [^tea-1]", title="Home of all"))
    with_lints(root, 'id: linked, kind: orphan, appliesTo: "*", severity: error, params: {index: false}')

    assert curate(root, "validate").codes == ["entry_orphan"]


def test_contradiction_unresolved(root: Path) -> None:
    """Error codes: “contradiction_unresolved”"""
    plant(root, page("one", contradicts="[home]"))

    assert "contradiction_unresolved" in curate(root, "lint", "--no-log").codes
    assert "contradiction_unresolved" in curate(root, "validate", "--all").codes


def test_wiki_schema_drift(root: Path) -> None:
    """Error codes: “wiki_schema_drift”"""
    edited(root, "AGENTS.md", ("the more recent one is current", "the one with more authority is current"))

    assert "wiki_schema_drift" in curate(root, "lint", "--no-log").codes


def test_governance_lint_softening_refused(tmp_path: Path) -> None:
    """Error codes: “governance:lint_softening_refused”"""
    manifest(tmp_path / "wiki", governance="policy.yaml", lints=[lint()])
    leaf = manifest(tmp_path / "lab", extends="../wiki/KNOWLEDGE.md", lints=[lint(severity="info")])

    assert warned(effective(leaf)) == ["governance:lint_softening_refused"]


def test_knowledge_constraint_conflict(tmp_path: Path) -> None:
    """Error codes: “knowledge_constraint_conflict”"""
    assert warned(effective(layers(tmp_path, "a.md", metadata=CONSTRAINT))) == ["knowledge_constraint_conflict"]


def test_knowledge_tombstone_blocked(tmp_path: Path) -> None:
    """Error codes: “knowledge_tombstone_blocked”"""
    assert warned(effective(layers(tmp_path, "a.md.whiteout", metadata=CONSTRAINT))) == ["knowledge_tombstone_blocked"]


# -- lifecycle -----------------------------------------------------------------------------------------------------


def test_a_fork_has_the_pages_and_names_its_parent(both: Path, tmp_path: Path) -> None:
    """Lifecycle: “A fork copies pages and index to a new root and logs a manual event with its parent.”"""
    dest = tmp_path / "fork"
    commit_of_parent = git(both, "rev-parse", "HEAD")

    assert curate(both, "fork", dest).status == 0

    assert {path: file.read_bytes() for path, file in pages(dest).items()} == {
        path: file.read_bytes() for path, file in pages(both).items()
    }
    assert (dest / "_index.md").read_bytes() == (both / "_index.md").read_bytes()
    (event,) = events(dest)
    assert event.type == "manual" and any(commit_of_parent in bullet and "tea" in bullet for bullet in event.bullets)
    assert curate(dest, "validate").status == 0

    ingest(dest, "third.txt", TEA + "A third.\n")
    assert git(both, "rev-parse", "HEAD") == commit_of_parent


def test_a_wiki_is_empty_then_populated_then_linted(root: Path) -> None:
    """Lifecycle: “Lifecycle of a wiki: empty, populated, linted, forked, frozen.”"""
    assert (pages(root), events(root), curate(root, "validate").status) == ({}, [], 0)
    assert curate(root, "status")["lifecycle"] == "empty"

    ingest(root, "oolong-notes.txt", TEA, OOLONG)
    assert (len(pages(root)), curate(root, "status")["lifecycle"]) == (2, "populated")

    curate(root, "lint")
    assert [event.type for event in events(root)] == ["ingest", "lint"]
    assert curate(root, "status")["lifecycle"] == "linted"
    assert curate(root, "validate").status == 0


def test_a_wiki_that_is_archived_is_frozen(kept: Path) -> None:
    """Lifecycle: “frozen”"""
    edited(kept, "KNOWLEDGE.md", ("    status: ready", "    status: archived"))
    before = git(kept, "rev-parse", "HEAD")

    said = curate(kept, "ingest", drop(kept, "more.txt", "Green tea is not oxidised.\n"))

    assert (curate(kept, "status")["lifecycle"], curate(kept, "status")["protected"]) == (
        "frozen",
        ["status: archived, nothing is taken in"],
    )
    assert said.status == 1 and git(kept, "rev-parse", "HEAD") == before
