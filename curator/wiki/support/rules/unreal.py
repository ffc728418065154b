"""What a source only asks, has somebody say, imagines or lists among errors is no fact of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from curator.wiki.english.words import Phrase, StemmedWord, joined, phrase
from curator.wiki.support.context import Case
from curator.wiki.support.rules.negating import NOT

_ASKING = frozenset(
    "ask asks asked asking question questions whether how why open unclear unresolved undecided".split()
)
_YES = re.compile(r"[\s>*_\"“-]*(?:yes|yeah|indeed|certainly|of course|sure|correct|right|true)\b", re.IGNORECASE)
_TRUE_OR_FALSE = re.compile(r"[\s>*_-]*(?:true or false|right or wrong|fact or (?:myth|fiction))\b", re.IGNORECASE)
_NO = frozenset("no false wrong untrue incorrect refuted myth never".split())
_ANSWER_YES = frozenset(("yes", "true"))
_UNREAL = (
    r"(?:myths?|misconceptions?|(?:popular |common |frequent |widespread )(?:errors?|mistakes?|beliefs?)|falsehoods?|lies"
    r"|fictions?|legends?|rumou?rs?|hoax(?:es)?|jokes?|dreams?|fantas(?:y|ies)|superstitions?|fallac(?:y|ies)"
    r"|old wives['’] tales|made up|invented|imaginary|hypothetical|simulat(?:ed|ions?))"
)
_ASIDE = re.compile(rf"\b(?:{_UNREAL}|turned down|thrown out|voted down)\b", re.IGNORECASE)
"""What a heading says of all that stands under it."""
_EACH = re.compile(
    r"\b(?:each|every|all|the|none|any)\b[^.:]{0,30}?\b(?:below|following|that follows?|listed here)\b", re.IGNORECASE
)
_UNREAL_WORDS = re.compile(rf"\b(?:{_UNREAL}|false|untrue|wrong|incorrect|nonsense)\b", re.IGNORECASE)
"""What a sentence says of those that follow it."""
_FRAMED = re.compile(
    rf"\b(?:{_UNREAL}|false\w*|untrue|wrong\w*|incorrect\w*|reject\w*|refus\w*|turned|dropped|considered|propos\w*|suggest\w*"
    r"|belie\w+|thought|said|says?|claim\w*|suppos\w*|alleg\w*|not|no|never|nor|neither|cannot|would|could|might|may"
    r"|story|novel|tale|dream\w*|imagin\w*|rumou?r\w*|according|told|tells?|wrote|writes|call\w*|argu\w*|consider\w*"
    r"|report\w*|think\w*|hop\w+|wish\w*|want\w*|promis\w*|jok\w*|\w+n['’]t|fear\w*|doubt\w*|den\w+|ask\w*|idea|plan\w*)\b",
    re.IGNORECASE,
)
"""Words by which a claim says that something is not so, or who says it."""
_SAYS = (
    r"(?:said|says|wrote|writes|told (?:me|us|him|her|them)|(?:used to )?tell (?:me|us)|claims?|claimed|alleges?|alleged"
    r"|believes?|believed|thinks|thought|jokes?|joked|dreams?|dreamt|dreamed|boasts?|boasted|swears?|swore|insists?|insisted"
    r"|whispers?|whispered|fears?|feared|pretends?|pretended|imagines?|imagined|guesses|guessed)"
)
_TEXTS = (
    r"(?:report|study|paper|survey|manual|documentation|document|guide|handbook|standard|specification|notice|rules?|law"
    r"|article|book|authors?|results?|minutes|pep|rfc|section|table|text|it|we|one|this|that|which|they|readme|faq|note)"
)
_SAID_THAT = re.compile(
    rf"(?:\A|[.;,]\s)(?!\W*(?:the |an? |this |our |its )?(?:[\w-]+ )?{_TEXTS} )[^.;:]{{2,60}}?\b{_SAYS} that (?P<what>.+)",
    re.IGNORECASE | re.DOTALL,
)
_SAID_SO = re.compile(
    rf"[\"“](?P<what>[^\"”]{{8,}}?)[,.!?]?[\"”],? (?:{_SAYS}\b|[^.]{{1,40}} {_SAYS}\b)", re.IGNORECASE
)
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
    if case.written.rstrip().endswith("?") or case.whole.lowers & _ASKING:
        return
    told = case.told
    for start, end in case.context.places:
        passage, behind = case.source.layout.text[start:end], case.source.layout.text[end : end + 60]
        held = phrase(passage).stems & told
        if len(held) < max(1, len(told) - 1):
            continue
        is_denied = bool(case.whole.lowers & (NOT | {"no", "false", "wrong"}))
        if _TRUE_OR_FALSE.match(passage) and not is_denied:
            yield "the source only asks whether this is true"
            return
        asks = passage.rstrip().rstrip('*_"”)').endswith("?")
        if asks and not _YES.match(behind) and not is_denied and not _is_answered(case, told, start):
            yield "the source only asks this: quote what answers it"
            return


def _only_whether(case: Case) -> Iterator[str]:
    """``The quay is closed``, where the source says that somebody asked whether it is."""
    told = case.told
    if _FRAMED.search(case.written) or case.whole.lowers & (_ASKING | {"if"}):
        return
    for passage in case.context.passages:
        for found in _WHETHER.finditer(passage):
            behind, before = phrase(found["what"]).stems, phrase(passage[: found.start("what")]).stems
            if told & behind and told <= behind | before and not case.is_gathered:
                yield f"the source only says that somebody asks it: {' '.join(found[0].split()[:8])!r}"
                return


def _is_answered(case: Case, told: frozenset[str] | set[str], asked: int) -> bool:
    """True where another passage that is quoted, and asks nothing, has words of the claim that are its own."""
    texts = (case.source.layout.text[start:end] for start, end in case.context.places if start != asked)
    return any(not text.rstrip().endswith("?") and phrase(text).stems & told for text in texts)


def _denied_in_table(case: Case) -> Iterator[str]:
    """``The ferry has a doctor``, where the row says: no; ``has no doctor``, where it says: yes."""
    told = case.told
    is_denied = bool(case.whole.lowers & (NOT | _NO))
    cells = case.context.cells
    named = [(cell, name) for cell, head, name in cells if len(cells) == 1 or _has_all(case.claim, head)]
    of_row = [(cell, joined([name, head])) for cell, head, name in cells if _has_all(case.claim, name)]
    asked = [(cell, text) for cell, text in of_row if _has_all(case.claim, text)]
    for cell, name in (*(named if len(named) == 1 else ()), *(asked if len(asked) == 1 else ())):
        turned = cell.lowers and cell.lowers <= (_ANSWER_YES if is_denied else _NO)
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


def set_aside(case: Case) -> Iterator[str]:
    """What stands in the source among myths, errors, rejected points or simulations, told as if it were so."""
    if not case.is_close or _FRAMED.search(case.written):
        return
    blocks, layout = case.source.layout.blocks, case.source.layout
    for at in case.context.touched:
        above = [layout.of(blocks[place]) for place in blocks[at].headings if blocks[place].headings]
        found = next((found for text in above if (found := _ASIDE.search(text))), None)
        lead = case.context.led.plain if blocks[at].kind in ("item", "row") else ""
        before = layout.text[blocks[at].start : min(case.context.places[0][0], blocks[at].end)]
        for text in (lead, before):
            sentences = re.split(r"(?<=[.:!?])\s", text)
            framing = (each for each in sentences if _EACH.search(each) and _UNREAL_WORDS.search(each))
            found = found or next((_UNREAL_WORDS.search(each) for each in framing), None)
        if found and found[0].lower() not in case.written.lower():
            yield f"the source says {found[0]!r} of what stands there: say so"
            return


def only_told(case: Case) -> Iterator[str]:
    """A fact of what the source has somebody say, tells as a story, or imagines: ``a guest said that it is haunted``; or of
    what it has its readers say: ``when asked, answer that it is free``.
    """
    if not case.is_close:
        return
    told = case.told
    forms = () if _FRAMED.search(case.written) else (_SAID_THAT, _SAID_SO, _IN_STORY, _IMAGINE, _JOKE)
    for passage in case.context.passages:
        for form in (_TO_SAY, *forms):
            found = form.search(passage)
            if found and told and len(told & phrase(found["what"]).stems) >= max(1, len(told) - 1):
                yield f"the source does not say so itself, it tells who does: {' '.join(found[0].split()[:8])!r}"
                return


def speaker_exchanged(case: Case) -> Iterator[str]:
    """``"It is dear," said Anna``, where somebody else says it in the source, and nothing there names Anna beside it."""
    for said in _SPEECH.finditer(case.written):
        words = phrase(said["words"]).content
        who = [word for word in _speaker(case.written, said) if word.is_content]
        passage = next((each for each in case.context.passages if _has_speech(each, words)), "")
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


def _has_speech(passage: str, words: Sequence[StemmedWord]) -> bool:
    return {*_stems(words)} <= phrase(passage).stems


def _stems(words: Sequence[StemmedWord]) -> Iterator[str]:
    return (word.stem for word in words)
