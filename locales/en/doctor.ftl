### What `sayso doctor` says.

##

doctor-fix = fix: { $how }
doctor-bad-configuration =
    the configuration cannot be used
    { $error }
doctor-correct-configuration = correct what is named above, then run `sayso config check`
doctor-configuration = configuration: { $file }
doctor-configuration-without-file = configuration: no file, only the environment and the defaults
doctor-undo-in-chat = have an owner ask in chat to undo that change of the configuration
doctor-clock = clock: plausible
doctor-clock-is-wrong = the clock of this machine is before 2026
doctor-set-clock = set the clock, or turn on time synchronisation (`timedatectl set-ntp true`)
doctor-data-directory = data directory: { $path } can be written and is not in use
doctor-cannot-write = the data directory { $path } cannot be written: { $why }
doctor-make-writable = give it to the account that Sayso runs as (`chown`), or set `data_dir` to another directory
doctor-running = running: process { $process } uses this data directory, { $path }
doctor-running-somewhere = running: a Sayso uses this data directory, { $path }
doctor-half-restored = a restore into the data directory { $path } was cut short
doctor-restore-again = run `sayso restore` again: it begins anew
doctor-stop-the-other = stop the other program, or give this one its own `data_dir`
doctor-log-file = log: { $path }, secrets hidden
doctor-mcp-answers = mcp server { $name }: it answers and has { $tools } tools
doctor-mcp-fails = mcp server { $name } cannot be used: { $why }
doctor-mcp-waits-for-login = mcp server { $name } waits for a login
doctor-log-in-to-mcp = run `sayso mcp login { $name }`; if the server takes a token instead, set `token` of its `[[mcp]]`
doctor-mend-mcp-list = report it to the developer of the server { $name }: each entry of `tools` in its answer to `tools/list` needs a `name` and an object as `inputSchema`
doctor-check-mcp-command = check `command`, `args` and `env` of the `[[mcp]]` named { $name }; a first start may have to download, which `start_timeout_secs` allows for
doctor-check-mcp-url = check `url` and `token` of the `[[mcp]]` named { $name }
doctor-no-knowledge = knowledge: none; Markdown files in { $directory } are recalled for everybody
doctor-knowledge = knowledge: { $passages } passages of { $files } files are recalled for everybody
doctor-knowledge-left-out = { $source } is left out: { $why }
doctor-split-knowledge = keep what people ask about and remove the rest; at most 256 KiB a file, 200 files and 4 MiB are read
doctor-convert-knowledge = save it as UTF-8 (`iconv -f latin1 -t utf-8`)
doctor-copy-knowledge = copy the file instead of linking it
doctor-make-knowledge-readable = put a plain file there that the account of Sayso may read
doctor-reword-knowledge = say what is so instead of what a model must do; orders belong into `persona/AGENT.md`
doctor-sandbox = sandbox: { $state }
doctor-sandbox-is-off = sandbox: off (`policy.sandbox`); nothing confines commands, and each asks
doctor-commands-are-refused = until then commands are refused: update the kernel (Linux 6.12 has all of it) or allow Landlock and seccomp in the container, or set `policy.sandbox = "prefer"`, with which every command asks
doctor-commands-all-ask = until then every command asks: update the kernel (Linux 6.12 has all of it) or allow Landlock and seccomp in the container
doctor-space = disk: { $mib } MiB free
doctor-space-is-low = only { $mib } MiB are free on the disk of the data directory
doctor-free-space = free some space; Sayso wants at least { $least } MiB
doctor-new-database = database: { $path } will be created at the first start
doctor-database = database: { $path } is whole (schema { $schema })
doctor-old-database = database: { $path } is whole; the next start brings it from schema { $schema } to { $known }, with a backup
doctor-database-is-damaged = the database { $path } is damaged: { $damage }
doctor-database-fails = the database { $path } cannot be read: { $error }
doctor-restore-backup = stop Sayso and put a backup in its place; `sayso.db.before-*` lies beside it after an update
doctor-move-database-away = move the file away; a new one is made at the next start
doctor-update-sayso = update Sayso, or put the backup from before the update in its place
doctor-look-at-the-log = start Sayso with `SAYSO_LOG=debug` and look at what it says
doctor-no-channel = channels: none is configured, so `sayso` opens a chat in the terminal
doctor-telegram-answers = { $who }: the token belongs to @{ $name }
doctor-privacy-is-on =
    { $who }: privacy mode is on, so in groups the bot hears only commands, mentions and replies to it; that is enough.
    To let it hear everything: @BotFather, /setprivacy, Disable; then take the bot out of the group and add it again.
doctor-privacy-is-off = { $who }: privacy mode is off, so in groups the bot hears everything; it answers only when addressed
doctor-take-the-token = take the token from @BotFather (/mybots, the bot, API Token) and set `channels.{ $channel }.token`
doctor-discord-answers = { $who }: the token belongs to { $name }
doctor-reads-messages = { $who }: the Message Content intent is on, so in servers it sees what was said in between; it answers only when addressed
doctor-reads-what-names-it =
    { $who }: the Message Content intent is off, so in servers it hears only messages that mention it or reply to it; direct messages and commands it hears anyway.
    To let it see what was said in between: Developer Portal, your application, Bot, switch on Message Content Intent, and restart Sayso.
doctor-in-no-server = { $who }: the bot is in no server yet, so no user can reach it
doctor-invite = open this link and choose a server of yours: { $link }
doctor-in-servers = { $who }: the bot is in about { $servers } servers; this link adds it to another: { $link }
doctor-invite-elsewhere = { $who }: this link adds the bot to a server: { $link }
doctor-reset-the-token = take a new token from the Developer Portal (your application, Bot, Reset Token) and set `channels.{ $channel }.token`
doctor-platform-fails = { $who }: { $error }
doctor-check-api-url = check the network of this machine, and `channels.{ $channel }.api_url`: { $url }
doctor-port-is-in-the-log = running: `http.listen` has port 0, so a running Sayso answers at the port that its log names
doctor-not-running = running: nobody answers at { $address } (`http.listen`), so no Sayso runs here
doctor-health-fails = running: what answers at { $address } (`http.listen`) says nothing of its health: { $error }
doctor-look-who-listens = another program may have that address; stop it, or set another `http.listen`
doctor-channel-is-well = running: { $name } is connected, last contact { $age } s ago, interrupted { $interruptions } times
doctor-channel-starts = running: { $name } is starting
doctor-channel-is-down = running: { $name } is { $status }: { $reason }
doctor-channel-fix = `waiting` heals by itself when its cause is gone; `stopped` needs a restart after its cause is corrected
doctor-embedder-is-away = running: the embedder has not answered for { $age } s, and memory is found by words alone: { $reason }
doctor-running-database-fails = running: the database does not answer

## Why it cannot be written.

doctor-running-database-is-not-written = running: nothing can be stored: { $reason }

##

doctor-wait-and-retry = wait some minutes and run `sayso doctor` again; if it stays, look at the service's status page and your quota there
doctor-owner = owners: { $first }
doctor-owners = owners: { $first } and { $more } more
doctor-first-pairing-makes-owner = owners: none is configured; the first person with the code that `sayso` prints at its start becomes the owner
doctor-owner-was-paired = owners: none is configured; somebody was paired
doctor-open-the-link = owners: nobody yet; whoever opens this within an hour becomes the owner: { $link }
doctor-send-the-code = owners: nobody yet; whoever sends the bot `/start { $code }` within an hour becomes the owner
doctor-no-owner-possible = no owner is configured and pairing is off, so no user can talk to Sayso
doctor-name-an-owner = set `access.owners`, such as `["telegram:12345"]`, or `access.pairing = true`
doctor-no-provider = no model is configured
doctor-set-provider = run `sayso init`, or set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `DEEPSEEK_API_KEY`
doctor-offline-model = model { $name }: the built-in offline model; it understands only a few requests
doctor-provider-answers = model { $name }: the service answers; it is asked for `{ $model }`
doctor-provider-answers-by-prompt = model { $name }: the service answers; it is asked for `{ $model }`; its template knows no tools, so they are written into the prompt
doctor-provider-fails = model { $name }: { $error }
doctor-provider-key-fails = model { $name }, key { $number } of { $count }: { $error }
doctor-found-by-words = memory: found by words; with `[memory.embedder]` also by meaning
doctor-found-by-meaning = memory: found by words and by meaning; `{ $model }` answers with { $dimension } numbers
doctor-embedded-in-parts = memory: found by words and by meaning; `{ $model }` answers with { $dimension } numbers; long memories are embedded in parts, because it refuses them whole: { $error }
doctor-embedder-fails = memory: found by words alone, because the embedder `{ $model }` does not answer: { $error }
doctor-embedder-is-unusable = memory: Sayso does not start with the embedder `{ $model }`: { $error }
doctor-correct-embedder = correct `[memory.embedder]`, or take it out: memory is then found by words
doctor-check-api-key = check the provider's `api_key`, and that the account behind it may use the model
doctor-check-base-url = check the network, the provider's `model`, and its `base_url`: { $url } (of kind `openai` it usually ends in `/v1`)
doctor-problems = { $count } to fix.
doctor-no-problems = No problems.

## Says why a platform did not answer.

## Why something failed: known causes of systems and libraries, in words.

doctor-cause-refused = the connection is refused
doctor-cause-reset = the connection was cut
doctor-cause-cut = the connection was cut
doctor-cause-no-network = the network is not reachable
doctor-cause-no-route = no route leads to the host
doctor-cause-no-name = the name of the host is not known
doctor-cause-expired = its certificate has expired
doctor-cause-untrusted = its certificate is not trusted
doctor-cause-other-host = its certificate is for another host
doctor-cause-too-late = no answer in time
doctor-cause-no-permission = permission denied
doctor-cause-read-only = the file system is read-only
doctor-cause-full = no space is left on the disk
doctor-cause-no-directory = a part of the path is no directory
doctor-cause-in-the-way = a file of that name is in the way
doctor-cause-missing = there is no such file or directory
doctor-cause-not-opened = its file cannot be opened
doctor-cause-no-database = the file is no database
# $text: what a system or a library says, in English.
doctor-cause-quoted = { $text }
doctor-cause-model-unreachable = cannot reach the model: { $why }
doctor-cause-platform-unreachable = cannot be reached: { $why }
doctor-cause-platform-answer-lost = its answer was lost: { $why }
doctor-cause-model-too-late = the model did not { $stage } within { $seconds } s
doctor-cause-model-busy = the model service is limiting requests
# $why in the following texts: what the service says, in English.
doctor-cause-model-key = the model service refuses (HTTP { $status }): { $why }
doctor-cause-model-account = the model service refuses, because its account is used up (HTTP { $status }): { $why }
doctor-cause-model-unknown = the model service does not know this address or model (HTTP { $status }): { $why }
doctor-cause-model-refuses = the model service refuses (HTTP { $status }): { $why }
doctor-cause-model-broken = the model service failed (HTTP { $status }): { $why }
doctor-cause-model-unreadable = the model's answer cannot be read: { $why }
doctor-cause-model-repeats = the model only repeats itself: { $what }
doctor-cause-model-missing = no model is configured
doctor-cause-platform-token = the platform refuses the token: { $why }
doctor-cause-platform-busy = the platform asks to wait { $seconds } s
doctor-cause-platform-refuses = the platform refuses: { $why }
doctor-cause-platform-too-long = the message is too long for the platform
doctor-cause-platform-moved = the chat continues as { $address }
doctor-cause-store-in-use = another Sayso uses it
doctor-cause-store-half-restored = a restore into it was cut short
doctor-cause-store-newer = it was written by a newer Sayso (schema { $found }, this one knows { $known })
doctor-cause-store-older = it was written by an older Sayso; start Sayso once, which brings it up to date
doctor-cause-store-unreleased = it was made by a version from before the first release, which this version cannot read
doctor-cause-store-damaged = it is damaged or is no SQLite file: { $why }
doctor-cause-store-full = the disk is full, or does not take what is written: { $why }
doctor-cause-store-locked = another program has locked it: { $why }
doctor-cause-store-fenced = the session belongs to another worker now
doctor-cause-store-unaudited = the audit cannot be written: { $why }
doctor-cause-store-closed = the database is closed
doctor-cause-store-broken = the database failed: { $why }
doctor-cause-mcp-login = it waits for a login
doctor-cause-mcp-list = it answers, but its list of tools cannot be read: { $why }
