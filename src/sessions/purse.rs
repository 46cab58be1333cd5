//! The purse of a turn over the store: what is set aside and booked, and who is told what is left.

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use sayso_channel::{Address, Language, Outbound};
use tokio::sync::oneshot;

use super::claim::Claim;
use super::{Owners, Surroundings};
use crate::agent::{Cost, Funds, JournalError, PlannedCall, Purse};
use crate::budget::{self, Asked, Day, Payer, SetAside, UsedUp, Waiting, Warning};
use crate::delivery::{Purpose, Saying};
use crate::store::outbox::OutboxRow;
use crate::store::{Committed, StoreError, Tx, Urgency, chats, now_ms};
use crate::transcript::Usage;

/// The purse of one claimed turn.
pub struct StoredPurse {
    teller: Teller,
    /// The day on which the call under way was set aside.
    day: Option<Day>,
    /// What was set aside and is on its way to the disk.
    set_aside: Vec<Committed<Option<Refused>>>,
    /// What was booked and rides with a later commit.
    booked: Vec<Committed<Vec<OutboxRow>>>,
}

/// Sets aside, books, and writes what is told about limits.
#[derive(Clone)]
pub(super) struct Teller {
    around: Surroundings,
    payer: Payer,
    /// Where the turn's outcome is said, and in whose language.
    waiting: Waiting,
    language: Language,
}

/// Whether a call is made that nobody waits for.
pub(super) enum Begun<T> {
    /// It is, or was.
    Yes(T),
    /// A limit of the budget is reached.
    NoFunds,
    /// Somebody is speaking again, or it was done meanwhile.
    Busy,
}

/// A call that is not made.
#[derive(Debug)]
struct Refused {
    why: String,
    said: Vec<OutboxRow>,
}

impl StoredPurse {
    /// Returns the purse of a claimed turn, which may be a run of a routine.
    pub fn new(around: Surroundings, claim: &Claim, routine: Option<String>) -> Self {
        let payer = Payer {
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
            teller: Teller::new(around, payer, waiting),
            day: None,
            set_aside: Vec::new(),
            booked: Vec::new(),
        }
    }

    /// Waits until everything that was booked is on disk, and has what was written with it said.
    pub async fn close(self) {
        for booked in self.booked {
            match booked.wait().await {
                Ok(said) => self.teller.around.voice.offer(said),
                // What was set aside for the call goes on counting as spent.
                Err(error) => tracing::error!(%error, "a model call was not booked"),
            }
        }
    }
}

#[async_trait]
impl Purse for StoredPurse {
    /// Does not wait for the disk: the order of the line is enough against other turns, and a crash in
    /// the milliseconds until then cuts off a call that has hardly begun.
    async fn set_aside(&mut self, call: &PlannedCall) -> Result<Funds, JournalError> {
        let failure = self.set_aside.iter_mut().find_map(Committed::failure);
        self.set_aside.clear();
        if let Some(error) = failure {
            return Err(journal_error(error));
        }
        let (teller, call) = (self.teller.clone(), call.clone());
        let (allowed, decision) = oneshot::channel();
        let store = self.teller.around.store.clone();
        let committed = store
            .enqueue(Urgency::Soon, move |tx| {
                Box::pin(async move {
                    match teller.set_aside(tx, &call).await? {
                        SetAside::On(day) => {
                            // Whoever asked and went away needs no answer.
                            let _ = allowed.send(day);
                            Ok(None)
                        }
                        SetAside::UsedUp(used_up) => {
                            if let Some(fence) = teller.payer.fence {
                                chats::check_fence(tx, teller.payer.session, fence).await?;
                            }
                            teller.refuse(tx, &used_up).await.map(Some)
                        }
                    }
                })
            })
            .await;
        if let Ok(day) = decision.await {
            self.day = Some(day);
            self.set_aside.push(committed);
            return Ok(Funds::Enough);
        }
        match committed.wait().await.map_err(journal_error)? {
            Some(refused) => {
                self.teller.around.voice.offer(refused.said);
                Ok(Funds::UsedUp { why: refused.why })
            }
            None => Err(JournalError::Broken("nothing was decided".to_owned())),
        }
    }

    async fn book(&mut self, costs: Vec<Cost>) -> Result<(), JournalError> {
        let Some(day) = self.day.take() else {
            return Ok(());
        };
        let teller = self.teller.clone();
        let store = self.teller.around.store.clone();
        let booked = store
            .write_later(move |tx| Box::pin(async move { teller.book(tx, day, &costs).await }))
            .await;
        self.booked.push(booked);
        Ok(())
    }
}

impl Teller {
    /// Returns the teller of who pays; where something must be told, it is told where they wait.
    pub(super) fn new(around: Surroundings, payer: Payer, waiting: Waiting) -> Self {
        let language = around.limits.language_in(&waiting.language);
        Self {
            around,
            payer,
            waiting,
            language,
        }
    }

    /// Sets aside what a call costs at least, unless a limit is reached; says nothing about it.
    pub(super) async fn set_aside(
        &self,
        tx: &mut Tx,
        call: &PlannedCall,
    ) -> Result<SetAside, StoreError> {
        let rules = &self.around.budget;
        let tokens = (call.prompt_tokens, call.certain_tokens);
        budget::set_aside(tx, rules, &self.payer, &call.model, tokens).await
    }

    /// Sets aside what a call costs at least that nobody waits for, if `begin` finds in the same
    /// transaction that it is still to be made.
    pub(super) async fn begin<T: Send + 'static>(
        &self,
        planned: &PlannedCall,
        begin: impl for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<Option<T>, StoreError>>
        + Send
        + 'static,
    ) -> Result<Begun<(Day, T)>, StoreError> {
        let (teller, planned) = (self.clone(), planned.clone());
        let begun = self.around.store.write(move |tx| {
            Box::pin(async move {
                // What is not paid for is no try.
                let day = match teller.set_aside(tx, &planned).await? {
                    SetAside::On(day) => day,
                    SetAside::UsedUp(_) => return Ok(Begun::NoFunds),
                };
                if let Some(begun) = begin(tx).await? {
                    return Ok(Begun::Yes((day, begun)));
                }
                let nothing = Cost {
                    model: planned.model.clone(),
                    usage: Usage::default(),
                    is_estimated: false,
                };
                teller.book(tx, day, &[nothing]).await?;
                Ok(Begun::Busy)
            })
        });
        begun.await
    }

    /// Asks the owners, unless they are asked already, and words the refusal.
    async fn refuse(&self, tx: &mut Tx, used_up: &UsedUp) -> Result<Refused, StoreError> {
        let owners = self.owners().direct_chats(tx).await?;
        let asked = if owners.is_empty() {
            Asked::Nobody
        } else {
            budget::ask(tx, used_up, &self.payer, &self.waiting).await?
        };
        let mut said = Vec::new();
        if let Asked::Now(row) = &asked {
            let language = self.owners_language();
            let card = budget::document(tx, &self.around.budget, row, language).await?;
            said = self.say(tx, &owners, &card, Some(row.id)).await?;
        }
        let is_owner_asked = asked != Asked::Nobody;
        let why = budget::messages::used_up(used_up, is_owner_asked, now_ms(), self.language);
        Ok(Refused { why, said })
    }

    /// Books what a call cost, and tells of limits of which little is left since then.
    pub(super) async fn book(
        &self,
        tx: &mut Tx,
        day: Day,
        costs: &[Cost],
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let mut said = Vec::new();
        for cost in costs {
            let what = (cost.model.as_str(), &cost.usage, cost.is_estimated);
            let warnings = budget::book(tx, &self.around.budget, &self.payer, day, what).await?;
            for warning in warnings {
                said.extend(self.warn(tx, &warning).await?);
            }
        }
        Ok(said)
    }

    async fn warn(&self, tx: &mut Tx, warning: &Warning) -> Result<Vec<OutboxRow>, StoreError> {
        let (chats, language) = if warning.scope.is_everybodys() {
            (
                self.owners().direct_chats(tx).await?,
                self.owners_language(),
            )
        } else {
            (vec![self.waiting.address.clone()], self.language)
        };
        let text = budget::messages::warning(warning, now_ms(), language);
        self.say(tx, &chats, &Outbound::markdown(text), None).await
    }

    /// Says a card about this subject, or a notice about none.
    async fn say(
        &self,
        tx: &mut Tx,
        chats: &[Address],
        outbound: &Outbound,
        subject: Option<i64>,
    ) -> Result<Vec<OutboxRow>, StoreError> {
        let purpose = match subject {
            Some(_) => Purpose::Card,
            None => Purpose::Notice,
        };
        let mut said = Vec::new();
        for to in chats {
            let saying = Saying {
                to,
                purpose,
                turn: None,
                subject,
                outbound,
            };
            said.extend(self.around.voice.say(tx, saying).await?);
        }
        Ok(said)
    }

    fn owners(&self) -> &dyn Owners {
        self.around.owners.as_ref()
    }

    fn owners_language(&self) -> Language {
        self.around.limits.language.unwrap_or_default()
    }
}

fn journal_error(error: StoreError) -> JournalError {
    match error {
        StoreError::Fenced => JournalError::Lost,
        other => JournalError::Broken(other.to_string()),
    }
}
