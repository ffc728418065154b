"""``curate watch``: watches one wiki or several, each with a service of its own."""

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
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import FOLDER, common_options, model_options, reported
from curator.errors import CuratorError
from curator.repository.settings import Settings, check_path
from curator.service.wiki_service import WikiService
from curator.system import clocks
from curator.system.filenames import printable

_SECONDS_TO_END = 4.0
_STDERR = 2
_AT_ONCE = select.PIPE_BUF
"""A pipe takes so many bytes at once, or none."""
_PATIENCE = 0.5
_WARNINGS = {"fault", "died", "overdue", "unfit", "push_failed", "notify_failed"}


@click.command()
@click.argument("folders", nargs=-1, type=FOLDER)
@click.option(
    "--log", "log_format", type=click.Choice(["text", "json"]), default="text", help="How it logs, to stderr."
)
@click.option("--once", is_flag=True, help="Take in what is there, then end.")
@model_options
@common_options
@reported
def watch(
    common: CommonOptions, /, folders: tuple[Path, ...], log_format: str, once: bool, **flags: str | None
) -> Report:
    wikis = folders or ((common.wiki,) if common.wiki else (None,))
    return run([console.settings(replace(common, wiki=wiki), flags) for wiki in wikis], log_format, once)


def run(wikis: Sequence[Settings], log_format: str, once: bool) -> Report:
    """Watch until a signal comes; with ``once`` until nothing is left to do."""
    signals = _Signals()

    log = _Log(log_format)
    services = [WikiService(one.root, one.flags, signals.wake, log.line, signals.stop.is_set) for one in wikis]
    for service in services:
        check_path(service.root)
        service.may_start = lambda one: _may_start(one, services)
    try:
        _open(services, signals, once)
        _tell_systemd("READY=1")
        _watch(services, signals, once)
        _tell_systemd("STOPPING=1")
    finally:
        until = time.monotonic() + _SECONDS_TO_END
        for service in services:
            service.drain()
        for service in services:
            service.close(until)
    return Report({"wikis": [str(service.root) for service in services]})


def _open(services: Sequence[WikiService], signals: _Signals, once: bool) -> None:
    """Open all; one of several that fails is reported and tried again later. Raises CuratorError when all fail."""
    faults = []
    for service in services:
        try:
            service.open()
        except CuratorError as error:
            if signals.stop.is_set():
                return
            if once or len(services) == 1:
                raise
            service.failed(error)
            faults.append(error)
    if len(faults) == len(services):
        raise faults[0]


def _watch(services: list[WikiService], signals: _Signals, once: bool) -> None:
    while not signals.stop.is_set():
        signals.wake.clear()
        if signals.reload.is_set():
            signals.reload.clear()
            for service in services:
                service.reload()
        pause = min(service.step() for service in services)
        services.append(services.pop(0))  # so that the provider is not always asked for the same wiki first
        if once and all(service.is_idle for service in services):
            return
        in_progress = sum(service.in_progress for service in services)
        _tell_systemd(
            f"WATCHDOG=1\nSTATUS={in_progress} at work, {sum(service.waiting for service in services)} waiting"
        )
        signals.wake.wait(pause)


def _may_start(one: WikiService, services: Sequence[WikiService]) -> bool:
    """True while the services that share a provider ask it less often at once than the strictest of them allows."""
    asking = [service for service in services if service.provider == one.provider]
    most = min(service.provider_parallel for service in asking)
    return not one.provider or sum(service.in_progress for service in asking) < most


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
    """Lines on stderr; for journald with the severity in front and without the time.

    A reader that does not keep up never stops the service: a line that a full pipe does not take is dropped and counted.
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
        """Write a line; wait for a slow reader, but only once for one that does not read at all."""
        with suppress(OSError):  # a closed pipe does not end the service
            for at in range(0, len(line), _AT_ONCE):
                if not select.select([], [_STDERR], [], 0 if self._lost and not at else _PATIENCE)[1]:
                    return False
                os.write(_STDERR, line[at : at + _AT_ONCE])
        return True
