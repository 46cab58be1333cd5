//! What can be wrong with the machine: clock, data directory, disk, database, sandbox.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use nix::sys::statvfs::statvfs;
use sayso_channel::Language;
use sayso_policy::{Enforced, SandboxMode};
use sayso_store::{FileCheck, StoreError};

use super::{Finding, causes, messages};
use crate::app;
use crate::cli::config_check;
use crate::config::Config;

/// 2026-01-01 in milliseconds since 1970; no machine that runs this is older.
const EARLIEST_MS: i64 = 1_767_225_600_000;
/// Below this a busy day may fill the disk.
const LOW_SPACE_MIB: u64 = 256;

/// Looks whether the clock can be right. TLS, codes and expiries need it.
pub(super) fn clock(now_ms: i64, language: Language) -> Finding {
    if now_ms >= EARLIEST_MS {
        return Finding::Fine(messages::clock(language));
    }
    Finding::Problem {
        what: messages::clock_is_wrong(language),
        fix: messages::set_clock(language),
    }
}

/// Whether the data directory can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DirectoryState {
    Usable,
    /// What is in it cannot be judged.
    Unusable,
}

/// Looks whether the data directory can be written, or a running Sayso has it. Creates it when
/// missing.
pub(super) fn data_directory(directory: &Path, language: Language) -> (DirectoryState, Finding) {
    let shown = directory.display();
    // Held until the end of this function: a Sayso that runs keeps it.
    let lock = sayso_store::lock_directory(directory);
    let unwritable = |why: &dyn Display| Finding::Problem {
        what: messages::cannot_write(language, &shown, why),
        fix: messages::make_writable(language),
    };
    match &lock {
        Ok(_) => match probe(directory) {
            Ok(()) => {
                let writable = Finding::Fine(messages::data_directory(language, &shown));
                (DirectoryState::Usable, writable)
            }
            Err(error) => {
                let why = causes::cause(&error, language);
                (DirectoryState::Unusable, unwritable(&why))
            }
        },
        Err(StoreError::InUse { holder, .. }) => {
            let running = match holder {
                Some(process) => messages::running(language, process, &shown),
                None => messages::running_somewhere(language, &shown),
            };
            (DirectoryState::Usable, Finding::Fine(running))
        }
        Err(StoreError::HalfRestored(_)) => {
            let halved = Finding::Problem {
                what: messages::half_restored(language, &shown),
                fix: messages::restore_again(language),
            };
            (DirectoryState::Usable, halved)
        }
        Err(error) => {
            let why = causes::store(error, language);
            (DirectoryState::Unusable, unwritable(&why))
        }
    }
}

fn probe(directory: &Path) -> std::io::Result<()> {
    let path = directory.join(format!("doctor-{}.tmp", std::process::id()));
    fs::write(&path, "probe")?;
    fs::remove_file(&path)
}

/// Returns how much room there is; nothing where the system does not say.
pub(super) fn space(directory: &Path, language: Language) -> Option<Finding> {
    let room = statvfs(directory).ok()?;
    let bytes = room.blocks_available() * room.fragment_size();
    let mib = bytes / (1024 * 1024);
    if mib >= LOW_SPACE_MIB {
        return Some(Finding::Fine(messages::space(language, &mib)));
    }
    Some(Finding::Problem {
        what: messages::space_is_low(language, &mib),
        fix: messages::free_space(language, &LOW_SPACE_MIB),
    })
}

/// Says what owners changed of the configuration in chat.
pub(super) async fn changed_in_chat(config: &Config, language: Language) -> Vec<Finding> {
    let overlay = config_check::overlay(config.clone()).await;
    let in_force = overlay.in_force.iter().map(|(key, value)| {
        Finding::Fine(crate::cli::messages::changed_in_chat(language, key, value))
    });
    let dropped = overlay
        .dropped
        .iter()
        .map(|((key, value), why)| Finding::Problem {
            what: crate::cli::messages::dropped_from_chat(
                language,
                key,
                value,
                &why.in_words(language),
            ),
            fix: messages::undo_in_chat(language),
        });
    in_force.chain(dropped).collect()
}

/// Looks at the database without changing it.
pub(super) async fn database(path: &Path, language: Language) -> Finding {
    let shown = path.display();
    if !path.exists() {
        return Finding::Fine(messages::new_database(language, &shown));
    }
    match sayso_store::check_file(path).await {
        Ok(FileCheck {
            damage: Some(damage),
            ..
        }) => Finding::Problem {
            what: messages::database_is_damaged(language, &shown, &causes::text(&damage, language)),
            fix: messages::restore_backup(language),
        },
        Ok(check) if check.schema < check.known => Finding::Fine(messages::old_database(
            language,
            &shown,
            &check.schema,
            &check.known,
        )),
        Ok(check) => Finding::Fine(messages::database(language, &shown, &check.schema)),
        Err(error) => Finding::Problem {
            fix: database_fix(&error, language),
            what: messages::database_fails(language, &shown, &causes::store(&error, language)),
        },
    }
}

fn database_fix(error: &StoreError, language: Language) -> String {
    match error {
        StoreError::Corrupt(_) => messages::restore_backup(language),
        StoreError::Unreleased { .. } => messages::move_database_away(language),
        StoreError::FromTheFuture { .. } => messages::update_sayso(language),
        StoreError::Full(_) => messages::free_space(language, &LOW_SPACE_MIB),
        StoreError::ReadOnly(_) => messages::make_writable(language),
        StoreError::InUse { .. } | StoreError::Locked(_) => messages::stop_the_other(language),
        StoreError::HalfRestored(_) => messages::restore_again(language),
        StoreError::FromThePast { .. }
        | StoreError::Unaudited(_)
        | StoreError::Fenced
        | StoreError::Closed
        | StoreError::Broken(_) => messages::look_at_the_log(language),
    }
}

/// Tries what the sandbox is worth on this machine, as the start does.
pub(super) async fn sandbox(config: &Config, language: Language) -> Finding {
    let mode = config.policy.confinement.mode;
    if mode == SandboxMode::Off {
        return Finding::Fine(messages::sandbox_is_off(language));
    }
    let state = app::sandbox_state(config).await;
    let words = state.in_words(language);
    match (state.enforced, mode) {
        (Enforced::Wholly, _) => Finding::Fine(messages::sandbox(language, &words)),
        (Enforced::Partly | Enforced::Nothing, SandboxMode::Require) => Finding::Problem {
            what: messages::sandbox(language, &words),
            fix: messages::commands_are_refused(language),
        },
        (Enforced::Partly | Enforced::Nothing, SandboxMode::Prefer | SandboxMode::Off) => {
            Finding::Problem {
                what: messages::sandbox(language, &words),
                fix: messages::commands_all_ask(language),
            }
        }
    }
}
