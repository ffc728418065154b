"""A generated wiki of any size with faults planted in it: what ``curate lint`` must find there, and nothing else.

Every page has eight claims, each with the words of a source behind it. The pages lead to each other in a ring. For each
fault there are pages of its own beside the sound ones, so that what is expected is one code and one path.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import combinations, islice
from pathlib import Path

from curator.cli.commands import init
from curator.wiki import index, log
from curator.wiki.pages.page import Page, is_page
from curator.wiki.wiki import PageEntry

WORDS = (
    "kettle harvest orchard lantern meadow copper saddle timber anchor barrel candle dough ember furrow granary hinge "
    "inkwell jigsaw kiln ledger mortar needle oakum pewter quarry rivet spindle thatch urn varnish whetstone yarn zinc "
    "apron bellow chisel dowel easel flint gimlet hopper ingot joist keel lathe mallet nozzle oven plumb quill rasp"
).split()
CLAIMS = 8
PAGES_OF_A_SOURCE = 10
OF_A_THOUSAND = 1
"""So many pages of a thousand have each fault; in a small wiki one."""

Expected = set[tuple[str, str]]
"""Codes and paths."""


@dataclass
class Planted:
    """The files of a wiki by path, and what is to be found in them."""

    files: dict[str, str] = field(default_factory=dict)
    unlisted: set[str] = field(default_factory=set)
    """Pages that the index leaves out."""
    expected: Expected = field(default_factory=set)
    pinned: dict[str, str] = field(default_factory=dict)
    """What was taken in, where another text or none lies there by now."""
    links: list[str] = field(default_factory=list)
    """The slugs of planted pages that some page has to lead to."""

    def add(self, slug: str, body: str | None = None, *codes: str, linked: bool = True, **fields: str) -> str:
        """A page on which ``codes`` are to be found; its path."""
        path, text = page(slug, body, **fields)
        self.files[path] = text
        self.expected |= {(code, path) for code in codes}
        if linked:
            self.links.append(slug)
        return path


def wiki(size: int) -> Planted:
    """About ``size`` pages: the sound ones, and those with faults."""
    chance = random.Random(size)
    made = Planted()
    rounds = max(1, size * OF_A_THOUSAND // 1000)
    for number in range(rounds):
        before = set(made.files)
        for fault in FAULTS:
            fault(made, f"{WORDS[number % len(WORDS)]}-{number}")
        size -= len(made.files) - len(before)
    _once(made)
    _sound(made, max(3, size), chance)
    return made


# -- sound pages ---------------------------------------------------------------------------------------------------


def _sound(made: Planted, size: int, chance: random.Random) -> None:
    names = ["-".join(words) for words in islice(combinations(WORDS, 4), size)]
    share = -(-len(made.links) // size)
    lines: list[str] = []
    for number, slug in enumerate(names):
        if number % PAGES_OF_A_SOURCE == 0:
            lines = [_sentence(chance) for _ in range(CLAIMS * PAGES_OF_A_SOURCE)]
            source = f"sources/notes-{number // PAGES_OF_A_SOURCE}.txt"
            made.files[source] = made.pinned[source] = "\n".join(lines) + "\n"
        first = number % PAGES_OF_A_SOURCE * CLAIMS
        others = [names[(number + 1) % len(names)], *(chance.choice(names) for _ in range(2))]
        others += made.links[number * share : (number + 1) * share]
        path, text = page(slug, _body(slug, source, lines, first, others), sources=f"[{source}]")
        made.files[path] = text


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=14)).capitalize() + "."


def _body(slug: str, source: str, lines: list[str], first: int, others: list[str]) -> str:
    label = source.partition("/")[2].removesuffix(".txt")
    mine = list(enumerate(lines[first : first + CLAIMS], start=1))
    said = [f"{line} [^{label}-{n}]" for n, line in mine]
    notes = [f'[^{label}-{n}]: {source}#L{first + n} "{line}"' for n, line in mine]
    middle = "\n".join(f"- {line}" for line in said[1:-1])
    also = " ".join(f"[[{other}]]" for other in others)
    return f"{said[0]}\n\n## Notes\n\n{middle}\n\n{said[-1]}\n\nSee also: {also}\n\n" + "\n".join(notes)


TEA = "Oolong is partly oxidised.\nGreen tea is not oxidised at all.\nBlack tea is fully oxidised.\n"
SOURCE = "sources/tea.txt"
NOTE = f'[^t]: {SOURCE}#L1 "Oolong is partly oxidised."'


def page(slug: str, body: str | None = None, kind: str = "concept", **fields: str) -> tuple[str, str]:
    """Path and text of a page without a fault; ``fields`` are written as they are, an empty one is left out."""
    title = fields.pop("title", slug.replace("-", " ").capitalize())
    head = {
        "schema": "knowledge/v1",
        "slug": slug,
        "kind": kind,
        "title": title,
        "sources": f"[{SOURCE}]",
        "confidence": "0.7",
        "updated_at": "2026-04-30T12:00:00Z",
        **fields,
    }
    lines = "".join(f"{key}: {value}\n" for key, value in head.items() if value)
    body = f"The {title} is partly oxidised. [^t]\n\n{NOTE}" if body is None else body
    path = fields.get("path", {"entity": "entities", "summary": "summaries"}.get(kind, f"{kind}s") + f"/{slug}.md")
    return path, f"---\n{lines}---\n\n# {title}\n\n{body}\n"


# -- faults: each gets a name of its own -----------------------------------------------------------------------------

Fault = Callable[[Planted, str], object]


def _of_claims(made: Planted, name: str) -> None:
    made.add(f"bare-{name}", "Nothing is cited here.", "claim_uncited")
    made.add(f"mark-{name}", f"It is tea. [^t] [^lost]\n\n{NOTE}", "citation_undefined")
    made.add(f"idle-{name}", f"It is tea. [^t]\n\n{NOTE}\n[^idle]: a remark", "note_unused")
    made.add(f"loose-{name}", f"It is tea. [^t] [^u]\n\n{NOTE}\n[^u]: {SOURCE} somewhere", "note_invalid")
    made.add(f"inline-{name}", f"As [it](../{SOURCE}) says. [^t]\n\n{NOTE}", "link_inline_to_source")
    made.add(f"unlisted-{name}", None, "source_unlisted", sources="[sources/more.txt]")


def _of_heads(made: Planted, name: str) -> None:
    made.add(f"torn-{name}", None, "frontmatter_unreadable", confidence="[")
    made.add(f"sure-{name}", None, "confidence_laundered", confidence="1.0")
    made.add(f"low-{name}", None, "confidence_low", confidence="0.2")
    made.add(f"stale-{name}", None, "claim_stale", updated_at="1990-01-01T00:00:00Z")
    investor = "{curator: {type: Investor, role: owner, lead_partner: %s}}"
    made.add(f"investor-{name}", None, "field_missing", kind="entity", metadata=investor % "''")
    made.add(f"backer-{name}", None, kind="entity", metadata=investor % "Ada")
    made.add(f"sourceless-{name}", f"See also: [[bare-{name}]]", "source_required", sources="")


def _of_sources(made: Planted, name: str) -> None:
    gone = f"[{SOURCE}, sources/gone-{name}.txt]"
    made.add(f"cites-{name}", None, "source_unresolved", sources=gone)
    made.files[f"sources/waits-{name}.txt"] = "Nobody took it in.\n"
    made.expected.add(("source_unregistered", f"sources/waits-{name}.txt"))
    changed, lost = f"sources/changed-{name}.txt", f"sources/lost-{name}.txt"
    made.pinned[changed], made.files[changed] = "Once.\n", "Twice.\n"
    made.pinned[lost] = "It was here.\n"
    made.expected |= {("source_hash_mismatch", changed), ("source_not_found", lost)}


def _of_evidence(made: Planted, name: str) -> None:
    false = f'[^t]: {SOURCE}#L1 "Oolong is never oxidised at all."'
    made.add(f"false-{name}", f"It is tea. [^t]\n\n{false}", "evidence_missing")
    moved = f'[^t]: {SOURCE}#L3 "Oolong is partly oxidised."'
    made.add(f"moved-{name}", f"It is tea. [^t]\n\n{moved}", "evidence_moved")
    made.add(
        f"odd-{name}",
        'It is tea. [^t]\n\n[^t]: sources/odd.xyz#L1 "Oolong is partly oxidised."',
        "evidence_unchecked",
        sources="[sources/odd.xyz]",
    )

    book = f"sources/book-{name}.djvu"
    made.files[book] = made.pinned[book] = "%PDF, and no reader for it\n"
    made.add(f"paged-{name}", f'It is tea. [^t]\n\n[^t]: {book}#p3 "Oolong is oxidised."', sources=f"[{book}]")
    made.expected.add(("evidence_unchecked", book))


def _of_links(made: Planted, name: str) -> None:
    made.add(f"past-{name}", f"It is like [[bare-{name}#No such]]. [^t]\n\n{NOTE}", "link_anchor_broken")
    made.add(f"right-{name}", f"It is [[bare-{name}#bare {name}]] [so](#right-{name}). [^t]\n\n{NOTE}")
    made.add(f"broken-{name}", f"It leads [[nowhere {name}]]. [^t]\n\n{NOTE}", "link_broken")
    path = made.add(f"lonely-{name}", None, "entry_orphan", linked=False)
    made.unlisted.add(path)
    made.add(f"alone-{name}", None, "entry_unlinked", linked=False)
    for word in "abc":
        body = f"It is made by **withering {name}** with {word}. [^t]\n\n{NOTE}"
        made.add(f"term-{word}-{name}", body, *(["page_missing"] if word == "a" else []))


def _of_relations(made: Planted, name: str) -> None:
    made.add(f"pro-{name}", None, "contradiction_unresolved", contradicts=f"[con-{name}]")
    made.add(f"con-{name}", None, "contradiction_unresolved", contradicts=f"[pro-{name}]")
    made.add(f"half-{name}", None, "contradiction_unresolved", "contradiction_one_sided", contradicts=f"[pro-{name}]")
    made.add(f"lost-{name}", None, "relation_broken", supersedes=f"[gone-{name}]")
    made.add(f"self-{name}", None, "relation_to_self", supersedes=f"[self-{name}]")
    made.add(f"new-{name}", None, supersedes=f"[old-{name}]")
    made.add(f"old-{name}", None, linked=False)
    made.add(f"late-{name}", f"It is unlike [[old-{name}]]. [^t]\n\n{NOTE}", "link_superseded")


def _of_names(made: Planted, name: str) -> None:
    made.add(f"twin-{name}", None)
    made.add(f"twin-{name}", None, "slug_taken", kind="entity", title=f"Other {name}")
    made.add(f"known-{name}", None)
    made.add(f"named-{name}", None, "name_taken", aliases=f"[Known {name.replace('-', ' ')}]")
    made.add(f"pot-tea-{name}", None)
    made.add(f"tea-pot-{name}", None, "name_alike")
    said = [f"The {name} is oxidised in step {n} of its long making. [^t]" for n in range(5)]
    made.add(f"copier-{name}", "\n\n".join([*said, NOTE]))
    made.add(f"copy-{name}", "\n\n".join([*said[:4], "It is a drink. [^t]", NOTE]), "page_duplicate")


FAULTS: tuple[Fault, ...] = (
    _of_claims,
    _of_heads,
    _of_sources,
    _of_evidence,
    _of_links,
    _of_relations,
    _of_names,
)


_TYPES = """  - {name: Investor, parent: Person, fields: [lead_partner]}
  - {name: Person, fields: [role]}
"""
_VIEW = """---
schema: knowledge.workspace/v1
name: ada
title: Ada's view
description: How Ada sees the wiki; a manifest, and no page.
version: 1.0.0
extends: ../../KNOWLEDGE.md
---
"""


def _once(made: Planted) -> None:
    """What a wiki has one of: its contract, its generated files."""
    files = init.contents("Bench")
    lints = "lints:\n" + "".join(
        f"  - {{{lint}}}\n"
        for lint in (
            'id: old, kind: max-age, appliesTo: "*", severity: warn, params: {days: 9000}',
            'id: sure, kind: min-confidence, appliesTo: "*", severity: warn, params: {min: 0.3}',
            'id: no-such-rule, kind: custom, appliesTo: "*", severity: warn',
            'id: no-limit, kind: max-age, appliesTo: "*", severity: warn',
        )
    )
    before, _, after = files["KNOWLEDGE.md"].partition("lints:\n")
    files["KNOWLEDGE.md"] = f"{before}{lints}\nsources:\n{after.partition('sources:' + chr(10))[2]}"
    files["KNOWLEDGE.md"] = files["KNOWLEDGE.md"].replace("entityTypes:\n", f"entityTypes:\n{_TYPES}", 1)
    made.files |= files
    made.files["operators/ada/KNOWLEDGE.md"] = _VIEW
    made.files["operators/ada/notes.md"] = "Mind the bench.\n"
    made.files[log.PATH] += "\n## nothing of the kind\n"
    made.files |= {SOURCE: TEA, "sources/odd.xyz": TEA, "sources/more.txt": "More.\n"}
    made.pinned |= {SOURCE: TEA, "sources/odd.xyz": TEA, "sources/more.txt": "More.\n"}
    made.expected |= {
        ("not_pages", "operators/ada/notes.md"),
        ("lint_invalid", "KNOWLEDGE.md"),
        ("lint_unknown", "KNOWLEDGE.md"),
        ("wiki_schema_drift", "AGENTS.md"),
        ("log_line_invalid", log.PATH),
        ("index_stale", index.PATH),
    }


# -- on disk -------------------------------------------------------------------------------------------------------


def main() -> None:
    """``python tests/support/planted.py FOLDER SIZE``: a wiki in FOLDER, and what is to be found in it as JSON."""
    made = wiki(int(sys.argv[2]))
    write(made, Path(sys.argv[1]))
    print(json.dumps(sorted(made.expected)))


def write(made: Planted, root: Path) -> None:
    """The wiki in ``root``, in one commit."""
    records = {
        path: {"contentHash": sha256(text.encode()).hexdigest(), "slugs": []} for path, text in made.pinned.items()
    }
    listed = [
        Page(path, text) for path, text in made.files.items() if is_page(path, text) and path not in made.unlisted
    ]
    readable = [page for page in listed if page.is_readable]
    torn = [_unreadable(page.path) for page in listed if not page.is_readable]
    files = {
        **made.files,
        "_manifest.json": json.dumps({"version": 1, "hashAlgo": "sha256", "sources": records}, indent=2) + "\n",
        index.PATH: index.render([*map(PageEntry.of, readable), *torn]),
    }
    root.mkdir(parents=True, exist_ok=True)
    for command in (["init", "-q", "-b", "main"], ["fast-import", "--quiet"], ["reset", "-q", "--hard"]):
        stream = _commit_of(files) if "fast-import" in command else b""
        subprocess.run(["git", *command], cwd=root, input=stream, check=True)


def _commit_of(files: Mapping[str, str]) -> bytes:
    """A commit of these files as ``git fast-import`` reads it: of 100,000 files, sooner by minutes than ``git add``."""
    parts = [b"commit refs/heads/main\ncommitter bench <bench@localhost> 1767225600 +0000\ndata 5\npages\n"]
    for path, text in files.items():
        data = text.encode()
        parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    return b"".join(parts)


def _unreadable(path: str) -> PageEntry:
    stem = path.rpartition("/")[2].removesuffix(".md")
    return PageEntry(slug=stem, path=path, title=stem, kind="page")


def misses(made: Planted, found: Expected) -> Iterator[str]:
    """What was planted and not found, and what was found and not planted; empty when all is well."""
    yield from (f"not found: {code} on {path}" for code, path in sorted(made.expected - found))
    yield from (f"false: {code} on {path}" for code, path in sorted(found - made.expected))


if __name__ == "__main__":
    main()
