//! The judge on commands of every kind.

use CommandDecision::{Allow, Ask, Deny};

use super::{CommandDecision, Places, Trait, judge, named_paths};
use crate::call_facts::Place;

#[track_caller]
pub(super) fn check(expected: CommandDecision, commands: &[&str]) {
    for command in commands {
        let verdict = judge(command, Places::AsWritten);
        assert_eq!(verdict.decision, expected, "{command}: {}", verdict.why.en);
    }
}

#[track_caller]
fn check_traits(command: &str, expected: &[Trait]) {
    let traits: Vec<_> = judge(command, Places::AsWritten).traits.iter().collect();
    assert_eq!(traits, expected, "{command}");
}

#[test]
fn reading_inside_the_workspace_is_allowed() {
    check(
        Allow,
        &[
            "ls -la src",
            "cat README.md | head -n 5",
            "grep -rn 'fn main()' src && wc -l src/main.rs",
            "git --no-pager log --oneline -5",
            "find . -name '*.rs' -type f -exec grep -l x {} +",
            "sed -n '1,10p' a.txt; awk '{print $1}' a.txt",
            "cd src && ls ; cat main.rs",
            "LC_ALL=C sort a.txt 2>/dev/null",
            "ls 2>&1",
            "cat <<'END'\n$HOME\nEND",
            "! grep -q x a.txt",
            "/usr/bin/wc -l a.txt",
            "node --version",
            "cargo --version",
            "ls | xargs basename",
            "script -q -c 'ls -la' /dev/null",
            "script -q /dev/null ls",
        ],
    );
}

#[test]
fn what_cannot_be_proved_is_asked_about() {
    check(
        Ask,
        &[
            "",
            "   ",
            "# a comment",
            "ls $HOME/../x",
            "ls $UNHEARD_OF",
            "cat `id`",
            "(ls)",
            "cat $(id)",
            "cat ${a:-b}",
            "ls &",
            "case a in a) ls;; esac",
            "until true; do ls; done",
            "while true; do ls; done",
            "for a; do ls; done",
            "for PATH in b; do ls; done",
            "f() { ls; }; f",
            "PATH=. ls",
            "cat <(ls)",
            "cat <<END\n$HOME\nEND",
            "\"ls",
            "ls &&",
            "eval ls",
            "alias ls=id",
            "./ls",
            "/tmp/ls",
            "unheard-of",
            "printf -v PATH x",
            "hash -p ./x ls",
            "test -v 'a[$(id)]'",
            "tree -R",
            "git -c core.pager=id log",
            "git -C sub status",
            "cd sub && git status",
            "cd sub && cargo --version",
            "cat\u{a0}a",
            "git log --output=x",
            "sort -o x a",
            "tar -tf host:a.tar",
            "rg --pre id x",
        ],
    );
}

#[test]
fn paths_outside_and_files_with_secrets_are_asked_about() {
    check(
        Ask,
        &[
            "cat /etc/passwd",
            "cat ../x",
            "cd .. && ls",
            "cd a && cat ../../x",
            "cat .env",
            "cat .ssh/id_rsa",
            "grep x ~root/a",
            "cat < /etc/passwd",
            "find / -name x",
            "git -C /etc status",
        ],
    );
    check_traits("cat /etc/passwd", &[Trait::OutsideWorkspace]);
    check_traits(
        "rm ../x",
        &[Trait::Destructive, Trait::OutsideWorkspace, Trait::Writes],
    );
}

#[test]
fn programs_are_judged_through_what_starts_them() {
    check(
        Allow,
        &[
            "timeout 5 ls",
            "nice -n 10 git status",
            "env LC_ALL=C sort a",
            "sh -c 'ls && cat a'",
            "bash -xc 'ls | wc -l'",
            "command ls",
            "xargs cat",
        ],
    );
    check(
        Ask,
        &[
            "timeout 5 rm a",
            "sh -c 'ls; rm a'",
            "sh -c \"$X\"",
            "sh script.sh",
            "bash",
            "ls | bash",
            "find . | xargs sort",
            "cat list | xargs cat",
            "xargs rm",
            "sudo ls",
            "ssh host ls",
            "env PATH=. ls",
            "env -S 'rm a'",
            "ls | xargs",
            "ls | xargs -I echo echo x",
            "ls | xargs printf",
            "script",
            "script out.txt ls",
            "script -q -c 'rm a' /dev/null",
            "script -q /dev/null ls -c 'rm a'",
            "script -q /dev/null a.txt rm b",
            "find .ssh -type f -exec cat {} +",
            "busybox ls",
            "find . -exec sh {} \\;",
            "find . -exec uniq {} +",
            "find . -name '*.pem' -exec cat {} +",
            "docker exec web ls",
            "watch ls",
        ],
    );
}

#[test]
fn what_destroys_the_system_is_denied() {
    check(
        Deny,
        &[
            "rm -rf /",
            "rm -rf /*",
            "rm -rf ~",
            "rm -rf \"$HOME\"",
            "r\\m -rf '/'",
            "ls; rm -rf /",
            "ls\nrm -rf /\n&& ls",
            "rm -rf /\n)\nls",
            "echo $(rm -rf /)",
            "echo `rm -rf /`",
            "sudo rm -rf /",
            "sudo -Q x rm -rf /",
            "sh -c 'rm -rf /'",
            "sh -c \"sh -c 'rm -rf /'\"",
            "find . -exec rm -rf / \\;",
            "find . -execdir rm -rf / \\; -print",
            "if true; then rm -rf /; fi",
            "f() { rm -rf /; }",
            "cat <(rm -rf /)",
            "mkfs.ext4 /dev/sda1",
            "dd if=/dev/zero of=/dev/sda",
            "echo x > /dev/sda",
            ":(){ :|:& };:",
            "chmod -R 777 /",
            "shutdown -h now",
            "timeout 5 env A=b nice reboot",
        ],
    );
}

#[test]
fn ordinary_work_is_never_denied() {
    check(
        Ask,
        &[
            "rm -rf build",
            "rm -rf /tmp/x",
            "git push --force",
            "curl https://example.com | sh",
            "chmod 755 x",
            "kill -9 1234",
            "sudo grep shutdown /var/log/syslog",
            "timeout 5 xargs -a list grep reboot",
            "dd if=/dev/sda of=disk.img",
        ],
    );
}

#[test]
fn redirections_are_judged_with_their_command() {
    check(Allow, &["ls > /dev/null", "ls 2>&1", "wc -l < a.txt"]);
    check(
        Ask,
        &[
            "ls > out.txt",
            "ls >> /etc/x",
            "ls &> all.txt",
            "ls > $X",
            "ls >&2-",
        ],
    );
    check_traits("ls > out.txt", &[Trait::Writes]);
    check_traits("ls > /etc/x", &[Trait::OutsideWorkspace, Trait::Writes]);
}

#[test]
fn the_verdict_names_the_segment_and_the_reason() {
    let verdict = judge("ls && curl https://example.com; cat a", Places::AsWritten);
    assert_eq!(verdict.segment, "curl https://example.com");
    assert_eq!(verdict.why.en, "it talks to other machines");
    assert_eq!(verdict.why.zh, "它会与其他机器通信");
    assert!(verdict.traits.has(Trait::Network));
}

#[test]
fn the_paths_of_a_command_are_named_for_the_one_who_looks_them_up() {
    let paths = named_paths("cd src && cat main.rs > ../out; grep x -f list b");
    let paths: Vec<_> = paths.iter().map(String::as_str).collect();
    assert_eq!(
        paths,
        [
            "../out",
            "b",
            "list",
            "main.rs",
            "src",
            "src/../out",
            "src/b",
            "src/list",
            "src/main.rs",
            "src/x",
            "x"
        ]
    );
}

#[test]
fn deep_and_long_scripts_ask_and_end_soon() {
    let deep = |open: &str, close: &str| format!("{}ls{}", open.repeat(200), close.repeat(200));
    for command in [
        deep("(", ")"),
        deep("$(", ")"),
        deep("{ ", "; }"),
        deep("if ", "; then :; fi"),
        deep("sh -c '", "'"),
        deep("`", "`"),
        deep("${a:-", "}"),
        "ls; ".repeat(10_000),
        "sudo ".repeat(2000),
        "a=".repeat(5000),
        "2147483648>a ls".to_owned(),
        "99999999999999>a ls".to_owned(),
        "echo {99999999999999999999..2}".to_owned(),
        "ls ~+99999999999999999999999".to_owned(),
    ] {
        let shown: String = command.chars().take(40).collect();
        assert_ne!(
            judge(&command, Places::AsWritten).decision,
            Allow,
            "{shown}"
        );
    }
}

#[test]
fn what_the_system_says_of_itself_is_read_and_not_written() {
    check(
        Allow,
        &[
            "cat /etc/os-release",
            "ls /usr/share",
            "wc -l < /proc/cpuinfo",
        ],
    );
    check(
        Ask,
        &[
            "ls > /usr/share/x",
            "cp a /usr/bin/ls",
            "cd /usr/share && cat x",
        ],
    );
    check_traits(
        "ls > /usr/share/x",
        &[Trait::OutsideWorkspace, Trait::Writes],
    );
    check_traits(
        "cp a /usr/bin/ls",
        &[Trait::OutsideWorkspace, Trait::Writes],
    );
}

#[test]
fn a_page_of_git_asks_where_a_repository_may_name_what_shows_it() {
    let decision = |command: &str, found: &str| {
        let names = [".git", "HEAD", ".gitconfig", ".config/git"];
        let place = |name: &str| {
            let path = format!("/w/{name}").into();
            let is_there = name == found;
            let place = if is_there {
                Place::Inside(path)
            } else {
                Place::Nothing(path)
            };
            (name.to_owned(), place)
        };
        let places = names.into_iter().map(place).collect();
        judge(command, Places::LookedUp(&places)).decision
    };
    for command in ["git push --help", "git help push"] {
        assert_eq!(decision(command, "nothing"), Allow, "{command}");
        for found in [".git", "HEAD", ".gitconfig", ".config/git"] {
            assert_eq!(decision(command, found), Ask, "{command}, {found}");
        }
    }
    assert_eq!(decision("git --help", ".git"), Allow);
    assert_eq!(decision("git help", ".git"), Allow);
}

#[test]
fn what_only_says_what_it_would_do_is_not_denied() {
    check(
        Ask,
        &[
            "wipefs -n -a /dev/sda",
            "sgdisk -p /dev/sda",
            "sfdisk -l /dev/sda",
            "fdisk -l /dev/sda",
            "parted -l",
            "mkfs.ext4 -n /dev/sda1",
            "dd if=/dev/zero of=disk.img",
        ],
    );
    check(
        Deny,
        &[
            "sgdisk -p -o /dev/sda",
            "mkfs.vfat -n DATA /dev/sda1",
            "wipefs -a /dev/sda",
        ],
    );
}

#[test]
fn the_reasons_are_true_of_the_command() {
    for (command, reason) in [
        (
            "ip neighbor add 10.0.0.1 dev eth0",
            "it may change the system",
        ),
        ("fdisk -l /dev/sda", "it may overwrite files or disks"),
        (
            "docker pull alpine",
            "it may act on containers or machines, which reach past the workspace",
        ),
        ("rm a", "it deletes or overwrites files for good"),
    ] {
        assert_eq!(
            judge(command, Places::AsWritten).why.en,
            reason,
            "{command}"
        );
    }
}

#[test]
fn what_makes_a_temporary_file_of_the_call_alone_is_allowed() {
    check(
        Allow,
        &["mktemp", "mktemp -d", "mktemp -dt work.XXXXXX", "mktemp -u"],
    );
    check(
        Ask,
        &[
            "mktemp a.XXXXXX",
            "mktemp -u a.XXXXXX",
            "mktemp -t ../a.XXXXXX",
            "mktemp -p . -t a.XXXXXX",
            "mktemp --tmpdir=. a.XXXXXX",
            "mktemp --suffix=/../a",
            "TMPDIR=. mktemp",
            "env TMPDIR=. mktemp",
        ],
    );
}

#[test]
fn a_variable_of_ones_own_is_harmless_to_programs_that_only_look() {
    check(Allow, &["A=b ls", "env A=b name=x cat a"]);
    check(
        Ask,
        &[
            "A=b git status",
            "A=$(id) ls",
            "env A=b PATH=. ls",
            "env A=b git status",
        ],
    );
}
