"""A model's reply is read strictly, once; what is not exactly a proposal is an error with a code."""

from __future__ import annotations

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import ProposalError
from curator.models.proposal import (
    LONGEST_CLAIM,
    MAX_QUOTES,
    Add,
    Claim,
    Create,
    Dispute,
    Mark,
    Proposal,
    Replace,
    schema,
)
from curator.models.structured_reply import MAX_REPLY_BYTES
from support.pages import laws

TEXT = st.text(min_size=1, max_size=30)
SLUGS = st.sampled_from(["tea", "green-tea", "cup"])
CLAIMS = st.builds(Claim, text=TEXT, quotes=st.lists(st.text(max_size=30), max_size=3).map(tuple))
BODIES = st.lists(CLAIMS, max_size=3).map(tuple)
TITLES = st.lists(TEXT, max_size=2).map(tuple)
KINDS = st.sampled_from(["summary", "entity", "concept", "comparison", "timeline"])
OPERATIONS = st.one_of(
    st.builds(Create, op=st.just("create"), kind=KINDS, title=TEXT, aliases=TITLES, body=BODIES),
    st.builds(Add, op=st.just("add"), page=SLUGS, section=st.text(max_size=10), body=BODIES),
    st.builds(Replace, op=st.just("replace"), page=SLUGS, passage=TEXT, body=BODIES),
    st.builds(Dispute, op=st.just("dispute"), page=SLUGS, passage=TEXT, claim=CLAIMS),
    st.builds(
        Mark,
        op=st.just("mark"),
        page=SLUGS,
        contradicts=st.lists(SLUGS, max_size=2).map(tuple),
        supersedes=st.lists(SLUGS, max_size=2).map(tuple),
        aliases=TITLES,
        confidence=st.one_of(st.none(), st.floats(0, 1)),
    ),
)
PROPOSALS = st.builds(Proposal, operations=st.lists(OPERATIONS, max_size=4).map(tuple))
VALIDATOR = jsonschema.Draft202012Validator(schema())

CREATE: dict[str, Any] = {"op": "create", "kind": "concept", "title": "Tea", "aliases": [], "body": []}


def reply(*operations: dict[str, Any], **more: object) -> str:
    return json.dumps({"operations": list(operations), **more})


def code(text: str) -> str:
    with pytest.raises(ProposalError) as caught:
        Proposal.parse(text)
    return caught.value.code


@laws
@given(PROPOSALS)
def test_what_is_written_is_what_is_read(proposal: Proposal) -> None:
    assert Proposal.parse(proposal.dumps()) == proposal


@laws
@given(PROPOSALS)
def test_what_is_written_fits_the_schema(proposal: Proposal) -> None:
    VALIDATOR.validate(json.loads(proposal.dumps()))


@pytest.mark.parametrize("fence", ["```json\n{}\n```", "```\n{}\n```", "  {}\n\n", "{}"])
def test_a_fence_around_the_object_is_taken_off(fence: str) -> None:
    assert Proposal.parse(fence.replace("{}", reply(CREATE))).operations == (
        Create(op="create", kind="concept", title="Tea", body=()),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Sure, here it is: {}",
        "{} {}",
        '{"operations": [], "operations": []}',
        '{"operations": [',
        "[" * 200_000,
        '{"a":' * 50_000,
        "```json\n{}\n```\nand more",
    ],
)
def test_what_is_not_one_json_object_is_refused(text: str) -> None:
    assert code(text) == "reply_not_json"


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "null",
        '"operations"',
        "{}",
        reply(CREATE, extra=1),
        reply(CREATE | {"path": "../x"}),
        reply(CREATE | {"kind": "page"}),
        reply(CREATE | {"title": 7}),
        reply(CREATE | {"title": ""}),
        reply(CREATE | {"title": "x" * 201}),
        reply(CREATE | {"op": "delete"}),
        reply({key: value for key, value in CREATE.items() if key != "op"}),
        reply(CREATE | {"body": [{"text": "x", "quotes": "not a list"}]}),
        reply(CREATE | {"body": [{"text": "x" * (LONGEST_CLAIM + 1), "quotes": []}]}),
        reply(CREATE | {"body": [{"text": "x", "quotes": ["q"] * (MAX_QUOTES + 1)}]}),
        reply(CREATE | {"body": ["x"]}),
        reply(CREATE | {"title": "\ud800"}),
        reply(*[CREATE] * 61),
        reply({"op": "mark", "page": "tea", "confidence": 1.5}),
        reply({"op": "mark", "page": "tea", "confidence": "0.5"}),
        '{"operations": [{"op": "mark", "page": "tea", "confidence": NaN}]}',
        reply({"op": "replace", "page": "tea", "passage": "", "body": []}),
    ],
)
def test_what_does_not_fit_is_refused(text: str) -> None:
    assert code(text) == "reply_schema"


def test_an_example_as_long_as_a_page_of_a_standard_fits() -> None:
    block = {"text": "```\n" + "field = value\n" * 900 + "```", "quotes": []}

    assert Proposal.parse(reply({**CREATE, "body": [block]})).operations


def test_a_reply_has_a_size() -> None:
    assert code(reply(CREATE | {"title": "é" * (MAX_REPLY_BYTES // 2)})) in ("reply_too_large", "reply_schema")
    assert code(" " * MAX_REPLY_BYTES + "{}") == "reply_too_large"


def test_the_message_names_the_place() -> None:
    with pytest.raises(ProposalError, match=r"operations\.0\.create\.title"):
        Proposal.parse(reply(CREATE | {"title": 7}))


def test_the_schema_is_of_the_form_that_providers_enforce() -> None:
    def walk(node: Any) -> None:
        if isinstance(node, list):
            for item in node:
                walk(item)
        if isinstance(node, dict):
            assert not {"oneOf", "discriminator", "default", "maxLength"} & node.keys()
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                assert node["required"] == list(node["properties"])
            for item in node.values():
                walk(item)

    walk(schema())
