"""What is written down of a context, and the same context from that again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from curator.errors import ConfigError
from curator.packs.context.records import PackSession, record, rehydrated
from curator.packs.context.resolver import ActivePack, ContextRequest, ContextSelection, select
from curator.packs.context.wrapper import fitted, wrap
from curator.packs.discovery.activation import matching
from curator.packs.discovery.evals import evaluate, precision_and_recall
from curator.packs.json_shapes import check_file
from curator.packs.pack import KnowledgePack, PackProperties
from support.packs import active, known, pack
from support.places import FIXTURES, SHARED

NOW = datetime(2026, 5, 6, 9, 10, tzinfo=UTC)
SCHEMAS = SHARED / "spec" / "schemas"
CLAIM = {"claim_id": "a", "text": "b", "status": "confirmed", "source": {"path": "sources/a.md", "anchor": "L1"}}
SOUND: dict[str, dict[str, Any]] = {
    "compile-run": {"run_id": "compile-1", "trigger": "manual", "status": "passed", "inputs": [], "outputs": []},
    "source-map": {"claims": [CLAIM]},
    "selection-eval": {"pack_name": "one", "cases": [{"id": "a", "prompt": "b", "expected": "select"}]},
    "context-resolution": {
        "run_id": "context-1",
        "query": "b",
        "status": "passed",
        "activated_packs": [{"name": "one", "activation": "explicit", "selected_files": []}],
    },
}


def chosen(folder: Path, query: str = "How long does Acme Widget work offline?", **options: Any) -> ContextSelection:
    return fitted(select(ContextRequest(query, **options), [active(folder)]))


def opened() -> Callable[[str], ActivePack]:
    def load(root: str) -> ActivePack:
        return active(Path(root))

    return load


def test_a_file_that_is_no_record_of_a_run_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()

    with pytest.raises(ConfigError, match=r"notes.txt and .* cannot be read as .*: there is no usage.jsonl beside it"):
        rehydrated(tmp_path / "notes.txt", opened())
    with pytest.raises(ConfigError, match=r"nothing.json and .* cannot be read .*: No such file or directory"):
        rehydrated(tmp_path / "nothing.json", opened())


def test_a_record_has_the_public_form(tmp_path: Path) -> None:
    made_by = {"producedBy": {"kind": "skill", "name": "brief-writer", "version": "1"}}
    persona = active(pack(tmp_path / "founder", runtime={"mode": "persona"}, metadata=made_by))
    both = select(ContextRequest("Acme Widget offline"), [active(pack(tmp_path / "one", status="stale")), persona])

    run = record(both, NOW).run

    assert (run["run_id"], run["status"], run["wrapper_order"]) == (
        "context-2026-05-06T09-10-00Z",
        "stale",
        ["founder", "one"],
    )
    assert run["activated_packs"][0]["builder_skill"] == {"name": "brief-writer", "version": "1"}
    assert run["activated_packs"][1]["source_anchors"][0] == "sources/product-one-pager.md#L12"
    assert check_file(json.dumps(run), "context-1.json")[2] == []
    if SCHEMAS.is_dir():
        jsonschema.validate(run, json.loads((SCHEMAS / "context-resolution.schema.json").read_text("utf-8")))


@pytest.mark.parametrize("evidence", ["none", "verification"])
@pytest.mark.parametrize("budget", [350, 2000])
def test_a_recorded_context_comes_back_to_the_byte(tmp_path: Path, evidence: str, budget: int) -> None:
    found = chosen(pack(tmp_path / "one"), budget=budget, evidence=evidence)
    file = record(found, NOW).write(tmp_path / "runs")
    (tmp_path / "one" / "compiled" / "new.md").write_text("Acme Widget works offline. " * 9, "utf-8")

    assert wrap(rehydrated(file, opened())) == wrap(found)


def test_a_file_that_changed_is_named(tmp_path: Path) -> None:
    folder = pack(tmp_path / "one")
    file = record(chosen(folder), NOW).write(tmp_path / "runs")
    (folder / "compiled" / "facts.md").write_text("changed", "utf-8")

    with pytest.raises(ConfigError, match=r"changed since the run: one: compiled/facts\.md"):
        rehydrated(file, opened())


def test_trust_that_changed_is_told(tmp_path: Path) -> None:
    file = record(chosen(pack(tmp_path / "one")), NOW).write(tmp_path / "runs")

    def load(root: str) -> ActivePack:
        return replace(active(Path(root)), pack=known(Path(root), "organization"))

    with pytest.raises(ConfigError, match="their trust"):
        rehydrated(file, load)


def test_runs_of_one_second_have_names_of_their_own(tmp_path: Path) -> None:
    run = record(chosen(pack(tmp_path / "one")), NOW, lambda run_id: run_id == "context-2026-05-06T09-10-00Z")

    assert run.name == "context-2026-05-06T09-10-00Z-2.json"


def test_the_usage_log_grows_by_a_line_a_pack(tmp_path: Path) -> None:
    for _ in range(2):
        record(chosen(pack(tmp_path / "one", status="needs-review")), NOW).write(tmp_path / "runs")

    lines = [json.loads(line) for line in (tmp_path / "runs" / "usage.jsonl").read_text("utf-8").splitlines()]
    seed = {
        *("pack", "version", "status", "profile", "runtime_mode", "selected_files", "grounding"),
        *("citation_gaps", "warnings", "timestamp"),
    }
    assert len(lines) == 2 and seed <= lines[0].keys()
    assert lines[0]["timestamp"] == "2026-05-06T09:10:00Z"


def test_a_guide_is_told_once_a_session_and_again_when_the_pack_changed(tmp_path: Path) -> None:
    one = active(pack(tmp_path / "one"))
    session = PackSession(tmp_path / "session.json")

    assert [session.is_new(one.pack, one.files) for _ in range(2)] == [True, False]
    (tmp_path / "one" / "compiled" / "facts.md").write_text("changed", "utf-8")
    assert session.is_new(one.pack, active(tmp_path / "one").files)


@pytest.mark.parametrize("name", SOUND)
def test_our_shapes_judge_as_the_public_schemas_do(name: str) -> None:
    def broken(value: Any) -> Any:
        """The value with one thing wrong, at every place where one can be."""
        if isinstance(value, dict):
            yield {**value, "another": 1}
            for key, held in value.items():
                yield {other: each for other, each in value.items() if other != key}
                yield from ({**value, key: wrong} for wrong in broken(held))
        elif isinstance(value, list):
            yield "no list"
            yield []
            yield from ([wrong] for held in value for wrong in broken(held))
        else:
            yield from ("", 7, "no such word")

    verdicts = {json.dumps(case): not check_file(json.dumps(case), f"{name}-1.json")[2] for case in broken(SOUND[name])}
    assert check_file(json.dumps(SOUND[name]), "x.json")[2] == [] and not all(verdicts.values())
    if SCHEMAS.is_dir():
        schema = jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8")))
        known_kind = {case: ok for case, ok in verdicts.items() if not _is_of_no_kind(case)}
        assert known_kind == {case: schema.is_valid(json.loads(case)) for case in known_kind}


def _is_of_no_kind(case: str) -> bool:
    return [finding.code for finding in check_file(case, "x.json")[2]] == ["run_unknown"]


def test_evals_tell_what_is_chosen_and_what_is_not(tmp_path: Path) -> None:
    packs = [
        known(pack(tmp_path / "one")),
        known(pack(tmp_path / "old", description="Bees and hives.", status="stale")),
    ]
    cases = [
        {"id": "a", "prompt": "What does Acme Widget support?", "expected": "select"},
        {"id": "b", "prompt": "How do I bake bread?", "expected": "reject"},
    ]
    results = evaluate({"pack_name": "one", "cases": cases}, packs)
    warned = evaluate(
        {
            "pack_name": "old",
            "cases": [
                {"id": "c", "prompt": "bees in hives", "expected": "warn", "expected_warnings": ["stale"]},
                {"id": "d", "prompt": "bees in hives", "expected": "warn", "expected_warnings": ["disputed"]},
            ],
        },
        packs,
    )

    assert all(each.passed for each in results) and precision_and_recall(results) == (1.0, 1.0)
    assert [each.passed for each in warned] == [True, False]


def test_packs_are_found_by_the_prompts_they_are_for() -> None:
    """Three sets of ten packs; the figures are in docs/packs.md."""
    wrong: dict[str, tuple[list[str], list[str]]] = {}
    sizes = []
    for each in json.loads((FIXTURES / "pack-evals.json").read_text("utf-8")):
        packs = [
            KnowledgePack(PackProperties(name, about, "domain-reference", "ready"), f"/{name}", "user")
            for name, about in each["packs"].items()
        ]
        sizes.append((len(packs), len(each["prompts"])))
        found = {prompt: sorted(pack.name for pack in matching(prompt, packs)) for prompt, _ in each["prompts"]}
        wrong |= {prompt: (found[prompt], meant) for prompt, meant in each["prompts"] if found[prompt] != sorted(meant)}

    assert sizes == [(10, 40), (10, 40), (10, 27)]
    assert wrong == {
        "Who drives the early shift from the northern depot?": ([], ["city-tram-operations"]),
        "How do I reverse a list in Python?": (["tax-vat-eu"], []),
    }


def test_a_newer_pack_goes_before_a_stale_one(tmp_path: Path) -> None:
    about = "Bees and hives."
    packs = [
        known(pack(tmp_path / "a", status="stale", description=about)),
        known(pack(tmp_path / "b", description=about)),
    ]

    assert [each.name for each in matching("bees in hives", packs)] == ["b", "a"]


@pytest.mark.parametrize(
    "line", ["", "{", "[]", '{"run_id": "context-2026-05-06T09-10-00Z"}', '{"run_id": 1}', "7"], ids=range(6)
)
def test_a_usage_log_that_somebody_else_wrote_is_told(tmp_path: Path, line: str) -> None:
    file = record(chosen(pack(tmp_path / "one")), NOW).write(tmp_path / "runs")
    (tmp_path / "runs" / "usage.jsonl").write_text(f"{line}\n" if line else "", "utf-8")

    with pytest.raises(ConfigError, match=r"cannot be read|has no line"):
        rehydrated(file, opened())
