"""A model that is ready when it is asked in the browser: who lends its workers, and who starts no second lender."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra web is not installed: pip install 'curate-wiki[web]'")

from curator.cli.web.lenders import Lenders
from curator.cli.web.served import OpenWiki, named
from curator.service.model_lender import ModelLender
from support.depth import with_light_litellm

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="model workers are lent on Linux")


def test_one_lends_for_all_and_what_a_service_lends_is_left_to_it(wiki: Path) -> None:
    asked = {"CURATOR_MODEL": "openai/x", "OPENAI_API_KEY": "none", **with_light_litellm()}
    (shown,) = named([wiki], {**os.environ, **asked}, {}, writes=False)
    first, second = Lenders(), Lenders()
    with shown.opened() as opened:
        place = opened.snapshot.repository.runtime.model_socket
        service = ModelLender(wiki, place, [], shown.environment)
        try:
            first.ready(opened)
            assert service.is_lent
            second.ready(opened)
            second.end()
            assert service.is_lent

            service.start()  # takes the place
            first.end()
            assert service.is_lent
        finally:
            first.end()
            second.end()
            service.stop()
    assert not place.exists()


def test_without_a_model_nobody_lends(wiki: Path) -> None:
    (shown,) = named([wiki], {**os.environ, "CURATOR_MODEL": ""}, {}, writes=False)
    lenders = Lenders()
    with shown.opened() as opened:
        lenders.ready(opened)
        assert _place_of(opened).exists() is False


def _place_of(wiki: OpenWiki) -> Path:
    return wiki.snapshot.repository.runtime.model_socket
