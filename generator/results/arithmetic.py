"""True values: a result's number is replaced by what the call's arguments really give."""

from __future__ import annotations

import re
from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue
from generator.results.conversions import convert
from generator.results.expressions import evaluate
from generator.results.formulas import FORMULAS, Formula, Outcome, Role, finite
from generator.results.polynomials import differentiate, integrate
from generator.tools.operations import description_sentence, name_words, singular, snake
from generator.tools.tool import Tool

_PRECISION = frozenset("precision round_off round_to rounding decimals decimal_places".split())
_PER_YEAR = {
    "annually": 1, "yearly": 1, "semiannually": 2, "quarterly": 4, "monthly": 12, "weekly": 52, "daily": 365,
}  # fmt: skip
_FORMATS = frozenset(("return_type", "format", "formatted", "output_format", "return_all"))
_HARMLESS_ENDS = frozenset("unit units currency variable name".split())
_INTEGRAL = re.compile(r"integra|area_under")
_EXPRESSIONS = frozenset(("expression", "formula", "equation", "calculation"))


def compute(tool: Tool, arguments: JsonObject, value: JsonValue) -> JsonValue:
    """Return the result with the number that the arguments give; unchanged where no formula surely fits."""
    outcome = _outcome(tool, arguments)
    if outcome is None:
        return value
    return _put(value, *outcome, digits=_digits(arguments))


def _outcome(tool: Tool, arguments: JsonObject) -> tuple[Outcome | str, str] | None:
    """Return what the arguments give and the field that takes it; None where they give nothing that is sure."""
    if not arguments:
        return None
    try:
        return _analysis(snake(tool.name), arguments) or _spoken(arguments) or _by_formula(tool, arguments)
    except (ArithmeticError, ValueError, TypeError):
        return None  # the arguments lie outside what the formula is defined for


def _analysis(name: str, arguments: JsonObject) -> tuple[Outcome | str, str] | None:
    """Return the derivative or integral of a polynomial."""
    if "derivative" in name:
        slope = differentiate(arguments)
        return None if slope is None else (slope, "derivative")
    area = integrate(arguments) if _INTEGRAL.search(name) else None
    return None if area is None else (area, "integral")


def _spoken(arguments: JsonObject) -> tuple[Outcome, str] | None:
    """Return the value of the only argument, an expression, or of a conversion between named units."""
    name, text = next(iter(arguments.items()))
    value = evaluate(text) if len(arguments) == 1 and name in _EXPRESSIONS and isinstance(text, str) else None
    if value is not None:
        return value, "result"
    converted = convert(arguments)
    return None if converted is None else (converted, "converted_value")


def _by_formula(tool: Tool, arguments: JsonObject) -> tuple[Outcome, str] | None:
    for formula in _candidates(tool.name, tool.description):
        given = _given(formula, tool.parameters, arguments)
        if given is not None:
            outcome = formula.function(*given)
            return (outcome, formula.field) if finite(outcome) else None
    return None


@lru_cache(maxsize=8192)
def _candidates(name: str, description: str) -> tuple[Formula, ...]:
    """Return the formulas whose words all stand in the name or the first sentence, the most exact first."""
    words = {singular(word) for word in (*name_words(name), *name_words(description_sentence(description).lower()))}
    found = [key for key in FORMULAS if words.issuperset(key.split())]
    return tuple(FORMULAS[key] for key in sorted(found, key=lambda key: -len(key.split())))


def _given(formula: Formula, parameters: JsonObject, arguments: JsonObject) -> list[JsonValue] | None:
    """Return the arguments in the order of the formula's roles; None unless every argument has its place."""
    left = {snake(name): name for name in arguments}
    values: list[JsonValue] = []
    for role in formula.roles:
        key = next((name for name in role.names if name in left), None)
        if key is None:
            if role.default is None:
                return None
            values.append(role.default)
            continue
        name = left.pop(key)
        values.append(_read(role, parameters, name, arguments[name]))
    harmless = all(_is_harmless(key, arguments[name]) for key, name in left.items())
    return values if harmless and all(_is_numeric(value) for value in values) else None


def _read(role: Role, parameters: JsonObject, name: str, value: JsonValue) -> JsonValue:
    """Return the value of a role; a share is brought to a part of one."""
    if isinstance(value, str):
        return _PER_YEAR.get(value.lower().replace("-", ""), value)
    if not role.share or not isinstance(value, int | float):
        return value
    schema = parameters.get("properties", {}).get(name)
    told = str(schema.get("description", "")).lower() if isinstance(schema, dict) else ""
    in_percent = "percent" in told or "%" in told
    return value / 100 if value > 1 or (in_percent and "decimal" not in told and value >= 0.5) else value


def _is_numeric(value: JsonValue) -> bool:
    if isinstance(value, list):
        return bool(value) and all(_is_numeric(part) for part in value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_harmless(key: str, value: JsonValue) -> bool:
    """Say whether an argument without a role leaves the outcome as it is."""
    if key in _PRECISION:
        return isinstance(value, int | str)
    if key in _FORMATS:
        return isinstance(value, bool | str)
    return isinstance(value, str) and key.rsplit("_", maxsplit=1)[-1] in _HARMLESS_ENDS


def _digits(arguments: JsonObject) -> int | None:
    """Return to how many digits the call asks to round; None where it does not say."""
    asked = [value for name, value in arguments.items() if name in _PRECISION and type(value) is int]
    return asked[0] if asked and 0 <= asked[0] <= 12 else None


def _rounded(value: JsonValue, digits: int | None) -> JsonValue:
    if isinstance(value, list):
        return [_rounded(part, digits) for part in value]
    if isinstance(value, int):
        return value
    places = digits if digits is not None else (2 if abs(value) >= 1 else 6)
    short = round(value, places) if value == 0 or abs(value) >= 1e-4 else float(f"{value:.4g}")
    return int(short) if short == int(short) and abs(short) < 2**53 else short


def _put(value: JsonValue, outcome: Outcome | str, field: str, *, digits: int | None) -> JsonValue:
    """Return the result with the outcome in its field: the named one, else the only number there is."""
    if isinstance(outcome, str):
        told = isinstance(value, dict) and isinstance(value.get(field), str)
        return {**value, field: outcome} if told else value
    if isinstance(outcome, dict):
        return _put_several(value, outcome, digits)
    number = _rounded(outcome, digits)
    if not isinstance(value, dict):
        return str(number) if isinstance(value, str) and not isinstance(number, list) else number
    name = field if field in value else _only(value, list if isinstance(number, list) else (int, float))
    if name is None:
        return value
    return {**value, name: number}


def _put_several(value: JsonValue, outcome: dict[str, float], digits: int | None) -> JsonValue:
    if not isinstance(value, dict):
        return value
    told = {name: _rounded(number, digits) for name, number in outcome.items() if name in value}
    if not told:
        name = _only(value, (int, float))
        told = {name: _rounded(next(iter(outcome.values())), digits)} if name is not None else {}
    fixed = {**value, **told}
    return _with_category(fixed) if "bmi" in told and "category" in fixed else fixed


def _with_category(value: JsonObject) -> JsonObject:
    bounds = ((18.5, "underweight"), (25, "normal weight"), (30, "overweight"))
    return {**value, "category": next((name for bound, name in bounds if value["bmi"] < bound), "obese")}


def _only(value: JsonObject, kinds: type | tuple[type, ...]) -> str | None:
    """Return the name of the only field of these kinds; None where there is none or several."""
    names = [name for name, inner in value.items() if isinstance(inner, kinds) and not isinstance(inner, bool)]
    return names[0] if len(names) == 1 else None
