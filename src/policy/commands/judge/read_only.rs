//! Programs that are known to only read: their options, operands and languages.

use std::path::Path;

use super::Judge;
use super::operands::tests_variables;
use super::spread::{Kind, Spread};
use super::verdicts::{allowed, ask, of_problem, opaque};
use crate::commands::languages::{awk, find, jq, sed, sql};
use crate::commands::options::Scanned;
use crate::commands::programs::{Language, Operands, Reader, Unknown};
use crate::commands::reasons;
use crate::commands::script::Input;
use crate::commands::traits::Trait;
use crate::commands::verdict::{CommandDecision, Verdict};
use crate::commands::word::Word;
use crate::is_secret_like;

/// The actions of `find` that start programs.
const STARTING: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];

impl Judge<'_> {
    /// Judges a program that may be known to only read.
    pub(super) fn read(&mut self, name: &str, words: &[Word]) -> Verdict {
        let readers = self.book.readers();
        if !readers.knows(name) {
            return ask(reasons::unknown_program(name), &[]);
        }
        if name == "git" && self.ground.has_moved() {
            return opaque(reasons::in_another_repository());
        }
        let mut rest = words;
        let mut verdict = allowed();
        if let Some(globals) = readers.globals(name) {
            match globals.leading(words) {
                Ok((scanned, taken)) => {
                    for path in &scanned.paths {
                        verdict = verdict.strictest(self.leads(path));
                    }
                    rest = words.get(taken..).unwrap_or_default();
                }
                Err(problem) => return of_problem(name, problem),
            }
        }
        let texts: Vec<&str> = rest.iter().map_while(Word::as_literal).collect();
        let found = readers.find(name, &texts);
        let uses = found.into_iter().map(|reader| {
            let words = rest.get(reader.subcommand.len()..).unwrap_or_default();
            (reader, words.to_vec())
        });
        let uses: Vec<_> = uses.collect();
        let best = uses
            .into_iter()
            .map(|(reader, words)| self.read_as(name, reader, &words))
            .min_by_key(|verdict| verdict.decision);
        match best {
            Some(best) => verdict.strictest(best),
            None => ask(reasons::unknown_subcommand(name), &[]),
        }
    }

    fn read_as(&mut self, name: &str, reader: &Reader, words: &[Word]) -> Verdict {
        if reader.language == Some(Language::Find) {
            return self.find(name, words);
        }
        if !reader.lacks.iter().all(|name| self.ground.lacks(name)) {
            return opaque(reasons::obeys_settings(name));
        }
        if reader.unknown == Unknown::Compared && tests_variables(words) {
            return ask(reasons::unknown_subcommand(name), &[]);
        }
        let mut words = self.operands_for(reader, words);
        if reader.bundled {
            unbundle(&mut words);
        }
        let scanned = match reader.options.scan(&words) {
            Ok(scanned) => scanned,
            Err(problem) => return of_problem(name, problem),
        };
        if !reader.needs.is_empty() && !scanned.has_any(&reader.needs) {
            return ask(reasons::unknown_subcommand(name), &[]);
        }
        if scanned.operands.len() > reader.most || !ends_as_it_must(reader, &scanned) {
            return ask(reasons::unknown_subcommand(name), &[]);
        }
        let mut operands = scanned.operands.as_slice();
        if let Some(language) = reader.language {
            let mut programs = given_programs(language, &scanned);
            let first_unknown = scanned.unknown.first().copied();
            if first_unknown.is_some_and(|index| index < known_operands(language, &programs)) {
                return ask(reasons::acts_in_language(name), &[]);
            }
            operands = without_program(language, operands, &mut programs);
            if !only_read(language, &programs) {
                return ask(reasons::acts_in_language(name), &[]);
            }
        }
        let mut verdict = self.operands(name, reader.operands, operands, &scanned.options);
        for path in &scanned.paths {
            verdict = verdict.strictest(self.leads(path));
        }
        verdict
    }

    fn find(&mut self, name: &str, words: &[Word]) -> Verdict {
        let words = &self.places_to_look(words);
        let Some(found) = find::read(words) else {
            let started = words
                .iter()
                .position(|word| STARTING.contains(&word.text.as_str()));
            let after = started.and_then(|index| words.get(index + 1..));
            return ask(reasons::acts_in_language(name), &[])
                .strictest(self.hidden(after.unwrap_or_default()));
        };
        let mut verdict = allowed();
        for path in &found.paths {
            verdict = verdict.strictest(self.leads(path));
        }
        let sought = found.names.iter().find(|it| is_secret_like(Path::new(it)));
        if let Some(sought) = sought.filter(|_| !found.commands.is_empty()) {
            verdict = verdict.strictest(ask(reasons::keeps_secrets(sought), &[Trait::Secrets]));
        }
        let place = found.paths.first().map_or(".", String::as_str);
        for command in &found.commands {
            verdict = verdict.strictest(self.started_on(name, command, place));
        }
        verdict
    }

    /// Judges a command that `find` starts on what it finds below a place. It may be a link, which
    /// the sandbox follows no further than into what any reading command sees.
    fn started_on(&mut self, name: &str, command: &[Word], place: &str) -> Verdict {
        let words: Vec<Word> = command
            .iter()
            .map(|word| match word.text.as_str() {
                "{}" => Word::literal(place),
                _ => word.clone(),
            })
            .collect();
        let in_other_words = words.iter().any(|word| word.text.contains("{}"));
        let reads = words.split_first().is_some_and(|(program, rest)| {
            let program = program.as_literal().unwrap_or_default();
            self.read(program, rest).decision == CommandDecision::Allow
        });
        let verdict = self.words(&words, Input::Empty);
        if in_other_words || !reads {
            return verdict.strictest(opaque(reasons::wraps(name)));
        }
        verdict
    }

    /// Writes out the places where `find` looks, which stand in front of its expression, and the
    /// patterns that it is given without quotes.
    fn places_to_look(&self, words: &[Word]) -> Vec<Word> {
        let is_place = |word: &&Word| !word.text.starts_with(['-', '(', '!']);
        let count = words.iter().take_while(is_place).count();
        let (places, expression) = words.split_at(count);
        let mut all = Vec::new();
        for place in places {
            let spreads = self.spread(place).filter(|spreads| {
                let leads = |spread: &Spread| matches!(spread.kind, Kind::Exact | Kind::Path);
                spreads.iter().all(leads)
            });
            match spreads {
                Some(spreads) => {
                    all.extend(spreads.iter().map(|spread| Word::literal(&spread.text)));
                }
                None => all.push(place.clone()),
            }
        }
        for (index, word) in expression.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|index| expression.get(index));
            let is_sought = before.is_some_and(|it| find::OF_NAMES.contains(&it.text.as_str()));
            all.push(match self.spread(word).as_deref() {
                // The names that it finds have a dot in them, as no word of an expression has.
                Some([one]) if is_sought && one.kind == Kind::Here && one.text.contains('.') => {
                    Word::literal(&one.text)
                }
                Some(_) | None => word.clone(),
            });
        }
        all
    }

    fn operands(
        &self,
        name: &str,
        kind: Operands,
        operands: &[&str],
        options: &[(&str, Option<String>)],
    ) -> Verdict {
        let pattern_is_given = options
            .iter()
            .any(|(option, _)| matches!(*option, "-e" | "-f" | "--regexp" | "--file" | "--files"));
        let paths = match kind {
            Operands::Paths => operands,
            Operands::Pattern if pattern_is_given => operands,
            Operands::Pattern => operands.get(1..).unwrap_or_default(),
            Operands::None
            | Operands::Text
            | Operands::Plain
            | Operands::Format
            | Operands::Names
            | Operands::Keys => {
                return if kind.is_text(operands) {
                    allowed()
                } else {
                    ask(reasons::unknown_subcommand(name), &[])
                };
            }
            Operands::Revisions => {
                let leaves = operands
                    .iter()
                    .find(|word| word.starts_with('/') || word.split('/').any(|name| name == ".."));
                if let Some(path) = leaves {
                    return ask(reasons::outside(path), &[Trait::OutsideWorkspace]);
                }
                // `HEAD:.env` and `:.env` are the file as it was committed.
                let in_history = |word: &&&str| {
                    let path = word.rsplit(':').next().unwrap_or_default();
                    is_secret_like(Path::new(path))
                };
                return operands
                    .iter()
                    .find(in_history)
                    .map_or_else(allowed, |path| {
                        ask(reasons::keeps_secrets(path), &[Trait::Secrets])
                    });
            }
        };
        // Some programs take it for a command, such as `less +!id`.
        if let Some(command) = paths.iter().find(|path| path.starts_with('+')) {
            return ask(reasons::unknown_option(name, command), &[]);
        }
        paths
            .iter()
            .map(|path| self.leads(path))
            .reduce(Verdict::strictest)
            .unwrap_or_else(allowed)
    }
}

/// Returns whether the word that a program must have last stands there, behind another operand.
fn ends_as_it_must(reader: &Reader, scanned: &Scanned<'_>) -> bool {
    reader.last.as_ref().is_none_or(|last| {
        scanned.operands.len() > 1
            && scanned.unknown.is_empty()
            && scanned.operands.last() == Some(&last.as_str())
    })
}

/// Returns how many of the first operands must be known, since they may be a program.
fn known_operands(language: Language, programs: &[&str]) -> usize {
    match language {
        Language::Sqlite | Language::Duckdb => usize::MAX,
        Language::Awk | Language::Sed | Language::Jq | Language::Find => {
            usize::from(programs.is_empty())
        }
    }
}

/// Writes options without a dash as options: the file of `tzfv` is the word behind it, so `f` goes
/// last.
fn unbundle(words: &mut [Word]) {
    if let Some(first) = words.first_mut()
        && first.is_literal
        && !first.text.is_empty()
        && first.text.chars().all(|letter| "tvzjJaf".contains(letter))
    {
        let files = first.text.matches('f').count();
        let letters = first.text.replace('f', "");
        *first = Word::literal(&format!("-{letters}{}", "f".repeat(files)));
    }
}

/// Takes the operands that are a program in a language.
fn without_program<'w>(
    language: Language,
    operands: &'w [&'w str],
    programs: &mut Vec<&'w str>,
) -> &'w [&'w str] {
    match language {
        Language::Sqlite | Language::Duckdb => {
            let (database, statements) = operands.split_at(operands.len().min(1));
            // What no statement says comes from the input. DuckDB ends behind those of its options.
            let is_given = language == Language::Duckdb && !programs.is_empty();
            if statements.is_empty() && !is_given {
                programs.push("");
            }
            programs.extend(statements);
            database
        }
        Language::Awk | Language::Sed | Language::Jq if programs.is_empty() => {
            let (program, files) = operands.split_at(operands.len().min(1));
            programs.extend(program);
            if program.is_empty() {
                programs.push("@");
            }
            files
        }
        Language::Awk | Language::Sed | Language::Jq | Language::Find => operands,
    }
}

/// Returns the programs that options give, in their order.
fn given_programs<'w>(language: Language, scanned: &'w Scanned<'_>) -> Vec<&'w str> {
    let given: &[&str] = match language {
        Language::Awk => &["--source"],
        Language::Sed => &["-e", "--expression"],
        Language::Sqlite => &["-cmd"],
        Language::Duckdb => &["-cmd", "-c", "-s"],
        Language::Jq | Language::Find => &[],
    };
    let options = scanned.options.iter();
    options
        .filter(|(option, _)| given.contains(option))
        .filter_map(|(_, value)| value.as_deref())
        .collect()
}

fn only_read(language: Language, programs: &[&str]) -> bool {
    let all = |only_reads: fn(&str) -> bool| programs.iter().all(|program| only_reads(program));
    match language {
        Language::Awk => all(awk::only_reads),
        // It reads them as the lines of one script.
        Language::Sed => sed::only_reads(&programs.join("\n")),
        Language::Sqlite => all(sql::only_selects),
        Language::Duckdb => all(sql::only_selects_in_duckdb),
        Language::Jq => all(jq::only_reads),
        Language::Find => false,
    }
}
