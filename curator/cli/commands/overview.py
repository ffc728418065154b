"""Bare ``curate``: in a wiki how it stands and what to do next, elsewhere how to begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curator.cli import console
from curator.cli.commands import status
from curator.cli.console import CommonOptions, Report
from curator.errors import ConfigError
from curator.repository import note_folder
from curator.repository.settings import wikis_below
from curator.system.filenames import printable
from curator.system.text import counted

_HELP = "curate help lists commands and topics"


def overview(common: CommonOptions) -> Report:
    """Where one is, and the next step."""
    try:
        settings = console.settings(common, looks=True)
    except ConfigError as error:
        if error.code != "not_a_wiki" or common.wiki is not None:
            raise
        return _elsewhere()
    data, service = status.read_status(settings)
    steps = list(next_steps(data))
    lines = [
        f"wiki     {printable(data['wiki'])}",
        f"pages    {_pages(data)}",
        *(f"last     {commit['at']} {commit['subject']}" for commit in data["commits"][:1]),
        *([f"waiting  {waits}"] if (waits := ", ".join(_waiting(data))) else []),
        *service.headlines(),
    ]
    lines += [f"{'next' if at == 0 else 'then':<8} {step}" for at, step in enumerate(steps)]
    return Report({**data, "next": steps}, (*lines, f"help     {_HELP}"))


def _pages(data: Mapping[str, Any]) -> str:
    pages, sources = data["pages"], data["sources"]
    return f"{pages:,}, from {counted(sources, 'source')}" if pages or sources else "none yet"


def _waiting(data: Mapping[str, Any]) -> Iterator[str]:
    reviews = sum(item["code"] == "review_needed" for item in data["parked"])
    counted = {
        "new": len(data["new"]),
        "for review": reviews,
        "parked": len(data["parked"]) - reviews,
        "changed": len(data["changed"]),
        "missing": len(data["missing"]),
        "taken back": len(data["undone"]),
        "unrecorded": len(data["unrecorded"]),
        "at the service": len(data["queue"]),
    }
    yield from (f"{number} {what}" for what, number in counted.items() if number)


def next_steps(data: Mapping[str, Any]) -> Iterator[str]:
    """What a person does now, the most urgent first; what can be asked of the wiki where nothing waits."""
    if data["unfinished"]:
        yield f"{data['unfinished']['what']} is in progress: {data['unfinished']['next']}"
    if data["unapproved"]:
        yield "curate approve: the wiki's rules were changed, and sources wait until somebody accepts that"
    if any(item["code"] == "review_needed" for item in data["parked"]):
        yield "curate review list: proposals wait for a person"
    if any(item["code"] != "review_needed" for item in data["parked"]) or data["missing"] or data["unrecorded"]:
        yield "curate status: it says of each source that waits or is gone, why, and what to do"
    if (data["new"] or data["changed"]) and not data["unfinished"]:
        yield "curate ingest sources/: takes in what is new or changed there"
    if data["pages"]:
        yield "curate ask 'QUESTION' or curate search WORDS: what the pages know; curate open shows them"
    elif not (data["new"] or data["parked"]):
        yield "curate ingest FILE: takes a source in, from wherever it lies"


_ANYWHERE = (
    "begin    curate init NAME: a new wiki in a folder of its own",
    "then     cd NAME; curate ingest FILE: a first source, with no key and no model needed",
)
_BESIDE_NOTES = (
    "begin    curate init: a wiki beside the notes of this folder, in wiki/; they stay as they are",
    "then     curate ingest NOTE: a first note, where it lies, with no key and no model needed",
)


def _elsewhere() -> Report:
    here = Path.cwd()
    below = wikis_below(here)
    has_notes = note_folder.is_folder_of_notes(here) and (here != Path.home() or note_folder.is_kept_by_a_program(here))
    lines = [
        "curate keeps a wiki with a language model, and proves every claim of it by the words of a source.",
        f"There is no wiki in {printable(here)} or above it.",
        "",
        *([f"go on    cd {printable(below[0])}: there is one"] if below else []),
        *(_BESIDE_NOTES if not below and has_notes else _ANYWHERE),
        f"help     {_HELP}",
    ]
    return Report({"wiki": None, "below": below, "next": ["curate init NAME"]}, tuple(lines))
