"""What the built-in curator tells of short notes: all of it, as it was written down."""

from __future__ import annotations

import re

import pytest

from curator.models.proposal import Create
from support.built_in import pages, proposed, reading, told

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


MAIL = """\
From: Priya Raman <priya@school.example>
To: Tom Becker
Date: Tue, 14 Jan 2025 09:12
Subject: Re: Boiler in the east wing

Hi Tom,

the budget is 4,800 EUR for the whole year.

On Mon, 13 Jan 2025 at 17:40, Tom Becker <tom@becker.example>
wrote:
> The pump is fine. I was wrong about the tank, for it has a
> slow leak.
>
>> On Fri, 10 Jan 2025, Priya Raman wrote:
>> Tom, the east wing is cold again.

PS: yes to the tank, if it stays under 700 EUR.

Best,
Priya

--
Priya Raman
Facilities Manager
"""


def test_a_letter_tells_what_it_quotes_under_who_wrote_it() -> None:
    (made,) = proposed(MAIL, "text")
    assert isinstance(made, Create)

    assert made.title == "Boiler in the east wing"
    assert told(MAIL, "text") == (
        "the budget is 4,800 EUR for the whole year.\nPS: yes to the tank, if it stays under 700 EUR.\n"
        "## On Mon, 13 Jan 2025 at 17:40, Tom Becker wrote\n"
        "- The pump is fine. I was wrong about the tank, for it has a slow leak.\n"
        "## On Fri, 10 Jan 2025, Priya Raman wrote\n- Tom, the east wing is cold again."
    )


@pytest.mark.parametrize(
    ("one", "other"), [("Q", "A"), ("RN", "GA"), ("Rob", "Gwen"), ("**Rob", "**Gwen"), ("Rob Niemi", "Gwen Astley")]
)
def test_an_answer_of_an_interview_has_its_question_before_it(one: str, other: str) -> None:
    mark = ":**" if one.startswith("*") else ":"
    text = f"{one}{mark} And today?\n\n{other}{mark} Today I sell honey.\n\n"
    text += (
        f"{one}{mark} You began late. How did you get into bees?\n\n{other}{mark} By accident. They were my uncle's.\n"
    )
    said = "You began late. How did you get into bees? "

    found = told(f"# Talk\n\nGwen Astley keeps 26 hives on the roof of the library.\n\n{text}")
    assert said in found and "By accident. They were my uncle's." in found.partition(said)[2]


def test_lines_that_count_the_parts_of_a_text_are_its_headings() -> None:
    text = (
        "HAUSORDNUNG\nWohnhaus Lindenstraße 17\n\n1. Ruhe\nVon 13 bis 15 Uhr ist Ruhe im Haus zu halten.\n\n"
        "2. Treppe\n- Fahrräder gehören in den Keller des Hauses.\n\n3. Müll\nDie gelbe Tonne wird am Dienstag geholt.\n\n"
        "Hausverwaltung Krüger\n"
    )
    (made,) = proposed(text, "text")
    assert isinstance(made, Create)

    assert made.title == "Hausordnung"
    assert "## Treppe\n- Fahrräder gehören in den Keller des Hauses.\n## Müll\n" in told(text, "text")


def test_steps_whose_lines_were_filled_are_no_headings() -> None:
    steps = "\n\n".join(
        f"{n}. Take a clean jar of glass from the shelf in the kitchen, and fill\nit to {n} cm." for n in (1, 2, 3)
    )

    assert "## " not in told(f"Jars\n\nJars are filled in May by all of us here.\n\n{steps}\n", "text").replace(
        "## Key", ""
    )


def test_marks_before_items_are_told() -> None:
    engine = "## Engine\n\n+ runs well in the cold\n- smells of oil\n- loud when cold\n"
    text = f"{BOAT}{engine}\n## To do\n\n- [x] plank 7\n- [ ] name on the stern\n"

    found = told(text)
    assert "## Engine\n- \\+ runs well in the cold\n- \\- smells of oil\n- \\- loud when cold\n" in found
    assert found.endswith("## To do\n- [x] plank 7\n- [ ] name on the stern")


def test_lists_for_and_against_stand_under_the_thing_that_they_are_of() -> None:
    lists = "**{}**\nPros:\n- small\n- quiet\nCons:\n- no battery\n"
    text = f"# Which one\n\n{lists.format('Brixa')}\n{lists.format('Tenko')}"
    said = "- Pros:\n  - small\n  - quiet\n- Cons:\n  - no battery"

    assert told(text) == f"## Brixa\n{said}\n## Tenko\n{said}"


def test_lines_that_begin_with_a_name_in_bold_are_told_one_by_one() -> None:
    text = "# Outage\n\n**Severity:** high\n**Author:** Ines Calder\n\nThe till was down for an hour on Monday.\n"

    assert told(text) == (
        "The till was down for an hour on Monday.\n## Key points\n- Severity: high\n- Author: Ines Calder"
    )


def test_items_of_few_words_keep_their_numbers() -> None:
    text = f"{BOAT}## Verdict\n\n1. Brixa\n2. Morel, for the office\n3. Tenko\n"

    assert told(text).endswith("## Verdict\n1. Brixa\n2. Morel, for the office\n3. Tenko")


def test_fields_are_told_one_by_one_in_plain_text_too() -> None:
    text = "Flat to let\n\nRent: 780 EUR cold\nDeposit: 3 months' rent\n\nThe flat was renovated in 2021.\n"

    assert told(text, "text") == (
        "The flat was renovated in 2021.\n## Key points\n- Rent: 780 EUR cold\n- Deposit: 3 months' rent"
    )


def test_a_title_is_not_told_again() -> None:
    assert (
        told("Flat in Arne (no lift!)\n\nIt has two rooms and a balcony.\n", "text")
        == "It has two rooms and a balcony."
    )


def test_what_is_no_sentence_stays_under_the_name_of_whom_it_is_said_of() -> None:
    text = "# The Aldous family\n\n## John the elder\n\nMiller at Arne.\n\n## John the younger\n\nHis eldest son.\n"

    assert told(text) == "## John the elder\n- Miller at Arne.\n## John the younger\n- His eldest son."


def test_what_a_label_in_bold_leads_to_is_told_whatever_its_words() -> None:
    said = "What it is for: treatment of sleep problems. Not for children under 18."

    assert said in told("# Tablets\n\n**What it is for:** treatment of sleep problems. Not for children under 18.\n")


def test_steps_below_ingredients_are_a_list_of_their_own() -> None:
    text = (
        "# Recetas\n\n## Tortilla\nPara 4 personas.\n- 6 huevos\n- 500 g de patatas\n\n1. Pelar las patatas.\n"
        "2. Cuajar por ambos lados.\n"
    )

    assert told(text) == (
        "## Tortilla\n- Para 4 personas.\n  - 6 huevos\n  - 500 g de patatas\n1. Pelar las patatas.\n"
        "2. Cuajar por ambos lados."
    )


def test_what_is_decided_below_a_list_of_choices_is_none_of_them() -> None:
    text = "Minutes\n\nThree quotes came:\n  a) SunSail, 6,900\n  b) Canopies, 5,250\nAgreed to go with SunSail.\n"

    assert "Agreed to go with SunSail." in told(text, "text").split("\n")


def test_a_word_that_calls_on_visitors_may_stand_in_what_is_told() -> None:
    assert "as in newsletter" in told(f"{BOAT}The fair is on 22 June, not on 15 June as in newsletter.\n")
    assert "Subscribe" not in told(f"{BOAT}Subscribe to our newsletter!\n")


def test_rows_of_a_short_note_in_columns_are_told_one_by_one() -> None:
    rows = "   Sarah   write to the parents     by 26 Jan\n   Dev     ask about the warranty   by 1 Feb\n"

    assert told(f"Minutes of May\n\nThe sail is ordered from Arne.\n\nActions\n{rows}", "text").endswith(
        "## Actions\n- Sarah – write to the parents – by 26 Jan\n- Dev – ask about the warranty – by 1 Feb"
    )


def test_a_note_without_a_title_is_called_by_its_file_and_not_by_an_item() -> None:
    (made,) = proposed("- Start date: 2014-06-12\n- Place: Arne\n\nThe lamp is lit at dusk by the keeper.\n")

    assert isinstance(made, Create)
    assert made.title == "A"


def test_a_warning_below_steps_is_none_of_them() -> None:
    text = (
        "Count\n=====\n\nSteps\n-----\n\n1. Fill the jar.\n2. Count the corners.\n\n.. warning:: The dye is harmful.\n"
    )

    assert "2. Count the corners.\nThe dye is harmful." in told(f"{text}\nEnd\n---\n\nThe jar is cleaned.\n", "rst")


def test_the_first_clause_of_a_rule_keeps_its_name() -> None:
    clauses = (
        "## Artículo 1. Nombre\n\nEl club se llama Los Remos.\n\n## Artículo 2. Socios\n\nLa cuota es de 60 euros.\n"
    )

    assert told(f"# Reglamento\n\n{clauses}").startswith("## Artículo 1. Nombre\n- El club se llama")


def test_a_data_sheet_is_told_row_by_row() -> None:
    text = (
        "VT-20 pump\n\nVoltage:      12 V DC\nMax. head:    5 m\n\nThe pump must not run dry.\n\n"
        "Mounting\n - outlet upwards or level\n - hose of 19 mm only\n"
    )

    assert told(text, "text") == (
        "The pump must not run dry.\n## Key points\n- Voltage: 12 V DC\n- Max. head: 5 m\n"
        "- Mounting\n  - outlet upwards or level\n  - hose of 19 mm only"
    )


def test_a_word_that_may_lean_stands_late_in_a_list_of_lines() -> None:
    lines = "2 Mar, 7:10-8:45, fog\nMallard 14\nCoot 6, Teal 3, Grey heron 1\nno kingfisher this time"
    text = f"Pond\n\n{lines}\n\n9 Mar\nMallard 11\n"

    assert "no kingfisher this time" in told(text, "text")


def test_running_text_below_contents_is_told_of_what_is_in_a_pack() -> None:
    assert "It holds starch." in told(f"{BOAT}## Contents\n\nThe pill holds ibuprofen. It holds starch.\n")


def test_a_section_that_begins_with_she_keeps_the_heading_that_says_who_she_is() -> None:
    text = "# The Brandts\n\n## Elise\n\nShe married Karl Voss in 1901.\n\n## Johann\n\nHe kept an inn until 1899.\n"

    assert told(text).startswith("## Elise\n- She married Karl Voss in 1901.")


@pytest.mark.parametrize("first", ["Hi all,", "Q: Can I bring my dog?", "- a tent"])
def test_how_a_letter_begins_is_no_title(first: str) -> None:
    (made,) = proposed(f"{first}\n\nThe party is moved to Friday for all of us.\n", "text")

    assert isinstance(made, Create)
    assert made.title == "A"


@pytest.mark.parametrize("years", ["", " (1812-1880)"])
def test_two_people_of_one_name_get_no_page_in_common(years: str) -> None:
    one = "Johann Brandt was a rope maker in Arne. He was born in 1812. He married Catharina Moll in 1838."
    other = "Johann Brandt was an innkeeper in Arne. He was born in 1841. He never married."
    text = f"# The Brandts\n\n## Johann Brandt{years}\n\n{one}\n\n## Johann Brandt\n\n{other}\n"

    assert "Johann Brandt" not in pages(text)
    assert "Johann Brandt" in pages(text.replace(f"## Johann Brandt{years}", "## Rope"))


def test_a_table_of_html_whose_first_head_is_empty_keeps_its_heads() -> None:
    rows = "| Basic | Premium\nMonthly price | 4.90 | 11.20\nExcess | 300 | none\nGross negligence | no | yes\n"
    made = proposed(f"# Cover\n\n## Cost\n\n{rows}\n## End\n\nIt ends after the first year, at any time.\n", "html")
    told_of = "\n".join(claim.text for op in made if isinstance(op, Create) for claim in op.body)

    assert "| – | Basic | Premium |" in told_of


@pytest.mark.parametrize(
    ("text", "format", "untold"),
    [
        ("Q: Did Ann steal it?\n\n## Sport\n\nA: No, the team won the cup.\n", "markdown", "steal it? "),
        ("Note: Is the hut open?\n\nWarning: The dog bites people.\n", "markdown", "open? Warning"),
        ("- Ann: Is it open?\n- Bob: No, it is shut.\n- Ann: Why?\n- Bob: For rain.\n", "markdown", "open? - Bob"),
        ("+ The hut has two rooms.\n  - One room is big.\n", "markdown", "\\"),
        ("The pump   is broken since May.\nWe need a new one.\n", "text", "–"),
        ("Model        Weight\nAlpha two    5 kg\nBeta three   6 kg\n", "text", "Model –"),
        ("The profit of the year is\n- 5 million euros\n- 3 million less than planned\n", "text", "\n- 3 million"),
        ("The committee met in\nRome: all of them came and\nAthens: none of them came.\n", "text", "- Athens"),
    ],
)
def test_what_only_looks_like_a_turn_a_row_or_a_list_is_told_as_it_stands(text: str, format: str, untold: str) -> None:
    assert untold not in told(f"The hut\n\nThe hut stands on the hill above Arne.\n\n{text}", format)


def test_a_signature_below_many_fields_ends() -> None:
    fields = "".join(f"Name{n}: a b\n" for n in range(9))
    mail = f"On Mon, 13 Jan 2025, Tom wrote:\n> hi there my good friend\n\n{fields}\n-- \nJohn Smith\n"

    assert "John Smith" not in told(mail, "text")


def test_what_a_letter_quotes_does_not_open_the_page() -> None:
    assert told("On 3 May 2025, Bo wrote:\n> We sell the hut.\n> -- \n> Bo Smith\n", "text") == (
        "## On 3 May 2025, Bo wrote\n- We sell the hut."
    )


@pytest.mark.parametrize("format", ["text", "markdown"])
def test_names_above_several_lists_are_their_headings(format: str) -> None:
    camp = "Kitchen\n- stove and gas\n- two pots\n\nNo need\n- chairs\n- the big tent\n"

    assert told(f"Camping\n=======\n\n{camp}", format) == (
        "## Kitchen\n- stove and gas\n- two pots\n## No need\n- chairs\n- the big tent"
    )
    assert "## We need\n" not in told(
        "Tents\n\nWe need if\n- it rains all day\n\nWe take if\n- it snows all day\n", format
    )


@pytest.mark.parametrize("first", ["**Do not**", "DO NOT", "**Never:**", "NIE"])
def test_what_forbids_is_no_title(first: str) -> None:
    format = "markdown" if first.startswith("*") else "text"

    assert told(f"{first}\n- put ice on it\n- break the blisters\n", format).startswith("## ")


CHAT = """[02/05/25, 18:02:11] Messages and calls are end-to-end encrypted.
[02/05/25, 18:05:02] Bea: hi all! the council said yes for Sat 14 June
[02/05/25, 18:11:19] Emeka no 9: I can do the barbecue, have 2 gas ones
[03/05/25, 08:15:33] Trudi: <Media omitted>
[03/05/25, 08:41:55] Sanjit: you can have my gazebo. the key is with Trudi
[11/05/25, 07:55:20] Trudi: food list:
- salads: nos 1-7
- no nuts anywhere, Lottie at no 5 is allergic!!
[13/06/25, 18:03:00] Trudi: This message was deleted
"""


@pytest.mark.parametrize("sent", ["[{day}, {time}] ", "{day}, {time} - "])
def test_a_chat_is_told_message_by_message_under_its_days(sent: str) -> None:
    text = re.sub(
        r"^\[(.{8}), (.{8})\] ", lambda found: sent.format(day=found[1], time=found[2]), CHAT, flags=re.MULTILINE
    )

    assert told(text, "text") == (
        "## 02/05/25\n"
        "- Bea: hi all! the council said yes for Sat 14 June\n"
        "- Emeka no 9: I can do the barbecue, have 2 gas ones\n"
        "## 03/05/25\n"
        "- Sanjit: you can have my gazebo. the key is with Trudi\n"
        "## 11/05/25\n"
        "- Trudi: food list:\n"
        "  - salads: nos 1-7\n"
        "  - no nuts anywhere, Lottie at no 5 is allergic!!"
    )


def test_what_stands_below_a_list_is_no_item_of_it() -> None:
    cons = "## Cons\n\n- it costs too much\n- it takes too long\n\nDecision: we take the oak door.\n"
    text = f"# Oven\n\n{cons}\n## End\n\nWe start in May.\n"

    assert "- it takes too long\nDecision: we take the oak door." in told(text)


def test_clauses_in_capitals_with_a_number_are_headings() -> None:
    clauses = "S1. RENT\n    It is 860 pounds a month.\n\nS2. SERVICE CHARGE\n    It is 95 pounds a month.\n"
    text = f"SCHEDULE 2\nto the lease of Unit 5\n\n{clauses}"

    assert "## S1. Rent\n- It is 860 pounds a month.\n## S2. Service charge\n- It is 95 pounds a month." in told(
        text, "text"
    )


def test_where_and_when_a_letter_was_written_is_no_title() -> None:
    said = "Das Knie ist gut verheilt und darf belastet werden."
    text = f"Praxis am Kanal\nKanalstr. 40\n\nMusterfleth, den 11.04.2025\n\n{said}\n"

    assert reading(text, "text").title == "Praxis am Kanal"


def test_a_table_of_a_note_stands_below_what_leads_to_it() -> None:
    rows = "| crop | bed | kg |\n|---|---|---|\n| beans, broad | 1 | 3.8 |\n| garlic heads | 2 | not yet |\n"
    diary = f"22 Jun, at last\n\n{rows}\n13 July. Garlic lifted: 27 heads.\n"

    said = told(f"# Garden\n\nWe dig.\n\n## Diary\n\n{diary}\n## End\n\nWe stop.\n")
    assert said.index("22 Jun") < said.index("not yet") < said.index("27 heads")


def test_a_row_of_html_with_one_value_has_it_in_all_columns() -> None:
    rows = "| Apr–Oct | Nov–Mar\nTue–Fri | 10–17 | 10–16\nMon to noon | closed (open on holidays)\n"
    made = proposed(f"# Museum\n\n## Opening times\n\n{rows}\n## End\n\nIt ends after the first year.\n", "html")

    tables = [claim.text for op in made if isinstance(op, Create) for claim in op.body if claim.text.startswith("|")]
    assert "| Mon to noon | closed (open on holidays) | closed (open on holidays) |" in tables[0]


def test_what_is_put_for_struck_words_is_told_and_a_list_keeps_its_first_number() -> None:
    songs = "8. Slow Drain, sung by Petra\n9. ~~Sorry Sorry~~ → Bus Replacement in A\n10. Nobody's Uncle\n"

    assert told(f"# Songs\n\n## Set 2\n\n{songs}").endswith(
        "8. Slow Drain, sung by Petra\n9. Bus Replacement in A\n10. Nobody's Uncle"
    )


def test_the_questions_of_a_page_are_told_with_their_answers() -> None:
    asked = "… take photos?\n\nYes, without flash.\n\n… bring a picnic?\n\nIn the yard, yes.\n"
    text = (
        f"# Museum\n\nIt is in the old ropewalk.\n\n## Can I …?\n\n{asked}\n## End\n\nIt ends after the first year.\n"
    )

    assert "- … take photos? Yes, without flash.\n- … bring a picnic? In the yard, yes." in told(text, "html")
    assert "?" not in told("# Mill\n\nIt is old. The town has it.\n\nWho pays for it now?\n\nThe wheel turns.\n")


def test_a_but_that_leads_to_a_list_is_told_with_what_it_goes_against() -> None:
    trike = "Cheapest of all, and safe at the lights. But:\n1. it tips in bends\n2. it is wide\n"

    said = told(f"# Bikes\n\nWe want one.\n\n## Trike\n\n{trike}")
    assert "Cheapest of all, and safe at the lights. But:\n  1. it tips in bends\n  2. it is wide" in said


@pytest.mark.parametrize(
    ("item", "left"),
    [
        ("- the deposit is ~~2~~ 3 months of rent", "- the deposit is 3 months of rent"),
        (
            "- ~~safety eyes~~ no safety eyes under 3 years, embroider them",
            "- no safety eyes under 3 years, embroider them",
        ),
        ("- Table 2: Caro, Bent, ~~Ole~~ (can't come), Ria", "- Table 2: Caro, Bent, Ria"),
        ("- ~~INC-2287 queue lag~~ closed Friday", ""),
    ],
)
def test_what_is_struck_out_is_gone_and_what_is_left_of_the_sentence_stays(item: str, left: str) -> None:
    said = told(
        f"# Notes\n\nWe met.\n\n## List\n\n- the first is here\n{item}\n- the last is here\n\n## End\n\nWe stop.\n"
    )

    assert f"- the first is here\n{left}{left and chr(10)}- the last is here" in said


def test_lines_that_begin_with_a_date_or_a_time_are_each_told() -> None:
    log = "05/21  109.000 brakes done\n02/22  118.700 glow plug\n06/24  A/C does not cool\n"

    assert told(f"CAR LOG\n\n{log}", "text") == "\n".join(log.replace("  ", " ").split("\n")[:3])


def test_a_line_that_goes_on_parts_no_dated_line_from_the_next() -> None:
    first = "05/21  109.000 brakes done\n02/22  118.700 glow plug\n"
    log = f"{first}06/24  The cooling is broken, postponed\n        until it is sold\n08/24  New oil, done at home\n"

    text = told(f"CAR LOG\n\n{log}", "text")

    assert "06/24 The cooling is broken, postponed until it is sold\n" in text
    assert text.endswith("08/24 New oil, done at home")


def test_boxes_without_bullets_are_each_told() -> None:
    boxes = told("PAPERS\n\n[x] statement of wages for Anna\n[ ] statement of wages for Ben\n", "text")

    assert boxes.split("\n") == [r"\[x\] statement of wages for Anna", r"\[ \] statement of wages for Ben"]


def test_a_chat_has_its_answers_and_no_message_for_its_title() -> None:
    sent = "[12/06/2024, 19:0{0}:40] "
    said = ["Jo: Hi all, I booked the pitch", "Pia: can I bring the dog?", "Jo: no", "Pia: ok then"]
    text = "".join(f"{sent.format(at)}{each}\n" for at, each in enumerate(said))

    assert "Pia: can I bring the dog? Jo: no" in told(text, "text")
    assert reading(text, "text").title == "A"
