//! Approvals: who may press what, when and where, and what runs then.
//!
//! Every command here leaves a file of its own behind each time it runs (a *mark*), so that a
//! test can count what ran, and how often.

/// What can be done about a card once it is decided.
mod afterwards;
/// "Always this exact command": when it is offered, what it covers and when it ends.
mod always;
/// Cards with one call and with several, from asking to outcome.
mod cards;
/// What may change between the card and the press, and what runs then.
mod changes;
/// A denial with words.
mod explaining;
/// A yes or no in words while a card is open.
mod in_words;
/// A turn that waits does not keep anybody.
mod parked;
/// Who may press, where, how often and until when.
mod pressing;
/// A verdict, a stop, an expiry and a new message at the same moment.
mod races;
/// What a card shows is what runs.
mod shown;
/// A thousand wrong presses, while two hundred turns run.
mod storm;
/// What a card says above and below its command, and what is left of it.
mod wording;

use sayso_fakes::Message;
use sayso_fakes::model::{Answer, ModelRequest, is_system_note};
use serde_json::{Value, json};

use crate::platform::{Chat, Platform};
use crate::test_bot::TestBot;

/// What the presser of a card that is answered already reads.
const DECIDED: &str = "This was already decided. Nothing changed.";
/// What the presser of a token reads that stands for nothing.
const DOES_NOTHING: &str = "This button does nothing here.";

/// Starts a bot whose model executes its message: `run: COMMAND` calls the shell, with ` ;; `
/// between several commands; afterwards it answers `result: ` and the last tool result.
pub async fn obedient(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let bot = TestBot::on_with(platform, settings).await;
    bot.model.when(obey);
    bot
}

fn obey(request: &ModelRequest) -> Option<Answer> {
    if request.is_routing() {
        return None;
    }
    let is_note = |message: &Value| {
        message["role"] == "user"
            && message["content"]
                .as_str()
                .is_some_and(|text| text.starts_with("[note]") || is_system_note(text))
    };
    let mut newest_first = request.messages().iter().rev();
    let newest = newest_first.find(|message| !is_note(message))?;
    if newest["role"] == "tool" {
        return Some(Answer::text(format!(
            "result: {}",
            request.last_tool_result()
        )));
    }
    let said = request.last_user();
    let (_, commands) = said.split_once("run: ")?;
    let calls = commands
        .split(" ;; ")
        .map(|command| ("shell", json!({ "command": command })));
    Some(Answer::calls(calls.collect::<Vec<(&str, Value)>>()))
}

/// Returns a plain command that leaves a mark of this name each time it runs.
pub fn mark(_bot: &TestBot, name: &str) -> String {
    format!("mktemp -p . mark-{name}.XXXXXX")
}

/// Returns the names of the marks, sorted; a name stands there as often as its command ran.
pub fn marks(bot: &TestBot) -> Vec<String> {
    let workspaces = std::fs::read_dir(bot.data().join("workspaces"));
    let mut names: Vec<String> = workspaces
        .into_iter()
        .flatten()
        .flat_map(|workspace| std::fs::read_dir(workspace.unwrap().path()).unwrap())
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let mark = name.strip_prefix("mark-")?;
            Some(mark.split('.').next()?.to_owned())
        })
        .collect();
    names.sort();
    names
}

/// Asks for a command that leaves a mark, and returns its card.
async fn asks(bot: &TestBot, chat: &Chat, name: &str) -> Message {
    chat.says(&format!("run: {}", mark(bot, name)));
    card_of(chat, name).await
}

/// Waits for the open card that names this.
async fn card_of(chat: &Chat, name: &str) -> Message {
    let name = format!("mark-{name}.");
    chat.settles(|message| is_open_card(message) && message.text.contains(&name))
        .await
}

pub fn is_open_card(message: &Message) -> bool {
    message.asks()
}

/// Waits until the card has no buttons any more, and returns it.
async fn closed(chat: &Chat, card: i64) -> Message {
    chat.becomes(card, |message| !message.asks()).await
}

/// Waits for a message of the bot that holds this, and is not the live message of a turn: on a slow
/// machine that one shows an answer before it is given.
async fn hears(chat: &Chat, text: &str) -> Message {
    chat.settles(|message| message.text.contains(text) && !message.is_live())
        .await
}

/// The group, spoken in by Ann.
fn group(bot: &TestBot) -> Chat {
    let group = bot.group("Friends");
    let _ = group.with(&bot.bob);
    group.with(&bot.ann)
}

/// Random numbers that are the same in every run (xorshift, Marsaglia 2003).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
