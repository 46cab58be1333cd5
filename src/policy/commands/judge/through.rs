//! Looking through programs that start others.

use super::spread::{FED, Kind, Spread};
use super::verdicts::{allowed, of_problem, of_rule, opaque, uncertain};
use super::{Judge, MAX_DEPTH};
use crate::commands::options::Scanned;
use crate::commands::programs::Wrapper;
use crate::commands::reasons;
use crate::commands::script::{self, Input};
use crate::commands::traits::Traits;
use crate::commands::verdict::{CommandDecision, Verdict};
use crate::commands::word::Word;

/// The options by which `xargs` puts words anywhere in a command.
const REPLACING: [&str; 3] = ["-I", "-i", "--replace"];
/// Those by which it does so in other ways.
const REPLACING_OTHERWISE: [&str; 2] = ["-J", "-R"];
/// What it replaces, where that can be no part of a program's name.
const REPLACED: [&str; 4] = ["{}", "%", "{%}", "@"];
/// The options by which it takes names that end with a NUL.
const ENDED_BY_NUL: [&str; 2] = ["-0", "--null"];

impl Judge<'_> {
    /// Looks through a program that starts another.
    pub(super) fn through(
        &mut self,
        name: &str,
        wrapper: &Wrapper,
        words: &[Word],
        input: Input,
    ) -> Verdict {
        let own = match wrapper.decision {
            CommandDecision::Allow => allowed(),
            CommandDecision::Ask | CommandDecision::Deny => Verdict::new(
                wrapper.decision,
                wrapper
                    .justification
                    .clone()
                    .unwrap_or_else(|| reasons::wraps(name)),
                wrapper.traits,
            ),
        };
        let inner = if self.depth >= MAX_DEPTH {
            uncertain(reasons::unreadable(script::Unreadable::TooMuch))
        } else {
            self.depth += 1;
            let inner = self.wrapped(name, wrapper, words, input);
            self.depth -= 1;
            inner
        };
        own.strictest(inner)
    }

    /// A denial of what the words would be as a command from the first, or from behind an option
    /// or its value: where the options of a wrapper are not known.
    pub(super) fn hidden(&self, words: &[Word]) -> Verdict {
        let is_option = |index: usize| {
            words
                .get(index)
                .is_some_and(|word| word.text.starts_with('-'))
        };
        (0..words.len())
            .filter(|start| {
                *start == 0 || is_option(start - 1) || (*start > 1 && is_option(start - 2))
            })
            .filter_map(|start| words.get(start..))
            .find_map(|words| self.book.forbidding(words))
            .map_or_else(allowed, of_rule)
    }

    fn wrapped(&mut self, name: &str, wrapper: &Wrapper, words: &[Word], input: Input) -> Verdict {
        let (scanned, taken) = match wrapper.options.leading(words) {
            Ok(leading) => leading,
            Err(problem) => return of_problem(name, problem).strictest(self.hidden(words)),
        };
        let mut verdict = allowed();
        let mut has_script = false;
        for option in &wrapper.script_in {
            let scripts: Vec<String> = scanned.values(option).map(str::to_owned).collect();
            for script in scripts {
                has_script = true;
                verdict = verdict.strictest(self.script_fed(&script, input));
            }
        }
        for path in &scanned.paths {
            verdict = verdict.strictest(self.leads(path));
        }
        verdict = verdict.strictest(self.obeyed(name, wrapper, &scanned));
        let mut rest = words.get(taken..).unwrap_or_default();
        if let Some(option) = &wrapper.script_after
            && scanned.has_any(std::slice::from_ref(option))
        {
            let script = rest.first().and_then(Word::as_literal);
            return verdict.strictest(match script {
                Some(script) => self.script_fed(script, input),
                None => uncertain(reasons::wraps(name)),
            });
        }
        if wrapper.script_after.is_some() {
            return opaque(reasons::wraps(name));
        }
        while wrapper.assigns
            && let Some((word, after)) = rest.split_first()
            && let Some((variable, value)) = word.text.split_once('=')
        {
            let value = Word {
                is_literal: word.is_literal,
                ..Word::literal(value)
            };
            verdict = verdict.strictest(self.given(variable, &value, command_behind(after)));
            rest = after;
        }
        if wrapper.records && !records_nowhere(rest, wrapper.before) {
            verdict = verdict.strictest(opaque(reasons::wraps(name)));
        }
        rest = rest.get(wrapper.before..).unwrap_or_default();
        if wrapper.takes_input && input != Input::Empty && !self.takes_fed(rest, &scanned) {
            verdict = verdict.strictest(opaque(reasons::takes_input(name)));
        }
        match rest {
            [] if has_script => verdict,
            [] => verdict.strictest(Verdict::new(
                wrapper.alone,
                reasons::wraps(name),
                Traits::NONE,
            )),
            command => verdict.strictest(self.words(command, input)),
        }
    }

    /// Judges what a wrapper would find of settings.
    fn obeyed(&self, name: &str, wrapper: &Wrapper, scanned: &Scanned<'_>) -> Verdict {
        let obeys = wrapper.lacks_with.is_empty() || scanned.has_any(&wrapper.lacks_with);
        if obeys && !wrapper.lacks.iter().all(|name| self.ground.lacks(name)) {
            opaque(reasons::obeys_settings(name))
        } else {
            allowed()
        }
    }

    /// Returns whether a command does no harm with the words that its wrapper makes of its input.
    /// Without a command they are printed.
    fn takes_fed(&mut self, command: &[Word], options: &Scanned<'_>) -> bool {
        if command.is_empty() {
            return true;
        }
        let has = |names: &[&str]| {
            let mut given = options.options.iter();
            given.any(|(option, _)| names.contains(option))
        };
        let replaced = REPLACING.into_iter().find(|option| has(&[*option]));
        let words = match replaced {
            _ if has(&REPLACING_OTHERWISE) => None,
            None => Some([command, &[fed(), fed()]].concat()),
            Some(option) => {
                let given: Vec<&str> = options.values(option).collect();
                replace_in(command, given.last().copied().unwrap_or("{}"))
            }
        };
        let kind = match self.feeding {
            Some(Kind::Path) if has(&ENDED_BY_NUL) => Kind::Path,
            Some(_) => Kind::Name,
            None => Kind::Printed,
        };
        let Some(words) = words else {
            return false;
        };
        let value = match kind {
            // Each begins as where `find` starts does.
            Kind::Path => Spread {
                text: "./x".to_owned(),
                ..Spread::unknown(kind)
            },
            Kind::Exact | Kind::Here | Kind::Name | Kind::Attached | Kind::Printed => {
                Spread::unknown(kind)
            }
        };
        self.variables.insert(FED.to_owned(), value);
        let verdict = self.words(&words, Input::Empty);
        self.variables.remove(FED);
        verdict.decision == CommandDecision::Allow
    }
}

/// Returns the words behind the assignments in front of them.
fn command_behind(words: &[Word]) -> &[Word] {
    let assigned = words.iter().take_while(|word| word.text.contains('='));
    words.get(assigned.count()..).unwrap_or_default()
}

/// Returns the word that stands for one from the input.
fn fed() -> Word {
    Word {
        is_literal: false,
        raw: format!("\"${FED}\""),
        ..Word::literal(FED)
    }
}

/// Puts the words of the input where a command has them; `None` where they may be more than an
/// operand or a part of one.
fn replace_in(command: &[Word], replaced: &str) -> Option<Vec<Word>> {
    let (program, words) = command.split_first()?;
    if !REPLACED.contains(&replaced) || program.text.contains(replaced) {
        return None;
    }
    let mut all = vec![program.clone()];
    for word in words {
        let text = word.as_literal()?;
        let Some((before, behind)) = text.split_once(replaced) else {
            all.push(word.clone());
            continue;
        };
        let is_plain = |text: &str| {
            text.chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "_./:-".contains(letter))
        };
        if !is_plain(before) || !is_plain(behind) {
            return None;
        }
        all.push(Word {
            raw: format!("\"{before}${{{FED}}}{behind}\""),
            ..fed()
        });
    }
    Some(all)
}

/// Returns whether a recorder keeps nothing, and none of the words behind its file may be its own
/// option.
fn records_nowhere(words: &[Word], before: usize) -> bool {
    let (files, command) = words.split_at(before.min(words.len()));
    let is_option = |word: &Word| word.text.starts_with('-') && word.text.len() > 1;
    !files.is_empty()
        && files
            .iter()
            .all(|file| file.as_literal() == Some("/dev/null"))
        && !command.iter().any(is_option)
}
