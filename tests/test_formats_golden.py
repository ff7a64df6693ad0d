"""Golden files: what each format looks like, and the shapes that trainers document."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from generator.formats import FORMATS
from generator.formats.losses import forget
from generator.formats.recognition import READ, WRITTEN
from tests.golden_records import GOLDEN, RECORDS, cases, documented
from tests.tables import each_row

Json = Any  # parsed JSON
CASES = cases()
WRITERS = {"axolotl": "trl"}
"""The format that writes what a trainer reads, where its name is another."""
DOCUMENTED = sorted(path.parent.name for path in GOLDEN.glob("*/documented.json"))
# seeds/002 prints this expression, in JavaScript.
CALL_IN_TEXT = re.compile(r"<tool_call>\s*(\{[\s\S]*?\})\s*</tool_call>")


def held(path: str) -> Json:
    return json.loads((GOLDEN / path).read_text(encoding="utf-8"))


@each_row("path", CASES)
def test_a_record_is_written_as_the_golden_file_holds_it(path: str) -> None:
    """To the byte: the order of keys is a part of what consumers see."""
    assert json.dumps(CASES[path]) == json.dumps(held(path))


@each_row("path", CASES)
def test_a_golden_file_is_read_back(path: str) -> None:
    name, _, file = path.partition("/")
    losses = FORMATS[name].losses
    document = RECORDS[file.removesuffix(".json").partition("-")[0]]()
    assert forget(READ[name].load_record(held(path)), losses) == forget(document, losses)


def test_no_golden_file_is_left_over() -> None:
    files = {str(path.relative_to(GOLDEN)) for path in GOLDEN.glob("*/*.json") if path.name != "documented.json"}
    assert files == set(CASES)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_trainer_gets_the_shape_that_its_documentation_shows(name: str) -> None:
    writer = WRITTEN[WRITERS.get(name, name)]
    assert writer.dump_record is not None
    assert writer.load_record is not None
    assert writer.dump_record(documented()) == held(f"{name}/documented.json")
    back = writer.load_record(held(f"{name}/documented.json"))
    assert forget(back, writer.losses) == forget(documented(), writer.losses)


def test_every_documented_shape_names_its_source() -> None:
    sources = (GOLDEN / "SOURCES.md").read_text(encoding="utf-8")
    named = re.findall(r"^\| ([\w-]+) \| `[\w-]+` \| \S.*\|$", sources, re.MULTILINE)
    assert sorted(named) == DOCUMENTED
    assert {"llamafactory", "trl", "ms-swift", "axolotl"} <= set(named)


def test_the_expression_of_the_specification_finds_every_call(of_every_kind: list[Json]) -> None:
    """Seeds/002: calls are found by its expression, with newlines inside the tags."""
    dump = FORMATS["qwen3"].dump_record
    assert dump is not None
    for document in of_every_kind:
        said = [m["content"] for m in dump(document)["messages"] if m["role"] == "assistant"]
        found = [json.loads(text) for content in said for text in CALL_IN_TEXT.findall(content)]
        made = [call["function"] for m in document["messages"] for call in m.get("tool_calls", ())]
        assert found == made
        assert all(
            f"<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>" in "".join(said) for call in made
        )
        results = [m["content"] for m in document["messages"] if m["role"] == "tool"]
        answers = "\n".join(m["content"] for m in dump(document)["messages"] if m["role"] == "user")
        assert all(f"<tool_response>\n{result}\n</tool_response>" in answers for result in results)
