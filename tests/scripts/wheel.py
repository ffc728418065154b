"""``make wheel``: builds the wheel, installs it into an environment of its own, and runs ``curate`` from there."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    dist = ROOT / "dist"
    _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(dist), str(ROOT))
    wheel = max(dist.glob("curate_wiki-*.whl"), key=lambda path: path.stat().st_mtime)
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    strangers = {top for top in tops if top != "curator" and not top.endswith(".dist-info")}
    if strangers:
        print(f"{wheel.name} installs {', '.join(sorted(strangers))} beside curator")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "venv"
        # The dependencies are those of this environment: what is tried here is the wheel, not the package index.
        venv.create(environment, with_pip=False, symlinks=True)
        site = next((environment / "lib").glob("python*/site-packages"))
        zipfile.ZipFile(wheel).extractall(site)
        (site / "dependencies.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
        python = str(environment / "bin" / "python")
        wiki = Path(folder) / "wiki"
        source = Path(folder) / "note.md"
        source.write_text("# Kettles\n\nA kettle is a vessel with a spout in which water is boiled for tea.\n", "utf-8")
        _run(python, "-P", "-m", "curator", "--version", cwd=folder)
        _run(python, "-P", "-m", "curator", "init", str(wiki), cwd=folder)
        _run(python, "-P", "-m", "curator", "--wiki", str(wiki), "ingest", str(source), cwd=folder)
    print(f"{wheel.relative_to(ROOT)} works")
    return 0


def _run(*command: str, cwd: str | None = None) -> None:
    subprocess.run(command, check=True, cwd=cwd)


if __name__ == "__main__":
    sys.exit(main())
