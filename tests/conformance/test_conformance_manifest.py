"""AIP-10, "Frontmatter shape": each field of KNOWLEDGE.md, what it may say, what comes of it; vendors' extensions."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from curator.models.proposal import Claim, Dispute
from support import standard
from support.lints import page, plant, with_lints
from support.standard import (
    BREWING,
    SAID,
    curate,
    edited,
    effective,
    events,
    head,
    ingest,
    lab,
    manifest,
    scripted,
    warned,
)
from support.wikis import MORE, NOW, OOLONG, TEA, concept, drop, git, proposal, summary

root = standard.root

BASE = {"extends": "../wiki/KNOWLEDGE.md"}


def wrong(folder: Path, **fields: Any) -> list[str]:
    """The fields that are named when a manifest with ``fields`` is refused."""
    said = effective(manifest(folder, **fields))
    assert said.status == 1 and set(said.codes) <= {"knowledge_workspace_invalid", "schema_missing"}
    return [each["message"].partition(":")[0] for each in said["findings"]]


def right(folder: Path, **fields: Any) -> dict[str, Any]:
    """What a manifest with ``fields`` comes to, without a word against it."""
    said = effective(manifest(folder, **fields))
    assert (said.status, warned(said)) == (0, []), said
    return dict(said["effective"])


def with_field(root: Path, old: str, new: str) -> None:
    """Change KNOWLEDGE.md before the first source comes in, when nobody has to approve it."""
    edited(root, "KNOWLEDGE.md", (old, new))


# -- what it is ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["schema", "title", "description", "version", "name"])
def test_what_is_required_is_missed(tmp_path: Path, field: str) -> None:
    """Frontmatter shape: “schema: knowledge.workspace/v1 name: <kebab-case-id> # required title: <human-readable> #
    required description: <one-paragraph purpose> # required version: <semver> # required, the WORKSPACE version”
    """
    folder = manifest(tmp_path / "wiki")
    text = (folder / "KNOWLEDGE.md").read_text()
    (folder / "KNOWLEDGE.md").write_text(re.sub(rf"^{field}: .*\n", "", text, flags=re.MULTILINE))

    said = effective(folder)

    assert said.status == 1
    assert [each["message"].partition(":")[0] for each in said["findings"]] == [field]


@pytest.mark.parametrize(
    "field, bad, good",
    [
        ("schema", "knowledge.workspace/v2", "knowledge.workspace/v1"),
        ("name", "My Wiki", "my-wiki"),
        ("title", "", "研究 notes: all of them"),
        ("description", "", "One paragraph.\nOf two lines."),
        ("version", "1.0", "1.0.0-rc.1"),
    ],
)
def test_an_identity_has_its_shape(tmp_path: Path, field: str, bad: str, good: str) -> None:
    """Frontmatter shape: “schema: knowledge.workspace/v1 name: <kebab-case-id> # required title: <human-readable> #
    required”
    """
    assert wrong(tmp_path / "wiki", **{field: bad}) == [field]
    assert right(tmp_path / "wiki", **{field: good})[field] == good


def test_nothing_is_taken_in_by_a_manifest_that_is_none(root: Path) -> None:
    """Layer 4 — Workspace manifest (KNOWLEDGE.md): “KNOWLEDGE.md is the canonical, machine-parseable workspace
    manifest.”
    """
    with_field(root, "version: 1.0.0", "version: one")
    before = git(root, "rev-parse", "HEAD")

    said = curate(root, "ingest", drop(root))

    assert (said.status, said.error) == (2, "knowledge_workspace_invalid")
    assert "version: 'one'" in said["error"]["message"]
    assert git(root, "rev-parse", "HEAD") == before


def test_extends_is_optional_and_a_relative_path(tmp_path: Path) -> None:
    """Frontmatter shape: “extends: ../path/to/parent/KNOWLEDGE.md # OPTIONAL — relative path to # parent; recursive
    merge”
    """
    assert "extends" not in right(tmp_path / "wiki")
    for bad in ("/etc/KNOWLEDGE.md", "../wiki", "https://example.org/KNOWLEDGE.md", "../wiki/VIEW.md"):
        assert wrong(tmp_path / "lab", extends=bad) == ["extends"]
    assert right(tmp_path / "lab", **BASE)["extends"] == "../wiki/KNOWLEDGE.md"


def test_applies_to_is_optional_and_names_consumers(tmp_path: Path) -> None:
    """Frontmatter shape: “appliesTo: # OPTIONAL — bind this view to # specific consumers - ws://operators/<slug> #
    AIP-9 operator - ws://companies/<slug> # AIP-6 company - ws://skills/<slug> # AIP-3 skill”
    """
    manifest(tmp_path / "wiki")
    for kind in ("operators", "companies", "skills"):
        (tmp_path / kind / "sales").mkdir(parents=True)
        assert right(tmp_path / "lab", **BASE, appliesTo=[f"ws://{kind}/sales"])["appliesTo"] == [f"ws://{kind}/sales"]
    for bad in ("ws://robots/sales", "ws://skills/", "sales", "https://example.org"):
        assert wrong(tmp_path / "lab", **BASE, appliesTo=[bad]) == ["appliesTo[0]"]


def test_curator_is_optional_and_names_an_operator(tmp_path: Path) -> None:
    """Frontmatter shape: “curator: ws://operators/<slug> # OPTIONAL — AIP-9 operator that # curates this workspace”"""
    assert "curator" not in right(tmp_path / "wiki")
    assert right(tmp_path / "wiki", curator="ws://operators/a")["curator"] == "ws://operators/a"
    assert wrong(tmp_path / "wiki", curator="ws://skills/a") == ["curator"]


def test_governance_is_optional_and_a_path_or_a_ref(tmp_path: Path) -> None:
    """Frontmatter shape: “governance: <path-or-ref> # OPTIONAL — AIP-7 policy or # audit binding”"""
    assert effective(manifest(tmp_path / "wiki"))["governance"] is None
    for written, bound in (("p.yaml", str(tmp_path / "wiki" / "p.yaml")), ("ws://policies/a", "ws://policies/a")):
        assert effective(manifest(tmp_path / "wiki", governance=written))["governance"] == bound


# -- entity types --------------------------------------------------------------------------------------------------


def test_entity_types_have_their_shape(tmp_path: Path) -> None:
    """Frontmatter shape: “entityTypes: # array; merge-by-name vs parent - name: <PascalCase> fields: [<field>, ...]
    # canonical fields”
    """
    good = [{"name": "Investor", "fields": ["lead_partner", "site"]}]
    assert right(tmp_path / "wiki", entityTypes=good)["entityTypes"] == good
    assert wrong(tmp_path / "wiki", entityTypes=[{"name": "investor"}]) == ["entityTypes[0].name"]
    assert wrong(tmp_path / "wiki", entityTypes=[{"name": "A", "fields": "site"}]) == ["entityTypes[0].fields"]


def test_icon_and_description_are_optional_hints(tmp_path: Path) -> None:
    """Frontmatter shape: “icon: <emoji> # OPTIONAL display hint description: <prose> # OPTIONAL”"""
    for good in ([{"name": "A"}], [{"name": "A", "icon": "🧠", "description": "An idea."}]):
        assert right(tmp_path / "wiki", entityTypes=good)["entityTypes"] == good
    assert wrong(tmp_path / "wiki", entityTypes=[{"name": "A", "icon": "a long icon"}]) == ["entityTypes[0].icon"]


def test_a_type_may_extend_another_local_one(root: Path) -> None:
    """Frontmatter shape: “parent: <PascalCase> # OPTIONAL — extends another # local type”"""
    typed = {"metadata": "{curator: {type: TeaHouse}}", "kind": "entity"}
    plant(root, page("hut", confidence="0.2", **typed), page("leaf", confidence="0.2"))
    types = "  - {name: House}\n  - {name: TeaHouse, parent: House}\n"
    with_lints(
        root, "id: sure, kind: min-confidence, appliesTo: House, severity: warn, params: {min: 0.5}", types=types
    )

    low = [each["path"] for each in curate(root, "lint", "--no-log")["findings"] if each["code"] == "confidence_low"]

    assert low == ["entities/hut.md"]
    said = effective(manifest(root.parent / "odd", entityTypes=[{"name": "A", "parent": "B"}]))
    assert "entityTypes.A.parent: 'B'" in said["warnings"][0]["message"]


def test_a_type_demands_its_fields(root: Path) -> None:
    """Rationale: “an entry of type Investor is required to have a lead_partner field”"""
    typed = "{curator: {type: Investor, lead_partner: Ada}}"
    plant(root, page("bank", metadata="{curator: {type: Investor}}"), page("fund", metadata=typed))
    with_lints(root, types="  - {name: Investor, fields: [lead_partner]}\n")

    found = [each for each in curate(root, "lint", "--no-log")["findings"] if each["code"] == "field_missing"]

    assert [each["path"] for each in found] == ["concepts/bank.md"]
    assert "lead_partner" in found[0]["message"]


# -- lints ---------------------------------------------------------------------------------------------------------

LINT = {"id": "a-lint", "kind": "orphan", "appliesTo": "*", "severity": "warn"}


@pytest.mark.parametrize(
    "field, bad", [("id", "A Lint"), ("kind", "spelling"), ("appliesTo", "concept"), ("severity", "fatal")]
)
def test_lints_have_their_shape(tmp_path: Path, field: str, bad: str) -> None:
    """Frontmatter shape: “lints: # array; merge-by-id vs parent - id: <kebab-id> # required, stable kind:
    require-source | max-age | min-confidence | broken-ref | orphan | custom appliesTo: <EntityType> | "*" severity:
    error | warn | info”
    """
    for value in (bad, None):
        assert wrong(tmp_path / "wiki", lints=[{**LINT, field: value}]) == [f"lints[0].{field}"]
    assert wrong(tmp_path / "wiki", lints=[LINT, dict(LINT)]) == ["lints[1].id"]
    assert right(tmp_path / "wiki", lints=[LINT])["lints"] == [LINT]


def test_a_lint_has_params_of_its_kind(tmp_path: Path) -> None:
    """Frontmatter shape: “params: # kind-specific <key>: <value>”"""
    ages = {**LINT, "kind": "max-age", "params": {"days": 90}}
    assert right(tmp_path / "wiki", lints=[ages])["lints"] == [ages]
    for params in ([1], {"days": "soon"}, {"days": -1}):
        assert wrong(tmp_path / "wiki", lints=[{**ages, "params": params}])[0].startswith("lints[0].params")


# -- sources -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "field, bad", [("retention", "days:"), ("signing", "never"), ("hashAlgo", "md5"), ("authorityDefault", "rumor")]
)
def test_sources_have_their_values(tmp_path: Path, field: str, bad: str) -> None:
    """Frontmatter shape: “sources: retention: forever | days:<n> signing: required | optional | none # composes
    with AIP-7 signing hashAlgo: sha256 | sha512 | blake3 authorityDefault: primary | secondary | rumour”
    """
    assert wrong(tmp_path / "wiki", sources={field: bad}) == [f"sources.{field}"]
    for values in (("forever", "required", "sha256", "primary"), ("days:9", "optional", "sha512", "rumour")):
        good = dict(zip(("retention", "signing", "hashAlgo", "authorityDefault"), values, strict=True))
        assert right(tmp_path / "wiki", sources=good)["sources"] == good


def test_retention_says_when_a_source_was_kept_long_enough(root: Path) -> None:
    """Frontmatter shape: “retention: forever | days:<n>”"""
    ingest(root, "oolong-notes.txt", TEA, OOLONG)
    assert curate(root, "sources", now=NOW + timedelta(days=9999))["due"] == []

    with_field(root, "retention: forever", "retention: days:30")

    assert curate(root, "sources", now=NOW + timedelta(days=29))["due"] == []
    (due,) = curate(root, "sources", now=NOW + timedelta(days=31))["due"]
    assert due["source"] == "sources/oolong-notes.txt"


def test_a_source_without_a_signature_is_refused_where_one_is_required(root: Path) -> None:
    """Frontmatter shape: “signing: required | optional | none”"""
    with_field(root, "signing: none", "signing: required")
    before = git(root, "rev-parse", "HEAD")

    assert ingest(root, "oolong-notes.txt", TEA)["status"] == "refused"
    assert git(root, "rev-parse", "HEAD") == before

    with_field(root, "signing: required", "signing: optional")
    assert ingest(root, "oolong-notes.txt", TEA)["status"] == "ingested"


@pytest.mark.parametrize("algorithm, length", [("sha256", 64), ("sha512", 128), ("blake3", 64)])
def test_a_source_is_pinned_by_the_algorithm_that_is_asked_for(root: Path, algorithm: str, length: int) -> None:
    """Frontmatter shape: “hashAlgo: sha256 | sha512 | blake3”"""
    if algorithm == "blake3":
        pytest.importorskip("blake3")
    if algorithm != "sha256":
        with_field(root, "hashAlgo: sha256", f"hashAlgo: {algorithm}")

    ingest(root, "oolong-notes.txt", TEA, OOLONG)

    (record,) = curate(root, "sources")["records"]
    assert re.fullmatch(rf"{algorithm}:[0-9a-f]{{{length}}}", record["content_hash"])
    drop(root, "oolong-notes.txt", TEA + "Another word.\n")
    assert "source_hash_mismatch" in curate(root, "lint", "--no-log").codes


@pytest.mark.parametrize("authority", ["primary", "secondary", "rumour"])
def test_a_source_has_the_default_authority(root: Path, authority: str) -> None:
    """Frontmatter shape: “authorityDefault: primary | secondary | rumour”"""
    if authority != "secondary":
        with_field(root, "authorityDefault: secondary", f"authorityDefault: {authority}")

    ingest(root, "oolong-notes.txt", TEA, OOLONG)

    assert [record["authority"] for record in curate(root, "sources")["records"]] == [authority]
    surest = {"primary": 0.8, "secondary": 0.7, "rumour": 0.4}
    assert head(root / "concepts/oolong.md")["confidence"] == surest[authority]


# -- curation ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "field, bad", [("depth", "abyssal"), ("autoLink", "on"), ("conflictResolution", "fight"), ("tone", ["dry"])]
)
def test_curation_has_its_values(tmp_path: Path, field: str, bad: Any) -> None:
    """Frontmatter shape: “curation: tone: <free-form> # e.g. "academic", "sales" depth: shallow | medium | deep
    autoLink: byName | manual | off conflictResolution: defer | recency | authority | observation-count | keep-both
    newEntryThreshold: <prose> # when to promote a mention to # a full entry”
    """
    assert wrong(tmp_path / "wiki", curation={field: bad}) == [f"curation.{field}"]
    good = {"tone": "sales, with a smile", "depth": "deep", "autoLink": "off", "newEntryThreshold": "Three mentions."}
    assert right(tmp_path / "wiki", curation=good)["curation"] == good


def test_tone_depth_and_threshold_are_told_to_the_model(root: Path) -> None:
    """Frontmatter shape: “curation: tone: <free-form> # e.g. "academic", "sales" depth: shallow | medium | deep”"""
    with_field(root, "tone: plain and factual", "tone: like a sea shanty")
    with_field(root, "depth: medium", "depth: shallow")
    text = (root / "KNOWLEDGE.md").read_text()
    (root / "KNOWLEDGE.md").write_text(re.sub(r"newEntryThreshold: .*", "newEntryThreshold: Nine mentions.", text))
    git(root, "commit", "-qam", "threshold")

    with scripted(OOLONG) as model:
        curate(root, "ingest", drop(root))

    policy = model.requests[0].policy
    assert (policy.tone, policy.depth, policy.new_entry_threshold) == ("like a sea shanty", "shallow", "Nine mentions.")


@pytest.mark.parametrize("mode", ["byName", "manual", "off"])
def test_links_are_made_as_auto_link_says(root: Path, mode: str) -> None:
    """Frontmatter shape: “autoLink: byName | manual | off”"""
    if mode != "byName":
        with_field(root, "autoLink: byName", f"autoLink: {mode}")
    ingest(root, "oolong-notes.txt", TEA, OOLONG)
    plain = Claim(text="The leaves of oolong give five brews.", quotes=("Oolong can be brewed five times",))
    linked = Claim(
        text="The same leaves of [[oolong]] serve five times.", quotes=("brewed five times from the same leaves",)
    )

    ingest(root, "more.txt", TEA + BREWING, proposal(summary(plain, linked, title="Brewing")))

    text = (root / "summaries/more.md").read_text()
    assert ("The leaves of [[oolong]] give" in text) == (mode == "byName")
    assert "leaves of [[oolong]] serve" in text  # what a curator writes by itself is nobody's automatism


OLD, NEW = (
    "A pot of oolong is brewed with water of 90 degrees.\n",
    "A pot of oolong is brewed with water of 80 degrees.\n",
)
NINETY = Claim(text="Oolong takes 90 degrees.", quotes=("water of 90 degrees",))
EIGHTY = Claim(text="Oolong takes 80 degrees.", quotes=("water of 80 degrees",))
RESOLVED = {
    "recency": "80 degrees. [^b-new-1]\n\nEarlier: Oolong takes 90",
    "authority": "80 degrees. [^b-new-1]\n\nEarlier: Oolong takes 90",
    "observation-count": "90 degrees. [^a-old-1]\n\nSources disagree; another says: Oolong takes 80",
    "defer": "90 degrees. [^a-old-1]\n\nSources disagree; another says: Oolong takes 80",
    "keep-both": "90 degrees. [^a-old-1]\n\nSources disagree; another says: Oolong takes 80",
}


@pytest.mark.parametrize("resolution", RESOLVED)
def test_disputes_are_settled_as_the_manifest_says(root: Path, resolution: str) -> None:
    """Frontmatter shape: “conflictResolution: defer | recency | authority | observation-count | keep-both”"""
    if resolution != "recency":
        with_field(root, "conflictResolution: recency", f"conflictResolution: {resolution}")
    dispute = Dispute(op="dispute", page="oolong", passage="Oolong takes 90 degrees.", claim=EIGHTY)
    ingest(root, "a-old.txt", f"Date: 2020-01-01\n{OLD}", proposal(summary(NINETY, title="Old"), concept(NINETY)))

    ingest(
        root,
        "b-new.txt",
        f"Date: 2026-01-01\n{NEW}",
        proposal(summary(EIGHTY, title="New"), dispute),
        options=("--authority", "primary"),
    )

    text = (root / "concepts/oolong.md").read_text()
    assert RESOLVED[resolution] in text
    settled = resolution in ("recency", "authority")
    assert head(root / "concepts/oolong.md").get("contradicts") == (None if settled else ["b-new"])


# -- query hints and display ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("field, bad", [("preferRecent", "yes"), ("preferAuthoritative", 1), ("scopeTo", ["concept"])])
def test_query_hints_have_their_values(tmp_path: Path, field: str, bad: Any) -> None:
    """Frontmatter shape: “queryHints: preferRecent: true | false preferAuthoritative: true | false scopeTo:
    [<EntityType>, ...] # OPTIONAL — narrow query default”
    """
    assert wrong(tmp_path / "wiki", queryHints={field: bad})[0].startswith(f"queryHints.{field}")


def slugs(root: Path, words: str, *options: object) -> list[str]:
    return [hit["slug"] for hit in curate(root, "search", words, *options)["hits"]]


def test_the_recent_are_preferred(root: Path) -> None:
    """Frontmatter shape: “preferRecent: true | false”"""
    plant(root, page("tea-a", updated_at="2020-01-01T00:00:00Z"), page("tea-b", updated_at="2026-01-01T00:00:00Z"))

    for wish, order in ((False, ["tea-a", "tea-b"]), (True, ["tea-b", "tea-a"])):
        assert slugs(root, "tea oxidised", "--view", lab(root, queryHints={"preferRecent": wish}))[:2] == order


def test_the_authoritative_are_preferred(root: Path) -> None:
    """Frontmatter shape: “preferAuthoritative: true | false”"""
    ingest(root, "rumour.txt", TEA, proposal(summary(SAID, title="Notes a")), options=("--authority", "rumour"))
    ingest(root, "zlaw.txt", TEA + "\n", proposal(summary(SAID, title="Notes b")), options=("--authority", "primary"))

    for wish, order in ((False, ["rumour", "zlaw"]), (True, ["zlaw", "rumour"])):
        assert slugs(root, "fujian", "--view", lab(root, queryHints={"preferAuthoritative": wish})) == order


def test_the_scope_narrows_what_is_found(root: Path) -> None:
    """Frontmatter shape: “scopeTo: [<EntityType>, ...] # OPTIONAL — narrow query default”"""
    plant(root, page("tea-house", kind="entity"), page("tea-leaf"))
    view = lab(root, queryHints={"scopeTo": ["Entity"]})

    assert slugs(root, "tea", "--view", view) == ["tea-house"]
    assert {"tea-house", "tea-leaf"} <= {*slugs(root, "tea", "--view", view, "--all")}
    assert {"tea-house", "tea-leaf"} <= {*slugs(root, "tea")}


def test_display_has_its_values(tmp_path: Path) -> None:
    """Frontmatter shape: “display: homePage: <slug> # OPTIONAL — landing entry defaultGrouping: kind | tag |
    source”
    """
    assert wrong(tmp_path / "wiki", display={"homePage": "My Home"}) == ["display.homePage"]
    assert wrong(tmp_path / "wiki", display={"defaultGrouping": "colour"}) == ["display.defaultGrouping"]


def test_the_home_page_comes_first(root: Path) -> None:
    """Frontmatter shape: “homePage: <slug> # OPTIONAL — landing entry”"""
    plant(root, page("oolong"), page("assam"))

    assert curate(root, "index")["home"] is None
    assert curate(root, "index", "--view", lab(root, display={"homePage": "oolong"}))["home"] == "oolong"


@pytest.mark.parametrize(
    "grouping, headings", [("kind", ["Concepts"]), ("tag", ["Untagged", "green"]), ("source", ["sources/tea.txt"])]
)
def test_the_index_is_grouped_as_the_manifest_says(root: Path, grouping: str, headings: list[str]) -> None:
    """Frontmatter shape: “defaultGrouping: kind | tag | source”"""
    if grouping != "kind":
        with_field(root, "defaultGrouping: kind", f"defaultGrouping: {grouping}")
    plant(root, page("oolong"), page("sencha", tags="[green]"))

    curate(root, "rename", "oolong", "blue-tea")  # any commit of curator's makes it anew

    found = re.findall(r"^## (.*)$", (root / "_index.md").read_text(), re.MULTILINE)
    assert sorted(found) == sorted(headings)


# -- vendors -------------------------------------------------------------------------------------------------------

VENDOR = """metadata:
  guilde:            # ours alone
    rank:  [1, {deep: 'yes'}]
    slug: other-slug
    kind: entity
    confidence: 0.01
    sources: [sources/gone.txt]
    contradicts: [home]
    lints: [{id: x}]
  simone: "as she likes"
"""


def with_vendor(root: Path) -> None:
    """A page with metadata of others in a layout of their own, and one by whose side it can be compared."""
    (path, text), twin = page("oolong", title="Oolong"), page("sencha")
    plant(root, (path, text.replace("\n---\n", f"\n{VENDOR}---\n", 1)), twin)


def test_vendors_may_add_fields(root: Path) -> None:
    """Vendor extensions: “Implementations MAY add fields under metadata.<vendor> (e.g. metadata.guilde,
    metadata.simone).”
    """
    with_vendor(root)

    assert curate(root, "validate").status == 0
    fields = right(root.parent / "odd", metadata={"guilde": {"council": 5}, "simone": [1]})
    assert fields["metadata"] == {"guilde": {"council": 5}, "simone": [1]}


def test_vendors_fields_change_the_meaning_of_none(root: Path) -> None:
    """Vendor extensions: “Vendor fields MUST NOT change the meaning of any field defined in this AIP”"""
    with_vendor(root)
    with_lints(root, 'id: sure, kind: min-confidence, appliesTo: "*", severity: warn, params: {min: 0.5}')

    listed = {each["slug"]: (each["kind"], each["path"]) for each in curate(root, "index")["pages"]}
    findings = curate(root, "lint", "--no-log")["findings"]

    assert listed["oolong"] == ("concept", "concepts/oolong.md") and "other-slug" not in listed
    told = {
        slug: sorted(each["code"] for each in findings if each["path"] == f"concepts/{slug}.md")
        for slug in ("oolong", "sencha")
    }
    assert told["oolong"] == told["sencha"]


def test_what_is_not_understood_is_ignored_and_kept_to_the_byte(root: Path) -> None:
    """Vendor extensions: “a runtime MUST ignore vendor extensions it does not understand.”"""
    with_vendor(root)
    ingest(root, "more.txt", TEA + BREWING, MORE)
    text = (root / "concepts/oolong.md").read_text()
    assert VENDOR in text and "five brews" in text

    curate(root, "rename", "oolong", "blue-tea")
    assert VENDOR in (root / "concepts/blue-tea.md").read_text()

    curate(root, "undo", "sources/more.txt")
    text = (root / "concepts/blue-tea.md").read_text()
    assert VENDOR in text and "five brews" not in text
    assert [event.type for event in events(root)] == ["ingest", "manual", "manual"]


def test_vendors_of_the_manifest_are_kept_too(root: Path) -> None:
    """Frontmatter shape: “metadata: # vendor extensions, namespaced <vendor>: <field>: <value>”"""
    with_field(root, "metadata:\n", "metadata:\n  guilde: {council: [1, {seats: 5}]}\n")
    before = (root / "KNOWLEDGE.md").read_bytes()

    ingest(root, "oolong-notes.txt", TEA, OOLONG)

    assert (root / "KNOWLEDGE.md").read_bytes() == before
    assert curate(root, "manifest")["effective"]["metadata"]["guilde"] == {"council": [1, {"seats": 5}]}
