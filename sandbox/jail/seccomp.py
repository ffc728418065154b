"""seccomp: from here on the kernel refuses system calls, by name and by argument.

Two kinds of filter: ``only`` refuses all calls but the named ones, ``without`` allows all but the named ones. A refused
call fails with EPERM; the process is not killed, so that a library that merely tries something goes on without it.

The filter is a program for the kernel's BPF machine: eight bytes an instruction, jumps counted from the next one on.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable, Iterator, Mapping

from jail import kernel

Test = tuple[int, int, tuple[int, ...]]
"""An offset into the call's data (``low`` and ``high`` give it), a mask, and the values allowed behind the mask."""

Tests = tuple[Test, ...]

_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER_OFFSET, _ARCH_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16
_X32_CALLS = 0x40000000
"""x86_64 has a second table of calls from this number on, which would be a way around the filter."""
_SET_MODE_FILTER, _ALL_THREADS = 1, 1


def low(argument: int) -> int:
    """Where the lower half of a call's argument stands; both machines are little-endian."""
    return _ARGUMENTS_OFFSET + 8 * argument


def high(argument: int) -> int:
    return low(argument) + 4


def only(names: Iterable[str], tested: Mapping[str, Tests], absent: Iterable[str]) -> bytes:
    """A filter that allows ``names``, and the ``tested`` calls whose arguments pass; ``absent`` look unimplemented."""
    body = [*_each(absent, _refuse(errno.ENOSYS)), *_tested(tested), *_each(names, _ALLOW)]
    return _program(body, _refuse(errno.EPERM))


def without(names: Iterable[str], tested: Mapping[str, Tests], absent: Iterable[str]) -> bytes:
    """A filter that allows all but ``names``, but ``tested`` calls only when their arguments pass all tests."""
    body = [*_each(absent, _refuse(errno.ENOSYS)), *_tested(tested), *_each(names, _refuse(errno.EPERM))]
    return _program(body, _ALLOW)


def install(program: bytes) -> None:
    """Put the filter on every thread of the process, for good. Raises OSError where the kernel cannot."""
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    kernel.call("seccomp", _SET_MODE_FILTER, _ALL_THREADS, header)


def _program(body: list[bytes], otherwise: int) -> bytes:
    start = [
        _step(_LOAD, _ARCH_OFFSET),
        _step(_EQUAL, kernel.audit_arch(), 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_OFFSET),
        _step(_AT_LEAST, _X32_CALLS, 0, 1),
        _step(_RETURN, _refuse(errno.EPERM)),
    ]
    return b"".join([*start, *body, _step(_RETURN, otherwise)])


def _each(names: Iterable[str], verdict: int) -> Iterator[bytes]:
    for number in map(kernel.number, names):
        if number is not None:
            yield _step(_EQUAL, number, 0, 1)
            yield _step(_RETURN, verdict)


def _tested(tested: Mapping[str, Tests]) -> Iterator[bytes]:
    for name, tests in tested.items():
        number = kernel.number(name)
        if number is None:
            continue
        block = [step for test in tests for step in _test(*test)]
        block.append(_step(_RETURN, _ALLOW))
        yield _step(_EQUAL, number, 0, len(block))
        yield from block


def _test(offset: int, mask: int, values: tuple[int, ...]) -> Iterator[bytes]:
    """Go on when the masked half-argument is one of ``values``, refuse otherwise."""
    yield _step(_LOAD, offset)
    yield _step(_AND, mask)
    for left, value in zip(range(len(values) - 1, -1, -1), values, strict=True):
        # Past the comparisons that are left, and past the refusal.
        yield _step(_EQUAL, value, left + 1, 0)
    yield _step(_RETURN, _refuse(errno.EPERM))


def _refuse(error: int) -> int:
    return _ERRNO | error


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
