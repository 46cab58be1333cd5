//! The language in which a message is written, by its script: Han letters against Latin words.
//!
//! Code, addresses, paths, quotations and single words say nothing. What is unclear returns `None`:
//! the language of a person stays as it was.

use sayso_channel::Language;

/// The least Han letters of a message that is clearly Chinese.
const CLEAR_HAN: usize = 4;
/// The least of a greeting, which counts while nothing else is known.
const FEW_HAN: usize = 2;
/// The least words of a message that can be clearly English.
const CLEAR_WORDS: usize = 3;
/// The least words of a text in the Latin script, whatever they are, if it has no Han letter.
const MANY_WORDS: usize = 8;

/// Words that no English sentence is without for long, and that commands and logs hardly have.
const COMMON: &[&str] = &[
    "a", "about", "am", "an", "and", "any", "are", "at", "be", "can", "could", "did", "do", "does",
    "for", "from", "give", "had", "has", "have", "hello", "hi", "how", "i", "i'm", "in", "is",
    "it", "it's", "me", "my", "need", "of", "on", "or", "our", "please", "should", "tell", "thank",
    "thanks", "that", "the", "there", "this", "to", "was", "we", "were", "what", "what's", "when",
    "where", "which", "who", "why", "will", "with", "would", "you", "your",
];

/// How sure the language of a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// A sentence, which changes the language of its writer.
    Clear(Language),
    /// A greeting, which counts where its writer has written nothing clear before.
    Hint(Language),
}

impl Written {
    /// Returns the language in which a message is written; `None` where that is unclear.
    pub fn of(text: &str) -> Option<Self> {
        let counts = Counts::of(text);
        let (han, words) = (counts.han, counts.words);
        if counts.has_other {
            None
        } else if han >= CLEAR_HAN && han >= 2 * words {
            Some(Self::Clear(Language::Chinese))
        } else if han >= FEW_HAN && words == 0 {
            Some(Self::Hint(Language::Chinese))
        } else if words >= CLEAR_WORDS && counts.common > 0 && 2 * han <= words
            || words >= MANY_WORDS && han == 0
        {
            Some(Self::Clear(Language::English))
        } else {
            None
        }
    }
}

/// What a text consists of.
#[derive(Debug, Default)]
struct Counts {
    han: usize,
    words: usize,
    common: usize,
    /// Whether it is in Japanese or Korean, which have Han letters too.
    has_other: bool,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts = Self::default();
        let mut is_code = false;
        for line in text.lines() {
            if line.trim_start().starts_with("```") {
                is_code = !is_code;
            } else if !is_code && !line.trim_start().starts_with('>') {
                counts.add_line(line);
            }
        }
        counts
    }

    fn add_line(&mut self, line: &str) {
        // Every second piece stands between backticks.
        for prose in line.split('`').step_by(2) {
            for word in prose.split_whitespace() {
                self.add_word(word);
            }
        }
    }

    /// Counts what stands between two spaces: a word, a run of Han letters, or both.
    fn add_word(&mut self, word: &str) {
        self.has_other |= word.chars().any(is_kana_or_hangul);
        let han = word.chars().filter(|letter| is_han(*letter)).count();
        let is_address = word.contains("://") || word.starts_with(['@', '/', '-', '#', '$', '~']);
        if is_address && han < CLEAR_HAN {
            return;
        }
        self.han += han;
        if is_address {
            return;
        }
        for piece in word.split(|letter| is_han(letter) || is_mark(letter)) {
            let is_word = !piece.is_empty()
                && piece
                    .chars()
                    .all(|letter| letter.is_alphabetic() || matches!(letter, '\'' | '’'));
            if is_word {
                self.words += 1;
                let plain = piece.to_lowercase().replace('’', "'");
                self.common += usize::from(COMMON.contains(&plain.as_str()));
            }
        }
    }
}

fn is_mark(letter: char) -> bool {
    matches!(
        letter,
        ',' | '.'
            | '!'
            | '?'
            | ';'
            | ':'
            | '"'
            | '('
            | ')'
            | '“'
            | '”'
            | '，'
            | '。'
            | '！'
            | '？'
            | '；'
            | '：'
            | '（'
            | '）'
            | '、'
            | '《'
            | '》'
            | '…'
            | '—'
            | '「'
            | '」'
    )
}

fn is_han(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{2fa1f}')
}

fn is_kana_or_hangul(letter: char) -> bool {
    matches!(letter, '\u{3041}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language::{Chinese, English};

    use super::Written::{self, Clear, Hint};

    #[track_caller]
    fn check(expected: Option<Written>, texts: &[&str]) {
        for text in texts {
            assert_eq!(Written::of(text), expected, "{text:?}");
        }
    }

    #[test]
    fn u3_a_sentence_is_clear() {
        check(
            Some(Clear(Chinese)),
            &[
                "今天几号？",
                "帮我写信",
                "帮我用 Python 写一个 hello world 脚本",
                "把 https://example.org/a/b 的内容总结一下",
                "运行 `git status and tell me what the result is`，然后告诉我结果",
                "這個檔案是什麼？",
            ],
        );
        check(
            Some(Clear(English)),
            &[
                "What can you do?",
                "Tell me a story",
                "please list the files here",
                "How do I say 你好 in English?",
                "I’m allergic to peanuts",
                "Ich möchte bitte wissen wie spät es jetzt ist",
            ],
        );
    }

    #[test]
    fn u3_a_greeting_is_a_hint() {
        check(Some(Hint(Chinese)), &["你好", "谢谢！", "好的。"]);
    }

    #[test]
    fn u3_code_addresses_and_single_words_say_nothing() {
        check(
            None,
            &[
                "",
                "ok",
                "hello",
                "yes please",
                "好",
                "👍",
                "/status",
                "ls -la /home",
                "git push origin main",
                "https://example.org/what/is/this",
                "```\nfn main() { please tell me what this is }\n```",
                "> 引用别人的一句话\nok",
                "cargo test --lib 好",
                "今日は何曜日ですか",
                "안녕하세요 반갑습니다",
                "翻译 translate this sentence 成中文",
            ],
        );
    }
}
