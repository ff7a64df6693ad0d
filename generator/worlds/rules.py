"""Rules: what holds between the arguments of a call, `book_room.check_in < book_room.check_out`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from generator.jsontext import JsonObject
from generator.worlds.calculation import NoFormula, compile_formula
from generator.worlds.compiler import ALWAYS, Compiler, Path, Value
from generator.worlds.rows import Scope

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
