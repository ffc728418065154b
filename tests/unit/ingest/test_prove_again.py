"""A source has changed: what it still bears out, claim by claim."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator.ingest.drafting.withdrawals import Withdrawals
from curator.ingest.drafting.withdrawals.prove_again import prove_again
from curator.repository.catalogue import Catalogue
from curator.wiki.pages.page import ENTRY_DIALECT, Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.sources.source import Document, Source
from curator.wiki.support.judge import Judge
from curator.wiki.wiki import Wiki

BOILER = "sources/boiler.txt"
HEAD = "---\nschema: {dialect}\nslug: {slug}\nkind: concept\ntitle: Relief valve\nsources:\n{sources}confidence: 0.7\n---\n"


def valve(claim: str, *quotes: str, slug: str = "relief-valve", dialect: str = "knowledge/v1", more: str = "") -> Page:
    """A page with one claim by the boiler's document, and what ``more`` adds below."""
    name = "boiler" if dialect == ENTRY_DIALECT else BOILER
    head = HEAD.format(dialect=dialect, slug=slug, sources=f"- {name}\n- other\n")
    marks = "".join(f" [^b-{number}]" for number in range(1, len(quotes) + 1))
    notes = "".join(f'[^b-{number}]: {BOILER}#L1 "{quote}"\n' for number, quote in enumerate(quotes, start=1))
    return Page(f"concepts/{slug}.md", f"{head}\n# Relief valve\n\n{claim}{marks}\n\nIt is old. [^x]\n\n{notes}{more}")


def proven(page: Page, new: str, old: str | None = None, *pages: Page, **others: str) -> Withdrawals:
    """The page, and ``pages``, held against the new text; ``others`` are further sources by their stem."""
    source = Source(BOILER, "", Document.from_text(new), id="boiler")
    texts = {f"sources/{name}.txt": Document.from_text(text) for name, text in others.items()}
    if old is not None:
        texts[BOILER] = Document.from_text(old)
    wiki = Wiki(Catalogue.of_pages([page, *pages]))
    return prove_again(wiki, source, Judge(Evidence(BOILER, source.document)), texts.get)


def after(page: Page, found: Withdrawals) -> Page:
    settled = found.settled(found.wiki).page_at(page.path)
    assert settled is not None
    return settled


def gone(page: Page, found: Withdrawals) -> bool:
    return page.body.split("\n")[3] not in after(page, found).body


OPENS = "The relief valve opens at 3 bar."
AROUND = "Valves of boilers\n\nThe boiler stands in the cellar. {0} The seat is made of brass.\n"


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        (OPENS, True),
        ("the   relief valve\nopens at 3 bar.", True),
        ("*The relief valve* opens at 3 bar, and closes at 2 bar.", True),
        ("The relief valve opens at 4 bar.", False),
        ("The relief valve does not open at 3 bar.", False),
        ("It is not true that the relief valve opens at 3 bar.", False),
        ("The relief valve never opens at 3 bar.", False),
        ("The relief valve opens at 3 bar no longer.", False),
        ("It is wrong that the relief valve opens at 3 bar.", False),
        ("Nobody believes that the relief valve opens at 3 bar.", False),
        ("The relief valve opens at 3 bar only in winter.", False),
        ("~~The relief valve opens at 3 bar.~~", False),
        ("The relief valve opens at 3 bar, as it may in winter.", True),
        ("The relief valve opens at 3 bar unless it is blocked.", False),
        ("", False),
    ],
)
def test_a_claim_stands_while_its_words_do_and_nothing_turns_them(said: str, stands: bool) -> None:
    page = valve(OPENS, OPENS.removesuffix("."))

    found = proven(page, AROUND.format(said), AROUND.format(OPENS))

    assert gone(page, found) != stands
    assert [each.code for each in found.findings(found.wiki)] == ["claim_withdrawn"] * (not stands)


def test_a_sign_that_no_comparison_of_words_sees_counts() -> None:
    page = valve("It holds below 3 bar.", "pressure < 3 bar in the boiler")

    found = proven(page, "A pressure > 3 bar in the boiler.", "A pressure < 3 bar in the boiler.")

    assert gone(page, found)


def test_what_the_old_text_had_against_a_claim_already_does_not_count() -> None:
    """Another reader wrote the claim, or the rules on support are wrong: not the source has changed."""
    page = valve("All valves of Europe open in Fujian.", OPENS)

    assert not gone(page, proven(page, f"A new line.\n{OPENS}", OPENS))
    assert gone(page, proven(page, f"A new line.\n{OPENS}", None))


def test_without_the_old_text_a_claim_of_several_sources_falls_to_a_negation_only() -> None:
    page = valve("The relief valve of Fujian opens at 3 bar.", OPENS)
    page = replace(
        page,
        text=page.text.replace("[^b-1]\n\n", "[^b-1] [^o-1]\n\n", 1) + '[^o-1]: sources/o.txt#L1 "of Fujian it is"\n',
    )

    assert not gone(page, proven(page, f"Now.\n{OPENS}"))
    marked = after(page, proven(page, f"It is not true that {OPENS}"))
    assert "opens at 3 bar. [^o-1]" in marked.body


@pytest.mark.parametrize(
    ("other", "stays"),
    [("Everybody knows that the relief valve opens at 3 bar.", True), ("The relief valve is of brass and old.", False)],
)
def test_another_source_has_to_state_it_too(other: str, stays: bool) -> None:
    note = f'[^o-1]: sources/o.txt#L1 "{other.removesuffix(".")}"\n'
    page = valve(OPENS, OPENS, more=note)
    page = replace(page, text=page.text.replace("[^b-1]\n\n", "[^b-1] [^o-1]\n\n", 1))

    found = proven(page, "Nothing of that kind.", OPENS, o=other)

    assert ("opens at 3 bar. [^o-1]" in after(page, found).body) == stays
    assert [each.code for each in found.findings(found.wiki)] == ["citation_withdrawn" if stays else "claim_withdrawn"]


def test_the_rest_of_the_quotes_has_to_bear_the_claim_out() -> None:
    page = valve("The relief valve opens at 3 bar and is made of brass.", OPENS, "The relief valve is made of brass.")
    old = f"{OPENS} The relief valve is made of brass."

    assert gone(page, proven(page, "The relief valve is made of brass.", old))
    two = valve(OPENS, OPENS, "At 3 bar the relief valve opens wide.")
    kept = after(two, proven(two, OPENS, f"{OPENS} At 3 bar the relief valve opens wide."))
    assert f"{OPENS} [^b-1]\n" in kept.body and "[^b-2]" not in kept.body


def test_what_stands_is_cited_in_the_words_and_at_the_line_of_the_source() -> None:
    page = valve("The archive is unpacked.", "The archive is unpacked into a folder of the installer")

    found = proven(page, "First.\n\nThe archive is unpacked into\nthe folder of the installer.", None)

    assert '#L3-L4 "The archive is unpacked into the folder of the installer."' in after(page, found).text


@pytest.mark.parametrize("dialect", ["knowledge/v1", ENTRY_DIALECT])
def test_a_page_that_rests_on_the_source_no_more_lists_it_no_more(dialect: str) -> None:
    page = valve(OPENS, OPENS, dialect=dialect)

    assert after(page, proven(page, "Other words.", OPENS)).sources == ("other",)
    assert after(page, proven(page, f"More.\n{OPENS}", OPENS)).sources == page.sources


def test_pages_that_do_not_cite_it_are_not_looked_at() -> None:
    page = Page(
        "concepts/a.md", HEAD.format(dialect="knowledge/v1", slug="a", sources=f"- {BOILER}\n") + "\n# A\n\nIt is.\n"
    )

    found = proven(page, "Other words.", OPENS)

    assert (found.pages, dict(found.wiki.changed)) == (0, {})


def test_nothing_is_withdrawn_twice_or_brought_back() -> None:
    page = valve(OPENS, OPENS)
    once = after(page, proven(page, "Other words.", OPENS))

    assert after(once, proven(once, "Other words.", "Other words.")) == once


def test_a_claim_in_another_language_stands_by_its_words() -> None:
    said = "Das Ventil öffnet bei 3 bar und schließt wieder."
    page = valve(said, said)

    assert not gone(page, proven(page, f"Neu.\n{said}", said))
    assert gone(page, proven(page, said.replace("3", "4"), said))
    assert gone(page, proven(page, f"Es stimmt nicht: {said}", said))


POPPET = "The relief valve, also called the poppet, is old."
OTHER = '[^x]: sources/other.txt#L1 "It is old."\n'


@pytest.mark.parametrize(
    ("own", "old", "new", "other", "stands"),
    [
        (True, POPPET, "", "It is old.", False),
        (True, POPPET, "The relief valve is not called the poppet any more.", "It is old.", False),
        (True, POPPET, POPPET.replace("old", "of brass"), "It is old.", True),
        (True, POPPET, "", f"It is old. {POPPET}", True),
        (True, "", "", "It is old.", True),  # not by this source
        (False, POPPET, "", "It is old.", True),  # by the page's owner
        (True, None, "", "It is old.", True),  # who knows
    ],
)
def test_another_name_goes_that_nobody_gives_any_more(
    own: bool, old: str | None, new: str, other: str, stands: bool
) -> None:
    page = valve(OPENS, OPENS, more=OTHER).with_fields(aliases=["poppet"])
    page = page.with_fields(metadata={"curator": {"aliases": ["poppet"]}}) if own else page

    found = proven(page, f"{OPENS} {new}", None if old is None else f"{OPENS} {old}", other=other)

    assert (after(page, found).aliases == ("poppet",)) == stands
    assert [each.code for each in found.findings(found.settled(found.wiki))] == ["alias_withdrawn"] * (not stands)


HISS = "The relief valve does not open at 3 bar."
SAYS_SO = "Boilers contradicts what is said of the relief valve."


@pytest.mark.parametrize(
    ("old", "new", "stands"),
    [
        (HISS, "", False),
        (HISS, HISS, True),
        (f"{HISS} {SAYS_SO}", SAYS_SO, True),
        (f"{HISS} {SAYS_SO}", "", False),
    ],
)
def test_pages_contradict_each_other_while_somebody_says_what_does(old: str, new: str, stands: bool) -> None:
    page = valve(OPENS, OPENS).with_fields(contradicts=["boiler-summary"])
    disputed = f'{OPENS} [^x]\n\nContradicted: {HISS} [^b-1]\n\n{OTHER}[^b-1]: {BOILER}#L1 "{HISS}"\n'
    page = page.with_body(f"\n# Relief valve\n\n{disputed}")
    head = HEAD.format(dialect="knowledge/v1", slug="boiler-summary", sources=f"- {BOILER}\n")
    head = head.replace("concept", "summary").replace("Relief valve", "Boilers")
    text = f'{head}\n# Boilers\n\nIt is warm here. [^b-1]\n\n[^b-1]: {BOILER}#L1 "It is warm here."\n'
    own = Page("summaries/boiler-summary.md", text).with_fields(contradicts=["relief-valve"])

    found = proven(page, f"It is warm here. {new}", f"It is warm here. {old}", own, other="It is old.")

    assert [after(each, found).contradicts for each in (page, own)] == (
        [("boiler-summary",), ("relief-valve",)] if stands else [(), ()]
    )
