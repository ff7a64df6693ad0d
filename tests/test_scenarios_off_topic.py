"""Small talk, plain questions and everyday wishes: whole texts, right answers, no wish that a tool serves."""

from __future__ import annotations

import re
from random import Random

import pytest

from generator.scenarios.off_topic import (
    Topic,
    count_forms,
    draw_question,
    draw_reply,
    draw_wish,
    draw_wording,
    fill,
    fits_the_hour,
    load_plain_questions,
    load_small_talk,
    takes_leave,
    topics,
)
from generator.scenarios.wording import upper_first
from tests.domains_library import tool

UNFINISHED = re.compile(r"[{}|()]|\s[.,!?]|\s\s")
DRAWS = 3_000


def test_wordings_and_pools_are_drawn_and_the_first_letter_raised() -> None:
    pools = {"day": ("Monday", "Tuesday")}
    drawn = {fill("(book|get) it {day}.", Random(seed), pools) for seed in range(40)}
    assert drawn == {f"{verb} it {day}." for verb in ("Book", "Get") for day in pools["day"]}


@pytest.mark.parametrize(
    ("text", "raised"),
    [
        ("what now?", "What now?"),
        ("élan", "Élan"),
        ("", ""),
        ("example.org/x is down", "example.org/x is down"),
        ("a@b.org wrote", "a@b.org wrote"),
        ("ask a@b.org", "Ask a@b.org"),
    ],
)
def test_the_first_letter_of_an_address_stays(text: str, raised: str) -> None:
    assert upper_first(text) == raised


def test_wishes_are_whole_and_many() -> None:
    random = Random(5)
    said = {wish[1] for _ in range(DRAWS) if (wish := draw_wish(random))}
    assert not [text for text in said if UNFINISHED.search(text)]
    assert len(said) > DRAWS / 3


def test_a_topic_that_a_shown_tool_speaks_of_is_never_wished_for() -> None:
    for topic in topics():
        spoken = tool("serve", None, (), **dict.fromkeys(topic.words[:1], "string"))
        random = Random(7)
        drawn = {wish[0].name for _ in range(120) if (wish := draw_wish(random, (spoken,)))}
        assert topic.name not in drawn, topic.name
        assert drawn, topic.name


def test_where_tools_speak_of_everything_there_is_no_wish() -> None:
    spoken = tuple(tool("serve", None, (), **{topic.words[0]: "string"}) for topic in topics())
    assert draw_wish(Random(1), spoken[:3]) is not None
    assert draw_wish(Random(1), spoken) is None


def test_beside_a_tool_for_nearly_everything_a_wish_needs_hands() -> None:
    browser = tool("browser_click", None, (), ref="string")
    drawn = [wish[0] for _ in range(60) if (wish := draw_wish(Random(1), (browser,)))]
    assert len(drawn) == 60
    assert all(topic.hands for topic in drawn)


def test_a_wish_of_few_forms_is_rare_when_many_were_drawn_before() -> None:
    once = {text for topic in topics() for text in topic.requests if "{" not in text and "(" not in text}
    assert once
    early, late = (
        sum((wish := draw_wish(Random(seed), before=before)) is not None and wish[1] in once for seed in range(2000))
        for before in (0, 50_000)
    )
    assert late == 0 < early


def test_the_forms_of_a_text_are_counted() -> None:
    assert count_forms("(Book|Get) a {thing} {day}.", {"thing": ("cab", "van", "bike"), "day": ("now",)}) == 6
    assert count_forms("Walk my dog.", {}) == 1


def test_topics_tell_what_is_wished_for() -> None:
    known: tuple[Topic, ...] = topics()
    assert len({topic.name for topic in known}) == len(known) > 20
    for topic in known:
        assert topic.words and topic.requests and not topic.deed.endswith(".")


def test_questions_are_whole_and_many_and_have_an_answer() -> None:
    random = Random(5)
    drawn = {draw_question(random) for _ in range(DRAWS)}
    assert len(drawn) > DRAWS / 3
    for question, answer in drawn:
        assert not UNFINISHED.search(question.replace("(", "").replace(")", "")), question
        assert "{" not in answer
        assert question[:1] == upper_first(question)[:1]
        assert answer.rstrip()[-1] in ".!?'\"", answer


SUM = re.compile(r"^([\d,]+) (times|plus) ([\d,]+) is ([\d,]+)\.$")
SHARE = re.compile(r"^(\d+)% of ([\d,]+) is ([\d.]+)\.$")
ROMAN = re.compile(r"^(\d+) is ([IVXLC]+) in Roman numerals\.$")
VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def test_what_is_worked_out_is_right() -> None:
    random, seen = Random(11), set()
    for _ in range(DRAWS):
        _, answer = draw_question(random)
        if match := SUM.match(answer):
            first, verb, second, result = match.groups()
            a, b, whole = (int(each.replace(",", "")) for each in (first, second, result))
            assert whole == (a * b if verb == "times" else a + b)
            seen.add(verb)
        elif match := SHARE.match(answer):
            percent, amount, part = match.groups()
            assert float(part) == int(percent) * int(amount.replace(",", "")) / 100
            seen.add("share")
        elif match := ROMAN.match(answer):
            values = [VALUES[letter] for letter in match[2]]
            total = sum(-v if v < max(values[place:]) else v for place, v in enumerate(values))
            assert total == int(match[1])
            seen.add("roman")
    assert seen == {"times", "plus", "share", "roman"}


def test_facts_say_what_is_asked_about() -> None:
    for facts in load_plain_questions().facts:
        assert all(text.count("{}") == 1 for text in facts.questions)
        assert all("{answer}" in text for text in facts.answers)
        assert len({about for about, _ in facts.pairs}) == len(facts.pairs)


def test_small_talk_is_whole_and_takes_no_value_twice() -> None:
    known, random = load_small_talk(), Random(3)
    for talk in known.talks:
        for request in talk.requests:
            for _ in range(30):
                text = draw_wording(request, random, known.pools)
                assert not re.search(r"[{}|]|\s[.,!?]|\s\s", text), text
        for reply in talk.replies:
            assert talk.about or "{offers}" not in reply, talk.name
            reply.format(offers="x", name="Ann")


def test_a_value_is_drawn_once_in_a_text_while_there_are_others() -> None:
    pools = {"it": ("one", "two", "three")}
    for seed in range(40):
        words = draw_wording("{it} {it} {it}", Random(seed), pools).lower().split()
        assert sorted(words) == ["one", "three", "two"]
    assert draw_wording("{it} {it}", Random(1), {"it": ("one",)}) == "One one"


def test_who_says_a_name_is_called_by_it() -> None:
    talks = {talk.name: talk for talk in load_small_talk().talks}
    for name in ("greeting", "hello", "name"):
        called = {draw_reply(talks[name], "Hi! I'm Joel.", "", Random(seed)) for seed in range(40)}
        assert len(called) > 1 and all("Joel" in reply for reply in called)
        assert not any("{" in draw_reply(talks[name], "Hi there!", "", Random(seed)) for seed in range(40))
    assert "play" in draw_reply(talks["about itself"], "I'm Joel. What can you do?", "play", Random(1))


@pytest.mark.parametrize(
    ("before", "text", "fits"),
    [
        ("Good morning! I'm Joel.", "I'm off now, dinner is waiting. Bye!", False),
        ("Good afternoon!", "Bye, I'm off to bed.", False),
        ("Good evening!", "Bye, I'm off to bed.", True),
        ("Hi there!", "I'm off now, dinner is waiting. Bye!", True),
        ("Good morning!", "Thanks for your help!", True),
        ("", "Bye, I'm calling it a day.", True),
    ],
)
def test_nobody_says_good_morning_and_leaves_for_dinner(before: str, text: str, fits: bool) -> None:
    assert fits_the_hour(text, before) is fits


def test_a_good_night_is_a_goodbye() -> None:
    talks = {talk.name: talk for talk in load_small_talk().talks}
    for name in ("good night", "greeting"):
        drawn = {draw_wording(talks[name].requests[0], Random(seed), load_small_talk().pools) for seed in range(20)}
        assert {takes_leave(text) for text in drawn} == {name == "good night"}
