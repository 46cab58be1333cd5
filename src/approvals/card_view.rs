//! What a card shows, and to whom.

use sayso_store::cards::{CardRow, HeldRow};
use serde::{Deserialize, Serialize};

/// A card with its calls, as it reads now.
#[derive(Debug, Clone, PartialEq)]
pub struct CardView {
    /// The card.
    pub card: CardRow,
    /// Its calls, in the model's order.
    pub calls: Vec<HeldRow>,
    /// Who answered last, as people see the name.
    pub decided_by: Option<String>,
}

/// Whom a card is written for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader<'a> {
    /// The readers of the chat in which the call was asked for.
    Asker,
    /// An owner in their direct chat, who is informed who asked.
    Owner(&'a AskedBy),
}

/// Who asked for a call, as shown to owners in other chats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskedBy {
    /// The name that people see.
    pub name: String,
    /// The account: `telegram:12345`.
    pub account: String,
    /// Whether it was asked in a group.
    pub in_group: bool,
}

/// Why a call is asked about, in every language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnersWhy {
    /// In English.
    pub en: String,
    /// In 简体中文.
    pub zh: String,
    /// What confines it, in English.
    #[serde(default)]
    pub footer_en: Option<String>,
    /// The same in 简体中文.
    #[serde(default)]
    pub footer_zh: Option<String>,
}
