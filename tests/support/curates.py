"""``curate`` for tests that start many: they do not wait for its imports; at night each is a Python of its own."""

from __future__ import annotations

import secrets
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

from support.depth import NIGHTLY

REAL = (sys.executable, "-P", "-m", "curator")


@cache
def curate_words() -> tuple[str, ...]:
    """The words that start one. Its server is started once for all tests of this process, and ends with it."""
    if NIGHTLY:
        return REAL
    here, address = Path(__file__), f"curate-{secrets.token_hex(8)}"
    command = [sys.executable, "-P", str(here.with_name("fork_server.py")), address]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    _servers.append(server)
    return sys.executable, "-I", "-S", str(here.with_name("fork_client.py")), address


_servers: list[subprocess.Popen[bytes]] = []


def script(file: Path, words: tuple[str, ...] | None = None) -> Path:
    """A program that is ``curate``, for PATH."""
    file.parent.mkdir(exist_ok=True)
    file.write_text(f'#!/bin/sh\nexec {shlex.join(words or curate_words())} "$@"\n')
    file.chmod(0o755)
    return file
