//! `[agent]`: how turns go.

use sayso_policy::AutonomyLevel;

use super::key::{Bound, choice, whole};
use crate::config::choices::{AskAboutPlans, Planning, Routing, WhileBusy};

declare! {
    /// `[agent]`
    AgentTable in "agent" {
        autonomy: AutonomyLevel = choice(&["read_only", "supervised", "full"])
            .default("supervised")
            .in_chat(Bound::Down)
            .doc(
                "read_only, supervised or full, for all users without an entry in access.autonomy",
                "read_only、supervised 或 full，适用于 access.autonomy 中没有列出的所有用户",
            ),
        routing: Routing = choice(&["two_phase", "parallel", "auto", "off"])
            .default("parallel")
            .in_chat(Bound::Any)
            .doc(
                "two_phase (choose skills or ask back first), parallel (the answer is asked for meanwhile), auto (parallel, and not at all for small talk), off",
                "two_phase（先选择技能或反问）、parallel（同时请求回答）、auto（同 parallel，闲聊时跳过）、off",
            ),
        parallel_prompt_tokens: u64 = whole(0, 1_000_000)
            .default("16000")
            .doc(
                "parallel and auto: longer prompts wait for the first phase, since a wrong guess is paid for",
                "parallel 和 auto：更长的提示词等第一阶段完成后再发送，因为猜错也要付费",
            ),
        routing_messages: usize = whole(0, 50)
            .default("6")
            .in_chat(Bound::Any)
            .doc("history that the first phase sees", "第一阶段看到的历史消息数"),
        planning: Planning = choice(&["auto", "off"])
            .default("auto")
            .doc(
                "auto (a plan is made before work on code, with one more model call), off",
                "auto（处理代码任务前先制定计划，多调用一次模型）、off",
            ),
        plan_approval: AskAboutPlans = choice(&["never", "ask"])
            .default("never")
            .doc(
                "never (a plan is shown and followed), ask (it waits until its person starts, changes or stops it)",
                "never（显示计划并直接执行）、ask（等待对方开始、修改或停止）",
            ),
        map_tokens: usize = whole(0, 8192)
            .default("1024")
            .doc(
                "how long the map of a project is in a prompt about its code, up to four times that before a file was read; 0 = none",
                "涉及项目代码时提示词中代码地图的长度，尚未读取文件时最多四倍；0 表示不附地图",
            ),
        max_steps: u32 = whole(1, 30)
            .default("10")
            .in_chat(Bound::Any)
            .doc("model calls of one turn", "一个任务最多调用模型的次数"),
        turn_timeout_secs: u64 = whole(1, 86_400)
            .default("1800")
            .doc(
                "how long one turn may work, without waiting for people",
                "一个任务的最长工作时间，不含等待人的时间",
            ),
        while_busy: WhileBusy = choice(&["steer", "queue", "interrupt"])
            .default("steer")
            .doc(
                "what you say while your turn runs: steer (joins it), queue (waits), interrupt (ends it)",
                "任务进行时你说的话：steer（加入任务）、queue（等待）、interrupt（结束任务）",
            ),
        history_messages: usize = whole(2, 1000)
            .default("50")
            .in_chat(Bound::Twice)
            .doc(
                "messages that the second phase sees, the question among them; left out, it is 30 where a provider of kind llama comes first",
                "第二阶段看到的消息数，包括提问本身；省略时，若第一个提供方是 llama 则为 30",
            ),
        concurrent_turns: usize = whole(1, 4096)
            .default("64")
            .doc("turns at the same time", "同时进行的任务数"),
    }
}
