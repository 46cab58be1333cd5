//! The results of calls in our own words, where no tool speaks.

use sayso_channel::Language;

use crate::policy::Refusal;
use crate::transcript::{ErrorCode, FileToSend, Repetition, ToolOutcome, ToolStatus};

/// The result of a call that the user refused. People are shown the first line of it.
pub fn refused(why: Option<&str>, language: Language) -> String {
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

/// What people see of a result. What is meant for the model, who can call again, is put in short
/// words: the names of all tools, and which arguments one takes.
pub fn status(outcome: &ToolOutcome, language: Language) -> ToolStatus {
    let ToolOutcome::Error { code, message } = outcome else {
        return outcome.status();
    };
    let words = match (code, language) {
        (ErrorCode::InvalidArgs, Language::English) => "the call was not written correctly",
        (ErrorCode::InvalidArgs, Language::Chinese) => "调用的写法有误",
        (ErrorCode::UnknownTool, Language::English) => "there is no such tool",
        (ErrorCode::UnknownTool, Language::Chinese) => "没有这个工具",
        (ErrorCode::Loop | ErrorCode::Steered, _) => message.lines().next().unwrap_or_default(),
        (ErrorCode::Tool, _) => return outcome.status(),
    };
    ToolStatus::Failed(words.to_owned())
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

/// The result of a call that would only repeat others. People are shown its first three lines.
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

/// The result of a call that the policy refused. People are shown the first line of it.
pub fn denied(why: &Refusal, language: Language) -> String {
    match language {
        Language::English => why.for_model(),
        Language::Chinese => format!("{}\n{}", why.in_chinese(), why.for_model()),
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
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::{refused, repeated, status};
    use crate::transcript::{Repetition, ToolOutcome, ToolStatus};

    #[test]
    fn chat_ugly_words_for_the_model_are_not_shown_to_people() {
        let unknown = ToolOutcome::unknown_tool("there is no tool `x`; the tools are shell");
        let invalid = ToolOutcome::invalid("bad arguments for `shell`\nexpected: {}");
        let refused = |language| ToolOutcome::Denied {
            why: refused(Some("not today"), language),
        };
        let shown = |language| {
            let all = [unknown.clone(), invalid.clone(), refused(language)];
            all.map(|outcome| match status(&outcome, language) {
                ToolStatus::Failed(words) => words,
                other => panic!("{other:?}"),
            })
        };
        let english = [
            "there is no such tool",
            "the call was not written correctly",
            "denied",
        ];
        assert_eq!(shown(Language::English), english);
        let chinese = ["没有这个工具", "调用的写法有误", "已拒绝"];
        assert_eq!(shown(Language::Chinese), chinese);
        let told = unknown.for_model();
        assert_eq!(
            told,
            "[error] E_TOOL: there is no tool `x`; the tools are shell"
        );
        assert!(
            refused(Language::English)
                .for_model()
                .ends_with("not today")
        );
    }

    #[test]
    fn people_read_why_a_call_was_kept_in_their_language() {
        let shown = |language| {
            let kept = repeated("shell", Repetition::Blocked, language);
            let ToolStatus::Failed(lines) = status(&kept, language) else {
                panic!("{kept:?}");
            };
            assert_eq!(lines.lines().count(), 1, "{lines}");
            lines
        };
        assert!(shown(Language::English).starts_with("not run: this call of `shell`"));
        assert!(shown(Language::Chinese).starts_with("未执行：`shell` 的这一调用"));
        assert!(!shown(Language::Chinese).contains("turn"));
    }
}
