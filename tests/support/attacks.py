"""What the hostile replies share: a small wiki that honest replies made, and what a reply did to it.

Every hostile reply comes with an honest operation on the same source (``sources/honest.yaml``). The model is stubborn:
asked to repair, it says the same again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from curator.errors import ProposalError, Rejected
from curator.finding import Finding
from curator.ingest.last_source import LastSource
from curator.ingest.plan import Outcome
from curator.repository.begun import Transaction
from curator.repository.repository import Repository
from support.depth import NIGHTLY
from support.fakes import ScriptedModel
from support.places import TESTS
from support.wikis import copied_tree, git, take_in

HOSTILE = TESTS / "hostile"
Operations = Sequence[Any]


def from_file(name: str) -> Any:
    return yaml.load((HOSTILE / name).read_text("utf-8"), yaml.CSafeLoader)


HONEST: dict[str, list[Any]] = from_file("sources/honest.yaml")
"""By source, what is honestly taken in with every hostile reply on it."""


def reply_of(operations: Operations) -> str:
    return json.dumps({"operations": list(operations)})


def claim(text: str, *quotes: str) -> dict[str, Any]:
    return {"text": text, "quotes": list(quotes)}


def add(page: str, *claims: dict[str, Any], section: str = "") -> dict[str, Any]:
    return {"op": "add", "page": page, "section": section, "body": list(claims)}


@dataclass
class Attacked:
    """A wiki that is attacked. ``trial`` shows what would become of a reply, ``take`` commits it.

    Trials share what a worker keeps of a source and of a commit; at night each begins anew.
    """

    root: Path
    repository: Repository
    _begun: dict[str, Transaction] = field(default_factory=dict)
    _last: dict[str, LastSource] = field(default_factory=dict)
    _told: dict[str, dict[str, str]] = field(default_factory=dict)
    _count: int = 0

    def copied_to(self, folder: Path) -> Path:
        return copied_tree(self.root, folder)

    def trial(self, source: str, reply: str) -> tuple[dict[str, str], tuple[Finding, ...]]:
        """The diffs of what would land of ``reply``, none where the wall refuses it; and what was found."""
        self._count += 1  # an answer is kept by its model's name, and would be taken for the next one
        return self._outcome(source, reply, f"scripted/{self._count}", dry_run=True)

    def take(self, source: str, reply: str) -> tuple[dict[str, str], tuple[Finding, ...]]:
        """The same, committed."""
        return self._outcome(source, reply, "scripted/model", dry_run=False)

    def honest(self, source: str, more: Operations = ()) -> dict[str, str]:
        """The diffs of the honest operation alone, and of ``more``; worked out once."""
        key = f"{source} {json.dumps(list(more))}"
        if key not in self._told:
            self._told[key], found = self.trial(source, reply_of([*HONEST[source], *more]))
            assert not found, f"the honest operations are not sound: {[str(each) for each in found]}"
        return self._told[key]

    def state(self) -> str:
        """A hash of the branch and of all files of the work tree but the sources."""
        state = hashlib.sha256((self.root / ".git" / "HEAD").read_bytes())
        tops = [each for each in self.root.iterdir() if each.name not in ("sources", ".git")]
        files = [str(top) for top in tops if top.is_file()]
        for top in (*tops, self.root / ".git" / "refs"):
            files += [f"{folder}/{name}" for folder, _, names in os.walk(top) for name in names]
        for file in sorted(files):
            state.update(file.encode() + b"\0" + Path(file).read_bytes())
        return state.hexdigest()

    def tree(self) -> dict[str, str]:
        """What the branch holds by path, without the log: it tells what was left out."""
        lines = (line.split("\t") for line in git(self.root, "ls-tree", "-r", "HEAD").splitlines())
        return {path: about.split()[2] for about, path in lines if path != "_log.md"}

    def log(self) -> list[str]:
        """The lines of the log but those that tell what was left out, which are one line each."""
        lines = (self.root / "_log.md").read_text("utf-8").splitlines()
        return [line for line in lines if not line.startswith("- left out: ")]

    def _outcome(
        self, source: str, reply: str, model: str, *, dry_run: bool
    ) -> tuple[dict[str, str], tuple[Finding, ...]]:
        known = HOSTILE / "sources" / source
        begun, last = None, None
        if dry_run and not NIGHTLY:
            head = self.repository.head() or ""
            begun = self._begun.get(head) or self._begun.setdefault(head, self.repository.begin())
            last = self._last.setdefault(source, LastSource())
        target = self.root / "sources" / source
        shutil.copyfile(known if known.exists() else HOSTILE / "base" / source, target)
        try:
            outcome: Outcome = take_in(
                target, self.repository, ScriptedModel((reply,), model), dry_run=dry_run, begun=begun, last=last
            )
        except Rejected as error:
            target.unlink()
            return {}, tuple(error.findings)
        except ProposalError as error:
            target.unlink()
            return {}, (Finding(error.code, "reply", error.message),)
        return outcome.diffs, outcome.left_out


def make_base(root: Path) -> None:
    """The wiki that is attacked, made by honest replies in the folder of a new wiki."""
    with Repository(root) as repository:
        wiki = Attacked(root, repository)
        for taken in from_file("base.yaml"):
            _, found = wiki.take(taken["source"], reply_of(taken["operations"]))
            assert not found, [str(each) for each in found]


@pytest.fixture(scope="session")
def attacked_base(new_wiki: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    root = copied_tree(new_wiki, tmp_path_factory.mktemp("hostile") / "wiki")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.org")
    make_base(root)
    with Repository(root) as repository:
        yield Attacked(root, repository)


@pytest.fixture
def base(attacked_base: Attacked) -> Attacked:
    """For trials: nothing is ever committed to it."""
    return attacked_base


@pytest.fixture
def copies(attacked_base: Attacked, tmp_path: Path) -> Iterator[Callable[[str], Attacked]]:
    """Copies of that wiki by name, to commit to."""
    with ExitStack() as opened:

        def copy(name: str) -> Attacked:
            root = attacked_base.copied_to(tmp_path / name)
            return Attacked(root, opened.enter_context(Repository(root)))

        yield copy
