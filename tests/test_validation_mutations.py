"""Valid records of every kind, broken in every way a rule names: each is caught by the rule that should."""

from __future__ import annotations

import math
import pickle
from functools import cache
from typing import Any

import pytest

from generator import generate_records
from generator.kinds import KINDS
from generator.validation import RULES, check
from tests import record_mutations as how
from tests.bundled import bundled, bundled_tools
from tests.record_mutations import Mutation, losing, metadata, on, setting, whole
from tests.tables import each_row

Json = Any  # parsed JSON

CATALOG = bundled()
OF_LINES = {"TC115", "TC116", "TC302"}
"""Broken by lines, not by parsed records."""
PER_KIND = 2
ERROR_RATES = (0.0, 1.0)

call, result, turn, definition = how.calls, how.results, how.turns, how.functions


def user(record: Json) -> list[Json]:
    return how.spoken(record, "user")


def answer(record: Json) -> list[Json]:
    return how.spoken(record, "assistant")


def shown(record: Json) -> list[Json]:
    return list(record["tools"])


def arguments(value: Json) -> Any:
    return on(call, lambda each: each["function"].update(arguments=value))


MUTATIONS = [
    Mutation("DF002", "messages are an object", whole(setting("messages", {"role": "user"}))),
    Mutation("DF002", "messages are missing", whole(losing("messages"))),
    Mutation("DF002", "messages are null", whole(setting("messages", None))),
    Mutation("DF003", "calls are an object", on(turn, lambda each: each.update(tool_calls=each["tool_calls"][0]))),
    Mutation("DF003", "calls are text", on(turn, setting("tool_calls", "get_weather()"))),
    Mutation("DF004", "arguments are text", arguments("{}")),
    Mutation("DF004", "arguments are a list", arguments([])),
    Mutation("DF004", "arguments are null", arguments(None)),
    Mutation("DF004", "arguments are missing", on(call, lambda each: each["function"].pop("arguments"))),
    *[
        Mutation("DF005", f"the id is {bad!r}", on(call, setting("id", bad)))
        for bad in ("short", "tenletters", "nine-char", "aB3dE6gH9\n", 123456789, None)
    ],
    Mutation("DF006", "two calls have one id", how.second_id),
    Mutation("DF007", "the type of a call is tool", on(call, setting("type", "tool"))),
    Mutation("DF007", "the type of a call is missing", on(call, losing("type"))),
    Mutation("DF008", "a result answers no call", on(result, setting("tool_call_id", how.UNCALLED))),
    Mutation("DF009", "a result is an object", on(result, setting("content", {"a": 1}))),
    Mutation("DF010", "a result is prose", on(result, setting("content", "It is done."))),
    Mutation("OA001", "there are no messages", whole(setting("messages", []))),
    Mutation("OA002", "a message is text", whole(lambda record: record["messages"].append("Hello."))),
    Mutation("OA002", "a message is null", whole(lambda record: record["messages"].append(None))),
    Mutation("OA003", "a role is unknown", on(user, setting("role", "developer"))),
    Mutation("OA003", "a role is missing", on(user, losing("role"))),
    Mutation("OA003", "a role is empty", on(user, setting("role", ""))),
    Mutation("OA004", "a request is a list of parts", on(user, setting("content", [{"type": "text", "text": "Hi."}]))),
    Mutation("OA004", "a request is null", on(user, setting("content", None))),
    Mutation("OA004", "an answer is missing", on(answer, losing("content"))),
    Mutation("OA005", "the user calls", on(user, setting("tool_calls", []))),
    Mutation("OA006", "the user names a call", on(user, setting("tool_call_id", how.UNCALLED))),
    Mutation("OA007", "a result names no call", on(result, losing("tool_call_id"))),
    Mutation("OA007", "a result names null", on(result, setting("tool_call_id", None))),
    Mutation("OA008", "a result is missing", on(result, losing("content"))),
    Mutation("OA008", "a result is null", on(result, setting("content", None))),
    Mutation("OA009", "a result stands before its call", how.results_first),
    Mutation("OA010", "the user speaks between calls and results", how.user_between),
    Mutation("OA011", "parallel calls are allowed in words", whole(setting("parallel_tool_calls", "no"))),
    Mutation("OA012", "a call is text", on(turn, lambda each: each["tool_calls"].append("get_weather"))),
    Mutation("OA012", "a call has no function", on(call, losing("function"))),
    Mutation("OA012", "a call is empty", on(turn, lambda each: each["tool_calls"].append({}))),
    Mutation("OA013", "a called name has a blank", how.rename_call("get weather")),
    Mutation("OA013", "a called name ends a line", how.rename_call("get_weather\n")),
    Mutation("OA013", "a called name is a number", how.rename_call(7)),
    Mutation("OA014", "a called tool is not shown", how.rename_call("no_such_tool")),
    Mutation("OA015", "arguments are no JSON", arguments('{"a":')),
    Mutation("OA016", "a required argument is missing", how.each_call(how.lose_required)),
    Mutation("OA016", "an argument is outside its enum", how.each_call(how.leave_enum)),
    Mutation("OA016", "an argument is of another type", how.each_call(how.leave_type)),
    Mutation("OA017", "the tools are an object", whole(setting("tools", {}))),
    Mutation("OA018", "a tool is text", whole(lambda record: record["tools"].append("get_time"))),
    Mutation("OA019", "the type of a tool is missing", on(shown, losing("type"))),
    Mutation("OA019", "the type of a tool is code", on(shown, setting("type", "code"))),
    Mutation("OA020", "a tool has no function", on(shown, losing("function"))),
    Mutation("OA021", "a tool is shown twice", how.show_again),
    Mutation("OA022", "a tool's name has a dot", on(definition, setting("name", "a.b"))),
    Mutation("OA022", "a tool has no name", on(definition, losing("name"))),
    Mutation("OA023", "a tool has no parameters", on(definition, losing("parameters"))),
    Mutation("OA023", "the parameters are text", on(definition, setting("parameters", "none"))),
    Mutation("OA024", "a type is no JSON type", how.typed("str")),
    Mutation("OA024", "a reference leads nowhere", how.declared("more", {"$ref": "#/$defs/nothing"})),
    Mutation("OA024", "a reference leads outside", how.declared("more", {"$ref": "https://example.com/a.json"})),
    Mutation("OA024", "a pattern is no pattern", how.declared("more", {"type": "string", "pattern": "("})),
    Mutation("OA025", "parameters have no type", on(definition, lambda each: each["parameters"].pop("type"))),
    Mutation("OA025", "parameters are an array", on(definition, lambda each: each["parameters"].update(type="array"))),
    Mutation("OA026", "strict is text", on(definition, setting("strict", "yes"))),
    Mutation("OA027", "a strict tool has an optional part", how.strict_tool(required=[])),
    Mutation("OA028", "a strict tool is open", how.strict_tool(additionalProperties=True)),
    Mutation("OA029", "a strict tool has 101 parts", how.strict_tool(properties={f"p{n}": {} for n in range(101)})),
    Mutation("OA030", "a strict tool has six levels", how.strict_tool(properties=how.nested(6))),
    Mutation(
        "OA031",
        "a strict tool stands beside parallel calls",
        lambda record: bool(turn(record, 2)) and how.strict_tool()(record),
    ),
    Mutation(
        "OA032",
        "parallel calls are not allowed",
        lambda record: bool(turn(record, 2)) and whole(setting("parallel_tool_calls", False))(record),
    ),
    Mutation("ADM001", "a name starts with a digit", on(definition, setting("name", "2get"))),
    Mutation("ADM001", "a name has 65 signs", on(definition, setting("name", "a" * 65))),
    Mutation("ADM002", "an enum is empty", how.declared("more", {"enum": []})),
    Mutation("ADM003", "a description is blank", on(definition, setting("description", " "))),
    Mutation("ADM003", "a description is missing", on(definition, losing("description"))),
    Mutation("ADM004", "a description is long", on(definition, setting("description", "x" * 1001))),
    Mutation(
        "ADM005",
        "what is required is not declared",
        on(definition, lambda each: each["parameters"].update(required=["no_such_part"])),
    ),
    Mutation("ADM006", "an array has no items", how.declared("more", {"type": "array"})),
    Mutation("ADM007", "an enum repeats a value", how.declared("more", {"enum": ["a", "b", "a"]})),
    Mutation("ADM008", "an argument is not declared", how.each_call(how.undeclared)),
    Mutation("ADM009", "an integer has a fraction", how.argument(int, 5.0)),
    Mutation("ADM010", "an integer has 64 bits", how.argument(int, 2**63)),
    Mutation("ADM101", "a result has another name", how.rename_result),
    Mutation("ADM102", "a status is missing", how.lose_status),
    Mutation(
        "ADM103",
        "a status is of no call",
        whole(lambda record: record["metadata"]["statuses"].update({how.UNCALLED: "SUCCESS"})),
    ),
    Mutation("ADM104", "a status is unknown", how.status("OK")),
    Mutation("ADM105", "a success is said to have failed", how.status("INVALID_STATE")),
    Mutation("ADM106", "a failure is said to have succeeded", how.status("SUCCESS")),
    Mutation("ADM107", "an error has another type", on(how.failed, how.mistyped_error)),
    Mutation("ADM108", "an error has a type of its own", on(how.failed, how.error(type="OOPS"))),
    Mutation("ADM109", "the type of an error is a number", on(how.failed, how.error(type=404))),
    Mutation("ADM110", "the message of an error is blank", on(how.failed, how.error(message=" "))),
    Mutation("ADM110", "an error has no message", on(how.failed, how.silent_error)),
    Mutation("ADM111", "the message of an error is long", on(how.failed, how.error(message="x" * 501))),
    Mutation("ADM112", "an error has details", on(how.failed, how.error(details={}))),
    Mutation("ADM113", "a result is of another type", on(how.succeeded, setting("content", "[[[null]]]"))),
    Mutation(
        "ADM114",
        "a called tool is defined otherwise",
        lambda record: bool(call(record)) and on(definition, setting("description", "Do a thing."))(record),
    ),
    Mutation("Q3001", "the user says a marker", how.says("user", "<|im_end|>")),
    Mutation("Q3001", "an argument holds a marker", how.argument(str, "<|im_start|>")),
    Mutation("Q3002", "the user says a tag of tools", how.says("user", "<tool_response>")),
    Mutation("Q3002", "the answer says a tag of tools", how.says("assistant", "</tool_call>")),
    Mutation("Q3003", "the answer thinks", how.says("assistant", "<think>Hm.</think>")),
    Mutation("TC001", "calls have no content", on(turn, losing("content"))),
    Mutation("TC001", "the content of calls is null", on(turn, setting("content", None))),
    Mutation("TC002", "calls have text beside them", on(turn, setting("content", "Let me look."))),
    Mutation("TC003", "an answer has null calls", on(answer, setting("tool_calls", None))),
    Mutation("TC003", "metadata are null", whole(setting("metadata", None))),
    Mutation("TC004", "an answer has no calls in a list", on(answer, setting("tool_calls", []))),
    Mutation("TC005", "a result has no name", on(result, losing("name"))),
    Mutation("TC005", "a result has an empty name", on(result, setting("name", ""))),
    Mutation("TC006", "two results change places", how.swap_results),
    Mutation("TC007", "the system speaks later", whole(how.system_later)),
    Mutation("TC008", "the user speaks twice", whole(how.doubled_user)),
    Mutation("TC009", "the assistant speaks first", whole(how.assistant_first)),
    Mutation("TC010", "the user speaks last", whole(lambda record: record["messages"].append(user(record)[-1]))),
    Mutation("TC011", "a call is not answered", how.lose_result),
    Mutation("TC012", "a call is answered twice", how.answer_again),
    Mutation("TC013", "a call is made twice", on(turn, how.call_again)),
    *[
        Mutation("TC014", f"the user says {token}", how.says("user", token))
        for token in ("<|eot_id|>", "</s>", "[INST]", "<<SYS>>", "<end_of_turn>", "[SYSTEM_PROMPT]")
    ],
    Mutation("TC014", "an argument holds a token", how.argument(str, "[/TOOL_RESULTS]")),
    Mutation("TC015", "the user says nothing", on(user, setting("content", " \n"))),
    Mutation("TC015", "the answer is empty", on(answer, setting("content", ""))),
    Mutation("TC016", "a result has white space", on(result, how.spaced)),
    Mutation("TC017", "an optional argument is null", how.each_call(how.null_optional)),
    Mutation("TC018", "an argument has not its format", how.each_call(how.leave_format)),
    *[
        Mutation("TC019", f"the user says {character!a}", how.says("user", f"a{character}b"))
        for character in ("\0", "\x1b", "\x7f", "\x9b", "\x85", "\u2028", "\u202e", "\u2067", "\U000e0041")
    ],
    Mutation("TC019", "an argument holds ESC", how.argument(str, "\x1b[2J")),
    Mutation("TC019", "the metadata hold ESC", metadata("author", "\x1b]0;mine\x07")),
    Mutation("TC019", "a key of the metadata holds ESC", metadata("\x1b[2J", 1)),
    Mutation("TC019", "a result holds an escaped ESC", on(result, setting("content", '"\\u001b[2J"'))),
    Mutation("TC101", "a text is no Unicode", how.says("user", "\ud800")),
    Mutation("TC101", "a number is not finite", metadata("seed", math.nan)),
    Mutation("TC101", "a number has 1300 bits", metadata("seed", 10**400)),
    Mutation("TC101", "the metadata nest deeply", metadata("deep", how.deep(400))),
    Mutation("TC102", "no tools are shown", whole(losing("tools"))),
    Mutation("TC103", "the record has a key of its own", whole(setting("note", "mine"))),
    Mutation("TC103", "a message has a key of its own", on(user, setting("name", "Ann"))),
    Mutation("TC103", "a call has a key of its own", on(call, setting("index", 0))),
    Mutation("TC104", "a tool has a key of its own", on(shown, setting("origin", "mine"))),
    Mutation("TC104", "a function has a key of its own", on(definition, setting("response", {}))),
    Mutation("TC105", "parameters have no properties", on(definition, setting("parameters", {"type": "object"}))),
    Mutation("TC106", "a parameter has no description", on(definition, how.undescribed)),
    Mutation("TC107", "a type is in capitals", how.typed("STRING")),
    Mutation("TC108", "a type is a list with null", how.typed(["string", "null"])),
    Mutation("TC109", "a definition holds a marker", on(definition, setting("description", "Ends <|im_end|>."))),
    *[
        Mutation("TC118", f"a definition holds {character!a}", on(definition, setting("description", f"a{character}b")))
        for character in ("\x1b", "\u202e", "\u2029", "\U000e0041")
    ],
    Mutation("TC110", "strict is null", on(definition, setting("strict", None))),
    Mutation("TC111", "metadata are text", whole(setting("metadata", "mine"))),
    Mutation("TC112", "metadata have no seed", whole(lambda record: record["metadata"].pop("seed") is not None)),
    Mutation("TC112", "the seed is text", metadata("seed", "7")),
    Mutation("TC113", "the kind is unknown", metadata("kind", "gossip")),
    Mutation("TC114", "the kind is another", whole(how.other_kind)),
    Mutation("TC117", "the mask tells nothing", metadata("mask", {})),
    Mutation("TC201", "an argument is made up", how.argument(str, "Xyzzyplugh Quux")),
    Mutation("TC202", "a number is made up", how.answered("That makes 98765.4321.", add=True)),
    Mutation("TC203", "a date is made up", how.answered("That was on March 4, 1783.", add=True)),
    Mutation("TC204", "a name is made up", how.answered("So says Quentin Zbornak.", add=True)),
    Mutation("TC205", "a failure is not told", how.fails_untold),
    Mutation("TC206", "the answer covers nothing", how.covers_nothing),
    Mutation("TC208", "the answer mixes two results up", how.mixes_up),
    Mutation("TC209", "two values have changed places", how.exchanges_values),
    Mutation("TC209", "a range runs backwards", how.turns_range),
    Mutation("TC210", "two results have changed places", how.exchanges_results),
    Mutation("TC216", "a flag says that it failed", how.fails_by_a_flag),
    Mutation("TC217", "the answer counts too many", how.counts_too_many),
    Mutation("TC218", "the answer claims a deed", how.claims_a_deed),
    Mutation(
        "TC219",
        "the answer is in a language that is not read",
        how.answered("Вот всё, о чём вы просили меня сегодня.", add=False),
    ),
    Mutation("TC222", "the answer is in another language", how.speaks_otherwise),
    Mutation("TC220", "the call is made once more", how.calls_again),
    Mutation("TC221", "the answer declines what a tool does", how.declines),
    Mutation("TC211", "the wish is taken back", how.asked("Actually, never mind, forget it.")),
    Mutation("TC212", "one of three things is lost", how.lists_a_third),
    Mutation("TC207", "the grounding is another", metadata("grounding", {"odd": 1})),
    Mutation("TC213", "another choice is given than the request names", how.chooses_another),
    Mutation("TC214", "a quotation is given in capitals", how.shouts),
    Mutation("TC215", "a request goes on and on", how.goes_on_and_on),
    Mutation("TC301", "the answer is a call in text", how.answered("Action: find_it\nAction Input: {}", add=False)),
    Mutation("TC301", "the answer marks a call", how.answered(' [TOOL_CALLS] [{"name": "f"}]', add=True)),
    Mutation("TC303", "the answer was cut", how.answered(" ... [12 more lines omitted]", add=True)),
]
"""Every way in which a rule over parsed records can be broken."""
ROOTS = [Mutation("DF001", f"the record is {bad!r}", lambda record: True) for bad in ([], "text", None, 3)]


@cache
def valid_records() -> tuple[Json, ...]:
    """Records of every kind, some of whose calls fail."""
    tools = bundled_tools()
    options: Json = {"count": PER_KIND * len(KINDS), "seed": 11, "days": 1, "mix": dict.fromkeys(KINDS, 1)}
    made = [each for rate in ERROR_RATES for each in generate_records(tools, error_rate=rate, **options)]
    return tuple(each.to_dict() for each in made)


@cache
def packed_records() -> list[tuple[str, bytes]]:
    """The kind of each, and what a copy is made of: one is made for each that a mutation is tried on."""
    return [(record["metadata"]["kind"], pickle.dumps(record)) for record in valid_records()]


def broken(document: Json, *, generated: bool) -> dict[str, str]:
    """The rules that a document breaks, with the severity of each."""
    return {each.rule: each.severity for each in check(document, catalog=CATALOG, generated=generated)}


def test_valid_records_are_of_every_kind() -> None:
    assert {record["metadata"]["kind"] for record in valid_records()} == set(KINDS)


@pytest.mark.parametrize("generated", [True, False])
def test_no_rule_is_broken_by_a_valid_record(generated: bool) -> None:
    found = [broken(record, generated=generated) for record in valid_records()]
    assert [each for each in found if "error" in each.values()] == []
    if generated:
        assert [each for each in found if each] == []


def test_every_rule_has_a_mutation() -> None:
    assert {mutation.code for mutation in [*MUTATIONS, *ROOTS]} == set(RULES) - OF_LINES
    assert len({(mutation.code, mutation.name) for mutation in MUTATIONS}) == len(MUTATIONS)


@pytest.mark.parametrize("bad", [[], "text", None, 3])
def test_what_is_no_object_is_caught(bad: Json) -> None:
    assert "DF001" in broken(bad, generated=True)


@each_row("mutation", MUTATIONS, ids=lambda mutation: f"{mutation.code}-{mutation.name}")
def test_every_mutation_is_caught_by_its_rule(mutation: Mutation) -> None:
    rule = RULES[mutation.code]
    kinds: set[str] = set()
    for kind, packed in packed_records():
        if kind in kinds:
            continue
        spoiled = pickle.loads(packed)
        if mutation.change(spoiled):
            kinds.add(kind)
            generated = rule.severity is not None
            assert broken(spoiled, generated=generated).get(mutation.code) == rule.severity_in(generated), kind
    assert kinds, "no record can be broken so"
