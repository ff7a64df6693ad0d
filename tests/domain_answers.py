"""What a model would answer that knows the library: the parts of its domain, by the question."""

import json

from tests.domain_examples import domain

_WORLD = ("about", "me", "context", "pools", "entities")


def domain_answer(prompt: str) -> str:
    """Return the answer to a question for a part of a domain; "" for any other question."""
    task = prompt.rpartition("# Your task: ")[2]
    known = domain()
    if task.startswith("the world"):
        return json.dumps({key: known[key] for key in _WORLD})
    if task.startswith("what these tools do"):
        named = {name: tool for name, tool in known["tools"].items() if f"## {name}\n" in task}
        return json.dumps({"tools": named})
    if task.startswith("read what comes"):
        return '{"tools": {}}' if "- `tools`: each" in task else '{"tasks": {}}'
    if task.startswith("tasks of several"):
        return json.dumps({"tasks": known["tasks"], "unserved": known["unserved"]})
    return ""
