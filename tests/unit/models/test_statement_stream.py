"""A reply that comes piece by piece: each statement is heard once it is whole, and nothing of what must not be told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curator.models.statement_stream import StatementStream
from curator.models.statements import Quote, Statement, Statements
from support.asked import FULLY, PARTLY, said
from support.pages import laws

TEXTS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30) | st.sampled_from(
    ['"}]', "\\", '{"a": [{', "]}"]
)
STATEMENTS = st.lists(
    st.builds(Statement, text=TEXTS, quotes=st.lists(st.builds(Quote, page=TEXTS, words=TEXTS), max_size=2).map(tuple)),
    max_size=4,
)


def heard(reply: str, size: int, banned: str = "\0never") -> list[tuple[int, Statement]]:
    found: list[tuple[int, Statement]] = []
    stream = StatementStream(lambda number, each: found.append((number, each)), lambda text: banned not in text)
    for start in range(0, len(reply), size):
        stream.feed(reply[start : start + size])
    return found


@laws
@given(STATEMENTS, st.integers(1, 40), st.booleans())
def test_wherever_it_is_cut_the_statements_of_the_reply_are_heard(
    statements: list[Statement], size: int, is_fenced: bool
) -> None:
    reply = Statements(statements=tuple(statements)).dumps()

    found = heard(f"```json\n{reply}\n```" if is_fenced else reply, size)

    assert found == list(enumerate(statements, start=1))


@laws
@given(st.text('{}[]"\\,:a', max_size=60), st.integers(1, 9))
def test_whatever_comes_is_no_fault(reply: str, size: int) -> None:
    heard(reply, size)


def test_a_statement_that_is_none_keeps_its_number() -> None:
    one, two = said(PARTLY, FULLY).statements

    reply = f'{{"statements": [{one.model_dump_json()}, {{"text": 7}}, {two.model_dump_json()}]}}'

    assert heard(reply, 5) == [(1, one), (3, two)]


def test_behind_what_must_not_be_told_nothing_is_heard() -> None:
    reply = said(PARTLY, ("the mark 7f3a", "oolong", "x"), FULLY).dumps()

    assert [number for number, _ in heard(reply, 9, banned="mark 7f3a")] == [1]
    assert heard("the mark 7f3a: " + reply, 9, banned="mark 7f3a") == []


def test_no_more_are_heard_than_a_reply_may_have() -> None:
    many = '{"statements": [' + ", ".join([said(PARTLY).statements[0].model_dump_json()] * 50) + "]}"
    assert len(heard(many, 1000)) == 40
