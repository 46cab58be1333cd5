### What people read about routines and reminders.

## Buttons. Those with a name say which routine they are about.

routines-button-done = Done
routines-button-ten-minutes = In 10 min
routines-button-hour = In 1 h
routines-button-tomorrow = Tomorrow 9:00
routines-button-run = Run now
routines-button-run-name = Run { $name }
routines-button-on = Switch on
routines-button-on-name = Switch on { $name }
routines-button-off = Switch off
routines-button-delete = Delete
routines-button-back = Back
# $zone is a time zone, such as `Asia/Tokyo`
routines-button-right-zone = Yes, { $zone }

## A reminder, and what stands below its text.

# $notes is one of the notes below, or several.
routines-with-notes =
    { $said }
    ({ $notes })
# $due is a moment with its day.
routines-late = late: it was due { $due }
routines-missed-before =
    { $missed ->
        [one] the one before it was missed
       *[other] { $missed } before it were missed
    }
# $when is a time of day, or a moment with its day.
routines-again = again: { $when }
routines-is-done = Done.
routines-is-put-off = Again { $when }.
routines-too-many-reminders = You have { $most } reminders, and I keep no more. Delete some first.

## When something comes.

# $when is a rule in words or a moment.
routines-in-zone = { $when } ({ $zone })
# A note below a text.
routines-then = next: { $times }
routines-card = When: { $when }.
routines-kept = ⏰ { $when }: { $words }
routines-which-zone = I took `{ $zone }` for your time zone. Is that right? Any other: `/timezone Tokyo`

## What became of a run.

routines-run-queued = waits for its turn
routines-run-running = runs
routines-run-parked = waits for you
routines-run-done = done
routines-run-quiet = nothing new
routines-run-failed = failed
routines-run-missed = missed
routines-run-overlapped = left out: the run before it was not over
routines-run-over-budget = left out: its budget was used up
routines-run-undelivered = not delivered

## What is said unasked of one routine. $what is one of the two texts before it.

routines-told-missed =
    { $missed ->
        [1] was missed ({ $from }).
       *[other] was missed { $missed } times ({ $from } to { $until }).
    }
# $state is one of the texts above.
routines-told-state = { $state }, { $from }: { $why }
routines-told = **{ $name }** { $what }
routines-told-off = **{ $name }** { $what } It is switched off now.

## What a run is asked, and what it reports.

routines-only-news = Only what you hand to the tool `report` is shown, with a key for each item. Where nothing is new, do not call it.
routines-run-late = (This run is late: it was due { $due }.)
routines-works-again = works again

## What `/routines` and `/reminders` say.

routines-none = You have no routines here. Ask for one: “every weekday at 9, …”.
routines-no-reminders = You have no reminders here. Ask for one: “remind me tomorrow at 9 to …”.
routines-list = **Your routines**
routines-list-reminders = **Your reminders**
# $state is one of the states below, or empty.
routines-list-line = { $number }. { $when }: { $words }{ $state }
routines-state-over = {" "}(over)
routines-state-off = {" "}(off)
routines-state-failures = {" "}(off: it failed too often)
routines-state-undelivered = {" "}(off: I could not reach you)
routines-state-person = {" "}(off: no access)
routines-state-unreadable = {" "}(off: it cannot be read)
routines-next = Next: { $times }
routines-last = Last:
# $why begins with a colon, or is empty.
routines-run = • { $due } { $state }{ $why }
routines-runs = • { $due } { $state } ({ $count } times){ $why }

## After a press.

routines-pressed-run = It runs.
routines-pressed-on = It is on.
routines-pressed-off = It is off.
routines-pressed-delete = Deleted.
routines-deleted = 🗑 Deleted: { $words }
routines-is-over = Its time is over. Ask me for another one.
routines-runs-already = A run of it is not over yet.
