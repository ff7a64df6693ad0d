"""Peak memory of `toolgen validate` over files of growing length, fed through a pipe as they are made.

    python -m tests.benchmarks.bench_memory [--counts 10000,1000000] [--jobs 1] [--gzip] [--array] [--ignore TC2]
        [--tools 10000]
    python -m tests.benchmarks.bench_memory --gigabytes 0.1,10 [--ignore TC2]

--array gives the records as one JSON array, without a line end in it.

Every record is another one; of the ten thousand different tools fewer are kept. By gigabytes the records are those of
bench_validate, of the default mix, over and over: no file is written, whatever its length would be.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import zlib
from collections.abc import Iterator

from generator.jsontext import dump_line
from tests.benchmarks.bench_validate import made_lines
from tests.record_examples import simple

AT_ONCE = 200
OVER_AND_OVER = 1000


def lines(count: int, tools: int) -> Iterator[bytes]:
    """Records, a few hundred of them in each piece."""
    document = simple()
    del document["metadata"]
    function = document["tools"][0]["function"]
    piece = []
    for number in range(count):
        document["messages"][1]["content"] = f"How is the weather in Rome, and in Oslo? I ask for the {number}th time."
        function["description"] = f"Get the weather of a city from station {number % tools}."
        piece.append(dump_line(document))
        if len(piece) == AT_ONCE or number == count - 1:
            yield b"".join(piece)
            piece = []


def as_array(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same records as the elements of one array."""
    before = b"["
    for piece in pieces:
        yield before + piece.rstrip(b"\n").replace(b"\n", b",")
        before = b","
    yield b"]" if before == b"," else b"[]"


def repeated(size: float) -> Iterator[bytes]:
    """Records of the default mix, as many gigabytes of them."""
    piece = b"".join(made_lines(OVER_AND_OVER))
    left = int(size * 1e9)
    while left > 0:
        yield piece
        left -= len(piece)


def packed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces as one gzip archive."""
    packer = zlib.compressobj(1, wbits=31)
    for piece in pieces:
        yield packer.compress(piece)
    yield packer.flush()


def measure(pieces: Iterator[bytes], more: list[str]) -> str:
    """Return what a pass over the pieces took."""
    command = [sys.executable, "-m", "generator", "validate", "-", "--statistics", *more]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as child:
        assert child.stdin is not None
        for piece in pieces:
            child.stdin.write(piece)
        child.stdin.close()
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0
    seconds = usage.ru_utime + usage.ru_stime
    return f"{usage.ru_maxrss / 1024:.0f} MB at most, {seconds:.1f} s of CPU"


def main(arguments: list[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--counts", default="10000,1000000")
    parser.add_argument("--gigabytes", default="")
    parser.add_argument("--jobs", default="1")
    parser.add_argument("--ignore", default="")
    parser.add_argument("--tools", type=int, default=10_000)
    parser.add_argument("--gzip", action="store_true")
    parser.add_argument("--array", action="store_true")
    options = parser.parse_args(arguments)
    more = ["--jobs", options.jobs, "--ignore", options.ignore]
    sizes, counts = (
        [float(each) for each in given.split(",") if each] for given in (options.gigabytes, options.counts)
    )
    inputs = {f"{size:g} GB": repeated(size) for size in sizes}
    inputs = inputs or {f"{count:,.0f} records": lines(int(count), options.tools) for count in counts}
    for name, made in inputs.items():
        given = as_array(made) if options.array else made
        print(f"{name:>17}: {measure(packed(given) if options.gzip else given, more)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
