"""What a language model really replied, taken in again: new pages, updates, a contradiction, a superseded source."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.ingest.plan import Outcome
from curator.models.port import Reply, Request
from curator.repository.repository import Repository
from curator.wiki.pages.page import Page
from scripts.audit import audit
from support.places import FIXTURES, SAMPLE
from support.wikis import drop, take_in

REPLIES = sorted((FIXTURES / "model-replies").glob("[0-9]-*"))
SOURCES = SAMPLE / "sources"


class Replays:
    """Gives one reply that was kept."""

    name = "a language model, replayed"

    def __init__(self, file: Path) -> None:
        self.file = file
        self.requests: list[Request] = []

    def propose(self, request: Request) -> Reply:
        self.requests.append(request)
        return Reply(self.file.read_text("utf-8"), self.name, form="json" if self.file.suffix == ".json" else "blocks")


LOST: list[tuple[str, str]] = []
"""Sound claims that code refuses by mistake: a rule that gets better takes a line out, none may come in unseen."""


@pytest.fixture
def outcomes() -> list[Outcome]:
    return []


@pytest.fixture
def taken_in(root: Path, repository: Repository, outcomes: list[Outcome]) -> list[Replays]:
    models = [Replays(file) for file in REPLIES]
    for model in models:
        stem = model.file.name.split("-", 1)[1].split(".")[0]
        source = next(SOURCES.glob(f"{stem}.*"))
        outcomes.append(take_in(drop(root, source.name, source.read_text("utf-8")), repository, model))
    return models


def page(root: Path, path: str) -> Page:
    return Page(path, (root / path).read_text("utf-8"))


def test_every_reply_lands_and_no_claim_is_lost_but_those_known(
    root: Path, taken_in: list[Replays], outcomes: list[Outcome]
) -> None:
    found = audit(root)

    lost = sorted((each.code, each.message) for outcome in outcomes for each in outcome.left_out)
    assert len(lost) == len(LOST)
    assert all(code == wanted and words in message for (code, message), (wanted, words) in zip(lost, LOST, strict=True))
    assert found.faults == []
    assert found.commits == 4
    assert found.quotes > 150


def test_known_things_are_updated_and_not_made_twice(root: Path, taken_in: list[Replays]) -> None:
    apiary = page(root, "entities/aldermoor-apiary.md")

    assert len(apiary.sources) == 3
    assert [path.name for path in root.glob("*/*aldermoor*")] == ["aldermoor-apiary.md"]


def test_the_newer_of_two_contradicting_claims_is_current(root: Path, taken_in: list[Replays]) -> None:
    body = page(root, "concepts/treatment-threshold.md").body

    assert body.index("is 2 mites per 100 bees. [^2025-05-18") < body.index("Earlier: The August treatment threshold")
    assert "is 3 mites per 100 bees. [^2025-04-12" in body


def test_a_source_that_replaces_another_says_so(root: Path, taken_in: list[Replays]) -> None:
    summary = page(root, "summaries/2025-09-06-winter-feeding-revised-summary.md")

    assert summary.supersedes == ("2024-10-12-winter-feeding-notes-summary",)
