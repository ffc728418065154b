"""``curate mcp --http``, over a real socket: loopback by its own name, and the token, or nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed: pip install 'curate-wiki[mcp]'")

import anyio
import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from curator.cli.loopback import listening
from curator.cli.mcp.http import PATH, TOKEN, TokenGate, http_server, token_of
from curator.errors import ConfigError
from support.mcp_client import called, served

SECRET = "a-token-of-some-length"


def test_the_token_is_the_way_in(wiki: Path) -> None:
    listener = listening(0)
    server = http_server(served(wiki), listener, SECRET)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}{PATH}"

    async def asking() -> None:
        async with httpx2.AsyncClient(timeout=None) as stranger:
            answer = await stranger.post(address, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
            assert (answer.status_code, answer.json()["code"]) == (401, "token_refused")
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {SECRET}"}, timeout=None) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            assert "concepts/oolong.md" in await called(client, "search", query="oolong")

    async def run() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(server.serve, [listener])
            try:
                await asking()
            finally:
                server.should_exit = True

    anyio.run(run)


def gated(headers: Mapping[str, str], kind: str = "http") -> tuple[int, dict[str, Any]]:
    """The status of a request with ``headers``, and what is said of it."""
    sent: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"status": 200})
        await send({"body": b"{}"})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        raise AssertionError("nobody reads what a stranger sends")

    scope = {"type": kind, "headers": [(key.lower().encode(), value.encode()) for key, value in headers.items()]}
    anyio.run(TokenGate(application, SECRET, 8765), scope, receive, send)
    return sent[0]["status"], json.loads(sent[1]["body"])


OURS = {"Host": "127.0.0.1:8765", "Authorization": f"Bearer {SECRET}"}


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({}, 200, None),
        ({"Host": "LOCALHOST:8765", "Origin": "http://localhost:8765"}, 200, None),
        ({"Host": "wiki.example:8765"}, 421, "host_refused"),
        ({"Host": "127.0.0.1.wiki.example:8765"}, 421, "host_refused"),
        ({"Host": "127.0.0.1:8766"}, 421, "host_refused"),
        ({"Host": ""}, 421, "host_refused"),
        ({"Origin": "http://wiki.example"}, 403, "origin_refused"),
        ({"Origin": "null"}, 403, "origin_refused"),
        ({"Origin": "https://localhost:8765"}, 403, "origin_refused"),
        ({"Authorization": ""}, 401, "token_refused"),
        ({"Authorization": SECRET}, 401, "token_refused"),
        ({"Authorization": f"Bearer {SECRET}x"}, 401, "token_refused"),
        ({"Authorization": f"Basic {SECRET}"}, 401, "token_refused"),
    ],
)
def test_a_request_is_judged_by_host_origin_and_token(
    headers: Mapping[str, str], status: int, code: str | None
) -> None:
    found, told = gated({**OURS, **headers})

    assert (found, told.get("code")) == (status, code)


def test_a_socket_that_speaks_no_http_is_refused() -> None:
    assert gated(OURS, "websocket")[0] == 403


def test_a_token_is_taken_from_the_environment_or_made() -> None:
    assert token_of({TOKEN: SECRET}) == (SECRET, False)
    made = {token_of({}) for _ in range(3)}
    assert len(made) == 3 and all(is_new and len(token) > 40 for token, is_new in made)
    for weak in ("", "short", "with a space in it, and long", "naïve but long enough"):
        with pytest.raises(ConfigError) as caught:
            token_of({TOKEN: weak})
        assert caught.value.code == "token_weak"


def test_a_port_that_is_taken_is_said_so() -> None:
    with listening(0) as taken, pytest.raises(ConfigError) as caught:
        listening(taken.getsockname()[1])

    assert caught.value.code == "port_unusable"
