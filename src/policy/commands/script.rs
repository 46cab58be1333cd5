//! A script as segments: each simple command with its words, redirections and assignments.
//!
//! The grammar is brush-parser's; what its words mean is determined by `word`. Everything beyond a
//! list or a pipeline of simple commands is recorded as a [`Structure`]; the commands inside it are
//! still segments, so that a denial finds them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use brush_parser::ast::{
    AndOr, AndOrList, Command, CommandPrefixOrSuffixItem as Item, CompoundCommand, CompoundList,
    ElseClause, ForClauseCommand, IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, Pipeline,
    Program, SeparatorOperator, SimpleCommand, WhileOrUntilClauseCommand,
};
use brush_parser::{ParserOptions, Token, parse_tokens, uncached_tokenize_str};

use super::loops::{Loop, Values, is_own_variable, is_plain_test, read_variables};
use super::portable_syntax::{self, Ambiguity, are_alike};
use super::word::{self, Word};

/// The longest script that is read, in bytes.
pub(crate) const MAX_SCRIPT_BYTES: usize = 16 * 1024;
/// How many lines are left out to find a beginning that can be read.
const MOST_LINES_LEFT_OUT: usize = 50;
/// How deep brackets and structures may be nested: the parser descends once per level, and
/// tries several ways at each.
const MAX_NESTING: usize = 12;
/// Words that open a structure, each of which the parser descends into.
const OPENING_WORDS: [&str; 8] = [
    "if", "while", "until", "for", "case", "select", "coproc", "function",
];

/// A script that was read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// Its simple commands, in their order.
    pub segments: Vec<Segment>,
    /// What it has besides lists and pipelines.
    pub structures: Vec<Structure>,
}

/// What makes a script more than a list of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Structure {
    /// A group, a condition, a loop over words or a plain test: its segments are all that it does.
    Steps,
    /// Any other loop, `case`, test or arithmetic.
    Control,
    /// Something goes on in the background.
    Background,
    /// A function is defined.
    Function,
    /// A function that starts itself again and again.
    ForkBomb,
    /// Shells read a part of it differently, so that other commands may run than those read here.
    Ambiguous(Ambiguity),
}

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The program and its words.
    pub words: Vec<Word>,
    /// The variables that it sets, with their values.
    pub assignments: Vec<(String, Word)>,
    /// Where its input and outputs go.
    pub redirections: Vec<Redirection>,
    /// The scripts that its words would run before it.
    pub substitutions: Vec<String>,
    /// What feeds its standard input.
    pub input: Input,
    /// Which segment feeds it alone, by its place in the script.
    pub fed_by: Option<usize>,
    /// The loops around it, the outermost first.
    pub loops: Vec<Rc<Loop>>,
    /// Whether it runs once and in any case, before everything behind it.
    pub is_certain: bool,
}

/// What feeds the standard input of a segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Input {
    /// The script's own, which is empty.
    #[default]
    Empty,
    /// The segment before it.
    Piped,
    /// A file or a text.
    Redirected,
}

/// Where an input or output goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Redirection {
    /// To another descriptor, or closed.
    Descriptor,
    /// From a file.
    Read(Word),
    /// To a file.
    Write(Word),
    /// From a text of the script itself.
    Text {
        /// Whether nothing in it is expanded.
        is_literal: bool,
    },
    /// To or from another command.
    Process,
}

impl Segment {
    /// Returns it as written, without redirections.
    pub(crate) fn text(&self) -> String {
        let assigned = self
            .assignments
            .iter()
            .map(|(name, value)| format!("{name}={}", value.raw));
        let words = self.words.iter().map(|word| word.raw.clone());
        assigned.chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// Why a script could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It is too long, or nested too deep.
    TooMuch,
    /// No shell would read it either, or only a newer one.
    NotAScript,
    /// Shells read its here-documents differently.
    Ambiguous(Ambiguity),
}

/// Reads a script.
pub(crate) fn read(script: &str) -> Result<Script, Unreadable> {
    // Shells differ in what they take for a blank.
    let has_odd_blank = script
        .chars()
        .any(|letter| letter.is_whitespace() && !matches!(letter, ' ' | '\t' | '\n'));
    if has_odd_blank {
        return Err(Unreadable::NotAScript);
    }
    if script.len() > MAX_SCRIPT_BYTES || nesting(script) > MAX_NESTING {
        return Err(Unreadable::TooMuch);
    }
    let lexemes = portable_syntax::read(script);
    // The parser takes all memory for some here-documents that are not read here.
    if let Err(ambiguity) = lexemes
        && script.contains("<<")
    {
        return Err(Unreadable::Ambiguous(ambiguity));
    }
    let parsed = catch_unwind(AssertUnwindSafe(|| parse(script)));
    let Ok(Some((program, tokens))) = parsed else {
        return Err(Unreadable::NotAScript);
    };
    let mut reader = Reader::default();
    reader.program(&program);
    match lexemes {
        Ok(lexemes) if are_alike(&lexemes, &tokens) => {}
        Ok(_) => reader.has(Structure::Ambiguous(Ambiguity::Syntax)),
        Err(ambiguity) => reader.has(Structure::Ambiguous(ambiguity)),
    }
    Ok(reader.script)
}

fn parse(script: &str) -> Option<(Program, Vec<Token>)> {
    let options = ParserOptions::default();
    let tokens = uncached_tokenize_str(script, &options.tokenizer_options()).ok()?;
    let program = parse_tokens(&tokens, &options).ok()?;
    Some((program, tokens))
}

/// Reads the lines before the one that makes no script of it: a shell has run them when it gets
/// there. `None` when there are none, or too many lines behind them.
pub(crate) fn read_beginning(script: &str) -> Option<Script> {
    let mut beginning = script;
    for _ in 0..MOST_LINES_LEFT_OUT {
        (beginning, _) = beginning.rsplit_once('\n')?;
        if let Ok(read) = read(beginning) {
            return Some(read);
        }
    }
    None
}

/// Returns an upper bound of how deep a script is nested.
fn nesting(script: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0_usize);
    for letter in script.chars() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    let opened = script
        .split(|letter: char| !letter.is_ascii_alphabetic())
        .filter(|word| OPENING_WORDS.contains(word))
        .count();
    let quoted_back = script.matches('`').count() / 2;
    deepest.max(opened / 2).max(quoted_back / 2)
}

#[derive(Default)]
struct Reader {
    script: Script,
    /// The loops that are being read, the outermost first.
    loops: Vec<Rc<Loop>>,
    /// The input of the structure that is being read.
    inherited: Input,
    /// How many structures, pipelines and conditions are around what is being read.
    depth: usize,
}

impl Reader {
    fn program(&mut self, program: &Program) {
        for list in &program.complete_commands {
            self.list(list);
        }
    }

    fn list(&mut self, list: &CompoundList) {
        for item in &list.0 {
            if matches!(item.1, SeparatorOperator::Async) {
                self.has(Structure::Background);
            }
            self.and_or(&item.0);
        }
    }

    fn and_or(&mut self, list: &AndOrList) {
        self.pipeline(&list.first);
        self.depth += 1;
        for item in &list.additional {
            match item {
                AndOr::And(pipeline) | AndOr::Or(pipeline) => self.pipeline(pipeline),
            }
        }
        self.depth -= 1;
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        let is_deeper = pipeline.seq.len() > 1;
        self.depth += usize::from(is_deeper);
        let mut before = None;
        for (index, command) in pipeline.seq.iter().enumerate() {
            let fed = if index == 0 {
                Fed {
                    input: self.inherited,
                    by: None,
                }
            } else {
                Fed {
                    input: Input::Piped,
                    by: before,
                }
            };
            self.command(command, fed);
            before = matches!(command, Command::Simple(_))
                .then(|| self.script.segments.len().checked_sub(1))
                .flatten();
        }
        self.depth -= usize::from(is_deeper);
    }

    fn has(&mut self, structure: Structure) {
        self.script.structures.push(structure);
    }

    fn command(&mut self, command: &Command, fed: Fed) {
        match command {
            Command::Simple(simple) => self.simple(simple, fed),
            Command::Compound(compound, redirections) => {
                let redirections = redirections.as_ref().map(|list| list.0.as_slice());
                self.structure(compound, redirections.unwrap_or_default(), fed);
            }
            Command::Function(function) => {
                self.has(Structure::Function);
                let before = self.script.segments.len();
                let redirections = function.body.1.as_ref().map(|list| list.0.as_slice());
                self.structure(&function.body.0, redirections.unwrap_or_default(), fed);
                let restarts = self
                    .script
                    .segments
                    .iter()
                    .skip(before)
                    .filter(|segment| {
                        segment
                            .words
                            .first()
                            .is_some_and(|word| word.text == function.fname.value)
                    })
                    .count();
                if restarts > 1 {
                    self.has(Structure::ForkBomb);
                }
            }
            Command::ExtendedTest(test, redirections) => {
                self.has(if is_plain_test(&test.expr) {
                    Structure::Steps
                } else {
                    Structure::Control
                });
                self.redirected(redirections.as_ref().map(|list| list.0.as_slice()));
            }
        }
    }

    /// Reads a structure, whose input is that of everything in it.
    fn structure(&mut self, compound: &CompoundCommand, redirections: &[IoRedirect], mut fed: Fed) {
        self.redirected(Some(redirections));
        if !redirections.is_empty() && fed.input == Input::Empty {
            fed.input = Input::Redirected;
        }
        if !redirections.is_empty() {
            fed.by = None;
        }
        let outside = std::mem::replace(&mut self.inherited, fed.input);
        self.depth += 1;
        self.compound(compound, fed);
        self.depth -= 1;
        self.inherited = outside;
    }

    fn compound(&mut self, compound: &CompoundCommand, fed: Fed) {
        match compound {
            CompoundCommand::Arithmetic(_) => self.has(Structure::Control),
            CompoundCommand::ArithmeticForClause(clause) => {
                self.has(Structure::Control);
                self.list(&clause.body.list);
            }
            CompoundCommand::BraceGroup(group) => {
                self.has(Structure::Steps);
                self.list(&group.list);
            }
            CompoundCommand::Subshell(subshell) => self.subshell(&subshell.list),
            CompoundCommand::ForClause(clause) => self.for_clause(clause),
            CompoundCommand::CaseClause(clause) => {
                self.has(Structure::Control);
                self.words_only([&clause.value]);
                for list in clause.cases.iter().filter_map(|case| case.cmd.as_ref()) {
                    self.list(list);
                }
            }
            CompoundCommand::IfClause(clause) => {
                self.has(Structure::Steps);
                self.list(&clause.condition);
                self.list(&clause.then);
                for ElseClause { condition, body } in clause.elses.iter().flatten() {
                    if let Some(condition) = condition {
                        self.list(condition);
                    }
                    self.list(body);
                }
            }
            CompoundCommand::WhileClause(clause) => self.while_clause(clause, fed),
            CompoundCommand::UntilClause(clause) => {
                self.has(Structure::Control);
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
            CompoundCommand::Coprocess(coprocess) => {
                self.has(Structure::Control);
                self.has(Structure::Background);
                let input = Input::Piped;
                self.command(&coprocess.body, Fed { input, by: None });
            }
        }
    }

    /// Reads a subshell: it is there to look into another directory and to come back.
    fn subshell(&mut self, list: &CompoundList) {
        let start = self.script.segments.len();
        self.list(list);
        let first = self.script.segments.get(start);
        let program = first.and_then(|segment| segment.words.first());
        let enters = program.is_some_and(|word| word.as_literal() == Some("cd"));
        self.has(if enters {
            Structure::Steps
        } else {
            Structure::Control
        });
    }

    /// Reads a loop, which is one over the lines of its input where it says so.
    fn while_clause(&mut self, clause: &WhileOrUntilClauseCommand, fed: Fed) {
        match read_variables(&clause.0) {
            Some(variables) if fed.input != Input::Empty => {
                let loops = variables.into_iter().map(|variable| Loop {
                    variable,
                    values: Values::Lines(fed.by),
                });
                self.looped(loops, &clause.1.list);
            }
            Some(_) | None => {
                self.has(Structure::Control);
                self.list(&clause.0);
                self.list(&clause.1.list);
            }
        }
    }

    /// Reads a loop over words. What the words would run is a segment in front of it: the same
    /// words behind a `:`, which does nothing.
    fn for_clause(&mut self, clause: &ForClauseCommand) {
        let mut header = Segment {
            words: vec![Word {
                raw: format!("for {} in", clause.variable_name),
                ..Word::literal(":")
            }],
            loops: self.loops.clone(),
            ..Segment::default()
        };
        for word in clause.values.iter().flatten() {
            push_word(&word.value, &mut header);
        }
        let values = header.words.get(1..).unwrap_or_default().to_vec();
        self.script.segments.push(header);
        let variable = clause.variable_name.clone();
        if clause.values.is_some() && is_own_variable(&variable) {
            let values = Values::Words(values);
            self.looped([Loop { variable, values }], &clause.body.list);
        } else {
            self.has(Structure::Control);
            self.list(&clause.body.list);
        }
    }

    fn looped(&mut self, loops: impl IntoIterator<Item = Loop>, body: &CompoundList) {
        let outside = self.loops.len();
        self.has(Structure::Steps);
        for around in loops {
            let mut outer = self.loops.iter();
            if outer.any(|outer| outer.variable == around.variable) {
                self.has(Structure::Control);
            }
            self.loops.push(Rc::new(around));
        }
        self.list(body);
        self.loops.truncate(outside);
    }

    /// Notes what words of a structure would run.
    fn words_only<'a>(&mut self, words: impl IntoIterator<Item = &'a brush_parser::ast::Word>) {
        let mut segment = Segment::default();
        for word in words {
            segment.substitutions.extend(word::read(&word.value).1);
        }
        if !segment.substitutions.is_empty() {
            self.script.segments.push(segment);
        }
    }

    /// Notes the redirections of a structure.
    fn redirected(&mut self, redirections: Option<&[IoRedirect]>) {
        let mut segment = Segment::default();
        for redirection in redirections.unwrap_or_default() {
            self.redirection(redirection, &mut segment);
        }
        if segment != Segment::default() {
            self.script.segments.push(segment);
        }
    }

    fn simple(&mut self, simple: &SimpleCommand, fed: Fed) {
        let mut segment = Segment {
            input: fed.input,
            fed_by: fed.by,
            loops: self.loops.clone(),
            is_certain: self.depth == 0,
            ..Segment::default()
        };
        for item in simple.prefix.iter().flat_map(|prefix| &prefix.0) {
            self.item(item, &mut segment, Position::Before);
        }
        if let Some(name) = &simple.word_or_name {
            push_word(&name.value, &mut segment);
        }
        for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
            self.item(item, &mut segment, Position::After);
        }
        self.script.segments.push(segment);
    }

    fn item(&mut self, item: &Item, segment: &mut Segment, position: Position) {
        match item {
            Item::Word(word) => push_word(&word.value, segment),
            Item::AssignmentWord(_, word) if position == Position::After => {
                push_word(&word.value, segment);
            }
            Item::AssignmentWord(_, word) => {
                let (name, value) = word.value.split_once('=').unwrap_or((&word.value, ""));
                let (value, substitutions) = word::read(value);
                segment.substitutions.extend(substitutions);
                segment.assignments.push((name.to_owned(), value));
            }
            Item::IoRedirect(redirection) => self.redirection(redirection, segment),
            Item::ProcessSubstitution(_, subshell) => {
                segment.redirections.push(Redirection::Process);
                self.list(&subshell.list);
            }
        }
    }

    fn redirection(&mut self, redirection: &IoRedirect, segment: &mut Segment) {
        let read = match redirection {
            IoRedirect::File(_, kind, target) => self.file(kind, target, segment),
            IoRedirect::OutputAndError(target, _) => {
                Redirection::Write(take_word(&target.value, segment))
            }
            IoRedirect::HereString(_, text) => Redirection::Text {
                is_literal: take_word(&text.value, segment).is_literal,
            },
            IoRedirect::HereDocument(_, document) if document.requires_expansion => {
                let (text, substitutions) = word::read_expanded(&document.doc.value);
                segment.substitutions.extend(substitutions);
                Redirection::Text {
                    is_literal: text.is_literal,
                }
            }
            IoRedirect::HereDocument(..) => Redirection::Text { is_literal: true },
        };
        if matches!(read, Redirection::Read(_) | Redirection::Text { .. }) {
            segment.input = Input::Redirected;
            segment.fed_by = None;
        }
        segment.redirections.push(read);
    }

    fn file(
        &mut self,
        kind: &IoFileRedirectKind,
        target: &IoFileRedirectTarget,
        segment: &mut Segment,
    ) -> Redirection {
        match target {
            IoFileRedirectTarget::Fd(_) => Redirection::Descriptor,
            IoFileRedirectTarget::ProcessSubstitution(_, subshell) => {
                self.list(&subshell.list);
                Redirection::Process
            }
            IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                let word = take_word(&word.value, segment);
                match kind {
                    IoFileRedirectKind::Read => Redirection::Read(word),
                    IoFileRedirectKind::DuplicateInput | IoFileRedirectKind::DuplicateOutput
                        if is_descriptor(&word) =>
                    {
                        Redirection::Descriptor
                    }
                    IoFileRedirectKind::DuplicateInput
                    | IoFileRedirectKind::DuplicateOutput
                    | IoFileRedirectKind::Write
                    | IoFileRedirectKind::Append
                    | IoFileRedirectKind::ReadAndWrite
                    | IoFileRedirectKind::Clobber => Redirection::Write(word),
                }
            }
        }
    }
}

/// What feeds a command.
#[derive(Clone, Copy)]
struct Fed {
    input: Input,
    by: Option<usize>,
}

/// Where an item stands, seen from the program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Before,
    After,
}

fn take_word(raw: &str, segment: &mut Segment) -> Word {
    let (word, substitutions) = word::read(raw);
    segment.substitutions.extend(substitutions);
    word
}

fn push_word(raw: &str, segment: &mut Segment) {
    let word = take_word(raw, segment);
    segment.words.push(word);
}

fn is_descriptor(word: &Word) -> bool {
    // Behind digits, some shells take a `-` for a part of the name of a file.
    word.as_literal().is_some_and(|text| {
        let is_number = text.chars().all(|letter| letter.is_ascii_digit());
        text == "-" || (!text.is_empty() && is_number)
    })
}
