"""The examples of the specification documents validate as their text says."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from generator.formats.openai import load_record as load_openai
from generator.formats.qwen3 import load_record as load_qwen3
from generator.jsontext import dump_compact
from generator.schemas.adm import ERROR_TYPES
from generator.validation import check
from tests.record_examples import FIRST, call, result
from tests.shared_data import SHARED, needs_shared
from tests.tables import each_row

Json = Any  # parsed JSON

SEEDS = SHARED / "seeds"
pytestmark = needs_shared


def document(number: str) -> str:
    """The text of a specification document, by the number its name starts with."""
    if not SEEDS.is_dir():
        return ""
    return next(SEEDS.glob(f"{number}_*.txt")).read_text(encoding="utf-8")


def json_values(text: str) -> list[Json]:
    """Every JSON object that starts a line of the text."""
    found, decoder = [], json.JSONDecoder()
    for match in re.finditer(r"^\{", text, re.MULTILINE):
        try:
            found.append(decoder.raw_decode(text, match.start())[0])
        except ValueError:
            continue
    return found


def read(record: Json) -> tuple[set[str], set[str]]:
    """The codes of the errors and of the warnings in a record of other people, leaving out where values come from."""
    found = [each for each in check(record, generated=False) if not each.rule.startswith("TC20")]
    return (
        {each.rule for each in found if each.severity == "error"},
        {each.rule for each in found if each.severity == "warning"},
    )


def test_the_full_example_of_deepfabric_is_valid() -> None:
    full = next(value for value in json_values(document("000")) if "messages" in value)
    assert read(full) == (set(), {"TC102"})


def test_the_messages_of_deepfabric_are_valid() -> None:
    messages = [value for value in json_values(document("000")) if "role" in value]
    assert [message["role"] for message in messages] == ["assistant", "tool"]
    record = {
        "messages": [{"role": "user", "content": "Look it up."}, *messages, {"role": "assistant", "content": "1.2M."}]
    }
    assert read(record) == (set(), {"TC102"})


def test_what_deepfabric_forbids_is_refused() -> None:
    dont = re.search(r"\*\*Don't:\*\* `(.+?)`", document("000"))
    assert dont is not None
    messages = [value for value in json_values(document("000")) if "role" in value]
    messages[0]["tool_calls"][0]["function"].update(json.loads("{" + dont.group(1) + "}"))
    record = {
        "messages": [{"role": "user", "content": "Look it up."}, *messages, {"role": "assistant", "content": "1.2M."}]
    }
    assert read(record)[0] == {"DF004"}


def test_the_training_record_of_qwen3_is_valid_once_it_is_read() -> None:
    fenced = re.search(r"```jsonl\n(.*?)```", document("002"), re.DOTALL)
    assert fenced is not None
    definition = (
        '"description": "Read a file.", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}'
    )
    record = json.loads(fenced.group(1).replace("...}}]}", definition + "}}]}"))
    assert read(load_qwen3(record)) == (set(), {"DF010", "TC106"})
    assert "Q3002" in read(record)[1]


@pytest.mark.parametrize("arguments", ['{"path":"/tmp/test.txt","encoding":"utf-8"}', '{"path":"/tmp/test.txt"}'])
def test_the_tool_of_openai_is_valid_and_so_are_calls_of_it(arguments: str) -> None:
    assert read(openai_record(arguments)) == (set(), {"DF010"})


@pytest.mark.parametrize(
    ("arguments", "rule", "error_code"),
    [
        ('{"path":', "OA015", "malformed_tool_arguments"),
        ("{}", "OA016", "invalid_tool_arguments"),
        ('{"path":3}', "OA016", "invalid_tool_arguments"),
        ('{"path":"a","mode":"r"}', "ADM008", "invalid_tool_arguments"),
    ],
)
def test_the_error_conditions_of_openai_are_reported_under_their_names(
    arguments: str, rule: str, error_code: str
) -> None:
    found = [each for each in check(openai_record(arguments), generated=False) if each.severity == "error"]
    assert [each.rule for each in found] == [rule]
    assert found[0].message.startswith(f"{error_code}: ")


def test_an_unknown_tool_is_reported_under_its_name() -> None:
    record = openai_record("{}", name="write_file")
    found = [each for each in check(record, generated=False) if each.severity == "error"]
    assert [each.rule for each in found] == ["OA014"]
    assert found[0].message.startswith("unknown_tool_call: ")


def openai_record(arguments: str, name: str = "read_file") -> Json:
    """The conversation of the document with its tool, brought to the canonical shape."""
    function = next(value for value in json_values(document("003")) if value.get("name") == "read_file")
    spoken = {"id": "call_123", "type": "function", "function": {"name": name, "arguments": arguments}}
    messages = [
        {"role": "user", "content": "Read /tmp/test.txt"},
        {"role": "assistant", "content": None, "tool_calls": [spoken]},
        {"role": "tool", "tool_call_id": "call_123", "content": "file contents"},
        {"role": "assistant", "content": "The file contains..."},
    ]
    return load_openai({"messages": messages, "tools": [{"type": "function", "function": function}]})


def adm_results() -> list[Json]:
    """Every ToolResult among the examples of ADM."""
    return [value for value in json_values(document("004")) if value.get("status") in ("SUCCESS", "ERROR")]


def adm_record(answer: Json) -> Json:
    """A conversation in which a call has that result."""
    content = {"error": answer["error"]} if answer["status"] == "ERROR" else answer["content"]
    status = answer["error"].get("type", "ERROR") if answer["status"] == "ERROR" else "SUCCESS"
    return {
        "messages": [
            {"role": "user", "content": "Do it."},
            {"role": "assistant", "content": "", "tool_calls": [call(FIRST, answer["name"], {})]},
            result(FIRST, answer["name"], dump_compact(content)),
            {"role": "assistant", "content": "Done, or not."},
        ],
        "metadata": {"statuses": {FIRST: status}},
    }


def test_adm_has_examples_of_results() -> None:
    assert len(adm_results()) > 10
    assert {answer["status"] for answer in adm_results()} == {"SUCCESS", "ERROR"}


@each_row("number", range(len(adm_results())))
def test_the_results_of_adm_are_valid(number: int) -> None:
    answer = adm_results()[number]
    detailed = "details" in answer.get("error", {})
    assert read(adm_record(answer)) == (set(), {"TC102", "ADM112"} if detailed else {"TC102"})


def test_the_error_types_are_those_of_adm() -> None:
    section = document("004").split("4.5.9. Common Error Types")[1].split("4.5.10.")[0]
    assert all(error_type in section for error_type in ERROR_TYPES)
