### Limits: what is used, what is left, who may raise them. A chat shows figures only to the person they belong to, and to owners.

## Why a turn ends here. Everybody in the chat may read it, so it has no figures of anybody.

budget-used-up-turn = I stopped here: this is as much as one turn may use.
budget-used-up-user = I stopped here: your limit for today is used up.
budget-used-up-routine = I stopped here: today's limit of this routine is used up.
budget-used-up-instance = I stopped here: today's limit for everybody is used up.
budget-used-up-month = I stopped here: this month's limit for everybody is used up.
budget-used-up-owner-asked =
    {""}
    An owner is asked whether to raise it for today.

## Why a turn ends here that waited in vain until other answers were counted.

budget-in-use-limit-turn = what one turn may use
budget-in-use-limit-user = your limit for today
budget-in-use-limit-routine = today's limit of this routine
budget-in-use-limit-instance = today's limit for everybody
budget-in-use-limit-month = this month's limit for everybody
budget-in-use =
    I stopped here: little is left of { $limit }, and other conversations are using it right now.
    Send your request again in a few minutes, or say `go on`.

## When a limit begins anew.

budget-begins-anew-turn = Say `go on` to continue in a new one.
budget-begins-anew-month = It begins anew on { $day }.
budget-begins-anew = It begins anew at midnight, in { $time }.

##

budget-wait-minutes = { $minutes } min
budget-wait-hours = { $minutes } h

## Tells that little is left of a limit.

budget-warning-turn-user = { $used } % of your limit for today is used.
budget-warning-routine = { $used } % of today's limit of this routine is used.
budget-warning-instance = { $used } % of today's limit for everybody is used.
budget-warning-month = { $used } % of this month's limit for everybody is used.
budget-warning-hint = `/usage` shows the figures.

## Tells somebody who waited that a limit is raised.

budget-raised = An owner has raised the limit for today. Send your request again, or say `go on`.

## The text of an owner's card, as its state is.

budget-card-turn-user = The limit of **{ $who }** for today
budget-card-routine = Today's limit of the routine **{ $who }**
budget-card-instance = Today's limit for everybody
budget-card-month = This month's limit for everybody
budget-card-open =
    💰 { $what } is used up: { $figures }.
    Raise it for the rest of today?
budget-card-raised = ✅ { $what } is raised. Used: { $figures }.
budget-card-refused = ❌ { $what } stays as it is. Used: { $figures }.
budget-card-expired = ⌛ { $what } was not raised: the day is over.

## The labels of a card's buttons: half as much again, twice as much, no.

budget-double = Double
budget-refuse = No

## The notice to an owner who has answered.

budget-answered-raised = Raised for today.
budget-answered-open-refused-expired = It stays as it is.

## `/usage`, in a line: how often a model was called, how much of the limit that is, and when the
## count begins anew.

budget-brief-usage-money = , for { $money }
budget-brief-usage-head = Today I called the model { $calls } times for you{ $money }.
budget-brief-usage-unlimited = You have no limit.
budget-brief-usage-part = That is { $percent }.{ $tenth } % of your limit.
budget-brief-usage =
    { $head }
    { $limit } A new day begins in { $anew }.
## `/usage`, with everything.

# $here: an amount, such as `1 200 tokens`. $calls: how often a model was called.
budget-usage-here = **This conversation, today**: { $here }, in { $calls ->
    [one] { $calls } model call
   *[other] { $calls } model calls
}
budget-usage-own = **You, today**: { $own }
# $anew: a time, such as `5 h`.
budget-usage-anew = A new day begins in { $anew }.
budget-no-prices = No price is configured, so money is not counted.
budget-no-price-of-model = No price is configured for `{ $model }`; its tokens cost nothing here.
budget-unpriced-tokens = { $tokens } tokens of yours have no price.
budget-everybody-today = **Everybody, today**: { $today }
budget-everybody-month = **Everybody, this month**: { $month }
# The arguments are numbers with spaces between thousands.
budget-tokens-of-limit = { $tokens } of { $most } tokens ({ $left } left)
budget-tokens = { $tokens } tokens

##

budget-turn-limit = One turn may use { $most }.
budget-everybody-people = { $at }. { $name }: { $amount }

## Writes what was spent and, where there is a limit, how high it is and what is left.

budget-money-of-limit = { $spent } of { $most } ({ $left } left)

##

budget-limit-tokens = { $tokens } tokens
budget-between-limits = {" "}and{" "}
