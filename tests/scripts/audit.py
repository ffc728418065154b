"""An audit of a wiki that shares no code with curator: plain regular expressions over the files and git.

python tests/scripts/audit.py WIKI
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from urllib.parse import unquote

_NOTE = re.compile(r'^\[\^([^\]]+)\]: (sources/\S+)#(?:L(\d+)(?:-L(\d+))?|par\d+(?:-par\d+)?) "(.*)"$')


@dataclass
class Audit:
    """What was counted, and everything that is not as promised."""

    pages: int = 0
    quotes: int = 0
    links: int = 0
    commits: int = 0
    faults: list[str] = field(default_factory=list)


def audit(root: Path) -> Audit:
    """Every quote stands in its lines, every claim is cited, every link resolves, commits hold what they may."""
    found = Audit()
    pages = {
        path.stem: path.read_text("utf-8") for path in sorted(root.glob("*/*.md")) if path.parent.name != "sources"
    }
    found.pages = len(pages)
    for slug, text in pages.items():
        _quotes(root, slug, text, found)
        _claims(slug, text, found)
    _links(pages, found)
    _index(root, pages, found)
    _commits(root, found)
    return found


def _quotes(root: Path, slug: str, text: str, found: Audit) -> None:
    for line in text.split("\n"):
        if not re.match(r"\[\^[^\]]+\]:", line):
            continue
        note = _NOTE.match(line)
        if note is None:
            found.faults.append(f"{slug}: a footnote that is no citation: {line[:80]}")
            continue
        found.quotes += 1
        text = (root / unquote(note[2])).read_text("utf-8")
        if note[3] is not None:
            text = "\n".join(text.splitlines()[int(note[3]) - 1 : int(note[4] or note[3])])
        else:  # paragraphs are counted by a reader of the format: here they only have to stand somewhere
            text = unescape(re.sub(r"<[^>]*>", "", text))
        quoted = re.sub(r"\\([\[\]<!])", r"\1", note[5])
        if _folded(quoted) not in _folded(text):
            found.faults.append(f"{slug}: not where {line[:80]} says")


def _folded(text: str) -> str:
    """The letters and digits alone, without roles and targets of links, which a quote does not show."""
    text = re.sub(r":(pep|rfc):(?=`)", r"\1 ", text)
    text = re.sub(r":[a-z:+-]+:(?=`[^`\s])|(?<=[\w.)\]])\s+<[^<>`]+>(?=`)|\[#?\w+\]_|\]\([^()\s]*\)", "", text)
    return re.sub(r"[\W_]+", "", text).casefold()


def _claims(slug: str, text: str, found: Audit) -> None:
    body = text.split("\n---\n", 1)[1]
    labels = set(re.findall(r"^\[\^([^\]]+)\]:", body, re.MULTILINE))
    body = re.sub(r"^\|.*\|\n(?=\|[-: |]+\|$)", "", body, flags=re.MULTILINE)  # a table's head is a label
    body = re.sub(
        r"(?<=\])\n\n *(`{3,})[^`\n]*\n.*?\n *\1(?=\n)", "", body, flags=re.DOTALL
    )  # code rests on what stands above
    for block in re.split(r"\n\s*\n|\n(?=[-|] ?)", body):
        block = block.strip()
        if (
            not block
            or block.startswith(("#", "[^", "|--", "| --"))
            or re.fullmatch(r"(- )?\[\[(?:[^\]\\]|\\.)*\]\]", block)
        ):
            continue
        cited = set(re.findall(r"\[\^([^\]]+)\]", re.sub(r"`[^`\n]*`", "", block)))
        if not cited or not cited <= labels:
            found.faults.append(f"{slug}: no sound citation: {block[:80]}")


def _links(pages: dict[str, str], found: Audit) -> None:
    inbound: set[str] = set()
    for slug, text in pages.items():
        prose = re.sub(r"`[^`\n]*`|^\[\^.*$", "", text, flags=re.MULTILINE)
        for target in re.findall(r"(?<!\\)\[\[([^\]|#\\]+)", prose):
            found.links += 1
            if target in pages:
                inbound |= {target} if target != slug else set()
            else:
                found.faults.append(f"{slug}: broken link: {target}")
    for slug, text in pages.items():
        if slug not in inbound and "\nkind: summary\n" not in text:
            found.faults.append(f"{slug}: no page links to it")


def _index(root: Path, pages: dict[str, str], found: Audit) -> None:
    listed = re.findall(r"^- \[\[([^\]]+)\]\]", (root / "_index.md").read_text("utf-8"), re.MULTILINE)
    if sorted(listed) != sorted(pages):
        found.faults.append(f"the index lists {len(listed)} pages, there are {len(pages)}")


def _commits(root: Path, found: Audit) -> None:
    manifest = json.loads((root / "_manifest.json").read_text("utf-8"))["sources"]
    log = _git(root, "log", "--format=%H%x09%s", "--grep=^Curator-Source:")
    for line in filter(None, log.split("\n")):
        commit, subject = line.split("\t")
        found.commits += 1
        paths = set(_git(root, "show", "--name-only", "--format=", commit).split("\n"))
        source = subject.removeprefix("ingest: ")
        must = {"_log.md", "_manifest.json", source}
        may = {
            "_index.md",
            f"{source}.sig",
            f"{source}.asc",
        }  # the index stays as it is when no page and summary is new
        pages = paths - must - may
        others = [path for path in pages if not re.fullmatch(r"[a-z]+/[a-z0-9-]+\.md", path)]
        if not must <= paths or others or not pages:
            found.faults.append(f"{commit[:12]} {subject}: holds {sorted(paths)}")
        if source not in manifest:
            found.faults.append(f"{commit[:12]} {subject}: not in the manifest")
    if status := _git(root, "status", "--porcelain"):
        found.faults.append(f"the work tree is not clean: {status[:200]}")


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def main() -> int:
    found = audit(Path(sys.argv[1]))
    print(f"{found.pages} pages, {found.quotes} quotes, {found.links} links, {found.commits} commits")
    print("\n".join(found.faults) or "nothing amiss")
    return bool(found.faults)


if __name__ == "__main__":
    sys.exit(main())
