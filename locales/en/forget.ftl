### `/forget` with words.

## Nothing that is remembered holds these words.

forget-nothing-matches =
    I remember nothing with these words.
    Try fewer or other words, or `/memory export` to see everything.

## The card: one line for each memory, as displayed.

forget-asking-one = **Forget this?**
forget-asking-which = **Which of these shall I forget?**
forget-asking-more = { $left_out } more match; say more words to see them.

## How a memory stands on the card: when it was said, and whether it holds no longer.

forget-line-ended = { $text } ({ $day }, holds no longer)
## How what was said stands on the card, which holds all the words.

forget-said-with = { $count ->
    [one] one message that holds these words
   *[other] { $count } messages that hold these words
}

## The buttons: forget the only one, forget all, forget nothing.

forget-forget = Forget it
forget-all-of-them = All of them
forget-none = None

## After the yes, about messages and summaries of them.

forget-unsaid = What was said with these words is not found again ({ $count }). The history of the chat still has it.

## After the yes. What was forgotten is not said again.

forget-forgotten-one = Forgotten. I will not learn it again unless you tell me to remember it.
forget-forgotten = Forgotten: { $count }. I will not learn them again unless you tell me to remember them.

## After the yes, when somebody or something else was first.

forget-gone-already = That was forgotten already.

## After the no.

forget-refused = Nothing was forgotten.

## The card expired without an answer, or was replaced by a newer one.

forget-expired = This question has expired. Nothing was forgotten.
