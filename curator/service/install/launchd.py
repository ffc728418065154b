"""Property lists for macOS's launchd. It cannot read a file of environment variables, so the command runs in a shell."""

from __future__ import annotations

import plistlib
from pathlib import Path
from typing import Any

from curator.service.install.checksum import marked
from curator.service.install.plan import Command, InstallPlan, InstallTarget

WITH_SECRETS = 'if [ -r "$1" ]; then set -a; . "$1"; set +a; fi; shift; exec "$@"'
"""For sh -c; its arguments are the file with the keys of models, then the command."""


def plan(target: InstallTarget, home: Path, user: int) -> InstallPlan:
    """The property lists of one wiki and the launchctl commands."""
    jobs = (watch(target, home), lint(target, home))
    domain = f"gui/{user}"
    files = {home / "Library" / "LaunchAgents" / f"{job['Label']}.plist": _text(job) for job in jobs}
    start = tuple(("launchctl", "bootstrap", domain, str(file)) for file in files)
    stop = tuple(("launchctl", "bootout", f"{domain}/{job['Label']}") for job in jobs)
    return InstallPlan(
        format="launchd",
        files=files,
        probe=("launchctl", "print", domain),
        settled=tuple(("launchctl", "print", f"{domain}/{job['Label']}") for job in jobs),
        start=start,
        restart=(*stop, *start),
        stop=stop,
        logs=f"tail -f {_log(target, home)}",
    )


def watch(target: InstallTarget, home: Path) -> dict[str, Any]:
    """The job of ``curate watch``; started again when it fails, not when it is told to end."""
    return {
        **_job(target, target.watch, f"curator.{target.name}", home),
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": 30,
        "ExitTimeOut": 20,
    }


def lint(target: InstallTarget, home: Path) -> dict[str, Any]:
    """The job of ``curate lint``; a night that was slept through is made up for by launchd."""
    job = _job(target, target.lint, f"curator.lint.{target.name}", home)
    return {**job, "StartCalendarInterval": {"Hour": 3, "Minute": 30}}


def _job(target: InstallTarget, command: Command, label: str, home: Path) -> dict[str, Any]:
    return {
        "Label": label,
        "ProgramArguments": ["/bin/sh", "-c", WITH_SECRETS, "curator", str(target.secrets), *command],
        "EnvironmentVariables": target.environment,
        "ProcessType": "Background",
        "StandardErrorPath": str(_log(target, home)),
        "StandardOutPath": str(_log(target, home)),
    }


def _log(target: InstallTarget, home: Path) -> Path:
    return home / "Library" / "Logs" / f"curator-{target.name}.log"


def _text(job: dict[str, Any]) -> str:
    text = plistlib.dumps(job).decode()
    return marked(text, "<!-- {} -->", text.splitlines(keepends=True)[1])
