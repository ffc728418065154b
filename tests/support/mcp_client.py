"""A wiki served by the Model Context Protocol, in this process, and asked with the SDK's own client."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.client.client import Client

from curator.cli.mcp.served import ServedWiki
from curator.cli.mcp.server import server_of


def served(root: Path, **more: Any) -> ServedWiki:
    return ServedWiki(root, dict(os.environ), {}, **more)


def with_client(wiki: ServedWiki, asking: Callable[[Client], Awaitable[None]]) -> None:
    """Run ``asking`` with a client that is connected."""

    async def run() -> None:
        async with Client(server_of(wiki)) as client:
            await asking(client)

    anyio.run(run)


async def called(client: Client, name: str, **arguments: Any) -> str:
    """The text of an answer that is no error."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result
    return text_of(result)


async def refused(client: Client, name: str, **arguments: Any) -> dict[str, str]:
    """The code, message and hint of an error."""
    result = await client.call_tool(name, arguments)
    assert result.is_error
    told: dict[str, str] = json.loads(text_of(result))
    assert sorted(told) == ["code", "hint", "message"]
    return told


def text_of(result: Any) -> str:
    (block,) = result.content
    return str(block.text)
