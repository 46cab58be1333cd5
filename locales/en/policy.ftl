### What a card says of a call: what it does, why it is asked about, what confines it.

## Says how many reasons are not said.

policy-command-reason-and-more = and more
policy-command-reason-rest = and { $rest } more
policy-command-reason-rest-at-least = and more than { $rest } more

##

policy-command-reason-clause = { $shown }: { $why }
policy-command-reason-clause-more = { $shown } and { $rest } more: { $why }

## Returns a reason as a person reads it: what it does, and behind it which parts do it.

policy-command-reason-short = { $why } ({ $shown })
policy-command-reason-short-more = { $why } ({ $shown } and { $rest } more)

## Returns what confines the command, as the footer of its card; `None` where nothing does, or not
## all of it is enforced.

policy-reach-offline-reader = Only in your folder, no internet
policy-reach-offline-asker = Only in their folder, no internet
policy-reach-online-reader = Only in your folder, **with internet**
policy-reach-online-asker = Only in their folder, **with internet**

## Returns the warning of a command that nothing confines, or not wholly; `None` for others.

policy-reach-open-access-system = ⚠️ **Full access: this can read, change and delete anything on this computer**, with everybody's files, memories and keys.
policy-reach-open-access-off = ⚠️ **Full access: this can read, change and delete anything on this computer**, since commands are not confined here.
policy-reach-open-access-nothing = ⚠️ **Full access: this can read, change and delete anything on this computer**, since this computer cannot confine commands.
policy-reach-open-access-workspace-partly-wholly = ⚠️ **Not fully confined**: meant for your folder without internet, but it may reach other people's files and keys, since this computer cannot enforce all of it.
policy-reach-open-access-network-partly-wholly = ⚠️ **Not fully confined**: meant for your folder **with internet**, but it may reach other people's files and keys, since this computer cannot enforce all of it.

## Returns the reason as bullets of the card.

policy-ask-reason-for-people-uses-mcp = the service `{ $server }` does it: nothing confines it, and it gets what stands here
policy-ask-reason-between-secrets = `, `
policy-ask-reason-for-people-uses-secrets = uses what is not shown here: `{ $names }`, filled in when it runs

## Returns what a call does in one language. What is verbatim is never put in other words.

policy-summaries-summary-in-remember = remember:{" "}
policy-summaries-summary-in-change-memory = change what I remember to:{" "}
policy-summaries-summary-in-note = note:{" "}
policy-summaries-summary-in-save-note = save as a note:{" "}
policy-summaries-summary-in-set-key = setting:{" "}
policy-summaries-summary-in-restore-key = setting: ↩{" "}

## Returns what happens to a routine, with its schedule in words and without its number.

policy-summaries-routine-in-name = routine:{" "}
policy-summaries-remind = remind:{" "}
policy-summaries-routine-in-done-on = switch on the routine:{" "}
policy-summaries-routine-in-done-off = switch off the routine:{" "}
policy-summaries-routine-in-done-deleted = delete the routine:{" "}

## Returns that what a command runs may change until it runs, as its card says it.

policy-unchecked = the files that it runs may have changed by the time it runs: I cannot check all of them

## Says what was read that is not the person's own; `None` where nothing was.

policy-in-view = I have recently read: { $names }.
policy-in-view-more = I have recently read: { $names }, and { $more } more.

##

policy-view-source-name-origin-others = words of others
policy-view-source-name-origin-picture = a picture
policy-view-source-name-origin-many = other texts
policy-view-source-name-memory = { $origin } (remembered)

## Names what a call read.

policy-view-read-list = the names of files in your folder
policy-view-read-search = a web search
policy-view-read-output = the output of a command
policy-view-read-notes = my earlier notes
policy-view-read-other = other texts

##

policy-view-file-sent-here = `{ $name }` (sent here)

## The tool was called with more access than the text of the command needs.

policy-reasons-asks-for-network = it asks for the network
policy-reasons-asks-for-system = it asks to run outside its confinement

## A rule allows the command, which does not free what reaches this far.

policy-reasons-reaches-network = it uses the network
policy-reasons-reaches-system = it reaches outside the workspace

##

policy-reasons-is-unconfined = its text is harmless, but not everything confines what it starts
policy-reasons-only-reads = it only reads, inside the workspace
policy-reasons-nothing-to-run = there is no command in it that could be judged
policy-reasons-unreadable-too-much = it is too long or nested too deep to be judged
policy-reasons-unreadable-not-a-script = it cannot be read as a shell command
policy-reasons-rules-are-broken = the command rules cannot be used
policy-reasons-unknown-program = { $program } is not known to only read
policy-reasons-unknown-subcommand = this use of { $program } is not known to only read
policy-reasons-unknown-option = { $option } of { $program } is not known to be harmless
policy-reasons-not-literal = what the shell makes of { $word } is not certain

## A file in the workspace tells the program what to load or run.

policy-reasons-obeys-settings = the workspace may have settings that tell { $program } what to run

## A directory that came with a clone can be a repository of its own, whose configuration names
## programs to run.

policy-reasons-in-another-repository = it would read another repository, whose settings may name programs to run

##

policy-reasons-by-its-path = { $program } is a program named by its path
policy-reasons-outside = { $path } may be outside the workspace
policy-reasons-keeps-secrets = { $path } looks like a file that keeps secrets
policy-reasons-writes = its output is written to { $path }
policy-reasons-sends-to = it sends data to { $host }
policy-reasons-sends = it sends data to another machine
policy-reasons-deletes = it may delete something for good, as { $word } says
policy-reasons-overwrites-device = writing to { $path } destroys what is on it
policy-reasons-sets-variable = { $name } is set before it, which may change what it runs
policy-reasons-structure = it is more than a list of commands: a group, loop, condition or test

## Shells would run different commands.

policy-reasons-ambiguous-here-document = shells differ in where its here-document ends
policy-reasons-ambiguous-continuation = shells differ in how they join its lines that end with a backslash
policy-reasons-ambiguous-quoting = shells differ in where its quoted text ends
policy-reasons-ambiguous-redirection = shells differ in how they read one of its redirections
policy-reasons-ambiguous-control-character = it has a control character, which shells read differently
policy-reasons-ambiguous-syntax = shells may read a part of it differently

##

policy-reasons-background = a part of it goes on in the background, and is ended when the rest has ended
policy-reasons-function = it defines a function
policy-reasons-fork-bomb = its function starts itself again and again until the machine stands still
policy-reasons-substitution = a part of it is the output of another command
policy-reasons-takes-input = { $program } takes the words of a command from its input
policy-reasons-wraps = { $program } starts what its words name, and that cannot be judged here
policy-reasons-acts-in-language = the operation of { $program } is not on the read-only list
policy-reasons-feeds-a-shell = { $program } runs what comes out of the command before it
## Why a command runs without approval.

policy-grants-granted = it is always allowed
policy-grants-sandboxed = the kernel keeps it in the workspace, and `policy.sandboxed_commands` is `allow`
policy-grants-not-confirmed = `policy.confirm_exec` is `false`
policy-grants-listed = its programs are on `policy.allow_commands`

## Returns the reason as a bullet without a word of the call itself.

policy-ask-reason-in-fixed-words-runs-command = runs a command
policy-ask-reason-in-fixed-words-writes-file = changes a file in your folder
policy-ask-reason-in-fixed-words-changes-settings = changes how I work for everybody, from my next start on; it can be undone
policy-ask-reason-in-fixed-words-schedules-turns = runs at these times in your name, when you may not be there
policy-ask-reason-in-fixed-words-keeps-running = keeps running in the background until it ends, `/stop` ends it or its time is up
policy-ask-reason-in-fixed-words-keeps-secrets = by its name, this file keeps secrets such as keys or passwords, and what is read goes to the model
policy-ask-reason-in-fixed-words-fetches = asks a server on the internet, which learns what stands in the address
policy-ask-reason-in-fixed-words-fetches-after-outside-text = text from outside may have chosen this address, which can carry away what I read
policy-ask-reason-in-fixed-words-sends-request = sends a request that may change something at a server on the internet
policy-ask-reason-in-fixed-words-uses-mcp = a service outside does it
policy-ask-reason-in-fixed-words-uses-secrets = uses a secret
policy-ask-reason-in-fixed-words-outside-text = I have text from outside in view, so I ask to be safe
policy-ask-reason-in-fixed-words-reads-like-instructions = would be remembered, and reads like instructions to me
policy-ask-reason-in-fixed-words-repeats-unknown = the same was interrupted before, and I do not know whether it took effect: this may do it twice
policy-ask-reason-in-fixed-words-changed-since-shown = you approved it before, but it, a file that it may run or its limits changed since: this is how it looks now

## Returns it in words that quote nothing of the command.

policy-gravity-in-words-destroys = it may delete or overwrite something for good
policy-gravity-in-words-escalates = it runs with other rights, or reaches past what confines commands
policy-gravity-in-words-sends = it sends data to another machine
policy-gravity-in-words-network = it talks to other machines
policy-gravity-in-words-outside = it reaches outside the workspace
policy-gravity-in-words-secrets = it touches a file that keeps secrets
policy-gravity-in-words-uncertain = its text cannot be read for certain
policy-gravity-in-words-runs-code = it runs code that is not in the command
policy-gravity-in-words-installs = it brings programs or files from other machines
policy-gravity-in-words-changes = it changes files
policy-gravity-in-words-unknown = it is not known to only read
