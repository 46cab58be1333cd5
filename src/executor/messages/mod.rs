//! The results of calls in our own words, where no tool speaks: for the model, and beside it the
//! line for people.

mod acts;

pub use acts::{PeopleLine, doing, folded, report_line, result_line, running_line, withheld_line};

use sayso_channel::Language;
use sayso_core::transcript::{FileToSend, Repetition, ToolOutcome};
use sayso_policy::Refusal;

/// The result of a call that a person refused; `by` names them where others read along.
pub fn refused(why: Option<&str>, by: Option<&str>, language: Language) -> ToolOutcome {
    let shown = match (by, language) {
        (None, Language::English) => "Not run: you said no".to_owned(),
        (None, Language::Chinese) => "未执行（你已拒绝）".to_owned(),
        (Some(by), Language::English) => format!("Not run: {by} said no"),
        (Some(by), Language::Chinese) => format!("未执行（{by} 已拒绝）"),
    };
    ToolOutcome::Denied {
        why: refused_for_model(why, language),
        shown,
    }
}

fn refused_for_model(why: Option<&str>, language: Language) -> String {
    match (why, language) {
        (None, Language::English) => {
            "denied\nThe user said no to this call. Do not try it again in another form; ask what they want instead.".to_owned()
        }
        (None, Language::Chinese) => {
            "已拒绝\n用户拒绝了这次调用。不要换一种方式再试，先问问他们想要什么。".to_owned()
        }
        (Some(why), Language::English) => format!(
            "denied\nThe user said no to this call, and why. Do not try it again in another form. Their words:\n{why}"
        ),
        (Some(why), Language::Chinese) => {
            format!("已拒绝\n用户拒绝了这次调用，并说明了原因。不要换一种方式再试。他们的原话：\n{why}")
        }
    }
}

/// The result of a call whose file the chat does not take.
pub fn file_too_large(file: &FileToSend, most: u64) -> ToolOutcome {
    let (name, bytes) = (&file.name, file.bytes);
    let error = format!(
        "not sent: this chat takes files of at most {most} bytes, and {name} has {bytes}. Pack it, \
         split it, or send the part that matters"
    );
    ToolOutcome::Failed {
        error,
        partial: None,
    }
}

/// The result of a call that would only repeat others.
pub fn repeated(tool: &str, repetition: Repetition, language: Language) -> ToolOutcome {
    let why = match (repetition, language) {
        (Repetition::ThirdTime, Language::English) => {
            format!("not run: `{tool}` was called like this twice in a row and came to the same")
        }
        (Repetition::ThirdTime, Language::Chinese) => {
            format!("未执行：`{tool}` 已连续两次这样调用，结果相同")
        }
        (Repetition::GoesRound, Language::English) => format!(
            "not run: `{tool}` and the calls around it were made twice in this order and came to the same"
        ),
        (Repetition::GoesRound, Language::Chinese) => {
            format!("未执行：`{tool}` 和前后的调用已按此顺序进行过两次，结果相同")
        }
        (Repetition::Blocked, Language::English) => {
            format!("not run: this call of `{tool}` was kept from running before")
        }
        (Repetition::Blocked, Language::Chinese) => {
            format!("未执行：`{tool}` 的这一调用此前已被阻止")
        }
    };
    let what_now = match language {
        Language::English => {
            "It stays kept from running in this turn. Use what you know already, go another way, \
             or tell the user what is in the way; after five of these the turn ends."
        }
        Language::Chinese => {
            "它在本轮内不会再执行。请利用已知的结果、换一种做法，或告诉用户遇到了什么阻碍；\
             这样的调用满五次，本轮就会结束。"
        }
    };
    ToolOutcome::repeated(format!("{why}\n{what_now}"))
}

/// The result of a call that only an owner may approve, where no owner can be asked.
pub fn no_owner_to_ask(language: Language) -> ToolOutcome {
    let why = match language {
        Language::English => {
            "not asked and not run: it reaches past the own space of this user, so only an owner may approve it, and no owner can be reached. The user was told. Go on without it; do not call it again"
        }
        Language::Chinese => {
            "未询问，也未执行：它超出了该用户自己的范围，只有管理者可以批准，而现在联系不到任何管理者。用户已得到通知。请不用它继续，不要再次调用"
        }
    };
    ToolOutcome::Denied {
        why: why.to_owned(),
        shown: match language {
            Language::English => "Not run: only an owner may approve this".to_owned(),
            Language::Chinese => "未执行：只有管理者可以批准".to_owned(),
        },
    }
}

/// Why a turn ends whose call cannot be written down in the audit.
pub fn unaudited(language: Language) -> &'static str {
    match language {
        Language::English => {
            "I did not run anything: what I do has to be written to the audit first, and it cannot be written.\nWhoever runs me finds the reason in the log."
        }
        Language::Chinese => {
            "我没有执行任何操作：操作必须先写入审计记录，而现在无法写入。\n运行我的人可以在日志中找到原因。"
        }
    }
}

/// The result of a call that the policy refused.
pub fn denied(refusal: &Refusal, language: Language) -> ToolOutcome {
    let why = match language {
        Language::English => refusal.for_model(),
        Language::Chinese => format!("{}\n{}", refusal.in_chinese(), refusal.for_model()),
    };
    let shown = shown_of(refusal, language);
    ToolOutcome::Denied { why, shown }
}

/// Returns why a call was refused, in a line for people.
fn shown_of(refusal: &Refusal, language: Language) -> String {
    let [english, chinese] = match refusal {
        Refusal::Forbidden(reason) => {
            let reason = reason.in_language(language);
            return match language {
                Language::English => format!("Blocked: {reason}"),
                Language::Chinese => format!("已阻止：{reason}"),
            };
        }
        Refusal::ChangesNothingAt(_) | Refusal::OnlyReadsAt(..) => {
            ["Not run: I may only read here", "未执行：我在这里只能读取"]
        }
        Refusal::ChatOnly => [
            "Not run: we can only chat here",
            "未执行：我们在这里只能聊天",
        ],
        Refusal::OwnersAlone => [
            "Not run: only an owner may do this",
            "未执行：只有管理者可以这样做",
        ],
        Refusal::OutsideTheWorkspace(_) | Refusal::ReachesTheSystem(_) => [
            "Not run: this reaches outside your folder",
            "未执行：这超出了你的文件夹",
        ],
        Refusal::NotConfined(_) => [
            "Not run: this computer cannot confine commands",
            "未执行：这台电脑无法隔离命令",
        ],
        Refusal::NetworkIsOff(_) => ["Not run: I have no internet here", "未执行：这里不能联网"],
        Refusal::NotPlainCommands | Refusal::NotOnTheList { .. } | Refusal::HidesWhatItRuns(_) => [
            "Not run: this command is not on the list of allowed ones",
            "未执行：这个命令不在允许之列",
        ],
        Refusal::Host(_) => [
            "Not run: this site is not allowed",
            "未执行：不允许访问这个网站",
        ],
        Refusal::Secret(_) => [
            "Not run: this key may not be used for that",
            "未执行：这个密钥不能这样使用",
        ],
        Refusal::Mcp(_) => [
            "Not run: this service may not do that",
            "未执行：不允许这个服务这样做",
        ],
        Refusal::Member(_) => ["Not run: members may not do this", "未执行：成员不能这样做"],
    };
    match language {
        Language::English => english.to_owned(),
        Language::Chinese => chinese.to_owned(),
    }
}

/// The result of a call that would require approval, where no one can be asked.
pub fn no_one_to_ask(language: Language) -> ToolOutcome {
    let why = match language {
        Language::English => {
            "not asked and not run: it requires approval, and no one can be asked in this run"
        }
        Language::Chinese => "未询问，也未执行：它需要批准，而这次运行没有人可以询问",
    };
    ToolOutcome::Denied {
        why: why.to_owned(),
        shown: match language {
            Language::English => "Not run: there is no one to ask".to_owned(),
            Language::Chinese => "未执行：没有人可以询问".to_owned(),
        },
    }
}

/// The result of a question to the person, where they do not read along.
pub fn no_one_answers(language: Language) -> ToolOutcome {
    let why = match language {
        Language::English => {
            "not asked: the person is not there in this run. Decide by yourself, or report what is open"
        }
        Language::Chinese => "未询问：这次运行时对方不在。请自行决定，或说明哪些事尚待确认",
    };
    ToolOutcome::Denied {
        why: why.to_owned(),
        shown: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;
    use sayso_core::transcript::ToolOutcome;

    use super::refused;

    #[test]
    fn u9_a_refusal_has_a_line_for_people_beside_the_text_for_the_model() {
        let shown = |by, language| match refused(Some("not today"), by, language) {
            ToolOutcome::Denied { why, shown } => {
                assert!(why.ends_with("not today"), "{why}");
                shown
            }
            other => panic!("{other:?}"),
        };
        insta::assert_snapshot!(
            [
                shown(None, Language::English),
                shown(None, Language::Chinese),
                shown(Some("Ann"), Language::English),
                shown(Some("小安"), Language::Chinese),
            ]
            .join("\n"),
            @r"
        Not run: you said no
        未执行（你已拒绝）
        Not run: Ann said no
        未执行（小安 已拒绝）
        "
        );
    }
}
