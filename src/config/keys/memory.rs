//! `[memory]`: how long memories are kept, how they are found, and when facts are learned.

use sayso_providers::MAX_DIMENSION;
use serde::Deserialize;

use super::key::{Bound, choice, days, decimal, secret, switch, text, whole};
use super::section::Section;

/// How it stands in the example.
pub(super) const MEMORY: Section = Section::of("memory", MemoryTable::KEYS)
    .above(
        "How long memories are kept after they were last said, in days; 0 is for ever. Some facts are stored\n\
         at a user's request; others are learned from what was said.",
        "记忆在最后一次被提到之后保留的天数；0 表示永久保留。有些事实\n\
         应用户要求保存，其他的是从对话中学到的。",
    );

/// How it stands in the example.
pub(super) const EMBEDDER: Section = Section::of("memory.embedder", EmbedderTable::KEYS)
    .above(
        "What is remembered is found by its words. With an embedder it is also found by its meaning: each\n\
         memory, and each message that memories are looked up for, goes to this server (secrets hidden). With\n\
         another model or another dimension everything is embedded anew, while words go on being found.",
        "记忆按词语查找。配置嵌入模型后也按含义查找：每条记忆以及\n\
         用于查找记忆的每条消息都会发往此服务器（密钥已隐藏）。更换模型\n\
         或维数后会重新嵌入全部内容，期间仍可按词语查找。",
    );

/// How it stands in the example.
pub(super) const LEARNING: Section = Section::of("memory.learning", LearningTable::KEYS)
    .written()
    .above(
        "When a user has been silent for a while, facts are learned from what they said: one small model call\n\
         over their own words, under their budget. What users ask to store is remembered either way.",
        "用户安静一段时间后，从其所说的话中学习事实：一次小的模型调用，\n\
         只涉及其本人的话，计入其预算。用户要求记住的内容始终会被记住。",
    );

declare! {
    /// `[memory]`
    MemoryTable in "memory" {
        keep_episodes_days: u64 = days()
            .default("365")
            .doc("summaries of turns", "任务摘要"),
        keep_learned_days: u64 = days()
            .default("0")
            .doc("facts that were learned from what was said", "从对话中学到的事实"),
        keep_told_days: u64 = days()
            .default("0")
            .doc("facts that a user asked to store", "用户要求记住的事实"),
        keep_lines_days: u64 = days()
            .default("365")
            .doc("what was said, message by message, for search", "逐条消息的对话内容，供搜索"),
        fade_after_days: u64 = days()
            .default("90")
            .doc(
                "learned facts that were never recalled and are not sure; 0: never",
                "从未被想起且不确定的已学事实；0 表示从不淡忘",
            ),
        fade_below_confidence: u8 = whole(0, 100)
            .default("85")
            .doc(
                "in percent: below this a fact is not sure",
                "百分比：低于此值的事实视为不确定",
            ),
    } with {
        embedder: EmbedderTable,
        learning: LearningTable,
    }
}

declare! {
    /// `[memory.embedder]`; without a model or a directory there is none
    EmbedderTable in "memory.embedder" {
        base_url: String = text()
            .default("https://api.openai.com/v1")
            .doc(
                "what stands before /embeddings; any compatible server",
                "/embeddings 之前的地址；任何兼容的服务器",
            ),
        api_key: Option<String> = secret()
            .example(r#""env:OPENAI_API_KEY""#)
            .doc("leave it out when the server needs none", "服务器不需要密钥时省略"),
        model: Option<String> = text()
            .example(r#""text-embedding-3-small""#)
            .doc("the name that the service gives it", "服务方使用的模型名称"),
        directory: Option<String> = text()
            .example(r#""/models/potion-base-8M""#)
            .doc(
                "instead of all above: a local model in model2vec form; needs a build with `--features local-embeddings`",
                "代替以上各项：model2vec 格式的本地模型；需要以 `--features local-embeddings` 构建",
            ),
        dimensions: Option<usize> = whole(1, MAX_DIMENSION as i64)
            .example("512")
            .doc(
                "how many numbers a vector shall have; left out, the model decides",
                "向量的维数；省略时由模型决定",
            ),
        min_similarity: f32 = decimal(0.0, 1.0)
            .default("0.25")
            .doc(
                "how near a memory must be to be found, a cosine; it differs by model",
                "记忆要多相近才能被找到，余弦值；因模型而异",
            ),
        timeout_secs: u64 = whole(1, 600)
            .default("30")
            .doc("how long one request may take", "一次请求的最长时间"),
    }
}

declare! {
    /// `[memory.learning]`
    LearningTable in "memory.learning" {
        enabled: bool = switch()
            .default("true")
            .in_chat(Bound::Off)
            .doc(
                "false remembers only what users ask to store",
                "false 表示只记住用户要求记住的内容",
            ),
        idle_secs: u64 = whole(1, 86_400)
            .default("600")
            .doc(
                "how long a conversation must be idle before; /new makes it sooner",
                "对话空闲多久之后开始学习；/new 会提前",
            ),
        note: WrittenNote = choice(&["quiet", "off"])
            .default("quiet")
            .in_chat(Bound::Any)
            .doc(
                "quiet: a silent message says what was learned and has an Undo button; off says nothing",
                "quiet：用一条静音消息说明学到了什么，并带有撤销按钮；off 表示不说明",
            ),
    }
}

/// `[memory.learning] note`.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(in crate::config) enum WrittenNote {
    Quiet,
    Off,
}
