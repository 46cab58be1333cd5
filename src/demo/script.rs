//! What is typed in the tour.

use sayso_channel::Language;

/// What stands above the tour.
pub fn opening(language: Language) -> &'static str {
    match language {
        Language::English => {
            "A tour of Sayso on the offline model: no network, no account. What you would type is typed for you."
        }
        Language::Chinese => {
            "Sayso 导览，使用离线模型：不需要网络和账号。要输入的内容已经替你写好。"
        }
    }
}

/// The lines of the tour, in order: a greeting, a clarification and its answer, a command that is
/// approved, one that is denied, one that is always allowed and then runs unasked, memory, grants.
pub fn lines(language: Language) -> &'static [&'static str] {
    match language {
        Language::English => &[
            "hello",
            "how do I write a good git commit?",
            "do it",
            "1",
            "run echo hello from the shell",
            "y",
            "run rm -rf important-directory",
            "n",
            "run date -u +%Y",
            "a",
            "run date -u +%Y",
            "/grants",
            "remember that my favourite tea is oolong",
            "what do you remember about tea?",
        ],
        Language::Chinese => &[
            "你好",
            "git 提交信息怎么写？",
            "弄一下",
            "1",
            "运行 echo 来自命令行的问候",
            "y",
            "运行 rm -rf important-directory",
            "n",
            "运行 date -u +%Y",
            "a",
            "运行 date -u +%Y",
            "/grants",
            "记住我最喜欢的茶是乌龙茶",
            "你记得我喜欢什么茶吗？",
        ],
    }
}
