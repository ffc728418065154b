"""Makes the wikis of tests/fixtures/old-wikis: each as an earlier commit of curator wrote it.

    python tests/scripts/old_wikis.py COMMIT...

There are no release tags yet, so commits of this repository's history stand for the versions there have been. Of each its
own code is checked out beside, and its own command line makes a wiki:

- two sources taken in by the built-in curator, the second into pages that the first made;
- one that is no text, which its service parked; one that was put aside with ``skip``, where there was such a command;
- one that waits for a page with edits that nobody committed;
- one that a model was asked about, whose answer was paid for, and whose ingest was killed (as by SIGKILL) right after the
  transaction had written down what it was about to do.

What is kept is the folder with its git directory, without hooks, and ``told.json``: which sources that curator said
to be parked, and where the model was.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from support.model_server import ModelServer  # noqa: E402

OUT = TESTS / "fixtures" / "old-wikis"
TEA = """# Oolong tea

Oolong tea is a half-oxidised tea from China. Oolong tea, also called wulong, is steeped at 90 degrees.

Camellia sinensis is the plant that tea is made of. The leaves of Camellia sinensis are picked by hand.
"""
BREWING = """Brewing tea

A gaiwan is a lidded bowl for brewing tea. The gaiwan holds 100 millilitres of water.

Camellia sinensis was grown in Fujian in 1610. Oolong tea is brewed in a gaiwan for two minutes.
"""
WAITING = "Steeping\n\nOolong tea is steeped three times. Camellia sinensis is a shrub.\n"
PAID = "Kettles\n\nA tea kettle is a vessel in which water is boiled. A tea kettle is made of cast iron.\n"
MINE = "\nThis line is its owner's, and nobody has committed it.\n"
KILLED = """
import os, runpy, sys

def watch(event, values, state=[]):
    if state and event in ("os.rename", "os.link", "os.remove", "open", "subprocess.Popen"):
        os.kill(os.getpid(), 9)
    if event == "os.rename" and str(values[1]).endswith("journal.json"):
        state.append(True)

sys.addaudithook(watch)
sys.argv[0] = "curate"
runpy.run_module("curator", run_name="__main__")
"""


class OldCurator:
    """The command line of ``commit``, checked out into ``folder``; it works on the wiki ``root``."""

    def __init__(self, commit: str, folder: Path, root: Path) -> None:
        self.code, self.root, self.home = folder / "code", root, folder / "home"
        self.code.mkdir()
        self.home.mkdir()
        archive = subprocess.run(["git", "archive", commit], cwd=TESTS.parent, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(self.code, filter="data")

    def run(self, *arguments: str, program: str = "") -> subprocess.CompletedProcess[str]:
        start = ["-c", program] if program else ["-m", "curator"]
        who = {
            f"GIT_{role}_{part}": said
            for role in ("AUTHOR", "COMMITTER")
            for part, said in (("NAME", "Owner"), ("EMAIL", "owner@example.org"))
        }
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "PYTHONPATH": str(self.code), **who}
        done = subprocess.run(
            [sys.executable, *start, *arguments],
            cwd=self.root if self.root.is_dir() else self.home,
            env={**environment, "OPENAI_API_KEY": "none", "GIT_CONFIG_GLOBAL": os.devnull},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        print(f"  curate {' '.join(arguments)}: {done.returncode}", file=sys.stderr)
        return done

    def ingest(self, name: str, content: bytes, *options: str, program: str = "") -> None:
        (self.root / "sources" / name).write_bytes(content)
        self.run("ingest", f"sources/{name}", *options, program=program)


def make(commit: str, folder: Path) -> Path:
    """The wiki as ``commit`` left it, below ``folder``."""
    root = folder / "wiki"
    old = OldCurator(commit, folder, root)
    old.run("init", str(root), "--title", "Tea")
    old.ingest("tea.md", TEA.encode())
    old.ingest("brewing.txt", BREWING.encode())
    (root / "sources" / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n\0\0" * 40)
    (root / "sources" / "aside.txt").write_text("Aside\n\nThis is not to be taken in.\n")
    old.run("skip", "sources/aside.txt")
    old.run("watch", "--once")
    page = next(root.glob("*/oolong-tea.md"))
    page.write_text(page.read_text("utf-8") + MINE, "utf-8")
    old.ingest("steeping.txt", WAITING.encode())
    told = json.loads(old.run("--json", "status").stdout or old.run("status", "--json").stdout or "{}")
    with ModelServer() as server:
        options = ("--model", "openai/old", "--api-base", server.url)
        old.ingest("kettles.txt", PAID.encode(), *options, program=KILLED)
        # Where its journal stands by: the very thing that must be recovered from.
        waits = {each["source"]: each.get("code", "") for each in told.get("parked", ())}
        kept = {"commit": commit, "parked": waits, "asked": len(server.calls), "api_base": server.url}
    (folder / "told.json").write_text(json.dumps(kept, indent=1))
    return root


def pack(folder: Path, target: Path) -> None:
    """The wiki and what was told of it, as a small archive."""
    state = folder / "wiki" / ".git"
    shutil.rmtree(state / "hooks", ignore_errors=True)
    for cache in (*state.glob("curator/index*"), *state.glob("curator/texts")):
        shutil.rmtree(cache) if cache.is_dir() else cache.unlink()
    target.parent.mkdir(exist_ok=True)
    with tarfile.open(target, "w:xz") as files:
        for name in ("wiki", "told.json"):
            files.add(folder / name, name, filter=_nobodys)


def _nobodys(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


if __name__ == "__main__":
    for commit in sys.argv[1:]:
        print(commit, file=sys.stderr)
        with tempfile.TemporaryDirectory() as scratch:
            make(commit, Path(scratch))
            pack(Path(scratch), OUT / f"{commit}.tar.xz")
