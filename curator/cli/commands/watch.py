"""``curate watch``: watches one wiki or several, each with a service of its own."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import FOLDER, common_options, model_options, reported
from curator.cli.watch_log import WatchLog
from curator.errors import CuratorError
from curator.repository.settings import Settings, check_path
from curator.service.wiki_service import WikiService
from curator.system.signal_event import SignalEvent

_SECONDS_TO_END = 4.0


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
    settings = [console.settings(replace(common, wiki=wiki), flags) for wiki in wikis]
    with console.progress(common) as say:
        moves = console.is_watched(say) and log_format == "text"
        return run(settings, WatchLog(log_format, say if moves else None), once)


def run(wikis: Sequence[Settings], log: WatchLog, once: bool) -> Report:
    """Watch until a signal comes; with ``once`` until nothing is left to do."""
    signals = _Signals()

    services = [WikiService(one.root, one.flags, signals.wake, log.line, signals.stop.is_set) for one in wikis]
    for service in services:
        check_path(service.root)
        service.may_start = lambda one: _may_start(one, services)
    try:
        _open(services, signals, once)
        _tell_systemd("READY=1")
        _watch(services, signals, log, once)
        _tell_systemd("STOPPING=1")
    finally:
        until = time.monotonic() + _SECONDS_TO_END
        for service in services:
            service.drain()
        for service in services:
            service.close(until)
        log.at_work(is_idle=True)
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


def _watch(services: list[WikiService], signals: _Signals, log: WatchLog, once: bool) -> None:
    while not signals.stop.is_set():
        signals.wake.clear()
        if signals.reload.is_set():
            signals.reload.clear()
            for service in services:
                service.reload()
        pause = min(service.step() for service in services)
        services.append(services.pop(0))  # so that the provider is not always asked for the same wiki first
        is_idle = all(service.is_idle for service in services)
        log.at_work(is_idle)
        if once and is_idle:
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
    return not one.provider or sum(service.asking for service in asking) < most


class _Signals:
    """SIGTERM and SIGINT end the service, SIGHUP has it read its settings again.

    SIGHUP is also what a terminal sends that goes away, and then it ends the service that was started there; one that was
    started with ``nohup``, or without a terminal as by systemd, never ends of it.
    """

    def __init__(self) -> None:
        self.wake, self.stop, self.reload = SignalEvent(), SignalEvent(), SignalEvent()
        self._terminal = None if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else _terminal()
        for number, event in ((signal.SIGTERM, self.stop), (signal.SIGINT, self.stop)):
            signal.signal(number, lambda *_, event=event: self._happened(event))
        signal.signal(signal.SIGHUP, lambda *_: self._happened(self.stop if self._terminal_is_gone else self.reload))

    @property
    def _terminal_is_gone(self) -> bool:
        return self._terminal is not None and not os.isatty(self._terminal)

    def _happened(self, event: SignalEvent) -> None:
        event.set()
        self.wake.set()


def _terminal() -> int | None:
    """The terminal that this process was started in, open for as long as it lives; None for none."""
    try:
        return os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
    except OSError:
        return None


def _tell_systemd(message: str) -> None:
    """sd_notify, where systemd listens."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.connect("\0" + address[1:] if address.startswith("@") else address)
            channel.send(message.encode())
