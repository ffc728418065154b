"""Every regular expression of curator and its sandbox: compiled ones by a walk through the modules, others by source."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import curator

PACKAGE = Path(curator.__file__).parent
SANDBOX = PACKAGE.parent / "sandbox"
_ANCHORED = {"match", "fullmatch"}
_CALLS = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}
_CALL = re.compile(rf"\bre\.(?:{'|'.join(_CALLS)})\b")
_CALL_INSIDE = re.compile(rf"^[ \t].*{_CALL.pattern}", re.MULTILINE)
"""In a line that is not a module's own, but may be of a function."""


@dataclasses.dataclass(frozen=True)
class Expression:
    """One expression, where it stands, and whether it is looked for at every place of a text or at its start alone."""

    where: str
    """``curator/wiki/pages/names.py:_KEY``, or with the number of the line where it has no name."""
    pattern: str
    flags: int
    searched: bool
    whole: bool = False
    """It has to fit the whole text, or is tried so as well."""

    def compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)


def expressions() -> tuple[list[Expression], list[str]]:
    """All of them in the order of their places, and the places of those that only a running function knows."""
    found: dict[tuple[str, int, bool], Expression] = {}
    unseen = []
    for file in (*_files(PACKAGE), *_files(SANDBOX)):
        module = _module(file)
        place = file.relative_to(PACKAGE.parent).as_posix()
        for name, pattern in _compiled(vars(module)):
            used = _methods(name, file)
            searched, whole = not used or bool(used - _ANCHORED), "fullmatch" in used
            one = Expression(f"{place}:{name}", _text(pattern.pattern), pattern.flags, searched, whole)
            found.setdefault((one.pattern, one.flags, one.searched), one)
        for line, method, written, flags in _calls(file.read_text("utf-8"), module):
            if written is None:
                unseen.append(f"{place}:{line}")
            else:
                searched, whole = method not in _ANCHORED, method == "fullmatch"
                one = Expression(f"{place}:{line}", written, re.compile(written, flags).flags, searched, whole)
                found.setdefault((one.pattern, one.flags, one.searched), one)
    return sorted(found.values(), key=lambda one: one.where), unseen


def _files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*.py")):
        if "_shipped" not in file.parts and file.name != "__main__.py":
            yield file


def _text(pattern: str | bytes) -> str:
    return pattern if isinstance(pattern, str) else pattern.decode("latin-1")


def _module(file: Path) -> ModuleType:
    if file.name == "provider.py" and file.parent == SANDBOX:
        return ModuleType(file.stem)  # it imports litellm
    base = PACKAGE.parent if file.is_relative_to(PACKAGE) else SANDBOX
    name = ".".join(file.relative_to(base).with_suffix("").parts).removesuffix(".__init__")
    if str(base) not in sys.path:
        sys.path.append(str(base))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:  # of an extra that is not installed
        return ModuleType(file.stem)


def _compiled(names: dict[str, Any]) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """The expressions among the values of a module, those inside tuples, dictionaries and objects too, with their names."""
    seen: set[int] = set()

    def walk(name: str, value: Any, depth: int) -> Iterator[tuple[str, re.Pattern[Any]]]:
        if isinstance(value, re.Pattern):
            yield name, value
        elif depth and id(value) not in seen:
            seen.add(id(value))
            if isinstance(value, dict):
                value = (*value.keys(), *value.values())
            elif dataclasses.is_dataclass(value) and not isinstance(value, type):
                for field in dataclasses.fields(value):
                    yield from walk(field.name, getattr(value, field.name, None), depth - 1)
            if isinstance(value, tuple | list | set | frozenset):
                for each in value:
                    yield from walk(name, each, depth - 1)

    for name, value in names.items():
        if not name.startswith("__"):
            yield from walk(name, value, 5)


@cache
def _uses(file: Path) -> dict[str, set[str]]:
    """The methods of expressions that are called in ``file``, by the name they are called on."""
    uses: dict[str, set[str]] = {}
    for name, method in re.findall(rf"\b(\w+)\.({'|'.join(_CALLS)})\b", file.read_text("utf-8")):
        uses.setdefault(name, set()).add(method)
    return uses


@cache
def _all_uses() -> dict[str, set[str]]:
    uses: dict[str, set[str]] = {}
    for file in (*_files(PACKAGE), *_files(SANDBOX)):
        for name, methods in _uses(file).items():
            uses.setdefault(name, set()).update(methods)
    return uses


def _methods(name: str, file: Path) -> set[str]:
    """What is done with the expressions of that name; nothing where another name is used for it."""
    used = (_uses(file) if name.startswith("_") else _all_uses()).get(name, set())
    return used - {"compile"} - ({"split"} if name.islower() and not name.startswith("_") else set())


def _calls(source: str, module: ModuleType) -> Iterator[tuple[int, str, str | None, int]]:
    """Line, method, expression and flags of each call of ``re``; no expression where it is not known yet."""
    has_run = hasattr(module, "__file__")
    tree = ast.parse(source if (_CALL_INSIDE if has_run else _CALL).search(source) else "")
    places = _bodies(tree.body) if has_run else [tree]
    for node in (each for place in places for each in ast.walk(place)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("re"), attr=method), args=[first, *_]) if method in _CALLS:
                try:
                    written = _value(first, module)
                    given = [each.value for each in node.keywords if each.arg == "flags"]
                    place = {"sub": 4, "subn": 4, "split": 3, "compile": 1}.get(method, 2)
                    given += node.args[place : place + 1]
                    flags = int(_value(given[0], module)) if given else 0
                except Exception:
                    yield node.lineno, method, None, 0
                    continue
                yield node.lineno, method, _text(written) if isinstance(written, str | bytes) else None, flags


def _bodies(nodes: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The functions; what stands outside of them has run."""
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            yield from _bodies(node.body)
        elif isinstance(node, ast.FunctionDef):
            yield node


def _value(node: ast.expr, module: ModuleType) -> Any:
    return eval(compile(ast.Expression(node), "", "eval"), {"re": re, **vars(module)})  # noqa: S307 (our own source)
