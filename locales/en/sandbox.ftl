### What the sandbox says of itself.

## Returns what the kernel enforces, and what it does not, in one line.

sandbox-state-in-words = the kernel itself counts their processes

## Returns what commands that run unasked cannot do besides.

sandbox-state-readers-in-words = unasked commands change no modes, owners, times or attributes of files

## Returns which namespaces commands have of their own.

sandbox-state-own-in-words = namespaces of their own for { $names }

## Returns what they can do for want of namespaces.

sandbox-state-between-gaps = , and{" "}
sandbox-state-gaps-in-words = for want of namespaces { $gaps }

##

sandbox-state-enforced-in-words-wholly = the kernel confines commands to their workspace, without network, signals or a look into other processes
sandbox-state-enforced-in-words-partly = the kernel confines commands only partly: { $broken }
sandbox-state-nothing-why = it has neither Landlock nor seccomp
sandbox-state-nothing = the kernel does not confine commands: { $why }
sandbox-kernel-restriction-in-words = `sysctl { $setting }={ $allows }` would let them have namespaces
sandbox-namespace-users = users
sandbox-namespace-mounts = mounts
sandbox-namespace-processes = processes
sandbox-namespace-network = network

## Returns what is so when the promise is not kept.

sandbox-check-broken-programs-run = no program runs in the sandbox
sandbox-check-broken-no-writing = they can write outside the workspace
sandbox-check-broken-no-cutting = they can empty files outside the workspace (needs Linux 6.2)
sandbox-check-broken-no-reading = they can read private files
sandbox-check-broken-no-listing = they can list private directories
sandbox-check-broken-no-tcp = they can use TCP
sandbox-check-broken-no-udp = they can use UDP
sandbox-check-broken-no-local-sockets = they can speak to services of this machine
sandbox-check-broken-no-datagrams = they can send datagrams to services of this machine
sandbox-check-broken-readers-keep-attributes = unasked commands can change modes, owners, times and attributes of files
sandbox-check-broken-no-signals = they can signal other processes (needs Linux 6.12 or namespaces)
sandbox-check-broken-no-spying = they can read the environment of other processes
sandbox-check-broken-no-modes = approved commands can change modes, owners and times of files outside
sandbox-check-broken-apart-processes = they can read the command lines of other processes
sandbox-check-broken-apart = they share namespaces
sandbox-check-broken-counted-by-kernel = the kernel does not count their processes
sandbox-check-broken-no-tracing = they can trace other processes
sandbox-check-broken-no-namespaces = they can make namespaces
