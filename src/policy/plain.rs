//! Commands that are one program and its words, and nothing that a shell would act on.
//!
//! Anything else is not understood here, on purpose: what is not plain is never freed by a list
//! or a grant. Which programs run *other* programs is this file's to know; what follows from it
//! is `decide`'s.

/// A command line that a shell splits into these words and does nothing else with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlainCommand {
    words: Vec<String>,
}

/// What a shell acts on outside quotes: operators, expansions, globs, comments and escapes.
const ACTIVE: &str = ";&|<>$`(){}[]*?~#!\\^";
/// What a shell acts on inside double quotes.
const ACTIVE_IN_DOUBLE_QUOTES: &str = "$`\\!";

impl PlainCommand {
    /// Reads a command; `None` when it is empty or a shell would do more than run one program.
    ///
    /// Quotes are understood where they are simple: `'...'`, and `"..."` without expansions.
    pub(crate) fn parse(command: &str) -> Option<Self> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut letters = command.trim_matches([' ', '\t']).chars();
        while let Some(letter) = letters.next() {
            match letter {
                ' ' | '\t' => words.extend(word.take()),
                '\'' | '"' => {
                    let quoted = quoted(&mut letters, letter)?;
                    word.get_or_insert_default().push_str(&quoted);
                }
                _ if letter.is_control() || ACTIVE.contains(letter) => return None,
                _ => word.get_or_insert_default().push(letter),
            }
        }
        words.extend(word);
        let assigns = words.first()?.contains('=');
        (!assigns).then_some(Self { words })
    }

    /// Returns the program as written, with its directory where one is given.
    pub(crate) fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}

fn quoted(letters: &mut impl Iterator<Item = char>, quote: char) -> Option<String> {
    let mut text = String::new();
    loop {
        let letter = letters.next()?;
        if letter == quote {
            return Some(text);
        }
        let active = quote == '"' && ACTIVE_IN_DOUBLE_QUOTES.contains(letter);
        if active || letter.is_control() {
            return None;
        }
        text.push(letter);
    }
}

/// How far the name of a program tells what a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProgramKind {
    /// It does what its name says, with its words as input.
    Ordinary,
    /// It runs code that its words, its input or a file give it.
    Interpreter,
    /// It is a shell, or starts programs that its words name.
    Wrapper,
}

impl ProgramKind {
    /// Classifies a program by its name; a directory before it and a version behind it
    /// (`python3.11`) make no difference.
    pub(crate) fn of(program: &str) -> Self {
        let file = program.rsplit('/').next().unwrap_or(program);
        let lower = file.to_ascii_lowercase();
        let family = lower.trim_end_matches(|letter: char| {
            letter.is_ascii_digit() || matches!(letter, '.' | '-' | '_')
        });
        if WRAPPERS.contains(&family) || WRAPPERS.contains(&lower.as_str()) {
            Self::Wrapper
        } else if INTERPRETERS.contains(&family) || INTERPRETERS.contains(&lower.as_str()) {
            Self::Interpreter
        } else {
            Self::Ordinary
        }
    }
}

/// Shells, words of the shell that run words, and programs that start programs.
const WRAPPERS: &[&str] = &[
    // Shells.
    "sh",
    "ash",
    "bash",
    "rbash",
    "csh",
    "dash",
    "fish",
    "ksh",
    "mksh",
    "tcsh",
    "zsh",
    "nu",
    "pwsh",
    "busybox",
    "toybox",
    // Words of the shell.
    ".",
    "source",
    "eval",
    "exec",
    "command",
    "builtin",
    "trap",
    "coproc",
    "time",
    "alias",
    // As somebody else, somewhere else.
    "sudo",
    "doas",
    "su",
    "runuser",
    "pkexec",
    "setpriv",
    "ssh",
    "chroot",
    "unshare",
    "nsenter",
    "docker",
    "podman",
    "nerdctl",
    "kubectl",
    "systemd-run",
    "proot",
    "fakeroot",
    "bwrap",
    // In another way, at another time.
    "env",
    "nice",
    "ionice",
    "chrt",
    "taskset",
    "nohup",
    "setsid",
    "timeout",
    "stdbuf",
    "unbuffer",
    "script",
    "watch",
    "flock",
    "strace",
    "ltrace",
    "gdb",
    "valgrind",
    "xargs",
    "parallel",
    "find",
    "fd",
    "entr",
    "at",
    "batch",
    "crontab",
    "tmux",
    "screen",
    "dbus-run-session",
    "xvfb-run",
];

/// Programs that run code, or lines of a file as commands.
const INTERPRETERS: &[&str] = &[
    "python",
    "pypy",
    "ipython",
    "perl",
    "ruby",
    "irb",
    "node",
    "nodejs",
    "deno",
    "bun",
    "bunx",
    "php",
    "lua",
    "luajit",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "tclsh",
    "wish",
    "expect",
    "guile",
    "racket",
    "rscript",
    "julia",
    "osascript",
    "java",
    "jshell",
    "groovy",
    "scala",
    "elixir",
    "iex",
    "erl",
    "ghci",
    "runghc",
    "ts-node",
    "tsx",
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "pip",
    "pipx",
    "uv",
    "uvx",
    "make",
    "gmake",
    "just",
    "task",
    "rake",
    "ant",
    "vim",
    "vi",
    "nvim",
    "emacs",
    "ed",
    "ex",
];

#[cfg(test)]
mod tests {
    use super::{PlainCommand, ProgramKind};

    fn check(command: &str, words: Option<&[&str]>) {
        let parsed = PlainCommand::parse(command).map(|plain| plain.words);
        let expected = words.map(|words| words.iter().map(ToString::to_string).collect());
        assert_eq!(parsed, expected, "{command:?}");
    }

    #[test]
    fn one_program_and_its_words_are_plain() {
        check("ls", Some(&["ls"]));
        check("  git   log\t-3 ", Some(&["git", "log", "-3"]));
        check("/usr/bin/git status", Some(&["/usr/bin/git", "status"]));
        check(
            "grep -n 'fn main()' src",
            Some(&["grep", "-n", "fn main()", "src"]),
        );
        check("echo \"a; b\" 'c'd", Some(&["echo", "a; b", "cd"]));
        check("echo ''", Some(&["echo", ""]));
        check("dd if=a of=b", Some(&["dd", "if=a", "of=b"]));
    }

    #[test]
    fn what_a_shell_would_act_on_is_not_plain() {
        for command in [
            "",
            "   ",
            "a;b",
            "a && b",
            "a|b",
            "a & ",
            "a > b",
            "a < b",
            "echo $HOME",
            "echo `id`",
            "echo $(id)",
            "(id)",
            "{ id; }",
            "ls *",
            "ls ?",
            "ls [a]",
            "ls ~",
            "! true",
            "a # b",
            "a\nb",
            "a\r",
            "a\0b",
            "l\\s",
            "echo \"$HOME\"",
            "echo \"`id`\"",
            "echo \"\\n\"",
            "echo 'open",
            "echo \"open",
            "PATH=. git",
            "'A=b' ls",
            "echo 'a\nb'",
        ] {
            check(command, None);
        }
    }

    #[test]
    fn programs_that_run_other_things_are_known_by_any_name_they_have() {
        for program in [
            "sh",
            "/bin/bash",
            "SUDO",
            "xargs",
            "find",
            "env",
            "time",
            "ksh93",
            "at",
        ] {
            assert_eq!(ProgramKind::of(program), ProgramKind::Wrapper, "{program}");
        }
        for program in [
            "python3.11",
            "python",
            "perl5.36.0",
            "php8.2",
            "lua5.4",
            "node",
            "make",
        ] {
            assert_eq!(
                ProgramKind::of(program),
                ProgramKind::Interpreter,
                "{program}"
            );
        }
        for program in ["git", "ls", "cargo", "7z", "cat", "rg"] {
            assert_eq!(ProgramKind::of(program), ProgramKind::Ordinary, "{program}");
        }
    }
}
