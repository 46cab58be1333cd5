//! The judgement of a command: every segment of it, through wrappers, by the tables.

use super::languages::{awk, find, jq, sed, sql};
use super::options::Problem;
use super::paths::{Ground, Leads};
use super::programs::{Language, Operands, Reader, Wrapper};
use super::reasons;
use super::rulebook::Rulebook;
use super::rules::{Rule, is_device, program_name};
use super::script::{self, Input, Redirection, Script, Segment, Structure};
use super::verdict::{CommandDecision, Justification, Trait, Traits, Verdict};
use super::word::Word;

/// How deep scripts inside scripts and wrappers inside wrappers are followed.
const MAX_DEPTH: usize = 8;
/// Where a system keeps the programs that are found by their names.
const SYSTEM_PROGRAMS: [&str; 3] = ["/bin/", "/usr/bin/", "/usr/local/bin/"];
/// Variables that change how things look and nothing else.
const HARMLESS_VARIABLES: [&str; 12] = [
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "TZ",
    "NO_COLOR",
    "COLUMNS",
    "CLICOLOR",
];
/// The actions of `find` that start programs.
const STARTING: [&str; 4] = ["-exec", "-execdir", "-ok", "-okdir"];
/// Programs that run what they read from their input.
const SHELLS: [&str; 18] = [
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "python", "python3", "perl", "ruby", "node",
    "php", "lua", "sudo", "source", "xargs", "at",
];

/// Judges one command line.
#[derive(Debug)]
pub struct Judge<'a> {
    book: &'a Rulebook,
    ground: Ground<'a>,
    depth: usize,
}

impl<'a> Judge<'a> {
    /// Makes a judge that starts at this place.
    pub fn new(book: &'a Rulebook, ground: Ground<'a>) -> Self {
        Self {
            book,
            ground,
            depth: 0,
        }
    }

    /// Judges a script whose input is empty.
    pub fn script(&mut self, script: &str) -> Verdict {
        self.script_fed(script, Input::Empty)
    }

    fn script_fed(&mut self, text: &str, input: Input) -> Verdict {
        if self.depth >= MAX_DEPTH {
            return opaque(reasons::unreadable(script::Unreadable::TooMuch)).about(text);
        }
        let script = match script::read(text) {
            Ok(script) => script,
            Err(why) => return opaque(reasons::unreadable(why)).about(text),
        };
        self.depth += 1;
        let verdict = self.segments(&script, input);
        self.depth -= 1;
        let of_segments = verdict.unwrap_or_else(|| opaque(reasons::nothing_to_run()).about(text));
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
                verdict
            })
            .reduce(Verdict::strictest)
    }

    fn segment(&mut self, segment: &Segment, input: Input) -> Verdict {
        let mut verdict = match segment.words.as_slice() {
            [] if segment.redirections.is_empty() && segment.assignments.is_empty() => allowed(),
            [] => opaque(reasons::nothing_to_run()),
            words => self.words(words, input),
        };
        for script in &segment.substitutions {
            let inner = self.script_fed(script, input);
            verdict = verdict
                .strictest(opaque(reasons::substitution()))
                .strictest(inner);
        }
        for (name, value) in &segment.assignments {
            verdict = verdict.strictest(of_variable(name, value));
        }
        for redirection in &segment.redirections {
            verdict = verdict.strictest(self.redirection(redirection));
        }
        verdict
    }

    fn redirection(&self, redirection: &Redirection) -> Verdict {
        match redirection {
            Redirection::Descriptor | Redirection::Text { is_literal: true } => allowed(),
            Redirection::Text { is_literal: false } => opaque(reasons::not_literal("<<")),
            Redirection::Process => opaque(reasons::substitution()),
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
            None => opaque(reasons::not_literal(&word.raw)),
        }
    }

    fn leads(&self, path: &str) -> Verdict {
        match self.ground.leads(path) {
            Leads::Inside => allowed(),
            Leads::ToSecrets => ask(reasons::keeps_secrets(path), &[]),
            Leads::Outside => ask(reasons::outside(path), &[Trait::OutsideWorkspace]),
        }
    }

    /// Judges a program with its words.
    fn words(&mut self, words: &[Word], input: Input) -> Verdict {
        if let Some(rule) = self.book.forbidding(words) {
            return of_rule(rule);
        }
        let Some((first, rest)) = words.split_first() else {
            return opaque(reasons::nothing_to_run());
        };
        let Some(program) = first.as_literal() else {
            return opaque(reasons::not_literal(&first.raw));
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
            return opaque(reasons::feeds_a_shell(name)).and_traits(self.asked_traits(words));
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
        let reaches_out = words.iter().any(|word| {
            let text = word.text.rsplit('=').next().unwrap_or(&word.text);
            is_path(text) && self.ground.leads(text) == Leads::Outside
        });
        if reaches_out {
            verdict.and_traits(Traits::NONE.with(Trait::OutsideWorkspace))
        } else {
            verdict
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

    /// Looks through a program that starts another.
    fn through(&mut self, name: &str, wrapper: &Wrapper, words: &[Word], input: Input) -> Verdict {
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
            opaque(reasons::unreadable(script::Unreadable::TooMuch))
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
    fn hidden(&self, words: &[Word]) -> Verdict {
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
                None => opaque(reasons::wraps(name)),
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

    /// Judges a program that may be known to only read.
    fn read(&mut self, name: &str, words: &[Word]) -> Verdict {
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
        let scanned = match reader.options.scan(words) {
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
        let mut programs: Vec<&str> = Vec::new();
        if let Some(language) = reader.language {
            let given: &[&str] = match language {
                Language::Awk => &["--source"],
                Language::Sed => &["-e", "--expression"],
                Language::Sqlite => &["-cmd"],
                Language::Jq | Language::Find => &[],
            };
            programs.extend(given.iter().flat_map(|option| scanned.values(option)));
            operands = without_program(language, operands, &mut programs);
            if !programs.iter().all(|program| only_reads(language, program)) {
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
                return leaves.map_or_else(allowed, |path| {
                    ask(reasons::outside(path), &[Trait::OutsideWorkspace])
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

/// Takes the operands that are a program in a language.
fn without_program<'w>(
    language: Language,
    operands: &'w [&'w str],
    programs: &mut Vec<&'w str>,
) -> &'w [&'w str] {
    match language {
        Language::Sqlite => {
            let (database, statements) = operands.split_at(operands.len().min(1));
            if statements.is_empty() && programs.is_empty() {
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

fn only_reads(language: Language, program: &str) -> bool {
    match language {
        Language::Awk => awk::only_reads(program),
        Language::Sed => sed::only_reads(program),
        Language::Sqlite => sql::only_selects(program),
        Language::Jq => jq::only_reads(program),
        Language::Find => false,
    }
}

fn allowed() -> Verdict {
    Verdict::new(CommandDecision::Allow, reasons::only_reads(), Traits::NONE)
}

fn ask(why: Justification, traits: &[Trait]) -> Verdict {
    let traits = traits.iter().copied().collect();
    Verdict::new(CommandDecision::Ask, why, traits)
}

fn opaque(why: Justification) -> Verdict {
    ask(why, &[Trait::Opaque])
}

fn of_rule(rule: &Rule) -> Verdict {
    Verdict::new(rule.decision, rule.justification.clone(), rule.traits())
}

fn of_problem(program: &str, problem: Problem) -> Verdict {
    match problem {
        Problem::NotLiteral(word) => opaque(reasons::not_literal(&word)),
        Problem::Unknown(option) => ask(reasons::unknown_option(program, &option), &[]),
    }
}

fn of_structure(structure: Structure) -> Verdict {
    match structure {
        Structure::Control => opaque(reasons::structure()),
        Structure::Background => opaque(reasons::background()),
        Structure::Function => opaque(reasons::function()),
        Structure::ForkBomb => Verdict::new(
            CommandDecision::Deny,
            reasons::fork_bomb(),
            Traits::NONE.with(Trait::Destructive),
        ),
    }
}

fn of_variable(name: &str, value: &Word) -> Verdict {
    let is_harmless = HARMLESS_VARIABLES.contains(&name)
        && value.as_literal().is_some_and(|text| !text.contains('/'));
    if is_harmless {
        allowed()
    } else {
        opaque(reasons::sets_variable(name))
    }
}
