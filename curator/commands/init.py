"""``curate init``: a wiki a newcomer can use at once, in its first commit."""

from __future__ import annotations

from pathlib import Path
from string import Template

from curator import git, index, log, manifest
from curator.errors import ConfigError
from curator.git import Blob, Git
from curator.manifest import Manifest
from curator.report import Report
from curator.slug import slugify

_TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
_FOLDERS = ("sources", "entities", "concepts", "summaries")
_IGNORED = ".obsidian/workspace*\n.trash/\n.DS_Store\n.curator-*~\n"


def run(folder: Path, title: str | None) -> Report:
    """Make the wiki in ``folder``. Raises ConfigError rather than overwrite anything."""
    folder = folder.resolve()
    title = " ".join((title or folder.name.replace("-", " ").replace("_", " ").title() or "Wiki").split())
    files = contents(title)
    taken = [path for path in files if (folder / path).exists()]
    if taken:
        raise ConfigError(
            "already_there",
            f"{', '.join(taken)} already in {str(folder)!r}; nothing was changed",
            "choose an empty folder, or move the file away",
        )
    folder.mkdir(parents=True, exist_ok=True)
    if not git.is_inside_repository(folder):
        git.initialise(folder)
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    commit = _first_commit(folder, title, list(files))
    lines = (
        f"{title}: a new wiki in {folder}",
        f"commit {commit[:12]}",
        "",
        "next: put a file into sources/ and run 'curate ingest sources/FILE'",
    )
    return Report({"wiki": str(folder), "commit": commit, "created": list(files)}, lines)


def contents(title: str) -> dict[str, str]:
    """The files of a new wiki, by path."""
    name = slugify(title) or "wiki"
    names = {"title": title, "name": name if name[0].isalpha() else f"wiki-{name}"}
    filled = {
        path: Template((_TEMPLATES / path).read_text("utf-8")).substitute(names)
        for path in ("KNOWLEDGE.md", "AGENTS.md")
    }
    return {
        **filled,
        index.PATH: index.render([]),
        log.PATH: log.HEADING,
        manifest.PATH: Manifest().dumps(),
        ".gitignore": _IGNORED,
        **{f"{folder}/.gitkeep": "" for folder in _FOLDERS},
    }


def _first_commit(folder: Path, title: str, paths: list[str]) -> str:
    """Commit exactly the new files on top of whatever the branch has."""
    repository = Git(folder)
    try:
        branch = repository.branch()
        if branch is None:
            raise ConfigError(
                "detached_head", "HEAD is detached: there is no branch to commit to", "git switch <branch>"
            )
        repository.runtime.mkdir(parents=True, exist_ok=True)
        base = repository.commit_of("HEAD")
        relative = folder.relative_to(repository.top.resolve()).as_posix()
        prefix = "" if relative == "." else relative + "/"
        oids = repository.store([(folder / path).read_bytes() for path in paths])
        blobs = [Blob(prefix + path, "100644", oid) for path, oid in zip(paths, oids, strict=True)]
        scratch = repository.runtime / "index.init"
        scratch.unlink(missing_ok=True)
        if base:
            repository.read_tree(scratch, base)
        repository.put_into(scratch, blobs)
        commit = repository.commit_tree(repository.write_tree(scratch), base, f"init: {title}\n")
        scratch.unlink()
        if not repository.move_branch(branch, commit, base, f"curator: init {title}"):
            raise ConfigError("branch_moved", "the branch moved meanwhile", "commit the new files yourself")
        repository.put_into(repository.directory / "index", blobs)
    finally:
        repository.close()
    return commit
