//! What embedders read, booked on those whose turns it was for.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::Usage;
use sayso_memory::{EmbeddingLedger, OnBehalf, TokensRead};
use sayso_store::{Store, StoreError, Tx, usage};

use crate::budget::{self, BillingSubject, BudgetRules, ModelUse, Reservations};

/// Books what embedding costs in the database of this instance.
#[derive(Clone)]
pub struct StoredLedger {
    store: Store,
    rules: Arc<BudgetRules>,
    reservations: Reservations,
}

impl StoredLedger {
    /// Books at the prices of these rules.
    pub fn new(store: Store, rules: Arc<BudgetRules>, reservations: Reservations) -> Self {
        Self {
            store,
            rules,
            reservations,
        }
    }
}

#[async_trait]
impl EmbeddingLedger for StoredLedger {
    async fn book(&self, model: &str, read: Vec<TokensRead>) {
        let (this, model) = (self.clone(), model.to_owned());
        // The write is not awaited, so errors are logged inside it.
        let _ = self
            .store
            .write_later(move |tx| {
                Box::pin(async move {
                    let booked = this.book_all(tx, &model, &read).await;
                    if let Err(error) = &booked {
                        tracing::error!(%error, "embedder usage not recorded");
                    }
                    booked
                })
            })
            .await;
    }
}

impl StoredLedger {
    async fn book_all(
        &self,
        tx: &mut Tx,
        model: &str,
        read: &[TokensRead],
    ) -> Result<(), StoreError> {
        for read in read {
            let turn = match read.on_behalf {
                OnBehalf::Memory(memory) => usage::turn_of_memory(tx, memory).await?,
                OnBehalf::Asker(owner) => usage::turn_of_owner(tx, owner).await?,
            };
            // A user who was erased meanwhile is not charged.
            let Some((user, session, turn)) = turn else {
                continue;
            };
            let payer = BillingSubject {
                user,
                session,
                turn: Some(turn),
                routine: None,
                fence: None,
            };
            let usage = Usage {
                prompt_tokens: read.tokens,
                ..Usage::default()
            };
            let read = ModelUse {
                model,
                usage: &usage,
                is_estimated: read.is_estimated,
            };
            budget::book_reading(tx, &self.rules, &payer, read, &self.reservations).await?;
        }
        Ok(())
    }
}
