"""AGENTS.md and KNOWLEDGE.md: where the prose says another thing than the manifest."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.lints import commit, found, the_only


def edit(root: Path, name: str, old: str, new: str) -> None:
    file = root / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")
    commit(root)


def test_what_init_writes_agrees(root: Path) -> None:
    assert not found(root, "wiki_schema_drift")


def test_without_prose_there_is_no_drift(root: Path) -> None:
    (root / "AGENTS.md").unlink()
    commit(root)

    assert not found(root, "wiki_schema_drift")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("conflictResolution: recency", "conflictResolution: authority", "conflictResolution: authority"),
        ("tone: plain and factual", "tone: academic", "says 'academic'"),
        ("  - name: Timeline\n", "  - name: Timeline\n  - name: TradeDeal\n", "entity type TradeDeal"),
        (
            '    kind: orphan\n    appliesTo: "*"\n    severity: warn',
            '    kind: orphan\n    appliesTo: "*"\n    severity: info',
            "says info",
        ),
        (
            "lints:\n",
            'lints:\n  - id: fresh\n    kind: max-age\n    appliesTo: "*"\n    severity: warn\n    params: {days: 90}\n',
            "the lint fresh (max-age)",
        ),
    ],
)
def test_a_manifest_that_moved_away_from_the_prose(root: Path, old: str, new: str, said: str) -> None:
    edit(root, "KNOWLEDGE.md", old, new)

    fault = the_only(root, "wiki_schema_drift")

    assert said in fault.message
    assert (fault.path, fault.severity) == ("AGENTS.md", "warn")
    lines = (root / "AGENTS.md").read_text("utf-8").split("\n")
    assert fault.line is not None and lines[fault.line - 1].strip()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("`comparison` and `timeline`", "`comparison`, `timeline` and `recipe`", "the kind 'recipe'"),
        ("the more recent one is current", "the more authoritative one is current", "by authority"),
        ("broken links as errors", "broken links as warnings", "'broken' warnings"),
        ("as warnings.", "as warnings. Pages older than 30 days are stale.", "no lint of the kind max-age"),
        ("tone is plain", "tone is lyrical", "the tone is 'lyrical and factual'"),
    ],
)
def test_prose_that_moved_away_from_the_manifest(root: Path, old: str, new: str, said: str) -> None:
    edit(root, "AGENTS.md", old, new)

    faults = found(root, "wiki_schema_drift")

    assert any(said in fault.message for fault in faults), [fault.message for fault in faults]


def test_limits_are_compared(root: Path) -> None:
    lint = 'lints:\n  - id: fresh\n    kind: max-age\n    appliesTo: "*"\n    severity: warn\n    params: {days: 90}\n'
    edit(root, "KNOWLEDGE.md", "lints:\n", lint)
    edit(root, "AGENTS.md", "as warnings.", "as warnings. Claims older than 60 days are stale.")

    assert the_only(root, "wiki_schema_drift").message == "it says 60, lint fresh has params.days: 90"
