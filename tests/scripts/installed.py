"""Installs the wheel as people do, in a home of its own, uses it from there, and takes it away again.

    python tests/scripts/installed.py [WHEEL] [EXTRAS]

Needs ``uv`` or ``pipx`` on PATH, and the package index; each that is there is tried. ``make wheel`` first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = "web,mcp,pdf,blake3"
NOTE = "# Kettles\n\nA kettle is a vessel with a spout in which water is boiled for tea.\n"
SAYS = {
    ("--version",): "curate, version",
    ("help", "proofs"): "Does the quote bear the claim out?",
    ("help", "install"): "Install, upgrade, take away",
    ("completion", "bash"): "_curate_completion",
    ("doctor",): "healthy",
    ("open", "--help"): "in the browser",
    ("mcp", "--help"): "Model Context Protocol",
}
"""What each command prints, among other things."""
OURS = ("PYTHON", "VIRTUAL_ENV", "GIT_", "XDG_", "CURATOR_")
TOOLS = {"uv": ("tool", "install"), "pipx": ("install",)}


def tried(tool: str, wheel: Path, extras: str, folder: Path) -> None:
    """Install, use and take away; raises where something is not as it must be."""
    home, wiki, note = folder / "home", folder / "wiki", folder / "note.md"
    home.mkdir()
    note.write_text(NOTE)
    # Where packages come from is this machine's matter; all that would lead back to the checkout or its user is not.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    environment |= {"HOME": str(home), "PATH": f"{home}/.local/bin:{os.environ['PATH']}"}

    def run(*command: str) -> str:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=900
        )
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    run(tool, *TOOLS[tool], f"curate-wiki[{extras}] @ {wheel.as_uri()}")
    curate = str(home / ".local" / "bin" / "curate")
    run(curate, "init", str(wiki))
    run(curate, "--wiki", str(wiki), "ingest", str(note))
    run(curate, "prove", str(note), "--claim", "A kettle is a vessel.", "--quote", "A kettle is a vessel with a spout")
    for arguments, said in SAYS.items():
        if said not in (found := run(curate, "--wiki", str(wiki), *arguments)):
            raise SystemExit(f"curate {' '.join(arguments)} does not say {said!r}:\n{found}")
    before = {path: path.read_bytes() for path in wiki.rglob("*") if path.is_file()}
    run(tool, *TOOLS[tool][:-1], "uninstall", "curate-wiki")
    if Path(curate).exists() or before != {path: path.read_bytes() for path in wiki.rglob("*") if path.is_file()}:
        raise SystemExit(f"{tool} uninstall left the command, or not the wiki")


def main() -> int:
    wheels = sorted((ROOT / "dist").glob("curate_wiki-*.whl"), key=lambda path: path.stat().st_mtime)
    wheel = Path(sys.argv[1]).resolve() if sys.argv[1:] else wheels[-1] if wheels else None
    tools = [tool for tool in TOOLS if shutil.which(tool)]
    if wheel is None or not tools:
        print("there is no wheel: make wheel" if wheel is None else "there is neither uv nor pipx", file=sys.stderr)
        return 2
    for tool in tools:
        with tempfile.TemporaryDirectory() as folder:
            tried(tool, wheel, sys.argv[2] if sys.argv[2:] else EXTRAS, Path(folder))
        print(f"{wheel.name}[{sys.argv[2] if sys.argv[2:] else EXTRAS}] works by {tool}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
