"""The console blocks of ``transcripts/*.md`` and two pages of docs/ are manual and test, run and compared in order.

``$ command``, its output, and ``[exit 2]`` where it is not 0; ``> `` continues a command. In the output ``COMMIT`` stands
for an object's id, ``FOLDER`` for the folder all of it happens in, ``...`` for anything within a line. A curate that fails
must leave every commit and every file outside ``sources/`` as it was; the runner sees to that by itself. Models are asked
by a stand-in for litellm, which takes seconds to start; at night by the real one.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.curates import REAL, curate_words, script
from support.depth import with_light_litellm
from support.endpoint import Endpoint, Reply, Request
from support.places import SAMPLE

DOCS = Path(__file__).parents[2] / "docs"
TRANSCRIPTS = [*sorted(Path(__file__).parent.glob("*.md")), DOCS / "tutorial.md", DOCS / "first-hour.md"]
WITH_REAL_PROCESSES = ("bad-settings",)
"""Transcripts whose every command is a Python of its own; at night all are."""
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (.*\n(?:>.*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
_OBJECT = re.compile(r"\b(?:[0-9a-f]{12}|[0-9a-f]{40})\b")


@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_is_what_happens(transcript: Path, tmp_path: Path) -> None:
    with ExitStack() as open_doors:
        shell = Shell(tmp_path.resolve(), REAL if transcript.stem in WITH_REAL_PROCESSES else curate_words())
        shell.environment |= with_light_litellm()
        if "$ENDPOINT" in transcript.read_text("utf-8"):
            shell.environment["ENDPOINT"] = open_doors.enter_context(Endpoint(answer)).url
        for command, expected in commands(transcript.read_text("utf-8")):
            fails = expected[-1:] and expected[-1].startswith("[exit ") and "curate " in command
            before = state_of(shell.folder) if fails else {}

            said = shell.run(command)

            assert alike(said, expected) == expected, command
            if fails:
                assert state_of(shell.folder) == before, f"changed by {command}"


def answer(request: Request) -> Reply:
    """Every model has a habit that it is called after."""
    return {
        "prose": Reply("I would rather write prose."),
        "cut-off": Reply('{"operations": [', finish_reason="length"),
        "unknown-fields": Reply('{"operations": [], "thoughts": "none"}'),
        "wrong-key": Reply("Incorrect API key provided: sk-...abc", status=401),
        "hang": Reply("too late", delay=60),
        "paraphrase": Reply(PARAPHRASE),
        "kettles": Reply(KETTLES),
    }[request["model"]]


KETTLES = """<<<<<<< CREATE summary | Kettle
A kettle is a vessel with a spout in which water is boiled.
^ "A kettle is a vessel with a spout in which water is boiled."
>>>>>>> END
"""
"""A proposal of one page with one claim."""
PARAPHRASE = """{"statements": [
{"text": "The dribble comes once, in December, during the natural brood break.",
 "quotes": [{"page": "oxalic-acid-dribble", "words": "given once, in December, during the natural brood break"}]},
{"text": "It can be repeated in spring.",
 "quotes": [{"page": "oxalic-acid-dribble", "words": "a second dribble in spring does no harm"}]}]}"""
"""An answer of two statements, of which one is made up."""


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    for block in _BLOCK.findall(text):
        for command, output in _COMMAND.findall(block):
            yield re.sub(r"\n>(?: |$)", "\n", command.rstrip("\n"), flags=re.MULTILINE), output.splitlines()


def state_of(folder: Path) -> dict[str, bytes]:
    """Every wiki's branches, index and files, but for its sources."""
    tops = [top.parent for top in folder.rglob(".git")]
    files = [file for top in tops for file in top.rglob("*") if file.is_file() and not file.is_symlink()]
    kept = [
        file
        for file in files
        if re.search(r"/\.git/(HEAD|index|packed-refs|refs/)|^(?!.*/(\.git|sources)/)", str(file))
    ]
    return {str(file): file.read_bytes() for file in kept}


def alike(said: list[str], expected: list[str]) -> list[str]:
    """What was said, in the expected words wherever those leave something open."""
    padded = [*expected, *[""] * len(said)]
    return [wanted if _fits(line, wanted) else line for line, wanted in zip(said, padded, strict=False)]


def _fits(line: str, wanted: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, wanted.split("..."))), line) is not None


class Shell:
    """bash in one folder, command by command; where it is and what it exports stays from one to the next."""

    def __init__(self, folder: Path, words: tuple[str, ...]) -> None:
        self.folder = folder / "here"
        self.folder.mkdir()
        script(folder / "bin" / "curate", words)
        self._state = folder / "state"
        self._state.write_text(f"cd '{self.folder}'\n")
        date = "2026-05-01T12:00:00Z"
        kept = {name: value for name, value in os.environ.items() if name.startswith(("GIT_", "HOME", "XDG_", "LANG"))}
        self.environment = {
            **kept,
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "SAMPLE": str(SAMPLE),
            "SOURCE_DATE_EPOCH": "1777636800",
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
        }

    def run(self, command: str) -> list[str]:
        keep = f'trap \'{{ printf "cd %q\\n" "$PWD"; export -p; }} > {self._state}\' EXIT'
        done = subprocess.run(
            ["bash", "-c", f". {self._state}\n{keep}\n{command}"],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
            check=False,
        )
        said = done.stdout.decode("utf-8", "backslashreplace").replace(str(self.folder), "FOLDER")
        ending = [f"[exit {done.returncode}]"] if done.returncode else []
        return [*_OBJECT.sub("COMMIT", said).splitlines(), *ending]
