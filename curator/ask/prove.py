"""The rules that a statement must keep before it is printed as an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from curator.ask.subject import OF_WHAT, Subjects
from curator.ask.yes_no import without_yes, yes_unproven
from curator.checks.rules import BODIES, LINKS, STATEMENTS, Rule, frontmatter, labels, sizes
from curator.checks.rules.change import Change
from curator.finding import Finding
from curator.models.question import Question
from curator.models.statements import Proof, ProvenStatement, RefusedStatement, refused
from curator.wiki.autolink import settle_links
from curator.wiki.pages import editing, markdown
from curator.wiki.pages.citation import Citation, without_marks
from curator.wiki.pages.editing import CLAIMS
from curator.wiki.pages.names import keys_in, name_key, words_of
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Evidence, Missing
from curator.wiki.sources.source import Document, Source
from curator.wiki.support.judge import Judge
from curator.wiki.support.source_context import name_of_file
from curator.wiki.support.written import in_one, written_claims
from curator.wiki.wiki import Wiki
from curator.wiki.workspace.workspace import CurationPolicy

CONTENT: tuple[Rule, ...] = (
    sizes.line_too_long,
    frontmatter.second_head,
    *LINKS,
    *STATEMENTS,
    *BODIES,
    labels.label_unknown,
)
"""What a statement has to keep, printed or filed. Its source is what the wall calls one: the passages it rests on."""

_PROBE = "---\nslug: answer\n---\n"
_LONGEST_SUBJECT = 6
"""Words of a name that a statement begins with."""


def sound(said: ProvenStatement, wiki: Wiki, asked: Question, now: datetime) -> ProvenStatement | RefusedStatement:
    """The statement as it may be printed: its links settled, marks that were made up taken out; or the rule it breaks.

    What it quotes has to bear it out, read where it stands on the pages; their names are context, and of the question what
    these pages have as well (see ``context_names``). Codes: those of the wall, those of ``curator.wiki.support``,
    ``statement_form`` and ``subject_unquoted``.
    """
    kinds = {block.kind for block in markdown.scan(said.text).blocks}
    text = settle_links(without_marks(said.text), wiki.resolve)
    if not kinds <= {*CLAIMS, "code"} or editing.cite(text, {"1": ""}) == text:
        return refused(said.number, "statement_form", " is no paragraph, list item or table that states something")
    page = Page("concepts/.answer.md", f"{_PROBE}{editing.cite(text, {'1': ''})}\n")
    broken = next(
        (finding for rule in CONTENT for finding in rule(change_of(page, said.proofs, wiki, asked.policy, now))), None
    )
    if broken is not None:
        return refused(said.number, broken.code, " breaks this rule of the wall", why=broken.message)
    if name := _foreign_subject(said.proofs, text, asked):
        message = " speaks of a page that it does not quote"
        return refused(said.number, "subject_unquoted", message, why=f"nothing that it quotes speaks of {name!r}")
    if apart := Subjects(asked, wiki).apart(text, said.proofs):
        return refused(said.number, apart.code, f" {OF_WHAT[apart.code]}", why=apart.why)
    if why := yes_unproven(text, said.proofs, asked.text):
        text = without_yes(text)
        if not text:
            return refused(said.number, "yes_unproven", " answers yes or no without a quote that does", why=why)
    against = list(_against(said.proofs, text, asked.words))
    if against:
        message = " says what the passages that it quotes do not"
        return refused(said.number, against[0].code, message, why=in_one(against).message)
    return replace(said, text=text)


def _against(proofs: Sequence[Proof], text: str, asked: str) -> Iterator[Finding]:
    """What the pages quoted, each read as a whole, have against a statement."""
    readings = {proof.reading.name: proof.reading for proof in proofs}
    parts = [
        *(reading.context for reading in readings.values()),
        *dict.fromkeys(proof.passage.text for proof in proofs),
    ]
    evidence = Evidence("sources/pages", Document.from_text("\n\n".join(parts)))
    anchor = f"L1-L{len(evidence.document.lines)}"
    # Of a source what is quoted counts, in its sentence: a paragraph says too much to bear out any one thing.
    cited: list[Citation] = []
    for proof in proofs:
        found = evidence.find(proof.words, text) if proof.words else Missing("", "quote_missing", "")
        whole = Citation(evidence.path, anchor, proof.passage.text)
        cited += [whole] if isinstance(found, Missing) else found
    names, judge = context_names(proofs, asked), Judge(evidence)
    for claim in written_claims(text, markdown.scan(text)):
        yield from judge.judge_cited(claim.words, list(filter(evidence.holds, cited)), (*names, *claim.head)).findings


def _foreign_subject(proofs: Sequence[Proof], text: str, asked: Question) -> str:
    """The name of a page that was shown with which a statement begins, where none of the pages that it quotes has it."""
    quoted = {proof.reading.name for proof in proofs}
    others = [reading for reading in asked.known if reading.name not in quoted]
    foreign = {name_key(name): name for reading in others for name in reading.names}
    known = keys_in("\n\n".join(texts_of(proofs)))
    for block in markdown.scan(text).blocks:
        first = re.split(r"[|.:;,]", editing.without_bullet(text[block.start : block.end].lstrip("|")))[0]
        words = words_of(first)
        for count in range(1, min(len(words), _LONGEST_SUBJECT) + 1):
            key = name_key(" ".join(words[:count]))
            if key in foreign and key not in known:
                return foreign[key]
    return ""


def context_names(proofs: Sequence[Proof], asked: str) -> tuple[str, ...]:
    """What a statement may name without a proof: the pages it rests on, and of the question what these pages name, too.

    A number of the question only where it is part of a name, as in PEP 695: a question may claim anything.
    """
    known = {word for text in texts_of(proofs) for word in words_of(text)}
    words = asked.split()
    named = [
        word
        for before, word in zip(["", *words], words, strict=False)
        if any(letter.isupper() for letter in word) or (word[:1].isdigit() and before[:1].isupper())
    ]
    held = (word for word in named if known.issuperset(words_of(word)))
    cited = (citation.path for proof in proofs for citation in proof.passage.citations)
    names = (*(name for proof in proofs for name in proof.reading.names), *map(name_of_file, cited))
    return (*dict.fromkeys(names), *held)


def texts_of(proofs: Sequence[Proof]) -> Iterator[str]:
    """The names and the text of each page that is quoted."""
    for reading in dict.fromkeys(proof.reading for proof in proofs):
        yield from (*reading.names, reading.context)


def change_of(page: Page, proofs: Sequence[Proof], wiki: Wiki, policy: CurationPolicy, now: datetime) -> Change:
    """The page as the wall looks at it: the passages it rests on, with the names around them, are its source."""
    parts = dict.fromkeys(text for proof in proofs for text in (*_around(proof), proof.passage.text))
    document = Document.from_text("\n".join(parts))
    source = Source("sources/pages", "", document)
    return Change(source, Judge(Evidence(source.path, document)), policy, wiki, wiki.with_page(page), {}, now)


def _around(proof: Proof) -> tuple[str, ...]:
    whole = proof.reading.whole or proof.reading
    headings = dict.fromkeys(heading for passage in whole.passages for heading in passage.headings)
    return (proof.reading.name, proof.reading.title, *headings, proof.passage.head)
