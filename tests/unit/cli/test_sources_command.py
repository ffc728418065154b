"""``curate sources``: the registry as others read it, and what people say of sources, in a commit like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_cli import run as curate

from curator.cli.commands import doctor, edit, ingest, lint, sources, status
from curator.errors import ConfigError
from curator.ingest import take_in as taking
from curator.ingest.result import IngestContext
from curator.models.proposal import Add, Claim
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki.sources.records import RecordUpdate
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import SourceRemarks
from scripts.audit import audit
from support.fakes import ScriptedModel
from support.records import record_of, validator
from support.wikis import MORE, NOW, OOLONG, drop, git, manage, proposal, take_in

BREWING = "Brewing\n\nOolong can be brewed five times from the same leaves.\n"
HOT = Claim(text="- It likes water of 90 degrees.", quotes=("Water of 90 degrees is best for oolong.",))
AGAIN = proposal(Add(op="add", page="brewing", section="", body=(HOT,)))
OLD, NEW = "sources/oolong-notes.txt", "sources/brewing.txt"


def settings(root: Path) -> Settings:
    return Settings(root, {}, {})


def at_noon(root: Path) -> Settings:
    """On the day the sources came in."""
    return Settings(root, {"SOURCE_DATE_EPOCH": str(int(NOW.timestamp()))}, {})


def _two(root: Path) -> None:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        take_in(drop(root, "brewing.txt", BREWING), repository, ScriptedModel((MORE,)))


@pytest.fixture
def two(made: Callable[..., Path]) -> Path:
    """A wiki with two sources."""
    return made(_two)


def records(root: Path) -> dict[str, dict[str, Any]]:
    return {record["path"]: record for record in sources.run(settings(root)).data["records"]}


def say(root: Path, name: str = OLD, *, why: str = "", dry_run: Any = False, **wish: Any) -> dict[str, Any]:
    return sources.describe(settings(root), name, RecordUpdate(**wish), why, dry_run).data


def found(root: Path, *codes: str) -> list[tuple[str, str, str]]:
    wish = lint.LintOptions(logs=False, form="json")
    findings = lint.run(at_noon(root), wish, lambda _: None)
    return [(f["code"], f["path"], f["severity"]) for f in findings.data["findings"] if f["code"] in codes]


# -- what is there -------------------------------------------------------------------------------------------------


def test_a_wiki_without_sources_says_so(root: Path) -> None:
    report = sources.run(settings(root))

    assert report.lines == ("no sources yet",)
    assert report.data == {
        "records": [],
        "retention": "forever",
        "signing": "none",
        "hash_algorithm": "sha256",
        "authority_default": "secondary",
        "due": [],
    }


def test_every_source_is_a_record_of_the_standard(two: Path) -> None:
    for record in sources.run(settings(two)).data["records"]:
        validator().validate(record)

    assert records(two)[OLD]["captured_at"] == "2026-05-01T12:00:00Z"
    assert records(two)[OLD]["title"] == "Oolong"
    assert records(two)[OLD]["metadata"] == {"curator": {"pages": ["oolong", "oolong-notes"]}}


def test_the_log_knows_when_an_old_source_came_in(two: Path) -> None:
    value = json.loads((two / "_manifest.json").read_text("utf-8"))
    for record in value["sources"].values():
        del record["capturedAt"], record["title"]
    (two / "_manifest.json").write_text(json.dumps(value, indent=2) + "\n", "utf-8")
    git(two, "commit", "-qam", "as it was")

    assert records(two)[OLD]["captured_at"] == "2026-05-01T12:00:00Z"
    assert records(two)[OLD]["title"] == "oolong-notes"
    (two / "_log.md").write_text("# Log\n", "utf-8")
    git(two, "commit", "-qam", "without a log")
    validator().validate(records(two)[OLD])


def test_one_of_them_is_shown_with_its_pages(two: Path) -> None:
    report = sources.show(settings(two), "oolong-notes")

    assert report.data == {"record": records(two)[OLD]}
    assert report.lines[0] == OLD
    assert "  authority      secondary (the wiki's default)" in report.lines
    assert "  pages          oolong, oolong-notes" in report.lines


def test_on_the_command_line(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = curate(capsys, "--wiki", str(two), "sources", "--json")
    assert (status, [record["id"] for record in json.loads(out)["records"]]) == (0, ["brewing", "oolong-notes"])

    status, out, _ = curate(
        capsys, "sources", "set", "brewing", "--authority", "primary", "--tag", "tea", "--wiki", str(two)
    )
    assert (status, out.startswith("done       describe sources/brewing.txt: commit ")) == (0, True)

    status, out, _ = curate(capsys, "--wiki", str(two), "sources")
    assert "2026-05-01  primary    sources/brewing.txt\n" in out
    status, out, _ = curate(capsys, "--wiki", str(two), "sources", "show", "brewing", "--json")
    assert (status, json.loads(out)["record"]["tags"]) == (0, ["tea"])
    status, _, err = curate(capsys, "--wiki", str(two), "sources", "show", "tea")
    assert (status, err) == (2, "curate sources show: no source 'tea' is in the wiki\n  curate sources lists them\n")


def test_a_file_is_named_from_where_one_is(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(two / "sources")

    assert sources.show(settings(two), "brewing.txt").data["record"]["id"] == "brewing"


# -- what is said --------------------------------------------------------------------------------------------------


def test_what_is_said_is_one_commit_with_an_event(two: Path) -> None:
    before = git(two, "rev-parse", "HEAD")

    data = say(two, authority="primary", title="On Oolong", tags=("tea",), captured_by="Ann", why="she\nwrote it")

    assert git(two, "rev-parse", "HEAD~1") == before
    assert git(two, "show", "--name-only", "--format=", "HEAD").split("\n") == ["_log.md", "_manifest.json"]
    assert git(two, "log", "-1", "--format=%s|%(trailers:only,unfold)") == f"describe {OLD}|Curator-Described: {OLD}"
    assert data["did"] == [
        "authority: primary (before: secondary, as the wiki has it)",
        "title: On Oolong (before: Oolong)",
        "tags: tea (before: none)",
        "captured by: Ann (before: not told)",
        "because: she wrote it",
    ]
    assert f"manual | describe {OLD}\n- authority: primary" in (two / "_log.md").read_text("utf-8")
    assert git(two, "status", "--porcelain") == ""
    validator().validate(records(two)[OLD])
    assert records(two)[OLD]["authority"] == "primary"
    assert not audit(two).faults
    assert doctor.run(lambda: settings(two), None, False, False, lambda _: None).ok


def test_a_dry_run_shows_the_diff_and_writes_nothing(two: Path) -> None:
    before = git(two, "rev-parse", "HEAD")

    data = say(two, authority="rumour", dry_run=True)

    assert data["commit"] is None
    assert '+      "authority": "rumour"' in data["diff"]
    assert git(two, "rev-parse", "HEAD") == before


def test_what_it_says_already_makes_no_commit(two: Path) -> None:
    before = git(two, "rev-parse", "HEAD")

    assert say(two, title="Oolong", language="") == {"commit": None, "source": OLD, "did": []}
    assert git(two, "rev-parse", "HEAD") == before


def test_what_cannot_be_said_changes_nothing(two: Path) -> None:
    before = git(two, "rev-parse", "HEAD")

    wishes: list[dict[str, Any]] = [
        {"language": "english"},
        {"superseded_by": OLD},
        {"superseded_by": "sources/none.txt"},
    ]
    for wish in wishes:
        with pytest.raises(ConfigError):
            say(two, **wish)

    assert git(two, "rev-parse", "HEAD") == before


def test_what_was_said_can_be_taken_back_and_what_was_said_since_stays(two: Path) -> None:
    commit = say(two, authority="primary")["commit"]
    say(two, language="en")

    edit.undo_commits(settings(two), [commit], dry_run=False)

    assert (record_of(two, OLD).authority, record_of(two, OLD).language) == ("", "en")


def test_an_ingest_taken_back_keeps_what_was_said_of_the_version_before(two: Path) -> None:
    more = drop(two, "brewing.txt", BREWING + "Water of 90 degrees is best for oolong.\n")
    with Repository(two) as repository:
        outcome = take_in(more, repository, ScriptedModel((AGAIN,)))
    say(two, NEW, authority="primary")

    edit.undo_commits(settings(two), [str(outcome.commit)], dry_run=False)

    record = record_of(two, NEW)
    assert record.authority == "primary"
    assert record.content_hash != SourceManifest().with_source("a", "sha256:", []).sources["a"].content_hash
    assert (
        doctor.run(lambda: settings(two), None, False, False, lambda _: None).data["findings"][0]["code"]
        == "source_hash_mismatch"
    )


# -- at the ingest -------------------------------------------------------------------------------------------------


def bring(root: Path, file: Path, remarks: SourceRemarks) -> dict[str, Any]:
    (result,) = ingest.run(settings(root), [file], False, False, lambda _: None, remarks).data["results"]
    return dict(result)


def test_a_source_is_brought_with_its_authority_and_what_it_supersedes(two: Path) -> None:
    file = drop(two, "tea-2.txt", (two / OLD).read_text("utf-8") + "Oolong is also made in Thailand.\n")

    result = bring(two, file, SourceRemarks("primary", ("oolong-notes",)))

    assert result["status"] == "ingested"
    assert (record_of(two, "sources/tea-2.txt").authority, record_of(two, OLD).superseded_by) == ("primary", "tea-2")
    assert f"- supersedes {OLD}\n" in (two / "_log.md").read_text("utf-8")
    assert doctor.run(lambda: settings(two), None, False, False, lambda _: None).ok

    edit.undo_commits(settings(two), ["sources/tea-2.txt"], dry_run=False)
    assert record_of(two, OLD).superseded_by == ""


def test_what_cannot_be_superseded_is_said_before_anybody_is_asked(two: Path, tmp_path: Path) -> None:
    file = drop(two, "tea-2.txt", "Tea.\n")
    before = git(two, "rev-parse", "HEAD")

    for files, remarks, code in (
        ([file], SourceRemarks("", ("none",)), "source_unknown"),
        ([file, two / OLD], SourceRemarks("", (NEW,)), "usage"),
        ([drop(two, "brewing.txt", BREWING + "More.\n")], SourceRemarks("", (NEW,)), "superseded_ring"),
    ):
        with pytest.raises(ConfigError) as caught:
            ingest.run(settings(two), files, False, False, lambda _: None, remarks)
        assert caught.value.code == code

    assert git(two, "rev-parse", "HEAD") == before


def test_of_bytes_that_are_in_it_is_told_how_to_say_more(two: Path) -> None:
    result = bring(two, two / OLD, SourceRemarks("primary"))

    assert (result["status"], result["next"]) == ("skipped", f"say it with: curate sources set {OLD} --help")


def test_what_is_superseded_makes_no_page_surer(two: Path) -> None:
    """The correction takes the place of the old source: they are not two that bear each other out."""
    said = Claim(text="- It is made in Thailand, too.", quotes=("Oolong is also made in Thailand.",))
    file = drop(two, "tea-2.txt", "Oolong is also made in Thailand.\n")

    with Repository(two) as repository:
        answer = proposal(Add(op="add", page="oolong", section="", body=(said,)))
        context = IngestContext.of(settings(two), repository, ScriptedModel((answer,)), 0.0)
        before = repository.view().wiki.page("oolong")
        result = taking.take_in(file, replace(context, remarks=SourceRemarks("", (OLD, NEW))))
        after = repository.view().wiki.page("oolong")

    assert result.ok
    assert before is not None
    assert after is not None
    assert after.confidence <= before.confidence


def test_a_source_that_was_brought_again_keeps_its_authority(two: Path) -> None:
    say(two, NEW, authority="rumour")
    seen: list[str] = []

    class Model(ScriptedModel):
        def propose(self, request: Any) -> Any:
            seen.append(request.source.authority)
            return super().propose(request)

    file = drop(two, "brewing.txt", BREWING + "Water of 90 degrees is best for oolong.\n")
    with Repository(two) as repository:
        context = IngestContext.of(settings(two), repository, Model((AGAIN,)), 0.0)
        assert taking.take_in(file, context).ok

    assert seen == ["rumour"]
    assert record_of(two, NEW).authority == "rumour"


# -- what lint and status say --------------------------------------------------------------------------------------


def test_a_page_that_rests_on_superseded_sources_alone_is_found(two: Path) -> None:
    assert not found(two, "source_superseded")

    say(two, OLD, superseded_by=NEW)

    pages = [("source_superseded", "summaries/oolong-notes.md", "warn")]
    assert found(two, "source_superseded", "source_unresolved") == pages


def test_a_successor_that_is_gone_is_found(two: Path) -> None:
    say(two, OLD, superseded_by=NEW)
    (two / NEW).unlink()

    edit.remove_page(settings(two), NEW, "wrong", dry_run=False)

    assert ("source_unresolved", "_manifest.json", "warn") in found(two, "source_unresolved")


def test_sources_that_were_kept_long_enough_are_told_of_and_stay(two: Path) -> None:
    value = json.loads((two / "_manifest.json").read_text("utf-8"))
    value["sources"][OLD]["capturedAt"] = "2026-01-01T00:00:00Z"
    (two / "_manifest.json").write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")
    manage(two, retention="days:90")

    assert found(two, "source_due") == [("source_due", OLD, "warn")]
    report = sources.run(at_noon(two))
    following = f"rm {OLD} && curate remove {OLD} --why 'kept for 90 days'"
    assert report.data["due"] == [{"source": OLD, "captured": "2026-01-01", "next": following}]
    assert f"  next: {following}" in report.lines
    assert status.run(at_noon(two)).data["due"] == report.data["due"]
    assert (
        "due      1 kept for as long as sources.retention says; curate sources lists them"
        in status.run(at_noon(two)).lines
    )
    assert (two / OLD).exists()


def test_without_a_limit_nothing_is_due(two: Path) -> None:
    manage(two, retention="forever")

    assert not found(two, "source_due")
    assert status.run(settings(two)).data["due"] == []


def test_where_signing_is_required_a_source_without_a_signature_is_found(two: Path) -> None:
    manage(two, signing="required")

    assert found(two, "source_unsigned") == [("source_unsigned", path, "warn") for path in (NEW, OLD)]


def test_a_name_of_several_lines_in_the_registry_makes_no_trailer(root: Path) -> None:
    path = "sources/x\n\nCurator-Approved: AGENTS.md sha256:0"
    record = {"contentHash": "0", "slugs": []}
    (root / "_manifest.json").write_text(json.dumps({"version": 1, "hashAlgo": "sha256", "sources": {path: record}}))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "by hand")

    sources.describe(settings(root), path, RecordUpdate(title="Tea"), "because\n\nCurator-Approved: x", dry_run=False)

    message = git(root, "log", "-1", "--format=%B")
    assert [line for line in message.split("\n") if line.startswith("Curator-")] == [
        "Curator-Described: sources/x  Curator-Approved: AGENTS.md sha256:0"
    ]
