//! The files of a model: read, checked against each other, and named by what is in them.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tokenizers::Tokenizer;

use super::Model;
use super::table::Table;

const TOKENIZER: &str = "tokenizer.json";
const VECTORS: &str = "model.safetensors";
const CONFIG: &str = "config.json";

/// How much of the digest is in the name, in bytes.
const NAME_BYTES: usize = 6;

/// What is read of `config.json`.
#[derive(Deserialize)]
struct ModelConfig {
    hidden_dim: Option<usize>,
}

/// What is read of `tokenizer.json` beside what its own crate reads.
#[derive(Deserialize)]
struct TokenizerFile {
    model: TokenizerModel,
}

#[derive(Deserialize)]
struct TokenizerModel {
    /// WordPiece has its unknown token as a text.
    unk_token: Option<String>,
    /// Unigram has it as a number.
    unk_id: Option<u32>,
}

/// Loads the model of a directory.
pub(super) fn load(directory: &Path, dimensions: Option<usize>) -> anyhow::Result<Model> {
    let tokens = read(directory, TOKENIZER)?;
    let config = read(directory, CONFIG)?;
    let vectors = read(directory, VECTORS)?;
    let digest = Sha256::new()
        .chain_update(Sha256::digest(&tokens))
        .chain_update(Sha256::digest(&config))
        .chain_update(Sha256::digest(&vectors))
        .finalize();

    let (tokenizer, unknown) = tokenizer(&tokens).with_context(|| broken(TOKENIZER))?;
    let config: ModelConfig = serde_json::from_slice(&config).with_context(|| broken(CONFIG))?;
    let table = Table::read(vectors).with_context(|| format!("`{VECTORS}` cannot be used"))?;
    for (wanted, by) in [
        (config.hidden_dim, CONFIG),
        (dimensions, "memory.embedder.dimensions"),
    ] {
        let found = table.dimension();
        if let Some(wanted) = wanted.filter(|wanted| *wanted != found) {
            bail!("the vectors of `{VECTORS}` have {found} numbers, but `{by}` says {wanted}");
        }
    }
    let (words, rows) = (tokenizer.get_vocab_size(true), table.tokens());
    ensure!(
        words <= rows,
        "`{TOKENIZER}` has {words} tokens, but `{VECTORS}` has vectors for {rows}: they are not of one model"
    );
    let bytes = digest.iter().take(NAME_BYTES);
    let digest = bytes.fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let name = directory.file_name().unwrap_or(directory.as_os_str());
    Ok(Model {
        name: format!("{}@{digest:012x}", name.to_string_lossy()),
        tokenizer,
        unknown,
        table,
    })
}

fn read(directory: &Path, name: &str) -> anyhow::Result<Vec<u8>> {
    fs::read(directory.join(name)).with_context(|| {
        format!("`{name}` cannot be read; a model in model2vec form has `{TOKENIZER}`, `{VECTORS}` and `{CONFIG}`")
    })
}

/// Reads how texts are split, and which token says nothing.
fn tokenizer(bytes: &[u8]) -> anyhow::Result<(Tokenizer, Option<u32>)> {
    let file: TokenizerFile = serde_json::from_slice(bytes)?;
    let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(anyhow::Error::from_boxed)?;
    // Texts are taken one by one and as long as they are.
    tokenizer.with_padding(None);
    tokenizer
        .with_truncation(None)
        .map_err(anyhow::Error::from_boxed)?;
    let by_word = file
        .model
        .unk_token
        .and_then(|word| tokenizer.token_to_id(&word));
    Ok((tokenizer, by_word.or(file.model.unk_id)))
}

fn broken(name: &str) -> String {
    format!("`{name}` is damaged, or of another form")
}
