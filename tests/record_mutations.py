"""Every way in which a rule can be broken, as a named change of a valid record of any kind.

A change takes a record of its own to spoil and returns whether it could: not every record has calls, results or
errors.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from itertools import pairwise, permutations
from typing import Any, NamedTuple

Json = Any  # parsed JSON
Change = Callable[[Json], bool]
UNCALLED = "nobody123"


class Mutation(NamedTuple):
    """A change, and the rule that has to catch it."""

    code: str
    name: str
    change: Change


def calls(record: Json) -> list[Json]:
    return [call for turn in record["messages"] for call in turn.get("tool_calls", ())]


def turns(record: Json, fewest: int = 1) -> list[Json]:
    return [turn for turn in record["messages"] if len(turn.get("tool_calls", ())) >= fewest]


def spoken(record: Json, role: str) -> list[Json]:
    return [turn for turn in record["messages"] if turn["role"] == role and "tool_calls" not in turn]


def tool_of(record: Json, call: Json) -> Json:
    return next(tool["function"] for tool in record["tools"] if tool["function"]["name"] == call["function"]["name"])


def properties(function: Json) -> Json:
    return function["parameters"]["properties"]


def on(found: Callable[[Json], list[Json]], change: Callable[[Json], Any]) -> Change:
    """Change the last of what is found; False where there is none, or where the change says so."""

    def apply(record: Json) -> bool:
        place = found(record)
        return bool(place) and change(place[-1]) is not False

    return apply


def whole(change: Callable[[Json], Any]) -> Change:
    return lambda record: change(record) is not False


def setting(key: str, value: Json) -> Callable[[Json], None]:
    return lambda holder: holder.update({key: value})


def losing(key: str) -> Callable[[Json], bool]:
    return lambda holder: holder.pop(key, None) is not None


def results(record: Json) -> list[Json]:
    return spoken(record, "tool")


def functions(record: Json) -> list[Json]:
    """The definitions that nothing calls first, so that the last is called where any is."""
    called = {call["function"]["name"] for call in calls(record)}
    return sorted((tool["function"] for tool in record["tools"]), key=lambda function: function["name"] in called)


def given(kind: type, record: Json) -> Iterator[tuple[Json, str]]:
    """Each top-level argument of a type, with the arguments that hold it."""
    for call in calls(record):
        arguments = call["function"]["arguments"]
        yield from ((arguments, name) for name, value in arguments.items() if type(value) is kind)


def argument(kind: type, value: Json) -> Change:
    """Give the last argument of a type, where its schema has that type alone, another value."""
    wanted = {int: "integer", str: "string"}[kind]

    def apply(record: Json) -> bool:
        for call in reversed(calls(record)):
            declared = properties(tool_of(record, call))
            for name, held in call["function"]["arguments"].items():
                schema = declared.get(name, {})
                free = kind is int or schema.keys() <= {"type", "description", "examples", "title"}
                if type(held) is kind and schema.get("type") == wanted and free:
                    call["function"]["arguments"][name] = value
                    return True
        return False

    return apply


def each_call(change: Callable[[Json, Json, Json], Any]) -> Change:
    """Change the last call, given its arguments and the properties that its tool declares."""

    def apply(record: Json) -> bool:
        for call in reversed(calls(record)):
            function = tool_of(record, call)
            if change(call["function"]["arguments"], properties(function), function["parameters"]):
                return True
        return False

    return apply


def lose_required(arguments: Json, _declared: Json, parameters: Json) -> bool:
    return any(arguments.pop(name, None) is not None for name in parameters.get("required", ()))


def leave_enum(arguments: Json, declared: Json, _parameters: Json) -> bool:
    for name in arguments:
        if "enum" in declared.get(name, {}):
            arguments[name] = "none of them"
            return True
    return False


def leave_type(arguments: Json, declared: Json, _parameters: Json) -> bool:
    for name in arguments:
        if declared.get(name, {}).get("type") in ("string", "integer", "number", "boolean"):
            arguments[name] = {"odd": []}
            return True
    return False


def undeclared(arguments: Json, declared: Json, parameters: Json) -> bool:
    closed = parameters.get("additionalProperties", False) is False
    if declared and closed:
        arguments["undeclared_argument"] = 1
    return bool(declared and closed)


def null_optional(arguments: Json, declared: Json, parameters: Json) -> bool:
    for name in declared:
        if name not in parameters.get("required", ()) and name in arguments:
            arguments[name] = None
            return True
    return False


def leave_format(arguments: Json, declared: Json, _parameters: Json) -> bool:
    for name in arguments:
        if declared.get(name, {}).get("format") in ("date", "date-time", "email", "uri", "uuid", "time"):
            arguments[name] = "no such format"
            return True
    return False


def rename_call(name: Json) -> Change:
    return on(calls, lambda call: call["function"].update(name=name))


def rename_result(record: Json) -> bool:
    found = results(record)
    if found:
        found[-1]["name"] = found[-1]["name"] + "_2"
    return bool(found)


def second_id(record: Json) -> bool:
    found = calls(record)
    if len(found) > 1:
        found[1]["id"] = found[0]["id"]
    return len(found) > 1


def results_first(record: Json) -> bool:
    messages = record["messages"]
    at = next((index for index, turn in enumerate(messages) if "tool_calls" in turn), None)
    if at is None:
        return False
    messages.insert(at, messages.pop(at + 1))
    return True


def user_between(record: Json) -> bool:
    messages = record["messages"]
    at = next((index for index, turn in enumerate(messages) if "tool_calls" in turn), None)
    if at is not None:
        messages.insert(at + 1, {"role": "user", "content": "And?"})
    return at is not None


def swap_results(record: Json) -> bool:
    messages = record["messages"]
    for index, turn in enumerate(messages[:-2]):
        if len(turn.get("tool_calls", ())) > 1:
            messages[index + 1], messages[index + 2] = messages[index + 2], messages[index + 1]
            return True
    return False


def lose_result(record: Json) -> bool:
    found = results(record)
    if found:
        record["messages"].remove(found[-1])
    return bool(found)


def answer_again(record: Json) -> bool:
    found = results(record)
    if found:
        record["messages"].insert(record["messages"].index(found[-1]), dict(found[-1]))
    return bool(found)


def call_again(turn: Json) -> None:
    first = turn["tool_calls"][0]
    turn["tool_calls"].append({**first, "id": UNCALLED})


def failed(record: Json) -> list[Json]:
    return [result for result in results(record) if result["content"].startswith('{"error":{')]


def succeeded(record: Json) -> list[Json]:
    return [result for result in results(record) if result not in failed(record)]


def error(**fields: Json) -> Callable[[Json], None]:
    def change(result: Json) -> None:
        told = json.loads(result["content"])["error"]
        told.update(fields)
        result["content"] = json.dumps({"error": told}, separators=(",", ":"))

    return change


def mistyped_error(result: Json) -> None:
    told = json.loads(result["content"])["error"]
    error(type="CONFIGURATION_ERROR" if told["type"] != "CONFIGURATION_ERROR" else "INVALID_STATE")(result)


def silent_error(result: Json) -> None:
    told = json.loads(result["content"])["error"]
    del told["message"]
    result["content"] = json.dumps({"error": told}, separators=(",", ":"))


def status(value: str) -> Change:
    def apply(record: Json) -> bool:
        found = failed(record) if value == "SUCCESS" else succeeded(record)
        if found:
            record["metadata"]["statuses"][found[-1]["tool_call_id"]] = value
        return bool(found)

    return apply


def lose_status(record: Json) -> bool:
    return bool(record["metadata"]["statuses"]) and bool(record["metadata"]["statuses"].popitem())


def spaced(result: Json) -> bool:
    text = json.dumps(json.loads(result["content"]), ensure_ascii=False, indent=1)
    changed = text != result["content"]
    result["content"] = text
    return changed


def strict_tool(**fields: Json) -> Change:
    """Show one more tool, in strict mode, with something wrong in its parameters."""
    part = {"type": "string", "description": "A part."}
    parameters = {"type": "object", "properties": {"part": part}, "required": ["part"], "additionalProperties": False}
    parameters.update(fields)
    function = {"name": "strict_one", "description": "Do it.", "parameters": parameters, "strict": True}
    return whole(lambda record: record["tools"].append({"type": "function", "function": function}))


def nested(levels: int) -> Json:
    schema: Json = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"], "additionalProperties": False}
    return schema["properties"]


def declared(name: str, schema: Json) -> Change:
    """Give the last definition one more parameter."""
    return on(functions, lambda function: properties(function).update({name: {"description": "A part.", **schema}}))


def show_again(record: Json) -> bool:
    if record["tools"]:
        record["tools"].append(record["tools"][-1])
    return bool(record["tools"])


def typed(name: Json) -> Change:
    """Change the type of a parameter that the last definition declares."""

    def change(function: Json) -> bool:
        for schema in properties(function).values():
            if schema.get("type") == "string":
                schema["type"] = name
                return True
        return False

    return on(functions, change)


def undescribed(function: Json) -> bool:
    return any(schema.pop("description", None) for schema in properties(function).values())


def says(role: str, text: str) -> Change:
    """Add to what is said last by a role."""
    return on(lambda record: spoken(record, role), lambda turn: turn.update(content=f"{turn['content']} {text}"))


def answered(text: str, *, add: bool) -> Change:
    """Say something else after results: beside what is said, or in its place."""

    def apply(record: Json) -> bool:
        if not results(record) or record["messages"][-1]["role"] != "assistant":
            return False
        last = record["messages"][-1]
        last["content"] = f"{last['content']} {text}" if add else text
        return True

    return apply


def asked(text: str) -> Change:
    """Say something more before the last call."""

    def apply(record: Json) -> bool:
        called = [at for at, message in enumerate(record["messages"]) if message.get("tool_calls")]
        spoken = [at for at in range(called[-1] if called else 0) if record["messages"][at]["role"] == "user"]
        if not spoken:
            return False
        message = record["messages"][spoken[-1]]
        message["content"] = f"{message['content']} {text}"
        return True

    return apply


def lists_a_third(record: Json) -> bool:
    """Name a third thing between two that calls made at once are given for one parameter."""
    for at, message in enumerate(record["messages"]):
        for one, other in pairwise(call["function"] for call in message.get("tool_calls", ())):
            for name, value in one["arguments"].items():
                further = other["arguments"].get(name)
                plain = all(
                    isinstance(each, str) and each.replace(" ", "").isalpha() and each.istitle()
                    for each in (value, further)
                )
                before = record["messages"][at - 1]
                if plain and one["name"] == other["name"] and value != further and before["role"] == "user":
                    before["content"] += f" That is {value}, Zembla and {further}."
                    return True
    return False


def other_kind(record: Json) -> None:
    record["metadata"]["kind"] = "irrelevance" if calls(record) else "simple"


def system_later(record: Json) -> None:
    record["messages"].insert(2, {"role": "system", "content": "Be brief."})


def assistant_first(record: Json) -> None:
    at = 1 if record["messages"][0]["role"] == "system" else 0
    record["messages"].insert(at, {"role": "assistant", "content": "Good day."})


def doubled_user(record: Json) -> None:
    at = next(index for index, turn in enumerate(record["messages"]) if turn["role"] == "user")
    record["messages"].insert(at, dict(record["messages"][at]))


def deep(levels: int) -> Json:
    value: Json = []
    for _ in range(levels):
        value = [value]
    return value


def metadata(key: str, value: Json) -> Change:
    return whole(lambda record: record["metadata"].update({key: value}))


def covers_nothing(record: Json) -> bool:
    """Answer without a word on the results; that nothing was found needs none, and errors are another rule's."""
    if record["metadata"]["kind"] == "empty_result" or failed(record):
        return False
    return answered("That is what there is to say.", add=False)(record)


def mixes_up(record: Json) -> bool:
    """Give the figures of two results of one tool to each other, beside names that tell the two apart."""
    if record["messages"][-1]["role"] != "assistant" or len(turns(record)) != 1:
        return False
    values = [json.loads(each["content"]) for each in results(record)]
    if len(values) != 2 or failed(record) or len({call["function"]["name"] for call in calls(record)}) != 1:
        return False
    first, second = (
        {**value, **call["function"]["arguments"]} for value, call in zip(values, calls(record), strict=True)
    )
    same = [name for name in first if name in second and first[name] != second[name]]
    names = [
        name
        for name in same
        if isinstance(first[name], str) and f"{first[name]}{second[name]}".replace(" ", "").isalpha()
    ]
    figures = [name for name in same if type(first[name]) is float or (type(first[name]) is int and first[name] > 9)]
    figures = [name for name in figures if float(second[name]) > 9]
    held = [str(value) for each in (first, second) for value in each.values()]
    told = [str(each[name]) for name in (*names[:1], *figures[:1]) for each in (first, second)]
    if not (names and figures) or any(held.count(value) > 1 for value in told):
        return False
    name, figure = names[0], figures[0]
    text = f"So {second[figure]} is for {first[name]}; and then {first[figure]} is for {second[name]}."
    return answered(text, add=False)(record)


def exchanges_values(record: Json) -> bool:
    """Say two values of each of two calls side by side, and give one of each to the other call."""
    two = [[call["function"] for call in turn["tool_calls"]] for turn in turns(record, 2)]
    if len(two) != 1 or len(two[0]) != 2 or two[0][0]["name"] != two[0][1]["name"] or len(spoken(record, "user")) != 1:
        return False
    first, second = (each["arguments"] for each in two[0])
    names = [name for name in first if name in second and first[name] != second[name]]
    told = [str(each[name]) for name in names for each in (first, second)]
    if len(names) < 2 or any(one in other for one, other in permutations(told, 2)):
        return False
    text = "; then ".join(" with ".join(str(each[name]) for name in names) for each in (first, second))
    spoken(record, "user")[0]["content"] = text
    first[names[0]], second[names[0]] = second[names[0]], first[names[0]]
    return True


def turns_range(record: Json) -> bool:
    """Give a call a range that ends before it begins."""
    for call in calls(record):
        tool_of(record, call)["parameters"]["properties"] |= {"min_price": {}, "max_price": {}}
        call["function"]["arguments"] |= {"min_price": 9, "max_price": 7}
        return not failed(record)
    return False


def exchanges_results(record: Json) -> bool:
    """Give each other's result to two calls of one tool, each of which names what its own call asks for."""
    made, answered_by = calls(record), results(record)
    if len(made) != 2 or len(turns(record, 2)) != 1 or failed(record):
        return False
    first, second = (call["function"] for call in made)
    name = next((name for name, value in first["arguments"].items() if isinstance(value, str) and len(value) > 4), "")
    mine, theirs = first["arguments"].get(name), second["arguments"].get(name)
    if first["name"] != second["name"] or not isinstance(theirs, str) or mine == theirs or len(theirs) < 5:
        return False
    for result, value in zip(answered_by, (theirs, mine), strict=True):
        result["content"] = json.dumps({"about": value})
    return True


def _last_result(record: Json) -> Json | None:
    """The result that the answer at the end is of, where it is the only one of its turn and an object."""
    messages = record["messages"]
    if len(messages) < 3 or [each["role"] for each in messages[-3:]] != ["assistant", "tool", "assistant"]:
        return None
    value = json.loads(messages[-2]["content"])
    return value if isinstance(value, dict) and "error" not in value else None


def fails_by_a_flag(record: Json) -> bool:
    value = _last_result(record)
    if value is None:
        return False
    record["messages"][-2]["content"] = json.dumps({**value, "success": False})
    record["messages"][-1]["content"] = "Here you are, all of it is done."
    return True


def counts_too_many(record: Json) -> bool:
    value = _last_result(record)
    lists = [key for key, each in (value or {}).items() if isinstance(each, list) and key.isalpha() and len(key) > 4]
    if len(lists) != 1:
        return False
    record["messages"][-1]["content"] = f"There are 977 {lists[0]} in all, and that is what you have asked me for."
    return True


def claims_a_deed(record: Json) -> bool:
    verbs = {"cancel": "canceled", "book": "booked", "add": "added", "reserve": "reserved", "create": "created"}
    found = [verb for tool in record["tools"] if (verb := tool["function"]["name"].split("_")[0]) in verbs]
    if not found or calls(record) or record["messages"][-2]["role"] != "user":
        return False
    record["messages"][-2]["content"] = f"Could you {found[0]} it for me, please?"
    record["messages"][-1]["content"] = f"I've {verbs[found[0]]} it for you."
    return True


def speaks_otherwise(record: Json) -> bool:
    users = [message for message in record["messages"] if message["role"] == "user"]
    if not results(record) or record["messages"][-1]["role"] != "assistant" or not users:
        return False
    users[0]["content"] = f"{users[0]['content']} Please tell me what there is of it, and how it was for you."
    record["messages"][-1]["content"] = "Aquí está todo lo que me has pedido para hoy, y no hay nada más que hacer."
    return True


def declines(record: Json) -> bool:
    if not record["tools"] or calls(record) or record["messages"][-2]["role"] != "user":
        return False
    wish = record["tools"][0]["function"]["name"].replace("_", " ")
    record["messages"][-2]["content"] = f"Could you {wish} for me? What is there?"
    record["messages"][-1]["content"] = "I'm sorry, but I can't do that."
    return True


def calls_again(record: Json) -> bool:
    """Make the only call of a record once more after its result."""
    if len(calls(record)) != 1 or failed(record):
        return False
    at = next(at for at, message in enumerate(record["messages"]) if message.get("tool_calls"))
    turn, result = copy.deepcopy(record["messages"][at : at + 2])
    turn["tool_calls"][0]["id"] = result["tool_call_id"] = "Zz9Yy8Xx7"
    record["messages"][at + 2 : at + 2] = [turn, result]
    return True


def fails_untold(record: Json) -> bool:
    found = failed(record)
    if len(found) == len(results(record)) and found and record["messages"][-1]["role"] == "assistant":
        record["messages"][-1]["content"] = "Here you are, all of it is done."
        return True
    return False


def given_texts(record: Json) -> Iterator[tuple[Json, str, str]]:
    """The arguments that repeat what a user said to the letter: where each stands, its name and its text."""
    said = " ".join(str(turn["content"]) for turn in spoken(record, "user"))
    for call in calls(record):
        for name, value in call["function"]["arguments"].items():
            if isinstance(value, str) and value in said:
                yield call, name, value


def shouts(record: Json) -> bool:
    """Give a text that the request quotes in capitals."""
    said = " ".join(str(turn["content"]) for turn in spoken(record, "user"))
    for call, name, value in given_texts(record):
        if any(f'"{value}{sign}"' in said for sign in (".", "?", "!", "")) and value != value.upper():
            call["function"]["arguments"][name] = value.upper()
            return True
    return False


def chooses_another(record: Json) -> bool:
    """Give another of a list's choices than the one that the request names in so many words."""
    said = " ".join(str(turn["content"]) for turn in record["messages"]).lower()
    if len(calls(record)) > 1 or len(spoken(record, "user")) > 1:
        return False
    for call, name, value in given_texts(record):
        choices = properties(tool_of(record, call)).get(name, {}).get("enum", ())
        others = [each for each in choices if not any(word in said for word in str(each).lower().split())]
        if value in choices and f" {value} " in said and len(value) > 3 and others:
            call["function"]["arguments"][name] = others[0]
            return True
    return False


def goes_on_and_on(record: Json) -> bool:
    """Make the request longer than is read to its end."""
    spoken(record, "user")[0]["content"] += " That is all there is to it." * 800
    return True
