//! A change as people read it before they decide: lines with + and -, within bounds, in which nothing
//! hides. It has no words in it, so that it needs no language.

use std::fmt;
use std::ops::Range;

use sayso_core::visible::visible;

use super::change::FileChange;
use super::line_diff::{Span, spans};
use super::line_text::{Ending, LineText, TextLine};
use super::line_width::{fitted, indented};

/// How much of a change is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderLimits {
    /// How many lines that stay are shown around those that change.
    pub context: usize,
    /// The most lines in all.
    pub lines: usize,
    /// The most columns of a line without its sign; a Chinese letter takes two. At least 8.
    pub columns: usize,
}

/// A change as people read it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RenderedDiff {
    /// Its lines.
    pub lines: Vec<RenderedLine>,
    /// How many lines with + or - are not shown.
    pub left_out: usize,
    /// Whether a line was too wide, so that a part of it is not shown.
    pub has_cut_lines: bool,
    /// Whether line ends change between `\n` and `\r\n`, which the lines do not show.
    pub changes_line_ends: bool,
}

/// A line of a rendered diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedLine {
    /// What it is.
    pub kind: RenderedKind,
    /// Its text, without its sign.
    pub text: String,
}

/// What a line of a rendered diff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderedKind {
    /// A line that stays.
    Context,
    /// A line that is removed.
    Removed,
    /// A line that is new.
    Added,
    /// Lines that stay are not shown here; its text is the number of the next line in the new text.
    Gap,
}

impl RenderedDiff {
    /// Returns whether everything that changes can be read in it.
    pub fn is_whole(&self) -> bool {
        self.left_out == 0 && !self.has_cut_lines && !self.changes_line_ends
    }
}

impl fmt::Display for RenderedDiff {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            let sign = match line.kind {
                RenderedKind::Context => " ",
                RenderedKind::Removed => "-",
                RenderedKind::Added => "+",
                RenderedKind::Gap => "@@ ",
            };
            writeln!(out, "{sign}{}", line.text)?;
        }
        Ok(())
    }
}

/// Renders a change.
pub fn render(change: &FileChange, limits: RenderLimits) -> RenderedDiff {
    let (old, new) = (change.old_text(), change.new_text());
    let spans = spans(old, new);
    let (old, new) = (LineText::new(old), LineText::new(new));
    let both_exist = change.before.is_some() && change.after.is_some();
    let mut renderer = Renderer {
        limits,
        diff: RenderedDiff {
            changes_line_ends: both_exist && line_ends_change(&old, &new, &spans),
            ..RenderedDiff::default()
        },
    };
    let mut shown_to = 0;
    for (at, span) in spans.iter().enumerate() {
        let above = span.old.start.saturating_sub(limits.context).max(shown_to);
        if above > shown_to {
            let number = span.new.start - (span.old.start - above) + 1;
            renderer.push(RenderedKind::Gap, number.to_string());
        }
        renderer.context(&old.lines, above..span.old.start);
        renderer.span(&old.lines[span.old.clone()], &new.lines[span.new.clone()]);
        let next = spans
            .get(at + 1)
            .map_or(old.lines.len(), |next| next.old.start);
        let below = span.old.end.saturating_add(limits.context).min(next);
        renderer.context(&old.lines, span.old.end..below);
        shown_to = below;
    }
    renderer.diff
}

struct Renderer {
    limits: RenderLimits,
    diff: RenderedDiff,
}

impl Renderer {
    fn push(&mut self, kind: RenderedKind, text: String) {
        if self.diff.lines.len() < self.limits.lines {
            self.diff.lines.push(RenderedLine { kind, text });
        } else if matches!(kind, RenderedKind::Removed | RenderedKind::Added) {
            self.diff.left_out += 1;
        }
    }

    fn is_full(&self) -> bool {
        self.diff.lines.len() >= self.limits.lines
    }

    fn context(&mut self, lines: &[TextLine<'_>], range: Range<usize>) {
        for line in lines.get(range).unwrap_or_default() {
            if self.is_full() {
                return;
            }
            let text = self.cut(&shown(line.text), 0);
            self.push(RenderedKind::Context, text);
        }
    }

    fn span(&mut self, old: &[TextLine<'_>], new: &[TextLine<'_>]) {
        let sides = [
            (RenderedKind::Removed, old, new),
            (RenderedKind::Added, new, old),
        ];
        for (kind, lines, others) in sides {
            for (at, line) in lines.iter().enumerate() {
                if self.is_full() {
                    self.diff.left_out += lines.len() - at;
                    break;
                }
                let text = self.changed(line, others.get(at));
                self.push(kind, text);
            }
        }
    }

    /// Returns a line that changes, beside the one that it changes to: cut so that the difference is
    /// shown, with spaces and tabs made visible if nothing else differs.
    fn changed(&mut self, line: &TextLine<'_>, other: Option<&TextLine<'_>>) -> String {
        let Some(other) = other else {
            return self.cut(&shown(line.text), 0);
        };
        let solid = |text: &str| text.split_whitespace().collect::<String>();
        let differs_in_spaces = line.text != other.text && solid(line.text) == solid(other.text);
        let show = if differs_in_spaces {
            with_spaces
        } else {
            shown
        };
        let (own, beside) = (show(line.text), show(other.text));
        let pairs = own.chars().zip(beside.chars());
        let same: usize = pairs
            .take_while(|(one, other)| one == other)
            .map(|(letter, _)| letter.len_utf8())
            .sum();
        let mut text = self.cut(&own, same);
        if line.text == other.text && line.ending != Ending::None {
            text.push('↵');
        }
        text
    }

    fn cut(&mut self, text: &str, focus: usize) -> String {
        let fitted = fitted(text, self.limits.columns, focus);
        self.diff.has_cut_lines |= fitted != text;
        fitted
    }
}

/// Returns a line with nothing hidden in it, and tabs as spaces.
fn shown(line: &str) -> String {
    indented(&visible(line))
}

/// Returns a line in which each tab and space is a sign.
fn with_spaces(line: &str) -> String {
    visible(line).replace(' ', "·").replace('\t', "→   ")
}

/// Returns whether lines that stay have other line ends, or lines that change all have.
fn line_ends_change(old: &LineText<'_>, new: &LineText<'_>, spans: &[Span]) -> bool {
    let has = |lines: &[TextLine<'_>], ending| lines.iter().any(|line| line.ending == ending);
    let kinds =
        |text: &LineText<'_>| [has(&text.lines, Ending::CrLf), has(&text.lines, Ending::Lf)];
    let (mut at_old, mut at_new) = (0, 0);
    let ends = std::iter::once(Span {
        old: old.lines.len()..old.lines.len(),
        new: new.lines.len()..new.lines.len(),
    });
    for span in spans.iter().cloned().chain(ends) {
        let stays = old.lines.get(at_old..span.old.start).unwrap_or_default();
        let there = new.lines.get(at_new..span.new.start).unwrap_or_default();
        let endings = stays.iter().zip(there);
        if endings
            .into_iter()
            .any(|(one, other)| one.ending != other.ending)
        {
            return true;
        }
        (at_old, at_new) = (span.old.end, span.new.end);
    }
    let [had_crlf, had_lf] = kinds(old);
    let [has_crlf, has_lf] = kinds(new);
    (has_crlf && !had_crlf && had_lf) || (has_lf && !had_lf && had_crlf)
}
