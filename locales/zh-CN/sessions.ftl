sessions-try-again = ↻ 重试

sessions-tried-again = ↻ 正在重试

sessions-stop = ⏹ 停止

sessions-skipped-why-rate = 一分钟内超过 { $rate } 条
sessions-skipped-why-many = 一分钟内的消息太多
sessions-skipped = { $why }，最后 { $count } 条没有处理。请把重要的重新发送。

sessions-expired =
    ⌛ 没有及时得到答复，所以到此为止：{ $request }
    如仍需要，请再发一次。

sessions-waited-in-vain = ⌛ 没有及时得到答复，已停止。

# Leaves out $why: a reason of the platform, in English.
sessions-unshown = ⚠️ 继续之前需要得到同意，但我的提问无法显示给任何人，所以到此为止，待批准的操作没有执行：{ $request }

sessions-no-owner-to-ask = ⛔ 这超出了你自己的范围，需要管理者批准。还没有管理者和我私聊过，我无人可问，所以没有执行。

sessions-key-refused-only-key = 密钥
sessions-key-refused-one-of-keys = 第 { $number } 个密钥（共 { $of } 个）
sessions-key-refused-other-model = 其他模型
sessions-key-refused-other-keys = 其余的密钥
sessions-key-refused =
    🔑 模型服务 `{ $server }` 不再接受{ $which }，我先用{ $meanwhile }。
    请在服务那边和 `[[providers]]` 里检查；我会不时再试。

sessions-no-driver = 当前版本的我还做不了这类工作。

sessions-project-gone = 这个对话的项目已不存在，或你不能使用它。/project 会列出你可以选择的项目。

sessions-interrupted-too-often = 处理这件事时我被中断了三次，所以放弃了。

sessions-secret-is-hidden = 🔑 上面隐去了密钥；运行时使用的是调用里的原值。

sessions-starts-again = ⟳ 刚才被中断，正在重新开始……

sessions-happened-meanwhile = [说明] 等待批准期间，本聊天另有 { $turns } 轮对话结束。之前的结果可能已改变，使用前请重新查看。

sessions-said-around = [群里刚才说的，不是对你说的]
    { $ctx }
    {"["}对你说的]
    { $text }

sessions-queued-behind = ⏳ 排在下一个。

sessions-join-now = 并入当前任务

sessions-interrupt-now = 先做这个

sessions-queue-is-over = ✓ 已不在等待。

sessions-joined-heading = [工作中补充]
    {""}

sessions-starting = ⏳ 模型正在启动

sessions-reading = ⏳ 正在阅读 { $percent } %

sessions-still-waiting = ⏳ 模型还没回应，继续等待……

sessions-got-it = ＋ 收到：{ $words }
sessions-earlier-steps = … 更早的 { $count } 步

sessions-something-else = 其他

sessions-never-mind = 算了

sessions-just-write-direct = ✏️ 直接写就行。
sessions-just-write-group = ✏️ 回复这条消息，直接写就行。

sessions-left-it = 好，那就算了。

sessions-plan = 我的计划：
    { $lines }

sessions-asks-about-plan = 可以开始吗？要修改计划，请回复需要改的地方。
sessions-follow-plan = 开始
sessions-stop-plan = 停止
sessions-plan-stopped = ⏹ 已停止，什么都没有做。

sessions-noted = 📝 记下了：{ $facts }

sessions-undo = 撤销

sessions-undone = 📝 已撤销，不会保留。

sessions-compacted-by-model = 🗜 已精简对话记录。内容没有删除，需要时我会查找。

sessions-not-summed-up = 🗜 未能概括较早的对话，之后我不再看到它。内容没有删除，需要时我会查找。

sessions-cannot-compact-now = 现在无法概括我们的对话，没有改动任何内容。请稍后再用 /compact。

sessions-nothing-to-compact = 还没有可概括的内容：我们的对话很短。

sessions-compacting = 🗜 正在概括我们较早的对话。

sessions-stopped-mark = ⏹ 已停止

sessions-stop-answer = 这里没有正在为你做的事。

sessions-stop-report-stopped = 已停止
sessions-stop-between = ，
sessions-stop-report = ⏹ { $parts }。
sessions-stop-background = 已停止 { $count } 个后台命令

sessions-stop-dropped-one-unnamed = 1 条等待中的消息不再处理
sessions-stop-dropped-one = 1 条等待中的消息（“{ $one }”）不再处理
sessions-stop-dropped-several = { $count } 条等待中的消息不再处理
