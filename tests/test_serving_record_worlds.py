"""The worlds of records: what calls bring there is what the record shows, and what they leave is compared with it."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest

from generator.errors import UsageError
from generator.formats.conversation import all_calls
from generator.jsontext import JsonObject, dump_compact
from generator.kinds import KINDS
from generator.record import generate_records
from generator.runs.job_file import job_of
from generator.scenarios.planner import Planner
from generator.serving.record_worlds import (
    INVALID,
    MALFORMED,
    MOST_CALLS,
    UNKNOWN_TOOL,
    CallRefused,
    RecordSession,
    RecordWorlds,
    UnknownRecord,
    record_id,
)
from tests.bundled import bundled, bundled_tools
from tests.tables import each_row

EVERY_KIND = {"count": 4 * len(KINDS), "seed": 12, "error_rate": 0.2, "mix": dict.fromkeys(KINDS, 1)}
"""The job behind the records of the fixture `of_every_kind`."""


def shown_results(record: JsonObject) -> list[str]:
    return [message["content"] for message in record["messages"] if message["role"] == "tool"]


def brought(session: RecordSession, record: JsonObject) -> list[str]:
    """What the calls of a record bring, made in its order by the names that it shows."""
    functions = [call["function"] for call in all_calls(record)]
    return [session.execute(each["name"], dump_compact(each["arguments"])).message_text for each in functions]


def test_a_record_of_any_kind_is_brought_again_byte_for_byte(of_every_kind: list[JsonObject]) -> None:
    worlds = RecordWorlds(of_every_kind, catalogs=[bundled()])
    for record in of_every_kind:
        session = worlds.begin(record_id(record))
        assert session.record.is_remade or not record["tools"]
        assert brought(session, record) == shown_results(record)
        assert session.difference == ""


def test_the_world_is_the_one_that_the_record_was_planned_in(of_every_kind: list[JsonObject]) -> None:
    planner = Planner(job_of(EVERY_KIND), bundled())
    worlds = RecordWorlds(of_every_kind, catalogs=[bundled()])
    for record in [record for record in of_every_kind if record["tools"]][::5]:
        planned = planner.plan(record["metadata"]["index"], record["metadata"]["attempt"]).world
        assert worlds.world(record_id(record)).start.digest() == planned.digest()


@pytest.mark.parametrize("metadata", [True, False])
def test_a_record_alone_is_brought_again_as_it_shows(of_every_kind: list[JsonObject], *, metadata: bool) -> None:
    records = of_every_kind if metadata else [{**record, "metadata": None} for record in of_every_kind]
    worlds = RecordWorlds(records)
    for number, record in enumerate(records):
        session = worlds.begin(str(number) if record["metadata"] is None else record_id(record))
        assert not session.record.is_remade
        assert brought(session, record) == shown_results(record)
        assert session.difference == ""


@pytest.mark.parametrize("known", [True, False])
def test_scrambled_names_are_taken_and_given(*, known: bool) -> None:
    made = generate_records(bundled_tools(), count=12, seed=5, mask=1.0, mix={"parallel": 1, "sequential": 1})
    records = [record.to_dict() for record in made]
    worlds = RecordWorlds(records, catalogs=[bundled()] if known else [])
    for record in records:
        session = worlds.begin(record_id(record))
        assert session.record.is_remade is known
        assert brought(session, record) == shown_results(record)
        call = next(all_calls(record))["function"]
        assert session.execute(call["name"], call["arguments"]).name == call["name"]
        for function in (tool["function"] for tool in record["tools"]):
            if required := function["parameters"].get("required"):
                with pytest.raises(CallRefused, match=f"{function['name']} .*{required[0]}"):
                    session.execute(function["name"], {})


@functools.cache
def records_of(kind: str, **options: Any) -> tuple[JsonObject, ...]:
    """Thirty records of one kind."""
    records = generate_records(bundled_tools(), count=30, seed=3, mix={kind: 1}, **options)
    return tuple(record.to_dict() for record in records)


def replayed(record: JsonObject) -> RecordSession:
    session = RecordWorlds([record], catalogs=[bundled()]).begin("")
    session.replay()
    return session


def first_with(kind: str, deeds: int, **options: Any) -> JsonObject:
    """The first record of a kind whose calls change the world that often."""
    return next(each for each in records_of(kind, **options) if len(replayed(each).end_state.deeds) == deeds)


def test_nothing_done_is_told_and_so_is_what_was_done_besides() -> None:
    record = first_with("simple", 1)
    call = next(all_calls(record))["function"]
    session = RecordWorlds([record], catalogs=[bundled()]).begin("")
    assert session.difference == f"it was left undone: {call['name']}({dump_compact(call['arguments'])})"
    session.execute(call["name"], call["arguments"])
    assert session.difference == ""
    assert [change["change"] for change in session.changes]


def test_calls_of_one_turn_have_no_order() -> None:
    record = first_with("parallel", 2)
    session = RecordWorlds([record], catalogs=[bundled()]).begin("")
    for call in reversed(list(all_calls(record))):
        session.execute(call["function"]["name"], call["function"]["arguments"])
    assert session.difference == ""


def outages(record: JsonObject) -> list[int]:
    script = replayed(record).record.script
    return [place for place, each in enumerate(script) if each.is_outage]


def test_an_outage_strikes_and_lasts_where_the_record_does_not_try_again() -> None:
    record = next(each for each in records_of("simple", error_rate=1.0) if outages(each))
    call, (shown,) = next(all_calls(record))["function"], shown_results(record)
    session = RecordWorlds([record], catalogs=[bundled()]).begin("")
    results = [session.execute(call["name"], call["arguments"]).message_text for _ in range(3)]
    assert results == [shown] * 3
    assert session.difference == ""


def weather(content: str = '{"sky":"clear"}', **more: Any) -> JsonObject:
    """A record of one call, as anybody may have written it."""
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    call = {"id": "abcdefghi", "type": "function", "function": {"name": "get_weather", "arguments": {"city": "Porto"}}}
    return {
        "messages": [
            {"role": "user", "content": "Do I need a coat in Porto?"},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "abcdefghi", "name": "get_weather", "content": content},
            {"role": "assistant", "content": "No."},
        ],
        "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": parameters}}],
        **more,
    }


def test_a_result_that_is_no_json_stays_as_it_is() -> None:
    session = RecordWorlds([weather("12 degrees,  clear")]).begin("")
    result = session.execute("get_weather", {"city": "Porto"})
    assert (result.message_text, result.content, result.status) == (
        "12 degrees,  clear",
        "12 degrees,  clear",
        "SUCCESS",
    )


def test_another_call_brings_a_value_by_the_schema_the_same_each_time() -> None:
    results = [RecordWorlds([weather()]).begin("").execute("get_weather", {"city": "Oslo"}) for _ in range(2)]
    assert results[0] == results[1]
    assert results[0].error_type is None


REFUSED = {
    "no such tool": ("get_wether", {"city": "Porto"}, UNKNOWN_TOOL, "did you mean"),
    "a path": ("../get_weather", {}, UNKNOWN_TOOL, "There is no tool"),
    "no json": ("get_weather", "{city: Porto}", MALFORMED, "no JSON"),
    "no object": ("get_weather", '["Porto"]', MALFORMED, "no JSON object"),
    "nothing": ("get_weather", "", MALFORMED, "no JSON"),
    "null": ("get_weather", None, MALFORMED, "no JSON object"),
    "missing": ("get_weather", {}, INVALID, "city"),
    "of another type": ("get_weather", {"city": 5}, INVALID, "city"),
    "deep": ("get_weather", '{"city":' * 300 + "1" + "}" * 300, INVALID, "nests over"),
    "no unicode": ("get_weather", {"city": "\ud800"}, INVALID, "Unicode"),
}


@each_row("name, arguments, code, said", REFUSED.values(), ids=REFUSED)
def test_calls_are_refused_with_the_codes_of_servers(name: str, arguments: Any, code: str, said: str) -> None:
    session = RecordWorlds([weather()]).begin("")
    with pytest.raises(CallRefused, match=said) as refused:
        session.execute(name, arguments)
    assert refused.value.code == code
    assert refused.value.result.error_type in ("RESOURCE_NOT_FOUND", "PARAMETER_VALIDATION_FAILED")
    assert session.end_state.deeds == ()


def test_a_call_of_the_record_itself_is_brought_even_where_it_breaks_its_schema() -> None:
    record = json.loads(json.dumps(weather()).replace('{"city": "Porto"}', '{"town": 7}'))
    session = RecordWorlds([record]).begin("")
    assert session.execute("get_weather", {"town": 7}).message_text == '{"sky":"clear"}'


HOSTILE: dict[str, Any] = {
    "nothing": {},
    "no lists": {"messages": 5, "tools": "none", "metadata": []},
    "odd members": {"messages": [None, [], {"role": "assistant", "tool_calls": [5]}], "tools": [None, {}, []]},
    "a name that is none": {"messages": [], "tools": [{"function": {"name": ["x"]}}]},
    "the same tool twice": {**weather(), "tools": weather()["tools"] * 2},
    "a schema that is none": weather(tools=[{"function": {"name": "get_weather", "parameters": {"type": 5}}}]),
    "a schema elsewhere": weather(
        tools=[{"function": {"name": "get_weather", "parameters": {"$ref": "file:///etc/passwd"}}}]
    ),
    "odd metadata": weather(metadata={"id": 5, "index": "x", "seed": 10**30, "reference_date": "never"}),
    "a day without neighbours": weather(metadata={"seed": 1, "reference_date": "0001-01-01", "locale": "en_US"}),
    "no such locale": weather(metadata={"seed": 1, "reference_date": "2026-01-01", "locale": "../../en"}),
    "a mask of nothing": weather(metadata={"mask": {"tools": {}, "parameters": {"city": "get_weather"}}}),
    "a mask that is none": weather(metadata={"mask": {"tools": 5}}),
    "a deep id": weather(metadata={"id": "x" * 10_000}),
}


@each_row("document", HOSTILE.values(), ids=HOSTILE)
def test_a_malformed_record_is_opened_and_its_calls_are_answered_or_refused(document: Any) -> None:
    for catalogs in ([], [bundled()]):
        session = RecordWorlds([document], catalogs=catalogs).begin("")
        try:
            session.execute("get_weather", {"city": "Porto"})
        except CallRefused as refused:
            assert refused.code == UNKNOWN_TOOL  # noqa: PT017 - some of them show no such tool
        session.replay()
        assert isinstance(session.difference, str)


@pytest.mark.parametrize("odd", [10**400, functools.reduce(lambda inner, _: [inner], range(400), 1)])
def test_a_record_that_json_cannot_hold_is_refused_at_once(odd: Any) -> None:
    with pytest.raises(UsageError, match=r"^record 2 cannot be served"):
        RecordWorlds([weather(), weather(metadata={"odd": odd})])


def test_records_are_found_by_id_and_by_index() -> None:
    worlds = RecordWorlds([weather(), weather(metadata={"id": "mine", "index": 7})])
    assert worlds.ids == ("record-0", "mine")
    assert (worlds.find("mine"), worlds.find("7"), worlds.find("0")) == ("mine", "mine", worlds.ids[0])
    for name in ("", "8", "../mine", "x" * 1_000):
        with pytest.raises(UnknownRecord, match="there are 2"):
            worlds.find(name)


def test_sessions_are_bounded_and_each_has_its_own_world() -> None:
    worlds = RecordWorlds([weather()], most_sessions=3)
    first = worlds.session("a")
    assert worlds.session("a") is first
    for number in range(10_000):
        worlds.execute(f"session {number}", "get_weather", {"city": "Porto"})
    assert worlds.session("session 9999") is worlds.session("session 9999")
    assert worlds.session("a") is not first


def test_a_session_ends_after_very_many_calls() -> None:
    session = RecordWorlds([weather()]).begin("")
    results = [session.execute("get_weather", {"city": "Porto"}).status for _ in range(MOST_CALLS + 1)]
    assert results == ["SUCCESS"] * MOST_CALLS + ["RATE_LIMIT_EXCEEDED"]
