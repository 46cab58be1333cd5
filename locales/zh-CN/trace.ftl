trace-no-such-turn = 没有编号为 { $turn } 的回合；日志中有回合编号，`sayso trace show last` 显示最近的一个

trace-no-turns = 还没有任何回合

trace-turn = 回合 { $turn } · { $name }，来自 { $channel }

trace-began = { $at } · { $took } · { $state }

trace-resumed = 崩溃后重新开始 { $count } 次

trace-heard = 收到
trace-routed = 路由
trace-model = 模型
trace-wants = 想调用
trace-asked = 询问
trace-approved = 批准
trace-denied = 拒绝
trace-expired = 过期
trace-ran = 执行
trace-result = 结果
trace-refused = 策略拒绝
trace-not-run = 未执行
trace-noted = 说明

trace-compacted = 压缩

trace-undone = 已撤销
trace-redone = 已恢复

trace-fewer = { $before } → { $after } 条消息，约 { $tokens_before } → { $tokens_after } 个 token

trace-too-long-for-model = 模型说它太长

trace-ended = 结束

trace-with-words-of-others = （含他人的话）

trace-direct = 不需要技能

trace-skills = 技能 { $names }

trace-asks-back = 反问

trace-rules-stood-in = 由规则代为判断

trace-without-model = 未询问模型

trace-planned = 计划
trace-steps-of-plan = { $count } 个步骤

trace-proposes = 提出计划

trace-step = 第 { $number } 步

trace-recalled = 回忆：{ $names }

trace-given = 提供了 { $messages } 条消息、{ $tools } 个工具，约 { $tokens } 个 token

trace-model-of = { $model }（{ $server }）

trace-attempt = 第 { $number } 次尝试

trace-cost = 输入 { $prompt }、输出 { $completion } 个 token

trace-concludes = 总结进展

trace-learns = 从对话中学习

trace-guessed = 路由确定之前的请求；已放弃

trace-sums-up = 概括较早的回合

trace-summed-up = 概括了 { $turns } 个回合，历史约 { $before } → { $after } 个 token

trace-not-summed-up = 未能概括，省略 { $turns } 个回合，历史约 { $before } → { $after } 个 token

trace-lost-in-a-crash = 因崩溃丢失

trace-broken-off = 被中断

trace-unreachable = 无法连接
trace-timed-out = 超时
trace-rate-limited = 请求过多
trace-model-refused = 被拒绝（HTTP { $status }）
trace-broken = 服务出错（HTTP { $status }）
trace-garbage = 回答无法读取
trace-repeating = 只在重复
trace-no-model = 未配置模型

trace-cut-at-limit = 达到 token 上限被截断

trace-by-after = 由 { $name } 在 { $took } 后决定

trace-after = { $took } 后

trace-outcome-in = { $outcome }，用时 { $took }

trace-from-outside = 含外部文本

trace-success = 成功
trace-failed = 失败
trace-error = 错误
trace-unknown = 结果未知
trace-replied = 已回复
trace-step-limit = 达到步数上限
trace-time-limit = 达到时间上限
trace-not-received = 未收到文件
trace-stopped-by = 由 { $name } 停止
trace-running = 进行中
trace-parked = 等待答复

trace-left-out = ［另有 { $count } 个字符］

trace-model-calls = 模型调用 { $calls } 次

trace-waited = 等待用时 { $took }

trace-total = 输入 { $prompt }（缓存 { $cached }）、输出 { $completion } 个 token

trace-counted = 预算计入 { $tokens } 个 token

trace-no-price = 未设价格，不计费用
