//! What a finding is called, for people.

use sayso_core::Language;

/// The names of rules, in English and 简体中文.
const NAMES: [(&str, &str, &str); 29] = [
    (
        "override",
        "tells the model to drop its instructions",
        "要求模型丢弃已有指令",
    ),
    (
        "override-loose",
        "tells the reader to drop a task",
        "要求读者放弃原来的任务",
    ),
    ("new-orders", "announces new orders", "宣布新的指令"),
    (
        "role-hijack",
        "gives the model another role",
        "给模型换一个角色",
    ),
    (
        "role-play",
        "asks the model to play somebody",
        "要求模型扮演某人",
    ),
    (
        "jailbreak",
        "says that limits no longer hold",
        "声称限制不再有效",
    ),
    (
        "prompt-theft",
        "asks for the model's own instructions",
        "索要模型自身的指令",
    ),
    (
        "chat-template",
        "holds marks of a chat template",
        "含有对话模板的标记",
    ),
    (
        "forged-role",
        "forges a message of the system",
        "伪造系统消息",
    ),
    (
        "forged-heading",
        "poses as a system message",
        "冒充系统消息",
    ),
    ("addresses-model", "speaks to an AI", "直接对 AI 说话"),
    (
        "secrecy",
        "asks to keep something from the user",
        "要求对用户隐瞒",
    ),
    (
        "task-first",
        "puts itself before the user's task",
        "把自己排在用户任务之前",
    ),
    (
        "dictated-answer",
        "dictates what to answer",
        "规定要怎样回答",
    ),
    (
        "task-switch",
        "declares the task done and sets another",
        "宣布任务结束并另派任务",
    ),
    (
        "exfiltration",
        "asks to send secrets somewhere",
        "要求把秘密发往别处",
    ),
    (
        "secret-upload",
        "sends secret files over the network",
        "把机密文件发到网络上",
    ),
    (
        "image-leak",
        "an image whose address carries data away",
        "借图片地址带走数据",
    ),
    ("urgent-order", "presses for haste", "催促立即行动"),
    (
        "claimed-approval",
        "claims that somebody approved",
        "声称已经有人批准",
    ),
    ("tool-order", "orders tools to be used", "命令使用工具"),
    (
        "outbound",
        "asks to send data or money away",
        "要求把数据或钱转出去",
    ),
    ("risky-order", "orders something risky", "命令做有风险的事"),
    (
        "code-insertion",
        "wants its code in the answer",
        "要求把它的代码放进回答",
    ),
    (
        "request",
        "asks for an action inside of data",
        "在数据中要求执行操作",
    ),
    (
        "speaks-to-reader",
        "speaks to whoever reads it for the user",
        "直接对代读的助手说话",
    ),
    (
        "persistence",
        "wants to hold beyond the turn",
        "要求长期生效",
    ),
    ("hidden-text", "is hidden from people", "对人隐藏了内容"),
    (
        "encoded-text",
        "is encoded so that people cannot read it",
        "经过编码，人无法直接看懂",
    ),
];

/// Says what a rule finds; a rule that has no words is said by its name.
pub fn name(rule: &'static str, language: Language) -> &'static str {
    let named = NAMES.iter().find(|(name, ..)| *name == rule);
    named.map_or(rule, |(_, english, chinese)| match language {
        Language::English => english,
        Language::Chinese => chinese,
    })
}
