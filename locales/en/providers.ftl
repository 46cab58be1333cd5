### What people read when a model did not answer.
## For an owner `-owner`, for others without.

providers-unreachable-owner =
    I cannot reach the model service.
    Check the internet connection and `base_url` in sayso.toml (`sayso doctor` helps).
providers-unreachable = I cannot reach the model right now. Try again in a minute.
providers-timed-out = The model took too long to answer. A shorter request can help.
# $wait: one of the three texts below.
providers-busy = The model is busy. Try again { $wait }.
providers-wait-a-minute = in a minute
providers-wait-seconds = { $seconds ->
    [one] in { $seconds } second
   *[other] in { $seconds } seconds
}
providers-wait-minutes = in { $minutes } minutes
providers-starting = The model is still starting. Try again in a minute.
providers-broken = The model service has a problem on its side. Try again in a few minutes.
providers-garbage = The model gave no usable answer. Try again?
providers-repeating = The model kept repeating itself, so I stopped it. Try again?
providers-missing-owner = I have no model yet. Set one with `sayso init`, or with `OPENAI_API_KEY`, and start me again.
providers-missing = I have no model to think with yet. Only my owner can set one.
## The service refused the request.
providers-out-of-order = I am out of order right now, and only my owner can fix that.
providers-refused-key =
    The model service rejects the API key.
    Check `api_key` in sayso.toml (`sayso doctor` helps).
providers-refused-credit =
    The account at the model service is used up.
    Check its credit there.
providers-refused-model =
    The model service does not know the model that is set.
    Check `model` and `base_url` in sayso.toml (`sayso doctor` helps).
providers-refused-length =
    This conversation is too long for the model.
    Start a new one with `/new`, or send less at once.
providers-refused-owner =
    The model service refused this request.
    If the conversation is long, `/new` helps; else the reason is in the log.
providers-refused =
    The model service refused this request.
    If our conversation is long, `/new` can help.
# How long it is, and how long it may be: numbers with spaces between thousands.
providers-tokens-of = It has about { $asked } of { $limit } tokens.
providers-tokens-limit = The model can read { $limit } tokens.
