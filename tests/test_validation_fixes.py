"""Every fix mends what it says it mends: a valid record, broken in one way, comes back as it was."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from generator.validation import RULES, check
from generator.validation.fixes.mending import FIXES, fixes_of, mend
from tests.record_examples import CATALOG, FIRST, KINDS, SECOND
from tests.tables import each_row
from tests.test_validation_fuzz import ANY_JSON, WORDS, mutated

Json = Any  # parsed JSON
Break = Callable[[Json], Any]


def turn(record: Json) -> Json:
    return next(message for message in record["messages"] if "tool_calls" in message)


def calls(record: Json) -> list[Json]:
    return list(turn(record)["tool_calls"])


def function(record: Json, index: int = 0) -> Json:
    return calls(record)[index]["function"]


def results(record: Json) -> list[Json]:
    return [message for message in record["messages"] if message["role"] == "tool"]


def shown(record: Json, index: int = 0) -> Json:
    return record["tools"][index]["function"]


def parameters(record: Json) -> Json:
    return shown(record)["parameters"]


def setting(key: str, value: Json, where: Callable[[Json], Json]) -> Break:
    def break_it(record: Json) -> None:
        where(record)[key] = value

    return break_it


def dropping(key: str, where: Callable[[Json], Json]) -> Break:
    def break_it(record: Json) -> None:
        del where(record)[key]

    return break_it


def as_text(key: str, where: Callable[[Json], Json]) -> Break:
    def break_it(record: Json) -> None:
        where(record)[key] = json.dumps(where(record)[key])

    return break_it


def itself(record: Json) -> Json:
    return record


def flatten_call(record: Json) -> None:
    call = calls(record)[0]
    call.update(call.pop("function"))


def flatten_tool(record: Json) -> None:
    tool = record["tools"][0]
    tool.update(tool.pop("function"))


def anthropic_tool(record: Json) -> None:
    shown(record)["input_schema"] = shown(record).pop("parameters")


def function_call(record: Json) -> None:
    message = turn(record)
    message["function_call"] = message.pop("tool_calls")[0]["function"]
    message["content"] = None
    answer = results(record)[0]
    answer["role"] = "function"
    del answer["tool_call_id"]


def function_call_of_today(record: Json) -> None:
    message = turn(record)
    message["function_call"] = message.pop("tool_calls")[0]["function"]


def functions(record: Json) -> None:
    record["functions"] = [tool["function"] for tool in record.pop("tools")]


def renamed_ids(*names: Json) -> Break:
    """Other ids in calls, results and statuses; new ones cannot be what they were, so the links are compared."""

    def break_it(record: Json) -> None:
        statuses = record["metadata"]["statuses"]
        for call, result, name in zip(calls(record), results(record), names, strict=True):
            statuses.pop(call["id"], None)
            call["id"] = result["tool_call_id"] = name
            if isinstance(name, str):
                statuses[name] = "SUCCESS"

    return break_it


def swap_results(record: Json) -> None:
    record["messages"][3], record["messages"][4] = record["messages"][4], record["messages"][3]


def repeat_result(record: Json) -> None:
    record["messages"].insert(4, copy.deepcopy(record["messages"][3]))


def unlink_results(record: Json) -> None:
    for result in results(record):
        del result["tool_call_id"]


def misname_link(record: Json) -> None:
    results(record)[0]["tool_call_id"] = "zzzzzzzzz"


def repeat_tool(record: Json) -> None:
    record["tools"].append(copy.deepcopy(record["tools"][0]))


def upper_types(record: Json) -> None:
    parameters(record)["type"] = "OBJECT"
    parameters(record)["properties"]["city"]["type"] = "STRING"


def python_types(record: Json) -> None:
    parameters(record)["properties"]["city"]["type"] = "str"
    parameters(record)["properties"]["place"]["type"] = "dict"
    parameters(record)["properties"]["place"]["properties"]["lat"]["type"] = "float"


def null_keywords(record: Json) -> None:
    parameters(record)["properties"]["city"]["enum"] = None
    parameters(record)["properties"]["days"]["maximum"] = None


def required_flags(record: Json) -> None:
    del parameters(record)["required"]
    parameters(record)["properties"]["city"]["required"] = True
    parameters(record)["properties"]["days"]["required"] = False


def spaced_result(record: Json) -> None:
    results(record)[0]["content"] = '{ "temperature" : 21.50 }'


def parts_of_text(record: Json) -> None:
    said = record["messages"][1]["content"]
    record["messages"][1]["content"] = [{"type": "text", "text": said[:7]}, {"type": "text", "text": said[7:]}]


def ends_with(token: str) -> Break:
    def break_it(record: Json) -> None:
        record["messages"][-1]["content"] += token

    return break_it


def starts_with(text: str) -> Break:
    def break_it(record: Json) -> None:
        record["messages"][-1]["content"] = text + record["messages"][-1]["content"]

    return break_it


def odd_name(record: Json) -> None:
    shown(record)["name"] = "get weather!"
    for holder in (function(record), results(record)[0]):
        holder["name"] = "get weather!"


def fail_with(**error: Json) -> Break:
    def break_it(record: Json) -> None:
        results(record)[0]["content"] = json.dumps({"error": error}, separators=(",", ":"))

    return break_it


def late_result(record: Json) -> None:
    record["messages"][3:4] = []
    record["messages"].append(KINDS["simple"]()["messages"][3])


def early_result(record: Json) -> None:
    record["messages"][2], record["messages"][3] = record["messages"][3], record["messages"][2]


def same_call_twice(record: Json) -> None:
    function(record, 1).update(copy.deepcopy(function(record, 0)))


RESTORED: list[tuple[str, str, Break]] = [
    ("DF002", "simple", as_text("messages", itself)),
    ("DF003", "simple", as_text("tool_calls", turn)),
    ("DF003", "simple", lambda record: turn(record).update(tool_calls=calls(record)[0])),
    ("DF004", "simple", as_text("arguments", function)),
    ("DF004", "simple", lambda record: function(record).update(arguments=json.dumps('{"city":"Rome"}'))),
    ("DF007", "simple", dropping("type", lambda record: calls(record)[0])),
    ("DF007", "simple", setting("type", "tool", lambda record: calls(record)[0])),
    ("DF008", "simple", misname_link),
    ("DF009", "simple", setting("content", {"temperature": 21.5}, lambda record: results(record)[0])),
    ("OA002", "simple", lambda record: record["messages"].__setitem__(1, json.dumps(record["messages"][1]))),
    ("OA003", "simple", setting("role", "human", lambda record: record["messages"][1])),
    ("OA003", "simple", setting("role", "function", lambda record: results(record)[0])),
    ("OA003", "simple", setting("role", "Assistant", lambda record: record["messages"][-1])),
    ("OA003", "simple", setting("role", "developer", lambda record: record["messages"][0])),
    ("OA004", "simple", parts_of_text),
    ("OA005", "simple", setting("tool_calls", [], lambda record: record["messages"][1])),
    ("OA007", "parallel", unlink_results),
    ("OA007", "parallel_multiple", unlink_results),
    ("OA012", "simple", flatten_call),
    ("OA012", "simple", lambda record: turn(record)["tool_calls"].__setitem__(0, json.dumps(calls(record)[0]))),
    ("OA013", "simple", setting("name", "functions.get_weather", function)),
    ("OA013", "simple", setting("name", " get_weather", function)),
    ("OA015", "simple", setting("arguments", "{'city': 'Rome'}", function)),
    ("OA017", "simple", as_text("tools", itself)),
    ("OA017", "simple", lambda record: record.update(tools=record["tools"][0])),
    ("OA018", "simple", lambda record: record["tools"].__setitem__(0, json.dumps(record["tools"][0]))),
    ("OA019", "simple", dropping("type", lambda record: record["tools"][0])),
    ("OA020", "simple", flatten_tool),
    ("OA021", "multiple", repeat_tool),
    ("OA023", "simple", anthropic_tool),
    ("OA023", "simple", as_text("parameters", shown)),
    ("OA024", "simple", python_types),
    ("OA024", "simple", null_keywords),
    ("OA024", "simple", required_flags),
    ("OA025", "simple", dropping("type", parameters)),
    ("OA025", "simple", setting("type", None, parameters)),
    ("OA026", "multiple", setting("strict", "true", lambda record: shown(record, 1))),
    ("TC001", "simple", dropping("content", turn)),
    ("TC001", "simple", setting("content", None, turn)),
    ("TC003", "simple", setting("tool_calls", None, lambda record: record["messages"][-1])),
    ("TC004", "simple", setting("tool_calls", [], lambda record: record["messages"][-1])),
    ("TC005", "simple", dropping("name", lambda record: results(record)[0])),
    ("TC006", "parallel", swap_results),
    ("TC011", "parallel", unlink_results),
    ("TC012", "parallel", repeat_result),
    ("TC014", "simple", ends_with("</s>")),
    ("TC016", "simple", spaced_result),
    ("TC107", "simple", upper_types),
    ("TC110", "simple", setting("strict", None, shown)),
    ("TC111", "simple", as_text("metadata", itself)),
    ("OA016", "simple", lambda record: function(record)["arguments"].update(day=None)),
    ("Q3001", "simple", ends_with("<|im_end|>\n")),
    ("Q3003", "simple", starts_with("<think>\n\n</think>\n\n")),
    ("ADM108", "failed", fail_with(type="resourceNotFound", message="There is no such city.")),
    ("ADM102", "simple", lambda record: record["metadata"]["statuses"].clear()),
    ("ADM102", "failed", lambda record: record["metadata"]["statuses"].clear()),
    ("ADM103", "simple", lambda record: record["metadata"]["statuses"].update(aaaaaaaaa="SUCCESS")),
]
"""A rule, a kind, and what breaks it: mended, the record is what it was."""

MENDED: list[tuple[str, str, Break]] = [
    ("DF005", "simple", renamed_ids("call_123")),
    ("DF005", "parallel", renamed_ids("call_aB3dE6gH9", 7)),
    ("DF006", "parallel", renamed_ids(FIRST, FIRST)),
    ("DF006", "parallel_multiple", renamed_ids(SECOND, SECOND)),
    ("DF004", "simple", lambda record: (function(record).pop("arguments"), parameters(record).pop("required"))),
    ("OA015", "simple", lambda record: (function(record).update(arguments=""), parameters(record).pop("required"))),
    ("OA004", "simple", function_call),
    ("OA010", "simple", function_call_of_today),
    ("TC102", "multiple", functions),
    ("TC103", "simple", function_call),
    ("OA024", "simple", lambda record: parameters(record)["properties"]["city"].update(type=["str", "NULL"])),
    ("OA004", "simple", setting("content", 7, lambda record: record["messages"][1])),
    ("OA008", "simple", setting("content", None, lambda record: results(record)[0])),
    ("OA011", "simple", setting("parallel_tool_calls", "true", itself)),
    ("OA016", "simple", lambda record: function(record)["arguments"].update(days="3")),
    ("OA016", "simple", lambda record: function(record)["arguments"].update(place={"lat": "4.50", "lon": "12"})),
    ("OA016", "simple", lambda record: (
        parameters(record)["properties"]["city"].update(enum=["Rome"]),
        function(record)["arguments"].update(city="ROME"))),
    ("OA023", "irrelevance", dropping("parameters", shown)),
    ("TC207", "simple", lambda record: record["metadata"].update(grounding={FIRST: {}, "nobody": 1})),
    ("TC017", "simple", lambda record: function(record)["arguments"].update(days=None)),
    ("TC102", "irrelevance", dropping("tools", itself)),
    ("TC105", "irrelevance", setting("parameters", {"type": "object"}, shown)),
    ("TC108", "simple", lambda record: parameters(record)["properties"].update(
        note={"type": ["string", "null"], "description": "A note."})),
    ("TC108", "simple", lambda record: parameters(record)["properties"].update(
        note={"type": ["string", "null"], "description": "A note.", "enum": ["a", None]})),
    ("ADM006", "simple", lambda record: parameters(record)["properties"].update(
        list={"type": "array", "description": "A list."})),
    ("ADM007", "simple", lambda record: parameters(record)["properties"]["city"].update(enum=["Rome", "Oslo", "Rome"])),
    ("ADM009", "simple", lambda record: function(record)["arguments"].update(days=3.0)),
]  # fmt: skip
"""A rule, a kind, and what breaks it: mended, the record passes, though it is another than before it was broken."""


LOSING: list[tuple[str, str, Break]] = [
    ("DF010", "simple", setting("content", "It is warm.", lambda record: results(record)[0])),
    ("OA004", "simple", dropping("content", lambda record: record["messages"][-1])),
    ("OA006", "simple", setting("tool_call_id", FIRST, lambda record: record["messages"][1])),
    ("OA008", "simple", dropping("content", lambda record: results(record)[0])),
    ("OA009", "simple", early_result),
    ("OA010", "simple", late_result),
    ("TC007", "simple", lambda record: record["messages"].insert(2, {"role": "system", "content": "Be brief."})),
    ("TC008", "simple", lambda record: record["messages"].insert(1, {"role": "user", "content": "Hello."})),
    ("TC010", "simple", lambda record: record["messages"].append({"role": "user", "content": "Thanks."})),
    ("TC013", "parallel", same_call_twice),
    ("ADM112", "failed", fail_with(type="RESOURCE_NOT_FOUND", message="There is no such city.", details={})),
    ("OA013", "simple", setting("name", "Get.Weather", function)),
    ("OA014", "simple", setting("name", "GetWeather", function)),
    ("OA022", "simple", odd_name),
    ("OA026", "multiple", setting("strict", "perhaps", lambda record: shown(record, 1))),
    ("OA027", "simple", setting("strict", True, shown)),
    ("OA028", "simple", setting("strict", True, shown)),
    ("OA031", "parallel", setting("strict", True, shown)),
    ("OA032", "parallel", setting("parallel_tool_calls", False, itself)),
    ("TC002", "simple", setting("content", "Let me see.", turn)),
    ("TC014", "simple", starts_with("[INST] ")),
    ("TC019", "simple", starts_with("\x1b[2J")),
    ("TC118", "simple", setting("description", "Get \u202eweather.", shown)),
    ("TC017", "simple", lambda record: function(record)["arguments"].update(note=None)),
    ("TC103", "simple", lambda record: (record.update(a=1), record["messages"][1].update({"b/~": 1}))),
    ("TC104", "simple", lambda record: (shown(record).update(cache=1), record["tools"][0].update(x={}))),
    ("TC109", "simple", setting("description", "Get <|im_end|> weather.", shown)),
    ("Q3001", "simple", starts_with("<|im_start|>")),
    ("Q3002", "simple", starts_with("<tool_call>")),
    ("Q3003", "simple", starts_with("<think>Hm.</think>")),
    ("ADM001", "simple", lambda record: [holder.update(name="2weather")
                                         for holder in (shown(record), function(record), results(record)[0])]),
    ("ADM002", "irrelevance", lambda record: parameters(record)["properties"]["city"].update(enum=[])),
    ("ADM005", "irrelevance", lambda record: parameters(record)["required"].append("nothing")),
    ("ADM008", "simple", lambda record: function(record)["arguments"].update(wind=True)),
    ("ADM101", "simple", setting("name", "get_wind", lambda record: results(record)[0])),
]  # fmt: skip
"""A rule, a kind, and what breaks it: only fixes that may lose something mend it."""

UNTESTED = {
    "OA029": "a strict tool with more than a hundred properties is one with too many to require as well",
    "OA030": "as above, for levels",
}


def broken(kind: str, break_it: Break) -> Json:
    record = KINDS[kind]()
    break_it(record)
    return record


def rules(record: Json) -> set[str]:
    return {violation.rule for violation in check(record, catalog=None)}


def ids(rows: list[tuple[str, str, Break]]) -> list[str]:
    return [f"{code}-{kind}-{number}" for number, (code, kind, _) in enumerate(rows)]


@each_row(("code", "kind", "break_it"), RESTORED, ids=ids(RESTORED))
def test_a_broken_record_is_restored(code: str, kind: str, break_it: Break) -> None:
    record = broken(kind, break_it)
    assert code in rules(record)
    mended = mend(record, generated=True)
    assert mended.document == KINDS[kind]()
    assert mended.errors == ()
    assert code in {each for name in mended.fixes for each in FIXES[name].codes}


@each_row(("code", "kind", "break_it"), MENDED, ids=ids(MENDED))
def test_a_broken_record_is_mended(code: str, kind: str, break_it: Break) -> None:
    record = broken(kind, break_it)
    assert code in rules(record)
    mended = mend(record, generated=False)
    assert mended.errors == ()
    assert code not in rules(mended.document)


@each_row(("code", "kind", "break_it"), LOSING, ids=ids(LOSING))
def test_what_may_lose_something_is_mended_only_where_that_is_asked_for(code: str, kind: str, break_it: Break) -> None:
    record = broken(kind, break_it)
    assert code in rules(record)
    assert code in rules(mend(record, generated=True).document)
    mended = mend(record, generated=True, unsafe=True)
    assert code not in rules(mended.document)
    used = [FIXES[name] for name in mended.fixes]
    assert any(code in fix.codes and not fix.is_safe for fix in used)


def test_every_rule_that_a_fix_mends_is_tested() -> None:
    tested = {code for code, _, _ in (*RESTORED, *MENDED)} | {code for code, _, _ in LOSING}
    assert {code for fix in FIXES.values() for code in fix.codes} == tested | set(UNTESTED)
    assert {code for fix in FIXES.values() if fix.is_safe for code in fix.codes} == {
        code for code, _, _ in (*RESTORED, *MENDED)
    }
    assert all(code in RULES for fix in FIXES.values() for code in fix.codes)


def test_every_fix_is_used_by_a_test() -> None:
    used = {name for code, kind, break_it in (*RESTORED, *MENDED, *LOSING)
            for name in mend(broken(kind, break_it), generated=True, unsafe=True).fixes}  # fmt: skip
    assert set(FIXES) == used


def test_fixes_have_names_and_say_what_they_do() -> None:
    for name, fix in FIXES.items():
        assert name == fix.name == name.lower()
        assert fix.summary.endswith(".")
        assert fix in fixes_of(fix.codes[0])


@each_row("kind", list(KINDS))
@each_row("unsafe", [False, True])
def test_a_valid_record_is_left_alone(kind: str, unsafe: bool) -> None:
    assert mend(KINDS[kind](), catalog=CATALOG, unsafe=unsafe) == mend(KINDS[kind](), catalog=CATALOG)
    mended = mend(KINDS[kind](), catalog=CATALOG, unsafe=unsafe)
    assert (mended.document, mended.fixes, mended.errors) == (KINDS[kind](), (), ())


def test_results_follow_the_ids_of_their_calls() -> None:
    record = broken("parallel_multiple", renamed_ids("same", "same"))
    record["messages"][3]["content"], record["messages"][4]["content"] = '"first"', '"second"'
    mended = mend(record).document
    assert [result["tool_call_id"] for result in results(mended)] == [call["id"] for call in calls(mended)]
    assert [result["content"] for result in results(mended)] == ['"first"', '"second"']
    assert set(mended["metadata"]["statuses"]) == {call["id"] for call in calls(mended)}


def test_an_id_that_two_turns_use_is_told_apart() -> None:
    record = KINDS["simple"]()
    again = copy.deepcopy(record["messages"][1:])
    record["messages"] += again
    assert "DF006" in rules(record)
    mended = mend(record, generated=False)
    assert mended.errors == ()
    made = [message["tool_calls"][0]["id"] for message in mended.document["messages"] if "tool_calls" in message]
    assert made[0] == FIRST
    assert [result["tool_call_id"] for result in results(mended.document)] == made


def test_results_are_not_linked_where_their_numbers_differ() -> None:
    record = broken("parallel", unlink_results)
    del record["messages"][4]
    assert {"OA007"} <= {error.rule for error in mend(record).errors}


def test_results_are_linked_by_name_before_place() -> None:
    record = broken("parallel_multiple", unlink_results)
    swap_results(record)
    mended = mend(record).document
    assert mended == KINDS["parallel_multiple"]()


def test_digits_are_never_lost() -> None:
    record = broken("simple", setting("content", '{ "temperature": 123456789012345678901234567890 }',
                                      lambda record: results(record)[0]))  # fmt: skip
    assert results(mend(record).document)[0]["content"] == '{"temperature":123456789012345678901234567890}'


def test_ids_are_the_same_wherever_they_are_made() -> None:
    record = broken("simple", renamed_ids("call_123"))
    assert calls(mend(record).document)[0]["id"] == calls(mend(copy.deepcopy(record)).document)[0]["id"] == "GawElCcqI"


def test_nullable_types_mean_what_they_meant() -> None:
    from generator.schemas.validators import validator_for

    schema = {"type": ["string", "integer", "null"], "maxLength": 2, "minimum": 3, "enum": ["ab", "abc", 4, 1, None]}
    record = broken("irrelevance", lambda record: parameters(record)["properties"].update(x=dict(schema)))
    written = parameters(mend(record).document)["properties"]["x"]
    assert "anyOf" in written
    values: list[Json] = ["ab", "abc", 4, 1, None, True, 5, "a", [], {}]
    for value in values:
        assert validator_for(written).is_valid(value) == validator_for(schema).is_valid(value)


def one_call(identity: Json) -> Json:
    return {"id": identity, "type": "function", "function": {"name": "f", "arguments": {}}}


def conversation(calls_made: list[Json], answers: list[Json], *more: Json) -> Json:
    turn_of_calls = {"role": "assistant", "content": "", "tool_calls": calls_made}
    end = {"role": "assistant", "content": "y"}
    return {"messages": [{"role": "user", "content": "x"}, turn_of_calls, *answers, *more, end], "tools": []}


def answer(text: str, **more: Json) -> Json:
    return {"role": "tool", "content": text, **more}


MANY = 2_000
NESTED: Json = {"type": "string"}
for _ in range(60):
    NESTED = {"type": ["string", "object", "integer", "null"], "properties": {"a": NESTED}}
HUGE: list[Json] = [
    conversation([one_call("a")] * MANY, [answer("1", tool_call_id="a")] * MANY),
    conversation([one_call(None)] * MANY, [answer("1")] * MANY),
    conversation([one_call(FIRST)], [answer(str(number), tool_call_id=FIRST) for number in range(MANY // 10)]),
    conversation([one_call(FIRST)], [answer("1", tool_call_id=FIRST)] * MANY),
    conversation([one_call(FIRST)], [answer("1", tool_call_id=FIRST)], *[{"role": "user", "content": "z"}] * MANY),
    {"messages": [{"role": "user", "content": "</s>a" + " " * 10 * MANY + "b</s>"}], "tools": []},
    {"messages": [{"role": "user", "content": "</s> " * MANY}], "tools": []},
    {
        "messages": [],
        "tools": [{"function": {"name": "f", "parameters": {"type": "object", "properties": {"n": NESTED}}}}],
    },
]
"""Records that would take minutes, or all memory, where a fix compared each part with every other."""


@pytest.mark.parametrize("number", range(len(HUGE)))
def test_size_is_no_danger(number: int) -> None:
    mended = mend(HUGE[number], unsafe=True)
    assert len(orjson.dumps(mended.document)) < 4 * len(orjson.dumps(HUGE[number])) + 1000


LOOSE = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@LOOSE
@given(mutated() | st.dictionaries(WORDS, ANY_JSON, max_size=5) | ANY_JSON, st.booleans())
def test_mending_twice_changes_nothing_more(document: Json, unsafe: bool) -> None:
    before = copy.deepcopy(document)
    once = mend(document, unsafe=unsafe)
    assert repr(document) == repr(before)
    twice = mend(once.document, unsafe=unsafe)
    assert repr(twice.document) == repr(once.document)
    assert twice.errors == once.errors
    if not once.errors:
        held = "toolgen_version" in (once.document.get("metadata") or {})
        assert [each for each in check(once.document, generated=held) if each.severity == "error"] == []


def test_a_repeated_call_with_an_empty_id_takes_no_message_but_its_result_along() -> None:
    record = KINDS["simple"]()
    turn(record)["tool_calls"] = [calls(record)[0], {**calls(record)[0], "id": ""}]
    record["messages"] += ["no message", {**results(record)[0], "tool_call_id": ""}]
    whole = copy.deepcopy(record["messages"])
    FIXES["repeated-calls-left-out"].mend(record)
    assert calls(record) == calls({"messages": whole})[:1]
    assert [each for each in record["messages"] if "tool_calls" not in each] == [
        each for each in whole[:-1] if "tool_calls" not in each
    ]


def test_a_record_is_held_to_what_its_metadata_claim_once_they_are_read() -> None:
    record = KINDS["simple"]()
    function(record)["arguments"]["note"] = None
    record["metadata"] = json.dumps(record["metadata"])
    once = mend(record, unsafe=True)
    assert once.fixes == ("objects-from-text", "nullable-arguments-left-out")
    assert mend(once.document, unsafe=True).document == once.document


def is_json(record: Any) -> bool:
    """Say whether JSON can hold what faults came to: one sets a place of a list that another made an object."""
    try:
        return bool(orjson.dumps(record))
    except TypeError:
        return False


BREAKS = st.lists(st.sampled_from([*RESTORED, *MENDED, *LOSING]).map(lambda row: row[2]), min_size=2, max_size=5)


@LOOSE
@given(st.sampled_from(sorted(KINDS)), BREAKS, st.booleans())
def test_faults_together_are_mended_once_and_for_all(kind: str, breaks: list[Break], unsafe: bool) -> None:
    record = KINDS[kind]()
    for break_it in breaks:
        try:
            break_it(record)
        except (KeyError, IndexError, TypeError, AttributeError, StopIteration, ValueError):
            continue  # an earlier fault took what this one breaks
    assume(is_json(record))
    once = mend(record, unsafe=unsafe)
    assert orjson.dumps(mend(once.document, unsafe=unsafe).document) == orjson.dumps(once.document)
