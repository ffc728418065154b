"""The proxy for a request to the web, by the usual environment variables."""

from __future__ import annotations

import base64
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from curator.errors import ConfigError


@dataclass(frozen=True)
class Proxy:
    """A host that connects to others."""

    host: str
    port: int
    credentials: str = ""
    """``name:password`` in base64; empty where it asks for none."""

    @property
    def header(self) -> str:
        """The line of a request that says who asks; empty where nobody has to."""
        return f"Proxy-Authorization: Basic {self.credentials}\r\n" if self.credentials else ""


@dataclass(frozen=True)
class Proxies:
    """Which proxy is for which address, as HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY say."""

    of_scheme: Mapping[str, tuple[str, str]]
    """By ``http`` and ``https``: the variable, and the address of the proxy in it."""
    not_for: tuple[str, ...] = ()

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Proxies:
        """Names in small letters go before those in capitals, as in curl."""

        def said(name: str) -> tuple[str, str]:
            found = ((each, environment.get(each, "").strip()) for each in (name, name.upper()))
            return next((each for each in found if each[1]), (name.upper(), ""))

        for_all = said("all_proxy")
        chosen = {scheme: said(f"{scheme}_proxy") for scheme in ("http", "https")}
        chosen = {scheme: each if each[1] else for_all for scheme, each in chosen.items()}
        excepted = said("no_proxy")[1].replace(",", " ").lower().split()
        return cls({scheme: each for scheme, each in chosen.items() if each[1]}, tuple(excepted))

    def between(self, scheme: str, host: str, port: int) -> Proxy | None:
        """The proxy for that host; None where it is asked directly. Raises ConfigError for one that cannot be used."""
        if scheme not in self.of_scheme or any(_covers(each, host.lower(), port) for each in self.not_for):
            return None
        return _parsed(*self.of_scheme[scheme])


DIRECT = Proxies({})
"""No proxy for any host."""


def _parsed(variable: str, written: str) -> Proxy:
    try:
        parts = urlsplit(written if "://" in written else f"http://{written}")
        host, port = parts.hostname or "", parts.port or 80
    except ValueError:
        parts, host, port = urlsplit(""), "", 0
    if parts.scheme != "http" or not host:
        kind = f"one of {parts.scheme}" if host else "no address of one"
        said = f"the proxy of {variable} is {kind}; pages are fetched through proxies of http only"
        raise ConfigError(
            "proxy_unusable", said, f"set {variable} to http://HOST:PORT, or NO_PROXY to the hosts without"
        )
    name, password = unquote(parts.username or ""), unquote(parts.password or "")
    credentials = base64.b64encode(f"{name}:{password}".encode()).decode("ascii") if name else ""
    return Proxy(host, port, credentials)


def _covers(excepted: str, host: str, port: int) -> bool:
    """True where an entry of NO_PROXY is about ``host``: ``*``, a name and all below it, a number or a network."""
    name, colon, number = excepted.rpartition(":")
    if colon and number.isdecimal() and ":" not in name.strip("[]"):
        if int(number) != port:
            return False
        excepted = name
    excepted = excepted.strip("[]").removeprefix("*").removeprefix(".")
    if not excepted:
        return True
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(excepted, strict=False)
    except ValueError:
        return host == excepted or host.endswith(f".{excepted}")
