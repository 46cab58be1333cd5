//! What must hold of every program of awk and sed: what the policy lets run unasked starts nothing
//! and makes no file, whichever awk or sed reads it.

use std::io;

use sayso::bench_support::{CommandDecision, Places, judge_command};

use super::harness::{Place, present};

const AWKS: [&[&str]; 3] = [&["gawk"], &["mawk"], &["busybox", "awk"]];
const SEDS: [&[&str]; 2] = [&["sed"], &["busybox", "sed"]];

/// Returns how many programs are compared.
pub fn readers() -> usize {
    present(&AWKS).len() + present(&SEDS).len()
}

/// Returns whether a call, given as its words, runs unasked.
pub fn is_unasked(words: &[String]) -> bool {
    let quoted = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
    let (program, arguments) = words
        .split_first()
        .map_or(("", words), |(first, rest)| (first, rest));
    let arguments: Vec<_> = arguments.iter().map(quoted).collect();
    let command = format!("{program} {}", arguments.join(" "));
    judge_command(&command, Places::AsWritten).decision == CommandDecision::Allow
}

/// Runs a call by every program of its kind and returns those that did more than read.
pub fn broken_in(place: &Place, words: &[String]) -> io::Result<Vec<String>> {
    let is_awk = words.first().is_some_and(|program| program == "awk");
    let readers = if is_awk {
        present(&AWKS)
    } else {
        present(&SEDS)
    };
    let mut broken = Vec::new();
    for reader in readers {
        let arguments = words.iter().skip(1).map(String::as_str);
        let words: Vec<&str> = reader.iter().copied().chain(arguments).collect();
        let done = place.run(&words)?;
        if done.wrote || done.ran {
            broken.push(format!("{} ({done:?})", reader.join(" ")));
        }
    }
    Ok(broken)
}
