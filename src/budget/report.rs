//! What `/usage` shows: one's own figures, and everybody's to an owner.

use sayso_store::usage::{self, Spent, SpentBy};
use sayso_store::{StoreError, Tx};

use super::billing_subject::BillingSubject;
use super::day::Day;
use super::ledger::standing;
use super::rules::{BudgetRules, Limit, Scope};
use super::spending_cache::SpendingCache;

/// How many people an owner is shown.
const MOST_PEOPLE: i64 = 5;

/// What was spent today, and what may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The day.
    pub day: Day,
    /// By the user in this session.
    pub here: Spent,
    /// By the user.
    pub own: Spent,
    /// What the user may spend today.
    pub own_limit: Limit,
    /// What a turn may spend.
    pub turn_limit: Limit,
    /// For owners.
    pub everybody: Option<Everybody>,
}

/// What everybody spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Everybody {
    /// Today.
    pub today: Spent,
    /// What they may spend today.
    pub today_limit: Limit,
    /// This month.
    pub month: Spent,
    /// What they may spend this month.
    pub month_limit: Limit,
    /// Those who spent most today, by the names that people see.
    pub most: Vec<(String, Spent)>,
}

/// Counts what a user is shown; `for_owner` counts what everybody spent, too.
pub async fn report(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    for_owner: bool,
) -> Result<Report, StoreError> {
    let day = SpendingCache::default().today(tx).await?;
    let date = day.to_string();
    let own_limit = limit(tx, rules, payer, Scope::User, day).await?;
    let everybody = if for_owner {
        Some(everybody(tx, rules, payer, day).await?)
    } else {
        None
    };
    Ok(Report {
        day,
        here: usage::spent(tx, SpentBy::Session(payer.user, payer.session, &date)).await?,
        own: usage::spent(tx, SpentBy::User(payer.user, &date)).await?,
        own_limit,
        turn_limit: rules.turn,
        everybody,
    })
}

async fn everybody(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    day: Day,
) -> Result<Everybody, StoreError> {
    let date = day.to_string();
    let (first, last) = day.month();
    let month = (first.to_string(), last.to_string());
    Ok(Everybody {
        today: usage::spent(tx, SpentBy::All(&date, &date)).await?,
        today_limit: limit(tx, rules, payer, Scope::Instance, day).await?,
        month: usage::spent(tx, SpentBy::All(&month.0, &month.1)).await?,
        month_limit: limit(tx, rules, payer, Scope::Month, day).await?,
        most: usage::most_spent(tx, &date, MOST_PEOPLE).await?,
    })
}

async fn limit(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    scope: Scope,
    day: Day,
) -> Result<Limit, StoreError> {
    let standing = standing(tx, rules, payer, scope, day).await?;
    Ok(standing.map(|(limit, _)| limit).unwrap_or_default())
}
