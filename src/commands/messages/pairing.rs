//! What strangers are told, and what owners are asked about them.

use sayso_channel::{Language, text};

use super::plain;

/// A stranger wrote, and strangers cannot ask to come in (now).
pub fn closed(language: Language) -> String {
    text!(language, "commands-pairing-closed").to_owned()
}

/// A stranger wrote, and there is no owner yet.
pub fn unowned(language: Language) -> String {
    text!(language, "commands-pairing-unowned").to_owned()
}

/// A stranger sent a code that does not hold, and there is no owner yet.
pub fn wrong_code(language: Language) -> String {
    text!(language, "commands-pairing-wrong-code").to_owned()
}

/// A stranger sent a code that does not hold, and the owners are asked.
pub fn asking_after_wrong_code(language: Language) -> String {
    text!(language, "commands-pairing-asking-after-wrong-code").to_owned()
}

/// A stranger wrote, and no owner can be asked: those that are named have never written.
pub fn owner_is_unheard(language: Language) -> String {
    text!(language, "commands-pairing-owner-is-unheard").to_owned()
}

/// A stranger wrote, and the owners are asked.
pub fn asking(language: Language) -> String {
    text!(language, "commands-pairing-asking").to_owned()
}

/// A stranger wrote again before the owners answered.
pub fn still_asking(language: Language) -> String {
    text!(language, "commands-pairing-still-asking").to_owned()
}

/// A stranger, as owners are shown one.
#[derive(Debug, Clone, Copy)]
pub struct Stranger<'a> {
    /// The name that people see.
    pub name: &'a str,
    /// The name that is the account's alone on its platform, without the `@`.
    pub handle: Option<&'a str>,
    /// Where the account is.
    pub channel: &'a str,
    /// The account.
    pub sender: &'a str,
    /// What was said.
    pub words: &'a str,
}

/// How much of a stranger's words owners are shown, in characters.
const STRANGERS_WORDS: usize = 160;

/// The card about a stranger: who it is, what was said, and what a yes means.
pub fn stranger(stranger: &Stranger<'_>, language: Language) -> String {
    let (name, channel, sender) = (plain(stranger.name), stranger.channel, stranger.sender);
    let handle = stranger.handle.map(harmless).filter(|it| !it.is_empty());
    let words = first_words(stranger.words);
    {
        let handle = handle.map_or_else(String::new, |it| {
            text!(language, "commands-pairing-stranger-handle", it)
        });
        let words = words.map_or_else(String::new, |it| {
            text!(language, "commands-pairing-words", it)
        });
        text!(
            language,
            "commands-pairing-stranger",
            name,
            handle,
            channel,
            sender,
            words
        )
    }
}

/// Returns the beginning of somebody's words on one line, as plain letters for a code span: no
/// links, mentions, formatting or letters that change how others read. `None` where there are none.
fn first_words(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = harmless(&words.join(" "));
    let shown: String = line.chars().take(STRANGERS_WORDS).collect();
    let more = if shown.len() < line.len() { "…" } else { "" };
    (!shown.is_empty()).then(|| format!("{shown}{more}"))
}

/// Leaves out what could end a code span, and letters that are not seen.
fn harmless(text: &str) -> String {
    let is_unseen = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let seen = text
        .chars()
        .filter(|letter| !is_unseen(*letter) && *letter != '`');
    seen.collect::<String>().trim().to_owned()
}

/// The card about a stranger who was let in.
pub fn stranger_let_in(name: &str, language: Language) -> String {
    let name = plain(name);
    text!(language, "commands-pairing-stranger-let-in", name)
}

/// The card about a stranger who may only chat.
pub fn stranger_chats(name: &str, language: Language) -> String {
    let name = plain(name);
    text!(language, "commands-pairing-stranger-chats", name)
}

/// The card about a stranger who was blocked.
pub fn stranger_blocked(name: &str, language: Language) -> String {
    let name = plain(name);
    text!(language, "commands-pairing-stranger-blocked", name)
}

/// The card about a stranger that expired without an answer.
pub fn stranger_expired(name: &str, language: Language) -> String {
    let name = plain(name);
    text!(language, "commands-pairing-stranger-expired", name)
}

/// The button that lets a stranger in.
pub fn allow(language: Language) -> &'static str {
    text!(language, "commands-pairing-allow")
}

/// The button that lets a stranger chat and nothing else.
pub fn chat_only(language: Language) -> &'static str {
    text!(language, "commands-pairing-chat-only")
}

/// The button that lets somebody use tools who could only chat.
pub fn allow_fully(language: Language) -> &'static str {
    text!(language, "commands-pairing-allow-fully")
}

/// The button that keeps a stranger out.
pub fn block(language: Language) -> &'static str {
    text!(language, "commands-pairing-block")
}

/// Somebody became the owner.
pub fn welcome_owner(language: Language) -> String {
    text!(language, "commands-pairing-welcome-owner").to_owned()
}

/// Somebody may chat and nothing else.
pub fn welcome_guest(language: Language) -> String {
    text!(language, "commands-pairing-welcome-guest").to_owned()
}

/// Somebody was let in.
pub fn welcome(language: Language) -> String {
    text!(language, "commands-pairing-welcome").to_owned()
}
