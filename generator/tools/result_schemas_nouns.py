"""What things consist of: the fields an API tells about a thing, by its noun.

A spec is read by `result_schemas_fields.fields_of`. Two words stand before one: "pull request" before "request".
"""

from __future__ import annotations

from generator.tools.result_schemas_nouns_code import CODE
from generator.tools.result_schemas_nouns_culture import CULTURE
from generator.tools.result_schemas_nouns_daily import DAILY
from generator.tools.result_schemas_nouns_work import WORK

NOUNS: dict[str, str] = {**DAILY, **WORK, **CULTURE, **CODE}
"""The fields of a thing by its singular noun."""

CREATED: dict[str, str] = {
    "issue": "number url state=open",
    "pull request": "number url state=open",
    "comment": "comment_id url created_at",
    "repository": "name url visibility created_at",
    "branch": "name:branch sha",
    "file": "path:file_path size created_at",
    "directory": "path:folder_path created_at",
    "gist": "id:hex_id url created_at",
    "commit": "sha message:commit_message",
    "account": "account_id status=open created_at",
    "sub issue": "status=added updated_at",
    "review": "review_id url created_at",
    "chapter": "success",
    "workflow": "id name status=queued created_at",
    "image": "image_url width:pixels height:pixels",
    "chart": "image_url width:pixels height:pixels",
    "histogram": "bins*:spread counts*:count",
    "memory": "key status=saved",
    "reminder": "reminder_id status=scheduled datetime",
    "event": "event_id status=confirmed created_at",
    "meeting": "meeting_id status=confirmed meeting_url:url",
    "invoice": "invoice_id amount status=open due_date",
    "playlist": "playlist_id track_count url",
    "password": "password_strength:risk_strength expires_at",
}
"""What an API tells about a thing it has just made, by the thing's singular noun."""

WEAK = frozenset(
    ("history", "historical", "record", "statistics", "content", "fact", "category", "query", "model", "status", "time")
)
"""Nouns that say how, not what: another noun of the same name is what a tool is about."""
