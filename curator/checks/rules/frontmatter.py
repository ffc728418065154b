"""Rules on the form of a page's frontmatter (research F1 to F3, F5, F7). What an edit may change in it: ``fields.py``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath

from curator.checks.rules.change import Change
from curator.checks.rules.edits import edits
from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.wiki.pages import frontmatter
from curator.wiki.pages.page import DIALECTS, ENTRY_DIALECT, FOLDERS, KINDS, LONGEST_TITLE, Page
from curator.wiki.pages.slug import is_slug

MAX_NEW_HEAD_BYTES = 4_096
CLOCK_SLACK = timedelta(minutes=5)
NEW_FIELDS = frozenset(
    "schema slug kind title sources confidence updated_at contradicts supersedes aliases tags links refs metadata".split()
)


def unreadable(change: Change) -> Iterator[Finding]:
    """frontmatter_unreadable (F1, F2): the head can be read, before and after; runs before all rules that read it."""
    for path, page in change.pages.items():
        old = change.old(path)
        for text in (page.text, old.text if old else ""):
            try:
                text.encode("utf-8")
                frontmatter.read(text)
            except (FrontmatterError, UnicodeEncodeError) as error:
                line = error.line if isinstance(error, FrontmatterError) else None
                reason = error.message if isinstance(error, FrontmatterError) else "this is no Unicode text"
                yield Finding("frontmatter_unreadable", path, reason, line)
                break


def missing(change: Change) -> Iterator[Finding]:
    """frontmatter_missing (F1): a new page begins with its frontmatter, an old one does not lose it."""
    for edit in edits(change):
        if not edit.page.head_lines and (edit.old is None or edit.old.head_lines):
            yield Finding("frontmatter_missing", edit.page.path, "the page has no frontmatter", 1)


def too_long(change: Change) -> Iterator[Finding]:
    """frontmatter_too_long (F1): a new page's head closes within 4 kB."""
    for page in _new(change):
        size = len(frontmatter.split(page.text)[0].encode())
        if size > MAX_NEW_HEAD_BYTES:
            message = f"{size:,} bytes of frontmatter; a new page has at most {MAX_NEW_HEAD_BYTES:,}"
            yield Finding("frontmatter_too_long", page.path, message, 1)


def schema(change: Change) -> Iterator[Finding]:
    """schema_unknown (F3): a new page is of one of the two dialects."""
    for page in _new(change):
        if page.fields.get("schema") not in DIALECTS:
            message = f"schema: {page.fields.get('schema')!r}; known are {' and '.join(DIALECTS)}"
            yield Finding("schema_unknown", page.path, message)


def slug(change: Change) -> Iterator[Finding]:
    """slug_invalid (F3): a new page's slug is one, and its file is named after it."""
    for page in _new(change):
        found = page.fields.get("slug")
        sound = isinstance(found, str) and is_slug(found) and found == PurePosixPath(page.path).stem
        if not sound or (page.dialect == ENTRY_DIALECT and str(found)[0].isdigit()):
            yield Finding("slug_invalid", page.path, f"slug: {found!r} is no slug, or not the file's name")


def kind(change: Change) -> Iterator[Finding]:
    """kind_unknown (F3): a new page is of a kind this wiki knows, and stands in a folder of that kind."""
    conventions = change.before.store.conventions()
    for page in _new(change):
        found = page.fields.get("kind")
        own, place = conventions.types.get(page.type, ("", ""))
        known = isinstance(found, str) and (found in KINDS or found == own)
        folders = (conventions.folders.get(str(found)), FOLDERS.get(str(found)), *([place] if found == own else []))
        if not known or page.path.rpartition("/")[0] not in folders:
            yield Finding("kind_unknown", page.path, f"kind: {found!r} is unknown, or its pages are not in this folder")


def title(change: Change) -> Iterator[Finding]:
    """title_invalid (F3): the names a change gives (titles of new pages, aliases) are one line of 1 to 200 characters."""
    for edit in edits(change):
        given = edit.page.fields.get("title")
        old = {edit.old.title, *edit.old.aliases} if edit.old else set()
        title = edit.page.title if edit.old else given if isinstance(given, str) else ""
        names = [title, *edit.page.aliases]
        for name in names:
            if name not in old and not (name.strip() and len(name) <= LONGEST_TITLE and "\n" not in name):
                message = f"a name is one line of 1 to {LONGEST_TITLE} characters: {name[:60]!r}"
                yield Finding("title_invalid", edit.page.path, message)


def updated_at(change: Change) -> Iterator[Finding]:
    """updated_at_invalid (F3): ISO 8601, and not in the future."""
    for edit in edits(change):
        found = edit.page.updated_at
        if edit.old is not None and edit.old.updated_at == found:
            continue
        moment = _moment(found)
        if moment is None or moment > _aware(change.now) + CLOCK_SLACK:
            yield Finding("updated_at_invalid", edit.page.path, f"updated_at: {found!r} is no ISO 8601 time up to now")


def unknown_field(change: Change) -> Iterator[Finding]:
    """field_unknown (F3): a new page has no fields but those of the standard, and no vendor's metadata but curator's."""
    for page in _new(change):
        metadata = page.fields.get("metadata", {})
        strange = [key for key in page.fields if key not in NEW_FIELDS]
        strange += (
            [f"metadata.{key}" for key in metadata if key != "curator"] if isinstance(metadata, dict) else ["metadata"]
        )
        for key in strange:
            yield Finding("field_unknown", page.path, f"{key}: a new page has no such field")


def second_head(change: Change) -> Iterator[Finding]:
    """second_frontmatter (F7): no second frontmatter, and no ``---`` within the first three lines of the body."""
    for edit in edits(change):
        old = _fences(edit.old) if edit.old else 0
        if _fences(edit.page) > old:
            yield Finding("second_frontmatter", edit.page.path, "what looks like frontmatter stands in the body")


_FENCE = re.compile(r"(?:---|\.\.\.)[ \t]*\Z")
_FIELD = re.compile(r"[\w-]+[ \t]*:(?:[ \t]|\Z)|- |\Z")


def _fences(page: Page) -> int:
    """How often the body has a ``---`` within its first three lines, or fields between two of them anywhere."""
    lines = [line.strip(" \t\r>") for line in page.body.lstrip("\r\n").split("\n")]
    found = lines[:3].count("---")
    opened = fields = 0
    for line in lines:
        if _FENCE.match(line):
            found += opened and fields > 0
            opened, fields = int(line.startswith("---")), 0
        elif _FIELD.match(line):
            fields += line != ""
        else:
            opened = 0
    return found


def _new(change: Change) -> Iterator[Page]:
    return (edit.page for edit in edits(change) if edit.old is None)


def _moment(text: str) -> datetime | None:
    if not re.match(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}|\Z)", text):
        return None
    try:
        return _aware(datetime.fromisoformat(text))
    except ValueError:
        return None


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
