"""How much a model on this machine reads at once, where nobody has set it: asked of its server."""

from __future__ import annotations

from dataclasses import replace

from curator.models.endpoint import discovery
from curator.models.endpoint.check import EndpointCheck
from curator.models.endpoint.discovery import ENOUGH_ROOM, LEAST_ROOM, USUAL_ROOM, FoundModel
from curator.models.endpoint.providers import OLLAMA
from curator.repository.settings import Settings


def with_room(settings: Settings) -> Settings:
    """``settings`` with prompts that fit the model; as they are where it is far away, or does not tell."""
    with settings.repository:
        config = settings.config
    if not config.model or config.context_tokens or not config.look_first:
        return settings
    check = EndpointCheck(config, settings.environment)
    if not check.place.is_local or check.fault_at_hand is not None:
        return settings
    model = discovery.at_address(FoundModel(config.model, "", check.place.base), True, check.listing)
    is_ollama = check.place.provider in OLLAMA
    room = min(discovery.ollama_context(model), USUAL_ROOM) if is_ollama else model.context_tokens
    if not 0 < room < ENOUGH_ROOM:
        return settings
    return replace(settings, flags={**settings.flags, "context_tokens": max(room, LEAST_ROOM)})
