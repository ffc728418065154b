"""A worker asks about a source and then commits it: what it has read and judged once it does not read and judge again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curator.cli import console
from curator.cli.commands import stream
from curator.cli.console import CommonOptions
from curator.models.sandbox import client
from curator.wiki.support.judge import Judge
from support.wikis import TEA, drop, git

SOURCE = "sources/oolong-notes.txt"


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was read in the jail and which claims were judged, as often as they were."""
    done: list[str] = []
    read, verdict = client.read_source, Judge._verdict

    def counted_read(spool: Any, *, name: str, **about: Any) -> Any:
        done.append(f"read {name}")
        return read(spool, name=name, **about)

    def counted_verdict(judge: Judge, claim: str, *about: Any) -> Any:
        done.append(f"judged {claim} {about}")
        return verdict(judge, claim, *about)

    monkeypatch.setattr(client, "read_source", counted_read)
    monkeypatch.setattr(Judge, "_verdict", counted_verdict)
    return done


def run(root: Path, questions: Iterator[dict[str, Any]]) -> list[str]:
    """What became of each of them."""
    answers: list[dict[str, Any]] = []
    settings = console.settings(CommonOptions(root, json=True), {})
    stream.run(settings, map(json.dumps, questions), answers.append)
    return [answer["status"] for answer in answers if "status" in answer]


def test_a_source_that_was_asked_about_is_not_read_and_judged_again_when_it_is_committed(
    root: Path, work: list[str]
) -> None:
    drop(root)

    def asked_then_committed() -> Iterator[dict[str, Any]]:
        yield {"source": SOURCE, "dry_run": True}
        assert f"read {SOURCE}" in work and any(each.startswith("judged ") for each in work)
        yield {"source": SOURCE}

    assert run(root, asked_then_committed()) == ["ingested", "ingested"]
    assert len(work) == len(set(work))
    assert SOURCE in git(root, "show", "--name-only", "--format=")


def test_other_bytes_under_its_name_are_read_and_judged(root: Path, work: list[str]) -> None:
    drop(root)

    def changed_in_between() -> Iterator[dict[str, Any]]:
        yield {"source": SOURCE, "dry_run": True}
        drop(root, text=TEA.replace("90 degrees", "95 degrees"))
        yield {"source": SOURCE}

    assert run(root, changed_in_between()) == ["ingested", "ingested"]
    assert work.count(f"read {SOURCE}") == 2
    pages = git(root, "show", "--format=", "--", "concepts")
    assert "95 degrees" in pages and "90 degrees" not in pages


def test_a_source_that_waits_is_read_and_worked_on_when_it_has_its_turn(root: Path, work: list[str]) -> None:
    drop(root)

    def in_turn() -> Iterator[dict[str, Any]]:
        yield {"source": SOURCE, "waits": True}
        assert work == [f"read {SOURCE}"]
        yield {"go_on": SOURCE}
        yield {"go_on": SOURCE}  # which comes too late

    assert run(root, in_turn()) == ["ingested"]


def test_what_came_in_while_a_source_waits_is_not_asked_about_again(root: Path) -> None:
    drop(root)
    drop(root, "twin.txt", TEA)

    def overtaken() -> Iterator[dict[str, Any]]:
        yield {"source": SOURCE, "waits": True}
        assert run(root, iter([{"source": "sources/twin.txt"}])) == ["ingested"]
        yield {"go_on": SOURCE}

    assert run(root, overtaken()) == ["duplicate"]


@pytest.mark.parametrize("becomes", [TEA.replace("90 degrees", "95 degrees"), ""])
def test_what_changed_or_went_while_it_waits_is_not_asked_about(root: Path, work: list[str], becomes: str) -> None:
    file = drop(root)

    def changed() -> Iterator[dict[str, Any]]:
        yield {"source": SOURCE, "waits": True}
        if becomes:
            drop(root, text=becomes)
        else:
            file.unlink()
        yield {"go_on": SOURCE}

    before = git(root, "rev-parse", "HEAD")
    assert run(root, changed()) == ["held"]
    assert work == [f"read {SOURCE}"] and git(root, "rev-parse", "HEAD") == before
    assert file.exists() == bool(becomes)


def test_where_its_turn_does_not_come_a_worker_ends_and_has_done_nothing(root: Path, work: list[str]) -> None:
    drop(root)

    with pytest.raises(SystemExit):
        run(root, iter([{"source": SOURCE, "waits": True}]))

    assert work == [f"read {SOURCE}"]
    assert run(root, iter([{"source": SOURCE}])) == ["ingested"]
