"""Whatever a definition says and whatever the arguments are: a text, or NoDraft; never a crash, never for long."""

from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.authors.author import NoDraft
from generator.authors.offline.requests import write_request
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.tools.tool import Tool

WORDS = st.sampled_from(
    """get retrieves the a specific city for of between two cities given its radius and , . company's to by in user your
    you whether if true order id number list type all new existing update create with using latest""".split()
)
PROSE = st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=60)
NAMES = st.sampled_from(
    "city order_id start_date end_date a B x1 x2 owner repo method _ 1 $ref is_open limit pageSize address1 zip".split()
) | st.text(min_size=1, max_size=12)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20)
)
VALUES = st.recursive(
    SCALARS | st.just("2026-03-14"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "number", "integer", "boolean", "array", "object"])
SCHEMAS = st.builds(
    lambda kind, description, enum: {"type": kind, "description": description, **({"enum": enum} if enum else {})},
    TYPES,
    PROSE,
    st.lists(st.text(max_size=8), max_size=2),
)


def write(description, schemas, arguments, seed, copies=1):
    tool = Tool(
        name="do_it",
        description=description,
        parameters={"type": "object", "properties": schemas},
        result_schema={},
        result_origin="derived",
    )
    step = Step(request=True, calls=(PlannedCall(tool, arguments),) * copies)
    plan = Scenario(0, 0, seed, "simple", (tool,), (step,), Persona("user", "plain"), "en_US", date(2026, 1, 15))
    try:
        return write_request(plan, step)
    except NoDraft as refusal:
        return refusal.violations[0]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(PROSE, st.dictionaries(NAMES, st.tuples(SCHEMAS, VALUES), max_size=4), st.integers(0, 99), st.integers(1, 2))
def test_a_text_or_a_refusal(description, properties, seed, copies):
    schemas = {name: schema for name, (schema, _) in properties.items() if seed % 7 or name != "city"}
    arguments = {name: value for name, (_, value) in properties.items()}
    made = write(description, schemas, arguments, seed, copies)
    if isinstance(made, str):
        assert made == write(description, schemas, arguments, seed, copies)
        assert made
    else:
        assert made.rule == "AU001"


@pytest.mark.parametrize(
    "text", ["of the " * 60_000, "a" * 400_000, "((((" * 50_000, "x_" * 100_000, "Get the " + "a's " * 90_000]
)
def test_huge_texts_are_read_in_part(text):
    schemas = {"city": {"type": "string", "description": text}, "flag": {"type": "boolean", "description": text}}
    write(text, schemas, {"city": "Rome", "flag": True}, 1)
    write("Get a city", schemas, {"city": text}, 1)
