"""One thing has one page, however its name is spelt; two things have two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.pages.names import keys_in, name_key
from support.pages import laws


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the AI Act", "AI Acts"),
        ("ai-act", "AI Act"),
        ("Wheel", "wheels"),
        ("Query", "queries"),
        ("Batch", "Batches"),
        ("Box", "boxes"),
        ("Café", "CAFE"),
        ("Beekeeper’s almanac", "beekeeper's almanac"),
        ("Die Bundesbank", "Bundesbank"),
        ("L’été", "l'ete"),
        ("Ёлка", "ЕЛКА"),
        ("ＰＥＰ　４２７", "PEP 427"),
        ("한국", "한국"),
        ("snake_case", "snake case"),
    ],
)
def test_two_spellings_are_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ガラス", "カラス"),
        ("はは", "ばば"),
        ("研究", "研究所"),
        ("की", "का"),
        ("ไก่", "ไข่"),
        ("C", "C++"),
        ("C", "C#"),
        ("C++", "C#"),
        ("Python 3.1", "Python 3.11"),
        ("virus", "viru"),
        ("analysis", "analysi"),
        ("class", "clas"),
        ("HTTP/1", "HTTP/2"),
    ],
)
def test_two_things_have_two_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize("name", ["the", "A", "Die"])
def test_an_article_alone_is_a_name(name: str) -> None:
    assert name_key(name) == name.casefold()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Oxalic acid", "They used oxalic\nacid in winter."),
        ("AI Act", "Since the AI-Acts came, all is well."),
        ("Wheel", "Wheels are archives."),
        ("EU", "The EU's budget."),
        ("蜜蜂", "我们研究蜜蜂的行为。"),
        ("ガラス", "これはガラスです。"),
        ("한국 은행", "어제 한국 은행 발표."),
        ("Bienenstock", "Der Bienenstock ist leer."),
        ("Château Margaux", "le château Margaux a gagné"),
        ("Чайный куст", "Это чайный куст, и он зелёный."),
        ("C++", "It is written in C++, mostly."),
    ],
)
def test_a_name_is_found_in_a_text(name: str, text: str) -> None:
    assert name_key(name) in keys_in(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("acid winter", "They used oxalic acid. Winter came."),
        ("tea cup", "They drank tea.\n\nCups broke."),
        ("C", "It is written in C++."),
        ("ガラス", "カラスが鳴く。"),
        ("wheel", "A wheelbarrow."),
    ],
)
def test_a_name_is_not_found_where_it_is_not(name: str, text: str) -> None:
    assert name_key(name) not in keys_in(text)


def test_mentions_are_counted() -> None:
    assert keys_in("Tea. The teas, and tea!")["tea"] == 3


@laws
@given(st.text(alphabet="abcxyz éÉöñ-’", max_size=40))
def test_case_is_nothing_to_a_name(name: str) -> None:
    assert name_key(name.upper()) == name_key(name)


@laws
@given(st.lists(st.from_regex(r"[a-zäöüé]{1,9}", fullmatch=True), min_size=1, max_size=6))
def test_every_name_of_up_to_six_words_is_found_in_its_own_text(words: list[str]) -> None:
    name = " ".join(words)

    assert name_key(name) in keys_in(f"Before {name} after")


@laws
@given(st.text(max_size=200))
def test_any_text_has_keys_that_are_not_empty(text: str) -> None:
    assert all(key and count > 0 for key, count in keys_in(text).items())
