"""``curate review``: proposals that wait for a person are listed, shown, edited, and approved or rejected."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import BinaryIO

import click

from curator.cli import console
from curator.cli.console import CommonOptions, Report
from curator.cli.group import CommandGroup
from curator.cli.options import common_options, dry_run_option, reported
from curator.cli.terminal import has_colour
from curator.errors import ConfigError, FrontmatterError
from curator.ingest.result import IngestContext, IngestResult
from curator.ingest.review import AnsweredModel, Approved
from curator.ingest.take_in import take_in
from curator.models.saved_answers import Answered, Answers
from curator.repository.proposals import HeldProposal, Proposals
from curator.repository.repository import Repository
from curator.repository.runtime.runtime import Parked, file_stamp
from curator.repository.settings import Settings
from curator.system import clocks, digests
from curator.system.filenames import printable
from curator.system.text import counted
from curator.wiki.pages import frontmatter
from curator.wiki.sources.source import Document, Source, SourceRemarks

_PATIENCE = 60.0
_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.group(cls=CommandGroup)
def review() -> None:
    """The commands by the proposal's name, the beginning of it, or its source."""


@review.command("list")
@common_options
@reported
def review_list(common: CommonOptions) -> Report:
    """The proposals that wait, the oldest first, and why."""
    return waiting(console.settings(common))


@review.command("show")
@click.argument("name", metavar="PROPOSAL")
@common_options
@reported
def review_show(common: CommonOptions, name: str) -> Report:
    """What it would change, page by page."""
    return show(console.settings(common), name)


@review.command("approve")
@click.argument("names", metavar="PROPOSAL...", nargs=-1, required=True)
@dry_run_option
@common_options
@reported
def review_approve(common: CommonOptions, names: tuple[str, ...], dry_run: bool) -> Report:
    """Commit it, after it is checked once more against the branch as it is now."""
    return approve(console.settings(common), names, dry_run)


@review.command("reject")
@click.argument("name", metavar="PROPOSAL")
@click.option("--why", required=True, metavar="REASON", help="The model reads it when the source is ingested again.")
@dry_run_option
@common_options
@reported
def review_reject(common: CommonOptions, name: str, why: str, dry_run: bool) -> Report:
    """Let it go. The source waits until curate retry, and its next proposal is made with the reason in view."""
    return reject(console.settings(common), name, why, dry_run)


@review.command("edit")
@click.argument("name", metavar="PROPOSAL")
@click.option("--page", metavar="PATH", help="Only this page, as curate review show names it.")
@click.option("--with", "text", metavar="FILE", type=click.File("rb"), help="Its new text; - for standard input.")
@common_options
@reported
def review_edit(common: CommonOptions, name: str, page: str | None, text: BinaryIO | None) -> Report:
    """Change its pages in $VISUAL or $EDITOR. An emptied page is left out."""
    return edit(console.settings(common), name, page, _text(text.read()) if text is not None else None)


def waiting(settings: Settings) -> Report:
    with settings.repository as repository:
        found = Proposals(repository).all()
    lines = [line for held in found for line in _lines(held)] or ["no proposal waits"]
    return Report({"proposals": [held.as_json() for held in found]}, tuple(lines))


def show(settings: Settings, name: str) -> Report:
    with settings.repository as repository:
        proposals = Proposals(repository)
        held = proposals.named(name)
        diffs, said = proposals.diffs(held), SourceRemarks.from_json(proposals.reply_of(held).get("remarks", {}))
    remarks = {**asdict(said), "supersedes": list(said.supersedes)} if said is not None else None
    lines = [
        *_lines(held),
        *_said(remarks or {}),
        *(line for diff in diffs.values() for line in _coloured(diff)),
    ]
    lines.append(f"next: curate review approve {held.name}; or reject --why REASON, or edit")
    return Report({**held.as_json(), "remarks": remarks, "diff": "".join(diffs.values())}, tuple(lines))


def approve(settings: Settings, names: tuple[str, ...], dry_run: bool) -> Report:
    with settings.repository as repository:
        proposals = Proposals(repository)
        wanted = [proposals.named(name) for name in names]
        results = []
        for held in wanted:
            with ExitStack() as doors:
                context, root = _context(settings, repository, held, dry_run), repository.root
                if dry_run:  # nothing is written into the wiki, not for a moment
                    root = Path(doors.enter_context(tempfile.TemporaryDirectory(prefix="curate-review-")))
                    context = replace(context, found_in=root / "sources")
                file = doors.enter_context(proposals.source_in_place(held, root))
                result = take_in(file, context) if file is not None else _gone(held)
                if result.status in ("skipped", "duplicate") and not digests.is_of_file(held.digest, file or root):
                    result = _other(held)
                results.append(result)
            if results[-1].ok and not dry_run:
                proposals.drop(held)
    told = {
        "ingested": "would approve" if dry_run else "approved",
        "skipped": "is in already",
        "duplicate": "is in already",
    }
    lines = []
    for held, result in zip(wanted, results, strict=True):
        commit = str(result.about.get("commit") or "")[:12]
        what = f"commit {commit}" if commit else result.about.get("reason", result.status)
        lines.append(f"{told.get(result.status, 'not approved'):<13} {held.name}: {what}")
        if not result.ok:
            lines += [f"  {finding['code']}: {finding['message']}" for finding in result.about["findings"]]
            lines.append(f"  next: {result.about['next']}")
    status = 0 if all(result.ok for result in results) else 1
    return Report({"results": [result.as_json() for result in results]}, tuple(lines), status)


def reject(settings: Settings, name: str, why: str, dry_run: bool = False) -> Report:
    reason = " ".join(why.split())
    if not reason:
        raise ConfigError(
            "usage", "--why is empty", "say in a sentence what is wrong: the next proposal is made with it"
        )
    with settings.repository as repository:
        proposals, runtime = Proposals(repository), repository.runtime
        held = proposals.named(name)
        data = {"name": held.name, "source": held.source, "why": reason}
        if dry_run:
            return Report(data, (f"would reject {held.name}: {printable(reason)}", *_lines(held)))
        runtime.reject(held.source, reason)
        answered = Answered.from_json(proposals.reply_of(held))
        if answered is not None:
            source = Source(held.source, held.digest, Document(()))
            Answers(runtime, answered.reply.model).drop_all(source)
        quoted = shlex.quote(held.source)
        following = f"curate retry {quoted}, or: curate ingest {quoted}"
        seen, at = file_stamp(repository.root / held.source), clocks.utc_timestamp(settings.now())
        said = f"its proposal was rejected: {reason}"
        runtime.park(Parked(held.source, held.digest, "proposal_rejected", said, following, at, stamp=seen))
        proposals.drop(held)
    lines = (f"rejected   {held.name}: {printable(reason)}", f"  next: {printable(following)}")
    return Report(data, lines)


def edit(settings: Settings, name: str, page: str | None, text: str | None) -> Report:
    if text is not None and page is None:
        raise ConfigError("usage", "--with is the text of one page", "name it: --page concepts/NAME.md")
    with settings.repository as repository:
        proposals = Proposals(repository)
        held = proposals.named(name)
        texts = {path: new for path, (_, new) in proposals.pages(held).items() if new is not None}
        if page is not None and page not in texts:
            known = ", ".join(texts) or "none"
            raise ConfigError("page_unknown", f"the proposal has no page {page!r}: {known}", "name one of them")
        chosen = {path: old for path, old in texts.items() if page in (None, path)}
        edited = _in_the_editor(chosen) if text is None else dict.fromkeys(chosen, text)
        changed = {path: new if new.strip() else None for path, new in edited.items() if new != texts[path]}
        for path, new in changed.items():
            if new is not None:
                _check_head(path, new)
        if changed:
            held = proposals.edit(held, changed)
    what = f"{counted(len(changed), 'page')} of {held.name}" if changed else f"nothing of {held.name}"
    lines = (f"edited     {what}", f"  next: curate review show {held.name}")
    return Report({**held.as_json(), "pages": sorted(changed)}, lines)


def _check_head(path: str, text: str) -> None:
    """Raises ConfigError for a page whose head cannot be read: it could not be approved."""
    try:
        frontmatter.read(text)
    except FrontmatterError as error:
        said, hint = (
            f"the head of {path} cannot be read: {error.message}",
            "nothing was changed; mend it, and edit again",
        )
        raise ConfigError("edit_not_page", said, hint) from None


def _in_the_editor(texts: dict[str, str]) -> dict[str, str]:
    """The texts as a person leaves them; each is a file of its own, under its page's name."""
    with tempfile.TemporaryDirectory(prefix="curate-review-") as folder:
        files = {path: Path(folder) / f"{number}-{Path(path).name}" for number, path in enumerate(texts, 1)}
        for path, file in files.items():
            file.write_text(texts[path], "utf-8", newline="")
        try:
            click.edit(filename=list(map(str, files.values())))
        except click.ClickException as error:
            hint = "set EDITOR, or give the text: curate review edit PROPOSAL --page PATH --with FILE"
            raise ConfigError("editor_failed", f"the editor failed: {error.message}", hint) from None
        return {path: _text(file.read_bytes()) if file.exists() else "" for path, file in files.items()}


def _text(data: bytes) -> str:
    """What a person has written, with line feeds alone; raises ConfigError."""
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        said = f"the new text is not UTF-8: byte {data[error.start]:#04x} at offset {error.start}"
        raise ConfigError("edit_not_utf8", said, "nothing was changed; save it as UTF-8, and edit again") from None


def _context(settings: Settings, repository: Repository, held: HeldProposal, dry_run: bool) -> IngestContext:
    """What its source is ingested with: the answer and the remarks of then, and a person's edits of its pages."""
    proposals = Proposals(repository)
    answered = Answered.from_json(reply := proposals.reply_of(held))
    remarks = SourceRemarks.from_json(reply.get("remarks", {}))
    if answered is None or remarks is None:
        hint = f"curate review reject {held.name} --why 'its answer is lost', then: curate ingest {held.source}"
        raise ConfigError("proposal_unreadable", f"the answer that {held.name} was made from cannot be read", hint)
    approved = Approved(held.name, held.digest, answered, proposals.edits(held))
    model = AnsweredModel(answered.reply.model)
    context = IngestContext.of(settings, repository, model, _PATIENCE, dry_run=dry_run, approved=approved)
    return replace(context, remarks=remarks)


def _gone(held: HeldProposal) -> IngestResult:
    """What is said of a proposal whose source is no longer there to be read."""
    following = f"put the file back, or: curate review reject {held.name} --why REASON"
    reason = f"{printable(held.source)} is not there any more"
    return IngestResult(
        "refused", held.source, {"code": "source_unreadable", "reason": reason, "next": following, "findings": []}
    )


def _other(held: HeldProposal) -> IngestResult:
    """What is said of a proposal whose source has other words now, which are in the wiki already."""
    following = f"put back those (git show {held.proposed[:12]}), or: curate review reject {held.name} --why REASON"
    reason = f"{printable(held.source)} has other words than the proposal was made of, and they are in already"
    return IngestResult(
        "refused", held.source, {"code": "proposal_outdated", "reason": reason, "next": following, "findings": []}
    )


def _lines(held: HeldProposal) -> Iterator[str]:
    yield f"{held.name}  {printable(held.source)}, {held.at}" + (", edited" if held.is_edited else "")
    yield from (f"  {printable(flag)}" for flag in held.flags)


def _said(remarks: Mapping[str, str | list[str]]) -> Iterator[str]:
    """What was said of the source at its ingest, and is approved with it."""
    told = {name: said if isinstance(said, str) else ", ".join(said) for name, said in remarks.items()}
    yield from (printable(f"  {name}: {said}") for name, said in told.items() if said)


def _coloured(diff: str) -> Iterator[str]:
    """The lines of a diff, coloured where a person sees them."""
    is_coloured = has_colour()
    for line in diff.rstrip("\n").split("\n"):
        colour = _COLOURS.get(line[:1]) if not line.startswith(("+++", "---")) else None
        yield click.style(printable(line), fg=colour) if is_coloured and colour else printable(line)
