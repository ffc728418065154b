"""What the process may have that asks models by some settings: keys, and addresses to be connected to."""

from __future__ import annotations

from collections.abc import Mapping

from curator.config import Config
from curator.models.sandbox.addresses import Address, addresses_for, environment_for


def rights_of(config: Config, environment: Mapping[str, str]) -> tuple[dict[str, str], list[Address]]:
    """The variables that the worker of these settings has, and the addresses that it may be connected to."""
    asked = [config] if config.model else []
    asked += [config.reader] if config.verify == "model" else []
    asked += [config.embedder] if config.embedding_model else []
    keys = environment_for([each.model for each in asked], environment)
    return keys, [one for each in asked for one in addresses_for(each.model, each.api_base, keys)]
