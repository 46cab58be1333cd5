//! `[tools]`: the limits of tools, and the search of the web.

use serde::Deserialize;

use super::key::{Bound, choice, secret, text, texts, whole};
use super::section::Section;

const MIB: i64 = 1024 * 1024;

/// How it stands in the example.
pub(super) const WEB_SEARCH: Section = Section::of("tools.web_search", WebSearchTable::KEYS)
    .above(
        "Searching the web: without this section there is no such tool. The service may be read unasked.",
        "搜索网页：没有此小节就没有这个工具。读取该服务无需询问。",
    );

declare! {
    /// `[tools]`
    ToolsTable in "tools" {
        shell_timeout_secs: u64 = whole(1, 3600)
            .default("120")
            .doc("how long a command may run", "一个命令的最长运行时间"),
        background_timeout_secs: u64 = whole(0, 86_400)
            .default("3600")
            .doc(
                "how long one is kept running in the background; 0: not at all",
                "命令在后台保持运行的时间；0 表示不允许",
            ),
        max_file_read_bytes: u64 = whole(1024, 16 * MIB)
            .default("262144")
            .doc("what one call reads of a file", "一次调用读取文件的字节数"),
        max_output_bytes: usize = whole(1024, MIB)
            .default("32768")
            .doc("what the model sees of a command's output", "模型看到的命令输出字节数"),
        fetch_timeout_secs: u64 = whole(1, 600)
            .default("30")
            .doc("how long one fetch may take", "一次抓取的最长时间"),
        max_fetch_bytes: usize = whole(1024, 64 * MIB)
            .default("2097152")
            .doc("what one fetch takes in", "一次抓取的字节数"),
        max_inbox_files: usize = whole(0, 100_000)
            .default("500")
            .doc("files that people sent, in one workspace", "一个工作区中保留的收到的文件数"),
        max_inbox_bytes: u64 = whole(0, 1024 * 1024 * MIB)
            .default("536870912")
            .doc("how long these may be together", "这些文件的总字节数"),
        allow_private_hosts: Vec<String> = texts()
            .default("")
            .doc(
                r#"servers of your own network that may be fetched from, e.g. "nas.local:5000""#,
                r#"允许抓取的内网服务器，例如 "nas.local:5000""#,
            ),
    } with {
        web_search: WebSearchTable,
    }
}

declare! {
    /// `[tools.web_search]`
    WebSearchTable in "tools.web_search" {
        kind: WrittenSearch = choice(&["searxng", "brave"])
            .default("searxng")
            .doc(
                "searxng (with JSON among its formats), brave",
                "searxng（格式中需启用 JSON）、brave",
            ),
        base_url: Option<String> = text()
            .example(r#""http://127.0.0.1:8888""#)
            .doc("of your SearXNG; Brave has its own", "你的 SearXNG 地址；Brave 有自己的地址"),
        api_key: Option<String> = secret()
            .example(r#""env:BRAVE_API_KEY""#)
            .doc("what Brave wants", "Brave 需要的密钥"),
        results: usize = whole(1, 20)
            .default("5")
            .in_chat(Bound::Any)
            .doc(
                "results of a search when the call sets no number",
                "调用没有指定数目时的搜索结果数",
            ),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::config) enum WrittenSearch {
    Searxng,
    Brave,
}
