"""The service for one wiki: its lock, its settings, the watcher of ``sources/``, its scheduler, workers and hooks.

The services of several wikis in one process share nothing, so that a fault of one wiki, its disk or its settings does not
reach the others. One that fails is closed and opened again later.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from curator.errors import ConfigError, CuratorError, of_the_system
from curator.service import instance_lock
from curator.service.hooks.notify import Notifier
from curator.service.hooks.push import Pusher
from curator.service.model_lender import ModelLender
from curator.service.queue import Queue
from curator.service.scheduler import Scheduler
from curator.service.watching.scan import Settling
from curator.service.watching.watcher import Watcher
from curator.service.worker import CURATE, Worker, stream_command
from curator.service.worker_forks import WorkerForks
from curator.service.worker_pool import RunningWorker
from curator.system.mounts import risk_in
from curator.system.signal_event import SignalEvent

_RETRY_SECONDS = 30.0
"""Seconds after which a service that failed is opened again."""
_CALM_ON_NETWORKS, _SCANS_ON_NETWORKS = 10.0, 3
"""On a network file system, files of others arrive in pieces, and their times may be late."""
_SOON, _TICK = 0.05, 0.2
_AHEAD = 4
"""One source for so many of ``parallel`` is at work besides, while others are checked and committed: the model is not kept
waiting by that."""
_PREPARED_SECONDS = 30.0
"""For so long what was loaded for a worker stays without one."""
_COMMAND_SECONDS = 60.0
"""The time limit of a ``curate`` command that the service runs."""


class WikiService:
    """One watched wiki. ``flags`` are those of the command line; the workers get them too."""

    def __init__(
        self,
        root: Path,
        flags: Mapping[str, Any],
        wake: SignalEvent,
        log: Callable[[Path, str, dict[str, Any]], None],
        is_ending: Callable[[], bool] = lambda: False,
    ) -> None:
        self.root = root.resolve()
        self.provider = ""
        """Provider and address of the model; empty for the built-in curator."""
        self.provider_parallel = 0
        self.may_start: Callable[[WikiService], bool] = lambda _: True
        self._arguments = [f"--{key.replace('_', '-')}={value}" for key, value in flags.items() if value]
        self._wake, self._log, self._is_ending = wake, log, is_ending
        self._dirty = threading.Event()
        """Set when something happened in ``sources/``."""
        self._workers: set[Worker] = set()
        self._forks = WorkerForks(stream_command(self.root, self._arguments))
        self._resources = ExitStack()
        self._scheduler: Scheduler | None = None
        self._pusher, self._notifier = Pusher(self.root, on=False), Notifier("", self.root)
        self._lender: ModelLender | None = None
        self._prepared_at = 0.0
        self._retry_at = 0.0
        self._fault = ""
        """The last fault that was reported."""

    # -- open, step, close ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Lock the wiki, finish what a crash interrupted, load the queue. Raises CuratorError when somebody has to act."""
        runtime = instance_lock.runtime_of(self.root)
        with ExitStack() as resources:
            lock = resources.enter_context(instance_lock.only_one(runtime.folder, self.root))
            self._run_curate("status")  # every command first finishes what a crash interrupted
            settings = self._read_settings()
            queue = Queue(runtime.folder / "queue.jsonl", restarted=instance_lock.restarted(runtime.folder))
            watcher = resources.enter_context(Watcher(self.root, settings["watch"], self._mark_dirty))
            parallel: int = settings["parallel"]
            self._scheduler = Scheduler(self.root, runtime, queue, watcher, self._start_worker, self._emit, parallel)
            if risk_in(self.root / "sources"):
                self._scheduler.scans.settling = Settling(_CALM_ON_NETWORKS, _SCANS_ON_NETWORKS)
            self._scheduler.assignments.may_start = lambda: self.may_start(self)
            self._scheduler.prepare = self._prepare
            resources.callback(self._scheduler.close)
            self._apply_settings(settings)
            self._lock, self._watch, self._watcher = lock, settings["watch"], watcher
            self._lender = ModelLender(self.root, runtime.model_socket, self._arguments)
            resources.callback(self._lender.stop)
            self._resources = resources.pop_all()
        self._fault = ""
        self._pusher.request()
        state = watcher.state()
        self._emit("watching", {"pid": os.getpid(), "watcher": state["mode"], "why": state["why"]})

    def step(self) -> float:
        """Do what is due now; returns the seconds until the next call. A fault is reported and tried again later."""
        now = time.monotonic()
        try:
            if self._scheduler is None:
                if now < self._retry_at:
                    pause = self._notifier.step(now)
                    return min(self._retry_at - now, _RETRY_SECONDS if pause is None else pause)
                self.open()
            assert self._scheduler is not None  # noqa: S101 (it has just been opened)
            dirty = self._dirty.is_set()
            self._dirty.clear()
            instance_lock.check_lock(self._lock, self.root)
            pause = self._scheduler.step(dirty)
            if not self._workers and now - self._prepared_at > _PREPARED_SECONDS:
                self._forks.stop()  # a service that waits for months stays small
            return pause
        except Exception as error:  # a bug of curator that shows in one wiki must not stop the others
            self.failed(self._cause_of(error))
            return _SOON

    def _cause_of(self, error: Exception) -> Exception:
        """Why a file could not be written: the git directory that it lies in may have been taken away meanwhile."""
        if isinstance(error, OSError) and self._scheduler is not None:
            try:
                instance_lock.check_lock(self._lock, self.root)
            except CuratorError as lost:
                return lost
        return error

    def failed(self, error: Exception) -> None:
        """Report the error, unless it is the same as before; close the wiki, to open it again later."""
        error = of_the_system(error, "the wiki is opened again by itself") if isinstance(error, OSError) else error
        reason = str(error) if isinstance(error, CuratorError) else _internal_fault(error)
        if reason != self._fault:
            self._emit("fault", {"reason": reason, "hint": getattr(error, "hint", "")})
        self._fault = reason
        self.drain()
        self._workers.clear()  # they finish their source: its answer is paid for
        self._close_wiki(0.0)
        self._pusher.stop(0.0)
        self._retry_at = time.monotonic() + _RETRY_SECONDS

    def reload(self) -> None:
        """Read the settings again; when they are bad, report it and keep the old ones."""
        if self._scheduler is None:
            self._retry_at, self._fault = 0.0, ""
            return
        try:
            settings = self._read_settings()
            self._apply_settings(settings)
            if settings["watch"] != self._watch:
                watcher = self._resources.enter_context(Watcher(self.root, settings["watch"], self._mark_dirty))
                self._watcher.__exit__()
                self._watch, self._watcher, self._scheduler.scans.watcher = settings["watch"], watcher, watcher
        except (CuratorError, OSError) as error:
            self._emit("fault", {"reason": str(error), "hint": getattr(error, "hint", "")})
            return
        if self._lender is not None:
            self._lender.stop()  # the next one has the new settings
        self._scheduler.assignments.parallel = settings["parallel"]
        self._scheduler.reload()
        self._pusher.request()
        self._emit("reloaded", {})

    def drain(self) -> None:
        """Give the workers no new source: each ends after its current one."""
        for worker in tuple(self._workers):  # one that ends meanwhile takes itself out
            worker.drain()

    def close(self, until: float) -> None:
        """End everything by ``until`` of the monotonic clock."""
        self._close_wiki(until)
        for hook in (self._pusher, self._notifier):
            hook.stop(max(0.0, min(1.0, until - time.monotonic())))

    def _close_wiki(self, until: float) -> None:
        """End the workers and close the wiki; the hooks stay, to report it."""
        for worker in list(self._workers):
            worker.stop(until - time.monotonic())
        self._workers.clear()
        self._forks.stop()
        was_open, self._scheduler = self._scheduler is not None, None
        try:
            self._resources.close()
        except Exception as error:
            self._emit("fault", {"reason": str(error)})
        if was_open:
            self._emit("stopped", {})

    @property
    def is_idle(self) -> bool:
        """True when nothing can be done without waiting for time to pass."""
        is_at_rest = self._scheduler is None or self._scheduler.is_idle
        return is_at_rest and self._pusher.is_idle and self._notifier.is_idle

    @property
    def in_progress(self) -> int:
        return len(self._scheduler.assignments.given) if self._scheduler is not None else 0

    @property
    def asking(self) -> int:
        return self._scheduler.assignments.asking if self._scheduler is not None else 0

    @property
    def waiting(self) -> int:
        return self._scheduler.queue.pending if self._scheduler is not None else 0

    # -- settings --------------------------------------------------------------------------------------------

    def _read_settings(self) -> dict[str, Any]:
        settings: dict[str, Any] = self._run_curate("config", *self._arguments)["settings"]
        return settings

    def _apply_settings(self, settings: Mapping[str, Any]) -> None:
        if settings["notify"] != self._notifier.command:  # the same command keeps its waiting events
            notifier = Notifier(settings["notify"], self.root, self._emit)
            self._notifier.stop(0.0)
            self._notifier = notifier
        self._pusher.stop(0.0)
        self._pusher = Pusher(self.root, self._emit, on=settings["push"])
        if self._scheduler is not None:
            self._scheduler.hooks = {"push": self._pusher, "notify": self._notifier}
        model, base = settings["model"], settings["api_base"]
        self.provider = f"{model.partition('/')[0]} {base}" if model else ""
        self.provider_parallel = settings["provider_parallel"]
        if self._scheduler is not None:
            self._scheduler.source_seconds = settings["source_seconds"]
            self._scheduler.assignments.ahead = settings["parallel"] // _AHEAD if model else 0

    def _run_curate(self, *arguments: str) -> dict[str, Any]:
        """The JSON of a ``curate`` command, run as a child process so that the service itself stays small."""
        command = [*CURATE, "--wiki", str(self.root), "--json", *arguments]
        output, complaint = self._output(command)
        try:
            reply: dict[str, Any] = json.loads(output)
        except ValueError:
            reply = {"ok": False}
        if not reply["ok"]:
            problem = reply.get("error") or {"message": complaint.strip()[-500:], "hint": ""}
            raise ConfigError("wiki_unfit", problem["message"], problem["hint"])
        return reply

    def _output(self, command: list[str]) -> tuple[str, str]:
        """What a command prints on stdout and stderr. It may wait for a lock; it is killed when the service is to end."""
        until = time.monotonic() + _COMMAND_SECONDS
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            while True:
                try:
                    return child.communicate(timeout=_TICK)
                except subprocess.TimeoutExpired:
                    if self._is_ending() or time.monotonic() > until:
                        child.kill()
                        what = "was ended" if self._is_ending() else f"takes longer than {_COMMAND_SECONDS:g} s"
                        said = f"curate {command[len(CURATE) + 3]} {what}"
                        raise ConfigError("wiki_unfit", said, "see what keeps it: curate doctor") from None

    # -- events --------------------------------------------------------------------------------------------

    def _mark_dirty(self) -> None:
        """Called from a thread of the watcher."""
        self._dirty.set()
        self._wake.set()

    def _prepare(self) -> None:
        """A source has come and settles: what takes longest to load is loaded meanwhile."""
        self._prepared_at = time.monotonic()
        if self.provider and self._lender is not None:
            self._lender.start()
        self._forks.load()

    def _start_worker(self) -> RunningWorker:
        if self.provider and self._lender is not None:
            self._lender.start()
        worker = Worker(self.root, self._arguments, self._receive, forks=self._forks)
        self._workers.add(worker)
        return worker

    def _receive(self, worker: Worker, message: dict[str, Any]) -> None:
        """Called from a thread of the worker."""
        if "ended" in message:
            self._workers.discard(worker)
            if not self._workers:
                self._forks.stop()
        if (scheduler := self._scheduler) is not None:
            scheduler.messages.append((worker, message))
        self._wake.set()

    def _emit(self, event: str, about: dict[str, Any]) -> None:
        self._log(self.root, event, about)
        self._notifier.notify(event, about)
        if about.get("commit"):
            self._pusher.request()


def _internal_fault(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"a fault of curator itself: {type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"
