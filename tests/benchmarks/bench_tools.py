"""CPU and memory of loading tool files: 2,400 made-up tools as JSON and as YAML, or the files given.

python tests/benchmarks/bench_tools.py [FILE ...]
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import yaml

from generator.formats.loading.tool_files import load_catalog
from generator.jsontext import JsonObject

TOOLS = 2_400
_FIELDS = ("city", "start_date", "limit", "unit", "include_details", "tags")


def main() -> None:
    """Time the loading of each notation, or of the files given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.files:
        report("given", options.files)
        return
    tools = [made_up(number) for number in range(TOOLS)]
    with tempfile.TemporaryDirectory() as folder:
        as_json, as_yaml = Path(folder, "tools.json"), Path(folder, "tools.yaml")
        as_json.write_text(json.dumps(tools), encoding="utf-8")
        as_yaml.write_text(yaml.safe_dump(tools, sort_keys=False), encoding="utf-8")
        report("JSON", [str(as_json)])
        report("YAML", [str(as_yaml)])


def made_up(number: int) -> JsonObject:
    """Return a definition of six parameters in a dialect that must be brought to the working form."""
    kinds = ("String", "string", "integer", "String", "Boolean", "ArrayList")
    properties: JsonObject = {
        name: {"type": kind, "description": f"The {name} of request {number}"}
        for name, kind in zip(_FIELDS, kinds, strict=True)
    }
    properties["tags"]["items"] = {"type": "String"}
    parameters = {"type": "dict", "properties": properties, "required": ["city"]}
    return {"name": f"find.thing_{number}", "description": f"Find thing {number} in a city.", "parameters": parameters}


def report(title: str, files: list[str]) -> None:
    """Print what one load costs."""
    start = time.process_time()
    loaded = load_catalog(files, skip_invalid=True, on_conflict="source")
    seconds = time.process_time() - start
    count = len(loaded.catalog.tools)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{title}: {count} tools in {seconds:.2f} s CPU, {seconds / count * 1e6:.0f} us each, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
