"""What the person who has to act on a source that was not taken in does next."""

from __future__ import annotations

import shlex

from curator.errors import CuratorError, ProposalError, Rejected, ReviewNeeded, SourceError
from curator.repository.settings import Settings
from curator.wiki.sources.source import SourceRemarks

NO_REMARKS = SourceRemarks()


def next_step(error: CuratorError, path: str, settings: Settings, remarks: SourceRemarks = NO_REMARKS) -> str:
    """What the person who has to act does now, down to the command."""
    if isinstance(error, (SourceError, ReviewNeeded)):
        return error.hint
    file = shlex.quote(path)
    flags = {name: value for name in ("model", "api_base") if (value := settings.flags.get(name))}
    if error.code == "model_not_found":  # what was wrong is not given again
        if "curate config set api_base" in error.hint:
            flags.pop("api_base", None)
        elif "model" in flags and "verify_model" not in error.hint:
            flags["model"] = "NAME"
    chosen = [f"--{name.replace('_', '-')} {shlex.quote(value)}" for name, value in flags.items()]
    chosen += [f"--authority {remarks.authority}"] if remarks.authority else []
    chosen += [f"--supersedes {shlex.quote(old)}" for old in remarks.supersedes]
    again = " ".join(["curate ingest", *chosen, file])
    if not isinstance(error, (ProposalError, Rejected)):
        return f"{error.hint}; then: {again}" if error.hint else again  # taken apart by service/status.py
    if not settings.config.model:
        return f"ask a language model: curate ingest --model NAME {file}"
    hint = error.hint if isinstance(error, ProposalError) else ""
    anew = " ".join(["curate ingest --ask-again", *chosen, file])
    return f"{hint or 'fix the source or choose another --model'}; or ask anew: {anew}"
