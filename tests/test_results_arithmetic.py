"""Results that state the true value of a calculation, and leave alone what they cannot know."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.jsontext import JsonObject, JsonValue
from generator.results.arithmetic import compute
from generator.results.conversions import convert
from generator.results.expressions import evaluate
from generator.tools.result_schemas import derive_result_schema
from generator.tools.tool import Tool


def tool(name: str, description: str, arguments: JsonObject) -> Tool:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}
    properties = {key: {"type": kinds[type(value)]} for key, value in arguments.items()}
    parameters: JsonObject = {"type": "object", "properties": properties, "required": list(arguments)}
    return Tool(
        name=name,
        description=description,
        parameters=parameters,
        result_schema=derive_result_schema(name, description, parameters),
        result_origin="derived",
    )


TRUTHS: list[tuple[str, str, JsonObject, str, JsonValue]] = [
    ("add", "Add two numbers.", {"a": 2, "b": 40}, "result", 42),
    ("subtract", "Subtract one number from another.", {"a": 50, "b": 8}, "result", 42),
    ("multiply", "Multiply two numbers.", {"a": 6, "b": 7}, "result", 42),
    ("divide", "Divide one number by another.", {"a": 84, "b": 2}, "result", 42),
    ("math.gcd", "Calculates the greatest common divisor.", {"num1": 48, "num2": 18}, "result", 6),
    ("math.factorial", "Calculate the factorial of a number.", {"number": 5}, "result", 120),
    ("calculate_mean", "Calculate the mean of a list of numbers.", {"numbers": [1, 2, 6]}, "result", 3),
    ("calc_area_triangle", "Calculate the area of a triangle.", {"base": 6, "height": 5}, "result", 15),
    ("area_rectangle.calculate", "Area of a rectangle.", {"length": 6, "breadth": 5}, "result", 30),
    ("area_circle.calculate", "Calculate the area of a circle.", {"radius": 2}, "result", 12.57),
    ("geometry.circumference", "Circumference of a circle.", {"radius": 1, "units": "m"}, "result", 6.28),
    ("calculate_bmi", "Calculate the Body Mass Index.", {"weight": 80, "height": 200}, "bmi", 20),
    ("calculate_compound_interest", "Calculate the compound interest.",
     {"principal": 1000, "annual_rate": 10, "years": 2}, "interest", 210),
    ("simple_interest", "Calculate simple interest.", {"principal": 1000, "rate": 0.05, "time": 2}, "interest", 100),
    ("calculate_velocity", "Calculate the velocity.", {"distance": 100, "time": 8}, "velocity", 12.5),
    ("kinematics.final_velocity", "Calculate the final velocity.",
     {"initial_velocity": 2, "acceleration": 3, "time": 4}, "velocity", 14),
    ("quadratic_roots", "Find the roots of a quadratic equation.", {"a": 1, "b": -3, "c": 2}, "roots", [1, 2]),
    ("prime_factors", "Calculate the prime factors.", {"number": 60}, "factors", [2, 2, 3, 5]),
    ("circle.calculate_circumference", "Circumference of a circle from its diameter.", {"diameter": 2}, "result", 6.28),
    ("calculate_final_price", "Calculate the price.",
     {"price": 100, "discount_rate": 0.1, "sales_tax": 10}, "result", 99),
    ("population_growth", "Estimate the population.",
     {"current_population": 1000, "growth_rate": 10, "years": 2}, "population", 1210),
    ("euclidean_distance.calculate", "Euclidean distance.", {"pointA": [0, 0], "pointB": [3, 4]}, "result", 5),
    ("cosine_similarity", "Calculate the cosine similarity.", {"vectorA": [1, 0], "vectorB": [0, 1]}, "result", 0),
    ("combinations", "Number of combinations.", {"n": 5, "k": 2}, "result", 10),
    ("generate_prime", "Generate prime numbers.", {"start": 30, "end": 45}, "primes", [31, 37, 41, 43]),
    ("calculator", "Calculate an expression.", {"expression": "2 * (3 + 4)"}, "result", 14),
    ("convert_units", "Convert a value from one unit to another.",
     {"value": 10, "from_unit": "km", "to_unit": "miles"}, "result", 6.21),
    ("convert_units", "Convert a value from one unit to another.",
     {"value": 100, "from_unit": "celsius", "to_unit": "fahrenheit"}, "result", 212),
]  # fmt: skip


@pytest.mark.parametrize(("name", "description", "arguments", "field", "truth"), TRUTHS)
def test_a_calculation_gives_the_true_value(
    name: str, description: str, arguments: JsonObject, field: str, truth: JsonValue
) -> None:
    blank: JsonObject = {field: [0.5] if isinstance(truth, list) else 0.5, "note": "kept"}
    assert compute(tool(name, description, arguments), arguments, blank) == {field: truth, "note": "kept"}


UNSURE: list[tuple[str, str, JsonObject]] = [
    ("calculate_area", "Calculate the area of a rectangle.", {"length": 2, "width": 3, "depth": 4}),
    ("divide", "Divide one number by another.", {"a": 1, "b": 0}),
    ("calculate_interest", "Calculate compound interest.", {"principal": 1000, "rate": 5, "years": 2, "mode": "daily"}),
    ("quadratic_roots", "Find the roots of a quadratic equation.", {"a": 1, "b": 0, "c": 2}),
    ("factorial", "Calculate the factorial.", {"number": 10**9}),
    ("factorial", "Calculate the factorial.", {"number": 40}),
    ("power", "Raise to a power.", {"base": 1e308, "exponent": 60}),
    ("get_weather", "Get the weather.", {"city": "Oslo"}),
    ("calculator", "Calculate an expression.", {"expression": "__import__('os')"}),
]


@pytest.mark.parametrize(("name", "description", "arguments"), UNSURE)
def test_a_calculation_that_is_not_sure_is_left_alone(name: str, description: str, arguments: JsonObject) -> None:
    assert compute(tool(name, description, arguments), arguments, {"result": 0.5}) == {"result": 0.5}


def test_digits_are_those_that_were_asked_for() -> None:
    arguments = {"radius": 2, "round_off": 4}
    assert compute(tool("circle_area", "Area of a circle.", arguments), arguments, {"area": 0.5}) == {"area": 12.5664}


def test_a_percent_rate_and_a_share_mean_the_same() -> None:
    for rate in (5, 0.05):
        arguments = {"principal": 1000, "rate": rate, "time": 1}
        found = compute(tool("simple_interest", "Calculate simple interest.", arguments), arguments, {"interest": 0.5})
        assert found == {"interest": 50}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1+2)*3", 9),
        ("-2 ** 2", -4),
        ("2^10", 1024),
        ("sqrt(16) + 1", 5),
        ("7 % 4", 3),
        ("8/2/2", 2),
    ],
)
def test_expressions_follow_precedence(text: str, value: float) -> None:
    assert evaluate(text) == value


@pytest.mark.parametrize("text", ["", "x + 1", "1 +", "(1", "1)", "2", "a" * 500, "1 ** ** 2", "sqrt 4", "+"])
def test_what_is_no_arithmetic_has_no_value(text: str) -> None:
    assert evaluate(text) is None


@pytest.mark.parametrize("text", ["1/0", "9**9**9", "(-8)**0.5", "sqrt(0-1)"])
def test_arithmetic_without_a_value_says_so(text: str) -> None:
    with pytest.raises(ArithmeticError):
        evaluate(text)


@given(st.text(alphabet="0123456789+-*/%^(). sqrt", max_size=130))
def test_any_text_is_read_within_bounds(text: str) -> None:
    try:
        value = evaluate(text)
    except ArithmeticError:
        return
    assert value is None or isinstance(value, int | float)


@given(st.floats(min_value=-1000, max_value=1000))
def test_converting_there_and_back_gives_the_same(amount: float) -> None:
    there = convert({"value": amount, "from_unit": "kg", "to_unit": "pounds"})
    assert there is not None
    back = convert({"value": there, "from_unit": "lb", "to_unit": "kilograms"})
    assert back is not None and math.isclose(back, amount, abs_tol=1e-9)


def test_units_of_different_dimensions_are_not_converted() -> None:
    assert convert({"value": 1, "from_unit": "kg", "to_unit": "km"}) is None
