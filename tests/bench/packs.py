"""``make bench`` for packs: the catalog of 1,000 of them, and a context from a wiki of each size."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from curator.models.port import estimate_tokens
from support.packs import pack

Run = Callable[[list[str], Path], tuple[Any, ...]]
Measured = tuple[str, list[tuple[float, float]], str]
MANY = 1_000
BUDGET = "1500"
_REPEATS = 3


def catalog(folder: Path, run: Run) -> Measured:
    """Packs of the project's, found and listed; as the user of the machine has nothing to do with them."""
    os.environ["XDG_CONFIG_HOME"] = str(folder / "config")
    for number in range(MANY):
        pack(folder / "project/.agents/knowledge" / f"pack-{number:04}")
    runs = [run(["packs", "catalog", "--json"], folder / "project") for _ in range(_REPEATS)]
    tokens = estimate_tokens(json.loads(runs[0][2])["text"])
    return f"packs catalog, {MANY:,} packs", [each[:2] for each in runs], f"{tokens // MANY} tokens a pack"


def context(root: Path, run: Run) -> Iterator[Measured]:
    """A context of the wiki at ``root``, which the user has approved for good."""
    os.environ["XDG_CONFIG_HOME"] = str(root.parent / "config")
    run(["packs", "approve", str(root), "--follow"], root)
    command = [
        "packs",
        "context",
        "What is said of the kettle and the harvest?",
        "--pack",
        str(root),
        "--budget",
        BUDGET,
    ]
    runs = [run([*command, "--json"], root) for _ in range(_REPEATS)]
    said = json.loads(runs[0][2].partition(b"\nwarn")[0])
    yield "packs context", [each[:2] for each in runs], f"{estimate_tokens(said['text']):,} tokens of {BUDGET}"
    exports = [run(["packs", "export", str(root.parent / "export"), "--json"], root)[:2] for _ in range(2)]
    yield "packs export, first", exports[:1], ""
    yield "packs export, nothing new", exports[1:], ""
