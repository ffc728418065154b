"""``curate mcp`` as a client starts it: stdout is the protocol's alone; what is wrong is said before anybody connects."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from curator.cli import cli

PRINTS = """
import os
import curator.cli.commands.search as search
from curator.__main__ import main

found = search.run

def run(*arguments):
    print("stray words")
    os.system("echo stray words of a child; cat")
    return found(*arguments)

search.run = run
main()
"""
"""curate, with a search that prints, and starts a child that prints and reads."""


def test_stdout_carries_nothing_but_the_protocol(wiki: Path) -> None:
    pytest.importorskip("mcp", reason="the extra mcp is not installed: pip install 'curate-wiki[mcp]'")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    search = {"name": "search", "arguments": {"query": "oolong"}}
    command = [sys.executable, "-P", "-c", PRINTS, "mcp", "--wiki", str(wiki)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None

        def asked(number: int, method: str, params: Any) -> dict[str, Any]:
            assert process.stdin is not None and process.stdout is not None
            line = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            process.stdin.write(f"no protocol\n{line}\n")
            process.stdin.flush()
            answer: dict[str, Any] = json.loads(process.stdout.readline())
            assert answer["id"] == number
            return answer["result"]  # type: ignore[no-any-return]

        assert asked(1, "initialize", hello)["serverInfo"]["name"] == "curator"
        assert "concepts/oolong.md" in asked(2, "tools/call", search)["content"][0]["text"]
        process.stdin.close()
        assert process.stdout.read() == ""
        told = process.stderr.read()

    assert process.returncode == 0
    assert "stray words" in told and "stray words of a child" in told and "Traceback" not in told


def started(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["mcp", *arguments], prog_name="curate", standalone_mode=False)


def test_what_is_wrong_is_said_on_stderr_before_anybody_connects(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments, code in (
        (["--wiki", str(tmp_path)], "there is no KNOWLEDGE.md"),
        (["--wiki", str(root), "--view", "none"], "none"),
    ):
        result = started(*arguments)
        assert result.return_value == 2 and result.stdout == "" and code in result.stderr
    monkeypatch.setenv("CURATOR_MCP_TOKEN", "short")
    assert "has to be 16 or more characters" in started("--wiki", str(root), "--http", "0").stderr


def test_without_the_sdk_it_says_what_to_install(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)

    result = started("--wiki", str(root))

    assert result.return_value == 2 and "pip install 'curate-wiki[mcp]'" in result.stderr and result.stdout == ""
