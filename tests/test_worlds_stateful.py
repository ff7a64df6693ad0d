"""Random domains under random calls: no result breaks its schema, and no two results contradict each other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from generator.jsontext import JsonObject
from generator.records import ToolResult
from generator.schemas.validators import validator_for
from generator.worlds.execution import execute
from generator.worlds.program import CompiledDomain
from generator.worlds.world import World, changes_between
from tests.checkout import run_python
from tests.domains_library import TODAY
from tests.random_domains import random_domain

STATES = st.sampled_from(["new", "sent", "lost"])


class Calls(RuleBasedStateMachine):
    """A world under calls, beside what its answers said: the model."""

    @initialize(domain=st.integers(0, 400), seed=st.integers(0, 10**6))
    def begin(self, domain: int, seed: int) -> None:
        self.compiled = random_domain(domain)
        self.entities = self.compiled.domain.entities
        self.seed = seed
        self.world = self.start = World(self.compiled.program, seed, TODAY, "en_US")
        self.made: list[tuple[str, JsonObject, str]] = []
        self.rows: dict[str, dict[Any, JsonObject]] = {name: {} for name in self.entities}
        self.gone: dict[str, set[Any]] = {name: set() for name in self.entities}
        for name in self.entities:
            self.rows[name] = {row["id"]: row for row in self.call(f"list_{name}")["rows"]}

    def answer(self, name: str, /, **arguments: Any) -> ToolResult:
        """Make a call; what it answers fits its schema, what fails changes nothing, and time goes on."""
        before, now = self.world.digest(), self.world.now
        done = execute(self.world, self.compiled.tools[name], arguments)
        assert self.world.digest() == before, "the world that was given stays as it is"
        assert done.world.now > now
        if done.result.error_type is not None:
            assert done.world.digest() == before
            assert done.world.changes == self.world.changes
        elif schema := self.compiled.tools[name].result_schema:
            assert validator_for(schema).is_valid(done.result.content), done.result.content
        self.world = done.world
        self.made.append((name, arguments, done.result.message_text))
        return done.result

    def call(self, name: str, /, **arguments: Any) -> Any:
        result = self.answer(name, **arguments)
        assert result.error_type is None, result.error_message
        return result.content

    def some(self, data: st.DataObject) -> tuple[str, Any]:
        names = [name for name in self.entities if self.rows[name]]
        name = data.draw(st.sampled_from(names))
        return name, data.draw(st.sampled_from(sorted(self.rows[name], key=str)))

    @rule(data=st.data(), state=st.none() | STATES, limit=st.none() | st.integers(0, 4), offset=st.integers(0, 3))
    def lists(self, data: st.DataObject, state: str | None, limit: int | None, offset: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.entities)))
        sort = data.draw(st.sampled_from([None, "weight", "-weight"]))
        given = {"state": state, "limit": limit, "offset": offset, "sort": sort}
        found = self.call(f"list_{name}", **{key: value for key, value in given.items() if value is not None})
        expected = [row for row in self.rows[name].values() if state in (None, row["state"])]
        if sort:
            expected.sort(key=lambda row: row["weight"], reverse=sort.startswith("-"))
        end = len(expected) if limit is None else offset + limit
        assert found["rows"] == expected[offset:end]
        assert found["count"] == len(expected)
        assert found["weight"] == pytest.approx(sum(row["weight"] for row in expected))
        assert found["more"] == (end < len(expected))

    @precondition(lambda self: any(self.rows.values()))
    @rule(data=st.data())
    def gets(self, data: st.DataObject) -> None:
        name, key = self.some(data)
        first, second = self.call(f"get_{name}", id=key), self.call(f"get_{name}", id=key)
        assert first == second == self.rows[name][key]

    @rule(data=st.data(), weight=st.none() | st.integers(0, 90), state=st.none() | st.sampled_from(["new", "sent"]))
    def creates(self, data: st.DataObject, weight: int | None, state: str | None) -> None:
        name = data.draw(st.sampled_from(sorted(self.entities)))
        given = {key: value for key, value in (("weight", weight), ("state", state)) if value is not None}
        parent = self.entities[name].parent
        if parent and not self.rows[parent]:
            assert self.answer(f"create_{name}", name="box", **given).error_type == "INVALID_STATE"
            return
        made = self.call(f"create_{name}", name="box", **given)
        assert made["id"] not in self.rows[name]
        assert made["id"] not in self.gone[name]
        assert made["name"] == "box"
        assert {key: made[key] for key in given} == given
        assert not parent or made["parent"] in self.rows[parent]
        self.rows[name][made["id"]] = made

    @precondition(lambda self: any(self.rows.values()))
    @rule(data=st.data(), state=st.none() | STATES, tag=st.none() | st.sampled_from(["amber", "new tag"]))
    def updates(self, data: st.DataObject, state: str | None, tag: str | None) -> None:
        name, key = self.some(data)
        given = {key: value for key, value in (("state", state), ("tag", tag)) if value is not None}
        changed = self.call(f"update_{name}", id=key, **given)
        row = self.rows[name][key]
        tags = row["tags"] if tag is None or tag in row["tags"] else [*row["tags"], tag]
        assert changed == {**row, "state": state or row["state"], "tags": tags}
        self.rows[name][key] = changed

    @precondition(lambda self: any(self.rows.values()))
    @rule(data=st.data())
    def refuses(self, data: st.DataObject) -> None:
        name, key = self.some(data)
        assert self.answer(f"update_{name}", id=key, state="burnt").error_type == "BUSINESS_RULE_VIOLATION"
        assert self.answer(f"get_{name}", id="nobody").error_type == "RESOURCE_NOT_FOUND"
        assert self.answer(f"get_{name}").error_type == "PARAMETER_VALIDATION_FAILED"

    @precondition(lambda self: any(self.rows.values()))
    @rule(data=st.data())
    def deletes(self, data: st.DataObject) -> None:
        name, key = self.some(data)
        assert self.call(f"delete_{name}", id=key) == {"deleted": True, "id": key}
        self.forget(name, key)
        assert self.answer(f"get_{name}", id=key).error_type == "RESOURCE_NOT_FOUND"
        assert self.answer(f"delete_{name}", id=key).error_type == "RESOURCE_NOT_FOUND"

    def forget(self, name: str, key: Any) -> None:
        """Take a row and what belongs to it from the model."""
        del self.rows[name][key]
        self.gone[name].add(key)
        for other, entity in self.entities.items():
            if entity.parent == name:
                for child in [each["id"] for each in self.rows[other].values() if each["parent"] == key]:
                    self.forget(other, child)

    @rule()
    def goes_another_way(self) -> None:
        """What happens on a copy is not seen on the world it was copied from."""
        before, kept = self.world.digest(), self.world.changes
        name = next(iter(self.entities))
        twin = execute(self.world.copy(), self.compiled.tools[f"create_{name}"], {"name": "elsewhere"}).world
        assert twin.digest() != before
        assert (self.world.digest(), self.world.changes) == (before, kept)

    @invariant()
    def tells_its_changes(self) -> None:
        if not hasattr(self, "world"):
            return
        story = changes_between(self.start, self.world)
        assert (story["initial"] == story["final"]) or story["changes"]
        left = {name: len(self.start.table(name)) for name in self.entities}
        for change in story["changes"]:
            left[change["entity"]] += {"created": 1, "deleted": -1, "updated": 0}[change["change"]]
        assert left == {name: len(rows) for name, rows in self.rows.items()}

    def teardown(self) -> None:
        if hasattr(self, "world"):
            assert replay(self.compiled, self.seed, self.made) == [text for _, _, text in self.made]


def replay(compiled: CompiledDomain, seed: int, calls: list[tuple[str, JsonObject, str]]) -> list[str]:
    """What the same calls answer on a world that nobody has looked at yet."""
    world, texts = World(compiled.program, seed, TODAY, "en_US"), []
    for name, arguments, _ in calls:
        done = execute(world, compiled.tools[name], arguments)
        world = done.world
        texts.append(done.result.message_text)
    return texts


TestCalls = Calls.TestCase
TestCalls.settings = settings(
    max_examples=25, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.slow
class TestManyCalls(Calls.TestCase):
    settings = settings(
        max_examples=600, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
    )


PLAYED = """
import json
from tests.test_worlds_stateful import replay
from tests.random_domains import random_domain
from generator.worlds.world import World
from tests.domains_library import TODAY
for number in range(12):
    compiled = random_domain(number)
    entity = next(iter(compiled.domain.entities))
    calls = [("create", {"name": "box"}), ("list", {}), ("list", {"limit": 1})]
    calls = [(f"{verb}_{entity}", arguments, "") for verb, arguments in calls]
    print(json.dumps([World(compiled.program, number, TODAY, "en_US").digest(), *replay(compiled, number, calls)]))
"""


def test_another_process_gives_the_same_bytes() -> None:
    told_by = [run_python("-c", PLAYED, PYTHONHASHSEED=seed) for seed in ("0", "1")]
    assert all(done.returncode == 0 for done in told_by), told_by[0].stderr
    assert told_by[0].stdout == told_by[1].stdout
    assert len({json.loads(line)[0] for line in told_by[0].stdout.splitlines()}) > 6
