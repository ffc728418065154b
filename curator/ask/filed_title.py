"""The title of a filed answer. A title is a claim, and the words of a question prove nothing.

So it has no word that neither the statements nor the pages they rest on have, and states nothing unless it asks. A question
that says more is no page's name: the page is called by what it is about. Titles in other scripts are taken as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import count

from curator.ask.prove import texts_of
from curator.errors import ConfigError
from curator.models.statements import ProvenStatement
from curator.system.text import shortened
from curator.wiki.english.stems import stem
from curator.wiki.english.stop_words import FRAMING
from curator.wiki.english.words import phrase
from curator.wiki.naming.labels import USUAL, statement_in
from curator.wiki.pages.page import LONGEST_TITLE
from curator.wiki.pages.slug import slugify
from curator.wiki.support.rules.coverage import LIGHT
from curator.wiki.support.source_context import name_of_file
from curator.wiki.support.written import is_kept_in_english
from curator.wiki.wiki import Wiki

_LONGEST = 80
"""Characters of a title that is made of a question."""
_NAMED = 3
"""Pages that a title names."""
_SHORTEST = 4
"""Letters of a stem that another one may be of by its ending."""
_MARKUP = re.compile(r"\[\[|\]\]|\[\^|\]\(|<[a-z!/]|\{\{|~~|://", re.IGNORECASE)
_ASKING = re.compile(r"(?:how|what|when|where|which|who|whose|why)\b", re.IGNORECASE)
_LATIN = re.compile(r"[a-z]", re.IGNORECASE)
_ASKED_WITH = frozenset(map(stem, FRAMING))


def of_question(question: str) -> str:
    """The question as a title: shortened at a word."""
    if len(question) <= _LONGEST:
        return question
    return question[: _LONGEST - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def check(title: str, wiki: Wiki) -> None:
    """Raises ConfigError for a title that another page has as a name, that is too long, or that gives no slug."""
    if not slugify(title):
        raise ConfigError("title_invalid", f"no slug can be made of {title!r}", "name it with letters or digits")
    if len(title) > LONGEST_TITLE:
        message = f"the title has {len(title):,} characters; at most {LONGEST_TITLE}"
        raise ConfigError("title_invalid", message, "give a shorter one with --title")
    entry = wiki.named(title)
    if entry is not None and entry.kind != "summary":
        hint = f"give the answer another one with --title; or first: curate remove {entry.slug} --why REASON"
        raise ConfigError("title_taken", f"{title!r} is a name of {entry.path}", hint)


def sound(title: str, question: str, answer: Sequence[ProvenStatement], wiki: Wiki) -> str:
    """``title``, or one of the pages' names where it is the question, and that says more than they do.

    Raises ConfigError for one that somebody gave and that says more, or that cannot be a page's.
    """
    check(title, wiki)
    is_read = is_kept_in_english(wiki) and _LATIN.search(title) is not None
    fault = _fault(title, question, answer) if is_read else _marked(title)
    if not fault:
        return title
    made = _made(question, answer, wiki)
    if title != of_question(question):
        raise ConfigError("title_unproven", f"the title {shortened(title)} {fault}", f"this would do: --title {made!r}")
    check(made, wiki)
    return made


def _fault(title: str, question: str, answer: Sequence[ProvenStatement]) -> str:
    """What a title says that neither the statements nor their pages do; empty for nothing."""
    if fault := _marked(title):
        return fault
    texts = [*(said.text for said in answer), *texts_of([proof for said in answer for proof in said.proofs])]
    texts += [text for said in answer for each in said.citations for text in (name_of_file(each.path), each.quote)]
    known = {word.stem for text in texts for word in phrase(text).words} | USUAL | LIGHT
    known |= _ASKED_WITH if title == of_question(question) else frozenset()
    telling = [word for word in phrase(title).words if word.is_content or word.is_number]
    strange = [word.text for word in telling if not _is_known(word.stem, known)]
    if strange:
        return f"says what the answer and its pages do not: {', '.join(map(repr, strange[:5]))}"
    asks = title.rstrip().endswith(("?", "…")) or title == of_question(question) or _ASKING.match(title)
    reason = "" if asks else statement_in(phrase(title))
    return f"states something ({reason})" if reason else ""


def _is_known(word: str, known: Collection[str]) -> bool:
    """True for one of the stems known, or one that an ending tells from it: oxid(ation), oxidis(ed)."""
    ends = (word[:-1], word[:-2])
    return word in known or any(
        (each in ends and len(each) >= _SHORTEST) or (word in (each[:-1], each[:-2]) and len(word) >= _SHORTEST)
        for each in known
    )


def _marked(title: str) -> str:
    return "has markup in it" if _MARKUP.search(title) else ""


def _made(question: str, answer: Sequence[ProvenStatement], wiki: Wiki) -> str:
    """A title of the names of the pages, or of the sources where there is none, that no other page has."""
    names = list(dict.fromkeys(_names(answer, wiki)))[:_NAMED]
    told = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    title = f"About {told}"[: LONGEST_TITLE - 6]
    numbered = (title if number == 1 else f"{title} ({number})" for number in count(1))
    return next(made for made in numbered if _is_free(made, question, wiki))


def _is_free(title: str, question: str, wiki: Wiki) -> bool:
    """True where no page is called so, or the one that is answers this very question."""
    page = wiki.page(slugify(title)) or (wiki.page(hit.slug) if (hit := wiki.named(title)) is not None else None)
    return page is None or page.ours.get("question") == question


def _names(answer: Sequence[ProvenStatement], wiki: Wiki) -> Iterator[str]:
    for said in answer:
        entries = [entry for slug in said.slugs if (entry := wiki.entry(slug)) is not None]
        yield from (" ".join(entry.title.split()) for entry in entries)
        yield from () if entries else (name_of_file(citation.path) for citation in said.citations)
