//! Every program in the tables of what only reads has examples, and they hold.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::rulebook::Rulebook;
use super::{CommandDecision, Places, judge};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Examples {
    example: Vec<Example>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    programs: Vec<String>,
    #[serde(rename = "match")]
    matching: Vec<String>,
    not_match: Vec<String>,
}

fn examples() -> Vec<Example> {
    let examples: Examples = toml::from_str(include_str!("tables/examples.toml")).unwrap();
    examples.example
}

/// Returns the examples for one program: `{}` in front is the program.
fn written_for<'a>(
    program: &'a str,
    examples: &'a [String],
) -> impl Iterator<Item = String> + use<'a> {
    let is_its_own = move |example: &&String| {
        example.starts_with("{}") || example.split(' ').any(|word| word == program)
    };
    examples
        .iter()
        .filter(is_its_own)
        .map(move |example| match example.strip_prefix("{}") {
            Some(rest) => format!("{program}{rest}"),
            None => example.clone(),
        })
}

/// Returns the examples that do not hold.
fn broken(expects_allow: bool, of: impl Fn(&Example) -> &[String]) -> Vec<String> {
    let examples = examples();
    let all = examples.iter().flat_map(|example| {
        let programs = example.programs.iter();
        programs.flat_map(|program| written_for(program, of(example)).collect::<Vec<_>>())
    });
    all.filter(|command| {
        let decision = judge(command, Places::AsWritten).decision;
        (decision == CommandDecision::Allow) != expects_allow
    })
    .collect()
}

#[test]
fn what_only_reads_is_allowed() {
    assert_eq!(broken(true, |example| &example.matching), [""; 0]);
}

#[test]
fn what_writes_runs_or_reaches_out_is_not() {
    assert_eq!(broken(false, |example| &example.not_match), [""; 0]);
}

#[test]
fn every_program_has_examples_of_both_kinds() {
    let examples = examples();
    let shown: BTreeSet<&str> = examples
        .iter()
        .flat_map(|example| &example.programs)
        .filter(|program| {
            let has = |of: fn(&Example) -> &[String]| {
                let mut its = examples.iter().filter(|it| it.programs.contains(program));
                its.any(|example| written_for(program, of(example)).next().is_some())
            };
            has(|example| &example.matching) && has(|example| &example.not_match)
        })
        .map(String::as_str)
        .collect();
    let readers = Rulebook::built_in().unwrap().readers();
    let bare: Vec<&str> = readers
        .programs()
        .filter(|program| !shown.contains(program))
        .collect();
    assert_eq!(bare, [""; 0]);
}

/// Returns the commands of a list, one a line.
fn listed(list: &'static str) -> Vec<&'static str> {
    let lines = list.lines();
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

fn runs_unasked(command: &str) -> bool {
    judge(command, Places::AsWritten).decision == CommandDecision::Allow
}

/// The share of ordinary commands that must run unasked, of a hundred.
const LEAST_UNASKED: usize = 88;

#[test]
fn ordinary_commands_run_unasked() {
    let commands = listed(include_str!("tables/ordinary.txt"));
    assert!(commands.len() >= 400, "{}", commands.len());
    let asked: Vec<_> = commands.iter().filter(|it| !runs_unasked(it)).collect();
    let unasked = commands.len() - asked.len();
    assert!(
        unasked * 100 >= commands.len() * LEAST_UNASKED,
        "{unasked} of {}; these ask: {asked:#?}",
        commands.len()
    );
}

#[test]
fn what_is_nearly_ordinary_does_not_run_unasked() {
    let commands = listed(include_str!("tables/near_misses.txt"));
    assert!(commands.len() >= 150, "{}", commands.len());
    let unasked: Vec<_> = commands.iter().filter(|it| runs_unasked(it)).collect();
    assert_eq!(unasked, [&""; 0]);
}

#[test]
fn no_command_of_the_lists_is_denied() {
    let ordinary = listed(include_str!("tables/ordinary.txt"));
    for command in ordinary {
        let decision = judge(command, Places::AsWritten).decision;
        assert_ne!(decision, CommandDecision::Deny, "{command}");
    }
}
