"""The plain-text form of a reply says the same as the JSON form."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import ProposalError
from curator.models import search_replace
from curator.models.proposal import (
    MAX_QUOTES,
    Add,
    Claim,
    Create,
    Dispute,
    Mark,
    Merge,
    Move,
    Operation,
    Proposal,
    Rename,
    Replace,
)
from curator.models.sandbox.process import PROMPTS
from support.pages import laws

# -- a proposal written as blocks, and read back ---------------------------------------------------------------------

WORDS = st.lists(
    st.sampled_from(["tea", "*hot*", "[[cup]]", "(x)", "3.5", "it's", "a_b", "é", "x,y"]), min_size=1, max_size=6
).map(" ".join)
SENTENCES = WORDS.map(lambda words: f"The {words}")
TEXTS = st.one_of(
    SENTENCES,
    SENTENCES.map(lambda text: f"- {text}"),
    SENTENCES.map(lambda text: f"## {text}"),
    SENTENCES.map(lambda text: f"{text}\nover lines"),
    SENTENCES.map(lambda text: f"| a | b |\n|---|---|\n| {text} | c |"),
)
CLAIMS = st.builds(Claim, text=TEXTS, quotes=st.lists(SENTENCES, max_size=2).map(tuple))
BODIES = st.lists(CLAIMS, max_size=3).map(tuple)
SLUGS = st.lists(st.sampled_from(["tea", "green-tea", "cup"]), max_size=2).map(tuple)
NAMES = st.lists(SENTENCES.map(lambda text: text.replace(",", ".")), max_size=2).map(tuple)
OPERATIONS = st.one_of(
    st.builds(Create, op=st.just("create"), kind=st.just("concept"), title=SENTENCES, aliases=NAMES, body=BODIES),
    st.builds(Add, op=st.just("add"), page=st.just("tea"), section=st.one_of(st.just(""), SENTENCES), body=BODIES),
    st.builds(Replace, op=st.just("replace"), page=st.just("tea"), passage=TEXTS, body=BODIES),
    st.builds(Dispute, op=st.just("dispute"), page=st.just("tea"), passage=TEXTS, claim=CLAIMS),
    st.builds(
        Mark,
        op=st.just("mark"),
        page=st.just("tea"),
        contradicts=SLUGS,
        supersedes=SLUGS,
        aliases=NAMES,
        confidence=st.one_of(st.none(), st.floats(0, 1)),
    ),
    st.builds(Rename, op=st.just("rename"), page=st.just("tea"), title=SENTENCES),
    st.builds(Merge, op=st.just("merge"), page=st.just("tea"), other=st.just("cup")),
    st.builds(Move, op=st.just("move"), page=st.just("tea"), passage=SENTENCES, to=st.just("cup")),
)


def rendered(operation: Operation) -> str:
    if isinstance(operation, Create):
        head = f"CREATE {operation.kind} | {operation.title} | {'; '.join(operation.aliases)}"
        return block(head, body(operation.body))
    if isinstance(operation, Add):
        return block(f"ADD {operation.page} | {operation.section}", body(operation.body))
    if isinstance(operation, Replace):
        return block(f"SEARCH {operation.page}", f"{operation.passage}\n=======\n{body(operation.body)}", "REPLACE")
    if isinstance(operation, Dispute):
        return block(f"DISPUTE {operation.page}", f"{operation.passage}\n=======\n{body((operation.claim,))}")
    if isinstance(operation, Rename):
        return block(f"RENAME {operation.page} | {operation.title}", "")
    if isinstance(operation, Merge):
        return block(f"MERGE {operation.page} | {operation.other}", "")
    if isinstance(operation, Move):
        return block(f"MOVE {operation.page} | {operation.to}", operation.passage)
    lines = [
        f"contradicts: {', '.join(operation.contradicts)}",
        f"supersedes: {', '.join(operation.supersedes)}",
        f"aliases: {'; '.join(operation.aliases)}",
        f"confidence: {'' if operation.confidence is None else repr(operation.confidence)}",
    ]
    return block(f"MARK {operation.page}", "\n".join(lines))


def block(head: str, inside: str, end: str = "END") -> str:
    return f"<<<<<<< {head}\n{inside}\n>>>>>>> {end}"


def body(claims: tuple[Claim, ...]) -> str:
    return "\n\n".join("\n".join([claim.text, *(f'^ "{quote}"' for quote in claim.quotes)]) for claim in claims)


@laws
@given(st.lists(OPERATIONS, min_size=1, max_size=4), st.booleans(), st.booleans())
def test_blocks_say_what_the_json_says(operations: list[Operation], windows: bool, fenced: bool) -> None:
    proposal = Proposal(operations=tuple(operations))
    text = "\n\n".join(map(rendered, operations))
    text = f"```text\n{text}\n```" if fenced else text

    found = Proposal.parse(search_replace.to_json(text.replace("\n", "\r\n") if windows else text))

    assert found == proposal


# -- what models write -----------------------------------------------------------------------------------------------


def claims(text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(claim.text, claim.quotes) for claim in search_replace.claims(text.split("\n"))]


def test_each_block_has_the_quotes_that_follow_it() -> None:
    text = 'One.\n^ "a"\n^ “b”\n\n## Head\n- two\n^ c d\n- three\n  more\n^ "e"\n1. four\n'

    assert claims(text) == [
        ("One.", ("a", "b")),
        ("## Head", ()),
        ("- two", ("c d",)),
        ("- three\n  more", ("e",)),
        ("1. four", ()),
    ]


def test_a_heading_is_a_block_of_its_own_without_a_blank_line() -> None:
    assert claims('## Use\nIt is hot.\n^ "hot"') == [("## Use", ()), ("It is hot.", ("hot",))]


def test_code_in_a_fence_is_one_thing_whatever_stands_in_it() -> None:
    code = "```toml\n# a comment\n[tool]\n\n- no item\n^ no quote\n```"
    found = search_replace.claims(["It is set so.", '^ "set so"', *code.split("\n"), "- More.", '^ "more of it"'])

    assert [(claim.text, claim.quotes) for claim in found] == [
        ("It is set so.", ("set so",)),
        (code, ()),
        ("- More.", ("more of it",)),
    ]


def test_a_fence_that_is_never_closed_ends_nothing() -> None:
    found = search_replace.claims(["```", "tea", "", "- More.", '^ "more of it"'])

    assert [claim.text for claim in found] == ["```\ntea", "- More."]


def test_a_quote_after_a_blank_line_still_belongs() -> None:
    assert claims('One.\n\n^ "a"') == [("One.", ("a",))]


def test_the_example_of_the_prompt_is_a_proposal() -> None:
    text = (PROMPTS / "reply-blocks.md").read_text("utf-8")
    example = text[text.index("<<<<<<<") :]

    found = Proposal.parse(search_replace.to_json(example))

    said = "create add replace dispute mark rename merge move"
    assert " ".join(operation.op for operation in found.operations) == said


@pytest.mark.parametrize("written", ["X \\| Y", "`X | Y`", "X | Y | "])
def test_a_title_may_have_a_bar(written: str) -> None:
    found = Proposal.parse(search_replace.to_json(f"<<<<<<< CREATE concept | {written}\nIt is.\n>>>>>>> END"))

    assert isinstance(found.operations[0], Create)
    assert found.operations[0].title.strip("`") == "X | Y"


def test_a_heading_may_have_a_bar() -> None:
    found = Proposal.parse(search_replace.to_json("<<<<<<< ADD union | The X | Y way\nIt is.\n>>>>>>> END"))

    assert isinstance(found.operations[0], Add)
    assert found.operations[0].section == "The X | Y way"


@pytest.mark.parametrize(
    "text",
    [
        'Here you go:\n\n<<<<<<< ADD tea\n- x\n^ "q"\n>>>>>>> END\n\nI hope this helps!',
        '<think>\nThe reply needs\n<<<<<<< ADD milk\nblocks.</think>\n<<<<<<< ADD tea\n- x\n^ "q"\n>>>>>>> END',
        '```text\n<<<<<<< Add tea\n- x\n^"q"\n>>>>>>> ADD\n```',
        "<<<<<<<ADD tea\n- x\n^ “q”\n>>>>>>>",
    ],
)
def test_the_habits_of_small_models_are_read(text: str) -> None:
    found = Proposal.parse(search_replace.to_json(text))

    assert [operation.op for operation in found.operations] == ["add"]
    assert '"page":"tea"' in found.operations[0].model_dump_json()
    assert '"quotes":["q"]' in found.operations[0].model_dump_json()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "reply_not_blocks"),
        ("I cannot do that.", "reply_not_blocks"),
        ("<<<<<<< ADD tea\nx\n>>>>>>> END\nAnd:\n<<<<<<< ADD tea\ny\n>>>>>>> END", "reply_not_blocks"),
        ("- a claim\n<<<<<<< ADD tea\nx\n>>>>>>> END", "reply_not_blocks"),
        ("Well.\n" * 4 + "<<<<<<< ADD tea\nx\n>>>>>>> END", "reply_not_blocks"),
        ("<<<<<<< CREAT concept\nx\n>>>>>>> END\n<<<<<<< ADD tea\nx\n>>>>>>> END", "reply_not_blocks"),
        ("<<<<<<< ADD tea\nx", "reply_cut_off"),
        ("<<<<<<< SEARCH tea\nold\nnew\n>>>>>>> REPLACE", "reply_cut_off"),
        ("<<<<<<< DISPUTE tea\nold\n=======\none\n\ntwo\n>>>>>>> END", "reply_schema"),
        ("<<<<<<< DISPUTE tea\nold\n=======\n>>>>>>> END", "reply_schema"),
        ("<<<<<<< MARK tea\npath: ../x\n>>>>>>> END", "reply_schema"),
        ("<<<<<<< MARK tea\nconfidence: high\n>>>>>>> END", "reply_schema"),
        ("<<<<<<< MERGE tea | cup\nbecause\n>>>>>>> END", "reply_schema"),
        ("<<<<<<< DELETE tea\n>>>>>>> END", "reply_not_blocks"),
        ("<<<<<<< CREATE poem | Tea\nx\n>>>>>>> END", "reply_schema"),
        ("<<<<<<< CREATE concept\nx\n>>>>>>> END", "reply_schema"),
        (f"<<<<<<< ADD tea\n{'x' * 16_001}\n>>>>>>> END", "reply_schema"),
        ("<<<<<<< ADD tea\nx\n" + '^ "q"\n' * (MAX_QUOTES + 1) + ">>>>>>> END", "reply_schema"),
    ],
)
def test_what_is_no_proposal_is_refused_with_a_code(text: str, code: str) -> None:
    with pytest.raises(ProposalError) as caught:
        Proposal.parse(search_replace.to_json(text))

    assert caught.value.code == code


@laws
@given(st.text(alphabet='<>=^|- ADSERCHMK\nx"', max_size=120))
def test_any_reply_is_read_or_refused(text: str) -> None:
    try:
        found = search_replace.to_json(text)
    except ProposalError as error:
        assert error.code.startswith("reply_")
    else:
        assert json.loads(found)["operations"]


def test_of_a_reply_that_is_cut_off_the_finished_blocks_can_be_used() -> None:
    first = "<<<<<<< CREATE concept | Tea\nTea is hot.\n>>>>>>> END"

    assert search_replace.whole_blocks(f"{first}\n\n<<<<<<< CREATE concept | Cof") == first
    assert search_replace.whole_blocks("<<<<<<< CREATE concept | Tea\nTea is") == ""
