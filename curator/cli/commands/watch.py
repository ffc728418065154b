"""``curate watch``: the service. Watches one wiki or several, each at a station of its own."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curator.cli.report import Report
from curator.errors import CuratorError
from curator.repository.settings import Settings, check_path
from curator.service.wiki_service import WikiService
from curator.system import clocks
from curator.system.filenames import printable

_SECONDS_TO_END = 4.0
_STDERR = 2
_AT_ONCE = select.PIPE_BUF
"""As much is taken at once, or nothing, by what is ready for it."""
_PATIENCE = 0.5
_WARNINGS = {"fault", "died", "unfit", "push_failed", "notify_failed"}


def run(wikis: Sequence[Settings], log_format: str, once: bool) -> Report:
    """Watch until a signal comes; with ``once`` until nothing is left to do."""
    signals = _Signals()

    log = _Log(log_format)
    stations = [WikiService(one.root, one.flags, signals.wake, log.line, signals.stop.is_set) for one in wikis]
    for station in stations:
        check_path(station.root)
        station.has_place = lambda one: _has_place(one, stations)
    try:
        _open(stations, signals, once)
        _tell_systemd("READY=1")
        _watch(stations, signals, once)
        _tell_systemd("STOPPING=1")
    finally:
        until = time.monotonic() + _SECONDS_TO_END
        for station in stations:
            station.let_go()
        for station in stations:
            station.close(until)
    return Report({"wikis": [str(station.root) for station in stations]})


def _open(stations: Sequence[WikiService], signals: _Signals, once: bool) -> None:
    """One of several that cannot be watched is told, and tried again. Raises CuratorError when none can."""
    faults = []
    for station in stations:
        try:
            station.open()
        except CuratorError as error:
            if signals.stop.is_set():
                return
            if once or len(stations) == 1:
                raise
            station.failed(error)
            faults.append(error)
    if len(faults) == len(stations):
        raise faults[0]


def _watch(stations: list[WikiService], signals: _Signals, once: bool) -> None:
    while not signals.stop.is_set():
        signals.wake.clear()
        if signals.reload.is_set():
            signals.reload.clear()
            for station in stations:
                station.reload()
        pause = min(station.step() for station in stations)
        stations.append(stations.pop(0))  # the places at a provider are not always given to the same one first
        if once and all(station.is_idle for station in stations):
            return
        at_work = sum(station.at_work for station in stations)
        _tell_systemd(f"WATCHDOG=1\nSTATUS={at_work} at work, {sum(station.waiting for station in stations)} waiting")
        signals.wake.wait(pause)


def _has_place(one: WikiService, stations: Sequence[WikiService]) -> bool:
    """True when the provider that a station asks may be asked more, by all that ask it together."""
    asking = [station for station in stations if station.provider == one.provider]
    most = min(station.provider_parallel for station in asking)
    return not one.provider or sum(station.at_work for station in asking) < most


class _Signals:
    """SIGTERM and SIGINT end the service, SIGHUP has it read its settings again."""

    def __init__(self) -> None:
        self.wake, self.stop, self.reload = threading.Event(), threading.Event(), threading.Event()
        for number, event in ((signal.SIGTERM, self.stop), (signal.SIGINT, self.stop), (signal.SIGHUP, self.reload)):
            signal.signal(number, lambda *_, event=event: self._happened(event))

    def _happened(self, event: threading.Event) -> None:
        event.set()
        self.wake.set()


def _tell_systemd(message: str) -> None:
    """sd_notify, where systemd listens."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.connect("\0" + address[1:] if address.startswith("@") else address)
            channel.send(message.encode())


class _Log:
    """Lines on stderr; journald puts the time before them, and reads how grave each is from its beginning.

    Nobody has to read them: a line that a full pipe does not take is left out, and counted.
    """

    def __init__(self, log_format: str) -> None:
        self._is_json = log_format == "json"
        self._lost = 0

    def line(self, root: Path, event: str, about: dict[str, Any]) -> None:
        now = clocks.utc_timestamp(datetime.now(UTC))
        if self._lost:
            about = {**about, "lines_lost": self._lost}
        if self._is_json:
            line = json.dumps({"at": now, "wiki": str(root), "event": event, **about})
        else:
            head = f"<{4 if event in _WARNINGS else 6}>" if "JOURNAL_STREAM" in os.environ else f"{now} "
            told = [f"{key}={printable(str(value))}" for key, value in about.items() if value not in (None, "")]
            line = head + " ".join([printable(root.name), event, *told])
        self._lost = 0 if self._is_written(line.encode("utf-8", "backslashreplace") + b"\n") else self._lost + 1

    def _is_written(self, line: bytes) -> bool:
        """Waits for a slow reader, but once only for one that does not read."""
        with suppress(OSError):  # nobody reads it any more; that ends no service
            for at in range(0, len(line), _AT_ONCE):
                if not select.select([], [_STDERR], [], 0 if self._lost and not at else _PATIENCE)[1]:
                    return False
                os.write(_STDERR, line[at : at + _AT_ONCE])
        return True
