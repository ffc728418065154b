"""The reading list of ``curate fetch``: found, read, added to, shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curator.cli.commands import config as config_command
from curator.cli.console import Report
from curator.errors import ConfigError, SourceError
from curator.ingest.web import feeds
from curator.ingest.web.fetching import check_address
from curator.ingest.web.memory import FetchMemory, Known
from curator.ingest.web.reading_list import MOST_ADDRESSES, MOST_CHARS, Listed, ReadingList, parse, with_addresses
from curator.repository.settings import Settings
from curator.system import atomic
from curator.system.filenames import alike, printable
from curator.system.text import counted

NAME = "reading-list.md"
"""What a list is called that curate makes, in the wiki's folder."""
_OF_LISTS = (".md", ".txt", ".opml", ".xml")
_BEGINNING = """# Reading list

What `curate fetch` asks: an address a line, of a feed or of a page. All else is a comment; a ticked line is passed over.

"""


@dataclass(frozen=True)
class FoundList:
    """What is to be asked, and where that stands."""

    place: str | None
    """The file of the list; None where addresses were typed."""
    addresses: tuple[Listed, ...]
    lists: tuple[ReadingList, ...] = ()

    def remarks(self) -> list[str]:
        """What a person should know of the list."""
        doubtful = [str(line) for each in self.lists for line in each.doubtful]
        said = []
        if doubtful:
            lines = f"line{'s' if len(doubtful) > 1 else ''} {', '.join(doubtful[:10])}"
            said.append(f"{self.place}: {lines}: an address behind other words is a comment; begin the line with it")
        if too_many := sum(each.too_many for each in self.lists):
            said.append(f"{self.place}: only the first {MOST_ADDRESSES:,} addresses are asked, {too_many:,} are not")
        return said


def read(settings: Settings, what: Sequence[Path | str]) -> FoundList:
    """The addresses and lists that were named, else the list of the settings. Raises ConfigError, SourceError."""
    typed = [Listed(each) for each in what if isinstance(each, str)]
    for each in typed:
        check_address(each.address)
    files = [each for each in what if isinstance(each, Path)]
    if not what:
        files = [_own(settings)]
    lists = tuple(map(_read, files))
    found = {each.address: each for each in (*typed, *(each for one in lists for each in one.addresses))}
    return FoundList(", ".join(map(printable, files)) or None, tuple(found.values()), lists)


def added(settings: Settings, what: Sequence[Path | str]) -> Report:
    """Put addresses, and those that files name, at the end of the reading list, which is made where there is none."""
    if not what:
        raise ConfigError("usage", "nothing to add was named", "curate fetch --add ADDRESS | FILE.opml")
    found = read(settings, what)
    notes: list[str] = []
    with settings.repository as repository:
        written = settings.config.reading_list
        file = _place(settings, written) if written else repository.root / NAME
    is_new = not file.exists()
    text, new = with_addresses(_BEGINNING if is_new else _text(file), found.addresses)
    if new:
        atomic.write(file, text.encode("utf-8"))
    if not written:
        set_now = config_command.change(replace(settings), {"reading_list": NAME}, False)
        notes = [f"reading_list is set to {NAME} from now on", *set_now.notes]
    old = len(found.addresses) - len(new)
    lines = [f"added      {printable(each.address)}" for each in new]
    lines += [f"{old} {'is' if old == 1 else 'are'} on the list already"] if old else []
    lines += [f"{'made' if is_new else 'wrote'} {printable(file)}; next: curate fetch"] if new else []
    return Report({"list": str(file), "added": [each.address for each in new]}, tuple(lines), notes=tuple(notes))


def shown(settings: Settings, what: Sequence[Path | str]) -> Report:
    """Each address of the list, with what is remembered of it; nobody is asked."""
    with settings.repository as repository:
        found = read(settings, what)
        manifest, memory = repository.view().manifest(), FetchMemory(repository.runtime.fetched).by_address()
        entries = [
            _entry(each, memory.get(each.address, Known(each.address)), manifest.of_address(each.address))
            for each in found.addresses
        ]
    lines = [line for entry in entries for line in _lines(entry)] or ["the list names no address"]
    return Report({"list": found.place, "entries": entries}, tuple(lines), notes=tuple(found.remarks()))


def _entry(listed: Listed, known: Known, sources: Sequence[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"address": listed.address, "line": listed.line, "title": listed.title or known.title}
    entry |= {"kind": known.kind or ("page" if sources else None), "asked": known.at or None}
    entry |= {"sources": list(sources), "seen": len(known.seen)}
    return entry | ({"code": known.code, "reason": known.fault} if known.fault else {})


def _lines(entry: dict[str, Any]) -> Iterator[str]:
    asked = entry["asked"][:16].replace("T", " ") if entry["asked"] else "never asked"
    name = f"{entry['title']}, {printable(entry['address'])}" if entry["title"] else printable(entry["address"])
    seen = f", {counted(entry['seen'], 'entry', 'entries')} seen" if entry["kind"] == "feed" else ""
    yield f"{entry['kind'] or 'new':<5}  {asked:<16}  {name}{seen}"
    if "reason" in entry:
        yield f"       not to be had the last time: {entry['reason']}"


def _own(settings: Settings) -> Path:
    """The list that the settings name. Raises ConfigError where they name none."""
    written, usual = settings.config.reading_list, settings.repository.root / NAME
    if written:
        return _place(settings, written)
    if usual.is_file():
        said = f"no reading list is set; the {NAME} that lies here is asked only once you say that it is yours"
        raise ConfigError("no_reading_list", said, f"look at it, then: curate config set reading_list {NAME}")
    raise ConfigError("no_reading_list", "there is no reading list yet", "begin one: curate fetch --add ADDRESS")


def _place(settings: Settings, written: str) -> Path:
    return settings.repository.root / Path(written).expanduser()


def _read(file: Path) -> ReadingList:
    """The addresses in ``file``: lines of text, or OPML."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        is_host = re.fullmatch(r"[\w-]+(\.[\w-]+)+(/.*)?", str(file)) and file.suffix.lower() not in _OF_LISTS
        usual = "check the name, or: curate config set reading_list PATH"
        hint = alike(file) or (f"an address begins so: https://{printable(file)}" if is_host else usual)
        raise ConfigError("no_reading_list", f"there is no file {printable(file)}", hint) from None
    except IsADirectoryError:
        raise ConfigError("no_reading_list", f"{printable(file)} is a folder", "name the file of a list") from None
    if not feeds.is_feed("", data):
        return parse(_decoded(file, data))
    try:
        found = feeds.parse(data, "")
    except SourceError as error:
        said = error.message.removeprefix(": ")
        raise ConfigError("reading_list_broken", f"{printable(file)}: {said}", error.hint) from error
    if not found.is_list:
        hint = "name its address; or a list: lines of text, or OPML"
        raise ConfigError("reading_list_broken", f"{printable(file)} is a feed, and no list of addresses", hint)
    listed = tuple(Listed(each.address, 0, each.title) for each in found.entries)
    return ReadingList(listed[:MOST_ADDRESSES], (), max(0, len(listed) - MOST_ADDRESSES))


def _text(file: Path) -> str:
    return _decoded(file, file.read_bytes())


def _decoded(file: Path, data: bytes) -> str:
    if len(data) > MOST_CHARS:
        raise ConfigError("reading_list_broken", f"{printable(file)} has more than {MOST_CHARS:,} bytes", "split it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("reading_list_broken", f"{printable(file)} is not UTF-8", "save it as UTF-8") from None
