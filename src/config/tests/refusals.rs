//! What a refusal says: where, which key, what is there and what is allowed; never a secret.

use super::read;

/// Returns the refusal of a file under the given variables.
#[track_caller]
fn refusal(file: &str, variables: &[(&str, &str)]) -> String {
    read(file, variables).unwrap_err().to_string()
}

#[test]
fn syntax_error_has_line_and_column() {
    insta::assert_snapshot!(refusal("language = 'en'\n[agent\nmax_steps = 3", &[]), @"sayso.toml:2:7: this is not TOML: unclosed table, expected `]`");
    insta::assert_snapshot!(refusal("[access]\npairing = true\npairing = true", &[]), @"sayso.toml:3:1: this is not TOML: duplicate key");
}

#[test]
fn syntax_error_quotes_nothing_of_the_file() {
    let text = refusal(
        "[channels.telegram]\ntoken = \"1:hush\nmode = 'polling'",
        &[],
    );
    assert!(!text.contains("hush"), "{text}");
    let text = refusal("[channels.telegram]\ntoken = hush", &[]);
    assert!(!text.contains("hush"), "{text}");
}

#[test]
fn unknown_key_names_the_allowed_ones_and_the_nearest() {
    insta::assert_snapshot!(refusal("[agent]\nmax_step = 3", &[]), @r"
    sayso.toml:2: unknown key `agent.max_step`; allowed in `[agent]`: `autonomy`, `routing`, `parallel_prompt_tokens`, `routing_messages`, `planning`, `plan_approval`, `map_tokens`, `max_steps`, `turn_timeout_secs`, `while_busy`, `history_messages`, `concurrent_turns`
    hint: did you mean `max_steps`?
    ");
    insta::assert_snapshot!(refusal("", &[("SAYSO__ACCESS__OWNER", "telegram:1")]), @r"
    environment variable SAYSO__ACCESS__OWNER: unknown key `access.owner`; allowed in `[access]`: `owners`, `allow`, `pairing`, `autonomy`, `messages_per_minute`, `commands_per_minute`
    hint: did you mean `owners`?
    ");
    insta::assert_snapshot!(refusal("[channels.terminal]\ncolour = true", &[]), @"sayso.toml:2: unknown key `channels.terminal.colour`; allowed in `[channels.terminal]`: no keys");
}

#[test]
fn keys_whose_effect_does_not_exist_yet_are_unknown() {
    insta::assert_snapshot!(refusal("[bus]\nurl = 'local'", &[]), @"sayso.toml:1: unknown key `bus`; allowed in the file: `data_dir`, `language`, `channels`, `access`, `providers`, `agent`, `policy`, `budget`, `prices`, `tools`, `secrets`, `projects`, `checks`, `mcp`, `memory`, `routines`, `retention`, `store`, `http`, `log`");
    insta::assert_snapshot!(refusal("", &[("SAYSO__BUS__URL", "local")]), @"environment variable SAYSO__BUS__URL: unknown key `bus.url`; allowed in the file: `data_dir`, `language`, `channels`, `access`, `providers`, `agent`, `policy`, `budget`, `prices`, `tools`, `secrets`, `projects`, `checks`, `mcp`, `memory`, `routines`, `retention`, `store`, `http`, `log`");
    insta::assert_snapshot!(refusal("[store]\nurl = 'postgres://localhost/sayso'", &[]), @"sayso.toml:2: `store.url` is `postgres://localhost/sayso`, but must be `sqlite:NAME`: this version does not store on PostgreSQL yet");
}

#[test]
fn refused_value_is_shown_with_what_is_allowed() {
    insta::assert_snapshot!(refusal("\n\n[agent]\nmax_steps = 99", &[]), @"sayso.toml:4: `agent.max_steps` is `99`, but must be a whole number from 1 to 30");
    insta::assert_snapshot!(refusal("", &[("SAYSO__AGENT__MAX_STEPS", "ten")]), @"environment variable SAYSO__AGENT__MAX_STEPS: `agent.max_steps` is `ten`, but must be a whole number from 1 to 30");
    insta::assert_snapshot!(refusal("[access]\nowners = ['@mia']", &[]), @"sayso.toml:2: `access.owners` is `['@mia']`, but must be accounts such as `telegram:12345` or `discord:67890` (the number, not the @name; `/whoami` tells it), `telegram.work:12345` for one bot account only, or `terminal:NAME`; no role and no `*`, since others hand those out");
    assert!(refusal("[access]\nowners = ['discord:role:7']", &[]).contains("no role and no `*`"));
    insta::assert_snapshot!(refusal("agent = 3", &[]), @"sayso.toml:1: `agent` must be a section: `[agent]`");
    insta::assert_snapshot!(refusal("[providers]\nmodel = 'x'", &[]), @"sayso.toml:1: `providers` must be a list of sections: `[[providers]]`");
    insta::assert_snapshot!(refusal("", &[("SAYSO__CHANNELS__TERMINAL", "true")]), @"environment variable SAYSO__CHANNELS__TERMINAL: `channels.terminal` must be a section of the file; a variable sets one key");
    insta::assert_snapshot!(refusal("[[providers]]\nmodel = 'x'\n[[providers]]\nmodel = 'y'", &[]), @"default: `providers.1.name` is `main`, but must be a name that no other provider has");
}

#[test]
fn telegrams_own_rules_are_kept() {
    let webhook = "[channels.telegram]\ntoken = '1:x'\nmode = 'webhook'\nsecret = 'abc'\nlisten = '[::1]:1'\nwebhook_url = 'http://a.example'";
    insta::assert_snapshot!(refusal(webhook, &[]), @"sayso.toml:6: `channels.telegram.webhook_url` is `http://a.example`, but must be an address that begins with `https://` (`http://` only with a Bot API server of your own)");
    insta::assert_snapshot!(refusal("[channels.telegram]\ntoken = 'my token'", &[]), @"sayso.toml:2: `channels.telegram.token` must be BotFather's token: digits, a colon, then `A-Z a-z 0-9 _ -`");
}

#[test]
fn discords_own_rules_are_kept() {
    insta::assert_snapshot!(refusal("[channels.discord]\ntoken = 'Bot a.b.c'", &[]), @"sayso.toml:2: `channels.discord.token` must be a bot's token without the word `Bot`: three parts of `A-Z a-z 0-9 _ -` with dots between them");
    insta::assert_snapshot!(refusal("[channels.discord]\ntoken = 'a.b.c'\nshards = 0", &[]), @"sayso.toml:3: `channels.discord.shards` is `0`, but must be `auto` or a whole number from 1 to 1024");
}

#[test]
fn missing_key_says_why_it_is_needed() {
    insta::assert_snapshot!(refusal("[channels.telegram]", &[]), @r#"
    sayso.toml:1: `channels.telegram.token` is not set, but `[channels.telegram]` is configured
    hint: write `token = "env:TELEGRAM_BOT_TOKEN"` and set that variable to BotFather's token
    "#);
    insta::assert_snapshot!(refusal("[channels.telegram]\ntoken = '1:x'\nmode = 'webhook'\nlisten = '[::1]:1'", &[]), @r#"
    sayso.toml:1: `channels.telegram.webhook_url` is not set, but `channels.telegram.mode` is `webhook`
    hint: write `webhook_url = "https://bot.example.org/telegram"` or the like
    "#);
    insta::assert_snapshot!(refusal("[channels.telegram]\ntoken = '1:x'\nlisten = '[::1]:1'", &[]), @r#"sayso.toml:3: `channels.telegram.listen` is `[::1]:1`, but must be left out unless `mode = "webhook"`"#);
    insta::assert_snapshot!(refusal("[[providers]]\nname = 'a'", &[]), @r#"
    sayso.toml:1: `providers.0.model` is not set, but a provider of kind `openai` needs a model
    hint: write the name that the service gives it, such as `model = "gpt-4o-mini"`
    "#);
}

#[test]
fn missing_secret_names_key_and_place() {
    insta::assert_snapshot!(refusal("[channels.telegram]\ntoken = 'env:NOT_SET'", &[]), @"sayso.toml:2: `channels.telegram.token` is kept in `env:NOT_SET`, but that variable is not set");
    insta::assert_snapshot!(refusal("[channels.telegram]\ntoken = 'file:/no/such'", &[]), @"sayso.toml:2: `channels.telegram.token` is kept in `file:/no/such`, but the file cannot be read: No such file or directory (os error 2)");
    insta::assert_snapshot!(refusal("[channels.telegram]\ntoken = 'file:/dev/null'", &[]), @"sayso.toml:2: `channels.telegram.token` is kept in `file:/dev/null`, but nothing is there");
}

#[test]
fn refusal_never_shows_a_secret() {
    for file in [
        "[channels.telegram]\ntoken = ['hush']",
        "[channels.telegram]\ntoken = '1:x'\nmode = 'webhook'\nwebhook_url = 'https://a.b'\nlisten = '[::1]:1'\nsecret = 'hush hush'",
        "[[providers]]\nmodel = 'x'\nbase_url = 'https://mia:hush@example.org'",
        "[[providers]]\nmodel = 'x'\napi_key = { key = 'hush' }",
    ] {
        let text = refusal(file, &[]);
        assert!(!text.contains("hush"), "{text}");
    }
}

#[test]
fn long_list_numbers_are_no_keys() {
    insta::assert_snapshot!(refusal("", &[("SAYSO__PROVIDERS__4000000000__MODEL", "x")]), @"environment variable SAYSO__PROVIDERS__4000000000__MODEL: unknown key `providers.4000000000.model`; allowed in `[providers]`: `0-99`");
}

#[test]
fn home_directory_must_be_known() {
    let environment = super::Environment::default();
    let error =
        super::merge(super::super::settings::Settings::default(), &environment).unwrap_err();
    insta::assert_snapshot!(error, @"default: `data_dir` is `~/.local/share/sayso`, but must be a directory; `~` is the home directory, which HOME must name");
}

#[test]
fn a_project_has_a_section_of_its_own_and_a_folder_apart_from_others() {
    let usr = "[projects.usr]\npath = '/usr'\n";
    for (file, said) in [
        (
            "[projects]\nsite = '/usr'",
            "must be a section of its own, `[projects.NAME]`",
        ),
        (
            "[projects.Site]\npath = '/usr'",
            "must be a section of its own, `[projects.NAME]`",
        ),
        (
            "[projects.site]\nwrite = true",
            "`projects.site.path` is not set",
        ),
        (
            "[projects.site]\npath = 'usr'",
            "must be an absolute path to a folder that exists",
        ),
        (
            "[projects.site]\npath = '/'",
            "must be a folder apart from `data_dir`",
        ),
        (
            &format!("{usr}[projects.site]\npath = '/usr/lib'\nwrite = true"),
            "must be a folder apart from that of `projects.site`",
        ),
        (
            &format!("{usr}people = ['telegram:*']"),
            "must be single accounts such as",
        ),
    ] {
        let refusal = refusal(file, &[]);
        assert!(refusal.contains(said), "{file}: {refusal}");
    }
    let same = format!("{usr}[projects.lib]\npath = '/usr/lib'");
    assert_eq!(read(&same, &[]).unwrap().projects.len(), 2);
}

#[test]
fn a_secret_has_a_section_of_its_own_a_value_and_narrow_places() {
    let own = "must be a section of its own, `[secrets.NAME]`";
    let github = "[secrets.github]\nvalue = 'hush-hush-1'\n";
    for (file, said) in [
        ("[secrets]\ngithub = 'hush hush'", own),
        ("[secrets]\nvalue = 'hush hush'", own),
        ("[secrets.GitHub]\nvalue = 'hush hush'", own),
        (
            "[secrets.git-hub]\nvalue = 'hush hush'",
            "each secret is a section of its own",
        ),
        (
            "[secrets.github]\npurpose = 'issues'",
            "`secrets.github.value` is not set",
        ),
        (
            "[secrets.github]\nvalue = 'hush'",
            "must be at least 6 bytes",
        ),
        (
            "[secrets.github]\nvalue = 'hush-hush'",
            "at least 16 where it is letters alone",
        ),
        (
            "[secrets.github]\nvalue = 'env:NO'",
            "is kept in `env:NO`, but that variable is not set",
        ),
        (
            &format!("{github}hosts = ['*.github.com']"),
            "must be single hosts, such as",
        ),
        (
            &format!("{github}commands = ['gh', 'sh']"),
            "must be ordinary programs by their plain names",
        ),
        (
            &format!("{github}commands = ['/bin/gh']"),
            "must be ordinary programs by their plain names",
        ),
        (
            &format!("{github}purpose = \"a\\nb\""),
            "must be one line of at most 200 characters",
        ),
        (&format!("{github}host = []"), "hint: did you mean `hosts`?"),
    ] {
        let text = refusal(file, &[]);
        assert!(text.contains(said), "{file}: {text}");
        assert!(!text.contains("hush"), "{file}: {text}");
    }
    let text = refusal("", &[("SAYSO__SECRETS__VALUE", "hush-hush-1")]);
    assert!(
        text.contains("each secret is a section of its own"),
        "{text}"
    );
}

#[test]
fn chat_f20_a_value_of_another_type_is_called_so() {
    insta::assert_snapshot!(refusal("[agent]\nmax_steps = \"10\"", &[]), @r#"
    sayso.toml:2: `agent.max_steps` is the text `"10"`, but must be a whole number from 1 to 30
    hint: write it without quotes: `max_steps = 10`
    "#);
    insta::assert_snapshot!(refusal("[agent]\nmax_steps = \"many\"", &[]), @r#"sayso.toml:2: `agent.max_steps` is the text `"many"`, but must be a whole number from 1 to 30"#);
    insta::assert_snapshot!(refusal("[policy]\nconfirm_exec = \"yes\"", &[]), @r#"
    sayso.toml:2: `policy.confirm_exec` is the text `"yes"`, but must be `true` or `false`
    hint: write it without quotes: `confirm_exec = true`
    "#);
    insta::assert_snapshot!(refusal("[access]\nowners = 'telegram:1, telegram:2'", &[]), @r#"
    sayso.toml:2: `access.owners` is the text `"telegram:1, telegram:2"`, but must be a list of texts, such as `["one", "two"]`
    hint: write it as a list: `owners = ["telegram:1", "telegram:2"]`
    "#);
    insta::assert_snapshot!(refusal("[[providers]]\nmodel = 4", &[]), @r#"
    sayso.toml:2: `providers.0.model` is the number `4`, but must be text in quotes
    hint: write it in quotes: `model = "4"`
    "#);
    insta::assert_snapshot!(refusal("", &[("SAYSO__AGENT__MAX_STEPS", "\"10\"")]), @r#"
    environment variable SAYSO__AGENT__MAX_STEPS: `agent.max_steps` is `"10"`, but must be a whole number from 1 to 30
    hint: write it without quotes
    "#);
    let secret = refusal("[channels.telegram]\ntoken = 1234567", &[]);
    assert!(
        secret.contains("is the number, but") && !secret.contains("1234567"),
        "{secret}"
    );
}

#[test]
fn chat_f20_a_directory_in_the_place_of_a_secrets_file_is_called_so() {
    insta::assert_snapshot!(refusal("[channels.telegram]\ntoken = 'file:/'", &[]), @"sayso.toml:2: `channels.telegram.token` is kept in `file:/`, but it is a directory, and must be a file (Docker makes a directory where the file of a bind mount is missing)");
}

#[test]
fn chat_f20_an_address_that_names_an_endpoint_is_found() {
    let said = |kind: &str, address: &str| {
        let file = format!(
            "[[providers]]\nkind = '{kind}'\nmodel = 'x'\napi_key = 'k'\nbase_url = '{address}'"
        );
        refusal(&file, &[])
    };
    insta::assert_snapshot!(said("openai", "https://api.example.org/v1/chat/completions"), @"
    sayso.toml:5: `providers.0.base_url` is `https://api.example.org/v1/chat/completions`, but must be the address without the endpoint, which is added to it
    hint: write `https://api.example.org/v1`
    ");
    for (kind, address, base) in [
        (
            "openai",
            "http://127.0.0.1:1234/v1/completions/",
            "http://127.0.0.1:1234/v1",
        ),
        (
            "openai",
            "https://a.example/v1/embeddings",
            "https://a.example/v1",
        ),
        (
            "openai",
            "https://a.example/v1/responses?x=1",
            "https://a.example/v1",
        ),
        (
            "openai",
            "http://127.0.0.1:11434/api/chat",
            "http://127.0.0.1:11434",
        ),
        (
            "anthropic",
            "https://api.anthropic.com/v1/messages",
            "https://api.anthropic.com/v1",
        ),
        (
            "llama",
            "http://127.0.0.1:8080/completion",
            "http://127.0.0.1:8080",
        ),
    ] {
        let said = said(kind, address);
        assert!(said.ends_with(&format!("hint: write `{base}`")), "{said}");
    }
    let file = "[memory.embedder]\nmodel = 'x'\nbase_url = 'https://a.example/v1/embeddings'";
    assert!(refusal(file, &[]).ends_with("hint: write `https://a.example/v1`"));
}
