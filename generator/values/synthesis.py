"""synthesize_value: compile, draw, check, try again a little; three outcomes and no fourth."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from generator.errors import GaveUp, Unsatisfiable
from generator.jsontext import JsonValue, dump_canonical
from generator.schemas.canonical import canonical_form, find_contradiction
from generator.schemas.validators import BoundedCache, InvalidSchema, SchemaValidator, validator_for
from generator.streams import stream
from generator.values.context import Context
from generator.values.draw import BUDGET, Draw
from generator.values.heights import INFINITE, Heights
from generator.values.hints import resolve_pointer
from generator.values.plan import Plan

TRIES = 40
"""Values drawn before it is given up: four as people would have it, the others over every branch."""

_PREFERRED_TRIES = 4
_COST_OF_TRY = 20
_DEEPEST_SCHEMA = 200
_CACHE_SIZE = 4096
_DEFAULT = Context()
_ANNOTATIONS = frozenset("$schema $id $defs $comment definitions title description default examples".split())


@dataclass(frozen=True, slots=True)
class _Compiled:
    schema: JsonValue
    plan: Plan | Unsatisfiable | GaveUp
    """How to make values, or why none can be made."""
    validator: SchemaValidator


_BY_IDENTITY: BoundedCache[tuple[int, str, str], _Compiled] = BoundedCache(_CACHE_SIZE)
_BY_CONTENT: BoundedCache[tuple[bytes, str, str], _Compiled] = BoundedCache(_CACHE_SIZE)


def synthesize_value(
    schema: JsonValue, *, seed: int | Random, context: Context | None = None, locale: str | None = None
) -> JsonValue:
    """Return a realistic value that the schema (JSON Schema 2020-12, formats asserted) accepts.

    Equal schema, seed, context and locale give the equal value, anywhere. The schema must not be changed
    between calls: it is compiled once.

    Raises:
        Unsatisfiable: no value can exist; the error names the JSON pointer and the keywords that contradict.
        GaveUp: none was found within the bounds, or the schema is not valid JSON Schema or refers outside itself;
            the error says what was tried or what is wrong.
    """
    context = context or _DEFAULT
    compiled = _compiled(schema, context)
    if isinstance(compiled.plan, Exception):
        raise _again(compiled.plan)
    random = seed if isinstance(seed, Random) else stream(seed, "value")
    return _drawn(compiled.plan, compiled, random, context, locale or "en_US")


def _again(refusal: Unsatisfiable | GaveUp) -> Unsatisfiable | GaveUp:
    """Return a new error of the same kind: one that is kept would gather the traceback of every raise."""
    if isinstance(refusal, Unsatisfiable):
        return Unsatisfiable(str(refusal), pointer=refusal.pointer, keywords=refusal.keywords)
    return GaveUp(str(refusal))


def _drawn(plan: Plan, compiled: _Compiled, random: Random, context: Context, locale: str) -> JsonValue:
    make, is_valid = plan.make, compiled.validator.is_valid
    last: GaveUp | None = None
    left = BUDGET
    for attempt in range(TRIES):
        draw = Draw(random, context, locale, exploring=attempt >= _PREFERRED_TRIES, echo=attempt < 2, budget=left)
        try:
            value = make(draw)
        except GaveUp as error:
            last = error
            left = draw.budget
            if left < 0:
                break
            continue
        except RecursionError:
            last = GaveUp("the value nests too deeply")
            break
        if is_valid(value):
            return value
        left = draw.budget - _COST_OF_TRY
    raise last or GaveUp(f"none of {TRIES} values drawn for the schema satisfied it")


def _compiled(schema: JsonValue, context: Context) -> _Compiled:
    key = (id(schema), context.name, context.description)
    found = _BY_IDENTITY.get(key)
    if found is not None:
        return found
    _refuse_depth(schema)
    validator = _validator_of(schema)
    content = (dump_canonical(schema), context.name, context.description)
    found = _BY_CONTENT.get(content) or _BY_CONTENT.put(content, _compile(schema, validator, context))
    # The entry holds the schema itself, so that its id is not given to another object meanwhile.
    kept = _Compiled(schema, found.plan, found.validator)
    return _BY_IDENTITY.put(key, kept)


def _validator_of(schema: JsonValue) -> SchemaValidator:
    """Return the validator of the schema; what is no schema, or points outside itself, admits no value that is known.

    Raises:
        GaveUp: no value can be checked against the schema.
    """
    try:
        return validator_for(schema)
    except InvalidSchema as error:
        raise GaveUp(f"the schema cannot be used: {error}") from error


def _compile(schema: JsonValue, validator: SchemaValidator, context: Context) -> _Compiled:
    form = canonical_form(schema)
    if form is False or form is None:
        refusal = _proven(schema, form)
        if refusal is not None:
            return _Compiled(schema, refusal, validator)
    try:
        plan = Plan(schema if form is None else form, schema, (context.name, context.description))
    except GaveUp as error:
        return _Compiled(schema, error, validator)
    except RecursionError:
        return _Compiled(schema, GaveUp("the schema nests too deeply"), validator)
    if plan.height(plan.form) >= INFINITE:
        return _Compiled(schema, _endless(), validator)
    return _Compiled(schema, plan, validator)


def _proven(schema: JsonValue, form: JsonValue) -> Unsatisfiable | None:
    found = find_contradiction(schema)
    if found is not None and found.keywords:
        words = " and ".join(found.keywords)
        verb = "contradict each other" if len(found.keywords) > 1 else "admits no value"
        return Unsatisfiable(f"{found.pointer or '/'}: {words} {verb}", pointer=found.pointer, keywords=found.keywords)
    if form is not False:
        return None
    if Heights(schema, lambda reference: resolve_pointer(schema, reference)).of(schema) >= INFINITE:
        return _endless()
    keywords = tuple(key for key in schema if key not in _ANNOTATIONS) if isinstance(schema, dict) else ()
    return Unsatisfiable(f"/: no value satisfies {' and '.join(keywords) or 'the schema'} together", keywords=keywords)


def _endless() -> Unsatisfiable:
    return Unsatisfiable("/: $ref leads back to itself, so that every value would be endless", keywords=("$ref",))


def _refuse_depth(schema: JsonValue) -> None:
    """Refuse, without recursion, a schema nested so deeply that reading it would exhaust the stack.

    Raises:
        GaveUp: the schema nests over 200 levels.
    """
    level, nodes = 0, [schema]
    while nodes:
        level += 1
        if level > _DEEPEST_SCHEMA:
            raise GaveUp(f"the schema nests over {_DEEPEST_SCHEMA} levels")
        nodes = [part for node in nodes if isinstance(node, (dict, list))
                 for part in (node.values() if isinstance(node, dict) else node)]  # fmt: skip
