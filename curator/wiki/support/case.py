"""What a rule is given: one claim, and what the source says where its quotes stand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from curator.wiki.support.context import Context, SourceContext
from curator.wiki.support.words import Phrase, phrase

_CODE = re.compile(r"`[^`]*`")
_LABEL = re.compile(r"\s*(?:[-*+]\s+)?([^:.;!?]{2,90}):\s+(?=\S)")


@dataclass(frozen=True)
class Case:
    """One claim to be judged."""

    whole: Phrase
    claim: Phrase
    """The claim without the ``Label:`` it may begin with, which states nothing by itself."""
    context: Context
    source: SourceContext

    @classmethod
    def of(cls, claim: str, context: Context, source: SourceContext) -> Case:
        masked = _CODE.sub(lambda found: "x" * len(found[0]), claim)
        label = _LABEL.match(masked)
        return cls(phrase(claim), phrase(claim[label.end() :] if label else claim), context, source)
