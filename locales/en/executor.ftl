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

# Leaves out $act2.

## Returns what people read of a result that was withheld, since it gives orders to a model.

executor-acts-withheld-line = ✗ Held back: { $what } brought text that tries to give me orders

## Returns what a list of what was done says of a result; `None` where nothing was done.

executor-acts-report-tried = tried: { $act }
executor-acts-report-cut-off = cut off: { $act }

##

executor-acts-failed-head = ✗ Did not work: { $act }
executor-acts-not-run = ✗ Not run: { $act }
executor-acts-unknown = ? Cut off: { $what }. I do not know how far it came.
