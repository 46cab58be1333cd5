approvals-buttons-approve = 批准

approvals-buttons-always-in-project = 在此项目中总是允许
approvals-buttons-always = 总是允许此命令

approvals-buttons-always-alike = 总是允许 { $words } …

approvals-buttons-deny-and-say-why = 拒绝并说明

approvals-buttons-deny = 拒绝

approvals-buttons-approve-all = 全部批准

approvals-buttons-deny-all = 全部拒绝

approvals-buttons-one-by-one = 逐个决定

approvals-buttons-take-back = 撤回

approvals-buttons-ask-again = 重新询问

approvals-notices-remind = 请用按钮决定：{ $calls }

approvals-notices-counted-approve-all = 已批准。
approvals-notices-counted-deny-all = 已拒绝。
approvals-notices-counted-deny-why = 没有执行。那该怎么做？
approvals-notices-counted-always-in-project = 已批准。本次对话中修改 { $project } 的文件前不再询问；含机密的文件，或对话中有项目以外的文字时除外。
approvals-notices-counted-always = 已批准。本次对话中不再询问这条命令。
approvals-notices-counted = 已批准。本次对话中不再询问 { $words } …
approvals-notices-counted-one-by-one = 请逐个决定。

approvals-notices-unknown = 这个按钮在这里无效。

approvals-notices-not-yours = 只有提出请求的人或管理者可以答复。

approvals-notices-owners-approve = 只有管理者可以批准。如果是你提出的，可以拒绝它。

approvals-notices-partly-approved = 已批准你可以批准的部分，其余等待管理者批准。

approvals-notices-already-decided = 已经有了决定，没有任何改变。

approvals-notices-too-late = 太晚了：已经过期。如仍需要，请重新提出。

approvals-notices-stopped-before = 太晚了：已经停止。

approvals-notices-taken-back = 已撤回，之后会再询问。

approvals-notices-lapsed = 它早已失效，每次都会询问。

approvals-notices-taken-back-before = 之前已经撤回，没有任何改变。

approvals-notices-not-your-request = 只有提出请求的人可以这样做。

approvals-notices-asks-again = 我重新开始处理。

approvals-notices-asks-already = 已经重新开始处理了，没有任何改变。

approvals-settled = ⏹ **已停止**，未执行：{ $calls }
approvals-settled-owner =
    { $text }
    提出者：{ $name }

approvals-settled-waits-for-reason =
    { $denied }：{ $calls }
    那该怎么做？两分钟内回复这条消息，私聊里直接写也行。

# $end: `latin` where the name ends with a Latin letter, `other` where not.
approvals-settled-approved-by = ✅ { $name }{ $end ->
    [latin] {" "}
   *[other] {""}
}**已批准**
approvals-settled-approved = ✅ **已批准**
# $end: `latin` where the name ends with a Latin letter, `other` where not.
approvals-settled-denied-by = ❌ { $name }{ $end ->
    [latin] {" "}
   *[other] {""}
}**已拒绝**
approvals-settled-denied = ❌ **已拒绝**
# $end: `latin` where the name ends with a Latin letter, `other` where not.
approvals-settled-decided-by = { $name }{ $end ->
    [latin] {" "}
   *[other] {""}
}**已决定**：
approvals-settled-decided = **已决定**：
approvals-settled-expired = ⌛ { $span }内无答复，**未执行**：
approvals-settled-hours = { $number } 小时
approvals-settled-minutes = { $number } 分钟
approvals-settled-seconds = { $number } 秒
# Leaves out $more.
approvals-settled-more-calls = { $shown } 等共 { $all } 项

approvals-settled-standing-permission =
    {""}
    已撤回：之后每次都会询问。
approvals-settled-standing-permission-alike =
    {""}
    之后不再询问：`{ $words } …`
approvals-settled-standing-permission-project =
    {""}
    之后不再询问：对 `{ $project }` 中文件的修改
approvals-settled-standing-permission-exact =
    {""}
    之后不再询问：这条命令（完全一致）

approvals-settled-mark-approved = {" "}✅ 已批准
approvals-settled-mark-denied = {" "}❌ 已拒绝

approvals-title-asked-in-direct-chat = { $name }（`{ $account }`）提出了这个请求。它超出了对方自己的范围，只有管理者可以批准。
approvals-title-asked-in-group = { $name }（`{ $account }`）在群组中提出了这个请求。它超出了对方自己的范围，只有管理者可以批准。
approvals-title-waits-for-owner = ⏳ **正在等待管理者批准。** 它超出了你自己的范围，所以我去问了管理者。按“拒绝”可以撤回。
approvals-title-only-an-owner = { $question }只有管理者可以批准。
approvals-title-may-i-exec = { $count ->
    [1] 可以执行吗？
   *[other] 可以执行这 { $count } 项吗？
}
approvals-title-may-i-write = { $count ->
    [1] 可以写入吗？
   *[other] 可以写入这 { $count } 项吗？
}
approvals-title-may-i-remember = { $count ->
    [1] 可以记住吗？
   *[other] 可以记住这 { $count } 项吗？
}
approvals-title-may-i-read = { $count ->
    [1] 可以使用这个文件吗？
   *[other] 可以使用这 { $count } 个文件吗？
}
approvals-title-may-i-fetch = { $count ->
    [1] 可以上网查询吗？
   *[other] 可以上网查询这 { $count } 项吗？
}
approvals-title-may-i-send = { $count ->
    [1] 可以发送吗？
   *[other] 可以发送这 { $count } 项吗？
}
approvals-title-may-i-configure = { $count ->
    [1] 可以修改这项设置吗？
   *[other] 可以修改这 { $count } 项设置吗？
}
approvals-title-may-i-other = { $count ->
    [1] 可以这样做吗？
   *[other] 可以做这 { $count } 件事吗？
}

approvals-title-all-of-these = 以上都：

approvals-title-expires-in = { $span }后失效
approvals-title-expires-in-alone = { $span }后失效

approvals-title-stands-above = 完整内容见上一条消息。

approvals-title-stands-in-file = 完整内容见附件。
