"""Exams over a scripted server: the table is the truth, nothing is asked twice, and nothing ends well by luck."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from generator.cli import main
from generator.jsontext import JsonObject
from generator.serving.running import serve_records
from tests.exam_server import ExamServer, completion, error, question_of, right_answers, taking_exam

CITY = {"type": "object", "required": ["city"], "properties": {
    "city": {"type": "string"}, "days": {"type": "integer"}}}  # fmt: skip
TOOLS = [
    {"type": "function", "function": {"name": name, "description": f"The {name}.", "parameters": CITY}}
    for name in ("rain", "wind")
]


def call(number: int, name: str, **arguments: Any) -> JsonObject:
    return {"id": f"call{number:05}", "type": "function", "function": {"name": name, "arguments": arguments}}


def record(number: int, kind: str, *turns: JsonObject) -> JsonObject:
    return {"messages": list(turns), "tools": TOOLS, "metadata": {"kind": kind, "id": f"r{number}"}}


def user(text: str) -> JsonObject:
    return {"role": "user", "content": text}


def says(text: str, *calls: JsonObject) -> JsonObject:
    return {"role": "assistant", "content": text, **({"tool_calls": list(calls)} if calls else {})}


def result(number: int, name: str, **value: Any) -> JsonObject:
    return {"role": "tool", "tool_call_id": f"call{number:05}", "name": name, "content": json.dumps(value)}


def simple(number: int, city: str) -> JsonObject:
    told = result(number, "rain", city=city, millimetres=7)
    return record(
        number, "simple", user(f"Will it rain in {city}?"), says("", call(number, "rain", city=city, days=2)), told,
        says(f"7 millimetres of rain are expected in {city}."),
    )  # fmt: skip


def asking(number: int, city: str) -> JsonObject:
    told = result(number, "wind", city=city, knots=12)
    return record(
        number, "missing_parameter", user(f"Is it windy? I ask for the {number}th time."), says("In which city?"),
        user(f"In {city}."), says("", call(number, "wind", city=city)), told, says(f"12 knots in {city}."),
    )  # fmt: skip


def parallel(number: int, *cities: str) -> JsonObject:
    calls = [call(10 * number + at, "rain", city=city) for at, city in enumerate(cities)]
    told = [result(10 * number + at, "rain", city=city, millimetres=3) for at, city in enumerate(cities)]
    asked = user(f"Will it rain in {' and '.join(cities)}?")
    return record(number, "parallel", asked, says("", *calls), *told, says("3 millimetres in each."))


CITIES = ("Oslo", "Rome", "Lima", "Kyoto", "Porto", "Ghent", "Quito", "Turin", "Basel", "Essen")
RECORDS = [
    *(simple(number, city) for number, city in enumerate(CITIES)),
    *(asking(number + 20, city) for number, city in enumerate(CITIES)),
    *(parallel(number + 40, city, "Bergen") for number, city in enumerate(CITIES)),
]
ANSWERS = right_answers(RECORDS)
TURNS = 10 * 2 + 10 * 3 + 10 * 2


def first_turn(number: int) -> str:
    """The question that comes first in a record."""
    return question_of({"messages": RECORDS[number]["messages"][:1]})


def second_turn(number: int) -> str:
    return question_of({"messages": RECORDS[number]["messages"][:3]})


def with_arguments(message: JsonObject, **changed: Any) -> JsonObject:
    made = deepcopy(message)
    function = made["tool_calls"][0]["function"]
    given = {**json.loads(function["arguments"]), **changed}
    function["arguments"] = json.dumps({name: value for name, value in given.items() if value is not None})
    return made


def corrupted() -> dict[str, Any]:
    """Right answers, of which these are wrong, as told beside each."""
    answers: dict[str, Any] = dict(ANSWERS)
    one, other = first_turn(0), first_turn(1)
    answers[one] = with_arguments(answers[one], city="Paris")  # a wrong value
    answers[other] = with_arguments(answers[other], days=None)  # an argument is lacking
    answers[first_turn(2)] = {"content": "It will not rain."}  # no call
    answers[first_turn(10)] = {"content": "", "tool_calls": [_made("wind", city="Oslo")]}  # it should have asked
    both = deepcopy(answers[first_turn(20)])
    both["tool_calls"].pop()  # one of two calls is lacking
    answers[first_turn(20)] = both
    swapped = deepcopy(answers[first_turn(21)])
    swapped["tool_calls"].reverse()  # as right as before
    answers[first_turn(21)] = swapped
    needless = deepcopy(answers[first_turn(22)])
    needless["tool_calls"].append(_made("wind", city="Lima"))  # one call too many
    answers[first_turn(22)] = needless
    last = question_of({"messages": RECORDS[3]["messages"][:-1]})
    answers[last] = {"content": "No rain at all is expected in Kyoto, 0 millimetres."}  # against the result
    spoken = answers[second_turn(11)]["tool_calls"][0]["function"]
    text = json.dumps({"name": spoken["name"], "arguments": json.loads(spoken["arguments"])})
    answers[second_turn(11)] = {"content": f"<tool_call>\n{text}\n</tool_call>"}  # right, but in the text
    answers[second_turn(12)] = {"content": None, "reasoning_content": answers[second_turn(11)]["content"].replace(
        "Rome", "Lima")}  # right, but in the thoughts  # fmt: skip
    answers[first_turn(4)] = lambda: completion({"content": "It w"}, "length")  # cut off
    return answers


def _made(name: str, **arguments: Any) -> JsonObject:
    return {"id": "x", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


TRUTH = {
    "right": (TURNS - 8, TURNS),
    "right_call": (30 - 4, 30), "right_arguments": (26 - 2, 26), "missing_call": (3, 30), "needless_call": (2, 70),
    "asks": (9, 10), "contradicts": (1, 30), "doubtful": (0, 39), "no_answer": (1, 70),
}  # fmt: skip


@pytest.fixture
def held_out(tmp_path: Path) -> Path:
    path = tmp_path / "test.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in RECORDS), encoding="utf-8")
    return path


def answering(answers: dict[str, Any]) -> Callable[[JsonObject], Any]:
    return lambda body: made(answers[question_of(body)])


def made(answer: Any) -> Any:
    """An answer; a response serves once, and is made anew each time."""
    return answer() if callable(answer) else answer


def evaluate(server: ExamServer, records: Path, out: Path, *options: str, model: str = "m") -> int:
    asked = ["--model", model, "--base-url", server.url, "--out", str(out), "--quiet"]
    return main(["evaluate", str(records), *asked, *options])


def read(out: Path) -> Any:
    return json.loads((out / "exam.json").read_text(encoding="utf-8"))


def test_the_table_is_the_truth(held_out: Path, tmp_path: Path) -> None:
    with taking_exam(answering(corrupted())) as server:
        assert evaluate(server, held_out, tmp_path / "exam") == 0
    (model,) = read(tmp_path / "exam")["models"]
    counted = {name: (share["count"], share["of"]) for name, share in model["figures"]["metrics"].items()}
    assert counted == TRUTH
    assert (model["in_text"], model["in_thoughts"]) == (1, 1)
    assert {kind: each["turns"] for kind, each in model["kinds"].items()} == {
        "missing_parameter": 30, "parallel": 20, "simple": 20}  # fmt: skip
    rain = model["tools"]["rain"]
    assert (rain["called_for"], rain["called"]["count"], rain["right"]["count"], rain["needless"]) == (30, 27, 25, 0)
    assert {name: (each["count"], each["of"]) for name, each in rain["parameters"].items()} == {
        "city": (26, 27), "days": (7, 8)}  # fmt: skip
    assert model["tools"]["wind"]["needless"] == 2


def test_failures_are_records_that_end_with_the_answer(
    held_out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "exam"
    with taking_exam(answering(corrupted())) as server:
        evaluate(server, held_out, out)
    assert main(["show", str(out / "failures.jsonl"), "-n", "1"]) == 0
    shown = capsys.readouterr().out
    assert '→ rain {"city": "Paris", "days": 2}' in shown
    assert '→ rain {"city": "Oslo", "days": 2}' in shown.partition("expected")[2]
    assert main(["report", str(out), "-o", str(tmp_path / "exam.html")]) == 0
    page = (tmp_path / "exam.html").read_text(encoding="utf-8")
    assert "Paris" in page and "<script" not in page
    tools = tmp_path / "bees.json"
    tools.write_text("[]", encoding="utf-8")
    assert main(["report", str(out), "-o", str(tools)]) == 2
    assert tools.read_text(encoding="utf-8") == "[]"
    assert main(["report", str(out), "-o", str(tmp_path / "exam.html")]) == 0


def test_the_same_command_asks_only_what_is_missing(held_out: Path, tmp_path: Path) -> None:
    out = tmp_path / "exam"
    with taking_exam(answering(ANSWERS)) as server:
        assert evaluate(server, held_out, out, "--max-requests", "20") == 4
        assert len(server.bodies) == 20
        assert read(out)["status"] == "limited"
        assert evaluate(server, held_out, out) == 0
        assert set(server.asked.values()) == {1}
        assert len(server.bodies) == len(ANSWERS)
        assert evaluate(server, held_out, out) == 0
        assert len(server.bodies) == len(ANSWERS)
    assert read(out)["models"][0]["figures"]["metrics"]["right"]["count"] == TURNS


@pytest.mark.parametrize("models", [(), ("--model", "other")])
def test_time_ends_an_exam(models: tuple[str, ...], held_out: Path, tmp_path: Path) -> None:
    with taking_exam(answering(ANSWERS)) as server:
        assert evaluate(server, held_out, tmp_path / "exam", "--max-minutes", "0.00001", *models) == 4
    assert read(tmp_path / "exam")["status"] == "limited"


def rows(path: Path) -> list[JsonObject]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_grades_and_failures_name_the_record_by_its_own_id(tmp_path: Path) -> None:
    held_out = tmp_path / "test.jsonl"
    twins = [{**each, "metadata": {"id": "twin"}} for each in RECORDS[1:3]]
    given = [RECORDS[0], *twins, {**RECORDS[3], "metadata": {}}, {**RECORDS[4], "metadata": {"id": 7}}]
    held_out.write_text("".join(json.dumps(each) + "\n" for each in given), encoding="utf-8")
    with taking_exam(lambda body: {"content": "No."}) as server:
        assert evaluate(server, held_out, tmp_path / "one") == 0
        assert evaluate(server, held_out, tmp_path / "two", "--against", str(tmp_path / "one")) == 0
    names = list(dict.fromkeys(row["record"] for row in rows(tmp_path / "one" / "grades.jsonl")))
    assert (names[0], names[4]) == ("r0", "7")
    assert len(set(names)) == 5 and all(len(name) == 16 for name in names[1:4])
    failed = rows(tmp_path / "one" / "failures.jsonl")
    assert {row["metadata"]["exam"]["record"] for row in failed} == set(names)
    assert read(tmp_path / "two")["comparisons"][0]["turns"] == 10


def test_another_exam_in_the_same_folder_is_refused(
    held_out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "exam"
    with taking_exam(answering(ANSWERS)) as server:
        assert evaluate(server, held_out, out, "--count", "3") == 0
        assert evaluate(server, held_out, out) == 2
        assert "other questions" in capsys.readouterr().err
        assert evaluate(server, held_out, out, "--count", "3", model="another") == 2
        assert "other models" in capsys.readouterr().err
        strangers = tmp_path / "strangers"
        strangers.mkdir()
        (strangers / "thesis.txt").write_text("mine")
        assert evaluate(server, held_out, strangers) == 2


def test_two_models_side_by_side_and_one_against_an_earlier_exam(held_out: Path, tmp_path: Path) -> None:
    answers = {"before": corrupted(), "after": ANSWERS}
    with taking_exam(lambda body: made(answers[body["model"]][question_of(body)])) as server:
        assert evaluate(server, held_out, tmp_path / "both", "--model", "after", model="before") == 0
        assert evaluate(server, held_out, tmp_path / "one", model="before") == 0
        assert evaluate(server, held_out, tmp_path / "two", "--against", str(tmp_path / "one"), model="after") == 0
        assert evaluate(server, held_out, tmp_path / "tie", "--against", str(tmp_path / "one"), model="before") == 0
    for folder in ("both", "two"):
        (compared,) = read(tmp_path / folder)["comparisons"]
        assert (compared["before"], compared["after"], compared["verdict"]) == ("before", "after", "better")
        gap = compared["right"]
        assert (gap["better"], gap["worse"], gap["ties"]) == (8, 0, TURNS - 8)
        assert gap["low"] > 0
    (tied,) = read(tmp_path / "tie")["comparisons"]
    assert tied["verdict"] == "the same"
    assert tied["right"]["low"] < 0 < tied["right"]["high"]


def test_an_exam_with_nothing_in_common_is_not_compared_with(
    held_out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text(json.dumps(RECORDS[0]), encoding="utf-8")
    held_out.write_text(json.dumps(RECORDS[1]) + "\n" + json.dumps(RECORDS[2]), encoding="utf-8")
    one, two, three = tmp_path / "one", tmp_path / "two", tmp_path / "three"
    with taking_exam(answering(ANSWERS)) as server:
        assert evaluate(server, other, one) == 0
        asked = len(server.bodies)
        assert evaluate(server, held_out, two, "--against", str(one)) == 2
        assert "no turn in common" in capsys.readouterr().err
        assert len(server.bodies) == asked and not two.exists()
        assert evaluate(server, other, two, "--loop", "--against", str(one)) == 2
        other.write_text(json.dumps(RECORDS[0]) + "\n" + json.dumps(RECORDS[3]), encoding="utf-8")
        late = ["--model", "m", "--base-url", server.url, "--out", str(three), "--max-minutes", "0.00001"]
        assert main(["evaluate", str(other), *late, "--against", str(one)]) == 4
    assert "nothing is compared" in capsys.readouterr().err


def test_what_failed_is_the_plan_of_the_next_data_set(held_out: Path, tmp_path: Path) -> None:
    with taking_exam(answering(corrupted())) as server:
        assert evaluate(server, held_out, tmp_path / "exam", "--to-records", str(tmp_path / "next.toml")) == 0
    job = (tmp_path / "next.toml").read_text(encoding="utf-8")
    assert "# 20 records for each of the 8 turns that failed, at least 100 and at most 10,000:\ncount = 160" in job
    assert main(["generate", "--job", str(tmp_path / "next.toml"), "--count", "3", "--dry-run"]) == 0
    with taking_exam(answering(corrupted())) as server:
        assert evaluate(server, held_out, tmp_path / "exam", "--to-records", str(tmp_path / "next.toml")) == 0


@pytest.mark.parametrize(
    ("name", "files", "said"),
    [
        ("next.json", {}, "ends in .toml"),
        ("nowhere/next.toml", {}, "there is no folder"),
        ("next.toml", {"next.toml": "count = 5\n"}, "did not write"),
        ("next.toml", {"next.tools.json": "{}"}, "next.tools.json lies there"),
        ("here.toml", {"here.toml/x": ""}, "is a folder"),
    ],
)
def test_where_the_next_job_cannot_be_written_nothing_is_asked(
    name: str, files: dict[str, str], said: str, held_out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for each, text in files.items():
        (tmp_path / each).parent.mkdir(exist_ok=True)
        (tmp_path / each).write_text(text, encoding="utf-8")
    with taking_exam(answering(corrupted())) as server:
        assert evaluate(server, held_out, tmp_path / "exam", "--to-records", str(tmp_path / name)) == 2
        assert not server.bodies
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1
    assert all((tmp_path / each).read_text(encoding="utf-8") == text for each, text in files.items())


def test_where_nothing_failed_there_is_no_next_job(
    held_out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with taking_exam(answering(ANSWERS)) as server:
        asked = ["--model", "m", "--base-url", server.url, "--out", str(tmp_path / "exam")]
        assert main(["evaluate", str(held_out), *asked, "--to-records", str(tmp_path / "next.toml")]) == 0
    said = capsys.readouterr().err
    assert "nothing failed, so" in said and "toolgen show" not in said
    assert not (tmp_path / "next.toml").exists()


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (lambda body: error(401, "no"), 3),
        (lambda body: error(400, "tools are not supported"), 3),
        (lambda body: error(413, "too long"), 3),
        (lambda body: {"content": ""}, 3),
        (lambda body: {"content": "what?" * 1000}, 0),
        (lambda body: {"content": None, "tool_calls": [{"function": {"name": "", "arguments": "[1"}}]}, 0),
        (lambda body: {"content": [{"type": "text", "text": "<tool_call>{</tool_call>"}]}, 0),
        (lambda body: {"content": "", "tool_calls": [_made("rain", city={"a": [None] * 50})] * 30}, 0),
    ],
)
def test_answers_of_any_shape(answer: Callable[[JsonObject], Any], code: int, held_out: Path, tmp_path: Path) -> None:
    with taking_exam(answer) as server:
        assert evaluate(server, held_out, tmp_path / "exam") == code
    (model,) = read(tmp_path / "exam")["models"]
    assert model["figures"] is None or model["figures"]["metrics"]["right"]["count"] == 0


def test_no_server_at_all(held_out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = ExamServer(lambda body: {}, port=1)
    asked = ["--model", "m", "--base-url", server.url, "--out", str(tmp_path / "exam")]
    assert main(["evaluate", str(held_out), *asked]) == 3
    said = capsys.readouterr().err
    assert "nothing listens" in said and "grades.jsonl" not in said


@pytest.mark.parametrize(
    ("key", "said"), [("", "no key was sent: OPENAI_API_KEY is not set"), ("k", "check the key in OPENAI_API_KEY")]
)
def test_whether_a_key_is_wrong_or_lacking_is_told(
    key: str,
    said: str,
    held_out: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with taking_exam(lambda body: error(401, "no")) as server:
        assert evaluate(server, held_out, tmp_path / "exam") == 3
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", 1),
        ("\n\n", 1),
        ("not json\n", 1),
        ('{"messages": []}\n', 1),
        (json.dumps({"messages": [user("Hello.")], "tools": []}) + "\n", 1),
    ],
)
def test_an_exam_over_nothing_is_none(text: str, code: int, tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text(text, encoding="utf-8")
    with taking_exam(answering(ANSWERS)) as server:
        assert evaluate(server, path, tmp_path / "exam") == code
        assert not server.bodies
    assert not (tmp_path / "exam").exists()


def test_lines_that_are_no_records_are_told_and_end_in_one(held_out: Path, tmp_path: Path) -> None:
    held_out.write_text(held_out.read_text(encoding="utf-8") + "broken\n", encoding="utf-8")
    with taking_exam(answering(ANSWERS)) as server:
        assert evaluate(server, held_out, tmp_path / "exam") == 1
    assert read(tmp_path / "exam")["left_out"] == {"no record": 1}


def test_a_preview_sends_nothing(held_out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with taking_exam(answering(ANSWERS)) as server:
        assert evaluate(server, held_out, tmp_path / "exam", "--dry-run", "--json", "--price-in", "1") == 0
        assert not server.bodies
    told = json.loads(capsys.readouterr().out)
    assert (told["requests"], told["records"]) == (TURNS, len(RECORDS))
    assert told["models"][0]["estimated_cost"] > 0
    assert not (tmp_path / "exam").exists()


def replayed(answers: dict[str, Any], wrong: dict[str, Any]) -> Callable[[JsonObject], Any]:
    return lambda body: {**answers, **wrong}.get(question_of(body), {"content": "It is done."})


@pytest.mark.slow
def test_whole_conversations_are_graded_by_how_the_world_ends(tmp_path: Path) -> None:
    run = tmp_path / "run"
    kinds = "simple=2,parallel=1,missing_parameter=1"
    assert main(["generate", "--count", "12", "--seed", "3", "--mix", kinds, "--out", str(run), "--quiet"]) == 0
    records = [json.loads(line) for line in (run / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    answers = right_answers(records)
    with taking_exam(answering(answers)) as server:
        assert evaluate(server, run, tmp_path / "right", "--loop") == 0
    assert read(tmp_path / "right")["models"][0]["figures"]["metrics"]["right"]["count"] == 12
    never_done = {first: {"content": "It is done."} for first, answer in answers.items() if "tool_calls" in answer}
    with taking_exam(replayed(answers, never_done)) as server:
        assert evaluate(server, run, tmp_path / "wrong", "--loop", "--most-steps", "3") == 0
    (model,) = read(tmp_path / "wrong")["models"]
    assert model["figures"]["metrics"]["right"]["count"] == 0
    assert main(["show", str(tmp_path / "wrong/failures.jsonl"), "-n", "1"]) == 0


def test_a_conversation_that_never_ends_is_ended(tmp_path: Path, held_out: Path) -> None:
    with taking_exam(lambda body: {"content": "", "tool_calls": [_made("rain", city="Oslo")]}) as server:
        assert evaluate(server, held_out, tmp_path / "exam", "--loop", "--most-steps", "2", "--count", "4") == 0
    (model,) = read(tmp_path / "exam")["models"]
    assert model["figures"]["metrics"]["stopped"]["count"] == 4
    assert model["figures"]["reward"]["mean"] == 0


def test_the_server_that_plays_the_model_is_right_in_every_turn(tmp_path: Path, held_out: Path) -> None:
    with serve_records(held_out) as serving:
        options = ["--model", "m", "--base-url", serving.base_url, "--out", str(tmp_path / "exam"), "--quiet"]
        assert main(["evaluate", str(held_out), *options]) == 0
    assert read(tmp_path / "exam")["models"][0]["figures"]["metrics"]["right"]["count"] == TURNS
