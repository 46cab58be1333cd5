//! Where the hunks of a section stand in their file: each in one place only, below the one before it.

use std::collections::BTreeSet;
use std::ops::Range;

use super::error::{HunkProblem, PatchError, Wanted, shortened};
use super::limits::NAMED_PLACES;
use super::line_text::TextLine;
use super::nearest;
use super::scope;
use super::seek::{Allowance, Found, Pass, Seeker};
use super::syntax::{Hunk, HunkLine, LineKind, Repair};

/// Where a hunk stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// The lines of the file that it takes, from 0.
    pub(super) file: Range<usize>,
    /// Which of its own lines count: empty ones at its ends may stand between two parts of the patch.
    pub(super) lines: Range<usize>,
    /// How they were compared.
    pub(super) pass: Pass,
}

/// Why a hunk has no place.
#[derive(Debug)]
pub(super) enum NoPlace {
    /// It does not fit.
    Hunk(Box<HunkProblem>),
    /// The work would be too much.
    Patch(PatchError),
}

impl From<PatchError> for NoPlace {
    fn from(error: PatchError) -> Self {
        Self::Patch(error)
    }
}

impl From<HunkProblem> for NoPlace {
    fn from(problem: HunkProblem) -> Self {
        Self::Hunk(Box::new(problem))
    }
}

/// Finds the places of hunks in one file.
pub(super) struct Placement<'a, 'work> {
    seeker: Seeker<'a>,
    allowance: &'work mut Allowance,
    repairs: &'work mut BTreeSet<Repair>,
    /// The line, from 0, at which the next hunk may begin.
    from: usize,
}

impl<'a, 'work> Placement<'a, 'work> {
    /// Begins at the top of a file.
    pub(super) fn new(
        lines: &'a [TextLine<'a>],
        allowance: &'work mut Allowance,
        repairs: &'work mut BTreeSet<Repair>,
    ) -> Self {
        Self {
            seeker: Seeker::new(lines),
            allowance,
            repairs,
            from: 0,
        }
    }

    /// Finds the place of the next hunk.
    pub(super) fn place(&mut self, hunk: &Hunk) -> Result<Place, NoPlace> {
        let place = self.found(hunk)?;
        check_signs(self.seeker.lines(), hunk, &place)?;
        self.from = place.file.end;
        self.repairs.extend(match place.pass {
            Pass::Exact => None,
            Pass::TrailingSpace => Some(Repair::TrailingSpace),
            Pass::SurroundingSpace => Some(Repair::Indentation),
            Pass::Punctuation => Some(Repair::Punctuation),
        });
        Ok(place)
    }

    fn found(&mut self, hunk: &Hunk) -> Result<Place, NoPlace> {
        for lines in readings(hunk) {
            let wanted = old_texts(hunk, &lines);
            if wanted.is_empty() {
                return self.without_old_lines(hunk, lines);
            }
            let found = self
                .seeker
                .first_places(&wanted, self.from, self.allowance)?;
            if let Some(found) = found {
                let start = self.chosen(hunk, &wanted, &found)?;
                return Ok(Place {
                    file: start..start + wanted.len(),
                    lines,
                    pass: found.pass,
                });
            }
        }
        Err(self.not_found(hunk)?.into())
    }

    /// A hunk that only adds says where in a file without lines, or at the end.
    fn without_old_lines(&self, hunk: &Hunk, lines: Range<usize>) -> Result<Place, NoPlace> {
        let end = self.seeker.lines().len();
        if end > 0 && !hunk.is_at_end {
            return Err(HunkProblem::OnlyAdds.into());
        }
        Ok(Place {
            file: end..end,
            lines,
            pass: Pass::Exact,
        })
    }

    /// Returns the one place that a hunk means.
    fn chosen(&mut self, hunk: &Hunk, wanted: &[&str], found: &Found) -> Result<usize, NoPlace> {
        if hunk.is_at_end {
            return self.at_end(wanted, found);
        }
        if let [place] = found.places.as_slice() {
            self.check_scopes(hunk, *place)?;
            return Ok(*place);
        }
        if let Some(place) = self.in_scope(hunk, found)? {
            return Ok(place);
        }
        // Numbers are often wrong. Right are those whose counts agree with the hunk and at which the very
        // lines of the hunk stand.
        let stated = hunk.old_start.and_then(|line| line.checked_sub(1));
        let stated = stated.filter(|place| found.places.contains(place));
        if let Some(place) = stated.filter(|_| found.pass == Pass::Exact) {
            return Ok(place);
        }
        let places = found.places.iter().take(NAMED_PLACES);
        Err(HunkProblem::Ambiguous {
            wanted: Wanted::quote(wanted.iter().copied()),
            places: places.map(|place| place + 1).collect(),
            count: found.places.len(),
        }
        .into())
    }

    /// Returns the place at which the file ends; empty lines may follow it.
    fn at_end(&self, wanted: &[&str], found: &Found) -> Result<usize, NoPlace> {
        let lines = self.seeker.lines();
        let last = found.places.last().copied().unwrap_or_default();
        let behind = lines.get(last + wanted.len()..).unwrap_or_default();
        if behind.iter().all(|line| line.text.trim().is_empty()) {
            return Ok(last);
        }
        Err(HunkProblem::NotAtEnd {
            wanted: Wanted::quote(wanted.iter().copied()),
            nearest: nearest::last_lines(lines, wanted.len() + 2),
        }
        .into())
    }

    /// A hunk that fits in one place only stands there, unless what its `@@` names is below.
    fn check_scopes(&mut self, hunk: &Hunk, place: usize) -> Result<(), NoPlace> {
        for scope in &hunk.scopes {
            let found = self.seeker.first_places(&[scope], 0, self.allowance)?;
            let Some(first) = found.and_then(|found| found.places.first().copied()) else {
                self.repairs.insert(Repair::ScopeMissing);
                continue;
            };
            if first > place {
                return Err(HunkProblem::BeforeScope {
                    place: place + 1,
                    scope: shortened(scope),
                    scope_line: first + 1,
                }
                .into());
            }
        }
        Ok(())
    }

    /// Returns the only place that is in what the hunk's `@@` names.
    fn in_scope(&mut self, hunk: &Hunk, found: &Found) -> Result<Option<usize>, NoPlace> {
        if hunk.scopes.is_empty() {
            return Ok(None);
        }
        let regions = scope::regions(&mut self.seeker, &hunk.scopes, self.allowance)?;
        let places = found.places.iter().copied();
        let mut inside = places.filter(|place| scope::is_inside(&regions, *place));
        let first = inside.next();
        Ok(first.filter(|_| inside.next().is_none()))
    }

    fn not_found(&mut self, hunk: &Hunk) -> Result<HunkProblem, PatchError> {
        let all = readings(hunk).pop().unwrap_or_default();
        let wanted = old_texts(hunk, &all);
        let lines = self.seeker.lines();
        if self.from > 0 {
            let found = self.seeker.first_places(&wanted, 0, self.allowance)?;
            if let Some(place) = found.and_then(|found| found.places.first().copied()) {
                let (place, after) = (place + 1, self.from);
                return Ok(HunkProblem::OutOfOrder { place, after });
            }
        }
        let all_lines = hunk.lines.get(all).unwrap_or_default();
        let new: Vec<&str> = all_lines
            .iter()
            .filter(|line| line.kind != LineKind::Removed)
            .map(|line| line.text.as_str())
            .collect();
        let applied = self
            .seeker
            .places(Pass::TrailingSpace, &new, self.from, self.allowance)?;
        let applied = applied.first().filter(|_| applied.len() == 1);
        let below = lines.get(self.from..).unwrap_or_default();
        let mut nearest = nearest::nearest(below, &wanted);
        nearest.first += self.from;
        nearest.differs = nearest.differs.map(|line| line + self.from);
        Ok(HunkProblem::NotFound {
            wanted: Wanted::quote(wanted.iter().copied()),
            nearest,
            after: self.from,
            applied: applied.map(|place| place + 1),
        })
    }
}

/// Returns which lines of a hunk may count, all of them first: empty lines at its ends may belong to the
/// file, or stand between two parts of the patch.
fn readings(hunk: &Hunk) -> Vec<Range<usize>> {
    let lines = &hunk.lines;
    let leading = lines.iter().take_while(|line| line.is_doubtful()).count();
    let trailing = lines
        .iter()
        .rev()
        .take_while(|line| line.is_doubtful())
        .count();
    let end = lines.len();
    let shorter_end = end.saturating_sub(trailing);
    let mut readings = vec![0..end, 0..shorter_end, leading..end, leading..shorter_end];
    readings.retain(|range| range.start < range.end);
    readings.dedup();
    readings
}

fn old_texts<'a>(hunk: &'a Hunk, lines: &Range<usize>) -> Vec<&'a str> {
    let lines = hunk.lines.get(lines.clone()).unwrap_or_default().iter();
    let old = lines.filter(|line| line.kind != LineKind::Added);
    old.map(|line| line.text.as_str()).collect()
}

/// An added line at the end of a hunk may be one that stays and begins with `+`, where its space was left
/// out: the file has it, sign included, right beside the hunk then. Right counts exclude that.
fn check_signs(lines: &[TextLine<'_>], hunk: &Hunk, place: &Place) -> Result<(), HunkProblem> {
    if hunk.old_start.is_some() {
        return Ok(());
    }
    let own = hunk.lines.get(place.lines.clone()).unwrap_or_default();
    let is_added = |line: &&HunkLine| line.kind == LineKind::Added;
    let above = place.file.start.checked_sub(1);
    check_beside(lines, above, own.iter().take_while(is_added))?;
    let below = Some(place.file.end);
    check_beside(lines, below, own.iter().rev().take_while(is_added))
}

fn check_beside<'a>(
    lines: &[TextLine<'_>],
    beside: Option<usize>,
    mut added: impl Iterator<Item = &'a HunkLine>,
) -> Result<(), HunkProblem> {
    let there = beside.and_then(|at| Some((at, lines.get(at)?.text)));
    let Some((at, text)) = there else {
        return Ok(());
    };
    if !added.any(|line| text.strip_prefix('+') == Some(&line.text)) {
        return Ok(());
    }
    Err(HunkProblem::DoubtfulSign {
        line: shortened(text),
        place: at + 1,
    })
}
