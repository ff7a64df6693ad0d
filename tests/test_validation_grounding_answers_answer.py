"""Tongues: answers in another language than the request."""

from __future__ import annotations

from tests.answer_examples import found, told, tool
from tests.tables import each_row

CALL = ("get_weather", {"city": "Lisbon"}, {"city": "Lisbon", "sky": "sunny", "degrees": 15})
TOOLS = (tool("get_weather", "Get the weather.", city={"type": "string"}),)
ENGLISH, GERMAN = "How is the weather in Lisbon at the moment?", "Wie ist denn gerade das Wetter in Lissabon, bitte?"


@each_row(
    ("asked", "answer", "expected"),
    [
        (ENGLISH, "En Lisboa hace sol y hay 15 grados en este momento.", ["warning"]),
        (ENGLISH, "In Lissabon ist es sonnig, und es hat gerade 15 Grad.", ["warning"]),
        (ENGLISH, "里斯本现在是晴天，气温十五度。", ["warning"]),
        (GERMAN, "It is sunny in Lisbon with 15 degrees at the moment.", ["warning"]),
        (GERMAN, "In Lissabon ist es sonnig, und es hat gerade 15 Grad.", []),
        (ENGLISH, "It is sunny in Lisbon with 15 degrees.", []),
        (ENGLISH, "Sunny, 15.", []),
        (f"{ENGLISH} Tell me in Spanish.", "En Lisboa hace sol y hay 15 grados en este momento.", []),
        (ENGLISH, 'It says: "En Lisboa hace sol y hay 15 grados en este momento."', []),
        ("Hi!", "En Lisboa hace sol y hay 15 grados en este momento.", []),
    ],
)
def test_an_answer_is_in_the_language_of_the_request(asked: str, answer: str, expected: list[str]) -> None:
    assert found(told(asked, answer, CALL, tools=TOOLS), "TC222", generated=False) == expected
