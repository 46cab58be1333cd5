//! What people ask for: every request has a name of its own, by which its outcome is found again.

/// What a request makes the model do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Answer at once.
    Plain,
    /// Answer piece by piece, over more than a second.
    Slow,
    /// Answer in more than one message.
    Essay,
    /// Append a line to the file of effects, then answer.
    Shell,
    /// As `Shell`, with a command that names large files: judging it takes a while.
    Heavy,
    /// Append a line, then run for longer than anybody waits.
    Long,
    /// Ask back.
    Clarify,
}

impl Kind {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Plain, "plain"),
        (Self::Slow, "slow"),
        (Self::Essay, "essay"),
        (Self::Shell, "shell"),
        (Self::Heavy, "heavy"),
        (Self::Long, "long"),
        (Self::Clarify, "clarify"),
    ];

    /// Returns the word that stands for it in a request.
    pub fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(kind, _)| *kind == self);
        found.map_or("plain", |(_, word)| word)
    }

    /// Returns what a word stands for; any other word wants a plain answer.
    fn of(word: &str) -> Self {
        let found = Self::ALL.iter().find(|(_, known)| *known == word);
        found.map_or(Self::Plain, |(kind, _)| *kind)
    }

    /// Returns whether it runs a command.
    pub fn runs(self) -> bool {
        matches!(self, Self::Shell | Self::Heavy | Self::Long)
    }
}

/// Returns the requests in a text, in order: their names, and what they want.
pub fn jobs_in(text: &str) -> Vec<(String, Kind)> {
    let words: Vec<&str> = words(text).collect();
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.starts_with("job-"))
        .map(|(position, name)| {
            let kind = words
                .get(position + 1)
                .map_or(Kind::Plain, |word| Kind::of(word));
            ((*name).to_owned(), kind)
        })
        .collect()
}

/// Returns whether a text names a request.
pub fn names(text: &str, job: &str) -> bool {
    words(text).any(|word| word == job)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
        .filter(|word| !word.is_empty())
}
