"""A running service lends its model worker: litellm is loaded once, and whoever works in the wiki gets a fork of it.

The lender listens on a socket in the wiki's runtime folder, which only its user may enter, and each side asks the kernel
who the other is. A borrower names the rights it needs by their digest: it gets a fork only where they are the lender's own,
so no worker ever has another provider's keys or hosts than those of its wiki. It sends the pipes and the line that the fork
is to have; what follows goes past the lender. Whoever gets no answer starts a worker of its own, as without a service.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import select
import socket
import struct
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from curator.models.sandbox.addresses import Address, common, names_files
from curator.models.sandbox.connector import Connector
from curator.models.sandbox.process import ENVIRONMENT, PROGRAM, SandboxProcess, packages_of
from curator.system.local_sockets import short_name

IDLE_SECONDS = 900.0
"""A lender that nobody has asked for so long ends; the service starts another one with its next worker."""
_SECONDS = 5.0
_DESCRIPTORS = 5
_CREDENTIALS = struct.Struct("3i")


class LentProcess(SandboxProcess):
    """A fork of the lender's, which ends at once, whatever it waits for, when its borrower closes its pipes or is gone."""

    def __init__(self, connection: socket.socket, rights: str, connector: Connector) -> None:
        """Raises OSError when the lender cannot be asked; ``connector`` is then as it was."""
        theirs, ours = zip(*(_pipe(towards) for towards in (True, False, False, True)), strict=True)
        try:
            described = [*theirs[:3], connector.theirs.fileno(), theirs[3]]
            socket.send_fds(connection, [rights.encode("ascii")], described)
        except OSError:
            for descriptor in ours:
                os.close(descriptor)
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        stdin, *others, self._held = ours
        out, err = (os.fdopen(each, "rb", buffering=0) for each in others)
        self._attach(os.fdopen(stdin, "wb", buffering=0), out, err, connector)

    def kill(self) -> None:
        """Close its pipes, and the one whose end ends it."""
        self._close()

    def _close(self) -> None:
        held, self._held = self._held, -1
        if held >= 0:
            os.close(held)
        super()._close()

    def ending(self) -> str:
        return "of the service has ended"


def borrowed(place: Path, rights: str, connector: Connector) -> LentProcess | None:
    """A model worker of the service at ``place``; None where there is none to be had."""
    try:
        with short_name(place) as address, socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_SECONDS)
            connection.connect(address)
            return LentProcess(connection, rights, connector) if _is_ours(connection) else None
    except OSError:
        return None


def digest_of(environment: Mapping[str, str], allowed: Sequence[Address]) -> str:
    """A digest of the rights of a worker; empty for rights that a fork cannot have, because it can open no more files."""
    if sys.platform != "linux" or names_files(environment):
        return ""
    rights = [sorted(environment.items()), sorted(map(str, allowed)), packages_of("litellm")]
    return hashlib.sha256(json.dumps(rights).encode("ascii")).hexdigest()


def lend(
    listening: socket.socket, environment: Mapping[str, str], allowed: Sequence[Address], model: str, until: int
) -> None:
    """Lend workers with these rights to all who connect to ``listening``; ends when ``until`` can be read.

    They are forks of one process, which has litellm loaded and what it needs to ask ``model``.
    """
    rights = digest_of(environment, allowed)
    if not rights:
        return
    ours, theirs = socket.socketpair()
    with ours, theirs:
        lender = subprocess.Popen(
            [*PROGRAM, "lend", "--line", str(theirs.fileno()), "--model", model, *packages_of("litellm")],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
            cwd="/",
            start_new_session=True,
            pass_fds=(theirs.fileno(),),
        )
        theirs.close()
        ours.settimeout(_SECONDS)
        assert lender.stdin is not None  # noqa: S101 (it was opened as a pipe above)
        with suppress(BrokenPipeError), lender.stdin as pipe:
            pipe.write(json.dumps(common(environment)).encode("ascii"))
        try:
            while True:
                waited_for: list[socket.socket | int] = [listening, until, ours]
                if select.select(waited_for, [], [], IDLE_SECONDS)[0] != [listening]:
                    return
                with suppress(OSError):
                    _hand_on(listening, ours, rights)
        finally:
            lender.kill()
            lender.wait()


def _hand_on(listening: socket.socket, lender: socket.socket, rights: str) -> None:
    connection, _ = listening.accept()
    with connection:
        connection.settimeout(_SECONDS)
        if not _is_ours(connection):
            return
        said, descriptors, _, _ = socket.recv_fds(connection, len(rights) + 1, _DESCRIPTORS)
        try:
            if len(descriptors) == _DESCRIPTORS and hmac.compare_digest(said, rights.encode("ascii")):
                socket.send_fds(lender, [b"."], descriptors)
        finally:
            for each in descriptors:
                os.close(each)


def _is_ours(connection: socket.socket) -> bool:
    """True when the same user is at the other end."""
    about = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
    return bool(_CREDENTIALS.unpack(about)[1] == os.geteuid())


def _pipe(towards: bool) -> tuple[int, int]:
    """Their end of a pipe, and ours."""
    read, write = os.pipe()
    return (read, write) if towards else (write, read)
