"""What a reward costs, over the turns that records of the default mix have.

    python -m tests.benchmarks.bench_reward [--records N] [--rounds N]

Each turn is answered in four ways, as the completions of a group are: by the record's own answer, by the same in other
words or another order of calls, by a wrong value or fact, and by what is no answer to it. `warm` is a reward where the
turn has been rewarded right before, as all but the first of a group are; `cold` is the first one of each turn.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable
from typing import Any

from generator import generate_records, reward
from generator.grading import preparing
from generator.grading.turns import Turn, turns_of
from tests.bundled import bundled_tools

Json = Any
Answer = Callable[[Turn], Json]


def other_words(turn: Turn) -> Json:
    """The calls in another order and with other ids, or the text with words around it."""
    if turn.calls:
        return {"role": "assistant", "content": None, "tool_calls": [{**each, "id": f"call_{at}"}
                for at, each in enumerate(reversed(turn.calls))]}  # fmt: skip
    return f"Sure! {turn.expected['content']} Anything else?"


def wrong(turn: Turn) -> Json:
    """One argument or fact is another one."""
    if not turn.calls:
        return turn.expected["content"].replace("1", "7").replace("2", "9") + " I hope that helps."
    answer = copy.deepcopy(turn.expected)
    arguments = answer["tool_calls"][0]["function"]["arguments"]
    arguments.update({next(iter(arguments), "further"): "another one"})
    return answer


ANSWERS: dict[str, Answer] = {
    "the record's own": lambda turn: turn.expected,
    "the same otherwise": other_words,
    "a wrong value": wrong,
    "no answer to it": lambda turn: "Which one do you mean?" if turn.calls else {"tool_calls": [{"name": "search"}]},
}


def measure(records: list[Json], rounds: int) -> None:
    turns = [(record, turn) for record in records for turn in turns_of(record)]
    costs: dict[tuple[str, str], list[float]] = {}
    cold = 0.0
    for record, turn in turns:
        preparing.forget()
        begun = time.process_time()
        reward(record, turn.number, turn.expected)
        cold += time.process_time() - begun
        for name, answer in ANSWERS.items():
            given = answer(turn)
            reward(record, turn.number, given)
            begun = time.process_time()
            for _ in range(rounds):
                reward(record, turn.number, given)
            cost = (time.process_time() - begun) / rounds
            costs.setdefault((name, "calls" if turn.calls else "texts"), []).append(cost)
    print(f"{len(turns):,} turns, {sum(bool(turn.calls) for _, turn in turns):,} of calls")
    print(f"cold: {cold / len(turns) * 1e6:,.0f} us a turn")
    for (name, sort), measured in costs.items():
        print(f"warm, {name}, {sort}: {sum(measured) / len(measured) * 1e6:,.0f} us")
    every = [cost for measured in costs.values() for cost in measured]
    print(f"warm, all: {sum(every) / len(every) * 1e6:,.0f} us a reward")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--records", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    made = generate_records(bundled_tools(), count=options.records, seed=7)
    measure([json.loads(record.model_dump_json(exclude_none=True)) for record in made], options.rounds)
