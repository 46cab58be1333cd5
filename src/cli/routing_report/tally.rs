//! Routes, counted.

use std::collections::BTreeMap;

use sayso_channel::Language;
use sayso_core::transcript::{
    ByRules, Entry, Guess, IntentLabel, RouteResult, Routed, Skipped, Usage,
};
use serde::Serialize;

use super::messages;

/// What the routes of many messages come to.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Messages that were routed.
    pub(super) messages: u64,
    /// Those that no skill was loaded for.
    pub(super) direct: u64,
    /// Those that skills were loaded for.
    pub(super) skills: u64,
    /// Those that were answered by a question.
    pub(super) questions: u64,
    /// Those that Phase 1 was not asked about, by the reason.
    pub(super) skipped: BTreeMap<&'static str, u64>,
    /// How long each answer of Phase 1 took, in milliseconds.
    took_ms: Vec<u64>,
    prompt_tokens: u64,
    completion_tokens: u64,
    answered: u64,
    /// Those where Phase 1 failed, so that the rules decided.
    pub(super) failed: u64,
    /// Where both Phase 1 and the rules chose skills or none.
    pub(super) comparable: u64,
    /// How often they chose alike.
    pub(super) agreed: u64,
    /// By the kind that the rules say.
    pub(super) labels: BTreeMap<IntentLabel, u64>,
    /// Those that the rules would plan.
    pub(super) planned: u64,
    /// Answers that were asked for beside Phase 1.
    pub(super) guesses: Guesses,
}

/// What an answer of Phase 1 costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct Cost {
    /// Tokens of the prompt, in the mean.
    pub(super) prompt_tokens: u64,
    /// Tokens of the answer, in the mean.
    pub(super) completion_tokens: u64,
    /// The median of its duration, in milliseconds.
    pub(super) median_ms: u64,
    /// 95 of 100 answers take at most this, in milliseconds.
    pub(super) percentile_95_ms: u64,
}

/// The results of asking Phase 2 beside Phase 1.
#[derive(Debug, Default)]
pub(super) struct Guesses {
    /// Those that Phase 1 agreed with.
    pub(super) agreed: u64,
    /// Those that it did not agree with.
    pub(super) dropped: u64,
    /// Of those that were dropped, with what of it was cached.
    pub(super) lost: Usage,
}

impl Tally {
    /// Counts an entry of a journal; only routes count.
    pub(super) fn count(&mut self, entry: &Entry) {
        let Entry::Routed(routed) = entry else {
            return;
        };
        self.messages += 1;
        match &routed.route {
            RouteResult::Direct => self.direct += 1,
            RouteResult::Skills(_) => self.skills += 1,
            RouteResult::NeedClarification { .. } => self.questions += 1,
        }
        match routed.skipped {
            Some(skipped) => *self.skipped.entry(name(skipped)).or_default() += 1,
            None => self.asked(routed),
        }
        match routed.guess {
            Some(Guess::Agreed) => self.guesses.agreed += 1,
            Some(Guess::Dropped { usage }) => self.guesses.drop_one(usage),
            None => {}
        }
        if let Some(rules) = &routed.by_rules {
            *self.labels.entry(rules.label).or_default() += 1;
            self.planned += u64::from(rules.enable_planning);
        }
    }

    fn asked(&mut self, routed: &Routed) {
        if routed.was_answered() {
            self.answered += 1;
            self.prompt_tokens += routed.usage.prompt_tokens;
            self.completion_tokens += routed.usage.completion_tokens;
            self.took_ms
                .extend(routed.asking.as_ref().map(|asking| asking.took_ms));
        }
        let Some(rules) = &routed.by_rules else {
            return;
        };
        if rules.stood_in {
            self.failed += 1;
        } else if let Some(agreed) = agreement(&routed.route, rules) {
            self.comparable += 1;
            self.agreed += u64::from(agreed);
        }
    }

    /// Returns what was counted, in words.
    pub(super) fn lines(mut self, days: u32, language: Language) -> Vec<String> {
        if self.messages == 0 {
            return vec![messages::nothing(language, &days)];
        }
        let share = |part, whole| percent(part, whole);
        let mut lines = vec![
            messages::head(language, &days, &self.messages),
            messages::routes(
                language,
                &share(self.direct, self.messages),
                &share(self.skills, self.messages),
                &share(self.questions, self.messages),
            ),
        ];
        let skipped: u64 = self.skipped.values().sum();
        if skipped > 0 {
            let why: Vec<String> = self
                .skipped
                .iter()
                .map(|(why, count)| format!("{why} {count}"))
                .collect();
            let share = share(skipped, self.messages);
            lines.push(messages::skipped(language, &share, &why.join(", ")));
        }
        let asked = self.messages - skipped;
        if asked > 0 {
            lines.push(messages::failed(
                language,
                &asked,
                &share(self.failed, asked),
            ));
        }
        let cost = self.cost();
        lines.extend(cost.map(|cost| cost.line(language)));
        lines.extend(self.guesses.line(language));
        if self.comparable > 0 {
            let agreed = share(self.agreed, self.comparable);
            lines.push(messages::agreed(language, &agreed, &self.comparable));
        }
        let labels: Vec<String> = self
            .labels
            .iter()
            .map(|(label, count)| format!("{} {count}", label.as_str()))
            .collect();
        if !labels.is_empty() {
            let labels = labels.join(", ");
            lines.push(messages::labels(language, &labels, &self.planned));
        }
        lines
    }

    /// Returns what an answer of Phase 1 costs; `None` where there was none.
    pub(super) fn cost(&mut self) -> Option<Cost> {
        let answered = (self.answered > 0).then_some(self.answered)?;
        self.took_ms.sort_unstable();
        let at = |share: usize| {
            let last = self.took_ms.len().checked_sub(1)?;
            self.took_ms.get(last * share / 100).copied()
        };
        Some(Cost {
            prompt_tokens: self.prompt_tokens / answered,
            completion_tokens: self.completion_tokens / answered,
            median_ms: at(50).unwrap_or_default(),
            percentile_95_ms: at(95).unwrap_or_default(),
        })
    }
}

impl Cost {
    fn line(&self, language: Language) -> String {
        messages::cost(
            language,
            &self.prompt_tokens,
            &self.completion_tokens,
            &self.median_ms,
            &self.percentile_95_ms,
        )
    }
}

impl Guesses {
    fn drop_one(&mut self, usage: Usage) {
        self.dropped += 1;
        self.lost.prompt_tokens += usage.prompt_tokens;
        self.lost.completion_tokens += usage.completion_tokens;
    }

    fn line(&self, language: Language) -> Option<String> {
        let made = self.agreed + self.dropped;
        let shares = (made > 0).then(|| (percent(self.agreed, made), percent(self.dropped, made)));
        let (agreed, dropped) = shares?;
        let (prompt, completion) = (self.lost.prompt_tokens, self.lost.completion_tokens);
        Some(messages::guesses(
            language,
            &made,
            &agreed,
            &dropped,
            &prompt,
            &completion,
        ))
    }
}

/// Returns whether Phase 1 and the rules decided alike: no skill, or one in common. A question has
/// no counterpart.
fn agreement(route: &RouteResult, rules: &ByRules) -> Option<bool> {
    match route {
        RouteResult::Direct => Some(rules.skills.is_empty()),
        RouteResult::Skills(names) => Some(names.iter().any(|name| rules.skills.contains(name))),
        RouteResult::NeedClarification { .. } => None,
    }
}

fn name(skipped: Skipped) -> &'static str {
    match skipped {
        Skipped::SwitchedOff => "switched_off",
        Skipped::Continued => "continued",
        Skipped::SmallTalk => "small_talk",
        Skipped::NothingMatches => "nothing_matches",
    }
}

/// Returns a count with its share of a whole, which is not 0: `12 (34 %)`.
fn percent(part: u64, whole: u64) -> String {
    format!("{part} ({} %)", (part * 100 + whole / 2) / whole)
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;
    use sayso_core::transcript::{
        ByRules, Entry, Finish, Guess, IntentLabel, LabelReason, ModelRequest, RouteResult, Routed,
        Skipped, Usage,
    };

    use super::Tally;

    fn rules(skills: &[&str], stood_in: bool) -> ByRules {
        ByRules {
            skills: skills.iter().map(|name| (*name).to_owned()).collect(),
            stood_in,
            label: IntentLabel::CodingTask,
            confidence: 85,
            reason: LabelReason::Words(vec!["fix".to_owned()]),
            enable_planning: true,
        }
    }

    fn answered(route: RouteResult, took_ms: u64, by_rules: ByRules) -> Entry {
        Entry::Routed(Routed {
            route,
            usage: Usage {
                prompt_tokens: 400,
                completion_tokens: 20,
                ..Usage::default()
            },
            skipped: None,
            asking: Some(ModelRequest {
                server: "main".to_owned(),
                model: "m".to_owned(),
                attempt: 1,
                messages: 1,
                tools: 0,
                estimated_tokens: 400,
                took_ms,
                finish: Finish::Stop,
            }),
            by_rules: Some(by_rules),
            plans: None,
            guess: None,
        })
    }

    fn unasked(skipped: Option<Skipped>, by_rules: Option<ByRules>) -> Entry {
        Entry::Routed(Routed {
            route: RouteResult::Direct,
            usage: Usage::default(),
            skipped,
            asking: None,
            by_rules,
            plans: None,
            guess: None,
        })
    }

    fn guessed(guess: Guess) -> Entry {
        let Entry::Routed(routed) = answered(RouteResult::Direct, 100, rules(&[], false)) else {
            unreachable!("that is a route");
        };
        Entry::Routed(Routed {
            guess: Some(guess),
            ..routed
        })
    }

    #[test]
    fn routes_are_counted() {
        let git = || RouteResult::Skills(vec!["git-workflow".to_owned()]);
        let mut tally = Tally::default();
        for entry in [
            answered(git(), 100, rules(&["git-workflow"], false)),
            answered(git(), 300, rules(&[], false)),
            answered(RouteResult::Direct, 200, rules(&[], false)),
            unasked(None, Some(rules(&[], true))),
            unasked(Some(Skipped::SmallTalk), None),
            guessed(Guess::Agreed),
            guessed(Guess::Dropped {
                usage: Usage {
                    prompt_tokens: 2000,
                    completion_tokens: 9,
                    cached_tokens: 0,
                },
            }),
        ] {
            tally.count(&entry);
        }
        insta::assert_snapshot!(tally.lines(7, Language::English).join("\n"), @r"
        messages routed in the last 7 days: 7
        direct: 5 (71 %), with skills: 2 (29 %), asked back: 0 (0 %)
        Phase 1 was not asked: 1 (14 %): small_talk 1
        Phase 1 was asked: 6; it failed and the rules stood in: 1 (17 %)
        an answer of Phase 1 costs 400 + 20 tokens in the mean, and takes 100 ms (95 %: 200 ms)
        the answer was asked for beside Phase 1: 2; the guess was right: 1 (50 %), dropped: 1 (50 %), which cost about 2000 + 9 tokens
        the rules decide like Phase 1: 4 (80 %) of 5
        kinds: CODING_TASK 6; worth a plan: 6
        ");
    }

    #[test]
    fn nothing_is_said_of_nothing() {
        let lines = Tally::default().lines(30, Language::Chinese);
        assert_eq!(lines, ["最近 30 天没有路由过消息"]);
    }
}
