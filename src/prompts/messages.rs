//! Why a press was refused, in words: one set for all prompts.

use sayso_channel::Language::{self, Chinese, English};
use sayso_store::prompts::Audience;

use super::prompt::Refusal;

impl Refusal {
    /// Returns the notice to the presser.
    pub fn text(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Unknown, English) => "This button does nothing here.",
            (Self::Unknown, Chinese) => "这个按钮在这里无效。",
            (Self::NotYours(Audience::User), English) => "This question was for somebody else.",
            (Self::NotYours(Audience::User), Chinese) => "这个问题是问别人的。",
            (Self::NotYours(Audience::Owner), English) => "Only an owner can answer this.",
            (Self::NotYours(Audience::Owner), Chinese) => "只有管理者可以答复。",
            (Self::NotYours(Audience::UserOrOwner), English) => {
                "Only the person who asked, or an owner, can answer this."
            }
            (Self::NotYours(Audience::UserOrOwner), Chinese) => {
                "只有提出请求的人或管理者可以答复。"
            }
            (Self::AlreadyAnswered, English) => "This was already answered. Nothing changed.",
            (Self::AlreadyAnswered, Chinese) => "已经答复过了，没有任何改变。",
            (Self::Expired, English) => "Too late: this has expired.",
            (Self::Expired, Chinese) => "太晚了：已经过期。",
        }
    }
}
