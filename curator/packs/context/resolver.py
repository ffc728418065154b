"""The resolver: a request, the packs that were activated, a budget: the least that serves the request.

Sections of files, not files, ranked and chosen as ``curate ask`` does it. By profile: of a document-first pack its splits,
or the sections of its primary document; of a wiki-first pack what is compiled, then pages of the wiki; of a hybrid one what
its context map names for such a request. The second step is made only where the first leaves words of the request without
an answer, and a third follows the links of the pages that were chosen. ``indexes/`` may name candidates, and is never
quoted; ``sources/`` are read only to verify or to settle a dispute. The same request and files give the same selection,
whatever else happens on the machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from curator.errors import FrontmatterError
from curator.finding import Finding
from curator.packs.context.candidates import Candidates
from curator.packs.context.evidence import excerpts
from curator.packs.context.json_sections import json_sections
from curator.packs.context.section_pool import ChosenSection, SectionPool
from curator.packs.context.sections import KnowledgeSection, sections_of
from curator.packs.pack import KnowledgePack
from curator.packs.reader import PackFiles
from curator.wiki.english.stop_words import telling_words
from curator.wiki.pages.page import Page
from curator.wiki.passages.ranking import terms

EvidenceWanted = Literal["none", "citation", "verification", "dispute"]
Activation = Literal["explicit", "implicit", "resolver-driven"]
ENOUGH = 0.8
"""How much of a request has to be covered for the next step to be spared."""
_WRAPPER = 190
"""Tokens of a wrapper with its attributes."""
_EVIDENCE_SHARE = 4
_PERSONA_SHARE = 4


@dataclass(frozen=True)
class ContextRequest:
    """What is to be answered. ``budget``: the tokens that all wrappers together may have."""

    query: str
    budget: int = 2000
    evidence: EvidenceWanted = "none"


@dataclass(frozen=True)
class ActivePack:
    """A pack that may be loaded: the gate has let it pass."""

    pack: KnowledgePack
    files: PackFiles
    activation: Activation = "explicit"
    warnings: tuple[Finding, ...] = ()
    """Those of the gate."""


@dataclass(frozen=True)
class SelectedPack:
    """What of one pack goes into the context."""

    active: ActivePack
    sections: tuple[KnowledgeSection, ...]
    excerpts: tuple[KnowledgeSection, ...] = ()
    """Passages of sources, where verification or a dispute asks for them."""
    warnings: tuple[Finding, ...] = ()
    is_about: bool = False
    """True where the pack has something on the request, whether it fits into the budget or not."""

    @property
    def pack(self) -> KnowledgePack:
        return self.active.pack

    @property
    def selected(self) -> tuple[str, ...]:
        """The files that something is taken from."""
        return tuple(dict.fromkeys(each.path for each in (*self.sections, *self.excerpts)))

    @property
    def anchors(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(anchor for each in self.sections for anchor in each.anchors))

    @property
    def citation_gaps(self) -> tuple[str, ...]:
        """Sections without a source, where the pack asks for one."""
        if self.pack.properties.grounding == "none":
            return ()
        return tuple(each.place for each in self.sections if not each.anchors)


@dataclass(frozen=True)
class ContextSelection:
    """What was chosen for a request, the packs in the order of their wrappers: personas first."""

    request: ContextRequest
    packs: tuple[SelectedPack, ...]
    missing: tuple[str, ...] = ()
    """What the request asks for and nothing that was chosen speaks of."""

    def of_those_with_something(self) -> ContextSelection:
        """Without the packs of which nothing was chosen, but for the first where that is all of them."""
        packs = tuple(each for each in self.packs if each.sections)
        return replace(self, packs=packs or self.packs[:1])


def select(request: ContextRequest, packs: Iterable[ActivePack]) -> ContextSelection:
    """The sections of ``packs`` that serve ``request`` best, within its budget."""
    active = _in_order(packs)
    room = request.budget - _WRAPPER * len(active)
    chosen: dict[int, list[KnowledgeSection]] = {number: [] for number in range(len(active))}
    personas = [number for number, each in enumerate(active) if each.pack.properties.mode == "persona"]
    about: set[int] = set()
    for number in personas:
        share = request.budget // _PERSONA_SHARE // len(personas) if len(personas) < len(active) else room
        for section in _of_persona(active[number], request):
            about.add(number)
            if section.tokens <= min(share, room):
                chosen[number].append(section)
                share, room = share - section.tokens, room - section.tokens
    others = [(number, each) for number, each in enumerate(active) if number not in personas]
    kept_back = room // _EVIDENCE_SHARE if request.evidence in ("verification", "dispute") else 0
    pool = SectionPool(request.query)
    for one in _best(others, request, room - kept_back, pool):
        chosen[one.pack].append(one.section)
    about |= pool.about
    selected = [_selected(active[number], chosen[number], kept_back, number in about) for number in chosen]
    return ContextSelection(request, tuple(selected), tuple(_missing(request.query, selected)))


def _in_order(packs: Iterable[ActivePack]) -> list[ActivePack]:
    """Each pack once; personas before what they speak of."""
    once = {each.pack.root: each for each in reversed(list(packs))}
    listed = list(reversed(once.values()))
    return sorted(listed, key=lambda each: each.pack.properties.mode != "persona")


def _of_persona(active: ActivePack, request: ContextRequest) -> Iterator[KnowledgeSection]:
    """Voice and limits do not depend on the words of a request: in the order of the files."""
    candidates = Candidates(active.pack, active.files, request.query)
    for _, sections in _cut(active, candidates.first() or candidates.second(), request):
        yield from sections


def _cut(
    active: ActivePack, paths: Iterable[str], request: ContextRequest
) -> Iterator[tuple[Page, tuple[KnowledgeSection, ...]]]:
    cites = active.pack.properties.grounding != "none" or request.evidence != "none"
    for path in paths:
        text = active.files.read(path)
        if text is not None and path.endswith(".json"):
            yield Page(path, ""), json_sections(path, text)
        elif text is not None:
            page = Page(path, text)
            yield page, sections_of(page, cites=cites)


def _best(
    packs: Sequence[tuple[int, ActivePack]], request: ContextRequest, room: int, pool: SectionPool
) -> list[ChosenSection]:
    """The sections that are chosen, step by step, until the request is covered; ``pool`` gets what is looked at."""
    candidates = {number: Candidates(each.pack, each.files, request.query) for number, each in packs}
    seen: set[tuple[int, str]] = set()
    found: list[ChosenSection] = []
    for step in range(3):
        for number, each in packs:
            mine = dict.fromkeys(one.section.path for one in found if one.pack == number)
            new = [path for path in candidates[number].step(step, tuple(mine)) if (number, path) not in seen]
            seen |= {(number, path) for path in new}
            for page, sections in _cut(each, new, request):
                pool.add(number, page, sections, is_first=step == 0)
        found = pool.best(room)
        if _covered(request.query, (one.section for one in found)) >= ENOUGH:
            break
    return found


def _selected(active: ActivePack, chosen: Sequence[KnowledgeSection], room: int, is_about: bool) -> SelectedPack:
    found = tuple(excerpts(active.files, chosen, room)) if room else ()
    return _with_warnings(active, tuple(chosen), found, is_about)


def reselected(
    active: ActivePack,
    activation: Activation,
    places: Sequence[str],
    quoted: Sequence[str],
    request: ContextRequest,
    *,
    is_about: bool,
) -> SelectedPack:
    """The selection of the sections at ``places``, as it was made before; ``quoted``: the places of the excerpts."""
    active = replace(active, activation=activation)
    paths = dict.fromkeys(place.rpartition("#")[0] for place in places)
    known = {section.place: section for _, sections in _cut(active, paths, request) for section in sections}
    sections = tuple(known[place] for place in places if place in known)
    return _with_warnings(active, sections, _quoted(active, sections, quoted, request), is_about)


def _quoted(
    active: ActivePack, sections: Sequence[KnowledgeSection], places: Sequence[str], request: ContextRequest
) -> tuple[KnowledgeSection, ...]:
    return tuple(each for each in excerpts(active.files, sections, request.budget) if each.place in places)


def _with_warnings(
    active: ActivePack,
    sections: tuple[KnowledgeSection, ...],
    found: tuple[KnowledgeSection, ...],
    is_about: bool,
) -> SelectedPack:
    warnings = [*active.warnings, *_page_warnings(active, sections), *_gaps(active, sections, is_about)]
    return SelectedPack(active, sections, found, tuple(dict.fromkeys(warnings)), is_about)


def _page_warnings(active: ActivePack, sections: Sequence[KnowledgeSection]) -> Iterator[Finding]:
    """What the heads of the chosen files say against them."""
    for path in dict.fromkeys(section.path for section in sections):
        if newer := [each for each in active.files.superseding(path) if each != path]:
            said = f"{path} is superseded by {', '.join(newer)}"
            yield Finding("page_superseded", path, said, severity="warn")
        page = Page(path, active.files.read(path) or "")
        try:
            status = str(page.fields.get("status") or "")
            against = page.contradicts
        except FrontmatterError:
            continue
        if against:
            said = f"{path} and {', '.join(against)} contradict each other"
            yield Finding("page_disputed", path, said, severity="warn")
        if status in ("stale", "disputed", "needs-review", "archived", "draft"):
            yield Finding(f"page_{status.replace('-', '_')}", path, f"{path} is marked {status}", severity="warn")


def _gaps(active: ActivePack, sections: Sequence[KnowledgeSection], is_about: bool) -> Iterator[Finding]:
    at = active.pack.location
    said = active.pack.properties
    yield from (
        each for each in active.pack.diagnostics if each.code in ("pack_document_missing", "pack_profile_missing")
    )
    if not sections and is_about:
        yield Finding("budget_small", at, f"{said.name}: nothing of it fits into the budget", severity="warn")
    elif not sections:
        yield Finding("nothing_selected", at, f"{said.name}: nothing in it is about the request", severity="warn")
    if said.grounding == "required" and any(not each.anchors for each in sections):
        places = ", ".join(each.place for each in sections if not each.anchors)
        yield Finding("citation_gap", at, f"no source is named for {places}", severity="warn")


# -- what is covered -----------------------------------------------------------------------------------------------


def _covered(query: str, sections: Iterable[KnowledgeSection]) -> float:
    words = telling_words(query)
    return 1 - len(_absent(words, sections)) / len(words) if words else 1.0


def _missing(query: str, selected: Sequence[SelectedPack]) -> Iterator[str]:
    for word in dict.fromkeys(_absent(telling_words(query), (s for each in selected for s in each.sections))):
        yield f"nothing that was selected speaks of {word!r}"


def _absent(words: Sequence[str], sections: Iterable[KnowledgeSection]) -> list[str]:
    said: set[str] = set()
    for section in sections:
        said.update(terms(f"{section.heading} {section.plain} {section.path}"))
    return [word for word in words if not said.intersection(terms(word))]


def without_last(selection: ContextSelection) -> ContextSelection:
    """The selection without the section that was chosen last, of the pack with most of them."""
    at = max(range(len(selection.packs)), key=lambda number: (len(selection.packs[number].sections), number))
    packs = list(selection.packs)
    last = packs[at]
    quoted = [each.place for each in last.excerpts]
    found = _quoted(last.active, last.sections[:-1], quoted, selection.request)
    packs[at] = _with_warnings(last.active, last.sections[:-1], found, is_about=True)
    return replace(selection, packs=tuple(packs), missing=tuple(_missing(selection.request.query, packs)))
