//! What is said of commands: to the model in English, to people in their language.

use super::justification::Justification;
use super::portable_syntax::Ambiguity;
use super::script::Unreadable;
use crate::access::Access;

/// How many characters of somebody's text a reason quotes.
const QUOTED_CHARACTERS: usize = 60;

fn both(en: String, zh: String) -> Justification {
    Justification { en, zh }
}

/// Quotes somebody's text on one line, so that it can neither close its quotation nor hide
/// anything. A long one is cut with an ellipsis: the whole command stands elsewhere.
pub fn quoted(text: &str) -> String {
    let mut letters = text.trim().chars();
    let mut shown = String::from("`");
    for letter in letters.by_ref().take(QUOTED_CHARACTERS) {
        match letter {
            '`' => shown.push('\''),
            '\'' | '"' | '\\' => shown.push(letter),
            _ => shown.extend(letter.escape_debug()),
        }
    }
    if letters.next().is_some() {
        shown.push('…');
    }
    shown.push('`');
    shown
}

/// The tool was called with more access than the text of the command needs.
pub(crate) fn asks_for(access: Access) -> Justification {
    match access {
        Access::Workspace => only_reads(),
        Access::Network => both(
            "it asks for the network".to_owned(),
            "它要求联网".to_owned(),
        ),
        Access::System => both(
            "it asks to run outside its confinement".to_owned(),
            "它要求不受限制地运行".to_owned(),
        ),
    }
}

/// A rule allows the command, which does not free what reaches this far.
pub(crate) fn reaches(access: Access) -> Justification {
    match access {
        Access::Workspace => only_reads(),
        Access::Network => both("it uses the network".to_owned(), "它会使用网络".to_owned()),
        Access::System => both(
            "it reaches outside the workspace".to_owned(),
            "它会触及工作区之外".to_owned(),
        ),
    }
}

pub(crate) fn is_unconfined() -> Justification {
    both(
        "its text is harmless, but not everything confines what it starts".to_owned(),
        "其文本无害，但它启动的内容没有受到完全限制".to_owned(),
    )
}

pub(crate) fn only_reads() -> Justification {
    both(
        "it only reads, inside the workspace".to_owned(),
        "它只在工作区内读取".to_owned(),
    )
}

pub(crate) fn nothing_to_run() -> Justification {
    both(
        "there is no command in it that could be judged".to_owned(),
        "其中没有可以判断的命令".to_owned(),
    )
}

pub(crate) fn unreadable(why: Unreadable) -> Justification {
    match why {
        Unreadable::TooMuch => both(
            "it is too long or nested too deep to be judged".to_owned(),
            "它太长或嵌套太深，无法判断".to_owned(),
        ),
        Unreadable::NotAScript => both(
            "it cannot be read as a shell command".to_owned(),
            "无法把它解读为 shell 命令".to_owned(),
        ),
        Unreadable::Ambiguous(what) => ambiguous(what),
    }
}

pub(crate) fn rules_are_broken() -> Justification {
    both(
        "the command rules cannot be used".to_owned(),
        "命令规则无法使用".to_owned(),
    )
}

pub(crate) fn unknown_program(program: &str) -> Justification {
    let program = quoted(program);
    both(
        format!("{program} is not known to only read"),
        format!("不能确定 {program} 只是读取"),
    )
}

pub(crate) fn unknown_subcommand(program: &str) -> Justification {
    let program = quoted(program);
    both(
        format!("this use of {program} is not known to only read"),
        format!("不能确定 {program} 的这种用法只是读取"),
    )
}

pub(crate) fn unknown_option(program: &str, option: &str) -> Justification {
    let option = quoted(option);
    let program = quoted(program);
    both(
        format!("{option} of {program} is not known to be harmless"),
        format!("不能确定 {program} 的 {option} 是无害的"),
    )
}

pub(crate) fn not_literal(word: &str) -> Justification {
    let word = quoted(word);
    both(
        format!("what the shell makes of {word} is not certain"),
        format!("无法确定 shell 会把 {word} 变成什么"),
    )
}

/// A file in the workspace tells the program what to load or run.
pub(crate) fn obeys_settings(program: &str) -> Justification {
    let program = quoted(program);
    both(
        format!("the workspace may have settings that tell {program} what to run"),
        format!("工作区中可能有设置会决定 {program} 运行什么"),
    )
}

/// A directory that came with a clone can be a repository of its own, whose configuration names
/// programs to run.
pub(crate) fn in_another_repository() -> Justification {
    both(
        "it would read another repository, whose settings may name programs to run".to_owned(),
        "它会读取另一个仓库，而那里的设置可能指定要运行的程序".to_owned(),
    )
}

pub(crate) fn by_its_path(program: &str) -> Justification {
    let program = quoted(program);
    both(
        format!("{program} is a program named by its path"),
        format!("{program} 是用路径指定的程序"),
    )
}

pub(crate) fn outside(path: &str) -> Justification {
    let path = quoted(path);
    both(
        format!("{path} may be outside the workspace"),
        format!("{path} 可能在工作区之外"),
    )
}

pub(crate) fn keeps_secrets(path: &str) -> Justification {
    let path = quoted(path);
    both(
        format!("{path} looks like a file that keeps secrets"),
        format!("{path} 看起来是存放机密的文件"),
    )
}

pub(crate) fn writes(path: &str) -> Justification {
    let path = quoted(path);
    both(
        format!("its output is written to {path}"),
        format!("它的输出会写入 {path}"),
    )
}

pub(crate) fn sends_to(host: Option<&str>) -> Justification {
    match host.map(quoted) {
        Some(host) => both(
            format!("it sends data to {host}"),
            format!("它会向 {host} 发送数据"),
        ),
        None => both(
            "it sends data to another machine".to_owned(),
            "它会向其他机器发送数据".to_owned(),
        ),
    }
}

pub(crate) fn deletes(word: &str) -> Justification {
    let word = quoted(word);
    both(
        format!("it may delete something for good, as {word} says"),
        format!("从 {word} 看，它可能永久删除内容"),
    )
}

pub(crate) fn overwrites_device(path: &str) -> Justification {
    let path = quoted(path);
    both(
        format!("writing to {path} destroys what is on it"),
        format!("写入 {path} 会毁掉其中的内容"),
    )
}

pub(crate) fn sets_variable(name: &str) -> Justification {
    let name = quoted(name);
    both(
        format!("{name} is set before it, which may change what it runs"),
        format!("命令前设置了 {name}，可能改变实际执行的内容"),
    )
}

pub(crate) fn structure() -> Justification {
    both(
        "it is more than a list of commands: a group, loop, condition or test".to_owned(),
        "它不只是一串命令：含有分组、循环、条件或测试".to_owned(),
    )
}

/// Shells would run different commands.
pub(crate) fn ambiguous(what: Ambiguity) -> Justification {
    match what {
        Ambiguity::HereDocument => both(
            "shells differ in where its here-document ends".to_owned(),
            "不同的 shell 对其中 here-document 的结束位置有不同的解读".to_owned(),
        ),
        Ambiguity::Continuation => both(
            "shells differ in how they join its lines that end with a backslash".to_owned(),
            "不同的 shell 对其中以反斜杠结尾的行有不同的拼接方式".to_owned(),
        ),
        Ambiguity::Quoting => both(
            "shells differ in where its quoted text ends".to_owned(),
            "不同的 shell 对其中引号的结束位置有不同的解读".to_owned(),
        ),
        Ambiguity::Redirection => both(
            "shells differ in how they read one of its redirections".to_owned(),
            "不同的 shell 对其中的重定向有不同的解读".to_owned(),
        ),
        Ambiguity::ControlCharacter => both(
            "it has a control character, which shells read differently".to_owned(),
            "其中有控制字符，不同的 shell 对它有不同的解读".to_owned(),
        ),
        Ambiguity::Syntax => both(
            "shells may read a part of it differently".to_owned(),
            "不同的 shell 对其中一部分可能有不同的解读".to_owned(),
        ),
    }
}

pub(crate) fn background() -> Justification {
    both(
        "a part of it goes on in the background, and is ended when the rest has ended".to_owned(),
        "其中一部分转入后台，其余部分结束时会被一并终止".to_owned(),
    )
}

pub(crate) fn function() -> Justification {
    both(
        "it defines a function".to_owned(),
        "它定义了一个函数".to_owned(),
    )
}

pub(crate) fn fork_bomb() -> Justification {
    both(
        "its function starts itself again and again until the machine stands still".to_owned(),
        "其中的函数会不断启动自身，直到机器瘫痪".to_owned(),
    )
}

pub(crate) fn substitution() -> Justification {
    both(
        "a part of it is the output of another command".to_owned(),
        "其中一部分是另一条命令的输出".to_owned(),
    )
}

pub(crate) fn takes_input(program: &str) -> Justification {
    let program = quoted(program);
    both(
        format!("{program} takes the words of a command from its input"),
        format!("{program} 从输入中取得命令的参数"),
    )
}

pub(crate) fn wraps(program: &str) -> Justification {
    let program = quoted(program);
    both(
        format!("{program} starts what its words name, and that cannot be judged here"),
        format!("{program} 会启动其参数指定的内容，这里无法判断"),
    )
}

pub(crate) fn acts_in_language(program: &str) -> Justification {
    let program = quoted(program);
    both(
        format!("the operation of {program} is not on the read-only list"),
        format!("不能确定 {program} 要执行的内容只是读取"),
    )
}

pub(crate) fn feeds_a_shell(program: &str) -> Justification {
    let program = quoted(program);
    both(
        format!("{program} runs what comes out of the command before it"),
        format!("{program} 会执行前一条命令的输出"),
    )
}
