"""The whole examination of a wiki, in order: each part finds what it finds, and none stops the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from curator.checks import generated_files
from curator.checks.diagnosis import Diagnosis, found, guarded, of_error
from curator.checks.doctor import cache, git_entries, git_settings, journal, leftovers, pages, sources
from curator.checks.examined_wiki import ExaminedWiki
from curator.errors import CuratorError, JournalUnreadable
from curator.repository.repository import Repository
from curator.wiki.sources.formats import Limits

PARTS: tuple[tuple[str, Callable[[ExaminedWiki], Iterator[Diagnosis]]], ...] = (
    ("the journal", journal.examine_journal),
    ("the locks", leftovers.locks),
    ("the temporary files", leftovers.temporaries),
    ("the runtime folder", leftovers.kept),
    ("the caches", cache.examine_caches),
    ("the wiki's folders", git_entries.folders),
    ("git's index", git_entries.in_index),
    ("the work tree", git_entries.in_work_tree),
)
"""What can be looked at in any repository."""

PARTS_OF_A_COMMIT: tuple[tuple[str, Callable[[ExaminedWiki], Iterator[Diagnosis]]], ...] = (
    ("the newest commit", git_entries.in_tree),
    ("git's attributes", git_settings.filtered_pages),
    ("the manifest", generated_files.manifest_of),
    ("the log", generated_files.log_of),
    ("the extracted texts", leftovers.texts),
    ("the sources", sources.examine_sources),
    ("the pages", pages.examine_pages),
)
"""What there is once something is committed."""


@contextmanager
def open_wiki(root: Path, now: datetime, limits: Limits) -> Iterator[tuple[ExaminedWiki, list[Diagnosis]]]:
    """The wiki, recovered as every command does it first; when that fails, as it is, with the reason."""
    reasons: list[Diagnosis] = []
    try:
        repository = Repository(root)
    except JournalUnreadable:  # it has a part of its own
        repository = Repository(root, recovers=False)
    except CuratorError as error:
        repository = Repository(root, recovers=False)
        reasons.append(of_error(error))
    except OSError as error:
        repository = Repository(root, recovers=False)
        message = f"what an earlier command left behind cannot be finished: {error.strerror}: {str(error.filename)!r}"
        reasons.append(found("error", "not_recovered", ".", message, "see to that, then run 'curate doctor' again"))
    with repository:
        if not cache.is_sound(repository.runtime):
            repository.keep_catalogue_in_memory()
        yield ExaminedWiki(repository, now, limits), reasons


def examine_wiki(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """Everything that is found."""
    parts = [*PARTS, *(PARTS_OF_A_COMMIT if wiki.base is not None else ())]
    for what, part in parts:
        yield from guarded(what, part(wiki))
