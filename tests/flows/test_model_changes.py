"""A second source changes what the first one says: the prompt shows these statements, and they are marked in place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from curator.errors import Rejected
from curator.ingest.plan import Outcome
from curator.models.llm import prompts
from curator.models.port import Reply, Request
from curator.repository.repository import Repository
from scripts.audit import audit
from support.places import FIXTURES
from support.wikis import drop, take_in

CHANGES = FIXTURES / "model-changes"
GUIDE, RULES = "2024-03-01-dry-stone-guide", "2025-05-10-dry-stone-rules"


@dataclass
class Kept:
    """Gives replies that were kept, in turn, and remembers what it was asked."""

    replies: tuple[str, ...]
    name: str = "a language model, replayed"
    requests: list[Request] = field(default_factory=list)

    def propose(self, request: Request) -> Reply:
        self.requests.append(request)
        text = (CHANGES / f"{self.replies[len(self.requests) - 1]}.blocks.txt").read_text("utf-8")
        return Reply(text, self.name, form="blocks")


def taken(root: Path, repository: Repository, source: str, *replies: str) -> tuple[Outcome, Kept]:
    model = Kept(replies)
    return take_in(drop(root, f"{source}.md", (CHANGES / f"{source}.md").read_text("utf-8")), repository, model), model


def test_what_is_no_longer_so_is_shown_and_marked_where_it_stands(root: Path, repository: Repository) -> None:
    first, _ = taken(root, repository, GUIDE, f"1-{GUIDE}")
    second, model = taken(root, repository, RULES, f"2-{RULES}")

    assert [each.message for each in (*first.left_out, *second.left_out)] == []
    shown = model.requests[0].shown["coping"]
    assert "- Coping stones cannot be cut with a saw. [^" in shown
    assert "- A coping stone weighs 12 kg at most. [^" in shown
    coping = (root / "concepts" / "coping.md").read_text("utf-8")
    assert "can be cut with a saw, if the saw is cooled with water. [^2025" in coping
    assert "- Earlier: Coping stones cannot be cut with a saw. [^2024" in coping
    assert coping.index("15 kg") < coping.index("- Earlier: A coping stone weighs 12 kg at most. [^2024")
    assert audit(root).faults == []


def test_slugs_quotes_and_tables_are_as_the_prompt_says(root: Path, repository: Repository) -> None:
    taken(root, repository, GUIDE, f"1-{GUIDE}")

    assert "[[batter-frame-wood" in (root / "concepts" / "dry-stone-wall.md").read_text("utf-8")
    assert 'calls it "the waller\'s eye".' in (root / "entities" / "batter-frame-wood.md").read_text("utf-8")
    assert "| slate | yes | 90 euros [^" in (root / "comparisons" / "slate-and-granite.md").read_text("utf-8")


def test_a_passage_with_the_mark_of_what_is_not_shown_goes_back(root: Path, repository: Repository) -> None:
    taken(root, repository, GUIDE, f"1-{GUIDE}")
    model = Kept((f"bad-2-{RULES}", f"bad-2-{RULES}"))

    with pytest.raises(Rejected):
        take_in(drop(root, f"{RULES}.md", (CHANGES / f"{RULES}.md").read_text("utf-8")), repository, model)

    assert [fault.code for fault in model.requests[1].faults] == ["passage_not_found"]
    assert "- Coping stones cannot be cut with a saw. [^" in prompts.pages_shown(
        model.requests[1], model.requests[1].pages
    )
