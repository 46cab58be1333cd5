//! Outputs of real tools over small broken programs, recorded with their paths and times made equal,
//! with labels of what they say (`data/labels.toml`).

use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::prelude::*;
use serde::Deserialize;

use super::{CommandOutput, Summary, summarize};

/// What a recorded output says.
#[derive(Deserialize)]
struct Label {
    command: String,
    exit: i32,
    failing: Vec<String>,
    first: Option<String>,
    text: Option<String>,
    #[serde(default)]
    held_out: bool,
}

/// An output with its label.
struct Recorded {
    name: String,
    label: Label,
    output: Vec<u8>,
}

fn data() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("feedback/data")
}

fn recorded() -> Vec<Recorded> {
    let labels = std::fs::read_to_string(data().join("labels.toml")).unwrap();
    let labels: BTreeMap<String, Label> = toml::from_str(&labels).unwrap();
    let read = |(name, label): (String, Label)| {
        let output = std::fs::read(data().join(format!("{name}.txt"))).unwrap();
        Recorded {
            name,
            label,
            output,
        }
    };
    labels.into_iter().map(read).collect()
}

fn summary(recorded: &Recorded) -> Summary {
    summarize(&CommandOutput {
        command: &recorded.label.command,
        exit: Some(recorded.label.exit),
        output: &recorded.output,
        keywords: &["cart", "shelf"],
    })
}

/// Returns what a summary, or its text in a budget, does not say of what the label says.
fn missing(recorded: &Recorded, summary: &Summary, budget: usize) -> Vec<String> {
    let text = summary.render(budget);
    assert!(text.chars().count() <= budget, "{}", recorded.name);
    let mut missing = Vec::new();
    for name in &recorded.label.failing {
        if !summary
            .failures
            .iter()
            .any(|failure| failure.name.contains(name))
        {
            missing.push(format!("{}: no failing test {name}", recorded.name));
        } else if !text.contains(name) {
            missing.push(format!("{}: {name} is not in the text", recorded.name));
        }
    }
    let findings = summary.errors.iter().chain(&summary.warnings);
    let mut places = findings
        .flat_map(|found| &found.places)
        .chain(summary.failures.iter().flat_map(|failure| &failure.places));
    if let Some(first) = &recorded.label.first {
        if !places.any(|place| format!("{}:{}", place.file, place.line).ends_with(first)) {
            missing.push(format!("{}: no place {first}", recorded.name));
        } else if !text.contains(first) {
            missing.push(format!("{}: {first} is not in the text", recorded.name));
        }
    }
    if let Some(said) = recorded
        .label
        .text
        .as_ref()
        .filter(|said| !text.contains(*said))
    {
        missing.push(format!("{}: {said} is not in the text", recorded.name));
    }
    missing
}

/// What a model gets by default, in characters.
const BUDGET: usize = 4_000;

fn check(is_chosen: impl Fn(&Label) -> bool) {
    let chosen = recorded()
        .into_iter()
        .filter(|recorded| is_chosen(&recorded.label));
    let missing: Vec<_> = chosen
        .flat_map(|recorded| missing(&recorded, &summary(&recorded), BUDGET))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn failing_tests_and_first_errors_are_kept() {
    check(|label| !label.held_out);
}

#[test]
fn failing_tests_and_first_errors_of_held_out_outputs_are_kept() {
    check(|label| label.held_out);
}

/// From this size on, in bytes, a tenth has room for what a summary says.
const LONG: usize = 10_000;

#[test]
fn long_outputs_shrink_to_a_tenth_in_the_median() {
    let long = recorded()
        .into_iter()
        .filter(|recorded| recorded.output.len() >= LONG);
    let mut parts: Vec<_> = long
        .map(|recorded| {
            let text = summary(&recorded).render(BUDGET);
            let characters = String::from_utf8_lossy(&recorded.output).chars().count();
            let part = 100.0 * text.chars().count() as f64 / characters as f64;
            (part, recorded.name)
        })
        .collect();
    parts.sort_by(|left, right| left.0.total_cmp(&right.0));
    for (part, name) in &parts {
        println!("{part:5.1} % {name}");
    }
    assert!(parts.len() >= 20, "{} long outputs", parts.len());
    let median = parts[parts.len() / 2].0;
    assert!(median <= 10.0, "{median:.1} %");
}

#[test]
fn a_budget_of_a_tenth_keeps_names_and_first_errors() {
    let long = recorded()
        .into_iter()
        .filter(|recorded| recorded.output.len() >= LONG);
    let missing: Vec<_> = long
        .flat_map(|recorded| missing(&recorded, &summary(&recorded), recorded.output.len() / 10))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn read(output: &[u8]) -> Summary {
    summarize(&CommandOutput {
        command: "make",
        exit: Some(2),
        output,
        keywords: &["tea"],
    })
}

/// Outputs that are made to cost much: each is read in bounded time, and its text is bounded.
#[test]
fn hostile_outputs_are_read_in_bounded_time() {
    let start = std::time::Instant::now();
    let nested = format!("<testsuites>{}", "<a>".repeat(1_000_000));
    let frames = "Traceback (most recent call last):\n".to_owned()
        + &"  File \"a.py\", line 1\n".repeat(500_000);
    let names: String = (0..100_000)
        .map(|at| format!("--- FAIL: Test{at} (0.1s)\n"))
        .collect::<Vec<_>>()
        .concat();
    let errors: String = (0..100_000)
        .map(|at| format!("a{at}.c:1:1: error: x\n    1 | y\n"))
        .collect::<Vec<_>>()
        .concat();
    let deep = "[".repeat(3_000_000);
    let percent = "load 1%\r".repeat(700_000);
    for output in [
        nested,
        frames,
        names,
        errors,
        deep,
        percent,
        "x".repeat(5_000_000),
    ] {
        let text = read(output.as_bytes()).render(BUDGET);
        assert!(text.chars().count() <= BUDGET);
    }
    let mut huge = b"src/a.c:1:2: error: first\n".to_vec();
    huge.resize(100 << 20, b'\xff');
    huge.extend(b"\nsrc/b.c:3:4: error: last\n");
    let summary = read(&huge);
    assert_eq!(summary.counts.errors, 2);
    assert!(summary.skipped > 60 << 20);
    // A minute is far above what a debug build takes on two busy cores.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn more_failures_than_are_kept_are_counted() {
    let output: String = (0..700)
        .map(|at| format!("--- FAIL: Test{at} (0.1s)\n"))
        .collect::<Vec<_>>()
        .concat();
    let summary = read(output.as_bytes());
    assert_eq!(
        (summary.failures.len(), summary.more_failures),
        (super::MAX_FAILURES, 200)
    );
    assert_eq!(summary.counts.failed, Some(700));
}

#[test]
fn a_small_output_is_shown_whole() {
    let text = read(b"one\n\x1b[1mtwo\x1b[0m\n\nthree\n").render(BUDGET);
    assert_eq!(text, "make: exit 2; 4 lines\none\ntwo\nthree");
}

#[test]
fn keywords_beginning_and_end_are_shown_without_findings() {
    let lines: String = (1..=300)
        .map(|at| format!("step {at} of the build\n"))
        .collect::<Vec<_>>()
        .concat();
    let output = lines.replace("step 150 of", "step 150 pours tea of");
    let text = read(output.as_bytes()).render(BUDGET);
    for wanted in [
        "step 1 of",
        "lines from 148 (keywords):",
        "step 150 pours tea",
        "step 300 of",
    ] {
        assert!(text.contains(wanted), "{text}");
    }
}

/// Pieces that parsers look for, so that random outputs reach their states.
const PIECES: [&str; 24] = [
    "running 3 tests\n",
    "---- a stdout ----\n",
    "thread 'a' panicked at a.rs:1:2:\n",
    "error[E1]: x\n",
    " --> a.rs:1:2\n",
    "=== FAILURES ===\n",
    "___ test_a ___\n",
    "E   x\n",
    "FAILED a.py::b - c\n",
    "FAIL: a (b.C.a)\n",
    "Traceback (most recent call last):\n",
    "  File \"a\", line 1\n",
    "--- FAIL: A (0s)\n",
    "panic: x\n",
    "  ● a\n",
    " FAIL  a > b\n",
    "not ok 1 - a\n",
    "  ---\n",
    "✖ a (1ms)\n",
    "<?xml?><testsuite><testcase name='a'><failure>",
    "{\"Action\":\"fail\",\"Test\":\"a\"}\n",
    "a.c:1:2: error: x\n",
    "\r",
    "\x1b[",
];

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        (0..PIECES.len()).prop_map(|at| PIECES[at].as_bytes().to_vec()),
        proptest::collection::vec(any::<u8>(), 0..20),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Any output is read without a panic, and its text is within the budget.
    #[test]
    fn any_output_is_read(output in pieces(), budget in 0_usize..3_000) {
        let text = read(&output).render(budget);
        prop_assert!(text.chars().count() <= budget);
    }

    /// An output that is cut anywhere is read as well.
    #[test]
    fn cut_outputs_are_read(from in 0_usize..20_000, length in 0_usize..20_000, which in 0_usize..40) {
        let recorded = &recorded_once()[which];
        let from = from.min(recorded.output.len());
        let to = (from + length).min(recorded.output.len());
        let text = read(&recorded.output[from..to]).render(BUDGET);
        prop_assert!(text.chars().count() <= BUDGET);
    }
}

fn recorded_once() -> &'static [Recorded] {
    static RECORDED: std::sync::LazyLock<Vec<Recorded>> = std::sync::LazyLock::new(recorded);
    &RECORDED
}
