"""A big text is edited piece by piece, and is what editing the whole would make of it."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.system import edited_text
from curator.system.edited_text import EditedText, is_utf8
from support.pages import laws


@laws
@given(
    st.text(max_size=20), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 9), st.text(max_size=3)), max_size=5)
)
def test_edits_are_what_replacing_the_spans_gives(text: str, wished: list[tuple[int, int, str]]) -> None:
    before, edits, at = text.encode(), [], 0
    for start, length, words in sorted(wished):
        start = max(at, min(start, len(before)))
        at = min(start + length, len(before))
        edits.append((start, at, words.encode()))
    expected = before
    for start, end, replacing in reversed(edits):
        expected = expected[:start] + replacing + expected[end:]

    edited = EditedText.of(before, edits)

    assert bytes(edited) == expected
    assert len(edited) == len(expected)
    written = io.BytesIO()
    edited.write(written)
    assert written.getvalue() == expected


@pytest.mark.parametrize(
    ("data", "said"), [(b"", True), ("aé€".encode(), True), (b"a\xff", False), ("é".encode()[:1], False)]
)
def test_bytes_are_utf8_wherever_they_are_parted(data: bytes, said: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for at_once in (1, 2, 100):
        monkeypatch.setattr(edited_text, "_AT_ONCE", at_once)
        assert is_utf8(data) is said
