//! What the command line says, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::Language;

/// Declares texts by their situation: one function each, the two languages side by side.
macro_rules! texts {
    ($(
        $(#[$doc:meta])*
        $name:ident($($argument:ident),*) { $english:literal $chinese:literal }
    )*) => {$(
        $(#[$doc])*
        pub(super) fn $name(language: Language $(, $argument: &dyn Display)*) -> String {
            match language {
                Language::English => format!($english),
                Language::Chinese => format!($chinese),
            }
        }
    )*};
}

texts! {
    /// A file was read.
    configuration_from_file(file) {
        "configuration: {file}"
        "配置：{file}"
    }
    /// A moment that cannot be read.
    unreadable_moment(text) {
        "`{text}` is no moment; write one as `2026-11-18T10:30:00+08:00`"
        "`{text}` 不是有效的时刻；请写成 `2026-11-18T10:30:00+08:00` 的形式"
    }
    /// An instant lies behind the moment that it is seen from.
    time_is_over(at) {
        "over: {at}"
        "已过：{at}"
    }
    /// A span of time.
    time_span(from, until) {
        "from {from} until {until}"
        "从 {from} 到 {until}"
    }
    /// A rule and its next times.
    time_rule(rule, next) {
        "{rule}; next: {next}"
        "{rule}；接下来：{next}"
    }
    /// A text speaks of no time.
    no_time() {
        "no time"
        "没有时间"
    }
    /// A key of another service.
    key_of_anthropic(provider) {
        "warning: provider `{provider}`: a key that begins with `sk-ant-` is Anthropic's; write `kind = \"anthropic\"`"
        "注意：提供方 `{provider}`：以 `sk-ant-` 开头的密钥属于 Anthropic；请写 `kind = \"anthropic\"`"
    }
    /// An address that is probably incomplete.
    address_without_version(provider, address) {
        "warning: provider `{provider}`: the `base_url` of kind `openai` usually ends in `/v1`: `{address}/v1`"
        "注意：提供方 `{provider}`：`openai` 类型的 `base_url` 通常以 `/v1` 结尾：`{address}/v1`"
    }
    /// A value that is not shown.
    hidden_value() {
        "(hidden)"
        "（已隐藏）"
    }
    /// No key has that beginning.
    no_such_key(beginning) {
        "no key that is set begins with `{beginning}`"
        "没有以 `{beginning}` 开头且已设置的键"
    }
    /// The configuration cannot be used.
    refused_configuration(why) {
        "error: {why}"
        "错误：{why}"
    }
    /// An owner changed a key in chat.
    changed_in_chat(key, value) {
        "changed in chat: {key} = {value}"
        "在聊天中修改：{key} = {value}"
    }
    /// The same, and it has no effect.
    dropped_from_chat(key, value, why) {
        "changed in chat, but without effect: {key} = {value}: {why}"
        "在聊天中修改，但不生效：{key} = {value}：{why}"
    }
    /// A file has that name.
    backup_is_there(path) {
        "`{path}` is there already, and no backup takes the place of a file: choose another name"
        "`{path}` 已存在，备份不会覆盖文件：请换一个名称"
    }
    /// Another process is at it.
    backup_is_made(path) {
        "another `sayso backup` is writing `{path}` at this moment"
        "另一个 `sayso backup` 正在写入 `{path}`"
    }
    /// It is there and was read again.
    backup_made(path, rows, files) {
        "`{path}` holds the database ({rows} rows, each page checked) and {files} files of the data directory, each with its digest. It is as secret as the data directory: everything that was said is in it, and the logins of MCP servers. The configuration is not in it, nor are the secrets that stand there"
        "`{path}` 包含数据库（{rows} 行，每一页都已检查）和数据目录中的 {files} 个文件，每个文件都有摘要。它与数据目录同样机密：所有对话以及 MCP 服务器的登录都在其中。配置文件及其中的密钥不在其中"
    }
    /// Files with secrets are not in it.
    backup_without_secrets(paths, more) {
        "Not in it, since secrets of the configuration are read from them: {paths}{more}. Keep them elsewhere: a restore needs them"
        "因存放配置所用的密钥而未包含：{paths}{more}。请另行保管：恢复时需要它们"
    }
    /// The disk is too full for it.
    backup_no_room(path, needed, free) {
        "there is not enough room in `{path}`: the backup needs {needed} MiB, with a reserve, and {free} MiB are free. Nothing was written"
        "`{path}` 空间不足：备份（含预留）需要 {needed} MiB，可用 {free} MiB。未写入任何内容"
    }
    /// Some of it is not in it.
    backup_left_out(paths, more) {
        "Not in it, since they cannot be read: {paths}{more}"
        "因无法读取而未包含：{paths}{more}"
    }
    /// More than are named.
    and_more(count) {
        ", and {count} more"
        "，以及另外 {count} 个"
    }
    /// It would hold itself, or be packed by the next one.
    backup_inside(path, allowed) {
        "`{path}` lies in the data directory, and would be in every later backup: choose a place outside, or `{allowed}`, which is in none"
        "`{path}` 位于数据目录中，会被包含在之后的每个备份里：请选择目录之外的位置，或不会被包含的 `{allowed}`"
    }
    /// There is a data directory.
    restore_not_in_place(path) {
        "`{path}` is there and not empty, and nothing is restored over it: move it away first, or set another `data_dir`"
        "`{path}` 已存在且不为空，不会在其上恢复：请先移走它，或设置另一个 `data_dir`"
    }
    /// The database would lie somewhere else.
    restore_elsewhere(path) {
        "`[store] url` puts the database outside of the data directory, at `{path}`, where nothing is restored: restore with a `url` inside of it"
        "`[store] url` 将数据库放在数据目录之外的 `{path}`，无法在那里恢复：请改用数据目录内的 `url`"
    }
    /// It is there.
    restored(path, rows, files, version) {
        "`{path}` is restored from a backup of Sayso {version}: {rows} rows and {files} files, all checked. What was said since the backup is not known; whatever was being sent then may come twice, marked as such"
        "已从 Sayso {version} 的备份恢复 `{path}`：{rows} 行、{files} 个文件，均已检查。备份之后的对话无从得知；当时正在发送的内容可能会重发一次，并带有标记"
    }
    /// Files with secrets were not in it.
    restored_without_secrets(paths, more) {
        "Not in the backup, since secrets of the configuration are read from them: {paths}{more}. Put them in place before you start Sayso"
        "备份中没有存放配置所用密钥的文件：{paths}{more}。启动 Sayso 前请将它们放回原处"
    }
    /// Some links lead elsewhere.
    restored_without_links(paths, more) {
        "Not restored, since they are links that may lead out of the data directory: {paths}{more}"
        "因可能指向数据目录之外而未恢复的链接：{paths}{more}"
    }
    /// The disk is too full for it.
    restore_no_room(path, needed, free) {
        "there is not enough room for `{path}`: the backup needs {needed} MiB, with a reserve, and {free} MiB are free. Nothing was written"
        "`{path}` 空间不足：恢复（含预留）需要 {needed} MiB，可用 {free} MiB。未写入任何内容"
    }
    /// No MCP server has that name.
    mcp_unknown(name) {
        "no `[[mcp]]` that is enabled is named `{name}`"
        "没有名为 `{name}` 且已启用的 `[[mcp]]`"
    }
    /// There is nothing to log in to.
    mcp_without_login(name) {
        "nobody logs in to `{name}`: it is a program, or is shown the `token` of its `[[mcp]]`"
        "`{name}` 无需登录：它是一个程序，或使用其 `[[mcp]]` 的 `token`"
    }
    /// Where to go.
    mcp_open(address) {
        "open this address in a browser and log in there:\n\n  {address}\n"
        "请在浏览器中打开此地址并登录：\n\n  {address}\n"
    }
    /// What to do when the browser is elsewhere.
    mcp_paste(redirect) {
        "a browser on this machine comes back by itself. One on another machine ends at an address that it cannot open, beginning with {redirect}: copy that address from its address bar and paste it here"
        "本机的浏览器会自动返回。若浏览器在另一台机器上，最后会停在一个打不开、以 {redirect} 开头的地址：请从地址栏复制该地址并粘贴到这里"
    }
    /// What came back is of no login that was begun here.
    mcp_not_ours() {
        "that is not the answer to this login; still waiting"
        "这不是本次登录的返回地址；继续等待"
    }
    /// What the browser shows at the end.
    mcp_browser_done() {
        "This answer has reached Sayso. You can close this page and go back to the terminal."
        "Sayso 已收到。可以关闭此页面，回到终端。"
    }
    /// It worked.
    mcp_logged_in(name) {
        "logged in to `{name}`; if Sayso is running, it goes on within seconds"
        "已登录 `{name}`；若 Sayso 正在运行，几秒内即会继续"
    }
    /// The login timed out.
    mcp_login_too_late(minutes) {
        "nobody logged in within {minutes} minutes; run the command again"
        "{minutes} 分钟内无人登录；请重新运行该命令"
    }
    /// It did not work.
    mcp_login_failed(name, why) {
        "cannot log in to `{name}`: {why}"
        "无法登录 `{name}`：{why}"
    }
    /// Everybody on the way could listen.
    mcp_not_private() {
        "its `url` must begin with `https://`: everybody on the way could read what is said"
        "其 `url` 必须以 `https://` 开头：否则途中任何人都能读取内容"
    }
    /// The service publishes nothing.
    mcp_nothing_said() {
        "it does not say how to log in; if it takes a token, set `token` of its `[[mcp]]`"
        "它没有说明如何登录；若它接受令牌，请设置其 `[[mcp]]` 的 `token`"
    }
    /// One has to be registered by hand.
    mcp_no_registration(redirect) {
        "its authorization server lets nobody register unasked: register Sayso there by hand, with the redirect address {redirect}, and set `client_id` (and `client_secret`, `redirect_port`) of its `[[mcp]]`"
        "其授权服务器不允许自动注册：请手动在那里注册 Sayso，回调地址为 {redirect}，并设置其 `[[mcp]]` 的 `client_id`（以及 `client_secret`、`redirect_port`）"
    }
    /// The person or the authorization server said no.
    mcp_login_refused(why) {
        "the authorization server said no: {why}"
        "授权服务器拒绝了：{why}"
    }
    /// The next description counts.
    mcp_accepted(name) {
        "the tools of `{name}` are taken as the server describes them next; a running Sayso asks it within seconds"
        "`{name}` 的工具将按服务器下一次的描述采用；正在运行的 Sayso 会在几秒内询问它"
    }
    /// Nothing was seen of it yet.
    mcp_never_seen(name) {
        "nothing is known yet of the tools of `{name}`: what it says first is taken"
        "尚不了解 `{name}` 的工具：将采用它首次的描述"
    }
    /// The login is forgotten.
    mcp_logged_out(name) {
        "the login to `{name}` is forgotten here; what it was given stays valid at its authorization server until it ends or is revoked there"
        "本机已忘记 `{name}` 的登录；已发放的令牌在到期或被撤销前，在其授权服务器上仍然有效"
    }
    /// There was none.
    mcp_not_logged_in(name) {
        "there is no login to `{name}`"
        "没有 `{name}` 的登录"
    }
    /// It does not listen, but it has its data directory.
    health_only_runs() {
        "running: how it is, it tells where `[http] listen` names a port, such as \"127.0.0.1:8484\""
        "正在运行：若要得知其状况，请让 `[http] listen` 指定端口，例如 \"127.0.0.1:8484\""
    }
    /// It neither listens nor has its data directory.
    health_runs_not(directory) {
        "no Sayso runs in `{directory}`"
        "没有 Sayso 在 `{directory}` 中运行"
    }
    /// There is no answer at the health endpoint.
    health_is_not_told(address, why) {
        "no Sayso tells its health at {address} (`http.listen`): {why}"
        "{address}（`http.listen`）没有 Sayso 报告健康状况：{why}"
    }
    /// A skill cannot be taken.
    skill_not_taken(source, why) {
        "`{source}` was not taken: {why}"
        "未采用 `{source}`：{why}"
    }
    /// Whether what was shown is to be installed.
    install_skill() {
        "Install it? [y/N]"
        "安装吗？[y/N]"
    }
    /// It is.
    skill_installed(name) {
        "`{name}` is installed"
        "`{name}` 已安装"
    }
    /// It is not.
    skill_left() {
        "nothing was changed"
        "没有任何改动"
    }
    /// What kind of message a text is.
    routing_label(label, confidence, reason) {
        "kind: {label} ({confidence} %): {reason}"
        "类别：{label}（{confidence} %）：{reason}"
    }
    /// There are courtesies alone.
    routing_courtesies() {
        "courtesies alone"
        "只有寒暄"
    }
    /// No skill has a word of it.
    routing_clear_alone() {
        "clear by itself, and no skill has a word of it"
        "意思明确，且与任何 skill 无关"
    }
    /// Phase 1 asks back.
    routing_asked_back() {
        "Phase 1 asks back"
        "Phase 1 需要反问"
    }
    /// No word asks for a task.
    routing_no_task() {
        "no word asks for a task"
        "没有表示任务的词"
    }
    /// Nothing says whether it is about code.
    routing_not_clear() {
        "a task, but of code or not is not clear"
        "是一项任务，但不能确定是否与代码有关"
    }
    /// The rules would load nothing.
    routing_direct() {
        "the rules would load no skill"
        "规则不会加载 skill"
    }
    /// The rules would load skills.
    routing_skills(skills) {
        "the rules would load: {skills}"
        "规则会加载：{skills}"
    }
    /// The text asks for something of a kind.
    routing_intent(intent, words) {
        "it asks for {intent}: {words}"
        "意图 {intent}：{words}"
    }
    /// The text has words of a name.
    routing_name(words) {
        "its name: {words}"
        "名称：{words}"
    }
    /// The text has words of a description.
    routing_description(words) {
        "its description: {words}"
        "描述：{words}"
    }
    /// The text is like messages that needed the skill.
    routing_examples() {
        "like messages that needed it"
        "类似于需要它的消息"
    }
    /// There is no file.
    configuration_from_environment() {
        "configuration: no file, only the environment and the defaults"
        "配置：没有文件，只有环境变量和默认值"
    }
    /// Commands are judged by a configuration.
    judged_by(from, level, role, rules, sandbox) {
        "judged by {from}: level `{level}`, role `{role}`, command rules: {rules}; {sandbox}"
        "判断依据 {from}：级别 `{level}`，身份 `{role}`，命令规则 {rules} 条；{sandbox}"
    }
    /// There is no file.
    the_defaults() {
        "the environment and the defaults"
        "环境变量和默认值"
    }
    /// Commands are not confined, because the configuration disables the sandbox.
    sandbox_is_off() {
        "the sandbox is `off`"
        "沙箱为 `off`"
    }
    /// Something is wrong with a skill that is still loaded, or could be better.
    skill_warning(what) {
        "warning: {what}"
        "警告：{what}"
    }
    /// Skills were checked.
    skills_checked(skills, faulty, warnings) {
        "{skills} checked: {faulty} with errors, {warnings} with nothing but warnings"
        "检查了 {skills} 个：{faulty} 个有错误，{warnings} 个只有警告"
    }
    /// There is no skill.
    no_skills(place) {
        "no `SKILL.md` in `{place}` or below it"
        "`{place}` 及其下没有 `SKILL.md`"
    }
    /// The place of skills cannot be read.
    skills_unreadable(place, why) {
        "cannot read `{place}`: {why}"
        "无法读取 `{place}`：{why}"
    }
    /// Nothing was written down yet.
    audit_is_empty() {
        "ok: the audit has no entries yet"
        "正常：审计中还没有条目"
    }
    /// The audit is what was written.
    audit_holds(count, payloads, file) {
        "ok: {count} entries, {payloads} with what they are about; the database and `{file}` agree"
        "正常：{count} 条记录，其中 {payloads} 条保留了内容；数据库与 `{file}` 一致"
    }
    /// What proves later that nothing was cut off.
    audit_head(seq, hash) {
        "head: {seq}:{hash}\n\
         hint: note this line somewhere else; `sayso audit verify --head …` finds out when the end was cut off everywhere."
        "末条：{seq}:{hash}\n\
         提示：请把这一行记在别处；若末尾在各处都被截掉，`sayso audit verify --head …` 能够发现。"
    }
    /// The audit is not what was written.
    audit_is_broken(what, file) {
        "BROKEN: {what}\n(file: `{file}`)"
        "已损坏：{what}\n（文件：`{file}`）"
    }
    /// The words of an account were erased.
    audit_forgotten(count, account) {
        "erased what {count} entries of `{account}` are about; the entries stay, and the chain still holds"
        "已清除 `{account}` 的 {count} 条记录的内容；记录本身保留，校验链仍然有效"
    }
    /// The account is unknown.
    unknown_account(account) {
        "no account `{account}` is known; it is written as in the configuration, such as `telegram:12345`"
        "没有账号 `{account}`；写法与配置文件相同，例如 `telegram:12345`"
    }
    /// A terminal chat without a model.
    chat_is_offline() {
        "No model is configured, so the built-in offline model answers; it understands only a few requests.\n\
         hint: set `OPENAI_API_KEY`, or run `sayso init` to set up a model and Telegram."
        "尚未配置模型，现在由内置的离线模型回答，它只懂几种请求。\n\
         提示：设置 `OPENAI_API_KEY`，或运行 `sayso init` 配置模型和 Telegram。"
    }
}
