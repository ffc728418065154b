"""What the forms of an English word share: its stem, with irregular forms and well-known short forms folded."""

from __future__ import annotations

import re
from functools import lru_cache

from curator.wiki.english.written_stems import STEMS

_ALIKE = (
    "app application",
    "arg argument",
    "param parameter",
    "attr attribute",
    "auth authentication authorization",
    "char character",
    "cmd command",
    "config configuration",
    "db database",
    "dev developer development",
    "dict dictionary",
    "dir directory folder",
    "doc documentation document",
    "env environment",
    "exec execute execution",
    "expr expression",
    "func function",
    "impl implementation",
    "info information",
    "init initialize initialization",
    "int integer",
    "js javascript",
    "british britain uk",
    "dutch netherlands holland",
    "french france",
    "german germany",
    "spanish spain",
    "italian italy",
    "swiss switzerland",
    "danish denmark",
    "swedish sweden",
    "norwegian norway",
    "polish poland",
    "chinese china",
    "japanese japan",
    "scottish scotland scots",
    "irish ireland",
    "welsh wales",
    "greek greece",
    "turkish turkey",
    "american america usa",
    "australian australia",
    "austrian austria",
    "belgian belgium",
    "brazilian brazil",
    "canadian canada",
    "czech czechia",
    "european europe",
    "finnish finland",
    "hungarian hungary",
    "icelandic iceland",
    "indian india",
    "korean korea",
    "mexican mexico",
    "portuguese portugal",
    "russian russia",
    "lib library",
    "max maximum maximal",
    "min minimum minimal",
    "msg message",
    "num number",
    "obj object",
    "pkg package",
    "ref reference",
    "repo repository",
    "spec specification",
    "stdlib standard-library",
    "str string",
    "sync synchronization",
    "temp temporary",
    "var variable",
    "approx approximately about around roughly",
)
"""Short forms, each before what it is short for."""
_IRREGULAR = (
    "begin began begun,break broke broken,bring brought,build built,burn burnt,buy bought,catch caught,choose chose chosen,"
    "come came,draw drew drawn,drive drove driven,fall fell fallen,feed fed,feel felt,find found,forbid forbade forbidden,"
    "forget forgot forgotten,get got gotten,give gave given,go went gone,grow grew grown,hold held,keep kept,"
    "know knew known,lay laid,lead led,leave left,lend lent,lose lost,make made,mean meant,meet met,overwrite overwrote "
    "overwritten,pay paid,ride rode ridden,rise rose risen,run ran,say said,see saw seen,seek sought,sell sold,send sent,"
    "shake shook shaken,show shown,sink sank sunk,speak spoke spoken,spend spent,stand stood,steal stole stolen,"
    "stick stuck,swear swore sworn,take took taken,teach taught,tell told,think thought,throw threw thrown,"
    "understand understood,wear wore worn,win won,write wrote written"
)
_PLURALS = (
    "child children,man men,woman women,foot feet,"
    "mouse mice,index indices,matrix matrices,datum data,criterion criteria,analysis analyses,thesis theses"
)
PAST = frozenset(word for group in _IRREGULAR.split(",") for word in group.split()[1:])
"""Irregular forms of the past: ``took``, ``taken``."""


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """What the forms of an English word, its short form and its long one share."""
    lower = word.lower().replace("’", "'").removesuffix("'s")
    if lower in _FOLDED:
        return _FOLDED[lower]
    stemmed = _stemmed(lower)
    return _FOLDED.get(stemmed, stemmed)


def parts(text: str) -> tuple[str, ...]:
    """The stems of the words that an identifier is made of: ``get`` and ``hint`` of ``getHints`` or ``get_hints``."""
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text)
    return tuple(stem(part) for part in found) if len(found) > 1 or "_" in text else ()


def _stemmed(lower: str) -> str:
    if not (lower.isascii() and lower.replace("'", "").isalpha()):
        return lower
    if (known := WRITTEN.get(lower)) is not None:
        return known
    from snowballstemmer.english_stemmer import EnglishStemmer

    return str(EnglishStemmer().stemWord(lower))


def _folds() -> dict[str, str]:
    table: dict[str, str] = {}
    for group in f"{_IRREGULAR},{_PLURALS}".split(","):
        first, *others = group.split()
        table.update(dict.fromkeys(others, _stemmed(first)))
    for group in _ALIKE:
        first, *others = group.split()
        table.update({form: first for other in [first, *others] for form in (other, _stemmed(other))})
    return table


WRITTEN = {
    word: stem.removeprefix("-")
    for stem, *words in map(str.split, STEMS.split(","))
    for word in (stem, *words)
    if not word.startswith("-")
}
"""Of the words in curator's own tables."""
_FOLDED = _folds()
