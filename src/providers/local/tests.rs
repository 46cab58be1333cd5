//! Models that the tests write themselves: what their texts mean, and what is said of broken ones.

use std::fs;
use std::path::Path;

use sayso_fakes::{TinyModel, Vocabulary, tensor_file};
use serde_json::json;
use tempfile::TempDir;

use super::*;

fn tiny() -> TinyModel {
    TinyModel::of(&[&["car", "automobile", "车"], &["tea", "oolong"], &["moon"]])
}

fn written(model: &TinyModel) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    model.write_into(directory.path());
    directory
}

async fn embedded(directory: &Path, texts: &[&str]) -> Vec<Vec<f32>> {
    let model = open(directory, None).await.unwrap();
    let texts: Vec<String> = texts.iter().copied().map(str::to_owned).collect();
    model.embed(&texts).await.unwrap().vectors
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let product = |one: &[f32], other: &[f32]| -> f32 {
        one.iter().zip(other).map(|(one, other)| one * other).sum()
    };
    product(one, other) / (product(one, one) * product(other, other)).sqrt()
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    bytes.collect()
}

#[tokio::test]
async fn words_of_one_meaning_are_near_in_both_vocabularies() {
    for vocabulary in [Vocabulary::WordPiece, Vocabulary::Unigram] {
        let directory = written(&tiny().split_as(vocabulary));
        let vectors = embedded(directory.path(), &["My CAR", "automobile", "tea"]).await;
        let near = cosine(&vectors[0], &vectors[1]);
        let far = cosine(&vectors[0], &vectors[2]);
        assert!(near > 0.999 && far < 0.1, "{vocabulary:?}: {vectors:?}");
    }
}

#[tokio::test]
async fn a_text_means_the_mean_of_its_known_tokens() {
    let directory = written(&tiny());
    let texts = ["tea, car and 车!", "nothing known", ""];
    let vectors = embedded(directory.path(), &texts).await;
    let mean = [2.0 / 3.0, 1.0 / 3.0, 0.0, 0.1];
    for (found, expected) in vectors[0].iter().zip(mean) {
        assert!((found - expected).abs() < 1e-6, "{vectors:?}");
    }
    assert_eq!(vectors[1], [0.0; 4]);
    assert_eq!(vectors[2], [0.0; 4]);
}

#[tokio::test]
async fn a_long_text_is_cut_and_answered() {
    let directory = written(&tiny());
    let long = "tea ".repeat(MOST_TOKENS) + &"car ".repeat(10_000);
    let vectors = embedded(directory.path(), &[&long]).await;
    let tea = cosine(&vectors[0], &[0.0, 1.0, 0.0, 0.1]);
    assert!(tea > 0.999, "{vectors:?}");
}

#[tokio::test]
async fn other_files_are_another_model() {
    let (one, other) = (written(&tiny()), written(&TinyModel::of(&[&["tea"]])));
    let again = one.path().join("again");
    tiny().write_into(&again);
    let digest = async |path: &Path| {
        let model = open(path, None).await.unwrap();
        model.name().rsplit('@').next().unwrap().to_owned()
    };
    assert_eq!(digest(one.path()).await, digest(&again).await);
    assert_ne!(digest(one.path()).await, digest(other.path()).await);
}

/// Returns the vector of "car" where numbers are of this kind; the third of it is one.
async fn of_kind(kind: &str, one: &[u8], zero: &[u8]) -> Vec<f32> {
    let directory = written(&TinyModel::of(&[&["tea"], &["car"], &["moon"]]));
    let number = |place: usize| if place.is_multiple_of(5) { one } else { zero };
    let numbers: Vec<u8> = (0..16).flat_map(number).copied().collect();
    let file = tensor_file(&[("embeddings", kind, &[4, 4], &numbers)]);
    fs::write(directory.path().join("model.safetensors"), file).unwrap();
    embedded(directory.path(), &["car"]).await.remove(0)
}

#[tokio::test]
async fn numbers_of_every_kind_are_read() {
    let car = [0.0, 0.0, 1.0, 0.0];
    assert_eq!(of_kind("F64", &1.0_f64.to_le_bytes(), &[0; 8]).await, car);
    assert_eq!(of_kind("F32", &1.0_f32.to_le_bytes(), &[0; 4]).await, car);
    assert_eq!(of_kind("F16", &[0x00, 0x3C], &[0; 2]).await, car);
    assert_eq!(of_kind("BF16", &[0x80, 0x3F], &[0; 2]).await, car);
    assert_eq!(of_kind("I8", &[1], &[0]).await, car);
}

#[tokio::test]
async fn shared_rows_and_weights_are_obeyed() {
    let directory = written(&TinyModel::of(&[&["tea"], &["car"], &["moon"]]));
    let rows = bytes_of(&[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let weights = bytes_of(&[1.0, 0.5, 2.0, 1.0]);
    let mapping = [0_i64, 1, 1, 0].map(i64::to_le_bytes).concat();
    let file = tensor_file(&[
        ("embeddings", "F32", &[2, 4], &rows),
        ("weights", "F32", &[4], &weights),
        ("mapping", "I64", &[4], &mapping),
    ]);
    fs::write(directory.path().join("model.safetensors"), file).unwrap();
    let vectors = embedded(directory.path(), &["tea", "car", "moon"]).await;
    assert_eq!(vectors[0], [0.0, 0.5, 0.0, 0.0]);
    assert_eq!(vectors[1], [0.0, 2.0, 0.0, 0.0]);
    assert_eq!(vectors[2], [1.0, 0.0, 0.0, 0.0]);
}

/// Returns why a model is refused in which one file is changed.
async fn refusal(name: &str, bytes: Option<&[u8]>, dimensions: Option<usize>) -> String {
    let directory = written(&TinyModel::of(&[&["tea"], &["car"], &["moon"]]));
    let path = directory.path().join(name);
    match bytes {
        Some(bytes) => fs::write(path, bytes).unwrap(),
        None => fs::remove_file(path).unwrap(),
    }
    let error = open(directory.path(), dimensions).await.err().unwrap();
    let text = format!("{error:#}");
    text.replace(&directory.path().display().to_string(), "DIR")
}

#[tokio::test]
async fn what_is_missing_or_damaged_is_named() {
    let vectors = async |bytes| refusal("model.safetensors", bytes, None).await;
    insta::assert_snapshot!(vectors(None).await, @"cannot load the model in `DIR`: `model.safetensors` cannot be read; a model in model2vec form has `tokenizer.json`, `model.safetensors` and `config.json`: No such file or directory (os error 2)");
    insta::assert_snapshot!(refusal("config.json", Some(b"{"), None).await, @"cannot load the model in `DIR`: `config.json` is damaged, or of another form: EOF while parsing an object at line 1 column 1");
    insta::assert_snapshot!(refusal("tokenizer.json", Some(b"{}"), None).await, @"cannot load the model in `DIR`: `tokenizer.json` is damaged, or of another form: missing field `model` at line 1 column 2");
    insta::assert_snapshot!(vectors(Some(b"short")).await, @"cannot load the model in `DIR`: `model.safetensors` cannot be used: its header is damaged: header too small");
    insta::assert_snapshot!(vectors(Some(&[255; 64])).await, @"cannot load the model in `DIR`: `model.safetensors` cannot be used: its header is damaged: header too large");
    let whole = tensor_file(&[("embeddings", "F32", &[4, 4], &[0; 64])]);
    let cut = &whole[..whole.len() - 1];
    insta::assert_snapshot!(vectors(Some(cut)).await, @"cannot load the model in `DIR`: `model.safetensors` cannot be used: its header is damaged: incomplete metadata, file not fully covered");
}

#[tokio::test]
async fn vectors_that_do_not_fit_are_refused() {
    let vectors = async |name, kind, shape: &[usize], bytes| {
        let file = tensor_file(&[(name, kind, shape, &vec![0; bytes])]);
        refusal("model.safetensors", Some(&file), None).await
    };
    insta::assert_snapshot!(vectors("embeddings", "I32", &[4, 4], 64).await, @"cannot load the model in `DIR`: `model.safetensors` cannot be used: `embeddings` has numbers of kind I32; F64, F32, F16, BF16 and I8 can be read");
    insta::assert_snapshot!(vectors("bert.weight", "F32", &[4, 4], 64).await, @"cannot load the model in `DIR`: `model.safetensors` cannot be used: it has no tensor `embeddings`: it is no static model in model2vec form");
    insta::assert_snapshot!(vectors("embeddings", "F32", &[16], 64).await, @"cannot load the model in `DIR`: `model.safetensors` cannot be used: `embeddings` must have two dimensions, not 1");
    insta::assert_snapshot!(vectors("embeddings", "F32", &[4, 3], 48).await, @"cannot load the model in `DIR`: the vectors of `model.safetensors` have 3 numbers, but `config.json` says 4");
    insta::assert_snapshot!(vectors("embeddings", "F32", &[2, 4], 32).await, @"cannot load the model in `DIR`: `tokenizer.json` has 4 tokens, but `model.safetensors` has vectors for 2: they are not of one model");
    insta::assert_snapshot!(vectors("embeddings", "I8", &[4, 9000], 36000).await, @"cannot load the model in `DIR`: `model.safetensors` cannot be used: its vectors have 9000 numbers, allowed are 1-8192");
    let config = json!({ "hidden_dim": 4 }).to_string();
    let config = config.as_bytes();
    insta::assert_snapshot!(refusal("config.json", Some(config), Some(256)).await, @"cannot load the model in `DIR`: the vectors of `model.safetensors` have 4 numbers, but `memory.embedder.dimensions` says 256");
}
