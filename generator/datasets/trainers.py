"""Trainers: the format that each reads, the file that it needs beside the data, and the command that begins.

In: a trainer, and where its data set was written. Out: its sidecar, written, and the command as a line of shell.
LLaMA-Factory's sidecar is `dataset_info.json`, without which it loads a data set and trains on none of it: its defaults
are those of other shapes, and a column or a tag that is not named there is not read, without a word.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import orjson

from generator.disk import disk_errors, write_whole
from generator.errors import UsageError
from generator.jsontext import JsonObject

_NAME = "dataset_info.json"
_LARGEST = 10_000_000
_ENTRIES: dict[str, JsonObject] = {
    "llamafactory": {
        "formatting": "sharegpt",
        "columns": {"messages": "conversations", "system": "system", "tools": "tools"},
        "tags": {
            "role_tag": "from",
            "content_tag": "value",
            "user_tag": "human",
            "assistant_tag": "gpt",
            "observation_tag": "observation",
            "function_tag": "function_call",
        },
    },
}
_MARK = "Written by toolgen export."
"""Stands in the first line of a sidecar of ours, which a later export may replace."""

_AXOLOTL = """\
# {mark} A section for your Axolotl configuration, beside base_model and the rest.
chat_template: tokenizer_default
sequence_len: 8192  # longer records are dropped
datasets:
  - path: {path}
    ds_type: json
    type: chat_template
    field_messages: messages
    field_tools: tools
    message_property_mappings: {{role: role, content: content}}
    roles_to_train: [assistant]
    train_on_eos: turn
"""

_MISTRAL = """\
# {mark} A section for your mistral-finetune configuration, beside model_id_or_path and the rest.
seq_len: 8192
data:
  instruct_data: {path}
"""

_VERL = '''\
"""{mark} Reads the data set beside it into verl: its columns are JSON text, as arguments differ from call to call."""

import json

from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset


class Records(MultiTurnSFTDataset):
    def _read_files_and_process(self):
        super()._read_files_and_process()
        for key in (self.messages_key, self.tools_key):
            self.dataframe[key] = [[json.loads(each) for each in row] for row in self.dataframe[key]]
        self.messages = self.dataframe[self.messages_key].tolist()
        self.tools = self.dataframe[self.tools_key].tolist()
'''


def has_dataset_info(form: str) -> bool:
    """Say whether data sets of a format are named in such a file."""
    return form in _ENTRIES


def read_dataset_info(folder: Path) -> JsonObject:
    """Return the entries of the file in a folder; {} where there is none.

    Raises:
        UsageError: what stands there is no object in JSON, so that no entry can be added.
        StorageError: it cannot be read.
    """
    path = folder / _NAME
    with disk_errors(path):
        if not path.exists():
            return {}
        with path.open("rb") as opened:
            data = opened.read(_LARGEST + 1)
    try:
        held = orjson.loads(data) if len(data) <= _LARGEST else None
    except orjson.JSONDecodeError:
        held = None
    if not isinstance(held, dict):
        raise UsageError(f"{path}: no object in JSON, to which the data set could be added; move it, or mend it")
    return held


def add_dataset_info(file: Path, form: str) -> Path:
    """Name a data set, by its file's name without the endings, in the file beside it; other entries stay.

    Raises:
        UsageError: the file beside it holds something else.
        StorageError: it cannot be read or written.
    """
    entries = read_dataset_info(file.parent)
    entries[dataset_name(file)] = {"file_name": file.name, **_ENTRIES[form]}
    path = file.parent / _NAME
    write_whole(path, [orjson.dumps(entries, option=orjson.OPT_INDENT_2), b"\n"])
    return path


def dataset_name(file: Path) -> str:
    """Return what a file's data set is called: `train` for train.jsonl.gz."""
    return file.name.partition(".")[0] or file.name


@dataclass(frozen=True, slots=True)
class Trainer:
    """A trainer and the way of a data set into it.

    Commands may name `{file}`, `{folder}` (where the file lies), `{name}` (the file's, without endings), `{sidecar}`
    and `{parquet}` (the files of the split `train` in a folder, as a list of Hydra).
    """

    form: str
    """The format that it reads, as `--format` takes it."""
    command: str
    learns: str
    """What the loss is on, in words."""
    by_turn: bool = False
    """Whether it learns the last message of a line alone, so that each turn of the assistant's ends a line."""
    options: Mapping[str, str | bool] = field(default_factory=lambda: MappingProxyType({}))
    """How the records are shaped, beside the format."""
    ending: str = ""
    """The ending of its sidecar, behind the data set's name; none: it needs none, or LLaMA-Factory's."""
    sidecar: str = ""
    """What stands in the sidecar, with `{mark}` and `{path}`, the data set's whole path as JSON text."""


_TEXT: Mapping[str, str | bool] = MappingProxyType({"variant": "text", "tools_as_string": True, "no_metadata": True})
"""Arguments and tools as text: no key that differs from line to line is left, of which columns would be guessed."""

_LLAMA_FACTORY = (
    "llamafactory-cli train --stage sft --do_train true --dataset_dir {folder} --dataset {name} --cutoff_len 8192 "
    "--model_name_or_path MODEL --template TEMPLATE --finetuning_type lora --output_dir tuned"
)
_ANSWERS = "calls and answers"

TRAINERS: Mapping[str, Trainer] = MappingProxyType(
    {
        "trl": Trainer("trl", "python tune.py MODEL {file} 100", f"{_ANSWERS}, with `assistant_only_loss`"),
        "axolotl": Trainer(
            "trl",
            "axolotl train CONFIG.yaml",
            _ANSWERS,
            options=_TEXT,
            ending=".axolotl.yaml",
            sidecar=_AXOLOTL,
        ),
        "llamafactory": Trainer("llamafactory", _LLAMA_FACTORY, _ANSWERS),
        "ms-swift": Trainer("ms-swift", "swift sft --model MODEL --dataset {file} --max_length 8192", _ANSWERS),
        "mistral-finetune": Trainer(
            "mistral",
            "python -m utils.validate_data --train_yaml CONFIG.yaml && torchrun -m train CONFIG.yaml",
            f"{_ANSWERS}: a line for each, since the last message of a line alone is learnt",
            by_turn=True,
            ending=".mistral-finetune.yaml",
            sidecar=_MISTRAL,
        ),
        "verl": Trainer(
            "hf",
            "torchrun --nproc_per_node 1 -m verl.trainer.sft_trainer data.train_files={parquet} "
            "data.custom_cls.path={sidecar} data.custom_cls.name=Records data.max_length=8192 "
            "data.truncation=right data.ignore_input_ids_mismatch=True model.path=MODEL",
            _ANSWERS,
            ending=".verl.py",
            sidecar=_VERL,
        ),
        "openai": Trainer("openai-finetune", "openai api files.create -p fine-tune -f {file}", _ANSWERS),
    }
)
"""The trainers by their names, as `--trainer` takes them."""


def trainer_of(form: str) -> Trainer | None:
    """Return the first trainer that reads a format without options of its own; a folder of Hugging Face has none."""
    return next((each for each in TRAINERS.values() if each.form == form and not each.sidecar), None)


def sidecar_of(trainer: Trainer, output: Path) -> Path | None:
    """Return where the sidecar of a data set lies; None where there is none."""
    return output.with_name(f"{dataset_name(output)}{trainer.ending}") if trainer.ending else None


def require_sidecar(trainer: Trainer, output: Path) -> None:
    """Refuse, before the work begins, what could not be written beside a data set after it.

    Raises:
        UsageError: another file lies there, or one that nothing can be added to.
        StorageError: it cannot be read.
    """
    if has_dataset_info(trainer.form):
        read_dataset_info(output.parent)
    path = sidecar_of(trainer, output)
    if path is None:
        return
    with disk_errors(path):
        if path.exists():
            with path.open("rb") as opened:
                first = opened.readline(1000)
            if _MARK.encode() not in first:
                raise UsageError(f"{path}: is a file of another's, where one for the trainer belongs; move it")


def write_sidecar(trainer: Trainer, output: Path) -> Path | None:
    """Write what the trainer needs beside a data set; return its path, or None where it needs nothing.

    Raises:
        UsageError, StorageError: as `require_sidecar`.
    """
    require_sidecar(trainer, output)
    if has_dataset_info(trainer.form):
        return add_dataset_info(output, trainer.form)
    path = sidecar_of(trainer, output)
    if path is not None:
        where = orjson.dumps(str(output.absolute())).decode()
        write_whole(path, [trainer.sidecar.format(mark=_MARK, path=where).encode()])
    return path


def next_command(trainer: Trainer, output: Path, model: str = "MODEL") -> str:
    """Return the command that trains a model on a data set, as it is typed into a shell."""
    sidecar = sidecar_of(trainer, output)
    names = {"file": output, "folder": output.parent, "name": dataset_name(output), "sidecar": sidecar or ""}
    parquet = ",".join(map(str, sorted((output / "data").glob("train-*.parquet"))))
    quoted = {name: shlex.quote(str(value)) for name, value in {**names, "parquet": f"[{parquet}]"}.items()}
    return trainer.command.format(**quoted).replace("MODEL", shlex.quote(model))
