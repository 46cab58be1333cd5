//! What `sayso routing report` says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::Language;

texts! {
    /// There is nothing to count.
    nothing(days) {
        "no message was routed in the last {days} days"
        "最近 {days} 天没有路由过消息"
    }
    /// How many messages are counted.
    head(days, count) {
        "messages routed in the last {days} days: {count}"
        "最近 {days} 天路由的消息：{count}"
    }
    /// What they came to.
    routes(direct, skills, questions) {
        "direct: {direct}, with skills: {skills}, asked back: {questions}"
        "直接回答：{direct}，加载 skill：{skills}，反问：{questions}"
    }
    /// For how many Phase 1 was not asked.
    skipped(share, why) {
        "Phase 1 was not asked: {share}: {why}"
        "未询问 Phase 1：{share}：{why}"
    }
    /// How often it failed.
    failed(asked, failed) {
        "Phase 1 was asked: {asked}; it failed and the rules stood in: {failed}"
        "询问 Phase 1：{asked} 次；失败后由规则代替：{failed}"
    }
    /// What it cost.
    cost(prompt, completion, median, slow) {
        "an answer of Phase 1 costs {prompt} + {completion} tokens in the mean, and takes {median} ms (95 %: {slow} ms)"
        "Phase 1 每次平均消耗 {prompt} + {completion} 个 token，耗时 {median} 毫秒（95 %：{slow} 毫秒）"
    }
    /// The results of asking for the answer beside Phase 1.
    guesses(made, agreed, dropped, prompt, completion) {
        "the answer was asked for beside Phase 1: {made}; the guess was right: {agreed}, dropped: {dropped}, which cost about {prompt} + {completion} tokens"
        "与 Phase 1 同时请求回答：{made} 次；猜对：{agreed}，放弃：{dropped}，约耗 {prompt} + {completion} 个 token"
    }
    /// How often the rules decided alike.
    agreed(agreed, comparable) {
        "the rules decide like Phase 1: {agreed} of {comparable}"
        "规则与 Phase 1 一致：{agreed}，共 {comparable} 条"
    }
    /// What kinds of messages there were.
    labels(labels, planned) {
        "kinds: {labels}; worth a plan: {planned}"
        "类别：{labels}；可能需要规划：{planned}"
    }
}
