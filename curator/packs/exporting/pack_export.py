"""A wiki as a pack for strangers: a pure function of a commit, in the form that strict readers of packs accept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from curator.packs.discovery.properties import properties_of
from curator.packs.exporting.statements import PageStatements, WikiStatement, WikiStatements
from curator.packs.pack import STATUSES
from curator.repository.snapshot import Snapshot
from curator.version import __version__
from curator.wiki.pages import nodes
from curator.wiki.workspace.refs import FILE

BRIEFED = 80
"""How many pages the briefing tells of, those with most statements first."""
_FACTS = "compiled/facts.md"
_BRIEFING = "compiled/briefing.md"
_BOUNDARIES = "compiled/boundaries.md"
_MAP = "indexes/source-map.json"
_GUIDE = """# {title}

{description}

This pack is the wiki {name} as of {day}, made by curator. Every statement in `compiled/facts.md` ends with the place in a
source that bears it out.

## Context map

| for | read |
|---|---|
| an overview | compiled/briefing.md |
| a single fact | compiled/facts.md |
| what is disputed, stale or unknown | compiled/boundaries.md |
| a subject in full | wiki/ |
| evidence | sources/, by the anchors; indexes/source-map.json finds them |
"""


@dataclass(frozen=True)
class PackExport:
    """The files of an export by path."""

    name: str
    files: Mapping[str, bytes]
    run: str
    """The path of the compile run among them."""


def export(snapshot: Snapshot) -> PackExport:
    """The pack of the wiki at a commit. Raises WikiError where its KNOWLEDGE.md cannot be read."""
    at = _time_of(snapshot)
    said = WikiStatements(snapshot, at)
    workspace = snapshot.workspace()
    files = {FILE: _manifest(snapshot, at).encode()}
    files[_BRIEFING] = _lines(_briefing(workspace.title, workspace.description, said.pages))
    files[_FACTS] = _lines(_facts(workspace.title, said.pages))
    files[_BOUNDARIES] = _lines(_boundaries(workspace.policy.grounding, snapshot, said.pages))
    inputs = dict(snapshot.contents([FILE]))
    for each in said.pages:
        files[f"wiki/{each.path.removeprefix('wiki/')}"] = inputs[each.path] = each.data
    cited = sorted({citation.path for one in said.all() for citation in one.citations})
    sources = dict(snapshot.contents(cited))
    files |= sources
    files[_MAP] = _source_map(said.all(), sources)
    run = f"runs/compile-{at.strftime('%Y-%m-%dT%H-%M-%SZ')}.json"
    files[run] = _json(_compile_run(run, {**inputs, **sources}, [*files, run], cited, said.pages))
    return PackExport(workspace.name, dict(sorted(files.items())), run)


def _time_of(snapshot: Snapshot) -> datetime:
    written = snapshot.repository.git.log("--max-count=1", "--format=%ct", snapshot.base).strip()
    return datetime.fromtimestamp(int(written), UTC)


# -- the files -----------------------------------------------------------------------------------------------------


def _manifest(snapshot: Snapshot, at: datetime) -> str:
    workspace = snapshot.workspace()
    said, _ = properties_of(snapshot.read(FILE) or "", FILE, workspace.name)
    status = said.status if said is not None and said.status in STATUSES else "needs-review"
    fields = {
        "name": workspace.name[:64],
        "description": " ".join(workspace.description.split())[:1024],
        "type": said.type if said is not None else "research-wiki",
        "status": status,
        "version": workspace.version,
        **({"language": said.language} if said is not None and said.language else {}),
        "profile": "wiki-first",
        "grounding": workspace.policy.grounding,
        "runtime": {"mode": "data"},
        "metadata": {"producedBy": {"kind": "tool", "name": "curator", "version": __version__}},
    }
    about = {"title": workspace.title, "description": workspace.description, "name": workspace.name}
    head = "".join(_head_lines(fields))
    return f"---\n{head}---\n\n{_GUIDE.format(**about, day=at.date())}"


def _head_lines(fields: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """A line a value, nested by two spaces: readers of packs go by lines, and know no braces and no folded text."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}:\n"
            yield from _head_lines(value, f"{indent}  ")
        else:
            yield f"{indent}{name}: {nodes.inline(value)}\n"


def _briefing(title: str, description: str, pages: Sequence[PageStatements]) -> Iterator[str]:
    """The first statement of each page that can be relied on."""
    yield from (f"# Briefing: {title}", "", description, "")
    firsts = [(each, next((one for one in each.statements if one.status == "confirmed"), None)) for each in pages]
    told = [(each, first) for each, first in firsts if first is not None]
    told.sort(key=lambda one: (-len(one[0].statements), one[0].path))
    for each, first in sorted(told[:BRIEFED], key=lambda one: (one[0].kind, one[0].path)):
        yield f"- {each.title}: {first.line}"
    if len(told) > BRIEFED:
        yield from ("", f"{len(told) - BRIEFED} more pages are in wiki/.")


def _facts(title: str, pages: Sequence[PageStatements]) -> Iterator[str]:
    """Every confirmed statement, page by page; each once, where it stands first."""
    yield f"# Facts: {title}"
    seen: set[str] = set()
    for each in pages:
        new = [one for one in each.statements if one.status == "confirmed" and one.line not in seen]
        seen |= {one.line for one in new}
        if new:
            yield from ("", f"## {each.title}", "", *(f"- {one.line}" for one in new))


def _boundaries(grounding: str, snapshot: Snapshot, pages: Sequence[PageStatements]) -> Iterator[str]:
    """What must not be relied on, and what is not there."""
    yield from ("# Boundaries", "", f"Grounding: {grounding}.")
    yield from _list("Disputed", (f"{p.title}, against {', '.join(p.contradicts)}" for p in pages if p.contradicts))
    yield from _list("Disputed statements", _of_status(pages, "disputed"))
    yield from _list("Superseded", (f"{p.title}, by {', '.join(p.superseded_by)}" for p in pages if p.superseded_by))
    yield from _list("Too old by the wiki's own rules", (p.title for p in pages if p.is_too_old))
    yield from _list("Stale statements", _of_status(pages, "stale"))
    known = snapshot.manifest().sources
    yield from _list(
        "Superseded sources",
        (f"{path}, by {known[path].superseded_by}" for path in sorted(known) if known[path].superseded_by),
    )
    yield from _list("Without a source", _of_status(pages, "source-required"))
    missing = sorted({target for p in pages for target in p.broken_links})
    yield from _list("Not in the wiki, though it is linked to", missing)


def _list(heading: str, items: Iterable[str]) -> Iterator[str]:
    for number, item in enumerate(items):
        if not number:
            yield from ("", f"## {heading}", "")
        yield f"- {item}"


def _of_status(pages: Sequence[PageStatements], status: str) -> Iterator[str]:
    for each in pages:
        yield from (f"{each.title}: {one.line}" for one in each.statements if one.status == status)


def _claims(statements: Iterable[WikiStatement], sources: Container[str]) -> Iterator[dict[str, Any]]:
    """Each statement with the first source that is in the pack, where readers look; the public form has room for one."""
    seen: set[str] = set()
    for one in statements:
        if one.id in seen or not one.text:
            continue
        seen.add(one.id)
        first = next((each for each in one.citations if each.path in sources), None)
        into = [_FACTS if one.status == "confirmed" else _BOUNDARIES, f"wiki/{one.page.removeprefix('wiki/')}"]
        source = {"path": first.path, "anchor": first.anchor} if first is not None else {"path": ""}
        yield {"claim_id": one.id, "text": one.text, "status": one.status, "source": source, "compiled_into": into}


def _source_map(statements: Iterable[WikiStatement], sources: Container[str]) -> bytes:
    """A claim a line: it is written many times as fast as one indented, and differs by the line."""
    out = BytesIO()  # a big wiki's claims are held once, not as texts, their text and its bytes
    out.write(b'{"claims": [\n')
    for number, each in enumerate(_claims(statements, sources)):
        out.write(b",\n" if number else b"")
        out.write(json.dumps(each, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    out.write(b"\n]}\n")
    return out.getvalue()


def _compile_run(
    run: str, inputs: Mapping[str, bytes], outputs: Iterable[str], cited: Iterable[str], pages: Sequence[PageStatements]
) -> dict[str, Any]:
    diagnostics = [
        {"severity": "warning", "path": path, "message": "cited, and not committed: its words cannot be looked up here"}
        for path in cited
        if path not in inputs
    ]
    open_ones = sum(one.status != "confirmed" for each in pages for one in each.statements)
    if open_ones:
        said = f"{open_ones} statements are disputed, stale or without a source"
        diagnostics.append({"severity": "info", "path": _BOUNDARIES, "message": said})
    return {
        "run_id": run.removeprefix("runs/").removesuffix(".json"),
        "trigger": "manual",
        "status": "passed",
        "compiler": {"tool": "curator", "version": __version__},
        "inputs": [{"path": path, "sha256": hashlib.sha256(inputs[path]).hexdigest()} for path in sorted(inputs)],
        "outputs": [{"path": path, "operation": "created"} for path in sorted(outputs)],
        "diagnostics": diagnostics,
    }


def _json(value: Any) -> bytes:
    return f"{json.dumps(value, indent=2, ensure_ascii=False)}\n".encode("utf-8", "surrogatepass")


def _lines(lines: Iterable[str]) -> bytes:
    out = BytesIO()
    for line in lines:
        out.write(line.encode("utf-8", "surrogatepass"))
        out.write(b"\n")
    return out.getvalue()
