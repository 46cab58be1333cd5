//! A local embedding model that fits on a page: a directory in model2vec form, for tests.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// How its words are split and numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// As BERT's: whole words and pieces of them, in lower case.
    WordPiece,
    /// As SentencePiece's: pieces with their likelihoods.
    Unigram,
}

/// A model that knows groups of words; the words of a group mean the same, and groups have nothing in common.
#[derive(Clone, Debug)]
pub struct TinyModel {
    groups: Vec<Vec<String>>,
    vocabulary: Vocabulary,
}

impl TinyModel {
    /// Returns a model of these groups.
    pub fn of(groups: &[&[&str]]) -> Self {
        let words = |group: &&[&str]| group.iter().map(|word| (*word).to_owned()).collect();
        Self {
            groups: groups.iter().map(words).collect(),
            vocabulary: Vocabulary::WordPiece,
        }
    }

    /// Has its words split in this way.
    #[must_use]
    pub fn split_as(self, vocabulary: Vocabulary) -> Self {
        Self { vocabulary, ..self }
    }

    /// Returns how many numbers its vectors have: one for each group, and one that every word has a little of.
    pub fn dimension(&self) -> usize {
        self.groups.len() + 1
    }

    /// Writes its three files into a directory, which is made if it is not there.
    pub fn write_into(&self, directory: &Path) {
        fs::create_dir_all(directory).expect("the directory of the model can be made");
        let write = |name: &str, bytes: &[u8]| {
            fs::write(directory.join(name), bytes).expect("a file of the model can be written");
        };
        write("tokenizer.json", self.tokenizer().to_string().as_bytes());
        let config =
            json!({ "model_type": "model2vec", "hidden_dim": self.dimension(), "normalize": true });
        write("config.json", config.to_string().as_bytes());
        write("model.safetensors", &self.tensors());
    }

    /// Returns the file of vectors, as F32.
    fn tensors(&self) -> Vec<u8> {
        let rows = self.words().len() + 1;
        let mut numbers = vec![0.0_f32; rows * self.dimension()];
        for (row, (group, _)) in (1..).zip(self.words()) {
            numbers[row * self.dimension() + group] = 1.0;
            numbers[row * self.dimension() + self.groups.len()] = 0.1;
        }
        let bytes: Vec<u8> = numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect();
        tensor_file(&[("embeddings", "F32", &[rows, self.dimension()], &bytes)])
    }

    /// Returns its words, each with the number of its group.
    fn words(&self) -> Vec<(usize, &str)> {
        let groups = self.groups.iter().enumerate();
        let words =
            groups.flat_map(|(group, words)| words.iter().map(move |word| (group, word.as_str())));
        words.collect()
    }

    fn tokenizer(&self) -> Value {
        let (normalizer, pre_tokenizer, model) = match self.vocabulary {
            Vocabulary::WordPiece => (
                json!({ "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true }),
                json!({ "type": "BertPreTokenizer" }),
                self.word_pieces(),
            ),
            Vocabulary::Unigram => (
                json!({ "type": "Lowercase" }),
                json!({ "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true }),
                self.unigrams(),
            ),
        };
        json!({
            "version": "1.0",
            "truncation": null,
            "padding": null,
            "added_tokens": [],
            "normalizer": normalizer,
            "pre_tokenizer": pre_tokenizer,
            "post_processor": null,
            "decoder": null,
            "model": model,
        })
    }

    fn word_pieces(&self) -> Value {
        let words = (1..)
            .zip(self.words())
            .map(|(number, (_, word))| (word.to_owned(), json!(number)));
        let vocabulary: serde_json::Map<String, Value> =
            std::iter::once(("[UNK]".to_owned(), json!(0)))
                .chain(words)
                .collect();
        json!({
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        })
    }

    fn unigrams(&self) -> Value {
        let words = self
            .words()
            .into_iter()
            .map(|(_, word)| json!([format!("▁{word}"), -1.0]));
        let vocabulary: Vec<Value> = std::iter::once(json!(["<unk>", 0.0]))
            .chain(words)
            .collect();
        json!({ "type": "Unigram", "unk_id": 0, "vocab": vocabulary, "byte_fallback": false })
    }
}

/// A tensor for [`tensor_file`]: its name, the kind of its numbers, its shape and its bytes.
pub(crate) type Tensor<'t> = (&'t str, &'t str, &'t [usize], &'t [u8]);

/// Returns a file in the safetensors form: the length of its header, its header, the numbers.
pub fn tensor_file(tensors: &[Tensor<'_>]) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    let mut data: Vec<u8> = Vec::new();
    for (name, kind, shape, bytes) in tensors {
        let end = data.len() + bytes.len();
        header.insert(
            (*name).to_owned(),
            json!({ "dtype": kind, "shape": shape, "data_offsets": [data.len(), end] }),
        );
        data.extend_from_slice(bytes);
    }
    let header = Value::Object(header).to_string();
    let length = header.len() as u64;
    [length.to_le_bytes().as_slice(), header.as_bytes(), &data].concat()
}
