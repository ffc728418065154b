"""Makes sample-wiki anew from its sources: all but the newest are taken in, each on its own day.

    python tests/scripts/sample.py

Run it when the built-in curator or the templates change; a test says when it is due.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[2] / "sample-wiki"
TITLE = "Harrow Valley beekeeping"


def make(folder: Path, curate: Sequence[str] = (sys.executable, "-m", "curator")) -> None:
    """The sample wiki in ``folder``, with the newest source waiting."""
    *taken_in, waiting = sorted(path for path in (SAMPLE / "sources").iterdir() if not path.name.startswith("."))
    settings = folder.parent / "settings"
    _curate(curate, taken_in[0], settings, "init", str(folder), "--title", TITLE)
    for source in taken_in:
        _curate(curate, source, settings, "--wiki", str(folder), "ingest", str(source))
    shutil.copyfile(waiting, folder / "sources" / waiting.name)


def _curate(curate: Sequence[str], source: Path, settings: Path, *arguments: str) -> None:
    day = datetime.fromisoformat(f"{source.name[:10]}T12:00:00").replace(tzinfo=UTC)
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "CURATOR_"))},
        "SOURCE_DATE_EPOCH": str(int(day.timestamp())),
        "XDG_CONFIG_HOME": str(settings),
    }
    subprocess.run([*curate, *arguments], check=True, env=environment, stdout=sys.stderr)


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        made = Path(temporary) / "wiki"
        make(made)
        shutil.rmtree(made / ".git")
        shutil.rmtree(SAMPLE)
        shutil.copytree(made, SAMPLE)


if __name__ == "__main__":
    main()
