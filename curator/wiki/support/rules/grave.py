"""What harms whom it is wrongly said of: a crime, and whose a thing is. Nobody says such a thing in quite other words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from curator.wiki.english.stems import stem
from curator.wiki.support.context import Case

_CRIMES = (
    "steal steals stole stolen thief thieves theft rob robs robbed robbery robber loot looted burglar burglary embezzle "
    "embezzled embezzlement pilfer pilfered misappropriate misappropriated",
    "defraud defrauded fraud fraudulent swindle swindled cheat cheated forge forged forgery fake faked counterfeit "
    "falsify falsified fabricate fabricated plagiarize plagiarized scam scammed deceive deceived hoax spoof spoofed",
    "bribe bribed bribery corrupt corrupted corruption extort extorted extortion blackmail blackmailed",
    "murder murdered murderer manslaughter assassinate assassinated poison poisoned assault assaulted harass harassed "
    "harassment abuse abused molest molested rape raped stab stabbed",
    "convict convicted conviction guilty arrest arrested jail jailed imprison imprisoned prison sentenced indict indicted",
    "smuggle smuggled smuggling launder laundered laundering traffic trafficked trafficking",
    "sabotage sabotaged vandalize vandalized arson",
)
"""Verbs and nouns of crimes, each line of one kind."""
_OWNS = frozenset("owns owned owner owners ownership possesses possessed".split())
_OWN = frozenset(("own",))
_WHOSE = frozenset("its his her their our my your whose".split())
_GENITIVE = re.compile(r"\w['’]s\b|s['’](?!\w)")
_HAVING = frozenset(
    map(
        stem,
        "own owner ownership belong possess possession property proprietor holder hold buy bought purchase sell sold "
        "acquire inherit bequest grant give gift whose landlord tenant proprietary title".split(),
    )
)
"""Words that tell whose a thing is."""
_HAS = frozenset("have has had with".split())


def grave_unknown(case: Case) -> Iterator[str]:
    """A crime, or an owner, of which what is quoted says nothing."""
    around = case.context.around
    held = around.stems | case.context.known.stems | case.context.headings.stems
    for kind in _KINDS:
        word = next((each for each in case.claim.words if each.stem in kind and not each.code), None)
        if word is not None and not kind & held and not around.has_kin_of(word):
            yield f"what is quoted says nothing of {word.text!r}"
            return
    if (
        _HAVING & held
        or _WHOSE & case.context.stated.lowers
        or _HAS & case.context.stated.lowers
        or _GENITIVE.search(case.context.stated.plain)
    ):
        return
    words = case.claim.words
    for before, word in pairwise(words):
        is_verb = before.lower not in _WHOSE and not _GENITIVE.search(before.text)
        if word.lower in _OWNS or (word.lower in _OWN and is_verb):
            yield f"what is quoted says nothing of {word.text!r}"
            return


_KINDS = tuple(frozenset(map(stem, line.split())) for line in _CRIMES)
