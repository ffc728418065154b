"""What the built-in curator tells under a line in bold that turns its meaning: it stands on the page, or nothing does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curator.cli.commands import ingest, init
from curator.repository.settings import Settings


@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "**Rejected**\n- a pond in the front garden\n\n**Accepted**\n- a new hose\n- a bench by the gate\n",
            ["## Rejected", "- a pond in the front garden", "## Accepted", "- a new hose", "- a bench by the gate"],
        ),
        (
            "**Do not**\n- put ice on the burn\n- break the blisters\n\n**Do**\n- cool it for an hour\n- rings off\n",
            [
                "## Do not",
                "- put ice on the burn",
                "- break the blisters",
                "## Do",
                "- cool it for an hour",
                "- rings off",
            ],
        ),
        (
            "Forbidden:\n- charcoal grills on the balcony\n\nAllowed:\n- electric grills until ten\n",
            ["- Forbidden:", "- charcoal grills on the balcony", "- Allowed:", "- electric grills until ten"],
        ),
    ],
)
def test_what_turns_a_list_stands_above_it(tmp_path: Path, source: str, told: list[str]) -> None:
    root = tmp_path / "wiki"
    init.run(root, None)
    file = root / "sources" / "note.md"
    file.write_text(f"# The house\n\nThe house on the hill has five flats and a garden.\n\n{source}", "utf-8")

    report = ingest.run(Settings.gather(root, {**os.environ}, {}), (file,), False, False, lambda said: None)

    assert [result["status"] for result in report.data["results"]] == ["ingested"]
    (page,) = (root / "summaries").glob("*.md")
    lines = [line.strip().partition(" [^")[0] for line in page.read_text("utf-8").partition("garden.")[2].split("\n")]
    assert [line for line in lines if line in told] == told
