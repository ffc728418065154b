"""An ingest that is interrupted anywhere on its way into git: the next one in the same process makes the same commit."""

from __future__ import annotations

import sys
from pathlib import Path

from curator.repository.repository import Repository
from support.depth import NIGHTLY
from support.fakes import ScriptedModel
from support.interruptions import at_each_line
from support.wikis import OOLONG, drop, git, take_in

ON_THE_WAY = (
    "curator.repository.transaction",
    "curator.repository.runtime",
    "curator.system.atomic",
    "curator.ingest.flow",
)
_EVERY = 61 if NIGHTLY else 151
"""Lines from one interruption to the next."""


def test_the_next_ingest_makes_the_same_commit(root: Path) -> None:
    file, base = drop(root), git(root, "rev-parse", "HEAD").strip()

    def ingest() -> None:
        take_in(file, repository, ScriptedModel((OOLONG,)))

    def back() -> None:
        git(root, "reset", "-q", "--hard", base)
        drop(root)

    def look() -> None:
        if git(root, "rev-parse", "HEAD").strip() == base:
            ingest()
        else:  # interrupted behind the commit: every command begins so
            repository._recover()
        assert git(root, "rev-parse", "HEAD^{tree}") == tree
        assert git(root, "status", "--porcelain") == ""
        assert repository.view().catalogue.count() == 2
        back()

    with Repository(root) as repository:
        ingest()
        tree = git(root, "rev-parse", "HEAD^{tree}")
        back()
        modules = tuple(module for name, module in list(sys.modules.items()) if name.startswith(ON_THE_WAY))

        assert at_each_line(modules, ingest, look, every=_EVERY) > 1220 // _EVERY
