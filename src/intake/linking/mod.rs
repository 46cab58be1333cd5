//! Several accounts of one person: joined by a code and a yes of each account, parted by one yes.
//!
//! Memory follows the person; roles, grants, cards and limits stay with the account. A request and
//! its cards are rows, so a kill between two confirmations loses neither, and the last confirmation
//! and the joining are one transaction. A request is about the persons that its cards show: when
//! one of them gains or loses an account meanwhile, it is dropped.

mod card;
mod messages;
mod press;

use sayso_channel::{Address, ChatKind};

pub use press::press;

use super::access::{Account, Standing};
use super::message::{ResolvedMessage, reply_to, tell};
use super::pairing::{new_code, read_code};
use super::{Effects, IntakeContext};
use crate::approvals::new_token;
use crate::store::chats;
use crate::store::links::{self, CodeRow, NewSide, RequestRow, RequestState, Wish};
use crate::store::outbox::OutboxRow;
use crate::store::people::{self, AccountRow};
use crate::store::{StoreError, Tx, now_ms};
use crate::transcript::UserId;

/// How long a code and the cards that follow from it hold, in milliseconds.
const HOLDS_MS: i64 = 10 * 60 * 1000;
/// How many wrong codes an account may send in that time.
const WRONG_TRIES: i64 = 5;
/// How many accounts a person may have.
const MOST_ACCOUNTS: usize = 8;

/// `/link`: gives a code, or asks both accounts when one is given.
pub async fn link(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.inbound.chat_kind == ChatKind::Group {
        // Everybody here has read it.
        if let Some(code) = read_code(written) {
            links::drop_code(tx, &code).await?;
        }
        return tell(tx, ctx, heard, messages::only_direct(language)).await;
    }
    if written.is_empty() {
        let code = give_code(tx, heard).await?;
        return tell(tx, ctx, heard, messages::code(&code, language)).await;
    }
    match take_code(tx, ctx, heard, written).await? {
        Taken::Asked(said) => Ok(Effects {
            said,
            ..Effects::default()
        }),
        Taken::Not(why) => tell(tx, ctx, heard, messages::not_taken(why, language)).await,
    }
}

/// `/unlink`: asks this account whether it wants to be parted from the others.
pub async fn unlink(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.inbound.chat_kind == ChatKind::Group {
        return tell(tx, ctx, heard, messages::only_direct(language)).await;
    }
    if people::accounts_of(tx, heard.user).await?.len() < 2 {
        return tell(tx, ctx, heard, messages::nothing_linked(language)).await;
    }
    let mut said = drop_requests(tx, ctx, &[heard.user]).await?;
    let side = side_here(heard)?;
    let request = add(tx, Wish::Part, vec![side]).await?;
    said.extend(card::show(tx, ctx, &request, heard).await?);
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// Returns the other accounts of the user, as lines. In a group they are not shown.
pub async fn linked_accounts(
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

/// What became of a code that somebody sent.
enum Taken {
    /// Both accounts are asked.
    Asked(Vec<OutboxRow>),
    /// No confirmation is requested.
    Not(NotTaken),
}

/// Why no confirmation is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NotTaken {
    /// There is no such code, or none any more.
    Unknown,
    /// Too many were wrong.
    TooManyTries,
    /// It is the account's own.
    Own,
    /// Both accounts are one person already.
    AlreadyOne,
    /// The person would have too many accounts.
    TooManyAccounts,
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
    ctx: &IntakeContext,
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
    let sides = vec![side_there(tx, &code).await?, side_here(heard)?];
    let request = add(tx, Wish::Join, sides).await?;
    said.extend(card::show(tx, ctx, &request, heard).await?);
    Ok(Taken::Asked(said))
}

/// Returns the code that was written and the accounts of the person that it was given to, the
/// account that has it first. That account must still be let in.
async fn giver(
    tx: &mut Tx,
    ctx: &IntakeContext,
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
        is_admitted(ctx, &account.channel, &account.sender, &account.standing)
    });
    Ok(comes_in.then_some((code, accounts)))
}

/// Returns whether an account may come in by its direct chat, where it has no roles.
fn is_admitted(ctx: &IntakeContext, channel: &str, sender: &str, stored: &str) -> bool {
    let account = Account {
        channel: &channel.into(),
        key: &sender.into(),
        roles: &[],
    };
    matches!(
        ctx.access.standing(account, Some(stored)),
        Standing::Admitted(_)
    )
}

fn side_here(heard: &ResolvedMessage<'_>) -> Result<(NewSide, Address), StoreError> {
    let side = NewSide {
        token: token()?,
        user: heard.user,
        chat: heard.chat.id,
        name: heard.inbound.sender.name.clone(),
    };
    Ok((side, heard.inbound.address.clone()))
}

async fn side_there(tx: &mut Tx, code: &CodeRow) -> Result<(NewSide, Address), StoreError> {
    let address: Address = serde_json::from_str(&code.address)?;
    let (channel, chat) = (address.channel.as_str(), address.chat.as_str());
    let chat = chats::chat_at(tx, channel, chat, ChatKind::Direct, "en").await?;
    let side = NewSide {
        token: token()?,
        user: code.user_id,
        chat: chat.id,
        name: code.name.clone(),
    };
    Ok((side, address))
}

fn token() -> Result<String, StoreError> {
    new_token().map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))
}

/// A request that was just made, and where its cards go, in their order.
struct Asked {
    request: RequestRow,
    addresses: Vec<Address>,
}

async fn add(tx: &mut Tx, wish: Wish, sides: Vec<(NewSide, Address)>) -> Result<Asked, StoreError> {
    let (sides, addresses): (Vec<NewSide>, Vec<Address>) = sides.into_iter().unzip();
    let id = links::add(tx, wish, now_ms() + HOLDS_MS, &sides).await?;
    Ok(Asked {
        request: links::request(tx, id).await?,
        addresses,
    })
}

/// Closes the requests that were not confirmed in time, and rewrites their cards.
pub async fn expire(
    tx: &mut Tx,
    ctx: &IntakeContext,
    now_ms: i64,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for request in links::expired(tx, now_ms).await? {
        said.extend(press::close(tx, ctx, request, RequestState::Expired, None).await?);
    }
    Ok(said)
}

/// Drops the open requests that one of these users is asked about, and rewrites their cards.
async fn drop_requests(
    tx: &mut Tx,
    ctx: &IntakeContext,
    users: &[UserId],
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for request in links::open_requests(tx, users).await? {
        said.extend(press::close(tx, ctx, request, RequestState::Dropped, None).await?);
    }
    Ok(said)
}
