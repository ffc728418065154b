"""All that the service has for one wiki: its lock, its settings, the watch over ``sources/``, its hands and errands.

The stations of one process share nothing: what happens to one wiki, to its disk or to its settings, is no matter of the
others. A station that fails is closed and opened again later.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from curator.errors import ConfigError, CuratorError
from curator.service import instance_lock
from curator.service.hooks.notify import Notifier
from curator.service.hooks.push import Pusher
from curator.service.queue import Queue
from curator.service.scheduler import Scheduler
from curator.service.watching.scan import Settling
from curator.service.watching.watcher import Watcher
from curator.service.worker import Worker
from curator.service.worker_pool import RunningWorker
from curator.system.mounts import risk_in

_AGAIN = 30.0
"""Seconds after which a station that failed is opened again."""
_CALM_ON_NETWORKS, _LOOKS_ON_NETWORKS = 10.0, 3
"""There, what others write comes in pieces, and its times may be late."""
_SOON, _TICK = 0.05, 0.2
_PATIENCE = 60.0
"""For a command of curator's that says how the wiki is."""


class WikiService:
    """One wiki. ``flags`` are those of the command line, for the children too."""

    def __init__(
        self,
        root: Path,
        flags: Mapping[str, Any],
        wake: threading.Event,
        log: Callable[[Path, str, dict[str, Any]], None],
        is_ending: Callable[[], bool] = lambda: False,
    ) -> None:
        self.root = root.resolve()
        self.provider = ""
        """Who is asked; empty for the built-in curator."""
        self.provider_parallel = 0
        self.has_place: Callable[[WikiService], bool] = lambda _: True
        self._arguments = [f"--{key.replace('_', '-')}={value}" for key, value in flags.items() if value]
        self._wake, self._log, self._is_ending = wake, log, is_ending
        self._dirty = threading.Event()
        """Something happened in this ``sources/``."""
        self._hands: set[Worker] = set()
        self._doors = ExitStack()
        self._service: Scheduler | None = None
        self._pusher, self._notifier = Pusher(self.root, on=False), Notifier("", self.root)
        self._again_at = 0.0
        self._fault = ""
        """The last that was told."""

    # -- its life ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Lock, recover, load. Raises CuratorError when somebody has to act."""
        runtime = instance_lock.runtime_of(self.root)
        with ExitStack() as doors:
            lock = doors.enter_context(instance_lock.only_one(runtime.folder, self.root))
            self._asked("status")  # the first act of every command is to finish what a crash interrupted
            settings = self._settings()
            queue = Queue(runtime.folder / "queue.jsonl", restarted=instance_lock.restarted(runtime.folder))
            watcher = doors.enter_context(Watcher(self.root, settings["watch"], self._heard))
            parallel: int = settings["parallel"]
            self._service = Scheduler(self.root, runtime, queue, watcher, self._hire, self._say, parallel)
            if risk_in(self.root / "sources"):
                self._service.settling = Settling(_CALM_ON_NETWORKS, _LOOKS_ON_NETWORKS)
            self._service.has_place = lambda: self.has_place(self)
            doors.callback(self._service.close)
            self._apply(settings)
            self._lock, self._watch, self._watcher = lock, settings["watch"], watcher
            self._doors = doors.pop_all()
        self._fault = ""
        self._pusher.wanted()
        self._say("watching", {"pid": os.getpid(), **_briefly(watcher.state())})

    def step(self) -> float:
        """What can be done now; the seconds until there may be more. What goes wrong is told, and tried again."""
        now = time.monotonic()
        try:
            if self._service is None:
                if now < self._again_at:
                    pause = self._notifier.step(now)
                    return min(self._again_at - now, _AGAIN if pause is None else pause)
                self.open()
            assert self._service is not None  # noqa: S101 (it has just been opened)
            dirty = self._dirty.is_set()
            self._dirty.clear()
            instance_lock.check(self._lock, self.root)
            return self._service.step(dirty)
        except Exception as error:  # a fault of our own in one wiki is no matter of the others either
            self.failed(error)
            return _SOON

    def failed(self, error: Exception) -> None:
        """Tell it, once until it is another; close, and try again later."""
        is_expected = isinstance(error, CuratorError | OSError)
        reason = str(error) if is_expected else _fault_of_ours(error)
        if reason != self._fault:
            self._say("fault", {"reason": reason, "hint": getattr(error, "hint", "")})
        self._fault = reason
        self.let_go()
        self._hands.clear()  # they finish what they are at: its answer is paid for
        self._shut(0.0)
        self._pusher.end(0.0)
        self._again_at = time.monotonic() + _AGAIN

    def reload(self) -> None:
        """Read the settings again; bad ones are told, and the old ones hold."""
        if self._service is None:
            self._again_at, self._fault = 0.0, ""
            return
        try:
            settings = self._settings()
            self._apply(settings)
            if settings["watch"] != self._watch:
                watcher = self._doors.enter_context(Watcher(self.root, settings["watch"], self._heard))
                self._watcher.__exit__()
                self._watch, self._watcher, self._service.watcher = settings["watch"], watcher, watcher
        except (CuratorError, OSError) as error:
            self._say("fault", {"reason": str(error), "hint": getattr(error, "hint", "")})
            return
        self._service.parallel = settings["parallel"]
        self._service.reload()
        self._pusher.wanted()
        self._say("reloaded", {})

    def let_go(self) -> None:
        """No new work: each hand ends when it has done what it is at."""
        for hand in self._hands:
            hand.let_go()

    def close(self, until: float) -> None:
        """End everything by ``until``, of a clock that only goes forward."""
        self._shut(until)
        for errand in (self._pusher, self._notifier):
            errand.end(max(0.0, min(1.0, until - time.monotonic())))

    def _shut(self, until: float) -> None:
        """All but what tells of it."""
        for hand in list(self._hands):
            hand.end(until - time.monotonic())
        self._hands.clear()
        was_open, self._service = self._service is not None, None
        try:
            self._doors.close()
        except Exception as error:
            self._say("fault", {"reason": str(error)})
        if was_open:
            self._say("stopped", {})

    @property
    def is_idle(self) -> bool:
        """True when nothing is left that could be done without waiting."""
        is_at_rest = self._service is None or self._service.is_idle
        return is_at_rest and self._pusher.is_idle and self._notifier.is_idle

    @property
    def at_work(self) -> int:
        return self._service.at_work if self._service is not None else 0

    @property
    def waiting(self) -> int:
        return self._service.queue.going if self._service is not None else 0

    # -- its settings --------------------------------------------------------------------------------------------

    def _settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self._asked("config", *self._arguments)["settings"]
        return settings

    def _apply(self, settings: Mapping[str, Any]) -> None:
        if settings["notify"] != self._notifier.command:  # else what waits to be told is told yet
            notifier = Notifier(settings["notify"], self.root, self._say)
            self._notifier.end(0.0)
            self._notifier = notifier
        self._pusher.end(0.0)
        self._pusher = Pusher(self.root, self._say, on=settings["push"])
        if self._service is not None:
            self._service.errands = {"push": self._pusher, "notify": self._notifier}
        model, base = settings["model"], settings["api_base"]
        self.provider = f"{model.partition('/')[0]} {base}" if model else ""
        self.provider_parallel = settings["provider_parallel"]

    def _asked(self, *arguments: str) -> dict[str, Any]:
        """What a command of curator's says, run by a child: the service itself never loads what it takes."""
        command = [sys.executable, "-m", "curator", "--wiki", str(self.root), "--json", *arguments]
        output, complaint = self._output(command)
        try:
            said: dict[str, Any] = json.loads(output)
        except ValueError:
            said = {"ok": False}
        if not said["ok"]:
            problem = said.get("error") or {"message": complaint.strip()[-500:], "hint": ""}
            raise ConfigError("wiki_unfit", problem["message"], problem["hint"])
        return said

    def _output(self, command: list[str]) -> tuple[str, str]:
        """What it prints, for data and for people. It may wait long for another's lock; but nobody waits so for us."""
        until = time.monotonic() + _PATIENCE
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            while True:
                try:
                    return child.communicate(timeout=_TICK)
                except subprocess.TimeoutExpired:
                    if self._is_ending() or time.monotonic() > until:
                        child.kill()
                        what = "was ended" if self._is_ending() else f"takes longer than {_PATIENCE:g} s"
                        said = f"curate {command[6]} {what}"
                        raise ConfigError("wiki_unfit", said, "see what keeps it: curate doctor") from None

    # -- what goes on --------------------------------------------------------------------------------------------

    def _heard(self) -> None:
        """From a thread of the watcher's."""
        self._dirty.set()
        self._wake.set()

    def _hire(self) -> RunningWorker:
        hand = Worker(self.root, self._arguments, self._brought)
        self._hands.add(hand)
        return hand

    def _brought(self, hand: Worker, result: dict[str, Any]) -> None:
        """From a thread of the hand's."""
        if "ended" in result:
            self._hands.discard(hand)
        if (service := self._service) is not None:
            service.results.append((hand, result))
        self._wake.set()

    def _say(self, event: str, about: dict[str, Any]) -> None:
        self._log(self.root, event, about)
        self._notifier.tell(event, about)
        if about.get("commit"):
            self._pusher.wanted()


def _fault_of_ours(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"a fault of curator itself: {type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"


def _briefly(watcher: Mapping[str, Any]) -> dict[str, Any]:
    return {"watcher": watcher["mode"], "why": watcher["why"]}
