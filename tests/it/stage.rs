//! A bot, the chat with its owner, and the page of what was read in it: for the moments and the
//! stories.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use sayso_fakes::{Message, Person};

use crate::platform::{Chat, Platform};
use crate::test_bot::TestBot;

/// The language that the person writes and that their app is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spoken {
    /// English.
    English,
    /// 简体中文.
    Chinese,
}

impl Spoken {
    /// Both languages.
    pub const BOTH: [Self; 2] = [Self::English, Self::Chinese];

    /// Returns the text in this language.
    pub fn pick<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }

    /// Returns the tag of the language in the person's app.
    fn tag(self) -> &'static str {
        self.pick("en", "zh-hans")
    }
}

/// A bot with its owner, and the page that is written of it.
pub struct Stage {
    /// The bot.
    pub bot: TestBot,
    /// The direct chat with the owner, who speaks in it.
    pub chat: Chat,
    /// The owner.
    pub owner: Person,
    /// The language of everything here.
    pub spoken: Spoken,
    page: String,
    /// What the page shows already, by the message's id.
    shown: BTreeMap<i64, String>,
}

impl Stage {
    /// Starts a bot.
    pub async fn open(platform: Platform, spoken: Spoken, settings: &[(&str, &str)]) -> Self {
        let mut bot = TestBot::closed_on(platform, settings).await;
        bot.set("AGENT__ROUTING", "off");
        bot.set("ROUTINES__ZONE", "Europe/Berlin");
        bot.set("LANGUAGE", spoken.pick("en", "zh-CN"));
        bot.start();
        bot.settles_in().await;
        let owner = bot
            .person(101, spoken.pick("Ann", "小安"))
            .speaking(spoken.tag());
        let chat = bot.direct_with(&owner);
        Self {
            bot,
            chat,
            owner,
            spoken,
            page: String::new(),
            shown: BTreeMap::new(),
        }
    }

    /// Says it in the language of this stage; returns the message's id.
    pub fn says(&self, english: &str, chinese: &str) -> i64 {
        self.chat.says(self.spoken.pick(english, chinese))
    }

    /// Has the model say it in the language of this stage.
    pub fn model_says(&self, english: &str, chinese: &str) {
        self.bot.model.says(self.spoken.pick(english, chinese));
    }

    /// Waits for an open card with a command or another call.
    pub async fn card(&self) -> Message {
        let yes = [
            self.spoken.pick("Approve", "批准"),
            self.spoken.pick("Approve all", "全部批准"),
        ];
        let is_card = |message: &Message| yes.iter().any(|label| message.button(label).is_some());
        self.chat.hears_with(is_card).await
    }

    /// Waits until some message holds these words.
    pub async fn reads(&self, english: &str, chinese: &str) -> Message {
        let words = self.spoken.pick(english, chinese);
        self.chat
            .settles(|message| message.is_from_bot() && message.text.contains(words))
            .await
    }

    /// Presses a button of a message and writes down what the presser is told.
    pub async fn presses(&mut self, message: i64, english: &str, chinese: &str) {
        let label = self.spoken.pick(english, chinese);
        let told = self.chat.press(&self.owner, message, label).await;
        let told = told.text.as_deref().unwrap_or("(no words)");
        // Writing to a string cannot fail.
        let _ = writeln!(self.page, "[{label}] {told}");
    }

    /// Waits until nothing is under way and the chat stands still.
    pub async fn rests(&self) {
        self.bot.has_heard_all().await;
        self.bot.has_said_all().await;
        let is_over = |messages: &[Message]| !messages.iter().any(Message::is_live);
        self.chat.sees(is_over).await;
        // What answers none of it, such as a reaction that is taken back, comes a moment later.
        let mut before = self.chat.transcript();
        for _ in 0..20 {
            tokio::time::sleep(Duration::from_millis(150)).await;
            let now = self.chat.transcript();
            if now == before {
                break;
            }
            before = now;
        }
    }

    /// Writes down what is new in the chat since the last moment, once nothing is under way.
    pub async fn keeps(&mut self, number: u8, name: &str) {
        self.rests().await;
        self.keeps_as_it_stands(number, name);
    }

    /// Writes down what is new in the chat since the last moment, also while a turn works.
    pub fn keeps_as_it_stands(&mut self, number: u8, name: &str) {
        let mut moment = String::new();
        for message in self.chat.messages() {
            let line = message.to_string();
            if self.shown.get(&message.id) != Some(&line) {
                moment.push_str(&line);
                moment.push('\n');
                self.shown.insert(message.id, line);
            }
        }
        self.keeps_text(number, name, &moment);
    }

    /// Writes down a text that stands in no chat of the owner.
    pub fn keeps_text(&mut self, number: u8, name: &str, text: &str) {
        assert!(
            !text.trim().is_empty(),
            "nothing happened at {number}, {name}"
        );
        let _ = writeln!(self.page, "## {number} {name}\n{}\n", text.trim_end());
    }

    /// Writes a line of its own on the page.
    pub fn remarks(&mut self, line: &str) {
        let _ = writeln!(self.page, "{line}");
    }

    /// Compares the page with what was kept of it in this directory.
    pub fn ends(self, directory: &str, theme: &str) {
        let page = without_times(&self.bot.without_accounts(&self.page));
        let language = self.spoken.pick("english", "chinese");
        let name = format!("{theme}.{}.{language}", self.bot.platform.name());
        compares(directory, &name, &page);
        self.bot.assert_clean();
    }
}

/// What depends on the day, the hour and the zone of this machine: what stands in front of it, and
/// behind it.
const TIMES: [[&str; 2]; 6] = [
    ["When: ", "\n"],
    ["时间：", "\n"],
    ["(next: ", ")"],
    ["（接下来：", "）"],
    ["A new day begins in ", "."],
    ["新的一天还有 ", "开始"],
];

fn without_times(page: &str) -> String {
    let mut page = page.to_owned();
    for [before, behind] in TIMES {
        let mut from = 0;
        while let Some(at) = page[from..].find(before) {
            let begins = from + at + before.len();
            let ends = page[begins..]
                .find(behind)
                .map_or(page.len(), |at| begins + at);
            page.replace_range(begins..ends, "(time)");
            from = begins;
        }
    }
    page
}

/// Compares a page with what was kept of it under this name in this directory.
pub fn compares(directory: &str, name: &str, page: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(directory));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, page));
}
