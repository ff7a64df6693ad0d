"""The public names, pinned: whoever adds or drops one changes this list knowingly."""

from __future__ import annotations

import pytest

import generator

PUBLIC = [
    "Record", "Reward", "Tool", "generate_records", "load_tools", "reward", "synthesize_value", "validate_record",
]  # fmt: skip


def test_the_public_names_are_these() -> None:
    assert generator.__all__ == PUBLIC
    assert set(PUBLIC) <= set(dir(generator))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_found_and_documented(name: str) -> None:
    assert getattr(generator, name).__doc__


def test_another_name_is_refused_as_any_module_refuses_it() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'load_tool'"):
        generator.load_tool  # noqa: B018 - looking it up is the test
