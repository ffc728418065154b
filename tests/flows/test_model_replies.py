"""What a language model really replied, taken in again: new pages, updates, a contradiction, a superseded source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from curator.ingest.plan import Outcome
from curator.models.port import Reply, Request
from curator.repository.repository import Repository
from curator.wiki.pages.page import Page
from scripts.audit import audit
from support.places import FIXTURES, SAMPLE
from support.wikis import copied, drop, take_in

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


@dataclass(frozen=True)
class Landed:
    root: Path
    outcomes: list[Outcome]


@pytest.fixture(scope="module")
def known() -> list[Landed]:
    return []


@pytest.fixture
def landed(known: list[Landed], new_wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Landed:
    """The wiki that all replies made, once for all tests: none of them changes it."""
    if not known:
        root, outcomes = copied(new_wiki, tmp_path_factory.mktemp("replies") / "wiki"), []
        with Repository(root) as repository:
            for file in REPLIES:
                source = next(SOURCES.glob(f"{file.name.split('-', 1)[1].split('.')[0]}.*"))
                outcomes.append(take_in(drop(root, source.name, source.read_text("utf-8")), repository, Replays(file)))
        known.append(Landed(root, outcomes))
    return known[0]


def page(root: Path, path: str) -> Page:
    return Page(path, (root / path).read_text("utf-8"))


def test_every_reply_lands_and_no_claim_is_lost_but_those_known(landed: Landed) -> None:
    found = audit(landed.root)

    lost = sorted((each.code, each.message) for outcome in landed.outcomes for each in outcome.left_out)
    assert len(lost) == len(LOST)
    assert all(code == wanted and words in message for (code, message), (wanted, words) in zip(lost, LOST, strict=True))
    assert found.faults == []
    assert found.commits == 4
    assert found.quotes > 150


def test_known_things_are_updated_and_not_made_twice(landed: Landed) -> None:
    apiary = page(landed.root, "entities/aldermoor-apiary.md")

    assert len(apiary.sources) == 3
    assert [path.name for path in landed.root.glob("*/*aldermoor*")] == ["aldermoor-apiary.md"]


def test_the_newer_of_two_contradicting_claims_is_current(landed: Landed) -> None:
    body = page(landed.root, "concepts/treatment-threshold.md").body

    assert body.index("is 2 mites per 100 bees. [^2025-05-18") < body.index("Earlier: The August treatment threshold")
    assert "is 3 mites per 100 bees. [^2025-04-12" in body


def test_a_source_that_replaces_another_says_so(landed: Landed) -> None:
    summary = page(landed.root, "summaries/2025-09-06-winter-feeding-revised-summary.md")

    assert summary.supersedes == ("2024-10-12-winter-feeding-notes-summary",)
