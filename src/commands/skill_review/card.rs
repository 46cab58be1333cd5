//! The card about a skill of somebody else: what it reads and what its buttons carry.

use sayso_channel::{Button, FileSource, Language, OutFile, Outbound};
use sayso_store::outbox::OutboxRow;
use sayso_store::skill_reviews::{self, ReviewRow, ReviewState};
use sayso_store::{StoreError, Tx};

use super::messages::{self, Answer};
use crate::commands::context::CommandContext;
use crate::delivery::{MessageRef, Purpose};
use crate::prompts::{self, Prompt, PromptKind};
use crate::skills::Candidate;

/// Renders the card that asks.
pub fn asking(
    review: &ReviewRow,
    prompt: &Prompt,
    candidate: &Candidate,
    language: Language,
) -> Outbound {
    let (yes, no) = messages::labels(language);
    Outbound {
        buttons: vec![vec![
            Button::yes(yes, prompt.button(Answer::Approve.choice())),
            Button::no(no, prompt.button(Answer::Deny.choice())),
        ]],
        ..Outbound::markdown(messages::asking(
            review.wish,
            &review.source,
            candidate,
            language,
        ))
    }
}

/// Returns everything there is to read, as a file above the card.
pub fn to_read(candidate: &Candidate) -> Outbound {
    let review = &candidate.review;
    let changes = review.changes.as_deref().unwrap_or_default();
    let text = match changes {
        "" => review.text.clone(),
        changes => format!("===== changes\n{changes}\n{}", review.text),
    };
    Outbound {
        file: Some(OutFile {
            name: format!("{}.txt", review.name),
            source: FileSource::Text(text),
        }),
        ..Outbound::default()
    }
}

/// Closes an open card and rewrites it; of two calls the first does.
pub async fn close(
    tx: &mut Tx,
    ctx: &CommandContext,
    review: &ReviewRow,
    state: ReviewState,
    this: Option<MessageRef<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    if !skill_reviews::advance(tx, review.id, ReviewState::Open, state).await? {
        return Ok(Vec::new());
    }
    prompts::withdraw_about(tx, PromptKind::SkillReview, review.id).await?;
    let language = ctx.language(&review.language);
    let outbound = Outbound::markdown(messages::ended(review, state, language));
    let outbox = &ctx.outbox;
    outbox
        .amend(tx, Purpose::Card, review.id, this, &outbound)
        .await
}
