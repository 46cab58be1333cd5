//! The offer to run the request of a failed turn again: the button below its outcome, and its press.
//!
//! A press puts the messages of the turn back into the line: they become a new turn of their own.
//! The prompt is closed in the same transaction, so one press makes one turn.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{TurnId, UserId};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, inbox, turns};
use serde::{Deserialize, Serialize};

use super::messages;
use super::turn_ending::TurnEnding;
use crate::delivery::{MessageRef, OutboxWriter, Purpose};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};

/// The one choice of the button.
const CHOICE: &str = "again";

/// What the message says without its button.
#[derive(Serialize, Deserialize)]
struct Shown {
    text: String,
}

/// Keeps the offer; only the person of the turn and owners may take it.
pub async fn offer(tx: &mut Tx, ending: &TurnEnding, text: &str) -> Result<Prompt, StoreError> {
    let new = NewPrompt {
        kind: PromptKind::Retry,
        place: Place::Session(ending.session),
        asked: Asked::UserOrOwners(ending.user),
        subject: Some(ending.turn.0),
        payload: &Shown {
            text: text.to_owned(),
        },
        expires_ms: None,
    };
    prompts::open(tx, new).await
}

/// Returns the button of an offer.
pub fn buttons(prompt: &Prompt, language: Language) -> Vec<Vec<Button>> {
    vec![vec![Button {
        label: messages::try_again(language).to_owned(),
        token: prompt.button(CHOICE),
        key: None,
        look: ButtonLook::Plain,
    }]]
}

/// Puts the messages of the failed turn back into the line. Returns whose they are and the rows
/// that take the button away; `None` where the choice is forged or the messages are gone.
pub async fn run_again(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    prompt: &Prompt,
    choice: &str,
    this: Option<MessageRef<'_>>,
    language: Language,
) -> Result<Option<(UserId, Vec<OutboxRow>)>, StoreError> {
    let Some(turn) = prompt.subject().map(TurnId).filter(|_| choice == CHOICE) else {
        return Ok(None);
    };
    if inbox::put_back(tx, turn).await? == 0 {
        return Ok(None);
    }
    let user = turns::turn(tx, turn).await?.user_id;
    let shown: Shown = prompt.payload()?;
    let text = format!("{}\n\n{}", shown.text, messages::tried_again(language));
    let outbound = Outbound::markdown(text);
    let said = outbox
        .amend(tx, Purpose::Final, prompt.id(), this, &outbound)
        .await?;
    Ok(Some((user, said)))
}
