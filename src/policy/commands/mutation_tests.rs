//! No text makes the judge panic, and no way of writing a denied command frees it.

use proptest::prelude::*;

use super::script::MAX_SCRIPT_BYTES;
use super::{CommandDecision, Places, judge, prefix_for};

fn decision(command: &str) -> CommandDecision {
    judge(command, Places::AsWritten).decision
}

const DENIED: [&str; 14] = [
    "rm -rf /",
    "rm -r -f /usr",
    "rm -rf ~",
    "mkfs.ext4 /dev/sda1",
    "wipefs -a /dev/sda",
    "dd if=x of=/dev/sda",
    "tee /dev/sda",
    "chmod -R 777 /",
    "mv /usr x",
    "shutdown now",
    "systemctl reboot",
    "find / -delete",
    "kill -9 -1",
    "killall5 -9",
];

const ALLOWED: [&str; 10] = [
    "ls",
    "cat a.txt",
    "git status",
    "grep -n x a.txt",
    "wc -l a.txt",
    "echo 'a b'",
    "sort -u a.txt",
    "true",
    "tar tf a.tar",
    "cargo --version",
];

/// What is done to the letters of a command. A shell takes the first ones for the same command.
const SPELLINGS: usize = 14;
const SAME_SPELLINGS: usize = 5;

fn spelled(command: &str, way: usize, at: usize) -> String {
    let at = at % command.len();
    let (before, after) = command.split_at(at);
    let words: Vec<&str> = command.split(' ').collect();
    match way {
        0 => format!("  \t{command}  "),
        1 => command.replace(' ', "  \t "),
        2 => format!("\"{}\"", words.join("\" \"")),
        3 => format!("'{}'", words.join("' '")),
        4 => format!("{before}\\\n{after}"),
        5 => format!("{before}''{after}"),
        6 => format!("{before}\\{after}"),
        7 => format!("{before}\"\"{after}"),
        8 => format!("{{{}}}", words.join(",")),
        9 => words.join("${IFS}"),
        10 => format!("$'{}'", words.join("' $'")),
        11 => format!("X='{command}'; $X"),
        12 => command.to_uppercase(),
        13 => command.replace('r', "\u{433}").replace('a', "\u{430}"),
        _ => format!("{before}\u{200b}{after}"),
    }
}

/// What is put around a command. All of it runs the command, here or where somebody looks for it.
const FRAMES: usize = 58;
/// How many of the first ones leave no doubt that it runs.
const PLAIN_FRAMES: usize = 16;

fn framed(command: &str, way: usize) -> String {
    let quoted = command.replace('\'', "'\\''");
    match way {
        0 => format!("sudo {command}"),
        1 => format!("nice -n 5 timeout 3 {command}"),
        2 => format!("ls; {command}"),
        3 => format!("{command} && ls"),
        4 => format!("ls || {command}"),
        5 => format!("ls\n{command}\n"),
        6 => format!("ls | {command}"),
        7 => format!("{command} > /dev/null 2>&1"),
        8 => format!("command {command}"),
        9 => format!("true || {command}"),
        10 => format!("sh -c '{quoted}'"),
        11 => format!("# a comment\n{command}"),
        12 => format!("nohup stdbuf -o0 ionice -c 3 {command}"),
        13 => format!("ls && {command}"),
        14 => format!("exec {command}"),
        15 => format!("time {command}"),
        16 => format!("env A=b {command}"),
        55 => format!("LC_ALL=C {command}"),
        56 => format!("! {command}"),
        17 => format!("echo $({command})"),
        18 => format!("{{ {command}; }}"),
        19 => format!("/bin/{command}"),
        20 => format!("{command} # harmless"),
        21 => format!("find . -exec {command} \\;"),
        22 => format!("xargs {command}"),
        23 => format!("{command} &"),
        24 => format!("echo \"`{command}`\""),
        25 => format!("({command})"),
        26 => format!("if true; then {command}; fi"),
        27 => format!("for a in b; do {command}; done"),
        28 => format!("while {command}; do :; done"),
        29 => format!("case a in a) {command};; esac"),
        30 => format!("f() {{ {command}; }}; f"),
        31 => format!("sh <<END\n{command}\nEND"),
        32 => format!("bash <<< '{quoted}'"),
        33 => format!("echo '{quoted}' | sh"),
        34 => format!("printf '%s' '{quoted}' | xargs -0 sh -c"),
        35 => format!("eval '{quoted}'"),
        36 => format!("trap '{quoted}' EXIT"),
        37 => format!("cat <({command})"),
        38 => format!("ls > >({command})"),
        39 => format!("coproc {command}"),
        40 => format!("env -S '{quoted}'"),
        41 => format!("script -q -c '{quoted}' /dev/null"),
        42 => format!("script -q /dev/null {command}"),
        43 => format!("find . -exec sh -c '{quoted}' \\;"),
        44 => format!("find . -type f -ok {command} \\;"),
        45 => format!("echo x | xargs -I echo {command}"),
        46 => format!("awk 'BEGIN {{ system(\"{command}\") }}'"),
        47 => format!("sed '1e {quoted}' a"),
        48 => format!("git -c core.pager='{quoted}' log"),
        49 => format!("tar -tf a.tar --to-command='{quoted}'"),
        50 => format!("sort --compress-program='{quoted}' a"),
        51 => format!("rg --pre '{quoted}' x"),
        52 => format!("sqlite3 a.db '.shell {quoted}'"),
        53 => format!("alias ls='{quoted}'; ls"),
        54 => format!("setsid {command}"),
        _ => format!("{command} <<END\nx\nEND"),
    }
}

/// What a parser descends into.
const NESTS: [(&str, &str); 12] = [
    ("(", ")"),
    ("$(", ")"),
    ("\"$(", ")\""),
    ("`", "`"),
    ("{ ", "; }"),
    ("((", "))"),
    ("${a:-", "}"),
    ("[[ -n ", " ]]"),
    ("if ", "; then :; fi"),
    ("while ", "; do :; done"),
    ("f() { ", "; }"),
    ("case a in a) ", ";; esac"),
];

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
        spelling in 0..=SPELLINGS,
        at in 0..40_usize,
        frames in prop::collection::vec(0..FRAMES, 0..4),
    ) {
        // How its words are spelled comes first: later, quotes would make words of operators.
        let command = frames
            .iter()
            .fold(spelled(DENIED[index], spelling, at), |command, way| framed(&command, *way));
        prop_assert_ne!(decision(&command), CommandDecision::Allow, "{}", command);
    }

    #[test]
    fn a_denied_command_is_denied_however_plainly_it_is_written(
        index in 0..DENIED.len(),
        spelling in 0..SAME_SPELLINGS,
        at in 0..40_usize,
        frames in prop::collection::vec(0..PLAIN_FRAMES, 0..3),
    ) {
        let is_tilde_quoted = DENIED[index].contains('~') && spelling > 1;
        prop_assume!(!is_tilde_quoted);
        let command = frames
            .iter()
            .fold(spelled(DENIED[index], spelling, at), |command, way| framed(&command, *way));
        prop_assert_eq!(decision(&command), CommandDecision::Deny, "{}", command);
    }

    #[test]
    fn what_is_nested_is_not_allowed_and_ends(
        openings in prop::collection::vec(0..NESTS.len(), 1..60),
    ) {
        let command = openings.iter().fold("ls".to_owned(), |inner, index| {
            let (open, close) = NESTS[*index];
            format!("{open}{inner}{close}")
        });
        prop_assert_ne!(decision(&command), CommandDecision::Allow, "{}", command);
    }

    #[test]
    fn what_is_too_long_asks(
        part in "(ls; |cat a b c && |echo 'x' \\| )",
    ) {
        let command = format!("{}ls", part.repeat(MAX_SCRIPT_BYTES / part.len() + 1));
        prop_assert_eq!(decision(&command), CommandDecision::Ask);
        let shorter = format!("{}ls", part.repeat(8));
        prop_assert_eq!(decision(&shorter), CommandDecision::Allow);
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
