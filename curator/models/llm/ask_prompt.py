"""Fills in ``prompts/ask*.md``: how a language model is asked a question of the wiki's user.

As in ``prompts``: the task and the policy are the system message, all else is data behind fences, the question too, for it
may come from a program that was told it by somebody else.
"""

from __future__ import annotations

import hashlib
from string import Template
from typing import Any

from curator.models.llm.prompts import Prompt, fenced, fresh_nonce
from curator.models.question import PageReading, Question
from curator.models.sandbox.process import PROMPTS

TOPIC = "question"
"""What questions are booked under, and their saved answers kept under: no source has this path."""


def ask(question: Question, schema: dict[str, Any] | None) -> Prompt:
    """The question with the pages it is about; ``schema`` where the provider enforces one."""
    policy = question.policy
    system = _filled("ask", tone=policy.tone or "plain and factual", depth=policy.depth)
    nonce = fresh_nonce(system, question.text, *(reading.text for reading in question.readings))
    parts = [_page(nonce, reading) for reading in question.readings]
    parts.append(fenced(nonce, "question", question.text))
    user = _filled("ask-material", material="\n\n".join(parts), nonce=nonce)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    if question.faults:
        faults = "\n".join(f"- {fault.code}: {fault.message}" for fault in question.faults)
        messages.append({"role": "assistant", "content": question.previous})
        messages.append({"role": "user", "content": _filled("ask-repair", faults=faults)})
    digest = hashlib.sha256(question.text.encode("utf-8", "replace")).hexdigest()
    return Prompt(tuple(messages), nonce, schema, TOPIC, digest)


def _page(nonce: str, reading: PageReading) -> str:
    page = reading.page
    about = {"slug": page.slug, "kind": page.kind, "title": page.title, "aliases": "; ".join(page.aliases)}
    return fenced(nonce, "page", reading.text, **about, shown="" if reading.is_whole else "in part")


def _filled(prompt: str, **values: str) -> str:
    return Template((PROMPTS / f"{prompt}.md").read_text("utf-8").strip()).substitute(values)
