"""What tests of the whole flow share: git as the user runs it, sources, proposals."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from curator.ingest import intake
from curator.ingest.flow import IngestOptions, Stage, ingest
from curator.ingest.last_source import LastSource
from curator.ingest.plan import Outcome
from curator.models.port import Model, Verifier
from curator.models.proposal import Add, Claim, Create, Operation, Proposal
from curator.repository.begun import Transaction
from curator.repository.repository import Repository
from curator.repository.source_files import IncomingFile, IncomingSource
from curator.wiki.sources.formats import SourceLimits
from curator.wiki.sources.source import Source
from support.git_index import refreshed

TEA = """Oolong

Date: 2026-03-01

Oolong is a tea that is partly oxidised before it is fired.
Oolong is grown in Fujian and on Taiwan.
A pot of oolong is brewed with water of 90 degrees.
"""

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)

_POLICY = ("retention", "signing", "hashAlgo", "authorityDefault")


def git(folder: Path, *arguments: str) -> str:
    """git as its user runs it, in the work tree; but that it starts no second git to see whether there is to be packed."""
    command = ["git", "-c", "maintenance.auto=false", *arguments]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.rstrip("\n")


def copied(wiki: Path, place: Path) -> Path:
    """A copy of a wiki, with its history and all that curator remembers of it."""
    copied_tree(wiki, place)
    if not refreshed(wiki, place):  # the index knows files by their inodes, which are new
        refresh(place)
    return place


def refresh(wiki: Path) -> None:
    """Have the index of a wiki know its files as they are; copies of it need no git for that then."""
    git(wiki, "update-index", "-q", "--refresh")


def copied_tree(folder: str | Path, place: Path) -> Path:
    """As ``shutil.copytree`` with symlinks, in a third of its time. Files keep rights and times, folders rights."""
    _copy(str(folder), str(place))
    return place


def _copy(folder: str, place: str) -> None:
    os.mkdir(place, os.stat(folder).st_mode & 0o7777)  # noqa: PTH102, PTH116 (paths cost more than the calls)
    with os.scandir(folder) as entries:
        for entry in entries:
            target = f"{place}/{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                _copy(entry.path, target)
            elif entry.is_symlink():
                os.symlink(os.readlink(entry.path), target)  # noqa: PTH115, PTH211
            else:
                _copy_file(entry.path, target)


def _copy_file(file: str, target: str) -> None:
    source = os.open(file, os.O_RDONLY)
    about = os.fstat(source)
    copy = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, about.st_mode & 0o7777)
    while os.sendfile(copy, source, None, 1 << 30):
        pass
    os.utime(copy, ns=(about.st_atime_ns, about.st_mtime_ns))
    os.close(copy)
    os.close(source)


def drop(root: Path, name: str = "oolong-notes.txt", text: str = TEA) -> Path:
    """Put a source into ``sources/``."""
    file = root / "sources" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def manage(root: Path, **policy: str) -> None:
    """Set ``sources`` of KNOWLEDGE.md, in a commit that needs nobody's approval."""
    settings = root / ".git" / "curator" / "curator.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('governance = "trust"\n', "utf-8")
    file = root / "KNOWLEDGE.md"
    head, body = file.read_text("utf-8").removeprefix("---\n").split("\n---\n", 1)
    lines = [
        line
        for line in head.split("\n")
        if not line.startswith("sources:") and line.partition(":")[0].strip() not in _POLICY
    ]
    written = "\n".join([*lines, "sources:", *(f"  {key}: {value}" for key, value in policy.items())])
    file.write_text(f"---\n{written}\n---\n{body}", "utf-8")
    git(root, "commit", "-qam", "policy")


def looked_at(file: Path, repository: Repository, begun: Transaction | None = None) -> IncomingSource:
    """A source on its way in, with the signature beside it, which nobody proves."""
    incoming = intake.look_at_source(file, repository, (begun or repository.begin()).manifest(), 1_000_000)
    signature = Path(f"{file}.sig")
    if not signature.exists():
        return incoming
    spooled = repository.runtime.spool(signature, "sha256", 1_000_000)
    return incoming.signed_by([IncomingFile(f"{incoming.path}.sig", spooled)])


def take_in(
    file: Path,
    repository: Repository,
    model: Model,
    *,
    dry_run: bool = False,
    verifier: Verifier | None = None,
    on_stage: Callable[[Stage], None] = lambda stage: None,
    begun: Transaction | None = None,
    last: LastSource | None = None,
) -> Outcome:
    """One ingest as the command runs it, without the command; ``begun`` and ``last`` as its worker may have them."""
    begun, last = begun or repository.begin(), last or LastSource()
    incoming = looked_at(file, repository, begun)
    source: Source = intake.read_source(incoming, "secondary", SourceLimits(1_000_000, 1_000_000), last=last)
    options = IngestOptions(lambda: NOW, dry_run=dry_run, on_stage=on_stage, last=last)
    return ingest(source, incoming.file, repository, model, options, begun=begun, verifier=verifier)


def proposal(*operations: Operation) -> Proposal:
    return Proposal(operations=operations)


def summary(*claims: Claim, title: str = "Oolong notes") -> Create:
    said = Claim(text="Oolong is partly oxidised.", quotes=("Oolong is a tea that is partly oxidised",))
    return Create(op="create", kind="summary", title=title, body=claims or (said,))


def concept(*claims: Claim, title: str = "Oolong", kind: str = "concept") -> Create:
    said = Claim(text="Oolong is a tea that is oxidised in part.", quotes=("Oolong is a tea that is partly oxidised",))
    return Create(op="create", kind=kind, title=title, body=claims or (said,))


FIVE = Claim(text="- It gives five brews.", quotes=("Oolong can be brewed five times from the same leaves.",))
MORE = proposal(summary(FIVE, title="Brewing"), Add(op="add", page="oolong", section="", body=(FIVE,)))
"""What a second source brings: a new page, and a line for the page of the first."""

OOLONG = proposal(summary(), concept())


def doubled(wiki: Path) -> Path:
    """The page on oolong a second time under a name of its own, with a claim that its quote does not carry whole."""
    (page,) = wiki.glob("*/oolong.md")
    text = page.read_text("utf-8")
    claim = next(line for line in text.splitlines() if "[^" in line and not line.startswith("[^"))
    text = text.replace(
        claim, f"{claim}\n\nSources disagree; another says: {claim.lstrip('- ').replace(' is ', ' was ', 1)}", 1
    )
    second = text.replace("slug: oolong", "slug: oo-long").replace("title: Oolong", "title: Oo long")
    page.with_name("oo-long.md").write_text(second.replace(" is ", " is frequently nonsensically ", 1), "utf-8")
    git(wiki, "add", "-A")
    git(wiki, "commit", "-q", "-m", "by hand")
    return wiki
