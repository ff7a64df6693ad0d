"""What a job with a model costs at once, over Ray and in batches: CPU, wall time, memory, requests paid twice, bytes.

    python -m tests.benchmarks.bench_model_engines --count 2000
    python -m tests.benchmarks.bench_model_engines --count 20000 --ways once,ray

A loopback server in a process of its own answers chat completions and batches, the same request always the same. The
Ray has two nodes of one CPU each on this machine, of which one is killed when a quarter is made. CPU is that of the
command alone: of Ray, the process that asks and settles. The files must be the same, and no answer may be paid twice.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from tests.benchmarks.bench_batch import Measurement, job, measure, served_apart

_STORE_BYTES = 256 * 2**20
_PROGRAM = [sys.executable, "-m", "generator"]
_GENERATE = [*_PROGRAM, "generate", "--author", "llm"]


def once(folder: Path, count: int, url: str) -> Measurement:
    return measure([*_GENERATE, "--out", str(folder), *job(count, url)], count)


def batch(folder: Path, count: int, url: str) -> Measurement:
    return measure([*_PROGRAM, "batch", "run", str(folder), *job(count, url), "--pause", "5"], count)


def ray(folder: Path, count: int, url: str) -> Measurement:
    with _cluster() as (cluster, node):
        Thread(target=_kill, args=(cluster, node, folder / "run.db", count // 4), daemon=True).start()
        command = [*_GENERATE, "--engine", "ray", "--address", cluster.address, "--out", str(folder)]
        return measure([*command, *job(count, url)], count)


@contextmanager
def _cluster() -> Iterator[tuple[Any, Any]]:
    """Begin a Ray; one of its two nodes comes with it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": _STORE_BYTES}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        nodes = [cluster.add_node(num_cpus=1, object_store_memory=_STORE_BYTES) for _ in range(2)]
        yield cluster, nodes[0]
    finally:
        cluster.shutdown()


def _kill(cluster: Any, node: Any, database: Path, at: int) -> None:
    """Kill a node when so many indices are settled."""
    while (settled := _settled(database)) < at:
        time.sleep(0.5)
    cluster.remove_node(node, allow_graceful=False)
    print(f"a node was killed after {settled:,} records", flush=True)


def _settled(database: Path) -> int:
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as run:
            return int(run.execute("SELECT coalesce(max(position) + 1, 0) FROM outcome").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


WAYS: dict[str, Callable[[Path, int, str], Measurement]] = {"once": once, "ray": ray, "batch": batch}


def tell(way: str, folder: Path, found: Measurement) -> tuple[str, ...]:
    """Print what a way cost, and return the digests of what it made."""
    with (folder / "answers.jsonl").open("rb") as file:
        keys = [json.loads(line)["request"] for line in file]
    print(
        f"{way:<6} {found.count:,} records: CPU {found.cpu_seconds:.1f} s, "
        f"{1000 * found.cpu_seconds / found.count:.1f} ms a record, wall {found.wall_seconds:.1f} s, "
        f"{found.peak_megabytes:.0f} MB; {len(keys):,} answers, {len(keys) - len(set(keys))} of them twice",
        flush=True,
    )
    return tuple(
        hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("records.jsonl", "rejections.jsonl")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--ways", default=",".join(WAYS), help="which of them, with commas between")
    given = parser.parse_args()
    made: dict[str, tuple[str, ...]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for way in given.ways.split(","):
            out = Path(folder) / way
            with served_apart() as url:
                made[way] = tell(way, out, WAYS[way](out, given.count, url))
    for way, digests in made.items():
        print(f"{way:<6} {' '.join(digests)}")
    if len(set(made.values())) != 1:
        raise SystemExit("the files differ")


if __name__ == "__main__":
    main()
