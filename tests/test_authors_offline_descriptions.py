"""What is read from a definition: the sentence, the classes of its parameters, its flags and methods."""

import pytest

from generator.authors.offline.descriptions import Chunk, read_description
from generator.authors.offline.fields import fields_of, make_field
from generator.authors.offline.flags import flag_phrases
from generator.authors.offline.methods import method_of, sentence_for
from generator.authors.offline.pairs import find_pairs


def chunks(description, name="tool"):
    sentence = read_description(name, description)
    return sentence.verb, [(chunk.preposition, " ".join(chunk.words)) for chunk in sentence.chunks]


@pytest.mark.parametrize(
    ("description", "verb", "expected"),
    [
        ("Retrieves the price of a stock.", "retrieve", [("", "the price"), ("of", "a stock")]),
        ("This function calculates the mean of a list of numbers.", "calculate", [("", "the mean"), ("of",
         "a list of numbers")]),
        ("Use this tool to send an email to a user", "send", [("", "an email"), ("to", "a user")]),
        ("Get the area of a circle, given its radius.", "get", [("", "the area"), ("of", "a circle"), ("given",
         "its radius")]),
        ("Books a room and returns the confirmation.", "book", [("", "a room")]),
        ("Find a city that matches.", "find", [("", "a city")]),
        ("Close the page (all tabs too). More text.", "close", [("", "the page")]),
        ("Get a city for a given user", "get", [("", "a city"), ("for", "a given user")]),
        ("Create a new or update an existing issue", "create", [("", "a new issue")]),
        ("Toggles airplane mode ON or OFF.", "toggle", [("", "airplane mode")]),
        ("Upload one or multiple files", "upload", [("", "files")]),
        ("Create a new file or completely overwrite an existing file", "create", [("", "a new file")]),
        ("Check if your phone is on", "check", [("", "if your phone is on")]),
        ("This tool belongs to a suite. Tool description: Clear the memory.", "clear", [("", "the memory")]),
        ("Current weather in a city", "get", [("", "current weather"), ("in", "a city")]),
    ],
)  # fmt: skip
def test_reads_descriptions(description, verb, expected):
    assert chunks(description) == (verb, expected)


def test_reads_the_name_where_the_description_says_nothing():
    assert chunks("", "delete_old_files") == ("delete", [("", "the old files")])
    assert read_description("delete_old_files", "").from_name


def test_a_huge_description_is_read_only_in_part():
    assert chunks("Get the price. " + "x " * 200_000)[0] == "get"


@pytest.mark.parametrize(
    ("name", "schema", "kind"),
    [
        ("city", {"type": "string"}, "place"),
        ("order_id", {"type": "string"}, "id"),
        ("company_name", {"type": "string"}, "thing"),
        ("full_name", {"type": "string"}, "person"),
        ("email", {"type": "string"}, "email"),
        ("start_time", {"type": "string", "description": "In ISO 8601 format"}, "moment"),
        ("departure", {"type": "string", "format": "date"}, "date"),
        ("message", {"type": "string"}, "text"),
        ("unit", {"type": "string", "enum": ["c", "f"]}, "unit"),
        ("priority", {"type": "string", "enum": ["low"]}, "choice"),
        ("a", {"type": "number", "description": "Coefficient of x"}, "letter"),
        ("radius", {"type": "number"}, "measure"),
        ("year", {"type": "integer"}, "year"),
        ("nights", {"type": "integer"}, "duration"),
        ("num_tickets", {"type": "integer"}, "count"),
        ("perPage", {"type": "integer"}, "limit"),
        ("number", {"type": "integer", "description": "Number of items to return"}, "limit"),
        ("price", {"type": "number", "description": "Price in dollars"}, "money"),
        ("days", {"type": "integer"}, "duration"),
        ("pullNumber", {"type": "number", "description": "Pull request number"}, "id"),
        ("verbose", {"type": "boolean"}, "flag"),
        ("tags", {"type": "array"}, "list"),
        ("options", {"type": "object"}, "object"),
        ("note", {"type": ["string", "null"]}, "text"),
        ("depth", {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "measure"),
    ],
)
def test_classifies_parameters(name, schema, kind):
    assert make_field(name, schema).kind == kind


def test_the_noun_is_what_a_person_says():
    assert make_field("interestRate", {"type": "number"}).noun == "interest rate"
    assert make_field("weight_kg", {"type": "number"}).noun == "weight"
    assert make_field("number_of_years", {"type": "integer"}).noun == "number of years"
    assert (
        make_field("K", {"type": "number", "description": "The dielectric constant of the medium"}).noun
        == "dielectric constant"
    )
    assert make_field("pullNumber", {"type": "number", "description": "Pull request number"}).label == "pull request"
    assert make_field("snp_id", {"type": "string", "description": "The SNP ID"}).label == "SNP"


@pytest.mark.parametrize(
    ("description", "true", "false"),
    [
        ("Whether to include breakfast.", "Please include breakfast.", "Don't include breakfast."),
        ("Whether the gist is public", "The gist is public.", "The gist is not public."),
        ("Indicates if the user has a car.", "I have a car.", "I don't have a car."),
        ("If true, returns the full text", "Please include the full text.", "Leave out the full text."),
        ("True to block all payments, False to allow them", "Please block all payments.", "Don't block all payments."),
    ],
)
def test_words_flags(description, true, false):
    phrases = flag_phrases(make_field("flag", {"type": "boolean", "description": description}))
    assert true in phrases.when_true
    assert false in phrases.when_false


@pytest.mark.parametrize(
    ("names", "sort"),
    [
        (("owner", "repo"), "repo"),
        (("city1", "city2"), "twins"),
        (("first_name", "last_name"), "name"),
        (("latitude", "longitude"), "point"),
        (("width", "height"), "size"),
        (("head", "base"), "merge"),
    ],
)
def test_finds_what_is_said_together(names, sort):
    kind = "number" if sort in ("point", "size") else "string"
    fields = fields_of({"properties": {name: {"type": kind} for name in names}})
    ((pair),) = find_pairs(fields)
    assert (pair.sort, pair.names) == (sort, names)


def test_a_method_is_the_verb():
    fields = fields_of(
        {"properties": {"method": {"enum": ["get_files", "close", "north"]}, "issue_number": {"type": "integer"}}}
    )
    sentence = read_description("pr_read", "Get information on a specific pull request in a repository.")
    found = method_of(fields, {"method": "get_files"})
    assert found is not None
    rewritten = sentence_for(sentence, "get_files", fields)
    assert (rewritten.verb, rewritten.chunks[0]) == ("get", Chunk("", ("the", "files")))
    assert rewritten.chunks[1] == Chunk("of", ("a", "specific", "pull", "request"))
    assert method_of(fields, {"method": "north"}) is None
