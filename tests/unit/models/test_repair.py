"""A repair: mended parts are put into the proposal by their numbers, and all else stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.errors import ProposalError
from curator.finding import Finding
from curator.models import repair
from curator.models.llm import mend_prompt
from curator.models.llm.prompts import Prompt
from curator.models.port import Request
from curator.models.proposal import Add, Claim, Create, Dispute, Mark, Operation, Proposal
from curator.models.repair import MendedClaim, MendedOperation, Repair
from curator.models.search_replace import repair_to_json
from support.pages import source


def claims(*texts: str) -> tuple[Claim, ...]:
    return tuple(Claim(text=text, quotes=(f"words of {text}",)) for text in texts)


CREATE = Create(op="create", kind="concept", title="Oolong", body=claims("one", "two", "three"))
ADD = Add(op="add", page="tea", section="", body=claims("four"))
DISPUTE = Dispute(op="dispute", page="tea", passage="Tea is a drink.", claim=claims("five")[0])
MARK = Mark(op="mark", page="tea", contradicts=("oolong",))
ALL: tuple[Operation, ...] = (CREATE, ADD, DISPUTE, MARK)


def body(number: str, *texts: str) -> Repair:
    return Repair(claims=(MendedClaim(number=number, body=claims(*texts)),))


def merged(said: Repair, *asked: str) -> tuple[Operation, ...]:
    return said.merged(Proposal(operations=ALL), asked).operations


def test_a_claim_is_mended_split_or_dropped_in_its_place() -> None:
    assert merged(body("1.2", "b"), "1.2")[0] == CREATE.model_copy(update={"body": claims("one", "b", "three")})
    assert merged(body("1.2", "b", "c"), "1.2")[0] == CREATE.model_copy(
        update={"body": claims("one", "b", "c", "three")}
    )
    assert merged(body("1.2"), "1.2")[0] == CREATE.model_copy(update={"body": claims("one", "three")})


def test_the_claim_of_a_dispute_is_mended_and_without_one_there_is_no_dispute() -> None:
    assert merged(body("3.1", "six"), "3.1")[2] == DISPUTE.model_copy(update={"claim": claims("six")[0]})
    assert merged(body("3.1"), "3.1") == (CREATE, ADD, MARK)


def test_an_operation_is_mended_or_dropped_and_the_numbers_of_others_do_not_move() -> None:
    said = Repair(
        operations=(MendedOperation(number="2", operation=None), MendedOperation(number="4", operation=ADD)),
        claims=(MendedClaim(number="3.1", body=claims("six")),),
    )

    assert merged(said, "2", "4", "3.1") == (CREATE, DISPUTE.model_copy(update={"claim": claims("six")[0]}), ADD)


def test_an_operation_without_a_body_keeps_the_one_it_had() -> None:
    renamed = CREATE.model_copy(update={"title": "Oolong tea", "body": ()})
    said = Repair(operations=(MendedOperation(number="1", operation=renamed),), claims=body("1.2", "b").claims)

    assert merged(said, "1", "1.2")[0] == renamed.model_copy(update={"body": claims("one", "b", "three")})


def test_of_an_operation_that_is_shown_whole_a_claim_may_be_mended_by_its_own_number() -> None:
    """The findings beside it name its claims: ``5.3: claim_uncited``."""
    assert merged(body("1.2", "b", "c"), "1")[0] == CREATE.model_copy(update={"body": claims("one", "b", "c", "three")})
    assert merged(body("2.1", "x"), "1") == ALL


@pytest.mark.parametrize("asked", ["1", "1.2"])
def test_a_claim_that_is_mended_twice_is_refused(asked: str) -> None:
    twice = Repair(claims=(*body("1.2", "b").claims, *body("1.2", "c").claims))

    with pytest.raises(ProposalError, match=r"the repair mends 1\.2 twice"):
        merged(twice, asked)


def test_where_only_the_title_is_wrong_the_claims_are_asked_for_by_themselves() -> None:
    title, quote = (
        Finding("title_unknown", "reply", "", places=("1",)),
        Finding("quote_missing", "reply", "", places=("1.2",)),
    )

    assert repair.asked_for([title, quote]) == ("1", "1.2")


@pytest.mark.parametrize("number", ["1.1", "9.9"], ids=["sound", "none"])
def test_what_was_not_asked_for_stays_as_it_was(number: str) -> None:
    said = Repair(claims=(*body("1.2", "b").claims, *body(number, "x").claims))

    assert merged(said, "1.2") == merged(body("1.2", "b"), "1.2")


def test_what_is_mended_twice_is_refused() -> None:
    with pytest.raises(ProposalError, match=r"mends 1\.2 twice"):
        merged(Repair(claims=body("1.2", "x").claims * 2), "1.2")


@given(st.sets(st.sampled_from(["1.1", "1.2", "1.3", "2.1", "3.1"])))
def test_what_is_not_mended_stays(numbers: set[str]) -> None:
    said = Repair(claims=tuple(MendedClaim(number=number, body=claims("new")) for number in sorted(numbers)))

    before, after = (
        repair.parts_of(Proposal(operations=ALL)),
        repair.parts_of(said.merged(Proposal(operations=ALL), numbers)),
    )

    for (number, old), (_, new) in zip(before, after, strict=True):
        if isinstance(old, Claim):
            assert new == (claims("new")[0] if number in numbers else old)


@pytest.mark.parametrize(
    ("places", "asked"),
    [
        (["1.2", "3.1"], ("1.2", "3.1")),
        (["1.10", "1.9"], ("1.9", "1.10")),
        (["1.2", "1"], ("1",)),
        (["1 2", "1"], ("1", "2")),
        (["1.2", ""], None),
        ([], ()),
    ],
)
def test_what_is_asked_for_is_what_has_faults(places: list[str], asked: tuple[str, ...] | None) -> None:
    assert (
        repair.asked_for([Finding("a_code", "reply", "wrong", places=tuple(each.split())) for each in places]) == asked
    )


def test_blocks_say_the_same_as_json() -> None:
    said = '<<<<<<< 1.2\n- It is b.\n^ "words"\n>>>>>>> END\n<<<<<<< 1.3\n>>>>>>> END\n<<<<<<< 2 DROP\n>>>>>>> END\n'
    said += '<<<<<<< 4 ADD tea | Kinds\n- New.\n^ "words"\n>>>>>>> END'

    assert Repair.parse(repair_to_json(said)) == Repair(
        claims=(
            MendedClaim(number="1.2", body=(Claim(text="- It is b.", quotes=("words",)),)),
            MendedClaim(number="1.3", body=()),
        ),
        operations=(
            MendedOperation(number="2", operation=None),
            MendedOperation(
                number="4",
                operation=Add(op="add", page="tea", section="Kinds", body=(Claim(text="- New.", quotes=("words",)),)),
            ),
        ),
    )


def told(*faults: Finding, operations: tuple[Operation, ...] = ALL) -> Prompt:
    taken = source("one two three four five")
    proposal = Proposal(operations=operations)
    request = Request(taken).again(proposal.dumps(), faults)
    return mend_prompt.mend(request, proposal, repair.asked_for(faults) or (), "blocks", None)


@pytest.mark.parametrize(("code", "number"), [("title_unknown", "1"), ("page_unknown", "2")])
def test_for_a_title_or_a_page_the_first_line_alone_is_shown_and_asked_for(code: str, number: str) -> None:
    prompt = told(Finding(code, "reply", "no", places=(number,)))

    assert "words of" not in prompt.messages[1]["content"]
    assert "its body stays" in prompt.system
    assert "<<<<<<< DISPUTE" not in prompt.system
    assert "<<<<<<< DISPUTE" in told(Finding("kind_unknown", "reply", "no", places=(number,))).system


def test_a_fault_names_the_claim_and_no_words_that_stand_above_it() -> None:
    wrong = Finding("negation_turned", "reply", "'no' is lost (for the claim: 'two (2)')", places=("1.2",))
    whole = Finding("kind_unknown", "reply", "no such kind", places=("1",))

    assert "   negation_turned: 'no' is lost\n" in told(wrong).messages[1]["content"]
    assert "   1.2: negation_turned: 'no' is lost\n" in told(wrong, whole).messages[1]["content"]


@pytest.mark.parametrize("said", ["", "prose", "<<<<<<< CREATE concept | Tea\n>>>>>>> END", "<<<<<<< 1.2\nopen"])
def test_blocks_without_numbers_are_refused(said: str) -> None:
    with pytest.raises(ProposalError):
        repair_to_json(said)


def test_a_long_reply_of_nothing_but_faults_makes_no_long_question() -> None:
    taken = source("\n\n".join(f"Line {n} of a long source says a thing of hive {n}." for n in range(3_000)))
    body = tuple(Claim(text=f"It is {n}.", quotes=(f"hive number {n} is not there",)) for n in range(200))
    proposal = Proposal(operations=(CREATE.model_copy(update={"body": body}),))
    faults = tuple(Finding("quote_missing", taken.path, "", places=(f"1.{n}",)) for n in range(1, 201))
    request = Request(taken).again(proposal.dumps(), faults)

    prompt = mend_prompt.mend(request, proposal, repair.asked_for(faults) or (), "json", None)

    assert prompt.tokens < 40_000
