//! The page of a turn: a head, one line per moment with what was said below it, and what it cost.

use std::collections::HashSet;

use chrono::{DateTime, Local};
use sayso_channel::Language;
use sayso_core::transcript::{
    CallPurpose, Compacted, Condensed, Consulted, Decided, Entry, Failure, Finish, ModelRequest,
    Planned, Replied, Returned, RouteResult, Routed, ToolCall, ToolOutcome, TurnOutcome, Usage,
    Verdict, WhyCompacted, first_chars,
};
use unicode_width::UnicodeWidthStr as _;

use super::messages;
use super::wrap::{joined, wrapped};
use crate::audit::{CallsSeen, Timeline};
use crate::budget::messages::grouped;
use crate::budget::{self, Prices};

/// The most of one text that is shown, in characters and in lines.
const TEXT_CHARS: usize = 400;
/// The most lines of one text.
const TEXT_LINES: usize = 6;
/// How wide the times of moments are, in columns.
const TIME_COLUMNS: usize = 8;
/// How wide the names of moments are, in columns.
const LABEL_COLUMNS: usize = 9;
/// Where texts begin, in columns.
const INDENT: usize = TIME_COLUMNS + 2 + LABEL_COLUMNS + 1;

/// The page of a turn.
pub(super) struct Page<'a> {
    timeline: &'a Timeline,
    prices: &'a Prices,
    language: Language,
    columns: usize,
    lines: Vec<String>,
    calls: CallsSeen,
    /// When the newest card was opened.
    asked_ms: i64,
    steps: u32,
    /// The names of what was recalled so far.
    recalled: HashSet<String>,
    model_calls: u32,
    /// How long models were waited for, in milliseconds.
    asked_for_ms: u64,
    cost: Usage,
}

impl<'a> Page<'a> {
    /// Writes the page of a turn, this many columns wide.
    pub(super) fn of(
        timeline: &'a Timeline,
        prices: &'a Prices,
        language: Language,
        columns: usize,
    ) -> Self {
        let mut page = Self {
            timeline,
            prices,
            language,
            columns,
            lines: Vec::new(),
            calls: CallsSeen::default(),
            asked_ms: 0,
            steps: 0,
            recalled: HashSet::new(),
            model_calls: 0,
            asked_for_ms: 0,
            cost: Usage::default(),
        };
        page.head();
        for (at_ms, entry) in &timeline.entries {
            page.entry(*at_ms, entry);
            page.calls.apply(entry, *at_ms);
        }
        page.foot();
        page
    }

    /// Returns the page.
    pub(super) fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    fn head(&mut self) {
        let (language, turn) = (self.language, &self.timeline.turn);
        let name = self.timeline.name(turn.user_id);
        self.lines
            .push(messages::turn(language, &turn.id, &name, &turn.channel));
        let newest = self.timeline.entries.last().map(|(at_ms, _)| *at_ms);
        let until = turn.ended_ms.or(newest).unwrap_or(turn.started_ms);
        let state = match turn.state.as_str() {
            "running" => messages::running(language),
            "parked" => messages::parked(language),
            _ => messages::ended(language),
        };
        let took = seconds(until - turn.started_ms);
        let began = local(turn.started_ms);
        self.lines
            .push(messages::began(language, &began, &took, &state));
        if turn.resumes > 0 {
            self.lines.push(messages::resumed(language, &turn.resumes));
        }
        self.lines.push(String::new());
    }

    fn entry(&mut self, at_ms: i64, entry: &Entry) {
        let language = self.language;
        match entry {
            Entry::Started(_) => {}
            Entry::Heard(heard) => {
                for message in &heard.messages {
                    let mark = if message.untrusted {
                        messages::with_words_of_others(language)
                    } else {
                        String::new()
                    };
                    self.moment_saying(at_ms, &messages::heard(language), &mark, &message.text);
                }
            }
            Entry::Routed(routed) => self.routed(at_ms, routed),
            Entry::Planned(planned) => self.planned(at_ms, planned),
            Entry::Replied(replied) => self.replied(at_ms, replied),
            Entry::Issued(issued) => self.wants(&issued.calls),
            Entry::Consulted(consulted) => self.consulted(at_ms, consulted),
            Entry::Called { call } => {
                let tool = self.tool(&call.0);
                self.moment(at_ms, &messages::ran(language), &[tool]);
            }
            Entry::Returned(returned) => self.returned(at_ms, returned),
            Entry::Held { calls } => {
                self.asked_ms = at_ms;
                let tools: Vec<String> = calls.iter().map(|call| self.tool(&call.0)).collect();
                self.moment(at_ms, &messages::asked(language), &[tools.join(", ")]);
            }
            Entry::Decided(decided) => self.decided(at_ms, decided),
            Entry::Fetched(fetched) => {
                for file in &fetched.files {
                    self.moment_saying(at_ms, &messages::noted(language), "", &file.text);
                }
            }
            Entry::Noted { text } => {
                self.moment_saying(at_ms, &messages::noted(language), "", text);
            }
            Entry::Compacted(compacted) => self.compacted(at_ms, compacted),
            Entry::Condensed(condensed) => self.condensed(at_ms, condensed),
            Entry::Undone(undone) => {
                let files = undone.files.join(", ");
                self.moment_saying(at_ms, &messages::undone(language), "", &files);
            }
            Entry::Redone(redone) => {
                let files = redone.files.join(", ");
                self.moment_saying(at_ms, &messages::redone(language), "", &files);
            }
            Entry::Ended { outcome } => self.ended(at_ms, outcome),
        }
    }

    fn compacted(&mut self, at_ms: i64, compacted: &Compacted) {
        let language = self.language;
        let (before, after) = (compacted.before, compacted.after);
        let tokens = |tokens: usize| grouped(tokens as u64);
        let mut parts = vec![messages::fewer(
            language,
            &before.messages,
            &after.messages,
            &tokens(before.tokens),
            &tokens(after.tokens),
        )];
        if compacted.why == WhyCompacted::Refused {
            parts.push(messages::too_long_for_model(language));
        }
        self.moment(at_ms, &messages::compacted(language), &parts);
    }

    fn routed(&mut self, at_ms: i64, routed: &Routed) {
        let language = self.language;
        let route = match &routed.route {
            RouteResult::Direct => messages::direct(language),
            RouteResult::Skills(names) => messages::skills(language, &names.join(", ")),
            RouteResult::NeedClarification { .. } => messages::asks_back(language),
        };
        let mut parts = vec![route];
        if routed.skipped.is_some() {
            parts.push(messages::without_model(language));
        } else if routed.was_answered() {
            self.spend(routed.asking.as_ref(), &routed.usage);
            parts.extend(self.asking(routed.asking.as_ref(), &routed.usage));
        }
        let by_rules = routed.by_rules.as_ref();
        if by_rules.is_some_and(|rules| rules.stood_in) {
            parts.push(messages::rules_stood_in(language));
        }
        self.moment(at_ms, &messages::routed(language), &parts);
    }

    fn planned(&mut self, at_ms: i64, planned: &Planned) {
        let language = self.language;
        let mut parts = vec![messages::steps_of_plan(language, &planned.steps.len())];
        if planned.asking.is_some() {
            self.spend(planned.asking.as_ref(), &planned.usage);
            parts.extend(self.asking(planned.asking.as_ref(), &planned.usage));
        }
        self.moment(at_ms, &messages::planned(language), &parts);
        for step in &planned.steps {
            self.said(&step.line());
        }
    }

    fn replied(&mut self, at_ms: i64, replied: &Replied) {
        let language = self.language;
        self.steps += 1;
        self.spend(replied.asking.as_ref(), &replied.usage);
        let mut parts = vec![messages::step(language, &self.steps)];
        parts.extend(self.asking(replied.asking.as_ref(), &replied.usage));
        self.moment(at_ms, &messages::model(language), &parts);
        let recalled = self.newly_recalled(replied);
        if !recalled.is_empty() {
            self.said(&messages::recalled(language, &recalled.join(", ")));
        }
        self.said(&replied.message.text);
        self.wants(&replied.message.calls);
    }

    fn wants(&mut self, calls: &[ToolCall]) {
        for call in calls {
            let wants = messages::wants(self.language);
            self.said(&format!("{wants} {} {}", call.name, call.arguments));
        }
    }

    /// Returns the names of what was recalled for a step, and for none before it.
    fn newly_recalled(&mut self, replied: &Replied) -> Vec<String> {
        let memories = replied.memory_hits.iter().map(ToString::to_string);
        let passages = replied.knowledge_hits.iter();
        let passages = passages.map(|passage| format!("knowledge/{passage}"));
        memories
            .chain(passages)
            .filter(|name| self.recalled.insert(name.clone()))
            .collect()
    }

    /// Shows a call of a model that is no step: it failed, was broken off or concludes.
    fn consulted(&mut self, at_ms: i64, consulted: &Consulted) {
        let language = self.language;
        self.spend(consulted.asking.as_ref(), &consulted.usage);
        let what = match consulted.purpose {
            Some(CallPurpose::Route) => messages::routed(language),
            Some(CallPurpose::Plan) => messages::planned(language),
            Some(CallPurpose::Step) => messages::step(language, &(self.steps + 1)),
            Some(CallPurpose::Guess) => messages::guessed(language),
            Some(CallPurpose::Conclude) => messages::concludes(language),
            Some(CallPurpose::Learn) => messages::learns(language),
            Some(CallPurpose::SumUp) => messages::sums_up(language),
            None => messages::lost_in_a_crash(language),
        };
        let mut parts = vec![what];
        parts.extend(self.asking(consulted.asking.as_ref(), &consulted.usage));
        let ended_ms = at_ms - consulted.ago_ms as i64;
        self.moment(ended_ms, &messages::model(language), &parts);
    }

    /// Describes a model call: how it was made, its cost and its duration, as far as these are
    /// known.
    fn asking(&self, asking: Option<&ModelRequest>, usage: &Usage) -> Vec<String> {
        let language = self.language;
        let cost = if *usage == Usage::default() {
            String::new()
        } else {
            messages::cost(
                language,
                &grouped(usage.prompt_tokens),
                &grouped(usage.completion_tokens),
            )
        };
        let Some(asking) = asking else {
            return vec![cost];
        };
        let finish = match asking.finish {
            Finish::Length => messages::cut_at_limit(language),
            Finish::Stop | Finish::ToolCalls => String::new(),
            Finish::Interrupted => messages::broken_off(language),
            Finish::Failed(failure) => self.failure(failure),
        };
        let attempt = if asking.attempt > 1 {
            messages::attempt(language, &asking.attempt)
        } else {
            String::new()
        };
        let model = if asking.server.is_empty() {
            asking.model.clone()
        } else {
            messages::model_of(language, &asking.model, &asking.server)
        };
        let given = messages::given(
            language,
            &asking.messages,
            &asking.tools,
            &grouped(asking.estimated_tokens as u64),
        );
        let took = seconds(asking.took_ms as i64);
        vec![finish, took, cost, model, attempt, given]
    }

    fn failure(&self, failure: Failure) -> String {
        let language = self.language;
        match failure {
            Failure::Unreachable => messages::unreachable(language),
            Failure::TimedOut => messages::timed_out(language),
            Failure::RateLimited => messages::rate_limited(language),
            Failure::Refused { status } => messages::model_refused(language, &status),
            Failure::Broken { status } => messages::broken(language, &status),
            Failure::Garbage => messages::garbage(language),
            Failure::Repeating => messages::repeating(language),
            Failure::Missing => messages::no_model(language),
        }
    }

    fn decided(&mut self, at_ms: i64, decided: &Decided) {
        let language = self.language;
        let took = seconds(at_ms - self.asked_ms);
        let by = |by| messages::by_after(language, &self.timeline.name(by), &took);
        let (label, how) = match &decided.verdict {
            Verdict::Approved { by: who } => (messages::approved(language), by(*who)),
            Verdict::Denied { by: who, .. } => (messages::denied(language), by(*who)),
            Verdict::Expired => (
                messages::expired(language),
                messages::after(language, &took),
            ),
        };
        let parts = [self.tool(&decided.call.0), how];
        self.moment(at_ms, &label, &parts);
    }

    fn returned(&mut self, at_ms: i64, returned: &Returned) {
        let language = self.language;
        let seen = self.calls.get(&returned.call);
        let called_ms = seen.and_then(|seen| seen.called_ms);
        let said_no = matches!(
            seen.and_then(|seen| seen.verdict.as_ref()),
            Some(Verdict::Denied { .. } | Verdict::Expired)
        );
        let tool = self.tool(&returned.call.0);
        let (label, outcome) = match &returned.outcome {
            ToolOutcome::Denied { .. } if said_no => (messages::not_run(language), String::new()),
            ToolOutcome::Denied { .. } => (messages::refused(language), String::new()),
            ToolOutcome::Success { .. } | ToolOutcome::Sends { .. } | ToolOutcome::Plans { .. } => {
                (messages::result(language), messages::success(language))
            }
            ToolOutcome::Checked { report, .. } => match report.failure() {
                None => (messages::result(language), messages::success(language)),
                Some(_) => (messages::result(language), messages::failed(language)),
            },
            ToolOutcome::Failed { .. } => (messages::result(language), messages::failed(language)),
            ToolOutcome::Error { .. } => (messages::result(language), messages::error(language)),
            ToolOutcome::Asks { .. } => (messages::result(language), messages::asks_back(language)),
            ToolOutcome::Unknown { .. } => {
                (messages::result(language), messages::unknown(language))
            }
        };
        let outcome = match called_ms {
            Some(called_ms) if !outcome.is_empty() => {
                messages::outcome_in(language, &outcome, &seconds(at_ms - called_ms))
            }
            Some(_) | None => outcome,
        };
        let outside = if returned.tainted {
            messages::from_outside(language)
        } else {
            String::new()
        };
        self.moment(at_ms, &label, &[tool, outcome, outside]);
        match &returned.outcome {
            // People are shown the first line; the rest is for the model.
            ToolOutcome::Denied { why, .. } => self.said(why.lines().next().unwrap_or_default()),
            ToolOutcome::Unknown { .. } => {}
            ToolOutcome::Success { .. }
            | ToolOutcome::Failed { .. }
            | ToolOutcome::Asks { .. }
            | ToolOutcome::Sends { .. }
            | ToolOutcome::Plans { .. }
            | ToolOutcome::Checked { .. }
            | ToolOutcome::Error { .. } => {
                self.said(&returned.outcome.for_model());
            }
        }
    }

    fn condensed(&mut self, at_ms: i64, condensed: &Condensed) {
        let language = self.language;
        let tokens = |tokens: usize| grouped(tokens as u64);
        let (before, after) = (condensed.tokens_before, condensed.tokens_after);
        let (before, after) = (tokens(before), tokens(after));
        let turns = &condensed.turns;
        let what = if condensed.by_model {
            messages::summed_up(language, turns, &before, &after)
        } else {
            messages::not_summed_up(language, turns, &before, &after)
        };
        self.moment(at_ms, &messages::compacted(language), &[what]);
    }

    fn ended(&mut self, at_ms: i64, outcome: &TurnOutcome) {
        let language = self.language;
        let (how, said) = match outcome {
            TurnOutcome::Replied { text } => (messages::replied(language), text.as_str()),
            TurnOutcome::Asked { question, .. } => {
                (messages::asks_back(language), question.as_str())
            }
            TurnOutcome::Inquired { text, .. } => (messages::asks_back(language), text.as_str()),
            TurnOutcome::Proposed { .. } => (messages::proposes(language), ""),
            TurnOutcome::StepLimit { text } => (messages::step_limit(language), text.as_str()),
            TurnOutcome::TimeLimit { text } => (messages::time_limit(language), text.as_str()),
            TurnOutcome::NotReceived { text } => (messages::not_received(language), text.as_str()),
            TurnOutcome::Stopped { by, done, .. } => {
                let name = self.timeline.name(*by);
                let done = done.as_deref().unwrap_or_default();
                (messages::stopped_by(language, &name), done)
            }
            TurnOutcome::Expired => (messages::expired(language), ""),
            TurnOutcome::Failed { why, .. } => (messages::failed(language), why.as_str()),
        };
        self.moment(at_ms, &messages::ended(language), &[how]);
        // The last answer stands right above already.
        if !matches!(outcome, TurnOutcome::Replied { .. }) {
            self.said(said);
        }
    }

    fn foot(&mut self) {
        let (language, cost, turn) = (self.language, self.cost, &self.timeline.turn);
        let natural = |amount: i64| u64::try_from(amount).unwrap_or_default();
        let asked = [
            messages::model_calls(language, &self.model_calls),
            messages::waited(language, &seconds(self.asked_for_ms as i64)),
            messages::total(
                language,
                &grouped(cost.prompt_tokens),
                &grouped(cost.cached_tokens),
                &grouped(cost.completion_tokens),
            ),
        ];
        // The budget also counts what no service has told, so its figure may be higher.
        let tokens = messages::counted(language, &grouped(natural(turn.spent_tokens)));
        let has_money = !self.prices.models.is_empty() || turn.spent_micros > 0;
        let money = if has_money {
            budget::messages::money(natural(turn.spent_micros), &self.prices.currency)
        } else {
            messages::no_price(language)
        };
        self.lines.push(String::new());
        self.lines.extend(joined(&asked, self.columns));
        self.lines.extend(joined(&[tokens, money], self.columns));
    }

    fn spend(&mut self, asking: Option<&ModelRequest>, usage: &Usage) {
        self.model_calls += 1;
        self.asked_for_ms += asking.map_or(0, |asking| asking.took_ms);
        self.cost.prompt_tokens += usage.prompt_tokens;
        self.cost.completion_tokens += usage.completion_tokens;
        self.cost.cached_tokens += usage.cached_tokens;
    }

    /// Returns the name of a call's tool.
    fn tool(&self, call: &str) -> String {
        let call = sayso_core::transcript::CallId(call.to_owned());
        let seen = self.calls.get(&call);
        seen.map_or_else(|| call.0.clone(), |seen| seen.tool.clone())
    }

    /// Adds a moment with what is known of it.
    fn moment(&mut self, at_ms: i64, label: &str, parts: &[String]) {
        let since = seconds(at_ms - self.timeline.turn.started_ms);
        let padding = " ".repeat(LABEL_COLUMNS.saturating_sub(label.width()));
        let mut what = joined(parts, self.columns - INDENT).into_iter();
        let first = what.next().unwrap_or_default();
        let line = format!("{since:>TIME_COLUMNS$}  {label}{padding} {first}");
        self.lines.push(line.trim_end().to_owned());
        self.lines.extend(what.map(|line| indented(&line)));
    }

    /// Adds a moment at which something was said; the words begin on its line, unless a mark does.
    fn moment_saying(&mut self, at_ms: i64, label: &str, mark: &str, text: &str) {
        if !mark.is_empty() {
            self.moment(at_ms, label, &[mark.to_owned()]);
            self.said(text);
            return;
        }
        let above = self.lines.len();
        self.moment(at_ms, label, &[]);
        self.said(text);
        if above + 1 < self.lines.len() {
            let words = self.lines.remove(above + 1);
            let label = self.lines.remove(above);
            let used = label.width();
            let gap = " ".repeat(INDENT.saturating_sub(used));
            self.lines
                .insert(above, format!("{label}{gap}{}", words.trim_start()));
        }
    }

    /// Adds a text below the moment that it belongs to, cut with a note.
    fn said(&mut self, text: &str) {
        let text = text.trim();
        let by_lines: Vec<&str> = text.lines().take(TEXT_LINES).collect();
        let by_lines = by_lines.join("\n");
        let shown = first_chars(&by_lines, TEXT_CHARS).unwrap_or(&by_lines);
        let left_out = text.chars().count() - shown.chars().count();
        for line in shown.lines() {
            let pieces = wrapped(line, self.columns - INDENT);
            self.lines
                .extend(pieces.iter().map(|piece| indented(piece)));
        }
        if left_out > 0 {
            let note = messages::left_out(self.language, &left_out);
            self.lines.push(indented(&note));
        }
    }
}

fn indented(text: &str) -> String {
    format!("{:INDENT$}{text}", "").trim_end().to_owned()
}

fn seconds(ms: i64) -> String {
    let ms = ms.max(0);
    if ms < 60_000 {
        return format!("{}.{:02} s", ms / 1000, ms % 1000 / 10);
    }
    if ms < 3_600_000 {
        return format!("{}:{:02} min", ms / 60_000, ms / 1000 % 60);
    }
    format!("{}:{:02} h", ms / 3_600_000, ms / 60_000 % 60)
}

fn local(at_ms: i64) -> String {
    DateTime::from_timestamp_millis(at_ms)
        .unwrap_or_default()
        .with_timezone(&Local)
        .format("%Y-%m-%d %H:%M:%S")
        .to_string()
}
