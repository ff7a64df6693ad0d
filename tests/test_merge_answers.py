"""Merging what a model wrote: the bytes of one run with the same answers, none of which is asked or paid for twice."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.assets import asset_folder
from generator.backends.backend import CompletionRequest, RequestRefused, Unavailable
from generator.cli import main
from generator.domains.catalog import Catalog
from generator.engines.engine import EngineOptions
from generator.errors import DataError, JobError, UsageError
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.merge import merge
from generator.random_streams import derive_seed
from generator.run import RunReport, run_job
from generator.runs.settling import DUPLICATE
from tests.domain_examples import TOOLS
from tests.faults.completion_processes import run_llm, served
from tests.faults.completion_server import good_answer
from tests.run_processes import kill, start, wait_for_rows
from tests.scripted_session import Model, as_text, scripted

COUNT = 48
WEATHER, READING = (asset_folder("tool_specs") / name for name in ("weather.json", "reading.json"))
CATALOG = load_catalog([WEATHER, READING]).catalog
MIX = {"simple": 4.0, "multiple": 1.0, "parallel": 3.0, "irrelevance": 4.0}


def draw(request: CompletionRequest, of: str) -> float:
    """A number in [0, 1) that follows from a request, whatever its response mode."""
    return crc32(f"{of} {as_text(request).key}".encode()) / 2**32


def good(request: CompletionRequest) -> str:
    return json.dumps(good_answer({"messages": list(request.messages)}))


def repeating(request: CompletionRequest) -> str:
    """Says what it has said before where nothing is to be called: of a few words, whatever is asked."""
    answer = good_answer({"messages": list(request.messages)})
    if "request" in answer and (not answer["calls"] or draw(request, "words") < 0.3):
        answer["request"] = f"{answer['request'].partition(' (note')[0]} ({int(9 * draw(request, 'repeat'))})."
    return json.dumps(answer)


EARLY = {str(derive_seed(3, "record", index, attempt)) for index in range(12) for attempt in range(24)}
"""The plans of the first records of the seed 3."""


def tiring(request: CompletionRequest) -> str:
    """Has no answer to questions of several calls after the first records: where none was made, that is soon enough."""
    calls = request.schema["properties"].get("calls", {}).get("minItems", 0)
    if calls > 1 and request.salt.partition(".")[0] not in EARLY and draw(request, "tires") < 0.9:
        return "I would rather not."
    return repeating(request)


def failing(request: CompletionRequest) -> str | Exception:
    """Cannot be reached for half of what is asked."""
    return Unavailable("http_503", "not now") if draw(request, "fails") < 0.5 else repeating(request)


MODELS: list[Model] = [good, repeating, tiring, failing]


def job_of(seed: int = 3, **options: Any) -> Job:
    told = {"count": COUNT, "seed": seed, "author": "llm", "model": "m", "mix": MIX, "attempts": 24, "tries": 1}
    return Job(**{**told, "verify": "off", "write_domains": False, **options})


def made(job: Job, out: Path, model: Model, indices: range | None = None, catalog: Catalog = CATALOG) -> Counter[str]:
    """Make a run, or a part of it; return what was asked."""
    job, session = scripted(job, model)
    run_job(job, catalog, out, session=session, indices=indices, engine=EngineOptions(concurrency=4))
    return session.asked


def split(job: Job, base: Path, cuts: Sequence[int], model: Model) -> tuple[list[Path], Counter[str]]:
    """Make a job in parts, cut at these places."""
    folders, asked = [], Counter[str]()
    for first, stop in itertools.pairwise([0, *cuts, job.count]):
        folders.append(base / f"part-{first}")
        asked += made(job, folders[-1], model, range(first, stop))
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


def require_merged(base: Path, parts: Sequence[Path], paid: Counter[str], model: Model | None) -> RunReport:
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
    job = job_of(data.draw(st.integers(0, 9), label="seed"), attempts=data.draw(st.sampled_from([2, 24])))
    made(job, base / "one", model)
    parts, paid = split(job, base, cuts, model)
    require_merged(base, data.draw(st.permutations(parts), label="order"), paid, model)
    shutil.rmtree(base)


@pytest.mark.parametrize(
    "model", [good, *(pytest.param(each, marks=pytest.mark.slow) for each in (failing, repeating, tiring))]
)
def test_parts_of_a_model_are_merged_to_the_byte(tmp_path: Path, model: Model) -> None:
    made(job_of(), tmp_path / "one", model)
    parts, paid = split(job_of(), tmp_path, [15, 33], model)
    report = require_merged(tmp_path, parts[::-1], paid, model)
    assert (report.summary.rules.get(DUPLICATE) is not None) == (model is not good)
    if model is tiring:
        assert ["parallel" in _given_up(part) for part in parts] == [False, True, False]


def _given_up(part: Path) -> list[str]:
    return list(json.loads((part / "summary.json").read_text())["given_up"].get("kind", {}))


class Made(NamedTuple):
    """A job in one run, `one`, and in parts, and what was asked for these."""

    base: Path
    parts: list[Path]
    paid: Counter[str]

    def copied(self, base: Path) -> Made:
        """The same elsewhere, where it may be changed."""
        shutil.copytree(self.base, base)
        return Made(base, [base / part.name for part in self.parts], self.paid)


@pytest.fixture(scope="module")
def repeats(tmp_path_factory: pytest.TempPathFactory) -> Made:
    base = tmp_path_factory.mktemp("repeats") / "made"
    made(job_of(count=24), base / "one", repeating)
    return Made(base, *split(job_of(count=24), base, [9, 14], repeating))


def test_without_a_server_it_is_told_what_lacks_and_with_one_the_same_merge_goes_on(
    tmp_path: Path, repeats: Made
) -> None:
    out = tmp_path / "merged"
    told = (
        r"^\d+ of 24 records lack an answer that no part was given.* are settled and kept\. The model has to be asked"
    )
    with pytest.raises(DataError, match=told) as lacking:
        merged(repeats.parts, out, None)
    records, settled = (int(each) for each in re.findall(r"(\d+) (?:of|are)", str(lacking.value)))
    assert 0 < records < 24 and 9 <= settled < 24
    assert json.loads((out / "summary.json").read_text())["decided"] == settled
    whole = (repeats.base / "one" / "records.jsonl").read_bytes()
    kept = (out / "records.jsonl").read_bytes()
    assert kept and whole.startswith(kept)
    report, asked = merged(repeats.parts, out, repeating)
    assert (report.resumed, digests(out)) == (settled, digests(repeats.base / "one"))
    assert not asked & repeats.paid and asked.total() >= records
    assert merged(repeats.parts, out, None)[1].total() == 0
    assert {path.name for path in out.iterdir()} >= {"answers.jsonl", "run.db"}


def test_what_nobody_has_to_be_asked_for_needs_no_server(tmp_path: Path) -> None:
    job = job_of(count=12)
    made(job, tmp_path / "one", good)
    parts, paid = split(job, tmp_path, [5], good)
    report = require_merged(tmp_path, parts, paid, None)
    assert (report.summary.records, report.summary.response_mode) == (12, "json_schema")


def test_holes_are_asked_of_the_model_where_its_server_is_named(tmp_path: Path, repeats: Made) -> None:
    held = [repeats.parts[0], repeats.parts[2]]
    with pytest.raises(DataError, match=r"5 of 24 records are in no part(.|\n)*9:14: .* --range 9:14(.|\n)*--base-url"):
        merged(held, tmp_path / "merged", None, fill=True)
    assert not (tmp_path / "merged").exists()
    merged(held, tmp_path / "merged", repeating, fill=True)
    assert digests(tmp_path / "merged") == digests(repeats.base / "one")


@pytest.fixture(scope="module")
def whole(repeats: Made, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the merge of the parts tells of its tokens."""
    merged(repeats.parts, out := tmp_path_factory.mktemp("whole") / "merged", repeating)
    return tokens(out)


STEPS = [
    "run._write_inputs",
    "run.open_store",
    "runs.store.RunStore.set_note",
    "runs.store.RunStore.commit",
    "runs.store.RunStore.settle_note",
    "backends.answers.AnswerFile.take_over",
    "backends.answers.AnswerFile._append",
    "backends.answers.AnswerFile.keep_answer",
    "run.publish",
]


class Killed(Exception):
    """Ends a merge in the middle; an event loop would not let go of a `SystemExit`."""


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("times", [1, 2, 9])
def test_a_merge_goes_on_from_wherever_it_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, times: int, repeats: Made, whole: dict[str, Any]
) -> None:
    place, _, name = f"generator.{step}".rpartition(".")
    parent, _, owner = place.rpartition(".")
    holder = getattr(import_module(parent), owner) if owner[0].isupper() else import_module(place)
    take, calls, asked = getattr(holder, name), [], Counter[str]()

    def taken_and_killed(*given: Any) -> Any:
        done = take(*given)
        calls.append(step)
        if len(calls) == times:
            raise Killed
        return done

    def counted(request: CompletionRequest) -> str:
        asked[as_text(request).key] += 1
        return repeating(request)

    with monkeypatch.context() as patch:
        patch.setattr(holder, name, taken_and_killed)
        try:
            merged(repeats.parts, tmp_path / "merged", counted)
        except Killed:
            assert len(calls) >= times
    merged(repeats.parts, tmp_path / "merged", counted)
    assert digests(tmp_path / "merged") == digests(repeats.base / "one")
    assert not asked & repeats.paid and max(asked.values()) == 1
    assert tokens(tmp_path / "merged") == whole


MERGING = """
import sys, time
from pathlib import Path
from tests.test_merge_answers import merged, repeating
parts, out = [Path(each) for each in sys.argv[1:-1]], Path(sys.argv[-1])
merged(parts, out, repeating, on_progress=lambda progress: time.sleep(0.3))
"""


@pytest.mark.slow
def test_a_merge_that_is_killed_goes_on(tmp_path: Path, repeats: Made, whole: dict[str, Any]) -> None:
    before = everything(repeats.parts)
    for rows in (2, 10, 16):
        process = start([sys.executable, "-c", MERGING, *map(str, repeats.parts), str(tmp_path / "merged")])
        wait_for_rows(process, tmp_path / "merged", rows)
        kill(process)
    report, asked = merged(repeats.parts, tmp_path / "merged", repeating)
    assert report.resumed >= 16 and not asked & repeats.paid
    assert digests(tmp_path / "merged") == digests(repeats.base / "one")
    assert tokens(tmp_path / "merged") == whole
    assert everything(repeats.parts) == before


def test_damaged_answers_are_told_and_cost_no_record(
    tmp_path: Path, repeats: Made, caplog: pytest.LogCaptureFixture
) -> None:
    copied = repeats.copied(tmp_path / "made")
    path = copied.parts[2] / "answers.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(line.replace(b"answer", b"answes", 1) for line in lines[:-1]) + lines[-1][:-9])
    report, _ = merged(copied.parts, tmp_path / "merged", repeating)
    assert f"{path}: {len(lines)} lines are not as they were written, and are left out" in caplog.text
    assert report.summary.status == "complete"
    assert digests(tmp_path / "merged") == digests(repeats.base / "one")


def test_an_answer_serves_in_whatever_response_mode_its_part_was_asked(tmp_path: Path, repeats: Made) -> None:
    def without_schemas(request: CompletionRequest) -> str | Exception:
        refusal = RequestRefused(400, "response_format: json_schema is not supported")
        return refusal if request.mode == "json_schema" else repeating(request)

    other = tmp_path / "part-14"
    made(job_of(count=24), other, without_schemas, range(14, 24))
    assert json.loads((other / "summary.json").read_text())["response_mode"] != "json_schema"
    _, asked = merged([*repeats.parts[:2], other], tmp_path / "merged", repeating)
    assert not asked & repeats.paid
    assert digests(tmp_path / "merged") == digests(repeats.base / "one")


def test_records_that_the_model_was_asked_for_twice_are_refused_where_they_differ(
    tmp_path: Path, repeats: Made
) -> None:
    made(job_of(count=24), tmp_path / "over", good, range(5, 14))
    with pytest.raises(JobError, match="and not the same; the model was asked twice, and answered otherwise"):
        merged([*repeats.parts, tmp_path / "over"], tmp_path / "merged", repeating)


def test_parts_of_other_prompts_are_refused(tmp_path: Path, repeats: Made) -> None:
    def opened(job: Job) -> Any:
        job, session = scripted(job, good)
        return job.model_copy(update={"prompts": "0" * 16}), session

    with pytest.raises(UsageError, match="was made with other prompts; give --prompts"):
        merge(repeats.parts, tmp_path / "merged", open_session=opened)


LIBRARY = ("--mix", "simple=2,nested=1", "--quiet")


@pytest.fixture
def library(tmp_path: Path) -> str:
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    return str(tmp_path / "tools.json")


def told(*arguments: object) -> tuple[int, str]:
    """Run the program in this process, and return its exit code and stderr."""
    with pytest.MonkeyPatch.context() as patch, redirect_stderr(StringIO()) as err, redirect_stdout(StringIO()):
        patch.setenv("OPENAI_API_KEY", "")
        return main([str(each) for each in arguments]), err.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("way", ["answers", "domain file", "job of the first"])
def test_parts_share_the_domains_that_a_model_wrote_once(tmp_path: Path, library: str, way: str) -> None:
    with served() as server:
        where = ("--base-url", server.url)
        first, other, file = tmp_path / "0", tmp_path / "1", tmp_path / "library.domain.yaml"
        shared = ()
        if way == "domain file":
            assert told("domain", library, "--model", "m", *where, "-o", file)[0] == 0
            shared = ("--domain", str(file))
        assert run_llm(tmp_path / "one", server, 6, library, *LIBRARY, *shared)[0] == 0
        assert run_llm(first, server, 6, library, *LIBRARY, *shared, "--range", "0:3")[0] == 0
        more = {"answers": ("--answers", str(first)), "domain file": shared}.get(way, ())
        if way == "job of the first":
            job = ("--job", first / "job.json", "--count", 6, "--range", "3:6")
            assert told("generate", *job, "--out", other, *where, "--quiet")[0] == 0
        else:
            assert run_llm(other, server, 6, library, *LIBRARY, *more, "--range", "3:6")[0] == 0
        before = server.requests
        assert told("merge", other, first, "-o", tmp_path / "merged", "--quiet") == (0, "")
        assert server.requests == before
    assert digests(tmp_path / "merged") == digests(tmp_path / "one")


@pytest.mark.slow
def test_parts_with_other_domains_are_refused_with_the_command_that_mends_it(tmp_path: Path, library: str) -> None:
    def otherwise(request: CompletionRequest) -> str:
        return good(request).replace("My", "Your")

    catalog, job = load_catalog([Path(library)]).catalog, job_of(count=6, write_domains=True, mix={"simple": 1.0})
    for name, model, indices in (("0", good, range(3)), ("1", otherwise, range(3, 6))):
        made(job, tmp_path / name, model, indices, catalog=catalog)
    parts = [tmp_path / "0", tmp_path / "1"]
    with pytest.raises(JobError, match=r"the model wrote other domains for it than for .*/0, ") as refusal:
        merged(parts, tmp_path / "merged", good)
    command = re.findall(r"toolgen (generate --count 6 --range 3:6 --job \S+ --out)", str(refusal.value))[0].split()
    with served() as server:
        assert told(*command, tmp_path / "2", "--base-url", server.url, "--quiet") == (0, "")
        assert told("merge", parts[0], tmp_path / "2", "-o", tmp_path / "merged", "--quiet") == (0, "")
    assert json.loads((tmp_path / "merged" / "summary.json").read_text())["records"] == 6


@pytest.mark.slow
def test_the_command_asks_where_it_is_told_whom_and_keeps_to_its_limits(tmp_path: Path) -> None:
    """The model says of a kind without calls what it said before, so that records are asked for that no part was."""
    options = ("--mix", "irrelevance=1,simple=1", "--quiet")
    with served("--repeats") as server:
        assert run_llm(tmp_path / "one", server, 16, *options)[0] == 0
        for indices in ("0:8", "8:16"):
            assert run_llm(tmp_path / indices, server, 16, *options, "--range", indices)[0] == 0
        paid, merging = (
            server.requests,
            ("merge", tmp_path / "0:8", tmp_path / "8:16", "-o", tmp_path / "out", "--quiet"),
        )
        code, err = told(*merging)
        assert (code, server.requests) == (1, paid) and "records lack an answer that no part was given" in err
        code, err = told(*merging, "--base-url", server.url, "--max-requests", 1)
        assert (code, server.requests) == (4, paid + 1) and "--max-requests 1 is reached" in err
        assert told(*merging, "--base-url", "http://127.0.0.1:9/v1", "--max-minutes", 0.01)[0] in (3, 4)
        assert told(*merging, "--base-url", server.url) == (0, "")
    assert digests(tmp_path / "out") == digests(tmp_path / "one")


def test_limits_need_a_model(tmp_path: Path) -> None:
    for indices in (range(3), range(3, 6)):
        run_job(Job(count=6), CATALOG, tmp_path / f"{indices.start}", indices=indices)
    code, err = told("merge", tmp_path / "0", tmp_path / "3", "-o", tmp_path / "out", "--max-requests", 5)
    assert (code, "--max-requests limits what a model is asked: it needs --author llm" in err) == (2, True)
