"""Records without a call: over the bundled domains, and where they cannot be planned."""

import pytest

from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.off_topic import fits_the_hour, load_small_talk, takes_leave, topics
from generator.scenarios.planning_context import PlanningContext
from tests.domains_library import library, tool
from tests.kind_records import calls, turns
from tests.planning_contexts import book_of, context_over, library_context, made, plan_error


@pytest.mark.parametrize("kind", ["irrelevance", "chitchat", "no_tools"])
def test_nothing_is_called_and_every_word_answered(kind: str) -> None:
    for record in made(kind):
        assert not calls(record)
        assert not turns(record, "tool")
        assert len(turns(record, "user")) == len(turns(record, "assistant"))
        assert bool(record["tools"]) is (kind != "no_tools")


def test_small_talk_at_times_has_a_parting_word() -> None:
    lengths = {len(turns(record, "user")) for record in made("chitchat", 40)}
    assert lengths == {1, 2}


def test_near_wishes_come_from_the_domain_and_others_from_everyday_life() -> None:
    said = set()
    for seed in range(40):
        said.add(LAYOUTS["irrelevance"].blueprint(library_context(seed=seed)).steps[0].request_text)
    assert "Buy me this book." in said
    assert len(said) > 5


def test_a_wish_that_no_tool_serves_is_declined_by_what_it_wants() -> None:
    document = {**library_context().book.domain.model_dump(by_alias=True), "unserved": []}
    book = book_of(document, library_context().book.tools.values())
    deeds = {topic.deed for topic in topics()}
    for seed in range(20):
        reply = LAYOUTS["irrelevance"].blueprint(context_over(book, "renew_loan", seed=seed)).steps[1].reply_text
        assert any(deed in reply for deed in deeds)


def test_where_the_tools_speak_of_everything_nothing_is_irrelevant(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = [tool(f"serve_{number}", None, (), **{topic.words[0]: "string"}) for number, topic in enumerate(topics())]
    book = book_of({"tools": {each.name: {} for each in tools}}, tools)
    context = context_over(book, tools[0].key)
    monkeypatch.setattr(PlanningContext, "beside", lambda context, count: tuple(each.key for each in tools[1:]))
    assert plan_error("irrelevance", context) == "the tools shown speak of everything"


def test_nobody_begins_with_thanks_or_a_goodbye() -> None:
    talks = {talk.name: talk for talk in load_small_talk().talks}
    parting = {reply for name in ("thanks", "goodbye", "praise") for reply in talks[name].replies}
    first, later = set(), set()
    for record in made("chitchat", 40):
        said = [turn["content"] for turn in turns(record, "assistant")]
        first.add(said[0])
        later |= set(said[1:])
    assert not first & parting
    assert later and later <= parting


def test_each_wording_of_a_near_wish_has_its_turn_and_then_life_goes_on() -> None:
    """A record cannot look at others: by how many came before it, it knows which wording comes next."""
    texts = sum(len(wish.requests) for wish in library().unserved)
    near = []
    for visit in range(8 * texts):
        plan = LAYOUTS["irrelevance"].blueprint(library_context(seed=visit, visit=visit))
        if plan.claim:
            assert set(plan.claim["unserved_by"]) == {library_context().index.tools[key].name for key in plan.shown}
            near.append(plan.steps[0].request_text)
    assert len(near) <= 2 * texts
    assert len(set(near)) > texts / 2


def test_a_second_attempt_does_not_say_the_same_again() -> None:
    for seed in range(20):
        context = library_context(seed=seed)
        context.attempt = 1
        assert not LAYOUTS["irrelevance"].blueprint(context).claim


def test_a_parting_word_fits_the_hour_of_the_greeting() -> None:
    for record in made("chitchat", 40):
        first, *later = (turn["content"] for turn in turns(record, "user"))
        assert all(fits_the_hour(text, first) for text in later)
        assert not (later and takes_leave(first))
