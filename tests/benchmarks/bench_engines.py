"""What a job costs in one process, in several, in ranges that are merged, and on Ray, each beside the ideal.

    python -m tests.benchmarks.bench_engines --count 20000
    python -m tests.benchmarks.bench_engines --count 200000 --ways ranges,ray --digest SHA256

Makes the same job several times: in this process; with two local processes; in four ranges, one after the other, and
the run that they are merged to; and on a Ray of two nodes of one CPU each, both on this machine, of which one is killed
when a quarter is made, and replaced. CPU is that of all processes, those of Ray itself among them, whose start is told
apart. The ideal divides the CPU of one process among those that make records: two, or for ranges, each on a machine of
its own, four; their wall time is that of the longest of them. The records must have the same digest.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from generator.assets import asset_folder
from generator.domains.catalog import Catalog
from generator.engines.engine import EngineOptions
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.merge import merge
from generator.run import RunReport, run_job
from generator.runs.progress import Progress
from tests.benchmarks.bench_scale import children, cpu

_STORE_BYTES = 256 * 2**20
_RANGES = 4


def descendants(pid: int) -> Iterator[int]:
    for child in children(pid):
        yield child
        yield from descendants(child)


def cpu_now() -> float:
    """CPU seconds of this process and of all that it began, ended or not."""
    used = os.times()
    ended = used.children_user + used.children_system
    return used.user + used.system + ended + sum(map(cpu, descendants(os.getpid())))


class Bench:
    """A job, the folder for its runs, and what one process needs for it."""

    def __init__(self, job: Job, catalog: Catalog, folder: Path) -> None:
        self.job, self.catalog, self.folder = job, catalog, folder
        self.digests: dict[str, str] = {}

    def measure(self, name: str, records: int, make: Callable[[], RunReport]) -> float:
        """Make a run and tell what it cost; return the seconds that it took."""
        before, began = cpu_now(), monotonic()
        report = make()
        used, took = cpu_now() - before, monotonic() - began
        each = 1000 * used / max(1, records)
        print(f"{name:24} wall {took:8.1f} s   CPU {used:8.1f} s, {each:5.2f} ms a record", flush=True)
        self.digests[name] = report.summary.sha256["records.jsonl"]
        return took

    def run(self, name: str, **options: Any) -> Callable[[], RunReport]:
        """Return what makes the job, or a part of it, in a folder of this name."""
        return partial(run_job, self.job, self.catalog, self.folder / name, **options)

    def one(self) -> None:
        self.measure("one process", self.job.count, self.run("one"))

    def jobs(self) -> None:
        self.measure("--jobs 2", self.job.count, self.run("jobs", engine=EngineOptions(jobs=2)))

    def ranges(self) -> None:
        """Make four ranges, and merge them in another order."""
        count, longest, parts = self.job.count, 0.0, []
        for place in range(_RANGES):
            indices = range(count * place // _RANGES, count * (place + 1) // _RANGES)
            parts.append(self.folder / f"part-{place}")
            name = f"range {indices.start}:{indices.stop}"
            longest = max(longest, self.measure(name, len(indices), self.run(f"part-{place}", indices=indices)))
            del self.digests[name]
        joined = self.measure("merge", count, lambda: merge(reversed(parts), self.folder / "merged"))
        print(f"{'ranges and merge':24} wall {longest + joined:8.1f} s on a machine each", flush=True)

    def ray(self) -> None:
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        import ray
        from ray.cluster_utils import Cluster

        began, before = monotonic(), cpu_now()
        head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": _STORE_BYTES}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        try:
            nodes = [cluster.add_node(num_cpus=1, object_store_memory=_STORE_BYTES) for _ in range(2)]
            ray.init(address=cluster.address, log_to_driver=False)
            print(
                f"{'start of Ray':24} wall {monotonic() - began:8.1f} s   CPU {cpu_now() - before:8.1f} s", flush=True
            )
            killing = _Killing(cluster, nodes[0], self.job.count // 4)
            used = EngineOptions(engine="ray")
            self.measure("Ray, a node killed", self.job.count, self.run("ray", engine=used, on_progress=killing))
            if not killing.done:
                raise SystemExit("no node was killed")
        finally:
            ray.shutdown()
            cluster.shutdown()


class _Killing:
    """Kills a node of a cluster when so much is made, and adds another."""

    def __init__(self, cluster: Any, node: Any, at: int) -> None:
        self._cluster, self._node, self._at = cluster, node, at
        self.done = False

    def __call__(self, progress: Progress) -> None:
        if progress.decided >= self._at and not self.done:
            self.done = True
            self._cluster.remove_node(self._node, allow_graceful=False)
            self._cluster.add_node(num_cpus=1, object_store_memory=_STORE_BYTES)


WAYS: dict[str, Callable[[Bench], None]] = {
    "one": Bench.one,
    "jobs": Bench.jobs,
    "ranges": Bench.ranges,
    "ray": Bench.ray,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--ways", default=",".join(WAYS), help="which of them, with commas between")
    parser.add_argument("--digest", default="", help="the digest that the records are to have")
    given = parser.parse_args()
    catalog = load_catalog([asset_folder("tool_specs")]).catalog
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Job(count=given.count), catalog, Path(folder))
        for way in given.ways.split(","):
            WAYS[way](bench)
    for name, digest in bench.digests.items():
        print(f"{name:24} {digest}")
    if len({*bench.digests.values(), *filter(None, [given.digest])}) != 1:
        raise SystemExit("the records differ")


if __name__ == "__main__":
    main()
