"""Values whose form says that they are another parameter's."""

from __future__ import annotations

import pytest

from tests.test_validation_grounding_roles import Json, exchanged, findings


@pytest.mark.parametrize(
    ("arguments", "severity"),
    [
        ({"full_name": "Ann Lee", "phone": "555-0131"}, "error"),
        ({"name": "Ann Lee", "email": "ann@x.example"}, "error"),
        ({"phone": "555-0131", "email": "ann@x.example"}, "error"),
        ({"city": "Graz", "postcode": "8010"}, "error"),
        ({"stadt": "Graz", "plz": "8010"}, "error"),
        ({"address": {"city": "Graz", "zip_code": "8010"}}, "error"),
        ({"note": "call her", "email": "ann@x.example"}, "warning"),
        ({"homepage_url": "https://x.example/a", "note": "nice"}, "warning"),
    ],
)
def test_forms_in_each_others_place_are_found(arguments: Json, severity: str) -> None:
    assert findings("Save it.", arguments) == []
    nested = "address" in arguments
    turned = {"address": exchanged(arguments["address"])} if nested else exchanged(arguments)
    assert [found for found, _ in findings("Save it.", turned)] == [severity]


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "R2D2", "phone": "unknown"},
        {"email": "Ann", "note": "she has no address"},
        {"email": "me", "to": "bob"},
        {"name": "42", "id": "Ann"},
        {"phone": "my brother's", "amount": "500000"},
        {"user_id": "ann", "sha": "a1b2c3"},
        {"city": "T2P 1J9", "postcode": "Calgary"},
    ],
)
def test_what_may_be_of_any_form_is_left_alone(arguments: Json) -> None:
    assert findings("Save it.", arguments) == []
