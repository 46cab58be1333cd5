//! What must be on a machine for a skill to be of use there: programs, variables, the system.
//!
//! The format keeps such things in `metadata`, under keys that no other agent takes for its own:
//! `sayso-bins`, `sayso-env` and `sayso-os`, each a text of words.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::problem::Unmet;

/// Systems as they are named in `sayso-os`.
pub const SYSTEMS: [&str; 3] = ["linux", "macos", "windows"];

/// What a skill needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Requirements {
    /// Programs, all of them.
    programs: Vec<String>,
    /// Variables of the environment, all of them.
    variables: Vec<String>,
    /// Systems, one of them; empty is any.
    systems: Vec<String>,
}

impl Requirements {
    /// Reads the metadata of a skill; beside the requirements, systems that there are not.
    pub fn of(metadata: &Map<String, Value>) -> (Self, Vec<String>) {
        let words = |key| -> Vec<String> {
            let value = metadata
                .get(key)
                .and_then(Value::as_str)
                .unwrap_or_default();
            let words = value.split([' ', ',', '\n', '\t']);
            words
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let (systems, unknown) = words("sayso-os")
            .into_iter()
            .partition(|system| SYSTEMS.contains(&system.as_str()));
        let requirements = Self {
            programs: words("sayso-bins"),
            variables: words("sayso-env"),
            systems,
        };
        (requirements, unknown)
    }

    /// Returns what of it this machine has not.
    pub fn unmet(&self, host: &Host) -> Vec<Unmet> {
        let mut unmet = Vec::new();
        if !self.systems.is_empty() && !self.systems.iter().any(|name| name == host.system) {
            unmet.push(Unmet::System(self.systems.join(", ")));
        }
        let programs = self.programs.iter().filter(|name| !host.has_program(name));
        unmet.extend(programs.cloned().map(Unmet::Program));
        let variables = self
            .variables
            .iter()
            .filter(|name| !host.has_variable(name));
        unmet.extend(variables.cloned().map(Unmet::Variable));
        unmet
    }
}

/// What is known of the machine that skills are loaded on.
#[derive(Debug, Clone)]
pub struct Host {
    system: &'static str,
    path: Vec<PathBuf>,
    variables: HashSet<OsString>,
}

impl Host {
    /// Returns this machine, with the variables of the process.
    pub fn new(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut host = Self {
            system: std::env::consts::OS,
            path: Vec::new(),
            variables: HashSet::new(),
        };
        for (name, value) in variables {
            if name == "PATH" {
                host.path = std::env::split_paths(&value).collect();
            }
            if !value.is_empty() {
                host.variables.insert(name);
            }
        }
        host
    }

    /// A name with a slash in it is no name of a program.
    fn has_program(&self, name: &str) -> bool {
        !name.contains('/') && self.path.iter().any(|place| place.join(name).is_file())
    }

    fn has_variable(&self, name: &str) -> bool {
        self.variables.contains(&OsString::from(name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tempfile::TempDir;

    use super::{Host, Requirements, Unmet};

    fn needs(metadata: &serde_json::Value) -> Requirements {
        let (requirements, unknown) = Requirements::of(metadata.as_object().unwrap());
        assert_eq!(unknown, Vec::<String>::new());
        requirements
    }

    #[test]
    fn what_a_machine_has_not_is_named() {
        let programs = TempDir::new().unwrap();
        std::fs::write(programs.path().join("brew-tea"), "").unwrap();
        let path = programs.path().as_os_str().to_owned();
        let host = Host::new([
            ("PATH".into(), path),
            ("TEA_KEY".into(), "x".into()),
            ("EMPTY".into(), "".into()),
        ]);
        let here = json!({"sayso-bins": "brew-tea", "sayso-env": "TEA_KEY", "sayso-os": std::env::consts::OS});
        assert_eq!(needs(&here).unmet(&host), []);
        let elsewhere = json!({
            "sayso-bins": "brew-tea, pour ../brew-tea",
            "sayso-env": "EMPTY",
            "sayso-os": if cfg!(windows) { "linux macos" } else { "windows" },
        });
        assert_eq!(
            needs(&elsewhere).unmet(&host),
            [
                Unmet::System(
                    if cfg!(windows) {
                        "linux, macos"
                    } else {
                        "windows"
                    }
                    .into()
                ),
                Unmet::Program("pour".into()),
                Unmet::Program("../brew-tea".into()),
                Unmet::Variable("EMPTY".into()),
            ]
        );
    }

    #[test]
    fn a_system_that_there_is_not_is_reported() {
        let metadata = json!({"sayso-os": "linux beos"});
        let (requirements, unknown) = Requirements::of(metadata.as_object().unwrap());
        assert_eq!(unknown, ["beos"]);
        assert_eq!(requirements.systems, ["linux"]);
    }
}
