"""KNOWLEDGE.md: what a root declares, and every problem of it named."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import WikiError
from curator.wiki.workspace.workspace import CurationPolicy, EntityType, PageType, Workspace
from support.pages import laws

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


@pytest.mark.parametrize("field", LEAST)
def test_a_missing_field_is_named(field: str) -> None:
    assert f"{field}: missing" in problems(**{field: None})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"schema": "knowledge/v1"}, "schema: 'knowledge/v1'; wanted: one of knowledge.workspace/v1"),
        ({"name": "Bees!"}, "name: 'Bees!'"),
        ({"name": "b"}, "name: 'b'"),
        ({"version": "1"}, "version: '1'"),
        ({"version": 1.0}, "version: 1.0"),
        ({"title": "x" * 201}, "1 to 200 characters"),
        ({"curation": ["deep"]}, "curation: ['deep']; wanted: a mapping"),
        ({"curation": {"depth": "deepest"}}, "curation.depth: 'deepest'; wanted: one of shallow, medium, deep"),
        ({"curation": {"conflictResolution": []}}, "curation.conflictResolution"),
        ({"display": {"defaultGrouping": "colour"}}, "display.defaultGrouping"),
        ({"sources": {"hashAlgo": "md5"}}, "sources.hashAlgo: 'md5'"),
        ({"sources": {"retention": "a while"}}, "sources.retention"),
        ({"metadata": {"pack": "x"}}, "metadata.pack: 'x'; wanted: a mapping"),
        ({"metadata": {"pack": {"grounding": "maybe"}}}, "metadata.pack.grounding: 'maybe'"),
        ({"entityTypes": {"Hive": {}}}, "entityTypes: {'Hive': {}}; wanted: a list"),
        ({"entityTypes": ["Hive"]}, "entityTypes[0]: 'Hive'; wanted: a mapping"),
        ({"entityTypes": [{"name": "Hive"}, {"name": "hive box"}]}, "entityTypes[1].name: 'hive box'"),
        ({"entityTypes": [{"name": "Hive", "fields": 3}]}, "entityTypes[0].fields: 3; wanted: a list"),
        ({"entityTypes": [{"name": "Hive", "fields": "frames"}]}, "entityTypes[0].fields: 'frames'; wanted: a list"),
        ({"extends": "../other"}, "extends: '../other'; wanted: a relative path to a KNOWLEDGE.md"),
        ({"colour": "blue"}, "colour: no field of the standard; wanted: fields of vendors under metadata.<vendor>"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(changes: dict[str, Any], said: str) -> None:
    assert said in problems(**changes)


def test_all_problems_are_told_at_once() -> None:
    message = problems(name=None, version="1", curation={"depth": "x"})

    assert [where in message for where in ("name:", "version:", "curation.depth:")] == [True] * 3


@pytest.mark.parametrize("broken", ["---\na: [\n---\n", "---\na: *b\n---\n", "---\na: 1\n"])
def test_a_head_that_cannot_be_read_is_told_with_its_line(broken: str) -> None:
    with pytest.raises(WikiError, match=r"KNOWLEDGE\.md:\d+: "):
        Workspace.parse(broken)


def test_a_file_without_a_head_is_no_manifest() -> None:
    with pytest.raises(WikiError, match="schema_missing"):
        Workspace.parse("# Bees\n")


@laws
@given(
    st.dictionaries(
        st.sampled_from([*LEAST, "curation", "sources", "display", "metadata", "entityTypes", "lints", "extends"]),
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.text(alphabet="ab1.", max_size=5)),
            lambda inner: st.one_of(
                st.lists(inner, max_size=2),
                st.dictionaries(st.sampled_from(["depth", "pack", "name", "fields", "tone"]), inner, max_size=2),
            ),
            max_leaves=5,
        ),
        max_size=4,
    )
)
def test_any_manifest_is_read_or_refused(changes: dict[str, Any]) -> None:
    try:
        workspace = Workspace.parse(text(**changes))
    except WikiError as error:
        assert error.code == "knowledge_workspace_invalid"
    else:
        assert workspace.name


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
