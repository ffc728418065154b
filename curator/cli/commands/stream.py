"""``curate stream``: a hand of the service. One source after another, as they are named on stdin."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, model_options, reported
from curator.errors import CuratorError, WikiError
from curator.ingest.take_in import IngestContext, take_in
from curator.models import choose
from curator.repository import history
from curator.repository.history import CuratorCommit
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.system import digests
from curator.system.filenames import printable

Answer = Callable[[dict[str, Any]], None]


@click.command()
@model_options
@common_options
@reported
def stream(common: CommonOptions, /, **flags: str | None) -> Report:
    return run(console.settings(common, flags), sys.stdin, console.print_line)


def run(settings: Settings, questions: Iterable[str], answer: Answer) -> Report:
    """Take in what ``questions`` name, a JSON object ``{"source": path}`` a line, and answer each with its result.

    On the way ``answer`` is told each ``stage`` it comes to. The model's worker and the catalogue stay warm from one
    source to the next. A source whose ingest was taken back, or that somebody has put aside, is left alone; by name, on
    the command line, it is taken in all the same.
    """
    try:
        _stream(settings, questions, answer)
    except (CuratorError, OSError) as error:
        # Of the wiki, the settings or the machine: no fault of the source that was asked for.
        hint = getattr(error, "hint", "")
        answer({"unfit": f"{error}" + (f"; {hint}" if hint else "")})
        raise
    return Report()


def _stream(settings: Settings, questions: Iterable[str], answer: Answer) -> None:
    with ExitStack() as open_doors:
        repository = open_doors.enter_context(settings.repository)
        choice = choose.choose(settings.config, settings.environment, repository.runtime, ask_again=False)
        model = open_doors.enter_context(choice)
        left_alone = _LeftAlone(repository)
        for question in questions:
            path = str(json.loads(question)["source"])
            if reason := left_alone.why(path):
                answer({"source": path, "status": "left", "reason": reason})
                continue

            def moves_on(stage: str, path: str = path) -> None:
                answer({"source": path, "stage": stage})

            context = IngestContext.of(settings, repository, model, 0.0, moves_on=moves_on)
            # Under the name it was asked by: a result tells a name that can be printed.
            answer({**take_in(repository.root / path, context).as_json(), "source": path})


class _LeftAlone:
    """The sources that somebody does not want in the wiki, by git's history and by ``curate skip``."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._head = ""
        self._deeds: list[CuratorCommit] = []

    def why(self, path: str) -> str:
        """Empty when there is nothing against it."""
        quoted = shlex.quote(printable(path))
        skipped = self._repository.runtime.skipped().get(path)
        if skipped is not None and self._is_same(path, skipped):
            return f"it was put aside by curate skip; curate retry {quoted} brings it back"
        self._read_on()
        last = next((deed for deed in self._deeds if deed.source == path), None)
        if last is None or last.id not in history.undone(self._deeds) or not self._is_same(path, last.digest):
            return ""
        return f"it was taken back; curate ingest {quoted} takes it in again"

    def _read_on(self) -> None:
        """What came since the last question only: a long history is read once."""
        git = self._repository.git
        head = git.commit_of("HEAD") or ""
        if head == self._head:
            return
        goes_on = bool(self._head) and git.run("merge-base", "--is-ancestor", self._head, head)[0] == 0
        span = f"{self._head}..{head}" if goes_on else head
        new = list(history.curator_commits(git, span, folder=self._repository.prefix))
        self._deeds = [*new, *(self._deeds if goes_on else ())]
        self._head = head

    def _is_same(self, path: str, digest: str) -> bool:
        """True when the file has the bytes of ``digest`` still."""
        try:
            with (self._repository.root / path).open("rb") as file:
                return digests.of_stream(file, digest.partition(":")[0]) == digest
        except (OSError, WikiError):
            return False
