"""A compose file for those who run containers; docs/container has the recipe of the image.

The wiki has the same path inside as outside: a linked work tree and its git directory name each other by whole paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from curator.service.install.plan import InstallPlan, InstallTarget

_ESCAPES = {"\\": "\\\\", '"': '\\"', "$": "$$"}


def plan(target: InstallTarget, user: str) -> InstallPlan:
    """The compose file of one wiki."""
    return InstallPlan(
        format="container",
        text=compose(target.root, target.writable, user, str(target.secrets)),
        logs="docker compose logs curator",
        notes=(
            "put this into a compose.yaml of your own; its image is made by: "
            "docker build -t curator -f docs/container/Containerfile . (in curator's own source)",
        ),
    )


def compose(root: Path | str, writable: Sequence[Path | str], user: str, secrets: str) -> str:
    """The wiki in ``root``, kept by a process that may write to ``writable`` and to nothing else."""
    volumes = "\n".join(
        f"      - {{type: bind, source: {_text(path)}, target: {_text(path)}, bind: {{create_host_path: false}}}}"
        for path in writable
    )
    return f"""\
services:
  curator:
    image: curator
    command: ["watch", "--log", "text"]
    user: {_text(user)}  # the owner of the wiki: id -u, id -g
    environment:
      CURATOR_WIKI: {_text(root)}
      CURATOR_TRUSTED: {_text(root)}  # its own settings count; take this out for a wiki that is not yours
    env_file:  # keys of models: KEY=value, a line each
      - {{path: {_text(secrets)}, required: false}}
    volumes:
{volumes}
    read_only: true
    tmpfs: ["/tmp"]
    cap_drop: ["ALL"]
    security_opt: ["no-new-privileges:true"]
    pids_limit: 1024
    mem_limit: 4g
    init: true
    restart: unless-stopped
    stop_grace_period: 20s
    healthcheck:
      test: ["CMD", "curate", "status"]
      interval: 5m
      timeout: 1m
      start_period: 1m
"""


def _text(value: Path | str) -> str:
    """A string of YAML, with what compose would take for a variable doubled."""
    text = "".join(_ESCAPES.get(c) or (c if c.isprintable() else rf"\U{ord(c):08x}") for c in str(value))
    return f'"{text}"'
