"""``curate approve``: a change of the rules the wiki is kept by is accepted, in a commit that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from curator.checks import approval
from curator.checks.approval import Unapproved
from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, dry_run_option, reported
from curator.errors import Conflict
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.repository.settings import Settings
from curator.system.filenames import printable


@click.command()
@click.option("--why", default="", metavar="REASON", help="For the log.")
@dry_run_option
@common_options
@reported
def approve(common: CommonOptions, why: str, dry_run: bool) -> Report:
    return run(console.settings(common), why, dry_run)


def run(settings: Settings, why: str, dry_run: bool) -> Report:
    """Accept what ``curate status`` shows; nothing is written when there is nothing to accept."""
    with settings.repository as repository:
        found = approval.pending(repository.view())
        if not found:
            edited = approval.edited(repository)
            told = (
                f"{edits(edited)}: commit them first" if edited else "nothing to approve: the rules are those that hold"
            )
            return Report({"commit": None, "approved": []}, (told,))
        names = " and ".join(each.path for each in found)

        def work(transaction: Transaction) -> ChangeSet:
            if approval.pending(transaction) != found:
                raise Conflict("schema_moved", "the rules changed again meanwhile", "look at them once more")
            said = tuple(approval.bullets(found, why))
            manifest = transaction.manifest()
            return ChangeSet(transaction.wiki, manifest, f"approve {names}", said, approval.trailers(found))

        done = repository.commit(work, settings.now, dry_run=dry_run)
    head = f"would approve {names}" if done.commit is None else f"approved   {names}: commit {done.commit[:12]}"
    data = {"commit": done.commit, "approved": as_json(found)}
    return Report(data, (head, *lines(found, with_diff=dry_run)))


def edits(paths: Sequence[str]) -> str:
    """That rules were edited, and what that means."""
    has = "has" if len(paths) == 1 else "have"
    return f"{' and '.join(paths)} {has} edits that are not committed and so in force for nobody"


def as_json(found: tuple[Unapproved, ...]) -> list[dict[str, Any]]:
    return [
        {
            "path": each.path,
            "weaker": list(each.weaker),
            "changed": list(each.changed),
            "asked": each.asked,
            "diff": each.diff,
        }
        for each in found
    ]


def lines(found: tuple[Unapproved, ...], with_diff: bool) -> list[str]:
    """For people: what got weaker, then the diff."""
    told: list[str] = []
    for each in found:
        told.append(f"  {printable(each.path)}")
        told += [f"    weaker: {printable(words)}" for words in each.weaker]
        told += [f"    changed: {printable(', '.join(each.changed))}"] if each.changed else []
        told += [f"    asked: {printable(each.asked)}"] if each.asked else []
        told += diff_lines(each.diff) if with_diff else []
    return told


def diff_lines(diff: str) -> list[str]:
    """A diff, indented."""
    return [f"    {printable(line)}".rstrip() for line in diff.rstrip("\n").split("\n")]
