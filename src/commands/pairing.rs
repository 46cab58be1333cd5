//! Letting people in: the first owner by a code, everybody else by an owner's answer.

use sayso_channel::{
    Address, Addressed, Button, ButtonLook, ChatKind, Event, HeardMessage, Inbound, Language,
    Outbound,
};
use sayso_core::transcript::UserId;
use sayso_store::chats::{self, ChatRow};
use sayso_store::outbox::OutboxRow;
use sayso_store::people::AccountStanding;
use sayso_store::{StoreError, Tx, languages, now_ms, pairing, people};
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

/// How long a stranger's request holds, in milliseconds.
const HOLDS_MS: i64 = 60 * 60 * 1000;
/// How many strangers of one channel may wait at once.
const WAITING_PER_CHANNEL: usize = 3;

/// A stranger who asks to be let in: the payload of the prompt.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Admission {
    /// Where the account is.
    channel: String,
    /// The account.
    sender: String,
    /// The name that people see.
    name: String,
    /// Where the stranger wrote.
    address: Address,
    /// The prompt whose messages show this one, where somebody who may only chat is to be let in
    /// fully.
    #[serde(default)]
    shown_by: Option<i64>,
}

/// What a button of the prompt stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Allow,
    ChatOnly,
    Block,
}

impl Answer {
    /// Returns what it makes of the account.
    fn standing(self) -> AccountStanding {
        match self {
            Self::Allow => AccountStanding::Member,
            Self::ChatOnly => AccountStanding::Guest,
            Self::Block => AccountStanding::Blocked,
        }
    }

    fn choice(self) -> &'static str {
        match self {
            Self::Allow => "in",
            Self::ChatOnly => "chat",
            Self::Block => "out",
        }
    }

    fn parse(choice: &str) -> Option<Self> {
        let mut all = [Self::Allow, Self::ChatOnly, Self::Block].into_iter();
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
    let code = CodeSent::in_message(message);
    if has_no_owner(tx, ctx).await? {
        let text = match code {
            CodeSent::Wrong => messages::wrong_code(language),
            CodeSent::None => messages::unowned(language),
        };
        return Ok(Effects::said(reply(tx, ctx, inbound, text).await?));
    }
    request(tx, ctx, inbound, code, language).await
}

/// Whether a stranger sent a code that does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeSent {
    Wrong,
    None,
}

impl CodeSent {
    /// Judges a message whose code, if it has one, was not redeemed.
    fn in_message(message: &HeardMessage) -> Self {
        let meant = match &message.command {
            Some(command) => command.name == "start" && !command.arguments.trim().is_empty(),
            // Words of eight letters have the form of a code, too.
            None => {
                message.text.bytes().any(|byte| byte.is_ascii_digit()) && code_in(message).is_some()
            }
        };
        if meant { Self::Wrong } else { Self::None }
    }
}

/// Returns whether neither the configuration nor a code has made an owner.
async fn has_no_owner(tx: &mut Tx, ctx: &CommandContext) -> Result<bool, StoreError> {
    let named = !ctx.access.owners.is_empty();
    Ok(!named
        && people::senders_with_standing(tx, AccountStanding::Owner)
            .await?
            .is_empty())
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
    let_in(tx, ctx, inbound, purpose, language).await.map(Some)
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
    standing: AccountStanding,
    language: Language,
) -> Result<Effects, StoreError> {
    let channel = inbound.address.channel.as_str();
    let sender = inbound.sender.key.as_str();
    remember_sender(tx, inbound, standing).await?;
    people::set_standing(tx, channel, sender, standing).await?;
    tracing::info!(channel, standing = standing.as_str(), "account paired");
    judged(tx, ctx, channel, sender, standing, None).await?;
    let said = reply(tx, ctx, inbound, messages::welcome_owner(language)).await?;
    Ok(Effects::said(said))
}

/// Asks the owners about a stranger, once.
async fn request(
    tx: &mut Tx,
    ctx: &CommandContext,
    inbound: &Inbound,
    code: CodeSent,
    language: Language,
) -> Result<Effects, StoreError> {
    let channel = inbound.address.channel.as_str();
    let sender = inbound.sender.key.as_str();
    let (waiting, is_waiting) = waiting(tx, channel, sender).await?;
    if is_waiting {
        let said = reply(tx, ctx, inbound, messages::still_asking(language)).await?;
        return Ok(Effects::said(said));
    }
    let owners = owner_addresses(tx, &ctx.access, &ctx.outbox).await?;
    if owners.is_empty() {
        tracing::warn!(
            channel,
            "a stranger asks to be let in, but no owner has written to me in a direct chat yet"
        );
        let said = reply(tx, ctx, inbound, messages::owner_is_unheard(language)).await?;
        return Ok(Effects::said(said));
    }
    if waiting >= WAITING_PER_CHANNEL {
        let said = reply(tx, ctx, inbound, messages::closed(language)).await?;
        return Ok(Effects::said(said));
    }
    remember_sender(tx, inbound, AccountStanding::Pending).await?;
    let stranger = Admission {
        channel: channel.to_owned(),
        sender: sender.to_owned(),
        name: inbound.sender.name.clone(),
        address: inbound.address.clone(),
        shown_by: None,
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
    let text = match code {
        CodeSent::Wrong => messages::asking_after_wrong_code(language),
        CodeSent::None => messages::asking(language),
    };
    let mut said = reply(tx, ctx, inbound, text).await?;
    for owner in owners {
        said.extend(ask_owner(tx, ctx, &owner, &prompt, inbound).await?);
    }
    Ok(Effects::said(said))
}

/// Returns how many strangers of a channel wait for an answer, and whether one of them is this
/// sender.
async fn waiting(tx: &mut Tx, channel: &str, sender: &str) -> Result<(usize, bool), StoreError> {
    let now = now_ms();
    let (mut count, mut is_waiting) = (0, false);
    for prompt in prompts::open_of(tx, PromptKind::Admission).await? {
        let waits: Admission = prompt.payload()?;
        let is_over = prompt.expires_ms().is_some_and(|until| until <= now);
        // Who may chat already waits for nothing.
        if waits.channel == channel && !is_over && waits.shown_by.is_none() {
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
    prompt: &Prompt,
    inbound: &Inbound,
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
            Button {
                look: ButtonLook::Plain,
                key: Some('c'),
                ..Button::yes(
                    messages::chat_only(language),
                    prompt.button(Answer::ChatOnly.choice()),
                )
            },
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
    let standing = answer.standing();
    let (channel, sender) = (stranger.channel.as_str(), stranger.sender.as_str());
    people::set_standing(tx, channel, sender, standing).await?;
    judged(tx, ctx, channel, sender, standing, Some(pressed.user)).await?;
    let words = |language| match answer {
        Answer::Allow => messages::stranger_let_in(&stranger.name, language),
        Answer::ChatOnly => messages::stranger_chats(&stranger.name, language),
        Answer::Block => messages::stranger_blocked(&stranger.name, language),
    };
    let shown_by = stranger.shown_by.unwrap_or(prompt.id());
    let buttons = match answer {
        Answer::ChatOnly => later_answers(tx, &stranger, shown_by, language).await?,
        Answer::Allow | Answer::Block => Vec::new(),
    };
    let card = |language| Outbound {
        buttons: buttons.clone(),
        ..Outbound::markdown(words(language))
    };
    let mut said = rewrite(tx, ctx, shown_by, &card).await?;
    said.extend(welcome(tx, ctx, &stranger, answer).await?);
    Ok(Some(Effects::shown(words(language), said)))
}

/// Tells an account that it may come in; one that may not gets no message.
async fn welcome(
    tx: &mut Tx,
    ctx: &CommandContext,
    stranger: &Admission,
    answer: Answer,
) -> Result<Vec<OutboxRow>, StoreError> {
    let to = &stranger.address;
    let stored = languages::of_chat(tx, to.channel.as_str(), to.chat.as_str()).await?;
    let language = ctx.language(&stored);
    let text = match answer {
        Answer::Allow => messages::welcome(language),
        Answer::ChatOnly => messages::welcome_guest(language),
        Answer::Block => return Ok(Vec::new()),
    };
    let saying = Saying {
        to,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &Outbound::markdown(text),
    };
    ctx.outbox.say(tx, saying).await
}

/// Returns the buttons by which an owner may later let somebody in fully who may only chat, or block
/// them.
async fn later_answers(
    tx: &mut Tx,
    stranger: &Admission,
    shown_by: i64,
    language: Language,
) -> Result<Vec<Vec<Button>>, StoreError> {
    let later = Admission {
        shown_by: Some(shown_by),
        ..stranger.clone()
    };
    let new = NewPrompt {
        kind: PromptKind::Admission,
        place: Place::Anywhere,
        asked: Asked::Owners,
        subject: None,
        payload: &later,
        expires_ms: None,
    };
    let prompt = prompts::open(tx, new).await?;
    Ok(vec![vec![
        Button::yes(
            messages::allow_fully(language),
            prompt.button(Answer::Allow.choice()),
        ),
        Button::no(
            messages::block(language),
            prompt.button(Answer::Block.choice()),
        ),
    ]])
}

/// Says that no owner answered in time.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
) -> Result<Vec<OutboxRow>, StoreError> {
    let stranger: Admission = prompt.payload()?;
    let words = |language| Outbound::markdown(messages::stranger_expired(&stranger.name, language));
    rewrite(tx, ctx, prompt.id(), &words).await
}

/// Writes the messages anew that show a prompt.
async fn rewrite(
    tx: &mut Tx,
    ctx: &CommandContext,
    shown_by: i64,
    words: &(dyn Fn(Language) -> Outbound + Sync),
) -> Result<Vec<OutboxRow>, StoreError> {
    let words = |reads: &str| words(ctx.language(reads));
    let outbox = &ctx.outbox;
    outbox.amend_each(tx, Purpose::Card, shown_by, &words).await
}

/// Writes down what became of an account; without a user it was a code that the operator gave out.
async fn judged(
    tx: &mut Tx,
    ctx: &CommandContext,
    channel: &str,
    sender: &str,
    standing: AccountStanding,
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

async fn remember_sender(
    tx: &mut Tx,
    inbound: &Inbound,
    standing: AccountStanding,
) -> Result<(), StoreError> {
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
