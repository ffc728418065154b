"""The reading view as files, for a share or a web space: pages, proofs that the browser makes, sources, the graph.

The pages and sources are those of one commit. What code says of a claim is judged by the sources as they lie there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from curator.cli.web.addresses import Addresses
from curator.cli.web.graph import graph_of
from curator.cli.web.proofs import proof_of, text_of
from curator.cli.web.reading import ReadPage, read_page
from curator.cli.web.saved_proof import as_json
from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import STATIC, Templates
from curator.packs.exporting.pack_export import PackExport
from curator.version import __version__
from curator.wiki.wiki import PageEntry

_RUN = "runs/compile-site.json"
"""Names all files, as that of a pack does."""
_GRAPHML = "http://graphml.graphdrawing.org/xmlns"


def site_of(wiki: OpenWiki) -> PackExport:
    """The files of the site by path. Raises WikiError where KNOWLEDGE.md cannot be read."""
    title = wiki.snapshot.workspace(wiki.settings.view).title or wiki.shown.name
    entries = sorted(wiki.entries({entry.slug for entry in wiki.snapshot.wiki.entries()}), key=lambda each: each.slug)
    graph = graph_of(wiki)
    files: dict[str, bytes] = dict(_static())
    files |= dict(_pages(wiki, title, entries))
    files |= dict(_front(wiki, title, entries, has_vendor=any(path.startswith("static/vendor") for path in files)))
    files["graph.json"] = _json(graph)
    files["graph.graphml"] = _graphml(graph)
    files["search.json"] = _json([[each.slug, each.title, each.summary, " ".join(each.aliases)] for each in entries])
    files["llms.txt"] = _llms(title, wiki, entries)
    outputs = [{"path": path} for path in sorted([*files, _RUN])]
    compiler = {"tool": "curator", "version": __version__}
    files[_RUN] = _json({"compiler": compiler, "commit": wiki.snapshot.base, "outputs": outputs})
    return PackExport(title, dict(sorted(files.items())), _RUN)


def _static() -> Iterator[tuple[str, bytes]]:
    for file in sorted(STATIC.rglob("*")):
        if file.is_file():
            yield f"static/{file.relative_to(STATIC).as_posix()}", file.read_bytes()


def _pages(wiki: OpenWiki, title: str, entries: list[PageEntry]) -> Iterator[tuple[str, bytes]]:
    templates, at = Templates(), Addresses.exported(1)
    cited: dict[str, bool] = {}
    for entry in entries:
        page, proof = read_page(wiki, entry.slug, at), proof_of(wiki, entry.slug)
        values = {
            "wiki": title,
            "at": at,
            "page": page,
            "commit": wiki.snapshot.base,
            "described": _described(page, proof),
        }
        yield f"page/{entry.slug}.html", templates.filled("page.html", **values).encode()
        yield f"proof/{entry.slug}.json", _json(proof)
        cited |= {path: known["is_text"] for path, known in proof["sources"].items()}
    for path, data in wiki.snapshot.contents(sorted(cited)):
        yield f"raw/{path}", data
        if not cited[path]:
            yield f"text/{path}.json", _json(text_of(wiki, path))


def _front(wiki: OpenWiki, title: str, entries: list[PageEntry], *, has_vendor: bool) -> Iterator[tuple[str, bytes]]:
    templates = Templates()
    about = {"wiki": title, "at": Addresses.exported(0), "has_vendor": has_vendor}
    sources = len(wiki.snapshot.manifest().sources)
    recent = sorted(entries, key=lambda entry: entry.updated_at, reverse=True)
    home = templates.filled("home.html", pages=len(entries), sources=sources, recent=recent, **about)
    yield "index.html", home.encode()
    yield "graph.html", templates.filled("graph.html", **about).encode()


def _described(page: ReadPage, proof: dict[str, Any]) -> object:
    """The page for machines: JSON-LD by schema.org, its sources as citations."""
    citations = [
        {"@type": "CreativeWork", "name": each["title"] or path, "identifier": f"{each['algorithm']}:{each['digest']}"}
        for path, each in proof["sources"].items()
    ]
    about = {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": page.entry.title,
        "description": page.entry.summary,
        "alternateName": list(page.entry.aliases),
        "dateModified": page.updated,
        "citation": citations,
    }
    return as_json({name: value for name, value in about.items() if value})


def _graphml(graph: dict[str, Any]) -> bytes:
    ElementTree.register_namespace("", _GRAPHML)
    root = ElementTree.Element(f"{{{_GRAPHML}}}graphml")
    for name, of in (("title", "node"), ("kind", "node"), ("sources", "node"), ("relation", "edge")):
        fields = {"id": name, "for": of, "attr.name": name, "attr.type": "int" if name == "sources" else "string"}
        ElementTree.SubElement(root, f"{{{_GRAPHML}}}key", fields)
    drawn = ElementTree.SubElement(root, f"{{{_GRAPHML}}}graph", {"edgedefault": "directed"})

    def put(name: str, about: dict[str, str], **data: str) -> None:
        element = ElementTree.SubElement(drawn, f"{{{_GRAPHML}}}{name}", about)
        for key, value in data.items():
            ElementTree.SubElement(element, f"{{{_GRAPHML}}}data", {"key": key}).text = value

    paths = graph["sources"]
    for slug, title, kind, sources in graph["pages"]:
        put("node", {"id": slug}, title=title, kind=kind, sources=str(len(sources)))
    for path in paths:
        put("node", {"id": path}, title=path.removeprefix("sources/"), kind="source")
    for start, end, relation in graph["edges"]:
        ends = {"source": graph["pages"][start][0], "target": graph["pages"][end][0]}
        put("edge", ends, relation=graph["relations"][relation])
    for slug, _, _, sources in graph["pages"]:
        for source in sources:
            put("edge", {"source": slug, "target": paths[source]}, relation="cites")
    return bytes(ElementTree.tostring(root, "utf-8", xml_declaration=True)) + b"\n"


def _llms(title: str, wiki: OpenWiki, entries: list[PageEntry]) -> bytes:
    """The site for language models, as llms.txt has it."""
    said = wiki.snapshot.workspace(wiki.settings.view).description
    lines = [f"# {title}", "", *([f"> {' '.join(said.split())}", ""] if said else []), "## Pages", ""]
    lines += [f"- [{_in_brackets(each.title)}](page/{each.slug}.html): {each.summary}" for each in entries]
    return ("\n".join(lines) + "\n").encode()


def _in_brackets(words: str) -> str:
    """``words`` as those of a link in Markdown."""
    return re.sub(r"([\\\[\]])", r"\\\1", " ".join(words.split()))


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
