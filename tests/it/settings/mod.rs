//! Each setting does what it says: every key has a test of what it changes for people.

mod access;
mod agent;
mod budget;
mod changed;
mod checks;
mod discord;
mod http;
mod log;
mod memory;
mod policy;
mod projects;
mod providers;
mod retention;
mod routines;
mod telegram;
mod tools;
mod whole;

use crate::mcp;
use crate::secrets::handles;

/// Each key at the top of the file and the test that proves its effect.
const TOP: &[(&str, fn())] = &[
    ("data_dir", whole::everything_is_kept_in_data_dir),
    ("language", whole::language_is_that_of_our_own_words),
];

/// The keys of secrets.
const SECRETS: &[(&str, fn())] = &[
    (
        "secrets.value",
        handles::a_value_is_nowhere_but_at_the_server_and_the_program_that_it_is_for,
    ),
    (
        "secrets.purpose",
        handles::the_model_is_told_what_a_secret_is_for_and_where_it_may_go,
    ),
    (
        "secrets.hosts",
        handles::a_secret_goes_to_the_hosts_that_are_named_and_to_no_other,
    ),
    (
        "secrets.commands",
        handles::a_secret_goes_to_the_programs_that_are_named_and_to_no_other,
    ),
];

/// The keys of MCP servers.
const MCP: &[(&str, fn())] = &[
    (
        "mcp.*.name",
        mcp::tools::an_allowed_tool_of_a_real_server_runs_unasked,
    ),
    (
        "mcp.*.enabled",
        mcp::connection::a_server_that_is_not_enabled_is_not_started,
    ),
    (
        "mcp.*.command",
        mcp::connection::the_doctor_starts_each_server_once_and_says_what_it_found,
    ),
    (
        "mcp.*.args",
        mcp::tools::a_file_server_reads_and_writes_where_it_was_told_and_nowhere_else,
    ),
    (
        "mcp.*.env",
        mcp::tools::the_environment_of_a_server_is_what_was_configured,
    ),
    ("mcp.*.url", mcp::http::a_real_server_is_driven_over_http),
    (
        "mcp.*.token",
        mcp::http::a_service_that_wants_a_token_says_what_to_set_and_is_shown_it,
    ),
    (
        "mcp.*.client_id",
        mcp::login::where_no_one_may_register_the_configured_client_logs_in,
    ),
    (
        "mcp.*.client_secret",
        mcp::login::where_no_one_may_register_the_configured_client_logs_in,
    ),
    (
        "mcp.*.redirect_port",
        mcp::login::where_no_one_may_register_the_configured_client_logs_in,
    ),
    (
        "mcp.*.allow",
        mcp::tools::an_allowed_tool_of_a_real_server_runs_unasked,
    ),
    (
        "mcp.*.ask",
        mcp::tools::a_tool_that_shall_ask_asks_although_a_pattern_allows_it,
    ),
    (
        "mcp.*.deny",
        mcp::tools::what_is_denied_is_never_asked_about,
    ),
    (
        "mcp.*.trust_read_only",
        mcp::tools::a_server_is_believed_only_where_the_operator_says_so,
    ),
    (
        "mcp.*.start_timeout_secs",
        mcp::connection::a_server_that_never_answers_is_given_up_in_time,
    ),
    (
        "mcp.*.call_timeout_secs",
        mcp::connection::a_server_hears_that_no_one_waits_any_more,
    ),
];

/// The key of the database.
const STORE: &[(&str, fn())] = &[("store.url", whole::store_is_the_named_file)];

/// Returns every key that has a test of its effect, section by section.
fn proven() -> impl Iterator<Item = &'static str> {
    let sections = [
        TOP,
        telegram::PROOFS,
        discord::PROOFS,
        access::PROOFS,
        providers::PROOFS,
        agent::PROOFS,
        policy::PROOFS,
        budget::PROOFS,
        tools::PROOFS,
        SECRETS,
        projects::PROOFS,
        checks::PROOFS,
        MCP,
        memory::PROOFS,
        routines::PROOFS,
        retention::PROOFS,
        STORE,
        http::PROOFS,
        log::PROOFS,
    ];
    sections.into_iter().flatten().map(|(key, _)| *key)
}

#[test]
fn every_key_has_a_proof() {
    let proven: Vec<&str> = proven().collect();
    let keys: Vec<&str> = sayso::config::key_names().collect();
    assert_eq!(
        proven, keys,
        "the tables name each key once, in the order of the keys"
    );
}
