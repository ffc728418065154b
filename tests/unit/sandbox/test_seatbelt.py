"""The profile for the sandbox of macOS: its text, and how it is given, on a system that only looks like one."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jail import seatbelt


def test_all_is_denied_but_reading_beneath_the_folders(tmp_path: Path) -> None:
    odd = tmp_path / 'a "b" \\ c'
    (tmp_path / "link").symlink_to(odd)
    real = os.path.realpath(tmp_path)

    assert seatbelt.profile([str(odd), str(tmp_path / "link"), str(tmp_path / "lib")]).split("\n") == [
        "(version 1)",
        "(deny default)",
        "(allow file-read-metadata)",
        "(allow sysctl-read)",
        f'(allow file-read* (subpath "{real}/a \\"b\\" \\\\ c") (subpath "{real}/lib"))',
    ]


def test_without_folders_nothing_is_read() -> None:
    assert "file-read*" not in seatbelt.profile([])


@pytest.mark.parametrize(("refused", "closed"), [(0, True), (-1, False)])
def test_the_process_gives_itself_the_profile(monkeypatch: pytest.MonkeyPatch, refused: int, closed: bool) -> None:
    given: list[Any] = []

    def sandbox_init(*arguments: Any) -> int:
        given.extend(arguments[:2])
        return refused

    library = SimpleNamespace(sandbox_init=sandbox_init)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", lambda name: library)

    assert seatbelt.restrict(["/"]) is closed
    assert given == [seatbelt.profile(["/"]).encode(), 0]


def test_other_systems_have_none() -> None:
    if sys.platform != "darwin":
        assert not seatbelt.restrict(["/"])
