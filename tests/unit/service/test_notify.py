"""The notify command with real commands: told of each event in turn, and never waited for."""

from __future__ import annotations

import json
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from curator.errors import ConfigError
from curator.service.hooks.notify import EVENT_SECONDS, MAX_WAITING, RETRY_PAUSE, Notifier
from support.waiting import PATIENCE, has_ended, until


class Heard(list[tuple[str, dict[str, Any]]]):
    """What a notifier said."""

    def __call__(self, event: str, about: dict[str, Any]) -> None:
        self.append((event, about))


def program(tmp_path: Path, text: str) -> str:
    path = tmp_path / "a program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return shlex.quote(str(path))


def told(notifier: Notifier) -> None:
    """Step until all is told; where the notifier wants to pause for long, the clock is put forward."""
    end, later = time.monotonic() + PATIENCE, 0.0
    while (pause := notifier.step(time.monotonic() + later)) is not None:
        assert time.monotonic() < end, "it takes too long"
        if pause > 1:
            later += pause
        else:
            time.sleep(0.01)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def test_each_event_is_told_in_its_turn(tmp_path: Path) -> None:
    out, root = tmp_path / "out", tmp_path / "wiki"
    notifier = Notifier(
        program(tmp_path, f'cat >>{out}; echo "$CURATOR_EVENT $PWD $#" >>{out}.more') + " 'a b' c", root
    )

    notifier.notify("queued", {"source": "sources/tea.md", "reason": "Grüße \udcff"})
    notifier.notify("result", {"seconds": 1.5, "commit": None})
    told(notifier)

    first, second = lines(out)
    assert first.pop("at").endswith("Z")
    assert first == {"wiki": str(root), "event": "queued", "source": "sources/tea.md", "reason": "Grüße \udcff"}
    assert (second["event"], second["seconds"], second["commit"]) == ("result", 1.5, None)
    assert (tmp_path / "out.more").read_text() == "queued / 2\nresult / 2\n"
    assert notifier.is_idle
    assert notifier.state() == {"state": "idle", "waiting": 0, "dropped": 0}


@pytest.mark.parametrize("command", ["", "  "])
def test_without_a_command_nothing_is_done(command: str, tmp_path: Path) -> None:
    notifier = Notifier(command, tmp_path)

    notifier.notify("queued", {})

    assert notifier.step(0.0) is None
    assert notifier.is_idle
    assert notifier.state() == {"state": "off"}


def test_no_shell_is_asked(tmp_path: Path) -> None:
    out = tmp_path / "out"
    notifier = Notifier(program(tmp_path, f'echo "$@" >>{out}') + f" '$HOME;' '$(touch {tmp_path}/x)' > y", tmp_path)

    notifier.notify("queued", {})
    told(notifier)

    assert out.read_text() == f"$HOME; $(touch {tmp_path}/x) > y\n"
    assert not (tmp_path / "x").exists()


def test_a_step_does_not_wait_and_one_command_runs_at_a_time(tmp_path: Path) -> None:
    out, go = tmp_path / "out", tmp_path / "go"
    notifier = Notifier(program(tmp_path, f"cat >>{out}; while [ ! -e {go} ]; do sleep 0.02; done"), tmp_path)
    for number in range(3):
        notifier.notify("queued", {"number": number})

    for _ in range(20):
        notifier.step(time.monotonic())  # does not wait for the command, which runs on until it is told to end
    until(lambda: lines(out))
    notifier.step(time.monotonic())
    assert [line["number"] for line in lines(out)] == [0]
    go.touch()
    told(notifier)

    assert [line["number"] for line in lines(out)] == [0, 1, 2]


def test_an_event_that_fills_the_pipe_is_told_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    notifier = Notifier(program(tmp_path, f"sleep 0.2; cat >>{out}"), tmp_path)

    notifier.notify("result", {"reason": "x" * 1_000_000})
    told(notifier)

    assert len(lines(out)[0]["reason"]) == 1_000_000


def test_a_command_that_does_not_read_is_no_failure(tmp_path: Path) -> None:
    heard = Heard()
    notifier = Notifier("true", tmp_path, heard)

    notifier.notify("result", {"reason": "x" * 1_000_000})
    told(notifier)

    assert heard == []
    assert notifier.state()["state"] == "idle"


def test_what_it_leaves_running_is_not_waited_for(tmp_path: Path) -> None:
    notifier = Notifier(program(tmp_path, "sleep 600 &"), tmp_path)

    notifier.notify("result", {})
    told(notifier)  # within less than the 600 seconds


def test_a_failure_is_tried_once_more_and_told_once_a_burst(tmp_path: Path) -> None:
    out, ok = tmp_path / "out", tmp_path / "ok"
    heard = Heard()
    text = f"cat >>{out}; [ -e {ok} ] && exit 0; echo cannot reach https://hooks:secret@example.org/x >&2; exit 3"
    notifier = Notifier(program(tmp_path, text), tmp_path, heard)

    for number in range(3):
        notifier.notify("result", {"number": number})
    told(notifier)
    assert [line["number"] for line in lines(out)] == [0, 0, 1, 2]
    assert [event for event, _ in heard] == ["notify_failed"]
    assert "ended with status 3: cannot reach https://…@example.org/x" in heard[0][1]["reason"]
    assert notifier.state()["state"] == "failing"

    ok.touch()
    notifier.notify("result", {"number": 3})
    told(notifier)
    assert notifier.state()["state"] == "idle"
    ok.unlink()
    notifier.notify("result", {"number": 4})
    told(notifier)

    assert [line["number"] for line in lines(out)][4:] == [3, 4, 4]
    assert len(heard) == 2


def test_a_passing_failure_is_not_told(tmp_path: Path) -> None:
    heard = Heard()
    notifier = Notifier(program(tmp_path, f"[ -e {tmp_path}/x ] || {{ touch {tmp_path}/x; exit 1; }}"), tmp_path, heard)

    notifier.notify("result", {})
    notifier.step(0.0)
    until(lambda: notifier._running is None or notifier._running._process.poll() is not None)
    assert notifier.step(1.0) == RETRY_PAUSE
    told(notifier)

    assert heard == []
    assert notifier.state()["state"] == "idle"


def test_it_is_not_told_of_its_own_failure(tmp_path: Path) -> None:
    notifier: Notifier

    def say(event: str, about: dict[str, Any]) -> None:
        notifier.notify(event, about)

    out = tmp_path / "out"
    notifier = Notifier(program(tmp_path, f"cat >>{out}; exit 1"), tmp_path, say)
    notifier.notify("result", {})

    told(notifier)

    assert {line["event"] for line in lines(out)} == {"result"}


def test_a_command_that_hangs_is_ended_with_all_it_has_started(tmp_path: Path) -> None:
    child = tmp_path / "child"
    text = f"trap '' TERM; sleep 1000 & echo $! >{child}.new; mv {child}.new {child}; wait; sleep 1000"
    heard = Heard()
    notifier = Notifier(program(tmp_path, text), tmp_path, heard)
    notifier.notify("result", {})
    notifier._tries = 1
    notifier.step(0.0)
    until(child.exists)

    notifier.step(EVENT_SECONDS - 1)
    assert not notifier.is_idle
    notifier.step(EVENT_SECONDS)
    notifier.step(EVENT_SECONDS + 3)
    until(lambda: notifier.step(EVENT_SECONDS + 3) is None)

    until(lambda: has_ended(int(child.read_text())))
    assert "longer than 30 s" in heard[0][1]["reason"]


def test_what_finds_no_room_is_counted_and_told(tmp_path: Path) -> None:
    out = tmp_path / "out"
    notifier = Notifier(program(tmp_path, f"cat >>{out}"), tmp_path)
    for number in range(MAX_WAITING + 7):
        notifier.notify("queued", {"number": number})
    assert notifier.state()["dropped"] == 7
    for _ in range(MAX_WAITING - 2):  # the test has not the time for a thousand commands
        notifier._waiting.pop()

    notifier.notify("queued", {"number": "after"})
    notifier.notify("queued", {"number": "last"})
    told(notifier)

    assert [(line["number"], line.get("dropped")) for line in lines(out)] == [
        (0, None),
        (1, None),
        ("after", 7),
        ("last", None),
    ]


def test_the_end_tells_what_it_can_and_ends_the_rest(tmp_path: Path) -> None:
    out = tmp_path / "out"
    notifier = Notifier(program(tmp_path, f"cat >>{out}"), tmp_path)
    notifier.notify("result", {})
    notifier.notify("stopped", {})
    notifier.stop(PATIENCE)
    assert [line["event"] for line in lines(out)] == ["result", "stopped"]

    notifier = Notifier("sleep 1000", tmp_path)
    notifier.notify("result", {})
    notifier.notify("stopped", {})
    notifier.stop(0.5)
    assert notifier.step(0.0) is None


def test_a_program_that_is_taken_away_is_a_failure_like_others(tmp_path: Path) -> None:
    heard = Heard()
    notifier = Notifier(program(tmp_path, ""), tmp_path, heard)
    (tmp_path / "a program").unlink()

    notifier.notify("result", {})
    told(notifier)

    assert "No such file" in heard[0][1]["reason"]


BAD = {
    "a 'b": "cannot be split",
    "no-such-program-here --token secret": "'no-such-program-here'",
    "''": "''",
    "#": "'#'",
}


@pytest.mark.parametrize(("command", "said"), BAD.items(), ids=["quote", "missing", "empty", "comment"])
def test_a_bad_command_is_an_error_that_names_the_key(command: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        Notifier(command, tmp_path)

    assert "'notify'" in caught.value.message
    assert said in caught.value.message
    assert "secret" not in f"{caught.value.message} {caught.value.hint}"
    assert caught.value.hint


@pytest.mark.parametrize("command", ["a\0b", "a\nb\0", "/etc/passwd", "/", "."])
def test_what_can_not_be_run_is_an_error_too(command: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        Notifier(command, tmp_path)


def test_a_path_from_here_stays_what_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    program(tmp_path, f"cat >>{out}")
    monkeypatch.chdir(tmp_path)
    notifier = Notifier("'./a program'", tmp_path)
    monkeypatch.chdir("/")

    notifier.notify("result", {})
    told(notifier)

    assert len(lines(out)) == 1


def test_it_leaves_no_descriptor_behind(tmp_path: Path) -> None:
    notifier = Notifier(f"{sys.executable} -c pass", tmp_path)
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208

    for _ in range(3):
        notifier.notify("result", {})
    told(notifier)

    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
