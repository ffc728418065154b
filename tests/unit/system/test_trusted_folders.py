"""The list of folders whose settings count."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.system.trusted_folders import is_trusted, trust


@pytest.mark.parametrize("before", [b"", b"0 /elsewhere\n", b"0 /elsewhere", b"\xff\xfe"])
def test_a_folder_is_on_a_line_of_its_own(tmp_path: Path, before: bytes) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path)}
    (tmp_path / "curator").mkdir()
    list_of_them = tmp_path / "curator" / "trusted"
    list_of_them.write_bytes(before)

    trust(tmp_path, environment)

    assert is_trusted(tmp_path, environment)
    assert list_of_them.read_bytes().startswith(before)
