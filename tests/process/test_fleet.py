"""``curate fleet`` as its users run it: a real database, real repositories, workers as processes."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from curator.fleet.store import FleetStore
from scripts.audit import audit
from support.daemons import curate, surroundings
from support.fleets import FleetProcess, GitServer
from support.waiting import until
from support.wikis import git


def test_sources_handed_in_and_pushed_are_in_once_though_a_worker_was_killed(
    tmp_path: Path, store: FleetStore, new_wiki: Path
) -> None:
    home, handed = tmp_path / "home", tmp_path / "handed"
    home.mkdir()
    handed.mkdir()
    (tmp_path / "git").mkdir()
    server = GitServer(tmp_path / "git")
    environment = surroundings(home, fleet_database=store.database.address)
    for number in range(3):
        (handed / f"{number}.md").write_text(
            f"# Teapot {number}\n\nA teapot {number} is a vessel that holds {number} cups.\n"
        )
    for name in ("tea", "coffee"):
        curate(environment, "fleet", "wiki", name, server.add(name, new_wiki).url)
        curate(environment, "fleet", "add", name, str(handed))
    theirs = server.clone("tea", tmp_path / "theirs")
    (theirs / "sources").mkdir(exist_ok=True)
    (theirs / "sources/pushed.md").write_text("# Kettle\n\nA kettle is a vessel that boils water.\n")
    git(theirs, "add", "sources")
    git(theirs, "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "a source")
    git(theirs, "push", "-q")

    killed = FleetProcess(tmp_path / "killed", environment)
    until(lambda: '"event": "started"' in killed.log, every=0.01)
    killed.kill(with_children=True)
    store.database.all("UPDATE fleet_sources SET lease_until = 'epoch' WHERE state = 'working'")
    workers = [FleetProcess(tmp_path / f"{number}", environment, ("--until-done",)) for number in range(2)]

    assert [worker.process.wait() for worker in workers] == [0, 0]
    told = json.loads(curate(environment, "--json", "fleet", "status"))
    assert [(row["wiki"], row["done"], row["queued"] + row["working"] + row["parked"]) for row in told["wikis"]] == [
        ("coffee", 3, 0),
        ("tea", 4, 0),
    ]
    assert server.ingests("tea") == {f"sources/{name}.md": 1 for name in ("0", "1", "2", "pushed")}
    assert server.ingests("coffee") == {f"sources/{name}.md": 1 for name in ("0", "1", "2")}
    assert audit(server.clone("coffee", tmp_path / "looked-at")).faults == []


def test_a_worker_that_is_asked_to_end_finishes_what_it_began(
    tmp_path: Path, store: FleetStore, new_wiki: Path
) -> None:
    (tmp_path / "git").mkdir()
    store.put_wiki(GitServer(tmp_path / "git").add("tea", new_wiki))
    store.hand_in("tea", "sources/a.md", "0" * 64, b"# Tea\n\nTea is a drink that is made of leaves.\n")
    environment = surroundings(tmp_path, fleet_database=store.database.address)

    worker = FleetProcess(tmp_path / "worker", environment)
    until(lambda: '"event": "started"' in worker.log, every=0.01)

    assert worker.stop() == 0
    assert '"event": "done"' in worker.log


def test_what_a_fleet_proposes_is_approved_in_a_fresh_clone(tmp_path: Path, store: FleetStore, new_wiki: Path) -> None:
    (tmp_path / "git").mkdir()
    server = GitServer(tmp_path / "git")
    environment = surroundings(tmp_path, fleet_database=store.database.address)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        curate(environment, "fleet", "wiki", "tea", "/nowhere.git", "--set", "answer_seconds=soon")
    assert refused.value.returncode == 2 and "answer_seconds" in refused.value.stderr
    curate(environment, "fleet", "wiki", "tea", server.add("tea", new_wiki).url, "--set", "review=always")
    curate(environment, "fleet", "wiki", "tea", "--set", "answer_seconds=50", "--set", "on_dirty=park")
    curate(environment, "fleet", "wiki", "tea", "--unset", "answer_seconds", "--unset", "on_dirty")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        curate(environment, "fleet", "wiki", "tea", "--unset", "revue")
    assert "'revue'" in refused.value.stderr and "review" in refused.value.stderr
    assert dict(store.wiki("tea").settings) == {"review": "always"}
    (tmp_path / "a.md").write_text("# Tea\n\nTea is a drink that is made of leaves.\n")
    curate(environment, "fleet", "add", "tea", str(tmp_path / "a.md"))

    assert FleetProcess(tmp_path / "worker", environment, ("--until-done",)).process.wait() == 0

    assert "1 of those done as proposals" in curate(environment, "fleet", "status")
    clone = server.clone("tea", tmp_path / "clone")
    git(clone, "fetch", "--quiet", "origin", "refs/curator/*:refs/curator/*")
    (held,) = json.loads(curate(environment, "--wiki", str(clone), "--json", "review", "list"))["proposals"]
    curate(environment, "--wiki", str(clone), "review", "approve", held["name"])
    assert git(clone, "show", "HEAD:sources/a.md").startswith("# Tea")
    git(clone, "push", "--quiet", "origin", "HEAD")
    assert FleetProcess(tmp_path / "worker", environment, ("--until-done",)).process.wait() == 0
    assert "as proposals" not in curate(environment, "fleet", "status")
