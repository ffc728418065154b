"""A source that says something else by now: claims it does not make any more give way to those it makes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from curator.models.proposal import Claim, Create, Replace
from support import standard
from support.standard import curate, ingest, pages
from support.wikis import proposal

root = standard.root

LABEL = """Wheels are installed without a build. A wheel is a ZIP-format archive. Installers unpack wheels.

A {0} is a kind of label. Wheel tag has a tag.
"""
MARK = LABEL.replace("label", "mark")


@pytest.mark.parametrize("written", ["wheel tag", "**wheel tag**"])
def test_the_built_in_curator_takes_the_new_words_for_the_old(root: Path, written: str) -> None:
    ingest(root, "tags.txt", LABEL.format(written))
    ingest(root, "tags.txt", MARK.format(written))

    said = "".join(file.read_text("utf-8") for file in pages(root).values())
    assert "kind of mark" in said and "kind of label" not in said
    assert curate(root, "validate").status == 0
    assert {finding["code"] for finding in curate(root, "lint")["findings"]} <= {"entry_orphan"}


TEA = "Oolong is brewed {0} times. Oolong is a tea of Fujian.\n"
BREWED = Create(
    op="create",
    kind="concept",
    title="Oolong",
    body=(
        Claim(text="Oolong is brewed five times.", quotes=("Oolong is brewed five times.",)),
        Claim(text="It is a tea of Fujian.", quotes=("Oolong is a tea of Fujian.",)),
    ),
)
SEVEN = Claim(text="Oolong is brewed seven times.", quotes=("Oolong is brewed seven times.",))


@pytest.mark.parametrize("keeps", [" [^tea-1]", ""])
def test_a_model_may_keep_the_mark_of_what_is_gone_or_not(root: Path, keeps: str) -> None:
    ingest(root, "tea.txt", TEA.format("five"), proposal(BREWED))
    claim = SEVEN.model_copy(update={"text": SEVEN.text + keeps})

    replaced = Replace(op="replace", page="oolong", passage="Oolong is brewed five times. [^tea-1]", body=(claim,))
    ingest(root, "tea.txt", TEA.format("seven"), proposal(replaced))

    body = (root / "concepts" / "oolong.md").read_text("utf-8")
    assert re.findall(r'^\[\^.*?\]: .*"(.*)"$', body, re.MULTILINE) == [
        "Oolong is a tea of Fujian.",
        "Oolong is brewed seven times.",
    ]
    assert "five" not in body
    assert curate(root, "validate").status == 0


def test_what_a_source_still_says_is_not_dropped(root: Path) -> None:
    ingest(root, "tea.txt", TEA.format("five"), proposal(BREWED))

    replaced = Replace(op="replace", page="oolong", passage="It is a tea of Fujian. [^tea-2]", body=(SEVEN,))
    result = ingest(root, "tea.txt", TEA.format("seven"), proposal(replaced), proposal(replaced))

    assert (result["status"], {finding["code"] for finding in result["findings"]}) == ("parked", {"citation_lost"})
