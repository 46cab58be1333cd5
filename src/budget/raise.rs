//! The prompt that asks owners to raise a limit for the rest of its day, and their answer.

use sayso_channel::{Address, Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{RoutineId, SessionId, first_chars};
use sayso_store::usage::{self, DayKey, Spent};
use sayso_store::{StoreError, Tx, routines};
use serde::{Deserialize, Serialize};

use super::billing_subject::BillingSubject;
use super::day::Day;
use super::ledger::{UsedUp, amounts, standing};
use super::messages::{self, RaiseState};
use super::rules::{Amount, BudgetRules, Limit, Scope};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};

/// How many chats are informed of a raise.
const MOST_WAITING: usize = 20;
/// How much of its words names a routine without a name, in characters.
const NAMED_BY: usize = 40;
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

/// What owners are asked about, and who waits for their answer: the payload of the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Request {
    key: DayKey,
    waiting: Vec<Waiting>,
}

/// What an owner's press came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Raised {
    /// The notice to the presser.
    pub notice: &'static str,
    /// The prompt as it reads now.
    pub closed: Outbound,
    /// The chats that are informed that they may continue.
    pub told: Vec<Waiting>,
    /// The limit that was answered about, and how high it is now.
    pub answered: Answered,
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

    fn parse(choice: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|answer| answer.verb() == choice)
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

/// Asks owners to raise a limit, unless they are asked already, have said no today, or are not
/// asked about such a limit.
pub async fn ask(
    tx: &mut Tx,
    used_up: &UsedUp,
    payer: &BillingSubject,
    waiting: &Waiting,
) -> Result<RaiseAsked, StoreError> {
    let Some(key) = payer.key(used_up.scope, used_up.day) else {
        return Ok(RaiseAsked::NotAsked);
    };
    for earlier in prompts::open_of(tx, PromptKind::BudgetRaise).await? {
        let mut request: Request = earlier.payload()?;
        if request.key != key {
            continue;
        }
        if !request.waiting.contains(waiting) && request.waiting.len() < MOST_WAITING {
            request.waiting.push(waiting.clone());
            prompts::set_payload(tx, &earlier, &request).await?;
        }
        return Ok(RaiseAsked::Already);
    }
    if usage::is_raise_refused(tx, &key).await? {
        return Ok(RaiseAsked::NotAsked);
    }
    let request = Request {
        key,
        waiting: vec![waiting.clone()],
    };
    let new = NewPrompt {
        kind: PromptKind::BudgetRaise,
        place: Place::Anywhere,
        asked: Asked::Owners,
        subject: None,
        payload: &request,
        expires_ms: Some(used_up.day.ends_ms()),
    };
    let prompt = prompts::open(tx, new).await?;
    Ok(RaiseAsked::Now(Box::new(prompt)))
}

/// Whether owners are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RaiseAsked {
    /// By this new prompt.
    Now(Box<Prompt>),
    /// By a prompt that stands already.
    Already,
    /// They are not.
    NotAsked,
}

/// Renders a prompt as it stands; one that is closed has no buttons.
pub async fn document(
    tx: &mut Tx,
    rules: &BudgetRules,
    prompt: &Prompt,
    state: RaiseState,
    language: Language,
) -> Result<Outbound, StoreError> {
    let Request { key, .. } = prompt.payload()?;
    let (scope, limit, spent) = about(tx, rules, &key).await?;
    let who = match scope {
        Scope::User => usage::name_of(tx, key.user_id).await?,
        Scope::Routine => routine_named(tx, &key.routine).await?,
        Scope::Turn | Scope::Instance | Scope::Month => None,
    };
    let card = messages::RaisePrompt {
        scope,
        who: who.unwrap_or_default(),
        limit,
        spent,
        prices: &rules.prices,
    };
    Ok(Outbound {
        buttons: match state {
            RaiseState::Open => buttons(prompt, language),
            RaiseState::Raised | RaiseState::Refused | RaiseState::Expired => Vec::new(),
        },
        ..Outbound::markdown(messages::card(&card, state, language))
    })
}

/// Returns how a routine is named to people; none that was deleted has a name.
async fn routine_named(tx: &mut Tx, id: &str) -> Result<Option<String>, StoreError> {
    let Ok(id) = id.parse().map(RoutineId) else {
        return Ok(None);
    };
    let row = routines::routine(tx, id).await?;
    Ok(row.map(|row| match row.name.as_str() {
        "" => first_chars(&row.prompt, NAMED_BY)
            .unwrap_or(&row.prompt)
            .to_owned(),
        name => name.to_owned(),
    }))
}

/// Does what an owner answered; `None` when there is no such choice.
pub async fn answer(
    tx: &mut Tx,
    rules: &BudgetRules,
    prompt: &Prompt,
    choice: &str,
    language: Language,
) -> Result<Option<Raised>, StoreError> {
    let Some(answer) = Answer::parse(choice) else {
        return Ok(None);
    };
    let Request { key, waiting } = prompt.payload()?;
    let percent = usage::percent(tx, &key).await?;
    let (_, limit, spent) = about(tx, rules, &key).await?;
    let Amount {
        tokens,
        micros: money,
    } = amounts(&spent);
    let used = i64::try_from(limit.used(tokens, money)).unwrap_or(MOST_PERCENT);
    let raised = answer.raise_above(percent, percent.saturating_mul(used) / 100);
    usage::set_percent(tx, &key, raised).await?;
    let (state, told) = match answer {
        Answer::Half | Answer::Double => (RaiseState::Raised, waiting),
        Answer::Refuse => {
            usage::refuse_raise(tx, &key).await?;
            (RaiseState::Refused, Vec::new())
        }
    };
    tracing::info!(scope = key.scope, ?state, "owner answered a budget prompt");
    Ok(Some(Raised {
        notice: messages::answered(state, language),
        closed: document(tx, rules, prompt, state, language).await?,
        told,
        answered: Answered {
            key,
            percent: raised,
            is_raised: state == RaiseState::Raised,
        },
    }))
}

/// Returns the limit that a card is about, at its current height, and what was spent of it.
async fn about(
    tx: &mut Tx,
    rules: &BudgetRules,
    key: &DayKey,
) -> Result<(Scope, Limit, Spent), StoreError> {
    let (Some(scope), Some(day)) = (Scope::named(&key.scope), Day::parse(&key.day)) else {
        return Err(StoreError::Broken("a card about no limit".to_owned()));
    };
    let routine = Some(key.routine.clone()).filter(|name| !name.is_empty());
    let payer = BillingSubject {
        user: key.user_id,
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

fn buttons(prompt: &Prompt, language: Language) -> Vec<Vec<Button>> {
    let labels = messages::labels(language);
    let looks = [ButtonLook::Yes, ButtonLook::Yes, ButtonLook::No];
    let keys = ['h', 'd', 'n'];
    let all = Answer::ALL.into_iter().zip(labels).zip(looks).zip(keys);
    let button = |(((answer, label), look), key): (((Answer, &str), ButtonLook), char)| Button {
        label: label.to_owned(),
        token: prompt.button(answer.verb()),
        key: Some(key),
        look,
    };
    vec![all.map(button).collect()]
}
