//! Which programs a command starts, for a list that names what may run.

use super::paths::{Ground, Leads, Places};
use super::rulebook::Rulebook;
use super::script::{self, Redirection, Segment};
use super::verdict::CommandDecision;
use super::word::Word;

/// How many wrappers in a row are looked through.
const MAX_WRAPPERS: usize = 8;

/// What may be written to where no file may keep it.
const SINKS: [&str; 3] = ["/dev/null", "/dev/stdout", "/dev/stderr"];

/// Returns the program of every segment as written, looking through what only starts it, such as
/// `timeout` or `nice`. `None` where that is not certain: a word that is not literal, a structure,
/// a variable that is set, or a redirection that leaves the workspace.
///
/// Programs that start others in ways that are not looked through, such as `sh`, are returned
/// themselves.
pub fn started_programs(command: &str, places: Places<'_>) -> Option<Vec<String>> {
    programs_given(command, places, &[])
}

/// Returns the same of a command that is given these variables. It may set others to them before a
/// program, and use them for nothing else; and it may write to no file by a redirection, since what
/// a program prints of them would be read there by others.
pub fn programs_given(
    command: &str,
    places: Places<'_>,
    variables: &[String],
) -> Option<Vec<String>> {
    let book = Rulebook::built_in()?;
    let script = script::read(command).ok()?;
    if script.segments.is_empty() || !script.structures.is_empty() {
        return None;
    }
    let ground = Ground::new(places);
    script
        .segments
        .iter()
        .map(|segment| started(book, &ground, segment, variables))
        .collect()
}

fn started(
    book: &Rulebook,
    ground: &Ground<'_>,
    segment: &Segment,
    variables: &[String],
) -> Option<String> {
    let sets_what_is_given = |value: &Word| {
        variables.iter().any(|variable| {
            let (plain, braced) = (format!("${variable}"), format!("${{{variable}}}"));
            [
                format!("\"{plain}\""),
                format!("\"{braced}\""),
                plain,
                braced,
            ]
            .contains(&value.raw)
        })
    };
    let is_certain = segment
        .assignments
        .iter()
        .all(|(_, value)| sets_what_is_given(value))
        && segment.substitutions.is_empty()
        && segment.words.iter().all(|word| word.is_literal)
        && segment
            .redirections
            .iter()
            .all(|redirection| stays(redirection, ground))
        && (variables.is_empty() || segment.redirections.iter().all(keeps_nothing));
    let mut words = segment.words.as_slice();
    if !is_certain {
        return None;
    }
    for _ in 0..MAX_WRAPPERS {
        match inside(book, words) {
            Some(inner) if !inner.is_empty() => words = inner,
            _ => break,
        }
    }
    words.first().map(|program| program.text.clone())
}

fn stays(redirection: &Redirection, ground: &Ground<'_>) -> bool {
    match redirection {
        Redirection::Descriptor => true,
        Redirection::Text { is_literal } => *is_literal,
        Redirection::Process => false,
        Redirection::Read(word) | Redirection::Write(word) => word
            .as_literal()
            .is_some_and(|path| ground.leads(path) == Leads::Inside),
    }
}

/// Returns whether no file keeps what is written to a redirection.
fn keeps_nothing(redirection: &Redirection) -> bool {
    match redirection {
        Redirection::Write(word) => word.as_literal().is_some_and(|path| SINKS.contains(&path)),
        Redirection::Descriptor
        | Redirection::Text { .. }
        | Redirection::Process
        | Redirection::Read(_) => true,
    }
}

/// Returns the command that a wrapper starts, where the wrapper does nothing else.
pub(super) fn inside<'a>(book: &Rulebook, words: &'a [Word]) -> Option<&'a [Word]> {
    let (program, rest) = words.split_first()?;
    if program.text.contains('/') {
        return None;
    }
    let wrapper = book.wrapper(&program.text)?;
    let only_starts = wrapper.decision == CommandDecision::Allow
        && !wrapper.takes_input
        && wrapper.script_after.is_none();
    if !only_starts {
        return None;
    }
    let (scanned, taken) = wrapper.options.leading(rest).ok()?;
    let has_script = scanned.has_any(&wrapper.script_in);
    let inner = rest.get(taken + wrapper.before..)?;
    let sets = wrapper.assigns && inner.first()?.text.contains('=');
    (!has_script && !sets).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::started_programs;
    use crate::commands::Places;

    fn check(command: &str, expected: Option<&[&str]>) {
        let programs = started_programs(command, Places::AsWritten);
        let programs: Option<Vec<&str>> = programs
            .as_ref()
            .map(|programs| programs.iter().map(String::as_str).collect());
        assert_eq!(programs.as_deref(), expected, "{command}");
    }

    #[test]
    fn every_segment_names_its_program() {
        check("git log | head && ./x > out", Some(&["git", "head", "./x"]));
        check("timeout 5 nice -n 3 make -j2", Some(&["make"]));
        check("env git status", Some(&["git"]));
    }

    #[test]
    fn what_is_not_looked_through_is_its_own_program() {
        check("sh -c id", Some(&["sh"]));
        check("sudo git status", Some(&["sudo"]));
        check("xargs rm", Some(&["xargs"]));
        check("env A=b git status", Some(&["env"]));
        check("./nice git", Some(&["./nice"]));
    }

    #[test]
    fn a_variable_that_is_given_is_handed_on_and_used_for_nothing_else() {
        let given = |command: &str| {
            let variables = ["SAYSO_SECRET_GITHUB".to_owned()];
            super::programs_given(command, Places::AsWritten, &variables)
        };
        let gh = Some(vec!["gh".to_owned()]);
        assert_eq!(given("gh api user"), gh);
        for handed_on in [
            "GH_TOKEN=$SAYSO_SECRET_GITHUB gh api user",
            "GH_TOKEN=\"$SAYSO_SECRET_GITHUB\" gh api user",
            "GH_TOKEN=\"${SAYSO_SECRET_GITHUB}\" gh api user",
        ] {
            assert_eq!(given(handed_on), gh, "{handed_on}");
        }
        for used in [
            "gh api --token $SAYSO_SECRET_GITHUB",
            "gh api \"$SAYSO_SECRET_GITHUB\"",
            "GH_TOKEN=x$SAYSO_SECRET_GITHUB gh api",
            "GH_TOKEN=${SAYSO_SECRET_GITHUB#x} gh api",
            "GH_TOKEN=$OTHER gh api",
            "LD_PRELOAD=x gh api",
            "GH_TOKEN=$SAYSO_SECRET_GITHUB",
            "gh > $SAYSO_SECRET_GITHUB",
        ] {
            assert_eq!(given(used), None, "{used}");
        }
    }

    #[test]
    fn s7_what_a_command_prints_of_a_variable_is_kept_in_no_file() {
        let given = |command: &str| {
            let variables = ["SAYSO_SECRET_GITHUB".to_owned()];
            super::programs_given(command, Places::AsWritten, &variables).is_some()
        };
        let variable = "gh auth token";
        for kept in [
            "> f",
            ">f",
            ">> f",
            ">| f",
            "1> f",
            "2> f",
            "2>> f",
            "&> f",
            "&>> f",
            "<> f",
            "1<> f",
            ">& f",
            "> sub/f",
            "> 'f'",
            "> ./f 2>&1",
            "2>&1 > f",
            "> /dev/null 2> f",
            "> f < g",
            "> /dev/fd/5",
            "| gh > f",
            "&& gh >> f",
            "> .git/config",
            "> \"f\"",
            "> f\\ g",
        ] {
            assert!(!given(&format!("{variable} {kept}")), "{kept}");
        }
        assert!(!given("> f gh auth token"));
        for not_kept in [
            "",
            "> /dev/null",
            "2> /dev/null",
            "2>&1",
            "> /dev/null 2>&1",
            ">&2",
            "< f",
            "> /dev/stderr",
            "2>&-",
        ] {
            assert!(given(&format!("{variable} {not_kept}")), "{not_kept}");
        }
        check("gh auth token > f", Some(&["gh"]));
    }

    #[test]
    fn what_is_not_certain_names_none() {
        for command in [
            "",
            "git $(id)",
            "git $X",
            "A=b git",
            "git > /tmp/x",
            "git &",
            "(git)",
            "if git; then git; fi",
            "git <(id)",
        ] {
            check(command, None);
        }
    }
}
