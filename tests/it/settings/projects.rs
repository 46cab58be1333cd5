//! `[projects]`: folders that people may have worked in.

use crate::code::projects as code;
use crate::platform::Platform;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("projects.path", files_are_those_of_the_folder),
    ("projects.people", who_is_named_may_choose_it),
    ("projects.write", nothing_is_changed_where_it_is_left_out),
    ("projects.checks", the_operator_says_how_it_is_checked),
    ("projects.description", files_are_those_of_the_folder),
];

#[tokio::test]
pub async fn files_are_those_of_the_folder() {
    code::a_project_is_chosen_for_one_conversation_and_worked_in(Platform::Telegram).await;
}

#[tokio::test]
pub async fn who_is_named_may_choose_it() {
    code::who_is_named_may_choose_it(Platform::Telegram).await;
}

#[tokio::test]
pub async fn nothing_is_changed_where_it_is_left_out() {
    code::a_read_only_project_is_never_changed(Platform::Telegram).await;
}

#[tokio::test]
pub async fn the_operator_says_how_it_is_checked() {
    crate::code::checks::the_operator_has_the_last_word(Platform::Telegram).await;
}
