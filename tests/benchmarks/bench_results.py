"""Microseconds of CPU per result and per derived result schema: the bundled tools, or those of the folders given.

python tests/benchmarks/bench_results.py [FOLDER ...] [--rounds N]
"""

from __future__ import annotations

import argparse
import sys
import time
from datetime import date
from pathlib import Path
from statistics import mean, median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from generator.results import synthesize_results
from generator.tools.result_schemas import derive_result_schema

from generator.assets import asset_folder
from generator.formats.tool_files import load_catalog
from generator.jsontext import JsonObject
from generator.records.calls import Draft, DraftCall
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.tools.tool import Tool
from generator.values import Context, synthesize_value

Work = tuple[Scenario, Draft, Step]


def main() -> None:
    """Load the tools, answer one call of each once to warm the caches, then time further calls."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", default=[str(asset_folder("tool_specs"))])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    tools = load_catalog(options.folders, skip_invalid=True, on_conflict="source").catalog.tools
    print(f"{len(tools)} tools")
    start = time.process_time()
    for tool in tools:
        derive_result_schema(tool.name, tool.description, tool.parameters)
    print(f"derived schema: {(time.process_time() - start) / len(tools) * 1e6:.0f} us each")
    for work in [prepared(tool, 0) for tool in tools]:
        synthesize_results(*work)
    spans = sorted(timed(prepared(tool, seed)) for seed in range(1, options.rounds + 1) for tool in tools)
    print(
        f"result: mean {mean(spans):.0f} us, median {median(spans):.0f} us, p99 {spans[len(spans) * 99 // 100]:.0f} us"
    )


def prepared(tool: Tool, seed: int) -> Work:
    """Return one call of a tool, its scenario and step."""
    context = Context(name=tool.name, description=tool.description)
    arguments: JsonObject = synthesize_value(tool.parameters, seed=seed, context=context)
    step = Step(calls=(PlannedCall(tool, arguments),))
    persona = Persona("user", "plain")
    scenario = Scenario(0, 0, seed, "simple", (tool,), (step,), persona, "en_US", date(2026, 1, 15))
    return scenario, Draft(calls=(DraftCall(name=tool.name, arguments=arguments),)), step


def timed(work: Work) -> float:
    """Return the microseconds of CPU that answering takes."""
    start = time.process_time()
    synthesize_results(*work)
    return (time.process_time() - start) * 1e6


if __name__ == "__main__":
    main()
