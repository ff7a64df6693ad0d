"""What chat templates make of records: each template of a folder tried, and what came of each family of models.

python tests/benchmarks/bench_chat_templates.py FOLDER [--write]

FOLDER holds templates (.jinja), in folders of any depth, under names that tell the model; those that are the
same are tried once. `--write` writes what came of the families to generator/assets/model_families.json.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from generator.assets import asset_file
from generator.chat_templates.fitting import Finding, choose, plain
from generator.chat_templates.forms import Form
from generator.chat_templates.template import ChatTemplate, read_template

FAMILIES: dict[str, str] = {
    "DeepSeek-R1": r"deepseek-r1",
    "DeepSeek-V4": r"deepseek-?v4",
    "DeepSeek-V3.2": r"deepseek-?v3\.2",
    "DeepSeek-V3": r"deepseek-?v3",
    "Hermes-2-Pro": r"hermes-2-pro",
    "Hermes-3": r"hermes-3",
    "Functionary-3.1": r"functionary.*v3\.1",
    "Functionary-3.2": r"functionary.*v3\.2",
    "Firefunction": r"firefunction",
    "Qwen2.5": r"qwen-?2\.?5(?!-vl)",
    "QwQ": r"qwq",
    "Qwen3.5": r"qwen-?3\.5",
    "Qwen3.6": r"qwen-?3\.6",
    "Qwen3.8": r"qwen-?3\.8",
    "Qwen3-Coder": r"qwen-?3-coder",
    "Qwen3-VL": r"qwen-?3-vl",
    "Qwen3-2507": r"qwen-?3.*(2507|instruct)",
    "Qwen3": r"qwen-?3(?![.\d])",
    "Llama-4": r"llama-?4",
    "Llama-3.1": r"llama-?3\.?1",
    "Llama-3.2": r"llama-?3\.2",
    "Llama-3.3": r"llama-?3\.3",
    "Devstral": r"devstral",
    "Ministral-3": r"ministral-3",
    "Mistral-Nemo": r"mistral-nemo|mistral-v3-tekken",
    "Mistral-Small-3.2": r"mistral-small-3\.2",
    "Mistral-v0.3": r"mistral-7b-instruct-v0\.3|mistral-v2v3",
    "gpt-oss": r"gpt-?oss",
    "DiffusionGemma": r"diffusion-?gemma",
    "Gemma-4": r"gemma-?4",
    "GLM-4.7": r"glm-?4\.7",
    "GLM-4.5": r"glm-?4(\.[56]|moe)",
    "Granite-3.3": r"granite-3\.3",
    "Granite-4": r"granite-4",
    "LFM2.5": r"lfm2(\.2)?\.5",
    "LFM2": r"lfm2",
    "Kimi-K3": r"kimi-k3",
    "Kimi-K2": r"kimi-k2",
    "MiniMax-M1": r"minimax-m1",
    "MiniMax-M2": r"minimax-m2",
    "MiniMax-M3": r"minimax-m3",
    "Nemotron-3.5": r"nemotron-3\.5",
    "Nemotron-3": r"nemotron-3-(nano|super|ultra)",
    "Nemotron-Nano-v2": r"nemotron-nano-(9b-|12b-)?v2",
    "Command-R+": r"command-r-plus",
    "Command-R7B": r"command-r7b",
    "Command-A": r"command-a",
    "Cohere2MoE": r"cohere2moe",
    "Apertus": r"apertus",
    "Apriel": r"apriel",
    "Bielik-v3": r"bielik.*v3",
    "Seed-OSS": r"seed-oss",
    "GigaChat3": r"gigachat3",
    "MiMo": r"mimo",
    "Reka-Edge": r"reka-edge",
    "Spark2.5": r"spark2\.5",
    "Step-3.5": r"step(fun|-)?3\.5",
    "Ling-3": r"ling-3",
    "MiniCPM5": r"minicpm5",
    "Laguna": r"laguna",
    "Hy3": r"(^|-)hy3",
    "Solar-Open": r"solar-open",
    "EXAONE-4": r"exaone-?4",
    "Falcon-H1": r"falcon-h1",
    "Jamba": r"jamba",
    "Muse-Glimmer": r"muse-glimmer",
}
"""What the names of the models of each family match, the more special first; also the names of files of templates."""


def main() -> None:
    """Try the templates, print what came of each, and write the families where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found = try_all(options.folder)
    by_family: dict[str, list[tuple[ChatTemplate, Finding]]] = defaultdict(list)
    for template, finding, paths in found:
        names = [str(path.relative_to(options.folder)) for path in paths]
        for family in {family_name(name) for name in names}:
            by_family[family].append((template, finding))
        said = finding.form.options if finding.is_whole else f"impossible: it {finding.why}"
        print(" = ".join(names), "|", said, "|", "; ".join(finding.drops))
    counts = Counter(finding.form.options if finding.is_whole else "impossible" for _, finding, _ in found)
    print(f"\n{len(found)} templates: {dict(counts)}; of no family: {len(by_family.pop('', []))}")
    if options.write:
        told = [told_of(name, by_family[name]) for name in FAMILIES if name in by_family]
        lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in told)
        asset_file("model_families.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
        print(f"{len(told)} families written")


def try_all(folder: Path) -> list[tuple[ChatTemplate, Finding, list[Path]]]:
    """Try each template once, in the order of their paths; return all paths of those that are the same."""
    paths: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*.jinja")):
        paths[read_template(path).text.strip()].append(path)
    templates = [(read_template(same[0]), same) for same in paths.values()]
    return [(template, choose(template), same) for template, same in templates]


def family_name(source: str) -> str:
    """Return the family that the name of a file tells, or ""."""
    return next((name for name, pattern in FAMILIES.items() if re.search(pattern, plain(source))), "")


def told_of(name: str, tried: list[tuple[ChatTemplate, Finding]]) -> dict[str, object]:
    """Return what came of a family: the form in which all of its templates are whole that are so in any."""
    forms = [asdict(finding.form) for _, finding in tried if finding.is_whole]
    form = Form(**{part: any(each[part] for each in forms) for part in asdict(Form())})
    again = [choose(template, [form]) for template, _ in tried] if forms else [finding for _, finding in tried]
    whole = [finding for finding in again if finding.is_whole]
    return {
        "name": name,
        "pattern": FAMILIES[name],
        "form": asdict(form),
        "tried": len(tried),
        "whole": len(whole),
        "drops": sorted({drop for finding in whole for drop in finding.drops}),
        "why": sorted({finding.why for finding in again if not finding.is_whole}),
        "marked": sum(template.marks_answers for template, _ in tried),
    }


if __name__ == "__main__":
    main()
