"""Ray: the bytes of one process at any number of nodes, also where one is lost while it works."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from generator.cli import main
from generator.engines.engine import EngineOptions, InProcess, Work
from generator.engines.opening import ENGINES
from generator.errors import DataError, EngineError, UsageError
from generator.job import Job
from generator.jsontext import digest
from generator.ray import read_records, row_of
from generator.run import run_job
from generator.runs.identity import versions
from generator.runs.outcome import Outcome
from tests.faults.completion_processes import Served, run_llm, served_apart, start_llm
from tests.readmes import blocks, make_desk
from tests.run_fakes import CATALOG, FAKE, FAULTY, SLOW, FakeProducer
from tests.run_processes import finish, kill, start, wait_for_rows

PAGE = "generator/runs/RANGES.md"
ray = pytest.importorskip("ray", reason="needs the extra `ray`")
pytestmark = [pytest.mark.interop, pytest.mark.slow]

STORE = 80 * 2**20
PATIENCE = 240


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of a head that makes nothing and two nodes of one CPU each."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": STORE}
    try:
        made = Cluster(initialize_head=True, head_node_args=head)
    except Exception as error:  # noqa: BLE001 - whatever keeps Ray from beginning here, it is nothing of ours
        pytest.skip(f"Ray does not begin on this machine: {error}")
    try:
        for _ in range(2):
            made.add_node(num_cpus=1, object_store_memory=STORE)
        ray.init(address=made.address, log_to_driver=False)
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


def work(make: type[FakeProducer], job: Job = Job()) -> Work:  # noqa: B008 - frozen, so one for all calls is safe
    return Work(job, CATALOG, make(job, CATALOG), make, EngineOptions(engine="ray"))


def never() -> bool:
    return False


def test_a_cluster_yields_what_one_process_yields(cluster: Any) -> None:
    alone = list(InProcess(work(FAKE)).outcomes(range(5, 1000), never))
    with ENGINES["ray"](work(FAKE)) as engine:
        assert list(engine.outcomes(range(5, 1000), never)) == alone
        assert engine.cpu_seconds > 0


def test_a_node_that_is_lost_costs_nothing(cluster: Any, tmp_path: Path) -> None:
    run_job(Job(count=2000), CATALOG, tmp_path / "alone", make=SLOW)
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)

    def lose_a_node(progress: Any) -> None:
        if progress.decided == 300:
            cluster.remove_node(node, allow_graceful=False)

    used = EngineOptions(engine="ray")
    report = run_job(Job(count=2000), CATALOG, tmp_path / "ray", engine=used, make=SLOW, on_progress=lose_a_node)
    assert node not in cluster.list_all_nodes()
    assert report.made == 2000
    for name in ("records.jsonl", "rejections.jsonl"):
        assert (tmp_path / "ray" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


class Mortal(FakeProducer):
    """Kills its own process at index 200: once, where the job names a file that tells of it, or each time."""

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        flag = Path(*self.job.tools)
        if index == 200 and not flag.is_file():
            if self.job.tools:
                flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().produce(index, first_attempt)


def test_a_worker_that_is_lost_costs_nothing(cluster: Any, tmp_path: Path) -> None:
    alone = list(InProcess(work(FAKE)).outcomes(range(400), never))
    flag = tmp_path / "flag"
    with ENGINES["ray"](work(Mortal, Job(tools=(str(flag),)))) as engine:
        assert list(engine.outcomes(range(400), never)) == alone
    assert flag.exists()


def test_a_task_that_is_lost_for_good_is_one_clear_error(cluster: Any) -> None:
    with (
        ENGINES["ray"](work(Mortal)) as engine,
        pytest.raises(EngineError, match=r"Ray lost a task 5 times.*run the same command again"),
    ):
        list(engine.outcomes(range(400), never))


def test_a_defect_is_raised_here_with_its_trace(cluster: Any) -> None:
    with ENGINES["ray"](work(FAULTY)) as engine, pytest.raises(LookupError, match="a defect at index 50"):
        list(engine.outcomes(range(1000), never))


def test_a_run_that_stops_cancels_what_is_under_way(cluster: Any) -> None:
    found: list[int] = []
    with ENGINES["ray"](work(SLOW)) as engine:
        found.extend(each.index for each in engine.outcomes(range(100_000), lambda: len(found) >= 100))
    assert 100 <= len(found) < 1000
    assert found == list(range(len(found)))


def test_other_versions_on_a_node_are_refused() -> None:
    from generator.engines.ray import make_chunk

    with pytest.raises(EngineError, match=r"has toolgen .*, not 9\.9\.9"):
        make_chunk("other", [], versions() | {"toolgen": "9.9.9"}, [(0, 0)])


def processes_of_ray() -> set[str]:
    """The numbers of the processes that make up a Ray of this machine."""
    found = set()
    for each in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            said = each.read_bytes()
        except OSError:
            continue
        if b"raylet" in said or b"gcs_server" in said:
            found.add(each.parent.name)
    return found


def test_an_interrupted_command_leaves_no_process_and_goes_on(cluster: Any, tmp_path: Path) -> None:
    before, options = processes_of_ray(), ["generate", "--count", "3000", "--seed", "5"]
    folder = tmp_path / "ray"
    command = [*options, "--engine", "ray", "--out", str(folder)]
    process = start([sys.executable, "-m", "generator", *command])
    wait_for_rows(process, folder, 50)
    os.killpg(process.pid, signal.SIGINT)
    code, _, err = finish(process, PATIENCE)
    assert code == 130, err
    assert "Traceback" not in err
    deadline = time.monotonic() + PATIENCE
    while processes_of_ray() - before:
        assert time.monotonic() < deadline, "processes of Ray are left behind"
        time.sleep(0.2)
    code, _, err = finish(start([sys.executable, "-m", "generator", *command, "--json"]), PATIENCE)
    assert code == 0, err
    assert main([*options, "--out", str(tmp_path / "alone"), "--quiet"]) == 0
    assert (folder / "records.jsonl").read_bytes() == (tmp_path / "alone" / "records.jsonl").read_bytes()


RECORDS = ("records.jsonl", "rejections.jsonl")


def workers_of_ray() -> list[int]:
    """The numbers of the processes that make attempts with a model."""
    found = Path("/proc").glob("[0-9]*/cmdline")
    return [int(each.parent.name) for each in found if each.read_bytes().startswith(b"ray::Worker")]


def test_with_a_model_what_is_lost_is_made_again_and_paid_once(cluster: Any, tmp_path: Path) -> None:
    node = cluster.add_node(num_cpus=1, object_store_memory=STORE)

    def lose(server: Served) -> None:
        server.wait_for_requests(60)
        os.kill(workers_of_ray()[0], signal.SIGKILL)
        server.wait_for_requests(120)
        cluster.remove_node(node, allow_graceful=False)

    with served_apart("--latency", "0.3") as server, ThreadPoolExecutor(1) as pool:
        losing = pool.submit(lose, server)
        out, used = tmp_path / "ray", ("--max-concurrency", "16", "--engine", "ray", "--quiet")
        code, _, err = run_llm(out, server, 120, *used)
        assert code == 0, err
        losing.result()
        told = server.told()
        assert (told["answered_twice"], told["most_in_flight"]) == (0, 16)
        paid = server.requests
        assert run_llm(tmp_path / "alone", server, 120, "--quiet", "--answers", str(out)) == (0, "", "")
        assert server.requests == paid, "one process asks for nothing else"
    for name in RECORDS:
        assert (out / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


def test_a_command_with_a_model_that_is_cut_short_goes_on(cluster: Any, tmp_path: Path) -> None:
    out, flight = tmp_path / "ray", 8
    used = ("--max-concurrency", str(flight), "--engine", "ray", "--address", cluster.address, "--quiet")
    with served_apart("--latency", "0.3") as server:
        process = start_llm(out, server, 60, *used)
        server.wait_for_requests(30)
        kill(process)
        process = start_llm(out, server, 60, *used)
        server.wait_for_requests(server.requests + 10)
        os.kill(workers_of_ray()[0], signal.SIGKILL)  # of which Ray tells, and not where results are expected
        server.wait_for_requests(server.requests + 5)
        os.killpg(process.pid, signal.SIGINT)
        code, said, err = finish(process, PATIENCE)
        assert (code, said) == (130, ""), err
        assert "Traceback" not in err
        assert run_llm(out, server, 60, *used)[0] == 0
        assert server.told()["answered_twice"] <= flight, "what was in flight when the command was killed"
        assert run_llm(tmp_path / "alone", server, 60, "--quiet", "--answers", str(out)) == (0, "", "")
    for name in RECORDS:
        assert (out / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()


def test_records_are_rows_with_ids_that_last(cluster: Any, tmp_path: Path) -> None:
    assert main(["generate", "--count", "40", "--out", str(tmp_path), "--quiet"]) == 0
    records = [json.loads(line) for line in (tmp_path / "records.jsonl").read_text().splitlines()]
    rows = read_records(tmp_path).random_shuffle(seed=1).map(lambda row: {**row, "kind": row["kind"].upper()})
    found = {row["id"]: row for row in rows.take_all()}
    assert set(found) == {digest(record) for record in records}
    for record in records:
        row = found[digest(record)]
        assert {part: json.loads(row[part]) for part in record} == record
        assert row["kind"] == record["metadata"]["kind"].upper()


def test_what_was_published_at_a_url_is_read_there(cluster: Any, tmp_path: Path) -> None:
    run, url = ["--out", str(tmp_path / "run"), "--quiet"], f"file://{tmp_path}/published"
    assert main(["generate", "--count", "40", *run, "--compress", "gz", "--shard", "15", "--publish-to", url]) == 0
    rows = read_records(url).take_all()
    assert len({row["id"] for row in rows}) == 40
    assert {row["id"] for row in rows} == {row["id"] for row in read_records(tmp_path / "run").take_all()}


@pytest.mark.parametrize("line", ["no JSON", "[]", '{"messages": []}', '{"messages": [], "tools": [], "metadata": 1}'])
def test_what_is_no_record_is_one_clear_error(line: str) -> None:
    with pytest.raises(DataError, match="no record of toolgen"):
        row_of({"text": line})


def test_records_that_are_not_there_are_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"records\.jsonl: no such file"):
        read_records(tmp_path)


def test_the_page_on_ray_is_right(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = make_desk(tmp_path)
    monkeypatch.chdir(desk)
    command, with_model = (block for block in blocks(PAGE, "bash") if "--engine ray" in block)
    assert main(shlex.split(command)[1:]) == 0
    with served_apart() as server:
        asked = with_model.replace("http://localhost:8000/v1", server.url)
        assert main([*shlex.split(asked)[1:], "--count", "5", "--out", "runs/model-on-ray"]) == 0
        assert server.requests >= 10
    (program,) = (block for block in blocks(PAGE, "python") if "generator.ray" in block)
    exec(compile(program, PAGE, "exec"), {})
    written = [json.loads(line) for path in (desk / "simple").iterdir() for line in path.read_text().splitlines()]
    known = {digest(json.loads(line)) for line in Path("runs/on-ray/records.jsonl").read_text().splitlines()}
    assert written
    assert {row["id"] for row in written} < known
