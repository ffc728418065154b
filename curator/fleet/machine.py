"""One machine of a fleet: its clones, the children that work in them, and the sources it has leases on."""

from __future__ import annotations

import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from curator.errors import CuratorError
from curator.fleet.checkout import Checkout, head_of
from curator.fleet.landing import Landing, keep_late_answers, later
from curator.fleet.metrics import traced
from curator.fleet.records import Finished, FleetWiki, Lease
from curator.fleet.source_worker import SourceWorker, WikiUnfit, WorkerDied, own_environment
from curator.fleet.store import LEASE_SECONDS, FleetStore
from curator.models.llm.ledger import SpendingLedger
from curator.repository.runtime.runtime import Runtime
from curator.service.hooks.command import Emit

_BATCH = 10
"""So many sources of one wiki are worked on before the next wiki has its turn: a child is started once for them."""
_IDLE_SECONDS = 30.0
_WIKIS_OF_A_TURN = 20
"""So many git servers' branches are asked for in one look."""


@dataclass
class LocalWiki:
    """A clone with its ledger, and the children that have no source right now."""

    checkout: Checkout
    runtime: Runtime
    ledger: SpendingLedger
    idle: list[tuple[float, SourceWorker]] = field(default_factory=list)


@dataclass
class Machine:
    """Works on sources in ``folder``, which is this process's alone. ``emit`` gets what the log is to say."""

    store: FleetStore
    folder: Path
    emit: Emit
    name: str = field(default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}")
    stopping: threading.Event = field(default_factory=threading.Event)
    _wikis: dict[str, LocalWiki] = field(default_factory=dict)
    _at: set[tuple[str, str]] = field(default_factory=set)
    """Wiki and path of the sources that are worked on now."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def work_on(self, wiki: str) -> int:
        """Work on what is due of one wiki, a few sources at most; gives how many. Called from several threads."""
        for done in range(_BATCH):
            if self.stopping.is_set() or (lease := self.store.lease(wiki, self.name)) is None:
                return done
            self._take(lease)
        return _BATCH

    def look(self, seconds: float) -> int:
        """Hand in what pushes have brought to wikis that nobody has looked at for so long; gives how many sources."""
        found = 0
        for _ in range(_WIKIS_OF_A_TURN):
            if self.stopping.is_set() or (due := self.store.to_look_at(seconds)) is None:
                break
            try:
                found += self._look_at(*due)
            except CuratorError as error:
                self.emit("unreachable", {"wiki": due[0].name, "code": error.code, "reason": error.message})
        return found

    @contextmanager
    def renewing(self) -> Iterator[None]:
        """While this is open, what the machine is at stays its own, and children that wait for nothing are ended."""
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(LEASE_SECONDS / 6):
                with suppress(CuratorError):
                    self.store.renew(self.name)
                    self._keep_late_answers()
                self._end_idle(_IDLE_SECONDS)

        with suppress(CuratorError):
            self._keep_late_answers()
        thread = threading.Thread(target=renew, name="leases", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            self._end_idle(0.0)

    def _keep_late_answers(self) -> None:
        """What workers before us, on this machine, were answered and could not tell."""
        for clone in self.folder.glob("*/.git/curator"):
            with self._lock:
                ours = {path for name, path in self._at if _safe(name) == clone.parent.parent.name}
            keep_late_answers(Runtime.of(clone, ""), self.store, ours)

    # -- one source ----------------------------------------------------------------------------------------------

    def _take(self, lease: Lease) -> None:
        about = {"wiki": lease.wiki, "source": lease.path}
        self.emit("started", {**about, "attempt": lease.attempts})
        started = time.monotonic()
        with self._lock:
            self._at.add((lease.wiki, lease.path))
        try:
            with traced(lease.wiki, lease.path) as staged, self._child(lease.wiki) as (local, child):
                landing = Landing(lease, local.checkout, child, self.store, local.runtime, local.ledger, staged)
                became = landing.run()
        except WorkerDied as error:
            became = Finished(
                "queued", "died", code="fleet_worker_died", reason=str(error), next_try=later(lease.attempts)
            )
        except WikiUnfit as error:
            became = Finished("queued", "unfit", code="wiki_unfit", reason=str(error), next_try=later(lease.attempts))
        except CuratorError as error:
            became = Finished("queued", "held", "", error.code, error.message, error.hint, later(lease.attempts))
        finally:
            with self._lock:
                self._at.discard((lease.wiki, lease.path))
        mine = self.store.finish(lease, became)
        seconds = round(time.monotonic() - started, 3)
        told = {"status": became.status, "commit": became.commit, "code": became.code, "reason": became.reason}
        event = became.state if mine else "lost"
        self.emit(event, {**about, **{key: value for key, value in told.items() if value}, "seconds": seconds})

    @contextmanager
    def _child(self, wiki: str) -> Iterator[tuple[LocalWiki, Callable[[], SourceWorker]]]:
        """The wiki's clone, and a child of ours alone in it, started when asked for; kept warm for the next source."""
        local = self._local(self.store.wiki(wiki))
        taken: list[SourceWorker] = []

        def child() -> SourceWorker:
            if not taken:
                taken.append(self._idle_child(local) or self._new_child(local))
            return taken[0]

        try:
            yield local, child
        except CuratorError:
            self._keep(local, taken)  # of git or the database: the child is well
            raise
        except BaseException:
            for worker in taken:
                worker.kill()
            raise
        self._keep(local, taken)

    def _keep(self, local: LocalWiki, workers: list[SourceWorker]) -> None:
        with self._lock:
            local.idle += [(time.monotonic(), worker) for worker in workers]

    def _idle_child(self, local: LocalWiki) -> SourceWorker | None:
        with self._lock:
            return local.idle.pop()[1] if local.idle else None

    def _new_child(self, local: LocalWiki) -> SourceWorker:
        wiki = local.checkout.wiki
        return SourceWorker(local.checkout, own_environment(wiki, self.store.tenant(wiki.tenant), local.checkout))

    def _local(self, wiki: FleetWiki) -> LocalWiki:
        """The place where a wiki is worked on; a new one when its settings have changed."""
        with self._lock:
            local = self._wikis.get(wiki.name)
            if local is None:
                checkout = Checkout(wiki, self.folder / _safe(wiki.name))
                runtime = Runtime.of(checkout.folder / ".git" / "curator", "")
                local = LocalWiki(checkout, runtime, SpendingLedger(runtime.folder / "spend"))
            elif local.checkout.wiki != wiki:
                for _, worker in local.idle:
                    worker.kill()
                local = replace(local, checkout=replace(local.checkout, wiki=wiki), idle=[])
            self._wikis[wiki.name] = local
        return local

    def _end_idle(self, seconds: float) -> None:
        now = time.monotonic()
        with self._lock:
            old = []
            for local in self._wikis.values():
                old += [worker for since, worker in local.idle if now - since >= seconds]
                local.idle = [(since, worker) for since, worker in local.idle if now - since < seconds]
        for worker in old:
            worker.stop()

    # -- what pushes brought -------------------------------------------------------------------------------------

    def _look_at(self, wiki: FleetWiki, known: str) -> int:
        head = head_of(wiki)
        if not head or head == known:
            return 0
        checkout = self._local(wiki).checkout
        with checkout.lock:
            head = checkout.update()
            sources = checkout.pushed_sources(known, head)
        found = sum(self.store.hand_in(wiki.name, path, digest, None) for path, digest in sources)
        self.store.note_head(wiki.name, head)
        if found:
            self.emit("pushed", {"wiki": wiki.name, "sources": found})
        return found


def _safe(name: str) -> str:
    """A folder's name for a wiki's, which may have any characters."""
    return "".join(letter if letter.isalnum() or letter in "-_" else f"%{ord(letter):x}" for letter in name)
