"""The packs within reach of a user in a project: found, gated and opened. All verbs of ``curate packs`` begin here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from curator.errors import ConfigError
from curator.finding import Finding
from curator.packs.context.resolver import Activation, ActivePack
from curator.packs.discovery.activation import matching
from curator.packs.discovery.loading import GateVerdict, LoadingPolicy, gate
from curator.packs.discovery.properties import issue, properties_of
from curator.packs.discovery.scan import Discovered, PackRoot, find, read_head
from curator.packs.discovery.user_state import NAME, Approval, UserState
from curator.packs.pack import KnowledgePack
from curator.packs.reader import PackFiles
from curator.packs.wiki_reader import opened
from curator.repository.settings import users_file
from curator.wiki.pages import frontmatter
from curator.wiki.workspace.refs import FILE

_BOUNDARIES = ("boundar", "taboo", "limits", "must not", "do not", "never")


class NotLoaded(ConfigError):
    """Packs that were asked for may not be loaded; ``findings`` say why."""

    exit_status = 1

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        said = "\n".join(finding.message for finding in findings)
        super().__init__(findings[0].code, said, findings[0].hint)


@dataclass(frozen=True)
class PackLibrary:
    """The roots that packs are looked for in, and where it is remembered what the user has said of them."""

    roots: tuple[PackRoot, ...]
    state_file: Path | None = None
    types: frozenset[str] = frozenset()
    confirmed: frozenset[str] = frozenset()
    """The names of packs that are to be used although they are draft, disputed or archived."""
    _open: dict[str, PackFiles] = field(default_factory=dict, compare=False, repr=False)
    _approved: dict[str, bool] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls,
        explicit: Iterable[str | Path] = (),
        *,
        project: str | Path | None = None,
        wiki: str | Path | None = None,
        environment: Mapping[str, str] | None = None,
        organization: Iterable[str] = (),
        confirmed: Iterable[str] = (),
    ) -> PackLibrary:
        """The usual places: paths that were named, the project's, the user's, the organization's.

        ``project``: its folder; else the nearest one above with ``.git`` or ``.agents``, else the current one. ``wiki``:
        the one that is worked in, a pack of the project's.
        """
        where = os.environ if environment is None else environment
        roots = [PackRoot(os.path.realpath(path), "explicit") for path in explicit]
        folder = project_of(Path.cwd()) if project is None else Path(project)
        roots += [PackRoot(str(folder / each / "knowledge"), "workspace") for each in (".agents", ".curator")]
        roots += [PackRoot(os.path.realpath(wiki), "workspace")] if wiki is not None else []
        if home := where.get("HOME"):
            roots.append(PackRoot(str(Path(home, ".agents", "knowledge")), "user"))
        roots += [PackRoot(str(Path(path).expanduser()), "organization") for path in organization]
        files = users_file(where)
        return cls(tuple(roots), files[0].parent / NAME if files else None, confirmed=frozenset(confirmed))

    @cached_property
    def state(self) -> UserState:
        return UserState.load(self.state_file)

    def __enter__(self) -> PackLibrary:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the wikis that packs were read from."""
        while self._open:
            self._open.popitem()[1].close()

    @cached_property
    def found(self) -> Discovered:
        """What is within reach, by heads alone; whether a pack was approved, ``judged`` tells."""
        return find(self.roots, types=self.types, disabled=self.state.disabled)

    def judged(self, pack: KnowledgePack) -> KnowledgePack:
        """The pack with the user's approval, where what it holds is what was approved: all its files are read for that."""
        approval = self.state.approvals.get(pack.root)
        if approval is None or pack.approved:
            return pack
        if pack.root not in self._approved:
            self._approved[pack.root] = approval.follows or approval.digest == self.files(pack).digest()
        return replace(pack, approved=self._approved[pack.root])

    def files(self, pack: KnowledgePack) -> PackFiles:
        if pack.root not in self._open:
            self._open[pack.root] = opened(pack)
        return self._open[pack.root]

    @property
    def policy(self) -> LoadingPolicy:
        return LoadingPolicy(self.confirmed, self.state.disabled)

    def verdict(self, pack: KnowledgePack) -> GateVerdict:
        return gate(self.judged(pack), self.policy)

    def loaded(self, name: str, activation: Activation = "explicit") -> ActivePack:
        """The pack of this name or path, to be read from. Raises NotLoaded where the gate refuses it, or ConfigError."""
        pack = self.judged(self.found.named(name))
        verdict = self.verdict(pack)
        if not verdict.loads:
            raise NotLoaded(verdict.refusals)
        files = self.files(pack)
        if files.version:
            # Its head was found on disk, and the rest is read from a commit: that head decides.
            said, findings = properties_of(files.read(FILE) or "", pack.location, Path(pack.root).name, self.types)
            if said is None:
                raise NotLoaded(findings)
            pack = replace(pack, properties=said)
            verdict = self.verdict(pack)
            if not verdict.loads:
                raise NotLoaded(verdict.refusals)
        warnings = (*verdict.warnings, *self._shadowing(pack), *_persona_findings(pack, files))
        return ActivePack(pack, files, activation, warnings)

    def _shadowing(self, pack: KnowledgePack) -> Iterator[Finding]:
        """That a pack which is trusted more is hidden: told to the model that gets this one in its place, too."""
        for told in self.found.diagnostics:
            if told.code == "pack_shadows_trusted" and told.path == pack.location:
                said = f"{pack.name}: {pack.place}, in the place of a pack of this name that is trusted more"
                yield replace(told, message=said)
                return

    def activated(self, query: str) -> tuple[list[ActivePack], list[Finding]]:
        """The packs that ``query`` clearly matches and that may be loaded; and what is said of those that may not."""
        active: list[ActivePack] = []
        told: list[Finding] = []
        for pack in matching(query, [each for each in self.found.packs if each.root not in self.state.disabled]):
            try:
                active.append(self.loaded(pack.root, "implicit"))
            except NotLoaded as error:
                told += [replace(finding, severity="warn") for finding in error.findings]
        return active, told

    def ranked(self) -> tuple[list[ActivePack], list[Finding]]:
        """All packs that may be loaded, for a resolver to choose from; and what is said of the others."""
        active: list[ActivePack] = []
        told: list[Finding] = []
        for pack in self.found.packs:
            try:
                active.append(self.loaded(pack.root, "resolver-driven"))
            except NotLoaded as error:
                told += [replace(finding, severity="warn") for finding in error.findings]
        return active, told

    def including(self, root: str) -> PackLibrary:
        """The same with the pack in the folder ``root``, wherever that lies."""
        if any(pack.root == root for pack in (*self.found.packs, *self.found.shadowed)):
            return self
        return replace(self, roots=(PackRoot(root, "explicit"), *self.roots))

    # -- what the user says ------------------------------------------------------------------------------------------

    def approve(self, name: str, at: str, *, follows: bool = False) -> KnowledgePack:
        """Remember that what the pack holds now may be loaded; ``follows``: and whatever it will hold."""
        pack = self.found.named(name)
        approval = Approval(self.files(pack).digest(), at, follows)
        self.state.approving(pack.root, approval).save(self.state_file)
        return replace(pack, approved=True)

    def switch(self, name: str, *, on: bool) -> KnowledgePack:
        """Switch a pack on or off."""
        pack = self.found.named(name)
        self.state.switching(pack.root, on=on).save(self.state_file)
        return pack


def read(folder: str | Path) -> tuple[KnowledgePack, PackFiles]:
    """The pack in ``folder`` and its files; nobody has said yet whether it may be loaded. Raises ConfigError."""
    place = os.path.realpath(folder)
    pack, findings = read_head(place, "explicit")
    if pack is None:
        raise ConfigError(findings[0].code, str(findings[0]), findings[0].hint)
    return pack, opened(pack)


def project_of(folder: Path) -> Path:
    """The nearest folder above with ``.git``, ``.agents`` or ``.curator`` in it; else ``folder``."""
    for each in (folder, *folder.parents):
        if any((each / name).exists() for name in (".git", ".agents", ".curator")):
            return each
    return folder


def _persona_findings(pack: KnowledgePack, files: PackFiles) -> list[Finding]:
    """ "runtime.mode: persona without boundary guidance"."""
    if pack.properties.mode != "persona":
        return []
    words = frontmatter.split(files.read(FILE) or "")[1].casefold()
    if any(word in words for word in _BOUNDARIES) or any("boundar" in path or "taboo" in path for path in files.paths):
        return []
    said = "a persona without a word on its boundaries: they are incomplete"
    return [issue("pack_persona_boundaries", pack.location, said)]
