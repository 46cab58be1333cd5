//! What the doctor says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::Language;

texts! {
    fix(how) {
        "fix: {how}"
        "处理：{how}"
    }
    bad_configuration(error) {
        "the configuration cannot be used\n{error}"
        "配置无法使用\n{error}"
    }
    correct_configuration() {
        "correct what is named above, then run `sayso config check`"
        "按上面的说明改正，然后运行 `sayso config check`"
    }
    configuration(file) {
        "configuration: {file}"
        "配置：{file}"
    }
    configuration_without_file() {
        "configuration: no file, only the environment and the defaults"
        "配置：没有文件，只有环境变量和默认值"
    }
    undo_in_chat() {
        "have an owner ask in chat to undo that change of the configuration"
        "请管理者在聊天中要求撤销这项配置修改"
    }
    clock() {
        "clock: plausible"
        "时钟：看起来正常"
    }
    clock_is_wrong() {
        "the clock of this machine is before 2026"
        "本机时钟早于 2026 年"
    }
    set_clock() {
        "set the clock, or turn on time synchronisation (`timedatectl set-ntp true`)"
        "校准时钟，或开启时间同步（`timedatectl set-ntp true`）"
    }
    data_directory(path) {
        "data directory: {path} can be written and is not in use"
        "数据目录：{path} 可写，且未被占用"
    }
    cannot_write(path, why) {
        "the data directory {path} cannot be written: {why}"
        "数据目录 {path} 无法写入：{why}"
    }
    make_writable() {
        "give it to the account that Sayso runs as (`chown`), or set `data_dir` to another directory"
        "把它交给运行 Sayso 的用户（`chown`），或把 `data_dir` 设为别的目录"
    }
    running(process, path) {
        "running: process {process} uses this data directory, {path}"
        "正在运行：进程 {process} 使用此数据目录 {path}"
    }
    running_somewhere(path) {
        "running: a Sayso uses this data directory, {path}"
        "正在运行：有一个 Sayso 使用此数据目录 {path}"
    }
    half_restored(path) {
        "a restore into the data directory {path} was cut short"
        "恢复到数据目录 {path} 的操作被中断"
    }
    restore_again() {
        "run `sayso restore` again: it begins anew"
        "再次运行 `sayso restore`：它会重新开始"
    }
    stop_the_other() {
        "stop the other program, or give this one its own `data_dir`"
        "停止另一个程序，或为本实例设置单独的 `data_dir`"
    }
    log_file(path) {
        "log: {path}, secrets hidden"
        "日志：{path}，密钥已隐去"
    }
    mcp_answers(name, tools) {
        "mcp server {name}: it answers and has {tools} tools"
        "MCP 服务器 {name}：有响应，提供 {tools} 个工具"
    }
    mcp_fails(name, why) {
        "mcp server {name} cannot be used: {why}"
        "MCP 服务器 {name} 无法使用：{why}"
    }
    mcp_waits_for_login(name) {
        "mcp server {name} waits for a login"
        "MCP 服务器 {name} 正在等待登录"
    }
    log_in_to_mcp(name) {
        "run `sayso mcp login {name}`; if the server takes a token instead, set `token` of its `[[mcp]]`"
        "运行 `sayso mcp login {name}`；若服务器使用令牌，请设置其 `[[mcp]]` 的 `token`"
    }
    mend_mcp_list(name) {
        "report it to the developer of the server {name}: each entry of `tools` in its answer to `tools/list` needs a `name` and an object as `inputSchema`"
        "请报告给服务器 {name} 的开发者：`tools/list` 的回答中，`tools` 的每一项都需要 `name` 和作为对象的 `inputSchema`"
    }
    check_mcp_command(name) {
        "check `command`, `args` and `env` of the `[[mcp]]` named {name}; a first start may have to download, which `start_timeout_secs` allows for"
        "检查名为 {name} 的 `[[mcp]]` 的 `command`、`args` 和 `env`；首次启动可能需要下载，可调大 `start_timeout_secs`"
    }
    check_mcp_url(name) {
        "check `url` and `token` of the `[[mcp]]` named {name}"
        "检查名为 {name} 的 `[[mcp]]` 的 `url` 和 `token`"
    }
    no_knowledge(directory) {
        "knowledge: none; Markdown files in {directory} are recalled for everybody"
        "知识：没有；{directory} 中的 Markdown 文件会供所有人回忆"
    }
    knowledge(files, passages) {
        "knowledge: {passages} passages of {files} files are recalled for everybody"
        "知识：{files} 个文件中的 {passages} 个段落供所有人回忆"
    }
    knowledge_left_out(source, why) {
        "{source} is left out: {why}"
        "{source} 未被采用：{why}"
    }
    split_knowledge() {
        "keep what people ask about and remove the rest; at most 256 KiB a file, 200 files and 4 MiB are read"
        "保留人们会问到的内容，删去其余部分；每个文件最多 256 KiB，共 200 个文件、4 MiB"
    }
    convert_knowledge() {
        "save it as UTF-8 (`iconv -f latin1 -t utf-8`)"
        "另存为 UTF-8（`iconv -f gbk -t utf-8`）"
    }
    copy_knowledge() {
        "copy the file instead of linking it"
        "请复制文件，不要用链接"
    }
    make_knowledge_readable() {
        "put a plain file there that the account of Sayso may read"
        "请放一个运行 Sayso 的用户可读的普通文件"
    }
    reword_knowledge() {
        "say what is so instead of what a model must do; orders belong into `persona/AGENT.md`"
        "写明事实，而不是命令模型做什么；指令应写在 `persona/AGENT.md` 中"
    }
    sandbox(state) {
        "sandbox: {state}"
        "沙箱：{state}"
    }
    sandbox_is_off() {
        "sandbox: off (`policy.sandbox`); nothing confines commands, and each asks"
        "沙箱：已关闭（`policy.sandbox`）；命令不受限制，每条都会询问"
    }
    commands_are_refused() {
        "until then commands are refused: update the kernel (Linux 6.12 has all of it) or allow Landlock and seccomp in the container, or set `policy.sandbox = \"prefer\"`, with which every command asks"
        "在此之前命令会被拒绝：请更新内核（Linux 6.12 具备全部功能），或在容器中允许 Landlock 和 seccomp，或设置 `policy.sandbox = \"prefer\"`，此时每条命令都会询问"
    }
    commands_all_ask() {
        "until then every command asks: update the kernel (Linux 6.12 has all of it) or allow Landlock and seccomp in the container"
        "在此之前每条命令都会询问：请更新内核（Linux 6.12 具备全部功能），或在容器中允许 Landlock 和 seccomp"
    }
    space(mib) {
        "disk: {mib} MiB free"
        "磁盘：剩余 {mib} MiB"
    }
    space_is_low(mib) {
        "only {mib} MiB are free on the disk of the data directory"
        "数据目录所在磁盘只剩 {mib} MiB"
    }
    free_space(least) {
        "free some space; Sayso wants at least {least} MiB"
        "请清理磁盘；Sayso 至少需要 {least} MiB"
    }
    new_database(path) {
        "database: {path} will be created at the first start"
        "数据库：{path} 将在首次启动时创建"
    }
    database(path, schema) {
        "database: {path} is whole (schema {schema})"
        "数据库：{path} 完好（结构版本 {schema}）"
    }
    old_database(path, schema, known) {
        "database: {path} is whole; the next start brings it from schema {schema} to {known}, with a backup"
        "数据库：{path} 完好；下次启动会先备份，再从结构版本 {schema} 升级到 {known}"
    }
    database_is_damaged(path, damage) {
        "the database {path} is damaged: {damage}"
        "数据库 {path} 已损坏：{damage}"
    }
    database_fails(path, error) {
        "the database {path} cannot be read: {error}"
        "数据库 {path} 无法读取：{error}"
    }
    restore_backup() {
        "stop Sayso and put a backup in its place; `sayso.db.before-*` lies beside it after an update"
        "停止 Sayso，用备份替换该文件；升级后旁边会有 `sayso.db.before-*`"
    }
    move_database_away() {
        "move the file away; a new one is made at the next start"
        "请把该文件移走；下次启动时会新建一个"
    }
    update_sayso() {
        "update Sayso, or put the backup from before the update in its place"
        "升级 Sayso，或换回升级前的备份"
    }
    look_at_the_log() {
        "start Sayso with `SAYSO_LOG=debug` and look at what it says"
        "用 `SAYSO_LOG=debug` 启动 Sayso，查看输出"
    }
    no_channel() {
        "channels: none is configured, so `sayso` opens a chat in the terminal"
        "渠道：尚未配置，`sayso` 会在终端里打开聊天"
    }
}

#[cfg(feature = "telegram")]
texts! {
    telegram_answers(who, name) {
        "{who}: the token belongs to @{name}"
        "{who}：令牌属于 @{name}"
    }
    privacy_is_on(who) {
        "{who}: privacy mode is on, so in groups the bot hears only commands, mentions and replies to it; that is enough.\n\
         To let it hear everything: @BotFather, /setprivacy, Disable; then take the bot out of the group and add it again."
        "{who}：隐私模式已开启，在群组里机器人只能看到命令、@提及和对它的回复；这已足够。\n\
         如需让它看到全部消息：在 @BotFather 中用 /setprivacy 选 Disable，再把机器人移出群组并重新加入。"
    }
    privacy_is_off(who) {
        "{who}: privacy mode is off, so in groups the bot hears everything; it answers only when addressed"
        "{who}：隐私模式已关闭，在群组里机器人能看到全部消息；它只在被提到时回答"
    }
    take_the_token(channel) {
        "take the token from @BotFather (/mybots, the bot, API Token) and set `channels.{channel}.token`"
        "在 @BotFather 中取得令牌（/mybots，选择机器人，API Token），并设置 `channels.{channel}.token`"
    }
}

#[cfg(feature = "discord")]
texts! {
    discord_answers(who, name) {
        "{who}: the token belongs to {name}"
        "{who}：令牌属于 {name}"
    }
    reads_messages(who) {
        "{who}: the Message Content intent is on, so in servers it sees what was said in between; it answers only when addressed"
        "{who}：Message Content 意图已开启，在服务器里能看到期间的消息；它只在被提到时回答"
    }
    reads_what_names_it(who) {
        "{who}: the Message Content intent is off, so in servers it hears only messages that mention it or reply to it; direct messages and commands it hears anyway.\n\
         To let it see what was said in between: Developer Portal, your application, Bot, switch on Message Content Intent, and restart Sayso."
        "{who}：Message Content 意图未开启，在服务器里只能看到提及它或回复它的消息；私信和命令不受影响。\n\
         如需让它看到期间的消息：在 Developer Portal 打开你的应用，在 Bot 页开启 Message Content Intent，然后重启 Sayso。"
    }
    in_no_server(who) {
        "{who}: the bot is in no server yet, so no user can reach it"
        "{who}：机器人还不在任何服务器里，没有人能联系到它"
    }
    invite(link) {
        "open this link and choose a server of yours: {link}"
        "打开此链接并选择你的服务器：{link}"
    }
    in_servers(who, servers, link) {
        "{who}: the bot is in about {servers} servers; this link adds it to another: {link}"
        "{who}：机器人约在 {servers} 个服务器里；用此链接可加入其他服务器：{link}"
    }
    invite_elsewhere(who, link) {
        "{who}: this link adds the bot to a server: {link}"
        "{who}：用此链接可把机器人加入服务器：{link}"
    }
    reset_the_token(channel) {
        "take a new token from the Developer Portal (your application, Bot, Reset Token) and set `channels.{channel}.token`"
        "在 Developer Portal 中重置令牌（你的应用，Bot，Reset Token），并设置 `channels.{channel}.token`"
    }
}

#[cfg(any(feature = "telegram", feature = "discord"))]
texts! {
    platform_fails(who, error) {
        "{who}: {error}"
        "{who}：{error}"
    }
    check_api_url(channel, url) {
        "check the network of this machine, and `channels.{channel}.api_url`: {url}"
        "检查本机网络，以及 `channels.{channel}.api_url`：{url}"
    }
}

texts! {
    port_is_in_the_log() {
        "running: `http.listen` has port 0, so a running Sayso answers at the port that its log names"
        "运行状态：`http.listen` 的端口为 0，实际端口见运行中的 Sayso 的日志"
    }
    not_running(address) {
        "running: nobody answers at {address} (`http.listen`), so no Sayso runs here"
        "运行状态：{address}（`http.listen`）无人应答，本机没有运行中的 Sayso"
    }
    health_fails(address, error) {
        "running: what answers at {address} (`http.listen`) says nothing of its health: {error}"
        "运行状态：{address}（`http.listen`）的应答不是健康信息：{error}"
    }
    look_who_listens() {
        "another program may have that address; stop it, or set another `http.listen`"
        "该地址可能被其他程序占用；请停止它，或改用别的 `http.listen`"
    }
    channel_is_well(name, age, interruptions) {
        "running: {name} is connected, last contact {age} s ago, interrupted {interruptions} times"
        "运行状态：{name} 已连接，{age} 秒前有响应，中断 {interruptions} 次"
    }
    channel_starts(name) {
        "running: {name} is starting"
        "运行状态：{name} 正在启动"
    }
    channel_is_down(name, status, reason) {
        "running: {name} is {status}: {reason}"
        "运行状态：{name}（{status}）：{reason}"
    }
    channel_fix() {
        "`waiting` heals by itself when its cause is gone; `stopped` needs a restart after its cause is corrected"
        "`waiting` 在原因消除后会自行恢复；`stopped` 需要改正原因后重启"
    }
    embedder_is_away(age, reason) {
        "running: the embedder has not answered for {age} s, and memory is found by words alone: {reason}"
        "运行状态：嵌入模型已有 {age} 秒没有应答，目前只能按词语查找记忆：{reason}"
    }
    running_database_fails() {
        "running: the database does not answer"
        "运行状态：数据库没有应答"
    }
    /// Why it cannot be written.
    running_database_is_not_written(reason) {
        "running: nothing can be stored: {reason}"
        "运行状态：无法写入数据：{reason}"
    }
}

texts! {
    wait_and_retry() {
        "wait some minutes and run `sayso doctor` again; if it stays, look at the service's status page and your quota there"
        "等几分钟再运行 `sayso doctor`；如果仍然如此，请查看服务状态页和你的配额"
    }
    owner(first) {
        "owners: {first}"
        "管理者：{first}"
    }
    owners(first, more) {
        "owners: {first} and {more} more"
        "管理者：{first}，另有 {more} 个"
    }
    first_pairing_makes_owner() {
        "owners: none is configured; the first person with the code that `sayso` prints at its start becomes the owner"
        "管理者：尚未配置；第一个使用 `sayso` 启动时所显示配对码的人将成为管理者"
    }
    owner_was_paired() {
        "owners: none is configured; somebody was paired"
        "管理者：配置中没有；已有人完成配对"
    }
    open_the_link(link) {
        "owners: nobody yet; whoever opens this within an hour becomes the owner: {link}"
        "管理者：尚无；一小时内打开此链接的人将成为管理者：{link}"
    }
    send_the_code(code) {
        "owners: nobody yet; whoever sends the bot `/start {code}` within an hour becomes the owner"
        "管理者：尚无；一小时内向机器人发送 `/start {code}` 的人将成为管理者"
    }
    no_owner_possible() {
        "no owner is configured and pairing is off, so no user can talk to Sayso"
        "没有配置管理者，配对也已关闭，没有人能与 Sayso 对话"
    }
    name_an_owner() {
        "set `access.owners`, such as `[\"telegram:12345\"]`, or `access.pairing = true`"
        "设置 `access.owners`，例如 `[\"telegram:12345\"]`，或 `access.pairing = true`"
    }
    no_provider() {
        "no model is configured"
        "尚未配置模型"
    }
    set_provider() {
        "run `sayso init`, or set `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `DEEPSEEK_API_KEY`"
        "运行 `sayso init`，或设置 `OPENAI_API_KEY`、`ANTHROPIC_API_KEY` 或 `DEEPSEEK_API_KEY`"
    }
    offline_model(name) {
        "model {name}: the built-in offline model; it understands only a few requests"
        "模型 {name}：内置的离线模型，只懂几种请求"
    }
    provider_answers(name, model) {
        "model {name}: the service answers; it is asked for `{model}`"
        "模型 {name}：服务可用，使用 `{model}`"
    }
    provider_answers_by_prompt(name, model) {
        "model {name}: the service answers; it is asked for `{model}`; its template knows no tools, so they are written into the prompt"
        "模型 {name}：服务可用，使用 `{model}`；它的模板不支持工具，所以工具写在提示词里"
    }
    provider_fails(name, error) {
        "model {name}: {error}"
        "模型 {name}：{error}"
    }
    provider_key_fails(name, number, count, error) {
        "model {name}, key {number} of {count}: {error}"
        "模型 {name}，第 {number} 个密钥（共 {count} 个）：{error}"
    }
    found_by_words() {
        "memory: found by words; with `[memory.embedder]` also by meaning"
        "记忆：按词语查找；配置 `[memory.embedder]` 后也能按含义查找"
    }
    found_by_meaning(model, dimension) {
        "memory: found by words and by meaning; `{model}` answers with {dimension} numbers"
        "记忆：按词语和含义查找；`{model}` 可用，向量有 {dimension} 个数"
    }
    embedded_in_parts(model, dimension, error) {
        "memory: found by words and by meaning; `{model}` answers with {dimension} numbers; long memories are embedded in parts, because it refuses them whole: {error}"
        "记忆：按词语和含义查找；`{model}` 可用，向量有 {dimension} 个数；长记忆会分段嵌入，因为它拒绝整段处理：{error}"
    }
    embedder_fails(model, error) {
        "memory: found by words alone, because the embedder `{model}` does not answer: {error}"
        "记忆：目前只能按词语查找，因为嵌入模型 `{model}` 没有应答：{error}"
    }
    embedder_is_unusable(model, error) {
        "memory: Sayso does not start with the embedder `{model}`: {error}"
        "记忆：使用嵌入模型 `{model}` 时 Sayso 无法启动：{error}"
    }
    correct_embedder() {
        "correct `[memory.embedder]`, or take it out: memory is then found by words"
        "请改正 `[memory.embedder]`，或删除该节：之后将按词语查找记忆"
    }
    check_api_key() {
        "check the provider's `api_key`, and that the account behind it may use the model"
        "检查该提供方的 `api_key`，并确认其账户可以使用该模型"
    }
    check_base_url(url) {
        "check the network, the provider's `model`, and its `base_url`: {url} (of kind `openai` it usually ends in `/v1`)"
        "检查网络、该提供方的 `model` 和 `base_url`：{url}（`openai` 类型的地址通常以 `/v1` 结尾）"
    }
    problems(count) {
        "{count} to fix."
        "有 {count} 个问题需要处理。"
    }
    no_problems() {
        "No problems."
        "没有发现问题。"
    }
}
