"""A key is equal where it was made of the very same objects, however alike others are."""

from __future__ import annotations

from generator.object_key import Same


def test_the_very_same_objects_are_the_same() -> None:
    one, twin = [1], [1]
    assert Same(one) == Same(one)
    assert hash(Same(one)) == hash(Same(one))
    assert Same(one) != Same(twin)
    assert Same(one) != one
    assert Same(one).held is one


def test_what_is_held_may_be_known_by_its_parts() -> None:
    part, other = {"type": "object"}, {"type": "object"}
    assert Same("a copy", part) == Same("another copy", part)
    assert Same("a copy", part) != Same("a copy", other)
    assert Same("a copy", part) != Same("a copy", part, other)
