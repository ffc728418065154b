"""A source that would take too long of a processor is set aside with the reason, and the next one is taken in."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.errors import SourceError
from curator.ingest import flow
from curator.models import extractive
from curator.models.extractive import ExtractiveCurator
from curator.repository.repository import Repository
from support.wikis import drop, git, take_in

LONG = "".join(f"Tea {number} is a drink of the leaf.\n" for number in range(4_000))


def test_it_is_set_aside_and_the_next_one_is_taken_in(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = git(root, "rev-parse", "HEAD")
    with Repository(root) as repository:
        with monkeypatch.context() as patched, pytest.raises(SourceError, match="s of processor time"):
            patched.setattr(flow, "_PROCESSOR_SECONDS", 0.001)
            take_in(drop(root, "long.txt", LONG), repository, ExtractiveCurator())
        assert git(root, "rev-parse", "HEAD") == before

        take_in(drop(root), repository, ExtractiveCurator())

    assert git(root, "rev-parse", "HEAD") != before


def test_the_built_in_curator_has_limits_of_its_own(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extractive, "_MEGABYTES", 1)
    # As much at once as no process has lying about: how much a text takes depends on what was done before.
    monkeypatch.setattr(extractive, "curate", lambda request: bytearray(256 << 20))

    with Repository(root) as repository, pytest.raises(SourceError, match="takes more than 1 MB of memory for it"):
        take_in(drop(root, "long.txt", LONG), repository, ExtractiveCurator())
