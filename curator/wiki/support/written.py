"""The claims of a Markdown text as they are judged: without marks, a table's row with the head above it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, zip_longest

from curator.finding import Finding
from curator.wiki.english.quantities import MONTHS
from curator.wiki.english.words import is_english, phrase
from curator.wiki.pages import tables
from curator.wiki.pages.citation import Citation, without_marks
from curator.wiki.pages.editing import CLAIMS, without_lead
from curator.wiki.pages.markdown import Block, Outline
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence
from curator.wiki.support.judge import Judge, Judgement
from curator.wiki.support.rules.aside import set_aside
from curator.wiki.support.turned_tables import is_copied, is_turned
from curator.wiki.wiki import Wiki

_COMPARING = frozenset(
    "values_exchanged roles_swapped turned_round sides_swapped places_swapped subject_swapped".split()
)
"""Rules that compare where words stand: of no use where each cell stands under its head in one row of the source."""
_LOOKED_AT = 20
"""Pages that tell which language a wiki is kept in."""


@dataclass(frozen=True)
class WrittenClaim:
    """One claim block of a text."""

    block: Block
    words: str
    """What is judged: the text without marks; of a row each cell behind its head."""
    head: tuple[str, ...] = ()
    """The cells of the head over a row: labels, which are no inventions of the row's."""
    cells: tuple[str, ...] = ()
    """Those of a row."""
    under: tuple[str, ...] = ()
    """The heading that it stands under, the items that it is nested in, and the line that leads to its list."""


def written_claims(text: str, outline: Outline) -> Iterator[WrittenClaim]:
    """Each paragraph, list item and table row, with its words."""
    rows = any(block.kind == "row" for block in outline.blocks)
    heads = {row.start: (table.head, row.cells) for table in tables.tables(text) for row in table.rows} if rows else {}
    heading = ""
    above: list[tuple[int, str]] = []  # the line that leads to a list, and the items one is nested in, by their columns
    for block in outline.blocks:
        if block.kind == "heading":
            heading, above = block.text, []
        if block.kind not in CLAIMS:
            continue
        own = without_marks(text[block.start : block.end])
        column = block.start - text.rfind("\n", 0, block.start) if block.kind == "item" else 0
        above = [each for each in above if each[0] < column]
        under = tuple(filter(None, (heading, *(words for _, words in above))))
        if block.kind == "item" or own.rstrip().endswith(":"):
            above.append((column, without_lead(own)))
        if block.kind == "row" and (found := heads.get(text.rfind("\n", 0, block.start) + 1)):
            head, cells = found
            words = " | ".join(
                f"{title}{_gap(title)}{_begun(cell)}".strip() for title, cell in zip_longest(head, cells, fillvalue="")
            )
            yield WrittenClaim(block, words, head, cells)
        else:
            yield WrittenClaim(block, without_lead(own), under=under)


def _gap(title: str) -> str:
    """What parts a head from its cell: ``Apr–Oct: 10–17`` is no day of October."""
    return ": " if title[-3:].lower() in MONTHS else " "


def _begun(cell: str) -> str:
    """A cell behind its head: the capital that its first word has by custom would make a name of it there."""
    first = cell.split(maxsplit=1)[0] if cell.strip() else ""
    return cell.replace(first, first.lower(), 1) if first.istitle() and first.isalpha() and len(first) > 1 else cell


def names_of(page: Page) -> tuple[str, ...]:
    """What a page is called: context of whatever it says."""
    return names_for(page.title, page.aliases, page.slug)


def names_for(title: str, aliases: Sequence[str], slug: str = "") -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (title, *aliases, slug.replace("-", " ")))))


def held_citations(page: Page, evidence: Evidence) -> dict[str, Citation]:
    """Those footnotes of ``page``, by label, whose words stand in this very source."""
    cited = page.citations.items()
    return {label: each for label, each in cited if each.path == evidence.path and evidence.holds(each)}


def lent_by(claims: Iterable[WrittenClaim], citations: Mapping[str, Citation], evidence: Evidence) -> tuple[str, ...]:
    """What claims that are replaced lend to the new ones: their words, unless this source has withdrawn them."""
    cited = citations.items()
    gone = {label for label, each in cited if each.path == evidence.path and not evidence.holds(each)}
    return tuple(claim.words for claim in claims if gone.isdisjoint(claim.block.citations))


def is_kept_in_english(wiki: Wiki) -> bool:
    """True for a wiki whose pages, so far as a few of them tell, are in English; False for one without any."""
    summaries = [entry.summary for entry in islice(wiki.entries(), _LOOKED_AT)]
    return bool(summaries) and _is_english("\n\n".join(summaries))


@lru_cache(maxsize=16)
def _is_english(text: str) -> bool:
    """Of the first pages of a wiki, which seldom change, it is asked several times a source."""
    return is_english(phrase(text))


def judged(
    claim: WrittenClaim,
    citations: Mapping[str, Citation],
    judge: Judge,
    names: Sequence[str],
    lent: Sequence[str],
    *,
    in_english: bool,
) -> Judgement | None:
    """The verdict on a claim; None for one that cites none of ``citations``, those of this source that hold, by label.

    ``in_english``: the wiki is kept in English. What is quoted in English is said in English there (``language_changed``):
    a claim in another language could not be judged.
    """
    cited = list(dict.fromkeys(citations[label] for label in claim.block.citations if label in citations))
    if not cited:
        return None
    verdict = judge.judge_cited(claim.words, cited, (*names, *claim.head), lent)
    if claim.under and any(
        each.code == set_aside.__name__ for each in verdict.findings
    ):  # the page may say so above it
        verdict = judge.judge_cited(claim.words, cited, (*names, *claim.head), lent, claim.under)
    if verdict.findings and claim.head and is_turned(claim.head, claim.cells, cited, judge.evidence):
        verdict = replace(verdict, findings=())
    if verdict.findings and claim.head and is_copied(claim.head, claim.cells, cited, judge.evidence):
        verdict = replace(verdict, findings=tuple(each for each in verdict.findings if each.code not in _COMPARING))
    if not (in_english and verdict.translated):
        return verdict
    message = "the source and this wiki are in English, and the claim is not: say it in English"
    return replace(verdict, findings=(Finding("language_changed", judge.evidence.path, message), *verdict.findings))


def unsound_row(claims: Sequence[WrittenClaim], verdicts: Sequence[Judgement | None]) -> str:
    """The first cell of the first row that may not stand; empty for what is no table."""
    judged_rows = ((claim.cells, verdict) for claim, verdict in zip(claims, verdicts, strict=True) if claim.cells)
    return next((cells[0] for cells, verdict in judged_rows if verdict is not None and verdict.findings), "")


def in_one(findings: Sequence[Finding]) -> Finding:
    """Several findings on one claim as one, with the code of the first."""
    return replace(findings[0], message="; ".join(dict.fromkeys(finding.message for finding in findings)))
