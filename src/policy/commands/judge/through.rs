//! Looking through programs that start others.

use super::said::{allowed, of_problem, of_rule, of_variable, opaque, uncertain};
use super::{Judge, MAX_DEPTH};
use crate::policy::commands::programs::Wrapper;
use crate::policy::commands::reasons;
use crate::policy::commands::script::{self, Input};
use crate::policy::commands::verdict::{CommandDecision, Traits, Verdict};
use crate::policy::commands::word::Word;

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
        let mut rest = words.get(taken..).unwrap_or_default();
        if let Some(option) = &wrapper.script_after
            && scanned.has_any(std::slice::from_ref(option))
        {
            let script = rest.first().and_then(Word::as_literal);
            return match script {
                Some(script) => self.script_fed(script, input),
                None => uncertain(reasons::wraps(name)),
            };
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
            verdict = verdict.strictest(of_variable(variable, &value));
            rest = after;
        }
        rest = rest.get(wrapper.before..).unwrap_or_default();
        if wrapper.takes_input && input != Input::Empty {
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
}
