"""OpenAPI's `discriminator`: which branch of a choice a value belongs to, written as `const`."""

from __future__ import annotations

from generator.formats.openapi_document import ApiDocument, Findings, UnfollowableError
from generator.jsontext import JsonObject, JsonValue

_CHOICES = ("oneOf", "anyOf")


def told_apart(schema: JsonObject, api: ApiDocument, findings: Findings) -> JsonObject:
    """Return a schema without `discriminator`: each branch of its choice says its own value of that property."""
    if "discriminator" not in schema:
        return schema
    discriminator = schema["discriminator"]
    rest = {keyword: part for keyword, part in schema.items() if keyword != "discriminator"}
    choice = next((keyword for keyword in _CHOICES if isinstance(schema.get(keyword), list)), None)
    name = discriminator.get("propertyName") if isinstance(discriminator, dict) else discriminator
    if choice is None or not isinstance(name, str):
        findings.note("lost", "", "a `discriminator` names subtypes that the schema does not list: left out")
        return rest
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    values = _values(mapping)
    findings.note("changed", "", f"the discriminator `{name}` became a `const` of each choice")
    return {**rest, choice: [_marked(branch, name, values, api) for branch in schema[choice]]}


def _values(mapping: JsonValue) -> dict[str, list[str]]:
    """Return the values that stand for each schema, by the last part of its reference or by its name."""
    values: dict[str, list[str]] = {}
    for value, reference in mapping.items() if isinstance(mapping, dict) else ():
        if isinstance(reference, str):
            values.setdefault(reference.rpartition("/")[2], []).append(value)
    return values


def _marked(branch: JsonValue, name: str, values: dict[str, list[str]], api: ApiDocument) -> JsonValue:
    """Give a branch its value, where the schema that it refers to lets it have that."""
    reference = branch.get("$ref") if isinstance(branch, dict) else None
    if not isinstance(reference, str):
        return branch
    schema_name = reference.rpartition("/")[2]
    own = values.get(schema_name, [schema_name])
    declared = _declared(api, reference, name)
    listed = declared.get("enum")
    if "const" in declared or (isinstance(listed, list) and not all(value in listed for value in own)):
        return branch
    said: JsonObject = {"const": own[0]} if len(own) == 1 else {"enum": own}
    return {**branch, "properties": {name: {"type": "string", **said}}, "required": [name]}


def _declared(api: ApiDocument, reference: str, name: str) -> JsonObject:
    """Return what a referenced schema itself says of one of its properties."""
    try:
        target, _ = api.resolved({"$ref": reference})
        properties = target.get("properties") if isinstance(target, dict) else None
        declared, _ = api.resolved(properties.get(name) if isinstance(properties, dict) else None)
    except UnfollowableError:
        # Carrying the branch reports the reference.
        return {}
    return declared if isinstance(declared, dict) else {}
