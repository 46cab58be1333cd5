### What is said of a message at once, and how the model is shown a message.

## Somebody who cannot be seen means us.

intake-cannot-see-bot = I answer people only, not other bots.
intake-cannot-see-chat-person =
    I cannot see who you are, so I do not answer: you write in the name of the group or of a channel.
    {"*"}Hint:* an admin can turn off *Remain anonymous*, and anybody can choose to write as themselves.

## There is no model that could answer.

intake-no-provider =
    No model is set up, so I cannot answer yet.
    My owner can set `OPENAI_API_KEY`, or add a `[[providers]]` section to `sayso.toml`.
    {"*"}Hint:* `sayso doctor` says what is missing.

## The user already has the maximum number of waiting messages.

intake-too-much-waits =
    { $most } messages of yours wait here already, so I left this one and those right after it unanswered.
    Send again what matters when I have caught up; /stop drops what waits.

## A message waits for somebody else's turn.

intake-queued = ⏳ Queued: I answer you next.

## What joins the turn that runs, where the platform waits for a word.

intake-joins = ＋ Added to what I am doing.

## A message that ends the turn that runs.

intake-interrupts = ⏹ Stopping; this comes next.

## A further message that waits, where the platform waits for a word.

intake-queued-too = ⏳ Queued too.

## `/steer`, `/queue` or `/interrupt` without words.

intake-busy-usage-steer = what I add to the work at its next step
intake-busy-usage-queue = what I do when the work is done
intake-busy-usage-interrupt = what I do instead of the work
intake-busy-usage = Write it behind the command: `/{ $name } WORDS` – { $said }.

## A press by somebody whom the door does not let in.

intake-not-for-strangers = This button is not for you.

## Words a message for the model. In a group its sender is named.

intake-wording-edited = (edited){" "}
intake-wording-wordless = [no words of their own: it is about the message above]

##

intake-wording-forwarded = [forwarded]
    {""}
intake-wording-forwarded-from = [forwarded from { $author }]
    {""}
intake-wording-in-reply-to = [in reply to { $author }]
    {""}

## Says what is there. Where it is fetched, another line takes the place of this one.

intake-wording-attached-kind-photo = photo
intake-wording-attached-kind-document = file
intake-wording-attached-kind-voice = voice message
intake-wording-attached-kind-audio = audio
intake-wording-attached-kind-video = video
intake-wording-attached = [attached { $kind }{ $name }{ $size }]
