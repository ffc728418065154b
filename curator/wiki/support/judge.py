"""Judges a claim by its quotes: does the source, read where they stand, say what the claim says?

The honest word for a pass is "nothing against it found". A claim or a source in another language than English is
judged by the few rules that need no English: numbers in digits, code, names that no grammar bends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curator.finding import Finding
from curator.wiki.sources.evidence import Missing
from curator.wiki.sources.source import Document
from curator.wiki.support.case import Case
from curator.wiki.support.context import Context, SourceContext
from curator.wiki.support.rules import ANY_LANGUAGE, RULES, Rule
from curator.wiki.support.words import is_english


@dataclass(frozen=True)
class Judgement:
    """What is against a claim, and what it was compared with."""

    findings: tuple[Finding, ...]
    passages: tuple[str, ...] = ()
    """The quotes, widened to whole sentences, list items, table rows."""
    uncovered: tuple[str, ...] = ()
    """The words of the claim that stand nowhere near the quotes."""
    abstained: bool = False
    """The claim or what is quoted is not in English: it was judged by the few rules that hold for any language."""

    @property
    def supported(self) -> bool:
        return not self.findings


class Judge:
    """One source, ready to judge any number of claims; it is parsed once."""

    def __init__(self, path: str, document: Document) -> None:
        self.source = SourceContext(path, document)

    def judge(self, claim: str, quotes: Sequence[str] | None, names: Sequence[str] = ()) -> Judgement:
        """The verdict on ``claim``, which rests on ``quotes`` and stands on a page that has ``names``.

        A quote that is not in the source does no harm where the others carry the claim. None: it rests on all the source.
        """
        context = self.source.widen(quotes, names)
        if isinstance(context, Missing):
            return Judgement((self._lost(context),))
        lost = tuple(map(self._lost, context.missing))
        case = Case.of(claim, context, self.source)
        if not (is_english(case.whole) and is_english(context.stated)):
            found = tuple(self._findings(case, ANY_LANGUAGE))
            return Judgement((*lost, *found), context.passages, abstained=True)
        found = tuple(self._findings(case, RULES))
        return Judgement((*lost, *found) if found else (), context.passages, tuple(_uncovered(case, context)))

    def _lost(self, missing: Missing) -> Finding:
        return Finding(missing.code, self.source.path, f"{missing.message}: {missing.quote!r}")

    def _findings(self, case: Case, rules: Sequence[Rule]) -> Iterator[Finding]:
        for rule in rules:
            for message in rule(case):
                yield Finding(rule.__name__, self.source.path, message)


def judge(claim: str, quotes: Sequence[str], document: Document, names: Sequence[str] = ()) -> Judgement:
    """The verdict on one claim; ``Judge`` is for many of one source."""
    return Judge("source", document).judge(claim, quotes, names)


def _uncovered(case: Case, context: Context) -> Iterator[str]:
    held = context.around.stems | context.known.stems
    seen = set()
    for word in case.claim.content:
        if word.stem not in held and word.stem not in seen:
            seen.add(word.stem)
            yield word.text
