//! Words that answer an open card without pressing it. They never decide anything: the buttons are
//! shown again.

use sayso_core::transcript::{CardId, ChatId, Role, SessionId, UserId};
use sayso_store::cards::{self, CardRow};
use sayso_store::{StoreError, Tx};

use super::card_view::CardView;

/// What says nothing but yes, in small letters, in the languages of our texts.
const YES: [&str; 45] = [
    "yes",
    "y",
    "yes please",
    "yes, please",
    "yep",
    "yeah",
    "yup",
    "ok",
    "okay",
    "k",
    "sure",
    "sure thing",
    "of course",
    "do it",
    "yes, do it",
    "yes do it",
    "please do",
    "go",
    "go ahead",
    "go on",
    "approve",
    "approved",
    "i approve",
    "confirm",
    "confirmed",
    "allow",
    "allow it",
    "fine",
    "sounds good",
    "run it",
    "好",
    "好的",
    "好吧",
    "可以",
    "可以的",
    "行",
    "是",
    "是的",
    "对",
    "嗯",
    "同意",
    "批准",
    "允许",
    "确认",
    "没问题",
];
/// What says nothing but no.
const NO: [&str; 27] = [
    "no",
    "n",
    "nope",
    "no thanks",
    "no, thanks",
    "don't",
    "dont",
    "don’t",
    "do not",
    "don't do it",
    "don’t do it",
    "please don't",
    "deny",
    "denied",
    "reject",
    "refuse",
    "not now",
    "never",
    "不",
    "不要",
    "不行",
    "不用",
    "不可以",
    "别",
    "否",
    "拒绝",
    "不同意",
];
/// What may stand behind it.
const MARKS: [char; 11] = ['!', '！', '.', '。', '…', '~', '～', ',', '，', '?', '？'];

/// Returns whether a message says nothing but yes or no.
pub fn says_yes_or_no(text: &str) -> bool {
    says_yes(text) || says_no(text)
}

/// Returns whether a message says nothing but yes.
pub fn says_yes(text: &str) -> bool {
    YES.contains(&plain(text).as_str())
}

/// Returns whether a message says nothing but no.
pub fn says_no(text: &str) -> bool {
    NO.contains(&plain(text).as_str())
}

fn plain(text: &str) -> String {
    text.trim().trim_end_matches(MARKS).trim().to_lowercase()
}

/// Who said a word, and where.
#[derive(Debug, Clone, Copy)]
pub struct Speaker {
    /// The user.
    pub user: UserId,
    /// What that user may do.
    pub role: Role,
    /// The session in which it was said.
    pub session: SessionId,
    /// Its chat.
    pub chat: ChatId,
}

/// Returns the card that waits for a press of this person here: the one that they replied to, or
/// with `None` the newest. With it, where it is a copy for an owner, what its messages are about.
pub async fn awaited(
    tx: &mut Tx,
    speaker: Speaker,
    replied_to: Option<i64>,
    now_ms: i64,
) -> Result<Option<(CardView, Option<i64>)>, StoreError> {
    let open = cards::awaiting_press(tx, speaker.session, speaker.chat, now_ms);
    for card in open.await? {
        let copy = match speaker.role {
            Role::Owner if card.chat_id != speaker.chat => {
                cards::copy_in(tx, card.id, speaker.chat).await?
            }
            Role::Owner | Role::Member | Role::Guest => None,
        };
        if may_answer(&card, copy, speaker)
            && replied_to.is_none_or(|id| CardId(id) == card.id || Some(id) == copy)
        {
            let calls = cards::calls_of(tx, card.id).await?;
            let view = CardView {
                card,
                calls,
                decided_by: None,
            };
            return Ok(Some((view, copy)));
        }
    }
    Ok(None)
}

/// Returns whether a press of this person on the card would count.
fn may_answer(card: &CardRow, copy: Option<i64>, speaker: Speaker) -> bool {
    let is_here = card.chat_id == speaker.chat || copy.is_some();
    is_here && (card.user_id == speaker.user || speaker.role == Role::Owner)
}

#[cfg(test)]
mod tests {
    use super::says_yes_or_no;

    #[test]
    fn u2_only_a_whole_message_of_yes_or_no_counts() {
        for text in [
            "yes",
            "Yes!",
            " OK ",
            "do it",
            "go ahead.",
            "No",
            "don't",
            "Don’t!",
            "deny",
            "好",
            "好的。",
            "可以！",
            "行",
            "同意",
            "批准",
            "不",
            "不要。",
            "拒绝",
        ] {
            assert!(says_yes_or_no(text), "{text}");
        }
        for text in [
            "",
            "!",
            "yes, but only photos",
            "ok what is this?",
            "no idea",
            "do it tomorrow",
            "好看吗",
            "不要删照片",
            "可以先看看吗",
            "approve the budget",
        ] {
            assert!(!says_yes_or_no(text), "{text}");
        }
    }
}
