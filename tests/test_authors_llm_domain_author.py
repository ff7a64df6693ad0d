"""A model writes a domain part by part: what is asked, what goes back to it, what is taken, dropped and left alone."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest

from generator.authors.llm.domain_author import DomainAuthor, DomainDraft, Trial, faults_of, overlaid, requests_needed
from generator.authors.llm.response_formats import FormatFallback
from generator.backends.backend import Completion, ModelOptions, Unavailable
from generator.backends.scripted import Answer, ScriptedBackend
from generator.jsontext import JsonObject
from tests.bundled import bundled_prompts
from tests.domain_examples import domain, tools
from tests.tables import each_row

PROMPTS = bundled_prompts()
TOOLS = tools()
NAMES = ["list_loans", "renew_loan"]
GOOD = domain()


def picked(*keys: str, **changes: Any) -> str:
    return json.dumps({key: copy.deepcopy(GOOD[key]) for key in keys} | changes)


WORLD = picked("about", "me", "context", "pools", "entities")
PART = picked("tools")
NO_CHANGE = '{"tools": {}}'
TASKS = picked("tasks", "unserved")
NO_TASK = '{"tasks": {}}'
ALL = [WORLD, PART, NO_CHANGE, TASKS, NO_TASK]


class Tries:
    """Gives what it is told to, and notes what it is asked."""

    def __init__(self, *found: tuple[int, int], unsaid: Sequence[str] = ()) -> None:
        self.found = list(found)
        self.unsaid = unsaid
        self.drafts: list[JsonObject] = []

    def __call__(self, draft: DomainDraft, names: Sequence[str]) -> Trial:
        self.drafts.append(copy.deepcopy(draft.raw))
        many, problems = self.found.pop(0) if self.found else (3, 0)
        records = [f"user: record {number}" for number in range(many)]
        return Trial(records, [f"reason {n}" for n in range(problems)], self.unsaid)


class Run:
    """One writing of a domain over a script of answers."""

    def __init__(
        self,
        answers: Sequence[Answer],
        existing: JsonObject | None = None,
        *,
        tries: int = 3,
        trial: Tries | None = None,
    ) -> None:
        self.backend = ScriptedBackend(answers)
        self.fallback = FormatFallback(self.backend, ModelOptions("m", 100))
        self.parts: list[str] = []
        self.kept: list[JsonObject] = []
        self.trial = trial or Tries()
        writer = DomainAuthor(self.fallback, PROMPTS, self.trial, tries=tries, on_part=self.parts.append)
        keep = lambda raw: self.kept.append(copy.deepcopy(raw))  # noqa: E731 - one line says it
        self.draft = asyncio.run(writer.write(TOOLS, "library", existing or {}, keep))
        self.asked = writer.asked

    def told(self, number: int) -> list[str]:
        """What was said in one request, message by message."""
        return [message["content"] for message in self.backend.requests[number].messages]


def test_the_parts_are_asked_for_in_order_and_make_a_domain_without_faults() -> None:
    run = Run(ALL)
    tools_read = "list_loans, renew_loan (read again)"
    assert run.parts == ["the world", "list_loans, renew_loan", tools_read, "tasks", "tasks (read again)"]
    tasks = ["the world of", "what these tools do", "read what comes of it", "tasks of several", "read what comes"]
    assert [task in run.told(number)[0] for number, task in enumerate(tasks)] == [True] * 5
    assert all("# The format of a domain file" in run.told(number)[0] for number in range(5))
    assert run.draft.raw == {"origin": "model", **GOOD}
    assert faults_of(run.draft.raw, TOOLS, "library")[1] == []
    assert run.draft.notes == []
    assert [sorted(set(raw) & {"entities", "tools", "tasks"}) for raw in run.kept] == [
        ["entities"],
        ["entities", "tools"],
        ["entities", "tasks", "tools"],
        ["entities", "tasks", "tools"],
    ]
    assert run.asked == len(run.backend.requests) == requests_needed(TOOLS, {})


TOOLS_TWICE = ["list_loans, renew_loan"] * 2
TASKS_TWICE = ["tasks"] * 2
EXISTING: dict[str, tuple[tuple[str, ...], list[str], list[str]]] = {
    "nothing": ((), ALL, ["the world", *TOOLS_TWICE, *TASKS_TWICE]),
    "the world": (("about", "me", "pools", "entities"), ALL[1:], [*TOOLS_TWICE, *TASKS_TWICE]),
    "all but tasks": (("about", "me", "pools", "entities", "tools"), [TASKS, NO_TASK], TASKS_TWICE),
    "everything": (tuple(GOOD), [], []),
}


@pytest.mark.parametrize("name", EXISTING)
def test_what_exists_is_not_asked_for(name: str) -> None:
    keys, answers, parts = EXISTING[name]
    existing = {key: copy.deepcopy(GOOD[key]) for key in keys}
    run = Run(answers, existing)
    assert [part.removesuffix(" (read again)") for part in run.parts] == parts
    assert requests_needed(TOOLS, existing) == len(run.backend.requests) == len(answers)
    assert {key: run.draft.raw[key] for key in keys} == existing
    once = {"nothing": 4, "the world": 3, "all but tasks": 2, "everything": 0}
    assert len(run.kept) == once[name]


def test_what_exists_is_not_changed_by_an_answer() -> None:
    existing = domain()
    del existing["tools"]["renew_loan"]
    del existing["tasks"]
    entity = {**GOOD["entities"]["loan"], "say": ["the lot"], "views": {"short": {"id": "$id"}}}
    answer = json.dumps(
        {
            "tools": {**GOOD["tools"], "list_loans": {"can": "do harm"}},
            "entities": {"loan": entity},
            "pools": {"titles": [1]},
        }
    )
    run = Run([answer, NO_CHANGE, TASKS, NO_TASK], existing)
    assert run.draft.raw["tools"] == GOOD["tools"]
    assert run.draft.raw["entities"]["loan"]["say"] == GOOD["entities"]["loan"]["say"]
    assert run.draft.raw["entities"]["loan"]["views"] == {"short": {"id": "$id"}, **GOOD["entities"]["loan"]["views"]}
    assert run.draft.raw["pools"] == GOOD["pools"]


@pytest.mark.parametrize(
    ("written", "given", "expected"),
    [
        ({"a": 1, "b": 2}, {"b": 3, "c": 4}, {"a": 1, "b": 3, "c": 4}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}}, {"a": {"x": 1, "y": 3}}),
        ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
        ({"a": [1, 2]}, {"a": []}, {"a": [1, 2]}),
        ({"a": 1}, {"a": 0}, {"a": 0}),
        ({"a": True}, {"a": False}, {"a": False}),
        ([1], {"a": 1}, {"a": 1}),
    ],
)
def test_what_is_given_lies_over_what_is_written(written: Any, given: Any, expected: Any) -> None:
    assert overlaid(written, given) == expected


def broken(**ways: Any) -> str:
    """Return tools of which one has a request with an unknown slot, and more as is said."""
    known = copy.deepcopy(GOOD["tools"])
    known["renew_loan"]["ways"][0]["requests"].append("Renew {lone} by {n} days.")
    known["renew_loan"]["ways"] += ways.get("more", [])
    return json.dumps({"tools": known})


def test_faults_go_back_in_words_with_their_place_and_the_mended_answer_is_taken() -> None:
    run = Run([WORLD, broken(), PART, NO_CHANGE, TASKS, NO_TASK])
    opening, said, back = run.told(2)
    assert opening == run.told(1)[0]
    assert said == broken()
    assert "- /tools/renew_loan/ways/0/requests/2: unknown name '$lone'" in back
    assert run.draft.raw["tools"] == GOOD["tools"]
    assert run.draft.notes == []
    assert len({request.key for request in run.backend.requests}) == 6


def test_the_best_of_the_tries_is_taken_and_what_stays_wrong_is_dropped_and_noted() -> None:
    bad_way = {"arguments": {"loan_id": "$nobody.id", "days": 3}, "requests": ["Renew it."]}
    run = Run([WORLD, broken(more=[bad_way]), broken(), broken(more=[bad_way]), NO_CHANGE, TASKS, NO_TASK])
    assert run.draft.raw["tools"] == GOOD["tools"]
    (note,) = run.draft.notes
    assert note.startswith("list_loans, renew_loan: dropped /tools/renew_loan/ways/0/requests/2: unknown name '$lone'")


def test_a_way_that_stays_wrong_is_dropped_whole() -> None:
    bad_way = {"arguments": {"loan_id": "$nobody.id", "days": 3}, "requests": ["Renew it."]}
    run = Run([WORLD, broken(more=[bad_way]), NO_CHANGE, TASKS], tries=1)
    assert run.draft.raw["tools"] == GOOD["tools"]
    assert any("dropped /tools/renew_loan/ways/1" in note for note in run.draft.notes)


def test_a_tool_of_which_no_way_is_left_is_dropped() -> None:
    known = copy.deepcopy(GOOD["tools"])
    known["renew_loan"]["ways"][0]["draw"]["l"] = {"row": "lone"}
    run = Run([WORLD, json.dumps({"tools": known}), NO_CHANGE, '{"tasks": []}'], tries=1)
    assert set(run.draft.raw["tools"]) == {"list_loans"}
    assert "list_loans, renew_loan: nothing is known of renew_loan" in run.draft.notes
    assert faults_of(run.draft.raw, TOOLS, "library")[1] == []


def test_tools_that_an_answer_leaves_out_are_asked_for_again() -> None:
    half = json.dumps({"tools": {"list_loans": GOOD["tools"]["list_loans"]}})
    run = Run([WORLD, half, PART, NO_CHANGE, TASKS])
    assert "- /tools/renew_loan: has no ways (describe this tool)" in run.told(2)[-1]
    assert set(run.draft.raw["tools"]) == set(NAMES)


def test_tools_of_another_name_are_not_taken() -> None:
    more = json.dumps({"tools": {**GOOD["tools"], "rm_rf": {"can": "do harm"}}})
    assert set(Run([WORLD, more, NO_CHANGE, TASKS]).draft.raw["tools"]) == set(NAMES)


REVIEWED = copy.deepcopy(GOOD["tools"]["list_loans"])
REVIEWED["ways"][0]["requests"] = ["What is on loan to me?"]
REVIEW = json.dumps({"tools": {"list_loans": REVIEWED}})
REVIEWS: dict[str, tuple[str, Trial, bool]] = {
    "a better one": (REVIEW, Tries((2, 1), (3, 0)), True),
    "one that is as good": (REVIEW, Tries((3, 0), (3, 0)), True),
    "one of which less can be made": (REVIEW, Tries((3, 0), (2, 0), (2, 0)), False),
    "one with more that cannot be made": (REVIEW, Tries((3, 0), (3, 1), (3, 1)), False),
    "one with faults": (REVIEW.replace("What is on loan", "{nobody}"), Tries(), False),
    "one without ways": ('{"tools": {"list_loans": {"can": "x"}}}', Tries((3, 0), (1, 0), (1, 0)), False),
    "prose": ("It is all good.", Tries(), False),
    "none": ("", Tries(), False),
}


@pytest.mark.parametrize("name", REVIEWS)
def test_a_review_is_taken_where_it_is_no_worse(name: str) -> None:
    answer, trial, is_taken = REVIEWS[name]
    run = Run([WORLD, PART, answer, *([] if is_taken else [answer]), TASKS, NO_TASK], trial=trial)
    told = run.told(2)[0]
    assert any("left as it was" in note for note in run.draft.notes) is not is_taken
    assert "user: record 0" in told and ("- reason 0" in told) == (name == "a better one")
    assert (run.draft.raw["tools"]["list_loans"] == REVIEWED) is is_taken
    assert run.draft.raw["tools"]["renew_loan"] == GOOD["tools"]["renew_loan"]
    if not is_taken:
        assert run.draft.raw["tools"] == GOOD["tools"]
    assert run.kept[1] == {key: value for key, value in run.draft.raw.items() if key not in ("tasks", "unserved")}


def test_a_review_is_asked_for_what_no_way_says_and_may_leave_it_so() -> None:
    lacking = 'list_loans: sort="title"'
    run = Run(ALL, trial=Tries(unsaid=[lacking]))
    assert f"- {lacking}" in run.told(2)[0] and "No way ever says" in run.told(2)[0]
    assert len(run.backend.requests) == len(ALL)
    assert "No way ever says" not in Run(ALL).told(2)[0]


def test_a_review_that_makes_things_worse_is_told_so_and_may_mend_itself() -> None:
    run = Run([WORLD, PART, REVIEW, REVIEW, TASKS, NO_TASK], trial=Tries((3, 0), (2, 1), (3, 0)))
    assert "2 conversations can be made of it, where it were 3" in run.told(3)[-1]
    assert "reason 0" in run.told(3)[-1]
    assert run.draft.raw["tools"]["list_loans"] == REVIEWED
    assert run.draft.notes == []


def test_what_is_still_wrong_after_a_review_is_read_once_more() -> None:
    run = Run([WORLD, PART, REVIEW, NO_CHANGE, TASKS, NO_TASK], trial=Tries((2, 3), (3, 1), (3, 1)))
    assert "- reason 2" in run.told(2)[0] and "- reason 0" in run.told(3)[0]
    assert run.draft.raw["tools"]["list_loans"] == REVIEWED
    assert len(run.backend.requests) == 6


def test_a_review_of_the_tasks_mends_tools_and_entities_too() -> None:
    answer = {"tasks": {}, "tools": {"list_loans": REVIEWED}, "entities": {"loan": {"say": ["{title}"]}}}
    run = Run([WORLD, PART, NO_CHANGE, TASKS, json.dumps(answer)])
    assert run.draft.raw["tools"]["list_loans"] == REVIEWED
    assert run.draft.raw["entities"]["loan"]["say"] == ["{title}"]


def test_a_review_mends_contexts_tasks_by_their_places_and_parts_of_entities() -> None:
    tools_read = json.dumps({"tools": {}, "context": ["Help."], "entities": {"loan": {"new": {"due": "$today"}}}})
    task = {**GOOD["tasks"][0], "turns": [{**GOOD["tasks"][0]["turns"][0], "replies": ["Done: {r2.title}."]}]}
    tasks_read = json.dumps({"tasks": {"0": task, "1": GOOD["tasks"][0]}, "unserved": {"0": None}})
    run = Run([WORLD, PART, tools_read, TASKS, tasks_read])
    assert run.draft.raw["context"] == ["Help."]
    assert run.draft.raw["entities"]["loan"] == {**GOOD["entities"]["loan"], "new": {"due": "$today"}}
    assert run.draft.raw["tasks"] == [task, GOOD["tasks"][0]]
    assert run.draft.raw["unserved"] == []
    assert run.draft.notes == []


def test_what_holds_for_all_tools_is_taken_from_the_world_and_mended_by_a_review() -> None:
    first = picked("about", "me", "context", "pools", "entities", outages=[])
    run = Run([first, PART, json.dumps({"tools": {}, "asks_first": True}), TASKS, NO_TASK])
    assert run.kept[0]["outages"] == []
    assert '"outages":[]' in run.told(1)[0]
    assert (run.draft.raw["outages"], run.draft.raw["asks_first"]) == ([], True)


def test_what_was_shown_shortened_keeps_what_was_not_shown() -> None:
    shown = DomainDraft(domain(), tuple(TOOLS), "library")
    shown.raw["entities"]["loan"]["data"] = [{"title": f"T{number}"} for number in range(9)]
    world = shown.world
    assert len(world["pools"]["titles"]) == 4
    assert world["entities"]["loan"]["data"][-1] == "... and 6 more"
    world["pools"]["titles"].insert(0, "New")
    world["entities"]["loan"]["fields"] = {"note": "x"}
    merged = shown.merged({key: world[key] for key in ("pools", "entities")})
    assert merged["pools"]["titles"] == [*GOOD["pools"]["titles"], "New"]
    assert merged["entities"]["loan"]["data"] == shown.raw["entities"]["loan"]["data"]
    assert merged["entities"]["loan"]["fields"] == {**GOOD["entities"]["loan"]["fields"], "note": "x"}
    assert shown.merged({"pools": {"titles": ["A"]}})["pools"]["titles"] == ["A"]


def test_tools_that_look_others_up_are_asked_for_first() -> None:
    loan = {**GOOD["entities"]["loan"], "find": {"call": "renew_loan", "arguments": {}}}
    swapped = {**GOOD["entities"], "loan": loan}
    run = Run([json.dumps({"entities": swapped, "pools": GOOD["pools"], "me": "member"})] + ["no"] * 9, tries=1)
    assert run.parts[1] == "renew_loan, list_loans"


HOSTILE: dict[str, Answer] = {
    "prose": "I would rather talk.",
    "empty": "",
    "a list": "[1, 2]",
    "cut": Completion(text=PART, finish_reason="length"),
    "refused": Completion(refusal="No."),
    "nobody there": Unavailable("timeout", "late"),
    "huge": json.dumps({"tools": {"list_loans": {"can": "x" * 250_000}}}),
    "deep": '{"tools": ' + '{"a":' * 60 + "1" + "}" * 61,
    "tools as a list": '{"tools": ["list_loans", "renew_loan"]}',
    "tools as null": '{"tools": null}',
    "a tool as a number": '{"tools": {"list_loans": 3, "renew_loan": []}}',
    "ways as a text": '{"tools": {"list_loans": {"ways": "many"}}}',
    "a long unknown key": json.dumps({"tools": {"list_loans": {"k" * 100_000: 1}}}),
    "a thousand bad ways": json.dumps({"tools": {"list_loans": {"ways": [{"requests": 1}] * 1000}}}),
    "another object": '{"answer": 42}',
    "a world again": WORLD,
}


@each_row("name", HOSTILE)
def test_a_hostile_answer_costs_only_itself(name: str) -> None:
    """Nothing is taken from it, what was written stays, and what goes back is short."""
    run = Run([WORLD, HOSTILE[name], HOSTILE[name], TASKS], tries=2)
    assert run.kept[0]["entities"] == GOOD["entities"]
    unfound = copy.deepcopy(GOOD["entities"])
    del unfound["loan"]["find"]  # nobody has described the tool that finds it
    assert run.draft.raw["entities"] == run.kept[-1]["entities"] == unfound
    assert run.draft.raw.get("tools", {}) == {}
    assert faults_of(run.draft.raw, TOOLS, "library")[1] == []
    assert run.draft.notes
    assert sum(map(len, run.draft.notes)) < 60_000
    again = run.backend.requests[2].messages
    assert len(again) == (1 if name == "nobody there" else len(again))
    assert all(message["content"].strip() for message in again)
    assert len(again[-1]["content"]) < 40_000
    assert run.trial.drafts == []


@each_row("name", sorted(HOSTILE.keys() - {"a world again"}))
def test_without_a_world_nothing_more_is_asked(name: str) -> None:
    run = Run([HOSTILE[name]] * 9, tries=2)
    assert len(run.backend.requests) == 2
    assert run.kept == []
    assert run.draft.notes == ["the world: no answer could be used"]


def test_a_list_where_names_belong_takes_nothing_of_what_was_written_before() -> None:
    bad = json.dumps({"tools": GOOD["tools"], "entities": ["loan"], "pools": "all"})
    run = Run([WORLD, bad, NO_CHANGE, TASKS], tries=1)
    assert run.draft.raw["entities"] == GOOD["entities"]
    assert run.draft.raw["pools"] == GOOD["pools"]
    assert run.draft.raw["tools"] == GOOD["tools"]


def test_bad_tasks_are_dropped_one_by_one() -> None:
    tasks = [
        *GOOD["tasks"],
        {"turns": [{"requests": ["Do {nothing}."], "calls": [], "replies": ["No."]}]},
        {"turns": 3},
    ]
    run = Run([WORLD, PART, NO_CHANGE, json.dumps({"tasks": tasks, "rules": ["renew_loan.days > 0", "x <"]})], tries=1)
    assert run.draft.raw["tasks"] == GOOD["tasks"]
    assert faults_of(run.draft.raw, TOOLS, "library")[1] == []


def test_good_and_bad_answers_are_told_to_whoever_stops_a_hopeless_run() -> None:
    good = Run(ALL)
    assert not good.fallback.verdicts.on_trial
    assert Run(["No."] * 9).fallback.verdicts.on_trial
