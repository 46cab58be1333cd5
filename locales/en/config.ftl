### Why a configuration cannot be used. A sentence is made of such parts: see `config-sentence-..` at the end.

# Words of which one is written: $rest are all but the last.
config-one-or-another = { $rest } or { $last }

## What a key takes: "must be ...".

config-rule-text = text in quotes
config-rule-quoted-secret = text in quotes, `env:NAME` or `file:PATH`
config-rule-secret = text, `env:NAME` or `file:PATH`
config-rule-one-of = { $words }
config-rule-whole = a whole number from { $least } to { $most }
config-rule-auto-or-whole = `auto` or a whole number from { $least } to { $most }
config-rule-decimal = a number from { $least } to { $most }
config-rule-switch = `true` or `false`
config-rule-texts = a list of texts, such as `["one", "two"]`
config-rule-secrets = a list of keys, such as `["env:FIRST_KEY", "file:/run/keys/second"]`
config-rule-variables = a list of variables, such as `["LOG=quiet", "API_TOKEN=env:API_TOKEN"]`; a value may be `env:NAME` or `file:PATH`
config-rule-sections = a list of sections: `[[{ $list }]]`
config-rule-section = a section: `[{ $path }]`
config-rule-section-of-file = a section of the file; a variable sets one key
config-rule-account-name = named with 1-32 of `a-z 0-9 _ -`, a letter first, and no `__`
config-rule-secret-section = a section of its own, `[secrets.NAME]`, with a `value`, and with the `hosts` or `commands` that it may go to; NAME is 1-32 of `a-z 0-9 _`, a letter first, no `__`, and none of these keys
config-rule-secret-sections = at most { $most } sections: each secret is a section of its own, `[secrets.NAME]`, with a `value`, and with the `hosts` or `commands` that it may go to; NAME is 1-32 of `a-z 0-9 _`, a letter first, no `__`, and none of these keys
config-rule-project-section = a section of its own, `[projects.NAME]`, with a `path`; NAME is 1-32 of `a-z 0-9 _ -`, a letter first, no `__`, not `none`, and none of these keys
config-rule-project-sections = at most { $most } sections: each project is a section of its own, `[projects.NAME]`, with a `path`; NAME is 1-32 of `a-z 0-9 _ -`, a letter first, no `__`, not `none`, and none of these keys
config-rule-project-path = an absolute path to a folder that exists
config-rule-project-beside-data = a folder apart from `data_dir`: neither may lie in the other
config-rule-project-apart = a folder apart from that of `projects.{ $other }`, or with the same `people` and `write`: one file cannot have two sets of rights
config-rule-project-checks = entries such as `tests=make check`, one for each of lint, types, build, tests, custom, runtime, with a command of one line and at most 400 characters; `lint=` leaves one out, `none=` what the project's files say
config-rule-project-people = single accounts such as `telegram:12345` or `discord:67890` (the number, not the @name; `/whoami` tells it)
config-rule-directory = a directory; `~` is the home directory, which HOME must name
config-rule-socket-address = an address and a port, such as `{ $example }`
config-rule-address = an address that begins with `http://` or `https://` and holds no password
config-rule-http-address = an `http` or `https` address
config-rule-address-before = the address without the endpoint, which is added to it
config-rule-webhook-address = an address that begins with `https://` (`http://` only with a Bot API server of your own)
config-rule-webhook-secret = 1-256 characters of `A-Z a-z 0-9 _ -`
config-rule-telegram-token = BotFather's token: digits, a colon, then `A-Z a-z 0-9 _ -`
config-rule-discord-token = a bot's token without the word `Bot`: three parts of `A-Z a-z 0-9 _ -` with dots between them
config-rule-shards = `auto` or a whole number from 1
config-rule-other-token = another token than `channels.{ $other }.token`: with one token they would take each other's messages
config-rule-left-out-of-build = left out: this build has no { $channel }
config-rule-left-out-unless-webhook = left out unless `mode = "webhook"`
config-rule-not-postgres = `sqlite:NAME`: this version does not store on PostgreSQL yet
config-rule-database = `sqlite:NAME`, a file in `data_dir`, such as `sqlite:sayso.db`
config-rule-owners = accounts such as `telegram:12345` or `discord:67890` (the number, not the @name; `/whoami` tells it), `telegram.work:12345` for one bot account only, or `terminal:NAME`; no role and no `*`, since others hand those out
config-rule-accounts = accounts such as `telegram:12345` or `discord:67890` (the number, not the @name), `discord:role:67890` for a role, `telegram.work:12345` for one bot account only, or `telegram:*` for everybody there
config-rule-levels = an account and its level, such as `telegram:12345=read_only` or `discord.work:67890=full`: each account once, by its number, and `read_only`, `supervised` or `full`; no role and no `*`, since others hand those out
config-rule-rules-without-home = a file of command rules that can be used: HOME is not set
config-rule-rules-in-directory = a file of command rules that can be used: it is a directory, and must be a file (Docker makes a directory where the file of a bind mount is missing)
config-rule-rules-unreadable = a file of command rules that can be used: it cannot be read: { $error }
config-rule-rules-broken = a file of command rules that can be used: { $error }
config-rule-programs = programs by their plain names, such as `["git", "cargo"]`
config-rule-ordinary-programs = ordinary programs by their plain names, such as `["gh"]`: no shell, no interpreter and nothing that starts other programs
config-rule-hosts = hosts, such as `["example.org", "*.example.org", "example.org:8443"]`
config-rule-single-hosts = single hosts with their port, such as `["192.168.1.5:80", "nas.local:5000"]`
config-rule-secret-hosts = single hosts, such as `["api.github.com"]`, which get it over `https`; one with its port (`"nas.local:5000"`) gets it over `http` too
config-rule-long-secret = at least 6 bytes without NUL, and at least 16 where it is letters alone: anything shorter could not be told from ordinary words, and not be hidden
config-rule-line = one line of at most { $most } characters
config-rule-currency = a currency in 1-8 letters or its sign, such as `USD` or `€`
config-rule-zone = `local`, or a zone such as `Europe/Berlin`
config-rule-late-run = `half`, `skip`, or a time such as `6h`, `90m`, `2d`
config-rule-quiet-hours = two times of the day, such as `22:30-07:30`, or `off`
config-rule-unpriced-model = a model that has no other price
config-rule-zero-without-price = 0 while the model `{ $model }` has no price: add `[[prices]]` with `model = "{ $model }"`
config-rule-left-out-beside-directory = left out beside `directory`, for no server is asked then
config-rule-model-directory = a path that begins with `/` or `~`, of a directory in model2vec form
config-rule-name = a name
config-rule-other-name = a name that no other provider has
config-rule-left-out-of-kind = left out: only a provider of kind `{ $kind }` takes it
config-rule-left-out-unless-completion = left out: only a provider of kind `llama` with `mode = "completion"` takes it
config-rule-zero-of-kind = 0: only a provider of kind `{ $kind }` takes it
config-rule-auto-calls = `auto` where calls never, or always, are text
config-rule-zero-or-from = 0, or a whole number from { $least } on
config-rule-low-temperature = a number from 0 to 1 for a provider of kind `anthropic`
config-rule-other-models = a list of models beside `model`, each of them once
config-rule-left-out-beside-key = left out beside `api_key`: write all keys in `api_keys`
config-rule-different-keys = a list of keys without one that stands in it twice
config-rule-server-name = 1-32 of `a-z 0-9 _ -`, a letter first, no `__`, and the name of no other
config-rule-left-out-of-server = left out: it belongs to a server with a `{ $other }`
config-rule-left-out-beside-command = left out beside `command`: a server is the one or the other
config-rule-program = a program, by its path or its name; its arguments stand in `args`
config-rule-secure-address = an address that begins with `https://`, because there is a `token`: everybody on the way could read it
config-rule-client-id = the name by which the authorization server knows Sayso
config-rule-left-out-without-client = left out, or beside the `client_id` that it belongs to
config-rule-left-out-beside-token = left out beside `token`: a service is shown a token, or logged in to
config-rule-named-variables = `NAME=VALUE` each, such as `["API_TOKEN=env:API_TOKEN"]`: a name of `A-Z a-z 0-9 _`, none of them twice
config-rule-tool-names = names of tools as the server has them, `*` for any letters, such as `["search", "read_*"]`

## Why a key must be set, or why something cannot be read.

config-reason-is-configured = `[{ $section }]` is configured
config-reason-is-webhook = `{ $section }.mode` is `webhook`
config-reason-price-is-whole = a price needs `model`, `input` and `output`
config-reason-needs-value = a secret needs a value
config-reason-needs-path = a project is a folder
config-reason-needs-model = a provider of kind `{ $kind }` needs a model
config-reason-needs-server-name = the tools of an MCP server are called by its name
config-reason-needs-server = an MCP server is a program to start, or an address
config-reason-variable-not-set = that variable is not set
config-reason-home-not-set = HOME is not set
config-reason-empty = nothing is there
config-reason-is-directory = it is a directory, and must be a file (Docker makes a directory where the file of a bind mount is missing)
config-reason-file-not-utf8 = the file is not in UTF-8
config-reason-file-unreadable = the file cannot be read: { $error }
config-reason-system = { $error }
config-reason-too-long = it has { $bytes } bytes, more than a configuration can have
config-reason-utf16 = it is in UTF-16, and must be in UTF-8
config-reason-line-not-utf8 = line { $line } is not in UTF-8

## What to write instead.

config-hint-nearest = did you mean `{ $word }`?
config-hint-speaks-open-ai = it speaks OpenAI's protocol: write `kind = "openai"` and `base_url = "{ $address }"`
config-hint-in-quotes = write it in quotes
config-hint-in-quotes-as = write it in quotes: `{ $name } = { $meant }`
config-hint-without-quotes = write it without quotes
config-hint-without-quotes-as = write it without quotes: `{ $name } = { $meant }`
config-hint-as-list = write it as a list
config-hint-as-list-as = write it as a list: `{ $name } = { $meant }`
config-hint-write = write `{ $value }`
config-hint-write-like = write `{ $name } = "{ $example }"` or the like
config-hint-save-as-utf8 = save it as UTF-8 (Notepad: Save as, Encoding UTF-8; PowerShell: `Set-Content -Encoding utf8`)
config-hint-file-inside = name the file in it: `{ $path }`
config-hint-file-itself = name the file itself; Docker makes a directory where the file of a bind mount is missing
config-hint-telegram-token = write `token = "env:TELEGRAM_BOT_TOKEN"` and set that variable to BotFather's token
config-hint-discord-token = write `token = "env:DISCORD_BOT_TOKEN"` and set that variable to the token from the Developer Portal (Bot, Reset Token)
config-hint-price = write what a million tokens cost, such as `input = 0.15`
config-hint-secret-value = write where it is kept, such as `value = "env:GITHUB_TOKEN"`
config-hint-project-path = write where it is, such as `path = "/srv/code/site"`
config-hint-model = write the name that the service gives it, such as `model = "{ $example }"`
config-hint-embedding-model = write the name that the service gives it, such as `model = "text-embedding-3-small"`, or the `directory` of a local model
config-hint-server-name = write a short one, such as `name = "files"`
config-hint-server = write `command = "npx"` with its `args`, or a `url`
config-hint-searxng = write the address of your SearXNG, such as `base_url = "http://127.0.0.1:8888"`, or `kind = "brave"`
config-hint-brave = write the key of your subscription: `api_key = "env:BRAVE_API_KEY"`

## What a value of another type is; a secret is not shown.

config-found-text = the text `"{ $shown }"`
config-found-number = the number `{ $shown }`
config-found-switch = the switch `{ $shown }`
config-found-hidden-text = the text
config-found-hidden-number = the number
config-found-hidden-switch = the switch
config-found-time = a time
config-found-list = a list
config-found-section = a section

## A frequent mistake in a file that is not TOML.

config-mistake-typographic-quotes = this line has typographic quotes; write straight ones: `"`
config-mistake-bare-text = the value needs quotes: write `{ $key } = "..."`
config-mistake-bare-item = each value of the list needs quotes: write `{ $key } = ["...", "..."]`

## What named a file.

config-named-by-option = --config
config-named-by-variable = SAYSO_CONFIG
config-named-by-search = it was found

## Why owners may not change a key so in chat.

config-out-of-bounds-not-in-chat = `{ $key }` is not changed in chat; these are: { $known }
config-out-of-bounds-no-higher = `{ $key }` may be no higher than what is written in the file, and not { $value }
config-out-of-bounds-only-off = `{ $key }` may be `false`, or what the configuration file says, and not { $value }
config-out-of-bounds-at-most = `{ $key }` may be above 0 and at most { $most }, and not { $value }
config-out-of-bounds-not-offered = `{ $key }` may be one of { $models }, and not { $value }

## One refusal, of its parts.

config-sentence-no-file = `{ $path }` does not exist (named by { $named_by })
config-sentence-directory = `{ $path }` is a directory, and must be a file (named by { $named_by })
config-sentence-unreadable = cannot read `{ $path }`: { $why }
config-sentence-syntax = { $path }:{ $line }:{ $column }: this is not TOML: { $why }
config-sentence-parser = { $message }
config-sentence-key = { $place }: { $fault }
config-sentence-unknown-key = unknown key `{ $key }`; allowed in { $section }: { $allowed }
config-sentence-the-file = the file
config-sentence-no-keys = no keys
config-sentence-refused = `{ $key }` is `{ $value }`, but must be { $allowed }
config-sentence-refused-unseen = `{ $key }` must be { $allowed }
config-sentence-wrong-type = `{ $key }` is { $found }, but must be { $allowed }
config-sentence-missing = `{ $key }` is not set, but { $because }
config-sentence-no-secret = `{ $key }` is kept in { $place }, but { $why }
config-sentence-inconsistent = the configuration cannot be read: { $why }
config-sentence-hint = hint: { $hint }
config-sentence-of-variable = environment variable { $name }
config-sentence-of-chat = changed in chat
config-sentence-of-default = default
