"""Results that do not bear out what the answer makes of them."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.benchmarks.corruptions.answers import answered
from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.parts import WRITING, says

Json = Any  # parsed JSON
FAILED = ("failed", "rejected", "not_done", "error")


def result_failed_unheeded(record: Json, rng: Random) -> Json | None:
    for answer, calls in answered(record):
        for call in calls:
            returned = call.returned
            if call.verb not in WRITING or call.failed or not isinstance(returned, dict):
                continue
            if len(calls) > 1 or "?" in answer["content"] or says(answer["content"], "not"):
                continue
            if isinstance(returned.get("status"), str):
                returned["status"] = rng.choice(FAILED)
            else:
                returned[rng.choice(["success", "done", "completed"])] = False
            call.answers_with(returned)
            return record
    return None


CLASSES = (
    Corruption(
        "result_failed_unheeded",
        "results",
        "the result says that the deed failed, and the answer claims it",
        result_failed_unheeded,
    ),
)
