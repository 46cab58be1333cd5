cli-configuration-from-file = 配置：{ $file }

cli-key-of-anthropic = 注意：提供方 `{ $provider }`：以 `sk-ant-` 开头的密钥属于 Anthropic；请写 `kind = "anthropic"`

cli-address-without-version = 注意：提供方 `{ $provider }`：`openai` 类型的 `base_url` 通常以 `/v1` 结尾：`{ $address }/v1`

cli-hidden-value = （已隐藏）

cli-no-such-key = 没有以 `{ $beginning }` 开头且已设置的键

cli-refused-configuration = 错误：{ $why }

cli-changed-in-chat = 在聊天中修改：{ $key } = { $value }

cli-dropped-from-chat = 在聊天中修改，但不生效：{ $key } = { $value }：{ $why }

cli-backup-is-there = `{ $path }` 已存在，备份不会覆盖文件：请换一个名称

cli-backup-is-made = 另一个 `sayso backup` 正在写入 `{ $path }`

cli-writing-backup = 正在写入备份
cli-checking-backup = 正在检查备份
cli-restoring = 正在恢复
cli-fetching-skill = 正在获取技能

cli-backup-made = `{ $path }` 包含数据库（{ $rows } 行，每一页都已检查）和数据目录中的 { $files } 个文件，每个文件都有摘要。它与数据目录同样机密：所有对话以及 MCP 服务器的登录都在其中。配置文件及其中的密钥不在其中

cli-backup-without-secrets = 因存放配置所用的密钥而未包含：{ $paths }{ $more }。请另行保管：恢复时需要它们

cli-backup-no-room = `{ $path }` 空间不足：备份（含预留）需要 { $needed } MiB，可用 { $free } MiB。未写入任何内容

cli-backup-left-out = 因无法读取而未包含：{ $paths }{ $more }

cli-and-more = ，以及另外 { $count } 个

cli-backup-inside = `{ $path }` 位于数据目录中，会被包含在之后的每个备份里：请选择目录之外的位置，或不会被包含的 `{ $allowed }`

cli-restore-not-in-place = `{ $path }` 已存在且不为空，不会在其上恢复：请先移走它，或设置另一个 `data_dir`

cli-restore-elsewhere = `[store] url` 将数据库放在数据目录之外的 `{ $path }`，无法在那里恢复：请改用数据目录内的 `url`

cli-restored = 已从 Sayso { $version } 的备份恢复 `{ $path }`：{ $rows } 行、{ $files } 个文件，均已检查。备份之后的对话无从得知；当时正在发送的内容可能会重发一次，并带有标记

cli-restored-without-secrets = 备份中没有存放配置所用密钥的文件：{ $paths }{ $more }。启动 Sayso 前请将它们放回原处

cli-restored-without-links = 因可能指向数据目录之外而未恢复的链接：{ $paths }{ $more }

cli-restore-no-room = `{ $path }` 空间不足：恢复（含预留）需要 { $needed } MiB，可用 { $free } MiB。未写入任何内容

cli-mcp-unknown = 没有名为 `{ $name }` 且已启用的 `[[mcp]]`

cli-mcp-without-login = `{ $name }` 无需登录：它是一个程序，或使用其 `[[mcp]]` 的 `token`

cli-mcp-open =
    请在浏览器中打开此地址并登录：

    {"  "}{ $address }
    {""}

cli-mcp-paste = 本机的浏览器会自动返回。若浏览器在另一台机器上，最后会停在一个打不开、以 { $redirect } 开头的地址：请从地址栏复制该地址并粘贴到这里

cli-mcp-not-ours = 这不是本次登录的返回地址；继续等待

cli-mcp-browser-done = Sayso 已收到。可以关闭此页面，回到终端。

cli-mcp-logged-in = 已登录 `{ $name }`；若 Sayso 正在运行，几秒内即会继续

cli-mcp-login-too-late = { $minutes } 分钟内无人登录；请重新运行该命令

cli-mcp-login-failed = 无法登录 `{ $name }`：{ $why }

cli-mcp-not-private = 其 `url` 必须以 `https://` 开头：否则途中任何人都能读取内容

cli-mcp-nothing-said = 它没有说明如何登录；若它接受令牌，请设置其 `[[mcp]]` 的 `token`

cli-mcp-no-registration = 其授权服务器不允许自动注册：请手动在那里注册 Sayso，回调地址为 { $redirect }，并设置其 `[[mcp]]` 的 `client_id`（以及 `client_secret`、`redirect_port`）

cli-mcp-login-refused = 授权服务器拒绝了：{ $why }

cli-mcp-accepted = `{ $name }` 的工具将按服务器下一次的描述采用；正在运行的 Sayso 会在几秒内询问它

cli-mcp-never-seen = 尚不了解 `{ $name }` 的工具：将采用它首次的描述

cli-mcp-logged-out = 本机已忘记 `{ $name }` 的登录；已发放的令牌在到期或被撤销前，在其授权服务器上仍然有效

cli-mcp-not-logged-in = 没有 `{ $name }` 的登录

cli-health-only-runs = 正在运行：若要得知其状况，请让 `[http] listen` 指定端口，例如 "127.0.0.1:8484"

cli-health-runs-not = 没有 Sayso 在 `{ $directory }` 中运行

cli-health-is-not-told = { $address }（`http.listen`）没有 Sayso 报告健康状况：{ $why }

cli-skill-not-taken = 未采用 `{ $source }`：{ $why }

cli-install-skill = 安装吗？[y/N]

cli-skill-installed = `{ $name }` 已安装

cli-skill-left = 没有任何改动

cli-routing-label = 类别：{ $label }（{ $confidence } %）：{ $reason }

cli-routing-courtesies = 只有寒暄

cli-routing-clear-alone = 意思明确，且与任何 skill 无关

cli-routing-asked-back = Phase 1 需要反问

cli-routing-no-task = 没有表示任务的词

cli-routing-not-clear = 是一项任务，但不能确定是否与代码有关

cli-routing-direct = 规则不会加载 skill

cli-routing-skills = 规则会加载：{ $skills }

cli-routing-intent = 意图 { $intent }：{ $words }

cli-routing-name = 名称：{ $words }

cli-routing-description = 描述：{ $words }

cli-routing-examples = 类似于需要它的消息

cli-configuration-from-environment = 配置：没有文件，只有环境变量和默认值

cli-judged-by = 判断依据 { $from }：级别 `{ $level }`，身份 `{ $role }`，命令规则 { $rules } 条；{ $sandbox }

cli-the-defaults = 环境变量和默认值

cli-sandbox-is-off = 沙箱为 `off`

cli-skill-warning = 警告：{ $what }

cli-skills-checked = 检查了 { $skills } 个：{ $faulty } 个有错误，{ $warnings } 个只有警告

cli-no-skills = `{ $place }` 及其下没有 `SKILL.md`

cli-skills-unreadable = 无法读取 `{ $place }`：{ $why }

cli-audit-is-empty = 正常：审计中还没有条目

cli-audit-holds = 正常：{ $count } 条记录，其中 { $payloads } 条保留了内容；数据库与 `{ $file }` 一致

cli-audit-head =
    末条：{ $seq }:{ $hash }
    提示：请把这一行记在别处；若末尾在各处都被截掉，`sayso audit verify --head …` 能够发现。

cli-audit-is-broken =
    已损坏：{ $what }
    （文件：`{ $file }`）

cli-audit-forgotten = 已清除 `{ $account }` 的 { $count } 条记录的内容；记录本身保留，校验链仍然有效

cli-unknown-account = 没有账号 `{ $account }`；写法与配置文件相同，例如 `telegram:12345`

cli-chat-is-offline =
    尚未配置模型，现在由内置的离线模型回答，它只懂几种请求。
    提示：设置 `OPENAI_API_KEY`，或运行 `sayso init` 配置模型和 Telegram。

## Times as they were understood (`sayso when`).

cli-unreadable-moment = `{ $text }` 不是有效的时刻；请写成 `2026-11-18T10:30:00+08:00` 的形式

# An instant lies behind the moment that it is seen from.
cli-time-is-over = 已过：{ $at }

cli-time-span = 从 { $from } 到 { $until }

# A rule and its next times.
cli-time-rule = { $rule }；接下来：{ $next }

cli-no-time = 没有时间
cli-quality-high = 高
cli-quality-medium = 中
cli-quality-low = 低
cli-quality-more = 另有 { $count } 条，请用 --json 查看
cli-quality-summary = 得分 { $score }/100。文件：{ $files }；问题：{ $findings }；已豁免：{ $suppressed }；跳过的文件：{ $skipped }
cli-no-routines = 没有例行任务和提醒

# Of a file: how many are new, were there, and come at a time that is over.
cli-routines-imported = 新增：{ $new }，已有：{ $known }，已过期：{ $over }
cli-routines-not-imported = 文件内容均未保存
cli-webhook-imported = webhook：POST { $path }，签名密钥 { $key }（只显示这一次）
