"""AIP-10, "Cross-AIP refs", and the layers of views that a later draft added."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support import standard
from support.lints import page, plant
from support.manifests import lint
from support.standard import curate, effective, head, lab, manifest, warned
from support.wikis import git

root = standard.root

CONSTRAINT = {"layer": {"mode": "constraint"}}
BASE = {"extends": "../wiki/KNOWLEDGE.md"}


# -- what a manifest names -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ref", ["ws://operators/sales", "ws://companies/sales", "ws://skills/sales", "../sales"])
def test_a_view_for_nobody_is_refused(tmp_path: Path, ref: str) -> None:
    """Cross-AIP refs: “Hosts MUST refuse a view whose appliesTo references a non-existent consumer
    (knowledge_appliesto_unresolvable).”
    """
    manifest(tmp_path / "wiki")
    view = manifest(tmp_path / "lab", **BASE, appliesTo=[ref])

    said = effective(view)
    assert (said.status, said.codes, said["effective"], said["chain"]) == (
        1,
        ["knowledge_appliesto_unresolvable"],
        None,
        [],
    )

    (tmp_path / ref.replace("ws://", "").removeprefix("../")).mkdir(parents=True)
    assert effective(view).status == 0


def test_a_view_for_nobody_is_refused_to_every_command(root: Path) -> None:
    """Cross-AIP refs: “Hosts MUST refuse a view whose appliesTo references a non-existent consumer
    (knowledge_appliesto_unresolvable).”
    """
    plant(root, page("oolong"))
    view = lab(root, appliesTo=["ws://skills/nobody"])
    before = git(root, "rev-parse", "HEAD")

    for act in (("search", "oolong"), ("index",), ("lint",), ("ingest", root / "sources")):
        said = curate(root, *act, "--view", view)
        assert (said.status, "nobody" in said["error"]["message"]) == (2, True), act
    assert git(root, "rev-parse", "HEAD") == before


def test_the_consumers_of_a_parent_are_its_own(tmp_path: Path) -> None:
    """Cross-AIP refs: “appliesTo is not inherited. A view binds to its own consumers; a parent's bindings do not
    leak into the child.”
    """
    manifest(tmp_path / "wiki")
    manifest(tmp_path / "mid", **BASE, appliesTo=["ws://skills/nobody"])
    leaf = manifest(tmp_path / "leaf", extends="../mid/KNOWLEDGE.md")

    said = effective(leaf)

    assert (said.status, warned(said)) == (0, [])
    assert "appliesTo" not in said["effective"]


def test_a_policy_is_bound_and_shown(tmp_path: Path) -> None:
    """Cross-AIP refs: “Binds the workspace (or view) to a governance policy. Schema-poisoning mitigations and
    source-mutation audits flow through this ref.”
    """
    manifest(tmp_path / "wiki", governance="policy.yaml", lints=[lint()])
    view = manifest(tmp_path / "lab", **BASE, lints=[lint(severity="warn")])

    said = effective(view)

    assert said["governance"] == str(tmp_path / "wiki" / "policy.yaml")
    assert warned(said) == ["governance:lint_softening_refused"]


def test_the_operator_that_curates_is_named(tmp_path: Path) -> None:
    """Cross-AIP refs: “Names the operator the host should activate when running ingest, curation, or lint passes
    against this workspace.”
    """
    manifest(tmp_path / "wiki", curator="ws://operators/librarian")

    assert effective(manifest(tmp_path / "lab", **BASE))["effective"]["curator"] == "ws://operators/librarian"


# -- layers --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode, severity", [(None, "info"), ("lens", "info"), ("constraint", "error")])
def test_a_constraint_is_never_softened(tmp_path: Path, mode: str | None, severity: str) -> None:
    """Layers: “A view may declare metadata.layer.mode: constraint (default lens): its own lints and entries may be
    added to, never softened, shadowed or removed by a view above it.”
    """
    metadata = {"layer": {"mode": mode}} if mode else {}
    manifest(tmp_path / "wiki", lints=[lint("wide")])
    manifest(tmp_path / "mid", **BASE, lints=[lint()], metadata=metadata)
    leaf = manifest(tmp_path / "leaf", extends="../mid/KNOWLEDGE.md", lints=[lint(severity="info"), lint("more")])

    said = effective(leaf)

    found = {each["id"]: each["severity"] for each in said["effective"]["lints"]}
    assert found == {"wide": "error", "cited": severity, "more": "error"}
    assert warned(said) == ["knowledge_constraint_conflict" if mode == "constraint" else "governance:lint_softened"]


def layers(top: Path, *leaf: str, **wiki: Any) -> Path:
    """A view with these files over a wiki with two pages."""
    manifest(top / "wiki", **wiki)
    view = manifest(top / "lab", **BASE)
    for folder, names in ((top / "wiki", ("a.md", "b.md")), (view, leaf)):
        (folder / "concepts").mkdir(exist_ok=True)
        for name in names:
            (folder / "concepts" / name).write_text("# A page\n")
    return view


@pytest.mark.parametrize(
    "name, code",
    [("a.md", "knowledge_constraint_conflict"), ("a.md.whiteout", "knowledge_tombstone_blocked"), ("c.md", "")],
)
def test_an_entry_of_a_constraint_is_neither_shadowed_nor_removed(tmp_path: Path, name: str, code: str) -> None:
    """Layers: “its own lints and entries may be added to, never softened, shadowed or removed by a view above it”"""
    said = effective(layers(tmp_path, name, metadata=CONSTRAINT))

    assert warned(said) == ([code] if code else [])


def test_a_whiteout_hides_a_page_below(root: Path) -> None:
    """Layers: “A file <page>.md.whiteout in a higher layer hides the page of that path in the layers below it,
    constraints excepted.”
    """
    plant(root, page("oolong"), page("assam"))
    view = lab(root)
    (view / "concepts").mkdir()
    (view / "concepts" / "oolong.md.whiteout").write_text("")

    def seen(*options: object) -> set[str]:
        return {hit["slug"] for hit in curate(root, "search", "oxidised", *options)["hits"]}

    assert seen() >= {"oolong", "assam"}
    assert seen("--view", view) & {"oolong", "assam"} == {"assam"}

    fields = head(root / "KNOWLEDGE.md")
    text = (root / "KNOWLEDGE.md").read_text().replace("metadata:\n", "metadata:\n  layer: {mode: constraint}\n", 1)
    (root / "KNOWLEDGE.md").write_text(text)
    git(root, "commit", "-qam", "a constraint")
    assert "layer" not in fields["metadata"] and seen("--view", view) >= {"oolong", "assam"}


def test_a_dimension_that_is_not_here_makes_a_view_inert(tmp_path: Path) -> None:
    """Layers: “appliesTo also takes dimension refs (region/fr): one the host does not resolve makes the view inert,
    a malformed one is refused.”
    """
    manifest(tmp_path / "wiki", curation={"tone": "plain"})
    view = manifest(tmp_path / "lab", **BASE, appliesTo=["region/fr"], curation={"tone": "gallic"})

    away = effective(view, "--dimension", "region/de")
    assert (away.status, warned(away), away["effective"]["curation"]) == (
        0,
        ["knowledge_view_inert"],
        {"tone": "plain"},
    )
    here = effective(view, "--dimension", "region/fr")
    assert (warned(here), here["effective"]["curation"]) == ([], {"tone": "gallic"})

    manifest(view, **BASE, appliesTo=["Region/fr"])
    assert effective(view).codes == ["knowledge_workspace_invalid"]


# -- broken chains -------------------------------------------------------------------------------------------------


def test_a_broken_chain_is_no_chain_and_says_what_is_left_out(tmp_path: Path) -> None:
    """Broken chains: “curator follows the seed and says in the warning what was left out.”"""
    manifest(tmp_path / "mid", extends="../gone/KNOWLEDGE.md", metadata=CONSTRAINT, lints=[lint()])
    leaf = manifest(tmp_path / "leaf", extends="../mid/KNOWLEDGE.md", curation={"tone": "dry"})

    said = effective(leaf)

    assert [link["name"] for link in said["chain"]] == ["leaf"]
    assert "lints" not in said["effective"]
    (warning,) = said["warnings"]
    assert warning["code"] == "knowledge_extends_missing"
    assert str(tmp_path / "mid" / "KNOWLEDGE.md") in warning["message"] and "a constraint" in warning["message"]
