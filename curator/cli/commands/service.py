"""``curate service``: has systemd or launchd keep ``curate watch`` running; for cron and containers it says how."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from curator.cli.console import CommonOptions, Report
from curator.cli.group import CommandGroup
from curator.cli.options import common_options, reported
from curator.repository.settings import find_root
from curator.service.install import managers
from curator.service.install.plan import Command, InstallPlan, InstallTarget
from curator.service.install.target import (
    InstallFile,
    check_installed,
    check_unchanged,
    files_of,
    plan_for,
    target_at,
    target_of,
    usual_format,
)
from curator.system import atomic
from curator.system.filenames import printable


@click.group(cls=CommandGroup)
def service() -> None:
    pass


def _service_options(command: Callable[..., Any]) -> Callable[..., Any]:
    formats = click.Choice(["systemd", "launchd", "cron", "container"])
    about = "Who keeps it running; else what this machine has."
    return common_options(click.option("--format", "kind", type=formats, help=about)(command))


@service.command("show")
@_service_options
@reported
def service_show(common: CommonOptions, kind: str | None) -> Report:
    """What install would write; nothing is."""
    return show(common.wiki, kind, os.environ)


@service.command("install")
@click.option("--force", is_flag=True, help="Overwrite files that were changed by hand.")
@click.option("--dry-run", is_flag=True, help="Say what would be written and run.")
@_service_options
@reported
def service_install(common: CommonOptions, kind: str | None, force: bool, dry_run: bool) -> Report:
    """Write the service's files and start it; again to bring them up to date."""
    return install(common.wiki, kind, os.environ, force, dry_run)


@service.command("uninstall")
@click.option("--force", is_flag=True, help="Remove files that were changed by hand, too.")
@click.option("--dry-run", is_flag=True, help="Say what would be stopped and removed.")
@_service_options
@reported
def service_uninstall(common: CommonOptions, kind: str | None, force: bool, dry_run: bool) -> Report:
    """Stop the service and remove its files. A wiki named with --wiki need not be there any more."""
    return uninstall(common.wiki, kind, os.environ, force, dry_run)


def show(wiki: Path | None, format: str | None, environment: Mapping[str, str]) -> Report:
    """What ``install`` would write; nothing is."""
    target = target_of(find_root(wiki), environment)
    plan = plan_for(target, format or usual_format(environment), environment)
    files = files_of(plan)
    lines = [f"# {printable(file.path)} ({file.state})\n{file.text}" for file in files]
    lines += [plan.text] if plan.text else []
    lines += [f"# {note}" for note in plan.notes]
    lines += [f"# then: {shlex.join(command)}" for command in plan.start]
    return Report(_about(target, plan, files, plan.start), tuple(lines))


def install(
    wiki: Path | None, format: str | None, environment: Mapping[str, str], force: bool, dry_run: bool
) -> Report:
    """Write the files and start the service. Raises Conflict rather than overwrite what somebody has changed."""
    target = target_of(find_root(wiki), environment)
    plan = plan_for(target, format or usual_format(environment), environment)
    if not plan.files:
        return Report(_about(target, plan, [], ()), (plan.text, *plan.notes))
    files = files_of(plan)
    if not force:
        check_unchanged(files, "'--force' overwrites it; what is yours fits into a drop-in, see docs/service.md")
    check_installed(target)
    if findings := managers.verify_units(plan, environment):
        told = {"findings": [finding.as_json() for finding in findings]}
        return Report({**_about(target, plan, files, ()), **told}, tuple(map(str, findings)), 1)
    to_write = [file for file in files if file.state != "same"]
    commands = plan.restart if any(file.state != "missing" for file in to_write) else plan.start
    if dry_run:
        lines = [f"would write {printable(file.path)} ({file.state})" for file in to_write]
        lines += [f"would run   {shlex.join(command)}" for command in commands]
        return Report(_about(target, plan, files, commands), (*lines, *plan.notes))
    for file in to_write:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(file.path, file.text.encode())
    lines = [f"wrote {printable(file.path)}" for file in to_write] or ["all files are as they should be"]
    is_there = managers.succeeds(plan.probe, environment)
    if is_there:
        ran = managers.start(plan, commands, bool(to_write), environment)
        lines += [f"ran   {shlex.join(command)}" for command in ran]
    else:
        lines += [f"there is no {plan.format} here that could be told; where it is, run:"]
        lines += [f"  {shlex.join(command)}" for command in commands]
    notes = (*plan.notes, *_hints(plan))
    left = [] if is_there else [shlex.join(command) for command in commands]
    data = {**_about(target, plan, files, commands), "running": is_there, "next": left, "notes": list(notes)}
    return Report(data, (*lines, *notes))


def uninstall(
    wiki: Path | None, format: str | None, environment: Mapping[str, str], force: bool, dry_run: bool
) -> Report:
    """Stop the service and remove its files. A wiki that is named need not be there any more."""
    root = Path(os.path.realpath(wiki or find_root(None)))
    target = target_at(root, environment, (root,))
    format = format or usual_format(environment)
    plan = plan_for(target, format, environment)
    if not plan.files:
        where = "the crontab" if format == "cron" else "your compose file"
        return Report(_about(target, plan, [], ()), (f"what curator printed is in {where}; take it out there",))
    files = [file for file in files_of(plan) if file.state != "missing"]
    if not files:
        return Report(_about(target, plan, [], ()), (f"nothing is installed for {printable(root)}",))
    check_unchanged(
        [file for file in files if not force or file.state == "foreign"], "remove it yourself, or use '--force'"
    )
    commands = (*plan.stop, *plan.after)
    if dry_run:
        lines = [f"would run    {shlex.join(command)}" for command in commands]
        lines += [f"would remove {printable(file.path)}" for file in files]
        return Report(_about(target, plan, files, commands), tuple(lines))
    is_there = managers.succeeds(plan.probe, environment)
    notes = managers.run_all(plan.stop, environment) if is_there else []
    for file in files:
        atomic.remove(file.path)
        managers.remove_links(file.path)
    notes += managers.run_all(plan.after, environment) if is_there else []
    lines = [f"removed {printable(file.path)}" for file in files]
    return Report({**_about(target, plan, files, commands), "notes": notes}, (*lines, *notes))


def _about(
    target: InstallTarget, plan: InstallPlan, files: Sequence[InstallFile], commands: Sequence[Command]
) -> dict[str, Any]:
    return {
        "format": plan.format,
        "wiki": str(target.root),
        "name": target.name,
        "files": [file.as_json() for file in files],
        **({"text": plan.text} if plan.text else {}),
        "commands": [shlex.join(command) for command in commands],
        "notes": list(plan.notes),
    }


def _hints(plan: InstallPlan) -> tuple[str, ...]:
    hints: tuple[str, ...] = (f"what it says: {plan.logs}",)
    if plan.format == "systemd":
        hints += ("it runs while you are logged in; always: loginctl enable-linger",)
    return hints
