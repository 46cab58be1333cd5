//! What must hold of every program of awk and sed: what the policy lets run unasked starts nothing
//! and makes no file, whichever awk or sed reads it.

use std::io;

use sayso::bench_support::{CommandDecision, Places, judge_command};

use super::fuzzing::Property;
use super::harness::{Place, present};
use super::programs;
use super::random::Random;

const AWKS: [&[&str]; 3] = [&["gawk"], &["mawk"], &["busybox", "awk"]];
const SEDS: [&[&str]; 2] = [&["sed"], &["busybox", "sed"]];

/// Returns how many programs are compared.
pub fn readers() -> usize {
    present(&AWKS).len() + present(&SEDS).len()
}

/// Calls of awk and sed, each as its words.
pub struct Languages;

/// It only reads.
#[derive(Debug)]
pub struct Reads;

impl Property for Languages {
    type Text = Vec<String>;
    type Unasked = Reads;

    fn text(random: &mut Random) -> Vec<String> {
        programs::call(random)
    }

    fn unasked(words: &Vec<String>) -> Option<Reads> {
        let quoted = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
        let (program, arguments) = words.split_first()?;
        let arguments: Vec<_> = arguments.iter().map(quoted).collect();
        let command = format!("{program} {}", arguments.join(" "));
        let decision = judge_command(&command, Places::AsWritten).decision;
        (decision == CommandDecision::Allow).then_some(Reads)
    }

    fn broken_in(place: &Place, words: &Vec<String>, _: &Reads) -> io::Result<Vec<String>> {
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
}
