//! What the command line says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::{Language, text};

/// Declares texts by their situation: one function each, with the key of its text.
macro_rules! texts {
    ($(
        $(#[$doc:meta])*
        $name:ident($($argument:ident),*) $key:literal
    )*) => {$(
        $(#[$doc])*
        pub(super) fn $name(language: Language $(, $argument: &dyn Display)*) -> String {
            text!(language, $key $(, $argument = $argument.to_string())*).into()
        }
    )*};
}

texts! {
    /// A file was read.
    configuration_from_file(file) "cli-configuration-from-file"
    /// A moment that cannot be read.
    unreadable_moment(text) "cli-unreadable-moment"
    /// An instant lies behind the moment that it is seen from.
    time_is_over(at) "cli-time-is-over"
    /// A span of time.
    time_span(from, until) "cli-time-span"
    /// A rule and its next times.
    time_rule(rule, next) "cli-time-rule"
    /// A text speaks of no time.
    no_time() "cli-no-time"
    /// A finding of high severity.
    quality_high() "cli-quality-high"
    /// A finding of medium severity.
    quality_medium() "cli-quality-medium"
    /// A finding of low severity.
    quality_low() "cli-quality-low"
    /// Findings that are not shown.
    quality_more(count) "cli-quality-more"
    /// The end of a scan.
    quality_summary(score, files, findings, suppressed, skipped) "cli-quality-summary"
    /// There are no routines.
    no_routines() "cli-no-routines"
    /// A file of routines is kept.
    routines_imported(new, known, over) "cli-routines-imported"
    /// Nothing of it is kept.
    routines_not_imported() "cli-routines-not-imported"
    /// How a webhook of a file is called.
    webhook_imported(path, key) "cli-webhook-imported"
    /// A key of another service.
    key_of_anthropic(provider) "cli-key-of-anthropic"
    /// An address that is probably incomplete.
    address_without_version(provider, address) "cli-address-without-version"
    /// A value that is not shown.
    hidden_value() "cli-hidden-value"
    /// No key has that beginning.
    no_such_key(beginning) "cli-no-such-key"
    /// The configuration cannot be used.
    refused_configuration(why) "cli-refused-configuration"
    /// An owner changed a key in chat.
    changed_in_chat(key, value) "cli-changed-in-chat"
    /// The same, and it has no effect.
    dropped_from_chat(key, value, why) "cli-dropped-from-chat"
    /// A file has that name.
    backup_is_there(path) "cli-backup-is-there"
    /// Another process is at it.
    backup_is_made(path) "cli-backup-is-made"
    /// It is there and was read again.
    backup_made(path, rows, files) "cli-backup-made"
    /// It is being written.
    writing_backup() "cli-writing-backup"
    /// It is being read again.
    checking_backup() "cli-checking-backup"
    /// It is being unpacked.
    restoring() "cli-restoring"
    /// A skill is on its way.
    fetching_skill() "cli-fetching-skill"
    /// Files with secrets are not in it.
    backup_without_secrets(paths, more) "cli-backup-without-secrets"
    /// The disk is too full for it.
    backup_no_room(path, needed, free) "cli-backup-no-room"
    /// Some of it is not in it.
    backup_left_out(paths, more) "cli-backup-left-out"
    /// More than are named.
    and_more(count) "cli-and-more"
    /// It would hold itself, or be packed by the next one.
    backup_inside(path, allowed) "cli-backup-inside"
    /// There is a data directory.
    restore_not_in_place(path) "cli-restore-not-in-place"
    /// The database would lie somewhere else.
    restore_elsewhere(path) "cli-restore-elsewhere"
    /// It is there.
    restored(path, rows, files, version) "cli-restored"
    /// Files with secrets were not in it.
    restored_without_secrets(paths, more) "cli-restored-without-secrets"
    /// Some links lead elsewhere.
    restored_without_links(paths, more) "cli-restored-without-links"
    /// The disk is too full for it.
    restore_no_room(path, needed, free) "cli-restore-no-room"
    /// No MCP server has that name.
    mcp_unknown(name) "cli-mcp-unknown"
    /// There is nothing to log in to.
    mcp_without_login(name) "cli-mcp-without-login"
    /// Where to go.
    mcp_open(address) "cli-mcp-open"
    /// What to do when the browser is elsewhere.
    mcp_paste(redirect) "cli-mcp-paste"
    /// What came back is of no login that was begun here.
    mcp_not_ours() "cli-mcp-not-ours"
    /// What the browser shows at the end.
    mcp_browser_done() "cli-mcp-browser-done"
    /// It worked.
    mcp_logged_in(name) "cli-mcp-logged-in"
    /// The login timed out.
    mcp_login_too_late(minutes) "cli-mcp-login-too-late"
    /// It did not work.
    mcp_login_failed(name, why) "cli-mcp-login-failed"
    /// Everybody on the way could listen.
    mcp_not_private() "cli-mcp-not-private"
    /// The service publishes nothing.
    mcp_nothing_said() "cli-mcp-nothing-said"
    /// One has to be registered by hand.
    mcp_no_registration(redirect) "cli-mcp-no-registration"
    /// The person or the authorization server said no.
    mcp_login_refused(why) "cli-mcp-login-refused"
    /// The next description counts.
    mcp_accepted(name) "cli-mcp-accepted"
    /// Nothing was seen of it yet.
    mcp_never_seen(name) "cli-mcp-never-seen"
    /// The login is forgotten.
    mcp_logged_out(name) "cli-mcp-logged-out"
    /// There was none.
    mcp_not_logged_in(name) "cli-mcp-not-logged-in"
    /// It does not listen, but it has its data directory.
    health_only_runs() "cli-health-only-runs"
    /// It neither listens nor has its data directory.
    health_runs_not(directory) "cli-health-runs-not"
    /// There is no answer at the health endpoint.
    health_is_not_told(address, why) "cli-health-is-not-told"
    /// A skill cannot be taken.
    skill_not_taken(source, why) "cli-skill-not-taken"
    /// Whether what was shown is to be installed.
    install_skill() "cli-install-skill"
    /// It is.
    skill_installed(name) "cli-skill-installed"
    /// It is not.
    skill_left() "cli-skill-left"
    /// What kind of message a text is.
    routing_label(label, confidence, reason) "cli-routing-label"
    /// There are courtesies alone.
    routing_courtesies() "cli-routing-courtesies"
    /// No skill has a word of it.
    routing_clear_alone() "cli-routing-clear-alone"
    /// Phase 1 asks back.
    routing_asked_back() "cli-routing-asked-back"
    /// No word asks for a task.
    routing_no_task() "cli-routing-no-task"
    /// Nothing says whether it is about code.
    routing_not_clear() "cli-routing-not-clear"
    /// The rules would load nothing.
    routing_direct() "cli-routing-direct"
    /// The rules would load skills.
    routing_skills(skills) "cli-routing-skills"
    /// The text asks for something of a kind.
    routing_intent(intent, words) "cli-routing-intent"
    /// The text has words of a name.
    routing_name(words) "cli-routing-name"
    /// The text has words of a description.
    routing_description(words) "cli-routing-description"
    /// The text is like messages that needed the skill.
    routing_examples() "cli-routing-examples"
    /// There is no file.
    configuration_from_environment() "cli-configuration-from-environment"
    /// Commands are judged by a configuration.
    judged_by(from, level, role, rules, sandbox) "cli-judged-by"
    /// There is no file.
    the_defaults() "cli-the-defaults"
    /// Commands are not confined, because the configuration disables the sandbox.
    sandbox_is_off() "cli-sandbox-is-off"
    /// Something is wrong with a skill that is still loaded, or could be better.
    skill_warning(what) "cli-skill-warning"
    /// Skills were checked.
    skills_checked(skills, faulty, warnings) "cli-skills-checked"
    /// There is no skill.
    no_skills(place) "cli-no-skills"
    /// The place of skills cannot be read.
    skills_unreadable(place, why) "cli-skills-unreadable"
    /// Nothing was written down yet.
    audit_is_empty() "cli-audit-is-empty"
    /// The audit is what was written.
    audit_holds(count, payloads, file) "cli-audit-holds"
    /// What proves later that nothing was cut off.
    audit_head(seq, hash) "cli-audit-head"
    /// The audit is not what was written.
    audit_is_broken(what, file) "cli-audit-is-broken"
    /// The words of an account were erased.
    audit_forgotten(count, account) "cli-audit-forgotten"
    /// The account is unknown.
    unknown_account(account) "cli-unknown-account"
    /// A terminal chat without a model.
    chat_is_offline() "cli-chat-is-offline"
}
