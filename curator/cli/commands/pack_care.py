"""``curate packs approve | enable | disable | check-run | eval``: what is said of packs, and checked."""

from __future__ import annotations

import os
from pathlib import Path

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.options import FILE, common_options, dry_run_option, reported
from curator.cli.pack_options import PackOptions, envelope, library_of, now, pack_command, report, told
from curator.errors import ConfigError
from curator.finding import Finding
from curator.packs.discovery import evals
from curator.packs.exporting import export_folder
from curator.packs.exporting.pack_export import export
from curator.packs.json_shapes import check_file
from curator.packs.pack import KnowledgePack
from curator.packs.pack_library import PackLibrary
from curator.system.clocks import utc_timestamp
from curator.system.filenames import printable


@click.command("approve")
@click.argument("name", metavar="PACK")
@click.option("--follow", is_flag=True, help="Whatever it will hold: for a wiki of your own.")
@dry_run_option
@pack_command
def packs_approve(common: CommonOptions, options: PackOptions, name: str, follow: bool, dry_run: bool) -> Report:
    """Let a pack be loaded as it is now; once it has changed, it has to be approved again."""
    library = library_of(common, options, name)
    pack = library.found.named(name) if dry_run else library.approve(name, utc_timestamp(now()), follows=follow)
    return _said_of(pack, "approved", dry_run, " whatever it becomes" if follow else " as it is now")


@click.command("enable")
@click.argument("name", metavar="PACK")
@dry_run_option
@pack_command
def packs_enable(common: CommonOptions, options: PackOptions, name: str, dry_run: bool) -> Report:
    """Let a pack be used again that was switched off."""
    return _switched(library_of(common, options, name), name, dry_run, on=True)


@click.command("disable")
@click.argument("name", metavar="PACK")
@dry_run_option
@pack_command
def packs_disable(common: CommonOptions, options: PackOptions, name: str, dry_run: bool) -> Report:
    """Switch a pack off: it is not used, and hides no other of its name."""
    return _switched(library_of(common, options, name), name, dry_run, on=False)


@click.command("check-run")
@click.argument("file", type=FILE)
@pack_command
def packs_check__run(common: CommonOptions, options: PackOptions, file: Path) -> Report:
    """Is FILE a sound record of a context or compile run, source map or eval suite? Exit status 1 when it is not."""
    kind, value, findings = check_file(text_of(file), str(file))
    named = value.get("pack_name") if isinstance(value, dict) else None
    data = {**envelope("invalid" if findings else "valid", named, findings), "kind": kind}
    lines = [printable(str(finding)) for finding in findings] or [f"valid: {kind} {printable(file)}"]
    return report(options, data, lines[: options.limit], (), 1 if findings else 0)


@click.command("eval")
@click.option("--suite", type=FILE, required=True, help="The JSON file with the prompts and what is expected of them.")
@pack_command
def packs_eval(common: CommonOptions, options: PackOptions, suite: Path) -> Report:
    """Is the pack found by the prompts it is for, and left alone by others? Exit status 1 when a case fails."""
    kind, value, findings = check_file(text_of(suite), str(suite))
    if not findings and kind != "eval suite":
        findings = [Finding("run_unknown", str(suite), f"a {kind}, not an eval suite")]
    if findings:
        return report(options, envelope("invalid", None, findings), [told(each) for each in findings], (), 1)
    library = library_of(common, options)
    name = value["pack_name"]
    library.found.named(name)
    results = evals.evaluate(value, library.found.packs)[: options.limit]
    precision, recall = evals.precision_and_recall(results)
    failed = [each for each in results if not each.passed]
    found = [Finding("eval_failed", str(suite), _failure(each)) for each in failed]
    data = {
        **envelope("failed" if failed else "passed", name, found),
        "precision": round(precision, 4),
        "recall": round(recall, 4),
        "cases": [{"id": each.id, "expected": each.expected, "actual": each.actual} for each in results],
    }
    lines = [f"{'passed' if each.passed else 'failed'}  {_failure(each)}" for each in results]
    lines.append(f"{len(results) - len(failed)} of {len(results)}; precision {precision:.2f}, recall {recall:.2f}")
    return report(options, data, lines, (), 1 if failed else 0)


@click.command("export")
@click.argument("folder", metavar="DIR", type=FILE)
@dry_run_option
@common_options
@reported
def packs_export(common: CommonOptions, /, folder: Path, dry_run: bool) -> Report:
    """The wiki as committed, as a pack for strangers in DIR. Only what differs is written; the wiki is not touched."""
    with console.settings(common).repository as repository:
        pack = export(repository.view())
        change = export_folder.change_of(pack, folder, repository.root)
    if not dry_run:
        export_folder.write(pack, folder, change)
    place = Path(os.path.realpath(folder))
    findings = []
    if place.name != pack.name:
        said = f"the pack's name is {pack.name!r}, and its folder's {place.name!r}: strict readers want them the same"
        findings.append(Finding("pack_name_differs", str(place), said, severity="warn", hint="name the folder so"))
    done = "would write" if dry_run else "exported"
    data = {
        **envelope("exported", pack.name, findings),
        "written": list(change.written),
        "removed": list(change.removed),
        "files": len(pack.files),
    }
    told_of = (
        f"{done} {pack.name}: {len(pack.files)} files, {len(change.written)} written, {len(change.removed)} removed"
    )
    return Report(data, (told_of,), 0, tuple(map(told, findings)))


COMMANDS = (packs_approve, packs_enable, packs_disable, packs_check__run, packs_eval, packs_export)


def _failure(result: evals.EvalResult) -> str:
    missing = f"; not said: {', '.join(result.missing_warnings)}" if result.missing_warnings else ""
    return printable(f"{result.id}: expected {result.expected}, was {result.actual}{missing}")


def text_of(file: Path) -> str:
    """Raises ConfigError for a file that cannot be read."""
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no UTF-8"
        raise ConfigError("file_unreadable", f"{printable(file)} cannot be read: {why}", "name another file") from error


def _switched(library: PackLibrary, name: str, dry_run: bool, *, on: bool) -> Report:
    pack = library.found.named(name) if dry_run else library.switch(name, on=on)
    return _said_of(pack, "enabled" if on else "disabled", dry_run)


def _said_of(pack: KnowledgePack, status: str, dry_run: bool, how: str = "") -> Report:
    done = f"would be {status}:" if dry_run else status
    return Report({"pack": pack.name, "status": status, "findings": []}, (f"{done} {pack.name}{how}: {pack.root}",))
