"""Locks this process in: limits first, then Landlock for files and ports, then seccomp for system calls; on macOS Seatbelt.

Each layer is taken where the system has it and left out where it has not; what they come to is then tried out, and that
is the level which is reported. No layer needs a privilege, a helper program or a container.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress

from jail import attempts, kernel, landlock, rights, seatbelt, seccomp

_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38


def lock_reader(packages: list[str], preload: Callable[[], object], limits: Mapping[str, int]) -> str:
    """No network, no processes, no files but Python's own for reading, and ``limits``. Returns the proven level.

    Without Landlock no file can be opened at all; then ``preload`` is called before, to import what may be needed.
    """
    close_reader(packages, preload, limits)
    return attempts.level(attempts.all_tried())


def lock_worker(packages: list[str]) -> str:
    """No processes, nothing written, only Python's own files and certificates read, no connection of its own making."""
    close_worker(packages)
    return attempts.level(attempts.all_tried())


def close_curator(seconds: int, megabytes: int) -> None:
    """The jail of a process that has imported all it needs: no file is opened, so nothing more is; memory is what it adds.

    ``seconds`` are of processor time.
    """
    _limit({**rights.READER_LIMITS, "RLIMIT_AS": _memory() + (megabytes << 20), "RLIMIT_CPU": seconds})
    seatbelt.restrict(())
    with suppress(kernel.Unsupported, OSError):
        _give_up_privileges()
        landlock.restrict((), ports=())
        seccomp.install(seccomp.only(rights.READER_CALLS, rights.HARMLESS, rights.ABSENT))


def close_reader(
    packages: list[str], preload: Callable[[], object], limits: Mapping[str, int] = rights.READER_LIMITS
) -> None:
    """Close the jail of ``lock_reader`` without trying it."""
    if not landlock.version():
        preload()
    _limit({**rights.READER_LIMITS, **limits})
    readable = [*_python_files(), *packages]
    seatbelt.restrict(readable)
    with suppress(kernel.Unsupported, OSError):
        _give_up_privileges()
        opening = rights.OPENING if landlock.restrict(readable, ports=()) else {}
        seccomp.install(seccomp.only(rights.READER_CALLS, {**opening, **rights.HARMLESS}, rights.ABSENT))


def close_reader_lender(packages: list[str], preload: Callable[[], object]) -> None:
    """The jail of a process whose forks lock themselves by ``lock_reader``, each for good; it sees no source.

    It may fork and end its forks; what it may not stays so for them.
    """
    if not landlock.version():
        preload()
    _limit(rights.READER_LENDER_LIMITS)
    readable = [*_python_files(), *packages]
    with suppress(kernel.Unsupported, OSError):
        _give_up_privileges()
        opening = rights.OPENING if landlock.restrict(readable, ports=()) else {}
        harmless = {name: tests for name, tests in rights.HARMLESS.items() if name not in rights.READER_LENDER_CALLS}
        tested = {**opening, **harmless, **rights.FORKING}
        seccomp.install(seccomp.only(rights.READER_LENDER_CALLS, tested, rights.ABSENT))


def close_worker(packages: list[str]) -> None:
    """Close the jail of ``lock_worker`` without trying it."""
    _limit(rights.WORKER_LIMITS)
    tested = {**rights.OPENING, **rights.HARMLESS, **rights.of_worker_alone(os.getpid())}
    readable = _worker_files(packages)
    seatbelt.restrict(readable)
    with suppress(kernel.Unsupported, OSError):
        _give_up_privileges()
        landlock.restrict(readable, ports=())
        seccomp.install(seccomp.without(rights.WORKER_NEVER_CALLS, tested, rights.ABSENT))


def close_lender(packages: list[str]) -> None:
    """The jail of a process that has forks of itself locked by ``lock_worker``, each for good; it has no key and no line.

    It may fork, and its forks may add ``lock_worker``'s rules to these, which never go.
    """
    _limit(rights.WORKER_LIMITS)
    tested = {**rights.OPENING, **rights.HARMLESS, **rights.of_worker_alone(os.getpid())}
    for name in ("clone", "tgkill"):  # the rule of a fork names itself
        del tested[name]
    with suppress(kernel.Unsupported, OSError):
        _give_up_privileges()
        landlock.restrict(_worker_files(packages), ports=())
        seccomp.install(seccomp.without(rights.WORKER_NEVER_CALLS, tested, rights.ABSENT))


def _worker_files(packages: list[str]) -> list[str]:
    """Python's own, certificates, and what the environment names."""
    named = [os.environ[name] for name in rights.FILES_IN_ENVIRONMENT if os.environ.get(name)]
    return [*_python_files(), *packages, *rights.NETWORK_FILES, *named]


def _python_files() -> Iterable[str]:
    """Python's library, what its modules in C are linked with, and this program."""
    library, program = os.path.realpath(f"{os.__file__}/.."), os.path.realpath(f"{__file__}/../..")
    return (library, os.path.realpath(f"{library}/.."), program, *rights.LIBRARIES)


def _give_up_privileges() -> None:
    """Never gain a right again, and let no other program of the user look into this one."""
    kernel.call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    kernel.call("prctl", _PR_SET_DUMPABLE, 0, 0, 0, 0)


def _memory() -> int:
    """The bytes of addresses that this process has; half of them all where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 (pathlib would cost time at every start)
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 1 << 39


def _limit(limits: dict[str, int]) -> None:
    for name, wanted in limits.items():
        # At the soft limit of processor time a signal tells the parent why; at the hard one there is only SIGKILL.
        hard = wanted + 1 if name == "RLIMIT_CPU" else wanted
        # macOS has fewer limits; a hard limit that is lower already stands as it is.
        with suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (wanted, hard))
