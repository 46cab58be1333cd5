### What people read of calls. The model reads some of it.

## The result of a call that a person refused; `by` names them where others read along.

executor-refused-shown = Not run: you said no
executor-refused-shown-by = Not run: { $by } said no

##

executor-refused-for-model =
    denied
    The user said no to this call. Do not try it again in another form; ask what they want instead.
executor-refused-for-model-why =
    denied
    The user said no to this call, and why. Do not try it again in another form. Their words:
    { $why }

## The result of a call that would only repeat others.

executor-repeated-why-third-time = not run: `{ $tool }` was called like this twice in a row and came to the same
executor-repeated-why-goes-round = not run: `{ $tool }` and the calls around it were made twice in this order and came to the same
executor-repeated-why-blocked = not run: this call of `{ $tool }` was kept from running before
executor-repeated-what-now = It stays kept from running in this turn. Use what you know already, go another way, or tell the user what is in the way; after five of these the turn ends.

## The result of a call that only an owner may approve, where no owner can be asked.

executor-no-owner-to-ask-why = not asked and not run: it reaches past the own space of this user, so only an owner may approve it, and no owner can be reached. The user was told. Go on without it; do not call it again
executor-no-owner-to-ask = Not run: only an owner may approve this

## Why a turn ends whose call cannot be written down in the audit.

executor-unaudited =
    I did not run anything: what I do has to be written to the audit first, and it cannot be written.
    Whoever runs me finds the reason in the log.

## Returns why a call was refused, in a line for people.

executor-shown-forbidden = Blocked: { $reason }
executor-shown-only-read = Not run: I may only read here
executor-shown-only-chat = Not run: we can only chat here
executor-shown-only-owners = Not run: only an owner may do this
executor-shown-outside-folder = Not run: this reaches outside your folder
executor-shown-not-confined = Not run: this computer cannot confine commands
executor-shown-no-internet = Not run: I have no internet here
executor-shown-not-on-list = Not run: this command is not on the list of allowed ones
executor-shown-site = Not run: this site is not allowed
executor-shown-secret = Not run: this key may not be used for that
executor-shown-service = Not run: this service may not do that
executor-shown-members = Not run: members may not do this

## The result of a call that would require approval, where no one can be asked.

executor-no-one-to-ask-why = not asked and not run: it requires approval, and no one can be asked in this run
executor-no-one-to-ask = Not run: there is no one to ask

## The result of a question to the person, where they do not read along.

executor-no-one-answers-why = not asked: the person is not there in this run. Decide by yourself, or report what is open

## Returns what people read while a call runs; `None` where something else shows it.

## Returns what people read of a result that was withheld, since it gives orders to a model.

executor-acts-withheld-line = ✗ Held back: { $what } brought text that tries to give me orders
executor-acts-remembered = Remembered: { $text }
executor-acts-corrected = Corrected: { $text }
# $act: what is done, with a capital letter.
executor-acts-running = { $icon } { $act }…
# $steps: how many; $commands: how many of them were commands.
executor-acts-ran-commands = { $commands ->
    [one] ran a command
   *[other] ran { $commands } commands
}
executor-acts-steps = { $steps ->
    [one] ✓ 1 step
   *[other] ✓ { $steps } steps
}
executor-acts-steps-did = { $steps ->
    [one] ✓ 1 step: { $acts }
   *[other] ✓ { $steps } steps: { $acts }
}
## What a call does. $when: `done` for what was done, `doing` for what goes on. $name: a file, site or service.

executor-act-read-file = { $when ->
    [done] read { $name }
   *[doing] reading { $name }
}
executor-act-read-file-unnamed = { $when ->
    [done] read a file
   *[doing] reading a file
}
executor-act-write-file = { $when ->
    [done] wrote { $name }
   *[doing] writing { $name }
}
executor-act-write-file-unnamed = { $when ->
    [done] wrote a file
   *[doing] writing a file
}
executor-act-send-file = { $when ->
    [done] sent { $name }
   *[doing] sending { $name }
}
executor-act-send-file-unnamed = { $when ->
    [done] sent a file
   *[doing] sending a file
}
executor-act-read-site = { $when ->
    [done] read { $name }
   *[doing] reading { $name }
}
executor-act-read-site-unnamed = { $when ->
    [done] read a page
   *[doing] reading a page
}
executor-act-send-to-site = { $when ->
    [done] sent data to { $name }
   *[doing] sending data to { $name }
}
executor-act-send-to-site-unnamed = { $when ->
    [done] sent data to a server
   *[doing] sending data to a server
}
executor-act-use-service = { $when ->
    [done] used { $name }
   *[doing] using { $name }
}
executor-act-use-service-unnamed = { $when ->
    [done] used a connected service
   *[doing] using a connected service
}
executor-act-search-web = { $when ->
    [done] searched the web for “{ $query }”
   *[doing] searching the web for “{ $query }”
}
executor-act-list-files = { $when ->
    [done] looked at your files
   *[doing] looking at your files
}
executor-act-remember = { $when ->
    [done] remembered something
   *[doing] remembering something
}
executor-act-correct-memory = { $when ->
    [done] corrected what I remember
   *[doing] correcting what I remember
}
executor-act-forget = { $when ->
    [done] forgot something
   *[doing] forgetting something
}
executor-act-recall = { $when ->
    [done] looked in my memory
   *[doing] looking in my memory
}
executor-act-write-note = { $when ->
    [done] wrote a note
   *[doing] writing a note
}
executor-act-read-instructions = { $when ->
    [done] read up on how to do this
   *[doing] reading up on how to do this
}
executor-act-find-tool = { $when ->
    [done] looked for a way to do this
   *[doing] looking for a way to do this
}
executor-act-read-result = { $when ->
    [done] read a long result
   *[doing] reading a long result
}
executor-act-look-at-itself = { $when ->
    [done] looked at my own state
   *[doing] looking at my own state
}
executor-act-read-settings = { $when ->
    [done] looked at my settings
   *[doing] looking at my settings
}
executor-act-change-settings = { $when ->
    [done] changed my settings
   *[doing] changing my settings
}
executor-act-read-routines = { $when ->
    [done] looked at your routines
   *[doing] looking at your routines
}
executor-act-change-routines = { $when ->
    [done] changed your routines
   *[doing] changing your routines
}
executor-act-plan = { $when ->
    [done] planned the steps
   *[doing] planning the steps
}
executor-act-ask = { $when ->
    [done] asked you
   *[doing] asking you
}
executor-act-other = { $when ->
    [done] did one more step
   *[doing] working on it
}

## Returns what a list of what was done says of a result; `None` where nothing was done.

executor-acts-report-tried = tried: { $act }
executor-acts-report-cut-off = cut off: { $act }

##

executor-acts-failed-head = ✗ Did not work: { $act }
executor-acts-not-run = ✗ Not run: { $act }
executor-acts-unknown = ? Cut off: { $what }. I do not know how far it came.
