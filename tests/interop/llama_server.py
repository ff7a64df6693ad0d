"""llama.cpp's own HTTP server over a tiny random model: run as a module with a folder, it prints its URL."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import xllamacpp

from tests.interop.tiny_model import write_tiny_model

CONTEXT, SLOTS = 32_768, 2


def main() -> None:
    model = Path(sys.argv[1]) / "tiny.gguf"
    write_tiny_model(model)
    options = xllamacpp.CommonParams()
    options.model.path = str(model)
    options.n_ctx, options.n_parallel = CONTEXT, SLOTS
    options.cpuparams.n_threads = 1  # its threads wait for one another by spinning, on cores the tests share
    options.hostnames, options.port = ["127.0.0.1"], 0
    options.warmup = False
    options.verbosity = 0
    server = xllamacpp.Server(options)
    print(server.listening_address, flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
