### `/undo`.

## The answer to `/undo`: what became of the files.

undo-done-nothing = Nothing was put back of what I changed for “{ $request }”.
undo-done-some = ↩ Undone: { $before } of { $all } files of “{ $request }”
undo-done-all = ↩ Undone: { $all } files of “{ $request }”
undo-done-put-back = - `{ $path }`: as it was before
undo-done-removed = - `{ $path }`: removed (it was new)
undo-done-was-so = - `{ $path }`: was as before already
undo-done-left = - `{ $path }`: left as it is, its old content was not kept
undo-done-failed = - `{ $path }`: could not be put back now; say /undo again

## The answer to `/undo` where one file was changed.

undo-done-in-one-put-back = ↩ Undone: `{ $path }` is as it was before.
undo-done-in-one-removed = ↩ Undone: removed `{ $path }` (it was new).
undo-done-in-one-was-so = ↩ Undone: `{ $path }` was as before already.
undo-done-in-one-left = Nothing was put back: the old content of `{ $path }` was not kept.
undo-done-in-one-failed = `{ $path }` could not be put back now. Please say /undo again later.

## The button below it.

undo-redo = Redo

## The last line of the notice once it was pressed.

undo-brings-back = ↪ Bringing it back.

## The same when the undo was reversed.

undo-redone-one = ↪ Redone: `{ $path }` is as it was before the undo.
undo-redone-several = ↪ Redone: { $count } files are as they were before the undo.
## The same when files are not as the undo left them.

# $named: the names of files. $count: how many.
undo-not-redone = { $count ->
    [one] Not redone: { $named } has changed since. I left everything alone.
   *[other] Not redone: { $named } have changed since. I left everything alone.
}
# $shown: names of files. $more: how many are not named; $all: how many there are.
# Leaves out $all.
undo-named = { $shown } and { $more } more

## The same when the disk did not take files.

undo-redo-failed = Could not be brought back now: { $named }. Please press again later.

## The same when what the undo took away is not kept any more.

undo-not-kept = Not redone: that was too long ago, I no longer have what was in the files.

## The card that asks, since something else changed files in the meantime.

undo-changed-since-head = **Put back what I changed for “{ $request }”?**
    These files have changed since, and that would be lost:

##

undo-listed = - … and { $more } more

## Its buttons.

undo-put-back = Put them back
undo-leave-them = Leave them

## The card after a yes.

undo-puts-back = ↩ Putting them back.

## The card after a no, or when it was asked anew.

undo-left = Left as they are.

## The card that expired without an answer.

undo-expired = ⌛ Not answered in time: left as they are.

## Nothing was changed, or all of it was put back.

undo-nothing = There is nothing to undo here: I keep what files were before I write them, for my last ten requests that did. What commands change I cannot put back.

## The turn that changed files is not over.

undo-not-over = I am not done with what changed files last. Stop it first: /stop

## It was somebody else's turn.

undo-not-yours = The newest changes here were made for somebody else; only they or an owner can undo them.

## It was asked for before.

undo-at-it = I am putting it back already.
