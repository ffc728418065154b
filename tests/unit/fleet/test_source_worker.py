"""The child that works in a clone, a real one: what it says of a source is never taken for another's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.fleet.checkout import Checkout
from curator.fleet.database import DatabaseLost
from curator.fleet.records import FleetWiki
from curator.fleet.source_worker import SourceWorker
from support.daemons import surroundings


@pytest.fixture
def child(tmp_path: Path, new_wiki: Path) -> Iterator[SourceWorker]:
    checkout = Checkout(FleetWiki("tea", str(new_wiki)), tmp_path / "clone")
    checkout.update()
    for name in ("oolong", "sencha"):
        text = f"# {name.title()}\n\n{name.title()} is a tea that is brewed for two minutes.\n"
        assert checkout.place(f"sources/{name}.md", "0" * 64, text.encode())
    child = SourceWorker(checkout, surroundings(tmp_path))
    yield child
    child.kill()


def test_a_child_is_waited_for_when_its_stage_could_not_be_told(child: SourceWorker) -> None:
    def tell(stage: str) -> None:
        raise DatabaseLost(OSError("it does not answer"))

    with pytest.raises(DatabaseLost):
        child.run("sources/oolong.md", tell, dry_run=True)
    other = child.run("sources/sencha.md", lambda stage: None, dry_run=True)

    assert (other["source"], other["status"]) == ("sources/sencha.md", "ingested")
