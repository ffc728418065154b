"""Runs the commands of systemd and launchd: to verify units, to start and to stop the service."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from curator.errors import ConfigError
from curator.finding import Finding
from curator.service.install.plan import Command, InstallPlan

_SECONDS = 360
"""Longer than systemd waits for the service to be ready."""


def verify_units(plan: InstallPlan, environment: Mapping[str, str]) -> list[Finding]:
    """What ``systemd-analyze verify`` finds wrong with the units; its exit status is 0 for most of that."""
    program = shutil.which("systemd-analyze", path=environment.get("PATH"))
    if plan.format != "systemd" or program is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        for path, text in plan.files.items():
            Path(folder, path.name).write_text(text, "utf-8")
        files = [str(Path(folder, path.name)) for path in plan.files]
        # Without a session there is no runtime folder, and it would give up before it has read anything.
        env = {**environment, "XDG_RUNTIME_DIR": environment.get("XDG_RUNTIME_DIR") or folder}
        done = subprocess.run([program, "verify", "--user", *files], capture_output=True, env=env, check=False)
        said = done.stderr.decode("utf-8", "replace").replace(f"{folder}/", "")
    names = "|".join(re.escape(path.name) for path in plan.files)
    found = re.finditer(rf"^({names}):(?:(\d+):)? *(.*)$", said, re.MULTILINE)
    return [
        Finding("unit_invalid", name, text, int(line) if line else None)
        for name, line, text in (match.groups() for match in found)
    ]


def run_all(commands: Sequence[Command], environment: Mapping[str, str]) -> list[str]:
    """Run commands that may fail; returns a line for each that did."""
    done = [(command, *run_command(command, environment)) for command in commands]
    return [f"'{shlex.join(command)}' said: {said}" for command, status, said in done if status != 0]


def start(
    plan: InstallPlan, commands: Sequence[Command], is_new: bool, environment: Mapping[str, str]
) -> list[Command]:
    """Start the service by ``commands``, unless nothing is new and it runs; returns the commands that were run.

    Raises ConfigError when that fails.
    """
    if not is_new and plan.settled and all(succeeds(command, environment) for command in plan.settled):
        return []
    for command in commands:
        status, said = run_command(command, environment)
        if status != 0 and command not in plan.stop:
            hint = f"the files are written; see '{plan.logs}', then run: {shlex.join(command)}"
            raise ConfigError("service_not_started", f"'{shlex.join(command)}' says: {said}", hint)
    return list(commands)


def succeeds(command: Command, environment: Mapping[str, str]) -> bool:
    return run_command(command, environment)[0] == 0


def run_command(command: Command, environment: Mapping[str, str]) -> tuple[int, str]:
    program = shutil.which(command[0], path=environment.get("PATH"))
    if program is None:
        return 127, f"there is no {command[0]}"
    try:
        done = subprocess.run(
            [program, *command[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, f"no answer within {_SECONDS} seconds"
    return done.returncode, " ".join((done.stderr or done.stdout).decode("utf-8", "replace").split())


def remove_links(file: Path) -> None:
    """Remove the links that ``systemctl enable`` made, where systemctl could not do it."""
    for folder in file.parent.glob("*.wants"):
        with suppress(OSError):
            (folder / file.name).unlink()
