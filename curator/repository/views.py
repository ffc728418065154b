"""Views at work: the manifest that a wiki is curated, checked and asked by (AIP-10, "Composition semantics").

A view is a KNOWLEDGE.md of its own, beside whom it is for; it ``extends`` the wiki's. Without one the wiki's own manifest
holds: "a workspace IS its own view of itself".
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from curator.errors import ConfigError, WikiError, meant
from curator.repository.manifest_files import ManifestFiles, is_there
from curator.system.filenames import printable
from curator.wiki.wiki import Wiki
from curator.wiki.workspace import effective, refs
from curator.wiki.workspace.effective import Host, Refusal
from curator.wiki.workspace.overlay import WHITEOUT, Layer, lay
from curator.wiki.workspace.workspace import Workspace, refused


@dataclass(frozen=True)
class View:
    """A KNOWLEDGE.md that the wiki is looked at through, and the dimensions that are true for it."""

    path: str
    """Absolute, of the file."""
    dimensions: frozenset[str] = frozenset()
    """The dimension refs that are true here, such as ``region/fr``."""


def named(written: str, known: Mapping[str, str], dimensions: frozenset[str], folder: Path) -> View:
    """The view called ``written``: by its name in the settings, or by the path of its manifest or folder.

    ``known`` are the named ones, with their paths from the wiki; other paths are taken from ``folder``.
    Raises ConfigError for what is neither.
    """
    place = manifest_at(folder / Path(known.get(written, written)).expanduser())
    if not place.is_file():
        names = f"views by name: {', '.join(sorted(known))}" if known else "[views] of curator.toml names none"
        said = f"view {written!r}: there is no {printable(place)}{meant(written, known.keys() - {written})}"
        raise ConfigError("view_unknown", said, f"give the path of a KNOWLEDGE.md or its folder; {names}")
    return View(str(place), dimensions)


def manifest_at(path: Path) -> Path:
    """The absolute path of the manifest that ``path`` means, itself or by its folder."""
    place = path / refs.FILE if path.is_dir() else path
    return Path(os.path.realpath(place.parent), place.name)


def hidden(workspace: Workspace, files: ManifestFiles, wiki: Wiki) -> frozenset[str]:
    """The paths of the wiki's pages that the layers of its views hide, or stand for (``<page>.md.whiteout``, ADDENDA).

    Of the wiki itself only the pages that a view names are looked at: a view costs the same over a big wiki.
    """
    root, *views = workspace.merged.manifests
    layers = [Layer(each.path, files.pages(str(Path(each.path).parent)), each.is_constraint) for each in views]
    named = {path.removesuffix(WHITEOUT) for layer in layers for path in layer.files}
    there = frozenset(path for path in named if wiki.resolve(path) is not None)
    seen = lay([Layer(root.path, there, root.is_constraint), *layers]).pages
    return frozenset(path for path in there if seen.get(path) != root.path)


def compose(view: View, files: ManifestFiles, root: Path) -> Workspace:
    """The workspace seen through ``view`` of the wiki at ``root``. Raises WikiError when it is none of this wiki."""
    own = str(root / refs.FILE)
    at = refs.FILE if view.path == own else view.path
    text = files.read(view.path)
    if text is None:
        hint = f"git add {printable(Path(view.path).name)} && git commit, in {printable(Path(view.path).parent)}"
        raise WikiError("schema_missing", f"{at} is not committed", hint)
    found = effective.compose(text, view.path, files.read, Host(is_there, view.dimensions))
    if isinstance(found, Refusal):
        raise refused(found.findings, at)
    chain = [each.path for each in found.manifests]
    if own not in chain and not found.notices:
        said = f"{at} leads to {chain[0]}, which is not this wiki's {printable(own)}"
        raise WikiError("view_elsewhere", said, "a view of this wiki has 'extends:' with the way to its KNOWLEDGE.md")
    return Workspace.of(found, at)
