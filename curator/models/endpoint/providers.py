"""Where the models of a provider are listed, and which variables hold its key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from curator.config import Config
from curator.models.sandbox.addresses import PROXIES, provider_of

KEYS = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "cerebras": ("CEREBRAS_API_KEY",),
    "cohere": ("COHERE_API_KEY", "CO_API_KEY"),
    "cohere_chat": ("COHERE_API_KEY", "CO_API_KEY"),
    "deepinfra": ("DEEPINFRA_API_KEY",),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "fireworks_ai": ("FIREWORKS_API_KEY", "FIREWORKS_AI_API_KEY", "FIREWORKSAI_API_KEY", "FIREWORKS_AI_TOKEN"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "groq": ("GROQ_API_KEY",),
    "mistral": ("MISTRAL_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "openrouter": ("OPENROUTER_API_KEY", "OR_API_KEY"),
    "perplexity": ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY", "TOGETHER_AI_TOKEN"),
    "xai": ("XAI_API_KEY",),
}
"""The variables that may hold a provider's key, the usual one first. Providers with more than a key are not here."""
_BASES = {
    "anthropic": "https://api.anthropic.com/v1",
    "cerebras": "https://api.cerebras.ai/v1",
    "deepinfra": "https://api.deepinfra.com/v1/openai",
    "deepseek": "https://api.deepseek.com/v1",
    "fireworks_ai": "https://api.fireworks.ai/inference/v1",
    "groq": "https://api.groq.com/openai/v1",
    "mistral": "https://api.mistral.ai/v1",
    "ollama": "http://localhost:11434",
    "ollama_chat": "http://localhost:11434",
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "together_ai": "https://api.together.xyz/v1",
    "xai": "https://api.x.ai/v1",
}
"""The addresses below which /models is; Ollama has a list of its own form."""
OLLAMA = ("ollama", "ollama_chat")
_LOCAL = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Place:
    """Where a model is asked: its provider, the address, the key that would be sent."""

    provider: str
    base: str
    """Without a slash at its end; empty where it is not known."""
    is_named: bool
    """The address is the user's own, not the provider's usual one."""
    key: str = ""
    key_names: tuple[str, ...] = ()

    @classmethod
    def of(cls, config: Config, environment: Mapping[str, str]) -> Place:
        provider = provider_of(config.model)
        told = config.api_base or _from(environment, provider)
        names = KEYS.get(provider, ())
        key = next((value for name in names if (value := environment.get(name, "").strip())), "")
        return cls(provider, (told or _BASES.get(provider, "")).rstrip("/"), bool(told), key, names)

    @property
    def is_local(self) -> bool:
        """On this machine."""
        return (urlsplit(self.base).hostname or "") in _LOCAL

    @property
    def headers(self) -> dict[str, str]:
        if not self.key:
            return {}
        if self.provider == "anthropic":
            return {"x-api-key": self.key, "anthropic-version": "2023-06-01"}
        return {"Authorization": f"Bearer {self.key}"}

    @property
    def list_path(self) -> str:
        return "/api/tags" if self.provider in OLLAMA else "/models"

    def is_behind(self, environment: Mapping[str, str]) -> bool:
        """True where a proxy stands between: then nothing is known without it."""
        return not self.is_local and any(name.lower() in PROXIES and value for name, value in environment.items())


def _from(environment: Mapping[str, str], provider: str) -> str:
    """The address that the environment gives a provider, as litellm reads it."""
    name = provider.upper().removesuffix("_CHAT")
    ends = ("_API_BASE", "_BASE_URL")
    return next((value for end in ends if (value := environment.get(f"{name}{end}", "").strip())), "") if name else ""
