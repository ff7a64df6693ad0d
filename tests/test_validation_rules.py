"""Every rule has a record that breaks exactly it, as written and as read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from generator.records import Metadata, Record
from generator.validation import RULES, check, validate_record
from generator.validation.specifications.practice import METADATA_TYPES
from generator.validation.view import RecordView
from tests.record_examples import (
    CATALOG,
    CLOCK,
    FIRST,
    KINDS,
    SECOND,
    WARM,
    call,
    failed,
    irrelevance,
    parallel,
    result,
    simple,
)
from tests.tables import each_row

Json = Any  # parsed JSON
OF_LINES = {"TC115", "TC116", "TC302"}
"""The rules that no parsed record can break."""
GROUNDING = {code for code in RULES if code.startswith("TC2")}
"""The rules on where values come from, whose examples explain them."""
GONE = object()
"""In a change: the key is taken away."""

CALL = "/messages/2/tool_calls/0"
RESULT = "/messages/3"
SHOWN = "/tools/0/function"
STRICT = "/tools/1/function"
NESTED = f"{SHOWN}/parameters/properties/extra"
ROME = {"city": "Rome"}


def deep(levels: int) -> Json:
    """An array in an array and so on."""
    value: Json = []
    for _ in range(levels):
        value = [value]
    return value


def strict_parameters(properties: Json) -> Json:
    """Parameters that strict mode accepts, as far as it depends on this object alone."""
    described = {name: {"description": "A part.", **schema} for name, schema in properties.items()}
    return {
        "type": "object",
        "properties": described,
        "required": list(properties),
        "additionalProperties": False,
    }


def nested_strict(levels: int) -> Json:
    """Strict parameters with that many levels of properties."""
    schema = strict_parameters({"a": {"type": "string"}})
    for _ in range(levels - 1):
        schema = strict_parameters({"a": schema})
    return schema


def error_text(**fields: Json) -> str:
    """The content of a failed call's message."""
    from generator.jsontext import dump_compact

    return dump_compact({"error": {"type": "RESOURCE_NOT_FOUND", "message": "There is no such city.", **fields}})


@dataclass(frozen=True)
class Break:
    """A valid record, and what is changed in it: JSON pointer to new value, or GONE."""

    code: str
    base: Any = simple
    changes: dict[str, Json] = field(default_factory=dict)
    modes: str = "wr"
    """w: as a written record, r: as a read one."""

    @property
    def document(self) -> Json:
        """The broken record."""
        document = self.base()
        for pointer, value in self.changes.items():
            document = changed(document, pointer, value)
        return document


def changed(document: Json, pointer: str, value: Json) -> Json:
    """Return the document with one place changed; "-" appends to an array."""
    if not pointer:
        return value
    *path, last = [part.replace("~1", "/") for part in pointer[1:].split("/")]
    holder = document
    for part in path:
        holder = holder[int(part)] if isinstance(holder, list) else holder[part]
    if isinstance(holder, list) and last == "-":
        holder.append(value)
    elif value is GONE:
        del holder[int(last) if isinstance(holder, list) else last]
    else:
        holder[int(last) if isinstance(holder, list) else last] = value
    return document


ARGUMENTS = f"{CALL}/function/arguments"
USER = {"role": "user", "content": "And now?"}
ANSWER = {"role": "assistant", "content": "Now it is noon."}
NO_METADATA = {"/metadata": GONE}
LONG = "word " * 201
WARM_RESULT = result(FIRST, "get_weather", WARM)
TWO_CALLS = [call(FIRST, "get_weather", ROME), call(SECOND, "get_weather", {"city": "Oslo"})]
NO_TOOL = {"/tools": GONE, **NO_METADATA}


def with_id(bad: Json) -> dict[str, Json]:
    """The one call and its result with another id."""
    return {f"{CALL}/id": bad, f"{RESULT}/tool_call_id": bad, **NO_METADATA}


def turn(*calls: Json) -> Json:
    """A turn of calls."""
    return {"role": "assistant", "content": "", "tool_calls": list(calls)}


def answered(content: Json, status: str | None = None) -> dict[str, Json]:
    """The one result with other content, and with another status."""
    changes = {f"{RESULT}/content": content}
    return changes if status is None else {**changes, f"/metadata/statuses/{FIRST}": status}


def strict(parameters: Json) -> dict[str, Json]:
    """The strict tool with other parameters."""
    return {f"{STRICT}/parameters": parameters}


def shown(**fields: Json) -> dict[str, Json]:
    """The first tool with other fields; nothing calls it."""
    return {f"{SHOWN}/{name}": value for name, value in fields.items()}


def parameters(**fields: Json) -> dict[str, Json]:
    """The first tool with other parameters; nothing calls it."""
    return {f"{SHOWN}/parameters": {"type": "object", "properties": {}, **fields}}


def typed(schema: Json) -> dict[str, Json]:
    """The first tool with one parameter of that schema; nothing calls it."""
    return parameters(properties={"a": {"description": "A part.", **schema}})


BREAKS = [
    Break("DF001", changes={"": []}),
    Break("DF001", changes={"": "text"}),
    Break("DF001", changes={"": None}),
    Break("DF002", irrelevance, {"/messages": GONE, **NO_METADATA}),
    Break("DF002", irrelevance, {"/messages": {"role": "user"}, **NO_METADATA}),
    Break("DF003", irrelevance, {"/messages/2/tool_calls": {"id": FIRST}}),
    Break("DF004", changes={ARGUMENTS: '{"city": "Rome"}'}),
    Break("DF004", changes={ARGUMENTS: ["Rome"]}),
    Break("DF004", changes={ARGUMENTS: None}),
    Break("DF004", changes={ARGUMENTS: GONE}),
    *[
        Break("DF005", changes=with_id(bad))
        for bad in ("short", "tenletters", "nine-char", "aB3dE6gH\n", "aB3dE6gH9\n", "\u0661bcdefghi", "")
    ],
    Break("DF005", changes={"/messages": [USER, turn({**TWO_CALLS[0], "id": 123456789})], **NO_METADATA}),
    Break("DF006", parallel, {f"{CALL[:-1]}1/id": FIRST, "/messages/4": GONE, f"/metadata/statuses/{SECOND}": GONE}),
    Break("DF007", changes={f"{CALL}/type": "tool"}),
    Break("DF007", changes={f"{CALL}/type": GONE}),
    Break("DF008", parallel, {"/messages/5": result("nobody123", "get_weather", WARM), "/messages/-": ANSWER}),
    Break("DF009", changes=answered({"temperature": 21.5})),
    Break("DF010", changes={**answered("It is warm."), **NO_METADATA}),
    Break("OA001", irrelevance, {"/messages": [], **NO_METADATA}),
    Break("OA002", irrelevance, {"/messages/0": "You help."}),
    Break("OA003", irrelevance, {"/messages/0/role": "developer"}),
    Break("OA003", irrelevance, {"/messages/0/role": GONE}),
    Break("OA003", irrelevance, {"/messages/0/role": ""}),
    Break("OA003", irrelevance, {"/messages/0/role": ["system"]}),
    Break("OA004", irrelevance, {"/messages/0/content": None}),
    Break("OA004", irrelevance, {"/messages/1/content": GONE}),
    Break("OA004", irrelevance, {"/messages/1/content": [{"type": "text", "text": "How is Rome?"}]}),
    Break("OA004", irrelevance, {"/messages/2/content": None, **NO_METADATA}),
    Break("OA004", changes={"/messages/2/content": 3}),
    Break("OA005", irrelevance, {"/messages/1/tool_calls": []}),
    Break("OA006", irrelevance, {"/messages/1/tool_call_id": FIRST}),
    Break(
        "OA007",
        parallel,
        {"/messages/5": {"role": "tool", "name": "get_weather", "content": WARM}, "/messages/-": ANSWER},
    ),
    Break("OA008", changes={f"{RESULT}/content": None}),
    Break("OA008", changes={f"{RESULT}/content": GONE}),
    Break(
        "OA009",
        changes={
            "/messages": [
                USER,
                turn(TWO_CALLS[0]),
                result(SECOND, "get_weather", WARM),
                turn(TWO_CALLS[1]),
                WARM_RESULT,
                ANSWER,
            ],
            **NO_METADATA,
        },
    ),
    Break("OA010", changes={"/messages/4": USER, "/messages/-": ANSWER}),
    Break(
        "OA010",
        parallel,
        {
            "/messages": [
                USER,
                turn(*TWO_CALLS),
                WARM_RESULT,
                ANSWER,
                result(SECOND, "get_weather", WARM),
                ANSWER,
            ],
            **NO_METADATA,
        },
    ),
    Break("OA011", irrelevance, {"/parallel_tool_calls": "no"}),
    Break("OA012", irrelevance, {"/messages/2": turn("get_weather"), **NO_METADATA}),
    Break("OA012", irrelevance, {"/messages/2": turn({}), **NO_METADATA}),
    Break("OA012", changes={f"{CALL}/function": GONE}),
    Break("OA012", changes={f"{CALL}/function": "get_weather"}),
    Break("OA013", changes={f"{CALL}/function/name": "get weather", f"{RESULT}/name": "get weather"}),
    Break("OA013", changes={f"{CALL}/function/name": "get_weather\n", f"{RESULT}/name": "get_weather\n"}),
    Break("OA013", changes={f"{CALL}/function/name": GONE}),
    Break("OA013", changes={f"{CALL}/function/name": 7}),
    Break("OA014", changes={f"{CALL}/function/name": "get_wether", f"{RESULT}/name": "get_wether"}),
    Break("OA015", changes={ARGUMENTS: '{"city": "Rome"'}),
    Break("OA015", changes={ARGUMENTS: ""}),
    Break("OA016", changes={ARGUMENTS: {}}),
    Break("OA016", changes={f"{ARGUMENTS}/city": 3}),
    Break("OA016", changes={f"{ARGUMENTS}/days": 0}),
    Break("OA016", changes={f"{ARGUMENTS}/days": True}),
    Break("OA016", changes={f"{ARGUMENTS}/place": {"lat": "north"}}),
    Break("OA017", irrelevance, {"/tools": {"name": "get_weather"}, **NO_METADATA}),
    Break("OA018", irrelevance, {"/tools/-": "get_time"}),
    Break("OA019", irrelevance, {"/tools/1/type": "tool"}),
    Break("OA019", irrelevance, {"/tools/1/type": GONE}),
    Break("OA020", irrelevance, {"/tools/1/function": GONE}),
    Break("OA020", irrelevance, {"/tools/1/function": "get_time"}),
    Break("OA021", irrelevance, {f"{STRICT}/name": "get_weather"}),
    *[
        Break("OA022", irrelevance, {f"{STRICT}/name": bad})
        for bad in ("get time", "", None, 3, "caf\u00e9", "a.b", "a\n")
    ],
    Break("OA023", irrelevance, shown(parameters="none")),
    Break("OA023", irrelevance, shown(parameters=GONE)),
    Break("OA023", irrelevance, shown(parameters=True)),
    Break("OA024", irrelevance, parameters(required="city")),
    Break("OA024", irrelevance, typed({"type": "dict"})),
    Break("OA024", irrelevance, typed({"$ref": "https://example.com/schema.json"})),
    Break("OA024", irrelevance, typed({"$ref": "file:///etc/passwd"})),
    Break("OA024", irrelevance, typed({"$ref": "#/$defs/nothing"})),
    Break("OA024", irrelevance, typed({"type": "string", "pattern": "("})),
    Break("OA025", irrelevance, parameters(type="string")),
    Break("OA025", irrelevance, {f"{SHOWN}/parameters/type": GONE}),
    Break("OA026", irrelevance, shown(strict="yes")),
    Break("OA027", irrelevance, {f"{STRICT}/parameters/required": []}),
    Break("OA027", irrelevance, strict(strict_parameters({"a": {**strict_parameters({"b": {}}), "required": []}}))),
    Break("OA028", irrelevance, {f"{STRICT}/parameters/additionalProperties": GONE}),
    Break("OA028", irrelevance, {f"{STRICT}/parameters/additionalProperties": True}),
    Break("OA028", irrelevance, strict(strict_parameters({"a": {"type": "array", "items": {"type": "object"}}}))),
    Break("OA029", irrelevance, strict(strict_parameters({f"p{i}": {"type": "string"} for i in range(101)}))),
    Break("OA030", irrelevance, strict(nested_strict(6))),
    Break("OA031", parallel, {"/tools/-": CLOCK.shown}),
    Break("OA032", parallel, {"/parallel_tool_calls": False}),
    Break("ADM001", irrelevance, {f"{STRICT}/name": "2get"}),
    Break("ADM001", irrelevance, {f"{STRICT}/name": "a" * 65}),
    Break("ADM002", irrelevance, typed({"enum": []})),
    Break("ADM003", irrelevance, {f"{STRICT}/description": "  "}),
    Break("ADM003", irrelevance, {f"{STRICT}/description": GONE}),
    Break("ADM003", irrelevance, {f"{STRICT}/description": None}),
    Break("ADM004", irrelevance, shown(description=LONG)),
    Break("ADM005", irrelevance, parameters(required=["city"])),
    Break("ADM006", irrelevance, typed({"type": "array"})),
    Break("ADM007", irrelevance, typed({"enum": ["a", "b", "a"]})),
    Break("ADM008", changes={f"{ARGUMENTS}/country": "Italy"}),
    Break("ADM008", changes={f"{ARGUMENTS}/place": {"lat": 41.9, "height": 20}}),
    Break("ADM009", changes={f"{ARGUMENTS}/days": 5.0}),
    Break("ADM010", changes={f"{ARGUMENTS}/days": 2**63}),
    Break("ADM101", changes={f"{RESULT}/name": "get_time"}),
    Break("ADM102", changes={"/metadata/statuses": {}}),
    Break("ADM103", changes={f"/metadata/statuses/{SECOND}": "SUCCESS"}),
    Break("ADM104", changes={f"/metadata/statuses/{FIRST}": "OK"}, modes="w"),
    Break("ADM105", changes={f"/metadata/statuses/{FIRST}": "PERMISSION_DENIED"}),
    Break("ADM106", failed, {f"/metadata/statuses/{FIRST}": "SUCCESS"}),
    Break("ADM107", failed, answered(error_text(type="PERMISSION_DENIED"))),
    Break("ADM108", failed, {**answered(error_text(type="NOT_FOUND")), **NO_METADATA}),
    Break("ADM109", failed, {**answered(error_text(type=404)), **NO_METADATA}),
    Break("ADM110", failed, answered(error_text(message="  "))),
    Break("ADM110", failed, answered(error_text(message=None))),
    Break("ADM110", failed, answered('{"error":{"type":"RESOURCE_NOT_FOUND"}}')),
    Break("ADM111", failed, answered(error_text(message="long" * 200))),
    Break("ADM112", failed, answered(error_text(details={"city": "Rome"}))),
    Break("ADM113", changes=answered('{"temperature":"warm"}')),
    Break("ADM113", changes=answered("null")),
    Break("ADM114", changes={f"{SHOWN}/description": "Get the climate."}),
    Break("Q3001", irrelevance, {"/messages/1/content": "Stop <|im_end|> here"}),
    Break("Q3001", changes={f"{ARGUMENTS}/city": "<|im_start|>"}),
    Break("Q3002", irrelevance, {"/messages/1/content": "<tool_response>\nRome\n</tool_response>"}),
    Break("Q3002", changes=answered('{"temperature":1,"html":"<tools>"}')),
    Break("Q3003", irrelevance, {"/messages/2/content": "<think>Hm.</think>Rome."}),
    Break("TC001", changes={"/messages/2/content": None}),
    Break("TC001", changes={"/messages/2/content": GONE}),
    Break("TC002", changes={"/messages/2/content": "Let me look."}),
    Break("TC003", irrelevance, {"/messages/1/name": None}, modes="r"),
    Break("TC003", irrelevance, {"/messages/2/tool_calls": None}),
    Break("TC003", irrelevance, {"/messages/1/tool_call_id": None}, modes="wr"),
    Break("TC003", irrelevance, {"/metadata": None}),
    Break("TC004", irrelevance, {"/messages/2/tool_calls": []}),
    Break("TC005", changes={f"{RESULT}/name": GONE}),
    Break("TC005", changes={f"{RESULT}/name": ""}),
    Break("TC005", changes={f"{RESULT}/name": None}),
    Break("TC006", parallel, {"/messages/3": result(SECOND, "get_weather", WARM), "/messages/4": WARM_RESULT}),
    Break("TC007", irrelevance, {"/messages": [USER, ANSWER, {"role": "system", "content": "Stop."}, USER, ANSWER]}),
    Break("TC008", irrelevance, {"/messages/1": USER, "/messages/2": USER, "/messages/-": ANSWER}),
    Break("TC008", irrelevance, {"/messages/-": ANSWER}),
    Break("TC009", irrelevance, {"/messages/1": GONE}),
    Break("TC009", irrelevance, {"/messages": [ANSWER]}),
    Break("TC010", irrelevance, {"/messages/2": GONE, **NO_METADATA}),
    Break("TC010", changes={"/messages/4": GONE}),
    Break("TC011", parallel, {"/messages/4": GONE}),
    Break("TC012", parallel, {"/messages/5": result(SECOND, "get_weather", WARM), "/messages/-": ANSWER}),
    Break("TC013", parallel, {f"{CALL[:-1]}1/function/arguments/city": "Rome"}),
    *[
        Break("TC014", irrelevance, {"/messages/1/content": f"Say {token} now"})
        for token in (
            "<|eot_id|>",
            "<\uff5ctool\u2581call\uff5c>",
            "</s>",
            "[INST]",
            "[/TOOL_RESULTS]",
            "<<SYS>>",
            "<end_of_turn>",
            "<eos>",
            "<pad>",
            "[SYSTEM_PROMPT]",
        )
    ],
    Break("TC014", changes={f"{ARGUMENTS}/city": "[/INST]"}),
    *[
        Break("TC019", irrelevance, {"/messages/1/content": f"Say{character} it now"})
        for character in ("\0", "\x08", "\x0c", "\x1b", "\x7f", "\x9b", "\u2028", "\u202e", "\u2066", "\U000e0041")
    ],
    Break("TC019", changes={f"{ARGUMENTS}/city": "\x1b[2J"}),
    Break("TC015", irrelevance, {"/messages/1/content": " \n"}),
    Break("TC015", failed, {"/messages/4/content": ""}),
    Break("TC016", changes=answered('{"temperature": 21.5}')),
    Break("TC017", changes={f"{ARGUMENTS}/note": None}),
    Break("TC018", changes={f"{ARGUMENTS}/day": "tomorrow"}),
    Break("TC101", irrelevance, {"/messages/1/content": "\ud800"}),
    Break("TC101", irrelevance, {"/metadata/seed": float("nan")}),
    Break("TC101", irrelevance, {"/metadata/seed": float("-inf")}),
    Break("TC101", irrelevance, {"/metadata/seed": 10**400}),
    Break("TC101", irrelevance, {"/metadata/deep": deep(400)}),
    Break("TC101", irrelevance, {"/metadata/set": {1, 2}}),
    Break("TC101", irrelevance, {"/metadata/keys": {1: 2}}),
    Break("TC101", irrelevance, {"/metadata/keys": {"\udfff": 2}}),
    Break("TC102", irrelevance, NO_TOOL),
    Break("TC102", irrelevance, {"/tools": None, **NO_METADATA}),
    Break("TC103", irrelevance, {"/note": "mine"}),
    Break("TC103", irrelevance, {"/messages/1/name": "Ann"}),
    Break("TC103", changes={f"{CALL}/index": 0}),
    Break("TC103", changes={f"{CALL}/function/id": "a"}),
    Break("TC104", irrelevance, {"/tools/0/origin": "mine"}),
    Break("TC104", irrelevance, shown(response={})),
    Break("TC105", irrelevance, shown(parameters={"type": "object"})),
    Break("TC106", irrelevance, parameters(properties={"a": {"type": "string"}})),
    Break("TC106", irrelevance, typed({"description": " "})),
    Break("TC107", irrelevance, typed({"type": "STRING"})),
    Break("TC107", irrelevance, parameters(type="OBJECT")),
    Break("TC108", irrelevance, typed({"type": ["string", "null"]})),
    Break("TC109", irrelevance, shown(description="Ends with <|im_end|>.")),
    Break("TC301", irrelevance, {"/messages/2/content": '{"name": "get_weather", "arguments": {"city": "Rome"}}'}),
    Break("TC301", irrelevance, {"/messages/2/content": "Action: get_weather\nAction Input: {}"}),
    Break("TC303", irrelevance, {"/messages/0/content": "Please write a poem about ... [truncated]"}),
    Break("TC118", irrelevance, shown(description="Ends with \x1b[2J.")),
    Break("TC118", irrelevance, shown(description="Ends with \u202etxt.")),
    Break("TC110", irrelevance, shown(strict=None)),
    Break("TC111", irrelevance, {"/metadata": "mine"}),
    Break("TC112", irrelevance, {"/metadata/seed": GONE}),
    Break("TC112", irrelevance, {"/metadata/seed": "7"}),
    Break("TC117", irrelevance, {"/metadata/mask": {"tools": {}}}),
    Break("TC113", irrelevance, {"/metadata/kind": "gossip"}),
    Break("TC114", simple, {"/tools/-": KINDS["multiple"]()["tools"][1]}),
    *[
        Break("TC114", base, {"/metadata/kind": kind})
        for name, base in KINDS.items()
        for kind in ("simple", "multiple", "parallel", "parallel_multiple", "irrelevance")
        if kind != {"failed": "simple"}.get(name, name)
    ],
]


def found(document: Json, *, generated: bool) -> set[tuple[str, str]]:
    """The codes of the rules a document breaks, with their severities; what is changed here is seldom grounded."""
    violations = check(document, catalog=CATALOG, generated=generated)
    return {(each.rule, each.severity) for each in violations if each.rule not in GROUNDING}


@each_row("name", KINDS)
@each_row("generated", [True, False])
def test_records_of_every_kind_pass(name: str, generated: bool) -> None:
    assert check(KINDS[name](), catalog=CATALOG, generated=generated) == []


@each_row("case", [each for each in BREAKS if "w" in each.modes], ids=lambda case: case.code)
def test_written_record_breaks_exactly_the_rule(case: Break) -> None:
    rule = RULES[case.code]
    expected = set() if rule.severity is None else {(case.code, rule.severity)}
    assert found(case.document, generated=True) == expected


@each_row("case", [each for each in BREAKS if "r" in each.modes], ids=lambda case: case.code)
def test_read_record_breaks_the_rule_if_it_is_asked(case: Break) -> None:
    rule = RULES[case.code]
    expected = set() if rule.read is None else {(case.code, rule.read)}
    assert found(case.document, generated=False) == expected


def test_every_rule_is_broken_by_a_record() -> None:
    assert {case.code for case in BREAKS} == set(RULES) - OF_LINES - GROUNDING
    assert [rule.code for rule in RULES.values() if rule.severity is None and rule.read is None] == []


@each_row("case", BREAKS, ids=lambda case: case.code)
@each_row("generated", [True, False])
def test_rules_asked_one_by_one_find_what_the_examiner_finds(case: Break, generated: bool) -> None:
    if case.code == "TC101":  # no view is made of what cannot be stored
        return
    record = RecordView(case.document, catalog=CATALOG, generated=generated)
    one_by_one = [violation for rule in RULES.values() for violation in rule.check(record)]
    together = check(case.document, catalog=CATALOG, generated=generated)
    assert sorted(map(repr, one_by_one)) == sorted(map(repr, together))


def test_rules_are_described() -> None:
    for code, rule in RULES.items():
        assert (rule.code, rule.row.summary[-1:]) == (code, ".")
        assert rule.row.source
    assert len({rule.row.summary for rule in RULES.values()}) == len(RULES)


def test_the_examiner_knows_the_metadata_that_records_have() -> None:
    assert tuple(METADATA_TYPES) == tuple(Metadata.model_fields)


def test_a_record_can_be_validated_as_a_model() -> None:
    assert validate_record(Record.model_validate(simple()), catalog=CATALOG) == []
    broken = simple()
    broken["messages"][3]["content"] = "null"
    found_in_model = validate_record(Record.model_validate(broken), catalog=CATALOG)
    assert found_in_model == validate_record(broken, catalog=CATALOG) != []
