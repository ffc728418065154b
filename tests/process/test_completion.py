"""What the shells complete, typed into the real ones: each is skipped where it is not installed."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from support.curates import script
from support.waiting import PATIENCE
from support.wikis import drop

SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$(curate completion bash)"'),
    "zsh": (["zsh", "-f", "-i"], 'autoload -Uz compinit; compinit -u -D; eval "$(curate completion zsh)"'),
    "fish": (["fish", "--no-config", "-i"], "curate completion fish | source"),
}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name}")
    return name


@pytest.fixture
def wiki(root: Path, tmp_path: Path) -> Path:
    """With a source that has a blank and a comma in its name, and ``curate`` on the path."""
    drop(root, "oolong, and more.txt")
    script(tmp_path / "bin" / "curate")
    return root


def environment(tmp_path: Path) -> dict[str, str]:
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "HOME": str(tmp_path), "TERM": "xterm", "PYTHONPATH": str(Path.cwd())}


def typed(shell: str, text: str, wiki: Path, tmp_path: Path) -> list[str]:
    """The words of the command that stands on the line once ``text`` and the key TAB were typed."""
    command, install = SHELLS[shell]
    process, terminal = pty.fork()
    if process == 0:
        os.chdir(wiki)
        os.execvpe(command[0], command, environment(tmp_path))  # noqa: S606 (a shell is what is tried)
    try:
        words = f"{tmp_path / 'words'}"
        # What is typed waits for the shell to have dealt with what was typed before. ^A goes to the beginning of the line.
        os.write(terminal, f"{install}\n".encode())
        os.write(terminal, f"{text}\t\x01printf '%s\\n' \x05 > {words}\n".encode())
        end, found = time.monotonic() + PATIENCE, Path(words)
        while not (found.exists() and found.read_text().endswith("\n")):
            assert time.monotonic() < end, f"{shell} says nothing"
            if select.select([terminal], [], [], 0.1)[0]:
                os.read(terminal, 65_536)
        return found.read_text().splitlines()
    finally:
        os.kill(process, 9)
        os.waitpid(process, 0)
        os.close(terminal)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("curate config set reading", ["curate", "config", "set", "reading_list"]),
        ("curate undo sou", ["curate", "undo", "sources/oolong, and more.txt"]),
        ("curate undo 'sou", ["curate", "undo", "sources/oolong, and more.txt"]),
    ],
)
def test_a_shell_completes_what_is_typed(shell: str, text: str, words: list[str], wiki: Path, tmp_path: Path) -> None:
    assert typed(shell, text, wiki, tmp_path) == words


def test_fish_shows_summaries_whole(wiki: Path, tmp_path: Path) -> None:
    if shutil.which("fish") is None:
        pytest.skip("there is no fish")
    asked = ["fish", "--no-config", "-c", "curate completion fish | source; complete -C 'curate exp'"]
    done = subprocess.run(asked, env=environment(tmp_path), cwd=wiki, capture_output=True, text=True, check=True)

    assert (
        done.stdout == "export\tThe wiki for others: site, its pages as files with their proofs, for any web space.\n"
    )
