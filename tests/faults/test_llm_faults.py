"""The real command against a server that fails as it is told: exact count or a clear exit, never an invalid record."""

from __future__ import annotations

import json
import random
import re
import signal
import time
from pathlib import Path

import pytest

from generator.validation import validate_record
from tests.bounded import Stopwatch
from tests.faults.completion_processes import run_llm, served, start_llm
from tests.faults.completion_server import FAULTS
from tests.run_processes import finish, kill

FAST = ("--max-concurrency", "16", "--timeout", "2", "--quiet")
PATIENT = ("--max-concurrency", "16", "--quiet")
"""For counts of requests: none is repeated because the machine is busy."""
TWO_EACH = (*PATIENT, "--verify", "off")
"""With no second opinions, a record takes two requests."""
WALL = 150.0
"""Seconds that the worst cell may take for its 200 records; a run that hangs takes for ever."""


def records(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]


def assert_whole(out: Path, count: int) -> None:
    """Exactly this many records, all valid, no two alike."""
    found = records(out)
    assert len(found) == count
    assert [violation for record in found for violation in validate_record(record)] == []
    assert len({json.dumps(record["messages"]) for record in found}) == count


CELLS = sorted(name for name in FAULTS if not name.startswith("echo"))
FEW = ("429_retry_after_ms", "cut_length", "string_arguments", "control_tokens", "invalid_utf8")


@pytest.mark.parametrize("fault", FEW)
def test_a_fault_costs_no_record(tmp_path: Path, fault: str) -> None:
    with served("--fault", fault, "--share", "0.2") as server:
        code, _, err = run_llm(tmp_path / "run", server, 15, *FAST)
        assert server.told()["counts"]["faults"] > 0
    assert (code, err) == (0, "")
    assert_whole(tmp_path / "run", 15)


@pytest.mark.slow
@pytest.mark.parametrize("fault", CELLS)
def test_the_whole_table_of_faults(tmp_path: Path, fault: str) -> None:
    began = Stopwatch()
    with served("--fault", fault, "--share", "0.3") as server:
        code, _, err = run_llm(tmp_path / "run", server, 200, *FAST)
        told = server.told()["counts"]
    wall = began.quiet_seconds
    print(f"{fault:<20} kept 200  {told['requests'] / 200:.2f} requests a record  exit {code}  {wall:.1f} s")
    assert (code, err) == (0, "")
    assert told["faults"] > 0
    assert wall < WALL
    assert_whole(tmp_path / "run", 200)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("401", ["HTTP 401", "no key was sent: OPENAI_API_KEY is not set"]),
        ("403", ["HTTP 403"]),
        ("404", ["HTTP 404", "--base-url", "--model"]),
        ("401_halfway", ["HTTP 401"]),
    ],
)
def test_what_is_refused_for_good_stops_the_run(tmp_path: Path, fault: str, words: list[str]) -> None:
    with served("--fault", fault) as server:
        code, _, err = run_llm(tmp_path / "run", server, 200, *FAST)
        assert server.requests < 200
    assert code == 3
    assert len(err.splitlines()) == 1
    assert all(word in err for word in words)
    assert len(records(tmp_path / "run")) < 200
    assert [violation for record in records(tmp_path / "run") for violation in validate_record(record)] == []
    if fault == "401_halfway":
        assert records(tmp_path / "run")


@pytest.mark.slow
def test_a_run_that_was_refused_half_way_goes_on(tmp_path: Path) -> None:
    with served("--fault", "401_halfway") as server:
        assert run_llm(tmp_path / "run", server, 100, *FAST)[0] == 3
    with served() as server:
        assert run_llm(tmp_path / "run", server, 100, *FAST)[0] == 0
        assert server.requests <= 2 * 100 - 100 + 16
    assert_whole(tmp_path / "run", 100)


@pytest.mark.slow
@pytest.mark.parametrize("options", [("--fault", "503", "--share", "1"), ("--fault", "html", "--share", "1")])
def test_a_server_that_only_fails_stops_the_run(tmp_path: Path, options: tuple[str, ...]) -> None:
    began = Stopwatch()
    with served(*options) as server:
        code, _, err = run_llm(tmp_path / "run", server, 100, *FAST)
    assert code == 3
    assert "only fails" in err
    assert began.quiet_seconds < 60


@pytest.mark.parametrize(
    ("refused", "mode"),
    [
        (("json_schema",), "tools"),
        (("json_schema", "tools"), "json_object"),
        (("json_schema", "tools", "json_object"), "text"),
    ],
)
def test_a_refused_form_leads_to_the_next(tmp_path: Path, refused: tuple[str, ...], mode: str) -> None:
    options = [word for form in refused for word in ("--refuse", form)]
    with served(*options) as server:
        code, _, err = run_llm(tmp_path / "run", server, 12, "--max-concurrency", "8")
        counts = server.told()["counts"]
        assert run_llm(tmp_path / "run", server, 16, "--quiet") == (0, "", "")
        later = server.told()["counts"]
        assert [later[f"mode_{form}"] - counts[f"mode_{form}"] for form in refused] == [0] * len(refused)
    assert code == 0, err
    assert f"going on with {mode}" in err
    assert sum(counts.get(f"mode_{form}", 0) for form in refused) <= 8 * len(refused)
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["response_mode"] == mode
    assert_whole(tmp_path / "run", 16)


@pytest.mark.slow
def test_secrets_are_in_no_file_and_no_output(tmp_path: Path) -> None:
    key, password = "sk-very-secret-0123456789", "pass%3Dword-42"
    secrets = [key, password, "pass=word-42", "alice", "query-token-77"]
    for fault, code in (("none", 0), ("echo_answer", 0), ("echo_401", 3), ("echo_500", 3)):
        out = tmp_path / fault
        with served("--fault", fault, "--share", "1") as server:
            url = f"http://alice:{password}@127.0.0.1:{server.port}/v1?token=query-token-77"
            environment = {"OPENAI_API_KEY": key}
            ended, stdout, err = run_llm(out, server, 5, "--base-url", url, "--timeout", "2", environment=environment)
            assert ended == code, err
            ended, plan, _ = run_llm(out, server, 5, "--base-url", url, "--dry-run", environment=environment)
            assert ended == 0
        texts = [path.read_bytes() for path in out.rglob("*") if path.is_file()]
        texts += [text.encode() for text in (stdout, err, plan)]
        assert [secret for secret in secrets for text in texts if secret.encode() in text] == []


def test_a_key_that_answers_say_back_is_in_no_record(tmp_path: Path) -> None:
    key = "sk-very-secret-0123456789"
    with served("--fault", "echo_answer", "--share", "1") as server:
        code, _, err = run_llm(tmp_path / "run", server, 4, *TWO_EACH, environment={"OPENAI_API_KEY": key})
        assert (code, server.told()["counts"]["faults"]) == (0, 8), err
    assert_whole(tmp_path / "run", 4)
    texts = [path.read_bytes() for path in (tmp_path / "run").iterdir()]
    assert b"***" in (tmp_path / "run" / "records.jsonl").read_bytes()
    assert not any(key.encode() in text or b"\\u0073\\u006b" in text for text in texts)


@pytest.mark.parametrize("options", [(), ("--dry-run",), ("--json",), ("--base-url", "https://api.openai.com/v1")])
def test_a_key_where_the_name_of_a_variable_belongs_is_said_nowhere(tmp_path: Path, options: tuple[str, ...]) -> None:
    key = "sk-very-secret-0123456789"
    with served("--fault", "401") as server:
        code, out, err = run_llm(tmp_path / "run", server, 4, "--api-key-env", key, *options)
        assert server.requests == 0
    assert code == 2
    assert "--api-key-env takes the name" in err
    assert key not in out + err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)]
)
def test_a_signal_stops_the_run_with_requests_in_flight(tmp_path: Path, number: int, code: int) -> None:
    with served("--fault", "hang", "--share", "0.2") as server:
        options = ("--timeout", "60", "--max-concurrency", "32", "--grace", "1")
        process = start_llm(tmp_path / "run", server, 2000, *options)
        server.wait_for_requests(60)
        began = Stopwatch()
        process.send_signal(number)
        ended, _, err = finish(process)
        assert began.seconds > 1
        assert began.quiet_seconds < 6
    assert ended == code, err
    assert "waiting up to 1 s for" in err
    assert re.search(rf"^go on +toolgen generate .* --out {re.escape(str(tmp_path / 'run'))} ", err, re.MULTILINE), err
    assert "Traceback" not in err
    with served() as server:
        assert run_llm(tmp_path / "run", server, 30, *FAST)[0] == 0
    assert_whole(tmp_path / "run", 30)


KILLS = 20


@pytest.mark.slow
def test_kills_lose_nothing_and_pay_for_little_twice(tmp_path: Path) -> None:
    draw = random.Random(5)
    out, count, concurrency = tmp_path / "run", 300, 16
    options = ("--max-concurrency", str(concurrency), "--quiet")
    with served("--latency", "0.02") as server:
        for _ in range(KILLS):
            before = server.requests
            process = start_llm(out, server, count, *options)
            server.wait_for_requests(before + 1)
            time.sleep(draw.random() * 0.15)
            kill(process)
        assert run_llm(out, server, count, *options)[0] == 0
        told = server.told()
        paid = told["counts"]["requests"] - 2 * count
        print(
            f"{KILLS} kills, {concurrency} in flight: {paid} requests more than {2 * count}, of which paid twice "
            f"{told['answered_twice']}"
        )
        assert told["answered_twice"] <= KILLS * concurrency
        assert told["most_in_flight"] <= 2 * concurrency
        assert run_llm(out, server, count, *options)[0] == 0
        assert server.requests == told["counts"]["requests"]
    assert_whole(out, count)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_loses_no_answer_that_comes_in_time(tmp_path: Path, number: int, code: int) -> None:
    draw = random.Random(number)
    out, count, options = tmp_path / "run", 60, ("--max-concurrency", "16", "--grace", "20")
    with served("--latency", "0.3") as server:
        for _ in range(3):
            before = server.requests
            process = start_llm(out, server, count, *options)
            server.wait_for_requests(before + 8)
            time.sleep(draw.random() * 0.3)
            began = Stopwatch()
            process.send_signal(number)
            ended, _, err = finish(process)
            assert (ended, "Traceback" in err) == (code, False), err
            assert began.quiet_seconds < 8, "it waits for what is in flight, not for all of the grace"
            assert answers(out) == server.requests
        assert run_llm(out, server, count, *options)[0] == 0
        told = server.told()
    assert told["answered_twice"] == 0
    assert_whole(out, count)


@pytest.mark.slow
def test_a_second_interrupt_ends_the_waiting(tmp_path: Path) -> None:
    with served("--fault", "hang", "--share", "1") as server:
        process = start_llm(tmp_path / "run", server, 100, "--timeout", "60", "--grace", "60")
        server.wait_for_requests(4)
        process.send_signal(signal.SIGINT)
        time.sleep(1)
        assert process.poll() is None
        began = Stopwatch()
        process.send_signal(signal.SIGINT)
        ended, _, err = finish(process)
    assert began.quiet_seconds < 3
    assert (ended, "Traceback" in err) == (130, False), err


def lose(out: Path, *names: str) -> None:
    for name in names:
        for path in out.glob(f"{name}*"):
            path.unlink()


@pytest.mark.slow
def test_what_was_paid_for_survives_the_loss_of_the_rest(tmp_path: Path) -> None:
    out, count = tmp_path / "run", 24
    with served() as server:
        assert run_llm(out, server, count, *TWO_EACH)[0] == 0
        paid, lines = server.requests, (out / "records.jsonl").read_bytes()
        for lost in (("run.db",), ("answers",), ("run.db", "answers")):  # one file of records stands
            lose(out, *lost)
            code, _, err = run_llm(out, server, count, *TWO_EACH)
            assert code == 0, err
            assert (out / "records.jsonl").read_bytes() == lines, lost
        assert server.requests == paid
    with served() as server:
        assert run_llm(out, server, count + 6, *TWO_EACH)[0] == 0
        assert server.requests == 2 * 6
        assert (out / "records.jsonl").read_bytes().startswith(lines)
        lose(out, "run.db", "records", "rejections", "summary")
        asked = server.requests
        assert run_llm(out, server, 6, *TWO_EACH)[0] == 0
        assert server.requests - asked <= 2 * 6, "those answers were lost with the file above"
    assert_whole(out, 6)


def test_a_damaged_answer_is_asked_for_again_and_no_other(tmp_path: Path) -> None:
    out, count = tmp_path / "run", 20
    with served() as server:
        assert run_llm(out, server, count, *PATIENT)[0] == 0
        paid, lines = server.requests, (out / "records.jsonl").read_bytes()
        kept = (out / "answers.jsonl").read_bytes().splitlines(keepends=True)
        kept[7] = kept[7].replace(b'"answer":{', b'"answer":{ ').replace(b"e", b"o")
        (out / "answers.jsonl").write_bytes(b"".join(kept))
        lose(out, "run.db", "records", "rejections", "summary")
        code, _, err = run_llm(out, server, count, *PATIENT)
        assert code == 0, err
        assert paid < server.requests <= paid + 2
    assert len(set(lines.splitlines()) - set((out / "records.jsonl").read_bytes().splitlines())) <= 1
    assert_whole(out, count)


@pytest.mark.slow
def test_without_metadata_what_cannot_be_read_back_is_refused_and_stays(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with served() as server:
        assert run_llm(out, server, 10, *PATIENT, "--no-metadata")[0] == 0
        before, paid = (out / "records.jsonl").read_bytes(), server.requests
        lose(out, "run.db")
        code, _, err = run_llm(out, server, 10, *PATIENT, "--no-metadata")
        assert (code, server.requests) == (5, paid)
        assert "10 lines stand there and the run has 0 records" in err
        assert "move the file away" in err
        assert (out / "records.jsonl").read_bytes() == before
        lose(out, "records")
        assert run_llm(out, server, 10, *PATIENT, "--no-metadata")[0] == 0
        assert server.requests == paid
    assert (out / "records.jsonl").read_bytes() == before


def answers(out: Path) -> int:
    return len((out / "answers.jsonl").read_bytes().splitlines())


@pytest.mark.slow
def test_the_same_answers_give_the_same_bytes_at_any_concurrency(tmp_path: Path) -> None:
    made = []
    for concurrency in ("1", "64"):
        with served("--fault", "duplicate_calls", "--by-request", "--share", "0.3") as server:
            out = tmp_path / concurrency
            assert run_llm(out, server, 40, "--max-concurrency", concurrency, "--quiet")[0] == 0
        made.append([(out / name).read_bytes() for name in ("records.jsonl", "rejections.jsonl")])
    assert made[0] == made[1]


@pytest.mark.slow
def test_a_larger_count_and_another_run_use_the_answers(tmp_path: Path) -> None:
    out, again = tmp_path / "run", tmp_path / "again"
    with served() as server:
        assert run_llm(out, server, 20, *TWO_EACH)[0] == 0
        asked = server.requests
        assert run_llm(out, server, 30, *TWO_EACH)[0] == 0
        assert server.requests == asked + 20
        mix = ("--mix", "simple=1,parallel=1,irrelevance=1")
        assert run_llm(out, server, 30, *TWO_EACH, *mix)[0] == 2
        assert run_llm(again, server, 30, *TWO_EACH, "--no-metadata", "--answers", str(out))[0] == 0
        assert server.requests == asked + 20
    assert answers(again) == answers(out) == 60


@pytest.mark.slow
def test_a_model_that_knows_nothing_of_most_kinds_yields_no_invalid_record(tmp_path: Path) -> None:
    """Over all kinds of the default mix: the server writes sense for the plain ones alone."""
    with served() as server:
        code, _, err = run_llm(tmp_path / "run", server, 60, "--mix", "default", "--attempts", "1")
    assert code in (0, 1), err
    made = records(tmp_path / "run")
    assert len({record["metadata"]["kind"] for record in made}) > 4
    assert [found for record in made for found in validate_record(record) if found.severity == "error"] == []
