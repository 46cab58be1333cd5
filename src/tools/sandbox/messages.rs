//! What the sandbox says of itself to the operator, in English and 简体中文.

use sayso_core::{Language, text};
use sayso_policy::Enforced;

use super::kernel_restriction::KernelRestriction;
use super::namespaces::Namespace;
use super::probe::Check;
use super::profile::View;
use super::self_test::SandboxState;

impl SandboxState {
    /// Returns what the kernel enforces, and what it does not, in one line.
    pub fn in_words(&self, language: Language) -> String {
        let words = self.enforced_in_words(language);
        if self.enforced == Enforced::Nothing {
            return words;
        }
        let parts = [
            Some(words),
            self.readers_in_words(language),
            self.own_in_words(language),
            self.gaps_in_words(language),
            self.counted_by_kernel
                .then(|| text!(language, "sandbox-state-in-words").to_owned()),
            self.restriction
                .map(|restriction| restriction.in_words(language)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(text!(language, "list-sentences"))
    }

    /// Returns what commands that run unasked cannot do besides.
    fn readers_in_words(&self, language: Language) -> Option<String> {
        if self.broken.contains(&Check::ReadersKeepAttributes) {
            return None;
        }
        Some(text!(language, "sandbox-state-readers-in-words").to_owned())
    }

    /// Returns which namespaces commands have of their own.
    fn own_in_words(&self, language: Language) -> Option<String> {
        let mounts = (self.view == View::ReadOnly).then_some(Namespace::Mounts);
        let own = mounts.into_iter().chain(self.apart.iter().copied());
        let names: Vec<&str> = own.map(|own| own.name(language)).collect();
        if names.is_empty() {
            return None;
        }
        Some(text!(
            language,
            "sandbox-state-own-in-words",
            names = names.join(text!(language, "list-names"))
        ))
    }

    /// Returns what they can do for want of namespaces.
    fn gaps_in_words(&self, language: Language) -> Option<String> {
        let processes = Check::Apart(Namespace::Processes);
        let gaps = [
            (self.view == View::AsItIs).then_some(Check::NoModes),
            (!self.apart.contains(&Namespace::Processes)).then_some(processes),
        ];
        let gaps: Vec<&str> = gaps
            .into_iter()
            .flatten()
            .map(|check| check.broken(language))
            .collect();
        if gaps.is_empty() {
            return None;
        }
        Some(text!(
            language,
            "sandbox-state-gaps-in-words",
            gaps = gaps.join(text!(language, "sandbox-state-between-gaps"))
        ))
    }

    fn enforced_in_words(&self, language: Language) -> String {
        let broken: Vec<&str> = self
            .broken
            .iter()
            .map(|check| check.broken(language))
            .collect();
        match self.enforced {
            Enforced::Wholly => {
                text!(language, "sandbox-state-enforced-in-words-wholly").to_owned()
            }
            Enforced::Partly => text!(
                language,
                "sandbox-state-enforced-in-words-partly",
                broken = broken.join(text!(language, "list-sentences"))
            ),
            Enforced::Nothing => self.nothing(&broken, language),
        }
    }

    fn nothing(&self, broken: &[&str], language: Language) -> String {
        let programs = Check::ProgramsRun.broken(language);
        let why = match &self.trouble {
            Some(trouble) => trouble,
            None if self.broken.contains(&Check::ProgramsRun) => programs,
            None if broken.is_empty() => "",
            None => text!(language, "sandbox-state-nothing-why"),
        };
        text!(language, "sandbox-state-nothing", why)
    }
}

impl KernelRestriction {
    fn in_words(self, language: Language) -> String {
        let Self {
            setting, allows, ..
        } = self;
        text!(
            language,
            "sandbox-kernel-restriction-in-words",
            setting,
            allows
        )
    }
}

impl Namespace {
    fn name(self, language: Language) -> &'static str {
        match self {
            Self::Users => text!(language, "sandbox-namespace-users"),
            Self::Mounts => text!(language, "sandbox-namespace-mounts"),
            Self::Processes => text!(language, "sandbox-namespace-processes"),
            Self::Ipc => "IPC",
            Self::Network => text!(language, "sandbox-namespace-network"),
        }
    }
}

impl Check {
    /// Returns what is so when the promise is not kept.
    fn broken(self, language: Language) -> &'static str {
        match self {
            Self::ProgramsRun => text!(language, "sandbox-check-broken-programs-run"),
            Self::NoWriting => text!(language, "sandbox-check-broken-no-writing"),
            Self::NoCutting => text!(language, "sandbox-check-broken-no-cutting"),
            Self::NoReading => text!(language, "sandbox-check-broken-no-reading"),
            Self::NoListing => text!(language, "sandbox-check-broken-no-listing"),
            Self::NoTcp => text!(language, "sandbox-check-broken-no-tcp"),
            Self::NoUdp => text!(language, "sandbox-check-broken-no-udp"),
            Self::NoLocalSockets => text!(language, "sandbox-check-broken-no-local-sockets"),
            Self::NoDatagrams => text!(language, "sandbox-check-broken-no-datagrams"),
            Self::ReadersKeepAttributes => {
                text!(language, "sandbox-check-broken-readers-keep-attributes")
            }
            Self::NoSignals => text!(language, "sandbox-check-broken-no-signals"),
            Self::NoSpying => text!(language, "sandbox-check-broken-no-spying"),
            Self::NoModes => text!(language, "sandbox-check-broken-no-modes"),
            Self::Apart(Namespace::Processes) => {
                text!(language, "sandbox-check-broken-apart-processes")
            }
            Self::Apart(_) => text!(language, "sandbox-check-broken-apart"),
            Self::CountedByKernel => text!(language, "sandbox-check-broken-counted-by-kernel"),
            Self::NoTracing => text!(language, "sandbox-check-broken-no-tracing"),
            Self::NoNamespaces => text!(language, "sandbox-check-broken-no-namespaces"),
        }
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::{Check, Enforced, KernelRestriction, Namespace, SandboxState, View};

    /// A state in which commands have every namespace.
    fn state(enforced: Enforced, broken: &[Check], trouble: Option<&str>) -> SandboxState {
        SandboxState {
            enforced,
            broken: broken.to_vec(),
            view: View::ReadOnly,
            apart: Namespace::APART.to_vec(),
            counted_by_kernel: true,
            restriction: None,
            trouble: trouble.map(str::to_owned),
        }
    }

    fn said(state: &SandboxState) -> String {
        let [english, chinese] =
            [Language::English, Language::Chinese].map(|language| state.in_words(language));
        format!("{english}\n{chinese}")
    }

    fn words(enforced: Enforced, broken: &[Check], trouble: Option<&str>) -> String {
        said(&state(enforced, broken, trouble))
    }

    #[test]
    fn what_is_missing_is_named() {
        let partly = words(
            Enforced::Partly,
            &[Check::NoCutting, Check::NoSignals],
            None,
        );
        insta::assert_snapshot!(partly, @"
        the kernel confines commands only partly: they can empty files outside the workspace (needs Linux 6.2); they can signal other processes (needs Linux 6.12 or namespaces); unasked commands change no modes, owners, times or attributes of files; namespaces of their own for mounts, processes, IPC, network; the kernel itself counts their processes
        内核只能部分限制命令：能清空工作区以外的文件（需要 Linux 6.2）；能向其他进程发信号（需要 Linux 6.12 或命名空间）；未经批准而运行的命令不能更改文件的权限、属主、时间和属性；拥有独立的命名空间：挂载、进程、IPC、网络；进程数由内核计数
        ");
        insta::assert_snapshot!(words(Enforced::Wholly, &[], None), @"
        the kernel confines commands to their workspace, without network, signals or a look into other processes; unasked commands change no modes, owners, times or attributes of files; namespaces of their own for mounts, processes, IPC, network; the kernel itself counts their processes
        内核把命令限制在工作区内：没有网络，不能发信号，也看不到其他进程的内部；未经批准而运行的命令不能更改文件的权限、属主、时间和属性；拥有独立的命名空间：挂载、进程、IPC、网络；进程数由内核计数
        ");
    }

    #[test]
    fn the_gaps_without_namespaces_are_named() {
        let without = SandboxState {
            view: View::AsItIs,
            apart: Vec::new(),
            counted_by_kernel: false,
            restriction: Some(KernelRestriction {
                setting: "user.max_user_namespaces",
                forbids: "0",
                allows: "10000",
            }),
            ..state(Enforced::Wholly, &[], None)
        };
        insta::assert_snapshot!(said(&without), @"
        the kernel confines commands to their workspace, without network, signals or a look into other processes; unasked commands change no modes, owners, times or attributes of files; for want of namespaces approved commands can change modes, owners and times of files outside, and they can read the command lines of other processes; `sysctl user.max_user_namespaces=10000` would let them have namespaces
        内核把命令限制在工作区内：没有网络，不能发信号，也看不到其他进程的内部；未经批准而运行的命令不能更改文件的权限、属主、时间和属性；由于缺少命名空间，经批准的命令能更改工作区以外文件的权限、属主和时间，能读取其他进程的命令行；执行 `sysctl user.max_user_namespaces=10000` 即可使用命名空间
        ");
        let in_a_container = SandboxState {
            apart: vec![Namespace::Ipc, Namespace::Network],
            counted_by_kernel: false,
            ..state(Enforced::Wholly, &[], None)
        };
        insta::assert_snapshot!(said(&in_a_container), @"
        the kernel confines commands to their workspace, without network, signals or a look into other processes; unasked commands change no modes, owners, times or attributes of files; namespaces of their own for mounts, IPC, network; for want of namespaces they can read the command lines of other processes
        内核把命令限制在工作区内：没有网络，不能发信号，也看不到其他进程的内部；未经批准而运行的命令不能更改文件的权限、属主、时间和属性；拥有独立的命名空间：挂载、IPC、网络；由于缺少命名空间，能读取其他进程的命令行
        ");
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
