"""The manifest knows which bytes are in, and changes only its own lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import WikiError
from curator.wiki.sources.record import Record, Signature
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.written_records import WrittenRecords
from support.pages import laws
from support.records import FULL

DIGEST = "sha256:" + "ab" * 32
OTHER = "sha256:" + "cd" * 32

TEXT = st.text(max_size=4)
RECORDS = st.builds(
    Record,
    st.text(alphabet="0123456789abcdef", max_size=8),
    st.lists(st.text(max_size=5)).map(tuple),
    algorithm=st.sampled_from(["", "sha512", "blake3"]),
    title=TEXT,
    captured_at=st.just("") | st.datetimes().map(lambda at: f"{at.isoformat()}Z"),
    authority=st.sampled_from(["", "primary", "rumour"]),
    superseded_by=TEXT,
    tags=st.lists(TEXT, max_size=2).map(tuple),
    signature=st.none() | st.just(Signature("ann@example.org", "ssh")),
    others=st.dictionaries(st.sampled_from(["metadata", "x"]), st.integers() | st.lists(TEXT), max_size=2),
)
MANIFESTS = st.builds(SourceManifest, st.dictionaries(st.text(min_size=1, max_size=12), RECORDS, max_size=4))
IDS = st.sampled_from(["", "tea", "tea-2", "tea-3"])
NAMES = [" ", "a", "b/tea.md", 'é "x"\n', "tea.md", "\\", "\ud800"]
PATHS = st.sampled_from(NAMES)
SLUGS = st.sampled_from(["", "a", "one", '"', "two"])
CHANGES = st.lists(
    st.tuples(st.just("with_record"), PATHS, st.none() | RECORDS)
    | st.tuples(st.just("with_source"), PATHS, st.sampled_from([DIGEST, OTHER, "sha512:ab"]), st.lists(SLUGS))
    | st.tuples(st.just("with_slug"), SLUGS, st.none() | SLUGS)
    | st.tuples(st.just("with_page"), SLUGS, st.lists(PATHS)),
    max_size=4,
)
RECORDED = st.dictionaries(
    PATHS, st.builds(replace, RECORDS, id=IDS, slugs=st.lists(SLUGS, max_size=3).map(tuple)), min_size=1, max_size=6
)
OTHERS = st.dictionaries(
    st.sampled_from(["note", "x"]), st.none() | st.dictionaries(TEXT, TEXT, max_size=2), max_size=2
)


@laws
@given(MANIFESTS)
def test_what_is_written_is_what_is_read(manifest: SourceManifest) -> None:
    assert SourceManifest.parse(manifest.dumps()) == manifest
    assert SourceManifest.parse(manifest.dumps()).dumps() == manifest.dumps()


@laws
@given(MANIFESTS | st.builds(SourceManifest, RECORDED), st.sampled_from(["", "sha256", "sha512"]))
def test_all_digests_are_those_of_each(manifest: SourceManifest, algorithm: str) -> None:
    for known in (manifest, SourceManifest.parse(manifest.dumps())):
        other = replace(known, hash_algorithm=algorithm or known.hash_algorithm)
        changed = known.with_record("sources/new.md", Record("ab", ()))

        assert all(
            each.digests == {path: each.digest(path) for path in each.sources} for each in (known, other, changed)
        )


@laws
@given(RECORDED, OTHERS, CHANGES)
def test_a_text_that_is_edited_is_the_one_made_anew(
    records: dict[str, Record], others: dict[str, object], changes: list[tuple[str, ...]]
) -> None:
    anew = SourceManifest(records, others=others)
    text = anew.dumps()
    edited = SourceManifest.parse(text)
    assert isinstance(edited.sources, WrittenRecords)

    for name, *arguments in changes:
        assert getattr(edited, name)(*arguments).dumps() == getattr(anew, name)(*arguments).dumps()
        edited, anew = (getattr(each, name)(*arguments) for each in (edited, anew))

        assert edited == anew
        assert len(edited.sources) == len(anew.sources)
    assert SourceManifest.parse(text).dumps() == text


@laws
@given(RECORDED, OTHERS, CHANGES)
def test_what_is_known_of_an_edited_text_is_what_reading_it_finds(
    records: dict[str, Record], others: dict[str, object], changes: list[tuple[str, ...]]
) -> None:
    known = SourceManifest.parse(SourceManifest(records, others=others).dumps())
    for name, *arguments in changes:
        known = getattr(known, name)(*arguments)
        written = known.written()
        proven, text = known.proven_of(written), str(written).encode()
        if proven is None:
            continue

        told, found = WrittenRecords.of(text, proven), WrittenRecords.of(text)

        assert told is not None
        assert found is not None
        assert (told._start, told._end, len(told), told.own_ids) == (
            found._start,
            found._end,
            len(found),
            found.own_ids,
        )
        assert SourceManifest.parse(text, proven) == SourceManifest.parse(text)
        known = SourceManifest.parse(text, proven)


def test_what_was_proven_of_another_text_does_not_count() -> None:
    known = SourceManifest().with_source("a", DIGEST, []).with_source("b", OTHER, [])
    written = SourceManifest.parse(known.dumps()).with_source("c", DIGEST, []).written()
    proven = SourceManifest.parse(known.dumps()).with_source("c", DIGEST, []).proven_of(written)

    assert proven is not None
    assert SourceManifest.parse(known.dumps(), proven) == known
    assert WrittenRecords.of(known.dumps().encode(), proven) == WrittenRecords.of(known.dumps().encode())


@laws
@given(RECORDED, PATHS, st.sampled_from([DIGEST, "sha512:ab", "sha256:"]))
def test_what_is_looked_up_in_the_text_is_what_reading_it_all_gives(
    records: dict[str, Record], path: str, digest: str
) -> None:
    anew = SourceManifest(
        {**records, "one more": replace(records[min(records)], content_hash="ab", algorithm="sha512")}
    )
    edited = SourceManifest.parse(anew.dumps())

    assert edited.sources.get(path) == anew.sources.get(path)
    assert (path in edited.sources) == (path in anew.sources)
    changed = [each.with_record("a", None).with_record(path, records[min(records)]) for each in (edited, anew)]
    assert [name in changed[0].sources for name in NAMES] == [name in changed[1].sources for name in NAMES]
    assert edited.superseded == anew.superseded
    assert changed[0].superseded == changed[1].superseded
    assert edited.has(path, digest) == anew.has(path, digest)
    assert edited.twin_of(path, digest) == anew.twin_of(path, digest)
    assert edited.algorithms == anew.algorithms
    assert SourceRecords(edited).id_for(path) == SourceRecords(anew).id_for(path)
    assert list(edited.sources) == sorted(anew.sources)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"version": 1', '"version": 0'),
        ('    "b": {', '     "b": {'),
        ('    "b": {', '    "Z": {'),
        ('    "b": {', '    "a": {'),
        ('"contentHash": "cd', '"contentHash" : "cd'),
        ('"contentHash": "cd', r'"content\u0048ash": "cd'),
        ('"slugs": []', '"slugs": [ ]'),
        ("\n  }\n}\n", "\n  }\n}"),
        ("\n  }\n}\n", '\n  },\n  "sources": {}\n}\n'),
    ],
)
def test_a_manifest_that_was_edited_by_hand_is_read_whole(old: str, new: str) -> None:
    known = SourceManifest().with_source("a", DIGEST, []).with_source("b", OTHER, [])
    text = known.dumps()
    assert text.count(old) >= 1

    found = SourceManifest.parse(new.join(text.rsplit(old, 1)))

    assert not isinstance(found.sources, WrittenRecords)


def test_who_asks_for_many_records_is_given_all_at_once() -> None:
    known = SourceManifest({f"sources/{number:04}": Record(str(number), ("tea",)) for number in range(1_000)})

    found = SourceManifest.parse(known.dumps())

    assert all(path in found.sources for path in known.sources)
    assert f"sources/{0:05}" not in found.sources
    assert dict(found.sources) == known.sources
    assert "sources/x" not in found.sources


def test_the_form_of_the_standard() -> None:
    manifest = SourceManifest().with_source("sources/é.pdf", DIGEST, ["b", "a"])

    assert json.loads(manifest.dumps()) == {
        "version": 1,
        "hashAlgo": "sha256",
        "sources": {"sources/é.pdf": {"contentHash": "ab" * 32, "slugs": ["a", "b"]}},
    }
    assert "é" in manifest.dumps()


def test_a_source_is_in_only_with_its_very_bytes() -> None:
    manifest = SourceManifest().with_source("sources/a", DIGEST, ["a"])

    assert manifest.has("sources/a", DIGEST)
    assert not manifest.has("sources/a", OTHER)
    assert not manifest.has("sources/b", DIGEST)


def test_the_same_bytes_under_another_name_are_a_twin() -> None:
    manifest = SourceManifest().with_source("sources/b", DIGEST, []).with_source("sources/a", DIGEST, [])

    assert manifest.twin_of("sources/c", DIGEST) == "sources/a"
    assert manifest.twin_of("sources/a", DIGEST) == "sources/b"
    assert manifest.twin_of("sources/c", OTHER) is None


def test_a_new_version_keeps_the_pages_of_the_old_one() -> None:
    before = SourceManifest().with_source("sources/a", DIGEST, ["one", "two"])

    after = before.with_source("sources/a", OTHER, ["two", "three"])

    assert after.sources["sources/a"].slugs == ("one", "three", "two")
    assert before.sources["sources/a"].slugs == ("one", "two")


def test_an_ingest_changes_only_its_own_lines() -> None:
    before = SourceManifest().with_source("sources/a", DIGEST, ["a"]).with_source("sources/c", DIGEST, ["c"])

    after = before.with_source("sources/b", OTHER, ["b"])

    assert set(before.dumps().splitlines()) <= set(after.dumps().splitlines())


@pytest.mark.parametrize("text", ["", "\n", "{}", '{"version": 1}'])
def test_a_wiki_without_sources_has_an_empty_manifest(text: str) -> None:
    assert SourceManifest.parse(text) == SourceManifest()


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
        SourceManifest.parse(text)

    assert caught.value.code == "manifest_invalid"
    assert "git" in caught.value.hint


RECORD = {
    "contentHash": "ab" * 32,
    "slugs": ["tea"],
    "title": "On Tea",
    "capturedAt": "2026-04-15T09:30:00Z",
    "capturedBy": "ann",
    "authority": "primary",
    "language": "en-GB",
    "supersededBy": "tea-2",
    "tags": ["tea", "drinks"],
    "signature": {"by": "ann@example.org", "kind": "ssh"},
    "metadata": {"vendor": {"x": 1}},
}


def registry(record: Mapping[str, object], **others: object) -> str:
    value = {"version": 1, "hashAlgo": "sha256", "sources": {"sources/a.txt": record}, **others}
    return json.dumps(value, indent=2) + "\n"


def test_a_record_tells_what_the_standard_says_of_a_source() -> None:
    assert SourceManifest.parse(registry(RECORD)).sources["sources/a.txt"] == FULL


def test_what_curator_does_not_know_is_kept_as_it_is() -> None:
    text = registry({**RECORD, "zeal": None}, origin="elsewhere")

    assert SourceManifest.parse(text).dumps() == text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("authority", "tertiary"),
        ("title", 3),
        ("tags", "tea"),
        ("tags", [1]),
        ("signature", {"by": "ann"}),
        ("title", ""),
    ],
)
def test_a_value_of_another_shape_counts_as_none_and_is_kept(key: str, value: object) -> None:
    text = registry({"contentHash": "ab", "slugs": [], key: value})

    manifest = SourceManifest.parse(text)

    assert manifest.sources["sources/a.txt"] == Record("ab", (), others={key: value})
    assert manifest.dumps() == text


def test_an_ingest_keeps_what_was_said_of_the_source() -> None:
    before = SourceManifest.parse(registry(RECORD))

    after = before.with_source("sources/a.txt", OTHER, ["oolong"]).sources["sources/a.txt"]

    assert (after.content_hash, after.slugs) == ("cd" * 32, ("oolong", "tea"))
    assert (after.authority, after.title, after.others) == ("primary", "On Tea", {"metadata": {"vendor": {"x": 1}}})


# -- algorithms ----------------------------------------------------------------------------------------------------

LONG = "sha512:" + "ef" * 64


def test_the_first_source_makes_its_algorithm_that_of_the_registry() -> None:
    manifest = SourceManifest().with_source("sources/a", LONG, [])

    value = json.loads(manifest.dumps())
    assert (value["hashAlgo"], value["sources"]["sources/a"]["contentHash"]) == ("sha512", "ef" * 64)


def test_sources_of_another_algorithm_say_so_and_the_others_stay_as_they_are() -> None:
    before = SourceManifest().with_source("sources/a", DIGEST, [])

    after = before.with_source("sources/b", LONG, [])

    assert set(before.dumps().splitlines()) - {"  }"} <= set(after.dumps().splitlines()) | {"    }"}
    value = json.loads(after.dumps())
    assert (value["hashAlgo"], value["sources"]["sources/b"]["contentHash"]) == ("sha256", LONG)
    assert SourceManifest.parse(after.dumps()) == after
    assert (after.digest("sources/a"), after.digest("sources/b")) == (DIGEST, LONG)
    assert after.has("sources/a", DIGEST)
    assert after.has("sources/b", LONG)
    assert after.twin_of("sources/c", LONG) == "sources/b"
    assert after.algorithms == {"sha256", "sha512"}


def test_a_record_that_names_the_algorithm_of_the_registry_names_none_of_its_own() -> None:
    assert SourceManifest.parse(registry({"contentHash": DIGEST})).sources["sources/a.txt"] == Record("ab" * 32, ())


def test_what_is_said_of_a_source_goes_before_what_nobody_could_read() -> None:
    text = '{"sources": {"sources/a.txt": {"contentHash": "0", "slugs": [], "title": 5}}}'
    manifest = SourceManifest.parse(text)

    said = manifest.with_record("sources/a.txt", replace(manifest.sources["sources/a.txt"], title="Tea"))

    assert SourceManifest.parse(said.dumps()).sources["sources/a.txt"].title == "Tea"
    assert '"title": 5' in manifest.dumps()


def test_half_a_character_is_kept_as_it_was_written() -> None:
    text = r'{"sources": {"sources/a.txt": {"contentHash": "0", "slugs": [], "title": "\ud800 tea"}}}'

    written = SourceManifest.parse(text).dumps()

    assert r'"title": "\ud800 tea"' in written.encode().decode()
    assert SourceManifest.parse(written) == SourceManifest.parse(text)


@pytest.mark.parametrize("seen", ["yesterday", "0000-99-99", "2026-01-01T00:00:00Z\nand more", "2026-01-01"])
def test_what_is_no_moment_is_kept_and_not_gone_by(seen: str) -> None:
    record = {"contentHash": "0", "slugs": [], "capturedAt": seen}

    found = SourceManifest.parse(json.dumps({"sources": {"sources/a.txt": record}}))

    assert found.sources["sources/a.txt"].captured_at == ""
    assert json.loads(found.dumps())["sources"]["sources/a.txt"]["capturedAt"] == seen
