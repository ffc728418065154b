"""What looks like HTML and is words of the source."""

from __future__ import annotations

import pytest

from curator.ingest.drafting.claims.placeholders import as_words

SOURCE = "The server sends a listing (<oid> <refname>). It is signed by Human Readable Name <email@address>. See <b>."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A listing has <oid> and <refname>.", r"A listing has \<oid> and \<refname>."),
        ("Signed by Name <email@address>.", r"Signed by Name \<email@address>."),
        ("It is a List<String>, no <oid>.", r"It is a List\<String>, no \<oid>."),
        ("Code `<oid>` stays, and so does \\<oid> <other>.", "Code `<oid>` stays, and so does \\<oid> <other>."),
        ("It <b>is</b> so.", "It <b>is</b> so."),
        ("A <span hidden>word</span>.", "A <span hidden>word</span>."),
        ("Write to <ann@example.org>.", "Write to <ann@example.org>."),
        ("1 < 2, and a<b without a tag", "1 < 2, and a<b without a tag"),
    ],
)
def test_only_what_the_source_has_as_words_is_escaped(text: str, expected: str) -> None:
    assert as_words(text, SOURCE) == expected
