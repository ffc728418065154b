"""Wikis of any size for measurements: pages of random words, three links each, and sources that they cite.

    python tests/bench/bench.py make-wiki FOLDER PAGES [--sources N] [--lost]

Blobs are streamed through ``git fast-import``, and pages are put together of paragraphs that were made before, so that
1,000,000 pages take minutes. ``--lost``: the sources are in, and their files are gone from the work tree.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from curator.wiki import index
from curator.wiki.pages import frontmatter
from curator.wiki.pages.page import Page
from curator.wiki.sources import registry
from curator.wiki.sources.record import Record
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.wiki import PageEntry

WORDS = (
    "kettle harvest orchard lantern meadow copper saddle timber anchor barrel candle dough ember furrow granary hinge "
    "inkwell jigsaw kiln ledger mortar needle oakum pewter quarry rivet spindle thatch urn varnish whetstone yarn zinc "
    "apron bellows chisel dowel easel flint gimlet hopper ingot joist keel lathe mallet nozzle oven plumb quill rasp"
).split()
_PARAGRAPHS = 2_000
"""That are different; all else of a page is its own."""
_WHEN = "2026-01-01T00:00:00Z"
_HEAD = f"""\
---
schema: knowledge/v1
slug: {{slug}}
kind: concept
title: {{title}}
sources:
- {{source}}
updated_at: '{_WHEN}'
---

"""
_WHO = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench.py make-wiki", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("pages", type=int)
    parser.add_argument("--sources", type=int, default=0)
    parser.add_argument("--lost", action="store_true")
    chosen = parser.parse_args(arguments)
    make(chosen.folder, chosen.pages, chosen.sources)
    if chosen.lost:
        for file in (chosen.folder / "sources").glob("old-*.md"):
            file.unlink()


def make(root: Path, size: int, sources: int = 0) -> None:
    """A wiki of ``size`` pages and so many sources in one commit upon that of ``curate init``."""
    _run(sys.executable, "-m", "curator", "init", str(root))
    files = root.parent / f"{root.name}.files"
    # Random words are no other words with changes: looking for that takes longer than all else.
    command = ["git", "-C", str(root), "-c", "core.compression=1", "fast-import", "--quiet", "--depth=0"]
    with files.open("wb") as listed, subprocess.Popen(command, stdin=subprocess.PIPE) as importer:
        assert importer.stdin is not None
        _import(importer.stdin, listed, size, sources)
    if importer.returncode:
        raise SystemExit(f"git fast-import ended with {importer.returncode}")
    with files.open("rb") as listed:
        subprocess.run(["git", "-C", str(root), "update-index", "-z", "--index-info"], check=True, stdin=listed)
    files.unlink()
    commit = ["commit-tree", "-p", "HEAD", "-m", "pages", _run("git", "-C", str(root), "write-tree")]
    _run("git", "-C", str(root), "reset", "-q", "--hard", _run("git", "-C", str(root), *_WHO, *commit))


def _import(stream: IO[bytes], listed: IO[bytes], size: int, sources: int) -> None:
    """Blobs to ``stream``, and to ``listed`` what they are to be called: in a folder of its own fast-import looks every
    file up among all that it has, one by one."""

    def put(path: str, text: str) -> None:
        data = text.encode()
        stream.write(b"blob\ndata %d\n%s\n" % (len(data), data))
        oid = hashlib.sha1(b"blob %d\0%s" % (len(data), data)).hexdigest()  # noqa: S324 (git's name of it)
        listed.write(f"100644 {oid}\t{path}\0".encode())

    entries = []
    for text, entry in pages(size, sources):
        put(entry.path, text)
        entries.append(entry)
    put(index.PATH, index.render(entries))
    if sources:
        del entries
        records = {}
        for number in range(sources):
            path, text = f"sources/old-{number}.md", _source(number)
            put(path, text)
            records[path] = _record(number, size, sources, text)
        put(registry.PATH, SourceManifest(records).dumps())


def pages(size: int, sources: int) -> Iterator[tuple[str, PageEntry]]:
    """The text of each page, and its entry, which is what reading the page would give: that would take twenty times as
    long (tests/unit/test_bench_wikis.py holds the two together)."""
    chance = random.Random(size)
    paragraphs = [_paragraph(chance) for _ in range(min(5 * size, _PARAGRAPHS))]
    for number in range(size):
        source = number * sources // size if sources else number // 5
        title = f"{chance.choice(WORDS).title()} {chance.choice(WORDS)} {number}"
        links = tuple(f"page-{chance.randrange(size)}" for _ in range(3))
        chosen = [chance.choice(paragraphs) for _ in range(5)]
        path, slug, file = f"concepts/page-{number}.md", f"page-{number}", f"sources/old-{source}.md"
        see = " ".join(f"[[{link}]]" for link in links)
        body = f"# {title}\n\n" + "\n\n".join(text for text, _ in chosen) + f"\n\nSee also: {see}\n"
        head = _HEAD.format(slug=slug, title=title, source=file)
        yield head + body, PageEntry(slug, path, title, "concept", "Concept", chosen[0][1], updated_at=_WHEN)


def _paragraph(chance: random.Random) -> tuple[str, str]:
    """Its text, and what a page's summary is that begins with it."""
    text = " ".join(chance.choices(WORDS, k=40)).capitalize() + "."
    return text, Page("concepts/page.md", frontmatter.compose({}, f"# Page\n\n{text}\n")).summary


def _source(number: int) -> str:
    chance = random.Random(-1 - number)
    words = "\n\n".join(" ".join(chance.choices(WORDS, k=40)).capitalize() + "." for _ in range(3))
    return f"# Old notes {number}\n\n{words}\n"


def _record(number: int, size: int, sources: int, text: str) -> Record:
    # The pages that ``_pages`` has rest on it.
    pages = range(-(-number * size // sources), -(-(number + 1) * size // sources))
    return Record(
        hashlib.sha256(text.encode()).hexdigest(),
        tuple(sorted(f"page-{page}" for page in pages)),
        id=f"old-{number}",
        title=f"Old notes {number}",
        captured_at="2026-01-01T00:00:00Z",
        captured_by="bench",
    )


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
