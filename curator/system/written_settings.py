"""What is set, and where: as written, before ``Config`` judges it; and what is surely right, which needs no judge.

Loading what judges takes longer than most commands that only look do. So the commonest settings are known here, by what
makes a value of theirs right beyond doubt; whatever else is set is left to ``Config``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from curator.errors import ConfigError

NO_SETTINGS = {"wiki", "now", "event", "trusted", "mcp_token", "fleet_database", "plain"}
"""CURATOR_ variables that are no settings: where the wiki is, the clock of tests, the event a notify command hears of, the
folders whose own settings count (system/trusted_folders.py), what a client of `curate mcp --http` has to bring, where the
database of a fleet is, that nothing may move on the terminal."""


def gathered(
    files: Sequence[Path], environment: Mapping[str, str], flags: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values that ``files`` (weakest first), then CURATOR_* variables, then flags set; beside it, where each was set.

    Raises ConfigError for a file that cannot be read.
    """
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    for file in files:
        found = _read(file)
        values.update(found)
        places.update(dict.fromkeys(found, str(file)))
    for name, value in environment.items():
        key = name.removeprefix("CURATOR_").lower()
        if name.startswith("CURATOR_") and key not in NO_SETTINGS:
            values[key] = value
            places[key] = name
    given = {key: value for key, value in flags.items() if value is not None}
    values.update(given)
    places.update({key: f"--{key.replace('_', '-')}" for key in given})
    return values, places


def _read(file: Path) -> dict[str, Any]:
    try:
        text = file.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise ConfigError(
            "config_unreadable", f"{file} cannot be read: {error.strerror}", "mend or remove it"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError("config_unreadable", f"{file} is not UTF-8", "mend or remove it") from error
    import tomllib  # most have no such file

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError("config_unreadable", f"{file} is not TOML: {error}", "mend or remove it") from error


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_address(value: object) -> bool:
    return isinstance(value, str) and value.startswith(("http://", "https://"))


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 2**63


def _is_amount(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < 1e18  # type: ignore[operator]


PLAIN: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(("model", "verify_model", "embedding_model", "notes", "reading_list", "notify"), _is_text),
    **dict.fromkeys(("api_base", "verify_api_base", "embedding_api_base"), _is_address),
    **dict.fromkeys(("tokens_per_ingest", "tokens_per_day", "tokens_per_month"), _is_count),
    **dict.fromkeys(("dollars_per_ingest", "dollars_per_day", "dollars_per_month"), _is_amount),
}
"""The settings that are known here, by what is surely right for them; ``Config`` may take more."""


def are_plain(values: Mapping[str, Any]) -> bool:
    """True where all of ``values`` are surely right, and ``Config`` would take them as they are."""
    return all(key in PLAIN and PLAIN[key](value) for key, value in values.items())
