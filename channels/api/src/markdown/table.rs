//! A table as lines of a monospace block, aligned by the columns that a terminal would use.

use pulldown_cmark::Alignment;
use unicode_width::UnicodeWidthStr;

/// Columns are padded up to here; a wider cell pushes only its own row to the right.
const WIDEST_COLUMN: usize = 40;

/// How much larger than its cells a padded table may be, before it is left unpadded.
const LARGEST_GROWTH: usize = 8;

/// Small tables are padded whatever they cost, in bytes.
const ALWAYS_PADDED: usize = 8192;

/// The cells of a table while they are read.
#[derive(Default)]
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns a table without rows.
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self {
            alignments,
            rows: Vec::new(),
        }
    }

    /// Begins the next row; the first is the head.
    pub(super) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Begins the next cell of the row.
    pub(super) fn begin_cell(&mut self) {
        if let Some(row) = self.rows.last_mut() {
            row.push(String::new());
        }
    }

    /// Returns the cell that is being read.
    pub(super) fn cell(&mut self) -> Option<&mut String> {
        self.rows.last_mut()?.last_mut()
    }

    /// Returns the lines of the table.
    pub(super) fn render(&self) -> String {
        let widths = self.widths();
        let mut lines = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            if number == 1 {
                let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
                lines.push_str(&rules.join("-+-"));
                lines.push('\n');
            }
            lines.push_str(self.line(row, &widths).trim_end());
            lines.push('\n');
        }
        lines
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let cells: Vec<String> = row
            .iter()
            .enumerate()
            .map(|(column, cell)| {
                let width = widths.get(column).copied().unwrap_or_default();
                let alignment = self.alignments.get(column).unwrap_or(&Alignment::None);
                pad(cell, width, *alignment)
            })
            .collect();
        cells.join(" | ")
    }

    /// Returns the width of each column; 1 for all when padding would blow the table up.
    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![1; self.alignments.len()];
        let mut bytes = 0;
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.width().min(WIDEST_COLUMN).max(*width);
                bytes += cell.len() + 1;
            }
        }
        let padded = self.rows.len() * widths.iter().sum::<usize>();
        if padded > ALWAYS_PADDED && padded > bytes * LARGEST_GROWTH {
            widths.fill(1);
        }
        widths
    }
}

fn pad(cell: &str, width: usize, alignment: Alignment) -> String {
    let room = width.saturating_sub(cell.width());
    let left = match alignment {
        Alignment::None | Alignment::Left => 0,
        Alignment::Center => room / 2,
        Alignment::Right => room,
    };
    format!("{}{cell}{}", " ".repeat(left), " ".repeat(room - left))
}
