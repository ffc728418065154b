"""Writes one file of settings: a value at a time, comments and order kept; what would not be read again is not written."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.config import Config
from curator.errors import ConfigError, meant
from curator.system import atomic


@dataclass(frozen=True)
class SettingsFile:
    """``curator.toml`` of a wiki, or the user's ``config.toml``."""

    path: Path

    def text(self) -> str:
        """What stands in it; nothing when there is none."""
        try:
            return self.path.read_text("utf-8")
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError("config_unreadable", f"{self.path} cannot be read", "mend or remove it") from error

    def changed(self, values: Mapping[str, Any]) -> str:
        """The text with ``values`` set, and those that are None taken out. Raises ConfigError for a bad one."""
        import tomlkit
        from tomlkit.exceptions import ParseError

        try:
            document = tomlkit.parse(self.text())
        except ParseError as error:
            said = f"{self.path} is not TOML: {error}"
            raise ConfigError("config_unreadable", said, "mend it: curate config edit") from error
        for key, value in values.items():
            table, _, name = key.rpartition(".")
            if value is None:
                place = document.get(table, {}) if table else document
                if place.pop(name, None) is None and key != "views":  # what stands there may go, whatever it is
                    check_key(key)
            elif table:
                document.setdefault(table, tomlkit.table())[name] = value
            elif key in document:
                document[key] = value
            else:
                self._add(document, key, value)
        text: str = tomlkit.dumps(document)
        self.check(text)
        return text

    @staticmethod
    def _add(document: Any, key: str, value: Any) -> None:
        """A new key goes before the first table, where it is a key of the file and not of the table."""
        import tomlkit

        rest = [(name, document.pop(name)) for name in list(document) if isinstance(document[name], dict)]
        document[key] = value
        for name, table in rest:
            document.add(name, table if isinstance(table, tomlkit.items.Item) else tomlkit.item(table))

    def check(self, text: str) -> None:
        """Raise ConfigError when ``text`` would not be read as settings."""
        try:
            found = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ConfigError("config_unreadable", f"that is not TOML: {error}", "mend it") from error
        Config.checked(found, str(self.path))

    def write(self, text: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        atomic.write(self.path, text.encode())


def check_key(key: str) -> None:
    """Raises ConfigError for what is no setting, and names what was meant."""
    name, _, below = key.partition(".")
    if name not in Config.model_fields or bool(below) != (name == "views"):
        close = "" if name == "views" else meant(key, Config.model_fields)
        hint = "`curate config` lists all settings" if name != "views" else "a view is set by its name: views.NAME"
        raise ConfigError("config_unknown_key", f"there is no setting {key!r}{close}", hint)


def parsed(key: str, written: str) -> Any:
    """``written`` as a value of the setting ``key``, several parted by commas or blanks.

    Raises ConfigError, which says what is allowed.
    """
    check_key(key)
    if "." in key:
        return written
    is_list = isinstance(Config.model_fields[key].default, tuple)
    parts = written.split(",") if "," in written else written.split()
    given = [each.strip() for each in parts if each.strip()] if is_list else written
    try:
        value = getattr(Config.checked({key: given}, "not written"), key)
    except ConfigError as error:
        hint = f"`curate config get {key}` shows what holds, `curate help configuration` what is allowed"
        raise ConfigError(error.code, error.message, hint) from error
    return list(value) if isinstance(value, tuple) else value
