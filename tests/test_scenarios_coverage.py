"""Every optional parameter and every enum value gets its turn."""

from generator.jsontext import JsonObject
from generator.scenarios.coverage import choices, is_open, variant, visits_needed

PARAMETERS: JsonObject = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit", "kelvin"]},
        "days": {"type": "integer"},
        "hourly": {"type": "boolean"},
        "language": {"type": "string", "enum": ["en", "de", "fr", None]},
        "alerts": {"type": "boolean"},
        "note": {"type": "string"},
    },
    "required": ["city", "unit"],
}


def test_all_is_shown_within_the_promised_visits() -> None:
    visits = [variant(PARAMETERS, visit) for visit in range(4 * 3)]
    shown = {name for each in visits for name in each.include}
    assert shown == {"days", "hourly", "language", "alerts", "note"}
    for name, values in {"unit": 3, "hourly": 2, "language": 3, "alerts": 2}.items():
        assert len({each.fixed[name] for each in visits if name in each.fixed}) == values


def test_the_visits_needed_show_all_and_begin_anew() -> None:
    needed = visits_needed(PARAMETERS)
    assert needed == 2 + 3 + 1 + 1
    visits = [variant(PARAMETERS, visit) for visit in range(needed)]
    assert {name for each in visits for name in each.include} == {"days", "hourly", "language", "alerts", "note"}
    for name, values in {"unit": 3, "hourly": 2, "language": 3, "alerts": 2}.items():
        assert len({each.fixed[name] for each in visits if name in each.fixed}) == values
    assert variant(PARAMETERS, needed).include == visits[0].include


def test_a_required_choice_needs_a_visit_for_each_value() -> None:
    only = {"type": "object", "properties": {"unit": {"enum": list("abcde")}}, "required": ["unit"]}
    assert visits_needed(only) == 5
    assert visits_needed({"type": "object", "properties": {}}) == 1


def test_at_most_two_optional_parameters_at_once_and_sometimes_none() -> None:
    sizes = {len(variant(PARAMETERS, visit).include) for visit in range(20)}
    assert sizes == {0, 1, 2}


def test_a_tool_without_parameters_has_one_variant() -> None:
    assert variant({"type": "object", "properties": {}}, 5).include == frozenset()


def test_choices_leave_out_null_and_constants() -> None:
    assert choices({"enum": ["a", None]}) == ("a",)
    assert choices({"const": 1, "type": "boolean"}) == ()
    assert choices({"type": "boolean"}) == (True, False)
    assert choices({"type": "string"}) == ()
    assert choices(True) == ()


def test_open_means_that_two_calls_can_differ() -> None:
    assert is_open(PARAMETERS)
    assert not is_open({"type": "object", "properties": {}})
    assert not is_open({"type": "object", "properties": {"a": {"const": 1}, "b": {"enum": ["x"]}}})
