//! Ten stories, told in English and in Chinese: whole conversations with the bot, kept as pages to
//! read as a person would, with the number of its messages for each request and of the words on its
//! cards.
//!
//! A story in English on one platform is told in Chinese on the other.

/// Commands and files: asked about, approved, denied, sent back.
mod errands;
/// Questions, memories, and a model that fails.
mod talk;

use sayso_fakes::Message;

use crate::platform::Platform;
use crate::stage::{Spoken, Stage};

/// Where the pages are kept, from `tests/it`.
const PAGES: &str = "stories/snapshots";

/// How many words a card may have beside its commands.
const WORDS_ON_A_CARD: usize = 35;

/// A story while it is told.
struct Story {
    stage: Stage,
    name: &'static str,
    /// The id of the person's newest message.
    asked: i64,
    requests: usize,
}

impl Story {
    /// Begins a story with these settings.
    async fn begins(
        name: &'static str,
        platform: Platform,
        spoken: Spoken,
        settings: &[(&str, &str)],
    ) -> Self {
        let stage = Stage::open(platform, spoken, settings).await;
        Self {
            stage,
            name,
            asked: 0,
            requests: 0,
        }
    }

    /// Says it in the language of the story.
    fn says(&mut self, english: &str, chinese: &str) {
        self.asked = self.stage.says(english, chinese);
        self.requests += 1;
    }

    /// Returns how many messages of the bot stand in the chat since the newest request.
    async fn answers(&self) -> usize {
        self.stage.rests().await;
        let messages = self.stage.chat.messages();
        let of_bot = |message: &&Message| message.is_from_bot() && message.id > self.asked;
        messages.iter().filter(of_bot).count()
    }

    /// Asserts that the newest request has at most this many messages as its answer.
    async fn is_answered_by(&self, most: usize) {
        let answers = self.answers().await;
        assert!(
            (1..=most).contains(&answers),
            "{answers} messages\n{}",
            self.stage.chat.transcript()
        );
    }

    /// Waits for a card, asserts that it is short beside its commands, and returns it.
    async fn card(&self) -> Message {
        let card = self.stage.card().await;
        let commands = self.stage.chat.code_blocks(card.id);
        let text = commands.iter().fold(card.text.clone(), |text, command| {
            text.replace(command.trim(), " ")
        });
        let words = words_in(&text);
        assert!(words <= WORDS_ON_A_CARD, "{words} words\n{card}");
        card
    }

    /// Writes the page down and compares it.
    async fn ends(mut self) {
        self.stage.rests().await;
        let transcript = self.stage.chat.transcript();
        self.stage.remarks(&transcript);
        let messages = self.stage.chat.messages();
        let answers = messages.iter().filter(|it| it.is_from_bot()).count();
        let requests = self.requests;
        self.stage.remarks(&format!(
            "\n({answers} messages of the bot for {requests} requests)"
        ));
        self.stage.ends(PAGES, self.name);
    }
}

/// Counts words; two Chinese letters count as one.
fn words_in(text: &str) -> usize {
    let is_han = |letter: &char| matches!(letter, '\u{4e00}'..='\u{9fff}');
    let han = text.chars().filter(is_han).count();
    let spaced: String = text
        .chars()
        .map(|letter| if is_han(&letter) { ' ' } else { letter })
        .collect();
    let has_letters = |word: &&str| word.chars().any(char::is_alphanumeric);
    spaced.split_whitespace().filter(has_letters).count() + han.div_ceil(2)
}

/// Makes two tests of each story: in English on one platform and in Chinese on the other.
macro_rules! told_twice {
    ($($story:ident on $english:ident and $chinese:ident),+ $(,)?) => {
        mod in_english {
            $(
                #[tokio::test]
                async fn $story() {
                    super::$story(
                        crate::platform::Platform::$english,
                        crate::stage::Spoken::English,
                    )
                    .await;
                }
            )+
        }
        mod in_chinese {
            $(
                #[tokio::test]
                async fn $story() {
                    super::$story(
                        crate::platform::Platform::$chinese,
                        crate::stage::Spoken::Chinese,
                    )
                    .await;
                }
            )+
        }
    };
}
use told_twice;
