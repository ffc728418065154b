"""Fills in ``prompts/ask*.md``: the prompt for a question to the wiki.

As in ``prompts``: the task and the policy are the system message, all else is data between fences. So is the question,
which may come from a program that got it from a stranger.
"""

from __future__ import annotations

import hashlib
from typing import Any

from curator.models.llm.prompts import Prompt, fenced, filled, fresh_nonce
from curator.models.question import PageReading, Question

TOPIC = "question"
"""Stands for the path of a source in the ledger and for saved answers: no source has this path."""


def ask(question: Question, schema: dict[str, Any] | None) -> Prompt:
    """The question with the pages it is about; ``schema`` where the provider enforces one."""
    policy = question.policy
    system = filled("ask", tone=policy.tone or "plain and factual", depth=policy.depth)
    nonce = fresh_nonce(system, question.text, *(reading.text for reading in question.readings))
    parts = [_page(nonce, reading) for reading in question.readings]
    parts.append(fenced(nonce, "question", question.text))
    user = filled("ask-material", material="\n\n".join(parts), nonce=nonce)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    if question.faults:
        faults = "\n".join(f"- {fault.code}: {fault.message}" for fault in question.faults)
        messages.append({"role": "assistant", "content": question.previous})
        messages.append({"role": "user", "content": filled("ask-repair", faults=faults)})
    digest = hashlib.sha256(question.text.encode("utf-8", "replace")).hexdigest()
    return Prompt(tuple(messages), nonce, schema, TOPIC, digest)


def _page(nonce: str, reading: PageReading) -> str:
    page = reading.page
    about = {"slug": page.slug, "kind": page.kind, "title": page.title, "aliases": "; ".join(page.aliases)}
    return fenced(nonce, "page", reading.text, **about, shown="" if reading.is_whole else "in part")
