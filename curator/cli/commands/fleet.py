"""``curate fleet``: many wikis on many machines, by a PostgreSQL database and the wikis' own git servers."""

from __future__ import annotations

import logging
import re
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from curator.cli.console import CommonOptions, Report
from curator.cli.group import CommandGroup
from curator.cli.imports import needs
from curator.cli.options import COUNT, FILE, FOLDER, common_options, reported
from curator.cli.watch_log import WatchLog
from curator.errors import ConfigError, meant
from curator.repository.settings_file import parsed
from curator.system import atomic, locks
from curator.system.filenames import printable
from curator.system.signal_event import SignalEvent

if TYPE_CHECKING:
    from curator.fleet.store import FleetStore

_VARIABLE = "CURATOR_FLEET_DATABASE"
_NAME = re.compile(r"[\w.-]{1,100}")
_LISTED = 20


def _fleet_command(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--database``, and the packages of the extra; the command gets the store of the fleet first."""

    @wraps(command)
    def run(common: CommonOptions, *args: Any, database: str, **kwargs: Any) -> Report:
        with needs("fleet", "curate fleet"):
            from curator.fleet.database import check
        with _opened(database) as store:
            if command.__name__ != "fleet_migrate":
                check(store.database)
            report: Report = command(store, *args, **kwargs)
            return report

    asked = click.option(
        "--database", envvar=_VARIABLE, default="", help=f"Address of the database; else ${_VARIABLE}."
    )
    return asked(common_options(reported(run)))


@contextmanager
def _opened(address: str) -> Iterator[FleetStore]:
    from curator.fleet.database import Database
    from curator.fleet.store import FleetStore

    if not address:
        hint = f"name it in the variable {_VARIABLE}, as in postgresql://user@host/name"
        raise ConfigError("fleet_database", "the fleet's database is not named", hint)
    store = FleetStore(Database(address))
    try:
        yield store
    finally:
        store.database.close()


@click.group(cls=CommandGroup)
def fleet() -> None:
    pass


@fleet.command("migrate")
@_fleet_command
def fleet_migrate(store: FleetStore) -> Report:
    """Make the tables, or bring them up to date; before the first worker of a version is started."""
    from curator.fleet.database import migrate

    done = migrate(store.database)
    return Report({"done": done}, tuple(f"done: {name}" for name in done) or ("the tables are up to date",))


@fleet.command("tenant")
@click.argument("name")
@click.option("--parallel", type=COUNT, help="Sources of all its wikis at once.")
@click.option("--budget", type=click.FloatRange(min=0), help="US dollars a day, by UTC.")
@click.option("--tokens", "token_budget", type=click.IntRange(min=0), help="Tokens a day, by UTC.")
@click.option("--key", "keys", multiple=True, metavar="NAME=VARIABLE", help="A key, and the workers' variable with it.")
@click.option("--pause/--resume", "paused", default=None, help="Nothing of it is begun any more, or again.")
@_fleet_command
def fleet_tenant(store: FleetStore, name: str, keys: tuple[str, ...], **given: Any) -> Report:
    """Add a tenant, or change its limits and keys. A key itself is never kept: only the name of a variable."""
    from curator.fleet.records import Tenant

    known = store.tenant(name) if _is_known(store, "tenant", name) else Tenant(_name(name))
    changed: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if keys:
        changed["keys"] = dict(_pair(each, "--key") for each in keys)
    tenant = replace(known, **changed)
    store.put_tenant(tenant)
    return Report({"tenant": name}, (f"tenant {name}: {tenant.parallel} at once", *_paused(tenant.paused)))


@fleet.command("wiki")
@click.argument("name")
@click.argument("url", required=False)
@click.option("--branch", help="The branch that is curated; main.")
@click.option("--tenant", help="Whose it is; default.")
@click.option("--parallel", type=COUNT, help="Sources of it at once, over all machines; 2.")
@click.option("--set", "settings", multiple=True, metavar="SETTING=VALUE", help="A setting of curator.toml.")
@click.option("--unset", "defaults", multiple=True, metavar="SETTING", help="A setting whose default holds again.")
@click.option("--pause/--resume", "paused", default=None, help="Nothing of it is begun any more, or again.")
@_fleet_command
def fleet_wiki(
    store: FleetStore, name: str, url: str | None, settings: tuple[str, ...], defaults: tuple[str, ...], **given: Any
) -> Report:
    """Add a wiki by the address of its repository, or change how it is curated."""
    from curator.fleet.records import FleetWiki

    if _is_known(store, "wiki", name):
        known = store.wiki(name)
    elif url:
        known = FleetWiki(_name(name), url)
    else:
        raise ConfigError("fleet_no_url", f"wiki {name!r} is new: where is it?", f"curate fleet wiki {name} URL")
    changed = {key: value for key, value in {**given, "url": url}.items() if value is not None}
    for each in defaults:
        if each not in known.settings:
            said = f"no setting {printable(each)!r} was given to wiki {name!r}{meant(each, known.settings)}"
            raise ConfigError("fleet_not_set", said, f"those that were: {', '.join(known.settings) or 'none'}")
    kept = {key: value for key, value in known.settings.items() if key not in defaults}
    changed["settings"] = {**kept, **dict(_setting(each) for each in settings)}
    wiki = replace(known, **changed)
    store.put_wiki(wiki)
    return Report({"wiki": name, "url": wiki.url}, (f"wiki {name}: {printable(wiki.url)}", *_paused(wiki.paused)))


@fleet.command("add")
@click.argument("name", metavar="WIKI")
@click.argument("files", nargs=-1, type=FILE, required=True)
@click.option("--priority", type=int, default=0, help="Higher ones go first; 0.")
@click.option("--watch", is_flag=True, help="Look again and again, until SIGTERM or Ctrl-C.")
@_fleet_command
def fleet_add(store: FleetStore, name: str, files: tuple[Path, ...], priority: int, watch: bool) -> Report:
    """Hand sources in: files, or folders with all that is in them. The same bytes under the same name count once."""
    from curator.fleet.handing_in import HandedIn, Intake

    def line(each: HandedIn) -> str:
        return f"{each.status:<10} {printable(each.path)}" + (f": {each.reason}" if each.reason else "")

    intake = Intake(store, store.wiki(name), priority)
    if watch:
        for each in intake.watch(files, _until_signal()):
            click.echo(line(each), err=True)
        return Report()
    handed = list(intake.all(files))
    data: dict[str, Any] = {
        status: [each.path for each in handed if each.status == status] for status in ("queued", "known")
    }
    data["refused"] = [{"source": each.path, "reason": each.reason} for each in handed if each.status == "refused"]
    return Report(data, tuple(map(line, handed)), exit_status=1 if data["refused"] else 0)


@fleet.command("worker")
@click.option("--folder", type=FOLDER, required=True, help="Where its clones are kept: its own, on a local disk.")
@click.option("--hands", type=COUNT, default=4, help="Wikis it works on at once; 4.")
@click.option("--metrics", "port", type=click.IntRange(1, 65535), help="Serve figures to Prometheus on this port.")
@click.option(
    "--keep-days",
    type=click.FloatRange(min=0.1),
    default=7.0,
    show_default=True,
    help="Remove clones that nobody has worked in for so long.",
)
@click.option("--clones", type=COUNT, default=1000, help="Keep so many clones, those worked in last; 1000.")
@click.option("--until-done", is_flag=True, help="End when nothing is due.")
@click.option(
    "--log", "log_format", type=click.Choice(["text", "json"]), default="text", help="How it logs, to stderr."
)
@_fleet_command
def fleet_worker(
    store: FleetStore,
    folder: Path,
    hands: int,
    port: int | None,
    keep_days: float,
    clones: int,
    until_done: bool,
    log_format: str,
) -> Report:
    """Work on whatever is due, until SIGTERM: then what is begun is finished first."""
    from curator.fleet.clones import Keep
    from curator.fleet.jobs import run_worker
    from curator.fleet.machine import Machine
    from curator.fleet.metrics import WorkerMetrics

    metrics, log = WorkerMetrics(), WatchLog(log_format)
    writing = threading.Lock()

    def emit(event: str, about: dict[str, Any]) -> None:
        metrics.count(event, about)
        with writing:
            log.line(
                Path(about.get("wiki", "fleet")), event, {key: each for key, each in about.items() if key != "wiki"}
            )

    _quiet(emit)
    if port is not None:
        metrics.serve(port, store.database.address)
    with _alone_in(folder):
        machine = Machine(store, folder, emit, keep=Keep(keep_days, clones))
        emit("ready", {"worker": machine.name, "hands": hands})
        run_worker(store.database.address, machine, hands, until_done=until_done)
    return Report({"worker": machine.name})


@fleet.command("status")
@click.argument("name", metavar="[WIKI]", required=False)
@_fleet_command
def fleet_status(store: FleetStore, name: str | None) -> Report:
    """What waits, what is at work, what is parked and why, and what was spent today."""
    from curator.fleet import figures

    if name is not None:
        store.wiki(name)
    wikis = [row for row in figures.wikis(store.database) if name in (None, row["wiki"])]
    tenants = figures.tenants(store.database)
    sources = figures.open_sources(store.database, name, 10 * _LISTED)
    return Report({"wikis": wikis, "tenants": tenants, "sources": sources}, tuple(_status(wikis, tenants, sources)))


@fleet.command("retry")
@click.argument("name", metavar="[WIKI]", required=False)
@click.argument("source", required=False)
@_fleet_command
def fleet_retry(store: FleetStore, name: str | None, source: str | None) -> Report:
    """Try parked sources again, and those that wait at once: of all wikis, of one, or one source."""
    if name is not None:
        store.wiki(name)
    count = store.retry(name, source)
    return Report({"queued": count}, (f"{count} queued",))


def _status(wikis: list[dict[str, Any]], tenants: list[dict[str, Any]], sources: list[dict[str, Any]]) -> Iterator[str]:
    total = {state: sum(row[state] for row in wikis) for state in ("queued", "working", "parked", "done")}
    yield f"{len(wikis)} wikis: " + ", ".join(f"{count} {state}" for state, count in total.items())
    if proposed := sum(row["proposed"] for row in wikis):
        yield f"  {proposed} of those done as proposals that no push has brought in yet: see docs/fleet.md"
    for row in tenants:
        limits = f" of {row['budget']:.2f}" if row["budget"] is not None else ""
        spent = f"{row['tokens_today']:,} tokens, {row['dollars_today']:.4f}{limits} USD today"
        yield f"  {row['tenant']:<20} {row['working']} of {row['parallel']} at work; {spent}" + _note_of(row["paused"])
    for row in sources[:_LISTED]:
        what = row["stage"] or row["reason"] or ""
        name = printable(f"{row['wiki']}: {row['source']}")
        yield f"  {row['state']:<8} {name}" + (f": {printable(what)}" if what else "")
        if row["next"]:
            yield f"           {printable(row['next'])}"
    if len(sources) > _LISTED:
        yield "  and more: curate fleet status WIKI, or --json"


def _paused(paused: bool) -> Iterable[str]:
    return ("  paused: --resume lets it go on",) if paused else ()


def _note_of(paused: bool) -> str:
    return "; paused" if paused else ""


def _is_known(store: FleetStore, what: str, name: str) -> bool:
    try:
        (store.wiki if what == "wiki" else store.tenant)(name)
    except ConfigError:
        return False
    return True


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ConfigError("fleet_name", f"{printable(name)!r} is no name here", "letters, digits, '-', '_' and '.'")
    return name


def _pair(text: str, option: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ConfigError("fleet_pair", f"{option} {printable(text)!r} is no NAME=VALUE", f"as in {option} NAME=VALUE")
    return name, value


def _setting(text: str) -> tuple[str, str]:
    name, value = _pair(text, "--set")
    parsed(name, value)  # as ``curate config set`` judges it; the workers read it from their environment
    return name, value


def _until_signal() -> SignalEvent:
    ended = SignalEvent()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    return ended


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    atomic.make_folder(folder, 0o700)
    with (folder / "lock").open("a") as file:
        if not locks.take(file, until=0.0):
            hint = "give each worker a folder of its own"
            raise ConfigError("fleet_folder", f"another worker is at work in {printable(folder)}", hint)
        yield


def _quiet(emit: Callable[[str, dict[str, Any]], None]) -> None:
    """What the queue's library logs as an error becomes an event, without its traceback."""

    class Events(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            about = record.exc_info[1] if record.exc_info else None
            emit("queue", {"reason": f"{record.getMessage()}{f': {about}' if about else ''}"[:400]})

    logger = logging.getLogger("procrastinate")
    logger.handlers, logger.propagate = [Events(level=logging.ERROR)], False
