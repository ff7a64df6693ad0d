"""Rounds of batches: the records are those of a run that asks at once, whatever goes wrong on the way."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from generator.cli import main
from generator.cli.shell import COMMANDS
from tests.checkout import CHECKOUT
from tests.faults.batch_server import BatchServer, Body, batches_served
from tests.faults.completion_processes import PLAIN, TOOLS
from tests.faults.completion_server import good_answer
from tests.faults.other_protocols import KEY

COUNT = 12
FILES = ("records.jsonl", "rejections.jsonl")
JOB = ("--model", "m", "--count", str(COUNT), "--seed", "3", "--mix", PLAIN)


class Ran(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str


def run(*arguments: object, **environment: str) -> Ran:
    """Run the program in this process."""
    streams = [TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        for name, value in {"OPENAI_API_KEY": "", **environment}.items():
            patch.setenv(name, value)
        patch.chdir(CHECKOUT)
        code = main([str(each) for each in arguments])
    out, err = (stream.detach() for stream in streams)
    return Ran(code, *(stream.getvalue().decode() for stream in (out, err) if isinstance(stream, BytesIO)))


def batch(what: str, folder: Path, server: BatchServer, *options: object, job: bool = True, **environment: str) -> Ran:
    """Run a command of batches against a server."""
    told = (*TOOLS, *JOB) if job and what in ("run", "write") else ()
    return run("batch", what, folder, *told, "--base-url", server.url, *options, **environment)


def published(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in FILES]


def at_once(folder: Path, answer: Callable[[Body], Body]) -> list[bytes]:
    """The files of a run that asks the same model at once."""
    with batches_served(BatchServer(answer=answer)) as server:
        told = run("generate", *TOOLS, "--author", "llm", *JOB, "--base-url", server.url, "--out", folder, "--quiet")
    assert told.code == 0, told.err
    return published(folder)


def poor_answer(body: Body) -> Body:
    """A model that now and then has to be told what is wrong, and twice says what it said before."""
    answer = good_answer(body)
    first = body["messages"][0]["content"]
    if len(body["messages"]) == 1 and len(first) % 3 == 0:
        return {"calls": []}
    if isinstance(answer.get("request"), str) and len(first) % 7 == 0:
        answer["request"] = answer["request"].partition(" (note")[0] + "."
    return answer


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return at_once(tmp_path_factory.mktemp("whole") / "run", poor_answer)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between looks and tries that cost no time."""
    from generator.backends.batches import service
    from generator.batches import running

    monkeypatch.setattr(running, "FIRST_LOOK", 0.01)
    monkeypatch.setattr(service.ToldOrBackoff, "__call__", lambda self, state: 0.01)


def refusing(status: int, message: str, every: int) -> Callable[[Body], tuple[int, str] | None]:
    """Refuse some requests the first time they come."""
    met: set[str] = set()

    def refuse(body: Body) -> tuple[int, str] | None:
        key = json.dumps(body, sort_keys=True)
        is_new = key not in met
        met.add(key)
        return (status, message) if is_new and len(key) % every == 0 else None

    return refuse


PASSING: dict[str, dict[str, Any]] = {
    "nothing": {},
    "it takes long": {"looks": 3},
    "lines in another order": {"shuffled": True},
    "lines twice": {"doubled": True, "shuffled": True},
    "lines lost": {"lost": 2},
    "lines that are no JSON": {"malformed": 3, "shuffled": True},
    "lines that nobody asked": {"strangers": 3, "shuffled": True},
    "lines with 429": {"refuse": refusing(429, "slow down", 3)},
    "lines with 500": {"refuse": refusing(500, "oops", 4)},
    "upload fails": {"first": {"upload": [429, 500, (503, "soon", {"Retry-After": "1"})]}},
    "creation fails": {"first": {"create": [500, 429]}},
    "a look fails": {"first": {"look": [500, 502, 429]}},
    "a download fails": {"first": {"content": [500, 429]}},
    "the upload is cut": {"first": {"upload": ["cut"]}},
    "the creation is cut": {"first": {"create": ["cut", "cut"]}},
    "the download is cut": {"first": {"content": ["cut", "cut", "cut"]}},
    "a look is cut": {"first": {"look": ["cut"]}},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PASSING)
def test_what_passes_changes_no_byte_and_costs_nothing_twice(name: str, tmp_path: Path, whole: list[bytes]) -> None:
    server = BatchServer(answer=poor_answer, **PASSING[name])
    with batches_served(server):
        told = batch("run", tmp_path / "run", server)
    assert told.code == 0, told.err
    assert published(tmp_path / "run") == whole
    assert server.twice == []
    assert not any(server.first.values())


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["expired", "cancelled"])
def test_what_was_not_answered_in_time_is_asked_again(ending: str, tmp_path: Path, whole: list[bytes]) -> None:
    server = BatchServer(answer=poor_answer, ending=ending, answered_share=0.6)
    with batches_served(server):
        told = batch("run", tmp_path / "run", server)
    assert told.code == 0, told.err
    assert published(tmp_path / "run") == whole
    assert f"{ending} " in told.err
    rounds = json.loads(run("batch", "status", tmp_path / "run", "--json").out)
    assert [file["said"] for each in rounds for file in each["files"]] == [ending] * len(rounds)


@pytest.mark.slow
def test_a_batch_of_which_nothing_comes_ends_the_run(tmp_path: Path) -> None:
    with batches_served(BatchServer(ending="expired", answered_share=0.0)) as server:
        told = batch("run", tmp_path / "run", server)
    assert told.code == 3
    assert "nothing of the last 3 rounds was answered: expired 12" in told.err


@pytest.mark.slow
def test_many_requests_are_split_into_files_of_what_a_batch_may_hold(tmp_path: Path, whole: list[bytes]) -> None:
    server = BatchServer(answer=poor_answer, most_requests=5, token_limit=7)
    with batches_served(server):
        told = batch("run", tmp_path / "run", server, "--file-requests", "5")
    assert told.code == 0, told.err
    assert published(tmp_path / "run") == whole
    assert "12 requests in 3 files" in told.err
    assert server.twice == []
    failed = [each for each in server.batches.values() if each["status"] == "failed"]
    assert failed  # where the limit of the account was reached, the same file was handed in later


@pytest.mark.slow
def test_a_batch_that_fails_its_validation_is_told_once(tmp_path: Path) -> None:
    with batches_served(BatchServer(ending="failed")) as server:
        for told in (batch("run", tmp_path / "run", server), batch("run", tmp_path / "run", server)):
            assert told.code == 3
            assert told.err.count("failed its validation: This line is not parseable as valid JSON. (line 1)") == 1
        server.ending = "completed"
        assert batch("run", tmp_path / "run", server).code == 0


@pytest.mark.slow
def test_steps_by_hand_need_neither_network_nor_key(tmp_path: Path, whole: list[bytes]) -> None:
    folder, results = tmp_path / "run", tmp_path / "results.jsonl"
    offline = BatchServer(answer=poor_answer)
    told = run("batch", "write", folder, *TOOLS, *JOB)
    assert told.code == 0, told.err
    for _ in range(30):
        paths = told.out.splitlines()
        if not paths:
            break
        lines = [json.loads(line) for path in paths for line in Path(path).read_text().splitlines()]
        answered = [
            {
                "id": "vllm-1",
                "custom_id": line["custom_id"],
                "response": {"status_code": 200, "body": _answered(offline, line["body"])},
                "error": None,
            }
            for line in reversed(lines)
        ]
        results.write_text("".join(json.dumps(each) + "\n" for each in answered))
        assert run("batch", "write", folder).out == told.out  # a round that is open stays
        told = run("batch", "collect", folder, "--output", results)
        assert told.code == 0, told.err
        told = run("batch", "write", folder)
        assert told.code == 0, told.err
    assert published(folder) == whole
    assert "the run is complete" in told.err


def _answered(server: BatchServer, body: Body) -> Body:
    from tests.faults.batch_server import chat_answer

    return chat_answer(body, json.dumps(server.answer(body)))


def test_files_of_another_round_are_refused(tmp_path: Path) -> None:
    folder, results = tmp_path / "run", tmp_path / "results.jsonl"
    run("batch", "write", folder, *TOOLS, *JOB)
    results.write_text('{"custom_id": "mine", "response": {"status_code": 200, "body": {}}}\n')
    told = run("batch", "collect", folder, "--output", results)
    assert (told.code, "none of the lines is one of this round" in told.err) == (2, True)
    assert run("batch", "collect", folder, "--output", tmp_path / "no.jsonl").code == 2


@pytest.mark.slow
def test_azure_gets_its_own_endpoint_and_names(tmp_path: Path) -> None:
    server = BatchServer(chat_url="/chat/completions")
    with batches_served(server):
        base = f"http://127.0.0.1:{server.port}/openai/deployments/d?api-version=2024-10-21"
        options = (*TOOLS, *JOB, "--protocol", "azure", "--base-url", base)
        told = run("batch", "run", tmp_path / "run", *options, AZURE_OPENAI_API_KEY=KEY)
    assert told.code == 0, told.err
    line = json.loads(server.files["file-1"].splitlines()[0])
    assert (line["url"], line["body"]["model"]) == ("/chat/completions", "m")


ANTHROPIC: dict[str, dict[str, Any]] = {
    "nothing": {"looks": 1},
    "lines twice, in another order, with garbage": {"doubled": True, "shuffled": True, "malformed": 3},
    "lines lost": {"lost": 2},
    "expired": {"ending": "expired", "answered_share": 0.6},
    "lines with 529": {"refuse": refusing(529, "Overloaded", 3)},
    "everything fails first": {"first": {"create": [529, "cut"], "look": [500, "cut"], "content": ["cut", 429]}},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ANTHROPIC)
def test_message_batches_give_the_same_bytes(name: str, tmp_path: Path) -> None:
    server = BatchServer(**ANTHROPIC[name])
    with batches_served(server):
        told = batch("run", tmp_path / "run", server, "--protocol", "anthropic", ANTHROPIC_API_KEY=KEY)
    assert told.code == 0, told.err
    records = published(tmp_path / "run")[0]
    assert records.count(b"\n") == COUNT
    assert server.twice == []
    assert records == _of_messages(tmp_path)


def _of_messages(folder: Path) -> bytes:
    server = BatchServer()
    with batches_served(server):
        told = batch("run", folder / "plain", server, "--protocol", "anthropic", ANTHROPIC_API_KEY=KEY)
    assert told.code == 0, told.err
    return published(folder / "plain")[0]


REFUSED = {
    "key": ({"upload": [(401, "Incorrect API key provided", {})]}, 3, "no key was sent: OPENAI_API_KEY is not set"),
    "quota": ({"create": [(429, "You exceeded your current quota", {})]}, 3, "its quota is used up"),
    "not found": ({"upload": [(404, "Not Found", {})]}, 3, "has no such batches or files"),
    "bad request": ({"create": [(400, "the window is wrong", {})]}, 3, "refuses the batch: HTTP 400: the window"),
    "always 500": ({"upload": [500] * 6}, 3, "(after 6 tries); nothing is lost: the same command goes on"),
    "always 429": ({"look": [429] * 6}, 3, "HTTP 429: not now (after 6 tries)"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_a_server_that_refuses_is_told_in_one_message_and_the_same_command_goes_on(name: str, tmp_path: Path) -> None:
    first, code, message = REFUSED[name]
    server = BatchServer(first={route: list(faults) for route, faults in first.items()})
    with batches_served(server):
        told = batch("run", tmp_path / "run", server)
        assert told.code == code
        assert message in told.err
        assert told.err.count("error: ") == 1
        assert batch("run", tmp_path / "run", server, job=False).code == 0
    assert server.twice == []


@pytest.mark.slow
def test_a_request_that_is_refused_for_good_is_a_row_among_the_rejections(tmp_path: Path) -> None:
    def refuse(body: Body) -> tuple[int, str] | None:
        return (400, "blocked by content_filter") if len(body["messages"][0]["content"]) % 5 == 0 else None

    with batches_served(BatchServer(refuse=refuse)) as server:
        told = batch("run", tmp_path / "run", server)
    assert told.code == 0, told.err
    rejections = [json.loads(line) for line in (tmp_path / "run" / FILES[1]).read_text().splitlines()]
    messages = [each["violations"][0]["message"] for each in rejections if each["violations"][0]["rule"] == "LM002"]
    assert messages
    assert set(messages) == {"HTTP 400: blocked by content_filter"}


@pytest.mark.slow
def test_another_form_of_request_is_tried_where_the_first_is_refused(tmp_path: Path) -> None:
    def refuse(body: Body) -> tuple[int, str] | None:
        return (400, "response_format is not supported") if "response_format" in body else None

    with batches_served(BatchServer(refuse=refuse)) as server:
        told = batch("run", tmp_path / "run", server)
        assert told.code == 0, told.err
    rounds = json.loads(run("batch", "status", tmp_path / "run", "--json").out)
    assert [each["files"][0]["mode"] for each in rounds[:2]] == ["json_schema", "tools"]


@pytest.mark.slow
def test_another_word_is_said_where_the_server_wants_that(tmp_path: Path) -> None:
    def refuse(body: Body) -> tuple[int, str] | None:
        said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        return (400, said) if "max_tokens" in body else None

    with batches_served(BatchServer(refuse=refuse)) as server:
        told = batch("run", tmp_path / "run", server)
    assert told.code == 0, told.err
    assert "with 0 answers; reworded 12" in told.err


def test_an_option_that_the_server_refuses_is_named(tmp_path: Path) -> None:
    with batches_served(BatchServer(refuse=lambda body: (400, "temperature: only 1 is allowed"))) as server:
        told = batch("run", tmp_path / "run", server, "--temperature", "0.5")
    assert (told.code, "refuses an option" in told.err, "leave --temperature out" in told.err) == (3, True, True)


@pytest.mark.slow
def test_a_model_of_which_no_answer_can_be_used_is_given_up(tmp_path: Path) -> None:
    with batches_served(BatchServer(answer=lambda body: {"x": 1})) as server:
        told = batch("run", tmp_path / "run", server, "--count", "60")
    assert told.code == 3
    assert "got an answer that could be used" in told.err


@pytest.mark.slow
def test_a_kind_that_the_model_never_masters_is_given_up_in_few_rounds(tmp_path: Path) -> None:
    def answer(body: Body) -> Body:
        schema = json.dumps(body["response_format"])
        is_of_one_call = '"minItems": 1' in schema
        return good_answer(body) if is_of_one_call or '"minItems"' not in schema else {"no": 1}

    server = BatchServer(answer=answer)
    with batches_served(server):
        told = batch("run", tmp_path / "run", server, "--mix", "simple=3,parallel=1", "--count", "24")
        assert told.code == 0, told.err
        once = ("--author", "llm", *JOB, "--mix", "simple=3,parallel=1", "--count", "24", "--base-url", server.url)
        told = run("generate", *TOOLS, *once, "--out", tmp_path / "once", "--quiet")
        assert told.code == 0, told.err
    assert published(tmp_path / "run") == published(tmp_path / "once")
    assert "parallel" in json.loads((tmp_path / "run" / "summary.json").read_text())["given_up"]["kind"]
    assert len(list((tmp_path / "run" / "batches").glob("round-*"))) <= 12
    assert server.twice == []


@pytest.mark.slow
def test_limits_hold_for_rounds(tmp_path: Path) -> None:
    server = BatchServer(answer=poor_answer)
    with batches_served(server):
        told = batch("run", tmp_path / "run", server, "--max-requests", "15")
        assert (told.code, len(server.asked)) == (4, 15)
        assert "--max-requests 15 is reached" in told.err
        prices = ("--price-in", "2", "--price-out", "2")
        told = batch("run", tmp_path / "run", server, *prices, "--max-cost", "0.0001", job=False)
        assert (told.code, len(server.asked)) == (4, 15)
        assert "--max-cost 0.0001 is reached" in told.err
        assert batch("run", tmp_path / "run", server, job=False).code == 0


@pytest.mark.slow
def test_the_domains_of_several_toolsets_are_asked_side_by_side(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}
    files = [tmp_path / f"{name}.json" for name in ("first", "second")]
    for file in files:
        tool = {"name": f"{file.stem}_book", "description": "Finds a book.", "inputSchema": schema}
        file.write_text(json.dumps({"tools": [tool]}))
    told = run("batch", "write", tmp_path / "run", *files, "--on-conflict", "source", "--model", "m", "--count", "4")
    assert told.code == 0, told.err
    asked = [json.loads(line)["body"]["messages"] for line in Path(told.out.strip()).read_text().splitlines()]
    assert [[f"{file.stem}_book" in json.dumps(each) for file in files] for each in asked] == [
        [True, False],
        [False, True],
    ]


@pytest.mark.slow
def test_prices_are_halved_and_told_beforehand(tmp_path: Path) -> None:
    prices = ("--price-in", "2", "--price-out", "4")
    told = run("batch", "write", tmp_path / "none", *TOOLS, *JOB, *prices, "--dry-run")
    costs = [line for line in told.out.splitlines() if line.startswith("cost")]
    at_once_, in_batches = (float(word) for word in costs[0].replace(",", "").split() if word[0].isdigit())
    assert in_batches == pytest.approx(at_once_ / 2, abs=0.0001)
    assert not (tmp_path / "none").exists()
    with batches_served(BatchServer()) as server:
        assert batch("run", tmp_path / "run", server, *prices).code == 0
    tokens = json.loads((tmp_path / "run" / "summary.json").read_text())["tokens"]
    assert tokens["cost"] == pytest.approx((tokens["prompt"] * 1 + tokens["completion"] * 2) / 1e6)


@pytest.mark.slow
def test_the_rest_may_be_asked_at_once(tmp_path: Path, whole: list[bytes]) -> None:
    server = BatchServer(answer=poor_answer)
    with batches_served(server):
        told = batch("run", tmp_path / "run", server, "--finish", "10")
    assert told.code == 0, told.err
    assert server.counts["chat"] > 0
    assert published(tmp_path / "run") == whole


@pytest.mark.slow
def test_what_does_not_come_back_can_be_given_up(tmp_path: Path, whole: list[bytes]) -> None:
    server = BatchServer(answer=poor_answer, looks=1_000_000)
    with batches_served(server):
        assert batch("write", tmp_path / "run", server).code == 0
        assert batch("submit", tmp_path / "run", server).code == 0
        assert "0 of 1 files are back" in batch("collect", tmp_path / "run", server).err
        assert "--again gives it up" in batch("write", tmp_path / "run", server).err
        assert batch("write", tmp_path / "run", server, "--again", job=False).code == 0
        server.looks = 0
        assert batch("run", tmp_path / "run", server, job=False).code == 0
    assert published(tmp_path / "run") == whole


@pytest.mark.slow
def test_nothing_secret_is_kept_of_a_server(tmp_path: Path) -> None:
    with batches_served(BatchServer()) as server:
        secret = server.url.replace("http://", "http://user:very-secret-word@")
        told = run("batch", "run", tmp_path / "run", *TOOLS, *JOB, "--base-url", secret)
        assert told.code == 0, told.err
    held = b"".join(path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert b"very-secret-word" not in held
    told = run("batch", "submit", tmp_path / "run")
    assert (told.code, "give --base-url again" in told.err) == (2, True)


def test_commands_say_what_is_lacking(tmp_path: Path) -> None:
    for what in ("submit", "status", "collect"):
        told = run("batch", what, tmp_path)
        assert (told.code, "`toolgen batch write` begins one" in told.err) == (2, True)
    (tmp_path / "mine.txt").write_text("x")
    told = run("batch", "write", tmp_path, *TOOLS, *JOB)
    assert (told.code, "holds 'mine.txt' but no run" in told.err) == (2, True)
    assert "batch" in COMMANDS
