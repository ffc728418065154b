"""Slugs are short, plain, stable, and no file system refuses them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.wiki.pages.slug import is_slug, slug_of_file, slugify
from support.pages import laws


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Café Noir (2nd)", "cafe-noir-2nd"),
        ("The AI Act", "the-ai-act"),
        ("Straße", "strasse"),
        ("Smørrebrød & Æbler", "smorrebrod-aebler"),
        ("Łódź", "lodz"),
        ("Beekeeper’s Almanac", "beekeepers-almanac"),
        ("snake_case names", "snake-case-names"),
        ("ＰＥＰ ４２７", "pep-427"),
        ("PEP 427 – The Wheel", "pep-427-the-wheel"),
        ("../../etc/passwd", "etc-passwd"),
        ("研究", "u7814u7a76"),
        ("CON", "con-page"),
        ("R", "r-page"),
        ("C", "c-page"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        ("issue #5", "issue-5"),
        ("😀 !?", ""),
        ("", ""),
    ],
)
def test_a_title_gives_its_slug(title: str, slug: str) -> None:
    assert slugify(title) == slug


@pytest.mark.parametrize(
    ("one", "other"),
    [("ガラス", "カラス"), ("한국", "한글"), ("Чай", "Час"), ("की", "का"), ("C", "C++"), ("C++", "C#"), ("ไก่", "ไข่")],
)
def test_different_words_in_any_script_give_different_slugs(one: str, other: str) -> None:
    assert slugify(one) != slugify(other)


def test_a_korean_title_is_named_by_syllables_not_by_letters() -> None:
    assert slugify("한국") == "ud55cuad6d"


@pytest.mark.parametrize(
    "text", ["a", "-ab", "ab-", "Ab", "a b", "con", "lpt1", "a/b", "../ab", "ab\n", "é1", "a" * 97, ""]
)
def test_what_no_slug_is(text: str) -> None:
    assert not is_slug(text)


@pytest.mark.parametrize("text", ["ab", "a-b", "2026-04-15-notes", "console", "a" * 96])
def test_what_a_slug_is(text: str) -> None:
    assert is_slug(text)


@laws
@given(st.text(max_size=200))
@example("com1")
@example("x" * 79 + " y")
@example("ʼn\u0345ẛ̣")
def test_any_text_gives_a_slug_or_nothing(title: str) -> None:
    slug = slugify(title)

    assert slug == "" or is_slug(slug)


@laws
@given(st.text(max_size=60))
def test_the_slug_of_a_slug_is_itself(title: str) -> None:
    slug = slugify(title)

    assert slugify(slug) == slug


@laws
@given(st.text(alphabet="aAbBéÉ -'", max_size=40))
def test_case_is_nothing_to_a_slug(title: str) -> None:
    assert slugify(title.upper()) == slugify(title.lower())


@laws
@given(st.text(alphabet="abc09-_. éC", max_size=12), st.integers(2, 90))
@example("con", 80)
@example("com1", 80)
def test_what_is_a_slug_already_stays(title: str, limit: int) -> None:
    slug = slugify(title, limit)

    assert slugify(slug, limit) == slug or not is_slug(slug)


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("sources/a/PEP 427.rst", "pep-427"),
        ("sources/notes.tar.gz", "notes-tar"),
        ("sources/.hidden", "hidden"),
        ("sources/a.b/c", "c-page"),
        ("sources/end.", "end"),
        ("x.md", "x-page"),
    ],
)
def test_a_file_gives_its_slug_without_its_suffix(path: str, slug: str) -> None:
    assert slug_of_file(path) == slug
