"""``curate service``: has systemd or launchd keep ``curate watch`` running; for cron and containers it says how."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, reported
from curator.errors import ConfigError, Conflict
from curator.repository.settings import check_git, check_path, find_root
from curator.service.install import container, cron, launchd, managers, systemd
from curator.service.install.checksum import State, state_of
from curator.service.install.plan import Command, InstallPlan, InstallTarget
from curator.system import atomic
from curator.system.filenames import printable


@click.group()
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
    return show(common.wiki, kind, os.environ, True)


@service.command("install")
@click.option("--force", is_flag=True, help="Overwrite files that were changed by hand.")
@click.option("--dry-run", is_flag=True, help="Say what would be written and run.")
@_service_options
@reported
def service_install(common: CommonOptions, kind: str | None, force: bool, dry_run: bool) -> Report:
    """Write the service's files and start it; again to bring them up to date."""
    return install(common.wiki, kind, os.environ, True, force, dry_run)


@service.command("uninstall")
@click.option("--force", is_flag=True, help="Remove files that were changed by hand, too.")
@click.option("--dry-run", is_flag=True, help="Say what would be stopped and removed.")
@_service_options
@reported
def service_uninstall(common: CommonOptions, kind: str | None, force: bool, dry_run: bool) -> Report:
    """Stop the service and remove its files. A wiki named with --wiki need not be there any more."""
    return uninstall(common.wiki, kind, os.environ, force, dry_run)


@dataclass(frozen=True)
class _File:
    """A file of a plan, and what is in its place."""

    path: Path
    text: str
    state: State

    def as_json(self) -> dict[str, str]:
        return {"path": str(self.path), "text": self.text, "state": self.state}


def show(wiki: Path | None, format: str | None, environment: Mapping[str, str], has_lint: bool) -> Report:
    """What ``install`` would write; nothing is."""
    place = _place(find_root(wiki), environment)
    plan = _plan(place, format or _usual(environment), environment, has_lint)
    files = _looked_at(plan)
    lines = [f"# {printable(file.path)} ({file.state})\n{file.text}" for file in files]
    lines += [plan.text] if plan.text else []
    lines += [f"# {note}" for note in plan.notes]
    lines += [f"# then: {shlex.join(command)}" for command in plan.start]
    return Report(_about(place, plan, files, plan.start), tuple(lines))


def install(
    wiki: Path | None, format: str | None, environment: Mapping[str, str], has_lint: bool, force: bool, dry_run: bool
) -> Report:
    """Write the files and start the service. Raises Conflict rather than overwrite what somebody has changed."""
    place = _place(find_root(wiki), environment)
    plan = _plan(place, format or _usual(environment), environment, has_lint)
    if not plan.files:
        return Report(_about(place, plan, [], ()), (plan.text, *plan.notes))
    files = _looked_at(plan)
    if not force:
        _check_ours(files, "'--force' overwrites it; what is yours fits into a drop-in, see docs/service.md")
    _check_import(place)
    if findings := managers.verified(plan, environment):
        told = {"findings": [finding.as_json() for finding in findings]}
        return Report({**_about(place, plan, files, ()), **told}, tuple(map(str, findings)), 1)
    to_write = [file for file in files if file.state != "same"]
    commands = plan.restart if any(file.state != "missing" for file in to_write) else plan.start
    if dry_run:
        lines = [f"would write {printable(file.path)} ({file.state})" for file in to_write]
        lines += [f"would run   {shlex.join(command)}" for command in commands]
        return Report(_about(place, plan, files, commands), (*lines, *plan.notes))
    for file in to_write:
        file.path.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(file.path, file.text.encode())
    lines = [f"wrote {printable(file.path)}" for file in to_write] or ["all files are as they should be"]
    is_there = managers.succeeds(plan.probe, environment)
    if is_there:
        lines += _started(plan, commands, bool(to_write), environment)
    else:
        lines += [f"there is no {plan.format} here that could be told; where it is, run:"]
        lines += [f"  {shlex.join(command)}" for command in commands]
    notes = (*plan.notes, *_hints(plan))
    left = [] if is_there else [shlex.join(command) for command in commands]
    data = {**_about(place, plan, files, commands), "running": is_there, "next": left, "notes": list(notes)}
    return Report(data, (*lines, *notes))


def uninstall(
    wiki: Path | None, format: str | None, environment: Mapping[str, str], force: bool, dry_run: bool
) -> Report:
    """Stop the service and remove its files. A wiki that is named need not be there any more."""
    root = Path(os.path.realpath(wiki or find_root(None)))
    place = _somewhere(root, environment, (root,))
    format = format or _usual(environment)
    plan = _plan(place, format, environment, has_lint=True)
    if not plan.files:
        where = "the crontab" if format == "cron" else "your compose file"
        return Report(_about(place, plan, [], ()), (f"what curator printed is in {where}; take it out there",))
    if not any(path.exists() for path in plan.files if "-lint-" in path.name or ".lint." in path.name):
        plan = _plan(place, format, environment, has_lint=False)
    files = [file for file in _looked_at(plan) if file.state != "missing"]
    if not files:
        return Report(_about(place, plan, [], ()), (f"nothing is installed for {printable(root)}",))
    _check_ours(
        [file for file in files if not force or file.state == "foreign"], "remove it yourself, or use '--force'"
    )
    commands = (*plan.stop, *plan.after)
    if dry_run:
        lines = [f"would run    {shlex.join(command)}" for command in commands]
        lines += [f"would remove {printable(file.path)}" for file in files]
        return Report(_about(place, plan, files, commands), tuple(lines))
    is_there = managers.succeeds(plan.probe, environment)
    notes = managers.told(plan.stop, environment) if is_there else []
    for file in files:
        atomic.remove(file.path)
        managers.forget_links(file.path)
    notes += managers.told(plan.after, environment) if is_there else []
    lines = [f"removed {printable(file.path)}" for file in files]
    return Report({**_about(place, plan, files, commands), "notes": notes}, (*lines, *notes))


# -- what there is ---------------------------------------------------------------------------------------------------


def _usual(environment: Mapping[str, str]) -> str:
    if sys.platform == "darwin":
        return "launchd"
    return "systemd" if shutil.which("systemctl", path=environment.get("PATH")) else "cron"


def _place(root: Path, environment: Mapping[str, str]) -> InstallTarget:
    check_git()
    check_path(root)
    root = Path(os.path.realpath(root))
    return _somewhere(root, environment, _writable(root))


def _somewhere(root: Path, environment: Mapping[str, str], writable: tuple[Path, ...]) -> InstallTarget:
    home = environment.get("HOME")
    if not home:
        raise ConfigError("no_home", "HOME is not set, and a service belongs to a user", "set HOME to your folder")
    usual = Path(home, ".config")
    config = Path(environment.get("XDG_CONFIG_HOME") or usual)
    for path in (*writable, Path(sys.executable), config):
        _check_characters(path)
    git = shutil.which("git", path=environment.get("PATH")) or "/usr/bin/git"
    return InstallTarget(root, writable, sys.executable, config, config != usual, git)


def _check_characters(path: Path) -> None:
    """Raises ConfigError for what would end a line of a unit, and what XML has no way to say."""
    check_path(path)
    if any(unicodedata.category(c) == "Cc" for c in str(path)):
        said = f"the path {str(path)!r} has control characters, which a service cannot be told"
        raise ConfigError("path_unusable", said, "rename the folder")


def _writable(root: Path) -> tuple[Path, ...]:
    """The wiki, and its git directory, common directory and runtime folder where they lie elsewhere."""
    asked = ("--absolute-git-dir", "--git-common-dir", "--git-path", "curator")
    done = subprocess.run(["git", "-C", str(root), "rev-parse", *asked], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = " ".join(done.stderr.split())
        raise ConfigError(
            "not_git", f"git cannot use {str(root)!r}: {said}", "mend that, or run 'git init' in the wiki"
        )
    found: list[Path] = [root]
    for line in done.stdout.rstrip("\n").split("\n"):
        path = Path(os.path.realpath(root / line))
        if not any(path.is_relative_to(other) for other in found):
            found = [*(other for other in found if not other.is_relative_to(path) or other == root), path]
    return tuple(found)


def _plan(place: InstallTarget, format: str, environment: Mapping[str, str], has_lint: bool) -> InstallPlan:
    match format:
        case "systemd":
            return systemd.plan(place, has_lint)
        case "launchd":
            return launchd.plan(place, has_lint, Path(environment["HOME"]), os.getuid())
        case "cron":
            return cron.plan(place, has_lint)
        case _:
            return container.plan(place, f"{os.getuid()}:{os.getgid()}")


def _looked_at(plan: InstallPlan) -> list[_File]:
    return [_File(path, text, state_of(_text_of(path), text)) for path, text in plan.files.items()]


def _text_of(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None


def _about(
    place: InstallTarget, plan: InstallPlan, files: Sequence[_File], commands: Sequence[Command]
) -> dict[str, Any]:
    return {
        "format": plan.format,
        "wiki": str(place.root),
        "name": place.name,
        "files": [file.as_json() for file in files],
        **({"text": plan.text} if plan.text else {}),
        "commands": [shlex.join(command) for command in commands],
        "notes": list(plan.notes),
    }


# -- what may stop it ------------------------------------------------------------------------------------------------


def _check_ours(files: Sequence[_File], hint: str) -> None:
    for file in files:
        if file.state == "changed":
            raise Conflict("unit_changed", f"{str(file.path)!r} was changed since curator wrote it", hint)
        if file.state == "foreign":
            raise Conflict("unit_foreign", f"{str(file.path)!r} is there and was not written by curator", hint)


def _check_import(place: InstallTarget) -> None:
    """Raises ConfigError where the service would not find its own code, as from a checkout that was never installed."""
    kept = {"PATH": place.environment["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    command = [*place.watch[:4], "--version"]
    done = subprocess.run(command, cwd="/", env=kept, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr.strip().splitlines() or ["nothing"])[-1]
        raise ConfigError(
            "not_installed", f"{place.python} cannot run curator by itself: {said}", "install it: pip install ."
        )


# -- telling the manager ---------------------------------------------------------------------------------------------


def _started(plan: InstallPlan, commands: Sequence[Command], is_new: bool, environment: Mapping[str, str]) -> list[str]:
    """Has the service started; what was run. Raises ConfigError when that fails."""
    if not is_new and plan.settled and all(managers.succeeds(command, environment) for command in plan.settled):
        return []
    for command in commands:
        status, said = managers.run(command, environment)
        if status != 0 and command not in plan.stop:
            hint = f"the files are written; see '{plan.logs}', then run: {shlex.join(command)}"
            raise ConfigError("service_not_started", f"'{shlex.join(command)}' says: {said}", hint)
    return [f"ran   {shlex.join(command)}" for command in commands]


def _hints(plan: InstallPlan) -> tuple[str, ...]:
    hints: tuple[str, ...] = (f"what it says: {plan.logs}",)
    if plan.format == "systemd":
        hints += ("it runs while you are logged in; always: loginctl enable-linger",)
    return hints
