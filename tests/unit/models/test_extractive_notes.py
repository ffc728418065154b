"""What the built-in curator tells of short notes: all of it, as it was written down."""

from __future__ import annotations

import pytest

from support.built_in import told

BOAT = "# The boat\n\nThe boat was built in 1968 and lies in the harbour of Arne.\n\n"


@pytest.mark.parametrize(
    "noted",
    [
        "rained. nothing done",
        "Moisture 16 %. Still waiting.",
        "New chainplates fit.",
        "Boat: 1968 Folkboat, bought from Mr Aske for 1,900",
        "- Jonas does the payroll.",
        "- chainplates arrived, wrong size",
        "Takings: 31,850. Costs: 33,120. That is a loss of 1,270.",
        "Loss of a key must be reported to keys@arne.example within a day.",
        "The plans are at https://arne.example/plans for everybody.",
    ],
)
def test_a_short_note_is_told_as_it_was_written_down(noted: str) -> None:
    assert noted.lstrip("- ") in told(f"{BOAT}## 16 Mar\n\n{noted}\n")


def test_a_short_section_is_told_from_its_first_words_on() -> None:
    text = f"{BOAT}## Level\n\nReturns the level.\n\n## Alarm\n\nSets an alarm. It needs a password.\n"

    assert told(text).endswith("## Level\n- Returns the level.\n## Alarm\n- Sets an alarm. It needs a password.")


@pytest.mark.parametrize("untold", ["See the table above.", "[](https://ci.example)", "Related: Lamps", "It?"])
def test_what_says_nothing_is_not_told_of_a_short_note_either(untold: str) -> None:
    assert untold not in told(f"{BOAT}{untold}\n")


def test_what_leans_on_words_that_are_not_told_is_not_told() -> None:
    assert "does not hold" not in told(f"{BOAT}Who minds the sail?\n\nThat does not hold on Sundays.\n")


def test_a_line_on_who_wrote_it_does_not_open_the_page() -> None:
    text = "# Bridge\n\nBy Marian Holt, 3 March\n\nThe bridge is closed to all traffic from 8 April on.\n"

    assert told(text) == (
        "The bridge is closed to all traffic from 8 April on.\n## Key points\n- By Marian Holt, 3 March"
    )


def test_the_days_of_a_diary_are_no_numbers_of_its_sections() -> None:
    text = "# Diary\n\n## 9 March\n\nWe sanded the port side.\n\n## 16 March\n\nWe painted the port side.\n"

    assert told(text) == "## 9 March\n- We sanded the port side.\n## 16 March\n- We painted the port side."


def test_numbers_that_go_up_are_no_part_of_a_heading() -> None:
    text = "# Log\n\n## 1 Deck\n\nWe sanded the port side.\n\n## 2. Hull\n\nWe painted the port side.\n"

    assert "## Hull\n" in told(text)


@pytest.mark.parametrize(
    "sentence",
    [
        "Die Maschine läuft nur Mo.–Sa. 7 bis 20 Uhr.",
        "Das Papier wird jeden 1. Mittwoch im Monat geholt.",
        "Ring the keeper, Tel. 0131 555 0142, if the lamp is out.",
        "By Def. 6.1 a queue is stable where it does not grow.",
    ],
)
def test_no_sentence_ends_at_what_is_short_before_a_number(sentence: str) -> None:
    assert sentence in told(f"# Haus\n\nDas Haus steht am Hafen von Arne. {sentence}\n")


def test_a_heading_in_bold_is_told_with_the_paragraph_that_it_begins() -> None:
    assert "Def. 6.3 (Use). It is the share of time." in told(f"{BOAT}**Def. 6.3 (Use).** It is the share of time.\n")
