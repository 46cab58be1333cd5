//! Those who speak in the storm: most of them in direct chats, some in a group. Every message has a
//! name of its own, and every answer says which messages it answers.

use std::time::Duration;

use sayso_channel::RESENT_MARK;
use sayso_fakes::model::{Answer, ModelRequest};
use sayso_fakes::{BOT_USERNAME, FakeModel, Message};
use serde_json::Value;

use crate::platform::Chat;
use crate::test_bot::{PATIENCE, TestBot};

/// How many people write in direct chats: few enough that each writes often, many enough that none
/// exceeds the per-minute message limit.
const ALONE: i64 = 60;
/// How many speak in the group.
const IN_GROUP: i64 = 6;
/// Where the numbers of these people begin.
const FIRST: i64 = 5_000;

/// Everybody, each in their chat.
pub struct People {
    chats: Vec<Chat>,
    /// What precedes each message in that chat: in the group Sayso must be named.
    calls: Vec<String>,
}

/// A message, and the chat in which it was said.
pub struct Said {
    chat: usize,
    name: String,
}

/// What became of the messages.
#[derive(Debug, Default)]
pub struct Tally {
    pub lost: Vec<String>,
    pub doubled: Vec<String>,
    pub marked: usize,
}

/// Has the model name every message that it answers.
pub fn teach(model: &FakeModel) {
    model.when(|request: &ModelRequest| {
        let messages = request.messages();
        let newest_first = messages.iter().rev();
        let unanswered = newest_first.take_while(|message| message["role"] != "assistant");
        let names: Vec<String> = unanswered.flat_map(names_in).collect();
        (!request.is_routing()).then(|| Answer::text(format!("answered: {}", names.join(" "))))
    });
}

/// Finds `<17>` and the like.
fn names_in(message: &Value) -> Vec<String> {
    let text = message["content"].as_str().unwrap_or_default();
    let words = text.split(['«', '»']).skip(1).step_by(2);
    let is_of_user = message["role"] == "user";
    words
        .filter(|_| is_of_user)
        .map(|name| format!("«{name}»"))
        .collect()
}

impl People {
    /// Lets everybody say hello, so that each chat is known before the storm.
    pub async fn meet(bot: &TestBot) -> Self {
        let group = bot.group("Weather");
        let alone = (0..ALONE).map(|number| {
            let person = bot.person(FIRST + number, &format!("Person{number}"));
            (bot.direct_with(&person), String::new())
        });
        let in_group = (0..IN_GROUP).map(|number| {
            let person = bot.person(FIRST + ALONE + number, &format!("Friend{number}"));
            (group.with(&person), format!("@{BOT_USERNAME} "))
        });
        let (chats, calls): (Vec<_>, Vec<_>) = alone.chain(in_group).unzip();
        let people = Self { chats, calls };
        let hello: Vec<Said> = (0..people.chats.len())
            .map(|chat| people.say(chat, format!("«hello {chat}»")))
            .collect();
        let tally = people.until_answered(&hello, PATIENCE).await;
        assert_eq!(tally.lost, Vec::<String>::new(), "{}", bot.log());
        people
    }

    /// Has them send `messages` messages, spread evenly over `over`.
    pub async fn speak(&self, messages: usize, over: Duration) -> Vec<Said> {
        let mut clock = tokio::time::interval(over / messages as u32);
        let mut said = Vec::with_capacity(messages);
        for number in 0..messages {
            clock.tick().await;
            said.push(self.say(number % self.chats.len(), format!("«{number}»")));
        }
        said
    }

    fn say(&self, chat: usize, name: String) -> Said {
        let call = &self.calls[chat];
        self.chats[chat].says(&format!("{call}answer {name}"));
        Said { chat, name }
    }

    /// Waits until everything is answered once, or nothing has changed for so long; says what
    /// became of it. A machine that is busy with other things is slow, and loses nothing for that.
    pub async fn until_answered(&self, said: &[Said], still_for: Duration) -> Tally {
        let mut last_change = tokio::time::Instant::now();
        let mut owed = usize::MAX;
        loop {
            let tally = self.tally(said);
            let now = tally.lost.len() + tally.doubled.len();
            if now != owed {
                (owed, last_change) = (now, tokio::time::Instant::now());
            }
            if owed == 0 || last_change.elapsed() > still_for {
                return tally;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    fn tally(&self, said: &[Said]) -> Tally {
        let answers: Vec<Vec<String>> = self.chats.iter().map(answers).collect();
        let is_marked = |answer: &&String| answer.contains(RESENT_MARK.trim());
        let mut tally = Tally {
            marked: answers.iter().flatten().filter(is_marked).count(),
            ..Tally::default()
        };
        for Said { chat, name } in said {
            let found = answers[*chat].iter().filter(|answer| answer.contains(name));
            let (marked, plain): (Vec<_>, Vec<_>) = found.partition(is_marked);
            if plain.is_empty() && marked.is_empty() {
                tally.lost.push(name.clone());
            } else if plain.len() > 1 {
                tally.doubled.push(name.clone());
            }
        }
        tally
    }
}

fn answers(chat: &Chat) -> Vec<String> {
    let messages = chat.messages().into_iter();
    messages
        .filter(Message::is_from_bot)
        .map(|message| message.text)
        .collect()
}
