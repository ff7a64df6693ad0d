"""The phrases that belong to no domain: each has the slots that are filled, and what its check looks for."""

from __future__ import annotations

import re
from random import Random
from string import Formatter

import pytest

from generator.scenarios.phrases import (
    Topic,
    about,
    count_forms,
    draw_question,
    draw_reply,
    draw_wish,
    draw_wording,
    fill,
    fits_the_hour,
    joined_answers,
    joined_wishes,
    load_plain_questions,
    load_small_talk,
    opening,
    phrases,
    sentence,
    takes_leave,
    topics,
    upper_first,
)
from generator.schemas.adm import ERROR_TYPES
from tests.domains_library import tool
from tests.tables import each_row

SLOTS = {
    ("confirmation", "rules"): set(), ("confirmation", "yes"): set(), ("confirmation", "no"): set(),
    ("confirmation", "right"): set(), ("confirmation", "several"): set(), ("confirmation", "yes_to_all"): {"all"},
    ("confirmation", "left"): set(), ("switching", "dropped"): set(), ("missing_function", "system"): {"name"},
    ("missing_function", "lacking"): {"can"}, ("missing_function", "enabled"): set(),
    ("declining", "deed"): {"deed"}, ("declining", "without_tools"): {"deed"},
    ("errors", "replies"): {"can", "message"}, ("failing", "able"): {"can", "why"},
    ("failing", "named"): {"thing", "why"}, ("failing", "sought"): {"thing", "why"},
    ("failing", "deed"): {"thing", "why", "can"}, ("failing", "naming"): {"thing"}, ("failing", "heading"): {"thing"},
    ("correcting", "openers"): set(), ("correcting", "rest"): set(),
    ("correcting", "reading_back"): {"said"},
}  # fmt: skip


_BEFORE_OTHERS = (("confirmation", "several"), ("failing", "heading"))


def test_there_are_no_other_phrases() -> None:
    found = {
        (part, name)
        for part, texts in phrases().items()
        if part not in ("outages", "wishes")
        for name in texts
        if (part, name) not in {("correcting", "words"), ("correcting", "adding"), ("failing", "which")}
    }
    assert found == set(SLOTS)


@each_row(("part", "name"), SLOTS)
def test_each_text_has_the_slots_that_are_filled(part: str, name: str) -> None:
    texts = phrases()[part][name]
    assert len(texts) >= 3
    assert len(set(texts)) == len(texts)
    for text in texts:
        found = {slot for _, slot, _, _ in Formatter().parse(text) if slot is not None}
        needed = SLOTS[part, name]
        assert found == needed or (name == "without_tools" and found <= needed), text
        assert text[0].isupper() or text.startswith("{"), text
        assert text.rstrip()[-1] in (".?!:" if (part, name) in _BEFORE_OTHERS else ".?!"), text


def test_places_are_told_in_words_that_stand_within_a_sentence() -> None:
    which = phrases()["failing"]["which"]
    assert len(set(which)) == len(which) > 4
    assert which[-1] == "one of them" and all(text.islower() for text in which)


def test_outages_are_errors_that_have_nothing_to_do_with_the_world() -> None:
    outages = phrases()["outages"]
    assert {each["type"] for each in outages} == {"SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"} <= set(ERROR_TYPES)
    assert len({each["message"] for each in outages}) == len(outages)


def test_the_reason_of_an_outage_goes_on_within_a_sentence() -> None:
    for each in phrases()["outages"]:
        assert each["why"][0].islower() and each["why"][-1].isalpha(), each


def test_connectors_hold_the_further_wish_once() -> None:
    texts = phrases()["wishes"]
    for place in ("next", "last"):
        assert all(text.count("{further}") == 1 for text in (*texts[place]["within"], *texts[place]["apart"]))
        assert all(text.endswith(". {further}") for text in texts[place]["apart"])
    assert texts["lowered"] == sorted(set(texts["lowered"])) and all(word.islower() for word in texts["lowered"])


def test_who_confirms_says_yes_and_who_declines_says_no() -> None:
    texts = phrases()["confirmation"]
    assert not set(texts["yes"]) & set(texts["no"])
    assert not [text for text in texts["yes"] if text.lower().startswith(("no", "not", "hold", "wait"))]
    assert not [text for text in texts["no"] if text.lower().startswith(("yes", "ok", "sure"))]


def test_what_opens_a_correction_takes_something_back_and_what_adds_does_not() -> None:
    texts = phrases()["correcting"]
    assert all(set(re.findall(r"\w+", text.lower())) & set(texts["words"]) for text in texts["openers"])
    assert not set(texts["adding"]) & set(texts["words"])
    assert all(text.endswith("?") for text in texts["reading_back"])


SEEDS = range(60)


def joined(*texts: str) -> set[str]:
    return {joined_wishes(texts, Random(seed)) for seed in SEEDS}


def test_one_wish_is_a_sentence() -> None:
    assert joined("show me my loans") == {"show me my loans."}


def test_two_wishes_are_two_sentences_with_a_word_between_them() -> None:
    assert joined("show me my loans", "What's the price of B12?") == {
        "Show me my loans. And what's the price of B12?",
        "Show me my loans. Also, what's the price of B12?",
        "Show me my loans. Oh, and what's the price of B12?",
    }


@pytest.mark.parametrize("second", ["I need a taxi.", "I've lost my card.", "I'm late. Call Anna."])
def test_who_says_i_is_no_name(second: str) -> None:
    assert joined("Renew it.", second) == {f"Renew it. {word} {second}" for word in ("And", "Also,", "Oh, and")}


@pytest.mark.parametrize("second", ["Anna needs a table for two.", '"Emma", please.', "B12?", "Next!", "I"])
def test_what_begins_with_a_name_of_its_own_stands_for_itself(second: str) -> None:
    told = sentence(second)
    assert joined("Renew it.", second) == {
        f"Renew it. One more thing. {told}",
        f"Renew it. And one more thing. {told}",
    }


def test_three_wishes_are_a_list_or_go_on_to_the_last() -> None:
    said = joined("renew it", "what's due?", "Return B12")
    assert "Three things, please:\n1. Renew it.\n2. What's due?\n3. Return B12." in said
    assert "Renew it. Also, what's due? And finally, return B12." in said
    assert not [text for text in said if "\n" in text and not text.split("\n")[1].startswith("1. ")]


def test_texts_of_several_lines_are_not_glued() -> None:
    assert all("\n\n" in text for text in joined("Note: a\nb", "Next one"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Done. It's in.", "done"), ("I've added it.", "i've added"), ("Yes, two", "yes"), ("- a", ""), ("OK", "ok")],
)
def test_answers_begin_alike_by_their_first_words(text: str, expected: str) -> None:
    assert opening(text) == expected


@each_row(
    ("texts", "alike", "expected"),
    [
        ([], True, ""),
        (["Done."], True, "Done."),
        (["A is in.", "B is out."], True, "- A is in.\n- B is out."),
        (["A is in.", "B is out."], False, "A is in.\n\nB is out."),
        (["A:\n- b", "B."], True, "A:\n- b\n\nB."),
        (["Done, A is open.", "Done. B is open now."], True, "- A is open.\n- B is open now."),
        (["Done, A is in.", "All done: B is out too."], False, "Done, A is in.\n\nB is out too."),
        (
            ["I read the book, and it is long.", "I am not done, but it is late."],
            True,
            "- I read the book, and it is long.\n- I am not done, but it is late.",
        ),
        (["Done.", "Done, 8 PM."], True, "- Done.\n- Done, 8 PM."),
        (["the first is green.", "there's no other."], False, "The first is green.\n\nThere's no other."),
        (["oa_citations is in.", "x-1 is out.", "eu"], True, "- oa_citations is in.\n- x-1 is out.\n- eu"),
    ],
)
def test_each_answer_stands_for_itself(texts: list[str], alike: bool, expected: str) -> None:
    assert joined_answers(texts, alike=alike) == expected


@pytest.mark.parametrize(("text", "expected"), [("a", "a."), ("a ", "a."), ("a?", "a?"), ('say "a"', 'say "a".')])
def test_a_sentence_has_an_end(text: str, expected: str) -> None:
    assert sentence(text) == expected


@pytest.mark.parametrize(
    ("text", "thing", "expected"),
    [
        ("It's on now.", "your lamp", "Your lamp: It's on now."),
        ("Done, it's on now.", "the lamp", "The lamp: It's on now."),
        ("The big lamp is on.", "the lamp", "The big lamp is on."),
        ("It's on the table.", "the", "It's on the table."),
        ("It's on now.", "", "It's on now."),
    ],
)
def test_each_of_several_answers_says_what_it_is_about(text: str, thing: str, expected: str) -> None:
    assert about(text, thing) == expected


@pytest.mark.parametrize("verb", ["Generate", "Go", "Pick", "Summarize"])
def test_a_command_goes_on_in_small_letters(verb: str) -> None:
    said = joined("Renew it.", f"{verb} on.")
    assert said == {f"Renew it. {word} {verb.lower()} on." for word in ("And", "Also,", "Oh, and")}


def test_what_a_wish_adds_stands_behind_what_it_is_added_to() -> None:
    said = joined("Renew it.", "I need the coverage, too. Run the tests.")
    assert said == {
        f"Renew it. {word} run the tests. I need the coverage, too." for word in ("And", "Also,", "Oh, and")
    }


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


@pytest.mark.parametrize(
    ("text", "ended"),
    [
        ('new WO on NB-14, title "Retorque tower bolts"', 'new WO on NB-14, title "Retorque tower bolts".'),
        ('Write "It is late."', 'Write "It is late."'),
        ("Is it open?", "Is it open?"),
        ("Go on", "Go on."),
    ],
)
def test_a_sentence_has_one_end(text: str, ended: str) -> None:
    assert sentence(text) == ended
