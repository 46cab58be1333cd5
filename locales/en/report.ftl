### What `sayso routing report` says.

## There is nothing to count.

report-nothing = no message was routed in the last { $days } days

## How many messages are counted.

report-head = messages routed in the last { $days } days: { $count }

## What they came to.

report-routes = direct: { $direct }, with skills: { $skills }, asked back: { $questions }

## For how many Phase 1 was not asked.

report-skipped = Phase 1 was not asked: { $share }: { $why }

## How often it failed.

report-failed = Phase 1 was asked: { $asked }; it failed and the rules stood in: { $failed }

## What it cost.

report-cost = an answer of Phase 1 costs { $prompt } + { $completion } tokens in the mean, and takes { $median } ms (95 %: { $slow } ms)

## The results of asking for the answer beside Phase 1.

report-guesses = the answer was asked for beside Phase 1: { $made }; the guess was right: { $agreed }, dropped: { $dropped }, which cost about { $prompt } + { $completion } tokens

## How often the rules decided alike.

report-agreed = the rules decide like Phase 1: { $agreed } of { $comparable }

## What kinds of messages there were.

report-labels = kinds: { $labels }; worth a plan: { $planned }
