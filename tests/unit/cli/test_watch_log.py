"""What the service says of its work: quiet lines, and on a terminal how far it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator.cli.watch_log import WatchLog

WIKI = Path("/wikis/tea")
COMMIT = "git commit -m 'my edits' -- concepts/tea.md"


def result(source: str, status: str) -> dict[str, object]:
    return {"source": source, "status": status, "commit": "0123456789abcdef" if status == "ingested" else None}


def test_five_hundred_known_files_are_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    log = WatchLog("text")

    for number in range(500):
        log.line(WIKI, "queued", {"source": f"sources/{number}.md"})
        log.line(WIKI, "result", result(f"sources/{number}.md", "skipped"))
    log.at_work(is_idle=True)
    log.at_work(is_idle=True)

    (line,) = capfd.readouterr().err.splitlines()
    assert line.partition(" ")[2] == "tea known sources=500 reason=in the wiki already"


def test_json_has_every_event(capfd: pytest.CaptureFixture[str]) -> None:
    log = WatchLog("json")

    log.line(WIKI, "queued", {"source": "sources/a.md"})
    log.line(WIKI, "result", result("sources/a.md", "skipped"))
    log.at_work(is_idle=True)

    told = [json.loads(line)["event"] for line in capfd.readouterr().err.splitlines()]
    assert told == ["queued", "result"]


def test_a_terminal_is_told_how_far_the_work_is(capfd: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    times = iter((0.0, 60.0))
    log = WatchLog("text", said.append, lambda: next(times))
    for name in "abc":
        log.line(WIKI, "queued", {"source": f"sources/{name}.md"})

    log.at_work(is_idle=False)
    log.line(WIKI, "result", result("sources/a.md", "ingested"))
    log.at_work(is_idle=False)

    assert said == ["0 of 3 done", "", "1 of 3 done, about 2 min left"]
    (line,) = capfd.readouterr().err.splitlines()
    assert line.partition("  ")[2] == "ingested   sources/a.md: commit 0123456789ab"


def held(source: str, reason: str = "waiting for concepts/tea.md: it has uncommitted changes") -> dict[str, object]:
    return {**result(source, "held"), "reason": reason, "next": COMMIT + "; then: curate ingest " + source}


def test_a_held_source_says_what_lets_it_go_on_and_is_told_once(capfd: pytest.CaptureFixture[str]) -> None:
    log = WatchLog("text", lambda said: None)

    for _ in range(3):
        log.line(WIKI, "result", held("sources/a.md"))
    log.line(WIKI, "result", held("sources/a.md", "waiting for concepts/oolong.md: it has uncommitted changes"))
    log.line(WIKI, "result", result("sources/a.md", "ingested"))
    log.line(WIKI, "result", held("sources/a.md"))

    told = [line.partition("  ")[2].strip() for line in capfd.readouterr().err.splitlines()]
    first = [
        "held       sources/a.md: waiting for concepts/tea.md: it has uncommitted changes",
        f"next: {COMMIT}",
    ]
    second = ["held       sources/a.md: waiting for concepts/oolong.md: it has uncommitted changes", first[1]]
    assert told == [*first, *second, "ingested   sources/a.md: commit 0123456789ab", *first]


def test_a_proposal_that_waits_is_told_each_time_that_it_is_made(capfd: pytest.CaptureFixture[str]) -> None:
    log = WatchLog("text", lambda said: None)
    waits = {**held("sources/a.md", "the proposal a waits for a person"), "code": "review_needed"}

    log.line(WIKI, "result", waits)
    log.line(WIKI, "result", waits)

    assert capfd.readouterr().err.count("held       sources/a.md: the proposal a waits for a person") == 2


def test_one_known_source_is_one_source(capfd: pytest.CaptureFixture[str]) -> None:
    log = WatchLog("text", lambda said: None)

    log.line(WIKI, "result", result("sources/a.md", "skipped"))
    log.at_work(is_idle=True)

    assert capfd.readouterr().err.partition("  ")[2] == "skipped    1 source that is in already\n"
