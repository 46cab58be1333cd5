//! `/link` and `/unlink`: codes, and who is asked.

use sayso_channel::{Address, ChatKind, Language};
use sayso_store::chats;
use sayso_store::links::{self, CodeRow, NewSide, Wish};
use sayso_store::outbox::OutboxRow;
use sayso_store::people::{self, AccountRow};
use sayso_store::{StoreError, Tx, now_ms};

use super::card::{self, NewRequest};
use super::messages::{self, NotTaken};
use super::request::{drop_requests, is_admitted};
use crate::commands::codes::{new_code, read_code};
use crate::commands::context::CommandContext;
use crate::commands::messages as command_messages;
use crate::intake::{Effects, ResolvedMessage, tell};
use crate::prompts::{self, Asked, NewPrompt, Place, PromptKind};

/// How long a code and the cards that follow from it hold, in milliseconds.
const HOLDS_MS: i64 = 10 * 60 * 1000;
/// How many wrong codes an account may send in that time.
const WRONG_TRIES: i64 = 5;
/// How many accounts a person may have.
const MOST_ACCOUNTS: usize = 8;

/// `/link`: gives a code, or asks both accounts when one is given.
pub async fn link(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.inbound.chat_kind == ChatKind::Group {
        // Everybody here has read it.
        if let Some(code) = read_code(written) {
            links::drop_code(tx, &code).await?;
        }
        return tell(tx, &ctx.outbox, heard, messages::only_direct(language)).await;
    }
    if written.is_empty() {
        let code = give_code(tx, heard).await?;
        return tell(tx, &ctx.outbox, heard, messages::code(&code, language)).await;
    }
    match take_code(tx, ctx, heard, written).await? {
        Taken::Asked(said) => Ok(Effects::said(said)),
        Taken::Not(why) => tell(tx, &ctx.outbox, heard, messages::not_taken(why, language)).await,
    }
}

/// `/unlink`: asks this account whether it wants to be parted from the others.
pub async fn unlink(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.inbound.chat_kind == ChatKind::Group {
        return tell(tx, &ctx.outbox, heard, messages::only_direct(language)).await;
    }
    if people::accounts_of(tx, heard.user).await?.len() < 2 {
        return tell(tx, &ctx.outbox, heard, messages::nothing_linked(language)).await;
    }
    let mut said = drop_requests(tx, ctx, &[heard.user]).await?;
    let side = side_here(heard);
    let request = add(tx, Wish::Part, vec![side]).await?;
    said.extend(card::show(tx, ctx, &request, heard).await?);
    Ok(Effects::said(said))
}

/// Returns the other accounts of the user, as lines. In a group they are not shown.
async fn linked_accounts(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
) -> Result<Vec<String>, StoreError> {
    if heard.inbound.chat_kind == ChatKind::Group {
        return Ok(Vec::new());
    }
    let accounts = people::accounts_of(tx, heard.user).await?;
    let others = accounts.iter().skip(1);
    Ok(others.map(messages::account_line).collect())
}

/// Answers `/whoami`.
pub async fn who_am_i(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<String, StoreError> {
    let linked = linked_accounts(tx, heard).await?;
    let (inbound, role) = (heard.inbound, heard.role);
    Ok(command_messages::who_am_i(inbound, role, &linked, language))
}

/// What became of a code that somebody sent.
enum Taken {
    /// Both accounts are asked.
    Asked(Vec<OutboxRow>),
    /// No confirmation is requested.
    Not(NotTaken),
}

async fn give_code(tx: &mut Tx, heard: &ResolvedMessage<'_>) -> Result<String, StoreError> {
    let row = CodeRow {
        user_id: heard.user,
        code: new_code()?,
        name: heard.inbound.sender.name.clone(),
        address: serde_json::to_string(&heard.inbound.address)?,
        expires_ms: now_ms() + HOLDS_MS,
    };
    links::put_code(tx, &row).await?;
    Ok(row.code)
}

async fn take_code(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
) -> Result<Taken, StoreError> {
    let since = now_ms() - HOLDS_MS;
    if links::wrong_tries(tx, heard.user, since).await? >= WRONG_TRIES {
        return Ok(Taken::Not(NotTaken::TooManyTries));
    }
    let Some((code, theirs)) = giver(tx, ctx, written).await? else {
        links::count_wrong_try(tx, heard.user, since).await?;
        return Ok(Taken::Not(NotTaken::Unknown));
    };
    if code.user_id == heard.user {
        return Ok(Taken::Not(NotTaken::Own));
    }
    links::drop_code(tx, &code.code).await?;
    let ours = people::accounts_of(tx, heard.user).await?;
    if ours.iter().any(|account| account.user_id == code.user_id) {
        return Ok(Taken::Not(NotTaken::AlreadyOne));
    }
    if ours.len() + theirs.len() > MOST_ACCOUNTS {
        return Ok(Taken::Not(NotTaken::TooManyAccounts));
    }
    let mut said = drop_requests(tx, ctx, &[heard.user, code.user_id]).await?;
    let sides = vec![side_there(tx, &code).await?, side_here(heard)];
    let request = add(tx, Wish::Join, sides).await?;
    said.extend(card::show(tx, ctx, &request, heard).await?);
    Ok(Taken::Asked(said))
}

/// Returns the code that was written and the accounts of the person that it was given to, the
/// account that has it first. That account must still be let in.
async fn giver(
    tx: &mut Tx,
    ctx: &CommandContext,
    written: &str,
) -> Result<Option<(CodeRow, Vec<AccountRow>)>, StoreError> {
    let Some(code) = read_code(written) else {
        return Ok(None);
    };
    let Some(code) = links::find_code(tx, &code).await? else {
        return Ok(None);
    };
    let accounts = people::accounts_of(tx, code.user_id).await?;
    let comes_in = accounts.first().is_some_and(|account| {
        is_admitted(ctx, &account.channel, &account.sender, account.standing)
    });
    Ok(comes_in.then_some((code, accounts)))
}

fn side_here(heard: &ResolvedMessage<'_>) -> (NewSide, Address) {
    let side = NewSide {
        user: heard.user,
        chat: heard.chat.id,
        name: heard.inbound.sender.name.clone(),
    };
    (side, heard.inbound.address.clone())
}

async fn side_there(tx: &mut Tx, code: &CodeRow) -> Result<(NewSide, Address), StoreError> {
    let address: Address = serde_json::from_str(&code.address)?;
    let (channel, chat) = (address.channel.as_str(), address.chat.as_str());
    let chat = chats::chat_at(tx, channel, chat, ChatKind::Direct, "").await?;
    let side = NewSide {
        user: code.user_id,
        chat: chat.id,
        name: code.name.clone(),
    };
    Ok((side, address))
}

async fn add(
    tx: &mut Tx,
    wish: Wish,
    sides: Vec<(NewSide, Address)>,
) -> Result<NewRequest, StoreError> {
    let (sides, addresses): (Vec<NewSide>, Vec<Address>) = sides.into_iter().unzip();
    let id = links::add(tx, wish, &sides).await?;
    for side in links::sides_of(tx, id).await? {
        let new = NewPrompt {
            kind: PromptKind::Link,
            place: Place::Chat(side.chat_id),
            asked: Asked::User(side.user_id),
            subject: Some(side.id),
            payload: &(),
            expires_ms: Some(now_ms() + HOLDS_MS),
        };
        prompts::open(tx, new).await?;
    }
    Ok(NewRequest {
        request: links::request(tx, id).await?,
        addresses,
    })
}
