//! The judgement of a command: every segment of it, through wrappers, by the tables and the
//! operator's rules.

mod file_listing;
mod operands;
mod read_only;
mod spread;
mod state;
mod through;
mod verdicts;

use std::collections::BTreeMap;

use self::spread::{Kind, Spread, plain_outputs};
use self::verdicts::{allowed, ask, of_rule, of_structure, opaque, ruled, uncertain};
use super::danger;
use super::gravity::Gravity;
use super::operator::RulesFor;
use super::paths::{Ground, Leads};
use super::reasons;
use super::rulebook::Rulebook;
use super::rules::{Rule, is_device, program_name};
use super::script::{self, Input, Redirection, Script, Segment, Structure};
use super::traits::{Trait, Traits};
use super::verdict::{CommandDecision, Verdict};
use super::word::Word;

/// How deep scripts inside scripts and wrappers inside wrappers are followed.
const MAX_DEPTH: usize = 8;
/// Where a system keeps the programs that are found by their names.
const SYSTEM_PROGRAMS: [&str; 3] = ["/bin/", "/usr/bin/", "/usr/local/bin/"];
/// Where git finds settings.
const REPOSITORY: [&str; 4] = [".git", "HEAD", "~/.gitconfig", "~/.config/git"];
/// Programs that run what they read from their input.
const SHELLS: [&str; 18] = [
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "python", "python3", "perl", "ruby", "node",
    "php", "lua", "sudo", "source", "xargs", "at",
];

/// Returns the name of a program that is found by it, on the search path or where a system keeps
/// its programs.
pub(super) fn found_by_name(program: &str) -> Option<&str> {
    let name = program_name(program);
    let is_found = program == name
        || SYSTEM_PROGRAMS
            .iter()
            .any(|directory| program.strip_prefix(directory) == Some(name));
    is_found.then_some(name)
}

/// Judges one command line.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    book: &'a Rulebook,
    rules: RulesFor<'a>,
    ground: Ground<'a>,
    depth: usize,
    /// What the variables of the script hold by now.
    variables: BTreeMap<String, Spread>,
    /// What the input of the segment is made of, where it lists names of files.
    feeding: Option<Kind>,
    /// Whether the segment is in a loop.
    is_looped: bool,
    /// How many words were judged.
    words_judged: usize,
}

impl<'a> Judge<'a> {
    /// Makes a judge that starts at this place.
    pub(crate) fn new(book: &'a Rulebook, rules: RulesFor<'a>, ground: Ground<'a>) -> Self {
        Self {
            book,
            rules,
            ground,
            depth: 0,
            variables: BTreeMap::new(),
            feeding: None,
            is_looped: false,
            words_judged: 0,
        }
    }

    /// Judges a script whose input is empty.
    pub(crate) fn script(&mut self, script: &str) -> Verdict {
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
        // Another script has variables of its own.
        let variables = std::mem::take(&mut self.variables);
        let (feeding, is_looped) = (self.feeding.take(), self.is_looped);
        let verdict = self.segments(script, input);
        (self.variables, self.feeding, self.is_looped) = (variables, feeding, is_looped);
        self.depth -= 1;
        let nothing = || uncertain(reasons::nothing_to_run()).about(text);
        let of_segments = match verdict {
            Some(verdict) if script.segments.iter().any(|it| !it.words.is_empty()) => verdict,
            Some(verdict) => verdict.strictest(nothing()),
            None => nothing(),
        };
        let sets_variables = |it: &Segment| it.words.is_empty() && !it.assignments.is_empty();
        let is_proven = of_segments.is_proven();
        let hidden = uncertain(reasons::structure()).about(text);
        let verdict = if !is_proven && script.segments.iter().any(sets_variables) {
            of_segments.strictest(hidden.clone())
        } else {
            of_segments
        };
        let structures = script.structures.iter();
        structures.fold(verdict, |verdict, structure| match structure {
            // What does more than to read is asked about as a whole.
            Structure::Steps if !is_proven => verdict.strictest(hidden.clone()),
            structure => verdict.strictest(of_structure(*structure).about(text)),
        })
    }

    fn segments(&mut self, script: &Script, input: Input) -> Option<Verdict> {
        let segments = script.segments.iter().enumerate();
        segments
            .map(|(index, segment)| {
                let input = match segment.input {
                    Input::Empty => input,
                    fed => fed,
                };
                let text = segment.text();
                let mut verdict = self.looped(script, index, &segment.loops, input);
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
            [] if segment.assignments.is_empty() => allowed(),
            [] => self.assignments(segment),
            words => self.words(words, input),
        };
        let values = segment.assignments.iter().map(|(_, value)| value);
        let outputs = plain_outputs(segment.words.iter().chain(values));
        let only_reads = verdict.is_proven();
        for script in &segment.substitutions {
            verdict = verdict.strictest(self.script_fed(script, input));
            if !only_reads || !outputs.contains(script) {
                verdict = verdict.strictest(uncertain(reasons::substitution()));
            }
        }
        if !segment.words.is_empty() {
            for (name, value) in &segment.assignments {
                verdict = verdict.strictest(self.given(name, value, &segment.words));
            }
        }
        // A rule that allows a command allows what it writes into the workspace.
        let may_write = verdict.ruled.allows;
        for redirection in &segment.redirections {
            verdict = verdict.strictest(match redirection {
                Redirection::Write(word) if may_write && !is_device(&word.text) => {
                    self.written(word)
                }
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
                let reached = self.written(word);
                if word.text.starts_with("/dev/") && reached.decision == CommandDecision::Allow {
                    return reached;
                }
                reached.strictest(ask(reasons::writes(&word.raw), &[Trait::Writes]))
            }
        }
    }

    /// Judges a file that the shell opens to read it.
    fn path(&self, word: &Word) -> Verdict {
        match self.spread_to_one(word) {
            Some(spread) if spread.kind != Kind::Printed => self.leads(&spread.text),
            Some(_) | None => uncertain(reasons::not_literal(&word.raw)),
        }
    }

    /// Judges where a file lies that the shell writes.
    fn written(&self, word: &Word) -> Verdict {
        match word.as_literal() {
            Some(path) if self.ground.leads(path) == Leads::Public => {
                ask(reasons::outside(path), &[Trait::OutsideWorkspace])
            }
            Some(path) => self.leads(path),
            None => uncertain(reasons::not_literal(&word.raw)),
        }
    }

    fn leads(&self, path: &str) -> Verdict {
        match self.ground.leads(path) {
            Leads::Inside | Leads::Public => allowed(),
            Leads::ToSecrets => ask(reasons::keeps_secrets(path), &[Trait::Secrets]),
            Leads::Outside => ask(reasons::outside(path), &[Trait::OutsideWorkspace]),
        }
    }

    /// Judges a program with its words.
    fn words(&mut self, words: &[Word], input: Input) -> Verdict {
        let words = &self.written_out(words);
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
        let is_found_by_name = found_by_name(program).is_some();
        let literal: Option<Vec<&str>> = words.iter().map(Word::as_literal).collect();
        if is_found_by_name
            && let Some([_, rest @ ..]) = literal.as_deref()
            && self.book.only_informs(&[&[name][..], rest].concat())
        {
            // Of a subcommand it shows a page, with what a repository names for that.
            return if name == "git" && rest.len() > 1 && !self.lacks_repository() {
                opaque(reasons::obeys_settings(name))
            } else {
                allowed()
            };
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

    /// Returns whether git finds no settings in the workspace: neither those of its home nor of a
    /// repository, which may be bare.
    fn lacks_repository(&self) -> bool {
        REPOSITORY.iter().all(|name| self.ground.lacks(name))
    }

    fn asked_traits(&self, words: &[Word]) -> Traits {
        self.book.asking(words).map_or(Traits::NONE, Rule::traits)
    }

    /// Adds what the words of an unknown command say: whether one of them leads outside.
    fn with_paths(&self, verdict: Verdict, words: &[Word]) -> Verdict {
        let is_path = |text: &str| text.starts_with(['/', '~']) || text.contains("..");
        let reached = words.iter().find_map(|word| {
            let text = word.text.rsplit('=').next().unwrap_or(&word.text);
            let is_out =
                is_path(text) && matches!(self.ground.leads(text), Leads::Outside | Leads::Public);
            is_out.then_some(text)
        });
        match reached {
            Some(path) => verdict
                .and_traits(Traits::NONE.with(Trait::OutsideWorkspace))
                .and_reason(Gravity::Outside, reasons::outside(path)),
            None => verdict,
        }
    }
}
