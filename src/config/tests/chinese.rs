//! Refusals in both languages, written from the same values.

use sayso_channel::Language;

use super::read;

fn said(text: &str, language: Language) -> String {
    read(text, &[]).unwrap_err().in_words(language)
}

#[test]
fn u25_mistakes_are_named_in_words() {
    let english = |text| said(text, Language::English);
    insta::assert_snapshot!(english("[access]\nowners = [telegram:12345]"), @r#"sayso.toml:2:11: this is not TOML: each value of the list needs quotes: write `owners = ["...", "..."]`"#);
    insta::assert_snapshot!(english("[agent]\nautonomy = 'Full'"), @r"
    sayso.toml:2: `agent.autonomy` is `Full`, but must be `read_only`, `supervised` or `full`
    hint: did you mean `full`?
    ");
    insta::assert_snapshot!(english("[[providers]]\nkind = 'ollama'\nmodel = 'x'"), @r#"
    sayso.toml:2: `providers.0.kind` is `ollama`, but must be `openai`, `anthropic`, `llama` or `offline`
    hint: it speaks OpenAI's protocol: write `kind = "openai"` and `base_url = "http://127.0.0.1:11434/v1"`
    "#);
}

#[test]
fn u25_errors_speak_chinese() {
    let chinese = |text| said(text, Language::Chinese);
    insta::assert_snapshot!(chinese("[channels.telegram]\ntoken = \u{201c}1:x\u{201d}"), @r#"sayso.toml:2:9：不是有效的 TOML：这一行用了弯引号或全角引号；请改用直引号 `"`"#);
    insta::assert_snapshot!(chinese("[agent]\nmax_steps = 99"), @"sayso.toml:2：`agent.max_steps` 的值是 `99`，但应为整数，范围 1 至 30");
    insta::assert_snapshot!(chinese("[agent]\nautonomy = 'Full'"), @r"
    sayso.toml:2：`agent.autonomy` 的值是 `Full`，但应为`read_only`、`supervised` 或 `full`
    提示：是不是 `full`？
    ");
}

#[test]
fn every_part_of_a_refusal_is_chinese() {
    let chinese = |text| said(text, Language::Chinese);
    insta::assert_snapshot!(chinese("[agent]\nmax_step = 3"), @r"
    sayso.toml:2：未知的键 `agent.max_step`；`[agent]` 中可用：`autonomy`、`routing`、`parallel_prompt_tokens`、`routing_messages`、`planning`、`plan_approval`、`map_tokens`、`max_steps`、`turn_timeout_secs`、`while_busy`、`history_messages`、`concurrent_turns`
    提示：是不是 `max_steps`？
    ");
    insta::assert_snapshot!(chinese("[agent]\nmax_steps = '10'"), @r#"
    sayso.toml:2：`agent.max_steps` 的值是文本 `"10"`，但应为整数，范围 1 至 30
    提示：请去掉引号：`max_steps = 10`
    "#);
    insta::assert_snapshot!(chinese("[channels.telegram]"), @r#"
    sayso.toml:1：没有设置 `channels.telegram.token`，但已配置 `[channels.telegram]`
    提示：请写 `token = "env:TELEGRAM_BOT_TOKEN"`，并把该变量设置为 BotFather 的令牌
    "#);
    insta::assert_snapshot!(chinese("[channels.telegram]\ntoken = 'env:NOT_SET'"), @"sayso.toml:2：`channels.telegram.token` 存放在 `env:NOT_SET`，但是该变量未设置");
    insta::assert_snapshot!(chinese("[channels.telegram]\ntoken = 'my token'"), @"sayso.toml:2：`channels.telegram.token`应为BotFather 的令牌：数字、冒号，然后是 `A-Z a-z 0-9 _ -`");
    insta::assert_snapshot!(chinese("[[providers]]\nkind = 'ollama'\nmodel = 'x'"), @r#"
    sayso.toml:2：`providers.0.kind` 的值是 `ollama`，但应为`openai`、`anthropic`、`llama` 或 `offline`
    提示：它使用 OpenAI 协议：请写 `kind = "openai"` 和 `base_url = "http://127.0.0.1:11434/v1"`
    "#);
}
