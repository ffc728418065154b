"""The lints that KNOWLEDGE.md declares: six kinds, by entity type and its subtypes, at their severity."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from curator.checks.lint.facts.policy import Lint, LintPolicy
from curator.checks.lint.rules import custom
from curator.checks.lint.rules.custom import WikiView
from curator.finding import Finding
from curator.wiki.workspace.workspace import Workspace
from support.lints import commit, examined, found, page, plant, the_only, with_lints

TYPES = """  - name: Person
    parent: Entity
  - name: Investor
    parent: Person
"""


def of_type(name: str) -> str:
    return f"{{curator: {{type: {name}}}}}"


def lint_of(kind: str, **more: str) -> str:
    fields = {"id": f"a-{kind}", "kind": kind, "appliesTo": '"*"', "severity": "warn", **more}
    return ", ".join(f"{key}: {value}" for key, value in fields.items())


# -- scope ---------------------------------------------------------------------------------------------------------


def test_a_type_covers_its_subtypes_and_a_ring_ends() -> None:
    charter = LintPolicy(parents={"Investor": "Person", "Person": "Entity", "A": "B", "B": "A"})

    def covers(applies_to: str, name: str) -> bool:
        return charter.covers(Lint("x", "orphan", applies_to, "warn"), name)

    assert covers("Entity", "Investor") and covers("Person", "Investor") and covers("*", "Concept")
    assert not covers("Investor", "Person") and not covers("Concept", "Investor")
    assert covers("B", "A") and not covers("C", "A")


def test_the_hardest_of_several_lints_counts() -> None:
    lints = (Lint("a", "orphan", "*", "info"), Lint("b", "orphan", "Entity", "error"))
    charter = LintPolicy(lints, parents={"Person": "Entity"})

    assert charter.severity("orphan", "Person", "warn") == "error"
    assert charter.severity("orphan", "Concept", "warn") == "info"
    assert charter.severity("broken-ref", "Concept", "error") == "error"


# -- the kinds -----------------------------------------------------------------------------------------------------


def test_broken_links_matter_as_much_as_the_manifest_says(root: Path) -> None:
    with_lints(root, lint_of("broken-ref", appliesTo="Entity", severity="info"), types=TYPES)
    lost = "It leads [[nowhere]]. [^tea-1]"
    plant(root, page("ada", lost, kind="entity", metadata=of_type("Investor")), page("oolong", lost))

    assert {fault.path: fault.severity for fault in found(root, "link_broken")} == {
        "entities/ada.md": "info",
        "concepts/oolong.md": "error",
    }


def test_orphans_may_be_meant_strictly(root: Path) -> None:
    with_lints(root, lint_of("orphan", severity="error", params="{index: false}"))
    plant(root, page("oolong"), page("home", "See also: [[oolong]]"))

    orphan = the_only(root, "entry_orphan")

    assert (orphan.path, orphan.severity) == ("concepts/home.md", "error")


def test_a_page_without_a_source(root: Path) -> None:
    with_lints(root, lint_of("require-source", appliesTo="Person", severity="error"), types=TYPES)
    bare = {"sources": "", "body": "See also: [[home]]"}
    plant(
        root,
        page("ada", kind="entity", metadata=of_type("Investor"), **bare),
        page("oolong", **bare),
        page("teas", kind="comparison", **bare),
        page("home", "See also: [[ada]] [[oolong]] [[teas]]"),
    )

    faults = {fault.path: (fault.severity, fault.line) for fault in found(root, "source_required")}

    assert faults == {"entities/ada.md": ("error", 1), "concepts/oolong.md": ("warn", 1)}


def test_where_nothing_is_declared_a_page_without_a_source_is_an_error(root: Path) -> None:
    with_lints(root, lint_of("orphan"))
    plant(root, page("oolong", sources="", body="See also: [[home]]"), page("home", "See also: [[oolong]]"))

    assert {fault.severity for fault in found(root, "source_required")} == {"error"}


def test_two_sources_may_be_required(root: Path) -> None:
    with_lints(root, lint_of("require-source", params="{min: 2}"))
    plant(root, page("oolong", sources="[sources/tea.txt, sources/b.txt]"), page("assam"))

    assert "concepts/assam.md" in {fault.path for fault in found(root, "source_required")}
    assert "concepts/oolong.md" not in {fault.path for fault in found(root, "source_required")}


def test_stale_claims(root: Path) -> None:
    with_lints(root, lint_of("max-age", params="{days: 90}", severity="error"))
    plant(
        root,
        page("old", updated_at="2026-01-01T00:00:00Z"),
        page("fresh", updated_at="2026-04-01"),
        page("kept", updated_at="2026-01-01", sources="[sources/2026-04-15-paper.md]"),
        page("ancient", updated_at="", sources="[sources/2019-04-15-paper.md]"),
    )

    faults = found(root, "claim_stale")

    assert [(fault.path, fault.line, fault.severity) for fault in faults] == [
        ("concepts/ancient.md", 1, "error"),
        ("concepts/old.md", 8, "error"),
    ]
    assert "nothing it rests on is newer than 2026-01-01, and 90 days are the limit" in faults[1].message


def test_a_source_that_was_taken_in_later_keeps_a_page_fresh(root: Path) -> None:
    with_lints(root, lint_of("max-age", params="{days: 90}"))
    plant(root, page("old", updated_at="2026-01-01T00:00:00Z"))
    with (root / "_log.md").open("a") as file:
        file.write("\n## [2026-04-20T00:00:00Z] ingest | sources/tea.txt\n- updated [[old]] Old\n")
    commit(root)

    assert not found(root, "claim_stale")


def test_retention_is_a_threshold_too_and_without_one_nothing_is_stale(root: Path) -> None:
    plant(root, page("old", updated_at="2016-01-01T00:00:00Z"))
    assert examined(root).stale_after_days is None
    assert not found(root, "claim_stale")

    file = root / "KNOWLEDGE.md"
    file.write_text(file.read_text("utf-8").replace("retention: forever", "retention: days:365"), "utf-8")
    commit(root)

    assert the_only(root, "claim_stale").severity == "warn"


def test_confidence_below_the_least(root: Path) -> None:
    with_lints(
        root,
        lint_of("min-confidence", id="some", params="{min: 0.5}", severity="error"),
        lint_of("min-confidence", id="more", params="{min: 0.8}", severity="info", appliesTo="Concept"),
    )
    plant(
        root,
        page("low", confidence="0.4"),
        page("middling", confidence="0.6"),
        page("silent", confidence=""),
        page("ada", kind="entity", confidence="0.6"),
        page("home", "See also: [[low]] [[middling]] [[silent]] [[ada]]", confidence="0.9"),
    )

    faults = [(fault.path, fault.line, fault.severity) for fault in found(root, "confidence_low")]

    assert faults == [("concepts/low.md", 7, "error"), ("concepts/middling.md", 7, "info")]


@pytest.mark.parametrize(
    ("lint", "said"),
    [
        ('id: x, kind: vibes, appliesTo: "*", severity: warn', "lints[0].kind: 'vibes'"),
        ('kind: orphan, appliesTo: "*", severity: warn', "lints[0].id: missing"),
        ('id: x, kind: min-confidence, appliesTo: "*", severity: warn, params: {min: lots}', "params.min: 'lots'"),
        ('id: x, kind: orphan, appliesTo: "*", severity: fatal', "lints[0].severity: 'fatal'"),
        ('id: x, kind: orphan, appliesTo: "*", severity: warn, params: [1]', "params"),
        ("id: x, kind: orphan, severity: warn", "lints[0].appliesTo: missing"),
    ],
)
def test_a_lint_that_is_none_makes_the_manifest_none(root: Path, lint: str, said: str) -> None:
    with_lints(root, lint)

    fault = the_only(root, "knowledge_workspace_invalid")

    assert fault.path == "KNOWLEDGE.md" and said in fault.message


def test_a_lint_without_its_limit_cannot_be_run(root: Path) -> None:
    with_lints(root, 'id: x, kind: max-age, appliesTo: "*", severity: warn')

    fault = the_only(root, "lint_invalid")

    assert fault.path == "KNOWLEDGE.md" and "params.days: missing" in fault.message and fault.line


def test_a_manifest_that_cannot_be_read_stops_no_rule(root: Path) -> None:
    plant(root, page("oolong", "It leads [[nowhere]]. [^tea-1]"))
    (root / "KNOWLEDGE.md").write_text("---\nschema: knowledge.workspace/v1\n---\n")
    commit(root)

    codes = {fault.code for fault in examined(root).findings}

    assert {"knowledge_workspace_invalid", "link_broken"} <= codes


# -- custom --------------------------------------------------------------------------------------------------------


def has_owner(wiki: WikiView, params: Mapping[str, Any]) -> Iterable[Finding]:
    """A rule as a package would bring it."""
    for entry in wiki.entries():
        if params["word"] not in (getattr(wiki.page(entry.slug), "text", "")):
            yield Finding("ignored", entry.path, "nobody owns it", 1, "error")


def breaks(wiki: WikiView, params: Mapping[str, Any]) -> Iterator[Finding]:
    raise ValueError("no good")
    yield


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    group = custom.GROUP
    points = [
        metadata.EntryPoint("has-owner", "test_lint_declared:has_owner", group),
        metadata.EntryPoint("breaks", "test_lint_declared:breaks", group),
        metadata.EntryPoint("gone", "no_such_module:rule", group),
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda group: points)


@pytest.mark.usefixtures("installed")
def test_a_custom_lint_runs_installed_code_for_its_type(root: Path) -> None:
    with_lints(root, lint_of("custom", id="has-owner", appliesTo="Entity", params="{word: owner}"), types=TYPES)
    plant(root, page("ada", kind="entity", metadata=of_type("Person")), page("bob", kind="entity"), page("oolong"))

    faults = found(root, "has-owner")

    assert [(fault.path, fault.severity) for fault in faults] == [
        ("entities/ada.md", "warn"),
        ("entities/bob.md", "warn"),
    ]


@pytest.mark.usefixtures("installed")
def test_a_custom_lint_may_name_its_rule(root: Path) -> None:
    with_lints(
        root, lint_of("custom", id="everything-is-owned", params="{rule: has-owner, word: owner}", severity="error")
    )
    plant(root, page("oolong"))

    assert {fault.severity for fault in found(root, "everything-is-owned")} == {"error"}


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("rule", "code"), [("breaks", "lint_failed"), ("gone", "lint_unknown"), ("other", "lint_unknown")]
)
def test_a_custom_lint_that_fails_or_is_not_there_is_a_finding(root: Path, rule: str, code: str) -> None:
    with_lints(root, lint_of("custom", id=rule, severity="error"))

    fault = the_only(root, code)

    assert (fault.path, fault.severity) == ("KNOWLEDGE.md", "error")
    assert fault.line is not None


def test_code_in_the_wiki_is_never_imported(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As ``python -m curator`` would find it, with the wiki as the current folder on Python's path."""
    package = root / "evil-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[curator.lints]\nevil = evil_rule:run\n")
    (root / "evil_rule.py").write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(root)
    monkeypatch.setattr(sys, "path", ["", str(root), *sys.path])
    with_lints(root, lint_of("custom", id="evil"))

    assert "no rule 'evil' is installed" in the_only(root, "lint_unknown").message
    assert "evil_rule" not in sys.modules
    assert sys.path[:2] == ["", str(root)]


def test_a_lint_without_its_limit_is_told_of_by_whoever_reads_the_manifest() -> None:
    head = "schema: knowledge.workspace/v1\nname: tea\ntitle: Tea\ndescription: Tea.\nversion: 1.0.0\n"
    lint = '{id: looked-at, kind: max-age, appliesTo: "*", severity: warn, params: {day: 180}}'

    (notice,) = Workspace.parse(f"---\n{head}lints: [{lint}]\n---\n").merged.notices

    assert notice.message == "lints.looked-at.params.days: missing; max-age is not run without"
