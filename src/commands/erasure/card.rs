//! The card of an erasure: what it reads and what its buttons carry.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_store::erase::{self, ErasureRow, ErasureState};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx};

use super::messages;
use crate::commands::context::CommandContext;
use crate::delivery::Purpose;
use crate::prompts::{self, Prompt, PromptKind};

/// What a button of the card stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// Erase everything.
    Erase,
    /// Keep it.
    Keep,
    /// Say what exactly goes and what stays; the question stays open.
    Explain,
}

impl Answer {
    fn choice(self) -> &'static str {
        match self {
            Self::Erase => "yes",
            Self::Keep => "no",
            Self::Explain => "what",
        }
    }

    /// Returns the answer that a button gives; `None` when it was forged.
    pub(super) fn parse(choice: &str) -> Option<Self> {
        let mut all = [Self::Erase, Self::Keep, Self::Explain].into_iter();
        all.find(|answer| answer.choice() == choice)
    }
}

/// Renders the card that asks. It says how many accounts it is about, and nothing else of the
/// person.
pub(super) fn asking(prompt: &Prompt, accounts: usize, language: Language) -> Outbound {
    let mut buttons = yes_and_no(prompt, language);
    buttons.push(vec![Button {
        label: messages::explain(language).to_owned(),
        token: prompt.button(Answer::Explain.choice()),
        key: None,
        look: ButtonLook::Plain,
    }]);
    Outbound {
        buttons,
        ..Outbound::markdown(messages::asking(accounts, language))
    }
}

/// Renders the card that asks, with everything that goes and stays.
pub(super) fn explaining(prompt: &Prompt, accounts: usize, language: Language) -> Outbound {
    Outbound {
        buttons: yes_and_no(prompt, language),
        ..Outbound::markdown(messages::explaining(accounts, language))
    }
}

fn yes_and_no(prompt: &Prompt, language: Language) -> Vec<Vec<Button>> {
    let (yes, no) = messages::labels(language);
    vec![vec![
        Button::yes(yes, prompt.button(Answer::Erase.choice())),
        Button::no(no, prompt.button(Answer::Keep.choice())),
    ]]
}

/// Renders the card after it was answered or has expired.
pub(super) fn ended(state: ErasureState, language: Language) -> Outbound {
    Outbound::markdown(match state {
        ErasureState::Open | ErasureState::Wanted | ErasureState::Cleared => {
            messages::begun(language)
        }
        ErasureState::Done => messages::done(language),
        ErasureState::Refused => messages::refused(language),
        ErasureState::Expired => messages::expired(language),
    })
}

/// Closes an open erasure without a yes and rewrites its card.
pub(super) async fn close(
    tx: &mut Tx,
    ctx: &CommandContext,
    erasure: &ErasureRow,
    state: ErasureState,
) -> Result<Vec<OutboxRow>, StoreError> {
    erase::close(tx, erasure.id, state).await?;
    prompts::withdraw_about(tx, PromptKind::Erasure, erasure.id).await?;
    let language = ctx.language(&erasure.language);
    let outbound = ended(state, language);
    let outbox = &ctx.outbox;
    outbox
        .amend(tx, Purpose::Card, erasure.id, None, &outbound)
        .await
}
