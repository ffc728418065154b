"""What somebody does now, down to a command that is not refused for the same reason again."""

from __future__ import annotations

from pathlib import Path

from curator.errors import ModelError
from curator.ingest.next_step import next_step
from curator.repository.settings import Settings

SERVER = "http://127.0.0.1:8080"


def following(root: Path, hint: str, **flags: str) -> str:
    error = ModelError("model_not_found", "it is not there", hint, retryable=False)
    return next_step(error, "sources/tea.md", Settings.gather(root, {}, flags))


def test_a_name_that_is_wrong_is_not_given_again(root: Path) -> None:
    said = following(root, "did you mean tea-7b?", model="openai/tea-8b", api_base=f"{SERVER}/v1")

    assert said.endswith(f"; then: curate ingest --model NAME --api-base {SERVER}/v1 sources/tea.md")


def test_an_address_that_is_wrong_is_left_to_the_settings_that_were_mended(root: Path) -> None:
    hint = f"set api_base to {SERVER}/v1: curate config set api_base {SERVER}/v1"

    said = following(root, hint, model="openai/tea-7b", api_base=SERVER)

    assert said.endswith("; then: curate ingest --model openai/tea-7b sources/tea.md")
