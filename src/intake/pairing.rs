//! Letting people in: the first owner by a code, everybody else by an owner's answer.

use sayso_channel::{
    Address, Addressed, Button, ChatKind, HeardMessage, Inbound, Notice, Outbound,
};

use super::access::{Access, Account, Standing};
use super::audit_records::Judged;
use super::message::is_awaited;
use super::{Effects, IntakeContext, audit_records, messages};
use crate::approvals::new_token;
use crate::audit::By;
use crate::delivery::{OutboxWriter, Purpose, Saying};
use crate::store::chats::{self, ChatRow};
use crate::store::outbox::OutboxRow;
use crate::store::pairing::{self, AdmissionRow};
use crate::store::{Store, StoreError, Tx, now_ms, people};
use crate::transcript::{Role, UserId};

/// How long a code or a stranger's request holds, in milliseconds.
const HOLDS_MS: i64 = 60 * 60 * 1000;
/// How many strangers of one channel may wait at once.
const WAITING_PER_CHANNEL: i64 = 3;
/// How many characters a code has: 40 bits, for an hour, with every wrong try answered slowly.
const CODE_CHARS: usize = 8;
/// Without those that look alike.
const CODE_ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// Returns the code that makes its first user the owner, or `None` when there is an owner.
///
/// The code of an earlier start is kept as long as it holds.
pub async fn owner_code(
    store: &Store,
    has_configured_owner: bool,
) -> Result<Option<String>, StoreError> {
    if has_configured_owner {
        return Ok(None);
    }
    store
        .write(|tx| {
            Box::pin(async move {
                if !people::senders_with_standing(tx, "owner").await?.is_empty() {
                    return Ok(None);
                }
                if let Some(code) = pairing::valid_code(tx, "owner", now_ms()).await? {
                    return Ok(Some(code));
                }
                let code = new_code()?;
                pairing::put_code(tx, &code, "owner", now_ms() + HOLDS_MS).await?;
                Ok(Some(code))
            })
        })
        .await
}

/// Meets a stranger who addressed us. No model is called.
pub async fn meet(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    message: &HeardMessage,
    chat: &ChatRow,
) -> Result<Effects, StoreError> {
    if let Some(effects) = redeem(tx, ctx, inbound, message, chat).await? {
        return Ok(effects);
    }
    let language = ctx.language(&chat.language);
    if !ctx.access.pairing {
        return Ok(Effects {
            said: answer(tx, ctx, inbound, messages::closed(language)).await?,
            ..Effects::default()
        });
    }
    request(tx, ctx, inbound, language).await
}

/// Uses up a code that somebody sent; `None` when the message is none that holds.
pub async fn redeem(
    tx: &mut Tx,
    ctx: &IntakeContext,
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

/// Reads a code as people type it; `None` when it can be none.
pub fn read_code(written: &str) -> Option<String> {
    let code = written.trim().to_ascii_uppercase();
    let well_formed =
        code.len() == CODE_CHARS && code.bytes().all(|byte| CODE_ALPHABET.contains(&byte));
    well_formed.then_some(code)
}

async fn let_in(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    standing: &str,
    language: sayso_channel::Language,
) -> Result<Effects, StoreError> {
    let channel = inbound.address.channel.as_str();
    let sender = inbound.sender.key.as_str();
    remember_sender(tx, inbound, standing).await?;
    people::set_standing(tx, channel, sender, standing).await?;
    tracing::info!(channel, standing, "account paired");
    judged(tx, ctx, (channel, sender), standing, None).await?;
    let said = answer(tx, ctx, inbound, messages::welcome_owner(language)).await?;
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// Asks the owners about a stranger, once.
async fn request(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    language: sayso_channel::Language,
) -> Result<Effects, StoreError> {
    let channel = inbound.address.channel.as_str();
    let sender = inbound.sender.key.as_str();
    let (waiting, is_waiting) = pairing::open_admissions(tx, channel, sender, now_ms()).await?;
    if is_waiting {
        let said = answer(tx, ctx, inbound, messages::still_asking(language)).await?;
        return Ok(Effects {
            said,
            ..Effects::default()
        });
    }
    let owners = owner_addresses(tx, &ctx.access, &ctx.outbox).await?;
    if waiting >= WAITING_PER_CHANNEL || owners.is_empty() {
        let said = answer(tx, ctx, inbound, messages::closed(language)).await?;
        return Ok(Effects {
            said,
            ..Effects::default()
        });
    }
    remember_sender(tx, inbound, "pending").await?;
    let token =
        new_token().map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let stranger = AdmissionRow {
        id: 0,
        channel: channel.to_owned(),
        sender: sender.to_owned(),
        name: inbound.sender.name.clone(),
        address: serde_json::to_string(&inbound.address)?,
        expires_ms: now_ms() + HOLDS_MS,
        state: "open".to_owned(),
    };
    let id = pairing::add_admission(tx, &token, &stranger).await?;
    let asked = StrangerCard {
        inbound,
        token: &token,
        id,
    };
    let mut said = answer(tx, ctx, inbound, messages::asking(language)).await?;
    for owner in owners {
        said.extend(ask_owner(tx, ctx, &owner, &asked).await?);
    }
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// The card about a stranger.
struct StrangerCard<'a> {
    /// What they wrote.
    inbound: &'a Inbound,
    token: &'a str,
    id: i64,
}

async fn ask_owner(
    tx: &mut Tx,
    ctx: &IntakeContext,
    owner: &Address,
    asked: &StrangerCard<'_>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let token = asked.token;
    let (channel, chat) = (owner.channel.as_str(), owner.chat.as_str());
    let chat = chats::chat_at(tx, channel, chat, ChatKind::Direct, "en").await?;
    let language = ctx.language(&chat.language);
    let outbound = Outbound {
        buttons: vec![vec![
            Button::yes(messages::allow(language), format!("in:{token}")),
            Button::no(messages::block(language), format!("out:{token}")),
        ]],
        ..Outbound::markdown(messages::stranger(&stranger_of(asked.inbound), language))
    };
    let saying = Saying {
        to: owner,
        purpose: Purpose::Card,
        turn: None,
        subject: Some(asked.id),
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}

/// Returns what owners are shown of a stranger.
fn stranger_of(inbound: &Inbound) -> messages::Stranger<'_> {
    // What a command says may be a code.
    let words = if let sayso_channel::Event::Message(message) = &inbound.event
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

/// What a press on a stranger's card came to; `None` when the data is no such button.
pub async fn press(
    tx: &mut Tx,
    ctx: &IntakeContext,
    data: &str,
    presser: UserId,
    is_owner: bool,
    language: sayso_channel::Language,
) -> Result<Option<(Notice, Vec<OutboxRow>)>, StoreError> {
    let Some((verb @ ("in" | "out"), token)) = data.split_once(':') else {
        return Ok(None);
    };
    let refuse = |text: String| Ok(Some((Notice { text, alert: true }, Vec::new())));
    if !is_owner {
        return refuse(messages::owners_only(language));
    }
    let Some(stranger) = pairing::admission(tx, token).await? else {
        return refuse(messages::unknown_button(language));
    };
    if stranger.expires_ms <= now_ms() {
        return refuse(messages::too_late(language));
    }
    let (state, standing) = if verb == "in" {
        ("allowed", "member")
    } else {
        ("blocked", "blocked")
    };
    if !pairing::close_admission(tx, stranger.id, state).await? {
        return refuse(messages::already_answered(language));
    }
    let account = (stranger.channel.as_str(), stranger.sender.as_str());
    people::set_standing(tx, account.0, account.1, standing).await?;
    judged(tx, ctx, account, standing, Some(presser)).await?;
    let text = messages::stranger_answered(&stranger, verb == "in", language);
    let outbound = Outbound::markdown(text.clone());
    let mut said = ctx
        .outbox
        .amend(tx, Purpose::Card, stranger.id, None, &outbound)
        .await?;
    if verb == "in" {
        let address: Address = serde_json::from_str(&stranger.address)?;
        let welcome = Outbound::markdown(messages::welcome(language));
        let saying = Saying {
            to: &address,
            purpose: Purpose::Notice,
            turn: None,
            subject: None,
            outbound: &welcome,
        };
        said.extend(ctx.outbox.say(tx, saying).await?);
    }
    Ok(Some((Notice { text, alert: false }, said)))
}

/// Writes down what became of an account; without a user it was a code that the operator gave out.
async fn judged(
    tx: &mut Tx,
    ctx: &IntakeContext,
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

/// Closes the cards about strangers that no owner answered in time.
pub async fn expire(
    tx: &mut Tx,
    ctx: &IntakeContext,
    now_ms: i64,
) -> Result<Vec<OutboxRow>, StoreError> {
    let language = ctx.limits.language.unwrap_or_default();
    let mut said = Vec::new();
    for stranger in pairing::expired(tx, now_ms).await? {
        pairing::close_admission(tx, stranger.id, "expired").await?;
        let outbound = Outbound::markdown(messages::stranger_expired(&stranger, language));
        let outbox = &ctx.outbox;
        let rows = outbox
            .amend(tx, Purpose::Card, stranger.id, None, &outbound)
            .await?;
        said.extend(rows);
    }
    Ok(said)
}

/// Returns every direct chat of an owner: everyone who may approve is asked in each of them. Chats
/// on a channel that is no longer configured are left out, because no card can be sent there.
pub async fn owner_addresses(
    tx: &mut Tx,
    access: &Access,
    outbox: &OutboxWriter,
) -> Result<Vec<Address>, StoreError> {
    let mut addresses = Vec::new();
    for standing in ["owner", "listed", "member"] {
        for (channel, sender, direct) in people::senders_with_standing(tx, standing).await? {
            let account = Account {
                channel: &channel.as_str().into(),
                key: &sender.as_str().into(),
                roles: &[],
            };
            let judged = access.standing(account, Some(standing));
            let Some(direct) = direct.filter(|_| judged == Standing::Admitted(Role::Owner)) else {
                continue;
            };
            let address: Address = serde_json::from_str(&direct)?;
            if outbox.channel(&address).is_some() {
                addresses.push(address);
            }
        }
    }
    Ok(addresses)
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

async fn answer(
    tx: &mut Tx,
    ctx: &IntakeContext,
    inbound: &Inbound,
    text: String,
) -> Result<Vec<OutboxRow>, StoreError> {
    let sayso_channel::Event::Message(message) = &inbound.event else {
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

/// Returns a random code that people can type.
pub fn new_code() -> Result<String, StoreError> {
    let mut bytes = [0; CODE_CHARS];
    getrandom::fill(&mut bytes)
        .map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let letter = |byte: u8| {
        CODE_ALPHABET
            .get(usize::from(byte) % 32)
            .copied()
            .map(char::from)
    };
    Ok(bytes.into_iter().filter_map(letter).collect())
}
