//! What is shown of the text itself: its beginning and end, windows around keywords, and lines that
//! sound like errors. Bounded whatever the size of the output.

use std::collections::VecDeque;

use aho_corasick::AhoCorasick;

use super::findings::cut;

/// Lines before and after one with a keyword.
const AROUND: usize = 2;

/// The most windows that are kept.
const WINDOWS: usize = 6;

/// The most lines that are kept of the beginning, and of lines that sound like errors.
const HEAD: usize = 40;

/// The most lines that are kept of the end.
const TAIL: usize = 60;

/// The longest line that is shown, in characters.
const SHOWN: usize = 300;

/// An output of at most this many characters is kept whole.
const SMALL: usize = 1_500;

/// The most keywords that are looked for.
const KEYWORDS: usize = 32;

/// A line to be shown.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) number: usize,
    pub(super) text: String,
    /// How often it stands there in a row.
    pub(super) times: usize,
    /// No parser recognized it.
    is_free: bool,
}

/// Lines around a line with keywords.
#[derive(Debug, Clone)]
pub(super) struct Window {
    pub(super) lines: Vec<Shown>,
    /// How many different keywords its lines have.
    score: u32,
    words: u32,
    /// How many lines below the latest keyword are still wanted.
    wanted: usize,
}

/// What is kept of the text.
#[derive(Debug)]
pub(super) struct View {
    finder: Option<AhoCorasick>,
    /// The whole text, while it is small.
    pub(super) whole: Option<Vec<Shown>>,
    size: usize,
    /// The first lines that no parser recognized.
    pub(super) head: Vec<Shown>,
    /// The last lines that no parser recognized.
    pub(super) tail: VecDeque<Shown>,
    /// The first lines that no parser recognized and that sound like errors.
    pub(super) alarming: Vec<Shown>,
    pub(super) windows: Vec<Window>,
    open: Option<Window>,
    before: VecDeque<Shown>,
    last: Option<Shown>,
    /// How many lines there are.
    pub(super) total: usize,
}

impl View {
    pub(super) fn new(keywords: &[&str]) -> Self {
        let trimmed = keywords.iter().map(|word| word.trim());
        let usable: Vec<_> = trimmed
            .filter(|word| (2..=64).contains(&word.len()))
            .take(KEYWORDS)
            .collect();
        let builder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(&usable);
        Self {
            finder: builder.ok().filter(|_| !usable.is_empty()),
            whole: Some(Vec::new()),
            size: 0,
            head: Vec::new(),
            tail: VecDeque::new(),
            alarming: Vec::new(),
            windows: Vec::new(),
            open: None,
            before: VecDeque::new(),
            last: None,
            total: 0,
        }
    }

    /// Takes the next line. A repeated one is counted only.
    pub(super) fn line(&mut self, number: usize, text: &str, is_claimed: bool) {
        self.total = number;
        let text = text.trim_end();
        let shown = cut(text, SHOWN);
        if let Some(last) = &mut self.last
            && is_repetition(&last.text, &shown)
        {
            last.times += 1;
            last.text = shown;
            return;
        }
        let is_blank = shown.trim().is_empty();
        let next = (!is_blank).then_some(Shown {
            number,
            text: shown,
            times: 1,
            is_free: !is_claimed,
        });
        if let Some(last) = std::mem::replace(&mut self.last, next) {
            self.keep(last);
        }
    }

    /// Notes that a part of the output is shown nowhere, so that it is not whole.
    pub(super) fn omit(&mut self) {
        self.whole = None;
    }

    pub(super) fn end(&mut self) {
        if let Some(last) = self.last.take() {
            self.keep(last);
        }
        if let Some(window) = self.open.take() {
            self.close(window);
        }
        self.windows
            .sort_by_key(|window| window.lines.first().map_or(0, |line| line.number));
    }

    fn keep(&mut self, line: Shown) {
        self.size += line.text.chars().count() + 1;
        if self.size > SMALL || line.text.ends_with('…') {
            self.whole = None;
        }
        if let Some(whole) = &mut self.whole {
            whole.push(line.clone());
        }
        self.search(&line);
        if !line.is_free {
            return;
        }
        if self.alarming.len() < HEAD && is_alarming(&line.text) {
            self.alarming.push(line.clone());
        }
        if self.head.len() < HEAD {
            self.head.push(line);
            return;
        }
        if self.tail.len() == TAIL {
            self.tail.pop_front();
        }
        self.tail.push_back(line);
    }

    /// Looks for keywords in a line.
    fn search(&mut self, line: &Shown) {
        let Some(finder) = &self.finder else {
            return;
        };
        let found = finder.find_overlapping_iter(&*line.text);
        let words = found.fold(0_u32, |words, word| words | (1 << word.pattern().as_u32()));
        if words == 0 {
            self.below(line);
        } else if let Some(window) = &mut self.open {
            window.words |= words;
            window.wanted = AROUND;
            // A run of lines with keywords is one window of at most three times its size.
            if window.lines.len() < AROUND * 6 {
                window.lines.push(line.clone());
            }
        } else {
            let mut lines: Vec<_> = self.before.drain(..).collect();
            lines.push(line.clone());
            self.open = Some(Window {
                lines,
                score: 0,
                words,
                wanted: AROUND,
            });
        }
        if self.before.len() == AROUND {
            self.before.pop_front();
        }
        self.before.push_back(line.clone());
    }

    /// Takes a line without keywords, which may stand below one with them.
    fn below(&mut self, line: &Shown) {
        let Some(mut window) = self.open.take() else {
            return;
        };
        if window.wanted == 0 {
            self.close(window);
            return;
        }
        window.wanted -= 1;
        window.lines.push(line.clone());
        self.open = Some(window);
    }

    /// Keeps a window if it is among the best: more different keywords first, then the earlier one.
    fn close(&mut self, mut window: Window) {
        window.score = window.words.count_ones();
        if self.windows.len() < WINDOWS {
            self.windows.push(window);
            return;
        }
        let weakest = self
            .windows
            .iter()
            .enumerate()
            .rev()
            .min_by_key(|(_, kept)| kept.score);
        if let Some(at) = weakest
            .filter(|(_, kept)| kept.score < window.score)
            .map(|(at, _)| at)
        {
            self.windows.remove(at);
            self.windows.push(window);
        }
    }
}

/// Returns whether a line repeats the one before it: the same text, or the same progress with other
/// numbers.
fn is_repetition(last: &str, line: &str) -> bool {
    if last == line {
        return true;
    }
    let is_progress = |text: &str| text.contains('%') || text.contains("[=") || text.contains("..");
    let letters = |text: &'_ str| -> Vec<char> {
        let kept = text
            .chars()
            .filter(|letter| !letter.is_ascii_digit() && !"=#.>- █░▒".contains(*letter));
        kept.collect()
    };
    is_progress(last) && is_progress(line) && letters(last) == letters(line)
}

/// Returns whether a line sounds like an error.
fn is_alarming(line: &str) -> bool {
    const WORDS: [&str; 14] = [
        "error",
        "fail",
        "panic",
        "exception",
        "fatal",
        "traceback",
        "cannot",
        "abort",
        "segmentation",
        "undefined",
        "denied",
        "not found",
        "no such",
        "timed out",
    ];
    let line = line.to_ascii_lowercase();
    WORDS.iter().any(|word| line.contains(word))
        && !["0 error", "0 fail", "no error"]
            .iter()
            .any(|word| line.contains(word))
}

#[cfg(test)]
mod tests {
    use super::View;

    fn read(text: &str, keywords: &[&str]) -> View {
        let mut view = View::new(keywords);
        for (number, line) in (1..).zip(text.lines()) {
            view.line(number, line, false);
        }
        view.end();
        view
    }

    #[test]
    fn repeated_lines_are_counted() {
        let view = read("a\nb\nb\nb\nload 10%\nload 20%\nload 100%\nc", &[]);
        let shown: Vec<_> = view
            .head
            .iter()
            .map(|line| (line.text.as_str(), line.times))
            .collect();
        assert_eq!(shown, [("a", 1), ("b", 3), ("load 100%", 3), ("c", 1)]);
    }

    #[test]
    fn windows_stand_around_keywords() {
        let text: String = (1..=100)
            .map(|at| format!("line {at} of the log\n"))
            .collect::<Vec<_>>()
            .concat();
        let view = read(
            &text.replace("line 40 of", "line 40 Shelf of"),
            &["shelf", "absent"],
        );
        let numbers: Vec<Vec<usize>> = view
            .windows
            .iter()
            .map(|window| window.lines.iter().map(|line| line.number).collect())
            .collect();
        assert_eq!(numbers, [[38, 39, 40, 41, 42]]);
    }

    #[test]
    fn windows_with_more_keywords_are_kept() {
        let mut text = "tea\n\nx\nx1\nx2\nx3\nx4\n".repeat(20);
        text.push_str("tea and cup\n");
        let view = read(&text, &["tea", "cup"]);
        assert_eq!(view.windows.len(), 6);
        let last = view.windows.last().and_then(|window| window.lines.last());
        assert_eq!(last.map(|line| line.text.as_str()), Some("tea and cup"));
    }
}
