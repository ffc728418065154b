"""Labels: headings and the heads of tables. Nothing is cited for them, so they name and do not state.

A label is sound when the source has it as a heading, when it names a page or the source ("From PEP 517"), or when it is a
few words that the source, the page's names or a list of usual section names have, and that state nothing: no finite verb,
no "all" or "never", no bare predicate ("Approved by the EU", "Safe for bees"), no verb with its object ("Kills bees").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from curator.wiki.english.ordinary import is_everyday
from curator.wiki.english.stems import PAST, stem
from curator.wiki.english.words import Phrase, StemmedWord, phrase
from curator.wiki.naming.terms import Terms, key, without_number
from curator.wiki.pages.inline import code_spans

IsPage = Callable[[str], bool]
"""True for a name that a page goes by."""

_QUESTION = frozenset("what why how when where which who whom whose whether if".split())
_FINITE = frozenset(
    "is are was were am isn't aren't wasn't weren't has have had hasn't haven't does do did doesn't don't didn't can can't "
    "cannot could may might must shall should will would won't".split()
)
SWEEPING = frozenset("not no never always only all every everyone everything nobody nothing none".split())
_PREDICATES = frozenset(
    "harmless safe unsafe dangerous deadly toxic effective ineffective useful useless legal illegal true false right wrong "
    "correct incorrect proven unproven verified valid invalid official certified guaranteed mandatory obsolete free "
    "known forbidden withdrawn written made sold grown found chosen broken dead alive good bad best worst".split()
)
_LEADS_ON = frozenset("by in for since as from to at on with under until before after because".split())
_ACTS = frozenset(
    "approve attack ban beat break cause cure destroy eat endanger fix forbid harm heal help improve increase infect kill "
    "let lose make need poison prevent prohibit protect prove recommend reduce reject remove replace require save solve "
    "spread stop threaten weaken win accept adopt allow".split()
)
"""Verbs that state something of what follows them."""
_AS_ONE_WORD = frozenset("of and or in for on at by with to vs versus from per".split())
_USUAL = (
    "abstract accuracy action activity addition additional advantage advice after age aim alternative amount analysis "
    "appearance appendix application approach architecture area argument aspect author autumn availability background "
    "basics before beginning behavior behaviour benefit biology bottom brief building buying calendar care category "
    "cause challenge change changelog characteristic checking choice choosing circumstances class classification "
    "cleaning column comment community comparison compatibility component composition concern conclusion condition "
    "configuration cons consequence constraint construction contact content context contribution control cost count "
    "counting country course criterion criticism current cycle data date day decision default definition dependency "
    "description design detail development diagnosis difference dimension disadvantage discovery discussion "
    "distribution drawback edge effect element elsewhere end environment equipment error etymology evaluation event "
    "everyday evidence example exception experience explanation expression fact factor faq feature feeding field figure "
    "finding first food form format function funding further future general getting glance glossary goal governance "
    "growing guidance guideline habitat handling health here history home hour how idea impact implementation "
    "implication importance important improvement incident indicator information input inside installation interface "
    "introduction issue item keeping key kind language last layout learned learning legacy legal lesson level licence "
    "license life limit limitation link list location main maintenance making management market material meaning "
    "measure measurement mechanism member membership method methodology metric middle migration milestone "
    "miscellaneous model money month more morning motivation moving name naming next night notable note now number "
    "nutrition objection objective observation occurrence open operation option order organisation organization "
    "origin other outcome outlook output outside overview page parameter part participant people performance period "
    "person perspective phase place plan planning platform point policy position possible practice precaution "
    "preparation prerequisite present previous price principle prior problem procedure process product production "
    "program project property proposal pros protocol provision purpose quality quantity question range rate rationale "
    "reading reason recent reception recommendation record reference region rejected related relation relationship "
    "release relevance remark report reporting requirement research resource response responsibility restriction "
    "result review risk role rule running safety sale scale schedule scope season second section security see "
    "selection selling semantics sense sequence service setting setup shape short side sign significance similarity "
    "situation size software source special species specification spread spring stage standard start starting "
    "state statistics status step storage storing story strategy strength structure style subject success summary summer "
    "supply support surroundings symptom syntax system table task teaching team technique technology term terminology "
    "test testing theme then theory third time timeline timing tip title today tool top topic total tradition "
    "training transition treatment trend troubleshooting type typical unit update upgrade usage use user using "
    "validation value variant variation variety version view warning weakness week weighing weight winter work "
    "workflow works writing year yield"
)
USUAL = frozenset(stem(word) for word in _USUAL.split())
"""The stems of the words that sections and columns are usually named with."""
_MAX_CONTENT_IN_QUESTION = 1
_BEGINNING = 5
"""Letters that words of one family begin with."""
_DENIED = re.compile(
    r"\b(?:(?:is|are|was|were|has|have|had|do|does|did|can|could|will|be) (?:not|never)|cannot|never|no|nobody|none|nor"
    r"|neither)\b|n['’]t\b",
    re.IGNORECASE,
)
_NEVER_SEEN = re.compile(
    r"\b(?:not|never) (?:been )?(?:found|seen|proved|proven|observed|reported|recorded|detected|happened|occurred)\b",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r" (?:when|as) (?P<name>\S[\w .-]{1,60}) (?:was|were) (?:written|published|proposed|accepted|released)\Z"
)
"""Of ``Position when PEP 665 was written``: what the column tells held then, and may hold no more."""
_NEAR = 24
"""Letters before a word among which a denial is of it."""
_SHORT = 3
"""Words of a short form, at most."""
_CUT = frozenset("min max avg no nr vol ca incl excl std est tel".split())
_LONGEST_CUT = 5
"""Letters of a word that is cut off with a point, at most."""


def label_fault(
    text: str, terms: Terms, names: Collection[str], is_page: IsPage, *, is_column: bool = False, below: str = ""
) -> str:
    """What is wrong with a new heading or head of a column on a page that goes by ``names``; empty when nothing is.

    "Treated on 7 December" states nothing as the head of a column. What the source only denies ("Deaths of infants") has
    to be denied in it, or in what stands ``below``.
    """
    when = _WHEN.search(text)
    if when and (is_page(when["name"]) or terms.is_own(when["name"])):
        text = text[: when.start()]
    said = phrase(without_number(text))
    if not said.words or _names(text, terms, names, is_page):
        return ""
    first, second = (re.escape(word.lower) for word in (*said.words, *said.words)[:2])
    is_name = re.search(rf"(['\"`]){first}\1 {second}\b", terms.text) is not None  # "have" lines
    if not is_name and (reason := statement_in(said, is_column=is_column)):
        return f"a heading labels, it states nothing ({reason})"
    code = [text[start:end] for start, end in code_spans(text)]
    source = " ".join(terms.text.split()) if code else ""
    if missing := next((each for each in code if " ".join(each.split()) not in source), ""):
        return f"this code is not in the source: {missing}"
    known = (terms.stems, USUAL, {word for name in names for word in key(name).split()})
    strange = [word for word in said.content if not _is_known(word, known)] if terms.is_english else []
    unknown = [word for word in strange if not (terms.has_root_of(word.lower) or _is_of_verb(word, terms))]
    # A label may be put in other words: one may be new beside each that is known, and a column's one, but none that judges,
    # and none of which a word of the source says what became of it: "Planned closure".
    is_told = 2 * len(unknown) <= len(said.content) or (is_column and len(said.content) == 1)
    became = [*said.words[1:2]] == unknown[:1] != [] and said.words[0].lower.endswith("ed")
    if is_told and not became and not any(word.lower in _PREDICATES for word in unknown):
        return (
            "the source only denies it"
            if not (_is_rest(said.words) or _DENIED.search(below)) and _is_only_denied(said, terms)
            else ""
        )
    return f"neither the source nor the page's names have {', '.join(repr(word.text) for word in unknown)}"


def _is_of_verb(word: StemmedWord, terms: Terms) -> bool:
    """True for ``Closure`` where the source has ``closed``."""
    kin = _OF_VERBS.get(word.lower.removesuffix("es").removesuffix("s") if word.lower != "loss" else "loss", "")
    return any(stem(each) in terms.stems for each in kin.split())


_OF_VERBS = {"closure": "close closed", "stability": "stable", "loss": "lose lost", "los": "lose lost", "delay": "late"}
"""Nouns that are told of by a word that begins otherwise."""


def _is_only_denied(said: Phrase, terms: Terms) -> bool:
    """True for words that the source has in one sentence only where it denies: ``Deaths of infants``, ``Bankruptcy``."""
    words = [re.compile(rf"\b{re.escape(word.lower[:_BEGINNING])}", re.IGNORECASE) for word in said.content]
    if not words or all(word.stem in USUAL for word in said.content):
        return False
    held = [each for each in terms.passages if all(word.search(each) for word in words)]
    if len(words) == 1:  # it may stand in the sentence and not be what is denied
        places = [(each, found.span()) for each in held for found in words[0].finditer(each)]
        return bool(held) and all(
            _DENIED.search(each[max(0, start - _NEAR) : start]) or _NEVER_SEEN.search(each[end : end + 3 * _NEAR])
            for each, (start, end) in places
        )
    return bool(held) and all(_DENIED.search(each) for each in held)


def _is_rest(words: Sequence[StemmedWord]) -> bool:
    """True for ``Changes not included``: those left out of a kind; not for ``Thymol not approved``, of one thing."""
    if [word.lower for word in words[1:2]] != ["not"] or len(words) != len(("changes", "not", "included")):
        return False
    kind, done = words[0].lower, words[2].lower
    return kind.endswith("s") and is_everyday(kind.removesuffix("s")) and (done.endswith("ed") or done in PAST)


def statement_in(said: Phrase, *, is_column: bool = False) -> str:
    """What makes a statement of a few words: the word, quoted, and what it does; empty for a mere name."""
    words = [word for word in said.words if not word.code]
    if not words:
        return ""
    if _is_rest(words):
        return ""
    asks = words[0].lower in _QUESTION
    is_short_form = is_column and len(words) <= _SHORT and words[-1].text.isupper()  # "ROW EXCL."
    is_short_form |= (
        is_column and len(words) == 1 and len(words[0].text) <= _LONGEST_CUT and said.plain.rstrip().endswith(".")
    )  # "Miérc."
    ends = said.plain.rstrip().endswith((".", "!")) and not is_short_form
    stops = (word for before, word in pairwise(words) if word.after in (".", "!", ";") and not _is_cut(before, word))
    if ends or any(stops):
        return "it is a sentence"
    for at, word in enumerate(words):
        is_name = at > 0 and word.text[:1].isupper()
        if word.lower == "do" and [each.lower for each in words] == ["to", "do"]:
            return ""
        if word.lower in _FINITE and not is_name and not (asks and len(said.content) <= _MAX_CONTENT_IN_QUESTION):
            return f"{word.text!r} is a verb"
        is_measure = is_column and word.lower == "every" and word is words[-1]  # "Checked every" over "14 days"
        if word.lower in SWEEPING and not is_name and not is_measure:
            return f"{word.text!r} states how far something goes"
    if not is_column and _is_predicate(words):
        return f"{words[0].text!r} says something of the page"
    for at, (word, behind) in enumerate(pairwise(words)):
        if _acts(words, at) and not behind.after and behind.lower not in _AS_ONE_WORD:
            return f"{word.text!r} is a verb"
    if not is_column and words[-1].lower.endswith("ed") and _acts(words, len(words) - 1):  # "Thymol approved"
        return f"{words[-1].text!r} is a verb"
    return ""


def _is_cut(before: StemmedWord, word: StemmedWord) -> bool:
    """True for the ``Max.`` of ``Max. per day``: a word that is always cut off so."""
    return word.after == "." and before.lower in _CUT and not word.text.isupper()


def _names(text: str, terms: Terms, names: Collection[str], is_page: IsPage) -> bool:
    """True for a name: a heading of the source, the page, the source itself, another page, or from one of these."""
    wanted = key(text)
    if wanted in terms.headings or wanted in map(key, names):
        return True
    named = re.sub(r"\A(?:From|According to) (?=\S)", "", text)
    if wanted in map(key, terms.own) or is_page(named) or (named != text and terms.is_own(named)):
        return True
    return any(_shortens(wanted.split(), heading.split()) for heading in terms.headings)


def _shortens(label: Sequence[str], heading: Sequence[str]) -> bool:
    """True for ``No path traversal``, of ``No local path traversal``: it begins and ends so, and leaves no denial out."""
    if not _SHORT <= len(label) < len(heading) or (label[0], label[-1]) != (heading[0], heading[-1]):
        return False
    rest = iter(heading)
    return all(word in rest for word in label) and SWEEPING.isdisjoint({*heading} - {*label})


def _is_predicate(words: list[StemmedWord]) -> bool:
    """True for an adjective or participle with nothing behind it that it could belong to."""
    first = words[0]
    if first.lower not in _PREDICATES and not re.fullmatch(r"[a-z]{3,}ed", first.lower):
        return False
    if len(words) == _SHORT - 1 and words[1].lower in _LEADS_ON:
        return False  # "Acquired by", over a list
    if first.lower == "compared" or (len(words) == 1 and first.stem in USUAL - _ACTS):
        return False  # "Compared with lock files": the title of a comparison; "Related"
    return len(words) == 1 or bool(words[1].after) or words[1].lower in _LEADS_ON


def _acts(words: list[StemmedWord], at: int) -> bool:
    """True for ``kills`` anywhere, ``killed`` and ``kill`` behind what may be their subject."""
    lower = words[at].lower
    base = re.sub(r"(?:es|s|d|ed)\Z", "", lower)
    forms = {
        lower,
        lower.removesuffix("s"),
        lower.removesuffix("es"),
        lower.removesuffix("d"),
        lower.removesuffix("ed"),
        base,
    }
    if not forms & _ACTS:
        return False
    if lower.endswith("s"):
        return True
    behind_subject = at > 0 and words[at - 1].is_content
    return behind_subject and (lower.endswith("ed") or words[at - 1].lower.endswith("s"))


def _is_known(word: StemmedWord, known: Sequence[Collection[str]]) -> bool:
    """True for a word of the source or of the usual names, and for one put together of such: ``build-time``."""
    parts = key(word.text).split()
    return any(word.stem in some for some in known) or all(any(part in some for some in known) for part in parts)
