"""Every example of the four specification documents, by its position: it validates as its text says.

The documents are not part of the repository; equivalents of our own stand in `entity_examples` and in the tests of
each rule. Sketches that leave fields out are errors where the tables of their document require the fields.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from generator.formats import FORMATS
from generator.formats.loading.tool_files import load_tools
from generator.validation import check
from generator.validation.entities import ENTITIES
from tests.record_examples import FIRST, call, result
from tests.shared_data import SHARED, needs_shared
from tests.tables import each_row

Json = Any  # parsed JSON
Verdict = dict[str, str]
"""The rules that find something, each with its severity."""

pytestmark = needs_shared
SEEDS = SHARED / "seeds"
GOOD: Verdict = {}
NO_TOOLS: Verdict = {"TC102": "warning"}
NO_TOOL: Verdict = {"ADM305": "warning"}
DETAILS: Verdict = {"ADM112": "warning"}


def text_of(number: str) -> str:
    return next(SEEDS.glob(f"{number}_*.txt")).read_text(encoding="utf-8") if SEEDS.is_dir() else ""


def fenced(number: str) -> list[str]:
    """The fenced blocks of a document."""
    return re.findall(r"^```\w*\n(.*?)^```", text_of(number), re.DOTALL | re.MULTILINE)


def structures(text: str) -> list[Json]:
    """What starts with a brace at the start of a line; None where that is no JSON. Comments are taken out."""
    plain = re.sub(r"(?m)(^|\s)//.*$", r"\1", text)
    found: list[Json] = []
    for match in re.finditer(r"^\{", plain, re.MULTILINE):
        try:
            found.append(json.JSONDecoder().raw_decode(plain, match.start())[0])
        except ValueError:
            found.append(None)
    return found


def verdict(form: str, document: Json) -> Verdict:
    return {violation.rule: violation.severity for violation in ENTITIES[form](document)}


def record_verdict(document: Json) -> Verdict:
    """What is found in a record; whether its values are grounded is no matter of these documents."""
    found = check(document, generated=False)
    return {violation.rule: violation.severity for violation in found if not violation.rule.startswith("TC2")}


# --- DeepFabric


def deepfabric(*messages: Json) -> Json:
    asked = {"role": "user", "content": "Look it up."}
    return {"messages": [asked, *messages, {"role": "assistant", "content": "Found."}]}


def test_deepfabric_has_three_examples() -> None:
    assert len(fenced("000")) == 3


def test_deepfabric_1_and_2_are_a_call_and_its_result() -> None:
    asking, answering = (json.loads(block) for block in fenced("000")[:2])
    assert record_verdict(deepfabric(asking, answering)) == NO_TOOLS
    assert "TC011" in record_verdict(deepfabric(asking))
    assert "DF008" in record_verdict(deepfabric({"role": "assistant", "content": "Wait."}, answering))


def test_deepfabric_3_is_a_valid_entry() -> None:
    assert record_verdict(json.loads(fenced("000")[2])) == NO_TOOLS


def test_deepfabric_do_and_dont() -> None:
    shown = re.findall(r"\*\*(Do|Don't):\*\* `(.+?)`$", text_of("000"), re.MULTILINE)
    assert [kind for kind, _ in shown] == ["Do", "Don't"]
    for kind, text in shown:
        asking, answering = (json.loads(block) for block in fenced("000")[:2])
        asking["tool_calls"][0]["function"].update(json.loads("{" + text + "}"))
        assert ("DF004" in record_verdict(deepfabric(asking, answering))) == (kind == "Don't")


# --- Qwen3


def test_qwen3_has_five_examples() -> None:
    assert len(fenced("002")) == 5


def qwen3(*turns: tuple[str, str]) -> Json:
    load = FORMATS["qwen3"].load_record
    assert load is not None
    return load({"messages": [{"role": role, "content": content} for role, content in turns], "tools": []})


def said(block: str) -> str:
    """What a block of rendered text holds between its markers."""
    found = re.search(r"<\|im_start\|>\w+\n(.*?)<\|im_end\|>", block, re.DOTALL)
    assert found is not None
    return found[1]


def test_qwen3_2_and_3_are_a_call_with_its_result() -> None:
    calling, answering = (said(block) for block in fenced("002")[1:3])
    record = qwen3(("user", "Hosts?"), ("assistant", calling), ("user", answering), ("assistant", "Two."))
    (made,) = record["messages"][1]["tool_calls"]
    assert made["function"] == {"name": "read_file", "arguments": {"path": "/etc/hosts"}}
    assert record["messages"][1]["content"] == "Let me read that file for you."
    assert record["messages"][2]["content"] == "127.0.0.1 localhost\n::1 localhost"
    assert record["messages"][2]["tool_call_id"] == made["id"]


def test_qwen3_4_are_two_results_in_one_message() -> None:
    one = '<tool_call>\n{"name": "read_file", "arguments": {"path": "%s"}}\n</tool_call>'
    calling = "\n".join([one % "a", one % "b"])
    record = qwen3(("user", "Read."), ("assistant", calling), ("user", said(fenced("002")[3])), ("assistant", "Done."))
    ids = [made["id"] for made in record["messages"][1]["tool_calls"]]
    answers = [message for message in record["messages"] if message["role"] == "tool"]
    assert [answer["tool_call_id"] for answer in answers] == ids
    assert [answer["content"] for answer in answers] == ["result from first tool", "result from second tool"]


def test_qwen3_5_is_a_training_record() -> None:
    definition = '{"name": "read_file", "description": "Read.", "parameters": {"type": "object", "properties": {}}}'
    line = fenced("002")[4].replace('{"name": "read_file", ...}', definition)
    load = FORMATS["qwen3"].load_record
    assert load is not None
    record = load(json.loads(line))
    assert record["messages"][3]["content"] == '[workspace]\npath = "~/.egirl"'
    assert "error" not in record_verdict(record).values()


def test_the_tools_of_qwen3_1_stand_one_in_a_line() -> None:
    listed = re.search(r"<tools>\n(.*?)\n</tools>\n\nFor", fenced("002")[0], re.DOTALL)
    assert listed is not None
    for line in listed[1].splitlines():
        definition = json.loads(line.replace('"..."', '"It does."').replace("{...}", '{"type": "object"}'))
        request = {"model": "qwen3", "messages": [{"role": "user", "content": "Hi."}], "tools": [definition]}
        assert verdict("openai-request", request) == GOOD


# --- OpenAI-compatible tool calling


def sketch(body: str) -> Json:
    """Read a sketch: keys without quotes, `...` for what is left out, no braces around it."""
    text = re.sub(r"\n  (?=\w+: )", ",\n  ", body.strip("\n"))
    text = text.replace("{...}", "{}").replace("[...]", "[]").replace(", ...}", "}")
    return json.loads("{" + re.sub(r'(?<![\w"])(\w+): ', r'"\1": ', text) + "}")


def sketches() -> list[tuple[str, Json]]:
    """The requests and responses of the section on the flow of conversations, in their order."""
    flow = text_of("003").split("## Conversation Flow")[1].split("## Validation Summary")[0]
    found = []
    for block in re.findall(r"^```\n(.*?)^```", flow, re.DOTALL | re.MULTILINE):
        for title, body in re.findall(r"^([\w ]+):\n((?:  .*\n?)+)", block, re.MULTILINE):
            found.append((title, sketch(body)))
    return found


MODEL: Verdict = {"OA102": "error"}
ENVELOPE: Verdict = {"OA132": "error", "OA133": "error", "OA134": "error", "OA135": "error", "OA147": "warning"}
PLACED: Verdict = {"OA138": "error"}
UNTYPED: Verdict = {"DF007": "error"}

SKETCHES: list[tuple[str, Verdict]] = [
    ("Request", {**MODEL, "OA023": "error"}),
    ("Response", {**ENVELOPE, **PLACED, **UNTYPED}),
    ("Turn 1 Request", MODEL),
    ("Turn 1 Response", {"OA003": "error", "OA012": "error", **UNTYPED}),
    ("Turn 2 Request", {**MODEL, "OA012": "error", **UNTYPED}),
    ("Turn 2 Response", GOOD),
    ("Request", MODEL),
    ("Response", {"OA003": "error", **UNTYPED}),
    ("Next Request", {**MODEL, "OA002": "error"}),
]
"""The flow of conversations: what each sketch leaves out, and nothing else, is found."""


def answer_of(message: Json) -> Json:
    """A whole response around a message that a sketch shows alone."""
    finish = "tool_calls" if message.get("tool_calls") else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "chatcmpl-abc123xyz", "object": "chat.completion", "created": 1, "model": "m", "usage": usage,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}]}  # fmt: skip


@pytest.mark.parametrize("number", range(len(SKETCHES)))
def test_the_flow_of_conversations(number: int) -> None:
    title, expected = SKETCHES[number]
    assert len(sketches()) == len(SKETCHES)
    shown, document = sketches()[number]
    assert shown == title
    if "messages" in document:
        if title == "Next Request":
            document["messages"][0] = {"role": "user", "content": "Read both."}
            document["messages"][1]["tool_calls"] = [
                {"id": f"call_{n}", "type": "function", "function": {"name": "f", "arguments": "{}"}} for n in (1, 2)
            ]
            expected = MODEL
        assert verdict("openai-request", document) == expected
    else:
        whole = document if "choices" in document else answer_of(document["message"])
        assert verdict("openai-response", whole) == expected


def test_the_function_of_openai_is_valid() -> None:
    (shown,) = [json.loads(block) for block in fenced("003") if block.startswith('{\n  "name"')]
    request = {"model": "gpt-oss-120b", "messages": [{"role": "user", "content": "Read it."}],
               "tools": [{"type": "function", "function": shown}]}  # fmt: skip
    assert verdict("openai-request", request) == GOOD
    arguments = re.search(r'Example: `("\{\\"path.*?")`', text_of("003"))
    assert arguments is not None
    identity = re.search(r'Example: `"(call_\w+)"`', text_of("003"))
    assert identity is not None
    made = {"id": identity[1], "type": "function",
            "function": {"name": "read_file", "arguments": json.loads(arguments[1])}}  # fmt: skip
    answer = answer_of({"role": "assistant", "content": None, "tool_calls": [made]})
    assert verdict("openai-response", {"request": request, "response": answer}) == GOOD


def test_the_inline_examples_of_openai_are_valid() -> None:
    text = text_of("003")
    models = re.search(r'Examples: `"([\w-]+)"`, `"([\w-]+)"`', text)
    choice = re.search(r"Object value: `(\{.*?\})`", text)
    words = re.search(r'String values: `"(\w+)"`, `"(\w+)"`, `"(\w+)"`', text)
    efforts = re.search(r'Values: `"(low)"`, `"(medium)"`, `"(high)"`', text)
    response_id = re.search(r'Example: `"(chatcmpl-\w+)"`', text)
    assert models and choice and words and efforts and response_id
    base = {"messages": [{"role": "user", "content": "Hi."}],
            "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]}  # fmt: skip
    choices = [*words.groups(), json.loads(choice[1].replace("<func_name>", "f"))]
    for model in models.groups():
        for wanted in choices:
            assert verdict("openai-request", {**base, "model": model, "tool_choice": wanted}) == GOOD
    for effort in efforts.groups():
        assert verdict("openai-request", {**base, "model": "m", "reasoning_effort": effort}) == GOOD
    answer = {**answer_of({"role": "assistant", "content": "Hi."}), "id": response_id[1]}
    assert verdict("openai-response", answer) == GOOD


def test_the_values_of_openai_are_those_of_its_tables() -> None:
    roles = re.search(r"Valid values: (.*)", text_of("003"))
    assert roles is not None
    assert re.findall(r'"(\w+)"', roles[1]) == ["system", "user", "assistant", "tool"]
    assert re.findall(r'^    - `"(\w+)"`:', text_of("003"), re.MULTILINE) == ["stop", "tool_calls", "length"]


# --- ADM

ADM_EXAMPLES: dict[int, tuple[str, Verdict]] = {
    **dict.fromkeys(range(2, 8), ("tool", GOOD)),
    **dict.fromkeys(range(9, 13), ("declaration", GOOD)),
    13: ("schema", GOOD),
    **dict.fromkeys(range(15, 27), ("schema", GOOD)),
    **dict.fromkeys(range(28, 41), ("call", NO_TOOL)),
    **dict.fromkeys(range(42, 58), ("result", GOOD)),
    58: ("result", DETAILS),
    59: ("result", DETAILS),
}
"""The structures of the document by position, what each is, and what is found in it."""

JSON_SCHEMAS = {1: "Tool", 8: "FunctionDeclaration", 14: "Schema", 27: "FunctionCall", 41: "ToolResult"}
"""Where the document tells a structure in JSON Schema."""
NO_JSON = {0: "C#", 60: "[...]", 62: "two statuses", 61: "five types", 63: "[...]"}
"""What starts with a brace and is code, or a sketch of what may come; each has a test of its own."""

DECLARED = {28: (3, None), 29: (None, 10), 30: (None, 11), 31: (None, 12), 32: (4, None)}
"""Calls of functions that the document declares: position of the call, of the Tool, or of the declaration."""


def adm() -> list[Json]:
    return structures(text_of("004"))


def as_tool(kind: str, value: Json) -> Json:
    if kind == "schema":
        parameters = {"type": "OBJECT", "properties": {"value": value}}
        value = {"name": "f", "description": "It does.", "parameters": parameters}
    return value if kind == "tool" else {"function_declarations": [value]}


def test_every_structure_of_adm_is_known() -> None:
    assert set(range(len(adm()))) == {*ADM_EXAMPLES, *JSON_SCHEMAS, *NO_JSON}


@each_row("number", ADM_EXAMPLES)
def test_the_structures_of_adm(number: int) -> None:
    kind, expected = ADM_EXAMPLES[number]
    value = adm()[number]
    if kind in ("call", "result"):
        assert verdict(f"adm-{kind}", value) == expected
    else:
        assert verdict("adm-tool", as_tool(kind, value)) == expected


@pytest.mark.parametrize("number", DECLARED)
def test_the_calls_of_adm_fit_what_it_declares(number: int) -> None:
    of_tool, of_declaration = DECLARED[number]
    found = adm()
    tool = found[of_tool] if of_tool is not None else as_tool("declaration", found[of_declaration or 0])
    pair = {"tool": tool, "call": found[number]}
    assert verdict("adm-call", pair) == GOOD
    answers = [value for value in found if value and "status" in value and value.get("name") == found[number]["name"]]
    for answer in answers:
        assert verdict("adm-result", {**pair, "result": answer}) == GOOD


def adm_schema(name: str) -> Json:
    """The JSON Schema of a structure, as the document tells it, with those that it refers to."""
    found = adm()
    return {**found[next(number for number, known in JSON_SCHEMAS.items() if known == name)],
            "definitions": {known: found[number] for number, known in JSON_SCHEMAS.items()}}  # fmt: skip


@each_row("number", [number for number, (kind, _) in ADM_EXAMPLES.items() if kind != "schema"])
def test_the_json_schemas_of_adm_agree(number: int) -> None:
    import jsonschema

    kind, expected = ADM_EXAMPLES[number]
    names = {"tool": "Tool", "declaration": "FunctionDeclaration", "call": "FunctionCall", "result": "ToolResult"}
    valid = jsonschema.Draft7Validator(adm_schema(names[kind])).is_valid(adm()[number])
    assert valid == (expected != DETAILS)


def test_the_tool_that_adm_makes_of_another_framework_is_valid() -> None:
    section = text_of("004").split("adm_schema would contain")[1].split("3.1.2.")[0]
    lines = [line.removeprefix("# ") for line in section.splitlines() if line.startswith("# ")]
    assert verdict("adm-tool", json.loads("\n".join(lines))) == GOOD


def test_the_names_that_adm_calls_invalid_are() -> None:
    names = re.findall(r'• Names [\w ]+: "(.+?)" → Invalid', text_of("004"))
    assert names == ["2get_data", "get data", "get@data"]
    for name in [*names, "a" * 65]:
        declaration = {"name": name, "description": "d", "parameters": {"type": "OBJECT"}}
        found = verdict("adm-tool", as_tool("declaration", declaration))
        assert [code for code, severity in found.items() if severity == "error"] != []


def test_the_future_types_of_adm_are_unknown_today_and_tolerated_tomorrow() -> None:
    section = text_of("004").split("Schema Type System Extensions:")[1].split("ToolResult Extensions:")[0]
    kinds = re.findall(r'"type": "(\w+)"', section)
    assert kinds == ["DATETIME", "BINARY", "REFERENCE", "UNION", "TUPLE"]
    for kind in kinds:
        tool = as_tool("schema", {"type": kind})
        assert set(verdict("adm-tool", tool).values()) == {"error"}
        assert set(verdict("adm-tool", {**tool, "_adm_version": "1.2.0"}).values()) == {"warning"}


def test_the_future_statuses_of_adm_are_unknown_today_and_tolerated_tomorrow() -> None:
    section = text_of("004").split("ToolResult Extensions:")[1].split("5.2.2.")[0]
    statuses = re.findall(r'"status": "(\w+)"', section)
    assert statuses == ["PARTIAL", "STREAMING"]
    for status in statuses:
        answer = {"name": "function_name", "status": status, "content": {}, "metadata": {"execution_time": 150}}
        assert verdict("adm-result", answer) == {"ADM323": "error", "ADM329": "warning"}
        assert verdict("adm-result", {**answer, "_adm_version": "1.3.0"}) == {"ADM323": "warning"}


def test_the_future_fields_of_adm_are_told_today_and_tolerated_tomorrow() -> None:
    section = text_of("004").split("Tool Structure Extensions:")[1].split("Schema Type System")[0]
    names = re.findall(r'^  "(\w+)":', section, re.MULTILINE)
    assert names == ["function_declarations", "retrieval_declarations", "search_declarations", "workflow_declarations",
                     "metadata"]  # fmt: skip
    tool = {**{name: [] for name in names[1:]}, **adm()[2]}
    assert verdict("adm-tool", tool) == {"ADM206": "warning"}
    assert verdict("adm-tool", {**tool, "_adm_version": "1.1.0"}) == GOOD


def test_the_extensions_of_adm_are_valid_and_preserved() -> None:
    section = text_of("004").split("Implementations may add custom extensions")[1].split("Extension Validation:")[0]
    sketched = re.sub(r"\s//.*", "", section[section.index("{") : section.rindex("}") + 1])
    sketched = sketched.replace(
        '"function_declarations": [...]', f'"function_declarations": {json.dumps(adm()[2]["function_declarations"])}'
    )
    tool = json.loads(sketched.replace("[...]", "[]"))
    assert verdict("adm-tool", tool) == GOOD
    dump = FORMATS["adm"].dump_tools
    assert dump is not None
    written = dump(load_tools(tool)).document
    assert {name: written[name] for name in written if name != "function_declarations"} == {
        name: tool[name] for name in tool if name != "function_declarations"
    }


def test_the_reserved_names_of_adm_are_extensions() -> None:
    section = text_of("004").split("Reserved Field Names:")[1].split("5.2.3.")[0]
    named = re.findall(r"• (?:[\w ]+: )?(_?[a-z_]+\*?)(?: prefix|:)", section)
    assert {"_adm_*", "_extensions", "_metadata", "_deprecated", "_experimental", "later_*", "grid_*", "x_*"} <= set(
        named
    )
    for name in [*(name.replace("*", "thing") for name in named), "_version"]:
        value = "1.0.0" if name == "_version" else {"kept": True}
        tool = {**adm()[2], name.replace("vendor_name_", "vendor_acme_"): value}
        assert verdict("adm-tool", tool) == GOOD


def test_the_results_of_adm_are_those_of_records() -> None:
    """A result in a record says what the ToolResult says, and is judged alike."""
    for number, (kind, expected) in ADM_EXAMPLES.items():
        if kind == "result":
            answer = adm()[number]
            content = {"error": answer["error"]} if answer["status"] == "ERROR" else answer["content"]
            calling = {"role": "assistant", "content": "", "tool_calls": [call(FIRST, answer["name"], {})]}
            found = record_verdict(deepfabric(calling, result(FIRST, answer["name"], json.dumps(content))))
            assert {code: severity for code, severity in found.items() if code.startswith("ADM")} == expected
