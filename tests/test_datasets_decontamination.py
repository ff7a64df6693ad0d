"""Decontamination: what a benchmark asks is found in records, in whatever form the benchmark comes."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest

from generator import generate_records, load_tools
from generator.assets import asset_folder
from generator.datasets import decontamination
from generator.datasets.decontamination import Benchmarks
from generator.errors import LimitError, StorageError, UsageError
from generator.jsontext import JsonObject
from tests.shared_data import SHARED, needs_shared

Json = Any  # parsed JSON
BFCL = SHARED / "corpus" / "bfcl_gold"
LONG = "Which of the three museums near the old harbour is still open after eight in the evening on a Sunday in May?"
MIDDLE = "Book a table for two at the small Italian place"
SHORT = "What is the capital of France?"


def record(*texts: str) -> JsonObject:
    return {"messages": [{"role": "user", "content": text} for text in texts], "tools": []}


def overlap(question: str | list[str], *texts: str) -> bool:
    found = Benchmarks([("b:1", [question] if isinstance(question, str) else question)]).overlap(record(*texts))
    return found == "b:1"


@pytest.mark.parametrize(
    ("question", "texts", "found"),
    [
        (LONG, [LONG], True),
        (LONG, [LONG.upper().replace(",", "").replace("?", " ...")], True),
        (LONG, [f"Hello! {' '.join(LONG.split()[4:18])} or so"], True),  # 13 words in a row
        (LONG, [f"Hello! {' '.join(LONG.split()[4:16])} or so"], False),  # 12
        (f"Read this. {LONG}", [LONG], True),
        (LONG, ["And now something else.", LONG], True),
        (MIDDLE, [f"Hi there, could you please {MIDDLE} tonight at eight?"], True),  # all words in a row
        (MIDDLE, ["Book a table for two at the large Italian restaurant in Rome"], False),
        (SHORT, ["what is the capital of france"], True),
        (SHORT, ["Please, what is the capital of France?"], True),  # nearly the same
        (SHORT, ["What is the capital of Finland?"], False),
        (SHORT, ["Tell me what is the capital of France and of Spain and how many people live there"], False),
        ("Yes, please.", ["How is the weather in Rome?", "Yes, please."], False),  # says nothing by itself
        ("Yes, please.", ["yes please"], True),
        (["How is the weather?", "In Rome."], ["How is the weather?", "In Rome."], True),
        (["How is the weather?", "In Rome."], ["How is the weather?", "In Oslo."], True),  # the first turn is the same
        (["The weather?", "In Rome."], ["The weather?", "In Oslo."], False),
        ("里斯本今天的天气怎么样", ["里斯本今天的天气怎么样？"], True),
        ("里斯本今天的天气怎么样", ["请问，里斯本今天的天气怎么样？谢谢"], True),
        ("里斯本今天的天气怎么样", ["奥斯陆明天会下雪吗"], False),
    ],
)
def test_what_overlaps_and_what_does_not(question: str | list[str], texts: list[str], found: bool) -> None:
    assert overlap(question, *texts) is found


@pytest.mark.parametrize("document", [{}, {"messages": 1}, record(""), record("?"), {"messages": [{"role": "user"}]}])
def test_a_record_without_words_overlaps_nothing(document: JsonObject) -> None:
    assert Benchmarks([("b:1", [SHORT]), ("b:2", ["?"])]).overlap(document) is None


def test_the_assistants_words_are_not_the_users() -> None:
    said = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": LONG}]
    assert Benchmarks([("b:1", [LONG])]).overlap({"messages": said, "tools": []}) is None


CONVERSATION = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": LONG},
    {"role": "assistant", "content": "No."},
]
FORMS: dict[str, bytes] = {
    "bfcl.jsonl": orjson.dumps({"id": "simple_0", "question": [[{"role": "user", "content": LONG}]], "function": []}),
    "question.jsonl": orjson.dumps({"question": LONG, "answer": "None"}),
    "capitals.jsonl": orjson.dumps({"Question": LONG}),
    "prompt.json": orjson.dumps([{"prompt": LONG, "completion": "None"}]),
    "spread.json": orjson.dumps([{"instruction": LONG}], option=orjson.OPT_INDENT_2),
    "input.jsonl": orjson.dumps({"input": LONG, "target": "x"}),
    "query.jsonl": orjson.dumps({"query": LONG}),
    "messages.jsonl": orjson.dumps({"messages": CONVERSATION}),
    "turns.jsonl": orjson.dumps({"question_id": 81, "turns": [LONG, "And then?"]}),
    "sharegpt.jsonl": orjson.dumps(
        {"conversations": [{"from": "human", "value": LONG}, {"from": "gpt", "value": "No."}]}
    ),
    "table.csv": f'id,question,answer\n1,"{LONG}",None\n'.encode(),
    "table.tsv": f"\ufeffquestion\tanswer\n{LONG}\tNone\n".encode(),
    "packed.jsonl.gz": gzip.compress(orjson.dumps({"question": LONG})),
    "packed.csv.gz": gzip.compress(f'question\n"{LONG}"\n'.encode()),
}


@pytest.mark.parametrize("name", FORMS)
def test_questions_are_found_in_any_form(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FORMS[name])
    benchmarks = Benchmarks.read([tmp_path / name])
    line = 2 if ".csv" in name or ".tsv" in name else 1
    assert benchmarks.overlap(record(f"Well: {LONG}")) == f"{tmp_path / name}:{line}"
    assert benchmarks.overlap(record("No.")) is None
    assert benchmarks.files == [str(tmp_path / name)]
    assert len(benchmarks) == 1


def test_questions_are_found_in_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra `hf`")
    import pyarrow

    parquet.write_table(pyarrow.table({"question": [SHORT, LONG]}), tmp_path / "q.parquet")
    assert Benchmarks.read([tmp_path / "q.parquet"]).overlap(record(LONG)) == f"{tmp_path / 'q.parquet'}:2"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.jsonl", b'{"answer": "x"}\n', "holds no question: no record of a known format"),
        ("empty.jsonl", b"", "holds no question"),
        ("blank.jsonl", b'{"question": "  "}\n', "holds no question"),
        ("broken.jsonl", b'{"question": "a b c d"}\n{"question"\n', r"broken.jsonl:2: is not JSON"),
        ("deep.jsonl", orjson.dumps({"turns": [[[[[[[[[[["a"]]]]]]]]]]]}), "holds no question"),
    ],
)
def test_a_file_without_questions_is_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=message):
        Benchmarks.read([tmp_path / name])


def test_a_file_that_is_not_there_or_cut_off_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        Benchmarks.read([tmp_path / "nowhere.jsonl"])
    (tmp_path / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"question": "a"}\n' * 500)[:-20])
    with pytest.raises(StorageError, match=r"cut\.jsonl\.gz"):
        Benchmarks.read([tmp_path / "cut.jsonl.gz"])


def test_more_questions_than_memory_should_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decontamination, "MOST_ROWS", 9)
    with pytest.raises(LimitError, match=r"b:2: more than 9 words"):
        Benchmarks([("b:1", [SHORT]), ("b:2", [LONG])])


@pytest.mark.slow
@needs_shared
def test_questions_of_bfcl_are_found_in_records_that_ask_them_and_in_no_others() -> None:
    files = sorted(BFCL.glob("questions_*.jsonl"))
    benchmarks = Benchmarks.read(files)
    lines = [orjson.loads(line) for file in files for line in file.read_bytes().splitlines()]
    questions = [turns[0][0]["content"] for turns in (line["question"] for line in lines)]
    assert len(benchmarks) == len(questions) == 1240
    assert all(benchmarks.overlap(record(question.upper())) for question in questions)
    found = [bool(benchmarks.overlap(record(f"{question} Please!"))) for question in questions]
    assert sum(found) / len(found) >= 0.99
    made = generate_records(load_tools(str(asset_folder("tool_specs"))), count=100, seed=9)
    assert [each for each in made if benchmarks.overlap(each.to_dict())] == []
