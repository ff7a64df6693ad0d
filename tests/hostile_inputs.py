"""Inputs that ask for too much time or memory, and what each command says of them, measured in a process of its own.

python -m tests.hostile_inputs    prints the table
"""

from __future__ import annotations

import json
import string
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from generator.validation.shape import MOST_CALLS, MOST_MESSAGES
from tests.bounded import communicate
from tests.checkout import CHECKOUT

Json = Any  # parsed JSON
Make = Callable[[], bytes]

_CHILD = (
    "import resource, sys\n"
    "resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[1]), int(sys.argv[1])))\n"
    "from generator.cli import main\n"
    "code = main(sys.argv[2:])\n"
    "used = resource.getrusage(resource.RUSAGE_SELF)\n"
    "peak = open('/proc/self/status').read().partition('VmHWM:')[2].split()[0]\n"
    "print('\\x1e', code, used.ru_utime + used.ru_stime, int(peak) // 1024, file=sys.stderr)\n"
)
_MOST_CPU = 240
"""Seconds of the processor after which the system ends a command."""
_PATIENCE = 1_800.0
"""Seconds of waiting for one that waits itself, on a machine that may be busy."""


class Measured(NamedTuple):
    """How a command ended."""

    code: int
    seconds: float
    """Of the processor, as many as they were on a quiet machine."""
    megabytes: int
    said: str
    """stdout and stderr."""


def measure(arguments: Sequence[str]) -> Measured:
    """Run one command."""
    command = [sys.executable, "-c", _CHILD, str(_MOST_CPU), *arguments]
    process = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err, slowness = communicate(process, _PATIENCE)
    said, _, figures = err.decode().rpartition("\x1e")
    assert figures, f"it died with code {process.returncode}: {said}"
    code, seconds, megabytes = figures.split()
    return Measured(int(code), float(seconds) / slowness, int(megabytes), out.decode() + said)


def _id(number: int) -> str:
    letters = string.ascii_letters + string.digits
    return "".join(letters[number // len(letters) ** place % len(letters)] for place in range(9))


def _user(text: str) -> Json:
    return {"role": "user", "content": text}


def _reply(text: str) -> Json:
    return {"role": "assistant", "content": text}


def _call(number: int, arguments: Json = None) -> Json:
    function = {"name": "get_weather", "arguments": arguments or {"city": f"Paris {number}"}}
    return {"id": _id(number), "type": "function", "function": function}


def _turn(*calls: Json) -> Json:
    return {"role": "assistant", "content": "", "tool_calls": list(calls)}


def _result(number: int, content: str = "") -> Json:
    told = content or json.dumps({"city": f"Paris {number}"})
    return {"role": "tool", "tool_call_id": _id(number), "name": "get_weather", "content": told}


def _tool(parameters: Json = None, name: str = "get_weather") -> Json:
    city = {"type": "string", "description": "Name of the city"}
    plain = {"type": "object", "properties": {"city": city}, "required": ["city"]}
    described = "Gets the weather of a city."
    return {"type": "function", "function": {"name": name, "description": described, "parameters": parameters or plain}}


def _record(messages: Json, *tools: Json) -> bytes:
    return json.dumps({"messages": messages, "tools": list(tools) or [_tool()]}).encode() + b"\n"


def _parallel(count: int, arguments: Callable[[int], Json] = lambda _: None, told: str = "Done.") -> bytes:
    calls = [_call(number, arguments(number)) for number in range(count)]
    return _record([_user("How is it?"), _turn(*calls), *map(_result, range(count)), _reply(told)])


def _serial(count: int) -> bytes:
    turns = [part for number in range(count) for part in (_turn(_call(number)), _result(number))]
    return _record([_user("How is it?"), *turns, _reply("Done.")])


def _talk(count: int, answer: str = "Zbornak says {}.5, on May 4, 1999 at 7:15pm.") -> bytes:
    return _record([part for at in range(count // 2) for part in (_user(f"And {at}?"), _reply(answer.format(at)))])


def _nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels + b"\n"


def _argument(text: str) -> bytes:
    call = _call(1, {"city": "@@"})
    return _record([_user("x"), _turn(call), _result(1), _reply("x")]).replace(b'"@@"', text.encode())


def _tools(*parameters: Json) -> bytes:
    return json.dumps([_tool(each, f"get_weather_{at}") for at, each in enumerate(parameters)]).encode()


def _chain(length: int) -> Json:
    links = {f"d{at}": {"$ref": f"#/$defs/d{at + 1}"} for at in range(length)}
    return _object({"a": {"$ref": "#/$defs/d0"}}) | {"$defs": {**links, f"d{length}": {"type": "string"}}}


def _object(properties: Json) -> Json:
    return {"type": "object", "properties": properties}


def _choices(count: int) -> Json:
    return _object({"a": {"enum": [f"v{at}" for at in range(count)]}})


def _alias(number: int) -> str:
    return f"*a{number}" if number >= 0 else "x"


def _anchors(count: int) -> Json:
    named = {f"d{at}": {"$anchor": f"x{at}", "type": "string"} for at in range(count)}
    return _object({f"a{at}": {"$ref": f"#x{at}"} for at in range(count)}) | {"$defs": named}


def _redos(pattern: str) -> bytes:
    tool = _tool(_object({"city": {"type": "string", "description": "City", "pattern": pattern}}))
    call = _call(1, {"city": "a" * 5_000 + "!"})
    return _record([_user("x"), _turn(call), _result(1), _reply("x")], tool)


BEYOND = "are too many for a record"
RECORDS: dict[str, tuple[Make, str]] = {
    "20,000 calls at once": (lambda: _parallel(20_000), BEYOND),
    "20,000 calls one by one": (lambda: _serial(20_000), BEYOND),
    "100,000 messages": (lambda: _talk(100_000), BEYOND),
    "100,000 messages of one role": (lambda: _record([_user("x")] * 100_000), BEYOND),
    "many turns over a long text": (
        lambda: _record([_user("word " * 10**6), *[_reply("x"), _user("y")] * 100]), BEYOND
    ),
    "as many calls as are read": (lambda: _parallel(MOST_CALLS - 10), ""),
    "as many calls, none of which fits": (lambda: _parallel(MOST_CALLS - 10, lambda at: {"city": at, "odd": 1}), ""),
    "as many calls, all alike": (lambda: _parallel(MOST_CALLS - 10, lambda _: {"city": "Rome"}), ""),
    "3,000 calls one by one": (lambda: _serial(3_000), ""),
    "as many messages as are read": (lambda: _record([_user("x"), _reply("Bo 7")] * (MOST_MESSAGES // 2)), ""),
    "one huge request": (lambda: _record([_user("12 Paris on March 4 at 5pm " * 10**6), _reply("Zbornak: 7.")]), ""),
    "one huge answer": (lambda: _record([_user("Hi."), _reply("Zbornak says 5 on May 4, 1999. " * 10**6)]), ""),
    "one huge word": (lambda: _record([_user("a" * 3 * 10**7), _reply("9" * 5 * 10**6)]), ""),
    "markers without end": (lambda: _record([_user("<" * 10**7), _reply("<|" * 10**6 + "[INST" * 10**6)]), ""),
    "controls without end": (lambda: _record([_user("\x1b" * 10**6 + "\u202e" * 10**6), _reply("x")]), ""),
    "a list of 300,000 in an argument": (lambda: _argument(json.dumps([f"x{at}" for at in range(300_000)])), ""),
    "100,000 lists in each other": (lambda: _nested(100_000), "not JSON"),
    "100,000 lists in an argument": (lambda: _argument("[" * 10**5 + "]" * 10**5), "not JSON"),
    "a number without end": (lambda: _argument("1e400"), "not JSON"),
    "a million digits": (lambda: _argument("9" * 10**6), "not JSON"),
    "a pattern that takes for ever": (lambda: _redos("^(a+)+$"), ""),
    "a pattern that looks ahead for ever": (lambda: _redos("^(?=(a+)+$)(a|a)*b$"), ""),
    "200,000 keys named twice": (
        lambda: b'{"messages":[],' + b",".join(b'"k%d":1,"k%d":2' % (at, at) for at in range(200_000)) + b"}\n", ""
    ),
    "a tool with a million choices": (lambda: _record([_user("x"), _reply("x")], _tool(_choices(10**6))), ""),
    "20,000 tools": (lambda: _record([_user("x"), _reply("x")], *(_tool(name=f"t{at}") for at in range(20_000))), ""),
    "a tool with 20,000 references": (lambda: _record([_user("x"), _reply("x")], _tool(_chain(20_000))), "500 one"),
}  # fmt: skip
"""Records by what is hostile about them, each with what is said of it, if anything in particular."""

FILES: dict[str, tuple[Make, str]] = {
    "20,000 references in a row": (lambda: _tools(_chain(20_000)), "500 one from the other"),
    "5,000 anchors": (lambda: _tools(_anchors(5_000)), ""),
    "9,000 parameters": (lambda: _tools(_object({f"p{at}": {"type": "string"} for at in range(9_000)})), ""),
    "a million choices": (lambda: _tools(_choices(10**6)), ""),
    "5,000 alternatives": (
        lambda: _tools(_object({"a": {"anyOf": [_object({f"p{at}": {}}) for at in range(5_000)]}})), ""
    ),
    "100,000 tools": (lambda: _tools(*[None] * 100_000), "at most 16,777,216 are read"),
    "30,000 small tools": (
        lambda: json.dumps([{"name": f"t{at}", "parameters": {}} for at in range(30_000)]).encode(), "more than 20,000"
    ),
    "20,000 times the same tool": (lambda: json.dumps([_tool()] * 20_000).encode(), "and 19,980 more"),
    "a huge description": (lambda: json.dumps([_tool() | {"description": "(e.g. x, " * 10**6}]).encode(), ""),
    "a huge pattern": (lambda: _tools(_object({"a": {"type": "string", "pattern": "^(a{1000}){1000}$"}})), "regex"),
    "100,000 lists in each other": (lambda: _nested(100_000), "nested too deeply"),
    "a million digits": (lambda: b'[{"name": "a", "parameters": {"maximum": ' + b"9" * 10**6 + b"}}]", "digits"),
    "aliases that multiply": (
        lambda: "".join(f"a{at}: &a{at} [{', '.join([_alias(at - 1)] * 10)}]\n" for at in range(9)).encode(),
        "aliases expand",
    ),
    "lists in lists of YAML": (lambda: b"- " * 50_000 + b"x\n", "nested deeper"),
}  # fmt: skip
"""Tool files, likewise."""


def _print_table() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for command, inputs in (("validate", RECORDS), ("tools", FILES)):
            print(f"| {command} | exit code | CPU s | MB | says |\n|---|---|---|---|---|")
            for name, (make, _) in inputs.items():
                path = Path(folder) / "input.json"
                path.write_bytes(make())
                made = measure([command, str(path)])
                said = next((line for line in made.said.splitlines() if "/input.json" in line), "")
                said = said.replace(str(path), "FILE").replace("|", "\\|").strip()[:150]
                print(f"| {name} | {made.code} | {made.seconds:.1f} | {made.megabytes} | {said} |", flush=True)
            print()


if __name__ == "__main__":
    _print_table()
