"""``make demo``: takes the waiting source into a copy of sample-wiki, and shows one claim with its evidence."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[2] / "sample-wiki"


def main(folder: Path) -> int:
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(SAMPLE, folder)
    waiting = _commit_what_is_in(folder)
    print(f"the wiki:      {folder.resolve()}")
    print(f"the source:    {', '.join(waiting)}")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "curator",
            "--wiki",
            str(folder),
            "--json",
            "ingest",
            *(str(folder / w) for w in waiting),
        ],
        stdout=subprocess.PIPE,
        check=False,
        text=True,
    )
    report = json.loads(done.stdout)
    for result in report["results"]:
        if result["status"] != "ingested":
            print(json.dumps(result, indent=2))
            return 1
        print(f"curated by:    {result['model']}")
        print(f"the commit:    {result['commit'][:12]}")
        print(f"pages made:    {', '.join(result['created']) or 'none'}")
        print(f"pages changed: {', '.join(result['updated']) or 'none'}")
        _show_a_claim(folder, result)
    print(f"\nread it:       {folder / '_index.md'}, git -C {folder} show")
    print(f'go on:         export PATH="{Path(sys.executable).parent}:$PATH", then: curate init my-wiki')
    return 0


def _commit_what_is_in(folder: Path) -> list[str]:
    """Make the copy a repository whose sources are committed, but for those the manifest does not have: they wait."""
    manifest = json.loads((folder / "_manifest.json").read_text("utf-8"))
    sources = sorted(
        path.relative_to(folder).as_posix() for path in (folder / "sources").iterdir() if path.name[0] != "."
    )
    waiting = [path for path in sources if path not in manifest["sources"]]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=demo", "-c", "user.email=demo@localhost")
        subprocess.run(["git", *who, *arguments], cwd=folder, env=environment, check=True)

    git("init", "--quiet", "--initial-branch=main")
    git("add", "--", ".", *(f":!{path}" for path in waiting))
    git("commit", "--quiet", "--message", "The sample wiki")
    return waiting


def _show_a_claim(folder: Path, result: dict[str, list[str]]) -> None:
    """The first cited claim of the first page that was made or changed, and the quote under it."""
    slugs = [*result["created"], *result["updated"]]
    for page in sorted(folder.glob("*/*.md"), key=lambda path: slugs.index(path.stem) if path.stem in slugs else 999):
        lines = page.read_text("utf-8").splitlines()
        claim = next((line for line in lines if "[^" in line and not line.startswith("[^")), None)
        if page.stem in slugs and claim:
            label = claim[claim.rindex("[^") :].split("]")[0] + "]"
            note = next(line for line in lines if line.startswith(label + ":"))
            print(f"\none claim of {page.relative_to(folder)}:\n  {claim}\n  {note}")
            return


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".demo")))
