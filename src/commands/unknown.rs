//! A command that does not exist: it never reaches a model. Where one is near, a button runs that
//! one with what stood behind the name.

use std::collections::HashSet;

use sayso_channel::{
    Addressed, Button, ButtonLook, ChatKind, CommandCall, Event, HeardMessage, Inbound, Outbound,
};
use sayso_store::chats::ChatRow;
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, now_ms};

use super::context::CommandContext;
use super::{CommandKind, messages, run_command};
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, Pressed, ResolvedMessage, reply_to, tell};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};

/// How long the button may be pressed, in milliseconds.
const HOLDS_MS: i64 = 10 * 60 * 1000;
/// What the only button of the prompt answers.
const YES: &str = "yes";
/// Commands as Chinese speakers name them.
const CHINESE: [(&str, CommandKind); 16] = [
    ("帮助", CommandKind::Help),
    ("开始", CommandKind::Start),
    ("新对话", CommandKind::New),
    ("停止", CommandKind::Stop),
    ("停", CommandKind::Stop),
    ("取消", CommandKind::Stop),
    ("撤销", CommandKind::Undo),
    ("状态", CommandKind::Status),
    ("我是谁", CommandKind::WhoAmI),
    ("用量", CommandKind::Usage),
    ("忘记", CommandKind::Forget),
    ("记忆", CommandKind::Memory),
    ("技能", CommandKind::Skills),
    ("模型", CommandKind::Model),
    ("语言", CommandKind::Language),
    ("许可", CommandKind::Grants),
];

/// Says that there is no such command, and which one may be meant.
pub async fn tell_unknown(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    call: &CommandCall,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let Some(meant) = meant_by(&call.name) else {
        // In a group it may be for another bot.
        let names_us = heard.message.text.split_whitespace().next();
        let is_ours = names_us.is_some_and(|word| word.contains('@'));
        if heard.inbound.chat_kind == ChatKind::Group && !is_ours {
            return Ok(Effects::unanswered());
        }
        let text = messages::no_such_command(&call.name, None, language);
        return tell(tx, &ctx.outbox, heard, text).await;
    };
    let name = messages::menu_entry(meant).name;
    let text = messages::no_such_command(&call.name, Some(name), language);
    if takes_words(meant) {
        return tell(tx, &ctx.outbox, heard, text).await;
    }
    let call = CommandCall {
        name: name.to_owned(),
        arguments: call.arguments.clone(),
    };
    let new = NewPrompt {
        kind: PromptKind::CommandGuess,
        place: Place::Session(heard.session),
        asked: Asked::User(heard.user),
        subject: None,
        payload: &call,
        expires_ms: Some(now_ms() + HOLDS_MS),
    };
    let prompt = prompts::open(tx, new).await?;
    let button = Button {
        label: messages::yes_that_command(name, language),
        token: prompt.button(YES),
        key: None,
        look: ButtonLook::Plain,
    };
    let outbound = Outbound {
        reply_to: reply_to(heard),
        buttons: vec![vec![button]],
        ..Outbound::markdown(text)
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: Some(prompt.id()),
        outbound: &outbound,
    };
    Ok(Effects::said(ctx.outbox.say(tx, saying).await?))
}

/// Runs the command that was meant, as its person wrote what stands behind it.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    if choice != YES {
        return Ok(None);
    }
    let call: CommandCall = prompt.payload()?;
    let mut said = close(tx, ctx, prompt, messages::meant_command(&call.name)).await?;
    let message = as_message(&call, pressed);
    let inbound = Inbound {
        event: Event::Message(Box::new(message.clone())),
        ..pressed.inbound.clone()
    };
    let heard = ResolvedMessage {
        inbound: &inbound,
        message: &message,
        chat: ChatRow {
            id: pressed.chat,
            kind: pressed.chat_kind,
            language: pressed.language.code().to_owned(),
        },
        session: pressed.session,
        user: pressed.user,
        role: pressed.role,
        has_waiting: false,
        owes_words: false,
        has_running: false,
    };
    let effects = Box::pin(run_command(tx, ctx, &heard, &call)).await?;
    said.extend(effects.said);
    Ok(Some(Effects { said, ..effects }))
}

/// Leaves the question without its button.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
) -> Result<Vec<OutboxRow>, StoreError> {
    let language = ctx.language(prompt.language().unwrap_or_default());
    let text = messages::command_guess_expired(language).to_owned();
    close(tx, ctx, prompt, text).await
}

async fn close(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    text: String,
) -> Result<Vec<OutboxRow>, StoreError> {
    let outbound = Outbound::markdown(text);
    let outbox = &ctx.outbox;
    outbox
        .amend(tx, Purpose::Notice, prompt.id(), None, &outbound)
        .await
}

/// Returns the message that a press stands for.
fn as_message(call: &CommandCall, pressed: &Pressed<'_>) -> HeardMessage {
    let key = pressed.this.map(|message| message.key.clone());
    HeardMessage {
        message: key.unwrap_or_else(|| pressed.inbound.key.id.as_str().into()),
        text: format!("/{} {}", call.name, call.arguments),
        addressed: Addressed::Command,
        command: Some(call.clone()),
        quoted: None,
        attachments: Vec::new(),
        album: None,
        edited: false,
        unsupported: None,
    }
}

/// Returns whether a command's words are a message of their own, which only a message can bring.
fn takes_words(kind: CommandKind) -> bool {
    matches!(
        kind,
        CommandKind::Steer | CommandKind::Queue | CommandKind::Interrupt
    )
}

/// Returns the command that a name is near to.
fn meant_by(name: &str) -> Option<CommandKind> {
    if let Some((_, kind)) = CHINESE.iter().find(|(chinese, _)| *chinese == name) {
        return Some(*kind);
    }
    let letters = name.chars().count();
    // One letter of five may be wrong, two of a longer word.
    let most = match letters {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let near = CommandKind::ALL.into_iter().filter_map(|kind| {
        let known = messages::menu_entry(kind).name;
        let is_begun = letters >= 3 && known.starts_with(name);
        let changes = if is_begun { 0 } else { changes(name, known) };
        (changes <= most).then_some((changes, kind))
    });
    near.min_by_key(|(changes, _)| *changes)
        .map(|(_, kind)| kind)
}

/// Counts the letters to add, drop, replace or swap with their neighbour.
fn changes(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut reached = HashSet::from([(0, 0)]);
    let mut count = 0;
    loop {
        // Equal letters cost nothing.
        let mut ends = HashSet::new();
        for (mut a, mut b) in reached {
            while a < from.len() && b < to.len() && from[a] == to[b] {
                (a, b) = (a + 1, b + 1);
            }
            if (a, b) == (from.len(), to.len()) {
                return count;
            }
            ends.insert((a, b));
        }
        reached = HashSet::new();
        for (a, b) in ends {
            reached.extend([(a + 1, b), (a, b + 1), (a + 1, b + 1)]);
            let is_swapped = from.get(a).is_some()
                && from.get(a) == to.get(b + 1)
                && from.get(a + 1) == to.get(b);
            if is_swapped {
                reached.insert((a + 2, b + 2));
            }
        }
        reached.retain(|(a, b)| *a <= from.len() && *b <= to.len());
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{CommandKind, changes, meant_by};

    #[test]
    fn u16_a_near_command_is_found() {
        for (written, meant) in [
            ("staus", Some(CommandKind::Status)),
            ("stauts", Some(CommandKind::Status)),
            ("stat", Some(CommandKind::Status)),
            ("hlep", Some(CommandKind::Help)),
            ("mem", Some(CommandKind::Memory)),
            ("forgt", Some(CommandKind::Forget)),
            ("who_am_i", Some(CommandKind::WhoAmI)),
            ("帮助", Some(CommandKind::Help)),
            ("状态", Some(CommandKind::Status)),
            ("foo", None),
            ("bye", None),
            ("x", None),
            ("天气", None),
            ("weather", None),
        ] {
            assert_eq!(meant_by(written), meant, "{written}");
        }
    }

    #[test]
    fn changes_are_counted() {
        for (from, to, count) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("acb", "abc", 1),
            ("ab", "abc", 1),
            ("xbc", "abc", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(changes(from, to), count, "{from} {to}");
        }
    }
}
