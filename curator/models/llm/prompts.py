"""Fills in ``prompts/*.md``: the prompts for an ingest, and the fences that all prompts put around data.

Task, policy and reply format are the system message, the same for every source of a wiki, so that provider caches work.
All else is data between fences, markers that the data itself cannot write (AIP-10, prompt injection), and the instruction
is repeated after it. No path of the machine and no secret is in a prompt.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from string import Template
from typing import Any, Literal

from curator.finding import Finding
from curator.models.llm import notes
from curator.models.llm.notes import Note
from curator.models.port import Request, estimate_tokens
from curator.models.sandbox.process import PROMPTS
from curator.wiki import index
from curator.wiki.pages.page import Page
from curator.wiki.sources.evidence import QUOTE_WORDS
from curator.wiki.wiki import PageEntry
from curator.wiki.workspace.workspace import CurationPolicy, PageType

ReplyFormat = Literal["json", "blocks"]

_CONFLICTS = {
    "recency": "the more recent source's claim becomes the current one",
    "authority": "the claim of the source with more authority becomes the current one",
    "observation-count": "the claim more sources make becomes the current one",
    "defer": "both claims stay and the pages are marked as contradicting each other",
    "keep-both": "both claims stay and the pages are marked as contradicting each other",
}
_LONGEST_TYPES = 1200
"""The most characters about the wiki's own entity types, so that the prompt keeps its size."""
_LONGEST_ABOUT = 120
_THRESHOLD = "A thing gets a page of its own when a source defines it or says at least two things about it."
_GROUNDINGS = {
    "required": "Claims without a quote are left out.",
    "recommended": "Claims without a quote are kept but flagged; give one wherever you can.",
    "none": "Give a quote wherever the source states the claim.",
}
_WITHDRAWN = (
    "statements of these pages that an earlier version of the source made and this one does not: "
    "replace one where the source now says otherwise, and leave the others, which code takes out"
)
_REJECTED = (
    "what the wiki's owner had against earlier proposals for this source, which were rejected: "
    "propose one to which none of it applies"
)
_A_MESSAGE = 10
"""Tokens that a provider adds to each message."""
_SECTION, _TITLE = re.compile(r"^(?=## )", re.MULTILINE), re.compile(r"\A# .*")
_NAMES = re.compile(r"^===", re.MULTILINE)
_MARKER = re.compile(r"<(?=\s*(?:/\s*)?data\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Prompt:
    """Messages in the order they are sent, and the schema the reply has to fit, where the provider enforces one."""

    messages: tuple[dict[str, str], ...]
    nonce: str
    schema: dict[str, Any] | None = None
    source: str = ""
    """The path of the source, for the ledger; not a part of the messages."""
    digest: str = ""
    """The digest of the source's bytes, likewise."""

    @property
    def system(self) -> str:
        return self.messages[0]["content"]

    @property
    def tokens(self) -> int:
        """The length of the prompt, estimated."""
        schema = estimate_tokens(json.dumps(self.schema)) if self.schema is not None else 0
        return schema + sum(_A_MESSAGE + estimate_tokens(message["content"]) for message in self.messages)

    def key(self, model: str) -> str:
        """The name under which the answer is saved: the same for the same messages, whatever the nonce."""
        asked = json.dumps([model, self.messages, self.schema], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(asked.replace(self.nonce, "nonce").encode()).hexdigest()[:40]


def ingest(request: Request, form: ReplyFormat, schema: dict[str, Any] | None, noted: Sequence[Note]) -> Prompt:
    """The prompt for one source; what is ``noted`` is in the place of a source that is too long for one prompt."""
    system = filled("ingest", **policy_values(request.policy), reply_format=text_of(f"reply-{form}"))
    pages = pages_shown(request, request.pages)
    lines = names_of_pages(request)
    source = notes.told(noted) if noted else request.source.document.text
    conventions = own_conventions(request.conventions)
    nonce = fresh_nonce(
        system, conventions, lines, source, pages, *request.coming, *request.withdrawn, *request.rejected
    )
    parts = [fenced(nonce, "conventions", conventions)] if conventions else []
    parts += [fenced(nonce, "index", lines)]
    parts += [fenced(nonce, "pages", pages)] if pages else []
    if request.coming:
        parts.append(fenced(nonce, "coming", "\n".join(request.coming)))
    if request.withdrawn:
        parts.append(fenced(nonce, "withdrawn", "\n".join(request.withdrawn), about=_WITHDRAWN))
    if request.rejected:
        parts.append(fenced(nonce, "rejected", "\n".join(request.rejected), about=_REJECTED))
    name = "notes" if noted else "source"
    about = {"path": request.source.path, "date": request.source.date, "slug": request.summary_slug}
    parts.append(fenced(nonce, name, source, **about))
    user = filled("material", material="\n\n".join(parts), name=name, nonce=nonce)
    messages = [_message("system", system), _message("user", user)]
    if request.faults:
        messages += [
            _message("assistant", request.previous),
            _message("user", filled("repair", faults=_faults(request.faults))),
        ]
    return Prompt(tuple(messages), nonce, schema, request.source.path, request.source.digest)


def pages_shown(request: Request, pages: Sequence[Page]) -> str:
    """What is shown of ``pages``, each behind a line with its names; a line of its own that looks like one is set in."""
    told = (f"=== {index.names(PageEntry.of(page))}\n{_NAMES.sub(' ===', request.told(page))}" for page in pages)
    return "\n\n".join(told)


def names_of_pages(request: Request) -> str:
    """The pages that are not shown, by their names, a line each, and how many more there are."""
    exist = "page exists" if request.more == 1 else "pages exist"
    more = f"({request.more:,} more {exist})" if request.more else "(no more pages)"
    return "\n".join([*map(index.names, request.entries), more])


def own_conventions(text: str) -> str:
    """What this wiki wrote in AGENTS.md itself; what every new wiki has there, the system message says."""
    usual = {" ".join(section.split()) for section in _SECTION.split(text_of("usual-conventions"))}
    own = [
        section for section in _SECTION.split(text) if " ".join(_TITLE.sub("", section, count=1).split()) not in usual
    ]
    return "\n".join(section.strip("\n") + "\n" for section in own).strip()


def window(request: Request, text: str, number: int, total: int, names: Sequence[str] = ()) -> Prompt:
    """The prompt for one window of a long source, to be answered with cited notes; ``names``: those of earlier ones."""
    system = filled("notes", **policy_values(request.policy))
    nonce = fresh_nonce(system, text, *names)
    parts = [fenced(nonce, "noted", "\n".join(names))] if names else []
    parts.append(fenced(nonce, "source", text, path=request.source.path, part=f"{number} of {total}"))
    user = filled("material", material="\n\n".join(parts), name="source", nonce=nonce)
    messages = (_message("system", system), _message("user", user))
    return Prompt(messages, nonce, source=request.source.path, digest=request.source.digest)


def fresh_nonce(*texts: str) -> str:
    """A random marker of 128 bits that occurs in none of ``texts``."""
    while True:
        nonce = secrets.token_hex(16)
        if not any(nonce in text for text in texts):
            return nonce


def fenced(nonce: str, name: str, text: str, **about: str) -> str:
    """``text`` between the markers of a fence; anything in it that looks like such a marker is neutralised."""
    words = {key: neutral(" ".join(value.split())).replace('"', "'") for key, value in about.items() if value}
    said = "".join(f' {key}="{value}"' for key, value in words.items())
    return f'<data id="{nonce}" name="{name}"{said}>\n{neutral(text)}\n</data id="{nonce}">'


def neutral(text: str) -> str:
    """``text`` with the bracket of anything that looks like a fence's marker replaced; quotes of it are still found."""
    return _MARKER.sub("‹", text)


def policy_values(policy: CurationPolicy) -> dict[str, str]:
    return {
        "tone": policy.tone or "plain and factual",
        "depth": policy.depth,
        "threshold": " ".join(policy.new_entry_threshold.split()) or _THRESHOLD,
        "conflicts": _CONFLICTS.get(policy.conflict_resolution, _CONFLICTS["defer"]),
        "grounding": _GROUNDINGS.get(policy.grounding, _GROUNDINGS["required"]),
        "types": _types(policy.types),
        "quote_words": QUOTE_WORDS,
    }


def _types(types: tuple[PageType, ...]) -> str:
    """The entity types of the wiki with their descriptions; when there are very many, the last by name only."""
    told: list[str] = []
    for each in types:
        headings = f", with headings {', '.join(map(_in_words, each.fields[:8]))}" if each.fields else ""
        about = f": {' '.join(each.description.split())[:_LONGEST_ABOUT].rstrip('.')}" if each.description else ""
        long = f"{each.name} (a kind of {each.kind}{headings}){about}"
        told.append(long if sum(map(len, told)) + len(long) <= _LONGEST_TYPES else each.name)
    return f" Kinds of this wiki's own, to give as the kind where one fits better: {'; '.join(told)}." if told else ""


def _in_words(field: str) -> str:
    """``lead_partner`` as a heading: Lead partner."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", field).replace("_", " ").lower()
    return words[:1].upper() + words[1:]


def _faults(faults: tuple[Finding, ...]) -> str:
    """Codes and places for broken rules; for claims also the words that were not found, which the model itself wrote."""
    return "\n".join(f"- {fault.code} in {fault.path}: {fault.message}" for fault in faults[:40])


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def text_of(name: str) -> str:
    return (PROMPTS / f"{name}.md").read_text("utf-8").strip()


def filled(prompt: str, **values: str) -> str:
    return Template(text_of(prompt)).substitute(values)
