"""What a model says of where its arguments come from is held against what was said."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from generator.authors.llm.draft_checks import shared_evidence, unsaid_evidence
from generator.jsontext import JsonObject
from generator.records import Draft, DraftCall, Evidence, Exchange, ToolResult
from generator.scenarios.scenario import PlannedCall, Step
from tests.test_authors_llm_author import BOTH, KEPT, ONE, SPOKEN, TABLE, answer, author_of, verdict


def booking(request: str, arguments: JsonObject, **said: str) -> Draft:
    evidence = tuple(Evidence(argument=name, said=words) for name, words in said.items())
    return Draft(request=request, calls=(DraftCall(name="book", arguments=arguments, evidence=evidence),))


TWICE = {"adults": 2, "rooms": 2}


@pytest.mark.parametrize(
    ("request_text", "arguments", "said", "expected"),
    [
        ("a room for two", TWICE, {"adults": "two", "rooms": "two"}, ["LM012"]),
        ("two rooms for two", TWICE, {"adults": "two", "rooms": "two"}, []),
        ("from Rome", {"from": "Rome", "to": "Rome"}, {"from": "Rome", "to": "rome "}, ["LM012"]),
        ("two nights in Rome", {"nights": 2, "city": "Rome"}, {"nights": "two", "city": "Rome"}, []),
        # one day may begin and end a thing, and a flag is no value that is counted
        ("on March 3", {"start": "2026-03-03", "end": "2026-03-03"}, {"start": "March 3", "end": "March 3"}, []),
        ("quietly", {"mute": True, "silent": True}, {"mute": "quietly", "silent": "quietly"}, []),
        ("from 3 to 5", {"start": 3, "end": 5}, {"start": "from 3 to 5", "end": "from 3 to 5"}, []),
        ("a room", TWICE, {}, []),
        ("a room", {}, {"adults": "room", "rooms": "room"}, []),
    ],
)
def test_words_said_once_give_one_argument(
    request_text: str, arguments: JsonObject, said: dict[str, str], expected: list[str]
) -> None:
    draft = booking(request_text, arguments, **said)
    assert [each.rule for each in shared_evidence(ONE, (), draft)] == expected


def test_evidence_is_sought_in_all_that_was_said() -> None:
    plan = replace(ONE, system="Today is Friday.")
    history = (Exchange(SPOKEN[0].draft, (ToolResult("get_weather", {"status": "dünner Regen"}),)),)
    draft = booking(
        "And there?", {"a": 1}, a="friday", b="weather be like", c="DÜNNER  regen", d="there", e="snow", f=""
    )
    found = list(unsaid_evidence(plan, history, draft))
    assert [(each.rule, each.pointer) for each in found] == [("LM011", "/calls/0/evidence/4")]
    assert "'snow', the evidence for 'e', is said nowhere" in found[0].message


def on_the_tenth(**said: str) -> str:
    dinner = {"restaurant": "Luigi's", "guests": 2, "day": "2026-02-10"}
    evidence = [{"argument": name, "said": words} for name, words in said.items()]
    return answer(
        "Wetter in Oslo bitte, und einen Tisch für 2 bei Luigi's am kommenden Zehnten",
        {"name": "get_weather", "arguments": {"city": "Oslo"}},
        {"name": "book_table", "arguments": dinner, "evidence": evidence},
    )


def test_a_value_that_no_rule_follows_passes_by_its_evidence_and_not_without() -> None:
    assert verdict(BOTH, (), on_the_tenth())[0] == "TC201"
    assert verdict(BOTH, (), on_the_tenth(day="am Zwölften"))[0] == "TC201"
    assert verdict(BOTH, (), on_the_tenth(day="am kommenden Zehnten"))[0] == KEPT


def test_evidence_for_calls_that_follow_comes_with_the_request() -> None:
    """What a later call is given may be said in words that no rule follows: whoever writes the request names them."""
    later = PlannedCall(TABLE, {"restaurant": "Luigi's", "guests": 2, "day": "2026-02-10"})
    steps = (ONE.steps[0], Step(calls=(later,), act="go on"), Step(reply=True))
    plan = replace(ONE, kind="simple", steps=steps, claim={"carried": ["restaurant"]})
    said = {"call": 1, "argument": "day", "said": "am kommenden Zehnten"}
    request = "Wetter in Oslo bitte, und einen Tisch für 2 bei Luigi's am kommenden Zehnten"
    text = answer(request, {"name": "get_weather", "arguments": {"city": "Oslo"}, "evidence": []}, later=[said])
    author, backend = author_of(text)
    draft = asyncio.run(author.draft(plan, ()))
    assert [(each.call, each.argument, each.said) for each in draft.later] == [(1, "day", "am kommenden Zehnten")]
    (message,) = backend.requests[0].messages
    assert (
        '1. book_table with {"guests":2,"day":"2026-02-10"}, and with restaurant from an earlier result'
        in (message["content"])
    )
    assert "Luigi" not in message["content"]
    history = (Exchange(draft, (ToolResult("get_weather", {"status": "ok"}),)),)
    follows = asyncio.run(author.draft(plan, history))
    (call,) = follows.calls
    assert [(each.argument, each.said) for each in call.evidence] == [("day", "am kommenden Zehnten")]
