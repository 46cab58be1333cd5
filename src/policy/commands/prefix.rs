//! What an "always" may cover besides one exact command: a prefix of a few words.

use super::rulebook::Rulebook;
use super::rules::program_name;
use super::script::{self, Segment};
use super::word::Word;

/// The first words of a command that may be granted for good, such as `mkdir`.
///
/// What follows them is not free: only options and operands that the table of prefixes lists for
/// this command are covered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix {
    words: Vec<String>,
}

/// Returns the prefix of a command that an "always" may cover; `None` for anything but one plain
/// command of the table, so never for a shell, an interpreter or a program that starts others.
pub fn prefix_for(command: &str) -> Option<Prefix> {
    let segment = plain_segment(command)?;
    let words = covered(&segment)?;
    Some(Prefix { words })
}

impl Prefix {
    /// Returns it as people read it.
    pub fn as_text(&self) -> String {
        self.words.join(" ")
    }
}

/// Returns the one simple command that a text is, without anything that a shell would add.
fn plain_segment(command: &str) -> Option<Segment> {
    let mut script = script::read(command).ok()?;
    let segment = script.segments.pop()?;
    let is_plain = script.segments.is_empty()
        && script.structures.is_empty()
        && segment.assignments.is_empty()
        && segment.redirections.is_empty()
        && segment.substitutions.is_empty()
        && segment.words.iter().all(|word| word.is_literal);
    is_plain.then_some(segment)
}

fn covered(segment: &Segment) -> Option<Vec<String>> {
    let (program, rest) = segment.words.split_first()?;
    if program_name(&program.text) != program.text {
        return None;
    }
    let prefixes = Rulebook::built_in()?.prefixes();
    let texts: Vec<&str> = rest.iter().filter_map(Word::as_literal).collect();
    prefixes
        .find(&program.text, &texts)
        .into_iter()
        .find_map(|prefix| {
            let count = prefix.subcommand.len();
            let after = rest.get(count..)?;
            let scanned = prefix.options.scan(after).ok()?;
            let fits = prefix.takes(&scanned.operands);
            fits.then(|| {
                let words = segment.words.iter().take(count + 1);
                words.map(|word| word.text.clone()).collect()
            })
        })
}

#[cfg(test)]
mod tests {
    use super::prefix_for;

    fn check(command: &str, prefix: Option<&str>) {
        let found = prefix_for(command).map(|prefix| prefix.as_text());
        assert_eq!(found.as_deref(), prefix, "{command}");
    }

    #[test]
    fn commands_of_the_table_have_a_prefix() {
        check("mkdir -p a/b", Some("mkdir"));
        check("touch 'a b'", Some("touch"));
        check("git add -v a b", Some("git add"));
    }

    #[test]
    fn everything_else_has_none() {
        for command in [
            "cargo test",
            "npm run build",
            "git commit -m x",
            "mkdir a; rm a",
            "mkdir a > out",
            "A=b mkdir a",
            "mkdir $X",
            "sh -c 'mkdir a'",
            "sudo mkdir a",
            "./mkdir a",
            "python x.py",
            "mkdir -m 777 a",
            "git add -A",
            "mkdir /etc/x",
            "mkdir ../x",
            "rm a",
            "",
        ] {
            check(command, None);
        }
    }
}
