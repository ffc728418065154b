"""What an answer is about: a statement that names no subject is read as an answer about the thing that was asked for.

``The dose is 50 ml.`` may be true of what is quoted, and false as an answer on something else. Only what a question or a
page calls by a name can be told apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from curator.models.question import Question
from curator.models.statements import Proof
from curator.wiki.english.words import StemmedWord, phrase
from curator.wiki.pages import markdown
from curator.wiki.pages.names import keys_in, name_key, words_of
from curator.wiki.passages.of_source import sentence_borders
from curator.wiki.support.rules.negating import AUXILIARIES
from curator.wiki.support.written import written_claims
from curator.wiki.wiki import PageEntry, Wiki

_PRONOUN = re.compile(r"(?:[-*]\s+)?(?:It|He|She|They|This|That|These|Those|Its|His|Her|Their)\b(?!-)")
_PERSON = re.compile(r"(?:[-*]\s+)?(?:He|She|His|Her)\b")
_DEFINITE = re.compile(r"(?:[-*]\s+)?(?:The|These|Those|This|That|It|He|She|They|Its|His|Her|Their|One|Both)\b")
_NAME = re.compile(r"\b[A-Z]\w+(?:\s+[A-Z]\w+)+")
_ASKS = re.compile(
    r"\A(?:Did|Does?|Is|Are|Was|Were|Has|Have|Had|Can|Could|May|Must|Will|Would|Should|Who|What|When|Where|Which|Why|How|And|But)\s+"
)
"""What a question begins with, before a name."""
_REASON = re.compile(
    r"\b(?:so|therefore|thus|hence|consequently|because|as a result|which is why|due to|owing to)\b", re.I
)
_JOINT = re.compile(r"\b(?:together|along with|alongside|combined|mixed|jointly|both|at the same time)\b", re.I)
_FINITE = AUXILIARIES | frozenset("has have had do does did cannot".split())
_LONGEST_SUBJECT = 6
"""Words of a subject, at most."""


@dataclass(frozen=True)
class Apart:
    """Why a statement is not of what was asked: the code of the rule, and what to do about it."""

    code: str
    why: str


@dataclass(frozen=True)
class _Quoted:
    """What is quoted, in its sentence, and what that speaks of."""

    proof: Proof
    said: str
    keys: frozenset[str]
    """All names that could stand in the sentence, the headings over it, and on its document."""
    things: tuple[PageEntry, ...]
    """The pages of the wiki that it speaks of: the one it stands on, else those that it names."""

    def is_about(self, thing: PageEntry) -> bool:
        own = self.proof.reading.name == thing.slug or thing.slug in self.proof.passage.pages
        return own or any(name_key(name) in self.keys for name in thing.names)


class Subjects:
    """The things that one question names, and the rules that compare them with what is quoted."""

    def __init__(self, asked: Question, wiki: Wiki) -> None:
        self._wiki = wiki
        told = ((turn.question, turn.pages) for turn in reversed(asked.earlier))
        named = ((text, (*self._named(text), *self._pages(pages))) for text, pages in ((asked.text, ()), *told))
        self._text, self._things = next(((text, found) for text, found in named if found), (asked.text, ()))
        self._things = tuple({each.slug: each for each in self._things}.values())
        self._asked = asked

    def apart(self, text: str, proofs: Sequence[Proof]) -> Apart | None:
        """What is wrong with ``text``, which rests on ``proofs``. Codes: said_of_another, joined_of_two."""
        quoted = [self._quoted(proof) for proof in proofs]
        for claim in written_claims(text, markdown.scan(text)):
            words = " ".join((*claim.head, claim.words))
            rules = (Subjects.of_two,) if self._names_document(words, quoted) else _RULES
            found = next(filter(None, (rule(self, words, quoted) for rule in rules)), None)
            if found is not None:
                return found
        return None

    # -- what there is to compare ----------------------------------------------------------------------------------

    def _named(self, text: str) -> tuple[PageEntry, ...]:
        """The pages other than summaries that ``text`` names, by their longest names."""
        found = self._wiki.named_all(keys_in(text))
        longest = [key for key in found if not any(f" {key} " in f" {other} " for other in found if other != key)]
        return tuple({found[key].slug: found[key] for key in longest if found[key].kind != "summary"}.values())

    def _pages(self, slugs: Iterable[str]) -> Iterator[PageEntry]:
        """What an earlier answer told of, which a follow-up may mean by "he" or "it"."""
        entries = (self._wiki.entry(slug) for slug in slugs)
        return (entry for entry in entries if entry is not None and entry.kind != "summary")

    def _quoted(self, proof: Proof) -> _Quoted:
        passage, reading = proof.passage, proof.reading
        said = sentence_of(passage.text, proof.words)
        over = (said, passage.lead, *passage.headings)
        page = self._wiki.entry(reading.name) if not (reading.is_source or reading.is_summary) else None
        things = (page,) if page is not None else self._named("\n\n".join(over))
        return _Quoted(proof, said, frozenset(keys_in("\n\n".join((*over, *reading.names)))), things)

    def _names_document(self, claim: str, quoted: Sequence[_Quoted]) -> bool:
        """True of a claim that says which document it has it from, by a name of that or of the page that sums it up."""
        keys = keys_in(claim)
        readings = [found.proof.reading for found in quoted]
        pages = (self._wiki.entry(PurePosixPath(each.path).stem) for each in readings)
        names = [name for each in readings for name in each.names]
        names += [name for page in pages if page is not None for name in page.names]
        return any(name_key(name) in keys for name in names)

    # -- the rules -------------------------------------------------------------------------------------------------

    def of_alike(self, claim: str, quoted: Sequence[_Quoted]) -> Apart | None:
        """The question names one of two things of one kind, formic acid, and what is quoted says it of the other."""
        asked = keys_in(self._text)
        for found in quoted:
            keys = keys_in(found.said)
            for thing in self._things:
                alike = [each for each in self._named(found.said) if _are_alike(each, thing)]
                names = [name_key(name) for name in thing.names]
                strange = [each for each in alike if not any(name_key(name) in asked for name in each.names)]
                if strange and keys.keys().isdisjoint(names) and not _names_any(claim, (thing, *strange)):
                    return self._said_of(strange)
            row = _other_row(found.proof, asked)
            if row and not set(words_of(row)) <= set(words_of(claim)):
                return Apart("said_of_another", f"the row that it quotes is that of {row!r}: name it")
        return None

    def of_unknown(self, claim: str, quoted: Sequence[_Quoted]) -> Apart | None:
        """``The bridge is closed``, of the Ravn Bridge that the question asks of, where only another bridge is quoted."""
        context = "\n\n".join(text for found in quoted for text in (found.said, *found.proof.reading.names))
        keys, told = keys_in(context), keys_in(claim)
        for name in (_ASKS.sub("", each) for each in _NAME.findall(self._asked.words)):
            key = name_key(name)
            kind = key.rpartition(" ")[2]
            known = key in keys or key in told or self._wiki.named(name) is not None
            if known or kind not in keys or not (kind in told or _PRONOUN.match(claim)):
                continue
            others = {one for one in _NAME.findall(context) if name_key(one).endswith(f" {kind}")}
            if others and not any(name_key(one) in told for one in others):
                why = (
                    f"what it quotes is of {min(others)!r}, and nothing quoted names {name!r}: name what it is said of"
                )
                return Apart("said_of_another", why)
        return None

    def of_foreign(self, claim: str, quoted: Sequence[_Quoted]) -> Apart | None:
        """``The tower was designed by Vera Quist``, asked of a lighthouse, where she is said to have designed a bridge.

        What the statement is of stands in the question, in no quote, and all that is quoted is of things not asked of.
        """
        things = {each.slug: each for found in quoted for each in found.things}
        asked, subject = phrase(self._text).stems, _subject(claim)
        is_apart = all(found.things and not any(map(found.is_about, self._things)) for found in quoted)
        if not (self._things and is_apart and subject and subject <= asked) or _names_any(self._text, things.values()):
            return None
        words = [word for word in phrase(claim).content if word.stem in subject]
        is_said = any(phrase(found.said).has_kin_of(word) for found in quoted for word in words)
        is_named = _names_any(claim, (*things.values(), *self._things))
        return None if is_said or is_named else self._said_of(list(things.values()))

    def of_nobody(self, claim: str, quoted: Sequence[_Quoted]) -> Apart | None:
        """It, he or "the acid", where the question names several things that it may stand for."""
        if _names_any(claim, [each for found in quoted for each in (*found.things, *self._things)]):
            return None
        people = [each for each in self._things if each.kind == "entity"]
        kinds = [name_key(each.title).rpartition(" ")[2] for each in self._things if " " in each.title]
        is_person = _PERSON.match(claim) is not None and len(people) > 1
        is_alike = any(
            kinds.count(kind) > 1 and (_PRONOUN.match(claim) or kind in words_of(claim)[:3]) for kind in kinds
        )
        if is_person or is_alike:
            return Apart("said_of_another", "the question names several things that it may be said of: name the one")
        return None

    def of_two(self, claim: str, quoted: Sequence[_Quoted]) -> Apart | None:
        """A statement made of two quotes on two things, one of which it does not name."""
        if len(quoted) < 2 or "|" in claim:
            return None
        stems = [phrase(found.said).stems for found in quoted]
        told = {word.stem for word in phrase(claim).content}
        for at, found in enumerate(quoted):
            others = [each for number, each in enumerate(stems) if number != at]
            given = (told & stems[at]).difference(*others)
            strange = [each for each in found.things if not _is_of_all(each, quoted)]
            if _stands_alone(claim, [found]):
                continue
            of_page = not found.proof.reading.is_source
            if (
                given
                and of_page
                and strange
                and len(strange) == len(found.things)
                and not _names_any(claim, found.things)
            ):
                return Apart(
                    "joined_of_two", f"a part of it is quoted of {strange[0].title!r}: name it, or say it apart"
                )
            if given and _has_another_subject(claim, found, [each for each in quoted if each is not found]):
                return Apart("joined_of_two", "a part of it is quoted of something else than its subject: say it apart")
        apart = {
            PurePosixPath(found.proof.reading.name).stem for found in quoted
        }  # a source, and the page that sums it up
        reason = _REASON.search(claim)
        if reason and len(apart) > 1 and not any(_REASON.search(found.said) for found in quoted):
            return Apart("joined_of_two", f"nothing that it quotes gives the reason that its {reason[0]!r} does")
        joint, said = _JOINT.search(claim), {found.said for found in quoted}
        if joint and len(said) > 1 and not any(map(_JOINT.search, said)):
            return Apart("joined_of_two", f"nothing that it quotes joins them as its {joint[0]!r} does: say it apart")
        return None

    def _said_of(self, others: Sequence[PageEntry]) -> Apart:
        things = " or ".join(dict.fromkeys(repr(each.title) for each in self._things))
        why = (
            f"what it quotes is said of {others[0].title!r}, and nothing in it names {things}: name what it is said of"
        )
        return Apart("said_of_another", why)


OF_WHAT = {
    "said_of_another": "quotes what is said of something else than what was asked, and does not name that",
    "joined_of_two": "joins what is said of two things",
}
"""What people are told of a statement that is left out, by its code."""
_RULES = (Subjects.of_alike, Subjects.of_unknown, Subjects.of_foreign, Subjects.of_nobody, Subjects.of_two)


def sentence_of(text: str, words: str) -> str:
    """The sentences of ``text`` in which ``words`` stand; all of it where they are not found as they are."""
    flat = " ".join(text.split())
    at = flat.find(" ".join(words.split())) if words else -1
    if at < 0:
        return flat
    borders = sentence_borders(flat)
    end = at + len(" ".join(words.split()))
    return flat[max(each for each in borders if each <= at) : min(each for each in borders if each >= end)]


def _names_any(claim: str, things: Iterable[PageEntry]) -> bool:
    """True where ``claim`` names one of ``things``, by a name or by all the words of one."""
    keys, stems = keys_in(claim), phrase(claim).stems
    for name in (name for thing in things for name in thing.names):
        told = {word.stem for word in phrase(name).content}
        if name_key(name) in keys or (told and told <= stems):
            return True
    return False


def _stands_alone(claim: str, quoted: Sequence[_Quoted]) -> bool:
    """True of a claim that begins with what it is of, as the quote has it: the name of a row, or two words and no "the"."""
    told = set(words_of(claim))
    rows = [_label(found.proof.passage.text) for found in quoted if found.proof.passage.kind == "row"]
    if any(row and set(words_of(row)) <= told for row in rows):
        return True
    subject = _subject(claim)
    is_full = len(subject) > 1 and not _DEFINITE.match(claim)
    return is_full and any(subject <= phrase(found.said).stems for found in quoted)


def _are_alike(one: PageEntry, other: PageEntry) -> bool:
    """True of two things of one kind, by their last word."""
    words, others = name_key(one.title).split(), name_key(other.title).split()
    return one.slug != other.slug and len(words) > 1 and len(others) > 1 and words[-1] == others[-1]


def _other_row(proof: Proof, asked: Iterable[str]) -> str:
    """The name of the row that is quoted, where the question names another row of its table, and not this one."""
    passage = proof.passage
    if passage.kind != "row":
        return ""
    whole = proof.reading.whole or proof.reading
    rows = [each for each in whole.passages if (each.kind, each.head) == ("row", passage.head)]
    own, others = _label(passage.text), [_label(each.text) for each in rows]
    named = {name_key(each) for each in others if each} & set(asked)
    return own if own and named and name_key(own) not in named else ""


def _label(row: str) -> str:
    return row.strip().strip("|").partition("|")[0].strip()


def _is_of_all(thing: PageEntry, quoted: Sequence[_Quoted]) -> bool:
    return all(found.is_about(thing) for found in quoted)


def _has_another_subject(claim: str, found: _Quoted, others: Sequence[_Quoted]) -> bool:
    """``Old honey is fed in autumn``, where sugar syrup is, and another quote speaks of old honey."""
    mine, its = _subject(claim), _subject(found.said)
    stems = phrase(claim).stems
    if not mine or not its or its & stems or mine & phrase(found.said).stems:
        return False
    return any(mine <= phrase(each.said).stems for each in others)


def _subject(text: str) -> frozenset[str]:
    """The words that stand for a subject before the first verb; none where there is a pronoun or many words."""
    words = next(iter(phrase(text).sentences), ())
    before = list(_before_verb(words))
    is_found = len(before) < min(len(words), _LONGEST_SUBJECT + 1)
    return frozenset(word.stem for word in before if word.is_content) if is_found else frozenset()


def _before_verb(words: Sequence[StemmedWord]) -> Iterator[StemmedWord]:
    for word in words:
        if word.lower in _FINITE:
            return
        yield word
