"""The door: exit statuses, ``--json`` for whatever happens, interrupts, and what is passed on to the commands."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from curator import cli
from curator.cli import console
from curator.config import Config
from curator.errors import (
    ConfigError,
    Conflict,
    CuratorError,
    GitError,
    ModelError,
    ProposalError,
    Rejected,
    SourceError,
)
from curator.finding import Finding
from curator.models import choose
from curator.models.port import Model
from curator.repository.runtime.runtime import Runtime
from curator.version import __version__
from support.asked import planted
from support.depth import with_light_litellm
from support.endpoint import Endpoint, Reply
from support.fakes import ScriptedModel
from support.lints import page
from support.waiting import PATIENCE, until
from support.wikis import OOLONG, drop, git


def curate(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """``curate`` as its users run it."""
    command = [sys.executable, "-P", "-m", "curator", *arguments]
    return subprocess.run(
        command, env={**os.environ, **env}, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """``curate`` without a process of its own: its exit status, stdout and stderr."""
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["curate", *arguments])
            for stream in (sys.stdout, sys.stderr):
                patch.setattr(stream, "reconfigure", lambda **_: None, raising=False)
            cli.main()
    except SystemExit as end:
        return int(end.code or 0), *capsys.readouterr()
    raise AssertionError("main always exits")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The answers of the model that is asked, whatever the configuration says."""
    answers: list[Any] = []

    @contextmanager
    def open_scripted(*_: object) -> Iterator[Model]:
        yield ScriptedModel(tuple(answers))

    monkeypatch.setattr(choose, "open_model", open_scripted)
    yield answers


# -- exit statuses and JSON ---------------------------------------------------------------------------------------


def test_what_is_done_is_status_0(root: Path, capsys: pytest.CaptureFixture[str], scripted: list[Any]) -> None:
    scripted.append(OOLONG)

    status, out, err = run(capsys, "--wiki", str(root), "ingest", str(drop(root)))

    assert status == 0
    assert out.startswith("ingested   sources/oolong-notes.txt: commit ")
    assert err == "curated by scripted/model\noolong-notes.txt …\n"


ERRORS = [
    (SourceError("no_good", "why", "mend it"), "refused", "mend it"),
    (Conflict("in_the_way", "why", "wait"), "held", "wait; then: curate ingest sources/oolong-notes.txt"),
    (GitError("git_failed", "why", "git fsck"), "held", "git fsck; then: curate ingest sources/oolong-notes.txt"),
    (ModelError("down", "why", retryable=True), "parked", "curate ingest sources/oolong-notes.txt"),
    (
        ProposalError("cut_off", "why", "split it"),
        "parked",
        "ask a language model: curate ingest --model NAME sources/oolong-notes.txt",
    ),
]


@pytest.mark.parametrize(("error", "outcome", "following"), ERRORS, ids=lambda value: getattr(value, "code", None))
def test_a_source_that_fails_is_a_result_with_reason_and_next_step(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    scripted: list[Any],
    error: CuratorError,
    outcome: str,
    following: str,
) -> None:
    scripted.append(error)
    file = drop(root)
    before = git(root, "rev-parse", "HEAD")

    status, out, err = run(capsys, "--json", "--wiki", str(root), "ingest", str(file))

    assert (status, err) == (1, "")
    report = json.loads(out)
    assert (report["ok"], report["command"]) == (False, "ingest")
    told = [{k: v for k, v in result.items() if k not in ("general", "again_in")} for result in report["results"]]
    assert told == [
        {
            "source": "sources/oolong-notes.txt",
            "status": outcome,
            "commit": None,
            "created": [],
            "updated": [],
            "tokens": None,
            "cost": None,
            "model": None,
            "reason": "why",
            "code": error.code,
            "next": following,
            "findings": [],
            "passes": outcome == "held" or getattr(error, "retryable", False),
        }
    ]
    assert git(root, "rev-parse", "HEAD") == before
    assert git(root, "status", "--porcelain") == "?? sources/oolong-notes.txt"
    _, out, _ = run(capsys, "status", "--json", "--wiki", str(root))
    (parked,) = json.loads(out)["parked"]
    assert (parked["source"], parked["reason"], parked["next"]) == ("sources/oolong-notes.txt", "why", following)


def test_a_rejected_proposal_shows_every_finding_and_how_to_ask_anew(
    root: Path, capsys: pytest.CaptureFixture[str], scripted: list[Any]
) -> None:
    findings = (Finding("page_shrunk", "concepts/tea.md", "it lost half"), Finding("link_broken", "a.md", "no [[b]]"))
    scripted.append(Rejected(findings))

    status, out, _ = run(capsys, "--wiki", str(root), "ingest", "--model", "openai/a b", str(drop(root)))

    assert status == 1
    assert out.splitlines() == [
        "parked     sources/oolong-notes.txt: the proposal breaks 2 rule(s): link_broken, page_shrunk",
        "  page_shrunk: it lost half",
        "  link_broken: no [[b]]",
        "  next: fix the source or choose another --model; or ask anew: "
        "curate ingest --ask-again --model 'openai/a b' sources/oolong-notes.txt",
    ]


def test_one_bad_source_does_not_keep_the_others_out(
    root: Path, capsys: pytest.CaptureFixture[str], scripted: list[Any]
) -> None:
    scripted += [ProposalError("x", "why"), OOLONG]
    drop(root, "a.txt")
    drop(root)

    status, out, _ = run(capsys, "--json", "--wiki", str(root), "ingest", str(root / "sources"))

    assert status == 1
    assert [result["status"] for result in json.loads(out)["results"]] == ["parked", "ingested"]


def test_a_source_that_comes_in_waits_no_longer(
    root: Path, capsys: pytest.CaptureFixture[str], scripted: list[Any]
) -> None:
    scripted.append(ProposalError("x", "why"))
    file = drop(root)
    run(capsys, "--wiki", str(root), "ingest", str(file))
    scripted[:] = [OOLONG]

    run(capsys, "--wiki", str(root), "ingest", "--dry-run", str(file))
    still = json.loads(run(capsys, "--json", "--wiki", str(root), "status")[1])["parked"]
    run(capsys, "--wiki", str(root), "ingest", str(file))
    then = json.loads(run(capsys, "--json", "--wiki", str(root), "status")[1])["parked"]

    assert (len(still), then) == (1, [])


def test_a_dry_run_writes_nothing_and_shows_the_diff(
    root: Path, capsys: pytest.CaptureFixture[str], scripted: list[Any], tmp_path: Path
) -> None:
    scripted.append(OOLONG)
    file = drop(root)
    file = file.rename(tmp_path / file.name)
    before = git(root, "rev-parse", "HEAD")

    status, out, _ = run(capsys, "--json", "--wiki", str(root), "ingest", "--dry-run", str(file))

    (result,) = json.loads(out)["results"]
    assert (status, result["status"], result["commit"]) == (0, "ingested", None)
    assert "+++ b/concepts/oolong.md\n" in result["diff"]
    assert git(root, "rev-parse", "HEAD") == before
    assert git(root, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("config set parallel 2", "+parallel = 2"),
        ("config unset review --user", '-review = "always"'),
        ("review reject oolong --why draft", "would reject oolong-notes-"),
        ("skip sources/oolong-notes.txt", "would skip sources/oolong-notes.txt"),
        ("retry --all", "would retry all that does not go on"),
        ("trust", "would count from now on: "),
        ("packs disable .", "would be disabled: tea"),
        ("packs approve .", "would be approved: tea as it is now"),
    ],
)
def test_a_dry_run_of_what_changes_no_page_writes_nothing_either(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    scripted: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    arguments: str,
    said: str,
) -> None:
    users = Path(os.environ["XDG_CONFIG_HOME"]) / "curator"
    monkeypatch.chdir(root)
    run(capsys, "config", "set", "review", "always", "--user")
    run(capsys, "config", "set", "parallel", "3")
    scripted.append(OOLONG)
    run(capsys, "ingest", str(drop(root)))

    def written() -> dict[Path, bytes]:
        places = (root / ".git" / "curator", users)
        files = (file for place in places for file in place.rglob("*") if file.is_file() and ".db" not in file.name)
        return {file: file.read_bytes() for file in files}

    before = written()

    status, out, _ = run(capsys, *arguments.split(), "--dry-run")

    assert (status, said in out, written() == before) == (0, True, True), out
    assert run(capsys, *arguments.split())[0] == 0
    assert written() != before


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["frobnicate"], None),
        (["ingest"], "ingest"),
        (["ingest", ""], "ingest"),
        (["log", "--limit", "0"], "log"),
        (["status", "--frobnicate"], "status"),
        (["--frobnicate", "status"], None),
        (["search"], "search"),
        (["review", "reject", "x"], "review reject"),
        (["service", "install", "--bogus"], "service install"),
        (["config", "get"], "config get"),
        (["review", "frobnicate"], "review"),
    ],
)
def test_a_wrong_command_line_is_status_2_and_one_object(
    capsys: pytest.CaptureFixture[str], arguments: list[str], name: str | None
) -> None:
    status, out, err = run(capsys, "--json", *arguments)

    report = json.loads(out)
    assert (status, err) == (2, "")
    assert (report["ok"], report["command"], report["error"]["code"]) == (False, name, "usage")
    assert report["error"]["message"]
    assert report["error"]["hint"]


@pytest.mark.parametrize(
    ("arguments", "status", "found"),
    [
        (("tea",), 0, ["oolong", "wheel"]),
        (("tea", "-jws"), 0, ["oolong"]),
        (("tea", "-jws", "--limit", "1", "--json"), 0, ["oolong"]),
        (("tea", "-news", "-hash", "-jws"), 0, ["oolong"]),
        (("tea", "-n1"), 0, ["oolong"]),
        (("tea", "-n", "1", "-jws"), 0, ["oolong"]),
        (("tea", "--", "-jws"), 0, ["oolong"]),
        (("tea", "--jws"), 2, None),
        (("tea", "-n"), 2, None),
        (("-jws", "tea"), 2, None),
    ],
)
def test_a_word_behind_a_minus_is_left_out_of_a_search(
    root: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], status: int, found: list[str] | None
) -> None:
    planted(
        root, page("oolong", "Oolong is tea."), page("wheel", "A wheel of tea is signed by jws, as was said before.")
    )

    ended, out, _ = run(capsys, "--wiki", str(root), "--json", "search", *arguments)

    data = json.loads(out)
    assert (ended, data["ok"]) == (status, status == 0)
    assert found is None or [hit["slug"] for hit in data["hits"]] == found


@pytest.mark.parametrize("command", [["status"], ["log"], ["search", "x"], ["ingest", "x.md"]])
def test_an_environment_that_is_not_right_is_status_2_and_one_object(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str]
) -> None:
    status, out, err = run(capsys, *command, "--wiki", str(tmp_path), "--json")

    report = json.loads(out)
    assert (status, err) == (2, "")
    assert (report["ok"], report["command"], report["error"]["code"]) == (False, command[0], "not_a_wiki")


@pytest.mark.parametrize("place", ["before", "behind"])
def test_the_common_options_stand_before_the_command_or_behind_it(
    root: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    common = ["--json", "--wiki", str(root)]

    status, out, _ = run(capsys, *([*common, "status"] if place == "before" else ["status", *common]))

    assert status == 0
    assert json.loads(out)["wiki"] == str(root)


def test_init_makes_the_folder_it_is_told_whatever_the_environment_says(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATOR_WIKI", str(root))

    status, out, _ = run(capsys, "init", str(tmp_path / "other"), "--json")

    assert status == 0
    assert json.loads(out)["wiki"] == str(tmp_path / "other")


@pytest.mark.parametrize("word", ["--help", "-h", "--version"])
def test_help_is_status_0(capsys: pytest.CaptureFixture[str], word: str) -> None:
    assert run(capsys, word)[0] == 0


@pytest.mark.parametrize("arguments", [["--json", "--version"], ["--version", "--json"]])
def test_the_version_is_an_object_too(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run(capsys, "--version") == (0, f"curate, version {__version__}\n", "")

    status, out, _ = run(capsys, *arguments)

    assert (status, json.loads(out)) == (0, {"ok": True, "command": "version", "version": __version__})


def test_what_the_system_refuses_is_said_without_a_traceback(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device", "/some/file")

    monkeypatch.setattr(Runtime, "parked", refuse)

    status, out, err = run(capsys, "--wiki", str(root), "status")

    assert (status, out) == (2, "")
    assert err.startswith("curate status: the system says: No space left on device: '/some/file'\n")


@pytest.mark.parametrize("command", [("init",), ("fork",), ("help", "--man", "--to")])
@pytest.mark.parametrize("place", ["/proc/x", "file.txt"])
def test_a_place_where_no_folder_can_be_is_the_users_to_change(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    place: str,
) -> None:
    (root.parent / "file.txt").touch()
    monkeypatch.chdir(root.parent)

    status, out, err = run(capsys, "--wiki", str(root), *command, place)

    assert (status, out) == (2, "")
    assert f"{place}'" in err and "name" in err.splitlines()[1]


def test_a_fault_of_our_own_is_status_3_and_kept_for_its_report(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(Runtime, "parked", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    status, _, err = run(capsys, "--wiki", str(root), "status")

    assert status == 3
    assert "ZeroDivisionError: oops" in err
    (crash,) = tmp_path.glob("curate-crash-*.log")
    assert "Traceback" in crash.read_text()


# -- the terminal -------------------------------------------------------------------------------------------------


def test_a_reader_that_has_enough_is_no_fault(root: Path) -> None:
    shell = f'"{sys.executable}" -P -m curator --wiki "{root}" --json status | true; echo ${{PIPESTATUS[0]}}'

    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_report_that_cannot_be_written_is_said(root: Path) -> None:
    command = [sys.executable, "-P", "-m", "curator", "--wiki", str(root), "status"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert done.returncode == 2
    assert done.stderr.startswith("curate: the system says: No space left on device")
    assert "Traceback" not in done.stderr


def test_progress_on_a_terminal_takes_names_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)

    with console.progress(console.CommonOptions(None, False)) as say:
        say("a[/b].md …")
        say("[bold]")


# -- interrupts ---------------------------------------------------------------------------------------------------


def _heed_ctrl_c() -> None:
    """A shell has its background jobs ignore Ctrl-C, and their children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_ctrl_c_while_the_model_thinks_changes_nothing(root: Path) -> None:
    file = drop(root)
    before = git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")
    command = [sys.executable, "-P", "-m", "curator", "--wiki", str(root), "ingest", str(file), "--model", "openai/x"]

    with Endpoint(lambda _: Reply("too late", delay=2 * PATIENCE)) as endpoint:
        env = {**os.environ, "CURATOR_API_BASE": endpoint.url, "OPENAI_API_KEY": "sk-none", **with_light_litellm()}
        started = subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_heed_ctrl_c
        )
        until(lambda: bool(endpoint.requests))
        started.send_signal(signal.SIGINT)
        out, err = started.communicate(timeout=PATIENCE)

    assert started.returncode == 130
    assert out == ""
    assert err.endswith(
        "curate ingest: interrupted; nothing is left half done\n  'curate log' shows what was taken in\n"
    )
    assert (git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain")) == before
    assert list((root / ".git" / "curator" / "spool").iterdir()) == []
    assert json.loads(curate("--json", "--wiki", str(root), "status").stdout)["parked"] == []


# -- what is passed on --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("flags", [[], ["--ask-again"]])
def test_ask_again_reaches_the_provider(
    root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, flags: list[str]
) -> None:
    seen: list[tuple[str, bool]] = []

    class Provider:
        def __init__(self, config: Config, environment: object, runtime: object, ask_again: bool, *_: object) -> None:
            seen.append((config.model, ask_again))
            raise ConfigError("enough", "seen enough", "go on")

    monkeypatch.setattr("curator.models.llm.provider.Provider", Provider)

    status, _, err = run(capsys, "--wiki", str(root), "ingest", "--model", "openai/x", *flags, str(drop(root)))

    assert (status, err) == (2, "curate ingest: seen enough\n  go on\n")
    assert seen == [("openai/x", bool(flags))]
