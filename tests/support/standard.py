"""What the conformance suite is written with: wikis on disk, the commands as their users give them, and what lies in files.

Each test of ``test_conformance_*.py`` is for one clause of AIP-10, and its docstring says which: the heading it stands
under, a colon, and the clause word for word between “ and ”. ``docs/conformance.md`` has the same clauses as a table.
The model and the clock are scripted; all else is the real thing. Files are read here without curator's own readers.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from curator import cli
from curator.cli.commands import init
from curator.models import choose
from curator.models.port import Model
from curator.models.proposal import Claim, Create
from curator.wiki.log import LogEvent
from support.fakes import Answer, ScriptedModel
from support.manifests import text
from support.wikis import MORE, NOW, OOLONG, TEA, copied_tree, drop, git, proposal, summary

"""The standards themselves, where they lie beside the project."""
BREWING = "Oolong can be brewed five times from the same leaves.\n"


# -- wikis ---------------------------------------------------------------------------------------------------------

GREEN = "Green tea\n\nGreen tea is a tea that is not oxidised.\nGreen tea is older than oolong.\n"
SAID = Claim(text="Oolong is grown in Fujian.", quotes=("Oolong is grown in Fujian and on Taiwan.",))
FUJIAN = Create(op="create", kind="entity", title="Fujian", body=(SAID,))
_KINDS = proposal(summary(SAID, title="More"), FUJIAN)

_STEPS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "new": ("", lambda place: init.run(place, "Tea")),
    "kept": ("new", lambda place: ingest(place, "oolong-notes.txt", TEA, OOLONG)),
    "both": ("kept", lambda place: ingest(place, "deep/more.txt", TEA + BREWING, MORE)),
    "full": ("kept", lambda place: ingest(place, "more.txt", TEA + BREWING, _KINDS)),
    "written": ("both", lambda place: ingest(place, "green.txt", GREEN)),
}
"""How each wiki is made of another one. It is made once; tests get copies."""
_MADE: dict[str, Path] = {}


def _wiki(name: str, place: Path, folders: pytest.TempPathFactory) -> Path:
    """The wiki called ``name``, at ``place``."""
    if name in _MADE:
        return copied_tree(_MADE[name], place)
    base, step = _STEPS[name]
    if base:
        _wiki(base, place, folders)
    step(place)
    git(place, "gc", "--quiet", "--prune=now")  # fewer files to copy
    _MADE[name] = copied_tree(place, folders.mktemp(name) / "wiki")
    return place


def _fixture(name: str, about: str) -> Any:
    """A fixture that gives a test a copy of the wiki called ``name``."""

    def wiki(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
        return _wiki(name, tmp_path / "wiki", tmp_path_factory)

    wiki.__doc__ = about
    return pytest.fixture(name="root" if name == "new" else name)(wiki)


root = _fixture("new", "A new wiki, as ``curate init`` makes it.")
kept = _fixture("kept", "A wiki with one source in, as a model takes it in.")
both = _fixture("both", "A wiki with two sources in.")
full = _fixture("full", "A wiki with a page of most kinds, made by two ingests.")
written = _fixture("written", "A wiki after three ingests: two of a model, one of the built-in curator.")


# -- commands ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """What a command answered: its exit status, and the object of ``--json``."""

    status: int
    data: dict[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    @property
    def codes(self) -> list[str]:
        """The codes of its findings."""
        return [finding["code"] for finding in self.data["findings"]]

    @property
    def error(self) -> str:
        """The code of the error it ended with; empty when it did its work."""
        return str(self.data.get("error", {}).get("code", ""))


def curate(root: Path | None, *arguments: object, now: datetime = NOW, **environment: str) -> Said:
    """``curate --json`` as its users run it, in this process."""
    status, out = _ran(root, "--json", *arguments, now=now, **environment)
    return Said(status, json.loads(out))


def printed(root: Path | None, *arguments: object, now: datetime = NOW, **environment: str) -> str:
    """What a command prints for people."""
    return _ran(root, *arguments, now=now, **environment)[1]


def _ran(root: Path | None, *arguments: object, now: datetime, **environment: str) -> tuple[int, str]:
    wiki = [] if root is None else ["--wiki", str(root)]
    out = io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        for name, value in {"SOURCE_DATE_EPOCH": str(int(now.timestamp())), **environment}.items():
            patch.setenv(name, value)
        status = cli.cli.main([*wiki, *map(str, arguments)], prog_name="curate", standalone_mode=False)
    return int(status or 0), out.getvalue()


@contextmanager
def scripted(*answers: Answer) -> Iterator[ScriptedModel]:
    """Whatever the settings say, this model is asked, and gives these answers."""
    model = ScriptedModel(answers)

    @contextmanager
    def open_scripted(*_: object) -> Iterator[Model]:
        yield model

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(choose, "open_model", open_scripted)
        yield model


def ingest(
    root: Path, name: str, said: str, *answers: Answer, options: tuple[str, ...] = (), **more: Any
) -> dict[str, Any]:
    """Put a source into ``sources/`` and take it in, by a model that answers so, or by the built-in curator."""
    with scripted(*answers) if answers else contextlib.nullcontext():
        (result,) = curate(root, "ingest", drop(root, name, said), *options, **more)["results"]
    return dict(result)


# -- files ---------------------------------------------------------------------------------------------------------


class _Plain(yaml.SafeLoader):
    """YAML as JSON has it: a time is a string."""


_Plain.yaml_implicit_resolvers = {
    key: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for key, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def head(file: Path) -> dict[str, Any]:
    """The frontmatter of a file."""
    written = re.match(r"---\n(.*?)^---\n", file.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert written, f"{file} has no frontmatter"
    found = yaml.load(written[1], _Plain)  # noqa: S506 - it is a SafeLoader
    assert isinstance(found, dict)
    return found


def pages(root: Path) -> dict[str, Path]:
    """Every page by its path: all markdown but sources, generated files, and those of layers 3 and 4."""
    found = (file.relative_to(root).as_posix() for file in root.rglob("*.md"))
    return {
        path: root / path
        for path in sorted(found)
        if not path.startswith(("sources/", ".git/", "_"))
        and path.rpartition("/")[2] not in ("KNOWLEDGE.md", "AGENTS.md")
    }


def tree(root: Path, below: str = "") -> dict[str, bytes]:
    """Every file of the work tree by path, with its bytes; git's own are left out."""
    files = (file for file in (root / below).rglob("*") if file.is_file() and not file.is_symlink())
    paths = {file.relative_to(root).as_posix(): file for file in files}
    return {path: file.read_bytes() for path, file in sorted(paths.items()) if not path.startswith(".git/")}


def state(root: Path) -> tuple[str, str, dict[str, bytes]]:
    """All that an act which changes nothing must leave as it is: the commit, what git thinks is edited, the files."""
    return git(root, "rev-parse", "HEAD"), git(root, "status", "--porcelain"), tree(root)


def events(root: Path) -> list[LogEvent]:
    """The log, read by the standard's grammar; a line that is neither a head nor a bullet nor empty fails."""
    found: list[LogEvent] = []
    for line in (root / "_log.md").read_text("utf-8").splitlines()[1:]:
        if head_line := re.fullmatch(r"## \[([^\]]+)\] ([a-z]+) \| (.+)", line):
            found.append(LogEvent(head_line[1], head_line[2], head_line[3]))
        elif line.startswith("- "):
            last = found.pop()
            found.append(LogEvent(last.at, last.type, last.subject, (*last.bullets, line[2:])))
        else:
            assert line == "", f"{line!r} is no line of a log"
    return found


def edited(root: Path, name: str, *changes: tuple[str, str], message: str = "by hand") -> None:
    """Replace words in a file, each once, and commit that."""
    file = root / name
    written = file.read_text("utf-8")
    for old, new in changes:
        assert written.count(old) == 1, f"{old!r} stands {written.count(old)} times in {name}"
        written = written.replace(old, new)
    file.write_text(written, "utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", message)


# -- manifests -----------------------------------------------------------------------------------------------------


def manifest(folder: Path, name: str = "", **fields: Any) -> Path:
    """Write a KNOWLEDGE.md, which lies on the disk like any file of a host; its folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "KNOWLEDGE.md").write_text(text(name or folder.name, **fields), "utf-8")
    return folder


def effective(folder: Path, *options: str) -> Said:
    """What ``curate manifest`` says of the manifest in ``folder``."""
    return curate(None, "manifest", folder, *options)


def warned(said: Said) -> list[str]:
    """The codes of its warnings."""
    return [warning["code"] for warning in said["warnings"]]


def lab(root: Path, **fields: Any) -> Path:
    """A view of the wiki, in a folder beside it."""
    return manifest(root.parent / "lab", extends=os.path.relpath(root / "KNOWLEDGE.md", root.parent / "lab"), **fields)
