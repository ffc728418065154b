"""Names in a draft: what the source does not give is left out, told once, and nothing else is lost with it."""

from __future__ import annotations

import pytest

from curator.ingest.drafting.drafted import Draft
from curator.models.proposal import Add, Claim, Create, Mark, Operation
from curator.wiki.naming.terms import terms_of
from curator.wiki.naming.titles import title_fault
from curator.wiki.pages.page import LONGEST_TITLE, Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.workspace.workspace import CurationPolicy
from support.pages import claim, draft, page, source, wiki

TEXT = """# Thymol trial

Thymol, also called the autumn remedy, was laid on the hive for 6 weeks.
Oxalic acid dribble (OAD) is a winter treatment of the colony.
The trial took place on the valley's hives, and the hive was not approved by the EU.
"""
SOURCE = source(TEXT, "sources/thymol-trial.md")
LAID = claim("Thymol was laid on the hive for 6 weeks.", "was laid on the hive for 6 weeks")
WINTER = claim("Oxalic acid dribble is a winter treatment.", "Oxalic acid dribble (OAD) is a winter treatment")
THYMOL = page("thymol", "Thymol is a remedy.")


def create(title: str, *body: Claim, kind: str = "concept", aliases: tuple[str, ...] = ()) -> Create:
    return Create(op="create", kind=kind, title=title, aliases=aliases, body=body)


def worked(*operations: Operation, base: tuple[Page, ...] = (), grounding: str = "required") -> Draft:
    return draft(wiki(*base), SOURCE, *operations, policy=CurationPolicy(grounding=grounding))


def codes(found: Draft) -> list[str]:
    return [finding.code for finding in (*found.broken, *found.left_out)]


def test_a_page_without_a_name_is_not_made_and_links_to_it_are_words() -> None:
    see = claim("Thymol was laid on the hive for 6 weeks, see [[Miracle cure]].", *LAID.quotes)

    found = worked(create("Miracle cure", WINTER), create("Thymol", see))

    assert codes(found)[:1] == ["title_unknown"]
    assert [finding.places for finding in found.left_out][:1] == [("1",)]
    assert "concepts/miracle-cure.md" not in found.wiki.changed


def test_a_summary_that_is_titled_otherwise_is_titled_by_code() -> None:
    found = worked(create("Thymol kills all mites", LAID, kind="summary"))

    assert codes(found) == []
    assert [page.title for page in found.wiki.changed.values()] == ["Thymol trial"]


def test_a_summary_takes_no_other_pages_name_then() -> None:
    other = page("thymol-trial-page", "A trial.", title="Thymol trial")

    found = worked(create("Thymol kills all mites", LAID, kind="summary"), base=(other,))

    assert [found.wiki.changed[path].title for path in found.created] == ["Thymol trial (source)"]


def test_the_title_by_code_of_a_summary_is_no_longer_than_a_title_may_be() -> None:
    name = "thymol of the valley " * 11
    taken = source("Thymol was laid on the hive for 6 weeks.\n", f"sources/{name.strip().replace(' ', '-')}.md")
    other = page("valley-page", "A trial.", title=name[:LONGEST_TITLE].strip())

    found = draft(wiki(other), taken, create("Thymol kills all mites", LAID, kind="summary"))

    (title,) = (found.wiki.changed[path].title for path in found.created)
    assert title.endswith(" (source)") and len(title) <= LONGEST_TITLE


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("The *mite*fall and **a**b of Kiel", "The mitefall and ab of Kiel"),
        ("The *mite*fall of Kiel", "The mitefall of Kiel"),
        ("About this", "About this (source)"),  # such words are no name, alone
    ],
)
def test_a_summary_may_be_titled_as_code_reads_its_sources_title(heading: str, title: str) -> None:
    text = f"# {heading}\n\nThymol was laid on the hive for 6 weeks.\n"
    taken = source(text, "sources/fall.md")
    made = draft(wiki(), taken, create(title.removesuffix(" (source)"), LAID, kind="summary"))

    assert codes(made) == []
    assert [page.title for page in made.wiki.changed.values()] == [title]
    terms = terms_of(Evidence(taken.path, taken.document))
    assert title_fault("summary", title, terms, lambda name: False) == ""  # as the wall asks


@pytest.mark.parametrize("alias", ["the", "hive", "trial", "e", "Thymol " * 20, "EU", "oxalic acid dribble"])
def test_an_alias_that_the_source_does_not_give_is_left_out(alias: str) -> None:
    made = worked(create("Thymol", LAID, aliases=(alias.strip(), "autumn remedy")))
    marked = worked(Mark(op="mark", page="thymol", aliases=(alias.strip(), "autumn remedy")), base=(THYMOL,))

    for found in (made, marked):
        assert codes(found) == ["alias_unknown"]
        assert [page.aliases for page in found.wiki.changed.values()] == [("autumn remedy",)]


def test_what_the_model_calls_another_things_alias_goes_to_no_other_page() -> None:
    found = worked(create("Oxalic acid dribble", WINTER, aliases=("Thymol",)), base=(THYMOL,))

    assert found.created == ("concepts/oxalic-acid-dribble.md",)
    assert found.updated == ()


def test_two_pages_of_one_proposal_do_not_share_a_name() -> None:
    both = (create("Oxalic acid dribble", WINTER, aliases=("OAD",)), create("OAD", WINTER))

    assert len(worked(*both).created) == 1 or "alias_unknown" in codes(worked(*both))


def test_a_heading_that_states_goes_and_what_stands_under_it_stays() -> None:
    found = worked(create("Thymol", claim("## Approved by the EU"), LAID, claim("## Hives"), LAID))

    assert codes(found) == ["label_unknown"]
    assert [finding.places for finding in found.left_out] == [("1.1",)]
    (made,) = found.wiki.changed.values()
    assert [block.text for block in made.outline.headings] == ["Thymol", "Hives"]
    assert "was laid on the hive" in made.body


def test_a_heading_of_the_source_may_be_shortened() -> None:
    text = "# Trial\n\n## No late oxalic treatment\n\nThymol was laid on the hive for 6 weeks.\n"
    body = (claim("## No oxalic treatment"), LAID, claim("## No thymol treatment"), LAID)

    found = draft(wiki(), source(text, "sources/trial.md"), create("Thymol", *body), policy=CurationPolicy())

    (made,) = found.wiki.changed.values()
    assert [block.text for block in made.outline.headings] == ["Thymol", "No oxalic treatment", "Further points"]


def test_a_section_that_states_is_not_made() -> None:
    found = worked(Add(op="add", page="thymol", section="Kills all bees", body=(LAID,)), base=(THYMOL,))

    assert codes(found) == ["label_unknown"]
    (changed,) = found.wiki.changed.values()
    assert "Kills" not in changed.body and "was laid on the hive" in changed.body


def test_where_claims_need_no_evidence_titles_and_headings_need_none() -> None:
    found = worked(create("A lovely remedy", claim("## Much loved"), LAID), grounding="recommended")

    assert codes(found) == []
    assert found.created == ("concepts/a-lovely-remedy.md",)


UNIONS = source(
    "# Writing union types as `X | Y`\n\nThe operator `X | Y` is a union of X and of Y.\n\n"
    "| Name | In short |\n|---|---|\n| X | Y |\n",
    "sources/unions.md",
)
UNION = claim("The operator `X | Y` is a union of X and of Y.", "The operator `X | Y` is a union of X and of Y")


@pytest.mark.parametrize(
    ("written", "title"),
    [
        (create("X", UNION, aliases=("Y",)), "X | Y"),
        (create("Writing union types as X", UNION, kind="summary", aliases=("Y",)), "Writing union types as X | Y"),
        (create("Name", UNION, aliases=("In short",)), "Name"),  # the head of a table is no name
    ],
)
def test_a_title_keeps_the_bar_that_its_source_writes(written: Create, title: str) -> None:
    made = draft(wiki(), UNIONS, written, policy=CurationPolicy())

    assert [page.title for page in made.wiki.changed.values()] == [title]
    assert [code for code in codes(made) if title != "Name"] == []


def test_an_alias_that_the_source_gives_is_one_though_it_stands_behind_a_bar() -> None:
    text = "# Options\n\nVerbose mode, also called talkative mode, is `Verbose mode | talkative mode`.\n"
    mode = claim("Verbose mode is also called talkative mode.", "Verbose mode, also called talkative mode")
    made = draft(wiki(), source(text), create("Verbose mode", mode, aliases=("talkative mode",)))

    assert [(page.title, page.aliases) for page in made.wiki.changed.values()] == [
        ("Verbose mode", ("talkative mode",))
    ]


def test_an_innocent_source_after_the_attack_finds_a_wiki_as_an_honest_one_leaves_it() -> None:
    honest = create("Thymol", LAID)
    hostile = create("Thymol", LAID, aliases=("the", "hive", "trial", "e", "colony"))
    later = create("Oxalic acid dribble", WINTER)

    def after(first: Create) -> list[str]:
        made = worked(first).wiki.changed["concepts/thymol.md"]
        second = worked(later, base=(made,))
        return [page.text for page in second.wiki.changed.values()]

    assert after(hostile) == after(honest)
