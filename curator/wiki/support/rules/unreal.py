"""What a source only asks, has somebody say, or imagines is no fact of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.system.text import shortened
from curator.wiki.english.words import Phrase, StemmedWord, joined, phrase
from curator.wiki.support.case import Case
from curator.wiki.support.rules.negating import NOT

UNREAL = (
    r"(?:myths?|misconceptions?|(?:popular |common |frequent |widespread )(?:errors?|mistakes?|beliefs?)|falsehoods?|lies"
    r"|fictions?|legends?|rumou?rs?|hoax(?:es)?|jokes?|dreams?|fantas(?:y|ies)|superstitions?|fallac(?:y|ies)"
    r"|old wives['’] tales|made up|invented|imaginary|hypothetical|simulat(?:ed|ions?))"
)

_ASKING = frozenset(
    "ask asks asked asking question questions whether how why open unclear unresolved undecided".split()
)
_DUTY = frozenset("must shall should".split())
_YES = re.compile(r"[\s>*_\"“-]*(?:yes|yeah|indeed|certainly|of course|sure|correct|right|true)\b", re.IGNORECASE)
_NO_ANSWER = re.compile(
    r"[\s>*_\"“-]{0,9}(?:(?:A|Answer):[\s*_]{0,5})?"
    r"(?:no(?=\s*(?:[,;!–—]|\.(?! ?\d)|\Z))|nope\b|(?:unfortunately|sadly|sorry),? not?(?=\s*(?:[,.;!–—]|\Z)))",
    re.IGNORECASE,
)
_TRUE_OR_FALSE = re.compile(r"[\s>*_-]*(?:true or false|right or wrong|fact or (?:myth|fiction))\b", re.IGNORECASE)
_NO = frozenset("no false wrong untrue incorrect refuted myth never".split())
_DENYING = NOT | {"no", "false", "wrong"}
_OPEN = re.compile(r"(?:\A|[.:]\s)\W*(?:how|what|which|who|why|where|when)\b", re.IGNORECASE)
_BE = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|should|would|will|shall|may|might|must)"
_ASKS = re.compile(
    rf"(?:\A|[.:;,–—]\s)\W{{0,4}}(?:how|what|which|who|why|where|when|whether|if|{_BE})\b", re.IGNORECASE
)
_ASKS_FROM = re.compile(
    rf"[;—–]|\s-\s|\b(?={_BE} any(?:one|body)\b)|\b(?=(?:how|what|where|when) {_BE} (?:we|you|they|things)\b)",
    re.IGNORECASE,
)
"""Where a line that states something goes on to ask: ``the tests are late; where are we on that?``"""
_BEGINS_NO, _SHORT = (" no ", " not ", " never "), 3
_ANSWER_YES = frozenset(("yes", "true"))
FRAMED = re.compile(
    rf"\b(?:{UNREAL}|false\w*|untrue|wrong\w*|incorrect\w*|reject\w*|refus\w*|turned|dropped|considered|propos\w*|suggest\w*"
    r"|belie\w+|thought|said|says?|claim\w*|suppos\w*|alleg\w*|not|no|never|nor|neither|cannot|would|could|might|(?-i:may)"
    r"|opinions?|views?|story|novel|tale|dream\w*|imagin\w*|rumou?r\w*|according|told|tells?|wrote|writes|call\w*|argu\w*"
    r"|consider\w*"
    r"|report\w*|think\w*|hop\w+|wish\w*|want\w*|promis\w*|jok\w*|\w+n['’]t|fear\w*|doubt\w*|den\w+|ask\w*|idea|plan\w*)\b",
    re.IGNORECASE,
)
"""Words by which a claim says that something is not so, or who says it."""
_SAYS = (
    r"(?:said|says?|wrote|writes|told (?:me|us|him|her|them)|(?:used to )?tell (?:me|us)|claims?|claimed|alleges?|alleged"
    r"|believes?|believed|thinks|thought|jokes?|joked|dreams?|dreamt|dreamed|boasts?|boasted|swears?|swore|insists?|insisted"
    r"|whispers?|whispered|fears?|feared|pretends?|pretended|imagines?|imagined|guesses|guessed)"
)
_TEXTS = (
    r"(?:report|study|paper|survey|manual|documentation|document|guide|handbook|standard|specification|docs|notice|rules?|law"
    r"|article|book|authors?|results?|minutes|pep|rfc|section|table|text|it|we|one|this|that|which|they|readme|faq|note)"
)
_SAID_THAT = re.compile(
    rf"(?:\A|[.;,]\s)(?!\W*(?:the |an? |this |our |its )?(?:[\w-]+ )?{_TEXTS} )[^.;:]{{2,60}}?\b{_SAYS} that (?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_SAID_SO = re.compile(
    rf"[\"“](?P<what>[^\"”]{{8,}}?)[,.!?]?[\"”],? (?:{_SAYS}\b|[^.]{{1,40}} {_SAYS}\b)", re.IGNORECASE
)
_PERSONS = (
    r"(?P<who>(?:(?:the|an?|its|his|her|their|some|many|most|several|one|local)\s){0,2}(?:[\w-]+\s)?(?:committees?|boards?|councils?"
    r"|critics?|opponents?|supporters?|proponents?|sceptics|skeptics|experts?|ministers?|ministry|government|mayor|police"
    r"|keepers?|beekeepers?|farmers?|owners?|makers?|manufacturers?|vendors?|sellers?|neighbours?|neighbors?|visitors?|guests?"
    r"|locals|villagers|members?|witness(?:es)?|newspapers?|press|company|firm|chair(?:man|woman)?|director|president|him"
    r"|her|them|people|users?|(?-i:[A-Z][a-z]+\s[A-Z][a-z]+)))\b"
)
_ACCORDING = re.compile(
    rf"\A(?P<what>.+?),?\s(?:according to|in the (?:view|opinion|eyes|words) of) {_PERSONS}", re.IGNORECASE | re.DOTALL
)
_SAYS_WHO = re.compile(
    rf"\A\W*(?:according to|in the (?:view|opinion|eyes|words) of) {_PERSONS}[^,]{{0,60}},(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
"""Persons to whose word a source leaves what it says; not a standard or an order in which things stand."""
_WHETHER = re.compile(
    r"\b(?:ask(?:s|ed)?|wonder(?:s|ed)?|question(?:s|ed)?|discuss(?:es|ed)?|debate[sd]?|unclear|unknown|undecided|doubts?"
    r"|doubted|examine[sd]?|check(?:s|ed)?|look(?:s|ed)? into|consider(?:s|ed)?) (?:\w+ )?(?:whether|if) (?P<what>[^.;]+)",
    re.IGNORECASE,
)
_SPEECH = re.compile(r"[\"“](?P<words>[^\"“”]{6,})[\"”]")
_VERB = (
    r"(?:said|says|wrote|writes|asked|asks|replied|replies|added|told|shouted|answered|warned|warns|explained|claimed)"
)
_SAID_BEHIND = re.compile(rf",? (?:{_VERB} ([^.,;:\"“]+)|([^.,;:\"“]{{2,40}}?) {_VERB}\b)", re.IGNORECASE)
_SAID_BEFORE = re.compile(rf"(?:\A|[.;,\"”] )()([^.,;:\"“]{{2,40}}?) {_VERB}[,:]? (?:that )?\Z", re.IGNORECASE)
_SPOKEN = 2
"""Content words of what somebody says, at least."""
_IN_STORY = re.compile(
    r"\b(?:in|according to) (?:an?|the|his|her|their|one|this) (?:[\w-]+ ){0,2}?(?:play|novel|fiction|story|tale|dream|film"
    r"|movie|poem|song|joke|fable|fairy tale|legend|myth|ballad)\b(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_IMAGINE = re.compile(
    r"(?:\A|[.;]\s)\W*(?:imagine|suppose|pretend|let us (?:imagine|suppose|pretend)|what if)\b(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_JOKE = re.compile(
    r"\b(?:as a joke|in jest|for fun|ironically)\b[^.:]{0,40}(?:reads?|says?|said)\s*:?(?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_TO_SAY = re.compile(
    r"(?:\A|[.;,:]\s)\W*(?:please )?(?:answer|reply|respond|say|tell (?:them|people|readers|users|everybody)) that"
    r" (?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
"""What the source has its readers say."""


def only_asked(case: Case) -> Iterator[str]:
    """A statement out of a question of the source to which no yes follows, or out of one that it answers with no."""
    yield from _denied_in_table(case)
    yield from _only_whether(case)
    yield from _answered_no(case)
    if case.written.rstrip().endswith("?") or case.whole.lowers & _ASKING:
        return
    told = case.told
    for start, end in case.context.places:
        passage, behind = case.source.layout.text[start:end], case.source.layout.text[end : end + 60]
        held = phrase(passage).stems & told
        if len(held) < max(1, len(told) - 1):
            continue
        is_open = bool(_OPEN.search(passage))
        is_denied = bool((case.whole.lowers - (set() if is_open else phrase(passage).lowers)) & _DENYING)
        before = case.source.layout.text[max(0, start - 20) : start].rpartition("\n")[2].strip()
        if (_TRUE_OR_FALSE.match(passage) or _TRUE_OR_FALSE.match(before)) and not is_denied:
            yield f"the source only asks whether it is true, {shortened(passage)}"
            return
        asks = passage.rstrip().rstrip('*_"”)').endswith("?")
        if asks and held <= _stated_before(passage):
            continue
        if asks and not _YES.match(behind) and not is_denied and not _is_answered(case, told, start):
            yield f"the source only asks it, {shortened(passage)}: quote what answers it"
            return


def _stated_before(passage: str) -> frozenset[str]:
    """The stems of what a line states before the clause that asks; none where it asks from its beginning."""
    ends = [found.start() for found in _ASKS_FROM.finditer(passage)]
    before = passage[: ends[-1]] if ends else ""
    return frozenset() if _ASKS.search(before) else phrase(before).stems


def _answered_no(case: Case) -> Iterator[str]:
    """``They pay for a phone``, where the source asks "Do you pay?" and says: unfortunately not."""
    if case.whole.lowers & _DENYING or FRAMED.search(case.written) or case.written.rstrip().endswith("?"):
        return
    texts = {span: case.source.layout.text[slice(*span)] for span in case.context.places}
    answers = [phrase(text).stems for text in texts.values() if not text.rstrip().endswith("?")]
    for (_, end), text in texts.items():
        asked = {word.stem for word in phrase(text).content}
        is_asked = text.rstrip().endswith("?") and not _OPEN.search(text) and asked and asked <= case.whole.stems
        if is_asked and _NO_ANSWER.match(case.source.layout.text, end) and not any(asked <= each for each in answers):
            yield f"the source asks it, {shortened(text)}, and says no"
            return


def _only_whether(case: Case) -> Iterator[str]:
    """``The quay is closed``, where the source says that somebody asked whether it is."""
    told = case.told
    if FRAMED.search(case.written) or case.whole.lowers & (_ASKING | {"if"}):
        return
    is_duty = bool(case.whole.lowers & _DUTY)
    for passage in case.context.passages:
        for found in _WHETHER.finditer(passage):
            if is_duty and found[0].lower().startswith("check"):
                continue  # "check if it is shut": it has to be
            behind, before = phrase(found["what"]).stems, phrase(passage[: found.start("what")]).stems
            if told & behind and told <= behind | before and not case.is_gathered:
                yield f"the source only says that somebody asks it: {' '.join(found[0].split()[:8])!r}"
                return


def _is_answered(case: Case, told: frozenset[str] | set[str], asked: int) -> bool:
    """True where another passage that is quoted, and asks nothing, says the whole, or what the question does not."""
    texts = {start: phrase(case.source.layout.text[start:end]) for start, end in case.context.places}
    own = told - texts[asked].stems
    answers = (text.stems for text in texts.values() if not text.plain.rstrip().endswith("?"))
    return any(told <= stems or own & stems for stems in answers)


def _denied_in_table(case: Case) -> Iterator[str]:
    """``The ferry has a doctor``, where the row says: no; ``has no doctor``, where it says: yes."""
    told = case.told
    is_denied = bool(case.whole.lowers & (NOT | _NO))
    cells = case.context.cells
    named = [(cell, name) for cell, head, name in cells if len(cells) == 1 or _has_all(case.claim, head)]
    of_row = [(cell, joined([name, head])) for cell, head, name in cells if _has_all(case.claim, name)]
    asked = [(cell, text) for cell, text in of_row if _has_all(case.claim, text)]
    for cell, name in (*(named if len(named) == 1 else ()), *(asked if len(asked) == 1 else ())):
        is_no = cell.lowers <= _NO or (cell.flat.startswith(_BEGINS_NO) and len(cell.words) <= _SHORT)
        turned = cell.lowers and (cell.lowers <= _ANSWER_YES if is_denied else is_no)
        if (
            turned
            and len(told) > 1
            and told <= name.stems | case.context.led.stems
            and name.lowers.isdisjoint(_NO | NOT)
        ):
            yield f"the source's row says {cell.plain.strip()!r} of it"
            return


def _has_all(claim: Phrase, head: Phrase) -> bool:
    """True where the claim names the column: all the words of its head."""
    return bool(head.content) and claim.stems >= {word.stem for word in head.content}


def only_told(case: Case) -> Iterator[str]:
    """A fact of what the source has somebody say, tells as a story, or imagines: ``a guest said that it is haunted``; or of
    what it has its readers say: ``when asked, answer that it is free``.
    """
    if not case.is_close:
        return
    told = case.told
    forms = (
        () if FRAMED.search(case.written) else (_SAID_THAT, _SAID_SO, _SAYS_WHO, _ACCORDING, _IN_STORY, _IMAGINE, _JOKE)
    )
    for passage in case.context.passages:
        for form in (_TO_SAY, *forms):
            found = form.search(passage)
            who = phrase(found.groupdict().get("who") or "").content if found else ()
            if not case.whole.stems.isdisjoint(_stems(who)):
                continue  # the claim names who says so
            if found and told and len(told & phrase(found["what"]).stems) >= max(1, len(told) - 1):
                yield f"the source does not say so itself, it tells who does: {' '.join(found[0].split()[:8])!r}"
                return


def speaker_exchanged(case: Case) -> Iterator[str]:
    """``"It is dear," said Anna``, where somebody else says it in the source, and nothing there names Anna beside it."""
    for said in _SPEECH.finditer(case.written):
        words = phrase(said["words"]).content
        who = [word for word in _speaker(case.written, said) if word.is_content]
        passage = next((each for each in case.context.passages if {*_stems(words)} <= phrase(each).stems), "")
        other = next(
            (found for found in _SPEECH.finditer(passage) if phrase(found["words"]).stems & {*_stems(words)}), None
        )
        theirs = [*_speaker(passage, other)] if other is not None else []
        if len(words) < _SPOKEN or not who or not any(word.is_content for word in theirs):
            continue
        if not {*_stems(who)} & phrase(passage).stems:
            yield f"the source has {' '.join(word.text for word in theirs)!r} say these words"
            return


def _speaker(text: str, said: re.Match[str]) -> tuple[StemmedWord, ...]:
    """The words beside the ``said`` right behind or before what is said."""
    behind, before = _SAID_BEHIND.match(text[said.end() :]), _SAID_BEFORE.search(text[: said.start()])
    found = behind or before
    return phrase(found[1] or found[2]).words if found else ()


def _stems(words: Sequence[StemmedWord]) -> Iterator[str]:
    return (word.stem for word in words)
