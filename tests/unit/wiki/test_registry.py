"""The registry: ids, records of the standard, what people may say of a source, how long it is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import ConfigError
from curator.ingest import plan
from curator.wiki.sources import retention
from curator.wiki.sources.record import Record, Signature
from curator.wiki.sources.records import RecordUpdate, SourceRecords, may_be_called
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Document, Source, SourceRemarks
from support.pages import laws
from support.records import FULL, validator

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


def registry(*paths: str, **records: Any) -> SourceRecords:
    known = SourceManifest()
    for path in paths:
        known = known.with_record(path, Record("ab", ("tea",), **records))
    return SourceRecords(known)


def source(text: str = "# On Tea\n\nTea is a drink.\n", path: str = "sources/tea.md", **about: Any) -> Source:
    return Source(path, "sha256:" + "cd" * 32, Document.from_text(text), "markdown", **about)


def refused(of: SourceRecords, path: str, **wish: Any) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        of.changed(path, RecordUpdate(**wish))
    return caught.value


# -- ids -----------------------------------------------------------------------------------------------------------


def test_a_source_is_called_after_its_file() -> None:
    found = registry("sources/2026-04-15 Paper.pdf", "sources/é/Meeting.md", "sources/x.txt").ids

    assert list(found.values()) == ["2026-04-15-paper", "x-page", "meeting"]


def test_no_two_have_one_id() -> None:
    found = registry("sources/a/notes.md", "sources/b/notes.md", "sources/b/notes.txt", "sources/b-notes.md").ids

    assert found == {
        "sources/a/notes.md": "notes",
        "sources/b-notes.md": "b-notes",
        "sources/b/notes.md": "b-notes-md",
        "sources/b/notes.txt": "b-notes-txt",
    }


def test_who_came_first_keeps_the_short_id() -> None:
    of = registry("sources/b/notes.md", captured_at="2026-01-01T00:00:00Z")
    later = of.known.with_record("sources/a/notes.md", Record("cd", (), captured_at="2026-02-01T00:00:00Z"))

    assert SourceRecords(later).ids["sources/b/notes.md"] == of.ids["sources/b/notes.md"] == "notes"


def test_an_id_stays_when_the_source_of_that_name_that_came_first_goes() -> None:
    known = SourceManifest()
    for path in ("sources/a/notes.md", "sources/b/notes.md"):
        known = plan.enter_source(known, source(path=path), ["tea"], NOW)

    after = SourceRecords(known.with_record("sources/a/notes.md", None))

    assert SourceRecords(known).ids == {"sources/a/notes.md": "notes", "sources/b/notes.md": "b-notes"}
    assert after.ids == {"sources/b/notes.md": "b-notes"}
    assert after.id_for("sources/a/notes.md") == "notes"
    assert SourceManifest.parse(known.dumps()) == known


def test_two_records_with_one_id_are_told_apart() -> None:
    of = registry("sources/a.md", "sources/b.md", id="tea")

    assert of.ids == {"sources/a.md": "tea", "sources/b.md": "b-page"}


def test_another_source_of_the_name_never_takes_an_id_over() -> None:
    known = SourceManifest()
    for day, path in enumerate(("sources/a/notes.md", "sources/b/notes.md"), start=1):
        known = plan.enter_source(known, source(path=path), ["tea"], NOW.replace(day=day))
    newer = source("# On Tea\n\nOther words.\n", "sources/a/notes.md")
    known = plan.enter_source(known, replace(newer, digest="sha256:" + "ef" * 32), ["tea"], NOW.replace(day=9))

    assert SourceRecords(known).ids == {"sources/a/notes.md": "notes", "sources/b/notes.md": "b-notes"}


def test_what_is_left_of_a_source_that_is_gone_is_not_put_down_to_a_namesake() -> None:
    known = SourceManifest()
    for path in ("sources/a/notes.md", "sources/b/notes.md"):
        known = plan.enter_source(known, source(path=path), ["tea"], NOW)

    after = SourceRecords(known.with_record("sources/a/notes.md", None))

    assert after.references() == {"b-notes": "sources/b/notes.md"}
    assert after.references(["sources/c/notes.md"])["notes"] == "sources/c/notes.md"


def test_a_page_may_call_a_source_by_its_path_and_by_ids_without_a_number() -> None:
    assert may_be_called("sources/b/notes.md") == ("sources/b/notes.md", "notes", "b-notes", "b-notes-md")


@laws
@given(st.lists(st.text(max_size=8), max_size=8))
def test_every_source_has_an_id_of_its_own(names: list[str]) -> None:
    of = registry(*(f"sources/{name}.md" for name in names))

    assert len(set(of.ids.values())) == len(of.known.sources)
    assert all(of.named(name) == path for path, name in of.ids.items() if name not in of.known.sources)


@pytest.mark.parametrize("name", ["sources/tea.md", "./sources/tea.md", "tea.md", "tea"])
def test_a_source_is_named_by_its_path_or_its_id(name: str) -> None:
    assert registry("sources/tea.md", "sources/coffee.md").named(name) == "sources/tea.md"


def test_what_is_no_source_is_said() -> None:
    with pytest.raises(ConfigError) as caught:
        registry("sources/tea.md").named("sources/té.md")

    assert (caught.value.code, caught.value.hint) == ("source_unknown", "curate sources lists them")


# -- records -------------------------------------------------------------------------------------------------------


def test_a_bare_record_is_one_of_the_standard() -> None:
    record = registry("sources/tea.md").public("sources/tea.md", "2026-04-15T09:30:00Z")

    assert record == {
        "schema": "knowledge.source/v1",
        "id": "tea",
        "path": "sources/tea.md",
        "title": "tea",
        "captured_at": "2026-04-15T09:30:00Z",
        "content_hash": "sha256:ab",
        "authority": "secondary",
        "metadata": {"curator": {"pages": ["tea"]}},
    }
    validator().validate(record)


def test_a_full_record_is_one_of_the_standard() -> None:
    of = registry("sources/tea.md", "sources/tea-2.md")
    full = replace(FULL, content_hash="ab" * 64, algorithm="sha512", others={**FULL.others, "zeal": 3})

    record = SourceRecords(of.known.with_record("sources/tea.md", full)).public("sources/tea.md", "")

    assert record["metadata"] == {
        "vendor": {"x": 1},
        "curator": {"pages": ["tea"], "signature": {"by": "ann@example.org", "kind": "ssh"}},
    }
    assert record["superseded_by"] == "tea-2"
    assert "zeal" not in record
    validator().validate(record)


@pytest.mark.parametrize(
    "hand",
    [{"language": "English"}, {"superseded_by": "gone"}, {"tags": ("Tea", "drinks")}, {"title": "x" * 999}],
)
def test_what_somebody_wrote_by_hand_makes_no_record_invalid(hand: dict[str, Any]) -> None:
    validator().validate(registry("sources/tea.md", **hand).public("sources/tea.md", "2026-04-15T09:30:00Z"))


# -- what is said of a source --------------------------------------------------------------------------------------


def test_what_is_not_wished_for_stays() -> None:
    of = registry("sources/tea.md", title="On Tea", tags=("tea",), others={"zeal": 3})

    known, bullets = of.changed("sources/tea.md", RecordUpdate(authority="primary"))

    assert known.sources["sources/tea.md"] == replace(of.known.sources["sources/tea.md"], authority="primary")
    assert bullets == ("authority: primary (before: secondary, as the wiki has it)",)


def test_an_empty_wish_takes_back_what_was_said() -> None:
    of = registry("sources/tea.md", title="On Tea", tags=("tea",), language="en", authority="rumour")

    known, bullets = of.changed("sources/tea.md", RecordUpdate("", "", "", "", ("",), ""))

    assert known.sources["sources/tea.md"] == Record("ab", ("tea",))
    assert len(bullets) == 4


def test_what_it_says_already_is_no_change() -> None:
    of = registry("sources/tea.md", title="On Tea")

    assert of.changed("sources/tea.md", RecordUpdate(title="On Tea", language="")) == (of.known, ())


@pytest.mark.parametrize(
    ("wish", "seen"),
    [
        ({"authority": "tertiary"}, "authority: 'tertiary'; wanted: one of primary, secondary, rumour"),
        ({"language": "english"}, "language: 'english'; wanted: a language like en or en-GB"),
        ({"tags": ("Tea",)}, "tag: 'Tea'; wanted: a-z, 0-9 and -, a letter first"),
        ({"title": "a\nb"}, "title: 'a\\nb'; wanted: 1 to 200 characters in one line"),
        ({"captured_by": "x" * 201}, "by: "),
    ],
)
def test_what_no_record_may_say_is_refused(wish: dict[str, Any], seen: str) -> None:
    error = refused(registry("sources/tea.md"), "sources/tea.md", **wish)

    assert error.code == "source_field"
    assert error.message.startswith(seen)


def test_a_source_is_superseded_by_another_one_that_is_in() -> None:
    of = registry("sources/tea.md", "sources/tea-2.md", "sources/tea-3.md")

    assert refused(of, "sources/tea.md", superseded_by="sources/tea-4.md").code == "source_unknown"
    assert refused(of, "sources/tea.md", superseded_by="tea").code == "superseded_ring"
    known, _ = of.changed("sources/tea.md", RecordUpdate(superseded_by="sources/tea-2.md"))
    known, _ = SourceRecords(known).changed("sources/tea-2.md", RecordUpdate(superseded_by="tea-3"))
    assert known.sources["sources/tea.md"].superseded_by == "tea-2"
    assert refused(SourceRecords(known), "sources/tea-3.md", superseded_by="tea").code == "superseded_ring"


def test_a_ring_that_somebody_made_by_hand_ends_no_command_in_a_circle() -> None:
    of = registry("sources/a1.md", "sources/a2.md", "sources/a3.md", superseded_by="a1")
    known = of.known.with_record("sources/a1.md", replace(of.known.sources["sources/a1.md"], superseded_by="a2"))

    assert SourceRecords(known).changed("sources/a3.md", RecordUpdate(superseded_by="a2"))[1]


# -- an ingest -----------------------------------------------------------------------------------------------------


def test_a_new_source_is_captured_now_under_its_own_title() -> None:
    known = plan.enter_source(SourceManifest(), source(), ["tea"], NOW)

    assert known.sources["sources/tea.md"] == Record(
        "cd" * 32, ("tea",), id="tea", title="On Tea", captured_at="2026-05-01T12:00:00Z"
    )


def test_a_record_of_before_stays_byte_for_byte() -> None:
    before = SourceManifest().with_source("sources/a.md", "sha256:00", ["tea"])

    after = plan.enter_source(before, source(), ["tea"], NOW)

    assert after.sources["sources/a.md"] == before.sources["sources/a.md"]
    assert plan.enter_source(before, source(path="sources/a.md"), [], NOW).sources["sources/a.md"].captured_at


def test_changed_bytes_are_captured_anew_and_what_was_said_stays() -> None:
    said = Record("00", ("tea",), title="Tea!", captured_at="2020-01-01T00:00:00Z", authority="primary", tags=("tea",))
    before = SourceManifest({"sources/tea.md": replace(said, signature=Signature("ann", "ssh"))})

    after = plan.enter_source(before, source(), ["oolong"], NOW).sources["sources/tea.md"]

    said = replace(said, id="tea", captured_at="2026-05-01T12:00:00Z")
    assert after == replace(said, content_hash="cd" * 32, slugs=("oolong", "tea"))


def test_the_remarks_of_who_brings_it_are_written_down() -> None:
    before = SourceManifest().with_source("sources/old.md", "sha256:00", ["tea"])

    after = plan.enter_source(before, source(remarks=SourceRemarks("primary", ("sources/old.md",))), ["tea"], NOW)

    assert after.sources["sources/tea.md"].authority == "primary"
    assert after.sources["sources/old.md"].superseded_by == "tea"


def test_a_source_cannot_supersede_itself_nor_what_supersedes_it() -> None:
    known = SourceManifest({"sources/a.md": Record("", (), superseded_by="b2"), "sources/b2.md": Record("", ())})

    for path, old in (("sources/c.md", "sources/c.md"), ("sources/a.md", "sources/b2.md")):
        with pytest.raises(ConfigError) as caught:
            plan.check_remarks(known, path, SourceRemarks("", (old,)))
        assert caught.value.code == "superseded_ring"
    plan.check_remarks(known, "sources/c.md", SourceRemarks("", ("sources/a.md", "sources/b2.md")))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Tea is a drink.\n", "Tea"),
        ("---\ntitle: The Book of Tea\n---\nTea.\n", "The Book of Tea"),
        ("# " + "Very " * 99 + "long\n\nTea.\n", None),
        ("", "Tea"),
        ("# Tea\x1b[31m \u202e red\n\nTea.\n", None),
    ],
)
def test_a_title_is_one_printable_line(text: str, title: str | None) -> None:
    found = plan.title_of(source(text))

    assert title is None or found == title
    assert found.isprintable()
    assert 0 < len(found) <= 200


# -- how long it is kept -------------------------------------------------------------------------------------------

LOG = "# Log\n\n## [2026-03-31T23:59:59Z] ingest | sources/b.md\n- created [[tea]] Tea\n"


def test_a_source_is_due_when_its_days_are_over() -> None:
    known = SourceManifest(
        {
            "sources/a.md": Record("", (), captured_at="2026-04-01T00:00:00Z"),
            "sources/b.md": Record("", ()),
            "sources/c.md": Record("", ()),
            "sources/d e.md": Record("", (), captured_at="2020-02-02T00:00:00Z"),
        }
    )

    found = retention.due(known, 30, LOG, NOW)

    assert [(one.path, one.captured) for one in found] == [
        ("sources/d e.md", "2020-02-02"),
        ("sources/b.md", "2026-03-31"),
    ]
    assert found[0].next == "rm 'sources/d e.md' && curate remove 'sources/d e.md' --why 'kept for 30 days'"


@pytest.mark.parametrize("limit", [None, 999_999_999])
def test_what_is_kept_for_ever_is_never_due(limit: int | None) -> None:
    assert (
        retention.due(SourceManifest({"sources/a.md": Record("", (), captured_at="0001-01-01")}), limit, "", NOW) == []
    )


@pytest.mark.parametrize(
    ("written", "limit"), [({}, None), ({"retention": "forever"}, None), ({"retention": "days:0"}, 0)]
)
def test_the_retention_of_a_manifest(written: dict[str, str], limit: int | None) -> None:
    assert retention.days(written) == limit
