"""``curate doctor``: what this machine offers, proven; what is wrong with the wiki and what to do; ``--repair`` does it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from curator.checks.diagnosis import Diagnosis, guarded, of_error
from curator.checks.doctor import (
    examination,
    filesystem,
    git_entries,
    git_settings,
    leftovers,
    machine,
    repairs,
    sources,
)
from curator.checks.doctor.git_settings import Setup
from curator.checks.doctor.machine import Machine
from curator.checks.doctor.repairs import RepairResult
from curator.checks.examined_wiki import ExaminedWiki
from curator.cli import console
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.options import common_options, reported
from curator.errors import ConfigError, CuratorError
from curator.finding import SEVERITIES
from curator.repository.settings import Settings, check_git, check_path
from curator.system.filenames import printable
from curator.system.text import counted

_ROUNDS = 3
"""A repair may bring to light what it hid: a lock behind a journal. More than this would go in circles."""
_SHOWN = 10
"""So many findings of one kind are shown to a person; programs get them all."""


@dataclass(frozen=True)
class _Seen:
    """One examination: what was found, and what the repository and its file systems are like."""

    diagnoses: tuple[Diagnosis, ...]
    about: Mapping[str, Any]
    words: tuple[tuple[str, str], ...] = ()
    fixed: RepairResult = field(default_factory=RepairResult)


@click.command()
@click.option("--repair", is_flag=True, help="Mend what can be mended, in one commit.")
@click.option("--dry-run", is_flag=True, help="With --repair: say what would be done, and show the diffs.")
@common_options
@reported
def doctor(common: CommonOptions, repair: bool, dry_run: bool) -> Report:
    with console.progress(common) as say:
        return run(lambda: console.settings(common), common.wiki, repair, dry_run, say)


def run(gather: Callable[[], Settings], named: Path | None, repair: bool, dry_run: bool, say: Say) -> Report:
    """Examine the machine, and the wiki that ``gather`` finds; where there is none, and none was ``named``, it alone."""
    check_git()
    try:
        settings = gather()
    except ConfigError as error:
        if error.code != "not_a_wiki":
            raise
        folders = [named] if named is not None else [Path.cwd(), *Path.cwd().parents]
        lost = list(git_entries.lost_contract(folders))
        if named is not None and not lost:
            raise
        return _machine_alone(lost, say)
    check_path(settings.root)
    say("the machine …")
    here = machine.examine_machine()
    say("the wiki …")
    done = RepairResult()
    seen = _examined(settings, here, repair, dry_run)
    for _ in range(_ROUNDS if repair and not dry_run else 0):
        if not seen.fixed.did:
            break
        done += seen.fixed
        say("once more, after the repair …")
        seen = _examined(settings, here, repair, dry_run)
    return _report(here, seen, done + seen.fixed, dry_run)


def _machine_alone(lost: Sequence[Diagnosis], say: Say) -> Report:
    say("the machine …")
    here = machine.examine_machine()
    seen = _Seen((*machine.judge_machine(here, wants_model=False), *lost), {"wiki": None})
    report = _report(here, seen, RepairResult(), dry_run=False)
    lines = report.lines if lost else (*report.lines, "no wiki here: 'curate init' makes one")
    return Report(report.data, lines, report.exit_status)


def _examined(settings: Settings, here: Machine, repair: bool, dry_run: bool) -> _Seen:
    """Look at everything once, and mend what can be mended if that was asked for."""
    with examination.open_wiki(settings.root, settings.now(), settings.source_limits) as (wiki, reasons):
        setup = Setup(wiki.repository.git)
        work, store = (
            filesystem.probe_filesystem(wiki.root),
            filesystem.probe_filesystem(wiki.repository.runtime.folder),
        )
        wants_model, configured = _configured(settings)
        diagnoses = [
            *reasons,
            *machine.judge_machine(here, wants_model),
            *configured,
            *filesystem.judge_filesystems(work, store),
            *guarded("git's settings", git_settings.judge_settings(wiki, setup)),
            *guarded("the signers", sources.judge_signing(wiki, settings)),
            *examination.examine_wiki(wiki),
        ]
        about = {
            "wiki": str(wiki.root),
            "head": wiki.base,
            "pages": wiki.page_count,
            "work_tree": work.as_json(),
            "git_directory": store.as_json(),
            "repository": setup.as_json(),
            "runtime": leftovers.as_json(wiki.repository.runtime),
        }
        words = (("work tree", work.in_words()), ("git folder", store.in_words()), *_of_wiki(wiki, setup))
        fixes = repairs.planned(diagnoses) if repair else ()
        fixed = repairs.carry_out(wiki.repository, fixes, settings.now(), dry_run) if fixes else RepairResult()
    return _Seen(tuple(diagnoses), about, words, fixed)


def _configured(settings: Settings) -> tuple[bool, list[Diagnosis]]:
    """Whether the configuration names a model, and what is wrong with it."""
    try:
        config = settings.config
        return bool(config.model), list(machine.judge_reach(config, settings.environment))
    except ConfigError as error:
        return False, [of_error(error, "curator.toml")]
    except (CuratorError, OSError):  # the repository cannot be opened as usual, which is found elsewhere
        return False, []


def _of_wiki(wiki: ExaminedWiki, setup: Setup) -> Iterator[tuple[str, str]]:
    told = setup.as_json()
    yield "repository", f"{told['object_format']}, refs in {told['ref_format']}, index version {told['index_version']}"
    yield "wiki", f"{wiki.page_count:,} pages, {counted(len(wiki.curator_commits), 'commit')} of curator's"
    kept = leftovers.as_json(wiki.repository.runtime)
    shown = {"replies": "saved replies", "texts": "extracted texts", "rescue": "rescued files"}
    counts = (f"{kept[name]['files']} {what}" for name, what in shown.items())
    yield "runtime", f"{', '.join(counts)}, {kept['caches']['bytes'] / 1e6:,.1f} MB of caches"


# -- what is said --------------------------------------------------------------------------------------------------


def _report(here: Machine, seen: _Seen, done: RepairResult, dry_run: bool) -> Report:
    findings = [diagnosis.as_json() for diagnosis in seen.diagnoses]
    data: dict[str, Any] = {"machine": here.as_json(), **seen.about, "findings": findings}
    if done.did or done.failed:
        data |= {"repaired": [] if dry_run else list(done.did), "failed": list(done.failed), "commit": done.commit}
    if dry_run:
        data |= {"would": list(done.did), "diff": done.diff}
    lines = [f"{name:<10}  {text}" for name, text in (*here.in_words(), *seen.words)]
    lines += ["", *_found(seen.diagnoses)] if seen.diagnoses else []
    lines += ["", *_told(done, dry_run)] if done.did or done.failed else []
    counting = [diagnosis for diagnosis in seen.diagnoses if diagnosis.counts]
    lines += ["", _verdict(counting)]
    return Report(data, tuple(lines), 1 if counting or done.failed else 0)


def _found(diagnoses: Sequence[Diagnosis]) -> Iterator[str]:
    """The findings, worst first, those of one kind together."""
    kinds: dict[tuple[int, str], list[Diagnosis]] = defaultdict(list)
    for diagnosis in diagnoses:
        finding = diagnosis.finding
        kinds[SEVERITIES.index(finding.severity), finding.code].append(diagnosis)
    for kind in sorted(kinds, key=lambda kind: kind[0]):
        same = kinds[kind]
        for diagnosis in same[:_SHOWN]:
            # Line by line: a file's name may have what no terminal should be sent.
            first, *more = map(printable, str(diagnosis.finding).split("\n"))
            yield f"{diagnosis.finding.severity:<5} {first}"
            yield from (f"      {line.strip()}" for line in (*more, printable(diagnosis.repair)))
        if len(same) > _SHOWN:
            yield f"      and {len(same) - _SHOWN:,} more of {kind[1]}: curate --json doctor"


def _told(done: RepairResult, dry_run: bool) -> Iterator[str]:
    yield from (f"{'would do' if dry_run else 'repaired'}  {text}" for text in done.did)
    yield from (f"failed    {text}" for text in done.failed)
    if done.commit:
        yield f"commit    {done.commit[:12]}"
    if dry_run and done.diff:
        yield done.diff.rstrip("\n")


def _verdict(counting: Sequence[Diagnosis]) -> str:
    if not counting:
        return "healthy"
    errors = sum(diagnosis.finding.severity == "error" for diagnosis in counting)
    fixable = sum(diagnosis.fix is not None for diagnosis in counting)
    told = f"{errors:,} error(s), {len(counting) - errors:,} warning(s)"
    return f"{told}; 'curate doctor --repair' mends {fixable:,}" if fixable else told
