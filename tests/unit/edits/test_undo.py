"""Ingests are taken back: what they brought goes, what came before comes back, what came later stays."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from curator.cli.commands import edit, ingest, log
from curator.errors import ConfigError
from curator.ingest.waiting import LeftAlone
from curator.models.proposal import Add, Claim, Dispute
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from scripts.audit import audit
from support.depth import of_this_commit
from support.fakes import ScriptedModel
from support.places import SAMPLE
from support.standard import curate
from support.wikis import MORE, OOLONG, drop, git, proposal, summary, take_in

SOURCES = SAMPLE / "sources"
BREWING = "Brewing\n\nOolong can be brewed five times from the same leaves.\n"
WATER = "Water\n\nSoft water brings out the taste of oolong best of all.\n"
SOFT = Claim(text="- It likes soft water.", quotes=("Soft water brings out the taste of oolong",))


def settings(root: Path) -> Settings:
    return Settings(root, {}, {})


def files(root: Path) -> dict[str, str]:
    """All text files of the wiki but the log, which only grows."""
    found = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.relative_to(root).parts)
    return {path.relative_to(root).as_posix(): path.read_text() for path in found if path.name != "_log.md"}


def _two(root: Path) -> None:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        take_in(drop(root, "brewing.txt", BREWING), repository, ScriptedModel((MORE,)))


@pytest.fixture
def two(made: Callable[..., Path]) -> Path:
    """A wiki with two ingests: the second adds a line to the page of the first."""
    return made(_two)


def taken_in(root: Path, name: str, text: str, *operations: object) -> str:
    with Repository(root) as repository:
        outcome = take_in(drop(root, name, text), repository, ScriptedModel((proposal(*operations),)))  # type: ignore[arg-type]
    return str(outcome.commit)


def test_the_newest_ingest_taken_back_leaves_the_pages_byte_for_byte_as_before(root: Path) -> None:
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    drop(root, "brewing.txt", BREWING)
    before = files(root)
    with Repository(root) as repository:
        take_in(root / "sources" / "brewing.txt", repository, ScriptedModel((MORE,)))

    report = edit.undo_commits(settings(root), ["HEAD"[:0] + git(root, "rev-parse", "HEAD")[:10]], dry_run=False)

    assert report.ok
    assert files(root) == before
    assert git(root, "status", "--porcelain") == ""
    assert (root / "sources" / "brewing.txt").read_text() == BREWING
    assert "manual | undo" in (root / "_log.md").read_text()


def test_an_earlier_ingest_goes_and_what_a_later_one_added_stays(two: Path) -> None:
    report = edit.undo_commits(settings(two), ["sources/oolong-notes.txt"], dry_run=False)

    page = (two / "concepts" / "oolong.md").read_text()
    assert report.ok
    assert "that is oxidised in part" not in page
    assert "oolong-notes" not in page
    assert "five brews. [^brewing-1]" in page
    assert "# Oolong" in page
    assert not (two / "summaries" / "oolong-notes.md").exists()
    assert "oolong-notes" not in (two / "_index.md").read_text() + (two / "_manifest.json").read_text()
    assert git(two, "status", "--porcelain") == ""


def test_what_others_prove_too_stays_with_their_marks_alone_and_is_said_beforehand(two: Path) -> None:
    said = "Oolong is a tea that is oxidised in part."
    page = two / "concepts" / "oolong.md"
    note = '[^brewing-2]: sources/brewing.txt#L3 "Oolong can be brewed"\n'
    text = page.read_text().replace(f"{said} [^oolong-notes-1]", f"{said} [^oolong-notes-1] [^brewing-2]")
    page.write_text(text + note)
    git(two, "commit", "-qam", "another proof")

    looked = edit.undo_commits(settings(two), ["sources/oolong-notes.txt"], dry_run=True)
    done = edit.undo_commits(settings(two), ["sources/oolong-notes.txt"], dry_run=False)

    assert f"kept on [[oolong]], proven by sources/brewing.txt too: '{said}'" in looked.data["did"]
    assert "kept [[oolong]]: 2 statements on it came from elsewhere" in looked.data["did"]
    assert done.data["did"] == looked.data["did"]
    assert f"{said} [^brewing-2]\n" in page.read_text()
    assert "oolong-notes" not in page.read_text()


def test_a_dry_run_shows_the_diff_and_changes_nothing(two: Path) -> None:
    before, head = files(two), git(two, "rev-parse", "HEAD")

    report = edit.undo_commits(settings(two), ["sources/oolong-notes.txt"], dry_run=True)

    assert report.data["commit"] is None
    assert "-Oolong is a tea that is oxidised in part" in report.data["diff"]
    assert "+++ /dev/null" in report.data["diff"]
    assert (files(two), git(two, "rev-parse", "HEAD")) == (before, head)


def test_a_line_somebody_changed_since_is_shown_and_nothing_is_guessed(two: Path) -> None:
    page = two / "concepts" / "oolong.md"
    page.write_text(page.read_text().replace("that is oxidised in part", "which is oxidised in part"))
    git(two, "commit", "-qam", "my words")
    before = files(two)

    report = edit.undo_commits(settings(two), ["sources/oolong-notes.txt"], dry_run=False)

    assert report.exit_status == 1
    assert [finding["path"] for finding in report.data["findings"]] == ["concepts/oolong.md"]
    assert "which is oxidised" in report.data["findings"][0]["message"]
    assert files(two) == before


def test_a_dispute_is_in_the_way_of_its_target_and_both_go_together(two: Path) -> None:
    claim = Claim(text="Oolong is nearly black.", quotes=("Oolong of this kind is nearly as dark as black tea",))
    text = "Dark\n\nDate: 2026-04-01\n\nOolong of this kind is nearly as dark as black tea.\n"
    dispute = Dispute(op="dispute", page="oolong", passage="Oolong is a tea that is oxidised in part.", claim=claim)
    late = taken_in(two, "dark.txt", text, summary(claim, title="Dark"), dispute)
    first = git(two, "log", "--format=%H", "--grep=Curator-Source: sources/oolong-notes.txt")

    refused = edit.undo_commits(settings(two), [first], dry_run=False)
    done = edit.undo_commits(settings(two), [first, late], dry_run=False)

    assert refused.exit_status == 1
    assert late[:12] in refused.data["next"]
    assert done.ok
    page = (two / "concepts" / "oolong.md").read_text()
    assert "black" not in page
    assert "five brews" in page


def test_an_undo_can_be_undone(two: Path) -> None:
    before = files(two)
    first = edit.undo_commits(settings(two), ["sources/brewing.txt"], dry_run=False)

    second = edit.undo_commits(settings(two), [first.data["commit"][:12]], dry_run=False)
    third = edit.undo_commits(settings(two), ["sources/brewing.txt"], dry_run=True)

    assert second.ok
    assert files(two) == before
    assert third.ok


def test_a_source_taken_back_can_be_taken_in_again(two: Path) -> None:
    before = files(two)
    edit.undo_commits(settings(two), ["sources/brewing.txt"], dry_run=False)

    with Repository(two) as repository:
        take_in(two / "sources" / "brewing.txt", repository, ScriptedModel((MORE,)))

    assert files(two) == before


def test_a_source_that_two_clones_took_in_and_rebased_goes_at_once(root: Path) -> None:
    start = git(root, "rev-parse", "HEAD")
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    git(root, "checkout", "-qb", "theirs")
    git(root, "checkout", "-qB", "main", start)
    with Repository(root) as repository:  # with another before it: what is rebased is not quite the same, and stays
        take_in(drop(root, "water.txt", WATER), repository, ScriptedModel((proposal(summary(SOFT, title="Water")),)))
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
    git(root, "rebase", "-q", "-X", "theirs", "theirs")

    report = edit.undo_commits(settings(root), ["sources/oolong-notes.txt"], dry_run=False)

    assert report.ok
    assert not [*root.glob("concepts/oolong*"), *root.glob("summaries/oolong*")]
    assert "oolong" not in (root / "_manifest.json").read_text()
    assert git(root, "show", "-s", "--format=%B").count("Curator-Undone: ") == 2


def test_what_was_renamed_meanwhile_is_found(two: Path) -> None:
    edit.rename_page(settings(two), "oolong", "Wu long", dry_run=False)

    report = edit.undo_commits(settings(two), ["sources/brewing.txt"], dry_run=False)

    page = (two / "concepts" / "wu-long.md").read_text()
    assert report.ok
    assert "five brews" not in page
    assert "that is oxidised in part" in page


def test_headings_stay_while_something_stands_under_them(two: Path) -> None:
    taken_in(
        two,
        "water.txt",
        WATER,
        summary(SOFT, title="Water"),
        Add(op="add", page="oolong", section="", body=(Claim(text="## Water", quotes=()), SOFT)),
    )
    more = "More\n\nHard water makes oolong taste flat and dull to most people.\n"
    hard = Claim(text="- Hard water spoils it.", quotes=("Hard water makes oolong taste flat and dull",))
    taken_in(
        two, "more.txt", more, summary(hard, title="More"), Add(op="add", page="oolong", section="Water", body=(hard,))
    )

    edit.undo_commits(settings(two), ["sources/water.txt"], dry_run=False)
    page = (two / "concepts" / "oolong.md").read_text()
    edit.undo_commits(settings(two), ["sources/more.txt"], dry_run=False)

    assert "## Water\n\n- Hard water spoils it." in page
    assert "soft water" not in page
    assert "Water" not in (two / "concepts" / "oolong.md").read_text()


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["sources/nothing.txt"], "undo_unknown"),
        (["0000000000"], "undo_unknown"),
        (["--all"], "undo_unknown"),
    ],
)
def test_what_cannot_be_taken_back_is_named(two: Path, names: list[str], code: str) -> None:
    with pytest.raises(ConfigError) as caught:
        edit.undo_commits(settings(two), names, dry_run=False)

    assert caught.value.code == code


def test_a_commit_of_the_users_is_not_curators_to_take_back(two: Path) -> None:
    git(two, "commit", "-q", "--allow-empty", "-m", "mine")

    with pytest.raises(ConfigError, match="no commit of curator's"):
        edit.undo_commits(settings(two), [git(two, "rev-parse", "HEAD")], dry_run=False)


def test_what_lint_has_mended_is_curators_to_take_back(two: Path) -> None:
    page = next((two / "summaries").glob("*.md"))
    page.write_text(page.read_text().rstrip() + "\nMine.\n")
    git(two, "commit", "-qam", "mine")
    mended = curate(two, "lint", "--fix", "--no-log")["fix_commit"]

    edit.undo_commits(settings(two), [mended], dry_run=False)

    assert page.read_text() == git(two, "show", f"{mended}~1:{page.relative_to(two)}") + "\n"


def test_twice_is_once_too_often(two: Path) -> None:
    commit = git(two, "rev-parse", "HEAD")
    edit.undo_commits(settings(two), [commit], dry_run=False)

    with pytest.raises(ConfigError, match="taken back already"):
        edit.undo_commits(settings(two), [commit], dry_run=False)


def test_a_deleted_source_is_taken_out_with_all_it_brought(two: Path) -> None:
    (two / "sources" / "oolong-notes.txt").unlink()

    report = edit.remove_page(settings(two), "sources/oolong-notes.txt", "it was wrong", dry_run=False)

    assert report.ok
    assert git(two, "status", "--porcelain") == ""
    assert "oolong-notes" not in git(two, "ls-files") + (two / "_manifest.json").read_text()
    assert "it was wrong" in (two / "_log.md").read_text()


def test_a_source_that_is_there_is_not_deleted(two: Path) -> None:
    with pytest.raises(ConfigError, match="curator deletes no source"):
        edit.remove_page(settings(two), "sources/oolong-notes.txt", "it was wrong", dry_run=False)


def test_each_line_of_a_page_says_where_it_comes_from(two: Path) -> None:
    page = two / "concepts" / "oolong.md"
    page.write_text(page.read_text() + "\nMy own line.\n")
    git(two, "commit", "-qam", "a thought")

    report = log.run_page(settings(two), "Oolong")

    sources = {line["text"]: line["source"] or line["by"] for line in report.data["lines"]}
    assert sources["- It gives five brews. [^brewing-1]"] == "sources/brewing.txt"
    assert sources["Oolong is a tea that is oxidised in part. [^oolong-notes-1]"] == "sources/oolong-notes.txt"
    assert sources["My own line."] == "Ada"
    assert "  ingest: sources/brewing.txt" in "\n".join(report.lines)


@pytest.mark.parametrize("seed", of_this_commit(range(3)))
def test_in_any_order_the_wiki_stays_sound_to_the_last(seed: int, root: Path) -> None:
    """Every source of the sample in, and out again in some order: the audit finds no fault on the way."""
    ingest.run(settings(root), [SOURCES], dry_run=False, ask_again=False, say=lambda _: None)
    names = sorted(json.loads((root / "_manifest.json").read_text())["sources"])
    random.Random(seed).shuffle(names)

    for name in names:
        _take_back_with_what_follows(root, name)
        faults = [fault for fault in audit(root).faults if "ingest: " not in fault and "no page links" not in fault]
        assert faults == []
        assert git(root, "status", "--porcelain") == ""

    assert json.loads((root / "_manifest.json").read_text())["sources"] == {}
    assert [path for path in root.glob("*/*.md") if path.parent.name != "sources"] == []


def _take_back_with_what_follows(root: Path, name: str) -> None:
    """As a user would: what is in the way is named, and goes along."""
    names: list[str] = [name]
    try:
        report = edit.undo_commits(settings(root), names, dry_run=False)
    except ConfigError as error:
        assert error.code == "undo_unknown"  # it went along with another one
        return
    if not report.ok:
        names = report.data["next"].partition("curate undo ")[2].partition(";")[0].split(" ")
        assert edit.undo_commits(settings(root), names, dry_run=False).ok


def test_a_source_whose_ingest_git_reverted_can_be_taken_in_again(root: Path) -> None:
    text = "# Kiln Ostra\n\nThe kiln Ostra is heavy.\n"
    curate(root, "ingest", str(drop(root, "kiln.md", text)))
    git(root, "revert", "--no-edit", "HEAD")
    source = drop(root, "kiln.md", text)

    told = curate(root, "status").data
    assert ([each["source"] for each in told["undone"]], told["unrecorded"]) == (["sources/kiln.md"], [])
    with Repository(root) as repository:
        why = LeftAlone(repository).why("sources/kiln.md")
    assert why == "it was taken back; curate ingest sources/kiln.md takes it in again"

    page = "---\nschema: knowledge/v1\nslug: mine\nkind: concept\ntitle: Mine\n---\n\n# Mine\n\nIt is heavy. [^1]\n\n"
    (root / "concepts").mkdir(exist_ok=True)
    (root / "concepts" / "mine.md").write_text(f'{page}[^1]: sources/kiln.md#L3 "The kiln Ostra is heavy."\n', "utf-8")
    git(root, "add", "concepts")
    git(root, "commit", "-qm", "by hand")
    assert curate(root, "ingest", str(source)).status == 0


def test_of_two_ingests_of_the_same_bytes_with_another_between_them_the_newest_goes_alone(root: Path) -> None:
    for litres in (40, 50, 40):
        for page in root.glob("summaries/*.md"):
            assert curate(root, "remove", page.stem, "--why", "not wanted").status == 0
        source = drop(root, "pump.md", f"# Station\n\nPump Orlla delivers {litres} litres a minute.\n")
        assert curate(root, "ingest", str(source)).status == 0

    assert curate(root, "undo", "sources/pump.md").status == 0

    assert git(root, "show", "-s", "--format=%B").count("Curator-Undone: ") == 1
    assert "sources/pump.md" in (root / "_manifest.json").read_text()


def test_an_ingest_whose_revert_was_reverted_is_not_left_alone_by_the_service(root: Path) -> None:
    source = drop(root, "kiln.md", "# Kiln Ostra\n\nThe kiln Ostra is heavy.\n")
    curate(root, "ingest", str(source))
    with Repository(root) as repository:
        left_alone = LeftAlone(repository)
        git(root, "revert", "--no-edit", "HEAD")
        drop(root, "kiln.md", "# Kiln Ostra\n\nThe kiln Ostra is heavy.\n")
        assert left_alone.why("sources/kiln.md")
        source.unlink()
        git(root, "revert", "--no-edit", "HEAD")
        assert left_alone.why("sources/kiln.md") == ""
