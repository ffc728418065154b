"""The log only grows."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curator.wiki import log
from curator.wiki.log import LogEvent
from support.pages import NOW, laws

EVENTS = st.builds(
    LogEvent.now,
    st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2100, 1, 1), timezones=st.just(UTC)),
    st.sampled_from(log.EVENTS),
    st.text(max_size=30),
    st.lists(st.text(max_size=30), max_size=3),
)


@laws
@given(st.text(max_size=80), EVENTS)
@example("# Log\n\n## [x] ingest | a\n- b", LogEvent("2026-01-01T00:00:00Z", "lint", "b"))
def test_all_that_was_there_stays(before: str, event: LogEvent) -> None:
    after = log.append(before, event)

    assert after.startswith(before)
    assert after.endswith(f"\n{event}\n")


@laws
@given(st.lists(EVENTS, max_size=5))
def test_what_is_appended_is_read_back(events: list[LogEvent]) -> None:
    text = ""
    for event in events:
        text = log.append(text, event)

    assert log.parse(text) == events


@laws
@given(st.text(max_size=80).filter(lambda text: "## [" not in text), EVENTS)
def test_an_event_is_read_whatever_stands_before_it(before: str, event: LogEvent) -> None:
    assert log.parse(log.append(before, event)) == [event]


@laws
@given(st.lists(st.text(alphabet="#-[] |\n\r\u2028ab", max_size=30), min_size=1, max_size=3))
def test_no_subject_and_no_bullet_can_write_an_event(texts: list[str]) -> None:
    event = LogEvent.now(NOW, "ingest", texts[0], texts)

    assert log.parse(log.append("", event)) == [event]


def test_the_form_of_the_standard() -> None:
    event = LogEvent.now(NOW, "ingest", "sources/paper.md", ["created [[wheel]] Wheel", "1 claim\nleft out"])

    text = log.append("", event)

    assert text == (
        "# Log\n\n## [2026-04-15T09:30:00Z] ingest | sources/paper.md\n"
        "- created [[wheel]] Wheel\n- 1 claim left out\n"
    )  # fmt: skip


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_events_stand_a_blank_line_apart(end: str) -> None:
    text = log.append(f"# Log\n\n## [x] ingest | a\n- b{end}", LogEvent("y", "lint", "c"))

    assert text == "# Log\n\n## [x] ingest | a\n- b\n\n## [y] lint | c\n"


def test_other_text_is_passed_over() -> None:
    text = "# Log\n\nOur words.\n- a list\n\n## [x] ingest | a\n- b\n\nmore words\n- c\n\n## Notes\n- d\n"

    assert log.parse(text)[0].subject == "a"
    assert log.parse("nothing") == []
