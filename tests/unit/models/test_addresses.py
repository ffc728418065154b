"""Which hosts a worker that may reach "any public host" is connected to."""

from __future__ import annotations

import pytest

from curator.models.sandbox.addresses import is_public


@pytest.mark.parametrize("number", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"])
def test_a_host_of_the_internet_is_public(number: str) -> None:
    assert is_public(number)


@pytest.mark.parametrize(
    "number",
    """
    127.0.0.1 10.1.2.3 100.64.0.1 169.254.169.254 172.16.0.1 192.168.1.1 0.0.0.0 224.0.0.1 192.88.99.1 ::1 :: fe80::1%eth0
    fc00::1 fec0::1 ff0e::1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 2002:7f00:1::
    2002:a9fe:a9fe:: 2001:0:4136:e378:8000:63bf:3fff:fdd2
    """.split(),
)
def test_a_host_of_ones_own_is_not_however_it_is_written(number: str) -> None:
    assert not is_public(number)
