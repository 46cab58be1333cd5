//! Setting aside and booking: the counts of each scope, judged by its limit.

use sayso_core::transcript::{TurnId, Usage};
use sayso_store::usage::{self, Booking, OpenAmount, Spent, SpentBy};
use sayso_store::{StoreError, Tx};

use super::billing_subject::BillingSubject;
use super::day::Day;
use super::reservations::{Expected, Others, Reservation, Reservations};
use super::rules::{Amount, BudgetRules, Limit, Scope};
use super::spending_cache::{Change, KnownLimit, SpendingCache};

/// The percentage of a limit at which a notice is sent.
const TELLS_AT: u64 = 80;
/// The largest value recorded for one number, in tokens or millionths of the currency, so that sums
/// fit into 64 bits, whatever a service reports and whatever the price is.
const MOST_BOOKED: u64 = 1_000_000_000_000;

/// A model call that is about to be made, in tokens.
#[derive(Debug, Clone, Copy)]
pub struct NextCall<'a> {
    /// The model that is asked.
    pub model: &'a str,
    /// How long its prompt is, estimated.
    pub prompt_tokens: u64,
    /// How long it is at least.
    pub certain_tokens: u64,
    /// How long its answer may become.
    pub answer_tokens: u64,
}

/// The result of a reservation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetAside {
    /// The call may be made; it is booked on this day.
    On(Day),
    /// Calls in flight may take what is left of this limit: it is to be tried again when one is
    /// booked.
    Wait(Scope),
    /// A limit is reached.
    UsedUp(UsedUp),
}

/// A limit that is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedUp {
    /// Which.
    pub scope: Scope,
    /// How high it is today.
    pub limit: Limit,
    /// What was spent of it.
    pub spent: Spent,
    /// The day that it is for.
    pub day: Day,
}

/// A limit of which little is left, to be told once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Which.
    pub scope: Scope,
    /// How much of it is spent, in percent.
    pub used: u64,
    /// The day that it is for.
    pub day: Day,
}

/// Sets aside what the prompt of a call is estimated to cost, unless a limit is reached, or would
/// be by what of it is certain, or calls in flight may take what is left.
pub async fn reserve(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    call: &NextCall<'_>,
    reservation: &Reservation,
) -> Result<SetAside, StoreError> {
    let spending = reservation.all().spending();
    let day = spending.today(tx).await?;
    let price = rules.prices.of(call.model);
    let least = Amount {
        tokens: call.certain_tokens,
        micros: price.map_or(0, |price| price.least(call.certain_tokens)),
    };
    let expected = expected(rules, call);
    let mut waits_for = None;
    for known in known_standings(tx, rules, payer, day, spending).await? {
        let (scope, limit) = (known.scope, known.limit);
        let others = reservation.others(payer, scope, day);
        let booked = known.spent.minus(others.set_aside);
        if limit.is_exceeded(booked, least) {
            let read = standing(tx, rules, payer, scope, day).await?;
            let mut spent = read.map(|(_, spent)| spent).unwrap_or_default();
            add_unwritten(&mut spent, spending, payer, scope);
            metrics::counter!("sayso_budget_refusals_total", "scope" => scope.as_str())
                .increment(1);
            return Ok(SetAside::UsedUp(UsedUp {
                scope,
                limit,
                spent,
                day,
            }));
        }
        if !has_room(limit, booked, &others, expected) {
            waits_for = waits_for.or(Some(scope));
        }
    }
    if let Some(scope) = waits_for {
        reservation.waits(payer, day, expected);
        return Ok(SetAside::Wait(scope));
    }
    let beside = open_amount(reservation.set_aside_beside(payer, day));
    usage::reserve(tx, &payer.on(day), open_amount(expected.prompt), beside).await?;
    let change = Change {
        plus: bounded(expected.prompt),
        minus: Amount::default(),
    };
    spending.change_by_call(tx, payer, day, change);
    reservation.begins(payer, day, expected);
    Ok(SetAside::On(day))
}

/// Returns an amount in the form of its columns.
fn open_amount(amount: Amount) -> OpenAmount {
    OpenAmount {
        tokens: whole(amount.tokens),
        micros: whole(amount.micros),
    }
}

/// Returns an amount that is no higher than what is written of it.
fn bounded(amount: Amount) -> Amount {
    Amount {
        tokens: amount.tokens.min(MOST_BOOKED),
        micros: amount.micros.min(MOST_BOOKED),
    }
}

fn expected(rules: &BudgetRules, call: &NextCall<'_>) -> Expected {
    let price = rules.prices.of(call.model);
    let cost = |usage: Usage| price.map_or(0, |price| price.cost(&usage));
    Expected {
        prompt: Amount {
            tokens: call.prompt_tokens,
            micros: cost(Usage {
                prompt_tokens: call.prompt_tokens,
                ..Usage::default()
            }),
        },
        answer: Amount {
            tokens: call.answer_tokens,
            micros: cost(Usage {
                completion_tokens: call.answer_tokens,
                ..Usage::default()
            }),
        },
    }
}

/// Returns whether a call may be made beside others: the first one always, and a further one as
/// long as all that they may take fits.
fn has_room(limit: Limit, booked: Amount, others: &Others, expected: Expected) -> bool {
    let all = booked.plus(others.at_most);
    others.count == 0 || limit.holds(all.plus(expected.prompt).plus(expected.answer))
}

/// What one use of a model cost.
#[derive(Debug, Clone, Copy)]
pub struct ModelUse<'a> {
    /// The model, as prices name it.
    pub model: &'a str,
    /// The tokens.
    pub usage: &'a Usage,
    /// Whether they were estimated, because the server did not say.
    pub is_estimated: bool,
}

/// What is booked.
#[derive(Debug, Clone, Copy)]
pub struct Settled<'a> {
    /// What was used.
    pub call: ModelUse<'a>,
    /// What was set aside for it.
    pub set_aside: Amount,
    /// The day on which that was.
    pub day: Day,
}

/// Books what a call cost on the day on which it was set aside; returns the limits of which little
/// is left since this call.
pub async fn settle(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    settled: Settled<'_>,
    reservations: &Reservations,
) -> Result<Vec<Warning>, StoreError> {
    let Settled {
        call,
        set_aside,
        day,
    } = settled;
    let cost = call.usage;
    let micros = rules.prices.of(call.model).map(|price| price.cost(cost));
    let booking = Booking {
        prompt_tokens: whole(cost.prompt_tokens),
        cached_tokens: whole(cost.cached_tokens),
        completion_tokens: whole(cost.completion_tokens),
        is_estimated: call.is_estimated,
        micros: micros.map(whole),
    };
    usage::settle(tx, &payer.on(day), &booking, open_amount(set_aside)).await?;
    let spending = reservations.spending();
    let change = Change {
        plus: booked(&booking),
        minus: bounded(set_aside),
    };
    spending.change_by_call(tx, payer, day, change);
    count(cost, micros);
    let mut warnings = Vec::new();
    for known in known_standings(tx, rules, payer, day, spending).await? {
        let scope = known.scope;
        let Some(key) = payer.key(scope, day) else {
            continue;
        };
        let used = known.limit.used(known.spent.tokens, known.spent.micros);
        if used >= TELLS_AT && usage::tell_once(tx, &key).await? {
            warnings.push(Warning { scope, used, day });
        }
    }
    Ok(warnings)
}

/// Books what was read beside the model calls of a turn, such as the texts that an embedder was
/// given. It counts like a call but refuses nothing; a notice that it causes is sent with the next
/// call.
pub async fn book_reading(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    read: ModelUse<'_>,
    reservations: &Reservations,
) -> Result<(), StoreError> {
    let tokens = read.usage.prompt_tokens;
    let price = rules.prices.of(read.model);
    let booking = Booking {
        prompt_tokens: whole(tokens),
        is_estimated: read.is_estimated,
        micros: price.map(|price| whole(price.cost(read.usage))),
        ..Booking::default()
    };
    let spending = reservations.spending();
    let day = spending.today(tx).await?;
    usage::add(tx, &payer.on(day), &booking).await?;
    let change = Change {
        plus: booked(&booking),
        minus: Amount::default(),
    };
    spending.change(tx, payer, day, change);
    metrics::counter!("sayso_tokens_total", "kind" => "embedded").increment(tokens);
    if let Some(micros) = booking.micros {
        metrics::counter!("sayso_money_micros_total").increment(micros.unsigned_abs());
    }
    Ok(())
}

/// Returns how high a limit is today and what was spent of it; `None` where there is none.
pub(super) async fn standing(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    scope: Scope,
    day: Day,
) -> Result<Option<(Limit, Spent)>, StoreError> {
    let standings = read_standings(tx, rules, payer, &[scope], day).await?;
    let only = standings.into_iter().next();
    Ok(only.map(|(_, percent, spent)| (rules.limit(scope).raised(percent), spent)))
}

/// How a limit stands.
#[derive(Debug, Clone, Copy)]
struct KnownStanding {
    scope: Scope,
    limit: Limit,
    spent: Amount,
}

/// Returns the same of all limits that there are, read only where they are not known.
async fn known_standings(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    day: Day,
    spending: &SpendingCache,
) -> Result<Vec<KnownStanding>, StoreError> {
    let limited = |scope: &Scope| match scope {
        Scope::Turn => payer.turn.is_some(),
        Scope::Routine => payer.routine.is_some(),
        Scope::User | Scope::Instance | Scope::Month => true,
    };
    let scopes = Scope::ALL.into_iter().filter(limited);
    let scopes = scopes.filter(|scope| !rules.limit(*scope).is_none());
    let (mut standings, mut unknown) = (Vec::new(), Vec::new());
    for scope in scopes {
        match spending.limit(tx, payer, scope, day) {
            Some(known) => standings.push(KnownStanding {
                scope,
                limit: rules.limit(scope).raised(known.percent),
                spent: known.spent,
            }),
            None => unknown.push(scope),
        }
    }
    if unknown.is_empty() {
        return Ok(standings);
    }
    for (scope, percent, mut spent) in read_standings(tx, rules, payer, &unknown, day).await? {
        add_unwritten(&mut spent, spending, payer, scope);
        let spent = amounts(&spent);
        spending.note_limit(tx, payer, scope, day, KnownLimit { percent, spent });
        standings.push(KnownStanding {
            scope,
            limit: rules.limit(scope).raised(percent),
            spent,
        });
    }
    // The narrowest limit is judged first.
    standings.sort_by_key(|known| Scope::ALL.iter().position(|scope| *scope == known.scope));
    Ok(standings)
}

/// Has a turn that a crash cut off have spent what its journal says: these calls, each with the
/// model that answered. Nothing is written where this process knows what it has spent.
pub async fn restore_turn(
    tx: &mut Tx,
    rules: &BudgetRules,
    reservations: &Reservations,
    turn: TurnId,
    calls: &[(String, Usage)],
) -> Result<(), StoreError> {
    if reservations.spending().unwritten(turn).is_some() {
        return Ok(());
    }
    let mut spent = OpenAmount::default();
    for (model, usage) in calls {
        let micros = rules.prices.of(model).map_or(0, |price| price.cost(usage));
        let tokens = usage.prompt_tokens.saturating_add(usage.completion_tokens);
        spent.tokens += whole(tokens);
        spent.micros += whole(micros);
    }
    usage::raise_turn(tx, turn, spent).await
}

/// Adds to what was read of a turn what is not in its row yet.
fn add_unwritten(
    spent: &mut Spent,
    spending: &SpendingCache,
    payer: &BillingSubject,
    scope: Scope,
) {
    let turn = payer.turn.filter(|_| scope == Scope::Turn);
    if let Some(unwritten) = turn.and_then(|turn| spending.unwritten(turn)) {
        spent.tokens += unwritten.tokens;
        spent.micros += unwritten.micros;
    }
}

/// Returns how high those of these limits are that there are, in percent of their configured
/// height, and what was spent of each.
async fn read_standings(
    tx: &mut Tx,
    rules: &BudgetRules,
    payer: &BillingSubject,
    scopes: &[Scope],
    day: Day,
) -> Result<Vec<(Scope, u64, Spent)>, StoreError> {
    let (first, last) = day.month();
    let (date, first, last) = (day.to_string(), first.to_string(), last.to_string());
    let spent_by = |scope| match scope {
        Scope::Turn => payer.turn.map(SpentBy::Turn),
        Scope::User => Some(SpentBy::User(payer.user, &date)),
        Scope::Routine => {
            let routine = payer.routine.as_ref()?;
            Some(SpentBy::Routine(routine, &date))
        }
        Scope::Instance => Some(SpentBy::All(&date, &date)),
        Scope::Month => Some(SpentBy::All(&first, &last)),
    };
    let configured = scopes.iter().map(|&scope| (scope, rules.limit(scope)));
    let limited = configured.filter(|(_, limit)| !limit.is_none());
    let (limited, asked): (Vec<_>, Vec<_>) = limited
        .filter_map(|(scope, _)| {
            let asked = (payer.key(scope, day), spent_by(scope)?);
            Some((scope, asked))
        })
        .unzip();
    let standings = usage::standings(tx, &asked).await?;
    let standings = standings.into_iter().map(|standing| {
        let percent = u64::try_from(standing.percent).unwrap_or(100);
        (percent, standing.spent)
    });
    let each = limited.into_iter().zip(standings);
    Ok(each
        .map(|(scope, (percent, spent))| (scope, percent, spent))
        .collect())
}

/// Returns tokens and money of what was spent.
pub(super) fn amounts(spent: &Spent) -> Amount {
    let natural = |amount: i64| u64::try_from(amount).unwrap_or_default();
    Amount {
        tokens: natural(spent.tokens),
        micros: natural(spent.micros),
    }
}

/// Returns what is spent by a booking.
fn booked(booking: &Booking) -> Amount {
    let natural = |amount: i64| u64::try_from(amount).unwrap_or_default();
    Amount {
        tokens: natural(booking.prompt_tokens + booking.completion_tokens),
        micros: natural(booking.micros.unwrap_or_default()),
    }
}

fn whole(amount: u64) -> i64 {
    i64::try_from(amount.min(MOST_BOOKED)).unwrap_or_default()
}

fn count(cost: &Usage, micros: Option<u64>) {
    let prompt = cost.prompt_tokens.saturating_sub(cost.cached_tokens);
    for (kind, tokens) in [
        ("prompt", prompt),
        ("cached", cost.cached_tokens),
        ("completion", cost.completion_tokens),
    ] {
        metrics::counter!("sayso_tokens_total", "kind" => kind).increment(tokens);
    }
    if let Some(micros) = micros {
        metrics::counter!("sayso_money_micros_total").increment(micros);
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;
