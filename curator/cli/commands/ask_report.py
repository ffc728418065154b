"""What ``curate ask`` has to say: an answer, what it was made from, and the page that it was filed as."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from curator.ask.answer import Answer, TellStatement
from curator.ask.flow import Saved
from curator.ask.material import Material
from curator.finding import Finding
from curator.ingest.intake import committed_document
from curator.models.port import estimate_tokens
from curator.models.statements import ProvenStatement
from curator.repository.runtime.runtime import findings_as_json
from curator.repository.snapshot import Snapshot
from curator.system.filenames import printable
from curator.wiki.pages import editing
from curator.wiki.pages.citation import Citation, quote_path
from curator.wiki.passages.passage import Passage, shown_each
from curator.wiki.passages.selection import titles_of_each


@dataclass(frozen=True)
class CitedPlace:
    """What tells a person where a citation leads, beside its path and anchor."""

    heading: str = ""
    """What a cited paragraph stands under: nobody sees its number."""
    url: str = ""
    """Where the source was fetched or clipped."""
    date: str = ""
    """The day that the source gives itself, or its page had."""

    def as_json(self) -> dict[str, str]:
        """What there is to say."""
        return {name: said for name, said in asdict(self).items() if said}


_QUOTED = 200
"""Characters of a passage that is near the question, for people."""
_LOOKED_AT = 12
"""Pages and sources that were looked at, as far as they are named to people."""
CitedPlaces = Mapping[Citation, CitedPlace]


def places_of(citations: Collection[Citation], snapshot: Snapshot) -> CitedPlaces:
    """Of each citation."""
    manifest = snapshot.manifest()
    in_paragraphs = sorted({each.path for each in citations if each.anchor.startswith("par")})
    texts = {path: committed_document(snapshot, path) for path in in_paragraphs}
    found = {}
    for citation in citations:
        document, place = texts.get(citation.path), citation.place
        heading = document.heading_above(place.first) if document is not None and place is not None else ""
        record = manifest.record(citation.path)
        url, date = (record.url, record.date) if record is not None else ("", "")
        found[citation] = CitedPlace(heading, url, date)
    return found


# -- for programs -------------------------------------------------------------------------------------------------


def data_of(answer: Answer, places: CitedPlaces) -> dict[str, Any]:
    usage = answer.reply.usage
    return {
        "answer": [
            {
                "statement": said.text,
                "pages": list(said.slugs),
                "not_in_wiki": list(said.unknown_sources),
                "standing": said.standing,
                "sources": [
                    {"path": each.path, "anchor": each.anchor, "quote": each.quote}
                    | (places[each].as_json() if each in places else {})
                    for each in said.citations
                ],
            }
            for said in answer.statements
        ],
        "left_out": list(findings_as_json(answer.left_out)),
        "looked_for": list(answer.look_for),
        "nearest": [
            {"name": reading.name, "anchor": passage.anchor, "text": _told(passage), "standing": passage.standing}
            for reading, passage in answer.nearest
        ],
        "looked_at": [reading.name for reading in answer.question.readings],
        "tokens": {"prompt": usage.prompt, "completion": usage.completion},
        "cost": usage.cost,
        "model": answer.reply.model,
    }


def data_of_saved(saved: Saved | tuple[Finding, ...] | None) -> dict[str, Any]:
    if not isinstance(saved, Saved):
        return {"commit": None, "created": [], "findings": list(findings_as_json(saved or ()))}
    data: dict[str, Any] = {"commit": saved.commit, "created": [saved.filed.page.slug]}
    data["findings"] = list(findings_as_json(saved.filed.left_out))
    return data | ({"diff": saved.diff} if saved.commit is None else {})


def data_of_material(found: Material) -> dict[str, Any]:
    passages = [
        {
            "page": None if reading.is_source else reading.name,
            "source": reading.path if reading.is_source else None,
            "path": reading.path,
            "anchor": passage.anchor,
            "title": reading.title,
            "heading": passage.heading,
            "text": _told(passage),
            "in_wiki": list(passage.pages) if reading.is_source else [reading.name],
            "sources": [f"{quote_path(each.path)}#{each.anchor}" for each in passage.citations],
            "standing": passage.standing,
            "tokens": estimate_tokens(passage.text),
        }
        for reading in found.readings
        for passage in reading.passages
    ]
    return {"passages": passages, "tokens": found.tokens, "left_out": list(findings_as_json(found.withheld))}


# -- for people ---------------------------------------------------------------------------------------------------


def lines_of(
    answer: Answer, places: CitedPlaces, saved: Saved | tuple[Finding, ...] | None, told: Telling
) -> list[str]:
    """The answer for people, whose statements ``told`` has."""
    return [*told.lines, *_lines_behind(answer, places, saved, told)]


def _lines_behind(
    answer: Answer, places: CitedPlaces, saved: Saved | tuple[Finding, ...] | None, told: Telling
) -> Iterator[str]:
    if told.labels:
        yield from ("", "## Sources", "")
    for citation, label in told.labels.items():
        yield printable(citation.definition(label))
        place = places.get(citation, CitedPlace())
        if place.heading:
            yield f"    under the heading “{printable(place.heading)}”"
        if place.url:
            yield f"    from {printable(place.url)}{f', {printable(place.date)}' if place.date else ''}"
    if answer.statements:
        yield ""
    elif answer.looked_at:
        yield "the pages do not say"
    else:
        yield "the pages do not say: none is about any of these words"
    for reading, passage in answer.nearest:
        words = " ".join(_told(passage).split())
        words = printable(words[:_QUOTED] + "…" if len(words) > _QUOTED else words)
        standing = f" (rests on {printable(passage.standing)})" if passage.standing else ""
        yield f"nearest    {_linked(reading.name)} {passage.anchor}{standing}: {words}"
    yield from (f"left out   {printable(finding.message)} ({finding.code})" for finding in answer.left_out)
    if answer.look_for:
        yield f"looked for {printable('; '.join(answer.look_for))}"
    if answer.looked_at:
        more = len(answer.looked_at) - _LOOKED_AT
        rest = f" and {more} more (--json names them)" if more > 0 else ""
        yield f"looked at  {', '.join(answer.looked_at[:_LOOKED_AT])}{rest}"
    usage = answer.reply.usage
    if usage.prompt != 0:
        yield f"spent      {usage.in_words}"
    yield from _lines_of_saved(saved)


def lines_of_material(found: Material) -> Iterator[str]:
    for title, reading in zip(titles_of_each(found.readings), found.readings, strict=True):
        state = f" ({reading.state})" if reading.state else ""
        yield f"{_linked(reading.name)} {printable(title)}".rstrip() + state
        for passage, text in zip(reading.passages, shown_each(reading.passages, reading.title), strict=True):
            told = "" if not reading.is_source or passage.pages else ", not in the wiki yet"
            yield f"  {passage.anchor}{told}"
            yield from (f"    {printable(line)}" for line in text.split("\n"))
        yield ""
    yield from (f"left out   {printable(finding.message)} ({finding.code})" for finding in found.withheld)
    yield f"{found.tokens:,} tokens" if found.readings else "nothing is about any of these words"


def _told(passage: Passage) -> str:
    """A passage with what it is not told without: what leads in to it, the head of its table."""
    return "\n".join(filter(None, (passage.lead, passage.head, passage.text)))


def _linked(name: str) -> str:
    """A page by its slug in brackets, a source by its path."""
    return printable(name) if name.startswith("sources/") else f"[[{printable(name)}]]"


def _lines_of_saved(saved: Saved | tuple[Finding, ...] | None) -> Iterator[str]:
    if isinstance(saved, Saved):
        page = saved.filed.page
        yield from (f"not saved  {finding.message} ({finding.code})" for finding in saved.filed.left_out)
        place = f"[[{page.slug}]] {page.path}"
        yield f"saved      {place}: commit {saved.commit[:12]}" if saved.commit else f"would save {place}\n{saved.diff}"
    elif saved is not None:
        yield "not saved  nothing of the answer is proven by a source"
        yield from (f"not saved  {finding.message} ({finding.code})" for finding in saved)


@dataclass
class Telling:
    """Statements as markdown, one behind the other, each once; their sources are numbered as they come."""

    write: Callable[[str], None] | None = None
    """Called with the lines of each as it is told; None: they wait in ``lines``."""
    hear: TellStatement | None = None
    """Called with each as it is told."""
    labels: dict[Citation, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    _last: str = ""
    _told: set[str] = field(default_factory=set)

    def __call__(self, said: ProvenStatement) -> None:
        if said.text in self._told:
            return
        self._told.add(said.text)
        if self.hear is not None:
            self.hear(said)
        for citation in said.citations:
            self.labels.setdefault(citation, str(len(self.labels) + 1))
        block = _block(said, self.labels)
        both = editing.join([self._last, block])
        lines = both[len(self._last.strip("\n")) :].removeprefix("\n").split("\n")
        self._last = block
        if self.write is None:
            self.lines += lines
        else:
            self.write("\n".join(lines))


def _block(said: ProvenStatement, labels: dict[Citation, str]) -> str:
    text = editing.cite(said.text, {labels[citation]: citation.quote for citation in said.citations})
    new = f"({', '.join(map(printable, said.unknown_sources))}: not in the wiki yet)" if said.unknown_sources else ""
    state = f"(rests on {said.standing})" if said.standing else ""
    pages = " ".join(filter(None, (*map(_linked, said.slugs), new, state)))
    return f"{text}\n\n{pages}".rstrip() if "\n" in text else f"{text} {pages}".rstrip()
