"""Writes a GGUF model again with its first layers alone.

What is left has the same words, template and context, and babbles several times as fast: enough for what is
about the wire. Arguments: the model, the file to write, and how many layers it keeps.
"""

import sys

import gguf


def copy_fields(reader, writer, layers):
    """Copies what the file says of its model, but for the number of layers."""
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name == "general.architecture":
            continue
        kind = field.types[0]
        value = layers if name.endswith(".block_count") else field.contents()
        writer.add_key_value(name, value, kind, field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)


def main():
    source, out, layers = sys.argv[1], sys.argv[2], int(sys.argv[3])
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(out, reader.fields["general.architecture"].contents())
    copy_fields(reader, writer, layers)
    for tensor in reader.tensors:
        _, _, behind = tensor.name.partition("blk.")
        if behind and int(behind.split(".")[0]) >= layers:
            continue
        writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main()
