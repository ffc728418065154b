"""The YAML head of a page: read behind a guard, changed line by line, written anew only for new pages.

The guard comes first because PyYAML's C loader can be crashed by nesting, walks alias bombs for ever, lets the last of
two equal keys win in silence and turns ``no`` and ``1:30`` into other values. Here a head is at most 16 KB, 12 levels
deep, without anchors, aliases, tags or twin keys, and scalars stay as written, but for plain true, false, null and numbers
that read back the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import YAMLHandler

from curator.errors import FrontmatterError
from curator.wiki.pages import nodes, plain_head

MAX_BYTES = 16_384
MAX_DEPTH = 12

_HEAD = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_OPENING = re.compile(r"\ufeff?---[ \t]*\r?\n")
_EMPTY_LINE = re.compile(r"\n[ \t]*\r?\n")
_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

ABSENT: Any = object()
"""As a value for ``replace_fields``: the field goes."""


def split(text: str) -> tuple[str, str]:
    """The head with its fences, and the body; the two together are ``text``. No head: an empty string first."""
    match = _HEAD.match(text)
    return (text[: match.end()], text[match.end() :]) if match else ("", text)


def written(text: str) -> str:
    """The head of ``text``, sound or not; of one that nothing closes, what stands before the first empty line."""
    head, body = split(text)
    return head or (_EMPTY_LINE.split(body, maxsplit=1)[0] if _OPENING.match(body) else "")


def read(text: str) -> dict[str, Any]:
    """The fields of the head of ``text``; none when there is no head. Raises FrontmatterError."""
    head, _ = split(text)
    if not head:
        if _OPENING.match(text):
            raise FrontmatterError("the frontmatter opens with --- but no line --- closes it", 1)
        return {}
    return {name: _copied(value) for name, value in _fields(head).items()}


@lru_cache(maxsize=256)
def _fields(head: str) -> dict[str, Any]:
    """Those of a head with its fences; a page that is worked on is read a dozen times."""
    plain = plain_head.read(head)
    return _parsed(head) if plain is None else plain


def _parsed(head: str) -> dict[str, Any]:
    fields, _ = frontmatter.parse(head, handler=_GUARDED)
    return dict(fields)


def _copied(value: Any) -> Any:
    """For whoever changes it: what is kept stays as it was read."""
    if isinstance(value, dict):
        return {name: _copied(each) for name, each in value.items()}
    return list(map(_copied, value)) if isinstance(value, list) else value


def compose(fields: Mapping[str, Any], body: str) -> str:
    """A new page: ``fields`` as the head, then ``body``."""
    head: str = frontmatter.dumps(frontmatter.Post("", **fields), handler=_GUARDED)
    return f"{head.rstrip()}\n\n{body.strip()}\n"


def replace_fields(text: str, changes: Mapping[str, Any]) -> str:
    """``text`` with the top-level fields in ``changes`` set; every other byte stays, comments too, and lists grow in place.

    A field whose value is ``ABSENT`` is taken out.

    Raises FrontmatterError when the head is not one that can be changed in places.
    """
    head, body = split(text)
    fields = read(text)
    wanted = {key: value for key, value in {**fields, **changes}.items() if value is not ABSENT}
    if not head:
        return f"{compose(wanted, '').rstrip()}\n{text}"
    newline = "\r\n" if "\r\n" in head else "\n"
    first, yaml_text, last = _parts(head)
    for key, value in changes.items():
        if fields.get(key, ABSENT) != value:
            yaml_text = _with_field(yaml_text, (key,), value, fields.get(key), newline)
    changed = first + yaml_text + last
    if _read_or_nothing(changed) != wanted:
        raise FrontmatterError(f"cannot set {', '.join(changes)} without rewriting the frontmatter", 1)
    return changed + body


def dump(value: Mapping[str, Any]) -> str:
    """``value`` as block YAML, keys in their order."""
    return nodes.written(dict(value), sort_keys=False, default_flow_style=False, width=100)


def _parts(head: str) -> tuple[str, str, str]:
    """The line that opens a head, the YAML, and the line that closes it."""
    start = head.index("\n") + 1
    end = head.rindex("---")
    return head[:start], head[start:end], head[end:]


def _read_or_nothing(head: str) -> dict[str, Any] | None:
    try:
        return read(head)
    except FrontmatterError:
        return None


def _with_field(text: str, path: tuple[str, ...], value: Any, old: Any, newline: str) -> str:
    """``text`` with the field at ``path`` set: within its line, at its list's end, field by field, or as a block."""
    parent, key = _node_at(text, path[:-1]), path[-1]
    pairs = parent.value if isinstance(parent, yaml.MappingNode) else []
    found = next(((name, node) for name, node in pairs if name.value == key), None)
    if found is None:
        return _with_new_field(text, parent if path[1:] else None, {key: value}, newline)
    name, node = found
    start, end = node.start_mark.index, nodes.end(node, text)
    line = text.rfind("\n", 0, name.start_mark.index) + 1
    if value is ABSENT:
        return text[:line] + text[nodes.next_line(text, max(end, name.end_mark.index)) :]
    if isinstance(node, yaml.MappingNode) and isinstance(value, dict) and isinstance(old, dict):
        edited = _with_fields(text, path, value, old, newline)
        if _value_at(edited, path) == value:
            return edited
    if isinstance(node, yaml.SequenceNode) and not node.flow_style and _extends(value, old):
        more = "".join(_block({"x": value[len(old) :]}, newline, node.start_mark.column).splitlines(keepends=True)[1:])
        at = nodes.next_line(text, end)
        return text[:at] + more + text[at:]
    if isinstance(node, yaml.SequenceNode) and node.value and _extends(value, old):
        edited = nodes.with_more(text, node, value[len(old) :])
        if _value_at(edited, path) == value:
            return edited
    if isinstance(node, yaml.SequenceNode) and isinstance(value, list) and isinstance(old, list):
        edited = nodes.with_items(text, node, old, value)
        if _value_at(edited, path) == value:
            return edited
    inline = nodes.inline(value)
    if name.start_mark.line == node.start_mark.line and not {"\n", "\r"} & {*text[start:end], *inline}:
        gap = "" if text[start - 1 : start].isspace() else " "
        return text[:start] + gap + inline + text[end:]
    at = nodes.next_line(text, end)
    return text[:line] + _block({key: value}, newline, name.start_mark.column) + text[at:]


def _with_fields(
    text: str, path: tuple[str, ...], value: Mapping[str, Any], old: Mapping[str, Any], newline: str
) -> str:
    """``text`` with the mapping at ``path`` made ``value``, each field in its place; as it was where that cannot be."""
    edited = text
    with suppress(yaml.YAMLError):
        for key in dict.fromkeys((*value, *old)):  # what is new first: without a field there is no mapping
            was, wanted = old.get(key, ABSENT), value.get(key, ABSENT)
            if was != wanted:
                edited = _with_field(edited, (*path, key), wanted, was, newline)
        return edited
    return text


def _with_new_field(text: str, parent: Any, field: Mapping[str, Any], newline: str) -> str:
    """``text`` with a field more, at the end of the mapping ``parent``, or of all."""
    if parent is None:
        return text + _block(field, newline)
    if not isinstance(parent, yaml.MappingNode):
        return text
    if parent.flow_style:
        at = nodes.end(parent, text) - 1
        return text[:at].rstrip() + ", " * bool(parent.value) + nodes.inline(dict(field))[1:-1] + text[at:]
    at = nodes.next_line(text, nodes.end(parent, text))
    return text[:at] + _block(field, newline, parent.start_mark.column) + text[at:]


def _node_at(text: str, path: tuple[str, ...]) -> Any:
    """What stands at ``path``; None where there is no such field."""
    node = yaml.compose(text, Loader=_Loader)
    for key in path:
        pairs = node.value if isinstance(node, yaml.MappingNode) else []
        node = next((inner for name, inner in pairs if name.value == key), None)
    return node


def _value_at(text: str, path: tuple[str, ...]) -> Any:
    value: Any = _read_or_nothing(f"---\n{text}---\n")
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _extends(value: Any, old: Any) -> bool:
    return isinstance(old, list) and isinstance(value, list) and bool(old) and value[: len(old)] == old


def _block(value: Mapping[str, Any], newline: str, indent: int = 0) -> str:
    lines = dump(value).removesuffix("\n").split("\n")
    return "".join(f"{' ' * indent}{line}{newline}" for line in lines)


class _Loader(_BASE):  # type: ignore[misc]
    """A safe loader that keeps scalars as written and refuses twin keys."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012 (PyYAML's own attribute)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            key = str(key_node.value) if isinstance(key_node, yaml.ScalarNode) else "[...]"
            if key_node.tag != "tag:yaml.org,2002:str" or key in ("[...]", "<<"):
                raise FrontmatterError(f"the key {key!r} is not a plain word", _line(key_node))
            if key in seen:
                raise FrontmatterError(f"the key {key!r} stands twice", _line(key_node))
            seen.add(key)
        return dict(super().construct_mapping(node, deep=deep))


def _mark_line(mark: Any) -> int | None:
    """The file's line of a place in the head, which begins in line 2."""
    return mark.line + 2 if mark else None


def _line(node: yaml.Node) -> int | None:
    return _mark_line(node.start_mark)


def _number(loader: Any, node: yaml.ScalarNode) -> int | float | str:
    written = str(loader.construct_scalar(node))
    number = float(written) if "." in written else int(written)
    return number if str(number) == written else written


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(?:true|false)\Z"), list("tf"))
_Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"(?:null|~|)\Z"), ["n", "~", ""])
_Loader.add_implicit_resolver("tag:curator,number", re.compile(r"-?\d{1,15}(?:\.\d{1,9})?\Z"), list("-0123456789"))
_Loader.add_constructor("tag:curator,number", _number)


def _check_events(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_BASE):
        line = _mark_line(event.start_mark)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise FrontmatterError("anchors and aliases (& and *) are not read", line)
        if getattr(event, "tag", None):
            raise FrontmatterError("tags (!) are not read", line)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise FrontmatterError(f"nested deeper than {MAX_DEPTH} levels", line)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


class _Handler(YAMLHandler):  # type: ignore[misc]
    """python-frontmatter's YAML handler, with the guard before the loader."""

    def split(self, text: str) -> tuple[str, str]:
        head, body = split(text.rstrip() + "\n")
        return head.split("\n", 1)[1].rstrip().removesuffix("---"), body

    def load(self, fm: str, **_: object) -> dict[str, Any]:
        size = len(fm.encode("utf-8", "surrogatepass"))
        if size > MAX_BYTES:
            raise FrontmatterError(f"{size:,} bytes of frontmatter; at most {MAX_BYTES:,} are read", 1)
        try:
            _check_events(fm)
            fields = yaml.load(fm, Loader=_Loader)  # noqa: S506 (a subclass of CSafeLoader)
        except yaml.YAMLError as error:
            line, problem = _mark_line(getattr(error, "problem_mark", None)), getattr(error, "problem", None) or error
            if "nesting depth" in f"{problem}":  # later versions of libyaml have a limit of their own, far above ours
                raise FrontmatterError(f"nested deeper than {MAX_DEPTH} levels", line) from error
            raise FrontmatterError(f"not YAML: {problem}", line) from error
        except UnicodeEncodeError as error:
            raise FrontmatterError("this is no Unicode text", 1) from error
        except RecursionError as error:
            raise FrontmatterError("nested too deep", 1) from error
        if fields is None:
            return {}
        if not isinstance(fields, dict):
            raise FrontmatterError(f"a list of fields is wanted, not {type(fields).__name__}", 2)
        return fields

    def export(self, metadata: dict[str, Any], **_: object) -> str:
        return dump(metadata).strip()


_GUARDED = _Handler()
