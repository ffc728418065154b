"""``make bench``: time, memory and tokens by size of wiki, measured on generated wikis and written to bench.json.

Wall time includes the start of the process; memory is the largest resident set of curate or of a child of it. The model
of the prompt measurement is an endpoint on the loopback that answers at once. Compare ratios: machines are noisy.
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
from dataclasses import asdict, dataclass
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench import lint, mcp, packs, web
from curator.wiki import index
from curator.wiki.pages import frontmatter
from curator.wiki.pages.page import Page
from curator.wiki.wiki import PageEntry
from support.endpoint import Endpoint

SIZES = tuple(map(int, os.environ.get("BENCH_SIZES", "0 1000 10000").split()))
"""Pages of the wikis; one of 100,000 takes some minutes to make."""
REPEATS = 5
WORDS = (
    "kettle harvest orchard lantern meadow copper saddle timber anchor barrel candle dough ember furrow granary hinge "
    "inkwell jigsaw kiln ledger mortar needle oakum pewter quarry rivet spindle thatch urn varnish whetstone yarn zinc "
    "apron bellows chisel dowel easel flint gimlet hopper ingot joist keel lathe mallet nozzle oven plumb quill rasp"
).split()


@dataclass(frozen=True)
class Row:
    """One measured operation on a wiki of one size."""

    operation: str
    pages: int
    seconds: float
    """Median of the repeats."""
    megabytes: float
    note: str = ""


def main() -> int:
    if sys.argv[1:2] == ["make-wiki"]:
        _make_wiki(Path(sys.argv[2]), int(sys.argv[3]))
        return 0
    rows = [_measured("--help", 0, [["--help"]] * REPEATS, Path.cwd())]
    with tempfile.TemporaryDirectory() as folder:
        name, runs, note = packs.catalog(Path(folder), _run)
        rows.append(_row(name, 0, runs, note))
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            rows += _wiki_rows(Path(folder) / "wiki", size)
            rows += _lint_rows(Path(folder), size) if size else []
    _print(rows)
    Path("bench.json").write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n")
    return 0


def _wiki_rows(root: Path, size: int) -> list[Row]:
    # In a process of its own: a child's peak memory counts from that of the process it was forked from.
    subprocess.run([sys.executable, __file__, "make-wiki", str(root), str(size)], check=True)
    sources = [_write_source(root.parent, number) for number in range(2 * REPEATS + 2)]
    rows = []
    if size:
        rows.append(_measured("first look (catalogue is built)", size, [["status"]], root))
    ingests = [["ingest", str(source)] for source in sources[:REPEATS]]
    rows.append(_measured("ingest 10 KB, built-in curator", size, ingests, root))
    rows.append(_measured("search", size, [["search", "kettle", "harvest"]] * REPEATS, root))
    rows.append(_measured("status", size, [["status"]] * REPEATS, root))
    rows.append(_prompt_row(root, size, sources[-1]))
    if size:
        rows += [_row(name, size, runs, note) for name, runs, note in packs.context(root, _run)]
        rows += [_row(name, size, runs) for name, runs in mcp.measured(root, REPEATS)]
        rows += [_row(name, size, runs) for name, runs in web.measured(root, REPEATS)]
    return rows + (_commit_rows(root, size) if size else [])


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
    return _row(operation, pages, [_run(arguments, folder)[:2] for arguments in commands])


def _row(operation: str, pages: int, runs: list[tuple[float, float]], note: str = "") -> Row:
    seconds, megabytes = zip(*runs, strict=True)
    return Row(operation, pages, round(statistics.median(seconds), 3), round(max(megabytes), 1), note)


def _run(arguments: list[str], folder: Path) -> tuple[float, float, bytes]:
    """Seconds and megabytes of one command, and what it said. Raises SystemExit when it fails."""
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
    if process.returncode != 0:
        raise SystemExit(f"curate {' '.join(arguments)} ended with {process.returncode}:\n{said.decode()}")
    return took, usage.ru_maxrss / 1024, said


def _make_wiki(root: Path, size: int) -> None:
    chance = random.Random(size)
    _curate("init", str(root))
    pages = [_page(number, size, chance) for number in range(size)]
    for page in pages:
        (root / page.path).parent.mkdir(exist_ok=True)
        (root / page.path).write_text(page.text, "utf-8")
    (root / index.PATH).write_text(index.render(map(PageEntry.of, pages)), "utf-8")
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    subprocess.run(["git", *who, "commit", "-q", "--allow-empty", "-m", "pages"], cwd=root, check=True)


def _page(number: int, size: int, chance: random.Random) -> Page:
    title = f"{chance.choice(WORDS).title()} {chance.choice(WORDS)} {number}"
    paragraphs = [" ".join(chance.choices(WORDS, k=40)).capitalize() + "." for _ in range(5)]
    links = " ".join(f"[[page-{chance.randrange(size)}]]" for _ in range(3))
    fields = {
        "schema": "knowledge/v1",
        "slug": f"page-{number}",
        "kind": "concept",
        "title": title,
        "sources": [f"sources/old-{number // 5}.md"],
        "updated_at": "2026-01-01T00:00:00Z",
    }
    body = f"# {title}\n\n" + "\n\n".join(paragraphs) + f"\n\nSee also: {links}\n"
    return Page(f"concepts/page-{number}.md", frontmatter.compose(fields, body))


def _write_source(folder: Path, number: int) -> Path:
    chance = random.Random(1000 + number)
    text = f"# Workshop notes {number}\n\nIn the workshop the kettle is a tool of the copper smith.\n\n"
    while len(text) < 10_000:
        one, two = chance.sample(WORDS, 2)
        text += f"The {one} is kept beside the {two}, because a {two} of {chance.choice(WORDS)} needs a dry place. "
        text += "\n\n" if chance.random() < 0.2 else ""
    file = folder / f"notes-{number}.md"
    file.write_text(text, "utf-8")
    return file


def _curate(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "curator", *arguments], check=True, stdout=subprocess.DEVNULL)


def _print(rows: list[Row]) -> None:
    print(f"{'operation':<38} {'pages':>7} {'seconds':>8} {'MB':>7}")
    for row in rows:
        print(f"{row.operation:<38} {row.pages:>7,} {row.seconds:>8.3f} {row.megabytes:>7.1f}  {row.note}")


if __name__ == "__main__":
    sys.exit(main())
