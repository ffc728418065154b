"""Tries to get out of the jail, harmlessly, and says which attempts got through.

A level is what these attempts prove, not what the kernel says it can do. An attempt that fails for a reason other than
a refusal (no such process, bad address) has reached the code behind the jail: it counts as got through. Each is made
with arguments that could do nothing even so. In doubt a way counts as open: attaching to a process is tried on a number
that no process has, and so is reported as open where only Landlock would have refused it.
"""

from __future__ import annotations

import errno
import os
import struct
import sys
from collections.abc import Callable

from jail import kernel

_REFUSALS = {
    *(errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EROFS),
    # What a limit on processes says.
    errno.EAGAIN,
    *(errno.EPROTONOSUPPORT, errno.EAFNOSUPPORT, errno.ESOCKTNOSUPPORT),
}
_NOWHERE = 1
"""An address in the first page of memory: no call can read or write there."""
_NOBODY = 1 << 29
"""A process id above the kernel's limit of four million."""
_AF_UNIX, _AF_INET, _AF_NETLINK = 1, 2, 16
_STREAM, _DATAGRAM, _RAW, _NONBLOCK = 1, 2, 3, 0x800
_MPTCP = 262
_PRIVATE_UNRESERVED = 0x4022
_MSG_FASTOPEN = 0x20000000

Attempt = Callable[[], object]


def level(results: dict[str, bool]) -> str:
    """``strong`` when nothing got through, ``medium`` when at least files are closed, else ``weak``."""
    if not any(results.values()):
        return "strong"
    return "weak" if any(results[name] for name in FILES) else "medium"


def all_tried() -> dict[str, bool]:
    """Attempt by attempt, whether it got through; no process of the sandbox needs one of them."""
    return _tried({**FILES, **PROCESSES, **SOCKETS, **_tcp(port=9)})


def _tried(attempts: dict[str, Attempt]) -> dict[str, bool]:
    return {name: _gets_through(attempt) for name, attempt in attempts.items()}


def _gets_through(attempt: Attempt) -> bool:
    try:
        attempt()
    except OSError as error:
        return error.errno not in _REFUSALS
    except kernel.Unsupported:
        # Nothing is known, so nothing is proven.
        return True
    return True


def _open(path: str, flags: int) -> None:
    os.close(os.open(path, flags | os.O_CLOEXEC))


def _write_temporary() -> None:
    _open("/tmp", os.O_WRONLY | getattr(os, "O_TMPFILE", os.O_CREAT))  # noqa: S108 (a file without a name)


def _execute() -> None:
    # The arguments are at a bad address, so even an allowed call cannot start the program.
    kernel.call("execve", os.fsencode(sys.executable) + b"\0", _NOWHERE, _NOWHERE)


def _fork() -> None:
    process = os.fork()
    if process == 0:
        os._exit(0)
    os.waitpid(process, 0)


def _read_memory() -> None:
    # A byte of the parent's, from an address where no process has any.
    piece = struct.pack("=QQ", _NOWHERE, 1)
    kernel.call("process_vm_readv", os.getppid(), piece, 1, piece, 1, 0)


def _take_memory() -> None:
    # A terabyte that is never touched: without a limit the kernel gives the addresses.
    try:
        found = kernel.call("mmap", 0, 1 << 40, 0, _PRIVATE_UNRESERVED, -1, 0)
    except OSError as error:
        raise PermissionError(errno.EPERM, "no memory") from error
    kernel.call("munmap", found, 1 << 40)


def _memory_file() -> None:
    os.close(kernel.call("memfd_create", b"x\0", 1))


def _socket(family: int, kind: int, protocol: int = 0) -> int:
    return kernel.call("socket", family, kind | _NONBLOCK, protocol)


def _tcp(port: int) -> dict[str, Attempt]:
    # The address of 127.0.0.1 as the kernel wants it: the family in the machine's order, the rest in the network's.
    address = struct.pack("=H", _AF_INET) + struct.pack("!HBBBB8x", port, 127, 0, 0, 1)
    return {
        "connect to a TCP port": lambda: _with_tcp("connect", address, len(address)),
        "connect with the first data": lambda: _with_tcp("sendto", b"x", 1, _MSG_FASTOPEN, address, len(address)),
    }


def _with_tcp(name: str, *arguments: int | bytes) -> None:
    tcp = _socket(_AF_INET, _STREAM)
    try:
        kernel.call(name, tcp, *arguments)
    finally:
        os.close(tcp)


FILES: dict[str, Attempt] = {
    "list the root folder": lambda: _open("/", os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)),
    "read a file of the system": lambda: _open("/etc/passwd", os.O_RDONLY),
    "read another program's environment": lambda: _open("/proc/self/environ", os.O_RDONLY),
    "write a file": _write_temporary,
}
PROCESSES: dict[str, Attempt] = {
    "start a program": _execute,
    "start a process": _fork,
    "trace a process": lambda: kernel.call("ptrace", 16, _NOBODY, 0, 0),
    "read a process's memory": _read_memory,
    "signal another process": lambda: os.kill(os.getppid(), 0),
    "make a program in memory": _memory_file,
    "enter a new namespace": lambda: kernel.call("unshare", 0),
    "mount": lambda: kernel.call("mount", _NOWHERE, _NOWHERE, _NOWHERE, 0, 0),
    "use io_uring": lambda: kernel.call("io_uring_setup", 0, _NOWHERE),
    "load a kernel program": lambda: kernel.call("bpf", -1, 0, 0),
    "reach the kernel's keys": lambda: kernel.call("keyctl", 0, -3, 0),
    "take memory without end": _take_memory,
    "change a file's mode": lambda: kernel.call("fchmod", -1, 0),
}
SOCKETS: dict[str, Attempt] = {
    "open a local socket": lambda: os.close(_socket(_AF_UNIX, _STREAM)),
    "open a datagram socket": lambda: os.close(_socket(_AF_INET, _DATAGRAM)),
    "open a raw socket": lambda: os.close(_socket(_AF_INET, _RAW, 1)),
    "open a multipath socket": lambda: os.close(_socket(_AF_INET, _STREAM, _MPTCP)),
    "open a kernel socket": lambda: os.close(_socket(_AF_NETLINK, _RAW)),
}
