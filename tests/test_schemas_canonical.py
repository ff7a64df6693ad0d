"""Canonical forms prove contradictions, and decline what grows too large."""

from __future__ import annotations

from generator.schemas.canonical import canonical_form, find_contradiction


def test_canonical_form_proves_and_declines() -> None:
    assert canonical_form({"allOf": [{"type": "string"}, {"type": "integer"}]}) is False
    assert canonical_form({"type": "integer", "minimum": 1})["minimum"] == 1
    many = {"allOf": [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(40)]}
    assert canonical_form(many) is None
    assert find_contradiction({"type": "string"}) is None
