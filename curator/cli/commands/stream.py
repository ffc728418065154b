"""``curate stream``, a worker of the service: takes in one source after another, as they are named on stdin."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import common_options, model_options, reported
from curator.errors import CuratorError
from curator.ingest.last_source import LastSource
from curator.ingest.result import IngestContext
from curator.ingest.take_in import take_in
from curator.ingest.waiting import LeftAlone
from curator.models import choose
from curator.models.sandbox.reader_forks import ReaderForks, reader_forks
from curator.models.saved_answers import saved_only
from curator.repository.settings import Settings
from curator.service import worker_forks

Answer = Callable[[dict[str, Any]], None]


@click.command()
@click.option("--line", type=int, help="The descriptor by which such workers are asked for, to be forked.")
@click.option("--readers", type=int, help="The descriptor by which readers of sources are asked for.")
@model_options
@common_options
@reported
def stream(common: CommonOptions, /, line: int | None, readers: int | None, **flags: str | None) -> Report:
    if line is not None:
        curate = click.get_current_context().find_root().command
        with socket.socket(fileno=line) as asked, reader_forks() as reading:
            worker_forks.serve(asked, partial(_as_started, curate), reading.fileno())
        return Report()
    settings = console.settings(common, flags)
    if readers is None:
        return run(settings, sys.stdin, console.print_line)
    with socket.socket(fileno=readers) as reading:
        return run(settings, sys.stdin, console.print_line, ReaderForks(reading))


def _as_started(curate: click.Command) -> None:
    """Become what this command is without ``--line``; never returns."""
    at = sys.argv.index("--line")
    sys.argv = [*sys.argv[:at], "--readers", str(worker_forks.KEPT), *sys.argv[at + 2 :]]
    console.main(curate)


def run(settings: Settings, questions: Iterable[str], answer: Answer, readers: ReaderForks | None = None) -> Report:
    """Take in what ``questions`` name, a JSON object ``{"source": path}`` a line, and answer each with its result.

    With ``"dry_run": true`` the model is asked and its answer kept, and nothing is committed: the next time costs nothing.
    With ``"saved_only": true`` it is not asked: a source that would need it has the code ``answer_wanted``.
    With ``"waits": true`` the source is read, and goes on when a line with ``go_on`` comes; where none does, this ends.

    On the way ``answer`` is told each ``stage`` it comes to. The model's worker and the catalogue stay warm from one
    source to the next. A source whose ingest was taken back, or that somebody has put aside, is left alone; by name, on
    the command line, it is taken in all the same.
    """
    try:
        _stream(settings, questions, answer, readers)
    except (CuratorError, OSError) as error:
        # Of the wiki, the settings or the machine: no fault of the source that was asked for.
        hint = getattr(error, "hint", "")
        answer({"unfit": f"{error}" + (f"; {hint}" if hint else "")})
        raise
    return Report()


def _stream(settings: Settings, questions: Iterable[str], answer: Answer, readers: ReaderForks | None) -> None:
    settings = choose.with_room(settings)
    with ExitStack() as open_doors:
        repository = open_doors.enter_context(settings.repository)
        choice = choose.open_model(settings.config, settings.environment, repository.runtime, ask_again=False)
        model = open_doors.enter_context(choice)
        reader = choose.open_verifier(settings.config, settings.environment, repository.runtime, model)
        verifier = open_doors.enter_context(reader)
        left_alone, last = LeftAlone(repository), LastSource()
        lines = iter(questions)
        for question in lines:
            asked = json.loads(question)
            if "source" not in asked:
                continue  # what was to go on has come to its end before
            path, dry_run = str(asked["source"]), bool(asked.get("dry_run"))
            only_saved = saved_only(bool(asked.get("saved_only")))
            if reason := left_alone.why(path):
                answer({"source": path, "status": "left", "reason": reason})
                continue

            def on_stage(stage: str, path: str = path) -> None:
                answer({"source": path, "stage": stage})

            def has_waited(waits: bool = bool(asked.get("waits"))) -> bool:
                if waits and not next(lines, ""):
                    raise SystemExit  # the service has ended, and nobody has been asked
                return waits

            options = {"dry_run": dry_run, "on_stage": on_stage, "has_waited": has_waited, "last": last}
            context = replace(IngestContext.of(settings, repository, model, 0.0, verifier, **options), readers=readers)
            # Under the name it was asked by: a result tells a name that can be printed.
            with only_saved:
                answer({**take_in(repository.root / path, context).as_json(), "source": path})
