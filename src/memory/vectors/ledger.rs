//! What embedding costs and in whose name: the port, and how an answer's tokens are shared among
//! its texts. `sessions` books it.

use async_trait::async_trait;
use sayso_core::transcript::{MemoryId, Owner, estimate_tokens};
use sayso_providers::{Embedding, ProviderError};
use sayso_store::vectors::Unembedded;
use tokio::time::error::Elapsed;

use super::Vectors;

/// Books what an embedder read. Nothing is refused by it: a memory that is to be found costs less
/// than the turn that it comes from, which was within its limits.
#[async_trait]
pub trait EmbeddingLedger: Send + Sync {
    /// Books tokens at the price of this model. Waits for no commit.
    async fn book(&self, model: &str, read: Vec<TokensRead>);
}

/// Tokens that an embedder read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokensRead {
    /// In whose name.
    pub on_behalf: OnBehalf,
    /// How many.
    pub tokens: u64,
    /// Whether the count is our own estimate, not the provider's.
    pub is_estimated: bool,
}

/// In whose name something was embedded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnBehalf {
    /// Of the turn that a memory comes from.
    Memory(MemoryId),
    /// Of the turn of this owner that asks now.
    Asker(Owner),
}

impl Vectors {
    /// Books the tokens of a query. A query that timed out is booked too, since the provider may
    /// have processed it.
    pub(super) async fn book_query(
        &self,
        owner: Owner,
        query: &[String],
        asked: &Result<Result<Embedding, ProviderError>, Elapsed>,
    ) {
        let counted = match asked {
            Ok(Ok(embedding)) => embedding.tokens,
            Ok(Err(_)) => return,
            Err(_) => None,
        };
        let estimated = query.iter().map(|text| weight(text)).sum();
        let read = TokensRead {
            on_behalf: OnBehalf::Asker(owner),
            tokens: counted.unwrap_or(estimated),
            is_estimated: counted.is_none(),
        };
        self.book(vec![read]).await;
    }

    /// Books what the vectors of these memories cost.
    pub(super) async fn book_memories(&self, memories: &[Unembedded], counted: Option<u64>) {
        self.book(shared(memories, counted)).await;
    }

    async fn book(&self, read: Vec<TokensRead>) {
        if let Some(ledger) = &self.ledger {
            ledger.book(self.embedder.name(), read).await;
        }
    }
}

/// Shares what was counted among the texts, by their estimated lengths.
fn shared(memories: &[Unembedded], counted: Option<u64>) -> Vec<TokensRead> {
    let all: u64 = memories.iter().map(|memory| weight(&memory.text)).sum();
    let (mut before, mut given) = (0, 0);
    let share = |memory: &Unembedded| {
        before += weight(&memory.text);
        // What is rounded off goes to the next one, so the sum is what was counted.
        let until = counted.unwrap_or(all) * before / all.max(1);
        let tokens = until - given;
        given = until;
        TokensRead {
            on_behalf: OnBehalf::Memory(memory.id),
            tokens,
            is_estimated: counted.is_none(),
        }
    };
    memories.iter().map(share).collect()
}

fn weight(text: &str) -> u64 {
    estimate_tokens(text).max(1) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memories() -> Vec<Unembedded> {
        let texts = ["tea", "茶茶茶茶茶茶", "a cup of tea at four"];
        let memory = |(id, text): (i64, &str)| Unembedded {
            id: MemoryId(id),
            text: text.to_owned(),
            about: None,
        };
        (1..).zip(texts).map(memory).collect()
    }

    #[test]
    fn all_that_was_counted_is_shared_by_length() {
        for counted in [1, 7, 100, 12_345] {
            let shares = shared(&memories(), Some(counted));
            assert_eq!(shares.iter().map(|it| it.tokens).sum::<u64>(), counted);
            assert!(shares[0].tokens <= shares[1].tokens);
            assert!(shares.iter().all(|it| !it.is_estimated));
        }
    }

    #[test]
    fn what_no_one_counted_is_estimated() {
        let shares = shared(&memories(), None);
        let tokens: Vec<u64> = shares.iter().map(|it| it.tokens).collect();
        let texts = memories();
        let estimates: Vec<u64> = texts.iter().map(|it| weight(&it.text)).collect();
        assert_eq!(tokens, estimates);
        assert!(shares.iter().all(|it| it.is_estimated));
    }
}
