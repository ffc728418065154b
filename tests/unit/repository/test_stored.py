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
