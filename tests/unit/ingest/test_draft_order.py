"""Timelines and comparisons: an ingest puts events and rows in their places, cited, and the wall lets them through."""

from __future__ import annotations

import pytest

from curator.checks.rules import broken_by
from curator.checks.rules.change import Change
from curator.ingest.drafting.drafted import Draft
from curator.models.proposal import Add, Claim, Create, Operation
from curator.wiki.pages import diff
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.judge import Judge
from curator.wiki.workspace.workspace import CurationPolicy
from support.pages import NOW, claim, draft, page, source, wiki

TEXT = """The mill was planned in 1995 by the town.
In 2001 the mill was painted red.
The mill burnt down on 2010-05-06.
Nobody knows when the mill was sold.
Speed: pip is slow, uv is fast.
Language: pip is written in Python, uv in Rust.
"""
SOURCE = source(TEXT, "sources/new.txt")
NOTE = '[^old-1]: sources/old.txt#L1 "words of the old source"\n'
MILL = page(
    "the-mill-s-history",
    f"The mill is old. [^old-1]\n\n- 1998: The mill was built. [^old-1]\n- 2003: The mill stood still. [^old-1]\n\n{NOTE}",
    "timeline",
)
TOOLS = page(
    "pip-and-uv",
    f"Both install. [^old-1]\n\n| Property | pip | uv |\n|---|---|---|\n| Speed | slow | fast [^old-1] |\n\n{NOTE}",
    "comparison",
)
PLANNED = claim("- 1995: The mill was planned.", "The mill was planned in 1995 by the town")
PAINTED = claim("- 2001: The mill was painted red.", "In 2001 the mill was painted red")
BURNT = claim("- 2010-05-06: The mill burnt down.", "The mill burnt down on 2010-05-06")
SOLD = claim("- The mill was sold.", "Nobody knows when the mill was sold")
TABLE = "| Property | pip | uv |\n|---|---|---|\n"
SPEED, LANGUAGE = "| Speed | slow | fast |", "| Language | Python | Rust |"
QUOTES = ("Speed: pip is slow, uv is fast", "pip is written in Python, uv in Rust")


def worked(*operations: Operation, base: tuple[Page, ...] = (MILL, TOOLS)) -> Draft:
    """The draft, let through by the wall."""
    before = wiki(*base)
    found = draft(before, SOURCE, *operations)
    texts = {path: (before.page_at(path), new) for path, new in found.wiki.changed.items()}
    diffs = {path: diff.between(path, old.text if old else None, new.text) for path, (old, new) in texts.items()}
    judge = Judge(Evidence(SOURCE.path, SOURCE.document))
    assert found.broken == found.left_out == ()
    assert broken_by(Change(SOURCE, judge, CurationPolicy(), before, found.wiki, diffs, NOW)) == []
    return found


def body(found: Draft, slug: str) -> str:
    changed = found.wiki.page(slug)
    assert changed is not None
    return changed.body.partition("\n[^old-1]:")[0].rstrip()


def add(slug: str, *claims: Claim, section: str = "") -> Add:
    return Add(op="add", page=slug, section=section, body=claims)


def create(kind: str, title: str, *claims: Claim) -> Create:
    return Create.model_validate({"op": "create", "kind": kind, "title": title, "body": claims})


@pytest.mark.parametrize("section", ["", "Events"])
def test_events_come_to_their_places_and_the_rest_to_the_end(section: str) -> None:
    found = worked(add(MILL.slug, BURNT, SOLD, claim("## More"), PAINTED, PLANNED, section=section))

    tail = f"\n\n## {section}\n\n- The mill was sold. [^new-2]" if section else "\n- The mill was sold. [^new-2]"
    assert body(found, MILL.slug).endswith(
        "- 1995: The mill was planned. [^new-4]\n- 1998: The mill was built. [^old-1]\n"
        "- 2001: The mill was painted red. [^new-3]\n- 2003: The mill stood still. [^old-1]\n"
        f"- 2010-05-06: The mill burnt down. [^new-1]{tail}"
    )


def test_the_same_events_again_change_nothing() -> None:
    once = worked(add(MILL.slug, PLANNED, SOLD)).wiki.page(MILL.slug)
    assert once is not None

    both = claim(f"{PLANNED.text}\n{SOLD.text}", *PLANNED.quotes, *SOLD.quotes)
    assert dict(draft(wiki(once), SOURCE, add(MILL.slug, SOLD, both, PLANNED)).wiki.changed) == {}


def test_a_timeline_that_is_made_again_is_added_to() -> None:
    found = worked(create("timeline", "The mill s history", claim("## Events"), PAINTED, BURNT))

    assert found.updated == (MILL.path,)
    assert "## Events" not in body(found, MILL.slug)
    assert "- 2001: The mill was painted red. [^new-1]\n- 2003" in body(found, MILL.slug)


def test_a_new_timeline_is_in_order() -> None:
    found = worked(create("timeline", "History of the mill", claim("## Events"), BURNT, SOLD, PLANNED))

    assert found.created == ("timelines/history-of-the-mill.md",)
    assert [line[:8] for line in body(found, "history-of-the-mill").split("\n- ")[1:]] == [
        "1995: Th",
        "2010-05-",
        "The mill",
    ]


@pytest.mark.parametrize("claims", [(SOLD,), (SOLD, BURNT), (claim("The mill was planned in 1995.", *PLANNED.quotes),)])
def test_a_timeline_that_dates_fewer_than_two_events_is_none(claims: tuple[Claim, ...]) -> None:
    found = worked(create("timeline", "The mill", *claims))

    assert found.created == ("concepts/the-mill.md",)


def test_rows_join_the_table_and_one_that_is_there_does_not() -> None:
    found = worked(add(TOOLS.slug, claim(f"{TABLE}{SPEED}\n{LANGUAGE}", *QUOTES), section="Elsewhere"))

    assert body(found, TOOLS.slug).endswith("| Speed | slow | fast [^old-1] |\n| Language | Python | Rust [^new-2] |")
    assert "[^new-1]" not in found.wiki.changed[TOOLS.path].text


def test_rows_without_a_head_join_the_table_too() -> None:
    found = worked(add(TOOLS.slug, claim(LANGUAGE, QUOTES[1])))

    assert body(found, TOOLS.slug).endswith("fast [^old-1] |\n| Language | Python | Rust [^new-1] |")


def test_the_numbers_of_the_head_that_is_there_need_no_proof() -> None:
    tools = page(TOOLS.slug, TOOLS.body.partition("\n\n")[2].replace("| pip | uv |", "| pip 24 | uv |"), "comparison")

    found = worked(add(TOOLS.slug, claim(LANGUAGE, QUOTES[1])), base=(tools,))

    assert body(found, TOOLS.slug).endswith("fast [^old-1] |\n| Language | Python | Rust [^new-1] |")


def test_a_new_comparison_has_its_folder_and_its_section_of_the_index() -> None:
    found = worked(create("comparison", "pip or uv", claim(f"{TABLE}{SPEED}\n{LANGUAGE}", *QUOTES)), base=(MILL,))

    assert found.created == ("comparisons/pip-or-uv.md",)
    assert f"{SPEED[:-2]} [^new-1] |\n{LANGUAGE[:-2]} [^new-2] |" in body(found, "pip-or-uv")


@pytest.mark.parametrize(("kind", "title"), [("timeline", "History of the mill"), ("comparison", "pip or uv")])
def test_a_new_page_goes_where_the_other_kinds_of_the_wiki_are(kind: str, title: str) -> None:
    text = page("egg", "An egg.").text.replace("knowledge/v1", "knowledge.entry/v1")
    claims = (PLANNED, BURNT) if kind == "timeline" else (claim(f"{TABLE}{SPEED}", QUOTES[0]),)

    found = worked(create(kind, title, *claims), base=(Page("entries/concepts/egg.md", text),))

    (path,) = found.created
    assert path.rpartition("/")[0] == f"entries/{kind}s"
    assert found.wiki.changed[path].sources == ("new",)
