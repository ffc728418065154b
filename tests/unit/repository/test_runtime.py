"""The runtime folder: the spool, saved answers, and sources that wait."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import threading
from pathlib import Path

import pytest

from curator.errors import CuratorError, SourceError, WikiError
from curator.repository.runtime.runtime import Parked, Runtime, file_stamp

MOST = 1000


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return Runtime(tmp_path / "curator")


def refusal(runtime: Runtime, path: Path, most: int = MOST) -> CuratorError:
    with pytest.raises(SourceError) as caught:
        runtime.spool(path, "sha256", most)
    assert caught.value.hint
    assert list((runtime.folder / "spool").iterdir()) == []
    return caught.value


@pytest.mark.parametrize("algorithm", ["sha256", "sha512"])
def test_a_file_is_copied_while_it_is_hashed(runtime: Runtime, tmp_path: Path, algorithm: str) -> None:
    file = tmp_path / "tea.txt"
    file.write_bytes(b"Tea is a drink.")

    spooled = runtime.spool(file, algorithm, MOST)
    file.write_bytes(b"changed meanwhile")

    assert spooled.open().read() == b"Tea is a drink."
    assert spooled.digest == f"{algorithm}:{hashlib.new(algorithm, b'Tea is a drink.').hexdigest()}"
    assert spooled.size == 15
    runtime.drop_spool(spooled)
    assert list((runtime.folder / "spool").iterdir()) == []


def test_the_oldest_texts_go_where_they_are_too_many(runtime: Runtime) -> None:
    runtime.texts.prune()
    for number in range(3):
        runtime.texts.put(f"sha256:{number}", "pdf", {"lines": []})
        os.utime(runtime.texts.folder / f"sha256-{number}.pdf.z", (number, number))
    size = (runtime.texts.folder / "sha256-0.pdf.z").stat().st_size

    runtime.texts.prune(2 * size)

    assert [file.name for file in runtime.texts.files()] == ["sha256-1.pdf.z", "sha256-2.pdf.z"]


def test_a_file_with_two_names_and_one_below_a_mount_are_read_and_said(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki = tmp_path / "wiki"
    file = wiki / "sources" / "mail" / "tea.txt"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"Tea is a drink.")
    assert runtime.spool(file, "sha256", MOST, wiki).place == ""

    os.link(file, tmp_path / "other.txt")
    assert "2 names on its disk (hard links)" in runtime.spool(file, "sha256", MOST, wiki).place
    assert runtime.spool(file, "sha256", MOST).place == ""
    (tmp_path / "other.txt").unlink()

    mounts = tmp_path / "mountinfo"
    monkeypatch.setattr("curator.system.mounts.MOUNTINFO", mounts)
    mounts.write_text(f"1 0 0:1 / {wiki} rw - ext4 a rw\n")
    assert runtime.spool(file, "sha256", MOST, wiki).place == ""
    mounts.write_text(f"1 0 0:1 / / rw - ext4 a rw\n2 1 0:2 / {file.parent} rw - ext4 b rw\n")
    assert runtime.spool(file, "sha256", MOST, wiki).place == (
        "it is on another file system than the wiki, mounted below it"
    )


def test_another_process_with_the_same_bytes_has_a_copy_of_its_own(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tea.txt"
    file.write_bytes(b"Tea is a drink.")
    ours = runtime.spool(file, "sha256", MOST)
    monkeypatch.setattr(os, "getpid", lambda: 1)

    theirs = runtime.spool(file, "sha256", MOST)
    runtime.drop_spool(theirs)

    assert ours.open().read() == b"Tea is a drink."


def test_another_thread_with_the_same_bytes_has_a_copy_of_its_own(runtime: Runtime, tmp_path: Path) -> None:
    file = tmp_path / "tea.txt"
    file.write_bytes(b"Tea is a drink.")
    ours = runtime.spool(file, "sha256", MOST)

    thread = threading.Thread(target=lambda: runtime.drop_spool(runtime.spool(file, "sha256", MOST)))
    thread.start()
    thread.join()

    assert ours.open().read() == b"Tea is a drink."


@pytest.mark.parametrize("algorithm", ["md5", "shake_128", ""])
def test_an_unknown_hash_is_the_wikis_fault(runtime: Runtime, tmp_path: Path, algorithm: str) -> None:
    with pytest.raises(WikiError, match="hashAlgo"):
        runtime.spool(tmp_path / "tea.txt", algorithm, MOST)


def test_a_missing_file_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    assert refusal(runtime, tmp_path / "gone.md").message == "there is no such file"


def test_an_empty_file_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "empty.md").touch()

    assert refusal(runtime, tmp_path / "empty.md").code == "source_empty"


def test_a_huge_file_is_refused_unread(runtime: Runtime, tmp_path: Path) -> None:
    file = tmp_path / "huge.txt"
    with file.open("wb") as stream:
        stream.truncate(1 << 40)

    assert refusal(runtime, file).message == "it has 1,099,511,627,776 bytes; at most 1,000 are read"


@pytest.mark.skipif(not Path("/proc/kallsyms").is_file(), reason="needs a file that does not tell its size")
def test_a_file_that_has_more_bytes_than_it_says_is_refused(runtime: Runtime) -> None:
    assert Path("/proc/kallsyms").stat().st_size == 0

    assert refusal(runtime, Path("/proc/kallsyms")).code == "source_too_large"


def test_what_is_no_plain_file_is_refused_and_never_waited_for(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text("Tea")
    (tmp_path / "link").symlink_to("tea.txt")
    (tmp_path / "dangling").symlink_to("nowhere")
    os.mkfifo(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))

    said = {
        path.name: refusal(runtime, path).message
        for path in (*map(tmp_path.joinpath, ("link", "dangling", "fifo", "socket")), tmp_path, Path("/dev/zero"))
    }

    assert said == {
        "link": "it is a symbolic link, which is not followed",
        "dangling": "it is a symbolic link, which is not followed",
        "fifo": "it is a FIFO",
        "socket": "it is a socket",
        tmp_path.name: "it is a folder",
        "zero": "it is a device",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_the_right_to_read_it_is_refused(runtime: Runtime, tmp_path: Path) -> None:
    file = tmp_path / "secret.md"
    file.write_text("Tea")
    file.chmod(0)

    assert refusal(runtime, file).message == "it cannot be read: Permission denied"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("x" * 5000 + ".md", "File name too long"),
        ("tea.txt/inside.md", "Not a directory"),
        ("loop/tea.md", "Too many levels of symbolic links"),
    ],
)
def test_a_path_that_cannot_be_opened_is_refused(runtime: Runtime, tmp_path: Path, path: str, reason: str) -> None:
    (tmp_path / "tea.txt").write_text("Tea")
    (tmp_path / "loop").symlink_to("loop")

    assert refusal(runtime, tmp_path / path).message == f"it cannot be read: {reason}"


def test_an_answer_is_kept_and_found_again(runtime: Runtime) -> None:
    reply = {"text": "Tee ist ein Getränk, und das ist ein halbes Zeichen: \ud800"}

    runtime.replies.keep("key", reply)

    assert runtime.replies.get("key") == reply
    assert runtime.replies.get("other") is None


@pytest.mark.parametrize("content", ["", "[]", "{", '{"text": "half'])
def test_half_an_answer_is_none(runtime: Runtime, content: str) -> None:
    runtime.replies.keep("key", {})
    (runtime.folder / "replies" / "key.json").write_text(content)

    assert runtime.replies.get("key") is None


def parked(source: str, at: str = "2026-05-01T12:00:00Z") -> Parked:
    return Parked(source, "sha256:0", "code", "reason", "next", at, ({"code": "x", "message": "y"},), "1-2")


@pytest.mark.parametrize("source", ["sources/tea.md", "sources/té a.md", "sources/\udcff\n.md"])
def test_a_source_that_waits_is_remembered_until_it_does_not(runtime: Runtime, source: str) -> None:
    runtime.park(parked(source))
    runtime.park(parked(source, at="2026-05-02T12:00:00Z"))

    assert list(runtime.parked()) == [parked(source, at="2026-05-02T12:00:00Z")]
    runtime.unpark(source)
    runtime.unpark(source)
    assert list(runtime.parked()) == []


def test_what_waits_longest_comes_first_and_broken_notes_are_passed_over(runtime: Runtime) -> None:
    runtime.park(parked("sources/b.md", at="2026-05-02"))
    runtime.park(parked("sources/c.md", at="2026-05-01"))
    runtime.park(parked("sources/a.md", at="2026-05-02"))
    for number, content in enumerate(["", "[]", "null", '{"source": 1}', "{"]):
        (runtime.folder / "parked" / f"{number}.json").write_text(content)

    assert [item.source for item in runtime.parked()] == ["sources/c.md", "sources/a.md", "sources/b.md"]


def test_a_note_of_an_earlier_version_has_no_stamp(runtime: Runtime) -> None:
    (runtime.folder / "parked").mkdir(parents=True)
    note = '{"source": "s", "digest": "d", "code": "c", "reason": "r", "next": "n", "at": "a", "findings": []}'
    (runtime.folder / "parked" / "old.json").write_text(note)

    assert [item.stamp for item in runtime.parked()] == [""]


def test_a_stamp_changes_with_the_file(tmp_path: Path) -> None:
    file = tmp_path / "tea.md"

    stamps = [file_stamp(file)]
    for text in ("Tea", "Tea is a drink"):
        file.write_text(text)
        stamps.append(file_stamp(file))

    assert stamps[0] == ""
    assert len(set(stamps)) == 3


def test_one_curator_writes_at_a_time_and_the_lock_dies_with_its_process(runtime: Runtime) -> None:
    hold = (
        "import fcntl,sys,time; f=open(sys.argv[1],'a'); fcntl.flock(f, 2); print('held', flush=True); time.sleep(60)"
    )
    runtime.folder.mkdir()
    lock = str(runtime.folder / "lock")
    with subprocess.Popen(["python3", "-c", hold, lock], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()

        with pytest.raises(CuratorError) as caught, runtime.lock(seconds=0.1):
            pass
        other.kill()
        other.wait()

        assert caught.value.code == "busy"
        with runtime.lock(seconds=5):
            pass
