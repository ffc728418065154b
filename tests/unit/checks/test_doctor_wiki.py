"""What ``curate doctor`` finds in the wiki itself: index, log, manifest, sources and pages, and how it mends them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curator.checks import provenance
from curator.edits import undo
from curator.models.proposal import Add, Claim
from curator.repository.git import Git
from curator.repository.history import CuratorCommit
from curator.repository.repository import Repository
from curator.wiki import log
from curator.wiki.log import LogEvent
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from support.examined import codes, diagnoses, run, the_only
from support.fakes import ScriptedModel
from support.pages import page
from support.wikis import TEA, drop, git, proposal, take_in


def by_hand(root: Path, path: str, text: str | None) -> None:
    """Commit a file as a person would: with this text, or taken out."""
    if text is None:
        (root / path).unlink()
    else:
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8")
    git(root, "add", "-A", "--", path)
    git(root, "commit", "-q", "-m", f"{path} by hand")


def is_mended(root: Path) -> bool:
    report = run(root, repair=True)
    return report.exit_status == 0 and bool(report.data.get("commit")) and codes(root) == []


# -- the index ----------------------------------------------------------------------------------------------------


def test_an_index_that_is_not_what_the_pages_give_is_made_anew(wiki: Path) -> None:
    right = (wiki / "_index.md").read_text()
    by_hand(wiki, "_index.md", right.replace("- [[oolong]] Oolong", "- [[oolong]] Green tea"))

    found = the_only(wiki, "index_stale")

    assert "Green tea" in found.finding.message
    assert is_mended(wiki)
    assert (wiki / "_index.md").read_text() == right


def test_an_index_that_lacks_a_page_says_so(wiki: Path) -> None:
    lines = (wiki / "_index.md").read_text().split("\n")
    by_hand(wiki, "_index.md", "\n".join(line for line in lines if "[[oolong]]" not in line))

    assert "it lists 2 pages, there are 3" in the_only(wiki, "index_stale").finding.message


def test_a_page_by_hand_goes_into_the_index(wiki: Path) -> None:
    tea = page("tea", "Tea is a drink.")
    by_hand(wiki, tea.path, tea.text)

    the_only(wiki, "index_stale")
    assert is_mended(wiki)
    assert "[[tea]]" in (wiki / "_index.md").read_text()


def test_an_index_that_is_gone_is_made(wiki: Path) -> None:
    by_hand(wiki, "_index.md", None)

    the_only(wiki, "index_missing")
    assert is_mended(wiki)


def test_the_index_is_not_judged_while_nobody_knows_its_grouping(wiki: Path) -> None:
    by_hand(wiki, "KNOWLEDGE.md", "---\nname: [\n---\n")
    by_hand(wiki, "_index.md", "# Index\n")

    the_only(wiki, "knowledge_workspace_invalid")
    assert run(wiki, repair=True).exit_status == 1


# -- the log ------------------------------------------------------------------------------------------------------


def test_a_log_that_is_gone_comes_back_with_all_its_events(wiki: Path) -> None:
    before = log.parse((wiki / "_log.md").read_text())
    by_hand(wiki, "_log.md", None)

    assert codes(wiki)[0] == "log_missing"
    assert is_mended(wiki)
    assert log.parse((wiki / "_log.md").read_text())[: len(before)] == before


def test_an_event_that_was_taken_out_comes_back(wiki: Path) -> None:
    text = (wiki / "_log.md").read_text()
    by_hand(wiki, "_log.md", text[: text.index("## ")] + "## " + text.split("## ")[2])

    assert "sources/oolong-notes.txt" in the_only(wiki, "log_rewritten").finding.message
    assert is_mended(wiki)
    assert "ingest | sources/oolong-notes.txt" in (wiki / "_log.md").read_text()


def test_an_event_that_was_changed_comes_back_as_it_was(wiki: Path) -> None:
    text = (wiki / "_log.md").read_text()
    by_hand(wiki, "_log.md", text.replace("created [[oolong]] Oolong", "made a page"))

    the_only(wiki, "log_rewritten")
    assert is_mended(wiki)
    assert "made a page" in (wiki / "_log.md").read_text()


def test_an_ingest_the_log_never_told_of_is_added(wiki: Path) -> None:
    git(
        wiki,
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        f"ingest: x\n\n- did it\n\nCurator-Source: sources/x.txt sha256:{'0' * 64}",
    )

    found = [diagnosis.finding.code for diagnosis in diagnoses(wiki)]

    assert found == ["manifest_record_missing", "log_event_missing"]
    assert run(wiki, repair=True).data["commit"]
    assert codes(wiki) == ["source_not_found"]


def test_an_event_no_commit_proves_is_told(wiki: Path) -> None:
    event = LogEvent("2026-04-30T00:00:00Z", "ingest", "sources/other.txt", ("created [[other]] Other",))
    by_hand(wiki, "_log.md", log.append((wiki / "_log.md").read_text(), event))

    assert "sources/other.txt" in the_only(wiki, "log_event_unproven").finding.message


def test_other_events_need_no_commit(wiki: Path) -> None:
    event = LogEvent("2026-04-30T00:00:00Z", "manual", "tidied up", ())
    by_hand(wiki, "_log.md", log.append((wiki / "_log.md").read_text(), event))

    assert codes(wiki) == []


@pytest.mark.parametrize(
    "line", ["## Notes", "## [2026-04-30T00:00:00Z] brewed | tea", "## [yesterday] ingest | sources/x.txt"]
)
def test_a_line_that_is_no_event_is_shown(wiki: Path, line: str) -> None:
    text = (wiki / "_log.md").read_text()
    by_hand(wiki, "_log.md", f"{text}\n{line}\n")

    found = next(diagnosis.finding for diagnosis in diagnoses(wiki))

    assert (found.code, found.line) == ("log_line_invalid", text.count("\n") + 2)
    assert line in found.message


def test_a_log_that_is_no_text_is_left_alone(wiki: Path) -> None:
    (wiki / "_log.md").write_bytes(b"# Log\n\xff\n")
    git(wiki, "commit", "-q", "-am", "Latin")

    the_only(wiki, "log_not_text")

    by_hand(wiki, "_index.md", "# Index\n")
    assert "not UTF-8" in run(wiki, repair=True).data["failed"][0]
    assert (wiki / "_log.md").read_bytes() == b"# Log\n\xff\n"


def test_branches_that_were_merged_lost_nothing(wiki: Path) -> None:
    git(wiki, "switch", "-q", "-c", "side", "HEAD^")
    event = LogEvent("2026-04-30T00:00:00Z", "manual", "on the side", ())
    by_hand(wiki, "_log.md", log.append((wiki / "_log.md").read_text(), event))
    git(wiki, "switch", "-q", "main")
    git(wiki, "merge", "-q", "-s", "ours", "--no-commit", "side")
    (wiki / "_log.md").write_text(log.append((wiki / "_log.md").read_text(), event))
    git(wiki, "commit", "-q", "-am", "Merge side")

    assert codes(wiki) == []


def commit(*bullets: str) -> CuratorCommit:
    return CuratorCommit("0" * 40, (), "2026-05-01T12:00:00Z", "ingest", (), bullets)


def event(*bullets: str) -> LogEvent:
    return LogEvent.now(datetime(2026, 5, 1, tzinfo=UTC), "ingest", "sources/a.txt", bullets)


@pytest.mark.parametrize(
    ("commits", "events", "left"),
    [
        ([commit("a")], [event("a")], (0, 0)),
        ([commit("a"), commit("b")], [event("b")], (1, 0)),
        ([commit("a")], [event("a"), event("b")], (0, 1)),
        ([commit("a")], [event("changed")], (0, 0)),
        ([], [], (0, 0)),
    ],
)
def test_events_and_ingests_are_paired(
    commits: list[CuratorCommit], events: list[LogEvent], left: tuple[int, int]
) -> None:
    unlogged, unproven = provenance.unlogged(commits, events)

    assert (len(unlogged), len(unproven)) == left


# -- the manifest -------------------------------------------------------------------------------------------------


def manifest_of(root: Path) -> dict[str, dict[str, object]]:
    return dict(json.loads((root / "_manifest.json").read_text())["sources"])


def write_manifest(root: Path, sources: dict[str, dict[str, object]]) -> None:
    value = {"version": 1, "hashAlgo": "sha256", "sources": sources}
    by_hand(root, "_manifest.json", json.dumps(value, indent=2) + "\n")


def test_a_record_that_was_taken_out_comes_back_whole(wiki: Path) -> None:
    right = manifest_of(wiki)
    write_manifest(wiki, {path: record for path, record in right.items() if "oolong" not in path})

    found = [d.finding.code for d in diagnoses(wiki) if d.counts]

    assert found == ["manifest_record_missing"]
    assert is_mended(wiki)
    assert manifest_of(wiki) == right


def test_a_hash_that_no_commit_says_is_mended(wiki: Path) -> None:
    right = manifest_of(wiki)
    write_manifest(wiki, {**right, "sources/brewing.txt": {**right["sources/brewing.txt"], "contentHash": "0" * 64}})

    assert "manifest_differs" in codes(wiki)
    assert is_mended(wiki)
    assert manifest_of(wiki) == right


def test_a_record_without_a_commit_is_taken_out(wiki: Path) -> None:
    write_manifest(wiki, {**manifest_of(wiki), "sources/never.txt": {"contentHash": "0" * 64, "slugs": []}})

    assert "manifest_unproven" in codes(wiki)
    assert is_mended(wiki)
    assert "sources/never.txt" not in manifest_of(wiki)


@pytest.mark.parametrize("text", ["{", "", None])
def test_a_manifest_that_cannot_be_read_is_made_anew(wiki: Path, text: str | None) -> None:
    right = manifest_of(wiki)
    by_hand(wiki, "_manifest.json", text)

    assert codes(wiki)[0] in ("manifest_invalid", "manifest_missing", "manifest_record_missing")
    assert is_mended(wiki)
    assert manifest_of(wiki) == right


def test_a_hash_that_curator_does_not_have_is_told(wiki: Path) -> None:
    by_hand(wiki, "_manifest.json", '{"version": 1, "hashAlgo": "md5", "sources": {}}')

    the_only(wiki, "hash_unknown")


def test_an_ingest_that_was_undone_is_not_missed(wiki: Path) -> None:
    with Repository(wiki) as repository:
        commit = git(wiki, "rev-parse", "HEAD")
        git(
            wiki,
            "commit",
            "-q",
            "--allow-empty",
            "-m",
            f"undo\n\nCurator-Undone: {commit} sources/brewing.txt sha256:0",
        )
        assert undo.ingests_of(repository, "sources/brewing.txt") == []
    write_manifest(wiki, {path: record for path, record in manifest_of(wiki).items() if "oolong" in path})

    assert codes(wiki) == ["source_waiting"]


def test_an_ingest_that_git_reverted_is_not_missed(wiki: Path) -> None:
    git(wiki, "revert", "--no-edit", "HEAD")

    found = {d.finding.code for d in diagnoses(wiki) if d.counts}

    assert found == {"log_rewritten"}
    assert run(wiki, repair=True).exit_status == 0
    assert "sources/brewing.txt" not in manifest_of(wiki)


def test_a_branch_that_was_squashed_is_believed(wiki: Path) -> None:
    message = git(wiki, "log", "--reverse", "--format=%B", "--grep=^Curator-Source", "HEAD")
    git(wiki, "reset", "-q", "--soft", git(wiki, "rev-list", "--max-parents=0", "HEAD"))
    git(wiki, "commit", "-q", "-m", f"Two sources\n\n{message}\n\nReviewed-by: Ada")

    assert codes(wiki) == []


def test_records_that_no_commit_brought_are_held_against_history_at_once(
    wiki: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = SourceManifest.parse((wiki / "_manifest.json").read_text("utf-8"))
    more: dict[str, Record | None] = {f"sources/{n:02}.md": Record(f"{n:064x}", ()) for n in range(30)}
    by_hand(wiki, "_manifest.json", manifest.with_records(more).dumps())
    told = "\n".join(f"    Curator-Source: {path} sha256:{n:064x}" for n, path in enumerate(more) if n < 20)
    git(wiki, "commit", "-q", "--allow-empty", "-m", f"Squashed\n\nTwenty sources\n{told}\n\nReviewed-by: Ada")
    asked: list[str] = []
    run_git = Git.run

    def counted(self: Git, *words: str, **more: Any) -> tuple[int, bytes, str]:
        asked.append(words[0])
        return run_git(self, *words, **more)

    monkeypatch.setattr(Git, "run", counted)

    found = [each.finding.message for each in diagnoses(wiki) if each.finding.code == "manifest_unproven"]

    assert [message.split()[0] for message in found] == [f"sources/{n:02}.md" for n in range(20, 30)]
    assert asked.count("log") < 10


def test_a_source_taken_in_twice_is_held_to_the_newest(wiki: Path) -> None:
    said = Claim(text="Oolong is served cold.", quotes=("In summer oolong is served cold",))
    answer = proposal(Add(op="add", page="oolong", section="", body=(said,)))
    with Repository(wiki) as repository:
        take_in(drop(wiki, text=TEA + "In summer oolong is served cold.\n"), repository, ScriptedModel((answer,)))

    assert codes(wiki) == []


# -- sources ------------------------------------------------------------------------------------------------------


def test_a_source_that_changed_is_found(wiki: Path) -> None:
    drop(wiki, "brewing.txt", "Other words.\n")

    assert "curate ingest sources/brewing.txt" in the_only(wiki, "source_hash_mismatch").repair


def test_a_source_that_is_gone_is_found(wiki: Path) -> None:
    (wiki / "sources" / "brewing.txt").unlink()

    assert "git checkout HEAD -- sources/brewing.txt" in the_only(wiki, "source_not_found").repair

    git(wiki, "rm", "-q", "sources/brewing.txt")
    git(wiki, "commit", "-q", "-m", "Gone")
    repair = the_only(wiki, "source_not_found").repair
    git(wiki, *repair.split(";")[0].split()[1:])
    assert (wiki / "sources" / "brewing.txt").exists()


def test_a_source_that_waits_is_no_fault(wiki: Path) -> None:
    drop(wiki, "new tea.txt")
    drop(wiki, ".hidden")

    found = diagnoses(wiki)

    assert [(d.finding.code, d.finding.path) for d in found] == [("source_waiting", "sources/new tea.txt")]
    assert found[0].repair == "curate ingest 'sources/new tea.txt'"


# -- pages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\nslug: [\n---\nTea.\n", "frontmatter_unreadable"),
        ("Tea.\n", "frontmatter_missing"),
        (page("tea", "Tea.", schema="knowledge/v9").text, "schema_unknown"),
        (page("green", "Tea.").text, "slug_invalid"),
        (page("tea", "Tea.", updated_at="yesterday").text, "updated_at_invalid"),
        (page("tea", "Tea.", confidence=7).text, "confidence_invalid"),
        (page("tea", "Tea.", contradicts=["nobody"]).text, "relation_broken"),
        (page("tea", "Tea.", supersedes=["tea"]).text, "relation_to_self"),
        (page("tea", "Tea.", contradicts=["oolong"]).text, "contradiction_one_sided"),
        (page("tea", "See [[green-tea]].").text, "link_broken"),
        (page("tea", "See [[oolong#Nowhere]].").text, "link_anchor_broken"),
        (page("tea", "See [it](../sources/brewing.txt).").text, "link_inline_to_source"),
        (page("tea", "Tea. [^1]").text, "citation_undefined"),
        (page("tea", "```\ncode").text, "fence_open"),
        (page("tea", "Te\u200ba.").text, "hidden_characters"),
        (page("tea", "x " * 40_000).text, "page_too_large"),
    ],
)
def test_a_rule_that_a_page_breaks_is_found(wiki: Path, text: str, code: str) -> None:
    by_hand(wiki, "concepts/tea.md", text)
    run(wiki, repair=True)

    found = the_only(wiki, code)

    assert found.finding.path == "concepts/tea.md"
    assert "concepts/tea.md" in found.repair


def test_two_pages_of_one_name_are_told_of_once(wiki: Path) -> None:
    by_hand(wiki, "concepts/tea.md", page("tea", "Tea.", title="Oolong").text)

    (found,) = (d.finding for d in diagnoses(wiki) if d.finding.code == "name_taken")

    assert found.path == "concepts/tea.md" and "concepts/oolong.md" in found.message


def test_two_pages_of_one_slug_are_an_error(wiki: Path) -> None:
    text = (wiki / "concepts" / "oolong.md").read_text().replace("title: Oolong", "title: Blue tea")
    by_hand(wiki, "entities/oolong.md", text)

    assert "slug_taken" in codes(wiki)


def test_what_a_person_may_write_is_no_fault(wiki: Path) -> None:
    body = """Tea, ![a cup](cup.png) <!-- human -->mine<!-- /human --> and <b>HTML</b>.

```dataview
list
```

See [[oolong|the blue one]], [its page](../concepts/oolong.md#oolong), [the web](https://tea.example.org/a?b=c),
<mailto:a@example.org>.
"""
    tea = page("tea", body, kind="essay", mood="calm", confidence=1.0)
    by_hand(wiki, "essays/tea.md", tea.text)
    run(wiki, repair=True)

    assert [d.finding.code for d in diagnoses(wiki) if d.counts] == []


def test_a_page_that_is_no_text_is_found(wiki: Path) -> None:
    tea = page("tea", "Tea, caf\u00e9.")
    (wiki / tea.path).write_bytes(tea.text.encode("latin-1"))
    git(wiki, "add", "-A")
    git(wiki, "commit", "-q", "-m", "Latin")
    run(wiki, repair=True)

    the_only(wiki, "page_not_text")
