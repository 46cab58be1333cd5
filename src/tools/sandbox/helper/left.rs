//! Processes that a command left running when it ended, by their command lines: the caller should
//! not believe that a server is up when it is ended together with its command.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use super::descent::{Process, descent};
use super::protocol::Left;

/// How many command lines are reported.
const TOLD: usize = 5;
/// The longest command line, in characters.
const CHARS: usize = 120;
/// A process that was forked just now has the command line of its parent until it becomes what it
/// was forked for. How long that is waited for.
const BECOMES_WITHIN: Duration = Duration::from_millis(40);
const LOOK_EVERY: Duration = Duration::from_millis(2);
/// What is reported for a part of the command itself, as in `(while true; do sleep 1; done) &`.
const SUBSHELL: &str = "a subshell of the command";

/// Returns what descends from this process and runs, now that the command has ended.
pub(super) fn left_by(command: &str) -> Left {
    let begin = Instant::now();
    let mut before = None;
    loop {
        let lines = lines();
        // Between two programs a process has no command line at all.
        let is_becoming = |line: &String| line.is_empty() || is_subshell(line, command);
        let is_settled = !lines.iter().any(is_becoming) && before.as_ref() == Some(&lines);
        if lines.is_empty() || is_settled || begin.elapsed() > BECOMES_WITHIN {
            return told(&lines, command);
        }
        before = Some(lines);
        thread::sleep(LOOK_EVERY);
    }
}

/// Returns the command lines of what runs; empty ones are of processes that become something else.
fn lines() -> Vec<String> {
    let running = descent().into_iter().filter(|process| !process.has_ended);
    running.filter_map(|process| line_of(&process)).collect()
}

fn told(lines: &[String], command: &str) -> Left {
    let mut commands: Vec<String> = Vec::new();
    for line in lines {
        let line = if line.is_empty() || is_subshell(line, command) {
            SUBSHELL.to_owned()
        } else {
            shortened(line)
        };
        if commands.len() < TOLD && !commands.contains(&line) {
            commands.push(line);
        }
    }
    Left {
        commands,
        count: lines.len(),
    }
}

/// Returns whether a process is still what it was forked from.
fn is_subshell(line: &str, command: &str) -> bool {
    let command: Vec<&str> = command.split_whitespace().collect();
    let line: Vec<&str> = line.split_whitespace().collect();
    line.len() == command.len() + 2 && line.ends_with(&command) && line.get(1) == Some(&"-c")
}

fn shortened(line: &str) -> String {
    let mut letters = line.chars();
    let mut short: String = letters.by_ref().take(CHARS).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

/// Returns the command line of a process, its words with blanks between them; `None` when it is
/// gone.
fn line_of(process: &Process) -> Option<String> {
    let words = fs::read(format!("/proc/{}/cmdline", process.pid)).ok()?;
    let words = String::from_utf8_lossy(&words);
    Some(words.trim_end_matches('\0').replace('\0', " "))
}

#[cfg(test)]
mod tests {
    use super::{CHARS, SUBSHELL, TOLD, told};

    fn lines(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|line| (*line).to_owned()).collect()
    }

    #[test]
    fn chat_f13_what_is_left_is_told_by_its_command_lines() {
        let command = "(while true; do sleep 1; done) & nohup sleep 4242 &";
        let shell = format!("/bin/sh -c {command}");
        let left = told(
            &lines(&[&shell, "sleep 1", "sleep 4242", "sleep 1"]),
            command,
        );
        assert_eq!(left.commands, [SUBSHELL, "sleep 1", "sleep 4242"]);
        assert_eq!(left.count, 4);
        let many: Vec<String> = (0..20).map(|number| format!("sleep {number}")).collect();
        let left = told(&many, command);
        assert_eq!((left.commands.len(), left.count), (TOLD, 20));
        let long = told(&["报".repeat(CHARS + 1)], command);
        assert_eq!(long.commands[0].chars().count(), CHARS + 1);
        assert!(long.commands[0].ends_with('…'));
    }
}
