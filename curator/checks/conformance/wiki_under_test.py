"""What is judged: one wiki, or one view, as values and questions; who answers them is the caller's matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from curator.errors import FrontmatterError, WikiError
from curator.finding import Finding
from curator.system.digests import HASHES, is_there
from curator.wiki.pages import frontmatter
from curator.wiki.sources import registry as manifest
from curator.wiki.sources.registry import SourceManifest
from curator.wiki.validation import Failure
from curator.wiki.workspace import refs
from curator.wiki.workspace.chain import Read
from curator.wiki.workspace.effective import Host


@dataclass(frozen=True)
class WikiUnderTest:
    """One wiki, or one view, as it is to be judged."""

    root: str
    """The absolute path of its folder."""
    files: frozenset[str]
    """From there, without hidden ones."""
    read: Callable[[str], str | None]
    """The text of one of them; None when it is no UTF-8."""
    entry_failures: Callable[[Sequence[str]], Iterator[Failure]]
    """What is wrong with the heads of the pages, where these entity types are declared; slugs that two pages have."""
    reference_failures: Callable[[Callable[[str], bool]], Iterator[Failure]]
    """What pages name and is not there; whether a source is there is for the one who asks to say."""
    digest: Callable[[str, str], str | None]
    """The hex digest of a source's bytes by an algorithm; None when there is no such file."""
    read_at: Read
    """The text at an absolute path, for parents and policies."""
    host: Host
    views: tuple[str, ...] = ()
    """The absolute paths of other manifests that may be views of this one."""
    named: Mapping[str, str] = field(default_factory=dict)
    """The absolute paths of those that the settings name, by name."""
    pages_of: Callable[[str], frozenset[str]] = lambda folder: frozenset()
    """The pages and whiteouts below an absolute folder."""
    lints: Callable[[], Iterable[Finding]] = tuple
    """What the maintenance pass finds."""
    algorithms: frozenset[str] = field(default_factory=lambda: frozenset(filter(is_there, HASHES)))
    """Those that ``digest`` can compute."""
    pinned: Callable[[], SourceManifest] = SourceManifest
    """What was registered before the change that is to be judged."""

    @property
    def at(self) -> str:
        return f"{self.root}/{refs.FILE}"

    @cached_property
    def fields(self) -> Mapping[str, object]:
        """The manifest's fields, checked or not; none where they cannot be read."""
        try:
            return frontmatter.read(self.read(refs.FILE) or "")
        except FrontmatterError:
            return {}

    @property
    def name(self) -> str:
        name = self.fields.get("name")
        return name if isinstance(name, str) else PurePosixPath(self.root).name

    @property
    def is_view(self) -> bool:
        return self.fields.get("extends") is not None

    def declared(self, kind: str, key: str) -> list[str]:
        """What the things of one kind that KNOWLEDGE.md declares have under ``key``."""
        things = self.fields.get(kind)
        return [str(thing.get(key)) for thing in things if isinstance(thing, dict)] if isinstance(things, list) else []

    def registry(self) -> SourceManifest:
        """The sources that were taken in. Raises WikiError where ``_manifest.json`` cannot be read."""
        if manifest.PATH not in self.files:
            return SourceManifest()
        written = self.read(manifest.PATH)
        if written is None:
            raise WikiError("manifest_invalid", f"{manifest.PATH} is not UTF-8")
        return manifest.parsed(written.encode())


def is_seen(path: str) -> bool:
    """True for a path without a hidden part."""
    return not path.startswith(".") and "/." not in path


def is_view_path(path: str) -> bool:
    """True where a view's manifest may lie; a KNOWLEDGE.md among sources is a source."""
    return path.rpartition("/")[2] == refs.FILE and is_seen(path) and "sources" not in path.split("/")
