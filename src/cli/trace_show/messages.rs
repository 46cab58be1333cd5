//! What the timeline of a turn says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::Language;

texts! {
    /// There is no turn with this number.
    no_such_turn(turn) {
        "there is no turn {turn}; the log names turns, and `sayso trace show last` shows the newest"
        "没有编号为 {turn} 的回合；日志中有回合编号，`sayso trace show last` 显示最近的一个"
    }
    /// There are no messages yet.
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
    /// Something of the conversation gave way.
    compacted() { "shortened" "压缩" }
    undone() { "undone" "已撤销" }
    redone() { "redone" "已恢复" }
    /// What it had, and what it has: messages and tokens.
    fewer(before, after, tokens_before, tokens_after) {
        "{before} → {after} messages, about {tokens_before} → {tokens_after} tokens"
        "{before} → {after} 条消息，约 {tokens_before} → {tokens_after} 个 token"
    }
    /// The model had refused it.
    too_long_for_model() { "the model said that it was too long" "模型说它太长" }
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
    /// What Phase 1 said could not be read, so words alone decided.
    rules_stood_in() { "rules stood in" "由规则代为判断" }
    /// Phase 1 was not asked.
    without_model() { "decided without a model" "未询问模型" }
    /// A step.
    step(number) { "step {number}" "第 {number} 步" }
    /// What was recalled for a step: numbers of memories, and passages.
    recalled(names) { "recalled: {names}" "回忆：{names}" }
    /// What a model was given.
    given(messages, tools, tokens) {
        "given {messages} messages, {tools} tools, about {tokens} tokens"
        "提供了 {messages} 条消息、{tools} 个工具，约 {tokens} 个 token"
    }
    /// Which model was asked, and at which service.
    model_of(model, server) { "{model} at {server}" "{model}（{server}）" }
    /// It was not the first attempt.
    attempt(number) { "attempt {number}" "第 {number} 次尝试" }
    /// What a call of a model cost.
    cost(prompt, completion) {
        "{prompt} tokens in, {completion} out"
        "输入 {prompt}、输出 {completion} 个 token"
    }
    /// The step limit is reached: the model says what was done.
    concludes() { "says where it stands" "总结进展" }
    /// The session was idle: a model proposed what is to be learned.
    learns() { "learns from what was said" "从对话中学习" }
    /// Phase 2 was asked beside Phase 1, which decided otherwise.
    guessed() { "asked before the route was known; dropped" "路由确定之前的请求；已放弃" }
    /// In the background, a model summed up older turns.
    sums_up() { "sums up older turns" "概括较早的回合" }
    /// Older turns have a summary in their place.
    summed_up(turns, before, after) {
        "{turns} turns summed up, about {before} → {after} tokens of history"
        "概括了 {turns} 个回合，历史约 {before} → {after} 个 token"
    }
    /// Older turns are left out.
    not_summed_up(turns, before, after) {
        "{turns} turns left out without a summary, about {before} → {after} tokens of history"
        "未能概括，省略 {turns} 个回合，历史约 {before} → {after} 个 token"
    }
    /// A crash cut a call off.
    lost_in_a_crash() { "lost in a crash" "因崩溃丢失" }
    /// The turn was stopped, or Sayso was.
    broken_off() { "broken off" "被中断" }
    unreachable() { "no connection" "无法连接" }
    timed_out() { "timed out" "超时" }
    rate_limited() { "too many requests" "请求过多" }
    model_refused(status) { "refused (HTTP {status})" "被拒绝（HTTP {status}）" }
    broken(status) { "the service failed (HTTP {status})" "服务出错（HTTP {status}）" }
    garbage() { "no readable answer" "回答无法读取" }
    repeating() { "only repeated itself" "只在重复" }
    no_model() { "no model is configured" "未配置模型" }
    /// An answer was cut.
    cut_at_limit() { "cut at the token limit" "达到 token 上限被截断" }
    /// Who decided, after how long.
    by_after(name, took) {
        "by {name} after {took}"
        "由 {name} 在 {took} 后决定"
    }
    /// A request expired after this time without an answer.
    after(took) { "after {took}" "{took} 后" }
    /// The outcome of a call, and its duration.
    outcome_in(outcome, took) { "{outcome} in {took}" "{outcome}，用时 {took}" }
    /// A result holds text from outside.
    from_outside() { "text from outside" "含外部文本" }
    success() { "success" "成功" }
    failed() { "failed" "失败" }
    error() { "error" "错误" }
    unknown() { "nobody knows what came of it" "结果未知" }
    replied() { "replied" "已回复" }
    step_limit() { "step limit" "达到步数上限" }
    time_limit() { "time limit" "达到时间上限" }
    not_received() { "no file received" "未收到文件" }
    stopped_by(name) { "stopped by {name}" "由 {name} 停止" }
    running() { "running" "进行中" }
    parked() { "waits for an answer" "等待答复" }
    /// How much of a text was left out.
    left_out(count) {
        "[{count} more characters]"
        "［另有 {count} 个字符］"
    }
    /// How often models were asked.
    model_calls(calls) { "{calls} model calls" "模型调用 {calls} 次" }
    /// How long models were waited for.
    waited(took) { "{took} waiting for them" "等待用时 {took}" }
    /// What all calls of models cost.
    total(prompt, cached, completion) {
        "{prompt} tokens in ({cached} cached), {completion} out"
        "输入 {prompt}（缓存 {cached}）、输出 {completion} 个 token"
    }
    /// What the budget counts of the turn.
    counted(tokens) {
        "the budget counts {tokens} tokens"
        "预算计入 {tokens} 个 token"
    }
    /// No price is configured.
    no_price() { "no price is set, so no money" "未设价格，不计费用" }
}
