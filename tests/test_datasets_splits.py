"""Splits: by digest and stable, no request nor near duplicate of one in two of them, tools held out."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from generator import generate_records, load_tools
from generator.assets import asset_folder
from generator.datasets.request import Request, RequestIndex, user_texts, words_of
from generator.datasets.splits import HELD_OUT, Placing, Splits, read_splits
from generator.errors import StorageError, UsageError
from generator.jsontext import JsonObject
from tests.checkout import CHECKOUT, environment

Json = Any  # parsed JSON
HALVES = {"a": 0.5, "b": 0.5}
NINE = {"train": 0.9, "test": 0.1}


def record(*texts: str, tools: tuple[str, ...] = (), called: tuple[str, ...] = (), **more: Json) -> JsonObject:
    calls = [{"id": "abcdefghi", "type": "function", "function": {"name": name, "arguments": {}}} for name in called]
    said = [{"role": "user", "content": text} for text in texts]
    shown = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in tools]
    return {"messages": [*said, {"role": "assistant", "content": "", "tool_calls": calls}], "tools": shown, **more}


def words(number: int, count: int = 12) -> str:
    """A request like no other."""
    return " ".join(f"w{number}x{each}" for each in range(count))


def placed(documents: list[JsonObject], **settings: Json) -> list[Placing]:
    with Splits(settings.pop("shares", HALVES), **settings) as splits:
        return [splits.split_of(document) for document in documents]


def splits_of(documents: list[JsonObject], **settings: Json) -> list[str | None]:
    return [placing.split for placing in placed(documents, **settings)]


@pytest.mark.parametrize(
    "text", ["", "train", "train=x", "train=0.5", "a=0.5,a=0.5", "a=1,b=0", "a b=1", "a=-1,b=2", "a=nan"]
)
def test_splits_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"--splits: .*e\.g\. train=0\.9,test=0\.1"):
        read_splits(text)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"shares": {"../x": 1.0}}, "no name of a split"),
        ({"shares": {"a": 0.4}}, "1 together"),
        ({"shares": {}}, "1 together"),
        ({"shares": HALVES, "near": 0.2}, "0.2 is no likeness"),
        ({"shares": HALVES, "near": float("nan")}, "is no likeness"),
        ({"shares": {HELD_OUT: 1.0}, "hold_out": ["x"]}, "give it another name"),
    ],
)
def test_settings_that_contradict_themselves_are_refused(settings: Json, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Splits(**settings)


def test_a_request_goes_where_its_digest_says_whatever_else_is_there() -> None:
    documents = [record(words(number)) for number in range(300)]
    alone = [splits_of([document])[0] for document in documents]
    assert splits_of(documents) == alone
    assert splits_of(documents[::-1]) == alone[::-1]


def test_shares_hold_on_average() -> None:
    counts = Counter(splits_of([record(words(number)) for number in range(2_000)], shares=NINE))
    assert counts["test"] == pytest.approx(200, abs=55)  # four standard deviations
    assert counts.total() == 2_000


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How warm is it in Porto?", "how warm is it in PORTO"),
        ("Wie warm ist es in Köln?", "wie warm ist es in ko\u0308ln"),
        ("里斯本今天天气怎么样？", "里斯本今天天气怎么样"),
        ("Wait ... 5 o'clock!", "wait, 5 o'clock"),
    ],
)
def test_marks_and_capitals_make_no_other_request(one: str, other: str) -> None:
    assert Request.of(record(one)) == Request.of(record(other))


@pytest.mark.parametrize("text", ["", "???", "🙂🙂"])
def test_a_record_whose_user_says_no_word_has_a_split_too(text: str) -> None:
    assert splits_of([record(text)] * 2) == [splits_of([record(text)])[0]] * 2
    assert Request.of(record(text)) != Request.of(record("!"))


@pytest.mark.parametrize(
    "document", [{}, {"messages": 5}, {"messages": [5, {"role": "user", "content": [1]}], "tools": {}}]
)
def test_a_broken_record_has_a_split_too(document: JsonObject) -> None:
    assert splits_of([document], hold_out=["x"])[0] in HALVES


def test_near_duplicates_follow_the_first() -> None:
    for number in range(20):
        first = words(number, 20)
        found = placed([record(first), record(f"{first} please"), record(f"hi {first}")])
        assert len({placing.split for placing in found}) == 1
    with Splits(HALVES) as splits:
        for number in range(20):
            splits.split_of(record(words(number, 20)))
            splits.split_of(record(words(number, 20) + " please"))
    assert 0 < splits.joined < 20


def bridged() -> tuple[JsonObject, JsonObject, JsonObject]:
    """Two requests that are in two splits, and one that is near to both."""
    for number in range(100):
        row = words(number, 40).split()
        ends = record(" ".join(row[:36])), record(" ".join(row[4:]))
        if splits_of(list(ends)) == ["a", "b"]:
            return *ends, record(" ".join(row[2:38]))
    raise AssertionError("no such pair")


def test_what_is_near_to_two_splits_is_left_out_and_stays_so(tmp_path: Path) -> None:
    one, other, between = bridged()
    found = placed([one, other, between, between], index=tmp_path / "index")
    assert [placing.split for placing in found] == ["a", "b", None, None]
    assert found[2].why == "it is near to records of a and b"
    with Splits(HALVES, index=tmp_path / "index") as splits:
        assert splits.split_of(between).split is None
    assert splits.left_out == 1
    assert splits.account() == ["splits: a 0 (0.0%), b 0 (0.0%); 1 left out, near to records of another split"]


MASK = {"tools": {"f_a1": "pay"}, "parameters": {}}


@pytest.mark.parametrize(
    ("document", "held"),
    [
        (record("Send Ann ten euros", tools=("pay", "see")), True),
        (record("Send Ann ten euros", called=("pay",)), True),
        (record("Send Ann ten euros", tools=("f_a1",), metadata={"mask": MASK}), True),
        (record("Send Ann ten euros", tools=("see", "pays")), False),
        (record("Send Ann ten euros"), False),
    ],
)
def test_what_shows_or_calls_a_tool_held_out_is_in_its_split_alone(document: JsonObject, held: bool) -> None:
    assert (splits_of([document], hold_out=["pay"]) == [HELD_OUT]) is held


def test_no_near_duplicate_crosses_over_to_the_tools_held_out() -> None:
    first, near = words(1, 20), words(1, 20) + " please"
    for documents in (
        [record(first, tools=("pay",)), record(near)],
        [record(first), record(near, tools=("pay",))],
        [record(first), record(first, tools=("pay",))],
        [record(first, tools=("pay",)), record(first)],
    ):
        assert splits_of(documents, hold_out=["pay"])[1] is None
    both = [record(first, tools=("pay",)), record(near, tools=("pay",))]
    assert splits_of(both, hold_out=["pay"]) == [HELD_OUT, HELD_OUT]


def test_a_tool_held_out_that_no_record_has_is_told() -> None:
    with Splits(HALVES, ["pay", "see"]) as splits:
        splits.split_of(record("x y z", tools=("see",)))
    assert splits.account() == [
        "splits: a 0 (0.0%), b 0 (0.0%), held_out 1 (100.0%)",
        "held out, and in no record: pay",
    ]


def family(number: int) -> list[JsonObject]:
    base = words(number, 20)
    return [record(base), record(f"{base} please"), record(f"hi {base}")]


def test_an_index_gives_the_same_splits_in_another_order_and_among_others(tmp_path: Path) -> None:
    documents = [each for number in range(60) for each in family(number)]
    first = splits_of(documents, index=tmp_path / "index")
    others = [record(words(number)) for number in range(1_000, 1_100)]
    mixed = [*documents[::-1], *others]
    Random(1).shuffle(mixed)
    again = dict(zip(map(str, mixed), splits_of(mixed, index=tmp_path / "index"), strict=True))
    assert [again[str(document)] for document in documents] == first
    assert splits_of(documents[::-1]) != first[::-1]  # without it the order decides where families go


def test_other_shares_move_nothing_that_is_in_the_index(tmp_path: Path) -> None:
    documents = [record(words(number)) for number in range(50)]
    first = splits_of(documents, index=tmp_path / "index")
    assert splits_of(documents, index=tmp_path / "index", shares={"a": 0.01, "b": 0.99}) == first


@pytest.mark.parametrize("other", [{"hold_out": ["pay"]}, {"near": 0.9}, {"shares": {"a": 0.5, "c": 0.5}}])
def test_an_index_of_other_settings_is_begun_anew_and_that_is_told(tmp_path: Path, other: Json) -> None:
    splits_of([record(words(1))], index=tmp_path / "index")
    with Splits(**{"shares": HALVES, "index": tmp_path / "index", **other}) as splits:
        splits.split_of(record(words(1), tools=("pay",)))
    assert splits.begun_anew
    assert "begun anew" in " ".join(splits.account())


def test_what_fails_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    one, _, between = bridged()
    splits_of([one], index=tmp_path / "index")
    before = (tmp_path / "index").read_bytes()
    with pytest.raises(AttributeError):
        splits_of([between, None], index=tmp_path / "index")  # type: ignore[list-item]  # a bug of somebody's
    assert (tmp_path / "index").read_bytes() == before


KILLED = """
import os, signal, sys
from pathlib import Path
from generator.datasets.splits import Splits
with Splits({"a": 0.5, "b": 0.5}, index=Path(sys.argv[1])) as splits:
    for number in range(2000):
        splits.split_of({"messages": [{"role": "user", "content": f"w{number} x{number} y{number} z{number}"}]})
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_a_kill_leaves_an_index_that_holds_what_was_committed(tmp_path: Path) -> None:
    documents = [each for number in range(20) for each in family(number)]
    first = splits_of(documents, index=tmp_path / "index")
    command = [sys.executable, "-c", KILLED, str(tmp_path / "index")]
    assert subprocess.run(command, cwd=CHECKOUT, env=environment(), check=False).returncode == -9
    assert splits_of(documents[::-1], index=tmp_path / "index") == first[::-1]
    with sqlite3.connect(tmp_path / "index") as database:
        assert database.execute("SELECT count(*) FROM request").fetchone() == (60,)


def damaged(path: Path) -> Iterator[tuple[bytes, str]]:
    whole = path.read_bytes()
    yield b"no database " * 100, "is damaged"
    yield whole[: len(whole) // 2], "is damaged"
    yield whole[:100] + b"\xff" * (len(whole) - 100), "is damaged"


def test_a_damaged_index_is_one_message(tmp_path: Path) -> None:
    documents = [each for number in range(60) for each in family(number)]
    index = tmp_path / "index"
    splits_of(documents, index=index)
    for content, message in list(damaged(index)):
        index.write_bytes(content)
        with pytest.raises(StorageError, match=message):
            splits_of(documents, index=index)


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "theirs") as database:
        database.execute("CREATE TABLE theirs (x)")
    database.close()
    before = (tmp_path / "theirs").read_bytes()
    with pytest.raises(StorageError, match="of another program"):
        Splits(HALVES, index=tmp_path / "theirs")
    assert (tmp_path / "theirs").read_bytes() == before


def test_an_index_in_use_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.datasets.request._BUSY_SECONDS", 0.01)
    with Splits(HALVES, index=tmp_path / "index"), pytest.raises(StorageError, match="another program holds it"):
        Splits(HALVES, index=tmp_path / "index")


def test_an_index_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="give a file that can be written"):
        Splits(HALVES, index=tmp_path / "no" / "index")


@pytest.fixture(scope="module")
def reworded() -> list[JsonObject]:
    """Records that toolgen makes, each with six wordings of it where a few words are put in, left out or changed."""
    random, found = Random(5), []
    for made in generate_records(load_tools(str(asset_folder("tool_specs"))), count=150, seed=3):
        document = made.to_dict()
        found.append(document)
        for _ in range(6):
            texts = [edited(text, random) for text in user_texts(document)]
            found.append(record(*texts))
    return found


def edited(text: str, random: Random) -> str:
    parts = text.split()
    for _ in range(random.randint(0, 2)):
        place = random.choice([0, len(parts), random.randrange(len(parts) + 1)])
        parts[place : place + random.randint(0, 1)] = random.choice([["please"], ["now", "then"], [f"w{place}"], []])
    return " ".join(parts)


def shingled(document: JsonObject) -> set[tuple[str, ...]]:
    said = [words_of(text) for text in user_texts(document)]
    return {tuple(row[at : at + 3]) for row in said if row for at in range(max(1, len(row) - 2))}


@pytest.mark.slow
@pytest.mark.parametrize("near", [0.5, 0.7, 0.8, 0.9])
def test_near_duplicates_are_found_as_by_comparing_all(reworded: list[JsonObject], near: float) -> None:
    """Each record is asked for earlier ones that are near, and the answer held against the exact likeness to all."""
    index = RequestIndex(None, near)
    counts: Counter[tuple[bool, bool]] = Counter()
    earlier: list[set[tuple[str, ...]]] = []
    by_row: dict[tuple[str, ...], list[int]] = defaultdict(list)
    seen: set[bytes] = set()
    for document in reworded:
        request, rows = Request.of(document), shingled(document)
        if request.digest in seen or not rows:
            continue
        seen.add(request.digest)
        shared = Counter(other for row in rows for other in by_row[row])
        exact = any(count / (len(rows) + len(earlier[other]) - count) >= near for other, count in shared.items())
        counts[exact, bool(index.labels_near(request))] += 1
        index.add(request, "seen")
        for row in rows:
            by_row[row].append(len(earlier))
        earlier.append(rows)
    index.close()
    near_ones = counts[True, True] + counts[True, False]
    print(f"near {near}: {counts}")
    assert near_ones >= 100
    assert counts[True, True] / near_ones >= 0.97
    assert counts[False, True] == 0
