"""``curate lint``: exit status, outputs, the event in the log, what --fix mends, and others at work beside it."""

from __future__ import annotations

import fcntl
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from curator.checks.lint import formats
from curator.cli.commands import init
from curator.finding import Finding
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import Runtime
from curator.wiki import log
from support.curates import curate_words
from support.lints import TEA_TEXT, commit, examined, page, plant, run, taken_in
from support.wikis import drop, git

LOST = "It leads [[nowhere]]. [^tea-1]"


def events(root: Path) -> list[log.LogEvent]:
    return [event for event in log.parse((root / "_log.md").read_text("utf-8")) if event.type == "lint"]


# -- exit status and choice ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fail_on", "status"), [("error", 0), ("warn", 1), ("info", 1), ("never", 0)], ids=lambda value: str(value)
)
def test_the_exit_status_is_by_severity(root: Path, fail_on: str, status: int) -> None:
    plant(root, page("oolong", "It is good."))

    assert run(root, fail_on=fail_on).exit_status == status


def test_a_sound_wiki_ends_with_0_whatever_it_fails_on(root: Path) -> None:
    assert run(root, fail_on="info").exit_status == 0


def test_an_error_ends_with_1(root: Path) -> None:
    plant(root, page("oolong", LOST))

    report = run(root)

    assert (report.exit_status, report.ok) == (1, False)
    assert report.data["counts"]["error"] == 1
    (fault,) = [fault for fault in report.data["findings"] if fault["severity"] == "error"]
    assert fault == {
        "code": "link_broken",
        "path": "concepts/oolong.md",
        "line": 13,
        "message": "links to a missing page: nowhere",
        "severity": "error",
        "hint": "make that page, correct the link, or write the words without a link",
    }


def test_only_some_codes_and_nothing_in_the_log(root: Path) -> None:
    plant(root, page("oolong", f"{LOST}\n\nIt is good."))

    report = run(root, only=frozenset({"claim_uncited"}))

    assert {fault["code"] for fault in report.data["findings"]} == {"claim_uncited"}
    assert report.exit_status == 0
    assert not events(root)


# -- outputs -------------------------------------------------------------------------------------------------------

AWKWARD = Finding("odd,code", "a b/%41,c.md", "100 %\nof: it, all", 3, "warn", "do: this")


def test_annotations_escape_what_github_would_read() -> None:
    (line,) = formats.github([AWKWARD], "wiki:1/")

    assert line == (
        "::warning file=wiki%3A1/a b/%2541%2Cc.md,line=3,title=odd%2Ccode::100 %25%0Aof: it, all%0Ado: this"
    )


def test_annotations_name_files_from_the_top_of_the_repository(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    init.run(tmp_path / "wiki", "Tea")
    plant(tmp_path / "wiki", page("oolong", LOST))

    lines = run(tmp_path / "wiki", form="github").lines

    assert any(line.startswith("::error file=wiki/concepts/oolong.md,line=13,title=link_broken::") for line in lines)


def test_sarif_has_the_shape_that_readers_want(root: Path) -> None:
    plant(root, page("oolong", LOST))

    report = run(root, form="sarif")
    value = json.loads("\n".join(report.lines))

    assert value["version"] == "2.1.0" and value["$schema"].endswith("sarif-2.1.0.json")
    (made,) = value["runs"]
    rules = [rule["id"] for rule in made["tool"]["driver"]["rules"]]
    assert rules == sorted(set(rules))
    for result in made["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
        assert len(result["partialFingerprints"]["finding/v1"]) == 64
    broken = next(result for result in made["results"] if result["ruleId"] == "link_broken")
    assert broken["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "concepts/oolong.md", "uriBaseId": "SRCROOT"},
                "region": {"startLine": 13},
            }
        }
    ]


def test_sarif_paths_are_uris_and_files_without_a_line_have_no_region() -> None:
    value = json.loads(formats.sarif([AWKWARD, Finding("x", "sources/ü.txt", "gone")], ""))

    one, two = (result["locations"][0]["physicalLocation"] for result in value["runs"][0]["results"])

    assert one["artifactLocation"]["uri"] == "a%20b/%2541%2Cc.md"
    assert two == {"artifactLocation": {"uri": "sources/%C3%BC.txt", "uriBaseId": "SRCROOT"}}


def test_people_are_shown_so_many_of_a_code(root: Path) -> None:
    plant(root, *(page(f"tea-{number}", LOST) for number in range(25)))

    lines = run(root, form="text").lines

    assert sum("link_broken: links" in line for line in lines) == 20
    assert "      and 5 more of link_broken: curate lint --json --only link_broken" in lines


# -- the log -------------------------------------------------------------------------------------------------------


def test_the_event_goes_into_a_commit_of_its_own(root: Path) -> None:
    plant(root, page("oolong", LOST))
    looked_at = git(root, "rev-parse", "HEAD")

    report = run(root)

    assert report.data["log"]["commit"] == git(root, "rev-parse", "HEAD")
    assert git(root, "diff", "--name-only", "HEAD^", "HEAD") == "_log.md"
    assert git(root, "status", "--porcelain") == ""
    (event,) = events(root)
    assert event.subject == "2 pages: 1 error, 1 warning, 1 note"
    assert event.bullets == (
        "link_broken: 1 error",
        "source_unregistered: 1 warning",
        "entry_unlinked: 1 note",
        f"looked at commit {looked_at[:12]}",
    )
    assert git(root, "log", "-1", "--format=%s") == "lint: 2 pages: 1 error, 1 warning, 1 note"


def test_every_pass_is_told_also_the_second_of_a_day(root: Path) -> None:
    plant(root, page("oolong", LOST))
    run(root)
    again = run(root)

    assert again.data["log"] == {"commit": git(root, "rev-parse", "HEAD"), "why": ""}
    first, second = events(root)
    assert (first.subject, first.bullets[:-1]) == (second.subject, second.bullets[:-1])


def test_another_result_and_another_wiki_are_told_at_once(root: Path) -> None:
    plant(root, page("oolong"))
    run(root)

    drop(root, "tea.txt", "Other words.\n")
    run(root)
    assert [event.subject.partition(": ")[2] for event in events(root)] == [
        "0 errors, 1 warning, 1 note",
        "1 error, 1 warning, 1 note",
    ]

    commit(root)
    run(root)
    assert len(events(root)) == 3


def test_without_a_log_and_in_a_dry_run_nothing_is_written(root: Path) -> None:
    plant(root, page("oolong", LOST))
    head, before = git(root, "rev-parse", "HEAD"), (root / "_log.md").read_bytes()

    run(root, logs=False)
    told = run(root, dry_run=True, fix=True)

    assert git(root, "rev-parse", "HEAD") == head
    assert (root / "_log.md").read_bytes() == before
    assert told.data["log"]["why"] == "nothing is written in a dry run"


def test_a_lint_event_leaves_the_wiki_sound(root: Path) -> None:
    taken_in(root)
    run(root)

    assert [fault for fault in examined(root).findings if fault.severity != "info"] == []


# -- --fix ---------------------------------------------------------------------------------------------------------


def with_faults(root: Path) -> None:
    moved = 'It is tea. [^t-1]\n\n[^t-1]: sources/tea.txt#L3 "Oolong is partly oxidised."'
    plant(root, page("oolong", moved, contradicts="[assam]"), page("assam"))
    (root / "_index.md").write_text("# Index\n")
    commit(root)


def test_what_is_mechanical_is_fixed_in_one_commit(root: Path) -> None:
    with_faults(root)
    head = git(root, "rev-parse", "HEAD")

    report = run(root, fix=True)

    assert sorted(report.data["fixed"]) == [
        "[[assam]]: it contradicts [[oolong]], as that page says",
        "[[oolong]]: citations point to where their words stand",
        "_index.md: made anew from the pages",
    ]
    fix = report.data["fix_commit"]
    assert git(root, "rev-parse", f"{fix}^") == head
    assert git(root, "diff", "--name-only", f"{fix}^", fix).split() == [
        "_index.md",
        "_log.md",
        "concepts/assam.md",
        "concepts/oolong.md",
    ]
    left = {fault["code"] for fault in report.data["findings"]}
    assert not left & {"evidence_moved", "contradiction_one_sided", "index_stale"}
    assert "contradiction_unresolved" in left
    assert 'sources/tea.txt#L1 "Oolong' in (root / "concepts" / "oolong.md").read_text("utf-8")
    told = log.parse((root / "_log.md").read_text("utf-8"))[-2:]
    assert [event.type for event in told] == ["manual", "lint"]
    assert told[0].subject == "curate lint --fix"
    assert git(root, "status", "--porcelain") == ""


def test_fixing_twice_changes_nothing(root: Path) -> None:
    with_faults(root)
    run(root, fix=True, logs=False)
    head = git(root, "rev-parse", "HEAD")

    again = run(root, fix=True, logs=False)

    assert again.data["fixed"] == [] and git(root, "rev-parse", "HEAD") == head


def test_a_dry_run_shows_what_would_be_fixed(root: Path) -> None:
    with_faults(root)
    head = git(root, "rev-parse", "HEAD")

    report = run(root, fix=True, dry_run=True)

    assert '+[^t-1]: sources/tea.txt#L1 "Oolong is partly oxidised."' in report.data["diff"]
    assert git(root, "rev-parse", "HEAD") == head


def test_only_what_is_named_is_fixed(root: Path) -> None:
    with_faults(root)

    report = run(root, fix=True, only=frozenset({"index_stale"}))

    assert report.data["fixed"] == ["_index.md: made anew from the pages"]
    assert "#L3" in (root / "concepts" / "oolong.md").read_text("utf-8")


def test_a_page_with_edits_of_its_user_is_not_fixed_over_them(root: Path) -> None:
    with_faults(root)
    file = root / "concepts" / "oolong.md"
    file.write_text(file.read_text("utf-8") + "\nMine.\n", "utf-8")

    report = run(root, fix=True)

    assert report.data["fixed"] == [] and "nothing was fixed" in report.data["not_fixed"]
    assert file.read_text("utf-8").endswith("\nMine.\n")


# -- beside others -------------------------------------------------------------------------------------------------


def test_a_pass_beside_a_held_lock_reports_and_says_that_the_log_could_not_be_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(root, page("oolong", LOST))
    with Repository(root) as repository:
        lock = repository.runtime.folder / "lock"
    waits = Runtime.lock

    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        monkeypatch.setattr(Runtime, "lock", lambda self, seconds=0, name="lock": waits(self, 0, name))
        report = run(root)

    assert report.exit_status == 1
    assert report.data["log"]["commit"] is None
    assert "another curate is writing" in report.data["log"]["why"]
    assert not events(root)


def test_a_detached_head_can_be_looked_at(root: Path) -> None:
    plant(root, page("oolong", LOST))
    git(root, "switch", "-q", "--detach")

    report = run(root)

    assert "HEAD is detached" in report.data["log"]["why"]
    assert report.data["counts"]["error"] == 1


def test_two_passes_at_once_leave_two_events_and_no_harm(root: Path) -> None:
    plant(root, *(page(f"tea-{number}", LOST) for number in range(12)))
    command = [*curate_words(), "--wiki", str(root), "--json", "lint"]

    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    said: list[dict[str, Any]] = [json.loads(process.communicate()[0]) for process in both]

    assert said[0]["counts"] == said[1]["counts"]
    assert len(events(root)) == 2
    assert git(root, "status", "--porcelain") == ""


def test_the_command_line(root: Path) -> None:
    plant(root, page("oolong", LOST))
    drop(root, "tea.txt", TEA_TEXT)

    def curate(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*curate_words(), "--wiki", str(root), "lint", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert curate("--sarif", "--json").returncode == 2
    assert curate("--only", "").returncode == 2
    assert curate("--github", "--no-log", "--fail-on", "never").stdout.startswith("::")
    done = curate("--only", "link_broken,claim_uncited")
    assert (done.returncode, done.stdout.count("\n")) == (1, 4)
