//! What the doctor says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::{Language, text};

texts! {
    fix(how) "doctor-fix"
    bad_configuration(error) "doctor-bad-configuration"
    correct_configuration() "doctor-correct-configuration"
    configuration(file) "doctor-configuration"
    configuration_without_file() "doctor-configuration-without-file"
    undo_in_chat() "doctor-undo-in-chat"
    clock() "doctor-clock"
    clock_is_wrong() "doctor-clock-is-wrong"
    set_clock() "doctor-set-clock"
    data_directory(path) "doctor-data-directory"
    cannot_write(path, why) "doctor-cannot-write"
    make_writable() "doctor-make-writable"
    running(process, path) "doctor-running"
    running_somewhere(path) "doctor-running-somewhere"
    half_restored(path) "doctor-half-restored"
    restore_again() "doctor-restore-again"
    stop_the_other() "doctor-stop-the-other"
    log_file(path) "doctor-log-file"
    mcp_answers(name, tools) "doctor-mcp-answers"
    mcp_fails(name, why) "doctor-mcp-fails"
    mcp_waits_for_login(name) "doctor-mcp-waits-for-login"
    log_in_to_mcp(name) "doctor-log-in-to-mcp"
    mend_mcp_list(name) "doctor-mend-mcp-list"
    check_mcp_command(name) "doctor-check-mcp-command"
    check_mcp_url(name) "doctor-check-mcp-url"
    no_knowledge(directory) "doctor-no-knowledge"
    knowledge(files, passages) "doctor-knowledge"
    knowledge_left_out(source, why) "doctor-knowledge-left-out"
    split_knowledge() "doctor-split-knowledge"
    convert_knowledge() "doctor-convert-knowledge"
    copy_knowledge() "doctor-copy-knowledge"
    make_knowledge_readable() "doctor-make-knowledge-readable"
    reword_knowledge() "doctor-reword-knowledge"
    sandbox(state) "doctor-sandbox"
    sandbox_is_off() "doctor-sandbox-is-off"
    commands_are_refused() "doctor-commands-are-refused"
    commands_all_ask() "doctor-commands-all-ask"
    space(mib) "doctor-space"
    space_is_low(mib) "doctor-space-is-low"
    free_space(least) "doctor-free-space"
    new_database(path) "doctor-new-database"
    database(path, schema) "doctor-database"
    old_database(path, schema, known) "doctor-old-database"
    database_is_damaged(path, damage) "doctor-database-is-damaged"
    database_fails(path, error) "doctor-database-fails"
    restore_backup() "doctor-restore-backup"
    move_database_away() "doctor-move-database-away"
    update_sayso() "doctor-update-sayso"
    look_at_the_log() "doctor-look-at-the-log"
    no_channel() "doctor-no-channel"
}

#[cfg(feature = "telegram")]
texts! {
    telegram_answers(who, name) "doctor-telegram-answers"
    privacy_is_on(who) "doctor-privacy-is-on"
    privacy_is_off(who) "doctor-privacy-is-off"
    take_the_token(channel) "doctor-take-the-token"
}

#[cfg(feature = "discord")]
texts! {
    discord_answers(who, name) "doctor-discord-answers"
    reads_messages(who) "doctor-reads-messages"
    reads_what_names_it(who) "doctor-reads-what-names-it"
    in_no_server(who) "doctor-in-no-server"
    invite(link) "doctor-invite"
    in_servers(who, servers, link) "doctor-in-servers"
    invite_elsewhere(who, link) "doctor-invite-elsewhere"
    reset_the_token(channel) "doctor-reset-the-token"
}

#[cfg(any(feature = "telegram", feature = "discord"))]
texts! {
    platform_fails(who, error) "doctor-platform-fails"
    check_api_url(channel, url) "doctor-check-api-url"
}

texts! {
    port_is_in_the_log() "doctor-port-is-in-the-log"
    not_running(address) "doctor-not-running"
    health_fails(address, error) "doctor-health-fails"
    look_who_listens() "doctor-look-who-listens"
    channel_is_well(name, age, interruptions) "doctor-channel-is-well"
    channel_starts(name) "doctor-channel-starts"
    channel_is_down(name, status, reason) "doctor-channel-is-down"
    channel_fix() "doctor-channel-fix"
    embedder_is_away(age, reason) "doctor-embedder-is-away"
    running_database_fails() "doctor-running-database-fails"
    /// Why it cannot be written.
    running_database_is_not_written(reason) "doctor-running-database-is-not-written"
}

texts! {
    wait_and_retry() "doctor-wait-and-retry"
    owner(first) "doctor-owner"
    owners(first, more) "doctor-owners"
    first_pairing_makes_owner() "doctor-first-pairing-makes-owner"
    owner_was_paired() "doctor-owner-was-paired"
    open_the_link(link) "doctor-open-the-link"
    send_the_code(code) "doctor-send-the-code"
    no_owner_possible() "doctor-no-owner-possible"
    name_an_owner() "doctor-name-an-owner"
    no_provider() "doctor-no-provider"
    set_provider() "doctor-set-provider"
    offline_model(name) "doctor-offline-model"
    provider_answers(name, model) "doctor-provider-answers"
    provider_answers_by_prompt(name, model) "doctor-provider-answers-by-prompt"
    provider_fails(name, error) "doctor-provider-fails"
    provider_key_fails(name, number, count, error) "doctor-provider-key-fails"
    found_by_words() "doctor-found-by-words"
    found_by_meaning(model, dimension) "doctor-found-by-meaning"
    embedded_in_parts(model, dimension, error) "doctor-embedded-in-parts"
    embedder_fails(model, error) "doctor-embedder-fails"
    embedder_is_unusable(model, error) "doctor-embedder-is-unusable"
    correct_embedder() "doctor-correct-embedder"
    check_api_key() "doctor-check-api-key"
    check_base_url(url) "doctor-check-base-url"
    problems(count) "doctor-problems"
    no_problems() "doctor-no-problems"
}
