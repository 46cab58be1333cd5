//! `sayso quality scan`: the quality of the source files below a path.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use ignore::WalkBuilder;
use sayso_channel::Language;
use sayso_quality::{
    FileReport, Finding, FunctionReport, Severity, SkipReason, analyse, rules, score_of_all,
};
use serde::Serialize;

use super::exit::Exit;
use super::messages;
use super::output_style::{Form, OutputStyle};

/// The most files that are read; the rest is counted.
const MAX_FILES: usize = 50_000;

/// The most findings that people are shown; JSON has all.
const SHOWN: usize = 100;

#[derive(Serialize)]
struct Scanned<'a> {
    score: u8,
    files: Vec<ScannedFile<'a>>,
    findings: Vec<&'a Finding>,
    suppressed: usize,
    skipped: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
struct ScannedFile<'a> {
    path: &'a str,
    score: u8,
    functions: &'a [FunctionReport],
}

/// Analyses all files below a path, or one file.
///
/// Ends with [`Exit::Failed`] where the score of all is below `fail_below`.
pub(super) fn scan(
    path: &Path,
    fail_below: Option<u8>,
    style: OutputStyle,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let (reports, mut skipped) = reports(path)?;
    for reason in reports.iter().filter_map(|report| report.skipped) {
        *skipped.entry(name_of(reason)).or_default() += 1;
    }
    let read: Vec<&FileReport> = reports.iter().filter(|it| it.skipped.is_none()).collect();
    let scanned = Scanned {
        score: score_of_all(read.iter().copied()),
        files: read.iter().map(|report| file(report)).collect(),
        findings: read.iter().flat_map(|report| &report.findings).collect(),
        suppressed: read.iter().map(|report| report.suppressed).sum(),
        skipped,
    };
    match style.form {
        Form::Json => writeln!(output, "{}", serde_json::to_string(&scanned)?)?,
        Form::Plain => print(&scanned, style.language, output)?,
    }
    let is_below = fail_below.is_some_and(|least| scanned.score < least);
    Ok(if is_below { Exit::Failed } else { Exit::Fine })
}

fn file(report: &FileReport) -> ScannedFile<'_> {
    ScannedFile {
        path: &report.path,
        score: report.score,
        functions: &report.functions,
    }
}

type Skipped = BTreeMap<&'static str, usize>;

/// Reads what Git would not ignore; names are from the path on, so that the folders above it do not
/// make its files vendored or tests.
fn reports(path: &Path) -> anyhow::Result<(Vec<FileReport>, Skipped)> {
    let about = std::fs::metadata(path);
    about.with_context(|| format!("cannot read {}", path.display()))?;
    let mut walk = WalkBuilder::new(path);
    walk.hidden(false).require_git(false);
    walk.filter_entry(|entry| entry.file_name() != ".git");
    walk.sort_by_file_path(Path::cmp);
    let (mut reports, mut skipped) = (Vec::new(), Skipped::new());
    for entry in walk.build() {
        let Ok(entry) = entry else {
            *skipped.entry("unreadable").or_default() += 1;
            continue;
        };
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        if reports.len() >= MAX_FILES {
            *skipped.entry("too_many").or_default() += 1;
            continue;
        }
        match report(path, entry.path()) {
            Ok(report) => reports.push(report),
            Err(reason) => *skipped.entry(reason).or_default() += 1,
        }
    }
    Ok((reports, skipped))
}

fn report(root: &Path, path: &Path) -> Result<FileReport, &'static str> {
    let size = std::fs::metadata(path).map_or(u64::MAX, |about| about.len());
    if size > sayso_codebase::MAX_FILE_BYTES {
        return Err("too_large");
    }
    let content = std::fs::read(path).map_err(|_| "unreadable")?;
    if content.iter().take(8_000).any(|byte| *byte == 0) {
        return Err("binary");
    }
    let text = String::from_utf8_lossy(&content);
    let below = path.strip_prefix(root).unwrap_or(path);
    let name = match below.to_string_lossy() {
        name if name.is_empty() => path.file_name().unwrap_or_default().to_string_lossy(),
        name => name,
    };
    let mut report = analyse(&name, &text);
    let shown = path.to_string_lossy();
    for finding in &mut report.findings {
        finding.file = shown.clone().into_owned();
    }
    report.path = shown.into_owned();
    Ok(report)
}

fn name_of(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::TooLarge => "too_large",
        SkipReason::LongLine => "long_line",
        SkipReason::Generated => "generated",
        SkipReason::Vendored => "vendored",
        SkipReason::TooSlow => "too_slow",
    }
}

/// Prints the findings, those that count most first, and the score.
fn print(scanned: &Scanned<'_>, language: Language, output: &mut impl Write) -> anyhow::Result<()> {
    let rules = rules();
    let mut findings = scanned.findings.clone();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    for finding in findings.iter().take(SHOWN) {
        let rule = rules.iter().find(|rule| rule.id == finding.rule);
        let sentence = match language {
            Language::Chinese => rule.map_or(finding.rule, |rule| rule.chinese),
            Language::English => finding.message.as_str(),
        };
        let severity = severity(finding.severity, language);
        let (file, line, rule) = (&finding.file, finding.line, finding.rule);
        writeln!(output, "{severity}  {file}:{line}  {sentence}  [{rule}]")?;
    }
    if findings.len() > SHOWN {
        let more = findings.len() - SHOWN;
        writeln!(output, "{}", messages::quality_more(language, &more))?;
    }
    let skipped: usize = scanned.skipped.values().sum();
    let files = scanned.files.len();
    let summary = messages::quality_summary(
        language,
        &scanned.score,
        &files,
        &findings.len(),
        &scanned.suppressed,
        &skipped,
    );
    writeln!(output, "{summary}")?;
    Ok(())
}

fn severity(severity: Severity, language: Language) -> String {
    match severity {
        Severity::High => messages::quality_high(language),
        Severity::Medium => messages::quality_medium(language),
        Severity::Low => messages::quality_low(language),
    }
}
