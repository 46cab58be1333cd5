//! The judge on what a shell makes of words, loops and conditions.

use CommandDecision::{Allow, Ask, Deny};

use super::judge_tests::check;
use super::{CommandDecision, Places, judge, named_paths};
use crate::call_facts::Place;

#[test]
fn patterns_are_read_where_no_name_can_be_an_option() {
    check(
        Allow,
        &[
            "sort src/*.txt",
            "sort ./*",
            "cd src && sort -r -- *.txt",
            "cat *.md",
            "grep -c x *.rs",
            "ls -d */",
            "cat {a,b}.txt",
            "wc -l src/**/*.rs",
            "awk '{print $1}' src/*.txt",
            "grep -rn x --include=*.rs src",
            "ls $(pwd)/src `pwd`",
        ],
    );
    check(
        Ask,
        &[
            "uniq src/*",
            "awk src/*",
            "sqlite3 src/*.db .tables",
            "cat .e*",
            "cat .*",
            "cat ../*",
            "cat src/*/../../x",
            "cat *.pem",
            "cat /home/*",
            "head -n *",
            "cat {a,../b}",
            "cat {.env,a}",
            "sort -o{a,b} c",
            "sort --output=* a",
            "sort --files0-from=* a",
            "grep --file=* a",
            "sed --expression=* a",
            "sort $(pwd)x/../../a",
            "cd src && sort -k -- *",
            "cd src && tail -n 1 -- *; cd src && sort *",
            "cd src && less -- *",
            "cd src && sort *",
            "* a",
            "src/* a",
        ],
    );
}

#[test]
fn patterns_at_the_start_of_a_word_ask_where_a_name_begins_with_a_dash() {
    let place = |name: &str, place: fn(std::path::PathBuf) -> Place| {
        (name.to_owned(), place(format!("/w/{name}").into()))
    };
    let decision = |command: &str, dash: fn(std::path::PathBuf) -> Place| {
        let plus = place("+*", Place::Nothing);
        let places = [place("-*", dash), plus, place("*.txt", Place::Nothing)].into();
        judge(command, Places::LookedUp(&places)).decision
    };
    assert_eq!(decision("sort *.txt", Place::Nothing), Allow);
    assert_eq!(decision("sort *.txt", Place::Inside), Ask);
    assert_eq!(decision("cat *.txt", Place::Inside), Allow);
    assert!(named_paths("sort *.txt").contains("-*"));
}

#[test]
fn the_home_is_inside() {
    check(
        Allow,
        &[
            "ls ~",
            "cat ~/a",
            "cat $HOME/a \"$PWD/b\"",
            "cd ~ && ls",
            "cd && ls",
            "wc -l < ~/a",
            "echo $HOME \"$USER\"",
        ],
    );
    check(
        Ask,
        &[
            "cat ~/.ssh/id_rsa",
            "cat ~/../x",
            "cd ~ && cat ../x",
            "cat $HOME.bak",
            "cat $HOSTNAME",
            "HOME=/etc; cat $HOME/passwd",
            "ls > ~/a",
        ],
    );
    check(Deny, &["rm -rf ~", "rm -rf $HOME", "rm -rf \"$HOME\""]);
}

#[test]
fn structures_are_judged_by_their_parts() {
    check(
        Allow,
        &[
            "(cd src && ls)",
            "{ ls; git status; }",
            "if [ -f a ]; then cat a; else echo no; fi",
            "[[ -f a ]] && cat a",
            "for f in a b; do cat $f; done",
            "for f in src/*.rs; do sort \"$f\"; done",
            "for f in *.rs; do wc -l \"$f\"; done",
            "for f in $(git ls-files); do head -1 \"$f\"; done",
            "find . | while read -r f; do wc -l \"$f\"; done",
            "while read -r line; do echo \"$line\"; done < a.txt",
            "f=a.txt; sort $f",
            "n=$(wc -l < a); echo \"$n\"",
            "[ -n \"$HOME\" ] && ls",
            "[ \"$(ls -A src)\" ] && echo full",
            "for f in *.txt; do echo \"${f%.txt}\"; done",
            "for f in src/*; do wc -l \"${f##*/}\"; done",
            "while IFS=, read -r a b; do echo \"$a $b\"; done < data.csv",
            "set -euo pipefail; ls",
            "[ -z \"$UNHEARD_OF\" ] && ls",
            "FILE=a.txt; wc -l $FILE",
            "find . -name *.rs",
            "ls -l $(which python3)",
        ],
    );
}

#[test]
fn structures_free_nothing_that_is_in_them() {
    check(
        Ask,
        &[
            "(cd src && rm a)",
            "if ls; then rm a; fi",
            "if ./x; then ls; fi",
            "for f in a b; do rm $f; done",
            "for f in rm; do $f a; done",
            "for f in -o; do sort $f a b; done",
            "for f in ../a; do cat $f; done",
            "for f in .env; do cat $f; done",
            "for f in src/*; do sort $f; done",
            "for f in *; do uniq $f; done",
            "for f in *.sh; do sh $f; done",
            "for d in a b; do cd $d; done",
            "for f in a; do f=/etc/passwd; cat $f; done",
            "f=a; for f in /etc/passwd; do ls; done; cat $f",
            "false && f=a; cat $f",
            "f=a | cat $f",
            "f='-o b'; sort $f a",
            "f=-k; sh -c 'sort $f -o out'",
            "cat list | while read f; do cat \"$f\"; done",
            "cat list | { ls; xargs cat; }",
            "{ cat list; ls; } | xargs cat",
            "{ xargs cat; } < list",
            "b='x[$(id)]'; [ -v 'a[b]' ]",
            "for b in *; do [ -v 'a[b]' ]; done",
        ],
    );
}

#[test]
fn what_a_variable_may_hold_is_no_option_and_leads_nowhere_else() {
    check(
        Ask,
        &[
            "for f in *.txt; do sort \"${f%.txt}\"; done",
            "for f in a/-o; do sort \"${f#a/}\" b c; done",
            "while IFS=, read -r a PATH; do echo \"$a\"; done < data.csv",
            "while read f f2; do sort \"$f2\"; done < list",
            "find . -name *",
            "find . -name * -exec cat {} +",
            "find . -name *.pem -exec cat {} +",
            "find . *.rs",
            "[ $(ls) ]",
            "[ -z $UNHEARD_OF ]",
            "[ -v \"$UNHEARD_OF\" ]",
            "[ \"${!UNHEARD_OF}\" ]",
            "PS4='$(id)'; set -x; ls",
            "FILE=/etc/shadow; cat $FILE",
            "file $(which python3)",
            "for f in a; do cat $f; done > out",
            "{ ls; } > out",
            "(cd src && ls) >> out",
            "if ls; then ls; fi > out",
            "while read f; do echo \"$f\"; done < /etc/shadow",
            "while read f; do cat \"$f\"; done <<< x",
            "[ b -eq 1 ]",
            "[[ a < b ]]",
            "[[ -f a && -f b ]]",
        ],
    );
}

#[test]
fn what_destroys_the_system_is_denied_in_a_loop() {
    check(
        Deny,
        &[
            "for f in /; do rm -rf $f; done",
            "for x in $(rm -rf /); do ls; done",
            "f=/; rm -rf $f",
        ],
    );
}

#[test]
fn loops_in_loops_ask_and_end_soon() {
    let values: Vec<String> = (0..30).map(|value| value.to_string()).collect();
    let values = values.join(" ");
    let loops = ["a", "b", "c", "d", "e"].map(|name| format!("for {name} in {values}; do "));
    let command = format!(
        "{} ls $a $b $c $d $e; {}",
        loops.concat(),
        "done; ".repeat(5)
    );
    assert_eq!(judge(&command, Places::AsWritten).decision, Ask);
    let outputs = "$(ls) ".repeat(30);
    let command = format!("for a in {values}; do for b in {outputs}; do ls $b; done; done");
    judge(&command, Places::AsWritten);
}

#[test]
fn a_list_of_names_may_be_read_and_no_other_text() {
    check(
        Allow,
        &[
            "find . -name '*.rs' | xargs wc -l",
            "git ls-files | xargs cat",
            "git ls-files | grep '\\.rs$' | sort | head -3 | xargs grep -n x",
            "find src -print0 | xargs -0 sort",
            "find . | xargs -I{} wc -l {}",
            "grep -rl x . | xargs head -1",
            "cat $(git ls-files)",
        ],
    );
    check(
        Ask,
        &[
            "find src | xargs -0 sort",
            "find src -print0 | xargs sort",
            "find . | xargs -I{} {} a",
            "find . | xargs -I a cat a",
            "find . | xargs -I{} sh -c 'cat {}'",
            "find . | xargs sh -c",
            "find . -printf x | xargs cat",
            "find . -name .env | xargs cat",
            "ls -l | xargs cat",
            "cat $(cat list)",
            "sort $(git ls-files)",
            "git ls-files | sed s/a/b/ | xargs cat",
            "git ls-files | sort list | xargs cat",
        ],
    );
}
