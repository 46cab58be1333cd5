//! Texts that an embedder takes in parts only, because its window is shorter than a memory may be.
//!
//! No limit is guessed at: one model reads 512 tokens and another 8,192, and servers count
//! differently. A text that is refused alone is halved until its parts are taken; its vector is the
//! mean of theirs. Nor is a status trusted: some servers report a text that is too long as a fault
//! of theirs. Whether a refusal is about the text shows in whether another one is taken.

use sayso_providers::{Embedder, Embedding, ProviderError};

/// What is refused although it is as short as this, in characters, is not refused for its length.
const SHORTEST: usize = 64;

/// The text of the probe request that shows whether the embedder accepts any text. Its one token is
/// not booked.
const PROBE: &str = "text";

/// Returns whether an error may be about what was asked, and not about who was.
pub(super) fn may_be_about_a_text(error: &ProviderError) -> bool {
    matches!(
        error,
        ProviderError::Refused { .. } | ProviderError::Broken { .. } | ProviderError::Garbage(_)
    )
}

/// Returns whether a text can be halved.
pub(super) fn has_parts(text: &str) -> bool {
    text.chars().nth(SHORTEST).is_some()
}

/// Returns whether the embedder takes another text than the one that it refused.
pub(super) async fn takes_another(embedder: &dyn Embedder) -> bool {
    embedder.embed(&[PROBE.to_owned()]).await.is_ok()
}

/// Asks for the parts of a text that was refused for this reason, and returns one vector.
///
/// A part that is refused however short it is has no share in the vector.
pub(super) async fn embed_in_parts(
    embedder: &dyn Embedder,
    text: &str,
    refusal: ProviderError,
) -> Result<Embedding, ProviderError> {
    let mut mean = Mean::default();
    let mut waiting = halves(text);
    while let Some(part) = waiting.pop() {
        match embedder.embed(&[part.to_owned()]).await {
            Ok(embedding) => mean.add(embedding, part.chars().count()),
            Err(error) if may_be_about_a_text(&error) => waiting.extend(halves(part)),
            Err(error) => return Err(error),
        }
    }
    mean.embedding().ok_or(refusal)
}

/// Returns the halves of a text, none where it is too short; what is only blank is no half. Where
/// there is a blank near the middle, they part there.
fn halves(text: &str) -> Vec<&str> {
    if !has_parts(text) {
        return Vec::new();
    }
    let count = text.chars().count();
    let place = |number: usize| {
        let mut places = text.char_indices().map(|(place, _)| place);
        places.nth(number).unwrap_or(text.len())
    };
    let (middle, latest) = (place(count / 2), place(count / 2 + count / 8));
    let blank = text[middle..latest].find(char::is_whitespace);
    let (first, second) = text.split_at(middle + blank.unwrap_or(0));
    let parts = [second.trim(), first.trim()].into_iter();
    parts.filter(|part| !part.is_empty()).collect()
}

/// The mean of directions, each of the weight of its part.
#[derive(Default)]
struct Mean {
    sum: Vec<f32>,
    tokens: u64,
    is_uncounted: bool,
}

impl Mean {
    fn add(&mut self, embedding: Embedding, weight: usize) {
        match embedding.tokens {
            Some(tokens) => self.tokens += tokens,
            None => self.is_uncounted = true,
        }
        let vector = embedding.vectors.into_iter().next().unwrap_or_default();
        let length = vector.iter().map(|it| it * it).sum::<f32>().sqrt();
        if length <= 0.0 {
            return;
        }
        self.sum.resize(self.sum.len().max(vector.len()), 0.0);
        for (sum, number) in self.sum.iter_mut().zip(vector) {
            *sum += number / length * weight as f32;
        }
    }

    fn embedding(self) -> Option<Embedding> {
        let length = self.sum.iter().map(|it| it * it).sum::<f32>().sqrt();
        let tokens = (!self.is_uncounted).then_some(self.tokens);
        (length > 0.0).then(|| Embedding {
            vectors: vec![self.sum.iter().map(|it| it / length).collect()],
            tokens,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_f6_halves_hold_the_whole_text_and_part_at_a_blank() {
        let words = "a quick brown fox ".repeat(10);
        let parts = halves(&words);
        let whole: Vec<&str> = words.split_whitespace().collect();
        let again: Vec<&str> = parts
            .iter()
            .rev()
            .flat_map(|it| it.split_whitespace())
            .collect();
        assert_eq!((parts.len(), again), (2, whole));
        let chinese = "茶".repeat(101);
        let lengths: Vec<usize> = halves(&chinese)
            .iter()
            .map(|it| it.chars().count())
            .collect();
        assert_eq!(lengths, [51, 50]);
        assert!(halves(&"茶".repeat(SHORTEST)).is_empty());
    }

    #[test]
    fn model_f6_a_mean_weighs_parts_by_their_length_and_not_by_their_vectors() {
        let of = |vector: &[f32]| Embedding {
            vectors: vec![vector.to_vec()],
            tokens: Some(3),
        };
        let mut mean = Mean::default();
        mean.add(of(&[9.0, 0.0]), 3);
        mean.add(of(&[0.0, 1.0]), 4);
        let Embedding { vectors, tokens } = mean.embedding().unwrap();
        assert!((vectors[0][0] - 0.6).abs() < 1e-6 && (vectors[0][1] - 0.8).abs() < 1e-6);
        assert_eq!(tokens, Some(6));
        assert!(Mean::default().embedding().is_none());
    }
}
