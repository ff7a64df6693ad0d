"""The same schemas given to toolgen, `jsf` and `hypothesis-jsonschema`: values per CPU second, and how many are valid.

python tests/benchmarks/side_by_side.py [FOLDER ...] [--tools N] [--suite FOLDER]

The other two are not among toolgen's dependencies: install them into an environment of their own, beside toolgen's.
A library that is not installed is left out, and said so. `--suite` names the folder of the official JSON Schema test
suite's drafts; each schema with a valid value then counts where the value is accepted by both validators.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import jsonschema_rs
from jsonschema import Draft202012Validator

from generator.assets import asset_folder
from generator.formats.loading.tool_files import load_catalog
from generator.values import synthesize_value

Json = Any  # parsed JSON
Maker = Callable[[Json, int], Json]


def of_toolgen() -> Maker:
    """Make values with toolgen."""
    return lambda schema, seed: synthesize_value(schema, seed=seed)


def of_jsf() -> Maker:
    """Make values with jsf, one compiled schema per value as its own examples have it."""
    from jsf import JSF

    return lambda schema, seed: JSF(schema).generate()


def of_hypothesis() -> Maker:
    """Make values with hypothesis-jsonschema: the first example of each strategy."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis_jsonschema import from_schema

    def make(schema: Json, seed: int) -> Json:
        found: list[Json] = []

        @seeded(seed)
        @settings(max_examples=2, database=None, deadline=None, phases=[Phase.generate],
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(from_schema(schema))
        def keep(value: Json) -> None:
            found.append(value)

        keep()
        return found[-1]

    return make


LIBRARIES: dict[str, tuple[str, Callable[[], Maker]]] = {
    "toolgen": ("generator", of_toolgen),
    "jsf": ("jsf", of_jsf),
    "hypothesis-jsonschema": ("hypothesis_jsonschema", of_hypothesis),
}


def main() -> None:
    """Give each library the same schemas."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", default=[str(asset_folder("tool_specs"))])
    parser.add_argument("--tools", type=int, default=300, help="how many tools, taken evenly from all")
    parser.add_argument("--suite", type=Path, help="tests/draft2020-12 of the official suite")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    schemas = {f"{options.tools} tools": list(tool_schemas(options.folders, options.tools))}
    if options.suite:
        schemas["the official suite"] = list(suite_schemas(options.suite))
    for name, (module, maker) in LIBRARIES.items():
        if find_spec(module) is None:
            print(f"{name}: not installed (pip install {name})")
            continue
        make = maker()
        for title, given in schemas.items():
            print(f"{name}, {title}: {report(make, given)}", flush=True)


def tool_schemas(folders: list[str], most: int) -> Iterator[Json]:
    """Yield the parameters and the result schema of some tools."""
    tools = load_catalog(folders, skip_invalid=True, on_conflict="source").catalog.tools
    for tool in tools[:: max(1, len(tools) // most)][:most]:
        yield tool.parameters
        yield tool.result_schema


def suite_schemas(folder: Path) -> Iterator[Json]:
    """Yield the schemas for which the official suite has a valid value, of one document each."""
    for path in sorted(folder.rglob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            if any(test["valid"] for test in case["tests"]) and _is_whole(case["schema"]):
                yield case["schema"]


def _is_whole(schema: Json) -> bool:
    try:
        jsonschema_rs.Draft202012Validator(schema, offline=True)
    except jsonschema_rs.ValidationError:
        return False
    return True


def report(make: Maker, schemas: list[Json]) -> str:
    """Make one value per schema, the first time and again, and say how fast and how many are valid."""
    spans, valid, failed = [], 0, 0
    for schema in schemas:
        make_twice = []
        value: Json = None
        try:
            for seed in (1, 2):
                start = time.process_time()
                value = make(schema, seed)
                make_twice.append(time.process_time() - start)
        except Exception:  # noqa: BLE001  # whatever a library raises, it made no value
            failed += 1
            continue
        spans.append(make_twice[-1])
        valid += accepted(schema, value)
    if not spans:
        return "no value at all"
    spans.sort()
    speed = f"{len(spans) / sum(spans):,.0f} values per CPU second, median {median(spans) * 1e6:,.0f} us"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return f"valid {100 * valid / len(schemas):.1f} % of {len(schemas)}, no value {failed}; {speed}; peak {memory} MB"


def accepted(schema: Json, value: Json) -> bool:
    """Say whether both validators accept a value, formats asserted."""
    try:
        rust = jsonschema_rs.Draft202012Validator(schema, validate_formats=True, offline=True)
        python = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
        return bool(rust.is_valid(value) and python.is_valid(value))
    except Exception:  # noqa: BLE001  # a value that is no JSON, or a pattern that Python cannot read
        return False


if __name__ == "__main__":
    main()
