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

    #[test]
    fn a_search_path_is_always_there() {
        let default = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n";
        assert!(seen(&[]).starts_with(default));
        assert!(seen(&[("PATH", ".:/workspace")]).starts_with(default));
    }
}
