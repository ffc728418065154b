"""The Python API: each function, each code, and docs/api.md as it is written."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import curator
from curator.api import KnowledgeError, SourceRecord
from curator.wiki.validation import Failure
from curator.wiki.workspace.effective import Effective
from support.manifests import LEAF, ROOT, TO_ROOT, lint, policy, text
from support.places import DOCS

PAGE = DOCS / "api.md"
ENTRY = {
    "schema": "knowledge/v1",
    "slug": "oolong",
    "kind": "concept",
    "title": "Oolong",
    "sources": ["sources/tea.txt"],
    "updated_at": "2026-05-01T12:00:00Z",
}
TEA = b"Oolong is partly oxidised.\n"
RECORD = {
    "schema": "knowledge.source/v1",
    "id": "tea",
    "path": "sources/tea.txt",
    "title": "On tea",
    "captured_at": "2026-04-30T08:00:00Z",
}


def test_the_examples_of_the_manual_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    failed, attempted = doctest.testfile(str(PAGE), module_relative=False)

    assert attempted > 10
    assert not failed


def test_importing_curator_loads_no_api() -> None:
    code = "import curator, sys; print(sorted(name for name in sys.modules if name.startswith('curator.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "['curator.version']\n"


def test_what_is_not_there_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="define_nothing"):
        curator.define_nothing  # noqa: B018
    assert callable(curator.validate)


# -- workspaces ----------------------------------------------------------------------------------------------------


def defined(manifest: str, files: dict[str, str] | None = None, **more: Any) -> Effective:
    return curator.define_knowledge_workspace(manifest, LEAF, read=(files or {}).get, **more)


def refused(manifest: str | dict[str, Any], **more: Any) -> tuple[Failure, ...]:
    with pytest.raises(KnowledgeError) as caught:
        curator.define_knowledge_workspace(manifest, LEAF, **more)
    return caught.value.findings  # type: ignore[return-value]


def test_every_fault_of_a_manifest_is_named_with_its_field() -> None:
    found = refused(text("tea", version="one", lints=[lint(severity="low")]))

    assert [(each.code, each.field) for each in found] == [
        ("knowledge_workspace_invalid", "version"),
        ("knowledge_workspace_invalid", "lints[0].severity"),
    ]
    assert found[0].line == 6


def test_a_manifest_without_a_schema_is_told_so() -> None:
    assert [each.code for each in refused({"name": "tea", "title": "T", "description": "D", "version": "1.0.0"})] == [
        "schema_missing"
    ]


def test_a_consumer_that_does_not_exist_is_a_hard_refusal() -> None:
    view = text("view", extends=TO_ROOT, appliesTo=["ws://operators/sales", "../team"])

    assert [each.code for each in refused(view, consumers=["ws://operators/sales"])] == [
        "knowledge_appliesto_unresolvable"
    ]
    assert defined(view, consumers=["ws://operators/sales", "/views/team"]).fields["name"] == "view"


def chain_of(length: int) -> dict[str, str]:
    """Manifests that extend one another."""
    above = {f"/{n}/KNOWLEDGE.md": text("above", extends=f"../{n + 1}/KNOWLEDGE.md") for n in range(length)}
    return {**above, f"/{length}/KNOWLEDGE.md": text("top")}


SOFT = {"lints": [lint(severity="info")]}
NOTICES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "knowledge_extends_missing": ({}, {}),
    "knowledge_extends_cycle": ({"extends": "../views/leaf/KNOWLEDGE.md"}, {}),
    "knowledge_workspace_invalid": ({"version": "one"}, {}),
    "governance:lint_softening_refused": ({"governance": "p.yaml", "lints": [lint()]}, SOFT),
    "knowledge_constraint_conflict": ({"lints": [lint()], "metadata": {"layer": {"mode": "constraint"}}}, SOFT),
}


@pytest.mark.parametrize("code", NOTICES)
def test_what_a_chain_breaks_is_a_notice(code: str) -> None:
    above, fields = NOTICES[code]
    files = {ROOT: text("root", **above), "/wiki/p.yaml": policy()} if above else {}

    view = text("view", extends=TO_ROOT, **fields)

    assert code in [notice.code for notice in defined(view, {**files, LEAF: view}).notices]


def test_a_chain_that_is_too_deep_is_a_notice() -> None:
    view = text("view", extends="../../0/KNOWLEDGE.md")

    assert [notice.code for notice in defined(view, chain_of(9)).notices] == ["knowledge_extends_depth_exceeded"]
    assert len(defined(view, chain_of(6)).manifests) == 8


# -- entries -------------------------------------------------------------------------------------------------------


def entry_refused(body: str = "", *, wrong: dict[str, Any] | None = None, **more: Any) -> tuple[Failure, ...]:
    with pytest.raises(KnowledgeError) as caught:
        curator.define_entry({**ENTRY, **(wrong or {})}, body, **more)
    return caught.value.findings  # type: ignore[return-value]


@pytest.mark.parametrize("dialect", ["knowledge/v1", "knowledge.entry/v1"])
def test_both_dialects_are_entries(dialect: str) -> None:
    page = curator.define_entry({**ENTRY, "schema": dialect, "sources": ["tea"]}, "Tea.", sources=["sources/tea.txt"])

    assert (page.path, page.slug, page.dialect) == ("concepts/oolong.md", "oolong", dialect)
    assert curator.define_entry(page.text).fields == page.fields


WRONG: dict[str, Any] = {
    "slug": "Oolong Tea",
    "kind": "leaf",
    "title": "x" * 201,
    "confidence": 2,
    "updated_at": "yesterday",
    "supersedes": "green",
    "refs": ["somewhere"],
    "metadata": "none",
}


@pytest.mark.parametrize("field", WRONG)
def test_a_wrong_field_of_an_entry_is_named(field: str) -> None:
    (found,) = entry_refused(wrong={field: WRONG[field]}, path="concepts/oolong.md")

    assert (found.code, found.path) == ("entry_invalid", "concepts/oolong.md")
    assert found.field.partition("[")[0] == field
    assert found.line == [*ENTRY, field].index(field) + (2 if field in [*ENTRY][:5] else 3)


@pytest.mark.parametrize("field", ["schema", "slug", "kind", "title", "updated_at"])
def test_what_an_entry_must_have_is_missed(field: str) -> None:
    (found, *_) = entry_refused(wrong={field: None}, path="concepts/oolong.md")

    assert found.code == ("schema_missing" if field == "schema" else "entry_invalid")
    assert found.field == field


def test_the_schema_is_closed_only_where_the_later_draft_closes_it() -> None:
    (found,) = entry_refused(wrong={"schema": "knowledge.entry/v1", "sources": ["tea"], "mood": "good"})

    assert found.field == "mood"
    assert curator.define_entry({**ENTRY, "mood": "good"}).fields["mood"] == "good"


def test_an_entity_type_of_the_wiki_is_a_kind() -> None:
    page = curator.define_entry({**ENTRY, "kind": "open-question"}, path="questions/oolong.md", types=["OpenQuestion"])

    assert page.type == "OpenQuestion"


def test_a_head_that_is_no_yaml_is_invalid() -> None:
    with pytest.raises(KnowledgeError) as caught:
        curator.define_entry("---\nslug: [\n---\n")

    assert caught.value.code == "entry_invalid"


def test_an_entrys_sources_and_links_resolve() -> None:
    body = 'A [[green]] and [a file](../x/black.md).\n\nSaid. [^a]\n\n[^a]: sources/gone.txt#L1 "words"\n'

    found = entry_refused(body, wrong={"contradicts": ["white"]}, sources=["sources/x.txt"], pages=["black"])

    assert [(each.code, each.field, each.line) for each in found] == [
        ("source_unresolved", "sources[0]", 6),
        ("source_unresolved", "", 17),
        ("link_broken", "contradicts[0]", 9),
        ("link_broken", "", 13),
    ]


def test_an_entry_does_not_link_into_sources() -> None:
    (found,) = entry_refused("See [it](../sources/tea.pdf).")

    assert (found.code, found.line) == ("link_inline_to_source", 11)


def test_refs_are_neither_sources_nor_links() -> None:
    fields = {**ENTRY, "refs": ["wiki:other/gone", "github:owner/repo:README.md"]}

    assert curator.define_entry(fields, sources=["sources/tea.txt"], pages=[]).slug == "oolong"


# -- sources -------------------------------------------------------------------------------------------------------


def source(**fields: Any) -> SourceRecord:
    return curator.define_source({**RECORD, **fields}, files={"sources/tea.txt": TEA})


def source_refused(registered: tuple[SourceRecord, ...] = (), **fields: Any) -> tuple[Failure, ...]:
    with pytest.raises(KnowledgeError) as caught:
        curator.define_source({**RECORD, **fields}, files={"sources/tea.txt": TEA}, registered=registered)
    return caught.value.findings  # type: ignore[return-value]


def test_a_source_is_pinned_by_its_bytes() -> None:
    record = source()

    assert record.content_hash.startswith("sha256:")
    assert source(content_hash=record.content_hash) == record
    assert curator.define_source({**RECORD}, files={"sources/tea.txt": TEA}, registered=[record]) == record


def test_a_file_that_is_not_there_is_no_source() -> None:
    (found, *_) = source_refused(path="sources/gone.txt")

    assert (found.code, found.field) == ("source_not_found", "path")


def test_other_bytes_than_the_record_says_are_told() -> None:
    (found,) = source_refused(content_hash=f"sha256:{'0' * 64}")

    assert (found.code, found.field) == ("source_hash_mismatch", "content_hash")


def test_a_hash_that_nobody_can_compute_here_is_not_passed() -> None:
    (found,) = source_refused(content_hash="blake3:00ff")

    assert found.code == "source_hash_mismatch"


def test_a_registered_source_does_not_change() -> None:
    old = source()
    moved = SourceRecord("tea", "sources/old.txt", "On tea", "2026-04-30", old.content_hash)
    edited = SourceRecord("tea", "sources/tea.txt", "On tea", "2026-04-30", f"sha256:{'0' * 64}")

    assert [(each.code, each.field) for each in source_refused((edited,))] == [
        ("source_mutation_refused", "content_hash")
    ]
    assert [(each.code, each.field) for each in source_refused((moved,))] == [("source_mutation_refused", "id")]


def test_a_source_is_superseded_by_one_that_is_there() -> None:
    newer = SourceRecord("tea-2", "sources/tea-2.txt", "On tea", "2026-05-02", "sha256:00")

    assert [each.code for each in source_refused(superseded_by="tea-2")] == ["source_unresolved"]
    assert (
        curator.define_source(
            {**RECORD, "superseded_by": "tea-2"}, files={"sources/tea.txt": TEA}, registered=[newer]
        ).superseded_by
        == "tea-2"
    )


@pytest.mark.parametrize("path", ["tea.txt", "sources/../KNOWLEDGE.md", "/sources/tea.txt", "sources/"])
def test_a_source_lies_below_sources(path: str) -> None:
    assert ("entry_invalid", "path") in [(each.code, each.field) for each in source_refused(path=path)]


# -- the envelope --------------------------------------------------------------------------------------------------


def test_the_envelope_is_json_and_names_what_was_looked_at() -> None:
    with pytest.raises(KnowledgeError) as caught:
        curator.define_source(RECORD, files={})

    assert json.loads(json.dumps(caught.value.envelope)) == {
        "ok": False,
        "status": "invalid",
        "command": "define_source",
        "pack": "tea",
        "findings": [
            {
                "code": "source_not_found",
                "path": "sources/tea.txt",
                "message": "path: 'sources/tea.txt'; there is no such file",
                "severity": "error",
                "field": "path",
            },
            {
                "code": "entry_invalid",
                "path": "sources/tea.txt",
                "message": "content_hash: missing; wanted: sha256:<hex>",
                "severity": "error",
                "field": "content_hash",
            },
        ],
    }
