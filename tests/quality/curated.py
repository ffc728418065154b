"""A wiki that ``curate`` makes of a corpus, what it cost, and what ``curate ask --material`` shows of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from quality.corpus import Corpus

_CURATE = (sys.executable, "-m", "curator")


@dataclass(frozen=True)
class Cost:
    """Tokens into a model and out of it."""

    prompt: int
    completion: int


def make_wiki(corpus: Corpus, root: Path, model: str | None, base: str | None = None) -> None:
    """A wiki at ``root`` with all sources of ``corpus``, one after the other, by ``model`` or the built-in curator."""
    _run("init", str(root))
    files = []
    for name in corpus.documents:
        target = root / "sources" / name
        shutil.copyfile(corpus.sources / name, target)
        files.append(f"sources/{name}")
    # What is refused is part of what is measured: the others land.
    options = [*(("--model", model) if model else ()), *(("--api-base", base) if base else ())]
    _run("ingest", "--json", *options, *files, at=root, check=False)


def cost(root: Path) -> Cost | None:
    """What the ingests of the wiki took, by its commits; None where it is no repository."""
    done = subprocess.run(
        ["git", "-C", str(root), "log", "--format=%(trailers:key=Curator-Tokens,valueonly)"],
        capture_output=True,
        text=True,
        check=False,
    )
    pairs = [line.split("/") for line in done.stdout.split() if line.count("/") == 1]
    known = [(int(given), int(got)) for given, got in pairs if given.isdigit() and got.isdigit()]
    return Cost(sum(given for given, _ in known), sum(got for _, got in known)) if known else None


def shown_by_ask(root: Path, question: str, tokens: int) -> str:
    """What ``curate ask`` would show a model for ``question``."""
    return _run("ask", "--material", "--tokens", str(tokens), question, at=root)


def offers_material() -> bool:
    return "--material" in _run("ask", "--help")


def answer(root: Path, question: str, model: str) -> tuple[str, list[str]]:
    """The answer of ``curate ask``, and the codes of what the wall withheld of it."""
    told = json.loads(_run("ask", "--json", "--model", model, question, at=root, check=False) or "{}")
    return str(told.get("answer", "")), [finding["code"] for finding in told.get("findings", [])]


def _run(*arguments: str, at: Path | None = None, check: bool = True) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "CURATOR_WIKI"}
    done = subprocess.run(
        [*_CURATE, *arguments],
        cwd=at,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    if check and done.returncode:
        raise SystemExit(f"curate {' '.join(arguments[:3])} failed: {done.stderr.strip()[-500:]}")
    return done.stdout
