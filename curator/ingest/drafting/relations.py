"""Relations that a reply wants set: each needs words of the source that name both things and say how they stand.

- *supersedes*: a word of replacing, not denied and not merely proposed, with the newer thing on its side of it: ``A
  replaces B``, ``B is replaced by A``. The source's own summary stands for the source, and speaks as "this document".
- *contradicts*: both named, and a word of contradicting.
- *confidence*: the thing named, in the sentences quoted or beside them, and a word of doubt.

Without quotes only the fields of the source's head are looked at (``Replaces: 241``). English words alone are known.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from curator.finding import Finding
from curator.models.proposal import Mark
from curator.wiki.english.stems import stem
from curator.wiki.english.words import StemmedWord, phrase
from curator.wiki.pages.names import name_key, series_name
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import Missing
from curator.wiki.support.context import Context
from curator.wiki.support.rules.negating import NOT
from curator.wiki.support.source_context import SourceContext
from curator.wiki.wiki import Wiki

MOST_RELATIONS = 10
"""Relations of each kind that one source may state."""
MOST_DOUBTS = 5
"""Pages of which one source may say that it is unsure."""
MOST_FALL = 0.2
"""By which the doubt of one source lowers a page that rests on others, too: what they say stands as it stood."""

_SUMMARY = "-summary"
"""What is behind the id of a source in the slug of its summary, where the source is called so itself."""

_REPLACING = frozenset(map(stem, "replace replacement supersede obsolete successor succeed".split()))
_IN_PLACE = frozenset(("place of", "instead of"))
_OPPOSING = frozenset(
    map(
        stem,
        "contradict contradiction contrary contrast disagree conflict dispute refute disprove challenge inconsistent "
        "oppose incorrect wrong mistaken false differ unlike".split(),
    )
)
_DOUBTING = frozenset(
    map(
        stem,
        "may might could perhaps possible possibly maybe uncertain unsure unclear unconfirmed unverified rumour rumor "
        "allege allegedly reportedly suspect doubt doubtful preliminary tentative estimate guess apparently seem likely "
        "unlikely unknown hearsay anecdotal draft believe speculate speculative provisional unproven question".split(),
    )
)
_NOT_YET = frozenset("may might could would should propose proposes proposed plan plans planned draft if".split())
_PORTIONS = frozenset(
    "chapter section part paragraph clause article appendix annex table page rule sentence line figure footnote".split()
)
"""What is but a portion of a document: who replaces that replaces no document."""
_ITSELF = frozenset("this these here it we our ours present following new now".split())
"""Words with which a document speaks of itself."""
_PARTS = (
    _REPLACING
    | _OPPOSING
    | frozenset(map(stem, "version edition revision release issue draft place use instead".split()))
    | frozenset(map(stem, "say said know known tell told write written state find found report".split()))
)
"""Of what stands for the thing itself in ``the second edition of the handbook``."""
_NEAR = 4
_NUMBERED = re.compile(r"([a-z]+) 0*(\d{1,6})\b")


def page_called(wiki: Wiki, slug: str) -> Page | None:
    """The page ``slug``; where there is none, the summary of the source of that id."""
    page = wiki.page(slug)
    summary = wiki.page(slug + _SUMMARY) if page is None else None
    return summary if summary is not None and summary.kind == "summary" else page


def by_slugs(mark: Mark, wiki: Wiki) -> Mark:
    """``mark`` with the slugs of the pages that it relates to, as far as there are such."""
    called = {slug: page.slug for slug in (*mark.contradicts, *mark.supersedes) if (page := page_called(wiki, slug))}
    contradicts, supersedes = (
        [called.get(each, each) for each in some] for some in (mark.contradicts, mark.supersedes)
    )
    return mark.model_copy(update={"contradicts": tuple(contradicts), "supersedes": tuple(supersedes)})


@dataclass(frozen=True)
class RelationJudge:
    """Tells whether one source states a relation between pages."""

    context: SourceContext
    own: Page | None
    """The summary of the source: it stands for the source itself."""

    def stated(self, mark: Mark, page: Page, wiki: Wiki, before: Counter[str]) -> tuple[Mark, list[Finding]]:
        """``mark`` with those of its relations that the source states, and what is wrong with the others.

        Codes: ``relation_unproven``, ``relation_ring``, ``relations_too_many``. ``before`` counts what was marked by now.
        """
        found: list[Finding] = []
        kept: dict[str, list[str]] = {"contradicts": [], "supersedes": []}
        for what, slugs in kept.items():
            for slug in dict.fromkeys(getattr(mark, what)):
                if slug in getattr(page, what):
                    continue
                fault = self._fault(mark, page, what, before, wiki, wiki.page(slug))
                if fault is None:
                    slugs.append(slug)
                    before[what] += 1
                else:
                    found.append(fault)
        doubt = mark.confidence
        if doubt is not None and doubt < page.confidence:
            fault = self._fault(mark, page, "confidence", before, wiki)
            found += [fault] if fault is not None else []
            doubt = doubt if fault is None else None
            before["confidence"] += fault is None
        return mark.model_copy(
            update={"confidence": doubt, **{what: tuple(slugs) for what, slugs in kept.items()}}
        ), found

    def opposed(self, sentence: str, one: Page, other: Page) -> bool:
        """True when this sentence says that the two contradict each other."""
        words = phrase(sentence).words
        return bool(words) and self._opposes(words, one, other)

    def _fault(
        self, mark: Mark, page: Page, what: str, before: Counter[str], wiki: Wiki, other: Page | None = None
    ) -> Finding | None:
        most = MOST_DOUBTS if what == "confidence" else MOST_RELATIONS
        if before[what] >= most:
            message = f"{what} of {page.slug}: one source sets it at most {most} times"
            return Finding("relations_too_many", self.context.path, message)
        if what == "supersedes" and other is not None and wiki.supersedes(other.slug, page.slug):
            message = f"{page.slug} cannot supersede {other.slug}, which supersedes it"
            return Finding("relation_ring", self.context.path, message)
        if fault := self._unstated(mark, page, what, other):
            subject = f"{page.slug} {what} {other.slug}" if other is not None else f"{what} of {page.slug}"
            return Finding("relation_unproven", self.context.path, f"{subject}: {fault}")
        return None

    def _unstated(self, mark: Mark, page: Page, what: str, other: Page | None) -> str:
        """Why the source does not state ``what`` of ``page``; empty when it does."""
        for quote in mark.quotes:
            if not self._is_field(quote) and isinstance(found := Context.of_quote(self.context, quote), Missing):
                return f"{found.message}: {quote!r}"
        passages = list(self._passages(mark.quotes))
        if other is None:
            stated = any(self._doubts(words, around, page) for words, around in passages)
            named = page.title
        else:
            states = self._replaces if what == "supersedes" else self._opposes
            stated = any(states(words, page, other) for words, _ in passages)
            named = f"{page.title} and {other.title}"
        if stated:
            return ""
        words = "no quote is given" if not mark.quotes else "what is quoted does not say so"
        return f"{words}: quote the sentence that names {named} and states {what}"

    # -- what is quoted ----------------------------------------------------------------------------------------------

    def _passages(self, quotes: Sequence[str]) -> Iterator[tuple[Sequence[StemmedWord], Sequence[StemmedWord]]]:
        """The words of each sentence quoted, and of what stands around it."""
        layout = self.context.layout
        if not quotes:
            for block in layout.head:
                yield phrase(layout.of(block)).words, ()
        for quote in quotes:
            if self._is_field(quote):
                yield phrase(quote).words, ()
                continue
            found = Context.of_quote(self.context, quote)
            if not isinstance(found, Missing):
                for passage in found.passages:
                    yield phrase(passage).words, found.around.words

    def _is_field(self, quote: str) -> bool:
        """True for a whole field of the source's head, which may be shorter than a quote has to be."""
        return " ".join(quote.split()).casefold() in self._fields

    @cached_property
    def _fields(self) -> frozenset[str]:
        layout = self.context.layout
        return frozenset(" ".join(layout.of(block).split()).casefold() for block in layout.head)

    # -- what it says ------------------------------------------------------------------------------------------------

    def _replaces(self, words: Sequence[StemmedWord], new: Page, old: Page) -> bool:
        for at in _of(words, _REPLACING, _IN_PLACE):
            if _is_denied(words, at, _NOT_YET):
                continue
            before, behind = words[:at], words[at + 1 :]
            if self._is_portion([*before, *behind], old):
                continue
            by = next((n for n, word in enumerate(behind[:_NEAR]) if word.lower == "by"), None)
            if by is None and self._speaks(before, new) and self._names(behind, old):
                return True
            if by is not None and self._speaks(before, old) and self._is_agent(behind[by + 1 :], new):
                return True
        return False

    def _is_portion(self, words: Sequence[StemmedWord], old: Page) -> bool:
        """True for ``the chapter on feeding of the Guide``: not the whole of ``old`` is spoken of."""
        names = {word.stem for name in _names_of(old) for word in phrase(name).words}
        portions = [at for at, word in enumerate(words) if word.lower in _PORTIONS and word.stem not in names]
        return any(word.lower in ("of", "in") for at in portions for word in words[at + 1 :])

    def _opposes(self, words: Sequence[StemmedWord], one: Page, other: Page) -> bool:
        named = all(self._is_own(page) or self._names(words, page) for page in (one, other))
        return named and any(not _is_denied(words, at) for at in _of(words, _OPPOSING))

    def _doubts(self, words: Sequence[StemmedWord], around: Sequence[StemmedWord], page: Page) -> bool:
        named = self._is_own(page) or self._names(words, page) or self._names(around, page)
        return named and any(not _is_denied(words, at) for at in _of(words, _DOUBTING))

    def _speaks(self, words: Sequence[StemmedWord], page: Page) -> bool:
        """True when ``words``, all before the verb, name ``page``; or are none, or speak of the document, for its own."""
        if self._names(words, page):
            return True
        if not self._is_own(page):
            return False
        told = {word.stem for name in _names_of(page) for word in phrase(name).words}
        numbers = {word.stem for word in words if word.is_number}
        itself = any(word.lower in _ITSELF or (word.is_content and word.stem in told) for word in words)
        return not words or (itself and numbers <= told) or _is_standing(words)

    def _is_agent(self, words: Sequence[StemmedWord], page: Page) -> bool:
        """True when ``words``, all behind ``by``, begin with the name of ``page``, or with "this document" for its own."""
        return self._names(words, page) or (self._is_own(page) and any(w.lower in _ITSELF for w in words[:_NEAR]))

    def _is_own(self, page: Page) -> bool:
        return self.own is not None and page.path == self.own.path

    def _names(self, words: Sequence[StemmedWord], page: Page) -> bool:
        """True when one of the page's names stands there, its number, or all the telling words of one of its names."""
        said = f" {' '.join(name_key(word.text) for word in words)} "
        stems = {word.stem for word in words}
        numbers = {word.text.lstrip("0") for word in words if word.is_number}
        for name in _names_of(page):
            key = name_key(name)
            telling = {word.stem for word in phrase(name).content}
            if key and f" {key} " in said:
                return page.kind == "summary" or _is_itself(words, key)
            if key and len(telling) > 1 and telling <= stems:
                return True
            series = _NUMBERED.match(key)
            if series and series[2] in numbers and (series[1] in stems or self._is_of_series(series[1])):
                return True
        return False

    def _is_of_series(self, series: str) -> bool:
        """True when the source is itself one of ``series``, as of the PEPs: there ``241`` is enough of a name."""
        own = _names_of(self.own) if self.own is not None else ()
        return any((found := _NUMBERED.match(name_key(name))) and found[1] == series for name in own)


def _is_standing(words: Sequence[StemmedWord]) -> bool:
    """True for the beginning of a field on what the document itself is worth: ``Status: in force, replaces Note 1``."""
    return words[0].lower == "status" and len(words) <= _NEAR and all(word.lower == word.text for word in words[1:])


def contradicting(wiki: Wiki, one: str, other: str) -> Wiki:
    """``wiki`` in which two pages say of each other that they contradict."""
    for slug, against in ((one, other), (other, one)):
        page = wiki.page(slug) if slug and against else None
        if page is not None and slug != against and against not in page.contradicts:
            wiki = wiki.with_page(page.with_fields(contradicts=[*page.contradicts, against]))
    return wiki


def _names_of(page: Page) -> tuple[str, ...]:
    return (page.title, *page.aliases, page.slug.replace("-", " "), *filter(None, [series_name(page.title)]))


def _is_itself(words: Sequence[StemmedWord], key: str) -> bool:
    """True where the name ``key`` stands somewhere for the thing itself, not for another one: ``the cousin of NAME``."""
    keys, wanted = [name_key(word.text) for word in words], key.split()
    for at in range(len(keys) - len(wanted) + 1):
        if keys[at : at + len(wanted)] != wanted or words[at + len(wanted) - 1].text.endswith(("'s", "’s")):
            continue
        before = [word.lower for word in words[max(0, at - 3) : at] if word.lower not in ("the", "a", "an")]
        is_another = before[-1:] == ["of"] and len(before) > 1 and stem(before[-2]) not in _PARTS
        if not is_another:
            return True
    return False


def _of(words: Sequence[StemmedWord], stems: frozenset[str], pairs: frozenset[str] = frozenset()) -> Iterator[int]:
    """Where one of ``stems`` or of ``pairs`` stands; of a pair its last word."""
    for at, word in enumerate(words):
        if word.stem in stems or (at and f"{words[at - 1].lower} {word.lower}" in pairs):
            yield at


def _is_denied(words: Sequence[StemmedWord], at: int, others: frozenset[str] = frozenset()) -> bool:
    """True when a "not", or one of ``others``, stands closely before the word."""
    near = [word.lower for word in words[max(0, at - _NEAR) : at]]
    return any(word in NOT or word in others or word.endswith("n't") for word in near)
