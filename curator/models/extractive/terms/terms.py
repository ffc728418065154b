"""A term: something that may get a page, and what shows that it is none."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from curator.models.extractive.parsing.lexicon import CALENDAR, GENERIC, NEVER_NAMES, STOP, VERBS

LONGEST = 5
"""Words in a term."""
_LEAST_OF_CODE = 3
"""Times that a word is written as code that is a name by this alone."""
_ORDINARY = (GENERIC | NEVER_NAMES | VERBS) - {"false", "none", "null", "true"}


@dataclass
class Term:
    """Something that may get a page."""

    key: str
    written: Counter[str] = field(default_factory=Counter)
    signals: set[str] = field(default_factory=set)
    """Of: name, file, code, qualified, marked, defined, heading, title, short, known. Qualified is what can only be a name
    of code: ``typing.Final``, ``Required[]``, ``@final``."""
    named: int = 0
    """How often it is written as a name: with a capital inside a sentence, or as code."""
    used: int = 0
    """How often it is used at all."""
    common: int = 0
    """How often it is used as a common noun, behind an article."""
    only_code: bool = False
    """It is a page's name, which is an ordinary word where it is not written as code."""
    exact: str = ""
    """The only way to write it, for what is no name when written otherwise."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Other names by their keys."""
    slug: str = ""
    """The page it already has."""

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key, *self.aliases)

    @property
    def is_name(self) -> bool:
        """A thing's own name, not a word for a kind of things."""
        if "file" in self.signals or "_" in max(self.written, key=lambda form: (self.written[form], form), default=""):
            return True
        total = max(self.used, self.named, 1)
        if "name" in self.signals:
            return (
                sum(count for form, count in self.written.items() if form != form.lower()) * 2 >= self.written.total()
            )
        often_code = self.named * 5 >= total * 2 and self.common * 4 < total
        one_word = all(" " not in form for form in self.written)
        return "code" in self.signals and (often_code or (one_word and not self.is_common))

    @property
    def is_common(self) -> bool:
        """True for a word for a kind of things: there is a singular and a plural, or an article."""
        forms = {form.casefold() for form in self.written}
        return self.common * 6 > self.used or len(forms) > 1

    @property
    def is_shouted(self) -> bool:
        """True for what is written in capitals alone, or as often as not."""
        return sum(count for form, count in self.written.items() if form.isupper()) * 2 >= self.written.total()

    @property
    def is_code_alone(self) -> bool:
        """True for a name like ``Final`` that is an ordinary word where it is not written as code."""
        return self.only_code or (self.named >= _LEAST_OF_CODE and self.is_ordinary and "qualified" in self.signals)

    @property
    def is_ordinary(self) -> bool:
        """True for one ordinary word with a name's capital."""
        return self.key in _ORDINARY and self.title[:1].isupper()

    @property
    def cased(self) -> bool:
        """One capitalised word, which is only meant where it is written so."""
        return " " not in self.key and self.signals.isdisjoint({"file", "code", "defined", "heading", "known"})

    @property
    def title(self) -> str:
        """As it is written most, in the singular where the source has one; terms begin with a capital."""
        ranked = sorted(self.written, key=lambda form: (-self.written[form], form))
        if not ranked:
            return self.key
        if not self.is_name:
            last = self.key.rpartition(" ")[2]
            ranked = [form for form in ranked if form.casefold().endswith(last)] or ranked
            lower = [form for form in ranked if form == form.lower()]
            return (lower or ranked)[0][:1].upper() + (lower or ranked)[0][1:]
        shaped = (
            [form for form in ranked if form != form.lower()] if self.signals.isdisjoint({"file", "code"}) else ranked
        )
        return (shaped or ranked)[0]


def is_sound(term: Term) -> bool:
    """False for what is too general, a date, a label of documents, or part of a phrase."""
    words = term.key.split()
    written = max(term.written, key=lambda form: (term.written[form], form), default=term.key)
    if not 1 <= len(words) <= LONGEST or len(term.key) < 2 or not any(c.isalpha() for c in term.key):
        return False
    is_word = any(word in NEVER_NAMES for word in (term.key, written.casefold())) or all(map(_is_weak, words))
    if is_word and not term.is_code_alone:
        return False
    if "file" in term.signals:
        return True
    if words[0] in STOP or words[-1] in STOP or any(word.isdigit() for word in words):
        return False
    if all(word in CALENDAR or word.isdigit() for word in words):
        return False
    if len(words) == 1:
        return _is_sound_word(term, words[0], written)
    if term.is_name:
        return not _is_weak(words[-1]) or not _is_weak(words[0])
    if term.signals & {"defined", "marked", "short"}:
        return (
            not words[-1].endswith("ly")
            and not _POINTS_TO.match(term.key)
            and not (len(words[-1]) == 1 and written.islower())
        )
    return words[-1] not in VERBS and words[0] not in VERBS and not words[-1].endswith(("ly", "ing", "ed"))


def _is_sound_word(term: Term, word: str, written: str) -> bool:
    if term.is_code_alone:
        return True
    if word in GENERIC or word in STOP or word in CALENDAR or len(word) < 3:
        return False
    if term.signals <= {"code", "marked", "heading", "title"} and "code" in term.signals:
        return term.named >= _LEAST_OF_CODE
    if "name" in term.signals:
        return True
    return word not in VERBS and bool(term.signals & {"defined", "short", "marked"}) and written.isalpha()


_POINTS_TO = re.compile(
    r"(?:another|best|better|common|good|main|only|other|possible|simple|typical) "
    r"(?:alternative|approach|case|example|exception|idea|option|problem|question|reason|solution|way)\Z"
)
"""What is no thing, though something is said to be it: ``a typical example is``."""


def _is_weak(word: str) -> bool:
    return word in GENERIC or word in STOP or word in CALENDAR or word.isdigit() or len(word) < 2
