//! Recall by meaning: with an embedder that answers at once, so that what is measured is ours.

use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use sayso::bench_support::{Embedder, Embedding, ProviderError, StoredMemory, Vectors};

use crate::figures::Figures;
use crate::filled::Filled;
use crate::made_up::MadeUp;

/// As many numbers as all-MiniLM gives.
const DIMENSION: usize = 384;

struct AtOnce;

#[async_trait]
impl Embedder for AtOnce {
    fn name(&self) -> &'static str {
        "at-once"
    }

    fn dimension(&self) -> Option<usize> {
        Some(DIMENSION)
    }

    async fn embed(&self, texts: &[String]) -> Result<Embedding, ProviderError> {
        let of = |text: &String| {
            let mix = |sum: u64, byte: u8| sum.wrapping_mul(31).wrapping_add(u64::from(byte));
            MadeUp::from(text.bytes().fold(0, mix)).vector(DIMENSION)
        };
        Ok(Embedding {
            vectors: texts.iter().map(of).collect(),
            tokens: None,
        })
    }
}

/// What recall takes with vectors, and how fast they were made.
pub struct Meaning {
    pub recall: Figures,
    pub embedded_per_s: f64,
}

/// Has everything of one user embedded, and then recalled by words and by meaning.
pub async fn recall_by_meaning(
    filled: &Filled,
    user: i64,
    entries: usize,
) -> anyhow::Result<Meaning> {
    // The minimum similarity is off: the similarities of random vectors are arbitrary.
    let vectors = Vectors::open(filled.store.clone(), Arc::new(AtOnce), -1.0).await?;
    let began = Instant::now();
    vectors.catch_up_from_start().await?;
    let embedded_per_s = entries as f64 / began.elapsed().as_secs_f64();
    let memory = StoredMemory::new(filled.store.clone()).with_vectors(Some(Arc::new(vectors)));
    let recall = Filled::recall_from(&memory, &(user..user + 1), entries).await?;
    Ok(Meaning {
        recall,
        embedded_per_s,
    })
}
