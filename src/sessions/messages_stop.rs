//! What a stop says: the outcome of a stopped turn, and the answer where no turn reports the stop.

use sayso_channel::Language;
use sayso_channel::text;

/// How much of a dropped message is quoted, in characters.
const QUOTED_CHARS: usize = 60;

/// What else a stop ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlsoStopped {
    /// How many background commands.
    pub background: u64,
    /// The texts of the messages that were waiting.
    pub dropped: Vec<String>,
}

/// The outcome of a turn that was stopped: what the model had said by then, what was done, and what
/// else the stop ended.
pub fn stopped(
    said: Option<&str>,
    done: Option<&str>,
    also: &AlsoStopped,
    language: Language,
) -> String {
    let mark = if said.is_some() && *also == AlsoStopped::default() {
        mark(language).to_owned()
    } else {
        report(true, also, language)
    };
    let parts = [said, Some(mark.as_str()), done];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    parts.join("\n\n")
}

/// What stands below the words that a stop cut off, or alone where more is said elsewhere.
pub fn mark(language: Language) -> &'static str {
    text!(language, "sessions-stopped-mark")
}

/// The answer to `/stop` where no turn reports the stop; `at_once` where turns were stopped that
/// end much later, of which `done` says what each had done.
pub fn answer(at_once: bool, also: &AlsoStopped, done: &[String], language: Language) -> String {
    if !at_once && *also == AlsoStopped::default() {
        return text!(language, "sessions-stop-answer").to_owned();
    }
    let report = report(at_once, also, language);
    let parts: Vec<&str> = std::iter::once(report.as_str())
        .chain(done.iter().map(String::as_str))
        .collect();
    parts.join("\n\n")
}

/// Returns one line with everything that a stop ended.
fn report(turn: bool, also: &AlsoStopped, language: Language) -> String {
    let parts = [
        turn.then(|| text!(language, "sessions-stop-report-stopped").to_owned()),
        background(also.background, language),
        dropped(&also.dropped, language),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    text!(
        language,
        "sessions-stop-report",
        parts = parts.join(text!(language, "sessions-stop-between"))
    )
}

fn background(count: u64, language: Language) -> Option<String> {
    (count > 0).then(|| text!(language, "sessions-stop-background", count))
}

fn dropped(texts: &[String], language: Language) -> Option<String> {
    match texts {
        [] => None,
        [one] if one.is_empty() => {
            Some(text!(language, "sessions-stop-dropped-one-unnamed").to_owned())
        }
        [one] => Some(text!(
            language,
            "sessions-stop-dropped-one",
            one = quoted(one)
        )),
        several => Some(text!(
            language,
            "sessions-stop-dropped-several",
            count = several.len()
        )),
    }
}

/// Returns the first words of a message on one line, as Markdown shows them unchanged.
fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut shown = String::new();
    for letter in line.chars().take(QUOTED_CHARS) {
        if letter.is_ascii_punctuation() {
            shown.push('\\');
        }
        shown.push(letter);
    }
    if line.chars().count() > QUOTED_CHARS {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language::{Chinese, English};

    use super::{AlsoStopped, answer, stopped};

    #[test]
    fn row44_a_stop_says_everything_in_one_line() {
        let also = |background, dropped: &[&str]| AlsoStopped {
            background,
            dropped: dropped.iter().map(|text| (*text).to_owned()).collect(),
        };
        let page = [
            answer(false, &also(0, &[]), &[], English),
            answer(true, &also(0, &[]), &["Done before: a".to_owned()], English),
            answer(false, &also(2, &["stop"]), &[], English),
            stopped(None, None, &also(1, &["one", "two"]), English),
            stopped(None, None, &also(0, &["stop"]), English),
            stopped(None, None, &also(0, &["stop"]), Chinese),
            answer(false, &also(1, &["one", "two"]), &[], Chinese),
            stopped(Some("Once …"), None, &also(0, &[]), English),
            stopped(Some("从前……"), Some("完成"), &also(0, &[]), Chinese),
            stopped(Some("Once …"), None, &also(0, &["stop"]), English),
        ];
        insta::assert_snapshot!(page.join("\n--\n"), @r"
        Nothing of yours is running here.
        --
        ⏹ Stopped.

        Done before: a
        --
        ⏹ Stopped 2 commands in the background. One message was still waiting and is dropped: “stop”
        --
        ⏹ Stopped. Stopped one command in the background. 2 messages were still waiting and are dropped.
        --
        ⏹ Stopped. One message was still waiting and is dropped: “stop”
        --
        ⏹ 已停止，1 条等待中的消息（“stop”）不再处理。
        --
        ⏹ 已停止 1 个后台命令，2 条等待中的消息不再处理。
        --
        Once …

        ⏹ stopped
        --
        从前……

        ⏹ 已停止

        完成
        --
        Once …

        ⏹ Stopped. One message was still waiting and is dropped: “stop”
        ");
    }
}
