### Answers to commands in chat.

## `/autonomy LEVEL` by a member.

commands-access-autonomy-owners-only = Only an owner can change this.

## `/autonomy` with a word that is no level.

commands-access-autonomy-unknown = There is no level `{ $wanted }`. Levels: `read_only`, `supervised`, `full`.

## `/autonomy` above what the configuration allows.

commands-access-autonomy-above-ceiling =
    `{ $wanted }` is more than the configuration allows (`{ $ceiling }`).
    {"*"}Hint:* raise `agent.autonomy`, or your entry in `access.autonomy`, in `sayso.toml` and restart.

## `/grants`: what is allowed without asking.

commands-access-grants-none = No standing permissions here: I ask each time.
commands-access-grants =
    Allowed without asking in this conversation:
    { $list }

##

commands-access-covered-command = `{ $command }` with the secret { $secrets }
commands-access-covered-project = patches in the project `{ $project }`
commands-access-covered-prefix = `{ $words } …` with any safe names

## The button that takes back one of the list.

commands-access-take-back-one = Take back { $number }

## The button that takes back all of the list.

commands-access-take-back-all = Take back all

## Permissions were taken back.

commands-access-revoked-none = There was nothing to take back.
commands-access-revoked-one = Taken back. I ask again from now on.
commands-access-revoked = Taken back: { $count }. I ask again from now on.

## A press on a permission that does not hold any more.

commands-access-grant-is-gone = It does not hold any more. Nothing changed.

## `/grants revoke` with a number that is none.

commands-access-no-such-grant = There is no permission `{ $which }`. You have { $count }; use its number or `all`.

## Names what runs in the background here, if anything does.

commands-background-none = - { $command }, for { $since } min, ended in { $left } min at the latest
commands-background-lines = **In the background** (`/stop` ends it)
    { $lines }

## `/status`, in at most five lines.

commands-brief-status-well = **All is well.**
commands-brief-status-not-connected = **{ $name } is not connected:** { $why }
commands-brief-status-model = Model: `{ $model }`
commands-brief-status-states-connected = {" "}· { $name }: online
commands-brief-status-states-starting = {" "}· { $name }: starting

##

commands-brief-work-none = Nothing is running here.
commands-brief-work-waiting = Waiting for approval: “{ $words }”
commands-brief-work-on = Working on: “{ $words }”
commands-brief-work-more = { $line }, and { $more } more
commands-brief-commands-confined = Commands: only in your folder, no internet
commands-brief-commands-anywhere = Commands: nothing on this machine holds them to your folder
commands-brief-foreign-files-unreadable = I cannot look through your whole folder, so I ask a little more often.
commands-brief-foreign-files = Your folder holds files that I did not make, so I ask a little more often.

## `/autonomy`, in a sentence or two.

commands-brief-autonomy-read-only = I only look, and change nothing.
commands-brief-autonomy-supervised = I ask before I change anything. Without asking I only read in your folder.
commands-brief-autonomy-supervised-writes = I read and write in your folder without asking. Before I change anything else, I ask.
commands-brief-autonomy-full = I do what my settings allow without asking, and nothing else.
commands-brief-autonomy-owners =
    {""}
    What goes beyond your own folder, an owner decides.

## The button that sets a level.

commands-brief-level-button-read-only = Read only
commands-brief-level-button-supervised = Ask first
commands-brief-level-button-full = Without asking
## `/skills`: what the skills that are on here are good for.

commands-brief-skills-none = No skill is switched on here.
commands-brief-skills = I am good at: { $shown }
commands-brief-skills-more = I am good at: { $shown }, and { $more } more

## `/skills`: what the skills that are on here are good for.

commands-brief-skills-off = Switched off here: { $off }
commands-brief-skills-left-out = Not loaded, with the reason under Details: { $left_out }

## The button that shows the other layer.

commands-brief-layer-button-details = Details
commands-brief-layer-button-brief = Less

## A press on the answer to a command of somebody else.

commands-brief-answer-of-others = Somebody else asked for this. Give the command yourself for your own answer.

## `/autonomy`: the settings that apply to the user here.

commands-effective-autonomy-hint = An owner can lower it here: `/autonomy read_only`.

##

commands-effective-level-why-configured = `agent.autonomy`
commands-effective-level-why-own-entry = your entry in `access.autonomy`
commands-effective-level-why-lowered-here = lowered here; the configuration allows `{ $from }`
commands-effective-level = Autonomy here: **{ $name }** ({ $why })
commands-effective-treated-unasked = - **Unasked**: { $deeds }
commands-effective-treated-asked = - **Asks first**: { $deeds }
commands-effective-treated-refused = - **Never**: { $deeds }
commands-effective-deed-reads-files = read files in the workspace
commands-effective-deed-runs-readers = run commands that only read there
commands-effective-deed-writes-files = write files there
commands-effective-deed-runs-commands = run commands that stay there
commands-effective-deed-deletes = run commands that delete
commands-effective-deed-uses-network = run commands that use the network
commands-effective-deed-leaves-workspace = run commands that reach further
commands-effective-deed-runs-others = run other commands
commands-effective-deed-fetches-pages = fetch web pages
commands-effective-deed-sends-requests = send anything to a server
commands-effective-deed-opens-secrets = read files with keys or passwords
commands-effective-deed-destroys = destroy the system
commands-effective-listed = run { $named } there
commands-effective-listed-more = run { $named } and { $more } other programs there

## The line for members about calls that only an owner may approve.

commands-effective-owners-approve = - What reaches past your own space asks an owner

## What speaks of single commands and hosts, and when all of it asks.

commands-effective-besides-counted = { $count } in `{ $place }`
commands-effective-besides-beside = - Exceptions: { $counted }
commands-effective-besides-taint = - With text from outside in view, writing and running ask all the same

##

commands-effective-network-refused = commands have none
commands-effective-network-asked = commands have it only after a yes
commands-effective-network-unasked = commands may use it unasked
commands-effective-network-refused-asked = the kernel does not keep commands from it
commands-effective-network = - Network: { $said }

## What is demanded of the sandbox, and what the kernel enforces.

commands-effective-sandbox = Sandbox `{ $mode }`: { $found }
commands-effective-sandbox-off = Sandbox `off`: nothing confines commands

## What `policy.sandboxed_commands = "allow"` gives and takes.

commands-effective-trade = - `sandboxed_commands` is `allow`: fewer questions, but nobody looks before a command spoils something in the workspace

## `/help`: what to try, in four groups.

commands-help =
    I am Sayso. Tell me what you need in your own words; I ask before anything risky.

    {"*"}*Try:** “Sort the photos in my folder by year” · “Remember that I am allergic to peanuts” · “Summarize this PDF” (send it along)

    {"*"}*While I work:** /stop, or just write what has changed · /undo takes back file changes
    {"*"}*About you:** /memory what I remember · /forget · /language · /new for a new conversation
    {"*"}*What I may do:** /autonomy · /grants · /skills · /usage · /status

## `/help` for guests.

commands-guest-help = I am Sayso. You can chat with me here; tools and files are not part of it.

## `/help`, with every command.

commands-help-all-commands = /{ $name } – { $said }

## A guest used a command that is not for guests.

commands-help-not-for-guests = You can chat with me here, but this command is not part of it. /help lists yours.

## `/new`.

commands-help-begun-anew = New conversation. I still remember what you told me to; permissions are reset.

## `/whoami`, with the accounts that the same person has.

commands-help-who-am-i-who-owner = You are { $name }, my owner (`{ $account }`).
commands-help-who-am-i-who-member = You are { $name }, a member (`{ $account }`).
commands-help-who-am-i-who-guest = You are { $name }, a guest (`{ $account }`): you can chat with me, without my tools.
commands-help-who-am-i =
    { $who }
    Linked with:
    { $linked }

## `/language`: which language it is, and why.

commands-language-chosen = I speak English with you, as you chose.
commands-language-followed = I speak English with you, and follow the language you write in.

## The label of a button.

commands-language-button-name-automatic = Automatic

## After a choice, in the language that holds from now on.

commands-language-now-always = From now on I speak English with you.
commands-language-now-automatic = From now on I follow the language you write in.

## `/status`: which MCP servers wait for a login, and what to do.

commands-mcp-wait-for-logins = MCP servers that wait for a login; on the machine that I run on: { $commands }

## `/status`: which tools no model is offered, and where the reasons are.

commands-mcp-tools-left-out = Tools that I leave out, because they or their schemas cannot be used; the log says why: { $names }

## `/memory` without a word that I know.

commands-memory-usage = `/memory export` sends what I remember as files: of you in our direct chat, of the group in a group. `/memory profile` shows what I always have in view of you, and takes your own words for it.

## `/memory export` where nothing is remembered.

commands-memory-nothing-remembered = I remember nothing here.

## What stands above the files.

commands-memory-exported-direct = What I remember of you: { $count }
commands-memory-exported-group = What I remember of this group: { $count }

## Under that, when there is more.

commands-memory-export-is-cut = These are the newest: I remember more than fits into a file.

## The heading of the file for people.

commands-memory-heading = What Sayso remembers

## The heading of one kind of memory.

commands-memory-kind-said = Facts
commands-memory-kind-profile = Your profile, in your words
commands-memory-kind-skills-off = Skills that are switched off
commands-memory-kind-routines = Routines
commands-memory-kind-learned = From conversations

## Where a fact comes from, and how sure it is, in percent.

commands-memory-source-learned = learned, { $confidence } % sure
commands-memory-source-told = told to remember
## What a fact is about.

commands-memory-topic-preference = preference
commands-memory-topic-profile = profile
commands-memory-topic-relation = relation
commands-memory-topic-project = project
commands-memory-topic-procedure = procedure

## `/memory profile`.

commands-memory-profile-hint = _Hint:_ `/memory profile I am …` puts your own words there, in place of those before; `/memory profile clear` deletes them.
commands-memory-profile-nothing = I have no profile of you yet.
commands-memory-profile = **In your words**
commands-memory-profile-learned = **What I learned**

## `/memory profile` in a group.

commands-memory-profile-in-group = A profile is between you and me: send this in our direct chat.

## `/memory profile TEXT`.

commands-memory-profile-written = Noted in your words. They are in view in our direct chat from now on, and I never change them.

## `/memory profile clear`.

commands-memory-profile-cleared = Your words are deleted from your profile.
commands-memory-profile-was-empty = There are no words of yours in your profile.

## The text is too long.

commands-memory-profile-too-long = That has { $length } characters, and a profile has room for { $most }. Nothing was changed.

## The text gives orders as an attack does.

commands-memory-profile-gives-orders = That reads like an attack on me, and it would be in every prompt of yours, so I did not keep it. Say what is so, or how you want to be answered.

## Since when a fact holds.

commands-memory-since = since { $day }

## Until when a fact holds, or held.

commands-memory-until = until { $day }

## What took the place of a fact, as far as that is there.

commands-memory-replaced-by = replaced by: { $next }
commands-memory-replaced = replaced
## How often a fact was recalled.

commands-memory-recalls = { $count ->
    [one] recalled once
   *[other] recalled { $count } times
}

## `/status`: memory is found without an embedder.

commands-memory-found-by-words = Memory is found by words; no embedder is configured.

## `/status`: how memory is found with an embedder, and since when it has not answered.

commands-memory-found-by-meaning-waiting-named = Memory is found by words alone: the embedder `{ $name }` has not answered for { $since }: { $why }
commands-memory-found-by-meaning = Memory is found by words and by meaning (`{ $name }`).

## A line of the list that sums up a conversation.

commands-memory-of-conversation = From a conversation: { $text }

## `/memory`: what is remembered here.

commands-memory-page-empty = I remember nothing about you yet. Tell me what I should keep: “Remember that …”.
commands-memory-page-empty-group = I remember nothing about this group yet.
commands-memory-page-head = { $all ->
    [one] I remember one thing:
   *[other] I remember { $all } things:
}
commands-memory-page-head-group = { $all ->
    [one] About this group I remember one thing:
   *[other] About this group I remember { $all } things:
}
commands-memory-page-more-direct = /memory export sends all of it as a file · /memory profile is about you
commands-memory-page-more-group = /memory export sends all of it as a file

## The label of a button below what is remembered.

commands-memory-button-forget = Forget { $number }
commands-memory-button-more = More

## What the presser reads when a memory was to be forgotten.

commands-memory-forgotten = Forgotten. I will not learn it again from what was said.
commands-memory-forgotten-before = It is gone already.

## `/model`: what there is, and what is in use here.

commands-models-chosen-here = {" "}(chosen here)
commands-models-none = There is no model to choose from.
commands-models-one = I use `{ $shown }`. It is the only model set up.
commands-models = **Models**

    { $lines }

    `/model 2` has that one asked first in this conversation, `/model auto` follows the configuration.

## How the others are found, where a list does not show all.

commands-model-more = … and { $count } more: `/model WORD` lists those with the word in their names.

## The button that follows the configuration again.

commands-model-auto = As configured

## A press on a list that somebody else asked for.

commands-model-list-of-others = Somebody else asked for this list. /model shows yours.

## A press on a model that is offered no more.

commands-model-gone = This model is not offered any more. /model shows what is.

## `/model NAME`, or `/model auto`.

commands-model-chosen = From now on `{ $model }` is asked first here; another one only when it fails.
commands-model-as-configured = From now on the order of the configuration holds here.

## `/model` with a name that is none, or stands for several.

commands-model-unknown = There is no model { $written }. `/model` lists them.

## `/model NAME` by a member of a group.

commands-model-owners-only = In a group only an owner can choose the model.

## `/project`: the projects of the one who asks, and what each allows.

commands-project-writes = may be changed
commands-project-reads = read-only
commands-project-chosen-here = {" "}(chosen here)
commands-projects-none = There is no project that you can choose.
commands-projects = **Projects**

    { $lines }

    `/project NAME` has me work in that folder in this conversation, `/project none` in your own again.

## `/status`: how far the index of the project here is.

commands-project-index-gone = Project `{ $name }`: its folder cannot be read; the search in its code knows what was there before.
commands-project-index-listing = Project `{ $name }`: looking for its files; { $files } are known.
commands-project-index-reading = Project `{ $name }`: reading its code, { $files } of { $of } files.
commands-project-index-cut = Project `{ $name }`: { $files } files can be searched; there are more than I read.
commands-project-index-whole = Project `{ $name }`: { $files } files can be searched.

## The button that leaves the project.

commands-project-none = None

## An owner is asked about the AGENTS.md of a project, with the file above.

commands-instructions-ask = The project `{ $project }` has an `AGENTS.md` ({ $bytes } bytes, above): instructions for agents, by anyone who can write to the project. Shall I follow this version? Until then I read it as text from outside, and ask before I act on it.
commands-instructions-ask-several = The project `{ $project }` has instructions for agents that no owner has accepted ({ $bytes } bytes, above): { $paths }. Anyone who can write to the project can write them; each holds for the folder that it is in. Shall I follow these versions? Until then I read them as text from outside, and ask before I act on them.
commands-instructions-cut = It is longer than that; the rest is never read.
commands-instructions-suspected = ⚠️ Something in it looks like an attack. Read it first.
commands-instructions-yes = Follow it
commands-instructions-no = Leave it
commands-instructions-accepted = ✅ I follow this version of the `AGENTS.md` of `{ $project }`. When it changes, I ask again in `/project`.
commands-instructions-left = I read the `AGENTS.md` of `{ $project }` as text from outside.
commands-instructions-changed = The `AGENTS.md` of `{ $project }` has changed since. `/project` shows what it is now.

## Below the list: what becomes of the AGENTS.md of the project in use.

commands-instructions-follows = `AGENTS.md` here: accepted by an owner; I follow it.
commands-instructions-unread = `AGENTS.md` here: not read yet, since the disk is slow. Send `/project` again in a moment.
commands-instructions-reads = `AGENTS.md` here: not accepted by an owner; I read it as text from outside.

## A press on a list that somebody else asked for.

commands-project-list-of-others = Somebody else asked for this list. /project shows yours.

## A press on a project that is there no more, or not for the one who pressed.

commands-project-gone = You cannot choose this project any more. /project shows which you can.

## `/project NAME`, or `/project none`.

commands-project-chosen = From now on I work in the project `{ $name }` here.
commands-project-chosen-read-only = From now on I work in the project `{ $name }` here. It is read-only.
commands-project-left = From now on I work in no project here.

## `/project` with a name that is none.

commands-project-unknown = There is no project { $written } for you. `/project` lists yours.

## A change by somebody who may not use the project of a group.

commands-project-of-others = Only somebody who may use the project of this conversation can change it.

## A stranger wrote, and strangers cannot ask to come in (now).

commands-pairing-closed = I am a private assistant, and I do not know you yet. If you know my owner, ask them to let you in.

## A stranger wrote, and there is no owner yet.

commands-pairing-unowned = I have no owner yet. If you set me up: open the link shown in my terminal, or send me the code that stands there.

## A stranger sent a code that does not hold, and there is no owner yet.

commands-pairing-wrong-code = That code is wrong or has expired. A code works for an hour; if yours is older, start me again and my terminal shows a new one.

## A stranger sent a code that does not hold, and the owners are asked.

commands-pairing-asking-after-wrong-code = That code is wrong, used or expired, so I have asked my owner whether I may talk with you. You will hear from me.

## A stranger wrote, and no owner can be asked: those that are named have never written.

commands-pairing-owner-is-unheard = I do not know you yet, and I cannot ask my owner, who has not written to me so far. If you know them: ask them to send me a message, then write to me again.

## A stranger wrote, and the owners are asked.

commands-pairing-asking = Hello! I do not know you yet, so I have asked my owner whether I may talk with you. You will hear from me.

## A stranger wrote again before the owners answered.

commands-pairing-still-asking = My owner has not answered yet.

## The card about a stranger: who it is, what was said, and what a yes means.

commands-pairing-stranger-handle = {" "}(`@{ $it }`)
commands-pairing-words = {" "}wrote: `{ $it }`
commands-pairing-stranger = **Let { $name } in?**{ $handle }
    `{ $channel }:{ $sender }`{ $words }
    ⚠️ Allow: { $name } can use my tools and **approve actions on this computer without you**, in a folder of their own. What reaches past it asks an owner.
    💬 Chat only: { $name } can talk with me, nothing else.

## The card about a stranger who was let in.

commands-pairing-stranger-let-in = ✅ { $name } was let in.

## The card about a stranger who may only chat.

commands-pairing-stranger-chats = 💬 { $name } may chat with me, without tools.

## The card about a stranger who was blocked.

commands-pairing-stranger-blocked = 🚫 { $name } was blocked.

## The card about a stranger that expired without an answer.

commands-pairing-stranger-expired = ⌛ { $name } was neither let in nor blocked: not answered in time.

## The button that lets a stranger in.

commands-pairing-allow = Allow

## The button that lets a stranger chat and nothing else.

commands-pairing-chat-only = Chat only

## The button that lets somebody use tools who could only chat.

commands-pairing-allow-fully = Allow tools too

## The button that keeps a stranger out.

commands-pairing-block = Block

## Somebody became the owner.

commands-pairing-welcome-owner =
    You are my owner now.
    Tell me what to do; I ask before anything risky. /help lists the commands.

## Somebody may chat and nothing else.

commands-pairing-welcome-guest = You can chat with me now. Ask me anything; tools and files are not part of it. /help lists what else you can do.

## Somebody was let in.

commands-pairing-welcome = You may talk with me now. Tell me what to do; I ask before anything risky. /help lists the commands.

## A press on the notice about what waits, when no turn is in its way any more.

commands-presses-comes-next = It comes next anyway.

## A press on that notice when nothing waits any more.

commands-presses-nothing-queued = Nothing is queued any more. Nothing changed.

## A press on the notice about somebody else's message.

commands-presses-not-your-message = This is about somebody else's message.

## A press that stops a turn.

commands-presses-stopping = ⏹ Stopping.

## A press that would stop somebody else's turn.

commands-presses-not-your-turn = Only the person who asked, or an owner, can stop this.

## A press that would stop a turn that has ended.

commands-presses-turn-is-over = This is over already. Nothing changed.

## A press that would make a request anew whose words are not kept any more.

commands-presses-request-is-gone = I do not have your request any more. Please write it again.

## A press that has the request of a failed turn run again.

commands-presses-tries-again = Trying again.

## After what was learned was taken back.

commands-presses-undone = Undone.

## `/skills`: all of them by where they come from.

commands-skills-head = **Skills**: { $count }
commands-skills-head-off = **Skills**: { $count }, switched off here: { $off }
commands-skills-more =
    {""}
    {"["}{ $rest } more]
commands-skills-heading = Not loaded

##

commands-skills-heading-builtin = Built in
commands-skills-heading-owner = From my owner
commands-skills-heading-installed = Installed
commands-skills-heading-workspace = In the folder here
commands-skills-line = - `{ $name }`: { $what }
commands-skills-line-off = - `{ $name }` (off): { $what }

## The line of a skill that is not loaded: why, and what an owner can do.

commands-skills-not-loaded-new = - `{ $name }` ({ $source }): no owner approved it. `/skills approve { $name }` shows it
commands-skills-not-loaded-changed = - `{ $name }` ({ $source }): changed since it was approved. `/skills approve { $name }` shows how
commands-skills-not-loaded-refused = - `{ $name }` ({ $source }): { $why }

##

commands-skills-hint-direct = `/skills off NAME` switches one off in our direct chat, `/skills on NAME` on again. `/skills suggest WORDS` says which may help with something.
commands-skills-hint-group = An owner switches one off for this group with `/skills off NAME`, and on again with `/skills on NAME`. `/skills suggest WORDS` says which may help with something.

## `/skills` with words that I do not know.

commands-skills-usage =
    `/skills` lists them, `/skills suggest WORDS` says which may help, `/skills on NAME` and `/skills off NAME` switch one on and off here.
    Owners: `/skills install SOURCE` takes one from a folder, an archive or an `https` git repository, `/skills approve NAME` loads one that lies in the workspace or changed, `/skills remove NAME` takes one away; each is shown first.

## `/skills on` or `off` by a member in a group.

commands-skills-owners-only =
    Only an owner can change this for a group.
    In our direct chat you choose for yourself.

## `/skills on` or `off` with a name that no skill has.

commands-skills-skill-unknown = There is no skill `{ $name }`. `/skills` lists them.

## `/skills on` or `off`.

commands-skills-on-direct = `{ $name }` is on in our direct chat.
commands-skills-on-group = `{ $name }` is on in this group.
commands-skills-off-direct = `{ $name }` is off in our direct chat.
commands-skills-off-group = `{ $name }` is off in this group.

## `/skills suggest`: the best first, with what speaks for each.

commands-skills-suggested-none = None of my skills stands out for this: I would just do it.
commands-skills-suggested-one = { $number }. `{ $skill }`: { $reasons }
commands-skills-suggested-head = **These may help**

##

commands-skills-reason-in-words-intent = you want { $wanted } ({ $words })
commands-skills-reason-in-words-name = you name it ({ $words })
commands-skills-reason-in-words-description = it is about { $words }
commands-skills-reason-in-words-examples = people who asked the like needed it

## Returns what somebody wants, behind "you want".

commands-skills-intent-bug-fix = something broken mended
commands-skills-intent-new-feature = something new made
commands-skills-intent-refactor = code tidied up
commands-skills-intent-testing = something tested
commands-skills-intent-deployment = something put into service
commands-skills-intent-security = to know whether it is secure
commands-skills-intent-performance = something made faster
commands-skills-intent-documentation = something described
commands-skills-intent-shell-command = a command run
commands-skills-intent-browser-task = something done on the web
commands-skills-intent-calendar = something scheduled
commands-skills-intent-email = a message written
commands-skills-intent-learning = to understand something
commands-skills-intent-data-analysis = figures read
commands-skills-intent-file-operation = files handled
commands-skills-intent-general = help

## A line of `/status` about a channel: what it does, the age of its last contact, how often it was
## interrupted, and the last fault while that is over.

commands-status-channel-line-state-starting = starting
commands-status-channel-line-state-connected = connected
commands-status-channel-line-state-waiting = waiting: { $why }
commands-status-channel-line-state-stopped = stopped: { $why }
commands-status-channel-line-contact = last contact { $age } ago
commands-status-interruptions = { $count ->
    [one] interrupted once
   *[other] interrupted { $count } times
}
commands-status-channel-line = - `{ $name }`: { $parts }

##

commands-status-last-fault = last fault { $age } ago: { $why }

## Returns how long ago something was, in the unit that tells most.

commands-status-age-seconds = { $seconds } s
commands-status-age-minutes = { $seconds } min
commands-status-age-hours = { $seconds } h

## `/status`; `sandbox` is the line about it.

commands-status-work-waiting = - waiting for approval: { $request }
commands-status-work-on = - working on: { $request }
commands-status-idle = - nothing is going on here
commands-status =
    Sayso { $version }, model `{ $model }`
    { $sandbox }

    {"*"}*Channels**
    { $channels }

    {"*"}*Here**
    { $work }

## `/status`: what owners changed of the configuration, if anything.

commands-status-changed-in-chat = Changed in chat by an owner: { $changes }

## `/status`: whether what is read in the workspace counts as text from outside, and why.

commands-status-workspace-trusted = Your folder holds nothing from outside that I know of: what I read there does not make me ask.

## `/status`: since when and why what is read in the folder counts as text from outside.

commands-status-workspace-tainted-day = {" "}since { $day }
commands-status-workspace-tainted = Your folder holds things that are not from you or me{ $day }: { $why }. When I have read them, I ask a little more often, even where you said Always.

##

commands-status-intrusion-shared = everybody in this group writes there
commands-status-intrusion-found-there = files were in it that I did not make
commands-status-intrusion-changed-elsewhere = something else than I changed it
commands-status-intrusion-brought-in = a call changed it that had the network, or text from outside in view
commands-status-intrusion-reached-out = a command ran that nothing held to the workspace
commands-status-intrusion-unreadable = I cannot look through it: too many files, a mount, or no right to

## There is no such command; perhaps another one is meant.

commands-unknown-did-you-mean = No command /{ $name }. Did you mean /{ $meant }?
commands-unknown-no-such-command = There is no command /{ $name }. /help lists them.

## The button that runs the other one.

commands-unknown-yes-that-command = Yes, /{ $meant }

## In place of the question when its time is over.

commands-unknown-command-guess-expired = There is no such command. /help lists them.

## `/remind`: how it is written, and why something is no reminder.

commands-remind-how = Write when and what: `/remind tomorrow at 9 call mum`, `/remind every Monday at 8 water the plants`
commands-remind-too-often =
    { $minutes ->
        [one] A reminder comes at most every minute.
       *[other] A reminder comes at most every { $minutes } minutes.
    }
commands-remind-over = That time is over.
commands-remind-missing = I do not understand when.

## `/timezone`. $now is a time of day.

commands-timezone-known = Your time zone is `{ $name }`; it is { $now } there.
commands-timezone-taken = You have not told me your time zone, so I take `{ $name }`, where it is { $now }. Any other: `/timezone Tokyo`
commands-timezone-set = Your time zone is `{ $name }` now; it is { $now } there.
commands-timezone-is-set = Your time zone: { $name }
commands-timezone-unknown = I know no time zone `{ $name }`. Write it like `Europe/Berlin`, or a city.

## `/quiet`. $hours is such as `22:30-07:30`.

commands-quiet-off = I send you messages of my own at any hour. Quiet hours: `/quiet 22:30-07:30`
commands-quiet-between = From { $hours } I send nothing that you did not ask for; reminders come at their time. Change: `/quiet 23:00-08:00`, `/quiet off`
commands-quiet-unreadable = Write from when to when: `/quiet 22:30-07:30`, or `/quiet off`.
