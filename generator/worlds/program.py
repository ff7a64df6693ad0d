"""A domain with its tools, compiled once to be run over any number of worlds.

What its calls do and the rules between their arguments; what can be wanted of the tools, the worlds of records, and the
vocabulary of domain files.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from generator.domains.domain import Domain, Entity, Outage
from generator.domains.reading import Fault, Faults
from generator.garbage_collection import not_looked_for
from generator.jsontext import JsonObject, JsonValue
from generator.object_key import Same
from generator.schemas.adm import ERROR_TYPES
from generator.tools import Tool
from generator.values.meanings.entities import PROVIDERS
from generator.worlds.compiler import ALWAYS, Compiler, Parts, Path, Value, is_clock, is_number, is_whole
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY, compile_conditions
from generator.worlds.effects import EFFECTS, compile_effects
from generator.worlds.formulas import NoFormula, compile_formula
from generator.worlds.rows import ABSENT, UNDRAWN, Scope, Source
from generator.worlds.sources import SOURCES, compile_source, drawn, source_name
from generator.worlds.speech import FORMATS
from generator.worlds.templates import Template, templates, written_value
from generator.worlds.values import OPERATORS, Effect, compile_fields, compile_value
from generator.worlds.ways import (
    TaskProgram,
    Templates,
    WayProgram,
    WishProgram,
    compile_tasks,
    compile_unserved,
    compile_ways,
    replying,
)

_NAME = re.compile(r"[^\W\d]\w*")
_TEXTS = ("text", "$text", "$calc")
"""Keys whose values are templates or formulas: any word in them may be a name."""
_DEEPEST = 4
"""Sources in one another, and references after one another, that are followed."""
_FARTHEST = 100_000
"""Days from today that every calendar has, either way."""


def leads(domain: Domain) -> dict[str, set[str]]:
    """Return by entity those that must be made before it: what it belongs to, and what its fields refer to."""
    return {
        name: (_refers(list(entity.fields.values())) - {name} | ({entity.parent} if entity.parent else set()))
        & domain.entities.keys()
        for name, entity in domain.entities.items()
    }


def _refers(sources: JsonValue) -> set[str]:
    """Return the entities whose rows are drawn, at any depth."""
    return {
        value[key]
        for value in _objects(sources)
        for key in ("ref", "row", "rows")
        if isinstance(value.get(key), str)
    }  # fmt: skip


def _objects(value: JsonValue) -> Iterator[dict[str, Any]]:
    """Yield every object in a value."""
    waiting: list[Any] = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            yield part
        waiting += part.values() if isinstance(part, dict) else part if isinstance(part, list) else []


@dataclass(frozen=True, slots=True)
class Postponed:
    """The fields of one entity that are drawn when they are first looked at."""

    fields: frozenset[str] = frozenset()
    """Those that are drawn one by one."""
    columns: frozenset[str] = frozenset()
    """Those that tell rows apart: drawn for one row after the other."""


def postponed(domain: Domain) -> dict[str, Postponed]:
    """Return by entity what is drawn when it is first looked at."""
    ahead = leads(domain)
    found = {}
    for name, entity in domain.entities.items():
        fields = _Fields(domain, name, entity)
        circular = name in _all_ahead(ahead[name] | _refers(list(entity.fields.values())), ahead)
        found[name] = Postponed() if circular else Postponed(frozenset(fields.late()), frozenset(fields.columns()))
    return found


def _all_ahead(names: set[str], ahead: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += ahead.get(name, ())
    return found


class _Fields:
    """The fields of one entity, and what is known of them."""

    def __init__(self, domain: Domain, name: str, entity: Entity) -> None:
        self._domain = domain
        self._name = name
        self._entity = entity

    def late(self) -> Iterator[str]:
        """Yield those that can be drawn late: they see no field that comes after them."""
        unseen = {*self._entity.fields, self._name, "me"}
        for field, spec in self._entity.fields.items():
            if (
                field != self._entity.key
                and self._can_wait(spec)
                and self.is_sure(spec)
                and not unseen & set(_names(spec))
            ):
                yield field
            unseen.discard(field)

    def columns(self) -> Iterator[str]:
        """Yield those that tell rows apart, and depend on nothing else."""
        for field, spec in self._entity.fields.items():
            others = [each for name, each in self._entity.fields.items() if name != field]
            if field != self._entity.key and _is_apart(spec) and not _memories(spec) & _memories(others):
                yield field

    def _can_wait(self, spec: JsonValue) -> bool:
        """Say whether a source gives a value whatever it gave to other rows; a list has its own memory of that."""
        if not isinstance(spec, dict) or source_name(spec) == "list":
            return True
        return not any(source_name(part) in _DISTINCT and part.keys() != {"ref"} for part in _objects(spec))

    def is_sure(self, spec: JsonValue, depth: int = 0) -> bool:
        """Say whether a source gives a value whatever the world is like."""
        name = source_name(spec) if isinstance(spec, dict) else ""
        match name:
            case "one_of":
                return self._are_sure(spec["one_of"], depth)
            case "list":
                return self._are_sure([spec["list"]], depth)
            case "ref":
                return "where" not in spec and _has_rows(spec["ref"], self._domain, depth + 1)
            case "day" | "moment":
                return _is_days(spec[name]) and self._is_day(spec.get("from", "$today"))
        return name in _ALWAYS or (name in _SURE and _SURE[name](spec))

    def _are_sure(self, specs: JsonValue, depth: int) -> bool:
        return depth < _DEEPEST and isinstance(specs, list) and all(self.is_sure(each, depth + 1) for each in specs)

    def _is_day(self, start: JsonValue) -> bool:
        """Say whether what a day is counted from is one: today, or a field that is."""
        if start == "$today":
            return True
        spec = self._entity.fields.get(start[1:]) if isinstance(start, str) else None
        if not isinstance(spec, dict) or any(start[1:] in row for row in self._entity.data):
            return False
        return source_name(spec) in ("day", "moment") and not {"as", "from"} & spec.keys() and self.is_sure(spec)


_DISTINCT = frozenset({"pool", "faker", "pattern", "ref", "row", "rows", "new", "schema"})
"""Sources that give what tells rows apart, or look through a world; a plain `ref` does neither."""


_APART = ("pool", "faker", "pattern")


def _is_apart(spec: JsonValue) -> bool:
    """Say whether a source draws without repetition, and looks at nothing."""
    if not isinstance(spec, dict):
        return False
    if source_name(spec) == "one_of" and isinstance(spec["one_of"], list):
        return all(isinstance(each, dict) and source_name(each) in _APART for each in spec["one_of"])
    return source_name(spec) in _APART


def _memories(spec: JsonValue) -> set[str]:
    """Return what a source shares its memory of what it gave by, with others of the same row."""
    return {f"{key} {part[key]}" for part in _objects(spec) for key in ("faker", "pattern") if key in part}


def _names(spec: JsonValue) -> Iterator[str]:
    """Yield the names that a source may look at."""
    waiting: list[tuple[Any, bool]] = [(spec, False)]
    while waiting:
        value, is_text = waiting.pop()
        if isinstance(value, str):
            yield from _NAME.findall(value) if is_text or value.startswith("$") else ()
        elif isinstance(value, dict):
            waiting += [(each, is_text or key in _TEXTS) for key, each in value.items()]
        elif isinstance(value, list):
            waiting += [(each, is_text) for each in value]


def _pair(value: Any) -> tuple[Any, Any]:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else (None, None)


def _is_span(spec: dict[str, Any], key: str) -> bool:
    """Say whether there is a number between two constant bounds."""
    low, high = _pair(spec[key])
    whole = is_whole(low, -(10**15), 10**15) and is_whole(high, -(10**15), 10**15)
    numbers = is_number(low) and is_number(high) and low >= -1e15 and high <= 1e15
    return bool((whole if key == "integer" else numbers) and low <= high)


def _is_days(value: Any) -> bool:
    low, high = _pair(value)
    return is_whole(low, -_FARTHEST, _FARTHEST) and is_whole(high, -_FARTHEST, _FARTHEST) and low <= high


def _is_clocks(value: Any) -> bool:
    low, high = _pair(value)
    return is_clock(low) and is_clock(high) and low <= high


_ALWAYS = ("", "maybe", "text", "chance", "from", "wording", "pool", "faker", "pattern")
"""Sources that always give a value, a constant among them, which has no name."""
_SURE = {
    "integer": lambda spec: _is_span(spec, "integer"),
    "number": lambda spec: _is_span(spec, "number"),
    "clock": lambda spec: _is_clocks(spec["clock"]),
}
"""By source that needs nothing but what it says: whether it always gives a value."""


def _has_rows(name: Any, domain: Domain, depth: int) -> bool:
    """Say whether every world has rows of an entity: its first row cannot be left out."""
    for _ in range(_DEEPEST):
        entity = domain.entities.get(name) if isinstance(name, str) and depth < _DEEPEST else None
        if entity is None:
            return False
        low = entity.rows[0] if isinstance(entity.rows, tuple) else entity.rows
        fields = _Fields(domain, name, entity)
        if low < 1 or not all(fields.is_sure(spec, depth) for spec in entity.fields.values()):
            return False
        if not entity.parent:
            return True
        name = entity.parent
    return False


_COMPARED = re.compile(r"<=|>=|==|!=|<|>")
_WORDS = {
    "<": ("less than", "before"), "<=": ("at most", "not after"), ">": ("more than", "after"),
    ">=": ("at least", "not before"), "==": ("the same as", "the same as"), "!=": ("other than", "other than"),
}  # fmt: skip
"""By operator: how it is said of numbers, and of days and times."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule about the arguments of a tool."""

    tool: str
    text: str
    """The rule without the tool's name: `days > 0`."""
    holds: Value
    left: Value

    def broken(self, scope: Scope) -> str:
        """Return what is wrong with arguments that break the rule; "" where they keep to it, or are not given."""
        return self._said(scope) if self.holds(scope) is False else ""

    def _said(self, scope: Scope) -> str:
        operators = _COMPARED.findall(self.text)
        if len(operators) != 1:
            return f"{self.text} must hold"
        left, right = (part.strip() for part in self.text.split(operators[0]))
        return f"{left} must be {_WORDS[operators[0]][isinstance(self.left(scope), str)]} {right}"


def compile_rules(compiler: Compiler, parameters: Callable[[str], JsonObject | None]) -> Mapping[str, tuple[Rule, ...]]:
    """Compile the domain's rules by the tools that they are about; what is wrong is noted as a fault."""
    found: dict[str, tuple[Rule, ...]] = {}
    for number, text in enumerate(compiler.domain.rules):
        rule = _rule(text, ("rules", number), compiler, parameters)
        if rule is not None:
            found[rule.tool] = (*found.get(rule.tool, ()), rule)
    return found


def _rule(text: str, path: Path, compiler: Compiler, parameters: Callable[[str], JsonObject | None]) -> Rule | None:
    names = _Names(compiler, parameters, path)
    written = names.replaced(text)
    if names.is_faulty:
        return None
    try:
        holds, paths = compile_formula(written)
        left = compile_formula(_COMPARED.split(written)[0])[0]
    except NoFormula as error:
        compiler.faults.add(path, f"{text[:120]!r} is no rule: {error}", "write `tool.argument < 10`")
        return None
    unknown = [keys for keys in paths if keys[0] not in names.arguments and keys[0] not in ALWAYS]
    for keys in unknown:
        compiler.faults.unknown(path, "tool", keys[0], compiler.domain.tools)
    if unknown:
        return None
    if len(names.tools) != 1 or not _COMPARED.search(written):
        compiler.faults.add(path, f"{text[:120]!r} compares no arguments of one tool", "write `tool.argument < 10`")
        return None
    (tool,) = names.tools
    return Rule(tool, text.replace(f"{tool}.", "").strip(), names.seeing(holds), names.seeing(left))


class _Names:
    """The arguments that a rule names, by names that a formula can hold: tools are called whatever they like."""

    def __init__(self, compiler: Compiler, parameters: Callable[[str], JsonObject | None], path: Path) -> None:
        self._compiler = compiler
        self._parameters = parameters
        self._path = path
        self.tools: set[str] = set()
        self.arguments: dict[str, str] = {}
        self.is_faulty = False

    def replaced(self, text: str) -> str:
        """Return the text with a plain name for each `tool.argument`."""
        tools = sorted(self._compiler.domain.tools, key=len, reverse=True)
        if not tools:
            return text
        known = "|".join(map(re.escape, tools))
        return re.sub(rf"(?<![\w.$-])\$?({known})\.([\w$@-]*\w)", self._named, text)

    def _named(self, match: re.Match[str]) -> str:
        tool, argument = match.groups()
        self.tools.add(tool)
        parameters = self._parameters(tool)
        known = (parameters or {}).get("properties", {})
        if parameters is not None and argument not in known:
            self._compiler.faults.unknown(self._path, f"argument of {tool}", argument, known)
            self.is_faulty = True
        name = f"given_{len(self.arguments)}"
        self.arguments[name] = argument
        return name

    def seeing(self, value: Value) -> Value:
        """Return the value in a scope in which the plain names stand for the arguments."""
        return lambda scope: value(scope.inside(None, **{name: scope.get(key) for name, key in self.arguments.items()}))


@dataclass(frozen=True, slots=True)
class EntityProgram:
    """One entity, compiled."""

    name: str
    key: str
    parent: str
    rows: tuple[int, int]
    data: tuple[JsonObject, ...]
    fields: dict[str, Source]
    say: tuple[Template, ...]
    say_id: tuple[Template, ...]
    told: tuple[Template, ...]
    views: dict[str, Value]
    late: frozenset[str]
    """The fields that are drawn when they are first looked at."""
    columns: frozenset[str]
    """Those of them that tell rows apart."""
    early: dict[str, Source]
    """The other fields."""
    places: dict[str, int]
    blank: dict[str, Any]
    """A row of which nothing is drawn."""
    new: dict[str, Value]
    """What a row made by a call has where nothing else was set."""
    find: tuple[str, dict[str, Value]] | None
    """The tool that looks a row up, and the arguments of that call over `$it`."""


@dataclass(frozen=True, slots=True)
class ToolProgram:
    """What a call of one tool does, compiled."""

    effects: tuple[Effect, ...]
    result: Value | None
    examples: tuple[tuple[JsonObject, JsonValue], ...]
    writes: bool
    defaults: JsonObject
    """Defaults that the schema states: they count as given."""
    rules: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """A domain, compiled."""

    domain: Domain
    me: str
    entities: dict[str, EntityProgram]
    tools: dict[str, ToolProgram]
    compiler: Compiler


_WRITING = ("create", "update", "update_all", "delete", "delete_all")
_MOST_ROWS = 200
_MOST_OF_AN_ENTITY = 1_000
_MOST_ENTITIES = 60


def compiler_of(domain: Domain, faults: Faults) -> Compiler:
    """Return a compiler for the texts and values of a domain."""
    parts = Parts(conditions=compile_conditions, text=written_value, drawn=drawn)
    types = {**ALWAYS, **({"me": domain.me} if domain.me else {})}
    return Compiler(domain, faults, parts, types)


def compile_domain(domain: Domain, parameters: Callable[[str], JsonObject | None], faults: Faults) -> Program:
    """Compile entities and tools; what is wrong is noted as faults.

    Args:
        domain: what the domain file says.
        parameters: gives the JSON Schema of a tool's parameters by its name; None where there is no such tool.
        faults: takes what is wrong.
    """
    compiler = compiler_of(domain, faults)
    if domain.me and domain.me not in domain.entities:
        faults.unknown(("me",), "entity", domain.me, domain.entities)
    _require_order(domain, faults)
    _require_few(domain, faults)
    late = postponed(domain)
    entities = {name: _entity(name, entity, compiler, late[name]) for name, entity in domain.entities.items()}
    rules = compile_rules(compiler, parameters)
    tools = {name: _tool(name, parameters(name), compiler, rules.get(name, ())) for name in domain.tools}
    me = domain.me if domain.me in domain.entities else ""
    return Program(domain, me, entities, tools, compiler)


def _entity(name: str, entity: Entity, compiler: Compiler, late: Postponed) -> EntityProgram:
    path = ("entities", name)
    _require_parent_and_key(name, entity, compiler)
    inner = compiler.of_row(name)
    say = templates(entity.say, (*path, "say"), inner)
    say_id = templates(entity.say_id, (*path, "say_id"), inner)
    told = templates(entity.told, (*path, "told"), compiler.naming({"rows": ""}))
    views = {key: compile_value(view, (*path, "views", key), inner) for key, view in entity.views.items()}
    fields = {key: compile_source(each, (*path, "fields", key), inner) for key, each in entity.fields.items()}
    waiting = late.fields | late.columns
    return EntityProgram(
        name, entity.key, entity.parent if entity.parent in compiler.domain.entities else "", _rows(entity),
        entity.data, fields, say, say_id, told, views, waiting, late.columns,
        {key: source for key, source in fields.items() if key not in waiting},
        {key: place for place, key in enumerate(fields)},
        {key: UNDRAWN if key in waiting else ABSENT for key in fields},
        compile_fields({"new": entity.new}, "new", name, path, inner), _find(name, entity, compiler),
    )  # fmt: skip


def _require_parent_and_key(name: str, entity: Entity, compiler: Compiler) -> None:
    """Note an entity that belongs to none that is there, or that has no field which identifies its rows."""
    path = ("entities", name)
    if entity.parent and entity.parent not in compiler.domain.entities:
        compiler.faults.unknown((*path, "in"), "entity", entity.parent, compiler.domain.entities)
    if entity.key not in entity.fields and not all(entity.key in row for row in entity.data or ({},)):
        compiler.faults.add((*path, "key"), f"no field {entity.key!r} identifies a {name}", "name the field in `key`")


def _rows(entity: Entity) -> tuple[int, int]:
    low, high = entity.rows if isinstance(entity.rows, tuple) else (entity.rows, entity.rows)
    return max(0, min(low, high, _MOST_ROWS)), max(0, min(max(low, high), _MOST_ROWS))


def _require_few(domain: Domain, faults: Faults) -> None:
    """Note entities of which a world would have more rows than any record needs."""
    if len(domain.entities) > _MOST_ENTITIES:
        faults.add(("entities",), f"there are {len(domain.entities)} entities", f"at most {_MOST_ENTITIES}")
    for name, entity in domain.entities.items():
        low, high = entity.rows if isinstance(entity.rows, tuple) else (entity.rows, entity.rows)
        if not 0 <= low <= high <= _MOST_ROWS:
            faults.add(("entities", name, "rows"), f"`rows` is [from, to], from 0 to {_MOST_ROWS}")
        elif (many := _most_rows(name, domain)) > _MOST_OF_AN_ENTITY:
            faults.add(
                ("entities", name, "rows"), f"a world would have up to {many:,} rows of {name}",
                f"at most {_MOST_OF_AN_ENTITY:,}: fewer of them, or of what they belong to",
            )  # fmt: skip


def _most_rows(name: str, domain: Domain) -> int:
    """Return how many rows an entity can have, over all rows that they belong to."""
    many, above = 1, name
    for _ in range(_MOST_ENTITIES):
        entity = domain.entities.get(above)
        if entity is None:
            return many
        many *= _rows(entity)[1]
        above = entity.parent
    return many


def _find(name: str, entity: Entity, compiler: Compiler) -> tuple[str, dict[str, Value]] | None:
    if entity.find is None:
        return None
    path = ("entities", name, "find")
    if entity.find.call not in compiler.domain.tools:
        compiler.faults.unknown((*path, "call"), "tool", entity.find.call, compiler.domain.tools)
    inner = compiler.naming({"it": name})
    arguments = {
        key: compile_value(each, (*path, "arguments", key), inner) for key, each in entity.find.arguments.items()
    }
    return entity.find.call, arguments


def _tool(name: str, parameters: JsonObject | None, compiler: Compiler, rules: tuple[Rule, ...]) -> ToolProgram:
    tool = compiler.domain.tools[name]
    names = dict.fromkeys((parameters or {}).get("properties", {}), "")
    inner = compiler.naming(names, open=parameters is None)
    effects, bound = compile_effects(tool.effect, ("tools", name, "effect"), inner)
    result = None if tool.result is None else compile_value(tool.result, ("tools", name, "result"), bound)
    examples = tuple((example.arguments, example.result) for example in tool.examples)
    return ToolProgram(tuple(effects), result, examples, _writes(tool.effect), _defaults(parameters or {}), rules)


def _defaults(parameters: JsonObject) -> JsonObject:
    """Return the defaults that a schema states for its properties."""
    return {
        name: schema["default"]
        for name, schema in parameters.get("properties", {}).items()
        if isinstance(schema, dict) and schema.get("default") is not None
    }


def _writes(steps: Any) -> bool:
    """Say whether an effect changes the world, at any depth."""
    waiting = [steps]
    while waiting:
        step = waiting.pop()
        if isinstance(step, list | tuple):
            waiting += step
        elif isinstance(step, dict):
            if any(key in _WRITING for key in step):
                return True
            waiting += [step[key] for key in ("do", "then", "else") if key in step]
    return False


def _require_order(domain: Domain, faults: Faults) -> None:
    """Note entities that refer to each other in a circle: none of them could be made first."""
    ahead = leads(domain)
    placed: set[str] = set()
    while ready := {name for name, others in ahead.items() if name not in placed and others <= placed}:
        placed |= ready
    for name in sorted(ahead.keys() - placed):
        others = ", ".join(sorted(ahead[name] - placed))
        faults.add(
            ("entities", name), f"{name} refers to {others}, which refers back", "let one of them be found by a `where`"
        )


_KEPT = 128
"""Compiled domains that are kept."""


@dataclass(frozen=True)
class CompiledDomain:
    """One domain and the tools of a catalog that it speaks of."""

    domain: Domain
    tools: dict[str, Tool]
    program: Program
    ways: dict[str, tuple[WayProgram, ...]]
    tasks: tuple[TaskProgram, ...]
    unserved: tuple[WishProgram, ...]
    context: tuple[Template, ...]
    outages: tuple[tuple[Outage, Templates], ...] | None
    """The domain's own outages with what is said of each; None where those of any service may strike."""
    faults: tuple[Fault, ...]

    def can(self, name: str) -> str:
        """Return what a tool does, after "I can"; "" where the domain does not say."""
        tool = self.domain.tools.get(name)
        return tool.can if tool is not None else ""

    @cached_property
    def telling(self) -> tuple[str, ...]:
        """The tools with a way whose ids can be typed or told, so that nothing has to be looked up."""
        return tuple(name for name, ways in self.ways.items() if any(way.tells for way in ways))

    @cached_property
    def writing(self) -> frozenset[str]:
        """The tools that change something."""
        return frozenset(name for name, program in self.program.tools.items() if program.writes)

    @cached_property
    def asking(self) -> frozenset[str]:
        """The tools that are called only after the user has said yes to it."""
        own = {name: known.asks_first for name, known in self.domain.tools.items()}
        return frozenset(
            name
            for name in self.tools
            if own[name] or (own[name] is None and self.domain.asks_first and name in self.writing)
        )

    @cached_property
    def deeds(self) -> dict[str, frozenset[tuple[str, str]]]:
        """By tool, what its effect does to which entities: `get`, `list`, `create` and so on."""
        return {name: frozenset(_deeds(self.domain.tools[name].effect)) for name in self.tools}

    @cached_property
    def related(self) -> dict[str, tuple[str, ...]]:
        """By tool, the others that people may want in one breath with it: of one task, or about the same things.

        Where no two tools have anything in common each is related to all.
        """
        others = {name: tuple(other for other in self.tools if other != name) for name in self.tools}
        found = {
            name: tuple(other for other in those if self._are_related(name, other)) for name, those in others.items()
        }
        return found if any(found.values()) else others

    def _are_related(self, one: str, other: str) -> bool:
        return not self._about[one].isdisjoint(self._about[other]) or any(
            one in task.tools and other in task.tools for task in self.tasks
        )

    @cached_property
    def _about(self) -> dict[str, frozenset[str]]:
        """By tool, the entities that it is about; whose record it is counts where there is no other."""
        about = {name: frozenset(entity for _, entity in self.deeds[name]) for name in self.tools}
        return {name: entities - {self.domain.me} or entities for name, entities in about.items()}


_OF_ENTITY = ("get", "list", "create", "update_all", "delete_all")
_STEPS = ("do", "then", "else")


def _deeds(steps: JsonValue) -> Iterator[tuple[str, str]]:
    """Yield what the steps of an effect do, each with the entity that it is done to."""
    for step in steps if isinstance(steps, list | tuple) else ():
        if isinstance(step, dict):
            yield from ((key, str(step[key])) for key in _OF_ENTITY if key in step)
            for key in _STEPS:
                yield from _deeds(step.get(key))


def compiled_domain(domain: Domain, tools: Iterable[Tool]) -> CompiledDomain:
    """Compile a domain over those of these tools that it speaks of; what is wrong with it is kept as faults.

    What was compiled is kept: a catalog is checked as it is loaded, and planned over by whoever makes its records.
    """
    given = tuple(tools)
    compiled = _compiled(Same((domain, given), domain, *(tool.parameters for tool in given)))
    return replace(compiled, tools={tool.name: tool for tool in given if tool.name in domain.tools})


@lru_cache(maxsize=_KEPT)
@not_looked_for()
def _compiled(same: Same[tuple[Domain, tuple[Tool, ...]]]) -> CompiledDomain:
    domain, tools = same.held
    known = {tool.name: tool for tool in tools}
    faults = Faults()
    parameters = {name: tool.parameters for name, tool in known.items()}
    program = compile_domain(domain, parameters.get, faults)
    for name in domain.tools:
        if name not in known:
            faults.unknown(("tools", name), "tool", name, known)
    return CompiledDomain(
        domain=domain,
        tools={name: tool for name, tool in known.items() if name in domain.tools},
        program=program,
        ways=compile_ways(program.compiler, parameters),
        tasks=compile_tasks(program.compiler, parameters),
        unserved=compile_unserved(program.compiler),
        context=templates(domain.context, ("context",), program.compiler),
        outages=_outages(program.compiler),
        faults=tuple(faults.found),
    )


def _outages(compiler: Compiler) -> tuple[tuple[Outage, Templates], ...] | None:
    given = compiler.domain.outages
    if given is None:
        return None
    replies = replying(compiler)
    return tuple(
        (each, templates(each.replies, ("outages", number, "replies"), replies)) for number, each in enumerate(given)
    )


def vocabulary() -> str:
    """Return every source, operator, condition, effect and format, a line each, as Markdown."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "## Sources: where a field or a draw comes from"
    for name, (_, settings, what) in SOURCES.items():
        yield f"- `{name}`: {what}{_with(settings)}"
    yield "- `example: true` (draws of a computing tool): one of its worked `examples`: `$x.arguments`, `$x.result`"
    yield f"- Providers of `faker`: {', '.join(PROVIDERS)}"
    yield "\n## Operators in values: `{$name: parts}`"
    yield from _table({name: what for name, (_, _, what) in OPERATORS.items()})
    yield "- `$draw`: a source, drawn once for the record and the arguments"
    yield "\n## Conditions: `[left, operator, right]`, `{any: [[...], [...]]}`, `{not: [...]}`"
    yield from _table({name: what for name, (_, what) in {**CONDITIONS, **UNARY}.items()})
    yield "\n## Effects: the steps of a call"
    for name, (_, settings, what) in EFFECTS.items():
        yield f"- `{name}`: {what}{_with(settings)}"
    yield f"- Error types of `else`: {', '.join(ERROR_TYPES)}"
    yield "\n## Formats of slots: `{value|format}`"
    yield from _table({name: what for name, (_, what) in FORMATS.items()})


def _table(entries: Mapping[str, str]) -> Iterator[str]:
    for name, what in entries.items():
        yield f"- `{name}`: {what}"


def _with(settings: Iterable[str]) -> str:
    names = ", ".join(f"`{name}`" for name in settings)
    return f"; beside it: {names}" if names else ""
