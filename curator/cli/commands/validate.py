"""``curate validate``: is this wiki conforming? The handshake over what is committed, or over what is staged.

A wiki in a repository is judged as it is in the commit at HEAD, as by every command; with ``--worktree``, and in a
plain folder, as its files lie there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import click

from curator.checks.conformance import Verdict
from curator.checks.conformance.judge import is_in_git, judge, was_in_git
from curator.checks.kept_findings import of_severities
from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.edits_beside import EditsBeside
from curator.cli.options import FILE, common_options, reported, worktree_option
from curator.errors import ConfigError
from curator.finding import Finding
from curator.repository.repository import Repository
from curator.repository.settings import Settings, find_root
from curator.system.filenames import printable
from curator.system.text import counted
from curator.wiki.workspace import refs

Form = Literal["text", "json", "both"]


@click.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=FILE)
@click.option("--all", "everything", is_flag=True, help="All failures, and warnings; else the first failure.")
@click.option("--staged", is_flag=True, help="What is staged, as a hook of git's sees it; else what is committed.")
@worktree_option
@common_options
@reported
def validate(common: CommonOptions, paths: tuple[Path, ...], everything: bool, staged: bool, worktree: bool) -> Report:
    if staged and worktree:
        raise ConfigError("usage", "--staged and --worktree are two things to look at", "choose one of them")
    index = console.INDEX_OF_THE_HOOK
    form: Form = "json" if common.json else "text"
    return run(
        common.wiki, paths, os.environ, everything=everything, staged=staged, worktree=worktree, index=index, form=form
    )


def run(
    wiki: Path | None,
    paths: Sequence[Path],
    environment: Mapping[str, str],
    *,
    everything: bool = False,
    staged: bool = False,
    worktree: bool = False,
    index: str = "",
    form: Form = "both",
) -> Report:
    """Judge the wikis that ``paths`` lie in, else the one ``wiki`` or the current folder names.

    ``index`` is the index file git has named to the hook that calls; ``form``: what of the report is asked for.
    Raises ConfigError.
    """
    # A hook names files that are gone, and others than a wiki's.
    meant = paths if staged else [_meant(path, wiki, environment) for path in paths]
    roots = roots_of(meant) if paths else [find_root(wiki)]
    verdicts = [
        judge(root, environment, everything=everything, staged=staged, worktree=worktree, index=index) for root in roots
    ]
    report = _report(verdicts, everything, form)
    if staged or worktree or len(roots) != 1 or not is_in_git(roots[0]):
        return report
    with Repository(roots[0], recovers=False, looks=True) as repository:
        beside = EditsBeside(repository)
        return replace(report, data={**report.data, **beside.as_json()}, notes=beside.said())


def roots_of(paths: Iterable[Path]) -> list[Path]:
    """The folders with the nearest KNOWLEDGE.md, each once; a folder without any is meant itself, a file is passed over.

    A KNOWLEDGE.md among a wiki's sources is a source.
    """
    found: dict[Path, None] = {}
    for path in paths:
        place = Path(os.path.realpath(path))
        above = (place, *place.parents) if place.is_dir() else place.parents
        holders = [each for each in above if (each / refs.FILE).is_file()]
        holders = [each for each in holders if not any(each.is_relative_to(wiki / "sources") for wiki in holders)]
        if holders:
            found.setdefault(holders[0])
        elif place.is_dir():
            found.setdefault(place)
        elif not os.path.lexists(path) and not place.parent.is_dir():
            raise ConfigError("not_found", f"there is no {str(path)!r}", "name a wiki's folder, or a file in it")
    return list(found)


def _meant(path: Path, wiki: Path | None, environment: Mapping[str, str]) -> Path:
    """A path that is there, or was once; else a view by its name in the settings. Raises ConfigError."""
    if os.path.lexists(path) or was_in_git(path):
        return path
    with suppress(ConfigError):
        settings = Settings(find_root(wiki), environment, {})
        with settings.repository:
            if (view := settings.views.get(str(path))) is not None:
                return view
    hint = "name a wiki's folder, a file in it, or a view: its folder, or its name in the settings"
    raise ConfigError("not_found", f"there is no {str(path)!r}", hint)


# -- what is said --------------------------------------------------------------------------------------------------


def _report(verdicts: Sequence[Verdict], everything: bool, form: Form) -> Report:
    """Of a big wiki there is as much to say as it has pages: only what is asked for is made."""
    ok = all(verdict.ok for verdict in verdicts)
    data = _data(verdicts, everything, ok) if form != "text" else {}
    lines = [line for verdict in verdicts for line in _lines(verdict, everything)] if form != "json" else []
    return Report(data, tuple(lines or ["no wiki is touched"]), 0 if ok else 1)


def _data(verdicts: Sequence[Verdict], everything: bool, ok: bool) -> dict[str, Any]:
    told = {
        verdict.root: [finding.as_json() for finding in _shown(verdict, everything, "error", "warn")]
        for verdict in verdicts
    }
    return {
        "status": "valid" if ok else "invalid",
        "pack": verdicts[0].name if len(verdicts) == 1 else None,
        "findings": [finding for found in told.values() for finding in found],
        "wikis": [
            {
                "path": verdict.root,
                "pack": verdict.name,
                "status": "valid" if verdict.ok else "invalid",
                "findings": told[verdict.root],
            }
            for verdict in verdicts
        ],
    }


def _shown(verdict: Verdict, everything: bool, *severities: str) -> Iterator[Finding]:
    """The first failure; or all, and the warnings, which fail nothing: those of these severities."""
    if everything:
        yield from of_severities(verdict.findings, severities)
    elif verdict.first is not None and "error" in severities:
        yield verdict.first


def _lines(verdict: Verdict, everything: bool) -> Iterator[str]:
    for finding in chain.from_iterable(_shown(verdict, everything, severity) for severity in ("error", "warn")):
        yield f"{finding.severity:<5} {printable(str(finding))}" if everything else printable(str(finding))
        if finding.hint:
            yield f"      {printable(finding.hint)}" if everything else f"  {printable(finding.hint)}"
    failures, warnings = verdict.count("error"), verdict.count("warn")
    if verdict.ok:
        also = f", {counted(warnings, 'warning')}: curate lint" if warnings else ""
        yield f"valid: {verdict.name}{also}"
    elif everything:
        yield f"invalid: {verdict.name}, {counted(failures, 'failure')}"
    else:
        yield f"invalid: {verdict.name}; --all shows all failures"
