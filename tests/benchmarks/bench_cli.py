"""What an installation costs: CPU of `--help`, size without bytecode, number of packages.

    python -m tests.benchmarks.bench_cli

Installs the checkout into an environment of its own, without extras, and measures there.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
ROUNDS = 10
INSTALLERS = {"pip", "setuptools"}


def install(folder: Path) -> Path:
    """Install toolgen into a new environment and return its folder of programs."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    programs = folder / "bin"
    subprocess.run(
        [programs / "pip", "install", "--quiet", "--no-compile", CHECKOUT], check=True, stderr=subprocess.DEVNULL
    )
    return programs


def cpu_seconds(*command: str | Path) -> float:
    """CPU seconds, user and system, of one run of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def packages(programs: Path) -> list[str]:
    """Names of what is installed, without the installers that every environment has."""
    listed = subprocess.run([programs / "pip", "list", "--format=json"], check=True, capture_output=True).stdout
    return [entry["name"] for entry in json.loads(listed) if entry["name"] not in INSTALLERS]


def installed_bytes(folder: Path) -> int:
    """Bytes of everything installed but bytecode and the installers."""
    site = next(folder.glob("lib/python*/site-packages"))
    files = [path for path in site.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    kept = [
        path
        for path in files
        if path.relative_to(site).parts[0].split("-")[0] not in INSTALLERS | {"_distutils_hack", "pkg_resources"}
    ]
    return sum(path.stat().st_size for path in kept)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as place:
        programs = install(Path(place) / "venv")
        names, size = packages(programs), installed_bytes(Path(place) / "venv")
        cpu_seconds(programs / "toolgen", "--help")
        best = min(cpu_seconds(programs / "toolgen", "--help") for _ in range(ROUNDS))
    print(f"toolgen --help: {best:.2f} s CPU")
    print(f"install without bytecode: {size / 1e6:.0f} MB")
    print(f"packages: {len(names)}")


if __name__ == "__main__":
    main()
