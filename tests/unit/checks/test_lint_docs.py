"""docs/lint.md tells of every code there is."""

from __future__ import annotations

import re
from pathlib import Path

import curator
from support.places import DOCS

LINT = Path(curator.__file__).parent / "checks" / "lint"
PAGE = DOCS / "lint.md"


def test_every_code_is_told_of() -> None:
    text = "".join(file.read_text("utf-8") for file in LINT.rglob("*.py"))
    codes = set(re.findall(r"Finding\(\s*\"([a-z_]+)\"", text)) | {"wiki_schema_drift"}

    assert len(codes) > 25
    assert not {code for code in codes if f"`{code}`" not in PAGE.read_text("utf-8")}
