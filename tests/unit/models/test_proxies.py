"""Which proxy is for which host, by the variables of the environment."""

from __future__ import annotations

import pytest

from curator.errors import ConfigError
from curator.models.sandbox.proxies import Proxies, Proxy


def port(environment: dict[str, str], scheme: str = "http", host: str = "example.org", at: int = 80) -> int | None:
    found = Proxies.of(environment).between(scheme, host, at)
    return found.port if found is not None else None


def test_each_scheme_has_its_own_proxy_and_small_letters_go_first() -> None:
    environment = {"HTTP_PROXY": "http://p:1", "http_proxy": "http://p:2", "HTTPS_PROXY": "p:3"}

    assert (port(environment), port(environment, "https")) == (2, 3)
    assert port({"ALL_PROXY": "http://p:4"}, "https") == 4
    assert port({}) is None


@pytest.mark.parametrize(
    "excepted",
    ["*", "example.org", ".example.org", "*.example.org", "a.b, example.org", "www.example.org:80", "EXAMPLE.ORG"],
)
def test_a_host_of_no_proxy_is_asked_directly(excepted: str) -> None:
    assert port({"HTTP_PROXY": "http://p:1", "NO_PROXY": excepted}, host="www.example.org") is None


@pytest.mark.parametrize("excepted", ["ample.org", "www.example.org:8080", "example.org.uk", "10.0.0.0/8", ","])
def test_any_other_host_is_not(excepted: str) -> None:
    assert port({"HTTP_PROXY": "http://p:1", "NO_PROXY": excepted}, host="www.example.org") == 1


@pytest.mark.parametrize(("excepted", "host"), [("10.0.0.0/8", "10.1.2.3"), ("10.1.2.3", "10.1.2.3"), ("[::1]", "::1")])
def test_numbers_and_networks_are_known(excepted: str, host: str) -> None:
    assert port({"HTTP_PROXY": "http://p:1", "NO_PROXY": excepted}, host=host) is None


def test_a_name_and_a_password_go_to_the_proxy() -> None:
    found = Proxies.of({"HTTPS_PROXY": "http://ann:p%40ss@proxy.lan:3128"}).between("https", "example.org", 443)

    assert found == Proxy("proxy.lan", 3128, "YW5uOnBAc3M=")
    assert found.header == "Proxy-Authorization: Basic YW5uOnBAc3M=\r\n"


@pytest.mark.parametrize("written", ["socks5://p:1", "https://p:1", "http://", "http://p:x"])
def test_a_proxy_of_another_kind_is_said_and_not_passed_by(written: str) -> None:
    with pytest.raises(ConfigError) as caught:
        port({"HTTP_PROXY": written})

    assert caught.value.code == "proxy_unusable" and "HTTP_PROXY" in caught.value.message
    assert port({"HTTP_PROXY": written, "NO_PROXY": "example.org"}) is None
