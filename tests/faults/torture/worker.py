"""One of the processes that torture: takes jobs as lines of JSON on stdin, and says on stdout what came of each.

The shim is loaded into it and asleep; what is tortured is a fork of it, in which it wakes. That saves starting Python
anew thousands of times.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from curator.cli.commands import status
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from faults.torture import child, locks, power
from faults.torture.checks import State, faults, git, litter, state
from faults.torture.child import Ended
from faults.torture.plans import PLANS, Done
from faults.torture.shim import Call, Strike, calls

_REAL_EVERY = 20
"""So many times, the next command is ``curate status`` in a Python of its own; else it is that command's function."""
_PROBE_EVERY = 3
"""So many times, what follows a transaction that was taken back is another one, and not the same again."""
_GOES_ON_EVERY = 4
"""So many times, in the modes with the most faults, is it tried whether the work goes on; in the others, always."""
_MANY = ("errno", "reads", "double", "unlocked")
_PROBE = "concepts/probe.md"


@dataclass(frozen=True)
class Job:
    """One fault; for ``double`` and ``unlocked``, all the faults of the recovery from one.

    Before all faults, ``prepare`` makes a plan's template, and ``count`` tells its calls.
    """

    mode: str
    plan: str
    at: int = 0
    error: int = 0
    lasting: bool = False
    every: int = 1
    """How many calls of a recovery lie between one kill and the next."""


@dataclass
class Result:
    """What came of a job."""

    mode: str
    plan: str
    at: int
    struck: str = ""
    """The call that was struck; empty when the run had ended before."""
    how: str = ""
    landed: bool = False
    faults: list[str] = field(default_factory=list)
    recovery: float = 0.0
    """Seconds the next command took, when it was not one in a Python of its own."""


@dataclass(frozen=True)
class Expected:
    """A plan's wiki without any fault."""

    before: State
    after: State


class Bench:
    """The place of one worker: a wiki is put here, struck, looked at, and thrown away."""

    def __init__(self, templates: Path, folder: Path) -> None:
        self.templates, self.folder = templates, folder
        self.root = folder / "wiki"

    def do(self, job: Job) -> Iterator[Result | Call]:
        if job.mode == "prepare":
            self._prepare(job.plan)
        elif job.mode == "count":
            yield from self._counted(job)
        elif job.mode in ("double", "unlocked"):
            yield from self._doubles(job)
        elif job.mode == "locks":
            yield self._locked(job)
        else:
            yield self._struck(job)

    def _prepare(self, plan: str) -> None:
        """Make the plan's template, and see what it does without any fault."""
        folder = self.templates / plan
        folder.mkdir(parents=True)
        PLANS[plan].prepare(folder)
        before = state(folder / "wiki")
        self._lay_out(folder / "wiki")
        PLANS[plan].act(self.root, folder)
        (folder / "expected").write_bytes(pickle.dumps(Expected(before, state(self.root))))

    def _counted(self, job: Job) -> Iterator[Call]:
        """The calls of a plan when nothing goes wrong; ``every`` 0: with those that open a file to read."""
        self._lay_out(self.templates / job.plan / "wiki")
        blow = self._blow(job, reads=job.every == 0)
        ended = child.run(lambda: self._act(job.plan), blow)
        if ended.how != "done":
            raise RuntimeError(f"{job.plan}: {ended.how}: {ended.value}")
        yield from calls(blow.log)

    # -- one fault -----------------------------------------------------------------------------------------------------

    def _struck(self, job: Job) -> Result:
        """Run the plan with one fault, then the next command, then look."""
        self._lay_out(self.templates / job.plan / "wiki")
        blow = self._blow(job, reads=job.mode == "reads")
        names = power.names(self.root) if blow.names else {}
        ended = child.run(lambda: self._act(job.plan), blow, orphans=job.mode == "orphan")
        if job.mode == "orphan":
            self._next_command(job.at)
            child.wait_for_group(ended.group)
        made = list(calls(blow.log))
        self._cut_power(job, blow, names, made)
        result = Result(job.mode, job.plan, job.at, _shown(made, self.root), ended.how)
        if not ended.clean:
            result.faults.append(f"{ended.how}: {ended.value}")
        return self._judged(result)

    def _blow(self, job: Job, *, reads: bool = False, at: int | None = None) -> Strike:
        kinds = {mode: mode for mode in ("torn", "errno", "orphan", "lone")} | {"reads": "errno"}
        blow = Strike(
            self.root,
            self.folder,
            kinds.get(job.mode, "kill"),
            job.at if at is None else at,
            job.error,
            job.lasting,
            reads,
            names=job.mode.endswith("names"),
        )
        blow.prepare()
        return blow

    def _cut_power(self, job: Job, blow: Strike, names: dict[str, int], made: list[Call]) -> None:
        if blow.names:
            chance = random.Random(job.at) if job.mode == "some-names" else None
            power.cut_names(self.root, blow.grave, names, made, chance)
        if blow.names or job.mode == "power":
            power.cut_contents(self.root, made)

    # -- faults of the recovery ----------------------------------------------------------------------------------------

    def _doubles(self, job: Job) -> Iterator[Result]:
        """Kill the plan, then the next command before each of its own calls, now and then the one after that too."""
        wreck = self.folder / "wreck"
        self._lay_out(self.templates / job.plan / "wiki")
        child.run(lambda: self._act(job.plan), self._blow(job))
        if job.mode == "unlocked":  # as git's own message tells its user to
            (self.root / ".git" / "index.lock").unlink(missing_ok=True)
        _copy(self.root, wreck)
        counted = self._blow(job, at=0)
        child.run(self._status, counted)
        most = len(list(calls(counted.log)))
        for second in range(1, most + 1, job.every):
            self._lay_out(wreck)
            result = Result(job.mode, job.plan, job.at, how="killed")
            for depth in range(1 + second % 2):
                blow = self._blow(job, at=second if depth == 0 else 1 + second // 2)
                child.run(self._status, blow)
                result.struck += f" {_shown(list(calls(blow.log)), self.root)}"
            yield self._judged(result)

    # -- locks that are the user's -------------------------------------------------------------------------------------

    def _locked(self, job: Job) -> Result:
        """A lock of somebody else's is there all the time: it stays as it is, and so does the wiki."""
        lock = locks.LOCKS[job.at]
        self._lay_out(self.templates / job.plan / "wiki")
        lock.lay(self.root)
        ended = child.run(lambda: self._act(job.plan))
        result = Result(job.mode, job.plan, job.at, lock.name, ended.how)
        if ended.how not in ("Conflict.index_locked", "GitError.branch_locked"):
            result.faults.append(f"not refused: {ended.how}: {ended.value}")
        child.run(self._status)
        result.faults += lock.stolen(self.root)
        lock.lift(self.root)
        return self._judged(result)

    # -- looking -------------------------------------------------------------------------------------------------------

    def _judged(self, result: Result) -> Result:
        """What must be so now: the next command mends all, and the work goes on."""
        expected: Expected = pickle.loads((self.templates / result.plan / "expected").read_bytes())  # noqa: S301
        ended = self._next_command(result.at)
        result.recovery = 0.0 if _is_real(result.at) else ended.seconds
        if ended.how != "done":
            result.faults.append(f"the next command: {ended.how}: {ended.value}")
        elif ended.value != []:
            result.faults.append(f"rescued without need: {ended.value}")
        result.faults += faults(self.root, expected.before, expected.after)
        result.landed = git(self.root, "rev-parse", "HEAD") == expected.after.head
        if result.how == "done" and not result.landed and result.struck:
            result.faults.append("it said it was done")
        if not result.faults and (result.mode not in _MANY or result.at % _GOES_ON_EVERY == 0):
            result.faults += self._goes_on(result, expected)
        return result

    def _goes_on(self, result: Result, expected: Expected) -> Iterator[str]:
        """The same once more: what landed is known to be there, what did not lands now."""
        if not result.landed and result.at % _PROBE_EVERY == 0:
            yield from self._another_lands_alone(expected.before.head)
            return
        ended = child.run(lambda: self._act(result.plan))
        if ended.how != ("done.already" if result.landed else "done"):
            yield f"once more: {ended.how}: {ended.value}"
        if state(self.root) != expected.after:
            yield "once more: the wiki is not as it would be without a fault"
        yield from litter(self.root, scratch=result.landed)

    def _another_lands_alone(self, base: str) -> Iterator[str]:
        """Nothing of the transaction that was taken back may come with the next one."""
        ended = child.run(lambda: _commit_probe(self.root))
        changed = git(self.root, "diff-tree", "-r", "--name-only", base, "HEAD")
        if ended.how != "done" or changed != _PROBE:
            yield f"another one: {ended.how}: {ended.value}: {changed}"
        yield from litter(self.root, scratch=False)

    def _next_command(self, number: int) -> Ended:
        return _real_status(self.root) if _is_real(number) else child.run(self._status)

    # -- acting --------------------------------------------------------------------------------------------------------

    def _act(self, plan: str) -> None:
        try:
            PLANS[plan].act(self.root, self.templates / plan)
        except Done:
            raise child.Already from None

    def _status(self) -> Any:
        return status.run(Settings(self.root, {}, {})).data["rescued"]

    def _lay_out(self, wiki: Path) -> None:
        shutil.rmtree(self.folder / "grave", ignore_errors=True)
        _copy(wiki, self.root)


def _is_real(number: int) -> bool:
    return number % _REAL_EVERY == 0


def _real_status(root: Path) -> Ended:
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    command = [sys.executable, "-m", "curator", "--wiki", str(root), "--json", "status"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        return Ended(f"exit {done.returncode}", done.stdout + done.stderr)
    return Ended("done", json.loads(done.stdout)["rescued"])


def _commit_probe(root: Path) -> None:
    with Repository(root) as repository:
        repository.begin().commit({_PROBE: "---\ntitle: Probe\n---\n\nA text.\n"}, None, "probe\n")


def _copy(wiki: Path, to: Path) -> None:
    shutil.rmtree(to, ignore_errors=True)
    subprocess.run(["cp", "-a", str(wiki), str(to)], check=True)


def _shown(made: list[Call], root: Path) -> str:
    struck = next((call for call in made if call.struck), None)
    if struck is None:
        return ""
    places = " ".join(path.removeprefix(f"{root}/") for path in (struck.path, struck.other) if path)
    return f"{struck.kind} {places}"


def serve(answer: Callable[[Job], Iterator[Result | Call]]) -> None:
    """A job a line; the answer is a line too: what came of it, as a list."""
    for line in sys.stdin:
        print(json.dumps([asdict(result) for result in answer(Job(**json.loads(line)))]), flush=True)


if __name__ == "__main__":
    serve(Bench(Path(sys.argv[1]), Path(sys.argv[2])).do)
