"""SARIF 2.1.0, the format in which code scanners exchange what they found, written as it is found."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import orjson

from generator.jsontext import JsonObject, encodable
from generator.reports.violations import Verdict
from generator.validation.lines import Located
from generator.validation.rule_reference import entry, every_rule
from generator.version import VERSION

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class SarifReport:
    """Writes one run; its results are separate lines of the one JSON document."""

    def __init__(self) -> None:
        self._index = {code: number for number, code in enumerate(every_rule())}
        self._before = ""

    def begin(self) -> Iterator[str]:
        """Yield the head: the program and every rule it knows."""
        driver = {"name": "toolgen", "semanticVersion": VERSION, "rules": [_rule(code) for code in every_rule()]}
        yield f'{{"$schema":"{SCHEMA}","version":"2.1.0","runs":[{{"tool":{{"driver":{_text(driver)}}},"results":['

    def add(self, source: str, located: Sequence[Located]) -> Iterator[str]:
        """Yield one result for each violation."""
        uri = _uri(source)
        for each in located:
            yield self._before + _text(self._result(uri, each))
            self._before = ","

    def end(self, verdict: Verdict) -> Iterator[str]:
        """Yield the tail: how the run ended."""
        invocation: JsonObject = {"executionSuccessful": not verdict.failure, "exitCode": verdict.exit_code}
        if messages := [*filter(None, [verdict.failure]), *verdict.unmet]:
            notifications = [{"level": "error", "message": {"text": encodable(text)}} for text in messages]
            invocation["toolExecutionNotifications"] = notifications
        yield f'],"invocations":[{_text(invocation)}]}}]}}'

    def _result(self, uri: str, located: Located) -> JsonObject:
        location: JsonObject = {
            "physicalLocation": {"artifactLocation": {"uri": uri}, "region": {"startLine": located.line}}
        }
        if located.pointer:
            location["logicalLocations"] = [{"fullyQualifiedName": located.pointer, "kind": "element"}]
        return {
            "ruleId": located.rule,
            "ruleIndex": self._index[located.rule],
            "level": located.severity,
            "message": {"text": _plain(located.message)},
            "locations": [location],
        }


def _rule(code: str) -> JsonObject:
    explained = entry(code)
    return {
        "id": code,
        "shortDescription": {"text": explained.summary},
        "fullDescription": {"text": explained.why},
        "help": {
            "text": f"{explained.summary} {explained.why} Source: {explained.source}. Examples: toolgen rule {code}"
        },
        "defaultConfiguration": {"level": explained.severity if explained.severity != "off" else explained.read},
    }


def _uri(source: str) -> str:
    path = Path(source)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))


def _plain(message: str) -> str:
    """Return a message without links: SARIF reads `[text](place)` as one, and what a record holds is quoted there."""
    return message.replace("](", "] (")


def _text(value: JsonObject) -> str:
    return orjson.dumps(value).decode()
