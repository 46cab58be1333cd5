//! What a script has changed by the time that a segment runs: its variables, where it is in its
//! loops, and the directory.

use std::rc::Rc;

use super::Judge;
use super::spread::Kind;
use super::verdicts::{allowed, ask, of_variable, opaque, uncertain};
use crate::commands::loops::{Loop, Values, is_own_variable};
use crate::commands::reasons;
use crate::commands::script::{self, Input, Script, Segment};
use crate::commands::traits::Trait;
use crate::commands::verdict::Verdict;
use crate::commands::word::Word;

/// How many words are judged in all, since those in loops are judged for each value.
const MAX_WORDS: usize = 16 * 1024;

impl Judge<'_> {
    /// Judges a segment for each value that the loops around it give their variables.
    pub(super) fn looped(
        &mut self,
        script: &Script,
        index: usize,
        loops: &[Rc<Loop>],
        input: Input,
    ) -> Verdict {
        let Some((around, inner)) = loops.split_first() else {
            return self.turn(script, index, input);
        };
        if let Values::Words(words) = &around.values {
            self.words_judged += words.len();
        }
        if self.words_judged > MAX_WORDS {
            return uncertain(reasons::unreadable(script::Unreadable::TooMuch));
        }
        let listed = match &around.values {
            Values::Lines(Some(by)) => self.listed(script, *by).map(|_| Kind::Name),
            Values::Lines(None) | Values::Words(_) => None,
        };
        let values = self.values_of(around, listed).unwrap_or_default();
        if values.is_empty() {
            self.variables.remove(&around.variable);
            return self
                .looped(script, index, inner, input)
                .strictest(uncertain(reasons::not_literal(&around.variable)));
        }
        let mut verdict = allowed();
        for value in values {
            self.variables.insert(around.variable.clone(), value);
            verdict = verdict.strictest(self.looped(script, index, inner, input));
        }
        self.variables.remove(&around.variable);
        verdict
    }

    fn turn(&mut self, script: &Script, index: usize, input: Input) -> Verdict {
        let Some(segment) = script.segments.get(index) else {
            return uncertain(reasons::nothing_to_run());
        };
        self.words_judged += 1 + segment.words.len();
        if self.words_judged > MAX_WORDS {
            return uncertain(reasons::unreadable(script::Unreadable::TooMuch));
        }
        self.feeding = segment.fed_by.and_then(|by| self.listed(script, by));
        self.is_looped = !segment.loops.is_empty();
        self.segment(segment, input)
    }

    /// Judges a segment that sets variables and does nothing else.
    pub(super) fn assignments(&mut self, segment: &Segment) -> Verdict {
        let mut verdict = allowed();
        for (name, word) in &segment.assignments {
            let is_certain = segment.is_certain && is_own_variable(name);
            match self.assigned(word) {
                Some(value) if is_certain => {
                    self.variables.insert(name.clone(), value);
                }
                Some(_) | None => {
                    self.variables.remove(name);
                    verdict = verdict.strictest(opaque(reasons::sets_variable(name)));
                }
            }
        }
        verdict
    }

    /// Judges a variable that is set for one command. One that no shell obeys is harmless to a
    /// program that does the same whatever its environment says: it has no option, and so no
    /// setting, that writes, runs or sends anything.
    pub(super) fn given(&self, name: &str, value: &Word, command: &[Word]) -> Verdict {
        let program = command.first().and_then(Word::as_literal);
        let only_looks = program.is_some_and(|program| self.book.readers().only_look(program));
        if only_looks && is_own_variable(name) && value.as_literal().is_some() {
            return allowed();
        }
        of_variable(name, value)
    }

    /// Enters a directory. The home is the workspace or a directory with nothing in it, so what is
    /// relative to either is inside.
    pub(super) fn change_directory(&mut self, words: &[Word]) -> Verdict {
        let named = match words {
            [] => self.spread_to_one(&Word::operand("~", "~")),
            [directory] => self.spread_to_one(directory),
            _ => None,
        };
        let directory = named
            .filter(|spread| matches!(spread.kind, Kind::Exact | Kind::Path))
            .filter(|spread| !spread.text.starts_with('-') && !self.is_looped);
        let verdict = directory.as_ref().map_or_else(
            || ask(reasons::outside("~"), &[Trait::OutsideWorkspace]),
            |directory| self.leads(&directory.text),
        );
        self.ground
            .enter(directory.as_ref().map_or("/", |directory| &directory.text));
        verdict
    }
}
