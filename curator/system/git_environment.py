"""The environment of a git that serves a wiki: no GIT_* of whoever started us (a hook, a rebase) leads it astray."""

from __future__ import annotations

import os

EXPLICITLY = ("-c", "safe.bareRepository=explicit")
"""Options of git, which from 2.38 on then uses no repository but one that is reached through ``.git``."""
_SETTINGS = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_KEPT = (*_SETTINGS, "GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_PYTHON_")
_KEPT_FOR_REMOTES = (
    *_SETTINGS,
    "GIT_SSH",
    "GIT_SSL_",
    "GIT_HTTP_",
    "GIT_PROXY_",
    "GIT_ALLOW_PROTOCOL",
    "GIT_EXEC_PATH",
)


def scrub_environment() -> None:
    """Forget the GIT_* variables but those that say who commits and where the settings are."""
    for name in os.environ.keys() - _without_git(_KEPT).keys():
        del os.environ[name]
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")


def for_remotes() -> dict[str, str]:
    """For a git that speaks to remotes: it keeps how they are reached, and speaks English."""
    return {**_without_git(_KEPT_FOR_REMOTES), "LC_ALL": "C"}


def unattended(own_ssh: bool = False) -> dict[str, str]:
    """For a git that nobody sits before: as for remotes, and what would ask for a password or a passphrase fails.

    ``own_ssh``: the repository names an ssh of its own (core.sshCommand), which a variable would push aside.
    """
    found = {
        **for_remotes(),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        "GCM_INTERACTIVE": "never",
    }
    if not own_ssh and not found.keys() & {"GIT_SSH_COMMAND", "GIT_SSH"}:
        found["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes"
    return found


def _without_git(kept: tuple[str, ...]) -> dict[str, str]:
    """Ours, without git's variables but those whose names begin like one of ``kept``."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name.startswith(kept)}
