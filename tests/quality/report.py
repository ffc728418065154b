"""The measure of a folder of pages against a corpus: all sections, as rows of a table and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from quality import answers, curated, measures
from quality.answers import Complete
from quality.claims import ClaimFigures
from quality.corpus import AskedQuestion, Corpus
from quality.curated import ProvenAnswer
from quality.measures import Material, Share
from quality.pages import PageFolder
from quality.passages import title_of, titled, windows
from quality.ranking import RankedPassages


@dataclass
class QualityReport:
    """Rows of what was measured, with their figures, and lists for whoever looks into it."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    lists: dict[str, list[str]] = field(default_factory=dict)

    def add(self, section: str, what: str, *figures: object) -> None:
        self.rows.append({"section": section, "what": what, "figures": [_figure(each) for each in figures]})

    def lines(self) -> Iterator[str]:
        section = ""
        for row in self.rows:
            if row["section"] != section:
                section = row["section"]
                yield f"\n{section}"
            yield f"  {row['what']:52} " + " ".join(f"{_text(each):>14}" for each in row["figures"])

    def json(self) -> dict[str, Any]:
        return {"rows": self.rows, **self.lists}


def _figure(value: object) -> object:
    return {"found": value.found, "of": value.of} if isinstance(value, Share) else value


def _text(figure: object) -> str:
    return str(Share(figure["found"], figure["of"])) if isinstance(figure, dict) else str(figure)


def yardsticks(corpus: Corpus) -> dict[str, Material]:
    """What retrieval shows without any wiki."""
    raw = [each for name, text in corpus.documents.items() for each in windows(name, text)]
    best = [each for name, text in corpus.documents.items() for each in titled(name, title_of(text) or name, text)]
    return {
        "BM25, windows of the sources": RankedPassages(raw).material,
        "BM25, titled paragraphs of the sources": RankedPassages(best).material,
    }


def of_pages(folder: PageFolder) -> dict[str, Material]:
    """What the pages show: by BM25 over their passages, and as ``curate ask`` shows them where it keeps them."""
    found: dict[str, Material] = {
        "BM25, passages of the pages": RankedPassages(
            passage for page in folder.pages for passage in page.passages()
        ).material
    }
    if folder.is_kept_by_curate and curated.offers_material():
        found["curate ask --material"] = lambda question, tokens: curated.shown_by_ask(folder.root, question, tokens)
    return found


def measure_material(report: QualityReport, corpus: Corpus, ways: dict[str, Material]) -> None:
    """Single questions answered and facts across documents shown, by way and tokens."""
    for section, questions in (
        ("single questions: the answer is in the material", corpus.single),
        ("questions across documents: facts in the material", corpus.across),
    ):
        if questions:
            report.add(section, "tokens of material", *corpus.budgets)
        for way, material in ways.items() if questions else ():
            found = [measures.shown(questions, material, tokens) for tokens in corpus.budgets]
            report.add(section, way, *(measures.share(held for each in one.values() for held in each) for one in found))
            report.lists[f"not shown: {section}: {way}"] = _not_shown(questions, found)


def measure_answers(report: QualityReport, corpus: Corpus, ways: dict[str, Material], complete: Complete) -> None:
    """Facts in a model's answers, from the middle one of the budgets."""
    tokens = corpus.budgets[len(corpus.budgets) // 2]
    for way, material in ways.items():
        told = {
            "single": answers.answer(corpus.single, material, tokens, complete),
            "across": answers.answer(corpus.across, material, tokens, complete),
        }
        report.add(f"facts in answers from {tokens} tokens: single, across", way, *map(answers.right, told.values()))
        for kind, answered in told.items():
            report.lists[f"answers: {kind}: {way}"] = [
                f"{'' if all(each.held) else 'WRONG '}{each.question.number} {each.question.text} {each.reply}"
                for each in answered
            ]


def measure_ask(report: QualityReport, corpus: Corpus, ask: Callable[[str], ProvenAnswer], model: str) -> None:
    """Facts in the answers of ``curate ask``, which shows and says what it can prove only."""
    section = "facts in the answers of curate ask: single, across"
    told = [{each.number: ask(each.text) for each in questions} for questions in (corpus.single, corpus.across)]
    both = list(zip((corpus.single, corpus.across), told, strict=True))
    held = [
        measures.share(
            held for each in questions for held in answers.AnsweredQuestion(each, said[each.number].text).held
        )
        for questions, said in both
    ]
    report.add(section, model, *held)
    every = [each for said in told for each in said.values()]
    report.add(
        section, "statements told, left out by the wall", *(sum(counts) for counts in zip(*_counts(every), strict=True))
    )


def _counts(told: Sequence[ProvenAnswer]) -> list[tuple[int, int]]:
    return [(each.statements, each.left_out) for each in told] or [(0, 0)]


def _not_shown(questions: tuple[AskedQuestion, ...], found: list[dict[str, list[bool]]]) -> list[str]:
    """The questions of which something is missing, with how much of it each budget shows."""
    return [
        f"{question.number} {question.text} {'/'.join(str(sum(one[question.number])) for one in found)}"
        for question in questions
        if not all(all(one[question.number]) for one in found)
    ]


def measure_pages(report: QualityReport, corpus: Corpus, folder: PageFolder) -> None:
    """What stands on the pages, whatever is asked."""
    section = "pages"
    report.add(
        section, "pages, and words on them", len(folder.pages), sum(len(page.body.split()) for page in folder.pages)
    )
    if corpus.facts:
        facts = list(measures.kept(corpus.facts, folder))
        noted = sum(1 for _ in measures.kept(corpus.facts, folder, with_notes=True))
        report.add(section, "facts kept, and with those only in footnotes", Share(len(facts), len(corpus.facts)), noted)
        report.lists["facts not kept"] = [fact.spans[0] for fact in corpus.facts if fact not in set(facts)]
    counts = measures.names(corpus.things, folder)
    if corpus.things:
        report.add(
            section,
            "things with one page, none, several",
            *map(len, (counts.one_page, counts.no_page, counts.several_pages)),
        )
        report.add(section, "pages of two things", len(counts.two_things))
        report.lists |= {"several pages": list(counts.several_pages), "two things": list(counts.two_things)}
    alike = measures.alike(folder)
    report.add(section, "groups of pages called alike", len(alike))
    report.lists["called alike"] = list(alike)
    report.add(section, "statements that stand on several pages", measures.repeated(folder))
    linked = measures.links(corpus, folder)
    report.add(section, "links", linked.all)
    if corpus.links:
        report.add(section, "labelled links right, places linked", linked.right, linked.linked)
        report.lists["wrong links"] = list(linked.wrong)
    for kind in ("contradicts", "supersedes"):
        if expected := [each for each in corpus.relations if each.kind == kind]:
            of_kind = measures.relations(expected, folder)
            report.add(section, f"{kind}: both kept, told, marked", of_kind.kept, of_kind.told, of_kind.marked)
            report.lists[f"{kind}: not told"] = list(of_kind.missed)
    if spent := curated.cost(folder.root) if folder.is_kept_by_curate else None:
        report.add(section, "tokens of the ingests, in and out", spent.prompt, spent.completion)


def add_claims(report: QualityReport, figures: ClaimFigures) -> None:
    """How many claims of each kind were refused; seconds go to the JSON only."""
    for row in figures.rows:
        what = f"{row['documents']}: {row['kind']}"
        report.add("claims refused, by kind", what, Share(row["refused"], row["tried"]), f"{row['share']:.1%}")
    report.lists |= {"codes of claims refused": [f"{number} {code}" for code, number in figures.codes.items()]}
    report.add("claims refused, by kind", "seconds for a hundred claims", round(figures.seconds, 2))
