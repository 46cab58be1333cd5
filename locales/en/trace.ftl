### What `sayso trace` says.

## There is no turn with this number.

trace-no-such-turn = there is no turn { $turn }; the log names turns, and `sayso trace show last` shows the newest

## There are no messages yet.

trace-no-turns = there are no turns yet

## Whose turn it is.

trace-turn = turn { $turn } · { $name } on { $channel }

## When it began, how long it took and how it is.

trace-began = { $at } · { $took } · { $state }

## It was started again.

trace-resumed = started again after { $count } crash(es)

##

trace-heard = heard
trace-routed = route
trace-model = model
trace-wants = wants
trace-asked = asked
trace-approved = approved
trace-denied = denied
trace-expired = expired
trace-ran = ran
trace-result = result
trace-refused = refused
trace-not-run = not run
trace-noted = note

## Something of the conversation gave way.

trace-compacted = shortened

##

trace-undone = undone
trace-redone = redone

## What it had, and what it has: messages and tokens.

trace-fewer = { $before } → { $after } messages, about { $tokens_before } → { $tokens_after } tokens

## The model had refused it.

trace-too-long-for-model = the model said that it was too long

##

trace-ended = ended

## Words of others are in the message.

trace-with-words-of-others = (with words of others)

## Phase 1 went on without a skill.

trace-direct = no skill

## Phase 1 chose skills.

trace-skills = skills { $names }

## Phase 1 asks back.

trace-asks-back = asks back

## What Phase 1 said could not be read, so words alone decided.

trace-rules-stood-in = rules stood in

## Phase 1 was not asked.

trace-without-model = decided without a model

## A plan was made before the first step, of this many steps.

trace-planned = plan
trace-steps-of-plan = { $count } steps

## The turn ended with a plan that its person is asked about.

trace-proposes = proposes a plan

## A step.

trace-step = step { $number }

## What was recalled for a step: numbers of memories, and passages.

trace-recalled = recalled: { $names }

## What a model was given.

trace-given = given { $messages } messages, { $tools } tools, about { $tokens } tokens

## Which model was asked, and at which service.

trace-model-of = { $model } at { $server }

## It was not the first attempt.

trace-attempt = attempt { $number }

## What a call of a model cost.

trace-cost = { $prompt } tokens in, { $completion } out

## The step limit is reached: the model says what was done.

trace-concludes = says where it stands

## The session was idle: a model proposed what is to be learned.

trace-learns = learns from what was said

## Phase 2 was asked beside Phase 1, which decided otherwise.

trace-guessed = asked before the route was known; dropped

## In the background, a model summed up older turns.

trace-sums-up = sums up older turns

## Older turns have a summary in their place.

trace-summed-up = { $turns } turns summed up, about { $before } → { $after } tokens of history

## Older turns are left out.

trace-not-summed-up = { $turns } turns left out without a summary, about { $before } → { $after } tokens of history

## A crash cut a call off.

trace-lost-in-a-crash = lost in a crash

## The turn was stopped, or Sayso was.

trace-broken-off = broken off

##

trace-unreachable = no connection
trace-timed-out = timed out
trace-rate-limited = too many requests
trace-model-refused = refused (HTTP { $status })
trace-broken = the service failed (HTTP { $status })
trace-garbage = no readable answer
trace-repeating = only repeated itself
trace-no-model = no model is configured

## An answer was cut.

trace-cut-at-limit = cut at the token limit

## Who decided, after how long.

trace-by-after = by { $name } after { $took }

## A request expired after this time without an answer.

trace-after = after { $took }

## The outcome of a call, and its duration.

trace-outcome-in = { $outcome } in { $took }

## A result holds text from outside.

trace-from-outside = text from outside

##

trace-success = success
trace-failed = failed
trace-error = error
trace-unknown = nobody knows what came of it
trace-replied = replied
trace-step-limit = step limit
trace-time-limit = time limit
trace-not-received = no file received
trace-stopped-by = stopped by { $name }
trace-running = running
trace-parked = waits for an answer

## How much of a text was left out.

trace-left-out = [{ $count } more characters]

## How often models were asked.

trace-model-calls = { $calls } model calls

## How long models were waited for.

trace-waited = { $took } waiting for them

## What all calls of models cost.

trace-total = { $prompt } tokens in ({ $cached } cached), { $completion } out

## What the budget counts of the turn.

trace-counted = the budget counts { $tokens } tokens

## No price is configured.

trace-no-price = no price is set, so no money
