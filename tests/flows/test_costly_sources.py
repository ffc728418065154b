"""A source that would take too long of a processor is set aside with the reason, and the next one is taken in."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from curator.errors import SourceError
from curator.ingest import flow
from curator.models import extractive
from curator.models.extractive import ExtractiveCurator
from curator.models.sandbox.locked_fork import ForkLimits
from curator.repository.repository import Repository
from support.wikis import drop, git, take_in

pytestmark = pytest.mark.reads_in_jail

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


def without_end() -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("limits", "does", "code", "told"),
    [
        (ForkLimits(1, 1_000), without_end, "source_too_costly", "takes more than 1 s of processor time for it"),
        # As much at once as no process has lying about: how much a text takes depends on what was done before.
        (ForkLimits(60, 1), lambda: bytearray(256 << 20), "source_too_costly", "takes more than 1 MB of memory for it"),
        (ForkLimits(60, 1_000), lambda: 1 / 0, "source_curator_died", "curator ended with ZeroDivisionError"),
    ],
)
def test_the_built_in_curator_has_limits_of_its_own(
    root: Path, monkeypatch: pytest.MonkeyPatch, limits: ForkLimits, does: object, code: str, told: str
) -> None:
    with Repository(root) as repository:
        with monkeypatch.context() as patched, pytest.raises(SourceError, match=told) as raised:
            patched.setattr(extractive, "LIMITS", limits)
            patched.setattr(import_module("curator.models.extractive.curate"), "curate", lambda request: does())  # type: ignore[operator]
            take_in(drop(root, "other.txt"), repository, ExtractiveCurator())
        assert raised.value.code == code

        take_in(drop(root), repository, ExtractiveCurator())
