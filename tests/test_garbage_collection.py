"""When garbage is looked for: not while things are made that stay, and as before afterwards."""

from __future__ import annotations

import gc

import pytest

from generator.garbage_collection import not_looked_for
from tests.checkout import run_python


def test_nothing_is_looked_for_in_the_block_nor_in_one_that_holds_another() -> None:
    assert gc.isenabled()
    with not_looked_for():
        assert not gc.isenabled()
        with not_looked_for():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_is_looked_for_again_after_a_failure() -> None:
    with pytest.raises(ValueError, match="broken"), not_looked_for():
        raise ValueError("broken")
    assert gc.isenabled()


def test_whoever_looks_for_none_is_left_alone() -> None:
    gc.disable()
    try:
        with not_looked_for():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_process_takes_what_is_there_for_kept_and_still_looks_for_the_rest() -> None:
    script = """
import gc
from generator.garbage_collection import take_for_kept
class Knot:
    gone = 0
    def __del__(self):
        Knot.gone += 1
take_for_kept()
assert gc.get_freeze_count() > 1_000, gc.get_freeze_count()
assert gc.isenabled()
for _ in range(200_000):
    knot = Knot()
    knot.itself = knot
assert Knot.gone > 100_000, Knot.gone
"""
    done = run_python("-c", script)
    assert done.returncode == 0, done.stderr
