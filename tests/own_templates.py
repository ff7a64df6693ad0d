"""Chat templates of our own: one that renders every record whole, and others that each spoil one thing."""

from __future__ import annotations

WHOLE = """\
{%- for tool in tools %}<tool>{{ tool | tojson }}</tool>
{% endfor %}
{%- for message in messages %}<{{ message.role }}>{{ message.content }}
{%- for call in message.tool_calls or [] %}<call>{{ call.function | tojson }}</call>{% endfor %}</{{ message.role }}>
{% endfor %}"""
"""Renders arguments as objects, calls together, the system message in its place; drops ids and names on results."""

CALLS = "{%- for call in message.tool_calls or [] %}<call>{{ call.function | tojson }}</call>{% endfor %}"
CONTENT = "{{ message.content }}"
ARGUMENTS_AS_TEXT = WHOLE.replace("{{ call.function | tojson }}", "{{ call.function.name + call.function.arguments }}")
ONE_AT_A_TIME = WHOLE.replace(
    CALLS,
    "{%- if message.tool_calls and message.tool_calls | length > 1 %}"
    "{{ raise_exception('only one call at a time') }}{% endif %}" + CALLS,
)
FIRST_CALL = WHOLE.replace("message.tool_calls or []", "(message.tool_calls or [])[:1]")
NO_SYSTEM = WHOLE.replace(CONTENT, "{% if message.role != 'system' %}" + CONTENT + "{% endif %}")
NO_TOOLS = WHOLE.replace("{{ tool | tojson }}", "")
NO_CALLS = WHOLE.replace(CALLS, "")
NO_RESULTS = WHOLE.replace(CONTENT, "{% if message.role != 'tool' %}" + CONTENT + "{% endif %}")
NO_LAST_ANSWER = WHOLE.replace(
    CONTENT, "{% if not (loop.last and message.role == 'assistant') %}" + CONTENT + "{% endif %}"
)
NO_DESCRIPTIONS = WHOLE.replace(
    "{{ tool | tojson }}", "{{ tool.function.name }} {{ tool.function.parameters | tojson }}"
)
NO_PARAMETERS = WHOLE.replace("{{ tool | tojson }}", "{{ tool.function.name }} {{ tool.function.description }}")
TWICE = WHOLE.replace(
    "{{ call.function | tojson }}", "{{ call.function.name }}{{ call.function.arguments | tojson | tojson }}"
)
AS_PYTHON = WHOLE.replace("{{ call.function | tojson }}", "{{ call.function.name }}{{ dict(call.function.arguments) }}")
NO_TEXT_BESIDE = WHOLE.replace(CONTENT, "{% if not message.tool_calls %}" + CONTENT + "{% endif %}")
WITH_IDS = WHOLE.replace("<call>", "<call>{{ call.id }}").replace("</{{ message.role }}>", "{{ message.name }}</>")
ENDLESS_TYPES = (
    "{%- macro kind(t) %}{{ kind(t) if t is not string else t }}{% endmacro %}"
    "{%- for tool in tools %}{% for p in tool.function.parameters.properties.values() %}"
    "{{ kind(p.type) }}{% endfor %}{% endfor %}" + WHOLE
)
MARKED = WHOLE.replace(CONTENT, "{% generation %}" + CONTENT + "{% endgeneration %}")
