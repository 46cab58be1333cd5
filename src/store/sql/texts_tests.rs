//! Every text of the store is found in its sources, and prepared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::query_plans::explained;
use crate::{Store, usage};

/// Files that put statements together when they are run; each lists those in its `texts()`.
const ASSEMBLING: [&str; 1] = ["tables/usage.rs"];

/// A statement of a source.
struct Found {
    /// Where it stands.
    file: String,
    /// Its text.
    text: String,
    /// Whether it is for SQLite alone.
    is_for_sqlite: bool,
}

/// The constants and macros that statements are made of.
#[derive(Default)]
struct Parts {
    /// What a constant is, by its file and its name.
    constants: BTreeMap<(String, String), Vec<TokenTree>>,
    /// What a macro gives, by its name, and the name of its parameter.
    macros: BTreeMap<String, (Option<String>, Vec<TokenTree>)>,
}

#[tokio::test]
async fn every_statement_can_be_prepared() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let found = statements();
    let written = found.iter().map(|one| (one.file.as_str(), &one.text));
    let assembled = usage::texts();
    let assembled = assembled.iter().map(|text| ("usage.rs", text));
    let mut refused = Vec::new();
    for (file, text) in written.chain(assembled) {
        let steps = explained("EXPLAIN ", text).fetch_all::<i64>(store.reader());
        if let Err(error) = steps.await {
            refused.push(format!("{file}: {error}\n{text}"));
        }
        if let Some(missing) = missing_parameter(text) {
            refused.push(format!("{file}: nothing stands for ${missing}\n{text}"));
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    // Fewer would mean that the sources are not read as they are written.
    assert!(found.len() > 400, "{}", found.len());
    for_every_engine(&found);
}

/// How many texts every engine takes, and where those stand that SQLite alone does: most of them in
/// the indexes of words, the others read JSON that is no list of numbers.
fn for_every_engine(found: &[Found]) {
    let for_sqlite = found.iter().filter(|one| one.is_for_sqlite);
    let mut of_files: BTreeMap<&str, usize> = BTreeMap::new();
    for one in for_sqlite {
        *of_files.entry(&one.file).or_default() += 1;
    }
    let both = found.len() - of_files.values().sum::<usize>();
    println!("{both} statements for every engine, the others for SQLite alone");
    insta::assert_snapshot!(listed(&of_files), @r"
    engine/sqlite/room.rs 2
    search/line_words.rs 3
    search/memory_words.rs 4
    search/reindex.rs 1
    search/unindexed.rs 1
    search/word_index.rs 7
    tables/episodes.rs 1
    tables/file_changes.rs 3
    tables/grants.rs 1
    tables/lines.rs 7
    tables/memories.rs 2
    tables/turns.rs 1
    tables/undone_files.rs 1
    tables/vectors.rs 1
    ");
}

fn listed(of_files: &BTreeMap<&str, usize>) -> String {
    let each = of_files
        .iter()
        .map(|(file, count)| format!("{file} {count}"));
    each.collect::<Vec<_>>().join("\n")
}

#[test]
fn statements_are_put_together_in_few_places() {
    let assembling: Vec<String> = sources()
        .into_iter()
        .filter(|(file, text)| !file.starts_with("sql/") && text.contains("Assembled"))
        .map(|(file, _)| file)
        .filter(|file| file != "query_plans.rs")
        .collect();
    assert_eq!(assembling, ASSEMBLING);
}

#[test]
fn only_the_engine_knows_its_driver() {
    let naming: Vec<String> = sources()
        .into_iter()
        .filter(|(file, text)| !file.starts_with("engine/sqlite/") && text.contains("rusqlite"))
        .map(|(file, _)| file)
        .collect();
    // How an error of the driver is one of the store.
    assert_eq!(naming, ["error.rs"]);
}

/// Returns the first number below the highest parameter that is not used.
fn missing_parameter(text: &str) -> Option<usize> {
    let numbers: Vec<usize> = text
        .split('$')
        .skip(1)
        .filter_map(|behind| {
            let digits = behind.split(|letter: char| !letter.is_ascii_digit()).next();
            digits?.parse().ok()
        })
        .collect();
    let highest = numbers.iter().copied().max().unwrap_or_default();
    (1..highest).find(|number| !numbers.contains(number))
}

/// Returns every statement of the store.
///
/// # Panics
/// When a part of one is neither a literal nor a constant nor a macro of the store.
fn statements() -> Vec<Found> {
    let sources: Vec<(String, Vec<TokenTree>)> = sources()
        .into_iter()
        .map(|(file, text)| {
            let tokens: TokenStream = text.parse().unwrap();
            (file, without_tests(tokens.into_iter().collect()))
        })
        .collect();
    let mut parts = Parts::default();
    for (file, tokens) in &sources {
        parts.learn(file, tokens);
    }
    let mut found = Vec::new();
    for (file, tokens) in &sources {
        parts.find(file, tokens, &mut found);
    }
    found
}

/// Returns the files of the store without those of tests, by their paths in it.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let inside = root.join("src/store");
    let root = if inside.exists() {
        inside
    } else {
        root.to_owned()
    };
    let mut folders = vec![root.clone()];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let named = files.into_iter().map(|path| {
        let name = path
            .strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        (name, fs::read_to_string(&path).unwrap())
    });
    named
        .filter(|(name, _)| !name.ends_with("_tests.rs") && name != "query_plans.rs")
        .collect()
}

/// Leaves out the modules of tests.
fn without_tests(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut rest = tokens.into_iter();
    while let Some(token) = rest.next() {
        let is_test = matches!(&token, TokenTree::Group(group)
            if group.delimiter() == Delimiter::Bracket && group.stream().to_string() == "cfg (test)");
        if !is_test {
            kept.push(token);
            continue;
        }
        kept.pop();
        for token in rest.by_ref() {
            let ends = match &token {
                TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                TokenTree::Punct(sign) => sign.as_char() == ';',
                _ => false,
            };
            if ends {
                break;
            }
        }
    }
    kept
}

impl Parts {
    /// Notes the constants and the macros of a file.
    fn learn(&mut self, file: &str, tokens: &[TokenTree]) {
        for (at, token) in tokens.iter().enumerate() {
            let rest = &tokens[at + 1..];
            if let TokenTree::Group(group) = token {
                self.learn(file, &inside(group.stream()));
            } else if is_word(token, "const")
                && let [TokenTree::Ident(name), TokenTree::Punct(_), ..] = rest
                && let Some(begin) = rest.iter().position(|token| is_sign(token, '='))
            {
                let value = rest[begin + 1..].iter();
                let value = value.take_while(|token| !is_sign(token, ';')).cloned();
                let key = (file.to_owned(), name.to_string());
                self.constants.insert(key, value.collect());
            } else if is_word(token, "macro_rules")
                && let [_, TokenTree::Ident(name), TokenTree::Group(arms), ..] = rest
                && let [TokenTree::Group(takes), _, _, TokenTree::Group(gives), ..] =
                    inside(arms.stream()).as_slice()
            {
                let parameter = inside(takes.stream()).get(1).map(ToString::to_string);
                let gives = inside(gives.stream());
                self.macros.insert(name.to_string(), (parameter, gives));
            }
        }
    }

    /// Adds what stands in `sql!(..)`.
    fn find(&self, file: &str, tokens: &[TokenTree], found: &mut Vec<Found>) {
        for (at, token) in tokens.iter().enumerate() {
            let TokenTree::Group(group) = token else {
                continue;
            };
            let named =
                |name| at > 1 && is_word(&tokens[at - 2], name) && is_sign(&tokens[at - 1], '!');
            // The macro itself names itself.
            let is_itself =
                at > 1 && is_word(&tokens[at - 1], "sql") && is_sign(&tokens[at - 2], '!');
            if named("sql") {
                let parts = inside(group.stream());
                let is_for_sqlite = parts.first().is_some_and(|token| is_word(token, "sqlite"));
                let parts = if is_for_sqlite {
                    &parts[2..]
                } else {
                    &parts[..]
                };
                let file = file.to_owned();
                let text = self.joined(&file, parts);
                found.push(Found {
                    file,
                    text,
                    is_for_sqlite,
                });
            } else if !is_itself {
                self.find(file, &inside(group.stream()), found);
            }
        }
    }

    /// Returns the text of parts between commas.
    fn joined(&self, file: &str, parts: &[TokenTree]) -> String {
        let parts = parts.split(|token| is_sign(token, ','));
        parts.map(|part| self.text(file, part)).collect()
    }

    /// Returns the text of one part.
    fn text(&self, file: &str, part: &[TokenTree]) -> String {
        match part {
            [] => String::new(),
            [TokenTree::Literal(literal)] => unescaped(&literal.to_string()),
            [.., TokenTree::Ident(name), sign, TokenTree::Group(given)] if is_sign(sign, '!') => {
                let given = inside(given.stream());
                if name == "concat" {
                    return self.joined(file, &given);
                }
                let known = self.macros.get(&name.to_string());
                let (parameter, gives) =
                    known.unwrap_or_else(|| panic!("{file}: no macro `{name}`"));
                let gives = parameter.as_ref().map_or_else(
                    || gives.clone(),
                    |parameter| replaced(gives, parameter, &given),
                );
                self.joined(file, &gives)
            }
            [.., TokenTree::Ident(name)] => {
                let name = name.to_string();
                let here = self.constants.get(&(file.to_owned(), name.clone()));
                let value = here.unwrap_or_else(|| {
                    let mut named = self.constants.iter().filter(|((_, it), _)| *it == name);
                    let one = named
                        .next()
                        .unwrap_or_else(|| panic!("{file}: no constant `{name}`"));
                    assert!(named.next().is_none(), "{file}: several constants `{name}`");
                    one.1
                });
                self.text(file, value)
            }
            part => panic!("{file}: {part:?} is no part of a statement"),
        }
    }
}

/// Puts what a macro is given in place of its parameter.
fn replaced(gives: &[TokenTree], parameter: &str, given: &[TokenTree]) -> Vec<TokenTree> {
    let mut tokens = Vec::new();
    for token in gives {
        match token {
            TokenTree::Group(group) => {
                let inner = replaced(&inside(group.stream()), parameter, given);
                let inner = TokenStream::from_iter(inner);
                tokens.push(proc_macro2::Group::new(group.delimiter(), inner).into());
            }
            token if is_word(token, parameter) => {
                // The `$` before it.
                tokens.pop();
                tokens.extend_from_slice(given);
            }
            token => tokens.push(token.clone()),
        }
    }
    tokens
}

/// Returns what a literal of Rust says, as far as statements use its escapes.
fn unescaped(literal: &str) -> String {
    let inner = literal
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    let mut letters = inner.unwrap().chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next().unwrap() {
                'n' => text.push('\n'),
                '\n' => {
                    let rest = letters.as_str().trim_start();
                    letters = rest.chars();
                }
                other => text.push(other),
            },
            letter => text.push(letter),
        }
    }
    text
}

fn inside(tokens: TokenStream) -> Vec<TokenTree> {
    tokens.into_iter().collect()
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}
