### A turn and its live message, and notices about it.

## The button below the outcome of a turn that failed and may be tried again.

sessions-try-again = ↻ Try again

## The line in place of that button.

sessions-tried-again = ↻ Trying again

## The button below the live message.

sessions-stop = ⏹ Stop

## Messages that came too fast were skipped; `rate` is how many may come within a minute, where it
## is one number.

sessions-skipped-why-rate = more than { $rate } came within a minute
sessions-skipped-why-many = too many came within a minute
# $why: one of the two texts above.
sessions-skipped = { $count ->
    [one] I skipped your last message: { $why }. If it matters, send it again.
   *[other] I skipped your last { $count } messages: { $why }. Send again what matters.
}

## The outcome of a turn whose card expired without an answer.

sessions-expired =
    ⌛ I got no answer in time, so I stopped here: { $request }
    Send it again if you still want it.

## What stands in the live message of such a turn where its card says the rest.

sessions-waited-in-vain = ⌛ Stopped: no answer in time.

## The outcome of a turn whose card could not be delivered; `why` is the platform's reason.

sessions-unshown = ⚠️ I had to ask before I go on, and could show the question to nobody: { $why }. So I stopped here, and what I asked about was not run: { $request }

## Tells the asker that a call needs an owner's yes, and that no owner can be asked.

sessions-no-owner-to-ask = ⛔ That needs the approval of an owner, because it reaches past what is yours. No owner has talked with me in a direct chat yet, so there is nobody I could ask, and I did not run it.

## Tells owners of a key that its service takes no longer, while something else answers.

sessions-key-refused-only-key = the key
sessions-key-refused-one-of-keys = key { $number } of { $of }
sessions-key-refused-other-model = another model
sessions-key-refused-other-keys = the others
sessions-key-refused =
    🔑 The model service `{ $server }` does not accept { $which } any more, so I go on with { $meanwhile }.
    Please check it at the service and in `[[providers]]`; I try it again from time to time.

## Why a turn ends for whose work there is no driver in this version.

sessions-no-driver = I cannot do this kind of work in this version.

## Why a turn ends whose project is not there any more, or not for its user.

sessions-project-gone = The project of this conversation is not there any more, or not for you. /project shows which you can choose.

## Why a turn is given up that was interrupted again and again.

sessions-interrupted-too-often = I was interrupted three times while working on this, so I gave up on it.

## What a card says of a call with a secret in it.

sessions-secret-is-hidden = 🔑 A secret is hidden above; it is used as the call has it.

## The live message of a turn that was interrupted.

sessions-starts-again = ⟳ I was interrupted and am starting again …

## The note to a resumed turn about what happened while it waited.

sessions-happened-meanwhile = [note] While this waited for approval, { $turns } other turn(s) of this chat ended. What they changed may matter: look again before you rely on earlier results.

## What was said in a group around a message, before the message. Further lines of a message are
## indented, so that none of it can be mistaken for a line written by the system.

sessions-said-around = [said in the group meanwhile, not addressed to you]
    { $ctx }
    {"["}addressed to you]
    { $text }

## The notice that what somebody says waits for a turn of its own.

sessions-queued-behind = ⏳ Next in line.

## The button that has it join the turn that runs.

sessions-join-now = Add to current task

## The button that ends the turn for it.

sessions-interrupt-now = Do this now instead

## What stands in the notice when nothing of it waits any more and it cannot be deleted.

sessions-queue-is-over = ✓ No longer waiting.

## What the model sees before a message that joins a turn under way.

sessions-joined-heading = [added while you work]
    {""}

## The model is being loaded.

sessions-starting = ⏳ the model is just starting

## The model reads the prompt; `percent` is the percentage read.

sessions-reading = ⏳ reading { $percent } %

## The model has given no sign for a while.

sessions-still-waiting = ⏳ Still waiting for the model…

## The line of the live message that repeats the first words of what joined.

sessions-got-it = ＋ Got it: { $words }
## The line of the live message in place of the oldest steps.

sessions-earlier-steps = { $count ->
    [one] … 1 earlier step
   *[other] … { $count } earlier steps
}

## The button for an answer that is none of the choices.

sessions-something-else = Something else

## The button that ends the asking.

sessions-never-mind = Never mind

## Below a question whose answer will be written.

sessions-just-write-direct = ✏️ Just write it.
sessions-just-write-group = ✏️ Just write it, as a reply to this message.

## Below a question that needs no answer any more.

sessions-left-it = OK, I leave it.

## A plan whose person is asked about it.

sessions-plan = My plan:
    { $lines }

## What is asked about a plan, its buttons, and what stands below it when it is not followed.

sessions-asks-about-plan = Shall I start? To change the plan, reply with what should be different.
sessions-follow-plan = Go
sessions-stop-plan = Stop
sessions-plan-stopped = ⏹ Stopped. Nothing was done.

## The note about what was learned. It is a message of its own, since it answers no request.

sessions-noted = 📝 Noted: { $facts }

## The button of that note.

sessions-undo = Undo

## The note when it was undone.

sessions-undone = 📝 Undone: I do not keep it.

## The receipt of `/compact`. How much shorter it became stands in the trace.

sessions-compacted-by-model = 🗜 I shortened our conversation. Nothing is deleted; ask and I look it up.

## What is said when the older part of a conversation went out of view without a summary.

sessions-not-summed-up = 🗜 I could not sum up the earlier part of our conversation, so I no longer see it. Nothing is deleted; ask and I look it up.

## The answer to `/compact` where no model can be asked, or none answers.

sessions-cannot-compact-now = I cannot sum up our conversation now, and have changed nothing. Please try /compact again later.

## The answer to `/compact` in a conversation that is short.

sessions-nothing-to-compact = There is nothing to sum up yet: our conversation is short.

## The answer to `/compact` until its receipt comes.

sessions-compacting = 🗜 I am summing up the earlier part of our conversation.

## The outcome of a turn that was stopped: what the model had said by then, what was done, and what
## else the stop ended.

sessions-stopped-mark = ⏹ stopped

## The answer to `/stop` where no turn reports the stop; `at_once` where a turn was stopped that
## reports it much later.

sessions-stop-answer = Nothing of yours is running here.

## Returns one line with everything that a stop ended.

sessions-stop-report-stopped = Stopped.
sessions-stop-between = {" "}
sessions-stop-report = ⏹ { $parts }
sessions-stop-background = { $count ->
    [one] Stopped one command in the background.
   *[other] Stopped { $count } commands in the background.
}

##

sessions-stop-dropped-one-unnamed = One message was still waiting and is dropped.
sessions-stop-dropped-one = One message was still waiting and is dropped: “{ $one }”
sessions-stop-dropped-several = { $count } messages were still waiting and are dropped.
