"""The catalogue shows one commit, however it came to show it."""

from __future__ import annotations

import sqlite3
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.repository.catalogue import Catalogue, Delta, PageRow, searchable
from curator.wiki.pages.page import Page, is_page
from curator.wiki.wiki import usual_folder
from support.catalogues import HISTORIES, shown
from support.pages import laws, page


@laws
@given(HISTORIES)
def test_a_catalogue_that_followed_every_change_equals_a_fresh_one(history: list[dict[str, str | None]]) -> None:
    texts: dict[str, str] = {}
    catalogue = Catalogue.open(None)
    for number, changes in enumerate(history):
        deltas = [Delta(path, texts.get(path), text) for path, text in changes.items()]
        assert catalogue.update(catalogue.commit, f"commit {number}", deltas)
        texts = {path: text for path, text in {**texts, **changes}.items() if text is not None}

    fresh = Catalogue.of_pages(Page(path, text) for path, text in texts.items() if is_page(path, text))

    assert shown(catalogue) == shown(fresh)
    assert catalogue.others() == sorted(path for path, text in texts.items() if not is_page(path, text))


PAGES = [
    page("tea", "Tea is a hot drink of [[camellia]]. See [[Cups]].", metadata={"curator": {"aliases": ["chai"]}}),
    page("cup", "A cup holds a drink. Tea, mostly."),
    page("camellia", "A shrub with leaves.", kind="entity"),
    page("green-tea", "緑茶は日本で飲まれている。", title="緑茶"),
    page("uber", "Über den Tee."),
]


def test_words_are_searched_in_every_script_and_form() -> None:
    catalogue = Catalogue.of_pages(PAGES)

    assert catalogue.search("chai", 9)[0][0] == "tea"
    assert catalogue.search("cups", 9)[0][0] == "cup"
    assert [slug for slug, _ in catalogue.search("日本で飲", 9)] == ["green-tea"]
    assert [slug for slug, _ in catalogue.search("uber", 9)] == ["uber"]
    assert [slug for slug, _ in catalogue.search("shrub nonsense", 9)] == ["camellia"]


def test_the_page_that_says_most_about_it_comes_first() -> None:
    pages = [page(f"note-{n}", f"Notes of day {n}, nothing else.") for n in range(9)]
    pages += [page("a-visit", "We drank tea."), page("tea", "Tea is a drink. Tea is hot. Tea is green.")]
    catalogue = Catalogue.of_pages(pages)

    assert [slug for slug, _ in catalogue.search("tea", 9)] == ["tea", "a-visit"]
    assert catalogue.similar("All about hot green tea, a drink.", 2) == ["tea", "a-visit"]
    assert all(score > 0 for _, score in catalogue.search("tea", 9))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Where is the green tea of the shop brewed?", ["brewing", "green-tea", "tea-shop"]),
        ('"green tea"', ["brewing", "green-tea"]),
        ('"green tea" brewed', ["brewing", "green-tea"]),
        ("tea -shop", ["brewing", "green-tea"]),
        ('tea -"green tea"', ["tea-shop"]),
        ("-tea", []),
        ('"drink water"', []),
    ],
)
def test_any_word_of_a_question_will_do_a_phrase_has_to_stand_there_and_minus_leaves_out(
    words: str, expected: list[str]
) -> None:
    pages = [
        page("green-tea", "Green tea is a drink."),
        page("brewing", "A green tea is brewed with water."),
        page("tea-shop", "The shop sells black tea."),
    ]

    assert sorted(slug for slug, _ in Catalogue.of_pages(pages).search(words, 9)) == expected


@pytest.mark.parametrize(
    "words", ["", "!!!", '"', "AND", "NEAR(", "a*", "title:tea", "-tea", "'; DROP TABLE page", "\x00", "^"]
)
def test_no_search_is_a_syntax_error(words: str) -> None:
    Catalogue.of_pages(PAGES).search(words, 5)


@laws
@given(st.text(max_size=40))
def test_any_text_can_be_searched_and_compared(text: str) -> None:
    catalogue = Catalogue.of_pages(PAGES[:2])

    assert len(catalogue.search(text, 1)) <= 1
    assert len(catalogue.similar(text, 1)) <= 1


def test_an_empty_catalogue_answers() -> None:
    catalogue = Catalogue.of_pages([])

    assert (list(catalogue.entries()), catalogue.similar("tea", 5), catalogue.search("tea", 5)) == ([], [], [])
    assert catalogue.by_slug("tea") is None
    assert catalogue.commit == ""


def test_the_newest_pages_come_first_and_those_without_a_time_last() -> None:
    times = {"a": "2026-01-02T00:00:00Z", "b": "", "c": "2026-03-01T00:00:00Z", "d": "2025-12-31T23:00:00Z"}
    catalogue = Catalogue.of_pages([page(slug, "x", updated_at=time) for slug, time in times.items()])

    assert [entry.slug for entry in catalogue.newest(9)] == ["c", "a", "d", "b"]
    assert [entry.slug for entry in catalogue.newest(2)] == ["c", "a"]


def test_a_page_that_cannot_be_read_is_known_by_its_file_name() -> None:
    catalogue = Catalogue.of_pages([Page("concepts/odd.md", "---\na: *b\n---\nTea inside.")])

    entry = catalogue.by_slug("odd")
    assert entry is not None
    assert (entry.title, entry.kind) == ("odd", "page")
    assert [slug for slug, _ in catalogue.search("tea", 5)] == ["odd"]


def test_files_that_are_no_pages_are_read_and_not_listed() -> None:
    catalogue = Catalogue.of_pages(PAGES[:1], {"AGENTS.md": "Be brief."})

    assert catalogue.read("AGENTS.md") == "Be brief."
    assert catalogue.count() == 1


def test_new_pages_follow_the_habits_of_the_wiki() -> None:
    moved = [
        Page(f"entries/concepts/{p.path.rpartition('/')[2]}", p.text.replace("knowledge/v1", "knowledge.entry/v1"))
        for p in PAGES[:2]
    ]

    conventions = Catalogue.of_pages([*moved, PAGES[2]]).conventions()

    assert conventions.dialect == "knowledge.entry/v1"
    assert conventions.folders["concept"] == "entries/concepts"
    assert conventions.folders["timeline"] == "timelines"


def test_a_catalogue_in_a_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "catalogue.sqlite"
    first = Catalogue.open(path)
    first.update("", "abc", [Delta(PAGES[0].path, None, PAGES[0].text)])
    first.close()

    second = Catalogue.open(path)

    assert (second.commit, second.count()) == ("abc", 1)
    second.close()


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\x00" + b"\xff" * 500])
def test_a_broken_catalogue_is_made_anew(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "catalogue.sqlite"
    path.write_bytes(content)

    catalogue = Catalogue.open(path)

    assert (catalogue.commit, catalogue.count()) == ("", 0)
    catalogue.close()


def test_a_catalogue_of_another_version_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    Catalogue.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value='0' WHERE key='version'")
    connection.close()

    catalogue = Catalogue.open(path)

    assert catalogue.commit == ""
    catalogue.close()


@pytest.mark.parametrize("end", ["made", "made while it is read", "broken off"])
def test_however_making_it_ends_it_has_its_indexes(tmp_path: Path, end: str) -> None:
    catalogue = Catalogue.open(tmp_path / "catalogue.sqlite")
    rows = [PageRow.of(each.path, each.text, "") for each in PAGES]
    catalogue.make("", "abc", rows)
    query = "SELECT count(*) FROM sqlite_master WHERE type='index'"
    reading = catalogue._db.execute("SELECT path FROM page") if end == "made while it is read" else None
    assert reading is None or reading.fetchone()

    with pytest.raises(ZeroDivisionError) if end == "broken off" else nullcontext():
        catalogue.make("abc", "def", (row for row in rows if end != "broken off" or 1 / 0))

    fresh = Catalogue.open(None)
    assert catalogue._db.execute(query).fetchone() == fresh._db.execute(query).fetchone()
    assert (catalogue.commit, catalogue.count()) == ("abc" if end == "broken off" else "def", len(PAGES))
    catalogue.close()


def test_runs_without_spaces_are_parted_into_pairs() -> None:
    assert searchable("Tea 緑茶飲 x").split() == ["Tea", "緑茶", "茶飲", "x"]
    assert searchable("茶").split() == ["茶"]


@pytest.mark.parametrize(
    "paths, expected",
    [
        ([], ""),
        (["a.md"], ""),
        (["a.md", "b.md", "x/c.md"], "x"),
        (["x/a.md", "x/b.md", "y/c.md"], "x"),
        (["e/2025/a.md", "e/2025/b.md", "e/2026/c.md"], "e/2026"),
        (["e/2025/a.md", "e/2025/b.md", "f/2026/c.md", "e/c.md"], "e/2025"),
        (["e/2025/a.md", "e/notes/b.md"], "e/notes"),
        (["2025/a.md", "2026/b.md"], "2026"),
        (["e/12025/a.md", "e/22025/b.md", "e/12025/c.md"], "e/12025"),
    ],
)
def test_the_usual_folder_is_that_of_most_or_of_the_newest_year(paths: list[str], expected: str) -> None:
    assert usual_folder(paths) == expected


def test_types_of_the_wikis_own_have_kind_and_place_of_their_own() -> None:
    review = "---\nschema: knowledge.entry/v1\nslug: s\nkind: case-review\ntitle: S\n---\n# S\n"
    customer = "---\nschema: knowledge/v1\nkind: entity\ntitle: C\nmetadata: {curator: {type: Customer}}\n---\n# C\n"
    torn = Page("concepts/torn.md", "---\nschema: [\n---\n# T\n")
    catalogue = Catalogue.of_pages(
        [Page("entries/reviews/s.md", review), Page("entities/customers/c.md", customer), torn]
    )

    conventions = catalogue.conventions()

    assert conventions.types == {
        "CaseReview": ("case-review", "entries/reviews"),
        "Customer": ("entity", "entities/customers"),
    }
    assert conventions.place_of("concept", "CaseReview") == ("case-review", "entries/reviews")
    assert conventions.place_of("concept") == ("concept", conventions.folders["concept"])
    assert catalogue.types() == {"CaseReview", "Customer", ""}
    assert "entries/reviews" in conventions.places


def test_kinds_without_pages_go_to_entries_where_pages_of_the_wikis_own_types_are() -> None:
    review = "---\nschema: knowledge.entry/v1\nslug: s\nkind: case-review\ntitle: S\n---\n# S\n"

    assert (
        Catalogue.of_pages([Page("entries/reviews/s.md", review)]).conventions().folders["concept"]
        == "entries/concepts"
    )
    assert Catalogue.of_pages([Page("reviews/s.md", review)]).conventions().folders["concept"] == "concepts"


def test_a_file_that_becomes_a_page_and_goes_again_is_followed() -> None:
    path, note = "notes/a.md", "# A\n"
    texts = [
        note,
        "---\nschema: knowledge/v1\nsupersedes: [b]\n---\n# A\n",
        "---\nschema: knowledge/v1\n---\n# A\n",
        note,
        None,
    ]
    catalogue = Catalogue.open(None)
    seen = []
    for number, (before, after) in enumerate(zip([None, *texts], texts, strict=False)):
        catalogue.update(catalogue.commit, str(number), [Delta(path, before, after)])
        seen.append((catalogue.others(), catalogue.count(), catalogue.superseding("b")))

    assert seen == [([path], 0, []), ([], 1, [path]), ([], 1, []), ([path], 0, []), ([], 0, [])]
