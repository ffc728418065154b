"""The merge table, row by row, and its laws (AIP-10, "Merge strategy (child wins on conflicts)")."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.workspace.effective import Effective, FieldValue, flat
from curator.wiki.workspace.manifest import KnowledgeManifest
from curator.wiki.workspace.merge import deep, merge
from support.manifests import LEAF, ROOT, composed, lint, pair, text, told
from support.pages import laws

# -- one case a row ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["name", "title", "description", "version", "curator", "governance"])
def test_override(field: str) -> None:
    assert merge({field: "old"}, {field: "new"}) == {field: "new"}
    assert merge({field: "old"}, {}) == {field: "old"}
    assert merge({field: "old"}, {field: None}) == {field: "old"}
    assert merge({}, {field: "new"}) == {field: "new"}


@pytest.mark.parametrize("field, value", [("extends", "../w/KNOWLEDGE.md"), ("appliesTo", ["ws://skills/a"])])
def test_not_inherited(field: str, value: Any) -> None:
    assert merge({field: value}, {}) == {}
    assert merge({}, {field: value}) == {field: value}
    assert merge({field: "old"}, {field: value}) == {field: value}


def test_entity_types_are_merged_by_name() -> None:
    parent = [{"name": "Person", "icon": "P", "description": "A human."}, {"name": "Deal", "icon": "D"}]
    child = [{"name": "Offer"}, {"name": "Person", "icon": "Q", "parent": "Thing"}]

    assert merge({"entityTypes": parent}, {"entityTypes": child}) == {
        "entityTypes": [
            {"name": "Person", "icon": "Q", "parent": "Thing"},
            {"name": "Deal", "icon": "D"},
            {"name": "Offer"},
        ]
    }


def test_fields_of_an_entity_type_are_a_union() -> None:
    parent = [{"name": "Person", "fields": ["name", "role", "contact"]}]
    child = [
        {"name": "Investor", "parent": "Person", "fields": ["fund"]},
        {"name": "Person", "fields": ["role", "site"]},
    ]

    assert merge({"entityTypes": parent}, {"entityTypes": child}) == {
        "entityTypes": [
            {"name": "Person", "fields": ["name", "role", "contact", "site"]},
            {"name": "Investor", "parent": "Person", "fields": ["fund"]},
        ]
    }
    assert merge({"entityTypes": parent}, {"entityTypes": [{"name": "Person"}]}) == {"entityTypes": parent}


def test_lints_are_merged_by_id() -> None:
    parent = [lint("old", params={"a": 1}), lint("cited")]
    child = [lint("new"), lint("old", severity="info")]

    assert merge({"lints": parent}, {"lints": child}) == {
        "lints": [lint("old", severity="info"), lint("cited"), lint("new")]
    }


@pytest.mark.parametrize(
    "field, leaves",
    [
        ("sources", {"retention": "forever", "signing": "none", "hashAlgo": "sha256", "authorityDefault": "primary"}),
        ("curation", {"tone": "a", "depth": "deep", "autoLink": "off", "conflictResolution": "defer"}),
        ("queryHints", {"preferRecent": True, "preferAuthoritative": False, "scopeTo": ["Concept"]}),
        ("display", {"homePage": "home", "defaultGrouping": "kind"}),
    ],
)
def test_leaves_override_one_by_one(field: str, leaves: dict[str, Any]) -> None:
    for leaf in leaves:
        assert merge({field: leaves}, {field: {leaf: "new"}}) == {field: {**leaves, leaf: "new"}}
        assert merge({field: leaves}, {field: {leaf: None}}) == {field: leaves}
    assert merge({field: leaves}, {field: {}}) == {field: leaves}
    assert merge({}, {field: {**leaves, "x": None}}) == {field: leaves}


def test_scope_to_is_replaced_wholesale() -> None:
    parent = {"queryHints": {"scopeTo": ["Concept", "Person"], "preferRecent": True}}

    assert merge(parent, {"queryHints": {"scopeTo": ["Deal"]}})["queryHints"] == {
        "scopeTo": ["Deal"],
        "preferRecent": True,
    }
    assert merge(parent, {"queryHints": {"scopeTo": []}})["queryHints"]["scopeTo"] == []


def test_metadata_is_merged_deep() -> None:
    parent = {"metadata": {"guilde": {"a": 1, "b": {"c": 2, "d": [1, 2]}}, "old": True}}
    child = {"metadata": {"guilde": {"b": {"d": [3], "e": None}}, "simone": {"x": 1}}}

    assert merge(parent, child) == {
        "metadata": {"guilde": {"a": 1, "b": {"c": 2, "d": [3], "e": None}}, "old": True, "simone": {"x": 1}}
    }


# -- laws ----------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["A", "B", "C"])
WORDS = st.sampled_from(["x", "y", "z"])
TYPES = st.lists(
    st.builds(
        lambda name, fields, icon: {
            "name": name,
            **({"fields": fields} if fields else {}),
            **({"icon": icon} if icon else {}),
        },
        NAMES,
        st.lists(WORDS, unique=True, max_size=3),
        st.none() | WORDS,
    ),
    unique_by=lambda entry: entry["name"],
    max_size=3,
)
LINTS = st.lists(
    st.builds(lambda name, severity: lint(name, severity=severity), WORDS, st.sampled_from(["error", "warn", "info"])),
    unique_by=lambda entry: entry["id"],
    max_size=3,
)
LEAVES = st.dictionaries(WORDS, WORDS, max_size=3)
METADATA = st.fixed_dictionaries(
    {},
    optional={
        "v": st.dictionaries(WORDS, st.none() | st.lists(WORDS, max_size=2)),
        "w": st.dictionaries(WORDS, LEAVES),
    },
)
MANIFESTS = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(["name", "curator", "governance", "extends"], WORDS),
        "appliesTo": st.lists(WORDS, max_size=2),
        "entityTypes": TYPES,
        "lints": LINTS,
        **dict.fromkeys(["sources", "curation", "queryHints", "display"], LEAVES),
        "metadata": METADATA,
    },
)


@laws
@given(MANIFESTS, MANIFESTS, MANIFESTS)
def test_the_merge_is_associative(one: dict[str, Any], two: dict[str, Any], three: dict[str, Any]) -> None:
    assert merge(merge(one, two), three) == merge(one, merge(two, three))


def test_metadata_that_changes_its_kind_is_merged_from_the_root_on() -> None:
    one, two, three = {"v": {"a": 1}}, {"v": "none"}, {"v": {"b": 2}}

    assert deep(deep(one, two), three) == {"v": {"b": 2}}
    assert deep(one, deep(two, three)) == {"v": {"a": 1, "b": 2}}


@laws
@given(MANIFESTS, MANIFESTS)
def test_the_child_wins_and_nothing_else_is_lost(parent: dict[str, Any], child: dict[str, Any]) -> None:
    merged = merge(parent, child)

    assert merge(merged, child) == merged
    for name in ("entityTypes", "lints"):
        key = "name" if name == "entityTypes" else "id"
        names = [entry[key] for entry in merged.get(name, ())]
        assert names[: len(parent.get(name, ()))] == [entry[key] for entry in parent.get(name, ())]
        assert set(names) == {entry[key] for at in (parent, child) for entry in at.get(name, ())}
    leaves = dict(flat(merged))
    for path, value in flat(child):
        if path[-1] != "fields":
            assert leaves[path] == value


@laws
@given(MANIFESTS, MANIFESTS)
def test_merging_changes_neither(parent: dict[str, Any], child: dict[str, Any]) -> None:
    before = repr((parent, child))

    merge(parent, child)["metadata"] = "changed"

    assert repr((parent, child)) == before


# -- who said what -------------------------------------------------------------------------------------------------


def test_the_effective_manifest_is_in_the_standards_order_with_its_chain() -> None:
    found = composed(pair({"metadata": {"a": 1}}, {"curation": {"tone": "dry"}, "version": "0.2.0"}))

    assert list(found.fields) == [
        "schema",
        "name",
        "title",
        "description",
        "version",
        "extends",
        "curation",
        "metadata",
    ]
    assert [(each.path, each.name, each.version) for each in found.manifests] == [
        (ROOT, "root", "1.0.0"),
        (LEAF, "leaf", "0.2.0"),
    ]


def test_explain_names_the_file_that_set_a_value() -> None:
    found = composed(pair({"curation": {"tone": "plain", "depth": "deep"}}, {"curation": {"tone": "dry"}}))

    assert found.explain("curation.tone") == [
        FieldValue("curation.tone", ROOT, "plain", "overridden"),
        FieldValue("curation.tone", LEAF, "dry", "holds"),
    ]
    assert [each.field for each in found.explain("curation")] == ["curation.tone", "curation.depth", "curation.tone"]
    assert found.explain("cur") == []
    assert [each.standing for each in found.explain("name")] == ["overridden", "holds"]


def test_explain_tells_a_union_from_an_override() -> None:
    parent = {"entityTypes": [{"name": "Person", "icon": "P", "fields": ["name"]}]}
    child = {"entityTypes": [{"name": "Person", "fields": ["site"]}]}

    found = composed(pair(parent, child))

    assert [(each.at, each.value, each.standing) for each in found.explain("entityTypes.Person.fields")] == [
        (ROOT, ["name"], "adds"),
        (LEAF, ["site"], "adds"),
    ]
    assert [each.standing for each in found.explain("entityTypes[Person].icon")] == ["overridden"]


def test_explain_tells_what_is_not_inherited() -> None:
    files = {
        ROOT: text("root"),
        "/mid/KNOWLEDGE.md": text("mid", extends="../wiki/KNOWLEDGE.md"),
        LEAF: text("leaf", extends="../../mid/KNOWLEDGE.md"),
    }

    assert [(each.at, each.standing) for each in composed(files).explain("extends")] == [
        ("/mid/KNOWLEDGE.md", "not inherited"),
        (LEAF, "holds"),
    ]


@laws
@given(MANIFESTS, MANIFESTS)
def test_every_value_that_holds_has_somebody_who_said_it(parent: dict[str, Any], child: dict[str, Any]) -> None:
    manifests = (KnowledgeManifest(ROOT, parent), KnowledgeManifest(LEAF, child))
    said = tuple((path, each.path, value, True) for each in manifests for path, value in flat(each.fields))
    found = Effective(merge(parent, child), manifests, said=said)

    holds = {each.field for name in found.fields for each in found.explain(name) if each.standing in ("holds", "adds")}

    assert holds == {".".join(path) for path, _ in flat(found.fields)}


# -- names that name nothing ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({"entityTypes": [{"name": "A", "parent": "B"}]}, "entityTypes.A.parent: 'B'; wanted: an entity type"),
        ({"entityTypes": [{"name": "A", "parent": "A"}]}, "entityTypes.A.parent: 'A'; wanted: a type that does not"),
        ({"lints": [lint(appliesTo="Concpet")]}, "lints.cited.appliesTo: 'Concpet'; wanted: an entity type"),
        ({"queryHints": {"scopeTo": ["Deal"]}}, "queryHints.scopeTo: 'Deal'; wanted: entity types"),
    ],
)
def test_a_type_that_is_not_there_is_told(fields: dict[str, Any], expected: str) -> None:
    found = composed(pair({}, fields))

    assert told(found) == [("knowledge_workspace_invalid", LEAF)]
    assert found.notices[0].message.startswith(expected)


def test_types_that_extend_each_other_in_a_ring_are_told() -> None:
    ring = [{"name": "A", "parent": "B"}, {"name": "B", "parent": "C"}, {"name": "C", "parent": "A"}]

    found = composed(pair({"entityTypes": ring[:2]}, {"entityTypes": [*ring[2:], {"name": "D", "parent": "A"}]}))

    assert [notice.message.partition(":")[0] for notice in found.notices] == [
        f"entityTypes.{name}.parent" for name in ("A", "B", "C")
    ]
    assert [at for _, at in told(found)] == [ROOT, ROOT, LEAF]


def test_a_type_of_a_parent_is_there_and_so_are_the_kinds_of_pages() -> None:
    child = {"entityTypes": [{"name": "Investor", "parent": "Person"}], "queryHints": {"scopeTo": ["Concept"]}}

    assert told(composed(pair({"entityTypes": [{"name": "Person", "parent": "Entity"}]}, child))) == []
