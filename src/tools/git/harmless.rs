//! What keeps a repository from having anything run: its configuration is listed first, which runs
//! nothing, and every setting that names a program is overridden for the one command that follows.
//!
//! git reads overrides from its environment, where names with any letters in them can be written.
//! It clears them for the repositories of submodules, so none of those is ever entered.

use std::path::Path;

use secrecy::SecretString;
use thiserror::Error;

use super::command::{Use, quoted};

/// What no repository has a say in, whatever its configuration says.
const FIXED: [(&str, &str); 29] = [
    ("core.hooksPath", "/dev/null"),
    ("core.fsmonitor", "false"),
    ("core.sshCommand", "false"),
    ("core.gitProxy", ""),
    ("core.pager", "cat"),
    ("core.editor", "false"),
    ("sequence.editor", "false"),
    ("core.askPass", ""),
    ("core.alternateRefsCommand", "false"),
    ("diff.external", ""),
    ("diff.ignoreSubmodules", "all"),
    ("interactive.diffFilter", "cat"),
    ("gpg.program", "false"),
    ("gpg.openpgp.program", "false"),
    ("gpg.x509.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.ssh.defaultKeyCommand", "false"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("log.showSignature", "false"),
    ("credential.helper", ""),
    ("submodule.recurse", "false"),
    ("status.submoduleSummary", "false"),
    ("safe.bareRepository", "explicit"),
    ("maintenance.auto", "false"),
    ("gc.auto", "0"),
    ("color.ui", "false"),
    ("column.ui", "never"),
    ("protocol.allow", "never"),
];

/// The environment that keeps everything out but the repository itself.
const ENVIRONMENT: [(&str, &str); 10] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_EDITOR", "false"),
    ("GIT_ASKPASS", "false"),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_LITERAL_PATHSPECS", "1"),
];

/// The author of a commit where the configuration of the repository names none.
const AUTHOR: [(&str, &str); 2] = [("user.name", "Sayso"), ("user.email", "sayso@localhost")];

/// Returns the command that lists the names of the settings of a repository.
pub(super) fn list_line(repo: &str) -> String {
    format!(
        "git --no-pager -C {} config --list --name-only",
        quoted(repo)
    )
}

/// Returns the environment of one command, with these settings in the place of the repository's.
pub(super) fn variables(
    workspace: &Path,
    overrides: &[(String, String)],
) -> Vec<(String, SecretString)> {
    let fixed = FIXED.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings: Vec<_> = fixed.into_iter().chain(overrides.iter().cloned()).collect();
    let above = workspace.parent().unwrap_or(workspace).to_string_lossy();
    let mut variables: Vec<(String, String)> = ENVIRONMENT
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    variables.push(("GIT_CEILING_DIRECTORIES".to_owned(), above.into_owned()));
    variables.push(("GIT_CONFIG_COUNT".to_owned(), settings.len().to_string()));
    for (position, (name, value)) in settings.into_iter().enumerate() {
        variables.push((format!("GIT_CONFIG_KEY_{position}"), name));
        variables.push((format!("GIT_CONFIG_VALUE_{position}"), value));
    }
    let hidden = |(name, value): (String, String)| (name, SecretString::from(value));
    variables.into_iter().map(hidden).collect()
}

/// Why nothing is done in a repository, for the model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum Unusable {
    /// A name that is no text could not be overridden.
    #[error("its configuration has names that are no text")]
    NamesAreNoText,
    /// There is none; outside of one, git would compare any two files.
    #[error("this is not a git repository")]
    NoRepository,
    /// It would have programs run.
    #[error(
        "its configuration has hooks ({0}), and this tool runs none. Use `shell`, where a person \
         is asked"
    )]
    Hooks(String),
    /// Its files are elsewhere.
    #[error(
        "its configuration moves its files elsewhere (core.worktree), where this tool does not \
         follow"
    )]
    FilesElsewhere,
    /// Without its programs, what git keeps would be something else.
    #[error(
        "its configuration has a program for its files ({0}), and this tool runs none. Use \
         `shell`, where a person is asked"
    )]
    Filtered(String),
}

/// The names of the settings of a repository.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Settings {
    names: Vec<String>,
}

impl Settings {
    /// Takes what git listed.
    pub(super) fn listed(text: &str) -> Result<Self, Unusable> {
        if text.contains(char::REPLACEMENT_CHARACTER) {
            return Err(Unusable::NamesAreNoText);
        }
        let names: Vec<String> = text.lines().map(str::to_owned).collect();
        // Every repository says so.
        if !names
            .iter()
            .any(|name| name == "core.repositoryformatversion")
        {
            return Err(Unusable::NoRepository);
        }
        if let Some(hook) = names.iter().find(|name| name.starts_with("hook.")) {
            return Err(Unusable::Hooks(hook.clone()));
        }
        if names.iter().any(|name| name == "core.worktree") {
            return Err(Unusable::FilesElsewhere);
        }
        Ok(Self { names })
    }

    /// Refuses what would take in or write files that the repository wants filtered.
    pub(super) fn check(&self, usage: Use) -> Result<(), Unusable> {
        let filter = self.names.iter().find(|name| is_filter(name));
        match (usage, filter) {
            (Use::ChangesFiles, Some(name)) => Err(Unusable::Filtered(name.clone())),
            (Use::Reads | Use::Records | Use::ChangesFiles, _) => Ok(()),
        }
    }

    /// Returns what must be overridden beside what always is.
    pub(super) fn overrides(&self) -> Vec<(String, String)> {
        let mut overrides = Vec::new();
        for name in &self.names {
            if is_filter(name) {
                overrides.push((name.clone(), String::new()));
                if let Some((driver, _)) = name.rsplit_once('.') {
                    overrides.push((format!("{driver}.required"), "false".to_owned()));
                }
            }
        }
        for (name, value) in AUTHOR {
            if !self.names.iter().any(|known| known == name) {
                overrides.push((name.to_owned(), value.to_owned()));
            }
        }
        overrides
    }
}

/// Returns whether a setting names a program through which files are taken in or written.
fn is_filter(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    name.starts_with("filter.") && matches!(last, "clean" | "smudge" | "process")
}
