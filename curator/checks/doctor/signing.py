"""Where KNOWLEDGE.md asks for signatures of sources: whether this machine can prove one, and whom it trusts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

from curator.checks.diagnosis import Diagnosis, found, of_error
from curator.checks.examined_wiki import ExaminedWiki
from curator.errors import ConfigError, CuratorError
from curator.repository.settings import Settings
from curator.repository.signatures import SignatureVerifier

_PLACE = "curator.toml"


def judged(patient: ExaminedWiki, settings: Settings) -> Iterator[Diagnosis]:
    """Nothing where no signatures are asked for, or where it cannot be read whether they are, which is told elsewhere."""
    try:
        policy = patient.snapshot.workspace().fields.get("sources") or {}
        allowed = settings.config.allowed_signers
    except (CuratorError, OSError):
        return
    mode = policy.get("signing") or "none"
    if mode == "none":
        return
    path = settings.environment.get("PATH")
    programs = [name for name in ("ssh-keygen", "gpg") if shutil.which(name, path=path)]
    if not programs:
        message = f"sources.signing is {mode}, and neither ssh-keygen nor gpg is there: no signature can be proven"
        yield found("error", "signing_unusable", "machine", message, "install openssh-client, or gnupg")
    try:
        SignatureVerifier.of(policy, allowed, settings.environment, patient.repository)
    except ConfigError as error:
        yield of_error(error, _PLACE)
    if not allowed:
        message = f"sources.signing is {mode}, and no allowed signers are named: only signatures of gpg can be proven"
        repair = "name the file of those you trust in curator.toml: allowed_signers = '~/.ssh/allowed_signers'"
        yield found("info", "signers_unset", _PLACE, message, repair)
