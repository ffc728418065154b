"""What a view cannot take back: constraints, and what a governance policy keeps (AIP-10, Security Considerations)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.wiki.workspace import policy as policies
from curator.wiki.workspace.constraints import softer
from curator.wiki.workspace.effective import Effective
from curator.wiki.workspace.overlay import Layer, lay
from support.manifests import LEAF, ROOT, TO_ROOT, composed, lint, pair, policy, text, told
from support.pages import laws

CONSTRAINT = {"metadata": {"layer": {"mode": "constraint"}}}
GOVERNED = {"governance": "policy.yaml"}


def lints_of(found: Effective) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in found.fields.get("lints", ())}


# -- what softer is ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "old, new, expected",
    [
        ({}, {}, ""),
        ({"severity": "info"}, {"severity": "error"}, ""),
        ({"severity": "error"}, {"severity": "warn"}, "severity error softened to warn"),
        ({"severity": "warn"}, {"severity": "info"}, "severity warn softened to info"),
        ({"appliesTo": "Concept"}, {"appliesTo": "*"}, ""),
        ({"appliesTo": "*"}, {"appliesTo": "Concept"}, "appliesTo * narrowed to Concept"),
        ({"appliesTo": "Concept"}, {"appliesTo": "Deal"}, "appliesTo Concept narrowed to Deal"),
        ({"kind": "orphan"}, {"kind": "custom"}, "kind orphan replaced by custom"),
        ({"kind": "max-age", "params": {"days": 90}}, {"kind": "max-age", "params": {"days": 30}}, ""),
        (
            {"kind": "max-age", "params": {"days": 90}},
            {"kind": "max-age", "params": {"days": 900}},
            "params.days changed from 90 to 900",
        ),
        (
            {"kind": "max-age", "params": {"days": 90}},
            {"kind": "max-age"},
            "params.days changed from 90 to nothing",
        ),
        ({"kind": "min-confidence", "params": {"min": 0.5}}, {"kind": "min-confidence", "params": {"min": 0.6}}, ""),
        (
            {"kind": "min-confidence", "params": {"min": 0.5}},
            {"kind": "min-confidence", "params": {"min": 0.4}},
            "params.min changed from 0.5 to 0.4",
        ),
        ({"params": {"days": 9}}, {"params": {"days": 3}}, "params.days changed from 9 to 3"),
        ({}, {"params": {"except": ["a"]}}, "params.except changed from nothing to ['a']"),
    ],
)
def test_a_lint_is_softer_when_it_finds_less_or_says_it_lower(
    old: dict[str, Any], new: dict[str, Any], expected: str
) -> None:
    assert softer(lint(**new), lint(**old)) == expected


LINTS = st.one_of(
    st.builds(
        lambda types, severity, days: lint(kind="max-age", appliesTo=types, severity=severity, params={"days": days}),
        st.sampled_from(["*", "Concept", "Deal"]),
        st.sampled_from(["info", "warn", "error"]),
        st.integers(1, 4),
    ),
    st.builds(
        lambda kind, severity, params: lint(kind=kind, severity=severity, params=params),
        st.sampled_from(["orphan", "custom"]),
        st.sampled_from(["info", "warn", "error"]),
        st.dictionaries(st.sampled_from(["days", "min"]), st.integers(1, 2)),
    ),
)


@laws
@given(LINTS, LINTS, LINTS)
def test_softness_is_an_order(one: dict[str, Any], two: dict[str, Any], three: dict[str, Any]) -> None:
    assert softer(one, one) == ""
    if not softer(two, one) and not softer(three, two):
        assert not softer(three, one)
    if not softer(two, one) and not softer(one, two):
        assert one == two


# -- constraints ---------------------------------------------------------------------------------------------------


def test_a_constraints_lint_cannot_be_softened() -> None:
    found = composed(pair({**CONSTRAINT, "lints": [lint()]}, {"lints": [lint(severity="info"), lint("more")]}))

    assert lints_of(found) == {"cited": lint(), "more": lint("more")}
    assert told(found) == [("knowledge_constraint_conflict", LEAF)]
    expected = "lints.cited: severity error softened to info is refused: /wiki/KNOWLEDGE.md is a constraint"
    assert found.notices[0].message == expected
    assert [(each.at, each.standing) for each in found.explain("lints.cited.severity")] == [
        (ROOT, "holds"),
        (LEAF, "refused"),
    ]


def test_a_constraints_lint_can_be_made_harder() -> None:
    found = composed(pair({**CONSTRAINT, "lints": [lint(severity="warn")]}, {"lints": [lint(severity="error")]}))

    assert lints_of(found)["cited"]["severity"] == "error"
    assert told(found) == []


def test_no_policy_can_permit_to_soften_a_constraint() -> None:
    root = {**CONSTRAINT, **GOVERNED, "lints": [lint()]}

    found = composed(pair(root, {"lints": [lint(severity="info")]}, policy=policy(soften="*")))

    assert told(found) == [("knowledge_constraint_conflict", LEAF)]
    assert lints_of(found)["cited"]["severity"] == "error"


def test_a_constraint_is_one_by_its_own_word_and_stays_one() -> None:
    mid = text("mid", extends="../wiki/KNOWLEDGE.md", metadata={"layer": {"mode": "lens"}}, lints=[lint("own")])
    files = {
        ROOT: text("root", **CONSTRAINT, lints=[lint()]),
        "/mid/KNOWLEDGE.md": mid,
        LEAF: text(
            "leaf", extends="../../mid/KNOWLEDGE.md", lints=[lint(severity="warn"), lint("own", severity="warn")]
        ),
    }

    found = composed(files)

    assert told(found) == [("knowledge_constraint_conflict", LEAF), ("governance:lint_softened", LEAF)]
    assert {name: each["severity"] for name, each in lints_of(found).items()} == {"cited": "error", "own": "warn"}


def test_what_a_lens_made_harder_can_be_taken_back_to_the_constraint() -> None:
    files = {
        ROOT: text("root", **CONSTRAINT, lints=[lint(severity="warn")]),
        "/mid/KNOWLEDGE.md": text("mid", extends="../wiki/KNOWLEDGE.md", lints=[lint(severity="error")]),
        LEAF: text("leaf", extends="../../mid/KNOWLEDGE.md", lints=[lint(severity="warn")]),
    }

    found = composed(files)

    assert lints_of(found)["cited"]["severity"] == "warn"
    assert told(found) == [("governance:lint_softened", LEAF)]


LISTS = st.lists(LINTS, max_size=1) | st.just([lint(severity="info")])
LEVEL = st.tuples(LISTS, st.booleans(), st.sampled_from([None, "policy.yaml", "other.yaml"]))


@laws
@given(
    st.lists(LEVEL, min_size=2, max_size=8),
    st.sampled_from(["", policy(soften="*", rebind=True), policy(soften=["x"])]),
)
def test_no_view_can_weaken_a_constraint(levels: list[Any], written: str) -> None:
    files = {f"/{at}/{name}.yaml": written for at in range(len(levels)) for name in ("policy", "other")}
    for at, (lints, is_constraint, governance) in enumerate(levels):
        fields: dict[str, Any] = {"lints": lints, "governance": governance, **(CONSTRAINT if is_constraint else {})}
        parent = {"extends": f"../{at - 1}/KNOWLEDGE.md"} if at else {}
        files[f"/{at}/KNOWLEDGE.md"] = text(f"m{at}x", **parent, **fields)

    below: Effective | None = None
    for at, (lints, _, _) in enumerate(levels):
        above = composed(files, path=f"/{at}/KNOWLEDGE.md")
        if below is not None and any(flag and list_ for list_, flag, _ in levels[:at]):
            refused = [each for each in above.notices if each.at == f"/{at}/KNOWLEDGE.md"]
            first = next(index for index, (list_, flag, _) in enumerate(levels) if flag and list_)
            floor = lints_of(composed(files, path=f"/{first}/KNOWLEDGE.md"))["cited"]
            assert not softer(lints_of(above)["cited"], floor)
            assert lints_of(above)["cited"] in (lints_of(below)["cited"], *lints)
            if lints and softer(lints[0], floor):
                assert "knowledge_constraint_conflict" in [each.code for each in refused]
        below = above


# -- governance: lints ---------------------------------------------------------------------------------------------


def soften(**more: str) -> Effective:
    return composed(pair({**GOVERNED, "lints": [lint(), lint("other")]}, {"lints": [lint(severity="warn")]}, **more))


def test_without_a_policy_the_child_wins_but_not_silently() -> None:
    found = composed(pair({"lints": [lint()]}, {"lints": [lint(severity="warn")]}))

    assert lints_of(found)["cited"]["severity"] == "warn"
    assert told(found) == [("governance:lint_softened", LEAF)]
    assert found.notices[0].message == "lints.cited: severity error softened to warn"


def test_a_policy_that_does_not_permit_it_keeps_a_lint() -> None:
    found = soften(policy=policy(soften=["other"]))

    assert lints_of(found)["cited"]["severity"] == "error"
    assert told(found) == [("governance:lint_softening_refused", LEAF)]
    assert found.notices[0].message.endswith("is refused: /wiki/policy.yaml does not permit it")


@pytest.mark.parametrize("permitted", [["cited"], "*", ["*"]])
def test_a_policy_that_permits_it_lets_a_lint_be_softened_and_it_is_told(permitted: Any) -> None:
    if permitted == ["*"]:
        assert told(soften(policy=policy(soften=permitted))) == [("governance:lint_softening_refused", LEAF)]
        return
    found = soften(policy=policy(soften=permitted))

    assert lints_of(found)["cited"]["severity"] == "warn"
    assert told(found) == [("governance:lint_softened", LEAF)]


@pytest.mark.parametrize(
    "more, why",
    [
        ({}, "it cannot be read"),
        ({"policy": "a: [b"}, "not YAML: "),
        ({"policy": policy(sofen=["cited"])}, "metadata.curator.views.sofen: no field of the standard"),
        ({"policy": policy(soften=True)}, 'metadata.curator.views.soften: True; wanted: "*", or a list'),
        ({"policy": "metadata: {curator: {views: [a]}}"}, "metadata.curator.views: ['a']; wanted: a mapping"),
        ({"policy": "- a\n"}, "a list of fields is wanted"),
    ],
)
def test_a_policy_that_cannot_be_read_permits_nothing_and_says_why(more: dict[str, str], why: str) -> None:
    found = soften(**more)

    assert told(found) == [("governance:lint_softening_refused", LEAF)]
    assert f"/wiki/policy.yaml does not permit it: {why}" in found.notices[0].message


def test_a_policy_that_is_no_file_permits_nothing() -> None:
    found = composed(pair({"governance": "ws://policies/a", "lints": [lint()]}, {"lints": [lint(severity="info")]}))

    assert told(found) == [("governance:lint_softening_refused", LEAF)]
    assert found.governance == "ws://policies/a"


def test_any_policy_file_is_a_policy_that_permits_nothing() -> None:
    assert policies.parse("apiVersion: x\nrules: [a]\n", "/p.yaml") == policies.ViewPolicy("/p.yaml")
    assert policies.parse("", "/p.yaml") == policies.ViewPolicy("/p.yaml")
    assert policies.parse("# A policy in prose\n", "/p.md") == policies.ViewPolicy("/p.md")


@pytest.mark.parametrize(
    "written", [policy(rebind=True), f"---\n{policy(rebind=True)}", f"---\n{policy(rebind=True)}..."]
)
def test_a_policy_is_yaml_with_or_without_its_marks(written: str) -> None:
    assert policies.parse(written, "/p.yml").rebind


def test_a_policy_in_markdown_has_it_in_its_head() -> None:
    assert policies.parse(f"---\n{policy(soften='*')}---\n# Policy\n", "/p.md").may_soften("x")


# -- governance: the binding ---------------------------------------------------------------------------------------


def test_a_view_cannot_point_governance_elsewhere() -> None:
    leaf = {"governance": "mine.yaml", "lints": [lint(severity="info")]}
    files = {
        **pair({**GOVERNED, "lints": [lint()]}, leaf, policy=policy()),
        "/views/leaf/mine.yaml": policy(soften="*"),
    }

    found = composed(files)

    assert found.fields["governance"] == "policy.yaml"
    assert found.governance == "/wiki/policy.yaml"
    assert told(found) == [
        ("governance:rebinding_refused", LEAF),
        ("governance:lint_softening_refused", LEAF),
    ]
    assert [each.standing for each in found.explain("governance")] == ["holds", "refused"]


def test_a_view_may_where_the_policy_permits_and_is_judged_by_the_old_one() -> None:
    leaf = {"governance": "mine.yaml", "lints": [lint(severity="info")]}
    files = pair({**GOVERNED, "lints": [lint()]}, leaf, policy=policy(rebind=True))
    files["/views/leaf/mine.yaml"] = policy(soften="*")

    found = composed(files)

    assert found.governance == "/views/leaf/mine.yaml"
    assert told(found) == [("governance:rebound", LEAF), ("governance:lint_softening_refused", LEAF)]


def test_a_policy_that_permits_something_else_permits_no_rebinding() -> None:
    files = pair(GOVERNED, {"governance": "mine.yaml"}, policy=policy(soften="*", conflictResolution="*"))

    assert told(composed(files)) == [("governance:rebinding_refused", LEAF)]


def test_naming_the_same_policy_by_another_path_is_no_rebinding() -> None:
    found = composed(pair(GOVERNED, {"governance": "../../wiki/policy.yaml"}, policy=policy()))

    assert (told(found), found.governance) == ([], "/wiki/policy.yaml")


def test_the_first_policy_may_come_from_a_view_and_governs_what_is_above_it() -> None:
    files = {
        ROOT: text("root", lints=[lint()]),
        "/mid/KNOWLEDGE.md": text("mid", extends="../wiki/KNOWLEDGE.md", governance="p.yaml"),
        LEAF: text("leaf", extends="../../mid/KNOWLEDGE.md", lints=[lint(severity="warn")]),
        "/mid/p.yaml": policy(),
    }

    assert told(composed(files)) == [("governance:lint_softening_refused", LEAF)]


# -- governance: conflictResolution --------------------------------------------------------------------------------


def resolve(old: str | None, new: str, written: str | None) -> Effective:
    root: dict[str, Any] = {"curation": {"conflictResolution": old, "tone": "plain"}, **(GOVERNED if written else {})}
    leaf = {"curation": {"conflictResolution": new, "tone": "dry"}}
    return composed(pair(root, leaf, **({"policy": written} if written else {})))


def test_a_view_cannot_weaken_conflict_resolution_under_a_policy() -> None:
    found = resolve("authority", "recency", policy())

    assert found.fields["curation"] == {"conflictResolution": "authority", "tone": "dry"}
    assert told(found) == [("governance:conflict_resolution_refused", LEAF)]
    assert found.notices[0].message.startswith(
        "curation.conflictResolution: authority weakened to recency is refused: "
    )
    assert [each.standing for each in found.explain("curation.conflictResolution")] == ["holds", "refused"]


def test_what_nobody_set_is_the_default_and_can_be_weakened_too() -> None:
    found = resolve(None, "recency", policy())

    assert found.fields["curation"] == {"tone": "dry"}
    assert "defer (the default) weakened to recency" in found.notices[0].message


def test_a_view_can_strengthen_it() -> None:
    assert told(resolve("recency", "defer", policy())) == []


@pytest.mark.parametrize("written", [None, policy(conflictResolution=["recency"]), policy(conflictResolution="*")])
def test_a_permitted_weakening_is_told(written: str | None) -> None:
    found = resolve("defer", "recency", written)

    assert found.fields["curation"]["conflictResolution"] == "recency"
    assert told(found) == [("governance:conflict_resolution_weakened", LEAF)]


def test_a_policy_permits_the_resolutions_it_names() -> None:
    written = policy(conflictResolution=["authority"])

    assert told(resolve("defer", "recency", written)) == [("governance:conflict_resolution_refused", LEAF)]


def test_a_broken_chain_says_which_constraint_it_lost() -> None:
    files = {
        "/mid/KNOWLEDGE.md": text("mid", extends="../gone/KNOWLEDGE.md", **CONSTRAINT, lints=[lint()]),
        LEAF: text("leaf", extends="../../mid/KNOWLEDGE.md", lints=[lint(severity="info")]),
    }

    found = composed(files)

    assert found.notices[0].message.endswith("left out: /mid/KNOWLEDGE.md (a constraint)")


# -- pages in layers -----------------------------------------------------------------------------------------------


def layer(at: str, *files: str, constraint: bool = False) -> Layer:
    return Layer(at, frozenset(files), constraint)


def test_a_higher_page_stands_for_a_lower_one_and_a_new_one_is_added() -> None:
    found = lay([layer("root", "a.md", "b.md"), layer("leaf", "b.md", "c.md")])

    assert (found.pages, found.notices) == ({"a.md": "root", "b.md": "leaf", "c.md": "leaf"}, ())


def test_a_whiteout_hides_the_page_below_but_not_that_of_its_own_layer() -> None:
    found = lay([layer("root", "a.md", "b.md"), layer("leaf", "a.md.whiteout", "b.md", "b.md.whiteout")])

    assert (found.pages, found.notices) == ({"b.md": "leaf"}, ())


def test_a_constraints_page_is_neither_hidden_nor_shadowed() -> None:
    found = lay([layer("root", "a.md", "b.md", constraint=True), layer("leaf", "a.md.whiteout", "b.md")])

    assert found.pages == {"a.md": "root", "b.md": "root"}
    assert [(each.code, each.at) for each in found.notices] == [
        ("knowledge_tombstone_blocked", "leaf"),
        ("knowledge_constraint_conflict", "leaf"),
    ]


@laws
@given(
    st.lists(
        st.tuples(st.frozensets(st.sampled_from(["a.md", "b.md", "a.md.whiteout", "b.md.whiteout"])), st.booleans()),
        max_size=6,
    )
)
def test_no_layer_takes_a_constraints_page_away(levels: list[tuple[frozenset[str], bool]]) -> None:
    found = lay([Layer(str(at), files, flag) for at, (files, flag) in enumerate(levels)])

    for name in ("a.md", "b.md"):
        owners = [at for at, (files, flag) in enumerate(levels) if flag and name in files]
        if owners:
            assert found.pages[name] == str(owners[0])
            against = [at for at, (files, _) in enumerate(levels) if at > owners[0] and f"{name}.whiteout" in files]
            blocked = [
                each
                for each in found.notices
                if each.code == "knowledge_tombstone_blocked" and f"{name}." in each.message
            ]
            assert [each.at for each in blocked] == [str(at) for at in against]


def test_a_view_alone_extends_nothing_to_weaken() -> None:
    assert told(composed({LEAF: text("leaf", extends=TO_ROOT), ROOT: text("root")})) == []
