"""``curate watch``: the service. Watches one wiki or several, each with its own queue, hands and lock."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator.errors import ConfigError, Conflict
from curator.filenames import shown
from curator.hands import Hand
from curator.queue import Queue
from curator.report import Report
from curator.service import Service, Works
from curator.settings import Settings, check_path

_PARALLEL = 4
_SECONDS_TO_END = 4.0


def run(wikis: Sequence[Settings], log_format: str, once: bool) -> Report:
    """Watch until a signal comes; with ``once`` until nothing is left to do."""
    wake, stop = threading.Event(), threading.Event()
    with ExitStack() as open_doors:
        services = [open_doors.enter_context(_opened(settings, wake, log_format)) for settings in wikis]
        for service in services:
            open_doors.enter_context(_events(service.root / "sources", wake))
        _on_signals(stop, wake)
        _tell_systemd("READY=1")
        while not stop.is_set():
            dirty = wake.is_set()
            wake.clear()
            pause = min(service.step(dirty) for service in services)
            if once and all(service.is_idle for service in services):
                break
            _tell_systemd("WATCHDOG=1")
            wake.wait(pause)
        _tell_systemd("STOPPING=1")
    return Report({"wikis": [str(service.root) for service in services]})


@contextmanager
def _opened(settings: Settings, wake: threading.Event, log_format: str) -> Iterator[Service]:
    """One wiki's service, locked against a second one, recovered, with its queue loaded."""
    root = settings.root.resolve()
    check_path(root)
    folder = _runtime_folder(root)
    with _only_one(folder, root):
        _recovered(root)
        arguments = [f"--{key.replace('_', '-')}={value}" for key, value in settings.flags.items() if value]
        service: Service

        def brought(hand: Hand, result: dict[str, Any] | None) -> None:
            service.results.append((hand, result))
            wake.set()

        def hire() -> Works:
            return Hand(root, arguments, brought)

        def say(event: str, about: dict[str, Any]) -> None:
            _log(log_format, root, event, about)

        queue = Queue(folder / "queue.jsonl")
        service = Service(root, queue, hire, say, _PARALLEL, folder / "queue.json")
        say("watching", {"pid": os.getpid()})
        try:
            yield service
        finally:
            service.close(_SECONDS_TO_END)
            say("stopped", {})


def _runtime_folder(root: Path) -> Path:
    """curator's folder in the git directory, asked for without opening the repository: the service stays small."""
    command = ["git", "-C", str(root), "rev-parse", "--git-path", "curator"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ConfigError("not_git", f"{str(root)!r} is not in a git repository", "run 'git init' in the wiki")
    folder = (root / done.stdout.rstrip("\n")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _recovered(root: Path) -> None:
    """The first act is to finish what a crash interrupted; ``status`` does, and says what is wrong with the wiki."""
    command = [sys.executable, "-m", "curator", "--wiki", str(root), "status"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        message, _, hint = done.stderr.strip().partition("\n")
        raise ConfigError("wiki_unfit", message.removeprefix("curate status: "), hint.strip())


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
        file.write(f"process {os.getpid()} on {socket.gethostname()} since {_now()}")
        file.flush()
        yield
        file.truncate(0)


@contextmanager
def _events(sources: Path, wake: threading.Event) -> Iterator[None]:
    """Whatever happens in ``sources/`` wakes the service sooner than its next look; where nothing tells, it just looks."""
    from watchdog.events import FileSystemEvent, FileSystemEventHandler
    from watchdog.observers import Observer

    class Wakes(FileSystemEventHandler):
        def on_any_event(self, event: FileSystemEvent) -> None:
            wake.set()

    observer = Observer()
    try:
        observer.schedule(Wakes(), str(sources), recursive=True)
        observer.start()
    except OSError:
        yield
        return
    try:
        yield
    finally:
        observer.stop()
        observer.join()


def _on_signals(stop: threading.Event, wake: threading.Event) -> None:
    def end(*_: object) -> None:
        stop.set()
        wake.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)


def _tell_systemd(message: str) -> None:
    """sd_notify, where systemd listens."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.connect("\0" + address[1:] if address.startswith("@") else address)
            channel.send(message.encode())


def _log(log_format: str, root: Path, event: str, about: dict[str, Any]) -> None:
    if log_format == "json":
        line = json.dumps({"at": _now(), "wiki": str(root), "event": event, **about})
    else:
        told = {key: value for key, value in about.items() if value not in (None, "")}
        line = f"{_now()} {shown(root.name)} {event} " + " ".join(
            f"{key}={shown(str(value))}" for key, value in told.items()
        )
    print(line, file=sys.stderr, flush=True)


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
