"""What a language model said of everyday notes, taken in again: what code withholds of it is told here, to get less."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_model_replies import Replays

from curator.repository.repository import Repository
from scripts.audit import audit
from support.places import FIXTURES
from support.wikis import drop, take_in

KEPT = FIXTURES / "model-notes"
NOTES = sorted(file for file in KEPT.iterdir() if file.name != "README.md" and not file.name.endswith(".blocks.txt"))
NO_CLAIMS = {"alias_unknown"}
LOST = {
    "chat-street-party.txt": ["cause_unknown", "cell_of_another"],  # who brings the bread is "me" in the chat
    "faq.html": ["label_unknown", "only_asked"],
    "itinerary-azores.md": [  # nothing tells code that it is to come, nor that a trip is of those who go
        "roles_swapped",
        "quantifier_widened",
        "quantifier_widened",
        "roles_swapped",
        "label_unknown",
    ],
    "policy.txt": ["hedge_lost"],
    "sermon-notes.txt": ["date_unknown", "negation_turned"],
}
"""The codes by which claims are refused that say no more than their source: none may come in unseen."""


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.name)
def test_what_a_model_says_of_a_note_stands(note: Path, root: Path) -> None:
    reply = note.with_name(f"{note.stem}.blocks.txt")
    with Repository(root) as repository:
        outcome = take_in(drop(root, note.name, note.read_text("utf-8")), repository, Replays(reply))

    assert [each.code for each in outcome.left_out if each.code not in NO_CLAIMS] == LOST.get(note.name, [])
    assert audit(root).faults == []
