"""What the registry and a source's name and head say of its weight."""

from __future__ import annotations

import pytest

from curator.wiki.sources.authority import SourceWeight, SourceWeights, incoming, independent, looked_at
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from support.pages import page, source

REPORT, SCAN = "sources/2024/report.md", "sources/2024/report.pdf"
TALE = "sources/tale.txt"
KNOWN = SourceWeights(
    SourceManifest(
        {
            REPORT: Record("aa", (), authority="primary", captured_at="2026-02-03T10:00:00Z"),
            SCAN: Record("bb", (), captured_at="2026-02-03T10:00:00Z"),
            TALE: Record("aa", (), authority="rumour", superseded_by="report"),
            "sources/2025/report.md": Record("cc", (), authority="rumour"),
            "sources/2020-05-06-old.md": Record("dd", (), captured_at="2026-02-03T10:00:00Z"),
        }
    )
)


def test_a_record_says_what_a_source_weighs() -> None:
    work = "sources/2024/report"
    assert KNOWN.at(REPORT) == SourceWeight("primary", "2026-02-03", False, "sha256:aa", work, REPORT, is_guess=True)
    assert KNOWN.at(SCAN).authority == "secondary"
    assert SourceWeights(KNOWN.manifest, "rumour").at(SCAN).authority == "rumour"
    assert KNOWN.at(TALE).superseded


def test_a_source_that_is_not_in_counts_by_the_wiki_s_default() -> None:
    path = "sources/2019-01-02-x.md"
    assert KNOWN.at(path) == SourceWeight("secondary", "2019-01-02", False, path, "sources/2019-01-02-x", path)


@pytest.mark.parametrize(
    ("path", "text", "day"),
    [
        ("sources/2020-05-06-old.md", None, "2020-05-06"),
        (REPORT, "Title: Report\nDate: 2023-12-24\n", "2023-12-24"),
        (REPORT, "No day here.", "2026-02-03"),
        ("sources/2025/report.md", "", ""),
    ],
)
def test_a_source_is_as_old_as_its_name_or_its_head_says(path: str, text: str | None, day: str) -> None:
    found = looked_at(KNOWN.at(path), lambda _: text)

    assert (found.day, found.is_guess) == (day, False)


def test_the_same_bytes_and_the_same_work_in_two_formats_are_one_source() -> None:
    assert independent([KNOWN.at(REPORT), KNOWN.at(SCAN)]) == 1
    assert independent([KNOWN.at(REPORT), KNOWN.at("sources/2025/report.md")]) == 2
    assert independent([KNOWN.at(REPORT), KNOWN.at(TALE)]) == 1  # which was superseded
    assert independent([KNOWN.at(SCAN), KNOWN.at("sources/2025/report.md"), KNOWN.at("sources/x.md")]) == 3


def test_a_page_of_the_other_dialect_names_sources_by_their_ids() -> None:
    found = KNOWN.of(page("tea", schema="knowledge.entry/v1", sources=["2020-05-06-old", "gone", "report"]))

    assert [standing.work for standing in found] == ["sources/2020-05-06-old", "gone", "sources/2025/report"]
    assert found[2].authority == "rumour"  # of several without ids the one that came first is meant


def test_the_source_that_is_taken_in_stands_for_itself() -> None:
    taken = source("Date: 2026-03-04\n", REPORT, "rumour")
    tea = page("tea", sources=[REPORT, SCAN])

    assert KNOWN.of(tea, taken) == [incoming(taken), KNOWN.at(SCAN)]
    assert incoming(taken) == SourceWeight("rumour", "2026-03-04", False, "sha256:00", "sources/2024/report", REPORT)


def test_a_source_takes_the_place_of_others() -> None:
    after = KNOWN.superseding([SCAN, "sources/none.md"], source("x", "sources/new.md"))

    assert after.at(SCAN).superseded
    assert after.manifest.sources[SCAN].superseded_by == "new"
    assert not KNOWN.at(SCAN).superseded
