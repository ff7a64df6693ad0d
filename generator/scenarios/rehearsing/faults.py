"""What readers refuse of a domain's worlds and replies, and what its ways never say of what its tools offer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from generator.domains.domain import Entity, ToolDomain
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.scenarios.rehearsing.trials import LEAKED, Ledger, Path, WorldTrial, WorldTrials
from generator.scenarios.scenario import PlanError, PlannedCall
from generator.scenarios.wording import is_told
from generator.tools.surface import parts_used, surface_of
from generator.worlds.playbook import Playbook
from generator.worlds.rows import Scope
from generator.worlds.sources import source_name
from generator.worlds.values import compile_path
from generator.worlds.ways import WayProgram

_BY_CHANCE = frozenset({"pool", "integer", "number", "faker", "maybe", "chance", "list", "ref", "row", "rows",
                        "wording", "one_of", "from", "schema"})  # fmt: skip
"""Sources that give a new row what nobody asked for: no identifiers, no times, nothing worked out from other fields."""
_IDENTIFIER = re.compile(r"(?i:(^|_)(id|number|code|key|token)$)|Id$")
_NAME = re.compile(r"[$'{]([A-Za-z_]\w*)")
_VIEW = re.compile(r"\$[\w.]+\|\w+")
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_SLOT = re.compile(r"[{<]\s*\$?([A-Za-z_][\w.]*)")
_RESULT = re.compile(r"r[0-9]*")
_LEAST_TOLD = 3
"""Characters of a value that can stand in a text by chance."""


def check_creations(book: Playbook, name: str, ledger: Ledger) -> None:
    """Note the fields of a new row that are left to chance: nobody set them, and a real tool would leave them empty."""
    parameters = book.tools[name].parameters
    steps = list(_steps(list(book.domain.tools[name].effect), ("tools", name, "effect")))
    asked = set(_NAME.findall(str([step.get(key) for _, step in steps for key in ("if", "require")])))
    for path, step in steps:
        entity = book.domain.entities.get(str(step.get("create")))
        if entity is None:
            continue
        given = step.get("set") if isinstance(step.get("set"), dict) else {}
        sure = {field for field, value in (given or {}).items() if not _may_be_absent(value, parameters, asked)}
        left = [field for field in _drawn(entity) if field not in sure and field not in entity.new]
        if left:
            what = f"a new {step['create']} has {', '.join(left)} by chance, though nobody gave it"
            remedy = f"say what a new one has in `entities.{step['create']}.new`: null, [], a constant or `$now`"
            ledger.wrong(path, what, remedy)


def _steps(steps: JsonValue, path: Path) -> Iterator[tuple[Path, JsonObject]]:
    """Yield every step of an effect with its place, at any depth."""
    for number, step in enumerate(steps if isinstance(steps, list | tuple) else ()):
        if isinstance(step, dict):
            yield (*path, number), step
            for key in ("do", "then", "else"):
                yield from _steps(step.get(key), (*path, number, key))


def _may_be_absent(value: JsonValue, parameters: JsonObject, asked: set[str]) -> bool:
    """Say whether a value is an argument that may not be given; one that conditions ask about is left to them."""
    if not (isinstance(value, str) and value.startswith("$")) or value[1:] in asked:
        return False
    schema = parameters.get("properties", {}).get(value[1:])
    return isinstance(schema, dict) and value[1:] not in parameters.get("required", []) and "default" not in schema


def _drawn(entity: Entity) -> Iterator[str]:
    """Yield the fields whose values are drawn by chance and shown, but those that identify a row."""
    shown = set(_NAME.findall(str(entity.views)))
    for field, spec in entity.fields.items():
        if field == entity.key or _IDENTIFIER.search(field) or (entity.views and field not in shown):
            continue
        if isinstance(spec, dict) and source_name(spec) in _BY_CHANCE:
            choices = spec.get("from")
            if not (isinstance(choices, list) and len({str(each) for each in choices}) == 1):
                yield field


def check_replies(book: Playbook, name: str, ledger: Ledger) -> None:
    """Note plain replies of a reading tool that say nothing of the result."""
    if name in book.writing or not _holds_something(book.domain.tools[name]):
        return
    known = book.domain.tools[name]
    for number, way in enumerate(known.ways):
        said = {path for text in way.requests for path in _SLOT.findall(text)}
        for place, text in enumerate(way.replies.get("ok", ())):
            if isinstance(text, str) and _says_nothing(text, said):
                at: Path = ("tools", name, "ways", number, "replies", "ok", place)
                ledger.wrong(at, "says nothing of the result", "name what was found: {r.field}, or put it under `when`")
    for place, text in enumerate(known.replies.get("ok", ())):
        if isinstance(text, str) and _says_nothing(text, set()):
            at = ("tools", name, "replies", "ok", place)
            ledger.wrong(at, "says nothing of the result", "name what was found: {r.field}, or put it under `when`")


def _holds_something(tool: ToolDomain) -> bool:
    """Say whether a result shows rows, and not just that something was done."""
    return any(isinstance(each, str) and _VIEW.fullmatch(each) for each in _leaves(tool.result))


def _says_nothing(text: str, said: set[str]) -> bool:
    paths = set(_SLOT.findall(text))
    return not any(_RESULT.fullmatch(path.split(".")[0]) for path in paths) and paths <= said


def check_leaks(trial: WorldTrial, way: WayProgram, path: Path, ending: str, scope: Scope) -> None:
    """Note the replies of a way that say a field of a drawn row which neither the user nor a result has told."""
    found = [str(each) for result in trial.state.results for each in _leaves(result.content)]
    told = "\n".join((*trial.state.said, *found, *(each.replace("_", " ") for each in found)))
    for place, text in enumerate(way.way.replies.get(ending, ())):
        for said in _SLOT.findall(text) if isinstance(text, str) else ():
            keys = said.split(".")
            value = compile_path(keys)(scope) if keys[0] in way.draws and len(keys) > 1 else None
            if isinstance(value, str | int | float) and not (is_told(value, told) or _is_hinted(value, told)):
                trial.ledger.fails((*path, ending, place), f"it says {{{said}}}, {LEAKED}")


def _is_hinted(value: str | float, text: str) -> bool:
    """Say whether a word of a value was told: "my savings" tells of the savings account."""
    words = {word.casefold() for word in _LONG_WORD.findall(str(value))}
    return not words.isdisjoint(word.casefold() for word in _LONG_WORD.findall(text))


def told_already(context: str, arguments: JsonObject, call: PlannedCall) -> str:
    """Return what a look-up brings that the system text tells; "" where it brings anything else."""
    content: Any = call.answer.content if call.answer is not None else None
    given = {str(each) for each in _leaves(arguments)}
    found = [str(each) for each in _leaves(content) if not isinstance(each, bool) and str(each) not in given]
    if not found or not all(_stands(each, context) for each in found):
        return ""
    return ", ".join(found[:3])


def _leaves(value: JsonValue) -> Iterator[JsonValue]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    elif value is not None:
        yield value


def _stands(value: str, text: str) -> bool:
    return len(value) >= _LEAST_TOLD and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) is not None


_DRAWS = 240
"""How often a way is drawn while something is still unsaid; calls of the rehearsal come first."""
_DRAW = re.compile(r"\$([A-Za-z_]\w*)")
_LISTS = ("pool", "wording")

Said = set[tuple[str, str]]
"""Parameters by their paths, each with the JSON of a value, which is "" for objects and lists."""


def unsaid(trials: WorldTrials, name: str, rounds: int) -> tuple[str, ...]:
    """Return the optional parameters, and the values of enumerations as `parameter=value`, that no way ever says.

    A parameter at the root that no way mentions is no part of it: that is a fault.
    """
    book = trials.book
    said = trials.ledger.said[name]
    for way in book.ways.get(name, ()):
        for number in range(_DRAWS):
            if not _missing(book, name, said):
                return ()
            said |= _draws_said(trials, name, way, number % rounds, number)
    said |= _written(book, name)
    return tuple(_missing(book, name, said))


def _missing(book: Playbook, name: str, said: Said) -> list[str]:
    surface = surface_of(book.tools[name])
    given = {path for path, _ in said}
    mentioned = {argument for way in book.domain.tools[name].ways for argument in way.arguments}
    paths = sorted(path for path in surface.optional - given if re.split(r"[.\[]", path)[0] in mentioned)
    values = [
        f"{path}={value}"
        for path, choices in sorted(surface.choices.items())
        for value in sorted(choices)
        if path in given and (path, value) not in said
    ]
    return [*paths, *values]


def _draws_said(trials: WorldTrials, name: str, way: WayProgram, world: int, number: int) -> Said:
    """Return what one call of a way would give, which is not made."""
    state = trials.state(world, name, way.number, "reach", number)
    try:
        scope = state.draw(way.draws, state.scope())
        return set(parts_used(state.values_of(way.arguments, scope)))
    except PlanError:
        return set()


def _written(book: Playbook, name: str) -> Said:
    """Return the values that stand in the file where a way takes an argument from, so rare that none was drawn."""
    found: Said = set()
    for way in book.domain.tools[name].ways:
        for argument, spec in way.arguments.items():
            drawn = [way.draw[each] for each in _DRAW.findall(dump_compact(spec)) if each in way.draw]
            values = {dump_compact(leaf) for each in (spec, *drawn) for leaf in _constants(each, book)}
            found |= {
                (path, value)
                for path in surface_of(book.tools[name]).choices
                if re.split(r"[.\[]", path)[0] == argument
                for value in values
            }
    return found


def _constants(spec: JsonValue, book: Playbook) -> Iterator[JsonValue]:
    """Yield what stands in a source, and in the pools and wordings that it names."""
    if isinstance(spec, dict):
        for key, each in spec.items():
            if key in _LISTS and isinstance(each, str):
                yield from _constants(list(book.domain.pools.get(each, ())), book)
                yield from _constants([entry.value for entry in book.domain.wordings.get(each, ())], book)
            yield from _constants(each, book)
    elif isinstance(spec, list | tuple):
        for each in spec:
            yield from _constants(each, book)
    else:
        yield spec
