doctor-fix = 处理：{ $how }
doctor-bad-configuration =
    配置无法使用
    { $error }
doctor-correct-configuration = 按上面的说明改正，然后运行 `sayso config check`
doctor-configuration = 配置：{ $file }
doctor-configuration-without-file = 配置：没有文件，只有环境变量和默认值
doctor-undo-in-chat = 请管理者在聊天中要求撤销这项配置修改
doctor-clock = 时钟：看起来正常
doctor-clock-is-wrong = 本机时钟早于 2026 年
doctor-set-clock = 校准时钟，或开启时间同步（`timedatectl set-ntp true`）
doctor-data-directory = 数据目录：{ $path } 可写，且未被占用
doctor-cannot-write = 数据目录 { $path } 无法写入：{ $why }
doctor-make-writable = 把它交给运行 Sayso 的用户（`chown`），或把 `data_dir` 设为别的目录
doctor-running = 正在运行：进程 { $process } 使用此数据目录 { $path }
doctor-running-somewhere = 正在运行：有一个 Sayso 使用此数据目录 { $path }
doctor-half-restored = 恢复到数据目录 { $path } 的操作被中断
doctor-restore-again = 再次运行 `sayso restore`：它会重新开始
doctor-stop-the-other = 停止另一个程序，或为本实例设置单独的 `data_dir`
doctor-log-file = 日志：{ $path }，密钥已隐去
doctor-mcp-answers = MCP 服务器 { $name }：有响应，提供 { $tools } 个工具
doctor-mcp-fails = MCP 服务器 { $name } 无法使用：{ $why }
doctor-mcp-waits-for-login = MCP 服务器 { $name } 正在等待登录
doctor-log-in-to-mcp = 运行 `sayso mcp login { $name }`；若服务器使用令牌，请设置其 `[[mcp]]` 的 `token`
doctor-mend-mcp-list = 请报告给服务器 { $name } 的开发者：`tools/list` 的回答中，`tools` 的每一项都需要 `name` 和作为对象的 `inputSchema`
doctor-check-mcp-command = 检查名为 { $name } 的 `[[mcp]]` 的 `command`、`args` 和 `env`；首次启动可能需要下载，可调大 `start_timeout_secs`
doctor-check-mcp-url = 检查名为 { $name } 的 `[[mcp]]` 的 `url` 和 `token`
doctor-no-knowledge = 知识：没有；{ $directory } 中的 Markdown 文件会供所有人回忆
doctor-knowledge = 知识：{ $files } 个文件中的 { $passages } 个段落供所有人回忆
doctor-knowledge-left-out = { $source } 未被采用：{ $why }
doctor-split-knowledge = 保留人们会问到的内容，删去其余部分；每个文件最多 256 KiB，共 200 个文件、4 MiB
doctor-convert-knowledge = 另存为 UTF-8（`iconv -f gbk -t utf-8`）
doctor-copy-knowledge = 请复制文件，不要用链接
doctor-make-knowledge-readable = 请放一个运行 Sayso 的用户可读的普通文件
doctor-reword-knowledge = 写明事实，而不是命令模型做什么；指令应写在 `persona/AGENT.md` 中
doctor-sandbox = 沙箱：{ $state }
doctor-sandbox-is-off = 沙箱：已关闭（`policy.sandbox`）；命令不受限制，每条都会询问
doctor-commands-are-refused = 在此之前命令会被拒绝：请更新内核（Linux 6.12 具备全部功能），或在容器中允许 Landlock 和 seccomp，或设置 `policy.sandbox = "prefer"`，此时每条命令都会询问
doctor-commands-all-ask = 在此之前每条命令都会询问：请更新内核（Linux 6.12 具备全部功能），或在容器中允许 Landlock 和 seccomp
doctor-space = 磁盘：剩余 { $mib } MiB
doctor-space-is-low = 数据目录所在磁盘只剩 { $mib } MiB
doctor-free-space = 请清理磁盘；Sayso 至少需要 { $least } MiB
doctor-new-database = 数据库：{ $path } 将在首次启动时创建
doctor-database = 数据库：{ $path } 完好（结构版本 { $schema }）
doctor-old-database = 数据库：{ $path } 完好；下次启动会先备份，再从结构版本 { $schema } 升级到 { $known }
doctor-database-is-damaged = 数据库 { $path } 已损坏：{ $damage }
doctor-database-fails = 数据库 { $path } 无法读取：{ $error }
doctor-restore-backup = 停止 Sayso，用备份替换该文件；升级后旁边会有 `sayso.db.before-*`
doctor-move-database-away = 请把该文件移走；下次启动时会新建一个
doctor-update-sayso = 升级 Sayso，或换回升级前的备份
doctor-look-at-the-log = 用 `SAYSO_LOG=debug` 启动 Sayso，查看输出
doctor-no-channel = 渠道：尚未配置，`sayso` 会在终端里打开聊天
doctor-telegram-answers = { $who }：令牌属于 @{ $name }
doctor-privacy-is-on =
    { $who }：隐私模式已开启，在群组里机器人只能看到命令、@提及和对它的回复；这已足够。
    如需让它看到全部消息：在 @BotFather 中用 /setprivacy 选 Disable，再把机器人移出群组并重新加入。
doctor-privacy-is-off = { $who }：隐私模式已关闭，在群组里机器人能看到全部消息；它只在被提到时回答
doctor-take-the-token = 在 @BotFather 中取得令牌（/mybots，选择机器人，API Token），并设置 `channels.{ $channel }.token`
doctor-discord-answers = { $who }：令牌属于 { $name }
doctor-reads-messages = { $who }：Message Content 意图已开启，在服务器里能看到期间的消息；它只在被提到时回答
doctor-reads-what-names-it =
    { $who }：Message Content 意图未开启，在服务器里只能看到提及它或回复它的消息；私信和命令不受影响。
    如需让它看到期间的消息：在 Developer Portal 打开你的应用，在 Bot 页开启 Message Content Intent，然后重启 Sayso。
doctor-in-no-server = { $who }：机器人还不在任何服务器里，没有人能联系到它
doctor-invite = 打开此链接并选择你的服务器：{ $link }
doctor-in-servers = { $who }：机器人约在 { $servers } 个服务器里；用此链接可加入其他服务器：{ $link }
doctor-invite-elsewhere = { $who }：用此链接可把机器人加入服务器：{ $link }
doctor-reset-the-token = 在 Developer Portal 中重置令牌（你的应用，Bot，Reset Token），并设置 `channels.{ $channel }.token`
doctor-platform-fails = { $who }：{ $error }
doctor-check-api-url = 检查本机网络，以及 `channels.{ $channel }.api_url`：{ $url }
doctor-port-is-in-the-log = 运行状态：`http.listen` 的端口为 0，实际端口见运行中的 Sayso 的日志
doctor-not-running = 运行状态：{ $address }（`http.listen`）无人应答，本机没有运行中的 Sayso
doctor-health-fails = 运行状态：{ $address }（`http.listen`）的应答不是健康信息：{ $error }
doctor-look-who-listens = 该地址可能被其他程序占用；请停止它，或改用别的 `http.listen`
doctor-channel-is-well = 运行状态：{ $name } 已连接，{ $age } 秒前有响应，中断 { $interruptions } 次
doctor-channel-starts = 运行状态：{ $name } 正在启动
doctor-channel-is-down = 运行状态：{ $name }（{ $status }）：{ $reason }
doctor-channel-fix = `waiting` 在原因消除后会自行恢复；`stopped` 需要改正原因后重启
doctor-embedder-is-away = 运行状态：嵌入模型已有 { $age } 秒没有应答，目前只能按词语查找记忆：{ $reason }
doctor-running-database-fails = 运行状态：数据库没有应答

doctor-running-database-is-not-written = 运行状态：无法写入数据：{ $reason }

doctor-wait-and-retry = 等几分钟再运行 `sayso doctor`；如果仍然如此，请查看服务状态页和你的配额
doctor-owner = 管理者：{ $first }
doctor-owners = 管理者：{ $first }，另有 { $more } 个
doctor-first-pairing-makes-owner = 管理者：尚未配置；第一个使用 `sayso` 启动时所显示配对码的人将成为管理者
doctor-owner-was-paired = 管理者：配置中没有；已有人完成配对
doctor-open-the-link = 管理者：尚无；一小时内打开此链接的人将成为管理者：{ $link }
doctor-send-the-code = 管理者：尚无；一小时内向机器人发送 `/start { $code }` 的人将成为管理者
doctor-no-owner-possible = 没有配置管理者，配对也已关闭，没有人能与 Sayso 对话
doctor-name-an-owner = 设置 `access.owners`，例如 `["telegram:12345"]`，或 `access.pairing = true`
doctor-no-provider = 尚未配置模型
doctor-set-provider = 运行 `sayso init`，或设置 `OPENAI_API_KEY`、`ANTHROPIC_API_KEY` 或 `DEEPSEEK_API_KEY`
doctor-offline-model = 模型 { $name }：内置的离线模型，只懂几种请求
doctor-provider-answers = 模型 { $name }：服务可用，使用 `{ $model }`
doctor-provider-answers-by-prompt = 模型 { $name }：服务可用，使用 `{ $model }`；它的模板不支持工具，所以工具写在提示词里
doctor-provider-fails = 模型 { $name }：{ $error }
doctor-provider-key-fails = 模型 { $name }，第 { $number } 个密钥（共 { $count } 个）：{ $error }
doctor-found-by-words = 记忆：按词语查找；配置 `[memory.embedder]` 后也能按含义查找
doctor-found-by-meaning = 记忆：按词语和含义查找；`{ $model }` 可用，向量有 { $dimension } 个数
doctor-embedded-in-parts = 记忆：按词语和含义查找；`{ $model }` 可用，向量有 { $dimension } 个数；长记忆会分段嵌入，因为它拒绝整段处理：{ $error }
doctor-embedder-fails = 记忆：目前只能按词语查找，因为嵌入模型 `{ $model }` 没有应答：{ $error }
doctor-embedder-is-unusable = 记忆：使用嵌入模型 `{ $model }` 时 Sayso 无法启动：{ $error }
doctor-correct-embedder = 请改正 `[memory.embedder]`，或删除该节：之后将按词语查找记忆
doctor-check-api-key = 检查该提供方的 `api_key`，并确认其账户可以使用该模型
doctor-check-base-url = 检查网络、该提供方的 `model` 和 `base_url`：{ $url }（`openai` 类型的地址通常以 `/v1` 结尾）
doctor-problems = 有 { $count } 个问题需要处理。
doctor-no-problems = 没有发现问题。

doctor-cause-refused = 连接被拒绝
doctor-cause-reset = 连接被重置
doctor-cause-cut = 连接中断
doctor-cause-no-network = 网络不可用
doctor-cause-no-route = 没有到主机的路由
doctor-cause-no-name = 找不到该主机名
doctor-cause-expired = 证书已过期
doctor-cause-untrusted = 证书不受信任
doctor-cause-other-host = 证书属于别的主机
doctor-cause-too-late = 没有及时应答
doctor-cause-no-permission = 没有权限
doctor-cause-read-only = 文件系统是只读的
doctor-cause-full = 磁盘空间已满
doctor-cause-no-directory = 路径中有一部分不是目录
doctor-cause-in-the-way = 已有同名文件
doctor-cause-missing = 没有这个文件或目录
doctor-cause-not-opened = 无法打开其文件
doctor-cause-no-database = 该文件不是数据库
doctor-cause-quoted = 原文“{ $text }”
doctor-cause-model-unreachable = 连不上模型服务（{ $why }）
doctor-cause-platform-unreachable = 连不上（{ $why }）
doctor-cause-platform-answer-lost = 应答丢失（{ $why }）
# Leaves out $stage: it is a word of English.
doctor-cause-model-too-late = 模型服务在 { $seconds } 秒内没有应答
doctor-cause-model-busy = 模型服务限制了请求频率
# Leaves out $why: the status says it.
doctor-cause-model-key = 模型服务不接受密钥（HTTP { $status }）
# Leaves out $why: the status says it.
doctor-cause-model-account = 模型服务的账户额度已用完（HTTP { $status }）
# Leaves out $why: the status says it.
doctor-cause-model-unknown = 模型服务没有这个地址或模型（HTTP { $status }）
doctor-cause-model-refuses = 模型服务拒绝了请求（HTTP { $status }）：{ $why }
doctor-cause-model-broken = 模型服务出错（HTTP { $status }）：{ $why }
doctor-cause-model-unreadable = 模型的回答无法读取：{ $why }
# Leaves out $what: it is in English.
doctor-cause-model-repeats = 模型只是不停地重复
doctor-cause-model-missing = 尚未配置模型
# Leaves out $why: it is in English.
doctor-cause-platform-token = 不接受此令牌：令牌或接口地址有误
doctor-cause-platform-busy = 要求等待 { $seconds } 秒
doctor-cause-platform-refuses = 拒绝了请求：{ $why }
doctor-cause-platform-too-long = 消息太长
doctor-cause-platform-moved = 聊天已移至 { $address }
doctor-cause-store-in-use = 正被另一个 Sayso 使用
doctor-cause-store-half-restored = 恢复操作曾被中断
doctor-cause-store-newer = 由更新版本的 Sayso 写入（结构版本 { $found }，本程序只支持到 { $known }）
doctor-cause-store-older = 由旧版本的 Sayso 写入，需要启动一次来升级
doctor-cause-store-unreleased = 由首次发布之前的版本写入，本版本无法读取
# Leaves out $why: it is in English.
doctor-cause-store-damaged = 文件已损坏，或不是 SQLite 数据库
doctor-cause-store-full = 磁盘已满或拒绝写入：{ $why }
# Leaves out $why: it is in English.
doctor-cause-store-locked = 被另一个程序锁定
doctor-cause-store-fenced = 对话已由另一个进程接管
# Leaves out $why: it is in English.
doctor-cause-store-unaudited = 审计日志无法写入
doctor-cause-store-closed = 数据库已关闭
doctor-cause-store-broken = 数据库出错：{ $why }
doctor-cause-mcp-login = 正在等待登录
doctor-cause-mcp-list = 有应答，但它的工具列表无法读取：{ $why }
