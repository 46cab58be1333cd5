//! What the second lexer reads, and what it finds ambiguous.

use brush_parser::tokenize_str;

use super::{Ambiguity, are_alike, read};

#[track_caller]
fn check(expected: Option<Ambiguity>, scripts: &[&str]) {
    for script in scripts {
        match (read(script), expected) {
            (Ok(lexemes), None) => {
                let tokens = tokenize_str(script).unwrap();
                assert!(are_alike(&lexemes, &tokens), "{script:?}");
            }
            (read, expected) => assert_eq!(read.err(), expected, "{script:?}"),
        }
    }
}

#[test]
fn ordinary_scripts_are_read_alike() {
    check(
        None,
        &[
            "",
            "ls -la 'a b' \"c d\" e\\ f\n\n",
            "cat a.txt | head -n 5 && ls || ! true; cd src",
            "grep -rn 'fn main()' src 2>/dev/null 2>&1 >&2 <&- >|a <>b",
            "ls # a comment; id `x\nls",
            "ls *.rs [ab] {a,b} ~ a#b $HOME \"$PWD/x\" ${A} ${a:-b} ${#a} $1 $? $ \"$\" $#",
            "echo $(git  log \"$(ls)\" | (head)) \"a $( ls ) b\"",
            "for a in *.rs; do wc -l \"$a\"; done",
            "case a in b) ls;; esac",
            "cargo test \\\n  --release \\\n\t-p sayso",
            "echo 'a\\\nb' \"a\nb\" ; (ls)",
            "cat <<<word",
            "echo `ls 'a b'` \"`ls | wc -l`\" $((1 + 2)) \"$((3*4))\"",
            "LC_ALL=C sort é.txt",
        ],
    );
}

#[test]
fn here_documents_with_plain_delimiters_are_read_alike() {
    check(
        None,
        &[
            "cat <<E\na\nE",
            "cat << 'E' | wc # x\n$(id) \\\n`\nE\nls\n",
            "cat <<-\"END_1\" a\n\tx\n\tEND_1\n",
            "cat <<A x <<'B' y\na\nA\nb\nB\nls",
            "cat <<E\n$HOME \"x' \\$\nE\n",
            "cat <<E\nE",
        ],
    );
}

#[test]
fn s2_a_delimiter_that_is_not_plain_is_ambiguous() {
    check(
        Some(Ambiguity::HereDocument),
        &[
            "cat <<\"E\\x\"\nE\\x\ntouch a\nEx\n",
            "cat <<$'E'\na\nE\n",
            "cat <<$\"E\"\na\nE\n",
            "cat << \"\\E\"\na\nE\n",
            "cat << E\"\\F\"\na\nEF\n",
            "cat << $'E\\x46'\na\nEF\n",
            "cat <<\\E\na\nE\n",
            "cat <<'E'F\na\nEF\n",
            "cat <<'E F'\na\nE F\n",
            "cat <<E-F\na\nE-F\n",
            "cat <<''\na\n\n",
            "cat <<é\na\né\n",
            "cat <<E\na \\\nE\nE\n",
            "cat <<E\n$(echo\nE\nid\n)\nE\n",
            "cat <<E\n`\nE\nid\n`\nE\n",
            "cat <<E 'a\nb'\nE\n",
            "cat <<E\na\n",
            "echo $(cat <<E\na\nE\n)",
        ],
    );
}

#[test]
fn s2_a_line_that_goes_on_within_a_word_is_ambiguous() {
    check(
        Some(Ambiguity::Continuation),
        &[
            "l\\\ns",
            "ls &\\\n& id",
            "echo \"a\\\nb\"",
            "ls \\\n#a",
            "ls \\\n",
            "cat <<E \\\nx\na\nE\n",
        ],
    );
}

#[test]
fn s2_what_only_some_shells_know_is_ambiguous() {
    check(
        Some(Ambiguity::Quoting),
        &[
            "echo $'a\\'b'",
            "echo $\"a\"",
            "echo \\$'a\\' x'",
            "echo \"a",
            "a\\",
        ],
    );
    check(
        Some(Ambiguity::Redirection),
        &[
            "echo &>/dev/null id",
            "echo 10>/dev/null",
            "echo {a}>/dev/null",
            "cat <(id)",
        ],
    );
    check(
        Some(Ambiguity::Syntax),
        &[
            "echo \"$\\\n(id)\"",
            "echo `id \\`id\\``",
            "echo \"`echo 'a'`\"",
            "echo `id # `",
            "echo `id\nid`",
            "ls @(a|b)",
            "a=(b c)",
            "((a = 1))",
            "echo $((a[1]))",
            "echo $((1) )",
            "echo ${a:-'}'}",
            "echo $(ls # )\n)",
            "echo $(case a in a) id;; esac)",
        ],
    );
    check(
        Some(Ambiguity::ControlCharacter),
        &["echo 'a\u{1}'", "ls\r"],
    );
}

#[test]
fn s2_tokens_that_differ_are_not_alike() {
    let tokens = tokenize_str("ls a").unwrap();
    assert!(are_alike(&read("ls a").unwrap(), &tokens));
    assert!(!are_alike(&read("ls b").unwrap(), &tokens));
    assert!(!are_alike(&read("ls").unwrap(), &tokens));
    assert!(!are_alike(&read("ls;").unwrap(), &tokens));
    let pattern = tokenize_str("ls @(a|b)").unwrap();
    assert!(!are_alike(&read("ls @ (a|b)").unwrap(), &pattern));
}
