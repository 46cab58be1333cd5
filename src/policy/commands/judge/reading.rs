//! Programs that are known to only read: their options, operands and languages.

use std::path::Path;

use super::Judge;
use super::said::{allowed, ask, of_problem, opaque};
use crate::policy::commands::languages::{awk, find, jq, sed, sql};
use crate::policy::commands::options::Scanned;
use crate::policy::commands::programs::{Language, Operands, Reader};
use crate::policy::commands::reasons;
use crate::policy::commands::script::Input;
use crate::policy::commands::verdict::{Trait, Verdict};
use crate::policy::commands::word::Word;
use crate::policy::is_secret_like;

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
        let unbundled = reader.bundled.then(|| unbundled(words));
        let scanned = match reader.options.scan(unbundled.as_deref().unwrap_or(words)) {
            Ok(scanned) => scanned,
            Err(problem) => return of_problem(name, problem),
        };
        if !reader.needs.is_empty() && !scanned.has_any(&reader.needs) {
            return ask(reasons::unknown_subcommand(name), &[]);
        }
        if scanned.operands.len() > reader.most {
            return ask(reasons::unknown_subcommand(name), &[]);
        }
        let mut operands = scanned.operands.as_slice();
        if let Some(language) = reader.language {
            let mut programs = given_programs(language, &scanned);
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
        let place = found.paths.first().map_or(".", String::as_str);
        for command in &found.commands {
            let words: Vec<Word> = command
                .iter()
                .map(|word| match word.text.as_str() {
                    "{}" => Word::literal(place),
                    _ => word.clone(),
                })
                .collect();
            let in_other_words = words.iter().any(|word| word.text.contains("{}"));
            verdict = verdict.strictest(self.words(&words, Input::Empty));
            if in_other_words || !found.only_files {
                verdict = verdict.strictest(opaque(reasons::wraps(name)));
            }
        }
        verdict
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
            Operands::None | Operands::Text | Operands::Plain | Operands::Format => {
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
        paths
            .iter()
            .map(|path| self.leads(path))
            .reduce(Verdict::strictest)
            .unwrap_or_else(allowed)
    }
}

/// Writes options without a dash as options: the file of `tzfv` is the word behind it, so `f` goes
/// last.
fn unbundled(words: &[Word]) -> Vec<Word> {
    let mut words = words.to_vec();
    if let Some(first) = words.first_mut()
        && first.is_literal
        && !first.text.is_empty()
        && first.text.chars().all(|letter| "tvzjJaf".contains(letter))
    {
        let files = first.text.matches('f').count();
        let letters = first.text.replace('f', "");
        *first = Word::literal(&format!("-{letters}{}", "f".repeat(files)));
    }
    words
}

/// Takes the operands that are a program in a language.
fn without_program<'w>(
    language: Language,
    operands: &'w [&'w str],
    programs: &mut Vec<&'w str>,
) -> &'w [&'w str] {
    match language {
        Language::Sqlite => {
            let (database, statements) = operands.split_at(operands.len().min(1));
            // What no statement says comes from the input.
            if statements.is_empty() {
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
        Language::Jq => all(jq::only_reads),
        Language::Find => false,
    }
}
