//! Why an MCP server may not be had do something.

use sayso_core::{Language, text};

/// Why an MCP server may not be had do something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpRefusal {
    /// The tool is on the server's `deny`.
    Denied {
        /// The server.
        server: String,
        /// The tool, by the server's name for it.
        tool: String,
    },
    /// The tool is not on the server's `allow`, and no approval can be requested.
    NotListed {
        /// The server.
        server: String,
        /// The tool, by the server's name for it.
        tool: String,
    },
}

impl McpRefusal {
    /// Returns it for people; in English it is what the model reads.
    pub(super) fn in_language(&self, language: Language) -> String {
        match self {
            Self::Denied { server, tool } => {
                text!(language, "refusals-mcp-denied", tool, server)
            }
            Self::NotListed { server, tool } => {
                text!(language, "refusals-mcp-not-listed", tool, server)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::McpRefusal;

    #[test]
    fn a_refusal_names_the_tool_the_server_and_the_key() {
        let (server, tool) = ("memory".to_owned(), "delete_entities".to_owned());
        let refusals = [
            McpRefusal::Denied {
                server: server.clone(),
                tool: tool.clone(),
            },
            McpRefusal::NotListed { server, tool },
        ];
        let page: Vec<_> = refusals
            .iter()
            .flat_map(|refusal| {
                [
                    refusal.in_language(Language::English),
                    refusal.in_language(Language::Chinese),
                ]
            })
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r"
        `delete_entities` is on the list `deny` of the MCP server `memory`: nobody can approve it
        `delete_entities` 在 MCP 服务器 `memory` 的 `deny` 列表之中，任何人都无法批准
        `delete_entities` is not on the list `allow` of the MCP server `memory`, and at the level `full` nobody is asked
        `delete_entities` 不在 MCP 服务器 `memory` 的 `allow` 列表之中，而 `full` 级别不会询问任何人
        ");
    }
}
