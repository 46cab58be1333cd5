//! What a session says in its own words.

use std::num::NonZeroU32;

use sayso_channel::ChatKind;
use sayso_channel::Language::{self, Chinese, English};
use sayso_core::transcript::{Condensed, KeyRefused};

/// The button below the outcome of a turn that failed and may be tried again.
pub fn try_again(language: Language) -> &'static str {
    match language {
        English => "↻ Try again",
        Chinese => "↻ 重试",
    }
}

/// The line in place of that button.
pub fn tried_again(language: Language) -> &'static str {
    match language {
        English => "↻ Trying again",
        Chinese => "↻ 正在重试",
    }
}

/// The button below the live message.
pub fn stop(language: Language) -> &'static str {
    match language {
        English => "⏹ Stop",
        Chinese => "⏹ 停止",
    }
}

/// Messages that came too fast were skipped; `rate` is how many may come within a minute, where it
/// is one number.
pub fn skipped(count: i64, rate: Option<NonZeroU32>, language: Language) -> String {
    let why = match (rate, language) {
        (Some(rate), English) => format!("more than {rate} came within a minute"),
        (Some(rate), Chinese) => format!("一分钟内超过 {rate} 条"),
        (None, English) => "too many came within a minute".to_owned(),
        (None, Chinese) => "一分钟内的消息太多".to_owned(),
    };
    match (count, language) {
        (1, English) => {
            format!("I skipped your last message: {why}. If it matters, send it again.")
        }
        (_, English) => {
            format!("I skipped your last {count} messages: {why}. Send again what matters.")
        }
        (_, Chinese) => format!("{why}，最后 {count} 条没有处理。请把重要的重新发送。"),
    }
}

/// The outcome of a turn whose card expired without an answer.
pub fn expired(request: &str, language: Language) -> String {
    let request = quoted(request);
    match language {
        English => format!(
            "⌛ I got no answer in time, so I stopped here: {request}\nSend it again if you still want it."
        ),
        Chinese => {
            format!("⌛ 没有及时得到答复，所以到此为止：{request}\n如仍需要，请再发一次。")
        }
    }
}

/// What stands in the live message of such a turn where its card says the rest.
pub fn waited_in_vain(language: Language) -> &'static str {
    match language {
        English => "⌛ Stopped: no answer in time.",
        Chinese => "⌛ 没有及时得到答复，已停止。",
    }
}

/// The outcome of a turn whose card could not be delivered; `why` is the platform's reason.
pub fn unshown(request: &str, why: &str, language: Language) -> String {
    let request = quoted(request);
    match language {
        English => format!(
            "⚠️ I had to ask before I go on, and could show the question to nobody: {why}. So I stopped here, and what I asked about was not run: {request}"
        ),
        Chinese => format!(
            "⚠️ 继续之前需要得到同意，但我的提问无法显示给任何人，所以到此为止，待批准的操作没有执行：{request}"
        ),
    }
}

/// The outcome of a turn that could not be done; `why` is in plain words.
pub fn failed(why: &str) -> String {
    format!("⚠️ {why}")
}

/// Tells the asker that a call needs an owner's yes, and that no owner can be asked.
pub fn no_owner_to_ask(language: Language) -> String {
    match language {
        English => "⛔ That needs the approval of an owner, because it reaches past what is yours. No owner has talked with me in a direct chat yet, so there is nobody I could ask, and I did not run it.".to_owned(),
        Chinese => "⛔ 这超出了你自己的范围，需要管理者批准。还没有管理者和我私聊过，我无人可问，所以没有执行。".to_owned(),
    }
}

/// Tells owners of a key that its service takes no longer, while something else answers.
pub fn key_refused(key: &KeyRefused, language: Language) -> String {
    let KeyRefused { server, number, of } = key;
    let is_only = *of == 1;
    match language {
        English => {
            let which = if is_only {
                "the key".to_owned()
            } else {
                format!("key {number} of {of}")
            };
            let meanwhile = if is_only {
                "another model"
            } else {
                "the others"
            };
            format!(
                "🔑 The model service `{server}` does not accept {which} any more, so I go on with {meanwhile}.\nPlease check it at the service and in `[[providers]]`; I try it again from time to time."
            )
        }
        Chinese => {
            let which = if is_only {
                "密钥".to_owned()
            } else {
                format!("第 {number} 个密钥（共 {of} 个）")
            };
            let meanwhile = if is_only {
                "其他模型"
            } else {
                "其余的密钥"
            };
            format!(
                "🔑 模型服务 `{server}` 不再接受{which}，我先用{meanwhile}。\n请在服务那边和 `[[providers]]` 里检查；我会不时再试。"
            )
        }
    }
}

/// Why a turn ends for whose work there is no driver in this version.
pub fn no_driver(language: Language) -> &'static str {
    match language {
        English => "I cannot do this kind of work in this version.",
        Chinese => "当前版本的我还做不了这类工作。",
    }
}

/// Why a turn is given up that was interrupted again and again.
pub fn interrupted_too_often(language: Language) -> &'static str {
    match language {
        English => "I was interrupted three times while working on this, so I gave up on it.",
        Chinese => "处理这件事时我被中断了三次，所以放弃了。",
    }
}

/// What a card says of a call with a secret in it.
pub fn secret_is_hidden(language: Language) -> &'static str {
    match language {
        English => "🔑 A secret is hidden above; it is used as the call has it.",
        Chinese => "🔑 上面隐去了密钥；运行时使用的是调用里的原值。",
    }
}

/// The live message of a turn that was interrupted.
pub fn starts_again(language: Language) -> &'static str {
    match language {
        English => "⟳ I was interrupted and am starting again …",
        Chinese => "⟳ 刚才被中断，正在重新开始……",
    }
}

/// The note to a turn about processes that have ended in the background.
pub fn processes_ended(ids: &[String]) -> String {
    format!(
        "[Sayso: what ran in the background has ended: `{}`; `read_result` says how]",
        ids.join("`, `")
    )
}

/// The note to a resumed turn about what happened while it waited.
pub fn happened_meanwhile(turns: i64, language: Language) -> String {
    match language {
        English => format!(
            "[note] While this waited for approval, {turns} other turn(s) of this chat ended. What they changed may matter: look again before you rely on earlier results."
        ),
        Chinese => format!(
            "[说明] 等待批准期间，本聊天另有 {turns} 轮对话结束。之前的结果可能已改变，使用前请重新查看。"
        ),
    }
}

/// What was said in a group around a message, before the message. Further lines of a message are
/// indented, so that none of it can be mistaken for a line written by the system.
pub fn said_around(lines: &[&str], text: &str, language: Language) -> String {
    let indented = |line: &&str| line.lines().collect::<Vec<_>>().join("\n  ");
    let ctx = lines.iter().map(indented).collect::<Vec<_>>().join("\n");
    match language {
        English => format!(
            "[said in the group meanwhile, not addressed to you]\n{ctx}\n[addressed to you]\n{text}"
        ),
        Chinese => format!("[群里刚才说的，不是对你说的]\n{ctx}\n[对你说的]\n{text}"),
    }
}

/// The notice that what somebody says waits for a turn of its own.
pub fn queued_behind(language: Language) -> &'static str {
    match language {
        English => "⏳ Next in line.",
        Chinese => "⏳ 排在下一个。",
    }
}

/// The button that has it join the turn that runs.
pub fn join_now(language: Language) -> &'static str {
    match language {
        English => "Add to current task",
        Chinese => "并入当前任务",
    }
}

/// The button that ends the turn for it.
pub fn interrupt_now(language: Language) -> &'static str {
    match language {
        English => "Do this now instead",
        Chinese => "先做这个",
    }
}

/// What stands in the notice when nothing of it waits any more and it cannot be deleted.
pub fn queue_is_over(language: Language) -> &'static str {
    match language {
        English => "✓ No longer waiting.",
        Chinese => "✓ 已不在等待。",
    }
}

/// What the model sees before a message that joins a turn under way.
fn joined_heading(language: Language) -> &'static str {
    match language {
        English => "[added while you work]\n",
        Chinese => "[工作中补充]\n",
    }
}

/// A message that joins a turn under way, for the model.
pub fn joined(text: &str, language: Language) -> String {
    format!("{}{text}", joined_heading(language))
}

/// Returns the words of a message that joined a turn, without what is added for the model.
pub fn joined_words(text: &str) -> String {
    let headings = [English, Chinese].map(joined_heading);
    let words = headings.iter().find_map(|it| text.strip_prefix(it));
    words.unwrap_or(text).to_owned()
}

/// The model is being loaded.
pub fn starting(language: Language) -> &'static str {
    match language {
        English => "⏳ the model is just starting",
        Chinese => "⏳ 模型正在启动",
    }
}

/// The model reads the prompt; `percent` is the percentage read.
pub fn reading(percent: u8, language: Language) -> String {
    match language {
        English => format!("⏳ reading {percent} %"),
        Chinese => format!("⏳ 正在阅读 {percent} %"),
    }
}

/// The model has given no sign for a while.
pub fn still_waiting(language: Language) -> &'static str {
    match language {
        English => "⏳ Still waiting for the model…",
        Chinese => "⏳ 模型还没回应，继续等待……",
    }
}

/// The line of the live message that repeats the first words of what joined.
pub fn got_it(words: &str, language: Language) -> String {
    let words = literal(&beginning(words, QUOTED_CHARS));
    match language {
        English => format!("＋ Got it: {words}"),
        Chinese => format!("＋ 收到：{words}"),
    }
}

/// The line of the live message in place of the oldest steps.
pub fn earlier_steps(count: usize, language: Language) -> String {
    match (count, language) {
        (1, English) => "… 1 earlier step".to_owned(),
        (_, English) => format!("… {count} earlier steps"),
        (_, Chinese) => format!("… 更早的 {count} 步"),
    }
}

/// The button for an answer that is none of the choices.
pub fn something_else(language: Language) -> &'static str {
    match language {
        English => "Something else",
        Chinese => "其他",
    }
}

/// The button that ends the asking.
pub fn never_mind(language: Language) -> &'static str {
    match language {
        English => "Never mind",
        Chinese => "算了",
    }
}

/// Below a question whose answer will be written.
pub fn just_write(chat: ChatKind, language: Language) -> &'static str {
    match (chat, language) {
        (ChatKind::Direct, English) => "✏️ Just write it.",
        (ChatKind::Direct, Chinese) => "✏️ 直接写就行。",
        (ChatKind::Group, English) => "✏️ Just write it, as a reply to this message.",
        (ChatKind::Group, Chinese) => "✏️ 回复这条消息，直接写就行。",
    }
}

/// Below a question that needs no answer any more.
pub fn left_it(language: Language) -> &'static str {
    match language {
        English => "OK, I leave it.",
        Chinese => "好，那就算了。",
    }
}

/// A question with its answer in place of its buttons.
pub fn answered(question: &str, answer: &str) -> String {
    let answer: String = answer.chars().take(200).collect();
    format!("{question}\n\n↳ {answer}")
}

/// The note about what was learned. It is a message of its own, since it answers no request.
pub fn noted(facts: &[&str], language: Language) -> String {
    let literals: Vec<String> = facts.iter().map(|fact| literal(fact)).collect();
    let facts = match literals.as_slice() {
        [one] => one.clone(),
        several => format!("\n- {}", several.join("\n- ")),
    };
    match language {
        English => format!("📝 Noted: {facts}"),
        Chinese => format!("📝 记下了：{facts}"),
    }
}

/// The button of that note.
pub fn undo(language: Language) -> &'static str {
    match language {
        English => "Undo",
        Chinese => "撤销",
    }
}

/// The note when it was undone.
pub fn undone(language: Language) -> &'static str {
    match language {
        English => "📝 Undone: I do not keep it.",
        Chinese => "📝 已撤销，不会保留。",
    }
}

/// Returns words of somebody as they are, whatever signs are in them.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for letter in one_line(text).chars() {
        if letter.is_ascii_punctuation() && "\\*_[]<>#~|!&".contains(letter) {
            literal.push('\\');
        }
        literal.push(letter);
    }
    literal
}

/// The receipt of `/compact`. How much shorter it became stands in the trace.
pub fn compacted(condensed: &Condensed, language: Language) -> &'static str {
    match (condensed.by_model, language) {
        (true, English) => {
            "🗜 I shortened our conversation. Nothing is deleted; ask and I look it up."
        }
        (true, Chinese) => "🗜 已精简对话记录。内容没有删除，需要时我会查找。",
        (false, _) => not_summed_up(language),
    }
}

/// What is said when the older part of a conversation went out of view without a summary.
pub fn not_summed_up(language: Language) -> &'static str {
    match language {
        English => {
            "🗜 I could not sum up the earlier part of our conversation, so I no longer see it. \
             Nothing is deleted; ask and I look it up."
        }
        Chinese => "🗜 未能概括较早的对话，之后我不再看到它。内容没有删除，需要时我会查找。",
    }
}

/// The answer to `/compact` where no model can be asked, or none answers.
pub fn cannot_compact_now(language: Language) -> &'static str {
    match language {
        English => {
            "I cannot sum up our conversation now, and have changed nothing. Please try /compact again later."
        }
        Chinese => "现在无法概括我们的对话，没有改动任何内容。请稍后再用 /compact。",
    }
}

/// The answer to `/compact` in a conversation that is short.
pub fn nothing_to_compact(language: Language) -> &'static str {
    match language {
        English => "There is nothing to sum up yet: our conversation is short.",
        Chinese => "还没有可概括的内容：我们的对话很短。",
    }
}

/// The answer to `/compact` until its receipt comes.
pub fn compacting(language: Language) -> &'static str {
    match language {
        English => "🗜 I am summing up the earlier part of our conversation.",
        Chinese => "🗜 正在概括我们较早的对话。",
    }
}

/// How much of a request its outcome quotes, in characters.
const QUOTED_CHARS: usize = 80;

fn quoted(request: &str) -> String {
    format!("“{}”", beginning(request, QUOTED_CHARS))
}

/// Returns the text on one line, cut with a sign that it is.
fn beginning(text: &str, chars: usize) -> String {
    let line = one_line(text);
    let mut shown: String = line.chars().take(chars).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

fn one_line(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('`', "'")
}
