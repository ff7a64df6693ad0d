"""Values per CPU second, median and p99, over tool schemas: the bundled ones, or those of the folders given.

Says first what loading the tools costs, result schemas included.

python tests/benchmarks/bench_values.py [FOLDER ...] [--rounds N]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from generator.assets import asset_folder
from generator.errors import ToolgenError
from generator.formats.loading.tool_files import load_catalog
from generator.schemas.validators import validator_for
from generator.values import Context, synthesize_value


def main() -> None:
    """Load the tools, warm the plans, then time arguments and results apart."""
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
    report("arguments", arguments, options.rounds)
    report("results", results, options.rounds)


def report(title: str, places: list[tuple[object, Context]], rounds: int) -> None:
    """Print what making a value of each schema, `rounds` times over, costs."""
    start = time.process_time()
    refused = 0
    for schema, context in places:
        try:
            synthesize_value(schema, seed=0, context=context)
        except ToolgenError:
            refused += 1
    cold = (time.process_time() - start) / max(1, len(places))
    spans, valid = [], 0
    for seed in range(1, rounds + 1):
        for schema, context in places:
            start = time.process_time()
            try:
                value = synthesize_value(schema, seed=seed, context=context)
            except ToolgenError:
                continue
            spans.append(time.process_time() - start)
            valid += validator_for(schema).is_valid(value)
    spans.sort()
    print(
        f"{title}: {len(spans) / sum(spans):,.0f} values per CPU second, median {median(spans) * 1e6:.0f} us, "
        f"p99 {spans[int(len(spans) * 0.99)] * 1e6:.0f} us, first {cold * 1e6:.0f} us, "
        f"valid {100 * valid / max(1, len(spans)):.2f} % of {len(spans):,}, refused {refused}"
    )


if __name__ == "__main__":
    main()
