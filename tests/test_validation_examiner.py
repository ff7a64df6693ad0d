"""Rules are asked of some records in turn: each is judged as it would be by itself, as it stands, and freed after it.

Records of OpenAI and Qwen3 are judged as they stand; `--strict-format` makes errors of what readers forgive.
"""

from __future__ import annotations

import gc
import json
from typing import Any

import orjson
import pytest

from generator.datasets.origin import FormatReader, any_format
from generator.formats import FORMATS
from generator.jsontext import dump_line
from generator.validation import lines
from generator.validation.examiner import examine, read_and_check, read_and_check_all, violations_of
from generator.validation.lines import check_batch
from generator.validation.rule_reference import every_rule
from generator.validation.verdict import STRICT_FORMAT, Standard
from generator.validation.view import RecordView
from tests.record_examples import CATALOG, KINDS, parallel, simple

Json = Any  # parsed JSON


def odd_lines() -> list[bytes]:
    """Lines of every sort between one another: whole records, broken ones, other formats, and what is no record."""
    broken = simple()
    broken["messages"][-1]["content"] = "It is 99 degrees in Oslo."
    unknown = simple()
    unknown["messages"][2]["tool_calls"][0]["function"]["name"] = "nobody"
    spoken = {"messages": [{"role": "user", "content": "Hi"}], "tools": None}
    asked = {"question": [[{"role": "user", "content": "Hi"}]], "function": []}
    whole = [dump_line(kind()) for kind in KINDS.values()]
    others = [orjson.dumps(each) for each in (broken, unknown, spoken, asked, [], 1)]
    return [*whole, b"{", *others, b'{"messages":[],"messages":[]}', whole[0], b"[" * 300 + b"]" * 300]


@pytest.mark.parametrize(
    "standard",
    [
        Standard(CATALOG),
        Standard(CATALOG, "read", any_format),
        Standard(None, "written"),
        Standard(None, rules=frozenset({"TC101", "OA014"})),
    ],
    ids=["auto", "read", "written", "chosen"],
)
def test_lines_that_are_checked_together_are_judged_as_each_by_itself(standard: Standard) -> None:
    given = odd_lines()
    together = read_and_check_all(given, standard)
    assert together == [read_and_check(line, standard) for line in given]
    assert any(each.violations for each in together)
    assert not all(each.violations for each in together)


def test_records_that_are_asked_about_together_may_be_held_to_different_rules() -> None:
    documents = [kind() for kind in KINDS.values()]
    documents[1]["messages"][-1]["content"] = ""
    views = [RecordView(each, generated=written) for each in documents for written in (True, False)]
    found = violations_of(views)
    assert found == [
        list(violations_of([RecordView(each, generated=written)])[0]) for each in documents for written in (True, False)
    ]
    assert [bool(each) for each in found].count(True) == 2


@pytest.mark.parametrize(("most", "size"), [(1, 10**6), (3, 10**6), (10**6, 1), (10**6, 5000)])
def test_how_many_lines_are_checked_together_makes_no_difference(
    monkeypatch: pytest.MonkeyPatch, most: int, size: int
) -> None:
    batch: lines.Batch = [(number, line) for number, line in enumerate(odd_lines(), start=1)]
    batch.insert(2, (99, None))
    expected = check_batch(batch, Standard(CATALOG))
    monkeypatch.setattr(lines, "_LINES_TOGETHER", most)
    monkeypatch.setattr(lines, "_BYTES_TOGETHER", size)
    assert check_batch(batch, Standard(CATALOG)) == expected


def test_a_record_is_freed_when_it_is_done_with_without_a_look_for_garbage() -> None:
    gc.collect()
    gc.disable()
    before = [each for each in gc.get_objects() if isinstance(each, RecordView)]  # those of other tests
    try:
        for kind in KINDS.values():
            examine(kind())
        after = [each for each in gc.get_objects() if isinstance(each, RecordView)]
        assert [each for each in after if not any(each is other for other in before)] == []
    finally:
        gc.enable()


def found(document: Json, standard: Standard) -> list[tuple[str, str, str]]:
    """Rule, severity and pointer of what is wrong with a record."""
    batch = [(1, orjson.dumps(document))]
    return [(each.rule, each.severity, each.pointer) for each in check_batch(batch, standard).located]


def in_openai(kind: str = "parallel") -> Json:
    """A record as the OpenAI format writes it, without metadata."""
    dump = FORMATS["openai"].dump_record
    assert dump is not None
    return {key: value for key, value in dump(KINDS[kind]()).items() if key != "metadata"}


CALL = "/messages/2/tool_calls/1"
AS_OPENAI = Standard(reader=FormatReader("openai"), form_is_told=True)
BY_ITSELF = Standard(reader=any_format)


def with_call(**changes: Json) -> Json:
    document = in_openai()
    call = document["messages"][2]["tool_calls"][1]
    if "id" in changes:
        document["messages"][4]["tool_call_id"] = changes["id"]
        call["id"] = changes["id"]
    if "arguments" in changes:
        call["function"]["arguments"] = changes["arguments"]
    return document


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("standard", [AS_OPENAI, BY_ITSELF])
def test_what_the_format_writes_is_as_it_should_stand(kind: str, standard: Standard) -> None:
    codes = {code for code, _, _ in found(in_openai(kind), standard)}
    assert not codes & {"OA121", "OA122", "OA123", "DF004", "DF005"}


@pytest.mark.parametrize(
    ("changes", "rule", "pointer", "looks_canonical"),
    [
        ({"id": "call-17"}, "OA121", f"{CALL}/id", False),
        ({"id": "toolu_01A"}, "OA121", f"{CALL}/id", False),
        ({"id": "a1b2c3d4e"}, "OA121", f"{CALL}/id", True),
        ({"arguments": {"city": "Oslo"}}, "OA122", f"{CALL}/function/arguments", True),
        ({"arguments": "[1]"}, "OA123", f"{CALL}/function/arguments", False),
    ],
)
def test_ids_and_arguments_are_judged_as_they_stand(
    changes: Json, rule: str, pointer: str, looks_canonical: bool
) -> None:
    document = with_call(**changes)
    assert (rule, "error", pointer) in found(document, AS_OPENAI)
    assert not {"DF004", "DF005"} & {code for code, _, _ in found(document, AS_OPENAI)}
    by_itself = found(document, Standard(reader=any_format, strict_format=True))
    if not looks_canonical:
        assert (rule, "warning", pointer) in found(document, BY_ITSELF)
        assert (rule, "error", pointer) in by_itself


def qwen3(inside: str, closing: str = "\n") -> Json:
    call = json.dumps({"name": "get_weather", "arguments": {"city": "Oslo"}})
    return {
        "messages": [
            {"role": "user", "content": "How is the weather in Oslo?"},
            {"role": "assistant", "content": f"<tool_call>{inside}{call}{closing}</tool_call>"},
            {"role": "user", "content": f'<tool_response>{inside}{{"sky": "grey"}}{closing}</tool_response>'},
            {"role": "assistant", "content": "It is grey in Oslo."},
        ],
        "tools": parallel()["tools"],
    }


@pytest.mark.parametrize(
    ("inside", "closing", "places"), [("\n", "\n", 0), ("", "\n", 2), ("\n", "", 2), (" ", " ", 2)]
)
@pytest.mark.parametrize("strict", [False, True])
def test_the_tags_of_qwen3_have_lines_of_their_own(inside: str, closing: str, places: int, strict: bool) -> None:
    standard = Standard(reader=FormatReader("qwen3"), form_is_told=True, strict_format=strict)
    codes = [(rule, severity) for rule, severity, _ in found(qwen3(inside, closing), standard) if rule == "Q3004"]
    assert codes == [("Q3004", "error" if strict else "warning")] * places


@pytest.mark.parametrize("variant", ["thinking", "instruct"])
@pytest.mark.parametrize("kind", KINDS)
def test_rendered_text_has_lines_for_its_tags(kind: str, variant: str) -> None:
    rendered = FORMATS["qwen3-text"].variants[variant](KINDS[kind]())
    standard = Standard(reader=FormatReader("qwen3-text"))
    assert "Q3004" not in {code for code, _, _ in found(rendered, standard)}
    if "</tool_call><|im_end|>" in rendered["text"].replace("\n</tool_call>", "</tool_call>"):
        spoiled = {**rendered, "text": rendered["text"].replace("\n</tool_call><|im_end|>", "</tool_call><|im_end|>")}
        assert ("Q3004", "warning", "/text") in found(spoiled, standard)


def test_the_examples_of_the_rule_are_true() -> None:
    row = every_rule()["Q3004"].row
    for example, is_kept in ((row.bad, False), (row.good, True)):
        document = qwen3("\n")
        document["messages"][1].update(json.loads(str(example)))
        standard = Standard(reader=FormatReader("qwen3"))
        assert ("Q3004" not in {code for code, _, _ in found(document, standard)}) is is_kept


def in_read(changes: Json) -> Json:
    document = {key: value for key, value in parallel().items() if key != "metadata"}
    document.update(changes)
    return document


def unanswered() -> Json:
    document = in_read({})
    del document["messages"][4]
    return document


def with_limits(count: int) -> Json:
    document = in_read({})
    properties = {f"p{number}": {"type": "string", "description": "A field."} for number in range(count)}
    parameters = {"type": "object", "properties": properties, "required": list(properties),
                  "additionalProperties": False}  # fmt: skip
    function = {"name": "strict_tool", "description": "Strict.", "parameters": parameters, "strict": True}
    document["tools"].append({"type": "function", "function": function})
    document["messages"][2]["tool_calls"].pop()
    del document["messages"][4]
    return document


@pytest.mark.parametrize(
    ("document", "rule"),
    [
        (unanswered(), "TC011"),
        (in_read({"source": "mine"}), "TC103"),
        (with_limits(101), "OA029"),
    ],
)
def test_what_readers_forgive_is_an_error_under_strict_format(document: Json, rule: str) -> None:
    assert {severity for code, severity, _ in found(document, Standard()) if code == rule} == {"warning"}
    strict = found(document, Standard(strict_format=True))
    assert {severity for code, severity, _ in strict if code == rule} == {"error"}


def test_the_rules_of_strict_format_are_rules() -> None:
    assert set(every_rule()) >= STRICT_FORMAT


@pytest.mark.parametrize(("weakest", "codes"), [("error", set()), ("warning", {"TC103"}), ("note", {"TC103"})])
def test_only_what_is_sure_enough_is_told(weakest: Any, codes: set[str]) -> None:
    assert {code for code, _, _ in found(in_read({"source": "mine"}), Standard(weakest=weakest))} == codes
