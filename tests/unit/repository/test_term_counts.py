"""How many pages have a word: what is followed page by page is what counting anew gives; big wikis are searched sooner."""

from __future__ import annotations

from unittest import mock

from hypothesis import given

from curator.repository.catalogue import Catalogue, Delta, term_counts
from curator.wiki.pages.page import Page, is_page
from support.catalogues import HISTORIES, shown
from support.pages import laws, page


def counted(catalogue: Catalogue) -> dict[str, int]:
    return dict(catalogue._db.execute("SELECT term, doc FROM frequent"))


def told_by_fts(catalogue: Catalogue) -> dict[str, int]:
    return dict(catalogue._db.execute("SELECT term, doc FROM words_known"))


@laws
@given(HISTORIES)
def test_counts_that_followed_every_change_are_those_of_the_full_text(history: list[dict[str, str | None]]) -> None:
    texts: dict[str, str] = {}
    catalogue = Catalogue.open(None)
    with mock.patch.object(term_counts, "OFTEN", 1):
        for number, changes in enumerate(history):
            deltas = [Delta(path, texts.get(path), text) for path, text in changes.items()]
            catalogue.update(catalogue.commit, f"commit {number}", deltas)
            texts = {path: text for path, text in {**texts, **changes}.items() if text is not None}

            known = told_by_fts(catalogue)
            assert all(known.get(term, 0) == doc for term, doc in counted(catalogue).items())

        fresh = Catalogue.of_pages(Page(path, text) for path, text in texts.items() if is_page(path, text))
        assert shown(catalogue) == shown(fresh)
        assert counted(fresh) == told_by_fts(fresh)
    without = Catalogue.of_pages(Page(path, text) for path, text in texts.items() if is_page(path, text))
    assert not counted(without)
    assert fresh.similar("tea cup 緑茶 bee", 10) == without.similar("tea cup 緑茶 bee", 10)


def test_words_are_counted_again_when_a_wiki_has_doubled() -> None:
    catalogue = Catalogue.open(None)
    with mock.patch.object(term_counts, "OFTEN", 3):
        for number in range(8):
            text = page(f"p{number}", f"Tea number {number}.").text
            catalogue.update(catalogue.commit, f"{number}", [Delta(f"concepts/p{number}.md", None, text)])

    assert counted(catalogue)["tea"] == told_by_fts(catalogue)["tea"] == 8


def teas(count: int = 30) -> Catalogue:
    """Tea stands on every page, and is in the names of two; jasmine stands on every fifth."""
    pages = []
    for number in range(count):
        names = "Tea" if number < 2 else "Cup"
        words = "Tea again. " * (number % 4) + ("Jasmine." if number % 5 == 0 else "Water.")
        pages.append(page(f"p{number}", f"Tea. {words}", title=f"{names} {number}"))
    return Catalogue.of_pages(pages)


def test_a_word_of_most_pages_says_only_which_pages_of_the_others_come_first() -> None:
    catalogue = teas()
    in_full = [slug for slug, _ in catalogue.search("jasmine tea", 4)]
    with mock.patch.object(term_counts, "OFTEN", 2), mock.patch.object(term_counts, "COMMON", 2):
        catalogue = teas()
        sooner = [slug for slug, _ in catalogue.search("jasmine tea", 4)]

    assert sooner == in_full
    assert all(int(slug[1:]) % 5 == 0 for slug in sooner)


def test_where_no_word_tells_pages_with_one_in_their_names_come_first() -> None:
    with mock.patch.object(term_counts, "OFTEN", 2), mock.patch.object(term_counts, "COMMON", 2):
        catalogue = teas()

        assert {slug for slug, _ in catalogue.search("tea", 2)} == {"p0", "p1"}
        assert len(catalogue.search("tea", 10)) == 10
        assert len(catalogue.search("tea -jasmine", 1000)) == 24
        assert len(catalogue.search('"tea again" jasmine', 1000)) == 22
        assert catalogue.search("tea", 2, types=("Concept",)) == catalogue.search("tea", 2)
        assert catalogue.search("tea", 2, types=("Person",)) == []
