"""An event that signal handlers set, amid everything else that is done with it."""

from __future__ import annotations

import subprocess
import sys
import threading

from curator.system.signal_event import SignalEvent
from support.waiting import PATIENCE

STORM = """
import signal
from curator.system.signal_event import SignalEvent

event, came = SignalEvent(), 0

def handler(*_):
    global came
    came += 1
    event.set()

signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
while came < 5000:
    event.wait(5)
    event.clear()
signal.setitimer(signal.ITIMER_REAL, 0)
event.set()
assert event.wait(0) and event.is_set()
"""


def test_signals_that_come_amid_setting_waiting_and_clearing_never_stop_it() -> None:
    subprocess.run([sys.executable, "-c", STORM], check=True, timeout=PATIENCE)


def test_it_is_set_until_it_is_cleared() -> None:
    event = SignalEvent()
    assert not event.is_set()
    assert not event.wait(0.01)

    event.set()
    event.set()
    assert event.wait(0)
    assert event.wait(0)

    event.clear()
    assert not event.is_set()
    assert not event.wait(0.01)


def test_another_thread_wakes_who_waits() -> None:
    event = SignalEvent()
    threading.Timer(0.1, event.set).start()

    assert event.wait(PATIENCE)
