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

/// How many of the first ones leave no doubt that it runs.
const PLAIN_FRAMES: usize = 16;

/// Ways to have a command run by another one; `{command}` is the command, `{quoted}` the same
/// inside single quotes.
const FRAMES: [&str; 68] = [
    "sudo {command}",
    "nice -n 5 timeout 3 {command}",
    "ls; {command}",
    "{command} && ls",
    "ls || {command}",
    "ls\n{command}\n",
    "ls | {command}",
    "{command} > /dev/null 2>&1",
    "command {command}",
    "true || {command}",
    "sh -c '{quoted}'",
    "# a comment\n{command}",
    "nohup stdbuf -o0 ionice -c 3 {command}",
    "ls && {command}",
    "exec {command}",
    "time {command}",
    "env A=b {command}",
    "echo $({command})",
    "{ {command}; }",
    "/bin/{command}",
    "{command} # harmless",
    "find . -exec {command} \\;",
    "xargs {command}",
    "{command} &",
    "echo \"`{command}`\"",
    "({command})",
    "if true; then {command}; fi",
    "for a in b; do {command}; done",
    "while {command}; do :; done",
    "case a in a) {command};; esac",
    "f() { {command}; }; f",
    "sh <<END\n{command}\nEND",
    "bash <<< '{quoted}'",
    "echo '{quoted}' | sh",
    "printf '%s' '{quoted}' | xargs -0 sh -c",
    "eval '{quoted}'",
    "trap '{quoted}' EXIT",
    "cat <({command})",
    "ls > >({command})",
    "coproc {command}",
    "env -S '{quoted}'",
    "script -q -c '{quoted}' /dev/null",
    "script -q /dev/null {command}",
    "find . -exec sh -c '{quoted}' \\;",
    "find . -type f -ok {command} \\;",
    "echo x | xargs -I echo {command}",
    "awk 'BEGIN { system(\"{command}\") }'",
    "sed '1e {quoted}' a",
    "git -c core.pager='{quoted}' log",
    "tar -tf a.tar --to-command='{quoted}'",
    "sort --compress-program='{quoted}' a",
    "rg --pre '{quoted}' x",
    "sqlite3 a.db '.shell {quoted}'",
    "alias ls='{quoted}'; ls",
    "setsid {command}",
    "LC_ALL=C {command}",
    "! {command}",
    "{command} <<END\nx\nEND",
    "f=x; {command}",
    "find . | while read -r f; do {command}; done",
    "for f in *; do for g in a b; do {command}; done; done",
    "[[ -f a ]] && {command}",
    "[ -f a ] || {command}",
    "bash -lc '{quoted}'",
    "find . -print0 | xargs -0 {command}",
    "git ls-files | xargs {command}",
    "x=$({command}); echo \"$x\"",
    "cat $({command}) sub/*",
];

/// Structures whose parts are all that they do.
const STEPS: [&str; 12] = [
    "{ {command}; }",
    "(cd sub && {command})",
    "if {command}; then ls; fi",
    "if [ -f a ]; then {command}; else pwd; fi",
    "for f in a b; do {command}; done",
    "for f in sub/*; do for g in *; do {command}; done; done",
    "find . | while read -r f; do {command}; done",
    "while read f; do {command}; done < a",
    "[[ -f a ]] && {command}",
    "f=x; {command}",
    "x=$(date); {command}",
    "sh -lc '{quoted}'",
];

/// Commands that ask, and go on asking whatever is around them.
const ASKING: [&str; 10] = [
    "rm a",
    "sort -o a b",
    "cat /etc/shadow",
    "cat .env",
    "sh a.sh",
    "./a",
    "uniq sub/*",
    "xargs rm",
    "find . -delete",
    "unheard-of",
];

/// How a word can be written so that a shell makes it of something else.
const MADE_WORDS: [&str; 14] = [
    "for w in {word}; do {before} $w {after}; done",
    "for w in a {word}; do {before} \"$w\" {after}; done",
    "w={word}; {before} $w {after}",
    "w='{word}'; {before} \"${w}\" {after}",
    "v={word}; w=$v; {before} $w {after}",
    "echo {word} | while read -r w; do {before} \"$w\" {after}; done",
    "{before} $(echo {word}) {after}",
    "{before} \"$(echo {word})\" {after}",
    "{before} `echo {word}` {after}",
    "{before} {{word},a} {after}",
    "echo {word} | xargs -I{} {before} {} {after}",
    "w=$(printf {word}); {before} $w {after}",
    "for w in $(echo {word}); do {before} $w {after}; done",
    "for v in {word}; do for w in $v; do {before} $w {after}; done; done",
];

fn framed(command: &str, way: usize) -> String {
    let quoted = command.replace('\'', "'\\''");
    FRAMES[way % FRAMES.len()]
        .replace("{command}", command)
        .replace("{quoted}", &quoted)
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
        frames in prop::collection::vec(0..FRAMES.len(), 0..4),
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
    fn what_is_nested_is_not_freed_and_ends(
        openings in prop::collection::vec(0..NESTS.len(), 1..60),
    ) {
        let command = openings.iter().fold("rm a".to_owned(), |inner, index| {
            let (open, close) = NESTS[*index];
            format!("{open}{inner}{close}")
        });
        prop_assert_ne!(decision(&command), CommandDecision::Allow, "{}", command);
    }

    #[test]
    fn structures_free_nothing_and_hold_nothing_up(
        frames in prop::collection::vec(0..STEPS.len(), 1..3),
        allowed in 0..ALLOWED.len(),
        asking in 0..ASKING.len(),
    ) {
        let within = |command: &str| {
            frames.iter().fold(command.to_owned(), |inner, index| {
                let quoted = inner.replace('\'', "'\\''");
                STEPS[*index].replace("{command}", &inner).replace("{quoted}", &quoted)
            })
        };
        let asks = within(ASKING[asking]);
        prop_assert_ne!(decision(&asks), CommandDecision::Allow, "{}", asks);
        // What has moved may find another repository, and one variable has one loop.
        let is_plain = frames.len() == 1 && !ALLOWED[allowed].starts_with(['g', 'c']);
        if is_plain {
            let runs = within(ALLOWED[allowed]);
            prop_assert_eq!(decision(&runs), CommandDecision::Allow, "{}", runs);
        }
    }

    #[test]
    fn a_word_that_a_shell_makes_is_no_way_around_what_it_means(
        way in 0..MADE_WORDS.len(),
        case in 0..6_usize,
    ) {
        let (before, word, after) = [
            ("sort", "-oout", "a"),
            ("cat", "/etc/shadow", ""),
            ("cat", "../a", "b"),
            ("cat", ".env", ""),
            ("", "rm", "a"),
            ("git", "push", ""),
        ][case];
        let command = MADE_WORDS[way]
            .replace("{word}", word)
            .replace("{before}", before)
            .replace("{after}", after);
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
