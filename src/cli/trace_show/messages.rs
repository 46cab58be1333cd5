//! What the timeline of a turn says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::Language;

texts! {
    /// There is no turn with this number.
    no_such_turn(turn) {
        "there is no turn {turn}; the log names turns, and `sayso trace show last` shows the newest"
        "没有编号为 {turn} 的回合；日志中有回合编号，`sayso trace show last` 显示最近的一个"
    }
    /// Nobody has said anything yet.
    no_turns() {
        "there are no turns yet"
        "还没有任何回合"
    }
    /// Whose turn it is.
    turn(turn, name, channel) {
        "turn {turn} · {name} on {channel}"
        "回合 {turn} · {name}，来自 {channel}"
    }
    /// When it began, how long it took and how it is.
    began(at, took, state) {
        "{at} · {took} · {state}"
        "{at} · {took} · {state}"
    }
    /// It was started again.
    resumed(count) {
        "started again after {count} crash(es)"
        "崩溃后重新开始 {count} 次"
    }
    heard() { "heard" "收到" }
    routed() { "route" "路由" }
    model() { "model" "模型" }
    wants() { "wants" "想调用" }
    asked() { "asked" "询问" }
    approved() { "approved" "批准" }
    denied() { "denied" "拒绝" }
    expired() { "expired" "过期" }
    ran() { "ran" "执行" }
    result() { "result" "结果" }
    refused() { "refused" "策略拒绝" }
    not_run() { "not run" "未执行" }
    noted() { "note" "说明" }
    ended() { "ended" "结束" }
    /// Words of others are in the message.
    with_words_of_others() {
        "(with words of others)"
        "（含他人的话）"
    }
    /// Phase 1 went on without a skill.
    direct() { "no skill" "不需要技能" }
    /// Phase 1 chose skills.
    skills(names) { "skills {names}" "技能 {names}" }
    /// Phase 1 asks back.
    asks_back() { "asks back" "反问" }
    /// Phase 1 was not asked.
    without_model() { "decided without a model" "未询问模型" }
    /// A step.
    step(number) { "step {number}" "第 {number} 步" }
    /// How a model was asked.
    asking(model, messages, tools, tokens) {
        "{model}, {messages} messages, {tools} tools, about {tokens} tokens"
        "{model}，{messages} 条消息，{tools} 个工具，约 {tokens} 个 token"
    }
    /// What a call of a model cost.
    cost(prompt, completion) {
        "{prompt} tokens in, {completion} out"
        "输入 {prompt}，输出 {completion} 个 token"
    }
    /// An answer was cut.
    cut_at_limit() { "cut at the token limit" "达到 token 上限被截断" }
    /// Who decided, after how long.
    by_after(name, took) {
        "by {name} after {took}"
        "由 {name} 在 {took} 后决定"
    }
    /// Nobody answered for so long.
    after(took) { "after {took}" "{took} 后" }
    /// What came of a call, after how long.
    outcome_in(outcome, took) { "{outcome} in {took}" "{outcome}，用时 {took}" }
    /// A result holds text from outside.
    from_outside() { "text from outside" "含外部文本" }
    success() { "success" "成功" }
    failed() { "failed" "失败" }
    error() { "error" "错误" }
    unknown() { "nobody knows what came of it" "结果未知" }
    replied() { "replied" "已回复" }
    step_limit() { "step limit" "达到步数上限" }
    stopped_by(name) { "stopped by {name}" "由 {name} 停止" }
    running() { "running" "进行中" }
    parked() { "waits for an answer" "等待答复" }
    /// How much of a text was left out.
    left_out(count) {
        "[{count} more characters]"
        "［另有 {count} 个字符］"
    }
    /// What all calls of models cost.
    total(calls, prompt, cached, completion) {
        "{calls} model calls: {prompt} tokens in ({cached} of them cached), {completion} out"
        "模型调用 {calls} 次：输入 {prompt} 个 token（其中 {cached} 个来自缓存），输出 {completion} 个"
    }
}
