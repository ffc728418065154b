"""What ``curate mcp`` takes on stdin and stdout: from the start of the process to its first answer, then call by call."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Run = tuple[float, float]
"""Seconds, and megabytes at the most."""

_CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
_CALLS: Mapping[str, Mapping[str, Any]] = {
    "search": {"query": "kettle harvest"},
    "page": {"page": "page-1"},
    "ask": {"question": "What is beside the kettle of copper?"},
}


def measured(root: Path, repeats: int) -> Iterator[tuple[str, list[Run]]]:
    """Rows of the bench: the first answer, and the median of each tool's later ones; the memory is the whole server's."""
    firsts: list[float] = []
    calls: dict[str, list[float]] = {name: [] for name in _CALLS}
    memory = 0.0
    for _ in range(repeats):
        with subprocess.Popen(
            [sys.executable, "-m", "curator", "mcp"], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            started = time.perf_counter()
            _asked(process, "initialize", _CLIENT)
            _called(process, "search")
            firsts.append(time.perf_counter() - started)
            for name, took in calls.items():
                for _ in range(repeats):
                    before = time.perf_counter()
                    _called(process, name)
                    took.append(time.perf_counter() - before)
            assert process.stdin is not None
            process.stdin.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            memory = max(memory, usage.ru_maxrss / 1024)
    yield "mcp: start to the first answer", [(seconds, memory) for seconds in firsts]
    for name, took in calls.items():
        yield f"mcp: {name}, warm", [(statistics.median(took), memory)]


def _called(process: subprocess.Popen[bytes], tool: str) -> None:
    result = _asked(process, "tools/call", {"name": tool, "arguments": _CALLS[tool]})
    if result["isError"]:
        raise SystemExit(f"{tool}: {result}")


def _asked(process: subprocess.Popen[bytes], method: str, params: Mapping[str, Any]) -> Any:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())["result"]
