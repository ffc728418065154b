"""How a repository grows: ``.git`` after every hundred of many commits into a wiki of some size, by the packing policy.

    python tests/bench/growth.py FOLDER PAGES [COMMITS]

Each commit brings what an ingest brings: a page, its line of the index, an entry of the log, a record of the manifest; it
is made as an ingest makes it, and packed when that is due. Prints what git has loose and packed, what every commit
writes anew, and by how much the repository has grown a commit.
"""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench import wikis
from curator.repository.begun import Transaction
from curator.repository.change_set import ChangeSet
from curator.repository.repository import Repository
from curator.wiki.pages.page import Page

_WRITTEN = ("_index.md", "_log.md", "_manifest.json")
_OFTEN = 100


def main() -> None:
    root, pages = Path(sys.argv[1]), int(sys.argv[2])
    commits = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000
    wikis.make(root, pages, pages * 3 // 10)
    new = [(Page(entry.path, text), entry.slug) for text, entry in wikis.pages(pages + commits, 1)][pages:]
    first = sum(_sizes(root)[:2])
    print(f"{'commits':>8} {'loose MB':>9} {'packed MB':>10} {'packs':>6} {'written anew MB':>16} {'kB a commit':>12}")
    with Repository(root) as repository:
        for done in range(commits + 1):
            if done % _OFTEN == 0:
                loose, packed, packs = _sizes(root)
                anew = sum((root / name).stat().st_size for name in _WRITTEN)
                growth = f"{(loose + packed - first) / done:12.1f}" if done else ""
                print(
                    f"{done:8,} {loose / 1e3:9.1f} {packed / 1e3:10.1f} {packs:6} {anew / 1e6:16.1f} {growth}",
                    flush=True,
                )
            if done < commits:
                _commit(repository, *new[done])


def _commit(repository: Repository, page: Page, slug: str) -> None:
    def work(transaction: Transaction) -> ChangeSet:
        source, digest = f"sources/{slug}.md", f"sha256:{hash(slug) & (1 << 256) - 1:064x}"
        manifest = transaction.manifest().with_source(source, digest, [slug])
        wiki = transaction.wiki.with_page(page)
        return ChangeSet(wiki, manifest, f"ingest {source}", (f"created: [[{slug}]]",), event="ingest")

    repository.commit(work, lambda: datetime.now(UTC))
    repository.pack_if_due()


def _sizes(root: Path) -> tuple[int, int, int]:
    """Loose and packed, in kilobytes, and how many packs."""
    command = ["git", "-C", str(root), "count-objects", "-v"]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = dict(line.split(": ") for line in out.splitlines())
    return int(found["size"]), int(found["size-pack"]), int(found["packs"])


if __name__ == "__main__":
    main()
