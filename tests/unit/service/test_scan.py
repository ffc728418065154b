"""What lies in sources/ is found whatever it is, and handed on when it holds still."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.service.watching import open_writers
from curator.service.watching import scan as scanning
from curator.service.watching.open_writers import has_writer
from curator.service.watching.scan import MAX_DEPTH, SeenFile, Settling, scan
from curator.system.filenames import TEMPORARY, check_name
from support.waiting import PATIENCE

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="leases are Linux's")


def problems(root: Path) -> dict[str, str]:
    return {seen.path: seen.problem for seen in scan(root)}


# -- looking ------------------------------------------------------------------------------------------------------


def test_every_file_is_found_and_what_can_be_no_source_says_why(tmp_path: Path) -> None:
    sources = tmp_path / "sources"
    (sources / "deep" / "deeper").mkdir(parents=True)
    (sources / "a.txt").write_text("a")
    (sources / "deep" / "deeper" / "b.md").write_text("b")
    (sources / "empty.txt").touch()
    for name in (
        ".hidden",
        "c.txt.part",
        "d.md~",
        "~$e.md",
        "#f.txt#",
        ".DS_Store",
        "syncthing.txt",
        "g.txt.crdownload",
    ):
        (sources / name).write_text("x")
    (sources / "link.txt").symlink_to(sources / "a.txt")
    (sources / "linked").symlink_to(sources / "deep")
    os.mkfifo(sources / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(sources / "door"))
    os.link(sources / "a.txt", sources / "same.txt")

    assert problems(tmp_path) == {
        "sources/a.txt": "",
        "sources/same.txt": "",
        "sources/deep/deeper/b.md": "",
        "sources/link.txt": "it is a symbolic link, which is not followed",
        "sources/linked": "it is a symbolic link, which is not followed",
        "sources/pipe.txt": "it is a FIFO",
        "sources/door": "it is a socket",
    }


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        (b"\xff.txt", "characters"),
        (b"line\nbreak.txt", "characters"),
        (b"\x1b[31mred.txt", "characters"),
        ("\u202etxt.exe.md".encode(), "characters"),
        (b"x" * 190 + b".txt", "longer than 200 bytes"),
        ("ä".encode() * 100 + b".txt", "longer than 200 bytes"),
        (b"what?.txt", "? *"),
        (b"git~1", "git keeps"),
    ],
)
@pytest.mark.parametrize("is_folder", [False, True])
def test_a_bad_name_is_told_of_a_file_and_of_what_is_in_a_folder(
    tmp_path: Path, name: bytes, problem: str, is_folder: bool
) -> None:
    (tmp_path / "sources").mkdir()
    file = Path(os.fsdecode(os.fsencode(tmp_path / "sources") + b"/" + name))
    if is_folder:
        file.mkdir()
        file /= "a.txt"
    file.write_text("x")

    ((path, said),) = problems(tmp_path).items()

    assert problem in said
    assert tmp_path / path == file


def test_folders_too_deep_are_told_where_they_begin(tmp_path: Path) -> None:
    deepest = tmp_path.joinpath("sources", *map(str, range(MAX_DEPTH + 3)))
    deepest.mkdir(parents=True)
    (deepest / "a.txt").write_text("a")
    (deepest.parents[2] / "b.txt").write_text("b")

    found = problems(tmp_path)

    assert sorted(found.values()) == ["", f"it is more than {MAX_DEPTH} folders deep"]
    assert {path.count("/") for path in found} == {MAX_DEPTH + 1}


def test_more_than_can_be_looked_at_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MAX_ENTRIES", 10)
    for number in range(8):
        folder = tmp_path / "sources" / str(number % 2)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_text("x")
    assert len(problems(tmp_path)) == 8

    (tmp_path / "sources" / "0" / "one more.txt").write_text("x")

    found = problems(tmp_path)
    assert found.pop("sources") == "it has more than 10 entries, of which the rest is not looked at"
    assert set(found.values()) == {""}


@contextmanager
def somebody_else() -> Iterator[None]:
    """Root may read everything."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_that_may_not_be_read_is_told() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        (root / "sources" / "closed").mkdir(parents=True)
        (root / "sources" / "a.txt").write_text("a")
        (root / "sources" / "closed").chmod(0)
        with somebody_else():
            found = problems(root)
        (root / "sources" / "closed").chmod(0o755)

    assert found == {"sources/a.txt": "", "sources/closed": "the folder cannot be read: Permission denied"}


def test_no_folder_is_no_file(tmp_path: Path) -> None:
    assert list(scan(tmp_path)) == []


def test_sources_itself_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.txt").write_text("a")
    (tmp_path / "sources").symlink_to("elsewhere")
    assert problems(tmp_path) == {"sources": "it is a symbolic link, which is not followed"}

    (tmp_path / "sources").unlink()
    (tmp_path / "sources").write_text("x")
    assert problems(tmp_path) == {"sources": "it is no folder"}


def test_the_stamp_changes_with_the_file_only(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    file = tmp_path / "sources" / "a.txt"

    def stamp() -> str:
        return next(scan(tmp_path)).stamp

    file.write_text("a")
    os.utime(file, (5, 5))
    first = stamp()
    assert stamp() == first

    file.write_text("b")
    os.utime(file, (5, 5))
    assert stamp() != first


NAMES = st.text(st.sampled_from("aZ09 _.,()+-~#$!?:\u202e\xe9\n") | st.characters(), min_size=1, max_size=12)
ENDS = st.sampled_from(["", ".txt", ".md", ".TXT", ".tmp", ".part", ".html", ".swp", "~"])


@given(st.builds("{}{}{}".format, st.sampled_from(["", "syncthing.", "desktop", "git~1", "con", "lpt1."]), NAMES, ENDS))
def test_a_common_name_is_neither_temporary_nor_bad(name: str) -> None:
    for pattern in (scanning._COMMON, scanning._PLAIN):
        if pattern.fullmatch(name) is not None:
            assert pattern is scanning._PLAIN or not TEMPORARY.search(name)
            if not TEMPORARY.search(name):
                check_name(f"sources/{name}")


# -- holding still ------------------------------------------------------------------------------------------------


def test_a_file_is_settled_when_it_held_still_over_two_looks_and_two_seconds() -> None:
    settling, a, b = Settling(), SeenFile("a", "1", 10, 5.0), SeenFile("b", "1", 10, 4.0)

    scans = [
        settling.update([a, b], 0.0),
        settling.update([a, b], 1.0),
        settling.update([a, SeenFile("b", "2", 11, 4.0)], 2.0),
        settling.update([a, SeenFile("b", "2", 11, 4.0)], 4.0),
    ]

    assert [[seen.path for seen in look] for look in scans] == [[], [], ["a"], ["b", "a"]]


def test_a_big_file_is_given_more_time() -> None:
    settling, big = Settling(), SeenFile("a", "1", 50_000_000)

    assert [settling.update([big], now) != [] for now in (0.0, 3.0, 9.0, 10.0)] == [False, False, False, True]


def test_a_network_is_given_more_looks_and_more_time() -> None:
    settling, file = Settling(calm=10, scans=3), SeenFile("a", "1", 10)

    assert settling.update([file], 0.0) == [] and settling.pause(0.0) == 5.0
    assert settling.update([file], 9.0) == [] and settling.pause(9.0) == 1.0
    assert settling.update([file], 10.0) == [file] and settling.pause(10.0) is None
    settling = Settling(calm=10, scans=3)
    assert [settling.update([file], now) != [] for now in (0.0, 20.0, 40.0)] == [False, False, True]


def test_who_waits_says_for_how_long() -> None:
    settling = Settling()
    assert (settling.pause(0.0), settling.waiting(0.0)) == (None, False)

    settling.update([SeenFile("a", "1", 10)], 0.0)
    assert (settling.pause(0.5), settling.pause(9.0), settling.waiting(9.0)) == (1.5, 0.0, True)
    settling.update([SeenFile("a", "1", 10)], 9.0)
    assert not settling.waiting(9.0)


def test_a_file_that_is_open_is_put_off_but_not_for_ever() -> None:
    settling, file = Settling(), SeenFile("a", "1", 10)
    settling.update([file], 0.0)

    def is_taken(now: float) -> bool:
        return settling.update([file], now) == [file] and not settling.postpone("a", now)

    assert next(now for now in range(2, 2000, 2) if is_taken(now)) == 602
    assert settling.update([SeenFile("a", "2", 11)], 2001.0) == []
    settling.update([SeenFile("a", "2", 11)], 2003.0)
    assert settling.postpone("a", 2003.0)


# -- somebody still writes ----------------------------------------------------------------------------------------

HOLDS = """
import sys
file = open(sys.argv[1], sys.argv[2])
print("open", flush=True)
sys.stdin.readline()
"""


@contextmanager
def holding(file: Path, mode: str) -> Iterator[None]:
    """Another process has the file open, and does nothing."""
    command = [sys.executable, "-c", HOLDS, str(file), mode]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield
        process.communicate("end\n")


@LINUX
def test_a_file_that_another_process_writes_is_known(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a")

    assert not has_writer(file)
    with holding(file, "a"):
        assert has_writer(file)
    with holding(file, "r"):
        assert not has_writer(file)
    with file.open("a"):
        assert has_writer(file)
    assert not has_writer(file)


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")

    assert not any(has_writer(tmp_path / name) for name in ("pipe", "link", "nothing"))


def test_a_network_file_system_is_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses leases although nobody writes."""
    monkeypatch.setattr(open_writers, "mount_of", lambda folder: SimpleNamespace(risk="a network file system (nfs4)"))
    (tmp_path / "a.txt").write_text("a")
    with (tmp_path / "a.txt").open("a"):
        assert not has_writer(tmp_path / "a.txt")


KEEPS_ITS_LEASE = """
import fcntl, sys
from pathlib import Path
from curator.service.watching import open_writers

def slow(descriptor, operation, argument):
    if operation == fcntl.F_SETSIG and sys.argv[2] == "careless":
        return 0
    if operation == fcntl.F_SETLEASE and argument == fcntl.F_UNLCK:
        print("held", flush=True)
        sys.stdin.readline()
    return fcntl.fcntl(descriptor, operation, argument)

class Slow:
    def __getattr__(self, name):
        return slow if name == "fcntl" else getattr(fcntl, name)

open_writers.fcntl = Slow()
assert not open_writers.has_writer(Path(sys.argv[1]))
"""


@LINUX
@pytest.mark.parametrize(("how", "ends"), [("careful", True), ("careless", False)])
def test_who_opens_the_file_while_we_ask_does_not_kill_us(tmp_path: Path, how: str, ends: bool) -> None:
    """Without our care the process dies of SIGIO, which shows that the care is needed."""
    file = tmp_path / "a.txt"
    file.write_text("a")
    command = [sys.executable, "-c", KEEPS_ITS_LEASE, str(file), how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "held\n":
            pytest.skip("this file system has no leases")
        with pytest.raises(BlockingIOError):
            os.open(file, os.O_WRONLY | os.O_NONBLOCK)
        process.communicate("go on\n")

        assert (process.returncode == 0) is ends
    with file.open("a") as again:
        again.write("b")


@LINUX
def test_a_writer_in_a_hurry_and_we_get_along(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a")
    script = "import sys\nwhile True:\n    open(sys.argv[1], 'a').write('a')"
    with subprocess.Popen([sys.executable, "-c", script, str(file)]) as process:
        end, answers = time.monotonic() + PATIENCE, {False}
        while len(answers) < 2 and time.monotonic() < end:
            answers.add(has_writer(file))
        answers |= {has_writer(file) for _ in range(5000)}
        assert (answers, process.poll()) == ({False, True}, None)
        process.kill()
