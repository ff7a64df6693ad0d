"""Trials: one world of a rehearsal with the ledger of what went well on it, and what readers refuse of it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from generator.domains.domain import Entity, Reply, ToolDomain
from generator.domains.reading import Fault
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.random_streams import derive_seed, stream
from generator.records import SUCCESS
from generator.scenarios.phrases import says_value
from generator.scenarios.plan_state import PlanState, outcome_of
from generator.scenarios.scenario import PlanError, PlannedCall
from generator.suggestions import did_you_mean
from generator.tools import parts_used, surface_of
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import NothingToDraw, Row, Scope
from generator.worlds.sources import source_name
from generator.worlds.speech import Speech, Unsayable
from generator.worlds.templates import Template
from generator.worlds.values import compile_path
from generator.worlds.ways import Arguments, ReplyTemplates, WayProgram
from generator.worlds.world import World

Path = tuple[str | int, ...]

UNSAID = "does not say"
LEAKED = "which nothing said or found before tells"
ALREADY_KNOWN = "the system text tells already what this looks up"
NOT_HELD = "the result does not hold"
_SLOT = re.compile(r"[{<]\s*\$?([A-Za-z_]\w*(?:\.\w+)+)")
_PATH = re.compile(r'"\$([A-Za-z_]\w*(?:\.\w+)+)')
_MOST_FIELDS = 12
_GLUED = re.compile(r"[A-Za-z]{2,}[:;,](?=\{(?!\{)|<(?!<))")
_OF_ASSISTANT = frozenset({"replies", "questions"})
_LONGEST_REASON = 200
_SHARE_FAILED = 0.5
"""A part that fails in fewer worlds than this is taken in others."""
_SHARE_UNSAID = 0.2
_REMEDIES: tuple[tuple[str, str], ...] = (
    ("the user is the only", "write `$me` in place of the draw; the effect requires what must hold of them"),
    ("fulfils the conditions", "loosen `where`, or give the entity more rows or values that fulfil it"),
    ("such rows of", "loosen `where` or `count`, or give the entity more rows"),
    ("nobody can know the id", "give the entity `find`, `say_id` or `told`"),
    ("does not tell the id", "let the view that this look-up shows hold the entity's key"),
    ("does not find", "correct the arguments of `find`, or what that tool lists"),
    ("changes nothing", "draw with a `where` under which the call changes something"),
    ("a source gives nothing", "correct the sources of its fields: bounds, `where`, references"),
    ("ends with", "draw with a `where` that fulfils what the effect requires"),
    ("breaks its schema", "correct `result`: it must fit what the tool declares"),
    ("has no words to ask", "give the call `confirm`, or the tool a way with the same arguments and `confirm`"),
    ("no reply for", "add it to `replies`"),
    (LEAKED, "say {r.field} where the result shows it, or name the row as the user did: {row}"),
    (ALREADY_KNOWN, "leave it out of `context`, or let people ask about something else"),
    (UNSAID, "say it in the phrase, as {draw}"),
    (NOT_HELD, "correct the path"),
    ("stands for nothing", "correct the path, or put the phrase under `when` where it may be missing"),
    ("nothing to list", "use it under `when`, or for `ok` alone"),
)


@dataclass(slots=True)
class Ledger:
    """How often each part of a domain file went well, and why not."""

    went: Counter[Path] = field(default_factory=Counter)
    failed: dict[Path, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    faults: list[Fault] = field(default_factory=list)
    """What is wrong whatever the world."""
    notes: list[Fault] = field(default_factory=list)
    """What is worth knowing and no fault."""
    requests: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By tool, the requests that were said."""
    said: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))
    """By tool, the parameters that its calls gave, by their paths, each with the JSON of a value."""

    def goes(self, path: Path) -> None:
        """Note that a part went well."""
        self.went[path] += 1

    def fails(self, path: Path, reason: object) -> None:
        """Note that a part did not go well."""
        self.failed[path][str(reason)[:_LONGEST_REASON]] += 1

    def wrong(self, path: Path, what: str, remedy: str = "") -> None:
        """Note what is wrong whatever the world."""
        fault = Fault(path, what, remedy)
        if fault not in self.faults:
            self.faults.append(fault)

    def tells(self, path: Path, what: str, remedy: str = "") -> None:
        """Note what is worth knowing."""
        note = Fault(path, what, remedy)
        if note not in self.notes:
            self.notes.append(note)

    def found(self) -> Iterator[Fault]:
        """Yield what is wrong: parts that fail in most worlds."""
        yield from self.faults
        for path, reasons in self.failed.items():
            reason = reasons.most_common(1)[0][0]
            failures = reasons.total()
            is_of_a_text = UNSAID in reason or LEAKED in reason
            all_tries = max(failures, self.went[path]) if is_of_a_text else failures + self.went[path]
            if failures < all_tries * (_SHARE_UNSAID if is_of_a_text else _SHARE_FAILED):
                continue
            often = "in every world" if failures == all_tries else f"in {failures} of {all_tries} worlds"
            yield Fault(path, f"fails {often}: {reason}", _remedy(reason))

    def variety(self, tool: str) -> tuple[int, int]:
        """Return how many different requests for a tool were said, and how many there may be."""
        counts = self.requests.get(tool, Counter())
        once = sum(1 for many in counts.values() if many == 1)
        twice = sum(1 for many in counts.values() if many == 2)
        # Chao's estimate: from those that were met once and twice to those that were not met.
        return len(counts), len(counts) + once * (once - 1) // (2 * (twice + 1))


def _remedy(reason: str) -> str:
    return next((remedy for words, remedy in _REMEDIES if re.search(re.escape(words), reason)), "")


_TODAY = date(2026, 1, 15)
_LOCALE = "en_US"


@dataclass(frozen=True, slots=True)
class WorldTrial:
    """The state of a plan on one world, with the ledger of what could be said on it."""

    compiled: CompiledDomain
    state: PlanState
    ledger: Ledger

    def texts(self, templates: Sequence[Template], path: Path, scope: Scope) -> list[tuple[int, Template, str]]:
        """Write every template; those that cannot be written are noted."""
        found = []
        for number, template in enumerate(templates):
            text = self.text(template, (*path, number), scope)
            found += [(number, template, text)] if text else []
        return found

    def text(self, template: Template, path: Path, scope: Scope) -> str:
        """Write one template; "" where it cannot be written, which is noted."""
        try:
            text = template.write(scope, self.state.speech)
        except (Unsayable, NothingToDraw) as error:
            self.ledger.fails(path, _not_there(_SLOT.findall(template.source), scope) or f"it cannot be said: {error}")
            return ""
        self.ledger.goes(path)
        if not _OF_ASSISTANT.isdisjoint(path) and (glued := _GLUED.search(template.source)) is not None:
            self.ledger.tells(path, f"there is no space behind {glued[0]!r}", "write one before the slot or the loop")
        return text

    def tool_of(self, way: WayProgram) -> str:
        """Return the name of the tool that a way is of."""
        return next(name for name, ways in self.compiled.ways.items() if any(way is each for each in ways))

    def open(self) -> None:
        """Say the domain's own system text, every variant of it; one is said."""
        written = self.texts(self.compiled.context, ("context",), self.state.scope())
        if written:
            self.state.keep(self.state.random.choice(written)[2])

    def let_know(self, arguments: Arguments, scope: Scope, turn: int) -> None:
        """Let ids become known as the entity allows: in turn typed, told, or left to be looked up."""
        for each in arguments.ids:
            row = each.row(scope)
            if not isinstance(row, Row):
                continue
            entity = self.compiled.program.entities[row.entity]
            can_be_found = entity.find is not None and row.number > 0
            modes = ["find"] * can_be_found + ["typed"] * bool(entity.say_id) + ["told"] * bool(entity.told)
            mode = modes[turn % len(modes)] if modes else "find"
            if mode == "typed":
                self.state.speech.typed.add(row)
            elif mode == "told" and row.number > 0:
                rows = list(self.state.world.table(row.entity).values())
                written = self.texts(entity.told, ("entities", row.entity, "told"), self.state.scope(rows=rows))
                self.state.said += [text for _, _, text in written[:1]]

    def look_up(self, arguments: Arguments, scope: Scope) -> list[PlannedCall]:
        """Look up the ids that nobody has told."""
        return [call for _, row in self.state.unknown_rows(arguments, scope) for call in self.state.look_up(row)]

    def call(self, name: str, arguments: Arguments, scope: Scope, *, reads: bool = False) -> PlannedCall:
        """Make a call that should succeed, and should change something where the tool does and it does not read."""
        before = self.state.world.changes
        call = self.state.call(name, self.values_of(arguments, scope))
        if call.answer is None or call.outcome != SUCCESS:
            why = f"{call.answer.error_type}: {call.answer.error_message}" if call.answer is not None else call.outcome
            raise PlanError(f"{name} ends with {why}")
        if name in self.compiled.writing and not reads and self.state.world.changes == before:
            raise PlanError(f"{name} changes nothing")
        self.ledger.said[name].update(parts_used(call.arguments))
        return call

    def values_of(self, arguments: Arguments, scope: Scope) -> JsonObject:
        """Return the arguments of a call."""
        return self.state.values_of(arguments, scope)

    def reply(self, replies: ReplyTemplates | None, spec: Sequence[Any], path: Path, scope: Scope) -> None:
        """Write every reply whose condition holds; that there is none is noted."""
        scope.names |= self.state.result_names()
        fitting = [
            (place, template)
            for place, (test, template) in zip(_places(spec), replies or (), strict=False)
            if test is None or test(scope)
        ]
        if not fitting:
            self.ledger.fails(path, _not_there(_asked_in(spec), scope) or "no reply for this outcome fits")
        for place, template in fitting:
            self.text(template, (*path, *place), scope)


def _asked_in(spec: Sequence[Any]) -> list[str]:
    """Return the paths that the conditions of some replies ask about."""
    return [path for each in spec if isinstance(each, Reply) for path in _PATH.findall(dump_compact(each.when))]


def _not_there(paths: Sequence[str], scope: Scope) -> str:
    """Say of the first path into a result that leads nowhere what the result holds; "" where there is none."""
    for path in paths:
        keys = path.split(".")
        for place, key in enumerate(keys[1:], 1):
            holder = compile_path(keys[:place])(scope)
            if isinstance(holder, dict) and holder and key not in holder:
                hint = did_you_mean(key, holder) or f"it holds {', '.join(map(str, list(holder)[:_MOST_FIELDS]))}"
                return f"{path}: {NOT_HELD} {key!r}; {hint}"
    return ""


def _places(spec: Sequence[Any]) -> list[Path]:
    """Return where each text of some replies stands among them."""
    places: list[Path] = []
    for number, each in enumerate(spec):
        if isinstance(each, Reply):
            places += [(number, "say", inner) for inner in range(len(each.say))]
        else:
            places.append((number,))
    return places


@dataclass(slots=True)
class WorldTrials:
    """A compiled domain, its worlds, each made once, and what was noted on all of them."""

    compiled: CompiledDomain
    ledger: Ledger
    _worlds: dict[int, World] = field(default_factory=dict)

    def on_world(self, number: int, *words: object) -> WorldTrial:
        """Return a trial on world `number`, with the system text said; the words decide what is drawn there."""
        trial = WorldTrial(self.compiled, self.state(number, *words), self.ledger)
        trial.open()
        return trial

    def state(self, number: int, *words: object) -> PlanState:
        """Return the state of a plan on world `number`, on which nothing was said."""
        seed = derive_seed(0, "rehearsal", number, *map(str, words))
        world = self._world(number).copy()
        return PlanState(self.compiled, stream(seed, "stage"), world, world, Speech(stream(seed, "speech")), _TODAY)

    def _world(self, number: int) -> World:
        """Return a world in which every row is made; entities that cannot be made are noted."""
        world = self._worlds.get(number)
        if world is None:
            world = self._worlds[number] = World(
                self.compiled.program, derive_seed(0, "world", number), _TODAY, _LOCALE
            )
            for name in self.compiled.program.entities:
                self._make(world, name)
        return world

    def _make(self, world: World, name: str) -> None:
        """Make the rows of an entity; where none can be made although there should be some, it is noted."""
        try:
            rows = world.table(name)
        except NothingToDraw as error:
            self.ledger.fails(("entities", name), error)
            return
        parent = self.compiled.program.entities[name].parent
        if rows or not self.compiled.program.entities[name].rows[0] or (parent and not world.table(parent)):
            self.ledger.goes(("entities", name))
        else:
            self.ledger.fails(("entities", name), "no row of it can be made: a source gives nothing")


def outcome(call: PlannedCall) -> str:
    """Return the outcome by which replies to a call are kept."""
    return outcome_of(call.answer) if call.answer is not None else "ok"


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


def check_creations(compiled: CompiledDomain, name: str, ledger: Ledger) -> None:
    """Note the fields of a new row that are left to chance: nobody set them, and a real tool would leave them empty."""
    parameters = compiled.tools[name].parameters
    steps = list(_steps(list(compiled.domain.tools[name].effect), ("tools", name, "effect")))
    asked = set(_NAME.findall(str([step.get(key) for _, step in steps for key in ("if", "require")])))
    for path, step in steps:
        entity = compiled.domain.entities.get(str(step.get("create")))
        if entity is not None and (left := _left_to_chance(entity, step, parameters, asked)):
            what = f"a new {step['create']} has {', '.join(left)} by chance, though nobody gave it"
            remedy = f"say what a new one has in `entities.{step['create']}.new`: null, [], a constant or `$now`"
            ledger.wrong(path, what, remedy)


def _left_to_chance(entity: Entity, step: JsonObject, parameters: JsonObject, asked: set[str]) -> list[str]:
    """Return the fields that a new row has by chance: the step that makes it may set none of them."""
    given = step.get("set")
    sets = given.items() if isinstance(given, dict) else ()
    sure = {field for field, value in sets if not _may_be_absent(value, parameters, asked)}
    return [field for field in _drawn(entity) if field not in sure and field not in entity.new]


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
    for name, spec in entity.fields.items():
        if name == entity.key or _IDENTIFIER.search(name) or (entity.views and name not in shown):
            continue
        if isinstance(spec, dict) and source_name(spec) in _BY_CHANCE:
            choices = spec.get("from")
            if not (isinstance(choices, list) and len(set(map(str, choices))) == 1):
                yield name


def check_replies(compiled: CompiledDomain, name: str, ledger: Ledger) -> None:
    """Note plain replies of a reading tool that say nothing of the result."""
    if name in compiled.writing or not _holds_something(compiled.domain.tools[name]):
        return
    known = compiled.domain.tools[name]
    for number, way in enumerate(known.ways):
        said = {path for text in way.requests for path in _SLOT.findall(text)}
        _check_told(way.replies.get("ok", ()), said, ("tools", name, "ways", number, "replies", "ok"), ledger)
    _check_told(known.replies.get("ok", ()), set(), ("tools", name, "replies", "ok"), ledger)


def _check_told(replies: Sequence[Any], said: set[str], path: Path, ledger: Ledger) -> None:
    """Note plain replies that say nothing of a result, and no more than the request said."""
    for place, text in enumerate(replies):
        if isinstance(text, str) and _says_nothing(text, said):
            remedy = "name what was found: {r.field}, or put it under `when`"
            ledger.wrong((*path, place), "says nothing of the result", remedy)


def _holds_something(tool: ToolDomain) -> bool:
    """Say whether a result shows rows, and not just that something was done."""
    return any(isinstance(each, str) and _VIEW.fullmatch(each) for each in _leaves(tool.result))


def _says_nothing(text: str, said: set[str]) -> bool:
    paths = set(_SLOT.findall(text))
    return not any(_RESULT.fullmatch(path.split(".")[0]) for path in paths) and paths <= said


def check_leaks(trial: WorldTrial, way: WayProgram, path: Path, ending: str, scope: Scope) -> None:
    """Note the replies of a way that say a field of a drawn row which neither the user nor a result has told."""
    known = _told_so_far(trial.state)
    for place, text in enumerate(way.way.replies.get(ending, ())):
        for said in _SLOT.findall(text) if isinstance(text, str) else ():
            keys = said.split(".")
            value = compile_path(keys)(scope) if keys[0] in way.draws and len(keys) > 1 else None
            if isinstance(value, str | int | float) and not (says_value(value, known) or _is_hinted(value, known)):
                trial.ledger.fails((*path, ending, place), f"it says {{{said}}}, {LEAKED}")


def _told_so_far(state: PlanState) -> str:
    """Return what was said, and what results hold, codes with their words apart as well."""
    found = [str(each) for result in state.results for each in _leaves(result.content)]
    return "\n".join((*state.said, *found, *(each.replace("_", " ") for each in found)))


def _is_hinted(value: str | float, text: str) -> bool:
    """Say whether a word of a value was told: "my savings" tells of the savings account."""
    words = {word.casefold() for word in _LONG_WORD.findall(str(value))}
    return not words.isdisjoint(word.casefold() for word in _LONG_WORD.findall(text))


def known_already(context: str, arguments: JsonObject, call: PlannedCall) -> str:
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
    compiled = trials.compiled
    said = trials.ledger.said[name]
    for way in compiled.ways.get(name, ()):
        for number in range(_DRAWS):
            if not _missing(compiled, name, said):
                return ()
            said |= _draws_said(trials, name, way, number % rounds, number)
    said |= _written(compiled, name)
    return tuple(_missing(compiled, name, said))


def _missing(compiled: CompiledDomain, name: str, said: Said) -> list[str]:
    surface = surface_of(compiled.tools[name])
    given = {path for path, _ in said}
    mentioned = {argument for way in compiled.domain.tools[name].ways for argument in way.arguments}
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


def _written(compiled: CompiledDomain, name: str) -> Said:
    """Return the values that stand in the file where a way takes an argument from, so rare that none was drawn."""
    found: Said = set()
    for way in compiled.domain.tools[name].ways:
        for argument, spec in way.arguments.items():
            drawn = [way.draw[each] for each in _DRAW.findall(dump_compact(spec)) if each in way.draw]
            values = {dump_compact(leaf) for each in (spec, *drawn) for leaf in _constants(each, compiled)}
            found |= {
                (path, value)
                for path in surface_of(compiled.tools[name]).choices
                if re.split(r"[.\[]", path)[0] == argument
                for value in values
            }
    return found


def _constants(spec: JsonValue, compiled: CompiledDomain) -> Iterator[JsonValue]:
    """Yield what stands in a source, and in the pools and wordings that it names."""
    if isinstance(spec, dict):
        for key, each in spec.items():
            if key in _LISTS and isinstance(each, str):
                yield from _constants(list(compiled.domain.pools.get(each, ())), compiled)
                yield from _constants([entry.value for entry in compiled.domain.wordings.get(each, ())], compiled)
            yield from _constants(each, compiled)
    elif isinstance(spec, list | tuple):
        for each in spec:
            yield from _constants(each, compiled)
    else:
        yield spec
