"""``extends`` and ``appliesTo``: the chain, where it breaks, and what a view is for (AIP-10, Composition semantics)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.workspace import chain, manifest, refs
from curator.wiki.workspace.effective import Host
from curator.wiki.workspace.manifest import KnowledgeManifest
from support.manifests import LEAF, ROOT, TO_ROOT, composed, pair, refused, text, told
from support.pages import laws


def ladder(count: int) -> dict[str, str]:
    """``count`` manifests, /1 the root, each the next one's parent."""
    parents: list[dict[str, Any]] = [{}, *({"extends": f"../{at}/KNOWLEDGE.md"} for at in range(1, count))]
    return {f"/{at}/KNOWLEDGE.md": text(f"m{at}x", **parent) for at, parent in enumerate(parents, 1)}


def resolve(files: dict[str, str], path: str) -> chain.Chain:
    leaf = manifest.parse(files[path], path)
    assert isinstance(leaf, KnowledgeManifest)
    return chain.resolve(leaf, files.get)


def paths(found: chain.Chain) -> list[str]:
    return [each.path for each in found.manifests]


# -- the chain -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 8])
def test_a_chain_is_consumed_from_the_root_on(count: int) -> None:
    found = resolve(ladder(count), f"/{count}/KNOWLEDGE.md")

    assert paths(found) == [f"/{at}/KNOWLEDGE.md" for at in range(1, count + 1)]
    assert found.notices == ()


def test_a_chain_of_nine_is_too_deep() -> None:
    found = resolve(ladder(9), "/9/KNOWLEDGE.md")

    assert paths(found) == ["/9/KNOWLEDGE.md"]
    (notice,) = found.notices
    assert notice.code == "knowledge_extends_depth_exceeded"
    assert notice.at == "/2/KNOWLEDGE.md"
    assert "/1/KNOWLEDGE.md, which would be manifest 9 of at most 8; /9/KNOWLEDGE.md is used alone" in notice.message
    assert notice.message.endswith("left out: " + ", ".join(f"/{at}/KNOWLEDGE.md" for at in range(8, 1, -1)))


def test_a_ring_of_three_is_a_cycle() -> None:
    files = {**ladder(3), "/1/KNOWLEDGE.md": text("m1x", extends="../3/KNOWLEDGE.md")}

    found = resolve(files, "/3/KNOWLEDGE.md")

    assert paths(found) == ["/3/KNOWLEDGE.md"]
    assert [(notice.code, notice.at) for notice in found.notices] == [("knowledge_extends_cycle", "/1/KNOWLEDGE.md")]
    assert "left out: /2/KNOWLEDGE.md, /1/KNOWLEDGE.md" in found.notices[0].message


def test_a_manifest_that_extends_itself_is_a_cycle() -> None:
    found = resolve({LEAF: text("leaf", extends="./../leaf/KNOWLEDGE.md")}, LEAF)

    assert [notice.code for notice in found.notices] == ["knowledge_extends_cycle"]


def test_a_ring_of_eight_is_a_cycle_not_a_depth() -> None:
    files = {**ladder(8), "/1/KNOWLEDGE.md": text("m1x", extends="../8/KNOWLEDGE.md")}

    assert [notice.code for notice in resolve(files, "/8/KNOWLEDGE.md").notices] == ["knowledge_extends_cycle"]


def test_a_missing_parent_leaves_the_view_alone() -> None:
    found = composed({LEAF: text("leaf", extends="../gone/KNOWLEDGE.md", curation={"tone": "dry"})})

    assert told(found) == [("knowledge_extends_missing", LEAF)]
    assert "/views/gone/KNOWLEDGE.md, which is not there" in found.notices[0].message
    assert found.fields["curation"] == {"tone": "dry"}
    assert [each.path for each in found.manifests] == [LEAF]


def test_a_missing_grandparent_leaves_the_whole_chain_out_and_says_so() -> None:
    files = ladder(3)
    del files["/1/KNOWLEDGE.md"]
    files["/2/KNOWLEDGE.md"] = text("m2x", extends="../1/KNOWLEDGE.md", metadata={"layer": {"mode": "constraint"}})

    found = resolve(files, "/3/KNOWLEDGE.md")

    assert paths(found) == ["/3/KNOWLEDGE.md"]
    assert found.notices[0].code == "knowledge_extends_missing"
    assert found.notices[0].message.endswith("left out: /2/KNOWLEDGE.md (a constraint)")


def test_a_parent_that_is_no_manifest_is_left_out() -> None:
    found = composed({LEAF: text("leaf", extends=TO_ROOT), ROOT: text("root", version="one", tags=[])})

    assert told(found) == [("knowledge_workspace_invalid", LEAF)]
    assert "version: 'one'; wanted: a version like 1.0.0 (and 1 more)" in found.notices[0].message
    assert found.fields["name"] == "leaf"


@laws
@given(st.dictionaries(st.integers(1, 12), st.integers(1, 14), min_size=1))
def test_any_tangle_of_parents_loads(parents: dict[int, int]) -> None:
    files = {f"/{at}/KNOWLEDGE.md": text(f"m{at}x", extends=f"../{to}/KNOWLEDGE.md") for at, to in parents.items()}
    files["/13/KNOWLEDGE.md"] = text("root")
    leaf = f"/{min(parents)}/KNOWLEDGE.md"

    found = resolve(files, leaf)

    assert found.leaf.path == leaf
    assert len(found.manifests) <= chain.MOST
    assert bool(found.notices) == (found.manifests[0].mode == "view")
    assert not found.notices or paths(found) == [leaf]


# -- refs ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written, expected",
    [
        ("ws://operators/research-analyst", refs.Consumer("operators", "research-analyst")),
        ("ws://companies/acme", refs.Consumer("companies", "acme")),
        ("ws://skills/2nd", refs.Consumer("skills", "2nd")),
        ("../analyst", refs.Folder("/views/analyst")),
        ("./x", refs.Folder("/views/leaf/x")),
        ("region/fr", refs.Dimension("region", "fr")),
        ("team/R.and_D", None),
        ("language/de-AT", refs.Dimension("language", "de-AT")),
        ("region", None),
        ("region/fr/paris", None),
        ("ws://robots/x", None),
        ("ws://operators/", None),
        ("ws://operators/A", None),
        ("../a b", None),
        ("../a\\b", None),
        ("../a\x07b", None),
        ("/abs", None),
        ("", None),
    ],
)
def test_a_consumer_is_read(written: str, expected: refs.Ref | None) -> None:
    assert refs.consumer(written, LEAF) == expected


def test_a_path_is_read_from_the_manifests_folder() -> None:
    assert refs.beside(LEAF, TO_ROOT) == ROOT
    assert refs.policy(LEAF, "../../wiki/p.yaml") == refs.policy(ROOT, "p.yaml") == "/wiki/p.yaml"
    assert refs.policy(LEAF, "ws://policies/strict") == "ws://policies/strict"


# -- what a view is for --------------------------------------------------------------------------------------------


def host(*there: refs.Consumer | refs.Folder, dimensions: tuple[str, ...] = ()) -> Host:
    return Host(lambda ref, at: ref in there, frozenset(dimensions))


def test_a_view_for_a_consumer_that_exists_loads() -> None:
    files = pair({}, {"appliesTo": ["ws://skills/sales", "../leaf"]})

    assert told(composed(files, host(refs.Consumer("skills", "sales"), refs.Folder("/views/leaf")))) == []


def test_a_view_for_a_consumer_that_does_not_exist_is_refused() -> None:
    files = pair({}, {"appliesTo": ["ws://skills/sales", "ws://operators/a", "../gone"]})

    found = refused(files, host(refs.Consumer("skills", "sales")))

    assert [(each.code, each.path) for each in found] == [("knowledge_appliesto_unresolvable", LEAF)] * 2
    assert [each.message for each in found] == [
        "appliesTo[1]: 'ws://operators/a'; wanted: a consumer that exists",
        "appliesTo[2]: '../gone'; wanted: a consumer that exists",
    ]


def test_a_consumer_that_does_not_exist_is_a_refusal_even_where_the_chain_is_broken() -> None:
    found = refused({LEAF: text("leaf", extends="../gone/KNOWLEDGE.md", appliesTo=["ws://skills/a"])})

    assert [each.code for each in found] == ["knowledge_appliesto_unresolvable"]


def test_a_malformed_ref_is_refused() -> None:
    (found,) = refused(pair({}, {"appliesTo": ["Region/fr"]}))

    assert found.code == "knowledge_workspace_invalid"
    assert found.message.startswith("appliesTo[0]: 'Region/fr'; wanted: ")


def test_a_parents_consumers_are_its_own_affair() -> None:
    files = {**ladder(3), "/2/KNOWLEDGE.md": text("m2x", extends="../1/KNOWLEDGE.md", appliesTo=["ws://skills/gone"])}

    found = composed(files, host(), "/3/KNOWLEDGE.md")

    assert told(found) == []
    assert "appliesTo" not in found.fields


def test_a_view_for_a_dimension_that_is_here_counts() -> None:
    files = pair({"curation": {"tone": "plain"}}, {"appliesTo": ["region/fr"], "curation": {"tone": "gallic"}})

    found = composed(files, host(dimensions=("region/fr",)))

    assert (found.fields["curation"]["tone"], told(found)) == ("gallic", [])


def test_a_view_for_a_dimension_that_is_not_here_is_inert() -> None:
    files = pair({"curation": {"tone": "plain"}}, {"appliesTo": ["region/fr"], "curation": {"tone": "gallic"}})

    found = composed(files, host(dimensions=("region/de",)))

    assert told(found) == [("knowledge_view_inert", LEAF)]
    assert found.fields["name"] == "root"
    assert found.fields["curation"] == {"tone": "plain"}
    assert [each.path for each in found.manifests] == [ROOT]


def test_an_inert_view_without_parents_comes_to_nothing() -> None:
    found = composed({LEAF: text("leaf", extends="../gone/KNOWLEDGE.md", appliesTo=["region/fr"])})

    assert (found.fields, found.manifests) == ({}, ())
    assert [code for code, _ in told(found)] == ["knowledge_extends_missing", "knowledge_view_inert"]
