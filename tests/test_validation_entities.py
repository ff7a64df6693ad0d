"""Each rule over entities finds what its bad example shows, nothing in its good one, and nothing in valid entities."""

from __future__ import annotations

import io
import json
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.validation import RULES
from generator.validation.entities import ENTITIES
from generator.validation.entities.judging import ENTITY_RULES
from generator.validation.verdict import Standard, Tally
from tests.entity_examples import (
    VALID,
    answered,
    call,
    chunk,
    copied,
    merged,
    read_file,
    request,
    response,
    tool,
)
from tests.lines_of_records import check_lines
from tests.tables import each_row
from tests.test_validation_fuzz import SCALARS, places

Json = Any  # parsed JSON

OF_ENTITIES = [code for code in ENTITY_RULES if not code.startswith("Q3")]  # those speak of records as written
LONG_TEXTS = {
    "[101 tools]": json.dumps([read_file()] * 101),
    "[20 tools]": json.dumps([{**read_file(), "function": {**read_file()["function"], "name": f"f{n}"}}
                              for n in range(20)]),
    '"a name of 65 characters"': json.dumps("a" * 65),
    '"more than 1000 characters"': json.dumps("a" * 1001),
}  # fmt: skip
"""What examples only name, written out."""


def example(text: str) -> Json:
    for name, value in LONG_TEXTS.items():
        text = text.replace(name, value)
    return json.loads(text)


def plain_request() -> Json:
    return {"model": "m", "messages": [{"role": "user", "content": "Hi."}]}


def in_request(part: Json) -> Json:
    base = plain_request()
    if isinstance(part, dict) and ("tools" in part or "tool_choice" in part):
        base["tools"] = [read_file()]
    return merged(base, part) if isinstance(part, dict) else part


def in_message(part: Json) -> Json:
    if "tools" in part:
        return in_request(part)
    messages = answered()[:4]
    if "tool_calls" in part:
        messages[2]["tool_calls"] = merged([call("call_1")], part["tool_calls"])
    else:
        messages[3].update(part)
    return {**plain_request(), "messages": messages, "tools": [read_file()]}


def in_response(part: Json) -> Json:
    if isinstance(part, dict) and "request" in part:
        return {"request": in_request(part["request"]), "response": in_response(part["response"])}
    return merged(response(), part) if isinstance(part, dict) else part


def in_stream(part: Json) -> Json:
    if isinstance(part, dict) and "request" in part:
        asked = merged({**plain_request(), "stream": True}, part["request"])
        return {"request": asked, "response": in_stream(part["response"])}
    return [merged(chunk({}), entry) for entry in part] if isinstance(part, list) else part


def in_tool(part: Json) -> Json:
    return merged(tool(), part) if isinstance(part, dict) else part


def in_declaration(part: Json) -> Json:
    return {"function_declarations": [part]}


def in_schema(part: Json) -> Json:
    parameters = {"type": "OBJECT", "properties": {"x": part or {"type": "STRING"}}}
    return {"function_declarations": [{"name": "f", "description": "d", "parameters": parameters}]}


def as_it_stands(part: Json) -> Json:
    return part


def placed(code: str) -> tuple[str, Any]:
    """The format that a rule is asked in, and what makes a whole value of its examples."""
    number = int(code.lstrip("ADMO"))
    if code.startswith("OA"):
        for last, name, place in ((120, "request", in_request), (129, "request", in_message),
                                  (148, "response", in_response), (163, "stream", in_stream)):  # fmt: skip
            if number <= last:
                return f"openai-{name}", place
    if number == 241:
        return "adm-tool", as_it_stands
    if number <= 207 or 251 <= number <= 253:
        return "adm-tool", in_tool
    if number <= 218:
        return "adm-tool", in_declaration
    if number <= 240:
        return "adm-tool", in_schema
    return ("adm-call" if number < 320 else "adm-result"), as_it_stands


def found(form: str, document: Json) -> dict[str, str]:
    return {violation.rule: violation.severity for violation in ENTITIES[form](document)}


@each_row("code", OF_ENTITIES)
def test_the_bad_example_breaks_the_rule_and_the_good_one_keeps_it(code: str) -> None:
    rule = ENTITY_RULES[code]
    form, place = placed(code)
    assert found(form, place(example(rule.row.bad))).get(code) == rule.severity
    assert code not in found(form, place(example(rule.row.good)))


@each_row("code", OF_ENTITIES)
def test_a_rule_says_what_it_is(code: str) -> None:
    rule = ENTITY_RULES[code]
    assert code not in RULES
    assert rule.row.summary.endswith(".")
    assert rule.row.reason.endswith(".")
    assert rule.row.source.startswith(("OpenAI data model", "ADM"))


@pytest.mark.parametrize("form", list(ENTITIES))
def test_in_valid_values_nothing_is_found(form: str) -> None:
    for document in VALID[form]:
        assert list(ENTITIES[form](copied(document))) == []


def broken(form: str, index: int, path: tuple[str | int, ...], value: Json) -> Json:
    document = copied(VALID[form][index])
    holder = document
    for step in path[:-1]:
        holder = holder[step]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return document


CALLED = ("messages", 2, "tool_calls", 0)
ARGUMENTS = (*CALLED, "function", "arguments")
AT_ARGUMENTS = "/messages/2/tool_calls/0/function/arguments"
TOOL = ("tools", 0, "function")
ANSWER = ("choices", 0, "message")
TWICE = json.dumps([read_file(), read_file()])

BREAKS: list[tuple[str, tuple[str | int, ...], Json, str, str]] = [
    ("openai-request", ("model",), 7, "OA102", "/model"),
    ("openai-request", ("messages",), [], "OA001", "/messages"),
    ("openai-request", ("messages", 0), "Hi", "OA002", "/messages/0"),
    ("openai-request", ("messages", 1, "role"), "developer", "OA003", "/messages/1/role"),
    ("openai-request", ("messages", 1, "role"), "", "OA003", "/messages/1/role"),
    ("openai-request", ("messages", 1, "content"), None, "OA004", "/messages/1/content"),
    ("openai-request", ("messages", 1, "tool_calls"), [call()], "OA005", "/messages/1/tool_calls"),
    ("openai-request", ("messages", 1, "tool_call_id"), "call_1", "OA006", "/messages/1/tool_call_id"),
    ("openai-request", ("messages", 3, "tool_call_id"), ..., "OA007", "/messages/3/tool_call_id"),
    ("openai-request", ("messages", 3, "tool_call_id"), "call_9", "DF008", "/messages/3/tool_call_id"),
    ("openai-request", ("messages", 3, "content"), ..., "OA008", "/messages/3/content"),
    ("openai-request", ("messages", 3, "content"), 5, "OA126", "/messages/3/content"),
    ("openai-request", ("messages", 2, "tool_calls"), ..., "OA010", "/messages/3"),
    ("openai-request", ("messages", 3, "name"), [], "OA127", "/messages/3/name"),
    ("openai-request", (*CALLED, "id"), "abc", "OA121", "/messages/2/tool_calls/0/id"),
    ("openai-request", (*CALLED, "id"), "call_", "OA121", "/messages/2/tool_calls/0/id"),
    ("openai-request", (*CALLED, "id"), "call_a\n", "OA121", "/messages/2/tool_calls/0/id"),
    ("openai-request", (*CALLED, "id"), "call_2", "DF006", "/messages/2/tool_calls/1/id"),
    ("openai-request", (*CALLED, "type"), ..., "DF007", "/messages/2/tool_calls/0/type"),
    ("openai-request", (*CALLED, "function"), ..., "OA012", "/messages/2/tool_calls/0/function"),
    ("openai-request", (*CALLED, "function", "name"), "a b", "OA013", "/messages/2/tool_calls/0/function/name"),
    ("openai-request", (*CALLED, "function", "name"), "fly", "OA014", "/messages/2/tool_calls/0/function/name"),
    ("openai-request", ARGUMENTS, "{", "OA015", AT_ARGUMENTS),
    ("openai-request", ARGUMENTS, "{}", "OA016", AT_ARGUMENTS),
    ("openai-request", ARGUMENTS, '{"path":1}', "OA016", f"{AT_ARGUMENTS}/path"),
    ("openai-request", ARGUMENTS, '{"path":"a","z":1}', "OA124", AT_ARGUMENTS),
    ("openai-request", ARGUMENTS, "3", "OA123", AT_ARGUMENTS),
    ("openai-request", ARGUMENTS, {}, "OA122", AT_ARGUMENTS),
    ("openai-request", ("tools",), {}, "OA017", "/tools"),
    ("openai-request", ("tools", 0, "type"), "retrieval", "OA019", "/tools/0/type"),
    ("openai-request", ("tools",), json.loads(TWICE), "OA021", "/tools/1/function/name"),
    ("openai-request", (*TOOL, "name"), "read file", "OA022", "/tools/0/function/name"),
    ("openai-request", (*TOOL, "parameters"), ..., "OA023", "/tools/0/function/parameters"),
    ("openai-request", (*TOOL, "parameters", "type"), "text", "OA024", "/tools/0/function/parameters/type"),
    ("openai-request", (*TOOL, "parameters", "type"), "array", "OA025", "/tools/0/function/parameters/type"),
    ("openai-request", (*TOOL, "strict"), "yes", "OA026", "/tools/0/function/strict"),
    ("openai-request", (*TOOL, "strict"), True, "OA027", "/tools/0/function/parameters/required"),
    ("openai-request", (*TOOL, "strict"), True, "OA115", "/parallel_tool_calls"),
    ("openai-request", ("parallel_tool_calls",), "no", "OA011", "/parallel_tool_calls"),
    ("openai-request", ("parallel_tool_calls",), False, "OA032", "/messages/2/tool_calls"),
    ("openai-request", ("tool_choice",), 5, "OA112", "/tool_choice"),
    ("openai-request", ("tool_choice", "type"), "tool", "OA112", "/tool_choice/type"),
    ("openai-request", ("tool_choice", "function"), {}, "OA112", "/tool_choice/function"),
    ("openai-request", ("tools",), [], "OA113", "/tool_choice/function/name"),
    ("openai-request", ("stream",), False, "OA119", "/stream_options"),
    ("openai-request", ("max_tokens",), -1, "OA105", "/max_tokens"),
    ("openai-request", ("max_tokens",), 1.5, "OA105", "/max_tokens"),
    ("openai-request", ("max_tokens",), True, "OA105", "/max_tokens"),
    ("openai-request", ("temperature",), -0.1, "OA107", "/temperature"),
    ("openai-request", ("temperature",), "0", "OA107", "/temperature"),
    ("openai-request", ("temperature",), 2.1, "OA108", "/temperature"),
    ("openai-request", ("top_p",), -0.1, "OA109", "/top_p"),
    ("openai-response", ("object",), ..., "OA133", "/object"),
    ("openai-response", ("id",), "chatcmpl-", "OA132", "/id"),
    ("openai-response", ("created",), True, "OA134", "/created"),
    ("openai-response", (*ANSWER, "role"), "tool", "OA142", "/choices/0/message/role"),
    ("openai-response", (*ANSWER, "content"), 5, "OA004", "/choices/0/message/content"),
    ("openai-response", (*ANSWER, "tool_calls", 0, "id"), "x", "OA121", "/choices/0/message/tool_calls/0/id"),
    ("openai-response", (*ANSWER, "tool_calls", 0, "function", "arguments"), "{", "OA015",
     "/choices/0/message/tool_calls/0/function/arguments"),
    ("openai-response", (*ANSWER,), ..., "OA141", "/choices/0/message"),
    ("openai-response", ("choices", 0, "finish_reason"), "length", "OA144", "/choices/0/finish_reason"),
    ("openai-response", ("choices", 0, "finish_reason"), "content_filter", "OA143", "/choices/0/finish_reason"),
    ("openai-response", ("choices", 0, "finish_reason"), ..., "OA143", "/choices/0/finish_reason"),
    ("openai-response", (*ANSWER, "tool_calls"), ..., "OA144", "/choices/0/finish_reason"),
    ("openai-response", ("choices", 0, "index"), -1, "OA138", "/choices/0/index"),
    ("openai-response", ("usage",), [], "OA145", "/usage"),
    ("openai-response", ("usage", "prompt_tokens"), ..., "OA145", "/usage/prompt_tokens"),
    ("openai-response", ("usage", "total_tokens"), 16, "OA146", "/usage/total_tokens"),
    ("openai-response", ("usage", "total_tokens"), 15.0, "OA140", "/usage/total_tokens"),
    ("openai-stream", (1, "choices", 0, "delta"), ..., "OA153", "/1/choices/0/delta"),
    ("openai-stream", (1, "choices", 0, "finish_reason"), ..., "OA154", "/1/choices/0/finish_reason"),
    ("openai-stream", (1, "choices", 0, "finish_reason"), "stop", "OA155", "/1/choices/0/finish_reason"),
    ("openai-stream", (6, "choices", 0, "finish_reason"), None, "OA156", "/6/choices/0/finish_reason"),
    ("openai-stream", (6, "choices", 0, "finish_reason"), "stop", "OA144", "/6/choices/0/finish_reason"),
    ("openai-stream", (7, "usage", "total_tokens"), 1, "OA146", "/7/usage/total_tokens"),
    ("openai-stream", (3, "usage"), {}, "OA157", "/3/usage"),
    ("openai-stream", (3, "id"), "chatcmpl-other", "OA159", "/3/id"),
    ("openai-stream", (0, "choices", 0, "delta", "role"), ..., "OA003", "/0/choices/0/delta/role"),
    ("openai-stream", (3, "choices", 0, "delta", "tool_calls", 0, "function", "arguments"), "]", "OA015",
     "/1/choices/0/delta/tool_calls/0/function/arguments"),
    ("openai-stream", (1, "choices", 0, "delta", "tool_calls", 0, "id"), ..., "OA121",
     "/1/choices/0/delta/tool_calls/0/id"),
    ("openai-stream", (4, "choices", 0, "delta", "tool_calls", 0, "id"), "call_3", "DF006",
     "/4/choices/0/delta/tool_calls/0/id"),
    ("openai-stream", (2, "choices", 0, "delta", "tool_calls", 0, "index"), ..., "OA160",
     "/2/choices/0/delta/tool_calls/0/index"),
    ("openai-stream", (2,), [], "OA151", "/2"),
]  # fmt: skip


@each_row(("form", "path", "value", "code", "pointer"), BREAKS)
def test_what_breaks_a_rule_is_found_where_it_stands(
    form: str, path: tuple[str | int, ...], value: Json, code: str, pointer: str
) -> None:
    assert (code, pointer) in {(each.rule, each.pointer) for each in ENTITIES[form](broken(form, 0, path, value))}


def test_the_three_error_codes_are_reported_under_their_names() -> None:
    told = {}
    for arguments, name in (("{}", "read_file"), ("{", "read_file"), ("{}", "fly")):
        document = broken("openai-request", 0, (*CALLED, "function"), {"name": name, "arguments": arguments})
        told.update({each.message.partition(":")[0]: each.rule for each in ENTITIES["openai-request"](document)})
    codes = {"unknown_tool_call": "OA014", "malformed_tool_arguments": "OA015", "invalid_tool_arguments": "OA016"}
    assert codes.items() <= told.items()


def test_a_response_is_judged_by_its_request() -> None:
    pair = {**copied(VALID["openai-response"][1]), "id": "any key beside them"}
    pair["request"]["tools"][0]["function"]["name"] = "open_file"
    pair["request"]["tool_choice"] = "none"
    pair["request"]["messages"] = pair["request"]["messages"][:2]
    assert found("openai-response", pair) == {"OA014": "error", "OA148": "warning"}
    pair = copied(VALID["openai-response"][1])
    pair["response"]["choices"][0]["message"]["tool_calls"][0]["id"] = "call_1"
    assert found("openai-response", pair) == {"DF006": "error"}
    pair = copied(VALID["openai-response"][1])
    pair["request"].update(parallel_tool_calls=False, messages=pair["request"]["messages"][:2])
    pair["response"]["choices"][0]["message"]["tool_calls"].append(call("call_7"))
    assert found("openai-response", pair) == {"OA032": "error"}


def test_a_stream_is_judged_by_its_request() -> None:
    pair = copied(VALID["openai-stream"][2])
    pair["request"]["stream_options"] = None
    assert found("openai-stream", pair) == {"OA158": "error"}
    pair = copied(VALID["openai-stream"][2])
    del pair["response"][-1]
    assert found("openai-stream", pair) == {"OA158": "error"}


def test_strict_mode_is_held_to_its_limits() -> None:
    wide = request()
    names = [f"p{number}" for number in range(101)]
    schema: Json = {"type": "object", "properties": {name: {"type": "string"} for name in names},
                    "required": names, "additionalProperties": False}  # fmt: skip
    wide["tools"][0]["function"].update(strict=True, parameters=schema)
    wide.update(messages=wide["messages"][:2], parallel_tool_calls=False)
    assert found("openai-request", wide) == {"OA029": "warning"}
    inner: Json = {"type": "string"}
    for _ in range(6):
        inner = {"type": "object", "properties": {"x": inner}, "required": ["x"], "additionalProperties": False}
    wide["tools"][0]["function"]["parameters"] = inner
    assert found("openai-request", wide) == {"OA030": "warning"}
    inner["properties"]["x"]["additionalProperties"] = True
    assert found("openai-request", wide) == {"OA030": "warning", "OA028": "error"}


def test_strict_tools_and_parallel_calls_exclude_each_other() -> None:
    strict = {**plain_request(), "tools": [read_file()]}
    strict["tools"][0]["function"]["strict"] = True
    strict["tools"][0]["function"]["parameters"]["required"] = ["path", "lines"]
    assert found("openai-request", strict) == {"OA116": "warning"}
    assert found("openai-request", {**strict, "parallel_tool_calls": True}) == {"OA115": "error"}
    assert found("openai-request", {**strict, "parallel_tool_calls": False}) == {}


ADM_BREAKS: list[tuple[str, tuple[str | int, ...], Json, dict[str, str]]] = [
    ("adm-call", ("call", "args"), {}, {"OA016": "error"}),
    ("adm-call", ("call", "args"), [], {"ADM303": "error"}),
    ("adm-call", ("call", "args"), None, {"ADM303": "error", "ADM219": "error"}),
    ("adm-call", ("call", "name"), "get_Weather", {"OA014": "error"}),
    ("adm-call", ("call", "args", "city"), "rome", {"OA016": "error"}),
    ("adm-call", ("call", "args", "city"), None, {"OA016": "error"}),
    ("adm-call", ("call", "args", "days"), "3", {"OA016": "error"}),
    ("adm-call", ("call", "args", "days"), 3.5, {"OA016": "error"}),
    ("adm-call", ("call", "args", "days"), 3.0, {"ADM009": "warning"}),
    ("adm-call", ("call", "args", "days"), 2**63, {"ADM010": "error"}),
    ("adm-call", ("call", "args", "warm"), "true", {"OA016": "error"}),
    ("adm-call", ("call", "args", "height"), 3, {}),
    ("adm-call", ("call", "args", "tags"), [], {}),
    ("adm-call", ("call", "args", "tags"), ["a", 1], {"OA016": "error"}),
    ("adm-call", ("call", "args", "place"), {}, {"OA016": "error"}),
    ("adm-call", ("call", "args", "place"), {"lat": 1, "lon": 2}, {"ADM008": "error"}),
    ("adm-call", ("call", "args", "extra"), {"any": [None]}, {}),
    ("adm-call", ("call", "args", "extra"), [], {"OA016": "error"}),
    ("adm-call", ("call", "args", "wind"), 1, {"ADM008": "error"}),
    ("adm-call", ("call", "id"), 1, {"ADM304": "warning"}),
    ("adm-call", ("call", "x_id"), 1, {}),
    ("adm-call", ("tool", "function_declarations"), [], {"ADM204": "error", "OA014": "error"}),
    ("adm-call", ("tool", "_adm_version"), "2.0.0", {"ADM252": "error"}),
    ("adm-call", ("_adm_version",), "2.0.0", {"ADM252": "error"}),
    ("adm-call", ("_adm_version",), "1.0.3", {}),
    ("adm-result", ("_adm_version",), "3.1.0", {"ADM252": "error"}),
    ("adm-result", ("_adm_version",), "newest", {"ADM251": "error"}),
    ("adm-call", ("tool", "_adm_version"), "1.9.0", {}),
    ("adm-result", ("result", "name"), "get_wind", {"ADM101": "error"}),
    ("adm-result", ("result", "content"), None, {}),
    ("adm-result", ("result", "content"), ..., {"ADM324": "error"}),
    ("adm-result", ("result", "error"), {"message": "No."}, {"ADM325": "error"}),
    ("adm-result", ("result", "status"), "ERROR", {"ADM326": "error", "ADM327": "error"}),
    ("adm-result", ("result", "status"), "PARTIAL", {"ADM323": "error"}),
    ("adm-result", ("result", "status"), "success", {"ADM323": "error"}),
    ("adm-result", ("result", "_version"), "1.2.0", {}),
    ("adm-result", ("result", "_version"), "2.2.0", {"ADM252": "error"}),
    ("adm-result", ("result", "metadata"), {}, {"ADM329": "warning"}),
    ("adm-result", ("result", "x_trace"), None, {"ADM219": "error"}),
]


@each_row(("form", "path", "value", "codes"), ADM_BREAKS)
def test_calls_and_results_of_adm(form: str, path: tuple[str | int, ...], value: Json, codes: dict[str, str]) -> None:
    assert found(form, broken(form, 0, path, value)) == codes


@each_row(("error", "codes"), [
    ({"message": "No.", "type": "RESOURCE_NOT_FOUND"}, {}),
    ({"message": "No."}, {}),
    ({"message": ""}, {"ADM110": "error"}),
    ({"message": "  "}, {"ADM110": "error"}),
    ({"type": "INVALID_STATE"}, {"ADM110": "error"}),
    ({"message": 5}, {"ADM110": "error"}),
    ({"message": "a" * 501}, {"ADM111": "warning"}),
    ({"message": "No.", "type": 5}, {"ADM109": "error"}),
    ({"message": "No.", "type": None}, {"ADM219": "error"}),
    ({"message": "No.", "type": "MY_TYPE"}, {"ADM108": "warning"}),
    ({"message": "No.", "type": "myType"}, {"ADM108": "warning", "ADM330": "warning"}),
    ({"message": "No.", "details": {}}, {"ADM112": "warning"}),
    ({"message": "No.", "x_details": {}}, {}),
    ("No.", {"ADM328": "error"}),
    (None, {"ADM328": "error", "ADM219": "error"}),
])  # fmt: skip
def test_error_objects_of_adm(error: Json, codes: dict[str, str]) -> None:
    assert found("adm-result", {"name": "f", "status": "ERROR", "error": error}) == codes


def test_a_newer_minor_version_is_read_with_tolerance_and_a_newer_major_refused() -> None:
    newer = {**tool(), "retrieval_declarations": []}
    newer["function_declarations"][0]["deprecated"] = True
    newer["function_declarations"][0]["parameters"]["properties"]["when"] = {"type": "DATETIME"}
    newer["function_declarations"][0]["parameters"]["properties"]["kind"] = {"type": "UNION", "of": []}
    assert found("adm-tool", newer) == {"ADM206": "warning", "ADM218": "warning", "ADM223": "error",
                                        "ADM224": "error", "ADM240": "warning"}  # fmt: skip
    assert found("adm-tool", {**newer, "_adm_version": "1.2.0"}) == {"ADM223": "warning", "ADM224": "warning"}
    assert found("adm-tool", {**newer, "_adm_version": "1.0.7"}) == found("adm-tool", newer)
    assert found("adm-tool", {**newer, "_adm_version": "2.0.0", "function_declarations": 5}) == {"ADM252": "error"}


@pytest.mark.parametrize("form", list(ENTITIES))
def test_a_line_is_one_value(form: str) -> None:
    lines = [orjson.dumps(VALID[form][0]), b"{", b"[" * 2000 + b"]" * 2000, b'{"a":1,"a":2}', b"5", b""]
    tally = Tally()
    located = list(check_lines(io.BytesIO(b"\n".join(lines)), tally, Standard(judge=ENTITIES[form])))
    assert tally.records == 5
    assert tally.passed == 1
    assert {each.line for each in located} == {2, 3, 4, 5}
    assert "TC115" in {each.rule for each in located if each.line == 4}


LOOSE = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
WORDS = st.sampled_from(
    "messages tools role content tool_calls function name arguments id type delta message choices index usage call "
    "tool result args status error function_declarations parameters properties items enum required request response "
    "_adm_version 1.2.0 2.0.0 chatcmpl-1 call_1 assistant user STRING OBJECT SUCCESS ERROR object null".split()
)
ANY = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=15,
)


@pytest.mark.parametrize("form", list(ENTITIES))
@LOOSE
@given(st.data())
def test_whatever_stands_there_is_judged(form: str, data: st.DataObject) -> None:
    document = data.draw(ANY | st.sampled_from(VALID[form]).map(copied))
    for _ in range(data.draw(st.integers(0, 3))):
        spots = places(document)
        if spots:
            holder, key = data.draw(st.sampled_from(spots))
            holder[key] = data.draw(ANY)
    for violation in ENTITIES[form](document):
        violation.model_dump_json()


@pytest.mark.parametrize("form", list(ENTITIES))
def test_depth_and_size_are_no_danger(form: str) -> None:
    deep: Json = 1
    for _ in range(120):
        deep = {"items": [deep], "properties": {"a": deep}} if _ < 8 else {"items": deep}
    for path, holder in [(key, copied(VALID[form][0])) for key in ("messages", "choices", "call", "result", "tools")]:
        if isinstance(holder, dict):
            holder[path] = deep
            holder["max_tokens"] = 10**400
        assert list(ENTITIES[form](holder)) is not None


def test_many_choices_after_many_messages_are_no_danger() -> None:
    pair = copied(VALID["openai-response"][1])
    pair["request"]["messages"] = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}] * 5000
    pair["response"]["choices"] *= 5000
    assert found("openai-response", pair) == {"OA139": "error"}
