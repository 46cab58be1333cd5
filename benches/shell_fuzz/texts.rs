//! Shell texts that hide a command where a parser may take it for text: in here-documents, quotes,
//! comments, lines that go on, odd operators and scripts inside of scripts.
//!
//! What they hide is harmless: it makes a file in the directory of the run, or calls `curl`, which
//! is a stand-in there.

use super::random::Random;

/// Commands that only read, with words that a judge allows.
const READING: [&str; 12] = [
    "cat",
    "cat a.txt",
    "echo a",
    "ls",
    "wc -l",
    "head -n 1",
    "sort",
    "grep a a.txt",
    "true",
    "printf a",
    "LC_ALL=C sort a.txt",
    "cut -c 1",
];
/// What is hidden.
const MARKERS: [&str; 8] = [
    "curl M",
    "touch M",
    ">M",
    "echo a >M",
    "curl M;",
    ";curl M",
    "$(curl M)",
    "`curl M`",
];
/// What stands between commands.
const JOINTS: [&str; 12] = [
    "\n", "\n", "\n", ";", "; ", " && ", " || ", " | ", "\n\n", " ;\n", "|\n", " &&\n",
];
/// Words for a here-document's delimiter, as they may be written.
const DELIMITERS: [&str; 40] = [
    "E",
    "E",
    "E",
    "'E'",
    "'E'",
    "\"E\"",
    "\"E\"",
    "\\E",
    "E\\x",
    "\"E\\x\"",
    "'E\\x'",
    "$'E'",
    "$\"E\"",
    "\"\\E\"",
    "E\"\\F\"",
    "$'E\\x46'",
    "'E'F",
    "E\"\"",
    "''",
    "\"\"",
    "'E F'",
    "E$X",
    "\"E$X\"",
    "$E",
    "E#",
    "#E",
    "é",
    "'é'",
    "E}",
    "{E,F}",
    "~E",
    "E=",
    "E`x`",
    "$(E)",
    "E\\\nF",
    "\"E\\\nF\"",
    "\"E\nF\"",
    "E-",
    "-E",
    "*",
];
/// Lines that some shell may take for a here-document's end.
const ENDS: [&str; 26] = [
    "E", "E", "E", "E", "Ex", "E\\x", "\\E", " E", "\tE", "E ", "E\\", "EF", "E\\F", "'E'",
    "\"E\"", "$E", "$'E'", "", "E F", "E\\x46", "é", "E#", "#E", "E;", "E)", "x46",
];
/// Other lines of a here-document.
const LINES: [&str; 16] = [
    "a", "$X", "$(", ")", "`", "\"", "'", "#", "a \\", "\\", "${X", "}", "$((", "))", "\t", "$'",
];
/// Pieces that change how the text around them is read.
const PIECES: [&str; 58] = [
    "'", "\"", "\\", "\n", " ", "\t", "#", ";", "&", "|", "<", ">", "(", ")", "`", "$", "{", "}",
    "[", "]", "!", "~", "*", "?", "=", "-", "E", "\\\n", "\\\"", "\\'", "$'", "$\"", "$(", "${",
    "$((", "))", "<<", "<<-", "<<<", "&>", ">&", "|&", ";;", "<(", ">(", "2>", "10>", "&&", "||",
    "((", "[[", "]]", "é", "\u{85}", "\r", "\u{a0}", "\u{1}", "\u{2028}",
];
/// Redirections, written in the ways of several shells.
const REDIRECTIONS: [&str; 22] = [
    ">/dev/null",
    "2>/dev/null",
    "2>&1",
    "&>/dev/null",
    "&>>/dev/null",
    ">&/dev/null",
    ">&2",
    "<a.txt",
    "<<<a",
    "<<<'a'",
    "10>/dev/null",
    "{x}>/dev/null",
    "2>&-",
    "<&-",
    ">|/dev/null",
    "<>/dev/null",
    "2 >/dev/null",
    "2> /dev/null",
    ">/dev/null 2>&1",
    "1>&2-",
    "2\\\n>/dev/null",
    ">\\\n/dev/null",
];
/// Words in front of a command.
const BEFORE: [&str; 22] = [
    "!",
    "! !",
    "time",
    "time -p",
    "time --",
    "command",
    "env",
    "env LC_ALL=C",
    "timeout 5",
    "nice -n 5",
    "LC_ALL=C",
    "{",
    "(",
    "if",
    "function",
    "coproc",
    "case",
    "select",
    "[[",
    "exec",
    "sh -c",
    "xargs",
];

/// Returns a text.
pub fn text(random: &mut Random) -> String {
    let mut text = statement(random);
    while random.one_in(3) {
        text.push_str(random.pick(&JOINTS));
        text.push_str(&statement(random));
    }
    while random.one_in(4) {
        mutate(&mut text, random);
    }
    text
}

fn statement(random: &mut Random) -> String {
    let reading = random.pick(&READING);
    let marker = random.pick(&MARKERS);
    match random.below(14) {
        0..=3 => here_documents(random),
        4 => format!("{reading} {}", quoted(random, marker)),
        5 => format!("{reading} {}", comment(random, marker)),
        6 => format!("{reading} {marker}", marker = continued(random, marker)),
        7 => redirected(random, reading, marker),
        8 => format!("{} {reading}", random.pick(&BEFORE)),
        9 => inside(random),
        10 => soup(random),
        11 | 12 => structure(random, reading, marker),
        _ => reading.to_owned(),
    }
}

fn here_documents(random: &mut Random) -> String {
    let mut text = random.pick(&READING).to_owned();
    let mut ends = Vec::new();
    for _ in 0..=random.below(5) / 4 {
        let operator = random.pick(&[
            "<<", "<<", "<<", "<<", "<<", " <<", "<<-", "<< ", "<<-\t", "<<\\\n", "0<<",
        ]);
        let delimiter = random.pick(&DELIMITERS);
        text.push_str(operator);
        text.push_str(delimiter);
        ends.push(guessed_end(delimiter));
        if random.one_in(5) {
            text.push_str(random.pick(&[
                " ", " | ", ";", " && ", " # ", "&", "|&", " \\\n", " '\n'", ")",
            ]));
            text.push_str(random.pick(&["cat", "wc -l", "a", "a.txt", "'a", "E", "\\"]));
        }
    }
    text.push('\n');
    for end in ends {
        for _ in 0..random.below(6) {
            let line = match random.below(6) {
                0 | 1 => random.pick(&MARKERS),
                2 => random.pick(&ENDS),
                _ => random.pick(&LINES),
            };
            text.push_str(line);
            text.push('\n');
        }
        if random.one_in(2) {
            text.push_str(random.pick(&MARKERS));
            text.push('\n');
        }
        text.push_str(&end);
        text.push('\n');
    }
    text
}

/// Returns what brush-parser or a shell may take for the end, so that the text is whole.
fn guessed_end(delimiter: &str) -> String {
    delimiter
        .chars()
        .filter(|letter| !matches!(letter, '\'' | '"' | '\\'))
        .collect()
}

fn quoted(random: &mut Random, marker: &str) -> String {
    let (open, close) = *[
        ("'", "'"),
        ("\"", "\""),
        ("$'", "'"),
        ("$\"", "\""),
        ("\\'", "\\'"),
        ("\"'", "'\""),
        ("'a'\\''", "'"),
        ("$'\\'", "'"),
        ("\\$'a\\'", "'"),
        ("\"\\\"", "\""),
        ("\"$", "\""),
        ("'\n", "\n'"),
        ("\"\n", "\n\""),
        ("${X:-'", "'}"),
        ("${X:-\"", "\"}"),
        ("\"${X:-'}", "'}\""),
        ("\"`", "`\""),
        ("$((", "))"),
        ("@(", ")"),
        ("!(", ")"),
        ("a=(", ")"),
        ("\"$\\\n(", ")\""),
        ("\"\\\n$", "\""),
        ("a$$'", "'"),
        ("\"$'\"", "\"'\""),
        ("'\\", "'"),
        ("[", "]"),
        ("{", "}"),
    ]
    .get(random.below(28))
    .unwrap_or(&("'", "'"));
    let blank = random.pick(&["", "", " ", "\n", "a"]);
    format!("{open}{blank}{marker}{blank}{close}")
}

fn comment(random: &mut Random, marker: &str) -> String {
    let open = random.pick(&[
        "#", " #", ";#", "a#", "\\#", "''#", "\\\n#", "$#", "# \\\n", "#'", "(#", "&#", "|#",
        "\t#", "{#", "!#", "\"\"#", ">#", "`#`#",
    ]);
    format!("{open} {marker}")
}

fn continued(random: &mut Random, marker: &str) -> String {
    let at = random.below(marker.len() + 1);
    let (before, after) = marker.split_at_checked(at).unwrap_or((marker, ""));
    let joint = random.pick(&[
        "\\\n", " \\\n", " \\\n ", "\\\n ", "\\ \n", "\\\\\n", "\\\n\\\n", "\\\n#",
    ]);
    format!("'{before}'{joint}{after}")
}

fn redirected(random: &mut Random, reading: &str, marker: &str) -> String {
    let redirection = random.pick(&REDIRECTIONS);
    match random.below(3) {
        0 => format!("{redirection} {marker}"),
        1 => format!("{reading} {redirection} {marker}"),
        _ => format!("{reading}{redirection}{marker}"),
    }
}

/// Puts a text inside of a command that runs it.
fn inside(random: &mut Random) -> String {
    let inner = statement(random);
    match random.below(8) {
        0 => format!("echo $({inner})"),
        1 => format!("echo \"$({inner})\""),
        2 => format!("echo `{inner}`"),
        3 => format!("sh -c '{}'", inner.replace('\'', "'\\''")),
        4 => format!("sh -c \"{}\"", inner.replace('"', "\\\"")),
        5 => format!("({inner})"),
        6 => format!("bash -c '{}'", inner.replace('\'', "'\\''")),
        _ => format!("cat <({inner})"),
    }
}

/// A structure with a command in a place where some shell may run it.
fn structure(random: &mut Random, reading: &str, marker: &str) -> String {
    let inner = if random.one_in(2) { reading } else { marker };
    match random.below(20) {
        0 => format!("for f in a b; do {reading}; done {inner}"),
        1 => format!("for f in 'a;{inner}' b; do {reading}; done"),
        2 => format!("for f in a {inner}; do echo \"$f\"; done"),
        3 => format!("for f in a.txt; do {reading} \"$f\"; {inner}; done"),
        4 => format!("while read -r l; do {reading}; done < a.txt; {inner}"),
        5 => format!("while read -r l; do $l {inner}; done < a.txt"),
        6 => format!("if [ -f a.txt ]; then {reading}; else {inner}; fi"),
        7 => format!("[[ a == b && {inner} ]] && {reading}"),
        8 => format!("[[ a || {inner} ]]"),
        9 => format!("[[ a < b ]] ; {reading} {inner}"),
        10 => format!("[[ a =~ ( {inner} ) ]]"),
        11 => format!("{{ {reading}; }} {inner}"),
        12 => format!("(cd . && {reading}) {inner}"),
        13 => format!("case a in {inner}) {reading};; esac"),
        14 => format!("case a in a) {reading};; b) {inner};& c) ls;; esac"),
        15 => format!("{reading} {{a,{inner}}} {{1..2}}"),
        16 => format!("x=\"{inner}\"; $x; {reading} $x"),
        17 => format!("f() {{ {reading}; }}; f {inner}"),
        18 => format!("time -p {inner} | {reading}"),
        _ => format!("for ((i=0; i<1; i++)); do {inner}; done; [ a = b -a {inner} ]"),
    }
}

fn soup(random: &mut Random) -> String {
    let mut text = random.pick(&READING).to_owned();
    for _ in 0..=random.below(8) {
        text.push_str(match random.below(6) {
            0 => " a ",
            1 => random.pick(&MARKERS),
            _ => random.pick(&PIECES),
        });
    }
    text
}

/// Adds or removes a piece somewhere.
fn mutate(text: &mut String, random: &mut Random) {
    let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
    let Some(&at) = places.get(random.below(places.len())) else {
        return;
    };
    if random.one_in(3) {
        text.remove(at);
    } else {
        text.insert_str(at, random.pick(&PIECES));
    }
}
