//! What is said of skills to who writes them, in English and 简体中文.

use std::fmt::Display;

use sayso_channel::Language;
use sayso_core::visible::visible_line;

use super::content::{BYTES, FILES};
use super::folder::FILE_BYTES;
use super::front_matter::{KEYS, MOST_STEPS, NAME_CHARS};
use super::problem::{Problem, Refusal, Unmet};
use super::requirements::SYSTEMS;

/// How many names of skills are listed.
const SEVERAL: usize = 20;

/// Says what is wrong, and what is allowed.
pub fn problem(problem: &Problem, language: Language) -> String {
    match problem {
        Problem::Unreadable(why) => unreadable(language, why),
        Problem::TooLarge => too_large(language),
        Problem::NotText => not_text(language),
        Problem::NoFrontMatter => no_front_matter(language),
        Problem::NotClosed => not_closed(language),
        Problem::Yaml(what) => yaml(language, what),
        Problem::Twice(key) => twice(language, key),
        Problem::Missing(key) => missing(language, key),
        Problem::BadName(name) => bad_name(language, name),
        Problem::AllowedTools => allowed_tools(language),
        Problem::Metadata => metadata(language),
        Problem::OtherLetters { written, name } => other_letters(language, written, name),
        Problem::ListForText(key) => list_for_text(language, key),
        Problem::NameTaken { name, folder } => name_taken(language, name, folder),
        Problem::Hyphens(name) => hyphens(language, name),
        Problem::OtherFolder { name, folder } => other_folder(language, name, folder),
        Problem::TooLong { key, length, limit } => too_long(language, key, length, limit),
        Problem::UnknownSystem(system) => {
            unknown_system(language, system, &listed(&SYSTEMS, language))
        }
        Problem::BadSteps(written) => bad_steps(language, written, &MOST_STEPS),
        Problem::LeadsOut(path) => leads_out(language, path),
        Problem::NoSuchFile(path) => no_such_file(language, path),
        Problem::UnknownKey(key) => unknown_key(language, key, &listed(&KEYS, language)),
        Problem::NestedMetadata(key) => nested_metadata(language, key),
        Problem::NoTrigger(key) => no_trigger(language, key),
        Problem::NoText => no_text(language),
        Problem::LongText(lines) => long_text(language, lines),
        Problem::Unmet(Unmet::Program(name)) => no_program(language, name),
        Problem::Unmet(Unmet::Variable(name)) => no_variable(language, name),
        Problem::Unmet(Unmet::System(names)) => other_system(language, names),
        Problem::NotApproved(file) => not_approved(language, file),
    }
}

/// Says why a third-party skill is not taken.
pub fn refusal(refusal: &Refusal, language: Language) -> String {
    match refusal {
        Refusal::NoSource => no_source(language),
        Refusal::NotHere => not_here(language),
        Refusal::NotFetched(why) => not_fetched(language, why),
        Refusal::NoFormat => no_format(language),
        Refusal::NoSkill => no_skill(language),
        Refusal::Several(names) => {
            let shown: Vec<&str> = names.iter().take(SEVERAL).map(String::as_str).collect();
            several(language, &names.len(), &listed(&shown, language))
        }
        Refusal::Unreadable(why) => not_read(language, why),
        Refusal::NoPlainFile(path) => no_plain_file(language, &visible_line(path)),
        Refusal::LeadsOut(path) => path_leads_out(language, &visible_line(path)),
        Refusal::Twice(path) => file_twice(language, &visible_line(path)),
        Refusal::TooLarge => skill_too_large(language),
        Refusal::TooManyFiles => too_many_files(language),
        Refusal::TooDeep => too_deep(language),
        Refusal::Bomb => bomb(language),
        Refusal::Encrypted(path) => encrypted(language, &visible_line(path)),
        Refusal::BrokenArchive(why) => broken_archive(language, why),
        Refusal::VersionControl => version_control(language),
        Refusal::NotKept(why) => not_kept(language, why),
        Refusal::Changed => changed(language),
        Refusal::Skill(finding) => {
            let what = problem(&finding.problem, language);
            in_skill_file(language, &finding.line, &visible_line(&what))
        }
    }
}

fn listed(names: &[&str], language: Language) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match language {
        Language::English => names.join(", "),
        Language::Chinese => names.join("、"),
    }
}

/// Declares texts by their situation: one function each, the two languages side by side.
macro_rules! texts {
    ($($name:ident($($argument:ident),*) { $english:literal $chinese:literal })*) => {$(
        fn $name(language: Language $(, $argument: &dyn Display)*) -> String {
            match language {
                Language::English => format!($english),
                Language::Chinese => format!($chinese),
            }
        }
    )*};
}

texts! {
    unreadable(why) {
        "the file cannot be read: {why}"
        "无法读取文件：{why}"
    }
    too_large() {
        "the file has more than {FILE_BYTES} bytes"
        "文件超过 {FILE_BYTES} 字节"
    }
    not_text() {
        "the file is not UTF-8 text"
        "文件不是 UTF-8 文本"
    }
    no_front_matter() {
        "a skill begins with `---`, `name: ...`, `description: ...`, `---`"
        "技能文件须以 `---`、`name: ...`、`description: ...`、`---` 开头"
    }
    not_closed() {
        "the front matter is not closed: a second line `---` is missing"
        "文件头没有结束：缺少第二行 `---`"
    }
    yaml(what) {
        "the front matter cannot be read: {what}; it is YAML, and a value with `: ` or ` #` in it stands in quotes"
        "文件头无法解析：{what}；它是 YAML，含有 `: ` 或 ` #` 的值须加引号"
    }
    twice(key) {
        "`{key}` is there twice; each key stands once"
        "`{key}` 出现了两次，每个键只能出现一次"
    }
    missing(key) {
        "`{key}` is missing; it must be there and say something"
        "缺少 `{key}`，它必须存在且不能为空"
    }
    bad_name(name) {
        "`name` is `{name}`; it takes 1-{NAME_CHARS} of a-z, 0-9 and `-`"
        "`name` 是 `{name}`；只能是 1-{NAME_CHARS} 个 a-z、0-9 和 `-`"
    }
    other_letters(written, name) {
        "`name` is `{written}`; it takes a-z, 0-9 and `-`, so the skill is loaded as `{name}`"
        "`name` 是 `{written}`；只能使用 a-z、0-9 和 `-`，因此以 `{name}` 加载"
    }
    list_for_text(key) {
        "`{key}` is a list; it is read as one text"
        "`{key}` 是列表；将作为一段文本读取"
    }
    name_taken(name, folder) {
        "the skill in the folder `{folder}` comes before it and is called `{name}` as well; give one of them another name"
        "文件夹 `{folder}` 中的技能排在前面，名称也是 `{name}`；请为其中一个改名"
    }
    allowed_tools() {
        "`allowed-tools` is neither words between spaces nor a list of words"
        "`allowed-tools` 须是以空格分隔的词，或词的列表"
    }
    metadata() {
        "`metadata` is not a map; it takes keys with texts"
        "`metadata` 须是键和文本组成的映射"
    }
    hyphens(name) {
        "`name` is `{name}`; `-` stands between letters or digits, and one at a time"
        "`name` 是 `{name}`；`-` 只能单个出现在字母或数字之间"
    }
    other_folder(name, folder) {
        "`name` is `{name}` and the folder `{folder}`; they must be the same"
        "`name` 是 `{name}`，文件夹是 `{folder}`；两者须相同"
    }
    too_long(key, length, limit) {
        "`{key}` has {length} characters; it takes at most {limit}"
        "`{key}` 有 {length} 个字符，最多 {limit} 个"
    }
    unknown_system(system, known) {
        "`sayso-os` names `{system}`; it takes {known}"
        "`sayso-os` 中有 `{system}`；可用的是 {known}"
    }
    bad_steps(written, most) {
        "`sayso-steps` is `{written}`, but must be a whole number from 1 to {most}"
        "`sayso-steps` 是 `{written}`，但必须是 1 到 {most} 的整数"
    }
    leads_out(path) {
        "`{path}` leads out of the skill's folder; only files in it are read"
        "`{path}` 指向技能文件夹之外；只读取文件夹内的文件"
    }
    no_such_file(path) {
        "`{path}` is not in the skill's folder"
        "技能文件夹里没有 `{path}`"
    }
    unknown_key(key, known) {
        "`{key}` is no key of the format and is not read; there are {known}, and what else there is to say goes below `metadata`"
        "`{key}` 不是规范中的键，不会被读取；可用的键有 {known}，其他内容请写在 `metadata` 下"
    }
    nested_metadata(key) {
        "`{key}` in `metadata` is not a text; the format has texts only"
        "`metadata` 中的 `{key}` 不是文本；规范只允许文本"
    }
    no_trigger(key) {
        "`{key}` does not say when to load the skill; write it as `what it is (load when ...)`"
        "`{key}` 没有说明何时加载；请写成 `是什么（何时加载）`"
    }
    no_text() {
        "there is no text below the front matter"
        "文件头之后没有正文"
    }
    long_text(lines) {
        "the text has {lines} lines; beyond 500 they belong into files that are read when needed (`references/`)"
        "正文有 {lines} 行；超过 500 行的内容请放进按需读取的文件（`references/`）"
    }
    no_program(name) {
        "it cannot be used here: it needs the program `{name}`, which is not in PATH"
        "在这里无法使用：需要程序 `{name}`，但 PATH 中没有"
    }
    no_variable(name) {
        "it cannot be used here: it needs the variable `{name}`, which is not set"
        "在这里无法使用：需要环境变量 `{name}`，但没有设置"
    }
    other_system(names) {
        "it cannot be used here: it is for {names}"
        "在这里无法使用：它用于 {names}"
    }
    not_approved(file) {
        "`{file}` is not what an owner approved; it is not read until one approves it as it is"
        "`{file}` 与管理者批准的内容不同；重新批准之前不会读取"
    }
    no_source() {
        "there is nothing of that name"
        "没有这个名称的内容"
    }
    not_here() {
        "a repository of this machine is named at its terminal only: `sayso skills install file:///PATH`"
        "本机上的仓库只能在其终端指定：`sayso skills install file:///路径`"
    }
    not_fetched(why) {
        "it cannot be fetched: {why}"
        "无法获取：{why}"
    }
    no_format() {
        "it is neither a folder nor an archive that I read (.zip, .tar, .tar.gz, .tgz)"
        "它不是文件夹，也不是支持的压缩包（.zip、.tar、.tar.gz、.tgz）"
    }
    no_skill() {
        "there is no `SKILL.md` in it"
        "其中没有 `SKILL.md`"
    }
    several(count, names) {
        "there are {count} skills in it: {names}; name one as `SOURCE#NAME`"
        "其中有 {count} 个技能：{names}；请写成 `来源#名称` 指定一个"
    }
    not_read(why) {
        "it cannot be read: {why}"
        "无法读取：{why}"
    }
    no_plain_file(path) {
        "`{path}` is no plain file; a skill has files and folders only"
        "`{path}` 不是普通文件；技能只能包含文件和文件夹"
    }
    path_leads_out(path) {
        "`{path}` leads out of the skill"
        "`{path}` 指向技能之外"
    }
    file_twice(path) {
        "`{path}` is in it twice"
        "`{path}` 出现了两次"
    }
    skill_too_large() {
        "it is too large; all files of a skill have {BYTES} bytes at most"
        "太大；一个技能的所有文件最多 {BYTES} 字节"
    }
    too_many_files() {
        "it has too many files; a skill has {FILES} at most"
        "文件太多；一个技能最多 {FILES} 个文件"
    }
    too_deep() {
        "its folders lie too deep in each other"
        "文件夹嵌套太深"
    }
    bomb() {
        "the archive unpacks to far more than it packs, as one does that is to fill a machine"
        "压缩包解压后远大于自身，像是用来占满机器的"
    }
    encrypted(path) {
        "`{path}` needs a password, so nobody could look into it"
        "`{path}` 需要密码，无法审查"
    }
    broken_archive(why) {
        "the archive cannot be read: {why}"
        "无法读取压缩包：{why}"
    }
    version_control() {
        "it lies beside a `.git`, which nobody reads over; remove that, or install the skill from there: `/skills install PATH`"
        "它的文件夹里有 `.git`，其内容无法审查；请删除它，或从该处安装：`/skills install 路径`"
    }
    not_kept(why) {
        "its files cannot be kept here: {why}"
        "无法在这里保存它的文件：{why}"
    }
    changed() {
        "its files are not what was shown any more"
        "文件已与展示的内容不同"
    }
    in_skill_file(line, what) {
        "`SKILL.md`, line {line}: {what}"
        "`SKILL.md` 第 {line} 行：{what}"
    }
}
