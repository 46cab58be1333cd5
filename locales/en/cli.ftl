### The command line.

## A file was read.

cli-configuration-from-file = configuration: { $file }

## A key of another service.

cli-key-of-anthropic = warning: provider `{ $provider }`: a key that begins with `sk-ant-` is Anthropic's; write `kind = "anthropic"`

## An address that is probably incomplete.

cli-address-without-version = warning: provider `{ $provider }`: the `base_url` of kind `openai` usually ends in `/v1`: `{ $address }/v1`

## A value that is not shown.

cli-hidden-value = (hidden)

## No key has that beginning.

cli-no-such-key = no key that is set begins with `{ $beginning }`

## The configuration cannot be used.

cli-refused-configuration = error: { $why }

## An owner changed a key in chat.

cli-changed-in-chat = changed in chat: { $key } = { $value }

## The same, and it has no effect.

cli-dropped-from-chat = changed in chat, but without effect: { $key } = { $value }: { $why }

## A file has that name.

cli-backup-is-there = `{ $path }` is there already, and no backup takes the place of a file: choose another name

## Another process is at it.

cli-backup-is-made = another `sayso backup` is writing `{ $path }` at this moment

## What takes longer than a second, before how far it is.

cli-writing-backup = Writing the backup
cli-checking-backup = Checking the backup
cli-restoring = Restoring
cli-fetching-skill = Fetching the skill

## It is there and was read again.

cli-backup-made = `{ $path }` holds the database ({ $rows } rows, each page checked) and { $files } files of the data directory, each with its digest. It is as secret as the data directory: everything that was said is in it, and the logins of MCP servers. The configuration is not in it, nor are the secrets that stand there

## Files with secrets are not in it.

cli-backup-without-secrets = Not in it, since secrets of the configuration are read from them: { $paths }{ $more }. Keep them elsewhere: a restore needs them

## The disk is too full for it.

cli-backup-no-room = there is not enough room in `{ $path }`: the backup needs { $needed } MiB, with a reserve, and { $free } MiB are free. Nothing was written

## Some of it is not in it.

cli-backup-left-out = Not in it, since they cannot be read: { $paths }{ $more }

## More than are named.

cli-and-more = , and { $count } more

## It would hold itself, or be packed by the next one.

cli-backup-inside = `{ $path }` lies in the data directory, and would be in every later backup: choose a place outside, or `{ $allowed }`, which is in none

## There is a data directory.

cli-restore-not-in-place = `{ $path }` is there and not empty, and nothing is restored over it: move it away first, or set another `data_dir`

## The database would lie somewhere else.

cli-restore-elsewhere = `[store] url` puts the database outside of the data directory, at `{ $path }`, where nothing is restored: restore with a `url` inside of it

## It is there.

cli-restored = `{ $path }` is restored from a backup of Sayso { $version }: { $rows } rows and { $files } files, all checked. What was said since the backup is not known; whatever was being sent then may come twice, marked as such

## Files with secrets were not in it.

cli-restored-without-secrets = Not in the backup, since secrets of the configuration are read from them: { $paths }{ $more }. Put them in place before you start Sayso

## Some links lead elsewhere.

cli-restored-without-links = Not restored, since they are links that may lead out of the data directory: { $paths }{ $more }

## The disk is too full for it.

cli-restore-no-room = there is not enough room for `{ $path }`: the backup needs { $needed } MiB, with a reserve, and { $free } MiB are free. Nothing was written

## No MCP server has that name.

cli-mcp-unknown = no `[[mcp]]` that is enabled is named `{ $name }`

## There is nothing to log in to.

cli-mcp-without-login = nobody logs in to `{ $name }`: it is a program, or is shown the `token` of its `[[mcp]]`

## Where to go.

cli-mcp-open =
    open this address in a browser and log in there:

    {"  "}{ $address }
    {""}

## What to do when the browser is elsewhere.

cli-mcp-paste = a browser on this machine comes back by itself. One on another machine ends at an address that it cannot open, beginning with { $redirect }: copy that address from its address bar and paste it here

## What came back is of no login that was begun here.

cli-mcp-not-ours = that is not the answer to this login; still waiting

## What the browser shows at the end.

cli-mcp-browser-done = This answer has reached Sayso. You can close this page and go back to the terminal.

## It worked.

cli-mcp-logged-in = logged in to `{ $name }`; if Sayso is running, it goes on within seconds

## The login timed out.

cli-mcp-login-too-late = nobody logged in within { $minutes } minutes; run the command again

## It did not work.

cli-mcp-login-failed = cannot log in to `{ $name }`: { $why }

## Everybody on the way could listen.

cli-mcp-not-private = its `url` must begin with `https://`: everybody on the way could read what is said

## The service publishes nothing.

cli-mcp-nothing-said = it does not say how to log in; if it takes a token, set `token` of its `[[mcp]]`

## One has to be registered by hand.

cli-mcp-no-registration = its authorization server lets nobody register unasked: register Sayso there by hand, with the redirect address { $redirect }, and set `client_id` (and `client_secret`, `redirect_port`) of its `[[mcp]]`

## The person or the authorization server said no.

cli-mcp-login-refused = the authorization server said no: { $why }

## The next description counts.

cli-mcp-accepted = the tools of `{ $name }` are taken as the server describes them next; a running Sayso asks it within seconds

## Nothing was seen of it yet.

cli-mcp-never-seen = nothing is known yet of the tools of `{ $name }`: what it says first is taken

## The login is forgotten.

cli-mcp-logged-out = the login to `{ $name }` is forgotten here; what it was given stays valid at its authorization server until it ends or is revoked there

## There was none.

cli-mcp-not-logged-in = there is no login to `{ $name }`

## It does not listen, but it has its data directory.

cli-health-only-runs = running: how it is, it tells where `[http] listen` names a port, such as "127.0.0.1:8484"

## It neither listens nor has its data directory.

cli-health-runs-not = no Sayso runs in `{ $directory }`

## There is no answer at the health endpoint.

cli-health-is-not-told = no Sayso tells its health at { $address } (`http.listen`): { $why }

## A skill cannot be taken.

cli-skill-not-taken = `{ $source }` was not taken: { $why }

## Whether what was shown is to be installed.

cli-install-skill = Install it? [y/N]

## It is.

cli-skill-installed = `{ $name }` is installed

## It is not.

cli-skill-left = nothing was changed

## What kind of message a text is.

cli-routing-label = kind: { $label } ({ $confidence } %): { $reason }

## There are courtesies alone.

cli-routing-courtesies = courtesies alone

## No skill has a word of it.

cli-routing-clear-alone = clear by itself, and no skill has a word of it

## Phase 1 asks back.

cli-routing-asked-back = Phase 1 asks back

## No word asks for a task.

cli-routing-no-task = no word asks for a task

## Nothing says whether it is about code.

cli-routing-not-clear = a task, but of code or not is not clear

## The rules would load nothing.

cli-routing-direct = the rules would load no skill

## The rules would load skills.

cli-routing-skills = the rules would load: { $skills }

## The text asks for something of a kind.

cli-routing-intent = it asks for { $intent }: { $words }

## The text has words of a name.

cli-routing-name = its name: { $words }

## The text has words of a description.

cli-routing-description = its description: { $words }

## The text is like messages that needed the skill.

cli-routing-examples = like messages that needed it

## There is no file.

cli-configuration-from-environment = configuration: no file, only the environment and the defaults

## Commands are judged by a configuration.

cli-judged-by = judged by { $from }: level `{ $level }`, role `{ $role }`, command rules: { $rules }; { $sandbox }

## There is no file.

cli-the-defaults = the environment and the defaults

## Commands are not confined, because the configuration disables the sandbox.

cli-sandbox-is-off = the sandbox is `off`

## Something is wrong with a skill that is still loaded, or could be better.

cli-skill-warning = warning: { $what }

## Skills were checked.

cli-skills-checked = { $skills } checked: { $faulty } with errors, { $warnings } with nothing but warnings

## There is no skill.

cli-no-skills = no `SKILL.md` in `{ $place }` or below it

## The place of skills cannot be read.

cli-skills-unreadable = cannot read `{ $place }`: { $why }

## Nothing was written down yet.

cli-audit-is-empty = ok: the audit has no entries yet

## The audit is what was written.

cli-audit-holds = ok: { $count } entries, { $payloads } with what they are about; the database and `{ $file }` agree

## What proves later that nothing was cut off.

cli-audit-head =
    head: { $seq }:{ $hash }
    hint: note this line somewhere else; `sayso audit verify --head …` finds out when the end was cut off everywhere.

## The audit is not what was written.

cli-audit-is-broken =
    BROKEN: { $what }
    (file: `{ $file }`)

## The words of an account were erased.

cli-audit-forgotten = erased what { $count } entries of `{ $account }` are about; the entries stay, and the chain still holds

## The account is unknown.

cli-unknown-account = no account `{ $account }` is known; it is written as in the configuration, such as `telegram:12345`

## A terminal chat without a model.

cli-chat-is-offline =
    No model is configured, so the built-in offline model answers; it understands only a few requests.
    hint: set `OPENAI_API_KEY`, or run `sayso init` to set up a model and Telegram.

## Times as they were understood (`sayso when`).

cli-unreadable-moment = `{ $text }` is no moment; write one as `2026-11-18T10:30:00+08:00`

# An instant lies behind the moment that it is seen from.
cli-time-is-over = over: { $at }

cli-time-span = from { $from } until { $until }

# A rule and its next times.
cli-time-rule = { $rule }; next: { $next }

cli-no-time = no time
cli-quality-high = high
cli-quality-medium = medium
cli-quality-low = low
cli-quality-more = { $count } more findings: use --json
cli-quality-summary = Score { $score } of 100. Files: { $files }; findings: { $findings }; suppressed: { $suppressed }; files skipped: { $skipped }
cli-no-routines = no routines and no reminders

# Of a file: how many are new, were there, and come at a time that is over.
cli-routines-imported = new: { $new }, kept before: { $known }, over: { $over }
cli-routines-not-imported = nothing of the file is kept
cli-webhook-imported = webhook: POST { $path }, signed with { $key } (shown only now)
