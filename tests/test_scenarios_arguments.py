"""Parallel calls differ where a person's would."""

import pytest

from generator.scenarios.arguments import varied_parameter

TEXT, WHOLE, CHOICE = {"type": "string"}, {"type": "integer"}, {"type": "string", "enum": ["a", "b"]}


@pytest.mark.parametrize(
    ("properties", "varied"),
    [
        ({"city": TEXT}, "city"),
        ({"city": TEXT, "days": WHOLE}, "city"),
        ({"city": TEXT, "unit": CHOICE}, "city"),
        ({"owner": TEXT, "repo": TEXT, "issue_number": WHOLE}, "issue_number"),
        ({"start": TEXT, "end": TEXT}, "end"),
        ({"card_id": TEXT, "reason": TEXT}, "card_id"),
        ({"pullNumber": WHOLE, "owner": TEXT, "repo": TEXT, "body": TEXT}, "pullNumber"),
        ({"width": WHOLE, "height": WHOLE}, "height"),
        ({"full_name": TEXT, "phone": TEXT}, None),
        ({"customer_id": TEXT, "amount": WHOLE}, None),
        ({"user_id": TEXT, "unit": CHOICE}, "user_id"),
        ({"unit": CHOICE}, None),
        ({"tags": {"type": "array"}}, None),
    ],
)
def test_the_argument_that_varies(properties: dict[str, object], varied: str | None) -> None:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    assert varied_parameter(parameters, dict.fromkeys(properties)) == varied


def test_an_optional_argument_does_not_vary_alone() -> None:
    parameters = {"type": "object", "properties": {"city": TEXT, "note": TEXT}, "required": []}
    assert varied_parameter(parameters, {"city": "Oslo", "note": "x"}) is None
