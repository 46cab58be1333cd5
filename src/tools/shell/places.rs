//! Where the paths of a command lead, for the policy.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use sayso_policy::{Place, Reach, commands};

use crate::workspace::Workspace;

/// How many paths are resolved for the policy.
const MAX_PLACES: usize = 256;

/// Returns where the paths lead that the judgement of a command depends on, and whether anything
/// is there. What cannot be resolved is left out, which counts as outside.
pub(super) fn named_places(command: &str, workspace: &Path) -> BTreeMap<String, Place> {
    let Ok(workspace) = Workspace::open(workspace) else {
        return BTreeMap::new();
    };
    commands::named_paths(command)
        .into_iter()
        .take(MAX_PLACES)
        .filter_map(|path| place(&workspace, &path).map(|place| (path, place)))
        .collect()
}

/// Returns where one path leads. With a `*` at its end nothing is there only when no name begins
/// like it.
fn place(workspace: &Workspace, path: &str) -> Option<Place> {
    let resolved = match workspace.reach(path).ok()? {
        Reach::Outside(resolved) => return Some(Place::Outside(resolved)),
        Reach::Inside(resolved) => resolved,
    };
    let is_nothing = match workspace.root().join(path).symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => path
            .strip_suffix('*')
            .is_none_or(|beginning| nothing_begins(workspace.root(), beginning)),
        Ok(_) | Err(_) => false,
    };
    Some(if is_nothing {
        Place::Nothing(resolved)
    } else {
        Place::Inside(resolved)
    })
}

fn nothing_begins(directory: &Path, beginning: &str) -> bool {
    directory.read_dir().is_ok_and(|mut entries| {
        entries.all(|entry| {
            entry.is_ok_and(|entry| !entry.file_name().to_string_lossy().starts_with(beginning))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use sayso_policy::commands::{CommandDecision, Places, judge};

    use super::named_places;

    fn decision(command: &str, workspace: &Path) -> CommandDecision {
        let places = named_places(command, workspace);
        judge(command, Places::LookedUp(&places)).decision
    }

    #[test]
    fn settings_in_the_workspace_that_name_a_program_make_a_harmless_command_ask() {
        for (command, settings) in [
            ("cargo --version", "rust-toolchain.toml"),
            ("cargo --version", ".cargo/config.toml"),
            ("sqlite3 a.db 'select 1'", ".sqliterc"),
            ("packer version", "packer-plugin-x"),
            ("ansible-doc -l", "ansible.cfg"),
            ("docker ps", ".docker/config.json"),
        ] {
            let workspace = tempfile::tempdir().unwrap();
            let path = workspace.path();
            assert_eq!(decision(command, path), CommandDecision::Allow, "{command}");
            let settings = path.join(settings);
            fs::create_dir_all(settings.parent().unwrap()).unwrap();
            fs::write(&settings, "x").unwrap();
            assert_eq!(decision(command, path), CommandDecision::Ask, "{command}");
            fs::remove_file(&settings).unwrap();
            symlink("nowhere", &settings).unwrap();
            assert_eq!(decision(command, path), CommandDecision::Ask, "{command}");
        }
    }

    #[test]
    fn a_star_in_the_name_of_a_file_is_a_letter() {
        let workspace = tempfile::tempdir().unwrap();
        symlink("/etc/passwd", workspace.path().join("a*")).unwrap();
        fs::write(workspace.path().join("b*"), "x").unwrap();
        let decision = |command| decision(command, workspace.path());
        assert_eq!(decision("cat 'a*'"), CommandDecision::Ask);
        assert_eq!(decision("cat 'b*'"), CommandDecision::Allow);
    }
}
