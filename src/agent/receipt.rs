//! The receipt of the checks of a turn, as the line that a person reads under the reply.

use sayso_channel::{Language, text};
use sayso_checks::{Receipt, ReceiptPart, WhyOver, claims_success};
use sayso_core::transcript::{CheckReport, CheckStrategy, FailureKind};
use sayso_core::visible::visible_line;

/// Puts a receipt below a reply; in front of one that claims success where a check fails.
pub(super) fn under(reply: &str, receipt: &Receipt, language: Language) -> String {
    let line = line(receipt, language);
    let reply = reply.trim();
    if reply.is_empty() {
        line
    } else if receipt.is_failure() && claims_success(reply) {
        format!("{line}\n\n{reply}")
    } else {
        format!("{reply}\n\n{line}")
    }
}

/// Returns a receipt as one line.
pub(super) fn line(receipt: &Receipt, language: Language) -> String {
    match receipt {
        Receipt::Passed {
            parts,
            left_out,
            flaky,
            took,
        } => {
            let parts = parts.iter().map(|part| passed_part(*part, language));
            let what = joined(parts, language);
            let seconds = took.as_secs() + u64::from(took.subsec_millis() > 0);
            let mut line = text!(language, "checks-passed", what, seconds);
            if !flaky.is_empty() {
                let tests = joined(flaky.iter().map(|name| quoted(name)), language);
                line.push_str(&text!(language, "checks-flaky", tests));
            }
            if !left_out.is_empty() {
                let what = joined(left_out.iter().map(|it| name(*it, language)), language);
                line.push_str(&text!(language, "checks-left-out", what));
            }
            line
        }
        Receipt::Failed {
            report, named, why, ..
        } => {
            let mut line = failure(report, named, language);
            line.push_str(reason(*why, language));
            line
        }
        Receipt::NotChecked { planned } if planned.is_empty() => {
            text!(language, "checks-none-known").to_owned()
        }
        Receipt::NotChecked { planned } => {
            let what = joined(planned.iter().map(|it| name(*it, language)), language);
            text!(language, "checks-not-run", what)
        }
    }
}

fn failure(report: &CheckReport, named: &[String], language: Language) -> String {
    let check = name(report.strategy, language);
    let Some(failure) = report.failure() else {
        return check;
    };
    let message = match &failure.place {
        Some(place) => format!("{} ({})", quoted(&failure.message), quoted(place)),
        None => quoted(&failure.message),
    };
    let tests = joined(named.iter().map(|name| quoted(name)), language);
    match failure.kind {
        FailureKind::TestAssertion | FailureKind::Flaky if named.is_empty() => {
            text!(language, "checks-fails", check, message)
        }
        FailureKind::TestAssertion | FailureKind::Flaky => match report.tests {
            Some(all) => {
                let failed = failure.failed;
                text!(language, "checks-tests-fail", failed, all, tests)
            }
            None => text!(language, "checks-tests-fail-uncounted", tests),
        },
        FailureKind::Compile => text!(language, "checks-compile", message),
        FailureKind::Type => text!(language, "checks-types", message),
        FailureKind::Lint => text!(language, "checks-lint", message),
        FailureKind::MissingDependency => text!(language, "checks-dependency", message),
        FailureKind::TimeOut => text!(language, "checks-time-out", check),
        FailureKind::Environment => text!(language, "checks-environment", check, message),
    }
}

fn reason(why: WhyOver, language: Language) -> &'static str {
    match why {
        WhyOver::Done | WhyOver::NeedsPerson | WhyOver::NotCorrected => "",
        WhyOver::WasThere => text!(language, "checks-was-there"),
        WhyOver::SameAgain | WhyOver::TriedEnough => text!(language, "checks-tried"),
        WhyOver::OutOfTime => text!(language, "checks-out-of-time"),
    }
}

fn passed_part(part: ReceiptPart, language: Language) -> String {
    match part.tests {
        Some(count) => text!(language, "checks-part-count", count),
        None => name(part.strategy, language),
    }
}

fn name(strategy: CheckStrategy, language: Language) -> String {
    let name = match strategy {
        CheckStrategy::Lint => text!(language, "checks-part-lint"),
        CheckStrategy::Types => text!(language, "checks-part-types"),
        CheckStrategy::Build => text!(language, "checks-part-build"),
        CheckStrategy::Tests => text!(language, "checks-part-tests"),
        CheckStrategy::Custom => text!(language, "checks-part-custom"),
        CheckStrategy::Runtime => text!(language, "checks-part-runtime"),
    };
    name.to_owned()
}

fn joined(items: impl Iterator<Item = String>, language: Language) -> String {
    let items: Vec<String> = items.collect();
    items.join(text!(language, "checks-separator"))
}

/// What a program wrote is shown as code, in one line, so that nothing in it is markup.
fn quoted(text: &str) -> String {
    format!("`{}`", visible_line(text).replace('`', "'"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sayso_channel::Language::{Chinese, English};
    use sayso_checks::{Receipt, ReceiptPart, WhyOver};
    use sayso_core::transcript::{
        CheckFailure, CheckReport, CheckStrategy, CheckVerdict, FailureKind,
    };

    use super::{line, under};

    fn passed() -> Receipt {
        let part = |strategy, tests| ReceiptPart { strategy, tests };
        Receipt::Passed {
            parts: vec![
                part(CheckStrategy::Tests, Some(41)),
                part(CheckStrategy::Types, None),
                part(CheckStrategy::Lint, None),
            ],
            left_out: vec![],
            flaky: vec![],
            took: Duration::from_millis(11_200),
        }
    }

    fn failed(kind: FailureKind, why: WhyOver) -> Receipt {
        let failure = CheckFailure {
            kind,
            failed: 2,
            tests: vec![],
            message: "5 != 6 `x`".to_owned(),
            place: Some("sums.py:2".to_owned()),
            fingerprint: String::new(),
        };
        let report = CheckReport {
            strategy: CheckStrategy::Tests,
            command: String::new(),
            verdict: CheckVerdict::Failed(failure),
            tests: Some(41),
            millis: 1,
        };
        Receipt::Failed {
            strategy: report.strategy,
            report,
            named: vec!["test_login".to_owned(), "test_logout".to_owned()],
            why,
        }
    }

    #[test]
    fn receipts_are_one_line() {
        insta::assert_snapshot!(line(&passed(), English), @"✔ 41 tests, types, lint (12 s)");
        insta::assert_snapshot!(line(&passed(), Chinese), @"✔ 41 项测试、类型、代码规范（12 秒）");
        let kinds = FailureKind::ALL.map(|kind| line(&failed(kind, WhyOver::Done), English));
        insta::assert_snapshot!(kinds.join("\n"), @"
        ✘ it does not compile: `5 != 6 'x'` (`sums.py:2`)
        ✘ the types do not fit: `5 != 6 'x'` (`sums.py:2`)
        ✘ 2 of 41 tests fail: `test_login`, `test_logout`
        ✘ the linter complains: `5 != 6 'x'` (`sums.py:2`)
        ✘ a package is missing: `5 != 6 'x'` (`sums.py:2`)
        ✘ tests: not done in time, and ended
        ✘ tests: could not run here: `5 != 6 'x'` (`sums.py:2`)
        ✘ 2 of 41 tests fail: `test_login`, `test_logout`
        ");
        let tests = FailureKind::TestAssertion;
        let old = line(&failed(tests, WhyOver::WasThere), English);
        insta::assert_snapshot!(old, @"✘ 2 of 41 tests fail: `test_login`, `test_logout`; it was so before the change");
        let chinese = line(&failed(tests, WhyOver::TriedEnough), Chinese);
        insta::assert_snapshot!(chinese, @"✘ 41 项测试中有 2 项失败：`test_login`、`test_logout`；修正后仍然失败");
        let none = Receipt::NotChecked { planned: vec![] };
        insta::assert_snapshot!(line(&none, English), @"– not checked: no check of this project is known");
    }

    #[test]
    fn a_claim_that_the_receipt_contradicts_stands_below_it() {
        let fails = failed(FailureKind::TestAssertion, WhyOver::TriedEnough);
        let text = under("Fixed, all tests pass.", &fails, English);
        assert!(text.starts_with("✘ 2 of 41"), "{text}");
        let text = under("I changed one line.", &fails, English);
        assert!(text.starts_with("I changed"), "{text}");
        let text = under("Fixed, all tests pass.", &passed(), English);
        assert!(text.ends_with("(12 s)"), "{text}");
    }
}
