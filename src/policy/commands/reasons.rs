//! What is said of commands: to the model in English, to people in their language.

use super::script::Unreadable;
use super::verdict::Justification;

fn both(en: String, zh: String) -> Justification {
    Justification { en, zh }
}

pub fn only_reads() -> Justification {
    both(
        "it only reads, inside the workspace".to_owned(),
        "它只在工作区内读取".to_owned(),
    )
}

pub fn nothing_to_run() -> Justification {
    both(
        "there is no command in it that could be judged".to_owned(),
        "其中没有可以判断的命令".to_owned(),
    )
}

pub fn unreadable(why: Unreadable) -> Justification {
    match why {
        Unreadable::TooMuch => both(
            "it is too long or nested too deep to be judged".to_owned(),
            "它太长或嵌套太深，无法判断".to_owned(),
        ),
        Unreadable::NotAScript => both(
            "it cannot be read as a shell command".to_owned(),
            "无法把它解读为 shell 命令".to_owned(),
        ),
    }
}

pub fn rules_are_broken() -> Justification {
    both(
        "the command rules cannot be used".to_owned(),
        "命令规则无法使用".to_owned(),
    )
}

pub fn unknown_program(program: &str) -> Justification {
    both(
        format!("`{program}` is not known to only read"),
        format!("不能确定 `{program}` 只是读取"),
    )
}

pub fn unknown_subcommand(program: &str) -> Justification {
    both(
        format!("this use of `{program}` is not known to only read"),
        format!("不能确定 `{program}` 的这种用法只是读取"),
    )
}

pub fn unknown_option(program: &str, option: &str) -> Justification {
    both(
        format!("`{option}` of `{program}` is not known to be harmless"),
        format!("不能确定 `{program}` 的 `{option}` 是无害的"),
    )
}

pub fn not_literal(word: &str) -> Justification {
    both(
        format!("what the shell makes of `{word}` is not certain"),
        format!("无法确定 shell 会把 `{word}` 变成什么"),
    )
}

/// A directory that came with a clone can be a repository of its own, whose configuration names
/// programs to run.
pub fn in_another_repository() -> Justification {
    both(
        "it would read another repository, whose settings may name programs to run".to_owned(),
        "它会读取另一个仓库，而那里的设置可能指定要运行的程序".to_owned(),
    )
}

pub fn by_its_path(program: &str) -> Justification {
    both(
        format!("`{program}` is a program named by its path"),
        format!("`{program}` 是用路径指定的程序"),
    )
}

pub fn outside(path: &str) -> Justification {
    both(
        format!("`{path}` may be outside the workspace"),
        format!("`{path}` 可能在工作区之外"),
    )
}

pub fn keeps_secrets(path: &str) -> Justification {
    both(
        format!("`{path}` looks like a file that keeps secrets"),
        format!("`{path}` 看起来是存放机密的文件"),
    )
}

pub fn writes(path: &str) -> Justification {
    both(
        format!("its output is written to `{path}`"),
        format!("它的输出会写入 `{path}`"),
    )
}

pub fn overwrites_device(path: &str) -> Justification {
    both(
        format!("writing to `{path}` destroys what is on it"),
        format!("写入 `{path}` 会毁掉其中的内容"),
    )
}

pub fn sets_variable(name: &str) -> Justification {
    both(
        format!("`{name}` is set before it, which may change what it runs"),
        format!("命令前设置了 `{name}`，可能改变实际执行的内容"),
    )
}

pub fn structure() -> Justification {
    both(
        "it is more than a list of commands: a group, loop, condition or test".to_owned(),
        "它不只是一串命令：含有分组、循环、条件或测试".to_owned(),
    )
}

pub fn background() -> Justification {
    both(
        "a part of it goes on in the background".to_owned(),
        "其中一部分会在后台继续运行".to_owned(),
    )
}

pub fn function() -> Justification {
    both(
        "it defines a function".to_owned(),
        "它定义了一个函数".to_owned(),
    )
}

pub fn fork_bomb() -> Justification {
    both(
        "its function starts itself again and again until the machine stands still".to_owned(),
        "其中的函数会不断启动自身，直到机器瘫痪".to_owned(),
    )
}

pub fn substitution() -> Justification {
    both(
        "a part of it is the output of another command".to_owned(),
        "其中一部分是另一条命令的输出".to_owned(),
    )
}

pub fn takes_input(program: &str) -> Justification {
    both(
        format!("`{program}` takes the words of a command from its input"),
        format!("`{program}` 从输入中取得命令的参数"),
    )
}

pub fn wraps(program: &str) -> Justification {
    both(
        format!("`{program}` starts what its words name, and that cannot be judged here"),
        format!("`{program}` 会启动其参数指定的内容，这里无法判断"),
    )
}

pub fn acts_in_language(program: &str) -> Justification {
    both(
        format!("what `{program}` is told to do is not known to only read"),
        format!("不能确定 `{program}` 要执行的内容只是读取"),
    )
}

pub fn feeds_a_shell(program: &str) -> Justification {
    both(
        format!("`{program}` runs what comes out of the command before it"),
        format!("`{program}` 会执行前一条命令的输出"),
    )
}
