"""A scan through the whole flow: read by OCR in the jail, cited by page, and waiting for a look where that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.errors import SourceError
from curator.models.sandbox import client, ocr
from support.pdf_files import paragraph
from support.scans import picture_of, scan_of
from support.standard import curate, root

__all__ = ["root"]

pytestmark = pytest.mark.skipif(ocr.models() is None, reason="the extra ocr is not installed")
WORDS = ["Oolong is a tea that is partly oxidised.", "Oolong is grown in Fujian and on Taiwan."]


@pytest.fixture
def scan(root: Path) -> Path:
    file = root / "sources" / "oolong.pdf"
    file.write_bytes(scan_of(picture_of(paragraph(WORDS, 72, 700, 16))))
    return file


def test_a_scan_is_cited_by_page_and_waits_for_a_look_when_flagged(root: Path, scan: Path) -> None:
    (held,) = curate(root, "ingest", scan, CURATOR_REVIEW="flagged")["results"]

    assert held["code"] == "review_needed", held
    assert [(each["code"], each["path"]) for each in held["findings"]] == [("source_recognised", "sources/oolong.pdf")]

    assert curate(root, "review", "approve", "sources/oolong.pdf").status == 0
    written = "".join(file.read_text("utf-8") for file in root.glob("*/*.md"))
    assert 'sources/oolong.pdf#p1 "Oolong is grown in Fujian and on Taiwan' in written
    assert "read by OCR: page 1" in (root / "_log.md").read_text("utf-8")


def test_without_the_extra_the_refusal_says_how_to_get_it(scan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "models", lambda: None)

    with scan.open("rb") as file, pytest.raises(SourceError) as refused:
        client.read_source(file, format="pdf", name="oolong.pdf", max_chars=1_000)

    assert refused.value.code == "source_is_scan" and "pip install 'curate-wiki[ocr]'" in refused.value.hint
