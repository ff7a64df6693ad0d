"""How many good values the grounding ladder refuses, and how many wrong ones it catches, over its threshold.

    python -m tests.benchmarks.grounding_curve [--refused] [--missed]

The data are people's questions with their accepted calls (BFCL): thresholds are chosen on the questions with even
ids, the odd ones are reported. A good value is the first accepted one of each argument, its strings and numbers
leaf by leaf. A wrong value is another valid one in its place: another choice of its enumeration, a value that
the same parameter has in another question, or else one of the same type; for numbers every second time a number near
it. Wrong values that are accepted as well are drawn again.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from generator import load_tools
from generator.jsontext import JsonObject, JsonValue
from generator.streams import stream
from generator.validation.grounding.arguments import said_before_calls
from generator.validation.grounding.ladder import ground
from generator.validation.grounding.places import Path, schemas_at
from generator.validation.grounding.sources import LITERAL, Grounding, Said
from generator.validation.grounding.texts import ENOUGH
from generator.validation.tool_view import ToolView, tool_view
from generator.validation.view import RecordView
from tests.shared_data import SHARED

FOLDER = SHARED / "corpus" / "bfcl_gold"
CATEGORIES = ("simple_python", "multiple", "parallel", "parallel_multiple")
THRESHOLDS = (0.2, 0.4, 0.5, 0.6, 0.67, 0.75, 1.0)
WRONG_PER_VALUE = 3


@dataclass(frozen=True)
class Case:
    """One string or number of an accepted call."""

    question: str
    text: str
    said: Said
    tool: ToolView
    path: Path
    value: str | int | float
    accepted: tuple[JsonValue, ...]
    optional: bool

    @property
    def even(self) -> bool:
        """Whether it is one of those that thresholds are tuned on."""
        return int(self.question.rsplit("_", 1)[1]) % 2 == 0

    @property
    def name(self) -> str:
        """The last name on its path."""
        return next(step for step in reversed(self.path) if isinstance(step, str))

    @property
    def sort(self) -> type:
        """String or number."""
        return str if isinstance(self.value, str) else float


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


def _cases_of(question: JsonObject, calls: list[JsonObject]) -> Iterator[Case]:
    messages = [message for turn in question["question"] for message in turn]
    text = "\n".join(message["content"] for message in messages)
    call = {"role": "assistant", "content": "", "tool_calls": [{}]}
    _, said = next(said_before_calls(RecordView({"messages": [*messages, call]})))
    views = {}
    for function in question["function"]:
        for tool in load_tools(function):
            views[function["name"]] = tool_view(tool.shown)
    for call in calls:
        for name, arguments in call.items():
            for key, accepted in arguments.items():
                for path, value, others in _leaves((key,), accepted):
                    yield Case(question["id"], text, said, views[name], path, value, others, "" in accepted)


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
        random = stream(7, "wrong", case.question, str(case.path), str(number))
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
        same = [each for each in self._by_name[case.sort, case.name] if each.question != case.question]
        return random.choice(same or self._by_sort[case.sort]).value


def _near(value: int | float, random: Random) -> int | float:
    if isinstance(value, float) and not value.is_integer():
        return round(value * random.choice((0.5, 0.8, 1.1, 1.3, 2.0, 3.0)), 4)
    return value + random.choice((-10, -5, -3, -2, -1, 1, 2, 3, 5, 10, 15, 50, 100))


def _fold(value: JsonValue) -> JsonValue:
    return value.casefold().strip() if isinstance(value, str) else value


def judge(case: Case, value: JsonValue, enough: float) -> Grounding | None:
    """Say where a value in the place of the case's comes from."""
    return ground(value, case.tool, case.path, 0, case.said, enough=enough)


@dataclass
class Row:
    """What one threshold does to one sort of values."""

    good: int = 0
    refused: int = 0
    wrong: int = 0
    caught: int = 0
    said: int = 0
    """Wrong values that the question happens to hold to the letter, e.g. as another call's argument."""

    def __str__(self) -> str:
        shares = (self.refused / max(self.good, 1), self.caught / max(self.wrong, 1))
        return "".join(f"{share:7.1%}" for share in (*shares, self.caught / max(self.wrong - self.said, 1)))


def measure(cases: list[Case], wrong: Wrong, enough: float) -> dict[str, Row]:
    """Judge every case and its wrong values."""
    rows = {"string": Row(), "number": Row(), "both": Row()}
    for case in cases:
        refused = judge(case, case.value, enough) is None
        others = [each for number in range(WRONG_PER_VALUE) if (each := wrong.draw(case, number)) is not None]
        found = [judge(case, each, enough) for each in others]
        for row in (rows["string" if case.sort is str else "number"], rows["both"]):
            row.good, row.refused = row.good + 1, row.refused + refused
            row.wrong, row.caught = row.wrong + len(others), row.caught + found.count(None)
            row.said += sum(each is not None and each.rung == LITERAL for each in found)
    return rows


def print_curve(cases: list[Case], wrong: Wrong) -> None:
    """Print the tables of the even and of the odd questions."""
    for half, even in (("even ids, for tuning", True), ("odd ids, the report", False)):
        print(f"\n{half}: refused of the good, caught of the wrong, caught of those the question does not hold")
        print("share of words   strings               numbers               both")
        for enough in THRESHOLDS:
            rows = measure([case for case in cases if case.even is even], wrong, enough)
            print(f"{'*' if enough == ENOUGH else ' '} {enough:12.2f} " + " ".join(map(str, rows.values())))


def print_cases(cases: list[Case], wrong: Wrong, which: str) -> None:
    """Print what the even questions say where the ladder is wrong, for tuning."""
    for case in filter(lambda each: each.even, cases):
        found = judge(case, case.value, ENOUGH)
        if which == "--refused" and found is None:
            print(f"{case.question} {case.name} {'?' if case.optional else ' '} {case.value!r} | {case.text[:300]!r}")
        for number in range(WRONG_PER_VALUE) if which == "--missed" else ():
            other = wrong.draw(case, number)
            if other is not None and (found := judge(case, other, ENOUGH)) is not None:
                print(f"{case.question} {case.name} {case.value!r} -> {other!r} {found} | {case.text[:200]!r}")


def main(arguments: list[str]) -> None:
    """Print the curve, or the cases that one wants to see."""
    cases = read_cases()
    wrong = Wrong(cases)
    if arguments:
        print_cases(cases, wrong, arguments[0])
    else:
        optional = sum(case.optional for case in cases)
        print(f"{len(cases)} strings and numbers, {optional} of them of arguments that may be left out")
        print_curve(cases, wrong)


if __name__ == "__main__":
    main(sys.argv[1:])
