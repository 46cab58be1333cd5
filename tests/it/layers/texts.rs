//! The texts for people: each key that the code names stands in each language with the arguments that the
//! code passes, and nothing stands there in vain.
//!
//! The code is read as tokens, since most texts are named inside of other macros: `text!(language, "key", argument)`,
//! and the entries `name(argument) "key"` of the macros in [`DECLARING`], which declare many texts at once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Message, Pattern, PatternElement};
use fluent_syntax::parser;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The macros whose entries name a key each.
const DECLARING: [&str; 2] = ["texts", "situations"];
/// How a comment says that a language does not need an argument; the names follow, and why.
const LEAVES_OUT: &str = "Leaves out ";

/// A place where the code names a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The file.
    pub path: String,
    /// The key; `None` where it is no literal.
    pub key: Option<String>,
    /// The names of what is passed.
    pub arguments: BTreeSet<String>,
}

/// A file of texts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// The code of its language, which is the name of its folder.
    pub language: String,
    /// Its name without `.ftl`.
    pub area: String,
    /// What stands in it.
    pub text: String,
}

/// Reads the files of every language, in alphabetical order.
pub fn files(locales: &Path) -> Vec<File> {
    let inside = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<_>>()
    };
    let mut files: Vec<File> = Vec::new();
    for folder in inside(locales) {
        let language = folder.file_name().unwrap().to_string_lossy().into_owned();
        files.extend(inside(&folder).iter().map(|path| File {
            language: language.clone(),
            area: path.file_stem().unwrap().to_string_lossy().into_owned(),
            text: std::fs::read_to_string(path).unwrap(),
        }));
    }
    files.sort_unstable();
    files
}

/// A text in a file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Text {
    arguments: BTreeSet<String>,
    left_out: BTreeSet<String>,
}

/// The texts of a language by their keys.
type Texts = BTreeMap<String, Text>;

/// Returns every text that a source file names.
pub fn uses(path: &str, code: &str) -> Vec<Use> {
    let tokens: TokenStream = code
        .parse()
        .unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut found = Vec::new();
    collect(path, tokens, &mut found);
    found
}

fn collect(path: &str, tokens: TokenStream, into: &mut Vec<Use>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        match called(&tokens[..at]) {
            Some(name) if name == "text" => into.extend(call(path, group)),
            Some(name) if DECLARING.contains(&name.as_str()) => {
                declared(path, group.stream(), into);
            }
            _ => {}
        }
        collect(path, group.stream(), into);
    }
}

/// Returns the name of the macro that is called with what follows.
fn called(before: &[TokenTree]) -> Option<String> {
    match before {
        [.., TokenTree::Ident(name), TokenTree::Punct(mark)] if mark.as_char() == '!' => {
            Some(name.to_string())
        }
        _ => None,
    }
}

/// Reads what is between the parentheses of `text!`; `None` where that is the pattern of a macro.
fn call(path: &str, group: &Group) -> Option<Use> {
    let parts = parts(group.stream());
    let key = parts.get(1)?;
    let is_pattern = matches!(&key[..], [TokenTree::Punct(mark), ..] if mark.as_char() == '$');
    let names = parts.iter().skip(2).filter_map(|part| part.first());
    (!is_pattern).then(|| Use {
        path: path.to_owned(),
        key: key.first().and_then(literal),
        arguments: names.map(ToString::to_string).collect(),
    })
}

/// Reads the entries of a macro that declares texts, in whatever braces they stand.
fn declared(path: &str, tokens: TokenStream, into: &mut Vec<Use>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        let of_entry = match &tokens[..at] {
            [.., TokenTree::Ident(_), TokenTree::Group(group)] => Some(parts(group.stream())),
            [.., TokenTree::Ident(_)] => Some(Vec::new()),
            _ => None,
        };
        if let (Some(key), Some(parts)) = (literal(token), of_entry) {
            let names = parts.iter().filter_map(|part| part.first());
            into.push(Use {
                path: path.to_owned(),
                key: Some(key),
                arguments: names.map(ToString::to_string).collect(),
            });
        }
        if let TokenTree::Group(group) = token
            && group.delimiter() == Delimiter::Brace
        {
            declared(path, group.stream(), into);
        }
    }
}

/// Returns what stands between commas.
fn parts(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut parts = vec![Vec::new()];
    for token in tokens {
        match &token {
            TokenTree::Punct(mark) if mark.as_char() == ',' => parts.push(Vec::new()),
            _ => parts.last_mut().unwrap().push(token),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn literal(token: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else {
        return None;
    };
    let written = literal.to_string();
    let key = written.strip_prefix('"')?.strip_suffix('"')?;
    Some(key.to_owned())
}

/// Returns what is wrong with the files, and with what the code names.
pub fn breaches(files: &[File], uses: &[Use]) -> Vec<String> {
    let mut breaches = Vec::new();
    let mut languages: BTreeMap<&str, Texts> = BTreeMap::new();
    for file in files {
        let texts = languages.entry(&file.language).or_default();
        read(file, texts, &mut breaches);
    }
    let mut named: BTreeMap<&str, &Use> = BTreeMap::new();
    for used in uses {
        let Some(key) = &used.key else {
            breaches.push(format!("{}: a key is no literal", used.path));
            continue;
        };
        if named.entry(key).or_insert(used).arguments != used.arguments {
            breaches.push(format!(
                "{}: `{key}` is passed other arguments elsewhere",
                used.path
            ));
        }
    }
    for (language, texts) in &languages {
        for (key, used) in &named {
            match texts.get(*key) {
                Some(text) => breaches.extend(of_arguments(language, key, text, used)),
                None => breaches.push(format!("{}: `{key}` is not in {language}", used.path)),
            }
        }
        let unused = texts.keys().filter(|key| !named.contains_key(key.as_str()));
        breaches.extend(unused.map(|key| format!("{language}: `{key}` is not used")));
    }
    breaches
}

fn of_arguments(language: &str, key: &str, text: &Text, used: &Use) -> Vec<String> {
    let Text {
        arguments,
        left_out,
    } = text;
    let known: BTreeSet<&String> = arguments.union(left_out).collect();
    let passed: BTreeSet<&String> = used.arguments.iter().collect();
    let missing = known.difference(&passed).map(|name| {
        format!(
            "{language}: `{key}` takes `${name}`, which {} does not pass",
            used.path
        )
    });
    let ignored = passed.difference(&known).map(|name| {
        format!("{language}: `{key}` does not take `${name}`, and no comment says why")
    });
    let both = arguments.intersection(left_out).map(|name| {
        format!("{language}: `{key}` takes `${name}`, and a comment says that it does not")
    });
    missing.chain(ignored).chain(both).collect()
}

fn read(file: &File, into: &mut Texts, breaches: &mut Vec<String>) {
    let name = format!("{}/{}.ftl", file.language, file.area);
    let resource = match parser::parse(file.text.as_str()) {
        Ok(resource) => resource,
        Err((resource, errors)) => {
            breaches.extend(errors.iter().map(|error| format!("{name}: {error}")));
            resource
        }
    };
    for entry in &resource.body {
        let Entry::Message(message) = entry else {
            continue;
        };
        let key = message.id.name;
        if key.split('-').next() != Some(file.area.as_str()) {
            breaches.push(format!(
                "{name}: `{key}` does not begin with the name of the file"
            ));
        }
        if into.insert(key.to_owned(), text(message)).is_some() {
            breaches.push(format!("{name}: `{key}` is there twice"));
        }
    }
}

fn text(message: &Message<&str>) -> Text {
    let mut text = Text::default();
    if let Some(pattern) = &message.value {
        of_pattern(pattern, &mut text.arguments);
    }
    let lines = message.comment.iter().flat_map(|comment| &comment.content);
    for line in lines.filter_map(|line| line.strip_prefix(LEAVES_OUT)) {
        let names = line.split([':', '.']).next().unwrap_or_default();
        let names = names.split(", ").filter_map(|name| name.strip_prefix('$'));
        text.left_out.extend(names.map(str::to_owned));
    }
    text
}

fn of_pattern(pattern: &Pattern<&str>, into: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            of_expression(expression, into);
        }
    }
}

fn of_expression(expression: &Expression<&str>, into: &mut BTreeSet<String>) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, into),
        Expression::Select { selector, variants } => {
            of_inline(selector, into);
            for variant in variants {
                of_pattern(&variant.value, into);
            }
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, into: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            into.insert(id.name.to_owned());
        }
        InlineExpression::Placeable { expression } => of_expression(expression, into),
        InlineExpression::StringLiteral { .. }
        | InlineExpression::NumberLiteral { .. }
        | InlineExpression::FunctionReference { .. }
        | InlineExpression::MessageReference { .. }
        | InlineExpression::TermReference { .. } => {}
    }
}
