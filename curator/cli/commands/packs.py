"""``curate packs``: knowledge packs found, gated, and the least that serves a request, fenced as data."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from curator.cli.commands import pack_care
from curator.cli.console import CommonOptions, Report
from curator.cli.group import CommandGroup
from curator.cli.options import COUNT, FILE, dry_run_option
from curator.cli.pack_options import (
    PackOptions,
    confirm_option,
    envelope,
    library_of,
    now,
    pack_command,
    refusal,
    report,
    told,
    wiki_at_hand,
)
from curator.errors import ConfigError
from curator.finding import Finding
from curator.packs.context.records import PackSession, record, rehydrated
from curator.packs.context.resolver import ContextRequest, ContextSelection, select
from curator.packs.context.wrapper import fitted, wrap
from curator.packs.discovery import catalog as catalogs
from curator.packs.pack import KnowledgePack
from curator.packs.pack_library import NotLoaded, PackLibrary
from curator.packs.pack_shape import shape_findings
from curator.system.filenames import printable


@dataclass(frozen=True)
class RecordOptions:
    """Whether a run is written down, and where."""

    wanted: bool = False
    runs: Path | None = None
    dry_run: bool = False


@click.group(cls=CommandGroup)
def packs() -> None:
    pass


for _command in pack_care.COMMANDS:
    packs.add_command(_command)


@packs.command("list")
@pack_command
def packs_list(common: CommonOptions, options: PackOptions) -> Report:
    """All packs, also those that are left out or hidden, and where they were looked for."""
    library = library_of(common, options)
    found = library.found
    shown = [library.judged(pack) for pack in found.packs[: options.limit]]
    findings = (*found.left_out, *found.diagnostics)
    data = {
        **envelope("listed", None, findings),
        "packs": [_listed(library, pack) for pack in shown],
        "shadowed": [library.judged(pack).as_json() for pack in found.shadowed],
    }
    lines = [_line(library, pack) for pack in shown] or ["no packs"]
    return report(options, data, lines, [told(finding) for finding in findings])


@packs.command("validate")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=FILE)
@pack_command
def packs_validate(common: CommonOptions, options: PackOptions, paths: tuple[Path, ...]) -> Report:
    """Are these packs as the standard wants them? Exit status 1 when one is not."""
    meant = paths or options.roots or [wiki_at_hand(common)]
    found = PackLibrary.of(meant, environment=os.environ).found
    mine = [pack for pack in (*found.packs, *found.shadowed) if pack.place == "explicit"]
    places = tuple(os.path.realpath(path) for path in meant)
    left_out = [finding for finding in found.left_out if finding.path.startswith(places)]
    if not mine and not left_out:
        raise ConfigError(
            "pack_unknown", f"there is no pack in {printable(str(meant[0]))}", "name a folder with a KNOWLEDGE.md"
        )
    findings = [*left_out, *(each for pack in mine for each in (*pack.diagnostics, *shape_findings(pack)))]
    faulty = dict.fromkeys(each.path for each in findings if each.severity == "error")
    ok = not faulty
    data = envelope("valid" if ok else "invalid", mine[0].name if len(mine) == 1 else None, findings)
    lines = [told(finding) for finding in findings]
    lines += [f"valid: {pack.name}" for pack in mine if not any(path.startswith(f"{pack.root}/") for path in faulty)]
    lines += [f"invalid: {printable(path)}" for path in faulty]
    return report(options, data, lines[: options.limit], (), 0 if ok else 1)


@packs.command("read-properties")
@click.argument("name", metavar="PACK")
@pack_command
def packs_read__properties(common: CommonOptions, options: PackOptions, name: str) -> Report:
    """The head of one pack, by its name or path, as it stands in the catalog."""
    library = library_of(common, options, name)
    pack = library.judged(library.found.named(name))
    values = pack.as_json()
    data = {**envelope(pack.properties.status, pack.name, pack.diagnostics), "properties": values}
    lines = [f"{key}: {printable(value)}" for key, value in values.items() if isinstance(value, str)]
    return report(options, data, lines, [told(finding) for finding in pack.diagnostics])


@packs.command("catalog")
@pack_command
def packs_catalog(common: CommonOptions, options: PackOptions) -> Report:
    """The metadata of all packs, for a model's prompt; nothing at all where there are none."""
    library = library_of(common, options)
    used = [pack for pack in library.found.packs if pack.root not in library.state.disabled]
    shown = [library.judged(pack) for pack in catalogs.listed(used)[: options.limit]]
    xml = catalogs.catalog_xml(shown)
    findings = (*library.found.left_out, *library.found.diagnostics)
    data = {**envelope("listed", None, findings), "packs": [pack.as_json() for pack in shown], "text": xml}
    notes = [told(finding) for finding in findings if finding.severity != "info"]
    return report(options, data, [xml] if xml else [], notes)


@packs.command("guide")
@click.argument("name", metavar="PACK")
@click.option("--session", type=FILE, help="A file that remembers what was told: the same guide is told once.")
@confirm_option
@pack_command
def packs_guide(common: CommonOptions, options: PackOptions, name: str, session: Path | None) -> Report:
    """Activate a pack: the body of its KNOWLEDGE.md and the list of its files, fenced as data."""
    try:
        active = library_of(common, options, name).loaded(name)
    except NotLoaded as error:
        return refusal(error, name, options)
    notes = [told(finding) for finding in active.warnings]
    if session is not None and not PackSession(session).is_new(active.pack, active.files):
        data = {**envelope("already active", active.pack.name, active.warnings), "text": ""}
        return report(options, data, [], [*notes, f"{active.pack.name} is active in this session already, unchanged"])
    text = catalogs.guide(active.pack, active.files)
    data = {**envelope("activated", active.pack.name, active.warnings), "text": text}
    return report(options, data, [text], notes)


@packs.command("context")
@click.argument("query", default="")
@click.option(
    "--pack", "names", metavar="PACK", multiple=True, help="Its name or path; else those that the query matches."
)
@click.option(
    "--any", "any_pack", is_flag=True, help="All packs that may be loaded; those that have something are used."
)
@click.option("--budget", type=COUNT, default=2000, show_default=True, help="Tokens, of all wrappers together.")
@click.option(
    "--evidence",
    type=click.Choice(["none", "citation", "verification", "dispute"]),
    default="none",
    help="What the context is for: passages of sources are read for the last two only.",
)
@click.option("--record", "wanted", is_flag=True, help="Write the run into runs/ of the first pack, and its usage log.")
@click.option("--runs", type=FILE, help="The folder for the record, in the place of runs/ of the first pack.")
@click.option("--rehydrate", type=FILE, metavar="RUN", help="The context of a recorded run, the same to the byte.")
@dry_run_option
@confirm_option
@pack_command
def packs_context(
    common: CommonOptions,
    options: PackOptions,
    query: str,
    names: tuple[str, ...],
    any_pack: bool,
    budget: int,
    evidence: Any,
    rehydrate: Path | None,
    wanted: bool,
    runs: Path | None,
    dry_run: bool,
) -> Report:
    """The least of the packs that serves QUERY, fenced as data, within a budget of tokens."""
    recording = RecordOptions(wanted, runs, dry_run)
    if rehydrate is None and not query.strip():
        raise ConfigError("query_empty", "there is no query", "say what the context is for")
    names = names or ((str(common.wiki),) if common.wiki is not None else ())
    request = ContextRequest(query, budget, evidence)
    try:
        if rehydrate is not None:
            return again(common, rehydrate, options)
        return context(common, request, names, options, recording, any_pack=any_pack)
    except NotLoaded as error:
        return refusal(error, names[0] if len(names) == 1 else None, options)


# -- contexts ------------------------------------------------------------------------------------------------------


def context(
    common: CommonOptions,
    request: ContextRequest,
    names: Sequence[str],
    options: PackOptions,
    recording: RecordOptions,
    *,
    any_pack: bool = False,
) -> Report:
    library = library_of(common, options, *names)
    refused: list[Finding] = []
    if names:
        active = [library.loaded(name) for name in names]
    else:
        active, refused = library.ranked() if any_pack else library.activated(request.query)
    if not active and refused:
        raise NotLoaded(refused)
    if not active:
        data = {**envelope("nothing", None, ()), "text": "", "packs": []}
        hint = "no pack matches the query; name one with --pack, or have all looked through with --any"
        return report(options, data, [], [hint], 1)
    selection = select(request, active)
    if any_pack:
        selection = selection.of_those_with_something()
    selection = fitted(selection)
    return _context_report(selection, refused, options, _record(selection, recording), recording.dry_run)


def again(common: CommonOptions, run: Path, options: PackOptions) -> Report:
    library = library_of(common, options)
    return _context_report(rehydrated(run, lambda root: library.including(root).loaded(root)), (), options, None)


def _record(selection: ContextSelection, recording: RecordOptions) -> Path | None:
    """Where the run was written down; None where it was not to be."""
    if not recording.wanted and recording.runs is None:
        return None
    folder = recording.runs or Path(selection.packs[0].pack.root, "runs")
    run = record(selection, now(), lambda run_id: (folder / f"{run_id}.json").exists())
    return folder / run.name if recording.dry_run else run.write(folder)


def _context_report(
    selection: ContextSelection,
    refused: Sequence[Finding],
    options: PackOptions,
    run: Path | None,
    dry_run: bool = False,
) -> Report:
    text = wrap(selection)
    warnings = [finding for each in selection.packs for finding in each.warnings]
    one = selection.packs[0].pack.name if len(selection.packs) == 1 else None
    data = {
        **envelope("selected", one, [*warnings, *refused]),
        "packs": [{"name": each.pack.name, "selected_files": list(each.selected)} for each in selection.packs],
        "missing": list(selection.missing),
        "record": str(run) if run is not None else None,
        "text": text,
    }
    notes = [told(finding) for finding in (*warnings, *refused)]
    notes += [f"{'would record' if dry_run else 'recorded'}: {printable(run)}"] if run is not None else []
    return report(options, data, [text], notes)


def _listed(library: PackLibrary, pack: KnowledgePack) -> dict[str, Any]:
    verdict = library.verdict(pack)
    return {**pack.as_json(), "loads": verdict.loads, "gate": [each.as_json() for each in verdict.refusals]}


def _line(library: PackLibrary, pack: KnowledgePack) -> str:
    verdict = library.verdict(pack)
    why = "" if verdict.loads else f"  ({', '.join(each.code for each in verdict.refusals)})"
    return f"{pack.name:<32} {pack.properties.status:<13} {pack.trust:<15} {pack.place:<13} {printable(pack.root)}{why}"
