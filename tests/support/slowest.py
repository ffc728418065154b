"""Which test files take longest: they begin first, so that no worker is left with one at the end, and are printed."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator
from contextlib import suppress

import pytest

from support.daemons import cpu_seconds, descendants

FIRST = (
    "transcripts/test_transcripts.py",
    "hostile/test_hostile_replies.py",
    "process/test_service.py",
    "process/test_watch.py",
    "process/test_wiki_service.py",
    "process/test_fleet.py",
    "git_shapes/test_git_shapes_settings.py",
    "browser/test_in_the_browser.py",
    "browser/test_live.py",
    "flows/test_changed_sources.py",
    "faults/test_torture.py",
    "faults/test_races.py",
    "flows/test_corpus.py",
    "flows/test_sample_wiki.py",
    "unit/edits/test_undo.py",
    "flows/test_review.py",
    "flows/test_renamed_sources.py",
    "unit/checks/test_doctor_wiki.py",
    "unit/models/test_sandbox_complete.py",
    "unit/models/test_provider.py",
)
"""The slowest first; what is not named comes after them, by name."""
_RANKS = {name: rank for rank, name in enumerate(FIRST)}
_SHOWN = 10


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: (_RANKS.get(file := _file_of(item.nodeid), len(FIRST)), file))


def pytest_collection_finish(session: pytest.Session) -> None:
    session.stash[_SEEN] = _processor_seconds()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, object, object]:
    item.stash[_ENDS_FILE] = nextitem is None or nextitem.path != item.path
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "teardown" and item.stash[_ENDS_FILE]:
        now = _processor_seconds()
        report.user_properties.append((_PROPERTY, now - item.session.stash[_SEEN]))
        item.session.stash[_SEEN] = now
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    seconds, processor = defaultdict[str, float](float), defaultdict[str, float](float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                file = _file_of(report.nodeid)
                seconds[file] += report.duration
                processor[file] += sum(float(str(value)) for name, value in report.user_properties if name == _PROPERTY)
    if len(seconds) > _SHOWN:
        terminalreporter.write_sep("=", "the ten slowest files: seconds, and those of a processor")
        for file in sorted(seconds, key=lambda file: -seconds[file])[:_SHOWN]:
            terminalreporter.write_line(f"{seconds[file]:6.1f} {processor[file]:6.1f}  tests/{file}")


_PROPERTY = "processor_seconds"
_SEEN = pytest.StashKey[float]()
"""What the processor's time was when the last file had ended."""
_ENDS_FILE = pytest.StashKey[bool]()


def _file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0].removeprefix("tests/")


def _processor_seconds() -> float:
    """Of this process, of those it has waited for, and of those that it has running, with what these have waited for."""
    running = 0.0
    for pid, _ in descendants(os.getpid()):
        with suppress(OSError):
            running += cpu_seconds(pid)
    return sum(os.times()[:4]) + running
