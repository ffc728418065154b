"""The fleet's jobs, on procrastinate: a job is a turn for one wiki, not a source, so that no wiki keeps others waiting.

A turn takes the next few sources of its wiki and queues another turn while there are more. What is due is said by the
sources in the database, never by the jobs: a job that is lost, doubled or late costs nothing, and ``sweep`` queues the
turns that should be there.
"""

from __future__ import annotations

import asyncio
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import procrastinate
import psycopg
from procrastinate import exceptions, jobs

from curator.fleet.database import DatabaseLost
from curator.fleet.machine import Machine
from curator.fleet.store import LEASE_SECONDS, FleetStore
from curator.system.signal_event import SignalEvent

TURN, SWEEP = "curator.turn", "curator.sweep"
_TURNS = "turns"
_SWEEP_SECONDS = 5
_LOOK_SECONDS = 60.0
"""How often each wiki's git server is asked for what was pushed."""
_OTHER_THREADS = 4
_TICK = 0.2
_AWAY = (DatabaseLost, exceptions.ConnectorException, psycopg.OperationalError, psycopg.InterfaceError, OSError)


def app_of(address: str, machine: Machine) -> procrastinate.App:
    """The queue at ``address``, with what ``machine`` does about its jobs."""
    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=address, min_size=1, max_size=4))

    @app.task(name=TURN, queue=_TURNS)
    async def turn(wiki: str, slot: int) -> None:
        done = await asyncio.to_thread(machine.work_on, wiki)
        if done and not machine.stopping.is_set():
            await queue_turn(app, wiki, slot)

    @app.periodic(cron=f"* * * * * */{_SWEEP_SECONDS}")
    @app.task(name=SWEEP, queue=_TURNS, queueing_lock=SWEEP, pass_context=False)
    async def sweep(timestamp: int) -> None:
        await delete_orphaned_jobs(app)
        await asyncio.to_thread(machine.look, _LOOK_SECONDS)
        await queue_turns(app, machine.store)

    return app


async def queue_turns(app: procrastinate.App, store: FleetStore) -> None:
    """Queue the turns that should be there, for those wikis first that have waited longest for one."""
    for wiki, more in (await asyncio.to_thread(store.with_work)).items():
        for slot in range(more):
            await queue_turn(app, wiki, slot)


async def queue_turn(app: procrastinate.App, wiki: str, slot: int) -> None:
    with suppress(exceptions.AlreadyEnqueued):
        await app.configure_task(TURN, queue=_TURNS, queueing_lock=f"{wiki} {slot}").defer_async(wiki=wiki, slot=slot)


async def delete_orphaned_jobs(app: procrastinate.App) -> None:
    """Delete the jobs of workers that have died; the sources they were at have leases of their own."""
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=LEASE_SECONDS):
        await app.job_manager.finish_job(job, status=jobs.Status.FAILED, delete_job=True)


def run_worker(address: str, machine: Machine, hands: int, *, until_done: bool = False) -> None:
    """Work until SIGTERM or Ctrl-C, which lets what is begun be finished; ``until_done``: until nothing is due.

    A database that is away is waited for. Raises CuratorError for what somebody has to mend.
    """
    _mind_signals(machine.stopping)
    with machine.renewing():
        while not machine.stopping.is_set():
            try:
                asyncio.run(_work(address, machine, hands, until_done))
                if until_done and not machine.store.with_work():
                    break
            except _AWAY as error:
                machine.emit("database_away", {"reason": str(error).partition("\n")[0]})
                machine.stopping.wait(2.0)


async def _work(address: str, machine: Machine, hands: int, until_done: bool) -> None:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(hands + _OTHER_THREADS))
    app = app_of(address, machine)
    async with app.open_async():
        await asyncio.to_thread(machine.look, 0.0 if until_done else _LOOK_SECONDS)
        await queue_turns(app, machine.store)
        working = asyncio.create_task(
            app.run_worker_async(
                queues=[_TURNS],
                name=machine.name,
                concurrency=hands,
                wait=not until_done,
                install_signal_handlers=False,
                delete_jobs="always",
                update_heartbeat_interval=LEASE_SECONDS / 6,
                stalled_worker_timeout=LEASE_SECONDS,
            )
        )
        while not working.done():
            await asyncio.wait({working}, timeout=_TICK)
            if machine.stopping.is_set():
                working.cancel()  # procrastinate lets running jobs finish
                break
        with suppress(asyncio.CancelledError):
            await working


def _mind_signals(stopping: SignalEvent) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(ValueError):  # not in the main thread: a test
            signal.signal(number, lambda *_: stopping.set())
