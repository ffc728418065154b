"""``git push`` after commits: a step of its own, beside the ingests, that can fail for days without holding one up.

- One push at a time, of the current branch, to where ``upstream`` says; what is committed meanwhile goes with the next.
- Never with force, whatever the configuration asks for: one refspec without ``+``, no mirror, no tags, no hooks.
- Nobody is asked for anything: a push that needs a password or a passphrase fails, and says so.
- A failure is tried again after a pause that doubles; one that somebody has to mend, after the longest. A new commit
  shortens no pause.

Nothing here waits: ``step`` starts a push, or looks how it is doing.
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

from curator.repository.git import environment
from curator.service.hooks import upstream
from curator.service.hooks.command import BackgroundCommand, CommandExit, redacted
from curator.service.hooks.upstream import PushError, PushTarget

PUSH_SECONDS = 600.0
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 3600.0
_SPREAD = 0.8
"""A pause is cut by chance to no less than this part, so that many wikis do not call at the same second."""
_LONGEST_REASON = 400

_HAND = "try 'git push' in the wiki by hand, and see what it says"
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
"""What nobody but a person can mend: how git's words are known, the code, and what to do."""
_NO_NEWS = re.compile(
    r"hint:|To |error: failed to push some refs|Everything up-to-date|Please make sure|and the repository"
)

Say = Callable[[str, dict[str, Any]], None]


def _to_nobody(event: str, about: dict[str, Any]) -> None:
    return


@dataclass
class Pusher:
    """The pushes of one wiki."""

    root: Path
    say: Say = _to_nobody
    """Hears ``pushed``, and ``push_failed`` once for each new reason."""
    on: bool = True
    chance: Callable[[], float] = random.random
    _wanted: bool = False
    _errand: BackgroundCommand | None = None
    _aim: PushTarget | None = None
    _done: tuple[str, str, str] | None = None
    """Commit, remote and target of the last push that went well."""
    _since: float | None = None
    """Since when the state is what it is, in seconds since 1970, as ``_next_try``."""
    _fault: PushError | None = None
    _faults: int = 0
    _not_before: float = 0.0
    _next_try: float | None = None

    def wanted(self) -> None:
        """There may be something to push."""
        self._wanted = self.on

    def step(self, now: float) -> float | None:
        """Do what can be done at ``now`` (monotonic); the seconds until the next step, None when there is nothing to do."""
        if self._errand is not None:
            if (ended := self._errand.look(now)) is None:
                return self._errand.pause(now)
            self._errand = None
            self._returned(ended, now)
        if self._wanted and now >= self._not_before:
            self._begin(now)
        if self._errand is not None:
            return self._errand.pause(now)
        return max(0.0, self._not_before - now) if self._wanted else None

    @property
    def is_idle(self) -> bool:
        """True when nothing is left that could be done without waiting."""
        return self._errand is None and (not self._wanted or self._fault is not None)

    def state(self) -> dict[str, Any]:
        """What ``curate status`` shows; times are seconds since 1970, and change only when the state does."""
        if not self.on:
            return {"state": "off"}
        name = "pushing" if self._errand is not None else "idle" if self._fault is None else "failing"
        known: dict[str, Any] = {"state": name, "since": self._since}
        if self._aim is not None:
            known["behind"] = self._aim.behind
        if self._fault is not None:
            fault = self._fault
            known |= {"code": fault.code, "reason": fault.message, "hint": fault.hint, "next_try": self._next_try}
        return known

    def end(self, seconds: float) -> None:
        """End a push within so many seconds; what it has not brought over goes when the service runs again."""
        if self._errand is not None:
            self._errand.end(seconds)
            self._errand, self._wanted = None, True

    # -- one push ------------------------------------------------------------------------------------------------

    def _begin(self, now: float) -> None:
        self._wanted = False
        try:
            aim = upstream.find(self.root)
            self._aim = aim
            if aim is None or aim.behind == 0 or _what(aim) == self._done:
                if self._fault is not None:
                    self._well()
                return
            self._errand = BackgroundCommand(_command(self.root, aim), _environment(aim), Path("/"), now, PUSH_SECONDS)
        except PushError as fault:
            self._failed(fault, now)
        except OSError as error:
            self._failed(PushError("push_failed", f"git cannot be started: {error}", _HAND, lasting=False), now)
        else:
            if self._fault is None:
                self._since = _time()

    def _returned(self, ended: CommandExit, now: float) -> None:
        assert self._aim is not None  # noqa: S101 (no errand is begun without one)
        if ended.status != 0 or ended.late_after is not None:
            self._failed(_explained(ended), now)
            return
        self._aim = aim = replace(self._aim, behind=0)
        self._done = _what(aim)
        self._well()
        about = {"commit": aim.commit, "remote": redacted(aim.remote), "branch": redacted(aim.target_name)}
        self.say("pushed", about)

    def _well(self) -> None:
        self._fault, self._faults, self._not_before, self._next_try = None, 0, 0.0, None
        self._since = _time()

    def _failed(self, fault: PushError, now: float) -> None:
        known = self._fault
        self._wanted, self._fault, self._faults = True, fault, self._faults + 1
        pause = LONGEST_PAUSE if fault.lasting else _doubled(self._faults)
        pause = max(FIRST_PAUSE, pause * (_SPREAD + (1 - _SPREAD) * self.chance()))
        self._not_before, self._next_try = now + pause, _time(pause)
        if known is None:
            self._since = _time()
        if known is None or known.message != fault.message:
            about = {"code": fault.code, "reason": fault.message, "hint": fault.hint, "next_try": self._next_try}
            self.say("push_failed", about)


def _what(aim: PushTarget) -> tuple[str, str, str]:
    return aim.commit, aim.remote, aim.target


def _command(root: Path, aim: PushTarget) -> list[str]:
    plainly = ("--no-verify", "--no-follow-tags", "--recurse-submodules=no")
    return ["git", "-C", str(root.absolute()), "push", *plainly, "--", aim.remote, aim.refspec]


def _environment(aim: PushTarget) -> dict[str, str]:
    """What keeps git from asking, from hooks and from force; not as ``-c``, which a ``=`` in a name would break."""
    settings = {
        f"remote.{aim.remote}.mirror": "false",
        "core.hooksPath": os.devnull,
        "color.ui": "false",
        "credential.interactive": "false",
    }
    found = {
        **environment.for_remotes(),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        "GCM_INTERACTIVE": "never",
        "GIT_CONFIG_COUNT": str(len(settings)),
    }
    for number, (key, value) in enumerate(settings.items()):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    if not aim.own_ssh and not found.keys() & {"GIT_SSH_COMMAND", "GIT_SSH"}:
        found["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes"
    return found


def _explained(ended: CommandExit) -> PushError:
    """A push that came to nothing, in git's words."""
    lines = [line for line in ended.said.split("\n") if not _NO_NEWS.match(line)]
    words = " / ".join(lines)[-_LONGEST_REASON:]
    said = f"git push {ended.how}" + (f": {words}" if words else "")
    if ended.late_after is not None:
        return PushError("push_timeout", said, _HAND, lasting=False)
    for pattern, code, hint in _LASTING:
        if re.search(pattern, words):
            return PushError(code, said, hint, lasting=True)
    return PushError("push_failed", said, _HAND, lasting=False)


def _doubled(faults: int) -> float:
    return min(LONGEST_PAUSE, FIRST_PAUSE / _SPREAD * float(2 ** min(faults - 1, 20)))


def _time(later: float = 0.0) -> float:
    return round(time.time() + later, 1)
