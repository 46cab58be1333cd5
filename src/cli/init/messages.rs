//! What `sayso init` says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::Language;

texts! {
    welcome(file) {
        "This writes {file}. Enter takes what stands in brackets, `<` goes back to the question before.\n\
         A secret can be typed here, or be kept elsewhere: `env:NAME` or `file:PATH`."
        "将写入 {file}。直接回车即采用方括号中的值，输入 `<` 返回上一个问题。\n\
         密钥可以直接输入，也可以存放在别处：`env:变量名` 或 `file:路径`。"
    }
    overwrite(file) {
        "{file} exists. Replace it? (yes/no)"
        "{file} 已存在。要替换吗？(yes/no)"
    }
    nothing_changed() {
        "Nothing was changed."
        "没有改动任何内容。"
    }
    botfather_steps() {
        "\nTelegram\n\
         \u{20} 1. Open https://t.me/BotFather in Telegram and send /newbot.\n\
         \u{20} 2. Give the bot a name, then a username that ends in `bot`.\n\
         \u{20} 3. BotFather answers with a token such as 123456:ABC-def; paste it here.\n\
         Leave it empty to go without Telegram."
        "\nTelegram\n\
         \u{20} 1. 在 Telegram 中打开 https://t.me/BotFather，发送 /newbot。\n\
         \u{20} 2. 给机器人起名，再取一个以 `bot` 结尾的用户名。\n\
         \u{20} 3. BotFather 会回复形如 123456:ABC-def 的令牌，粘贴到这里。\n\
         留空则不使用 Telegram。"
    }
    developer_portal_steps() {
        "\nDiscord\n\
         \u{20} 1. Open https://discord.com/developers/applications and choose New Application.\n\
         \u{20} 2. On the page Bot, choose Reset Token and copy the token; paste it here.\n\
         \u{20} 3. On the same page, switch on Message Content Intent, so that it sees what was said around a mention.\n\
         \u{20} 4. Afterwards open the invite link that is shown below, and choose your server.\n\
         Leave it empty to go without Discord."
        "\nDiscord\n\
         \u{20} 1. 打开 https://discord.com/developers/applications，选择 New Application。\n\
         \u{20} 2. 在 Bot 页选择 Reset Token 并复制令牌，粘贴到这里。\n\
         \u{20} 3. 在同一页开启 Message Content Intent，让它能看到提及前后的消息。\n\
         \u{20} 4. 之后打开下面显示的邀请链接，选择你的服务器。\n\
         留空则不使用 Discord。"
    }
    no_discord_token() {
        "That is no token: it has three parts of letters and digits with dots between them; or `env:NAME`, `file:PATH`."
        "这不是令牌：应为三段字母和数字，用点分隔；或 `env:变量名`、`file:路径`。"
    }
    discord_owner() {
        "Your Discord user ID, a number (empty: pair by a code that `sayso` prints at its start)"
        "你的 Discord 用户 ID（数字；留空：使用 `sayso` 启动时显示的配对码）"
    }
    token() {
        "Token"
        "令牌"
    }
    not_shown() {
        "(what you type is not shown)"
        "（输入内容不会显示）"
    }
    no_token() {
        "That is no token: it has digits, a colon, then letters; or `env:NAME`, `file:PATH`."
        "这不是令牌：应为数字、冒号加字母；或 `env:变量名`、`file:路径`。"
    }
    owner() {
        "Your Telegram number (empty: pair by a code that `sayso` prints at its start)"
        "你的 Telegram 数字 ID（留空：使用 `sayso` 启动时显示的配对码）"
    }
    no_account() {
        "That is no number. It is not the @name; leave it empty if you do not know it."
        "请填数字 ID（不是 @用户名）；不知道就留空。"
    }
    about_models() {
        "\nModel\n\
         \u{20} 1 openai      OpenAI, and every service or local server that speaks its protocol\n\
         \u{20} 2 anthropic   Anthropic (Claude)\n\
         \u{20} 3 deepseek    DeepSeek\n\
         \u{20} 4 openrouter  OpenRouter, many models by one key\n\
         \u{20} 5 ollama      Ollama on this machine, no key\n\
         \u{20} 6 llama.cpp   llama-server on this machine, no key\n\
         \u{20} 7 offline     built in, needs no network, understands only a few requests"
        "\n模型\n\
         \u{20} 1 openai      OpenAI，以及任何兼容其协议的服务或本地服务器\n\
         \u{20} 2 anthropic   Anthropic（Claude）\n\
         \u{20} 3 deepseek    DeepSeek\n\
         \u{20} 4 openrouter  OpenRouter，一个密钥使用多种模型\n\
         \u{20} 5 ollama      本机的 Ollama，无需密钥\n\
         \u{20} 6 llama.cpp   本机的 llama-server，无需密钥\n\
         \u{20} 7 offline     内置，无需网络，只懂几种请求"
    }
    kind() {
        "Service (name or number)"
        "服务（名称或编号）"
    }
    no_kind() {
        "Write a name or number of the list, such as `openai` or `1`."
        "请输入列表中的名称或编号，例如 `openai` 或 `1`。"
    }
    is_a_model(model, kind) {
        "{model} is a model; its kind is {kind}. Use that? (yes/no)"
        "{model} 是模型名，类型应为 {kind}。使用它？(yes/no)"
    }
    with_version(address) {
        "The address usually ends in /v1. Use {address}? (yes/no)"
        "地址通常以 /v1 结尾。使用 {address}？(yes/no)"
    }
    type_again() {
        "Type it again? (yes/no)"
        "重新输入？(yes/no)"
    }
    base_url() {
        "Address of the service"
        "服务地址"
    }
    no_url() {
        "Write an address that begins with http:// or https:// and holds no password."
        "请输入以 http:// 或 https:// 开头、不含密码的地址。"
    }
    api_key() {
        "Key (empty: none is needed)"
        "密钥（留空：不需要）"
    }
    model() {
        "Model, as the service names it"
        "模型在该服务中的名称"
    }
    data_dir() {
        "\nDirectory for the database and the workspaces"
        "\n数据库和工作区所在目录"
    }
    written(file) {
        "\nWritten: {file} (only you can read it)."
        "\n已写入：{file}（只有你能读取）。"
    }
    correct_before_start() {
        "set or correct it before the start; `sayso config check` tells whether all is well"
        "启动前请设置或改正；用 `sayso config check` 检查是否可用"
    }
    talk_to(link) {
        "\nTalk to it in Telegram, once it runs: {link}"
        "\n启动后在 Telegram 中与它对话：{link}"
    }
    next_steps(command) {
        "\nNext: start it with `{command}`.\n\
         Without an owner it prints a code; send it to the bot, and you are the owner. `sayso doctor` looks for problems."
        "\n下一步：用 `{command}` 启动。\n\
         没有管理者时会显示一个配对码，把它发给机器人，你就成为管理者。`sayso doctor` 可检查问题。"
    }
}
