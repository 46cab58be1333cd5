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
    /// Nothing confines commands, since nobody wants it.
    sandbox_is_off() {
        "the sandbox is `off`"
        "沙箱为 `off`"
    }
    /// Something is wrong with a skill that is loaded all the same, or could be better.
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
    /// Nobody has this account.
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
