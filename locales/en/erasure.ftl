### `/forget everything`.

## `/forget` without a word that I know.

erasure-usage =
    `/forget` with some words shows what I remember of it, and you choose what goes.
    `/forget everything` erases all that I keep of you. I ask once before.

## `/forget everything` in a group.

erasure-only-direct = Send me this in our direct chat: it is about you alone.

## `/forget everything` again, while it is being done.

erasure-under-way = I am already erasing what I keep of you. I say here when it is done.

## The card.

erasure-asking = **Erase everything about you?**{ $linked }
    Our chats, what I remember and your files go. Your account and usage numbers stay. This cannot be undone.

## The button that shows everything that goes and stays.

erasure-explain = What exactly?

## Says that several accounts are meant, if they are.

erasure-linked =
    {""}
    This is about all { $accounts } of your linked accounts.
    {""}

## The card, with everything that goes and stays.

erasure-explaining = **Erase everything I keep of you?** It cannot be undone.
    { $linked }
    What goes: our conversations, your memories, approvals and grants, questions, the files of your folder, traces, and what the audit keeps in your words. From groups: what you said to me or around me, my answers to you, and what the group remembers from you. What runs for you now is stopped. For everybody go the copies of the database that I made before updates, and the lines of my logs with what models were asked.

    What stays: your account and what it may do, how much you used as numbers, the audit's rows without your words, files in folders of groups, what others quoted of you, and copies that my owner made. Other lines of my logs cannot be picked out: they hold no messages, and rotate away. What stands in the chats themselves you delete there.

## The buttons: yes and no.

erasure-erase = Erase everything
erasure-keep = Keep it

## After the yes.

erasure-begun = Erasing what I keep of you. I say here when it is done.

## After the no.

erasure-refused = Nothing was erased.

## The card expired without an answer, or was replaced by a newer one.

erasure-expired = This question has expired. Nothing was erased.

## Everything is gone.

erasure-done = Done: what I kept of you is erased.
