config-one-or-another = { $rest } 或 { $last }

config-rule-text = 带引号的文本
config-rule-quoted-secret = 带引号的文本、`env:NAME` 或 `file:PATH`
config-rule-secret = 文本、`env:NAME` 或 `file:PATH`
config-rule-one-of = { $words }
config-rule-whole = 整数，范围 { $least } 至 { $most }
config-rule-auto-or-whole = `auto` 或整数，范围 { $least } 至 { $most }
config-rule-decimal = 数字，范围 { $least } 至 { $most }
config-rule-switch = `true` 或 `false`
config-rule-texts = 文本列表，例如 `["one", "two"]`
config-rule-secrets = 密钥列表，例如 `["env:FIRST_KEY", "file:/run/keys/second"]`
config-rule-variables = 变量列表，例如 `["LOG=quiet", "API_TOKEN=env:API_TOKEN"]`；值可以是 `env:NAME` 或 `file:PATH`
config-rule-sections = 多个小节：`[[{ $list }]]`
config-rule-section = 一个小节：`[{ $path }]`
config-rule-section-of-file = 文件中的一个小节；一个变量只设置一个键
config-rule-account-name = 以 1-32 个 `a-z 0-9 _ -` 命名，以字母开头，且不含 `__`
config-rule-secret-section = 单独的小节 `[secrets.NAME]`，其中有 `value`，以及可以使用它的 `hosts` 或 `commands`；NAME 为 1-32 个 `a-z 0-9 _`，以字母开头，不含 `__`，也不能是这些键名
config-rule-secret-sections = 最多 { $most } 个小节：每个密钥是单独的小节 `[secrets.NAME]`，其中有 `value`，以及可以使用它的 `hosts` 或 `commands`；NAME 为 1-32 个 `a-z 0-9 _`，以字母开头，不含 `__`，也不能是这些键名
config-rule-project-section = 单独的小节 `[projects.NAME]`，其中有 `path`；NAME 为 1-32 个 `a-z 0-9 _ -`，以字母开头，不含 `__`，也不能是 `none` 和这些键名
config-rule-project-sections = 最多 { $most } 个小节：每个项目是单独的小节 `[projects.NAME]`，其中有 `path`；NAME 为 1-32 个 `a-z 0-9 _ -`，以字母开头，不含 `__`，也不能是 `none` 和这些键名
config-rule-project-path = 已存在的文件夹的绝对路径
config-rule-project-beside-data = 与 `data_dir` 分开的文件夹：二者不能互相包含
config-rule-project-apart = 与 `projects.{ $other }` 分开的文件夹，或 `people` 和 `write` 与之相同：同一个文件不能有两套权限
config-rule-project-checks = 形如 `tests=make check` 的条目，lint、types、build、tests、custom、runtime 各一个，命令为一行且最多 400 个字符；`lint=` 表示不检查该项，`none=` 表示忽略项目文件的说明
config-rule-project-people = 单个账号，例如 `telegram:12345` 或 `discord:67890`（是数字而不是 @ 名称；`/whoami` 会显示）
config-rule-directory = 目录；`~` 是主目录，必须由 HOME 指定
config-rule-socket-address = 地址和端口，例如 `{ $example }`
config-rule-address = 以 `http://` 或 `https://` 开头且不含密码的地址
config-rule-http-address = `http` 或 `https` 地址
config-rule-address-before = 不含端点的地址，端点会自动添加
config-rule-webhook-address = 以 `https://` 开头的地址（仅自建 Bot API 服务器可用 `http://`）
config-rule-webhook-secret = 1-256 个字符：`A-Z a-z 0-9 _ -`
config-rule-telegram-token = BotFather 的令牌：数字、冒号，然后是 `A-Z a-z 0-9 _ -`
config-rule-discord-token = 机器人的令牌，不含单词 `Bot`：由点分隔的三段 `A-Z a-z 0-9 _ -`
config-rule-shards = `auto` 或不小于 1 的整数
config-rule-other-token = 与 `channels.{ $other }.token` 不同的令牌：使用同一个令牌会互相抢走消息
config-rule-left-out-of-build = 省略：此版本不含 { $channel }
config-rule-left-out-unless-webhook = 省略，除非 `mode = "webhook"`
config-rule-not-postgres = `sqlite:NAME`：此版本尚不支持 PostgreSQL
config-rule-database = `sqlite:NAME`，即 `data_dir` 中的文件，例如 `sqlite:sayso.db`
config-rule-owners = 账号，例如 `telegram:12345` 或 `discord:67890`（是数字而不是 @ 名称；`/whoami` 会显示），`telegram.work:12345` 仅限一个机器人账号，或 `terminal:NAME`；不能是角色或 `*`，因为它们由他人授予
config-rule-accounts = 账号，例如 `telegram:12345` 或 `discord:67890`（是数字而不是 @ 名称），角色写作 `discord:role:67890`，`telegram.work:12345` 仅限一个机器人账号，`telegram:*` 表示那里的所有人
config-rule-levels = 账号及其级别，例如 `telegram:12345=read_only` 或 `discord.work:67890=full`：每个账号只写一次，用数字表示，级别为 `read_only`、`supervised` 或 `full`；不能是角色或 `*`，因为它们由他人授予
config-rule-rules-without-home = 可用的命令规则文件：未设置 HOME
config-rule-rules-in-directory = 可用的命令规则文件：它是目录，应为文件（绑定挂载的文件不存在时 Docker 会创建目录）
config-rule-rules-unreadable = 可用的命令规则文件：无法读取：{ $error }
config-rule-rules-broken = 可用的命令规则文件：{ $error }
config-rule-programs = 只写名称的程序，例如 `["git", "cargo"]`
config-rule-ordinary-programs = 只写名称的普通程序，例如 `["gh"]`：不能是 shell、解释器或会启动其他程序的程序
config-rule-hosts = 主机，例如 `["example.org", "*.example.org", "example.org:8443"]`
config-rule-single-hosts = 带端口的单个主机，例如 `["192.168.1.5:80", "nas.local:5000"]`
config-rule-secret-hosts = 单个主机，例如 `["api.github.com"]`，通过 `https` 发送；写明端口的（`"nas.local:5000"`）也可通过 `http`
config-rule-long-secret = 至少 6 字节且不含 NUL，仅含字母时至少 16 字节：更短的无法与普通词语区分，也就无法隐藏
config-rule-line = 一行文本，最多 { $most } 个字符
config-rule-currency = 1-8 个字母的货币或其符号，例如 `USD` 或 `€`
config-rule-zone = `local`，或 `Asia/Shanghai` 这样的时区
config-rule-late-run = `half`、`skip`，或 `6h`、`90m`、`2d` 这样的时长
config-rule-quiet-hours = 两个时刻，例如 `22:30-07:30`，或 `off`
config-rule-unpriced-model = 没有其他价格的模型
config-rule-zero-without-price = 0，因为模型 `{ $model }` 没有价格：请添加 `[[prices]]`，其中 `model = "{ $model }"`
config-rule-left-out-beside-directory = 与 `directory` 同时使用时省略，因为此时不访问服务器
config-rule-model-directory = 以 `/` 或 `~` 开头的路径，指向 model2vec 格式的目录
config-rule-name = 名称
config-rule-other-name = 其他提供方没有使用的名称
config-rule-left-out-of-kind = 省略：只有 `{ $kind }` 类型的提供方使用它
config-rule-left-out-unless-completion = 省略：只有 `mode = "completion"` 的 `llama` 类型提供方使用它
config-rule-zero-of-kind = 0：只有 `{ $kind }` 类型的提供方使用它
config-rule-auto-calls = `auto`，因为此处的调用从不是或总是文本
config-rule-zero-or-from = 0，或不小于 { $least } 的整数
config-rule-low-temperature = 数字，`anthropic` 类型的提供方范围 0 至 1
config-rule-other-models = 除 `model` 之外的模型列表，每个只写一次
config-rule-left-out-beside-key = 与 `api_key` 同时使用时省略：请把所有密钥写在 `api_keys` 中
config-rule-different-keys = 没有重复的密钥列表
config-rule-server-name = 1-32 个 `a-z 0-9 _ -`，以字母开头，不含 `__`，且不与其他名称相同
config-rule-left-out-of-server = 省略：它属于使用 `{ $other }` 的服务器
config-rule-left-out-beside-command = 与 `command` 同时使用时省略：服务器只能是其中一种
config-rule-program = 程序的路径或名称；其参数写在 `args` 中
config-rule-secure-address = 以 `https://` 开头的地址，因为有 `token`：否则途中的任何人都能读到它
config-rule-client-id = 授权服务器所知的 Sayso 的名称
config-rule-left-out-without-client = 省略，或与其所属的 `client_id` 一起写
config-rule-left-out-beside-token = 与 `token` 同时使用时省略：服务要么使用令牌，要么登录
config-rule-named-variables = 每项为 `NAME=VALUE`，例如 `["API_TOKEN=env:API_TOKEN"]`：名称由 `A-Z a-z 0-9 _` 组成，不能重复
config-rule-tool-names = 服务器中的工具名称，`*` 表示任意字符，例如 `["search", "read_*"]`

config-reason-is-configured = 已配置 `[{ $section }]`
config-reason-is-webhook = `{ $section }.mode` 为 `webhook`
config-reason-price-is-whole = 价格需要 `model`、`input` 和 `output`
config-reason-needs-value = 密钥需要一个值
config-reason-needs-path = 项目是一个文件夹
config-reason-needs-model = `{ $kind }` 类型的提供方需要模型
config-reason-needs-server-name = MCP 服务器的工具以其名称开头
config-reason-needs-server = MCP 服务器是要启动的程序或一个地址
config-reason-variable-not-set = 该变量未设置
config-reason-home-not-set = 未设置 HOME
config-reason-empty = 其中没有内容
config-reason-is-directory = 它是目录，应为文件（绑定挂载的文件不存在时 Docker 会创建目录）
config-reason-file-not-utf8 = 该文件不是 UTF-8 编码
config-reason-file-unreadable = 无法读取该文件：{ $error }
config-reason-system = { $error }
config-reason-too-long = 它有 { $bytes } 字节，超过了配置文件的上限
config-reason-utf16 = 它是 UTF-16 编码，应为 UTF-8
config-reason-line-not-utf8 = 第 { $line } 行不是 UTF-8 编码

config-hint-nearest = 是不是 `{ $word }`？
config-hint-speaks-open-ai = 它使用 OpenAI 协议：请写 `kind = "openai"` 和 `base_url = "{ $address }"`
config-hint-in-quotes = 请加引号
config-hint-in-quotes-as = 请加引号：`{ $name } = { $meant }`
config-hint-without-quotes = 请去掉引号
config-hint-without-quotes-as = 请去掉引号：`{ $name } = { $meant }`
config-hint-as-list = 请写成列表
config-hint-as-list-as = 请写成列表：`{ $name } = { $meant }`
config-hint-write = 请写 `{ $value }`
config-hint-write-like = 请写 `{ $name } = "{ $example }"` 或类似内容
config-hint-save-as-utf8 = 请保存为 UTF-8（记事本：另存为，编码 UTF-8；PowerShell：`Set-Content -Encoding utf8`）
config-hint-file-inside = 请指定其中的文件：`{ $path }`
config-hint-file-itself = 请指定文件本身；绑定挂载的文件不存在时 Docker 会创建目录
config-hint-telegram-token = 请写 `token = "env:TELEGRAM_BOT_TOKEN"`，并把该变量设置为 BotFather 的令牌
config-hint-discord-token = 请写 `token = "env:DISCORD_BOT_TOKEN"`，并把该变量设置为 Developer Portal 中的令牌（Bot，Reset Token）
config-hint-price = 请写每百万 token 的价格，例如 `input = 0.15`
config-hint-secret-value = 请写其存放位置，例如 `value = "env:GITHUB_TOKEN"`
config-hint-project-path = 请写其位置，例如 `path = "/srv/code/site"`
config-hint-model = 请写服务方使用的名称，例如 `model = "{ $example }"`
config-hint-embedding-model = 请写服务方使用的名称，例如 `model = "text-embedding-3-small"`，或本地模型的 `directory`
config-hint-server-name = 请写一个简短的名称，例如 `name = "files"`
config-hint-server = 请写 `command = "npx"` 及其 `args`，或写 `url`
config-hint-searxng = 请写你的 SearXNG 地址，例如 `base_url = "http://127.0.0.1:8888"`，或 `kind = "brave"`
config-hint-brave = 请写你订阅的密钥：`api_key = "env:BRAVE_API_KEY"`

config-found-text = 文本 `"{ $shown }"`
config-found-number = 数字 `{ $shown }`
config-found-switch = 开关值 `{ $shown }`
config-found-hidden-text = 文本
config-found-hidden-number = 数字
config-found-hidden-switch = 开关值
config-found-time = 时间
config-found-list = 列表
config-found-section = 小节

config-mistake-typographic-quotes = 这一行用了弯引号或全角引号；请改用直引号 `"`
config-mistake-bare-text = 值需要加引号：请写 `{ $key } = "..."`
config-mistake-bare-item = 列表中的每个值都需要加引号：请写 `{ $key } = ["...", "..."]`

config-named-by-option = --config
config-named-by-variable = SAYSO_CONFIG
config-named-by-search = 自动找到

config-out-of-bounds-not-in-chat = `{ $key }` 不能在聊天中修改；可以修改的有：{ $known }
config-out-of-bounds-no-higher = `{ $key }` 不能高于配置中写的值，因此不能是 { $value }
config-out-of-bounds-only-off = `{ $key }` 可以是 `false` 或配置中写的值，不能是 { $value }
config-out-of-bounds-at-most = `{ $key }` 应大于 0 且不超过 { $most }，不能是 { $value }
config-out-of-bounds-not-offered = `{ $key }` 可以是 { $models } 之一，不能是 { $value }

config-sentence-no-file = `{ $path }` 不存在（由 { $named_by } 指定）
config-sentence-directory = `{ $path }` 是目录，应为文件（由 { $named_by } 指定）
config-sentence-unreadable = 无法读取 `{ $path }`：{ $why }
config-sentence-syntax = { $path }:{ $line }:{ $column }：不是有效的 TOML：{ $why }
config-sentence-parser = 原文“{ $message }”
config-sentence-key = { $place }：{ $fault }
config-sentence-unknown-key = 未知的键 `{ $key }`；{ $section } 中可用：{ $allowed }
config-sentence-the-file = 文件
config-sentence-no-keys = 没有任何键
config-sentence-refused = `{ $key }` 的值是 `{ $value }`，但应为{ $allowed }
config-sentence-refused-unseen = `{ $key }`应为{ $allowed }
config-sentence-wrong-type = `{ $key }` 的值是{ $found }，但应为{ $allowed }
config-sentence-missing = 没有设置 `{ $key }`，但{ $because }
config-sentence-no-secret = `{ $key }` 存放在 { $place }，但是{ $why }
config-sentence-inconsistent = 无法读取配置：{ $why }
config-sentence-hint = 提示：{ $hint }
config-sentence-of-variable = 环境变量 { $name }
config-sentence-of-chat = 在聊天中的修改
config-sentence-of-default = 默认值
