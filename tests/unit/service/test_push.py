"""Pushing with real git and real remotes: what has landed gets there, nothing is forced, and nobody waits for it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from curator.service.hooks import push, upstream
from curator.service.hooks.command import BackgroundCommand, redacted
from curator.service.hooks.push import FIRST_PAUSE, LONGEST_PAUSE, PUSH_SECONDS, Pusher
from support.waiting import PATIENCE, has_ended, until
from support.wikis import git

DAY = 86_400.0


@pytest.fixture
def remote(root: Path) -> Path:
    """The upstream of the wiki's branch."""
    folder = root.parent / "remote.git"
    git(root.parent, "init", "-q", "--bare", "-b", "main", str(folder))
    git(root, "remote", "add", "origin", str(folder))
    git(root, "push", "-q", "-u", "origin", "main")
    return folder


class Heard(list[tuple[str, dict[str, Any]]]):
    """What a pusher said."""

    def __call__(self, event: str, about: dict[str, Any]) -> None:
        self.append((event, about))

    @property
    def names(self) -> list[str]:
        return [event for event, _ in self]


def commit(root: Path, message: str = "A page") -> str:
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD")


def tip(folder: Path, branch: str = "main") -> str:
    return git(folder, "rev-parse", f"refs/heads/{branch}")


def settled(pusher: Pusher, later: float = 0.0) -> float | None:
    """Step, as the service does, until no push runs. ``later``: by how much the clock is ahead."""
    end = time.monotonic() + PATIENCE
    while True:
        pause = pusher.step(time.monotonic() + later)
        if pusher.state()["state"] != "pushing":
            return pause
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def pushed(root: Path) -> dict[str, Any]:
    """The state after one try."""
    pusher = Pusher(root)
    pusher.request()
    settled(pusher)
    return pusher.state()


def script(path: Path, text: str) -> str:
    """A program of the test's."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def receiving(root: Path, text: str) -> None:
    """``text`` is run at the remote before it receives, once for each push."""
    program = script(root.parent / "receive", f'{text}\nexec git receive-pack "$@"')
    git(root, "config", "remote.origin.receivepack", program)


def no_push(*_: object) -> None:
    raise AssertionError("a push was begun")


# -- what gets there -----------------------------------------------------------------------------------------------


def test_a_commit_gets_to_the_upstream(root: Path, remote: Path) -> None:
    heard = Heard()
    pusher = Pusher(root, heard)
    made = commit(root)

    pusher.request()
    pause = settled(pusher)

    assert tip(remote) == made
    assert pause is None
    assert heard == [("pushed", {"commit": made, "remote": "origin", "branch": "main"})]
    assert pusher.state()["state"] == "idle"
    assert pusher.state()["behind"] == 0


def test_nothing_is_done_before_it_is_wanted(root: Path, remote: Path) -> None:
    before = tip(remote)
    pusher = Pusher(root)
    commit(root)

    assert pusher.step(time.monotonic()) is None
    assert tip(remote) == before
    assert pusher.state() == {"state": "idle", "since": None}


def test_a_pusher_that_is_off_does_nothing(root: Path, remote: Path) -> None:
    before = tip(remote)
    pusher = Pusher(root, on=False)
    commit(root)

    pusher.request()

    assert pusher.step(time.monotonic()) is None
    assert pusher.state() == {"state": "off"}
    assert tip(remote) == before


def test_what_is_there_already_is_not_pushed(root: Path, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(push, "BackgroundCommand", no_push)
    pusher = Pusher(root)

    pusher.request()

    assert pusher.step(0.0) is None
    assert pusher.is_idle


def test_a_wiki_that_has_fetched_more_than_it_has_made_pushes_nothing(
    root: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(root)
    git(root, "push", "-q")
    git(root, "reset", "-q", "--hard", "HEAD~1")
    monkeypatch.setattr(push, "BackgroundCommand", no_push)

    assert pushed(root)["state"] == "idle"


def test_a_branch_without_a_commit_is_nothing_to_push(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")

    assert pushed(tmp_path) == {"state": "idle", "since": None}


def test_commits_during_a_push_lead_to_one_more(root: Path, remote: Path) -> None:
    log, go = root.parent / "pushes", root.parent / "go"
    receiving(root, f"echo x >>{log}; while [ ! -e {go} ]; do sleep 0.02; done")
    heard = Heard()
    pusher = Pusher(root, heard)
    commit(root, "First")
    pusher.request()
    pusher.step(time.monotonic())
    until(log.exists)

    for number in range(3):
        last = commit(root, f"While it runs {number}")
        pusher.request()
        pusher.step(time.monotonic())
    assert log.read_text().count("x") == 1
    go.touch()
    pause = settled(pusher)

    assert pause is None
    assert tip(remote) == last
    assert log.read_text().count("x") == 2
    assert heard.names == ["pushed", "pushed"]


def test_a_step_never_waits_for_the_remote(root: Path, remote: Path) -> None:
    receiving(root, "sleep 3")
    pusher = Pusher(root)
    commit(root)
    pusher.request()

    pause = pusher.step(time.monotonic())

    assert pause is not None
    assert pause < 1
    assert pusher.state()["state"] == "pushing"
    assert pusher.state()["behind"] == 1
    pusher.stop(5)


def test_a_wiki_in_a_folder_of_a_repository_is_pushed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main", "notes")
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    folder = tmp_path / "notes" / "wiki"
    folder.mkdir()
    git(folder, "remote", "add", "origin", "../remote.git")
    commit(folder)
    git(tmp_path / "notes", "push", "-q", "-u", "origin", "main")
    made = commit(folder)

    assert pushed(folder)["state"] == "idle"
    assert tip(tmp_path / "remote.git") == made


def test_the_variables_of_whoever_started_us_lead_nowhere_else(
    root: Path, remote: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = commit(root)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'push.default'='nonsense'")

    assert pushed(root)["state"] == "idle"
    monkeypatch.delenv("GIT_DIR")
    monkeypatch.delenv("GIT_CONFIG_PARAMETERS")
    assert tip(remote) == made


def test_every_address_of_a_remote_gets_it(root: Path, remote: Path) -> None:
    other = root.parent / "other.git"
    git(root, "remote", "set-url", "--add", "--push", "origin", str(remote))
    git(root, "remote", "set-url", "--add", "--push", "origin", str(other))
    made = commit(root)
    pusher = Pusher(root)
    pusher.request()
    settled(pusher)
    assert pusher.state()["state"] == "failing"
    assert tip(remote) == made

    git(root.parent, "init", "-q", "--bare", str(other))
    settled(pusher, DAY)

    assert tip(other) == made
    assert pusher.state()["state"] == "idle"


# -- where to ------------------------------------------------------------------------------------------------------


def test_a_remote_for_pushing_gets_a_branch_of_the_same_name(root: Path, remote: Path) -> None:
    fork = root.parent / "fork.git"
    git(root.parent, "init", "-q", "--bare", str(fork))
    git(root, "remote", "add", "fork", str(fork))
    git(root, "config", "remote.pushDefault", "fork")
    before = tip(remote)
    made = commit(root)

    assert pushed(root)["state"] == "idle"
    assert tip(fork) == made
    assert tip(remote) == before


def test_a_refspec_of_the_remote_says_where_to(root: Path, remote: Path) -> None:
    git(root, "config", "remote.origin.push", "refs/heads/*:refs/heads/from-the-wiki/*")
    before = tip(remote)
    made = commit(root)

    assert pushed(root)["state"] == "idle"
    assert tip(remote, "from-the-wiki/main") == made
    assert tip(remote) == before


def test_an_upstream_of_another_name_is_pushed_to_only_if_the_user_says_so(root: Path, remote: Path) -> None:
    git(root, "switch", "-q", "-c", "wiki", "--track", "origin/main")
    before = tip(remote)
    made = commit(root)

    state = pushed(root)
    assert state["code"] == "push_upstream_differs"
    assert tip(remote) == before

    git(root, "config", "push.default", "upstream")
    assert pushed(root)["state"] == "idle"
    assert tip(remote) == made


def test_a_remote_whose_name_has_odd_signs_is_pushed_to(root: Path, remote: Path) -> None:
    for setting, value in (("url", str(remote)), ("fetch", "+refs/heads/*:refs/remotes/odd/*"), ("mirror", "true")):
        git(root, "config", f"remote.a=b c.{setting}", value)
    git(root, "config", "branch.main.remote", "a=b c")
    made = commit(root)

    assert pushed(root)["state"] == "idle"
    assert tip(remote) == made


def test_only_the_branch_goes(root: Path, remote: Path) -> None:
    git(root, "config", "push.followTags", "true")
    git(root, "config", "push.default", "matching")
    git(root, "branch", "private")
    commit(root)
    git(root, "tag", "-a", "-m", "One", "v1")

    assert pushed(root)["state"] == "idle"
    assert git(remote, "for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_without_an_upstream_nothing_goes_and_the_hint_says_how_to_set_one(root: Path, remote: Path) -> None:
    git(root, "branch", "--unset-upstream")
    before = tip(remote)
    commit(root)

    state = pushed(root)

    assert state["state"] == "failing"
    assert state["code"] == "push_no_upstream"
    assert "'main' has no upstream" in state["reason"]
    assert "git push -u origin main" in state["hint"]
    assert state["next_try"] - time.time() > 0.75 * LONGEST_PAUSE
    assert tip(remote) == before


def test_a_branch_of_the_same_repository_is_no_place_to_push_to(root: Path) -> None:
    git(root, "switch", "-q", "-c", "wiki", "--track", "main")
    git(root, "config", "push.default", "upstream")
    before = tip(root)
    commit(root)

    assert pushed(root)["code"] == "push_upstream_local"
    assert tip(root) == before


def test_a_detached_head_is_told_and_tried_again_soon(root: Path, remote: Path) -> None:
    git(root, "switch", "-q", "--detach")
    commit(root)
    pusher = Pusher(root)

    pusher.request()
    pause = settled(pusher)

    assert pause is not None
    assert pause <= 2 * FIRST_PAUSE
    assert pusher.state()["code"] == "push_detached"
    git(root, "switch", "-q", "main")
    settled(pusher, DAY)
    assert pusher.state()["state"] == "idle"


def test_a_folder_without_a_repository_is_told(tmp_path: Path) -> None:
    state = pushed(tmp_path)

    assert state["code"] == "push_failed"
    assert "not a git repository" in state["reason"]


# -- never forced --------------------------------------------------------------------------------------------------

FORCES = {
    "a plus": {"remote.origin.push": "+refs/heads/*:refs/heads/*"},
    "a plus on everything": {"remote.origin.push": "+:"},
    "a plus on HEAD": {"remote.origin.push": "+HEAD"},
    "a mirror": {"remote.origin.mirror": "true"},
    "a mirror with a plus": {"remote.origin.mirror": "true", "remote.origin.push": "+refs/*:refs/*"},
    "a clone's mirror": {"remote.origin.mirror": "true", "remote.origin.fetch": "+refs/*:refs/*"},
    "a fetch into its own branches": {"remote.origin.fetch": "+refs/*:refs/*"},
    "an address": {"branch.main.remote": "{remote}"},
    "matching": {"push.default": "matching"},
}


@pytest.mark.parametrize("settings", FORCES.values(), ids=FORCES)
def test_nothing_is_ever_forced_or_deleted(settings: dict[str, str], root: Path, remote: Path) -> None:
    theirs = root.parent / "theirs"
    git(root.parent, "clone", "-q", str(remote), str(theirs))
    git(theirs, "branch", "only-there")
    last = commit(theirs, "Theirs")
    git(theirs, "push", "-q", "origin", "main", "only-there")
    commit(root, "Ours")
    for key, value in settings.items():
        git(root, "config", "--replace-all", key, value.format(remote=remote))
    heard = Heard()
    pusher = Pusher(root, heard)

    for _ in range(3):
        pusher.request()
        pause = settled(pusher, DAY * len(heard))

    assert tip(remote) == last
    assert tip(remote, "only-there")
    assert pause is not None
    assert pause >= 0.75 * LONGEST_PAUSE
    assert heard.names == ["push_failed"]
    state = pusher.state()
    assert state["code"] == "push_behind"
    assert "[rejected]" in state["reason"]
    assert "git pull" in state["hint"]


@pytest.mark.parametrize("settings", FORCES.values(), ids=FORCES)
def test_what_fits_is_pushed_all_the_same(settings: dict[str, str], root: Path, remote: Path) -> None:
    for key, value in settings.items():
        git(root, "config", "--replace-all", key, value.format(remote=remote))
    git(root, "branch", "private")
    made = commit(root)

    assert pushed(root)["state"] == "idle"
    assert tip(remote) == made
    assert git(remote, "for-each-ref", "--format=%(refname)") == "refs/heads/main"


def test_after_a_merge_it_goes_on(root: Path, remote: Path) -> None:
    theirs = root.parent / "theirs"
    git(root.parent, "clone", "-q", str(remote), str(theirs))
    commit(theirs, "Theirs")
    git(theirs, "push", "-q")
    commit(root, "Ours")
    pusher = Pusher(root)
    pusher.request()
    settled(pusher)

    git(root, "pull", "-q", "--no-rebase", "--no-edit")
    settled(pusher, DAY)

    assert tip(remote) == git(root, "rev-parse", "HEAD")
    assert pusher.state()["state"] == "idle"


def test_no_hook_is_run(root: Path, remote: Path) -> None:
    ran = root.parent / "ran"
    for hook in ("pre-push", "reference-transaction"):
        script(root / ".git" / "hooks" / hook, f"echo {hook} >>{ran}; exit 1")
    git(root, "-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", "A page")
    made = git(root, "rev-parse", "HEAD")

    assert pushed(root)["state"] == "idle"
    assert tip(remote) == made
    assert not ran.exists()


# -- failures ------------------------------------------------------------------------------------------------------


def test_a_remote_that_is_gone_is_tried_again_until_it_is_back(root: Path, remote: Path) -> None:
    away = remote.rename(root.parent / "away")
    heard = Heard()
    pusher = Pusher(root, heard)
    made = commit(root)
    pusher.request()
    pauses = [settled(pusher, day * DAY) for day in range(14)]

    assert all(pause is not None and 0.7 * FIRST_PAUSE < pause <= LONGEST_PAUSE for pause in pauses)
    assert pauses[0] is not None
    assert pauses[0] < 2 * FIRST_PAUSE
    assert pauses[-1] is not None
    assert pauses[-1] > 0.75 * LONGEST_PAUSE
    assert heard.names == ["push_failed"]
    assert "does not appear to be a git repository" in pusher.state()["reason"]

    away.rename(remote)
    settled(pusher, 20 * DAY)

    assert tip(remote) == made
    assert heard.names == ["push_failed", "pushed"]
    assert pusher.state()["state"] == "idle"


def test_a_new_commit_shortens_no_pause(root: Path, remote: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remote.rename(root.parent / "away")
    pusher = Pusher(root)
    commit(root)
    pusher.request()
    settled(pusher)
    failed = time.monotonic()
    monkeypatch.setattr(push, "BackgroundCommand", no_push)

    commit(root)
    pusher.request()
    pause = pusher.step(failed + 1)

    assert pause is not None
    assert pause > 1
    assert pusher.is_idle


def test_what_the_user_has_pushed_meanwhile_is_no_failure_any_more(root: Path, remote: Path) -> None:
    away = remote.rename(root.parent / "away")
    pusher = Pusher(root)
    commit(root)
    pusher.request()
    settled(pusher)
    away.rename(remote)
    git(root, "push", "-q")

    assert settled(pusher, DAY) is None
    assert pusher.state()["state"] == "idle"


def test_pauses_are_never_shorter_than_the_first_nor_longer_than_the_longest(root: Path) -> None:
    for chance in (0.0, 0.999):
        pusher = Pusher(root, chance=lambda chance=chance: chance)  # type: ignore[misc]
        fault = upstream.PushError("push_failed", "No route", "", lasting=False)
        pauses = []
        for number in range(1, 30):
            pusher._failed(fault, 0.0)
            pauses.append(pusher._not_before)
            assert number == pusher._faults
        assert min(pauses) >= FIRST_PAUSE
        assert max(pauses) <= LONGEST_PAUSE
        assert pauses == sorted(pauses)


def test_a_remote_that_refuses_is_told_in_its_own_words(root: Path, remote: Path) -> None:
    script(remote / "hooks" / "pre-receive", "echo 'only on weekdays, \033[31mplease' >&2; exit 1")
    commit(root)

    state = pushed(root)

    assert state["code"] == "push_rejected"
    assert "only on weekdays" in state["reason"]
    assert state["reason"].isprintable()
    assert "[remote rejected]" in state["reason"]


def test_a_remote_that_talks_without_end_is_heard_in_part(root: Path, remote: Path) -> None:
    receiving(root, "yes 'blah blah blah' | head -c 3000000 >&2; echo the end >&2; exit 1")
    commit(root)

    state = pushed(root)

    assert "the end" in state["reason"]
    assert len(state["reason"]) < 1000


@pytest.mark.parametrize("filling", [3960, 3970, 3980, 3990, 5000])
def test_a_password_that_the_limit_has_cut_is_not_told(filling: int, tmp_path: Path) -> None:
    said = f"https://ada:hunter2secret@example.org\\n{'x' * filling}\\n"
    command = script(tmp_path / "talks", f"printf '{said}' >&2")
    running = BackgroundCommand([command], dict(os.environ), tmp_path, time.monotonic(), PATIENCE)
    while (ended := running.poll(time.monotonic())) is None:
        time.sleep(0.01)

    assert "secret" not in ended.stderr
    assert len(ended.stderr) <= 4000


@pytest.mark.parametrize("trap", ["", "trap '' TERM;"], ids=["polite", "deaf"])
def test_a_push_that_hangs_is_ended_with_all_it_has_started(trap: str, root: Path, remote: Path) -> None:
    child = root.parent / "child"
    receiving(root, f"{trap} sleep 1000 & echo $! >{child}.new; mv {child}.new {child}; wait; sleep 1000")
    pusher = Pusher(root)
    commit(root)
    pusher.request()
    began = time.monotonic()
    pusher.step(began)
    until(child.exists)
    pusher.step(began + PUSH_SECONDS - 5)
    assert pusher.state()["state"] == "pushing"

    settled(pusher, PUSH_SECONDS + 1)

    until(lambda: has_ended(int(child.read_text())))
    assert pusher.state()["code"] == "push_timeout"
    assert "longer than 600 s" in pusher.state()["reason"]
    assert not list((root / ".git" / "refs").rglob("*.lock"))


def test_the_end_ends_a_push(root: Path, remote: Path) -> None:
    child = root.parent / "child"
    receiving(root, f"trap '' TERM; echo $$ >{child}.new; mv {child}.new {child}; sleep 1000")
    pusher = Pusher(root)
    commit(root)
    pusher.request()
    pusher.step(time.monotonic())
    until(child.exists)

    pusher.stop(1)

    until(lambda: has_ended(int(child.read_text())))
    assert not list((root / ".git").rglob("*.lock"))


# -- secrets and questions -----------------------------------------------------------------------------------------


class Closed(BaseHTTPRequestHandler):
    """A remote that lets nobody in."""

    def do_GET(self) -> None:
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="wiki"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def closed() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Closed) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("who", ["hunter2secret", "ada:hunter2secret", "hunter2secret:x"])
def test_a_token_in_an_address_is_not_told_and_nobody_is_asked(
    who: str, closed: str, root: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = root.parent / "asked"
    program = script(root.parent / "ask", f"echo x >>{asked}; echo wrong")
    monkeypatch.setenv("GIT_ASKPASS", program)
    monkeypatch.setenv("SSH_ASKPASS", program)
    monkeypatch.setenv("DISPLAY", ":0")
    git(root, "config", "core.askPass", program)
    git(root, "remote", "set-url", "origin", f"http://{who}@{closed}/wiki.git")
    heard = Heard()
    pusher = Pusher(root, heard)
    commit(root)

    pusher.request()
    settled(pusher)

    state = pusher.state()
    assert state["code"] == "push_denied"
    assert "hunter2secret" not in f"{state} {heard}"
    assert "127.0.0.1" in state["reason"]
    assert state["next_try"] - time.time() > 0.75 * LONGEST_PAUSE
    assert not asked.exists()


ADDRESSES = {
    "fatal: 'https://ada:p@hunter2@example.org/x'": "fatal: 'https://…@example.org/x'",
    "https://ada:p/hunter2@example.org/x https://hunter2@example.org": "https://…@example.org/x https://…@example.org",
    "'https://example.org/x.git?private_token=hunter2/': no": "'https://example.org/x.git?…/': no",
    "ssh://git@example.org and git@example.org:x": "ssh://…@example.org and git@example.org:x",
    "who is there? a=b": "who is there? a=b",
    "\tred \033[31m": " red \\x1b[31m",
}


@pytest.mark.parametrize(("text", "told"), ADDRESSES.items())
def test_what_is_told_holds_no_secret(text: str, told: str) -> None:
    assert redacted(text) == told


def test_a_token_in_the_name_of_the_remote_is_not_told(closed: str, root: Path) -> None:
    git(root, "config", "branch.main.remote", f"http://ada:hunter2secret@{closed}/wiki.git")

    for merge, code in ("", "push_no_upstream"), ("other", "push_upstream_differs"), ("main", "push_denied"):
        if merge:
            git(root, "config", "branch.main.merge", f"refs/heads/{merge}")
        state = pushed(root)

        assert state["code"] == code
        assert "hunter2secret" not in str(state)


def test_ssh_asks_nothing_unless_the_user_says_how_to_call_it(
    root: Path, remote: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, programs = root.parent / "log", root.parent / "programs"
    programs.mkdir()
    said = "echo 'git@example.org: Permission denied (publickey).' >&2; exit 255"
    script(programs / "ssh", f'echo "path $*" >>{log}; {said}')
    users = script(root.parent / "users", f'echo "users $*" >>{log}; {said}')
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    git(root, "remote", "set-url", "origin", "git@example.org:wiki.git")
    commit(root)

    state = pushed(root)
    git(root, "config", "core.sshCommand", users)
    pushed(root)
    git(root, "config", "--unset", "core.sshCommand")
    monkeypatch.setenv("GIT_SSH_COMMAND", f"{shlex.quote(users)} -v")
    pushed(root)
    monkeypatch.delenv("GIT_SSH_COMMAND")
    monkeypatch.setenv("GIT_SSH", users)
    pushed(root)

    calls = [line for line in log.read_text().splitlines() if "receive-pack" in line]
    assert [line.split()[0] for line in calls] == ["path", "users", "users", "users"]
    assert "-oBatchMode=yes" in calls[0]
    assert not any("BatchMode" in call for call in calls[1:])
    assert state["code"] == "push_denied"
    assert "Permission denied (publickey)" in state["reason"]


def test_the_service_stays_small() -> None:
    code = "import sys, curator.service.hooks.push, curator.service.hooks.notify; print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert not {"git", "litellm", "pydantic", "asyncio", "click"} & {name.partition(".")[0] for name in loaded}
