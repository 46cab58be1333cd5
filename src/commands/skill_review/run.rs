//! File operations: inspecting the skill that an owner requested, and installing the approved one.
//! Each step is repeatable, and a kill between two of them only delays the next.

use std::sync::Arc;
use std::time::Duration;

use sayso_channel::{Address, Outbound};
use sayso_store::outbox::OutboxRow;
use sayso_store::skill_reviews::{self, Found, ReviewRow, ReviewState, ReviewWish};
use sayso_store::{Store, StoreError, Tx, now_ms, skill_pins};
use tokio_util::sync::CancellationToken;

use super::card::{self, close};
use super::messages;
use crate::commands::context::CommandContext;
use crate::delivery::{Purpose, Saying};
use crate::prompts::{self, Asked, NewPrompt, Place, PromptKind};
use crate::skills::{Candidate, NamedIn, Refusal};

/// How long a card may be answered, in milliseconds.
const HOLDS_MS: i64 = 30 * 60 * 1000;
/// How long after an error the next try is.
const PAUSE: Duration = Duration::from_secs(5);

/// Does what is to be done until `shutdown`. What is left
/// in the middle is done again at the next start: a repository may take a minute to come.
pub async fn run(store: &Store, ctx: &Arc<CommandContext>, shutdown: &CancellationToken) {
    loop {
        let stepped = tokio::select! {
            () = shutdown.cancelled() => return,
            stepped = step(store, ctx) => stepped,
        };
        let wait = async {
            if let Err(error) = stepped {
                tracing::error!(error = %format!("{error:#}"), "cannot install a skill; retrying");
                tokio::time::sleep(PAUSE).await;
            } else {
                ctx.background.reviewing.notified().await;
            }
        };
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = wait => {}
        }
    }
}

/// Takes every wish as far as it goes without an owner. One that fails keeps no other waiting: the
/// first error comes back at the end.
async fn step(store: &Store, ctx: &Arc<CommandContext>) -> anyhow::Result<()> {
    let mut stepped = Ok(());
    for review in skill_reviews::unfinished(store.reader()).await? {
        let one = match review.state {
            ReviewState::Wanted => look(store, ctx, review).await,
            ReviewState::Approved => place(store, ctx, review).await,
            ReviewState::Placed => load(store, ctx, review).await,
            ReviewState::Open
            | ReviewState::Denied
            | ReviewState::Expired
            | ReviewState::Done
            | ReviewState::Failed => Ok(()),
        };
        stepped = stepped.and(one);
    }
    let living = skill_reviews::living(store.reader()).await?;
    let places = ctx.library.places().clone();
    tokio::task::spawn_blocking(move || places.tidy(&living)).await??;
    stepped
}

/// Looks at what is wanted, and asks about it.
async fn look(store: &Store, ctx: &Arc<CommandContext>, review: ReviewRow) -> anyhow::Result<()> {
    let owner = review.asked_in();
    let workspace = ctx.limits.workspace(owner);
    let library = &ctx.library;
    let found = match review.wish {
        ReviewWish::Install => {
            library
                .at_source(&review.source, NamedIn::Chat, &workspace)
                .await?
        }
        ReviewWish::Pin | ReviewWish::Remove => {
            library
                .as_it_lies(&review.source, owner, &workspace)
                .await?
        }
    };
    let candidate = match found {
        Ok(candidate) => candidate,
        Err(refusal) => {
            return fail(store, ctx, review, messages::not_taken(refusal)).await;
        }
    };
    if candidate.is_approved && review.wish == ReviewWish::Pin {
        return fail(store, ctx, review, messages::is_approved()).await;
    }
    if review.wish == ReviewWish::Install {
        let (places, content) = (library.places().clone(), candidate.taken.content.clone());
        let id = review.id;
        let staged = tokio::task::spawn_blocking(move || places.stage(id, &content)).await?;
        if let Err(error) = staged {
            let why = messages::not_taken(Refusal::NotKept(error.to_string()));
            return fail(store, ctx, review, why).await;
        }
    }
    let here = Arc::clone(ctx);
    let said =
        store.write(move |tx| Box::pin(async move { ask(tx, &here, &review, &candidate).await }));
    ctx.outbox.offer(said.await?);
    Ok(())
}

/// Says the card, in place of earlier ones about the same skill; not where the wish is no more.
async fn ask(
    tx: &mut Tx,
    ctx: &CommandContext,
    review: &ReviewRow,
    candidate: &Candidate,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    let earlier = skill_reviews::open_about(tx, candidate.place, &candidate.pin.name).await?;
    let source = match &candidate.taken.commit {
        Some(commit) => format!("{} @ {commit}", review.source),
        None => review.source.clone(),
    };
    let found = Found {
        place: candidate.place,
        pin: &candidate.pin,
        source: &source,
    };
    if !skill_reviews::open(tx, review.id, &found).await? {
        return Ok(said);
    }
    for earlier in earlier {
        said.extend(close(tx, ctx, &earlier, ReviewState::Expired, None).await?);
    }
    let new = NewPrompt {
        kind: PromptKind::SkillReview,
        place: Place::Chat(review.chat_id),
        asked: Asked::Owners,
        subject: Some(review.id),
        payload: &(),
        expires_ms: Some(now_ms() + HOLDS_MS),
    };
    let prompt = prompts::open(tx, new).await?;
    let language = ctx.language(&review.language);
    let address: Address = serde_json::from_str(&review.address)?;
    let documents = [
        (card::to_read(candidate), Purpose::Notice, None),
        (
            card::asking(review, &prompt, candidate, language),
            Purpose::Card,
            Some(review.id),
        ),
    ];
    for (outbound, purpose, subject) in documents {
        let saying = Saying {
            to: &address,
            purpose,
            turn: None,
            subject,
            outbound: &outbound,
        };
        said.extend(ctx.outbox.say(tx, saying).await?);
    }
    Ok(said)
}

/// Puts in place what was approved, or takes away what is to go.
async fn place(store: &Store, ctx: &Arc<CommandContext>, review: ReviewRow) -> anyhow::Result<()> {
    let places = ctx.library.places().clone();
    let (id, name, hash) = (review.id, review.pin().name, review.hash.clone());
    let source = review.source.clone();
    let placed = match review.wish {
        ReviewWish::Install => {
            tokio::task::spawn_blocking(move || places.put(id, &name, &hash)).await?
        }
        // What is loaded is compared with what was shown whenever it is loaded.
        ReviewWish::Pin => Ok(()),
        ReviewWish::Remove => {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
            if !source.is_empty() && source.chars().all(is_name) {
                tokio::task::spawn_blocking(move || places.take_away(id, &source)).await??;
            }
            Ok(())
        }
    };
    if let Err(refusal) = placed {
        return fail(store, ctx, review, messages::not_taken(refusal)).await;
    }
    let next = review.clone();
    let pinned = store.write(move |tx| {
        Box::pin(async move {
            let (approved, placed) = (ReviewState::Approved, ReviewState::Placed);
            if !skill_reviews::advance(tx, review.id, approved, placed).await? {
                return Ok(());
            }
            match review.wish {
                ReviewWish::Install | ReviewWish::Pin => {
                    skill_pins::put(tx, review.place(), &review.pin()).await?;
                }
                ReviewWish::Remove => {
                    let here = skill_pins::SkillPlace::Workspace(review.asked_in());
                    for place in [skill_pins::SkillPlace::Installed, here] {
                        skill_pins::delete(tx, place, &review.source).await?;
                    }
                }
            }
            Ok(())
        })
    });
    pinned.await?;
    load(store, ctx, next).await
}

/// Has the library read it, and says that it is done.
async fn load(store: &Store, ctx: &Arc<CommandContext>, review: ReviewRow) -> anyhow::Result<()> {
    let is_changed = review.wish == ReviewWish::Pin && !is_as_shown(ctx, &review).await?;
    ctx.library.rebuild().await?;
    let here = Arc::clone(ctx);
    let said = store.write(move |tx| {
        Box::pin(async move {
            let (placed, done) = (ReviewState::Placed, ReviewState::Done);
            if !skill_reviews::advance(tx, review.id, placed, done).await? {
                return Ok(Vec::new());
            }
            let language = here.language(&review.language);
            let text = if is_changed {
                messages::changed_since(&review.name, language)
            } else {
                messages::ended(&review, done, language)
            };
            say(tx, &here, &review, text).await
        })
    });
    ctx.outbox.offer(said.await?);
    Ok(())
}

/// Returns whether a skill that was approved is still what was shown. One of the same name that
/// lies elsewhere is another one.
async fn is_as_shown(ctx: &CommandContext, review: &ReviewRow) -> anyhow::Result<bool> {
    let owner = review.asked_in();
    let workspace = ctx.limits.workspace(owner);
    let library = &ctx.library;
    let found = library.as_it_lies(&review.name, owner, &workspace).await?;
    Ok(found.is_ok_and(|candidate| {
        candidate.place != review.place() || candidate.pin.hash == review.hash
    }))
}

/// Ends a wish that cannot be done from the state in which it was read, and says why.
async fn fail(
    store: &Store,
    ctx: &Arc<CommandContext>,
    review: ReviewRow,
    why: messages::NotDone,
) -> anyhow::Result<()> {
    let here = Arc::clone(ctx);
    let said = store.write(move |tx| {
        Box::pin(async move {
            if !skill_reviews::advance(tx, review.id, review.state, ReviewState::Failed).await? {
                return Ok(Vec::new());
            }
            let text = why.text(&review, here.language(&review.language));
            say(tx, &here, &review, text).await
        })
    });
    ctx.outbox.offer(said.await?);
    Ok(())
}

/// Reports the result of a request: on its card if there is one, otherwise in a new message.
async fn say(
    tx: &mut Tx,
    ctx: &CommandContext,
    review: &ReviewRow,
    text: String,
) -> Result<Vec<OutboxRow>, StoreError> {
    let outbound = Outbound::markdown(text);
    let has_card = !review.hash.is_empty();
    if has_card {
        let outbox = &ctx.outbox;
        return outbox
            .amend(tx, Purpose::Card, review.id, None, &outbound)
            .await;
    }
    let address: Address = serde_json::from_str(&review.address)?;
    let saying = Saying {
        to: &address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}
