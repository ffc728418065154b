"""Lines for a crontab, printed for its owner to put there: a crontab is one file that all programs share.

cron gives a ``%`` and, here and there, a backslash a meaning of its own before a shell sees the line. Neither is ever
written in a word: the shell makes them from their numbers.
"""

from __future__ import annotations

import re

from curator.service.install.launchd import WITH_SECRETS
from curator.service.install.plan import Command, InstallPlan, InstallTarget

_RISKY = re.compile(r"[%\\]+")


def plan(target: InstallTarget) -> InstallPlan:
    """The crontab lines of one wiki."""
    watch, lint = f"@reboot {_line(target, target.watch)}", f"30 3 * * * {_line(target, target.lint)}"
    fetch = f"17 * * * * {_line(target, target.fetch)}"
    return InstallPlan(
        format="cron",
        text=f"# curator, {target.name}\n{watch}\n{lint}\n# with a reading list, too:\n# {fetch}\n",
        logs=f"journalctl -t {_tag(target)}",
        notes=("put these lines into your crontab with 'crontab -e'; curator does not touch it",),
    )


def _line(target: InstallTarget, command: Command) -> str:
    environment = [f"{name}={value}" for name, value in target.environment.items()]
    words = ("env", *environment, "sh", "-c", WITH_SECRETS, "curator", str(target.secrets), *command)
    return f"{' '.join(map(word, words))} 2>&1 | logger -t {_tag(target)}"


def _tag(target: InstallTarget) -> str:
    return f"curator-{target.name}"


def word(text: str) -> str:
    """One word for sh on a line of a crontab."""
    if re.fullmatch(r"[A-Za-z0-9@+=:,./_-]+", text):
        return text
    quoted = "'" + text.replace("'", "'\"'\"'") + "'"
    return _RISKY.sub(lambda found: f"'\"$(printf '{_octal(found[0])}')\"'", quoted)


def _octal(text: str) -> str:
    """For printf; each backslash has a digit behind it, which cron leaves alone."""
    return "".join(f"\\{ord(c):03o}" for c in text)
