"""Digests of sources: sha256, sha512 and blake3, the last by a package that need not be there."""

from __future__ import annotations

import hashlib
import io
import sys

import pytest

from curator.errors import ConfigError, WikiError
from curator.system import digests

TEA = b"Tea is a drink.\n" * 100_000
OF_NOTHING = "blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"


@pytest.fixture
def without_blake3(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "blake3", None)


@pytest.mark.parametrize("algorithm", ["sha256", "sha512"])
def test_the_algorithms_of_python_are_the_same_here(algorithm: str) -> None:
    expected = f"{algorithm}:{hashlib.new(algorithm, TEA).hexdigest()}"

    assert digests.of(TEA, algorithm) == expected
    assert digests.of_stream(io.BytesIO(TEA), algorithm) == expected


def test_blake3_is_blake3() -> None:
    pytest.importorskip("blake3", reason="the extra blake3 is not installed")

    assert digests.of(b"", "blake3") == OF_NOTHING
    assert digests.of_stream(io.BytesIO(TEA), "blake3") == digests.of(TEA, "blake3")
    hasher = digests.new("blake3")
    hasher.update(TEA[:99])
    hasher.update(TEA[99:])
    assert f"blake3:{hasher.hexdigest()}" == digests.of(TEA, "blake3")
    assert digests.is_there("blake3")


@pytest.mark.usefixtures("without_blake3")
def test_without_its_package_the_error_names_the_extra() -> None:
    with pytest.raises(ConfigError) as caught:
        digests.new("blake3")

    assert caught.value.code == "hash_unavailable"
    assert "'blake3'" in caught.value.message
    assert "pip install 'curate-wiki[blake3]'" in caught.value.hint
    assert not digests.is_there("blake3")


@pytest.mark.parametrize("algorithm", ["md5", "shake_128", "SHA256", ""])
def test_other_algorithms_are_none_of_the_standard(algorithm: str) -> None:
    with pytest.raises(WikiError) as caught:
        digests.new(algorithm)

    assert caught.value.code == "hash_unknown"
    assert repr(algorithm) in caught.value.message
    assert not digests.is_there(algorithm)


def test_bytes_are_known_by_any_digest_of_theirs() -> None:
    assert digests.fits(digests.of(TEA, "sha512"), TEA)
    assert not digests.fits(digests.of(TEA, "sha512"), TEA + b"!")
