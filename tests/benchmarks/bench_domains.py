"""CPU of loading domain files: read, checked, compiled over their tools.

    python -m tests.benchmarks.bench_domains [--copies 7]

The bundled files are loaded, in as many copies as it takes for about a hundred; each copy is compiled for itself.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from generator.assets import asset_folder
from generator.formats.loading.tool_files import load_catalog


def measure(copies: int) -> tuple[int, float]:
    """Return how many domain files were loaded, and the CPU seconds that it took."""
    load_catalog([asset_folder("tool_specs") / "reading.json"])  # so that no import is counted
    with tempfile.TemporaryDirectory() as folder:
        places = [shutil.copytree(asset_folder("tool_specs"), Path(folder) / str(number)) for number in range(copies)]
        began = time.process_time()
        catalog = load_catalog(places, on_conflict="source").catalog
        return len(catalog.domains), time.process_time() - began


def main() -> None:
    """Print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", type=int, default=7)
    files, seconds = measure(parser.parse_args().copies)
    print(f"{files} domain files in {seconds:.2f} s of CPU, {1000 * seconds / files:.0f} ms each")


if __name__ == "__main__":
    main()
