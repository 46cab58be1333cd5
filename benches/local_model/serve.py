"""Starts the server of llama.cpp in this process, on loopback, with one thread, until its input ends.

Its command-line defaults are set here, for the library starts the server without them. It prints the
address, one line, once it listens. Arguments: the model, and `name=value` for each parameter.
"""

import os
import sys

import xllamacpp

KNOWN = {"n_ctx": int, "n_parallel": int, "embedding": lambda it: it == "true", "port": int}


def main():
    model, settings = sys.argv[1], dict(it.split("=", 1) for it in sys.argv[2:])
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.hostnames = ["127.0.0.1"]
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.n_parallel = 1
    params.n_ctx = 8192
    params.use_jinja = True
    params.n_batch = 2048
    params.warmup = False
    for name, value in settings.items():
        setattr(params, name, KNOWN[name](value))
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    # The parent process holds the other end, which is closed however the parent ends.
    sys.stdin.read()
    os._exit(0)


main()
