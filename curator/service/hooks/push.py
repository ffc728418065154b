"""``git push`` after commits, in the background of the ingests: it may fail for days without delaying one.

- One push at a time, of the current branch, to where ``upstream`` says; what is committed meanwhile goes with the next.
- Never with force, whatever the configuration asks for: one refspec without ``+``, no mirror, no tags, no hooks.
- No prompt: a push that needs a password or a passphrase fails with a message.
- A failure is tried again after a pause that doubles; one that somebody has to fix, after the longest. A new commit
  shortens no pause.

Nothing here waits: ``step`` starts a push or polls the one that runs.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curator.service.hooks import upstream
from curator.service.hooks.command import BackgroundCommand, CommandExit, Emit, ignore_event, redacted
from curator.service.hooks.upstream import PushError, PushTarget
from curator.system import git_environment

PUSH_SECONDS = 600.0
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 3600.0
_SPREAD = 0.8
"""A pause is cut at random to no less than this part, so that many wikis do not push at the same second."""
_MAX_REASON = 400

_TRY_BY_HAND = "try 'git push' in the wiki by hand, and see what it says"
_LASTING = (
    (
        r"\((fetch first|non-fast-forward|needs force|already exists)\)",
        "push_behind",
        "the remote has commits that the wiki has not: 'git pull' in the wiki; curator never forces a push",
    ),
    (
        r"(?i)authentication failed|could not read (username|password)|terminal prompts disabled|permission denied"
        r"|access denied|host key verification failed|invalid credentials|returned error: 40[13]",
        "push_denied",
        "give git a credential helper, or an ssh key and a known host, that need nobody to answer; then try 'git push'",
    ),
    (r"(?i)repository (\S+ )?not found", "push_not_found", "see 'git remote -v', and whether this user may see it"),
    (
        r"\[remote rejected\](?!.*\((cannot lock|failed to|unable to|unpacker))",
        "push_rejected",
        "the remote's own rules refuse it: see its settings for the branch",
    ),
)
"""What only a person can fix: the pattern of git's message, our code, and what to do."""
_NO_NEWS = re.compile(
    r"hint:|To |error: failed to push some refs|Everything up-to-date|Please make sure|and the repository"
)


@dataclass
class Pusher:
    """The pushes of one wiki."""

    root: Path
    emit: Emit = ignore_event
    """Gets ``pushed``, and ``push_failed`` once for each new reason."""
    on: bool = True
    chance: Callable[[], float] = random.random
    _is_requested: bool = False
    _running: BackgroundCommand | None = None
    _target: PushTarget | None = None
    _done: tuple[str, str, str] | None = None
    """Commit, remote and branch of the last push that succeeded."""
    _since: float | None = None
    """Since when the state is what it is, in seconds since 1970, as ``_next_try``."""
    _fault: PushError | None = None
    _faults: int = 0
    _not_before: float = 0.0
    _next_try: float | None = None

    def request(self) -> None:
        """Push at the next step, if there is something to push."""
        self._is_requested = self.on

    def step(self, now: float) -> float | None:
        """Do what is due at ``now`` (monotonic); returns the seconds until the next step, None when nothing is to do."""
        if self._running is not None:
            if (ended := self._running.poll(now)) is None:
                return self._running.pause(now)
            self._running = None
            self._push_finished(ended, now)
        if self._is_requested and now >= self._not_before:
            self._start_push(now)
        if self._running is not None:
            return self._running.pause(now)
        return max(0.0, self._not_before - now) if self._is_requested else None

    @property
    def is_idle(self) -> bool:
        """True when nothing can be done without waiting for time to pass."""
        return self._running is None and (not self._is_requested or self._fault is not None)

    def state(self) -> dict[str, Any]:
        """What ``curate status`` shows; times are seconds since 1970, and change only when the state does."""
        if not self.on:
            return {"state": "off"}
        name = "pushing" if self._running is not None else "idle" if self._fault is None else "failing"
        known: dict[str, Any] = {"state": name, "since": self._since}
        if self._target is not None:
            known["behind"] = self._target.behind
        if self._fault is not None:
            fault = self._fault
            known |= {"code": fault.code, "reason": fault.message, "hint": fault.hint, "next_try": self._next_try}
        return known

    def stop(self, seconds: float) -> None:
        """End a running push within so many seconds; it is done again when the service runs again."""
        if self._running is not None:
            self._running.stop(seconds)
            self._running, self._is_requested = None, True

    # -- one push ------------------------------------------------------------------------------------------------

    def _start_push(self, now: float) -> None:
        self._is_requested = False
        try:
            target = upstream.push_target(self.root)
            self._target = target
            if target is None or target.behind == 0 or _key_of(target) == self._done:
                if self._fault is not None:
                    self._mark_up_to_date()
                return
            self._running = BackgroundCommand(
                _command(self.root, target), _environment(target), Path("/"), now, PUSH_SECONDS
            )
        except PushError as fault:
            self._failed(fault, now)
        except OSError as error:
            self._failed(PushError("push_failed", f"git cannot be started: {error}", _TRY_BY_HAND, lasting=False), now)
        else:
            if self._fault is None:
                self._since = _time()

    def _push_finished(self, ended: CommandExit, now: float) -> None:
        assert self._target is not None  # noqa: S101 (a push is never started without one)
        if ended.status != 0 or ended.timed_out_after is not None:
            self._failed(_explained(ended), now)
            return
        self._target = target = replace(self._target, behind=0)
        self._done = _key_of(target)
        self._mark_up_to_date()
        about = {"commit": target.commit, "remote": redacted(target.remote), "branch": redacted(target.target_name)}
        self.emit("pushed", about)

    def _mark_up_to_date(self) -> None:
        self._fault, self._faults, self._not_before, self._next_try = None, 0, 0.0, None
        self._since = _time()

    def _failed(self, fault: PushError, now: float) -> None:
        known = self._fault
        self._is_requested, self._fault, self._faults = True, fault, self._faults + 1
        doubled = FIRST_PAUSE / _SPREAD * float(2 ** min(self._faults - 1, 20))
        pause = LONGEST_PAUSE if fault.lasting else min(LONGEST_PAUSE, doubled)
        pause = max(FIRST_PAUSE, pause * (_SPREAD + (1 - _SPREAD) * self.chance()))
        self._not_before, self._next_try = now + pause, _time(pause)
        if known is None:
            self._since = _time()
        if known is None or known.message != fault.message:
            about = {"code": fault.code, "reason": fault.message, "hint": fault.hint, "next_try": self._next_try}
            self.emit("push_failed", about)


def _key_of(target: PushTarget) -> tuple[str, str, str]:
    return target.commit, target.remote, target.target


def _command(root: Path, target: PushTarget) -> list[str]:
    plainly = ("--no-verify", "--no-follow-tags", "--recurse-submodules=no")
    git = ("git", "-C", str(root.absolute()), *git_environment.EXPLICITLY)
    return [*git, "push", *plainly, "--", target.remote, target.refspec]


def _environment(target: PushTarget) -> dict[str, str]:
    """The environment that keeps git from prompts, hooks and force. A ``=`` in a name would break ``-c``."""
    settings = {
        f"remote.{target.remote}.mirror": "false",
        "core.hooksPath": os.devnull,
        "color.ui": "false",
        "credential.interactive": "false",
    }
    found = {**git_environment.unattended(target.own_ssh), "GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found


def _explained(ended: CommandExit) -> PushError:
    """The error for a push that failed, in git's words."""
    lines = [line for line in ended.stderr.split("\n") if not _NO_NEWS.match(line)]
    words = " / ".join(lines)[-_MAX_REASON:]
    said = f"git push {ended.how}" + (f": {words}" if words else "")
    if ended.timed_out_after is not None:
        return PushError("push_timeout", said, _TRY_BY_HAND, lasting=False)
    for pattern, code, hint in _LASTING:
        if re.search(pattern, words):
            return PushError(code, said, hint, lasting=True)
    return PushError("push_failed", said, _TRY_BY_HAND, lasting=False)


def _time(later: float = 0.0) -> float:
    return round(time.time() + later, 1)
