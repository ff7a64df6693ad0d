"""synthesize_value: compile, draw, check, try again a little; three outcomes and no fourth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from generator.errors import GaveUp, Unsatisfiable, ValueSynthesisError
from generator.job_choices import DEFAULT_SEED
from generator.jsontext import JsonValue
from generator.random_streams import stream
from generator.schemas.canonical import canonical_form, plain_form
from generator.schemas.drafts import OLDER, Draft, as_2020_12, as_written, draft_of
from generator.schemas.keywords import NAMED, REFERENCES, mentions
from generator.schemas.limits import MOST_MADE, oversized
from generator.schemas.references import without_loops
from generator.schemas.validators import BoundedCache, InvalidSchema, SchemaValidator, content_of, validator_for
from generator.values.draw import Context, Draw, Refusals
from generator.values.emptiness import Heights, is_empty, is_proven_empty, second_thoughts
from generator.values.meanings.entities import locale_for
from generator.values.merging import cases_of
from generator.values.plan import Plan
from generator.values.refusals import refusal_of

TRIES = 40
"""Values drawn before it is given up: four as people would have it, the others over every branch."""

_PREFERRED_TRIES = 4
_COST_OF_TRY = 20
_CACHE_SIZE = 4096
_DEFAULT = Context()


@dataclass(slots=True)
class _Compiled:
    schema: JsonValue
    plan: Plan | ValueSynthesisError
    """How to make values, or why none can be made."""
    validator: SchemaValidator
    second: Plan | ValueSynthesisError | None = None
    """What to do where the plan fails, once it was thought over. The plan is tried first all the same, so that a
    seed gives the same value before and after."""


_BY_IDENTITY: BoundedCache[tuple[int, str, str], tuple[JsonValue, _Compiled]] = BoundedCache(_CACHE_SIZE)
_BY_CONTENT: BoundedCache[tuple[bytes, str, str], _Compiled] = BoundedCache(_CACHE_SIZE)


def synthesize_value(
    schema: JsonValue,
    *,
    seed: int | Random = DEFAULT_SEED,
    context: Context | None = None,
    locale: str | Sequence[str] | None = None,
) -> JsonValue:
    """Return a realistic value that the schema (JSON Schema, formats asserted) accepts.

    The schema is of the draft that its `$schema` names, from 4 to 2020-12; else of 2020-12, or of draft 7 where it
    uses what only that one knows (a list of `items`). `locale` is one of Faker's, or several (a list, or names with
    commas) of which each value has one. Equal schema, seed, context and locale give the equal value, anywhere. The
    schema must not be changed between calls: it is compiled once.

        synthesize_value({"type": "object", "required": ["city"], "properties": {"city": {"type": "string"}}}, seed=7)

    Raises:
        Unsatisfiable: no value can exist; the error names the JSON pointer and the keywords that contradict.
        GaveUp: none was found within the bounds, or the schema is not valid JSON Schema or refers outside itself;
            the error says what was tried or what is wrong.
        UsageError: there is no such locale.
    """
    context = context or _DEFAULT
    compiled = _compiled(schema, context)
    random = seed if isinstance(seed, Random) else stream(seed, "value")
    spoken = locale_for(locale, random)
    if isinstance(compiled.plan, ValueSynthesisError):
        raise _again(compiled.plan)
    try:
        return _drawn(compiled.plan, compiled, random, context, spoken)
    except GaveUp as error:
        second = _thought_over(compiled, compiled.plan, error)
        if isinstance(second, ValueSynthesisError):
            raise _again(second) from error
        return _drawn(second, compiled, random, context, spoken)


def _again(refusal: ValueSynthesisError) -> ValueSynthesisError:
    """Return a new error of the same kind: one that is kept would gather the traceback of every raise."""
    if isinstance(refusal, Unsatisfiable):
        return Unsatisfiable(str(refusal), pointer=refusal.pointer, keywords=refusal.keywords)
    return GaveUp(str(refusal))


def _thought_over(compiled: _Compiled, plan: Plan, failure: GaveUp) -> Plan | ValueSynthesisError:
    """After luck has failed: prove that there is nothing, or leave out the parts in which there is nothing."""
    if compiled.second is None:
        found = second_thoughts(plan.form, compiled.validator)
        if found is False:
            compiled.plan = compiled.second = _refused(compiled.schema)
        else:
            compiled.second = failure if found is None else _planned(found, plan.raw, plan.topic)
    return compiled.second


def _drawn(plan: Plan, compiled: _Compiled, random: Random, context: Context, locale: str) -> JsonValue:
    make, is_valid = plan.make, compiled.validator.is_valid
    last: GaveUp | None = None
    left, refusals = MOST_MADE, Refusals()
    for attempt in range(TRIES):
        exploring = attempt >= _PREFERRED_TRIES
        draw = Draw(random, context, locale, exploring=exploring, echo=attempt < 2, budget=left, refusals=refusals)
        mark = draw.mark()
        try:
            value = make(draw)
            if is_valid(value):
                return value
            draw.refuse(mark, "a whole value broke the schema", _COST_OF_TRY)
        except GaveUp as error:
            last = error
            if draw.budget < 0:
                break
            draw.refuse(mark, f"a try ended early, for {error}", 0)
        except RecursionError:
            last = GaveUp("the value nests too deeply")
            break
        left = draw.budget
    raise last or GaveUp(
        f"none of {TRIES} values drawn for the schema satisfied it: {_PREFERRED_TRIES} as its names suggest, "
        "the others over all of its branches; nor was a contradiction proven"
    )


def _compiled(schema: JsonValue, context: Context) -> _Compiled:
    key = (id(schema), context.name, context.description)
    kept = _BY_IDENTITY.get(key)
    if kept is not None:
        return kept[1]
    if too_large := oversized(schema):
        raise GaveUp(f"the schema {too_large}")
    text = _text_of(schema)
    content = (text, context.name, context.description)
    found = _BY_CONTENT.get(content) or _BY_CONTENT.put(content, _compile(schema, text, context))
    # The entry holds the schema itself, so that its id is not given to another object meanwhile.
    _BY_IDENTITY.put(key, (schema, found))
    return found


def _text_of(schema: JsonValue) -> bytes:
    """Return the compact JSON text of the schema, by which equal schemas are known.

    Raises:
        GaveUp: it is not JSON.
    """
    try:
        return content_of(schema)
    except (TypeError, ValueError, RecursionError) as error:
        raise GaveUp(f"the schema cannot be used: it is not JSON: {error}") from error


def _validator_of(schema: JsonValue, draft: Draft, text: bytes) -> SchemaValidator:
    """Return the validator of the schema; what is no schema, or points outside itself, admits no value that is known.

    Raises:
        GaveUp: no value can be checked against the schema.
    """
    try:
        return validator_for(schema, draft=draft, text=text)
    except InvalidSchema as error:
        raise GaveUp(f"the schema cannot be used: {error}") from error


def _refused(schema: JsonValue) -> Unsatisfiable:
    draft = draft_of(schema)
    return refusal_of(as_2020_12(schema, draft), is_empty, partial(as_written, schema, draft))


def _compile(schema: JsonValue, text: bytes, context: Context) -> _Compiled:
    topic = (context.name, context.description)
    if (plain := plain_form(schema)) is not None:
        validator = _validator_of(schema, Draft.DRAFT_2020_12, text)
        return _Compiled(schema, _planned(plain, schema, topic, Heights(plain)), validator)
    draft = draft_of(schema) if mentions(text, OLDER) else Draft.DRAFT_2020_12
    validator = _validator_of(schema, draft, text)
    whole = as_2020_12(schema, draft)
    if mentions(text, REFERENCES):
        whole = without_loops(whole)
    return _Compiled(schema, _plan_of(schema, whole, text, topic), validator)


def _plan_of(schema: JsonValue, whole: JsonValue, text: bytes, topic: tuple[str, str]) -> Plan | ValueSynthesisError:
    """Return the plan for a schema of which `whole` is the translation, or why nothing satisfies it."""
    form = canonical_form(whole, text if whole is schema else None)
    if form is None:
        form = cases_of(whole, whole)
        if form is not None:
            return _planned(form, whole, topic)
    known = whole if form is None else form
    heights = Heights(known) if whole is schema and not mentions(text, (*REFERENCES, *NAMED)) else None
    if form is False or is_proven_empty(known, heights):
        return _refused(schema)
    return _planned(known, whole, topic, heights)


def _planned(
    form: JsonValue, raw: JsonValue, topic: tuple[str, str], heights: Heights | None = None
) -> Plan | ValueSynthesisError:
    try:
        return Plan(form, raw, topic, heights)
    except GaveUp as error:
        return error
    except RecursionError:
        return GaveUp("the schema nests too deeply")
