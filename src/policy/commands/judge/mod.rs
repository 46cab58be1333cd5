//! The judgement of a command: every segment of it, through wrappers, by the tables and the
//! operator's rules.

mod reading;
mod said;
mod through;

use self::said::{allowed, ask, of_rule, of_structure, of_variable, opaque, ruled, uncertain};
use super::danger;
use super::gravity::Gravity;
use super::operator::RulesFor;
use super::paths::{Ground, Leads};
use super::reasons;
use super::rulebook::Rulebook;
use super::rules::{Rule, is_device, program_name};
use super::script::{self, Input, Redirection, Script, Segment};
use super::verdict::{CommandDecision, Trait, Traits, Verdict};
use super::word::Word;

/// How deep scripts inside scripts and wrappers inside wrappers are followed.
const MAX_DEPTH: usize = 8;
/// Where a system keeps the programs that are found by their names.
const SYSTEM_PROGRAMS: [&str; 3] = ["/bin/", "/usr/bin/", "/usr/local/bin/"];
/// Programs that run what they read from their input.
const SHELLS: [&str; 18] = [
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "python", "python3", "perl", "ruby", "node",
    "php", "lua", "sudo", "source", "xargs", "at",
];

/// Judges one command line.
#[derive(Debug)]
pub struct Judge<'a> {
    book: &'a Rulebook,
    rules: RulesFor<'a>,
    ground: Ground<'a>,
    depth: usize,
}

impl<'a> Judge<'a> {
    /// Makes a judge that starts at this place.
    pub fn new(book: &'a Rulebook, rules: RulesFor<'a>, ground: Ground<'a>) -> Self {
        Self {
            book,
            rules,
            ground,
            depth: 0,
        }
    }

    /// Judges a script whose input is empty.
    pub fn script(&mut self, script: &str) -> Verdict {
        self.script_fed(script, Input::Empty).for_the_gravest()
    }

    fn script_fed(&mut self, text: &str, input: Input) -> Verdict {
        if self.depth >= MAX_DEPTH {
            return uncertain(reasons::unreadable(script::Unreadable::TooMuch)).about(text);
        }
        let script = match script::read(text) {
            Ok(script) => script,
            Err(why) => {
                let begins = script::read_beginning(text);
                let begins = begins.map(|script| self.script_read(&script, text, input));
                let mut unread = uncertain(reasons::unreadable(why)).about(text);
                return match begins {
                    Some(verdict) if verdict.decision == CommandDecision::Deny => verdict,
                    // What can be read of it is a reason, and proves nothing about it.
                    Some(verdict) => {
                        unread.reasons.merge(verdict.reasons);
                        unread
                    }
                    None => unread,
                };
            }
        };
        self.script_read(&script, text, input)
    }

    /// Judges a script that was read from this text.
    fn script_read(&mut self, script: &Script, text: &str, input: Input) -> Verdict {
        self.depth += 1;
        let verdict = self.segments(script, input);
        self.depth -= 1;
        let of_segments =
            verdict.unwrap_or_else(|| uncertain(reasons::nothing_to_run()).about(text));
        script
            .structures
            .iter()
            .fold(of_segments, |verdict, structure| {
                verdict.strictest(of_structure(*structure).about(text))
            })
    }

    fn segments(&mut self, script: &Script, input: Input) -> Option<Verdict> {
        script
            .segments
            .iter()
            .map(|segment| {
                let input = match segment.input {
                    Input::Empty => input,
                    fed => fed,
                };
                let text = segment.text();
                let mut verdict = self.segment(segment, input);
                if verdict.segment.is_empty() {
                    verdict = verdict.about(&text);
                }
                verdict.reasons.about(&text);
                verdict
            })
            .reduce(Verdict::strictest)
    }

    fn segment(&mut self, segment: &Segment, input: Input) -> Verdict {
        let mut verdict = match segment.words.as_slice() {
            [] if segment.redirections.is_empty() && segment.assignments.is_empty() => allowed(),
            [] => uncertain(reasons::nothing_to_run()),
            words => self.words(words, input),
        };
        for script in &segment.substitutions {
            let inner = self.script_fed(script, input);
            verdict = verdict
                .strictest(uncertain(reasons::substitution()))
                .strictest(inner);
        }
        for (name, value) in &segment.assignments {
            verdict = verdict.strictest(of_variable(name, value));
        }
        // A rule that allows a command allows what it writes into the workspace.
        let may_write = verdict.ruled.allows;
        for redirection in &segment.redirections {
            verdict = verdict.strictest(match redirection {
                Redirection::Write(word) if may_write && !is_device(&word.text) => self.path(word),
                redirection => self.redirection(redirection),
            });
        }
        verdict
    }

    fn redirection(&self, redirection: &Redirection) -> Verdict {
        match redirection {
            Redirection::Descriptor | Redirection::Text { is_literal: true } => allowed(),
            Redirection::Text { is_literal: false } => uncertain(reasons::not_literal("<<")),
            Redirection::Process => uncertain(reasons::substitution()),
            Redirection::Read(word) => self.path(word),
            Redirection::Write(word) if is_device(&word.text) => Verdict::new(
                CommandDecision::Deny,
                reasons::overwrites_device(&word.raw),
                Traits::NONE.with(Trait::Destructive),
            ),
            Redirection::Write(word) => {
                let reached = self.path(word);
                if word.text.starts_with("/dev/") && reached.decision == CommandDecision::Allow {
                    return reached;
                }
                reached.strictest(ask(reasons::writes(&word.raw), &[Trait::Writes]))
            }
        }
    }

    fn path(&self, word: &Word) -> Verdict {
        match word.as_literal() {
            Some(path) => self.leads(path),
            None => uncertain(reasons::not_literal(&word.raw)),
        }
    }

    fn leads(&self, path: &str) -> Verdict {
        match self.ground.leads(path) {
            Leads::Inside => allowed(),
            Leads::ToSecrets => ask(reasons::keeps_secrets(path), &[Trait::Secrets]),
            Leads::Outside => ask(reasons::outside(path), &[Trait::OutsideWorkspace]),
        }
    }

    /// Judges a program with its words.
    fn words(&mut self, words: &[Word], input: Input) -> Verdict {
        if let Some(rule) = self.book.forbidding(words) {
            return of_rule(rule);
        }
        let judged = danger::added_to(self.unruled(words, input), words);
        match self.rules.speaking_of(words) {
            Some(rule) if self.has_meant(rule, words) => ruled(judged, rule),
            Some(_) | None => judged,
        }
    }

    /// A program that is allowed by its path is another one in another directory.
    fn has_meant(&self, rule: &Rule, words: &[Word]) -> bool {
        let by_its_path = words.first().is_some_and(|word| word.text.contains('/'));
        rule.decision != CommandDecision::Allow || !(by_its_path && self.ground.has_moved())
    }

    /// Judges by the tables alone.
    fn unruled(&mut self, words: &[Word], input: Input) -> Verdict {
        let Some((first, rest)) = words.split_first() else {
            return uncertain(reasons::nothing_to_run());
        };
        let Some(program) = first.as_literal() else {
            return uncertain(reasons::not_literal(&first.raw));
        };
        self.program(program, words, rest, input)
    }

    fn program(&mut self, program: &str, words: &[Word], rest: &[Word], input: Input) -> Verdict {
        let name = program_name(program);
        let is_found_by_name = program == name
            || SYSTEM_PROGRAMS
                .iter()
                .any(|directory| program.strip_prefix(directory) == Some(name));
        let literal: Option<Vec<&str>> = words.iter().map(Word::as_literal).collect();
        if is_found_by_name
            && let Some([_, rest @ ..]) = literal.as_deref()
            && self.book.only_informs(&[&[name][..], rest].concat())
        {
            return allowed();
        }
        if input != Input::Empty && SHELLS.contains(&name) && rest.is_empty() {
            let traits = self.asked_traits(words).with(Trait::Opaque);
            return Verdict::new(CommandDecision::Ask, reasons::feeds_a_shell(name), traits);
        }
        if let Some(wrapper) = self.book.wrapper(program) {
            if is_found_by_name && self.read(name, rest).decision == CommandDecision::Allow {
                return allowed();
            }
            let verdict = self.through(name, wrapper, rest, input);
            return if is_found_by_name {
                verdict
            } else {
                verdict.strictest(opaque(reasons::by_its_path(program)))
            };
        }
        if name == "cd" {
            return self.change_directory(rest);
        }
        if let Some(rule) = self.book.asking(words) {
            let read = self.read(name, rest);
            if rule.decision == CommandDecision::Ask && read.decision != CommandDecision::Allow {
                return self.with_paths(of_rule(rule), rest);
            }
        }
        if !is_found_by_name {
            return self.with_paths(opaque(reasons::by_its_path(program)), rest);
        }
        let verdict = self.read(name, rest);
        match verdict.decision {
            CommandDecision::Allow => verdict,
            CommandDecision::Ask | CommandDecision::Deny => self.with_paths(verdict, rest),
        }
    }

    fn asked_traits(&self, words: &[Word]) -> Traits {
        self.book.asking(words).map_or(Traits::NONE, Rule::traits)
    }

    /// Adds what the words of an unknown command say: whether one of them leads outside.
    fn with_paths(&self, verdict: Verdict, words: &[Word]) -> Verdict {
        let is_path = |text: &str| text.starts_with(['/', '~']) || text.contains("..");
        let reached = words.iter().find_map(|word| {
            let text = word.text.rsplit('=').next().unwrap_or(&word.text);
            (is_path(text) && self.ground.leads(text) == Leads::Outside).then_some(text)
        });
        match reached {
            Some(path) => verdict
                .and_traits(Traits::NONE.with(Trait::OutsideWorkspace))
                .and_reason(Gravity::Outside, reasons::outside(path)),
            None => verdict,
        }
    }

    fn change_directory(&mut self, words: &[Word]) -> Verdict {
        let directory = match words {
            [directory] => directory.as_literal().filter(|path| !path.starts_with('-')),
            _ => None,
        };
        let verdict = directory.map_or_else(
            || ask(reasons::outside("~"), &[Trait::OutsideWorkspace]),
            |path| self.leads(path),
        );
        self.ground.enter(directory.unwrap_or("/"));
        verdict
    }
}
