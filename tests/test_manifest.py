"""The manifest knows which bytes are in, and changes only its own lines."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import laws

from curator.errors import WikiError
from curator.manifest import Manifest, Record

DIGEST = "sha256:" + "ab" * 32
OTHER = "sha256:" + "cd" * 32

MANIFESTS = st.builds(
    Manifest,
    st.dictionaries(
        st.text(min_size=1, max_size=12),
        st.builds(Record, st.text(alphabet="0123456789abcdef", max_size=8), st.lists(st.text(max_size=5)).map(tuple)),
        max_size=4,
    ),
)


@laws
@given(MANIFESTS)
def test_what_is_written_is_what_is_read(manifest: Manifest) -> None:
    assert Manifest.parse(manifest.dumps()) == manifest
    assert Manifest.parse(manifest.dumps()).dumps() == manifest.dumps()


def test_the_form_of_the_standard() -> None:
    manifest = Manifest().with_source("sources/é.pdf", DIGEST, ["b", "a"])

    assert json.loads(manifest.dumps()) == {
        "version": 1,
        "hashAlgo": "sha256",
        "sources": {"sources/é.pdf": {"contentHash": "ab" * 32, "slugs": ["a", "b"]}},
    }
    assert "é" in manifest.dumps()


def test_a_source_is_in_only_with_its_very_bytes() -> None:
    manifest = Manifest().with_source("sources/a", DIGEST, ["a"])

    assert manifest.has("sources/a", DIGEST)
    assert not manifest.has("sources/a", OTHER)
    assert not manifest.has("sources/b", DIGEST)


def test_the_same_bytes_under_another_name_are_a_twin() -> None:
    manifest = Manifest().with_source("sources/b", DIGEST, []).with_source("sources/a", DIGEST, [])

    assert manifest.twin_of("sources/c", DIGEST) == "sources/a"
    assert manifest.twin_of("sources/a", DIGEST) == "sources/b"
    assert manifest.twin_of("sources/c", OTHER) is None


def test_a_new_version_keeps_the_pages_of_the_old_one() -> None:
    before = Manifest().with_source("sources/a", DIGEST, ["one", "two"])

    after = before.with_source("sources/a", OTHER, ["two", "three"])

    assert after.sources["sources/a"].slugs == ("one", "three", "two")
    assert before.sources["sources/a"].slugs == ("one", "two")


def test_an_ingest_changes_only_its_own_lines() -> None:
    before = Manifest().with_source("sources/a", DIGEST, ["a"]).with_source("sources/c", DIGEST, ["c"])

    after = before.with_source("sources/b", OTHER, ["b"])

    assert set(before.dumps().splitlines()) <= set(after.dumps().splitlines())


@pytest.mark.parametrize("text", ["", "\n", "{}", '{"version": 1}'])
def test_a_wiki_without_sources_has_an_empty_manifest(text: str) -> None:
    assert Manifest.parse(text) == Manifest()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "null",
        '"x"',
        '{"sources": []}',
        '{"sources": null}',
        '{"sources": {"a": null}}',
        '{"sources": {"a": {}}}',
        '{"sources": {"a": {"contentHash": "x", "slugs": 3}}}',
        "[" * 200_000,
        "<<<<<<< HEAD\n{}",
    ],
)
def test_a_broken_manifest_is_an_error_that_says_what_to_do(text: str) -> None:
    with pytest.raises(WikiError) as caught:
        Manifest.parse(text)

    assert caught.value.code == "manifest_invalid"
    assert "git" in caught.value.hint
