"""The stand-in: what the assistant says where a request continues no record; seeded, so that equal requests agree.

No model reads the request. What it asks for, one thing or several, is told by words that it shares with tools and by
the values in its words that an argument may take; other arguments are drawn from the tool's domain file, or made by its
schema. Results are told in the words of the domain, or as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from threading import Lock
from typing import NamedTuple

import orjson

from generator.assets import asset_folder
from generator.domains.catalog import Catalog
from generator.domains.plain_requests import resolved
from generator.errors import ValueSynthesisError
from generator.formats.loading.tool_files import load_catalog
from generator.ids import draw_call_ids
from generator.job_choices import DEFAULT_REFERENCE_DATE, DEFAULT_SEED
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.random_streams import derive_seed, stream
from generator.records import ToolResult
from generator.scenarios.failures import tell_error
from generator.scenarios.phrases import phrases
from generator.scenarios.plan_state import PlanState, new_plan_state, outcome_of
from generator.scenarios.scenario import PlanError
from generator.schemas.validators import SchemaValidator, validator_for
from generator.serving.answers import Answer, Call
from generator.serving.asking import Asked
from generator.serving.refusals import Refusal
from generator.validation.grounding.reading.days import days_of, phrases_of, relative_days
from generator.validation.grounding.reading.languages import LANGUAGES, english, entries, little_words, table
from generator.validation.grounding.reading.quantities import quantities_of
from generator.validation.grounding.reading.words import fold, literals_of
from generator.values import Context, synthesize_value
from generator.worlds.program import CompiledDomain, compiled_domain
from generator.worlds.rows import NothingToDraw, Row, Scope
from generator.worlds.speech import Unsayable
from generator.worlds.ways import Templates, WayProgram

_LONGEST = 4000
"""Characters of a request that are read."""
_NAME = re.compile(r"(?<![\w'])[A-Z][\w'-]+(?:\s+(?:(?:de|of|the|van|la)\s+)?[A-Z0-9][\w'-]*)*")
_ENDS = re.compile(r"(?:^|[.!?:]\s+|\n\s*)$")
_ADDRESSES = ("email", "mail", "recipient", "to", "url", "uri", "link", "website")
_DAYS = ("date", "day", "start", "end", "check_in", "check_out", "checkin", "checkout", "departure", "arrival")


class Said:
    """The words of one request, read when they are first asked for."""

    def __init__(self, text: str, today: date) -> None:
        self.text = text[:_LONGEST]
        self._today = today

    def stands(self, value: JsonValue) -> bool:
        """Say whether a value stands in the request as it is; of a list, whether each does."""
        if isinstance(value, list):
            return bool(value) and all(map(self.stands, value))
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            return False
        wanted = re.escape(str(value).casefold()).replace("_", "[ _-]").replace(r"\ ", r"\s+")
        return bool(wanted) and re.search(rf"(?<!\w){wanted}(?!\w)", self.text.casefold()) is not None

    @cached_property
    def days(self) -> list[str]:
        """The days, as dates."""
        folded = fold(self.text)
        phrases = phrases_of(folded, ("en",))
        written = [day for each in days_of(folded, phrases) for day in list(each.near(self._today))[:1]]
        told = [*written, *(day for day, _ in relative_days(phrases, self._today))]
        return list(dict.fromkeys(day.isoformat() for day in told))

    @cached_property
    def numbers(self) -> list[float]:
        """The numbers, in figures and in words."""
        return list(dict.fromkeys(each.value for each in quantities_of(fold(self.text))))

    @cached_property
    def quotes(self) -> list[str]:
        """What stands between quotation marks."""
        return [each.text for each in literals_of(self.text) if each.sort == "quote"]

    @cached_property
    def addresses(self) -> list[str]:
        """Addresses of mail and of pages."""
        return [each.text for each in literals_of(self.text) if "@" in each.text or "://" in each.text]

    @cached_property
    def codes(self) -> list[str]:
        """What names one thing: codes and paths."""
        literals = (each for each in literals_of(self.text) if each.sort != "quote")
        return [each.text for each in literals if re.search(r"\d", each.text) and re.search(r"[A-Za-z]", each.text)]

    @cached_property
    def names(self) -> list[str]:
        """Names, as far as capitals tell: the first word of a sentence is none."""
        found = (
            match[0].partition(" ")[2] if _ENDS.search(self.text[: match.start()]) else match[0]
            for match in _NAME.finditer(self.text)
        )
        return [name.removesuffix("'s") for name in found if name[:1].isupper()]

    def candidates(self, name: str, schema: JsonValue) -> Iterator[JsonValue]:
        """Yield the values of the request that an argument may take, the likeliest first."""
        if not isinstance(schema, dict):
            return
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        if isinstance(schema.get("enum"), list):
            yield from sorted(filter(self.stands, schema["enum"]), key=lambda value: -len(str(value)))
        elif kind == "array":
            yield from ([value] for value in self.candidates(name, schema.get("items")))
        elif "string" in kinds:
            yield from self._texts(name.casefold(), schema)
        elif "integer" in kinds:
            yield from map(int, filter(float.is_integer, self.numbers))
        elif "number" in kinds:
            yield from map(_plain, self.numbers)

    def _texts(self, name: str, schema: JsonObject) -> Iterator[str]:
        form = schema.get("format")
        parts = set(re.split(r"[^a-z]+", name)) | {name}
        if form == "date" or (form is None and parts & set(_DAYS)):
            yield from self.days
        elif form in ("email", "uri", "url") or (form is None and parts & set(_ADDRESSES)):
            yield from self.addresses
        if form is not None:
            return
        if parts & {"id", "code", "key", "number"}:
            yield from self.codes
            return
        yield from self.quotes
        if not parts & set(_DAYS):
            yield from self.names


def _plain(number: float) -> float:
    return int(number) if number.is_integer() else number


@cache
def _words(*keys: str) -> str:
    """Return a pattern of the words that the languages have for sides, and for what joins them."""
    found = {word for code in LANGUAGES for key in keys for word in table(code, "roles").get(key, ())}
    return "|".join(re.escape(word) for word in sorted(found, key=len, reverse=True) if word[0].isalpha())


@cache
def _joined() -> re.Pattern[str]:
    """What stands between two of a list."""
    joint, little = _words("and"), _words("articles", "links", "second")
    return re.compile(rf"(?i)\s*(?:,|,?\s*\b(?:{joint})\b|&)(?:\s+(?:{little}))?\s*")


@cache
def _last_joined() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{_words('and')})\b|&")


@cache
def _clause_ends() -> re.Pattern[str]:
    """What ends a clause: signs, a joint, or a word that something comes besides."""
    besides = (entry for code in LANGUAGES for entry in entries(code, "claims", "besides"))
    joints = "|".join([_words("and"), *map(re.escape, besides), *map(re.escape, english("claims", "and"))])
    return re.compile(rf"(?i)[.!?]+\s+|[;\n]+|,\s+|\s+(?:{joints})\s+")


@cache
def _one_of_two() -> re.Pattern[str]:
    """What stands before two things that one call takes together."""
    return re.compile(rf"(?i)\b(?:{_words('between', 'first')})\s+$")


MOST_WANTS = 8
"""Things of one request that are seen."""
_MOST_CLAUSES = 32
_MOST_ITEMS = 64


class Want(NamedTuple):
    """One thing that is asked for: the tool that does it, and the words that ask."""

    tool: str
    text: str


def wants_of(text: str, tool_of: Callable[[str], str | None]) -> list[Want]:
    """Cut a request where another tool is asked for, or the same one with another name; empty where nothing is plain.

    `tool_of` names the tool that a clause asks for in so many words, None where it asks for none.
    """
    wants: list[Want] = []
    waiting = ""
    for clause in _clauses(text):
        tool = tool_of(clause)
        if tool is None and not wants:
            waiting += clause
        elif tool is None or (wants and _goes_on(wants[-1], tool, clause)):
            wants[-1] = wants[-1]._replace(text=wants[-1].text + clause)
        else:
            wants.append(Want(tool, waiting + clause))
            waiting = ""
    return [want if _states(want.text) else want._replace(text=text) for want in wants[:MOST_WANTS]]


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text, each with what ends it: together they are the text."""
    begun = 0
    for number, cut in enumerate(_clause_ends().finditer(text), start=1):
        if number == _MOST_CLAUSES:
            break
        yield text[begun : cut.end()]
        begun = cut.end()
    yield text[begun:]


def _goes_on(want: Want, tool: str, clause: str) -> bool:
    """Say whether a clause says more of the same thing: the same tool, and not a name in each."""
    return want.tool == tool and not (_said(want.text).names and _said(clause).names)


def _states(text: str) -> bool:
    said = _said(text)
    return bool(said.names or said.numbers or said.quotes or said.addresses or said.codes)


def _said(text: str) -> Said:
    return Said(text, DEFAULT_REFERENCE_DATE)


def is_joined(text: str) -> bool:
    """Say whether a text may name several things side by side."""
    return _last_joined().search(text) is not None


def one_by_one(text: str, named: Iterable[str]) -> list[str]:
    """Return a text once for each thing of its first list, as "Oslo and Porto", with that one alone in its place.

    `named` are things that the text may list beside names, codes, quotations and addresses. A text without a list is
    returned as it is.
    """
    said = _said(text)
    items = dict.fromkeys((*named, *said.quotes, *said.addresses, *said.codes, *said.names))
    for places in _lists(text, _places(text, list(items)[:_MOST_ITEMS])):
        begin, end = places[0][0], places[-1][1]
        joints = text[begin:end]
        if len(places) > 1 and _last_joined().search(joints) and not _one_of_two().search(text[:begin]):
            return [f"{text[:begin]}{text[start:stop]}{text[end:]}" for start, stop in places[:MOST_WANTS]]
    return [text]


def _places(text: str, items: list[str]) -> list[tuple[int, int]]:
    """Return where items stand, in order, the longer ones before what they hold."""
    taken: list[tuple[int, int]] = []
    for item in sorted(items, key=len, reverse=True):
        for found in re.finditer(
            rf"(?<!\w)[\"'\u201c\u201e\u00ab]?{re.escape(item)}[\"'\u201d\u201c\u00bb]?(?!\w)", text, re.I
        ):
            if all(found.end() <= start or found.start() >= end for start, end in taken):
                taken.append(found.span())
                break
    return sorted(taken)


def _lists(text: str, places: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield the places that follow each other with nothing but a joint in between."""
    run: list[tuple[int, int]] = []
    for place in places:
        if run and not _joined().fullmatch(text, run[-1][1], place[0]):
            yield run
            run = []
        run.append(place)
    if run:
        yield run


_SLOTS = re.compile(r"\{[^{}]*\}|<[^<>]*>")
_WORD = re.compile(r"[^\W\d_]{3,}")
_RESULT_NAMES = frozenset({"r", "it"})
"""What a reply may speak of where nobody knows what was drawn: the result alone."""
_TRIES = 3
_LOCALE = "en_US"
_SHORTEST_NAME = 3
_MOST_NAMES = 10_000
"""Names of tools that are remembered, known or not."""


def words_of(text: str) -> set[str]:
    """Return the words of a text that tell something, in small letters."""
    return {word.casefold() for word in _WORD.findall(text)} - little_words()


class DomainWords:
    """The domains of catalogs, the first that knows a tool before the others; those that come along are the last."""

    def __init__(self, catalogs: Sequence[Catalog] = ()) -> None:
        self._given = tuple(catalogs)
        self._compiled: dict[str, CompiledDomain | None] = {}
        self._lock = Lock()

    @cached_property
    def _catalogs(self) -> tuple[Catalog, ...]:
        return (*self._given, load_catalog([asset_folder("tool_specs")]).catalog)

    def _of(self, name: str) -> CompiledDomain | None:
        """Return the domain that speaks of a tool."""
        with self._lock:
            if name not in self._compiled and len(self._compiled) < _MOST_NAMES:
                self._compiled[name] = next(self._found(name), None)
            return self._compiled.get(name)

    def _found(self, name: str) -> Iterator[CompiledDomain]:
        for catalog in self._catalogs:
            domains = {domain.name: domain for domain in catalog.domains}
            for tool in catalog.tools:
                if tool.name == name and tool.domain in domains:
                    yield compiled_domain(domains[tool.domain], catalog.domain_tools[tool.domain])

    def asks_for(self, name: str) -> set[str]:
        """Return the words with which people ask for what a tool does."""
        compiled = self._of(name)
        ways = compiled.ways.get(name, ()) if compiled is not None else ()
        return {word for way in ways for word in _words_of_way(way)}

    def arguments(self, name: str, said: Said, seed: int) -> JsonObject | None:
        """Return arguments for a tool by one of its ways, over rows that the request names where it names any.

        None where no domain knows the tool, or nothing could be drawn.
        """
        compiled = self._of(name)
        ways = compiled.ways.get(name, ()) if compiled is not None else ()
        if compiled is None or not ways:
            return None
        for way in _likeliest(ways, said)[:_TRIES]:
            state = new_plan_state(compiled, seed, DEFAULT_REFERENCE_DATE, _LOCALE)
            try:
                return state.values_of(way.arguments, _drawn(state, way, said))
            except (PlanError, NothingToDraw):
                continue
        return None

    def mentioned(self, name: str, said: Said, seed: int) -> list[str]:
        """Return how the request names rows that a tool may be called over; empty where no domain knows the tool."""
        compiled = self._of(name)
        ways = compiled.ways.get(name, ()) if compiled is not None else ()
        if compiled is None or not ways:
            return []
        state = new_plan_state(compiled, seed, DEFAULT_REFERENCE_DATE, _LOCALE)
        scope, found = state.scope(), dict[str, None]()
        try:
            for draw, source in _likeliest(ways, said)[0].draws.items():
                drawn = scope.names[draw] = source(scope, state.random, {})
                if isinstance(drawn, Row):
                    found |= dict.fromkeys(text for text, _ in _rows_said(state, drawn, said))
        except (PlanError, NothingToDraw):
            return []
        return list(found)

    def reply(self, name: str, content: JsonValue, seed: int) -> str:
        """Return what is said of a result in the words of the domain; "" where it has none that fit."""
        compiled = self._of(name)
        if compiled is None:
            return ""
        state = new_plan_state(compiled, seed, DEFAULT_REFERENCE_DATE, _LOCALE)
        error = content.get("error") if isinstance(content, dict) else None
        if isinstance(error, dict) and isinstance(error.get("message"), str):
            failed = ToolResult(name, error_type=str(error.get("type") or "ERROR"), error_message=error["message"])
            return tell_error(compiled, failed, state.random)
        ending = outcome_of(ToolResult(name, content)).casefold()
        scope = state.scope(r=content, r1=content)
        for way in compiled.ways.get(name, ()):
            if text := _told(state, way, ending, scope):
                return text
        return ""


def _likeliest(ways: Sequence[WayProgram], said: Said) -> list[WayProgram]:
    """Return the ways, those first whose words the request shares."""
    wanted = words_of(said.text)
    return sorted(ways, key=lambda way: -len(wanted & _words_of_way(way)))


def _words_of_way(way: WayProgram) -> set[str]:
    return {word for template in way.requests for word in words_of(_SLOTS.sub(" ", template.source))}


def _drawn(state: PlanState, way: WayProgram, said: Said) -> Scope:
    """Draw what a way draws; a row that the request names takes the place of the one that was drawn."""
    scope = state.scope()
    for name, source in way.draws.items():
        drawn = source(scope, state.random, {})
        scope.names[name] = _named(state, drawn, said) if isinstance(drawn, Row) else drawn
    return scope


def _named(state: PlanState, drawn: Row, said: Said) -> Row:
    """Return the row of the same entity that the request names by the longest of its texts, else the one drawn."""
    said_of = [(len(text), row) for text, row in _rows_said(state, drawn, said)]
    return max(said_of, key=lambda each: each[0])[1] if said_of else drawn


def _rows_said(state: PlanState, drawn: Row, said: Said) -> Iterator[tuple[str, Row]]:
    """Yield each row of an entity that the request names, with the text by which it does."""
    for row in state.world.table(drawn.entity).values():
        for value in row.fields.values():
            if isinstance(value, str) and len(value) >= _SHORTEST_NAME and said.stands(value):
                yield value, row


def _told(state: PlanState, way: WayProgram, ending: str, scope: Scope) -> str:
    """Return a reply of a way to such a result, one that speaks of nothing else and can be said of it."""
    fitting: Templates = tuple(
        template
        for test, template in way.replies.get(ending, ())
        if template.names <= _RESULT_NAMES and (test is None or test(scope))
    )
    try:
        return state.tell(fitting, scope) if fitting else ""
    except (PlanError, NothingToDraw, Unsayable):
        return ""


_NOT_NOW = "I would need one of my tools for that, and I am not to call any now."
_LONGEST_TOLD = 2000
_MOST_PROPERTIES = 100
"""Properties of one tool for which the request is searched."""
_LONGEST_CUT = 4000
"""Characters of a request that are searched for several things."""


class _Words:
    """The words that a tool and its requests share: those of its name count double."""

    def __init__(self, function: JsonObject, known: DomainWords) -> None:
        name = function["name"]
        self.name = words_of(name.replace("_", " ").replace("-", " "))
        self._told = words_of(str(function.get("description") or "")) | known.asks_for(name)

    def shared(self, words: set[str]) -> int:
        """Return how much a request and the tool have in common."""
        return 2 * len(words & self.name) + len(words & self._told)


def _chooser(asked: Asked, known: DomainWords) -> Callable[[str], str | None]:
    """Return what names the one tool that a clause asks for with a word of its name, None where there is not one."""
    tools = {tool["function"]["name"]: _Words(tool["function"], known) for tool in asked.tools}

    def chosen(clause: str) -> str | None:
        words = words_of(clause)
        scores = {name: own.shared(words) for name, own in tools.items()}
        best = max(scores, key=scores.__getitem__)
        alone = sum(score == scores[best] for score in scores.values()) == 1
        return best if alone and words & tools[best].name else None

    return chosen


@dataclass(frozen=True, slots=True)
class StandIn:
    """Answers requests that continue no record."""

    seed: int = DEFAULT_SEED
    words: DomainWords = field(default_factory=DomainWords)

    def answer(self, asked: Asked, index: int = 0) -> Answer:
        """Return one turn: calls of tools that were sent, or a text.

        Raises:
            Refusal: a call or a JSON text is demanded, and no value that the schema accepts was found.
        """
        seed = derive_seed(self.seed, "served", asked.digest, index)
        name = self._chosen(asked, seed)
        if name is not None:
            return self._calls(asked, name, seed)
        if asked.json_schema is not None:
            return Answer(_json_text(asked.json_schema, seed))
        return Answer(self._text(asked, seed))

    def _chosen(self, asked: Asked, seed: int) -> str | None:
        """Return the tool to call; None where the assistant speaks."""
        if asked.named is not None:
            return asked.named
        if not _may_call(asked):
            return None
        words = words_of(_last_request(asked))
        scores = [
            (_Words(tool["function"], self.words).shared(words), tool["function"]["name"]) for tool in asked.tools
        ]
        best = max(score for score, _ in scores)
        if best == 0 and asked.choice == "auto":
            return None
        return str(stream(seed, "tool").choice([name for score, name in scores if score == best]))

    def _calls(self, asked: Asked, name: str, seed: int) -> Answer:
        """Return the calls that the request asks for; one alone where no more may be made at a time."""
        request = _last_request(asked)
        wants = [Want(name, request)] if asked.one_call else self._wants(asked, name, request, seed)
        made = dict.fromkeys((want.tool, dump_compact(self._called(asked, want, seed))) for want in wants)
        ids = draw_call_ids(len(made), stream(seed, "call id"))
        return Answer("", tuple(Call(each, *call) for each, call in zip(ids, made, strict=True)))

    def _wants(self, asked: Asked, name: str, request: str, seed: int) -> list[Want]:
        """Return what the request asks for: of several tools, or of one for several things that it lists."""
        apart = wants_of(request[:_LONGEST_CUT], _chooser(asked, self.words)) if asked.named is None else []
        wants = apart if len(apart) > 1 else [Want(name, request)]
        return [Want(want.tool, text) for want in wants for text in self._listed(want, seed)][:MOST_WANTS]

    def _listed(self, want: Want, seed: int) -> list[str]:
        if not is_joined(want.text):
            return [want.text]
        said = Said(want.text, DEFAULT_REFERENCE_DATE)
        return one_by_one(want.text[:_LONGEST_CUT], self.words.mentioned(want.tool, said, seed))

    def _called(self, asked: Asked, want: Want, seed: int) -> JsonObject:
        return self._arguments(asked.tool(want.tool) or {}, Said(want.text, DEFAULT_REFERENCE_DATE), seed)

    def _arguments(self, function: JsonObject, said: Said, seed: int) -> JsonObject:
        """Return arguments that the parameters accept.

        Raises:
            Refusal: none are known.
        """
        name, parameters = function["name"], function["parameters"]
        validator = validator_for(parameters)
        drawn = self.words.arguments(name, said, seed)
        if drawn is None or not validator.is_valid(drawn):
            context = Context(name=name, description=str(function.get("description") or ""))
            try:
                drawn = synthesize_value(parameters, seed=seed, context=context)
            except ValueSynthesisError as error:
                message = f"no arguments for {name} are known that its parameters accept: {error}"
                raise Refusal(400, message, "invalid_function_parameters", "tools") from error
        return _grounded(drawn, parameters, validator, said)

    def _text(self, asked: Asked, seed: int) -> str:
        """Return what is said: of the results, or that nothing can be done."""
        random = stream(seed, "reply")
        results = _results(asked)
        if results:
            return " ".join(self.words.reply(name, content, seed) or _plainly(content) for name, content in results)
        if asked.tools and asked.choice == "none":
            return _NOT_NOW
        declining = phrases()["declining"]["deed" if asked.tools else "without_tools"]
        return str(random.choice(declining)).format(deed="do that")


def _grounded(drawn: JsonObject, parameters: JsonObject, validator: SchemaValidator, said: Said) -> JsonObject:
    """Return the arguments with values of the request in place of such that it does not state, as far as they fit."""
    declared = parameters.get("properties")
    properties = list(declared.items())[:_MOST_PROPERTIES] if isinstance(declared, dict) else []
    used = {str(value) for value in drawn.values() if said.stands(value)}
    for name, schema in properties:
        shape = resolved(schema, parameters)
        is_settled = said.stands(drawn[name]) if name in drawn else "enum" not in shape
        if is_settled:
            continue
        for value in said.candidates(name, shape):
            changed = {**drawn, name: value}
            if str(value) not in used and validator.is_valid(changed):
                used.add(str(value))
                drawn = changed
                break
    return drawn


def _json_text(schema: JsonValue, seed: int) -> str:
    try:
        return dump_compact(synthesize_value(schema, seed=seed))
    except ValueSynthesisError as error:
        message = f"no value is known that the schema of the answer accepts: {error}"
        raise Refusal(400, message, param="response_format") from error


def _may_call(asked: Asked) -> bool:
    """Say whether a call may be made; where it is left open, results are to be told first."""
    if not asked.tools or asked.choice == "none":
        return False
    return asked.choice != "auto" or not _results(asked)


def _last_request(asked: Asked) -> str:
    said = (message.get("content") for message in reversed(asked.messages) if message["role"] == "user")
    found = next(said, "")
    return found if isinstance(found, str) else dump_compact(found)


def _results(asked: Asked) -> list[tuple[str, JsonValue]]:
    """Return the results at the end of the conversation, in the order of their calls, each with its tool."""
    contents: dict[str, JsonValue] = {}
    for message in reversed(asked.messages):
        if message["role"] != "tool":
            calls = message.get("tool_calls") or () if contents else ()
            return [(call["function"]["name"], contents[call["id"]]) for call in calls if call["id"] in contents]
        contents[message["tool_call_id"]] = _value(message.get("content"))
    return []


def _value(content: JsonValue) -> JsonValue:
    try:
        return orjson.loads(content) if isinstance(content, str) else content
    except orjson.JSONDecodeError:
        return content


def _plainly(content: JsonValue) -> str:
    """Tell a result as it is."""
    error = content.get("error") if isinstance(content, dict) else None
    if error:
        message = error.get("message") if isinstance(error, dict) else error
        return f"That did not work: {_cut(message)}"
    if isinstance(content, dict) and content:
        return f"Here is what came back: {_cut(', '.join(_fields(content)))}."
    return f"Here is what came back: {_cut(content)}." if content not in (None, "", [], {}) else "Nothing came back."


def _fields(content: JsonObject) -> Iterator[str]:
    for key, value in content.items():
        yield f"{key.replace('_', ' ')}: {value if isinstance(value, str) else dump_compact(value)}"


def _cut(value: JsonValue) -> str:
    text = value if isinstance(value, str) else dump_compact(value)
    return text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}..."
