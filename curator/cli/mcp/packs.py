"""The tools about knowledge packs: the catalog, the guide of one, and a context made of several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from curator.cli.mcp.arguments import ActivateArguments, CatalogArguments, ContextArguments
from curator.cli.mcp.served import ServedWiki, fenced
from curator.cli.pack_options import organization_roots, told
from curator.finding import Finding
from curator.packs.context.resolver import ContextRequest, select
from curator.packs.context.wrapper import fitted, wrap
from curator.packs.discovery import catalog as catalogs
from curator.packs.pack import KnowledgePack
from curator.packs.pack_library import NotLoaded, PackLibrary, project_of

_NONE = "No pack matches the query. Name packs of the catalog in packs, or have all looked through by any_pack."


def are_in_reach(wiki: ServedWiki) -> bool:
    """False where the catalog is empty: "omit the catalog and activation tool entirely"."""
    library = _library(wiki)
    return any(catalogs.listed(_used(library)))


def catalog(wiki: ServedWiki, _: CatalogArguments) -> str:
    with _library(wiki) as library:
        found, shown = library.found, [library.judged(pack) for pack in catalogs.listed(_used(library))]
        refused = [finding for pack in shown for finding in library.verdict(pack).refusals]
    findings = [each for each in (*found.left_out, *found.diagnostics) if each.severity != "info"]
    return _joined(catalogs.catalog_xml(shown) or "No knowledge pack is in reach.", (*refused, *findings))


def activate(wiki: ServedWiki, asked: ActivateArguments) -> str:
    with _library(wiki) as library:
        active = library.loaded(asked.pack)
        if not asked.again and wiki.session is not None:
            digest = active.files.digest()
            if wiki.session.get(active.pack.root) == digest:
                said = "is active in this session already, unchanged; with again its guide is told anew."
                return f"{active.pack.name} {said}"
            wiki.session[active.pack.root] = digest
        return _joined(catalogs.guide(active.pack, active.files), active.warnings)


def context(wiki: ServedWiki, asked: ContextArguments) -> str:
    with _library(wiki) as library:
        refused: Sequence[Finding] = ()
        if asked.packs:
            active = [library.loaded(name) for name in dict.fromkeys(asked.packs)]
        else:
            active, refused = library.ranked() if asked.any_pack else library.activated(asked.query)
        if not active and refused:
            raise NotLoaded(refused)
        if not active:
            return _NONE
        selection = select(ContextRequest(asked.query, asked.budget, asked.evidence), active)
        selection = fitted(selection.of_those_with_something() if asked.any_pack else selection)
        return _joined(wrap(selection), refused)  # its own warnings stand in its wrappers


def _used(library: PackLibrary) -> Iterator[KnowledgePack]:
    return (pack for pack in library.found.packs if pack.root not in library.state.disabled)


def _library(wiki: ServedWiki) -> PackLibrary:
    """The packs within reach of the wiki; a name is never a path that a model made up."""
    return PackLibrary.of(
        wiki.pack_roots,
        project=project_of(wiki.root),
        wiki=wiki.root,
        environment=wiki.environment,
        organization=organization_roots(wiki.environment),
        confirmed=wiki.confirmed,
    )


def _joined(text: str, findings: Sequence[Finding]) -> str:
    """What was asked for, and behind it what is to be said of it: that quotes packs, and so is data as well."""
    lines = [
        line
        for finding in dict.fromkeys(replace(each, places=()) for each in findings)
        for line in (told(finding), *([f"  {finding.hint}"] if finding.hint else []))
    ]
    return "\n\n".join([text, fenced({"kind": "diagnostics"}, lines)]) if lines else text
