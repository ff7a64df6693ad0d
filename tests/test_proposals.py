"""The result schemas of a run: asked for once per tool, mended, kept, and the same when the run goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from generator.assets import asset_folder
from generator.authors.llm.ladder import Ladder
from generator.authors.llm.prompts import load_prompts
from generator.authors.llm.schema_author import SchemaAuthor
from generator.backends.answers import LoggedBackend
from generator.backends.backend import Completion, CompletionRequest
from generator.backends.scripted import Answer, ScriptedBackend
from generator.errors import BackendError
from generator.formats.tool_files import load_tools
from generator.job import Job
from generator.jsontext import dump_pretty
from generator.proposals import settle, settle_as_published, wanting
from generator.runs import tally
from generator.runs.answer_file import AnswerFile
from generator.runs.folder import RunFolder
from generator.runs.identity import job_document, resolve_with
from generator.runs.store import RunStore
from generator.runs.summary import SCHEMA_NOTES, schemas_told
from generator.tools.catalog import Catalog

PROMPTS = load_prompts(asset_folder("prompts"))
GOOD = {"type": "object", "properties": {"mood": {"type": "string", "description": "A mood"}}, "required": ["mood"]}
DECLARED = {"type": "object", "properties": {"own": {"type": "string"}}}


def catalog(*names: str) -> Catalog:
    plain = [{"name": name, "description": f"Do {name}.", "parameters": {}} for name in names]
    told = {"name": "told", "description": "Told.", "inputSchema": {"type": "object"}, "outputSchema": DECLARED}
    framed = {**plain[0], "name": "framed", "x_frames": {"requests": [], "replies": ["It is fine."]}}
    return Catalog(tools=tuple(load_tools([*plain, framed], [told])))


def answer(schema: object) -> str:
    return json.dumps({"result_schema": schema})


def settled(
    tools: Catalog,
    store: RunStore,
    answers: Iterable[Answer] | Callable[[CompletionRequest], Answer],
    stopping: Callable[[], bool] = lambda: False,
    tries: int = 3,
) -> tuple[Catalog, ScriptedBackend]:
    backend = ScriptedBackend(answers)

    @asynccontextmanager
    async def opening() -> AsyncIterator[SchemaAuthor]:
        with AnswerFile(store.path.with_suffix(".answers")) as log:
            yield SchemaAuthor(Ladder(LoggedBackend(backend, log), {"model": "m"}), PROMPTS, tries=tries)

    return settle(tools, store, opening, 1, stopping), backend


def origins(tools: Catalog) -> dict[str, str]:
    return {tool.name: tool.result_origin for tool in tools.tools}


def test_only_tools_without_a_result_of_their_own_are_asked_for(tmp_path: Path) -> None:
    tools = catalog("one", "two")
    assert [tool.name for tool in wanting(tools)] == ["one", "two"]
    with RunStore(tmp_path / "run.db", "i") as store:
        found, backend = settled(tools, store, [answer(GOOD)] * 2)
        assert origins(found) == {"one": "proposed", "two": "proposed", "framed": "derived", "told": "declared"}
        assert found.tools[0].result_schema == {**GOOD, "additionalProperties": False}
        assert len(backend.requests) == 2
        assert "Do one." in backend.requests[0].body["messages"][0]["content"]


def test_what_is_settled_is_asked_for_no_more(tmp_path: Path) -> None:
    tools = catalog("one", "two")
    with RunStore(tmp_path / "run.db", "i") as store:
        first, _ = settled(tools, store, [answer(GOOD), "rubbish", "rubbish", "rubbish"])
    with RunStore(tmp_path / "run.db", "i") as store:
        again, backend = settled(tools, store, [])
        assert backend.requests == []
        assert again.digest == first.digest != tools.digest
        assert again.given_digest == first.given_digest == tools.given_digest
        told = schemas_told(store.notes(SCHEMA_NOTES))
    assert told.proposed == 1
    assert told.derived == {"two": "your answer holds no JSON object"}


def test_a_bad_proposal_goes_back_with_what_is_wrong(tmp_path: Path) -> None:
    with RunStore(tmp_path / "run.db", "i") as store:
        bad = {"type": "object", "properties": {"a b": {"type": ["string", "null"]}}}
        found, backend = settled(catalog("one"), store, [answer(bad), "", answer(GOOD)])
        assert origins(found)["one"] == "proposed"
        sent = backend.requests[1].body["messages"][-1]["content"]
        assert "'a b' is no field name" in sent
        assert "not null" in sent
        assert "your answer was empty" in backend.requests[2].body["messages"][-1]["content"]
        assert len({request.key for request in backend.requests}) == 3


def test_the_derived_schema_stays_where_no_answer_can_be_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    tools = catalog("one")
    with RunStore(tmp_path / "run.db", "i") as store:
        found, backend = settled(tools, store, [answer({}), answer([])], tries=2)
    assert len(backend.requests) == 2
    assert found.tools[0] == tools.tools[0]
    assert "one keeps its derived result schema" in caplog.text


def test_tokens_are_counted_once_and_under_their_own_name(tmp_path: Path) -> None:
    paid = [Completion(text=text, prompt_tokens=100, completion_tokens=20) for text in ("no", answer(GOOD), "no")]
    with RunStore(tmp_path / "run.db", "i") as store:
        settled(catalog("one", "two"), store, paid, tries=2)
    with RunStore(tmp_path / "run.db", "i") as store:
        settled(catalog("one", "two"), store, [])
        counts = store.counts()
    assert counts[tally.PROMPT, tally.PROPOSALS] == 300
    assert counts[tally.WASTED_COMPLETION, tally.PROPOSALS] == 40
    assert counts[tally.ANSWERS, tally.PROPOSALS] == 3


def test_a_run_that_is_stopped_or_refused_keeps_what_came(tmp_path: Path) -> None:
    tools = catalog("one", "two", "three")
    with RunStore(tmp_path / "run.db", "i") as store:
        with pytest.raises(BackendError):
            settled(tools, store, [answer(GOOD), BackendError("refused")])
        backend = ScriptedBackend([])
        _, backend = settled(tools, store, [], stopping=lambda: True)
        assert backend.requests == []
        found, backend = settled(tools, store, [answer(GOOD)] * 2)
        assert len(backend.requests) == 2
        assert [tool.result_origin for tool in found.tools[:3]] == ["proposed"] * 3


def test_a_model_that_never_proposes_is_asked_no_more(tmp_path: Path) -> None:
    tools = catalog(*(f"tool_{number}" for number in range(30)))
    with RunStore(tmp_path / "run.db", "i") as store:
        found, backend = settled(tools, store, lambda request: '{"request": "Hi", "calls": []}', tries=1)
        assert len(backend.requests) < 20
        assert set(origins(found).values()) == {"derived", "declared"}
        again, backend = settled(tools, store, [answer(GOOD)] * 30)
        assert backend.requests == []
        assert again.digest == found.digest == tools.digest
        assert "not asked for" in schemas_told(store.notes(SCHEMA_NOTES)).derived["tool_29"]


def test_the_order_of_the_tools_decides_nothing(tmp_path: Path) -> None:
    tools = catalog("one", "two")
    by_name = {"Do one.": {**GOOD, "required": []}, "Do two.": GOOD}

    def reply(request: CompletionRequest) -> str:
        text = request.body["messages"][0]["content"]
        return answer(next(schema for words, schema in by_name.items() if words in text))

    found = []
    for number, order in enumerate((tools.tools, tools.tools[::-1])):
        with RunStore(tmp_path / f"{number}.db", "i") as store:
            found.append(settled(Catalog(tools=tuple(order)), store, reply)[0].digest)
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM meta WHERE name LIKE 'result schema%'",
        "UPDATE meta SET value = 'no JSON' WHERE name LIKE 'result schema%'",
        "UPDATE meta SET value = '[]' WHERE name LIKE 'result schema%'",
        """UPDATE meta SET value = '{"schema": {"type": "null"}, "reason": ""}' WHERE name LIKE 'result schema%'""",
    ],
)
def test_what_records_were_made_with_is_believed_whatever_a_note_says(tmp_path: Path, damage: str) -> None:
    tools, folder = catalog("one", "two"), RunFolder(tmp_path)
    with RunStore(folder.database, "i") as store:
        final, _ = settled(tools, store, [answer(GOOD), "rubbish", "rubbish", "rubbish"])
    job = Job(author="llm")
    resolved = resolve_with(job, tools).model_copy(update={"catalog": final.digest})
    folder.job.write_text(dump_pretty(job_document(job, resolved)))
    folder.catalog.write_text(dump_pretty(final.dump()))
    folder.records.write_text("a record\n")
    with sqlite3.connect(folder.database) as run:
        run.execute(damage)
    run.close()
    with RunStore(folder.database, "i") as store:
        settle_as_published(tools, store, folder)
        again, backend = settled(tools, store, [])
        assert backend.requests == []
        assert again.digest == final.digest
        assert schemas_told(store.notes(SCHEMA_NOTES)).proposed == 1
