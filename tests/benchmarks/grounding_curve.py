"""How many good values the grounding of arguments refuses, and how many wrong ones it catches, over its threshold.

    python -m tests.benchmarks.grounding_curve [--refused] [--missed]

The data are people's questions with their accepted calls (BFCL): thresholds are chosen on the questions with even
ids, the odd ones are reported. A good value is the first accepted one of each argument, its strings and numbers
leaf by leaf. A wrong value is another valid one in its place: another choice of its enumeration, a value that
the same parameter has in another question, or else one of the same type; for numbers every second time a number
near it. Wrong values that are accepted as well are drawn again. Each is judged in its whole record: it is caught
where the record has more values that nothing explains than before.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from generator import load_tools
from generator.jsontext import JsonObject, JsonValue
from generator.random_streams import stream
from generator.validation.grounding.arguments.argument import Grounded, Path, schemas_at
from generator.validation.grounding.arguments.evidence import ENOUGH
from generator.validation.grounding.arguments.grounded import ground_arguments
from generator.validation.grounding.arguments.sources import LITERAL
from generator.validation.grounding.reading.words import find_literal
from generator.validation.tool_view import ToolView, tool_view
from generator.validation.view import RecordView
from tests.shared_data import SHARED

FOLDER = SHARED / "corpus" / "bfcl_gold"
CATEGORIES = ("simple_python", "multiple", "parallel", "parallel_multiple")
THRESHOLDS = (0.2, 0.4, 0.5, 0.6, 0.67, 0.75, 1.0)
WRONG_PER_VALUE = 3


@dataclass
class Question:
    """One question with its accepted calls, as a record."""

    name: str
    document: JsonObject
    kept: dict[float, list[Grounded]] = field(default_factory=dict)

    @property
    def even(self) -> bool:
        """Whether it is one of those that thresholds are tuned on."""
        return int(self.name.rsplit("_", 1)[1]) % 2 == 0

    @property
    def asks_for_several(self) -> bool:
        """Whether its accepted answer makes several calls."""
        return len(self.document["messages"][-1]["tool_calls"]) > 1

    @property
    def text(self) -> str:
        """What is asked."""
        return "\n".join(message["content"] for message in self.document["messages"] if message["role"] == "user")

    def judged(self, enough: float) -> list[Grounded]:
        """Return its values with where they come from."""
        if enough not in self.kept:
            self.kept[enough] = ground_arguments(RecordView(self.document, generated=False), enough=enough)
        return self.kept[enough]


@dataclass(frozen=True)
class Case:
    """One string or number of an accepted call."""

    question: Question
    call: int
    tool: ToolView
    path: Path
    value: str | int | float
    accepted: tuple[JsonValue, ...]

    @property
    def name(self) -> str:
        """The last name on its path."""
        return next(step for step in reversed(self.path) if isinstance(step, str))

    @property
    def sort(self) -> type:
        """String or number."""
        return str if isinstance(self.value, str) else float

    def refused(self, enough: float) -> bool:
        """Say whether the good value is refused."""
        return self.found(self.question.judged(enough)).grounding is None

    def judged_with(self, value: JsonValue, enough: float) -> list[Grounded]:
        """Return the values of the record with another one in this place."""
        document = json.loads(json.dumps(self.question.document))
        holder: Any = document["messages"][-1]["tool_calls"][self.call]["function"]["arguments"]
        for step in self.path[:-1]:
            holder = holder[step]
        holder[self.path[-1]] = value
        return ground_arguments(RecordView(document, generated=False), enough=enough)

    def found(self, judged: list[Grounded]) -> Grounded:
        """Return what was found out about the value in its place."""
        return next(each for each in judged if each.call.index == self.call and each.leaf.path == self.path)

    def is_caught(self, judged: list[Grounded], before: int) -> bool:
        """Say whether a wrong value is noticed: in its place, or as one more that nothing explains."""
        return self.found(judged).grounding is None or _unexplained(judged) > before


def read_cases() -> list[Case]:
    """Read every string and number of the accepted calls."""
    cases: list[Case] = []
    for category in CATEGORIES:
        answers = {each["id"]: each["ground_truth"] for each in _lines(f"answers_{category}")}
        for question in _lines(f"questions_{category}"):
            cases += _cases_of(question, answers[question["id"]])
    return cases


def _lines(name: str) -> Iterator[JsonObject]:
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def _cases_of(question: JsonObject, accepted: list[JsonObject]) -> Iterator[Case]:
    tools = {function["name"]: tool.shown for function in question["function"] for tool in load_tools(function)}
    calls = [(name, arguments) for call in accepted for name, arguments in call.items()]
    made = [
        {"id": f"{at:09}", "type": "function", "function": {
            "name": tools[name]["function"]["name"],
            "arguments": {key: _first(values) for key, values in arguments.items() if _first(values) != ""}}}
        for at, (name, arguments) in enumerate(calls)
    ]  # fmt: skip
    messages = [message for turn in question["question"] for message in turn]
    messages.append({"role": "assistant", "content": "", "tool_calls": made})
    held = Question(question["id"], {"messages": messages, "tools": list(tools.values())})
    for at, (name, arguments) in enumerate(calls):
        for key, values in arguments.items():
            for path, value, others in _leaves((key,), values):
                yield Case(held, at, tool_view(tools[name]), path, value, others)


def _first(accepted: JsonValue) -> JsonValue:
    """Return the first accepted value; objects hold a list of accepted values for each key."""
    value = next((each for each in accepted if each != ""), "") if isinstance(accepted, list) else accepted
    return _plain(value)


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _first(inner) for key, inner in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _leaves(path: Path, accepted: list[JsonValue]) -> Iterator[tuple[Path, str | int | float, tuple[JsonValue, ...]]]:
    value = next((each for each in accepted if each != ""), "")
    for inner, leaf in _walk(path, value):
        if isinstance(leaf, str | int | float) and not isinstance(leaf, bool) and leaf != "":
            yield inner, leaf, tuple(other for each in accepted for _, other in _walk(path, each))


def _walk(path: Path, value: JsonValue) -> Iterator[tuple[Path, JsonValue]]:
    """Yield the leaves; the values of an accepted object are lists of what is accepted for each key."""
    if isinstance(value, dict):
        for key, inner in value.items():
            first = next((each for each in inner if each != ""), "") if isinstance(inner, list) else inner
            yield from _walk((*path, key), first)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _walk((*path, index), inner)
    else:
        yield path, value


class Wrong:
    """Draws valid values that are not the accepted ones."""

    def __init__(self, cases: list[Case]) -> None:
        self._by_name: dict[tuple[type, str], list[Case]] = defaultdict(list)
        self._by_sort: dict[type, list[Case]] = defaultdict(list)
        for case in cases:
            self._by_name[case.sort, case.name].append(case)
            self._by_sort[case.sort].append(case)

    def draw(self, case: Case, number: int) -> str | int | float | None:
        """Return another valid value; None where there is none."""
        random = stream(7, "wrong", case.question.name, str(case.call), str(case.path), str(number))
        for _ in range(20):
            value = self._one(case, number, random)
            if _fold(value) not in {_fold(each) for each in case.accepted}:
                return value
        return None

    def _one(self, case: Case, number: int, random: Random) -> JsonValue:
        choices = [choice for _, schema in schemas_at(case.tool, case.path) for choice in schema.get("enum", ())]
        if choices:
            return random.choice(choices)
        if not isinstance(case.value, str) and number % 2:
            return _near(case.value, random)
        same = [each for each in self._by_name[case.sort, case.name] if each.question is not case.question]
        return random.choice(same or self._by_sort[case.sort]).value


def _near(value: int | float, random: Random) -> int | float:
    if isinstance(value, float) and not value.is_integer():
        return round(value * random.choice((0.5, 0.8, 1.1, 1.3, 2.0, 3.0)), 4)
    return value + random.choice((-10, -5, -3, -2, -1, 1, 2, 3, 5, 10, 15, 50, 100))


def _fold(value: JsonValue) -> JsonValue:
    return value.casefold().strip() if isinstance(value, str) else value


@dataclass
class Row:
    """What one threshold does to one sort of values."""

    good: int = 0
    refused: int = 0
    wrong: int = 0
    caught: int = 0
    caught_unsaid: int = 0
    said: int = 0
    """Wrong values that the question happens to hold to the letter, e.g. as another call's argument."""

    def __str__(self) -> str:
        shares = (self.refused / max(self.good, 1), self.caught / max(self.wrong, 1))
        return "".join(f"{share:7.1%}" for share in (*shares, self.caught_unsaid / max(self.wrong - self.said, 1)))


def measure(cases: list[Case], wrong: Wrong, enough: float) -> dict[str, Row]:
    """Judge every case and its wrong values."""
    rows = {"string": Row(), "number": Row(), "both": Row()}
    for case in cases:
        refused = case.refused(enough)
        before = _unexplained(case.question.judged(enough))
        others = [each for number in range(WRONG_PER_VALUE) if (each := wrong.draw(case, number)) is not None]
        judged = [case.judged_with(each, enough) for each in others]
        caught = sum(case.is_caught(each, before) for each in judged)
        for row in (rows["string" if case.sort is str else "number"], rows["both"]):
            row.good, row.refused = row.good + 1, row.refused + refused
            row.wrong, row.caught = row.wrong + len(others), row.caught + caught
            unsaid = [each for each in judged if not _is_said(case, each)]
            row.said += len(judged) - len(unsaid)
            row.caught_unsaid += sum(case.is_caught(each, before) for each in unsaid)
    return rows


def _unexplained(judged: list[Grounded]) -> int:
    return sum(each.grounding is None for each in judged)


def _is_said(case: Case, judged: list[Grounded]) -> bool:
    """Say whether the question holds the wrong value to the letter, case aside."""
    found = case.found(judged)
    if found.misplaced or (found.grounding is not None and found.grounding.level == LITERAL):
        return True
    value = found.leaf.value
    return isinstance(value, str) and find_literal(case.question.text.casefold(), value.casefold()) >= 0


def print_curve(cases: list[Case], wrong: Wrong) -> None:
    """Print the tables of the even and of the odd questions."""
    for half, even in (("even ids, for tuning", True), ("odd ids, the report", False)):
        print(f"\n{half}: refused of the good, caught of the wrong, caught of those the question does not hold")
        print("share of words   strings               numbers               both")
        for enough in THRESHOLDS:
            rows = measure([case for case in cases if case.question.even is even], wrong, enough)
            print(f"{'*' if enough == ENOUGH else ' '} {enough:12.2f} " + " ".join(map(str, rows.values())))


def print_groups(cases: list[Case], wrong: Wrong) -> None:
    """Print the odd questions at the threshold in use, those with one call apart from those with several."""
    odd = [case for case in cases if not case.question.even]
    print(f"\nodd ids at {ENOUGH}: the same by what is asked for")
    for what, several in (("one call", False), ("several calls", True)):
        rows = measure([case for case in odd if case.question.asks_for_several is several], wrong, ENOUGH)
        print(f"  {what:<14}" + " ".join(map(str, rows.values())))


def print_cases(cases: list[Case], wrong: Wrong, which: str) -> None:
    """Print what the even questions say where the grounding is wrong, for tuning."""
    for case in filter(lambda each: each.question.even, cases):
        told = f"{case.question.name} {case.name} {case.value!r}"
        if which == "--refused" and case.refused(ENOUGH):
            print(f"{told} | {case.question.text[:300]!r}")
        for number in range(WRONG_PER_VALUE) if which == "--missed" else ():
            other = wrong.draw(case, number)
            judged = case.judged_with(other, ENOUGH) if other is not None else []
            if judged and not case.is_caught(judged, _unexplained(case.question.judged(ENOUGH))):
                print(f"{told} -> {other!r} {case.found(judged).grounding} | {case.question.text[:200]!r}")


def main(arguments: list[str]) -> None:
    """Print the curve, or the cases that one wants to see."""
    cases = read_cases()
    wrong = Wrong(cases)
    if arguments:
        print_cases(cases, wrong, arguments[0])
    else:
        print(f"{len(cases)} strings and numbers of {len({case.question.name for case in cases})} questions")
        print_curve(cases, wrong)
        print_groups(cases, wrong)


if __name__ == "__main__":
    main(sys.argv[1:])
