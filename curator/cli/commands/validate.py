"""``curate validate``: is this wiki conforming? The handshake over what is committed, or over what is staged.

A wiki in a repository is judged as it is in the commit at HEAD, as by every command; one in a plain folder as its files
lie there.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

from curator.checks.conformance import Verdict, validate
from curator.checks.conformance import of_folder as folder
from curator.checks.conformance.cache import FILE as MEMORY
from curator.checks.conformance.cache import ValidationCache
from curator.checks.conformance.of_commit import CommittedWiki, PinnedRepository
from curator.checks.conformance.staged import commit_of_index
from curator.cli.report import Report
from curator.errors import ConfigError
from curator.finding import Finding
from curator.repository.git import Git, is_inside_repository
from curator.repository.manifest_files import Commit, ManifestFiles
from curator.repository.settings import Settings, check_git, check_path, find_root
from curator.system.filenames import printable
from curator.wiki.workspace import refs


def run(
    wiki: Path | None,
    paths: Sequence[Path],
    environment: Mapping[str, str],
    *,
    everything: bool = False,
    staged: bool = False,
    index: str = "",
) -> Report:
    """Judge the wikis that ``paths`` lie in, else the one ``wiki`` or the current folder names.

    ``index`` is the index file git has named to the hook that calls. Raises ConfigError.
    """
    # A hook names files that are gone, and others than a wiki's.
    meant = paths if staged else [_meant(path, wiki, environment) for path in paths]
    roots = roots_of(meant) if paths else [find_root(wiki)]
    verdicts = [judge(root, environment, everything=everything, staged=staged, index=index) for root in roots]
    return _report(verdicts, everything)


def judge(
    root: Path, environment: Mapping[str, str], *, everything: bool = True, staged: bool = False, index: str = ""
) -> Verdict:
    """What the handshake says of the wiki, or the view, in the folder ``root``. Raises ConfigError."""
    place = Path(os.path.realpath(root))
    if not place.is_dir():
        raise ConfigError("not_found", f"there is no folder {str(root)!r}", "name a wiki's folder, or a file in it")
    check_path(place)
    with ExitStack() as doors:
        if _is_in_git(place):
            repository = PinnedRepository(place)
            doors.enter_context(repository)
            repository.pinned = commit_of_index(repository.git, index) if staged else repository.head()
            own = Commit(repository.git, repository.pinned) if repository.pinned is not None else None
            files = doors.enter_context(ManifestFiles(own=own))
            memory = doors.enter_context(ValidationCache(repository.runtime.folder / MEMORY))
            package = CommittedWiki(Settings(place, environment, {}), repository, files, memory, staged).package()
        elif staged:
            raise ConfigError("not_git", f"{str(root)!r} is not in a git repository", "leave --staged out")
        else:
            package = folder.package(
                place, doors.enter_context(ManifestFiles()), doors.enter_context(ValidationCache())
            )
        return validate(package, everything=everything)


def roots_of(paths: Iterable[Path]) -> list[Path]:
    """The folders with the nearest KNOWLEDGE.md, each once; a folder without any is meant itself, a file is passed over.

    A KNOWLEDGE.md among a wiki's sources is a source.
    """
    found: dict[Path, None] = {}
    for path in paths:
        place = Path(os.path.realpath(path))
        above = (place, *place.parents) if place.is_dir() else place.parents
        holders = [each for each in above if (each / refs.FILE).is_file()]
        holders = [each for each in holders if not any(each.is_relative_to(wiki / "sources") for wiki in holders)]
        if holders:
            found.setdefault(holders[0])
        elif place.is_dir():
            found.setdefault(place)
        elif not os.path.lexists(path) and not place.parent.is_dir():
            raise ConfigError("not_found", f"there is no {str(path)!r}", "name a wiki's folder, or a file in it")
    return list(found)


def _meant(path: Path, wiki: Path | None, environment: Mapping[str, str]) -> Path:
    """A path that is there, or was once; else a view by its name in the settings. Raises ConfigError."""
    if os.path.lexists(path) or _was_in_git(path):
        return path
    with suppress(ConfigError):
        settings = Settings(find_root(wiki), environment, {})
        with settings.repository:
            if (view := settings.views.get(str(path))) is not None:
                return view
    hint = "name a wiki's folder, a file in it, or a view: its folder, or its name in the settings"
    raise ConfigError("not_found", f"there is no {str(path)!r}", hint)


def _was_in_git(path: Path) -> bool:
    """True for a file of which git knows that it was there once."""
    place = Path(os.path.realpath(path))
    folder = next(each for each in place.parents if each.is_dir())
    if not _is_in_git(folder):
        return False
    with closing(Git(folder)) as git:
        name = place.relative_to(git.top.resolve()).as_posix()
        return bool(git.log("-n1", "--format=%H", "--", name).strip() or git.staged([name]))


def _is_in_git(place: Path) -> bool:
    with suppress(ConfigError):
        check_git()
        return is_inside_repository(place)
    return False


# -- what is said --------------------------------------------------------------------------------------------------


def _report(verdicts: Sequence[Verdict], everything: bool) -> Report:
    ok = all(verdict.ok for verdict in verdicts)
    told = {verdict.root: list(_shown(verdict, everything)) for verdict in verdicts}
    data: dict[str, Any] = {
        "status": "valid" if ok else "invalid",
        "pack": verdicts[0].name if len(verdicts) == 1 else None,
        "findings": [finding.as_json() for found in told.values() for finding in found],
        "wikis": [
            {
                "path": verdict.root,
                "pack": verdict.name,
                "status": "valid" if verdict.ok else "invalid",
                "findings": [finding.as_json() for finding in told[verdict.root]],
            }
            for verdict in verdicts
        ],
    }
    lines = [line for verdict in verdicts for line in _lines(verdict, told[verdict.root], everything)]
    return Report(data, tuple(lines or ["no wiki is touched"]), 0 if ok else 1)


def _shown(verdict: Verdict, everything: bool) -> Iterator[Finding]:
    """The first failure; or all, and the warnings, which fail nothing."""
    if everything:
        yield from (finding for finding in verdict.findings if finding.severity != "info")
    elif verdict.first is not None:
        yield verdict.first


def _lines(verdict: Verdict, told: Sequence[Finding], everything: bool) -> Iterator[str]:
    for finding in sorted(told, key=lambda finding: finding.severity != "error"):
        yield f"{finding.severity:<5} {printable(str(finding))}" if everything else printable(str(finding))
        if finding.hint:
            yield f"      {printable(finding.hint)}" if everything else f"  {printable(finding.hint)}"
    failures, warnings = len(verdict.failures), sum(finding.severity == "warn" for finding in verdict.findings)
    if verdict.ok:
        also = f", {warnings} warning{'s' * (warnings != 1)}: curate lint" if warnings else ""
        yield f"valid: {verdict.name}{also}"
    elif everything:
        yield f"invalid: {verdict.name}, {failures} failure{'s' * (failures != 1)}"
    else:
        yield f"invalid: {verdict.name}; --all shows all failures"
