"""Landlock: the process opens only files beneath given folders, for reading, and connects only to given ports.

Needs no privilege. Files since Linux 5.13, TCP ports since 6.7, signals and abstract sockets since 6.12.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable
from contextlib import suppress

from jail import kernel

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_FS_BITS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many file rights each version of the interface knows; all are handled, so all but reading are refused."""
_BIND_TCP, _CONNECT_TCP = 1, 2
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 3
_RULE_PATH, _RULE_PORT = 1, 2
_ASK_VERSION = 1
_O_PATH = 0o10000000


def version() -> int:
    """The version of the interface, 0 where the kernel has none or keeps it switched off."""
    try:
        return kernel.call("landlock_create_ruleset", None, 0, _ASK_VERSION)
    except (OSError, kernel.Unsupported):
        return 0


def restrict(readable: Iterable[str], ports: Iterable[int]) -> bool:
    """Close the process; ``no_new_privs`` must be set. False where the kernel cannot."""
    abi = version()
    try:
        return bool(abi) and _restrict(abi, readable, ports)
    except OSError:
        return False


def _restrict(abi: int, readable: Iterable[str], ports: Iterable[int]) -> bool:
    network = _BIND_TCP | _CONNECT_TCP if abi >= 4 else 0
    attributes = [(1 << _FS_BITS[min(abi, 5)]) - 1, network, _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS]
    # An older kernel refuses a structure that is longer than its own.
    known = attributes[: 1 if abi < 4 else 2 if abi < 6 else 3]
    packed = struct.pack(f"={len(known)}Q", *known)
    ruleset = kernel.call("landlock_create_ruleset", packed, len(packed), 0)
    try:
        for path in readable:
            _allow_reading(ruleset, path)
        for port in ports if network else ():
            kernel.call("landlock_add_rule", ruleset, _RULE_PORT, struct.pack("=QQ", _CONNECT_TCP, port), 0)
        kernel.call("landlock_restrict_self", ruleset, 0)
    finally:
        os.close(ruleset)
    return True


def _allow_reading(ruleset: int, path: str) -> None:
    """Allow reading ``path`` and what is beneath it; one that is not there, or cannot have a rule, stays closed."""
    try:
        handle = os.open(path, _O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    with suppress(OSError):
        is_folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        rights = _READ_FILE | _READ_DIR if is_folder else _READ_FILE
        kernel.call("landlock_add_rule", ruleset, _RULE_PATH, struct.pack("=Qi", rights, handle), 0)
    os.close(handle)
