"""Why ADM asks what it asks of Tools, declarations and schemas, and how grave it is to break it."""

from __future__ import annotations

from typing import NamedTuple

from generator.validation.verdict import Severity


class Reason(NamedTuple):
    """What is said of a rule beside its summary; the examples are the structure that the rule speaks of."""

    severity: Severity
    why: str
    bad: str
    good: str


REASONS: dict[str, Reason] = {
    "ADM202": Reason(
        "error",
        "A Tool is what it declares.",
        '{"function_declarations": {"name": "get_time"}}',
        '{"function_declarations": [{"name": "get_time"}]}',
    ),
    "ADM203": Reason(
        "error",
        "Readers take either list, and not the same one.",
        '{"function_declarations": [], "functionDeclarations": []}',
        '{"function_declarations": []}',
    ),
    "ADM204": Reason(
        "error",
        "A Tool without a function does nothing.",
        '{"function_declarations": []}',
        '{"function_declarations": [{"name": "get_time"}]}',
    ),
    "ADM205": Reason(
        "error",
        "A call names its function, and must mean one.",
        '{"function_declarations": [{"name": "get_time"}, {"name": "get_time"}]}',
        '{"function_declarations": [{"name": "get_time"}, {"name": "get_date"}]}',
    ),
    "ADM206": Reason(
        "warning",
        "It may be a misspelled field; extensions have names of their own.",
        '{"retrieval": {}}',
        '{"x_retrieval": {}}',
    ),
    "ADM208": Reason(
        "error",
        "Without a name a function cannot be called.",
        '{"description": "Get the time."}',
        '{"name": "get_time", "description": "Get the time."}',
    ),
    "ADM209": Reason(
        "error",
        "A name is written in calls.",
        '{"name": 7}',
        '{"name": "get_time"}',
    ),
    "ADM210": Reason(
        "error",
        "Other characters are refused by servers and split by parsers.",
        '{"name": "get.time"}',
        '{"name": "get_time"}',
    ),
    "ADM211": Reason(
        "error",
        "Languages that bind the name to a function refuse it.",
        '{"name": "2times"}',
        '{"name": "times2"}',
    ),
    "ADM212": Reason(
        "error",
        "Servers cut or refuse longer names.",
        '{"name": "a name of 65 characters"}',
        '{"name": "get_time"}',
    ),
    "ADM213": Reason(
        "error",
        "The description is what a model chooses by.",
        '{"description": " "}',
        '{"description": "Get the time."}',
    ),
    "ADM214": Reason(
        "error",
        "The description is what a model reads.",
        '{"description": ["Get the time."]}',
        '{"description": "Get the time."}',
    ),
    "ADM215": Reason(
        "warning",
        "Long descriptions cost tokens in every request.",
        '{"description": "more than 1000 characters"}',
        '{"description": "Get the time."}',
    ),
    "ADM216": Reason(
        "error",
        "Readers expect the field, also for a function without parameters.",
        '{"name": "get_time"}',
        '{"name": "get_time", "parameters": {"type": "OBJECT", "properties": {}}}',
    ),
    "ADM217": Reason(
        "warning",
        "Arguments have names, which only an OBJECT gives.",
        '{"parameters": {"type": "STRING"}}',
        '{"parameters": {"type": "OBJECT", "properties": {}}}',
    ),
    "ADM218": Reason(
        "warning",
        "It may be a misspelled field; extensions have names of their own.",
        '{"returns": {}}',
        '{"x_returns": {}}',
    ),
    "ADM219": Reason(
        "error",
        "Readers tell what is absent from what is null, or do not, each in its way.",
        '{"description": null}',
        "{}",
    ),
    "ADM221": Reason(
        "error",
        "Without a type any value passes.",
        '{"description": "A city."}',
        '{"type": "STRING", "description": "A city."}',
    ),
    "ADM222": Reason(
        "error",
        "Readers that look at the type alone take it for anything.",
        '{"properties": {}}',
        '{"type": "OBJECT", "properties": {}}',
    ),
    "ADM223": Reason(
        "error",
        "Readers refuse a type that they do not know.",
        '{"type": "DATETIMES"}',
        '{"type": "STRING"}',
    ),
    "ADM224": Reason(
        "error",
        "Types are compared as they are written.",
        '{"type": "string"}',
        '{"type": "STRING"}',
    ),
    "ADM225": Reason(
        "error",
        "A description is what a model reads.",
        '{"type": "STRING", "description": 7}',
        '{"type": "STRING", "description": "A city."}',
    ),
    "ADM226": Reason(
        "warning",
        "An empty text costs tokens and tells nothing.",
        '{"type": "STRING", "description": ""}',
        '{"type": "STRING"}',
    ),
    "ADM227": Reason(
        "error",
        "Properties are found by their names.",
        '{"type": "OBJECT", "properties": ["city"]}',
        '{"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}',
    ),
    "ADM228": Reason(
        "warning",
        "Readers drop them, or take the value for an object.",
        '{"type": "STRING", "properties": {"city": {"type": "STRING"}}}',
        '{"type": "OBJECT", "properties": {"city": {"type": "STRING"}}}',
    ),
    "ADM229": Reason(
        "error",
        "It lists names of properties.",
        '{"type": "OBJECT", "required": true}',
        '{"type": "OBJECT", "required": []}',
    ),
    "ADM230": Reason(
        "error",
        "No arguments can satisfy it.",
        '{"type": "OBJECT", "properties": {}, "required": ["city"]}',
        '{"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}',
    ),
    "ADM231": Reason(
        "error",
        "Said twice it is a slip, often for another name.",
        '{"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a", "a"]}',
        '{"type": "OBJECT", "properties": {"a": {"type": "STRING"}}, "required": ["a"]}',
    ),
    "ADM232": Reason(
        "warning",
        "Only an OBJECT has properties to require.",
        '{"type": "STRING", "required": ["city"]}',
        '{"type": "STRING"}',
    ),
    "ADM233": Reason(
        "error",
        "Without it nothing is known of the elements.",
        '{"type": "ARRAY"}',
        '{"type": "ARRAY", "items": {"type": "STRING"}}',
    ),
    "ADM234": Reason(
        "warning",
        "Readers drop them, or take the value for a list.",
        '{"type": "STRING", "items": {"type": "STRING"}}',
        '{"type": "ARRAY", "items": {"type": "STRING"}}',
    ),
    "ADM235": Reason(
        "error",
        "The allowed values are its elements.",
        '{"type": "STRING", "enum": "red"}',
        '{"type": "STRING", "enum": ["red"]}',
    ),
    "ADM236": Reason(
        "error",
        "No value is possible.",
        '{"type": "STRING", "enum": []}',
        '{"type": "STRING", "enum": ["red"]}',
    ),
    "ADM237": Reason(
        "error",
        "Enumerations restrict texts alone.",
        '{"type": "STRING", "enum": ["red", 2]}',
        '{"type": "STRING", "enum": ["red", "2"]}',
    ),
    "ADM238": Reason(
        "error",
        "Listed twice a value weighs more than the others.",
        '{"type": "STRING", "enum": ["red", "red"]}',
        '{"type": "STRING", "enum": ["red", "blue"]}',
    ),
    "ADM239": Reason(
        "error",
        "A text can never be a number.",
        '{"type": "INTEGER", "enum": ["1", "2"]}',
        '{"type": "STRING", "enum": ["1", "2"]}',
    ),
    "ADM240": Reason(
        "warning",
        "Readers ignore it, so that what it demands is not checked.",
        '{"type": "INTEGER", "minimum": 1}',
        '{"type": "INTEGER", "x_minimum": 1}',
    ),
    "ADM251": Reason(
        "error",
        "Readers compare versions number by number.",
        '{"_adm_version": "1"}',
        '{"_adm_version": "1.0.0"}',
    ),
    "ADM252": Reason(
        "error",
        "A new MAJOR version may mean anything by the same fields.",
        '{"_adm_version": "2.0.0"}',
        '{"_adm_version": "1.2.0"}',
    ),
    "ADM253": Reason(
        "warning",
        "Drafts before 1.0.0 may differ from it.",
        '{"_adm_version": "0.9.0"}',
        '{"_adm_version": "1.0.0"}',
    ),
}
"""By the code of a rule of loading: how grave it is to break it, why, and two examples."""
