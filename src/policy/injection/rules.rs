//! Phrases that order a model about, as tables of rules that carry their own examples.
//!
//! One pass finds the anchors of all rules; the expressions of a rule are tried around its anchors
//! only, so a text without them costs one pass.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::Finding;
use super::fold::Folded;
use super::grammar;
use super::letters::fold;

const TABLES: [&str; 3] = [
    include_str!("tables/english.toml"),
    include_str!("tables/chinese.toml"),
    include_str!("tables/others.toml"),
];
/// How far before an anchor a phrase may begin, in bytes of the folded text.
const BEFORE: usize = 160;
/// How far after an anchor a phrase may end, in bytes of the folded text.
const AFTER: usize = 320;
/// How far behind a match a word may make it none, in bytes of the folded text.
const BEHIND: usize = 24;
/// How often one rule is found in one text; more would say nothing new.
const MAX_FINDINGS: usize = 16;
/// What stands for a blank of an expression: blanks, and the marks that lines and words are
/// dressed with.
const BLANK: &str = "(?:[\\s>#*_/|~-]{1,8})";

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TableError {
    /// It is no table of rules.
    #[error("cannot read the rules: {0}")]
    Unreadable(#[from] toml::de::Error),
    /// An expression is none.
    #[error("cannot read an expression: {0}")]
    Expression(#[from] regex::Error),
    /// The anchors cannot be searched for.
    #[error("cannot search for the anchors: {0}")]
    Anchors(#[from] aho_corasick::BuildError),
}

/// A rule, as written in the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    /// Its name, in kebab case; rules of several languages share one.
    pub name: String,
    /// What it adds to the score; 1 is enough for a review.
    pub weight: f32,
    /// Whether it blocks alone.
    #[serde(default)]
    pub block: bool,
    /// Words without which no expression can match.
    anchors: Vec<String>,
    /// Expressions over the folded text; a blank stands for any.
    patterns: Vec<String>,
    /// Words that make a match none, in it or right behind it: it is asked, or sent to the reader.
    #[serde(default)]
    unless: Vec<String>,
    /// Texts that it must find.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the examples are run by a test")
    )]
    pub r#match: Vec<String>,
    /// Texts that it must not find.
    #[serde(default)]
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the examples are run by a test")
    )]
    pub not_match: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    rule: Vec<Written>,
}

#[derive(Debug)]
struct Rule {
    written: Written,
    expression: Regex,
    unless: Vec<String>,
}

/// All rules, ready to be looked for.
#[derive(Debug)]
pub(crate) struct Rulebook {
    rules: Vec<Rule>,
    anchors: AhoCorasick,
    /// The rule of each anchor.
    owners: Vec<usize>,
}

impl Rulebook {
    /// Returns the built-in rules; `None` when they cannot be used, which a test rules out.
    pub(crate) fn built_in() -> Option<&'static Self> {
        static BUILT_IN: LazyLock<Option<Rulebook>> = LazyLock::new(|| Rulebook::load().ok());
        BUILT_IN.as_ref()
    }

    /// Reads the built-in tables.
    pub(crate) fn load() -> Result<Self, TableError> {
        let mut rules = Vec::new();
        let mut anchors = Vec::new();
        let mut owners = Vec::new();
        for table in TABLES {
            for written in toml::from_str::<Table>(table)?.rule {
                anchors.extend(written.anchors.iter().map(|anchor| fold(anchor)));
                owners.resize(anchors.len(), rules.len());
                let expression = expression(&written.patterns)?;
                let unless = written.unless.iter().map(|word| fold(word)).collect();
                rules.push(Rule {
                    written,
                    expression,
                    unless,
                });
            }
        }
        Ok(Self {
            rules,
            anchors: AhoCorasick::builder()
                // A table of all transitions would be 6 MB, resident for good.
                .kind(Some(AhoCorasickKind::ContiguousNFA))
                .build(anchors)?,
            owners,
        })
    }

    /// Returns the rules as they are written.
    #[cfg(test)]
    pub(crate) fn written(&self) -> impl Iterator<Item = &Written> {
        self.rules.iter().map(|rule| &rule.written)
    }

    /// Finds what the rules look for.
    pub(crate) fn scan(&'static self, folded: &Folded, findings: &mut Vec<Finding>) {
        let text = folded.text().as_bytes();
        for (rule, regions) in self.rules.iter().zip(self.regions(text)) {
            let found = regions
                .into_iter()
                .flat_map(|region| rule.find(text, region))
                .filter(|found| !grammar::is_described(folded.text(), found))
                .take(MAX_FINDINGS);
            findings.extend(found.map(|place| Finding {
                rule: &rule.written.name,
                span: folded.origin(&place),
                weight: rule.written.weight,
                may_block: rule.written.block,
            }));
        }
    }

    /// Returns for each rule the places around its anchors, in order and apart.
    fn regions(&self, text: &[u8]) -> Vec<Vec<Range<usize>>> {
        let mut regions: Vec<Vec<Range<usize>>> = vec![Vec::new(); self.rules.len()];
        for anchor in self.anchors.find_overlapping_iter(text) {
            let Some(owned) = self
                .owners
                .get(anchor.pattern().as_usize())
                .and_then(|owner| regions.get_mut(*owner))
            else {
                continue;
            };
            let start = anchor.start().saturating_sub(BEFORE);
            let end = text.len().min(anchor.end() + AFTER);
            match owned.last_mut() {
                Some(last) if last.end >= start => last.end = last.end.max(end),
                _ => owned.push(start..end),
            }
        }
        regions
    }
}

impl Rule {
    fn find<'t>(
        &'t self,
        text: &'t [u8],
        region: Range<usize>,
    ) -> impl Iterator<Item = Range<usize>> + 't {
        let text = text.get(..region.end).unwrap_or(text);
        let mut next = region.start;
        std::iter::from_fn(move || {
            let found = self.expression.find_at(text, next)?.range();
            next = found.end.max(next + 1);
            (next <= text.len() + 1).then_some(found)
        })
        .fuse()
        .filter(|found| !self.is_none(text, found))
    }

    /// Returns whether a word in a match or right behind it makes it none.
    fn is_none(&self, text: &[u8], found: &Range<usize>) -> bool {
        let end = text.len().min(found.end + BEHIND);
        let seen = text.get(found.start..end).unwrap_or_default();
        let holds = |word: &String| seen.windows(word.len()).any(|it| it == word.as_bytes());
        self.unless.iter().any(holds)
    }
}

/// Makes one expression of several. Bytes instead of characters keep it fast.
fn expression(patterns: &[String]) -> Result<Regex, regex::Error> {
    let patterns: Vec<_> = patterns
        .iter()
        .map(|pattern| fold(pattern).replace(' ', BLANK))
        .collect();
    RegexBuilder::new(&format!("(?:{})", patterns.join("|")))
        .unicode(false)
        .build()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::iter::Peekable;
    use std::str::Chars;

    use super::*;

    /// What an expression may match: a text with gaps, or none if it holds an anchor.
    type Reading = Option<String>;
    type Readings = BTreeSet<Reading>;

    const GAP: char = '\0';

    struct Expression<'e> {
        rest: Peekable<Chars<'e>>,
        anchors: &'e [String],
    }

    impl Expression<'_> {
        fn alternatives(&mut self) -> Readings {
            let mut all = self.sequence();
            while self.rest.next_if_eq(&'|').is_some() {
                all.append(&mut self.sequence());
            }
            all
        }

        fn sequence(&mut self) -> Readings {
            let mut all = one("");
            while !matches!(self.rest.peek(), None | Some('|' | ')')) {
                let next = self.item();
                let next = self.repeated(next);
                all = all
                    .iter()
                    .flat_map(|before| next.iter().map(|after| self.joined(before, after)))
                    .collect();
            }
            all
        }

        fn joined(&self, before: &Reading, after: &Reading) -> Reading {
            let joined = format!("{}{}", before.as_ref()?, after.as_ref()?);
            let has_anchor = self.anchors.iter().any(|anchor| joined.contains(anchor));
            (!has_anchor).then_some(joined)
        }

        fn item(&mut self) -> Readings {
            match self.rest.next().unwrap() {
                '(' => {
                    while self
                        .rest
                        .next_if(|mark| matches!(mark, '?' | ':'))
                        .is_some()
                    {}
                    let inside = self.alternatives();
                    assert_eq!(self.rest.next(), Some(')'));
                    inside
                }
                '[' => {
                    while self.rest.next() != Some(']') {
                        if self.rest.next_if_eq(&'\\').is_some() {
                            self.rest.next();
                        }
                    }
                    one("\0")
                }
                '\\' => match self.rest.next().unwrap() {
                    'd' | 's' | 'w' | 'n' => one("\0"),
                    literal => one(&literal.to_string()),
                },
                '.' => one("\0"),
                '^' | '$' => one(""),
                literal => one(&literal.to_string()),
            }
        }

        fn repeated(&mut self, mut item: Readings) -> Readings {
            match self.rest.peek() {
                Some('?') => {
                    self.rest.next();
                    item.append(&mut one(""));
                    item
                }
                Some('{') => {
                    while self.rest.next() != Some('}') {}
                    self.rest.next_if_eq(&'?');
                    one(&GAP.to_string())
                }
                Some('*' | '+') => {
                    self.rest.next();
                    one(&GAP.to_string())
                }
                _ => item,
            }
        }
    }

    fn one(text: &str) -> Readings {
        BTreeSet::from([Some(text.to_owned())])
    }

    #[test]
    fn whatever_a_chinese_expression_matches_holds_an_anchor_of_its_rule() {
        let table: Table = toml::from_str(include_str!("tables/chinese.toml")).unwrap();
        for rule in table.rule {
            for pattern in &rule.patterns {
                let mut expression = Expression {
                    rest: pattern.chars().peekable(),
                    anchors: &rule.anchors,
                };
                let unreached = expression.alternatives().into_iter().flatten().next();
                assert_eq!(unreached, None, "`{}`: {pattern}", rule.name);
            }
        }
    }
}
