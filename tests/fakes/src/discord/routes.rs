//! The operations that the fake plays, by their published ids.

use super::form::Form;
use super::refusal::Refusal;
use super::sending::Outcome;
use super::state::State;
use super::{commands, interactions, reading, sending, threads, webhooks};

/// The operations played here, for where the published description is not at hand.
pub(crate) const PLAYED: &[(&str, &str, &str)] = &[
    ("get", "/gateway", "get_gateway"),
    ("get", "/gateway/bot", "get_bot_gateway"),
    ("get", "/users/@me", "get_my_user"),
    ("get", "/users/@me/guilds", "list_my_guilds"),
    ("post", "/users/@me/channels", "create_dm"),
    ("get", "/applications/@me", "get_my_application"),
    (
        "get",
        "/oauth2/applications/@me",
        "get_my_oauth2_application",
    ),
    (
        "get",
        "/applications/{application_id}/commands",
        "list_application_commands",
    ),
    (
        "put",
        "/applications/{application_id}/commands",
        "bulk_set_application_commands",
    ),
    ("get", "/channels/{channel_id}", "get_channel"),
    ("patch", "/channels/{channel_id}", "update_channel"),
    (
        "post",
        "/channels/{channel_id}/typing",
        "trigger_typing_indicator",
    ),
    ("get", "/channels/{channel_id}/messages", "list_messages"),
    ("post", "/channels/{channel_id}/messages", "create_message"),
    (
        "get",
        "/channels/{channel_id}/messages/{message_id}",
        "get_message",
    ),
    (
        "patch",
        "/channels/{channel_id}/messages/{message_id}",
        "update_message",
    ),
    (
        "delete",
        "/channels/{channel_id}/messages/{message_id}",
        "delete_message",
    ),
    (
        "put",
        "/channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me",
        "add_my_message_reaction",
    ),
    (
        "post",
        "/channels/{channel_id}/messages/{message_id}/threads",
        "create_thread_from_message",
    ),
    (
        "get",
        "/guilds/{guild_id}/members/{user_id}",
        "get_guild_member",
    ),
    (
        "get",
        "/guilds/{guild_id}/threads/active",
        "get_active_guild_threads",
    ),
    (
        "post",
        "/interactions/{interaction_id}/{interaction_token}/callback",
        "create_interaction_response",
    ),
    (
        "post",
        "/webhooks/{webhook_id}/{webhook_token}",
        "execute_webhook",
    ),
    (
        "get",
        "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
        "get_original_webhook_message",
    ),
    (
        "patch",
        "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
        "update_original_webhook_message",
    ),
    (
        "delete",
        "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
        "delete_original_webhook_message",
    ),
    (
        "get",
        "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
        "get_webhook_message",
    ),
    (
        "patch",
        "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
        "update_webhook_message",
    ),
    (
        "delete",
        "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}",
        "delete_webhook_message",
    ),
];

/// Performs one request that is right in form.
pub(crate) fn perform(state: &mut State, operation: &str, form: &Form) -> Outcome {
    match operation {
        "get_gateway" => Ok(Some(reading::gateway(state))),
        "get_bot_gateway" => Ok(Some(reading::bot_gateway(state))),
        "get_my_user" => Ok(Some(reading::me())),
        "list_my_guilds" => Ok(Some(reading::guilds(state))),
        "create_dm" => reading::open_direct(state, form),
        "get_my_application" | "get_my_oauth2_application" => Ok(Some(reading::application(state))),
        "list_application_commands" => commands::list(state, form),
        "bulk_set_application_commands" => commands::set_all(state, form),
        "get_channel" => reading::channel(state, form),
        "update_channel" => threads::update(state, form),
        "trigger_typing_indicator" => sending::show_typing(state, form),
        "list_messages" => reading::messages(state, form),
        "create_message" => sending::create_message(state, form),
        "get_message" => reading::message(state, form),
        "update_message" => sending::update_message(state, form),
        "delete_message" => sending::delete_message(state, form),
        "add_my_message_reaction" => sending::add_reaction(state, form),
        "create_thread_from_message" => threads::start_from_message(state, form),
        "get_guild_member" => reading::member(state, form),
        "get_active_guild_threads" => reading::active_threads(state, form),
        "create_interaction_response" => interactions::respond(state, form),
        "execute_webhook" => webhooks::follow_up(state, form),
        "get_original_webhook_message" | "get_webhook_message" => webhooks::get_answer(state, form),
        "update_original_webhook_message" | "update_webhook_message" => {
            webhooks::update_answer(state, form)
        }
        "delete_original_webhook_message" | "delete_webhook_message" => {
            webhooks::delete_answer(state, form)
        }
        _ => Err(Refusal::new(501, 0, "this fake does not play this").violating()),
    }
}
