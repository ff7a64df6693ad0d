"""What a Ray cluster of two nodes costs beside two local processes and one, and beside the ideal.

    python -m tests.benchmarks.bench_ray --count 20000

Makes the same job three times: in this process, with two local processes, and on a Ray of two nodes of one CPU each,
both on this machine, whose start is told apart. CPU is that of all processes, those of Ray itself among them; the ideal
is the wall time of two processes that make records and do nothing else: half the CPU of one. The files must be equal.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from generator.assets import asset_folder
from generator.domains.catalog import Catalog
from generator.engines.engine import EngineOptions
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.run import run_job
from tests.benchmarks.bench_scale import children, cpu

_STORE_BYTES = 256 * 2**20


def descendants(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from descendants(child)


def cpu_now() -> float:
    """CPU seconds of this process and of all that it began, ended or not."""
    used = os.times()
    ended = used.children_user + used.children_system
    return used.user + used.system + ended + sum(map(cpu, descendants(os.getpid())))


def measure(name: str, job: Job, catalog: Catalog, folder: Path, engine: EngineOptions) -> tuple[float, bytes]:
    """Make a run and tell what it cost; return its CPU seconds and what it made."""
    before, began = cpu_now(), monotonic()
    run_job(job, catalog, folder, engine=engine)
    used, took = cpu_now() - before, monotonic() - began
    each = 1000 / job.count
    print(f"{name:18} wall {took:8.1f} s   CPU {used:8.1f} s, {used * each:5.2f} ms a record", flush=True)
    return used, (folder / "records.jsonl").read_bytes()


def on_ray(job: Job, catalog: Catalog, folder: Path) -> bytes:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    began, before = monotonic(), cpu_now()
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": _STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for _ in range(2):
            cluster.add_node(num_cpus=1, object_store_memory=_STORE_BYTES)
        ray.init(address=cluster.address, log_to_driver=False)
        print(f"{'start of Ray':18} wall {monotonic() - began:8.1f} s   CPU {cpu_now() - before:8.1f} s", flush=True)
        return measure("Ray, two nodes", job, catalog, folder, EngineOptions(engine="ray"))[1]
    finally:
        ray.shutdown()
        cluster.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    job = Job(count=parser.parse_args().count, seed=7)
    catalog = load_catalog([asset_folder("tool_specs")]).catalog
    with tempfile.TemporaryDirectory() as folder:
        used, alone = measure("one process", job, catalog, Path(folder, "one"), EngineOptions())
        print(f"{'ideal of two':18} wall {used / 2:8.1f} s   CPU {used:8.1f} s", flush=True)
        _, local = measure("--jobs 2", job, catalog, Path(folder, "two"), EngineOptions(jobs=2))
        if not alone == local == on_ray(job, catalog, Path(folder, "ray")):
            raise SystemExit("the records differ")


if __name__ == "__main__":
    main()
