"""How varied requests are: distinct-2, self-BLEU-4 and near duplicates of 200 `simple` records, beside people's own.

    python -m tests.benchmarks.diversity [--tools PATH ...] [--questions FILE.jsonl] [--count 200] [--seed 7]

`generator.reports.page.diversity` says what is measured. `--questions` reads a file of BFCL lines (`question`: turns
of messages).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import orjson

from generator.assets import asset_folder
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.record import Producer
from generator.reports.page.diversity import measure


def requests(paths: list[Path], count: int, seed: int) -> Iterator[str]:
    """Yield the requests of `simple` records."""
    catalog = load_catalog(paths, skip_invalid=True, on_conflict="source").catalog
    producer = Producer(Job(name="diversity", count=count, seed=seed, mix={"simple": 1.0}), catalog)
    for index in range(count):
        if (line := producer.produce(index).line) is not None:
            yield next(m["content"] for m in orjson.loads(line)["messages"] if m["role"] == "user")


def questions(path: Path, count: int) -> Iterator[str]:
    """Yield people's own questions, spread over a file of BFCL lines."""
    lines = path.read_bytes().splitlines()
    for line in lines[:: max(1, len(lines) // count)][:count]:
        yield next(m["content"] for turn in orjson.loads(line)["question"] for m in turn if m["role"] == "user")


def report(name: str, texts: list[str]) -> None:
    """Print one row."""
    found = measure(texts)
    exact = len(texts) - len(set(texts))
    print(
        f"{name:24} {found.texts:>5} distinct-2 {found.distinct_2:.3f}  self-BLEU-4 {found.self_bleu_4:.3f}  "
        f"near duplicates {found.near_duplicates:.1%}  exact {exact}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=Path, nargs="*", default=[asset_folder("tool_specs")])
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    report("toolgen, offline", list(requests(options.tools, options.count, options.seed)))
    if options.questions is not None:
        report(options.questions.stem[:24], list(questions(options.questions, options.count)))


if __name__ == "__main__":
    main()
