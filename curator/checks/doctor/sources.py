"""The source files on the disk against the manifest, and whether signatures of sources can be proven here."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace

from curator.checks.diagnosis import Diagnosis, found, of_error, quoted
from curator.checks.examined_wiki import ExaminedWiki
from curator.checks.source_bytes import changed_source
from curator.errors import ConfigError, CuratorError, WikiError
from curator.repository import source_files
from curator.repository.settings import Settings
from curator.repository.signatures import SignatureVerifier
from curator.system import digests, filenames
from curator.system.digests import HASHES
from curator.wiki.sources import registry
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.validation import SOURCE_NOT_FOUND

_SETTINGS_FILE = "curator.toml"


def examine_sources(wiki: ExaminedWiki) -> Iterator[Diagnosis]:
    """Every source of the manifest, and every file that is in ``sources/``."""
    try:
        known = SourceManifest.parse((wiki.data(registry.PATH) or b"").decode("utf-8", "replace"))
    except WikiError:
        return
    yield from _uncomputable(known, _wanted(wiki))
    for path in sorted(known.sources):
        yield from _one(wiki, path, known.digest(path))
    for file in source_files.files_below([wiki.root / "sources"], wiki.root):
        place = source_files.place_of(file, wiki.root)
        if place is not None and place.startswith("sources/") and place not in known.sources:
            message = "it is not in the wiki yet"
            yield found("info", "source_waiting", filenames.printable(place), message, f"curate ingest {quoted(place)}")


def _wanted(wiki: ExaminedWiki) -> frozenset[str]:
    """What new sources are to be pinned by; nothing where KNOWLEDGE.md cannot be read, which is told elsewhere."""
    try:
        return frozenset({wiki.snapshot.workspace().hash_algorithm})
    except CuratorError:
        return frozenset()


def _uncomputable(known: SourceManifest, wanted: frozenset[str]) -> Iterator[Diagnosis]:
    """The algorithms that sources are pinned by, or are to be, and that are not installed here."""
    for algorithm in sorted((known.algorithms | wanted) & {*HASHES}):
        try:
            digests.new(algorithm)
        except ConfigError as error:
            pinned = sum(known.digest(path).startswith(f"{algorithm}:") for path in known.sources)
            follows = f"{pinned} source(s) cannot be told from changed ones" if pinned else "none can be taken in"
            repair = error.hint if algorithm in wanted else error.hint.partition(";")[0]
            yield found("error", error.code, registry.PATH, f"{error.message}: {follows}", repair)


def _one(wiki: ExaminedWiki, path: str, pinned: str) -> Iterator[Diagnosis]:
    algorithm = pinned.partition(":")[0]
    file = wiki.root / path
    seen = pinned if file.is_file() else None
    if digests.is_there(algorithm):  # else that is told of all such sources at once
        seen = digests.digest_of(file, algorithm)
    changed = changed_source(path, pinned, seen)
    if changed is not None:
        anew = f"take it in anew: curate ingest {quoted(path)}; or put it back: git checkout HEAD -- {quoted(path)}"
        repair = _where_it_is(wiki, path) if changed.code == SOURCE_NOT_FOUND else anew
        yield Diagnosis(replace(changed, severity="warn"), repair)


def _where_it_is(wiki: ExaminedWiki, path: str) -> str:
    """How the bytes of a source that is not there are still to be had."""
    commit = next((commit for commit in wiki.curator_commits if path in commit.sources), None)
    remove = f"or take what it brought out of the wiki: curate remove {quoted(path)} --why REASON"
    if wiki.data(path) is not None:
        return f"git checkout HEAD -- {quoted(path)}; {remove}"
    if commit is not None and wiki.data(path, commit.id) is not None:
        return f"git checkout {commit.id[:12]} -- {quoted(path)}; {remove}"
    return f"put the file back; {remove}"


def judge_signing(wiki: ExaminedWiki, settings: Settings) -> Iterator[Diagnosis]:
    """Nothing where no signatures are asked for, or where it cannot be read whether they are, which is told elsewhere."""
    try:
        policy = wiki.snapshot.workspace().fields.get("sources") or {}
        allowed = settings.config.allowed_signers
    except (CuratorError, OSError):
        return
    mode = policy.get("signing") or "none"
    if mode == "none":
        return
    path = settings.environment.get("PATH")
    programs = [name for name in ("ssh-keygen", "gpg") if shutil.which(name, path=path)]
    if not programs:
        message = f"sources.signing is {mode}, and neither ssh-keygen nor gpg is there: no signature can be proven"
        yield found("error", "signing_unusable", "machine", message, "install openssh-client, or gnupg")
    try:
        SignatureVerifier.of(policy, allowed, settings.environment, wiki.repository)
    except ConfigError as error:
        yield of_error(error, _SETTINGS_FILE)
    if not allowed:
        message = f"sources.signing is {mode}, and no allowed signers are named: only signatures of gpg can be proven"
        repair = "name the file of those you trust in curator.toml: allowed_signers = '~/.ssh/allowed_signers'"
        yield found("info", "signers_unset", _SETTINGS_FILE, message, repair)
