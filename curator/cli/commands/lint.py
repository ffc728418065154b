"""``curate lint``, the maintenance pass: what it finds is printed and told to the log; ``--fix`` mends what it can."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import click

from curator.checks.kept_findings import SHOWN, counted, first_of_each
from curator.checks.lint import fixes, formats, log_event, maintenance
from curator.checks.lint.fixes import Fixed
from curator.checks.lint.log_event import LogOutcome
from curator.checks.lint.maintenance import LintResult
from curator.cli import console
from curator.cli.console import CommonOptions, Report, Say
from curator.cli.docs_folder import DOCS
from curator.cli.edits_beside import EditsBeside
from curator.cli.options import common_options, reported, view_option, worktree_option
from curator.errors import ConfigError, meant
from curator.finding import SEVERITIES, Finding
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.system.filenames import printable

_FAIL_ON = ("never", *SEVERITIES)
_LOGGED = "this pass enters its result into _log.md, in a commit of its own, as the standard wants; --no-log only looks"


@dataclass(frozen=True)
class LintOptions:
    """What the command line asks for."""

    fail_on: str = "error"
    only: frozenset[str] = frozenset()
    """Codes, and ids of custom lints; empty: all."""
    fix: bool = False
    logs: bool = True
    dry_run: bool = False
    form: str = "text"
    """``text``, ``json``, ``sarif`` or ``github``."""


@click.command()
@click.option(
    "--fail-on",
    type=click.Choice([*SEVERITIES, "never"]),
    default="error",
    show_default=True,
    help="Exit status 1 for findings of this severity, or a worse one.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="CODES",
    shell_complete=lambda *a: sorted(code for code in _known_codes() if code.startswith(a[2])),
    help="Only findings of these codes; nothing goes to the log.",
)
@click.option("--fix", is_flag=True, help="Fix what is mechanical, in one commit.")
@click.option("--no-log", is_flag=True, help="Only look: append nothing to the log, commit nothing.")
@click.option("--sarif", "form", flag_value="sarif", help="SARIF 2.1.0 on stdout.")
@click.option("--github", "form", flag_value="github", help="Annotations for GitHub Actions on stdout.")
@click.option("--dry-run", is_flag=True, help="Write nothing; with --fix: show the diffs.")
@worktree_option
@view_option
@common_options
@reported
def lint(
    common: CommonOptions,
    /,
    fail_on: str,
    only: tuple[str, ...],
    fix: bool,
    no_log: bool,
    form: str | None,
    dry_run: bool,
    worktree: bool,
    **flags: str | None,
) -> Report:
    if worktree and fix:
        raise ConfigError("usage", "--worktree only looks, --fix commits", "choose one of them")
    if form and common.json:
        raise ConfigError("usage", f"--json and --{form} are two forms of one output", "choose one of them")
    printed = form or ("json" if common.json else "text")
    options = LintOptions(fail_on, codes(only), fix, not (no_log or worktree), dry_run, printed)
    with console.progress(common) as say:
        if options.logs and not options.only and not dry_run:
            console.stays(say, _LOGGED)
        return run(replace(console.settings(common, flags, looks=True), worktree=worktree), options, say)


def run(settings: Settings, options: LintOptions, say: Say) -> Report:
    """Examine, fix if asked to, tell the log, report. The exit status is by what was found, whatever became of the log."""
    with settings.repository as repository:
        _check_codes(options.only, repository, settings)
        say("the pages …")
        beside = EditsBeside(repository)
        result, fixed = _looked(settings, repository, options)
        entered = None
        if options.logs and not options.only:
            entered = log_event.enter(repository, result, settings.now(), options.dry_run)
        prefix, edits, hint = repository.prefix, beside.as_json(), beside.said()
    findings = result.findings
    if options.only:
        findings = [finding for finding in findings if finding.code in options.only]
    fails = SEVERITIES[: _FAIL_ON.index(options.fail_on)]
    failed = any(severity in fails for _, severity in counted(findings))
    lines: list[str] = []
    data: dict[str, Any] = {}
    if options.form == "json":
        data = {**_data(result, findings, fixed, entered, options), **edits}
    elif options.form == "sarif":
        lines = [formats.sarif(findings, prefix)]
    elif options.form == "github":
        lines = list(formats.github(findings, prefix))
    else:
        lines = list(_lines(result, findings, fixed, entered, options))
    return Report(data, tuple(lines), 1 if failed else 0, hint)


def _looked(settings: Settings, repository: Repository, options: LintOptions) -> tuple[LintResult, Fixed]:
    def look() -> LintResult:
        return maintenance.lint_wiki(repository, settings.now(), settings.source_limits, settings.view)

    result = look()
    if not options.fix:
        return result, Fixed()
    result, fixed = fixes.carry_out(
        repository, result, look, options.only, settings.source_limits, settings.now(), options.dry_run
    )
    return (look() if fixed.commit else result), fixed


def _known_codes() -> frozenset[str]:
    """Of all findings that curator itself makes: the page of docs has them all."""
    return frozenset(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", (DOCS / "lint.md").read_text("utf-8")))


def _check_codes(codes: frozenset[str], repository: Repository, settings: Settings) -> None:
    """Raises ConfigError for one that no finding can have: docs/lint.md has them all, KNOWLEDGE.md the wiki's own."""
    if codes:
        lints = repository.view().workspace(settings.view).fields.get("lints") or ()
        own = {str(lint.get("id")) for lint in lints if isinstance(lint, dict)}
        known = own | _known_codes()
        for code in sorted(codes - known):
            said = f"no finding is called {code!r}{meant(code, known)}"
            raise ConfigError(
                "lint_code_unknown", said, "`curate help lint` has the codes, KNOWLEDGE.md the wiki's own"
            )


# -- what is said --------------------------------------------------------------------------------------------------


def _data(
    result: LintResult, findings: Sequence[Finding], fixed: Fixed, entered: LogOutcome | None, options: LintOptions
) -> dict[str, Any]:
    kinds = counted(findings).items()
    counts = {level: sum(number for (_, severity), number in kinds if severity == level) for level in SEVERITIES}
    data: dict[str, Any] = {
        "commit": result.commit,
        "pages": result.pages,
        "looked_at": result.looked_at,
        "counts": counts,
        "stale_after_days": result.stale_after_days,
        "view": result.view or None,
        "findings": [finding.as_json() for finding in findings],
    }
    if options.fix:
        data |= {"fixed": list(fixed.did), "fix_commit": fixed.commit, "not_fixed": fixed.why}
    if options.dry_run:
        data["diff"] = fixed.diff
    if entered is not None:
        data["log"] = {"commit": entered.commit, "why": entered.why}
    return data


def _lines(
    result: LintResult, findings: Sequence[Finding], fixed: Fixed, entered: LogOutcome | None, options: LintOptions
) -> Iterator[str]:
    yield from _found(findings)
    if findings:
        yield ""
    word = "would fix" if options.dry_run else "fixed"
    yield from (f"{word:<9}  {text}" for text in fixed.did)
    if fixed.why:
        yield f"not fixed  {fixed.why}"
    if fixed.commit:
        yield f"commit     {fixed.commit[:12]}"
    if options.dry_run and fixed.diff:
        yield fixed.diff.rstrip("\n")
    chosen = f" ({len(findings):,} shown)" if options.only else ""
    yield f"lint       {log_event.summary(result)}{chosen}"
    if entered is not None:
        yield f"log        {f'commit {entered.commit[:12]}' if entered.commit else f'nothing appended: {entered.why}'}"


def _found(findings: Sequence[Finding]) -> Iterator[str]:
    """The findings place by place; of a code that is found again and again, only the first."""
    numbers: Counter[str] = Counter()
    for finding in first_of_each(findings):
        numbers[finding.code] = 0  # in the order in which they are met
        yield f"{finding.severity:<5} {printable(str(finding))}"
        if finding.hint:
            yield f"      {printable(finding.hint)}"
    for (code, _), number in counted(findings).items():
        numbers[code] += number
    for code, number in numbers.items():
        if number > SHOWN:
            yield f"      and {number - SHOWN:,} more of {code}: curate lint --json --only {code}"


def codes(values: Sequence[str]) -> frozenset[str]:
    """``--only a,b --only c`` as codes. Raises ConfigError for an empty name."""
    found = [code.strip() for value in values for code in value.split(",")]
    if values and not all(found):
        raise ConfigError("usage", "--only names no code", "as in --only link_broken,entry_orphan")
    return frozenset(found)
