"""Every normative sentence of the four documents has its rules, or a reason why no rule speaks of it.

Sentences are named by their place: section, list or field, and number. The places are found in the documents
themselves, so that none can be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from generator.validation.rule_reference import every_rule
from tests.shared_data import SHARED, needs_shared

pytestmark = needs_shared

DEEPFABRIC = """
rule 1 | DF004
rule 2 | DF005 DF006
rule 2 Length | DF005
rule 2 Charset | DF005
rule 2 Regex | DF005
rule 3 | DF008 OA007
3.1 role | OA003 OA005
3.1 tool_calls | DF003
3.1 id | DF005
3.1 type | DF007
3.1 function.arguments | DF004
3.2 role | OA003 OA006
3.2 tool_call_id | DF008
3.2 content | DF009
3.2 content, best practice | DF010
"""
QWEN3 = """
note 1 | (the qwen3 formats write and read results as the user's tagged text)
note 2 | TC006 (and the qwen3 formats match by position)
note 3 | Q3002 (and the qwen3 formats parse calls so)
note 4 | Q3004 (and the qwen3 formats write the newlines)
note 5 | Q3001 (the end of a turn is the template's)
"""
OPENAI = """
1 role | OA003
1 content | OA004 OA126
1 tool_calls | OA005 OA125 DF003
1 tool_call_id | OA006 OA007 DF008
1 name | OA127 TC005
1 validation rules 1 | OA007
1 validation rules 2 | OA008
1 validation rules 3 | OA004
1 validation rules 4 | DF008 OA009
1 state transitions 1 | OA010 TC008
1 state transitions 2 | OA010 TC011
1 state transitions 3 | OA010
2 id | OA121 DF006
2 type | DF007
2 function | OA012
2 validation rules 1 | DF006
2 validation rules 2 | DF007
2 validation rules 3 | OA012
3 name | OA013 OA014
3 arguments | OA122 OA123 OA015
3 validation rules 1 | OA014
3 validation rules 2 | OA015 OA122
3 validation rules 3 | OA016
3 validation rules 4 | OA016
3 error conditions 1 | OA014
3 error conditions 2 | OA015
3 error conditions 3 | OA016
3 error conditions 4 | OA016
4 type | OA019
4 function | OA020
4 validation rules 1 | OA019
4 validation rules 2 | OA020
4 validation rules 3 | OA021
5 name | OA022
5 description | OA128 ADM003
5 parameters | OA023 OA024 OA025 OA129
5 strict | OA026 OA027 OA028
5 validation rules 1 | OA022
5 validation rules 2 | OA024
5 validation rules 3 | OA025
5 validation rules 4 | OA027 OA028 OA029 OA030
6 include_usage | OA118
7 model | OA102
7 messages | OA103 OA001 OA010
7 stream | OA104
7 max_tokens | OA105 OA106
7 temperature | OA107 OA108
7 top_p | OA109
7 stop | OA110
7 tools | OA017 OA111
7 tool_choice | OA112 OA113 OA114
7 parallel_tool_calls | OA011 OA032 OA115 OA116 OA031
7 stream_options | OA117 OA119
7 reasoning_effort | OA120
7 validation rules 1 | OA102
7 validation rules 2 | OA001
7 validation rules 3 | OA010 OA009
7 validation rules 4 | OA113
7 validation rules 5 | OA119
7 validation rules 6 | OA107
7 validation rules 7 | OA109
7 validation rules 8 | OA105
8 id | OA132
8 object | OA133 OA152
8 created | OA134 OA140
8 model | OA135
8 choices | OA136 OA137
8 usage | OA147 OA157 OA158
9 index | OA138 OA139
9 message | OA141 OA142
9 delta | OA153 OA160
9 finish_reason | OA143 OA154
9 validation rules 1 | OA144
9 validation rules 2 | OA155 OA156
9 validation rules 3 | OA141
9 validation rules 4 | OA153
10 prompt_tokens | OA145
10 completion_tokens | OA145
10 total_tokens | OA145 OA146
request model | OA102
request messages | OA103 OA001
request messages[].role | OA003
request messages[].content | OA004 OA008
request messages[].tool_call_id | OA007 DF008
request tools | OA017 OA018
request tools[].function.name | OA022
request tools[].function.parameters | OA023 OA024 OA025
request tool_choice | OA112
request parallel_tool_calls | OA011
request temperature | OA107
request top_p | OA109
request max_tokens | OA105
response id | OA132
response choices[].message.tool_calls[].id | OA121
response choices[].message.tool_calls[].function.arguments | OA122 OA015
response choices[].finish_reason | OA144
response usage.total_tokens | OA146
"""
ADM = """
4.1.2 function_declarations 1 | ADM204
4.1.2 function_declarations 2 | ADM205 OA021
4.1.2 function_declarations 3 | ADM207
4.1.3 1 | ADM204 ADM202
4.1.3 2 | ADM207
4.1.3 3 | ADM205 OA021
4.1.3 4 | TC101
4.2.2 name 1 | ADM210 OA022
4.2.2 name 2 | ADM212 ADM001
4.2.2 name 3 | ADM211 ADM001
4.2.2 name 4 | ADM205 OA021
4.2.2 name 5 | ADM208 ADM209 ADM210 ADM211 ADM212 ADM001
4.2.2 description 6 | ADM213 ADM003
4.2.2 description 7 | (advice on style, which no rule can judge)
4.2.2 description 8 | ADM215 ADM004
4.2.2 description 9 | ADM213 ADM214 ADM219 ADM003
4.2.2 parameters 10 | ADM216 ADM220 ADM217 OA023
4.2.2 parameters 11 | ADM220 OA024
4.2.3 1 | ADM210 ADM211 ADM212 ADM001
4.2.3 2 | ADM205 OA021
4.2.3 3 | ADM205 OA021
4.2.3 4 | ADM213 ADM003
4.2.3 5 | ADM215 ADM004
4.2.3 6 | ADM220 OA024
4.2.3 7 | ADM217 OA025
4.2.3 8 | ADM220 OA024
4.3.3 type 1 | ADM221 ADM222 ADM223
4.3.3 type 2 | ADM223 ADM224
4.3.3 description 3 | ADM225 ADM226
4.3.3 properties 4 | ADM220 ADM227
4.3.3 properties 5 | TC101
4.3.3 required 6 | ADM230 ADM005
4.3.3 required 7 | ADM231 OA024
4.3.3 items 8 | ADM220
4.3.3 items 9 | ADM233 ADM006
4.3.3 enum 10 | ADM236 ADM237 ADM238 ADM002 ADM007
4.3.3 enum 11 | OA016
4.3.7 1 | TC101
4.3.7 2 | OA016
4.3.7 3 | (a permission)
4.3.7 4 | TC101 OA016
4.3.7 5 | (a permission)
4.3.7 6 | TC101
4.3.7 7 | ADM010
4.3.7 8 | ADM009
4.3.7 9 | OA016
4.3.7 10 | OA016
4.3.7 11 | ADM233 ADM006
4.3.7 12 | OA016
4.3.7 13 | (a permission)
4.3.7 14 | OA016
4.3.7 15 | OA016
4.3.7 16 | ADM008
4.3.7 17 | ADM230 ADM005
4.3.7 18 | ADM233 ADM006
4.3.7 19 | ADM239
4.3.7 20 | OA024
4.4.2 name 1 | OA014
4.4.2 name 2 | OA014
4.4.2 name 3 | ADM302 OA013 ADM001
4.4.2 name 4 | OA014
4.4.2 args 5 | OA016 ADM303
4.4.2 args 6 | OA016
4.4.2 args 7 | OA016
4.4.2 args 8 | TC017
4.4.2 args 9 | OA016
4.4.3 1 | OA014
4.4.3 2 | OA014
4.4.3 3 | OA016 ADM008
4.4.3 4 | OA016
4.4.3 5 | OA016 ADM009
4.4.3 6 | OA016
4.4.3 7 | TC101
4.4.3 8 | OA016
4.4.3 9 | OA016
4.5.4 name 1 | ADM101
4.5.4 name 2 | ADM322 TC005
4.5.4 status 3 | ADM323 ADM104
4.5.4 status 4 | ADM324 ADM326
4.5.4 content 5 | ADM324 ADM327
4.5.4 content 6 | TC101 DF010
4.5.4 content 7 | (left to each implementation)
4.5.4 error 8 | ADM326 ADM325
4.5.4 error 9 | ADM328 ADM112
4.5.5 message 1 | ADM110
4.5.5 message 2 | (what is sensitive only the tool's owner knows)
4.5.5 message 3 | ADM111
4.5.5 type 4 | ADM330 ADM108
4.5.5 type 5 | (a permission)
4.5.6 1 | ADM324 ADM325 ADM106
4.5.6 2 | ADM326 ADM327 ADM105
4.5.6 3 | ADM325 ADM327
4.5.6 4 | TC101
4.5.6 5 | (a permission)
4.5.6 6 | ADM113
4.5.6 7 | ADM110
4.5.6 8 | ADM330 ADM107 ADM109
4.5.6 9 | (what is sensitive only the tool's owner knows)
"""


def document(number: str) -> str:
    if not SHARED.is_dir():
        return ""
    return next((SHARED / "seeds").glob(f"{number}_*.txt")).read_text(encoding="utf-8")


def table(text: str) -> dict[str, str]:
    rows = [line.split(" | ") for line in text.strip().splitlines()]
    assert len({place for place, _ in rows}) == len(rows)
    return dict(rows)


def places_in_deepfabric() -> Iterator[str]:
    text = document("000")
    for number, rule in re.findall(r"^### Rule (\d):(.*?)(?=^### |^---)", text, re.DOTALL | re.MULTILINE):
        yield f"rule {number}"
        yield from (f"rule {number} {part}" for part in re.findall(r"\*\*(Length|Charset|Regex):\*\*", rule))
    for section in re.findall(r"^### 3\.\d.*?(?=^### |^---)", text, re.DOTALL | re.MULTILINE):
        number = section.split()[1]
        yield from (f"{number} {field}" for field in re.findall(r"^  \* +\*\*`([\w.]+)`", section, re.MULTILINE))
        if "*Best Practice:*" in section:
            yield f"{number} content, best practice"


def places_in_qwen3() -> Iterator[str]:
    notes = document("002").split("## Key Implementation Notes")[1].split("\n## ")[0]
    for number, _ in enumerate(re.findall(r"^- ", notes, re.MULTILINE), start=1):
        yield f"note {number}"


def places_in_openai() -> Iterator[str]:
    text = document("003")
    for section in re.finditer(r"^### (\d+)\. .*?(?=^### |^## )", text, re.DOTALL | re.MULTILINE):
        yield from _places_of_entity(section[1], section[0])
    part = ""
    for line in text.split("## Validation Summary")[1].split("## Implementation")[0].splitlines():
        part = line[4:].split()[0].lower() if line.startswith("### ") else part
        if row := re.match(r"\| `([^`]+)` \|", line):
            yield f"{part} {row[1]}"


def _places_of_entity(number: str, section: str) -> Iterator[str]:
    part, counted = "", 0
    for line in section.splitlines():
        if heading := re.match(r"\*\*(.+?)\*\*", line):
            part, counted = heading[1], 0
        elif (part == "Fields" or part.endswith("Parameters")) and (field := re.match(r"- `(\w+)`", line)):
            yield f"{number} {field[1]}"
        elif part in ("Validation Rules", "Error Conditions", "State Transitions") and re.match(r"(\d+\.|-) ", line):
            counted += 1
            yield f"{number} {part.lower()} {counted}"


def places_in_adm() -> Iterator[str]:
    sections = re.finditer(
        r"^(4\.[1-5]\.\d)\. (Validation Rules|(?:ErrorObject )?Field Specifications)\n(.*?)(?=^\d\.\d\.\d)",
        document("004"),
        re.DOTALL | re.MULTILINE,
    )
    for section in sections:
        lines = [line for line in section[3].splitlines() if line.strip()]
        found = _rules(lines) if section[2] == "Validation Rules" else _constraints(lines)
        yield from (f"{section[1]} {place}" for place in found)


def depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _rules(lines: list[str]) -> Iterator[str]:
    """The items of a list that hold no list themselves."""
    counted = 0
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if re.match(r"\s*(•|\d+\.) ", line) and depth(after) <= depth(line):
            counted += 1
            yield str(counted)


def _constraints(lines: list[str]) -> Iterator[str]:
    """The constraints and validations of each field."""
    field, inside, counted = "", -1, 0
    for line in lines:
        if depth(line) == 0:
            field, inside = line.split()[0], -1
            continue
        if inside < 0 or depth(line) <= inside:
            inside = depth(line) if line.strip() == "• Constraints:" else -1
            if not re.match(r"\s*• (Constraints|Validation): ", line):
                continue
        counted += 1
        yield f"{field} {counted}"


DOCUMENTS = {
    "DeepFabric": (DEEPFABRIC, places_in_deepfabric),
    "Qwen3": (QWEN3, places_in_qwen3),
    "OpenAI": (OPENAI, places_in_openai),
    "ADM": (ADM, places_in_adm),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_normative_sentence_is_in_the_table(name: str) -> None:
    text, places = DOCUMENTS[name]
    assert list(table(text)) == list(places())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_sentence_has_rules_or_a_reason(name: str) -> None:
    for place, told in table(DOCUMENTS[name][0]).items():
        codes = re.sub(r"\(.*\)", "", told).split()
        assert codes or re.search(r"\(.+\)$", told), place
        assert [code for code in codes if code not in every_rule()] == [], place


@pytest.mark.parametrize("group", ["DF", "OA", "ADM", "Q3"])
def test_nearly_every_rule_of_the_documents_has_a_sentence(group: str) -> None:
    """The rest follows from what a structure is: an object, a list, a field that is text."""
    named = {
        code for text, _ in DOCUMENTS.values() for told in table(text).values() for code in re.findall(r"\w+\d", told)
    }
    codes = {code for code in every_rule() if code.startswith(group)}
    assert len(codes - named) < len(codes) / 2
