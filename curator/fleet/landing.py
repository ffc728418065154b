"""One source on its way into its wiki: asked about on its own, then committed and pushed where others commit, too.

    bring the clone up to date; put the source and all answers that were paid for in their places
    ask the model, without committing          for as long as it takes; answers are kept in the database as they come
    again and again, until a push succeeds:
        bring the clone up to date             what another worker pushed meanwhile is there now
        commit                                 from the answer that is kept: nobody is asked again
        push                                   the git server takes one of those who push at once

A worker that dies at any point leaves a lease that runs out, and answers that the next one finds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from curator.fleet.checkout import Checkout, RemoteFailed
from curator.fleet.records import Finished, Lease, Payment
from curator.fleet.source_worker import Result, SourceWorker
from curator.fleet.store import MOST_DEATHS, FleetStore
from curator.models.llm.ledger import SpendingLedger
from curator.repository.runtime.json_files import KeyedJsonFiles
from curator.repository.runtime.runtime import Runtime

_PUSHES = 100
"""How often others may be faster than us, one source long."""
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 300.0
_IN = ("ingested", "skipped", "duplicate", "left", "proposed")
"""Nothing is left to do about the source."""
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
    """The answers on the disk that are in the database, or not of this source: by key, when they were written."""

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
                if result["status"] not in _IN and result.get("code") not in _IN_THE_WAY:
                    return self._not_in(result)
            return self._landed(content)
        finally:
            self._keep_what_was_paid()
            notes.drop(self.lease.path)

    def _landed(self, content: bytes | None) -> Finished:
        for attempt in range(_PUSHES):
            with self.checkout.lock:
                before = self.checkout.update()
                self.checkout.place(self.lease.path, self.lease.digest, content)
                self._bring_answers()
                result = self.worker().run(self.lease.path, self._on_stage)
                if result["status"] not in _IN:
                    return self._not_in(result)
                if result["status"] in ("skipped", "duplicate", "left"):
                    return Finished("done", result["status"], self.checkout.last_commit_of(self.lease.path))
                self._on_stage("pushing")
                commit = self.checkout.push()
                if commit is not None:
                    return Finished("done", result["status"], commit if commit != before else "")
            self.pause(random.uniform(0.0, min(2.0, 0.05 * 2**attempt)))  # noqa: S311 (who goes first, no secret)
        raise RemoteFailed("fleet_busy", f"others pushed {_PUSHES} times while we tried", "it is tried again")

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
        for key, answer in self.store.answers(self.lease).items():
            if self.runtime.reply(key) is None:
                self.runtime.keep_reply(key, answer)
        self._kept.update(self.runtime.reply_times())

    def _keep_what_was_paid(self) -> None:
        for key, written in self.runtime.reply_times().items():
            if self._kept.get(key) != written and (answer := self.runtime.reply(key)) is not None:
                self.store.keep_answer(self.lease.id, key, answer)
                self._kept[key] = written
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


def keep_late_answers(runtime: Runtime, store: FleetStore, besides: Collection[str]) -> None:
    """Put into the database what a killed worker's child was still answered; ``besides``: sources that we are at now.

    A child outlives its worker until it has its answer. Whoever is next with the source finds it then.
    """
    notes = asking_notes(runtime)
    for note in notes.all():
        if note["source"] in besides:
            continue
        for key in runtime.reply_times().keys() - note["known"].keys():
            if (answer := runtime.reply(key)) is not None:
                store.keep_answer(note["id"], key, answer)
        if not store.is_open(note["id"]):
            notes.drop(note["source"])


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
