"""Reports on violations: the same findings as text, JSON Lines, SARIF and annotations."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.reports.violations import (
    FIRST_PLACES,
    AnnotationReport,
    GroupedReport,
    JsonLinesReport,
    Limit,
    Report,
    SarifReport,
    Statistics,
    Verdict,
)
from generator.validation.lines import Located
from generator.validation.rule_reference import every_rule
from generator.validation.verdict import Tally, Violation

Json = Any  # parsed JSON

ID = Located(3, "DF005", "error", "/messages/2/tool_calls/0/id", "a call id is nine signs, not 'x'")
TEXT = Located(3, "DF010", "warning", "/messages/3/content", "the text of a JSON value")
LINE = Located(7, "TC101", "error", "", "100% no JSON:\r\n, at all")


def tally_of(*lines: list[Located]) -> Tally:
    tally = Tally()
    for located in lines:
        violations = [
            Violation(rule=e.rule, severity=e.severity, pointer=e.pointer, message=e.message) for e in located
        ]
        tally.add(violations)
    return tally


def written(report: Report, source: str, *lines: list[Located], **more: Any) -> list[str]:
    verdict = Verdict(tally_of(*lines), **more)
    added = [text for located in lines for text in report.add(source, located)]
    return [*report.begin(), *added, *report.end(verdict)]


def test_text_groups_by_rule_errors_first() -> None:
    assert written(GroupedReport(), "x.jsonl", [TEXT], [TEXT], [ID, ID], [LINE]) == [
        "DF005 error, 2 times in 1 record: A call id is exactly nine letters and digits.",
        "    x.jsonl:3: /messages/2/tool_calls/0/id: a call id is nine signs, not 'x'",
        "    x.jsonl:3: /messages/2/tool_calls/0/id: a call id is nine signs, not 'x'",
        "TC101 error, once in 1 record: A record can be stored as JSON, and is no larger than what is checked.",
        "    x.jsonl:7: /: 100% no JSON:\r\n, at all",
        "DF010 warning, 2 times in 2 records: The content of a tool message is serialized JSON.",
        "    x.jsonl:3: /messages/3/content: the text of a JSON value",
        "    x.jsonl:3: /messages/3/content: the text of a JSON value",
    ]


def test_text_shows_the_first_places_alone() -> None:
    lines = written(GroupedReport(), "x.jsonl", *[[ID]] * 1234)
    assert len(lines) == FIRST_PLACES + 2
    assert lines[0].startswith("DF005 error, 1,234 times in 1,234 records")
    assert lines[-1] == "    ... and 1,229 more"


def test_a_rule_may_be_an_error_here_and_a_warning_there() -> None:
    lines = written(GroupedReport(), "x.jsonl", [ID], [ID._replace(severity="warning")])
    assert [line.split(",")[0] for line in lines if not line.startswith(" ")] == ["DF005 error", "DF005 warning"]


def test_statistics_are_a_line_for_each_rule() -> None:
    lines = written(Statistics(), "x.jsonl", [TEXT], [ID, ID], [ID])
    assert [line.split() for line in lines] == [
        "3 in 2 records DF005 error A call id is exactly nine letters and digits.".split(),
        "1 in 1 records DF010 warning The content of a tool message is serialized JSON.".split(),
    ]


def test_json_lines_are_one_object_per_violation_and_a_summary() -> None:
    *violations, summary = map(json.loads, written(JsonLinesReport(), "x.jsonl", [ID, TEXT], [], [LINE]))
    assert [list(each) for each in violations] == [["file", "line", "rule", "severity", "pointer", "message"]] * 3
    assert violations[0] == {"file": "x.jsonl", **ID._asdict()}
    assert list(summary) == ["summary"]
    told = summary["summary"]
    assert (told["records"], told["passed"], told["errors"], told["warnings"]) == (3, 1, 2, 1)
    assert told["rules"] == {"DF005": 1, "DF010": 1, "TC101": 1}


@pytest.mark.parametrize(
    ("source", "located", "line"),
    [
        (
            "x.jsonl",
            TEXT,
            "::warning file=x.jsonl,line=3,title=DF010::DF010 /messages/3/content: the text of a JSON value",
        ),
        (
            "a,b:c%.jsonl",
            LINE,
            "::error file=a%2Cb%3Ac%25.jsonl,line=7,title=TC101::TC101 /: 100%25 no JSON:%0D%0A, at all",
        ),
    ],
)
def test_annotations_are_workflow_commands(source: str, located: Located, line: str) -> None:
    lines = written(AnnotationReport(), source, [located])
    assert lines[0] == line
    assert lines[-1].startswith("::notice title=toolgen validate::1 records, ")


def is_sarif(document: Json) -> None:
    """What the schema of SARIF 2.1.0 requires of the parts that are written here."""
    assert set(document) == {"$schema", "version", "runs"} and document["version"] == "2.1.0"
    for run in document["runs"]:
        assert set(run) == {"tool", "results", "invocations"}
        driver = run["tool"]["driver"]
        assert isinstance(driver["name"], str)
        ids = [rule["id"] for rule in driver["rules"]]
        assert len(ids) == len(set(ids))
        for rule in driver["rules"]:
            assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
            assert all(isinstance(rule[key]["text"], str) for key in ("shortDescription", "fullDescription", "help"))
        for result in run["results"]:
            assert isinstance(result["message"]["text"], str)
            assert result["level"] in ("none", "note", "warning", "error")
            assert ids[result["ruleIndex"]] == result["ruleId"]
            (location,) = result["locations"]
            place = location["physicalLocation"]
            assert place["region"]["startLine"] >= 1
            assert " " not in place["artifactLocation"]["uri"]
            assert all(isinstance(each["fullyQualifiedName"], str) for each in location.get("logicalLocations", ()))
        for invocation in run["invocations"]:
            assert isinstance(invocation["executionSuccessful"], bool)


@pytest.mark.parametrize("lines", [[], [[ID]], [[ID, TEXT], [], [LINE]]])
def test_sarif_is_one_document_of_the_required_structure(lines: list[list[Located]]) -> None:
    document = json.loads("\n".join(written(SarifReport(), "my data/x.jsonl", *lines, exit_code=1)))
    is_sarif(document)
    (run,) = document["runs"]
    assert [result["ruleId"] for result in run["results"]] == [each.rule for located in lines for each in located]
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    assert len(run["tool"]["driver"]["rules"]) == len(every_rule())


@pytest.mark.parametrize(
    ("source", "uri"),
    [("my data/x.jsonl", "my%20data/x.jsonl"), ("/a b/x.jsonl", "file:///a%20b/x.jsonl"), ("c:x.jsonl", "c%3Ax.jsonl")],
)
def test_sarif_names_files_by_uri(source: str, uri: str) -> None:
    (run,) = json.loads("\n".join(written(SarifReport(), source, [ID])))["runs"]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_sarif_tells_why_not_all_was_read() -> None:
    (run,) = json.loads("\n".join(written(SarifReport(), "x", [ID], exit_code=5, failure="x: ends early")))["runs"]
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    assert invocation["toolExecutionNotifications"] == [{"level": "error", "message": {"text": "x: ends early"}}]


@pytest.mark.parametrize(("most", "shown"), [(None, 5), (0, 0), (2, 2), (3, 3), (5, 5), (9, 5)])
def test_a_limit_lets_the_first_through(most: int | None, shown: int) -> None:
    limit = Limit(most)
    admitted = [*limit.admit([ID, TEXT, LINE]), *limit.admit([ID, LINE])]
    assert admitted == [ID, TEXT, LINE, ID, LINE][:shown]
    assert limit.held_back == 5 - shown


def test_what_a_message_quotes_is_no_link_in_sarif() -> None:
    quoting = Located(1, "DF005", "error", "/a", "not '[click](http://evil.example)' \x1b {0} <b>")
    document = json.loads("\n".join(written(SarifReport(), "x.jsonl", [quoting])))
    text = document["runs"][0]["results"][0]["message"]["text"]
    assert text == "not '[click] (http://evil.example)' \x1b {0} <b>"


@pytest.mark.parametrize("report", [JsonLinesReport(), SarifReport()], ids=["json", "sarif"])
def test_a_name_that_is_no_utf8_is_written_as_escapes(report: Report) -> None:
    lines = written(report, "\udcff/x.jsonl", [ID])
    assert "".join(lines).encode()
    assert any("%FF/x.jsonl" in line or "\\\\udcff/x.jsonl" in line for line in lines)
