"""A proposal becomes pages: proven, linked, cited, each thing on one page, and nothing else touched."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.ingest.drafting.drafted import Draft
from curator.models.proposal import Add, Claim, Create, Mark, Operation, Replace
from curator.wiki.pages import editing, markdown, tables
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.workspace.workspace import CurationPolicy
from support.pages import STAMP, claim, draft, laws, page, source, wiki

TEXT = """Tea is a hot drink made of leaves.
Green tea is not fermented at all.
It is brewed at 80 degrees for 3 minutes.
A kettle boils the water for it.
Oolong comes from China and Taiwan.

Tea replaces the cup, and contradicts the egg. Perhaps tea is a cure.
"""
SOURCE = source(TEXT)
TEA = page(
    "tea",
    """Tea is a drink. [^old-1]

## Brewing

- Boil water. [^old-1]
- Wait a while. [^old-2]

## History

It came by ship. [^old-2]

[^old-1]: sources/old.txt#L1 "tea is a drink"
[^old-2]: sources/old.txt#L2 "wait a while"
""",
    metadata={"curator": {"aliases": ["chai"]}, "other.vendor": {"keep": "  this "}},
)
HOT = claim("Tea is hot.", "Tea is a hot drink")
GREEN = claim("Green tea is not fermented.", "Green tea is not fermented at all")
REPLACED = claim("Tea replaces the cup.", "Tea replaces the cup")
FALSE = claim("Tea cures all.", "tea cures every illness there is")


def create(title: str, *body: Claim, kind: str = "concept", aliases: tuple[str, ...] = ()) -> Create:
    return Create(op="create", kind=kind, title=title, aliases=aliases, body=body)


def add(*body: Claim, slug: str = "tea", after: str = "") -> Add:
    return Add(op="add", page=slug, section=after, body=body)


def swap(passage: str, *body: Claim) -> Replace:
    return Replace(op="replace", page="tea", passage=passage, body=body)


def worked(*operations: Operation, base: tuple[Page, ...] = (TEA,), **policy: Any) -> Draft:
    return draft(wiki(*base), SOURCE, *operations, policy=CurationPolicy(**policy))


def one(found: Draft, slug: str = "tea") -> Page:
    assert found.broken == ()
    changed = found.wiki.page(slug)
    assert changed is not None
    return changed


def codes(found: Draft) -> list[str]:
    return [finding.code for finding in (*found.broken, *found.left_out, *found.flagged)]


# -- new pages -------------------------------------------------------------------------------------------------------


def test_a_new_page_says_what_is_proven_and_where_it_stands() -> None:
    found = worked(create("Green tea", GREEN, aliases=("Greentea", "Green tea")), base=())

    assert found.created == ("concepts/green-tea.md",)
    assert found.wiki.changed["concepts/green-tea.md"].text == (
        "---\nschema: knowledge/v1\nslug: green-tea\nkind: concept\ntitle: Green tea\naliases:\n- Greentea\n"
        f"sources:\n- sources/tea.txt\nconfidence: 0.7\nupdated_at: '{STAMP}'\n"
        "metadata:\n  curator:\n    aliases:\n    - Greentea\n---\n\n"
        "# Green tea\n\nGreen tea is not fermented. [^tea-1]\n\n"
        '[^tea-1]: sources/tea.txt#L2 "Green tea is not fermented at all."\n'
    )


@pytest.mark.parametrize("title", ["Tea", "TEAS", "the tea", "chai", "Chai"])
def test_creating_what_is_there_adds_to_it(title: str) -> None:
    found = worked(create(title, HOT))

    assert (found.created, found.updated) == ((), ("concepts/tea.md",))
    assert "Tea is hot. [^tea-1]" in one(found).body


def test_creating_by_an_alias_that_is_there_adds_to_it() -> None:
    taken = source(f"{TEXT}Hot leaf water, also known as chai, is drunk in the evening.\n")

    assert draft(wiki(TEA), taken, create("Hot leaf water", HOT, aliases=("chai",))).updated == ("concepts/tea.md",)


def test_one_thing_created_twice_is_one_page() -> None:
    found = worked(create("Oolong", GREEN), create("Oolongs", HOT), base=())

    assert found.created == ("concepts/oolong.md",)
    assert "Tea is hot." in one(found, "oolong").body


def test_a_summary_is_named_after_its_source_and_keeps_off_other_pages() -> None:
    found = worked(create("About tea", HOT, kind="summary"), create("Tea", GREEN))

    summary = one(found, "tea-summary")
    assert (summary.kind, summary.path) == ("summary", "summaries/tea-summary.md")
    assert found.updated == ("concepts/tea.md",)


def test_a_summary_of_another_source_of_the_same_name_is_another_page() -> None:
    other = page("tea", "Another year.", kind="summary", sources=["sources/2025/tea.txt"])

    found = worked(create("About tea", HOT, kind="summary"), base=(other,))

    assert found.updated == ()
    assert found.created == ("summaries/tea-summary.md",)


def test_a_source_read_again_updates_its_own_summary() -> None:
    own = page("tea", "Last year.", kind="summary", sources=["sources/tea.txt"])

    assert worked(create("About tea", HOT, kind="summary"), base=(own,)).updated == ("summaries/tea.md",)


def test_new_pages_follow_the_dialect_and_folders_of_the_wiki() -> None:
    text = page("egg", "An egg.").text.replace("knowledge/v1", "knowledge.entry/v1")

    taken = source(f"{TEXT}The 2nd flush is picked in May.\n")

    found = draft(wiki(Page("entries/concepts/egg.md", text)), taken, create("2nd flush", HOT))

    (path,) = found.created
    assert path == "entries/concepts/s-2nd-flush.md"
    assert found.wiki.changed[path].sources == ("tea",)


def test_a_title_of_which_no_name_can_be_made_is_told() -> None:
    found = worked(create("😀!", HOT), base=())

    assert (codes(found), found.created) == (["slug_invalid"], ())


@pytest.mark.parametrize("title", ["# [[x]] <b>", "a | b", "*hot* `tea`", "1. Tea", "Tea\nand more"])
def test_a_title_is_only_words(title: str) -> None:
    found = worked(create(title, HOT), base=(), grounding="recommended")

    (path,) = found.created
    new = found.wiki.changed[path]
    assert new.title == " ".join(title.replace("`", "").split())
    assert [block.text for block in new.outline.headings] == [new.title]
    assert (new.outline.links, new.outline.html) == ((), ())


# -- claims ----------------------------------------------------------------------------------------------------------


def test_a_claim_without_sound_evidence_is_left_out() -> None:
    found = worked(add(HOT, FALSE, claim("It takes 4 minutes.", "brewed at 80 degrees for 3 minutes")))

    assert codes(found) == ["quote_missing", "number_unknown"]
    assert "Tea is hot." in one(found).body
    assert "cures" not in one(found).body
    assert "4 minutes" not in one(found).body


@pytest.mark.parametrize(
    ("grounding", "kept", "told"),
    [("required", False, ["claim_uncited"]), ("recommended", True, ["claim_uncited"]), ("none", True, [])],
)
def test_an_uncited_claim_stays_as_the_grounding_allows(grounding: str, kept: bool, told: list[str]) -> None:
    found = worked(add(HOT, claim("Many like it.")), grounding=grounding)

    assert ("Many like it.\n" in one(found).body) is kept
    assert codes(found) == told


@pytest.mark.parametrize("grounding", ["recommended", "none"])
def test_a_false_quote_is_never_kept(grounding: str) -> None:
    assert codes(worked(add(FALSE), grounding=grounding)) == ["quote_missing"]


def test_what_stands_under_a_heading_that_is_refused_does_not_come_under_the_one_before() -> None:
    told = (claim("## Limits"), HOT, claim("## All tea cures"), GREEN, claim("### Every cup heals"), REPLACED)

    found = worked(
        create("Kettle", claim("A kettle boils the water.", "A kettle boils the water for it"), *told), base=()
    )

    body = one(found, "kettle").body
    assert codes(found) == ["label_unknown"] * 2
    assert "## Limits\n\nTea is hot. [^tea-2]\n\n## Further points\n\nGreen tea is not" in body
    assert "fermented. [^tea-3]\n\nTea replaces the cup." in body


def test_what_is_added_to_a_section_does_not_take_along_what_stood_under_a_refused_heading() -> None:
    found = worked(add(HOT, claim("## All tea cures"), GREEN, after="History"))

    assert "Tea is hot. [^tea-1]\n\n## Further points\n\nGreen tea is not" in one(found).body


def test_nothing_proven_changes_nothing() -> None:
    found = worked(create("Kettle", FALSE), add(FALSE), swap("Tea is a drink.", FALSE), base=(TEA,))

    assert dict(found.wiki.changed) == {}
    assert (found.created, found.updated, codes(found)) == ((), (), ["quote_missing"] * 3)


def test_equal_evidence_is_cited_by_one_footnote() -> None:
    body = one(worked(add(HOT, claim("It is a drink.", "Tea is a hot drink", "Green tea is not fermented")))).body

    assert "Tea is hot. [^tea-1]\n" in body
    assert "It is a drink. [^tea-1] [^tea-2]\n" in body
    assert body.count("[^tea-1]:") == body.count("[^tea-2]:") == 1


def test_numbering_goes_on_where_the_page_stopped() -> None:
    base = TEA.with_body(TEA.body.replace("old-2", "tea-7") + "[^tea-x]: a remark\n")

    assert "Tea is hot. [^tea-8]" in one(worked(add(HOT), base=(base,))).body


def test_a_footnote_of_the_page_is_used_again() -> None:
    again = one(worked(add(HOT)))

    body = one(worked(add(claim("It is a hot drink.", "Tea is a hot drink")), base=(again,))).body

    assert "It is a hot drink. [^tea-1]" in body
    assert body.count("[^tea-1]:") == 1


def test_a_mark_that_hangs_loose_is_not_given_a_footnote() -> None:
    base = TEA.with_body(TEA.body.replace("by ship. [^old-2]", "by ship. [^tea-1]"))

    assert "Tea is hot. [^tea-2]" in one(worked(add(HOT), base=(base,))).body


def test_marks_a_model_makes_up_are_taken_out() -> None:
    body = one(worked(add(claim("Tea [^1] is hot. [^old-1][^x]", *HOT.quotes)))).body

    assert "Tea is hot. [^tea-1]\n" in body


def test_a_claim_that_is_only_marks_says_nothing() -> None:
    assert dict(worked(add(claim("[^1]", *HOT.quotes))).wiki.changed) == {}


def test_a_footnote_that_nothing_cites_is_not_written() -> None:
    body = one(worked(add(HOT, claim("See also: [[tea]]", *GREEN.quotes)))).body

    assert "[^tea-2]" not in body


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ((claim("## Empty"), claim("## Use"), HOT), ["## Use"]),
        ((claim("## A"), claim("### B"), HOT), ["## A", "### B"]),
        ((claim("### B"), claim("## A"), HOT), ["## A"]),
        ((HOT, claim("## Last")), []),
        ((claim("## Lost"), FALSE, claim("## Use"), HOT), ["## Use"]),
        ((claim("# Top"), HOT), ["## Top"]),
        ((claim("## [[x]] *y*"), HOT), ["## \\[\\[x\\]\\] \\*y\\*"]),
    ],
)
def test_a_heading_stays_only_over_something(body: tuple[Claim, ...], kept: list[str]) -> None:
    text = one(worked(create("Green tea", *body), base=()), "green-tea").body

    assert [line for line in text.splitlines() if line.startswith("##")] == kept


def test_a_claim_that_begins_with_a_hash_is_no_heading() -> None:
    body = one(worked(add(claim("#tea is a hot drink.", *HOT.quotes)))).body

    assert "#tea is a hot drink. [^tea-1]" in body


def test_a_claim_that_repeats_the_title_is_dropped() -> None:
    body = one(worked(create("Green tea", claim("# Green tea"), HOT), base=()), "green-tea").body

    assert body.count("Green tea\n") == 1


# -- where it goes ---------------------------------------------------------------------------------------------------


def test_items_join_the_list_of_their_section() -> None:
    body = one(worked(add(claim("- Drink it.", *HOT.quotes), claim("- Again.", *HOT.quotes), after="Brewing"))).body

    assert "- Wait a while. [^old-2]\n- Drink it. [^tea-1]\n- Again. [^tea-1]\n\n## History" in body


def test_a_heading_that_is_missing_is_made() -> None:
    body = one(worked(add(HOT, after="## Storage"))).body

    assert "It came by ship. [^old-2]\n\n## Storage\n\nTea is hot. [^tea-1]\n\n[^old-1]:" in body


BREWED = ("Green tea is not fermented at all", "It is brewed at 80 degrees", "A kettle boils the water")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Green tea is not fermented. It is brewed at 95 degrees.", "Green tea is not fermented."),
        ("Green tea is brewed at 95 degrees. A kettle boils the water.", "A kettle boils the water."),
        ("- Green tea is brewed at 95 degrees. A kettle boils the water.", "- A kettle boils the water."),
        ("Green tea is brewed at 95 degrees. It is not fermented.", ""),
        ("Green tea is brewed at 95 degrees. Otherwise a kettle boils the water.", ""),
        ("Green tea is brewed at 95 degrees, and a kettle boils the water.", ""),
    ],
    ids=["the first", "the second", "of an item", "one that leans", "one that is the other case", "no half sentence"],
)
def test_one_bad_sentence_does_not_cost_those_that_stand_by_themselves(text: str, kept: str) -> None:
    drafted = worked(create("Green tea", GREEN, claim(text, *BREWED)), base=())

    body = next(iter(drafted.wiki.changed.values())).body
    told = [block.text for block in markdown.scan(body).blocks if block.kind in editing.CLAIMS]
    assert [each.partition(" [^")[0] for each in told] == [
        "Green tea is not fermented.",
        *filter(None, [kept.lstrip("- ")]),
    ]
    assert re.findall(r'"(.*)"$', body, re.MULTILINE) == [f"{BREWED[0]}.", *([BREWED[2]] if "kettle" in kept else [])]
    (against,) = drafted.left_out
    assert against.places == ("1.2",)
    assert ("95 degrees" in against.message) and (" (its other sentences stand)" in against.message) is bool(kept)


def test_rows_that_the_page_has_keep_their_marks_and_are_not_said_again() -> None:
    kept = "| *Tea* | hot [^old-1] |"
    base = page(
        "tea",
        f"""Tea is a drink. [^old-1]

| What | How |
|---|---|
{kept}

[^old-1]: sources/old.txt#L1 "tea is a drink"
""",
    )
    table = "| What | How |\n|---|---|\n| [[tea]] | hot |\n| Water | 80 degrees |"
    quotes = ("Tea is a hot drink made of leaves", "It is brewed at 80 degrees")

    body = one(worked(add(claim(table, *quotes)), base=(base,))).body
    assert body.count("hot") == 1
    assert kept in body
    assert "| Water | 80 degrees [^tea-2] |" in body
    assert not worked(add(claim(table.partition("\n| Water")[0], *quotes)), base=(base,)).wiki.changed


def test_one_bad_row_does_not_cost_the_table() -> None:
    table = "| What | How |\n|---|---|\n| Tea | hot |\n| Tea | 70 degrees |\n| Water | 80 degrees |"
    drafted = worked(add(claim(table, "Tea is a hot drink made of leaves", "It is brewed at 80 degrees")))

    assert "| Tea | hot [^tea-1] |\n| Water | 80 degrees [^tea-2] |" in one(drafted).body
    assert "70" not in one(drafted).body
    assert [each.code for each in drafted.left_out] == ["number_unknown"]


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("From Tea notes", "## From [[tea-summary|Tea notes]]"),
        ("From Tea notes (planned)", "## From [[tea-summary|Tea notes]] (planned)"),
        ("From Tea notes of old", "## From Tea notes of old"),
        ("From [[tea|Tea notes]]", "## From \\[\\[tea\\|Tea notes\\]\\]"),
    ],
)
def test_a_heading_that_names_the_source_leads_to_its_summary(section: str, said: str) -> None:
    drafted = worked(create("Tea notes", HOT, kind="summary"), add(GREEN, after=section), grounding="recommended")

    assert f"\n{said}\n\nGreen tea is not fermented." in one(drafted).body


LOOKUPS = source("""# Lookups

|====
|format |cache |scan |by name
|packed |cold |402 ms |409 usec
|packed |hot |12 ms |6 usec
|table |cold |112 ms |33 usec
|table |hot |7 ms |20 usec
|====
""")
COLD = ("packed |cold |402 ms |409 usec", "table |cold |112 ms |33 usec")


def test_a_row_that_is_wider_than_its_table_is_mended_or_left_out() -> None:
    """What stands in the cell too many would not be shown, and its mark with it."""
    table = "| What | How |\n|---|---|\n| Tea | hot | or cold |"
    drafted = worked(add(claim(table, "Tea is a hot drink made of leaves")))

    assert not drafted.wiki.changed
    assert [(each.code, each.places) for each in drafted.left_out] == [("table_broken", ("1.1",))]


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ("scan, cold cache | 402 ms | 112 ms", True),
        ("by name, cold cache | 409 usec | 33 usec", True),
        ("scan, cold cache | 112 ms | 402 ms", False),
    ],
)
def test_a_table_may_have_the_rows_of_the_source_for_columns(row: str, kept: bool) -> None:
    table = f"| Lookup | packed | table |\n|---|---|---|\n| {row} |"
    drafted = draft(wiki(TEA), LOOKUPS, add(claim(table, *COLD)))

    assert (f"| {row} [^tea-1] [^tea-2] |" in (drafted.wiki.page("tea") or TEA).body) is kept
    assert bool(drafted.left_out) is not kept


TAGGED = source("""Lines are kept for years.

<table>
<tr>
  <th>Line</th>
  <th>Begins</th>
  <th>Upkeep</th>
</tr>
<tr>
  <td>v0.10</td>
  <td>(current)</td>
  <td>2015-10-01</td>
</tr>
<tr>
  <td>v0.12</td>
  <td>2016-04-01</td>
  <td>(soon)</td>
</tr>
<tr>
  <td>v.Next</td>
  <td>2018-10-01</td>
  <td>2019-04-01</td>
</tr>
</table>
""")


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("Line | Begins | Upkeep", ("[[tea\\\\|v0.12]] | 2016-04-01 | (soon)", "v.Next | 2018-10-01 | 2019-04-01")),
        ("Line | Upkeep | Begins", ("v0.12 | (soon) | 2016-04-01", "v.Next | 2019-04-01 | 2018-10-01")),
    ],
    ids=["as it is", "its columns in another order"],
)
def test_the_rows_of_a_table_in_html_may_be_copied(head: str, rows: tuple[str, str]) -> None:
    table = "\n".join((f"| {head} |", "|---|---|---|", *(f"| {row} |" for row in rows)))
    quotes = ("<td>v0.12</td> <td>2016-04-01</td> <td>(soon)</td>", "<td>v.Next</td> <td>2018-10-01</td>")

    assert codes(draft(wiki(TEA), TAGGED, add(claim(table, *quotes)))) == []


def test_a_row_is_cited_inside_its_last_cell() -> None:
    table = "| What | How |\n|---|---|\n| Tea | hot |\n| Water | 80 degrees |"

    body = one(worked(add(claim(table, "It is brewed at 80 degrees")))).body

    assert "| Tea | hot [^tea-1] |\n| Water | 80 degrees [^tea-1] |" in body


def test_footnotes_stand_together_at_the_end() -> None:
    assert one(worked(add(HOT))).body.endswith(
        '[^old-2]: sources/old.txt#L2 "wait a while"\n[^tea-1]: sources/tea.txt#L1 "Tea is a hot drink"\n'
    )


def test_an_unknown_page_is_told() -> None:
    assert codes(worked(add(HOT, slug="coffee"))) == ["page_unknown"]


# -- replacing -------------------------------------------------------------------------------------------------------


def test_a_passage_is_replaced_and_keeps_its_marks() -> None:
    body = one(worked(swap("Tea is a drink. [^old-1]", claim("Tea is a hot drink. [^old-1]", *HOT.quotes)))).body

    assert body.startswith("\n# Tea\n\nTea is a hot drink. [^old-1] [^tea-1]\n\n## Brewing\n")


def test_a_replacement_that_drops_a_mark_is_told_and_not_done() -> None:
    found = worked(swap("Tea is a drink. [^old-1]", claim("Tea is a hot drink.", *HOT.quotes)))

    assert codes(found) == ["citation_lost"]
    assert dict(found.wiki.changed) == {}


def test_a_passage_copied_without_its_marks_keeps_them_too() -> None:
    body = one(worked(swap("Tea is a drink.", claim("Tea is a hot drink.", *HOT.quotes)))).body

    assert "Tea is a hot drink. [^tea-1] [^old-1]\n" in body


@pytest.mark.parametrize("passage", ["Boil water.", "- Boil water. [^old-1]"])
@pytest.mark.parametrize("text", ["Boil water at 80 degrees. [^old-1]", "- Boil water at 80 degrees. [^old-1]"])
def test_an_item_is_replaced_by_an_item(passage: str, text: str) -> None:
    body = one(worked(swap(passage, claim(text, "It is brewed at 80 degrees")))).body

    items = [block.text for block in markdown.scan(body).blocks if block.kind == "item"]
    assert items == ["Boil water at 80 degrees.", "Wait a while."]


@pytest.mark.parametrize("passage", ["Tea is cold.", "", "a", "[^old-1]", "sources/old.txt"])
def test_a_passage_that_is_not_in_one_place_is_told(passage: str) -> None:
    found = worked(swap(passage or " ", HOT))

    assert codes(found) == ["passage_not_found"]
    assert dict(found.wiki.changed) == {}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Tea is no drink. [^old-1]", "negation_turned"),
        ("Tea heals the flu. [^old-1]", "not_covered"),
        ("Tea may be a drink. [^old-1]", "proof_changed"),
        ("Tea is hot. [^old-1]", "proof_changed"),
    ],
)
def test_a_replacement_that_says_otherwise_is_left_out(text: str, code: str) -> None:
    found = worked(swap("Tea is a drink. [^old-1]", claim(text, *HOT.quotes)))

    assert codes(found) == [code]
    assert dict(found.wiki.changed) == {}


def test_a_definition_goes_before_the_old_opening() -> None:
    both = (
        claim("Tea is a hot drink made of leaves.", "Tea is a hot drink made of leaves"),
        claim("Tea is a drink. [^old-1]"),
    )

    body = one(worked(swap("Tea is a drink. [^old-1]", *both))).body

    assert body.startswith(
        "\n# Tea\n\nTea is a hot drink made of leaves. [^tea-1]\n\nTea is a drink. [^old-1]\n\n## Brewing\n"
    )


def test_items_are_joined_with_both_their_marks() -> None:
    joined = claim("- Boil water, at 80 degrees, and wait a while. [^old-1] [^old-2]", "It is brewed at 80 degrees")

    body = one(worked(swap("- Boil water. [^old-1]\n- Wait a while. [^old-2]", joined))).body

    assert "\n- Boil water, at 80 degrees, and wait a while. [^old-1] [^old-2] [^tea-1]\n\n## History" in body


def test_what_a_replacement_repeats_stays_as_the_page_has_it() -> None:
    base = TEA.with_body(TEA.body.replace("It came by ship. [^old-2]", "It came by [[cup|ship]]. [^old-2]"))
    again = claim("It came by [[ship]]. [^old-2]")

    found = worked(swap("It came by [[cup|ship]]. [^old-2]", HOT, again), base=(base, page("cup"), page("ship")))

    assert "Tea is hot. [^tea-1]\n\nIt came by [[cup|ship]]. [^old-2]\n" in one(found).body


@pytest.mark.parametrize(
    ("own", "text", "wanted"),
    [
        ("- Never drink it cold (Ann).", "- Tea is hot.", "\n- Never drink it cold (Ann).\n- Tea is hot. [^tea-1]\n"),
        ("Never drink it cold (Ann).", "Tea is hot.", "\n\nNever drink it cold (Ann).\n\nTea is hot. [^tea-1]\n"),
        ("Tea is hot.", "Tea is a hot drink.", "\n\nTea is a hot drink. [^tea-1]\n"),
    ],
)
def test_what_a_person_wrote_without_a_citation_stands_on_unless_all_of_it_is_said(
    own: str, text: str, wanted: str
) -> None:
    base = TEA.with_body(TEA.body.replace("- Boil water. [^old-1]\n", f"- Boil water. [^old-1]\n\n{own}\n\n"))

    body = one(worked(swap(own, claim(text, *HOT.quotes)), base=(base,))).body

    assert wanted in body
    assert body.count("Never drink") == own.count("Never drink")


def test_the_title_line_is_nobodys_to_replace() -> None:
    found = worked(swap("# Tea\n\nTea is a drink. [^old-1]", HOT, claim("Tea is a drink. [^old-1]")))

    assert codes(found) == ["title_changed"]


@pytest.mark.parametrize(
    "lead",
    ["Earlier:", "**Contradicted:**", "Sources disagree; another says:", "Another source, now outweighed: Earlier:"],
)
def test_the_leads_of_disputes_are_taken_off_what_a_model_says(lead: str) -> None:
    body = one(worked(add(claim(f"{lead} Tea is hot.", *HOT.quotes), claim(f"- {lead} It is.", *HOT.quotes)))).body

    assert "\nTea is hot. [^tea-1]\n" in body
    assert "\n- It is. [^tea-1]\n" in body


@pytest.mark.parametrize(
    "operation", [add(HOT, slug="old"), Replace(op="replace", page="old", passage="Of old.", body=(HOT,))]
)
def test_the_summary_of_another_source_is_left_alone(operation: Operation) -> None:
    other = page("old", "Of old.", kind="summary")

    found = worked(operation, base=(other,))

    assert codes(found) == ["summary_reworded"]
    assert dict(found.wiki.changed) == {}


# -- links -----------------------------------------------------------------------------------------------------------


def test_a_page_that_is_full_costs_the_source_what_it_would_have_added_there_alone() -> None:
    facts = "".join(f"- Fact {number:04} about a cup that somebody wrote down once.\n" for number in range(1155))
    found = worked(add(REPLACED, slug="cup"), add(GREEN), base=(TEA, page("cup", facts)))

    assert codes(found) == ["page_full"]
    assert "64,000" in found.left_out[0].message
    assert found.updated == (TEA.path,)
    assert "Green tea is not fermented" in one(found).body


def test_links_lead_to_pages_that_are_there_or_come() -> None:
    found = worked(
        create(
            "Kettle", claim("A kettle boils water for [[chai|it]] and [[nothing|tea]].", "A kettle boils the water")
        ),
        add(claim("[[Kettle]]s boil the [[water]].", "A kettle boils the water for it")),
    )

    assert "water for [[tea|it]] and tea. [^tea-1]" in one(found, "kettle").body
    assert "[[kettle|Kettle]]s boil the water. [^tea-1]" in one(found).body


@pytest.mark.parametrize("body", [(FALSE,), (claim("## Only a heading", *HOT.quotes),), (claim("Uncited."),)])
def test_no_link_leads_to_a_page_that_does_not_come_about(body: tuple[Claim, ...]) -> None:
    found = worked(create("Kettle", *body), add(claim("See [[Kettle]].", "A kettle boils the water for it")))

    assert found.created == ()
    assert "See Kettle." in one(found).body


@pytest.mark.parametrize(("policy", "linked"), [("byName", True), ("manual", False), ("off", False)])
def test_the_first_mention_is_linked_where_the_wiki_wants_it(policy: str, linked: bool) -> None:
    found = worked(create("Kettle", HOT, claim("Tea boils in it.", "A kettle boils the water")), auto_link=policy)

    assert ("[[tea|Tea]] is hot." in one(found, "kettle").body) is linked
    assert one(found, "kettle").body.count("[[tea") == linked


def test_a_summary_lists_every_page_that_was_touched() -> None:
    notes = create("About tea", claim("On [[Oolong]].", "Oolong comes from China"), kind="summary")

    found = worked(notes, create("Oolong", HOT), create("Kettle", GREEN), add(HOT))

    summary = one(found, "tea-summary")
    assert "## Pages\n\n- [[kettle|Kettle]]\n- [[tea|Tea]]\n\n[^tea-1]" in summary.body
    assert {link.target for link in summary.outline.links} == {"oolong", "kettle", "tea"}


# -- relations and heads ---------------------------------------------------------------------------------------------


def test_relations_are_set_on_both_pages_and_confidence_only_falls() -> None:
    quotes = ("Tea replaces the cup, and contradicts the egg", "Perhaps tea is a cure")
    mark = Mark(op="mark", page="tea", contradicts=("egg",), supersedes=("cup",), confidence=0.555, quotes=quotes)

    found = worked(mark, base=(TEA, page("egg"), page("cup")))

    assert (one(found).contradicts, one(found).supersedes, one(found).confidence) == (("egg",), ("cup",), 0.56)
    assert one(found, "egg").contradicts == ("tea",)
    assert "concepts/cup.md" not in found.wiki.changed


def test_a_mark_never_raises_confidence() -> None:
    assert dict(worked(Mark(op="mark", page="tea", confidence=0.9)).wiki.changed) == {}


def test_a_lowered_confidence_stays_low_when_the_page_grows() -> None:
    found = worked(add(HOT), Mark(op="mark", page="tea", confidence=0.2, quotes=("Perhaps tea is a cure",)))

    assert one(found).confidence == 0.5


@pytest.mark.parametrize(
    "mark",
    [
        Mark(op="mark", page="tea", contradicts=("gone",)),
        Mark(op="mark", page="tea", supersedes=("gone",)),
        Mark(op="mark", page="tea", supersedes=("tea",)),
        Mark(op="mark", page="gone", confidence=0.1),
    ],
)
def test_a_relation_to_no_page_is_told(mark: Mark) -> None:
    found = worked(mark)

    assert codes(found) == ["page_unknown"]
    assert dict(found.wiki.changed) == {}


def test_sources_grow_and_another_source_makes_a_page_surer() -> None:
    found = one(worked(add(HOT)))

    assert found.sources == ("sources/old.txt", "sources/tea.txt")
    assert (found.confidence, found.updated_at) == (0.75, STAMP)


def test_an_edit_keeps_every_byte_of_the_head_that_it_does_not_mean() -> None:
    text = TEA.text.replace("title: Tea", "title:  'Tea'   # ours").replace(
        "\n---\n", "\nx-vendor: [1,  2] # theirs\n---\n", 1
    )

    after = one(worked(add(HOT), base=(Page(TEA.path, text),))).text

    gone = [line for line in text.split("\n---\n")[0].splitlines() if line not in after.splitlines()]
    assert [line.split(":")[0] for line in gone] == ["confidence", "updated_at"]


def test_a_page_with_windows_line_ends_keeps_them() -> None:
    windows = Page(TEA.path, TEA.text.replace("\n", "\r\n"))
    operations = (
        add(HOT, claim("- Drink it.", *HOT.quotes), after="Brewing"),
        swap("It came by ship. [^old-2]", claim("It came\nby ship. [^old-2]", *HOT.quotes)),
        create("About tea", GREEN, kind="summary"),
    )

    unix, after = one(worked(*operations)), one(worked(*operations, base=(windows,)))

    assert after.text == unix.text.replace("\n", "\r\n")


def test_a_page_whose_head_cannot_be_read_is_told_and_left_alone() -> None:
    odd = Page("concepts/tea.md", "---\na: *b\n---\n\n# Tea\n\nTea is a drink.\n")

    found = worked(create("Tea", HOT), add(HOT), swap("Tea is a drink.", HOT), base=(odd,))

    assert codes(found) == ["frontmatter_unreadable"] * 3
    assert dict(found.wiki.changed) == {}


def test_a_page_whose_head_cannot_be_read_costs_the_source_no_other_page() -> None:
    odd = Page("concepts/tea.md", "---\na: &b 1\n---\n\n# Tea\n\nTea is a drink.\n")

    found = worked(add(HOT), create("About tea", GREEN, kind="summary"), base=(odd,))

    assert found.broken == ()
    (left,) = found.left_out
    assert (left.code, left.path) == ("frontmatter_unreadable", SOURCE.path)
    assert left.message.startswith("operation 1: tea: anchors and aliases")
    assert [page.title for page in found.wiki.changed.values()] == ["About tea"]


# -- laws ------------------------------------------------------------------------------------------------------------

CLAIMS = st.sampled_from(
    [
        HOT,
        GREEN,
        FALSE,
        claim("## A heading"),
        claim("Uncited."),
        claim("- A [[kettle|Kettle]] boils **it**.", "A kettle boils the water for it."),
        claim("1. It takes 3 minutes.", "brewed at 80 degrees for 3 minutes"),
        claim("Two.\n\nBlocks, from [[Oolong]].", "Oolong comes from China"),
        claim("| a | b |\n|---|---|\n| [[Tea\\|t]] | 3 |", "for 3 minutes. A kettle boils"),
        claim("> Quoted [x](y.md) `code`.", "Oolong comes from China"),
    ]
)
BODIES = st.lists(CLAIMS, max_size=4).map(tuple)
TITLES = st.sampled_from(["Tea", "Kettle", "Oolong", "Cup", "chai", "C++"])
SLUGS = st.sampled_from(["tea", "cup", "kettle", "gone"])
KINDS = st.sampled_from(["concept", "summary"])
SECTIONS = st.sampled_from(["", "Brewing", "New"])
PASSAGES = st.sampled_from(["Wait a while.", "Tea is a drink. [^old-1]", "x"])
OPERATIONS = st.lists(
    st.one_of(
        st.builds(lambda title, body, kind: create(title, *body, kind=kind), TITLES, BODIES, KINDS),
        st.builds(lambda slug, section, body: add(*body, slug=slug, after=section), SLUGS, SECTIONS, BODIES),
        st.builds(lambda passage, body: swap(passage, *body), PASSAGES, BODIES),
        st.builds(Mark, op=st.just("mark"), page=SLUGS, contradicts=st.lists(SLUGS, max_size=1).map(tuple)),
    ),
    max_size=4,
)
CUP = page("cup", 'A cup holds [[tea]]. [^old-1]\n\n[^old-1]: sources/old.txt#L1 "a cup"\n')


@laws
@given(OPERATIONS)
def test_every_block_that_is_new_is_cited_and_every_link_leads_somewhere(operations: list[Operation]) -> None:
    found = worked(*operations, base=(TEA, CUP))

    evidence = Evidence(SOURCE.path, SOURCE.document)
    for path, changed in found.wiki.changed.items():
        old = found.wiki.store.read(path) or ""
        for block in changed.outline.blocks:
            text = changed.body[block.start : block.end]
            if block.kind in editing.CLAIMS and not editing.is_navigation(block) and text not in old:
                assert block.citations, text
                assert set(block.citations) <= changed.citations.keys()
        for target, link in changed.links:
            if link.form == "wiki":
                assert found.wiki.resolve(target), target
        for label, citation in changed.citations.items():
            if citation.path == SOURCE.path:
                assert evidence.holds(citation)
                assert f"[^{label}]" in changed.body.replace(f"[^{label}]:", "")


@laws
@given(OPERATIONS)
def test_an_edit_touches_only_the_pages_it_names(operations: list[Operation]) -> None:
    bystander = page("bystander", "Tea, a kettle and oolong.")

    found = worked(*operations, base=(TEA, CUP, bystander))

    assert bystander.path not in found.wiki.changed
    assert {*found.created, *found.updated} == found.wiki.changed.keys()


@laws
@given(st.lists(CLAIMS, min_size=1, max_size=5), st.sampled_from(["", "Brewing"]))
def test_adding_the_same_claims_again_changes_nothing(body: list[Claim], after: str) -> None:
    once = worked(add(*body, after=after), base=(TEA, CUP))

    again = worked(add(*body, after=after), base=(once.wiki.page("tea") or TEA, CUP))

    assert dict(again.wiki.changed) == {}


@laws
@given(OPERATIONS)
def test_drafting_is_the_same_each_time(operations: list[Operation]) -> None:
    assert worked(*operations, base=(TEA, CUP)).wiki.changed == worked(*operations, base=(CUP, TEA)).wiki.changed


@pytest.mark.parametrize(
    ("written", "escaped"),
    [
        ("| [[tea|Tea]] | hot |", r"| [[tea\|Tea]] | hot |"),
        (r"| [[tea\|Tea]] | hot |", r"| [[tea\|Tea]] | hot |"),
        ("| [[tea]] | [[pot|Pots]] |", r"| [[tea]] | [[pot\|Pots]] |"),
        ("[[tea|Tea]] is hot.", "[[tea|Tea]] is hot."),
        ("| a [[ | b ]] |", "| a [[ | b ]] |"),
        ("| Hot | `A || B`, or `C` |", r"| Hot | `A \|\| B`, or `C` |"),
        (r"| Hot | ``A \| `B` | C`` | `D` |", r"| Hot | ``A \| `B` \| C`` | `D` |"),
        ("| a ` b | c ` d |", "| a ` b | c ` d |"),
        ("`A || B` is hot.", "`A || B` is hot."),
    ],
)
def test_a_link_and_code_that_a_model_writes_do_not_end_their_cell(written: str, escaped: str) -> None:
    assert tables.with_bars_in_cells(written) == escaped
