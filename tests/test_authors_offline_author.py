"""The offline author behind the seam."""

from datetime import date

import pytest

from generator.authors.author import NoDraft
from generator.authors.offline import OfflineAuthor
from generator.authors.offline.saying import Unsayable
from generator.authors.offline.wordings import WORDINGS
from generator.authors.offline.wordings.wording import Wording
from generator.pipeline import finish
from generator.records.calls import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.tools.tool import Tool

WEATHER = Tool(
    name="get_weather",
    description="Get the current weather for a specific city.",
    parameters={"type": "object", "properties": {"city": {"type": "string", "description": "City"}}},
    result_schema={"type": "object", "properties": {"temperature": {"type": "number"}}},
    result_origin="derived",
)


def scenario(*steps, kind="simple"):
    return Scenario(0, 0, 5, kind, (WEATHER,), steps, Persona("traveler", "plain"), "en_US", date(2026, 1, 15))


def draft(plan, history=()):
    return finish(OfflineAuthor().draft(plan, history))


def test_the_planned_calls_are_returned_as_they_are():
    step = Step(request=True, calls=(PlannedCall(WEATHER, {"city": "Paris"}),))
    made = draft(scenario(step))
    assert made.calls == (DraftCall(name="get_weather", arguments={"city": "Paris"}),)
    assert "Paris" in made.request
    assert made.reply is None


def test_the_step_is_the_one_that_history_leads_to():
    ask = Step(request=True, calls=(PlannedCall(WEATHER, {"city": "Paris"}),))
    tell = Step(reply=True)
    plan = scenario(ask, tell)
    first = draft(plan)
    happened = (Exchange(first, (ToolResult("get_weather", {"temperature": 21}),)),)
    second = draft(plan, happened)
    assert second.request is None
    assert second.calls == ()
    assert "21" in second.reply


def test_irrelevance_has_a_request_and_a_reply_but_no_call():
    step = Step(request=True, reply=True)
    made = draft(scenario(step, kind="irrelevance"))
    assert isinstance(made, Draft)
    assert made.request
    assert made.reply
    assert made.calls == ()


def test_what_cannot_be_said_is_refused():
    step = Step(request=True, calls=(PlannedCall(WEATHER, {"city": None}),))
    with pytest.raises(NoDraft) as caught:
        draft(scenario(step))
    assert caught.value.violations[0].rule == "AU001"


def test_it_waits_for_nothing():
    step = Step(request=True, calls=(PlannedCall(WEATHER, {"city": "Paris"}),))
    assert OfflineAuthor().write(scenario(step), ()) == draft(scenario(step))


def test_a_value_without_words_is_no_crash(monkeypatch: pytest.MonkeyPatch):
    def unsayable(plan, history):
        raise Unsayable("an opaque value")

    monkeypatch.setitem(WORDINGS, "simple", Wording(unsayable, unsayable))
    for step in (Step(request=True, calls=(PlannedCall(WEATHER, {"city": "Paris"}),)), Step(reply=True)):
        with pytest.raises(NoDraft, match="an opaque value"):
            draft(scenario(step))
