"""Wire formats: tool files in and out, records in and out; one file per format, all of them in `FORMATS`."""

from __future__ import annotations

from generator.formats import adm, anthropic, bare, catalog_file, deepfabric, mcp, openai, openapi, qwen3
from generator.formats.format import Format

FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        catalog_file.FORMAT,
        openapi.FORMAT,
        adm.FORMAT,
        openai.FORMAT,
        mcp.FORMAT,
        anthropic.FORMAT,
        bare.FORMAT,
        qwen3.FORMAT,
        deepfabric.FORMAT,
    )
}
"""Every format by name. A definition belongs to the first whose `matches_tools` says so, a record to the first whose
`matches_record` does."""
