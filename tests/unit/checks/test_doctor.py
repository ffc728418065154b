"""``curate doctor`` as a whole: healthy wikis, what it reports and how, and that it changes nothing unless told to."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from curator.checks.diagnosis import Diagnosis
from curator.cli import cli
from curator.cli.commands import doctor, init
from curator.errors import ConfigError
from curator.repository.settings import Settings
from support.examined import codes, diagnoses, run, with_two_ingests
from support.places import SAMPLE
from support.wikis import git


def state(root: Path) -> dict[str, bytes]:
    """Every file of the wiki and of its git, but what is only cached and only looked at."""
    files = (file for file in root.rglob("*") if file.is_file())
    kept = (f for f in files if not f.name.startswith(("catalogue-", "facts-")) and f.name != "lock")
    return {str(f): f.read_bytes() for f in kept}


def no_wiki() -> Settings:
    raise ConfigError("not_a_wiki", "there is no KNOWLEDGE.md here")


# -- healthy ------------------------------------------------------------------------------------------------------


def test_a_new_wiki_is_healthy(root: Path) -> None:
    report = run(root)

    assert report.data["findings"] == []
    assert report.exit_status == 0
    assert report.lines[-1] == "healthy"


def test_a_wiki_that_grows_stays_healthy(wiki: Path) -> None:
    assert codes(wiki) == []


def test_the_sample_wiki_brought_along_without_its_history_is_healthy(tmp_path: Path) -> None:
    shutil.copytree(SAMPLE, tmp_path / "wiki")
    git(tmp_path / "wiki", "init", "-q", "-b", "main")
    git(tmp_path / "wiki", "add", "-A")
    git(tmp_path / "wiki", "commit", "-q", "-m", "Brought along")

    assert codes(tmp_path / "wiki") == ["source_waiting"]


def test_a_wiki_in_a_folder_of_a_repository_is_healthy(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "README.md").write_text("code\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Code")
    init.run(tmp_path / "docs" / "wiki", "Tea")
    with_two_ingests(tmp_path / "docs" / "wiki")
    (tmp_path / "concepts.md").write_text("not the wiki's\n")

    assert codes(tmp_path / "docs" / "wiki") == []


def test_a_wiki_with_sha256_objects_is_healthy(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256")
    init.run(tmp_path, "Tea")
    with_two_ingests(tmp_path)

    assert codes(tmp_path) == []


def test_a_linked_work_tree_is_healthy(wiki: Path) -> None:
    git(wiki, "worktree", "add", "-q", "-b", "other", "../other")

    assert codes(wiki.parent / "other") == []


# -- what is reported ---------------------------------------------------------------------------------------------


def test_the_machine_is_told_as_it_was_proven(root: Path) -> None:
    data = run(root).data

    assert set(data["machine"]["sandbox"]) == {"read", "curate", "complete"}
    assert data["machine"]["sandbox"]["read"]["level"] in ("strong", "medium", "weak")
    assert data["machine"]["git"].startswith("2.")
    for name in ("work_tree", "git_directory"):
        assert data[name]["hard_links"] and data[name]["flock"] and data[name]["free"] > 0
    assert data["repository"]["object_format"] == "sha1"
    assert data["runtime"]["replies"] == {"files": 0, "bytes": 0}


def test_each_finding_has_a_code_a_sentence_and_a_repair(root: Path) -> None:
    (root / "_index.md").write_text("# Index\n")
    (root / "concepts" / "tea.md").write_text("No head.\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "By hand")

    findings = run(root).data["findings"]

    assert [finding["code"] for finding in findings] == ["frontmatter_missing", "index_stale"]
    for finding in findings:
        assert finding["message"] and finding["repair"] and finding["path"] and finding["severity"]
    assert [finding["mends"] for finding in findings] == [False, True]


def test_the_command_line_prints_one_object(root: Path) -> None:
    done = CliRunner().invoke(cli, ["--json", "--wiki", str(root), "doctor"], standalone_mode=False)

    found = json.loads(done.stdout)
    assert (found["ok"], found["command"], found["findings"], done.return_value) == (True, "doctor", [], 0)


def test_of_many_findings_of_one_kind_a_person_is_shown_some(root: Path) -> None:
    for number in range(13):
        (root / "concepts" / f"tea-{number}.md").write_text("No head.\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "By hand")

    lines = run(root).lines

    assert sum(line.startswith("warn ") for line in lines) == 10
    assert "      and 3 more of frontmatter_missing: curate --json doctor" in lines
    assert lines[-1] == "1 error(s), 13 warning(s); 'curate doctor --repair' mends 1"


def test_a_name_with_control_characters_is_printed_as_text(root: Path) -> None:
    (root / "concepts" / "tea\x1b[2J.md").write_text("No head.\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "By hand")

    text = "\n".join(run(root).lines)

    assert "concepts/tea\\x1b[2J.md:1: frontmatter_missing" in text
    assert "\x1b" not in text


def test_without_a_wiki_the_machine_alone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    report = doctor.run(no_wiki, None, False, False, lambda _: None)

    assert report.data["wiki"] is None
    assert report.lines[-1] == "no wiki here: 'curate init' makes one"


def test_a_wiki_that_was_named_has_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no KNOWLEDGE.md"):
        doctor.run(no_wiki, tmp_path, False, False, lambda _: None)


@pytest.mark.parametrize("is_named", [True, False])
def test_a_wiki_that_lost_its_contract_is_found(root: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool) -> None:
    (root / "KNOWLEDGE.md").unlink()
    monkeypatch.chdir(root / "concepts")

    report = doctor.run(no_wiki, root if is_named else None, False, False, lambda _: None)

    assert [finding["code"] for finding in report.data["findings"]] == ["knowledge_missing"]
    assert report.exit_status == 1
    git(root, *report.data["findings"][0]["repair"].split()[1:])
    assert codes(root) == []


def test_a_repository_without_a_commit_is_a_finding(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "KNOWLEDGE.md").write_text("# Tea\n")

    assert codes(tmp_path) == ["no_commit", "not_committed"]


def test_a_broken_configuration_is_a_finding(root: Path) -> None:
    (root / ".git" / "curator").mkdir(exist_ok=True)
    (root / ".git" / "curator" / "curator.toml").write_text("modell = 'x'\n")

    report = run(root)

    assert [finding["code"] for finding in report.data["findings"]] == ["config_unknown_key"]
    assert report.exit_status == 1


# -- what is changed ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"dry_run": True}, {"repair": True, "dry_run": True}])
def test_nothing_is_changed_without_repair(wiki: Path, options: dict[str, bool]) -> None:
    (wiki / "_index.md").write_text("# Index\n")
    git(wiki, "commit", "-q", "-am", "Index by hand")
    before = state(wiki)

    report = run(wiki, **options)

    assert state(wiki) == before
    assert report.exit_status == 1


def test_a_dry_run_says_what_would_be_done_and_shows_the_diff(wiki: Path) -> None:
    (wiki / "_index.md").write_text("# Index\n")
    git(wiki, "commit", "-q", "-am", "Index by hand")

    data = run(wiki, repair=True, dry_run=True).data

    assert data["would"] == ["_index.md: made anew from the pages"]
    assert "+- [[oolong]] Oolong" in data["diff"]
    assert data["commit"] is None


def test_a_repair_is_one_commit_with_a_manual_event(wiki: Path) -> None:
    (wiki / "_index.md").write_text("# Index\n")
    (wiki / "_manifest.json").write_text("{\n")
    git(wiki, "commit", "-q", "-am", "Both by hand")
    count = int(git(wiki, "rev-list", "--count", "HEAD"))

    report = run(wiki, repair=True)

    assert report.exit_status == 0
    assert report.data["findings"] == []
    assert int(git(wiki, "rev-list", "--count", "HEAD")) == count + 1
    assert git(wiki, "status", "--porcelain") == ""
    assert git(wiki, "log", "-1", "--format=%H") == report.data["commit"]
    last = (wiki / "_log.md").read_text().rsplit("## ", 1)[1]
    assert "manual | curate doctor --repair" in last
    assert "- _index.md: made anew from the pages" in last
    assert "- _manifest.json: made anew from the commits" in last


def test_what_stands_in_the_way_of_a_repair_is_told(wiki: Path) -> None:
    (wiki / "_index.md").write_text("# Index\n")
    git(wiki, "commit", "-q", "-am", "Index by hand")
    (wiki / "_log.md").write_text("mine\n")

    report = run(wiki, repair=True)

    assert report.exit_status == 1
    assert report.data["repaired"] == []
    assert "_log.md" in report.data["failed"][0]
    assert (wiki / "_log.md").read_text() == "mine\n"


def test_a_healthy_wiki_gets_no_commit(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")

    report = run(root, repair=True)

    assert report.exit_status == 0
    assert git(root, "rev-parse", "HEAD") == head
    assert "commit" not in report.data


def test_no_part_that_fails_stops_the_others(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(wiki: object) -> Iterator[Diagnosis]:
        raise OSError(5, "Input/output error", "/disk")
        yield

    monkeypatch.setattr("curator.checks.doctor.examination.PARTS", (("the disk", broken),))
    (root / "_index.md").write_text("# Index\n")
    (root / "concepts" / "tea.md").write_text("---\nslug: tea\n---\nTea.\n")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "By hand")

    found = {diagnosis.finding.code: diagnosis for diagnosis in diagnoses(root)}

    assert "Input/output error" in found["not_examined"].finding.message
    assert "index_stale" in found
