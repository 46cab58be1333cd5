//! find: where it looks, and what it runs.

use crate::commands::word::Word;

/// Tests and actions that take no value.
const ALONE: [&str; 24] = [
    "-print",
    "-print0",
    "-ls",
    "-prune",
    "-quit",
    "-depth",
    "-d",
    "-empty",
    "-true",
    "-false",
    "-not",
    "-a",
    "-o",
    "-and",
    "-or",
    "-mount",
    "-xdev",
    "-nouser",
    "-nogroup",
    "-daystart",
    "-readable",
    "-writable",
    "-executable",
    "-noleaf",
];
/// Tests that take one value which is no path.
const WITH_VALUE: [&str; 28] = [
    "-regex",
    "-iregex",
    "-regextype",
    "-type",
    "-xtype",
    "-size",
    "-mtime",
    "-mmin",
    "-atime",
    "-amin",
    "-ctime",
    "-cmin",
    "-maxdepth",
    "-mindepth",
    "-perm",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-links",
    "-inum",
    "-fstype",
    "-printf",
    "-lname",
    "-ilname",
    "-used",
    "-context",
    "-newermt",
];
/// Tests that compare with a file.
const WITH_PATH: [&str; 4] = ["-newer", "-anewer", "-cnewer", "-samefile"];
/// Tests of the name, which take a value.
pub(crate) const OF_NAMES: [&str; 6] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
];

/// What a `find` does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The paths that it reads.
    pub paths: Vec<String>,
    /// The commands that it starts, with `{}` in place of what it finds.
    pub commands: Vec<Vec<Word>>,
    /// The names that it looks for.
    pub names: Vec<String>,
}

/// Reads the words after `find`; `None` when they do more than look and start commands.
pub(crate) fn read(words: &[Word]) -> Option<Found> {
    let mut found = Found::default();
    let mut rest = words;
    let mut in_expression = false;
    while let Some((word, after)) = rest.split_first() {
        rest = after;
        let text = word.as_literal()?;
        match text {
            "-P" | "-O1" | "-O2" | "-O3" if !in_expression => continue,
            "-exec" => rest = command(after, &mut found)?,
            "!" | "(" | ")" | "," => {}
            _ if ALONE.contains(&text) => {}
            _ if OF_NAMES.contains(&text) => {
                found.names.push(after.first()?.as_literal()?.to_owned());
                rest = after.get(1..)?;
            }
            _ if WITH_VALUE.contains(&text) || compares_times(text) => {
                after.first()?.as_literal()?;
                rest = after.get(1..)?;
            }
            _ if WITH_PATH.contains(&text) || compares_with_file(text) => {
                found.paths.push(after.first()?.as_literal()?.to_owned());
                rest = after.get(1..)?;
            }
            _ if text.starts_with('-') || in_expression => return None,
            _ => {
                found.paths.push(text.to_owned());
                continue;
            }
        }
        in_expression = true;
    }
    Some(found)
}

/// Returns the two letters of `-newerXY`.
fn newer(text: &str) -> Option<(char, char)> {
    let mut letters = text.strip_prefix("-newer")?.chars();
    match (letters.next(), letters.next(), letters.next()) {
        (Some(first), Some(second), None) => Some((first, second)),
        _ => None,
    }
}

fn compares_times(text: &str) -> bool {
    newer(text).is_some_and(|(first, second)| "aBcm".contains(first) && second == 't')
}

fn compares_with_file(text: &str) -> bool {
    newer(text).is_some_and(|(first, second)| "aBcm".contains(first) && "aBcm".contains(second))
}

/// Takes the command after `-exec` and returns the words behind it. Behind a `+` it is given many
/// of what is found, so it stands there twice.
fn command<'a>(words: &'a [Word], found: &mut Found) -> Option<&'a [Word]> {
    let end = words
        .iter()
        .position(|word| matches!(word.text.as_str(), ";" | "+"))?;
    let (command, rest) = words.split_at(end);
    let is_certain = command.iter().all(|word| word.is_literal);
    let mut started = command.to_vec();
    if words.get(end).is_some_and(|word| word.text == "+") {
        started.extend(command.last().cloned());
    }
    (is_certain && !command.is_empty()).then(|| found.commands.push(started))?;
    rest.get(1..)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::commands::word::Word;

    fn words(text: &str) -> Vec<Word> {
        text.split_whitespace().map(Word::literal).collect()
    }

    #[test]
    fn looking_is_read() {
        let found = read(&words(
            "src tests -type f -name *.rs -newer a ( -size +1k ) -print0",
        ))
        .unwrap();
        assert_eq!(found.paths, ["src", "tests", "a"]);
        assert_eq!(found.names, ["*.rs"]);
        assert_eq!(read(&words("")).unwrap().paths, Vec::<String>::new());
    }

    #[test]
    fn commands_are_found() {
        let found = read(&words(". -exec grep -l x {} + -exec id ;")).unwrap();
        assert_eq!(found.commands, [words("grep -l x {} {}"), words("id")]);
    }

    #[test]
    fn times_are_compared_with_files_and_with_times() {
        assert_eq!(read(&words(". -newerma b")).unwrap().paths, [".", "b"]);
        assert_eq!(read(&words(". -newermt 2024-01-01")).unwrap().paths, ["."]);
        assert_eq!(read(&words(". -newerxy b")), None);
    }

    #[test]
    fn what_writes_or_is_unknown_is_not() {
        for text in [
            ". -delete",
            ". -fprint x",
            ". -fls x",
            ". -ok rm {} ;",
            ". -execdir id ;",
            "-L .",
            ". -exec id",
            ". -files0-from x",
            ". -name",
        ] {
            assert_eq!(read(&words(text)), None, "{text}");
        }
    }
}
