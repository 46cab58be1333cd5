//! `[secrets.NAME]`: what calls may use by a name.

use super::key::{secret, text, texts};
use super::section::Section;

/// How it stands in the example.
pub(super) const SECTION: Section = Section::of("secrets", SecretTable::KEYS)
    .above(
        "Secrets that calls use without showing them: the model knows only the name and writes\n\
         {{secret:github}}; the value is filled in when the call runs. Each call that uses one requires\n\
         approval. One section for each secret; without hosts and commands it goes nowhere.",
        "调用时使用但不显示的密钥：模型只知道名称，写作\n\
         {{secret:github}}；运行调用时才填入其值。每次使用都需要批准。\n\
         每个密钥一个小节；没有 hosts 和 commands 时不会用于任何地方。",
    );

declare! {
    /// `[secrets.NAME]`
    SecretTable in "secrets" {
        value: Option<String> = secret()
            .example(r#""env:GITHUB_TOKEN""#)
            .doc("the secret, or where it is kept", "密钥本身，或其存放位置"),
        purpose: Option<String> = text()
            .example(r#""reads and writes issues""#)
            .doc("shown to the model, one line", "给模型看的一行说明"),
        #[serde(default)]
        hosts: Vec<String> = texts()
            .example(r#"["api.github.com"]"#)
            .doc(
                "where http_request may send it, over https; with a port over http too",
                "http_request 可将其发往的主机，使用 https；写明端口时也可用 http",
            ),
        #[serde(default)]
        commands: Vec<String> = texts()
            .example(r#"["gh"]"#)
            .doc(
                "programs that may get it, as $SAYSO_SECRET_NAME, when a call names it",
                "调用中写明时可得到它的程序，通过 $SAYSO_SECRET_NAME 传递",
            ),
    }
}
