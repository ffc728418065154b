"""``curate manifest``: the KNOWLEDGE.md that holds, the chain it comes from, and who set what.

``--worktree`` reads all files from the disk, for looking at an edit before it is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.edits_beside import WORKTREE, told
from curator.cli.options import FILE, common_options, reported
from curator.errors import ConfigError, WikiError, meant
from curator.repository import manifest_files
from curator.repository.settings import Settings, check_git, check_path
from curator.repository.views import manifest_at
from curator.system.filenames import printable
from curator.wiki.pages import frontmatter
from curator.wiki.workspace import effective, refs, schema
from curator.wiki.workspace.effective import Effective, FieldValue, Host, Refusal
from curator.wiki.workspace.overlay import refused_by_constraints


@click.command()
@click.argument("path", type=FILE, required=False)
@click.option("--explain", metavar="FIELD", help="Which file set this field, and which were overridden or refused.")
@click.option("--dimension", "dimensions", metavar="NAME/VALUE", multiple=True, help="True here, as in region/fr.")
@click.option("--worktree", is_flag=True, help="Read the files as they lie, not as committed.")
@common_options
@reported
def manifest(
    common: CommonOptions, path: Path | None, explain: str | None, dimensions: tuple[str, ...], worktree: bool
) -> Report:
    return run(lambda: console.settings(common, looks=True), path, explain, dimensions, worktree)


def run(
    settings: Callable[[], Settings],
    path: Path | None,
    explain: str | None,
    dimensions: Sequence[str],
    worktree: bool,
) -> Report:
    """The manifest at ``path``, or the wiki's own. Raises ConfigError and WikiError when there is none to read."""
    _check(explain, dimensions)
    with ExitStack() as open_doors:
        if path is None:
            path = open_doors.enter_context(settings().repository).root
        elif len(path.parts) == 1 and not path.exists() and (known := _named(str(path), settings)) is not None:
            path = known
        check_git()
        files = open_doors.enter_context(manifest_files.ManifestFiles(worktree))
        place = _place(path)
        text = files.read(place)
        if text is None:
            raise _absent(place, worktree)
        found = effective.compose(text, place, files.read, Host(manifest_files.is_there, frozenset(dimensions)))
        if isinstance(found, Refusal):
            return _refused(found)
        found = replace(found, notices=(*found.notices, *refused_by_constraints(found.manifests, files.pages)))
        changed = [] if worktree else [each.path for each in found.manifests if _is_edited(each.path, files)]
    report = _told(found, explain)
    if not changed:
        return report
    return replace(report, data={**report.data, "uncommitted": changed}, notes=(told(changed, WORKTREE),))


def _is_edited(place: str, files: manifest_files.ManifestFiles) -> bool:
    """True where the file does not say what is committed of it; ends of lines may differ, as git is set."""
    with suppress(OSError, UnicodeDecodeError):
        return Path(place).read_text("utf-8").splitlines() != (files.read(place) or "").splitlines()
    return False


def _named(name: str, settings: Callable[[], Settings]) -> Path | None:
    """The view that the settings of the wiki around us call so."""
    with suppress(ConfigError):
        here = settings()
        with here.repository:
            return here.views.get(name)
    return None


def _place(path: Path) -> str:
    """The absolute path of the manifest that ``path`` names, itself or by its folder."""
    place = manifest_at(path)
    check_path(place)
    return str(place)


def _check(explain: str | None, dimensions: Sequence[str]) -> None:
    for written in dimensions:
        if not isinstance(refs.consumer(written, "/"), refs.Dimension):
            raise ConfigError("usage", f"--dimension {written!r} is no dimension", "it is written like region/fr")
    if explain is not None and explain.replace("[", ".").partition(".")[0] not in schema.WORKSPACE.fields:
        names = ", ".join(schema.WORKSPACE.fields)
        close = meant(explain, schema.WORKSPACE.fields)
        message = f"--explain {explain!r}: KNOWLEDGE.md has no such field{close}"
        raise ConfigError("usage", message, f"it has {names}")


def _absent(place: str, worktree: bool) -> WikiError:
    if worktree or not Path(place).is_file():
        return WikiError("schema_missing", f"there is no {place!r}", "name a KNOWLEDGE.md or its folder")
    hint = "commit it, or use --worktree to read files as they lie"
    return WikiError("schema_missing", f"{place!r} is not committed", hint)


def _refused(refusal: Refusal) -> Report:
    data: dict[str, Any] = {"effective": None, "chain": [], "warnings": []}
    findings = [finding.as_json() for finding in refusal.findings]
    return Report({**data, "findings": findings}, tuple(map(str, refusal.findings)), 1)


def _told(found: Effective, explain: str | None) -> Report:
    data: dict[str, Any] = {
        "effective": dict(found.fields),
        "chain": [
            {
                "path": each.path,
                "name": each.name,
                "version": each.version,
                "title": each.fields["title"],
                "description": each.fields["description"],
                "mode": each.mode,
                "layer": "constraint" if each.is_constraint else "lens",
            }
            for each in found.manifests
        ],
        "warnings": [{"code": each.code, "message": each.message, "at": each.at} for each in found.notices],
        "governance": found.governance or None,
        "findings": [],
    }
    if explain is None:
        return Report(data, (*_comments(data), *frontmatter.dump(found.fields).rstrip("\n").split("\n")))
    said = found.explain(explain)
    data["explain"] = [
        {"field": each.field, "at": each.at, "value": each.value, "standing": each.standing} for each in said
    ]
    return Report(data, tuple(_explained(said) or [f"no manifest of the chain sets {explain}"]))


def _comments(data: dict[str, Any]) -> Iterator[str]:
    """What is not the manifest, as YAML's comments: the output is one YAML document."""
    yield "# chain, the root first:"
    for each in data["chain"]:
        about = f"{each['mode']}, {each['layer']}" if each["layer"] != "lens" else each["mode"]
        yield f"#   {each['path']}  {each['name']} {each['version']} ({about})"
    for each in data["warnings"]:
        yield f"# {each['code']}: {each['message']}"


def _explained(said: Sequence[FieldValue]) -> list[str]:
    """Each field once, below it who said what of it, the last word first."""
    lines: list[str] = []
    for field in dict.fromkeys(each.field for each in said):
        lines.append(printable(field))
        words = [each for each in said if each.field == field]
        lines += (f"  {each.standing:<13}{_one_line(each.value)}  {each.at}" for each in reversed(words))
    return lines


def _one_line(value: Any) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return printable(" ".join(text.split()))
