"""``make bench``: time, memory, bytes written and tokens by size of wiki, on generated wikis; written to bench.json.

Wall time includes the start of the process; memory is the largest resident set of curate or of a child of it; written is
what it and its children gave to the file system. A row stands beside its ratio to that of 1,000 pages. "Cold": what is
kept is there, and the disk's cache has nothing of it. The model of the prompt measurement is an endpoint on the loopback
that answers at once. Compare ratios, and seconds of a processor: machines are noisy.

``BENCH_SIZES="0 1000 10000 100000" make bench`` measures 100,000 pages, too, and takes an hour for them.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench import lint, mcp, packs, web, wikis
from support.endpoint import Endpoint

SIZES = tuple(map(int, os.environ.get("BENCH_SIZES", "0 1000 10000").split()))
"""Pages of the wikis, of which each has three sources for ten pages."""
REPEATS = 5
USUAL = 1_000
"""Pages of the wiki that the others are compared with."""


@dataclass(frozen=True)
class Row:
    """One measured operation on a wiki of one size."""

    operation: str
    pages: int
    seconds: float
    """Median of the repeats."""
    megabytes: float
    note: str = ""
    processor: float | None = None
    """Seconds of a processor, the children's too; median."""
    written: float | None = None
    """Megabytes; median."""


class Run(NamedTuple):
    """One command that was run."""

    seconds: float
    megabytes: float
    said: bytes
    processor: float
    written: float


def main() -> int:
    if sys.argv[1:2] == ["make-wiki"]:
        wikis.main(sys.argv[2:])
        return 0
    rows: list[Row] = []
    print(f"{'operation':<48} {'pages':>7} {'seconds':>8} {'ratio':>6} {'CPU':>7} {'MB':>7} {'written':>8}", flush=True)
    for row in _rows():
        rows.append(row)
        _print(row, next((each for each in rows if each.pages == USUAL and each.operation == row.operation), None))
        # After each: at 100,000 pages one may not want to wait for the last.
        Path("bench.json").write_text(json.dumps([asdict(each) for each in rows], indent=2) + "\n")
    return 0


def _rows() -> Iterator[Row]:
    yield _measured("--help", 0, [["--help"]] * REPEATS, Path.cwd())
    with tempfile.TemporaryDirectory() as folder:
        name, runs, note = packs.catalog(Path(folder), _run)
        yield _row(name, 0, runs, note)
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            yield from _wiki_rows(Path(folder) / "wiki", size)
            if size:
                yield from _lint_rows(Path(folder), size)


def _wiki_rows(root: Path, size: int) -> Iterator[Row]:
    # In a process of its own: a child's peak memory counts from that of the process it was forked from.
    command = [sys.executable, __file__, "make-wiki", str(root), str(size), "--sources", str(size * 3 // 10)]
    subprocess.run(command, check=True)
    sources = [_write_source(root.parent, number) for number in range(2 * REPEATS + 2)]
    if size:
        yield _measured("first look (catalogue is built)", size, [["status"]], root)
    ingests = [["ingest", str(source)] for source in sources[:REPEATS]]
    yield _measured("ingest 10 KB, built-in curator", size, ingests, root)
    for name, command in (("search", ["search", "kettle", "harvest"]), ("status", ["status"])):
        yield _of_runs(f"{name}, cold", size, [_run(command, root, is_cold=True) for _ in range(REPEATS)])
        yield _measured(name, size, [command] * REPEATS, root)
    if size:
        yield _measured("validate, first", size, [["validate"]], root)
        yield _measured("validate, nothing new", size, [["validate"]] * 2, root)
    yield _prompt_row(root, size, sources[-1])
    if size:
        yield from (_row(name, size, runs, note) for name, runs, note in packs.context(root, _run))
        yield from [_row(name, size, runs) for name, runs in mcp.measured(root, REPEATS)]
        for name, runs, note, processor in web.measured(root, REPEATS):
            yield replace(_row(name, size, runs, note), processor=round(processor, 3))
        yield from _commit_rows(root, size)


def _lint_rows(folder: Path, size: int) -> list[Row]:
    return [_row(name, size, runs, note) for name, runs, note in lint.measured(folder, size, _run)]


def _commit_rows(root: Path, size: int) -> list[Row]:
    """The transaction alone, beside plain plumbing; in a process of its own, so that its memory is its own too."""
    command = [sys.executable, str(Path(__file__).with_name("commits.py")), str(root), str(size)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    found = json.loads(process.stdout.read())
    _, process.returncode, usage = os.wait4(process.pid, 0)
    return [Row(megabytes=round(usage.ru_maxrss / 1024, 1), **row) for row in found]


def _prompt_row(root: Path, size: int, source: Path) -> Row:
    """One ingest through litellm; what the endpoint was sent is counted at four characters a token."""
    reply = '<<<<<<< CREATE summary | A note\nA note about kettles.\n^ "the kettle is a tool"\n>>>>>>> END'
    with Endpoint(lambda request: reply) as endpoint:
        row = _measured(
            "ingest 10 KB, litellm, instant model",
            size,
            [["ingest", "--model", "openai/bench", "--api-base", endpoint.url, str(source)]],
            root,
        )
        sent = sum(len(message["content"]) for message in endpoint.requests[0]["messages"]) // 4
    return Row(row.operation, size, row.seconds, row.megabytes, f"{sent:,} prompt tokens (characters / 4)")


def _measured(operation: str, pages: int, commands: list[list[str]], folder: Path) -> Row:
    return _of_runs(operation, pages, [_run(arguments, folder) for arguments in commands])


def _of_runs(operation: str, pages: int, runs: list[Run]) -> Row:
    row = _row(operation, pages, [run[:2] for run in runs])
    processor, written = (statistics.median(each) for each in zip(*(run[3:] for run in runs), strict=True))
    return replace(row, processor=round(processor, 3), written=round(written, 1))


def _row(operation: str, pages: int, runs: list[tuple[float, float]], note: str = "") -> Row:
    seconds, megabytes = zip(*runs, strict=True)
    return Row(operation, pages, round(statistics.median(seconds), 3), round(max(megabytes), 1), note)


def _run(arguments: list[str], folder: Path, is_cold: bool = False) -> Run:
    """Run one command. Raises SystemExit when it fails."""
    if is_cold:
        _forget(folder / ".git")
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "curator", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "OPENAI_API_KEY": "none"},
    )
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 and arguments[0] != "validate":  # a wiki of random words breaks some rules
        raise SystemExit(f"curate {' '.join(arguments)} ended with {process.returncode}:\n{said.decode()}")
    written = usage.ru_oublock * 512 / 1e6
    return Run(took, usage.ru_maxrss / 1024, said, usage.ru_utime + usage.ru_stime, written)


def _forget(folder: Path) -> None:
    """Have the system let go of what it has in memory of the files of a folder, where it can."""
    for file in folder.rglob("*"):
        if file.is_file() and hasattr(os, "posix_fadvise"):
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _write_source(folder: Path, number: int) -> Path:
    chance = random.Random(1000 + number)
    text = f"# Workshop notes {number}\n\nIn the workshop the kettle is a tool of the copper smith.\n\n"
    while len(text) < 10_000:
        one, two = chance.sample(wikis.WORDS, 2)
        text += (
            f"The {one} is kept beside the {two}, because a {two} of {chance.choice(wikis.WORDS)} needs a dry place. "
        )
        text += "\n\n" if chance.random() < 0.2 else ""
    file = folder / f"notes-{number}.md"
    file.write_text(text, "utf-8")
    return file


def _print(row: Row, usual: Row | None) -> None:
    ratio = f"{row.seconds / usual.seconds:.1f}" if usual is not None and usual.seconds else ""
    processor, written = ("" if each is None else f"{each:.2f}" for each in (row.processor, row.written))
    told = f"{row.seconds:>8.3f} {ratio:>6} {processor:>7} {row.megabytes:>7.1f} {written:>8}"
    print(f"{row.operation:<48} {row.pages:>7,} {told}  {row.note}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
