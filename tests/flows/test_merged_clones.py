"""Two clones of a wiki that both took sources in: git merges the pages, and what is made from them conflicts."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from support import standard
from support.standard import curate
from support.wikis import drop, git

root = standard.root
GENERATED = ("_index.md", "_log.md", "_manifest.json")


@pytest.fixture
def merging(root: Path, tmp_path: Path) -> Path:
    """A clone in the middle of a merge with the other one."""
    other = tmp_path / "other"
    git(root, "clone", "-q", str(root), str(other))
    for clone, name in ((other, "glaze"), (root, "kiln")):
        git(clone, "config", "user.name", "A")
        git(clone, "config", "user.email", "a@example.org")
        said = curate(clone, "ingest", drop(clone, f"{name}.md", f"# {name.title()} Ostra\n\nThe {name} is heavy.\n"))
        assert said.status == 0
    git(root, "fetch", "-q", str(other), "HEAD")
    with pytest.raises(subprocess.CalledProcessError):
        git(root, "merge", "-q", "FETCH_HEAD")
    return root


def test_status_says_how_to_go_on_and_that_way_is_one(merging: Path) -> None:
    told = curate(merging, "status").data["unfinished"]
    assert told["what"] == "a merge" and "git checkout --ours _index.md _log.md _manifest.json" in told["next"]
    assert "git add these three" in told["next"]

    git(merging, "checkout", "--ours", *GENERATED)
    git(merging, "add", *GENERATED)
    git(merging, "commit", "-qm", "merged")
    found = curate(merging, "status").data
    assert (found["unfinished"], found["new"], found["unrecorded"]) == (None, [], ["sources/glaze.md"])

    (result,) = curate(merging, "ingest", str(merging / "sources" / "glaze.md"))["results"]
    assert (result["code"], "curate doctor --repair" in result["next"]) == ("source_unrecorded", True)

    assert curate(merging, "doctor", "--repair").status == 0
    after = curate(merging, "status").data
    assert (after["unrecorded"], after["new"], after["parked"]) == ([], [], [])
    assert curate(merging, "validate").status == 0
    assert not [each for each in curate(merging, "lint")["findings"] if each["severity"] == "error"]


def test_a_source_that_pages_cite_and_no_commit_took_in_is_taken_in(root: Path) -> None:
    source = drop(root, "kiln.md", "# Kiln Ostra\n\nThe kiln is heavy.\n")
    page = "---\nschema: knowledge/v1\nslug: kiln\nkind: concept\ntitle: Kiln\n---\n\n# Kiln\n\n"
    note = 'It is heavy. [^1]\n\n[^1]: sources/kiln.md#L3 "The kiln is heavy."\n'
    (root / "concepts").mkdir(exist_ok=True)
    (root / "concepts" / "kiln.md").write_text(page + note, "utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "by hand")

    assert curate(root, "ingest", source).status == 0


def test_what_is_handed_in_during_a_merge_waits_under_its_name(merging: Path) -> None:
    source = drop(merging, "clay.md", "# Clay Ostra\n\nThe clay is wet.\n")

    (result,) = curate(merging, "ingest", str(source))["results"]

    assert (result["status"], result["source"]) == ("held", "sources/clay.md")
    assert [each["source"] for each in curate(merging, "status").data["parked"]] == ["sources/clay.md"]
