"""The service's numbers: throughput, latency, what it costs when idle, and a burst; as a table and as JSON.

    python tests/bench/service.py [--sources 100] [--parallel 1 4 8 16] [--delay 2] [--files 10000] [--drain] [--json FILE]
                                  [--only throughput latency idle burst]

Throughput: so many sources dropped at once, a model on the loopback that thinks ``--delay`` seconds, N hands; from the drop
to the last commit. The settling time (2 s) and what is loaded once a service (litellm, curator) count; ``steady`` is the
pace from the first to the last commit. Latency: from a settled file (2 s after its last change) to the moment at which
the model is asked; cold, the service has just started and litellm is not loaded; warm, a hand is waiting.

Idle: the service over ``--files`` sources that are all done. To ingest 10,000 first would take hours, so the queue's file
is written as the service itself would have left it: every file, with its stamp, done. Burst: as many files at once into a
new wiki with the built-in curator and one hand, until all are queued; with ``--drain`` until all are in.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from curator.service.queue import Queue, QueueItem
from curator.service.watching.scan import CALM_SECONDS, scan
from scripts.soak import text
from support.daemons import (
    Daemon,
    cpu_seconds,
    descendants,
    gauged,
    ingests,
    made,
    mapped,
    on_disk,
    surroundings,
)
from support.model_server import ModelServer, Mood
from support.waiting import until

PARTS = ("throughput", "latency", "idle", "burst")
HEAVY = re.compile(r"litellm|pydantic_core|tiktoken|tokenizers|aiohttp|_rust\.|openai|httpx")
"""What is mapped where litellm or pydantic is loaded: they bring compiled parts."""
MODULES = re.compile(r"import time:.*\| +(litellm|pydantic|openai|httpx|git|tiktoken)(?=$|\.)", re.M)
_IDLE_SECONDS = 60.0
_WEIGHING_PAUSE = 4.0
"""Seconds: the kernel walks through the memory of all processes for it, 0.15 s of a processor with sixteen hands."""
_WARM = 5


def throughput(folder: Path, count: int, hands: int, delay: float) -> dict[str, Any]:
    """``count`` sources with ``hands`` at work on them."""
    with ModelServer(Mood(delay=delay)) as model:
        environment = surroundings(folder, model, parallel=hands)
        root = made(folder / "wiki", environment)
        with Daemon(root, environment, folder / "log") as daemon:
            daemon.wait_ready()
            began = time.time()
            _write(root, count)
            peak, weighed = {"family_pss_mb": 0.0}, began
            done: list[float] = []
            while len(done) < count:
                known = len(daemon.events("result"))
                done += [time.time()] * (known - len(done))
                if time.time() - weighed > _WEIGHING_PAUSE:
                    weighed = time.time()
                    family = _weights(daemon.pid)
                    peak["family_pss_mb"] = max(peak["family_pss_mb"], round(sum(family), 1))
                if time.time() - began > 120 + count * (delay + 5):
                    raise SystemExit(
                        f"after {time.time() - began:.0f} s only {known} of {count}: {daemon.events()[-3:]}"
                    )
                time.sleep(0.5)
            seconds = time.time() - began
            service = daemon.sample()
            processor = sum(cpu_seconds(one) for one in (daemon.pid, *(child for child, _ in descendants(daemon.pid))))
        statuses = [event["status"] for event in daemon.events("result")]
        found = ingests(root)
        most = max((sum(c.at <= call.at < c.ended for c in model.calls) for call in model.calls), default=0)
        steady = (len(done) - 1) / (done[-1] - done[0]) if len(done) > 1 and done[-1] > done[0] else 0.0
        return {
            "parallel": hands,
            "sources": count,
            "seconds": round(seconds, 1),
            "a_minute": round(60 * count / seconds, 1),
            "steady_a_minute": round(60 * steady, 1),
            "at_best_a_minute": round(60 * hands / delay, 1) if delay else None,
            "requests": len(model.calls),
            "most_at_once": most,
            "paid_twice": len(model.paid_twice()),
            "in_once": found.keys() == on_disk(root) and set(found.values()) == {1},
            "statuses": {status: statuses.count(status) for status in sorted(set(statuses))},
            "processor_seconds": round(processor, 1),
            "service_rss_mb": service["rss_mb"],
            **peak,
        }


def latency(folder: Path) -> dict[str, Any]:
    """From settled to asked."""
    with ModelServer() as model:
        environment = surroundings(folder, model)
        root = made(folder / "wiki", environment)
        with Daemon(root, environment, folder / "log") as daemon:
            daemon.wait_ready()
            found = [_asked_after(root, model, number) for number in range(_WARM + 1)]
        return {
            "cold_seconds": found[0],
            "warm_seconds": round(statistics.median(found[1:]), 2),
            "warm_most_seconds": max(found[1:]),
        }


def _asked_after(root: Path, model: ModelServer, number: int) -> float:
    file = _write(root, 1, number)[0]
    settled = file.stat().st_mtime + CALM_SECONDS
    until(lambda: model.asked(f"sources/{file.name}"), 120, every=0.01)
    until(lambda: any(path.endswith(file.name) for path, _ in ingests(root)), 120, every=0.5)
    return round(model.asked(f"sources/{file.name}")[0].at - settled, 2)


def idle(folder: Path, count: int) -> dict[str, Any]:
    """Memory and processor time over a minute in which nothing happens."""
    environment = surroundings(folder)
    root = made(folder / "wiki", environment)
    _write(root, count)
    runtime = root / ".git" / "curator"
    runtime.mkdir(exist_ok=True)
    queue = Queue(runtime / "queue.jsonl")
    for seen in scan(root):
        queue.put(QueueItem(seen.path, seen.stamp, "done", time.time()))
    queue.close()
    with Daemon(root, environment, folder / "log") as daemon:
        daemon.wait_ready()
        time.sleep(15)
        before, began = cpu_seconds(daemon.pid), time.monotonic()
        time.sleep(_IDLE_SECONDS)
        spent = cpu_seconds(daemon.pid) - before
        found = daemon.sample()
        heavy = sorted(Path(name).name for name in mapped(daemon.pid) if HEAVY.search(name))
        share = round(100 * spent / (time.monotonic() - began), 3)
        stopping = round(daemon.stop(), 2)
        queued = len(daemon.events("queued"))
    return {
        "sources": count,
        **found,
        "percent_of_a_core": share,
        "queued_again": queued,
        "mapped_heavy": heavy,
        "imported_heavy": _imported(root, environment, folder),
        "sigterm_seconds": stopping,
        "within": found["rss_mb"] < 45 and share < 0.5 and not heavy,
    }


def _imported(root: Path, environment: dict[str, str], folder: Path) -> list[str]:
    """The heavy modules that the service imports, as Python itself tells on standard error."""
    log = folder / "imports"
    with Daemon(root, {**environment, "PYTHONPROFILEIMPORTTIME": "1"}, log) as daemon:
        daemon.wait_ready()
        time.sleep(5)
        daemon.stop()
    return sorted({str(name) for name in MODULES.findall(log.read_text("utf-8"))})


def burst(folder: Path, count: int, *, drains: bool) -> dict[str, Any]:
    """``count`` files at once."""
    environment = surroundings(folder, parallel=1)
    root = made(folder / "wiki", environment)
    with Daemon(root, environment, folder / "log") as daemon:
        daemon.wait_ready()
        began = time.monotonic()
        _write(root, count)
        written = time.monotonic() - began
        until(lambda: len(daemon.events("queued")) >= count, 600, every=0.25)
        queued = time.monotonic() - began
        found = daemon.sample()
        in_by_then = len(daemon.events("result"))
        result = {
            "files": count,
            "written_seconds": round(written, 2),
            "queued_seconds": round(queued, 2),
            "rss_mb": found["rss_mb"],
            "cpu_seconds": found["cpu_seconds"],
            "results_by_then": in_by_then,
        }
        if drains:
            until(lambda: len(daemon.events("result")) >= count, 10 * count, every=5)
            taken = ingests(root)
            result |= {
                "drained_seconds": round(time.monotonic() - began, 1),
                "drained_rss_mb": gauged(daemon.pid)["rss_mb"],
                "in_once": taken.keys() == on_disk(root) and set(taken.values()) == {1},
            }
        else:
            time.sleep(10)
            more = len(daemon.events("result")) - in_by_then
            result |= {"then_a_minute": 6 * more, "cpu_seconds_of_10": round(daemon.sample()["cpu_seconds"], 2)}
            result["cpu_seconds_of_10"] = round(result["cpu_seconds_of_10"] - found["cpu_seconds"], 2)
        result["sigterm_seconds"] = round(daemon.stop(), 2)
        return result


def _write(root: Path, count: int, first: int = 0) -> list[Path]:
    files = [root / "sources" / f"notes-{number}.md" for number in range(first, first + count)]
    for number, file in enumerate(files, start=first):
        file.write_text(text(number), "utf-8")
    return files


def _weights(pid: int) -> list[float]:
    """Proportional memory of the service and of everything below it, in MB."""
    found = []
    for one in (pid, *(child for child, _ in descendants(pid))):
        try:
            rollup = (Path("/proc") / str(one) / "smaps_rollup").read_text()
        except OSError:
            continue
        share = re.search(r"^Pss: +(\d+)", rollup, re.M)
        found.append(int(share[1]) / 1024 if share else 0.0)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=int, default=100)
    parser.add_argument("--parallel", type=int, nargs="+", default=[1, 4, 8, 16])
    parser.add_argument("--delay", type=float, default=2.0)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--drain", action="store_true")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was started ends too
    found: dict[str, Any] = {"cores": os.cpu_count(), "load": os.getloadavg()[0]}
    for part in chosen.only:
        if part == "throughput":
            found[part] = []
            for hands in chosen.parallel:
                with tempfile.TemporaryDirectory() as folder:
                    found[part].append(throughput(Path(folder), chosen.sources, hands, chosen.delay))
            _table(found[part])
            continue
        with tempfile.TemporaryDirectory() as folder:
            here = Path(folder)
            if part == "latency":
                found[part] = latency(here)
            elif part == "idle":
                found[part] = idle(here, chosen.files)
            else:
                found[part] = burst(here, chosen.files, drains=chosen.drain)
        print(f"{part}: " + ", ".join(f"{name} {value}" for name, value in found[part].items()), flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n")
    return 0


def _table(rows: list[dict[str, Any]]) -> None:
    heads = ("N", "seconds", "CPU", "a minute", "steady", "at best", "at once", "all MB", "service MB")
    print("{:>3} {:>8} {:>6} {:>9} {:>7} {:>8} {:>8} {:>7} {:>11}".format(*heads))
    for row in rows:
        print(
            f"{row['parallel']:>3} {row['seconds']:>8} {row['processor_seconds']:>6} {row['a_minute']:>9} "
            f"{row['steady_a_minute']:>7} {row['at_best_a_minute']!s:>8} "
            f"{row['most_at_once']:>8} {row['family_pss_mb']:>7} {row['service_rss_mb']:>11}"
            f"  {row['statuses']}{'' if row['in_once'] else '  NOT EACH ONCE'}"
            f"{'  PAID TWICE: ' + str(row['paid_twice']) if row['paid_twice'] else ''}",
            flush=True,
        )


if __name__ == "__main__":
    sys.exit(main())
