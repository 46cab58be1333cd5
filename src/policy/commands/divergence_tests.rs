//! The judge on commands that shells, and the programs of small languages, read differently from
//! one another.

use CommandDecision::{Allow, Ask, Deny};

use super::judge_tests::check;
use super::{CommandDecision, Places, Trait, judge, started_programs};

#[test]
fn s2_a_here_document_hides_no_command() {
    for (end, as_brush_reads_it) in [
        ("\"E\\x\"", "Ex"),
        ("$'E'", "E"),
        ("$\"E\"", "E"),
        ("\"\\E\"", "E"),
        ("E\"\\F\"", "EF"),
        ("$'E\\x46'", "EF"),
        ("'E'F", "EF"),
        ("'E F'", "E F"),
        ("é", "é"),
    ] {
        let hidden = format!("cat <<{end}\nE\\x\ntouch PWNED\n{as_brush_reads_it}\n");
        check(Ask, &[&hidden]);
        let verdict = judge(&hidden, Places::AsWritten);
        assert!(verdict.traits.has(Trait::Uncertain), "{hidden}");
        assert_eq!(
            started_programs(&hidden, Places::AsWritten),
            None,
            "{hidden}"
        );
    }
    check(
        Ask,
        &[
            "cat <<E\na\\\nE\ntouch PWNED\nE\n",
            "touch x <<\"E\\x\"\nE\\x\nrm -rf .\nEx\n",
        ],
    );
    check(
        Allow,
        &[
            "cat <<E\na\nE",
            "wc -l <<'END_1' | head\n$(id)\nEND_1\nls",
            "cat <<-\"E\"\n\ta\n\tE\n",
        ],
    );
}

#[test]
fn s2_what_shells_read_differently_asks_and_says_so() {
    // busybox writes a file of this name.
    check(Ask, &["ls 1>&2-", "ls 2>&1- a.txt"]);
    for (command, why) in [
        (
            "cat <<\"E\\x\"\nEx",
            "shells differ in where its here-document ends",
        ),
        (
            "echo &>/dev/null touch PWNED",
            "shells differ in how they read one of its redirections",
        ),
        ("echo \"a$\\b\"", "shells may read a part of it differently"),
        (
            "echo \\$'a' b",
            "shells differ in where its quoted text ends",
        ),
        (
            "l\\\ns",
            "shells differ in how they join its lines that end with a backslash",
        ),
        (
            "echo 'a\u{1}b'",
            "it has a control character, which shells read differently",
        ),
    ] {
        let verdict = judge(command, Places::AsWritten);
        assert_eq!(verdict.decision, Ask, "{command}");
        assert_eq!(verdict.why.en, why, "{command}");
        assert!(verdict.traits.has(Trait::Uncertain), "{command}");
        assert_eq!(
            started_programs(command, Places::AsWritten),
            None,
            "{command}"
        );
    }
}

#[test]
fn s2_no_here_document_takes_all_memory() {
    let hidden = [
        "cat <<\"\"",
        "cat <<''\n\n",
        "ls &>a; cat <<\"\" a",
        "cat <<-\tE\n$((\nE\n;wc -l<<-\t\\E&wc -l\n",
        "cat <<E <<\"\"",
    ];
    check(Ask, &hidden);
    check(Deny, &["rm -rf /\ncat <<\"\""]);
}

#[test]
fn s2_what_is_forbidden_asks_at_least_where_shells_differ() {
    for command in [
        "cat <<\"E\\x\"\nE\\x\nrm -rf /\nEx\n",
        "cat <<$'E'\n$E\nmkfs.ext4 /dev/sda; shutdown -h now\nE\n",
        "echo &>/dev/null rm -rf /",
    ] {
        assert_ne!(
            judge(command, Places::AsWritten).decision,
            Allow,
            "{command}"
        );
    }
}

#[test]
fn s13_behind_the_archive_unzip_reads_no_option() {
    check(
        Allow,
        &[
            "unzip -l a.zip",
            "unzip -p a.zip b.txt",
            "unzip -p -- a.zip",
        ],
    );
    check(
        Ask,
        &[
            "unzip a.zip -l",
            "unzip a.zip -v '*'",
            "unzip a.zip -p '*'",
            "unzip a.zip -t x",
        ],
    );
}

#[test]
fn s13_values_that_are_paths_are_judged_as_paths() {
    check(
        Allow,
        &[
            "git blame -S revs f",
            "go version -m bin/x",
            "go version",
            "lspci -i ids.txt",
            "lspci -nn",
        ],
    );
    check(
        Ask,
        &[
            "git blame -S ../x f",
            "go version -m /etc/x",
            "lspci -i /etc/x",
            "lscpu -s /x",
        ],
    );
    let outside = judge("git blame -S ../x f", Places::AsWritten);
    assert!(outside.traits.has(Trait::OutsideWorkspace));
}

#[test]
fn s6_a_sed_script_is_judged_with_its_pieces_joined() {
    check(
        Allow,
        &[
            "sed -e 's/a/b/' -e p a.txt",
            "sed -e 'a\\' -e 'a text' a.txt",
        ],
    );
    check(
        Ask,
        &[
            "sed -e 'a\\' -e 's/a/b\n1e id\n/g;#/p' a.txt",
            "sed -e 's/a/b\\' --expression='w out' a.txt",
            "sed -e 'a\\' --expression='x' -e 'w out' a.txt",
        ],
    );
}

#[test]
fn s6_a_locale_whose_letters_may_end_in_a_quote_asks() {
    check(
        Allow,
        &[
            "LC_ALL=C.UTF-8 sort a.txt",
            "LANG=en_US.utf8 sort a.txt",
            "LC_ALL= sort a.txt",
        ],
    );
    check(
        Ask,
        &[
            "LC_ALL=zh_CN.GBK sed 's|a|b|' a.txt",
            "LC_CTYPE=ja_JP.SJIS awk 1 a.txt",
        ],
    );
}
