"""The reference pages say what the code does."""

from __future__ import annotations

import re
import tomllib

import pytest

from scripts import docs

_FENCED = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)")


@pytest.mark.parametrize("name", docs.PAGES)
def test_a_reference_page_is_up_to_date(name: str) -> None:
    assert (docs.DOCS / name).read_text("utf-8") == docs.PAGES[name](), "run: python tests/scripts/docs.py"


def test_every_link_between_pages_leads_to_a_file() -> None:
    pages = [docs.DOCS.parent / "README.md", *docs.DOCS.rglob("*.md")]
    links = [(page, link) for page in pages for link in _LINK.findall(_FENCED.sub("", page.read_text("utf-8")))]

    assert len(links) > 60
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_every_page_is_in_the_site_and_in_the_overview() -> None:
    site = (docs.DOCS.parent / ".ci" / "mkdocs.yml").read_text("utf-8")
    overview = (docs.DOCS / "index.md").read_text("utf-8")

    for page in docs.DOCS.glob("*.md"):
        assert f": {page.name}" in site
        assert page.name == "index.md" or f"({page.name})" in overview


def test_the_container_is_made_of_all_that_the_wheel_is_made_of() -> None:
    root = docs.DOCS.parent
    build = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    wheel = build["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    containerfile = (root / "docs" / "container" / "Containerfile").read_text("utf-8")
    copied = {name for line in re.findall(r"^COPY (.+) \S+$", containerfile, re.MULTILINE) for name in line.split()}

    assert {*wheel, build["project"]["readme"], *build["project"]["license-files"], "pyproject.toml"} == copied
    assert all((root / name).exists() for name in copied)


def test_the_extras_that_are_told_of_are_those_there_are() -> None:
    extras = tomllib.loads((docs.DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    told = re.findall(r"^\| `(\w+)` \|", (docs.DOCS / "install.md").read_text("utf-8"), re.MULTILINE)

    assert sorted(told) == sorted(extras)


def test_the_modules_and_rooms_that_the_architecture_names_are_there() -> None:
    root, text = docs.DOCS.parent, (docs.DOCS / "architecture.md").read_text("utf-8")
    tops = [root / name for name in ("curator", "sandbox", "prompts", "tests")]
    there = [f"/{path.relative_to(root).as_posix()}" for top in tops for path in (top, *top.rglob("*"))]
    named = {*re.findall(r"[\w/]+\.py\b", text), *re.findall(r"`([\w/]+)/`", text)}

    assert len(named) > 200
    assert [name for name in sorted(named) if not any(path.endswith(f"/{name.lstrip('/')}") for path in there)] == []
