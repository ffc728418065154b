"""A wiki that ``curate`` makes of a corpus, what it cost, and what ``curate ask --material`` shows of it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from click.testing import CliRunner

from curator.cli import cli
from curator.wiki.passages.passage import Passage, headings_of_each
from quality.corpus import Corpus
from quality.ranking import cut


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


def offers_material() -> bool:
    return "--material" in _asked("--help")


def shown_by_ask(root: Path, question: str, tokens: int) -> str:
    """What ``curate ask`` would show a model for ``question``, cut where it is more than ``tokens``.

    As a model and a person see it, which counts: a title once, and of the headings those that tell something new.
    """
    told = json.loads(_asked("--wiki", str(root), "--material", "--tokens", str(tokens), "--json", question) or "{}")
    shown: list[str] = []
    last = ""
    for _, group in groupby(told.get("passages", ()), key=lambda each: each["path"]):
        rows = list(group)
        title = str(rows[0]["title"])
        passages = [Passage("", row["text"], headings=tuple(filter(None, row["heading"].split(" > ")))) for row in rows]
        overs = headings_of_each(passages, title)
        overs[0] = [*([title] if title != last else []), *overs[0]]
        shown += ["\n".join(filter(None, (*over, row["text"]))) for over, row in zip(overs, rows, strict=True)]
        last = title
    return cut(shown, tokens)


@dataclass(frozen=True)
class ProvenAnswer:
    """What ``curate ask`` answered, and how many statements it left out."""

    text: str
    statements: int
    left_out: int


def answer(root: Path, question: str, model: str | None, base: str | None = None) -> ProvenAnswer:
    """The answer of ``curate ask`` by ``model`` or the built-in curator, statement by statement."""
    options = [*(("--model", model) if model else ()), *(("--api-base", base) if base else ())]
    told = json.loads(_asked("--wiki", str(root), "--json", *options, question) or "{}")
    said = [str(each["statement"]) for each in told.get("answer", ())]
    return ProvenAnswer("\n\n".join(said), len(said), len(told.get("left_out", ())))


def _asked(*arguments: str) -> str:
    """What ``curate ask`` prints, in this process: a start of Python for each of a hundred questions takes a minute."""
    done = CliRunner().invoke(cli, ["ask", *arguments])
    # A refusal is not "the pages do not say", which ends with 1 as well.
    if done.exit_code not in (0, 1) or '"error": {' in done.stdout:
        raise SystemExit(f"curate ask failed: {done.output.strip()[:1000]}")
    return done.stdout


def _run(*arguments: str, at: Path | None = None, check: bool = True) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "curator", *arguments],
        cwd=at,
        check=False,
        capture_output=True,
        text=True,
    )
    if check and done.returncode:
        raise SystemExit(f"curate {' '.join(arguments[:3])} failed: {done.stderr.strip()[-500:]}")
