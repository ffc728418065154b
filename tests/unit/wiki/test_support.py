"""What holds for any claim and any source."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.english.quantities import dates, quantities
from curator.wiki.english.stems import stem
from curator.wiki.english.words import phrase
from curator.wiki.sources.layout import Layout
from curator.wiki.sources.source import Document
from curator.wiki.support.judge import judge
from support.claim_cases import claim_cases
from support.pages import laws

SOURCES = {case.file: case.source for case in claim_cases()}
SENTENCES = [
    (source, " ".join(layout.text[start:end].split()))
    for source in SOURCES.values()
    for layout in [Layout(Document.from_text(source))]
    for at, block in enumerate(layout.blocks)
    if block.kind in ("paragraph", "item")
    for start, end in layout.sentences(at, block.start, block.end)
    if end - start > 30
]
ORDINARY = "The fox has 12 dogs from a to b, if it likes. "
NO_CLAIMS = {"told_to_readers", "order_to_reader", "set_aside"}
"""What is no claim even where the source says it word by word: orders, and what it lists among myths."""


def ordinary(length: int, mark: str) -> str:
    """A usual text; ``mark`` makes it one of its own, since what was read is kept."""
    return (ORDINARY * (length // len(ORDINARY) + 1))[:length] + mark


def seconds(work: Callable[[], object]) -> float:
    """What ``work`` takes of a processor: to be compared with other work, since a machine has other things to do."""
    began = process_time()
    work()
    return process_time() - began


@laws
@given(st.sampled_from(SENTENCES))
def test_the_very_words_of_a_source_are_supported(sentence: tuple[str, str]) -> None:
    source, said = sentence

    found = judge(said, [said], Document.from_text(source)).findings
    assert {finding.code for finding in found} <= NO_CLAIMS


@laws
@given(st.sampled_from(SENTENCES), st.integers(min_value=20_000))
def test_a_number_that_the_source_does_not_have_is_found(sentence: tuple[str, str], number: int) -> None:
    source, said = sentence

    verdict = judge(f"{said.rstrip('.')}, in {number}7 places.", [said], Document.from_text(source))

    assert {"number_unknown", "token_unknown"} & {finding.code for finding in verdict.findings}


@laws
@given(st.text(max_size=300), st.text(max_size=200), st.text(max_size=40))
def test_any_text_is_judged(source: str, claim: str, name: str) -> None:
    document = Document.from_text(f"{source}\n\nThe quick brown fox jumps over the lazy dog.\n{source}")

    verdict = judge(claim, ["quick brown fox jumps over"], document, [name])

    assert verdict.supported == (not verdict.findings)


@laws
@given(
    st.text("0123456789:.,-/+%°½×^e ²³–", min_size=1, max_size=12),
    st.sampled_from(("", " kg", " percent", " May 2020")),
)
def test_whatever_is_made_of_digits_and_marks_is_read(number: str, behind: str) -> None:
    text = phrase(f"The value is {number}{behind}.")

    assert all(quantity.value for quantity in quantities(text))
    assert all(date.shown for date in dates(text))


def test_a_month_cut_short_ends_no_sentence_before_a_number() -> None:
    layout = Layout(Document.from_text("It burnt on Dec. 24, 2015. It shut in Nov. The men left in May. 12 stayed."))

    told = [layout.text[start:end].strip() for start, end in layout.sentences(0, 0, len(layout.text))]

    assert told == ["It burnt on Dec. 24, 2015.", "It shut in Nov.", "The men left in May.", "12 stayed."]


@laws
@given(st.text(max_size=400))
def test_every_word_of_a_source_is_in_a_block_or_marks_one(text: str) -> None:
    layout = Layout(Document.from_text(text))

    starts = [block.start for block in layout.blocks]

    assert starts == sorted(starts) and all(block.start < block.end <= len(text) for block in layout.blocks)


def test_a_quote_that_is_not_in_the_source_has_the_code_of_the_evidence() -> None:
    verdict = judge("Bees fly.", ["bees are never seen to fly"], Document.from_text("Bees fly over the meadow."))

    assert [finding.code for finding in verdict.findings] == ["quote_missing"]


@pytest.mark.parametrize(
    ("claim", "codes"),
    [
        ("Bees fly over the meadow.", []),
        ("Bees fly over the meadow all year.", ["quote_missing", "quantifier_widened"]),
        ("Die Bienen sind nicht im Winter auf der Wiese.", ["quote_missing"]),
    ],
)
def test_a_bad_quote_is_let_go_when_another_one_carries_the_claim(claim: str, codes: list[str]) -> None:
    source = Document.from_text("Bees fly over the meadow.")

    verdict = judge(claim, ["bees are never seen to fly", "Bees fly over the meadow"], source)

    assert [finding.code for finding in verdict.findings] == codes


def test_a_quote_is_widened_to_its_sentence() -> None:
    source = Document.from_text("# Bees\n\nIn the laboratory, bees fly at night. They rest by day.")

    verdict = judge("Bees fly at night.", ["bees fly at night"], source)

    assert verdict.passages == ("In the laboratory, bees fly at night.",)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("twenty-one days", ["21"]),
        ("a hundred hives", ["100"]),
        ("three million", ["3000000"]),
        ("1,250 hives", ["1250"]),
        ("version 3.10.1", ["3.10.1"]),
        ("on 4 February 2023", []),
    ],
)
def test_numbers_are_read_in_digits_and_in_words(text: str, values: list[str]) -> None:
    assert [quantity.value for quantity in quantities(phrase(text))] == values


@pytest.mark.parametrize("text", ["4 February 2023", "Feb 4, 2023", "04-Feb-2023", "2023-02-04", "February 4th, 2023"])
def test_a_date_is_one_date_in_every_form(text: str) -> None:
    assert [(date.year, date.month, date.day) for date in dates(phrase(f"on {text} they met"))] == [(2023, 2, 4)]


@pytest.mark.parametrize(
    ("one", "other"), [("written", "writes"), ("configs", "configuration"), ("evaluation", "evaluated")]
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_markup_is_no_part_of_a_claim() -> None:
    marked = phrase(
        "- The [[load|loader]] is **not** `cached` by :func:`~files.load`, see `here <https://x.org/9>`_. [^a-1]"
    )

    assert marked.flat.strip() == "the loader is not cached by files load see here"


@pytest.mark.parametrize("piece", ["`` a ", "`a <", "_a", ":a", "a.", "__a", "[[", "*a ", "`", "1,", "a@", "-a"])
def test_a_hostile_text_takes_no_minutes(piece: str) -> None:
    text = piece * 8_000

    assert seconds(lambda: phrase(text)) < 30 * seconds(lambda: phrase(ordinary(len(text), piece)))


@pytest.mark.parametrize(
    "piece",
    [
        "fox 12 ",
        "- Fox: 4 May 1999\n",
        "| Fox | 12 |\n",
        "FOX\n\n",
        "   a\n\n",
    ],
)
def test_a_long_source_or_claim_takes_no_minutes(piece: str) -> None:
    def judged(text: str, quote: str) -> None:
        source = Document.from_text(f"{text}\n\nThe quick brown fox jumps over 13 dogs.")
        judge("The fox jumps over 14 dogs.", [quote, "quick brown fox jumps over"], source)
        judge(text[:4_000], ["quick brown fox jumps over"], source)

    hostile, usual = piece * (40_000 // len(piece)), ordinary(40_000, piece)

    assert seconds(lambda: judged(hostile, piece.strip(" -|\n") * 4)) < 30 * seconds(lambda: judged(usual, ORDINARY))


def test_a_word_that_is_parted_at_the_end_of_a_line_is_one() -> None:
    assert [word.text for word in phrase("an un‐\n   recognized form").words] == ["an", "unrecognized", "form"]
