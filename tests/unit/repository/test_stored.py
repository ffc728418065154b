"""Blobs are stored in the order that they are given in, big ones by gits of their own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from curator.errors import GitError
from curator.repository.git import Git, trees
from support.wikis import git


@pytest.fixture(params=["sha1", "sha256"])
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Git]:
    git(tmp_path, "init", "-q", f"--object-format={request.param}")
    monkeypatch.setattr(trees, "BIG", 10)
    with closing(Git(tmp_path)) as opened:
        opened.runtime.mkdir(exist_ok=True)
        yield opened


def test_each_gets_its_own_id_whatever_its_size(repository: Git) -> None:
    texts = [b"small", b"a bigger one", b"", b"another of the bigger ones", b"last"]

    oids = repository.store(texts)

    assert [repository.blob(oid) for oid in oids] == texts
    assert repository.store([]) == []
    assert repository.store([texts[3]]) == [oids[3]]


def test_a_big_one_that_cannot_be_stored_is_an_error(repository: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = repository._storing
    monkeypatch.setattr(repository, "_storing", lambda files: begin([files[0].with_name("nowhere")]))

    with pytest.raises(GitError, match="nowhere"):
        repository.store([b"small", b"a bigger one"])


def test_a_big_one_is_read_where_it_lies_while_it_is_what_was_committed(repository: Git) -> None:
    top = repository.top
    committed = {"f/big": b"a bigger one", "small": b"small", "link": b"f/big, which is big"}
    (top / "f").mkdir()
    for path, data in committed.items():
        (top / path).write_bytes(data)
    git(top, "add", "-A")
    git(top, "commit", "-qm", "all")
    (top / "link").unlink()
    (top / "link").symlink_to("f/big")

    found = {path: repository.big_blob_as_it_lies("HEAD", path) for path in (*committed, "f", "none")}

    assert found == {**dict.fromkeys((*committed, "f", "none")), "f/big": committed["f/big"]}
    assert [size for _, size in repository.big_blobs.values()] == [len(committed["f/big"])]
    (top / "f/big").write_bytes(b"another one, by a user")
    assert repository.big_blob_as_it_lies("HEAD", "f/big") is None
