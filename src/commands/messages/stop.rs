//! What `/stop` says.

use sayso_channel::Language::{self, Chinese, English};

/// `/stop`, for what does not report its own stop: `at_once` turns that ended immediately,
/// background commands and dropped messages.
pub fn stop(at_once: usize, background: u64, dropped: u64, language: Language) -> String {
    let mut said = Vec::new();
    match (background, language) {
        (0, _) => {}
        (_, English) => said.push(format!(
            "⏹ Stopped in the background: {background} command(s)."
        )),
        (_, Chinese) => said.push(format!("⏹ 已停止 {background} 个后台命令。")),
    }
    match (at_once, language) {
        (0, _) => {}
        (_, English) => said.push(format!("⏹ Stopped: {at_once} request(s).")),
        (_, Chinese) => said.push(format!("⏹ 已停止 {at_once} 个请求。")),
    }
    match (dropped, language) {
        (0, _) => {}
        (_, English) => said.push(format!("⏹ Dropped {dropped} waiting message(s).")),
        (_, Chinese) => said.push(format!("⏹ 已丢弃 {dropped} 条等待中的消息。")),
    }
    if said.is_empty() {
        said.push(match language {
            English => "Nothing of yours is running here.".to_owned(),
            Chinese => "这里没有正在为你做的事。".to_owned(),
        });
    }
    said.join("\n")
}
