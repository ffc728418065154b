"""The house has floors: imports point down, heavy ones wait for the command that needs them, and importing does nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import curator

PACKAGE = Path(curator.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
    if "_shipped" not in path.parts
}
HEAVY = ("litellm", "git", "watchdog", "pydantic", "rich", "tenacity", "unidiff", "sqlite3", "yaml")

ROOMS = (
    ("__main__", "__init__", "api", "cli"),
    ("ask",),
    ("ingest", "edits"),
    ("packs",),
    ("checks",),
    ("fleet",),
    ("models", "service"),
    ("repository",),
    ("config",),
    ("wiki",),
    ("system",),
    ("errors", "finding", "version"),
)
"""The order of the rooms, from the top: an import stays in its room, or goes down to a later line."""
SIDEWAYS = {("__main__", "cli"), ("__init__", "api"), ("errors", "finding")}
"""Where no other way exists: the two doors into the package, and what an error carries."""


@cache
def imported(path: Path) -> tuple[str, ...]:
    """The modules of ours that a module imports when it runs, those inside its functions too."""
    found: list[str] = []
    for node in _running(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]
        found += (name for name in names if name in MODULES)
    return tuple(found)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement but those only a type checker reads."""
    waiting = [node]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            is_for_types = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)
            if not isinstance(child, ast.expr) and not is_for_types:
                waiting.append(child)
                yield child


def loaded_by(code: str) -> set[str]:
    """The names of all modules that are loaded after ``code`` ran in a fresh interpreter."""
    command = [sys.executable, "-c", f"{code}\nimport sys; print('\\n'.join(sys.modules), file=sys.stderr)"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=PACKAGE.parent)
    return set(done.stderr.split())


def test_there_is_no_ring() -> None:
    graph = {name: {other for other in imported(path) if other != name} for name, path in MODULES.items()}
    for name, others in graph.items():
        others -= {other for other in others if name.startswith(f"{other}.") or other == "curator"}

    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))

    assert len(order) == len(MODULES)


def test_imports_point_down() -> None:
    floor = {room: number for number, rooms in enumerate(ROOMS) for room in rooms}
    upward = [
        f"{name} imports {other}"
        for name, path in MODULES.items()
        for other in imported(path)
        if (here := _room(name)) != (there := _room(other))
        and floor[there] <= floor[here]
        and (here, there) not in SIDEWAYS
    ]

    assert not upward


def _room(module: str) -> str:
    """``wiki`` of ``curator.wiki.pages.page``; modules beside the rooms are rooms of their own."""
    return f"{module}.__init__".split(".")[1]


def test_help_loads_nothing_heavy_and_no_command() -> None:
    code = """
import sys
from curator.__main__ import main
sys.argv = ["curate", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code
"""

    loaded = loaded_by(code)

    assert not loaded & {*HEAVY} and "curator.cli.commands" not in loaded


def test_commands_that_only_look_load_no_settings_and_no_diffs() -> None:
    names = ("lint", "validate", "status", "search", "log")

    loaded = loaded_by(f"from curator.cli.commands import {', '.join(names)}")

    assert loaded >= {f"curator.cli.commands.{name}" for name in names}
    assert not loaded & {"pydantic", "unidiff"}


def test_of_gitpython_only_what_runs_git_is_loaded_and_the_whole_for_who_wants_it() -> None:
    opened = "from pathlib import Path\nfrom curator.repository.git import opening\nrunner = opening.opened(Path())"
    assert {"git.cmd", "git.repo"} & loaded_by(f"{opened}\nrunner.execute(['git', 'version'])") == {"git.cmd"}
    assert {"git.cmd", "git.repo"} <= loaded_by(f"{opened}\nimport git\nassert type(runner) is git.Git and git.Repo")


def test_the_first_view_in_the_browser_loads_what_it_shows_and_no_more() -> None:
    pytest.importorskip("starlette")
    loaded = loaded_by("from curator.cli.commands import open\nfrom curator.cli.web import home, server")

    assert not [
        name for name in loaded if name.startswith(("curator.ingest", "curator.models", "curator.wiki.support"))
    ]


def test_the_other_views_are_loaded_once_the_first_was_seen() -> None:
    pytest.importorskip("starlette")
    loaded = loaded_by(
        "import threading\nfrom curator.cli.web.loading import LaterViews\nLaterViews().begin()\n"
        "for each in threading.enumerate():\n    if each is not threading.current_thread(): each.join()"
    )

    assert loaded >= {f"curator.cli.web.{name}" for name in ("views", "doubts", "acts", "activity")}


WATCHED = """
import importlib, os, sys

def seen(event, arguments):
    if event in ("socket.connect", "subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.mkdir",
                 "os.remove", "os.rename", "os.putenv", "os.chdir", "sqlite3.connect", "tempfile.mkstemp"):
        sys.exit(f"{event} {arguments}")
    if event == "open":
        path, mode, flags = arguments
        name = os.fsdecode(path) if isinstance(path, (str, bytes)) else ""
        reads_code = name in sys.path or name.endswith((".py", ".pyc", ".so", "entry_points.txt"))  # pydantic's plugins
        if (flags or 0) & (os.O_WRONLY | os.O_RDWR) or (mine[0] and not reads_code):
            sys.exit(f"open {arguments}")

mine = [False]
sys.dont_write_bytecode = True
for name in sys.argv[1].split(): importlib.import_module(name)
sys.addaudithook(seen)
mine[0] = True
for name in sys.argv[2].split(): importlib.import_module(name)
if "litellm" in sys.modules: sys.exit("litellm is loaded")
"""


def test_importing_does_nothing_and_loads_no_litellm() -> None:
    names = sorted(name for name in MODULES if not name.endswith("__main__"))

    command = [sys.executable, "-c", WATCHED, " ".join(sorted(_foreign())), " ".join(names)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PACKAGE.parent, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def _foreign() -> set[str]:
    """What our modules import at their top and is not ours: loaded first, for what it does is not our doing."""
    found: set[str] = set()
    for path in MODULES.values():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
    return {name for name in found if name.partition(".")[0] != "curator" and name != "__future__"}
