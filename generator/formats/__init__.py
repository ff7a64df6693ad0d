"""Wire formats: tool files in and out, records in and out; one file per format, all of them in `FORMATS`."""

from __future__ import annotations

from generator.formats import (
    adm,
    anthropic,
    bare,
    bfcl,
    catalog_file,
    deepfabric,
    gemini,
    glaive,
    hermes,
    hf,
    llamafactory,
    llamafactory_openai,
    mcp,
    mistral,
    ms_swift,
    openai,
    openai_finetune,
    openapi,
    qwen3,
    qwen3_text,
    toolace,
    trl,
    xlam,
)
from generator.formats.format import Format

FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        catalog_file.FORMAT,
        openapi.FORMAT,
        adm.FORMAT,
        ms_swift.FORMAT,
        mistral.FORMAT,
        openai_finetune.FORMAT,
        openai.FORMAT,
        mcp.FORMAT,
        anthropic.FORMAT,
        bare.FORMAT,
        qwen3.FORMAT,
        qwen3_text.FORMAT,
        gemini.FORMAT,
        bfcl.FORMAT,
        xlam.FORMAT,
        glaive.FORMAT,
        llamafactory.FORMAT,
        hermes.FORMAT,
        toolace.FORMAT,
        deepfabric.FORMAT,
        trl.FORMAT,
        llamafactory_openai.FORMAT,
        hf.FORMAT,
    )
}
"""Every format by name. A definition belongs to the first whose `matches_tools` says so; `recognition` says which
format a record is in."""
