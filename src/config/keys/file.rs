//! The top of the file: the keys without a section, and all sections.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::key::{Bound, choice, text};
use super::{
    AccessTable, AgentTable, BudgetTable, ChannelsTable, ChecksTable, HttpTable, LogTable,
    McpTable, MemoryTable, PolicyTable, PriceTable, ProjectTable, ProviderTable, RetentionTable,
    RoutinesTable, SecretTable, StoreTable, ToolsTable,
};

declare! {
    /// The whole file, all layers merged and defaults filled in. No type here has `Debug`, because
    /// they contain secrets in plain text.
    ConfigFile in "" {
        data_dir: String = text()
            .default("~/.local/share/sayso")
            .doc("the database and the workspaces", "数据库和工作区所在的目录"),
        language: WrittenLanguage = choice(&["auto", "en", "zh-CN"])
            .default("auto")
            .in_chat(Bound::Any)
            .doc(
                "en, zh-CN: where a person's own is unknown (auto: en)",
                "用户语言未知时使用的语言：en、zh-CN；auto 为 en",
            ),
    } with {
        #[serde(default)]
        channels: ChannelsTable,
        access: AccessTable,
        #[serde(default)]
        providers: Vec<ProviderTable>,
        agent: AgentTable,
        policy: PolicyTable,
        budget: BudgetTable,
        #[serde(default)]
        prices: Vec<PriceTable>,
        tools: ToolsTable,
        /// By name; the plain section, which is refused, is `@`.
        #[serde(default)]
        secrets: BTreeMap<String, SecretTable>,
        /// The same of projects.
        #[serde(default)]
        projects: BTreeMap<String, ProjectTable>,
        checks: ChecksTable,
        #[serde(default)]
        mcp: Vec<McpTable>,
        memory: MemoryTable,
        routines: RoutinesTable,
        retention: RetentionTable,
        store: StoreTable,
        #[serde(default)]
        http: HttpTable,
        log: LogTable,
    }
}

/// `language`.
#[derive(Deserialize)]
pub(in crate::config) enum WrittenLanguage {
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-CN")]
    Chinese,
}
