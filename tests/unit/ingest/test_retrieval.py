"""Which pages a source touches: the right ones, within a budget that never grows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.ingest.retrieval import Affected, affected_pages
from curator.models.port import Budget, estimate_tokens
from curator.repository.catalogue import Catalogue
from curator.wiki.index import names
from curator.wiki.pages.page import Page
from curator.wiki.wiki import PageEntry, Wiki
from support.pages import laws, page, source

TEA = page("tea", "Tea is brewed from [[camellia]].", metadata={"curator": {"aliases": ["chai"]}})
CAMELLIA = page("camellia", "A shrub of Asia.", kind="entity")
KETTLE = page("kettle", "Boils water for [[tea]].")
CHEESE = page("cheese", "Milk, rennet and time.")


def chosen(text: str, *pages: Page, own: tuple[str, ...] = (), budget: Budget | None = None) -> Affected:
    catalogue = Catalogue.of_pages(pages)
    return affected_pages(source(text), Wiki(catalogue), catalogue, own, budget or Budget())


def slugs(found: Affected) -> list[str]:
    return [page.slug for page in found.pages] + [entry.slug for entry in found.entries]


@pytest.mark.parametrize("text", ["On Teas.", "We drank chai today.", "TEA", "the (tea)"])
def test_a_page_whose_name_stands_in_the_source_comes_first(text: str) -> None:
    assert slugs(chosen(text, CHEESE, KETTLE, CAMELLIA, TEA))[0] == "tea"


def test_pages_one_link_away_come_too() -> None:
    found = slugs(chosen("Tea.", TEA, CAMELLIA, KETTLE, CHEESE))

    assert (found[0], set(found[1:3]), found[3:]) == ("tea", {"camellia", "kettle"}, ["cheese"])


def test_the_room_for_names_goes_to_the_other_pages_by_their_slugs() -> None:
    others = [page(f"other-{n:03}", "Nothing of the kind.") for n in range(400)]
    taken = names(PageEntry.of(others[0]))
    budget = Budget(lines=10 * estimate_tokens(taken))

    small, large = chosen("Tea.", TEA, CHEESE, *others[:2]), chosen("Tea.", TEA, *others, budget=budget)

    assert (slugs(small), small.more) == (["tea", "cheese", "other-000", "other-001"], 0)
    assert (slugs(large), large.more) == (["tea", *(f"other-{n:03}" for n in range(10))], 390)
    assert slugs(chosen("Tea.", TEA, *others, budget=Budget(whole=True))) == ["tea"]


def test_a_page_that_only_speaks_alike_is_found() -> None:
    others = [page(f"other-{n}", "Nothing of the kind.") for n in range(9)]

    assert "cheese" in slugs(chosen("It takes rennet and much time.", CHEESE, *others))


def test_pages_of_an_earlier_version_come_before_all() -> None:
    assert slugs(chosen("Tea.", TEA, CAMELLIA, KETTLE, CHEESE, own=("cheese", "gone")))[:2] == ["cheese", "tea"]


def test_nothing_is_like_it_in_an_empty_wiki() -> None:
    assert chosen("Tea.") == Affected((), ())


def test_a_page_that_does_not_fit_is_an_index_line() -> None:
    long = page("tea", "Tea. " * 4000)

    found = chosen("Tea.", long, CHEESE)

    assert (found.pages, [entry.slug for entry in found.entries]) == ((), ["tea", "cheese"])


def test_a_page_whose_head_cannot_be_read_is_never_shown_whole() -> None:
    found = chosen("On odd things.", Page("concepts/odd.md", "---\na: *b\n---\nOdd."))

    assert (found.pages, [entry.slug for entry in found.entries]) == ((), ["odd"])


@laws
@given(
    st.lists(st.integers(0, 600), max_size=12),
    st.builds(Budget, st.integers(0, 1200), st.integers(0, 60), st.booleans()),
)
def test_the_budget_is_never_exceeded(lengths: list[int], budget: Budget) -> None:
    pages = [page(f"tea-{n}", "Tea time. " * length) for n, length in enumerate(lengths)]

    found = chosen("tea 0, tea 1, tea 2, tea 3, tea 4, tea 5, tea time", *pages, budget=budget)

    assert sum(estimate_tokens(found.shown.get(page.slug, page.prose)) for page in found.pages) <= budget.pages
    assert sum(estimate_tokens(names(entry)) for entry in found.entries) <= budget.lines
    assert len(slugs(found)) == len(set(slugs(found)))


def test_what_is_shown_does_not_grow_with_the_wiki() -> None:
    def cost(size: int) -> int:
        pages = [page(f"note-{n}", f"Tea and water, day {n}. " * 8) for n in range(size)]
        found = chosen("Tea and water. Tea.", TEA, *pages)
        assert found.pages[0].slug == "tea"
        return sum(estimate_tokens(found.shown.get(page.slug, page.prose)) for page in found.pages) + sum(
            estimate_tokens(names(entry)) for entry in found.entries
        )

    budget = Budget()

    assert cost(1600) <= budget.pages + budget.lines
    assert cost(1600) <= cost(400) * 1.05


def test_the_choice_is_the_same_whatever_the_order_of_the_pages() -> None:
    pages = [TEA, CAMELLIA, KETTLE, CHEESE, *(page(f"tea-{n}", "Tea and water.") for n in range(20))]

    assert slugs(chosen("Tea and water.", *pages)) == slugs(chosen("Tea and water.", *reversed(pages)))


@pytest.mark.parametrize(("text", "least", "most"), [("", 1, 1), ("word " * 100, 100, 150), ("茶" * 90, 45, 90)])
def test_tokens_are_estimated(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


def test_a_statement_that_the_source_changes_is_shown_from_a_page_that_it_does_not_name() -> None:
    drying = page(
        "drying",
        "Leaves are dried in the shade. [^a-1]\n\n"
        "- Withered leaves cannot be rolled by machine. [^a-2]\n- It takes a day. [^a-3]",
    )
    others = [page(f"tea-{n}", "Tea and water and a long afternoon in the garden. " * 12) for n in range(40)]

    found = chosen(
        "Tea and water. Tea.\n\nSince the second edition withered leaves can be rolled by machine.",
        TEA,
        drying,
        *others,
    )

    assert "- Withered leaves cannot be rolled by machine. [^a-2]" in found.shown["drying"]
    assert "It takes a day" not in found.shown["drying"]


def test_the_summary_of_another_source_is_named_and_not_shown() -> None:
    other = page("pot", "A pot of tea takes water of 90 degrees. [^a-1]", kind="summary", sources=["sources/a.md"])

    found = chosen("A pot of tea takes water of 80 degrees.", other, TEA)

    assert "pot" in [entry.slug for entry in found.entries]
    assert "pot" not in [each.slug for each in found.pages]


def test_what_an_earlier_version_of_the_source_said_is_shown_first_where_the_source_says_it_least() -> None:
    mine = page(
        "tea",
        "Tea is hot. [^me-1]\n\n- A pot of tea takes water of 90 degrees. [^me-2]\n- A china cup is best. [^me-3]\n\n"
        '[^me-1]: sources/tea.txt#L1 "hot"\n[^me-2]: sources/tea.txt#L2 "pot"\n[^me-3]: sources/tea.txt#L3 "china"',
        sources=["sources/tea.txt"],
    )
    budget = Budget(pages=85)

    found = chosen("Tea is hot. A pot of tea takes water of 90 degrees.", mine, own=("tea",), budget=budget)

    assert found.shown["tea"].endswith("[...]\n\n- A china cup is best. [^me-3]")


@pytest.mark.parametrize("field", ["Replaces: 4", "| Supersedes | Tea note 4 |", "Obsoletes: tea-4"])
def test_what_rests_on_a_document_that_the_source_replaces_is_shown_before_all_else(field: str) -> None:
    note = page("tea-4", "On pots. [^a-1]", title="Tea note 4", kind="summary", sources=["sources/tea-4.txt"])
    pot = page(
        "pot",
        "A pot is a vessel of clay. [^b-1]\n\n- A pot must have a lid of brass. [^a-2]\n"
        "- A pot pours tea through a long spout. [^b-2]\n\n"
        '[^a-2]: sources/tea-4.txt#L3 "a lid of brass"\n[^b-1]: sources/b.txt#L1 "clay"\n'
        '[^b-2]: sources/b.txt#L2 "spout"',
    )
    text = f"Title: Tea note\n{field}\nStatus: Final\n\nA pot has a lid and pours tea by a spout.\n"
    budget = Budget(pages=95)

    found = chosen(text, note, pot, budget=budget).shown["pot"]
    without = chosen(text.replace(field, "Created: today"), note, pot, budget=budget).shown["pot"]

    assert "lid of brass" in found and "spout" not in found
    assert "spout" in without and "lid of brass" not in without
