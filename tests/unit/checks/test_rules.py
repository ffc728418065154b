"""Laws of the wall as a whole."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.checks.rules import RULES, broken_by, frontmatter
from curator.checks.rules.change import Change
from curator.ingest.drafting.draft import draft
from curator.ingest.drafting.drafted import DraftContext
from curator.models.proposal import Add, Claim, Create, Dispute, Operation, Proposal, Replace
from curator.wiki import references, taken_names, validation
from curator.wiki.pages import diff
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.judge import Judge
from curator.wiki.workspace.workspace import CurationPolicy
from support.changes import OOLONG, PATH, TEA, change, codes, edited, fresh
from support.pages import NOW, laws, page, source, wiki

ALL = (*RULES, frontmatter.unreadable)
CODE = re.compile(r"([a-z0-9_]+)(?: \([A-Z]\d(?:[, a-z]+[A-Z]\d)*\))?(?::|\Z)")


def code_of(rule: object) -> str:
    match = CODE.match(inspect.getdoc(rule) or "")
    assert match
    return match[1]


def test_every_rule_names_its_one_code() -> None:
    named = [code_of(rule) for rule in ALL]

    assert len(set(named)) == len(named)
    for rule, code in zip(ALL, named, strict=True):
        assert codes_in(rule) == {code}


def codes_in(rule: object) -> set[str]:
    """The codes that a rule gives its findings, itself or by a finder that lint and validate ask, too."""
    source = inspect.getsource(rule)  # type: ignore[arg-type]
    shared = [getattr(taken_names, name) for name in re.findall(r"taken_names\.(\w+)\(", source)]
    shared += [references.broken_link] if "broken_link(" in source else []
    source += "".join(map(inspect.getsource, shared))
    named = re.findall(r'(?:Finding|Failure)\(\s*(?:"([a-z0-9_]+)"|([A-Z_]+))', source)
    return {literal or getattr(validation, constant) for literal, constant in named}


def test_every_code_is_tested() -> None:
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_rules_*.py"))

    assert [code for code in map(code_of, ALL) if f'"{code}"' not in tests] == []


def test_a_change_of_nothing_breaks_nothing() -> None:
    assert broken_by(change([TEA], [])) == []


def test_what_was_judged_is_let_go() -> None:
    judged = change([TEA], [fresh("Oolong is partly oxidised.")])
    alive = ref(judged.pages["concepts/oolong.md"])
    assert broken_by(judged)

    del judged

    assert alive() is None


SENTENCES = ("Oolong is partly oxidised.", "It grows in Fujian.", "A pot takes 90 degrees.", "- Brew it for 3 minutes.")
QUOTES = (
    "Oolong is a tea that is partly oxidised",
    "Oolong is grown in Fujian and on Taiwan",
    "brewed with water of 90 degrees",
)
PASSAGES = ("Tea is sold loose and in bags.", "- Green tea takes 80 degrees.", "Water is boiled in a kettle.")

claims = st.builds(
    lambda text, quote: Claim(text=text, quotes=(quote,)), st.sampled_from(SENTENCES), st.sampled_from(QUOTES)
)
bodies = st.tuples(claims, st.lists(claims | st.just(Claim(text="## Making it")), max_size=4)).map(
    lambda t: (t[0], *t[1])
)
creates = st.builds(
    lambda kind, title, body: Create(op="create", kind=kind, title=title, body=body),
    st.sampled_from(["summary", "entity", "concept", "timeline"]),
    st.sampled_from(["Oolong", "Fujian", "Brewing: a [guide]", "烏龍茶", "Kettle & pot", "Tea"]),
    bodies,
)
adds = st.builds(
    lambda after, body: Add(op="add", page="tea", section=after, body=body),
    st.sampled_from(["", "Making", "Kinds", "New"]),
    bodies,
)
replaces = st.builds(
    lambda passage, claim: Replace(op="replace", page="tea", passage=passage, body=(claim,)),
    st.sampled_from(PASSAGES[:1]),
    claims,
)
disputes = st.builds(
    lambda passage, claim: Dispute(op="dispute", page="tea", passage=passage, claim=claim),
    st.sampled_from(PASSAGES),
    claims,
)


@laws
@given(
    st.lists(creates | adds | disputes, min_size=1, max_size=6) | st.tuples(creates, replaces).map(list),
    st.sampled_from(["defer", "recency"]),
)
def test_what_curator_drafts_from_a_sound_proposal_passes(operations: list[Operation], resolution: str) -> None:
    made = drafted(Proposal(operations=tuple(operations)), CurationPolicy(conflict_resolution=resolution))

    assert broken_by(made) == []


def test_a_page_that_is_announced_but_never_written_is_not_linked() -> None:
    empty = Create(op="create", kind="concept", title="Oolong", body=(Claim(text="## Making it"),))
    full = Add(op="add", page="tea", body=(Claim(text="Oolong is partly oxidised.", quotes=(QUOTES[0],)),))

    assert broken_by(drafted(Proposal(operations=(empty, full)), CurationPolicy())) == []


texts = st.text(
    st.sampled_from("ab1 \n\t-#>|*_`~[]()!<>{}%:^\\\"'.&;\r\x00\u200b\u202eé茶") | st.characters(codec="utf-8")
)


@laws
@given(st.lists(st.tuples(st.integers(0, 700), st.integers(0, 40), texts), max_size=4))
def test_no_edit_makes_the_rules_stumble(cuts: list[tuple[int, int, str]]) -> None:
    text = TEA.text
    for at, length, new in cuts:
        text = text[:at] + new + text[at + length :]

    for finding in broken_by(change([TEA], [Page(TEA.path, text), Page("concepts/new.md", text)])):
        assert finding.code
        assert finding.severity == "error"
        assert finding.line is None or 1 <= finding.line <= text.count("\n") + 1


@laws
@given(texts)
def test_no_path_makes_the_rules_stumble(path: str) -> None:
    broken_by(change([TEA], [Page(path, fresh("Oolong is a tea.").text)]))


@laws
@given(texts)
def test_no_old_page_stops_a_sound_edit_of_its_relations(body: str) -> None:
    old, other = page("old", body), page("other", "Tea is a drink.")
    pair = [old.with_fields(contradicts=["other"]), other.with_fields(contradicts=["old"])]

    assert codes(change([old, other], pair)) == set()


def test_findings_are_the_same_each_time() -> None:
    made = change([TEA], [edited(TEA, add="The moon is cheese. [[nowhere]] <b>x</b>"), fresh("x")])

    assert broken_by(made) == broken_by(made) != []


@pytest.mark.parametrize("code", ["title: [", "a: &a 1"])
def test_one_unreadable_page_does_not_hide_where_others_stand(code: str) -> None:
    made = change([TEA], [Page("concepts/bad.md", f"---\n{code}\n---\n"), Page("KNOWLEDGE.md", fresh("x").text)])

    assert {"frontmatter_unreadable", "path_protected"} <= codes(made)


def drafted(proposal: Proposal, policy: CurationPolicy) -> Change:
    base, taken = wiki(TEA), source(OOLONG, PATH)
    judge = Judge(Evidence(taken.path, taken.document))
    found = draft(proposal, base, DraftContext(taken, judge, policy, NOW))
    after = found.wiki
    old = {path: base.page_at(path) for path in after.changed}
    diffs = {p: diff.between(p, was.text if (was := old[p]) else None, new.text) for p, new in after.changed.items()}
    return Change(taken, judge, policy, base, after, diffs, NOW, found.settled)


@pytest.mark.parametrize(
    "piece",
    [
        "# a\n\n",
        "```\na\n```\n",
        "[[tea]] ",
        "- [[tea]]\n",
        "|a|b|\n|-|-|\n",
        "[^a] ",
        "a" + " " * 3000,
        "<b>",
        "[a](",
        "[a]: b\n",
    ],
    ids=repr,
)
def test_much_markup_is_judged(piece: str) -> None:
    made = change([TEA], [fresh(piece * (20_000 // len(piece)))])

    broken_by(made)  # a pattern that backtracks would be at it for hours


def test_runs_of_backticks_are_judged() -> None:
    made = change([TEA], [fresh(f"x {' '.join('`' * n for n in range(1, 300))}")])

    broken_by(made)  # a pattern that backtracks would be at it for hours
