"""The jail, tried from inside: each escape is really made, with the jail closed and, to see that it is one, without.

``ESCAPES`` are small programs that end with an error or print ``out``. They run in a process that has just locked
itself, at night in a Python of its own each; ``layers`` says which of the jail's layers it has, as on kernels that lack
some.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

import pytest

from curator.models.sandbox import client
from curator.models.sandbox.process import SANDBOX, packages_of
from support.depth import NIGHTLY, of_this_commit
from support.forked_python import ForkedPython
from support.waiting import PATIENCE

Proven = Literal["read", "curate", "complete"]
Mode = Literal[Proven, "lend readers", "read in a fork"]
ALL, NO_LAYERS = ("landlock", "seccomp"), ()
MODES: tuple[Mode, ...] = ("read", "curate", "complete")
JAILS = [
    *product([ALL], MODES),
    *of_this_commit(product([("landlock",), ("seccomp",), NO_LAYERS], MODES)),
]
"""Layers and modes: each whole jail, and those that lack something of one mode, of another one with another commit."""

IMPORTS = f"""
import sys
sys.path[:0] = [path for path in [{str(SANDBOX)!r}] if path not in sys.path]
import ctypes, encodings.idna, json, mmap, os, resource, signal, socket, struct, subprocess, threading
import jail
from jail import attempts, kernel, landlock, seccomp
"""
"""What a program has imported before it locks itself."""
PRELUDE = """
W = {world!r}
if "landlock" not in {layers!r}:
    landlock.version = lambda: 0
if "seccomp" not in {layers!r}:
    seccomp.install = lambda program: None
if {mode!r} == "read":
    jail.close_reader([], lambda: None)
elif {mode!r} == "curate":
    jail.close_curator(60, 500)
elif {mode!r} == "complete":
    jail.close_worker([])
elif {mode!r} == "lend readers":
    jail.close_reader_lender([], lambda: None)
elif {mode!r} == "read in a fork":
    jail.close_reader_lender([], lambda: None)
    if os.fork():
        status = os.wait()[1]
        os._exit(os.waitstatus_to_exitcode(status) and 1)
    jail.close_reader([], lambda: None)
"""

ESCAPES: dict[str, str] = {
    "read a page of the wiki": "open(W['page']).read()",
    "read a file of the system": "open('/etc/passwd').read()",
    "list a folder": "os.listdir(W['folder'])",
    "read another program's environment": "open('/proc/%d/environ' % os.getppid(), 'rb').read()",
    "write a file": "open(W['folder'] + '/new', 'w').write('x')",
    "append to a page": "open(W['page'], 'a').write('x')",
    "cut a page off": "os.truncate(W['page'], 0)",
    "delete a page": "os.unlink(W['page'])",
    "rename a page": "os.rename(W['page'], W['page'] + '.old')",
    "make a folder": "os.mkdir(W['folder'] + '/new')",
    "make a link": "os.symlink('/etc/passwd', W['folder'] + '/new')",
    "change a page's mode": "os.chmod(W['page'], 0)",
    "change a page's time": "os.utime(W['page'], (1, 1))",
    "start a program": "os.execv(sys.executable, [sys.executable, '-c', 'print(\"out\")'])",
    "spawn a program": "subprocess.run([sys.executable, '-c', ''], check=True)",
    "start a process": "os.fork() or os._exit(0)",
    "attach to a process": "kernel.call('ptrace', 0x4206, W['victim'], 0, 0)",
    "read a process's memory": (
        "b = ctypes.create_string_buffer(4)\n"
        "here, there = struct.pack('=QQ', ctypes.addressof(b), 4), struct.pack('=QQ', W['address'], 4)\n"
        "kernel.call('process_vm_readv', W['victim'], here, 1, there, 1, 0)\n"
        "assert b.raw == b'\\x7fELF'"
    ),
    "end a process": "os.kill(W['victim'], signal.SIGTERM)",
    "make a program in memory": "os.memfd_create('x')",
    "enter a new namespace": "kernel.call('unshare', 0x10000000)",
    "use io_uring": "kernel.call('io_uring_setup', 1, ctypes.create_string_buffer(120))",
    "raise its own limits": "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))",
    "use the second table of calls": (
        "ctypes.CDLL(None, use_errno=True).syscall(0x40000000 + 39)\nif ctypes.get_errno() == 1: raise PermissionError"
    ),
    "wait for connections": "s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()",
    "connect to a closed port": "socket.create_connection(('127.0.0.1', W['closed']), 2)",
    "connect by multipath TCP": "socket.socket(2, 1, 262).connect(('127.0.0.1', W['closed']))",
    "connect with the first data": "socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', W['closed']))",
    "connect to a local socket": "socket.socket(socket.AF_UNIX).connect(W['socket'])",
    "send a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "take memory without end": "mmap.mmap(-1, 1 << 40, flags=0x4022, prot=0)",
    "open a raw socket": "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "open a kernel socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
}
WORKER_MAY: dict[str, str] = {
    "start a thread": "t = threading.Thread(target=int); t.start(); t.join()",
}
"""What the model worker may do and the others may not."""
OTHERS_MAY: dict[str, str] = {
    "read a module of Python's": "open(os.__file__).read()",
}
"""What reader and worker may do and the built-in curator may not: it has imported all it needs."""

LENDER_MAY = ("start a process", "raise its own limits")
"""What the process may do that forks readers, and sees no source."""

REPORTED = {
    "read a file of the system": "read a file of the system",
    "list a folder": "list the root folder",
    "write a file": "write a file",
    "start a program": "start a program",
    "start a process": "start a process",
    "read a process's memory": "read a process's memory",
    "end a process": "signal another process",
    "make a program in memory": "make a program in memory",
    "enter a new namespace": "enter a new namespace",
    "use io_uring": "use io_uring",
    "change a page's mode": "change a file's mode",
    "connect to a closed port": "connect to a TCP port",
    "connect by multipath TCP": "open a multipath socket",
    "connect with the first data": "connect with the first data",
    "connect to a local socket": "open a local socket",
    "send a datagram": "open a datagram socket",
    "take memory without end": "take memory without end",
    "open a raw socket": "open a raw socket",
    "open a kernel socket": "open a kernel socket",
}
"""Escapes that the sandbox itself tries in a harmless form, and the name under which it reports them."""


@dataclass(frozen=True)
class World:
    """What there is to harm: a wiki page, a process, ports."""

    page: Path
    values: dict[str, Any]
    python: ForkedPython

    def run(self, code: str, mode: Mode | None, layers: tuple[str, ...] = ALL) -> subprocess.CompletedProcess[str]:
        program = IMPORTS + PRELUDE.format(world=self.values, layers=layers, mode=mode) + code
        if not NIGHTLY:
            return self.python.run(program)
        command = [sys.executable, "-I", "-S", "-B", "-c", program]
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)

    def escapes(self, code: str, mode: Mode | None, layers: tuple[str, ...] = ALL) -> bool:
        return self.run(f"{code}\nprint('out', flush=True)", mode, layers).stdout.startswith("out")

    def report(self, mode: Mode, layers: tuple[str, ...]) -> tuple[str, dict[str, bool]]:
        done = self.run("r = attempts.all_tried(); print(json.dumps([attempts.level(r), r]))", mode, layers)
        level, results = json.loads(done.stdout)
        return level, results


@pytest.fixture(scope="module")
def python() -> Iterator[ForkedPython]:
    with ForkedPython(IMPORTS) as python:
        yield python


@pytest.fixture
def world(tmp_path: Path, python: ForkedPython) -> Iterator[World]:
    page = tmp_path / "tea.md"
    page.write_text("Tea is a drink.")
    victim = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    with (
        victim,
        socket.create_server(("127.0.0.1", 0)) as granted,
        socket.create_server(("127.0.0.1", 0)) as closed,
        socket.socket(socket.AF_UNIX) as local,
    ):
        assert victim.stdin is not None and victim.stdout is not None
        victim.stdin.write(b"\n")
        victim.stdout.readline()  # before it runs, its memory is not laid out
        local.bind(str(tmp_path / "s"))
        local.listen()
        values = {
            "page": str(page),
            "folder": str(tmp_path),
            "socket": str(tmp_path / "s"),
            "victim": victim.pid,
            "address": int(Path(f"/proc/{victim.pid}/maps").read_text().partition("-")[0], 16),
            "granted": granted.getsockname()[1],
            "closed": closed.getsockname()[1],
        }
        yield World(page, values, python)
        victim.kill()


@pytest.fixture(scope="module")
def kernel_has_all() -> None:
    """Skip where the kernel lacks a layer: then these escapes are open, and the sandbox says so."""
    proof = client.prove_sandbox("read")
    if sys.platform != "linux" or proof["landlock"] < 6 or proof["sandbox"] != "strong":
        pytest.skip(f"needs Landlock 6 and seccomp; here: {proof['sandbox']}, Landlock {proof['landlock']}")


@pytest.fixture(scope="module", autouse=True)
def only_on_linux() -> None:
    if sys.platform != "linux":
        pytest.skip("Landlock and seccomp are Linux's")


# --- with all layers nothing gets out


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize("escape", [*ESCAPES, *WORKER_MAY])
def test_a_reader_cannot(world: World, escape: str) -> None:
    assert not world.escapes({**ESCAPES, **WORKER_MAY}[escape], "read")
    assert world.page.read_text() == "Tea is a drink."
    assert sorted(path.name for path in world.page.parent.iterdir()) == ["s", "tea.md"]


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize("escape", [*ESCAPES, *WORKER_MAY])
def test_a_reader_that_was_forked_cannot_either(world: World, escape: str) -> None:
    assert not world.escapes({**ESCAPES, **WORKER_MAY}[escape], "read in a fork")
    assert world.page.read_text() == "Tea is a drink."
    assert sorted(path.name for path in world.page.parent.iterdir()) == ["s", "tea.md"]


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize("escape", [each for each in ESCAPES if each not in LENDER_MAY])
def test_what_forks_readers_cannot(world: World, escape: str) -> None:
    assert not world.escapes(ESCAPES[escape], "lend readers")
    assert world.page.read_text() == "Tea is a drink."
    assert sorted(path.name for path in world.page.parent.iterdir()) == ["s", "tea.md"]


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize("right", OTHERS_MAY)
def test_a_reader_that_was_forked_reads_pythons_own_files(world: World, right: str) -> None:
    assert world.escapes(OTHERS_MAY[right], "read in a fork")


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize("escape", [*ESCAPES, *WORKER_MAY, *OTHERS_MAY])
def test_the_built_in_curator_cannot(world: World, escape: str) -> None:
    assert not world.escapes({**ESCAPES, **WORKER_MAY, **OTHERS_MAY}[escape], "curate")
    assert world.page.read_text() == "Tea is a drink."
    assert sorted(path.name for path in world.page.parent.iterdir()) == ["s", "tea.md"]


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize("escape", ESCAPES)
def test_a_model_worker_cannot(world: World, escape: str) -> None:
    assert not world.escapes(ESCAPES[escape], "complete")
    assert world.page.read_text() == "Tea is a drink."
    assert sorted(path.name for path in world.page.parent.iterdir()) == ["s", "tea.md"]


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize("right", WORKER_MAY)
def test_a_model_worker_can(world: World, right: str) -> None:
    assert world.escapes(WORKER_MAY[right], "complete")


@pytest.mark.parametrize("escape", [*ESCAPES, *WORKER_MAY])
def test_without_a_jail_the_escape_is_one(world: World, escape: str) -> None:
    code = {**ESCAPES, **WORKER_MAY}[escape]

    done = world.run(f"{code}\nprint('out', flush=True)", mode=None)

    if not done.stdout.startswith("out"):
        pytest.skip(f"not possible here even without a jail: {done.stderr.strip().splitlines()[-1:]}")


# --- what is left when the kernel lacks something


@pytest.mark.parametrize(("layers", "mode"), JAILS, ids=lambda part: part if isinstance(part, str) else "+".join(part))
def test_the_report_equals_reality(world: World, mode: Mode, layers: tuple[str, ...]) -> None:
    _, reported = world.report(mode, layers)

    for escape, name in REPORTED.items():
        if _is_possible(world, escape):
            assert world.escapes(ESCAPES[escape], mode, layers) == reported[name], escape
            _revive(world)


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize(
    ("mode", "layers", "level"),
    [
        ("read", ALL, "strong"),
        ("read", ("seccomp",), "strong"),
        ("read", ("landlock",), "medium"),
        ("read", NO_LAYERS, "weak"),
        ("read in a fork", ALL, "strong"),
        ("read in a fork", ("seccomp",), "strong"),
        ("read in a fork", ("landlock",), "medium"),
        ("read in a fork", NO_LAYERS, "weak"),
        ("curate", ALL, "strong"),
        ("curate", ("seccomp",), "strong"),
        ("curate", ("landlock",), "medium"),
        ("curate", NO_LAYERS, "weak"),
        ("complete", ALL, "strong"),
        ("complete", ("seccomp",), "weak"),
        ("complete", ("landlock",), "medium"),
        ("complete", NO_LAYERS, "weak"),
    ],
)
def test_the_level_says_what_the_layers_come_to(world: World, mode: Mode, layers: tuple[str, ...], level: str) -> None:
    assert world.report(mode, layers)[0] == level


_possible: dict[str, bool] = {}


def _is_possible(world: World, escape: str) -> bool:
    """True for an escape that this machine does not prevent anyway; asked once for all tests."""
    if escape not in _possible:
        _possible[escape] = world.escapes(ESCAPES[escape], None)
        _revive(world)
    return _possible[escape]


def _revive(world: World) -> None:
    """Undo what an escape without a jail has done."""
    world.page.parent.joinpath("new").unlink(missing_ok=True)
    world.page.chmod(0o644)


# --- bombs


@pytest.mark.usefixtures("kernel_has_all")
def test_memory_is_bounded(world: World) -> None:
    assert "MemoryError" in world.run("x = bytearray(800 << 20)", "read").stderr


@pytest.mark.usefixtures("kernel_has_all")
def test_nothing_can_be_written_to_a_file_that_is_open_already(world: World, tmp_path: Path) -> None:
    with (tmp_path / "output").open("wb") as output:
        command = [sys.executable, "-I", "-B", str(SANDBOX), "prove", "read"]

        subprocess.run(command, stdout=output, stderr=subprocess.DEVNULL, check=False)

    assert (tmp_path / "output").read_bytes() == b""


@pytest.mark.usefixtures("kernel_has_all")
def test_a_reader_without_landlock_has_all_it_needs_in_memory(world: World) -> None:
    source = "Чай является напитком, получаемым варкой листа чайного куста.\n" * 9
    world.page.write_bytes(source.encode("cp1251"))
    packages = packages_of("charset_normalizer")[1].split(os.pathsep)
    code = (
        f"sys.path.extend({packages!r}); landlock.version = lambda: 0; import read\n"
        "os.dup2(os.open(W['page'], os.O_RDONLY), 0)\n"
        "sys.exit(read.main('text', 'tea.md', 10_000, []))"
    )

    done = world.run(code, mode=None)

    answer = json.loads(done.stdout)
    assert (answer["sandbox"], answer["lines"][0][1]) == ("strong", source.split("\n")[0])


# --- the proof that people see


@pytest.mark.usefixtures("kernel_has_all")
@pytest.mark.parametrize("mode", ["read", "curate", "complete"])
def test_the_proof_names_every_attempt_and_its_outcome(mode: Proven) -> None:
    proof = client.prove_sandbox(mode)

    assert proof["sandbox"] == "strong"
    assert set(proof["attempts"].values()) == {"blocked"}
    assert set(REPORTED.values()) <= set(proof["attempts"])
