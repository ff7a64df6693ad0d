"""The assistant asks before it calls: for what is missing, refused or ambiguous, or whether it shall."""

from __future__ import annotations

from dataclasses import replace

from generator.jsontext import JsonObject
from generator.scenarios.consent import agreed
from generator.scenarios.lead_tools import Layout, with_way
from generator.scenarios.planning_context import PlanningContext, require_success
from generator.scenarios.scenario import Blueprint, PlanError, PlannedCall, Step
from generator.scenarios.wording import is_told, phrases
from generator.schemas.validators import validator_for
from generator.worlds.rows import Scope
from generator.worlds.ways import Templates, WayProgram

_MOST_BESIDE = 4


def missing_parameter(context: PlanningContext) -> Blueprint:
    """One or two required arguments are left unsaid; the assistant asks for them, the user supplies them."""
    context.open()
    way = context.way(lambda way: way.asks)
    ask, requests, questions, answers = context.random.choice(way.asks)
    scope = context.draw(way)
    context.let_know(way.arguments, scope, aloud=ask.missing)
    texts = _said(context, scope, requests, questions, answers)
    required = context.index.tools[context.lead].parameters.get("required", ())
    values = context.state.values_of(way.arguments, scope)
    known = "\n".join([*context.state.system, texts[0]])
    missing = [name for name in required if name in ask.missing and not is_told(values[name], known)]
    if not missing or not all(is_told(values[name], answer) for name in missing for answer in texts[2:]):
        raise PlanError("nothing is missing that the answer tells")
    return _settled(context, way, scope, texts, tuple(missing), {"missing": missing})


def invalid_value(context: PlanningContext) -> Blueprint:
    """A value is wished for that the schema refuses; the assistant says what is possible, the user picks one."""
    context.open()
    way = context.way(lambda way: way.invalid)
    spec, draws, requests, questions, answers = context.random.choice(way.invalid)
    scope = context.draw(way)
    wished = context.state.draw(draws, Scope(scope.world, dict(scope.names), scope.around, scope.it))
    own = way.arguments.draws.get(spec.argument, "")
    scope.names |= {name: wished.names[name] for name in draws if name in way.draws and name != own and own}
    context.let_know(way.arguments, scope)
    refused = context.state.values_of(way.arguments, wished)
    if validator_for(context.book.tools[context.name].parameters).is_valid(refused):
        raise PlanError(f"{context.name} does not refuse {refused.get(spec.argument)!r}")
    texts = [*_said(context, wished, requests, questions), context.ask(answers, scope)]
    claim: JsonObject = {"parameter": spec.argument, "refused": refused.get(spec.argument)}
    return _settled(context, way, scope, texts, (spec.argument,), claim)


def ambiguous(context: PlanningContext) -> Blueprint:
    """What is said can be read in two ways; the assistant asks which is meant, the user says it."""
    context.open()
    way = context.way(lambda way: way.ambiguous)
    spec, requests, questions, answers = context.random.choice(way.ambiguous)
    scope = context.draw(way)
    scope.names["said"] = spec.said
    context.let_know(way.arguments, scope)
    texts = _said(context, scope, requests, questions, answers)
    if spec.tool:
        if spec.tool not in context.book.tools:
            raise PlanError(f"the tool {spec.tool} is not there")
        claim: JsonObject = {"tools": sorted((context.name, spec.tool)), "asked": texts[1]}
        return _settled(context, way, scope, texts, (), claim, shown=(spec.tool,))
    values = context.state.values_of(way.arguments, scope)
    if values.get(spec.argument) not in spec.readings:
        raise PlanError(f"what is meant by {spec.said!r} is none of its readings")
    claim = {"parameter": spec.argument, "said": spec.said, "readings": list(spec.readings)}
    return _settled(context, way, scope, texts, (spec.argument,), claim)


def _said(context: PlanningContext, scope: Scope, *given: Templates) -> list[str]:
    """Say what user and assistant say in turn, the user first."""
    tell = (context.state.say, context.state.tell)
    return [context.state.hear(tell[place % 2](templates, scope)) for place, templates in enumerate(given)]


def _settled(
    context: PlanningContext,
    way: WayProgram,
    scope: Scope,
    texts: list[str],
    names: tuple[str, ...],
    claim: JsonObject,
    shown: tuple[str, ...] = (),
) -> Blueprint:
    """Lay out a wish that cannot be served yet, the assistant's question, the answer and the call."""
    request, question, answer = texts
    context.require_known(way.arguments, scope)
    call = context.call(context.name, way.arguments, scope, answer)
    require_success(call)
    reply = context.reply(way, scope)
    partial = _without(call, names)
    steps = (
        Step(request=True, act="wish", about=(partial,), parameters=names, request_text=request),
        Step(reply=True, act="ask", about=(partial,), parameters=names, reply_text=question),
        Step(request=True, calls=(call,), act="supply", about=(partial,), parameters=names, request_text=answer),
        Step(reply=True, reply_text=reply),
    )
    beside = context.beside(context.random.randint(0, _MOST_BESIDE), called=(context.name, *shown))
    return context.blueprint(steps, (context.lead, *map(context.key, shown), *beside), claim)


def _without(call: PlannedCall, names: tuple[str, ...]) -> PlannedCall:
    return replace(call, arguments={key: value for key, value in call.arguments.items() if key not in names})


_SHARE_DECLINED = 0.25


def confirm_before_write(context: PlanningContext) -> Blueprint:
    """The assistant asks before it acts, as the system message demands; a yes leads to the call, a no to none."""
    texts = phrases()["confirmation"]
    context.open()
    context.own_system.append(context.random.choice(texts["rules"]))
    way = context.way(lambda way: way.confirm)
    scope = context.draw(way)
    context.let_know(way.arguments, scope)
    request = context.ask(way.requests, scope)
    context.require_known(way.arguments, scope)
    question = context.state.hear(context.state.tell(way.confirm, scope))
    declined = context.random.random() < _SHARE_DECLINED
    call = context.call(context.name, way.arguments, scope, request)
    require_success(call)
    asked = (
        Step(request=True, act="wish", about=(call,), request_text=request),
        Step(reply=True, act="confirm", about=(call,), reply_text=question),
    )
    if declined:
        ended = (
            Step(request=True, act="decline", about=(call,), request_text=context.random.choice(texts["no"])),
            Step(reply=True, act="leave", about=(call,), reply_text=context.random.choice(texts["left"])),
        )
    else:
        ended = (
            Step(request=True, calls=(call,), act="agree", request_text=agreed([question], context.random)),
            Step(reply=True, reply_text=context.reply(way, scope)),
        )
    claim: JsonObject = {"asked_about": context.name, "answer": "no" if declined else "yes"}
    beside = context.beside(context.random.randint(0, _MOST_BESIDE))
    return context.blueprint((*asked, *ended), (context.lead, *beside), claim)


LAYOUTS: dict[str, Layout] = {
    "missing_parameter": Layout(missing_parameter, with_way(lambda way: way.asks)),
    "invalid_value": Layout(invalid_value, with_way(lambda way: way.invalid)),
    "ambiguous": Layout(ambiguous, with_way(lambda way: way.ambiguous)),
    "confirm_before_write": Layout(confirm_before_write, with_way(lambda way: way.confirm)),
}
