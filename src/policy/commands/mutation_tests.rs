//! No text makes the judge panic, and no way of writing a denied command frees it.

use proptest::prelude::*;

use super::{CommandDecision, Places, judge, prefix_for};

fn decision(command: &str) -> CommandDecision {
    judge(command, Places::AsWritten).decision
}

const DENIED: [&str; 8] = [
    "rm -rf /",
    "rm -r -f /usr",
    "mkfs.ext4 /dev/sda1",
    "dd if=x of=/dev/sda",
    "chmod -R 777 /",
    "shutdown now",
    "find / -delete",
    "kill -9 -1",
];

const ALLOWED: [&str; 8] = [
    "ls",
    "cat a.txt",
    "git status",
    "grep -n x a.txt",
    "wc -l a.txt",
    "echo 'a b'",
    "sort -u a.txt",
    "true",
];

/// Ways of writing a command that a shell takes for the same, or for more.
fn mutated(command: &str, way: usize, at: usize) -> String {
    let at = command
        .char_indices()
        .map(|(index, _)| index)
        .nth(at % command.len())
        .unwrap_or(0);
    let (before, after) = command.split_at(at);
    let quoted = command.replace('\'', "'\\''");
    match way {
        0 => format!("  \t{command}  "),
        1 => command.replacen(' ', "   ", 1),
        2 => command
            .split(' ')
            .map(|word| format!("\"{word}\""))
            .collect::<Vec<_>>()
            .join(" "),
        3 => format!("{before}''{after}"),
        4 => format!("{before}\\{after}"),
        5 => format!("{before}\\\n{after}"),
        6 => format!("sudo {command}"),
        7 => format!("env A=b {command}"),
        8 => format!("nice -n 5 timeout 3 {command}"),
        9 => format!("sh -c '{quoted}'"),
        10 => format!("ls; {command}"),
        11 => format!("{command} && ls"),
        12 => format!("LC_ALL=C {command}"),
        13 => format!("ls\n{command}\n"),
        14 => format!("ls | {command}"),
        15 => format!("{command} > /dev/null 2>&1"),
        16 => format!("echo $({command})"),
        17 => format!("{{ {command}; }}"),
        18 => format!("command {command}"),
        19 => format!("/bin/{command}"),
        20 => format!("{command} # harmless"),
        21 => format!("true || {command}"),
        22 => format!("find . -exec {command} \\;"),
        23 => format!("xargs {command}"),
        24 => format!("{command} &"),
        _ => format!("echo \"`{command}`\""),
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_judge_panic(text in "\\PC{0,200}") {
        judge(&text, Places::AsWritten);
        prefix_for(&text);
    }

    #[test]
    fn no_text_of_shell_letters_makes_the_judge_panic(
        text in "[a-c0-9 \\t\\n;&|<>(){}\\[\\]$`'\"\\\\!#*?~=+-]{0,80}"
    ) {
        judge(&text, Places::AsWritten);
    }

    #[test]
    fn no_way_of_writing_a_denied_command_is_allowed(
        index in 0..DENIED.len(),
        spelling in 0..6_usize,
        at in 0..40_usize,
        ways in prop::collection::vec(6..26_usize, 0..4),
    ) {
        // How its words are spelled comes first: later, quotes would make words of operators.
        let spelled = mutated(DENIED[index], spelling, at);
        let command = ways
            .iter()
            .fold(spelled, |command, way| mutated(&command, *way, at));
        prop_assert_ne!(decision(&command), CommandDecision::Allow, "{}", command);
    }

    #[test]
    fn an_allowed_command_joined_with_another_is_not_allowed(
        allowed in 0..ALLOWED.len(),
        other in "(rm a|curl x|unheard-of|cat /etc/passwd|sh x|\\./a)",
        joint in "( ; | && | \\|\\| | \\| |\n)",
        comes_first in any::<bool>(),
    ) {
        let allowed = ALLOWED[allowed];
        prop_assert_eq!(decision(allowed), CommandDecision::Allow);
        let joined = if comes_first {
            format!("{allowed}{joint}{other}")
        } else {
            format!("{other}{joint}{allowed}")
        };
        prop_assert_ne!(decision(&joined), CommandDecision::Allow, "{}", joined);
    }
}
