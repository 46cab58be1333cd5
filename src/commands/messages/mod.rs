//! What commands say, and what the answers to buttons say.

mod access;
pub mod background;
mod brief;
mod effective;
mod help;
mod language;
mod mcp;
mod memory;
mod menu;
mod model;
mod pairing;
mod presses;
mod project;
#[cfg(test)]
mod pseudo_tests;
mod routines;
mod skills;
mod status;
mod times;
mod unknown;

pub use crate::approvals::plain_name as plain;
pub use access::{
    autonomy_above_ceiling, autonomy_owners_only, autonomy_unknown, grant_is_gone, grants,
    no_such_grant, revoked, take_back_all, take_back_one,
};
pub use brief::{
    BriefStatus, answer_of_others, brief_autonomy, brief_skills, brief_status, layer_button,
    level_button,
};
pub use effective::{Shown, Why, autonomy, sandbox};
pub use help::{all_commands, begun_anew, guest_help, help, not_for_guests, who_am_i};
pub use language::{LanguageChoice, language, language_button, language_now};
pub use mcp::{tools_left_out, wait_for_logins};
pub use memory::{
    MemoryButton, MemoryPage, export_is_cut, exported, found_by_meaning, found_by_words,
    memory_button, memory_forgotten, memory_heading, memory_kind, memory_page, memory_recalls,
    memory_replaced, memory_since, memory_source, memory_topic, memory_until, memory_usage,
    nothing_remembered, of_conversation, profile, profile_cleared, profile_gives_orders,
    profile_in_group, profile_too_long, profile_written,
};
pub use menu::menu_entry;
pub use model::{
    ShownModels, model_auto, model_chosen, model_gone, model_list_of_others, model_owners_only,
    model_unknown, models,
};
pub use pairing::{
    Stranger, allow, allow_fully, asking, asking_after_wrong_code, block, chat_only, closed,
    owner_is_unheard, still_asking, stranger, stranger_blocked, stranger_chats, stranger_expired,
    stranger_let_in, unowned, welcome, welcome_guest, welcome_owner, wrong_code,
};
pub use presses::{
    comes_next, not_your_message, not_your_turn, nothing_queued, request_is_gone, stopping,
    tries_again, turn_is_over, undone,
};
pub use project::{
    asks_about_instructions, check_request, check_without_project, code_index,
    follows_instructions, instruction_labels, instructions_accepted, instructions_changed,
    instructions_left, project_chosen, project_gone, project_list_of_others, project_none,
    project_of_others, project_unknown, projects, reads_instructions, unread_instructions,
};
pub use routines::{
    RoutineButton, back_button, routine, routine_button, routine_deleted, routine_done,
    routine_is_over, routine_runs_already, routines,
};
pub use skills::{
    Listed, skill_switched, skill_unknown, skills, skills_owners_only, skills_suggested,
    skills_usage,
};
pub use status::{changed_in_chat, channel_line, status, workspace_tainted, workspace_trusted};
pub use times::{
    cannot_remind, how_to_remind, no_quiet_hours, no_such_zone, quiet_hours, zone, zone_is_set,
    zone_set,
};
pub use unknown::{command_guess_expired, meant_command, no_such_command, yes_that_command};
