//! Letting people in: the first owner by a code, everybody else by an owner's answer.

use sayso_channel::{
    Address, Addressed, Button, ChatKind, Event, HeardMessage, Inbound, Language, Outbound,
};
use serde::{Deserialize, Serialize};

use super::audit_records::{self, Judged};
use super::codes::read_code;
use super::context::CommandContext;
use super::messages;
use super::owners::owner_addresses;
use crate::audit::By;
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, Pressed, is_awaited};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};
use crate::store::chats::{self, ChatRow};
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, languages, now_ms, pairing, people};
use crate::transcript::UserId;

/// How long a stranger's request holds, in milliseconds.
const HOLDS_MS: i64 = 60 * 60 * 1000;
/// How many strangers of one channel may wait at once.
const WAITING_PER_CHANNEL: usize = 3;

/// A stranger who asks to be let in: the payload of the prompt.
#[derive(Debug, Serialize, Deserialize)]
struct Admission {
    /// Where the account is.
    channel: String,
    /// The account.
    sender: String,
    /// The name that people see.
    name: String,
    /// Where the stranger wrote.
    address: Address,
}

/// What a button of the prompt stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Allow,
    Block,
}

impl Answer {
    fn choice(self) -> &'static str {
        match self {
            Self::Allow => "in",
            Self::Block => "out",
        }
    }

    fn parse(choice: &str) -> Option<Self> {
        let mut all = [Self::Allow, Self::Block].into_iter();
        all.find(|answer| answer.choice() == choice)
    }
}

/// Meets a stranger who addressed us. No model is called.
pub async fn meet(
    tx: &mut Tx,
    ctx: &CommandContext,
    inbound: &Inbound,
    message: &HeardMessage,
    chat: &ChatRow,
) -> Result<Effects, StoreError> {
    if let Some(effects) = redeem(tx, ctx, inbound, message, chat).await? {
        return Ok(effects);
    }
    let language = ctx.language(&chat.language);
    if !ctx.access.pairing {
        let said = reply(tx, ctx, inbound, messages::closed(language)).await?;
        return Ok(Effects::said(said));
    }
    request(tx, ctx, inbound, language).await
}

/// Uses up a code that somebody sent; `None` when the message is none that holds.
pub async fn redeem(
    tx: &mut Tx,
    ctx: &CommandContext,
    inbound: &Inbound,
    message: &HeardMessage,
    chat: &ChatRow,
) -> Result<Option<Effects>, StoreError> {
    let Some(code) = code_in(message).filter(|_| ctx.access.pairing) else {
        return Ok(None);
    };
    let Some(purpose) = pairing::take_code(tx, &code, now_ms()).await? else {
        return Ok(None);
    };
    let language = ctx.language(&chat.language);
    let_in(tx, ctx, inbound, &purpose, language).await.map(Some)
}

/// A code may be sent as `/start CODE`, as a deep link does, or alone.
fn code_in(message: &HeardMessage) -> Option<String> {
    let written = match &message.command {
        Some(command) if command.name == "start" => &command.arguments,
        Some(_) => return None,
        None => &message.text,
    };
    read_code(written)
}

async fn let_in(
    tx: &mut Tx,
    ctx: &CommandContext,
    inbound: &Inbound,
    standing: &str,
    language: Language,
) -> Result<Effects, StoreError> {
    let channel = inbound.address.channel.as_str();
    let sender = inbound.sender.key.as_str();
    remember_sender(tx, inbound, standing).await?;
    people::set_standing(tx, channel, sender, standing).await?;
    tracing::info!(channel, standing, "account paired");
    judged(tx, ctx, (channel, sender), standing, None).await?;
    let said = reply(tx, ctx, inbound, messages::welcome_owner(language)).await?;
    Ok(Effects::said(said))
}

/// Asks the owners about a stranger, once.
async fn request(
    tx: &mut Tx,
    ctx: &CommandContext,
    inbound: &Inbound,
    language: Language,
) -> Result<Effects, StoreError> {
    let channel = inbound.address.channel.as_str();
    let sender = inbound.sender.key.as_str();
    let (waiting, is_waiting) = waiting(tx, (channel, sender)).await?;
    if is_waiting {
        let said = reply(tx, ctx, inbound, messages::still_asking(language)).await?;
        return Ok(Effects::said(said));
    }
    let owners = owner_addresses(tx, &ctx.access, &ctx.outbox).await?;
    if waiting >= WAITING_PER_CHANNEL || owners.is_empty() {
        let said = reply(tx, ctx, inbound, messages::closed(language)).await?;
        return Ok(Effects::said(said));
    }
    remember_sender(tx, inbound, "pending").await?;
    let stranger = Admission {
        channel: channel.to_owned(),
        sender: sender.to_owned(),
        name: inbound.sender.name.clone(),
        address: inbound.address.clone(),
    };
    let new = NewPrompt {
        kind: PromptKind::Admission,
        place: Place::Anywhere,
        asked: Asked::Owners,
        subject: None,
        payload: &stranger,
        expires_ms: Some(now_ms() + HOLDS_MS),
    };
    let prompt = prompts::open(tx, new).await?;
    let mut said = reply(tx, ctx, inbound, messages::asking(language)).await?;
    for owner in owners {
        said.extend(ask_owner(tx, ctx, &owner, (&prompt, inbound)).await?);
    }
    Ok(Effects::said(said))
}

/// Returns how many strangers of a channel wait for an answer, and whether one of them is this
/// sender.
async fn waiting(
    tx: &mut Tx,
    (channel, sender): (&str, &str),
) -> Result<(usize, bool), StoreError> {
    let now = now_ms();
    let (mut count, mut is_waiting) = (0, false);
    for prompt in prompts::open_of(tx, PromptKind::Admission).await? {
        let waits: Admission = prompt.payload()?;
        let is_over = prompt.expires_ms().is_some_and(|until| until <= now);
        if waits.channel == channel && !is_over {
            count += 1;
            is_waiting |= waits.sender == sender;
        }
    }
    Ok((count, is_waiting))
}

async fn ask_owner(
    tx: &mut Tx,
    ctx: &CommandContext,
    owner: &Address,
    (prompt, inbound): (&Prompt, &Inbound),
) -> Result<Vec<OutboxRow>, StoreError> {
    let (channel, chat) = (owner.channel.as_str(), owner.chat.as_str());
    let chat = chats::chat_at(tx, channel, chat, ChatKind::Direct, "").await?;
    let language = ctx.language(&chat.language);
    let outbound = Outbound {
        buttons: vec![vec![
            Button::yes(
                messages::allow(language),
                prompt.button(Answer::Allow.choice()),
            ),
            Button::no(
                messages::block(language),
                prompt.button(Answer::Block.choice()),
            ),
        ]],
        ..Outbound::markdown(messages::stranger(&stranger_of(inbound), language))
    };
    let saying = Saying {
        to: owner,
        purpose: Purpose::Card,
        turn: None,
        subject: Some(prompt.id()),
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}

/// Returns what owners are shown of a stranger.
fn stranger_of(inbound: &Inbound) -> messages::Stranger<'_> {
    // What a command says may be a code.
    let words = if let Event::Message(message) = &inbound.event
        && message.command.is_none()
    {
        message.text.as_str()
    } else {
        ""
    };
    messages::Stranger {
        name: &inbound.sender.name,
        handle: inbound.sender.handle.as_deref(),
        channel: inbound.address.channel.as_str(),
        sender: inbound.sender.key.as_str(),
        words,
    }
}

/// Lets a stranger in or blocks them, as an owner answered.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some(answer) = Answer::parse(choice) else {
        return Ok(None);
    };
    let stranger: Admission = prompt.payload()?;
    let language = pressed.language;
    let standing = match answer {
        Answer::Allow => "member",
        Answer::Block => "blocked",
    };
    let account = (stranger.channel.as_str(), stranger.sender.as_str());
    people::set_standing(tx, account.0, account.1, standing).await?;
    judged(tx, ctx, account, standing, Some(pressed.user)).await?;
    let is_allowed = answer == Answer::Allow;
    let words = |language| messages::stranger_answered(&stranger.name, is_allowed, language);
    let text = words(language);
    let mut said = rewrite(tx, ctx, prompt, &words).await?;
    if is_allowed {
        let at = (&stranger.address.channel, &stranger.address.chat);
        let reads = languages::of_chat(tx, at.0.as_str(), at.1.as_str()).await?;
        let welcome = Outbound::markdown(messages::welcome(ctx.language(&reads)));
        let saying = Saying {
            to: &stranger.address,
            purpose: Purpose::Notice,
            turn: None,
            subject: None,
            outbound: &welcome,
        };
        said.extend(ctx.outbox.say(tx, saying).await?);
    }
    Ok(Some(Effects {
        said,
        ..Effects::told(text, false)
    }))
}

/// Says that no owner answered in time.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
) -> Result<Vec<OutboxRow>, StoreError> {
    let stranger: Admission = prompt.payload()?;
    let words = |language| messages::stranger_expired(&stranger.name, language);
    rewrite(tx, ctx, prompt, &words).await
}

async fn rewrite(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    words: &(dyn Fn(Language) -> String + Sync),
) -> Result<Vec<OutboxRow>, StoreError> {
    let words = |reads: &str| Outbound::markdown(words(ctx.language(reads)));
    let outbox = &ctx.outbox;
    outbox
        .amend_each(tx, (Purpose::Card, prompt.id()), &words)
        .await
}

/// Writes down what became of an account; without a user it was a code that the operator gave out.
async fn judged(
    tx: &mut Tx,
    ctx: &CommandContext,
    (channel, sender): (&str, &str),
    standing: &str,
    by: Option<UserId>,
) -> Result<(), StoreError> {
    let Some(known) = people::find_sender(tx, channel, sender).await? else {
        return Ok(());
    };
    let judged = Judged {
        user: known.user_id,
        channel,
        sender,
        standing,
    };
    audit_records::standing(tx, ctx, judged, by.map_or(By::Operator, By::User)).await
}

async fn remember_sender(tx: &mut Tx, inbound: &Inbound, standing: &str) -> Result<(), StoreError> {
    let channel = inbound.address.channel.as_str();
    let sender = inbound.sender.key.as_str();
    if people::find_sender(tx, channel, sender).await?.is_none() {
        people::add_sender(tx, channel, sender, &inbound.sender.name, standing).await?;
    }
    if inbound.chat_kind == ChatKind::Direct {
        let address = serde_json::to_string(&inbound.address)?;
        people::set_direct(tx, channel, sender, &address).await?;
    }
    Ok(())
}

async fn reply(
    tx: &mut Tx,
    ctx: &CommandContext,
    inbound: &Inbound,
    text: String,
) -> Result<Vec<OutboxRow>, StoreError> {
    let Event::Message(message) = &inbound.event else {
        return Ok(Vec::new());
    };
    if message.addressed == Addressed::No {
        return Ok(Vec::new());
    }
    let outbound = Outbound {
        reply_to: is_awaited(inbound).then(|| message.message.clone()),
        aside: is_awaited(inbound) && inbound.chat_kind == ChatKind::Group,
        ..Outbound::markdown(text)
    };
    let saying = Saying {
        to: &inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}
