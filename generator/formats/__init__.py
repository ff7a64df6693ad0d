"""Wire formats: tool files in and out, records in and out; one file per format, all of them in `FORMATS`."""

from __future__ import annotations

from generator.formats import (
    adm,
    anthropic,
    bare,
    bfcl,
    deepfabric,
    gemini,
    hermes,
    llamafactory,
    mcp,
    mistral,
    ms_swift,
    openai,
    qwen3,
)
from generator.formats.foreign import alpaca, glaive, marked, prompt_completion, tau, toolace, toolalpaca, xlam
from generator.formats.format import Format
from generator.formats.openapi import operations

FORMATS: dict[str, Format] = {
    known.name: known
    for known in (
        bare.CATALOG,
        operations.OPENAPI,
        adm.FORMAT,
        ms_swift.FORMAT,
        mistral.FORMAT,
        openai.FINETUNE,
        openai.FORMAT,
        mcp.FORMAT,
        anthropic.FORMAT,
        bare.FORMAT,
        qwen3.FORMAT,
        llamafactory.FORMAT,
        hermes.FORMAT,
        toolace.FORMAT,
        marked.REACT,
        marked.FORMAT,
        deepfabric.FORMAT,
        deepfabric.TRL,
        deepfabric.ROWS,
        qwen3.TEXT,
        gemini.FORMAT,
        bfcl.ACEBENCH,
        bfcl.FORMAT,
        xlam.FORMAT,
        glaive.FORMAT,
        toolalpaca.FORMAT,
        tau.FORMAT,
        openai.FUNCTIONS,
        alpaca.API_BANK,
        alpaca.FORMAT,
        prompt_completion.FORMAT,
        openai.RESPONSES,
    )
}
"""Every format by name. A definition belongs to the first whose `matches_tools` says so; where a record may be in
several formats, `recognition` asks them in this order."""
