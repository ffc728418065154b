"""One machine of a fleet: its clones, the children that work in them, and the sources it has leases on."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from curator.errors import CuratorError, SourceError
from curator.fleet.checkout import Checkout, head_of
from curator.fleet.clones import REMOVED, Keep, LocalWiki, folder_name, runtime_of, unneeded
from curator.fleet.landing import Landing, keep_late_answers, later
from curator.fleet.metrics import traced
from curator.fleet.records import Finished, FleetWiki, Lease
from curator.fleet.source_worker import SourceWorker, WikiUnfit, WorkerDied, own_environment
from curator.fleet.store import LEASE_SECONDS, FleetStore
from curator.service.hooks.command import Emit, redacted
from curator.service.model_lender import ModelLender
from curator.system.signal_event import SignalEvent

_BATCH = 10
"""So many sources of one wiki are worked on before the next wiki has its turn: a child is started once for them."""
_IDLE_SECONDS = 30.0
_EVICT_SECONDS = 60.0
_EVICTED_SECONDS = 1.0
"""For which a removal that is under way is waited for in the end; the next worker goes on with it."""
_WIKIS_OF_A_TURN = 20
"""So many git servers' branches are asked for in one look."""


@dataclass
class Machine:
    """Works on sources in ``folder``, which is this process's alone. ``emit`` gets what the log is to say."""

    store: FleetStore
    folder: Path
    emit: Emit
    name: str = field(default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}")
    stopping: SignalEvent = field(default_factory=SignalEvent)
    keep: Keep = field(default_factory=Keep)
    _wikis: dict[str, LocalWiki] = field(default_factory=dict)
    _at: dict[tuple[str, str], int] = field(default_factory=dict)
    """The sources that are worked on now: their ids, by wiki and path."""
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
        """While this is open, what the machine is at stays its own, idle children are ended and old clones removed."""
        ended = threading.Event()

        def again(seconds: float, *steps: Callable[[], object]) -> None:
            while not ended.wait(seconds):
                for step in steps:
                    self._try(step)

        # Apart, for a git server that does not answer must not cost a lease.
        leases = (LEASE_SECONDS / 6, self.renew, self._keep_late_answers, partial(self._end_idle, _IDLE_SECONDS))
        clones = (_EVICT_SECONDS, self.evict)
        threads = [threading.Thread(target=again, args=each, daemon=True) for each in (leases, clones)]
        self._try(self._keep_late_answers)
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            ended.set()
            threads[0].join()
            threads[1].join(_EVICTED_SECONDS)
            self._end_idle(0.0)

    def _try(self, step: Callable[[], object]) -> None:
        """What fails is tried again by whoever calls: the thread that renews leases must not end."""
        try:
            step()
        except CuratorError:
            pass  # of the database, which everybody else reports
        except Exception as error:
            self.emit("failed", {"reason": _unforeseen(error)})

    def renew(self) -> None:
        """What the machine is at now stays its own; what it once had and is at no more runs out."""
        with self._lock:
            ids = list(self._at.values())
        self.store.renew(self.name, ids)

    def _keep_late_answers(self) -> None:
        """What workers before us, on this machine, were answered and could not tell."""
        for runtime in self.folder.glob("*/.git/curator"):
            clone = runtime.parent.parent
            with self._lock:
                ours = {path for name, path in self._at if folder_name(name) == clone.name}
            keep_late_answers(runtime_of(clone), self.store, ours)

    def evict(self) -> list[str]:
        """Remove the clones that are kept no longer; gives their folders' names. What they held is elsewhere: commits at
        the git server, answers and payments in the database.
        """
        for left in self.folder.glob(f"*{REMOVED}"):
            shutil.rmtree(left, ignore_errors=True)
        gone = [(clone.name, reason) for clone, reason in self.keep.surplus(self.folder) if self._remove(clone)]
        for name, reason in gone:
            self.emit("removed", {"clone": name, "reason": reason})
        return [name for name, _ in gone]

    def _remove(self, clone: Path) -> bool:
        """Remove a clone, unless somebody is at work in it or it holds what is nowhere else."""
        with self._lock:
            local, is_free = self._found(clone)
        if not is_free or (local is not None and not local.checkout.lock.acquire(blocking=False)):
            return False
        aside = clone.with_name(f"{clone.name}{REMOVED}")
        try:
            with unneeded(clone) as may_go, self._lock:
                now, is_free = self._found(clone)
                if not (may_go and is_free and now is local):
                    return False
                clone.rename(aside)
                if local is not None:  # the same lock, for who waits for it; the rest is of the folder that went
                    self._wikis[local.checkout.wiki.name] = LocalWiki.of(local.checkout)
        finally:
            if local is not None:
                local.checkout.lock.release()
        shutil.rmtree(aside, ignore_errors=True)
        return True

    def _found(self, clone: Path) -> tuple[LocalWiki | None, bool]:
        """What is known of a clone here, and whether nobody is at work in it. The caller holds the lock."""
        local = next((each for each in self._wikis.values() if each.checkout.folder == clone), None)
        is_at_work = any(folder_name(name) == clone.name for name, _ in self._at)
        return local, not is_at_work and (local is None or not (local.idle or local.lender))

    # -- one source ----------------------------------------------------------------------------------------------

    def _take(self, lease: Lease) -> None:
        about = {"wiki": lease.wiki, "source": lease.path}
        self.emit("started", {**about, "attempt": lease.attempts})
        started = time.monotonic()
        with self._lock:
            self._at[lease.wiki, lease.path] = lease.id
        try:
            became = self._land(lease)
            mine = self.store.finish(lease, became)
        finally:
            with self._lock:
                self._at.pop((lease.wiki, lease.path), None)
        seconds = round(time.monotonic() - started, 3)
        told = {"status": became.status, "commit": became.commit, "code": became.code, "reason": became.reason}
        event = became.state if mine else "lost"
        self.emit(event, {**about, **{key: value for key, value in told.items() if value}, "seconds": seconds})

    def _land(self, lease: Lease) -> Finished:
        """Work on a source; whatever is raised becomes what is written of it, so that it is not taken for good."""
        try:
            with traced(lease.wiki, lease.path) as staged, self._child(lease.wiki) as (local, child):
                landing = Landing(lease, local.checkout, child, self.store, local.runtime, local.ledger, staged)
                return landing.run()
        except WorkerDied as error:
            return _again(lease, "died", "fleet_worker_died", str(error))
        except WikiUnfit as error:
            return _again(lease, "unfit", "wiki_unfit", str(error))
        except SourceError as error:
            return Finished("parked", "refused", "", error.code, error.message, error.hint)
        except CuratorError as error:
            return _again(lease, "held", error.code, error.message, error.hint)
        except Exception as error:  # of the disk, or a bug: it may pass, and the source must not stay taken
            return _again(lease, "held", "fleet_failed", _unforeseen(error))

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
        environment = own_environment(wiki, self.store.tenant(wiki.tenant), local.checkout)
        with self._lock:
            # With keys and hosts of its own, so that no wiki's child has another's; for one child it would be dearer.
            if sum(name == wiki.name for name, _ in self._at) > 1 and environment.get("CURATOR_MODEL"):
                place = local.runtime.model_socket
                local.lender = local.lender or ModelLender(local.checkout.folder, place, (), environment)
                local.lender.start()
        return SourceWorker(local.checkout, environment)

    def _local(self, wiki: FleetWiki) -> LocalWiki:
        """The place where a wiki is worked on; a new one when its settings have changed."""
        with self._lock:
            local = self._wikis.get(wiki.name)
            if local is None:
                local = LocalWiki.of(Checkout(wiki, self.folder / folder_name(wiki.name)))
            elif local.checkout.wiki != wiki:
                for _, worker in local.idle:
                    worker.kill()
                if local.lender is not None:
                    local.lender.stop()
                local = replace(local, checkout=replace(local.checkout, wiki=wiki), idle=[], lender=None)
            self._wikis[wiki.name] = local
        return local

    def _end_idle(self, seconds: float) -> None:
        now = time.monotonic()
        with self._lock:
            old = []
            for local in self._wikis.values():
                old += [worker for since, worker in local.idle if now - since >= seconds]
                local.idle = [(since, worker) for since, worker in local.idle if now - since < seconds]
            at_work = {name for name, _ in self._at}
            lenders = []
            for name, local in self._wikis.items():
                if local.lender is not None and not local.idle and (name not in at_work or not seconds):
                    lenders.append(local.lender)
                    local.lender = None
        for worker in old:
            worker.stop()
        for lender in lenders:
            lender.stop()

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


def _again(lease: Lease, status: str, code: str, reason: str, hint: str = "") -> Finished:
    """Queued again, for what may pass."""
    return Finished("queued", status, "", code, reason, hint, later(lease.attempts))


def _unforeseen(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return redacted(f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})")
