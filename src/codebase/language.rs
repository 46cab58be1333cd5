//! The languages whose syntax is known: their file names, grammars and tag queries.

use std::sync::OnceLock;

use tree_sitter::{Language, Query};

/// A language with a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CodeLanguage {
    /// Shell scripts; its grammar has no tag query.
    Bash,
    /// C.
    C,
    /// C#.
    CSharp,
    /// C++.
    Cpp,
    /// Go.
    Go,
    /// Java.
    Java,
    /// JavaScript, with JSX.
    JavaScript,
    /// PHP.
    Php,
    /// Python.
    Python,
    /// Ruby.
    Ruby,
    /// Rust.
    Rust,
    /// TypeScript with JSX.
    Tsx,
    /// TypeScript.
    TypeScript,
}

/// Extensions of file names, in lower case.
const EXTENSIONS: [(&str, CodeLanguage); 33] = [
    ("bash", CodeLanguage::Bash),
    ("sh", CodeLanguage::Bash),
    ("c", CodeLanguage::C),
    // Read as C++, which reads nearly all of C.
    ("h", CodeLanguage::Cpp),
    ("cs", CodeLanguage::CSharp),
    ("cc", CodeLanguage::Cpp),
    ("cpp", CodeLanguage::Cpp),
    ("cxx", CodeLanguage::Cpp),
    ("hh", CodeLanguage::Cpp),
    ("hpp", CodeLanguage::Cpp),
    ("hxx", CodeLanguage::Cpp),
    ("ipp", CodeLanguage::Cpp),
    ("go", CodeLanguage::Go),
    ("java", CodeLanguage::Java),
    ("cjs", CodeLanguage::JavaScript),
    ("js", CodeLanguage::JavaScript),
    ("jsx", CodeLanguage::JavaScript),
    ("mjs", CodeLanguage::JavaScript),
    ("php", CodeLanguage::Php),
    ("phtml", CodeLanguage::Php),
    ("py", CodeLanguage::Python),
    ("pyi", CodeLanguage::Python),
    ("pyw", CodeLanguage::Python),
    ("gemspec", CodeLanguage::Ruby),
    ("rake", CodeLanguage::Ruby),
    ("rb", CodeLanguage::Ruby),
    ("ru", CodeLanguage::Ruby),
    ("rs", CodeLanguage::Rust),
    ("tsx", CodeLanguage::Tsx),
    ("cts", CodeLanguage::TypeScript),
    ("mts", CodeLanguage::TypeScript),
    ("ts", CodeLanguage::TypeScript),
    ("zsh", CodeLanguage::Bash),
];

impl CodeLanguage {
    /// Every language.
    pub const ALL: [Self; 13] = [
        Self::Bash,
        Self::C,
        Self::CSharp,
        Self::Cpp,
        Self::Go,
        Self::Java,
        Self::JavaScript,
        Self::Php,
        Self::Python,
        Self::Ruby,
        Self::Rust,
        Self::Tsx,
        Self::TypeScript,
    ];

    /// Returns the language of a file by its name.
    pub fn of_path(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next()?;
        if matches!(name, "Gemfile" | "Rakefile") {
            return Some(Self::Ruby);
        }
        let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
        let mut known = EXTENSIONS.iter();
        known
            .find(|(known, _)| *known == extension)
            .map(|(_, language)| *language)
    }

    pub(crate) fn grammar(self) -> Language {
        match self {
            Self::Bash => tree_sitter_bash::LANGUAGE.into(),
            Self::C => tree_sitter_c::LANGUAGE.into(),
            Self::CSharp => tree_sitter_c_sharp::LANGUAGE.into(),
            Self::Cpp => tree_sitter_cpp::LANGUAGE.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
            Self::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
            Self::Php => tree_sitter_php::LANGUAGE_PHP.into(),
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::Ruby => tree_sitter_ruby::LANGUAGE.into(),
            Self::Rust => tree_sitter_rust::LANGUAGE.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
        }
    }

    /// Returns the query for definitions and references that the crate of the grammar ships.
    fn tag_query(self) -> String {
        match self {
            Self::Bash => String::new(),
            Self::C => tree_sitter_c::TAGS_QUERY.to_owned(),
            Self::CSharp => tree_sitter_c_sharp::TAGS_QUERY.to_owned(),
            Self::Cpp => tree_sitter_cpp::TAGS_QUERY.to_owned(),
            Self::Go => tree_sitter_go::TAGS_QUERY.to_owned(),
            Self::Java => tree_sitter_java::TAGS_QUERY.to_owned(),
            Self::JavaScript => tree_sitter_javascript::TAGS_QUERY.to_owned(),
            Self::Php => tree_sitter_php::TAGS_QUERY.to_owned(),
            Self::Python => tree_sitter_python::TAGS_QUERY.to_owned(),
            Self::Ruby => tree_sitter_ruby::TAGS_QUERY.to_owned(),
            Self::Rust => tree_sitter_rust::TAGS_QUERY.to_owned(),
            // The query for TypeScript has only what JavaScript lacks (its `tree-sitter.json`).
            Self::Tsx | Self::TypeScript => {
                let javascript = tree_sitter_javascript::TAGS_QUERY;
                format!("{javascript}\n{}", tree_sitter_typescript::TAGS_QUERY)
            }
        }
    }

    /// Returns the compiled tag query; `None` where there is none.
    pub(crate) fn tags(self) -> Option<&'static TagQuery> {
        static QUERIES: [OnceLock<Option<TagQuery>>; CodeLanguage::ALL.len()] =
            [const { OnceLock::new() }; CodeLanguage::ALL.len()];
        let query = QUERIES.get(self as usize)?;
        query.get_or_init(|| TagQuery::of(self)).as_ref()
    }
}

/// A compiled tag query.
#[derive(Debug)]
pub(crate) struct TagQuery {
    pub(crate) query: Query,
    /// What each capture means, by its number.
    pub(crate) captures: Vec<Capture>,
}

/// What a capture of a tag query means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Capture {
    /// The name of what is defined or referred to.
    Name,
    /// The whole of a definition.
    Definition,
    /// Documentation, references and whatever else a query marks.
    Other,
}

impl TagQuery {
    fn of(language: CodeLanguage) -> Option<Self> {
        let query = Query::new(&language.grammar(), &language.tag_query()).ok()?;
        let captures = query.capture_names().iter().map(|name| match *name {
            "name" => Capture::Name,
            name if name.starts_with("definition") => Capture::Definition,
            _ => Capture::Other,
        });
        let captures: Vec<_> = captures.collect();
        captures
            .contains(&Capture::Definition)
            .then_some(Self { query, captures })
    }
}

#[cfg(test)]
mod tests {
    use super::CodeLanguage;

    #[test]
    fn every_language_but_the_shell_has_tags() {
        for language in CodeLanguage::ALL {
            let has_tags = language.tags().is_some();
            assert_eq!(has_tags, language != CodeLanguage::Bash, "{language:?}");
        }
    }

    #[test]
    fn languages_go_by_the_names_of_files() {
        let of = CodeLanguage::of_path;
        assert_eq!(of("a/b.RS"), Some(CodeLanguage::Rust));
        assert_eq!(of("x/Rakefile"), Some(CodeLanguage::Ruby));
        assert_eq!(of("a.d/b"), None);
        assert_eq!(of("README.md"), None);
    }
}
