"""The books of what questions took: laws of the sums, crashes in the middle of a line, many processes, and time zones."""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import Conflict, ModelError
from curator.models.llm import ledger as ledger_module
from curator.models.llm.ledger import BudgetSpent, Span, SpendingLedger, check_ingest, end_of, printable_spending
from curator.system.spending import Limit, Limits, Spent
from support.interruptions import at_each_line
from support.pages import laws

NOON = datetime(2026, 5, 14, 12, 0, tzinfo=UTC)
NO_LIMITS = Limits()


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from _in_zone("UTC", monkeypatch)


def _in_zone(zone: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", zone)
        time.tzset()
        yield
    time.tzset()


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from _in_zone(request.param, monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "spend"


def settled(ledger: SpendingLedger, tokens: int, now: datetime = NOON, dollars: float | None = 0.0) -> None:
    ledger.settle(ledger.enter(Spent(tokens * 3, dollars), NO_LIMITS, now), Spent(tokens, dollars), now)


def book(folder: Path, month: str = "2026-05") -> Path:
    return folder / f"{month}.jsonl"


# -- sums ------------------------------------------------------------------------------------------------------------

QUESTIONS = st.lists(
    st.tuples(
        st.integers(1, 31),
        st.integers(0, 100_000),
        st.one_of(st.none(), st.floats(0, 50)),
        st.booleans(),
    ),
    max_size=30,
)


@laws
@given(QUESTIONS)
def test_the_days_together_are_the_month(
    tmp_path_factory: pytest.TempPathFactory, questions: list[tuple[int, int, float | None, bool]]
) -> None:
    ledger = SpendingLedger(tmp_path_factory.mktemp("spend"))
    for day, tokens, dollars, is_settled in questions:
        now = NOON.replace(day=day)
        name = ledger.enter(Spent(tokens * 2, dollars), NO_LIMITS, now)
        if is_settled:
            ledger.settle(name, Spent(tokens, dollars), now)

    days = [ledger.spent("day", NOON.replace(day=day)) for day in range(1, 32)]
    counted = [ledger.counted("day", NOON.replace(day=day)) for day in range(1, 32)]
    month = ledger.spent("month", NOON)

    assert sum(day.tokens for day in days) == month.tokens
    assert month.tokens == sum(tokens * (1 if is_settled else 2) for _, tokens, _, is_settled in questions)
    assert (month.dollars is None) == any(day.dollars is None for day in days)
    assert sum(day.dollars or 0 for day in counted) == pytest.approx(ledger.counted("month", NOON).dollars)
    assert SpendingLedger(ledger.folder).spent("month", NOON) == month


@laws
@given(QUESTIONS, st.integers(1, 200_000), st.integers(1, 400_000), st.floats(0.01, 100), st.floats(0.01, 200))
def test_no_limit_is_ever_passed(
    tmp_path_factory: pytest.TempPathFactory,
    questions: list[tuple[int, int, float | None, bool]],
    day_tokens: int,
    month_tokens: int,
    day_dollars: float,
    month_dollars: float,
) -> None:
    ledger = SpendingLedger(tmp_path_factory.mktemp("spend"))
    limits = Limits(day=Limit(day_tokens, day_dollars), month=Limit(month_tokens, month_dollars))
    for day, tokens, dollars, is_settled in questions:
        now, most = NOON.replace(day=day), Spent(tokens, dollars or 0)
        before = ledger.spent("day", now), ledger.spent("month", now)
        try:
            name = ledger.enter(most, limits, now)
        except BudgetSpent:
            assert not (limits.day.allows(before[0] + most) and limits.month.allows(before[1] + most))
        except ModelError:
            assert not (limits.day.allows(most) and limits.month.allows(most))
        else:
            if is_settled:
                ledger.settle(name, Spent(tokens // 2, most.dollars), now)

        assert limits.day.allows(ledger.spent("day", now))
        assert limits.month.allows(ledger.spent("month", now))


def test_a_question_that_is_never_settled_counts_at_its_most(folder: Path) -> None:
    SpendingLedger(folder).enter(Spent(9000, 0.5), NO_LIMITS, NOON)

    assert SpendingLedger(folder).spent("day", NOON) == Spent(9000, 0.5)


def test_one_that_is_settled_counts_as_what_it_took(folder: Path) -> None:
    ledger = SpendingLedger(folder)

    ledger.settle(ledger.enter(Spent(9000, 0.5), NO_LIMITS, NOON), Spent(1000, 0.1), NOON)

    assert ledger.spent("day", NOON) == SpendingLedger(folder).spent("day", NOON) == Spent(1000, 0.1)


def test_nothing_is_spent_where_nothing_was_asked(folder: Path) -> None:
    assert SpendingLedger(folder).spent("month", NOON) == Spent(0, 0.0)
    assert not folder.exists()


# -- limits ----------------------------------------------------------------------------------------------------------


def test_the_limit_itself_may_be_reached(folder: Path) -> None:
    ledger, limits = SpendingLedger(folder), Limits(day=Limit(1000))

    ledger.enter(Spent(400), limits, NOON)
    ledger.enter(Spent(600), limits, NOON)

    with pytest.raises(BudgetSpent):
        ledger.enter(Spent(1), limits, NOON)


def test_a_budget_that_is_used_up_says_how_much_of_what_and_until_when(folder: Path) -> None:
    ledger = SpendingLedger(folder)
    settled(ledger, 900, dollars=0.25)

    with pytest.raises(BudgetSpent) as caught:
        ledger.enter(Spent(200, 0.1), Limits(day=Limit(1000, 0.3)), NOON)

    error = caught.value
    assert isinstance(error, Conflict)
    assert (error.code, error.until) == ("budget_day", datetime(2026, 5, 15, tzinfo=UTC))
    assert error.message == (
        "the budget of the day, 1,000 tokens and 0.30 USD, allows no further question until 2026-05-15 00:00 "
        "(900 tokens, 0.2500 USD used)"
    )
    assert error.hint == "wait until then, or raise tokens_per_day or dollars_per_day"


def test_the_month_has_its_own_limit_and_end(folder: Path) -> None:
    ledger, limits = SpendingLedger(folder), Limits(day=Limit(1000), month=Limit(1500))
    settled(ledger, 1000, NOON - timedelta(days=3))

    with pytest.raises(BudgetSpent) as caught:
        ledger.enter(Spent(600), limits, NOON)

    assert (caught.value.code, caught.value.until) == ("budget_month", datetime(2026, 6, 1, tzinfo=UTC))
    assert caught.value.hint == "wait until then, or raise tokens_per_month"


def test_the_next_day_has_a_budget_of_its_own(folder: Path) -> None:
    ledger, limits = SpendingLedger(folder), Limits(day=Limit(1000))
    ledger.enter(Spent(1000), limits, NOON)

    with pytest.raises(BudgetSpent) as caught:
        ledger.enter(Spent(1000), limits, NOON)
    ledger.enter(Spent(1000), limits, caught.value.until)

    assert ledger.spent("month", NOON).tokens == 2000


def test_a_question_too_big_for_any_day_does_not_wait_for_the_next(folder: Path) -> None:
    with pytest.raises(ModelError) as caught:
        SpendingLedger(folder).enter(Spent(5000), Limits(day=Limit(1000)), NOON)

    error = caught.value
    assert (error.code, error.retryable, error.is_general) == ("budget_too_small", False, False)
    assert error.message == "it may take 5,000 tokens, and all that is allowed per day is 1,000 tokens"
    assert error.hint.startswith("raise tokens_per_day, ")
    assert not book(folder).exists()


def test_one_source_may_take_only_so_much() -> None:
    limits = Limits(ingest=Limit(dollars=0.5))
    check_ingest(Spent(0, 0.2), Spent(100, 0.3), limits)

    with pytest.raises(ModelError) as caught:
        check_ingest(Spent(0, 0.2), Spent(100, 0.31), limits)

    assert caught.value.message == "it may take 100 tokens, 0.5100 USD, and all that is allowed per ingest is 0.50 USD"
    assert "dollars_per_ingest" in caught.value.hint


def test_what_was_asked_before_there_was_a_limit_in_dollars_does_not_block_the_month(folder: Path) -> None:
    ledger = SpendingLedger(folder)
    settled(ledger, 5000, dollars=None)
    limits = Limits(month=Limit(dollars=1.0))

    ledger.enter(Spent(100, 0.75), limits, NOON)

    assert ledger.spent("month", NOON) == Spent(5100, None)
    assert ledger.counted("month", NOON) == Spent(5100, 0.75)
    with pytest.raises(BudgetSpent):
        ledger.enter(Spent(100, 0.5), limits, NOON)


def test_a_price_nobody_knows_is_allowed_by_no_limit_in_dollars() -> None:
    assert not Limit(dollars=1.0).allows(Spent(1, None))
    assert Limit(tokens=10).allows(Spent(1, None))


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (Limit(), "no limit"),
        (Limit(25_000), "25,000 tokens"),
        (Limit(0, 2), "2.00 USD"),
        (Limit(0, 0.0005), "0.0005 USD"),
        (Limit(10, 12.345), "10 tokens and 12.345 USD"),
    ],
)
def test_a_limit_in_words_is_never_nothing(limit: Limit, words: str) -> None:
    assert str(limit) == words
    assert bool(limit) == (limit != Limit())


def test_what_was_spent_in_words() -> None:
    assert [
        printable_spending(Spent(1234)),
        printable_spending(Spent(1, None)),
        printable_spending(Spent(5, 0.0123)),
    ] == [
        "1,234 tokens",
        "1 tokens",
        "5 tokens, 0.0123 USD",
    ]


# -- crashes and strangers -------------------------------------------------------------------------------------------


def test_a_line_that_a_crash_has_torn_takes_nothing_else_with_it(folder: Path) -> None:
    ledger = SpendingLedger(folder)
    for tokens in (1, 10, 100):
        ledger.enter(Spent(tokens), NO_LIMITS, NOON)
    whole = book(folder).read_bytes()
    starts = [0, *(at + 1 for at, byte in enumerate(whole) if byte == ord("\n"))]

    for end in range(starts[1], len(whole) + 1):
        book(folder).write_bytes(whole[:end])
        kept = sum(10**n for n in range(3) if starts[n + 1] <= end)
        complete = kept + sum(10**n for n in range(3) if starts[n + 1] - 1 == end)

        assert SpendingLedger(folder).spent("month", NOON).tokens == kept
        SpendingLedger(folder).enter(Spent(1000), NO_LIMITS, NOON)
        assert SpendingLedger(folder).spent("month", NOON).tokens == complete + 1000


def test_a_torn_line_is_mended_by_one_who_had_read_the_book_before(folder: Path) -> None:
    ledger = SpendingLedger(folder)
    settled(ledger, 5)
    with book(folder).open("ab") as file:
        file.write(b'{"question": "0123')

    settled(ledger, 7)

    assert ledger.spent("day", NOON) == SpendingLedger(folder).spent("day", NOON) == Spent(12)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"7",
        b"[]",
        b"{}",
        b"\x00\x00\x00\x00",
        b"\xff\xfe",
        b'{"question": "a", "day": "2026-05-14", "tokens": "many", "dollars": 0}',
        b'{"question": "a", "day": "2026-05-14", "tokens": 1, "dollars": "dear"}',
        b'{"question": "a", "day": "2026-05-14", "tokens": null, "dollars": 0}',
        b'{"question": ["a"], "day": "2026-05-14", "tokens": 1, "dollars": 0}',
        b'{"question": "a", "day": "2026-05-14", "tokens": Infinity, "dollars": 0}',
        b"[" * 5000,
    ],
)
def test_a_line_of_somebody_elses_is_passed_over(folder: Path, line: bytes) -> None:
    settled(SpendingLedger(folder), 5)
    with book(folder).open("ab") as file:
        file.write(line + b"\n")
    settled(SpendingLedger(folder), 7)

    assert SpendingLedger(folder).spent("month", NOON) == Spent(12)


def test_the_book_is_read_on_from_where_it_was_left(folder: Path) -> None:
    folder.mkdir()
    entry = {"day": "2026-05-13", "tokens": 1, "dollars": 0.001}
    lines = (json.dumps({"question": f"{n:016x}", **entry}) for n in range(20_000))
    book(folder).write_text("".join(f"{line}\n" for line in lines))
    ledger = SpendingLedger(folder)
    assert ledger.spent("month", NOON).tokens == 20_000
    size = book(folder).stat().st_size
    with book(folder).open("r+b") as file:
        file.write(b"x" * (size - 1))  # whoever read it again would find nothing

    settled(ledger, 5)
    settled(ledger, 7)

    assert ledger.spent("month", NOON).tokens == 20_012
    assert ledger.spent("day", NOON).tokens == 12


@pytest.mark.parametrize("what", ["removed", "emptied", "put back"])
def test_a_book_that_was_put_back_is_another_book(folder: Path, what: str) -> None:
    ledger = SpendingLedger(folder)
    settled(ledger, 5)
    older = book(folder).read_bytes()
    settled(ledger, 100)
    under_way = ledger.enter(Spent(1000), NO_LIMITS, NOON)
    if what == "removed":
        book(folder).unlink()
    else:
        book(folder).write_bytes(older if what == "put back" else b"")

    ledger.settle(under_way, Spent(50), NOON)
    settled(ledger, 7)

    expected = 57 + (5 if what == "put back" else 0)
    assert ledger.spent("month", NOON).tokens == SpendingLedger(folder).spent("month", NOON).tokens == expected


def enter_many(folder: Path, limit: int, times: int) -> None:
    """What each of several processes does; it settles every other question."""
    ledger, limits = SpendingLedger(folder), Limits(day=Limit(limit))
    for n in range(times):
        try:
            question = ledger.enter(Spent(100), limits, NOON)
        except BudgetSpent:
            continue
        if n % 2:
            ledger.settle(question, Spent(70), NOON)


def test_processes_that_ask_at_once_never_go_past_the_limit_together(folder: Path) -> None:
    limit = 10_000
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=enter_many, args=(folder, limit, 60)) for _ in range(4)]
    for process in processes:
        process.start()
    most = 0
    while any(process.is_alive() for process in processes):
        most = max(most, SpendingLedger(folder).spent("day", NOON).tokens)
    for process in processes:
        process.join()

    assert [process.exitcode for process in processes] == [0] * 4
    spent = SpendingLedger(folder).spent("day", NOON).tokens
    assert most <= limit
    assert limit - 100 < spent <= limit
    assert all(json.loads(line) for line in book(folder).read_text().splitlines())


def test_two_who_keep_the_book_see_each_others_entries(folder: Path) -> None:
    one, other = SpendingLedger(folder), SpendingLedger(folder)
    question = one.enter(Spent(900), NO_LIMITS, NOON)

    with pytest.raises(BudgetSpent):
        other.enter(Spent(200), Limits(day=Limit(1000)), NOON)
    one.settle(question, Spent(300), NOON)

    assert other.enter(Spent(200), Limits(day=Limit(1000)), NOON)


# -- days ------------------------------------------------------------------------------------------------------------


def test_an_answer_after_midnight_counts_for_the_day_of_its_question(folder: Path) -> None:
    ledger, late = SpendingLedger(folder), NOON.replace(hour=23, minute=59)
    question = ledger.enter(Spent(900), NO_LIMITS, late)

    ledger.settle(question, Spent(300), late + timedelta(minutes=5))

    assert ledger.spent("day", late).tokens == 300
    assert ledger.spent("day", late + timedelta(minutes=5)).tokens == 0


def test_an_answer_in_the_next_month_counts_for_the_month_of_its_question(folder: Path) -> None:
    ledger, late = SpendingLedger(folder), datetime(2026, 5, 31, 23, 59, tzinfo=UTC)
    question = ledger.enter(Spent(900), NO_LIMITS, late)
    settled(ledger, 11, late + timedelta(minutes=2))

    ledger.settle(question, Spent(300), late + timedelta(minutes=5))

    for reader in (ledger, SpendingLedger(folder)):
        assert (reader.spent("day", late).tokens, reader.spent("month", late).tokens) == (300, 300)
        assert reader.spent("month", late + timedelta(minutes=5)).tokens == 11


@pytest.mark.parametrize("zone", ["Pacific/Auckland"], indirect=True)
def test_the_day_is_the_local_one(zone: None, folder: Path) -> None:
    ledger, limits = SpendingLedger(folder), Limits(day=Limit(1000))
    morning = datetime(2026, 5, 31, 11, 59, tzinfo=UTC)  # a minute to midnight there
    ledger.enter(Spent(1000), limits, morning)

    with pytest.raises(BudgetSpent) as caught:
        ledger.enter(Spent(1000), limits, morning)
    ledger.enter(Spent(1000), limits, morning + timedelta(minutes=1))

    assert "until 2026-06-01 00:00" in caught.value.message
    assert {file.name for file in folder.glob("*.jsonl")} == {"2026-05.jsonl", "2026-06.jsonl"}


@pytest.mark.parametrize(
    ("zone", "now", "until"),
    [
        ("Europe/Berlin", "2026-03-28T12:00+01:00", "2026-03-29T00:00+01:00"),
        ("Europe/Berlin", "2026-03-29T01:59+01:00", "2026-03-30T00:00+02:00"),
        ("Europe/Berlin", "2026-03-29T03:01+02:00", "2026-03-30T00:00+02:00"),
        ("Europe/Berlin", "2026-10-25T02:30+02:00", "2026-10-26T00:00+01:00"),
        ("Europe/Berlin", "2026-10-25T02:30+01:00", "2026-10-26T00:00+01:00"),
        # The clocks go from 0 to 1 o'clock: that day has no midnight.
        ("America/Santiago", "2026-09-05T16:00-04:00", "2026-09-06T01:00-03:00"),
        ("America/Santiago", "2026-09-06T12:00-03:00", "2026-09-07T00:00-03:00"),
        ("Africa/Cairo", "2026-04-23T12:00+02:00", "2026-04-24T01:00+03:00"),
        # They go from midnight back to 23 o'clock: the last hour of the day comes twice.
        ("America/Santiago", "2026-04-04T23:30-03:00", "2026-04-05T00:00-04:00"),
        ("America/Santiago", "2026-04-04T23:30-04:00", "2026-04-05T00:00-04:00"),
        # They go from 1 back to 0 o'clock: midnight comes twice, and the day begins with the first.
        ("America/Havana", "2026-10-31T12:00-04:00", "2026-11-01T00:00-04:00"),
        ("America/Havana", "2026-11-01T00:30-05:00", "2026-11-02T00:00-05:00"),
        # A day that was left out.
        ("Pacific/Apia", "2011-12-29T12:00-10:00", "2011-12-31T00:00+14:00"),
        ("Asia/Kathmandu", "2026-05-14T12:00+05:45", "2026-05-15T00:00+05:45"),
    ],
    indirect=["zone"],
)
def test_the_day_ends_at_the_true_midnight(zone: None, now: str, until: str) -> None:
    end = end_of("day", datetime.fromisoformat(now))

    assert end.isoformat(timespec="minutes") == until


@pytest.mark.parametrize(
    ("now", "until"),
    [
        ("2026-01-31T23:59:59.999999+00:00", "2026-02-01T00:00+00:00"),
        ("2024-02-29T00:00+00:00", "2024-03-01T00:00+00:00"),
        ("2026-12-01T00:00+00:00", "2027-01-01T00:00+00:00"),
    ],
)
def test_the_month_ends_with_its_last_day(now: str, until: str) -> None:
    assert end_of("month", datetime.fromisoformat(now)).isoformat(timespec="minutes") == until


@pytest.mark.parametrize(
    "zone",
    ["UTC", "Europe/Berlin", "America/Santiago", "Africa/Cairo", "America/Havana", "Australia/Lord_Howe"],
    indirect=True,
)
def test_who_waits_until_the_end_is_in_the_next_day_and_not_a_second_late(zone: None) -> None:
    """Else the queue would ask every second for an hour, or let an hour of the new day go by."""
    spans: tuple[Span, ...] = ("day", "month")
    for hour in range(0, 366 * 24, 7):
        now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=hour)
        for span in spans:
            end, name = end_of(span, now), "%Y-%m-%d" if span == "day" else "%Y-%m"
            assert end > now
            assert end.astimezone().strftime(name) != now.astimezone().strftime(name)
            before = (end - timedelta(seconds=1)).astimezone(UTC).astimezone()
            assert before.strftime(name) == now.astimezone().strftime(name)


# -- interruptions ---------------------------------------------------------------------------------------------------


def test_a_reading_that_is_broken_off_misses_nothing(folder: Path) -> None:
    for tokens in (1, 10, 100):
        settled(SpendingLedger(folder), tokens)
    ledger = SpendingLedger(folder)

    def look() -> None:
        nonlocal ledger
        assert (ledger.spent("day", NOON).tokens, len(ledger.news(NOON))) == (111, 3)
        ledger = SpendingLedger(folder)

    assert at_each_line((ledger_module,), lambda: ledger.spent("day", NOON), look) > 20
    look()


def test_a_request_whose_entering_is_broken_off_counts_once_or_not_at_all(folder: Path) -> None:
    ledger, entered = SpendingLedger(folder / "0"), set()

    def look() -> None:
        nonlocal ledger
        spent = ledger.spent("day", NOON).tokens
        assert spent == SpendingLedger(ledger.folder).spent("day", NOON).tokens
        entered.add(spent)
        ledger = SpendingLedger(folder / str(int(ledger.folder.name) + 1))

    assert at_each_line((ledger_module,), lambda: ledger.enter(Spent(1000), NO_LIMITS, NOON), look) > 20
    assert entered == {0, 1000}
