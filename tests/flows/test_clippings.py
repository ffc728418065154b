"""What web clippers save comes in as it is, with its address and its day."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.cli.commands import ask, fetch, ingest
from curator.cli.commands.ask import AskRequest
from curator.cli.commands.fetch import FetchOptions
from curator.ingest.web.fetching import Fetcher
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki.sources.record import Record

WORDS = "Oolong is a tea that is partly oxidised before it is fired."
ADDRESS = "https://tea.example/oolong?a=1&b=2"
OBSIDIAN = f"""---
title: "On oolong"
source: "{ADDRESS}"
author:
  - "[[Ann Lee]]"
published: 2026-10-30
created: 2026-11-02
description: "All of it"
tags:
  - "clippings"
---
# On oolong

{WORDS}
"""
MARKDOWNLOAD = f"""---
created: 2026-11-02T10:11:12 (UTC +01:00)
tags: []
source: {ADDRESS}
author: Ann Lee
---

# On oolong

> ## Excerpt
> A tea.

---
{WORDS}
"""
SINGLE_FILE = f"""<!DOCTYPE html> <html lang=en><!--
 Page saved with SingleFile
 url: {ADDRESS}
 saved date: Mon Nov 02 2026 10:11:12 GMT+0100 (Central European Standard Time)
--><meta charset=utf-8><title>On oolong</title><link rel=canonical href=https://tea.example/oolong>
<!-- Page saved with SingleFile url: https://evil.example/ -->
<h1>On oolong</h1><p>{WORDS}"""
BROWSER = f"""<!DOCTYPE html>
<!-- saved from url=(0034){ADDRESS} -->
<html><head><title>On oolong</title><meta property="article:published_time" content="2026-10-30T08:00:00Z"></head>
<body><h1>On oolong</h1><p>{WORDS}</body></html>"""


def taken_in(root: Path, folder: Path, name: str, text: str) -> Record:
    folder.mkdir()
    (folder / name).write_text(text)
    (result,) = ingest.run(Settings(root, {}, {}), [folder], False, False, lambda said: None).data["results"]
    assert result["status"] == "ingested"
    with Repository(root) as repository:
        return repository.view().manifest().sources[result["source"]]


@pytest.mark.parametrize(
    ("name", "text", "day"),
    [
        ("On oolong.md", OBSIDIAN, "2026-10-30"),
        ("On oolong.md", OBSIDIAN.replace("published: 2026-10-30", "published:"), "2026-11-02"),
        ("On oolong.md", MARKDOWNLOAD, "2026-11-02"),
        ("On oolong.html", SINGLE_FILE, "2026-11-02"),
        ("On oolong.html", BROWSER, "2026-10-30"),
    ],
)
def test_a_clip_has_the_address_and_the_day_of_its_page(
    root: Path, tmp_path: Path, name: str, text: str, day: str
) -> None:
    record = taken_in(root, tmp_path / "Clippings", name, text)

    assert (record.url, record.date, record.title) == (ADDRESS, day, "On oolong")
    assert record.authors in ((), ("Ann Lee",))


def test_what_is_clipped_is_not_fetched(root: Path, tmp_path: Path) -> None:
    taken_in(root, tmp_path / "Clippings", "On oolong.md", OBSIDIAN)

    report = fetch.run(Settings(root, {}, {}), [ADDRESS], FetchOptions(), lambda said: None, Fetcher())

    assert [each["status"] for each in report.data["asked"]] == ["known"]


def test_a_citation_says_where_its_source_is_from_and_of_when(root: Path, tmp_path: Path) -> None:
    taken_in(root, tmp_path / "Clippings", "On oolong.md", OBSIDIAN)

    report = ask.run(Settings(root, {}, {}), "What is oolong?", AskRequest(), lambda said: None)

    told = {(each["url"], each["date"]) for said in report.data["answer"] for each in said["sources"]}
    assert told == {(ADDRESS, "2026-10-30")}
    assert f"    from {ADDRESS}, 2026-10-30" in report.lines
