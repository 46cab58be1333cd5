//! Loops and tests of a script that can be judged by their parts.

use brush_parser::ast::{
    BinaryPredicate, Command, CommandPrefixOrSuffixItem as Item, CompoundList, ExtendedTestExpr,
    SeparatorOperator, SimpleCommand, UnaryPredicate,
};

use super::word::{self, Word};

/// A loop that gives a variable one value after the other.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// The variable.
    pub variable: String,
    /// Where its values are from.
    pub values: Values,
}

/// Where the values of a loop are from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// The words behind `in`.
    Words(Vec<Word>),
    /// The lines of its input, from this segment where it is one alone.
    Lines(Option<usize>),
}

/// Variables that some shells obey although their names are those of a script's own.
const OBEYED: [&str; 9] = [
    "path", "fpath", "cdpath", "manpath", "mailpath", "argv", "status", "home", "prompt",
];

/// Names in capitals that scripts use for themselves. Many others are obeyed: `PATH`, `IFS`, `PS4`.
const OWN_CAPITALS: [&str; 16] = [
    "BRANCH", "COMMIT", "COUNT", "DATE", "DIR", "FILE", "FILES", "HASH", "LINE", "NAME", "NUM",
    "RESULT", "SIZE", "TOTAL", "VALUE", "VERSION",
];

/// Returns whether a variable is a script's own: no shell and no program obeys it.
pub(crate) fn is_own_variable(name: &str) -> bool {
    let is_small = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name
            .chars()
            .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
        && !name.ends_with("_proxy")
        && !OBEYED.contains(&name);
    let is_letter = name.len() == 1 && name.chars().all(|letter| letter.is_ascii_uppercase());
    is_small || is_letter || OWN_CAPITALS.contains(&name)
}

/// Returns the variables of a condition that is nothing but `read -r name`.
pub(crate) fn read_variables(condition: &CompoundList) -> Option<Vec<String>> {
    let [item] = condition.0.as_slice() else {
        return None;
    };
    let pipeline = &item.0.first;
    let is_alone = item.0.additional.is_empty()
        && !matches!(item.1, SeparatorOperator::Async)
        && !pipeline.bang
        && pipeline.timed.is_none();
    let [Command::Simple(simple)] = pipeline.seq.as_slice() else {
        return None;
    };
    let words = plain_words(simple)?;
    let names = words.strip_prefix(&["read".to_owned()])?;
    let names = match names.split_first() {
        Some((first, names)) if first == "-r" => names,
        Some(_) | None => names,
    };
    let are_own = !names.is_empty() && names.iter().all(|name| is_own_variable(name));
    (is_alone && are_own).then(|| names.to_vec())
}

/// Returns the words of a command that has nothing else, but for an `IFS=` in front of it: there it
/// holds for this command alone.
fn plain_words(simple: &SimpleCommand) -> Option<Vec<String>> {
    let sets_separator = |item: &Item| match item {
        Item::AssignmentWord(_, word) => word
            .value
            .strip_prefix("IFS=")
            .is_some_and(|value| word::read(value).0.is_literal),
        Item::Word(_) | Item::IoRedirect(_) | Item::ProcessSubstitution(..) => false,
    };
    let mut prefix = simple.prefix.iter().flat_map(|prefix| &prefix.0);
    if !prefix.all(sets_separator) {
        return None;
    }
    let suffix = simple.suffix.iter().flat_map(|suffix| &suffix.0);
    let words = suffix.map(|item| match item {
        Item::Word(word) => Some(word),
        Item::AssignmentWord(..) | Item::IoRedirect(_) | Item::ProcessSubstitution(..) => None,
    });
    let program = simple.word_or_name.as_ref();
    std::iter::once(program)
        .chain(words)
        .map(|word| word::read(&word?.value).0.as_literal().map(str::to_owned))
        .collect()
}

/// Returns whether a test looks at one literal word, or compares two: in a shell that does not know
/// `[[` this is a program that is not found.
pub(crate) fn is_plain_test(test: &ExtendedTestExpr) -> bool {
    let is_plain = |word: &brush_parser::ast::Word| {
        let (word, _) = word::read(&word.value);
        word.is_literal && !word.text.contains(['$', '`', '<', '>'])
    };
    match test {
        ExtendedTestExpr::UnaryTest(predicate, word) => {
            is_plain(word)
                && matches!(
                    predicate,
                    UnaryPredicate::FileExists
                        | UnaryPredicate::FileExistsAndIsRegularFile
                        | UnaryPredicate::FileExistsAndIsDir
                        | UnaryPredicate::FileExistsAndIsReadable
                        | UnaryPredicate::FileExistsAndIsWritable
                        | UnaryPredicate::FileExistsAndIsExecutable
                        | UnaryPredicate::FileExistsAndIsNotZeroLength
                        | UnaryPredicate::FileExistsAndIsSymlink
                        | UnaryPredicate::StringHasZeroLength
                        | UnaryPredicate::StringHasNonZeroLength
                )
        }
        ExtendedTestExpr::BinaryTest(predicate, left, right) => {
            let compares = matches!(
                predicate,
                BinaryPredicate::StringExactlyMatchesString
                    | BinaryPredicate::StringDoesNotExactlyMatchString
            );
            compares && is_plain(left) && is_plain(right)
        }
        ExtendedTestExpr::And(..)
        | ExtendedTestExpr::Or(..)
        | ExtendedTestExpr::Not(_)
        | ExtendedTestExpr::Parenthesized(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_own_variable;

    #[test]
    fn variables_that_shells_or_programs_obey_are_not_a_scripts_own() {
        for name in ["f", "file_1", "line", "A", "FILE"] {
            assert!(is_own_variable(name), "{name}");
        }
        for name in [
            "PATH",
            "IFS",
            "ENV",
            "path",
            "http_proxy",
            "_",
            "1",
            "",
            "a-b",
        ] {
            assert!(!is_own_variable(name), "{name}");
        }
    }
}
