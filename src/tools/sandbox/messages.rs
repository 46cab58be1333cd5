//! What the sandbox says of itself to the operator, in English and 简体中文.

use sayso_channel::Language;

use super::plan::View;
use super::probe::Check;
use super::self_test::SandboxState;
use crate::policy::Enforced;

impl SandboxState {
    /// Returns what the kernel enforces, and what it does not, in one line.
    pub fn in_words(&self, language: Language) -> String {
        let words = self.enforced_in_words(language);
        match (self.enforced, self.view) {
            (Enforced::Wholly | Enforced::Partly, View::AsItIs) => {
                let but = Check::NoModes.broken(language);
                match language {
                    Language::English => format!("{words}; {but}"),
                    Language::Chinese => format!("{words}；{but}"),
                }
            }
            (Enforced::Wholly | Enforced::Partly, View::ReadOnly) | (Enforced::Nothing, _) => words,
        }
    }

    fn enforced_in_words(&self, language: Language) -> String {
        let broken: Vec<&str> = self
            .broken
            .iter()
            .map(|check| check.broken(language))
            .collect();
        match (self.enforced, language) {
            (Enforced::Wholly, Language::English) => {
                "the kernel confines commands to their workspace, without network, signals or a \
                 look at other processes"
                    .to_owned()
            }
            (Enforced::Wholly, Language::Chinese) => {
                "内核把命令限制在工作区内：没有网络，不能发信号，也看不到其他进程".to_owned()
            }
            (Enforced::Partly, Language::English) => {
                format!(
                    "the kernel confines commands only partly: {}",
                    broken.join("; ")
                )
            }
            (Enforced::Partly, Language::Chinese) => {
                format!("内核只能部分限制命令：{}", broken.join("；"))
            }
            (Enforced::Nothing, _) => self.nothing(&broken, language),
        }
    }

    fn nothing(&self, broken: &[&str], language: Language) -> String {
        let programs = Check::ProgramsRun.broken(language);
        let why = match &self.trouble {
            Some(trouble) => trouble,
            None if self.broken.contains(&Check::ProgramsRun) => programs,
            None if broken.is_empty() => "",
            None => match language {
                Language::English => "it has neither Landlock nor seccomp",
                Language::Chinese => "它没有 Landlock，也没有 seccomp",
            },
        };
        match language {
            Language::English => format!("the kernel does not confine commands: {why}"),
            Language::Chinese => format!("内核没有限制命令：{why}"),
        }
    }
}

impl Check {
    /// Returns what is so when the promise is not kept.
    fn broken(self, language: Language) -> &'static str {
        let (english, chinese) = match self {
            Self::ProgramsRun => ("no program runs in the sandbox", "沙箱里无法运行程序"),
            Self::NoWriting => (
                "they can write outside the workspace",
                "能写工作区以外的文件",
            ),
            Self::NoCutting => (
                "they can empty files outside the workspace (needs Linux 6.2)",
                "能清空工作区以外的文件（需要 Linux 6.2）",
            ),
            Self::NoReading => ("they can read private files", "能读取私密文件"),
            Self::NoListing => ("they can list private directories", "能列出私密目录"),
            Self::NoTcp => ("they can use TCP", "能使用 TCP"),
            Self::NoUdp => ("they can use UDP", "能使用 UDP"),
            Self::NoLocalSockets => (
                "they can speak to services of this machine",
                "能连接本机的服务",
            ),
            Self::NoSignals => (
                "they can signal other processes (needs Linux 6.12)",
                "能向其他进程发信号（需要 Linux 6.12）",
            ),
            Self::NoSpying => (
                "they can read the environment of other processes",
                "能读取其他进程的环境变量",
            ),
            Self::NoModes => (
                "for want of namespaces they can change modes, owners and times of files outside",
                "没有命名空间，因此能更改工作区以外文件的权限、属主和时间",
            ),
            Self::NoTracing => ("they can trace other processes", "能跟踪其他进程"),
            Self::NoNamespaces => ("they can make namespaces", "能创建命名空间"),
        };
        match language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::{Check, Enforced, SandboxState, View};

    fn words(enforced: Enforced, broken: &[Check], trouble: Option<&str>) -> String {
        let state = SandboxState {
            enforced,
            broken: broken.to_vec(),
            view: View::ReadOnly,
            trouble: trouble.map(str::to_owned),
        };
        let [english, chinese] =
            [Language::English, Language::Chinese].map(|language| state.in_words(language));
        format!("{english}\n{chinese}")
    }

    #[test]
    fn what_is_missing_is_named() {
        let partly = words(
            Enforced::Partly,
            &[Check::NoCutting, Check::NoSignals],
            None,
        );
        insta::assert_snapshot!(partly, @"
        the kernel confines commands only partly: they can empty files outside the workspace (needs Linux 6.2); they can signal other processes (needs Linux 6.12)
        内核只能部分限制命令：能清空工作区以外的文件（需要 Linux 6.2）；能向其他进程发信号（需要 Linux 6.12）
        ");
        insta::assert_snapshot!(words(Enforced::Wholly, &[], None), @"
        the kernel confines commands to their workspace, without network, signals or a look at other processes
        内核把命令限制在工作区内：没有网络，不能发信号，也看不到其他进程
        ");
    }

    #[test]
    fn the_gap_without_namespaces_is_named() {
        let state = SandboxState {
            enforced: Enforced::Wholly,
            broken: Vec::new(),
            view: View::AsItIs,
            trouble: None,
        };
        insta::assert_snapshot!(state.in_words(Language::English), @"the kernel confines commands to their workspace, without network, signals or a look at other processes; for want of namespaces they can change modes, owners and times of files outside");
    }

    #[test]
    fn nothing_says_why() {
        insta::assert_snapshot!(words(Enforced::Nothing, &[], Some("it took too long")), @"
        the kernel does not confine commands: it took too long
        内核没有限制命令：it took too long
        ");
        insta::assert_snapshot!(words(Enforced::Nothing, &[Check::ProgramsRun], None), @"
        the kernel does not confine commands: no program runs in the sandbox
        内核没有限制命令：沙箱里无法运行程序
        ");
        let without = words(Enforced::Nothing, &[Check::NoReading, Check::NoUdp], None);
        insta::assert_snapshot!(without, @"
        the kernel does not confine commands: it has neither Landlock nor seccomp
        内核没有限制命令：它没有 Landlock，也没有 seccomp
        ");
    }
}
