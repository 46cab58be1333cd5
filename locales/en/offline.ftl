### What the offline model says, which stands in where no model is set up.

## Says what it can do with a guide that Phase 1 chose: quote it.

offline-words-guide =
    The guide `{ $name }` fits this, and is in my prompt for this turn. A real model would follow it; this offline one can only quote how it begins:
    { $beginning }

## Says what it is, what it knows, and how to get a real model.

offline-words-introduction-first = Hello! I am Sayso, running on a small offline model.
offline-words-introduction-again = I am running on a small offline model, and it does not understand that.
offline-words-introduction =
    { $first }
    { $known }
offline-words-known =
    It knows a handful of requests:
    - `run ls`
    - `list files`
    - `read README.md`
    - `write hello to note.txt`
    - `remember that I like tea`, `what do you remember about tea`, `forget tea`
    For a real model run `sayso init`, or set `OPENAI_API_KEY` and start again.

## Says what it is about to do, and what it has no tool for.

offline-words-plan-gaps = I have no tool `{ $tool }` here, so I cannot do that.

##

offline-words-step-run = I will run `{ $command }`.
offline-words-step-read = I will read `{ $path }`.
offline-words-step-list = I will list the workspace.
offline-words-step-list-path = I will list `{ $path }`.
offline-words-step-write = I will write `{ $path }`.
offline-words-step-remember = I will remember that.
offline-words-step-recall = I will look up what I remember.
offline-words-step-forget = I will forget that.
offline-words-result-success = { $subject } is done. It gave no output.
offline-words-result-remembered = I keep that in mind.
offline-words-result-failed =
    { $subject } failed:
    { $all }
offline-words-result-error =
    { $subject } could not be run:
    { $message }
offline-words-result-sends = `{ $name }` is sent.
offline-words-result-plans = The plan is noted.
offline-words-result-asks = { $subject } asks you.
offline-words-result-denied = { $subject } was not run: { $why }
offline-words-result-unknown = { $subject } was cut off, so I do not know how it ended.

## Says what follows.

offline-words-remembered = This is what I remember:
offline-words-gave = { $subject } gave:
offline-words-more-lines =
    {""}
    ({ $left } more lines)
