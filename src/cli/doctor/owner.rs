//! Who decides: the configured owners, or the pairing that will make the first one.

use sayso_channel::Language;

use super::{Finding, messages};
use crate::config::{AccessConfig, Config};

/// Says who the owners are, or how the first one comes to be.
pub(super) fn owner(config: &Config, language: Language) -> Finding {
    let AccessConfig {
        owners, pairing, ..
    } = &config.access;
    if let [first, ..] = owners.as_slice() {
        let more = owners.len() - 1;
        return Finding::Fine(messages::owners(language, first, &more));
    }
    if *pairing {
        return Finding::Fine(messages::first_pairing_makes_owner(language));
    }
    Finding::Problem {
        what: messages::nobody_can_be_owner(language),
        fix: messages::name_an_owner(language),
    }
}
