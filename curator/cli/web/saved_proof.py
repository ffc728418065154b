"""A page's proof as one HTML file that proves itself: claims, passages, digests, and the sources where they are small."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

from markupsafe import Markup

from curator.cli.web.proofs import proof_of
from curator.cli.web.served import OpenWiki
from curator.cli.web.shown import STATIC
from curator.errors import CuratorError
from curator.repository.source_files import SourcesFolder
from curator.wiki.pages.citation import Anchor, Citation

_KEPT = 2_000_000
"""Bytes of sources that one file keeps; the passages are kept of all."""
_CLAIMS = 2_000
"""Claims of a page that one file keeps, which says so."""
_AROUND = 400
"""Characters of a source on each side of what is cited."""


def saved_proof(wiki: OpenWiki, slug: str) -> dict[str, Any]:
    """What the template of the file is filled with. Raises ConfigError where no page is seen that has this slug."""
    proof = proof_of(wiki, slug, most=_CLAIMS)
    cited = [each for claim in proof["claims"] for each in claim["cited"]]
    for each in cited:
        each["passage"] = _passage(wiki, Citation(each["path"], each["anchor"], each["quote"]))
    left = _KEPT
    for path, source in proof["sources"].items():
        data = _bytes(wiki, path)
        if data and len(data) <= left:
            source["bytes"], left = base64.b64encode(data).decode(), left - len(data)
    script = (STATIC / "fold.js").read_text("utf-8").replace("export ", "") + (STATIC / "saved.js").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    kept = {"sources": proof["sources"], "claims": proof["claims"]}
    return {
        "proof": proof,
        "places": {each["anchor"]: _place(each["anchor"]) for each in cited},
        "data": as_json(kept),
        "script": Markup(script),  # noqa: S704
        "script_hash": f"sha256-{digest}",
    }


def _place(anchor: str) -> str:
    """An anchor in words: ``L12-L15`` is "lines 12-15"."""
    place = Anchor.parse(anchor)
    if place is None:
        return anchor
    return f"{place.unit} {place.first}" if place.first == place.last else f"{place.unit}s {place.first}-{place.last}"


def as_json(value: Any) -> Markup:
    """JSON that no word of it can end or turn into markup."""
    text = json.dumps(value, ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)  # noqa: S704


def _passage(wiki: OpenWiki, citation: Citation) -> str:
    """What stands around the cited words in what is read of the source; empty where they are not there."""
    try:
        evidence = wiki.texts.evidence(citation.path)
    except CuratorError:
        return ""
    place = evidence.place(citation)
    return "" if place is None else evidence.document.text[max(0, place[0] - _AROUND) : place[1] + _AROUND]


def _bytes(wiki: OpenWiki, path: str) -> bytes:
    root = wiki.snapshot.repository.root
    file = root / path
    if not SourcesFolder(root).has(path) or file.is_symlink() or not file.is_file() or file.stat().st_size > _KEPT:
        return b""
    return file.read_bytes()
