"""Records of what a model was given: a context run in the public form, a usage log, and the same context from them again.

The public record has no room for digests; so each pack's line of the usage log has them, with the run's id: the files by
their hash, the sections by their places, and the hash of the text that was handed out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from curator.errors import ConfigError
from curator.finding import Finding
from curator.models.port import estimate_tokens
from curator.packs.context.resolver import ActivePack, ContextRequest, ContextSelection, SelectedPack, reselected
from curator.packs.context.wrapper import wrap
from curator.packs.pack import KnowledgePack
from curator.packs.reader import PackFiles
from curator.system import atomic
from curator.system.clocks import utc_timestamp
from curator.system.filenames import printable
from curator.version import __version__
from curator.wiki.workspace.refs import FILE

USAGE = "usage.jsonl"
_SEVERITIES = {"warn": "warning"}
_WORST = ("disputed", "stale", "needs-review")


@dataclass(frozen=True)
class ContextRecord:
    """One run: the public record, and a line of the usage log for each pack."""

    run: Mapping[str, Any]
    usage: tuple[Mapping[str, Any], ...]

    @property
    def name(self) -> str:
        return f"{self.run['run_id']}.json"

    def write(self, folder: Path) -> Path:
        """Put both into ``folder``, as ``context-<time>.json`` and a few more lines of ``usage.jsonl``."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / self.name
        atomic.write(file, f"{json.dumps(self.run, indent=2, ensure_ascii=False)}\n".encode())
        log = folder / USAGE
        before = log.read_bytes() if log.exists() else b""
        lines = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in self.usage)
        atomic.write(log, before + lines.encode())
        return file


def record(selection: ContextSelection, now: datetime, taken: Callable[[str], bool] = lambda _: False) -> ContextRecord:
    """What was selected at ``now``; ``taken`` says of a run's id that there is one already."""
    run_id = f"context-{now.strftime('%Y-%m-%dT%H-%M-%SZ')}"
    numbered = [run_id, *(f"{run_id}-{number}" for number in range(2, 1000))]
    run_id = next(each for each in numbered if not taken(each))
    text = wrap(selection)
    run: dict[str, Any] = {
        "run_id": run_id,
        "query": selection.request.query,
        "status": _status(selection),
        "resolver": {"tool": "curator", "version": __version__, "strategy": "profile-sections"},
        "activated_packs": [_activated(each, order) for order, each in enumerate(selection.packs, start=1)],
        "missing": list(selection.missing),
        "token_estimate": estimate_tokens(text),
        "wrapper_order": [each.pack.name for each in selection.packs],
    }
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return ContextRecord(run, tuple(_usage(each, selection.request, run_id, digest, now) for each in selection.packs))


def _status(selection: ContextSelection) -> str:
    if not any(each.sections for each in selection.packs):
        return "failed"
    statuses = {each.pack.properties.status for each in selection.packs}
    return next((status for status in _WORST if status in statuses), "passed")


def _activated(selected: SelectedPack, order: int) -> dict[str, Any]:
    said = selected.pack.properties
    value: dict[str, Any] = {
        "name": said.name,
        "activation": selected.active.activation,
        "status": said.status,
        "trust": selected.pack.trust,
        "grounding": said.grounding,
        "profile": said.profile,
        "runtime_mode": said.mode,
        "selected_files": list(selected.selected),
        "selected_documents": [path for path in selected.selected if path.startswith("documents/")],
        "selected_splits": [path for path in selected.selected if path.startswith("compiled/splits/")],
        "source_anchors": list(selected.anchors),
        "wrapper_order": order,
        "warnings": [_warning(finding) for finding in selected.warnings],
    }
    if said.produced_by.get("kind") == "skill" and said.produced_by.get("name"):
        value["builder_skill"] = {
            key: said.produced_by[key] for key in ("name", "version", "digest") if key in said.produced_by
        }
    return value


def _warning(finding: Finding) -> dict[str, str]:
    severity = _SEVERITIES.get(finding.severity, finding.severity)
    return {"severity": severity, "path": finding.path, "message": finding.message}


def _usage(selected: SelectedPack, request: ContextRequest, run_id: str, digest: str, now: datetime) -> dict[str, Any]:
    said = selected.pack.properties
    return {
        "pack": said.name,
        "version": said.version,
        "status": said.status,
        "profile": said.profile,
        "runtime_mode": said.mode,
        "selected_files": list(selected.selected),
        "grounding": said.grounding,
        "citation_gaps": list(selected.citation_gaps),
        "warnings": [finding.message for finding in selected.warnings],
        "timestamp": utc_timestamp(now),
        "run_id": run_id,
        "pack_root": selected.pack.root,
        "commit": selected.active.files.version,
        "activation": selected.active.activation,
        "request": {"query": request.query, "budget": request.budget, "evidence": request.evidence},
        "is_about": selected.is_about,
        "sections": [each.place for each in selected.sections],
        "excerpts": [each.place for each in selected.excerpts],
        "files": {path: _digest(selected.active.files, path) for path in (FILE, *selected.selected)},
        "context_sha256": digest,
    }


def _digest(files: PackFiles, path: str) -> str:
    return hashlib.sha256((files.read(path) or "").encode("utf-8", "surrogatepass")).hexdigest()


# -- the same once more --------------------------------------------------------------------------------------------


def rehydrated(file: Path, load: Callable[[str], ActivePack]) -> ContextSelection:
    """The context of the run recorded in ``file``, the same to the byte. ``load`` opens the pack in a folder.

    Raises ConfigError that names every file that has changed, or that the run is not one of ours.
    """
    try:
        return _rehydrated(file, load)
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        is_alone = file.exists() and not file.with_name(USAGE).exists()
        why = f"there is no {USAGE} beside it" if is_alone else getattr(error, "strerror", None) or error
        said = f"{printable(file)} and {USAGE} cannot be read as the record of a run: {why}"
        raise ConfigError("run_unreadable", said, "record the context anew") from error


def _rehydrated(file: Path, load: Callable[[str], ActivePack]) -> ContextSelection:
    lines = list(_lines_of(file))
    selected: list[SelectedPack] = []
    changed: list[str] = []
    for line in lines:
        active = load(str(line["pack_root"]))
        changed += [
            f"{line['pack']}: {path}" for path, digest in line["files"].items() if _digest(active.files, path) != digest
        ]
        places, about = (line["sections"], line["excerpts"]), bool(line.get("is_about", line["sections"]))
        selected.append(reselected(active, line["activation"], *places, _request(line), is_about=about))
    if changed:
        said = f"changed since the run: {printable(', '.join(changed))}"
        raise ConfigError("context_changed", said, "ask for the context anew")
    run = json.loads(file.read_text("utf-8"))
    found = ContextSelection(_request(lines[0]), tuple(selected), tuple(run.get("missing", ())))
    digest = hashlib.sha256(wrap(found).encode("utf-8", "surrogatepass")).hexdigest()
    if digest != lines[0]["context_sha256"]:
        said = "no file has changed, but what is said of the packs has: their trust, or the version of curator"
        raise ConfigError("context_changed", said, "ask for the context anew")
    return found


def _request(line: Mapping[str, Any]) -> ContextRequest:
    return ContextRequest(**line["request"])


def _lines_of(file: Path) -> Iterator[Mapping[str, Any]]:
    log = file.with_name(USAGE)
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    mine = [line for line in lines if line["run_id"] == file.stem]
    if not mine:
        raise ConfigError("run_unknown", f"{printable(log)} has no line of {file.stem}", "record the context anew")
    yield from mine


# -- one session ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PackSession:
    """The packs whose guides a session has been told, each with the digest of what it held then."""

    file: Path

    def is_new(self, pack: KnowledgePack, files: PackFiles) -> bool:
        """True the first time, and when the pack has changed since; from now on the session knows it."""
        try:
            known = dict(json.loads(self.file.read_text("utf-8")))
        except FileNotFoundError:
            known = {}
        except (OSError, ValueError, TypeError) as error:
            said = f"{printable(self.file)} cannot be read: {error}"
            raise ConfigError("session_unreadable", said, "name another file") from error
        digest = files.digest()
        if known.get(pack.root) == digest:
            return False
        atomic.write(self.file, f"{json.dumps({**known, pack.root: digest}, indent=1, sort_keys=True)}\n".encode())
        return True
