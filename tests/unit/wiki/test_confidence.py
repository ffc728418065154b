"""How sure a page may be: the rule, its laws, and the examples of docs/confidence.md."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.checks.rules.fields import MAX_RISE
from curator.wiki.confidence import ALONE, DISPUTED, MOST, NOTHING_HOLDS, figure, settled
from curator.wiki.sources.authority import RANKS, SourceWeight, independent
from curator.wiki.sources.copies import witnesses
from support.pages import laws
from support.places import DOCS

TODAY = date(2026, 4, 15)
DOC = (DOCS / "confidence.md").read_text("utf-8")


def table(columns: int) -> list[list[str]]:
    """The rows of the table of docs/confidence.md that has so many columns."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in re.findall(r"(?m)^\|.*\|$", DOC)]
    return [row for row in rows if len(row) == columns and re.fullmatch(r"0\.\d\d", row[-1])]


def sources(told: str) -> list[SourceWeight]:
    """``secondary, 11 years old + rumour``."""
    found: list[SourceWeight] = []
    for number, words in enumerate(told.split(" + ") if told != "nothing" else []):
        authority = next((word for word in RANKS if word in words), "secondary")
        source = SourceWeight(authority, "2026-04-01", "superseded" in words, f"bytes {number}", f"work {number}")
        if age := re.search(r"(\d+) years old", words):
            source = replace(source, day=f"{2026 - int(age[1])}-04-01")
        if "same bytes" in words:
            source = replace(source, content=found[-1].content)
        if "another format" in words:
            source = replace(source, work=found[-1].work)
        found.append(source)
    return found


@pytest.mark.parametrize("row", table(3), ids=" ".join)
def test_the_rule_is_as_it_is_told(row: list[str]) -> None:
    told, disputed, wanted = row

    assert figure(sources(told), TODAY, disputed == "disputed") == float(wanted)


@pytest.mark.parametrize("row", table(5), ids=" ".join)
def test_a_page_changes_its_figure_as_it_is_told(row: list[str]) -> None:
    old, told, added, disputed, wanted = row
    before = sources(told)
    after = [*before, *(replace(more, content="new bytes", work="new work") for more in sources(added))]

    assert settled(float(old), before, after, TODAY, disputed == "disputed") == float(wanted)


def test_every_line_of_the_tables_is_run() -> None:
    assert len(table(3)) + len(table(5)) == len(re.findall(r"(?m)^\|.* 0\.\d\d \|$", DOC)) == 31


def test_no_source_is_opened_but_those_that_may_be_the_best() -> None:
    opened: list[str] = []

    def read(path: str) -> str:
        opened.append(path)
        return "Date: 2001-01-01\n" if path < "sources/c" else ""

    def source(
        name: str, authority: str = "secondary", day: str = "2026-01-01", *, is_guess: bool = True
    ) -> SourceWeight:
        return SourceWeight(authority, day, False, name, name, f"sources/{name}", is_guess)

    def told(*some: SourceWeight) -> tuple[float, list[str]]:
        opened.clear()
        return figure(some, TODAY, read=read, count=independent), [path[-1] for path in opened]

    assert told(source("a"), source("b", is_guess=False)) == (0.75, [])
    assert told(source("a", "primary"), source("b", is_guess=False)) == (0.8, ["a"])
    assert told(source("a"), source("b")) == (0.7, ["b", "a"])
    assert told(source("a"), source("c"), source("d", "rumour")) == (0.75, ["c"])
    assert len(told(*(source(f"a{n}") for n in range(20)))[1]) == 8


REPORT = """# The Tosk Bridge

Lorries heavier than 12 tonnes must not use the Tosk Bridge. It is made of steel and was opened in 1931 by the council
of Varn. Inspectors found no cracks in its arch. It is painted every ten years, in a dark green.
"""
OTHER = (
    "The council of Varn has counted the lorries on its bridges: forty a day cross the one at Tosk, few of them heavy."
)
PAGE = (
    f'---\ntitle: Tosk\n---\n\nIt is green. [^r-1]\n\n[^r-1]: sources/r.md#L3 "It is painted every ten years"\n{OTHER}'
)


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        ([REPORT, OTHER], 2),
        ([REPORT, f"{REPORT}\n\n"], 1),
        ([REPORT, REPORT.upper().replace(" ", "\n\n"), REPORT.replace("steel", "<b>steel</b>")], 1),
        ([REPORT, f"{REPORT}A line more stands here, of nothing. {REPORT[:90]}"], 1),
        ([REPORT, REPORT.replace("12 tonnes", "14 tonnes")], 1),
        ([REPORT, f"{REPORT}{OTHER}", OTHER], 3),  # what says as much again is no copy
        ([REPORT, PAGE], 1),
        ([PAGE, f"{PAGE}\n"], 1),
        (["", ""], 2),
        (["Tea.", "Milk."], 2),
        (["Tea.", "tea"], 1),
    ],
)
def test_sources_with_the_same_words_are_one_witness(texts: list[str], wanted: int) -> None:
    said = {f"sources/{n}.md": text for n, text in enumerate(texts)}

    assert witnesses([SourceWeight(content=path, work=path, path=path) for path in said], said.get) == wanted


@pytest.mark.parametrize("name", ["report.pdf", "report.docx"])
def test_of_formats_without_words_in_their_bytes_no_copy_is_told(name: str) -> None:
    paths = [f"sources/{name}", f"sources/b-{name}"]

    assert witnesses([SourceWeight(content=path, work=path, path=path) for path in paths], lambda _: REPORT) == 2


# -- laws --------------------------------------------------------------------------------------------------------------

DAYS = st.one_of(st.just(""), st.dates(date(1990, 1, 1), date(2027, 1, 1)).map(str))
SOURCE = st.builds(
    SourceWeight, st.sampled_from(RANKS), DAYS, st.booleans(), st.sampled_from("abcd"), st.sampled_from("wxyz")
)
SOURCES = st.lists(SOURCE, max_size=5)
FIGURES = st.integers(0, 100).map(lambda percent: percent / 100)


@laws
@given(SOURCES, SOURCE, st.booleans())
def test_one_more_source_never_lowers(some: list[SourceWeight], more: SourceWeight, disputed: bool) -> None:
    assert figure([*some, more], TODAY, disputed) >= figure(some, TODAY, disputed)
    assert independent([*some, more]) >= independent(some)


@laws
@given(st.lists(st.sampled_from([REPORT, OTHER, f"{REPORT}{OTHER}", f"{OTHER} {OTHER}", PAGE, ""]), max_size=7))
def test_one_more_text_never_makes_fewer_witnesses(texts: list[str]) -> None:
    some = [SourceWeight(content=str(n), work=str(n), text=text) for n, text in enumerate(texts)]
    found = [witnesses(some[:count], lambda _: None) for count in range(len(some) + 1)]

    assert found == sorted(found)
    assert found[-1] <= independent(some)


@laws
@given(SOURCES, SOURCE, st.booleans())
def test_a_higher_authority_never_lowers(some: list[SourceWeight], one: SourceWeight, disputed: bool) -> None:
    found = [figure([*some, replace(one, authority=authority)], TODAY, disputed) for authority in RANKS]

    assert found == sorted(found)


@laws
@given(SOURCES, SOURCE, st.lists(st.dates(date(1990, 1, 1), date(2027, 1, 1)), min_size=2), st.booleans())
def test_a_newer_day_never_lowers(
    some: list[SourceWeight], one: SourceWeight, days: list[date], disputed: bool
) -> None:
    found = [figure([*some, replace(one, day=str(day))], TODAY, disputed) for day in sorted(days)]

    assert found == sorted(found)
    assert figure([*some, replace(one, day="")], TODAY, disputed) >= found[-1]


@laws
@given(SOURCES, SOURCE)
def test_a_source_that_was_superseded_bears_out_nothing(some: list[SourceWeight], one: SourceWeight) -> None:
    assert figure([*some, replace(one, superseded=True)], TODAY) == figure(some, TODAY)


@laws
@given(SOURCES, st.randoms())
def test_the_order_of_the_sources_is_nothing(some: list[SourceWeight], chance: object) -> None:
    other = list(some)
    chance.shuffle(other)  # type: ignore[attr-defined]

    assert figure(other, TODAY) == figure(some, TODAY)


@laws
@given(SOURCES)
def test_a_figure_is_between_what_nothing_gives_and_what_the_best_gives(some: list[SourceWeight]) -> None:
    found = figure(some, TODAY)

    assert NOTHING_HOLDS <= found <= max((MOST[one.authority] for one in some), default=NOTHING_HOLDS)
    assert figure(some, TODAY, True) == min(found, DISPUTED)
    assert found == round(found, 2)


@laws
@given(SOURCES, st.integers(0, 400))
def test_a_figure_does_not_change_from_day_to_day(some: list[SourceWeight], later: int) -> None:
    """Over a year each source comes of age once at most: a few steps, and only down."""
    found = [figure(some, date.fromordinal(TODAY.toordinal() + day)) for day in range(0, later, 10)]

    assert found == sorted(found, reverse=True)
    assert len(set(found)) <= 3


@laws
@given(FIGURES, SOURCES)
def test_without_a_new_source_nothing_rises(old: float, some: list[SourceWeight]) -> None:
    for disputed in (False, True):
        assert settled(old, some, some, TODAY, disputed) <= old


@laws
@given(FIGURES, SOURCES, SOURCE, st.booleans())
def test_a_figure_below_the_rule_stays_below_it(
    old: float, some: list[SourceWeight], more: SourceWeight, disputed: bool
) -> None:
    after = [*some, more]

    found = settled(old, some, after, TODAY, disputed)

    assert found <= max(old, figure(after, TODAY))
    if old < figure(some, TODAY):
        assert found <= figure(after, TODAY) - (figure(some, TODAY) - old) + 1e-9
    if more.superseded or independent(after) == independent(some):
        assert found <= old


@laws
@given(FIGURES, SOURCES, SOURCE)
def test_the_wall_lets_every_figure_of_the_rule_through(
    old: float, some: list[SourceWeight], more: SourceWeight
) -> None:
    found = settled(old, some, [*some, more], TODAY, False)

    assert found <= max(old + MAX_RISE, ALONE[more.authority]) + 1e-9


@laws
@given(FIGURES, SOURCES, SOURCE)
def test_a_person_s_higher_figure_stays(old: float, some: list[SourceWeight], more: SourceWeight) -> None:
    ever = figure([replace(one, day="", superseded=False) for one in some], TODAY)

    if old > ever:
        assert settled(old, some, [*some, more], TODAY, False) >= old


@laws
@given(st.permutations(["primary", "secondary", "secondary", "rumour"]), st.integers(1, 4))
def test_the_order_in_which_sources_come_is_nothing(order: list[str], many: int) -> None:
    coming = [SourceWeight(authority, "", False, str(n), str(n)) for n, authority in enumerate(order[:many])]
    said = figure(coming[:1], TODAY)

    for count in range(1, len(coming)):
        said = settled(said, coming[:count], coming[: count + 1], TODAY, False)

    assert said == figure(coming, TODAY)
