//! What `sayso init` says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::{Language, text};

texts! {
    welcome(file) "init-welcome"
    overwrite(file) "init-overwrite"
    nothing_changed() "init-nothing-changed"
    botfather_steps() "init-botfather-steps"
    developer_portal_steps() "init-developer-portal-steps"
    no_discord_token() "init-no-discord-token"
    discord_owner() "init-discord-owner"
    token() "init-token"
    no_token() "init-no-token"
    owner() "init-owner"
    no_account() "init-no-account"
    about_models() "init-about-models"
    kind() "init-kind"
    no_kind() "init-no-kind"
    is_a_model(model, kind) "init-is-a-model"
    with_version(address) "init-with-version"
    type_again() "init-type-again"
    base_url() "init-base-url"
    no_url() "init-no-url"
    api_key() "init-api-key"
    model() "init-model"
    data_dir() "init-data-dir"
    written(file) "init-written"
    correct_before_start() "init-correct-before-start"
    talk_to(link) "init-talk-to"
    next_step(command) "init-next-step"
    pairing() "init-pairing"
    find_problems() "init-find-problems"
    yes() "init-yes"
    no() "init-no"
    asked(question) "init-asked"
    asked_with_default(question, default) "init-asked-with-default"
    asked_in_secret(question) "init-asked-in-secret"
}
