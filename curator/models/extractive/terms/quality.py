"""How well a sentence stands alone: what a reader of a wiki can understand without the text around it.

0 means not at all: it leans on the sentence before, asks, announces, breaks off, or is mostly code. Sentences that speak of
the document itself, in the first person, or of an alternative, count less.
"""

from __future__ import annotations

import re

from curator.models.extractive.parsing import sections
from curator.models.extractive.parsing.lexicon import LEANING, OPENERS, STOP, VERBS, words_of
from curator.models.extractive.parsing.line import OPTION
from curator.models.extractive.parsing.lists import names_a_term
from curator.models.extractive.parsing.sentences import Sentence
from curator.models.extractive.terms.verbs import IMPERATIVES, has_verb, is_order, may_have_verb

LONGEST, _LONGEST_ENTRY, LONGEST_OWN = 350, 500, 560
"""Characters of a sentence, of one with its term, and of one on the page about its document."""
_SHOWING = re.compile(r"(?:The following|Here(?:'s| is| are)|Below|An example|For example|An? |The )\b")
_LEAST_LEAD = 6
"""Words of a sentence that leads to code."""


ENDED = re.compile(r"[.!。！…][\"'”’»)\]」』）]*$|[.!][)\]]*$")
_SELF = re.compile(
    r"(?:This|The present|The current) (?:PEP|RFC|ADR|document|specification|proposal|paper|article|report|standard|memo"
    r"|note|study|guide|page|policy|text|survey|review)s?\b"
)
_FIRST_PERSON = re.compile(
    r"\b(?:(?<!Part )(?<!Title )(?<!Type )(?<!Class )(?<!Phase )I|I'm|I've|we|We|we're|We're|our|Our|us|my|My|me|let's"
    r"|Let's|mine|ours)\b"
)
_AUTHORS = re.compile(r"\b(?:we|We|we're|We're|our|Our|us|ours)\b")
_SECOND_PERSON = re.compile(r"\b(?:you|your|You|Your|you're|yours)\b")
_POINTING = re.compile(
    r"\b(?:see|section|described|listed|shown|discussed|outlined|defined|noted|mentioned|given|specified|explained|example|as)"
    r" (?:\w+ )?(?:above|below|previously|earlier|here)\b|\b(?:above|below)[,.);]|\b(?:above|following|aforementioned) "
    r"(?:\w+ )?(?:section|example|scheme|list|table|criteria|rules?|steps?|points?|way|code|snippet|figure"
    r"|constraints?|sections|scenarios?)\b"
    r"|\bthe (?:former|latter|previous|above)\b|\bthis (?:section|example|table|chapter)\b"
    r"|(?<!you )(?<!may )(?<!will )(?<!to )(?<!can )(?<!might )(?<!ll )\bsee (?:also )?[A-Z`]"
    r"|\bas follows\b|\bsimilar in (?:meaning|spirit|nature)\b(?! to)"
    r"|\b(?:previous|next|preceding) (?:section|paragraph|sentence|chapter|example)s?\b|\bat (?:the )?time of writing\b"
    r"|\bin (?:the|an?) [\w -]{1,40} (?:section|appendix|chapter)\b| == |\b(?:see|read) (?:above|below)\b"
    r"|^below (?:is|are)\b"
    r"|\b(?:query|queries|algorithm|procedure|command|method|technique|diagram|formula|text|rules?|steps?|program|function"
    r"|statement|bullet|paragraph|discussion|examples?) (?:above|below)\b|\bin (?:the|our|an) example\b"
    r"|\b(?:shown|listed|found|given|described|summari[sz]ed) in (?:Table|Figure|Section|Appendix|Chapter) \d"
    r"|\bsuch an? (?:list|table|case|string|key|value|way|situation)\b(?! that\b)"
    r"|\b(?:in|by|at|of|see|under|from|with|and|or) (?:the )?(?:steps?|sections?|chapters?|figures?) \d"
    r"|^(?:Sections?|Steps?|Figures?|Chapters?) \d|\b(?:following|next) (?:sub)?sections?\b"
    r"|\bthe following(?: [\w-]+){1,3}\.$|\bconsider (?:an?|the|this)\b|\b(?:above|below)\W*$",
    re.IGNORECASE,
)
ANNOUNCING = re.compile(
    r"(?:Table|Figure|Fig\.|Listing|Equation|Section|Chapter|Appendix) [\dA-Z][\w.]{0,4} (?:shows?|lists?|gives?|presents?"
    r"|summari[sz]es|describes|contains|provides|illustrates|compares)\b|(?:The|An?) (?:next|following|above|below) "
    r"|The (?:[\w-]+ ){1,4}section (?:describes|documents|explains|lists)\b"
    r"|See (?:\w+ ){0,4}(?:above|below)\b|(?:Details|Further|More|Documentation|Information)\b.{3,90}"
    r" (?:found|given|described|explained|covered|available) (?:in|at|on)\b"
)
"""What only tells where something stands."""
_POINT = re.compile(r"(?<!\w)\((?:[a-h]|[1-9]|i{1,3}|iv)\)(?!\w)")
_POINTS = re.compile(r"\((?:[a-h]|[1-9])\),? (?:and/or|and|or|to) \((?:[a-h]|[1-9])\)")
"""A point of a list; alone in a sentence it stands for what the list says."""
_DEICTIC = re.compile(
    r"\b(?:this|these|those)\b"
    r"(?! (?:PEP|RFC|ADR|document|specification|proposal|paper|article|report|standard|memo|guide|page|manual)\b)"
    r"|\b(?:such|said|latter|same|specified) (?:an? )?(?:cases?|values?|files?|names?|fields?|keys?|tools?|versions?)\b"
    r"|\b(?:do|does|did|of|for|\w+ing) that[.!]$"
    r"|\bhere\b|\b(?:which|that) case\b|\bthe other (?!than\b|hand\b)",
    re.IGNORECASE,
)
_NAMELESS = re.compile(
    r"The (?:file|directory|list|table|key|field|value|string|hook|function|argument|result)s? "
    r"(?:is|are|was|were|has|have|should|must|SHOULD|MUST|may|MAY|can|will|passed|given|contains?|itself)\b"
    r"|(?:\w+ ){0,3}[Bb]oth [a-z]+s (?!and\b|or\b)"
)
"""``The file should contain ...``: which one, the sentence before says."""
_SUCH = re.compile(r"\bsuch (?!as\b|that\b)(?:an? )?([\w-]{3})[\w-]*(?: ([\w-]{3})[\w-]*)?(?=[.,;:)])")
_ELSEWHERE = re.compile(
    r"(?:See|For more information)\b|.*\b(?:example|section|table|figure)s? (?:above|below)\b"
    r"|If you[^,.]{3,90}, (?:please )?(?:see|refer to|take a look at|have a look at)\b"
)
_OBJECT = re.compile(r"(?:[\w.-]+ ){1,2}\w+s (?:it|them)\b")
"""``Fastify supports it``: what it is, the sentence before says."""
_ANOTHER = re.compile(
    r"\b(?:if|when|unless|while) (?:another|any other|the other|no other)\b|\b(?:how|why|whether|what) (?:it|they)\b"
    r"|\bonly (?:real |other )?difference\b|\bin the same way\b|\bthe (?:file|list|case|problem|difference|exception) is\b",
    re.IGNORECASE,
)
_URL = re.compile(r"https?://|www\.")
FURNITURE = re.compile(
    r"all rights reserved|without (?:any|even the implied) warrant|redistribute it and/or|distributed in the hope that"
    r"|general public licen[sc]e|copyright (?:\(c\)|©|\d{4})|©|permission is (?:hereby )?granted|trusted by|subscribe"
    r"|newsletter|sign up|log in\b|click here|follow us|contact us|powered by|cookies? (?:policy|settings)|privacy policy"
    r"|last (?:updated|modified|changed)\b|table of contents|back to top|skip to|(?:send|report) (?:bugs|mail|patches)"
    r"|^(?:advertisement|anzeige|publicidad|publicité|sponsored|werbung)\s*:|^share this\b"
    r"|^(?:related|read more|see also|mehr zum thema|(?:à )?lire aussi)\s*:"
    r"|^(?:please )?accept (?:all )?cookies|by using this (?:site|website)"
    r"|free (?:delivery|shipping)|buy now|add to (?:cart|basket|bag)|money[- ]back"
    r"|\bmany thanks\b|^(?:special )?thanks for\b|\bthanks to [^.]{2,90} for \w+ing\b|^part of the .{2,30} suite\b"
    r"|mailing list|bug (?:tracker|tracking)|\S@[^\s@]{1,100}\.\S",
    re.IGNORECASE,
)
"""What pages say to their visitors, and licences to everybody."""
_EMPTIED = re.compile(
    r"\b(?:to|in|on|from|with|by|via|of|see)(?:[ \t]{2,}(?:or|and|if|for)\b|[ \t]+[.,;](?!\S))", re.IGNORECASE
)
"""``go to  or grab time``: what a template would have put there is not in the text."""
_PAIRS = ("()", "[]", "“”", "{}")


def is_emptied(raw: str) -> bool:
    """True where a template left a gap; not for a dot of code, and text that is justified has many gaps."""
    return len(re.findall(r"\S[ \t]{2,}\S", raw)) < 2 and _EMPTIED.search(re.sub(r"`[^`]*`", "x", raw)) is not None


def fitness(sentence: Sentence, english: bool = True, *, alone: bool = True, own: bool = False) -> float:
    """0 to 1: how well ``sentence`` stands alone; not ``alone``: behind the one before it; ``own``: on its document's page.

    There a reader knows who ``we`` are.
    """
    sentence = sentence.bare if alone else sentence
    plain = sentence.plain
    shows = _shows(sentence) and _SHOWING.match(plain) is not None
    is_leaning = alone and leans(sentence) and not shows and not (own and _ABOUT_US.match(plain))
    names = own and (names_a_term(sentence) or bool(sentence.marker))
    is_fragment = english and not names and (alone or not own) and _is_fragment(sentence)
    if not _is_whole(sentence, own=own) or is_fragment or is_leaning:
        return 0.0
    fit = 1.0
    if len(plain) > 220:
        fit *= 0.85 if len(plain) <= 280 else 0.7
    if len(plain) < 45:
        fit *= 0.4 if is_field(sentence) else 0.75
    if sentence.item:
        fit *= 0.9
    if sentence.item and sentence.words[0].written.casefold() in VERBS | IMPERATIVES:
        fit *= 0.7
    if sentence.rich.rough:
        fit *= 0.5
    if _FIRST_PERSON.search(_AUTHORS.sub("", plain) if own else plain):
        fit *= 0.3
    elif _AUTHORS.search(plain):
        fit *= 0.75
    if _SECOND_PERSON.search(plain):
        fit *= 0.6
    if _OBJECT.match(plain):
        fit *= 0.35
    if " also " in plain[:60] or _ANOTHER.search(plain):
        fit *= 0.75
    if ANNOUNCING.match(plain) and not shows:
        return 0.0
    if (_POINTING.search(plain) and not _shows(sentence)) or len(_POINT.findall(plain)) == 1 or _POINTS.search(plain):
        fit *= 0.35
    if speaks_of_itself(sentence):
        fit *= 0.8
    elif alone and (_DEICTIC.search(_THE_SAME.sub("", plain) if own else plain) or (not own and _is_nameless(plain))):
        fit *= 0.7 if names or shows else 0.45
    return fit * (0.25 if sentence.aside else 1.0)


def _is_nameless(plain: str) -> bool:
    """True where it goes by what was named before: ``document such differences``."""
    suches = (
        any(word and word.casefold() in plain[: such.start()].casefold() for word in such.groups())
        for such in _SUCH.finditer(plain)
    )
    return _NAMELESS.match(plain) is not None or not all(suches)


def points_elsewhere(sentence: Sentence) -> bool:
    """True for what points to another place of its document: ``as in the example above``."""
    return _ELSEWHERE.match(sentence.plain) is not None


def points_back(sentence: Sentence) -> bool:
    """True for a sentence that says something of what the one before it names."""
    bare = _ABOUT_US.sub("", sentence.plain)
    return is_deictic(sentence) or (leans(sentence) and bare == sentence.plain)


def is_deictic(sentence: Sentence, within: int | None = None) -> bool:
    """True for a sentence with words for what was named before: ``these``, ``supports it``, ``if another``.

    ``within``: among so many characters that it begins with.
    """
    plain = sentence.plain[:within]
    return bool(_DEICTIC.search(_ABOUT_US.sub("", plain)) or _OBJECT.match(plain) or _ANOTHER.search(plain))


_MUST = re.compile(r"\b(?:MUST|SHALL|SHOULD|REQUIRED|RECOMMENDED)\b")
_RULES = re.compile(
    r"\b(?:must|shall|(?:is|are) (?:not allowed|forbidden|required|recommended)|recommends?|muss|müssen|darf nicht"
    r"|dürfen nicht|doit|doivent|debe|deben)\b|必须|なければならない"
)


def weight_of_rule(plain: str) -> float:
    """What a rule weighs more than the reasons and alternatives told beside it; 1 for what is none."""
    return 1.3 if _MUST.search(plain) else 1.1 if _RULES.search(plain) else 1.0


def speaks_of_itself(sentence: Sentence) -> bool:
    """``This PEP describes ...``: fit for the page about the document, less for others."""
    return _SELF.match(sentence.plain) is not None


def tells_what_was_done(sentence: Sentence) -> bool:
    """``We compared two packs ...``: what a paper or a report is about."""
    return _DONE.match(sentence.plain) is not None


_DONE = re.compile(
    r"(?:In this (?:paper|study|article|report), we|Here,? we|We) (?:have )?(?:compared?|present(?:ed)?|proposed?"
    r"|stud(?:y|ied)|described?|report(?:ed)?|examined?|introduced?|investigated?|measured?|analy[sz]ed?|develop(?:ed)?|tested|reviewe?d?"
    r"|surveyed|evaluated?)\b"
)


_ABOUT_US = re.compile(
    rf"{_AUTHORS.pattern}|Your?\b"
    r"|(?:After|With|Under|In|By|For|Since|Before|Until) this (?:PEP|RFC|ADR|document|specification|proposal|standard)\b"
    r"|This (?:program|package|library|tool|module|project|software|repository|plugin|command|release|README|manual|file)\b"
    r"|This is (?:an?|the|our) (?:[\w-]+ ){0,3}(?:version|guide|manual|list|document|description|collection|introduction"
    r"|program|library|tool|readme|file|package|overview|specification|port|implementation|project|handbook"
    r"|policy|standard|tutorial|reference|glossary|FAQ)\b"
)
_THE_SAME = re.compile(r"\bsame(?= names?\b)")


def _shows(sentence: Sentence) -> bool:
    """True for words of some weight that end in the code below them."""
    return bool(sentence.code) and sentence.plain.endswith(":") and len(sentence.words) >= _LEAST_LEAD


_QUOTES_A_QUESTION = re.compile(r"\A(?!.*\basked\b)([^\s“„«\"][^“„«\"]*[“„«\"][^”“»\"]+)\?([”“»\"])\Z")
"""``A window asks "Apply your schedule?"``: it asks nothing itself."""


def _is_whole(sentence: Sentence, *, own: bool = False) -> bool:
    plain = _QUOTES_A_QUESTION.sub(r"\1\2.", sentence.plain)
    spaced = " " in plain.strip()
    longest = LONGEST_OWN if own else _LONGEST_ENTRY if sentence.label else LONGEST
    least = 3 if own and is_field(sentence) else 4 + sentence.item
    if len(plain) > longest or (spaced and len(sentence.words) < least) or (not spaced and len(plain) < 8):
        return False
    if _URL.search(plain) or FURNITURE.search(plain) or is_emptied(sentence.raw):
        return False
    if plain.rstrip("\"'”’)").endswith((":", "?", ",", "？", "：")) and not _shows(sentence):
        return False
    is_ended = ENDED.search(plain.rstrip(";")) or sentence.item or _shows(sentence)
    if not is_ended and not (own and sections.is_in_short(sentence.path)):
        return False
    codes = [words for style, words in sentence.rich.marks if style == "code"]
    prose = plain
    for words in codes:
        prose = prose.replace(words, "", 1)
    symbols = len(re.findall(r"[=<>{}|\\$#@~^]", prose))
    return _balanced(prose) and sum(map(len, codes)) <= (0.9 if own else 0.4) * len(plain) and symbols <= 4


def is_field(sentence: Sentence) -> bool:
    """True for an item that is no more than a name and its value: ``Metadata: Name``."""
    return bool(sentence.marker) and ": " in sentence.plain and len(sentence.words) <= 4


def _is_fragment(sentence: Sentence) -> bool:
    """True for what has no verb. English only."""
    if sentence.label:
        return False
    if sentence.item and sentence.opens_block and not (has_verb(sentence) or is_order(sentence.plain)):
        return True
    is_step = sentence.item and is_order(sentence.plain)
    return len(sentence.words) <= 14 and not is_step and not may_have_verb(sentence)


_ANSWERED = re.compile(r"[^?]+\? \w")
"""A question told with its answer."""
_FORBIDS = re.compile(r"(?:Do not|Don['’]t|Never) [a-z]+ (?:the|an?|any|more|your?)\b")


def leans(sentence: Sentence) -> bool:
    """True for what begins or ends in words that mean nothing without the sentence before."""
    if OPTION.match(sentence.plain) and names_a_term(sentence):
        return False
    if not sentence.words or "TODO" in sentence.plain:
        return True
    return _begins_within(sentence) or leans_by_words(sentence)


def _begins_within(sentence: Sentence) -> bool:
    """True for what does not begin as a sentence does: ``and so on``, ``) or none``."""
    plain, first = sentence.plain, sentence.words[0]
    if not (plain[0].isalnum() or plain[0] in "\"“'‘.`$«„_#") or first.start > 1:
        return True
    code_first = (
        sentence.text.startswith("`")
        or sentence.label
        or (sentence.rich.marks[:1] and plain.casefold().startswith(sentence.rich.marks[0][1].casefold()))
    )
    is_name = (
        sentence.named
        or re.search(r"[A-Z\d]", first.written)
        or (_IS_A.match(plain) and _opening(sentence) not in STOP | VERBS)
    )
    return plain[0].islower() and plain[0].isascii() and not code_first and not is_name


def _opening(sentence: Sentence) -> str:
    return sentence.words[0].written.casefold().replace("’", "'")


def leans_by_words(sentence: Sentence) -> bool:
    """The same by the words alone, however they are written: ``it leaks``."""
    plain, lowered, opening = sentence.plain, sentence.plain.casefold(), _opening(sentence)
    if speaks_of_itself(sentence) or _ANSWERED.match(plain) or _FORBIDS.match(plain):
        return False
    if _STANDS.match(lowered):
        return False
    if opening in OPENERS or opening.partition("'")[0] in OPENERS or opening in _SUBJECTLESS:
        return True
    if sentence.label and _behind_label(sentence) in (*OPENERS, "e.g", "eg"):
        return True
    return bool(_LEANING.match(lowered) or _BACK.match(lowered) or _TAIL.search(lowered))


_BACK = re.compile(r"[a-z]+(?: [a-z]+){0,2} (?:this|that|these|those|it|them|him|her|such),")
"""``Below that, it switches itself off``"""
_TAIL = re.compile(r"(?:, (?:however|though|therefore|then)|\b(?:too|as well|instead|then))[.!]\Z")
"""How a sentence ends that answers the one before."""
_IS_A = re.compile(r"[a-z][\w.+-]* (?:is|are) (?:an?|the|one of)\b")
_STANDS = re.compile(
    r"there (?:is|are|was|were|has|have|may|must|can)\b"
    r"|(?:in addition to|instead of|(?:the )?same as) (?!this\b|that\b|these\b|those\b|it\b|them\b|before\b|above\b)"
    r"|(?:as|since|because|while|when|if|although) it [^.;:]{5,90}?, (?:this|the) (?:pep|rfc|adr|document|specification"
    r"|proposal|standard)\b"
    r"|because (?!it\b|they\b|this\b|that\b|these\b|those\b|such\b|of (?:this|that|these|it)\b|he\b|she\b)[^.;]{10,}?, "
)
"""How a sentence may begin, though others that begin with such a word lean on the one before."""


def _behind_label(sentence: Sentence) -> str:
    """The word that follows the term of a definition."""
    rest = sentence.plain.partition(": ")[2].split()
    return rest[0].casefold().strip(".,:") if rest else ""


_LEANING = re.compile("(?:" + "|".join(map(re.escape, LEANING)) + r")(?!\w)")
_SUBJECTLESS = words_of(
    "must should may can shall will would could might is are was were has have had does do did"
) | frozenset(
    word
    for word in VERBS
    if word.endswith("s") and word[:-1] in VERBS and word not in ("tests", "results", "references")
)
"""Openings that show that the subject was left out."""


def _balanced(plain: str) -> bool:
    return all(plain.count(pair[0]) == plain.count(pair[1]) for pair in _PAIRS) and plain.count('"') % 2 == 0
