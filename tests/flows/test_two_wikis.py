"""Two wikis in one process: what belongs to one is nowhere in the other's requests, keys, workers and caches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from curator.config import Config
from curator.models import choose
from curator.models.llm.language_model import LanguageModel
from curator.models.llm.provider import Provider
from curator.repository.repository import Repository
from support.depth import light_litellm
from support.endpoint import Endpoint
from support.wikis import copied, drop, take_in

KEYS = {"OPENAI_API_KEY": "key-of-one", "MISTRAL_API_KEY": "key-of-two"}
SECRETS = {"one": "The vault of Amsterdam opens at nine.", "two": "The vault of Zanzibar opens at noon."}


@pytest.fixture
def asked() -> Iterator[dict[str, Endpoint]]:
    with ExitStack() as doors:
        yield {name: doors.enter_context(Endpoint(lambda _: '{"operations": []}')) for name in SECRETS}


def test_they_share_nothing(asked: dict[str, Endpoint], new_wiki: Path, tmp_path: Path) -> None:
    models = {"one": "openai/x", "two": "mistral/x"}
    with light_litellm(), ExitStack() as doors:
        wikis = {name: copied(new_wiki, tmp_path / name) for name in SECRETS}
        open_ = {name: doors.enter_context(Repository(root)) for name, root in wikis.items()}
        curators = {}
        for name, repository in open_.items():
            config = Config(model=models[name], api_base=asked[name].url, max_attempts=1)
            curators[name] = doors.enter_context(choose.open_model(config, KEYS, repository.runtime))
        for name, repository in open_.items():
            # The very same source comes first: an answer to one wiki's is none to the other's.
            for file, text in (("same.txt", "Tea is a drink.\n"), ("own.txt", SECRETS[name])):
                with pytest.raises(Exception, match=r"nothing|proposal"):
                    take_in(drop(wikis[name], file, text), repository, curators[name])

        providers = [each.provider for each in curators.values() if isinstance(each, LanguageModel)]
        workers = [each._worker for each in providers if isinstance(each, Provider)]

    assert len({id(worker) for worker in workers}) == 2
    assert [dict(worker._environment) for worker in workers] == [
        {"OPENAI_API_KEY": "key-of-one"},
        {"MISTRAL_API_KEY": "key-of-two"},
    ]
    for name, other in (("one", "two"), ("two", "one")):
        said = json.dumps(asked[name].requests) + json.dumps([dict(each) for each in asked[name].headers])
        assert SECRETS[name].split()[3] in said
        assert "Tea is a drink." in said
        assert SECRETS[other].split()[3] not in said
        assert f"key-of-{other}" not in said
        kept = b"".join(file.read_bytes() for file in (wikis[name] / ".git" / "curator").rglob("*") if file.is_file())
        assert SECRETS[other].split()[3].encode() not in kept
