"""Deriving: a domain from what definitions state, where nobody has written one; small, plain and honest.

Nothing here reads English. A tool's own name (or title) is its phrase, the names of its parameters are their labels,
their schemas give the values. OpenAPI's methods and paths tell which tools list, get, create, change and delete one
kind of thing; MCP's annotations tell reads from writes. The rest answers with what was given and a status.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.domains.domain import Ask, Domain, Entity, Find, Known, Parallel, ToolDomain, Way
from generator.domains.plain_requests import Given, given_together, is_nested, resolved, sayable_parts
from generator.jsontext import JsonObject, JsonValue
from generator.tools import Tool

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_MOST_IN_A_SENTENCE = 5
"""Arguments that one plain sentence can list; more are given in lines."""
_MOST_SAID = 20
_LONGEST_NAME = 60
_PATH_PARAMETER = re.compile(r"\{([^{}]+)\}")

_REQUESTS = (
    "{phrase}, please. {listed_capital}.",
    "{phrase}: {listed}.",
    "Could you do this for me? {phrase}, with {listed}.",
    "{phrase}. {listed_capital}.",
    "I need the following: {phrase_lower}, {listed}.",
)
_LINED_REQUESTS = (
    "{phrase}, please:\n{lines}",
    "Could you do this for me? {phrase}:\n{lines}",
    "{phrase}. These are the details:\n{lines}",
)
_BARE_REQUESTS = ("{phrase}, please.", "Could you do this for me? {phrase}.", "I need the following: {phrase_lower}.")
_REPLIES = ("This came back: {r|brief}.", "Here is the result: {r|brief}.", "It came back with {r|brief}.")
_DONE_REPLIES = (
    "That went through: the status is {r.status}.",
    "It worked, with the status {r.status}. Nothing beyond that came back.",
    "The call went through. All it tells is the status: {r.status}.",
)
_EMPTY_REPLIES = ("Nothing was found.", "The result is empty: there is nothing.")
_SEVERAL_REPLIES = ("These are the results, one for each:<each|lines: {r|brief}>",)
_SEVERAL_DONE = ("All of that went through.", "Done, every one of them went through.")
_QUESTIONS = ("What should the {label} be?", "Which {label} do you want?", "I still need the {label}. What is it?")
_ANSWERS = ("{slot}", "It's {slot}.", "{slot}, please.")
_CONFIRM = ("Shall I go ahead with this? {phrase}: {listed}.",)
_SEVERAL = ("{phrase} for each of these, please. <each|sentences: {listed_capital}.>",)


def derive_domain(tools: Iterable[Tool], name: str) -> Domain:
    """Return what the definitions of some tools state about them, as a domain of the origin `derived`."""
    known = {tool.name: tool for tool in tools}
    things = _things(known.values())
    found = {tool.name: _derived(tool, things) for tool in known.values()}
    return Domain(
        name=name,
        origin="derived",
        entities={thing.entity: thing.row() for thing in things.values() if thing.fields},
        tools={name: tool for name, tool in found.items() if tool is not None},
    )


def words_of(name: str) -> str:
    """Return the words of a name: `createIssue_comment` is "create issue comment"."""
    return " ".join(part for part in _HUMP.split(name) if part)


def phrase_of(tool: Tool) -> str:
    """Return what a tool is called: its title where it has one, else the words of its name, in lower case."""
    notes = tool.extensions.get("annotations")
    for title in (tool.extensions.get("title"), notes.get("title") if isinstance(notes, dict) else None):
        if isinstance(title, str) and 0 < len(title.strip()) <= _LONGEST_NAME:
            return title.strip()
    return words_of(tool.original_name or tool.name).lower()


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _inside(text: str) -> str:
    """Return a phrase as it stands within a sentence; an abbreviation keeps its capitals."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


@dataclass(frozen=True, slots=True)
class _Said:
    """A parameter as a sentence lists it: its name, its label, and the slot of its value."""

    name: str
    label: str
    slot: str

    @property
    def text(self) -> str:
        return f"{self.label}: {{{self.slot}}}" if "|yes:" in self.slot else f"{self.label} {{{self.slot}}}"

    @property
    def line(self) -> str:
        return f"- {self.label}: {{{self.slot}}}"


def _derived(tool: Tool, things: dict[str, _Thing]) -> ToolDomain | None:
    """Return what is known of one tool; None where no plain sentence says what it must be given."""
    said = sayable_parts(tool.parameters.get("properties", {}), tool.parameters)
    required = list(tool.parameters.get("required", ()))
    if not set(required) <= set(said) or len(required) > _MOST_SAID:
        return None
    thing = next((thing for thing in things.values() if tool.name in thing.roles), None)
    ways = tuple(
        _way(tool, given, said, thing)
        for given in given_together(required, said, changes=_needs_more(tool, required), creates=_creates(tool))
    )
    effect, result = thing.effect(tool) if thing is not None else ((), _plain_result(tool))
    return ToolDomain(
        can=phrase_of(tool).lower(), effect=effect, result=result, ways=ways, asks_first=_asks_first(tool) or None
    )


def _plain_result(tool: Tool) -> JsonValue:
    """Return what a tool answers with whose declared result tells nothing; None where more is known of it."""
    if tool.result_origin != "declared":
        return None
    root = resolved(tool.result_schema, tool.result_schema)
    if _is_any_text(root):
        return "ok"
    if root.get("type") != "object":
        return None
    parts = root.get("properties") or {}
    if _says_little(tool, root, parts):
        return {"status": "ok"}
    return dict.fromkeys(parts, "ok") if len(parts) == 1 and all(map(_is_any_text, parts.values())) else None


def _says_little(tool: Tool, root: JsonObject, parts: JsonObject) -> bool:
    """Say whether a result that declares these parts does not tell what a call brought."""
    if not parts and root.get("additionalProperties", True) is True:
        return True
    return _is_open(root) and (_is_computed(tool, parts) or _is_one_text(parts))


def _is_open(root: JsonObject) -> bool:
    """Say whether a result may leave out all that it declares, and hold something else."""
    return not root.get("required") and root.get("additionalProperties", True) is not False


def _is_one_text(parts: JsonObject) -> bool:
    """Say whether a result declares a text alone, or a list of texts, and nothing of what it says."""
    texts = [part.get("items", part) for part in parts.values() if isinstance(part, dict)]
    return len(parts) == 1 and all(map(_is_any_text, texts))


def _is_any_text(schema: JsonValue) -> bool:
    """Say whether a schema admits any text, and tells nothing of it but in words."""
    plain = {"type", "title", "description", "$schema", "$defs"}
    return isinstance(schema, dict) and schema.get("type") == "string" and schema.keys() <= plain


def _is_computed(tool: Tool, parts: JsonObject) -> bool:
    """Say whether numbers make nothing but numbers: nobody has told what these would be."""
    numbers = all(isinstance(each, dict) and each.get("type") in _NUMBERS for each in parts.values())
    given = [tool.parameters["properties"].get(name) for name in tool.parameters.get("required", ())]
    return bool(parts) and numbers and any(_holds_numbers(each) for each in given)


_NUMBERS = ("integer", "number")


def _holds_numbers(schema: JsonValue) -> bool:
    part = schema.get("items", schema) if isinstance(schema, dict) else {}
    return isinstance(part, dict) and part.get("type") in _NUMBERS


def _way(tool: Tool, given: Given, said: dict[str, JsonObject], thing: _Thing | None) -> Way:
    """Return the way in which some arguments are given."""
    names = list(given.names)
    draw: dict[str, JsonValue] = {"a": _drawn(tool, given, said)} if names else {}
    arguments: JsonObject = {name: f"$a.{place}" for place, name in enumerate(names)}
    parts = [_Said(name, _label(name), _slot(said[name], place)) for place, name in enumerate(names)]
    if thing is not None and (found := thing.given(tool, names)) is not None:
        draw["t"] = {"row": thing.entity}
        arguments[found] = f"$t.{thing.key}"
        parts = [each if each.name != found else _Said(found, thing.entity, "t") for each in parts]
    texts = _texts(tool, parts)
    return Way(
        draw=draw,
        arguments=arguments,
        requests=_filled(_forms(parts), texts),
        replies={"ok": _DONE_REPLIES if _tells_nothing(tool) else _REPLIES, "empty": _EMPTY_REPLIES},
        ask=tuple(_asks(tool, parts, said)),
        confirm=_confirm(tool, parts, texts),
        parallel=_parallel(tool, parts, texts) if thing is None else None,
        weight=given.weight,
    )


def _drawn(tool: Tool, given: Given, said: dict[str, JsonObject]) -> JsonObject:
    """Return what the values of some arguments are drawn by: the tool's schema, narrowed to what can be said."""
    schema = {**tool.parameters, "properties": {**tool.parameters.get("properties", {}), **said, **given.kept}}
    return {
        "schema": schema, "give": list(given.names), "tool": tool.original_name or tool.name,
        "description": tool.description,
    }  # fmt: skip


def _tells_nothing(tool: Tool) -> bool:
    """Say whether a tool answers with no more than that it was called."""
    if tool.result_origin == "domain":
        return True
    plain = _plain_result(tool)
    return isinstance(plain, dict) and "status" in plain


def _forms(parts: list[_Said]) -> tuple[str, ...]:
    if not parts:
        return _BARE_REQUESTS
    return _REQUESTS if len(parts) <= _MOST_IN_A_SENTENCE else _LINED_REQUESTS


def _texts(tool: Tool, parts: list[_Said]) -> dict[str, str]:
    """Return what stands in the places of the forms."""
    listed = [each.text for each in parts]
    return {
        "phrase": _sentence(phrase_of(tool)), "phrase_lower": _inside(phrase_of(tool)), "listed": ", ".join(listed),
        "listed_capital": _sentence("; ".join(listed)), "lines": "\n".join(each.line for each in parts),
    }  # fmt: skip


def _filled(forms: tuple[str, ...], texts: dict[str, str]) -> tuple[str, ...]:
    """Fill in the parts that are known already, and leave the slots of templates."""
    for name, value in texts.items():
        forms = tuple(form.replace(f"{{{name}}}", value) for form in forms)
    return forms


def _label(name: str) -> str:
    return words_of(name).lower() or name


def _slot(schema: JsonObject, place: int) -> str:
    if is_nested(schema):
        return f"a.{place}|parts"
    if schema.get("type") == "boolean":
        return f"a.{place}|yes:yes,no"
    if schema.get("type") == "string" and not {"enum", "const", "format"} & schema.keys():
        return f"a.{place}|cite"
    return f"a.{place}"


def _asks(tool: Tool, parts: list[_Said], said: dict[str, JsonObject]) -> Iterator[Ask]:
    """Yield the wish without one of the required arguments, and the question for it."""
    if len(parts) < 2:
        return
    required = [each for each in parts if each.name in tool.parameters.get("required", ())]
    short_enough = [each for each in required if not is_nested(said[each.name])]  # to be the answer to a question
    for missing in short_enough[:2]:
        rest = [each for each in parts if each is not missing]
        others = _texts(tool, rest)
        own = {"label": missing.label, "slot": f"{{{missing.slot.removesuffix('|cite')}}}"}
        yield Ask(
            missing=(missing.name,),
            requests=_filled(_forms(rest), others),
            questions=_filled(_QUESTIONS, own),
            answers=_filled(_ANSWERS, own),
        )


def _confirm(tool: Tool, parts: list[_Said], texts: dict[str, str]) -> tuple[str, ...]:
    return _filled(_CONFIRM, texts) if parts and (_writes(tool) or _asks_first(tool)) else ()


def _parallel(tool: Tool, parts: list[_Said], texts: dict[str, str]) -> Parallel | None:
    if tool.strict or not parts or len(parts) > _MOST_IN_A_SENTENCE:
        return None
    replies = _SEVERAL_DONE if _tells_nothing(tool) else _SEVERAL_REPLIES
    return Parallel(many=(2, 3), requests=_filled(_SEVERAL, texts), replies=replies)


def _writes(tool: Tool) -> bool:
    """Say whether a definition states that its tool changes something."""
    operation = tool.extensions.get("x_openapi")
    if isinstance(operation, dict):
        return str(operation.get("method", "get")).lower() not in ("get", "head", "options")
    notes = tool.extensions.get("annotations")
    return isinstance(notes, dict) and (notes.get("readOnlyHint") is False or notes.get("destructiveHint") is True)


_CONSENT = re.compile(r"(?i)\b(?:user|explicit)\b[^.]{0,40}\bconfirm|\bconfirm\w*\b[^.]{0,40}\b(?:user|yes)\b")


def _asks_first(tool: Tool) -> bool:
    """Say whether a definition states that the user confirms before each call."""
    return bool(tool.parameters.get("properties")) and _CONSENT.search(tool.description) is not None


def _needs_more(tool: Tool, required: list[str]) -> bool:
    """Say whether a tool changes something, and what it requires does not say what."""
    operation = tool.extensions.get("x_openapi")
    if not isinstance(operation, dict):
        return _writes(tool) and not required
    sent = {name for name, place in operation.get("arguments", {}).items() if place.get("in") == "body"}
    return str(operation.get("method", "")).lower() in ("post", "put", "patch") and not sent.intersection(required)


def _creates(tool: Tool) -> bool:
    """Say whether a definition states that its tool makes a new thing, as a `post` to a list of things does."""
    operation = tool.extensions.get("x_openapi")
    if not isinstance(operation, dict) or str(operation.get("method", "")).lower() != "post":
        return False
    return _PATH_PARAMETER.search(str(operation.get("path", ""))) is None


@dataclass(frozen=True, slots=True)
class _Thing:
    """A kind of thing that OpenAPI paths show: `/pets` and `/pets/{petId}`."""

    entity: str
    key: str
    fields: dict[str, JsonValue]
    """The schemas of what a result shows of it, by name."""
    roles: dict[str, str]
    """What each of its tools does: list, get, create, update, delete."""
    ids: dict[str, str]
    """The argument of each tool that holds the id."""
    bounds: JsonObject
    """Within what its tools take an id."""

    def row(self) -> Entity:
        """Return the entity: each field as its schema says."""
        named = [field for field in ("name", "title", "label", "username") if field in self.fields]
        lists = next((tool for tool, role in self.roles.items() if role == "list"), "")
        return Entity(
            key=self.key,
            rows=(3, 6),
            fields={name: self._source(name, schema) for name, schema in self.fields.items()},
            say=(f"{{{named[0]}}}",) if named else (),
            say_id=(f"{{{self.key}}}",),
            known=Known(find=3, typed=3),
            find=Find(call=lists) if lists and named else None,
        )

    def _source(self, name: str, schema: JsonValue) -> JsonObject:
        """Return what a field is drawn by: its schema, the id's within the bounds."""
        if name == self.key and isinstance(schema, dict):
            schema = {**schema, **self.bounds}
        return {"schema": schema, "tool": self.entity, "field": name}

    def given(self, tool: Tool, names: list[str]) -> str | None:
        """Return the argument that holds the id of one of the rows."""
        name = self.ids.get(tool.name)
        return name if name in names and self.fields else None

    def effect(self, tool: Tool) -> tuple[tuple[JsonObject, ...], JsonValue]:
        """Return what a call of one of its tools does, and what it gives back."""
        if not self.fields:
            return (), None
        given = self.ids.get(tool.name, "")
        found: JsonObject = {
            "get": self.entity, "where": [[self.key, "=", f"$args.{given}"]],
            "else": {"RESOURCE_NOT_FOUND": f"There is no such {self.entity}."},
        }  # fmt: skip
        given_too = {name: f"$args.{name}" for name in tool.parameters.get("properties", {}) if name in self.fields}
        own = {name: value for name, value in given_too.items() if name != self.key}
        match self.roles[tool.name]:
            case "list":
                return ({"list": self.entity},), _listed(tool)
            case "create":
                return ({"create": self.entity, "set": given_too},), "$it"
            case "update":
                return (found, {"update": "$it", "set": own}), "$it"
            case "delete":
                return (found, {"delete": "$it"}), {"deleted": True, self.key: f"$it.{self.key}"}
        return (found,), "$it"


def _listed(tool: Tool) -> JsonValue:
    """Return where the declared result holds its list: at the root, or under the key that does."""
    root = resolved(tool.result_schema, tool.result_schema)
    for name, schema in root.get("properties", {}).items():
        if resolved(schema, tool.result_schema).get("type") == "array":
            return {name: "$rows"}
    return "$rows"


_ROLES = {"get": "get", "put": "update", "patch": "update", "delete": "delete"}
_ROLES_OF_LISTS = {"get": "list", "post": "create"}


def _things(tools: Iterable[Tool]) -> dict[str, _Thing]:
    """Return the kinds of things that paths show, by the path of their list."""
    things: dict[str, _Thing] = {}
    for tool in tools:
        operation = tool.extensions.get("x_openapi")
        if not isinstance(operation, dict) or tool.result_origin != "declared":
            continue
        base, role, parameter = _place_of(operation)
        if role and "{" not in base and base.strip("/"):
            _join(things, base, tool, role, parameter)
    return {base: thing for base, thing in things.items() if _is_whole(thing)}


def _place_of(operation: JsonObject) -> tuple[str, str, str]:
    """Return the path of the list that an operation belongs to, its role there, and the parameter for the id.

    The role is "" where the method has none, the parameter where the operation is one of the whole list.
    """
    method, path = str(operation.get("method", "")).lower(), str(operation.get("path", "")).rstrip("/")
    collection, _, last = path.rpartition("/")
    if parameter := _PATH_PARAMETER.fullmatch(last):
        return collection, _ROLES.get(method, ""), parameter[1]
    return path, _ROLES_OF_LISTS.get(method, ""), ""


def _join(things: dict[str, _Thing], base: str, tool: Tool, role: str, parameter: str) -> None:
    name = words_of(base.rpartition("/")[2]).lower().replace(" ", "_")
    thing = things.setdefault(base, _Thing(name, "id", {}, {}, {}, {}))
    thing.roles[tool.name] = role
    if parameter:
        thing.ids[tool.name] = next((n for n in tool.parameters.get("properties", {}) if n == parameter), "")
        thing.bounds.update(_bounds(tool.parameters.get("properties", {}).get(parameter)))
    shown = _shown(tool.result_schema, role)
    if shown and not thing.fields:
        thing.fields.update(shown)


def _shown(root: JsonObject, role: str) -> dict[str, JsonValue]:
    """Return the properties of the object that a declared result shows, or lists."""
    if role == "delete":
        return {}
    schema = resolved(root, root)
    if role == "list":
        lists = [schema, *(resolved(each, root) for each in schema.get("properties", {}).values())]
        schema = resolved(next((each["items"] for each in lists if "items" in each), {}), root)
    properties = {name: resolved(inner, root) for name, inner in schema.get("properties", {}).items()}
    return {name: inner for name, inner in properties.items() if inner and "$ref" not in str(inner)}


def _bounds(schema: JsonValue) -> JsonObject:
    keys = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    return {key: schema[key] for key in keys if key in schema} if isinstance(schema, dict) else {}


def _is_whole(thing: _Thing) -> bool:
    """Say whether its rows have an id that tools are given."""
    return "id" in thing.fields and all(
        thing.ids.get(tool) for tool, role in thing.roles.items() if role not in ("list", "create")
    )
