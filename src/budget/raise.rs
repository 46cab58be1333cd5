//! The card that asks owners to raise a limit for the rest of its day, and their answer.

use sayso_channel::{Address, Button, ButtonLook, Language, Notice, Outbound};
use serde::{Deserialize, Serialize};

use super::billing_subject::BillingSubject;
use super::day::Day;
use super::ledger::{UsedUp, amounts, standing};
use super::messages;
use super::rules::{Amount, BudgetRules, Limit, Scope};
use crate::approvals::new_token;
use crate::store::usage::{self, DayKey, RaiseRow, Spent};
use crate::store::{StoreError, Tx};
use crate::transcript::SessionId;

/// How many chats are informed of a raise.
const MOST_WAITING: usize = 20;
/// No limit is raised beyond this, in percent of its configured height.
const MOST_PERCENT: i64 = 100_000;

/// A chat in which somebody waits for the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Where.
    pub address: Address,
    /// `en` or `zh-CN`.
    pub language: String,
}

/// What an owner's press came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Raised {
    /// The notice to the presser.
    pub notice: Notice,
    /// The card that was closed, as it reads now.
    pub closed: Option<(i64, Outbound)>,
    /// The chats that are informed that they may continue.
    pub told: Vec<Waiting>,
    /// The limit that was answered about, and how high it is now; `None` where the press changed
    /// nothing.
    pub answered: Option<Answered>,
}

/// An owner's answer about a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The limit.
    pub key: DayKey,
    /// How high it is from now on, in percent of its configured height.
    pub percent: i64,
    /// Whether the owner said yes.
    pub is_raised: bool,
}

/// What a button stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Half,
    Double,
    Refuse,
}

impl Answer {
    const ALL: [Self; 3] = [Self::Half, Self::Double, Self::Refuse];

    fn verb(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Double => "double",
            Self::Refuse => "enough",
        }
    }

    fn parse(data: &str) -> Option<(Self, &str)> {
        let (verb, token) = data.split_once(':')?;
        let mut all = Self::ALL.into_iter();
        all.find(|answer| answer.verb() == verb)
            .map(|answer| (answer, token))
    }

    /// Returns the percent that follow from these.
    fn raise(self, percent: i64) -> i64 {
        let raised = match self {
            Self::Half => percent + 50,
            Self::Double => percent * 2,
            Self::Refuse => percent,
        };
        raised.min(MOST_PERCENT)
    }

    /// Raises until there is room above what is used: a call may cost more than was left.
    fn raise_above(self, percent: i64, used: i64) -> i64 {
        let mut raised = self.raise(percent);
        while self != Self::Refuse && raised <= used && raised < MOST_PERCENT {
            raised = self.raise(raised);
        }
        raised
    }
}

/// Asks owners to raise a limit; returns the card when it is a new one, and `None` where they are
/// asked already, have said no today, or are not asked about such a limit.
pub async fn ask(
    tx: &mut Tx,
    used_up: &UsedUp,
    payer: &BillingSubject,
    waiting: &Waiting,
) -> Result<Asked, StoreError> {
    let Some(key) = payer.key(used_up.scope, used_up.day) else {
        return Ok(Asked::Nobody);
    };
    match usage::newest_raise(tx, &key).await? {
        Some(earlier) if earlier.state == "open" => {
            let mut all = waiting_of(&earlier)?;
            if !all.contains(waiting) && all.len() < MOST_WAITING {
                all.push(waiting.clone());
                usage::set_addresses(tx, earlier.id, &serde_json::to_string(&all)?).await?;
            }
            Ok(Asked::Already)
        }
        Some(earlier) if earlier.state == "refused" => Ok(Asked::Nobody),
        Some(_) | None => {
            let token = new_token()
                .map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
            let addresses = serde_json::to_string(&[waiting])?;
            let expires_ms = used_up.day.ends_ms();
            let row = usage::add_raise(tx, &token, key, &addresses, expires_ms).await?;
            Ok(Asked::Now(Box::new(row)))
        }
    }
}

/// Whether owners are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asked {
    /// By this new card.
    Now(Box<RaiseRow>),
    /// By a card that stands already.
    Already,
    /// They are not.
    Nobody,
}

/// Renders a card as it stands.
pub async fn document(
    tx: &mut Tx,
    rules: &BudgetRules,
    row: &RaiseRow,
    language: Language,
) -> Result<Outbound, StoreError> {
    let (scope, limit, spent) = about(tx, rules, row).await?;
    let who = match scope {
        Scope::User => usage::name_of(tx, row.key.user_id).await?,
        Scope::Routine => Some(row.key.routine.clone()),
        Scope::Turn | Scope::Instance | Scope::Month => None,
    };
    let card = messages::RaisePrompt {
        scope,
        who: who.unwrap_or_default(),
        limit,
        spent,
        prices: &rules.prices,
    };
    let text = messages::card(&card, &row.state, language);
    Ok(Outbound {
        buttons: buttons(row, language),
        ..Outbound::markdown(text)
    })
}

/// Judges a press; `None` when the data is no button of such a card.
pub async fn answer(
    tx: &mut Tx,
    rules: &BudgetRules,
    data: &str,
    is_owner: bool,
    (now_ms, language): (i64, Language),
) -> Result<Option<Raised>, StoreError> {
    let Some((answer, token)) = Answer::parse(data) else {
        return Ok(None);
    };
    if !is_owner {
        return Ok(Some(refused(messages::owners_only(language))));
    }
    let Some(row) = usage::raise(tx, token).await? else {
        return Ok(Some(refused(messages::unknown_button(language))));
    };
    if row.state == "expired" || row.expires_ms <= now_ms {
        return Ok(Some(refused(messages::too_late(language))));
    }
    let state = match answer {
        Answer::Half | Answer::Double => "raised",
        Answer::Refuse => "refused",
    };
    if !usage::close_raise(tx, row.id, state).await? {
        return Ok(Some(refused(messages::already_answered(language))));
    }
    let percent = usage::percent(tx, &row.key).await?;
    let (_, limit, spent) = about(tx, rules, &row).await?;
    let Amount {
        tokens,
        micros: money,
    } = amounts(&spent);
    let used = i64::try_from(limit.used(tokens, money)).unwrap_or(MOST_PERCENT);
    let raised = answer.raise_above(percent, percent.saturating_mul(used) / 100);
    usage::set_percent(tx, &row.key, raised).await?;
    tracing::info!(
        scope = row.key.scope,
        state,
        "owner answered a budget prompt"
    );
    let told = match answer {
        Answer::Half | Answer::Double => waiting_of(&row)?,
        Answer::Refuse => Vec::new(),
    };
    let answered = Answered {
        key: row.key.clone(),
        percent: raised,
        is_raised: answer != Answer::Refuse,
    };
    let closed = RaiseRow {
        state: state.to_owned(),
        ..row
    };
    let outbound = document(tx, rules, &closed, language).await?;
    Ok(Some(Raised {
        notice: Notice {
            text: messages::answered(state, language).to_owned(),
            alert: false,
        },
        closed: Some((closed.id, outbound)),
        told,
        answered: Some(answered),
    }))
}

/// Closes the cards whose day is over, and returns them as they read now.
pub async fn expire(
    tx: &mut Tx,
    rules: &BudgetRules,
    now_ms: i64,
    language: Language,
) -> Result<Vec<(i64, Outbound)>, StoreError> {
    let mut closed = Vec::new();
    for row in usage::expired(tx, now_ms).await? {
        usage::close_raise(tx, row.id, "expired").await?;
        let row = RaiseRow {
            state: "expired".to_owned(),
            ..row
        };
        closed.push((row.id, document(tx, rules, &row, language).await?));
    }
    Ok(closed)
}

fn waiting_of(row: &RaiseRow) -> Result<Vec<Waiting>, StoreError> {
    Ok(serde_json::from_str(&row.addresses)?)
}

/// Returns the limit that a card is about, at its current height, and what was spent of it.
async fn about(
    tx: &mut Tx,
    rules: &BudgetRules,
    row: &RaiseRow,
) -> Result<(Scope, Limit, Spent), StoreError> {
    let (Some(scope), Some(day)) = (Scope::named(&row.key.scope), Day::parse(&row.key.day)) else {
        return Err(StoreError::Broken("a card about no limit".to_owned()));
    };
    let routine = Some(row.key.routine.clone()).filter(|name| !name.is_empty());
    let payer = BillingSubject {
        user: row.key.user_id,
        // No limit of a day is about a session or a turn.
        session: SessionId(0),
        turn: None,
        routine,
        fence: None,
    };
    let standing = standing(tx, rules, &payer, scope, day).await?;
    // The limit may have been taken out of the configuration since.
    let (limit, spent) = standing.unwrap_or_default();
    Ok((scope, limit, spent))
}

fn buttons(row: &RaiseRow, language: Language) -> Vec<Vec<Button>> {
    if row.state != "open" {
        return Vec::new();
    }
    let labels = messages::labels(language);
    let looks = [ButtonLook::Yes, ButtonLook::Yes, ButtonLook::No];
    let keys = ['h', 'd', 'n'];
    let all = Answer::ALL.into_iter().zip(labels).zip(looks).zip(keys);
    let button = |(((answer, label), look), key): (((Answer, &str), ButtonLook), char)| Button {
        label: label.to_owned(),
        token: format!("{}:{}", answer.verb(), row.token),
        key: Some(key),
        look,
    };
    vec![all.map(button).collect()]
}

fn refused(text: &str) -> Raised {
    Raised {
        notice: Notice {
            text: text.to_owned(),
            alert: true,
        },
        closed: None,
        told: Vec::new(),
        answered: None,
    }
}
