"""KNOWLEDGE.md: what a root that stands alone declares, or one error with every problem (``test_knowledge_schema.py``)."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from curator.errors import WikiError
from curator.wiki.workspace.workspace import CurationPolicy, EntityType, PageType, Workspace

LEAST: dict[str, Any] = {
    "schema": "knowledge.workspace/v1",
    "name": "bees",
    "title": "Bees",
    "description": "All about bees.",
    "version": "1.0.0",
}


def text(**changes: Any) -> str:
    return f"---\n{yaml.safe_dump({**LEAST, **changes}, sort_keys=False)}---\n\n# Bees\n"


def problems(**changes: Any) -> str:
    with pytest.raises(WikiError) as caught:
        Workspace.parse(text(**changes))
    assert caught.value.code == "knowledge_workspace_invalid"
    assert caught.value.exit_status == 2
    return caught.value.message


def test_the_least_manifest_has_the_standards_defaults() -> None:
    workspace = Workspace.parse(text())

    assert workspace.policy == CurationPolicy("", "medium", "byName", "defer", "", "required")
    assert (workspace.grouping, workspace.authority_default, workspace.hash_algorithm) == (
        "kind",
        "secondary",
        "sha256",
    )


def test_a_full_manifest() -> None:
    workspace = Workspace.parse(
        text(
            curation={"tone": "dry", "depth": "deep", "autoLink": "off", "conflictResolution": "recency"},
            entityTypes=[{"name": "Hive", "description": "A box", "fields": ["frames"], "parent": "Thing"}],
            display={"defaultGrouping": "tag"},
            sources={"authorityDefault": "primary", "hashAlgo": "sha512", "retention": "days:30"},
            metadata={"pack": {"grounding": "none"}, "other.vendor": {"a": 1}},
        )
    )

    hive = PageType("Hive", "entity", "A box", ("frames",))
    assert workspace.policy == CurationPolicy("dry", "deep", "off", "recency", "", "none", (hive,))
    assert workspace.entity_types == (EntityType("Hive", "A box", ("frames",), "Thing"),)
    assert (workspace.grouping, workspace.authority_default, workspace.hash_algorithm) == ("tag", "primary", "sha512")
    assert workspace.fields["metadata"]["other.vendor"] == {"a": 1}


@pytest.mark.parametrize(
    ("pack", "said"),
    [
        ("x", "metadata.pack: 'x'; wanted: a mapping"),
        ({"grounding": "maybe"}, "metadata.pack.grounding: 'maybe'"),
    ],
)
def test_metadata_of_the_pack_that_means_nothing_is_named(pack: Any, said: str) -> None:
    assert said in problems(metadata={"pack": pack})


def test_all_problems_are_told_at_once() -> None:
    message = problems(name=None, version="1", curation={"depth": "x"})

    assert [where in message for where in ("name:", "version:", "curation.depth:")] == [True] * 3


def test_a_head_that_cannot_be_read_is_told_with_its_line() -> None:
    with pytest.raises(WikiError, match=r"KNOWLEDGE\.md:3: "):
        Workspace.parse("---\na: [\n---\n")


def test_a_type_is_filed_under_the_kind_it_extends_with_the_fields_of_all_it_extends() -> None:
    types = [
        {"name": "Concept"},
        {"name": "Rule", "parent": "Concept", "fields": ["since"]},
        {"name": "Law", "parent": "Rule", "fields": ["passed_by"], "description": "A rule of a state."},
        {"name": "Ring", "parent": "Ring"},
    ]

    assert Workspace.parse(text(entityTypes=types)).policy.types == (
        PageType("Rule", "concept", "", ("since",)),
        PageType("Law", "concept", "A rule of a state.", ("since", "passed_by")),
        PageType("Ring", "entity"),
    )


def test_a_head_may_serve_readers_of_packs_as_well() -> None:
    said = {"type": "research-wiki", "status": "ready", "trust": "unreviewed", "profile": "wiki-first"}
    above = Workspace.parse(
        text(**said, grounding="none", runtime={"mode": "data"}, metadata={"pack": {"status": "stale"}})
    )

    assert above.policy.grounding == "none"
    assert above.fields["metadata"]["pack"] == {**said, "grounding": "none", "runtime": {"mode": "data"}}
    assert not {"type", "status", "runtime"} & above.fields.keys()
    assert "grounding: 'much'" in problems(grounding="much")
    assert "status: []; wanted: 1 to 1000 characters" in problems(status=[])
