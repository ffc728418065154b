"""All that the service has for one wiki: its lock, its settings, the watch over ``sources/``, its hands and errands.

The stations of one process share nothing: what happens to one wiki, to its disk or to its settings, is no matter of the
others. A station that fails is closed and opened again later.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from curator.errors import ConfigError, Conflict, CuratorError
from curator.filenames import shown
from curator.hands import Hand
from curator.mounts import risk_in
from curator.notifying import Notifier
from curator.pushing import Pusher
from curator.queue import Queue
from curator.runtime import Runtime
from curator.scan import Settling
from curator.service import Service, Works
from curator.watcher import Watcher

_AGAIN = 30.0
"""Seconds after which a station that failed is opened again."""
_CALM_ON_NETWORKS, _LOOKS_ON_NETWORKS = 10.0, 3
"""There, what others write comes in pieces, and its times may be late."""
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Station:
    """One wiki. ``flags`` are those of the command line, for the children too."""

    def __init__(
        self,
        root: Path,
        flags: Mapping[str, Any],
        wake: threading.Event,
        log: Callable[[Path, str, dict[str, Any]], None],
    ) -> None:
        self.root = root.resolve()
        self.provider = ""
        """Who is asked; empty for the built-in curator."""
        self.provider_parallel = 0
        self.has_place: Callable[[Station], bool] = lambda _: True
        self._arguments = [f"--{key.replace('_', '-')}={value}" for key, value in flags.items() if value]
        self._wake, self._log = wake, log
        self._hands: set[Hand] = set()
        self._doors = ExitStack()
        self._service: Service | None = None
        self._pusher, self._notifier = Pusher(self.root, on=False), Notifier("", self.root)
        self._again_at = 0.0

    # -- its life ------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Lock, recover, load. Raises CuratorError when somebody has to act."""
        runtime = Runtime(_runtime_folder(self.root))
        with ExitStack() as doors:
            doors.enter_context(_only_one(runtime.folder, self.root))
            self._asked("status")  # the first act of every command is to finish what a crash interrupted
            settings = self._settings()
            queue = Queue(runtime.folder / "queue.jsonl", restarted=_restarted(runtime.folder))
            watcher = doors.enter_context(Watcher(self.root, settings["watch"], self._wake.set))
            parallel: int = settings["parallel"]
            self._service = Service(self.root, runtime, queue, watcher, self._hire, self._say, parallel)
            if risk_in(self.root / "sources"):
                self._service.settling = Settling(_CALM_ON_NETWORKS, _LOOKS_ON_NETWORKS)
            self._service.has_place = lambda: self.has_place(self)
            doors.callback(self._service.close)
            self._apply(settings)
            self._doors = doors.pop_all()
        self._pusher.wanted()
        self._say("watching", {"pid": os.getpid(), **_briefly(watcher.state())})

    def step(self, dirty: bool) -> float:
        """What can be done now; the seconds until there may be more. What goes wrong is told, and tried again."""
        now = time.monotonic()
        try:
            if self._service is None:
                if now < self._again_at:
                    return self._again_at - now
                self.open()
            assert self._service is not None  # noqa: S101 (it has just been opened)
            return self._service.step(dirty)
        except (CuratorError, OSError) as error:
            self._say("fault", {"reason": str(error), "hint": getattr(error, "hint", "")})
            self.close(0.0)
            self._again_at = now + _AGAIN
            return _AGAIN

    def reload(self) -> None:
        """Read the settings again; bad ones are told, and the old ones hold."""
        if self._service is None:
            self._again_at = 0.0
            return
        try:
            settings = self._settings()
            self._apply(settings)
        except CuratorError as error:
            self._say("fault", {"reason": error.message, "hint": error.hint})
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
        for hand in list(self._hands):
            hand.end(until - time.monotonic())
        self._hands.clear()
        was_open, self._service = self._service is not None, None
        try:
            self._doors.close()
        except OSError as error:
            self._say("fault", {"reason": str(error)})
        if was_open:
            self._say("stopped", {})
        for errand in (self._pusher, self._notifier):
            errand.end(max(0.0, min(1.0, until - time.monotonic())))

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
        notifier = Notifier(settings["notify"], self.root, self._say)
        self._notifier.end(0.0)
        self._pusher.end(0.0)
        self._notifier, self._pusher = notifier, Pusher(self.root, self._say, on=settings["push"])
        if self._service is not None:
            self._service.errands = {"push": self._pusher, "notify": self._notifier}
        model, base = settings["model"], settings["api_base"]
        self.provider = f"{model.partition('/')[0]} {base}" if model else ""
        self.provider_parallel = settings["provider_parallel"]

    def _asked(self, *arguments: str) -> dict[str, Any]:
        """What a command of curator's says, run by a child: the service itself never loads what it takes."""
        command = [sys.executable, "-m", "curator", "--wiki", str(self.root), "--json", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        try:
            said: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            said = {"ok": False}
        if not said["ok"]:
            problem = said.get("error") or {"message": done.stderr.strip()[-500:], "hint": ""}
            raise ConfigError("wiki_unfit", problem["message"], problem["hint"])
        return said

    # -- what goes on --------------------------------------------------------------------------------------------

    def _hire(self) -> Works:
        hand = Hand(self.root, self._arguments, self._brought)
        self._hands.add(hand)
        return hand

    def _brought(self, hand: Hand, result: dict[str, Any]) -> None:
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


def _briefly(watcher: Mapping[str, Any]) -> dict[str, Any]:
    return {"watcher": watcher["mode"], "why": watcher["why"]}


def _runtime_folder(root: Path) -> Path:
    """curator's folder in the git directory, asked for without opening the repository: the service stays small."""
    command = ["git", "-C", str(root), "rev-parse", "--git-path", "curator"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ConfigError("not_git", f"{str(root)!r} is not in a git repository", "run 'git init' in the wiki")
    folder = (root / done.stdout.rstrip("\n")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _restarted(folder: Path) -> bool:
    """True when the machine was started again since the last service: what was at work then was not the reason."""
    try:
        boot = _BOOT.read_text("ascii").strip()
    except OSError:
        return False
    file = folder / "boot"
    before = file.read_text("ascii") if file.exists() else boot
    file.write_text(boot, "ascii")
    return before != boot


@contextmanager
def _only_one(folder: Path, root: Path) -> Iterator[None]:
    """The lock of the service; it dies with its process. Raises Conflict naming the one that runs."""
    with (folder / "daemon.lock").open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            about = file.read().strip() or "unknown"
            said = f"another curate watch is at work on {shown(root)}: {about}"
            raise Conflict("already_watched", said, "end that one first, or let it go on") from None
        file.truncate(0)
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        file.write(f"process {os.getpid()} on {socket.gethostname()} since {now}")
        file.flush()
        yield
        with suppress(OSError):
            file.truncate(0)
