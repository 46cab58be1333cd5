policy-command-reason-and-more = 还有更多
policy-command-reason-rest = 另有 { $rest } 项
policy-command-reason-rest-at-least = 另有 { $rest } 项以上

policy-command-reason-clause = { $shown }：{ $why }
policy-command-reason-clause-more = { $shown } 等另外 { $rest } 处：{ $why }

policy-command-reason-short = { $why }（{ $shown }）
policy-command-reason-short-more = { $why }（{ $shown } 等另外 { $rest } 处）

policy-reach-offline-reader = 仅限你的文件夹，不联网
policy-reach-offline-asker = 仅限对方的文件夹，不联网
policy-reach-online-reader = 仅限你的文件夹，**可联网**
policy-reach-online-asker = 仅限对方的文件夹，**可联网**

policy-reach-open-access-system = ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，包括所有人的文件、记忆和密钥。
policy-reach-open-access-off = ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，因为这里没有限制命令。
policy-reach-open-access-nothing = ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，因为这台电脑无法限制命令。
policy-reach-open-access-workspace-partly-wholly = ⚠️ **未完全受限**：本应仅限你的文件夹且不联网，但这台电脑无法完全强制，可能触及其他人的文件和密钥。
policy-reach-open-access-network-partly-wholly = ⚠️ **未完全受限**：本应仅限你的文件夹，**可联网**，但这台电脑无法完全强制，可能触及其他人的文件和密钥。

policy-ask-reason-for-people-uses-mcp = 由外部服务 `{ $server }` 执行：它不受限制，并会得到这里的内容
policy-ask-reason-between-secrets = `、`
policy-ask-reason-for-people-uses-secrets = 会使用这里不显示的机密 `{ $names }`，执行时才填入

policy-summaries-summary-in-remember = 记住：
policy-summaries-summary-in-change-memory = 把记忆改为：
policy-summaries-summary-in-note = 记下：
policy-summaries-summary-in-save-note = 存为笔记：
policy-summaries-summary-in-set-key = 设置：
policy-summaries-summary-in-restore-key = 设置：↩{" "}

policy-summaries-routine-in-name = 例行任务：
policy-summaries-remind = 提醒：
policy-summaries-routine-in-done-on = 启用例行任务：
policy-summaries-routine-in-done-off = 停用例行任务：
policy-summaries-routine-in-done-deleted = 删除例行任务：

policy-unchecked = 它要运行的文件在执行前可能会有变化：我无法全部核对

policy-in-view = 最近读过：{ $names }。
policy-in-view-more = 最近读过：{ $names }，另有 { $more } 处。

policy-view-source-name-origin-others = 他人的话
policy-view-source-name-origin-picture = 图片
policy-view-source-name-origin-many = 其他文本
policy-view-source-name-memory = { $origin }（记忆）

policy-view-read-list = 文件夹里的文件名
policy-view-read-search = 网页搜索结果
policy-view-read-output = 命令的输出
policy-view-read-notes = 我以前的记录
policy-view-read-other = 其他文本

policy-view-file-sent-here = `{ $name }`（发来的文件）

policy-reasons-asks-for-network = 它要求联网
policy-reasons-asks-for-system = 它要求不受限制地运行

policy-reasons-reaches-network = 它会使用网络
policy-reasons-reaches-system = 它会触及工作区之外

policy-reasons-is-unconfined = 其文本无害，但它启动的内容没有受到完全限制
policy-reasons-only-reads = 它只在工作区内读取
policy-reasons-nothing-to-run = 其中没有可以判断的命令
policy-reasons-unreadable-too-much = 它太长或嵌套太深，无法判断
policy-reasons-unreadable-not-a-script = 无法把它解读为 shell 命令
policy-reasons-rules-are-broken = 命令规则无法使用
policy-reasons-unknown-program = 不能确定 { $program } 只是读取
policy-reasons-unknown-subcommand = 不能确定 { $program } 的这种用法只是读取
policy-reasons-unknown-option = 不能确定 { $program } 的 { $option } 是无害的
policy-reasons-not-literal = 无法确定 shell 会把 { $word } 变成什么

policy-reasons-obeys-settings = 工作区中可能有设置会决定 { $program } 运行什么

policy-reasons-in-another-repository = 它会读取另一个仓库，而那里的设置可能指定要运行的程序

policy-reasons-by-its-path = { $program } 是用路径指定的程序
policy-reasons-outside = { $path } 可能在工作区之外
policy-reasons-keeps-secrets = { $path } 看起来是存放机密的文件
policy-reasons-writes = 它的输出会写入 { $path }
policy-reasons-sends-to = 它会向 { $host } 发送数据
policy-reasons-sends = 它会向其他机器发送数据
policy-reasons-deletes = 从 { $word } 看，它可能永久删除内容
policy-reasons-overwrites-device = 写入 { $path } 会毁掉其中的内容
policy-reasons-sets-variable = 命令前设置了 { $name }，可能改变实际执行的内容
policy-reasons-structure = 它不只是一串命令：含有分组、循环、条件或测试

policy-reasons-ambiguous-here-document = 不同的 shell 对其中 here-document 的结束位置有不同的解读
policy-reasons-ambiguous-continuation = 不同的 shell 对其中以反斜杠结尾的行有不同的拼接方式
policy-reasons-ambiguous-quoting = 不同的 shell 对其中引号的结束位置有不同的解读
policy-reasons-ambiguous-redirection = 不同的 shell 对其中的重定向有不同的解读
policy-reasons-ambiguous-control-character = 其中有控制字符，不同的 shell 对它有不同的解读
policy-reasons-ambiguous-syntax = 不同的 shell 对其中一部分可能有不同的解读

policy-reasons-background = 其中一部分转入后台，其余部分结束时会被一并终止
policy-reasons-function = 它定义了一个函数
policy-reasons-fork-bomb = 其中的函数会不断启动自身，直到机器瘫痪
policy-reasons-substitution = 其中一部分是另一条命令的输出
policy-reasons-takes-input = { $program } 从输入中取得命令的参数
policy-reasons-wraps = { $program } 会启动其参数指定的内容，这里无法判断
policy-reasons-acts-in-language = 不能确定 { $program } 要执行的内容只是读取
policy-reasons-feeds-a-shell = { $program } 会执行前一条命令的输出
policy-grants-granted = 它已被总是允许
policy-grants-sandboxed = 内核把它限制在工作区内，且 `policy.sandboxed_commands` 为 `allow`
policy-grants-not-confirmed = `policy.confirm_exec` 为 `false`
policy-grants-listed = 它的程序都在 `policy.allow_commands` 中

policy-ask-reason-in-fixed-words-runs-command = 会执行一条命令
policy-ask-reason-in-fixed-words-writes-file = 会修改你文件夹里的文件
policy-ask-reason-in-fixed-words-changes-settings = 会改变我对所有人的工作方式，下次启动后生效，可以撤销
policy-ask-reason-in-fixed-words-schedules-turns = 会在这些时间以你的名义运行，届时你可能不在场
policy-ask-reason-in-fixed-words-keeps-running = 会在后台继续运行，直到自行结束、被 `/stop` 停止或超时
policy-ask-reason-in-fixed-words-keeps-secrets = 从名字看，这个文件保存着密钥或密码之类的机密，读到的内容会交给模型
policy-ask-reason-in-fixed-words-fetches = 会访问互联网上的服务器，对方会知道地址里的内容
policy-ask-reason-in-fixed-words-fetches-after-outside-text = 这个地址可能由外部文本指定，并可能带走我读到的内容
policy-ask-reason-in-fixed-words-sends-request = 会向互联网上的服务器发送可能改变其内容的请求
policy-ask-reason-in-fixed-words-uses-mcp = 由外部服务执行
policy-ask-reason-in-fixed-words-uses-secrets = 会使用一项机密
policy-ask-reason-in-fixed-words-outside-text = 对话中有来自外部的文本，所以先确认一下
policy-ask-reason-in-fixed-words-reads-like-instructions = 会被记住，而它读起来像是对我的指令
policy-ask-reason-in-fixed-words-repeats-unknown = 同样的操作曾被中断，不知道是否已经生效：批准可能会重复执行
policy-ask-reason-in-fixed-words-changed-since-shown = 之前批准过，但它本身、它可能运行的文件或对它的限制此后有了变化：这是现在的内容

policy-gravity-in-words-destroys = 它可能永久删除或覆盖内容
policy-gravity-in-words-escalates = 它会以其他权限运行，或超出对命令的限制
policy-gravity-in-words-sends = 它会向其他机器发送数据
policy-gravity-in-words-network = 它会与其他机器通信
policy-gravity-in-words-outside = 它会触及工作区之外
policy-gravity-in-words-secrets = 它会触及存放机密的文件
policy-gravity-in-words-uncertain = 无法确定其文本的含义
policy-gravity-in-words-runs-code = 它会运行命令之外的代码
policy-gravity-in-words-installs = 它会从其他机器取得程序或文件
policy-gravity-in-words-changes = 它会修改文件
policy-gravity-in-words-unknown = 不能确定它只是读取
