"""Fills in ``prompts/ask*.md``: the prompt for a question to the wiki, and for the statements that did not hold.

As in ``prompts``: the task and the policy are the system message, all else is data between fences. So is the question,
which may come from a program that got it from a stranger.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from curator.models.extractive.terms.matching import Match
from curator.models.llm.prompts import Prompt, fenced, filled, fresh_nonce
from curator.models.question import Question
from curator.models.statements import Statement, Statements
from curator.wiki.passages.passage import Passage, Reading
from curator.wiki.passages.selection import titles_of_each
from curator.wiki.sources.evidence import Missing

TOPIC = "question"
"""Stands for the path of a source in the ledger and for saved answers: no source has this path."""
_EARLIER = """
`name="earlier"` is what was asked and told before: by it you know what the question speaks of, as in "it" and "then". It
proves nothing and may be out of date: quote passages."""
_FIRST_LOOK = """In both
   cases name in look_for what code is to look up for the rest, also what holds now where no passage says it: up to three
   searches, each a few words that a text with the answer would have: names and terms, other words than the question's, too.
   Where what was asked is answered, it is empty. The question then comes once more, with what was found and with your
   quotes."""
_SECOND_LOOK = """This is
   the second time: these passages were found. Give the whole answer, and leave look_for empty in any case."""
_LIKEST = 4
"""Passages that are shown with a statement to be mended, besides those that it quotes."""


def ask(question: Question, schema: dict[str, Any] | None) -> Prompt:
    """The question with the pages it is about; ``schema`` where the provider enforces one."""
    policy = question.policy
    told = _EARLIER if question.earlier else ""
    look = _SECOND_LOOK if question.is_second_look else _FIRST_LOOK
    system = filled("ask", tone=policy.tone or "plain and factual", depth=policy.depth, earlier=told, look=look)
    before = _before(question)
    nonce = fresh_nonce(system, question.text, before, *(reading.text for reading in question.readings))
    parts = list(_pages(nonce, question.readings))
    parts += [fenced(nonce, "earlier", before)] if before else []
    parts.append(fenced(nonce, "question", question.text))
    user = filled("ask-material", material="\n\n".join(parts), nonce=nonce)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    if question.faults:
        faults = "\n".join(f"- {fault.code}: {fault.message}" for fault in question.faults)
        messages.append({"role": "assistant", "content": question.previous})
        messages.append({"role": "user", "content": filled("ask-repair", faults=faults)})
    return Prompt(tuple(messages), nonce, schema, TOPIC, _digest(question))


def mend(question: Question, said: Statements, asked: Collection[int], schema: dict[str, Any] | None) -> Prompt:
    """The prompt for the statements of ``said`` whose numbers are ``asked`` for, with the faults of ``question``.

    Of the pages it shows the passages that these quote, and those that are most like them.
    """
    faulty = {number: each for number, each in enumerate(said.statements, start=1) if number in asked}
    told = "\n\n".join("\n".join(_told(number, each, question)) for number, each in faulty.items())
    pages = list(_shown(question, faulty.values()))
    system = filled("ask-mend")
    nonce = fresh_nonce(system, question.text, told, *(reading.text for reading in pages))
    parts = list(_pages(nonce, pages))
    parts += [fenced(nonce, "question", question.text), fenced(nonce, "statements", told)]
    user = filled("ask-mend-material", material="\n\n".join(parts), nonce=nonce)
    messages = ({"role": "system", "content": system}, {"role": "user", "content": user})
    return Prompt(messages, nonce, schema, TOPIC, _digest(question))


def _told(number: int, statement: Statement, question: Question) -> Iterator[str]:
    """A statement as it was given, and what was found of it."""
    yield f"{number}. {statement.model_dump_json()}"
    for fault in question.faults:
        if str(number) in fault.places:
            yield f"   {fault.code}: {' '.join(fault.message.split())}"


def _shown(question: Question, faulty: Collection[Statement]) -> Iterator[Reading]:
    """The pages with the passages that statements quote or are most like; none of a page that has no such passage."""
    passages = [(reading, passage) for reading in question.readings for passage in reading.passages]
    wanted: set[tuple[str, Passage]] = set()
    for statement in faulty:
        for quote in statement.quotes:
            quoted = question.quoted(quote.page, quote.words)
            if quoted is not None and not isinstance(quoted, Missing):
                wanted.update((quoted[0].name, passage) for passage in quoted[1])
        match = Match.of(statement.text, (passage.text for _, passage in passages))
        likest = sorted(passages, key=lambda each: match.share(each[1].text), reverse=True)[:_LIKEST]
        wanted.update((reading.name, passage) for reading, passage in likest)
    for reading in question.readings:
        kept = [passage for passage in reading.passages if (reading.name, passage) in wanted]
        if kept:
            yield reading.only(kept)


def _before(question: Question) -> str:
    """The conversation so far, in its order."""
    turns = (f"Question: {turn.question}\nAnswer: {turn.told or 'the pages did not say'}" for turn in question.earlier)
    return "\n\n".join(turns)


def _digest(question: Question) -> str:
    return hashlib.sha256(question.words.encode("utf-8", "replace")).hexdigest()


def _pages(nonce: str, readings: Sequence[Reading]) -> Iterator[str]:
    for title, reading in zip(titles_of_each(readings), readings, strict=True):
        name, others = ("source", ()) if reading.page is None else ("page", reading.page.aliases)
        about = {"page": reading.name, "title": title, "aliases": "; ".join(others), "state": reading.state}
        yield fenced(nonce, name, reading.text, **about)
