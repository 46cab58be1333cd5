//! What kind of thing a message asks for, by keywords: sixteen intents.
//!
//! No model is asked. The keywords are data (`intents.toml`) in English and Chinese.

use std::sync::LazyLock;

use serde::Deserialize;

use super::words::Words;

/// What a sure keyword counts.
pub(super) const SURE: u32 = 3;
/// What a hint counts.
const HINT: u32 = 1;

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    // That it can be read is a test's.
    let table: Result<Table, _> = toml::from_str(include_str!("intents.toml"));
    table.map(|table| table.intent).unwrap_or_default()
});

/// What a message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(serde::Serialize))]
pub enum Intent {
    /// Something is broken.
    BugFix,
    /// Something new is to be made.
    NewFeature,
    /// Code is to be better without doing anything else.
    Refactor,
    /// Tests are to be written or run.
    Testing,
    /// Something goes to where it is used.
    Deployment,
    /// Whether something can be attacked.
    Security,
    /// Something is to be faster or smaller.
    Performance,
    /// Something is to be described.
    Documentation,
    /// A command is to be run.
    ShellCommand,
    /// Something is to be done or read on the web.
    BrowserTask,
    /// A date, a meeting, a reminder.
    Calendar,
    /// A message to somebody else.
    Email,
    /// Something is to be understood or practised.
    Learning,
    /// Figures are to be read.
    DataAnalysis,
    /// Files are to be read, moved or sorted.
    FileOperation,
    /// Anything else.
    General,
}

impl Intent {
    /// Returns the name that the table writes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::BugFix => "bug-fix",
            Self::NewFeature => "new-feature",
            Self::Refactor => "refactor",
            Self::Testing => "testing",
            Self::Deployment => "deployment",
            Self::Security => "security",
            Self::Performance => "performance",
            Self::Documentation => "documentation",
            Self::ShellCommand => "shell-command",
            Self::BrowserTask => "browser-task",
            Self::Calendar => "calendar",
            Self::Email => "email",
            Self::Learning => "learning",
            Self::DataAnalysis => "data-analysis",
            Self::FileOperation => "file-operation",
            Self::General => "general",
        }
    }
}

/// An intent that a message may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scored {
    /// The intent.
    pub intent: Intent,
    /// How much speaks for it: 3 for a keyword that says it, 1 for a hint.
    pub points: u32,
    /// The keywords that were found.
    pub keywords: Vec<&'static str>,
    /// The built-in skills that help with it, the best first.
    pub skills: &'static [String],
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    intent: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: Intent,
    skills: Vec<String>,
    sure: Vec<String>,
    hints: Vec<String>,
}

/// Finds out what a message asks for.
#[derive(Debug, Clone, Copy, Default)]
pub struct IntentAnalyzer;

impl IntentAnalyzer {
    /// Returns the intents for which something speaks, the most probable first;
    /// [`Intent::General`] alone when nothing does.
    pub fn analyze(words: &Words) -> Vec<Scored> {
        let mut scored: Vec<Scored> = TABLE
            .iter()
            .map(|row| score(row, words))
            .filter(|scored| scored.points > 0)
            .collect();
        // Stable: of equal ones the first of the table.
        scored.sort_by_key(|scored| std::cmp::Reverse(scored.points));
        if scored.is_empty() {
            scored.push(Scored {
                intent: Intent::General,
                points: 0,
                keywords: Vec::new(),
                skills: &[],
            });
        }
        scored
    }
}

fn score(row: &'static Row, words: &Words) -> Scored {
    let mut keywords: Vec<&'static str> = Vec::new();
    let mut points = 0;
    let tables = [(&row.sure, SURE), (&row.hints, HINT)];
    for (keyword, worth) in tables
        .into_iter()
        .flat_map(|(table, worth)| table.iter().map(move |keyword| (keyword.as_str(), worth)))
    {
        // `安全漏洞` is not `漏洞` once more.
        let is_counted = keywords.iter().any(|counted| counted.contains(keyword));
        if !is_counted && words.hold(keyword) {
            points += worth;
            keywords.push(keyword);
        }
    }
    Scored {
        intent: row.name,
        points,
        keywords,
        skills: &row.skills,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Intent, IntentAnalyzer, TABLE, Words};

    fn best(text: &str) -> Intent {
        IntentAnalyzer::analyze(&Words::of(text))[0].intent
    }

    #[test]
    fn every_intent_has_one_row_and_all_but_general_a_skill() {
        let names: HashSet<Intent> = TABLE.iter().map(|row| row.name).collect();
        assert_eq!((names.len(), TABLE.len()), (16, 16));
        for row in TABLE.iter() {
            let is_general = row.name == Intent::General;
            assert_eq!(row.skills.is_empty(), is_general, "{:?}", row.name);
            let written = serde_json::to_value(row.name).unwrap();
            assert_eq!(written, row.name.as_str());
        }
    }

    #[test]
    fn keywords_are_written_as_they_are_looked_for() {
        for row in TABLE.iter() {
            let keywords: Vec<&String> = row.sure.iter().chain(&row.hints).collect();
            for keyword in &keywords {
                assert_eq!(keyword.to_lowercase(), **keyword);
                let found = Words::of(keyword).hold(keyword);
                assert!(found, "`{keyword}` does not find itself");
            }
            let different: HashSet<_> = keywords.iter().collect();
            assert_eq!(different.len(), keywords.len(), "{:?}", row.name);
        }
    }

    #[test]
    fn each_intent_is_known_by_its_words() {
        assert_eq!(best("the app crashes with an error"), Intent::BugFix);
        assert_eq!(best("给登录页加个功能"), Intent::NewFeature);
        assert_eq!(best("please refactor this module"), Intent::Refactor);
        assert_eq!(best("补测试，覆盖率太低"), Intent::Testing);
        assert_eq!(
            best("roll back the release in production"),
            Intent::Deployment
        );
        assert_eq!(best("检查一下有没有安全漏洞"), Intent::Security);
        assert_eq!(
            best("why is this query so slow? find the bottleneck"),
            Intent::Performance
        );
        assert_eq!(best("write a README"), Intent::Documentation);
        assert_eq!(best("install it with apt"), Intent::ShellCommand);
        assert_eq!(best("抓取这个网页"), Intent::BrowserTask);
        assert_eq!(best("remind me tomorrow"), Intent::Calendar);
        assert_eq!(best("帮我回复这封邮件"), Intent::Email);
        assert_eq!(best("teach me linear algebra"), Intent::Learning);
        assert_eq!(best("画个图表看看趋势"), Intent::DataAnalysis);
        assert_eq!(
            best("move the files into one folder"),
            Intent::FileOperation
        );
        assert_eq!(best("how tall is the Eiffel tower?"), Intent::General);
    }

    #[test]
    fn keyword_inside_of_another_counts_once() {
        let scored = IntentAnalyzer::analyze(&Words::of("安全漏洞"));
        assert_eq!(scored[0].keywords, ["安全漏洞"]);
        assert_eq!(scored[0].points, 3);
    }
}
