"""The time that a source takes grows with its length and no faster, whatever its author repeats in it."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from curator.errors import CuratorError
from curator.models.extractive import ExtractiveCurator
from curator.repository.repository import Repository
from support.depth import of_this_commit
from support.wikis import drop, take_in

SHORT, FACTOR, MARGIN = 12_000, 4, 2.5
"""A quadratic step would take sixteen times as long for four times the text; two and a half times four is allowed."""
LEAST = 0.4
"""Seconds of the processor that git and the start of a process take, whatever the source."""
REPEATED = [
    *(
        ("md", opener)
        for opener in ("[[", "![", "![](", '[a](b "', "[a][", "[^", "<a ", "<!--", "<http://", "``a", "*a ")
    ),
    *(
        ("md", line)
        for line in ("# Heading\n\nTea is good.\n\n", "- a\n", "|a", "Oolong Tea is a tea of China. ", ". ")
    ),
    *(("rst", opener) for opener in (":a", "|a ", "a+")),
    *(("adoc", opener) for opener in ("<<a,", "xref:a[", "footnote:[", "http://a(")),
    *(("org", opener) for opener in ("[[", "[fn:")),
    *(("html", opener) for opener in ("<a ", "<!--", "[^", "<p>", "&#1")),
]


def seconds(root: Path, name: str, text: str) -> float:
    """The processor's time for an ingest, reading in the jail included; whether anything is left of it does not matter."""
    before = sum(os.times()[:4])
    with Repository(root) as repository, suppress(CuratorError):
        take_in(drop(root, name, text), repository, ExtractiveCurator(), dry_run=True)
    return sum(os.times()[:4]) - before


@pytest.mark.parametrize(("suffix", "repeated"), of_this_commit(REPEATED), ids=repr)
def test_four_times_the_text_takes_about_four_times_as_long(root: Path, suffix: str, repeated: str) -> None:
    def growing(size: int) -> float:
        text = "Tea is a plant that grows in warm lands.\n\n" + repeated * (size // len(repeated))
        return seconds(root, f"{size}.{suffix}", text)

    taken = growing(SHORT * FACTOR)
    if taken >= MARGIN * FACTOR * LEAST:  # else the short one need not be measured
        assert taken < MARGIN * FACTOR * max(growing(SHORT), LEAST)
