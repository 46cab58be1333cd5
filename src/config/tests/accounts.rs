//! Several accounts of one platform: what they are called, what they inherit, and what is refused.

use secrecy::ExposeSecret as _;

use super::super::Config;
use super::read;

/// Names each channel with its token.
fn accounts(config: &Config) -> String {
    let telegram = config.channels.telegram.iter();
    let telegram = telegram.map(|account| (&account.name, &account.token));
    let discord = config.channels.discord.iter();
    let discord = discord.map(|account| (&account.name, &account.token));
    telegram
        .chain(discord)
        .map(|(name, token)| format!("{name} {}", token.expose_secret()))
        .collect::<Vec<_>>()
        .join(", ")
}

#[track_caller]
fn check(file: &str, variables: &[(&str, &str)], expected: &str) {
    assert_eq!(accounts(&read(file, variables).unwrap()), expected);
}

#[track_caller]
fn refusal(file: &str, variables: &[(&str, &str)]) -> String {
    read(file, variables).unwrap_err().to_string()
}

#[test]
fn named_accounts_stand_beside_the_plain_one_or_alone() {
    let work = "[channels.telegram.work]\ntoken = '2:two'\n";
    check(work, &[], "telegram.work 2:two");
    let plain = "[channels.telegram]\ntoken = '1:one'\n";
    check(
        &format!("{plain}{work}"),
        &[],
        "telegram 1:one, telegram.work 2:two",
    );
    check(
        "[channels.discord.a]\ntoken = 'a.b.c'\n[channels.discord.b-2_x]\ntoken = 'd.e.f'",
        &[],
        "discord.a a.b.c, discord.b-2_x d.e.f",
    );
}

#[test]
fn named_account_has_the_keys_and_defaults_of_the_plain_one() {
    let config = read(
        "[channels.telegram.work]\ntoken = '2:two'\n[channels.telegram.home]\ntoken = '3:three'\napi_url = 'http://127.0.0.1:1'",
        &[],
    )
    .unwrap();
    let servers = config.channels.telegram.iter();
    let servers: Vec<_> = servers.map(|account| account.api_url.as_str()).collect();
    assert_eq!(
        servers,
        ["http://127.0.0.1:1/", "https://api.telegram.org/"]
    );
}

#[test]
fn variable_names_an_account_by_one_more_step() {
    check(
        "",
        &[
            ("SAYSO__CHANNELS__TELEGRAM__TOKEN", "1:one"),
            ("SAYSO__CHANNELS__TELEGRAM__WORK__TOKEN", "2:two"),
            ("SAYSO__CHANNELS__DISCORD__MY_LAB__TOKEN", "a.b.c"),
        ],
        "telegram 1:one, telegram.work 2:two, discord.my_lab a.b.c",
    );
}

#[test]
fn well_known_token_makes_no_account_beside_named_ones_alone() {
    let token = ("TELEGRAM_BOT_TOKEN", "1:one");
    let work = "[channels.telegram.work]\ntoken = 'env:TELEGRAM_BOT_TOKEN'\n";
    check(work, &[token], "telegram.work 1:one");
    let plain = "[channels.telegram]\napi_url = 'http://127.0.0.1:1'\n";
    let work = "[channels.telegram.work]\ntoken = '2:two'\n";
    check(
        &format!("{plain}{work}"),
        &[token],
        "telegram 1:one, telegram.work 2:two",
    );
}

#[test]
fn one_token_in_two_accounts_is_refused_and_both_are_named() {
    let file = "[channels.telegram]\ntoken = '1:one'\n[channels.telegram.work]\ntoken = '1:one'";
    insta::assert_snapshot!(refusal(file, &[]), @"sayso.toml:4: `channels.telegram.work.token` must be another token than `channels.telegram.token`: with one token they would take each other's messages");
    let file = "[channels.discord.a]\ntoken = 'env:ONE'\n[channels.discord.b]\ntoken = 'a.b.c'";
    insta::assert_snapshot!(refusal(file, &[("ONE", "a.b.c")]), @"sayso.toml:4: `channels.discord.b.token` must be another token than `channels.discord.a.token`: with one token they would take each other's messages");
}

#[test]
fn mistyped_key_is_no_account() {
    insta::assert_snapshot!(refusal("[channels.telegram]\ntokn = '1:one'", &[]), @r"
    sayso.toml:2: unknown key `channels.telegram.tokn`; allowed in `[channels.telegram]`: `token`, `api_url`, `mode`, `webhook_url`, `listen`, `secret`
    hint: did you mean `token`?
    ");
    insta::assert_snapshot!(refusal("", &[("SAYSO__CHANNELS__DISCORD__TOKN", "a.b.c")]), @r"
    environment variable SAYSO__CHANNELS__DISCORD__TOKN: unknown key `channels.discord.tokn`; allowed in `[channels.discord]`: `token`, `api_url`, `shards`, `long_answers`
    hint: did you mean `token`?
    ");
    insta::assert_snapshot!(refusal("[channels.telegram.work]\ntokn = '1:one'", &[]), @r"
    sayso.toml:2: unknown key `channels.telegram.work.tokn`; allowed in `[channels.telegram.work]`: `token`, `api_url`, `mode`, `webhook_url`, `listen`, `secret`
    hint: did you mean `token`?
    ");
}

#[test]
fn account_without_a_token_is_named() {
    insta::assert_snapshot!(refusal("[channels.discord.work]", &[]), @r#"
    sayso.toml:1: `channels.discord.work.token` is not set, but `[channels.discord.work]` is configured
    hint: write `token = "env:DISCORD_BOT_TOKEN"` and set that variable to the token from the Developer Portal (Bot, Reset Token)
    "#);
}

#[test]
fn account_must_have_a_plain_name() {
    insta::assert_snapshot!(refusal("[channels.telegram.Work]\ntoken = '1:one'", &[]), @"sayso.toml:1: `channels.telegram.Work` must be named with 1-32 of `a-z 0-9 _ -`, a letter first, and no `__`");
    insta::assert_snapshot!(refusal("[channels.telegram.7]\ntoken = '1:one'", &[]), @"sayso.toml:1: `channels.telegram.7` must be named with 1-32 of `a-z 0-9 _ -`, a letter first, and no `__`");
    insta::assert_snapshot!(refusal("[channels.telegram.token]\ntoken = '1:one'", &[]), @"sayso.toml:1: `channels.telegram.token` is a section, but must be text in quotes, `env:NAME` or `file:PATH`");
    insta::assert_snapshot!(refusal("[channels.terminal.work]", &[]), @"sayso.toml:1: unknown key `channels.terminal.work`; allowed in `[channels.terminal]`: no keys");
}
