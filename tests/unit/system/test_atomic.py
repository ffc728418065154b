"""Files that are replaced whole, whoever else writes them at the same moment."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from curator.system import atomic


def test_threads_that_write_one_file_do_not_meet(tmp_path: Path) -> None:
    file, faults = tmp_path / "state.json", []
    texts = [bytes([ord("a") + number]) * 50_000 for number in range(8)]
    start = threading.Barrier(len(texts))

    def write(text: bytes) -> None:
        try:
            start.wait()
            for _ in range(20):
                atomic.write(file, text)
                assert file.read_bytes() in texts
        except (OSError, AssertionError) as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert faults == []
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError])
def test_a_write_that_is_broken_off_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: type[BaseException]
) -> None:
    file = tmp_path / "state.json"
    atomic.write(file, b"old")

    def broken_off(_: int) -> None:
        raise fault

    monkeypatch.setattr(os, "fsync", broken_off)
    with pytest.raises(fault):
        atomic.write(file, b"new")

    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {"state.json": b"old"}
