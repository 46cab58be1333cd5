//! Files under search by every means, and how many of the wanted ones each finds.

use std::collections::BTreeMap;

use sayso_codebase::{CodeLanguage, Codebase, MapRequest, RankedFile};

use crate::Figures;
use crate::bm25::{Bm25, Words};

/// The means that are compared.
const MEANS: [&str; 5] = ["bm25", "bm25_whole", "search", "map", "both"];

/// Shares of the map that are compared when constants are chosen, beside the one of the search.
const SHARES: [f64; 9] = [0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1.0];

/// How little the first files of the two rankings differ, likewise.
const OFFSETS: [f64; 4] = [2.0, 5.0, 10.0, 30.0];

/// The files of one tree.
pub(crate) struct Tree {
    state: BTreeMap<String, String>,
    codebase: Codebase,
    cut: Bm25,
    whole: Bm25,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self {
            state: BTreeMap::new(),
            codebase: Codebase::default(),
            cut: Bm25::new(Words::CutAtUnderscores),
            whole: Bm25::new(Words::WholeIdentifiers),
        }
    }

    /// Follows another tree: source files by path and the hash of their content.
    pub(crate) fn follow(
        &mut self,
        files: &BTreeMap<String, String>,
        mut content: impl FnMut(&str, &str) -> anyhow::Result<Vec<u8>>,
    ) -> anyhow::Result<()> {
        let gone: Vec<String> = self
            .state
            .keys()
            .filter(|path| !files.contains_key(*path))
            .cloned()
            .collect();
        for path in gone {
            self.state.remove(&path);
            self.codebase.remove(&path);
            self.cut.remove(&path);
            self.whole.remove(&path);
        }
        for (path, hash) in files {
            if CodeLanguage::of_path(path).is_none() || self.state.get(path) == Some(hash) {
                continue;
            }
            let content = content(path, hash)?;
            self.state.insert(path.clone(), hash.clone());
            self.cut.put(path, &content);
            self.whole.put(path, &content);
            // What is left out is not found: that counts as a miss.
            let _ = self.codebase.put(path, &content);
        }
        Ok(())
    }

    /// Searches for the files that a message is about by all means.
    pub(crate) fn measure(&self, message: &str, wanted: &[String], recall: &mut Recall) {
        let found = self.codebase.rank_files(message);
        let map = self.codebase.map(&MapRequest {
            message,
            ..MapRequest::default()
        });
        let both = self.codebase.locate(message, &[], 0).files;
        let paths = |ranked: &[RankedFile<'_>]| -> Vec<String> {
            ranked.iter().map(|file| file.path.to_owned()).collect()
        };
        let owned =
            |ranked: Vec<&str>| -> Vec<String> { ranked.into_iter().map(str::to_owned).collect() };
        recall.rows += 1.0;
        recall.candidates += self.state.len() as f64;
        recall.add("bm25", &owned(self.cut.ranked(message)), wanted);
        recall.add("bm25_whole", &owned(self.whole.ranked(message)), wanted);
        recall.add("search", &paths(&found), wanted);
        recall.add("map", &paths(&map.ranked), wanted);
        recall.add("both", &paths(&both), wanted);
        if recall.tunes {
            let map = self.codebase.map(&MapRequest {
                message,
                found: &found,
                ..MapRequest::default()
            });
            recall.sweep(&paths(&found), &paths(&map.ranked), wanted);
            recall.sweep_scores([&found, &map.ranked], wanted);
        }
    }
}

/// Sums over rows.
#[derive(Debug, Default)]
pub(crate) struct Recall {
    rows: f64,
    candidates: f64,
    sums: BTreeMap<&'static str, Sums>,
    /// Whether fusions by other constants are measured too.
    tunes: bool,
    fusions: BTreeMap<String, Sums>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    first: f64,
    five: f64,
    ten: f64,
}

impl Sums {
    fn add(&mut self, found: &[String], wanted: &[String]) {
        let among = |count: usize| {
            let hits = found
                .iter()
                .take(count)
                .filter(|path| wanted.contains(path));
            hits.count() as f64 / wanted.len() as f64
        };
        self.first += among(1);
        self.five += among(5);
        self.ten += among(10);
    }
}

impl Recall {
    /// Makes sums of no rows.
    pub(crate) fn new(tunes: bool) -> Self {
        Self {
            tunes,
            ..Self::default()
        }
    }

    fn add(&mut self, means: &'static str, found: &[String], wanted: &[String]) {
        self.sums.entry(means).or_default().add(found, wanted);
    }

    /// Measures fusions of two rankings by other constants than those of the search.
    fn sweep(&mut self, found: &[String], map: &[String], wanted: &[String]) {
        for (offset, share) in OFFSETS
            .iter()
            .flat_map(|it| SHARES.map(|share| (it, share)))
        {
            let mut scores: BTreeMap<&String, f64> = BTreeMap::new();
            for (ranked, share) in [(found, 1.0), (map, share)] {
                for (rank, path) in (1..).map(f64::from).zip(ranked) {
                    *scores.entry(path).or_default() += share / (offset + rank);
                }
            }
            let mut fused: Vec<(&String, f64)> = scores.into_iter().collect();
            fused.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
            let fused: Vec<String> = fused.into_iter().map(|(path, _)| path.clone()).collect();
            let name = format!("offset {offset:>4} share {share:.2}");
            self.fusions.entry(name).or_default().add(&fused, wanted);
        }
    }

    /// Measures sums of two scores, each as a share of the best of its ranking.
    fn sweep_scores(&mut self, [found, map]: [&[RankedFile<'_>]; 2], wanted: &[String]) {
        for share in SHARES {
            let mut scores: BTreeMap<&str, f64> = BTreeMap::new();
            for (ranked, share) in [(found, 1.0), (map, share)] {
                let best = ranked.first().map_or(1.0, |file| file.score);
                for file in ranked {
                    *scores.entry(file.path).or_default() += share * file.score / best;
                }
            }
            let mut fused: Vec<(&str, f64)> = scores.into_iter().collect();
            fused.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
            let fused: Vec<String> = fused.iter().map(|(path, _)| (*path).to_owned()).collect();
            let name = format!("scores, share {share:.2}");
            self.fusions.entry(name).or_default().add(&fused, wanted);
        }
    }

    fn at_5(&self, means: &str) -> f64 {
        let sums = self.sums.get(means).copied().unwrap_or_default();
        sums.five / self.rows.max(1.0)
    }

    pub(crate) fn print(&self, name: &str) {
        let rows = self.rows.max(1.0);
        println!(
            "{name}: {} rows, {:.0} files each",
            self.rows,
            self.candidates / rows
        );
        for means in MEANS {
            let sums = self.sums.get(means).copied().unwrap_or_default();
            let (at_1, at_5, at_10) = (sums.first / rows, sums.five / rows, sums.ten / rows);
            println!("  {means:<10} recall at 1 {at_1:.3}, at 5 {at_5:.3}, at 10 {at_10:.3}");
        }
        for (fusion, sums) in &self.fusions {
            let (at_1, at_5, at_10) = (sums.first / rows, sums.five / rows, sums.ten / rows);
            println!("  {fusion} recall at 1 {at_1:.4}, at 5 {at_5:.4}, at 10 {at_10:.4}");
        }
    }

    pub(crate) fn add_to(&self, figures: &mut Figures, name: &str) {
        let rounded = |value: f64| (value * 10_000.0).round() / 10_000.0;
        figures.insert(format!("{name}_rows"), self.rows);
        for (means, sums) in &self.sums {
            let rows = self.rows.max(1.0);
            figures.insert(
                format!("{name}_{means}_recall_at_5"),
                rounded(sums.five / rows),
            );
            figures.insert(
                format!("{name}_{means}_recall_at_10"),
                rounded(sums.ten / rows),
            );
        }
    }

    /// Returns what is below its bound.
    pub(crate) fn misses(&self, name: &str, above: f64) -> Vec<String> {
        let baseline = self.at_5("bm25").max(self.at_5("bm25_whole"));
        let (search, map, both) = (self.at_5("search"), self.at_5("map"), self.at_5("both"));
        let mut misses = Vec::new();
        if self.rows == 0.0 {
            misses.push(format!("{name}: no rows"));
        } else if both < baseline + above {
            misses.push(format!(
                "{name}: {both:.3} is not {above} above {baseline:.3}"
            ));
        }
        if both < search.max(map) {
            misses.push(format!(
                "{name}: together {both:.3}, alone {search:.3} and {map:.3}"
            ));
        }
        misses
    }
}
