//! Why an MCP server may not be had do something.

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
    /// Returns the reason in words that the model can act on, on one line.
    pub(super) fn for_model(&self) -> String {
        match self {
            Self::Denied { server, tool } => format!(
                "`{tool}` is on the list `deny` of the MCP server `{server}`: nobody can approve it"
            ),
            Self::NotListed { server, tool } => format!(
                "`{tool}` is not on the list `allow` of the MCP server `{server}`, and at the level \
                 `full` nobody is asked"
            ),
        }
    }

    /// Returns the reason for people of a Chinese chat, on one line.
    pub(super) fn in_chinese(&self) -> String {
        match self {
            Self::Denied { server, tool } => {
                format!("`{tool}` 在 MCP 服务器 `{server}` 的 `deny` 列表之中，任何人都无法批准")
            }
            Self::NotListed { server, tool } => format!(
                "`{tool}` 不在 MCP 服务器 `{server}` 的 `allow` 列表之中，而 `full` 级别不会询问任何人"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
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
            .flat_map(|refusal| [refusal.for_model(), refusal.in_chinese()])
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r"
        `delete_entities` is on the list `deny` of the MCP server `memory`: nobody can approve it
        `delete_entities` 在 MCP 服务器 `memory` 的 `deny` 列表之中，任何人都无法批准
        `delete_entities` is not on the list `allow` of the MCP server `memory`, and at the level `full` nobody is asked
        `delete_entities` 不在 MCP 服务器 `memory` 的 `allow` 列表之中，而 `full` 级别不会询问任何人
        ");
    }
}
