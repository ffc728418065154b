"""Wikis for the tests of ``curate lint``: pages planted by hand in one commit, and what is found in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from curator.checks.lint import maintenance
from curator.checks.lint.maintenance import LintResult
from curator.cli.commands import lint
from curator.cli.commands.lint import LintOptions
from curator.cli.console import Report
from curator.finding import Finding
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from curator.wiki import index
from curator.wiki.sources.formats import SourceLimits
from support import planted
from support.fakes import ScriptedModel
from support.planted import SOURCE
from support.wikis import MORE, NOW, OOLONG, TEA, drop, git, take_in

TEA_TEXT = "Oolong is partly oxidised.\nGreen tea is not oxidised at all.\nBlack tea is fully oxidised.\n"


def limits() -> SourceLimits:
    return SourceLimits(1_000_000, 1_000_000)


def page(slug: str, body: str | None = None, kind: str = "concept", **fields: str) -> tuple[str, str]:
    """Path and text of a page without a fault; ``fields`` are written as they are, an empty one is left out."""
    fields.setdefault("title", slug.replace("-", " ").capitalize())
    body = f"{fields['title']} is partly oxidised. [^tea-1]" if body is None else body
    note = f'\n[^tea-1]: {SOURCE}#L1 "Oolong is partly oxidised."\n' if "[^tea-1]" in body and "]: " not in body else ""
    return planted.page(slug, f"{body}\n{note}".removesuffix("\n"), kind, **fields)


def plant(root: Path, *pages: tuple[str, str], takes_in: bool = True) -> None:
    """Commit these pages, with an index, the source they cite, and a page called home that leads to each of them."""
    names = [path.rpartition("/")[2].removesuffix(".md") for path, _ in pages]
    files = dict(pages)
    if names and not any(path == "concepts/home.md" for path in files):
        links = " ".join(f"[[{name}]]" for name in names)
        files |= dict([page("home", f"See also: {links}", title="Home of all")])
    if takes_in:
        drop(root, "tea.txt", TEA_TEXT)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    commit(root)
    with Repository(root) as repository:
        (root / index.PATH).write_text(index.of(repository.view().wiki), "utf-8")
    commit(root)


def commit(root: Path, message: str = "by hand") -> None:
    git(root, "add", "-A")
    git(root, "commit", "-qm", message, "--allow-empty")


def examined(root: Path) -> LintResult:
    with Repository(root) as repository:
        return maintenance.lint_wiki(repository, NOW, limits)


def found(root: Path, code: str) -> list[Finding]:
    """The findings of one code."""
    return [finding for finding in examined(root).findings if finding.code == code]


def the_only(root: Path, code: str) -> Finding:
    (finding,) = found(root, code)
    return finding


def wrong(result: LintResult, but: Sequence[str] = ()) -> list[str]:
    """Everything that is no mere note, in words."""
    return [str(finding) for finding in result.findings if finding.severity != "info" and finding.code not in but]


def run(root: Path, now: datetime = NOW, **wish: object) -> Report:
    """The whole command."""
    settings = Settings(root, {"SOURCE_DATE_EPOCH": str(int(now.timestamp()))}, {})
    return lint.run(settings, replace(LintOptions(form="json"), **wish), lambda _: None)  # type: ignore[arg-type]


def with_lints(root: Path, *lints: str, types: str = "") -> None:
    """KNOWLEDGE.md with these lints, one mapping in flow style each."""
    file = root / "KNOWLEDGE.md"
    text = file.read_text("utf-8")
    listed = "".join(f"  - {{{item}}}\n" for item in lints)
    text = re.sub(r"(?ms)^lints:\n.*?(?=^\S)", lambda _: f"lints:\n{listed}\n" if lints else "", text, count=1)
    if types:
        text = text.replace("entityTypes:\n", f"entityTypes:\n{types}", 1)
    file.write_text(text, "utf-8")
    commit(root, "lints")


def taken_in(root: Path) -> None:
    """Two sources, taken in as by a model."""
    brewing = TEA + "Oolong can be brewed five times from the same leaves.\n"
    with Repository(root) as repository:
        take_in(drop(root), repository, ScriptedModel((OOLONG,)))
        take_in(drop(root, "brewing.txt", brewing), repository, ScriptedModel((MORE,)))
