init-welcome =
    将写入 { $file }。直接回车即采用方括号中的值，输入 `<` 返回上一个问题。
    密钥可以直接输入，也可以存放在别处：`env:变量名` 或 `file:路径`。
init-overwrite = { $file } 已存在。要替换吗？（是/否，也可输入 y/n）
init-nothing-changed = 没有改动任何内容。
init-botfather-steps =
    {""}
    Telegram
    {"  "}1. 在 Telegram 中打开 https://t.me/BotFather，发送 /newbot。
    {"  "}2. 给机器人起名，再取一个以 `bot` 结尾的用户名。
    {"  "}3. BotFather 会回复形如 123456:ABC-def 的令牌，粘贴到这里。
    留空则不使用 Telegram。
init-developer-portal-steps =
    {""}
    Discord
    {"  "}1. 打开 https://discord.com/developers/applications，选择 New Application。
    {"  "}2. 在 Bot 页选择 Reset Token 并复制令牌，粘贴到这里。
    {"  "}3. 在同一页开启 Message Content Intent，让它能看到提及前后的消息。
    {"  "}4. 之后打开下面显示的邀请链接，选择你的服务器。
    留空则不使用 Discord。
init-no-discord-token = 这不是令牌：应为三段字母和数字，用点分隔；或 `env:变量名`、`file:路径`。
init-discord-owner = 你的 Discord 用户 ID（数字；留空：使用 `sayso` 启动时显示的配对码）
init-token = 令牌
init-no-token = 这不是令牌：应为数字、冒号加字母；或 `env:变量名`、`file:路径`。
init-owner = 你的 Telegram 数字 ID（留空：使用 `sayso` 启动时显示的配对码）
init-no-account = 请填数字 ID（不是 @用户名）；不知道就留空。
init-about-models =
    {""}
    模型
    {"  "}1 openai      OpenAI，以及任何兼容其协议的服务或本地服务器
    {"  "}2 anthropic   Anthropic（Claude）
    {"  "}3 deepseek    DeepSeek
    {"  "}4 openrouter  OpenRouter，一个密钥使用多种模型
    {"  "}5 ollama      本机的 Ollama，无需密钥
    {"  "}6 llama.cpp   本机的 llama-server，无需密钥
    {"  "}7 offline     内置，无需网络，只懂几种请求
init-kind = 服务（名称或编号）
init-no-kind = 请输入列表中的名称或编号，例如 `openai` 或 `1`。
init-is-a-model = { $model } 是模型名，类型应为 { $kind }。使用它？（是/否，也可输入 y/n）
init-with-version = 地址通常以 /v1 结尾。使用 { $address }？（是/否，也可输入 y/n）
init-type-again = 重新输入？（是/否，也可输入 y/n）
init-base-url = 服务地址
init-no-url = 请输入以 http:// 或 https:// 开头、不含密码的地址。
init-api-key = 密钥（留空：不需要）
init-model = 模型在该服务中的名称
init-data-dir =
    {""}
    数据库和工作区所在目录
init-written =
    {""}
    已写入：{ $file }（只有你能读取）。
init-correct-before-start = 启动前请设置或改正；用 `sayso config check` 检查是否可用
init-talk-to =
    {""}
    启动后在 Telegram 中与它对话：{ $link }
init-next-step =
    {""}
    下一步：用 `{ $command }` 启动。
init-pairing = 启动时会显示链接或配对码，用它即可成为管理者。
init-find-problems = `sayso doctor` 可检查问题。

init-yes = 是
init-no = 否
init-asked = { $question }：
init-asked-with-default = { $question } [{ $default }]：
init-asked-in-secret = { $question }（输入内容不会显示）：
