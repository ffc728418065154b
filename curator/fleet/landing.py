"""One source on its way into its wiki: asked about on its own, then committed and pushed where others commit, too.

    bring the clone up to date; put the source and all answers that were paid for in their places
    ask the model, without committing          for as long as it takes; answers are kept in the database as they come
    again and again, until a push succeeds:
        bring the clone up to date             what another worker pushed meanwhile is there now
        commit                                 from the answer that is kept: nobody is asked while others wait for the clone
        or ask the model anew                  where that answer fits the wiki no more
        push                                   the git server takes one of those who push at once

A worker that dies at any point leaves a lease that runs out, and answers that the next one finds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from curator.errors import ReviewNeeded
from curator.fleet.checkout import Checkout, RemoteFailed
from curator.fleet.records import Finished, Lease, Payment
from curator.fleet.source_worker import Result, SourceWorker
from curator.fleet.store import MOST_DEATHS, FleetStore
from curator.models.llm.ledger import SpendingLedger
from curator.models.saved_answers import ANSWER_WANTED, topic
from curator.repository.runtime.json_files import KeyedJsonFiles
from curator.repository.runtime.runtime import Runtime

_PUSHES = 100
"""How often others may be faster than us, one source long."""
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 300.0
_IN = ("ingested", "skipped", "duplicate", "left")
_IN_THE_WAY = ("source_busy", "busy")
"""Others of this machine had the source, or the wiki, at that moment: a landing waits for its turn."""


@dataclass(frozen=True)
class Landing:
    """The work on one source."""

    lease: Lease
    checkout: Checkout
    worker: Callable[[], SourceWorker]
    """The child that works on the sources of this checkout; started when it is first asked for."""
    store: FleetStore
    runtime: Runtime
    ledger: SpendingLedger
    staged: Callable[[str], None] = lambda stage: None
    """Called with each stage it comes to."""
    pause: Callable[[float], None] = time.sleep
    _kept: dict[str, int] = field(default_factory=dict)
    """The source's answers on the disk that are in the database: by key, when they were written."""

    def run(self) -> Finished:
        """Take the source in. Raises what the child or the git server raise; then it is to be tried again."""
        if self.lease.deaths >= MOST_DEATHS:
            said = f"{self.lease.deaths} workers died while they were at work on it"
            return Finished("parked", code="fleet_deaths", reason=said, next=_retry(self.lease))
        content = self.store.content(self.lease.digest)
        with self.checkout.lock:
            self.checkout.update()
            if not self.checkout.place(self.lease.path, self.lease.digest, content):
                return Finished("superseded", reason="the wiki has other bytes under this name by now")
        self._bring_answers()
        notes = asking_notes(self.runtime)
        notes.put({"source": self.lease.path, "id": self.lease.id, "known": self._kept})
        try:
            worker = self.worker()
            if worker.asks_a_model:  # the built-in curator costs nothing, and is asked where it is committed
                result = worker.run(self.lease.path, self._on_stage, dry_run=True)
                if not _is_in(result) and result.get("code") not in _IN_THE_WAY:
                    return self._not_in(result)
            return self._landed(content, saved_only=worker.asks_a_model)
        finally:
            self._keep_what_was_paid()
            with self.checkout.lock:  # whoever is next with the source has them brought
                self.runtime.replies.drop_all(topic(self.lease.path))
            notes.drop(self.lease.path)

    def _landed(self, content: bytes | None, saved_only: bool) -> Finished:
        for attempt in range(_PUSHES):
            with self.checkout.lock:
                before = self.checkout.update()
                self.checkout.place(self.lease.path, self.lease.digest, content)
                self._bring_answers()
                result = self.worker().run(self.lease.path, self._on_stage, saved_only=saved_only)
                is_wanted = result.get("code") == ANSWER_WANTED
                if not is_wanted and (became := self._became(result, before)) is not None:
                    return became
            if is_wanted:  # others may have the clone while the model thinks
                result = self.worker().run(self.lease.path, self._on_stage, dry_run=True)
                if not _is_in(result) and result.get("code") not in _IN_THE_WAY:
                    return self._not_in(result)
                continue
            self.pause(random.uniform(0.0, min(2.0, 0.05 * 2**attempt)))  # noqa: S311 (who goes first, no secret)
        raise RemoteFailed("fleet_busy", f"others pushed {_PUSHES} times while we tried", "it is tried again")

    def _became(self, result: Result, before: str) -> Finished | None:
        """What became of the source, pushed where it was committed; None where somebody else pushed first."""
        if not _is_in(result):
            return self._not_in(result)
        if result["status"] in ("skipped", "duplicate", "left"):
            return Finished("done", result["status"], self.checkout.last_commit_of(self.lease.path))
        self._on_stage("pushing")
        commit = self.checkout.push()
        if commit is None:
            return None
        return Finished("done", result["status"], commit if commit != before else "", result.get("code", ""))

    def _not_in(self, result: Result) -> Finished:
        """Queued again for what passes, as the service would; else parked, with what is to be done."""
        about = {"status": result["status"], "code": result.get("code", ""), "reason": result.get("reason", "")}
        if result.get("passes") or result.get("general"):
            return Finished("queued", **about, next_try=later(self.lease.attempts, result.get("again_in")))
        with self.checkout.lock:
            self.checkout.clear(self.lease.path)
        return Finished(
            "parked", **about, next=f"{result.get('next', '')}; then: {_retry(self.lease)}".removeprefix("; then: ")
        )

    # -- what was paid for ---------------------------------------------------------------------------------------

    def _on_stage(self, stage: str) -> None:
        """An answer is on the disk when its check begins: it is in the database before anything is made of it."""
        if stage in ("checking", "committing", "pushing"):
            self._keep_what_was_paid()
        self.staged(stage)
        self.store.note_stage(self.lease, stage)

    def _bring_answers(self) -> None:
        answers = self.store.answers(self.lease)
        for key, answer in answers.items():
            if self.runtime.replies.get(key) is None:
                self.runtime.replies.keep(key, answer)
        written = self.runtime.replies.times(topic(self.lease.path))
        self._kept.update({key: at for key, at in written.items() if self.runtime.replies.get(key) == answers.get(key)})

    def _keep_what_was_paid(self) -> None:
        _keep_answers(self.runtime, self.store, self.lease.path, self.lease.id, self._kept)
        with self.checkout.lock:
            news = self.ledger.news(datetime.now(UTC))
        paid = (
            Payment(question, entry.source, entry.day, entry.model, entry.spent.tokens, entry.spent.dollars)
            for question, entry in news.items()
        )
        self.store.enter_payments(self.lease.wiki, paid)


def asking_notes(runtime: Runtime) -> KeyedJsonFiles:
    """What each source was asked about by, and which answers were there before: what a worker that was killed leaves."""
    return KeyedJsonFiles(runtime.folder / "asking", frozenset({"id", "known"}))


def _is_in(result: Result) -> bool:
    """True where nothing is left to do about the source but for a person, who has its proposal."""
    return result["status"] in _IN or result.get("code") == ReviewNeeded.CODE


def keep_late_answers(runtime: Runtime, store: FleetStore, besides: Collection[str]) -> None:
    """Put into the database what a killed worker's child was still answered; ``besides``: sources that we are at now.

    A child outlives its worker until it has its answer. Whoever is next with the source finds it then.
    """
    notes = asking_notes(runtime)
    for note in notes.all():
        if note["source"] in besides:
            continue
        if _keep_answers(runtime, store, note["source"], note["id"], note["known"]):
            notes.put(note)
        if not store.is_open(note["id"]):
            notes.drop(note["source"])


def _keep_answers(runtime: Runtime, store: FleetStore, path: str, source: int, known: dict[str, int]) -> bool:
    """Put the answers about a source that are not in the database there; those that are, are ``known``. True for any.

    Other sources' answers are beside them, of others who work in the same clone: those keep them.
    """
    found = False
    for key, written in runtime.replies.times(topic(path)).items():
        if known.get(key) != written and (answer := runtime.replies.get(key)) is not None:
            store.keep_answer(source, key, answer)
            known[key], found = written, True
    return found


def later(attempts: int, seconds: float | None = None) -> datetime:
    """When a source is tried again: after ``seconds`` where somebody has said so, else the longer the more often it was."""
    pause = (
        seconds
        if seconds is not None and seconds > 0
        else min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** min(attempts - 1, 10))
    )
    return datetime.now(UTC) + timedelta(seconds=pause * random.uniform(0.8, 1.2))  # noqa: S311 (spreads the load)


def _retry(lease: Lease) -> str:
    return f"curate fleet retry {lease.wiki} {lease.path}"
