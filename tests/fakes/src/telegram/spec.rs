//! The published Bot API as rules: which methods and types exist and what their fields hold.
//! Loaded once per process from the published description, or from `rules.txt` where that is not at hand;
//! `conform` applies them.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Deserialize;

/// The kinds of value a field may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    Float,
    Text,
    Boolean,
    /// An uploaded part of the form.
    File,
    Array(Vec<Self>),
    Object(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) required: bool,
}

pub(crate) type Fields = HashMap<String, Field>;

/// What a named type is made of.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Fields(Fields),
    OneOf(Vec<Kind>),
    /// The published text gives no fields: any object will do.
    Opaque,
}

/// All methods and types.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) methods: HashMap<String, Fields>,
    pub(crate) types: HashMap<String, Shape>,
    /// The spelling of each method by its lower case: the server takes any.
    names: HashMap<String, String>,
    /// Whether this is the published description rather than the built-in rules.
    pub(crate) is_published: bool,
}

impl Spec {
    /// Returns the rules of this process, read at the first call.
    pub(crate) fn get() -> &'static Self {
        static SPEC: OnceLock<Spec> = OnceLock::new();
        SPEC.get_or_init(|| Self::published(&published_path()).unwrap_or_else(Self::built_in_aloud))
    }

    fn published(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let written: Written =
            serde_json::from_str(&text).expect("the published Bot API description is readable");
        Some(Self::from_written(written, true))
    }

    fn built_in_aloud() -> Self {
        // Written past the test harness, which keeps to itself what a passing test prints.
        let _ = writeln!(
            std::io::stderr(),
            "fake Telegram: no published Bot API description at SAYSO_MATERIAL: the wide check is \
             skipped, only the methods in use are checked"
        );
        Self::built_in()
    }

    /// Returns the rules written by hand, of the methods that Sayso uses.
    pub(crate) fn built_in() -> Self {
        Self::from_written(written_by_hand(include_str!("rules.txt")), false)
    }

    fn from_written(written: Written, is_published: bool) -> Self {
        let names = written
            .methods
            .keys()
            .map(|name| (name.to_ascii_lowercase(), name.clone()))
            .collect();
        let methods = written
            .methods
            .into_iter()
            .map(|(name, block)| (name, fields_of(block.fields)))
            .collect();
        let types = written
            .types
            .into_iter()
            .map(|(name, block)| (name, shape_of(block)))
            .collect();
        Self {
            methods,
            types,
            names,
            is_published,
        }
    }

    /// Returns the published spelling of a method, whatever case it is called in.
    pub(crate) fn spelling(&self, method: &str) -> Option<&str> {
        self.names
            .get(&method.to_ascii_lowercase())
            .map(String::as_str)
    }
}

/// Where the published description lies: `telegram/api.json` below `SAYSO_MATERIAL`.
fn published_path() -> PathBuf {
    let material = std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/material"),
        PathBuf::from,
    );
    material.join("telegram/api.json")
}

#[derive(Deserialize)]
struct Written {
    methods: HashMap<String, WrittenBlock>,
    types: HashMap<String, WrittenBlock>,
}

#[derive(Default, Deserialize)]
struct WrittenBlock {
    #[serde(default)]
    fields: Vec<WrittenField>,
    #[serde(default)]
    subtypes: Vec<String>,
}

#[derive(Deserialize)]
struct WrittenField {
    name: String,
    types: Vec<String>,
    required: bool,
}

/// Reads `rules.txt`: one method or type per line, `name!` for required, `A|B` for either, `[A]` for an array.
fn written_by_hand(rules: &str) -> Written {
    let mut written = Written {
        methods: HashMap::new(),
        types: HashMap::new(),
    };
    for line in rules
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut words = line.split_whitespace();
        let (Some(subject), Some(name)) = (words.next(), words.next()) else {
            panic!("a rule has a subject and a name: {line}");
        };
        let block = match subject {
            "union" => WrittenBlock {
                subtypes: words.map(str::to_owned).collect(),
                ..WrittenBlock::default()
            },
            _ => WrittenBlock {
                fields: words.map(field_by_hand).collect(),
                ..WrittenBlock::default()
            },
        };
        match subject {
            "method" => written.methods.insert(name.to_owned(), block),
            _ => written.types.insert(name.to_owned(), block),
        };
    }
    written
}

fn field_by_hand(word: &str) -> WrittenField {
    let (name, types) = word.split_once(':').expect("a field is name:type");
    WrittenField {
        name: name.trim_end_matches('!').to_owned(),
        types: types.split('|').map(spelled_out).collect(),
        required: name.ends_with('!'),
    }
}

/// Turns `[A]` into the published spelling `Array of A`.
fn spelled_out(written: &str) -> String {
    match written
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'))
    {
        Some(inner) => format!("Array of {}", spelled_out(inner)),
        None => written.to_owned(),
    }
}

fn shape_of(block: WrittenBlock) -> Shape {
    if !block.subtypes.is_empty() {
        return Shape::OneOf(block.subtypes.iter().map(|name| kind_of(name)).collect());
    }
    if block.fields.is_empty() {
        return Shape::Opaque;
    }
    Shape::Fields(fields_of(block.fields))
}

fn fields_of(written: Vec<WrittenField>) -> Fields {
    written
        .into_iter()
        .map(|field| {
            (
                field.name,
                Field {
                    kinds: kinds_of(&field.types),
                    required: field.required,
                },
            )
        })
        .collect()
}

/// Several "Array of" alternatives become one array of any of them, since real lists may be mixed.
fn kinds_of(written: &[String]) -> Vec<Kind> {
    let mut kinds = Vec::new();
    let mut elements = Vec::new();
    for name in written {
        match name.strip_prefix("Array of ") {
            Some(element) => elements.push(kind_of(element)),
            None => kinds.push(kind_of(name)),
        }
    }
    if !elements.is_empty() {
        kinds.push(Kind::Array(elements));
    }
    kinds
}

fn kind_of(name: &str) -> Kind {
    if let Some(element) = name.strip_prefix("Array of ") {
        return Kind::Array(vec![kind_of(element)]);
    }
    match name {
        "Integer" => Kind::Integer,
        "Float" => Kind::Float,
        "String" => Kind::Text,
        "Boolean" => Kind::Boolean,
        "InputFile" => Kind::File,
        _ => Kind::Object(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the built-in rules know must be so in the published description too.
    #[test]
    fn built_in_rules_agree_with_the_published_ones() {
        let published = Spec::get();
        if !published.is_published {
            return;
        }
        for (method, fields) in &Spec::built_in().methods {
            let known = published.methods.get(method);
            let known = known.unwrap_or_else(|| panic!("{method} is not published"));
            assert_same_fields(method, fields, known);
        }
        for (name, shape) in &Spec::built_in().types {
            if let (Shape::Fields(ours), Some(Shape::Fields(known))) =
                (shape, published.types.get(name))
            {
                assert_same_fields(name, ours, known);
            } else {
                assert!(
                    published.types.contains_key(name),
                    "{name} is not published"
                );
            }
        }
    }

    fn assert_same_fields(owner: &str, ours: &Fields, known: &Fields) {
        for (name, field) in ours {
            let published = known.get(name);
            let published = published.unwrap_or_else(|| panic!("{owner}.{name} is not published"));
            assert_eq!(field.required, published.required, "{owner}.{name}");
            assert!(
                field
                    .kinds
                    .iter()
                    .all(|kind| published.kinds.contains(kind)),
                "{owner}.{name}: {:?} is not {:?}",
                field.kinds,
                published.kinds
            );
        }
    }
}
