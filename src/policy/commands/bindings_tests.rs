//! What an approval of a command is bound to, by its text.

use super::{Bindings, Obeys, bindings, is_one_plain_command};
use crate::call_facts::Place;
use crate::commands::places_as_written;

fn read(command: &str) -> Bindings {
    bindings(command, &places_as_written(command))
}

#[track_caller]
fn check(obeys: Obeys, commands: &[&str]) {
    for command in commands {
        assert_eq!(read(command).obeys, obeys, "{command}");
    }
}

/// Commands that may run files of the workspace which they do not name, or not in plain words.
const RUN_MORE: &[&str] = &[
    // The forms of a command in which a script is named by more than its path.
    "sh build.sh",
    "sh sub/build.sh",
    "cd sub && sh run.sh",
    "cd sub; . ./run2.sh",
    "sh ~/h.sh",
    "sh $HOME/h2.sh",
    "sh \"$PWD/h3.sh\"",
    "sh g*.sh",
    "sh q'uot'e.sh",
    "sh esc\\ape.sh",
    "x=va; sh ${x}r.sh",
    "sh l\\\nine.sh",
    "sh {a,b}.sh",
    "find sub -name f1.sh -exec sh {} \\;",
    "cat sub/*.txt | sh",
    "cat a.txt | sh",
    "cat a.txt | python3",
    "env -C sub sh e.sh",
    "python3 p.py",
    // What obeys files of its own.
    "make -s",
    "make -C sub",
    "npm test",
    "npx x",
    "yarn build",
    "pnpm run x",
    "cargo test",
    "pytest",
    "tox",
    "just",
    "ninja",
    "cmake .",
    "gradle build",
    "mvn verify",
    "rake",
    "bundle exec rake",
    "composer install",
    "docker compose up",
    "ansible-playbook site.yml",
    "terraform apply",
    "pre-commit run",
    "go generate ./...",
    "go test ./...",
    "unheard-of x",
    "tar xf a.tar",
    "patch -p1 -i a.diff",
    "git commit -m x",
    "git push",
    "git bisect run x",
    // What is found by its path, or a word that is not literal.
    "./run.sh",
    "sub/touch a",
    "touch $X",
    "rm *.txt",
    "touch $(sh x.sh)",
    "PATH=. touch a",
    "env PATH=. touch a",
    "sh -c 'touch a; ./b'",
    "for f in d/*; do sh $f; done",
    "(touch a)",
    "f() { touch a; }; f",
    "touch a &",
    "cat <(sh x.sh)",
    "pushd sub && touch a",
    "cd - && touch a",
    "cd $X && touch a",
    "ls | xargs touch",
    "ls | xargs -I{} sh {}",
    "ls | xargs find",
    "split --filter=./x a",
    "sort --compress-program=./x a -o b",
    "install -s --strip-program=./x a b",
    "zip -T -TT ./x a.zip b",
    "touch a; ./run.sh",
    "touch 'a",
    "",
];

#[test]
fn s3_what_may_run_a_file_that_it_does_not_name_is_bound_to_the_workspace() {
    check(Obeys::TheWorkspace, RUN_MORE);
}

#[test]
fn s3_what_obeys_only_its_words_is_bound_to_what_they_name() {
    check(
        Obeys::ItsWords,
        &[
            "rm notes.txt",
            "rm -rf build",
            "mkdir -p a/b && touch a/b/c",
            "cp a b; mv b c",
            "cd sub && rm x",
            "cd sub; cat x | sort -o y",
            "echo hi > out.txt",
            "cat a >> b",
            "grep -rn x . | head > found.txt",
            "timeout 5 touch a",
            "nice -n 3 cp a b",
            "/bin/touch a",
            "cat /etc/hosts",
            "cat .env",
            "ls | sort > names.txt",
            "> empty",
        ],
    );
}

#[test]
fn s3_git_obeys_the_settings_of_its_repository() {
    check(
        Obeys::GitSettings,
        &[
            "git add a",
            "g'i't add a",
            "git status",
            "sh -c 'git status'",
            "git tag v1",
            "ls && git mv a b",
        ],
    );
    check(
        Obeys::TheWorkspace,
        &[
            "cd sub && git add a",
            "git -C sub status",
            "g'i't -'C' sub status",
            "sh -c 'g\"i\"t status'",
            "find . -exec sh -c 'g\\it status' \\;",
            "git --git-dir=x status",
            "git -c core.pager=x log",
            "git add -A",
            "git commit",
        ],
    );
}

#[test]
fn s3_a_program_that_finds_settings_is_bound_to_the_workspace() {
    let command = "cargo --version > version.txt";
    assert_eq!(read(command).obeys, Obeys::ItsWords);
    let mut places = places_as_written(command);
    places.insert(
        "rust-toolchain.toml".to_owned(),
        Place::Inside("/w/rust-toolchain.toml".into()),
    );
    assert_eq!(bindings(command, &places).obeys, Obeys::TheWorkspace);
    assert_eq!(
        read("cd sub && cargo --version > x").obeys,
        Obeys::TheWorkspace
    );
    let spelled = "c'arg'o --version > version.txt";
    assert_eq!(bindings(spelled, &places).obeys, Obeys::TheWorkspace);
}

#[test]
fn s3_paths_are_read_as_the_parser_does_and_from_every_directory() {
    for (command, path) in [
        ("sh q'uot'e.sh", "quote.sh"),
        ("sh esc\\ape.sh", "escape.sh"),
        ("sh l\\\nine.sh", "line.sh"),
        ("sh 'with space.sh'", "with space.sh"),
        ("cd sub && sh run.sh", "sub/run.sh"),
        ("cd sub && sh run.sh", "run.sh"),
        ("cd a; cd b; ./c", "a/b/./c"),
        ("cd a && rm --one=x", "a/x"),
        ("cp a b > 'out put'", "out put"),
        ("sh -c 'sh in.sh'", "in.sh"),
        ("X='./y' touch z", "./y"),
    ] {
        let paths = read(command).paths;
        assert!(paths.contains(path), "{command}: {paths:?}");
    }
}

#[test]
fn s3_a_command_of_too_many_words_or_directories_is_bound_to_the_workspace() {
    let many: Vec<String> = (0..3_000).map(|number| format!("{number:x}")).collect();
    let command = format!("rm {}", many.join(" "));
    assert_eq!(read(&command).obeys, Obeys::ItsWords);
    assert_eq!(read(&format!("cd a; {command}")).obeys, Obeys::TheWorkspace);
    let deep = "cd a; ".repeat(12) + "rm x";
    assert_eq!(read(&deep).obeys, Obeys::TheWorkspace);
}

#[test]
fn s4_only_one_program_that_obeys_its_words_can_be_always_allowed() {
    for command in ["touch a", "mktemp -p . x.XXXXXX", "cp -r a b"] {
        assert!(is_one_plain_command(command), "{command}");
    }
    for command in [
        "touch a; touch b",
        "touch a > b",
        "touch a | cat",
        "/bin/touch a",
        "timeout 5 touch a",
        "time touch a",
        "touch $X",
        "touch a &",
        "A=b touch a",
        "cat a",
        "",
    ] {
        assert!(!is_one_plain_command(command), "{command}");
    }
}
