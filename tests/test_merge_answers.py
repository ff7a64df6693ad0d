"""Merging what a model wrote: the bytes of one run with the same answers, none of which is asked or paid for twice."""

from __future__ import annotations

import itertools
import json
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.assets import asset_folder
from generator.backends.answers import AnswerFile
from generator.backends.backend import CompletionRequest, Unavailable
from generator.engines.engine import EngineOptions
from generator.errors import DataError, JobError, UsageError
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.merge import merge
from generator.run import RunReport, run_job
from generator.runs.settling import DUPLICATE
from generator.runs.store import RunStore
from tests.faults.completion_server import PLANNED, good_answer
from tests.scripted_session import Model, scripted

COUNT = 48
WEATHER, READING = (asset_folder("tool_specs") / name for name in ("weather.json", "reading.json"))
CATALOG = load_catalog([WEATHER, READING]).catalog
MIX = {"simple": 4.0, "multiple": 1.0, "parallel": 3.0, "irrelevance": 4.0}


def draw(request: CompletionRequest, of: str) -> float:
    """A number in [0, 1) that follows from a request."""
    return crc32(f"{of} {request.key}".encode()) / 2**32


def good(request: CompletionRequest) -> str:
    return json.dumps(good_answer({"messages": list(request.messages)}))


def repeating(request: CompletionRequest) -> str:
    """Says what it has said before where nothing is to be called: of a few words, whatever is asked."""
    answer = good_answer({"messages": list(request.messages)})
    if "request" in answer and (not answer["calls"] or draw(request, "words") < 0.3):
        answer["request"] = f"{answer['request'].partition(' (note')[0]} ({int(9 * draw(request, 'repeat'))})."
    return json.dumps(answer)


def sulking(request: CompletionRequest) -> str:
    """Has no answer to most questions of several calls, so that their kind is given up here and there."""
    planned = PLANNED.findall(str(request.messages[0]["content"]))
    return "I would rather not." if len(planned) > 1 and draw(request, "sulks") < 0.85 else repeating(request)


def failing(request: CompletionRequest) -> str | Exception:
    """Cannot be reached for half of what is asked."""
    return Unavailable("http_503", "not now") if draw(request, "fails") < 0.5 else repeating(request)


MODELS: list[Model] = [good, repeating, sulking, failing]


def job_of(seed: int = 3, **options: Any) -> Job:
    told = {"count": COUNT, "seed": seed, "author": "llm", "model": "m", "mix": MIX, "attempts": 12, "tries": 1}
    return Job(**{**told, "verify": "off", "write_domains": False, **options})


def made(job: Job, out: Path, model: Model, indices: range | None = None, concurrency: int = 4) -> Counter[str]:
    """Make a run, or a part of it; return what was asked."""
    job, session = scripted(job, model)
    run_job(job, CATALOG, out, session=session, indices=indices, engine=EngineOptions(concurrency=concurrency))
    return session.asked


def split(job: Job, base: Path, cuts: Sequence[int], model: Model) -> tuple[list[Path], Counter[str]]:
    """Make a job in parts, cut at these places."""
    folders, asked = [], Counter[str]()
    for start, stop in itertools.pairwise([0, *cuts, job.count]):
        folders.append(base / f"part-{start}")
        asked += made(job, folders[-1], model, range(start, stop))
    return folders, asked


def merged(parts: Sequence[Path], out: Path, model: Model | None, **options: Any) -> tuple[RunReport, Counter[str]]:
    """Merge with this model, or with none."""
    asked: list[Counter[str]] = []

    def opened(job: Job) -> Any:
        job, session = scripted(job, model or good)
        asked.append(session.asked)
        return job, session

    report = merge(parts, out, open_session=opened, asks=model is not None, **options)
    return report, asked[0]


def digests(folder: Path) -> dict[str, str]:
    names = ("records.jsonl", "rejections.jsonl", "job.json", "catalog.json")
    return {name: sha256((folder / name).read_bytes()).hexdigest() for name in names}


def everything(folders: Sequence[Path]) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for folder in folders for file in folder.iterdir() if file.is_file()}


def tokens(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "summary.json").read_text())["tokens"])


def require_merged(base: Path, parts: Sequence[Path], paid: Counter[str], model: Model) -> RunReport:
    """Merge, and require the bytes of one run, every answer asked once, and the tokens of all that was asked."""
    before = everything(parts)
    report, asked = merged(parts, base / "merged", model)
    assert digests(base / "merged") == digests(base / "one")
    assert not asked & paid and max(asked.values(), default=1) == 1
    assert everything(parts) == before
    told, all_parts = tokens(base / "merged"), [tokens(part) for part in parts]
    assert told["prompt"] == 100 * asked.total() + sum(each["prompt"] for each in all_parts)
    assert told["answers"] == asked.total() + sum(each["answers"] for each in all_parts)
    assert 0 <= told["wasted"] <= told["prompt"] + told["completion"]
    return report


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_split_in_any_order_is_one_run_with_the_same_answers(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.mktemp("split")
    cuts = sorted(data.draw(st.sets(st.integers(1, COUNT - 1), max_size=4), label="cuts"))
    model = data.draw(st.sampled_from(MODELS), label="model")
    job = job_of(data.draw(st.integers(0, 9), label="seed"), attempts=data.draw(st.sampled_from([2, 12])))
    made(job, base / "one", model)
    parts, paid = split(job, base, cuts, model)
    require_merged(base, data.draw(st.permutations(parts), label="order"), paid, model)
    shutil.rmtree(base)


@pytest.mark.parametrize("model", MODELS)
def test_parts_of_a_model_are_merged_to_the_byte(tmp_path: Path, model: Model) -> None:
    made(job_of(), tmp_path / "one", model)
    parts, paid = split(job_of(), tmp_path, [15, 33], model)
    report = require_merged(tmp_path, parts[::-1], paid, model)
    assert (report.summary.rules.get(DUPLICATE) is not None) == (model is not good)
