"""AIP-10, layer 3 and layer 4: AGENTS.md for people, KNOWLEDGE.md for machines, and which counts where they differ."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from curator.api import validate
from curator.models.proposal import Claim, Dispute
from support import standard
from support.lints import commit, page, plant
from support.places import SAMPLE
from support.standard import SAID, curate, edited, effective, head, ingest, lab, printed
from support.wikis import TEA, concept, git, proposal, summary

root = standard.root


def section(root: Path, title: str) -> str:
    """What AGENTS.md says under a heading."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", (root / "AGENTS.md").read_text(), re.DOTALL | re.MULTILINE)
    assert found, f"AGENTS.md has no section {title!r}"
    return " ".join(found[1].split())


# -- layer 3 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wiki", ["new", "sample"])
def test_both_files_are_shipped(root: Path, wiki: str) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “Conforming wikis SHOULD ship both: KNOWLEDGE.md for runtimes
    and linters to consume programmatically, AGENTS.md for humans to read during onboarding, review, or governance
    approval.”
    """
    place = root if wiki == "new" else SAMPLE

    assert head(place / "KNOWLEDGE.md")["schema"] == "knowledge.workspace/v1"
    assert (place / "AGENTS.md").read_text().startswith("# ")


def test_a_wiki_without_prose_is_told_that_it_should_have_some(root: Path) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “A RECOMMENDED root file describing, in prose, how the LLM
    should curate the wiki.”
    """
    git(root, "rm", "-q", "AGENTS.md")
    commit(root)

    verdict = validate(root)

    assert verdict.ok
    assert [(each.path, each.severity) for each in verdict.findings] == [("AGENTS.md", "info")]


def test_the_prose_tells_the_conventions_of_pages(root: Path) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “Page conventions — required frontmatter, naming, allowed kinds,
    body structure for each kind.”
    """
    said = section(root, "Page conventions")

    for field in ("schema", "slug", "kind", "title", "sources", "confidence", "updated_at"):
        assert f"`{field}`" in said
    for kind in head(root / "KNOWLEDGE.md")["entityTypes"]:
        assert f"`{kind['name'].lower()}`" in said


def test_the_prose_tells_the_workflow_of_an_ingest(root: Path) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “Ingest workflow — what the LLM does when a new source appears
    in sources/: which pages to read, which pages to update, when to create new pages, how to update _index.md and
    append to _log.md.”
    """
    said = section(root, "Ingest workflow")

    assert all(
        word in said for word in ("source", "pages the source touches", "page of its own", "_index.md", "_log.md")
    )


def test_the_prose_tells_what_becomes_of_contradictions(root: Path) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “Contradiction policy — how to resolve conflicts (recency,
    source authority, observation count) and how to flag unresolved conflicts via contradicts.”
    """
    said = section(root, "Contradiction policy")

    assert head(root / "KNOWLEDGE.md")["curation"]["conflictResolution"] == "recency"
    assert "more recent" in said and "`contradicts`" in said


def test_the_prose_tells_the_lints(root: Path) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “Lint rules — which orphans/stale-claims/missing-concepts the
    LLM should surface during a maintenance pass.”
    """
    said = section(root, "Lint rules")

    words = {"require-source": "without a source", "broken-ref": "broken links", "orphan": "nothing links to"}
    assert all(words[lint["kind"]] in said for lint in head(root / "KNOWLEDGE.md")["lints"])


def test_prose_is_for_display_and_the_manifest_for_behaviour(root: Path) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “A host MAY treat AGENTS.md as the source of truth for
    human-facing display and KNOWLEDGE.md as the source of truth for programmatic behaviour.”
    """
    plant(root, page("oolong", "See [[gone]]."))
    before = curate(root, "lint", "--no-log")["counts"]
    edited(root, "AGENTS.md", ("broken links as errors", "broken links as notes"))

    said = curate(root, "lint", "--no-log")

    assert [each["severity"] for each in said["findings"] if each["code"] == "link_broken"] == ["error"]
    assert said["counts"]["error"] == before["error"]


def test_where_they_disagree_the_manifest_counts(root: Path) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “When the two disagree, runtimes MUST prefer KNOWLEDGE.md”"""
    old = "When sources disagree, the more recent one is current; the older claim stays on the page, marked as earlier."
    prose = (root / "AGENTS.md").read_text()
    assert old in " ".join(prose.split())
    (root / "AGENTS.md").write_text(
        re.sub(r"When sources disagree.*?earlier\.", "The older source is always right.", prose, flags=re.DOTALL)
    )
    commit(root)
    first = Claim(text="Oolong takes 90 degrees.", quotes=("water of 90 degrees",))
    ingest(
        root,
        "2026-01-01-old.txt",
        "Oolong\n\nA pot of oolong is brewed with water of 90 degrees.\n",
        proposal(summary(first, title="Old"), concept(first)),
    )
    second = Claim(text="Oolong takes 80 degrees.", quotes=("water of 80 degrees",))
    dispute = Dispute(op="dispute", page="oolong", passage="Oolong takes 90 degrees.", claim=second)

    ingest(
        root,
        "2026-02-01-new.txt",
        "Oolong\n\nA pot of oolong is brewed with water of 80 degrees.\n",
        proposal(summary(second, title="New"), dispute),
    )

    text = (root / "concepts/oolong.md").read_text()
    assert text.index("80 degrees") < text.index("Earlier: Oolong takes 90 degrees")


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("the more recent one is current", "the one with more authority is current", "conflictResolution: recency"),
        ("broken links as errors", "broken links as warnings", "no-broken-links"),
        ("`comparison` and `timeline`", "`comparison` and `chronicle`", "'chronicle'"),
        ("The tone is plain and factual", "The tone is warm", "tone"),
    ],
)
def test_a_divergence_is_found(root: Path, old: str, new: str, said: str) -> None:
    """Layer 3 — Human-readable schema (AGENTS.md): “linters SHOULD surface the divergence as a wiki_schema_drift
    finding so human authors can re-sync the prose.”
    """
    assert "wiki_schema_drift" not in curate(root, "lint", "--no-log").codes

    edited(root, "AGENTS.md", (old, new))

    drift = [each for each in curate(root, "lint", "--no-log")["findings"] if each["code"] == "wiki_schema_drift"]
    assert drift and all(each["path"] == "AGENTS.md" for each in drift)
    assert any(said in each["message"] for each in drift)


# -- layer 4 -------------------------------------------------------------------------------------------------------


def test_the_manifest_is_validated_merged_and_diffed(root: Path) -> None:
    """Layer 4 — Workspace manifest (KNOWLEDGE.md): “It encodes everything AGENTS.md describes in prose — entity
    types, lint rules, retention, curation policy — into a YAML frontmatter that runtimes can validate, merge, and
    diff.”
    """
    ingest(root, "oolong-notes.txt", TEA, proposal(summary(SAID)))
    assert curate(root, "validate").status == 0
    fields = curate(root, "manifest")["effective"]
    assert {"entityTypes", "lints", "curation"} <= set(fields) and fields["sources"]["retention"] == "forever"

    edited(root, "KNOWLEDGE.md", ("depth: medium", "depth: deep"))

    (change,) = curate(root, "status")["unapproved"]
    assert change["changed"] == ["curation.depth"]
    assert "-  depth: medium\n+  depth: deep\n" in change["diff"]


def test_the_body_of_the_manifest_is_free(root: Path) -> None:
    """Layer 4 — Workspace manifest (KNOWLEDGE.md): “The body of KNOWLEDGE.md remains free-form markdown for any
    prose the manifest author wants to ship inline.”
    """
    before = curate(root, "manifest")["effective"]
    text = (root / "KNOWLEDGE.md").read_text()
    prose = "\n---\n\nlints: []\n\n```yaml\nname: other\n```\n\n<b>Anything</b> at all, [[gone]].\n"
    (root / "KNOWLEDGE.md").write_text(text + prose)
    commit(root)

    assert curate(root, "manifest")["effective"] == before
    assert curate(root, "validate").status == 0
    ingest(root, "oolong-notes.txt", TEA)
    assert (root / "KNOWLEDGE.md").read_text() == text + prose


def test_the_body_has_the_conventional_sections(root: Path) -> None:
    """Frontmatter shape: “Conventional sections in the body include: - ## Purpose — what this workspace is for, who
    uses it - ## Conventions — naming, style, what to avoid - ## When to extend vs replace — composition guidance -
    ## Examples — short snippets of typical entries”
    """
    headings = re.findall(r"^## (.*)$", (root / "KNOWLEDGE.md").read_text(), re.MULTILINE)

    assert headings == ["Purpose", "Conventions", "When to extend vs replace", "Examples"]


def test_the_manifest_of_a_root_extends_nothing(root: Path) -> None:
    """Layer 4 — Workspace manifest (KNOWLEDGE.md): “Workspace-root mode — <wiki>/KNOWLEDGE.md, no extends.”"""
    assert [link["mode"] for link in curate(root, "manifest")["chain"]] == ["root"]
    assert "(root)" in printed(root, "manifest")


def test_a_view_adapts_the_base_by_what_it_extends(root: Path) -> None:
    """Layer 4 — Workspace manifest (KNOWLEDGE.md): “View mode — <consumer>/KNOWLEDGE.md, extends: set to a parent
    KNOWLEDGE.md path.”
    """
    said = effective(lab(root, curation={"tone": "dry"}))

    assert [link["mode"] for link in said["chain"]] == ["root", "view"]
    assert said["effective"]["curation"] == {**head(root / "KNOWLEDGE.md")["curation"], "tone": "dry"}
