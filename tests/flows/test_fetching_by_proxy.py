"""Pages are fetched through the proxy of the environment, which changes nothing of what may be asked for."""

from __future__ import annotations

import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator.errors import SourceError
from curator.ingest.web.fetching import Fetcher
from curator.models.sandbox import web
from curator.models.sandbox.proxies import Proxies
from support.proxy import ProxyServer
from support.site import HTML, PAGE, Site


@pytest.fixture
def site() -> Iterator[Site]:
    with Site().open() as site:
        site.pages["/tea"] = (200, HTML, PAGE)
        yield site


@pytest.fixture
def proxy() -> Iterator[ProxyServer]:
    with ProxyServer().open() as proxy:
        yield proxy


def fetcher(proxy: ProxyServer, *own: str, **more: str) -> Fetcher:
    return Fetcher(own, Proxies.of({"HTTP_PROXY": proxy.address, "HTTPS_PROXY": proxy.address, **more}), lambda s: None)


def test_a_host_that_only_the_proxy_knows_is_reached_through_it(site: Site, proxy: ProxyServer) -> None:
    address = site.address.replace("127.0.0.1", "tea.example")

    assert fetcher(proxy).page(f"{address}/tea").data == PAGE
    assert proxy.asked == [f"GET {address}/robots.txt", f"GET {address}/tea"]


def test_a_host_of_no_proxy_is_asked_without_it(site: Site, proxy: ProxyServer) -> None:
    assert fetcher(proxy, "127.0.0.1", NO_PROXY="127.0.0.1").page(f"{site.address}/tea").data == PAGE
    assert proxy.asked == []


def test_the_proxy_is_asked_for_no_network_of_ones_own(site: Site, proxy: ProxyServer) -> None:
    for address in (f"{site.address}/tea", f"{site.address}/tea".replace("127.0.0.1", "localhost"), "http://10.0.0.1/"):
        with pytest.raises(SourceError) as caught:
            fetcher(proxy).page(address)
        assert caught.value.code == "address_private"

    assert proxy.asked == []


def test_nor_does_a_redirect_behind_the_proxy_lead_there(site: Site, proxy: ProxyServer) -> None:
    site.pages["/away"] = (302, {"Location": "http://169.254.169.254/latest"}, b"")

    with pytest.raises(SourceError) as caught:
        fetcher(proxy).page(site.address.replace("127.0.0.1", "tea.example") + "/away")

    assert caught.value.code == "address_private"
    assert not any("169.254" in each for each in proxy.asked)


def test_a_proxy_that_wants_a_password_gets_it_or_is_told_of(site: Site) -> None:
    address = site.address.replace("127.0.0.1", "tea.example")
    with ProxyServer("YW5uOnBhc3M=").open() as proxy:
        told = Proxies.of({"HTTP_PROXY": proxy.address.replace("//", "//ann:pass@")})
        assert Fetcher(proxies=told).page(f"{address}/tea").data == PAGE

        with pytest.raises(SourceError) as caught:
            fetcher(proxy).page(f"{address}/tea")

    assert "a password" in caught.value.message or "password" in caught.value.hint


def test_tls_goes_through_the_proxy_to_the_host_itself(
    site: Site, proxy: ProxyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("-subj", "/CN=tea.example", "-addext", "subjectAltName=DNS:tea.example", "-days", "1", "-nodes")
    files = ("-keyout", f"{tmp_path}/key.pem", "-out", f"{tmp_path}/cert.pem")
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", *names, *files]
    subprocess.run(made, check=True, capture_output=True)
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    trusting = ssl.create_default_context(cafile=f"{tmp_path}/cert.pem")
    monkeypatch.setattr(web, "_certificates", lambda: trusting)
    with Site(server).open() as safe:
        safe.pages["/tea"] = (200, HTML, PAGE)
        address = safe.address.replace("127.0.0.1", "tea.example")

        assert fetcher(proxy).page(f"{address}/tea").data == PAGE

    assert {each.split()[0] for each in proxy.asked} == {"CONNECT"}


def test_a_proxy_that_refuses_the_tunnel_is_told_of(site: Site) -> None:
    with ProxyServer("x").open() as proxy, pytest.raises(SourceError) as caught:
        fetcher(proxy).page("https://tea.example/")

    assert "the proxy does not connect to it (it says 407)" in caught.value.message
