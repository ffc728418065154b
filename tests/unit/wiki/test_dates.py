from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.pages.dates import Point, leading, written
from support.pages import laws


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("2024-06-15: It began.", (2024, 6, 15, "")),
        ("2024-06-15 14:05 The alarm rang.", (2024, 6, 15, "14:05")),
        ("2024-06: It began.", (2024, 6, 0, "")),
        ("2024 - It began.", (2024, 0, 0, "")),
        ("2024: It began.", (2024, 0, 0, "")),
        ("2024", (2024, 0, 0, "")),
        ("In 1998 it began.", (1998, 0, 0, "")),
        ("(1998) It began.", (1998, 0, 0, "")),
        ("June 2024: It began.", (2024, 6, 0, "")),
        ("Since June 2024 it has gone on.", (2024, 6, 0, "")),
        ("Jun. 2024, it began.", (2024, 6, 0, "")),
        ("Sept 2024, it began.", (2024, 9, 0, "")),
        ("15 June 2024 was the day.", (2024, 6, 15, "")),
        ("15th of June 2024: It began.", (2024, 6, 15, "")),
        ("On June 15, 2024, it began.", (2024, 6, 15, "")),
        ("15-Jun-2024", (2024, 6, 15, "")),
        ("29-Sep-2014, it was posted.", (2014, 9, 29, "")),
        ("16-January-2015: It began.", (2015, 1, 16, "")),
        ("fall 2017: It was shown.", (2017, 9, 0, "")),
        ("29-Bla-2014", None),
        ("15.6.2024: It began.", (2024, 6, 15, "")),
        ("Summer 2024: It was hot.", (2024, 6, 0, "")),
        ("Q3 2024: It was sold.", (2024, 7, 0, "")),
        ("2024 Q3: It was sold.", (2024, 7, 0, "")),
        ("the third quarter of 2024: It was sold.", (2024, 7, 0, "")),
        ("H2 2024: It was sold.", (2024, 7, 0, "")),
        ("third half of 2024", None),
        ("Early in 2024 it began.", (2024, 1, 0, "")),
        ("mid-2024: It grew.", (2024, 6, 0, "")),
        ("By the end of 2024 it was gone.", (2024, 12, 0, "")),
        ("mid-June 2024: It grew.", (2024, 6, 0, "")),
        ("2024/06/15: It began.", (2024, 6, 15, "")),
        ("2024 June 15: It began.", (2024, 6, 15, "")),
        ("In 2024 Marble was sold.", (2024, 0, 0, "")),
        ("On Monday, 3 June 2024, it began.", (2024, 6, 3, "")),
        ("Monarch 2024: a film.", None),
        ("the 1990s: It was unknown.", (1990, 0, 0, "")),
        ("1998-2003: It was built.", (1998, 0, 0, "")),
        ("from 1998 to 2003 it was built.", (1998, 0, 0, "")),
        ("circa 1450: It was printed.", (1450, 0, 0, "")),
        ("1500 hives were lost.", None),
        ("The hive of 2024 was lost.", None),
        ("May was warm.", None),
        ("Marble 2024: a stone.", None),
        ("2024-13-01: no day.", None),
        ("31 June 2024: no day.", None),
        ("12024: no year.", None),
        ("3/15/2016: It was founded.", (2016, 3, 15, "")),
        ("On 15/3/2016 it was founded.", (2016, 3, 15, "")),
        ("3/4/2016: in March or in April", (2016, 0, 0, "")),
        ("4/4/2016: It was founded.", (2016, 4, 4, "")),
        ("13/14/2016: no day.", None),
        ("On 20161101 it was founded.", (2016, 11, 1, "")),
        ("20161101: It was founded.", (2016, 11, 1, "")),
        ("20161101 bees were lost.", None),
        ("20161301: no day.", None),
        ("In 2022-W05 the lamps were changed.", (2022, 1, 31, "")),
        ("2022-W05-3: The lamps were changed.", (2022, 2, 2, "")),
        ("2022-W60: no week.", None),
        ("FY2023 brought a loss.", (2023, 0, 0, "")),
        ("In fiscal year 2023/24 it made a loss.", (2023, 0, 0, "")),
        ("In the 19th century a ford was used.", (1800, 0, 0, "")),
        ("late 19th century: It fell.", (1880, 0, 0, "")),
        ("The mid-19th century saw a mill.", (1848, 0, 0, "")),
        ("the 1st century BC: a ford", (-100, 0, 0, "")),
        ("44 BC: It was long ago.", (-44, 0, 0, "")),
        ("In 3 BC a Roman bridge stood there.", (-3, 0, 0, "")),
        ("264-146 BC: the wars", (-264, 0, 0, "")),
        ("In AD 79 it was buried.", (79, 0, 0, "")),
        ("476 CE: It fell.", (476, 0, 0, "")),
        ("In 79 houses it was seen.", None),
        ("", None),
    ],
)
def test_what_a_line_begins_with(text: str, start: Point | None) -> None:
    found = leading(text)

    assert (found.start if found is not None else None) == start


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("1998-2003: It was built.", 2003),
        ("1998 – 2003 It was built.", 2003),
        ("From 1998 to 2003 it was built.", 2003),
        ("between 1998 and 2003", 2003),
        ("1998 to ruin", 1998),
        ("March 1998 until May 2003: It was built.", 2003),
        ("1998-03: It was built.", 1998),
        ("264-146 BC: the wars", -146),
        ("27 BC to 14 AD: Augustus", 14),
    ],
)
def test_a_span_has_an_end(text: str, end: int) -> None:
    found = leading(text)

    assert found is not None or text == "1998 to ruin"
    assert found is None or found.end[0] == end


def test_a_year_comes_before_its_months_and_a_month_before_its_days() -> None:
    lines = [
        "3rd century BC.",
        "44 BC.",
        "AD 79.",
        "19th century.",
        "2023-12-31.",
        "2024.",
        "2024-2025.",
        "January 2024.",
        "2024-01-01.",
        "2024-01-01 09:00.",
        "2 January 2024.",
    ]
    found = [leading(text) for text in lines]

    assert found == sorted(found, key=lambda moment: (moment is None, moment))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("3/15/2016", "2016-03-15"),
        ("3/4/2016", "2016"),
        ("44 BC", ""),
        ("19th century", ""),
        ("2024-06-15: the mill of the 19th century fell.", "2024-06-15"),
        ("late 19th century: It fell in 1898.", ""),
    ],
)
def test_a_source_is_of_a_time_that_it_writes(text: str, told: str) -> None:
    assert written(text) == told


@laws
@given(st.text(max_size=40))
def test_any_text_has_a_date_or_none(text: str) -> None:
    leading(text)


@laws
@given(st.dates(), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d %b %Y"]))
def test_every_day_is_read(day: object, form: str) -> None:
    found = leading(f"{day:{form}}: it was.")

    if 1000 <= day.year < 3000:  # type: ignore[attr-defined]
        assert found is not None
        assert found.start[:3] == (day.year, day.month, day.day)  # type: ignore[attr-defined]
