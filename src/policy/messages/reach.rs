//! How far a command would reach, in words: what confines it in the footer of its card, and what
//! nothing confines above everything else.

use sayso_core::{Language, text};

use crate::access::{Access, CommandReach, Enforced, SandboxMode};

/// Whose folder a command works in, to the reader of its card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderOf {
    /// The reader's.
    Reader,
    /// That of the person who asked, to an owner elsewhere.
    Asker,
}

/// Returns what confines the command, as the footer of its card; `None` where nothing does, or not
/// all of it is enforced.
pub(crate) fn confinement(
    reach: CommandReach,
    folder: FolderOf,
    language: Language,
) -> Option<String> {
    if !reach.is_held() {
        return None;
    }
    let with_network = match reach.access {
        Access::Workspace => false,
        Access::Network => true,
        Access::System => return None,
    };
    let text = match (with_network, folder) {
        (false, FolderOf::Reader) => text!(language, "policy-reach-offline-reader"),
        (false, FolderOf::Asker) => text!(language, "policy-reach-offline-asker"),
        (true, FolderOf::Reader) => text!(language, "policy-reach-online-reader"),
        (true, FolderOf::Asker) => text!(language, "policy-reach-online-asker"),
    };
    Some(text.to_owned())
}

/// Returns the warning of a command that nothing confines, or not wholly; `None` for others.
pub(crate) fn open_access(reach: CommandReach, language: Language) -> Option<&'static str> {
    if reach.is_held() {
        return None;
    }
    let CommandReach {
        access,
        confinement,
    } = reach;
    let said = match (access, confinement.mode, confinement.enforced) {
        (Access::System, _, _) => text!(language, "policy-reach-open-access-system"),
        (_, SandboxMode::Off, _) => text!(language, "policy-reach-open-access-off"),
        (_, _, Enforced::Nothing) => text!(language, "policy-reach-open-access-nothing"),
        (Access::Workspace, _, Enforced::Partly | Enforced::Wholly) => {
            text!(language, "policy-reach-open-access-workspace-partly-wholly")
        }
        (Access::Network, _, Enforced::Partly | Enforced::Wholly) => {
            text!(language, "policy-reach-open-access-network-partly-wholly")
        }
    };
    Some(said)
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::{FolderOf, confinement, open_access};
    use crate::{Access, CommandReach, Confinement, Enforced, SandboxMode};

    #[test]
    fn u21_every_card_says_what_holds_its_command_and_full_access_in_strong_words() {
        let mut page = Vec::new();
        for (mode, enforced) in [
            (SandboxMode::Require, Enforced::Wholly),
            (SandboxMode::Prefer, Enforced::Partly),
            (SandboxMode::Prefer, Enforced::Nothing),
            (SandboxMode::Off, Enforced::Nothing),
        ] {
            for access in [Access::Workspace, Access::Network, Access::System] {
                let reach = CommandReach {
                    access,
                    confinement: Confinement { mode, enforced },
                };
                page.push(format!("{mode:?} {enforced:?} {access:?}"));
                for language in [Language::English, Language::Chinese] {
                    let open = open_access(reach, language).map(str::to_owned);
                    let footer = confinement(reach, FolderOf::Reader, language);
                    page.extend(open.or(footer).map(|line| format!("  {line}")));
                }
            }
        }
        insta::assert_snapshot!(page.join("\n"), @r"
        Require Wholly Workspace
          Only in your folder, no internet
          仅限你的文件夹，不联网
        Require Wholly Network
          Only in your folder, **with internet**
          仅限你的文件夹，**可联网**
        Require Wholly System
          ⚠️ **Full access: this can read, change and delete anything on this computer**, with everybody's files, memories and keys.
          ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，包括所有人的文件、记忆和密钥。
        Prefer Partly Workspace
          ⚠️ **Not fully confined**: meant for your folder without internet, but it may reach other people's files and keys, since this computer cannot enforce all of it.
          ⚠️ **未完全受限**：本应仅限你的文件夹且不联网，但这台电脑无法完全强制，可能触及其他人的文件和密钥。
        Prefer Partly Network
          ⚠️ **Not fully confined**: meant for your folder **with internet**, but it may reach other people's files and keys, since this computer cannot enforce all of it.
          ⚠️ **未完全受限**：本应仅限你的文件夹，**可联网**，但这台电脑无法完全强制，可能触及其他人的文件和密钥。
        Prefer Partly System
          ⚠️ **Full access: this can read, change and delete anything on this computer**, with everybody's files, memories and keys.
          ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，包括所有人的文件、记忆和密钥。
        Prefer Nothing Workspace
          ⚠️ **Full access: this can read, change and delete anything on this computer**, since this computer cannot confine commands.
          ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，因为这台电脑无法限制命令。
        Prefer Nothing Network
          ⚠️ **Full access: this can read, change and delete anything on this computer**, since this computer cannot confine commands.
          ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，因为这台电脑无法限制命令。
        Prefer Nothing System
          ⚠️ **Full access: this can read, change and delete anything on this computer**, with everybody's files, memories and keys.
          ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，包括所有人的文件、记忆和密钥。
        Off Nothing Workspace
          ⚠️ **Full access: this can read, change and delete anything on this computer**, since commands are not confined here.
          ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，因为这里没有限制命令。
        Off Nothing Network
          ⚠️ **Full access: this can read, change and delete anything on this computer**, since commands are not confined here.
          ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，因为这里没有限制命令。
        Off Nothing System
          ⚠️ **Full access: this can read, change and delete anything on this computer**, with everybody's files, memories and keys.
          ⚠️ **完全访问：可读取、修改和删除这台电脑上的任何内容**，包括所有人的文件、记忆和密钥。
        ");
    }
}
