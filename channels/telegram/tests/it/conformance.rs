//! The promises of every channel, kept by this one.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_channel::conformance::{Seen, Stage, StagePerson, run};
use sayso_channel::{Address, Button, Channel, SenderKey, SentMessage};
use sayso_fakes::{Chat, FakeTelegram, Person, Press};
use sayso_telegram::Telegram;
use serde_json::json;

use crate::bot::{address, silent};

struct DirectChat {
    fake: FakeTelegram,
    channel: Arc<Telegram>,
    ann: Person,
    chat: Chat,
    press: Option<Press>,
}

#[async_trait]
impl Stage for DirectChat {
    fn channel(&self) -> Arc<dyn Channel> {
        Arc::clone(&self.channel) as Arc<dyn Channel>
    }

    fn address(&self) -> Address {
        address(self.chat.id())
    }

    async fn newest(&mut self) -> Seen {
        let messages = self.chat.messages();
        let newest = messages.iter().rfind(|message| message.is_from_bot());
        let newest = newest.expect("the bot said something");
        Seen {
            text: newest.text.clone(),
            buttons: newest.labels().into_iter().map(str::to_owned).collect(),
        }
    }

    fn reactions(&self) -> usize {
        let messages = self.chat.messages();
        messages.iter().map(|message| message.reactions.len()).sum()
    }

    async fn something_unknown_happens(&mut self) {
        self.fake.raw_update(json!({"telepathy": {"text": "hm"}}));
        self.fake.raw_update(json!({"message": 5}));
        self.chat.says_raw("", json!({"hologram": {"size": 3}}));
    }
}

#[async_trait]
impl StagePerson for DirectChat {
    fn sender(&self) -> SenderKey {
        SenderKey::new(self.ann.id.to_string())
    }

    async fn person_says(&mut self, text: &str) {
        self.chat.says(text);
    }

    async fn person_presses(&mut self, message: &SentMessage, button: &Button) {
        let message = message.message.as_str().parse().unwrap();
        self.press = Some(self.chat.presses_token(&self.ann, message, &button.token));
    }

    async fn answer_to_press(&mut self) -> String {
        let press = self.press.take().expect("a button was pressed");
        press.answered().await.text.unwrap_or_default()
    }
}

#[tokio::test]
async fn telegram_keeps_the_promises_of_a_channel() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let mut stage = DirectChat {
        channel: Arc::new(silent(&fake)),
        fake,
        ann,
        chat,
        press: None,
    };
    run(&mut stage).await;
    stage.fake.assert_clean();
}
