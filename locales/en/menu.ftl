### The menus of the platforms, and `/help`.

## What each command does, in at most 100 characters: the limit of Discord.

menu-start = Say hello, or pair with a code
menu-help = What I can do, and the commands
menu-new = Begin a new conversation
menu-stop = Stop what I am doing for you
menu-steer = Add words to what I am doing
menu-queue = Do this when I am done with what I am doing
menu-interrupt = Stop what I am doing and do this
menu-undo = Put back what I last changed in files
menu-check = Check the project that I work in here
menu-status = Show status and what I am doing
menu-whoami = Who you are to me
menu-link = Join another account of yours, so that I know you on both
menu-unlink = Disconnect this account from your others
menu-autonomy = What I may do without asking
menu-grants = List or revoke what you always allow
menu-usage = What you used today, and what is left
menu-compact = Sum up the earlier part of our conversation
menu-forget = Forget some of what I remember, or everything
menu-memory = What I remember
menu-model = Which model answers here
menu-skills = What I know how to do well, and which of it is used here
menu-project = Which folder I work in here
menu-routines = What you want done at set times
menu-language = English or 中文
menu-remind = Remind you of something
menu-reminders = What I will remind you of
menu-timezone = Your time zone
menu-quiet = Hours in which I send nothing unasked

## What may be written behind a command, and its values, likewise.

menu-start-code = The pairing code, if you have one
menu-link-code = The code from your other account; empty gives one
menu-autonomy-level = Show the level, or the one to lower it to
menu-autonomy-details = Show everything that holds here
menu-autonomy-read-only = Read only: change nothing
menu-autonomy-supervised = Supervised: ask before anything risky
menu-autonomy-full = Full: do what the configuration allows, without asking
menu-grants-revoke = `revoke 2` or `revoke all`; empty lists them
menu-forget-what = `everything`: I ask once before
menu-memory-what = `export`: files; `profile`: what is always in view of you
menu-model-which = The number or name of a model, or `auto`; empty lists them
menu-skills-what = `suggest WORDS`, `on NAME` or `off NAME`; empty lists them
menu-project-which = The name of a project, or `none`; empty lists them
menu-language-which = English, 中文, or the one you write in
menu-language-show = Show the language
menu-language-auto = Automatic: the language you write in
menu-remind-what = When and what: `tomorrow at 9 call mum`; empty lists them
menu-timezone-zone = A city, or a zone such as `Europe/Berlin`; empty shows it
menu-quiet-hours = `22:30-07:30` or `off`; empty shows them
menu-layer = Everything instead of a few lines
menu-layer-details = All details
menu-words = What you want
