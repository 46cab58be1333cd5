### Cards that ask for approval: their titles, buttons, outcomes and notices.

## The button that lets a call run once.

approvals-buttons-approve = Approve

## The button that lets exactly this call run from now on.

approvals-buttons-always-in-project = Always in this project
approvals-buttons-always = Always this exact command

## The button that lets calls run from now on that begin with these words.

approvals-buttons-always-alike = Always: { $words } …

## The button that keeps a call from running, and lets the presser say why.

approvals-buttons-deny-and-say-why = Deny and say why

## The button that keeps a call from running.

approvals-buttons-deny = Deny

## The button that lets all calls of a card run.

approvals-buttons-approve-all = Approve all

## The button that keeps all calls of a card from running.

approvals-buttons-deny-all = Deny all

## The button that gives each of many calls buttons of its own.

approvals-buttons-one-by-one = One by one

## The button that takes back what an "always" gave.

approvals-buttons-take-back = Take back

## The button that makes the request of an expired card anew.

approvals-buttons-ask-again = Ask again

## What answers a person who says yes or no in words: the buttons below it decide.

approvals-notices-remind = Please press a button for this: { $calls }

## A press counted; `call` is the one that it is about, where it is about one.

approvals-notices-counted-approve-all = Approved.
approvals-notices-counted-deny-all = Denied.
approvals-notices-counted-deny-why = Not run. What should I do instead?
approvals-notices-counted-always-in-project = Approved. In this conversation I won't ask again before I patch files of { $project }, except for files that keep secrets, or when text from outside the project is in view.
approvals-notices-counted-always = Approved. I won't ask again for exactly this command in this conversation.
approvals-notices-counted = Approved. I won't ask again for { $words } … in this conversation.
approvals-notices-counted-one-by-one = Choose for each one.

## A press on a button that we do not know, or not in this chat.

approvals-notices-unknown = This button does nothing here.

## A press by somebody who may not.

approvals-notices-not-yours = Only the person who asked, or an owner, can answer this.

## A press on an approval that only an owner may give.

approvals-notices-owners-approve = Only an owner can approve this. You can deny it if it is yours.

## A press that approved what the presser may approve, and not the rest.

approvals-notices-partly-approved = Approved what you may approve. The rest waits for an owner.

## A press on something that was already decided.

approvals-notices-already-decided = This was already decided. Nothing changed.

## A press after the time was over.

approvals-notices-too-late = Too late: this has expired. Ask again if you still want it.

## A press after the turn was stopped.

approvals-notices-stopped-before = Too late: this was stopped.

## A press that took back what an "always" gave.

approvals-notices-taken-back = Taken back. I ask again from now on.

## The same, where it held no more anyway.

approvals-notices-lapsed = It did not hold any more. I ask each time.

## A second press of that kind.

approvals-notices-taken-back-before = This was taken back before. Nothing changed.

## A press that would make the request of somebody else anew.

approvals-notices-not-your-request = Only the person who asked can do that.

## A press that makes the request of an expired card anew.

approvals-notices-asks-again = I start on it again.

## A second press of that kind.

approvals-notices-asks-already = I have started on it again already. Nothing changed.

## What a decided card says.

approvals-settled = ⏹ **Stopped**, not run: { $calls }
approvals-settled-owner =
    { $text }
    Asked by { $name }

## What a denied card says while the reason is waited for.

approvals-settled-waits-for-reason =
    { $denied }: { $calls }
    What should I do instead? Reply to this, or in a direct chat just write (2 min).

##

# Leaves out $end: it is for languages that set a space between a Latin name and their words.
approvals-settled-approved-by = ✅ **Approved** by { $name }
approvals-settled-approved = ✅ **Approved**
# Leaves out $end: it is for languages that set a space between a Latin name and their words.
approvals-settled-denied-by = ❌ **Denied** by { $name }
approvals-settled-denied = ❌ **Denied**
# Leaves out $end: it is for languages that set a space between a Latin name and their words.
approvals-settled-decided-by = **Decided** by { $name }:
approvals-settled-decided = **Decided**:
approvals-settled-expired = ⌛ **Not run**: no answer in { $span }.{" "}
## A time to wait.

approvals-settled-hours = { $number } h
approvals-settled-minutes = { $number } min
approvals-settled-seconds = { $number } s
## The calls of a card in one line.
# $shown: the first ones. $more: how many are not shown; $all: how many there are.
# Leaves out $all.
approvals-settled-more-calls = { $shown } and { $more } more

## A time to wait, in the largest unit that gives a whole number.

## What an "always" gave, and that it was taken back.

approvals-settled-standing-permission =
    {""}
    Taken back: I ask again each time.
approvals-settled-standing-permission-alike =
    {""}
    From now on without asking: `{ $words } …`
approvals-settled-standing-permission-project =
    {""}
    From now on without asking: patches in `{ $project }`
approvals-settled-standing-permission-exact =
    {""}
    From now on without asking: exactly this command

## What stands behind the number of a call that is decided while others are not.

approvals-settled-mark-approved = {" "}✅ approved
approvals-settled-mark-denied = {" "}❌ denied

## Who asked, and why an owner is asked about it.

approvals-title-asked-in-direct-chat = { $name } (`{ $account }`) asks for this. It reaches past what is theirs, so only an owner may approve it.
approvals-title-asked-in-group = { $name } (`{ $account }`) asks for this in a group. It reaches past what is theirs, so only an owner may approve it.
## The question of an open card that only an owner may approve, in the chat of the asker.

approvals-title-waits-for-owner = ⏳ **This waits for an owner.** It reaches past what is yours, so I asked the owners. Deny takes it back.
approvals-title-only-an-owner = { $question } Only an owner may approve it.
## The question of an open card, by what the calls do.
approvals-title-may-i-exec = { $count ->
    [one] May I run this?
   *[other] May I run these { $count }?
}
approvals-title-may-i-write = { $count ->
    [one] May I write this?
   *[other] May I write these { $count }?
}
approvals-title-may-i-remember = { $count ->
    [one] May I remember this?
   *[other] May I remember these { $count }?
}
approvals-title-may-i-read = { $count ->
    [one] May I use this file?
   *[other] May I use these { $count } files?
}
approvals-title-may-i-fetch = { $count ->
    [one] May I look this up on the internet?
   *[other] May I look these { $count } up on the internet?
}
approvals-title-may-i-send = { $count ->
    [one] May I send this?
   *[other] May I send these { $count }?
}
approvals-title-may-i-configure = { $count ->
    [one] May I change this setting?
   *[other] May I change these { $count } settings?
}
approvals-title-may-i-other = { $count ->
    [one] May I do this?
   *[other] May I do these { $count } things?
}

## What stands above the reasons that all calls of a card share.

approvals-title-all-of-these = All of these:

##

approvals-title-expires-in = expires in { $span }
# The same where it stands alone, as a sentence.
approvals-title-expires-in-alone = Expires in { $span }

## What stands on the card of a call that is too long for it.

approvals-title-stands-above = It stands above, in full.

## What stands on the card of a call that is too long for it and is attached.

approvals-title-stands-in-file = It is attached, in full.
