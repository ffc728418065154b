"""What curator did is read from commits, whose messages anybody may have written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from curator.checks.examined_wiki import ExaminedWiki
from curator.checks.provenance import Provenance
from curator.cli.commands import log, status
from curator.repository import history
from curator.repository.repository import Repository
from curator.repository.settings import Settings
from support.wikis import NOW, git

SEPARATORS = "\x1c\x1d\x1e\x1f"


def committed(root: Path, message: str) -> str:
    git(root, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message)
    return git(root, "rev-parse", "HEAD")


@pytest.mark.parametrize(
    "message",
    [
        f"notes {SEPARATORS} of mine\n\nCurator-Source: sources/a.txt sha256:0\n",
        f"notes\n\n{SEPARATORS}\nCurator-Source: sources/a.txt sha256:0{SEPARATORS}\n",
        f"notes\n\nCurator-Source: {SEPARATORS}\n{SEPARATORS}\n",
        f"notes\n\nA line: of words\n{SEPARATORS}Curator-Source: x\n\nCurator-Note: x\n",
    ],
)
def test_no_message_of_anybody_shifts_what_is_read_from_the_others(root: Path, message: str) -> None:
    ours = committed(root, "ingest: sources/tea.txt\n\n- added\n\nCurator-Source: sources/tea.txt sha256:1\n")
    committed(root, message)

    with Repository(root) as repository:
        found = list(history.curator_commits(repository.git, "HEAD"))

    assert [(one.id, one.source, one.digest, one.bullets) for one in found if one.id == ours] == [
        (ours, "sources/tea.txt", "sha256:1", ("added",))
    ]
    assert all(len(one.id) == 40 and one.at[:2] == "20" for one in found)
    assert status.run(Settings(root, {}, {})).ok
    assert log.run(Settings(root, {}, {}), 20).ok


def test_a_separator_in_a_trailer_makes_no_second_trailer(root: Path) -> None:
    committed(root, f"notes\n\nCurator-Note: x{SEPARATORS}Curator-Source: sources/a.txt sha256:0\n")

    with Repository(root) as repository:
        (found,) = history.curator_commits(repository.git, "HEAD")

    assert [name for name, _ in found.trailers] == ["Curator-Note"]


def test_a_message_with_a_null_byte_ends_there(root: Path) -> None:
    raw = subprocess.run(["git", "cat-file", "commit", "HEAD"], cwd=root, check=True, capture_output=True).stdout
    head, _, _ = raw.partition(b"\n\n")
    parent = git(root, "rev-parse", "HEAD").encode()
    lines = [line for line in head.split(b"\n") if not line.startswith(b"parent ")]
    forged = b"\n".join([lines[0], b"parent " + parent, *lines[1:]])
    forged += b"\n\nnotes\n\nCurator-Note: x\n\0f00\0\0Curator-Source: sources/a.txt sha256:0\n"
    made = subprocess.run(
        ["git", "hash-object", "-t", "commit", "-w", "--stdin", "--literally"],
        cwd=root, input=forged, check=True, capture_output=True,
    )  # fmt: skip
    git(root, "update-ref", "HEAD", made.stdout.decode().strip())

    with Repository(root) as repository:
        (found,) = history.curator_commits(repository.git, "HEAD")

    assert (found.subject, found.source) == ("notes", "")


@pytest.mark.parametrize("named", ["{}", "{:.9} (notes, 2026-11-27)"], ids=["whole", "by reference"])
def test_a_revert_is_found_whatever_other_messages_hold(root: Path, named: str) -> None:
    gone = committed(root, "notes\n")
    committed(root, f"Revert notes\n\nA word {SEPARATORS} first.\nThis reverts commit {named.format(gone)}.\n")

    with Repository(root) as repository:
        assert gone in Provenance(ExaminedWiki(repository, NOW)).gone
