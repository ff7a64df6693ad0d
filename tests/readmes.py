"""The pages of documentation: which there are, their blocks of code, their links, and the parts that are generated."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from tests.checkout import CHECKOUT

_FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\(([^)\s]+)\)")
TOP = "README.md"
IN_CHECKOUT_ALONE = {"output/README.md": "where runs land in a checkout; a wheel has no such folder"}
"""Pages that are no topic of `toolgen help`, and why."""


class Block(NamedTuple):
    """A block of code of a page."""

    language: str
    text: str


def pages() -> list[str]:
    """Every page of the checkout, by its path: the READMEs, the changelog, and what stands beside them."""
    rooms = (CHECKOUT / "generator").rglob("*.md")
    found = [CHECKOUT / TOP, *rooms, *(CHECKOUT / each / TOP for each in ("prompts", "tool_specs", "output", "tests"))]
    return sorted(str(path.relative_to(CHECKOUT)) for path in found)


def text_of(page: str) -> str:
    """What stands in a page."""
    return (CHECKOUT / page).read_text(encoding="utf-8")


def blocks_of(page: str) -> list[Block]:
    """The blocks of code of a page, in their order."""
    return [Block(*found) for found in _FENCED.findall(text_of(page))]


def blocks(page: str, language: str) -> list[str]:
    """The texts of the blocks of one language."""
    return [block.text for block in blocks_of(page) if block.language == language]


def links(page: str) -> list[str]:
    """The targets of the links of a page, outside of its blocks of code."""
    return _LINK.findall(_FENCED.sub("", text_of(page)))


def headings(page: str) -> set[str]:
    """The anchors of a page's headings, as they are derived on GitHub."""
    titles = re.findall(r"^#+ (.*)$", _FENCED.sub("", text_of(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def generated(page: str, name: str) -> str:
    """What stands between the marks of a generated part."""
    (found,) = _part(name).findall(text_of(page))
    return str(found)


def write_generated(page: str, name: str, text: str) -> None:
    """Write a generated part anew."""
    (CHECKOUT / page).write_text(_part(name).sub(lambda _: text, text_of(page)), encoding="utf-8")


def marks(page: str) -> list[str]:
    """The names of the generated parts of a page."""
    return re.findall(r"^<!-- (?!/)([a-z ]+) -->$", text_of(page), re.MULTILINE)


def _part(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=<!-- /{name} -->)", re.DOTALL)


def make_desk(folder: Path) -> Path:
    """Lay out the files that commands of pages take, which stand in the pages."""
    (folder / "my_tools.json").write_text(_files_tools(), encoding="utf-8")
    (folder / "my_tools.domain.yaml").write_text(blocks(TOP, "yaml")[0], encoding="utf-8")
    (folder / "nightly.toml").write_text(blocks("generator/runs/README.md", "toml")[0], encoding="utf-8")
    (folder / "my_server.py").write_text(_server_of_tools(), encoding="utf-8")
    return folder


def _server_of_tools() -> str:
    (text,) = [text for text in blocks("generator/formats/loading/README.md", "python") if "MCPServer" in text]
    return text


def _files_tools() -> str:
    (text,) = [text for text in blocks(TOP, "json") if "inputSchema" in text]
    return text


def make_full_desk(folder: Path) -> Path:
    """Lay out the same tools with the larger domain file, which stands in the page of domain files."""
    make_desk(folder)
    (folder / "my_tools.domain.yaml").write_text(blocks("generator/domains/README.md", "yaml")[0], encoding="utf-8")
    return folder
