"""What a model worker is given: its own provider's keys and settings, and the addresses that it may be connected to."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from curator.config import Config

ANY = "*"
"""Any host of the public internet: for providers whose hosts are not known here."""
PROXIES = ("http_proxy", "https_proxy", "all_proxy")
"""Variables, in small letters, that name a host which connects to others."""

_FOR_ALL = re.compile(r"(?:HTTPS?|ALL|NO)_PROXY|(?:https?|all|no)_proxy|SSL_CERT_FILE|SSL_CERT_DIR|REQUESTS_CA_BUNDLE")
_FOR_MODELS = re.compile(r"\w+_API_(?:KEY|BASE|VERSION)|(?:AWS|AZURE|GOOGLE|OLLAMA|VERTEX)\w*|HF_TOKEN|\w+_BASE_URL")
_AZURE = "*.openai.azure.com *.cognitiveservices.azure.com *.services.ai.azure.com *.models.ai.azure.com"
_HOSTS = {
    "anthropic": "api.anthropic.com",
    "azure": f"{_AZURE} login.microsoftonline.com",
    "azure_ai": f"{_AZURE} login.microsoftonline.com",
    "bedrock": "*.amazonaws.com",
    "sagemaker": "*.amazonaws.com",
    "cerebras": "api.cerebras.ai",
    "cohere": "api.cohere.ai api.cohere.com",
    "cohere_chat": "api.cohere.ai api.cohere.com",
    "deepinfra": "api.deepinfra.com",
    "deepseek": "api.deepseek.com",
    "fireworks_ai": "api.fireworks.ai",
    "gemini": "generativelanguage.googleapis.com",
    "groq": "api.groq.com",
    "mistral": "api.mistral.ai codestral.mistral.ai",
    "openai": "api.openai.com",
    "openrouter": "openrouter.ai",
    "perplexity": "api.perplexity.ai",
    "together_ai": "api.together.xyz api.together.ai",
    "vertex_ai": "*.googleapis.com",
    "xai": "api.x.ai",
}
"""The hosts of providers, each at port 443; a star stands for any name below."""
_LOCAL = {"ollama": 11434, "ollama_chat": 11434}
_VARIABLES = {
    "bedrock": "AWS",
    "sagemaker": "AWS",
    "azure_ai": "AZURE",
    "vertex_ai": "VERTEX GOOGLE",
    "gemini": "GEMINI GOOGLE_API_KEY",
    "ollama_chat": "OLLAMA",
    "cohere_chat": "COHERE",
    "openrouter": "OPENROUTER OR_",
    "together_ai": "TOGETHER",
    "perplexity": "PERPLEXITY",
    "fireworks_ai": "FIREWORKS",
    "huggingface": "HUGGINGFACE HF_",
}
"""What the names of a provider's variables begin with, where that is not its own name."""
_BY_NAME = {
    "gpt-|chatgpt-|o[134](?:-|$)|ft:": "openai",
    "claude": "anthropic",
    "gemini": "vertex_ai",
    "command": "cohere",
}
"""The providers of models that are named without one."""


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_RELAY = "192.88.99.1"
"""Of 6to4, which nobody runs any more."""


@dataclass(frozen=True)
class Address:
    """A host, or hosts, and a port that a worker may be connected to."""

    host: str
    """A name or number; ``*.`` before it for all names below; ``ANY``."""
    port: int

    def covers(self, host: str, port: int) -> bool:
        host = host.lower().rstrip(".")
        below = self.host.startswith("*.") and host.endswith(self.host[1:])
        return port == self.port and (self.host == ANY or below or host == self.host)

    def __str__(self) -> str:
        return f"{'any public host' if self.host == ANY else self.host}:{self.port}"


def provider_of(model: str) -> str:
    """The provider of a model by litellm's name of it; empty where the name does not tell."""
    provider, slash, _ = model.partition("/")
    if slash:
        return provider
    return next((name for pattern, name in _BY_NAME.items() if re.match(pattern, model)), "")


def rights_of(config: Config, environment: Mapping[str, str]) -> tuple[dict[str, str], list[Address]]:
    """The variables that the worker of these settings has, and the addresses that it may be connected to."""
    asked = [config] if config.model else []
    asked += [config.reader] if config.verify == "model" else []
    asked += [config.embedder] if config.embedding_model else []
    keys = environment_for([each.model for each in asked], environment)
    return keys, [one for each in asked for one in addresses_for(each.model, each.api_base, keys)]


def environment_for(models: Iterable[str], environ: Mapping[str, str]) -> dict[str, str]:
    """The variables of ``environ`` that a worker for ``models`` needs: their providers' keys, proxies, certificates."""
    beginnings = tuple(begin for model in models for begin in _beginnings(provider_of(model)))
    return {
        name: value
        for name, value in environ.items()
        if _FOR_ALL.fullmatch(name) or (_FOR_MODELS.fullmatch(name) and name.startswith(beginnings))
    }


def common(environment: Mapping[str, str]) -> dict[str, str]:
    """Those of the variables that name proxies and certificates, and no key."""
    return {name: value for name, value in environment.items() if _FOR_ALL.fullmatch(name)}


def names_files(environment: Mapping[str, str]) -> bool:
    """True when ``environment`` may name files with credentials, as those of the big clouds do."""
    return any(name.startswith(("AWS", "AZURE", "GOOGLE", "VERTEX")) for name in environment)


def _beginnings(provider: str) -> list[str]:
    own = provider.upper().replace("-", "_")
    return _VARIABLES[provider].split() if provider in _VARIABLES else [own, own.replace("_", "")] if own else []


def addresses_for(model: str, api_base: str, environment: Mapping[str, str]) -> tuple[Address, ...]:
    """Where a request to ``model`` goes, with ``environment`` as ``environment_for`` gives it."""
    told = [
        value
        for name, value in environment.items()
        if re.search(r"_API_BASE$|_BASE_URL$|_HOST$|^(?i:\w+_proxy)$", name)
    ]
    found = [_address(each) for each in (*told, *([api_base] if api_base else []))]
    if not api_base:
        provider = provider_of(model)
        if port := _LOCAL.get(provider):
            found += [Address("localhost", port), Address("127.0.0.1", port)]
        else:
            found += [Address(host, 443) for host in _HOSTS.get(provider, ANY).split()]
    return tuple(dict.fromkeys(each for each in found if each is not None))


def is_public(number: str) -> bool:
    """True for the numeric address of a host on the internet, not of this machine or a network of its own.

    An address of IPv6 that stands for one of IPv4 (mapped, NAT64, 6to4, Teredo) is public where that one is.
    """
    address = ipaddress.ip_address(number.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        if address.is_site_local or address.teredo is not None:
            return False
        inner = address.ipv4_mapped or address.sixtofour or (_inner(address) if address in _NAT64 else None)
        if inner is not None:
            return is_public(str(inner))
    return address.is_global and not address.is_multicast and str(address) != _RELAY


def _inner(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address:
    """The last 32 bits."""
    return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)


def _address(told: str) -> Address | None:
    """Of a URL or of ``host:port``; None for what is neither."""
    try:
        parts = urlsplit(told if "://" in told else f"//{told}")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return Address(parts.hostname, port) if parts.hostname and port else None
