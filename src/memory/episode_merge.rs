//! One summary out of several: a bounded text, made without a model.
//!
//! Each turn keeps the beginning of its summary. Space that short summaries do not need goes to the
//! long ones, so that the limit is used up and every turn is represented.

use super::TEXT_CHARS;
use super::summary::beginning;

/// How many turns share one summary at most: each has room for a sentence.
pub(super) const TURNS: usize = 24;
/// Stands between two of them.
const BETWEEN: &str = " / ";

/// Returns the summary of several turns from their own, oldest first.
pub(super) fn merged(summaries: &[&str]) -> String {
    let between = BETWEEN.chars().count() * summaries.len().saturating_sub(1);
    let lengths: Vec<usize> = summaries.iter().map(|one| one.chars().count()).collect();
    let share = share(&lengths, TEXT_CHARS.saturating_sub(between));
    let parts: Vec<String> = summaries
        .iter()
        .map(|one| {
            if one.chars().count() <= share {
                (*one).to_owned()
            } else {
                // The ellipsis is one of its characters.
                beginning(one, share.saturating_sub(1))
            }
        })
        .collect();
    parts.join(BETWEEN)
}

/// Returns what looks like the summaries that one was made of.
pub(super) fn parts(merged: &str) -> Vec<&str> {
    merged.split(BETWEEN).collect()
}

/// Returns some of them as one again.
pub(super) fn joined(parts: &[&str]) -> String {
    parts.join(BETWEEN)
}

/// Returns how long each may be, so that all of them fit.
fn share(lengths: &[usize], room: usize) -> usize {
    let mut lengths = lengths.to_vec();
    lengths.sort_unstable();
    let (mut room, mut left) = (room, lengths.len());
    for length in lengths {
        if length * left > room {
            return room / left;
        }
        room -= length;
        left -= 1;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_summaries_stay_whole() {
        assert_eq!(merged(&["a → b", "c → d"]), "a → b / c → d");
        assert_eq!(merged(&[]), "");
    }

    #[test]
    fn long_ones_share_what_the_short_leave() {
        let long = "茶".repeat(1_500);
        let text = merged(&["short", &long, &long]);
        assert!(
            text.chars().count() <= TEXT_CHARS,
            "{}",
            text.chars().count()
        );
        assert!(text.starts_with("short / 茶") && text.ends_with("茶…"));
        assert!(text.chars().filter(|one| *one == '茶').count() > 1_900);
    }

    #[test]
    fn the_most_turns_fit() {
        let long = "x".repeat(600);
        let all = vec![long.as_str(); TURNS];
        let text = merged(&all);
        assert!(text.chars().count() <= TEXT_CHARS);
        assert_eq!(text.split(BETWEEN).count(), TURNS);
    }
}
