//! From arguments to one command line of git, in which no word can be taken for an option.

use std::path::{Component, Path};

use schemars::JsonSchema;
use serde::Deserialize;

use crate::arguments::WrongArgument;

/// The default and the greatest number of commits that `log` shows.
const COMMITS: u32 = 20;
const MOST_COMMITS: u32 = 200;
/// The longest name, revision and path, and the longest message, in bytes.
const WORD_BYTES: usize = 300;
const MESSAGE_BYTES: usize = 8000;
/// How many paths one call takes.
const PATHS: usize = 100;
/// How `log` shows a commit.
const LOG_FORMAT: &str = "--format=%h %ad %an: %s";

/// What the model may ask for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    action: Verb,
    /// The directory of the repository; the workspace when left out.
    repo: Option<String>,
    /// Files, relative to the repository: of diff, log, show, add, restore.
    paths: Option<Vec<String>>,
    /// A revision (`HEAD~1`, `main..topic`): of diff, log, show; where a new branch begins.
    rev: Option<String>,
    /// The branch: made by branch, gone to by switch.
    name: Option<String>,
    /// switch: make the branch first.
    create: Option<bool>,
    /// branch: delete it, if it is merged.
    delete: Option<bool>,
    /// diff, restore: what is staged.
    staged: Option<bool>,
    /// add: everything that changed.
    all: Option<bool>,
    /// commit: the message.
    message: Option<String>,
    /// log: how many.
    count: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verb {
    Status,
    Diff,
    Log,
    Show,
    Branch,
    Add,
    Commit,
    Switch,
    Restore,
}

/// What a command does to its repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// It changes nothing.
    Reads,
    /// It changes what git keeps, and looks at no content of files.
    Records,
    /// It takes in files or writes them, which a repository may want filtered.
    ChangesFiles,
}

/// One command line of git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    /// The directory of the repository.
    pub(super) repo: String,
    /// What it does.
    pub(super) usage: Use,
    /// The files that it names.
    pub(super) paths: Vec<String>,
    /// Whether it tells what is in files.
    pub(super) shows_files: bool,
    words: Vec<String>,
}

impl Command {
    /// Makes the command, or says which argument is wrong.
    pub(super) fn of(arguments: Arguments) -> Result<Self, WrongArgument> {
        arguments.check()?;
        let repo = arguments.repo.clone().unwrap_or_else(|| ".".to_owned());
        let paths = arguments.paths.clone().unwrap_or_default();
        let shows_files = matches!(arguments.action, Verb::Diff | Verb::Show);
        let (usage, words) = arguments.words()?;
        Ok(Self {
            repo,
            usage,
            paths,
            shows_files,
            words,
        })
    }

    /// Returns the command as the shell runs it.
    pub(super) fn line(&self) -> String {
        let head = ["git", "--no-pager", "-C", &self.repo].map(quoted);
        let words = self.words.iter().map(|word| quoted(word));
        head.into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }

    /// Returns the command that lists, between NULs, the files whose contents this one would tell.
    pub(super) fn names_line(&self) -> String {
        let mut names = self.clone();
        let options = ["--name-only", "-z", "--format="].map(str::to_owned);
        let options = options.into_iter().take(match self.words.first() {
            Some(verb) if verb == "show" => 3,
            _ => 2,
        });
        names.words.splice(1..1, options);
        names.line()
    }

    /// Returns the command as people know it.
    pub(super) fn shown(&self) -> String {
        let words: Vec<String> = self.words.iter().map(|word| quoted(word)).collect();
        if self.repo == "." {
            format!("git {}", words.join(" "))
        } else {
            format!("git -C {} {}", quoted(&self.repo), words.join(" "))
        }
    }
}

impl Arguments {
    fn check(&self) -> Result<(), WrongArgument> {
        let named = [
            ("repo", &self.repo),
            ("rev", &self.rev),
            ("name", &self.name),
        ];
        for (field, word) in named {
            if let Some(word) = word {
                check_word(field, word)?;
            }
        }
        let paths = self.paths.as_deref().unwrap_or_default();
        if paths.len() > PATHS {
            let count = paths.len();
            return Err(WrongArgument::new(
                "paths",
                format!("{count} are too many, {PATHS} are allowed"),
            ));
        }
        for (position, path) in paths.iter().enumerate() {
            check_path(position, path)?;
        }
        Ok(())
    }

    fn words(self) -> Result<(Use, Vec<String>), WrongArgument> {
        let paths = self.paths.clone().unwrap_or_default();
        let staged = self.staged == Some(true);
        let mut words = Words::default();
        let usage = match self.action {
            Verb::Status => {
                words.add(["status", "--short", "--branch", "--ignore-submodules=all"]);
                Use::Reads
            }
            Verb::Diff => {
                words.add([
                    "diff",
                    "--no-ext-diff",
                    "--no-textconv",
                    "--ignore-submodules=all",
                ]);
                words.add(staged.then_some("--cached"));
                words.add(self.rev.as_deref());
                Use::Reads
            }
            Verb::Log => {
                words.add(["log", "--no-show-signature", "--date=iso", LOG_FORMAT]);
                words.add([format!("--max-count={}", self.commits()?).as_str()]);
                words.add(self.rev.as_deref());
                Use::Reads
            }
            Verb::Show => {
                words.add([
                    "show",
                    "--no-ext-diff",
                    "--no-textconv",
                    "--no-show-signature",
                ]);
                // Of a commit, and not of a file that is named by its digest.
                let rev = self.rev.as_deref().unwrap_or("HEAD");
                words.add([format!("{rev}^{{commit}}").as_str()]);
                Use::Reads
            }
            Verb::Branch => return Ok(self.branch()),
            Verb::Add if self.all == Some(true) && paths.is_empty() => {
                words.add(["add", "--all"]);
                Use::ChangesFiles
            }
            Verb::Add => {
                needs("paths", !paths.is_empty(), "it is missing; or give `all`")?;
                words.add(["add"]);
                Use::ChangesFiles
            }
            Verb::Commit => return self.commit(),
            Verb::Switch => return self.switch(),
            Verb::Restore => {
                needs("paths", !paths.is_empty(), "it is missing")?;
                words.add(["restore"]);
                words.add(staged.then_some("--staged"));
                Use::ChangesFiles
            }
        };
        Ok((usage, words.with_paths(paths)))
    }

    fn commits(&self) -> Result<u32, WrongArgument> {
        match self.count {
            None => Ok(COMMITS),
            Some(count) if (1..=MOST_COMMITS).contains(&count) => Ok(count),
            Some(count) => Err(WrongArgument::new(
                "count",
                format!("{count} is not allowed, 1 to {MOST_COMMITS} is"),
            )),
        }
    }

    fn branch(self) -> (Use, Vec<String>) {
        let mut words = Words::default();
        words.add(["branch"]);
        let Some(name) = &self.name else {
            words.add(["--list", "--all", "--verbose"]);
            return (Use::Reads, words.0);
        };
        if self.delete == Some(true) {
            words.add(["--delete", name]);
        } else {
            words.add(["--no-track", name]);
            words.add(self.rev.as_deref());
        }
        (Use::Records, words.0)
    }

    fn commit(self) -> Result<(Use, Vec<String>), WrongArgument> {
        let message = self.message.unwrap_or_default();
        let bytes = message.len();
        needs("message", !message.trim().is_empty(), "it is missing")?;
        if bytes > MESSAGE_BYTES || message.contains('\0') {
            return Err(WrongArgument::new(
                "message",
                format!("it has {bytes} bytes, {MESSAGE_BYTES} are allowed"),
            ));
        }
        let mut words = Words::default();
        words.add([
            "commit",
            "--no-gpg-sign",
            "--no-verify",
            "--message",
            &message,
        ]);
        Ok((Use::Records, words.0))
    }

    fn switch(self) -> Result<(Use, Vec<String>), WrongArgument> {
        let missing = || WrongArgument::new("name", "it is missing");
        let name = self.name.ok_or_else(missing)?;
        let mut words = Words::default();
        words.add(["switch", "--quiet", "--no-guess", "--no-recurse-submodules"]);
        words.add((self.create == Some(true)).then_some("--create"));
        words.add([name.as_str()]);
        if self.create == Some(true) {
            words.add(self.rev.as_deref());
        }
        Ok((Use::ChangesFiles, words.0))
    }
}

#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn add<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) {
        self.0.extend(words.into_iter().map(str::to_owned));
    }

    /// Ends the options; what comes is paths, as they are written.
    fn with_paths(mut self, paths: Vec<String>) -> Vec<String> {
        self.0.push("--".to_owned());
        self.0.extend(paths);
        self.0
    }
}

fn needs(field: &str, is_there: bool, problem: &str) -> Result<(), WrongArgument> {
    if is_there {
        Ok(())
    } else {
        Err(WrongArgument::new(field, problem))
    }
}

/// A name, a revision or a directory: never an option, and nothing that a file could be read by
/// (`HEAD:.env`).
fn check_word(field: &str, word: &str) -> Result<(), WrongArgument> {
    let is_plain = word
        .chars()
        .all(|letter| letter.is_alphanumeric() || "._/~^@{}+-= ".contains(letter));
    if word.is_empty() || word.len() > WORD_BYTES || word.starts_with('-') || !is_plain {
        return Err(WrongArgument::new(
            field,
            "letters, digits and `._/~^@{}+-=` are allowed, and no `-` in front",
        ));
    }
    Ok(())
}

fn check_path(position: usize, path: &str) -> Result<(), WrongArgument> {
    let wrong = |problem: String| WrongArgument::new(format!("paths[{position}]"), problem);
    if path.is_empty() || path.len() > WORD_BYTES || path.contains(['\0', '\n']) {
        return Err(wrong(format!(
            "1 to {WORD_BYTES} bytes on one line are allowed"
        )));
    }
    let is_below = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(path).components().all(is_below) {
        return Err(wrong(
            "a path below the directory of the repository is allowed".to_owned(),
        ));
    }
    Ok(())
}

/// Returns a word as `sh` takes it for this very word.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._/=:,@+-".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Arguments, Command, Use, WrongArgument};

    fn line(arguments: Value) -> Result<(Use, String), WrongArgument> {
        let arguments: Arguments = serde_json::from_value(arguments).unwrap();
        Command::of(arguments).map(|command| (command.usage, command.shown()))
    }

    #[track_caller]
    fn check(arguments: Value, usage: Use, expected: &str) {
        assert_eq!(line(arguments), Ok((usage, expected.to_owned())));
    }

    #[test]
    fn each_action_is_one_command() {
        check(
            json!({"action": "status"}),
            Use::Reads,
            "git status --short --branch --ignore-submodules=all --",
        );
        check(
            json!({"action": "diff", "staged": true, "paths": ["a b"]}),
            Use::Reads,
            "git diff --no-ext-diff --no-textconv --ignore-submodules=all --cached -- 'a b'",
        );
        check(
            json!({"action": "log", "repo": "app", "rev": "main..topic", "count": 3}),
            Use::Reads,
            "git -C app log --no-show-signature --date=iso '--format=%h %ad %an: %s' --max-count=3 main..topic --",
        );
        check(
            json!({"action": "add", "paths": ["--all"]}),
            Use::ChangesFiles,
            "git add -- --all",
        );
        check(
            json!({"action": "commit", "message": "it's done"}),
            Use::Records,
            r"git commit --no-gpg-sign --no-verify --message 'it'\''s done'",
        );
        check(
            json!({"action": "switch", "name": "topic", "create": true}),
            Use::ChangesFiles,
            "git switch --quiet --no-guess --no-recurse-submodules --create topic",
        );
        check(
            json!({"action": "branch", "name": "old", "delete": true}),
            Use::Records,
            "git branch --delete old",
        );
    }

    #[test]
    fn no_word_becomes_an_option_or_reads_a_file() {
        let wrong = |arguments| line(arguments).unwrap_err();
        insta::assert_snapshot!(wrong(json!({"action": "log", "rev": "--output=x"})), @"`rev`: letters, digits and `._/~^@{}+-=` are allowed, and no `-` in front");
        insta::assert_snapshot!(wrong(json!({"action": "show", "rev": "HEAD:.env"})), @"`rev`: letters, digits and `._/~^@{}+-=` are allowed, and no `-` in front");
        insta::assert_snapshot!(wrong(json!({"action": "switch"})), @"`name`: it is missing");
        insta::assert_snapshot!(wrong(json!({"action": "add"})), @"`paths`: it is missing; or give `all`");
        insta::assert_snapshot!(wrong(json!({"action": "commit", "message": " "})), @"`message`: it is missing");
        insta::assert_snapshot!(wrong(json!({"action": "log", "count": 0})), @"`count`: 0 is not allowed, 1 to 200 is");
        insta::assert_snapshot!(wrong(json!({"action": "diff", "paths": [""]})), @"`paths[0]`: 1 to 300 bytes on one line are allowed");
    }
}
