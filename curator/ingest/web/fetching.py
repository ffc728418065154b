"""Pages of the web as sources: fetched once when a person names them, kept as a file with its address in the record."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit
from urllib.robotparser import RobotFileParser

from curator.errors import SourceError
from curator.models.sandbox.proxies import DIRECT, Proxies
from curator.models.sandbox.web import AGENT, NotPublic, NotReached, WebAnswer, get
from curator.system.filenames import printable
from curator.wiki.pages.slug import slugify
from curator.wiki.sources.formats import FORMATS

_MOST_REDIRECTS = 5
_TRIES, _LONGEST_WAIT = 3, 20.0
"""How often a host is asked that is busy, and the most seconds that it is waited for in between."""
_REDIRECTS = (301, 302, 303, 307, 308)
_CHARSET = re.compile(r"charset=[\"']?([\w.-]{1,40})")
_BUSY = (429, 502, 503, 504)
_LONGEST_NAME = 80
_SUFFIXES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/markdown": ".md",
    "text/plain": ".txt",
    "text/csv": ".csv",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/epub+zip": ".epub",
    "application/rtf": ".rtf",
    "message/rfc822": ".eml",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
}
"""What pages are kept as, by what the host says they are."""
_SAYS_LITTLE = ("", "text/plain", "application/octet-stream", "binary/octet-stream")
"""Kinds that hosts give to files that they know nothing of."""
_WHY = {
    401: ("it asks for a name and a password", "save the page with a browser, and ingest the file"),
    403: ("the host does not give it to programs", "save the page with a browser, and ingest the file"),
    404: ("there is no such page", "check the address"),
    407: ("the proxy asks for a name and a password", "put them into its address: http://NAME:PASSWORD@HOST:PORT"),
    410: ("the page is gone", "an archive of the web may have it"),
}


@dataclass(frozen=True)
class Remembered:
    """What a host said of a page when it gave it, for the next time it is asked."""

    found: str = ""
    """Where the page was in the end; elsewhere the rest counts for nothing."""
    etag: str = ""
    last_modified: str = ""

    def headers(self, address: str) -> dict[str, str]:
        """What to ask with, so that a page that is as it was need not be given again."""
        if address != self.found:
            return {}
        said = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in said.items() if value}


NOT_ASKED = Remembered()


@dataclass(frozen=True)
class Fetched:
    """What a host gave."""

    address: str
    """Where it was found in the end, redirects followed."""
    kind: str
    """What the host says that it is, in small letters: ``text/html``."""
    charset: str
    data: bytes
    """Empty where it is as it was."""
    remembered: Remembered
    is_unchanged: bool = False


@dataclass(frozen=True)
class FetchedPage:
    """A page as its host gave it."""

    address: str
    """Where it was found in the end, redirects followed."""
    path: str
    """What it is kept as, below sources/: ``web/example.org/on-tea.html``."""
    data: bytes


def is_address(text: str) -> bool:
    """True for ``https://…`` and ``http://…``."""
    return re.match(r"(?i)https?://", text) is not None


def check_address(address: str) -> None:
    """Raise SourceError (``address_invalid``) for what can be no address of a page."""
    _split(address, address)


@dataclass(frozen=True)
class Fetcher:
    """Asks hosts for pages, and minds what there is to be minded."""

    own_hosts: Collection[str] = ()
    """Hosts that may be of a network of one's own."""
    proxies: Proxies = DIRECT
    wait: Callable[[float], None] = time.sleep
    robots: dict[str, RobotFileParser] = field(default_factory=dict)
    """What hosts allow, kept from page to page."""

    def page(self, address: str) -> FetchedPage:
        """The page at ``address``. Raises as ``ask`` does, and SourceError with ``address_kind``."""
        return as_page(address, self.ask(address))

    def ask(self, address: str, remembered: Remembered = NOT_ASKED) -> Fetched:
        """What the host gives at ``address``, if it is not as it is ``remembered``.

        Raises SourceError: ``address_invalid``, ``_private``, ``_robots``, ``_failed``; ConfigError for an unusable proxy.
        """
        fetching = _Fetching(address, self, remembered)
        url = _split(address, address)
        for _ in range(_MOST_REDIRECTS + 1):
            fetching.check_robots(url)
            answer = fetching.asked(url)
            target = answer.headers.get("location", "") if answer.status in _REDIRECTS else ""
            if not target:
                return _given(address, url, answer, remembered)
            url = _split(urljoin(urlunsplit(url), target), address)
        raise _failed(address, f"it leads on more than {_MOST_REDIRECTS} times", "check the address in a browser")

    def pause(self, address: str) -> None:
        """Wait as long as the host of ``address`` wants between two pages, which is a second where it says nothing."""
        url = urlsplit(address)
        rules = self.robots.get(f"{url.scheme}://{url.netloc}")
        said = rules.crawl_delay(AGENT) if rules is not None else None
        self.wait(min(float(said) if said is not None else 1.0, _LONGEST_WAIT))


@dataclass(frozen=True)
class _Fetching:
    """One page on its way here."""

    address: str
    fetcher: Fetcher
    remembered: Remembered

    def asked(self, url: SplitResult) -> WebAnswer:
        """The host's answer; a busy host is asked again, as it says when."""
        fetcher, more = self.fetcher, self.remembered.headers(urlunsplit(url))
        for attempt in range(_TRIES):
            is_last = attempt == _TRIES - 1
            try:
                answer = get(url, fetcher.own_hosts, fetcher.proxies, more)
            except NotPublic as error:
                said = f"{error} is a host of this machine, or of a network of its own"
                raise SourceError(
                    "address_private",
                    f"{printable(self.address)}: {said}",
                    f"if you mean it: curate config set fetch_hosts {error}",
                ) from None
            except NotReached as error:
                if is_last or not error.passes:
                    hint = "try again later" if error.passes else "what a browser saves of it can be ingested"
                    raise _failed(self.address, str(error), hint) from None
                fetcher.wait(1.0 + attempt)
                continue
            if answer.status not in _BUSY or is_last:
                return answer
            told = answer.headers.get("retry-after", "")
            fetcher.wait(min(float(told) if told.isdecimal() else 2.0 + attempt, _LONGEST_WAIT))
        raise AssertionError("the last attempt ends the loop")

    def check_robots(self, url: SplitResult) -> None:
        """Raise SourceError where the host wants no program at this address."""
        origin, robots = f"{url.scheme}://{url.netloc}", self.fetcher.robots
        if origin not in robots:
            robots[origin] = self._rules(urlsplit(f"{origin}/robots.txt"))
        if not robots[origin].can_fetch(AGENT, urlunsplit(url)):
            hint = "save the page with a browser, and ingest the file"
            said = f"{printable(self.address)}: {url.hostname} wants no programs there (robots.txt)"
            raise SourceError("address_robots", said, hint)

    def _rules(self, url: SplitResult) -> RobotFileParser:
        """RFC 9309: a host without rules allows all; one that is out of order allows nothing for now."""
        answer = self.asked(url)
        for _ in range(_MOST_REDIRECTS):
            if answer.status not in _REDIRECTS or not (to := answer.headers.get("location", "")):
                break
            url = _split(urljoin(urlunsplit(url), to), self.address)
            answer = self.asked(url)
        rules = RobotFileParser()
        if answer.status >= 500:
            raise _failed(self.address, f"its robots.txt cannot be had ({answer.status})", "try again later")
        rules.parse(answer.body.decode("utf-8", "replace").splitlines() if answer.status < 300 else [])
        return rules


def _split(text: str, address: str) -> SplitResult:
    """An address that may be asked for. Raises SourceError."""
    try:
        url = urlsplit(text)
        is_fit = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
        (url.hostname or "").encode("idna")
    except (ValueError, UnicodeError):
        is_fit = False
    if is_fit and (url.username or url.password):
        said, hint = "it has a name or password in it, which would be kept with the page", "leave them out"
        raise SourceError("address_invalid", f"{printable(address)}: {said}", hint)
    if not is_fit or not text.isprintable() or " " in text:
        said = (
            "no address of a page" if text == address else f"it leads to {printable(text)!r}, which is none of a page"
        )
        hint = "write https://HOST/PATH, spaces and the like as %20"
        raise SourceError("address_invalid", f"{printable(address)}: {said}", hint)
    path = "".join(c if c.isascii() else "".join(f"%{byte:02X}" for byte in c.encode()) for c in url.path)
    query = "".join(c if c.isascii() else "".join(f"%{byte:02X}" for byte in c.encode()) for c in url.query)
    return url._replace(path=path, query=query, fragment="")


def _given(address: str, url: SplitResult, answer: WebAnswer, remembered: Remembered) -> Fetched:
    """Raises SourceError for an answer that is no page."""
    kind, _, more = answer.headers.get("content-type", "").lower().partition(";")
    charset = _CHARSET.search(more)
    about = (urlunsplit(url), kind.strip(), charset[1] if charset else "")
    if answer.status == 304 and remembered.found == about[0]:
        return Fetched(*about, b"", remembered, is_unchanged=True)
    if answer.status != 200 or not answer.body:
        usual = (f"the host says {answer.status}" if answer.status != 200 else "the page is empty", "try again later")
        raise _failed(address, *_WHY.get(answer.status, usual))
    headers = answer.headers
    return Fetched(*about, answer.body, Remembered(about[0], headers.get("etag", ""), headers.get("last-modified", "")))


def as_page(address: str, fetched: Fetched) -> FetchedPage:
    """What was fetched as a file that can be read. Raises SourceError (``address_kind``) for what cannot."""
    url, kind = urlsplit(fetched.address), fetched.kind
    own = PurePosixPath(url.path).suffix.lower()
    read = own if own in FORMATS else ""
    suffix = read if kind in _SAYS_LITTLE and read else _SUFFIXES.get(kind, "")
    if not suffix and kind.startswith("text/"):
        suffix = read or ".txt"
    if not suffix:
        said = f"{printable(address)}: it is {kind or 'of a kind that its host does not tell'}, which is not read"
        raise SourceError("address_kind", said, "curate help formats names what is")
    data = _in_utf8(fetched.data, fetched.charset, suffix)
    words = f"{url.path.removesuffix(own)} {url.query}".strip("/ ")
    name = slugify(words)[:_LONGEST_NAME].strip("-") or "index"
    host = re.sub(r"[^a-z0-9.-]", "-", (url.hostname or "").encode("idna").decode("ascii"))
    return FetchedPage(fetched.address, f"web/{host}/{name}{suffix}", data)


def _in_utf8(data: bytes, charset: str, suffix: str) -> bytes:
    """A text in the charset that only its host names, as one that says its own: readers of the file have no host."""
    if charset in ("", "utf-8", "utf8", "us-ascii", "ascii") or suffix not in (".html", ".md", ".txt", ".csv", ".json"):
        return data
    try:
        text = data.decode(charset)
    except (LookupError, UnicodeDecodeError):
        return data
    return (b"\xef\xbb\xbf" if suffix == ".html" else b"") + text.encode("utf-8")


def _failed(address: str, why: str, hint: str) -> SourceError:
    return SourceError("address_failed", f"{printable(address)}: {why}", hint)
