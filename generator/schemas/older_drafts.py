"""Keywords of older drafts and of OpenAPI, as JSON Schema 2020-12 writes them."""

from __future__ import annotations

from generator.schemas.node import Node, Step, shown

_CURRENT = "https://json-schema.org/draft/2020-12/schema"


def drop_other_draft(node: Node) -> None:
    """Leave out `$schema` where it names another draft than the working form's."""
    declared = node.schema.get("$schema")
    if declared is not None and declared != _CURRENT:
        del node.schema["$schema"]
        node.note("changed", f"`$schema` {shown(declared)} left out: the schema is 2020-12 now", "$schema")


def rename_definitions(node: Node) -> None:
    """Call `definitions` `$defs`; where both are there, `definitions` stays as it is."""
    if isinstance(node.schema.get("definitions"), dict) and "$defs" not in node.schema:
        node.rename("definitions", "$defs")
        node.note("changed", "`definitions` became `$defs`", "definitions")


def rename_tuple_items(node: Node) -> None:
    """Call a list of `items` `prefixItems`, and what comes after them `items`."""
    if isinstance(node.schema.get("items"), list):
        if node.schema["items"]:
            node.rename("items", "prefixItems")
            node.note("changed", "a list of `items` became `prefixItems`", "items")
        else:
            del node.schema["items"]
            node.note("changed", "an empty list of `items` says nothing: left out", "items")
        if "additionalItems" in node.schema:
            node.rename("additionalItems", "items")
    elif "additionalItems" in node.schema:
        del node.schema["additionalItems"]
        node.note("changed", "`additionalItems` without a list of `items` says nothing: left out", "additionalItems")


def read_exclusive_bounds(node: Node) -> None:
    """Read the boolean `exclusiveMinimum` and `exclusiveMaximum` of draft-04."""
    for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        value = node.schema.get(exclusive)
        if not isinstance(value, bool):
            continue
        del node.schema[exclusive]
        if value and bound in node.schema:
            node.schema[exclusive] = node.schema.pop(bound)
        node.note("changed", f"a boolean `{exclusive}` became its bound", exclusive)


def split_dependencies(node: Node) -> None:
    """Split `dependencies` into `dependentRequired` and `dependentSchemas`."""
    dependencies = node.schema.get("dependencies")
    if not isinstance(dependencies, dict):
        return
    del node.schema["dependencies"]
    node.note("changed", "`dependencies` became `dependentRequired` and `dependentSchemas`", "dependencies")
    for name, needed in dependencies.items():
        keyword = "dependentRequired" if isinstance(needed, list | str) else "dependentSchemas"
        value = [needed] if isinstance(needed, str) else needed
        node.schema.setdefault(keyword, {})
        if isinstance(node.schema[keyword], dict):
            node.schema[keyword] = {**node.schema[keyword], name: value}
            node.origins[keyword] = (*node.path, "dependencies")


def rename_single_keywords(node: Node) -> None:
    """Rename keywords whose meaning stayed: draft-03's `divisibleBy`, 2019-09's recursion."""
    for old, new in (("divisibleBy", "multipleOf"), ("$recursiveRef", "$ref")):
        if old in node.schema and new not in node.schema:
            node.rename(old, new)
            node.note("changed", f"`{old}` became `{new}`", old)


OLDER_DRAFT_STEPS: tuple[Step, ...] = (
    drop_other_draft,
    rename_definitions,
    rename_tuple_items,
    read_exclusive_bounds,
    split_dependencies,
    rename_single_keywords,
)
