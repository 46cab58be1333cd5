//! What the timeline of a turn says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::{Language, text};

texts! {
    /// There is no turn with this number.
    no_such_turn(turn) "trace-no-such-turn"
    /// There are no messages yet.
    no_turns() "trace-no-turns"
    /// Whose turn it is.
    turn(turn, name, channel) "trace-turn"
    /// When it began, how long it took and how it is.
    began(at, took, state) "trace-began"
    /// It was started again.
    resumed(count) "trace-resumed"
    heard() "trace-heard"
    routed() "trace-routed"
    model() "trace-model"
    wants() "trace-wants"
    asked() "trace-asked"
    approved() "trace-approved"
    denied() "trace-denied"
    expired() "trace-expired"
    ran() "trace-ran"
    result() "trace-result"
    refused() "trace-refused"
    not_run() "trace-not-run"
    noted() "trace-noted"
    /// Something of the conversation gave way.
    compacted() "trace-compacted"
    undone() "trace-undone"
    redone() "trace-redone"
    /// What it had, and what it has: messages and tokens.
    fewer(before, after, tokens_before, tokens_after) "trace-fewer"
    /// The model had refused it.
    too_long_for_model() "trace-too-long-for-model"
    ended() "trace-ended"
    /// Words of others are in the message.
    with_words_of_others() "trace-with-words-of-others"
    /// Phase 1 went on without a skill.
    direct() "trace-direct"
    /// Phase 1 chose skills.
    skills(names) "trace-skills"
    /// Phase 1 asks back.
    asks_back() "trace-asks-back"
    /// What Phase 1 said could not be read, so words alone decided.
    rules_stood_in() "trace-rules-stood-in"
    /// Phase 1 was not asked.
    without_model() "trace-without-model"
    /// A plan was made before the first step, of this many steps.
    planned() "trace-planned"
    steps_of_plan(count) "trace-steps-of-plan"
    /// The turn ended with a plan that its person is asked about.
    proposes() "trace-proposes"
    /// A step.
    step(number) "trace-step"
    /// What was recalled for a step: numbers of memories, and passages.
    recalled(names) "trace-recalled"
    /// What a model was given.
    given(messages, tools, tokens) "trace-given"
    /// Which model was asked, and at which service.
    model_of(model, server) "trace-model-of"
    /// It was not the first attempt.
    attempt(number) "trace-attempt"
    /// What a call of a model cost.
    cost(prompt, completion) "trace-cost"
    /// The step limit is reached: the model says what was done.
    concludes() "trace-concludes"
    /// The session was idle: a model proposed what is to be learned.
    learns() "trace-learns"
    /// Phase 2 was asked beside Phase 1, which decided otherwise.
    guessed() "trace-guessed"
    /// In the background, a model summed up older turns.
    sums_up() "trace-sums-up"
    /// Older turns have a summary in their place.
    summed_up(turns, before, after) "trace-summed-up"
    /// Older turns are left out.
    not_summed_up(turns, before, after) "trace-not-summed-up"
    /// A crash cut a call off.
    lost_in_a_crash() "trace-lost-in-a-crash"
    /// The turn was stopped, or Sayso was.
    broken_off() "trace-broken-off"
    unreachable() "trace-unreachable"
    timed_out() "trace-timed-out"
    rate_limited() "trace-rate-limited"
    model_refused(status) "trace-model-refused"
    broken(status) "trace-broken"
    garbage() "trace-garbage"
    repeating() "trace-repeating"
    no_model() "trace-no-model"
    /// An answer was cut.
    cut_at_limit() "trace-cut-at-limit"
    /// Who decided, after how long.
    by_after(name, took) "trace-by-after"
    /// A request expired after this time without an answer.
    after(took) "trace-after"
    /// The outcome of a call, and its duration.
    outcome_in(outcome, took) "trace-outcome-in"
    /// A result holds text from outside.
    from_outside() "trace-from-outside"
    success() "trace-success"
    failed() "trace-failed"
    error() "trace-error"
    unknown() "trace-unknown"
    replied() "trace-replied"
    step_limit() "trace-step-limit"
    time_limit() "trace-time-limit"
    not_received() "trace-not-received"
    stopped_by(name) "trace-stopped-by"
    running() "trace-running"
    parked() "trace-parked"
    /// How much of a text was left out.
    left_out(count) "trace-left-out"
    /// How often models were asked.
    model_calls(calls) "trace-model-calls"
    /// How long models were waited for.
    waited(took) "trace-waited"
    /// What all calls of models cost.
    total(prompt, cached, completion) "trace-total"
    /// What the budget counts of the turn.
    counted(tokens) "trace-counted"
    /// No price is configured.
    no_price() "trace-no-price"
}
