//! What is said about joining and parting accounts.

use sayso_channel::Language::{self, Chinese, English};
use sayso_store::links::{RequestState, Wish};
use sayso_store::people::AccountRow;

use crate::commands::messages::plain;

/// Why no confirmation is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotTaken {
    /// There is no such code, or none any more.
    Unknown,
    /// Too many were wrong.
    TooManyTries,
    /// It is the account's own.
    Own,
    /// Both accounts are one person already.
    AlreadyOne,
    /// The person would have too many accounts.
    TooManyAccounts,
}

fn pick(language: Language, english: &str, chinese: &str) -> String {
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

/// Names an account: its display name, and its unique id, which cannot be imitated.
pub fn account(name: &str, channel: &str, sender: &str) -> String {
    format!("{} (`{channel}:{sender}`)", plain(name))
}

/// One line of a list of accounts.
pub fn account_line(row: &AccountRow) -> String {
    format!("- {}", account(&row.name, &row.channel, &row.sender))
}

/// `/link` or `/unlink` in a group.
pub fn only_direct(language: Language) -> String {
    pick(
        language,
        "Accounts are linked in private: send me this in our direct chat.\nA code that was written here no longer works.",
        "关联账号请在私聊中进行：请私聊我发送此命令。\n写在这里的关联码已失效。",
    )
}

/// `/link`: the code.
pub fn code(code: &str, language: Language) -> String {
    match language {
        English => format!(
            "Your code is `{code}`. It works once, for 10 minutes.\nSend me `/link {code}` from your other account, in our direct chat there. I then ask you in both chats.\nGive it to nobody: whoever is linked with you shares your memory."
        ),
        Chinese => format!(
            "你的关联码是 `{code}`，10 分钟内有效，只能用一次。\n请用你的另一个账号私聊我发送 `/link {code}`，之后我会在两边向你确认。\n不要交给任何人：关联的账号会共享你的记忆。"
        ),
    }
}

/// `/link CODE`, when no confirmation is requested.
pub fn not_taken(why: NotTaken, language: Language) -> String {
    match why {
        NotTaken::Unknown => pick(
            language,
            "There is no such code, or it no longer works.\nSend me `/link` from your other account for a new one.",
            "没有这个关联码，或者已经失效。\n请用另一个账号发送 `/link` 获取新的。",
        ),
        NotTaken::TooManyTries => pick(
            language,
            "Too many wrong codes. Try again in 10 minutes.",
            "错误次数过多，请 10 分钟后再试。",
        ),
        NotTaken::Own => pick(
            language,
            "This is the code of this account. Send it from the other one.",
            "这是本账号的关联码，请用另一个账号发送。",
        ),
        NotTaken::AlreadyOne => pick(
            language,
            "These two accounts are linked already.",
            "这两个账号已经关联。",
        ),
        NotTaken::TooManyAccounts => pick(
            language,
            "A person can have at most 8 accounts here. `/unlink` parts one.",
            "每人最多 8 个账号，可用 `/unlink` 分开其中一个。",
        ),
    }
}

/// `/unlink` by somebody with one account.
pub fn nothing_linked(language: Language) -> String {
    pick(
        language,
        "This account is linked with no other.\n`/link` joins one.",
        "此账号没有关联其他账号。\n可用 `/link` 关联。",
    )
}

/// The card that asks whether two accounts are one person's.
pub fn join(other: &str, linked: &[String], language: Language) -> String {
    let also = match (linked, language) {
        ([], _) => String::new(),
        (lines, English) => format!("\nIt is linked with:\n{}\n", lines.join("\n")),
        (lines, Chinese) => format!("\n它已关联：\n{}\n", lines.join("\n")),
    };
    match language {
        English => format!(
            "**Is this account yours too?**\n{other}\n{also}\nOnce you confirm in both chats, I know you as one person: what I remember from either account I use in the direct chats of both. Roles and what you always allow stay with each account. `/unlink` parts them again.\nRefuse if somebody else asked you for this."
        ),
        Chinese => format!(
            "**这也是你的账号吗？**\n{other}\n{also}\n两边都确认后，我会把你当作同一个人：从任一账号记住的内容，在两边的私聊中都会使用。身份和“总是允许”仍各归各账号。可用 `/unlink` 再分开。\n如果是别人让你这样做的，请拒绝。"
        ),
    }
}

/// The same card, confirmed on this side only.
pub fn join_confirmed_here(other: &str, language: Language) -> String {
    match language {
        English => format!("✅ Confirmed here. Now confirm as {other} too."),
        Chinese => format!("✅ 这边已确认。请再用 {other} 确认。"),
    }
}

/// The same card, closed.
pub fn join_ended(state: RequestState, other: &str, language: Language) -> String {
    match (state, language) {
        (RequestState::Open | RequestState::Done, English) => {
            format!("🔗 Linked with {other}.")
        }
        (RequestState::Open | RequestState::Done, Chinese) => format!("🔗 已与 {other} 关联。"),
        (RequestState::Refused, English) => format!("🚫 Not linked with {other}: refused."),
        (RequestState::Refused, Chinese) => format!("🚫 未与 {other} 关联：已拒绝。"),
        (RequestState::Expired, English) => {
            format!("⌛ Not linked with {other}: not confirmed in time.")
        }
        (RequestState::Expired, Chinese) => format!("⌛ 未与 {other} 关联：未及时确认。"),
        (RequestState::Dropped, English) => {
            format!("Not linked with {other}: this was overtaken. `/link` asks anew.")
        }
        (RequestState::Dropped, Chinese) => {
            format!("未与 {other} 关联：情况已变化。可用 `/link` 重新发起。")
        }
    }
}

/// The card that asks whether an account is to be parted.
pub fn part(this: &str, linked: &[String], language: Language) -> String {
    let linked = linked.join("\n");
    match language {
        English => format!(
            "**Disconnect this account from your others?**\n{this}, from:\n{linked}\n\nWhat I remember from this account stays with it alone, and what I remember from the others stays with them. Nothing is deleted."
        ),
        Chinese => format!(
            "**取消账号关联吗？**\n{this}，与以下账号分开：\n{linked}\n\n从此账号记住的内容只归此账号，从其他账号记住的归它们。不会删除任何内容。"
        ),
    }
}

/// The same card, closed.
pub fn part_ended(state: RequestState, this: &str, language: Language) -> String {
    match (state, language) {
        (RequestState::Open | RequestState::Done, English) => {
            format!("✂️ {this} is parted from your other accounts, each with its own memory.")
        }
        (RequestState::Open | RequestState::Done, Chinese) => {
            format!("✂️ {this} 已与你的其他账号分开，记忆各归各的账号。")
        }
        (RequestState::Refused, English) => format!("{this} stays linked."),
        (RequestState::Refused, Chinese) => format!("{this} 保持关联。"),
        (RequestState::Expired, English) => {
            format!("⌛ {this} stays linked: not confirmed in time.")
        }
        (RequestState::Expired, Chinese) => format!("⌛ {this} 保持关联：未及时确认。"),
        (RequestState::Dropped, English) => {
            "Nothing was parted: this was overtaken. `/unlink` asks anew.".to_owned()
        }
        (RequestState::Dropped, Chinese) => {
            "没有分开任何账号：情况已变化。可用 `/unlink` 重新发起。".to_owned()
        }
    }
}

/// The buttons: yes and no.
pub fn labels(wish: Wish, language: Language) -> (&'static str, &'static str) {
    match (wish, language) {
        (Wish::Join, English) => ("Confirm", "Refuse"),
        (Wish::Join, Chinese) => ("确认", "拒绝"),
        (Wish::Part, English) => ("Unlink", "Keep"),
        (Wish::Part, Chinese) => ("分开", "保留"),
    }
}

/// A yes, of which one is still missing.
pub fn confirmed(language: Language) -> String {
    pick(
        language,
        "Confirmed. Your other account is asked too.",
        "已确认，还需另一个账号确认。",
    )
}

/// A second yes on the same side.
pub fn confirmed_already(language: Language) -> String {
    pick(
        language,
        "You have confirmed already. The other account has not.",
        "你已经确认过了，另一个账号还没有。",
    )
}

/// A no.
pub fn refused(language: Language) -> String {
    pick(language, "Nothing changes.", "不做任何改动。")
}

/// The last yes.
pub fn done(wish: Wish, language: Language) -> String {
    match wish {
        Wish::Join => pick(language, "Linked.", "已关联。"),
        Wish::Part => pick(language, "Unlinked.", "已分开。"),
    }
}

/// A press on a card whose request was dropped.
pub fn dropped(language: Language) -> String {
    pick(
        language,
        "This was overtaken. Nothing changed.",
        "情况已变化，没有任何改变。",
    )
}

/// The last yes, while the other account is no longer let in.
pub fn not_let_in(language: Language) -> String {
    pick(
        language,
        "The other account may not talk with me any more. Nothing changed.",
        "另一个账号已不能与我对话，没有任何改变。",
    )
}
