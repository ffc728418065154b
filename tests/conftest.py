"""Real git, real files, fixed names and dates; no language model is reached by accident."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from inspect import getclosurevars
from itertools import count
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, BinaryIO

import pytest
from hypothesis import HealthCheck, settings

from curator.checks.doctor import machine
from curator.cli.commands import ingest, init
from curator.ingest.web import feeds
from curator.models import extractive
from curator.models.extractive.answer import language_asked
from curator.models.extractive.languages.language import language_of
from curator.models.port import Request
from curator.models.question import Question
from curator.models.sandbox import client, locked_fork
from curator.models.sandbox.reader_forks import ReaderForks
from curator.repository.git.commands import Commands
from curator.repository.repository import Repository
from curator.wiki.sources.source import Document
from support.depth import NIGHTLY
from support.examined import with_two_ingests
from support.readers import shared_readers
from support.wikis import copied, refresh

if TYPE_CHECKING:
    from curator.fleet.store import FleetStore
    from support.postgres import Postgres

sys.modules["litellm"] = None  # type: ignore[assignment]
"""litellm belongs into the sandbox's process; in this one importing it is an error."""


_SLOW = [HealthCheck.too_slow]
settings.register_profile("push", deadline=None, derandomize=True, suppress_health_check=_SLOW)
settings.register_profile("night", deadline=None, suppress_health_check=_SLOW)
settings.load_profile("night" if NIGHTLY else "push")
"""The same examples on every push, however slow the machine; at night others."""

pytest_plugins = ["support.collected", "support.slowest", "support.attacks", "support.shared_browser"]


def _of_nobody(environment: pytest.MonkeyPatch, home: Path) -> None:
    """No configuration of the machine's user, of git or of curator, is in the environment."""
    for name in list(os.environ):
        if name.startswith(("GIT_", "CURATOR_")):
            environment.delenv(name)
    environment.setenv("HOME", str(home))
    environment.setenv("XDG_CONFIG_HOME", str(home / "config"))
    environment.setenv("CURATOR_TRUSTED", "*")  # what tests write into a repository is their own
    environment.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    environment.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for role in ("AUTHOR", "COMMITTER"):
        environment.setenv(f"GIT_{role}_NAME", "Ada")
        environment.setenv(f"GIT_{role}_EMAIL", "ada@example.org")
    environment.setenv("GIT_PYTHON_REFRESH", "quiet")


@contextmanager
def _own_signals() -> Iterator[None]:
    """What is done with signals in here is undone: a process that a later test forks has to end when it is told to."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPROF, signal.SIGUSR1)
    handlers = {number: signal.getsignal(number) for number in numbers}
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
    for number, handler in handlers.items():
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)


_known_machine = cache(machine.examine_machine)
_read_source = client.read_source
_known_texts = dict[tuple[object, ...], tuple[Document, str]]()


def _known_text(spool: BinaryIO, *, forks: ReaderForks | None = None, **options: Any) -> tuple[Document, str]:
    """The same bytes are read once, whoever asks: by a fork, as ``curate ingest`` has them read."""
    spool.seek(0)
    key = (spool.read(), *options.items())
    if key not in _known_texts:
        _known_texts[key] = _read_source(spool, forks=forks or shared_readers(), **options)
    return _known_texts[key]


_jailed = dict[tuple[object, ...], dict[str, Any]]()
"""By test file, kind of work and language of what is worked on: what the first such work in a jail gave."""


def _kind_of(work: Callable[[], str]) -> tuple[str, str]:
    """Which function's work it is, and the language that it loads files for before the jail."""
    if not isinstance(work, FunctionType):
        return type(work).__qualname__, ""
    language = ""
    for value in getclosurevars(work).nonlocals.values():
        if isinstance(value, Request):
            language = language_of(value.source.document.text)
        elif isinstance(value, Question) and (asked := language_asked(value)) is not None:
            language = asked.code
    return work.__qualname__, language


def _work_of(file: Path) -> Callable[..., dict[str, Any]]:
    """The first work of its kind in a test file is done in a jail, by a fork of this big process; the rest in this one."""

    def worked(work: Callable[[], str], limits: locked_fork.ForkLimits) -> dict[str, Any]:
        key = (file, *_kind_of(work))
        if key not in _jailed:
            _jailed[key] = locked_fork.in_jail(work, limits)
            return _jailed[key]
        if (other := locked_fork._MEANWHILE.get()) is not None:
            other()
        try:
            return {**_jailed[key], "text": work()}
        except Exception as error:
            raise locked_fork.ForkDied(f"ended with {locked_fork._told(error)[:300]}") from error

    return worked


_asked_settings = Commands.settings
_known_settings = dict[bytes, str]()
_NO_OTHERS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def _known(commands: Commands) -> str:
    """What git says of its settings, asked once for the same bytes where one file is all that it goes by."""
    others = {name: value for name, value in os.environ.items() if name.startswith("GIT_CONFIG")}
    try:
        own = (commands.identity / "config").read_bytes()
    except OSError:
        own = b""
    if not own or others != _NO_OTHERS or re.search(rb"include|worktreeconfig", own, re.IGNORECASE):
        return _asked_settings(commands)
    if own not in _known_settings:
        _known_settings[own] = _asked_settings(commands)
    return _known_settings[own]


if not NIGHTLY:
    setattr(Commands, "settings", _known)  # noqa: B010 (mypy knows no other way to say it)


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """New folders: pytest's own are numbered anew each time, by all that there are, and tests are thousands."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_world(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, _homes: Iterator[Path]
) -> Iterator[None]:
    """A test has a home and signals of its own. One fixture for all of it: there are ten thousand tests.

    The machine is proven by trial once for all tests of a worker, a source is read in the jail once, and what the built-in
    curator and the reader of feeds do is done in the jail once for a file, a kind of work and a language, but in those that
    are about it, and at night.
    """
    home = next(_homes)
    home.mkdir()
    _of_nobody(monkeypatch, home)
    if request.node.get_closest_marker("examines_machine") is None:
        monkeypatch.setattr(machine, "examine_machine", _known_machine)
    if request.node.get_closest_marker("reads_in_jail") is None:
        monkeypatch.setattr(client, "read_source", _known_text)
        monkeypatch.setattr(ingest, "_readers", lambda open_doors: None)
        if not NIGHTLY:
            for worker in (extractive, feeds):
                monkeypatch.setattr(worker, "in_jail", _work_of(request.node.path))
    with _own_signals():
        yield


@pytest.fixture(scope="session")
def new_wiki(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``curate init`` makes, once for all tests of a worker; they have copies of it."""
    with pytest.MonkeyPatch.context() as environment:
        _of_nobody(environment, tmp_path_factory.mktemp("home"))
        folder = tmp_path_factory.mktemp("template") / "wiki"
        init.run(folder, "Tea")
        refresh(folder)
    for example in (folder / ".git" / "hooks").glob("*.sample"):
        example.unlink()  # git's own, and a fifth of what there is to copy
    return folder


@pytest.fixture
def root(tmp_path: Path, new_wiki: Path) -> Path:
    """A new wiki, as ``curate init`` makes it."""
    return copied(new_wiki, tmp_path / "wiki")


Made = Callable[..., Path]


@pytest.fixture(scope="session")
def _made() -> dict[tuple[object, ...], Path]:
    return {}


@pytest.fixture
def made(tmp_path: Path, new_wiki: Path, tmp_path_factory: pytest.TempPathFactory, _made: dict[object, Path]) -> Made:
    """``made(make, *more)`` is a copy of the wiki that ``make(root, *more)`` makes of a new one, once for a worker."""

    def copy(make: Callable[..., object], *more: object) -> Path:
        if (key := (make, *more)) not in _made:
            folder = copied(new_wiki, tmp_path_factory.mktemp("template") / "wiki")
            make(folder, *more)
            refresh(folder)
            shutil.rmtree(folder / ".git" / "curator" / "displaced", ignore_errors=True)
            _made[key] = folder
        return copied(_made[key], tmp_path / "wiki")

    return copy


@pytest.fixture(scope="session")
def _wiki_of_two_ingests(tmp_path_factory: pytest.TempPathFactory, new_wiki: Path) -> Path:
    with pytest.MonkeyPatch.context() as environment:
        _of_nobody(environment, tmp_path_factory.mktemp("home"))
        folder = copied(new_wiki, tmp_path_factory.mktemp("template") / "wiki")
        with_two_ingests(folder)
        refresh(folder)
    # Displaced files go by themselves after two seconds, which on a busy machine are over in the middle of a test.
    shutil.rmtree(folder / ".git" / "curator" / "displaced")
    return folder


@pytest.fixture
def wiki(tmp_path: Path, _wiki_of_two_ingests: Path) -> Path:
    """A wiki with two sources in it, as ``with_two_ingests`` makes it."""
    return copied(_wiki_of_two_ingests, tmp_path / "wiki")


@pytest.fixture
def repository(root: Path) -> Iterator[Repository]:
    with Repository(root) as opened:
        yield opened


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A real PostgreSQL; skips where none is installed."""
    from support.postgres import Postgres  # only here: most tests have no use for its driver

    server = Postgres.made(tmp_path_factory.mktemp("postgres") / "server")
    if server is None:
        pytest.skip("PostgreSQL is not installed")
    yield server
    server.stop()


@pytest.fixture
def store(postgres: Postgres) -> Iterator[FleetStore]:
    """The store of a fleet, on a database of its own."""
    from support.fleets import new_store

    made = new_store(postgres.new_database(secrets.token_hex(8)))
    yield made
    made.database.close()
