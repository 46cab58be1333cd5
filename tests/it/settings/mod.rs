//! Each setting does what it says: every key has a test of what it changes for people.

mod access;
mod agent;
mod budget;
mod changed;
mod discord;
mod http;
mod log;
mod memory;
mod policy;
mod providers;
mod retention;
mod telegram;
mod tools;
mod whole;

use crate::files::seeing;
use crate::health::traces;
use crate::mcp;
use crate::secrets::handles;
use crate::tools::searching;

/// Every key and the test that proves its effect.
const PROOFS: &[(&str, fn())] = &[
    ("data_dir", whole::everything_is_kept_in_data_dir),
    ("language", whole::language_is_that_of_our_own_words),
    (
        "channels.telegram.token",
        telegram::token_is_the_bot_that_speaks,
    ),
    (
        "channels.telegram.api_url",
        telegram::api_url_is_the_server_that_is_asked,
    ),
    (
        "channels.telegram.mode",
        telegram::webhook_mode_hears_without_polling,
    ),
    (
        "channels.telegram.webhook_url",
        telegram::webhook_mode_hears_without_polling,
    ),
    (
        "channels.telegram.listen",
        telegram::webhook_mode_hears_without_polling,
    ),
    (
        "channels.telegram.secret",
        telegram::call_without_the_secret_is_refused,
    ),
    (
        "channels.discord.token",
        discord::token_is_the_bot_that_speaks,
    ),
    (
        "channels.discord.api_url",
        discord::api_url_is_the_server_that_is_asked,
    ),
    (
        "channels.discord.shards",
        discord::so_many_shards_share_the_servers,
    ),
    (
        "channels.discord.long_answers",
        discord::long_answer_is_a_thread_where_that_is_wanted,
    ),
    ("access.owners", access::owner_may_lower_the_autonomy),
    ("access.allow", access::who_is_not_listed_is_a_stranger),
    (
        "access.pairing",
        access::without_pairing_the_owner_is_not_asked,
    ),
    (
        "access.autonomy",
        access::an_account_has_the_level_of_its_entry,
    ),
    ("providers.*.name", providers::name_is_how_doctor_calls_it),
    ("providers.*.kind", providers::offline_kind_asks_no_server),
    ("providers.*.base_url", providers::request_is_as_configured),
    ("providers.*.api_key", providers::key_opens_the_server),
    ("providers.*.api_keys", providers::keys_take_turns),
    ("providers.*.model", providers::request_is_as_configured),
    (
        "providers.*.models",
        providers::a_conversation_may_choose_among_the_models_that_are_offered,
    ),
    (
        "providers.*.temperature",
        providers::request_is_as_configured,
    ),
    (
        "providers.*.max_tokens",
        providers::request_is_as_configured,
    ),
    (
        "providers.*.thinking_tokens",
        providers::a_model_may_think_as_long_as_configured,
    ),
    (
        "providers.*.context_tokens",
        providers::a_small_window_holds_less_of_the_past,
    ),
    (
        "providers.*.vision",
        seeing::vision_says_whether_pictures_are_shown,
    ),
    (
        "providers.*.quirks",
        providers::quirks_are_how_a_server_is_spoken_to,
    ),
    (
        "providers.*.mode",
        providers::llama_is_asked_by_chat_completions_or_by_prompts,
    ),
    (
        "providers.*.template",
        providers::prompts_are_written_by_the_template_that_is_wanted,
    ),
    (
        "providers.*.tool_calls_in_text",
        providers::calls_are_looked_for_in_the_text_where_that_is_wanted,
    ),
    (
        "providers.*.timeout_secs",
        providers::silent_model_is_given_up_in_time,
    ),
    (
        "providers.*.first_token_secs",
        providers::a_slow_beginning_may_take_longer_than_silence,
    ),
    (
        "agent.autonomy",
        agent::read_only_runs_nothing_and_asks_no_one,
    ),
    (
        "agent.routing",
        agent::routing_is_how_often_the_model_is_asked,
    ),
    (
        "agent.routing_messages",
        agent::routing_sees_so_many_messages,
    ),
    ("agent.max_steps", agent::turn_ends_after_so_many_steps),
    (
        "agent.turn_timeout_secs",
        agent::turn_works_for_so_long,
    ),
    (
        "agent.while_busy",
        agent::words_said_meanwhile_join_wait_or_interrupt,
    ),
    ("agent.history_messages", agent::history_is_so_long),
    ("agent.concurrent_turns", agent::so_many_turns_run_at_once),
    (
        "policy.allow_commands",
        policy::full_runs_what_is_listed_and_nothing_else,
    ),
    (
        "policy.allow_hosts",
        policy::listed_host_is_read_unasked_and_no_other,
    ),
    (
        "policy.ask_hosts",
        policy::host_that_asks_is_asked_about_although_it_is_allowed,
    ),
    (
        "policy.deny_hosts",
        policy::denied_host_is_refused_although_it_is_allowed,
    ),
    (
        "policy.allow_network",
        policy::full_uses_the_network_only_where_it_may,
    ),
    (
        "policy.confirm_write",
        policy::without_confirm_write_files_are_written_unasked,
    ),
    (
        "policy.confirm_exec",
        policy::without_confirm_exec_commands_run_unasked,
    ),
    (
        "policy.sandbox",
        crate::sandbox::chats::an_approved_script_is_held_to_the_workspace_unless_the_sandbox_is_off,
    ),
    (
        "policy.sandboxed_commands",
        policy::sandboxed_commands_run_unasked_where_that_is_set,
    ),
    (
        "policy.members_system",
        policy::members_reach_the_system_by_an_owner_or_not_at_all,
    ),
    (
        "policy.members_network",
        policy::members_reach_the_network_as_it_is_set,
    ),
    ("policy.rules", policy::rules_of_the_operator_are_obeyed),
    (
        "policy.approval_expires_secs",
        policy::card_is_open_for_so_long,
    ),
    ("budget.turn_tokens", budget::a_turn_may_use_so_many_tokens),
    ("budget.turn_money", budget::a_turn_may_cost_so_much),
    (
        "budget.user_day_tokens",
        budget::a_user_may_use_so_many_tokens_a_day,
    ),
    (
        "budget.user_day_money",
        budget::a_user_may_cost_so_much_a_day,
    ),
    (
        "budget.instance_day_tokens",
        budget::everybody_may_use_so_many_tokens_a_day,
    ),
    (
        "budget.instance_day_money",
        budget::everybody_may_cost_so_much_a_day,
    ),
    (
        "budget.instance_month_tokens",
        budget::everybody_may_use_so_many_tokens_a_month,
    ),
    (
        "budget.instance_month_money",
        budget::everybody_may_cost_so_much_a_month,
    ),
    ("budget.currency", budget::currency_is_how_money_is_written),
    ("prices.*.model", budget::price_is_that_of_its_model),
    ("prices.*.input", budget::tokens_cost_what_is_configured),
    (
        "prices.*.cached_input",
        budget::tokens_cost_what_is_configured,
    ),
    ("prices.*.output", budget::tokens_cost_what_is_configured),
    ("tools.shell_timeout_secs", tools::command_is_ended_in_time),
    (
        "tools.background_timeout_secs",
        tools::process_in_the_background_is_ended_in_time,
    ),
    (
        "tools.max_file_read_bytes",
        tools::so_much_of_a_file_is_read_at_once,
    ),
    ("tools.max_output_bytes", tools::so_much_output_is_shown),
    ("tools.fetch_timeout_secs", tools::fetch_is_given_up_in_time),
    (
        "tools.max_fetch_bytes",
        tools::so_much_of_a_page_is_taken_in,
    ),
    ("tools.max_inbox_files", tools::so_many_files_are_kept),
    ("tools.max_inbox_bytes", tools::files_are_kept_up_to_so_many_bytes),
    (
        "tools.allow_private_hosts",
        tools::only_the_listed_server_of_this_network_is_fetched_from,
    ),
    (
        "tools.web_search.kind",
        searching::brave_is_asked_with_its_key_which_no_one_sees,
    ),
    (
        "tools.web_search.base_url",
        searching::what_searxng_finds_is_listed_as_text_from_outside,
    ),
    (
        "tools.web_search.api_key",
        searching::brave_is_asked_with_its_key_which_no_one_sees,
    ),
    (
        "tools.web_search.results",
        searching::a_search_has_so_many_results_where_the_model_does_not_say,
    ),
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
    (
        "mcp.*.url",
        mcp::http::a_real_server_is_driven_over_http,
    ),
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
    (
        "memory.keep_episodes_days",
        memory::what_is_old_goes_by_its_kind,
    ),
    (
        "memory.keep_learned_days",
        memory::what_is_old_goes_by_its_kind,
    ),
    (
        "memory.keep_told_days",
        memory::what_is_old_goes_by_its_kind,
    ),
    (
        "memory.keep_lines_days",
        memory::lines_of_old_are_found_no_more,
    ),
    (
        "memory.fade_after_days",
        memory::what_is_unsure_and_never_used_fades,
    ),
    (
        "memory.fade_below_confidence",
        memory::what_is_unsure_and_never_used_fades,
    ),
    (
        "memory.embedder.base_url",
        memory::request_is_as_configured,
    ),
    ("memory.embedder.api_key", memory::key_opens_the_server),
    ("memory.embedder.model", memory::request_is_as_configured),
    (
        "memory.embedder.directory",
        memory::directory_holds_a_model_of_our_own,
    ),
    (
        "memory.embedder.dimensions",
        memory::request_is_as_configured,
    ),
    (
        "memory.embedder.min_similarity",
        memory::only_what_is_near_enough_is_found,
    ),
    (
        "memory.embedder.timeout_secs",
        memory::silent_embedder_is_given_up_in_time,
    ),
    (
        "memory.learning.enabled",
        memory::nothing_is_learned_where_that_is_off,
    ),
    (
        "memory.learning.idle_secs",
        memory::a_session_is_learned_from_once_it_was_idle_so_long,
    ),
    (
        "memory.learning.note",
        memory::without_notes_what_was_learned_is_not_said,
    ),
    (
        "retention.turns_days",
        retention::old_turns_go_with_all_that_is_theirs,
    ),
    (
        "retention.messages_days",
        retention::what_was_said_long_ago_goes,
    ),
    ("store.url", whole::store_is_the_named_file),
    ("http.listen", http::listen_is_where_health_is_answered),
    ("log.level", log::level_says_what_the_log_file_holds),
    ("log.format", log::json_is_one_object_a_line_without_secrets),
    (
        "log.traces",
        traces::collector_sees_turn_model_tool_and_message_but_no_word_of_them,
    ),
];

#[test]
fn every_key_has_a_proof() {
    let proven: Vec<&str> = PROOFS.iter().map(|(key, _)| *key).collect();
    let keys: Vec<&str> = sayso::config::key_names().collect();
    assert_eq!(
        proven, keys,
        "the table names each key once, in the order of the keys"
    );
}
