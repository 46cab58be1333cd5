//! What `sayso routing report` says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::{Language, text};

texts! {
    /// There is nothing to count.
    nothing(days) "report-nothing"
    /// How many messages are counted.
    head(days, count) "report-head"
    /// What they came to.
    routes(direct, skills, questions) "report-routes"
    /// For how many Phase 1 was not asked.
    skipped(share, why) "report-skipped"
    /// How often it failed.
    failed(asked, failed) "report-failed"
    /// What it cost.
    cost(prompt, completion, median, slow) "report-cost"
    /// The results of asking for the answer beside Phase 1.
    guesses(made, agreed, dropped, prompt, completion) "report-guesses"
    /// How often the rules decided alike.
    agreed(agreed, comparable) "report-agreed"
    /// What kinds of messages there were.
    labels(labels, planned) "report-labels"
}
