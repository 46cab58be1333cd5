//! What a command sees of our environment: an allowlist, so that no secret can be on it. The helper
//! adds the temporary directory, which is also the home of a command that only reads.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The default `PATH`.
const DEFAULT_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// The variables that are passed on unchanged.
const HANDED_ON: &[&str] = &[
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    RUSTUP_HOME,
];
/// Where rustup's programs find the toolchains. They look for them in the home, and a command's
/// home is its workspace.
const RUSTUP_HOME: &str = "RUSTUP_HOME";
/// Where they are in a home, unless the variable says otherwise.
const TOOLCHAINS: &str = ".rustup";
/// The locale of characters that glibc (since 2.35) and musl have without further packages.
const UTF_8: &str = "C.UTF-8";
/// What every command gets: nothing to page, to colour or to ask a terminal.
const FIXED: &[(&str, &str)] = &[
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// The part of the agent's environment that commands may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellEnvironment {
    path: OsString,
    handed_on: Vec<(&'static str, OsString)>,
}

impl ShellEnvironment {
    /// Picks what may be seen from the agent's variables.
    pub fn pick(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut path = OsString::from(DEFAULT_PATH);
        let (mut handed_on, mut toolchains) = (Vec::new(), None);
        for (name, value) in variables {
            if name == "PATH" {
                path = value;
            } else if name == "HOME" {
                toolchains = Some(PathBuf::from(value).join(TOOLCHAINS)).filter(|it| it.is_dir());
            } else if let Some(known) = HANDED_ON.iter().find(|known| name == **known) {
                handed_on.push((*known, value));
            }
        }
        write_utf8(&mut handed_on);
        if let Some(toolchains) = toolchains
            && !handed_on.iter().any(|(name, _)| *name == RUSTUP_HOME)
        {
            handed_on.push((RUSTUP_HOME, toolchains.into()));
        }
        Self { path, handed_on }
    }

    /// Returns the whole environment of a command that works in this directory.
    pub fn in_workspace(&self, workspace: &Path) -> Vec<(&'static str, OsString)> {
        let mut variables = vec![
            ("PATH", search_path(&self.path, workspace)),
            ("HOME", workspace.into()),
            ("PWD", workspace.into()),
        ];
        variables.extend(
            FIXED
                .iter()
                .map(|(name, value)| (*name, OsString::from(value))),
        );
        variables.extend(self.handed_on.iter().cloned());
        variables
    }
}

/// Sees to it that commands write UTF-8: without such a locale, and with one that is not installed,
/// `ls` and others write every character of a Chinese name as octal numbers. A locale that only
/// `LANG` names may not be installed; the one that every system has counts for characters then.
fn write_utf8(locale: &mut Vec<(&'static str, OsString)>) {
    let value = |name: &str| {
        let set = locale.iter().find(|(known, _)| *known == name);
        set.map(|(_, value)| value.clone())
            .filter(|value| !value.is_empty())
    };
    let all = value("LC_ALL");
    let characters = all.clone().or_else(|| value("LC_CTYPE"));
    let names_utf8 = match (characters, value("LANG")) {
        (Some(characters), _) => is_utf8(&characters),
        (None, language) => language.is_some_and(|language| language == UTF_8),
    };
    if names_utf8 {
        return;
    }
    if let Some(all) = all {
        // `LC_ALL` outranks the others, so it becomes the default of them.
        locale.retain(|(name, _)| !["LC_ALL", "LC_MESSAGES", "LANG"].contains(name));
        locale.push(("LANG", all));
    }
    locale.retain(|(name, _)| *name != "LC_CTYPE");
    locale.push(("LC_CTYPE", UTF_8.into()));
}

fn is_utf8(locale: &OsStr) -> bool {
    let name = locale.to_string_lossy().to_ascii_lowercase();
    name.contains("utf-8") || name.contains("utf8")
}

/// Leaves out directories in which a tool could plant a program: relative ones and those of the
/// workspace.
fn search_path(inherited: &OsStr, workspace: &Path) -> OsString {
    let safe = std::env::split_paths(inherited)
        .filter(|directory| directory.is_absolute() && !directory.starts_with(workspace));
    match std::env::join_paths(safe) {
        Ok(path) if !path.is_empty() => path,
        Ok(_) | Err(_) => DEFAULT_PATH.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::ShellEnvironment;

    /// The variables that a command gets, one per line.
    fn seen(variables: &[(&str, &str)]) -> String {
        let variables = variables
            .iter()
            .map(|(name, value)| (name.into(), value.into()));
        let seen: Vec<_> = ShellEnvironment::pick(variables)
            .in_workspace(Path::new("/workspace"))
            .iter()
            .map(|(name, value)| format!("{name}={}", value.to_string_lossy()))
            .collect();
        seen.join("\n")
    }

    #[test]
    fn nothing_but_the_allowlist_is_seen() {
        let ours = [
            ("OPENAI_API_KEY", "secret"),
            ("SAYSO__CHANNELS__TELEGRAM__TOKEN", "secret"),
            ("LD_PRELOAD", "/tmp/x.so"),
            ("LANG", "C.UTF-8"),
            ("TZ", "Asia/Shanghai"),
            ("HOME", "/no/such/home"),
            ("PATH", ".:/usr/bin::/workspace/bin:bin:/opt/bin"),
        ];
        insta::assert_snapshot!(seen(&ours), @"
        PATH=/usr/bin:/opt/bin
        HOME=/workspace
        PWD=/workspace
        TERM=dumb
        NO_COLOR=1
        PAGER=cat
        GIT_PAGER=cat
        GIT_TERMINAL_PROMPT=0
        LANG=C.UTF-8
        TZ=Asia/Shanghai
        ");
    }

    #[track_caller]
    fn check_locale(ours: &[(&str, &str)], expected: &[&str]) {
        let seen = seen(ours);
        let locale = seen
            .lines()
            .filter(|line| line.starts_with("LC_") || line.starts_with("LANG="));
        assert_eq!(locale.collect::<Vec<_>>(), expected, "{ours:?}");
    }

    #[test]
    fn u19_commands_write_utf8_whatever_the_locale_is() {
        check_locale(&[], &["LC_CTYPE=C.UTF-8"]);
        check_locale(&[("LANG", "C.UTF-8")], &["LANG=C.UTF-8"]);
        // It may not be installed.
        check_locale(
            &[("LANG", "zh_CN.UTF-8")],
            &["LANG=zh_CN.UTF-8", "LC_CTYPE=C.UTF-8"],
        );
        check_locale(
            &[("LANG", "C"), ("LC_CTYPE", "en_US.utf8")],
            &["LANG=C", "LC_CTYPE=en_US.utf8"],
        );
        check_locale(&[("LC_ALL", "C.UTF-8")], &["LC_ALL=C.UTF-8"]);
        check_locale(
            &[
                ("LANG", "zh_CN.UTF-8"),
                ("LC_ALL", "POSIX"),
                ("LC_MESSAGES", "zh_CN.UTF-8"),
            ],
            &["LANG=POSIX", "LC_CTYPE=C.UTF-8"],
        );
    }

    #[test]
    fn a_search_path_is_always_there() {
        let default = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n";
        assert!(seen(&[]).starts_with(default));
        assert!(seen(&[("PATH", ".:/workspace")]).starts_with(default));
    }
}
