"""Misspelt names of answers, and names of nobody at the beginning of a sentence."""

from __future__ import annotations

import pytest

from tests.answer_examples import found, told, tool

TOOLS = (tool("get_weather", "Get the weather.", city={"type": "string"}),)
CALL = (
    "get_weather",
    {"city": "Madrid"},
    {"city": "Madrid", "sky": "clear", "station": "Three Bridges", "degrees": 17},
)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Madid: clear, 17 degrees.", ["warning"]),
        ("Clear, 17 degrees:\n- Mardid", ["warning"]),
        ("Heute ist es in Madird klar bei 17 Grad, und das ist schön.", ["note"]),
        ("Quennell is clear with 17 degrees.", ["note"]),
        ("Madrid is clear. There are 17 degrees.", []),
        ("Madrid's sky is clear, says Three Bridges.", []),
        ("Madrids Himmel ist klar, und es hat 17 Grad.", []),
        ("Today is clear with 17 degrees.", []),
    ],
)
def test_names_are_spelt_as_the_results_have_them(answer: str, expected: list[str]) -> None:
    document = told("How is the weather in Madrid?", answer, CALL, tools=TOOLS)
    assert found(document, "TC204", generated=False) == expected
