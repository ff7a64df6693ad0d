"""The tests, and what they are made with.

Hundreds of them start the program in a process of its own, which compiles it all anew where the environment forbids
bytecode, and takes twice as long; and pytest rewrites every module in each of its workers. Within the tests it is kept,
in folders that Git ignores.
"""

from __future__ import annotations

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
