"""Writes a BERT of sentence-transformers (safetensors) as GGUF, for the server of llama.cpp.

Arguments: the folder of the model, and the file to write. The names of tensors are those that llama.cpp
has for BERT.
"""

import json
import struct
import sys
from pathlib import Path

import gguf
import numpy

NAMES = {
    "embeddings.word_embeddings": "token_embd",
    "embeddings.token_type_embeddings": "token_types",
    "embeddings.position_embeddings": "position_embd",
    "embeddings.LayerNorm": "token_embd_norm",
}
LAYER = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def tensors(path):
    """Yields the tensors of a safetensors file by their names."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    for name, it in json.loads(data[8 : 8 + length]).items():
        if name == "__metadata__" or it["dtype"] != "F32":
            continue
        begin, end = (8 + length + at for at in it["data_offsets"])
        yield name, numpy.frombuffer(data[begin:end], numpy.float32).reshape(it["shape"])


def renamed(name):
    """Returns the name that llama.cpp has for a tensor; None for one that it does not use."""
    stem, _, kind = name.removeprefix("bert.").rpartition(".")
    if stem in NAMES:
        return f"{NAMES[stem]}.{kind}"
    if stem.startswith("encoder.layer."):
        _, _, layer, rest = stem.split(".", 3)
        return f"blk.{layer}.{LAYER[rest]}.{kind}"
    return None


def token(text):
    """Writes a word as llama.cpp's vocabulary does: its beginning is marked, and not its going on."""
    if text.startswith("[") and text.endswith("]"):
        return text
    return text[2:] if text.startswith("##") else "\u2581" + text


def main():
    folder, out = Path(sys.argv[1]), sys.argv[2]
    config = json.loads((folder / "config.json").read_text())
    writer = gguf.GGUFWriter(out, "bert")
    writer.add_name("minilm")
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_layer_norm_eps(config["layer_norm_eps"])
    writer.add_causal_attention(False)
    writer.add_pooling_type(gguf.PoolingType.MEAN)
    words = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    words = sorted(words, key=words.get)
    writer.add_tokenizer_model("bert")
    writer.add_token_list([token(word) for word in words])
    control = gguf.TokenType.CONTROL
    normal = gguf.TokenType.NORMAL
    writer.add_token_types([control if it.startswith("[") and it.endswith("]") else normal for it in words])
    writer.add_token_type_count(config["type_vocab_size"])
    for name, mark in (("bos", "[CLS]"), ("eos", "[SEP]"), ("unk", "[UNK]"), ("sep", "[SEP]"), ("pad", "[PAD]")):
        getattr(writer, f"add_{name}_token_id")(words.index(mark))
    for name, tensor in tensors(folder / "model.safetensors"):
        target = renamed(name)
        if target is None:
            continue
        is_matrix = tensor.ndim == 2 and target not in ("token_types.weight", "position_embd.weight")
        writer.add_tensor(target, tensor.astype(numpy.float16) if is_matrix else tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main()
