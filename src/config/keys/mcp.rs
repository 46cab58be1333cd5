//! `[[mcp]]`: servers that bring tools.

use super::key::{secret, switch, text, texts, variables, whole};
use super::section::Section;

/// How it stands in the example.
pub(super) const SECTION: Section = Section::of("mcp.*", McpTable::KEYS)
    .above(
        "MCP servers: programs and services of others that bring tools. One section for each; the guide\n\
         on MCP servers says what a server may reach and how its tools are allowed.",
        "MCP 服务器：由他人提供、带来工具的程序和服务。每个一个小节；《MCP servers》\n\
         说明了服务器可以访问什么以及如何允许其工具。",
    );

declare! {
    /// One of `[[mcp]]`
    McpTable in "mcp.*" {
        name: Option<String> = text()
            .example(r#""files""#)
            .doc(
                "its tools are called files__NAME; 1-32 of a-z 0-9 _ -, a letter first",
                "其工具名为 files__NAME；1-32 个字符 a-z 0-9 _ -，以字母开头",
            ),
        enabled: bool = switch()
            .default("true")
            .doc("false leaves it out", "false 表示不使用"),
        command: Option<String> = text()
            .example(r#""npx""#)
            .doc(
                "a program that is started here and spoken to over stdin and stdout, or",
                "在本机启动、通过标准输入输出通信的程序；或者",
            ),
        args: Vec<String> = texts()
            .default("")
            .doc(
                r#"of the command, e.g. ["-y", "@modelcontextprotocol/server-filesystem", "/srv/files"]"#,
                r#"命令的参数，例如 ["-y", "@modelcontextprotocol/server-filesystem", "/srv/files"]"#,
            ),
        env: Vec<String> = variables()
            .default("")
            .doc(
                r#"its environment beside PATH and HOME, e.g. ["GITHUB_TOKEN=env:GITHUB_TOKEN"]"#,
                r#"除 PATH 和 HOME 之外的环境变量，例如 ["GITHUB_TOKEN=env:GITHUB_TOKEN"]"#,
            ),
        url: Option<String> = text()
            .example(r#""https://mcp.example.org/mcp""#)
            .doc(
                "instead of command: a service that is spoken to over HTTP",
                "代替 command：通过 HTTP 通信的服务",
            ),
        token: Option<String> = secret()
            .example(r#""env:MCP_TOKEN""#)
            .doc(
                "shown to the url with each request, as a bearer token; left out, `sayso mcp login NAME` logs in where it asks",
                "每次请求时出示给 url 的 bearer 令牌；省略时，服务要求登录则用 `sayso mcp login NAME` 登录",
            ),
        client_id: Option<String> = text()
            .example(r#""sayso""#)
            .doc(
                "who Sayso is at the authorization server of the url, where it cannot register by itself",
                "Sayso 在 url 的授权服务器上的身份，用于无法自行注册时",
            ),
        client_secret: Option<String> = secret()
            .example(r#""env:MCP_CLIENT_SECRET""#)
            .doc("the secret that belongs to it, if any", "与之对应的密钥（如果有）"),
        redirect_port: Option<u16> = whole(1024, 65535)
            .example("8976")
            .doc(
                "the port of http://127.0.0.1:PORT/callback, where that had to be registered; left out, any free one",
                "http://127.0.0.1:PORT/callback 的端口，用于必须事先登记时；省略则使用任一空闲端口",
            ),
        allow: Vec<String> = texts()
            .default("")
            .doc(
                r#"tools that run without asking, by the server's names for them, e.g. "read_*""#,
                r#"无需询问即可运行的工具，使用服务器中的名称，例如 "read_*""#,
            ),
        ask: Vec<String> = texts()
            .default("")
            .doc("tools that are always asked about", "始终要询问的工具"),
        deny: Vec<String> = texts()
            .default("")
            .doc("tools that never run", "绝不运行的工具"),
        trust_read_only: bool = switch()
            .default("false")
            .doc(
                "believe the server when it says that a tool only reads, and run that without asking",
                "服务器声明某工具只读时予以采信，运行时不再询问",
            ),
        start_timeout_secs: u64 = whole(1, 600)
            .default("60")
            .doc("until it has said what it has", "等待它列出工具的时间"),
        call_timeout_secs: u64 = whole(1, 3600)
            .default("120")
            .doc("one call", "一次调用的最长时间"),
    }
}
