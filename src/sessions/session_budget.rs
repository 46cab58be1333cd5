//! The budget meter of a turn: reservations and settlements in the store, notices about the remaining
//! budget.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use sayso_channel::{Address, Language, Outbound};
use sayso_core::transcript::Usage;
use sayso_store::outbox::OutboxRow;
use sayso_store::{Committed, StoreError, Tx, Urgency, chats, languages, now_ms};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::claim::Claim;
use super::{Owners, SessionContext};
use crate::agent::{BudgetMeter, BudgetReservation, Cost, PlannedCall};
use crate::budget::{
    self, BillingSubject, Day, ModelUse, NextCall, RaiseAsked, RaiseState, Reservation, Scope,
    SetAside, Settled, UsedUp, Waiting, Warning,
};
use crate::delivery::{Purpose, Saying};
use crate::executor::JournalError;
use crate::routines;

/// How long a call waits for others to be booked that may use up a limit: as long as most answers
/// take, and a person waits.
const WAITS_FOR: Duration = Duration::from_mins(5);

/// The budget meter of one claimed turn.
pub struct StoredBudgetMeter {
    budget: SessionBudget,
    stop: CancellationToken,
    /// The call under way.
    reserved: Option<Reserved>,
    /// The guessed first step beside it.
    guess: Option<Reserved>,
    /// What was set aside and is on its way to the disk.
    set_aside: Vec<Committed<Option<Refused>>>,
    /// What was booked and rides with a later commit.
    booked: Vec<Committed<Vec<OutboxRow>>>,
}

/// Reserves, books, and writes the notices about limits.
#[derive(Clone)]
pub(super) struct SessionBudget {
    ctx: SessionContext,
    payer: BillingSubject,
    /// Where the turn's outcome is said, and in whose language.
    waiting: Waiting,
    language: Language,
}

/// A call that is set aside. As long as this is kept, others reckon with its answer.
#[derive(Debug, Clone)]
pub(super) struct Reserved {
    /// The day on which it is booked.
    day: Day,
    reservation: Arc<Reservation>,
}

/// The outcome of trying to set a call aside.
enum Tried {
    /// It may be made.
    Reserved(Reserved),
    /// Calls in flight may take what is left of this limit.
    Wait(Scope),
    /// It may not be made.
    Refused(Refused),
}

/// What follows where a limit is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WhenUsedUp {
    /// The owners are asked to raise it.
    OwnersAsked,
    /// Nothing: the call can be made later.
    Silent,
}

/// Whether a background call is made.
pub(super) enum Begun<T> {
    /// It is, or was.
    Yes(T),
    /// A limit of the budget is reached.
    NoFunds,
    /// Somebody is speaking again, or it was done meanwhile.
    Busy,
}

/// A call that is not made.
#[derive(Debug, Default)]
struct Refused {
    why: String,
    said: Vec<OutboxRow>,
}

impl SessionBudget {
    /// Notes that a run of a routine ends because there is no budget for it.
    async fn note_exhausted(&self) -> Result<(), JournalError> {
        let (Some(turn), Some(_)) = (self.payer.turn, &self.payer.routine) else {
            return Ok(());
        };
        let noted = self.ctx.store.write_soon(move |tx| {
            Box::pin(async move { routines::note_over_budget(tx, turn).await })
        });
        noted.await.map_err(journal_error)
    }
}

impl StoredBudgetMeter {
    /// Returns the budget meter of a claimed turn, which may be a run of a routine.
    pub fn new(
        ctx: SessionContext,
        claim: &Claim,
        routine: Option<String>,
        stop: CancellationToken,
    ) -> Self {
        let payer = BillingSubject {
            user: claim.turn.user_id,
            session: claim.session.id,
            turn: Some(claim.turn.id),
            routine,
            fence: Some(claim.fence),
        };
        let waiting = Waiting {
            address: claim.address.clone(),
            language: claim.session.language.clone(),
        };
        Self {
            budget: SessionBudget::new(ctx, payer, waiting),
            stop,
            reserved: None,
            guess: None,
            set_aside: Vec::new(),
            booked: Vec::new(),
        }
    }

    /// Waits until everything that was booked is on disk, and has what was written with it said.
    pub async fn close(self) {
        for booked in self.booked {
            match booked.wait().await {
                Ok(said) => self.budget.ctx.outbox.offer(said),
                // What was set aside for the call goes on counting as spent.
                Err(error) => tracing::error!(%error, "model usage not recorded"),
            }
        }
    }

    async fn book_later(&mut self, reserved: Reserved, costs: Vec<Cost>) {
        let budget = self.budget.clone();
        let store = self.budget.ctx.store.clone();
        let booked = store
            .write_later(move |tx| {
                Box::pin(async move { budget.book(tx, &reserved, &costs).await })
            })
            .await;
        self.booked.push(booked);
    }

    /// Does not wait for the disk: the order of the line is enough against other turns, and a crash
    /// in the milliseconds until then cuts off a call that has hardly begun.
    async fn try_set_aside(
        &mut self,
        call: &PlannedCall,
        reservation: &Arc<Reservation>,
        when_used_up: WhenUsedUp,
    ) -> Result<Tried, JournalError> {
        let (budget, call) = (self.budget.clone(), call.clone());
        let (decided, decision) = oneshot::channel();
        let place = Arc::clone(reservation);
        let store = self.budget.ctx.store.clone();
        let committed = store
            .enqueue(Urgency::Soon, move |tx| {
                Box::pin(async move {
                    let set_aside = budget.set_aside(tx, &call, &place).await?;
                    let SetAside::UsedUp(used_up) = set_aside else {
                        // An asker who went away needs no answer.
                        let _ = decided.send(set_aside);
                        return Ok(None);
                    };
                    if when_used_up == WhenUsedUp::Silent {
                        return Ok(Some(Refused::default()));
                    }
                    if let Some(fence) = budget.payer.fence {
                        chats::check_fence(tx, budget.payer.session, fence).await?;
                    }
                    budget.refuse(tx, &used_up).await.map(Some)
                })
            })
            .await;
        match decision.await {
            Ok(SetAside::On(day)) => {
                self.set_aside.push(committed);
                Ok(Tried::Reserved(Reserved {
                    day,
                    reservation: Arc::clone(reservation),
                }))
            }
            Ok(SetAside::Wait(scope)) => Ok(Tried::Wait(scope)),
            Ok(SetAside::UsedUp(_)) | Err(_) => {
                let refused = committed.wait().await.map_err(journal_error)?;
                let refused = refused.ok_or_else(nothing_decided)?;
                Ok(Tried::Refused(refused))
            }
        }
    }
}

#[async_trait]
impl BudgetMeter for StoredBudgetMeter {
    async fn reserve(&mut self, call: &PlannedCall) -> Result<BudgetReservation, JournalError> {
        let failure = self.set_aside.iter_mut().find_map(Committed::failure);
        self.set_aside.clear();
        if let Some(error) = failure {
            return Err(journal_error(error));
        }
        let reservations = self.budget.ctx.reservations.clone();
        let reservation = Arc::new(reservations.reserve());
        let until = Instant::now() + WAITS_FOR;
        loop {
            // What changes while this is decided counts.
            let changed = reservations.changed();
            let scope = match self
                .try_set_aside(call, &reservation, WhenUsedUp::OwnersAsked)
                .await?
            {
                Tried::Reserved(reserved) => {
                    self.reserved = Some(reserved);
                    return Ok(BudgetReservation::Enough);
                }
                Tried::Refused(refused) => {
                    self.budget.ctx.outbox.offer(refused.said);
                    self.budget.note_exhausted().await?;
                    return Ok(BudgetReservation::Exhausted { why: refused.why });
                }
                Tried::Wait(scope) => scope,
            };
            tokio::select! {
                () = changed => {}
                () = self.stop.cancelled() => return Ok(BudgetReservation::Stopped),
                () = sleep_until(until) => {
                    let why = budget::messages::in_use(scope, self.budget.language);
                    return Ok(BudgetReservation::Exhausted { why });
                }
            }
        }
    }

    async fn settle(&mut self, costs: Vec<Cost>) -> Result<(), JournalError> {
        if let Some(reserved) = self.reserved.take() {
            self.book_later(reserved, costs).await;
        }
        Ok(())
    }

    async fn reserve_guess(&mut self, call: &PlannedCall) -> Result<bool, JournalError> {
        let reservation = Arc::new(self.budget.ctx.reservations.reserve());
        let tried = self
            .try_set_aside(call, &reservation, WhenUsedUp::Silent)
            .await?;
        let Tried::Reserved(reserved) = tried else {
            return Ok(false);
        };
        self.guess = Some(reserved);
        Ok(true)
    }

    async fn settle_guess(&mut self, costs: Vec<Cost>) -> Result<(), JournalError> {
        if let Some(reserved) = self.guess.take() {
            self.book_later(reserved, costs).await;
        }
        Ok(())
    }
}

impl SessionBudget {
    /// Returns the budget of a billing subject; its notices go to the place where that user waits.
    pub(super) fn new(ctx: SessionContext, payer: BillingSubject, waiting: Waiting) -> Self {
        let language = ctx.limits.language_in(&waiting.language);
        Self {
            ctx,
            payer,
            waiting,
            language,
        }
    }

    /// Sets aside what a call costs at least, unless a limit is reached; says nothing about it.
    async fn set_aside(
        &self,
        tx: &mut Tx,
        call: &PlannedCall,
        reservation: &Reservation,
    ) -> Result<SetAside, StoreError> {
        let call = NextCall {
            model: &call.model,
            prompt_tokens: call.prompt_tokens,
            certain_tokens: call.certain_tokens,
            answer_tokens: call.answer_tokens,
        };
        budget::reserve(tx, &self.ctx.budget, &self.payer, &call, reservation).await
    }

    /// Reserves the minimum cost of a background call, if `begin` finds in the same transaction
    /// that the call is still to be made.
    pub(super) async fn begin<T: Send + 'static>(
        &self,
        planned: &PlannedCall,
        begin: impl for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<Option<T>, StoreError>>
        + Send
        + 'static,
    ) -> Result<Begun<(Reserved, T)>, StoreError> {
        let (budget, planned) = (self.clone(), planned.clone());
        let reservation = Arc::new(self.ctx.reservations.reserve());
        let begun = self.ctx.store.write(move |tx| {
            Box::pin(async move {
                // What is not paid for is no try; nor is what would have to wait.
                let day = match budget.set_aside(tx, &planned, &reservation).await? {
                    SetAside::On(day) => day,
                    SetAside::UsedUp(_) | SetAside::Wait(_) => return Ok(Begun::NoFunds),
                };
                let reserved = Reserved { day, reservation };
                if let Some(begun) = begin(tx).await? {
                    return Ok(Begun::Yes((reserved, begun)));
                }
                let nothing = Cost {
                    model: planned.model.clone(),
                    usage: Usage::default(),
                    is_estimated: false,
                };
                budget.book(tx, &reserved, &[nothing]).await?;
                Ok(Begun::Busy)
            })
        });
        begun.await
    }

    /// Asks the owners, unless they are asked already, and words the refusal.
    async fn refuse(&self, tx: &mut Tx, used_up: &UsedUp) -> Result<Refused, StoreError> {
        let owners = self.owners().direct_chats(tx).await?;
        let asked = if owners.is_empty() {
            RaiseAsked::NotAsked
        } else {
            budget::ask(tx, used_up, &self.payer, &self.waiting).await?
        };
        let mut said = Vec::new();
        if let RaiseAsked::Now(prompt) = &asked {
            for owner in &owners {
                let (rules, language) = (&self.ctx.budget, self.language_at(tx, owner).await?);
                let card = budget::document(tx, rules, prompt, RaiseState::Open, language).await?;
                said.extend(self.say(tx, owner, &card, Some(prompt.id())).await?);
            }
        }
        let is_owner_asked = asked != RaiseAsked::NotAsked;
        let why = budget::messages::used_up(used_up, is_owner_asked, now_ms(), self.language);
        Ok(Refused { why, said })
    }

    /// Books what a call cost, and tells of limits of which little is left since then.
    pub(super) async fn book(
        &self,
        tx: &mut Tx,
        reserved: &Reserved,
        costs: &[Cost],
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let (mut said, day) = (Vec::new(), reserved.day);
        // It is given back with the first of several costs.
        let mut set_aside = reserved.reservation.set_aside();
        for cost in costs {
            let call = ModelUse {
                model: &cost.model,
                usage: &cost.usage,
                is_estimated: cost.is_estimated,
            };
            let settled = Settled {
                call,
                set_aside: std::mem::take(&mut set_aside),
                day,
            };
            let (rules, all) = (&self.ctx.budget, &self.ctx.reservations);
            let warnings = budget::settle(tx, rules, &self.payer, settled, all).await?;
            for warning in warnings {
                said.extend(self.warn(tx, &warning).await?);
            }
        }
        Ok(said)
    }

    async fn warn(&self, tx: &mut Tx, warning: &Warning) -> Result<Vec<OutboxRow>, StoreError> {
        let words =
            |language| Outbound::markdown(budget::messages::warning(warning, now_ms(), language));
        if !warning.scope.is_everybodys() {
            let at = &self.waiting.address;
            return self.say(tx, at, &words(self.language), None).await;
        }
        let mut said = Vec::new();
        for owner in &self.owners().direct_chats(tx).await? {
            let language = self.language_at(tx, owner).await?;
            said.extend(self.say(tx, owner, &words(language), None).await?);
        }
        Ok(said)
    }

    /// Says a card about this subject, or a notice about none.
    async fn say(
        &self,
        tx: &mut Tx,
        to: &Address,
        outbound: &Outbound,
        subject: Option<i64>,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let purpose = match subject {
            Some(_) => Purpose::Card,
            None => Purpose::Notice,
        };
        let saying = Saying {
            to,
            purpose,
            turn: None,
            subject,
            outbound,
        };
        self.ctx.outbox.say(tx, saying).await
    }

    fn owners(&self) -> &dyn Owners {
        self.ctx.owners.as_ref()
    }

    /// Returns the language of the person in a direct chat.
    async fn language_at(&self, tx: &mut Tx, chat: &Address) -> Result<Language, StoreError> {
        let reads = languages::of_chat(tx, chat.channel.as_str(), chat.chat.as_str()).await?;
        Ok(self.ctx.limits.language_in(&reads))
    }
}

fn nothing_decided() -> JournalError {
    JournalError::Broken("nothing was decided".to_owned())
}

fn journal_error(error: StoreError) -> JournalError {
    match error {
        StoreError::Fenced => JournalError::Lost,
        other => JournalError::Broken(other.to_string()),
    }
}
