"""Anything a user, curator and a crash may do, in any order, against a small model of what a wiki must then be.

The model is plain: which sources are in and with what text, what the user has written and not committed, and what curator
may never touch.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from curator.cli.commands import edit, init
from curator.errors import CuratorError
from curator.ingest import intake
from curator.ingest.flow import AlreadyIngested, IngestOptions, ingest
from curator.models.proposal import Add, Claim, Operation, Proposal
from curator.repository.git import Git
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.repository.transaction import worktree
from curator.wiki import index
from curator.wiki.sources.source import Document, Source
from support import wikis
from support.depth import NIGHTLY
from support.fakes import Killed, ScriptedModel
from support.wikis import NOW

EXAMPLES, STEPS = (60, 24) if NIGHTLY else (6, 12)
NAMES = ("kettle", "teapot", "caddy", "strainer")
FACTS = ("is kept warm", "is made of clay", "holds a litre", "is older than tea")
UNTOUCHED = ("KNOWLEDGE.md", "AGENTS.md")
_NOTE = re.compile(r"^\[\^([^\]]+)\]:", re.MULTILINE)


@dataclass
class Model:
    """What has to be true of the wiki."""

    sources: dict[str, str] = field(default_factory=dict)
    """The text of each source file, by path."""
    taken: list[tuple[str, str]] = field(default_factory=list)
    """Path and digest of every ingest that landed, as told or as found after a crash."""
    standing: dict[str, str] = field(default_factory=dict)
    """The digest by path that the manifest must have: of the newest ingest that was not taken back."""
    dirty: dict[str, bytes | None] = field(default_factory=dict)
    """What the user's uncommitted pages hold; None for one that was deleted."""
    log: str = ""

    def pending(self, path: str) -> bool:
        return self.standing.get(path) != digest(self.sources[path])


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


class WikiMachine(RuleBasedStateMachine):
    """A user, curator, and a power switch."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="machine-"))
        self.root = self.folder / "wiki"
        self.model = Model()
        self.number = 0

    def teardown(self) -> None:
        assert wikis.git(self.root, "fsck", "--strict", "--no-dangling") == ""
        shutil.rmtree(self.folder)

    @initialize()
    def make(self) -> None:
        init.run(self.root, "Tea")
        self.untouched = {name: (self.root / name).read_bytes() for name in UNTOUCHED}
        self.drop_or_revise(name=NAMES[0], facts=[FACTS[0]])

    # -- sources ---------------------------------------------------------------------------------------------------

    @rule(name=st.sampled_from(NAMES), facts=st.lists(st.sampled_from(FACTS), min_size=1, max_size=3, unique=True))
    def drop_or_revise(self, name: str, facts: list[str]) -> None:
        self.number += 1
        lines = [f"The {name} {fact}." for fact in facts]
        text = "\n".join([f"Notes {self.number} about the {name}", "", *lines, ""])
        wikis.drop(self.root, f"{name}.txt", text)
        self.model.sources[f"sources/{name}.txt"] = text

    @rule(data=st.data())
    def take_in(self, data: st.DataObject) -> None:
        self._take_in(data.draw(st.sampled_from(sorted(self.model.sources))))

    @rule(data=st.data(), act=st.integers(1, 90))
    def take_in_and_be_killed(self, data: st.DataObject, act: int) -> None:
        path = data.draw(st.sampled_from(sorted(self.model.sources)))
        head = self._head()
        try:
            with fuse(act):
                self._take_in(path)
        except Killed:
            pass
        else:
            return
        with Repository(self.root):
            pass
        has_landed = self._head() != head
        event(f"killed: {'landed' if has_landed else 'not landed'}")
        if has_landed:
            self._note_landed(path)

    def _take_in(self, path: str) -> None:
        text, was_pending = self.model.sources[path], self.model.pending(path)
        with Repository(self.root) as repository:
            proposal = self._proposal(path, repository)
            incoming = intake.look_at_source(self.root / path, repository, repository.begin().manifest(), 1_000_000)
            source = Source(path, incoming.spooled.digest, Document.from_text(text))
            try:
                ingest(source, incoming.file, repository, ScriptedModel((proposal,)), IngestOptions(lambda: NOW))
            except AlreadyIngested:
                assert not was_pending
            except CuratorError as error:
                event(f"ingest: {error.code}")
            else:
                event("ingest: landed")
                assert was_pending, f"{path} came in twice"
                self._note_landed(path)
            finally:
                repository.runtime.drop_spool(incoming.spooled)

    def _note_landed(self, path: str) -> None:
        found = digest(self.model.sources[path])
        self.model.taken.append((path, found))
        self.model.standing[path] = found

    def _proposal(self, path: str, repository: Repository) -> Proposal:
        """A summary of the source and, for a thing that has a page, a line for it; else a page for it."""
        name = Path(path).stem
        quote = self.model.sources[path].split("\n")[2]
        claim = Claim(text=f"- In notes {self.number}: {quote}", quotes=(quote,))
        thing = repository.begin().wiki.entry(f"the-{name}")
        page: Operation = (
            Add(op="add", page=thing.slug, section="", body=(claim,))
            if thing is not None
            else wikis.concept(Claim(text=quote, quotes=(quote,)), title=f"The {name}")
        )
        said = Claim(text=f"It says: {quote}", quotes=(quote,))
        return wikis.proposal(wikis.summary(said, title=f"Notes {self.number} on the {name}"), page)

    # -- the user ------------------------------------------------------------------------------------------------------

    @precondition(lambda self: self._pages())
    @rule(data=st.data(), how=st.sampled_from(["edit", "stage", "commit", "delete"]))
    def work_by_hand(self, data: st.DataObject, how: str) -> None:
        page = self.root / data.draw(st.sampled_from(self._pages()))
        path = page.relative_to(self.root).as_posix()
        if how == "delete":
            page.unlink()
            self.model.dirty[path] = None
            return
        self.number += 1
        page.write_bytes(page.read_bytes() + f"\n<!-- mine {self.number} -->\n".encode())
        self.model.dirty[path] = page.read_bytes()
        if how == "stage":
            wikis.git(self.root, "add", "--", path)
        if how == "commit":
            wikis.git(self.root, "commit", "-q", "-m", "mine", "--", path)
            del self.model.dirty[path]

    @precondition(lambda self: self.model.dirty)
    @rule(takes_back=st.booleans())
    def tidy_up(self, takes_back: bool) -> None:
        """The user brings deleted pages back, and commits the edits or takes them back."""
        wikis.git(self.root, "reset", "-q")
        for path, content in self.model.dirty.items():
            if content is None or takes_back:
                wikis.git(self.root, "checkout", "-q", "HEAD", "--", path)
            else:
                wikis.git(self.root, "commit", "-q", "-m", "mine", "--", path)
        self.model.dirty = {}

    # -- curator by hand -----------------------------------------------------------------------------------------------

    @precondition(lambda self: self._pages())
    @rule(data=st.data(), removes=st.booleans())
    def rename_or_remove(self, data: st.DataObject, removes: bool) -> None:
        slug = Path(data.draw(st.sampled_from(self._pages()))).stem
        self.number += 1
        settings = Settings(self.root, {}, {})
        with refusals():
            if removes:
                edit.remove_page(settings, slug, "not needed", False)
            else:
                edit.rename_page(settings, slug, f"{slug[:20].rstrip('-')}-{self.number}", False)

    @precondition(lambda self: self.model.standing)
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(sorted(self.model.standing)))
        with refusals():
            if edit.undo_commits(Settings(self.root, {}, {}), [path], False).data["commit"]:
                before = json.loads(wikis.git(self.root, "show", "HEAD:_manifest.json"))["sources"].get(path)
                self.model.standing.pop(path)
                if before is not None:  # an older version of the source stands again
                    assert (path, before["contentHash"]) in self.model.taken
                    self.model.standing[path] = before["contentHash"]

    # -- what must be so -----------------------------------------------------------------------------------------------

    @invariant()
    def all_is_as_promised(self) -> None:
        if not self.root.exists():
            return
        with Repository(self.root) as repository:
            assert repository.git.in_progress() is None
            self._check_files()
            self._check_record(repository)
            self._check_generated(repository)

    def _check_files(self) -> None:
        """What is the user's is as the user left it, and nothing of curator's lies about."""
        assert {name: (self.root / name).read_bytes() for name in UNTOUCHED} == self.untouched
        for path, text in self.model.sources.items():
            assert (self.root / path).read_text("utf-8") == text
        for path, content in self.model.dirty.items():
            page = self.root / path
            assert (page.read_bytes() if page.exists() else None) == content, path
        changed = {line[3:] for line in wikis.git(self.root, "status", "--porcelain", "-uall").split("\n") if line}
        assert {path for path in changed if not path.startswith("sources/")} <= set(self.model.dirty), changed
        runtime = self.root / ".git" / "curator"
        # A token of a transaction that never came to its journal may be there: the next one writes over it.
        assert not [name for name in ("journal.json", "index.new") if (runtime / name).exists()]
        assert not list((self.root / ".git").glob("*.lock")) and not list(self.root.rglob(f"{worktree.TEMPORARY}*"))

    def _check_record(self, repository: Repository) -> None:
        """Git's history, the manifest and the model agree on what came in."""
        trailers = wikis.git(self.root, "log", "--format=%(trailers:key=Curator-Source,valueonly)").split("\n")
        taken = [tuple(line.split(" sha256:")) for line in trailers if line]
        assert sorted(taken) == sorted(self.model.taken)
        manifest = repository.begin().manifest().sources
        assert {path: record.content_hash for path, record in manifest.items()} == self.model.standing

    def _check_generated(self, repository: Repository) -> None:
        """The log grew, and what it was stands; the index is that of the pages; every page's claims are cited."""
        transaction = repository.begin()
        log = transaction.read("_log.md") or ""
        assert log.startswith(self.model.log)
        self.model.log = log
        if "mine" not in wikis.git(self.root, "log", "-1", "--format=%s"):
            assert transaction.read("_index.md") == index.render(transaction.wiki.entries())
        for path in wikis.git(self.root, "ls-files", "--", "concepts", "summaries").split("\n"):
            text = wikis.git(self.root, "show", f"HEAD:{path}") if path.endswith(".md") else ""
            body = text.split("\n---\n", 1)[-1]
            for block in re.split(r"\n\s*\n|\n(?=- )", body):
                if block.strip() and not block.lstrip().startswith(("#", "[^", "<!--", "- [[")):
                    labels = set(re.findall(r"\[\^([^\]]+)\]", block))
                    assert labels and labels <= set(_NOTE.findall(body)), (path, block)

    def _pages(self) -> list[str]:
        return sorted(
            path.relative_to(self.root).as_posix()
            for path in self.root.glob("*/*.md")
            if path.relative_to(self.root).as_posix() not in self.model.dirty and path.parent.name != "sources"
        )

    def _head(self) -> str:
        return wikis.git(self.root, "rev-parse", "HEAD")


@contextmanager
def refusals() -> Iterator[None]:
    """A refusal changes nothing, which the invariants see."""
    try:
        yield
    except CuratorError as error:
        event(f"by hand: {error.code}")
    else:
        event("by hand: done")


@contextmanager
def fuse(length: int) -> Iterator[None]:
    """Raise Killed before the act of this number and before every one after it: a dead process does nothing more."""
    acts = 0

    def before(act: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any, **options: Any) -> Any:
            nonlocal acts
            acts += 1
            if acts >= length:
                raise Killed
            return act(*arguments, **options)

        return watched

    names = ("link", "rename", "replace", "unlink", "mkdir", "fsync")
    real = {name: getattr(os, name) for name in names}
    real_run, real_exchange = Git.run, worktree.exchange
    for name, act in real.items():
        setattr(os, name, before(act))
    setattr(Git, "run", before(real_run))  # noqa: B010 (a method is put in another's place)
    worktree.exchange = before(real_exchange)
    try:
        yield
    finally:
        for name, act in real.items():
            setattr(os, name, act)
        setattr(Git, "run", real_run)  # noqa: B010
        worktree.exchange = real_exchange


TestWikiMachine = WikiMachine.TestCase
TestWikiMachine.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    derandomize=not NIGHTLY,
    suppress_health_check=list(HealthCheck),
)
