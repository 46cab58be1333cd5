commands-access-autonomy-owners-only = 只有管理者可以更改。

commands-access-autonomy-unknown = 没有 `{ $wanted }` 这个级别。可用：`read_only`、`supervised`、`full`。

commands-access-autonomy-above-ceiling =
    `{ $wanted }` 超过了配置允许的 `{ $ceiling }`。
    {"*"}提示：*修改 `sayso.toml` 的 `agent.autonomy` 或 `access.autonomy` 中的条目并重启。

commands-access-grants-none = 这里没有长期许可，每次都会询问。
commands-access-grants =
    本次对话中无需询问：
    { $list }

commands-access-covered-command = `{ $command }`（使用机密 { $secrets }）
commands-access-covered-project = 在项目 `{ $project }` 中修改文件
commands-access-covered-prefix = `{ $words } …`（任何安全的名称）

commands-access-take-back-one = 撤回 { $number }

commands-access-take-back-all = 全部撤回

commands-access-revoked-none = 没有可撤回的许可。
commands-access-revoked-one = 已撤回，之后会再询问。
commands-access-revoked = 已撤回 { $count } 条，之后会再询问。

commands-access-grant-is-gone = 它已经失效，没有任何改变。

commands-access-no-such-grant = 没有第 `{ $which }` 条。共 { $count } 条，请用编号或 `all`。

commands-background-none = - { $command }，已运行 { $since } 分钟，最迟 { $left } 分钟后结束
commands-background-lines = **后台运行**（`/stop` 可停止）
    { $lines }

commands-brief-status-well = **一切正常。**
commands-brief-status-not-connected = **{ $name } 没有连上：**{ $why }
commands-brief-status-model = 模型：`{ $model }`
commands-brief-status-states-connected = {" "}· { $name }：在线
commands-brief-status-states-starting = {" "}· { $name }：正在启动

commands-brief-work-none = 这里没有进行中的任务。
commands-brief-work-waiting = 等待批准：“{ $words }”
commands-brief-work-on = 正在处理：“{ $words }”
commands-brief-work-more = { $line }，另有 { $more } 件
commands-brief-commands-confined = 命令：仅限你的文件夹，不联网
commands-brief-commands-anywhere = 命令：这台机器无法把它们限制在你的文件夹内
commands-brief-foreign-files-unreadable = 我无法看完你的整个文件夹，所以会多问几次。
commands-brief-foreign-files = 你的文件夹里有外来文件，所以我会多问几次。

commands-brief-autonomy-read-only = 我只查看，不做任何修改。
commands-brief-autonomy-supervised = 修改任何东西前我会先问；不问时只在你的文件夹里读取。
commands-brief-autonomy-supervised-writes = 在你的文件夹里读写不问；修改其他任何东西前我会先问。
commands-brief-autonomy-full = 设置允许的事我直接做，其他的都不做。
commands-brief-autonomy-owners =
    {""}
    超出你自己文件夹的事由管理者决定。

commands-brief-level-button-read-only = 只读
commands-brief-level-button-supervised = 先询问
commands-brief-level-button-full = 不询问
commands-brief-skills-none = 这里没有启用任何技能。
commands-brief-skills = 我擅长：{ $shown }
commands-brief-skills-more = 我擅长：{ $shown }，另有 { $more } 项

commands-brief-skills-off = 这里停用了 { $off } 项
commands-brief-skills-left-out = 未加载 { $left_out } 项，原因见详情

commands-brief-layer-button-details = 详情
commands-brief-layer-button-brief = 收起

commands-brief-answer-of-others = 这是别人要的。请自己发送命令来查看你的。

commands-effective-autonomy-hint = 管理者可以在这里调低：`/autonomy read_only`。

commands-effective-level-why-configured = 由 `agent.autonomy` 设定
commands-effective-level-why-own-entry = 由 `access.autonomy` 中你的条目设定
commands-effective-level-why-lowered-here = 在这里调低，配置允许 `{ $from }`
commands-effective-level = 这里的自主级别：**{ $name }**（{ $why }）
commands-effective-treated-unasked = - **直接做**：{ $deeds }
commands-effective-treated-asked = - **先询问**：{ $deeds }
commands-effective-treated-refused = - **不做**：{ $deeds }
commands-effective-deed-reads-files = 读取工作区的文件
commands-effective-deed-runs-readers = 执行只在其中读取的命令
commands-effective-deed-writes-files = 在其中写文件
commands-effective-deed-runs-commands = 执行不出工作区的命令
commands-effective-deed-deletes = 执行会删除的命令
commands-effective-deed-uses-network = 执行联网的命令
commands-effective-deed-leaves-workspace = 执行越出工作区的命令
commands-effective-deed-runs-others = 执行其他命令
commands-effective-deed-fetches-pages = 抓取网页
commands-effective-deed-sends-requests = 向服务器提交内容
commands-effective-deed-opens-secrets = 读取存有密钥或密码的文件
commands-effective-deed-destroys = 破坏系统
commands-effective-listed = 在其中执行 { $named }
commands-effective-listed-more = 在其中执行 { $named } 和另外 { $more } 个程序

commands-effective-owners-approve = - 超出你自己范围的操作会询问管理者

commands-effective-besides-counted = `{ $place }` { $count } 条
commands-effective-besides-beside = - 例外：{ $counted }
commands-effective-besides-taint = - 对话中有外部文本时，写入和执行仍会询问

commands-effective-network-refused = 命令不能联网
commands-effective-network-asked = 命令经同意才能联网
commands-effective-network-unasked = 命令可直接联网
commands-effective-network-refused-asked = 内核无法阻止命令联网
commands-effective-network = - 网络：{ $said }

commands-effective-sandbox = 沙箱 `{ $mode }`：{ $found }
commands-effective-sandbox-off = 沙箱 `off`：命令不受限制

commands-effective-trade = - `sandboxed_commands` 为 `allow`：询问更少，但命令弄坏工作区里的东西之前没有人把关

commands-help =
    我是 Sayso。直接说你需要什么；有风险的操作我会先问。

    {"*"}*试试：**“把我文件夹里的照片按年份整理” · “记住我对花生过敏” · “总结这个 PDF”（把文件一起发来）

    {"*"}*我在忙的时候：**/stop 停止，或直接写有什么变化 · /undo 撤销对文件的改动
    {"*"}*关于你：**/memory 我记住了什么 · /forget 忘掉 · /language 语言 · /new 开始新的对话
    {"*"}*我能做什么：**/autonomy · /grants · /skills · /usage · /status

commands-guest-help = 我是 Sayso。你可以在这里和我聊天，但不能使用工具和文件。

commands-help-all-commands = /{ $name } – { $said }

commands-help-not-for-guests = 你可以在这里和我聊天，但不能使用这个命令。/help 列出你可以用的命令。

commands-help-begun-anew = 新对话开始。我记住的内容还在，许可已重置。

commands-help-who-am-i-who-owner = 你是 { $name }，我的管理者（`{ $account }`）。
commands-help-who-am-i-who-member = 你是 { $name }，成员（`{ $account }`）。
commands-help-who-am-i-who-guest = 你是 { $name }，访客（`{ $account }`）：可以和我聊天，不能使用工具。
commands-help-who-am-i =
    { $who }
    已关联：
    { $linked }

commands-language-chosen = 我和你说中文，这是你选的。
commands-language-followed = 我和你说中文；你换一种语言写，我就跟着换。

commands-language-button-name-automatic = 自动

commands-language-now-always = 从现在起，我和你说中文。
commands-language-now-automatic = 从现在起，你用什么语言写，我就用什么语言。

commands-mcp-wait-for-logins = 有 MCP 服务器在等待登录；请在我运行的机器上执行：{ $commands }

commands-mcp-tools-left-out = 以下工具或其参数定义无法使用，因此未启用，原因见日志：{ $names }

commands-memory-usage = `/memory export` 会导出我记住的内容：私聊里是关于你的，群里是这个群的。`/memory profile` 显示我始终参考的你的档案，也可以写上你自己的话。

commands-memory-nothing-remembered = 这里还没有记住任何内容。

commands-memory-exported-direct = 我记住的关于你的内容：{ $count }
commands-memory-exported-group = 我记住的这个群的内容：{ $count }

commands-memory-export-is-cut = 这些是最新的：我记住的内容比一个文件能放下的更多。

commands-memory-heading = Sayso 记住的内容

commands-memory-kind-said = 事实
commands-memory-kind-profile = 你自己写的档案
commands-memory-kind-skills-off = 已停用的技能
commands-memory-kind-routines = 例行任务
commands-memory-kind-learned = 来自对话

commands-memory-source-learned = 从对话中得知，把握 { $confidence }%
commands-memory-source-told = 要求记住的
commands-memory-topic-preference = 偏好
commands-memory-topic-profile = 个人情况
commands-memory-topic-relation = 人际关系
commands-memory-topic-project = 项目
commands-memory-topic-procedure = 做法

commands-memory-profile-hint = _提示：_`/memory profile 我是……` 用你自己的话写档案，替换之前的内容；`/memory profile clear` 删除它。
commands-memory-profile-nothing = 我还没有你的档案。
commands-memory-profile = **你自己写的**
commands-memory-profile-learned = **我了解到的**

commands-memory-profile-in-group = 档案只属于你我之间：请在私聊中发送。

commands-memory-profile-written = 已按你的原话记下。以后在私聊中都会参考，我不会改动它。

commands-memory-profile-cleared = 已从档案中删除你写的内容。
commands-memory-profile-was-empty = 档案中没有你写的内容。

commands-memory-profile-too-long = 这段文字有 { $length } 个字符，档案最多 { $most } 个。没有做任何改动。

commands-memory-profile-gives-orders = 这段文字像是对我的攻击，而档案会出现在你的每次对话中，所以没有保存。请写明事实，或你希望我怎样回答。

commands-memory-since = { $day } 起

commands-memory-until = 至 { $day }

commands-memory-replaced-by = 已更新为：{ $next }
commands-memory-replaced = 已更新
commands-memory-recalls = 用到 { $count } 次

commands-memory-found-by-words = 记忆按词语查找；没有配置嵌入模型。

commands-memory-found-by-meaning-waiting-named = 目前只能按词语查找记忆：嵌入模型 `{ $name }` 已有 { $since }没有应答：{ $why }
commands-memory-found-by-meaning = 记忆按词语和含义查找（`{ $name }`）。

commands-memory-of-conversation = 对话中：{ $text }

commands-memory-page-empty = 我还没有记住关于你的任何事。想让我记住什么，直接说：“记住……”。
commands-memory-page-empty-group = 我还没有记住关于这个群的任何事。
commands-memory-page-head = 我记住了 { $all } 件事：
commands-memory-page-head-group = 关于这个群我记住了 { $all } 件事：
commands-memory-page-more-direct = /memory export 以文件发出全部 · /memory profile 查看个人档案
commands-memory-page-more-group = /memory export 以文件发出全部

commands-memory-button-forget = 忘掉 { $number }
commands-memory-button-more = 更多

commands-memory-forgotten = 已忘掉，不会再从说过的话里学到它。
commands-memory-forgotten-before = 它已经不在了。

commands-models-chosen-here = （这里已选）
commands-models-none = 没有可选的模型。
commands-models-one = 当前模型：`{ $shown }`（仅此一个）。
commands-models = **模型**

    { $lines }

    `/model 2` 让这个对话先用该模型，`/model auto` 按配置的顺序。

commands-model-more = ……还有 { $count } 个：`/model 词` 列出名称里含有该词的模型。

commands-model-auto = 按配置

commands-model-list-of-others = 这个列表是别人要的。/model 会给出你的列表。

commands-model-gone = 已不再提供这个模型。/model 会列出现有的模型。

commands-model-chosen = 从现在起这里先用 `{ $model }`，它失败时才用其他模型。
commands-model-as-configured = 从现在起这里按配置的顺序。

commands-model-unknown = 没有 { $written } 这个模型。`/model` 会列出所有模型。

commands-model-owners-only = 在群里只有管理者可以选择模型。

commands-project-writes = 可更改
commands-project-reads = 只读
commands-project-chosen-here = （这里已选）
commands-projects-none = 没有你可以选择的项目。
commands-projects = **项目**

    { $lines }

    `/project 名称` 让我在这个对话里使用该文件夹，`/project none` 恢复使用你自己的文件夹。

commands-project-index-gone = 项目 `{ $name }`：它的文件夹无法读取；代码搜索只知道以前的内容。
commands-project-index-listing = 项目 `{ $name }`：正在查找文件，已知 { $files } 个。
commands-project-index-reading = 项目 `{ $name }`：正在读取代码，{ $files } / { $of } 个文件。
commands-project-index-cut = 项目 `{ $name }`：可搜索 { $files } 个文件；其余的超出我读取的上限。
commands-project-index-whole = 项目 `{ $name }`：可搜索 { $files } 个文件。

commands-project-none = 不用项目

commands-instructions-ask = 项目 `{ $project }` 有一个 `AGENTS.md`（{ $bytes } 字节，见上），是能写入该项目的人给智能体的指令。要我遵守这个版本吗？在此之前，我只把它当作外部文字来读，据此行事之前会先问。
commands-instructions-ask-several = 项目 `{ $project }` 中有管理者尚未接受的给智能体的指令（共 { $bytes } 字节，见上）：{ $paths }。能写入该项目的人都可以写这些文件；每个文件只对其所在的文件夹有效。要我遵守这些版本吗？在此之前，我只把它们当作外部文字来读，据此行事之前会先问。
commands-instructions-cut = 文件不止这些，其余部分不会读取。
commands-instructions-suspected = ⚠️ 其中有内容像是攻击，请先读一遍。
commands-instructions-yes = 遵守
commands-instructions-no = 不遵守
commands-instructions-accepted = ✅ 我会遵守 `{ $project }` 的这个版本的 `AGENTS.md`。它变化后，我会在 `/project` 里再问。
commands-instructions-left = 我把 `{ $project }` 的 `AGENTS.md` 当作外部文字来读。
commands-instructions-changed = `{ $project }` 的 `AGENTS.md` 此后有变化。`/project` 会显示现在的内容。

commands-instructions-follows = 这里的 `AGENTS.md`：管理者已接受，我会遵守。
commands-instructions-unread = 此处的 `AGENTS.md`：磁盘较慢，尚未读取。请稍后再发送 `/project`。
commands-instructions-reads = 这里的 `AGENTS.md`：管理者尚未接受，我把它当作外部文字来读。

commands-project-list-of-others = 这个列表是别人要的。/project 会给出你的列表。

commands-project-gone = 你不能再选择这个项目。/project 会列出你可以选择的项目。

commands-project-chosen = 从现在起我在这里使用项目 `{ $name }`。
commands-project-chosen-read-only = 从现在起我在这里使用项目 `{ $name }`，它是只读的。
commands-project-left = 从现在起我在这里不使用项目。

commands-project-unknown = 没有你可以使用的项目 { $written }。`/project` 会列出你的项目。

commands-project-of-others = 只有可以使用这个对话的项目的人才能更改它。

commands-pairing-closed = 我是一位私人助手，还不认识你。如果你认识我的管理者，请让对方允许你使用我。

commands-pairing-unowned = 我还没有管理者。如果是你部署的：请打开终端里显示的链接，或把那里的配对码发给我。

commands-pairing-wrong-code = 配对码不对或已过期。配对码一小时内有效，过期后请重新启动，终端会显示新的。

commands-pairing-asking-after-wrong-code = 配对码不对、已被使用或已过期，所以我已询问管理者是否可以和你对话，有结果会告诉你。

commands-pairing-owner-is-unheard = 我还不认识你，也没法询问管理者：对方还没有给我发过消息。如果你认识管理者，请对方先给我发一条消息，然后你再写给我。

commands-pairing-asking = 你好！我还不认识你，所以已询问管理者是否可以和你对话，有结果会告诉你。

commands-pairing-still-asking = 管理者还没有答复。

commands-pairing-stranger-handle = （`@{ $it }`）
commands-pairing-words = {" "}写道：`{ $it }`
commands-pairing-stranger = **允许 { $name } 使用我吗？**{ $handle }
    `{ $channel }:{ $sender }`{ $words }
    ⚠️ 允许：{ $name } 可以使用我的工具，并**无需你同意就自行批准在这台电脑上的操作**，限于自己的文件夹；超出的会询问管理者。
    💬 仅聊天：{ $name } 只能和我对话。

commands-pairing-stranger-let-in = ✅ 已允许 { $name }。

commands-pairing-stranger-chats = 💬 { $name } 可以和我聊天，不能使用工具。

commands-pairing-stranger-blocked = 🚫 已屏蔽 { $name }。

commands-pairing-stranger-expired = ⌛ 未及时答复是否允许 { $name }，没有任何改变。

commands-pairing-allow = 允许

commands-pairing-chat-only = 仅聊天

commands-pairing-allow-fully = 也允许使用工具

commands-pairing-block = 屏蔽

commands-pairing-welcome-owner =
    你现在是我的管理者。
    直接告诉我要做什么，有风险的操作我会先询问。/help 查看命令。

commands-pairing-welcome-guest = 现在可以和我聊天了，想问什么都行，但不能使用工具和文件。/help 查看你还能做什么。

commands-pairing-welcome = 现在可以和我对话了。直接告诉我要做什么，有风险的操作我会先询问。/help 查看命令。

commands-presses-comes-next = 接下来就会处理。

commands-presses-nothing-queued = 没有在排队的了，没有任何改变。

commands-presses-not-your-message = 这是别人的消息。

commands-presses-stopping = ⏹ 正在停止。

commands-presses-not-your-turn = 只有提出请求的人或管理者可以停止。

commands-presses-turn-is-over = 已经结束，没有任何改变。

commands-presses-request-is-gone = 原来的请求已经不在了，请再写一次。

commands-presses-tries-again = 正在重试。

commands-presses-undone = 已撤销。

commands-skills-head = **技能**：{ $count } 个
commands-skills-head-off = **技能**：{ $count } 个，这里停用了 { $off } 个
commands-skills-more =
    {""}
    {"["}另有 { $rest } 个]
commands-skills-heading = 未加载

commands-skills-heading-builtin = 内置
commands-skills-heading-owner = 来自管理者
commands-skills-heading-installed = 已安装
commands-skills-heading-workspace = 在这里的文件夹
commands-skills-line = - `{ $name }`：{ $what }
commands-skills-line-off = - `{ $name }`（已停用）：{ $what }

commands-skills-not-loaded-new = - `{ $name }`（{ $source }）：未经管理者批准，`/skills approve { $name }` 可查看
commands-skills-not-loaded-changed = - `{ $name }`（{ $source }）：批准之后有改动，`/skills approve { $name }` 可查看
commands-skills-not-loaded-refused = - `{ $name }`（{ $source }）：{ $why }

commands-skills-hint-direct = `/skills off 名称` 在我们的私聊中停用，`/skills on 名称` 重新启用。`/skills suggest 内容` 推荐可能有帮助的技能。
commands-skills-hint-group = 管理者可用 `/skills off 名称` 为本群停用，用 `/skills on 名称` 重新启用。`/skills suggest 内容` 推荐可能有帮助的技能。

commands-skills-usage =
    `/skills` 列出技能，`/skills suggest 内容` 推荐，`/skills on 名称`、`/skills off 名称` 在这里启用或停用。
    管理者：`/skills install 来源` 从文件夹、压缩包或 `https` git 仓库安装，`/skills approve 名称` 加载工作区里的或有改动的技能，`/skills remove 名称` 移除；加载前都会先展示内容。

commands-skills-owners-only =
    只有管理者可以为群更改。
    在我们的私聊中你可以自己选择。

commands-skills-skill-unknown = 没有技能 `{ $name }`。可用 `/skills` 查看。

commands-skills-on-direct = `{ $name }` 在我们的私聊中已启用。
commands-skills-on-group = `{ $name }` 在本群已启用。
commands-skills-off-direct = `{ $name }` 在我们的私聊中已停用。
commands-skills-off-group = `{ $name }` 在本群已停用。

commands-skills-suggested-none = 没有特别合适的技能：我会直接处理。
commands-skills-suggested-one = { $number }. `{ $skill }`：{ $reasons }
commands-skills-suggested-head = **可能有帮助的技能**

commands-skills-reason-in-words-intent = 你想{ $wanted }（{ $words }）
commands-skills-reason-in-words-name = 你提到了它（{ $words }）
commands-skills-reason-in-words-description = 它涉及 { $words }
commands-skills-reason-in-words-examples = 类似的请求用得上它

commands-skills-intent-bug-fix = 修复问题
commands-skills-intent-new-feature = 做新功能
commands-skills-intent-refactor = 整理代码
commands-skills-intent-testing = 做测试
commands-skills-intent-deployment = 部署上线
commands-skills-intent-security = 检查安全
commands-skills-intent-performance = 提升性能
commands-skills-intent-documentation = 写文档
commands-skills-intent-shell-command = 执行命令
commands-skills-intent-browser-task = 在网上办事
commands-skills-intent-calendar = 安排时间
commands-skills-intent-email = 写邮件
commands-skills-intent-learning = 学习理解
commands-skills-intent-data-analysis = 分析数据
commands-skills-intent-file-operation = 处理文件
commands-skills-intent-general = 得到帮助

commands-status-channel-line-state-starting = 正在启动
commands-status-channel-line-state-connected = 已连接
commands-status-channel-line-state-waiting = 等待中：{ $why }
commands-status-channel-line-state-stopped = 已停止：{ $why }
commands-status-channel-line-contact = { $age }前有响应
commands-status-interruptions = 中断 { $count } 次
commands-status-channel-line = - `{ $name }`：{ $parts }

commands-status-last-fault = 最近一次故障在 { $age }前：{ $why }

commands-status-age-seconds = { $seconds } 秒
commands-status-age-minutes = { $seconds } 分钟
commands-status-age-hours = { $seconds } 小时

commands-status-work-waiting = - 等待批准：{ $request }
commands-status-work-on = - 正在处理：{ $request }
commands-status-idle = - 这里没有正在进行的事
commands-status =
    Sayso { $version }，模型 `{ $model }`
    { $sandbox }

    {"*"}*通道**
    { $channels }

    {"*"}*本对话**
    { $work }

commands-status-changed-in-chat = 管理者在聊天中修改了：{ $changes }

commands-status-workspace-trusted = 据我所知，你的文件夹里没有外来内容：读取其中的文件不会让我多问。

commands-status-workspace-tainted-day = 自 { $day } 起，
commands-status-workspace-tainted = { $day }你的文件夹里有外来内容：{ $why }。读过之后我会多问几次，即使你选过“始终允许”。

commands-status-intrusion-shared = 群里每个人都能写入
commands-status-intrusion-found-there = 里面有不是由我创建的文件
commands-status-intrusion-changed-elsewhere = 它被我以外的程序改动过
commands-status-intrusion-brought-in = 有联网的、或受外来文本影响的操作改动过它
commands-status-intrusion-reached-out = 运行过不受工作区限制的命令
commands-status-intrusion-unreadable = 无法完整检查它：文件太多、有挂载点或没有权限

commands-unknown-did-you-mean = 没有 /{ $name } 命令，是 /{ $meant } 吗？
commands-unknown-no-such-command = 没有 /{ $name } 命令。发送 /help 可查看全部命令。

commands-unknown-yes-that-command = 是，/{ $meant }

commands-unknown-command-guess-expired = 没有这个命令。发送 /help 可查看全部命令。

## `/remind`: how it is written, and why something is no reminder.

commands-remind-how = 写上时间和事情：`/remind 明天早上9点 给妈妈打电话`、`/remind 每周一早上8点 浇花`
commands-remind-too-often = 提醒最多每{ $minutes }分钟一次。
commands-remind-over = 这个时间已经过了。
commands-remind-missing = 我没看懂时间。

## `/timezone`. $now is a time of day.

commands-timezone-known = 你的时区是 `{ $name }`，现在那里是{ $now }。
commands-timezone-taken = 你还没告诉我时区，我先用 `{ $name }`，现在那里是{ $now }。其他时区：`/timezone 东京`
commands-timezone-set = 你的时区现在是 `{ $name }`，那里是{ $now }。
commands-timezone-is-set = 你的时区：{ $name }
commands-timezone-unknown = 我不认识时区 `{ $name }`。请写成 `Europe/Berlin` 这样，或写城市名。

## `/quiet`. $hours is such as `22:30-07:30`.

commands-quiet-off = 我会随时主动发消息给你。设置免打扰：`/quiet 22:30-07:30`
commands-quiet-between = { $hours } 期间我不会主动发消息，提醒仍准时送达。更改：`/quiet 23:00-08:00`、`/quiet off`
commands-quiet-unreadable = 请写明起止时间：`/quiet 22:30-07:30`，或 `/quiet off`。
