"""The generated files against what they are made from.

What was found of the index is kept until a page or the index changes; log and manifest are held against the history.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from curator.checks import generated_files
from curator.checks.diagnosis import Diagnosis, Repair
from curator.checks.examined_wiki import ExaminedWiki
from curator.checks.lint.facts.schema import CatalogueMoved
from curator.checks.lint.facts.snapshot import LintContext, is_of_page
from curator.errors import WikiError
from curator.finding import Finding
from curator.repository.begun import Transaction
from curator.repository.git import Changed
from curator.repository.repository import Repository
from curator.repository.snapshot import Snapshot
from curator.wiki import index

_NOTHING = "[]"
_INDEX = "index by "


def of_index(repository: Repository, context: LintContext, grouping: str) -> Iterator[Finding]:
    """What is wrong with _index.md, or what was when no page and no index had changed yet. Where it was right in an earlier
    commit, it is held against that one's with the lines of what has changed since. Raises CatalogueMoved when there is a
    newer commit.
    """
    wiki, what = _examined_wiki(repository, context.snapshot.base, context.now), _INDEX + grouping
    kept = context.still(what, _is_of_index)
    if kept is None:
        known = context.commit_with(what, _NOTHING) if grouping == "kind" else None
        wanted = None if known is None else context.snapshot.index_since(known)
        if wanted is not None and wanted == wiki.data(index.PATH):
            kept = _NOTHING
        else:
            kept = json.dumps([_told(each).as_json() for each in _of_index(wiki, context.snapshot, grouping)])
        context.keep(what, kept)
    yield from (Finding(**values) for values in json.loads(kept))


def lists_every_page(context: LintContext) -> bool:
    """True where the index of this commit was found to be right."""
    return context.commit_with(f"{_INDEX}kind", _NOTHING) == context.snapshot.base


def of_history(repository: Repository, base: str, now: datetime) -> Iterator[Finding]:
    """What is wrong with _log.md and _manifest.json. Raises CatalogueMoved when there is a newer commit."""
    yield from map(_told, _of_history(_examined_wiki(repository, base, now)))


def fixes(transaction: Transaction, now: datetime) -> list[Repair]:
    """What mends them. Raises CatalogueMoved."""
    wiki = _examined_wiki(transaction.repository, transaction.base, now)
    try:
        grouping = transaction.workspace().grouping
    except WikiError:
        grouping = "kind"
    diagnoses = (*_of_index(wiki, transaction, grouping), *_of_history(wiki))
    return [diagnosis.fix for diagnosis in diagnoses if diagnosis.fix is not None]


def _examined_wiki(repository: Repository, base: str, now: datetime) -> ExaminedWiki:
    wiki = ExaminedWiki(repository, now)
    if wiki.base != base:
        raise CatalogueMoved
    return wiki


def _of_index(wiki: ExaminedWiki, snapshot: Snapshot, grouping: str) -> Iterator[Diagnosis]:
    """The index, from the lines that are kept of each page."""
    for diagnosis in generated_files.index_of(wiki, index.of(snapshot.wiki, grouping)):
        line = _line(diagnosis.finding.message)
        yield replace(diagnosis, finding=replace(diagnosis.finding, line=line))


def _of_history(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    yield from generated_files.log_of(wiki)
    yield from generated_files.manifest_of(wiki)


def _told(diagnosis: Diagnosis) -> Finding:
    hint = diagnosis.repair.replace("curate doctor --repair", "curate lint --fix")
    return replace(diagnosis.finding, hint=hint)


def _is_of_index(change: Changed) -> bool:
    return change.path == index.PATH or is_of_page(change)


def _line(message: str) -> int | None:
    """The line that a message about the index speaks of."""
    number = message.partition("line ")[2].partition(" ")[0]
    return int(number) if number.isdecimal() else None
