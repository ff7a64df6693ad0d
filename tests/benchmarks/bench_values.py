"""Values per CPU second over tool schemas, cold (each schema used first) and warm: bundled tools, or those of folders.

Says first what loading the tools costs, result schemas included. Arguments and results are then made in a new process
each, which knows none of the schemas; what its first value of all costs is told apart, since it reads the words that
values are made of.

python tests/benchmarks/bench_values.py [FOLDER ...] [--rounds N]
"""

from __future__ import annotations

import argparse
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from generator.assets import asset_folder
from generator.errors import ToolgenError
from generator.formats.loading.tool_files import load_catalog
from generator.schemas.validators import validator_for
from generator.values import Context, synthesize_value

Place = tuple[object, Context]
"""A schema and what its value is for."""
FIRST = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "count": {"type": "integer"}, "when": {"format": "date"}},
}


def main() -> None:
    """Load the tools, then time arguments and results, apart and together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", default=[str(asset_folder("tool_specs"))])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    start = time.process_time()
    loaded = load_catalog(options.folders, skip_invalid=True, on_conflict="source")
    tools = loaded.catalog.tools
    derived = [tool.result_schema for tool in tools]
    took = time.process_time() - start
    print(f"loading {len(derived):,} tools: {took:.2f} s of CPU, {took / max(1, len(derived)) * 1e6:.0f} us each")
    arguments = [(tool.parameters, Context(name=tool.name, description=tool.description)) for tool in tools]
    results = [
        (tool.result_schema, Context(name=tool.name, description=tool.description, purpose="result")) for tool in tools
    ]
    for title, places in (("arguments", arguments), ("results", results)):
        with get_context("spawn").Pool(1) as fresh:
            print(f"{title}: {fresh.apply(report, (places, options.rounds))}", flush=True)


def report(places: list[Place], rounds: int) -> str:
    """Say what the first value of each schema costs, and what values cost `rounds` times over after it."""
    start = time.process_time()
    synthesize_value(FIRST, seed=0)
    first = time.process_time() - start
    start = time.process_time()
    refused = [not made(place, 0) for place in places]
    cold = time.process_time() - start
    good = [place for place, no in zip(places, refused, strict=True) if not no]
    spans = sorted(timed(place, seed) for seed in range(1, rounds + 1) for place in good)
    return (
        f"first of all {first * 1e3:.0f} ms; cold {len(places) / cold:,.0f} values per CPU second "
        f"({cold / len(places) * 1e6:.0f} us each), "
        f"warm {len(spans) / sum(spans):,.0f} (median {median(spans) * 1e6:.0f} us, p99 "
        f" {spans[int(len(spans) * 0.99)] * 1e6:.0f} us), valid {valid_share(places):.2f} %, refused {sum(refused)}"
    )


def made(place: Place, seed: int) -> bool:
    """Make one value, and say whether there was one."""
    try:
        synthesize_value(place[0], seed=seed, context=place[1])
    except ToolgenError:
        return False
    return True


def timed(place: Place, seed: int) -> float:
    """Return the seconds of CPU that one value takes."""
    start = time.process_time()
    made(place, seed)
    return time.process_time() - start


def valid_share(places: list[Place]) -> float:
    """Return how many of a hundred values are valid."""
    valid = [
        validator_for(schema).is_valid(synthesize_value(schema, seed=7, context=context))
        for schema, context in places
        if made((schema, context), 7)
    ]
    return 100 * sum(valid) / max(1, len(valid))


if __name__ == "__main__":
    main()
