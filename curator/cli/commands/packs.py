"""``curate packs``: knowledge packs found, gated, and the least that serves a request, fenced as data."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import COUNT, FILE, common_options, reported
from curator.errors import ConfigError
from curator.finding import Finding
from curator.packs import catalog as catalogs
from curator.packs.library import NotLoaded, PackLibrary
from curator.packs.pack import KnowledgePack
from curator.packs.resolver import ContextRequest, ContextSelection, select
from curator.packs.wrapper import fitted, wrap
from curator.repository.settings import Settings, users_file
from curator.system import atomic
from curator.system.clocks import utc_timestamp
from curator.system.filenames import printable


@dataclass(frozen=True)
class PackOptions:
    """What the commands share."""

    roots: tuple[Path, ...] = ()
    output: Path | None = None
    limit: int | None = None
    confirmed: tuple[str, ...] = ()


def _pack_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--limit", type=COUNT, help="At most so many."),
        click.option("--output", type=FILE, help="Write what would be on stdout into this file."),
        click.option(
            "--root", "roots", type=FILE, multiple=True, help="A pack, or a folder with packs; before all others."
        ),
    ):
        command = option(command)
    return command


_confirm_option = click.option(
    "--confirm",
    "confirmed",
    metavar="NAME",
    multiple=True,
    help="Use this pack although it is draft, disputed or archived.",
)


@click.group()
def packs() -> None:
    pass


@packs.command("list")
@_pack_options
@common_options
@reported
def packs_list(common: CommonOptions, /, **options: Any) -> Report:
    """All packs, also those that are left out or hidden, and where they were looked for."""
    return list_packs(_library(common, PackOptions(**options)), PackOptions(**options))


@packs.command("validate")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=FILE)
@_pack_options
@common_options
@reported
def packs_validate(common: CommonOptions, /, paths: tuple[Path, ...], **options: Any) -> Report:
    """Are these packs as the standard wants them? Exit status 1 when one is not."""
    return validate(common, paths, PackOptions(**options))


@packs.command("read-properties")
@click.argument("name", metavar="PACK")
@_pack_options
@common_options
@reported
def packs_read_properties(common: CommonOptions, /, name: str, **options: Any) -> Report:
    """The head of one pack, by its name or path, as it stands in the catalog."""
    return read_properties(common, name, PackOptions(**options))


@packs.command("catalog")
@_pack_options
@common_options
@reported
def packs_catalog(common: CommonOptions, /, **options: Any) -> Report:
    """The metadata of all packs, for a model's prompt; nothing at all where there are none."""
    return catalog(_library(common, PackOptions(**options)), PackOptions(**options))


@packs.command("guide")
@click.argument("name", metavar="PACK")
@_confirm_option
@_pack_options
@common_options
@reported
def packs_guide(common: CommonOptions, /, name: str, **options: Any) -> Report:
    """Activate a pack: the body of its KNOWLEDGE.md and the list of its files, fenced as data."""
    return guide(common, name, PackOptions(**options))


@packs.command("context")
@click.argument("query")
@click.option(
    "--pack", "names", metavar="PACK", multiple=True, help="Its name or path; else those that the query matches."
)
@click.option("--budget", type=COUNT, default=2000, show_default=True, help="Tokens, of all wrappers together.")
@click.option(
    "--evidence",
    type=click.Choice(["none", "citation", "verification", "dispute"]),
    default="none",
    help="What the context is for: passages of sources are read for the last two only.",
)
@_confirm_option
@_pack_options
@common_options
@reported
def packs_context(
    common: CommonOptions, /, query: str, names: tuple[str, ...], budget: int, evidence: Any, **options: Any
) -> Report:
    """The least of the packs that serves QUERY, fenced as data, within a budget of tokens."""
    return context(common, ContextRequest(query, budget, evidence), names, PackOptions(**options))


@packs.command("approve")
@click.argument("name", metavar="PACK")
@click.option("--follow", is_flag=True, help="Whatever it will hold: for a wiki of your own.")
@_pack_options
@common_options
@reported
def packs_approve(common: CommonOptions, /, name: str, follow: bool, **options: Any) -> Report:
    """Let a pack be loaded as it is now; once it has changed, it has to be approved again."""
    at = utc_timestamp(Settings(Path.cwd(), os.environ, {}).now())
    pack = _library(common, PackOptions(**options), name).approve(name, at, follows=follow)
    lasts = "whatever it becomes" if follow else "as it is now"
    return Report(
        {"pack": pack.name, "status": "approved", "findings": []}, (f"approved {pack.name} {lasts}: {pack.root}",)
    )


@packs.command("enable")
@click.argument("name", metavar="PACK")
@_pack_options
@common_options
@reported
def packs_enable(common: CommonOptions, /, name: str, **options: Any) -> Report:
    """Let a pack be used again that was switched off."""
    return _switched(_library(common, PackOptions(**options), name), name, on=True)


@packs.command("disable")
@click.argument("name", metavar="PACK")
@_pack_options
@common_options
@reported
def packs_disable(common: CommonOptions, /, name: str, **options: Any) -> Report:
    """Switch a pack off: it is not used, and hides no other of its name."""
    return _switched(_library(common, PackOptions(**options), name), name, on=False)


# -- the verbs -----------------------------------------------------------------------------------------------------


def list_packs(library: PackLibrary, options: PackOptions) -> Report:
    found = library.found
    shown = found.packs[: options.limit]
    findings = (*found.left_out, *found.diagnostics)
    data = {
        **_envelope("listed", None, findings),
        "packs": [_listed(library, pack) for pack in shown],
        "shadowed": [pack.as_json() for pack in found.shadowed],
    }
    lines = [_line(library, pack) for pack in shown] or ["no packs"]
    return _out(options, data, lines, [_told(finding) for finding in findings])


def validate(common: CommonOptions, paths: Sequence[Path], options: PackOptions) -> Report:
    """The packs at ``paths``; else the wiki at hand."""
    meant = paths or options.roots or [_wiki(common)]
    found = PackLibrary.of(meant, environment=os.environ).found
    mine = [pack for pack in (*found.packs, *found.shadowed) if pack.place == "explicit"]
    places = tuple(os.path.realpath(path) for path in meant)
    left_out = [finding for finding in found.left_out if finding.path.startswith(places)]
    if not mine and not left_out:
        raise ConfigError(
            "pack_unknown", f"there is no pack in {printable(str(meant[0]))}", "name a folder with a KNOWLEDGE.md"
        )
    findings = [*left_out, *(finding for pack in mine for finding in pack.diagnostics)]
    ok = not left_out
    data = _envelope("valid" if ok else "invalid", mine[0].name if len(mine) == 1 else None, findings)
    lines = [f"{finding.severity:<5} {printable(str(finding))}" for finding in findings]
    lines += [f"valid: {pack.name}" for pack in mine] + [f"invalid: {printable(each.path)}" for each in left_out]
    return _out(options, data, lines[: options.limit], (), 0 if ok else 1)


def read_properties(common: CommonOptions, name: str, options: PackOptions) -> Report:
    pack = _library(common, options, name).found.named(name)
    values = pack.as_json()
    data = {**_envelope(pack.properties.status, pack.name, pack.diagnostics), "properties": values}
    lines = [f"{key}: {printable(value)}" for key, value in values.items() if isinstance(value, str)]
    return _out(options, data, lines, [_told(finding) for finding in pack.diagnostics])


def catalog(library: PackLibrary, options: PackOptions) -> Report:
    used = [pack for pack in library.found.packs if pack.root not in library.state.disabled]
    shown = catalogs.listed(used)[: options.limit]
    xml = catalogs.catalog_xml(shown)
    findings = (*library.found.left_out, *library.found.diagnostics)
    data = {**_envelope("listed", None, findings), "packs": [pack.as_json() for pack in shown], "text": xml}
    told = [_told(finding) for finding in findings if finding.severity != "info"]
    return _out(options, data, [xml] if xml else [], told)


def guide(common: CommonOptions, name: str, options: PackOptions) -> Report:
    active = _library(common, options, name).loaded(name)
    text = catalogs.guide(active.pack, active.files)
    data = {**_envelope("activated", active.pack.name, active.warnings), "text": text}
    return _out(options, data, [text], [_told(finding) for finding in active.warnings])


def context(common: CommonOptions, request: ContextRequest, names: Sequence[str], options: PackOptions) -> Report:
    library = _library(common, options, *names)
    refused: list[Finding] = []
    if names:
        active = [library.loaded(name) for name in names]
    else:
        active, refused = library.activated(request.query)
    if not active:
        if refused:
            raise NotLoaded(refused)
        data = {**_envelope("nothing", None, ()), "text": "", "packs": []}
        return _out(options, data, [], ["no pack matches the query; name one with --pack"], 1)
    return _context_report(fitted(select(request, active)), refused, options)


def _context_report(selection: ContextSelection, refused: Sequence[Finding], options: PackOptions) -> Report:
    text = wrap(selection)
    warnings = [finding for each in selection.packs for finding in each.warnings]
    one = selection.packs[0].pack.name if len(selection.packs) == 1 else None
    data = {
        **_envelope("selected", one, [*warnings, *refused]),
        "packs": [{"name": each.pack.name, "selected_files": list(each.selected)} for each in selection.packs],
        "missing": list(selection.missing),
        "text": text,
    }
    return _out(options, data, [text], [_told(finding) for finding in (*warnings, *refused)])


def _switched(library: PackLibrary, name: str, *, on: bool) -> Report:
    pack = library.switch(name, on=on)
    word = "enabled" if on else "disabled"
    return Report({"pack": pack.name, "status": word, "findings": []}, (f"{word} {pack.name}: {pack.root}",))


# -- what they share -----------------------------------------------------------------------------------------------


def _library(common: CommonOptions, options: PackOptions, *names: str) -> PackLibrary:
    """The packs within reach; those that are named by a path, and the wiki that is named, before all others."""
    explicit = [*options.roots, *([common.wiki] if common.wiki else [])]
    explicit += [Path(name) for name in names if os.sep in name or (Path(name) / "KNOWLEDGE.md").is_file()]
    return PackLibrary.of(explicit, environment=os.environ, organization=_organization(), confirmed=options.confirmed)


def _organization() -> tuple[str, ...]:
    """The organization's roots, where the user's settings name any."""
    files = users_file(os.environ)
    if "CURATOR_KNOWLEDGE_ROOTS" not in os.environ and not any(file.is_file() for file in files):
        return ()
    from curator.config import Config  # it takes a tenth of a second to load

    return Config.load(files, os.environ, {}).knowledge_roots


def _wiki(common: CommonOptions) -> Path:
    return console.settings(common).root


def _envelope(status: str, pack: str | None, findings: Iterable[Finding]) -> dict[str, Any]:
    return {"status": status, "pack": pack, "findings": [finding.as_json() for finding in findings]}


def _out(
    options: PackOptions, data: dict[str, Any], lines: Sequence[str], notes: Sequence[str], status: int = 0
) -> Report:
    if options.output is not None:
        atomic.write(options.output, "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
        lines = ()
    return Report(data, tuple(lines), status, tuple(notes))


def _told(finding: Finding) -> str:
    return f"{finding.severity}: {printable(str(finding))}"


def _listed(library: PackLibrary, pack: KnowledgePack) -> dict[str, Any]:
    verdict = library.verdict(pack)
    return {**pack.as_json(), "loads": verdict.loads, "gate": [each.as_json() for each in verdict.refusals]}


def _line(library: PackLibrary, pack: KnowledgePack) -> str:
    verdict = library.verdict(pack)
    why = "" if verdict.loads else f"  ({', '.join(each.code for each in verdict.refusals)})"
    return f"{pack.name:<32} {pack.properties.status:<13} {pack.trust:<15} {pack.place:<13} {printable(pack.root)}{why}"
