"""What a source says of a thing that only bears the page's name: the older one, another version, what stands beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.wiki.english.ordinary import is_verb
from curator.wiki.english.stems import stem
from curator.wiki.english.stop_words import STOP
from curator.wiki.english.words import phrase
from curator.wiki.pages.names import SERIES
from curator.wiki.support.case import Case, telling
from curator.wiki.support.rules.negating import AUXILIARIES

_OTHERS = "older|newer|other|another|second|third|former|upper|lower"
_NUMBER = r"(?:version\s+|v\.?)?(?P<version>\d+(?:\.\d+)*|[IVX]+)"
_VERSION = re.compile(rf"(?P<base>\S.*?)\s+{_NUMBER}\Z")
_PLACED = "beside|near|below|above|behind|opposite|under|facing|outside|across|around|beyond"
_BEFORE = re.compile(r"\A\W*(?:the\s+)?", re.IGNORECASE)
"""What may stand before the name that a sentence begins with."""
_DID = AUXILIARIES | frozenset("has had burnt sank fell broke stood lay hung rose ran lost made held does did".split())
_MEASURES = frozenset(
    "length height width size weight age name title number price cost value use purpose aim goal rest part side state"
    " version default kind type form list set most all one some any each many idea concept notion point reason".split()
)


def namesake_of(case: Case) -> Iterator[str]:
    """``The bridge fell``, where the source says it of the older one, of another version, or of the mill beside it."""
    yield from _of_version(case)
    yield from _of_neighbour(case)


def _of_version(case: Case) -> Iterator[str]:
    """``It has tabs``, on the page of Quill 3, of a sentence on Quill 2, or on nothing by name in a source on Quill 2."""
    layout = case.source.layout
    for named in filter(None, map(_VERSION.fullmatch, case.context.names)):
        form = re.compile(rf"(?i)(?<!\w){re.escape(named['base'])}\s+{_NUMBER}(?!\w)")
        own = named["version"].lstrip("0") or named["version"]
        if _versions(form, case.written) - {own}:
            continue  # it names the other one itself
        is_about = own in _versions(form, *case.source.named)
        cited = re.compile(rf"(?i)\b{re.escape(named['base'])}\W{{1,3}}0*{re.escape(own)}\b")
        is_numbered, others = named["base"].lower() in SERIES, []
        is_cited = is_numbered and cited.search(layout.text) is not None  # documents tell of each other
        for at, (start, end) in ((layout.touched(*span)[0], span) for span in case.context.places):
            block = layout.blocks[at]
            above = (layout.of(layout.blocks[each]) for each in reversed(block.headings))
            beside: tuple[str, ...] = (layout.text[start:end], layout.text[block.start : start])
            if is_about:  # it refers to others: only what begins with one is said of that one
                opened = form.match(_BEFORE.sub("", beside[0]))
                beside = (opened[0] if opened else "",)
            elif is_numbered:
                beside = tuple(form.sub(_unless_modifier, text) for text in beside)
            source = () if is_cited else case.source.named
            told = (_versions(form, text) for text in (beside[:1] if is_about else (*beside, *above, *source)))
            found = next(filter(None, told), frozenset())
            is_own = any(f"{each}.".startswith(f"{own}.") or f"{own}.".startswith(f"{each}.") for each in found)
            others.append("" if is_own else min(found, default=""))
        if others and all(others):
            yield f"the source says this of {named['base']} {others[0]}, not of {named[0]}"
            return


def _unless_modifier(found: re.Match[str]) -> str:
    """The document as it is named; nothing of that of ``valid PEP 508 strings``, unless the sentence opens with it."""
    behind = re.match(r"\s+([a-z]+)", found.string[found.end() :])
    names = behind is not None and not is_verb(behind[1]) and behind[1] not in STOP
    return "" if names and _BEFORE.sub("", found.string[: found.start()]).strip() else found[0]


def _versions(form: re.Pattern[str], *texts: str) -> frozenset[str]:
    found = (match["version"] for text in texts for match in form.finditer(phrase(text).plain))
    return frozenset(version.lstrip("0") or version for version in found)


def _of_neighbour(case: Case) -> Iterator[str]:
    """``The bridge burnt down``, where the source says it of the mill beside the bridge, or of the older one."""
    for name in case.context.names if case.is_close and not case.is_gathered and " | " not in case.written else ():
        for found in filter(None, map(_beside(name.split()).match, case.context.passages)):
            told = {key: text for key, text in found.groupdict().items() if text}
            thing, said = (
                phrase(next(text for key, text in told.items() if key.startswith(by))) for by in ("of", "said")
            )
            verb = told.get("verb", "is").lower()
            is_told = verb.endswith("s") and said.words[1:] and said.words[1].lower in ("a", "an", "the")
            is_verb_next = verb in _DID or verb.endswith("ed") or is_told or is_verb(stem(verb))
            if thing.lowers & _MEASURES or not is_verb_next or case.whole.has_kin_of(thing.words[0]):
                continue
            mine = (telling(sentence) - phrase(name).stems for sentence in case.claim.sentences)
            if any(each and len(each & said.stems) >= max(1, len(each) - 1) for each in mine):
                yield f"the source says this of {thing.plain!r}: name it"
                return


def _beside(name: Sequence[str]) -> re.Pattern[str]:
    """A sentence that opens with a thing, of which ``name`` but tells where it stands; or with where another one stands."""
    whole, kind = r"\s+".join(map(re.escape, name)), re.escape(name[-1]) if name else ""
    return re.compile(
        rf"\W*(?:(?:the|an?(?!(?:\s+[\w-]+){{1,3}}?\s+of\s))\s+(?:[\w-]+\s+){{0,2}}?(?P<of>[\w-]+)\s+(?:{_PLACED}|of|at|by|to|from|over|along)\s+"
        rf"(?:the\s+)?{whole}(?P<said>\s+(?P<verb>\w+).*)"
        rf"|(?:{_PLACED})\s+(?:the\s+)?{whole},?\s+(?:\w+\s+)?an?\s+(?P<of_front>[\w-]+)(?P<said_front>.+)"
        rf"|(?:the|an?|another)\s+(?P<of_other>{_OTHERS})\s+{kind}(?P<said_other>.+))",
        re.IGNORECASE,
    )
