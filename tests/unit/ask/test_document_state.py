"""What became of documents as a whole: read in their heads, and shown to whoever asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from formats import markdown
from hypothesis import given
from hypothesis import strategies as st

from curator.ask.material import MaterialSearch
from curator.ask.query_scope import QueryScope
from curator.ask.standing import Standing
from curator.cli.commands.ask_report import data_of_material, lines_of_material
from curator.models.sandbox.source_texts import SourceTexts
from curator.models.statements import Proof, ProvenStatement
from curator.repository.catalogue import Catalogue
from curator.repository.runtime.runtime import Runtime
from curator.repository.source_index import IndexedSource, SourceIndex
from curator.wiki.passages.document_state import MOST, no_more, state_of, states_asked, with_states
from curator.wiki.passages.of_source import passages_of
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.passages.ranking import as_heads_say
from curator.wiki.passages.selection import Candidate
from curator.wiki.sources.formats import SourceLimits
from curator.wiki.sources.records import SourceRecords
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.sources.source import Document
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import Workspace
from support.pages import page

FIELDS = "Note: 4\nTitle: Shared fields\nStatus: {status}\nCreated: 2042\n{more}\n\n"
BODY = "Fields can be shared.\n\n## Rejected ideas\n\nA tax was rejected.\n\n## The end\n\n{end}\n"
SOURCES = {
    "sources/4.md": FIELDS.format(status="Rejected", more="Superseded-By: 5")
    + BODY.format(end="The council has rejected it, for want of boats."),
    "sources/5.md": FIELDS.format(status="Final", more="Replaces: 4") + BODY.format(end="It is in force."),
    "sources/6.md": "| Status | rejected |\n|---|---|\n| Day | 3 May |\n\n" + BODY.format(end="It went nowhere."),
    "sources/7.md": BODY.format(end="Nobody says what became of it: Status: unknown, some rejected it."),
}


def index_of(texts: dict[str, str]) -> SourceIndex:
    index = SourceIndex.open(None)

    def read(path: str) -> IndexedSource:
        _, passages = passages_of(Document.from_text(texts[path]), "markdown")
        return IndexedSource(path, path, passages, state_of(passages))

    index.refresh(dict.fromkeys(texts, "1"), read)
    return index


def first_of(question: str, *found: str) -> list[tuple[str, str]]:
    """What comes first for ``question``, where these documents were found by its words."""
    ranked = [
        Candidate(Reading(path, path, path, (path,), ()), 3, Passage("source", "Words."), score=1.0, fused=9.0 - at)
        for at, path in enumerate(found)
    ]
    for asked in states_asked(question):
        told = index_of(SOURCES).stating(asked.words, asked.about(ranked), MOST, asked.of_all)
        ranked = with_states(ranked, [(each.path, each.title, one) for each in told for one in each.passages], asked)
    ranked.sort(key=lambda each: -each.fused)
    return [(each.reading.path[8:9], " ".join(each.passage.text.split())) for each in ranked if each.number < 0]


def test_who_asks_which_were_rejected_is_told_each_with_its_reason() -> None:
    reason = ("4", "The council has rejected it, for want of boats.")

    assert [one for one, _ in first_of("Which notes were rejected, and why?", "sources/7.md")] == ["4", "6"]
    assert reason in first_of("Which notes were rejected, and why?")
    assert first_of("Why was the rejected note on fields no good?", "sources/5.md", "sources/4.md") == [reason]
    assert first_of("Why was the rejected note on fields no good?", "sources/5.md") == []


def test_who_asks_what_replaced_something_is_told_by_the_heads() -> None:
    found = first_of("What replaced the note on fields?", "sources/5.md", "sources/4.md", "sources/7.md")

    assert [(one, "Replaces: 4" in said or "Superseded-By: 5" in said) for one, said in found] == [
        ("5", True),
        ("4", True),
    ]


def test_who_asks_what_became_of_something_is_told_how_the_documents_on_it_ended() -> None:
    reason = ("4", "The council has rejected it, for want of boats.")
    found = first_of("What became of the note on fields?", "sources/5.md", "sources/4.md", "sources/7.md")

    assert found[0] == reason
    assert [one for one, said in found[1:] if "Superseded-By: 5" in said] == ["4"]
    assert first_of("What happened to the note on fields?", "sources/5.md", "sources/7.md") == []


def test_everyday_words_for_it_are_those_of_heads() -> None:
    (asked,) = states_asked(as_heads_say("Which notes were turned down?"))
    assert (asked.words, asked.of_all) == (("rejected",), True)
    (asked,) = states_asked(as_heads_say("Why was the note on fields shelved?"))
    assert (asked.words, asked.of_all) == (("deferred",), False)


@pytest.mark.parametrize(
    "question",
    ["Which rejected ideas are told?", "How is a field shared?", "Can a note reject a field?", "Is a replica made?"],
)
def test_who_does_not_ask_what_became_of_documents_is_told_nothing_of_it(question: str) -> None:
    assert list(states_asked(question)) == []


@given(st.text(), st.sampled_from(["Which notes were rejected?", "What replaced it?", "Was it withdrawn?"]))
def test_whatever_a_head_says_nothing_is_lost_and_none_is_told_twice(status: str, question: str) -> None:
    passages = passages_of(Document.from_text(FIELDS.format(status=status, more="") + "It is."), "markdown")[1]
    reading = Reading("sources/a.md", "sources/a.md", "a", ("a",), passages)
    found = [Candidate(reading, n, each, score=1.0, fused=1.0) for n, each in enumerate(passages)]

    for asked in states_asked(question):
        told = with_states(found, [("sources/a.md", "a", each) for each in passages], asked)
        assert len(told) == len(found) and set(told) == set(found)


@pytest.mark.parametrize(
    ("field", "said"),
    [("status: Withdrawn", "withdrawn"), ('status: "Rejected"', "rejected"), ("superseded_by: spx-14", "superseded")],
)
def test_a_head_of_yaml_says_it_too(field: str, said: str) -> None:
    text, _ = markdown.visible(
        f"---\ntitle: A note\n{field}\ndate: 2020-01-01\n---\n\n# A note\n\nFields can be shared.\n"
    )

    assert no_more(state_of(passages_of(Document.from_text(text), "markdown")[1])) == (said,)


# -- what rests on them --------------------------------------------------------------------------------------------

FIELD = page(
    "field",
    "A field is land that is tilled. [^5-1]\n\n- Fields can be shared by two farms. [^4-1]\n"
    "- Fields are shared by all. [^4-1] [^5-1]\n\n"
    '[^4-1]: sources/4.md#L7 "Fields can be shared."\n[^5-1]: sources/5.md#L7 "Fields can be shared."\n',
)


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ("rejected superseded", ("rejected", "superseded")),
        ("withdrawn", ("withdrawn",)),
        ("final replaces", ()),
        ("final supersedes", ()),
        ("draft", ()),
        ("", ()),
    ],
)
def test_a_state_says_whether_the_document_holds_as_a_whole(state: str, why: tuple[str, ...]) -> None:
    assert no_more(state) == why


@pytest.fixture
def search(tmp_path: Path) -> MaterialSearch:
    (tmp_path / "sources").mkdir()
    for path, text in SOURCES.items():
        (tmp_path / path).write_text(text, "utf-8")
    texts = SourceTexts(tmp_path, Runtime(tmp_path), lambda: SourceLimits(1_000_000, 1_000_000))
    seen = QueryScope(Workspace("f", "F", "F.", "1.0.0"), lambda: SourceRecords(SourceManifest()), frozenset())
    catalogue = Catalogue.of_pages((FIELD,))
    return MaterialSearch(Wiki(catalogue), catalogue, index_of(SOURCES), Standing(texts), seen)


def test_what_rests_only_on_documents_that_hold_no_more_says_so_wherever_it_is_shown(search: MaterialSearch) -> None:
    found = search.material("shared fields and farms", 2000)

    told = {(each.name[-7:], passage.text): passage.standing for each in found.readings for passage in each.passages}
    assert told["field", "Fields can be shared by two farms."] == "4: rejected, superseded"
    assert told["field", "Fields are shared by all."] == ""
    assert "[rests on 4: rejected, superseded]\n- Fields can be shared by two farms." in "\n".join(
        each.text for each in found.readings
    )
    assert {each["standing"] for each in data_of_material(found)["passages"] if each["source"] == "sources/4.md"} == {
        "4: rejected, superseded"
    }
    source = next(each for each in found.readings if each.path == "sources/4.md")
    assert source.state == "rejected, superseded" and "rests on" not in source.text
    assert any(line.endswith(" (rejected, superseded)") for line in lines_of_material(found) if "sources/4" in line)


def test_a_statement_says_so_where_all_that_it_quotes_does() -> None:
    past, now = (Passage("item", "Fields can be shared.", standing=each) for each in ("note-4: rejected", ""))
    reading = Reading("field", "field", "Field", ("Field",), (past, now))

    assert ProvenStatement(1, "It was so.", (Proof(reading, past),)).standing == "note-4: rejected"
    assert ProvenStatement(1, "It was so.", (Proof(reading, past), Proof(reading, now))).standing == ""


def test_the_head_of_a_markdown_file_tells_its_state_in_small_letters() -> None:
    document = Document.from_text('---\ntitle: Shared fields\nstatus: "Withdrawn"\nsuperseded_by: 5\n---\n\nFields.\n')

    assert no_more(state_of(passages_of(document, "markdown")[1])) == ("withdrawn", "superseded")
