//! What `/stop` says.

use sayso_channel::Language::{self, Chinese, English};

/// How much of a dropped message is quoted, in characters.
const QUOTED_CHARS: usize = 60;

/// `/stop`, for what does not report its own stop: `at_once` turns that ended immediately,
/// background commands and dropped messages.
pub fn stop(at_once: usize, background: u64, dropped: &[String], language: Language) -> String {
    let mut said = Vec::new();
    if at_once > 0 {
        said.push(match language {
            English => "⏹ Stopped.".to_owned(),
            Chinese => "⏹ 已停止。".to_owned(),
        });
    }
    match (background, language) {
        (0, _) => {}
        (1, English) => said.push("⏹ Stopped one command in the background.".to_owned()),
        (_, English) => said.push(format!(
            "⏹ Stopped {background} commands in the background."
        )),
        (_, Chinese) => said.push(format!("⏹ 已停止 {background} 个后台命令。")),
    }
    match (dropped, language) {
        ([], _) => {}
        ([one], English) => said.push(format!(
            "⏹ One message was still waiting and is dropped: “{}”",
            quoted(one)
        )),
        ([one], Chinese) => said.push(format!("⏹ 1 条等待中的消息（“{}”）不再处理。", quoted(one))),
        (several, English) => said.push(format!(
            "⏹ {} messages were still waiting and are dropped.",
            several.len()
        )),
        (several, Chinese) => said.push(format!("⏹ {} 条等待中的消息不再处理。", several.len())),
    }
    if said.is_empty() {
        said.push(match language {
            English => "Nothing of yours is running here.".to_owned(),
            Chinese => "这里没有正在为你做的事。".to_owned(),
        });
    }
    said.join("\n")
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

    use super::stop;

    #[test]
    fn what_a_stop_dropped_is_named() {
        let one = ["stop".to_owned()];
        let two = ["one".to_owned(), "two".to_owned()];
        let page = [
            stop(0, 0, &[], English),
            stop(1, 0, &[], English),
            stop(0, 2, &one, English),
            stop(0, 1, &two, English),
            stop(1, 1, &one, Chinese),
            stop(0, 0, &two, Chinese),
        ];
        insta::assert_snapshot!(page.join("\n--\n"), @r"
        Nothing of yours is running here.
        --
        ⏹ Stopped.
        --
        ⏹ Stopped 2 commands in the background.
        ⏹ One message was still waiting and is dropped: “stop”
        --
        ⏹ Stopped one command in the background.
        ⏹ 2 messages were still waiting and are dropped.
        --
        ⏹ 已停止。
        ⏹ 已停止 1 个后台命令。
        ⏹ 1 条等待中的消息（“stop”）不再处理。
        --
        ⏹ 2 条等待中的消息不再处理。
        ");
    }
}
