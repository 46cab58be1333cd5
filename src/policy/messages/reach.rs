//! How far a command would reach, in words.

use sayso_channel::Language;

use crate::policy::access::{Access, CommandReach, Enforced, SandboxMode};

/// Returns what holds the command, as its card says it.
pub fn reach(reach: CommandReach, language: Language) -> String {
    let CommandReach {
        access,
        confinement,
    } = reach;
    let [english, chinese] = match (access, confinement.mode, confinement.enforced) {
        (Access::System, _, _) => [
            "🔴 **Full access to this computer**: it can read, change and delete everything that Sayso can, \
             with everybody's files, memories and keys. Nothing holds it back.",
            "🔴 **可完全访问这台电脑**：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以，没有任何限制。",
        ],
        (_, SandboxMode::Off, _) => [
            "🔴 **Full access to this computer**, since `policy.sandbox` is `off`: it can read, change and \
             delete everything that Sayso can, with everybody's files, memories and keys.",
            "🔴 **可完全访问这台电脑**，因为 `policy.sandbox` 为 `off`：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以。",
        ],
        (_, _, Enforced::Nothing) => [
            "🔴 **Full access to this computer**, since this machine cannot confine commands: it can read, \
             change and delete everything that Sayso can, with everybody's files, memories and keys.",
            "🔴 **可完全访问这台电脑**，因为这台机器无法限制命令：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以。",
        ],
        (Access::Workspace, _, Enforced::Partly) => [
            "🔴 Meant to stay in the workspace without network, but this machine **does not enforce all of \
             it**: it may reach other people's files and keys.",
            "🔴 本应限于工作区且不联网，但这台机器**无法完全强制**：它可能触及其他人的文件和密钥。",
        ],
        (Access::Network, _, Enforced::Partly) => [
            "🔴 Meant to stay in the workspace, **with network**, and this machine **does not enforce all of \
             it**: it may reach other people's files and keys.",
            "🔴 本应限于工作区，**可联网**，但这台机器**无法完全强制**：它可能触及其他人的文件和密钥。",
        ],
        (Access::Workspace, _, Enforced::Wholly) => [
            "Confined to the workspace, without network.",
            "限于工作区，不联网。",
        ],
        (Access::Network, _, Enforced::Wholly) => [
            "Confined to the workspace, **with network**.",
            "限于工作区，**可联网**。",
        ],
    };
    match language {
        Language::English => english.to_owned(),
        Language::Chinese => chinese.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::reach;
    use crate::policy::{Access, CommandReach, Confinement, Enforced, SandboxMode};
    use sayso_channel::Language;

    #[test]
    fn u21_every_card_says_what_holds_its_command_and_full_access_in_red() {
        let mut page = Vec::new();
        for (mode, enforced) in [
            (SandboxMode::Require, Enforced::Wholly),
            (SandboxMode::Prefer, Enforced::Partly),
            (SandboxMode::Prefer, Enforced::Nothing),
            (SandboxMode::Off, Enforced::Nothing),
        ] {
            for access in [Access::Workspace, Access::Network, Access::System] {
                let confinement = Confinement { mode, enforced };
                let told = CommandReach {
                    access,
                    confinement,
                };
                page.push(format!("{mode:?} {enforced:?} {access:?}"));
                for language in [Language::English, Language::Chinese] {
                    page.push(format!("  {}", reach(told, language)));
                }
            }
        }
        insta::assert_snapshot!(page.join("\n"), @r"
        Require Wholly Workspace
          Confined to the workspace, without network.
          限于工作区，不联网。
        Require Wholly Network
          Confined to the workspace, **with network**.
          限于工作区，**可联网**。
        Require Wholly System
          🔴 **Full access to this computer**: it can read, change and delete everything that Sayso can, with everybody's files, memories and keys. Nothing holds it back.
          🔴 **可完全访问这台电脑**：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以，没有任何限制。
        Prefer Partly Workspace
          🔴 Meant to stay in the workspace without network, but this machine **does not enforce all of it**: it may reach other people's files and keys.
          🔴 本应限于工作区且不联网，但这台机器**无法完全强制**：它可能触及其他人的文件和密钥。
        Prefer Partly Network
          🔴 Meant to stay in the workspace, **with network**, and this machine **does not enforce all of it**: it may reach other people's files and keys.
          🔴 本应限于工作区，**可联网**，但这台机器**无法完全强制**：它可能触及其他人的文件和密钥。
        Prefer Partly System
          🔴 **Full access to this computer**: it can read, change and delete everything that Sayso can, with everybody's files, memories and keys. Nothing holds it back.
          🔴 **可完全访问这台电脑**：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以，没有任何限制。
        Prefer Nothing Workspace
          🔴 **Full access to this computer**, since this machine cannot confine commands: it can read, change and delete everything that Sayso can, with everybody's files, memories and keys.
          🔴 **可完全访问这台电脑**，因为这台机器无法限制命令：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以。
        Prefer Nothing Network
          🔴 **Full access to this computer**, since this machine cannot confine commands: it can read, change and delete everything that Sayso can, with everybody's files, memories and keys.
          🔴 **可完全访问这台电脑**，因为这台机器无法限制命令：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以。
        Prefer Nothing System
          🔴 **Full access to this computer**: it can read, change and delete everything that Sayso can, with everybody's files, memories and keys. Nothing holds it back.
          🔴 **可完全访问这台电脑**：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以，没有任何限制。
        Off Nothing Workspace
          🔴 **Full access to this computer**, since `policy.sandbox` is `off`: it can read, change and delete everything that Sayso can, with everybody's files, memories and keys.
          🔴 **可完全访问这台电脑**，因为 `policy.sandbox` 为 `off`：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以。
        Off Nothing Network
          🔴 **Full access to this computer**, since `policy.sandbox` is `off`: it can read, change and delete everything that Sayso can, with everybody's files, memories and keys.
          🔴 **可完全访问这台电脑**，因为 `policy.sandbox` 为 `off`：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以。
        Off Nothing System
          🔴 **Full access to this computer**: it can read, change and delete everything that Sayso can, with everybody's files, memories and keys. Nothing holds it back.
          🔴 **可完全访问这台电脑**：Sayso 能读取、修改和删除的一切，包括所有人的文件、记忆和密钥，它都可以，没有任何限制。
        ");
    }
}
