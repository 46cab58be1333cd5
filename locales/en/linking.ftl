### `/link` and `/unlink`.

## `/link` or `/unlink` in a group.

linking-only-direct =
    Accounts are linked in private: send me this in our direct chat.
    A code that was written here no longer works.

## `/link`: the code.

linking-code =
    Your code is `{ $code }`. It works once, for 10 minutes.
    Send me `/link { $code }` from your other account, in our direct chat there. I then ask you in both chats.
    Give it to nobody: whoever is linked with you shares your memory.

## `/link CODE`, when no confirmation is requested.

linking-not-taken-unknown =
    There is no such code, or it no longer works.
    Send me `/link` from your other account for a new one.
linking-not-taken-too-many-tries = Too many wrong codes. Try again in 10 minutes.
linking-not-taken-own = This is the code of this account. Send it from the other one.
linking-not-taken-already-one = These two accounts are linked already.
linking-not-taken-too-many-accounts = A person can have at most 8 accounts here. `/unlink` parts one.

## `/unlink` by somebody with one account.

linking-nothing-linked =
    This account is linked with no other.
    `/link` joins one.

## The card that asks whether two accounts are one person's.

linking-join-also =
    {""}
    It is linked with:
    { $lines }
    {""}
linking-join = **Is this account yours too?**
    { $other }
    { $also }
    Once you confirm in both chats, I know you as one person: what I remember from either account I use in the direct chats of both. Roles and what you always allow stay with each account. `/unlink` parts them again.
    Refuse if somebody else asked you for this.

## The same card, confirmed on this side only.

linking-join-confirmed-here = ✅ Confirmed here. Now confirm as { $other } too.

## The same card, closed.

linking-join-ended-open-done = 🔗 Linked with { $other }.
linking-join-ended-refused = 🚫 Not linked with { $other }: refused.
linking-join-ended-expired = ⌛ Not linked with { $other }: not confirmed in time.
linking-join-ended-dropped = Not linked with { $other }: this was overtaken. `/link` asks anew.

## The card that asks whether an account is to be parted.

linking-part = **Disconnect this account from your others?**
    { $this }, from:
    { $linked }

    What I remember from this account stays with it alone, and what I remember from the others stays with them. Nothing is deleted.

## The same card, closed.

linking-part-ended-open-done = ✂️ { $this } is parted from your other accounts, each with its own memory.
linking-part-ended-refused = { $this } stays linked.
linking-part-ended-expired = ⌛ { $this } stays linked: not confirmed in time.
linking-part-ended-dropped = Nothing was parted: this was overtaken. `/unlink` asks anew.

## The buttons: yes and no.

linking-confirm = Confirm
linking-refuse = Refuse
linking-unlink = Unlink
linking-keep = Keep

## A yes, of which one is still missing.

linking-confirmed = Confirmed. Your other account is asked too.

## A second yes on the same side.

linking-confirmed-already = You have confirmed already. The other account has not.

## A no.

linking-refused = Nothing changes.

## The last yes.

linking-done-join = Linked.
linking-done-part = Unlinked.

## A press on a card whose request was dropped.

linking-dropped = This was overtaken. Nothing changed.

## The last yes, while the other account is no longer let in.

linking-not-let-in = The other account may not talk with me any more. Nothing changed.
