"""A language model of a few hundred kilobytes with random weights, as a GGUF file that llama.cpp serves."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

EMBEDDING, HEADS, FORWARD, CONTEXT = 64, 2, 128, 16_384
_CONTROL = ["<unk>", "<s>", "</s>"]
_LETTERS = ["▁", *(chr(code) for code in range(33, 127))]


def write_tiny_model(path: Path, seed: int = 7) -> None:
    """Write a llama of one block over the 256 bytes."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(1)
    writer.add_feed_forward_length(FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(EMBEDDING // HEADS)
    words = _add_vocabulary(writer)
    random = np.random.default_rng(seed)
    for name, shape in _shapes(words).items():
        weights = np.ones(shape) if name.endswith("norm.weight") else random.normal(0, 0.5, shape)
        _lean(name, weights)
        writer.add_tensor(name, weights.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _lean(name: str, weights: np.ndarray) -> None:
    """Let the first dimension be constant, and through it make lone bytes rare and the end of a text frequent."""
    if name == "token_embd.weight":
        weights *= 2
        weights[:, 0] = 4
    elif name == "output.weight":
        weights[:, 0] = 0
        weights[len(_CONTROL) : len(_CONTROL) + 256, 0] = -10
        weights[len(_CONTROL) + 256 + _LETTERS.index('"'), 0] = 1
    elif name.startswith("blk") and "norm" not in name:
        weights *= 0.1


def _add_vocabulary(writer: gguf.GGUFWriter) -> int:
    """Bytes, and the printable characters once more as words, so that text needs no luck to be UTF-8."""
    words = [*_CONTROL, *(f"<0x{byte:02X}>" for byte in range(256)), *_LETTERS]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    kinds += [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL] * len(_LETTERS)
    writer.add_vocab_size(len(words))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(words)
    writer.add_token_scores([0.0] * 259 + [-float(rank) for rank in range(len(_LETTERS))])
    writer.add_token_types(kinds)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template("{% for message in messages %}{{ message['content'] }}{% endfor %}")
    return len(words)


def _shapes(words: int) -> dict[str, tuple[int, ...]]:
    square = (EMBEDDING, EMBEDDING)
    block = {
        "attn_norm": (EMBEDDING,),
        "attn_q": square,
        "attn_k": square,
        "attn_v": square,
        "attn_output": square,
        "ffn_norm": (EMBEDDING,),
        "ffn_gate": (FORWARD, EMBEDDING),
        "ffn_up": (FORWARD, EMBEDDING),
        "ffn_down": (EMBEDDING, FORWARD),
    }
    named: dict[str, tuple[int, ...]] = {f"blk.0.{name}.weight": shape for name, shape in block.items()}
    return {
        "token_embd.weight": (words, EMBEDDING),
        **named,
        "output_norm.weight": (EMBEDDING,),
        "output.weight": (words, EMBEDDING),
    }
