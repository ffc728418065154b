"""AIP-10, lint contract: the four things a maintenance pass must find, where it must not, and what the log says of it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from support import standard
from support.lints import commit, page, plant, with_lints
from support.standard import curate, edited, events, ingest, printed
from support.wikis import NOW, OOLONG, TEA, git

root = standard.root


def found(root: Path, code: str, **more: object) -> dict[str, str]:
    """The severity of each finding of one code, by the page it is on."""
    said = curate(root, "lint", "--no-log", **more)  # type: ignore[arg-type]
    return {each["path"]: each["severity"] for each in said["findings"] if each["code"] == code}


# -- the four ------------------------------------------------------------------------------------------------------


def test_orphans_are_found(root: Path) -> None:
    """Lint contract: “Orphans — pages with no inbound links from _index.md or other pages.”"""
    plant(
        root,
        page("home", "See [[linked]].", title="Home of all"),
        page("linked"),
        page("listed"),
        page("lonely", "[[lonely]]"),
    )
    index = (root / "_index.md").read_text().splitlines(keepends=True)
    hidden = ("[[linked]]", "[[lonely]]")
    (root / "_index.md").write_text("".join(line for line in index if not any(name in line for name in hidden)))
    commit(root)

    assert found(root, "entry_orphan") == {"concepts/lonely.md": "warn"}


YEAR = timedelta(days=365)


def aged(root: Path) -> None:
    """A lint that lets claims be 90 days old, and four pages that were last touched long ago."""
    old = {"updated_at": "2020-01-01T00:00:00Z"}
    plant(
        root,
        page("stale", sources="[sources/2020-01-01-old.txt, sources/2020-02-01-old.txt]", **old),
        page("renewed", sources="[sources/2020-01-01-old.txt, sources/2026-04-20-new.txt]", **old),
        page("confirmed", sources="[sources/2020-01-01-old.txt]", updated_at="2026-04-20T00:00:00Z"),
    )
    for name in ("2020-01-01-old", "2020-02-01-old", "2026-04-20-new"):
        (root / "sources" / f"{name}.txt").write_text(name)
    with_lints(root, 'id: fresh, kind: max-age, appliesTo: "*", severity: warn, params: {days: 90}')


def test_stale_claims_are_found(root: Path) -> None:
    """Lint contract: “Stale claims — pages whose sources are all older than a schema-defined threshold and have not
    been re-confirmed.”
    """
    aged(root)

    assert found(root, "claim_stale") == {"concepts/stale.md": "warn"}
    assert set(found(root, "claim_stale", now=NOW + YEAR)) == {
        f"concepts/{name}.md" for name in ("stale", "renewed", "confirmed", "home")
    }


def test_the_threshold_is_the_schemas(root: Path) -> None:
    """Lint contract: “older than a schema-defined threshold”"""
    aged(root)

    edited(root, "KNOWLEDGE.md", ("days: 90", "days: 9000"))
    assert found(root, "claim_stale") == {}
    with_lints(root)
    assert found(root, "claim_stale") == {}
    edited(root, "KNOWLEDGE.md", ("retention: forever", "retention: days:90"))
    assert found(root, "claim_stale") == {"concepts/stale.md": "warn"}


def test_unresolved_contradictions_are_found(root: Path) -> None:
    """Lint contract: “Unresolved contradictions — pages with contradicts populated.”"""
    plant(root, page("one", contradicts="[two]"), page("two", contradicts="[one]"), page("three", contradicts="[]"))

    assert found(root, "contradiction_unresolved") == {"concepts/one.md": "warn", "concepts/two.md": "warn"}


BROKEN = (
    *("[[gone]]", "[[gone|there]]", "[[concepts/gone]]"),
    *("[x](gone.md)", "[x](../entities/gone.md#a)", "[x][r]\n\n[r]: gone.md"),
)


def test_broken_refs_are_found(root: Path) -> None:
    """Lint contract: “Broken refs — wikilinks/markdown links pointing to missing pages.”"""
    bad = [page(f"bad-{number}", f"See {link}") for number, link in enumerate(BROKEN)]
    good = "See [[bad-1]], [[Bad 1]], [x](bad-1.md), `[[gone]]` and <https://a.org/gone.md>."
    plant(root, *bad, page("good", good))

    assert found(root, "link_broken") == {path: "error" for path, _ in bad}


def test_the_four_are_found_whatever_is_declared(root: Path) -> None:
    """Lint contract: “A maintenance pass MUST detect:”"""
    aged(root)
    plant(root, page("one", "See [[gone]].", contradicts="[home]"), page("lonely"), takes_in=False)
    edited(root, "concepts/home.md", ("[[lonely]]", ""))
    index = (root / "_index.md").read_text()
    (root / "_index.md").write_text(
        "".join(line for line in index.splitlines(keepends=True) if "[[lonely]]" not in line)
    )
    commit(root)
    with_lints(root)
    edited(root, "KNOWLEDGE.md", ("retention: forever", "retention: days:90"))

    codes = set(curate(root, "lint", "--no-log").codes)

    assert {"entry_orphan", "claim_stale", "contradiction_unresolved", "link_broken"} <= codes


# -- the log -------------------------------------------------------------------------------------------------------


def test_what_is_found_goes_to_the_log(root: Path) -> None:
    """Lint contract: “Lint output is appended to _log.md as an event of type lint.”"""
    plant(root, page("oolong", "See [[gone]].", contradicts="[home]"))

    said = curate(root, "lint")

    (event,) = events(root)
    assert event.type == "lint"
    assert f"{said['counts']['error']} error" in event.subject
    told = "\n".join(event.bullets)
    assert all(code in told for code in ("link_broken", "contradiction_unresolved"))
    assert git(root, "show", "--format=", "--name-only", "HEAD") == "_log.md"


def test_every_pass_is_logged(root: Path) -> None:
    """Required generated files: “Every ingest, query that produced a new page, and lint pass MUST append a line:”"""
    plant(root, page("oolong"))

    curate(root, "lint")
    curate(root, "lint")

    assert [event.type for event in events(root)] == ["lint"] * 2


# -- the kinds of lints that a manifest can declare -----------------------------------------------------------------

OLD = {"sources": "[sources/2020-01-01-a.txt]", "updated_at": "2020-01-02T00:00:00Z"}
KINDS = [
    ("require-source", "info", "", "source_required", page("bad", sources="")),
    ("max-age", "error", "params: {days: 90}", "claim_stale", page("bad", **OLD)),
    ("min-confidence", "info", "params: {min: 0.5}", "confidence_low", page("bad", confidence="0.4")),
    ("broken-ref", "warn", "", "link_broken", page("bad", "See [[gone]].")),
    ("orphan", "error", "params: {index: false}", "entry_orphan", page("bad")),
]


@pytest.mark.parametrize("kind, severity, params, code, bad", KINDS, ids=[kind for kind, *_ in KINDS])
def test_a_lint_runs_at_its_severity_for_its_type(
    root: Path, kind: str, severity: str, params: str, code: str, bad: tuple[str, str]
) -> None:
    """Frontmatter shape: “kind: require-source | max-age | min-confidence | broken-ref | orphan | custom appliesTo:
    <EntityType> | "*" severity: error | warn | info”
    """
    home = "Words. [^tea-1]" if kind == "orphan" else "See [[bad]]."
    plant(root, bad, page("home", home, title="Home"), page("other", "See [[home]]."))

    for name, wanted in (
        ("Concept", severity),
        ('"*"', severity),
        ("Timeline", {"broken-ref": "error", "require-source": "warn"}.get(kind)),
    ):
        with_lints(root, f"id: a-lint, kind: {kind}, appliesTo: {name}, severity: {severity}, {params}")
        seen = found(root, code).get("concepts/bad.md")
        assert seen == wanted or (kind == "orphan" and name == "Timeline" and seen is None)


def test_a_custom_lint_is_the_hosts(root: Path) -> None:
    """Frontmatter shape: “require-source | max-age | min-confidence | broken-ref | orphan | custom”"""
    plant(root, page("oolong"))
    (root / "our_lints.py").write_text("raise SystemExit('a wiki brings no code')\n")
    with_lints(root, 'id: our-lints, kind: custom, appliesTo: "*", severity: warn, params: {rule: our_lints}')

    assert found(root, "lint_unknown") == {"KNOWLEDGE.md": "warn"}


def test_severity_decides_whether_a_pass_fails(root: Path) -> None:
    """Frontmatter shape: “severity: error | warn | info”"""
    plant(root, page("oolong", "See [[gone]]."))
    assert curate(root, "lint", "--no-log").status == 1

    with_lints(root, 'id: links, kind: broken-ref, appliesTo: "*", severity: info')

    assert curate(root, "lint", "--no-log").status == 0
    assert curate(root, "lint", "--no-log", "--fail-on", "info").status == 1


def test_a_wiki_without_faults_has_no_findings(root: Path) -> None:
    """Lifecycle: “Lifecycle of a wiki: empty, populated, linted, forked, frozen.”"""
    assert curate(root, "lint", "--no-log")["findings"] == []
    ingest(root, "oolong-notes.txt", TEA, OOLONG)

    assert curate(root, "lint")["counts"]["error"] == 0
    assert [event.type for event in events(root)] == ["ingest", "lint"]
    assert printed(root, "validate").startswith("valid")
