"""The transactions that are tortured: each a wiki to begin with, and one thing done to it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from curator.cli.commands import init
from curator.edits import undo
from curator.ingest import intake
from curator.ingest.flow import AlreadyIngested, IngestOptions, ingest
from curator.models.proposal import Add, Claim, Proposal
from curator.repository import history
from curator.repository.begun import Transaction
from curator.repository.git import trees
from curator.repository.repository import OnDirty, Repository
from curator.wiki import log
from curator.wiki.sources.formats import SourceLimits
from curator.wiki.sources.source import Source
from support import wikis
from support.fakes import ScriptedModel
from support.wikis import NOW

_MOST = 1_000_000
_OLD = ("Sencha", "Matcha", "Gyokuro", "Bancha", "Genmaicha", "Hojicha", "Kukicha", "Tencha")
_NEW = ("Assam", "Darjeeling", "Ceylon", "Keemun", "Lapsang", "Yunnan")
_BREWING = f"Brewing\n\nOolong can be brewed five times from the same leaves.\n\nTeas: {', '.join((*_NEW, *_OLD))}.\n"
_MORE = "\nMore.\n"
_BIG = 1_000
_DEEP = "entities/people/of-fujian/lu-yu.md"
"""A page in folders that are not there yet."""


@dataclass(frozen=True)
class Plan:
    """``act`` does the one thing to the wiki at ``root``; a second time, it says that it has been done."""

    name: str
    prepare: Callable[[Path], None]
    act: Callable[[Path, Path], None]
    """Called with the wiki and the folder ``prepare`` was called with."""


class Done(Exception):
    """The wiki already is as the plan would make it."""


def _wiki(folder: Path) -> None:
    """A wiki of ten pages and a source, committed, in ``folder``/wiki."""
    root = folder / "wiki"
    init.run(root, "Tea")
    with Repository(root) as repository:
        pages = wikis.proposal(wikis.summary(), *(wikis.concept(title=title) for title in ("Oolong", *_OLD)))
        text = f"{wikis.TEA}\nTeas: {', '.join(_OLD)}.\n"
        wikis.take_in(wikis.drop(root, text=text), repository, ScriptedModel((pages,)))


# -- an ingest: new pages and old ones, index, log, manifest, source ---------------------------------------------------


def _wiki_and_source(folder: Path) -> None:
    _wiki(folder)
    root = folder / "wiki"
    file = wikis.drop(root, "brewing.txt", _BREWING)
    with Repository(root) as repository:
        incoming = intake.look_at_source(file, repository, repository.begin().manifest(), _MOST)
        source = intake.read_source(incoming, "secondary", SourceLimits(_MOST, _MOST))
        repository.runtime.drop_spool(incoming.spooled)
    (folder / "source").write_bytes(pickle.dumps(source))


def _wiki_and_signed_source(folder: Path) -> None:
    """As before, and a signature lies beside the source and comes in with it."""
    _wiki_and_source(folder)
    wikis.drop(folder / "wiki", "brewing.txt.sig", "A signature, as far as the transaction is concerned.\n")


def _wiki_with_edits(folder: Path) -> None:
    """As before, and the user is at work on two of the pages."""
    _wiki_and_source(folder)
    for title in _OLD[:2]:
        page = folder / "wiki" / _path(title)
        page.write_text(page.read_text("utf-8").replace(f"# {title}\n", f"# {title}\n\nMy own line.\n"), "utf-8")


def _wiki_and_file_elsewhere(folder: Path) -> None:
    """As before, but the source does not lie in the wiki."""
    _wiki_and_source(folder)
    (folder / "wiki" / "sources" / "brewing.txt").rename(folder / "brewing.txt")


def _ingest(root: Path, folder: Path, on_dirty: OnDirty = "park") -> None:
    """As the command does it, but for the jail: the source was read before."""
    source: Source = pickle.loads((folder / "source").read_bytes())  # noqa: S301 (written by ``_wiki_and_source``)
    trees.BIG = _BIG  # what is generated is stored as that of a big wiki is, beside the rest
    with Repository(root) as repository:
        elsewhere = folder / "brewing.txt"
        incoming = wikis.looked_at(elsewhere if elsewhere.exists() else root / source.path, repository)
        try:
            model = ScriptedModel((_fifteen_pages(),))
            ingest(source, incoming.file, repository, model, IngestOptions(lambda: NOW, on_dirty=on_dirty))
        except AlreadyIngested:
            raise Done from None
        finally:
            for file in incoming.file.all:
                repository.runtime.drop_spool(file.spooled)


def _fifteen_pages() -> Proposal:
    five = wikis.FIVE
    said = Claim(text="It is brewed five times.", quotes=five.quotes)
    new = [wikis.summary(five, title="Brewing"), *(wikis.concept(said, title=title) for title in _NEW)]
    old = [Add(op="add", page=title.lower(), section="", body=(five,)) for title in _OLD]
    return wikis.proposal(*new, *old)


# -- the same ingest taken back: six pages go, eight and the generated files are as they were ---------------------------


def _wiki_of_two(folder: Path) -> None:
    _wiki_and_source(folder)
    _ingest(folder / "wiki", folder)


def _undo(root: Path, _: Path) -> None:
    with Repository(root) as repository:
        commits = list(history.curator_commits(repository.git, "HEAD"))
        wanted = [commit for commit in commits if commit.source and commit.source.endswith("/brewing.txt")]
        if not history.undone(commits).isdisjoint(commit.id for commit in wanted):
            raise Done
        repository.commit(partial(undo.undo_commits, wanted, now=NOW), lambda: NOW)


# -- commits of files as they are --------------------------------------------------------------------------------------


def _commit(root: Path, what: str, files: Callable[[Transaction], dict[str, str | None]]) -> None:
    with Repository(root) as repository:
        transaction = repository.begin()
        wanted = files(transaction)
        if all(transaction.read(path) == text for path, text in wanted.items()):
            raise Done
        transaction.commit(wanted, None, f"{what}\n\nAs planned.\n")


def _create(transaction: Transaction) -> dict[str, str | None]:
    return {_DEEP: _page("Lu Yu"), **{_path(title): _page(title) for title in _NEW[:3]}}


def _edit(transaction: Transaction) -> dict[str, str | None]:
    old = {_path(title): transaction.read(_path(title)) or "" for title in _OLD[:4]}
    return {path: text.removesuffix(_MORE) + _MORE for path, text in old.items()}


def _remove(transaction: Transaction) -> dict[str, str | None]:
    """Pages go, one comes back, one is as it was, the log has a line more."""
    gone: dict[str, str | None] = {_path(title): None for title in _OLD[:3]}
    told = transaction.read(log.PATH) or ""
    if transaction.read(_path(_OLD[0])) is not None:
        told = log.append(told, log.LogEvent.now(NOW, "undo", "three pages", ["gone"]))
    return {**gone, _path(_OLD[4]): _page(_OLD[4]), _DEEP: _page("Lu Yu"), log.PATH: told}


def _path(title: str) -> str:
    return f"concepts/{title.lower()}.md"


def _page(title: str) -> str:
    return f"---\ntitle: {title}\ntype: concept\n---\n\n# {title}\n\nA text.\n"


def _plan(name: str, files: Callable[[Transaction], dict[str, str | None]]) -> Plan:
    return Plan(name, _wiki, lambda root, _: _commit(root, name, files))


PLANS = {
    plan.name: plan
    for plan in (
        Plan("mixed", _wiki_and_source, _ingest),
        Plan("outside", _wiki_and_file_elsewhere, _ingest),
        Plan("signed", _wiki_and_signed_source, _ingest),
        Plan("merge", _wiki_with_edits, partial(_ingest, on_dirty="merge")),
        Plan("undo", _wiki_of_two, _undo),
        _plan("create", _create),
        _plan("edit", _edit),
        _plan("remove", _remove),
    )
}
