"""How varied requests are: distinct-2, self-BLEU-4 and near duplicates of 200 `simple` records, beside people's own.

    python -m tests.benchmarks.diversity [--tools PATH ...] [--questions FILE.jsonl] [--count 200] [--seed 7]

Tokeniser: lower case, runs of letters and digits, every other sign alone. distinct-2 is the share of different pairs
of neighbours among all. self-BLEU-4 is the mean over the texts of BLEU with all others as references, brevity penalty
and equal weights, add-one smoothing from pairs on. A near duplicate has a Jaccard overlap of word sets of 0.7 or more
with another text. `--questions` reads a file of BFCL lines (`question`: turns of messages).
"""

from __future__ import annotations

import argparse
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import orjson

from generator.assets import asset_folder
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.record import Producer

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_NEAR = 0.7
_ORDER = 4


def tokens_of(text: str) -> list[str]:
    """Cut a text into tokens."""
    return _TOKEN.findall(text.lower())


def grams(tokens: Sequence[str], size: int) -> Counter[tuple[str, ...]]:
    """Count the runs of `size` tokens."""
    return Counter(tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1))


def distinct(texts: Sequence[Sequence[str]], size: int = 2) -> float:
    """Return the share of different runs among all."""
    counted: Counter[tuple[str, ...]] = Counter()
    for tokens in texts:
        counted += grams(tokens, size)
    return len(counted) / max(1, counted.total())


def self_bleu(texts: Sequence[Sequence[str]]) -> float:
    """Return the mean BLEU-4 of each text with all others as references."""
    counts = [[grams(tokens, size) for size in range(1, _ORDER + 1)] for tokens in texts]
    return sum(_bleu(place, texts, counts) for place in range(len(texts))) / len(texts)


def _bleu(place: int, texts: Sequence[Sequence[str]], counts: list[list[Counter[tuple[str, ...]]]]) -> float:
    others = [other for other in range(len(texts)) if other != place]
    logs = 0.0
    for order in range(_ORDER):
        mine = counts[place][order]
        matched = sum(min(count, max(counts[other][order][gram] for other in others)) for gram, count in mine.items())
        smooth = 1 if order else 0
        total = mine.total() + smooth
        if not matched + smooth or not total:
            return 0.0
        logs += math.log((matched + smooth) / total) / _ORDER
    length = len(texts[place])
    nearest = min((len(texts[other]) for other in others), key=lambda other: (abs(other - length), other))
    return math.exp(logs) * (1.0 if length >= nearest else math.exp(1 - nearest / max(length, 1)))


def near_duplicates(texts: Sequence[Sequence[str]]) -> float:
    """Return the share of texts that another one nearly repeats."""
    sets = [set(tokens) for tokens in texts]
    near = sum(
        any(len(mine & other) >= _NEAR * len(mine | other) for there, other in enumerate(sets) if there != here)
        for here, mine in enumerate(sets)
    )
    return near / len(sets)


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
    cut = list(map(tokens_of, texts))
    exact = len(texts) - len(set(texts))
    print(
        f"{name:24} {len(texts):>5} distinct-2 {distinct(cut):.3f}  self-BLEU-4 {self_bleu(cut):.3f}  "
        f"near duplicates {near_duplicates(cut):.1%}  exact {exact}"
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
