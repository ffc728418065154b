"""Who vouches for a source: a detached signature beside it, proven by ssh-keygen or gpg (``sources.signing``, AIP-10).

- ``sources/x.pdf.sig`` is made by ``ssh-keygen -Y sign -n curator-source``. It counts when its key stands in the file of
  allowed signers, which curator.toml names; the wiki's own files name nobody.
- ``sources/x.pdf.asc`` is made by ``gpg --armor --detach-sign``. It counts when this user's keyring trusts its key fully.
- none: signatures are nobody's business. optional: one that is there has to be good. required: one has to be there.

What is proven are the private copies that the ingest goes by, the source's and the signature's; no file is read again.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.errors import ConfigError, SourceError
from curator.repository.repository import Repository
from curator.repository.runtime.spool import Spooled
from curator.repository.source_files import IncomingFile, IncomingSource
from curator.system.filenames import printable
from curator.wiki.sources.record import Signature
from curator.wiki.sources.source import SIGNATURES

NAMESPACE = "curator-source"
_MOST_BYTES = 100_000
_SECONDS = 60.0
_BEGINNING = b"-----BEGIN SSH SIGNATURE-----"
_PASSED_ON = ("PATH", "HOME", "GNUPGHOME")


@dataclass(frozen=True)
class SignatureVerifier:
    """What signatures are judged by, for one wiki on this machine."""

    mode: str = "none"
    """none, optional or required."""
    allowed_signers: Path | None = None
    environment: Mapping[str, str] | None = None

    @classmethod
    def of(
        cls, policy: Mapping[str, Any], allowed_signers: str, environment: Mapping[str, str], repository: Repository
    ) -> SignatureVerifier:
        """``policy``: ``sources`` of the wiki's own manifest. Raises ConfigError for a file that cannot be one to trust."""
        mode = str(policy.get("signing") or "none")
        if mode == "none" or not allowed_signers:
            return cls(mode, None, environment)
        file = Path(allowed_signers).expanduser()
        real, top = file.resolve(), repository.git.top.resolve()
        if real.is_relative_to(top) and ".git" not in real.relative_to(top).parts:
            message = (
                f"allowed_signers = {allowed_signers!r}: it lies in the wiki, where a source's author could write it"
            )
            raise ConfigError("allowed_signers_in_wiki", message, "keep it outside, such as in ~/.ssh/allowed_signers")
        if not file.is_file():
            message = f"allowed_signers = {allowed_signers!r}: there is no such file"
            raise ConfigError("allowed_signers_missing", message, "see ALLOWED SIGNERS in 'man ssh-keygen'")
        return cls(mode, file, environment)

    def vouched(self, incoming: IncomingSource, repository: Repository) -> tuple[IncomingSource, Signature | None]:
        """``incoming`` with its signatures, and who vouches for it by the first. Raises SourceError or ConfigError."""
        if self.mode == "none":
            return incoming, None
        file = incoming.copied_from or repository.root / incoming.path
        top = repository.root if incoming.copied_from is None else None
        with ExitStack() as doors:
            found = []
            for suffix in SIGNATURES:
                if (one := _spooled(Path(f"{file}{suffix}"), repository, top)) is not None:
                    doors.callback(repository.runtime.drop_spool, one)
                    found.append(IncomingFile(f"{incoming.path}{suffix}", one))
            if not found and self.mode == "required":
                raise _unsigned(file, incoming)
            signatures = [self._proven(one, incoming) for one in found]
            doors.pop_all()
        return incoming.signed_by(found), next(iter(signatures), None)

    def _proven(self, signature: IncomingFile, incoming: IncomingSource) -> Signature:
        with signature.spooled.open() as stream:
            is_of_ssh = stream.read(len(_BEGINNING)) == _BEGINNING
        prove = self._by_ssh if is_of_ssh else self._by_gpg
        return prove(signature.path, signature.spooled.file, incoming.spooled)

    # -- ssh-keygen ------------------------------------------------------------------------------------------------

    def _by_ssh(self, path: str, signature: Path, source: Spooled) -> Signature:
        if self.allowed_signers is None:
            message = f"{printable(path)} cannot be checked: nobody has said whose signature counts"
            hint = "name a file of allowed signers in curator.toml: allowed_signers = '~/.ssh/allowed_signers'"
            raise SourceError("source_signature_unchecked", message, hint)
        about = ["-s", str(signature), "-f", str(self.allowed_signers)]
        status, out, err = self._run(["ssh-keygen", "-Y", "find-principals", *about], None, path)
        names = [name for line in out.splitlines() for name in line.split(",") if name and not name.startswith("!")]
        if status or not names:
            raise _bad(path, _first(err) or "its key is none of the allowed signers'")
        for name in dict.fromkeys(names):
            command = ["ssh-keygen", "-Y", "verify", *about, "-I", name, "-n", NAMESPACE]
            status, _, err = self._run(command, source, path)
            if status == 0:
                return Signature(" ".join(name.split()), "ssh")
        raise _bad(path, _first(err) or "ssh-keygen does not accept it")

    # -- gpg -------------------------------------------------------------------------------------------------------

    def _by_gpg(self, path: str, signature: Path, source: Spooled) -> Signature:
        command = ["gpg", "--batch", "--no-tty", "--no-auto-key-retrieve", "--disable-dirmngr", "--status-fd=1"]
        status, out, err = self._run([*command, "--verify", "--", str(signature), "-"], source, path)
        said = [line.split() for line in re.findall(r"(?m)^\[GNUPG:\] (.+)$", out)]
        valid = [words[-1] for words in said if words[0] == "VALIDSIG"]
        if status or len(valid) != 1:
            why = [
                line for line in err.splitlines() if re.search(r"\bBAD\b|Can't check|expired|revoked|no valid", line)
            ]
            raise _bad(path, _first("\n".join(why) or err) or "gpg does not accept it")
        if not any(words[0] in ("TRUST_FULLY", "TRUST_ULTIMATE") for words in said):
            hint = f"if you know whose key it is, say so: gpg --quick-lsign-key {valid[0]}; then try again"
            raise _bad(path, f"the key {valid[0]} is not trusted here", hint)
        return Signature(valid[0], "gpg")

    def _run(self, command: Sequence[str], source: Spooled | None, path: str) -> tuple[int, str, str]:
        """Exit status, stdout and stderr. Raises SourceError when the program is not there, or does not end."""
        environment = {key: value for key, value in (self.environment or {}).items() if key in _PASSED_ON}
        try:
            with ExitStack() as doors:
                stdin = doors.enter_context(source.open()) if source is not None else subprocess.DEVNULL
                done = subprocess.run(
                    command,
                    stdin=stdin,
                    capture_output=True,
                    env={**environment, "LC_ALL": "C"},
                    timeout=_SECONDS,
                    check=False,
                    start_new_session=True,
                )
        except (OSError, subprocess.TimeoutExpired) as error:
            why = _why_not(error)
            message = f"{printable(path)} cannot be checked: {command[0]} {why}"
            hint = f"install {'openssh-client' if command[0] == 'ssh-keygen' else 'gnupg'}, then try again"
            raise SourceError("source_signature_unchecked", message, hint) from error
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def _why_not(error: OSError | subprocess.TimeoutExpired) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"took more than {_SECONDS:g} seconds"
    return "is not installed" if isinstance(error, FileNotFoundError) else f"cannot be run: {error.strerror}"


def _spooled(file: Path, repository: Repository, top: Path | None) -> Spooled | None:
    """A private copy of a signature; None when there is none."""
    if not file.is_symlink() and not file.exists():
        return None
    try:
        return repository.runtime.spool(file, "sha256", _MOST_BYTES, top)
    except SourceError as error:
        raise _bad(file.name, error.message) from error


def _unsigned(file: Path, incoming: IncomingSource) -> SourceError:
    name = shlex.quote(printable(file if incoming.copied_from is not None else incoming.path))
    hint = f"ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n {NAMESPACE} {name}; then: curate ingest {name}"
    return SourceError("source_unsigned", "it has no signature, and this wiki's sources.signing is required", hint)


def _bad(path: str, why: str, hint: str = "") -> SourceError:
    message = f"its signature {printable(path)} does not hold: {printable(why)}"
    hint = (
        hint or f"have it signed again, with -n {NAMESPACE}, by somebody who is allowed to; or take the signature away"
    )
    return SourceError("source_signature_invalid", message, hint)


def _first(text: str) -> str:
    return next(_told(text), "")


def _told(text: str) -> Iterator[str]:
    """What a program complains of, without its name."""
    for line in text.splitlines():
        if words := re.sub(r"^gpg: +", "", line).strip(" ."):
            yield words
