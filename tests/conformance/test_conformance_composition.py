"""AIP-10, "Composition semantics" and the two modes: the chain, where it breaks, the merge table row by row."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from support import standard
from support.lints import page, plant
from support.manifests import lint
from support.standard import curate, effective, lab, manifest, warned
from support.wikis import git

root = standard.root

TO_ROOT = "../wiki/KNOWLEDGE.md"


def ladder(top: Path, count: int, **root: Any) -> list[Path]:
    """``count`` manifests in plain folders, the root first, each the next one's parent."""
    views = [manifest(top / f"m{at}", extends=f"../m{at - 1}/KNOWLEDGE.md") for at in range(2, count + 1)]
    return [manifest(top / "m1", **root), *views]


def merged(top: Path, field: str, parent: Any, child: Any) -> Any:
    """What ``field`` comes to in a view that says ``child`` of a wiki that says ``parent``; None: it says nothing."""
    manifest(top / "wiki", **({} if parent is None else {field: parent}))
    leaf = manifest(top / "leaf", extends=TO_ROOT, **({} if child is None else {field: child}))
    said = effective(leaf)
    assert said.status == 0
    return said["effective"].get(field)


# -- the chain -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_parents_are_walked_up_to_the_root(tmp_path: Path, count: int) -> None:
    """Composition semantics: “it MUST: - Walk the parent chain. Recursively load the parent referenced by extends:,
    then that parent's parent, until a manifest with no extends is reached (the workspace root).”
    """
    folders = ladder(tmp_path, count, curation={"tone": "of the root"})

    said = effective(folders[-1])

    assert [link["path"] for link in said["chain"]] == [str(folder / "KNOWLEDGE.md") for folder in folders]
    assert said["effective"]["curation"] == {"tone": "of the root"}


def test_eight_are_a_chain_and_nine_are_too_many(tmp_path: Path) -> None:
    """Composition semantics: “Maximum chain depth is eight.”"""
    folders = ladder(tmp_path, 9, curation={"tone": "of the root"})

    eighth = effective(folders[7])
    assert (len(eighth["chain"]), warned(eighth)) == (8, [])
    assert warned(effective(folders[8])) == ["knowledge_extends_depth_exceeded"]


@pytest.mark.parametrize(
    "spelling", ["../m1/KNOWLEDGE.md", "../m2/.././m1/KNOWLEDGE.md", "../../{top}/m1/KNOWLEDGE.md"]
)
def test_a_cycle_is_seen_however_the_path_is_spelt(tmp_path: Path, spelling: str) -> None:
    """Composition semantics: “Hosts MUST detect cycles by tracking visited absolute paths.”"""
    manifest(tmp_path / "m2", extends=spelling.format(top=tmp_path.name))
    leaf = manifest(tmp_path / "m1", extends="../m2/KNOWLEDGE.md")

    assert warned(effective(leaf)) == ["knowledge_extends_cycle"]


def test_a_cycle_and_a_chain_too_deep_are_warnings(tmp_path: Path) -> None:
    """Composition semantics: “Treat both depth overflow and cycle detection as warnings, not errors.”"""
    ring = manifest(tmp_path / "ring", extends="../ring/KNOWLEDGE.md")
    deep = ladder(tmp_path, 9)[-1]

    for leaf, code in ((ring, "knowledge_extends_cycle"), (deep, "knowledge_extends_depth_exceeded")):
        said = effective(leaf)
        assert (said.status, said["ok"], said["findings"], warned(said)) == (0, True, [], [code])


def test_a_view_with_a_malformed_chain_loads_from_its_own_file_alone(tmp_path: Path) -> None:
    """Composition semantics: “A view whose chain is malformed MUST still load — the runtime falls back to the local
    manifest only and surfaces a knowledge_extends_cycle (or knowledge_extends_depth_exceeded) warning to the
    consumer's debug surface.”
    """
    manifest(tmp_path / "m1", extends="../m2/KNOWLEDGE.md", curation={"depth": "deep"})
    manifest(tmp_path / "m2", extends="../m1/KNOWLEDGE.md", display={"defaultGrouping": "tag"})
    leaf = manifest(tmp_path / "leaf", extends="../m2/KNOWLEDGE.md", curation={"tone": "dry"})

    said = effective(leaf)

    assert warned(said) == ["knowledge_extends_cycle"]
    assert [link["path"] for link in said["chain"]] == [str(leaf / "KNOWLEDGE.md")]
    assert said["effective"]["curation"] == {"tone": "dry"}
    assert "display" not in said["effective"]


def test_a_broken_view_works_and_warns_where_it_is_used(root: Path) -> None:
    """Composition semantics: “surfaces a knowledge_extends_cycle (or knowledge_extends_depth_exceeded) warning to
    the consumer's debug surface”
    """
    plant(root, page("oolong"), page("tea-house", kind="entity"))
    view = manifest(root.parent / "lab", extends="../lab/KNOWLEDGE.md", queryHints={"scopeTo": ["Entity"]})

    said = curate(root, "search", "tea", "--view", view)

    assert warned(said) == ["knowledge_extends_cycle"]
    assert [hit["slug"] for hit in said["hits"]] == ["tea-house"]


def test_a_missing_parent_is_tolerated(tmp_path: Path) -> None:
    """Composition semantics: “Tolerate a missing parent. If extends: points to a path that does not exist, the
    runtime emits knowledge_extends_missing as a warning and uses the local manifest only. View activation does not
    abort.”
    """
    leaf = manifest(tmp_path / "leaf", extends="../gone/KNOWLEDGE.md", curation={"tone": "dry"})

    said = effective(leaf)

    assert (said.status, warned(said)) == (0, ["knowledge_extends_missing"])
    assert said["effective"]["curation"] == {"tone": "dry"}
    assert [link["name"] for link in said["chain"]] == ["leaf"]


def test_the_merge_goes_from_the_root_to_the_leaf(tmp_path: Path) -> None:
    """Composition semantics: “Merge bottom-up. Walk the chain from the workspace root toward the leaf view, merging
    each manifest into the accumulator using the strategy below.”
    """
    manifest(tmp_path / "m1", metadata={"v": {"a": 1}}, curation={"tone": "one", "depth": "shallow", "autoLink": "off"})
    manifest(
        tmp_path / "m2", extends="../m1/KNOWLEDGE.md", metadata={"v": "none"}, curation={"tone": "two", "depth": "deep"}
    )
    leaf = manifest(tmp_path / "m3", extends="../m2/KNOWLEDGE.md", metadata={"v": {"b": 2}}, curation={"tone": "three"})

    found = effective(leaf)["effective"]

    assert found["curation"] == {"tone": "three", "depth": "deep", "autoLink": "off"}
    assert found["metadata"] == {"v": {"b": 2}}  # merged from the leaf on, it were {"a": 1, "b": 2}


def test_the_effective_manifest_and_its_chain_are_told(tmp_path: Path) -> None:
    """Composition semantics: “The runtime MUST expose both the merged effective config AND the resolution chain
    (ordered list of absolute paths consumed during merge).”
    """
    folders = ladder(tmp_path, 3, sources={"retention": "days:30"})

    said = effective(folders[-1])

    assert said["effective"]["sources"] == {"retention": "days:30"}
    assert [(link["path"], Path(link["path"]).is_absolute()) for link in said["chain"]] == [
        (str(tmp_path / f"m{at}" / "KNOWLEDGE.md"), True) for at in (1, 2, 3)
    ]


def test_the_chain_explains_a_value(tmp_path: Path) -> None:
    """Composition semantics: “Consumers use the merged config; tooling uses the chain to explain why a field has
    the value it does.”
    """
    root, mid, leaf = ladder(tmp_path, 3, curation={"tone": "plain", "depth": "deep"})
    manifest(mid, extends="../m1/KNOWLEDGE.md", curation={"tone": "dry"})

    said = effective(leaf, "--explain", "curation")

    told = {(each["field"], each["at"]): each["standing"] for each in said["explain"]}
    assert told == {
        ("curation.tone", str(root / "KNOWLEDGE.md")): "overridden",
        ("curation.depth", str(root / "KNOWLEDGE.md")): "holds",
        ("curation.tone", str(mid / "KNOWLEDGE.md")): "holds",
    }


def test_the_commands_go_by_what_the_chain_comes_to(root: Path) -> None:
    """Specification: “The runtime resolves the chain on load and exposes the merged effective config to the
    consumer.”
    """
    plant(root, page("oolong"), page("tea-house", kind="entity"))
    mid = manifest(root.parent / "mid", extends="../wiki/KNOWLEDGE.md", queryHints={"scopeTo": ["Entity"]})
    view = manifest(root.parent / "lab", extends="../mid/KNOWLEDGE.md", display={"defaultGrouping": "source"})

    found = curate(root, "index", "--view", view)

    assert (found["grouping"], found["scope"]) == ("source", ["Entity"])
    assert [each["slug"] for each in found["pages"]] == ["tea-house"]
    assert effective(mid)["effective"]["queryHints"] == {"scopeTo": ["Entity"]}


def test_a_view_extends_a_root_or_a_view_and_is_bound_to_consumers(tmp_path: Path) -> None:
    """Specification: “A view's extends: field points to a parent KNOWLEDGE.md (workspace root OR another view), and
    appliesTo: binds the view to one or more operator/company/skill workspace refs.”
    """
    folders = ladder(tmp_path, 3)
    bound = [f"ws://{kind}/sales" for kind in ("operators", "companies", "skills")]
    for kind in ("operators", "companies", "skills"):
        (tmp_path / kind / "sales").mkdir(parents=True)
    manifest(folders[2], extends="../m2/KNOWLEDGE.md", appliesTo=bound)

    said = effective(folders[2])

    assert [link["mode"] for link in said["chain"]] == ["root", "view", "view"]
    assert (said.status, said["effective"]["appliesTo"]) == (0, bound)


# -- the merge table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["title", "description", "version"])
def test_the_childs_identity_wins_and_both_are_told(tmp_path: Path, field: str) -> None:
    """Composition semantics: “name, title, description, version | override | Child's identity wins; the runtime
    exposes both.”
    """
    manifest(tmp_path / "wiki", **{field: "1.2.3"})
    leaf = manifest(tmp_path / "leaf", extends=TO_ROOT, **{field: "4.5.6"})

    said = effective(leaf)

    assert (said["effective"]["name"], said["effective"][field]) == ("leaf", "4.5.6")
    assert [(link["name"], link[field]) for link in said["chain"]] == [("wiki", "1.2.3"), ("leaf", "4.5.6")]


def test_extends_is_not_inherited(tmp_path: Path) -> None:
    """Composition semantics: “extends | not inherited | Local-only field.”"""
    leaf = ladder(tmp_path, 3)[-1]

    said = effective(leaf, "--explain", "extends")

    assert said["effective"]["extends"] == "../m2/KNOWLEDGE.md"
    assert [(each["value"], each["standing"]) for each in said["explain"]] == [
        ("../m1/KNOWLEDGE.md", "not inherited"),
        ("../m2/KNOWLEDGE.md", "holds"),
    ]


def test_applies_to_is_not_inherited(tmp_path: Path) -> None:
    """Composition semantics: “appliesTo | not inherited | Local-only binding.”"""
    _, mid, leaf = ladder(tmp_path, 3)
    manifest(mid, extends="../m1/KNOWLEDGE.md", appliesTo=["../m1"])

    assert effective(mid)["effective"]["appliesTo"] == ["../m1"]
    assert "appliesTo" not in effective(leaf)["effective"]


@pytest.mark.parametrize(
    "field, old, new", [("curator", "ws://operators/a", "ws://operators/b"), ("governance", None, "p.yaml")]
)
def test_curator_and_governance_can_be_rebound(tmp_path: Path, field: str, old: str | None, new: str) -> None:
    """Composition semantics: “curator, governance | override | Child can rebind.”"""
    assert merged(tmp_path, field, old, new) == new
    assert merged(tmp_path, field, new, None) == new


def test_entity_types_are_merged_by_name(tmp_path: Path) -> None:
    """Composition semantics: “entityTypes | merge-by-name | A child entry with the same name replaces the parent's;
    new names are appended. Subtyping is explicit via parent:.”
    """
    parent = [{"name": "Person", "icon": "P", "description": "A human."}, {"name": "Deal", "icon": "D"}]
    child = [{"name": "Offer", "parent": "Deal"}, {"name": "Person", "icon": "Q"}]

    assert merged(tmp_path, "entityTypes", parent, child) == [
        {"name": "Person", "icon": "Q"},
        {"name": "Deal", "icon": "D"},
        {"name": "Offer", "parent": "Deal"},
    ]


def test_fields_of_an_entity_type_are_a_union(tmp_path: Path) -> None:
    """Composition semantics: “entityTypes[].fields | union | Child fields are appended to parent's; duplicates
    collapsed.”
    """
    parent, child = [{"name": "Person", "fields": ["name", "role"]}], [{"name": "Person", "fields": ["role", "site"]}]

    assert merged(tmp_path, "entityTypes", parent, child) == [{"name": "Person", "fields": ["name", "role", "site"]}]


def test_lints_are_merged_by_id(tmp_path: Path) -> None:
    """Composition semantics: “lints | merge-by-id | Child lint with same id replaces parent's; new ids are
    appended.”
    """
    parent = [lint("old", kind="max-age", params={"days": 90, "a": 1}), lint("cited", severity="warn")]
    child = [lint("new"), lint("cited", kind="require-source", severity="error", params={})]

    assert merged(tmp_path, "lints", parent, child) == [parent[0], child[1], child[0]]


LEAVES: dict[str, dict[str, tuple[Any, Any]]] = {
    "sources": {
        "retention": ("forever", "days:9"),
        "signing": ("none", "required"),
        "hashAlgo": ("sha256", "sha512"),
        "authorityDefault": ("rumour", "primary"),
    },
    "curation": {
        "tone": ("dry", "warm"),
        "depth": ("shallow", "deep"),
        "autoLink": ("off", "manual"),
        "conflictResolution": ("recency", "defer"),
        "newEntryThreshold": ("twice", "once"),
    },
    "queryHints": {
        "preferRecent": (True, False),
        "preferAuthoritative": (False, True),
        "scopeTo": (["Concept", "Entity"], ["Summary"]),
    },
    "display": {"homePage": ("home", "start"), "defaultGrouping": ("kind", "tag")},
}


def overrides_leaf_by_leaf(top: Path, field: str) -> None:
    """Each leaf is overridden alone, and what the child leaves out stays."""
    old = {leaf: values[0] for leaf, values in LEAVES[field].items()}
    for leaf, (_, new) in LEAVES[field].items():
        assert merged(top, field, old, {leaf: new}) == {**old, leaf: new}
    assert merged(top, field, old, {}) == old
    assert merged(top, field, None, old) == old


def test_sources_override_leaf_by_leaf(tmp_path: Path) -> None:
    """Composition semantics: “sources.* | override per leaf field | retention, signing, hashAlgo, authorityDefault
    each independently override.”
    """
    overrides_leaf_by_leaf(tmp_path, "sources")


def test_curation_overrides_leaf_by_leaf(tmp_path: Path) -> None:
    """Composition semantics: “curation.* | override per leaf field | Same shape as sources.”"""
    overrides_leaf_by_leaf(tmp_path, "curation")


def test_query_hints_override_leaf_by_leaf_and_the_scope_wholesale(tmp_path: Path) -> None:
    """Composition semantics: “queryHints.* | override per leaf field | scopeTo is replaced wholesale by child if
    present.”
    """
    overrides_leaf_by_leaf(tmp_path, "queryHints")
    assert merged(tmp_path, "queryHints", {"scopeTo": ["Concept", "Entity"]}, {"scopeTo": []}) == {"scopeTo": []}


def test_display_overrides_leaf_by_leaf(tmp_path: Path) -> None:
    """Composition semantics: “display.* | override per leaf field |”"""
    overrides_leaf_by_leaf(tmp_path, "display")


def test_metadata_is_merged_deep(tmp_path: Path) -> None:
    """Composition semantics: “metadata | deep-merge | Recursive merge; vendor namespaces accumulate.”"""
    parent = {"guilde": {"a": 1, "b": {"c": 2, "d": [1, 2]}}, "old": True}
    child = {"guilde": {"b": {"d": [3], "e": "new"}}, "simone": {"x": 1}}

    assert merged(tmp_path, "metadata", parent, child) == {
        "guilde": {"a": 1, "b": {"c": 2, "d": [3], "e": "new"}},
        "old": True,
        "simone": {"x": 1},
    }


# -- two modes of one doctype --------------------------------------------------------------------------------------


def test_the_file_is_called_alike_in_both_modes(tmp_path: Path) -> None:
    """Workspace mode vs view mode — composability table: “File path | <wiki>/KNOWLEDGE.md | <consumer>/KNOWLEDGE.md
    |”
    """
    root, view = ladder(tmp_path, 2)

    for folder in (root, view):
        assert effective(folder)["chain"][-1]["path"] == str(folder / "KNOWLEDGE.md")
        (folder / "KNOWLEDGE.md").rename(folder / "VIEW.md")
        assert effective(folder).error == "schema_missing"


def test_extends_alone_tells_a_view_from_a_root(tmp_path: Path) -> None:
    """Workspace mode vs view mode — composability table: “absent | required (otherwise it's a workspace, not a
    view) |”
    """
    root, view = ladder(tmp_path, 2)

    assert [link["mode"] for link in effective(view)["chain"]] == ["root", "view"]
    assert [link["mode"] for link in effective(root)["chain"]] == ["root"]
    assert "extends" not in effective(root)["effective"]


def test_a_root_has_no_consumers_and_a_view_may_have_none(tmp_path: Path) -> None:
    """Workspace mode vs view mode — composability table: “absent (a workspace has no single consumer) | OPTIONAL
    but conventional |”
    """
    root, view = ladder(tmp_path, 2)
    assert effective(view).status == 0

    manifest(root, appliesTo=["../m2"])

    said = effective(root)
    assert (said.status, said.codes) == (1, ["knowledge_workspace_invalid"])
    assert said["findings"][0]["message"].startswith("appliesTo: ")


def test_a_root_holds_as_written_and_a_view_as_merged(tmp_path: Path) -> None:
    """Workspace mode vs view mode — composability table: “the manifest as written | merge of the chain, child wins
    |”
    """
    fields = {"curation": {"tone": "plain", "depth": "deep"}, "metadata": {"v": [1]}}
    root, view = ladder(tmp_path, 2, **fields)
    manifest(view, extends="../m1/KNOWLEDGE.md", curation={"tone": "dry"})

    assert {name: effective(root)["effective"][name] for name in fields} == fields
    assert effective(view)["effective"]["curation"] == {"tone": "dry", "depth": "deep"}


def test_a_view_adapts_the_lens_and_leaves_the_wiki_alone(root: Path) -> None:
    """Workspace mode vs view mode — composability table: “edits gated by governance | local edits adapt the lens,
    do not affect the workspace |”
    """
    plant(root, page("oolong"))
    before = git(root, "rev-parse", "HEAD"), effective(root)["effective"], (root / "_index.md").read_bytes()
    view = lab(root, display={"defaultGrouping": "source"}, curation={"tone": "gallic"})

    assert curate(root, "index", "--view", view)["grouping"] == "source"
    assert (git(root, "rev-parse", "HEAD"), effective(root)["effective"], (root / "_index.md").read_bytes()) == before
    assert curate(root, "index")["grouping"] == "kind"


def test_a_root_is_checked_by_its_shape_and_a_view_by_its_chain_too(root: Path) -> None:
    """Workspace mode vs view mode — composability table: “full schema check | schema check + chain validation |”"""
    view = manifest(root.parent / "lab", extends="../gone/KNOWLEDGE.md")

    chain = curate(None, "validate", view)
    assert (chain.status, chain.codes) == (1, ["knowledge_extends_missing"])
    assert curate(None, "validate", root).status == 0

    for folder, fields in ((view, {"extends": os.path.relpath(root / "KNOWLEDGE.md", view)}), (root, {})):
        manifest(folder, version="one", **fields)
        git(root, "commit", "-qam", "by hand", "--allow-empty")
        shape = curate(None, "validate", folder)
        assert (shape.status, shape.codes, shape["findings"][0]["field"]) == (
            1,
            ["knowledge_workspace_invalid"],
            "version",
        )


def test_each_is_versioned_with_its_owner(tmp_path: Path) -> None:
    """Workspace mode vs view mode — composability table: “versioned with the wiki | versioned with the consumer |”"""
    for name, fields in (("wiki", {}), ("lab", {"extends": TO_ROOT})):
        folder = manifest(tmp_path / name, curation={"tone" if name == "wiki" else "depth": "shallow"}, **fields)
        git(folder, "init", "-q")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "one")
    # An edit of either is in force when its own owner has committed it.
    manifest(tmp_path / "wiki", curation={"tone": "deep"})
    manifest(tmp_path / "lab", extends=TO_ROOT, curation={"depth": "deep"})
    assert effective(tmp_path / "lab")["effective"]["curation"] == {"tone": "shallow", "depth": "shallow"}

    git(tmp_path / "lab", "commit", "-qam", "two")
    assert effective(tmp_path / "lab")["effective"]["curation"] == {"tone": "shallow", "depth": "deep"}
    git(tmp_path / "wiki", "commit", "-qam", "two")
    assert effective(tmp_path / "lab")["effective"]["curation"] == {"tone": "deep", "depth": "deep"}
