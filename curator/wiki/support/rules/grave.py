"""What harms whom it is wrongly said of: a crime, whose a thing is, and a verdict on it. Nobody says such a thing in quite
other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from curator.wiki.english.stems import stem
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import is_not

_CRIMES = (
    "steal steals stole stolen thief thieves theft exfiltrate exfiltration "
    "rob robs robbed robbery robber loot looted burglar burglary embezzle "
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
_VERDICTS = (
    "harmless innocuous benign|harm safe toxic no not without never risk danger little hardly cannot tame mild protect",
    "harmful dangerous toxic poisonous deadly lethal fatal hazardous unsafe venomous perilous|harm danger poison dead die "
    "kill hazard safe risk damage injure hurt threat threaten destroy careful caution warn collapse burn venom bite sting "
    "attack secure vulnerable lose loss fail never not avoid trouble ill sick disease crash corrupt bad death",
    "useless worthless pointless futile ineffective ineffectual|",
    "famous renowned celebrated popular unpopular beloved notorious infamous|fame known celebrate like love favour "
    "favourite widely many common hate most visit crowd",
    "excellent outstanding brilliant superb magnificent splendid perfect flawless impeccable|excel best good "
    "great well perfection flaw fault full complete ideal exact",
    "terrible awful horrible disastrous catastrophic shoddy miserable|disaster catastrophe bad worst poor fail collapse "
    "destroy crash die death damage severe",
    "incompetent negligent reckless careless stupid foolish ridiculous absurd disgraceful scandalous shameful dishonest "
    "cowardly greedy lazy cruel wicked insane drunken|competence neglect care fool scandal shame honest coward greed sane "
    "drunk drink wrong blame fault lie cheat mistake",
    "revolutionary groundbreaking miraculous legendary unrivalled unsurpassed unbeatable|revolution ground miracle legend "
    "rival surpass beat first best new unique",
)
"""Words that say what a thing is worth, and behind the bar what else bears them out: where nothing does, a denial."""
_NO_GOOD = frozenset("no effect,not effective,no use,does nothing,do nothing,not work,not help,never works".split(","))
_IN_VAIN = frozenset(
    map(
        stem, "fail failure little few vain resist resistance only lose lack ignore unable weak reserve useless".split()
    )
)
"""Words of a source that bear out that something is of no use, beside a denial."""
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
    """A crime, an owner, or a verdict (harmless, useless, excellent), of which what is quoted says nothing."""
    yield from _verdict_unknown(case)
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


def _verdict_unknown(case: Case) -> Iterator[str]:
    """Harmless, useless, excellent, where nothing around says what the thing is worth; no effect, where nothing denies."""
    held = case.context.around.stems | case.context.known.stems | case.context.headings.stems
    stated = case.context.stated
    denies = not _IN_VAIN.isdisjoint(stated.stems) or any(map(is_not, stated.words))
    for said, bearing in _WORTH:
        word = next((each for each in case.whole.words if each.stem in said and not each.code), None)
        if word is None or word.stem in held or (not held.isdisjoint(bearing) if bearing else denies):
            continue
        if not (case.context.around.has_kin_of(word) and bearing):
            yield f"nothing quoted says {word.text!r}"
            return
    said_of = case.whole.says(_NO_GOOD)
    if said_of and not denies:
        yield f"nothing quoted says {min(said_of)!r}"


_WORTH = tuple(
    (frozenset(map(stem, said.split())), frozenset(map(stem, bearing.split())))
    for said, _, bearing in (line.partition("|") for line in _VERDICTS)
)
_KINDS = tuple(frozenset(map(stem, line.split())) for line in _CRIMES)
